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


def asked_of(public: Place, secret: Place, many: int, what: str, count: int) -> str:
    """What an author is asked of a number that all see and a hidden one decides: in `many` of `what` it does, in `count`
    worlds dealt anew not."""
    return (
        f"{spelled(public)}, which all see, follows from {spelled(secret)}, which is hidden, in all of {many} {what}, and "
        f"in {count} worlds dealt anew it does not: is that meant? If all may know it, redeal must agree with it."
    )


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

    def new(self, worlds: Any, others: Any, least: int, some: Any = None) -> Iterator[tuple[str, str, int]]:
        """Of what is so in at least so many worlds, in none of the others and in `some`: field, sentence, how many."""
        import numpy as np

        some, both = worlds if some is None else some, np.concatenate([worlds, others])
        for n in self.dealt:
            known, possible = set(others[:, n].tolist()), set(some[:, n].tolist())
            fresh = [value for value in worlds[:, n].tolist() if value not in known and value in possible]
            common = max(set(fresh), key=fresh.count, default=0)
            if fresh and fresh.count(common) >= least:
                yield self.places[n][0], f"{spelled(self.places[n])} is {common}", fresh.count(common)
            for k, (so, never, can) in enumerate(zip(*(_compared(rows, n) for rows in (worlds, others, some)), strict=True)):
                for m in ((so >= least) & (never == 0) & (can > 0)).nonzero()[0]:
                    yield (*self._said(both, n, k, m), int(so[m]))

    def _said(self, rows: Any, n: int, sign: int, m: int) -> tuple[str, str]:
        """That two places compare so: the field of the first that is named, and the sentence. A place that always holds the
        same is said as its number, where it can be."""
        if m in self.dealt and (rows[:, n] == rows[0, n]).all():
            n, m, sign = m, n, 2 - sign
        fixed = (rows[:, m] == rows[0, m]).all()
        other = str(rows[0, m]) if fixed else spelled(self.places[m])
        return self.places[n][0], f"{spelled(self.places[n])} is {SIGNS[sign]} {other}"

    def told(self, states: Any, worlds: Any, least: int, kinds: int = 2) -> Iterator[tuple[Place, Place, int]]:
        """What in all of the states goes by a hidden number or a row of them, and in at least so many of the worlds does
        not: its place, the hidden one, number of worlds. kinds: how many values it has at least."""
        varied = (states != states[0]).sum(axis=0) >= least
        varied[self.dealt] = False
        parts = {self.places[n]: [n] for n in self.dealt}
        for n in self.dealt:
            if len(self.places[n]) == 3:
                parts.setdefault(self.places[n][:2], []).append(n)
        for place, columns in parts.items():
            so, (never, alike) = _undecided(worlds, columns)[0], _undecided(states, columns)
            for m in (varied & (never == 0) & (so >= least)).nonzero()[0] if alike >= least else ():
                if len(set(states[:, m].tolist())) >= kinds:
                    yield self.places[m], place, int(so[m])


def _undecided(rows: Any, columns: list[int]) -> tuple[Any, int]:
    """In how many rows each number is another than in the first row that is the same in some columns, and how many such rows
    are not the first."""
    import numpy as np

    _, first, group = np.unique(rows[:, columns], axis=0, return_index=True, return_inverse=True)
    return (rows != rows[first[group.ravel()]]).sum(axis=0), len(rows) - len(first)


def _compared(rows: Any, n: int) -> list[Any]:
    """In how many rows the number n is below, equal to and above each other."""
    apart = rows[:, n : n + 1] - rows
    return [(apart < 0).sum(axis=0), (apart == 0).sum(axis=0), (apart > 0).sum(axis=0)]
