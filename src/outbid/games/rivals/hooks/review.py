"""Looking back at a match (core/hooks/review.py): the order of the deck. Nothing else is hidden, so nobody bluffs."""

from __future__ import annotations

from typing import Any

from outbid.core.chance import shuffle, stream


def reshuffle(s: Any, seed: int) -> None:
    """The undrawn cards in a new order."""
    left = s.deck[s.drawn : s.size]
    shuffle(left, len(left), stream(seed, 1))
    s.deck[s.drawn : s.size] = left
