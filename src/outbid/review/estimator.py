"""How likely each seat is to win a match as it stands: one place for whoever needs a win probability.

    Estimator(book, state).values(worlds, …) -> float64 (W, P)     shares of the victory that are to be expected in worlds of
                                                                   a position; those of a world sum to 1

The state is whole: all hands are known to the estimator, but not what nobody has drawn yet. That is put in a new order in
every world (core/hooks/review.py). A game with a value net (bots/nets/value.py) is judged by it; else each world is played
on to the end by the heuristic, with slips (review/rollouts.py). The first is quick and has no noise of its own, the second
has an error of at most 0.5 / √playouts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.bots import strong
from outbid.bots.nets import value
from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.hooks.review import reshuffler
from outbid.core.rulebook import Rulebook
from outbid.review import rollouts

ORDERS_FROM = 1 << 20  # streams of a seed: the orders of what is not drawn
PLAIN_LIMIT = 2_000  # steps of a match that is played on by the plain backend


class Estimator:
    """Judges positions of one match. compiled: whether matches are played on by compiled code."""

    def __init__(self, book: Rulebook, state: Any, compiled: bool = True, use_net: bool = True):
        self.book = book
        self.players = state.players
        net = value.judge(book) if use_net else None
        self.net = net if net is not None and net.fits(state) else None
        self.compiled = compiled
        self._space: strong.Space | None = None

    @property
    def name(self) -> str:
        """How it judges."""
        return "net" if self.net else "playouts"

    def worlds(self, state: Any, n: int, seed: int, first: int = 0) -> list[Any]:
        """Worlds `first` … `first` + n − 1 of a position: copies in which what nobody has drawn is in a new order."""
        reshuffle, made = reshuffler(self.book), []
        for number in range(first, first + n):
            made.append(state.copy())
            if reshuffle:
                reshuffle(made[-1], stream(seed, ORDERS_FROM + number))
        return made

    def values(self, worlds: Sequence[Any], seed: int, tally: Sequence[int], still: bool = False) -> NDArray[np.float64]:
        """What each seat may expect in each world, (W, P). tally: moves and steps of each seat so far (loops.columns).

        still: the worlds differ in nothing but the order of what is not drawn, which a net does not see.
        """
        if contract.asked(worlds[0]) == 0:
            return np.tile(shares(worlds[0]), (len(worlds), 1))
        if self.net:
            seen = worlds[:1] if still else worlds
            return np.tile([self.net.believed(world) if contract.asked(world) else shares(world) for world in seen],
                           (len(worlds) if still else 1, 1))  # fmt: skip
        return self._played(worlds, seed, tally)

    def _played(self, worlds: Sequence[Any], seed: int, tally: Sequence[int]) -> NDArray[np.float64]:
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
        found = np.zeros((len(worlds), self.players))
        policies = np.zeros(self.players, np.int64)
        limit = self.book.longest if self.compiled else PLAIN_LIMIT
        loop(self.book, self.compiled)(
            space.states, 0, -1, seed, len(worlds), 0, 0, limit, policies, self.players, space.work, tallies, found
        )
        return found


def shares(state: Any) -> NDArray[np.float64]:
    """What each seat has of the victory when the match is over."""
    mask = contract.winners(state, [0] * state.players)
    won = np.array([mask >> seat & 1 for seat in range(state.players)], np.float64)
    return won / won.sum()


def loop(book: Rulebook, compiled: bool) -> Any:
    """The loop that plays on (review/rollouts.py), for one game."""
    if not compiled:
        return rollouts.played
    from outbid.compiled.backend import entry

    return entry(book, rollouts.played)
