"""The end of a match: it is counted, from the last place to the first, before a word of it is said."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from outbid.bots import choose
from outbid.core import contract
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.server.web import pages
from tests.support import browsing
from tests.support.browsing import DESK, PHONE, expect
from tests.support.gallery import GAMES, SHOWS, gallery

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WATCHED = """
  window.seen = [];
  new MutationObserver(() => {
    const rows = [...document.querySelectorAll(".results tbody > tr")];
    const shown = rows.flatMap((row, n) => (getComputedStyle(row).visibility === "visible" ? [n] : []));
    const words = document.querySelector("#over .banner") !== null;
    const log = document.querySelector("#log ol")?.textContent.includes("The match is over") ?? false;
    const state = JSON.stringify({ shown, words, log });
    if (rows.length && window.seen.at(-1) !== state) window.seen.push(state);
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["class", "data-counting"] });
"""


def nearly_over(game: str) -> tuple[Match, int, dict]:
    """A match whose next move is the last one, the seat that makes it, and the move."""
    show = next(show for show in SHOWS if show.game == game)
    match = next(piece.match for piece in gallery(show) if piece.phase == "over")
    for moves in range(len(match.moves) - 1, 0, -1):
        if match.moves[moves]["seat"] not in (None, contract.CLOCK):
            before = match.at(moves)
            if before.asked == (match.moves[moves]["seat"],) and moves == len(match.moves) - 1:
                return before, match.moves[moves]["seat"], {k: v for k, v in match.moves[moves].items() if k != "seat"}
    pytest.fail(f"no match of {game} ends with a move of one seat")


def ends(page, house, game: str) -> None:
    """The page of the seat that makes the last move, and that move."""
    match, seat, move = nearly_over(game)
    page.add_init_script("localStorage.setItem('learned', 'all')")
    browsing.sit(page, house[0] + browsing.begun(house[1], match)[seat])
    page.wait_for_selector("[data-connection].on")
    fields = {"decision": browsing.view(page)["decision"], "move": json.dumps(move)}
    assert page.context.request.post(f"{page.url}/move", form=fields).ok


@pytest.mark.parametrize("size", [pytest.param(DESK, marks=pytest.mark.deep), PHONE], ids=str)
@pytest.mark.parametrize("game", GAMES)
def test_places_are_counted_from_the_last_to_the_first_and_then_it_is_said(browser, house, game, size):
    with browsing.visitor(browser, size) as page:
        page.add_init_script(WATCHED)
        ends(page, house, game)
        page.wait_for_selector("#over .banner")
        seen = [json.loads(state) for state in page.evaluate("window.seen")]
        rows = page.locator(".results tbody > tr").count()
        silent = [state for state in seen if not state["words"]]
        counted = [state["shown"] for state in silent]
        assert [list(range(rows - n, rows)) for n in range(1, rows + 1)] == [shown for shown in counted if shown]
        assert not any(state["log"] for state in silent)
        expect(page.locator("html[data-counting]")).to_have_count(0)
        sums = page.locator(".results td:last-child").all_inner_texts()
        page.reload()
        page.wait_for_selector("#over .banner")
        expect(page.locator("html[data-counting]")).to_have_count(0)
        assert page.locator(".results td:last-child").all_inner_texts() == sums


COUNTED = """
  window.figures = new Map();
  new MutationObserver(() => {
    for (const figure of document.querySelectorAll(".results .reckoned td b")) {
      if (!window.figures.has(figure)) window.figures.set(figure, new Set());
      window.figures.get(figure).add(figure.textContent);
    }
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["class", "data-counting"] });
"""
LEAPT = """() => [...window.figures]
  .filter(([figure, told]) => figure.isConnected && Number(figure.textContent) > 9 && told.size < 3)
  .map(([figure, told]) => `${figure.closest("td").textContent.trim()}: ${[...told]}`)"""


def test_the_sum_of_each_expedition_is_counted_up_and_not_the_whole_alone(browser, house):
    with browsing.visitor(browser, PHONE) as page:
        page.add_init_script(COUNTED)
        ends(page, house, "rivals")
        page.wait_for_selector("#over .banner")
        page.wait_for_selector(".results [data-counting]", state="detached")
        assert page.evaluate("() => window.figures.size") > 3 * page.locator(".results tbody > tr").count()
        assert page.evaluate(LEAPT) == []


TAPPED = """() => {
  const [role, banner] = [document.querySelector("[data-counting] .seat .role"), document.querySelector("#over .banner")];
  if (!role || !document.querySelector(".results .reckoned")) return null;
  const thinking = getComputedStyle(role).visibility;
  document.querySelector("#stage").dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  return [thinking, banner, "counting" in document.documentElement.dataset];
}"""


def test_a_tap_ends_the_counting(browser, house):
    with browsing.visitor(browser) as page:
        ends(page, house, "rivals")
        tapped = page.wait_for_function(TAPPED).json_value()
        assert tapped == ["hidden", None, False]  # nobody thinks any more, and the table counts no longer
        expect(page.locator("#over .banner")).to_be_visible()
        expect(page.locator(".results tbody > tr").last).to_be_visible()


def test_without_movement_all_is_there_at_once(browser, house):
    with browsing.visitor(browser, reduced_motion="reduce") as page:
        page.add_init_script(WATCHED)
        ends(page, house, "kuhhandel")
        page.wait_for_selector("#over .banner")
        assert all(json.loads(state)["words"] for state in page.evaluate("window.seen"))


NOTHING = {"money": {"score": {"currencies": []}}, "forex": {"parts": {}, "certificates": {}}}


@pytest.mark.parametrize("game", NOTHING)
def test_the_end_is_told_to_who_has_nothing(game):
    view = {"players": [NOTHING[game]], "strongest": {"currency": "GBP"}}
    told = pages.environment().get_template(f"{game}/table.html").module.remarks(SimpleNamespace(view=view, you=0))
    assert "most" not in str(told)


OUTSIDE = """parts => [...document.querySelectorAll(parts)].filter((part) => part.checkVisibility()).filter((part) => {
  const [own, stage] = [part, document.querySelector("#stage")].map((each) => each.getBoundingClientRect());
  const down = part.matches(".podium span") ? own.top + 30 : own.bottom; // the number on a step
  return own.left < stage.left || own.right > stage.right || own.top < stage.top || down > stage.bottom + 1;
}).map((part) => part.textContent)"""
PLACES = ".results tbody > tr, .results tbody :is(.slip, .art), .podium li > *"


@pytest.mark.parametrize(("game", "players", "size"), [
    ("claim", 6, (1280, 800)), ("kuhhandel", 5, (1280, 800)), ("money", 5, (1280, 800)),
    ("claim", 4, (800, 700)), ("kuhhandel", 4, (800, 700)), ("money", 4, (800, 700)),
])  # fmt: skip
def test_all_places_and_the_podium_are_whole_however_many_play(browser, house, game, players, size):
    match = Match.new(rulebook(game), {}, players, 3, ["W" * 24] * players)
    while not match.over:
        match.play_steps(match.asked[0], choose(match, match.asked[0], "steady", len(match.moves)).actions)
    with browsing.visitor(browser, size, locale="de", reduced_motion="reduce") as page:
        browsing.sit(page, house[0] + browsing.begun(house[1], match)[0])
        page.wait_for_selector(browsing.OVER)
        page.wait_for_selector(".results")
        expect(page.locator(".results tbody > tr")).to_have_count(players)
        assert page.evaluate(OUTSIDE, PLACES) == []
        assert page.locator(".podium li").first.is_visible() or game == "money"  # which has no room left for five
