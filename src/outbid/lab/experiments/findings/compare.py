"""Statistics: what variants differ in, paired by deal, with intervals that hold for all comparisons together.

A deal is the unit: its matches (rotations) are one mean, and two variants are compared by the differences of their means of
the same deals, so that what the shuffle does cancels out (common random numbers; Law and Kelton). The interval of a mean is
Student's over the deals.

Whether there is a difference is decided by Holm's procedure (1979), which bounds the chance of any wrong decision, but says
nothing of the intervals. These are simultaneous by themselves: so many standard errors wide as the largest studentized
deviation of all comparisons reaches when deals are drawn again, the same for all (the bootstrap of max |t|; Westfall and
Young 1993). With fewer than `DRAWN_FROM` deals they are Bonferroni's with Student's quantiles where these are wider, and
always these where fewer than `SEEN` deals differ from the most. An interval may therefore touch 0 where Holm, who decides
step by step, finds a difference.

A verdict is "same" (the interval lies within the smallest difference that matters), "higher" or "lower" (by Holm), or
"open".

A run that may stop by itself looks again and again; its intervals are asymptotic confidence sequences (Robbins 1970;
Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2021), which hold at all looks together, each at the level
2.5 % / comparisons, and decide alone. If the clock or the last deal ends it, which no figure decides, it is judged as a run
of so many deals, at the other 2.5 %: looks and end together err in 5 % of runs at most.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.lab.experiments.measures import LEGAL, SEAT_GAP, SEAT_SPREAD, LabMeasure
from outbid.lab.shares import share_from

ALPHA = 0.05
POWER = 0.8  # with which `needed` matches show the smallest difference that matters, or that there is none
NORMAL = NormalDist()
MOST_NEEDED = 10**12
BETWEEN = 2  # a difference of this part of the smallest that matters is the hardest to settle
AGREE = 100  # deals that are all the same leave, with 95 %, at most 3 % that are not; fewer settle nothing
LEAST = 30  # deals before there is any verdict
DRAWN_FROM = 100  # deals from which those that are drawn again tell enough …
KEPT = 1000  # … and of which at most so many are kept for it
DRAWS = 999
USED = 0.05  # of the matches, in which a thing is used whose users tell something
SEEN = 20  # deals that differ from the most, below which no bootstrap can be trusted

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
    """What has been taken in of the cells. names: the columns; deals, matches, pairs: moments by cell; first: the
    differences of the first deals of each pair; different: in how many deals of a pair anything went differently."""

    names: Sequence[str]
    deals: dict[Any, RunningMoments] = field(default_factory=dict)
    matches: dict[Any, RunningMoments] = field(default_factory=dict)
    pairs: dict[Any, RunningMoments] = field(default_factory=dict)
    first: dict[Any, Numbers] = field(default_factory=dict)
    different: dict[Any, int] = field(default_factory=dict)

    def add(self, cell: Any, values: Numbers, rotations: int, base: tuple[Any, Numbers, int] | None) -> None:
        """A block of a cell, (matches, columns), and the same deals of the cell that it is compared with."""
        by_deal = _by_deal(values, rotations)
        self._of(self.deals, cell).add(by_deal)
        self._of(self.matches, cell).add(values)
        if base is not None:
            pair = base[0], cell
            differences = by_deal - _by_deal(*base[1:])
            self._of(self.pairs, pair).add(differences)
            kept = self.first.get(pair, differences[:0])
            self.first[pair] = np.concatenate([kept, differences[: KEPT - len(kept)]])
            played = differences[:, [name not in LEGAL for name in self.names]]
            self.different[pair] = self.different.get(pair, 0) + int(played.any(1).sum())

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
    deals, matches = tally.deals[cell], tally.matches[cell]
    variant, company, players = cell
    place = {"measure": name, "variant": variant, "company": company, "players": players}
    if name == SEAT_SPREAD:
        distance, mean, error, freedom = _seats(deals, tally.names, players)
        half = _widest(freedom, ALPHA) * error if deals.n > 1 else math.inf
        figures = {"mean": mean, "low": max(0.0, distance - half), "high": _finite(distance + half), "sd": 0.0}
        return {**place, **figures, "matches": matches.n, "deals": deals.n}
    if name == SEAT_GAP:
        columns = [tally.names.index(f"order:{place}") for place in range(players)]
        shares, errors = deals.mean[columns], np.array([deals.error(column) for column in columns])
        halves = student(1 - ALPHA / (2 * players), deals.n - 1) * errors if deals.n > 1 else np.full(players, math.inf)
        least, most = shares - halves, shares + halves
        figures = {"mean": float(np.ptp(shares)), "low": max(0.0, float(least.max() - most.min())),
                   "high": _finite(float(most.max() - least.min())), "sd": 0.0}  # fmt: skip
        return {**place, **figures, "matches": matches.n, "deals": deals.n}
    column = tally.names.index(name)
    mean, error = float(deals.mean[column]), deals.error(column)
    if measure.chance:
        less = 1 / players if measure.least < 0 else 0.0
        share = share_from(mean + less, error if deals.n > 1 else None, deals.n, max(1, matches.n // deals.n))
        low, high = share.low - less, share.high - less
    else:
        half = student(1 - ALPHA / 2, deals.n - 1) * error if deals.n > 1 else 0.0
        low, high = mean - half, mean + half
    figures = {"mean": mean, "low": low, "high": high, "sd": matches.deviation(column)}
    return {**place, **figures, "matches": matches.n, "deals": deals.n}


def _seats(moments: RunningMoments, names: Sequence[str], players: int) -> tuple[float, float, float, float]:
    """How far the seats' shares of the victories lie from the equal share (root of the mean square): as seen, and without
    what noise adds to the mean square; the same of the noise alone, and its degrees of freedom."""
    columns = [names.index(f"order:{place}") for place in range(players)]
    noise = moments.squares[columns] / max(1, moments.n - 1) / moments.n
    square = float(((moments.mean[columns] - 1 / players) ** 2).mean())
    unbiased = math.sqrt(max(0.0, square - float(noise.mean())))
    spread = float(noise.sum() ** 2 / (noise**2).sum()) if noise.any() else float(players)
    return math.sqrt(square), unbiased, math.sqrt(noise.mean()), spread * (players - 1) / players


def _widest(freedom: float, level: float) -> float:
    """The root of the quantile of chi-square / freedom (Wilson and Hilferty 1931): how far noise goes in many dimensions."""
    part = 2 / (9 * freedom)
    return float(max(0.0, 1 - part + NORMAL.inv_cdf(1 - level) * math.sqrt(part)) ** 1.5)


@dataclass(frozen=True)
class Pair:
    """A comparison before it is corrected. first: the differences of the first deals; freedom: degrees of freedom, of
    Student's distribution or of the noise in all seats, if it is of these."""

    name: str
    base: Any
    cell: Any
    n: int
    matches: int
    mean_a: float
    mean_b: float
    difference: float
    error: float
    first: Numbers
    freedom: float

    @property
    def drawable(self) -> bool:
        """Whether deals that are drawn again say how sure it is."""
        return support(self.first) >= SEEN and self.name != SEAT_SPREAD

    @property
    def p(self) -> float:
        """The chance of such a difference where there is none."""
        if self.error == 0:
            return 1.0 if self.difference == 0 or self.n < 2 else 0.0
        apart = abs(self.difference) / self.error
        if self.name == SEAT_SPREAD:
            part = 2 / (9 * self.freedom)
            return NORMAL.cdf((1 - part - apart ** (2 / 3)) / math.sqrt(part))
        f = self.freedom  # Wallace 1959
        return 2 * NORMAL.cdf(-math.sqrt(f * math.log1p(apart * apart / f)) * (8 * f + 1) / (8 * f + 3))

    def quantile(self, level: float) -> float:
        """So many standard errors reach as far as noise does, but for `level`."""
        if self.name == SEAT_SPREAD:
            return _widest(self.freedom, level)
        return student(1 - level / 2, int(self.freedom))


