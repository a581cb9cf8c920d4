"""Components: what the things of a game look like that has no page of its own: cards, notes, tokens, dice, money, tracks.

    SUITS = Cards(tuple(Look(suit, colour, symbol, figure=str(n)) for suit, colour, symbol in … for n in range(1, 7)))
    Field("hand", shape=(SEATS, CARDS + 1), seen="owner", counts="card", face=SUITS)
    Field("taken", shape=(SEATS, CARDS + 1), counts="card", face=SUITS.pile)
    Field("die", shape=(SEATS, 3), seen="owner", drawn=(1, 6), face=Dice())
    Field("coins", shape=(SEATS,), face=Money())

The first look is that of the kind 1, as 0 is no kind. The page draws them (server/web/cards.py) with the same stage, flights
and backs as those of other games.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

LARGEST = 64_000  # bytes of a picture
ENDING = ".svg"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#9c4f96", "#b07d00", "#7d8290", "#b3364a", "#3c6e71")
SYMBOLS = {  # path data in a box of 64 by 64
    "bolt": "M36 4L14 36h14l-6 24 28-36H34z",
    "circle": "M32 8a24 24 0 1 0 .1 0z",
    "crown": "M8 18l12 12 12-20 12 20 12-12-5 36H13z",
    "diamond": "M32 6l22 26-22 26L10 32z",
    "drop": "M32 6C22 22 14 30 14 40a18 18 0 0 0 36 0C50 30 42 22 32 6z",
    "eye": "M4 32Q32 4 60 32 32 60 4 32zM32 22a10 10 0 1 0 .1 0z",
    "heart": "M32 56C14 42 8 34 8 24a12 12 0 0 1 24-3 12 12 0 0 1 24 3c0 10-6 18-24 32z",
    "key": "M20 10a13 13 0 1 0 11 20h6v8h8v-8h5v12h8V22H31A13 13 0 0 0 20 10zM20 18a5 5 0 1 0 .1 0z",
    "leaf": "M10 56C8 26 24 10 56 8 56 40 40 56 10 56z",
    "moon": "M42 8a25 25 0 1 0 14 34A21 21 0 0 1 42 8z",
    "rope": "M22 8a16 24 0 1 0 .1 0zM42 8a16 24 0 1 0 .1 0z",
    "sail": "M30 6v40H10zM34 14l18 32H34zM8 50h48l-8 8H16z",
    "scroll": "M14 8h36v8h-6v34h6v6H14v-6h6V16h-6z",
    "shield": "M32 6l22 8v16c0 14-9 24-22 28C19 54 10 44 10 30V14z",
    "square": "M12 12h40v40H12z",
    "star": "M32 6l8 17 18 2-13 13 3 19-16-9-16 9 3-19L6 25l18-2z",
    "sword": "M46 6h12v12L30 46l6 6-5 5-8-8-8 9-7-7 9-8-8-8 5-5 6 6z",
    "trunk": "M8 26q0-12 12-12h24q12 0 12 12v26H8zM8 28h48M27 24h10v12H27z",
    "wave": "M6 40c9-16 17-16 26 0s17 16 26 0v16H6z",
}


@dataclass(frozen=True)
class Look:
    """How one thing looks. text: what it is called; colour: "#rrggbb"; symbol: one of SYMBOLS, or up to three characters;
    figure: what is printed large, a number; picture: an SVG file beside the game's, which is shown instead, as an image."""

    text: str = ""
    colour: str = ""
    symbol: str = ""
    figure: str = ""
    picture: str = ""


@dataclass(frozen=True)
class Component:
    """Things of one make. kind: of their faces (core/hooks/faces.py); piled: they lie on each other, and are counted."""

    looks: tuple[Look, ...] = ()
    piled: bool = False
    kind: ClassVar[str] = ""

    @property
    def pile(self) -> Any:
        """Such things, lying on each other."""
        return replace(self, piled=True)


class Cards(Component):
    """Cards, with a back."""

    kind = "card"


class Banknotes(Component):
    """Banknotes, with a back."""

    kind = "note"


class Tokens(Component):
    """Round tokens: cubes, markers, chips."""

    kind = "coin"


class Dice(Component):
    """Dice; without looks their sides have pips."""

    kind = "die"


class Money(Component):
    """An amount of money: a coin beside the number."""

    kind = "coin"


class Track(Component):
    """A number of each seat, or one: its place on a row of steps from the field's lowest to its highest value."""
