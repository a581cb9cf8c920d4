"""State fields, declared once, and the two kinds of state made from them.

A game's `Layout` lists its fields: a name, a storage type and a shape (up to two indices; `s.money[p][k]` indexes both
kinds of state). From it come

- `layout.plain`: a Python class with one slot per field, integers and nested lists; half a million steps a second,
  starts at once, takes breakpoints;
- `layout.dtype`: a NumPy structured type, one record a match, for the compiled backend.

`to_record` and `from_record` carry a state from one to the other; `Plain.overflow` names a field that its storage could
not hold (plain integers are unbounded, records wrap silently).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import prod
from struct import Struct
from typing import TYPE_CHECKING, Any

from outbid.core.components import Component
from outbid.core.language.i18n import N_
from outbid.core.options import Option

if TYPE_CHECKING:
    import numpy as np

SEEN = ("all", "owner", "nobody")
UNKNOWN = N_("unknown")  # what is counted at place 0
MOST_SEATS = 6
CODES = {"i1": "b", "u1": "B", "i2": "h", "i4": "i"}  # of struct
RANGES = {"i1": (-(2**7), 2**7 - 1), "u1": (0, 2**8 - 1), "i2": (-(2**15), 2**15 - 1), "i4": (-(2**31), 2**31 - 1)}


@dataclass(frozen=True)
class Field:
    """One state field: its name, storage type ("i1", "u1", "i2", "i4") and shape.

    The rest is for games that write no `hide`, `observe` or `view` (visibility.py). seen: who sees it, "all", its "owner"
    (the first dimension is the seat), "nobody", or the seat whose number stands in the field of this name. unknown: what
    stands there for the others. holds, counts, drawn: what fills it where it is hidden; learned: play shows more of it;
    knows: whose knowledge it is, if it is made from a declaration (all of these: knowledge.py). low, high: the smallest and
    the largest value (low=-1 where −1 means none); high is the unit of a learner's features. seat: its value is a seat.
    names: what the values from 0 on are called, places: what the places of the last dimension are called (if left out, as
    the looks of what is counted are); views say these words. mark: no part of a match; it tells the records of two layouts
    apart.

    What people see of it: label: what it is called, its name if left out; shown: whether it is on pages, in terminals and in
    prompts; face: what its things look like (components.py); touch: the kind of move that is made by touching one of its
    places, the first of which is the first value of the move's field; at: the field one of whose places it names,
    numbered as that move does, or from 1 on; part: what one of it counts in the score of its seat, such as 1, −1, or (1, 3)
    where three count one.
    """

    name: str
    type: str = "i1"
    shape: tuple[int, ...] = ()
    seen: str = "all"
    unknown: int = 0
    high: int = 0
    low: int = 0
    seat: bool = False
    names: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    mark: bool = False
    holds: str = ""
    counts: str = ""
    drawn: tuple[int | str, int | str] | tuple[()] = ()
    learned: bool = False
    knows: str = ""
    label: str = ""
    shown: bool = True
    face: Component | None = None
    touch: str = ""
    at: str = ""
    part: int | tuple[int, int] = 0

    def __post_init__(self) -> None:
        looks = self.face.looks if self.face else ()
        if self.counts and not self.places and self.shape[-1:] == (len(looks) + 1,) and all(look.text for look in looks):
            object.__setattr__(self, "places", (UNKNOWN, *(look.text for look in looks)))

    @property
    def called(self) -> str:
        """What people call it."""
        return self.label or self.name.replace("_", " ")

    @property
    def parted(self) -> tuple[int, int]:
        """What so many of it count in a score: how much, how many."""
        return self.part if isinstance(self.part, tuple) else (self.part, 1)

    @property
    def top(self) -> int:
        """The largest value as it is declared; 0 if it is not."""
        most = self.drawn[1] if self.drawn else 0
        return self.high or (most if isinstance(most, int) else 0) or max(0, len(self.names) - 1)

    @property
    def filled(self) -> bool:
        """Whether it says what fills it."""
        return bool(self.holds or self.counts or self.drawn)

    @property
    def nothing(self) -> int:
        """What stands at a place of a filled field where nothing lies."""
        return min(self.low, 0)

    @property
    def blank(self) -> int:
        """What a viewer finds where it does not see what lies there."""
        return self.nothing - 1 if self.filled else self.unknown

    @property
    def viewers(self) -> int:
        """Of how many seats it is kept what they know of its counts, beside what all know."""
        return self.shape[0] if self.seen == "owner" else MOST_SEATS

    @property
    def knowledge(self) -> tuple[Field, ...]:
        """The fields that keep who knows what of it (knowledge.py)."""
        if not self.learned:
            return ()
        if not self.counts or len(self.shape) != 2:
            return (Field(f"{self.name}_seen", "u1", self.shape, high=255, knows=self.name),)
        rows = (self.viewers + 1) * self.shape[0], self.shape[1]
        ends = f"{self.name}_least", f"{self.name}_most"
        return tuple(Field(end, "i1", rows, "viewer", high=127, knows=self.name) for end in ends)


class Plain:
    """A state as a Python object. Subclasses are made by `Layout.plain`; `rules`: the functions of the game, `book`."""

    __slots__ = ()
    layout: Layout
    rules: Any = None
    book: Any = None

    def __init__(self) -> None:
        for field in self.layout.fields:
            setattr(self, field.name, _zeros(field.shape))

    def copy(self) -> Any:
        """An independent copy."""
        return self.layout.copied(self, object.__new__(type(self)))

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    def __reduce__(self) -> Any:
        return _restored, (self.book, [getattr(self, field.name) for field in self.layout.fields])  # the class has no module

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(getattr(self, f.name) == getattr(other, f.name) for f in self.layout.fields)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        body = ", ".join(f"{f.name}={getattr(self, f.name)}" for f in self.layout.fields)
        return f"{self.layout.game}({body})"

    def differences(self, other: Plain) -> list[str]:
        """The names of the fields in which two states differ."""
        return [f.name for f in self.layout.fields if getattr(self, f.name) != getattr(other, f.name)]

    def overflow(self) -> str | None:
        """The first field that holds a value its storage type cannot, or None."""
        for field in self.layout.fields:
            low, high = RANGES[field.type]
            if any(not low <= v <= high for v in flat(getattr(self, field.name))):
                return field.name
        return None

    def to_record(self, states: np.ndarray, i: int) -> None:
        """Write this state to record `i` of a structured array (n,) of the layout's dtype."""
        for field in self.layout.fields:
            states[field.name][i] = getattr(self, field.name)

    def packed(self) -> bytes:
        """The bytes of its record."""
        return self.layout.packed(self)

    @classmethod
    def from_record(cls, states: np.ndarray, i: int) -> Any:
        """The state in record `i` of a structured array (n,) of the layout's dtype."""
        state = object.__new__(cls)
        for field in cls.layout.fields:
            setattr(state, field.name, states[field.name][i].tolist())
        return state


