"""The coach is right, and sees most of what loses much: a sample of what `benchmarks/coach.py` measures."""

from __future__ import annotations

from itertools import islice

import pytest

from outbid.core.rulebook import rulebook
from tests.support.scripts import script

coach = script("benchmarks/coach.py")
DECISIONS = 40
AGREED, SEEN = 0.95, 2 / 3


@pytest.mark.slow
def test_the_coach_is_right_and_sees_two_thirds_of_the_blunders_of_a_beginner():
    rows = [coach.measured(seat) for seat in islice(coach.positions(rulebook("claim")), DECISIONS)]
    said = [row[judge] for row in rows for judge in ("strong", "rules") if judge in row]
    blunders = ["strong" in row for row in rows if row["blunder"]]
    assert len(said) >= 5
    assert sum(said) >= AGREED * len(said), f"{sum(said)} of {len(said)}"
    assert len(blunders) >= 3
    assert sum(blunders) >= SEEN * len(blunders), f"{sum(blunders)} of {len(blunders)}"
