"""Looking back at a match (core/hooks/review.py): covered products and bills of the reserve, with Shopping Spree.

There is no other chance after the deal. A claim shows its bills, so that nobody can bluff.
"""

from typing import Any

from outbid.core.chance import stream
from outbid.games.claim import hidden


def reshuffle(s: Any, seed: int) -> None:
    """The covered products and the rest of the reserve in any order."""
    if s.shopping_spree:
        hidden.redeal_shop(s, stream(seed, 1))
