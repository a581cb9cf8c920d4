"""What comes of loans and contracts, as a player sees it: each in turn, before the end; and what changed in the rates."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from outbid.core import contract
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from tests.forex.table import NAMES, fresh
from tests.support import browsing
from tests.support.browsing import expect

PHONE, DESK = (375, 740), (1280, 800)
WATCHED = """
  window.told = [];
  new MutationObserver(() => {
    const shown = [...document.querySelectorAll(".outcome.shown > .verdict")].map((verdict) => verdict.textContent);
    const rows = document.querySelectorAll(".results tbody > tr").length;
    const state = JSON.stringify([shown, rows > 0]);
    if (window.told.at(-1) !== state) window.told.push(state);
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });
"""


def indebted() -> Match:
    """A match whose last dividend comes next, with six contracts behind it."""
    match, signed = fresh(4, dividend_cards=1, fixed_start=True), 0
    while signed < 6 or match.asked != (0,):
        seat = match.asked[0]
        contracts = [choice for choice in match.legal(seat).choices if choice.move["do"] == "contract"]
        match.play(seat, contracts[0].moves[3 * signed] if contracts else "invest CAD")
        signed += bool(contracts)
    return match


def ruined() -> Match:
    """A match whose next move, by another seat, ruins the seat 0."""
    match, rng = Match.new(rulebook("forex"), {}, 3, 21, NAMES[:3]), random.Random(21)
    while not match.over:
        match.random_move(rng.choice(match.asked or (contract.CLOCK,)), rng.randrange(1 << 30))
    assert match.view()["bankrupt"] == 0
    return match


def sent(page: Any, link: str, move: dict[str, Any]) -> None:
    """A move of a seat, by a program."""
    http = page.context.browser.new_context()
    assert http.request.post(link, max_redirects=0).status == 303
    there = link.partition("/seat/")[0]
    decision = http.request.get(there, headers={"Accept": "application/json"}).json()["decision"]
    assert http.request.post(f"{there}/move", form={"decision": decision, "move": json.dumps(move)}).ok
    http.close()


@pytest.mark.parametrize("size", [pytest.param(DESK, marks=pytest.mark.deep), PHONE], ids=str)
@pytest.mark.browser
@pytest.mark.slow
def test_all_settlements_of_the_end_are_shown_in_turn_before_the_table_of_the_end(browser, house, size):
    match = indebted()
    with browsing.visitor(browser, size) as page:
        page.add_init_script(WATCHED + "localStorage.setItem('learned', 'all')")
        link = house[0] + browsing.begun(house[1], match, pace="normal")[0]
        browsing.sit(page, link)
        page.wait_for_selector("[data-connection].on")
        sent(page, link, {"do": "resolve"})
        page.wait_for_selector("#over .banner", timeout=90_000)  # seven settlements of some seconds come before
        told = [json.loads(state) for state in page.evaluate("window.told")]
        match.play(0, "resolve")
        settled = [line.text for line in match.log(0) if line.move == len(match.moves) - 1 and "receive" in line.text]
        settled += [line.text for line in match.log(0) if "bankrupt." in line.text]
        assert len(settled) == 7
        assert [shown for shown, over in told if shown and not over] == [[sentence] for sentence in settled]
        assert not [shown for shown, over in told if shown and over]


@pytest.mark.browser
@pytest.mark.slow
def test_who_is_ruined_by_another_sees_it_and_reads_who_it_was(browser, house):
    match = ruined()
    last = match.moves[-1]
    with browsing.visitor(browser, DESK) as page:
        page.add_init_script(WATCHED + "localStorage.setItem('learned', 'all')")
        links = [house[0] + link for link in browsing.begun(house[1], match.at(len(match.moves) - 1), pace="normal")]
        browsing.sit(page, links[0])
        page.wait_for_selector("[data-connection].on")
        sent(page, links[last["seat"]], {key: value for key, value in last.items() if key != "seat"})
        page.wait_for_selector("#over .banner")
        told = [json.loads(state) for state in page.evaluate("window.told")]
        shown = [shown[0] for shown, over in told if shown and not over]
        assert len(shown) == 1
        assert shown[0].startswith("You cannot pay back the loan of ")
        reason = f"{NAMES[last['seat']]} resolves your loan. You cannot pay back your loan: you are bankrupt"
        expect(page.locator("#over .because-of")).to_contain_text(reason, use_inner_text=True)


MARKED = """rates => {
  const key = `forex ${location.pathname}`;
  const model = JSON.parse(document.querySelector("[data-model]").dataset.model);
  const moved = (place) => Math.sign(place) * (Math.abs(place) === rates ? rates - 1 : rates);
  const other = model.scale.map((row) => row.map(moved));
  sessionStorage.setItem(key, JSON.stringify([[Math.max(0, model.turns - 1), other], [model.turns, model.scale]]));
}"""
OUTSIDE = """() => [...document.querySelectorAll(".rates td button[data-mark]")]
  .filter((place) => place.scrollHeight > place.clientHeight + 2 || place.scrollWidth > place.clientWidth)
  .map((place) => `${place.dataset.mark} ${place.textContent}: ${place.scrollWidth}×${place.scrollHeight}`)"""


@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
@pytest.mark.parametrize("players", [pytest.param(4, marks=pytest.mark.deep), 6])
@pytest.mark.parametrize("phase", ["turn", "reply"])
@pytest.mark.browser
@pytest.mark.slow
def test_what_a_rate_was_stays_in_its_cell(browser, house, size, players, phase):
    match = fresh(players, fixed_start=True)
    seat = 0
    if phase == "reply":
        match.play(0, {"do": "spot", "with": 1, "give": ["CAD", 1], "get": ["GBP", 0.5]})
        seat = 1
    with browsing.visitor(browser, size) as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        browsing.sit(page, house[0] + browsing.begun(house[1], match)[seat])
        for space in (4, 6, 10):
            page.evaluate(MARKED, space)
            page.reload()
            page.wait_for_selector(".rates td button[data-mark]")
            assert page.locator(".rates td button[data-mark]").count() > 10
            assert page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("players", [3, 6])
@pytest.mark.browser
@pytest.mark.slow
def test_on_a_phone_all_that_is_ones_own_is_seen_while_others_move(browser, house, players):
    match = fresh(players, fixed_start=True)
    for seat in (0, 1):
        match.play(seat, next(c for c in match.legal(seat).choices if c.move["do"] == "contract").moves[0])
    with browsing.visitor(browser, PHONE) as page:
        browsing.sit(page, house[0] + browsing.begun(house[1], match)[0])
        page.wait_for_selector("#dock.resting")
        assert page.evaluate("(goods => goods.scrollHeight - goods.clientHeight)(document.getElementById('goods'))") <= 0


@pytest.mark.browser
@pytest.mark.slow
def test_a_contract_is_put_together_in_a_form_of_one_height_that_shows_its_button(browser, house):
    with browsing.visitor(browser, DESK) as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        browsing.sit(page, house[0] + browsing.begun(house[1], fresh(fixed_start=True))[0])
        page.locator("#act-contract > summary").click()
        form, heights = page.locator("#act-contract form"), []
        for field, value in (("str:pay", "CHF"), ("str:receive", "CAD"), ("int:times", "7")):
            form.locator(f'label.pick:has([name="{field}"][value="{value}"])').click()
            heights.append([form.bounding_box()["height"], form.locator(".sizes .pick").first.bounding_box()["y"]])
            button = form.locator("button.primary").bounding_box()
            assert button["y"] + button["height"] <= 800
        assert max(abs(a - b) for one in heights for a, b in zip(one, heights[0], strict=True)) <= 4
