"""Passages of a rulebook that hold only with certain options. Marks in RULES.md, which no reader sees, say so:

    <!-- with action_fund shopping_spree -->       what follows, up to <!-- end -->, holds with one of these options
    | `close` | the clock <!-- with bidding=realtime --> |     this line holds with this value
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

_MARK = re.compile(r" ?<!-- (?:with ([^>]+?)|end) -->")


def unmarked(text: str) -> str:
    """The text without its marks."""
    return "".join(line for line, _names in _lines(text))


def in_force(text: str, options: Mapping[str, Any]) -> str:
    """What of a text holds with these options, given in full, without its marks."""
    kept = "".join(line for line, passages in _lines(text) if all(_holds(names, options) for names in passages))
    return re.sub(r"\n{3,}", "\n\n", kept)


def conditions(text: str) -> set[tuple[str, str]]:
    """The options that its marks name, each with the value, "" if any but none, no and nothing is meant."""
    named = (one.partition("=") for found in _MARK.findall(text) for one in found.split())
    return {(name, value) for name, _, value in named}


def _lines(text: str) -> Iterator[tuple[str, list[str]]]:
    """The lines without marks, each with what it holds with."""
    block: list[str] = []
    for line in text.splitlines(keepends=True):
        marks = _MARK.findall(line)
        bare = _MARK.sub("", line)
        if marks and not bare.strip():
            block = [names for names in marks if names]
        else:
            yield bare, [*block, *marks]


def _holds(names: str, options: Mapping[str, Any]) -> bool:
    for name, _, value in (one.partition("=") for one in names.split()):
        if str(options[name]) == value if value else options[name] not in (False, 0, "off"):
            return True
    return False
