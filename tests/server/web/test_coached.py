"""The coach on the page: it lights what it speaks of, and neither it nor a hint covers the lot, the price or the purse."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.support import browsing
from tests.support.browsing import expect
from tests.support.coaching import objections
from tests.support.gallery import GAMES, SHOWS, Piece, gallery
from tests.support.sight import DESK, PHONE, SIGHT, matters

pytestmark = pytest.mark.browser

# the others are left to `make deep`
SAMPLED = [game if game in ("forex", "rivals") else pytest.param(game, marks=pytest.mark.deep) for game in GAMES]
BESIDE = """() => {
  const sheet = document.querySelector("#now > details[open] > .advice").getBoundingClientRect();
  return sheet.left >= 0 && sheet.top >= 0 && sheet.right <= innerWidth && sheet.bottom <= innerHeight;
}"""


def alone(house: tuple[str, Path], page: Any, piece: Piece, known: bool = False) -> str:
    """Somebody sits in this position, among bots, new unless the browser is known; the address of the table."""
    if not known:
        page.context.clear_cookies()
    bots = {seat: "steady" for seat in range(piece.match.players) if seat != piece.seat}
    link = house[0] + browsing.begun(house[1], piece.match, bots, pace="slow")[piece.seat]
    browsing.sit(page, link)
    page.wait_for_selector("[data-connection].on")
    return link.partition("/seat/")[0]


def warned(house: tuple[str, Path], page: Any, piece: Piece, move: Mapping[str, Any]) -> None:
    """The coach has asked about a move."""
    means(page, alone(house, page, piece), move)
    page.wait_for_selector("#coach > .advice")


def means(page: Any, table: str, move: Mapping[str, Any]) -> None:
    """The person at the table makes a move, and the coach asks about it."""
    decision = page.locator("#dock input[name=decision]").first.get_attribute("value")
    answer = page.context.request.post(f"{table}/move", form={"decision": decision, "move": json.dumps(move)})
    assert answer.status == 409, answer.text()


def uncovered(page: Any, what: tuple[str, ...]) -> list[str]:
    """What the open sheet covers, and what of it cannot be seen."""
    lines = page.evaluate(SIGHT, list(what))
    return lines + ([] if page.evaluate(BESIDE) else ["the sheet leaves the window"])


@pytest.mark.slow(but=("rivals",))
@pytest.mark.parametrize("size", [pytest.param(DESK, marks=pytest.mark.deep), PHONE], ids=str)
@pytest.mark.parametrize("game", SAMPLED)
def test_the_coach_covers_nothing_that_the_decision_is_about(browser, house, game, size):
    show, found = next(show for show in SHOWS if show.game == game), []
    with browsing.visitor(browser, size, locale="de", reduced_motion="reduce") as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        for piece, move in islice(objections(game), 2):
            warned(house, page, piece, move)
            found += [f"{piece.phase}: {line}" for line in uncovered(page, matters(show, piece))]
            light = page.locator("#coach").get_attribute("data-light")
            assert not light or page.locator(light).count() == page.locator(".lit").count() > 0
    assert not found, "\n".join(found)


@pytest.mark.parametrize("open_before", ["#hint", "#lesson-rivals-turn"])
def test_what_the_coach_asks_stays_open_beside_what_was_open_before(browser, house, open_before):
    piece, move = next((piece, move) for piece, move in objections("rivals") if piece.phase == "turn")
    with browsing.visitor(browser, PHONE) as page:
        table = alone(house, page, piece)
        if open_before == "#hint":
            page.get_by_role("button", name="Got it").click()
            page.locator("#hint > summary").click()
        expect(page.locator(f"{open_before}[open]")).not_to_have_count(0)
        means(page, table, move)
        page.get_by_role("button", name="Play it anyway").wait_for()


def test_choosing_again_shows_all_choices(browser, house):
    piece, move = next((piece, move) for piece, move in objections("kuhhandel") if piece.phase == "bid")
    with browsing.visitor(browser) as page:
        table = alone(house, page, piece)
        page.locator("#act-bid-other > summary").click()
        expect(page.locator("#dock .act[open]")).to_have_count(1)
        means(page, table, move)
        page.get_by_role("button", name="Choose again").click()
        expect(page.locator("#dock .act[open]")).to_have_count(0)
        expect(page.locator("#act-bid-other > summary")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("size", [pytest.param(DESK, marks=pytest.mark.deep), PHONE], ids=str)
@pytest.mark.parametrize("game", SAMPLED)
def test_a_hint_covers_nothing_that_the_decision_is_about(browser, house, game, size):
    show, found = next(show for show in SHOWS if show.game == game), []
    with browsing.visitor(browser, size, locale="de", reduced_motion="reduce") as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        for piece in gallery(show):
            if piece.phase != "over":
                alone(house, page, piece)
                page.locator("#hint > summary").click()
                found += [f"{piece.phase} asked: {line}" for line in uncovered(page, matters(show, piece))]
                page.locator("#hint form button").click()
                page.wait_for_selector("#hint .advised")
                found += [f"{piece.phase}: {line}" for line in uncovered(page, matters(show, piece))]
    assert not found, "\n".join(found)


@pytest.mark.slow
def test_the_browser_remembers_its_first_three_matches_of_a_game_and_that_it_wants_no_coach(house, browser):
    shows = {show.game: show for show in SHOWS if not show.options}
    first = {game: next(piece for piece in gallery(shows[game]) if piece.phase != "over") for game in ("rivals", "money")}
    with browsing.visitor(browser) as page:
        tables = [alone(house, page, first["rivals"], known=n > 0) for n in range(4)]
        there = []
        for table in [*tables, alone(house, page, first["money"], known=True)]:
            page.goto(table)
            there.append(page.locator("#about form").count() > 0)
        assert there == [True, True, True, False, True]
        page.goto(tables[0])
        off(page)
        for table in (tables[1], alone(house, page, first["money"], known=True)):  # a table that has not heard of it
            page.goto(table)
            page.get_by_text("There is a coach, which says nothing.").wait_for(state="attached")


def off(page: Any) -> None:
    """Switch the coach off in the menu."""
    page.locator("#menu > summary").click()
    page.locator("#about > summary").click()
    page.get_by_role("button", name="Switch it off").click()
    page.get_by_text("There is a coach, which says nothing.").wait_for(state="attached")
