"""For-Ex' personas do what is said of them, counted over many matches."""

from functools import cache

import pytest

from outbid.games.forex import bot
from outbid.games.forex.state import CONTRACT, DIVEST, INVEST, KINDS, RESOLVE, START, TURN
from tests.support.behaviour import decisions, share

from .table import BOOK

MATCHES = 4


@cache
def played(name):
    """Its first steps of turns in matches against two steady players."""
    steps = decisions(BOOK, [name, "steady", "steady"], MATCHES)
    return [s for s in steps if s.seat == 0 and s.state.phase == TURN and s.state.step == START]


def part(name, first, n):
    """How often its move was one of n actions."""
    return share(sum(first <= s.action < first + n for s in played(name)), len(played(name)))


@pytest.mark.slow
def test_an_investor_buys_certificates_and_signs_contracts_only_when_it_must():
    signed = [s.note[0] for s in played("steady:investor") if CONTRACT <= s.action < CONTRACT + KINDS]
    assert set(signed) <= {bot.WHY_COVER}
    assert part("steady:investor", INVEST, KINDS) > part("steady", INVEST, KINDS)


@pytest.mark.slow
def test_an_arbitrageur_signs_contracts_and_does_not_invest():
    assert part("steady:arbitrageur", INVEST, DIVEST - INVEST) == 0
    assert part("steady:arbitrageur", CONTRACT, KINDS) > part("steady", CONTRACT, KINDS)


def test_a_vulture_resolves_where_somebody_else_cannot_pay():
    def hurried(name):
        found = [s.action == RESOLVE for s in played(name) if bot.quarry(s.state, 0)]
        return share(sum(found), len(found))

    assert hurried("steady:vulture") > hurried("steady") + 0.2
    assert any(s.note[0] == bot.WHY_RESOLVE_CHASE for s in played("steady:vulture"))


def test_an_easy_player_does_not_see_a_bankruptcy_that_is_far_off():
    params = BOOK.personas.players["easy"]
    for step in played("steady")[::10]:
        seen = step.state.copy()
        bot.keep(seen)
        bot.run_down(seen, params)
        assert seen.turns - step.state.turns <= params.foresight + 1
