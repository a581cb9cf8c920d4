"""Goals of a search: a measure, and from where to where it is to be."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from outbid.core.errors import BadSetup

NEAR = 0.05  # a goal of one value is reached within this part of it
WRITTEN = re.compile(r"\s*(\w+)\s*(=|<|>)\s*(-?[\d.]+?)(?:\.\.(-?[\d.]+))?\s*")


@dataclass(frozen=True)
class Goal:
    """A measure, and from where to where it is to be."""

    measure: str
    low: float
    high: float
    text: str

    @classmethod
    def read(cls, text: str) -> Goal:
        """MEASURE=VALUE, MEASURE=LOW..HIGH, MEASURE<VALUE or MEASURE>VALUE. Raises BadSetup."""
        parts = WRITTEN.fullmatch(text)
        if parts is None:
            raise BadSetup(f"{text!r} is no goal; it must be such as minutes=40, minutes=30..45, ties<0.1 or skill>0.4.")
        name, sign, first, second = parts.groups()
        try:
            value, end = float(first), float(second or first)
        except ValueError:
            raise BadSetup(f"{text!r} is no goal: {second or first} is no number.") from None
        if sign != "=" and second is not None:
            raise BadSetup(f"{text!r} is no goal: a range follows =.")
        if sign == "<":
            return cls(name, -math.inf, value, text)
        if sign == ">":
            return cls(name, value, math.inf, text)
        if second is None and not value:
            raise BadSetup(f"The goal {text} leaves no room around 0; name a range, such as {name}<0.01.")
        if second is None:
            return cls(name, value - NEAR * abs(value), value + NEAR * abs(value), text)
        if value > end:
            raise BadSetup(f"The goal {text} cannot be met: its range is empty.")
        return cls(name, value, end, text)

    @property
    def scale(self) -> float:
        """What a loss of 1 is."""
        ends = [abs(end) for end in (self.low, self.high) if math.isfinite(end)]
        return max(max(ends), 1e-3)

    def loss(self, value: float) -> float:
        """How far a value is from the goal; 0: it is reached."""
        return max(0.0, self.low - value, value - self.high) / self.scale

    def least(self, low: float, high: float) -> float:
        """The smallest loss of a value between these."""
        return self.loss(high) if high < self.low else self.loss(low) if low > self.high else 0.0

    def reached(self, low: float | None, high: float | None) -> bool | None:
        """Whether a value is within the goal that lies between these with 95 %; None where they do not tell."""
        if low is None or high is None:
            return None
        return False if self.least(low, high) > 0 else True if self.loss(low) == self.loss(high) == 0 else None
