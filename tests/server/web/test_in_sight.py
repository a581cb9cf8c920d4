"""What a decision is about is never covered: in every phase of every game, on a desk and on a phone, in both languages, also
with the choices open; no word of a button is cut off, nothing of one's own lies below an edge, nothing must be scrolled to
downwards, and no text on a phone has less than 12 px."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from outbid.bots import choose
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.review.puzzles import shipped
from tests.support import browsing
from tests.support.browsing import expect
from tests.support.gallery import SHOWS, Piece, Show, crowded, gallery
from tests.support.sight import (
    CLAIM,
    CLIPPED,
    DESK,
    HALF,
    MATTERS,
    PHONE,
    SIGHT,
    TABLET,
    UPRIGHT,
    VIEWS,
    WHOLE,
    seen_at,
)

pytestmark = pytest.mark.browser

LATE = {
    "kuhhandel with final passes": ("turn", "bid", "hammer", "pay"),
    "rivals": ("bid", "take"), "claim": ("play", "window"), "claim with all expansions": ("play", "window"),
}
CROWDED = [(show, LATE[str(show)]) for show in SHOWS if str(show) in LATE]


def looked_at(browser: Any, house: tuple[str, Path], show: Show, views: Any, pieces: list[Piece] | None = None) -> list[str]:
    """What cannot be seen in positions of a show (those of its gallery), in the views that are given for the number of a
    position."""
    address, database = house
    found: list[str] = []
    with ExitStack() as visit:
        visitors: dict[Any, Any] = {}  # one of each view: a page comes with a third less work where its files are there
        for n, piece in enumerate(pieces or [p for p in gallery(show) if p.phase != "over"]):
            link = browsing.begun(database, piece.match)[piece.seat]
            for size, language in views(n):
                if (size, language) not in visitors:
                    made = browsing.visitor(browser, size, locale=language, reduced_motion="reduce")
                    visitors[size, language] = page = visit.enter_context(made)
                    page.add_init_script("localStorage.setItem('learned', 'all')")
                page = visitors[size, language]
                browsing.sit(page, address + link)
                page.wait_for_selector("[data-connection].on")
                found += seen_at(page, show, piece, size, language)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("show", SHOWS, ids=str)
def test_what_a_decision_is_about_is_in_sight(toured, show):
    found = toured(show)["hidden"]
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize(("show", "phases"), CROWDED, ids=str)
def test_late_in_a_match_there_is_room_for_all_that_has_come(browser, house, show, phases):
    found = looked_at(browser, house, show, lambda n: (VIEWS[n], VIEWS[3 - n]), crowded(show, phases))
    assert not found, "\n".join(found)


def trades(view: dict[str, Any]) -> int:
    """In how many ways one may begin a trade of Kuhhandel when nothing else is left."""
    if view["phase"] != "turn" or view["deck"]:
        return 0
    herds = [player["animals"].keys() for player in view["players"]]
    return sum(len(herd & herds[view["turn"]]) for herd in herds) - len(herds[view["turn"]])


@pytest.mark.slow
def test_when_the_deck_of_kuhhandel_is_empty_all_trades_are_in_sight(browser, house):
    pieces = [piece for show in SHOWS if show.game == "kuhhandel" for piece in crowded(show, ("turn",), trades)]
    assert [trades(piece.match.view(piece.seat)) for piece in pieces] == [10, 16]
    found = looked_at(browser, house, SHOWS[0], lambda n: (VIEWS[n], VIEWS[3 - n]), pieces)
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 5])
def test_four_trades_of_kuhhandel_need_no_scrolling_in_the_bar_of_a_small_phone(browser, house, players):
    """Whoever has the longest names; what is more than the page is reached by scrolling the page."""
    show = replace(SHOWS[0], players=players)
    (piece,) = crowded(show, ("turn",), lambda view: trades(view) if trades(view) <= 4 else 0, names=LONG)
    assert trades(piece.match.view(piece.seat)) == 4
    with browsing.visitor(browser, (375, 667), locale="de", reduced_motion="reduce") as page:
        browsing.sit(page, house[0] + browsing.begun(house[1], piece.match)[piece.seat])
        page.wait_for_selector("[data-connection].on")
        expect(page.locator("#dock .offer")).to_have_count(4)
        assert page.evaluate(CLIPPED, ["#goods", "#dock", "#dock *"]) == []


def highest(view: dict[str, Any]) -> int:
    """The most cards of one colour that lie in a display of Rivals and fit somebody."""
    return max(Counter(one["card"][0] for one in view["display"] if one["fits"]).values(), default=0)


@pytest.mark.slow
def test_a_high_display_of_rivals_is_in_sight(browser, house):
    show = next(show for show in SHOWS if show.game == "rivals")
    pieces = crowded(show, ("turn", "take"), highest, "easy", 28) + crowded(show, ("turn",), highest, "random")
    assert [highest(piece.match.view(piece.seat)) for piece in pieces] == [12, 11, 16]
    found = looked_at(browser, house, show, lambda n: (VIEWS[n], VIEWS[3 - n]), pieces)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
def test_ones_own_sealed_bid_is_in_sight_while_the_others_choose(browser, house, size):
    match = Match.new(rulebook("money"), {}, 4, 3, ["Bruno", "Clara", "Doris", "Moritz"])
    match.play(0, {"do": "bid", "cards": match.view(0)["hand"][:3], "bluff": False})
    viewport = dict(zip(("width", "height"), size, strict=True))
    context = browser.new_context(viewport=viewport, locale="de", reduced_motion="reduce")
    page = context.new_page()
    browsing.sit(page, house[0] + browsing.begun(house[1], match)[0])
    page.wait_for_selector("[data-connection].on")
    expect(page.locator(".stage .mine .slip")).to_have_count(3)
    assert page.evaluate(SIGHT, [".stage .mine .slip", ".stage .mine .figure"]) + page.evaluate(CLIPPED, WHOLE) == []
    context.close()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
@pytest.mark.slow
def test_the_display_of_rivals_keeps_its_place_when_an_auction_begins(browser, house, size):
    places = set()
    with browsing.visitor(browser, size, reduced_motion="reduce") as page:
        for piece in gallery(next(show for show in SHOWS if show.game == "rivals")):
            if piece.phase != "over":
                browsing.sit(page, house[0] + browsing.begun(house[1], piece.match)[piece.seat])
                page.wait_for_selector("[data-connection].on")
                places.add(page.locator(".stage .columns").bounding_box()["y"])
    assert len(places) == 1, places


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
def test_the_lot_and_the_seats_of_kuhhandel_keep_their_places_when_a_donkey_comes_and_animals_gather(browser, house, size):
    match, found = Match.new(rulebook("kuhhandel"), {}, 4, 3, ["Bruno", "Clara", "Doris", "Moritz"]), {}
    while not match.over:
        seat = match.asked[0]
        if match.view(seat)["phase"] == "bid":
            animal = match.view(seat)["auction"]["animal"]
            found[animal] = match.copy()  # the last time that it comes
        match.play_steps(seat, choose(match, seat, "steady", len(match.moves)).actions)
    assert found["donkey"].view(0)["donkeys"] > 1
    places, seats = set(), set()
    with browsing.visitor(browser, size, locale="de", reduced_motion="reduce") as page:
        for at in found.values():
            browsing.sit(page, house[0] + browsing.begun(house[1], at)[at.asked[0]])
            page.wait_for_selector("[data-connection].on")
            places.add(page.locator(".lot.large .art").bounding_box()["y"])
            seats.add(tuple(round(seat.bounding_box()["x"]) for seat in page.locator(".opponents > .seat").all()))
    assert len(places) == 1, places
    assert len(seats) == 1, seats


STICKS = """() => [...document.querySelectorAll(".tile > .for > *")].filter((one) => {
  const [own, card] = [one, one.closest(".tile")].map((each) => each.getBoundingClientRect());
  return own.width && (own.left < card.left - 1 || own.right > card.right + 1);
}).map((one) => one.parentElement.textContent)"""
WADS = """() => [...document.querySelectorAll("#goods > .wads")].filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => one.scrollWidth - one.clientWidth)"""
# on a phone the hand lies in rows: a thumb's width of each card that can be chosen is free, of fourteen a fingertip's
HAND = """() => [...document.querySelectorAll("#goods .bills > *")].flatMap((one) => {
  const [box, goods] = [one, document.querySelector("#goods")].map((each) => each.getBoundingClientRect());
  const next = one.nextElementSibling?.getBoundingClientRect();
  const free = next ? Math.min(box.width, next.left - box.left) : box.width;
  const out = box.left < 0 || box.right > innerWidth || box.top < goods.top || box.bottom > goods.bottom;
  const least = one.closest(".most") ? 33 : one.matches(":nth-child(n + 8), :has(~ :nth-child(8))") ? 37 : 43.5;
  const narrow = one.matches(".pick") && Math.min(free, box.height) < least;
  return out || narrow ? [`${one.innerHTML.slice(0, 60)} ${free}`] : [];
})"""


def looked_along(browser: Any, house: tuple[str, Path], game: str, size: tuple[int, int], look: str) -> None:
    """Along a match a page shows nothing of what `look` finds."""
    match, found = Match.new(rulebook(game), {}, 4, 3, ["Bruno", "Clara", "Doris", "Moritz"]), []
    while not match.over:
        seat = match.asked[0]
        if len(match.moves) % 7 == 0 and not match.legal(seat).forced:
            found.append((match.copy(), seat))
        match.play_steps(seat, choose(match, seat, "steady", len(match.moves)).actions)
    with browsing.visitor(browser, size, locale="de", reduced_motion="reduce") as page:
        for at, seat in found:
            browsing.sit(page, house[0] + browsing.begun(house[1], at)[seat])
            page.wait_for_selector("[data-connection].on")
            assert page.evaluate(look) == [], (game, len(at.moves))


@pytest.mark.slow
def test_marks_of_rivals_lie_on_their_cards_and_a_hand_of_money_is_whole_on_a_desk(browser, house):
    looked_along(browser, house, "rivals", PHONE, STICKS)
    looked_along(browser, house, "money", DESK, WADS)


@pytest.mark.slow
def test_a_hand_of_money_is_whole_on_a_phone_and_each_card_free_for_a_thumb(browser, house):
    looked_along(browser, house, "money", PHONE, HAND)


@pytest.mark.slow
@pytest.mark.parametrize("show", [show for show in SHOWS if show.game == "claim"], ids=str)
@pytest.mark.parametrize("language", ["en", "de"])
def test_all_kinds_of_bills_in_a_hand_of_claim_are_in_sight_on_a_phone(browser, house, show, language):
    """Without scrolling, and large enough to be read: one plays them, and what one holds decides what one takes."""
    with browsing.visitor(browser, PHONE, locale=language, reduced_motion="reduce") as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        for piece in gallery(show):
            if piece.phase != "over":
                browsing.sit(page, house[0] + browsing.begun(house[1], piece.match)[piece.seat])
                page.wait_for_selector("[data-connection].on")
                expect(page.locator(".goods > .hand .slip")).to_have_count(len(set(piece.match.view(piece.seat)["hand"])))
                faults = page.evaluate(SIGHT, [".goods > .hand .slip"])
                faults += page.evaluate(CLIPPED, ["#goods", "#goods > .hand"])
                assert faults == [], piece.phase
                bills = page.locator(".goods > .hand svg.bill")
                assert min(bills.evaluate_all("bills => bills.map((bill) => bill.clientWidth)")) >= 44, piece.phase
                assert page.evaluate(CLIPPED, ["#dock", "#dock > *"]) == [], piece.phase


LARGE = {"money": ".displays .art", "claim": ".few > .column .bundle > :last-child > .art:first-child"}


@pytest.mark.slow(but=("money",))
@pytest.mark.parametrize("show", [show for show in SHOWS if show.game in LARGE and not show.more], ids=str)
def test_what_is_taken_is_110_px_high_on_a_desk_and_64_on_a_phone(browser, house, show):
    piece = next(piece for piece in gallery(show) if piece.phase in ("exchange", "window"))
    for size, least in ((DESK, 110), (PHONE, 64)):
        with browsing.visitor(browser, size, reduced_motion="reduce") as page:
            browsing.sit(page, house[0] + browsing.begun(house[1], piece.match)[piece.seat])
            page.wait_for_selector("[data-connection].on")
            boxes = [art.bounding_box() for art in page.locator(LARGE[show.game]).all()]
            assert boxes
            assert min(box["height"] for box in boxes) >= least, (size, boxes)


UNREADABLE = """all => all.map((row) => {
  const [name, place] = [row.querySelector("bdi") ?? row, row].map((one) => one.getBoundingClientRect());
  const cut = row.scrollWidth > row.clientWidth || name.right > place.right + 1 || name.bottom > place.bottom + 1;
  return [row.querySelector("bdi")?.textContent ?? "", cut];
})"""


@pytest.mark.slow(but=("rivals",))
@pytest.mark.parametrize("game", ["claim", "forex", "kuhhandel", "money", "rivals"])
def test_on_a_phone_the_results_of_four_are_as_wide_as_the_page(browser, house, game):
    match = Match.new(rulebook(game), {}, 4, 3, ["Bruno", "Clara", "Doris", "Moritz"])
    while not match.over:
        match.play_steps(match.asked[0], choose(match, match.asked[0], "steady", len(match.moves)).actions)
    with browsing.visitor(browser, PHONE, locale="de", reduced_motion="reduce") as page:
        browsing.sit(page, house[0] + browsing.begun(house[1], match)[0])
        page.wait_for_selector(browsing.OVER)  # the page is told that the match is over
        page.wait_for_selector(".results")
        box = page.evaluate("document.querySelector('.results').getBoundingClientRect().toJSON()")
        assert box["left"] >= 0
        assert box["right"] <= PHONE[0]
        rows = page.locator(".results tbody th").evaluate_all(UNREADABLE)
        assert {"Clara", "Doris", "Moritz"} < {name for name, _ in rows}
        assert [name for name, cut in rows if cut] == []


CENTRED = """() => {
  const [words, dock] = [document.createRange(), document.querySelector("#dock")];
  words.selectNodeContents(dock.querySelector(".idle"));
  const [box, edge] = [words, dock].map((one) => one.getBoundingClientRect());
  return Math.abs(box.left + box.right - edge.left - edge.right) < 4;
}"""


@pytest.mark.slow
def test_what_six_get_of_a_dividend_of_forex_is_said_whole_and_that_nothing_is_to_do_stands_in_the_middle(browser, house):
    six = replace(next(show for show in SHOWS if show.game == "forex"), players=6)
    (piece,) = crowded(six, ("turn",), names=LONG)
    links = browsing.begun(house[1], piece.match)
    for size in (DESK, (1024, 690)):
        with browsing.visitor(browser, size, locale="de", reduced_motion="reduce") as page:
            browsing.sit(page, house[0] + links[piece.seat])
            page.wait_for_selector("[data-connection].on")
            page.locator("#act-resolve > summary").click()
            page.wait_for_selector("#act-resolve[open]")
            assert page.evaluate(CLIPPED, ["#goods", "#dock", "#dock *"]) == [], size
            browsing.sit(page, house[0] + links[piece.seat - 1])
            page.wait_for_selector("#dock .idle")
            assert page.evaluate(CENTRED), size


OVERLAPS = """all => all.flatMap((row) => {
  const [name, purse] = [row.querySelector("h2"), row.querySelector(".purse")].map((part) => part.getBoundingClientRect());
  return name.right > purse.left + 1 && name.bottom > purse.top + 2 ? [row.textContent] : [];
})"""


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONE, DESK, (768, 1024)], ids=str)
def test_six_with_the_longest_names_see_their_results_of_forex_whole(browser, house, size):
    match = Match.new(rulebook("forex"), {}, 6, 3, LONG)
    while not match.over:
        match.play_steps(match.asked[0], choose(match, match.asked[0], "steady", len(match.moves)).actions)
    last = min(range(6), key=match.scores.__getitem__)
    with browsing.visitor(browser, size, locale="de", reduced_motion="reduce") as page:
        browsing.sit(page, house[0] + browsing.begun(house[1], match)[last])
        page.wait_for_selector(browsing.OVER)
        page.wait_for_selector(".results tr.you")
        expect(page.locator(".results tbody > tr")).to_have_count(6)
        assert page.evaluate("document.querySelector('.stage').scrollWidth") <= size[0]
        assert page.evaluate(SIGHT, [".results .you b", ".results tr:nth-child(-n+5) td:last-child b"]) == []


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 6])
def test_the_longest_names_lie_beside_the_purses_of_forex_on_a_phone(browser, house, players):
    show = replace(next(show for show in SHOWS if show.game == "forex"), players=players)
    (piece,) = crowded(show, ("turn",), names=LONG)
    with browsing.visitor(browser, PHONE, locale="de", reduced_motion="reduce") as page:
        browsing.sit(page, house[0] + browsing.begun(house[1], piece.match)[piece.seat])
        page.wait_for_selector("[data-connection].on")
        assert page.locator(".opponents .seat").evaluate_all(OVERLAPS) == []
        assert page.locator(".line > h2").bounding_box()["height"] >= 12  # what lies there is called the queue


@pytest.mark.slow
@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "finger"])
def test_a_name_that_is_cut_off_is_whole_under_the_pointer(browser, house, touch):
    show = replace(next(show for show in SHOWS if show.game == "rivals"), players=4)
    (piece,) = crowded(show, ("turn",), names=LONG)
    with browsing.visitor(browser, UPRIGHT, has_touch=touch) as page:
        browsing.sit(page, house[0] + browsing.begun(house[1], piece.match)[piece.seat])
        page.wait_for_selector("[data-connection].on")
        names = page.locator(".opponents .seat h2")
        for n, name in enumerate(name for seat, name in enumerate(piece.match.names) if seat != piece.seat):
            if touch:
                names.nth(n).tap()
                page.locator("#toast:not([hidden])", has_text=name).wait_for()
            else:
                names.nth(n).hover()
                assert names.nth(n).get_attribute("title") == name


@pytest.mark.slow
@pytest.mark.parametrize("size", [(768, 1024), (800, 700)], ids=str)
@pytest.mark.parametrize(("game", "phases"), [("rivals", ("turn", "bid", "take")), ("forex", ("turn", "divest"))])
def test_on_a_tablet_all_others_and_what_is_decided_are_in_sight(browser, house, game, phases, size):
    show = replace(next(show for show in SHOWS if show.game == game), players=4)
    with browsing.visitor(browser, size, locale="de", reduced_motion="reduce") as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        for piece in crowded(show, phases):
            browsing.sit(page, house[0] + browsing.begun(house[1], piece.match)[piece.seat])
            page.wait_for_selector("[data-connection].on")
            assert page.evaluate(CLIPPED, ["html", "#opponents", "#stage", "#goods", "#dock"]) == [], piece.phase
            seats = page.locator(".opponents > .seat").all()
            assert all(box["x"] + box["width"] <= size[0] for seat in seats if (box := seat.bounding_box()))


OVER_EACH_OTHER = """() => {
  const places = [".stage", ".display .tile", ".piles", ".offer"];
  const [frame, ...parts] = places.map((place) => [...document.querySelectorAll(place)]);
  const edge = frame[0].getBoundingClientRect();
  const boxes = parts.map((part) => part.map((box) => box.getBoundingClientRect()));
  const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
  const cut = boxes[0].filter((box) => box.left < edge.left || box.right > edge.right + 1);
  const covered = boxes[0].filter((card) => ![...boxes[1], ...boxes[2]].every((box) => apart(card, box)));
  return [boxes[0].length, cut.length, covered.length];
}"""


@pytest.mark.parametrize("size", [PHONE, (768, 1024), DESK], ids=str)
@pytest.mark.slow
def test_in_the_picture_of_a_puzzle_of_rivals_the_display_lies_beside_pile_and_auction(browser, house, size):
    puzzle = next(puzzle for puzzle in shipped(rulebook("rivals")) if puzzle.moves[0][0]["do"] == "bid")
    with browsing.visitor(browser, size, locale="de") as page:
        page.goto(f"{house[0]}/puzzles/rivals/{puzzle.id}")
        page.wait_for_load_state()
        cards, cut, covered = page.evaluate(OVER_EACH_OTHER)
        assert cards
        assert (cut, covered) == (0, 0)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
@pytest.mark.slow
def test_what_a_puzzle_is_about_is_in_sight_and_on_a_desk_also_with_its_answer(browser, house, size):
    """In each phase, of the puzzles with most on the table: the last ones of a match."""
    found = []
    with browsing.visitor(browser, size, reduced_motion="reduce") as page:
        for game, phases in MATTERS.items():
            by_length = sorted(shipped(rulebook(game)), key=lambda puzzle: len(puzzle.match.moves))
            for phase, puzzle in {puzzle.match.view(puzzle.seat)["phase"]: puzzle for puzzle in by_length}.items():
                what = [*phases.get(phase, CLAIM)]
                page.goto(f"{house[0]}/puzzles/{game}/{puzzle.id}")
                page.wait_for_function(browsing.ROOM)
                found += [f"{game} {puzzle.id}: {line}" for line in page.evaluate(SIGHT, what)]
                if size == DESK:
                    page.locator("#coach > details > summary").click()
                    page.locator("#coach button[name=choice][value='1']").click()
                    page.wait_for_function(f"() => document.getElementById('answer') && ({browsing.ROOM})()")
                    found += [f"{game} {puzzle.id}, answered: {line}" for line in page.evaluate(SIGHT, what)]
    assert not found, "\n".join(found)


@pytest.mark.slow
def test_a_question_with_two_of_the_longest_names_stands_whole_on_a_phone(browser, house):
    show = replace(next(show for show in SHOWS if show.game == "rivals"), players=4)
    (piece,) = crowded(show, ("bid",), names=LONG)
    many = 0
    with browsing.visitor(browser, PHONE, locale="de", reduced_motion="reduce") as page:
        for link in browsing.begun(house[1], piece.match):
            browsing.sit(page, house[0] + link)
            page.wait_for_selector("[data-connection].on")
            question = page.locator(".now > p")
            assert question.evaluate("line => line.scrollHeight - line.clientHeight") <= 1
            many = max(many, sum(name in question.inner_text() for name in LONG))
    assert many == 2


@pytest.mark.slow
def test_on_a_desk_a_large_hand_of_claim_with_all_expansions_is_whole(browser, house):
    show = next(show for show in SHOWS if show.more == "with all expansions")
    pieces = [piece for piece in gallery(show) if piece.phase in ("play", "give", "window")]
    found = looked_at(browser, house, show, lambda n: [(DESK, "en"), (DESK, "de")], pieces)
    assert not found, "\n".join(found)
    with browsing.visitor(browser, DESK, reduced_motion="reduce") as page:
        piece = next(piece for piece in pieces if piece.phase == "play")
        browsing.sit(page, house[0] + browsing.begun(house[1], piece.match)[piece.seat])
        page.wait_for_selector("[data-connection].on")
        assert page.locator("#goods .hand .slip").count() > 12
        assert page.evaluate(SIGHT, [".goods .hand > :not(h2)", ".goods .standing > *"]) == []


LONG = [
    "Bartholomäus Oberhuberle", "Wilhelmina-Charlotte von", "Friedrich-Christian Müll", "Maximilian Ferdinand Gra",
    "Anneliese-Margarethe Wie", "Konstantinopel Hadschi H",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("show", [show for show in SHOWS if show.game == "claim"], ids=str)
def test_six_with_the_longest_names_see_all_of_claim(browser, house, show):
    six = replace(show, players=6, more=f"for six {show.more}")
    pieces = [
        piece for much in (lambda view: len(json.dumps(view)), lambda view: len(view["stacks"]))
        for piece in crowded(six, ("play", "window"), much, names=LONG)
    ]  # fmt: skip
    found = looked_at(browser, house, six, lambda n: (VIEWS[n], VIEWS[3 - n]), pieces)
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players", "phases", "choices"), [
    ("money", 5, ("bid", "exchange"), "#dock > .single > .button"),
    ("rivals", 4, ("bid",), "#dock > .single > .button"),
    ("kuhhandel", 5, ("bid", "pay"), "#dock > .big > :is(.button, summary)"),
    ("forex", 6, ("divest",), "#dock > .single > .button"),
])
def test_as_many_as_can_play_see_all_bidders_and_all_choices_whatever_their_names(
    browser, house, game, players, phases, choices
):
    show = replace(next(show for show in SHOWS if show.game == game), players=players)
    for piece in crowded(show, phases, names=LONG):
        link = browsing.begun(house[1], piece.match)[piece.seat]
        for size, language in ((DESK, "de"), (PHONE, "en")):
            with browsing.visitor(browser, size, locale=language, reduced_motion="reduce") as page:
                page.add_init_script("localStorage.setItem('learned', 'all')")
                browsing.sit(page, house[0] + link)
                page.wait_for_selector("[data-connection].on")
                if piece.phase in ("bid", "exchange"):
                    expect(page.locator("#stage :is(.circle, .bids) > li")).to_have_count(players)
                found = page.evaluate(SIGHT, ["#stage :is(.circle, .bids) > li", choices])
                assert found + page.evaluate(CLIPPED, ["html", "#stage", "#dock"]) == [], (piece.phase, size)


BETWEEN = [show for show in SHOWS if show.game in ("kuhhandel", "money", "claim")]


@pytest.mark.slow
@pytest.mark.parametrize("show", BETWEEN, ids=str)
def test_a_decision_is_in_sight_in_half_a_window(browser, house, show):
    pieces = [piece for piece in gallery(show) if piece.phase in ("bid", "offer", "exchange", "play", "window", "forecast")]
    found = looked_at(browser, house, show, lambda n: [(HALF, ("de", "en")[n % 2])], pieces)
    assert not found, "\n".join(found)


@pytest.mark.deep
@pytest.mark.parametrize("show", BETWEEN, ids=str)
def test_what_a_decision_is_about_is_in_sight_on_a_tablet_and_in_half_a_window(browser, house, show):
    found = looked_at(browser, house, show, lambda n: [(size, word) for size in (UPRIGHT, HALF) for word in ("en", "de")])
    assert not found, "\n".join(found)


@pytest.mark.deep
@pytest.mark.parametrize("show", SHOWS, ids=str)
def test_what_a_decision_is_about_is_in_sight_in_every_view(browser, house, show):
    found = looked_at(browser, house, show, lambda n: [*VIEWS, (TABLET, "de")])
    assert not found, "\n".join(found)
