"""One sentence in the first person for each reason of the steady player (bot.py).

A note holds a reason code and its numbers. Everything in Rivals is open but plans: what is said in public names no worth and
no limit, what it says in private does.
"""

from __future__ import annotations

from collections.abc import Sequence

from outbid.games.rivals import bot
from outbid.games.rivals.sentences import named, number_of_cards

# code: (said to all, added for the seat itself)
_SENTENCES: dict[int, tuple[str, str]] = {
    bot.WHY_UNCOVER_ONLY: ("I uncover a card: I cannot open an auction.", ""),
    bot.WHY_UNCOVER_WAIT: (
        "I uncover a card and wait for a better display.",
        " This one would bring me about {gain} points.",
    ),
    bot.WHY_UNCOVER_RIVAL: (
        "I uncover a card: I do not open an auction for somebody else.",
        " {other} would pay more than my {limit} gold.",
    ),
    bot.WHY_OPEN: (
        "I open an auction with {amount}.",
        " The display is worth about {gain} points to me; I go up to {limit}.",
    ),
    bot.WHY_RAISE: ("I bid {amount}.", " The display is worth about {gain} points to me; I go up to {limit}."),
    bot.WHY_RAISE_DENY: (
        "I bid {amount}.",
        " I do so mostly against {other}: to me the display is worth only about {gain} points; I go up to {limit}.",
    ),
    bot.WHY_PASS: ("I pass.", " The display is worth about {gain} points to me, which is {limit} gold."),
    bot.WHY_TAKE: ("I take {cards}.", ""),
    bot.WHY_TAKE_NOTHING: ("I take nothing: no card would help me.", ""),
    bot.WHY_REMOVE: ("I remove {card}.", " It would bring {other} about {gain} points."),
    bot.WHY_REMOVE_NOTHING: ("I remove nothing: no card here helps an opponent more than me.", ""),
}


def reason(note: Sequence[int], names: Sequence[str], private: bool) -> str:
    """The sentence for a note. names: by seat. private: for the seat itself; it may name worth and limit."""
    code, other, amount, gain, limit, card = (int(n) for n in note[:6])
    public, own = _SENTENCES.get(code, _SENTENCES[bot.WHY_UNCOVER_ONLY])
    return (public + own if private else public).format(
        other=names[other] if 0 <= other < len(names) else "somebody else",
        amount=amount,
        cards=number_of_cards(amount),
        gain=gain,
        limit=limit,
        card=f"the {named(card)}" if card >= 0 else "a card",
    )
