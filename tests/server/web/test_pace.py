"""The pace of a table: the only move is made by the page, a duel of others is one line, what a bot did meanwhile is listed;
and what a thumb needs on a phone."""

from __future__ import annotations

import asyncio
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from outbid.bots import choose
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.server.domain import scene
from outbid.server.domain.setup import Order
from outbid.server.domain.tables import Tables
from outbid.server.settings import Settings
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from outbid.server.web import pages
from tests.support import browsing
from tests.support.browsing import PHONE, expect

pytestmark = pytest.mark.slow

NAMES = ["Ada", "Ben", "Cem", "Dot", "Eve"]
THUMB = 44  # px
TYPED = ":is(input:not([type=hidden], [type=checkbox], [type=radio], [type=range]), select, textarea)"
FIELDS = """typed => [...document.querySelectorAll(typed)]
  .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16)
  .map((field) => field.outerHTML.slice(0, 80))"""


def begun(game: str, players: int = 4, **options: Any) -> Match:
    return Match.new(rulebook(game), options, players, 5, NAMES[:players])


def seated(page: Any, house: tuple[str, Path], match: Match, seat: int) -> None:
    """The page of a seat, by whose clock no time passes unless it is told to."""
    address, database = house
    page.clock.install(time=datetime(2030, 1, 1))
    page.clock.pause_at(datetime(2030, 1, 2))
    browsing.sit(page, address + browsing.begun(database, match)[seat])
    page.wait_for_selector("[data-connection].on", state="attached")


@pytest.mark.browser
@pytest.mark.parametrize("way", ["made", "left", "off"])
def test_the_only_move_is_made_after_a_moment_unless_somebody_wants_to_make_it(browser, house, way):
    match = begun("kuhhandel")  # nobody owns an animal: there is nothing to do but auction one
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script("localStorage.setItem('learned', 'all')")
    if way == "off":
        page.add_init_script("localStorage.setItem('only', 'off')")
    seated(page, house, match, match.asked[0])
    assert page.locator("#act-auction .going").count() == (way != "off")
    if way == "left":
        page.keyboard.press("Escape")
    page.clock.fast_forward(5000)
    if way == "made":
        page.get_by_text("You turn over").first.wait_for(state="attached")
    else:
        expect(page.locator(".going")).to_have_count(0)
        assert browsing.view(page)["view"]["phase"] == "turn"
    context.close()


def test_a_sale_and_a_bid_are_not_made_for_anybody(tmp_path: Path):
    """Their speed would tell that a seat has no other choice, and so what it owns."""

    async def looked() -> dict[str, set[bool]]:
        settings = Settings(url_of(str(tmp_path / "t.db")))
        order = Order("kuhhandel", 4, "Ada", options={"overbid": "forbidden"}, seed=3)
        table, _ = await Tables(Store(settings.database), settings).create(order)
        for name in NAMES[1:4]:
            await table.join(name)
        found: dict[str, set[bool]] = {}
        while not table.playing.over and len(table.playing.moves) < 300:
            match = table.playing
            seat = match.asked[0]
            seen = scene.live(table, seat, "")
            if seen.menu.forced:
                found.setdefault(match.view(seat)["phase"], set()).add("data-only" in pages.region(seen, "dock"))
            await table.act(len(match.moves), seat, choose(match, seat, "random", len(match.moves)).actions)
        return found

    found = asyncio.run(looked())
    assert found["turn"] == {True}
    assert found["hammer"] == {False}
    assert found.get("bid", {False}) == {False}


@pytest.mark.browser
def test_the_only_move_waits_for_who_reads_a_first_time_card(browser, house):
    match = begun("kuhhandel")
    context = browser.new_context()
    page = context.new_page()
    seated(page, house, match, match.asked[0])
    page.locator("[data-lesson][open]").wait_for(state="attached")
    page.clock.fast_forward(5000)
    expect(page.locator(".going")).to_have_count(0)
    assert browsing.view(page)["view"]["phase"] == "turn"
    page.get_by_role("button", name="Got it").click()
    page.locator("#act-auction .going").wait_for()
    context.close()


