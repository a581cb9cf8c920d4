"""What stands in the rulebooks."""

from __future__ import annotations

import re
from pathlib import Path

from outbid.core.rulebook import rulebooks
from tests.support.checks import checks

ROOT = Path(__file__).parents[1]
BOOKS = [book for book in rulebooks().values() if "games" in book.folder.parts]


def text(game):
    """The rulebook."""
    return (game.folder / "RULES.md").read_text(encoding="utf-8")


def section(game, title):
    """The text of the section with this title."""
    return re.split(rf"^## \d+ {title}$", text(game), flags=re.M)[1].split("\n## ")[0]


def rows(part):
    """The rows of the tables in a text, as lists of cells, without heads."""
    cells = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in part.splitlines() if line[:1] == "|"]
    heads = [n for n, row in enumerate(cells) if set("".join(row)) <= set("- ")]
    return [row for n, row in enumerate(cells) if n not in heads and n + 1 not in heads]


def rulings_in(game, part):
    """The ids of rulings that a text names, by the letter of the game."""
    return set(re.findall(rf"\b{checks(game).RULINGS[0][0]}\d+\b", part))
