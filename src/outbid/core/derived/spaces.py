"""What a learner is given and may do, declared once a game: the observation (names, meanings, scales) and the actions.

    OBSERVATION = Observation(SEATS, shared=(one_hot("phase", PHASES, "…"), amount("deck", "…", 40)), each=(…,))
    AT_PHASE, AT_DECK = OBSERVATION.places  # or OBSERVATION.at("deck"): plain integers, for `observe` in the compiled subset
    TABLE = Actions(ACTIONS, action(PASS, "pass", "…"), actions(CARD, names, "lay a card …"))

A row of features is float32 (F,): the shared parts first, then the parts of each seat, the observer first and on clockwise;
seats that nobody sits at are 0. A feature is a fact divided by the part's unit; it lies between the part's `low` and `high`
in every match without tunable parameters (options that change a number of the rules). `observation["deck"]` and
`observation["seat1.cards"]` are slices of a row; `describe(row)` says what is not zero, in the game's own terms.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from outbid.core.errors import BadSetup

KIND, FLAGS, AMOUNTS = "one of", "flags", "amounts"


@dataclass(frozen=True)
class FeatureGroup:
    """Features with one meaning that stand side by side.

    labels: what each of them is about; a single feature has none. kind: one of them is 1 (KIND, or none), each is 0 or 1
    (FLAGS), or each is an amount divided by `unit`. low, high: the range of the features."""

    name: str
    meaning: str
    kind: str
    labels: tuple[str, ...] = ()
    unit: float = 1
    low: float = 0
    high: float = 1

    @property
    def size(self) -> int:
        """The number of features: one a label, or one."""
        return len(self.labels) or 1


def one_hot(name: str, labels: Iterable[str], meaning: str) -> FeatureGroup:
    """At most one of the features is 1."""
    return FeatureGroup(name, meaning, KIND, tuple(labels))


def flags(name: str, labels: Iterable[str], meaning: str) -> FeatureGroup:
    """Each feature is 0 or 1."""
    return FeatureGroup(name, meaning, FLAGS, tuple(labels))


def flag(name: str, meaning: str) -> FeatureGroup:
    """One feature, 0 or 1."""
    return FeatureGroup(name, meaning, FLAGS)


def amount(name: str, meaning: str, unit: float = 1, high: float = 1, low: float = 0) -> FeatureGroup:
    """One feature: an amount divided by `unit`."""
    return FeatureGroup(name, meaning, AMOUNTS, (), unit, low, high)


def amounts(
    name: str, labels: Iterable[str], meaning: str, unit: float = 1, high: float = 1, low: float = 0
) -> FeatureGroup:
    """An amount for each label, divided by `unit`."""
    return FeatureGroup(name, meaning, AMOUNTS, tuple(labels), unit, low, high)


class Observation(Mapping[str, slice]):
    """The layout of a row of features: a mapping of names to slices. `size` is F, `shared` the length of the part of the
    table, `each` that of a seat."""

    def __init__(self, seats: int, shared: Sequence[FeatureGroup], each: Sequence[FeatureGroup]):
        self.seats = seats
        self.parts = tuple(shared)
        self.seat_parts = tuple(each)
        self.shared = sum(part.size for part in shared)
        self.each = sum(part.size for part in each)
        self.size = self.shared + seats * self.each
        self._at = _places(self.parts)
        self._of = _places(self.seat_parts)

    def at(self, name: str) -> int:
        """Where a shared part begins in a row."""
        return self._at[name]

    def of(self, name: str) -> int:
        """Where a part of a seat begins in the features of that seat."""
        return self._of[name]

    @property
    def places(self) -> tuple[int, ...]:
        """Where the shared parts begin in a row, in their order."""
        return tuple(self._at.values())

    @property
    def places_of_seat(self) -> tuple[int, ...]:
        """Where the parts of a seat begin in the features of that seat, in their order."""
        return tuple(self._of.values())

    @cached_property
    def _slices(self) -> dict[str, tuple[FeatureGroup, slice]]:
        places = zip(self.parts, self._at.values(), strict=True)
        slices = {part.name: (part, slice(at, at + part.size)) for part, at in places}
        for seat in range(self.seats):
            for part, of in zip(self.seat_parts, self._of.values(), strict=True):
                at = self.shared + seat * self.each + of
                slices[f"seat{seat}.{part.name}"] = (part, slice(at, at + part.size))
        return slices

    def __getitem__(self, name: str) -> slice:
        if name not in self._slices:
            raise KeyError(f"There is no part {name!r} of the observation; there are {', '.join(self)}.")
        return self._slices[name][1]

    def __iter__(self) -> Iterator[str]:
        return iter(self._slices)

    def __len__(self) -> int:
        return len(self._slices)

    def part(self, name: str) -> FeatureGroup:
        """The declaration of a part, by the name of its slice."""
        return self._slices[name][0]

    @cached_property
    def low(self) -> list[float]:
        """The lower bound of each feature."""
        return [part.low for part, where in self._slices.values() for _ in range(where.start, where.stop)]

    @cached_property
    def high(self) -> list[float]:
        """The upper bound of each feature."""
        return [part.high for part, where in self._slices.values() for _ in range(where.start, where.stop)]

    def facts(self, row: Any) -> dict[str, Any]:
        """What is not zero in a row: of each part the label that is 1, the labels that are 1, the amount, or the amounts
        by label. Raises BadSetup for a row of another length."""
        values = [float(value) for value in row]
        if len(values) != self.size:
            raise BadSetup(f"A row of this observation has {self.size} features, not {len(values)}.")
        facts: dict[str, Any] = {}
        for name, (part, where) in self._slices.items():
            seen = {label: value for label, value in zip(part.labels or ("",), values[where], strict=True) if value}
            if not seen:
                continue
            if part.kind != AMOUNTS:
                facts[name] = list(seen) if part.labels and part.kind == FLAGS else next(iter(seen)) if part.labels else True
            else:
                counted = {label: _fact(value * part.unit) for label, value in seen.items()}
                facts[name] = counted if part.labels else counted[""]
        return facts

    def describe(self, row: Any) -> str:
        """A row in words, a line a part, only what is not zero: "bid: 120", "seat 1 animals: cow 2, horse 1"."""
        lines = []
        for name, fact in self.facts(row).items():
            if isinstance(fact, dict):
                text = ", ".join(f"{label} {value:.10g}" for label, value in fact.items())
            elif isinstance(fact, list):
                text = ", ".join(fact)
            else:
                text = "yes" if fact is True else fact if isinstance(fact, str) else f"{fact:.10g}"
            seat, dot, rest = name.partition(".")
            lines.append(f"{seat.replace('seat', 'seat ')} {rest}: {text}" if dot else f"{name}: {text}")
        return "\n".join(lines)


def _places(parts: Sequence[FeatureGroup]) -> dict[str, int]:
    places: dict[str, int] = {}
    at = 0
    for part in parts:
        if part.name in places or "." in part.name:
            raise ValueError(f"The part {part.name!r} is named twice, or with a dot.")
        places[part.name] = at
        at += part.size
    return places


def _fact(value: float) -> float:
    """The amount that a float32 stood for: to six digits, as no fact has more."""
    return value if value == 0 else round(value, 5 - math.floor(math.log10(abs(value))))


@dataclass(frozen=True)
class Action:
    """One action id: a step of a move, with a short name that no other action of the game has."""

    id: int
    name: str
    meaning: str


def action(first: int, name: str, meaning: str) -> list[Action]:
    """Declare one action, as a group of its own."""
    return [Action(first, name, meaning)]


def actions(first: int, names: Iterable[str], meaning: str) -> list[Action]:
    """Declare consecutive actions with one meaning, from the id `first` on."""
    return [Action(first + k, name, meaning) for k, name in enumerate(names)]


class Actions(Sequence[Action]):
    """The action table of a game: place `a` is the action with the id a. Raises ValueError unless every id is there once."""

    def __init__(self, size: int, *groups: list[Action]):
        self.groups = sorted(groups, key=lambda group: group[0].id)
        self._all = [action for group in self.groups for action in group]
        if [action.id for action in self._all] != list(range(size)) or len({action.name for action in self._all}) != size:
            raise ValueError(f"The actions must have the ids 0 to {size - 1}, each once, and names of their own.")

    def __getitem__(self, at: Any) -> Any:
        return self._all[at]

    def __len__(self) -> int:
        return len(self._all)

    def refusal(self, action: int, who: str, legal: Iterable[int]) -> str:
        """The sentence about an action that is not legal."""
        name = f" ({self[action].name})" if 0 <= action < len(self) else ""
        may = ", ".join(f"{option} ({self[option].name})" for option in legal)
        return f"Action {action}{name} of {who} is not legal; legal: {may}."

    def named(self, name: str) -> Action:
        """The action with this name. Raises BadSetup."""
        for action in self._all:
            if action.name == name:
                return action
        raise BadSetup(f"There is no action {name!r}; there are {', '.join(action.name for action in self._all)}.")
