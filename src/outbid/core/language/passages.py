"""Passages of a rulebook that hold only with certain options. Marks in RULES.md, which no reader sees, say so:

    <!-- with action_fund shopping_spree -->       what follows, up to <!-- end -->, holds with one of these options
    | `close` | the clock <!-- with bidding=realtime --> |     this line holds with this value
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from outbid.core.errors import BadRulebook

_MARK = re.compile(r" ?<!-- (?:with ([^>]+?)|end) -->")


def unmarked(text: str) -> str:
    """The text without its marks."""
    return "".join(line for line, _names in _lines(text))


def in_force(text: str, options: Mapping[str, Any]) -> str:
    """What of a text holds with these options, given in full, without its marks. Raises BadRulebook where a mark names
    something else."""
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
        names = [one for one in marks if one]
        if bare.strip():
            yield bare, [*block, *names]
        elif not marks:
            yield bare, block
        if not bare.strip() and names:
            block = names
        elif len(names) < len(marks):
            block = []


def _holds(names: str, options: Mapping[str, Any]) -> bool:
    for name, _, value in (one.partition("=") for one in names.split()):
        if name not in options:
            raise BadRulebook(f"RULES.md says that a passage holds with {name}, which is no option of the game.")
        chosen = options[name]
        written = chosen if isinstance(chosen, str) else json.dumps(chosen)
        if written == value if value else chosen not in (False, 0, "off"):
            return True
    return False
