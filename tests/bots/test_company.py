"""Who sits at a table, told by its moves: steps are taken down alike on both backends, and speak for who made them."""

import numpy as np
import pytest

from outbid.bots.belief.company import LIKE, STEPS
from outbid.bots.nets import company
from outbid.core.hooks.review import moves_of, place_of
from outbid.core.rulebook import rulebooks
from outbid.lab.training import mixed
from outbid.review.estimator import Estimator
from outbid.runs.replay import asked_match
from outbid.runs.seating import Bots


def heeded(match, compiled):
    """What is known of the players at the end of a match."""
    known = Estimator(match.rulebook, match.at(0).state, compiled).company()
    for move in moves_of(match):
        state, place = move.before.copy(), place_of(move.seat)
        for action in match.rulebook.words.steps(state, place, move.said):
            known.heed(state, place, action)
            match.rulebook.function("apply")(state, place, action)
    return known.told


@pytest.mark.slow
def test_steps_speak_for_those_who_would_have_made_them():
    match, _tally = asked_match(rulebooks()["rivals"], {}, ["steady", "easy"], 5, 1)
    judge = Estimator(match.rulebook, match.at(0).state, compiled=False)
    told = heeded(match, compiled=False)
    agreed = told[:, LIKE : LIKE + len(judge.types)] / told[:, STEPS, None]
    steady, easy = (judge.types.index(name) for name in ("steady", "easy"))
    assert agreed[0, steady] > 0.95 > agreed[0, easy]
    assert agreed[1, easy] > 0.95 > agreed[1, steady]
    assert judge.doubt(told) >= 0


def test_nothing_is_known_before_the_first_move_and_the_features_say_so():
    types = len(company.types_of(rulebooks()["money"]))
    found = company.features(np.zeros((2, 3, company.columns(types))), types)
    assert found.shape == (2, 3, company.width(types))
    assert np.ptp(found.reshape(6, -1), 0).max() == 0


def test_a_stranger_plays_by_the_games_own_judgement_with_parameters_nobody_else_has():
    book, random = rulebooks()["kuhhandel"], np.random.default_rng(3)
    names = [mixed.stranger(book, random, 2.0) for _ in range(20)]
    assert len(set(names)) == 20
    bots = Bots(book, {}, 3, names)  # all of them are read
    assert set(bots.params) != {book.personas.usual}


@pytest.mark.deep
def test_both_backends_take_down_the_same():
    match, _tally = asked_match(rulebooks()["rivals"], {}, ["steady", "easy", "random"], 5, 2)
    assert heeded(match, compiled=True) == pytest.approx(heeded(match, compiled=False), rel=1e-3)
