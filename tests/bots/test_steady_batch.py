"""The steady bot inside a batch: it answers for the seats it holds, from what they may see."""

import numpy as np
import pytest

import outbid
from outbid.compiled.loops import SEATS_FROM
from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.rulebook import rulebook
from outbid.facade import Game
from outbid.testing.positions import hidden, redealt

MATCHES = 6


def batch_of(book, n=MATCHES, seed=3, threads=None, **options):
    return Game(book, options).batch(n, book.players[1], seed, threads)


def played(batch, held, steps):
    """Play on: steadily in the seats held, at random in the others; yields the actions before each step."""
    for _ in range(steps):
        answers = batch.steady(held)
        actions = np.where(answers < 0, batch.sample(), answers)
        yield answers, actions
        batch.step(actions)


@pytest.mark.generic
def test_it_answers_with_a_legal_action_exactly_where_the_acting_seat_is_held(book):
    batch = batch_of(book)
    held = np.arange(batch.players) % 2 == 1
    for answers, _ in played(batch, held, 150):
        assert ((answers >= 0) == held[batch.actor]).all()
        assert batch.mask[np.arange(MATCHES)[answers >= 0], answers[answers >= 0]].all()


@pytest.mark.generic
def test_it_answers_the_same_when_all_that_the_seat_cannot_know_is_dealt_anew(book):
    batch = batch_of(book)
    everybody = np.ones(batch.players, bool)
    changed = 0
    for number, (answers, _) in enumerate(played(batch, everybody, 150)):
        if number % 10 == 0:
            truth = batch.states.copy()
            for i in range(MATCHES):
                redealt(book.plain.from_record(truth, i), int(batch.actor[i]), number).to_record(batch.states, i)
            changed += (batch.states != truth).any()
            assert batch.steady(everybody).tolist() == answers.tolist()
            batch.states[:] = truth
    assert changed or not book.secrets


@pytest.mark.generic
def test_asked_twice_it_says_the_same_and_changes_nothing(book):
    batch = batch_of(book)
    everybody = np.ones((MATCHES, batch.players), bool)
    for answers, _ in played(batch, everybody, 60):
        before = (batch.states.copy(), batch.actor.copy(), batch.mask.copy(), batch.obs.copy())
        assert batch.steady(everybody).tolist() == answers.tolist()
        after = (batch.states, batch.actor, batch.mask, batch.obs)
        assert all((a == b).all() for a, b in zip(before, after, strict=True))


def test_seats_can_be_held_in_some_matches_and_not_in_others():
    batch = batch_of(rulebook("sealed"))
    held = np.arange(MATCHES * batch.players).reshape(MATCHES, -1) % 3 == 0
    for answers, _ in played(batch, held, 60):
        assert ((answers >= 0) == held[np.arange(MATCHES), batch.actor]).all()


@pytest.mark.generic
def test_it_says_what_the_plain_rules_say_and_all_steps_of_a_move_draw_from_its_beginning(book):
    batch = batch_of(book)
    everybody = np.ones(batch.players, bool)
    begun = {}
    middle = 0
    for answers, _ in played(batch, everybody, 120):
        for i, seat in enumerate(batch.actor.tolist()):
            state = hidden(book.plain.from_record(batch.states, i), seat)
            if contract.midway(state, seat):
                middle += 1
            else:
                begun[i, seat] = int(batch.steps[i])
            own = stream(stream(int(batch.deal[i]), SEATS_FROM + seat), begun[i, seat])
            assert contract.steady(state, seat, own, [0] * 8) == answers[i]
    assert middle or book.id in ("claim", "sealed")


def test_it_is_the_same_whatever_the_number_of_threads():
    one, two = (batch_of(rulebook("sealed"), n=600, threads=threads) for threads in (1, 2))
    held = np.array([False, True, True, False])
    for (a, _), (b, _) in zip(played(one, held, 40), played(two, held, 40), strict=True):
        assert a.tolist() == b.tolist()


@pytest.mark.deep
def test_who_has_nothing_to_say_leaves_the_word_to_another_and_at_last_to_the_clock():
    batch = batch_of(rulebook("kuhhandel"), n=64, bidding="realtime")
    everybody = np.ones(batch.players, bool)
    clock = 0
    for answers, _ in played(batch, everybody, 400):
        assert batch.mask[np.arange(64), answers].all()
        clock += (batch.actor == contract.CLOCK).sum()
    assert clock > 100


@pytest.mark.parametrize("seats", [[1, 0, 0, 0], np.ones(3, bool), np.ones((2, 4), bool), True])
def test_wrong_seats_are_refused(seats):
    batch = batch_of(rulebook("sealed"), n=8)
    with pytest.raises(outbid.BadSetup, match=r"The seats must be bool of shape \(4,\) or \(8, 4\), not"):
        batch.steady(seats)
