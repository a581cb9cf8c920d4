"""The tree that looks through the end of a match (bots/search/ismcts.py), and when it is searched
(bots/search/select.py)."""

from __future__ import annotations

import threading
from dataclasses import replace
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import outbid
from outbid import solve
from outbid.bots import BOTS, LookAhead, Seat, strong
from outbid.bots.belief import particle_filter
from outbid.bots.search import rollouts, select
from outbid.core import contract
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook, rulebook, rulebooks
from outbid.testing.positions import position
from tests.support.profile import DEEP

# all but two that take too long with bounds checks; docs/strength.json has them
SMALL = [
    "claim-small3", "forex-small3", "kuhhandel-small", "kuhhandel-small3", "money-tiny", "rivals-tiny", "money-small",
    "claim-tiny", "forex-small", "forex-tiny", "kuhhandel-tiny", "rivals-small", "rivals-small3",
]  # fmt: skip


def bot(name: str, compiled: bool, budget: float = 1.0) -> LookAhead:
    found = BOTS[name]
    assert isinstance(found, LookAhead)
    return replace(found, compiled=compiled, budget=budget)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.deep
def test_in_small_games_strong_cannot_be_exploited(name: str):
    """NashConv at most 0.02: nothing is gained against it by whoever knows it."""
    game, preset = name.split("-")
    tree = solve.tree(outbid.game(game, preset=preset), players=2)
    assert solve.nash_conv(tree, solve.policy_of(tree, "strong", 1)) <= 0.02


def played_by_the_heuristic(book: Rulebook, seed: int) -> Match:
    """A whole match of it."""
    match = Match.new(book, {}, book.players[0], seed)
    while match.asked:
        match.play_steps(match.asked[0], BOTS["steady"].decide(Seat.of(match, match.asked[0], seed)).actions)
    return match


def an_end(book: Rulebook, seed: int) -> Match:
    """A match of the heuristic shortly before its end, somebody with a choice being asked."""
    whole = played_by_the_heuristic(book, seed)
    for back in range(3, 40):
        match = whole.at(len(whole.moves) - back)
        seat = match.asked[0]
        if contract.legal(match.state, seat, [0] * 300) > 1:
            return match
    raise AssertionError("there is no choice at the end")


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", ["rivals", *(pytest.param(name, marks=pytest.mark.deep) for name in rulebooks() if name != "rivals")]
)  # its search is compiled for test_subgame.py, too
def test_compiled_and_plain_the_same_tree_is_searched(game, monkeypatch):
    book = rulebook(game)
    monkeypatch.setattr(particle_filter, "MANY", strong.FEW)  # as many worlds are kept in both
    monkeypatch.setattr(strong, "_own", threading.local())
    match = an_end(book, 11)
    seat = Seat.of(match, match.asked[0], 5)
    found = []
    for compiled in (True, False):
        times = 2.0 / strong.PLAIN if compiled else 2.0
        evaluated, best = bot("ismcts", compiled, times).evaluated(seat)
        found.append(([(one.actions, one.rollouts, pytest.approx(one.value)) for one in evaluated], best))
    assert found[0] == found[1]
    assert sum(one.rollouts for one in evaluated) > 0


@settings(max_examples=8 if DEEP else 2)  # a rollout of the plain backend takes seconds
@given(seed=st.integers(0, 2**40))
@pytest.mark.slow
def test_every_move_of_a_tree_is_legal_and_its_rollouts_are_counted(book, seed):
    """Of six rollouts the first makes the root, and every other one goes through one of its moves."""
    state = position(book, seed)
    if contract.asked(state) >> contract.CLOCK & 1:
        return
    six = 6 * strong.PLAIN / strong.SearchSettings.of(book, state, state.players).rollouts
    free = [p for p in range(state.players) if contract.asked(state) >> p & 1 and not contract.midway(state, p)]
    if not free:
        return
    place = free[seed % len(free)]
    hidden = state.copy()
    contract.hide(hidden, place)
    names = tuple(f"P{p}" for p in range(state.players))
    seat = Seat(book, names, place, 0, seed, hidden)
    settings = strong.SearchSettings
    usual = settings.of
    with mock.patch.object(settings, "of", lambda *given: replace(usual(*given), steps=1e9)):  # rollouts bind alone
        evaluated, best = bot("ismcts", False, six).evaluated(seat)
    assert all(0 <= one.value <= 1 for one in evaluated)
    assert sum(one.rollouts for one in evaluated) == 5
    assert best == 0
    world = seat.world(0)
    for action in evaluated[best].actions:
        out = [0] * 400
        assert action in out[: contract.legal(world, place, out)]
        contract.apply(world, place, action)
    assert not contract.midway(world, place)


