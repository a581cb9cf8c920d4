"""The default `redeal`: what a viewer does not know is dealt anew from what the fields say fills them (knowledge.py).

Each try begins with `hide`. Then, for each supply, the things that the viewer does not see anywhere are shuffled and dealt
to the places where it does not know what lies; where a row of counts would have more of a kind than the viewer knows it can
have, things are exchanged at random until none has. What is `drawn` is drawn, each by itself. A world that the game's own
`agrees` rejects is dealt again; after TRIES a sentence names the seat and what it fails on, and the state is no world.
"""

from collections.abc import Iterator
from pathlib import Path

from outbid.core import contract
from outbid.core.declaration import Declaration
from outbid.core.fields import RANGES, Field

TRIES = 500
IMPORTS = """from outbid.core.chance import below, shuffle, step, stream
from outbid.core.contract import agrees, asked, working_space
from outbid.core.counts import common_only, settle
from outbid.core.errors import NoWorld"""


def fault(book: Declaration, field: Field) -> str | None:
    """What is wrong with what a field says of its filling, as the end of a sentence; None if nothing is."""
    known = {other.name: other for other in book.layout.fields}
    supply = known.get(field.holds or field.counts)
    if sum(map(bool, (field.holds, field.counts, field.drawn))) > 1:
        return "may say only one of holds, counts and drawn"
    if field.holds or field.counts:
        if supply is None or len(supply.shape) != 1 or supply.seen != "all":
            return f"is filled from {field.holds or field.counts!r}; that must be a field of one dimension that all see"
        if field.counts and field.shape[-1:] != supply.shape:
            return f"counts {supply.name}; its last dimension must be {supply.shape[0]}, and its shape is {field.shape}"
    if field.holds and field.places:
        return f"holds {field.holds}, and places= goes with counts; what lies there is called as the looks of face= are"
    if field.drawn != () and not _range(field, known):
        return (
            f"is drawn from {field.drawn}; it must be from 0 or more to more, each a number or the name of a field with a "
            'number for each place or row, such as (1, 6) or (0, "purse")'
        )
    least = field.drawn[0] if field.drawn else None
    if isinstance(least, str) and not field.nothing:
        return f"is drawn from {least} on, which may be 0, and 0 stands where there is nothing; declare low=-1, and −1 does"
    if isinstance(least, int) and least <= field.nothing:
        return "is drawn from 0 on, and 0 stands where there is nothing; declare low=-1, and −1 does"
    if (field.holds or field.counts) and field.low:
        return f"has the lowest value {field.low}; where nothing lies in it stands 0"
    if field.learned and (not field.filled or field.seen == "all" or (field.drawn and not field.shape)):
        return "is learned; then it must be hidden, and say what fills it: holds=, counts= or drawn="
    if field.filled and field.seen != "all" and RANGES[field.type][0] > field.blank:
        return f"has the type {field.type!r}, which cannot hold {field.blank}, what stands where it is not seen"
    if field.learned and field.counts and (len(field.shape) < 2 or len(_learned(book, supply)) > 1):
        return f"is learned and counts {field.counts}; one field of two dimensions may"
    return None


def _range(field: Field, known: dict[str, Field]) -> bool:
    """Whether a field can be drawn from its range. known: the fields by name."""
    if not isinstance(field.drawn, tuple) or len(field.drawn) != 2:
        return False
    for end in field.drawn:
        limit = known.get(end) if isinstance(end, str) else None
        if not (type(end) is int and end >= 0) and (limit is None or limit.shape != field.shape[: len(limit.shape)]):
            return False
    low, high = field.drawn
    return isinstance(low, str) or isinstance(high, str) or low <= high


def filled(book: Declaration) -> bool:
    """Whether all that is hidden says what fills it, and is hidden as the fields say."""
    return contract.defined(book.modules, "hide") is None and not unfilled(book)


def unfilled(book: Declaration) -> list[Field]:
    """The hidden fields that do not say what fills them."""
    return [field for field in book.layout.facts if field.seen != "all" and not field.knows and not field.filled]


def others_forgotten(book: Declaration, field: Field) -> Iterator[str]:
    """The part of `hide` about what the others know."""
    if field.seen == "viewer":
        (of,) = (other for other in book.layout.facts if other.name == field.knows)
        yield f"    for i0 in range({of.viewers * of.shape[0]}):"
        yield f"        if i0 // {of.shape[0]} != seat:"
        yield f"            for i1 in range({field.shape[1]}):"
        yield f"                s.{field.name}[i0][i1] = 0"


def redeal(book: Declaration) -> Iterator[str]:
    """The source of `redeal`."""
    facts = book.layout.facts
    hidden = [field for field in facts if field.seen != "all" and not field.knows]
    supplies = [field for field in facts if any(field.name in (other.holds, other.counts) for other in hidden)]
    for supply in supplies:
        yield from _dealt(book, supply)
    yield "def redeal(s, seat, seed):"
    yield "    rejected = 0"
    yield f"    for n in range({TRIES}):"
    yield "        hide(s, seat)"
    yield "        r = stream(seed, n)"
    for supply in supplies:
        yield "        if r >= 0:"
        yield f"            r = deal_{supply.name}(s, seat, r)"
    yield "        if r >= 0:"
    for field in hidden:
        if field.drawn:
            yield from _drawn(book, field)
        if field.learned and field.counts:
            yield f"            common_only(s.{field.name}_least, s.{field.name}_most, {field.shape[0]}, seat)"
    yield "            if agrees(s, seat):"
    yield "                return"
    yield "            rejected += 1"
    for seat in range(-1, book.players[1]):
        tries = f"{book.title}: in {TRIES} tries no world for {f'seat {seat}' if seat >= 0 else 'a spectator'}"
        yield f"    if seat == {seat}:"
        yield "        if rejected > 0:"
        yield f"            raise NoWorld({f'{tries} is one that {_agrees(book)} accepts.'!r})"
        yield f"        raise NoWorld({f'{tries} fits: {_misfits(book, hidden)}.'!r})"


