"""What happens to a player is seen where they look: a sample of what `benchmarks/server/moments.py` measures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from outbid.bots import choose
from outbid.core.match import Match, without_seat
from outbid.core.rulebook import rulebook
from tests.support import browsing
from tests.support.browsing import DESK, PHONE, visitor
from tests.support.moments import measured

pytestmark = [pytest.mark.slow, pytest.mark.browser]

LEAST = 1.5  # seconds on the stage
HOLDS = "() => 'holding' in document.documentElement.dataset"
# what is held stands four times as long: it is looked at from outside, several times, by a machine that may be busy
LEISURE = "const set = setTimeout; window.setTimeout = (act, ms, ...more) => set(act, ms === 2000 ? 8000 : ms, ...more)"


@pytest.mark.parametrize(("game", "players", "size", "guide", "most"), [
    ("kuhhandel", 4, PHONE, True, 12),
    ("rivals", 2, DESK, True, 12),
    ("money", 3, PHONE, False, 3),
], ids=["Kuhhandel, phone, guide", "Rivals, desk, guide", "Money!, phone"])  # fmt: skip
def test_an_outcome_that_concerns_its_player_stands_on_the_stage_until_it_was_seen(
    browser, house, game: str, players: int, size: tuple[int, int], guide: bool, most: int
):
    begun = Match.new(rulebook(game), {}, players, 3, ["Ada", "Bruno", "Clara", "Doris"][:players])
    match = measured(browser, house, begun, size, guide=guide, most=most)
    assert match.shown, "nothing came of anything"
    assert match.shortest >= LEAST, match.shown


def revealed(page: Any, house: tuple[str, Path], pace: str, hidden: bool = False) -> None:
    """The bids of Money! are turned over at a table where the player is asked at once what they take."""
    match = Match.new(rulebook("money"), {}, 3, 3, ["Bruno", "Clara", "Doris"])
    for seat in (1, 2):
        match.play(seat, {"do": "bid", "cards": [], "bluff": True})
    bid = {"do": "bid", "cards": match.view(0)["hand"][:2], "bluff": False}
    page.add_init_script("localStorage.setItem('learned', 'all')")
    page.add_init_script(LEISURE)
    if hidden:
        page.add_init_script("Object.defineProperty(document, 'hidden', {get: () => true})")
    browsing.sit(page, house[0] + browsing.begun(house[1], match, pace=pace)[0])
    page.wait_for_selector("[data-connection].on")
    answer = {"decision": browsing.view(page)["decision"], "move": json.dumps(bid)}
    assert page.context.request.post(f"{page.url}/move", form=answer).ok


@pytest.mark.parametrize("size", [pytest.param(DESK, marks=pytest.mark.deep), PHONE], ids=str)
@pytest.mark.parametrize("way", ["tap", "key"])
def test_a_tap_or_a_key_ends_the_hold_and_chooses_nothing(browser, house, size: tuple[int, int], way: str):
    with visitor(browser, size, reduced_motion="reduce") as page:
        revealed(page, house, "normal")
        page.locator("#result .outcome.shown").first.wait_for()
        assert page.evaluate(HOLDS)
        stage, bid = page.locator(".stage").bounding_box(), page.locator(".bids > li").first.bounding_box()
        assert stage["y"] <= bid["y"] <= bid["y"] + bid["height"] <= stage["y"] + stage["height"]
        assert not page.locator("#dock").is_visible()
        assert not page.locator("#now > p").is_visible()
        before = browsing.view(page)["decision"]
        if way == "tap":
            page.mouse.click(size[0] / 2, size[1] - 120)
        else:
            page.keyboard.press("1")
        page.wait_for_function(f"() => !({HOLDS})()")
        assert page.locator("#now > p").is_visible()
        assert page.locator("#dock").is_visible()
        assert browsing.view(page)["decision"] == before
        assert not page.locator("#dock :is([aria-busy], .act[open], :checked), #stage :checked").count()


@pytest.mark.parametrize(("pace", "hidden"), [("instant", False), ("normal", True)], ids=["instant", "a tab that sleeps"])
def test_nothing_is_held_at_the_pace_instant_and_on_a_page_that_nobody_sees(browser, house, pace: str, hidden: bool):
    with visitor(browser, PHONE, reduced_motion="reduce") as page:
        revealed(page, house, pace, hidden)
        page.wait_for_function("() => document.querySelector('#dock input[name=decision]')?.value > 1")
        assert not page.evaluate(HOLDS)
        assert page.locator("#dock").is_visible()


LYING_ON = """() => [...document.querySelectorAll("#result, #result *")].filter((card) => {
  const [box, stage] = [card, document.querySelector("#stage")].map((part) => part.getBoundingClientRect());
  return box.height && box.bottom > stage.top + 1;
}).length"""


@pytest.mark.parametrize("size", [pytest.param(DESK, marks=pytest.mark.deep), PHONE], ids=str)
def test_bids_of_money_are_turned_over_in_their_places(browser, house, size: tuple[int, int]):
    """No card lies on them: the sentence stands in the line on top, and only then the next question."""
    with visitor(browser, size, reduced_motion="reduce") as page:
        revealed(page, house, "normal")
        verdict = page.locator("#result .outcome.shown[data-in-place] > .verdict")
        verdict.wait_for()
        assert page.evaluate(LYING_ON) == 0
        assert page.locator("#stage .bids > li").count() == page.locator("#result .party").count() == 1
        assert page.locator("#stage .bids .slip > .art").first.is_visible()
        assert not page.locator("#result .party").is_visible()
        line, said = page.locator("#now").bounding_box(), verdict.bounding_box()
        assert line["y"] <= said["y"]
        assert said["y"] + said["height"] <= line["y"] + line["height"]
        page.wait_for_function(f"() => !({HOLDS})()")  # by itself
        assert page.locator("#now > p").is_visible()
        assert not verdict.is_visible()


def richest_trade() -> tuple[Match, dict[str, Any]]:
    """A match of Kuhhandel before an offer of many denominations is countered with many, and how."""
    match, most, moves = Match.new(rulebook("kuhhandel"), {}, 4, 3, ["Ada", "Bruno", "Clara", "Doris"]), 0, 0
    while not match.over:
        match.play_steps(match.asked[0], choose(match, match.asked[0], "steady", len(match.moves)).actions)
        offer, counter = [{}, {}, *match.moves][-2:]
        kinds = len({*offer.get("cards", ())}) + len({*counter.get("cards", ())})
        if counter["do"] == "counter" and kinds > most:
            most, moves = kinds, len(match.moves) - 1
    return match.at(moves), match.moves[moves]


IN_SIGHT = """() => {
  const card = document.querySelector("#result .outcome.shown");
  const stage = document.querySelector("#stage").getBoundingClientRect();
  return card?.querySelector(".net") && card.scrollHeight <= card.clientHeight + 1
    && [...card.querySelectorAll(".figure, .net")].every((sum) => sum.getBoundingClientRect().bottom <= stage.bottom);
}"""


@pytest.mark.parametrize("size", [pytest.param((1366, 768), marks=pytest.mark.deep), (1280, 800), (375, 740)], ids=str)
def test_what_the_largest_stacks_come_to_is_in_sight(browser, house, size: tuple[int, int]):
    match, counter = richest_trade()
    assert len(set(counter["cards"])) >= 4
    with visitor(browser, size, reduced_motion="reduce") as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        browsing.sit(page, house[0] + browsing.begun(house[1], match, pace="normal")[counter["seat"]])
        page.wait_for_selector("[data-connection].on")
        answer = {"decision": str(len(match.moves)), "move": json.dumps(without_seat(counter))}
        assert page.context.request.post(f"{page.url}/move", form=answer).ok
        page.wait_for_function(IN_SIGHT)  # while it is shown, for two seconds
