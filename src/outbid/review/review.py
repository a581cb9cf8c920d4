"""The review of a match: win probabilities, every decision judged, luck apart from skill, accuracy, five moments.

    review(match, …) -> dict      JSON values, the format below; sentences about it are made by review/text.py

| key | is |
| --- | --- |
| format | "outbid-review/4" |
| game, players, result | the game, the names, and what each seat had of the victory |
| estimator, worlds | "net" or "playouts" (review/estimator.py), and in how many worlds each position was judged |
| course | a list of points (review/curve.py): move, kind (deal, move, reveal), seat, chances, error (over the worlds), |
| | band (how far the judge is off among such players, where that is more than it should be; else 0) |
| luck | by seat: deal, reveals, own, others and the error of each; the four sum to the result less the equal share |
| decisions | a list (review/evaluate.py): move, seat, worth, best, loss, error, stake, doubt, class, better, why, agreed |
| | (the judges do not differ much; missing: they do not), and the contrast (core/hooks/contrast.py) of what the better |
| | move leads to and the one that was made, where there is a better one and they agree; a loss within `doubt`, the |
| | judge's own error, is 0; fewer: how many points the better move brings more, where that is all there is to lose |
| accuracy | by seat, 0 to 100; null where nothing was at stake |
| moments | up to five: move, seat, and what: loss (a decision), luck (a reveal) or turn (a move that changed most) |

A move is numbered from 0; its point of the curve is the one after it, `move` + 1, which is the step of the replay.
The same match with the same seed has the same review, whichever decisions are judged first.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from outbid.bots.nets.value import shares
from outbid.bots.seat import Seat
from outbid.bots.strong import contrasted
from outbid.core.errors import BadSetup
from outbid.core.hooks.review import Made, moves_of
from outbid.core.match import Match
from outbid.review import FORMAT, evaluate
from outbid.review.curve import REVEAL, Point, curve_of, joined, parts
from outbid.review.estimator import Estimator
from outbid.review.evaluate import JudgedMove

WORLDS = 48  # of each position
EFFORT = 0.3  # of the look-ahead of the bot `strong`, for each decision
BATCH = 12  # of them are looked at first
MOMENTS = 5
SURE = 2.0  # standard errors by which a change must differ from nothing to be a moment
DECISION = 4  # judging a decision is as much work as so many positions
APART = 3  # moves between two moments
STAYS = 2  # points before and after within which a change by a move must be there: the judge is not quite even
SHORT = 20  # moves of a match that is not worth loading compiled code for; it is judged in …
PLAIN = 6  # … so many worlds

Tell = Callable[[float, dict[str, Any]], object]


def review(
    match: Match,
    *,
    worlds: int = WORLDS,
    effort: float = EFFORT,
    seed: int = 0,
    compiled: bool | None = None,
    use_net: bool = True,
    tell: Tell | None = None,
    first: int | None = None,
) -> dict[str, Any]:
    """The review of a match that is over. effort: times the usual look-ahead. tell: called again and again with the part
    that is done (0 to 1) and the review so far, in which what is not known yet is missing. compiled: None: unless the match
    is short; then it has fewer worlds. first: the seat whose decisions are judged before all others. Raises BadSetup."""
    if not match.over:
        raise BadSetup("The match is not over; only a finished match can be reviewed.")
    moves, book, names = moves_of(match), match.rulebook, match.names
    if compiled is None:
        compiled = len(moves) > SHORT
        worlds = worlds if compiled else min(worlds, PLAIN)
    estimator = Estimator(book, match.state, compiled, use_net)
    batches = _batches(worlds)
    work, done = len(moves) * (len(batches) + DECISION), 0
    result: dict[str, Any] = {
        "format": FORMAT,
        "game": book.id,
        "players": list(names),
        "result": shares(match.state).tolist(),
        "estimator": estimator.name,
        "worlds": 0,
    }

    def advance(n: int) -> None:
        nonlocal done
        done += n
        if tell:
            tell(min(1.0, done / work), result)

    curves: list[list[Point]] = []
    points: list[Point] = []
    for begin, n in batches:
        curves.append(curve_of(book, moves, estimator, n, seed, begin, advance))
        points = joined(curves)
        result |= {"worlds": begin + n, "course": _points(points), "luck": _luck(points)}
    judged: dict[int, tuple[JudgedMove, dict[str, Any]]] = {}
    before = {point.move: point for point in points}
    for move in promising(moves, points, first):
        point, earlier = before[move.number], match.at(move.number)
        second = partial(estimator.after, told=point.told)
        decision = evaluate.judged(earlier, move, seed, effort, compiled, point.doubt, second)
        if decision:
            explained = decision.better and decision.agreed
            contrast = _contrast(earlier, decision, move, seed, compiled) if explained else None
            judged[move.number] = decision, _decision(decision) | {"contrast": contrast}
            result["decisions"] = [row for _number, (_decided, row) in sorted(judged.items())]
        advance(DECISION)
    decisions = [decided for _number, (decided, _row) in sorted(judged.items())]
    by_seat = [[one for one in decisions if one.seat == seat] for seat in range(match.players)]
    return result | {
        "decisions": result.get("decisions", []),
        "accuracy": [None if exact is None else round(exact, 1) for exact in map(evaluate.accuracy, by_seat)],
        "moments": moments(moves, points, decisions),
    }


def promising(moves: Sequence[Made], points: Sequence[Point], seat: int | None) -> list[Made]:
    """The moves in the order in which they are judged: first those of a seat, the ones after which it could expect less
    than before, by the curve, before the others; then those of all others as they were made."""
    if seat is None:
        return list(moves)
    before = {point.move: point.chances[seat] for point in points}
    after = {point.move: point.chances[seat] for point in reversed(points)}  # before anything was revealed

    def change(move: Made) -> float:
        return float(after[move.number + 1] - before[move.number])

    own = [move for move in moves if move.seat == seat]
    return sorted(own, key=change) + [move for move in moves if move.seat != seat]


def sketch(match: Match, seed: int = 0) -> dict[str, Any]:
    """The win-probability curve alone, as the first batch of worlds has it: game, players and course of the format above."""
    moves = moves_of(match)
    estimator = Estimator(match.rulebook, match.state, len(moves) > SHORT)
    points = curve_of(match.rulebook, moves, estimator, BATCH if len(moves) > SHORT else PLAIN, seed, 0, lambda _n: None)
    return {"game": match.rulebook.id, "players": list(match.names), "course": _points(points)}


def _batches(worlds: int) -> list[tuple[int, int]]:
    """The worlds in batches, the first of which is soon done: (first, how many)."""
    if worlds < 2:
        raise BadSetup(f"A position cannot be judged in {worlds} worlds; there must be at least 2.")
    head = min(BATCH, worlds)
    return [(0, head)] + ([(head, worlds - head)] if worlds > head else [])


def _points(points: Sequence[Point]) -> list[dict[str, Any]]:
    return [
        {
            "move": point.move,
            "kind": point.kind,
            "seat": point.seat,
            "chances": [round(float(chance), 4) for chance in point.chances],
            "error": round(float(point.values.std(0).max() / len(point.values) ** 0.5), 4),
            "band": round(point.band, 4),
        }
        for point in points
    ]


def _luck(points: Sequence[Point]) -> list[dict[str, float]]:
    rows = []
    for seat in range(points[0].values.shape[1]):
        split = parts(points, seat)
        errors = {f"{name}_error": part.error for name, part in split.items()}
        rows.append({name: part.value for name, part in split.items()} | errors)
    return rows


def _decision(decision: JudgedMove) -> dict[str, Any]:
    worths = {name: round(getattr(decision, name), 4) for name in ("worth", "best", "loss", "error", "stake", "doubt")}
    verdict = {"class": decision.kind, "better": decision.better, "why": decision.why, "agreed": decision.agreed}
    fewer = {"fewer": decision.fewer} if decision.fewer else {}
    return {"move": decision.number, "seat": decision.seat, **worths, **verdict, **fewer}


def _contrast(earlier: Match, decision: JudgedMove, move: Made, seed: int, compiled: bool) -> dict[str, Any]:
    """What the better move leads to and the one that was made does not."""
    assert decision.better is not None
    words, state = earlier.rulebook.words, earlier.state
    better, actual = (tuple(words.steps(state, decision.seat, entry)) for entry in (decision.better, move.said))
    seat = Seat.of(earlier, decision.seat, seed)
    return contrasted(seat if compiled else replace(seat, past=()), better, actual, compiled).as_json()


def moments(moves: Sequence[Made], points: Sequence[Point], decisions: Iterable[JudgedMove]) -> list[dict[str, Any]]:
    """What is worth looking at, in the order of the match: the dearest mistakes, then the greatest changes."""
    candidates = [(1 + one.loss, one.number, "loss") for one in decisions if one.loss >= evaluate.CLASSES[2][1]]
    for k, (before, after) in enumerate(pairwise(points)):
        each = after.values - before.values
        change = each.mean(0)
        error = each.std(0) / len(each) ** 0.5
        if not (np.abs(change) > SURE * error).any():
            continue
        if after.kind == REVEAL:
            candidates.append((float(np.abs(change).max()), after.move - 1, "luck"))
            continue
        later, earlier = points[min(k + 1 + STAYS, len(points) - 1)], points[max(0, k - STAYS)]
        each_way = np.stack([change, later.chances - before.chances, after.chances - earlier.chances])
        lasting = np.where((each_way > 0).all(0) | (each_way < 0).all(0), np.abs(each_way).min(0), 0.0).max()
        if lasting > 0:
            candidates.append((float(lasting), after.move - 1, "turn"))
    chosen: list[tuple[int, str]] = []
    for _size, number, what in sorted(candidates, key=lambda one: (-one[0], one[1])):
        if len(chosen) < MOMENTS and all(abs(number - other) >= APART for other, _what in chosen):
            chosen.append((number, what))
    return [{"move": number, "what": what, "seat": moves[number].seat} for number, what in sorted(chosen)]
