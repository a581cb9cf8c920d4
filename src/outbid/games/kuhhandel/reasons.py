"""One sentence in the first person for each reason of the steady player (bot.py).

A note holds a reason code and its numbers, all from the hidden view of one seat. What is said in public tells nothing that
the move and the open table do not tell: no worth, no money, nothing laid, and not which of several secrets decided; so
passing, selling, offering and countering have one public sentence each. What it says in private does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from outbid.games.kuhhandel import bot
from outbid.games.kuhhandel.state import ANIMALS


class _Said:
    """The numbers of a note as words: {animal}, {other}, {cards}, {amount}, {stop}, {worth}, {own}, {reserve}, {short}."""

    def __init__(self, note: Sequence[int], names: Sequence[str]):
        animal, other, amount, worth, own = (int(n) for n in note[1:6])
        self.words: dict[str, Any] = {
            "animal": ANIMALS[animal] if animal >= 0 else "animal",
            "other": names[other] if 0 <= other < len(names) else "anybody else",
            "cards": "1 animal is" if amount == 1 else f"{amount} animals are",
            "amount": amount,
            "stop": f"I stop at {amount}" if amount > 0 else "I do not bid",
            "worth": round_off(worth),
            "own": own,
            "reserve": f"I keep {own} in reserve" if own > 0 else "I would spend all I have",
            "short": f"I keep {own} in reserve" if own > 0 else "I have no more money",
        }

    def say(self, sentence: str) -> str:
        return sentence.format(**self.words)


def round_off(amount: int) -> int:
    """An estimate, to the nearest ten."""
    return (amount + 5) // 10 * 10


# code: (said to all, added for the seat itself)
_SENTENCES: dict[int, tuple[str, str]] = {
    bot.WHY_NOTHING: ("I had nothing to weigh.", ""),
    bot.WHY_AUCTION: ("I auction the top card: no trade promises me more, and {cards} left in the deck.", ""),
    bot.WHY_TRADE_COMPLETES: (
        "I trade with {other} for the {animal}: it would complete my set.", " I have {own} to fight for it."),
    bot.WHY_TRADE_PAIR: (
        "I trade with {other} for the {animal}: equal holdings, so winning changes most.", " I have {own} to fight for it."),
    bot.WHY_TRADE: (
        "I trade with {other} for the {animal}: it promises me more than any other trade.",
        " I have {own} to fight for it."),
    bot.WHY_BID: ("I bid {amount} for the {animal}.", " It is worth about {worth} to me; {reserve}."),
    bot.WHY_BID_COMPLETES: (
        "I bid {amount}: the {animal} would complete my set.", " It is worth about {worth} to me; {reserve}."),
    bot.WHY_BID_DENIES: (
        "I bid {amount}, mostly to keep the {animal} from {other}.", " That is worth about {worth} to me; {reserve}."),
    bot.WHY_PASS: ("{stop}.", " The {animal} is worth only about {worth} to me."),
    bot.WHY_PASS_POOR: (
        "{stop}.", " The {animal} is worth about {worth} to me, but {short}."),
    bot.WHY_PASS_CHANGE: (
        "{stop}.", " The {animal} is worth about {worth} to me, but there is no change: I would overpay."),
    bot.WHY_SELL: ("I sell to {other} for {amount}.", " I would rather have the money than the {animal}."),
    bot.WHY_SELL_INSOLVENT: (
        "I sell to {other} for {amount}.", " I do not believe that {other} has it: it can be {worth} at most."),
    bot.WHY_BUY: (
        "I buy the {animal} for {amount}.", " It is worth about {worth} to me; I have {own} before I pay."),
    bot.WHY_BUY_COMPLETES: (
        "I buy the {animal} for {amount}: it completes my set.",
        " It is worth about {worth} to me; I have {own} before I pay."),
    bot.WHY_BUY_DENIES: (
        "I buy the {animal} for {amount}: it would complete the set of {other}.", " I have {own} before I pay."),
    bot.WHY_PAY: ("I pay {amount}.", " I lay {own}, the least that reaches it, in large notes; small change is useful."),
    bot.WHY_OFFER: ("I lay my offer to {other} for the {animal}.", " It is worth {own}."),
    bot.WHY_OFFER_ALL: (
        "I lay my offer to {other} for the {animal}.", " It is worth {own}: nothing else is left to spend money on."),
    bot.WHY_BLUFF: ("I lay my offer to {other} for the {animal}.", " It is worth nothing; I give this one up, or bluff."),
    bot.WHY_COUNTER: ("I counter the offer of {other} for the {animal}.", " I lay {own}."),
    bot.WHY_COUNTER_SURE: (
        "I counter the offer of {other} for the {animal}.", " I lay {own}, more than the offer can be."),
    bot.WHY_COUNTER_NOTHING: (
        "I counter the offer of {other} for the {animal}.", " I lay nothing of worth: half measures only give money away."),
    bot.WHY_ACCEPT: ("I accept the offer of {other}: the {animal} is not worth my money.", ""),
}


def reason(note: Sequence[int], names: Sequence[str], private: bool) -> str:
    """The sentence for a note. names: by seat. private: for the seat itself; it may name its own money."""
    public, own = _SENTENCES.get(int(note[0]), _SENTENCES[bot.WHY_NOTHING])
    return _Said(note, names).say(public + own if private else public)
