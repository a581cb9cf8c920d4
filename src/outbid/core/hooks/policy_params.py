"""How a game's own player can be told to play: manners, and the characters that are made of them.

    Manner(reserve=10, denial=30)    whole numbers by name; bot.py of a game declares the usual one with what each means
    manner.but({"reserve": 50})      the same with some numbers changed
    Character("miser", title, summary, changes)
    Characters(usual, easy, each)    what a rulebook declares (rulebook.characters)

A game's function `play(s, seat, seed, note, manner)` reads `manner.reserve` on both backends: plain code gets the `Manner`,
compiled code a record of the same numbers (`Characters.records`), all int64. A `Manner` that compiled code names as a
constant is such a record, too (backend.py). Everybody else says who plays by a number: `contract.play(s, seat, seed, note,
who)`, the place in `Characters.players`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from outbid.core.errors import BadSetup
from outbid.core.language import i18n

if TYPE_CHECKING:
    import numpy as np

_ = i18n.words("outbid")[0]

# policies of compiled loops (loops.py): random steps, the game's own heuristic on a hidden copy; from OTHERS on, number k of
# the personas, of which 0 is the heuristic as it is
OTHERS = 3
POLICIES = {"random": 0, "steady": 1}  # bots by name, in every game

EASY, STEADY = "easy", "steady"  # levels of a game's own player
FIRST = "steady@1"  # the steady player as it was when bots were first measured: never changed, to be measured against


class Manner:
    """Whole numbers by name, each an attribute."""

    def __init__(self, **numbers: int):
        self.__dict__.update(numbers)

    def __getattr__(self, name: str) -> int:
        raise AttributeError(f"This manner has no number {name}; it has {', '.join(vars(self))}.")

    def __repr__(self) -> str:
        return f"Manner({', '.join(f'{name}={number}' for name, number in vars(self).items())})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Manner) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).items()))

    def but(self, changes: Mapping[str, int]) -> Manner:
        """The same with some numbers changed. Raises AttributeError."""
        for name in changes:
            getattr(self, name)
        return Manner(**{**vars(self), **changes})

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the record that compiled code gets."""
        import numpy as np

        return np.dtype([(name, np.int64) for name in vars(self)])

    @property
    def nbytes(self) -> int:
        """The length of that record."""
        return len(self.tobytes())

    def tobytes(self) -> bytes:
        """That record."""
        return array("q", vars(self).values()).tobytes()


@dataclass(frozen=True)
class Character:
    """A player to play against. name: in a bot's name; title: "a farmer"; summary: one sentence on how they play; title
    and summary are marked for translation in the game's package. changes: of the usual manner."""

    name: str
    title: str
    summary: str
    changes: Mapping[str, int]


@dataclass(frozen=True)
class Characters:
    """Who a game's own player can be. usual: the steady player's manner. easy: what an easy one forgets or overlooks.
    first: what must be changed in the usual manner to play as steady@1. steady: how a steady one plays, one sentence,
    marked for translation in the game's package.

    A level and a character go together: the character's changes come after the level's. A game that declares nothing has
    its steady player only, on every level.
    """

    usual: Manner = field(default_factory=lambda: Manner(none=0))
    easy: Character = field(default_factory=lambda: Character(EASY, "", "", {}))
    each: tuple[Character, ...] = ()
    first: Mapping[str, int] = field(default_factory=dict[str, int])
    steady: str = ""

    @property
    def names(self) -> list[str]:
        """The characters' names."""
        return [one.name for one in self.each]

    def character(self, name: str, title: str) -> Character:
        """The character with this name, of the game with this title. Raises BadSetup."""
        for one in self.each:
            if one.name == name:
                return one
        if not self.each:
            raise BadSetup(_("{game} has no characters, so none is called {name}.", game=title, name=repr(name)))
        from outbid.core.language import phrases

        facts = {"game": title, "name": repr(name), "characters": ", ".join(self.names)}
        raise BadSetup(_("{game} has no character {name}; it has {characters}.", **facts) + phrases.meant(name, self.names))

    @cached_property
    def players(self) -> dict[str, Manner]:
        """The manner of every bot that plays by the game's own judgement, by its name: `steady` first, `easy:miser`, …"""
        return dict(self._players())

    def _players(self) -> Iterator[tuple[str, Manner]]:
        for level, changes in ((STEADY, {}), (EASY, self.easy.changes)):
            manner = self.usual.but(changes)
            yield level, manner
            for one in self.each:
                yield f"{level}:{one.name}", manner.but(one.changes)
        yield FIRST, self.usual.but(self.first)

    @cached_property
    def policies(self) -> dict[str, int]:
        """The policies of compiled loops (loops.py) by the name of the bot."""
        others = ((name, OTHERS + number) for number, name in enumerate(self.players))
        return POLICIES | {name: policy for name, policy in others if name not in POLICIES}

    def records(self) -> Any:
        """The manners of `players`, in their order, as compiled code gets them."""
        import numpy as np

        return np.frombuffer(b"".join(one.tobytes() for one in self.players.values()), self.usual.dtype).copy()

