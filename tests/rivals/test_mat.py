"""The table of Rivals as one mat: what all have laid and what lies on display stand in the same five columns, as cards."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from outbid.bots import choose
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from tests.support import browsing
from tests.support.browsing import expect
from tests.support.gallery import SHOWS, crowded
from tests.support.sight import DESK, PHONE

pytestmark = pytest.mark.browser

RIVALS = next(show for show in SHOWS if show.game == "rivals")
NAMES = ["Bruno", "Clara-Friederike", "Doris", "Maximilian von und zu"]
COLUMNS = """() => ["#opponents .trails", "#stage .display", "#goods .trails"]
  .map((row) => [...document.querySelectorAll(row)]
  .map((columns) => [...columns.children].map((column) => column.getBoundingClientRect().x)))"""
# the cards of a row by colour: name, width, and whether the rank is free: no later card lies on it, nothing cuts it off
RANKS = """row => [...document.querySelectorAll(row + " .trail")].map((trail) => {
  const edge = document.querySelector(row).getBoundingClientRect();
  const boxes = [...trail.children].map((item) => item.firstElementChild.getBoundingClientRect());
  const inside = (x, y, box) => x > box.left && x < box.right && y > box.top && y < box.bottom;
  return boxes.map((box, n) => [trail.children[n].dataset.card.split("@")[0], box.width, [0.1, 0.38].every((part) => {
    const [x, y] = [box.left + part * box.width, box.top + part * box.width];
    return inside(x, y, edge) && !boxes.slice(n + 1).some((later) => inside(x, y, later));
  })]);
})"""
BOXES = "all => all.map((element) => element.getBoundingClientRect().toJSON())"
STICKING = """seats => seats.flatMap((seat) => [...seat.querySelectorAll("header > :not(.sr), .standing > :not(.sr)")]
  .filter((part) => part.checkVisibility() && part.getBoundingClientRect().right > seat.getBoundingClientRect().right + 0.5)
  .map((part) => part.textContent))"""
PILED = "all => all.map((pile) => pile.childElementCount)"


def late(players: int) -> tuple[Match, int]:
    """A match of steady bots in which much has been laid, and who is asked."""
    match = Match.new(rulebook("rivals"), {}, players, 3, NAMES[:players])
    found = match.copy(), 0
    while not match.over:
        seat = match.asked[0]
        if match.view(seat)["phase"] == "turn" and len(match.view(seat)["display"]) > 2:
            found = match.copy(), seat
        match.play_steps(seat, choose(match, seat, "steady", len(match.moves)).actions)
    return found


def seated(page: Any, house: Any, match: Match, seat: int) -> None:
    """A person at the table of a match."""
    browsing.sit(page, house[0] + browsing.begun(house[1], match)[seat])
    page.wait_for_selector("[data-connection].on")


@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.slow
def test_the_others_the_display_and_ones_own_cards_share_five_columns(browser, house, size, players):
    match, seat = late(players)
    with browsing.visitor(browser, size, reduced_motion="reduce") as page:
        seated(page, house, match, seat)
        for there in (page.url, f"{page.url}/replay"):
            page.goto(there)
            others, (display,), (own,) = page.evaluate(COLUMNS)
            assert len(others) == players - 1
            for row in (*others, display):
                assert [abs(x - y) < 3 for x, y in zip(row, own, strict=True)] == [True] * 5, (row, own)
            rows = page.locator("#opponents > .seat").evaluate_all(BOXES)
            assert all(row["left"] >= 0 and row["right"] <= size[0] and row["bottom"] <= size[1] / 2 for row in rows)
            assert page.locator("#opponents > .seat").evaluate_all(STICKING) == []


def most_laid(view: dict[str, Any]) -> int:
    """How many cards lie in the expedition of one's own that has most."""
    own = view["players"][view["turn"]]["expeditions"]
    return max((len(one["cards"]) for one in own.values()), default=0)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