def _agrees(book: Declaration) -> str:
    """The function that rejects worlds, with its file and line."""
    own = contract.defined(book.modules, "agrees")
    return f"agrees ({Path(own[1].__code__.co_filename).name}:{own[1].__code__.co_firstlineno})" if own else "agrees"


def _misfits(book: Declaration, hidden: list[Field]) -> str:
    """What cannot be dealt, and from which supplies."""
    names = ", ".join(field.name for field in hidden if not field.drawn)
    supplies = ", ".join(dict.fromkeys(field.holds or field.counts for field in hidden if not field.drawn))
    return f"{names} cannot be filled with what is left of {supplies}"


def _learned(book: Declaration, supply: Field | None) -> list[Field]:
    name = supply.name if supply else ""
    return [field for field in book.layout.facts if field.counts == name and field.learned]


def _rows(book: Declaration, field: Field) -> str:
    """The number of rows that are in play."""
    return "s.players" if field.shape[:1] == (book.players[1],) and field.seen == "owner" else str(field.shape[0])


def _each(book: Declaration, field: Field, indent: str, counts: bool = False) -> tuple[list[str], str, str]:
    """Loops over the places of a field, or over its rows; their indent, and the indices."""
    lines, indices, sizes = [], "", field.shape[:-1] if counts else field.shape
    for n, size in enumerate(sizes):
        lines.append(f"{indent}for i{n} in range({_rows(book, field) if n == 0 else size}):")
        indent, indices = f"{indent}    ", f"{indices}[i{n}]"
    return lines, indent, f"s.{field.name}{indices}"


def _dealt(book: Declaration, supply: Field) -> Iterator[str]:
    """The source of the function that deals what is left of a supply; it returns −1 where that does not fit."""
    fields = [field for field in book.layout.facts if supply.name in (field.holds, field.counts)]
    hidden = [field for field in fields if field.seen != "all"]
    learned = _learned(book, supply)
    yield f"def deal_{supply.name}(s, seat, r):"
    yield "    pool = working_space()"
    yield "    home = working_space()"
    yield "    n = 0"
    yield f"    for kind in range(1, {supply.shape[0]}):"
    yield f"        left = s.{supply.name}[kind]"
    for field in fields:
        loops, indent, value = _each(book, field, "        ", bool(field.counts))
        yield from [*loops, f"{indent}left -= {f'{value}[kind]' if field.counts else f'{value} == kind'}"]
    yield "        for _ in range(left):"
    yield "            pool[n] = kind"
    yield "            n += 1"
    yield "    at = 0"
    for field in hidden:
        loops, indent, value = _each(book, field, "    ", bool(field.counts))
        yield from loops
        yield f"{indent}for _ in range({value}[0]):" if field.counts else f"{indent}if {value} == {field.blank}:"
        yield f"{indent}    home[at] = {'i0' if field in learned else -1}"
        yield f"{indent}    at += 1"
    yield "    if at != n:"
    yield "        return -1"
    yield "    r = shuffle(pool, n, r)"
    for field in learned:
        first = f"(seat if seat >= 0 else {field.viewers}) * {field.shape[0]}"
        yield "    for i in range(n):"
        yield "        if home[i] >= 0:"
        yield f"            s.{field.name}[home[i]][pool[i]] += 1"
        yield f"    r = settle(pool, home, n, s.{field.name}, s.{field.name}_most, {first}, r)"
    yield "    at = 0"
    for field in hidden:
        loops, indent, value = _each(book, field, "    ", bool(field.counts))
        yield from loops
        if field.counts:
            yield f"{indent}for _ in range({value}[0]):"
            yield from [] if field in learned else [f"{indent}    {value}[pool[at]] += 1"]
            yield f"{indent}    at += 1"
            yield f"{indent}{value}[0] = 0"
        else:
            yield f"{indent}if {value} == {field.blank}:"
            yield f"{indent}    {value} = pool[at]"
            yield f"{indent}    at += 1"
    yield from ["    return r", "", ""]


def _drawn(book: Declaration, field: Field) -> Iterator[str]:
    """The part of `redeal` that draws each place of a field by itself."""
    loops, indent, value = _each(book, field, "            ")
    known = {other.name: other for other in book.layout.fields}
    low, high = (
        f"s.{end}{''.join(f'[i{n}]' for n in range(len(known[end].shape)))}" if isinstance(end, str) else end
        for end in field.drawn
    )
    yield from loops
    yield f"{indent}if {value} == {field.blank}:"
    yield f"{indent}    r = step(r)"
    yield f"{indent}    {value} = {low} + below(r, max(1, {high} - {low} + 1))"
