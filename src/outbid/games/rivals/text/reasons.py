"""One sentence in the first person for each reason of the game's own player (bot.py).

A note holds a reason code and its numbers. Everything in Rivals is open but plans: what is said in public names no worth and
no limit, what it says in private does.
"""

from collections.abc import Sequence

from outbid.core.language.i18n import N_
from outbid.games.rivals import bot
from outbid.games.rivals.text import _
from outbid.games.rivals.text.sentences import number_of_cards, number_of_points, the

WORTH = N_("The display is worth about {gain} to me; I go up to {limit}.")

# code: (said to all, added for the seat itself)
_SENTENCES: dict[int, tuple[str, str]] = {
    bot.WHY_UNCOVER_ONLY: (N_("I uncover a card: I cannot open an auction."), ""),
    bot.WHY_UNCOVER_WAIT: (
        N_("I uncover a card and wait for a better display."), N_("This one would bring me about {gain}.")),
    bot.WHY_UNCOVER_RIVAL: (
        N_("I uncover a card: I do not open an auction for somebody else."),
        N_("{other} would pay more than my {limit} gold.")),
    bot.WHY_OPEN: (N_("I open an auction with {amount}."), WORTH),
    bot.WHY_RAISE: (N_("I bid {amount}."), WORTH),
    bot.WHY_RAISE_DENY: (
        N_("I bid {amount}."),
        N_("I do so mostly against {other}: to me the display is worth only about {gain}; I go up to {limit}.")),
    bot.WHY_PASS: (
        N_("I pass."), N_("The display is worth about {gain} to me, which is {limit} gold.")),
    bot.WHY_TAKE: (N_("I take {cards}."), ""),
    bot.WHY_TAKE_NOTHING: (N_("I take nothing: no card would help me."), ""),
    bot.WHY_REMOVE: (N_("I remove {card}."), N_("It would bring {other} about {gain}.")),
    bot.WHY_REMOVE_NOTHING: (N_("I remove nothing: no card here helps an opponent more than me."), ""),
}  # fmt: skip

# in public the move says as much
_BARE = (
    bot.WHY_UNCOVER_ONLY, bot.WHY_UNCOVER_WAIT, bot.WHY_OPEN, bot.WHY_RAISE, bot.WHY_RAISE_DENY, bot.WHY_PASS, bot.WHY_TAKE,
    bot.WHY_REMOVE, bot.WHY_REMOVE_NOTHING,
)  # fmt: skip


def reason(note: Sequence[int], names: Sequence[str], private: bool) -> str:
    """The sentence for a note. names: by seat. private: for the seat itself; it may name worth and limit."""
    code, other, amount, gain, limit, card = (int(n) for n in note[:6])
    if code in _BARE and not private:
        return ""
    public, own = _SENTENCES.get(code, _SENTENCES[bot.WHY_UNCOVER_ONLY])
    sentence = _(public, amount=amount, cards=number_of_cards(amount), card=the(card) if card >= 0 else _("a card"))
    if not private or not own:
        return sentence
    rival = names[other] if 0 <= other < len(names) else _("somebody else")
    return f"{sentence} {_(own, other=rival, gain=number_of_points(gain), limit=limit)}"
