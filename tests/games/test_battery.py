"""The battery every game must pass (outbid.testing): nothing leaks, redeal is honest, backends agree."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outbid import read_record
from outbid.core.match import Match
from outbid.testing import Own, hiding
from outbid.testing.compiled import BACKENDS, BATCHES, ROLLOUTS, THREADS
from outbid.testing.positions import played
from tests.support.checks import checks
from tests.support.profile import DEEP, examples

SHARED = (ROLLOUTS, BATCHES, THREADS)  # machinery that all games share

pytest_plugins = "outbid.testing.fixtures"

FIRST = 2**33  # seed: more than half a word
MOST = {  # matches in `make deep`, where they take long; a sixth of them before, at least 4
    "indices": 30, "accepted": 20, "menu": 20, "copies": 20, "ends": 15, "log": 15, "records": 20, "typed": 20, "totals": 3,
    "truth": 1, "steady": 12, "backends": 25, "playouts": 15, "batches": 1, "threads": 1,
}  # fmt: skip

COMPILED = [
    pytest.param(BACKENDS, marks=pytest.mark.slow(but=("sealed",))),
    *(pytest.param(one, marks=[pytest.mark.generic, pytest.mark.slow(but=("sealed",))]) for one in SHARED),
]


def holds(prop, book):
    """The property holds in many matches of a game, with what only its own tests know."""
    own, most = Own(checks(book).check, checks(book).WRONG), MOST.get(prop.name, 120)
    matches = most if DEEP else min(8, most, max(4, most // 6))
    for seed in range(FIRST, FIRST + (matches if prop.once else 1)):
        prop.check(book, matches, seed, own)


@pytest.mark.deeper
@pytest.mark.slow(but=("rivals", "sealed"))
def test_a_game_has_every_property(book, outbid_property):
    holds(outbid_property, book)


@pytest.mark.deeper
@pytest.mark.parametrize("prop", COMPILED, ids=str)
def test_compiled_a_game_is_the_same(book, prop):
    holds(prop, book)


def test_redeal_deals_something_anew(book):
    _, total, names = hiding.honesty(book, 0)
    assert (total > 50 and names) or getattr(checks(book), "ALL_KNOWN", False)


JUNK = (None, 7, -1, 3.5, "zzz", "B3", [], [3], {}, True)
FOREIGN = (
    "with", "animal", "amount", "cards", "card", "bluff", "display", "give", "get", "pay", "receive", "in", "currency",
    "count", "bill", "as", "on", "stack", "to", "product", "coins", "from", "number", "next", "lock", "of", "how", "push",
    "defer", "onto", "icon", "at", "note",
)  # fmt: skip


@given(seed=st.integers(0, 2**40))
@examples(25)
@pytest.mark.slow
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
