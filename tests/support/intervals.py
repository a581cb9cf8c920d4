"""How often all intervals of a run hold together: differences of known truths, drawn many times."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.lab.experiments.findings import compare
from outbid.lab.experiments.measures import LabMeasure

Numbers = NDArray[np.float64]
TRUTHS: dict[str, tuple[Callable[[np.random.Generator, int, int], Numbers], float]] = {
    "normal": (lambda rng, deals, columns: rng.normal(0.5, 1, (deals, columns)), 0.5),
    "skewed": (lambda rng, deals, columns: rng.exponential(1, (deals, columns)), 1.0),
    "binary": (lambda rng, deals, columns: (rng.random((deals, columns)) < 0.4).astype(float), 0.4),
}
"""Differences of deals, (deals, comparisons), and their true mean."""


def tally(differences: Numbers) -> compare.Tally:
    """What is taken in of a variant that differs by these from a baseline that is always 0."""
    made = compare.Tally([f"m{column}" for column in range(differences.shape[1])])
    base = ("a", "all", 2)
    made.add(base, np.zeros_like(differences), 1, None)
    made.add(("b", "all", 2), differences, 1, (base, np.zeros_like(differences), 1))
    return made


def rows(differences: Numbers, **how: Any) -> list[dict[str, Any]]:
    """The comparisons of these differences."""
    taken = tally(differences)
    known = {name: LabMeasure(name, name, "", unit="share") for name in taken.names}
    return compare.comparisons(known, [(taken, taken.names)], **how)


def hold(truth: str, comparisons: int, deals: int, repeats: int, seed: int = 1) -> int:
    """In how many repeats all intervals hold the truth."""
    draw, mean = TRUTHS[truth]
    rng = np.random.default_rng([seed, comparisons, deals])
    return sum(
        all(row["low"] <= mean <= row["high"] for row in rows(draw(rng, deals, comparisons))) for _ in range(repeats)
    )


def below(held: int, repeats: int, level: float = 0.95, sure: float = 0.99) -> bool:
    """Whether the interval of a coverage lies below what is promised (Wilson 1927)."""
    z = NormalDist().inv_cdf((1 + sure) / 2)
    share, square = held / repeats, z * z / repeats
    middle = share + square / 2
    return (middle + z * math.sqrt(share * (1 - share) / repeats + square / repeats / 4)) / (1 + square) < level
