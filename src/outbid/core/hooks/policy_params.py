"""How a game's own player can be told to play: policy parameters, and the personas that are made of them.

    PolicyParams(reserve=10, denial=30)   whole numbers by name; bot.py of a game declares the usual ones and what each means
    params.but({"reserve": 50})           the same with some numbers changed
    Persona("miser", title, summary, changes)
    Personas(usual, easy, each)           what a rulebook declares (rulebook.personas)
    personas.drawn(random, wide)          changes that make a player without a name; `outsiders` are such

A game's function `play(s, seat, seed, note, params)` reads `params.reserve` on both backends: plain code gets
`PolicyParams`, compiled code a record of the same numbers (`Personas.records`), all int64. `PolicyParams` that compiled
code names as a constant are such a record, too (backend.py). All other code says who plays by a number:
`contract.play(s, seat, seed, note, who)`, the place in `Personas.all`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from outbid.core.errors import BadSetup
from outbid.core.language.i18n import _

if TYPE_CHECKING:
    import numpy as np

# policies of compiled loops (loops.py): random steps, the game's own heuristic on a hidden copy; from OTHERS on, number k of
# the personas, of which 0 is the heuristic as it is
OTHERS = 3
POLICIES = {"random": 0, "steady": 1}  # bots by name, in every game

OUTSIDERS = 8  # sets of parameters that stand for players that are none of the game's own …
OUTSIDE = 2.5  # … each number up to so many times the usual one, or as any of the players has it
DRAWN = 35  # the seed of those
COUNTS = 12  # a number up to this is a count or a switch: it is only made smaller
PERCENT = 100  # a larger one up to this is a part of something: it stays one

EASY, STEADY = "easy", "steady"  # levels of a game's own player
FIRST = "steady@1"  # the steady player as it was when bots were first measured: never changed, to be measured against


class Draws(Protocol):
    """Draws numbers, as a generator of NumPy does."""

    def random(self) -> float:
        """A number from 0 to 1."""

    def uniform(self, low: float, high: float) -> float:
        """A number between the two."""

    def integers(self, low: int, high: int) -> Any:
        """A whole number below `high`."""

    def choice(self, among: list[int]) -> Any:
        """One of these numbers."""


class _Draws(Random):
    """Draws without NumPy, which tables do without."""

    integers = Random.randrange


class PolicyParams:
    """Whole numbers by name, each an attribute."""

    def __init__(self, **numbers: int):
        self.__dict__.update(numbers)

    def __getattr__(self, name: str) -> int:
        raise AttributeError(f"There is no policy parameter {name}; there are {', '.join(vars(self))}.")

    def __repr__(self) -> str:
        return f"PolicyParams({', '.join(f'{name}={number}' for name, number in vars(self).items())})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PolicyParams) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).items()))

    def but(self, changes: Mapping[str, int]) -> PolicyParams:
        """These parameters with some numbers changed. Raises AttributeError."""
        for name in changes:
            getattr(self, name)
        return PolicyParams(**{**vars(self), **changes})

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the record that compiled code gets."""
        import numpy as np

        return np.dtype([(name, np.int64) for name in vars(self)])

    @property
    def nbytes(self) -> int:
        """The length of that record, in bytes."""
        return len(self.tobytes())

    def tobytes(self) -> bytes:
        """The numbers as the bytes of that record."""
        return array("q", vars(self).values()).tobytes()


@dataclass(frozen=True)
class Persona:
    """A player to play against. name: in a bot's name; title: "a farmer"; summary: one sentence on how they play; title
    and summary are marked for translation in the game's package. changes: of the usual parameters."""

    name: str
    title: str
    summary: str
    changes: Mapping[str, int]


@dataclass(frozen=True)
class Personas:
    """Who a game's own player can be. usual: the steady player's parameters. easy: what an easy one forgets or overlooks.
    first: what must be changed in the usual parameters to play as steady@1. steady: how a steady one plays, one sentence,
    marked for translation in the game's package.

    A level and a persona go together: the persona's changes come after the level's. A game that declares nothing has
    its steady player only, on every level."""

    usual: PolicyParams = field(default_factory=lambda: PolicyParams(none=0))
    easy: Persona = field(default_factory=lambda: Persona(EASY, "", "", {}))
    each: tuple[Persona, ...] = ()
    first: Mapping[str, int] = field(default_factory=dict[str, int])
    steady: str = ""

    @property
    def names(self) -> list[str]:
        """The personas' names."""
        return [persona.name for persona in self.each]

    def persona(self, name: str, title: str) -> Persona:
        """The persona with this name, of the game with this title. Raises BadSetup."""
        for persona in self.each:
            if persona.name == name:
                return persona
        if not self.each:
            raise BadSetup(_("{game} has no characters, so none is called {name}.", game=title, name=repr(name)))
        from outbid.core.language import phrases

        facts = {"game": title, "name": repr(name), "characters": ", ".join(self.names)}
        raise BadSetup(_("{game} has no character {name}; it has {characters}.", **facts) + phrases.meant(name, self.names))

    @cached_property
    def players(self) -> dict[str, PolicyParams]:
        """The parameters of every bot that plays by the game's own judgement, by name: `steady` first, `easy:miser`, …"""
        return dict(self._players())

    def _players(self) -> Iterator[tuple[str, PolicyParams]]:
        for level, changes in ((STEADY, {}), (EASY, self.easy.changes)):
            params = self.usual.but(changes)
            yield level, params
            for persona in self.each:
                yield f"{level}:{persona.name}", params.but(persona.changes)
        yield FIRST, self.usual.but(self.first)

    def drawn(self, random: Draws, wide: float) -> dict[str, int]:
        """Changes of the usual parameters: each number stays as it is half of the time, else it is anything from nothing to
        `wide` times as much; a switch is as any of the players has it."""
        usual = vars(self.usual)
        seen: dict[str, set[int]] = {name: {usual[name]} for name in usual}
        for params in self.players.values():
            for name, number in vars(params).items():
                seen[name].add(number)
        changes = {}
        for name, number in usual.items():
            if random.random() < 0.5:
                continue
            if abs(number) > COUNTS:
                changes[name] = round(number * random.uniform(0, wide))
                if number <= PERCENT:
                    changes[name] = min(PERCENT, changes[name])
            elif number > 1:
                changes[name] = int(random.integers(1, number + 1))
            else:
                changes[name] = int(random.choice(sorted(seen[name])))
        return {name: number for name, number in changes.items() if number != usual[name]}

    @cached_property
    def outsiders(self) -> tuple[PolicyParams, ...]:
        """OUTSIDERS sets of parameters, always the same, of none of `players`: types for an opponent who is none of these. A
        game without personas has none."""
        random = _Draws(DRAWN)
        if not self.each:
            return ()
        return tuple(self.usual.but(self.drawn(random, OUTSIDE)) for _ in range(OUTSIDERS))

    @property
    def all(self) -> list[PolicyParams]:
        """The parameters by the number of who plays: those of `players`, and then the outsiders."""
        return [*self.players.values(), *self.outsiders]

    @cached_property
    def policies(self) -> dict[str, int]:
        """The policies of compiled loops (loops.py) by the name of the bot."""
        others = ((name, OTHERS + number) for number, name in enumerate(self.players))
        return POLICIES | {name: policy for name, policy in others if name not in POLICIES}

    def records(self) -> Any:
        """`all`, as compiled code gets it."""
        import numpy as np

        return np.frombuffer(b"".join(params.tobytes() for params in self.all), self.usual.dtype).copy()
