"""The curve in plain Python (review/plain.py) against the one of NumPy (review/curve.py)."""

from __future__ import annotations

from itertools import islice

import pytest

import outbid
from outbid.core.hooks.review import moves_of
from outbid.core.match import Match
from outbid.review.curve import curve_of
from outbid.review.estimator import Estimator
from outbid.review.plain import course

FIRST = 25  # moves that are compared
GAMES = ("claim", "forex", "kuhhandel", "money", "rivals")


def match_of(game: str, level: str, **options: object) -> Match:
    """A match of bots that is over, of as few as may play."""
    match = outbid.game(game, **options).new(players=outbid.game(game).rulebook.players[0], seed=3)
    while not match.over:
        match.play_steps(match.asked[0], outbid.bots.choose(match, match.asked[0], level, len(match.moves)).actions)
    return match


@pytest.mark.parametrize("game", [pytest.param(game, marks=() if game == "rivals" else pytest.mark.slow) for game in GAMES])
def test_it_says_the_same_after_each_move(game: str) -> None:
    match = match_of(game, "easy")
    estimator = Estimator(match.rulebook, match.state, compiled=False)
    assert estimator.name == "net"
    after = {point.move: point for point in curve_of(match.rulebook, moves_of(match)[:FIRST], estimator, 2, 0)}
    points = list(islice(course(match), FIRST + 1))
    assert [point["move"] for point in points] == list(range(FIRST + 1))
    for point in points:
        same = after[point["move"]]
        assert point["chances"] == pytest.approx(same.chances.tolist(), abs=2e-4), point["move"]
        assert point["band"] == pytest.approx(same.band, abs=1e-4)


def test_it_ends_with_the_result() -> None:
    match = match_of("rivals", "steady")
    *_earlier, last = course(match)
    assert last["move"] == len(match.moves)
    assert last["chances"] == [1.0, 0.0] or last["chances"] == [0.0, 1.0]
    assert last["band"] == 0


def test_where_no_net_judges_there_is_none() -> None:
    assert not list(course(match_of("claim", "random", preset="tiny")))
