"""What a field may hold: whole numbers from its declared `low` to its `high`, and what stands there instead.

A field of a seat ends at the last seat, `players` at the largest table; a field without `high` is bounded by its type alone.
"""

from functools import cache
from typing import Any

from outbid.core.fields import RANGES, Field, flat
from outbid.core.rulebook import Rulebook
from outbid.testing.relations import places, spelled


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
                at = zip(places([field]), flat(value), strict=True)
                place, number = next((place, n) for place, n in at if not low <= n <= high)
                least, most = RANGES[field.type]
                if not least <= number <= most:
                    return field.name, f"the field {field.name} ({field.type}) holds {value}, which its type cannot."
                return field.name, f"{spelled(place)} is {number}; the field is declared for {low} to {high}."
    return None