@pytest.mark.browser
def test_a_duel_of_others_is_one_line_that_opens(browser, house):
    match = begun("kuhhandel", bidding="dropout")
    match.play(match.asked[0], "auction")
    viewer = match.asked[0]
    match.play(viewer, "pass")
    for amount in (10, 30, 40, 60):
        match.play(match.asked[0], f"bid {amount}")
    page = browser.new_page()
    page.add_init_script("localStorage.setItem('learned', 'all')")
    seated(page, house, match, viewer)
    names = {match.names[move["seat"]] for move in match.moves if move["do"] == "bid"}
    line = page.locator("#log .duel")
    expect(line).to_have_count(1)
    said = line.inner_text()
    assert "outbid each other, up to 60." in said
    assert all(name in said for name in names)
    expect(page.locator("#log li[data-bidding]:visible")).to_have_count(0)
    line.locator("button").click()
    expect(page.locator("#log li[data-bidding]:visible")).to_have_count(4)
    assert page.locator("link[rel=manifest]").get_attribute("href") == "/manifest.webmanifest"
    page.close()


@pytest.mark.parametrize("order", [(2, 1, 0), (0, 1, 2)])
def test_a_line_of_the_log_has_the_colour_of_whom_it_is_about(tmp_path: Path, order: tuple[int, ...]):
    """Whose move turned the bids over owns none but their own line of them."""

    async def lines() -> dict[str, str]:
        settings = Settings(url_of(str(tmp_path / "t.db")))
        table, _ = await Tables(Store(settings.database), settings).create(Order("money", 3, "Ada", seed=4))
        for name in NAMES[1:3]:
            await table.join(name)
        for seat in order:
            await table.act(len(table.playing.moves), seat, choose(table.playing, seat, "steady", seat).actions)
        found = re.findall(r'<li class="([^"]*)".*?>(.*?)</li>', pages.region(scene.live(table, 0, ""), "log"), re.DOTALL)
        return {re.sub(r"<[^>]*>", "", text).strip(): look for look, text in found}

    told = asyncio.run(lines())
    for n, name in enumerate(NAMES[1:3], 1):
        said = [look for text, look in told.items() if text.startswith((f"{name} bids ", f"{name} stays "))]
        assert said == [f"by p{n}"], "whoever turned it over, it is theirs"
    assert [look for text, look in told.items() if text.startswith(("You bid ", "You stay "))] == ["by p0 mine"]