def _restored(book: Any, values: list[Any]) -> Any:
    """The state that was pickled."""
    state = object.__new__(book.plain)
    for field, value in zip(state.layout.fields, values, strict=True):
        setattr(state, field.name, value)
    return state


class Records(list[Any]):
    """Plain states that are copied when they are assigned, as records of an array are."""

    def __setitem__(self, i: Any, state: Any) -> None:
        super().__setitem__(i, state.copy())


class Layout:
    """The fields of a game's state: the options first (each is a field), then what `fields` lists, each with those that keep
    who knows what of it."""

    def __init__(self, game: str, options: tuple[Option, ...], fields: tuple[Field, ...]):
        self.game = game
        self.options = options
        fields = tuple(kept for field in fields for kept in (field, *field.knowledge))
        self.fields = tuple(_option_field(o) for o in options) + fields
        self.facts = tuple(f for f in fields if not f.mark)  # what changes in a match

    @cached_property
    def copied(self) -> Callable[[Any, Any], Any]:
        """Write a state into an empty one and return that. The fields are written out: a loop over their names takes twice
        as long, and every move copies a state."""
        parts = ("state.{0}", "state.{0}[:]", "[row[:] for row in state.{0}]")  # by the number of dimensions
        lines = [f"    twin.{f.name} = {parts[len(f.shape)].format(f.name)}" for f in self.fields]
        functions: dict[str, Any] = {}
        exec("\n".join(["def copied(state, twin):", *lines, "    return twin"]), functions)
        return functions["copied"]

    @cached_property
    def plain(self) -> type[Any]:
        """The class of plain states."""
        slots = tuple(f.name for f in self.fields)
        return type(f"{self.game.title()}State", (Plain,), {"__slots__": slots, "layout": self})

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The structured type of a record."""
        import numpy as np

        return np.dtype([(f.name, f.type, f.shape) if f.shape else (f.name, f.type) for f in self.wide], align=True)

    @cached_property
    def packed(self) -> Callable[[Any], bytes]:
        """Write the bytes of a state's record without NumPy. The fields are written out, as in `copied`: a bot that is asked
        is sent two states for each step before."""
        codes = "".join(f"{prod(f.shape)}{CODES[f.type]}" for f in self.wide)
        numbers = ("state.{0}", "*state.{0}", "*chain(*state.{0})")  # by the number of dimensions
        written = ", ".join(numbers[len(f.shape)].format(f.name) for f in self.wide)
        names: dict[str, Any] = {"pack": Struct(f"@{codes}0{CODES[self.wide[0].type]}").pack, "chain": chain}
        return eval(f"lambda state: pack({written})", names)

    @property
    def wide(self) -> list[Field]:
        """The fields as a record has them: wide ones first, so that every field lies on its natural boundary."""
        return sorted(self.fields, key=lambda f: -int(f.type[1]))


def _option_field(option: Option) -> Field:
    kind = next(kind for kind in ("i1", "i2", "i4") if RANGES[kind][0] <= option.low and option.top <= RANGES[kind][1])
    return Field(option.name, kind, (option.size,) if option.size else ())


def _zeros(shape: tuple[int, ...]) -> Any:
    return [_zeros(shape[1:]) for _ in range(shape[0])] if shape else 0


def flat(value: Any) -> Any:
    """The numbers of a field, whatever its shape."""
    if isinstance(value, list):
        for part in value:
            yield from flat(part)
    else:
        yield value
