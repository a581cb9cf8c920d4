"""A move of several steps is planned once: `resume` goes on with it as `play`, asked at each step, would."""

import random

import pytest

from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.rulebook import rulebook
from outbid.testing.positions import hidden

GAMES = ("claim", "forex", "kuhhandel", "money", "rivals")
PLANNING = ("kuhhandel", "money")
OPTIONS = {
    "kuhhandel": ({}, {"bidding": "realtime", "payment": "free"}, {"payment": "min_overpay", "empty_offer": False}),
    "money": ({},),
}


def legal(state, seat):
    out = [0] * contract.MOST_ACTIONS
    return out[: contract.legal(state, seat, out)]


@pytest.mark.parametrize("game", PLANNING)
@pytest.mark.parametrize("astray", [0.0, 0.3])
def test_a_plan_goes_on_as_the_player_would_also_where_a_step_was_another(game, astray):
    book, rng, resumed = rulebook(game), random.Random(astray), 0
    everybody = list(dict.fromkeys(book.personas.players.values()))
    for number, options in enumerate(OPTIONS[game]):
        state, note, midway = book.fresh(options), [0] * 8, False
        contract.deal(state, book.players[1], number)
        for step in range(1500):
            asked = contract.asked(state)
            if not asked:
                break
            places = [place for place in range(8) if asked >> place & 1]
            seat = rng.choice(places) if contract.CLOCK in places else places[0]
            if seat == contract.CLOCK:
                contract.apply(state, seat, legal(state, seat)[0])
                continue
            params = everybody[seat % len(everybody)]
            moves = state.moves if hasattr(state, "moves") else 0
            anew = [0] * 8
            action = contract.told(hidden(state, seat), seat, stream(number, moves), anew, params)
            if midway and note[contract.PLAN]:
                before = state.copy()
                assert contract.resume(state, seat, note) == action, (step, options)
                assert state == before
                resumed += 1
            else:
                note = anew
            if action < 0 and rng.random() >= astray:
                continue
            if action < 0 or rng.random() < astray:
                action = rng.choice(legal(state, seat))
            contract.apply(state, seat, action)
            midway = contract.midway(state, seat) != 0
    assert resumed > 50


def test_these_are_the_games_that_plan():
    plain = {game for game in GAMES if rulebook(game).function("resume") is contract.nothing_planned}
    assert set(GAMES) - plain == set(PLANNING)


RULE = """
from outbid.games.kuhhandel.{module} import {name} as before
from outbid.lab.experiments.rules import changed


def {name}({parameters}):
    return before({parameters})


rulebook = changed("kuhhandel", __name__)
"""


@pytest.mark.parametrize(
    ("module", "name", "parameters", "plans"),
    [
        ("rules", "donkey", "s", True),
        ("rules", "cash", "s, seat", False),
        ("bot", "play", "s, seat, seed, note, params", False),
    ],
)
def test_who_thinks_by_a_changed_rule_thinks_at_each_step(tmp_path, module, name, parameters, plans):
    file = tmp_path / f"{name}_changed.py"
    file.write_text(RULE.format(module=module, name=name, parameters=parameters))
    resume = rulebook(str(file)).function("resume")
    assert (resume.__code__ is not contract.nothing_planned.__code__) == plans
