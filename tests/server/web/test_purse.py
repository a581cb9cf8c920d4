"""Kuhhandel's table: an offer that is put together lies in its place on the stage, with its sum; all notes of the hand are
in one row and stay where they are; a tap on an animal at its owner proposes a trade where a finger finds it."""

from __future__ import annotations

from typing import Any

import pytest

from outbid.bots import choose
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from tests.support import browsing
from tests.support.browsing import expect
from tests.support.gallery import SHOWS, Piece, crowded, gallery
from tests.support.sight import DESK, PHONE

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAMES = ["Bruno", "Clara", "Doris"]
ROWS = "all => new Set(all.map((one) => Math.round(one.getBoundingClientRect().top))).size"
TRAYS = "#stage .slot > [data-tray]:not([hidden])"


def seated(page: Any, house: Any, match: Match, seat: int) -> None:
    browsing.sit(page, house[0] + browsing.begun(house[1], match)[seat])
    page.wait_for_selector("[data-connection].on")
    browsing.fits(page)


def richest(phase: str) -> Piece:
    """Of some matches of bots, the question of a phase to whoever holds most denominations."""
    found: list[tuple[int, Piece]] = []
    for seed in range(3):
        match = Match.new(rulebook("kuhhandel"), {}, 3, seed, NAMES)
        while not match.over:
            seat = match.asked[0]
            if match.view(seat)["phase"] == phase:
                found.append((purse(match, seat), Piece(phase, match.copy(), seat)))
            match.play_steps(seat, choose(match, seat, "steady", len(match.moves)).actions)
    return max(found, key=lambda each: each[0])[1]


def purse(match: Match, seat: int) -> int:
    """How many denominations a seat holds."""
    return sum(n > 0 for n in match.state.money[seat])


@pytest.mark.parametrize("size", [pytest.param(DESK, marks=pytest.mark.deep), PHONE], ids=str)
@pytest.mark.parametrize("phase", ["offer", "reply"])
def test_an_offer_lies_on_the_stage_while_it_is_put_together(browser, house, size, phase):
    piece = richest(phase)
    with browsing.visitor(browser, size, reduced_motion="reduce") as page:
        seated(page, house, piece.match, piece.seat)
        notes = page.locator("#goods .denomination")
        assert notes.count() == purse(piece.match, piece.seat) > 4
        assert notes.evaluate_all(ROWS) == 1
        expect(page.locator(TRAYS)).to_have_count(0)
        words = page.locator("#stage [data-tray-sum]").inner_text()
        values = [int(note.get_attribute("data-value")) for note in notes.all()]
        for note in notes.all():
            note.locator("[data-choice]").click()
        trays = page.locator(TRAYS)
        assert [int(tray.get_attribute("data-tray")) for tray in trays.all()] == values
        expect(page.locator("#stage [data-tray-sum]")).to_have_text(str(sum(values)), use_inner_text=True)
        slot = page.locator("#stage .slot:has([data-tray])").bounding_box()
        for tray in trays.all():
            box = tray.bounding_box()
            assert slot["x"] <= box["x"]
            assert box["x"] + box["width"] <= slot["x"] + slot["width"]
            assert slot["y"] <= box["y"]
            assert box["y"] + box["height"] <= slot["y"] + slot["height"]
        for note in notes.all():
            note.locator("[data-step='-1']").click()
        expect(page.locator(TRAYS)).to_have_count(0)
        expect(page.locator("#stage [data-tray-sum]")).to_have_text(words, use_inner_text=True)
        for rival in range(3):
            if rival != piece.seat:
                seated(page, house, piece.match, rival)
                expect(page.locator("#stage [data-tray]")).to_have_count(0)


def widths(page: Any, beasts: str) -> list[int]:
    boxes = page.locator(beasts).evaluate_all("all => all.map((beast) => beast.getBoundingClientRect().width)")
    return [int(width) for width in boxes]


def test_a_tap_on_an_animal_proposes_the_trade_with_its_owner(browser, house):
    """Also where the trades are listed in what opens, and with five at the table."""
    first = next(piece for piece in gallery(SHOWS[0]) if piece.phase == "turn")
    proposing = [first, *crowded(SHOWS[1], ("turn",))]
    with browsing.visitor(browser, DESK, reduced_motion="reduce") as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        for piece in proposing:
            trades = [c.move for c in piece.match.legal(piece.seat).choices if c.move["do"] == "trade"]
            seated(page, house, piece.match, piece.seat)
            beasts = page.locator("#opponents .beast[data-opens]")
            shown = [beast.get_attribute("data-card") for beast in beasts.all()]
            assert sorted(shown) == sorted(f"{trade['animal']}@{trade['with']}" for trade in trades)
            assert trades
            assert min(widths(page, "#opponents .beast[data-opens]")) >= 36
            beasts.first.click()
            page.wait_for_selector("#stage[data-phase='offer'] .duel")
            trade = browsing.view(page)["view"]["trade"]
            assert f"{trade['animal']}@{trade['with']}" == shown[0]


def test_an_animal_that_is_smaller_than_a_finger_is_no_button(browser, house):
    piece = next(piece for piece in gallery(SHOWS[0]) if piece.phase == "turn")
    with browsing.visitor(browser, PHONE, reduced_motion="reduce") as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        seated(page, house, piece.match, piece.seat)
        decision = browsing.view(page)["decision"]
        for beast in page.locator("#opponents .beast[data-opens]").all():
            box = beast.bounding_box()
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert browsing.view(page)["decision"] == decision
        expect(page.locator("#stage[data-phase='turn']")).not_to_have_count(0)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
def test_the_notes_of_the_hand_lie_where_they_are_laid_from(browser, house, size):
    """Each kind has a place of its own, whether it is chosen from or only looked at."""
    piece = richest("offer")
    places: list[list[int]] = []
    with browsing.visitor(browser, size, reduced_motion="reduce") as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        for phase, notes in (("offer", "#goods .denomination .note"), ("reply", "#goods .hand .notes")):
            match = piece.match.copy()
            if phase == "reply":
                match.play(piece.seat, {"do": "offer", "cards": []})
            seated(page, house, match, piece.seat)
            tops = page.locator(notes).evaluate_all("all => all.map((note) => Math.round(note.getBoundingClientRect().top))")
            assert len(tops) == purse(match, piece.seat)
            places.append(tops)
    assert all(abs(before - after) <= 12 for before, after in zip(*places, strict=True)), places


def test_on_a_phone_the_others_stay_in_sight_while_one_chooses_whom_to_trade_with(browser, house):
    match = Match.new(rulebook("kuhhandel"), {}, 4, 3, [*NAMES, "Emil"])
    while not (match.view(-1)["phase"] == "turn" and match.state.drawn > 6 and "trade" in str(match.legal(match.asked[0]))):
        match.play_steps(match.asked[0], choose(match, match.asked[0], "steady", len(match.moves)).actions)
    with browsing.visitor(browser, PHONE, reduced_motion="reduce") as page:
        seated(page, house, match, match.asked[0])
        page.locator("#act-trade > summary").click()
        expect(page.locator("#act-trade[open]")).to_be_visible()
        for seat in page.locator(".opponents > .seat").all():
            expect(seat).to_be_in_viewport(ratio=1)
        expect(page.locator("#stage .farm")).to_be_in_viewport(ratio=1)
