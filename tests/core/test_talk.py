"""What players say beside the moves: where it stands in a record, who may read it, and what is refused."""

from __future__ import annotations

import json

import pytest

import outbid
from outbid.core.talk import LONGEST


def match(moves=4):
    """A match of Rivals for three after so many random moves."""
    begun = outbid.game("rivals").new(players=3, seed=1)
    for number in range(moves):
        begun.random_move(begun.asked[0], number)
    return begun


def talked():
    """One in which seat 0 speaks to all, seat 1 to seat 2 alone, with a move between them."""
    begun = match(2)
    begun.say(0, "I shall not\nbid.")
    begun.random_move(begun.asked[0], 5)
    begun.say(1, "Leave it to me.", to=2)
    return begun


ALL, ALONE = {"seat": 0, "after": 2, "text": "I shall not bid."}, {"seat": 1, "to": 2, "after": 3, "text": "Leave it to me."}


def test_a_record_without_talk_is_the_same_bytes_and_one_with_talk_differs_in_one_key():
    silent, spoken = match(2), match(2)
    before = json.dumps(silent.record())
    assert "said" not in before
    spoken.say(0, "Well.")
    record = spoken.record()
    assert record.pop("said") == [{"seat": 0, "after": 2, "text": "Well."}]
    assert json.dumps(record) == before


@pytest.mark.parametrize(
    ("parties", "told"), [((), [ALL]), ((0,), [ALL]), ((1,), [ALL, ALONE]), ((2,), [ALL, ALONE]), (range(3), [ALL, ALONE])]
)
def test_what_was_said_in_private_stands_in_the_records_of_its_parties_alone(parties, told):
    record = talked().record(parties)
    assert record["said"] == told
    assert outbid.read_record(record).record(parties) == record


def test_in_a_world_of_a_seat_there_is_what_it_has_heard():
    assert [each.text for each in talked().in_world(0, 1).talk] == ["I shall not bid."]
    assert len(talked().in_world(2, 1).talk) == 2
    assert len(talked().in_world(-1, 1).talk) == 1


def test_talk_follows_copies_moves_taken_back_and_earlier_positions():
    spoken = talked()
    assert [each.after for each in spoken.copy().talk] == [2, 3]
    assert [each.after for each in spoken.at(2).talk] == [2]
    spoken.take_back(1)
    assert spoken.record(range(3))["said"] == [ALL]


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({}, "The record's said must be a list."),
        ([3], "Remark 0: A remark is an object with seat, after and text."),
        ([{**ALL, "seat": 3}], "Remark 0: There is no seat 3; the seats are 0 to 2."),
        ([{**ALL, "seat": True}], "Remark 0: There is no seat True; the seats are 0 to 2."),
        ([{**ALL, "seat": None}], "Remark 0: A remark is that of a seat, and to another one or to all."),
        ([ALL, {**ALONE, "to": -1}], "Remark 1: There is no seat -1; the seats are 0 to 2."),
        ([{**ALONE, "to": 1}], "Remark 0: A remark is that of a seat, and to another one or to all."),
        ([{**ALL, "after": 4}], "Remark 0: It stands after 0 to 3 moves, not 4."),
        ([ALONE, ALL], "Remark 1: It stands after 3 to 3 moves, not 2."),
        ([{**ALL, "text": "x" * (LONGEST + 1)}], f"Remark 0: A remark has 1 to {LONGEST} characters."),
        ([{**ALL, "text": " "}], f"Remark 0: A remark has 1 to {LONGEST} characters."),
        ([{"seat": 0, "after": 1}], f"Remark 0: A remark has 1 to {LONGEST} characters."),
    ],
)
def test_talk_that_cannot_be_is_refused_with_its_number(told, says):
    record = talked().record() | {"said": told}
    with pytest.raises(outbid.BadRecord) as refused:
        outbid.read_record(record)
    assert str(refused.value) == says


def test_nobody_speaks_to_nobody_and_nothing_is_said_by_a_move():
    spoken = match(1)
    for seat, text, to in ((3, "a", None), (0, "", None), (0, "a", 0), (0, "a", 9)):
        with pytest.raises(outbid.BadSetup):
            spoken.say(seat, text, to)
    before = spoken.state.copy()
    spoken.say(2, "Now.")
    assert spoken.state == before
    assert len(spoken.moves) == 1