MARK = "#log .since"
AFTER = "() => document.querySelector('#log .since')?.nextElementSibling.textContent"
AWAY = """away => {
  Object.defineProperty(document, "hidden", { get: () => away, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.mark.browser
def test_a_line_in_the_log_marks_what_came_while_one_was_away_until_one_moves(browser, house):
    address, database = house
    match = begun("kuhhandel", 3)
    match.play(match.asked[0], "auction")
    one, other = match.asked[0], match.view(match.asked[0])["turn"]
    other = ({0, 1, 2} - {one, other}).pop()
    links = browsing.begun(database, match)
    with browsing.visitor(browser) as page, browsing.visitor(browser) as second:

        def answer(who: Any, move: str) -> None:
            who.wait_for_selector(browsing.MINE)
            decision = who.locator("#dock input[name=decision]").first.get_attribute("value")
            path = who.url + "/move"
            assert who.context.request.post(path, form={"decision": decision, "text": move}).ok

        browsing.sit(page, address + links[one])
        expect(page.locator(MARK)).to_have_count(0)  # somebody who comes for the first time has missed nothing
        page.wait_for_selector(browsing.MINE)
        page.locator("#dock form.bid button").first.click()
        page.wait_for_selector("#dock.resting")
        here = page.url
        browsing.sit(second, address + links[other])
        page.goto(f"{address}/rules/kuhhandel")
        answer(second, "bid 20")
        page.goto(here)
        page.wait_for_selector(MARK)
        assert page.evaluate(AFTER) == f"{match.names[other]} bids 20."
        page.reload()
        page.wait_for_selector("[data-connection].on")
        expect(page.locator(MARK)).to_have_count(1)  # it is for who has not moved yet
        page.locator("#dock form.bid button").first.click()
        page.wait_for_selector(MARK, state="detached")
        page.wait_for_selector("#dock.resting")
        answer(second, "bid 40")  # before one's eyes
        page.wait_for_selector(browsing.MINE)
        expect(page.locator(MARK)).to_have_count(0)
        page.locator("#dock form.bid button").first.click()
        page.wait_for_selector("#dock.resting")
        page.evaluate(AWAY, True)  # another window, or a phone that sleeps
        answer(second, "bid 60")
        page.wait_for_selector(browsing.MINE)
        expect(page.locator(MARK)).to_have_count(0)
        page.evaluate(AWAY, False)
        assert page.evaluate(AFTER) == f"{match.names[other]} bids 60."


AGAIN = """() => {
  const form = document.querySelector("#act-auction");
  new MutationObserver(() => form.ariaBusy ?? form.querySelector("button").click()).observe(form, { attributes: true });
}"""


@pytest.mark.browser
def test_who_clicks_just_as_the_only_move_is_made_is_not_refused(browser, house):
    match = begun("kuhhandel")
    with browsing.visitor(browser) as page:
        browsing.sit(page, house[0] + browsing.begun(house[1], match)[match.asked[0]])
        page.wait_for_selector("[data-connection].on")
        page.evaluate(AGAIN)  # once more when the answer has come, before the next question stands there
        page.locator("#act-auction button").click()
        page.wait_for_selector("#dock.resting")
        assert browsing.view(page)["view"]["phase"] == "bid"
        assert page.locator("#toast").is_hidden()


@pytest.mark.browser
def test_the_coach_is_not_covered_by_what_is_said_to_newcomers(browser, house):
    match = begun("kuhhandel")
    match.play(match.asked[0], "auction")
    with browsing.visitor(browser) as page:
        browsing.sit(page, house[0] + browsing.begun(house[1], match)[match.asked[0]])
        page.wait_for_selector(".lesson[open] [data-learned]")
        page.evaluate("document.querySelector('.now > p').insertAdjacentHTML('afterend', '<details id=coach></details>')")
        expect(page.locator(".lesson [data-learned]").first).not_to_be_visible()


def test_what_a_bot_did_in_ones_place_is_listed_until_one_moves_again(tmp_path: Path):
    async def told() -> list[str]:
        settings = Settings(url_of(str(tmp_path / "t.db")))
        table, _ = await Tables(Store(settings.database), settings).create(Order("kuhhandel", 3, "Ada", seed=2))
        for name in NAMES[1:3]:
            await table.join(name)
        found = []
        for by in ("steady", ""):
            made = False
            while not made:
                match = table.playing
                seat = 0 if 0 in match.asked else match.asked[0]
                made = seat == 0
                said = choose(match, seat, "steady", len(match.moves)).actions
                await table.act(len(match.moves), seat, said, by=by if made else "")
            found += [pages.region(scene.live(table, seat, ""), "clocks") for seat in (0, 1)]
        return found

    mine, others, after, _ = asyncio.run(told())
    assert "A bot has moved in your place:" in mine
    assert "<li>You " in mine
    assert "in your place" not in others
    assert "in your place" not in after


@pytest.mark.browser
def test_sealed_bids_are_no_duel(browser, house):
    match = begun("money", 5)
    while len(match.asked) > 1 or match.view(match.asked[0])["phase"] == "bid":
        match.play_steps(match.asked[0], choose(match, match.asked[0], "steady", 0).actions)
    page = browser.new_page()
    page.add_init_script("localStorage.setItem('learned', 'all')")
    seated(page, house, match, 0)
    told = page.locator("#log li[data-bidding]")
    assert told.count() > 3  # SHORT (duel.js): so few are never folded
    assert told.count() == page.locator("#log li[data-bidding]:visible").count()
    expect(page.locator("#log .duel")).to_have_count(0)
    page.close()


@pytest.mark.browser
def test_on_a_phone_a_tap_brings_the_rates_near_and_the_next_one_chooses(browser, house):
    context = browser.new_context(viewport={"width": PHONE[0], "height": 740})
    page = context.new_page()
    page.add_init_script("localStorage.setItem('learned', 'all')")
    match = begun("forex", 3)
    seated(page, house, match, match.asked[0])
    place = page.locator(".rates tbody tr").nth(1).locator("td button").nth(3)
    place.click()
    assert place.bounding_box()["height"] >= THUMB
    assert place.get_attribute("aria-pressed") != "true"
    place.click()
    assert place.get_attribute("aria-pressed") == "true"
    expect(page.locator("#dock")).to_be_visible()
    context.close()


@pytest.mark.browser
def test_no_field_is_so_small_that_a_phone_zooms(browser, house):
    context = browser.new_context(viewport={"width": PHONE[0], "height": 740})
    page = context.new_page()
    address, _database = house
    for path in ("/", "/new/claim", "/new/forex", "/daily"):
        page.goto(address + path)
        assert page.evaluate(FIELDS, TYPED) == [], path
    for game in ("kuhhandel", "forex"):
        match = begun(game, 3)
        if game == "kuhhandel":
            match.play(match.asked[0], "auction")
        seated(page, house, match, match.asked[0])
        assert page.evaluate(FIELDS, TYPED) == [], game
    context.close()
