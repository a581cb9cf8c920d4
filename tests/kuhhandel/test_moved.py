"""Animals that change hands between two others are seen to walk, and a gate shuts behind the fourth."""

from __future__ import annotations

import json
import random

import pytest

from outbid.core import contract
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from tests.support import browsing
from tests.support.browsing import DESK, PHONE

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WATCHED = """
  window.flown = window.shut = 0;
  new MutationObserver((changes) => {
    for (const { addedNodes, target } of changes) {
      for (const node of addedNodes) if (node.matches?.(".flying.card")) window.flown++;
      if (target.classList?.contains("shuts")) window.shut++;
    }
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });
"""


def herds(match: Match) -> list[dict[str, int]]:
    return [player["animals"] for player in match.view()["players"]]


def before_a_set(watcher: int) -> tuple[Match, int, dict]:
    """A match before the move with which one of two others completes a set by a trade with the other one."""
    for seed in range(200):
        rng = random.Random(seed)
        match = Match.new(rulebook("kuhhandel"), {}, 3, seed, ["Ada", "Ben", "Cem"])
        while not match.over:
            seat = rng.choice(match.asked or (contract.CLOCK,))
            match.random_move(seat, rng.randrange(1 << 30))
        for number in range(1, len(match.moves) - 1):
            move = match.moves[number]
            if move["do"] not in ("accept", "counter"):
                continue
            before, after = match.at(number), match.at(number + 1)
            changed = [n for n, (old, new) in enumerate(zip(herds(before), herds(after), strict=True)) if old != new]
            sets = [len(player["sets"]) for at in (before, after) for player in at.view()["players"]]
            if len(changed) == 2 and watcher not in changed and sum(sets[3:]) > sum(sets[:3]):
                return before, move["seat"], {key: value for key, value in move.items() if key != "seat"}
    pytest.fail("no set is completed between two others")


@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
def test_an_animal_walks_from_seat_to_seat_and_the_gate_shuts_at_four(browser, house, size):
    match, seat, move = before_a_set(watcher=0)
    seats = browsing.begun(house[1], match, pace="normal")
    with browsing.visitor(browser, size) as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        page.add_init_script(WATCHED)
        browsing.sit(page, house[0] + seats[0])
        page.wait_for_selector("[data-connection].on")
        other = browsing.another(browser)
        mover = other.new_page()
        browsing.sit(mover, house[0] + seats[seat])
        fields = {"decision": browsing.view(mover)["decision"], "move": json.dumps(move)}
        assert other.request.post(f"{mover.url}/move", form=fields).ok
        page.wait_for_selector(".beast.shuts", state="attached")
        page.wait_for_function("() => window.flown > 0 && window.shut > 0")
        other.close()