@pytest.mark.slow
def test_every_card_of_ones_own_is_there_and_its_rank_is_read(browser, house, size):
    crowd = [piece for level in ("steady", "random") for piece in crowded(RIVALS, ("turn",), most_laid, level)]
    with browsing.visitor(browser, size, reduced_motion="reduce") as page:
        for match, seat in (late(4), *((piece.match, piece.seat) for piece in crowd)):
            seated(page, house, match, seat)
            expeditions = match.view(seat)["players"][seat]["expeditions"]
            trails = page.evaluate(RANKS, "#goods")
            assert [[name for name, *_ in trail] for trail in trails] == [one["cards"] for one in expeditions.values()]
            assert [card for trail in trails for card in trail if card[1] < 22 or not card[2]] == []


@pytest.mark.slow
def test_the_others_cards_lie_open_on_a_desk_and_on_a_phone_the_last_of_each_colour(browser, house):
    match, seat = late(4)
    others = [match.view(seat)["players"][(seat + far) % 4] for far in (1, 2, 3)]
    laid = [one["cards"] for player in others for one in player["expeditions"].values()]
    for size in (DESK, PHONE):
        with browsing.visitor(browser, size, reduced_motion="reduce") as page:
            seated(page, house, match, seat)
            trails = page.evaluate(RANKS, "#opponents")
            drawn = [[name for name, width, _ in trail if width] for trail in trails]
            assert drawn == (laid if size == DESK else [cards[-1:] for cards in laid])
            assert all(free for trail in trails for _, width, free in trail if width)
            points = page.locator("#opponents .trails .sum b").all_inner_texts()
            assert points == [str(one["points"]) for player in others for one in player["expeditions"].values()]


@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
@pytest.mark.slow
def test_a_tap_on_the_display_opens_the_choice_of_the_bid_and_nothing_is_bid_yet(browser, house, size):
    piece = next(piece for piece in crowded(RIVALS, ("turn",), lambda view: len(view["display"])))
    with browsing.visitor(browser, size, reduced_motion="reduce") as page:
        seated(page, house, piece.match, piece.seat)
        page.locator("#stage .tile").first.click(position={"x": 10, "y": 10})
        page.wait_for_selector("#act-bid-other[open]")
        expect(page.locator("#dock[data-phase=turn]")).to_have_count(1)
        page.locator("#act-bid-other [data-amount]").fill("1")
        page.locator("#act-bid-other .confirm .primary").click()
        page.wait_for_selector("#stage .offer .huge")


def test_gold_lies_in_stacks_and_in_the_chest_a_coin_for_each(browser, house):
    match, seat = late(3)
    seen = match.view(seat)
    with browsing.visitor(browser, DESK, reduced_motion="reduce") as page:
        seated(page, house, match, seat)
        expect(page.locator(".chest > i")).to_have_count(min(seen["supply"], 48))
        expect(page.locator(".chest > b")).to_have_text(str(seen["supply"]), use_inner_text=True)
        gold = seen["players"][seat]["gold"]
        expect(page.locator("#goods .purse b")).to_have_text(str(gold), use_inner_text=True)
        assert page.locator("#goods .purse > .icon").count() + page.locator("#goods .coins i").count() == min(gold, 41)
        assert all(n <= 5 for n in page.locator("#goods .coins > span").evaluate_all(PILED))


def fitting(view: dict[str, Any]) -> list[str]:
    """The cards on display that fit the seat that has won them."""
    return [one["card"] for one in view["display"] if view.get("auction", {}).get("leader") in one["fits"]]


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
@pytest.mark.slow
def test_all_that_fit_are_taken_by_one_tap(browser, house, script):
    (piece,) = crowded(RIVALS, ("take",), lambda view: len(fitting(view)))
    fits = fitting(piece.match.view(piece.seat))
    assert len(fits) > 2
    with browsing.visitor(browser, PHONE, script=script) as page:
        browsing.sit(page, house[0] + browsing.begun(house[1], piece.match)[piece.seat])
        page.locator("#dock .all button, #dock .picker:not(:has(~ .all)) button.primary").click()
        page.wait_for_selector(f'#goods [data-card="{fits[-1]}@{piece.seat}"]')
        laid = [
            card
            for one in browsing.view(page)["view"]["players"][piece.seat]["expeditions"].values()
            for card in one["cards"]
        ]
        assert not Counter(fits) - Counter(laid)
        expect(page.locator("#goods .trail > li")).to_have_count(len(laid))


