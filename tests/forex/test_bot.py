"""The steady player of For-Ex and its reasons."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outbid.games.forex import bot
from outbid.games.forex.state import (
    AGREE,
    CONTRACT,
    COUNT,
    CURRENCIES,
    CURRENCY,
    DIVEST,
    INVEST,
    REFUSE,
    RESOLVE,
    SPOT,
    START,
)
from outbid.games.forex.text.reasons import reason
from outbid.runs.replay import replay
from outbid.testing.positions import deal
from tests.support.profile import examples
from tests.support.steady import in_public, mixed_play, reasons, steady

from .table import BOOK, NAMES, play, position

CODES = sorted(code for name, code in vars(bot).items() if name.startswith("WHY_"))
SEEDS = st.integers(0, 2**40)

# the ids with which the first step of a move for a reason begins, and how many there are of them
FIRST = {
    bot.WHY_RESOLVE: (RESOLVE, 1), bot.WHY_RESOLVE_DIVIDEND: (RESOLVE, 1), bot.WHY_RESOLVE_WINS: (RESOLVE, 1),
    bot.WHY_INVEST: (INVEST, 7), bot.WHY_INVEST_TWO: (INVEST, 7), bot.WHY_DIVEST: (DIVEST, 7),
    bot.WHY_CONTRACT: (CONTRACT, 7), bot.WHY_COVER: (CONTRACT, 7), bot.WHY_SPOT: (SPOT, 5), bot.WHY_AGREE: (AGREE, 1),
    bot.WHY_REFUSE: (REFUSE, 1), bot.WHY_SELL_TOO: (COUNT + 1, 20), bot.WHY_KEEP: (COUNT, 1),
    bot.WHY_STRENGTHEN: (CURRENCY, 7), bot.WHY_STRONGEST: (CURRENCY, 7),
}  # fmt: skip


@given(SEEDS)
@examples(15)
def test_the_reason_fits_the_action_and_the_steps_of_a_move_fit_together(seed):
    state = deal(BOOK, seed, tunable=False)
    begun = [0] * 8
    for _, action, note in mixed_play(state, seed, 150, thinking=1):
        if state.step == START:
            first, count = FIRST[note[0]]
            assert first <= action < first + count
            begun = note
        else:
            assert note[:4] == begun[:4]


@pytest.mark.slow
def test_four_steady_players_finish_their_match_without_a_bankruptcy():
    for number in range(4):
        match = replay(BOOK, {}, ["steady"] * 4, 11, number)
        assert match.view()["bankrupt"] is None
        assert max(match.scores) > 40


def test_steady_ends_a_match_that_it_wins_and_does_not_end_one_that_it_loses():
    queue = [(1, {"GBP": 9}), "dividends"]
    state = position([{"USD": 9}], queue=queue).state
    action, note = steady(state, 0)
    assert (action, note[0]) == (RESOLVE, bot.WHY_RESOLVE_WINS)
    state = position([{}, {}, {"USD": 9}], queue=queue).state
    assert steady(state, 0)[0] != RESOLVE


def test_steady_asks_for_the_money_it_lacks():
    match = position([{"USD": 9, "GBP": 2}], queue=[(0, {"GBP": 3}), "dividends"], contract_sets=1)
    action, note = steady(match.state, 0)
    assert (note[0], CURRENCIES[note[2]]) == (bot.WHY_SPOT, "GBP")
    assert SPOT <= action < SPOT + 5


def test_steady_signs_a_contract_that_saves_it():
    poor = {**dict.fromkeys(CURRENCIES, 0), "USD": 1}
    queue = ["dividends", (0, {"GBP": 4}), (1, "1 EUR", "1 USD")]
    match = position([poor], [{}, {"CNY": 1}], rates={"GBP USD": 1}, queue=queue, spent=4, spot_enabled=False)
    action, note = steady(match.state, 0)
    assert action != RESOLVE
    assert note[0] in (bot.WHY_CONTRACT, bot.WHY_COVER)


def test_steady_agrees_only_to_what_pays():
    match = play(position([{}, {"CNY": 4}, {}]), "0 spot with 1 give 1 GBP get 4 CNY")
    first = steady(match.state, 1)[0]
    match = play(position([{"CNY": 4}, {}, {}]), "0 spot with 1 give 4 CNY get 1 GBP")
    assert {first, steady(match.state, 1)[0]} == {AGREE, REFUSE}


@pytest.mark.parametrize("code", CODES)
def test_every_reason_is_a_sentence(code):
    for number, seat, gain in ((1, 2, 0), (3, -1, 100)):
        note = [code, 6, 0, number, seat, gain, 0, 0]
        in_public(reason, note, NAMES)


def test_nearly_every_reason_is_given_sooner_or_later():
    matches, enough = (({}, 2 + seed % 3) for seed in range(10)), len(CODES) - 4
    found = reasons(BOOK, matches, 400, thinking=0.85, enough=enough)
    assert len(found) >= enough, found
