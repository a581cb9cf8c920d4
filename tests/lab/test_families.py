"""Families of instances: no instance of training is one of the test, each can be played, and a seed gives the same again."""

import json

import pytest

from outbid.bots.heuristic import STEADY
from outbid.bots.seat import Seat
from outbid.core.errors import BadSetup
from outbid.core.rulebook import rulebook
from outbid.lab.suite.families import SPLITS, family, playable, ranges, split_of
from outbid.runs.replay import play_on

GAMES = ("claim", "forex", "kuhhandel", "money", "rivals")


@pytest.mark.parametrize("game", GAMES)
def test_the_splits_never_share_an_instance(game):
    of = {split: {json.dumps(family(game, split, seed).options) for seed in range(40)} for split in SPLITS}
    assert not of["train"] & of["test"]
    assert all(len(instances) > 35 for instances in of.values())  # hardly any is drawn twice
    assert all(split_of(family(game, split, seed)) == split for split in SPLITS for seed in range(5))
    assert family(game, "test", 3).options == family(game, "test", 3).options


@pytest.mark.parametrize("game", GAMES)
def test_what_is_drawn_is_another_game_that_can_be_dealt_for_all(game):
    instance = family(game, "train", 1)
    assert set(instance.options) <= set(ranges()[game])
    assert len(instance.options) > 2  # those that are not as in the preset
    assert playable(instance)


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("game", GAMES)
def test_each_is_played_to_its_end(game, split):
    instance = family(game, split, 2)
    match = instance.new(3, seed=5)
    play_on(match, lambda seat: STEADY.decide(Seat.of(match, seat, len(match.moves))).actions)
    assert match.winners


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_random_matches_of_many_instances_end(game):
    low, high = rulebook(game).players
    for seed in range(6):
        match = family(game, SPLITS[seed % 2], seed).new(low + seed % (high - low + 1), seed=seed)
        while not match.over and len(match.moves) < 3000:
            match.random_move(match.asked[0], seed)
        assert match.over


def test_what_is_no_split_or_has_no_instances_is_a_sentence():
    with pytest.raises(BadSetup, match="There is no split 'dev'; there are train and test"):
        family("rivals", "dev", 1)
    with pytest.raises(BadSetup, match="has no instances"):
        family("examples/tutorial_game.py", "train", 1)
