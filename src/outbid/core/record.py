"""Match records, read and verified (RECORD.md): one way in for files, uploads and imports.

One JSON object a match; a file may hold one, or one a line. It is UTF-8, with or without a byte order mark. What is in the
way of reading one record is said of it: its size, depth, doubled keys, half a surrogate pair, and all that a match refuses.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from outbid.core import talk
from outbid.core.errors import BadRecord, OutbidError, Unreadable
from outbid.core.language.i18n import N_, _
from outbid.core.match import FORMAT, Match, replay
from outbid.core.rulebook import by_id

OBJECT, NAMES, LIST = N_("an object"), N_("a list of names"), N_("a list")  # what a key must be

NEEDED = ("format", "game", "players", "deal", "moves")
LONGEST = 2**21  # characters of a record: the longest match of the five games has some 20,000 moves
MOST_DIGITS = 100  # of a number
DEEPEST = 32  # objects and lists in each other


def _no_constant(name: str) -> None:
    raise ValueError(_("{name} is not a JSON value", name=name))


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError(_("an object has the same key twice"))
    return value


def _number(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(_("a number has more than {most} digits", most=MOST_DIGITS))
    return int(digits)


def parse(text: str) -> Any:
    """A JSON value. Unlike the standard reader it refuses NaN, endless numbers, doubled keys, half a surrogate pair and what
    is nested too deep to be a record or a move. Raises Unreadable."""
    if not text.strip():
        raise Unreadable(_("This is not JSON: there is nothing in it."))
    try:
        value = json.loads(text, parse_constant=_no_constant, parse_int=_number, object_pairs_hook=_no_doubles)
    except RecursionError:
        raise Unreadable(_("This is not a record: it is nested too deep.")) from None
    except ValueError as error:
        reason = str(error)
        if isinstance(error, json.JSONDecodeError):
            reason = _("line {line}, column {column} cannot be read", line=error.lineno, column=error.colno)
        raise Unreadable(_("This is not JSON: {error}.", error=reason)) from error
    waiting = [(value, 1)]
    while waiting:
        one, depth = waiting.pop()
        if isinstance(one, str):
            if not one.isascii() and any("\ud800" <= sign <= "\udfff" for sign in one):
                raise Unreadable(_("{text} has half a surrogate pair, which is no character.", text=ascii(one[:40])))
        elif isinstance(one, dict | list):
            if depth > DEEPEST:
                raise Unreadable(_("This is not a record: it is nested too deep."))
            waiting += [(part, depth + 1) for part in (one if isinstance(one, list) else [*one, *one.values()])]
    return value


def decoded(sent: bytes) -> str:
    """The text of a file. Raises Unreadable."""
    try:
        return sent.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(_("A record is UTF-8 text.")) from error


def parsed(text: str) -> Iterator[Any]:
    """The records of a text: one JSON value, or one a line. Raises Unreadable."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2 or not _is_json(lines[0]):
        yield _one(text)
        return
    for number, line in enumerate(lines, 1):
        try:
            value = _one(line)
        except Unreadable as error:
            raise Unreadable(_("Record {n}: {reason}", n=number, reason=error)) from error
        yield value


def _is_json(line: str) -> bool:
    """A whole value, so that this is no line of a longer one."""
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _one(text: str) -> Any:
    if len(text) > LONGEST:
        raise Unreadable(_("A record has at most {most} characters.", most=LONGEST))
    return parse(text)


def read_record(record: object) -> Match:
    """The match of a record, replayed and verified. Raises BadRecord with the number of the first bad move."""
    if not isinstance(record, dict):
        raise BadRecord(_("A record is a JSON object."))
    for key in NEEDED:
        if key not in record:
            raise BadRecord(_("The record has no {key!r}; it needs {names}.", key=key, names=", ".join(NEEDED)))
    if record["format"] != FORMAT:
        raise BadRecord(_("The format is {said!r}; this program reads {format!r}.", said=record["format"], format=FORMAT))
    if not isinstance(record["game"], str):
        raise BadRecord(_("The game is {game!r}; it must be a name.", game=record["game"]))
    try:
        book = by_id(record["game"])
    except OutbidError as error:
        raise BadRecord(str(error)) from error
    for key, kind, name in (("options", dict, "an object"), ("players", list, "a list of names"), ("moves", list, "a list")):
        if not isinstance(record.get(key, kind()), kind):
            raise BadRecord(_("The record's {key} must be {name}.", key=key, name=_(name)))
    try:
        options = book.brought_up(record.get("rules", book.rules_id), record.get("options", {}), len(record["players"]))
    except OutbidError as error:
        raise BadRecord(str(error)) from error
    if len(record["moves"]) > book.longest:
        facts = {"moves": len(record["moves"]), "longest": book.longest}
        raise BadRecord(_("The record has {moves} moves; a match of this game has at most {longest}.", **facts))
    match = replay(book, {**record, "options": options})
    match.talk = talk.read(record.get("said", []), match.players, len(match.moves))
    for key, true in (("scores", match.scores), ("winners", match.winners)):
        if key not in record:
            continue
        if not match.over:
            raise BadRecord(_("The record states {key}, but the match is not over.", key=key))
        if not _same(record[key], true, in_order=key == "scores"):
            raise BadRecord(
                _("The record states the {key} {said!r}; they are {true}.", key=key, said=record[key], true=true)
            )
    return match


def _same(stated: object, true: list[Any], in_order: bool) -> bool:
    """Whether a record states these numbers, winners in any order; true is not 1, and 4.0 is not the whole number 4."""
    return (
        isinstance(stated, list)
        and len(stated) == len(true)
        and all(isinstance(number, int | float) and not isinstance(number, bool) for number in stated)
        and all(
            a == b and (isinstance(a, int) or isinstance(b, float))
            for a, b in zip(stated if in_order else sorted(stated), true, strict=True)
        )
    )


def records(path: str | Path) -> Iterator[tuple[int, Any]]:
    """The records of a file, numbered from 1: one JSON value, or JSON lines. Raises Unreadable naming the file."""
    try:
        sent = Path(path).read_bytes()
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror}.") from error
    try:
        yield from enumerate(parsed(decoded(sent)), 1)
    except Unreadable as error:
        raise Unreadable(f"{path} cannot be read. {error}") from error


def read(path: str | Path) -> Match:
    """The match in a file with one record, replayed and verified. Raises Unreadable, BadRecord."""
    numbered = list(records(path))
    if len(numbered) != 1:
        raise Unreadable(f"{path} holds {len(numbered)} records, not one; outbid.read_all reads them.")
    return read_record(numbered[0][1])


def read_all(path: str | Path) -> Iterator[Match]:
    """The matches of a file with one record a line."""
    for _number, record in records(path):
        yield read_record(record)
