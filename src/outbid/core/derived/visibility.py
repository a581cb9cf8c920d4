"""What follows from who sees a field (fields.py): `hide`, `observe` with its table, and `view`, for games that write none;
and `redeal` where everybody sees everything, or the fields say what fills them (worlds.py).

A field is one of the seats' if its first dimension is the largest number of players (and no names are given to its places);
such fields stand in relative seat order in an observation, and under "players" in a view.
`hide` and `observe` are written as source in the compiled subset,
so that both backends run the same; `source(book)` shows it. Where play changes who sees a field (knowledge.py), both ask a
function `see_FIELD` for each place.
"""

import linecache
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from outbid.core import contract
from outbid.core.declaration import Declaration
from outbid.core.derived import looks, worlds
from outbid.core.derived.spaces import FeatureGroup, Observation, amount, amounts, flag, flags
from outbid.core.errors import BadRulebook
from outbid.core.fields import RANGES, SEEN, Field
from outbid.core.knowledge import seers

PLAYERS = "players"  # the field with the number of players
ASKED = "asked"


def own_fields(book: Declaration) -> list[Field]:
    """The fields of a state without its options and the number of players."""
    return [field for field in book.layout.facts if field.name != PLAYERS]


def of_seats(book: Declaration, field: Field) -> bool:
    """Whether a field has a row or a number for each seat."""
    return field.shape[:1] == (book.players[1],) and not (field.places and len(field.shape) == 1) and not field.knows


def changing(field: Field) -> bool:
    """Whether who sees a field depends on the state, or where nothing lies."""
    return field.seen != "all" and not field.knows and (field.filled or field.learned or field.seen not in SEEN)


def observed(book: Declaration) -> list[Field]:
    """The fields of which a seat may see something."""
    return [field for field in own_fields(book) if not field.knows and (field.seen != "nobody" or field.learned)]


def supplies(book: Declaration) -> set[str]:
    """The fields that say how many of each kind there are, by name."""
    return {name for field in own_fields(book) for name in (field.counts, field.holds) if name}