@pytest.mark.deep
def test_where_anybody_may_speak_it_says_something_only_if_the_heuristic_would():
    for seed in range(6):
        match = Match.new(rulebook("kuhhandel"), {"bidding": "realtime"}, 3, seed)
        silent = spoken = 0
        for number in range(120):
            if not match.asked:
                break
            outcry = contract.asked(match.state) >> contract.CLOCK & 1
            answers = []
            for place in match.asked:
                seat = Seat.of(match, place, number)
                if outcry:
                    mine = {name: bot(name, True, 0.01).decide(seat) for name in ("strong", "ismcts")}
                    heuristic = BOTS["steady"].decide(seat)
                    assert [bool(one.actions) for one in mine.values()] == [bool(heuristic.actions)] * 2
                    silent, spoken = silent + (not heuristic.actions), spoken + bool(heuristic.actions)
                answers.append((place, BOTS["steady"].decide(seat).actions))
            said = next((one for one in answers if one[1]), None)
            if said:
                match.play_steps(*said)
            else:
                match.play(None, "close")
        assert silent
        assert spoken


@pytest.mark.slow(but=("money",))
def test_strong_searches_a_tree_where_the_heuristic_would_soon_end_the_match(book):
    space = strong.Space(book, 5, False)
    for match, soon in ((Match.new(book, {}, book.players[1], 3), book.longest < 20), (an_end(book, 11), True)):
        seat = match.asked[0]
        space.put(Seat.of(match, seat, 1).state)
        assert select.ends_soon(space.states, 0, seat, 1, space.work) is soon


@pytest.mark.parametrize(("game", "soon"), [("money", 6), ("rivals", 24)])
def test_how_soon_is_for_the_game_to_say(game, soon):
    book = rulebook(game)
    assert book.search.endgame_depth == soon
    whole = played_by_the_heuristic(book, 11)
    space = strong.Space(book, 5, False)
    for left in (4, 12):
        match = whole.at(len(whole.moves) - left)
        seat = match.asked[0]
        space.put(Seat.of(match, seat, 1).state)
        assert select.ends_soon(space.states, 0, seat, 1, space.work) is (left < soon)


def test_where_nobody_needs_to_end_a_match_rollouts_are_broken_off_and_count_as_it_stands():
    book = rulebook("money")
    match = Match.new(book, {"end_trigger": "cannot_fill", "stall_rounds": 0, "display_cards": 1}, 4, 1)
    space = strong.Space(book, 5, False)
    space.put(match.state)
    settings = strong.SearchSettings.of(book, match.state, 4)
    rollouts.play_on(space.states, 0, 5, settings.max_depth, 0, space.work)
    assert contract.asked(space.states[0])  # the heuristic has not ended it
    config = rollouts.RolloutConfig(1, settings.max_depth, 0.0, 1.0, 0)
    shares = [rollouts.payoff(space.states, 0, seat, config, space.work) for seat in range(4)]
    assert sum(shares) == pytest.approx(1)


@pytest.mark.deep
def test_where_nobody_needs_to_end_a_match_strong_decides():
    match = Match.new(rulebook("money"), {"end_trigger": "cannot_fill", "stall_rounds": 0, "display_cards": 1}, 4, 1)
    evaluated, _ = bot("strong", True, 0.05).evaluated(Seat.of(match, match.asked[0], 1))
    assert sum(one.rollouts for one in evaluated) > 5