@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
@pytest.mark.slow
def test_the_results_of_four_with_all_their_cards_are_in_sight(browser, house, size):
    match, _ = late(4)
    while not match.over:
        match.play_steps(match.asked[0], choose(match, match.asked[0], "steady", len(match.moves)).actions)
    with browsing.visitor(browser, size, locale="de", reduced_motion="reduce") as page:
        seated(page, house, match, 0)
        stage = page.locator("#stage").bounding_box()
        rows = page.locator(".results tbody > tr").evaluate_all(BOXES)
        cards = page.locator(".results .trip .art").evaluate_all(BOXES)
        assert len(rows) == 4
        assert len(cards) == sum(len(one["cards"]) for p in match.view()["players"] for one in p["expeditions"].values())
        assert all(box["bottom"] <= stage["y"] + stage["height"] and box["right"] <= size[0] for box in rows + cards)


SPILLED = """() => [...document.querySelectorAll(".seat > header, .standing, .piles, .offer > .bidding")].filter((box) => {
  const edge = document.querySelector(".columns").getBoundingClientRect().left;
  return [...box.querySelectorAll("*")].some((part) => !box.closest("#stage > .offer") && part.checkVisibility()
    && part.clientWidth > 1 && part.getBoundingClientRect().right > edge + 1);
}).map((box) => box.textContent.trim())"""


def richest(view: dict[str, Any]) -> int:
    """The most gold that anybody has, where somebody has a hundred points."""
    return max(p["gold"] for p in view["players"]) if max(p["points"] for p in view["players"]) > 99 else 0


@pytest.mark.parametrize("size", [DESK, (1024, 690), (820, 1180), PHONE], ids=str)
@pytest.mark.slow
def test_names_gold_and_points_keep_to_the_place_beside_the_columns(browser, house, size):
    """With the longest name, scores of three digits and the most gold, in German."""
    rich = replace(RIVALS, players=2, options={"coins": 60, "bonus": 30, "bonus_cards": 2})
    (piece,) = crowded(rich, ("turn",), richest)
    seats = [late(4), (piece.match, piece.seat)]
    with browsing.visitor(browser, size, locale="de", reduced_motion="reduce") as page:
        for match, seat in seats:
            seated(page, house, match, seat)
            assert page.evaluate(SPILLED) == []


def test_what_is_taken_slides_into_its_column(browser, house):
    """Pictures of the cards fly to where they then lie."""
    (piece,) = crowded(RIVALS, ("take",), lambda view: len(fitting(view)))
    fits = fitting(piece.match.view(piece.seat))
    with browsing.visitor(browser, DESK) as page:
        page.add_init_script("""
          window.flown = [];
          new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) => {
            if (node instanceof Element && node.matches(".flying")) window.flown.push([node.style.left, node.style.top]);
          }))).observe(document, { subtree: true, childList: true });
        """)
        link = browsing.begun(house[1], piece.match, pace="normal")[piece.seat]
        browsing.sit(page, house[0] + link)
        page.wait_for_selector("[data-connection].on")
        page.locator("#dock .all button, #dock .picker:not(:has(~ .all)) button.primary").click()
        page.wait_for_function("() => window.flown.length > 0")
        places = page.locator("#goods .trail > li .art").evaluate_all(
            "all => all.map((art) => art.getBoundingClientRect().x)"
        )
        flown = [float(left.removesuffix("px")) for left, _ in page.evaluate("window.flown")]
        assert len(flown) >= len(set(fits))
        assert all(min(abs(x - place) for place in places) < 2 for x in flown)
