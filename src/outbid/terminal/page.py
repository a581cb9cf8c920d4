"""Lines of text on a terminal: wrapped at words to its width, cards in their colours (suits.py).

Where colours are off (NO_COLOR, TERM=dumb) nothing is coloured; into a pipe nothing is wrapped either, so that each sentence
is one line whatever the terminal was.
"""

import re
import sys
import textwrap
from collections.abc import Sequence
from itertools import groupby

from rich.console import Console
from rich.text import Text

from outbid.terminal.suits import Suits
from outbid.wire.offers import Offer

DEEPER = "    "  # what a line that is wrapped goes on with, beside its own indent
FEW = 32  # columns of the narrowest terminal that is wrapped for
GAP = 3
ROW = re.compile(r"(?:^|\S)(?: {2,}[^\s;]+){3}")  # a line of a table: three cells, set apart, behind a label or none
FEWER = re.compile(r"(?:^|\S) {2,}[^\s;]+$")  # below such a line also one with fewer cells


def wrapped(text: str, width: int | None, deeper: str = DEEPER) -> list[str]:
    """The lines of a text, wrapped at words; a line that goes on is indented. What is set apart by two spaces, after a
    semicolon, is kept together if it can be."""
    if width is None:
        return text.split("\n")
    width, lines = max(width, FEW), []
    for line in _tightened(text.split("\n"), width):
        if len(line) <= width:
            lines.append(line)
            continue
        indent = " " * (len(line) - len(line.lstrip(" *"))) + deeper
        room = width - len(indent)
        joined = re.sub(r"(?<!;) ", "\x00", line) if all(len(part) < room for part in line.split(";  ")) else line
        wrap = textwrap.wrap(joined, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
        lines += [part.replace("\x00", " ") for part in wrap]
    return lines


def _tightened(lines: Sequence[str], width: int) -> list[str]:
    """The lines, with the columns of a table that is too wide as near to each other as they may be."""
    tightened: list[str] = []
    inside = False
    tables: list[bool] = []
    for line in lines:
        inside = bool(ROW.search(line) or (inside and FEWER.search(line)))
        tables.append(inside)
    for table, group in groupby(zip(tables, lines, strict=True), lambda pair: pair[0]):
        rows = [line for _inside, line in group]
        wide = max(map(len, rows))
        empty = [n for n in range(wide) if table and all(row[n : n + 1] in ("", " ") for row in rows)]
        gaps = [[n for _, n in gap] for _, gap in groupby(enumerate(empty), lambda pair: pair[1] - pair[0])]
        spare: set[int] = set()
        while gaps and wide - len(spare) > width and len(widest := max(gaps, key=len)) > 1:
            spare.add(widest.pop())
        tightened += ["".join(sign for n, sign in enumerate(row) if n not in spare) for row in rows]
    return tightened


def menu(offers: Sequence[Offer], width: int | None, first: int = 1) -> list[str]:
    """One choice a line, with its number, and how one types it where the line does not say that."""
    room = max((len(offer.label) for offer in offers if offer.typed), default=0)
    lines: list[str] = []
    for number, offer in enumerate(offers, first):
        line = f"{number:>3}  {offer.label}"
        if offer.typed:
            beside = f"{number:>3}  {offer.label:<{room}}   {offer.typed}"
            line = beside if width is None or len(beside) <= width else f"{line}\n     {offer.typed}"
        lines += wrapped(line, width, "  ")
    return lines


def columns(texts: Sequence[str], width: int | None) -> list[str]:
    """Numbered texts, in columns if they are many and there is a width."""
    cells = [f"{n:>3}  {text}" for n, text in enumerate(texts, 1)]
    each = max(map(len, cells)) + GAP
    across = 1 if width is None or len(cells) <= 8 else max(1, (width + GAP) // each)
    down = -(-len(cells) // across)
    return ["".join(f"{cell:<{each}}" for cell in cells[row::down]).rstrip() for row in range(down)]


def painted(text: str, suits: Suits, style: str = "", lift: float = 0.0) -> Text:
    """A text with its cards in colour; lift: how much lighter, up to 1 for white."""
    painting = Text(text, style=style)
    for start, end, hue in suits.spans(text):
        red, green, blue = (round(n + (255 - n) * lift) for n in bytes.fromhex(hue[1:]))
        painting.stylize(f"bold #{red:02x}{green:02x}{blue:02x}", start, end)
    return painting


class Page:
    """Standard output."""

    def __init__(self) -> None:
        self._console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
        self.coloured = self._console.is_terminal and self._console.color_system is not None and not self._console.no_color
        self.suits = Suits((), {})
        self._prompted = False

    @property
    def width(self) -> int | None:
        """Columns of the terminal; none in a pipe."""
        return self._console.width if sys.stdout.isatty() else None

    def say(self, text: str, style: str = "") -> None:
        """Print a text, wrapped."""
        self.lines(wrapped(text, self.width), style)

    def lines(self, lines: Sequence[str], style: str = "") -> None:
        """Print lines as they are."""
        if self._prompted:
            self._prompted = False
            print()
        if not self.coloured:
            print("\n".join(lines), flush=True)
            return
        for line in lines:
            self._console.print(painted(line, self.suits, style))
        sys.stdout.flush()

    def prompt(self, text: str) -> None:
        """Ask for a line: at a terminal what is typed stands beside it."""
        if self.width is None:
            print(text, flush=True)
        else:
            print(f"{text} ", end="", flush=True)
            self._prompted = True

    def typed(self) -> None:
        """A line was typed, so that the cursor stands on a new one."""
        self._prompted = False
