"""What a stranger reads is whole: on a phone and on a desk, late in a match, before the scripts run and while they count."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from outbid.bots import choose
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from tests.support import browsing
from tests.support.browsing import expect, visitor
from tests.support.gallery import SHOWS, gallery
from tests.support.sight import DESK, PHONE

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAMES = ["Ada", "Benjamin", "Cem"]
# how far each of these parts reaches beyond the edges of what holds it
BEYOND = """([parts, holder]) => [...document.querySelectorAll(parts)].flatMap((part) => {
  if (!part.checkVisibility()) return [];
  const [own, edge] = [part.getBoundingClientRect(), document.querySelector(holder).getBoundingClientRect()];
  const beyond = Math.max(edge.left - own.left, own.right - edge.right, edge.top - own.top, own.bottom - edge.bottom);
  return beyond > 1 ? [`${part.textContent.trim()}: ${beyond}`] : [];
})"""
# buttons whose words touch their borders
TIGHT = """buttons => buttons.filter((button) => button.checkVisibility()).flatMap((button) => {
  const words = document.createRange();
  words.selectNodeContents(button);
  const room = button.clientWidth - words.getBoundingClientRect().width;
  return room < 8 ? [`${button.textContent.trim()}: ${room}`] : [];
})"""


def played(large: int, phase: str, asked: bool) -> Match:
    """A match of Money! in a phase, where the first seat has so many cards of a currency and is asked, or has answered."""
    for seed in range(60):
        match = Match.new(rulebook("money"), {}, 3, seed, NAMES)
        while not match.over:
            hand = match.view(0)["hand"]
            most = max(Counter(card[:3] for card in hand).values(), default=0)
            if match.view(0)["phase"] == phase and (0 in match.asked) == asked and len(hand) > 11 and most >= large:
                return match
            seat = match.asked[0]
            match.play_steps(seat, choose(match, seat, "steady", len(match.moves)).actions)
    pytest.fail("no such hand")


def seated(page: Any, house: tuple[str, Path], match: Match, **more: Any) -> None:
    """The page of the first seat, without first-time cards."""
    page.add_init_script("localStorage.setItem('learned', 'all')")
    browsing.sit(page, house[0] + browsing.begun(house[1], match, **more)[0])
    page.wait_for_selector("[data-connection].on")


@pytest.mark.parametrize(("size", "asked"), [(PHONE, True), (PHONE, False), (DESK, False)], ids=str)
def test_a_large_hand_leaves_the_bids_and_what_is_ordered_in_sight(browser, house, size: tuple[int, int], asked: bool):
    match = played(7, "bid", asked)
    with visitor(browser, size, reduced_motion="reduce") as page:
        seated(page, house, match)
        assert page.evaluate(BEYOND, [".circle > li, .lots > .mine", "#stage"]) == []
        assert page.evaluate(BEYOND, ["#goods .slip", "#goods > .wads"]) == []
        assert page.evaluate(BEYOND, ["#orders .button, #dock .button", ".foot"]) == []
        assert page.evaluate("() => document.querySelector('.table').scrollHeight <= innerHeight")
        if not asked:
            expect(page.locator("#orders .button")).to_be_visible()


def test_the_line_on_top_of_a_phone_is_three_lines_that_can_be_read(browser, house):
    with visitor(browser, PHONE, reduced_motion="reduce", locale="de") as page:
        for phase, asked in (("exchange", True), ("exchange", False), ("bid", False)):
            seated(page, house, played(3, phase, asked))
            line = page.locator("#now > p").evaluate("""line => {
              const { fontSize, lineHeight } = getComputedStyle(line);
              const lines = line.scrollHeight / parseFloat(lineHeight);
              return [parseFloat(fontSize), lines, line.scrollHeight - line.clientHeight];
            }""")
            assert line[0] >= 13, phase
            assert line[1] <= 3.1, phase
            assert line[2] <= 1, phase
        page.locator("#menu > summary").click()
        expect(page.locator("[data-mute]")).to_be_visible()
        expect(page.locator("#menu li > a[href='/']")).to_be_visible()


@pytest.mark.parametrize(("size", "language"), [(PHONE, "en"), (DESK, "de")], ids=str)
def test_the_paces_of_the_menu_stand_in_one_row(browser, house, size: tuple[int, int], language: str):
    match = gallery(next(show for show in SHOWS if show.game == "money"))[0].match
    with visitor(browser, size, locale=language) as page:
        seated(page, house, match, bots={1: "steady", 2: "steady"})
        page.locator("#menu > summary").click()
        tops = page.locator(".pacing [name=pace]").evaluate_all("all => all.map((each) => each.getBoundingClientRect().top)")
        assert len(tops) == 4
        assert len(set(tops)) == 1


@pytest.mark.parametrize("size", [PHONE, DESK], ids=str)
@pytest.mark.parametrize("script", [True, False], ids=["before the script", "no script"])
def test_a_table_is_whole_before_its_script_runs_and_without(browser, house, script: bool, size: tuple[int, int]):
    with visitor(browser, size, script, quiet=False) as page:
        page.route("**/*.js", lambda route: route.abort())
        browsing.sit(page, house[0] + browsing.begun(house[1], Match.new(rulebook("money"), {}, 3, 3, NAMES))[0])
        page.wait_for_load_state()
        expect(page.locator("#bar .dot.off")).to_have_count(0 if script else 1)
        expect(page.locator(".lesson > summary")).to_be_visible(visible=not script)
        assert page.evaluate(BEYOND, ["#now > p", "#now"]) == []
        line = page.locator("#now > p").evaluate("line => [line.clientWidth, line.scrollHeight - line.clientHeight]")
        assert line[0] > 130
        assert line[1] <= 1


FIGURES = """
  window.told = new Set();
  const tell = () => document.querySelectorAll(".bids .figure").forEach((figure) => window.told.add(figure.textContent));
  new MutationObserver(tell).observe(document, { subtree: true, childList: true, characterData: true });
