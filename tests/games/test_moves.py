"""The schema of the moves that a game declares (core/moves.py) fits what a match takes, and what it cannot read."""

from __future__ import annotations

import jsonschema
import pytest

from outbid.core.errors import Unreadable
from outbid.core.moves import LongMove, LongMoves, MoveField, number
from outbid.core.rulebook import rulebooks
from outbid.testing.positions import played

JUNK = (None, True, 7, -1, 3.5, "zzz", "B3", [], [3], ["zzz"], {}, ["CNY", 0.3])


DECLARED = [one for one in rulebooks().values() if isinstance(one.moves, LongMoves)]


@pytest.mark.slow(but=("rivals",))
@pytest.mark.parametrize("declared", DECLARED, ids=lambda book: book.id)
def test_what_is_played_fits_the_schema_and_what_does_not_fit_it_cannot_be_read(declared):
    jsonschema.Draft202012Validator.check_schema(declared.moves.schema)
    fits = jsonschema.Draft202012Validator(declared.moves.schema).is_valid
    refused = 0
    for seed in range(6):
        match = played(declared, seed, 60)
        at = match.at(0)
        for move in match.moves:
            seat, said = move["seat"], {key: value for key, value in move.items() if key != "seat"}
            assert fits(said)
            for key in said.keys() - {"do"}:
                wrong = [{**said, key: junk} for junk in JUNK] + [{k: v for k, v in said.items() if k != key}]
                for one in (one for one in wrong if not fits(one)):
                    refused += 1
                    with pytest.raises(Unreadable):
                        declared.words.steps(at.state, seat, one)
            at.play(seat, said)
    assert refused > 100


SOLD = MoveField({"enum": ["cow", "pig"]}), MoveField({"type": "integer"}, typed=number(r"[0-9]{1,9}"))
SALE = LongMove("sell", (0,), lambda s, seat, animal, n: [n], {"animal": SOLD[0], "n": SOLD[1]}, "sell {n} {animal}",
                skipped=("the",))  # fmt: skip


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("2 cow", {"animal": "cow", "n": 2}),
        ("the cow 2", {"animal": "cow", "n": 2}),
        ("2 zebra", {"animal": "zebra", "n": 2}),
        ("cow pig", None),
        ("2", None),
        ("", None),
    ],
)
def test_two_words_are_read_in_either_order(words, values):
    assert SALE.values(words.split(), words) == values
