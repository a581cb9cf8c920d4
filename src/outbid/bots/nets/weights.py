"""Nets that are shipped with the games: plain arrays in half precision, and what they were trained on.

    Shipped.of(book)            the net of a game, if it has one: FILE in its folder
    Shipped.load(book, path)    an .npz file: arrays by name, and `facts` as JSON with environment, features and presets
    net.fits(state)             whether it was trained under such rules
    net.serves(state)           whether bots use it there: under such rules, but for options that bear little on what it has
                                learned (SearchConfig.carries)
    presets_of(book, "all")     the rules to train one under, as its facts name them

value.py and policy.py say what the arrays are, and which scripts in examples/ write them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from outbid.core.rulebook import Rulebook

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Shipped:
    """A net of a game. arrays: by name, float32; facts: what it was trained on."""

    FILE: ClassVar[str]

    rulebook: Rulebook
    arrays: dict[str, NDArray[np.float32]]
    facts: dict[str, Any]

    @classmethod
    def of(cls, book: Rulebook) -> Self | None:
        """The net that is shipped with a game, or none; it is read once. A game with a changed rule has none of its own."""
        if (cls, book.id) not in _read:
            path = book.folder / cls.FILE
            _read[cls, book.id] = cls.load(book, path) if path.exists() and "+" not in book.id else None
        return cast("Self | None", _read[cls, book.id])

    @classmethod
    def load(cls, book: Rulebook, path: Path) -> Self:
        """A net from its file. Raises ValueError if it is for other features."""
        import numpy as np

        with np.load(path, allow_pickle=False) as file:
            facts = json.loads(str(file["facts"]))
            cls.check(book, path.name, facts)
            return cls(book, {name: file[name].astype(np.float32) for name in file.files if name != "facts"}, facts)

    @staticmethod
    def check(book: Rulebook, name: str, facts: Mapping[str, Any]) -> None:
        """Whether a file is for a game as it is. Raises ValueError."""
        if facts["environment"] not in book.known_environments or facts["features"] != book.features:
            raise ValueError(f"{name} is for {facts['environment']} with {facts['features']} features.")

    @cached_property
    def _rules(self) -> list[tuple[Any, ...]]:
        """The options that bear on play, of every preset it was trained on."""
        book, common = self.rulebook, self.rulebook.known_environments[self.facts["environment"]]
        rules = [book.preset(preset) if isinstance(preset, str) else preset for preset in self.facts["presets"]]
        return [_options(book, book.fresh({**common, **options})) for options in rules]

    def fits(self, state: Any) -> bool:
        """Whether it was trained under the options of this state."""
        return _options(self.rulebook, state) in self._rules

    @cached_property
    def players(self) -> frozenset[int]:
        """The numbers of players it has learned; all of the game, if that is not said."""
        low, high = self.rulebook.players
        known = self.facts.get("players") or [row["players"] for row in self.facts.get("held_out", ())]
        return frozenset(known or range(low, high + 1))

    @property
    def carries(self) -> tuple[str, ...]:
        """The options that bear little on what it has learned."""
        return self.rulebook.search.carries

    def serves(self, state: Any) -> bool:
        """Whether bots use it under the options of this state, among so many players, where the state says how many."""
        if state.players and state.players not in self.players:
            return False
        carries = self.carries
        names = [option.name for option in self.rulebook.options if not option.view]
        current = _options(self.rulebook, state)
        return any(
            all(name in carries or mine == its for name, mine, its in zip(names, current, rules, strict=True))
            for rules in self._rules
        )


def facts_of(path: Path) -> dict[str, Any]:
    """What a file says of its net. Raises OSError, ValueError, KeyError, BadZipFile."""
    import numpy as np

    with np.load(path, allow_pickle=False) as file:
        facts = json.loads(str(file["facts"]))
    return dict(facts)


def presets_of(book: Rulebook, text: str) -> list[str | dict[str, Any]]:
    """The rules that a text names: presets and options ("seed,pile_distribution=true"), all presets ("all"), or one set of
    options as JSON. Raises BadSetup, BadOption."""
    if text.startswith("{"):
        options_given = json.loads(text)
        book.codes(options_given)
        return [options_given]
    options = {option.name: option for option in book.options}
    presets: list[str | dict[str, Any]] = []
    for part in ["seed", *book.presets] if text == "all" else text.split(","):
        name, sign, value = part.partition("=")
        preset = {name: options[name].parse(value) if name in options else value} if sign else part
        book.codes(preset if isinstance(preset, dict) else book.preset(preset))
        presets.append(preset)
    return presets


_read: dict[tuple[type[Shipped], str], Shipped | None] = {}


def _options(book: Rulebook, state: Any) -> tuple[Any, ...]:
    values = (getattr(state, option.name) for option in book.options if not option.view)
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)
