"""Bots of every game: how strong they are, what they are given, and their names at a table."""

from dataclasses import replace
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import outbid
from outbid.agents.session import Sitting
from outbid.bots import BOTS, CALLED, LookAhead, Seat, bot, called, choose
from outbid.bots.search import select
from outbid.core import contract
from outbid.core.match import Match
from outbid.core.rulebook import rulebook, rulebooks
from outbid.lab.simulate import simulate
from outbid.testing.positions import deal, redealt
from tests.support.checks import checks
from tests.support.profile import examples
from tests.support.steady import BRIEF, legal, mixed_play, steady

SEEDS = st.integers(0, 2**40)
STRONG = [(book, *checks(book).STEADY) for book in rulebooks().values() if hasattr(checks(book), "STEADY")]
FROM = [(book, players, wins, seat) for book, players, wins in STRONG for seat in range(players)]


@pytest.mark.parametrize(("game", "players", "wins", "seat"), FROM, ids=[f"{row[0].id}-{row[3]}" for row in FROM])
@pytest.mark.generic
def test_one_steady_player_beats_random_ones_as_often_as_promised_from_every_seat(game, players, wins, seat):
    names = ["random"] * players
    names[seat] = "steady"
    assert 100 * simulate(game, {}, players, 100, seed=1986 + seat, bots=names).seats[seat].share.mean >= wins


@given(seed=SEEDS)
@examples(20)
@pytest.mark.slow
def test_steady_says_something_legal_under_any_options_also_in_a_move_somebody_else_began(book, seed):
    state = deal(book, seed)
    for seat, action, _ in mixed_play(state, seed, 150):
        if action < 0:
            assert contract.asked(state) >> contract.CLOCK & 1
            assert not contract.midway(state, seat)
        else:
            assert action in legal(state, seat)


@given(seed=SEEDS)
@examples(20)
@pytest.mark.slow
def test_steady_acts_the_same_after_all_that_it_cannot_know_is_dealt_anew(book, seed):
    state = deal(book, seed, tunable=False)
    for number, (seat, action, note) in enumerate(mixed_play(state, seed, 160)):
        if number % 13 == 0:
            assert steady(redealt(state, seat, seed), seat, seed) == (action, note)


def test_whoever_plays_at_random_waits_where_nothing_is_left_to_say():
    match = outbid.game("kuhhandel", bidding="realtime", overbid="forbidden").new(players=3, seed=1)
    waited = 0
    while waited < 3:
        said = {seat: choose(match, seat, "random", 1).actions for seat in match.asked}
        for seat, actions in said.items():
            assert bool(actions) == bool(match.legal(seat))
            waited += not actions
        seat = next((seat for seat, actions in said.items() if actions), None)
        if seat is None:
            match.play(None, "close")
        else:
            match.play_steps(seat, said[seat])


def test_a_bot_that_has_something_to_prepare_is_prepared_wherever_it_sits_down(monkeypatch):
    class Careful:
        name, summary = "careful", "prepares itself"
        prepared: ClassVar[list[str]] = []

        def prepare(self, book):
            self.prepared.append(book.id)

        def decide(self, seat):
            assert self.prepared
            return BOTS["steady"].decide(seat)

    monkeypatch.setitem(BOTS, "careful", Careful())
    simulate(rulebook("rivals"), {}, 2, 1, 5, bots=["careful", "steady"])
    assert Careful.prepared.pop() == "rivals"
    Sitting(outbid.game("kuhhandel").new(players=3, seed=1), 0, {1: "careful", 2: "careful"})
    assert Careful.prepared == ["kuhhandel"]


def test_every_bot_at_a_table_has_a_name_of_its_own_however_many_there_are():
    names = ["bruno"]
    for _ in range(12):
        names.append(called(names))
    assert len({name.casefold() for name in names}) == len(names)
    assert names[1:3] == list(CALLED[1:3])


def test_an_unknown_bot_is_refused_by_name():
    with pytest.raises(outbid.BadSetup, match="no bot 'genius'"):
        bot("genius")


@pytest.mark.parametrize("name", [pytest.param(one, marks=pytest.mark.slow if one == "strong" else []) for one in BOTS])
@pytest.mark.slow
def test_a_bot_decides_the_same_when_all_its_seat_cannot_know_is_dealt_anew(name):
    found, game, options, thinks = bot(name), "kuhhandel", {}, range(50)
    if isinstance(found, LookAhead):  # those that search take their time; in Claim the least
        found = replace(found, compiled=False, budget=0.02)
        game, options, thinks = ("kuhhandel", BRIEF, (1, 30, 80)) if name == "strong" else ("claim", {}, (1, 12, 24))
    match = outbid.game(game, **options).new(players=4 if not options else 3, seed=2)
    for n in range(thinks[-1] + 1):
        seat = match.asked[0]
        decision = (found if n in thinks else BOTS["steady"]).decide(Seat.of(match, seat, 9))
        if n in thinks:
            other = match.copy()
            contract.redeal(other.state, seat, n)
            assert found.decide(Seat.of(other, seat, 9)) == decision
        match.play_steps(seat, decision.actions)


@pytest.mark.parametrize("mode", [select.EACH, select.TREE])
@pytest.mark.slow
def test_a_move_of_as_many_steps_as_there_are_cards_is_evaluated(mode):
    """A display of a whole deck is taken in one move; a bot that found it too long would say nothing."""
    options = {"wagers": 4, "copies": [2] * 9, "coins": 60, "fixed_start": True}
    match = Match.new(rulebook("rivals"), options, 2, 1)
    while match.state.drawn < match.state.size - 1:
        match.play(match.asked[0], "uncover")
    match.play(match.asked[0], "bid 1")
    match.play(match.asked[0], "pass")
    (seat,) = match.asked
    bot = LookAhead("", "", 0.01, mode, compiled=False)
    match.play_steps(seat, bot.decide(Seat.of(match, seat, 1)).actions)
