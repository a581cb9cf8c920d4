"""Rows of a batch set to other rows and to matches."""

from __future__ import annotations

import numpy as np
import pytest

import outbid

pytestmark = pytest.mark.slow

GAME = "rivals"


def snapshot(v, i):
    return v.states[i].tobytes(), v.mask[i].tolist(), v.obs[i].tolist(), int(v.actor[i])


@pytest.mark.parametrize("kind", ["vector", "against"])
def test_a_row_set_to_another_goes_on_as_that_one_does(kind):
    v = getattr(outbid.game(GAME), kind)(6, 2, seed=1)
    for _ in range(20):
        v.step(v.sample())
    v.put([3, 4, 5], 1)
    assert snapshot(v, 3) == snapshot(v, 4) == snapshot(v, 5) == snapshot(v, 1)
    assert not v.done[3:].any()
    for _ in range(40):
        actions = v.sample()
        actions[3:] = actions[1]
        v.step(actions)
        assert v.done[3] == v.done[1]
        if v.done[1]:
            np.testing.assert_array_equal(v.reward[3], v.reward[1])
            return
        assert snapshot(v, 3) == snapshot(v, 5) == snapshot(v, 1)


@pytest.mark.parametrize("kind", ["vector", "against"])
def test_a_row_set_to_a_match_shows_what_its_seat_sees(kind):
    match = outbid.game(GAME).new(players=2, seed=9)
    for n in range(6):
        match.random_move(match.asked[0], n)
    v = getattr(outbid.game(GAME), kind)(3, 2, seed=1)
    untouched = snapshot(v, 0)
    v.put([1, 2], match)
    assert snapshot(v, 0) == untouched
    seat, row = match.asked[0], [0.0] * v.rulebook.features
    outbid.core.contract.observe(match.state, seat, row)
    assert int(v.actor[1]) == seat
    np.testing.assert_allclose(v.obs[1], np.array(row, np.float32))
    out = [0] * 300
    legal = sorted(out[: outbid.core.contract.legal(match.state, seat, out)])
    assert np.flatnonzero(v.mask[2]).tolist() == legal
    v.step(v.sample())


@pytest.mark.parametrize(
    ("rows", "source", "says"),
    [
        ([7], 0, "Rows are whole numbers from 0 to 2"),
        ([0], [1, 2], "There are 2 rows to copy for 1 rows"),
        ([0], 0.5, "Rows are whole numbers"),
        ([0], outbid.game("rivals").new(players=3), "of 2 players, not of 3"),
        ([0], outbid.game("claim").new(players=2), "is a match of"),
    ],
)
def test_what_no_row_can_be_set_to_is_one_sentence_and_changes_nothing(rows, source, says):
    v = outbid.game(GAME).vector(3, 2, seed=1)
    before = v.states.tobytes()
    with pytest.raises(outbid.BadSetup, match=says):
        v.put(rows, source)
    assert v.states.tobytes() == before
