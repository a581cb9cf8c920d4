"""`Game`: a rulebook with options, from which matches and batches are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any

from outbid.core.errors import BadSetup
from outbid.core.language.phrases import meant
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook, environment

if TYPE_CHECKING:
    from outbid.compiled.batch import Batch
    from outbid.compiled.single_agent import Against
    from outbid.compiled.vector import Vector
    from outbid.core.derived.spaces import Actions, Observation


class Game:
    """A game as it will be played: `outbid.game("kuhhandel", overbid="forbidden")`. environment: which of the game's, such
    as "rivals-v1"; None: the newest."""

    def __init__(self, book: Rulebook, options: dict[str, Any], environment: str | None = None):
        self.rulebook = book
        self.environment = environment or book.environment_id
        self.options = book.changed(book.in_environment(self.environment, options))

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

    def vector(
        self, n: int, players: Any, seed: int = 0, *, options: Any = None, seeds: Any = None, reward: str = "win",
        duplicate: int = 1, rotate: bool = False, joint: bool = False, observe: bool = True, final_obs: bool = False,
        buffers: Mapping[str, Any] | None = None, threads: int | None = None, **unknown: Any,
    ) -> Vector:  # fmt: skip
        """`n` matches stepped together, each with seed, players and options of its own. Raises BadSetup, BadOption.

        vector.py says what the keywords mean."""
        from outbid.compiled.vector import Vector

        refuse(self.vector, unknown)
        return Vector(
            self.rulebook, self.options, n, players, seed, variants=options, seeds=seeds, reward=reward, duplicate=duplicate,
            rotate=rotate, joint=joint, observe=observe, final_obs=final_obs, buffers=buffers, threads=threads,
        )  # fmt: skip

    def against(
        self, n: int, players: Any, seed: int = 0, *, seat: int | None = 0, bots: Any = "steady", options: Any = None,
        seeds: Any = None, reward: str = "win", duplicate: int = 1, rotate: bool = False, observe: bool = True,
        final_obs: bool = False, buffers: Mapping[str, Any] | None = None, threads: int | None = None, **unknown: Any,
    ) -> Against:  # fmt: skip
        """`n` matches of one learner against bots, stepped together: only the learner acts. Raises BadSetup, BadOption.

        single_agent.py says what seat and bots mean, vector.py the rest."""
        from outbid.compiled.single_agent import Against

        refuse(self.against, unknown)
        return Against(
            self.rulebook, self.options, n, players, seed, seat=seat, bots=bots, variants=options, seeds=seeds,
            reward=reward, duplicate=duplicate, rotate=rotate, observe=observe, final_obs=final_obs, buffers=buffers,
            threads=threads,
        )  # fmt: skip

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
        book = self.rulebook
        name, fixed = self.environment, book.known_environments[self.environment]
        changed = "".join(f", {option}={value!r}" for option, value in self.options.items() if option not in fixed)
        return f"outbid.game({(book.id if name == book.environment_id else name)!r}{changed})"


def refuse(called: Callable[..., Any], unknown: Mapping[str, Any]) -> None:
    """Raise BadSetup for the first of the arguments that a function does not know."""
    kinds = signature(called).parameters.values()
    known = [kind.name for kind in kinds if kind.kind is not kind.VAR_KEYWORD]
    for name in unknown:
        raise BadSetup(f"{called.__name__} has no argument {name!r}; it has {', '.join(known)}.{meant(name, known)}")


def game(name: str, preset: str = "seed", **options: Any) -> Game:
    """A game by its id, its file or an environment of it ("rivals-v1"), with a preset's options and then the given ones,
    which may not contradict those of the environment. Raises BadSetup, BadOption."""
    book, version = environment(name)
    return Game(book, {**book.preset(preset), **options}, version)
