"""Who is none of the types a game names is taken for an outsider, and then a search is harder to persuade."""

import numpy as np
import pytest

from outbid.bots import Seat, strong
from outbid.bots.belief import opponent_types
from outbid.bots.heuristic import Stepwise
from outbid.bots.search import rollouts
from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.hooks.policy_params import OUTSIDE, OUTSIDERS
from outbid.core.hooks.search_config import SearchConfig
from outbid.core.match import Match
from outbid.core.rulebook import rulebook

BOOK = rulebook("kuhhandel")
KNOWN = len(BOOK.search.opponent_types)
ODD = {"denial": 52, "price_early": 25, "refusal": 12, "stake": 372, "offer_high": 28, "bidding": 0, "honest": 1}


def learned(params, moves, seat=0):
    """What a seat has learned of players with these parameters, on the plain backend."""
    match = Match.new(BOOK, {}, len(params), 5)
    for number in range(moves):
        own = match.asked[0]
        act = lambda s, at, seed, note, own=own: contract.told(s, at, seed, note, params[own])  # noqa: E731
        said = Stepwise("one", "", act, speaks=True).decide(Seat.of(match, own, stream(9, number)))
        match.play_steps(own, said.actions)
    space = strong.space_of(BOOK, False)
    strong.learn(Seat.of(match, match.asked[0], 1), space, False)
    return space.work


def chances(other, work):
    """How likely a seat is each of the types, and then each of the outsiders."""
    total = opponent_types.weight(other, work)
    return np.array([opponent_types.chance_at(kind, other, total, work) for kind in range(len(work.types))])


def fresh_work():
    space = strong.Space(BOOK, compiled=False)
    space.under(BOOK.fresh({}))
    return space.work


@pytest.mark.slow
def test_parameters_unlike_ours_are_an_outsiders_and_ours_are_not():
    known = BOOK.personas.players
    work = learned([BOOK.personas.usual.but(ODD), known["steady"], known["easy"]], 70)
    assert chances(0, work)[KNOWN:].sum() > 0.8
    assert chances(1, work)[KNOWN:].sum() < 0.2
    assert chances(2, work)[KNOWN:].sum() < 0.2
    assert opponent_types.strangeness(1, 3, work) > 0.3 > opponent_types.strangeness(0, 3, work)


def test_outsiders_are_the_same_at_any_time_and_nobodys(book):
    found, usual = book.personas.outsiders, vars(book.personas.usual)
    again = type(book.personas)(book.personas.usual, book.personas.easy, book.personas.each, book.personas.first)
    assert found == again.outsiders
    assert len(set(found)) == len(found) == (OUTSIDERS if book.personas.each else 0)
    assert not set(found) & set(book.personas.players.values())
    for one in found:
        assert all(0 <= vars(one)[name] <= OUTSIDE * number for name, number in usual.items() if number > 12)
    assert book.personas.all == [*book.personas.players.values(), *found]


def test_beforehand_all_outsiders_together_are_as_likely_as_the_game_says():
    config = SearchConfig(opponent_types=("steady", "easy"), odds=(3, 1), outsiders=0.5)
    assert config.before == [3, 1, *[2 / OUTSIDERS] * OUTSIDERS]
    assert SearchConfig(opponent_types=("steady", "easy")).before == [1, 1]
    work = fresh_work()
    assert chances(1, work).sum() == pytest.approx(1)
    weight = BOOK.search.outsiders
    assert chances(1, work)[KNOWN:].sum() == pytest.approx((1 - BOOK.search.doubt) * weight / (1 + weight))
    assert list(work.types[KNOWN:]) == [len(BOOK.personas.players) + k for k in range(OUTSIDERS)]


def test_where_nothing_counts_that_was_said_nobody_is_an_outsider():
    """So it is for the levels below `strong`, which remember nobody."""
    work = fresh_work()
    work.posterior[1, :KNOWN] = -opponent_types.SURE
    work.doubt[0] = 1.0
    assert chances(1, work) == pytest.approx([1 / KNOWN] * KNOWN + [0] * OUTSIDERS)
    assert opponent_types.strangeness(0, 3, work) == 0


def test_outsiders_go_on_with_their_parameters_in_as_many_worlds_as_is_believed():
    work = fresh_work()
    work.posterior[:] = -opponent_types.SURE
    work.posterior[1, KNOWN + 2] = work.posterior[2, 0] = 0
    dealt = []
    for world in range(512):
        opponent_types.assign_types(world, 0, 3, 0, work)
        dealt.append(work.who[:3].copy())
    outsider = len(BOOK.personas.players) + 2
    shares = (np.array(dealt) == outsider).mean(0)
    assert shares == pytest.approx([0, 1 - BOOK.search.doubt, 0], abs=0.01)
    assert BOOK.plain().rules.params[outsider] == BOOK.personas.outsiders[2]


def test_among_outsiders_the_first_move_is_left_only_for_what_is_further_ahead(monkeypatch):
    match, doubts = Match.new(BOOK, {}, 3, 2), []
    match.play(match.asked[0], "auction")
    seat = match.asked[0]
    space = strong.Space(BOOK, compiled=False)
    space.put(match.seen(seat))
    space.under(match.state)
    monkeypatch.setattr(rollouts, "best_of", lambda n, doubt, work: doubts.append(doubt) or 0)
    for strange in (-opponent_types.SURE, 0.0):
        space.work.posterior[:, KNOWN:] = strange
        space.work.posterior[:, :KNOWN] = -opponent_types.SURE - strange
        rollouts.evaluate(space.states, 0, seat, 5, rollouts.RolloutConfig(2, -4, 0.02, 30.0, 0), 0, space.work)
    sure = 1 - BOOK.search.doubt
    assert doubts == pytest.approx([rollouts.DOUBT, rollouts.DOUBT * (1 + rollouts.SOFTER * sure)], rel=1e-6)
