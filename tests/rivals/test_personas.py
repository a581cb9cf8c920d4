"""Rivals' personas do what is said of them, counted over many matches."""

from functools import cache

import pytest

from outbid.core import contract
from outbid.games.rivals.bot import WHY_RAISE, WHY_RAISE_DENY, WHY_REMOVE, WHY_REMOVE_NOTHING
from outbid.games.rivals.state import HUES, TAKE, TURN
from tests.support.behaviour import decisions, share

from .table import BOOK

MATCHES = 16


@cache
def played(name):
    """Its steps in matches against two steady players."""
    return [step for step in decisions(BOOK, [name, "steady", "steady"], MATCHES) if step.seat == 0]


def last(name):
    """The states before its last step of each match."""
    return {step.match: step.state for step in played(name)}.values()


@pytest.mark.slow
def test_a_hoarder_keeps_its_gold_in_the_first_half():
    def gold(name):
        found = [s.state.gold[0] for s in played(name) if s.state.phase == TURN and 2 * s.state.drawn < s.state.size]
        return sum(found) / len(found)

    assert gold("steady:hoarder") > 1.1 * gold("steady")


def test_an_explorer_lays_a_greater_part_of_its_cards_in_two_colours_and_more_wagers():
    def laid(s):
        return sorted(s.numbers[0][c] + s.shakes[0][c] for c in range(HUES))

    def main(name):
        return share(sum(sum(laid(s)[-2:]) for s in last(name)), sum(sum(laid(s)) for s in last(name)))

    def wagers(name):
        return share(sum(sum(s.shakes[0]) for s in last(name)), sum(sum(laid(s)) for s in last(name)))

    assert main("steady:explorer") > main("steady") + 0.05
    assert wagers("steady:explorer") > wagers("steady")


def test_a_spoiler_bids_against_others_and_removes_whatever_helps_them():
    def counted(name, codes):
        return sum(step.note[0] in codes for step in played(name))

    def against(name):
        return share(counted(name, [WHY_RAISE_DENY]), counted(name, [WHY_RAISE, WHY_RAISE_DENY]))

    def removes(name):
        return share(counted(name, [WHY_REMOVE]), counted(name, [WHY_REMOVE, WHY_REMOVE_NOTHING]))

    assert against("steady:spoiler") > against("steady") + 0.1
    assert removes("steady:spoiler") > removes("steady")


def test_an_early_bird_buys_while_little_is_on_display_and_pays_more_for_a_card():
    def bought(name):
        return [s for s in (step.state for step in played(name)) if s.phase == TAKE and s.taken == s.next == 0]

    def lying(name):
        return share(sum(s.lying for s in bought(name)), len(bought(name)))

    def price(name):
        return share(sum(s.bid for s in bought(name)), sum(s.lying for s in bought(name)))

    assert lying("steady:early-bird") < 0.95 * lying("steady")
    assert price("steady:early-bird") > price("steady")


def test_an_easy_player_does_not_count_what_is_to_come():
    """Cards that were drawn long ago, put back into the deck, change nothing for it."""
    differ = {"easy": 0, "steady": 0}
    for step in played("steady"):
        s = step.state
        if s.phase == TURN and s.drawn > s.size // 2:
            for name in differ:
                said = []
                for wagers in (s.wagers, s.wagers + 3):
                    seen = s.copy()
                    seen.wagers = wagers
                    note = [0] * 8
                    said.append((contract.play(seen, 0, 5, note, list(BOOK.personas.players).index(name)), note))
                differ[name] += said[0] != said[1]
    assert differ["easy"] == 0
