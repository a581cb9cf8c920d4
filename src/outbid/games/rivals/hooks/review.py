"""Looking back at a match (core/hooks/review.py): the order of the deck. Nothing else is hidden, so nobody bluffs."""

from typing import Any

from outbid.core.chance import shuffle_from, stream


def reshuffle(s: Any, seed: int) -> None:
    """The undrawn cards in a new order."""
    shuffle_from(s.deck, s.drawn, s.size, stream(seed, 1))
