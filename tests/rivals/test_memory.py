"""What a seat knows of Rivals: everything but the order of the undrawn cards."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outbid.core import contract
from outbid.testing.positions import hidden, position, redealt, seats

from .checks import check
from .table import BOOK, fresh, play, play_at_random

SEEDS = st.integers(0, 2**40)


@given(SEEDS)
def test_hiding_changes_nothing_but_the_undrawn_cards(seed):
    """L28: the same for every seat and for spectators, also in the middle of a take."""
    state = position(BOOK, seed)
    for seat in seats(state):
        seen = hidden(state, seat)
        assert seen.deck[: seen.drawn] == state.deck[: state.drawn]
        assert set(seen.deck[seen.drawn : seen.size]) <= {-1}
        seen.deck = state.deck[:]
        assert seen == state


@given(SEEDS)
def test_a_redealt_world_has_the_same_undrawn_cards_in_another_order(seed):
    """Section 8: which cards are still to come can be counted."""
    state = position(BOOK, seed)
    for seat in seats(state):
        world = redealt(state, seat, seed)
        check(world)
        assert Counter(world.deck[world.drawn : world.size]) == Counter(state.deck[state.drawn : state.size])
        world.deck = state.deck[:]
        assert world == state


def test_every_undrawn_card_is_as_likely_to_be_next():
    """Section 8: 3 of 79 for a wager, 1 of 79 for a ten."""
    match = play(fresh("R2"), "0 uncover")
    found = Counter(redealt(match.state, 1, seed).deck[1] for seed in range(1580))
    assert len(found) == 50
    for kind, n in found.items():
        copies = Counter(match.state.deck[1:80])[kind]
        assert abs(n - 20 * copies) < 5 * (20 * copies) ** 0.5


def test_the_counted_cards_are_those_of_the_deck():
    """Section 8: `unseen` counts down, and names no order."""
    match, rng = fresh(players=4), random.Random(1)
    while not match.over:
        state = match.state
        counted = Counter(match.view(2)["unseen"])
        assert counted == Counter(BOOK.words.deal_of(state)["deck"][state.drawn :])
        play_at_random(match, rng)
    assert match.view(2)["unseen"] == {}


def test_cards_lie_on_display_in_an_expedition_or_out_of_the_game():
    """L16: what has been removed can be seen by all."""
    match, rng = fresh(players=4, dead_cards="discard"), random.Random(2)
    while not match.over:
        view = match.view()
        laid = [card for player in view["players"] for one in player["expeditions"].values() for card in one["cards"]]
        start = [f"{colour}x" for pair in match.deal["starting"] for colour in pair]
        everywhere = Counter([*laid, *view["gone"], *(one["card"] for one in view["display"])])
        everywhere.subtract(start)
        everywhere.update(view["unseen"])
        assert +everywhere == Counter(match.deal["deck"])
        play_at_random(match, rng)


def test_all_are_told_the_same_but_for_their_names():
    """Section 8: a spectator is told "Ada", Ada is told "You"."""
    match, rng = fresh(dead_cards="discard"), random.Random(3)
    while not match.over:
        play_at_random(match, rng)
    public = [line.text for line in match.log()]
    for seat, name in enumerate(match.names):
        own = [line.text for line in match.log(seat)]
        assert len(own) == len(public)
        changed = [(one, two) for one, two in zip(own, public, strict=True) if one != two]
        assert changed
        assert all("you" in one.lower() and name in two for one, two in changed)


@given(SEEDS)
def test_with_covered_gold_the_view_names_no_gold_of_another(seed):
    """L28: gold_open = false; views and questions are the same whatever the others own."""
    state = position(BOOK, seed)
    state.gold_open = 0
    names = ["Ada", "Ben", "Cem", "Dot"][: state.players]
    for seat in seats(state):
        other = hidden(state, seat)
        for p in range(state.players):
            if p != seat:
                other.gold[p] = 99
        one = hidden(state, seat)
        if BOOK.words.view(one, seat)["phase"] != "over":
            assert BOOK.words.view(one, seat) == BOOK.words.view(other, seat)
            assert BOOK.words.question(one, seat, names) == BOOK.words.question(other, seat, names)
            assert BOOK.words.board(one, seat, names) == BOOK.words.board(other, seat, names)


@given(SEEDS)
def test_the_features_are_small_numbers_in_the_places_that_the_layout_names(seed):
    """Section 8."""
    state = position(BOOK, seed)
    if state.coins == 36 and state.size == 80:
        for seat in range(state.players):
            out = [0.0] * BOOK.features
            contract.observe(hidden(state, seat), seat, out)
            assert all(0 <= value <= 4 for value in out)
            assert sum(out[BOOK.observation["undrawn"]]) * 3 == pytest.approx(state.size - state.drawn)
            assert out[BOOK.observation["seat0.gold"]][0] == pytest.approx(state.gold[seat] / 36)
