"""The steady player of Rivals and its reasons."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outbid.bots import choose
from outbid.core.language.names import plain
from outbid.games.rivals import bot
from outbid.games.rivals.state import BID, CARD, DONE, OFFER, PASS, UNCOVER
from outbid.games.rivals.text.reasons import reason
from outbid.lab.simulate import simulate
from outbid.testing.positions import deal, redealt
from tests.support.profile import examples
from tests.support.steady import in_public, legal, mixed_play, reasons, steady

from .table import BOOK, NAMES, play, position

CODES = sorted(code for name, code in vars(bot).items() if name.startswith("WHY_"))
ACTS = {
    UNCOVER: {bot.WHY_UNCOVER_ONLY, bot.WHY_UNCOVER_WAIT, bot.WHY_UNCOVER_RIVAL},
    PASS: {bot.WHY_PASS},
    DONE: {bot.WHY_TAKE, bot.WHY_TAKE_NOTHING, bot.WHY_REMOVE_NOTHING},
    CARD: {bot.WHY_TAKE, bot.WHY_REMOVE},
    OFFER: {bot.WHY_OPEN, bot.WHY_RAISE, bot.WHY_RAISE_DENY},
}
SEEDS = st.integers(0, 2**40)


def kind(action):
    """The kind of an action, as in ACTS."""
    return action if action < CARD else CARD if action <= OFFER else OFFER


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
def test_steady_beats_random_players_at_smaller_and_larger_tables(players):
    assert simulate(BOOK, {}, players, 60, seed=5, bots=["steady", *["random"] * (players - 1)]).seats[0].share.mean >= 0.95


@given(SEEDS)
def test_steady_says_something_legal_for_a_reason_that_fits_under_any_options_also_in_a_take_that_somebody_else_began(seed):
    state = deal(BOOK, seed)
    for seat, action, note in mixed_play(state, seed, 120):
        assert action in legal(state, seat)
        assert note[0] in ACTS[kind(action)]
        if kind(action) == OFFER:
            assert action - OFFER in (note[2], state.gold[seat])
            assert action - OFFER <= note[4]
        if note[0] == bot.WHY_REMOVE:
            assert action == CARD + note[5]


@given(SEEDS)
@examples(20)
def test_steady_acts_the_same_after_the_deck_is_dealt_anew(seed):
    state = deal(BOOK, seed)
    for number, (seat, action, note) in enumerate(mixed_play(state, seed, 150)):
        if number % 7 == 0:
            assert steady(redealt(state, seat, seed), seat, seed) == (action, note)
            assert steady(state, seat, seed + 1) == (action, note)  # it does not gamble


def test_steady_takes_what_completes_a_bonus_and_wagers_with_it():
    match = play(position("R7 R2 Rx G3", ["R3 R4 R5", "G9", "G10"]), "0 bid 1 / 1 pass / 2 pass")
    decision = choose(match, 0, "steady", 1)
    assert match.play_steps(0, decision.actions) == {"do": "take", "cards": ["R7", "G3"]}
    assert not decision.public  # the move says as much
    assert decision.private["en"].startswith("I take 2 cards")


def test_steady_removes_the_card_that_helps_an_opponent_most():
    match = play(position("R7 G3 W10", ["R8", "Rx R2 R3 R4", "G9"]), "0 bid 1 / 1 pass / 2 pass / 0 take nothing")
    decision = choose(match, 0, "steady", 1)
    assert match.play_steps(0, decision.actions) == {"do": "remove", "card": "R7"}
    assert not decision.public
    assert "bring Ben about" in plain(decision.private["en"])


def test_steady_pays_more_for_a_display_that_is_worth_more():
    limits = []
    for display in ("G3", "R7", "R7 R8", "R7 R8 R9 R10"):
        state = position(display, ["R3 R4 R5", "G9", "G10"], drawn=30).state
        bot.count_pool(state, bot.USUAL)
        gain = bot.gain_of(state, 0, bot.USUAL)
        first, most, _, more = bot.keenest(state, 0, gain, bot.USUAL)
        limits.append(bot.limit_of(state, 0, gain, more if first == 0 else most, bot.USUAL))
    assert limits == sorted(limits)
    assert limits[0] < limits[1] < limits[-1] <= 12


def test_a_coin_costs_fewer_points_towards_the_end():
    prices = []
    for drawn in (10, 40, 79):
        state = position("R2", drawn=drawn).state
        prices.append(bot.price_of_points(state, bot.USUAL))
    assert prices[0] > prices[1] > prices[2] > 100


def test_steady_never_lets_an_opponent_have_the_last_good_display_for_nothing():
    """Ben leads with 1 for what is worth much to everybody."""
    match = play(position("Rx R6 R7 R8 R9", turn=1, drawn=70, gold=[12, 12, 12]), "1 bid 1")
    assert match.state.phase == BID
    decision = choose(match, 2, "steady", 3)
    assert match.play_steps(2, decision.actions) == {"do": "bid", "amount": 2}


@pytest.mark.slow
def test_four_steady_players_finish_a_match_with_sensible_scores():
    summary = simulate(BOOK, {}, 4, 40, seed=3, bots=["steady"])
    assert 35 < sum(line.score.mean for line in summary.seats) / 4 < 70
    assert all(line.share.mean < 0.5 for line in summary.seats)


@pytest.mark.parametrize("code", CODES)
def test_every_reason_is_a_sentence_and_the_public_one_names_no_limit_and_no_worth(code):
    note = [code, 1, 3, 7771, 7772, 14, 0, 0]
    assert "777" not in in_public(reason, note, NAMES)


def test_every_reason_is_given_sooner_or_later():
    matches = (({"must_take_at_least_one": seed % 2 == 0}, 2 + seed % 3) for seed in range(10))
    assert reasons(BOOK, matches, 2000, thinking=0.9) == set(CODES)
