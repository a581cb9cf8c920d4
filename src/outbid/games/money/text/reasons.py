"""One sentence in the first person for each reason of the game's own player (bot.py).

A note holds a reason code and its numbers, all from the hidden view of one seat. What is said in public tells nothing that
the move and the open table do not tell: while bids are sealed every bid, staying out too, sounds the same, and afterwards no
worth of the own cards is named. What it says in private does.
"""

from collections.abc import Sequence

from outbid.core.language.i18n import N_
from outbid.games.money import bot
from outbid.games.money.text import _

SEALED = N_("I lay what I think right.")
TAKE_LEFT = N_("I take the left display: nothing here suits me better.")
TAKE_RIGHT = N_("I take the right display: nothing here suits me better.")

# code: (said to all, added for the seat itself)
_SENTENCES: dict[int, tuple[str, str]] = {
    bot.WHY_NOTHING: (N_("There was nothing to choose."), ""),
    bot.WHY_OUT: (SEALED, N_("I stay out: no lot is worth a bid to me.")),
    bot.WHY_BID: (SEALED, N_("I bid {total}: I miss these cards least, and hope to gain about {gain} points.")),
    bot.WHY_BID_LAST: (
        SEALED, N_("I bid {total}: after this round only points count, and I hope for about {gain} more.")),
    bot.WHY_TAKE: (TAKE_RIGHT, N_("It brings me about {gain} points.")),
    bot.WHY_SWAP: (
        N_("I take the bid of {other}: nothing here suits me better."), N_("It gains me about {gain} points.")),
    bot.WHY_KEEP: (N_("I take the bid back: nothing here suits me better."), ""),
}  # fmt: skip

# in public the move says as much
_BARE = (bot.WHY_NOTHING, bot.WHY_OUT, bot.WHY_BID, bot.WHY_BID_LAST, bot.WHY_TAKE, bot.WHY_SWAP, bot.WHY_KEEP)


def reason(note: Sequence[int], names: Sequence[str], private: bool) -> str:
    """The sentence for a note. names: by seat. private: for the seat itself; it may name its own cards."""
    code, where, total, gain = (int(n) for n in note[:4])
    if code in _BARE and not private:
        return ""
    public, own = _SENTENCES.get(code, _SENTENCES[bot.WHY_NOTHING])
    if public == TAKE_RIGHT and where == 1:
        public = TAKE_LEFT
    other = names[where] if 0 <= where < len(names) else _("another player")
    sentence = _(public, other=other)
    return f"{sentence} {_(own, total=total, gain=gain)}" if private and own else sentence
