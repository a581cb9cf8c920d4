"""Exact evaluation and CFR+ on the sequence form. Arrays only. Compiled subset.

A *sequence* is one action at one information set, together with all own actions before it; the first `players` sequences
are the empty ones. A strategy of all seats is `plan`: for each sequence the product of its seat's own probabilities up to
it. Information sets stand seat by seat (`ranges`), each before those that follow it, so that one pass backwards does what
a walk of the tree would; `by_seats` brings those that were grown (game_tree.py) into that order. `gains[z, p]` is the payoff
of seat p at the z-th of `n` terminals times the probability of its deals.
"""

from typing import Any, NamedTuple

from outbid.compiled.buffers import declared, float64
from outbid.compiled.game_tree import BEFORE, FIRST, N_ACTIONS, SEAT


@declared
class Cfr(NamedTuple):
    """What CFR+ knows of each of J sequences."""

    regrets: Any = float64("J", says="cumulative regrets, never below 0")
    current: Any = float64("J", says="its probability where it can be chosen")
    plan: Any = float64("J", says="this probability times those of its seat before it")
    sums: Any = float64("J", says="of plans, each times the number of its iteration")
    values: Any = float64("J", says="what it is worth to its seat now")


def by_seats(facts, n, players, ordered, rows, former, renamed, ranges):
    """Bring n information sets into the order of seats: `ordered` are their facts with sequences named anew, rows[k] is the
    old place of the k-th, former[j] the old name of a sequence and renamed[i] the new one of an old; the empty ones stay."""
    for seat in range(players):
        former[seat] = seat
        renamed[seat] = seat
    row = 0
    named = players
    for seat in range(players):
        ranges[seat] = row
        for k in range(n):
            if facts[k, SEAT] == seat:
                rows[row] = k
                ordered[row, SEAT] = seat
                ordered[row, FIRST] = named
                ordered[row, N_ACTIONS] = facts[k, N_ACTIONS]
                for j in range(facts[k, FIRST], facts[k, FIRST] + facts[k, N_ACTIONS]):
                    former[named] = j
                    renamed[j] = named
                    named += 1
                row += 1
    ranges[players] = row
    for k in range(n):
        ordered[k, BEFORE] = renamed[facts[rows[k], BEFORE]]


def realize(facts, first, last, probabilities, plan):
    """The plan of the information sets `first` … `last` − 1 (all of a seat) under `probabilities`."""
    for k in range(first, last):
        reach = plan[facts[k, BEFORE]]
        for j in range(facts[k, FIRST], facts[k, FIRST] + facts[k, N_ACTIONS]):
            plan[j] = reach * probabilities[j]


def expect(ends, gains, n, plan, out):
    """The sums of all columns of `gains` under a plan."""
    for z in range(n):
        reach = 1.0
        for seat in range(ends.shape[1]):
            reach *= plan[ends[z, seat]]
        for column in range(gains.shape[1]):
            out[column] += reach * gains[z, column]


def counter(ends, gains, n, seat, plan, values):
    """What the seat's terminals are worth by its last sequence, the others playing `plan`; added to `values`."""
    if ends.shape[1] == 2:
        other = 1 - seat
        for z in range(n):
            values[ends[z, seat]] += gains[z, seat] * plan[ends[z, other]]
        return
    for z in range(n):
        gain = gains[z, seat]
        for other in range(ends.shape[1]):
            if other != seat:
                gain *= plan[ends[z, other]]
        values[ends[z, seat]] += gain


def respond(facts, first, last, values, best):
    """The best response of a seat, backwards; its value comes to stand in `values` at the empty sequence."""
    for k in range(last - 1, first - 1, -1):
        start = facts[k, FIRST]
        top = start
        for j in range(start, start + facts[k, N_ACTIONS]):
            best[j] = 0.0
            if values[j] > values[top]:
                top = j
        best[top] = 1.0
        values[facts[k, BEFORE]] += values[top]


def follow(facts, first, last, probabilities, values):
    """Evaluate a seat that plays by `probabilities`, backwards: values[j] becomes what sequence j is worth with all that
    follows it."""
    for k in range(last - 1, first - 1, -1):
        for j in range(facts[k, FIRST], facts[k, FIRST] + facts[k, N_ACTIONS]):
            values[facts[k, BEFORE]] += probabilities[j] * values[j]


def clear(facts, first, last, seat, values):
    """Set to 0 what the sequences of a seat are worth."""
    values[seat] = 0.0
    for j in range(facts[first, FIRST], facts[last - 1, FIRST] + facts[last - 1, N_ACTIONS]):
        values[j] = 0.0


def iterate(facts, ranges, ends, gains, n, start, iterations, cfr):
    """CFR+: regret matching+, seats one after the other, averages weighted by the number of the iteration."""
    players = ends.shape[1]
    regrets, current, plan, sums, values = cfr.regrets, cfr.current, cfr.plan, cfr.sums, cfr.values
    for number in range(start, start + iterations):
        for seat in range(players):
            first, last = ranges[seat], ranges[seat + 1]
            if first == last:
                continue
            clear(facts, first, last, seat, values)
            counter(ends, gains, n, seat, plan, values)
            for k in range(last - 1, first - 1, -1):
                begin, open_now = facts[k, FIRST], facts[k, N_ACTIONS]
                value = 0.0
                for j in range(begin, begin + open_now):
                    value += current[j] * values[j]
                total = 0.0
                for j in range(begin, begin + open_now):
                    regrets[j] = max(0.0, regrets[j] + values[j] - value)
                    total += regrets[j]
                for j in range(begin, begin + open_now):
                    current[j] = regrets[j] / total if total > 0.0 else 1.0 / open_now
                values[facts[k, BEFORE]] += value
            realize(facts, first, last, current, plan)
            for j in range(facts[first, FIRST], facts[last - 1, FIRST] + facts[last - 1, N_ACTIONS]):
                sums[j] += (number + 1.0) * plan[j]


def normalize(facts, infosets, weights, probabilities):
    """Probabilities in proportion to weights; uniform where there are none."""
    for k in range(infosets):
        begin, n = facts[k, FIRST], facts[k, N_ACTIONS]
        total = 0.0
        for j in range(begin, begin + n):
            total += weights[j]
        for j in range(begin, begin + n):
            probabilities[j] = weights[j] / total if total > 0.0 else 1.0 / n
