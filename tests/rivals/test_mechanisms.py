"""Reasons of Rivals by its rules: a position for each, what is told there, and not for the contrary move."""

from collections.abc import Sequence
from typing import Any

from outbid.core.match import Match
from outbid.games.rivals.hooks import mechanisms
from tests.support.reasoning import sentences, shown

from .table import play, position

TRIPS = ["Rx R2 R3", "Gx G3 G4 G5", "Bx"]
DONE = ["Rx R2 R3 R10", "Gx", "Bx"]


def at(script: str = "", gold: Sequence[int] = (12, 5, 5), display: str = "R4 R5 G9", **options: Any) -> Match:
    """A table of three with cards on display, after a script; Ada begins."""
    return play(position(display, options.pop("trips", TRIPS), gold=gold, **options), script)


TAKING = at("0 bid 5", display="R4 R5 Wx W4")
REMOVING = at("0 bid 5 / 0 take R4")
ANSWERING = at("1 bid 2 / 2 pass", (12, 12, 12), turn=1, drawn=50)
LATE = at(drawn=50)
EARLY = at(gold=(12, 12, 12))
POOR = at(display="W2", gold=(9, 9, 9))
CLOSING = at("0 bid 5", display="R4 R10 B2 B8 W3 W9", trips=["R2", "", ""])

POSITIONS = {
    "ahead": (
        at(trips=DONE, gold=(20, 5, 5), drawn=79), "uncover", "bid 3",
        "The last card ends the match, with a victory for you."),
    "behind": (
        at(trips=DONE, gold=(2, 15, 5), drawn=79), "bid 1", "uncover",
        "The last card ends the match, with a victory for Ben."),
    "worth": (LATE, "bid 2", "uncover", "The display can bring you 14 points for 2 gold."),
    "worth_more": (LATE, "bid 2", "bid 4", "The display can bring you 14 points for 2 gold instead of 4."),
    "dear": (POOR, "uncover", "bid 4", "The display brings you only 1 point at once, for 4 gold."),
    "dear_more": (POOR, "bid 3", "bid 4", "The display brings you only 1 point at once, for 4 gold instead of 3."),
    "hasty": (
        EARLY, "uncover", "bid 5",
        "That spends 5 of your 12 gold with 72 cards still to come; none comes back before the end."),
    "hasty_more": (
        EARLY, "bid 2", "bid 5",
        "That spends 5 of your 12 gold instead of 2 with 72 cards still to come; none comes back before the end."),
    "leaves": (ANSWERING, "bid 3", "pass", "Ben can take 14 points from the display for 2 gold."),
    "leaves_open": (LATE, "bid 2", "uncover", "Ben has 5 gold and can get 14 points from the display."),
    "bonus_other": (ANSWERING, "bid 3", "pass", "Ben can reach the bonus of the green expedition with the display."),
    "takes": (TAKING, "take R4 R5", "take Wx", "These cards bring you 12 points in all."),
    "takes_more": (TAKING, "take R4 R5", "take W4", "These cards bring you 12 points in all instead of 1."),
    "bonus": (TAKING, "take R4 R5", "take R5", "That brings you the bonus of the red expedition: 8 points."),
    "shakes": (
        TAKING, "take Wx", "take W4", "A handshake multiplies the white expedition by 2, with all that still joins it."),
    "bars": (CLOSING, "take B2", "take B8", "It shuts 9 lower numbers still to come out of your expeditions."),
    "bars_more": (
        CLOSING, "take W3", "take W9",
        "It shuts 10 lower numbers still to come out of your expeditions instead of 2."),
    "no_wager": (
        CLOSING, "take R4", "take W3",
        "It shuts 3 handshakes still to come out of your expeditions, as none goes behind a number."),
    "no_wager_more": (
        CLOSING, "take B2", "take B2 W9",
        "It shuts 6 handshakes still to come out of your expeditions instead of 3, as none goes behind a number."),
    "denies": (REMOVING, "remove G9", "remove R5", "That leaves 12 points less for Ben in the display."),
    "loses": (REMOVING, "remove nothing", "remove R5", "That leaves 10 points less for you in the display."),
}  # fmt: skip


test_a_mechanism_is_told_for_the_move_it_speaks_for, test_every_mechanism_has_a_position = shown(mechanisms, POSITIONS)


def test_in_the_first_quarter_of_the_deck_neither_a_bid_nor_what_others_then_get_is_a_reason():
    assert sentences(EARLY, "bid 2", "uncover") == []
    assert sentences(LATE, "bid 2", "uncover")


def test_gold_that_comes_back_with_each_pile_is_not_called_spent():
    for shared in (False, True):
        match = at(gold=(12, 12, 12), pile_distribution=shared)
        assert any("spends" in sentence for sentence in sentences(match, "uncover", "bid 5")) != shared


def test_points_that_shut_out_more_cards_than_they_are_worth_are_no_gain():
    """The blue 8 brings 2 points, and shuts out nine lower numbers."""
    assert any("bring" in sentence for sentence in sentences(TAKING, "take R4 R5", "take nothing"))
    assert not any("bring" in sentence for sentence in sentences(CLOSING, "take B8", "take nothing"))


def test_nobody_has_the_next_turn_behind_the_last_card():
    match = at(trips=DONE, gold=(20, 5, 5), drawn=79)
    assert not [sentence for sentence in sentences(match, "bid 3", "uncover") if "next turn" in sentence]
