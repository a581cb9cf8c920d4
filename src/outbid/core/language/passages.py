"""Passages of a rulebook that hold only with certain options. Marks in RULES.md, which no reader sees, say so:

    <!-- with action_fund shopping_spree -->       what follows, up to <!-- end -->, holds with one of these options
    | `close` | the clock <!-- with bidding=realtime --> |     this line holds with this value; in a passage: with both

A value is written as in a record, words without quotes. Passages do not lie within each other.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from outbid.core.errors import BadOption, BadRulebook
from outbid.core.language.phrases import meant
from outbid.core.options import Option

_MARK = re.compile(r" ?<!--\s*(?:with\b([^>]*?)|end)\s*-->")


def read(path: Path, options: Iterable[Option]) -> str:
    """A text with its marks. Raises BadRulebook with file and line where a mark is wrong."""
    text = path.read_text(encoding="utf-8")
    for number, sentence in _wrong(text, {option.name: option for option in options}):
        raise BadRulebook(f"{path}, line {number}: {sentence}")
    return text


def unmarked(text: str) -> str:
    """The text without its marks."""
    return "".join(line for line, _names in _lines(text))


def in_force(text: str, options: Mapping[str, Any]) -> str:
    """What of a text holds with these options, given in full, without its marks."""
    lines = "".join(line for line, passages in _lines(text) if all(_holds(names, options) for names in passages))
    return re.sub(r"\n{3,}", "\n\n", lines)


def _named(names: str) -> Iterator[tuple[str, str]]:
    """The options of a mark, each with its value."""
    for name, _, value in (pair.partition("=") for pair in names.split()):
        yield name, value


def _marks(line: str) -> tuple[str, list[str], bool]:
    """A line without its marks, what it holds with, and whether a passage ends in it."""
    marks = list(_MARK.finditer(line))
    return _MARK.sub("", line), [mark[1] for mark in marks if mark[1] is not None], any(mark[1] is None for mark in marks)


def _lines(text: str) -> Iterator[tuple[str, list[str]]]:
    """The lines without marks, each with what it holds with."""
    block: list[str] = []
    for line in text.splitlines(keepends=True):
        bare, names, end = _marks(line)
        if bare.strip():
            yield bare, [*block, *names]
        elif bare == line:
            yield bare, block
        if end:
            block = []
        elif not bare.strip() and names:
            block = names


def _wrong(text: str, known: Mapping[str, Option]) -> Iterator[tuple[int, str]]:
    """What is wrong with the marks, by line from 1."""
    begun = 0
    for number, line in enumerate(text.splitlines(), 1):
        bare, names, end = _marks(line)
        for name in names:
            yield from ((number, sentence) for sentence in _unknown(name, known))
        if not bare.strip() and names:
            if begun:
                yield number, f"a passage begins before that of line {begun} has ended."
            begun = number
        if end:
            if not begun:
                yield number, "a passage ends, and none has begun."
            begun = 0
    if begun:
        yield begun, "a passage begins and never ends."


def _unknown(names: str, known: Mapping[str, Option]) -> Iterator[str]:
    """What is wrong with the options of a mark."""
    if not names.strip():
        yield "a mark names no option."
    for name, value in _named(names):
        if name not in known:
            available = ", ".join(known) or "none"
            yield f"a mark names {name}, which is no option of the game; it has {available}.{meant(name, known)}"
        elif value:
            try:
                known[name].encode(_value(value))
            except BadOption as error:
                yield str(error)
        elif known[name].words and "off" not in known[name].words:
            yield f"a mark names {name} without a value; it must be {known[name].allowed}."


def _value(written: str) -> Any:
    try:
        return json.loads(written)
    except ValueError:
        return written


def _holds(names: str, options: Mapping[str, Any]) -> bool:
    return any(
        options[name] == _value(value) if value else options[name] not in (False, 0, "off")
        for name, value in _named(names)
    )
