"""Faces: how a game's cards and notes look, as data; the renderer decides how (server/web/cards.py).

The symbol of a face is a tuple of layers, painted in order in a box of 64 by 64 units (x to the right, y down). Hue, letter
and symbol each tell a face apart on its own. The three tones: `fill` is the hue itself, `ink` its dark companion, `paper`
the colour of the sheet.

`symbols` reads drawings of a game's folder `cards`. Each is an SVG file of paths; the class of a path is its tone, and the
colours in the file are for viewers of the file.

    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" fill="none" stroke-linecap="round" stroke-linejoin="round">
    <path class="ink" stroke="#14311f" stroke-width="4" d="M32 61V30"/>
    <path class="fill" fill="#009e73" d="M31 42C13 44 3 34 3 17C20 15 31 25 31 42Z"/>
    </svg>
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, cast
from xml.etree import ElementTree

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
    kind: Literal["card", "rank", "note", "bill", "coin", "die"]
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
    sign: str = ""
    """Up to three characters that stand in place of the symbol."""
    picture: str = ""
    """The address of an image that is shown in place of all of it."""


def symbols(module: str) -> Mapping[str, tuple[Layer, ...]]:
    """The drawings `cards/*.svg` of the game that has this module (its `__file__`) in its folder `hooks`, by name."""
    return {file.stem: tuple(_layers(file)) for file in (Path(module).parents[1] / "cards").glob("*.svg")}


def _layers(file: Path) -> Iterator[Layer]:
    """The paths of a drawing: one with a stroke is a line, others are filled."""
    for path in ElementTree.parse(file).iter("{http://www.w3.org/2000/svg}path"):
        yield Layer(cast(Tone, path.attrib["class"]), path.attrib["d"], float(path.get("stroke-width", 0)))
