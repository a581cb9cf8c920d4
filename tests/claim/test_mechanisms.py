"""Reasons of Claim by its rules: a position for each, what is told there, and not for the contrary move."""

from collections.abc import Sequence
from typing import Any

from outbid.core.match import Match
from outbid.games.claim.hooks import mechanisms
from tests.support.reasoning import sentences, shown

from .table import play, position

Rows = Sequence[Sequence[Sequence[str]]]
NONE: Rows = [[], [], [], []]
ROWS: Rows = [[["3", "3"]], [["3", "3"]], [["2", "2"]], [["1"]]]
SINGLE: Rows = [[["1"]], [["3", "3"]], [["1"]], [["1"]]]
LAST: Rows = [[["3"]], [["3", "3"]], [["2"]], [["1"]]]
EVEN: Rows = [[["1"]], [["1"]], [["1"]], [["2", "1"]]]
BEHIND: Rows = [[["3", "3"]], [["3", "3"]], [["2"]], []]
HANDS = [["1", "4", "2"], ["2", "1"], ["1", "3"], ["1"]]
FOURS = [["1", "4", "4", "2"], ["1"], ["1"], ["1"]]


def at(
    script: str = "",
    hands: Sequence[Sequence[str]] = HANDS,
    rows: Rows = ROWS,
    table: Sequence[int] = (4, 2),
    **options: Any,
) -> Match:
    """A table of four with a 4 and a 2 on it, unless said otherwise, after a script; Ada is to move."""
    return play(position(hands, {n: [str(n)] for n in table}, rows, **options), script)


TWO = at(rows=[[], *SINGLE[1:]], goal=20)

