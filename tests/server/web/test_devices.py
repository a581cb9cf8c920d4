"""What people own: a small laptop, a narrow phone, large text, keyboards whose digits need shift, browsers without storage.
Every table can be played there: all of it can be reached, and a decision of each game is made by tapping."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import pytest

from outbid.core.rulebook import rulebook
from tests.support import browsing
from tests.support.browsing import MINE, PHONE, expect, sit, table, visitor
from tests.support.gallery import SHOWS, Piece, Show, crowded, gallery
from tests.support.sight import CUT
from tests.support.tapping import DECISION, GAMES, decide

pytestmark = pytest.mark.browser

LATE = {
    "kuhhandel": ("turn", "bid"), "money": ("bid", "exchange"), "rivals": ("turn", "bid"), "forex": ("turn",),
    "claim": ("play", "window"),
}  # fmt: skip
DEVICES: dict[str, tuple[tuple[int, int], str]] = {
    "a small laptop": ((1024, 690), ""),
    "a narrow phone": ((320, 640), ""),
    "text half as large again": ((390, 844), "document.documentElement.style.fontSize = '150%'"),
    "text twice as large": ((390, 844), "document.documentElement.style.fontSize = '200%'"),
}
SAMPLE = {  # what is not left to `make deep`
    ("a small laptop", "rivals"), ("a small laptop", "kuhhandel"), ("a narrow phone", "claim"), ("a narrow phone", "forex"),
    ("text twice as large", "money"), ("text twice as large", "kuhhandel"),
}  # fmt: skip
OUT_OF_REACH = """() => {
  const [faults, wide, high] = [[], innerWidth, innerHeight];
  const name = (one) => `${one.tagName} ${one.className} ${one.textContent.trim().replace(/\\s+/g, " ").slice(0, 30)}`;
  const page = document.documentElement;
  if (page.scrollWidth > wide) faults.push(`the page is ${page.scrollWidth} wide`);
  const stage = document.querySelector("#stage");
  if (stage.clientHeight < 0.3 * high - 1) faults.push(`the stage is ${stage.clientHeight} high`);
  const over = stage.scrollWidth - stage.clientWidth;
  if (over > 1) faults.push(`${over} px of the stage are cut off`);
  const band = document.querySelector("#opponents");
  if (band.checkVisibility()) for (const seat of band.querySelectorAll(":scope > .seat")) {
    const [box, edge] = [seat.getBoundingClientRect(), band.getBoundingClientRect()];
    if (box.left < 0 || box.right > wide || box.bottom > edge.bottom + 1) faults.push(`${name(seat)} lies outside`);
  }
  const parts = "#goods > *, #dock :is(button, summary, label.pick), #stage [data-choice], #orders :is(button, summary)";
  for (const part of [...document.querySelectorAll(parts)].filter((one) => one.checkVisibility())) {
    part.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = part.getBoundingClientRect();
    const seen = document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height / 2, high / 3));
    if (!seen || !(part.contains(seen) || seen.contains(part))) faults.push(`${name(part)} cannot be reached`);
  }
  scrollTo(0, 0);
  return faults;
}"""

ASIDE = """() => [...document.querySelectorAll("#goods, #goods *, #dock, #dock *")]
  .filter((box) => box.checkVisibility() && getComputedStyle(box).overflowX !== "visible")
  .filter((box) => box.scrollWidth > box.clientWidth + 1)
  .map((box) => `${box.className} scrolls sideways: ${box.scrollWidth} px in ${box.clientWidth}`)"""


@pytest.fixture(scope="module")
def large(browser: Any) -> Iterator[Any]:
    """A browser whose user wants no text below 20 px."""
    least = "--blink-settings=minimumFontSize=20,minimumLogicalFontSize=20"
    other = browser.browser_type.launch(executable_path=browsing.place(), args=[*browsing.ARGUMENTS, least])
    yield other
    other.close()


def fullest(game: str) -> list[Piece]:
    """Late positions of a game among as many as may play it, with names at their longest."""
    show = Show(game, frozenset(), {}, rulebook(game).players[1])
    return crowded(show, LATE[game])


@contextmanager
def seated(browser: Any, house: Any, piece: Piece, size: tuple[int, int], script: str, **more: Any) -> Iterator[Any]:
    """The page of who is asked in a position, on a device."""
    with visitor(browser, size, reduced_motion="reduce", **more) as page:
        page.add_init_script(
            f"addEventListener('DOMContentLoaded', () => {{ {script} }}); localStorage.setItem('learned', 'all')"
        )
        sit(page, house.address + browsing.begun(house.database, piece.match)[piece.seat])
        page.wait_for_selector("[data-connection].on")
        yield page


@pytest.mark.slow
@pytest.mark.parametrize(("device", "game"), [
    pytest.param(*cell, marks=() if cell in SAMPLE else pytest.mark.deep) for cell in product(DEVICES, GAMES)
])
def test_all_of_a_table_can_be_reached(browser, house, device, game):
    size, script = DEVICES[device]
    faults = []
    for piece in fullest(game):
        with seated(browser, house, piece, size, script) as page:
            faults += [f"{piece.phase}: {fault}" for fault in page.evaluate(OUT_OF_REACH) + page.evaluate(CUT)]
    assert not faults, "\n".join(faults)


UNSTORED = """for (const name of ["localStorage", "sessionStorage", "indexedDB"])
  Object.defineProperty(window, name, { get() { throw new DOMException("The request was denied.", "SecurityError"); } });"""


@pytest.mark.generic
@pytest.mark.parametrize("game", GAMES)
def test_a_browser_without_storage_plays_and_does_what_it_is_told_until_the_page_is_left(browser, server, game):
    with table(browser, server, PHONE, game=game, players=str(rulebook(game).players[0] + 1), preset="") as page:
        page.add_init_script(UNSTORED)
        page.reload()
        page.wait_for_selector("[data-connection].on")
        page.wait_for_selector(MINE)
        lesson = page.locator("[data-lesson][open]")
        if lesson.count():
            lesson.locator("[data-learned='']").click()
            expect(lesson, "what was got is gone").to_have_count(0)
        page.locator("#menu > summary").click()
        page.locator("[data-mute]").click()
        assert page.locator("[data-mute]").get_attribute("aria-pressed") == "false"
        decide(page)
        page.close()  # nothing is kept that would have to be forgotten


@pytest.mark.slow
def test_a_browser_without_cookies_and_storage_is_told_what_is_missing_and_looks_on(browser, house):
    links = browsing.begun(house.database, fullest("kuhhandel")[0].match)

    def uncookied(route: Any) -> None:
        answer = route.fetch(max_redirects=0)
        route.request.frame.page.context.clear_cookies()
        headers = {name: value for name, value in answer.headers.items() if name != "set-cookie"}
        route.fulfill(response=answer, headers=headers)

    with visitor(browser, PHONE, quiet=False) as page:
        page.add_init_script(UNSTORED)
        page.route(lambda url: not url.endswith((".js", ".css")), uncookied)
        page.goto(house.address)
        page.locator("button[name=game].primary").first.click()
        page.get_by_text("Your browser keeps no cookies").wait_for()
        page.goto(house.address + links[0])  # the page asks for the seat by itself
        page.get_by_text("Your browser keeps no cookies").wait_for()
        page.unroute_all()  # no socket is opened from a page that comes from nowhere
        page.goto(house.address + links[0].partition("/seat/")[0])
        page.wait_for_selector("[data-connection].on")
        expect(page.locator("#stage")).to_be_visible()
        page.close()


@pytest.mark.slow
@pytest.mark.parametrize("game", [
    game if game in ("forex", "kuhhandel") else pytest.param(game, marks=pytest.mark.deep) for game in GAMES
])
def test_all_of_a_table_can_be_reached_where_no_text_may_be_small(large, house, game):
    """A window has room for as much less, whatever its size: on a desk it is laid out as a narrower one, and nothing of what
    is one's own is scrolled to sideways."""
    faults = []
    for piece in fullest(game):
        for size, looks in (((390, 844), (OUT_OF_REACH, CUT)), (browsing.DESK, (OUT_OF_REACH, CUT, ASIDE))):
            with seated(large, house, piece, size, "") as page:
                faults += [f"{piece.phase} {size}: {fault}" for look in looks for fault in page.evaluate(look)]
    assert not faults, "\n".join(faults)


