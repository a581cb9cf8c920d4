"""What a game may say of its matches when they are looked back at: a module `hooks/review.py` in its folder, plain Python.

    reshuffle(s, seed)       put what nobody has drawn yet in a new order, in place; hands and table stay as they are
    bluffs(moves) -> [Laid]  what was laid or bid unseen in a whole match, and what of it was less than it looked

Both may be missing: then chance has nothing left to do after the deal, or nothing is hidden that one could bluff with.
`bluffs` is given the moves of a match that is over, with the true states, and speaks the language of the moment.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from outbid.core import contract
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook


@dataclass(frozen=True)
class Made:
    """A move of a match: its number from 0, the seat (None: the clock), the move, and the true states around it."""

    number: int
    seat: int | None
    said: dict[str, Any]
    before: Any
    after: Any


@dataclass(frozen=True)
class Laid:
    """Something that a seat laid or bid unseen with move `number`. bluff: it was less than it looked; worked: whether that
    brought what it was for (None: nothing can be said); text: what it was, after the name of the seat and a colon."""

    number: int
    seat: int
    bluff: bool
    worked: bool | None
    text: str


def moves_of(match: Match) -> list[Made]:
    """All moves of a match with the states around them, in the order of its record."""
    earlier, moves = match.at(0), []
    for number, move in match.numbered:
        before = earlier.state
        earlier.play(move["seat"], move)
        entry = {key: value for key, value in move.items() if key != "seat"}
        moves.append(Made(number, move["seat"], entry, before, earlier.state))
    return moves


def place_of(seat: int | None) -> int:
    """The bit of `asked` for who made a move."""
    return contract.CLOCK if seat is None else seat


def reshuffler(book: Rulebook) -> Callable[[Any, int], None] | None:
    """The game's `reshuffle`, if chance has something to do after the deal."""
    return getattr(book.submodule("review"), "reshuffle", None)


def bluffs(book: Rulebook, moves: Sequence[Made]) -> list[Laid] | None:
    """What was laid unseen; None where a game knows no bluffs."""
    listing = getattr(book.submodule("review"), "bluffs", None)
    return listing(moves) if listing else None
