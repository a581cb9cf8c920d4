"""What the tests of every game ask a game's own tests for: the module `checks` of the folder with the game's name.

`check(s)`: raises AssertionError unless everything is conserved in a state and every memory contains the truth.
`WRONG`: moves that are wrong nearly everywhere, whose refusals must not depend on what a seat cannot know.

A game with a rulebook also has `RULINGS`, the ids in order, `SENTENCES`, how many the seed has, `STEADY`, at a table of how
many its steady player beats random ones how often in 100 matches, and, if records cannot reach every line of its rules,
`beyond_records(lines, n)`: whether line n (from 1) of `rules.py` is such a line. `ALL_KNOWN`: nothing is left to chance
after the deal, nor hidden from anybody.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1]


def checks(book: Any) -> Any:
    """The module `checks` of a game's tests."""
    package = f"tests.{book.id}" if (TESTS / book.id).is_dir() else book.id
    return importlib.import_module(f"{package}.checks")