def score_parts(state: Any, seat: int) -> list[tuple[Field, int]]:
    """The fields of which a score is made, with what each counts."""
    parts = ((field, *field.parted) for field in own_fields(state.book) if field.part)
    return [(field, getattr(state, field.name)[seat] * n // many) for field, n, many in parts]


def nothing_hidden(book: Declaration) -> bool:
    """Whether everybody sees every field, so that there is one world."""
    return contract.defined(book.modules, "hide") is None and all(field.seen == "all" for field in own_fields(book))


def check(book: Declaration) -> None:
    """Raises BadRulebook if a field does not say who sees it, or in a way that does not go with its shape."""
    fields = own_fields(book)
    seats = [field.name for field in fields if field.seat and not field.shape]
    for field in fields:
        if field.seen not in SEEN and not field.knows and field.seen not in seats:
            reason = f"the field {field.name} is seen by {field.seen!r}; it must be {_or()}, or a field that holds a seat"
            raise BadRulebook(f"In the game {book.id}, {reason}.")
        if wrong := worlds.fault(book, field):
            raise BadRulebook(f"In the game {book.id}, the field {field.name} {wrong}.")
        if field.seen == "owner" and not of_seats(book, field):
            raise BadRulebook(
                f"In the game {book.id}, the field {field.name} is seen by its owner; its shape must begin with "
                f"{book.players[1]}, the largest number of players, not be {field.shape}."
            )
        if field.part and (field.seen != "all" or field.shape != (book.players[1],)):
            raise BadRulebook(
                f"In the game {book.id}, the field {field.name} is part of a score; all must see it, and it has a number "
                "for each seat."
            )
        if field.places and field.shape[-1:] != (len(field.places),):
            raise BadRulebook(
                f"In the game {book.id}, the field {field.name} has {len(field.places)} names of places; "
                f"its last dimension must be as large, and its shape is {field.shape}."
            )
    looks.check(book)
    if book.secrets and nothing_hidden(book):
        raise BadRulebook(
            f"The game {book.id} lacks hide(s, seat): say of its fields who sees them, as in "
            f"Field(…, seen={_or()}), write the function, or declare secrets=False."
        )


def observation(book: Declaration) -> Observation:
    """The table of the default `observe`."""
    shared, each = [amount(PLAYERS, "the number of players", book.players[1])], [flag(ASKED, "may answer now")]
    for field in observed(book):
        if field.seat and not field.shape:
            each.append(flag(field.name, field.name))
        elif of_seats(book, field):
            (shared if field.seen == "owner" and not changing(field) else each).append(_part(field, field.shape[1:]))
            if field.learned and field.counts:
                meaning = f"{field.name}: none of these, as far as is known"
                each.append(flags(_lacks(field), [f"no {label}" for label in _part(field, field.shape[1:]).labels], meaning))
        else:
            shared.append(_part(field, field.shape))
    return Observation(book.players[1], shared, each)


def module(book: Declaration) -> ModuleType | None:
    """The module with the functions that the game leaves out; none if it writes them all."""
    written = [make for name, make in MAKE.items() if contract.defined(book.modules, name) is None]
    if not written:
        return None
    module = ModuleType(f"{book.modules[0].__name__}_visibility")
    parts = ["\n".join(_see(book, field)) for field in own_fields(book) if changing(field)]
    text = "\n\n".join([worlds.IMPORTS, *parts, *("\n".join(make(book)) for make in written), ""])
    module.__source__ = text  # type: ignore[attr-defined]
    file = f"<{book.id}: who sees what>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file  # Numba and tracebacks read it there
    exec(compile(text, file, "exec"), vars(module))
    sys.modules[module.__name__] = module  # compiled code that is kept names the module of each function
    return module


def view(book: Declaration, s: Any, seat: int) -> dict[str, Any]:
    """All fields as a seat sees them: those of the seats under "players", None where it does not see one."""
    seen: dict[str, Any] = {PLAYERS: [{} for _ in range(s.players)]}
    for field in observed(book):
        value = getattr(s, field.name)
        if of_seats(book, field):
            for other, row in enumerate(seen[PLAYERS]):
                mine = field.seen == "all" or other == seat or changing(field)
                row[field.name] = _named(field, value[other]) if mine else None
        else:
            seen[field.name] = _named(field, value)
    return seen


def _named(field: Field, value: Any) -> Any:
    """A copy of a value of a field, with the words for its places and numbers."""
    if isinstance(value, list):
        parts = [_named(field, part) for part in value]
        return dict(zip(field.places, parts, strict=True)) if field.places and not isinstance(value[0], list) else parts
    if value == field.blank and changing(field) and not field.counts:
        return None
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


def _see(book: Declaration, field: Field) -> Iterator[str]:
    """The source of what a viewer finds at a place: in a state that is hidden for it the same as in the whole one."""
    indices = [f"i{n}" for n in range(len(field.shape))]
    value = "".join([f"s.{field.name}", *(f"[{i}]" for i in indices)])
    seer = f"{seers(field, 'i0', value.removeprefix(f's.{field.name}'))} >> (seat & 7) & 1"
    yield f"def see_{field.name}({', '.join(['s', 'seat', *indices])}):"
    if not field.counts:
        yield f"    if {f'{value} == {field.nothing} or ' if field.filled else ''}{seer}:"
        yield f"        return {value}"
        yield f"    return {field.blank}"
        return
    row, kind = value.removesuffix(f"[{indices[-1]}]"), indices[-1]
    of_viewer = f"(seat if seat >= 0 else {field.viewers}) * {field.shape[0]} + i0"
    known = f"s.{field.name}_least[{of_viewer}]" if field.learned else ""
    yield f"    if {seer}:"
    yield f"        return {value}"
    yield f"    if {kind} > 0:"
    yield f"        return {f'{known}[{kind}]' if known else 0}"
    yield f"    n = {row}[0]"
    yield f"    for k in range(1, {field.shape[-1]}):"
    yield f"        n += {row}[k]{f' - {known}[k]' if known else ''}"
    yield "    return n"


def _hide(book: Declaration) -> Iterator[str]:
    """The source of `hide`."""
    yield "def hide(s, seat):"
    yield "    pass"
    for field in own_fields(book):
        if field.knows:
            yield from worlds.others_forgotten(book, field)
        elif changing(field):
            indices = ", ".join(["s", "seat", *(f"i{n}" for n in range(len(field.shape)))])
            rows = "s.players" if of_seats(book, field) else ""
            yield from _loops(field, f"= see_{field.name}({indices})", "    ", first=rows)
        elif field.seen == "nobody":
            yield from _loops(field, f"= {field.unknown}", "    ")
        elif field.seen == "owner":
            yield "    for other in range(s.players):"
            yield "        if other != seat:"
            yield from _loops(field, f"= {field.unknown}", "            ", "[other]")


def _loops(field: Field, done: str, indent: str, index: str = "", first: str = "") -> Iterator[str]:
    """A loop over all places of a field, or over those in one of its rows. first: the number of rows, if it is not all."""
    for n, size in enumerate(field.shape[1:] if index else field.shape):
        yield f"{indent}for i{n} in range({first if first and n == 0 else size}):"
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
    for field in observed(book):
        factor = repr(1 / _unit(field))
        if field.seat and not field.shape:
            seats.append(f"        out[at + {table.of(field.name)}] = s.{field.name} == other")
        elif not of_seats(book, field):
            yield from _written(field, field.shape, "    ", f"{table.at(field.name)}", "", factor)
        elif field.seen == "owner" and not changing(field):
            yield from _written(field, field.shape[1:], "    ", f"{table.at(field.name)}", "[seat]", factor)
        else:
            seats += _written(field, field.shape[1:], "        ", f"at + {table.of(field.name)}", "[other]", factor)
            if field.learned and field.counts:
                seats += [f"        for i in range({field.shape[1]}):"]
                most = f"s.{field.name}_most[seat * {field.shape[0]} + other][i]"
                seats += [f"            out[at + {table.of(_lacks(field))} + i] = {most} == 1"]
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
    value = f"s.{field.name}{index}"
    if changing(field):
        value = f"see_{field.name}(s, seat{index.replace(']', '').replace('[', ', ')})"
    yield f"{indent}out[{at}] = {value} * {factor}"


def _lacks(field: Field) -> str:
    """The part of the observation that says of what somebody has nothing."""
    return f"{field.name}_lacks"


def _redeal(book: Declaration) -> Iterator[str]:
    """The source of `redeal`."""
    return worlds.redeal(book) if not nothing_hidden(book) else iter(["def redeal(s, seat, seed):", "    pass"])


MAKE = {"hide": _hide, "observe": _observe, "redeal": _redeal}


def source(book: Declaration) -> str:
    """The source of the functions that were written for a game; empty if it writes its own."""
    return "".join(getattr(module, "__source__", "") for module in book.modules)
