"""Why one move is better than another: both are played on to the end in the same worlds, and what differs is told.

    contrasted(seat, one, other) -> Contrast       the moves as action ids; the sentence is made by core/hooks/contrast.py

All that is used is the seat. Where nothing is compiled for it yet, the plain backend plays very few worlds on.
"""

from __future__ import annotations

from collections.abc import Sequence

from outbid.bots import strong
from outbid.bots.search import ends as playing
from outbid.bots.seat import Seat
from outbid.compiled import buffers
from outbid.core.fields import Records
from outbid.core.hooks.contrast import Contrast, contrast_of
from outbid.core.rulebook import Rulebook

WORLDS, PLAIN = 40, 12
AT_TABLES = 24  # of a bot that has to move


def ready(book: Rulebook) -> bool:
    """Whether it is compiled."""
    return strong.ready(book, playing.ends)


def contrasted(
    seat: Seat, one: Sequence[int], other: Sequence[int], compiled: bool = True, worlds: int | None = None
) -> Contrast:
    """What differs at the end. worlds: as many as usual, unless said."""
    book, worlds = seat.rulebook, worlds or (WORLDS if compiled else PLAIN)
    space, lead = strong.side_by_side(seat, (one, other), compiled)
    found = buffers.states(book, 2 * worlds, compiled)
    loop = strong.entry_of(book, playing.ends) if compiled else playing.ends
    loop(space.states, 0, seat.seat, seat.stream, worlds, lead, space.work, found)
    states = found if isinstance(found, Records) else [book.plain.from_record(found, k) for k in range(len(found))]
    return contrast_of(book, seat.seat, [(states[2 * w], states[2 * w + 1]) for w in range(worlds)])
