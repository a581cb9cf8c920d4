"""Exact evaluation and CFR+ on the sequence form. Compiled; arrays only.

A *sequence* is one action at one information set, together with all own actions before it; the first `players` sequences
are the empty ones. A strategy of all seats is `plan`: for each sequence the product of its seat's own probabilities up to
it. Information sets stand seat by seat (`ranges`), each before those that follow it, so that one pass backwards does what
a walk of the tree would. `gains[z, p]` is the payoff of seat p at terminal z times the probability of its deals.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from outbid.solve.growth import BEFORE, FIRST, N_ACTIONS

jit: Any = numba.njit(cache=True, nogil=True, error_model="numpy")


@jit
def realize(facts: Any, first: int, last: int, probabilities: Any, plan: Any) -> None:
    """The plan of the information sets `first` … `last` − 1 (all of a seat) under `probabilities`."""
    for k in range(first, last):
        reach = plan[facts[k, BEFORE]]
        for j in range(facts[k, FIRST], facts[k, FIRST] + facts[k, N_ACTIONS]):
            plan[j] = reach * probabilities[j]


@jit
def expect(ends: Any, gains: Any, plan: Any, out: Any) -> None:
    """The sums of all columns of `gains` under a plan."""
    for z in range(len(ends)):
        reach = 1.0
        for seat in range(ends.shape[1]):
            reach *= plan[ends[z, seat]]
        for column in range(gains.shape[1]):
            out[column] += reach * gains[z, column]


@jit
def counter(ends: Any, gains: Any, seat: int, plan: Any, values: Any) -> None:
    """What the seat's terminals are worth by its last sequence, the others playing `plan`; added to `values`."""
    if ends.shape[1] == 2:
        other = 1 - seat
        for z in range(len(ends)):
            values[ends[z, seat]] += gains[z, seat] * plan[ends[z, other]]
        return
    for z in range(len(ends)):
        gain = gains[z, seat]
        for other in range(ends.shape[1]):
            if other != seat:
                gain *= plan[ends[z, other]]
        values[ends[z, seat]] += gain


@jit
def respond(facts: Any, first: int, last: int, values: Any, best: Any) -> None:
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


@jit
def iterate(
    facts: Any, ranges: Any, ends: Any, gains: Any, start: int, iterations: int, regrets: Any, current: Any, plan: Any,
    sums: Any, values: Any,
) -> None:  # fmt: skip
    """CFR+: regret matching+, seats one after the other, averages weighted by the number of the iteration."""
    players = ends.shape[1]
    for number in range(start, start + iterations):
        for seat in range(players):
            first, last = ranges[seat], ranges[seat + 1]
            if first == last:
                continue
            values[seat] = 0.0
            for j in range(facts[first, FIRST], facts[last - 1, FIRST] + facts[last - 1, N_ACTIONS]):
                values[j] = 0.0
            counter(ends, gains, seat, plan, values)
            for k in range(last - 1, first - 1, -1):
                begin, n = facts[k, FIRST], facts[k, N_ACTIONS]
                value = 0.0
                for j in range(begin, begin + n):
                    value += current[j] * values[j]
                total = 0.0
                for j in range(begin, begin + n):
                    regrets[j] = max(0.0, regrets[j] + values[j] - value)
                    total += regrets[j]
                for j in range(begin, begin + n):
                    current[j] = regrets[j] / total if total > 0.0 else 1.0 / n
                values[facts[k, BEFORE]] += value
            realize(facts, first, last, current, plan)
            for j in range(facts[first, FIRST], facts[last - 1, FIRST] + facts[last - 1, N_ACTIONS]):
                sums[j] += (number + 1.0) * plan[j]


@jit
def normalize(facts: Any, weights: Any, probabilities: Any) -> None:
    """Probabilities in proportion to weights; uniform where there are none."""
    for k in range(len(facts)):
        begin, n = facts[k, FIRST], facts[k, N_ACTIONS]
        total = 0.0
        for j in range(begin, begin + n):
            total += weights[j]
        for j in range(begin, begin + n):
            probabilities[j] = weights[j] / total if total > 0.0 else 1.0 / n


def zeros(n: int) -> Any:
    """n zeros."""
    return np.zeros(n, np.float64)
