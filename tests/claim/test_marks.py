"""The marks under a stack say of whoever is to claim no more than the buttons do."""

from __future__ import annotations

from outbid.core.language.phrases import Speaker
from outbid.games.claim.text import captions

from .table import NAMES, play, position


def marks(match, seat: int, number: int) -> list[str]:
    """The marks of all seats under a stack, as a seat sees them."""
    state, speak = match.seen(seat), Speaker(NAMES[: match.players], seat)
    able = captions.takers(state, number)
    return [captions.standing(state, speak, other, number, able)[0] for other in range(match.players)]


def test_what_one_has_just_played_is_not_marked_as_open_to_oneself():
    rows = [[["2"]], [["3"]], [["4"]]]
    match = play(position([["1", "3"], ["1"], ["1"]], {1: ["1"], 2: ["2"]}, rows, players=3), "0 play 1")
    assert marks(match, 0, 1) == ["never", "can", "can"]
    assert marks(match, 1, 1) == ["never", "can", "can"]
    assert captions.unclaimable(match.seen(0), Speaker(NAMES[:3], 0)) == "you have just played a 1 and you have 2s already"


def test_a_full_stack_that_one_may_push_to_oneself_is_open():
    match = play(position([["3", "1"], ["1"], ["1"]], {3: ["3"]}, players=3), "0 play 3")
    assert marks(match, 0, 3) == ["can", "can", "can"]
