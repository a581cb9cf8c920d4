"""Statistics: what variants differ in, paired by deal, with intervals that hold for all comparisons together.

A deal is the unit: its matches (rotations) are one mean, and two variants are compared by the differences of their means of
the same deals, so that what the shuffle does cancels out (common random numbers; Law and Kelton). The interval of a mean is
Student's over the deals. Many comparisons are corrected by Holm (1979): `p` is his, and the interval of a comparison is of
the level at which his procedure decides it, so that it excludes 0 exactly where the difference is settled.

A run that may stop by itself looks again and again; its intervals are asymptotic confidence sequences (Robbins 1970;
Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2021), which hold at all looks together, each at the level 5 % / comparisons.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.lab.experiments.measures import LabMeasure
from outbid.lab.shares import share_from

ALPHA = 0.05
POWER = 0.8  # with which `needed` matches would settle a difference as large as the one seen
NORMAL = NormalDist()
MOST_NEEDED = 10**12
AGREE = 100  # deals that are all the same leave, with 95 %, at most 3 % that are not; fewer settle nothing

Numbers = NDArray[np.float64]


@dataclass
class RunningMoments:
    """Count, mean and sum of squared deviations of several columns, taken in by blocks (Chan, Golub and LeVeque 1979)."""

    n: int
    mean: Numbers
    squares: Numbers

    @classmethod
    def empty(cls, columns: int) -> RunningMoments:
        """Moments of no values."""
        return cls(0, np.zeros(columns), np.zeros(columns))

    def add(self, values: Numbers) -> None:
        """Take in rows of values, (n, columns)."""
        n = len(values)
        mean = values.mean(0)
        squares = ((values - mean) ** 2).sum(0)
        total = self.n + n
        apart = mean - self.mean
        self.squares = self.squares + squares + apart * apart * (self.n * n / total)
        self.mean = self.mean + apart * (n / total)
        self.n = total

    def deviation(self, column: int) -> float:
        return math.sqrt(self.squares[column] / (self.n - 1)) if self.n > 1 else 0.0

    def error(self, column: int) -> float:
        """The standard error of the mean."""
        return self.deviation(column) / math.sqrt(self.n) if self.n else 0.0


@dataclass
class Tally:
    """What has been taken in of the cells. names: the columns; deals, matches, pairs: moments by cell."""

    names: Sequence[str]
    deals: dict[Any, RunningMoments] = field(default_factory=dict)
    matches: dict[Any, RunningMoments] = field(default_factory=dict)
    pairs: dict[Any, RunningMoments] = field(default_factory=dict)

    def add(self, cell: Any, values: Numbers, rotations: int, base: tuple[Any, Numbers, int] | None) -> None:
        """A block of a cell, (matches, columns), and the same deals of the cell that it is compared with."""
        by_deal = _by_deal(values, rotations)
        self._of(self.deals, cell).add(by_deal)
        self._of(self.matches, cell).add(values)
        if base is not None:
            key, other, turns = base
            self._of(self.pairs, (key, cell)).add(by_deal - _by_deal(other, turns))

    def _of(self, where: dict[Any, RunningMoments], key: Any) -> RunningMoments:
        return where.setdefault(key, RunningMoments.empty(len(self.names)))


def _by_deal(values: Numbers, rotations: int) -> Numbers:
    return np.asarray(values.reshape(-1, rotations, values.shape[1]).mean(1))


def student(p: float, freedom: int) -> float:
    """The quantile of Student's distribution, by the expansion of Cornish and Fisher; exact enough from ten degrees on."""
    z = NORMAL.inv_cdf(p)
    if freedom < 1:
        return math.inf
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / freedom ** (k + 1) for k, term in enumerate(terms)))


