"""The steady player of Kuhhandel, its reasons, and the simulations it plays in."""

import io
import json
import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import deal, hidden, redealt

from outbid.engine import contract
from outbid.engine.errors import BadSetup
from outbid.engine.record import read_record
from outbid.engine.rulebook import rulebook
from outbid.games.kuhhandel import bot
from outbid.games.kuhhandel.reasons import reason
from outbid.games.kuhhandel.rules import cash
from outbid.games.kuhhandel.state import ANIMALS, BID, HAMMER, REALTIME
from outbid.lab.simulate import replay, results, simulate, soonest, write_records

BOOK = rulebook("kuhhandel")
NAMES = ("Ada", "Ben", "Cem", "Dot", "Eve")
CODES = sorted(code for name, code in vars(bot).items() if name.startswith("WHY_"))
SEEDS = st.integers(0, 2**40)


def legal(state, seat):
    out = [0] * 128
    return out[: contract.legal(state, seat, out)]


def steady(state, seat, seed):
    """The steady player's action and note for a true state."""
    note = [0] * 8
    return contract.steady(hidden(state, seat), seat, seed, note), note


def mixed_play(state, seed, steps, thinking=0.7):
    """Play on, mostly steadily; yields (seat, action, note) for what the steady player says, before it happens."""
    rng = random.Random(seed)
    for _ in range(steps):
        mask = contract.asked(state)
        if mask == 0:
            return
        seat = rng.choice([bit for bit in range(8) if mask >> bit & 1])
        open_now = legal(state, seat)
        if not open_now:
            continue
        action = rng.choice(open_now)
        if seat < state.players and rng.random() < thinking:
            said, note = steady(state, seat, seed + state.moves)
            yield seat, said, note
            if said < 0:
                continue
            action = said
        contract.apply(state, seat, action)


# --- how it plays -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", range(4))
def test_steady_beats_three_random_players_in_at_least_95_of_100_matches_from_every_seat(seat):
    names = ["random"] * 4
    names[seat] = "steady"
    summary = simulate(BOOK, {}, 4, 100, seed=1986 + seat, bots=names)
    assert summary.seats[seat].share.mean >= 0.95


@given(SEEDS)
def test_steady_always_says_something_legal_under_any_options_also_in_a_move_somebody_else_began(seed):
    state = deal(BOOK, seed)
    for seat, action, _ in mixed_play(state, seed, 250):
        if action < 0:
            assert state.bidding == REALTIME
            assert state.phase == BID
            assert not state.building
        else:
            assert action in legal(state, seat)


@given(SEEDS)
def test_steady_acts_the_same_after_all_that_it_cannot_know_is_dealt_anew(seed):
    state = deal(BOOK, seed, knobs=False)
    for number, (seat, action, note) in enumerate(mixed_play(state, seed, 160)):
        if number % 23 == 0:
            assert steady(redealt(state, seat, seed), seat, seed + state.moves) == (action, note)


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


# --- what it says -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", CODES)
def test_every_reason_is_a_sentence_and_the_public_one_names_no_money_of_its_own(code):
    note = [code, ANIMALS.index("pig"), 1, 120, 150, 7770, 0, 0]
    for private in (False, True):
        sentence = reason(note, NAMES, private)
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert "{" not in sentence
    assert "7770" not in reason(note, NAMES, False)


def test_an_offer_and_a_counter_sound_the_same_in_public_whatever_they_hold():
    def public(*codes):
        return {reason([code, 7, 2, 1, 0, own, 0, 0], NAMES, False) for code in codes for own in (0, 500)}

    assert len(public(bot.WHY_OFFER, bot.WHY_OFFER_ALL, bot.WHY_BLUFF)) == 1
    assert len(public(bot.WHY_COUNTER, bot.WHY_COUNTER_SURE, bot.WHY_COUNTER_NOTHING)) == 1


def test_nearly_every_reason_is_given_sooner_or_later():
    given_reasons = set()
    for seed in range(12):
        state = BOOK.fresh({"empty_offer": seed % 3 > 0})
        contract.deal(state, 3 + seed % 3, seed)
        for _, action, note in mixed_play(state, seed, 4000, thinking=0.95):
            if action >= 0:
                given_reasons.add(note[0])
    assert len(given_reasons) >= len(CODES) - 4


# --- simulations ------------------------------------------------------------------------------------------------------


def test_a_simulation_does_not_depend_on_threads_or_backend():
    for options in ({}, {"bidding": "realtime", "overbid": "capped"}):
        plain = simulate(BOOK, options, 3, 6, 5, ["steady", "random"], backend="plain")
        for threads in (1, 3):
            assert simulate(BOOK, options, 3, 6, 5, ["steady", "random"], threads=threads, backend="compiled") == plain


def test_a_handful_of_matches_is_played_plain_and_many_are_compiled():
    assert soonest(BOOK, 3) == "plain"
    assert soonest(BOOK, 20) in ("plain", "compiled")
    assert soonest(BOOK, 1000) == "compiled"


def test_the_first_matches_of_a_longer_simulation_are_those_of_a_shorter_one():
    names = ["steady", "random", "random"]
    long = results(BOOK, {}, names, 5, 9, backend="plain")
    assert results(BOOK, {}, names, 2, 9, backend="plain") == long[:2]


def test_a_summary_counts_every_victory_once_and_every_match_in_its_progress():
    told = []
    summary = simulate(BOOK, {}, 3, 7, 4, ["random", "steady"], progress=told.append)
    assert sum(told) == 7
    assert sum(line.share.mean for line in summary.bots) == pytest.approx(1)
    assert sum(line.share.mean for line in summary.seats) == pytest.approx(1)
    assert [line.name for line in summary.seats] == ["random", "steady", "random"]
    assert json.loads(json.dumps(summary.as_dict()))["games"] == 7
    assert "steady" in summary.as_text()


def test_written_records_are_the_matches_of_the_simulation_and_replay():
    file = io.StringIO()
    write_records(file, BOOK, {"bidding": "dropout"}, 3, 2, 8, ["steady", "random"])
    rows = results(BOOK, {"bidding": "dropout"}, ["steady", "random", "steady"], 2, 8, backend="plain")
    for line, row in zip(file.getvalue().splitlines(), rows, strict=True):
        assert read_record(json.loads(line)).scores == row[:3]


def test_a_simulation_refuses_unknown_bots_and_too_many_of_them():
    with pytest.raises(BadSetup, match="genius"):
        simulate(BOOK, {}, 3, 1, 0, ["genius"])
    with pytest.raises(BadSetup, match="4"):
        simulate(BOOK, {}, 3, 1, 0, ["random"] * 4)
    with pytest.raises(BadSetup, match="0 matches"):
        simulate(BOOK, {}, 3, 0, 0, ["random"])
