"""Names of people: what may be one, which two are taken for the same, and how a sentence sets one apart."""

import pytest

from outbid.engine.errors import BadRecord
from outbid.engine.record import read_record

ANIMALS = ("chicken", "goose", "cat", "dog", "lamb", "goat", "donkey", "pig", "cow", "horse")


def record(name):
    deal = {"start": 0, "deck": [*ANIMALS * 4]}
    return {"game": "kuhhandel", "players": [name, "Ben", "Cem"], "deal": deal, "moves": []}


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "a\x1bb", "a\ud800", "a\u2028b", "a\u202eb", "x" * 65, 7, None])
def test_a_record_is_refused_whose_players_have_names_that_cannot_be_shown(name):
    with pytest.raises(BadRecord, match=r"^The name .* (must have 1 to 64 characters that can be shown|is not text)\.$"):
        read_record(record(name))


@pytest.mark.parametrize("name", ["You", "steady", "می\u200cنا", "👨\u200d👩\u200d👧", "a\ufe0f", "\u3164", "x" * 64])
def test_a_record_may_call_its_players_anything_that_can_be_shown(name):
    assert read_record(record(name)).names[0] == name
