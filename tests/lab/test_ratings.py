"""The ladder of bots: one Plackett–Luce fit over all matches, with intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest

from outbid.lab.rating_fit import ANCHOR, SCALE, bars, fit, ladder, of_match, stages
from outbid.runs.runner import Played


def played(bots, places, deal=None):
    """Matches from lists of bots and places by seat."""
    bots, places = np.array(bots), np.array(places)
    deal = np.arange(len(bots)) if deal is None else np.array(deal)
    return Played(deal, bots, (places == 0) / (places == 0).sum(1, keepdims=True), places)


def drawn(strengths, matches, players, seed):
    """Matches drawn from the model itself."""
    rng = np.random.default_rng(seed)
    bots = np.stack([rng.permutation(len(strengths))[:players] for _ in range(matches)])
    luck = np.log(np.array(strengths))[bots] + rng.gumbel(size=bots.shape)
    return played(bots, (luck[:, :, None] < luck[:, None, :]).sum(2))


def test_of_two_the_rating_is_the_logarithm_of_the_odds():
    matches = played([[0, 1]] * 1000, [[0, 1]] * 800 + [[1, 0]] * 200)
    first, second = ladder(["good", "steady"], [matches])
    assert (first.bot, second.bot, second.rating) == ("good", "steady", ANCHOR)
    assert first.rating - second.rating == pytest.approx(400 * math.log10(800.25 / 200.25), abs=0.1)


def test_strengths_are_found_again_within_their_intervals():
    strengths = (1.0, 2.0, 5.0, 9.0)
    rungs = ladder(["steady", "b", "c", "d"], [drawn(strengths, 1500, 3, 1)], seed=2)
    assert [one.bot for one in rungs] == ["d", "c", "b", "steady"]
    for one in rungs:
        true = ANCHOR + 400 * math.log10(strengths[["steady", "b", "c", "d"].index(one.bot)])
        assert one.low - 5 <= true <= one.high + 5
        assert one.high - one.low < 120


def test_the_fit_is_the_maximum_of_the_likelihood():
    weights, left, came = stages([drawn((1.0, 3.0, 4.0), 60, 3, 5)], 3)
    total, best = weights.sum(0), fit(weights.sum(0), left, came)

    def likelihood(theta):
        found = total @ (theta[came] - np.log(left @ np.exp(theta)))
        return found + 0.25 * sum(theta[a] - np.logaddexp(theta[a], theta[b]) for a in range(3) for b in range(3) if a != b)

    rng = np.random.default_rng(1)
    assert all(likelihood(best) > likelihood(best + rng.normal(0, 0.02, 3)) for _ in range(200))


def test_bots_that_always_finish_level_stand_level():
    for players in ([0, 1], [0, 1, 2], [0, 1, 1]):
        rungs = ladder(["steady", "b", "c"][: max(players) + 1], [played([players] * 9, [[0] * len(players)] * 9)])
        assert all(one.rating == pytest.approx(ANCHOR, abs=1e-6) for one in rungs)


def test_a_shared_place_counts_as_every_order_for_its_part():
    half = of_match((0, 1), (0, 0), 2)
    assert half == {((1, 1), 0): 0.5, ((1, 1), 1): 0.5}
    assert of_match((0, 1, 2), (0, 1, 1), 3) == {((1, 1, 1), 0): 1.0, ((0, 1, 1), 1): 0.5, ((0, 1, 1), 2): 0.5}
    assert of_match((0, 0), (0, 1), 1) == {}


def test_several_seats_of_the_same_bot_are_weighted_as_so_many():
    rng = np.random.default_rng(3)
    luck = rng.random((4000, 3))
    matches = played([[0, 1, 1]] * 4000, luck.argsort(1).argsort(1))
    assert [one.rating for one in ladder(["steady", "b"], [matches])] == [pytest.approx(ANCHOR, abs=25)] * 2


def test_one_who_never_loses_stands_high_and_not_nowhere():
    first, second = ladder(["steady", "weak"], [played([[0, 1]] * 50, [[0, 1]] * 50)])
    assert first.rating - second.rating == pytest.approx(SCALE * math.log(50.25 / 0.25), abs=0.5)


def test_matches_of_a_deal_are_drawn_together():
    matches = drawn((1.0, 2.0), 200, 2, 7)
    four = Played(*(np.repeat(x, 4, 0) for x in (matches.deal, matches.bots, matches.shares, matches.places)))
    apart = Played(np.arange(800), four.bots, four.shares, four.places)
    width = {}
    for name, these in (("one", matches), ("four", four), ("apart", apart)):
        rung = next(one for one in ladder(["steady", "b"], [these], 400) if one.bot == "b")
        width[name] = rung.high - rung.low
    assert width["four"] == pytest.approx(width["one"], rel=0.02)
    assert width["apart"] < 0.7 * width["four"]


def test_the_ladder_is_drawn_as_bars_within_their_intervals():
    lines = bars(ladder(["steady", "b", "c"], [drawn((1.0, 2.0, 4.0), 300, 3, 1)]))
    assert [line.split()[0] for line in lines] == ["c", "b", "steady"]
    assert all("●" in line for line in lines)
