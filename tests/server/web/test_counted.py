"""The end of Kuhhandel and Money! shows what is counted as cards: whole herds, the money that was hidden, the collections;
all of it is in sight on a phone, too, with five players and long names."""

from __future__ import annotations

import pytest

from outbid.bots import choose
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from tests.support import browsing
from tests.support.browsing import expect
from tests.support.sight import DESK, PHONE, SMALL

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAMES = ["Maximiliane Oberhofer", "Bartholomäus von Wendt", "Cem", "Dorothea Lang", "Eleonora"]
OUTSIDE = """() => {
  const stage = document.querySelector("#stage").getBoundingClientRect();
  const parts = [...document.querySelectorAll(".results tbody :is(th, b, .art)")].filter((part) => part.checkVisibility());
  return parts.filter((part) => {
    const box = part.getBoundingClientRect();
    return box.left < stage.left || box.right > stage.right + 1 || box.bottom > stage.bottom + 1;
  }).map((part) => part.outerHTML.slice(0, 60));
}"""


def ended(game: str) -> Match:
    """A match of five bots that is over."""
    match = Match.new(rulebook(game), {}, 5, 4, NAMES)
    while not match.over:
        match.play_steps(match.asked[0], choose(match, match.asked[0], "steady", len(match.moves)).actions)
    return match


@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
@pytest.mark.parametrize("game", ["kuhhandel", "money"])
def test_what_is_counted_lies_there_as_cards_and_all_of_it_is_in_sight(browser, house, game: str, size: tuple[int, int]):
    match = ended(game)
    with browsing.visitor(browser, size, locale="de", reduced_motion="reduce") as page:
        browsing.sit(page, house[0] + browsing.begun(house[1], match)[0])
        page.wait_for_selector(".results")
        cards = page.locator(".results :is(.herds, .parts) .art")
        if game == "kuhhandel":
            view = match.view(0)
            expect(cards).to_have_count(sum(sum(player["animals"].values()) for player in view["players"]))
            expect(page.locator(".results .turned .art")).to_have_count(sum(map(sum, match.state.money)))
        else:
            expect(cards).to_have_count(sum(len(match.view(seat)["hand"]) for seat in range(5)))
        assert page.locator(".results tbody > tr").count() == page.locator(".results tbody th:visible").count() == len(NAMES)
        assert page.evaluate(OUTSIDE) == []
        if size == PHONE:
            assert page.evaluate(SMALL) == []
