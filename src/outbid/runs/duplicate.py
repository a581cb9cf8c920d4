"""Duplicate matches: what a bot makes of a seat when the same deal is played again and again.

All matches have the deal and the company in common; what the bots draw differs from match to match. Where a bot draws
nothing, every match would be the same: so one decision in `OFTEN` of a varied seat is made by one of its `variants`, bots of
the same strength. Match number `n` follows from the deal, the bots, `seed` and `n` alone, so that a measurement can be
broken off and taken up again.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from outbid.bots import choose, prepare
from outbid.compiled.loops import SEATS_FROM
from outbid.core.chance import below, stream
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook
from outbid.runs.replay import play_on

OFTEN = 5  # one decision in so many is made by a variant
VARIED_FROM = 1 << 42  # the stream that says which


def variants(book: Rulebook, level: str) -> list[str]:
    """The personas that a level of the game's own player can have: easy:farmer."""
    names = [f"{level}:{persona.name}" for persona in book.personas.each]
    return [name for name in names if name in book.personas.players]


def duplicate(
    book: Rulebook, options: Mapping[str, Any], deal: Any, bots: Sequence[str], seed: int, number: int,
    varied: Mapping[int, Sequence[str]] | None = None,
) -> Match:  # fmt: skip
    """Play match `number` on a deal. bots: one name a seat; varied: by seat, its variants. Raises BadSetup, BadOption."""
    match = Match.load(book, options, [f"seat {seat}" for seat in range(len(bots))], deal)
    own = stream(seed, number)
    for name in set(bots):
        prepare(name, book)

    def thought(seat: int) -> tuple[int, ...]:
        draw = stream(stream(own, VARIED_FROM + seat), len(match.moves))
        others = (varied or {}).get(seat, ())
        which = below(draw, OFTEN * len(others)) if others else 0
        name = others[which] if which < len(others) else bots[seat]
        return tuple(choose(match, seat, name, stream(own, SEATS_FROM + seat)).actions)

    play_on(match, thought)
    return match
