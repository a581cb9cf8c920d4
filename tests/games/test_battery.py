"""The battery every game must pass (outbid.testing): nothing leaks, redeal is honest, backends agree."""

from __future__ import annotations

import random

import pytest
from checks import checks
from conftest import examples
from hypothesis import given
from hypothesis import strategies as st

from outbid import read_record
from outbid.core.match import Match
from outbid.testing import Own, compiled, hiding, moves, totals
from outbid.testing.positions import played

seeds = st.integers(0, 2**40)


def holds(prop, book, seed):
    """The property holds in one match of a game, with what only its own tests know."""
    prop.check(book, 1, seed, Own(checks(book).check, checks(book).WRONG))


# --- 1: nothing leaks -------------------------------------------------------------------------------------------------


@given(seed=seeds)
def test_what_a_seat_sees_does_not_change_when_all_it_cannot_know_is_dealt_anew(book, seed):
    holds(hiding.LEAKS, book, seed)


@given(seed=seeds)
def test_features_say_nothing_that_is_hidden_also_when_they_are_made_from_the_whole_state(book, seed):
    holds(hiding.FEATURES, book, seed)


@given(seed=seeds)
@examples(30)
def test_no_index_of_the_rules_counts_from_the_end(book, seed):
    holds(moves.INDICES, book, seed)


@given(seed=seeds)
def test_legal_moves_and_refusals_do_not_depend_on_what_a_seat_cannot_know(book, seed):
    holds(hiding.CHOICES, book, seed)


@given(seed=seeds)
@examples(15)
def test_a_log_is_told_from_nothing_but_what_the_seat_may_know(book, seed):
    holds(hiding.LOG, book, seed)


JUNK = (None, 7, -1, 3.5, "zzz", "B3", [], [3], {}, True)
FOREIGN = (
    "with", "animal", "amount", "cards", "card", "bluff", "display", "give", "get", "pay", "receive", "in", "currency",
    "count", "bill", "as", "on", "stack", "to", "product", "coins", "from", "number", "next", "lock", "of", "how", "push",
    "defer", "onto", "icon", "at", "note",
)  # fmt: skip


@given(seed=seeds)
@examples(25)
def test_keys_that_do_not_belong_to_a_move_are_ignored_and_told_to_nobody(book, seed):
    """RECORD.md: extra keys are allowed and ignored by a replay."""
    match = played(book, seed, 80)
    rng = random.Random(seed)
    laden = Match.load(book, match.options, match.names, match.deal)
    for move in match.moves:
        own = book.words.canonical({**dict.fromkeys(FOREIGN, ""), **move})
        foreign = {key: rng.choice(JUNK) for key in FOREIGN if key not in own}
        if move["do"] == "icon" and move["icon"] == "u_turn" and match.players > 2:
            foreign["next"] = rng.choice(JUNK)  # only where two play one may choose
        if move["do"] == "play" and "/" not in move["bill"] and "as" not in move:
            foreign["as"] = None
        laden.play(move["seat"], {**foreign, **move})
    assert laden.moves == match.moves
    for seat in range(-1, match.players):
        assert laden.log(seat) == match.log(seat)
    assert read_record({**match.record(), "moves": laden.moves}).record() == match.record()


@given(seed=seeds)
def test_hiding_twice_is_hiding_once(book, seed):
    holds(hiding.HIDE, book, seed)


# --- 2: redeal is honest ----------------------------------------------------------------------------------------------


@given(seed=seeds)
def test_redeal_reads_nothing_hidden_conserves_everything_and_agrees_with_all_memories(book, seed):
    holds(hiding.REDEAL, book, seed)


@given(seed=seeds)
def test_a_redealt_world_can_be_played_on(book, seed):
    holds(hiding.WORLDS, book, seed)


def test_a_redealt_world_adds_up_as_every_match_does(book):
    for seed in range(3):
        holds(totals.TOTALS, book, seed)


def test_redeal_does_not_always_return_the_truth(book):
    holds(hiding.TRUTH, book, 0)
    _, total, names = hiding.honesty(book, 0)
    assert (total > 50 and names) or getattr(checks(book), "ALL_KNOWN", False)


# --- 3: backends and records agree ------------------------------------------------------------------------------------


@given(seed=seeds)
@examples(25)
def test_plain_and_compiled_rules_agree_step_by_step(book, seed):
    holds(compiled.BACKENDS, book, seed)


@pytest.mark.generic
def test_a_rollout_is_the_same_on_both_backends(book):
    for seed in range(5):
        holds(compiled.ROLLOUTS, book, seed)


@pytest.mark.generic
def test_a_batch_plays_the_same_matches_as_single_states(book):
    holds(compiled.BATCHES, book, 3)


@pytest.mark.generic
def test_a_batch_is_the_same_whatever_the_number_of_threads(book):
    holds(compiled.THREADS, book, 5)


@given(seed=seeds)
@examples(20)
def test_a_record_replays_to_the_same_record(book, seed):
    holds(moves.RECORDS, book, seed)
    match = played(book, seed, 500)
    again = read_record(match.record())
    assert again.record() == match.record()
    assert again.state == match.state


@given(seed=seeds)
@examples(20)
def test_every_move_is_readable_as_text(book, seed):
    holds(moves.TYPED, book, seed)


def test_the_same_seed_gives_the_same_match(book):
    holds(moves.SEEDS, book, 11)


# --- 4: the rules hold together ---------------------------------------------------------------------------------------


@given(seed=seeds)
def test_everything_is_conserved_and_nothing_overflows_after_every_step(book, seed):
    holds(moves.CONSERVED, book, seed)


@given(seed=seeds)
def test_a_state_that_is_not_over_asks_somebody_who_can_answer(book, seed):
    holds(moves.ASKS, book, seed)


@given(seed=seeds)
@examples(15)
def test_matches_end_within_the_declared_bound(book, seed):
    holds(moves.ENDS, book, seed)


@given(seed=seeds)
@examples(20)
def test_copies_are_independent(book, seed):
    holds(moves.COPIES, book, seed)


@given(seed=seeds)
@examples(20)
def test_what_is_legal_is_accepted(book, seed):
    holds(moves.ACCEPTED, book, seed)


@given(seed=seeds)
@examples(20)
def test_what_the_menu_offers_is_accepted_and_what_it_does_not_is_refused(book, seed):
    holds(moves.MENU, book, seed)
