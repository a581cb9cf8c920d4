"""`Game`: a rulebook with options, from which matches and batches are made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from outbid.core.errors import BadSetup
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook, rulebook

if TYPE_CHECKING:
    from outbid.compiled.batch import Batch
    from outbid.compiled.single_agent import Against
    from outbid.compiled.vector import Vector
    from outbid.core.derived.spaces import Actions, Observation


class Game:
    """A game as it will be played: `outbid.game("kuhhandel", overbid="forbidden")`."""

    def __init__(self, book: Rulebook, options: dict[str, Any]):
        self.rulebook = book
        self.options = book.changed(options)

    def new(self, players: int, seed: int = 0, names: Sequence[str] | None = None) -> Match:
        """A new match with the deal of `seed`. Warns (NoEffect) of options that can do nothing in it."""
        match = Match.new(self.rulebook, self.options, players, seed, names)
        self.rulebook.warn(self.options, players)
        return match

    def load(self, names: Sequence[str], deal: dict[str, Any]) -> Match:
        """A match with a given deal (RECORD.md)."""
        return Match.load(self.rulebook, self.options, names, deal)

    def batch(self, n: int, players: int, seed: int = 0, threads: int | None = None) -> Batch:
        """`n` matches stepped together on the compiled backend (batch.py)."""
        from outbid.compiled.batch import Batch

        return Batch(self.rulebook, self.options, n, players, seed, threads)

    def vector(self, n: int, players: Any, seed: int = 0, *, options: Any = None, **how: Any) -> Vector:
        """`n` matches stepped together, each with seed, players and options of its own; vector.py says what else."""
        from outbid.compiled.vector import Vector

        return Vector(self.rulebook, self.options, n, players, seed, variants=options, **how)

    def against(self, n: int, players: Any, seed: int = 0, *, options: Any = None, **how: Any) -> Against:
        """`n` matches of one learner against bots, stepped together (single_agent.py): only the learner acts."""
        from outbid.compiled.single_agent import Against

        return Against(self.rulebook, self.options, n, players, seed, variants=options, **how)

    @property
    def observation(self) -> Observation:
        """The layout of a row of features (spaces.py)."""
        return self.rulebook.observation

    @property
    def actions(self) -> Actions:
        """The action table: a name and a meaning for each id (spaces.py)."""
        return self.rulebook.action_table

    def text(self, match: Match, seat: int, **options: Any) -> str:
        """The prompt of a seat for a language model; `legal`, `obfuscate`, `history`, `rules` as in prompts.py."""
        from outbid.agents.prompts import text

        return text(self._own(match), seat, **options)

    def answer(self, match: Match, seat: int, said: str, legal: bool = True, obfuscate: int | None = None) -> dict[str, Any]:
        """The move that a language model's answer to the prompt means, checked and not yet played (answers.py)."""
        from outbid.agents.answers import read

        return read(self._own(match), seat, said, legal, obfuscate)

    def _own(self, match: Match) -> Match:
        if match.rulebook is not self.rulebook:
            raise BadSetup(f"The match is one of {match.rulebook.title}, not of {self.rulebook.title}.")
        return match

    def __repr__(self) -> str:
        changed = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"outbid.game({self.rulebook.id!r}{changed})"


def game(name: str, preset: str = "seed", **options: Any) -> Game:
    """A game by its id, with a preset's options and then the given ones. Raises BadSetup, BadOption."""
    book = rulebook(name)
    return Game(book, {**book.preset(preset), **options})
