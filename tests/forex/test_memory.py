"""What a seat may know: everything, from the first turn on, but a move that somebody else is still putting together."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from outbid.core import contract
from outbid.testing.positions import hidden, position, redealt, seats

from .table import BOOK


@given(st.integers(0, 2**40))
def test_there_is_one_world_only(seed):
    """Section 10: nothing is hidden, so nothing is dealt anew."""
    state = position(BOOK, seed)
    for seat in seats(state):
        assert redealt(state, seat, seed) == hidden(state, seat)
        if not contract.midway(state, state.asking):
            assert hidden(state, seat) == state


@given(st.integers(0, 2**40))
def test_a_move_half_built_is_seen_by_its_owner_only(seed):
    """Section 10: for everybody else it has not begun."""
    state = position(BOOK, seed)
    if not contract.midway(state, state.asking):
        return
    assert hidden(state, state.asking) == state
    for seat in seats(state):
        if seat != state.asking:
            seen = hidden(state, seat)
            assert not contract.midway(seen, state.asking)
            assert set(seen.differences(state)) <= {"step", "partner", "give", "get"}


def test_the_certificates_that_were_removed_can_be_counted():
    """R15: by everybody, from what is for sale."""
    state = BOOK.fresh({})
    contract.deal(state, 3, 7)
    removed = BOOK.words.deal_of(state)["removed"]
    for seat in seats(state):
        stock = BOOK.words.view(hidden(state, seat), seat)["stock"]
        assert {name: 8 - removed.count(name) for name in stock} == stock