"""


def test_a_bid_that_is_turned_over_never_shows_another_sum(browser, house):
    match = Match.new(rulebook("money"), {}, 3, 3, NAMES)
    for seat in (1, 2):
        match.play(seat, {"do": "bid", "cards": match.view(seat)["hand"][:1], "bluff": False})
    bid = {"do": "bid", "cards": match.view(0)["hand"][:3], "bluff": False}
    with visitor(browser) as page:
        page.add_init_script(FIGURES)
        seated(page, house, match, pace="normal")
        answer = {"decision": browsing.view(page)["decision"], "move": json.dumps(bid)}
        assert page.context.request.post(f"{page.url}/move", form=answer).ok
        page.wait_for_selector("html[data-holding]")
        page.wait_for_selector("html:not([data-holding])")
        sums = {str(player["sum"]) for player in browsing.view(page)["view"]["players"]}
        assert set(page.evaluate("() => [...window.told]")) == sums


def test_words_keep_their_distance_from_the_borders_of_buttons(browser, house):
    show = next(show for show in SHOWS if show.game == "money")
    over = next(piece.match for piece in gallery(show) if piece.phase == "over")
    with visitor(browser, PHONE, locale="de", reduced_motion="reduce") as page:
        page.goto(house[0])
        assert page.locator(".acts > .button").evaluate_all(TIGHT) == []
        seated(page, house, over)
        assert page.locator(".ends .button").evaluate_all(TIGHT) == []


@pytest.mark.parametrize("size", [PHONE, DESK], ids=str)
def test_at_the_end_the_number_of_each_card_is_read_and_no_list_leaves_its_plate(browser, house, size: tuple[int, int]):
    show = next(show for show in SHOWS if show.game == "money")
    over = next(piece.match for piece in gallery(show) if piece.phase == "over")
    with visitor(browser, size, reduced_motion="reduce") as page:
        seated(page, house, over, bots={1: "steady", 2: "steady"})
        expect(page.locator("#over button.primary")).to_have_text("Play again", use_inner_text=True)
        cards = page.locator(".results .fan:visible > .art:not(:last-child)")
        shown = cards.evaluate_all("""cards => cards.map((card) => {
          const [own, next] = [card, card.nextElementSibling].map((each) => each.getBoundingClientRect());
          return (next.left - own.left) / own.width;
        })""")
        assert min(shown) >= 0.45
        assert page.evaluate(BEYOND, [".results .part", "#stage .results"]) == []
        if size == DESK:
            lists = page.locator(".seat .kind").evaluate_all("""lists => lists.map((list) =>
              list.closest(".seat").getBoundingClientRect().right - list.getBoundingClientRect().right)""")
            assert min(lists) > 0


def test_a_bid_that_is_tapped_shows_that_it_is_on_its_way(browser, house):
    with visitor(browser, PHONE) as page:
        seated(page, house, Match.new(rulebook("money"), {}, 3, 3, NAMES))
        page.evaluate("() => (WebSocket.prototype.send = () => {})")  # a line that is slow for good
        page.locator("#dock .chips .button").first.click()
        expect(page.locator("#dock .chips .button[aria-busy=true]")).to_have_count(1)


def test_the_last_exchange_of_a_round_and_then_what_is_new_are_seen_by_all(browser, house):
    last = {"do": "take", "display": "left"}
    match = Match.new(rulebook("money"), {}, 3, 3, NAMES)
    while match.view(0)["phase"] == "bid" or match.asked == (0,) or len(match.view(0)["order"]) > 1:
        match.play_steps(match.asked[0], choose(match, match.asked[0], "steady", len(match.moves)).actions)
    (seat,) = match.asked
    with visitor(browser) as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        links = browsing.begun(house[1], match, pace="normal")
        browsing.sit(page, house[0] + links[0])
        page.wait_for_selector("[data-connection].on")
        other = browsing.another(browser)
        other.request.post(house[0] + links[seat], max_redirects=0)
        answer = {"decision": str(len(match.moves)), "move": json.dumps(last)}
        assert other.request.post(f"{page.url}/move", form=answer).ok
        page.wait_for_function("""() => {
          const dealt = [...document.querySelectorAll("#stage .displays .dealt")];
          return document.querySelector("html[data-holding] #result .outcome.shown") && dealt.length
            && dealt.every((card) => getComputedStyle(card).visibility === "hidden")
            && !document.querySelector("#dock").checkVisibility({ visibilityProperty: true });
        }""")
        page.wait_for_selector("html:not([data-holding])")
        expect(page.locator("#dock .picker")).to_be_visible()
        expect(page.locator("#stage .displays .dealt").first).to_be_visible()
        other.close()
