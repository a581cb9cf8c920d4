"""One Plackett–Luce fit over all matches of a zoo: ratings with intervals.

In the model each bot has a strength, and a match is drawn place by place: of those who have no place yet, each comes next
with a chance in proportion to its strength. Seats that finish level count as every order of theirs, each for its part. A
rating is 400 · log10 of the strength, as in chess: 400 points more are ten times the strength, so that of two the stronger
finishes first ten times in eleven; `steady`, or the first bot if it is not there, stands at ANCHOR.

The stages of all matches (who was left, who came next) are all the fit needs; it is found by Newton's method. Every two bots
are given PRIOR matches besides, half won by each, so that one who never loses stands high and not nowhere. Intervals hold
95 % of the ratings of draws of the deals with replacement: all matches of a deal are drawn together. Where all deals went
alike they would be empty; so none is narrower than what the curvature of the likelihood says of as many matches.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outbid.lab.shares import NORMAL
from outbid.runs.runner import Played

ANCHOR = 1000.0
SCALE = 400 / np.log(10)
PRIOR = 0.5
STEPS = 100  # of Newton's method; it takes some ten
BAR = 24  # characters

Stage = tuple[tuple[int, ...], int]  # how many seats of each bot were left; which bot came next


@dataclass(frozen=True)
class Rung:
    """A bot's place on the ladder; low, high: 95 % interval."""

    bot: str
    rating: float
    low: float
    high: float


def ladder(bots: Sequence[str], matches: Sequence[Played], draws: int = 200, seed: int = 0) -> list[Rung]:
    """The ratings of all bots, the best first."""
    weights, left, came = stages(matches, len(bots))
    middle = ratings(bots, weights.sum(0), left, came)
    rng = np.random.default_rng(seed)
    deals = len(weights)
    drawn = [ratings(bots, rng.multinomial(deals, np.full(deals, 1 / deals)) @ weights, left, came) for _ in range(draws)]
    half = NORMAL * SCALE * errors(bots, weights.sum(0), left, came)
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0) if drawn else (middle, middle)
    low, high = np.minimum(low, middle - half), np.maximum(high, middle + half)
    rungs = [Rung(bot, *(float(x[k]) for x in (middle, low, high))) for k, bot in enumerate(bots)]
    return sorted(rungs, key=lambda rung: -rung.rating)


