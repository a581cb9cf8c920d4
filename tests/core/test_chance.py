"""The bits by which states are told apart (core/chance.py)."""

from __future__ import annotations

import random

from outbid.core.chance import BYTES, STATE, mixed


def test_bytes_are_told_from_all_that_differ_in_one_byte_or_in_their_order():
    draw = random.Random(5)
    cells = [draw.randrange(256) if k % 3 else 0 for k in range(5 * BYTES + 3)]
    others = [cells]
    for k in range(len(cells)):
        others += [[*cells[:k], (cells[k] + more) % 256, *cells[k + 1 :]] for more in (1, 17)]
    others += [cells[BYTES * k :] + cells[: BYTES * k] for k in range(1, 5)]
    found = [mixed(one, len(one), place) for one in others for place in (0, 1)]
    assert len(set(found)) == len(found)
    assert all(0 <= one <= STATE for one in found)


def test_only_the_first_bytes_count():
    cells = list(range(1, 30))
    assert mixed(cells, 20, 3) == mixed(cells[:20], 20, 3) != mixed(cells, 29, 3)
