"""Declared buffers: name, type and shape of every array that compiled code works in stand once.

A function with twenty arrays takes one tuple of them. The tuple is a `NamedTuple` whose defaults are the declaration:

    @declared
    class Grown(NamedTuple):
        \"\"\"A tree, as far as it has been grown.\"\"\"

        facts: Any = int64("infosets", 4, says="seat, first sequence, number of actions, the seat's sequence before")
        views: Any = records("infosets", says="the hidden state there")
        path: Any = Path                                                    # another declared tuple

    grown = allocate(Grown, {"infosets": 1024, "depth": 64}, rulebook)      # zeros, or what `fill` says
    help(Grown)                                                             # its docstring ends in the table of fields

Sizes are numbers, or names that `allocate` is told ("K", "A + 64"). On the plain backend records are plain states, and what
is `listed` is a list, as rules want Python's own integers. Numba compiles functions with such a tuple as it does with the
arrays: every field is an argument. So a tuple holds what goes together and no more, and a function that runs for every step
of a match takes the few fields it needs. A tuple is never made within an inner loop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial, reduce
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from outbid.core.fields import Records

if TYPE_CHECKING:
    from outbid.core.rulebook import Rulebook

RECORDS, CELLS = "records", "cells"
Declared = TypeVar("Declared", bound="type[NamedTuple]")


@dataclass(frozen=True)
class Buffer:
    """A field: its type, its shape (numbers, or names of sizes), what it is, what it is filled with; listed: whether it is a
    list (of lists) on the plain backend."""

    dtype: str
    shape: tuple[int | str, ...]
    says: str
    fill: float
    listed: bool

    @classmethod
    def of(cls, dtype: str, *shape: int | str, says: str = "", fill: float = 0, listed: bool = False) -> Buffer:
        """With the shape's parts one by one."""
        return cls(dtype, shape, says, fill, listed)

    def __str__(self) -> str:
        return f"{self.dtype} ({', '.join(map(str, self.shape))}{',' if len(self.shape) == 1 else ''})"


# partial, not functions: what compiled code calls are functions, and these it does not call
int64, int16, bool_ = (partial(Buffer.of, dtype) for dtype in ("int64", "int16", "bool"))
float64, float32 = (partial(Buffer.of, dtype) for dtype in ("float64", "float32"))
records = partial(Buffer.of, RECORDS)  # states of the game
cells = partial(Buffer.of, CELLS)  # the bytes of a field of records, which is named: uint8 (records, bytes)


def declared(kind: Declared) -> Declared:
    """Write the table of the fields below the docstring. Raises TypeError where a field is not declared."""
    rows = ["", "| field | type, shape | is |", "| --- | --- | --- |"]
    for name, spec in _fields(kind):
        if not isinstance(spec, Buffer) and not hasattr(spec, "_field_defaults"):
            raise TypeError(f"{kind.__name__}.{name} is not declared: it has no type and shape, and is no declared tuple.")
        about = (spec, spec.says) if isinstance(spec, Buffer) else (spec.__name__, (spec.__doc__ or "").partition("\n")[0])
        rows.append(f"| {name} | {about[0]} | {about[1]} |")
    kind.__doc__ = "\n".join([(kind.__doc__ or "").rstrip(), *rows])
    return kind


def _fields(kind: Any) -> list[tuple[str, Any]]:
    """The fields of a tuple, and what is declared of each."""
    return [(name, kind._field_defaults.get(name)) for name in kind._fields]


def allocate(
    kind: Any, sizes: Mapping[str, int], book: Rulebook | None = None, compiled: bool = True, /, **given: Any
) -> Any:
    """A tuple of the declared arrays. book: the game whose records they hold, if any. given: fields that are there already.
    Raises TypeError where one of these is not as declared."""
    import numpy as np

    arrays: dict[str, Any] = {}
    for name, spec in _fields(kind):
        if name in given:
            arrays[name] = _checked(kind, name, spec, given[name])
        elif not isinstance(spec, Buffer):
            arrays[name] = allocate(spec, sizes, book, compiled)
        elif spec.dtype == CELLS:
            first, *inner = str(spec.shape[0]).split(".")
            arrays[name] = cells_of(reduce(getattr, inner, arrays[first]))
        else:
            shape = [_length(part, sizes) for part in spec.shape]
            if spec.dtype == RECORDS:
                assert book is not None
                arrays[name] = states(book, shape[0], compiled)
            else:
                array = np.full(shape, spec.fill, spec.dtype)
                arrays[name] = array.tolist() if spec.listed and not compiled else array
    unknown = given.keys() - arrays.keys()
    if unknown:
        raise TypeError(f"{kind.__name__} has no field {', '.join(sorted(unknown))}.")
    return kind(**arrays)


def _length(part: int | str, sizes: Mapping[str, int]) -> int:
    """A number, a size, or a size + a number."""
    if isinstance(part, int):
        return part
    name, _plus, more = part.partition(" + ")
    return sizes[name] + int(more or 0)


def _checked(kind: Any, name: str, spec: Any, array: Any) -> Any:
    """What is given for a field, if it has the declared type and as many dimensions."""
    plain = not isinstance(spec, Buffer) or spec.dtype in (RECORDS, CELLS)
    if not plain and (str(array.dtype), array.ndim) != (spec.dtype, len(spec.shape)):
        raise TypeError(f"{kind.__name__}.{name} is {array.dtype} of shape {array.shape}, not {spec}.")
    return array


def states(book: Rulebook, n: int, compiled: bool = True) -> Any:
    """n states of a game: records, or plain ones that are copied as records are."""
    import numpy as np

    return np.zeros(n, book.layout.dtype) if compiled else Records(book.plain() for _ in range(n))


def cells_of(rows: Any) -> Any:
    """The bytes of states, record by record; for as long as the states are worked in."""
    import numpy as np

    return _Cells(rows) if isinstance(rows, Records) else rows.view(np.uint8).reshape(len(rows), rows.dtype.itemsize)


class _Cells:
    """The bytes of plain states, as those of records."""

    def __init__(self, rows: Records):
        self.states = rows

    @property
    def shape(self) -> tuple[int, int]:
        """How many there are, and of how many bytes."""
        return len(self.states), self.states[0].layout.dtype.itemsize

    def __getitem__(self, i: int) -> bytes:
        return bytes(self.states[i].packed())
