"""How a game is offered to people who choose one: data that a game declares as `OFFER` in its module `hooks/offer.py`.

All of it is optional: a game without that module is offered by its title, its summary and a few of its faces. Sentences are
messages of the game's catalog.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from outbid.core.rulebook import Rulebook

SHEET = 360, 200  # width and height of a picture, in its own units
WEIGHTS = 3  # from 1 (light) to 3 (heavy)


class Placed(NamedTuple):
    """A face in a picture: its key, its middle, how far it is turned (degrees clockwise), its width."""

    face: str
    x: float
    y: float
    turn: float = 0.0
    width: float = 80.0


class Card(NamedTuple):
    """A preset: its title, a line about it, and for how many players it is, if only for so many."""

    title: str
    line: str
    players: int = 0


@dataclass(frozen=True)
class Switch:
    """An option, true or false, that is shown as a picture to be switched on: its line, and the faces in it."""

    line: str
    faces: tuple[str, ...]


@dataclass(frozen=True)
class Offer:
    """How a game is offered.

    sentence: what one does in it. minutes: how long a match of people takes, from and to. weight: 1 to WEIGHTS. hue: of the
    ground of its picture, `#rrggbb`. picture: faces, from the back to the front. company: the bots of a first match, as
    many as suit it. rivals: the bots of a deal of the day; without any the game has none. presets: what the game's presets
    are called. switches: by option."""

    sentence: str = ""
    minutes: tuple[int, int] | None = None
    weight: int = 0
    hue: str = "#23503f"
    picture: tuple[Placed, ...] = ()
    company: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    presets: Mapping[str, Card] = field(default_factory=dict[str, Card])
    switches: Mapping[str, Switch] = field(default_factory=dict[str, Switch])


NOTHING = Offer()


def offer_of(book: Rulebook) -> Offer:
    """What a game says of itself, or nothing."""
    module = book.submodule("offer")
    offer = getattr(module, "OFFER", NOTHING)
    return offer if isinstance(offer, Offer) else NOTHING
