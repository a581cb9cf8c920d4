"""What was decided in matches that were played: their steps, made once more and written down. Compiled subset."""

from typing import Any, NamedTuple

from outbid.compiled.buffers import bool_, declared, float32, int64, records
from outbid.core.chance import stream
from outbid.core.contract import CLOCK, apply, asked, deal, legal, midway, observe, score


@declared
class Decisions(NamedTuple):
    """Steps of seats in which they had a choice. R of them, M matches, P players, F features, A actions."""

    seen: Any = float32("R", "F", says="what the seat saw")
    could: Any = bool_("R", "A", says="what it could do; all false before")
    did: Any = int64("R", says="what it did")
    of: Any = int64("R", says="the match, from 0")
    seat: Any = int64("R", says="the seat")
    move: Any = int64("R", says="the number of the move in the match, from 0")
    state: Any = records("R", says="the whole state")
    points: Any = int64("M", "P", says="the score of each match in the end")
    over: Any = bool_("M", says="whether it came to its end")


def decisions(states, i, seed, first, players, steps, ends, rows, out):
    """Play the deals from `first` on as `steps` says, int16 (S, 2), seat and action, the k-th up to ends[k]; returns how
    many decisions were written. There is room for as many as there are steps.

    states[i] is fresh, with its options; the record after it is worked in."""
    n = 0
    begin = 0
    for k in range(len(ends)):
        states[i + 1] = states[i]
        deal(states[i + 1], players, stream(seed, first + k))
        moves = 0
        for step in range(begin, ends[k]):
            seat = steps[step, 0]
            many = 0
            if seat != CLOCK:
                many = legal(states[i + 1], seat, out)
            if many > 1:
                observe(states[i + 1], seat, rows.seen[n])
                for choice in range(many):
                    rows.could[n, out[choice]] = True
                rows.did[n] = steps[step, 1]
                rows.of[n] = k
                rows.seat[n] = seat
                rows.move[n] = moves
                rows.state[n] = states[i + 1]
                n += 1
            apply(states[i + 1], seat, steps[step, 1])
            if seat == CLOCK or midway(states[i + 1], seat) == 0:
                moves += 1
        begin = ends[k]
        rows.over[k] = asked(states[i + 1]) == 0
        score(states[i + 1], rows.points[k])
    return n
