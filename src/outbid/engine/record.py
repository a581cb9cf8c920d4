"""Match records, read and verified (RECORD.md). One JSON object a match; a file may hold one, or one a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from outbid.engine.errors import BadRecord, OutbidError, Unreadable
from outbid.engine.match import FORMAT, Match, replay
from outbid.engine.rulebook import rulebook

NEEDED = ("game", "players", "deal", "moves")


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("an object has the same key twice")
    return made


def parse(text: str) -> Any:
    """A JSON value; unlike the standard reader it refuses NaN and doubled keys. Raises Unreadable."""
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_doubles)
    except RecursionError:
        raise Unreadable("This is not a record: it is nested too deep.") from None
    except ValueError as error:
        raise Unreadable(f"This is not JSON: {error}.") from error


def read_record(record: Any) -> Match:
    """The match of a record, replayed and verified. Raises BadRecord with the number of the first bad move."""
    if not isinstance(record, dict):
        raise BadRecord("A record is a JSON object.")
    for key in NEEDED:
        if key not in record:
            raise BadRecord(f"The record has no {key!r}; it needs {', '.join(NEEDED)}.")
    if record.get("format", FORMAT) != FORMAT:
        raise BadRecord(f"The format is {record['format']!r}; this program reads {FORMAT!r}.")
    if not isinstance(record["game"], str):
        raise BadRecord(f"The game is {record['game']!r}; it must be a name.")
    try:
        book = rulebook(record["game"])
    except OutbidError as error:
        raise BadRecord(str(error)) from error
    for key, kind, name in (("options", dict, "an object"), ("players", list, "a list of names"), ("moves", list, "a list")):
        if not isinstance(record.get(key, kind()), kind):
            raise BadRecord(f"The record's {key} must be {name}.")
    try:
        options = book.brought_up(record.get("rules", book.rules_id), record.get("options", {}), len(record["players"]))
    except OutbidError as error:
        raise BadRecord(str(error)) from error
    match = replay(book, {**record, "options": options})
    for key, true in (("scores", match.scores), ("winners", match.winners)):
        if key not in record:
            continue
        if not match.over:
            raise BadRecord(f"The record states {key}, but the match is not over.")
        if not _same(record[key], true):
            raise BadRecord(f"The record states the {key} {record[key]!r}; they are {true}.")
    return match


def _same(stated: Any, true: list[Any]) -> bool:
    """The same numbers in the same order; true is not 1, and 4.0 is not the whole number 4."""
    return (
        isinstance(stated, list)
        and len(stated) == len(true)
        and all(
            a == b and not isinstance(a, bool) and (isinstance(a, int) or isinstance(b, float))
            for a, b in zip(stated, true, strict=True)
        )
    )


def records(path: str | Path) -> Iterator[tuple[int, Any]]:
    """The records of a file, numbered from 1: one JSON value, or JSON lines. Raises Unreadable naming the file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise Unreadable(f"{path} cannot be read: {reason}.") from error
    try:
        yield 1, parse(text)
        return
    except Unreadable as error:
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) < 2:
            raise Unreadable(f"{path} cannot be read. {error}") from error
    for number, line in enumerate(lines, 1):
        try:
            value = parse(line)
        except Unreadable as error:
            raise Unreadable(f"{path}, record {number}, cannot be read. {error}") from error
        yield number, value


def read(path: str | Path) -> Match:
    """The match in a file with one record, replayed and verified. Raises Unreadable, BadRecord."""
    found = list(records(path))
    if len(found) != 1:
        raise Unreadable(f"{path} holds {len(found)} records, not one; outbid.read_all reads them.")
    return read_record(found[0][1])


def read_all(path: str | Path) -> Iterator[Match]:
    """The matches of a file with one record a line."""
    for _, record in records(path):
        yield read_record(record)
