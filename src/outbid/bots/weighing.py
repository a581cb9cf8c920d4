"""One judge of all that stands in one list: the moves of a hint, what the coach compares, a puzzle, the two of a review.

    worths = strong.played_on(seat, moves, …)    float64 (W, M): what each is worth in the same worlds (search/weigh.py)
    opinions = strong.opinions(seat, moves)      float64 (V, M): the same by the net of the reviews, if any
    weighed(seat, moves, worths, opinions)       the moves as `WeighedMove`, the best first

A search looks at some moves longer than at others, each in worlds of its own, and leaves the heuristic's move only for a
clearly better one: what it thinks of two moves does not bear comparison, nor need its choice be the best of them. So the
moves are played on once more, all in the same worlds, and the net of the reviews, which draws the curve, says what the seat
may expect after each (value.after). The estimate of a move is the mean of the two, each weighted by its precision: rollouts
by the error of their differences, the net by OFF, which is how far such a net may be off. The best move is the best by that
estimate; what another one loses is told as the smaller of the two differences, so that it is never negative. Where either
judge clearly prefers another move, `WeighedMove.disputed` says so.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from outbid.bots.decision import WeighedMove
from outbid.bots.seat import Seat

OFF = 0.05  # of the victory: how far the net may be off in what lies between two moves
LEAST = 1e-8  # no squared error is smaller


def weighed(
    seat: Seat, moves: Sequence[Sequence[int]], worths: NDArray[np.float64], opinions: NDArray[np.float64] | None
) -> tuple[WeighedMove, ...]:
    """The moves as the one judge has them, the best first; of two that are alike the one that was named first."""
    estimates = worths.mean(0)
    if opinions is not None:
        errors = [ahead(worths, 0, k)[1] for k in range(1, len(moves))]
        noise = max(LEAST, sum(error**2 for error in errors) / max(1, len(errors)))
        estimates = (estimates / noise + opinions.mean(0) / OFF**2) / (1 / noise + 1 / OFF**2)
    best = int(estimates.argmax())
    listed = []
    for k, actions in enumerate(moves):
        second = (None, 0.0) if opinions is None else ahead(opinions, best, k)
        listed.append(WeighedMove(seat.said(actions), tuple(actions), *ahead(worths, best, k), *second))
    order = sorted(range(len(moves)), key=lambda k: (k != best, listed[k].less, -estimates[k]))
    return tuple(listed[k] for k in order)


def ahead(worths: NDArray[np.float64], best: int, k: int) -> tuple[float, float]:
    """By how much one move is better than another, and the error of that."""
    each = worths[:, best] - worths[:, k]
    return float(each.mean()), float(each.std(ddof=1) / len(each) ** 0.5) if len(each) > 1 else 0.0
