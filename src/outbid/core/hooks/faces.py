"""Faces: how a game's cards and notes look, as data; the renderer decides how (server/web/cards.py).

The symbol of a face is a tuple of layers, painted in order in a box of 64 by 64 units (x to the right, y down). Hue, letter
and symbol each tell a face apart on its own. The three tones: `fill` is the hue itself, `ink` its dark companion, `paper`
the colour of the sheet.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Tone = Literal["fill", "ink", "paper"]


class Layer(NamedTuple):
    """One stroke of the brush: SVG path data in one tone."""

    tone: Tone
    path: str
    width: float = 0.0
    """0: the path is filled; otherwise the width of the line in the units of the box; `h0` is a dot."""


class Face(NamedTuple):
    """One card, banknote or coin, seen from the front."""

    key: str
    """Name of the face in pages; starts with the game so that two games may share a page."""
    kind: Literal["card", "rank", "note", "bill", "coin"]
    """A rank is a card with a large figure, for columns of many that overlap; a bill is a banknote for hands of many: small,
    of few lines, with room for its serial number; a coin is round."""
    name: str
    figure: str
    """What is printed large: a value, a denomination. A coin without one is a token: it shows its symbol large."""
    hue: str
    """A colour of medium lightness, `#rrggbb`; light and dark versions are derived from it."""
    letter: str
    """One to three characters that tell the face apart without colour or symbol."""
    symbol: tuple[Layer, ...]
    lobes: int
    """Number of petals of the rosette behind the symbol, 3 to 24."""
    hollow: bool = False
    """Drawn with a dashed frame: it looks like money and is worth nothing."""
