"""Positions late in a match."""

from __future__ import annotations

import outbid
from outbid.core import contract
from outbid.core.rulebook import Rulebook

NAMES = ["Ada", "Ben", "Cem", "Dora", "Emil", "Finn"]


def late(book: Rulebook, players: int, seed: int = 2, longest: int = 400, **options) -> outbid.Match:
    """A match in which of several seats asked the last one answers first, and the others as it comes."""
    match = outbid.Match.new(book, options, players, seed, NAMES[:players])
    while not match.over and len(match.moves) < longest:
        asked = [seat for seat in match.asked if match.legal(seat)] or [contract.CLOCK]
        match.random_move(asked[-1] if len(match.moves) % 3 else asked[0], len(match.moves))
    return match
