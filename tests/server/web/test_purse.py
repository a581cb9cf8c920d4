"""Kuhhandel's table: an offer that is put together lies in its place on the stage, with its sum, and
all notes of the hand are in one row."""

from __future__ import annotations

from typing import Any

import pytest

from outbid.bots import choose
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from tests.support import browsing
from tests.support.gallery import Piece
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


@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
@pytest.mark.parametrize("phase", ["offer", "reply"])
def test_an_offer_lies_on_the_stage_while_it_is_put_together(browser, house, size, phase):
    piece = richest(phase)
    with browsing.visitor(browser, size, reduced_motion="reduce") as page:
        seated(page, house, piece.match, piece.seat)
        notes = page.locator("#goods .denomination")
        assert notes.count() == purse(piece.match, piece.seat) > 4
        assert notes.evaluate_all(ROWS) == 1
        assert page.locator(TRAYS).count() == 0
        words = page.locator("#stage [data-tray-sum]").inner_text()
        values = [int(note.get_attribute("data-value")) for note in notes.all()]
        for note in notes.all():
            note.locator("[data-choice]").click()
        trays = page.locator(TRAYS)
        assert [int(tray.get_attribute("data-tray")) for tray in trays.all()] == values
        assert page.locator("#stage [data-tray-sum]").inner_text() == str(sum(values))
        slot = page.locator("#stage .slot:has([data-tray])").bounding_box()
        for tray in trays.all():
            box = tray.bounding_box()
            assert slot["x"] <= box["x"]
            assert box["x"] + box["width"] <= slot["x"] + slot["width"]
            assert slot["y"] <= box["y"]
            assert box["y"] + box["height"] <= slot["y"] + slot["height"]
        for note in notes.all():
            note.locator("[data-step='-1']").click()
        assert page.locator(TRAYS).count() == 0
        assert page.locator("#stage [data-tray-sum]").inner_text() == words
        for rival in range(3):
            if rival != piece.seat:
                seated(page, house, piece.match, rival)
                assert page.locator("#stage [data-tray]").count() == 0
