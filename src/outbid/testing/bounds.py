"""What a field may hold: whole numbers from its declared `low` to its `high`, and the line of the game that writes another.

A field of a seat ends at the last seat, `players` at the largest table; a field without `high` is bounded by its type alone.
"""

import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from outbid.core.fields import RANGES, Field
from outbid.core.rulebook import Rulebook
from outbid.testing.source import placed, within_game


@cache
def _limits(book: Rulebook, players: int) -> tuple[tuple[Field, int, int], ...]:
    """Each field with the lowest and the highest value that it may hold."""
    options = {option.name for option in book.options}

    def limits(field: Field) -> tuple[int, int]:
        least, most = RANGES[field.type]
        if field.name in options or field.mark:
            return least, most
        high = book.players[1] if field.name == "players" else players - 1 if field.seat else field.top or most
        return max(field.low, least), min(high, most)

    return tuple((field, *limits(field)) for field in book.layout.fields)


def unbounded(book: Rulebook) -> list[str]:
    """The fields that do not say how large their values are."""
    return [field.name for field in book.layout.facts if not (field.top or field.seat or field.name == "players")]


def wrong(state: Any) -> tuple[str, str] | None:
    """The first field with a value that it may not hold, and a sentence about it; None if there is none."""
    for field, low, high in _limits(state.book, state.players):
        value = getattr(state, field.name)
        for row in value if len(field.shape) == 2 else (value,):
            numbers = row if field.shape else (row,)
            if type(sum(numbers)) is not int:
                return field.name, f"the field {field.name} holds {value}; a field holds whole numbers."
            if min(numbers) < low or max(numbers) > high:
                place, number = next((at, n) for at, n in _numbers(value) if not low <= n <= high)
                least, most = RANGES[field.type]
                if not least <= number <= most:
                    return field.name, f"the field {field.name} ({field.type}) holds {value}, which its type cannot."
                return field.name, f"{field.name}{place} is {number}; the field is declared for {low} to {high}."
    return None


def _numbers(value: Any, place: str = "") -> Iterator[tuple[str, int]]:
    """The numbers of a field with their indices."""
    if isinstance(value, list):
        for n, part in enumerate(value):
            yield from _numbers(part, f"{place}[{n}]")
    else:
        yield place, value


class _Row(list[Any]):
    """A list that tells of each write to it."""

    def __init__(self, parts: Any, tell: Callable[[], None]):
        super().__init__(parts)
        self.tell = tell

    def __setitem__(self, at: Any, value: Any) -> None:
        super().__setitem__(at, value)
        self.tell()


def writer(state: Any, name: str, act: Callable[[Any], object]) -> str:
    """The line of the game that leaves a field with a value which it may not hold, where `act` changes a copy of the state;
    if no such value is written, the last line that writes the field. Empty if none does."""
    lines: list[tuple[bool, str]] = []

    def tell() -> None:
        frame = sys._getframe(2)
        while frame.f_back is not None and not within_game(frame, state.book):
            frame = frame.f_back
        lines.append(((wrong(twin) or [""])[0] == name, placed(frame.f_code.co_filename, frame.f_lineno)))

    def watched(value: Any) -> Any:
        return _Row(map(watched, value), tell) if isinstance(value, list) else value

    def set_and_tell(self: Any, attribute: str, value: Any) -> None:
        object.__setattr__(self, attribute, value)
        if attribute == name and self is twin:
            tell()

    kind: Any = type("Watched", (type(state),), {"__slots__": (), "__setattr__": set_and_tell})
    twin: Any = None
    copy = object.__new__(kind)
    for field in state.layout.fields:
        setattr(copy, field.name, watched(getattr(state, field.name)))
    twin = copy
    try:
        act(twin)
    except Exception:  # it is told elsewhere
        return ""
    return next((line for fault, line in reversed(lines) if fault), lines[-1][1] if lines else "")
