"""The win-probability curve of a match: what every seat could expect at each point, and what changed it, chance or a player.

A match is walked step by step in the true state and in worlds beside it, in which what nobody has drawn is in another order
(review/estimator.py). As long as nobody sees a difference, a step is a decision; where a player does, chance has revealed
something: then the decision is worth what it is in the mean of the worlds, the rest is the reveal, and new worlds begin.

The points of a curve are therefore: after the deal; after each move; and before and after each reveal. Since the last one
is the result, the changes between them sum exactly to the result, whatever the estimator says: with c(k) what a seat may
expect at point k and n seats,

    result − 1/n  =  (c(0) − 1/n)  +  Σ changes by reveals  +  Σ changes by its own moves  +  Σ changes by all others

which is the decomposition behind AIVAT (Burch and others, 2018). A good estimator makes the parts small where nothing
happened; with rollouts each part has an error, which is the one over the worlds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.compiled import loops
from outbid.core import contract
from outbid.core.hooks.review import Made, place_of, reshuffler
from outbid.core.match import hidden
from outbid.core.rulebook import Rulebook
from outbid.review.estimator import Estimator

DEAL, MOVE, REVEAL = "deal", "move", "reveal"
PROBES = 3  # worlds in which every seat is asked whether it sees a difference; a spectator is asked in all of them


@dataclass(frozen=True)
class Point:
    """A point of the curve: how many moves were complete or under way, what led here, who did (None: chance, the clock),
    what each seat could expect in each world, (W, P); how far the judge is off among such players; and the same where it is
    more than it should be, else 0 (Estimator.doubt, band); told: what the moves so far say of who sits there."""

    move: int
    kind: str
    seat: int | None
    values: NDArray[np.float64]
    doubt: float = 0.0
    band: float = 0.0
    told: NDArray[np.float64] | None = None

    @property
    def chances(self) -> NDArray[np.float64]:
        """What each seat could expect, (P,)."""
        return self.values.mean(0)


class Walk:
    """The walk through one match, with worlds `first` … `first` + n − 1."""

    def __init__(self, book: Rulebook, start: Any, judge: Estimator, n: int, seed: int, first: int = 0):
        self.book, self.judge = book, judge
        self.state, self.n, self.seed, self.first = start, n, seed, first
        self.reshuffles = reshuffler(book) is not None
        self.tally = [0] * loops.columns(start.players)
        self.worlds = judge.worlds(start, n, seed, first)
        self.company = judge.company()
        self.points = [self._point(0, DEAL, None, still=True)]

    def _point(self, move: int, kind: str, seat: int | None, still: bool) -> Point:
        evidence = self.company.told
        values = self.judge.values(self.worlds, self.seed + self.first, self.tally, still, evidence)
        over = contract.asked(self.state) == 0
        band = 0.0 if over else self.judge.band(evidence)
        return Point(move, kind, seat, values, self.judge.doubt(evidence), band, evidence.copy())

    def make(self, move: Made) -> None:
        """One move of the match."""
        place, left = place_of(move.seat), True
        for action in self.book.words.steps(move.before, place, move.said):
            self.company.heed(self.state, place, action)
            for state in (self.state, *self.worlds):
                contract.apply(state, place, action)
            loops.count_step(self.state, place, self.state.players, self.tally)
            left = True
            if self.reshuffles and self._differs():
                self.points.append(self._point(move.number + 1, MOVE, move.seat, still=False))
                self.worlds = self.judge.worlds(self.state, self.n, self.seed, self.first)
                self.points.append(self._point(move.number + 1, REVEAL, None, still=True))
                left = False
        if left:
            self.points.append(self._point(move.number + 1, MOVE, move.seat, still=True))

    def _differs(self) -> bool:
        """A seat sees that the worlds are not the truth."""
        seen = hidden(self.state, -1)
        if any(hidden(world, -1) != seen for world in self.worlds):
            return True
        for seat in range(self.state.players):
            seen = hidden(self.state, seat)
            if any(hidden(world, seat) != seen for world in self.worlds[:PROBES]):
                return True
        return False


def curve_of(
    book: Rulebook,
    moves: Sequence[Made],
    judge: Estimator,
    n: int,
    seed: int,
    first: int = 0,
    tell: Callable[[int], object] | None = None,
) -> list[Point]:
    """The points of a match, in worlds `first` … `first` + n − 1. tell: called with the moves done."""
    walk = Walk(book, moves[0].before.copy(), judge, n, seed, first)
    for move in moves:
        walk.make(move)
        if tell:
            tell(1)
    return walk.points


def joined(curves: Sequence[Sequence[Point]]) -> list[Point]:
    """Several curves of one match as one, with all their worlds."""
    return [
        replace(points[0], values=np.concatenate([point.values for point in points]))
        for points in zip(*curves, strict=True)
    ]


@dataclass(frozen=True)
class ResultPart:
    """A part of a result: how much it added to what a seat could expect, and its error (0 where nothing was drawn)."""

    value: float
    error: float


def parts(points: Sequence[Point], seat: int) -> dict[str, ResultPart]:
    """What a seat owes to the deal, to reveals, to its own decisions and to those of others; they sum to its result less the
    equal share."""
    players = points[0].values.shape[1]
    changes = {name: np.zeros(len(points[0].values)) for name in ("deal", "reveals", "own", "others")}
    changes["deal"] = points[0].values[:, seat] - 1 / players
    for before, after in pairwise(points):
        name = "reveals" if after.kind == REVEAL else "own" if after.seat == seat else "others"
        changes[name] = changes[name] + after.values[:, seat] - before.values[:, seat]
    return {name: ResultPart(float(each.mean()), _error(each)) for name, each in changes.items()}


def _error(each: NDArray[np.float64]) -> float:
    return float(each.std(ddof=1) / len(each) ** 0.5) if len(each) > 1 else 0.0
