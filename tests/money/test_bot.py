"""The steady player of Money! and its reasons."""

from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outbid.bots import choose
from outbid.core import contract
from outbid.core.language.names import plain
from outbid.games.money import bot
from outbid.games.money.state import BID
from outbid.games.money.text.reasons import reason
from outbid.runs.replay import replay
from outbid.testing.positions import deal
from tests.support.profile import examples
from tests.support.steady import in_public, mixed_play, reasons

from .table import BOOK, fresh, play, position

NAMES = ("Ada", "Ben", "Cem", "Dot", "Eli")
CODES = sorted(code for name, code in vars(bot).items() if name.startswith("WHY_"))
SEEDS = st.integers(0, 2**40)


# --- how it plays -----------------------------------------------------------------------------------------------------


@given(SEEDS)
@examples(10)
def test_the_steps_of_a_bid_are_one_plan(seed):
    """What it says at the last step is what it has laid."""
    state = deal(BOOK, seed, tunable=False)
    for seat, _, note in mixed_play(state, seed, 60, thinking=1):
        if state.phase == BID and state.laid[seat] and note[0] != bot.WHY_OUT:
            assert state.worth[seat] <= note[2]


def test_a_match_of_steady_players_has_about_eight_rounds_and_good_scores():
    """Section 8 of the research: greedy players reach 452 on the average, with four."""
    matches = [replay(BOOK, {}, ["steady"] * 4, 7, number) for number in range(8)]
    assert 4 <= statistics.mean(match.state.round for match in matches) <= 12
    assert statistics.mean(score for match in matches for score in match.scores) > 350


def test_the_third_thirty_is_taken_and_not_given_away():
    """A triplet is worth a hundred."""
    match = position("GBP30 GBP30 EUR60 CHF20", "EUR20", "EUR30", right="GBP30", left="USD20", final=True)
    play(match, "1 stay out / 2 stay out")
    move = match.play_steps(0, choose(match, 0, "steady", 1).actions)
    assert not [card for card in move["cards"] if card.startswith("GBP")]
    assert match.play_steps(0, choose(match, 0, "steady", 1).actions) == {"do": "take", "display": "right"}


def test_it_keeps_rather_than_take_a_lot_that_is_worth_less():
    """Two hundred of a currency stay together."""
    match = position("USD60 USD50 USD40 USD30 USD30", "EUR20", "EUR30", right="GBP20", left="JPY20", final=True)
    play(match, "0 bid USD60 USD50 USD40 USD30 USD30 / 1 bid EUR20 / 2 stay out")
    assert match.play_steps(0, choose(match, 0, "steady", 1).actions) == {"do": "keep"}


def test_worth_in_the_last_round_is_the_score():
    """No future, no promise."""
    for seed in range(30):
        state = deal(BOOK, seed)
        points = [0] * state.players
        contract.score(state, points)
        for seat in range(state.players):
            held = bot.notes_at(state, seat), bot.coins_at(state, seat)
            assert bot.worth(state, *held, bot.free_notes(state, seat, bot.USUAL), 0, bot.USUAL) == 10 * points[seat]


# --- what it says -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", CODES)
def test_every_reason_is_a_sentence_and_the_public_one_names_no_worth(code):
    note = [code, 1, 7770, 7771, 0, 0, 0, 0]
    assert "777" not in in_public(reason, note, NAMES)


def test_every_sealed_bid_sounds_the_same_in_public():
    codes = (bot.WHY_OUT, bot.WHY_BID, bot.WHY_BID_LAST)
    assert len({reason([code, 0, total, 5], NAMES, False) for code in codes for total in (0, 60)}) == 1


def test_the_reason_fits_the_action():
    for seed in range(6):
        match = fresh(players=4, rest=seed)
        while not match.over:
            seat = match.asked[0]
            decision = choose(match, seat, "steady", seed)
            said = match.play_steps(seat, decision.actions)
            if said["do"] == "bid" and said["cards"]:
                total = sum(int(card.split("#")[0].lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")) for card in said["cards"])
                assert f"I bid {total}:" in decision.private["en"]
            else:
                words = {"bid": "stay out", "take": f"the {said.get('display')} display", "keep": "back",
                         "swap": f"the bid of {match.names[said.get('with', 0)]}"}  # fmt: skip
                assert words[said["do"]] in plain(decision.private["en"])


def test_every_reason_is_given_sooner_or_later():
    matches = (({}, 3 + seed % 3) for seed in range(12))
    assert reasons(BOOK, matches, 300, thinking=0.95) == set(CODES) - {bot.WHY_NOTHING}
