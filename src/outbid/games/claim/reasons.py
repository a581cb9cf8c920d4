"""One sentence in the first person for each reason of the steady player (bot.py).

A note holds a reason code and its numbers. What is said in public tells nothing but the move and the open table; what it
says in private names its judgement: its chance to win in thousandths, less those of the others.
"""

from __future__ import annotations

from collections.abc import Sequence

from outbid.games.claim import bot
from outbid.games.claim.sentences import TITLES
from outbid.games.claim.state import ICON_NAMES, PRODUCTS

# code: (said to all, added for the seat itself)
_SENTENCES: dict[int, tuple[str, str]] = {
    bot.WHY_NOTHING: ("I had nothing to weigh.", ""),
    bot.WHY_PLAY: ("I play where nothing becomes full.", " I judge the position after my turn at {gain}."),
    bot.WHY_PLAY_FULL: (
        "I fill the {number}s up: somebody has to take them.", " I judge the position after my turn at {gain}."),
    bot.WHY_PLAY_WIN: ("I play the {number} and win with it.", ""),
    bot.WHY_CLAIM: (
        "I claim the {number}s for {value}; I still need {left}.", " I judge the position after my turn at {gain}."),
    bot.WHY_CLAIM_WIN: ("I claim the {number}s, and that is enough.", ""),
    bot.WHY_PUSH: ("I push the {number}s to {other}: of all, there they harm me least.", " I judge the position at {gain}."),
    bot.WHY_PUSH_SELF: ("I take the {number}s for {value} myself; I needed {left}.", " I judge the position at {gain}."),
    bot.WHY_PUSH_WIN: ("I take the {number}s myself, and that is enough.", ""),
    bot.WHY_END: ("I end my turn: no claim would help me.", " I judge the position at {gain}."),
    bot.WHY_USE: ("I use {icon}.", ""),
    bot.WHY_SKIP: ("I do not use {icon}: it would not help me now.", ""),
    bot.WHY_GIVE: ("I give {other} what I can best do without.", ""),
    bot.WHY_BUY: ("I buy {product} for {value}.", " The stack I pay with was not worth much."),
    bot.WHY_PURCHASE: ("I purchase the {number}s from {other} for a bill of {value}.", ""),
    bot.WHY_TAKE: ("I take the {number}s for {value}.", ""),
    bot.WHY_REFUSE: ("I refuse the {number}s: let somebody else take them.", ""),
    bot.WHY_ACCEPT: ("I accept the offer of {other}: it brings me something.", ""),
    bot.WHY_DECLINE: ("I refuse the offer of {other}.", ""),
    bot.WHY_FORECAST: ("I forecast a {number} from {other}.", " It is the number I think most likely."),
}  # fmt: skip


def reason(note: Sequence[int], names: Sequence[str], private: bool) -> str:
    """The sentence for a note. names: by seat. private: for the seat itself; it may name its own judgement."""
    code, number, other, value, left, gain = (int(n) for n in note[:6])
    public, own = _SENTENCES.get(code, _SENTENCES[bot.WHY_NOTHING])
    words = {
        "number": number,
        "other": names[other] if 0 <= other < len(names) else "the others",
        "value": value,
        "left": left,
        "gain": gain,
        "icon": TITLES[ICON_NAMES[number % len(ICON_NAMES)]],
        "product": PRODUCTS[number % len(PRODUCTS)],
    }
    return (public + own if private else public).format(**words)
