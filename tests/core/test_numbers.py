"""A move has one number, in record, log, replay and review, also where sealed answers come in another order than they are
written."""

from __future__ import annotations

import json

import pytest

import outbid
from outbid.core.hooks.review import bluffs, moves_of
from outbid.core.language.names import ISOLATE, POP, marked
from outbid.core.record import read_record
from outbid.core.rulebook import rulebook
from outbid.review.review import review
from outbid.review.text import Teller, as_text
from tests.support.late import NAMES, late

SEALED = {"money", "sealed"}  # games in which several seats answer at once


def test_every_number_is_a_place_in_the_record_and_names_one_move_everywhere(book):
    match = late(book, book.players[1])
    record = match.record()
    assert sorted(match.numbers) == list(range(len(match.moves))) or not match.over
    assert (match.numbers != sorted(match.numbers)) == (book.id in SEALED)
    again = read_record(json.loads(json.dumps(record)))
    assert again.record() == record
    for seat in range(-1, match.players):
        for line in match.log(seat):
            assert record["moves"][line.move]["seat"] == line.seat
        assert sorted(line.text for line in match.log(seat)) == sorted(line.text for line in again.log(seat))
    for number in range(0, match.reached + 1, 7):
        assert match.at(number).record() == again.at(number).record()


def test_an_outcry_is_numbered_as_it_is_heard():
    match = late(rulebook("kuhhandel"), 4, bidding="realtime")
    assert match.numbers == list(range(len(match.moves)))


@pytest.mark.parametrize("game", sorted(SEALED))
def test_a_sealed_answer_keeps_its_number_while_others_are_awaited(game):
    match = outbid.Match.new(rulebook(game), {}, 4 if game == "sealed" else 3, 1, NAMES[: 4 if game == "sealed" else 3])
    seats = match.players
    match.random_move(seats - 1, 1)
    assert (match.numbers, match.reached) == ([seats - 1], seats)
    assert {line.move for line in match.log(0)} == {seats - 1}
    assert match.at(seats).moves == match.moves
    assert match.at(seats - 1).moves == []
    twin = match.copy()
    for one in (match, twin):
        one.random_move(0, 1)
        assert one.numbers == [seats - 1, 0]
        one.take_back()
        one.random_move(1, 1)
        assert one.numbers == [seats - 1, 1]


@pytest.mark.parametrize("options", [{"preset": "small"}, {"preset": "small", "bid_counts": "visible_on_commit"}])
def test_the_sentences_of_a_review_tell_of_the_players_own_bids_whoever_was_first(options):
    called = ["you bid 500. Berta", "Ben"]
    match = outbid.game("money", **options).new(players=2, seed=5, names=called)
    while not match.over:
        match.random_move(match.asked[-1], len(match.moves))
    assert match.numbers != sorted(match.numbers)
    recorded = read_record(match.record())
    made = review(recorded, worlds=2, effort=0.1, compiled=False)
    here, there = Teller(match, made), Teller(recorded, made)
    for number, move in enumerate(match.record()["moves"]):
        assert here.moves[number].seat == move["seat"]
        assert here.did(number) == there.did(number)
        assert here.did(number).startswith(marked(called[move["seat"]]))
    for decision in made["decisions"]:
        assert match.record()["moves"][decision["move"]]["seat"] == decision["seat"]
        assert here.loss(decision) == there.loss(decision)
    assert here.moments() == there.moments()
    said = as_text(here)
    assert f"“{called[0]}”" in said
    assert not {ISOLATE, POP} & set(said)
    for laid in bluffs(match.rulebook, moves_of(match)) or []:
        assert match.record()["moves"][laid.number]["seat"] == laid.seat


def test_an_attempt_changes_nothing_until_it_is_committed_once():
    match = outbid.game("rivals").new(players=3, seed=1)
    seat = match.asked[0]
    match.log(seat)
    before = match.record(), match.question(seat)
    attempt = match.attempt(seat, match.legal(seat).texts[0])
    later = match.after(attempt)
    assert (match.record(), match.question(seat)) == before
    assert {"seat": seat, **match.commit(attempt)} == later.moves[-1]
    assert match.record() == later.record()
    with pytest.raises(outbid.NotYourTurn, match="has gone on"):
        match.commit(attempt)
    match.take_back()
    assert (match.record(), match.question(seat)) == before
