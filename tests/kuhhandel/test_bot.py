"""The steady player of Kuhhandel, its reasons, and the simulations it plays in."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outbid.core import contract
from outbid.core.rulebook import rulebook
from outbid.games.kuhhandel import bot
from outbid.games.kuhhandel.rules import cash
from outbid.games.kuhhandel.state import ANIMALS, HAMMER
from outbid.games.kuhhandel.text.reasons import reason
from outbid.runs.replay import replay
from outbid.testing.positions import deal
from tests.support.steady import in_public, mixed_play, reasons

BOOK = rulebook("kuhhandel")
NAMES = ("Ada", "Ben", "Cem", "Dot", "Eve")
CODES = sorted(code for name, code in vars(bot).items() if name.startswith("WHY_"))
SEEDS = st.integers(0, 2**40)


# --- how it plays -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bidding", ["rotation", "dropout", "realtime"])
def test_four_steady_players_finish_their_match_with_every_set_complete(bidding):
    match = replay(BOOK, {"bidding": bidding}, ["steady"] * 4, 11, 0)
    assert match.over
    assert sum(row.count(4) for row in match.state.animals) == len(ANIMALS)


@given(SEEDS)
def test_steady_never_bids_more_than_it_has(seed):
    state = deal(BOOK, seed)
    for seat, _, _ in mixed_play(state, seed, 300, thinking=1):
        if state.phase == HAMMER and seat == state.turn:
            assert cash(state, state.leader) >= state.bid


@pytest.mark.slow
def test_dear_animals_cost_more_and_prices_rise_with_the_donkeys():
    early, late, horse, chicken = [], [], [], []
    for number in range(8):
        match = replay(BOOK, {}, ["steady"] * 4, 77, number)
        deck = match.deal["deck"]
        drawn, bid = 0, 0
        for move in match.moves:
            if move["do"] == "auction":
                drawn, bid = drawn + 1, 0
            elif move["do"] == "bid":
                bid = move["amount"]
            elif move["do"] in ("sell", "buy"):
                (early if drawn <= 10 else late if drawn > 30 else []).append(bid)
                {"horse": horse, "chicken": chicken}.get(deck[drawn - 1], []).append(bid)
    assert statistics.mean(late) > 2 * statistics.mean(early)
    assert statistics.mean(horse) > 1.3 * statistics.mean(chicken)


def test_completing_a_set_beside_two_others_is_worth_their_value_and_three_times_its_own():
    state = BOOK.fresh({})
    contract.deal(state, 3, 1)
    state.drawn = state.size
    for kind in range(len(ANIMALS)):
        state.animals[1][kind] = 4
    for name in ("horse", "cat"):
        state.animals[1][ANIMALS.index(name)] = 0
        state.animals[0][ANIMALS.index(name)] = 4
    dog = ANIMALS.index("dog")
    state.animals[0][dog], state.animals[1][dog] = 3, 1
    assert bot.gain_of(state, 0, dog) == 1090 + 3 * 160


def auctions(name, matches=4):
    """The bids of each auction among three of them."""
    found = []
    for number in range(matches):
        for move in replay(BOOK, {}, [name] * 3, 5, number).moves:
            if move["do"] == "auction":
                found.append([])
            elif move["do"] == "bid":
                found[-1].append(move["amount"])
    return found


@pytest.mark.slow
def test_bots_bid_in_larger_steps_than_they_did_and_not_by_ten_for_minutes():
    before, now = auctions("steady@1"), auctions("steady")
    assert statistics.mean(map(len, now)) < 0.8 * statistics.mean(map(len, before))
    assert max(map(len, now)) < 16
    openings = [bids[0] for bids in now if bids]
    assert statistics.mean(openings) > 1.5 * statistics.mean(bids[0] for bids in before if bids)


def test_a_vague_player_takes_a_card_for_the_same_as_long_as_it_lies_there():
    state = BOOK.fresh({})
    contract.deal(state, 3, 1)
    state.kind, params = 4, bot.USUAL.but({"vague": 60})
    guesses = set()
    for drawn in range(40):
        state.drawn = drawn
        one = bot.guessed(state, 1, 1000, params)
        assert one == bot.guessed(state, 1, 1000, params)
        assert 400 <= one <= 1600
        guesses.add(one)
    assert len(guesses) > 20
    assert bot.guessed(state, 1, 1000, bot.USUAL) == 1000


# --- what it says -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", CODES)
def test_every_reason_is_a_sentence_and_the_public_one_names_no_money_of_its_own(code):
    note = [code, ANIMALS.index("pig"), 1, 120, 150, 7770, 0, 0]
    assert "7770" not in in_public(reason, note, NAMES)


def test_an_offer_and_a_counter_sound_the_same_in_public_whatever_they_hold():
    def public(*codes):
        return {reason([code, 7, 2, 1, 0, own, 0, 0], NAMES, False) for code in codes for own in (0, 500)}

    assert len(public(bot.WHY_OFFER, bot.WHY_OFFER_ALL, bot.WHY_BLUFF)) == 1
    assert len(public(bot.WHY_COUNTER, bot.WHY_COUNTER_SURE, bot.WHY_COUNTER_NOTHING)) == 1


def test_nearly_every_reason_is_given_sooner_or_later():
    matches, enough = (({"empty_offer": seed % 3 > 0}, 3 + seed % 3) for seed in range(12)), len(CODES) - 4
    found = reasons(BOOK, matches, 4000, thinking=0.95, enough=enough)
    assert len(found) >= enough, found
