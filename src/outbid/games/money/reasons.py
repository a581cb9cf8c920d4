"""One sentence in the first person for each reason of the steady player (bot.py).

A note holds a reason code and its numbers, all from the hidden view of one seat. What is said in public tells nothing that
the move and the open table do not tell: while bids are sealed every bid, staying out too, sounds the same, and afterwards no
worth of the own cards is named. What it says in private does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from outbid.games.money import bot

SEALED = "I have laid what I thought right."

# code: (said to all, added for the seat itself)
_SENTENCES: dict[int, tuple[str, str]] = {
    bot.WHY_NOTHING: ("I had nothing to weigh.", ""),
    bot.WHY_OUT: (SEALED, " I stay out: no lot is worth a bid to me."),
    bot.WHY_BID: (SEALED, " I bid {total}: I miss these cards least, and hope to gain about {gain} points."),
    bot.WHY_BID_LAST: (SEALED, " I bid {total}: after this round only points count, and I hope for about {gain} more."),
    bot.WHY_TAKE: ("I take the {side} display: nothing here suits me better.", " It brings me about {gain} points."),
    bot.WHY_SWAP: ("I take the bid of {other}: nothing here suits me better.", " It gains me about {gain} points."),
    bot.WHY_KEEP: ("I take the bid back: nothing here suits me better.", ""),
}


def reason(note: Sequence[int], names: Sequence[str], private: bool) -> str:
    """The sentence for a note. names: by seat. private: for the seat itself; it may name its own cards."""
    code, where, total, gain = (int(n) for n in note[:4])
    public, own = _SENTENCES.get(code, _SENTENCES[bot.WHY_NOTHING])
    words: dict[str, Any] = {
        "side": "left" if where == 1 else "right",
        "other": names[where] if 0 <= where < len(names) else "another player",
        "total": total,
        "gain": gain,
    }
    return (public + own if private else public).format(**words)