def ratings(
    bots: Sequence[str], weights: NDArray[np.float64], left: NDArray[np.int64], came: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The strengths on the scale that people read, points (B,). The arrays are those of `fit`."""
    strength = SCALE * fit(weights, left, came)
    return strength - strength[_anchor(bots)] + ANCHOR


def errors(
    bots: Sequence[str], weights: NDArray[np.float64], left: NDArray[np.int64], came: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The standard errors of the logarithms of the strengths beside the one that stands at ANCHOR, (B,). The arrays are
    those of `fit`."""
    theta = fit(weights, left, came)
    all_weights, all_left, _came = _with_prior(weights, left, came)
    spread = np.linalg.pinv(_bend(all_weights, _parts(all_left, theta)))
    at = _anchor(bots)
    made: NDArray[np.float64] = np.sqrt(np.maximum(0, np.diag(spread) + spread[at, at] - 2 * spread[at]))
    return made


def _anchor(bots: Sequence[str]) -> int:
    return bots.index("steady") if "steady" in bots else 0


def _with_prior(
    weights: NDArray[np.float64], left: NDArray[np.int64], came: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """The stages, and those of the PRIOR matches."""
    n = left.shape[1]
    pairs = list(itertools.permutations(range(n), 2))
    left = np.vstack([left, [[k in pair for k in range(n)] for pair in pairs]])
    came = np.append(came, [one for one, _ in pairs])
    return np.append(weights, np.full(len(pairs), PRIOR / 2)), left, came


def _parts(left: NDArray[np.int64], theta: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chance of each bot to come next, by stage."""
    part = left.astype(np.float64) * np.exp(theta)
    made: NDArray[np.float64] = part / part.sum(1, keepdims=True)
    return made


def _bend(weights: NDArray[np.float64], part: NDArray[np.float64]) -> NDArray[np.float64]:
    """The curvature of the logarithm of the likelihood, Fisher's information."""
    made: NDArray[np.float64] = np.diag(weights @ part) - (part * weights[:, None]).T @ part
    return made


def fit(weights: NDArray[np.float64], left: NDArray[np.int64], came: NDArray[np.int64]) -> NDArray[np.float64]:
    """The logarithms of the strengths, with mean 0, (B,). Of each of S stages: weights (S,): how often it was; left (S, B):
    1 for each bot that was still in; came (S,): which came next."""
    n = left.shape[1]
    weights, left, came = _with_prior(weights, left, came)
    won = np.bincount(came, weights, n)
    theta = np.zeros(n)

    def gain(at: NDArray[np.float64]) -> float:
        return float(won @ at - weights @ np.log(left @ np.exp(at)))

    for _ in range(STEPS):
        part = _parts(left, theta)
        slope = won - weights @ part
        kept = np.full((n, n), weights.sum() / n)  # keeps the mean where it is
        step = np.linalg.solve(_bend(weights, part) + kept, slope)
        size, before = 1.0, gain(theta)
        while gain(theta + size * step) < before and size > 1e-6:
            size /= 2
        theta = theta + size * step
        if np.abs(size * step).max() < 1e-9:
            break
    return theta - theta.mean()


def stages(matches: Sequence[Played], bots: int) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """How often each stage was, by deal (deals, S), matches of the same deal in one row; left (S, B) and came (S,) of
    `fit`."""
    numbers: dict[Stage, int] = {}
    known: dict[tuple[tuple[int, ...], tuple[int, ...]], Mapping[Stage, float]] = {}
    deals = 1 + max(int(each.deal.max()) for each in matches)
    entries: list[tuple[int, int, float]] = []
    for played in matches:
        for deal, who, places in zip(played.deal.tolist(), played.bots.tolist(), played.places.tolist(), strict=True):
            finish = tuple(who), tuple(places)
            if finish not in known:
                known[finish] = of_match(*finish, bots)
            for stage, times in known[finish].items():
                entries.append((deal, numbers.setdefault(stage, len(numbers)), times))
    weights = np.zeros((deals, len(numbers)))
    for deal, stage_number, times in entries:
        weights[deal, stage_number] += times
    weights = weights[weights.any(1)]
    return weights, np.array([left for left, _ in numbers]), np.array([came for _, came in numbers])


def of_match(who: Sequence[int], places: Sequence[int], bots: int) -> dict[Stage, float]:
    """The stages of one match; a stage with one kind of bot left says nothing and is left out."""
    counts: dict[Stage, float] = {}
    left = [who.count(bot) for bot in range(bots)]
    for place in sorted(set(places)):
        level = [bot for bot, at in zip(who, places, strict=True) if at == place]
        orders = list(_orders(level))
        for order, times in orders:
            rest = left.copy()
            for bot in order:
                if sum(n > 0 for n in rest) > 1:
                    stage = tuple(rest), bot
                    counts[stage] = counts.get(stage, 0.0) + times
                rest[bot] -= 1
        for bot in level:
            left[bot] -= 1
    return counts


def _orders(level: Sequence[int]) -> Iterator[tuple[tuple[int, ...], float]]:
    """The orders of those who finished level, and the part of each."""
    every = list(itertools.permutations(level))
    for order in set(every):
        yield order, every.count(order) / len(every)


def bars(rungs: Sequence[Rung]) -> list[str]:
    """The ladder for people: a line a bot, the interval as a bar."""
    low, high = min(rung.low for rung in rungs), max(rung.high for rung in rungs)
    width = max(len(rung.bot) for rung in rungs)

    def at(rating: float) -> int:
        return round((BAR - 1) * (rating - low) / max(high - low, 1e-9))

    lines = []
    for rung in rungs:
        dot, low_end, high_end = at(rung.rating), at(rung.low), at(rung.high)
        bar = "".join("●" if k == dot else "─" if low_end <= k <= high_end else " " for k in range(BAR))
        lines.append(f"{rung.bot.ljust(width)}  {rung.rating:6.0f}  {rung.low:6.0f} … {rung.high:<6.0f} {bar}".rstrip())
    return lines
