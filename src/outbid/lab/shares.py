"""How sure a share is: one interval for every share of victories that is measured anywhere.

The interval is Wilson's (1927), which is never empty, whatever was seen: after one victory in one match it reaches from 21
to 100 %. Where several matches share a deal they are not independent, so they count as the effective number of matches that
would vary as much as the deals did (Kish 1965; Korn & Graubard 1998): never fewer than the deals, never more than the
matches. That few deals happened to agree proves little: they are counted as if one more had been as different as can be.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NORMAL = 1.959964  # the 97.5 % quantile of the normal distribution


@dataclass(frozen=True)
class Share:
    """A mean share of the victory. error: its standard error over the deals, none if there is but one; low, high: 95 %
    interval."""

    mean: float
    error: float | None
    low: float
    high: float

    def __str__(self) -> str:
        return percent(self.mean, self.low, self.high)

    def as_dict(self) -> dict[str, float | None]:
        """The share and its interval as values of JSON."""
        return {"share": self.mean, "error": self.error, "low": self.low, "high": self.high}


def share_of(values: NDArray[np.float64], each: int = 1) -> Share:
    """The share of a bot that had these shares of the deals, (deals,), each of so many matches."""
    deals, mean = len(values), float(values.mean())
    return share_from(mean, float(values.std(ddof=1) / deals**0.5) if deals > 1 else None, deals, each)


def share_from(share: float, error: float | None, deals: int, each: int = 1) -> Share:
    """A share from its mean and standard error."""
    most = share * (1 - share)  # no shares from 0 to 1 with this mean vary more
    among = 0.0 if error is None else error * error * (deals - 1)
    shrunk = (deals * among + most) / (deals + 1)
    number = deals * most / shrunk if shrunk > 0 else deals
    return Share(share, error, *wilson(share, min(max(number, deals), deals * each)))


def wilson(share: float, number: float) -> tuple[float, float]:
    """The interval of a share of so many independent matches; the share lies within it."""
    square = NORMAL * NORMAL / number
    middle = (share + square / 2) / (1 + square)
    half = NORMAL * math.sqrt(share * (1 - share) / number + square / (4 * number)) / (1 + square)
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


def percent(share: float, low: float, high: float) -> str:
    """ "78.3 (75.4–81.0) %"."""
    return f"{100 * share:.1f} ({100 * low:.1f}–{100 * high:.1f}) %"
