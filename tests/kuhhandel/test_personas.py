"""Kuhhandel's personas do what is said of them, counted over many matches."""

import random
from functools import cache

import pytest

from outbid.core import contract
from outbid.games.kuhhandel import bot
from outbid.games.kuhhandel.rules import cash
from outbid.games.kuhhandel.state import AUCTION, BID, BUY, DONE, OFFER, PASS, TRADE, TURN
from tests.support.behaviour import decisions, share
from tests.support.steady import legal

from .table import BOOK

MATCHES = 4


@cache
def played(name, matches=MATCHES):
    """Its steps in matches against two steady players."""
    return [step for step in decisions(BOOK, [name, "steady", "steady"], matches) if step.seat == 0]


def offers(name, matches=MATCHES):
    """The stacks it offered, (money laid, zeros laid, own money, own zeros)."""
    for step in played(name, matches):
        if step.state.phase == OFFER and step.action == DONE:
            laid = step.state.laid
            yield any(laid[1:]), laid[0], cash(step.state, 0), step.state.money[0][0]


@pytest.mark.slow
def test_a_farmer_never_offers_zeros_while_it_has_money():
    found = [(money, zeros) for money, zeros, own, _ in offers("steady:farmer") if own > 0]
    assert len(found) > 10
    assert all(money and not zeros for money, zeros in found)
    assert any(zeros for _, zeros, own, _ in offers("steady") if own > 0)


@pytest.mark.slow
def test_a_farmer_bids_more_for_animals_it_has():
    def worth(name):
        notes = [s.note for s in played(name) if s.state.phase == BID and s.state.animals[0][s.state.kind] > 0]
        return sum(note[4] for note in notes) / len(notes)

    assert worth("steady:farmer") > 1.2 * worth("steady")


@pytest.mark.slow
def test_a_shark_trades_before_the_deck_is_empty():
    def early(name):
        turns = [s for s in played(name) if s.state.phase == TURN and s.state.drawn < s.state.size]
        could = [s for s in turns if any(action >= TRADE for action in legal(s.state, 0) if action != AUCTION)]
        return share(sum(s.action != AUCTION for s in could), len(could))

    assert early("steady:shark") > early("steady") + 0.1


@pytest.mark.deep
def test_a_poker_face_offers_zeros_only_about_two_times_in_five():
    def bluffs(name):
        found = [not money for money, _, own, zeros in offers(name, 3 * MATCHES) if zeros > 0 and own > 0]
        return share(sum(found), len(found))

    assert 0.25 < bluffs("steady:poker-face") < 0.6
    assert bluffs("steady") < 0.25


def test_a_miser_never_bids_and_buys_by_first_refusal():
    bidding = [step for step in played("steady:miser") if step.state.phase == BID]
    assert bidding
    assert all(step.action == PASS for step in bidding)
    assert {step.note[0] for step in bidding} == {bot.WHY_PASS_NEVER}
    assert sum(step.action == BUY for step in played("steady:miser")) > 0


@pytest.mark.slow
def test_an_easy_player_has_forgotten_what_trades_have_shown():
    rng = random.Random(1)
    differ = {"easy": 0, "steady": 0}
    for step in decisions(BOOK, ["easy", "steady", "steady"], 2):
        for name in differ:
            who = list(BOOK.personas.players).index(name)
            said = []
            for blurred in (False, True):
                seen = step.state.copy()
                contract.hide(seen, step.seat)
                for other in range(3):
                    if blurred and other != step.seat:
                        own = cash(step.state, other)
                        seen.least[step.seat][other] = rng.randrange(own + 1) // 10 * 10
                        seen.most[step.seat][other] = own + rng.randrange(20) * 10
                said.append(contract.play(seen, step.seat, 5, [0] * 8, who))
            differ[name] += said[0] != said[1]
    assert differ["easy"] == 0
    assert differ["steady"] > 0
