"""The table of For-Ex with all that decides a dividend in sight: certificates in all hands, rates in colours, the queue."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import outbid.games.forex
from outbid.bots import choose
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.games.forex.hooks.faces import NOTES
from outbid.games.forex.state import CURRENCIES
from tests.support import browsing
from tests.support.browsing import expect
from tests.support.sight import CLIPPED, DESK, PHONE, SIGHT, WHOLE

pytestmark = pytest.mark.browser

NAMES = ["Maximilian von und zu", "Clara-Friederike Anna", "Wolfgang Amadeus III", "Do", "Elisabeth Charlotte", "Friedrich"]
OWNED = """() => [...document.querySelectorAll("#opponents > .seat")].map((seat) =>
  Object.fromEntries([...seat.querySelectorAll(".owned")]
    .map((owned) => [owned.dataset.card.slice(6, 9), Number(owned.dataset.n)])))"""
CHARTED = """() => [...document.querySelectorAll(".rates tfoot tr")].map((row) =>
  [...row.querySelectorAll("td")].map((cell) => Number(cell.textContent) || 0))"""
SLACK = """() => Math.min(...["#stage", "#opponents"].map((id) => {
  const box = document.querySelector(id);
  const last = Math.max(...[...box.querySelectorAll(":scope > *")].map((part) => part.getBoundingClientRect().bottom));
  return box.getBoundingClientRect().bottom - last;
}))"""
CELLS = """() => [...document.querySelectorAll(".rates tbody button")].map((cell) => {
  const box = cell.getBoundingClientRect();
  return Math.round(Math.min(box.width, box.height));
})"""
WATCHED = (".opponents > .seat .owned", ".rates tfoot td", ".rates tbody button", ".opponents > .seat .score > b")


@cache
def busiest(players: int) -> tuple[Match, int, Match]:
    """A position of a match of steady bots in which most wait in the queue and are owned, who is asked, and the end."""
    match, most = Match.new(rulebook("forex"), {}, players, 3, NAMES[:players]), (0, 0)
    found = match.copy(), 0
    while not match.over:
        seat = match.asked[0]
        seen = match.view(seat)
        much = (len(seen["queue"]), sum(seen["held"].values()))
        if seen["phase"] == "turn" and much > most:
            most, found = much, (match.copy(), seat)
        match.play_steps(seat, choose(match, seat, "steady", len(match.moves)).actions)
    return *found, match


def seated(page: Any, house: Any, match: Match, seat: int) -> dict[str, Any]:
    """A person at the table of a match; what they see."""
    page.add_init_script("localStorage.setItem('learned', 'all')")
    browsing.sit(page, house[0] + browsing.begun(house[1], match)[seat])
    page.wait_for_selector("[data-connection].on")
    return match.view(seat)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "players"), [(PHONE, 3), (PHONE, 6), (DESK, 6)], ids=str)
def test_certificates_of_all_and_the_whole_queue_are_in_sight(browser, house, size, players):
    match, seat, _ = busiest(players)
    with browsing.visitor(browser, size, locale="de", reduced_motion="reduce") as page:
        seen = seated(page, house, match, seat)
        others = [seen["players"][(seat + far) % players]["certificates"] for far in range(1, players)]
        assert page.evaluate(OWNED) == others
        assert any(len(owned) > 3 for owned in others)
        held, stock = page.evaluate(CHARTED)
        assert held == [seen["held"][kind] for kind in CURRENCIES]
        assert stock == [seen["stock"][kind] for kind in CURRENCIES]
        queue = (".line li",) if size == DESK else (".line li:first-child",)
        assert page.evaluate(SIGHT, [*WATCHED, *queue]) + page.evaluate(CLIPPED, [*WHOLE, "#opponents"]) == []
        assert page.locator(".line li").count() == (7 if players == 6 else len(seen["queue"]))
        assert page.evaluate(SLACK) >= 4


@pytest.mark.slow
def test_a_cell_has_44_pixels_on_a_desk_and_on_a_phone_once_it_is_brought_near(browser, house):
    match, seat, _ = busiest(3)
    for size in (DESK, PHONE):
        with browsing.visitor(browser, size, reduced_motion="reduce") as page:
            seated(page, house, match, seat)
            if size == PHONE:
                page.locator(".rates tbody button").first.click()
            least = 42 if size == PHONE else 44  # 375 pixels are not wide enough for seven and what they are called
            assert min(page.evaluate(CELLS)) >= least, size


@pytest.mark.slow
def test_a_certificate_opens_its_form_and_a_contract_lights_its_rate(browser, house):
    match, seat, _ = busiest(3)
    with browsing.visitor(browser, DESK, reduced_motion="reduce") as page:
        seen = seated(page, house, match, seat)
        rich = seen["players"][seat]
        buys = [kind for kind in CURRENCIES if seen["stock"][kind] and rich["money"][kind] >= 2]
        kind = next(kind for kind in buys if rich["certificates"].get(kind, 0) < 4)
        page.locator(f'.rates .stock[data-kind="{kind}"]').click()
        assert page.locator(f'#act-invest[open] [name="str:first"][value="{kind}"]').is_checked()
        expect(page.locator("#act-invest button.primary")).to_have_text(f"Buy {kind}", use_inner_text=True)
        expect(page.locator(".rates button.next").first).to_be_visible()
        own = next(iter(rich["certificates"]))
        page.locator(f'.own-papers[data-kind="{own}"]').click()
        expect(page.locator("#act-divest[open]")).to_have_count(1)
        expect(page.locator("#act-divest button.primary")).to_have_text(f"Sell 1 {own}", use_inner_text=True)
        page.keyboard.press("Escape")
        page.locator(".line li[data-kinds]").first.click()
        pair = page.locator(".line li[data-kinds]").first.get_attribute("data-kinds").split()
        row, column = map(CURRENCIES.index, pair)
        lit = page.locator(".rates tbody tr").nth(row).locator("td").nth(column).locator("button")
        assert lit.get_attribute("aria-pressed") == "true"
        assert re.match(r"1 [A-Z]{3} = ", page.locator("[data-told]").inner_text())


def test_what_a_move_would_change_says_what_it_was(browser, house):
    match, seat, _ = busiest(3)
    with browsing.visitor(browser, DESK, reduced_motion="reduce") as page:
        seen = seated(page, house, match, seat)
        kind = next(k for k in CURRENCIES if seen["stock"][k] and seen["players"][seat]["money"][k] >= 2)
        page.locator(f'.rates .stock[data-kind="{kind}"]').click()
        rates = {(pair["stronger"], pair["weaker"]): f"{pair['rate']:g} →" for pair in seen["pairs"]}
        found = 0
        for a, row in enumerate(page.locator(".rates tbody tr").all()):
            for b, cell in enumerate(row.locator("td").all()):
                button = cell.locator("button.next")
                if button.count() and button.inner_text():
                    assert button.get_attribute("data-mark") == rates.get((CURRENCIES[a], CURRENCIES[b]), "⇄")
                    found += 1
        assert found > 3


def test_the_results_show_notes_and_certificates_and_count_sums(browser, house):
    *_, match = busiest(3)
    with browsing.visitor(browser, PHONE, reduced_motion="reduce") as page:
        seen = seated(page, house, match, 0)
        expect(page.locator(".results tbody .note")).to_have_count(3 * len(CURRENCIES))
        owned = page.locator(".results .owned").evaluate_all("all => all.map((owned) => owned.querySelectorAll('i').length)")
        assert sum(owned) == sum(sum(player["certificates"].values()) for player in seen["players"])
        sums = page.locator(".results tbody td .turned b").all_inner_texts()
        assert sum(map(int, sums)) == sum(sum(player["parts"].values()) for player in seen["players"])


def test_a_currency_has_one_colour():
    sheet = (Path(outbid.games.forex.__file__).parent / "table.css").read_text()
    assert dict(re.findall(r"\.in-([A-Z]{3}) \{ --kind: (#\w{6});", sheet)) == {note.key[-3:]: note.hue for note in NOTES}
