"""Numbers as a report writes them, in the language of the moment: as many digits as the interval is worth."""

import math

from outbid.core.language.i18n import _
from outbid.core.language.phrases import decimal, grouped

MINUS = "−"
MOST = 6  # decimals
NOTHING = 1e-9  # of a mean: what sums of fractions leave of an interval that is none
EVEN = 0.15  # of half an interval: one that is more lopsided is said with both ends


def number(value: float, digits: int | None = None) -> str:
    """A number; without `digits` with about three figures, whole numbers as they are: 46, 46.2, 0.352, 9,250, −2."""
    if not math.isfinite(value):
        return "–"
    if digits is None:
        size = abs(value)
        digits = 0 if value == round(value) or size >= 100 else 1 if size >= 10 else 2 if size >= 1 else 3
    rounded = round(abs(value), digits)
    whole, _point, part = f"{rounded:.{digits}f}".partition(".")
    written = grouped(int(whole)) + (f"{decimal('.')}{part}" if digits else "")
    return f"{MINUS if value < 0 and rounded else ''}{written}"


def digits_for(half: float) -> int:
    """So many decimals that half an interval has two figures, or one where the first is large: 0.37 → 2, 4.2 → 1, 41 → 0."""
    if not (math.isfinite(half) and half > 0):
        return 1
    first, _e, power = f"{half:.1e}".partition("e")  # as it will be rounded: 0.2996 is 0.30
    return min(MOST, max(0, 1 - int(power) - (float(first) >= 3)))


def about(value: float, half: float) -> str:
    """A number and half its interval: "2.1 ± 0.4"."""
    digits = digits_for(half)
    return f"{number(value, digits)} ± {number(half, digits)}"


def spread(mean: float, low: float, high: float) -> str:
    """A mean with its interval: "2.1 ± 0.4", or with both ends if it is lopsided: "0.02 (0.01 to 0.05)"."""
    half = (high - low) / 2
    if not half > NOTHING * max(1.0, abs(mean)):
        return number(mean if abs(mean) > NOTHING else 0.0)
    if abs(high + low - 2 * mean) / 2 <= EVEN * half:
        return about(mean, half)
    digits = digits_for(half)
    ends = {"x": number(mean, digits), "low": number(low, digits), "high": number(high, digits)}
    return _("{x} ({low} to {high})", **ends)


def ends(low: float, high: float) -> str:
    """An interval beside 0 by its ends: "0.4 to 7.7"."""
    digits = digits_for(min(low, high - low))
    return _("{low} to {high}", low=number(low, digits), high=number(high, digits))


def percent(value: float) -> str:
    """A share from 0 to 1 in per cent."""
    return f"{number(100 * value, 1)} %"


def counted(value: float) -> str:
    """A count that is only roughly known, with two figures: 4,132 → 4,100."""
    if value <= 0:
        return "0"
    step = 10 ** max(0, math.floor(math.log10(value)) - 1)
    return grouped(int(math.ceil(value / step) * step))
