"""The hand keeps its height: whatever is asked, and while others are asked, what can be done begins at one height, and
nothing in the foot of the page lies below its edge."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.support import browsing
from tests.support.gallery import SHOWS, crowded, gallery
from tests.support.moments import ANOTHER, ASKS
from tests.support.serving import JSON, some_move
from tests.support.sight import DESK, PHONE

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PLAYERS = {"kuhhandel": 4, "money": 3, "rivals": 3}
# where the dock begins, at every picture of the page; what opens in it has a height of its own
NOTING = """() => {
  window.tops = {};
  const note = () => {
    const dock = document.querySelector("#dock");
    if (dock && !dock.hidden && !document.querySelector("#dock > .act[open]"))
      window.tops[Math.round(dock.getBoundingClientRect().top)] ??= document.querySelector("#stage").dataset.phase;
    requestAnimationFrame(note);
  };
  note();
}"""
TOP = "() => Math.round(document.querySelector('#dock').getBoundingClientRect().top)"
BELOW = """() => {
  const edge = document.querySelector(".foot").getBoundingClientRect().bottom;
  return [...document.querySelectorAll(".foot > *")].filter((part) => part.checkVisibility())
    .map((part) => [part.id, part.getBoundingClientRect().bottom - edge]).filter(([, below]) => below > 1);
}"""


@pytest.mark.parametrize("size", [pytest.param(DESK, marks=pytest.mark.deep), PHONE], ids=str)
@pytest.mark.parametrize("game", PLAYERS)
def test_what_can_be_done_begins_at_one_height_in_every_phase(
    browser, house: tuple[str, Path], game: str, size: tuple[int, int]
):
    tops: dict[int, list[str]] = {}
    shows = [show for show in SHOWS if show.game == game]
    pieces = [piece for show in shows for piece in (*gallery(show), *crowded(show, show.phases - {"over"}))]
    with browsing.visitor(browser, size, reduced_motion="reduce", locale="de") as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        for piece in pieces:
            if piece.phase == "over":
                continue
            browsing.sit(page, house[0] + browsing.begun(house[1], piece.match)[piece.seat])
            page.wait_for_selector("[data-connection].on")
            tops.setdefault(page.evaluate(TOP), []).append(piece.phase)
            assert not page.evaluate(BELOW), piece.phase
    assert len(tops) == 1, tops


def tops_of(browser: Any, address: str, game: str, size: tuple[int, int]) -> dict[str, str]:
    """Where the dock began in a match against bots, and a phase in which it did."""
    context = browsing.another(browser, viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.add_init_script("localStorage.setItem('learned', 'all')")
    fields = {
        "game": game,
        "players": str(PLAYERS[game]),
        "name": "Ada",
        "bots": "steady",
        "pace": "instant",
        "hints": "off",
    }
    table = context.request.post(f"{address}/tables", form=fields, headers=JSON).json()["table"]
    page.goto(f"{address}/t/{table}")
    page.evaluate(NOTING)
    rng = random.Random(3)
    while True:
        page.wait_for_function(ASKS)
        seen = context.request.get(page.url, headers=JSON).json()
        if seen["table"]["status"] == "over":
            break
        if seen["decision"] is None:
            continue
        answer = {"decision": str(seen["decision"]), "move": json.dumps(some_move(seen, rng))}
        assert context.request.post(f"{page.url}/move", form=answer, headers=JSON).ok
        page.wait_for_function(ANOTHER, arg=answer["decision"])
    tops: dict[str, str] = page.evaluate("() => window.tops")
    context.close()
    return tops


@pytest.mark.deep
@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
@pytest.mark.parametrize("game", PLAYERS)
def test_over_a_whole_match_what_can_be_done_begins_at_one_height(
    browser, house: tuple[str, Path], game: str, size: tuple[int, int]
):
    tops = tops_of(browser, house[0], game, size)
    assert len(tops) == 1, tops
