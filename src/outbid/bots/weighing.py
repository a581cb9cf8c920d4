"""One judge of all that stands in one list: the moves of a hint, what the coach compares, a puzzle, the two of a review.

    worths = strong.played_on(seat, moves, …)    float64 (W, M): what each is worth in the same worlds (search/weigh.py)
    opinions = strong.opinions(seat, moves)      float64 (V, M): the same by the net of the reviews, if any
    weighed(seat, moves, worths, opinions)       the moves as `WeighedMove`, the best first
    weighed(…, strong.scored(seat, moves, …))    the same where the chances to win say little: then points decide

A search looks at some moves longer than at others, each in worlds of its own, and leaves the heuristic's move only for a
clearly better one: what it thinks of two moves does not bear comparison, nor need its choice be the best of them. So the
moves are played on once more, all in the same worlds, and the net of the reviews, which draws the curve, says what the seat
may expect after each (value.after). The estimate of a move is the mean of the two, each weighted by its precision: rollouts
by the error of their differences, the net by how far it was off in what lies between two moves, when that was measured
(weighing.json, by benchmarks/advice.py): by game, and by what it gives the seat. The best move is the best by that
estimate; what another one loses is told as the smaller of the two differences, so that it is never negative. Where either
judge clearly prefers another move, `WeighedMove.disputed` says so.
"""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from outbid.bots.decision import MARGIN, WeighedMove
from outbid.bots.seat import Seat

MEASURED = Path(__file__).with_suffix(".json")
ASSUMED_OFF = 0.05  # of the victory: how far a net is taken to be off in a game in which nobody has measured it
KINDS = (("behind", 0.2), ("open", 0.6), ("ahead", 1.01))  # positions in which the net gives a seat less than that
LEAST = 1e-8  # no squared error is smaller


def weighed(
    seat: Seat,
    moves: Sequence[Sequence[int]],
    worths: NDArray[np.float64],
    opinions: NDArray[np.float64] | None,
    scores: NDArray[np.float64] | None = None,
) -> tuple[WeighedMove, ...]:
    """The moves as the one judge has them, the best first; of two that are alike the one that was named first."""
    estimates = worths.mean(0)
    if opinions is not None:
        errors = [ahead(worths, 0, k)[1] for k in range(1, len(moves))]
        noise = max(LEAST, sum(error**2 for error in errors) / max(1, len(errors)))
        doubt = off(seat.rulebook.id, kind_of(float(opinions.mean()))) ** 2
        estimates = (estimates / noise + opinions.mean(0) / doubt) / (1 / noise + 1 / doubt)
    best = int(estimates.argmax())
    if scores is not None and clearly(scores, most := int(scores.mean(0).argmax()), best):
        best = most
    listed = []
    for k, actions in enumerate(moves):
        second: tuple[float | None, float] = (None, 0.0) if opinions is None else ahead(opinions, best, k)
        fewer = 0 if scores is None else clearly(scores, best, k)
        listed.append(WeighedMove(seat.said(actions), tuple(actions), *ahead(worths, best, k), *second, fewer))
    order = sorted(range(len(moves)), key=lambda k: (k != best, listed[k].fewer, listed[k].less, -estimates[k]))
    return tuple(listed[k] for k in order)


def clearly(scores: NDArray[np.float64], best: int, k: int) -> int:
    """How many points one move brings more than another, if it is clearly more; else 0."""
    more, error = ahead(scores, best, k)
    return round(more) if more > MARGIN * error else 0


def kind_of(share: float) -> str:
    """The kind of a position in which a seat may expect such a share of the victory."""
    return next(kind for kind, below in KINDS if share < below)


@cache
def off(game: str, kind: str) -> float:
    """How far the net of the reviews is off, in the mean square, in what lies between two moves; shares of the victory."""
    cells = [cell for cell in json.loads(MEASURED.read_text(encoding="utf-8"))["cells"] if cell["game"] == game]
    known = [cell["off"] for cell in cells if cell["kind"] == kind] or [cell["off"] for cell in cells]
    return float(max(known, default=ASSUMED_OFF))


def ahead(worths: NDArray[np.float64], best: int, k: int) -> tuple[float, float]:
    """By how much one move is better than another, and the error of that."""
    each = worths[:, best] - worths[:, k]
    return float(each.mean()), float(each.std(ddof=1) / len(each) ** 0.5) if len(each) > 1 else 0.0
