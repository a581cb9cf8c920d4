"""What of some worlds is true of none of some others, by number: a value at a place, or how two places compare.

Worlds dealt as they should be, and those that can be, differ in nothing that is often so in the one and never in the other.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from outbid.core.fields import Field, flat

Place = tuple[Any, ...]  # the name of a field, and indices
SIGNS = ("below", "equal to", "above")


def places(fields: Sequence[Field]) -> list[Place]:
    """The places of fields, in the order in which `flat` has their numbers."""

    def within(shape: tuple[int, ...]) -> Iterator[Place]:
        yield from ((n, *rest) for n in range(shape[0]) for rest in within(shape[1:])) if shape else [()]

    return [(field.name, *at) for field in fields for at in within(field.shape)]


def spelled(place: Place) -> str:
    """A place as rules write it, such as "hand[2][5]"."""
    return f"{place[0]}{''.join(f'[{at}]' for at in place[1:])}"


class Relations:
    """What is so at the hidden places of a state. hidden: the fields that are dealt anew."""

    def __init__(self, fields: Sequence[Field], hidden: Sequence[str]):
        self.fields, self.places = fields, places(fields)
        self.dealt = [n for n, place in enumerate(self.places) if place[0] in hidden]

    def numbers(self, states: Sequence[Any]) -> Any:
        """The numbers of states, a row each."""
        import numpy as np

        return np.array(
            [[n for field in self.fields for n in flat(getattr(state, field.name))] for state in states], np.int64
        )

    def new(self, worlds: Any, others: Any, least: int) -> Iterator[tuple[str, str, int]]:
        """Of what is so in at least so many worlds and in none of the others: field, sentence, number of worlds."""
        for n in self.dealt:
            known = set(others[:, n].tolist())
            fresh = [value for value in worlds[:, n].tolist() if value not in known]
            common = max(set(fresh), key=fresh.count, default=0)
            if fresh and fresh.count(common) >= least:
                yield self.places[n][0], f"{spelled(self.places[n])} is {common}", fresh.count(common)
            for k, (so, never) in enumerate(zip(_compared(worlds, n), _compared(others, n), strict=True)):
                for m in ((so >= least) & (never == 0)).nonzero()[0]:
                    yield (
                        self.places[n][0],
                        f"{spelled(self.places[n])} is {SIGNS[k]} {spelled(self.places[m])}",
                        int(so[m]),
                    )


def _compared(rows: Any, n: int) -> list[Any]:
    """In how many rows the number n is below, equal to and above each other."""
    apart = rows[:, n : n + 1] - rows
    return [(apart < 0).sum(axis=0), (apart == 0).sum(axis=0), (apart > 0).sum(axis=0)]
