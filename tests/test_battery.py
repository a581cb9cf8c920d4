"""The battery every game must pass (DESIGN.md, "What is tested"): nothing leaks, redeal is honest, backends agree."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import numpy as np
import pytest
import stepping
from checks import checks
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import Counted, counted, deal, hidden, position, random_setup, redealt, seats, walk
from stepping import contract_on

from outbid import read_record
from outbid.engine import chance, contract, loops
from outbid.engine.batch import Batch
from outbid.engine.compiled import entry
from outbid.engine.errors import OutbidError
from outbid.engine.match import Match

seeds = st.integers(0, 2**40)


def out_of(state: Any, seat: int) -> list[int]:
    out = [0] * 256
    return out[: contract.legal(state, seat, out)]


# --- 1: nothing leaks -------------------------------------------------------------------------------------------------


@given(seed=seeds)
def test_what_a_seat_sees_does_not_change_when_all_it_cannot_know_is_dealt_anew(book, seed):
    state = position(book, seed)
    names = [f"P{p}" for p in range(state.players)]
    for seat in seats(state):
        other = redealt(state, seat, seed)
        one, two = hidden(state, seat), hidden(other, seat)
        assert one == two, one.differences(two)
        assert book.words.view(one, seat) == book.words.view(two, seat)
        assert book.words.question(one, seat, names) == book.words.question(two, seat, names)
        if seat >= 0:
            assert observed(book, one, seat) == observed(book, two, seat)


def observed(book: Any, state: Any, seat: int) -> list[float]:
    row = [math.nan] * book.features
    contract.observe(state, seat, row)
    return row


@given(seed=seeds)
def test_features_say_nothing_that_is_hidden_also_when_they_are_made_from_the_whole_state(book, seed):
    state = position(book, seed)
    for seat in range(state.players):
        row = observed(book, hidden(state, seat), seat)
        assert row == observed(book, state, seat) == observed(book, redealt(state, seat, seed), seat)


@given(seed=seeds)
@settings(max_examples=30)
def test_no_index_of_the_rules_counts_from_the_end(book, seed):
    """Compiled, they would lead out of the state."""
    state = position(book, seed, 300)
    note, points, out = Counted([0] * 64), Counted([0] * 64), Counted([0] * 256)
    contract.score(counted(book, state), points)
    contract.winners(counted(book, state), points)
    for seat in seats(state):
        contract.hide(counted(book, state), seat)
        contract.redeal(counted(book, state), seat, seed)
    for seat in range(state.players):
        contract.recall(counted(book, redealt(state, seat, seed)), seat)
        contract.observe(counted(book, state), seat, Counted([0.0] * book.features))
        n = contract.legal(counted(book, state), seat, out) if contract.asked(state) >> seat & 1 else 0
        for k in range(min(n, 3)):
            contract.apply(counted(book, state), seat, out[(seed + k) % n])
        if n:
            who = seed % max(1, len(book.characters.players))
            contract.play(counted(book, hidden(state, seat)), seat, seed, note, who)


@given(seed=seeds)
def test_legal_moves_and_refusals_do_not_depend_on_what_a_seat_cannot_know(book, seed):
    state = position(book, seed)
    for seat in range(state.players):
        other = redealt(state, seat, seed)
        was, now = hidden(state, seat), hidden(other, seat)
        asked = contract.asked(was) >> seat & 1
        assert asked == contract.asked(now) >> seat & 1
        if not contract.asked(state) >> seat & 1 or contract.midway(state, seat) != contract.midway(was, seat):
            continue
        assert out_of(state, seat) == out_of(other, seat) == out_of(was, seat)
        if contract.midway(state, seat):
            continue
        assert book.words.menu(state, seat) == book.words.menu(other, seat) == book.words.menu(was, seat)
        for move in wrong_moves(book):
            assert refusal(book, state, seat, move) == refusal(book, other, seat, move)


def wrong_moves(book: Any) -> list[dict[str, Any]]:
    return [{"do": do} for do in book.words.EXPECTED] + checks(book).WRONG


def refusal(book: Any, state: Any, seat: int, move: dict[str, Any]) -> str:
    try:
        return str(book.words.steps(state, seat, move))
    except OutbidError as error:
        return str(error)


@given(seed=seeds)
@settings(max_examples=15)
def test_a_log_is_told_from_nothing_but_what_the_seat_may_know(book, seed):
    match = played(book, seed, 60)
    fresh = Match.load(book, match.options, match.names, match.deal)
    expected: dict[int, list[str]] = {seat: [] for seat in range(-1, match.players)}
    for n, move in enumerate(match.moves):
        before = fresh.copy()
        fresh.play(move["seat"], move)
        place = contract.CLOCK if move["seat"] is None else move["seat"]
        said = {key: value for key, value in move.items() if key != "seat"}
        for seat in expected:
            # both worlds are dealt anew for this seat and hidden again: only its own knowledge is left
            was = hidden(redealt(before.state, seat, seed + n), seat)
            now = hidden(redealt(fresh.state, seat, seed - n), seat)
            shown = book.words.masked(before.state, place, said, seat)
            expected[seat] += book.words.told(was, place, shown, now, seat, match.names)
    for seat, lines in expected.items():
        assert [line.text for line in match.log(seat)] == lines


JUNK = (None, 7, -1, 3.5, "zzz", "B3", [], [3], {}, True)
FOREIGN = (
    "with", "animal", "amount", "cards", "card", "bluff", "display", "give", "get", "pay", "receive", "in", "currency",
    "count", "bill", "as", "on", "stack", "to", "product", "coins", "from", "number", "next", "lock", "of", "how", "push",
    "defer", "onto", "icon", "at", "note",
)  # fmt: skip


@given(seed=seeds)
@settings(max_examples=25)
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
    state = position(book, seed)
    for seat in seats(state):
        once = hidden(state, seat)
        assert hidden(once, seat) == once


# --- 2: redeal is honest ----------------------------------------------------------------------------------------------


@given(seed=seeds)
def test_a_redealt_world_conserves_everything_and_agrees_with_all_memories(book, seed):
    state = position(book, seed)
    for seat in seats(state):
        checks(book).check(redealt(state, seat, seed))


@given(seed=seeds)
def test_a_redealt_world_can_be_played_on(book, seed):
    state = position(book, seed)
    for seat in seats(state):
        world = redealt(state, seat, seed)
        for _ in walk(world, seed, 100):
            checks(book).check(world)


def test_redeal_does_not_always_return_the_truth(book):
    if getattr(checks(book), "ALL_KNOWN", False):
        pytest.skip("in this game everybody knows everything, also what is to come")
    different = total = 0
    for seed in range(30):
        state = position(book, seed, 600)
        found = [any(redealt(state, seat, n) != state for n in range(3)) for seat in seats(state)]
        if contract.asked(state) or any(found):  # when a match is over, everybody may know everything
            total += len(found)
            different += sum(found)
    assert total > 50
    assert different > 0.7 * total


@given(seed=seeds)
def test_redeal_gives_the_same_world_from_a_hidden_state_as_from_the_true_one(book, seed):
    state = position(book, seed)
    for seat in seats(state):
        assert redealt(hidden(state, seat), seat, seed) == redealt(state, seat, seed)


# --- 3: backends and records agree ------------------------------------------------------------------------------------


@given(seed=seeds)
@settings(max_examples=25)
def test_plain_and_compiled_rules_agree_step_by_step(book, seed):
    run = entry(book, contract_on)
    out, seen = np.zeros(256, np.int64), np.zeros(book.features, np.float32)
    state = deal(book, seed)
    records = np.zeros(1, book.layout.dtype)
    for option in book.options:
        records[option.name][0] = getattr(state, option.name)
    run(records, stepping.DEAL, state.players, seed, out, seen)
    assert book.plain.from_record(records, 0) == state
    for n, (seat, action) in enumerate(walk(state, seed, 1500)):
        asked, count = run(records, stepping.LOOK, seat, 0, out, seen)
        assert asked == contract.asked(state)
        assert out[:count].tolist() == out_of(state, seat)
        run(records, stepping.APPLY, seat, action, out, seen)
        if n % 37 == 0:
            follower = state.copy()
            contract.apply(follower, seat, action)
            assert book.plain.from_record(records, 0) == follower
            for viewer in seats(state):
                one, two = np.zeros(1, book.layout.dtype), np.zeros(1, book.layout.dtype)
                follower.to_record(one, 0)
                follower.to_record(two, 0)
                run(one, stepping.HIDE, viewer, 0, out, seen)
                run(two, stepping.REDEAL, viewer, seed, out, seen)
                assert book.plain.from_record(one, 0) == hidden(follower, viewer)
                assert book.plain.from_record(two, 0) == redealt(follower, viewer, seed)
                if viewer >= 0:
                    follower.to_record(two, 0)
                    plain = np.array(observed(book, hidden(follower, viewer), viewer), np.float32).tolist()
                    for records_seen in (one, two):
                        seen[:] = np.nan
                        run(records_seen, stepping.OBSERVE, viewer, 0, out, seen)
                        assert seen.tolist() == plain
    points = [0] * state.players
    assert run(records, stepping.END, 0, 0, out, seen)[0] == contract.winners(state, points)
    assert out[: state.players].tolist() == points


@pytest.mark.generic
def test_a_playout_is_the_same_on_both_backends(book):
    records = np.zeros(1, book.layout.dtype)
    for seed in range(5):
        state = book.fresh({})
        contract.deal(state, book.players[1], seed)
        state.to_record(records, 0)
        out = np.zeros(256, np.int64)
        steps = entry(book, loops.playout)(records, 0, chance.stream(seed, 1), 10**6, out)
        assert loops.playout([state], 0, chance.stream(seed, 1), 10**6, [0] * 256) == steps
        assert book.plain.from_record(records, 0) == state


@pytest.mark.generic
def test_a_batch_plays_the_same_matches_as_single_states(book):
    batch = Batch(book, {}, 40, book.players[0], seed=3)

    def fresh(i):
        state = book.fresh({})
        contract.deal(state, batch.players, int(batch.deal[i]))
        return state

    singles = [fresh(i) for i in range(batch.n)]
    for _ in range(300):
        actions = batch.sample()
        for i, state in enumerate(singles):
            seat = int(batch.actor[i])
            assert contract.asked(state) >> seat & 1
            assert np.flatnonzero(batch.mask[i]).tolist() == sorted(out_of(state, seat))
            seen = observed(book, hidden(state, seat), seat)
            assert batch.obs[i].tolist() == np.array(seen, np.float32).tolist()
            contract.apply(state, seat, int(actions[i]))
        batch.step(actions)
        for i, state in enumerate(singles):
            assert batch.done[i] == (contract.asked(state) == 0)
            if batch.done[i]:
                singles[i] = fresh(i)


@pytest.mark.generic
def test_a_batch_is_the_same_whatever_the_number_of_threads(book):
    one, two = (Batch(book, {}, 1024, book.players[1], 5, threads=t) for t in (1, 2))
    for _ in range(400):
        actions = one.sample()
        assert (actions == two.sample()).all()
        one.step(actions)
        two.step(actions)
    assert (one.states == two.states).all()
    assert (one.obs == two.obs).all()


def played(book: Any, seed: int, moves: int) -> Match:
    import random

    rng = random.Random(seed)
    match = Match.new(book, *random_setup(book, rng, knobs=False), seed)
    for n in range(moves):
        if match.over:
            break
        mask = contract.asked(match.state)
        seat = rng.choice([bit for bit in range(8) if mask >> bit & 1])
        if out_of(match.state, seat):
            match.random_move(seat, seed + n)
    return match


@given(seed=seeds)
@settings(max_examples=20)
def test_a_record_replays_to_the_same_record(book, seed):
    match = played(book, seed, 500)
    again = read_record(json.loads(json.dumps(match.record())))
    assert again.record() == match.record()
    assert again.state == match.state


@given(seed=seeds)
@settings(max_examples=20)
def test_every_move_is_readable_as_text(book, seed):
    match = played(book, seed, 80)
    for move in match.moves:
        said = {key: value for key, value in move.items() if key != "seat"}
        assert book.words.parse(book.words.text(said)) == said


def test_the_same_seed_gives_the_same_match(book):
    one, two = played(book, 11, 200), played(book, 11, 200)
    assert one.record() == two.record()


# --- 4: the rules hold together ---------------------------------------------------------------------------------------


@given(seed=seeds)
def test_everything_is_conserved_and_nothing_overflows_after_every_step(book, seed):
    state = deal(book, seed)
    for _ in walk(state, seed, 2500):
        assert state.overflow() is None
        checks(book).check(state)


@given(seed=seeds)
def test_a_state_that_is_not_over_asks_somebody_who_can_answer(book, seed):
    state = deal(book, seed)
    for _ in walk(state, seed, 600):
        mask = contract.asked(state)
        for seat in range(8):
            if mask >> seat & 1:
                legal = out_of(state, seat)
                assert legal or mask >> contract.CLOCK & 1
                assert len(set(legal)) == len(legal)
                assert all(0 <= action < book.actions for action in legal)


@given(seed=seeds)
@settings(max_examples=15)
def test_matches_end_within_the_declared_bound(book, seed):
    state = deal(book, seed, knobs=False)
    steps = loops.playout([state], 0, chance.stream(seed, 1), book.longest + 1, [0] * 256)
    assert steps <= book.longest


@given(seed=seeds)
@settings(max_examples=20)
def test_copies_are_independent(book, seed):
    state = position(book, seed)
    twin, before = state.copy(), state.copy()
    for _ in walk(twin, seed, 200):
        pass
    assert state == before


@given(seed=seeds)
@settings(max_examples=20)
def test_what_the_menu_offers_is_accepted_and_what_it_does_not_is_refused(book, seed):
    match = played(book, seed, 70)
    for seat in range(match.players):
        menu = match.legal(seat)
        assert bool(len(menu)) == (seat in match.asked) or match.clock
        for choice in menu:
            if choice.whole:
                match.copy().play(seat, choice.text)
            for amount in {*choice.amounts[:1], *choice.amounts[-1:]}:
                match.copy().play(seat, {**choice.move, "amount": amount})
            for move in (*choice.moves[:2], *choice.moves[-2:]):
                match.copy().play(seat, move)
        before = match.state.copy()
        offered = {json.dumps(choice.move, sort_keys=True) for choice in menu if choice.whole}
        for move in wrong_moves(book):
            if set(move) == {"do"} and json.dumps(move, sort_keys=True) not in offered:
                with pytest.raises(OutbidError):
                    match.play(seat, move)
        assert match.state == before