def typed(page: Any, code: str, key: str) -> None:
    """Press a key of a keyboard of another country: where it lies, and what it writes."""
    keyboard = page.context.new_cdp_session(page)
    for kind in ("keyDown", "keyUp"):
        event = {"type": kind, "code": code, "key": key, "text": key if kind == "keyDown" else ""}
        keyboard.send("Input.dispatchKeyEvent", event)


@pytest.mark.slow
def test_the_keys_of_digits_choose_on_a_keyboard_where_digits_need_shift(browser, house):
    show = next(show for show in SHOWS if show.game == "kuhhandel")
    piece = next(piece for piece in gallery(show) if piece.phase == "bid")
    with seated(browser, house, piece, browsing.DESK, "") as page:
        before, other = page.evaluate(DECISION), page.locator("#act-bid-other")
        nth = page.wait_for_selector("#act-bid-other > summary[data-key]").get_attribute("data-key")
        typed(page, f"Digit{nth}", "&é\"'(-è_ç"[int(nth) - 1])
        assert other.get_attribute("open") is not None
        field = other.locator("[data-amount]")
        field.fill("")
        for digit in "130":  # with shift
            typed(page, f"Digit{digit}", digit)
        assert field.input_value() == "130"
        assert page.evaluate(DECISION) == before
