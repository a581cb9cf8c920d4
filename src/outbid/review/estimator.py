"""How likely each seat is to win a match as it stands: one place for all that need a win probability.

    judge = Estimator(book, state)
    company = judge.company()                          who sits there, as far as the moves tell
    company.heed(state, seat, action)                  … a step, before it is made
    judge.values(worlds, …, told=company.told)         float64 (W, P): the shares of the victory that are to be expected in
                                                       worlds of a position; those of a world sum to 1
    judge.after(seat, moves, company.told)             float64 (W, M): what a seat may expect after each of some moves of its
                                                       own, by what it knows
    judge.doubt(company.told)                          how far they are off, on the average, among such players

The state is whole: all hands are known to the estimator, but not what nobody has drawn yet. That is put in a new order in
every world (core/hooks/review.py). A game with a net for reviews (value.Judge) is judged by it; else each world is played on
to the end (review/rollouts.py), every seat as one of its likely types, with slips. The first is quick and has
no noise of its own, the second has an error of at most 0.5 / √rollouts.

`calibration.json` says how far the judge was off when it was measured (benchmarks/calibration.py), by game, players and
company; cells in which it misses the goal are marked. `doubt` reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.bots import strong
from outbid.bots.belief.company import STEPS, note
from outbid.bots.belief.opponent_types import RECORDS
from outbid.bots.nets import NAME, value
from outbid.bots.nets import company as seated
from outbid.bots.nets.value import shares
from outbid.bots.seat import Seat
from outbid.core import contract
from outbid.core.chance import below, stream
from outbid.core.hooks.policy_params import EASY, STEADY
from outbid.core.hooks.review import reshuffler
from outbid.core.rulebook import Rulebook
from outbid.review import rollouts
from outbid.review.calibration import ASSUMED_ERROR, measured

ORDERS_FROM = 1 << 20  # streams of a seed: the orders of what is not drawn
PLAIN_LIMIT = 2_000  # steps of a match that is played on by the plain backend
WHO_FROM = 1 << 21  # streams of a seed: the types of the seats


class Estimator:
    """Judges positions of one match. compiled: whether matches are played on by compiled code."""

    def __init__(self, book: Rulebook, state: Any, compiled: bool = True, use_net: bool = True):
        self.book = book
        self.players = state.players
        net = value.judge(book) if use_net else None
        self.net = net if net is not None and net.fits(state) else None
        self.compiled = compiled
        self.types = self.net.types if isinstance(self.net, value.Judge) else seated.types_of(book)
        self._options = state
        self._space: strong.Space | None = None
        self._watching: strong.Space | None = None

    @property
    def name(self) -> str:
        """How it judges: "net" or "playouts"."""
        return "net" if self.net else "playouts"

    def worlds(self, state: Any, n: int, seed: int, first: int = 0) -> list[Any]:
        """Worlds `first` … `first` + n − 1 of a position: copies in which what nobody has drawn is in a new order."""
        reshuffle, worlds = reshuffler(self.book), []
        for number in range(first, first + n):
            worlds.append(state.copy())
            if reshuffle:
                reshuffle(worlds[-1], stream(seed, ORDERS_FROM + number))
        return worlds

    def company(self) -> CompanyBelief:
        """Nobody has done anything yet."""
        if self._watching is None:
            self._watching = strong.Space(self.book, 1 + RECORDS, self.compiled)
        numbers = seated.numbers_of(self.book, self.types, self._options)
        return CompanyBelief(self._watching, numbers, np.zeros((self.players, seated.columns(len(numbers)))), self.compiled)

    def doubt(self, told: NDArray[np.float64] | None = None) -> float:
        """How far its chances are off among such players, (P, columns) of `company.told`, beyond what chance brings; see
        `calibration.json`."""
        return max((cell["excess"] for cell in self._measured(told)), default=ASSUMED_ERROR)

    def band(self, told: NDArray[np.float64] | None = None) -> float:
        """How far its chances are off where that is more than the goal allows, or was never measured; else 0."""
        return max((cell["error"] if cell["misses"] else 0.0 for cell in self._measured(told)), default=ASSUMED_ERROR)

    def _measured(self, told: NDArray[np.float64] | None) -> list[dict[str, Any]]:
        """The cells of `calibration.json` for such players; none if a net is not what judges."""
        cells = measured().get((self.book.id, self.players, self.name), {}) if self.net else {}
        return [cells[name] for name in self._cells(told) if name in cells] if cells else []

    def _cells(self, told: NDArray[np.float64] | None) -> tuple[str, ...]:
        """The companies that these players may be: one of a kind if all are surely that, with any
        persona or none, as the net's temperature has it; else mixed ones."""
        mixed = ("mixed", "strangers", "strong")
        if told is None or not told[:, STEPS].any():
            return ("mixed",)
        odds = seated.posterior(told, len(self.types))
        for name in (EASY, STEADY, NAME):
            if (odds[:, seated.alike(self.types, name)].sum(1) > 0.5).all():
                return (name,)
        return mixed

    def values(
        self,
        worlds: Sequence[Any],
        seed: int,
        tally: Sequence[int],
        still: bool = False,
        told: NDArray[np.float64] | None = None,
    ) -> NDArray[np.float64]:
        """What each seat may expect in each world, (W, P). tally: moves and steps of each seat so far (loops.columns). told:
        what is known of who sits there; none: nothing.

        still: the worlds differ in nothing but the order of what is not drawn, which a net does not see."""
        if contract.asked(worlds[0]) == 0:
            return np.tile(shares(worlds[0]), (len(worlds), 1))
        if self.net:
            seen = worlds[:1] if still else worlds
            return np.tile([self.net.believed(world, told) if contract.asked(world) else shares(world) for world in seen],
                           (len(worlds) if still else 1, 1))  # fmt: skip
        return self._played(worlds, seed, tally, told)

    def after(
        self, seat: Seat, moves: Sequence[Sequence[int]], told: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64] | None:
        """What a seat may expect after each of some moves of its own, action ids, in worlds that agree with what it knows,
        (W, M); none where no net judges. told: as `values` has it; where players may have secrets, it tells of them, and
        counts for nothing."""
        if not self.net:
            return None
        return value.after(self.net, seat, moves, None if self.book.secrets else told)

    def _who(self, worlds: int, seed: int, told: NDArray[np.float64] | None) -> NDArray[np.int64]:
        """The policy of each seat in each world, (W, P), by its number in compiled loops: each as often as it is likely."""
        policies = self.book.personas.policies
        steady = policies[STEADY]
        if told is None:
            return np.full((worlds, self.players), steady, np.int64)
        numbers = np.array([policies.get(name, steady) for name in self.types] + [steady], np.int64)
        ends = seated.posterior(told, len(self.types)).cumsum(1)
        draws = [
            [below(stream(stream(seed, WHO_FROM + seat), world), 1 << 20) / (1 << 20) for seat in range(self.players)]
            for world in range(worlds)
        ]
        which = (np.array(draws)[:, :, None] >= ends[None, :, :]).sum(2)
        return numbers[np.minimum(which, len(numbers) - 1)]

    def _played(
        self, worlds: Sequence[Any], seed: int, tally: Sequence[int], told: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        records = 4 + len(worlds)
        if self._space is None or len(self._space.states) < records:
            self._space = strong.Space(self.book, records, self.compiled)
        space = self._space
        for number, world in enumerate(worlds):
            if self.compiled:
                world.to_record(space.states, 4 + number)
            else:
                space.states[4 + number] = world
        tallies = np.array([tally, tally], np.int64)
        victories = np.zeros((len(worlds), self.players))
        policies = np.zeros(self.players, np.int64)
        limit = self.book.longest if self.compiled else PLAIN_LIMIT
        loop(self.book, self.compiled)(
            space.states, 0, seed, limit, policies, self._who(len(worlds), seed, told), self.players, space.work, tallies,
            victories,
        )  # fmt: skip
        return victories


@dataclass(frozen=True)
class CompanyBelief:
    """Who sits at a table, as far as the moves tell. told: float64 (P, columns), bots/belief/company.py."""

    space: strong.Space
    types: NDArray[np.int64]
    told: NDArray[np.float64]
    compiled: bool

    def heed(self, state: Any, seat: int, action: int) -> None:
        """Take down a step of an asked seat, which is about to be made."""
        if seat == contract.CLOCK:
            return
        self.space.put(state)
        loop(self.space.book, self.compiled, note)(
            self.space.states, 0, seat, action, self.types, self.told, self.space.work
        )  # fmt: skip


def loop(book: Rulebook, compiled: bool, function: Callable[..., Any] = rollouts.played) -> Any:
    """The loop that plays on (review/rollouts.py), or another one, for one game."""
    return strong.entry_of(book, function) if compiled else function
