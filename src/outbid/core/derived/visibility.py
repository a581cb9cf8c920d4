"""What follows from who sees a field (fields.py): `hide`, `observe` with its table, and `view`, for games that write none;
and `redeal` where everybody sees everything.

A field is one of the seats' if its first dimension is the largest number of players (and no names are given to its places);
such fields stand in relative seat order in an observation, and under "players" in a view.
`hide` and `observe` are written as source in the compiled subset,
so that both backends run the same; `source(book)` shows it.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

from outbid.core import contract
from outbid.core.declaration import Declaration
from outbid.core.derived.spaces import FeatureGroup, Observation, amount, amounts, flag
from outbid.core.errors import BadRulebook
from outbid.core.fields import RANGES, SEEN, Field

PLAYERS = "players"  # the field with the number of players
ASKED = "asked"


def own_fields(book: Declaration) -> list[Field]:
    """The fields of a state without its options and the number of players."""
    return [field for field in book.layout.facts if field.name != PLAYERS]


def of_seats(book: Declaration, field: Field) -> bool:
    """Whether a field has a row or a number for each seat."""
    return field.shape[:1] == (book.players[1],) and not (field.places and len(field.shape) == 1)


def nothing_hidden(book: Declaration) -> bool:
    """Whether everybody sees every field, so that there is one world."""
    return contract.defined(book.modules, "hide") is None and all(field.seen == "all" for field in own_fields(book))


def check(book: Declaration) -> None:
    """Raises BadRulebook if a field does not say who sees it, or in a way that does not go with its shape."""
    for field in own_fields(book):
        if field.seen not in SEEN:
            reason = f"the field {field.name} is seen by {field.seen!r}; it must be {_or()}"
            raise BadRulebook(f"In the game {book.id}, {reason}.")
        if field.seen == "owner" and not of_seats(book, field):
            raise BadRulebook(
                f"In the game {book.id}, the field {field.name} is seen by its owner; its shape must begin with "
                f"{book.players[1]}, the largest number of players, not be {field.shape}."
            )
        if field.places and field.shape[-1:] != (len(field.places),):
            raise BadRulebook(
                f"In the game {book.id}, the field {field.name} has {len(field.places)} names of places; "
                f"its last dimension must be as large, and its shape is {field.shape}."
            )
    if book.secrets and nothing_hidden(book):
        raise BadRulebook(
            f"The game {book.id} lacks hide(s, seat): say of its fields who sees them, as in "
            f"Field(…, seen={_or()}), write the function, or declare secrets=False."
        )


def observation(book: Declaration) -> Observation:
    """The table of the default `observe`."""
    shared, each = [amount(PLAYERS, "the number of players", book.players[1])], [flag(ASKED, "may answer now")]
    for field in own_fields(book):
        if field.seen == "nobody":
            continue
        if field.seat and not field.shape:
            each.append(flag(field.name, field.name))
        elif of_seats(book, field):
            (shared if field.seen == "owner" else each).append(_part(field, field.shape[1:]))
        else:
            shared.append(_part(field, field.shape))
    return Observation(book.players[1], shared, each)


def module(book: Declaration) -> ModuleType | None:
    """The module with the functions that the game leaves out; none if it writes them all."""
    written = [make for name, make in MAKE.items() if contract.defined(book.modules, name) is None]
    if not written:
        return None
    module = ModuleType(f"{book.modules[0].__name__}_visibility")
    text = "\n\n".join(["from outbid.core.contract import asked", *("\n".join(make(book)) for make in written), ""])
    module.__source__ = text  # type: ignore[attr-defined]
    file = f"<{book.id}: who sees what>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file  # Numba and tracebacks read it there
    exec(compile(text, file, "exec"), vars(module))
    sys.modules[module.__name__] = module  # compiled code that is kept names the module of each function
    return module


def view(book: Declaration, s: Any, seat: int) -> dict[str, Any]:
    """All fields as a seat sees them: those of the seats under "players", None where it does not see one."""
    seen: dict[str, Any] = {PLAYERS: [{} for _ in range(s.players)]}
    for field in own_fields(book):
        value = getattr(s, field.name)
        if field.seen == "nobody":
            continue
        if of_seats(book, field):
            for other, row in enumerate(seen[PLAYERS]):
                mine = field.seen == "all" or other == seat
                row[field.name] = _named(field, value[other]) if mine else None
        else:
            seen[field.name] = _named(field, value)
    return seen


def with_names(book: Declaration, seen: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """A view for people to read: where a field is a seat, the name of who sits there."""
    seats = {field.name for field in own_fields(book) if field.seat and not field.shape}
    at = {name: seen[name] for name in seats if isinstance(seen.get(name), int)}
    return {**seen, **{name: names[place] for name, place in at.items() if 0 <= place < len(names)}}


def _named(field: Field, value: Any) -> Any:
    """A copy of a value of a field, with the words for its places and numbers."""
    if isinstance(value, list):
        parts = [_named(field, part) for part in value]
        return dict(zip(field.places, parts, strict=True)) if field.places and not isinstance(value[0], list) else parts
    return field.names[value] if 0 <= value < len(field.names) else value


def _or() -> str:
    return " | ".join(f'"{audience}"' for audience in SEEN)


def _unit(field: Field) -> int:
    return field.top or RANGES[field.type][1]


def _part(field: Field, shape: tuple[int, ...]) -> FeatureGroup:
    if not shape:
        return amount(field.name, field.name, _unit(field), low=-1)
    last = field.places or [str(n) for n in range(shape[-1])]
    labels = [" ".join([*map(str, place[:-1]), last[place[-1]]]) for place in _places(shape)]
    return amounts(field.name, labels, field.name, _unit(field), low=-1)


def _places(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if not shape:
        yield ()
        return
    for first in range(shape[0]):
        for rest in _places(shape[1:]):
            yield first, *rest


def _hide(book: Declaration) -> Iterator[str]:
    """The source of `hide`."""
    yield "def hide(s, seat):"
    yield "    pass"
    for field in own_fields(book):
        if field.seen == "nobody":
            yield from _loops(field, f"= {field.unknown}", "    ")
        elif field.seen == "owner":
            yield "    for other in range(s.players):"
            yield "        if other != seat:"
            yield from _loops(field, f"= {field.unknown}", "            ", "[other]")


def _loops(field: Field, done: str, indent: str, index: str = "") -> Iterator[str]:
    """A loop over all places of a field, or over those in one of its rows."""
    for n, size in enumerate(field.shape[1:] if index else field.shape):
        yield f"{indent}for i{n} in range({size}):"
        indent, index = f"{indent}    ", f"{index}[i{n}]"
    yield f"{indent}s.{field.name}{index} {done}"


def _observe(book: Declaration) -> Iterator[str]:
    """The source of `observe`."""
    table = book.observation or observation(book)
    yield "def observe(s, seat, out):"
    yield f"    for i in range({table.size}):"
    yield "        out[i] = 0.0"
    yield f"    out[{table.at(PLAYERS)}] = s.players * {1 / book.players[1]!r}"
    seats = [f"        out[at + {table.of(ASKED)}] = (left >> other) & 1"]
    for field in own_fields(book):
        factor = repr(1 / _unit(field))
        if field.seen == "nobody":
            continue
        if field.seat and not field.shape:
            seats.append(f"        out[at + {table.of(field.name)}] = s.{field.name} == other")
        elif not of_seats(book, field):
            yield from _written(field, field.shape, "    ", f"{table.at(field.name)}", "", factor)
        elif field.seen == "owner":
            yield from _written(field, field.shape[1:], "    ", f"{table.at(field.name)}", "[seat]", factor)
        else:
            seats += _written(field, field.shape[1:], "        ", f"at + {table.of(field.name)}", "[other]", factor)
    yield "    left = asked(s)"
    yield "    for far in range(s.players):"
    yield "        other = (seat + far) % s.players"
    yield f"        at = {table.shared} + far * {table.each}"
    yield from seats


def _written(field: Field, shape: tuple[int, ...], indent: str, at: str, index: str, factor: str) -> Iterator[str]:
    """The places of a field, or of a row of it, written to `out` one after the other."""
    for n, size in enumerate(shape):
        yield f"{indent}for i{n} in range({size}):"
        indent, index = f"{indent}    ", f"{index}[i{n}]"
        at = f"{at} + i{n}" if n + 1 == len(shape) else f"{at} + i{n} * {shape[1]}"
    yield f"{indent}out[{at}] = s.{field.name}{index} * {factor}"


def _redeal(book: Declaration) -> Iterator[str]:
    """The source of `redeal`, where nothing is hidden."""
    yield "def redeal(s, seat, seed):"
    yield "    pass"


MAKE = {"hide": _hide, "observe": _observe, "redeal": _redeal}


def source(book: Declaration) -> str:
    """The source of the functions that were written for a game; empty if it writes its own."""
    return "".join(getattr(module, "__source__", "") for module in book.modules)
