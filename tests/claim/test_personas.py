"""Claim's personas do what is said of them, counted over many matches."""

from functools import cache

import pytest

from outbid.games.claim import bot
from outbid.games.claim.state import CLAIM, PLACES, PUSH, WINDOW
from tests.support.behaviour import decisions
from tests.support.steady import legal

from .table import BOOK

MATCHES = 40


@cache
def played(name, players=5):
    """Its steps in matches against steady players."""
    return [step for step in decisions(BOOK, [name, *["steady"] * (players - 1)], MATCHES) if step.seat == 0]


def claims(step):
    """Whether a step claims."""
    return step.state.phase == WINDOW and CLAIM <= step.action < CLAIM + PLACES


@pytest.mark.slow
def test_the_hasty_claim_whenever_they_may():
    windows = [s for s in played("steady:hasty") if s.state.phase == WINDOW]
    could = [s for s in windows if any(CLAIM <= action < CLAIM + PLACES for action in legal(s.state, 0))]
    assert len(could) > 20
    assert all(claims(step) for step in could if not step.state.full)


@pytest.mark.slow
def test_the_patient_claim_fat_stacks_only_and_seldom_before_it_wins():
    def claimed(name):
        return [(s.state.value[s.action - CLAIM], s.note[0]) for s in played(name, 3) if claims(s)]

    def early(name):
        return [value for value, why in claimed(name) if why == bot.WHY_CLAIM]

    assert len(early("steady:patient")) < len(early("steady")) < len(early("steady:hasty"))
    assert min(early("steady:hasty")) < 4
    assert all(value >= 4 for value in early("steady:patient"))  # the fattest that is not full is 4


@pytest.mark.slow
def test_a_bully_forces_more_stacks_on_others():
    def pushes(name):
        return sum(s.state.phase == WINDOW and PUSH < s.action < PUSH + 5 for s in played(name))

    assert pushes("steady:bully") > 1.3 * pushes("steady")


@pytest.mark.slow
def test_the_easy_hardly_mind_what_the_others_have():
    executor = {"easy": 0, "steady": 0}
    for step in played("steady"):
        if step.state.phase == WINDOW:
            for name in executor:
                seen = step.state.copy()
                before = bot.judge(seen, 0, BOOK.personas.players[name])
                seen.money[1] = min(6, seen.money[1] + 3)
                executor[name] += abs(before - bot.judge(seen, 0, BOOK.personas.players[name]))
    assert 0 < executor["easy"] < executor["steady"] / 3
