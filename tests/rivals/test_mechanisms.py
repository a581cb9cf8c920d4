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
ANSWERING = at("1 bid 2 / 2 pass", (12, 12, 12), turn=1)

POSITIONS = {
    "ahead": (
        at(trips=DONE, gold=(20, 5, 5), drawn=79), "uncover", "bid 3",
        "The last card ends the match, with a victory for you."),
    "behind": (
        at(trips=DONE, gold=(2, 15, 5), drawn=79), "bid 1", "uncover",
        "The last card ends the match, with a victory for Ben."),
    "beyond": (at(), "bid 5", "bid 4", "Nobody else has more than 5 gold, so the auction is won at once."),
    "worth": (at(), "bid 2", "uncover", "The display can bring you 14 points for 2 gold."),
    "worth_more": (at(), "bid 2", "bid 3", "The display can bring you 14 points for 2 gold instead of 3."),
    "dear": (
        at(display="W2", gold=(9, 9, 9)), "uncover", "bid 4",
        "The display brings you only 1 point at once, for 4 gold."),
    "leaves": (ANSWERING, "bid 3", "pass", "Ben can take 14 points from the display for 2 gold."),
    "leaves_open": (at(), "bid 2", "uncover", "Ben has 5 gold and can get 14 points from the display."),
    "bonus_other": (ANSWERING, "bid 3", "pass", "Ben can reach the bonus of the green expedition with the display."),
    "takes": (TAKING, "take R4 R5", "take W4", "These cards bring you 12 points in all."),
    "bonus": (TAKING, "take R4 R5", "take R5", "That brings you the bonus of the red expedition: 8 points."),
    "shakes": (
        TAKING, "take Wx", "take W4", "A handshake multiplies the white expedition by 2, with all that still joins it."),
    "bars": (TAKING, "take R4", "take R5", "After that no lower number can join the red expedition."),
    "no_wager": (TAKING, "take Wx", "take W4", "After a number no handshake can join the white expedition any more."),
    "denies": (REMOVING, "remove G9", "remove R5", "That leaves 12 points less for Ben in the display."),
    "loses": (REMOVING, "remove nothing", "remove R5", "That leaves 10 points less for you in the display."),
}  # fmt: skip


test_a_mechanism_is_told_for_the_move_it_speaks_for, test_every_mechanism_has_a_position = shown(mechanisms, POSITIONS)


def test_nobody_has_the_next_turn_behind_the_last_card():
    match = at(trips=DONE, gold=(20, 5, 5), drawn=79)
    assert not [sentence for sentence in sentences(match, "bid 3", "uncover") if "next turn" in sentence]
