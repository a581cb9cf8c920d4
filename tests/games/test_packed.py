"""A state as bytes, as processes of bots get it."""

from __future__ import annotations

import numpy as np
import pytest

from outbid.bots import choose
from outbid.core.match import Match
from outbid.core.rulebook import rulebook, rulebooks


@pytest.mark.parametrize("game", sorted(rulebooks()))
def test_the_bytes_of_a_state_are_those_of_its_record_in_numpy(game):
    players = max(3, rulebook(game).players[0])
    match = Match.new(rulebook(game), {}, players, 3, ["Ada", "Ben", "Cem"][:players])
    for n in range(60):
        if match.over:
            break
        record = np.zeros(1, match.state.layout.dtype)
        match.state.to_record(record, 0)
        assert match.state.packed() == record.tobytes()
        match.play_steps(match.asked[0], choose(match, match.asked[0], "random", n).actions)
