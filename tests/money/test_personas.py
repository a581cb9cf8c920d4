"""Money!'s personas do what is said of them, counted over many matches."""

from functools import cache

import pytest

from outbid.core import contract
from outbid.games.money.bot import coins_at, notes_at, six, sum_of
from outbid.games.money.rules import value
from outbid.games.money.state import BID, BLUFF, CARDS, COINS, NOTES, SEAL, TABLE, UNKNOWN
from tests.support.behaviour import decisions, share

from .table import BOOK

MATCHES = 10


@cache
def played(name):
    """Its steps in matches against two steady players."""
    return [step for step in decisions(BOOK, [name, "steady", "steady"], MATCHES) if step.seat == 0]


def bids(name):
    """Every bid that was sealed or held back: the state, the notes laid, their sum and that of the coins."""
    for step in played(name):
        if step.state.phase == BID and step.action in (SEAL, BLUFF):
            s = step.state
            laid = [card for card in range(CARDS) if s.place[card] == TABLE]
            yield s, laid, sum(value(card) for card in laid), step.action == BLUFF


@pytest.mark.slow
def test_a_collector_never_bids_the_two_currencies_of_which_it_has_most():
    broken = {"steady:collector": 0, "steady": 0}
    for name in broken:
        for s, laid, _, _ in bids(name):
            held = notes_at(s, 0) | notes_at(s, TABLE)
            sums = [sum_of(held >> (NOTES * c)) for c in range(COINS // NOTES)]
            second = sorted(sums)[-2]
            broken[name] += any(card < COINS and sums[card // NOTES] > second for card in laid)
            broken[name] += any(card < COINS and sums[card // NOTES] == second and sums.count(second) == 1 for card in laid)
    assert broken["steady:collector"] == 0
    assert broken["steady"] > 5


@pytest.mark.slow
def test_a_banker_stays_out_more_often_and_ends_with_more_coins():
    def out(name):
        found = [nothing for *_, nothing in bids(name)]
        return share(sum(found), len(found))

    def coins(name):
        last = {step.match: step.state for step in played(name)}
        return sum(six(coins_at(s, 0)) + six(coins_at(s, 0) >> 6) for s in last.values()) / len(last)

    assert out("steady:banker") > out("steady") + 0.05
    assert coins("steady:banker") > coins("steady")


def test_a_gambler_bids_more():
    def mean(name):
        sums = [total for *_, total, nothing in bids(name) if not nothing]
        return sum(sums) / len(sums)

    assert mean("steady:gambler") > 1.5 * mean("steady")


def test_an_easy_player_has_forgotten_what_the_others_took():
    """Notes known in other hands, made unknown again, change nothing for it."""
    differ = {"easy": 0, "steady": 0}
    for step in played("steady"):
        if step.state.phase != BID:
            continue
        for name in differ:
            said = []
            for forgotten in (False, True):
                seen = step.state.copy()
                contract.hide(seen, 0)
                for card in range(COINS):
                    if forgotten and seen.place[card] in (1, 2):
                        seen.place[card] = UNKNOWN
                said.append(contract.play(seen, 0, 5, [0] * 8, list(BOOK.personas.players).index(name)))
            differ[name] += said[0] != said[1]
    assert differ["easy"] == 0
    assert differ["steady"] > 0
