"""Bots among strangers: who they are, whom they meet, and what an option may be changed to."""

import numpy as np
import pytest

from outbid.core.errors import BadSetup
from outbid.core.rulebook import rulebook
from outbid.lab.strangers import _seating, among, strangers, variants
from outbid.lab.training.mixed import WIDE
from outbid.runs.seating import Bots
from outbid.runs.seeds import seed_of


def test_strangers_are_many_and_nobodys_and_others_for_each_purpose(book):
    met = {purpose: strangers(book, seed_of(purpose, 0)) for purpose in WIDE}
    for names in met.values():
        params = Bots(book, {}, 3, names).params
        assert len(set(params)) == len(names) == (20 if book.personas.each else 1)
        assert not set(params) & {*book.personas.outsiders}
    assert strangers(book, seed_of("report", 0)) == met["report"]
    if book.personas.each:
        assert not set(met["selection"]) & set(met["report"])
        assert strangers(book, seed_of("report", 1)) != met["report"]


@pytest.mark.slow
def test_every_bot_meets_the_same_strangers_at_the_same_deals():
    book, seed = rulebook("claim"), seed_of("selection", 1)
    two = among(book, {}, 3, ["steady", "easy"], 5, 4, seed, threads=1, compiled=False)
    assert among(book, {}, 3, ["easy"], 5, 4, seed, threads=1, compiled=False) == two[1:]
    assert [one.others for one in two] == ["5 strangers"] * 2
    assert two[0].share > two[1].share
    seating = _seating(4, 20, 200, seed)
    assert not seating[:, 0].any()
    assert all(len(set(row)) == 4 for row in seating.tolist()), "nobody sits at a table twice"
    assert np.array_equal(np.unique(seating), np.arange(21)), "all are met"


def test_one_stranger_is_none():
    with pytest.raises(BadSetup, match="at least two"):
        among(rulebook("claim"), {}, 3, ["steady"], 1, 2, 1)


def test_each_variant_changes_one_option_that_acts(book):
    found = list(variants(book, 3, tunable=True))
    assert all(len(book.changed(changes)) == 1 and not book.lacking(changes, 3) for changes in found)
    house = list(variants(book, 3))
    assert all(changes in found for changes in house)
    assert len(house) < len(found) or not any(option.tunable for option in book.options)
    assert {name for changes in found for name in changes} <= {option.name for option in book.options}


def test_numbers_go_a_step_up_and_down_and_words_are_all_tried():
    found = list(variants(rulebook("kuhhandel"), 3, tunable=True))
    assert {"payment": "min_overpay"} in found
    assert {"payment": "free"} in found
    assert {"trade_stall": 75} in found
    assert {"trade_stall": 125} in found
    assert {"bid_step": 20} in found
    assert {"donkey_money": [100, 200, 500, 500]} in found
