"""One sentence in the first person for each reason of the game's own player (bot.py).

A note holds a reason code and its numbers. What is said in public tells nothing but the move and the open table; what it
says in private adds how it stands then, by a judgement in thousandths of a victory, less those of the others.
"""

from collections.abc import Sequence

from outbid.core.language.i18n import N_
from outbid.games.claim import bot
from outbid.games.claim.state import ICON_NAMES, PRODUCTS
from outbid.games.claim.text import _
from outbid.games.claim.text.terms import TITLES

CLEAR = 100  # thousandths by which somebody is ahead
_AHEAD = N_("After that I am ahead, as I see it.")
_LEVEL = N_("After that nobody is far ahead, as I see it.")
_BEHIND = N_("After that I am still behind, as I see it.")

# reasons that carry a judgement
_JUDGED = (bot.WHY_PLAY, bot.WHY_PLAY_FULL, bot.WHY_CLAIM, bot.WHY_PUSH, bot.WHY_PUSH_SELF, bot.WHY_END)

# code: (said to all, added for the seat itself)
_SENTENCES: dict[int, tuple[str, str]] = {
    bot.WHY_NOTHING: (N_("There was nothing to choose."), ""),
    bot.WHY_PLAY: (N_("I play where nothing becomes full."), ""),
    bot.WHY_PLAY_FULL: (N_("I fill the {number}s up: somebody has to take them."), ""),
    bot.WHY_PLAY_WIN: (N_("I play the {number} and win with it."), ""),
    bot.WHY_CLAIM: (N_("I claim the {number}s for {value}; I needed {left}."), ""),
    bot.WHY_CLAIM_WIN: (N_("I claim the {number}s, and that is enough."), ""),
    bot.WHY_PUSH: (N_("I push the {number}s to {other}: of all, there they harm me least."), ""),
    bot.WHY_PUSH_SELF: (N_("I take the {number}s for {value} myself; I needed {left}."), ""),
    bot.WHY_PUSH_WIN: (N_("I take the {number}s myself, and that is enough."), ""),
    bot.WHY_END: (N_("I end my turn: no claim would help me."), ""),
    bot.WHY_USE: (N_("I use {icon}."), ""),
    bot.WHY_SKIP: (N_("I do not use {icon}: it would not help me now."), ""),
    bot.WHY_GIVE: (N_("I give {other} what I can best do without."), ""),
    bot.WHY_BUY: (N_("I buy {product} for {value}."), N_("The stack I pay with was not worth much.")),
    bot.WHY_PURCHASE: (N_("I purchase the {number}s from {other} for a bill of {value}."), ""),
    bot.WHY_TAKE: (N_("I take the {number}s for {value}."), ""),
    bot.WHY_REFUSE: (N_("I refuse the {number}s: let somebody else take them."), ""),
    bot.WHY_ACCEPT: (N_("I accept the offer of {other}: it brings me something."), ""),
    bot.WHY_DECLINE: (N_("I refuse the offer of {other}."), ""),
    bot.WHY_FORECAST: (N_("I forecast a {number} from {other}."), N_("It is the number I think most likely.")),
}

# in public the move says as much
_BARE = (
    bot.WHY_NOTHING, bot.WHY_PLAY, bot.WHY_END, bot.WHY_USE, bot.WHY_BUY, bot.WHY_PURCHASE, bot.WHY_TAKE, bot.WHY_DECLINE,
)  # fmt: skip


def reason(note: Sequence[int], names: Sequence[str], private: bool) -> str:
    """The sentence for a note. names: by seat. private: for the seat itself; it may name its own judgement."""
    code, number, other, value, left, gain = (int(n) for n in note[:6])
    if code in _BARE and not private:
        return ""
    public, own = _SENTENCES.get(code, _SENTENCES[bot.WHY_NOTHING])
    words = {
        "number": number,
        "other": names[other] if 0 <= other < len(names) else _("the others"),
        "value": value,
        "left": left,
        "icon": _(TITLES[ICON_NAMES[number % len(ICON_NAMES)]]),
        "product": _(PRODUCTS[number % len(PRODUCTS)]),
    }
    if code in _JUDGED and gain != 0:
        own = _AHEAD if gain >= CLEAR else _BEHIND if gain <= -CLEAR else _LEVEL
    sentence = _(public, **words)
    return f"{sentence} {_(own, **words)}" if private and own else sentence
