"""Looking back at a match (core/hooks/review.py): the order of the pile, and bluffs.

A bid is a bluff if the bluff card lies among its cards where everybody sees how many cards a sealed bid has: it looks one
card larger than it is. It has worked if nobody took the bid for what it was, so that nothing can be said of that. Where the
number is hidden (E2), the bluff card deceives nobody.
"""

from collections.abc import Sequence
from typing import Any

from outbid.core.chance import shuffle_from, stream
from outbid.core.hooks.review import Laid, Made
from outbid.games.money.state import HIDDEN
from outbid.games.money.text import ngettext


def reshuffle(s: Any, seed: int) -> None:
    """The undrawn cards in a new order."""
    shuffle_from(s.pile, s.drawn, s.size, stream(seed, 1))


def bluffs(moves: Sequence[Made]) -> list[Laid]:
    """All bids whose number of cards could be seen."""
    bids = []
    for move in moves:
        if move.said["do"] == "bid" and move.seat is not None and move.before.bid_counts != HIDDEN:
            n, bluff = len(move.said["cards"]), move.said["bluff"]
            text = ngettext("{n} card, seen as {shown}", "{n} cards, seen as {shown}", n, shown=n + bluff)
            bids.append(Laid(move.number, move.seat, bluff, None, text))
    return bids
