"""Declared buffers (compiled/buffers.py): one declaration makes the arrays, the tuple and the table that describes them."""

from typing import Any, NamedTuple

import numpy as np
import pytest

import outbid
from outbid.bots import strong
from outbid.bots.search import rollouts, select
from outbid.compiled import game_tree, loops
from outbid.compiled.backend import entry
from outbid.compiled.buffers import allocate, cells, declared, float64, int64, records
from outbid.runs.loops import matches

BOOK = outbid.game("rivals").rulebook


@declared
class Inner(NamedTuple):
    """What lies within."""

    worlds: Any = records("W + 1")


@declared
class Outer(NamedTuple):
    """For tests."""

    moves: Any = int64(2, "A + 64", listed=True, says="action ids")
    odds: Any = float64("N", fill=0.5, says="of each world")
    inner: Any = Inner
    bytes: Any = cells("inner.worlds")


SIZES = {"A": 3, "N": 4, "W": 5}


def test_arrays_are_made_as_declared():
    made = allocate(Outer, SIZES, BOOK)
    assert (made.moves.shape, made.moves.dtype, made.moves.any()) == ((2, 67), np.int64, False)
    assert made.odds.tolist() == [0.5] * 4
    assert made.inner.worlds.dtype == BOOK.layout.dtype
    assert made.bytes.shape == (6, BOOK.layout.dtype.itemsize)
    made.inner.worlds["players"][2] = 3
    assert made.bytes[2].tobytes() == made.inner.worlds[2].tobytes() != made.bytes[1].tobytes()


def test_on_the_plain_backend_records_are_plain_states_and_what_is_listed_are_lists():
    made = allocate(Outer, SIZES, BOOK, False)
    assert made.moves == [[0] * 67] * 2
    assert isinstance(made.odds, np.ndarray)
    made.inner.worlds[0] = BOOK.fresh({})
    made.inner.worlds[1] = made.inner.worlds[0]
    made.inner.worlds[1].players = 3
    assert made.inner.worlds[0].players != 3, "a record is copied when it is assigned"
    assert made.bytes[0] == made.inner.worlds[0].packed() != made.bytes[1]


def test_what_is_given_is_taken_if_it_is_as_declared():
    odds = np.ones(7)
    assert allocate(Outer, SIZES, BOOK, odds=odds).odds is odds
    for wrong in (np.ones(7, np.float32), np.ones((7, 1))):
        with pytest.raises(TypeError, match=r"Outer.odds is float\d\d of shape .*, not float64 \(N,\)\."):
            allocate(Outer, SIZES, BOOK, odds=wrong)
    with pytest.raises(TypeError, match=r"Outer has no field odd\."):
        allocate(Outer, SIZES, BOOK, odd=odds)


def test_the_docstring_ends_in_a_table_of_the_fields():
    assert Outer.__doc__ == (
        "For tests.\n\n| field | type, shape | is |\n| --- | --- | --- |\n| moves | int64 (2, A + 64) | action ids |\n"
        "| odds | float64 (N,) | of each world |\n| inner | Inner | What lies within. |\n"
        "| bytes | cells (inner.worlds,) |  |"
    )


def test_a_field_without_a_declaration_is_refused():
    with pytest.raises(TypeError, match=r"Half\.odds is not declared"):

        @declared
        class Half(NamedTuple):
            """Half of it."""

            moves: Any = int64(2)
            odds: Any = None


def total(outer):
    """The sum of the odds; of numbers only, for a test."""
    found = 0.0
    for k in range(len(outer.odds)):
        found += outer.odds[k]
    return found


def test_compiled_code_takes_the_tuple():
    assert entry(BOOK, total)(allocate(Outer, SIZES, BOOK)) == 2.0


@pytest.mark.parametrize(
    "kind", [rollouts.Work, select.Searches, loops.Rows, loops.Learner, loops.Scratch, game_tree.Grown, matches.Notes]
)
def test_every_field_of_a_shipped_tuple_says_what_it_is(kind):
    said = [line.split("|")[1:4] for line in kind.__doc__.splitlines() if line.startswith("| ")][2:]
    assert [name.strip() for name, _, _ in said] == list(kind._fields)
    assert all(text.strip() or "cells" in shape or name.strip() == "states" for name, shape, text in said)


def test_a_space_has_the_shapes_that_are_declared():
    work = strong.Space(BOOK).work
    assert work.prior.shape == work.out.shape == (BOOK.actions + 64,)
    assert work.odds.shape[1] == len(work.fingerprints) == strong.kept(BOOK, True)
