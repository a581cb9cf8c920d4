"""What a sentence says of places that its reader does not know: it is told again with other numbers read there."""

import operator
from collections.abc import Callable
from typing import Any


class Unknown:
    """A number that its reader does not know. It compares and counts as what stands there; where it is said, or says which
    of a row is meant, it is another one, and `told` is given the name of its field."""

    def __init__(self, value: int, field: str, told: list[str]):
        self.value, self.field, self.told = value, field, told

    def __hash__(self) -> int:
        return hash(self.value)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __index__(self) -> int:
        self.told.append(self.field)
        return self.value - 1

    def __str__(self) -> str:
        return str(self.__index__())

    __int__, __repr__ = __index__, __str__

    def __format__(self, how: str) -> str:
        return format(self.__index__(), how)


def _value(number: Any) -> Any:
    return number.value if isinstance(number, Unknown) else number


def _comparing(act: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, other: act(self.value, _value(other))


def _counting(act: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, *others: Unknown(act(self.value, *map(_value, others)), self.field, self.told)


def _from_right(act: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, other: Unknown(act(other, self.value), self.field, self.told)


for sign in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Unknown, f"__{sign}__", _comparing(getattr(operator, sign)))
for sign in ("add", "sub", "mul", "floordiv", "mod", "neg", "abs"):
    setattr(Unknown, f"__{sign}__", _counting(getattr(operator, sign)))
for sign in ("add", "sub", "mul", "floordiv", "mod"):
    setattr(Unknown, f"__r{sign}__", _from_right(getattr(operator, sign)))


def unknown(state: Any, told: list[str]) -> Any:
    """A copy of a hidden state whose reader knows nothing where the fields say that something lies unseen."""
    twin = state.copy()
    for field in state.layout.facts:
        if (field.holds or field.drawn) and field.seen != "all":
            setattr(twin, field.name, _unknown(getattr(twin, field.name), field, told))
    return twin


def _unknown(value: Any, field: Any, told: list[str]) -> Any:
    if isinstance(value, list):
        return [_unknown(part, field, told) for part in value]
    return Unknown(value, field.name, told) if value == field.blank else value