def support(differences: Numbers) -> int:
    """How many deals differ from the middle one: of few, such as rare ties, a mean tells little."""
    return int((differences != np.median(differences)).sum())


def pairs(names: Iterable[str], tally: Tally) -> list[Pair]:
    """All comparisons of these measures."""
    compared = []
    for (base, cell), moments in tally.pairs.items():
        n, matches, kept = moments.n, tally.matches[cell].n, tally.first[base, cell]
        for name in names:
            if name == SEAT_SPREAD:
                a, b = (_seats(tally.deals[key], tally.names, cell[2])[1] for key in (base, cell))
                *_, error, freedom = _seats(moments, tally.names, cell[2])
                compared.append(Pair(name, base, cell, n, matches, a, b, b - a, error, kept[:, 0], freedom))
                continue
            column = tally.names.index(name)
            difference, error, first = float(moments.mean[column]), moments.error(column), kept[:, column]
            a, b = (float(tally.deals[key].mean[column]) for key in (base, cell))
            freedom = max(1, min(n, max(1, support(first)) * n // max(1, len(first))) - 1)
            compared.append(Pair(name, base, cell, n, matches, a, b, difference, error, first, freedom))
    return compared


def moved(names: Sequence[str], tally: Tally) -> list[dict[str, Any]]:
    """What is not the same in every deal, by comparison: of these measures, and whether it is nothing at all; in how many
    deals anything went differently, which what is legal alone does not make."""
    rows = []
    for (base, cell), moments in tally.pairs.items():
        differs = (moments.mean != 0) | (moments.squares > 0)
        (a, company, players), (b, _, _) = base, cell
        place = {"a": a, "b": b, "company": company, "players": players}
        measures = [name for name in names if differs[tally.names.index(name)]]
        counts = {"deals": moments.n, "different": tally.different[base, cell]}
        rows.append({**place, "measures": measures, "nothing": not differs.any(), **counts})
    return rows


def comparisons(
    measures: Mapping[str, LabMeasure], sources: Sequence[tuple[Tally, Sequence[str]]],
    matters: Mapping[str, float] | None = None, sequence_for: int | None = None, alpha: float = ALPHA,
) -> list[dict[str, Any]]:
    """All comparisons as results.json has them. sources: tallies, each with the measures that are compared. matters: the
    smallest differences that do, where they are not those of the measures. sequence_for: the deals that are asked for where
    the run may stop by itself; its intervals hold at every look. alpha: the chance that any of it errs."""
    tested = [pair for tally, names in sources for pair in pairs(names, tally)]
    each = alpha / max(1, len(tested))
    if sequence_for:
        halves = [sequence(pair.error, pair.n, each, sequence_for) for pair in tested]
    else:
        drawn = [pair for pair in tested if pair.drawable]
        reach = critical([pair.first for pair in drawn], each * len(drawn)) if drawn else 0.0
        halves = []
        for pair in tested:
            alone = 0.0 if pair.drawable and pair.n >= DRAWN_FROM else pair.quantile(each)
            halves.append(max(alone, reach if pair.drawable else 0.0) * pair.error)
    rows = []
    for pair, half, p in zip(tested, halves, holm([pair.p for pair in tested]), strict=True):
        half = half if pair.n > 1 else math.inf
        smallest = (matters or {}).get(pair.name) or measures[pair.name].smallest(pair.mean_a)
        differs = abs(pair.difference) > half if sequence_for else p <= alpha
        rows.append(_compared(measures[pair.name], pair, half, p, differs, smallest, each))
    return rows


def critical(columns: Sequence[Numbers], level: float) -> float:
    """So many standard errors hold all means together, but for `level`: the quantile of the largest studentized deviation
    when deals are drawn again. columns: of each comparison its deals; those of as many deals are the same deals."""
    largest = np.zeros(DRAWS)
    for n in {len(column) for column in columns}:
        values = np.stack([column - column.mean() for column in columns if len(column) == n], 1)
        weights = _weights(n)
        means = weights @ values
        errors = np.sqrt(np.maximum(weights @ values**2 - means**2, 0.0) / (n - 1))
        deviations = np.divide(abs(means), errors, out=np.where(means == 0, 0.0, math.inf), where=errors > 0)
        largest = np.maximum(largest, deviations.max(1))
    return float(np.quantile(largest, 1 - level, method="higher"))


@lru_cache(maxsize=2)
def _weights(n: int) -> Numbers:
    """What each deal weighs where so many are drawn again, (draws, n)."""
    drawn = np.random.default_rng(n).integers(0, n, (DRAWS, n)) + n * np.arange(DRAWS)[:, None]
    return np.asarray(np.bincount(drawn.ravel(), minlength=DRAWS * n).reshape(DRAWS, n) / n)


def holm(p: Sequence[float]) -> list[float]:
    """The corrected p of each comparison."""
    corrected, worst = [1.0] * len(p), 0.0
    for rank, k in enumerate(sorted(range(len(p)), key=lambda k: (p[k], k))):
        worst = max(worst, min(1.0, (len(p) - rank) * p[k]))
        corrected[k] = worst
    return corrected


def _compared(
    measure: LabMeasure, pair: Pair, half: float, p: float, differs: bool, smallest: float, level: float
) -> dict[str, Any]:
    alone = pair.quantile(ALPHA) * pair.error if pair.n > 1 else math.inf
    low, high = pair.difference - half, pair.difference + half
    verdict = _verdict(low, high, pair, differs, smallest)
    (a, company, players), (b, _, _) = pair.base, pair.cell
    return {
        "measure": measure.name, "definition": measure.definition, "source": measure.source, "company": company,
        "players": players, "a": a, "b": b, "mean_a": pair.mean_a, "mean_b": pair.mean_b, "difference": pair.difference,
        "low": _finite(low), "high": _finite(high), "alone_low": _finite(pair.difference - alone),
        "alone_high": _finite(pair.difference + alone), "p": p, "matches": pair.matches, "settled": verdict != "open",
        "verdict": verdict, "smallest": smallest, "needed": None,
        **(_needed(pair, level, smallest) if verdict == "open" else {}),
    }  # fmt: skip


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _verdict(low: float, high: float, pair: Pair, differs: bool, smallest: float) -> str:
    if pair.error == 0 and pair.difference == 0:
        return "same" if pair.n >= AGREE else "open"
    if pair.n < LEAST:
        return "open"
    if -smallest < low and high < smallest:
        return "same"
    return ("higher" if pair.difference > 0 else "lower") if differs else "open"


def _needed(pair: Pair, level: float, smallest: float) -> dict[str, int]:
    """Matches of each variant after which, with a power of 80 %, the smallest difference that matters would be shown, or
    that there is none; between: the same of any difference between these, as `needed` where the former were played."""
    each = max(1, pair.matches // pair.n)
    if pair.error == 0:
        return {"needed": AGREE * each, "between": AGREE * each}
    if not smallest:
        return {}
    quantiles = pair.quantile(level) if pair.name == SEAT_SPREAD else NORMAL.inv_cdf(1 - level / 2)
    spread = (quantiles + NORMAL.inv_cdf((1 + POWER) / 2)) * pair.error * math.sqrt(pair.n)
    needed, between = (max(LEAST, math.ceil((spread / part) ** 2)) * each for part in (smallest, smallest / BETWEEN))
    needed = needed if needed > pair.matches else between
    return {"needed": needed, "between": between} if pair.matches < needed < MOST_NEEDED else {}


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


def thing_edge(usage: NDArray[np.int64], matches: int, players: int, parts: int) -> tuple[float, float, float]:
    """How far the share of the victories of those who used a thing lies from the equal share at most, of things used in
    `USED` of the matches, with an interval for all of them together. usage: of all things, as observed.py counts."""
    rows = [usage_interval(row, parts) for row in usage.tolist() if row[2] >= USED * matches and row[3]]
    if not rows:
        return 0.0, 0.0, 1.0
    edges, errors = (np.array(column) for column in zip(*((abs(row[0] - 1 / players), row[3]) for row in rows), strict=True))
    halves = for_all(len(rows)) * errors
    return float(edges.max()), max(0.0, float((edges - halves).max())), float((edges + halves).max())


def for_all(things: int) -> float:
    """So many standard errors hold the shares of so many things together (Bonferroni)."""
    return NORMAL.inv_cdf(1 - ALPHA / (2 * max(1, things)))
