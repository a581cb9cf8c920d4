"""A maximum bid is given in one row, by a slider that knows only legal amounts, with one's money in sight above it; the next
amounts by one tap, and without script by a number."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import browsing
from tests.support.gallery import SHOWS, Piece, crowded
from tests.support.sight import CLIPPED, CUT, DESK, PHONE, SIGHT, WHOLE

pytestmark = pytest.mark.browser

SMALL = (320, 640)
PURSE = {"kuhhandel": (".goods .hand .notes", ".goods .figure"), "rivals": (".goods .purse b",)}
OUTSIDE = """() => [...document.querySelectorAll("#orders :is(summary, button, input, .meant)")]
  .filter((one) => one.checkVisibility()).filter((one) => {
    const [box, foot] = [one, one.closest(innerWidth < 1000 ? ".foot" : "body")].map((each) => each.getBoundingClientRect());
    return box.top < foot.top || box.left < 0 || box.right > innerWidth || box.bottom > Math.min(foot.bottom, innerHeight);
  }).map((one) => `${one.textContent} lies outside`)"""
LOW = """() => [...document.querySelectorAll("#orders :is(summary, button, input)")].filter((one) => one.checkVisibility())
  .filter((one) => { const {width, height} = one.getBoundingClientRect(); return Math.min(width, height) < 43.5; })
  .map((one) => `${one.outerHTML} is small`)"""
ROW = "#order .sliding > :is([data-step], input[type=range], .primary)"


def rich(game: str) -> Piece:
    """A bidder with as much money as there ever is in a match."""

    def owned(view: dict[str, Any]) -> int:
        return view["players"][view["seat"]]["gold"] if game == "rivals" else sum(view["money"])

    return crowded(next(show for show in SHOWS if show.game == game), ("bid",), owned)[0]


def opened(page: Any, house: Any, piece: Piece, ready: str = "[data-connection].on") -> None:
    """The maximum of who is asked."""
    browsing.sit(page, house.address + browsing.begun(house.database, piece.match)[piece.seat])
    page.wait_for_selector(ready)
    page.locator("#order > summary").click()
    page.wait_for_selector("#order[open]")


def legal(page: Any) -> range:
    """The amounts a maximum may have."""
    number = page.locator("#order input[type=number]")
    low, high, step = (int(number.get_attribute(name)) for name in ("min", "max", "step"))
    return range(low, high + 1, step)


def given(page: Any) -> str:
    """The order that stands."""
    page.wait_for_selector("#orders .given")
    return page.locator("#orders .given").text_content()


@pytest.mark.generic
@pytest.mark.parametrize("size", [SMALL, PHONE, DESK], ids=str)
@pytest.mark.parametrize("game", PURSE)
def test_a_maximum_is_given_by_a_slider_in_a_row_below_ones_money(browser, house, game, size):
    with browsing.visitor(browser, size, locale="de", reduced_motion="reduce") as page:
        opened(page, house, rich(game))
        amounts, slider = legal(page), page.locator("#order input[type=range]")
        number, button = page.locator("#order input[type=number]"), page.locator("#order .primary")
        assert page.evaluate(OUTSIDE) == []
        if size != SMALL:
            assert page.evaluate(SIGHT, list(PURSE[game])) + page.evaluate(CUT) + page.evaluate(CLIPPED, WHOLE) == []
        if size == PHONE:
            assert page.evaluate(LOW) == []
            middles = [part["y"] + part["height"] / 2 for part in (part.bounding_box() for part in page.locator(ROW).all())]
            assert len(middles) == 4
            assert max(middles) - min(middles) < 1
            assert page.locator(PURSE[game][-1]).bounding_box()["y"] < middles[0]
        box = slider.bounding_box()
        for part in (0.1, 0.5, 0.9):
            page.mouse.click(box["x"] + part * box["width"], box["y"] + box["height"] / 2)
            amount = slider.input_value()
            assert int(amount) in amounts
            assert button.text_content() == f"Höchstens {amount}"
            assert number.input_value() == amount
        slider.press("Home")
        slider.press("ArrowRight")
        assert int(number.input_value()) == amounts[1]
        page.locator("#order [data-step]").last.click()
        assert (slider.input_value(), button.text_content()) == (str(amounts[2]), f"Höchstens {amounts[2]}")
        button.click()
        assert f" {amounts[2]}, dann passt du" in given(page)


@pytest.mark.slow
@pytest.mark.parametrize("game", PURSE)
def test_the_next_amounts_are_a_maximum_by_one_tap_and_any_is_one_without_script(browser, house, game):
    piece = rich(game)
    with browsing.visitor(browser, PHONE, reduced_motion="reduce") as page:
        opened(page, house, piece)
        chip = page.locator("#order .chips button").first
        amount = chip.text_content()
        chip.click()
        assert f"up to {amount}, then you pass" in given(page)
    with browsing.visitor(browser, PHONE, script=False) as page:
        opened(page, house, piece, "#order")
        amount = str(legal(page)[3])
        page.locator("#order input[type=number]").fill(amount)
        page.locator("#order .primary").click()
        assert f"up to {amount}, then you pass" in given(page)