def summary(measure: LabMeasure, name: str, cell: Any, tally: Tally) -> dict[str, Any]:
    """The mean of a measure in a cell with its 95 % interval."""
    column = tally.names.index(name)
    deals, matches = tally.deals[cell], tally.matches[cell]
    mean, error = float(deals.mean[column]), deals.error(column)
    variant, company, players = cell
    if measure.chance:
        less = 1 / players if measure.least < 0 else 0.0
        share = share_from(mean + less, error if deals.n > 1 else None, deals.n, max(1, matches.n // deals.n))
        low, high = share.low - less, share.high - less
    else:
        half = student(1 - ALPHA / 2, deals.n - 1) * error if deals.n > 1 else 0.0
        low, high = mean - half, mean + half
    place = {"measure": name, "variant": variant, "company": company, "players": players}
    figures = {"mean": mean, "low": low, "high": high, "sd": matches.deviation(column)}
    return {**place, **figures, "matches": matches.n, "deals": deals.n}


@dataclass(frozen=True)
class Pair:
    """A comparison before it is corrected."""

    name: str
    base: Any
    cell: Any
    n: int
    matches: int
    mean_a: float
    mean_b: float
    difference: float
    error: float
    p: float


def pairs(names: Iterable[str], tally: Tally) -> list[Pair]:
    """All comparisons of these measures."""
    compared = []
    for (base, cell), moments in tally.pairs.items():
        for name in names:
            column = tally.names.index(name)
            difference, error = float(moments.mean[column]), moments.error(column)
            a, b = (float(tally.deals[key].mean[column]) for key in (base, cell))
            p = _p(difference, error, moments.n)
            compared.append(Pair(name, base, cell, moments.n, tally.matches[cell].n, a, b, difference, error, p))
    return compared


def moved(names: Sequence[str], tally: Tally) -> list[dict[str, Any]]:
    """What is not the same in every deal, by comparison: of these measures, and whether it is nothing at all."""
    rows = []
    for (base, cell), moments in tally.pairs.items():
        differs = (moments.mean != 0) | (moments.squares > 0)
        (a, company, players), (b, _, _) = base, cell
        place = {"a": a, "b": b, "company": company, "players": players}
        measures = [name for name in names if differs[tally.names.index(name)]]
        rows.append({**place, "measures": measures, "nothing": not differs.any()})
    return rows


def _p(difference: float, error: float, n: int) -> float:
    if error == 0:
        return 1.0 if difference == 0 or n < 2 else 0.0
    return 2 * NORMAL.cdf(-abs(difference) / error)


def comparisons(
    measures: Mapping[str, LabMeasure], sources: Sequence[tuple[Tally, Sequence[str]]],
    smallest: Mapping[str, float] | None = None, sequence_for: int | None = None,
) -> list[dict[str, Any]]:
    """All comparisons as results.json has them. sources: tallies, each with the measures that are compared. smallest:
    differences that do not matter. sequence_for: the deals that are asked for where the run may stop by itself; its
    intervals hold at every look."""
    tested = [pair for tally, names in sources for pair in pairs(names, tally)]
    levels, corrected = holm([pair.p for pair in tested])
    if sequence_for:
        levels = [ALPHA / len(tested)] * len(tested)
    return [
        _compared(measures[pair.name], pair, level, p, (smallest or {}).get(pair.name), sequence_for)
        for pair, level, p in zip(tested, levels, corrected, strict=True)
    ]


def holm(p: Sequence[float]) -> tuple[list[float], list[float]]:
    """The level at which Holm's procedure decides each comparison, and his corrected p."""
    m = len(p)
    levels, corrected = [ALPHA] * m, [1.0] * m
    worst, failed = 0.0, False
    level = ALPHA
    for rank, k in enumerate(sorted(range(m), key=lambda k: (p[k], k))):
        if not failed:
            level = ALPHA / (m - rank)
            failed = p[k] > level
        worst = max(worst, min(1.0, (m - rank) * p[k]))
        levels[k], corrected[k] = level, worst
    return levels, corrected


def _compared(
    measure: LabMeasure, pair: Pair, level: float, p: float, smallest: float | None, sequence_for: int | None
) -> dict[str, Any]:
    alone = student(1 - ALPHA / 2, pair.n - 1) * pair.error if pair.n > 1 else math.inf
    if sequence_for:
        half = sequence(pair.error, pair.n, level, sequence_for)
    else:
        half = NORMAL.inv_cdf(1 - level / 2) * pair.error if pair.n > 1 else math.inf
    low, high = pair.difference - half, pair.difference + half
    verdict = _verdict(low, high, pair, smallest)
    (a, company, players), (b, _, _) = pair.base, pair.cell
    needed = None if verdict != "open" else _needed(pair, level, smallest)
    return {
        "measure": measure.name, "definition": measure.definition, "source": measure.source, "company": company,
        "players": players, "a": a, "b": b, "mean_a": pair.mean_a, "mean_b": pair.mean_b, "difference": pair.difference,
        "low": _finite(low), "high": _finite(high), "alone_low": _finite(pair.difference - alone),
        "alone_high": _finite(pair.difference + alone), "p": p, "matches": pair.matches, "settled": verdict != "open",
        "verdict": verdict, "needed": needed,
    }  # fmt: skip


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _verdict(low: float, high: float, pair: Pair, smallest: float | None) -> str:
    if pair.error == 0 and pair.difference == 0:
        return "same" if pair.n >= AGREE else "open"
    if low > 0:
        return "higher"
    if high < 0:
        return "lower"
    if smallest is not None and -smallest < low and high < smallest:
        return "same"
    return "open"


def _needed(pair: Pair, level: float, smallest: float | None) -> int | None:
    """Matches of each variant after which a difference as large as the one seen would be settled with a power of 80 %; where
    a smallest one is named, after which a difference of 0 would be known to be smaller, if that is sooner."""
    if pair.error == 0 and pair.difference == 0:
        return AGREE * max(1, pair.matches // pair.n)
    quantiles = NORMAL.inv_cdf(1 - level / 2) + NORMAL.inv_cdf(POWER)
    spread = pair.error * math.sqrt(pair.n)
    apart = max(abs(pair.difference), smallest or 0.0)
    if apart == 0 or not math.isfinite(quantiles):
        return None
    deals = max(pair.n + 1, math.ceil((quantiles * spread / apart) ** 2))
    needed = deals * max(1, pair.matches // pair.n)
    return needed if needed < MOST_NEEDED else None


def sequence(error: float, n: int, level: float, asked: int) -> float:
    """Half the width of an asymptotic confidence sequence after n deals, narrowest at about the deals that are asked for."""
    if n < 2:
        return math.inf
    rho = (-2 * math.log(level) + math.log(-2 * math.log(level)) + 1) / asked
    deviation = error * math.sqrt(n)
    grown = n * rho + 1
    return deviation * math.sqrt(2 * grown / (n * n * rho) * math.log(math.sqrt(grown) / level))


def usage_interval(row: Sequence[int], parts: int) -> tuple[float, float, float, float]:
    """The share of the victory of seats that used a thing, over all matches, its 95 % interval (a ratio of sums by match,
    linearised) and its standard error. row: as observed.py counts."""
    _used, _could, matches, users, shares, users2, shares2, both = map(float, row)
    if users == 0:
        return 0.0, 0.0, 1.0, 0.0
    ratio = shares / users
    variance = max(0.0, shares2 - 2 * ratio * both + ratio * ratio * users2)
    error = math.sqrt(variance) / users if matches > 1 else None
    share = share_from(ratio / parts, None if error is None else error / parts, int(matches), max(1, round(users / matches)))
    return share.mean, share.low, share.high, 0.0 if error is None else error / parts
