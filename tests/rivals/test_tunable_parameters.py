"""The tunable parameters that make Rivals small: how many colours, how many starting wagers, and who begins."""

from __future__ import annotations

import pytest

import outbid
from outbid.core.errors import BadSetup

from .table import NAMES


def loaded(deal, **options):
    """A match for two with a deal changed."""
    game = outbid.game("rivals", **options)
    return game.load(NAMES[:2], {**game.new(2).deal, **deal})


def test_the_first_colours_are_in_the_game():
    """colours."""
    match = outbid.game("rivals", colours=3).new(3)
    assert {card[0] for card in match.deal["deck"]} == {"R", "B", "G"}
    assert len(match.deal["deck"]) == 3 * 16
    assert {colour for own in match.deal["starting"] for colour in own} <= {"R", "B", "G"}
    with pytest.raises(BadSetup, match="'Y' in the deal's starting is not a colour; the colours are R, B"):
        loaded({"starting": [["R", "Y"], ["R", "B"]]}, colours=2)


@pytest.mark.parametrize(("wagers", "colours", "players", "each"), [
    (2, 5, 4, 2), (1, 5, 4, 1), (0, 5, 4, 0), (2, 2, 2, 2), (2, 1, 2, 1), (2, 3, 4, 1), (2, 1, 4, 0), (1, 1, 2, 1),
])  # fmt: skip
def test_starting_wagers_are_as_many_as_all_can_have_in_different_colours(wagers, colours, players, each):
    """L2: starting_wagers."""
    for seed in range(5):
        match = outbid.game("rivals", starting_wagers=wagers, colours=colours).new(players, seed)
        assert [len(set(own)) for own in match.deal["starting"]] == [each] * players
        used = [colour for own in match.deal["starting"] for colour in own]
        assert all(used.count(colour) <= 2 for colour in used)
        shown = [sum(one["handshakes"] for one in seat["expeditions"].values()) for seat in match.view()["players"]]
        assert shown == [each] * players


@pytest.mark.parametrize(("wagers", "starting", "sentence"), [
    (0, [[], ["R"]], "seat 1 must have no colour"),
    (1, [["R"], []], "seat 1 must have one colour"),
    (1, [["R"]], "a list of 2 lists of one colour"),
])  # fmt: skip
def test_a_deal_with_other_numbers_of_starting_wagers_is_refused(wagers, starting, sentence):
    """starting_wagers."""
    with pytest.raises(BadSetup, match=sentence):
        loaded({"starting": starting}, starting_wagers=wagers)


def test_with_a_fixed_start_seat_0_begins():
    """L1: fixed_start; otherwise the seeds draw everybody, and a deal with another start is refused."""
    assert {outbid.game("rivals").new(3, seed).asked for seed in range(40)} == {(0,), (1,), (2,)}
    assert {outbid.game("rivals", fixed_start=True).new(3, seed).asked for seed in range(40)} == {(0,)}
    with pytest.raises(BadSetup, match="with fixed_start it must be 0"):
        loaded({"start": 1}, fixed_start=True)
