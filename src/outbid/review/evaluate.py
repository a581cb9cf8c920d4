"""Decisions of a match, judged by what the mover knew: what the move was worth, what was better, and by how much.

Only the mover's seat (bots/seat.py) is used: worlds agree with what it had seen, whatever the truth was, and the others are
of the types that their moves so far suggest. The look-ahead (bots/strong.py) evaluates the move that was made among
its candidates. If it would have made another, both are compared again in worlds drawn anew (where a seat keeps worlds,
mostly from those), for the best of many was also lucky. A loss counts only if it is more than MARGIN standard errors
of that comparison, more than the judge's own error among such players (Estimator.doubt), and too much for the best class,
else it is 0; it is never negative. Whoever is behind and has little at stake, as in a match that is lost, can lose points
instead.

Not judged: moves without a choice, and moves in an auction that a clock closes, where it is also a matter of being faster.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from outbid.bots import EvaluatedMove, LookAhead, Seat, strong
from outbid.bots.decision import LITTLE_CHANCE
from outbid.bots.heuristic import STEADY
from outbid.core import contract
from outbid.core.hooks.review import Made, place_of
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook

if TYPE_CHECKING:  # a server says what moves are called before it judges any
    import numpy as np
    from numpy.typing import NDArray

BEST, GOOD, INACCURACY, MISTAKE, BLUNDER = "best", "good", "inaccuracy", "mistake", "blunder"
CLASSES = ((BEST, 0.01), (GOOD, 0.03), (INACCURACY, 0.06), (MISTAKE, 0.12), (BLUNDER, 1.01))  # with losses below this
MARGIN = 2.0  # standard errors
WORLDS, SHORT_WORLDS = 120, 600  # of a comparison: played to the end; or for a few moves, if there is a value net
PLAIN = 20  # times fewer on the plain backend
SCALE = 0.1  # a loss of so much of the victory leaves 1/e of a decision's accuracy
LIGHT = 0.01  # of the victory: where less is at stake, a decision does not count for the accuracy
USUAL, HUNCH = 75.0, 0.05  # the accuracy that is believed of everybody; as firmly as after so much at stake
FINALISTS = 6  # moves of which the second judge is asked
FAR_APART = 3.0  # times as much as the other judge finds: what its worlds lead to does not explain the loss
MANY = 0.2  # of the points that a game calls a great lead: fewer are not worth a word
TRIES = 4  # times the heuristic is asked whether it would have made the better move, and why

Second = Callable[[Seat, Sequence[Sequence[int]]], "NDArray[np.float64] | None"]
"""What a seat may expect after each of some moves, in worlds that agree with what it knows, (W, moves); none: no opinion."""


@dataclass(frozen=True)
class JudgedMove:
    """A decision: the number of the move, the seat, what it was worth and what the best was (0 to 1, in the mover's eyes),
    the loss that counts, the error of the comparison, the better move (none: there was none), and why, by language; stake:
    by how much the best was better than the mean of what was evaluated, as the more careful judge has it; doubt: the judge's
    own error, how far a chance to win is off among such players; agreed: the judges differ by less than FAR_APART times;
    fewer: how many points the better move brings more, where the chances say little."""

    number: int
    seat: int
    worth: float
    best: float
    loss: float
    error: float
    better: dict[str, Any] | None
    why: dict[str, str]
    stake: float = 0.0
    doubt: float = 0.0
    agreed: bool = True
    fewer: int = 0

    @property
    def kind(self) -> str:
        """best, good, inaccuracy, mistake or blunder."""
        return GOOD if self.fewer else next(name for name, below in CLASSES if self.loss < below)


def judged(
    earlier: Match,
    move: Made,
    seed: int,
    effort: float = 1.0,
    compiled: bool = True,
    doubt: float = 0.0,
    second: Second | None = None,
) -> JudgedMove | None:
    """A move judged, or None if there was no choice to judge. earlier: the match before it. doubt: the judge's own error.
    second: the other judge (Estimator.after)."""
    book, state = earlier.rulebook, earlier.state
    if move.seat is None or contract.asked(state) >> contract.CLOCK & 1 or forced(book, state, move.seat):
        return None
    actions = tuple(book.words.steps(state, place_of(move.seat), move.said))
    seat = Seat.of(earlier, move.seat, seed)
    if not compiled:  # nothing is learned of the others: that would take longer than all else
        seat = replace(seat, past=())
    evaluated, best = LookAhead("review", "", effort, compiled=compiled).evaluated(seat, also=[actions])
    if len(evaluated) < 2:
        return None
    preferred, sure, stake = _agreed(evaluated, best, actions, seat, second)
    rival, worths, loss, error = preferred.actions, (preferred.value, preferred.value), 0.0, 0.0
    if rival != actions:
        worths, loss, error = compared(seat, rival, actions, effort, compiled)
    counts = loss > MARGIN * error and min(loss, sure) > max(doubt, CLASSES[0][1])
    fewer = 0
    if not counts and stake < LITTLE_CHANCE and max(worths) * seat.state.players < 1.0:
        rival = evaluated[best].actions
        fewer = points_lost(seat, rival, actions, compiled) if rival != actions else 0
    better = book.words.move(seat.world(0), move.seat, list(rival)) if counts or fewer else None
    why = _why(seat, preferred) if counts else {}
    counted = min(loss, sure) if counts else 0.0
    agreed = not counts or loss < FAR_APART * counted
    values = worths[1], max(worths), counted, error
    return JudgedMove(move.number, move.seat, *values, better, why, stake, doubt, agreed, fewer)


def _agreed(
    evaluated: Sequence[EvaluatedMove], best: int, actions: tuple[int, ...], seat: Seat, second: Second | None
) -> tuple[EvaluatedMove, float, float]:
    """The better move of which both judges think most, or the one that was made; by how much the second one thinks it
    better; and what was at stake, by the one who thinks it less."""
    own, first = next(option for option in evaluated if option.actions == actions), evaluated[best]
    stake = max(0.0, first.value - sum(option.value for option in evaluated) / len(evaluated))
    most = max(option.rollouts for option in evaluated)
    others = [option for option in evaluated if option is not own and option is not first]
    others.sort(key=lambda option: (2 * option.rollouts < most, -option.value))
    finalists = [own, *([first] if first is not own else []), *others][:FINALISTS]
    opinions = second(seat, [option.actions for option in finalists]) if second else None
    if opinions is None:
        return first, math.inf, stake
    import numpy as np

    worths = opinions.mean(0)
    stake = min(stake, float(worths.max() - worths.mean()))
    if first is own:
        return own, 0.0, stake
    ahead = opinions - opinions[:, :1]
    error = ahead.std(0, ddof=1) / math.sqrt(len(ahead)) if len(ahead) > 1 else np.zeros(len(worths))
    both = np.minimum(ahead.mean(0), [option.value - own.value for option in finalists])
    both[ahead.mean(0) <= MARGIN * error] = 0.0
    k = int(both.argmax())
    return (finalists[k], float(ahead.mean(0)[k]), stake) if both[k] > 0 else (own, 0.0, stake)


def compared(
    seat: Seat, first: Sequence[int], other: Sequence[int], effort: float, compiled: bool
) -> tuple[tuple[float, float], float, float]:
    """What two moves are worth to a seat in the same worlds; how much better the first is; and the error of that."""
    from outbid.bots.weighing import ahead

    short = not strong.SearchSettings.of(seat.rulebook, seat.state, seat.state.players).to_the_end
    worlds = round((SHORT_WORLDS if short else WORLDS) * max(1.0, effort) / (1 if compiled else PLAIN))
    results = strong.played_on(seat, (first, other), max(4, worlds), compiled)
    worths = float(results[:, 0].mean()), float(results[:, 1].mean())
    return worths, *ahead(results, 0, 1)


def points_lost(seat: Seat, first: Sequence[int], other: Sequence[int], compiled: bool) -> int:
    """How many points a move brings less than another, if they are clearly so many that it is worth a word; else 0."""
    from outbid.bots.weighing import clearly

    worlds = strong.AT_TABLES if compiled else strong.CONTRASTED_PLAIN
    fewer = clearly(strong.scored(seat, (first, other), compiled, worlds), 0, 1)
    return fewer if fewer >= MANY * seat.rulebook.search.unit else 0


def forced(book: Rulebook, state: Any, seat: int) -> bool:
    """There is only one move to be made."""
    trial, out, first = state.copy(), [0] * (book.actions + 64), True
    while first or contract.midway(trial, seat):
        if contract.legal(trial, seat, out) != 1:
            return False
        contract.apply(trial, seat, out[0])
        first = False
    return True


def accuracy(decisions: Sequence[JudgedMove]) -> float | None:
    """How well a player played, 0 to 100: the mean over the decisions of 100 · exp(−loss / SCALE), each as heavy as what was
    at stake. It begins at USUAL with the weight HUNCH: few decisions say little. Where nearly nothing could be lost (LIGHT)
    a decision does not count: random play soon has nothing to lose, and would seem faultless. None if nothing counts."""
    counted = [(weight, decision.loss) for decision in decisions if (weight := max(decision.stake, decision.loss)) >= LIGHT]
    if not counted:
        return None
    points = sum(100 * weight * math.exp(-loss / SCALE) for weight, loss in counted)
    return (HUNCH * USUAL + points) / (HUNCH + sum(weight for weight, _loss in counted))


def _why(seat: Seat, preferred: EvaluatedMove) -> dict[str, str]:
    """Why the better move is better, if the heuristic would make it and says why."""
    for seed in range(TRIES):
        decision = STEADY.decide(replace(seat, seed=seat.seed + seed))
        if decision.actions == preferred.actions:
            return dict(decision.private)
    return {}
