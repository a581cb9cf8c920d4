"""What of a page of Rivals lies over another part: the list of a pile, an outcome of many cards; and who may give orders."""

from __future__ import annotations

import pytest

from outbid.games.rivals.hooks import automatic_moves
from tests.rivals.table import NAMES, fresh, play, position
from tests.support import browsing
from tests.support.browsing import expect

DESK, PHONE = (1280, 800), (375, 740)
CARDS = ("R2", "R3", "B2", "B3", "G2", "G3", "Y2", "Y3")
# What of the outcome lies outside the stage, or scrolls, once its cards lie still. It is shown for two seconds, so that it
# is measured in the frame in which it appears.
HIDDEN = """() => {
  const card = document.querySelector(".outcome.shown");
  if (!card) return null;
  for (const movement of card.getAnimations({ subtree: true })) movement.finish();
  const [box, stage] = [card.getBoundingClientRect(), document.querySelector("#stage").getBoundingClientRect()];
  const inside = box.top >= stage.top - 1 && box.bottom <= stage.bottom + 1;
  return inside && card.scrollHeight <= card.clientHeight + 1 ? [] : [`${card.scrollHeight} px of ${card.clientHeight}`];
}"""


def test_no_order_is_offered_to_who_cannot_raise():
    match = play(position("R2", gold=[9, 4, 9]), "0 bid 4")
    offered = [automatic_moves.offered(match.state, seat, NAMES) for seat in range(3)]
    leads, beaten, asked = ([choice.move["do"] for choice in choices] for choices in offered)
    assert leads == ["raise", "raise", "pass"]
    assert beaten == []
    assert asked == ["raise", "raise"]  # who is asked just passes


@pytest.mark.browser
@pytest.mark.slow
def test_the_list_of_a_pile_has_a_ground_and_goes_by_escape_or_a_click_elsewhere(browser, house):
    with browsing.visitor(browser, DESK) as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        browsing.sit(page, house[0] + browsing.begun(house[1], fresh())[0])
        page.wait_for_selector("[data-connection].on")
        pile = page.locator("#unseen")
        for close in (lambda: page.keyboard.press("Escape"), lambda: page.locator("#goods .purse").click()):
            pile.locator("summary").click()
            expect(pile.locator("caption")).to_be_visible()
            assert pile.locator("caption").evaluate("title => getComputedStyle(title).backgroundColor") != "rgba(0, 0, 0, 0)"
            close()
            expect(pile.locator("table")).not_to_be_visible()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
@pytest.mark.browser
@pytest.mark.slow
def test_an_outcome_of_eight_cards_is_whole(browser, house, size):
    match = fresh(*CARDS)
    for _ in CARDS:
        match.play(match.asked[0], "uncover")
    seat = match.asked[0]
    match.play(seat, "bid 12")
    with browsing.visitor(browser, size) as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        browsing.sit(page, house[0] + browsing.begun(house[1], match, pace="normal")[seat])
        page.wait_for_selector("[data-connection].on")
        page.locator("#dock .all button, #dock .picker:not(:has(~ .all)) button.primary").click()
        assert page.wait_for_function(HIDDEN, timeout=60_000).json_value() == []