POSITIONS = {
    "wins": (at("0 play 1"), "claim 4", "end", "That brings you to $10: a victory at once."),
    "wins_so": (
        at("0 play 1", [["1", "1"], ["1"], ["1"], ["1"]], [[], *SINGLE[1:]], (0, 2), zero_risk=True, zero_goal=1),
        "claim 0", "claim 2", "That is a victory for you at once."),
    "can_win": (
        position(HANDS, {2: ["2", "2"]}, [[["4"]], *SINGLE[1:]]), "play 2", "play 1",
        "This turn the 2s can bring you to $10: a victory."),
    "can_win_more": (
        at(rows=[[], *SINGLE[1:]]), "play 4", "play 1",
        "This turn the 4s and the 2s together can bring you to $10: a victory."),
    "lets_win": (at("0 play 1", rows=SINGLE), "claim 4", "end", "Ben may claim the 4s, then has $10 and wins."),
    "fills": (
        at(rows=NONE, table=(1, 2)), "play 1", "play 2",
        "The next 2 fills the 2s: Ben (with a 2 in 4 of 10 cases) may take them and then has $6."),
    "fills_win": (
        at(rows=SINGLE, table=(1, 2), goal=11), "play 1", "play 2",
        "The next 2 fills the 2s: Ben (with a 2 in 4 of 10 cases) may take them, then has $12 and wins."),
    "fills_win_more": (
        at(rows=BEHIND, table=(3, 2)), "play 1", "play 2",
        "The next 3 fills the 3s: Dot (with a 3 in 2 of 10 cases) may take the 3s and the 2s and wins with $10."),
    "fills_held": (
        at(hands=[["1", "2"], ["2"], [], []], rows=NONE, table=(1, 2)), "play 1", "play 2",
        "Ben can fill the 2s, take them and then has $6."),
    "lets_claim": (
        at("0 play 1", rows=NONE), "claim 4", "end", "Ben may claim the 4s for $4 and then has $4."),
    "lets_claim_more": (
        at("0 play 1", rows=NONE, table=(4, 3)), "claim 4", "claim 3",
        "Ben may claim the 4s for $4 instead of the 3s for $3."),
    "takes": (at(rows=NONE, table=(2,)), "play 1", "play 2", "The 2s can bring you $2 in this turn."),
    "takes_more": (TWO, "play 4", "play 1", "This turn the 4s and the 2s together can bring you $10."),
    "one_stack": (
        at("0 play 4", rows=EVEN), "push 4 to 0", "push 4 to 1",
        "With the 4s, $1 more is enough: any full stack wins then."),
    "plan": (
        at(hands=FOURS, rows=NONE, table=(1,)), "play 4", "play 1",
        "If the 4s still lie there next turn, your next 4 fills them and brings $8; until then they are open to Ben, Cem "
        "and Dot, too."),
    "plan_wins": (
        at(hands=FOURS, rows=[[["2"]], [["4"]], [["4"]], [["1"]]], table=(1,), goal=10), "play 4", "play 1",
        "If the 4s still lie there next turn, your next 4 fills them and makes $10: a victory; until then they are open to "
        "Dot, too."),
    "barred": (at("0 play 1"), "end", "claim 2", "That bars you from any other stack until everybody has 2 stacks."),
    "barred_other": (
        at("0 play 4", rows=EVEN), "push 4 to 1", "push 4 to 0",
        "That bars Ben from any stack until everybody has 2 stacks."),
    "only_taker": (
        at("0 play 4", rows=[[], [["1"]], [["1"]], []]), "push 4 to 3", "push 4 to 0",
        "Then all others are barred, and only you may take a stack."),
    "number_gone": (
        at("0 play 1"), "end", "claim 2", "Taking it bars you from all other 2s, and a full stack of them is worth $6."),
    "no_filler": (
        at(hands=FOURS, rows=NONE, table=(2,)), "play 4", "play 2",
        "That is your last 2: only others can then fill the 2s."),
    "freed": (
        at(rows=BEHIND, table=(4,)), "play 4", "play 1",
        "If Dot gets a stack in this turn, everybody has 1 stack, and you may take stacks again."),
    "alone": (
        at(rows=[[], [["2"]], [["2"]], [["2"]]], table=(2,)), "play 2", "play 1",
        "The 2s, $4, can go only to you: all others have a stack of them."),
    "feeds": (
        at(rows=[[["2"]], [["1"]], [["1"]], [["1"]]], table=(2,)), "play 1", "play 2",
        "That makes the 2s worth $4, and only others may take them."),
    "shows": (at("0 play 1", FOURS, NONE), "claim 2", "claim 4", "Everybody then sees your 2 bills of 4."),
    "ahead": (
        at("0 play 1", [["1"], [], [], []], LAST, (4,), goal=20), "claim 4", "end",
        "The match ends, with a victory for you."),
    "behind": (
        at("0 play 1", [["1"], [], [], []], LAST, (4,), goal=20), "claim 4", "end",
        "The match ends, with a victory for Ben."),
}  # fmt: skip


test_a_mechanism_is_told_for_the_move_it_speaks_for, test_every_mechanism_has_a_position = shown(mechanisms, POSITIONS)


def test_what_both_moves_allow_is_no_reason():
    """Ben may claim a 4 for $4 after either move, in the one case as two 2s."""
    match = at(hands=FOURS, rows=NONE, table=(2,))
    assert not [sentence for sentence in sentences(match, "play 4", "play 2") if "claim" in sentence]


def test_a_stack_that_was_full_before_is_not_said_to_be_given_away():
    """After "claim 2" Ada may have to push the 4s to another, as she does with the other move."""
    match = at("0 play 4", rows=EVEN)
    assert not [sentence for sentence in sentences(match, "push 4 to 1", "claim 2") if "full" in sentence]


def test_what_the_other_move_does_to_another_alike_is_no_argument():
    match = at("0 play 4", rows=[[["1"]], [], [], []])
    assert not [sentence for sentence in sentences(match, "push 4 to 1", "push 4 to 2") if "Cem" in sentence]


def test_what_one_end_of_a_turn_brings_is_not_told_as_if_all_did():
    """Ada can keep the 4s that she fills, or push them to another, who is barred then: not both."""
    match = at(rows=NONE, table=(4, 2))
    assert not [sentence for sentence in sentences(match, "play 4", "play 1") if "bars" in sentence]


def test_with_the_strict_reading_who_fills_a_stack_is_not_said_to_take_it():
    match = at(rows=NONE, table=(1, 2), push_reading="strict")
    assert not [sentence for sentence in sentences(match, "play 1", "play 2") if "fills" in sentence]
