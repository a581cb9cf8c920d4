"""How sure a share is: never certain, never surer than the matches allow, and the same everywhere."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from outbid import cli
from outbid.lab.arena import Pairing
from outbid.lab.rating_fit import ladder
from outbid.lab.shares import share_from, share_of, wilson
from outbid.runs.runner import Played


def test_of_independent_matches_the_interval_is_wilsons():
    assert wilson(1.0, 1) == pytest.approx((0.2065, 1), abs=1e-4)
    assert wilson(0.0, 10) == pytest.approx((0, 0.2775), abs=1e-4)
    assert wilson(0.5, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    won = np.array([1.0] * 30 + [0.0] * 70)
    found = share_of(won)
    assert (found.low, found.high) == pytest.approx(wilson(0.3, 100), abs=1e-6)
    assert str(found) == "30.0 (21.9–39.6) %"


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_share_of_all_or_nothing_lies_within_its_interval_whatever_rounding_does(share):
    for number in range(1, 500):
        low, high = wilson(share, number)
        assert low <= share <= high


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=30), st.sampled_from([1, 2, 4]))
def test_an_interval_is_never_empty_and_never_narrower_than_that_of_as_many_matches(values, each):
    found = share_of(np.array(values), each)
    assert 0 <= found.low <= found.mean <= found.high <= 1
    assert found.high - found.low > 0
    least, most = wilson(found.mean, len(values) * each), wilson(found.mean, len(values))
    assert most[0] - 1e-9 <= found.low <= least[0] + 1e-9
    assert least[1] - 1e-9 <= found.high <= most[1] + 1e-9


def test_one_deal_has_no_error_but_an_interval():
    found = share_of(np.array([1.0]), 3)
    assert found.error is None
    assert (found.low, found.high) == wilson(1.0, 1)
    assert json.dumps(Pairing("a", "b", 3, 1, 1.0, None).as_dict()).count("null") == 1


def test_deals_that_differ_count_as_few_matches_and_deals_that_do_not_as_many():
    alike, apart = share_of(np.array([0.5] * 40), 2), share_of(np.array([0.0, 1.0] * 20), 2)
    assert alike.error == 0
    assert (alike.low, alike.high) == pytest.approx(wilson(0.5, 80))
    assert (apart.low, apart.high) == pytest.approx(wilson(0.5, 40), abs=1e-3)


def test_an_interval_is_the_same_from_a_results_store():
    values = np.array([0.0, 0.5, 0.5, 1.0, 1.0, 0.5])
    found = share_of(values, 2)
    assert share_from(found.mean, found.error, len(values), 2) == found


def test_intervals_hold_the_true_share_about_as_often_as_they_say():
    rng, held = np.random.default_rng(1), 0
    for _ in range(400):
        chance = rng.beta(4, 2, 25)  # each deal favours somebody
        values = (rng.random((25, 2)) < chance[:, None]).mean(1)
        found = share_of(values, 2)
        held += found.low <= 4 / 6 <= found.high
    assert 0.91 < held / 400 < 0.995


@pytest.mark.parametrize("games", [1, 5])
def test_a_simulation_of_few_matches_says_how_little_it_knows(games):
    arguments = ["simulate", "rivals", "-n", "2", "-g", str(games), "--bots", "steady,random"]
    told = CliRunner().invoke(cli.app, arguments).output
    assert "± 0.0 %" not in told
    assert f"{games} match{'es' * (games > 1)}," in told
    found = json.loads(CliRunner().invoke(cli.app, [*arguments, "--json"]).output)
    low, high = wilson(found["shared"], games)
    assert (found["shared_low"], found["shared_high"]) == pytest.approx((low, high), abs=1e-6)
    assert f"{100 * found['shared']:.1f} ({100 * low:.1f}–{100 * high:.1f}) % end in a shared victory." in told
    for line in found["bots"]:
        low, high = wilson(line["share"], games)
        assert (line["share_low"], line["share_high"]) == pytest.approx((low, high), abs=1e-6)
        assert (line["share_error"] is None) == (line["score_error"] is None) == (games == 1)
    assert (" ± —" in told) == (games == 1)


@pytest.mark.parametrize("deals", [1, 3, 20])
def test_a_rung_of_the_ladder_is_not_certain_because_all_deals_went_alike(deals):
    bots, places = np.array([[0, 1]] * deals), np.array([[0, 1]] * deals)
    found = Played(np.arange(deals), bots, (places == 0).astype(float), places)
    best = ladder(["good", "steady"], [found])[0]
    assert best.bot == "good"
    assert best.high - best.low > 2 * 400 * math.log10(2)
