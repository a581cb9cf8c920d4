"""One sentence in the first person for each reason of the game's own player (bot.py).

A note holds a reason code and its numbers, all from the hidden view of one seat. What is said in public tells nothing that
the move and the open table do not tell: no worth, no money, nothing laid, and not which of several secrets decided; so
passing, selling, offering and countering have one public sentence each. What it says in private does.
"""

from collections.abc import Sequence
from typing import Any

from outbid.core.language.i18n import N_
from outbid.games.kuhhandel import bot
from outbid.games.kuhhandel.text import _, animals, ngettext

_FIGHT = N_("I have {own} to fight for it.")
_WORTH = (N_("It is worth about {worth} to me; I keep {own} in reserve."),
          N_("It is worth about {worth} to me; I would spend all I have."))  # fmt: skip
_DENIED = (N_("That is worth about {worth} to me; I keep {own} in reserve."),
           N_("That is worth about {worth} to me; I would spend all I have."))  # fmt: skip
_SHORT = (N_("{subject} is worth about {worth} to me, but I keep {own} in reserve."),
          N_("{subject} is worth about {worth} to me, but I have no more money."))  # fmt: skip
_BOUGHT = N_("It is worth about {worth} to me; I have {own} before I pay.")
_STOP = (N_("I stop at {amount}."), N_("I do not bid."))
_OFFER = N_("I lay my offer to {other} for {animal}.")
_COUNTER = N_("I counter the offer of {other} for {animal}.")

# code: what is said to all, and what is added for the seat itself; of two sentences, the second is said where the number
# that the first tells (the amount in public, the own money in private) is nothing
_SENTENCES: dict[int, tuple[str | tuple[str, str], str | tuple[str, str]]] = {
    bot.WHY_NOTHING: (N_("There was nothing to choose."), ""),
    bot.WHY_TRADE_COMPLETES: (N_("I trade with {other} for {animal}: it would complete my set."), _FIGHT),
    bot.WHY_TRADE_PAIR: (N_("I trade with {other} for {animal}: equal holdings, so winning changes most."), _FIGHT),
    bot.WHY_TRADE: (N_("I trade with {other} for {animal}: it promises me more than any other trade."), _FIGHT),
    bot.WHY_BID: (N_("I bid {amount} for {animal}."), _WORTH),
    bot.WHY_BID_COMPLETES: (N_("I bid {amount}: {animal} would complete my set."), _WORTH),
    bot.WHY_BID_DENIES: (N_("I bid {amount}, mostly to keep {animal} from {other}."), _DENIED),
    bot.WHY_PASS: (_STOP, N_("{subject} is worth only about {worth} to me.")),
    bot.WHY_PASS_POOR: (_STOP, _SHORT),
    bot.WHY_PASS_CHANGE: (
        _STOP, N_("{subject} is worth about {worth} to me, but there is no change: I would overpay.")),
    bot.WHY_PASS_NEVER: (_STOP, N_("I never bid: what I buy, I buy from my own auctions.")),
    bot.WHY_SELL: (N_("I sell to {other} for {amount}."), N_("I would rather have the money than {animal}.")),
    bot.WHY_SELL_INSOLVENT: (
        N_("I sell to {other} for {amount}."), N_("I do not believe that {other} has it: it can be {worth} at most.")),
    bot.WHY_BUY: (N_("I buy {animal} for {amount}."), _BOUGHT),
    bot.WHY_BUY_COMPLETES: (N_("I buy {animal} for {amount}: it completes my set."), _BOUGHT),
    bot.WHY_BUY_DENIES: (
        N_("I buy {animal} for {amount}: it would complete the set of {other}."), N_("I have {own} before I pay.")),
    bot.WHY_PAY: (
        N_("I owe {amount}."), N_("I lay {own}, the least that reaches it, in large notes; small change is useful.")),
    bot.WHY_OFFER: (_OFFER, N_("It is worth {own}.")),
    bot.WHY_OFFER_ALL: (_OFFER, N_("It is worth {own}: nothing else is left to spend money on.")),
    bot.WHY_BLUFF: (_OFFER, N_("It is worth nothing; I give this one up, or bluff.")),
    bot.WHY_COUNTER: (_COUNTER, N_("I lay {own}.")),
    bot.WHY_COUNTER_SURE: (_COUNTER, N_("I lay {own}, more than the offer can be.")),
    bot.WHY_COUNTER_NOTHING: (_COUNTER, N_("I lay nothing of worth: half measures only give money away.")),
    bot.WHY_ACCEPT: (N_("I accept the offer of {other}: {animal} is not worth my money."), ""),
}  # fmt: skip

# in public the move says as much
_BARE = (
    bot.WHY_NOTHING, bot.WHY_BID, bot.WHY_PASS, bot.WHY_PASS_POOR, bot.WHY_PASS_CHANGE, bot.WHY_PASS_NEVER,
    bot.WHY_SELL, bot.WHY_SELL_INSOLVENT, bot.WHY_BUY, bot.WHY_PAY, bot.WHY_OFFER, bot.WHY_OFFER_ALL, bot.WHY_BLUFF,
    bot.WHY_COUNTER, bot.WHY_COUNTER_SURE, bot.WHY_COUNTER_NOTHING,
)  # fmt: skip


def reason(note: Sequence[int], names: Sequence[str], private: bool) -> str:
    """The sentence for a note. names: by seat. private: for the seat itself; it may name its own money."""
    code, kind, other, amount, worth, own = (int(n) for n in note[:6])
    if code in _BARE and not private:
        return ""
    if code == bot.WHY_AUCTION:
        return ngettext(
            "I auction the top card: no trade promises me more, and {n} animal is left in the deck.",
            "I auction the top card: no trade promises me more, and {n} animals are left in the deck.",
            amount,
        )
    words: dict[str, Any] = {
        "animal": animals.this(kind),
        "subject": animals.first(kind),
        "other": names[other] if 0 <= other < len(names) else _("anybody else"),
        "amount": amount,
        "worth": (worth + 5) // 10 * 10,  # an estimate, to the nearest ten
        "own": own,
    }
    public, added = _SENTENCES.get(code, _SENTENCES[bot.WHY_NOTHING])
    sentence = _(_one_of(public, amount), **words)
    return f"{sentence} {_(_one_of(added, own), **words)}" if private and added else sentence


def _one_of(sentences: str | tuple[str, str], number: int) -> str:
    return sentences if isinstance(sentences, str) else sentences[number <= 0]
