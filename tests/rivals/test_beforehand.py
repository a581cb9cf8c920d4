"""What is chosen beforehand when a display was bought: it follows from the rules, and a good player would take it, too."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from outbid.bots import choose
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.games.rivals.state import REMOVE, TAKE
from outbid.games.rivals.text import beforehand
from tests.rivals.table import NAMES, fresh, play, position
from tests.support import browsing
from tests.support.browsing import DESK, PHONE, expect

SCRIPT = pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])


def bought(display: str, *expeditions: str, **more: Any) -> Match:
    """A display for three that the first seat has just bought."""
    return play(position(display, expeditions, gold=[20, 4, 4], **more), "0 bid 4")


def uncovered(*cards: str) -> Match:
    """Three cards turned up, which the first seat, with a red wager and a blue one, has just won."""
    match = play(fresh(*cards), "0 uncover / 1 uncover / 2 uncover / 0 bid 12")
    assert match.state.phase == TAKE
    return match


@pytest.mark.parametrize(("display", "expedition", "ticked"), [
    ("Rx R3", "Rx", ["Rx", "R3"]),  # two more at most could have come before the 3, and a wager
    ("R5 R7", "R4", ["R5", "R7"]),
    ("R10", "Rx", []),  # it closes the way to all of them
    ("R10", "Rx R9", ["R10"]),
    ("R3 R10", "R2", ["R3"]),
    ("R2 B9", "R5 B8", ["B9"]),  # the red one does not fit
])  # fmt: skip
def test_what_brings_more_than_it_closes_the_way_to_is_ticked(display: str, expedition: str, ticked: list[str]):
    match = bought(display, expedition)
    assert match.state.phase == TAKE
    assert beforehand.taken(match.hidden(0), 0) == ticked


def test_the_card_that_only_helps_another_is_chosen_to_be_removed():
    match = play(bought("R2 B3 G9", "B5 R3", "G8 B2 R2"), "0 take G9")
    assert match.state.phase == REMOVE
    assert beforehand.removed(match.hidden(0), 0) in ("R2", "B3")
    match = play(bought("R2 R5 G9", "R3", "R4", "R4"), "0 take G9")
    assert beforehand.removed(match.hidden(0), 0) is None  # nobody can lay the 2; the 5 fits oneself


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_heuristic_takes_what_is_ticked_and_seldom_keeps_what_is_chosen_to_be_removed(players: int):
    """What is ticked and not taken is a twentieth of it at most; nothing is chosen that fits whoever removes it."""
    ticked, left, removals = 0, 0, Counter[bool]()
    for seed in range(8):
        match = Match.new(rulebook("rivals"), {}, players, seed, NAMES[:players])
        while not match.over:
            seat, phase, seen = match.asked[0], match.state.phase, match.hidden(match.asked[0])
            chosen = beforehand.taken(seen, seat) if phase == TAKE else []
            gone = beforehand.removed(seen, seat) if phase == REMOVE else None
            fits = [one["card"] for one in match.view(seat)["display"] if seat in one["fits"]]
            assert {*chosen} <= {*fits}
            assert gone not in fits
            match.play_steps(seat, choose(match, seat, "steady", len(match.moves)).actions)
            move = match.moves[-1]
            if phase == TAKE:
                ticked += len(chosen)
                left += len({*chosen} - {*move["cards"]})
            elif phase == REMOVE and move["card"]:
                removals[move["card"] == gone] += 1
    assert left <= ticked / 20
    assert removals[True] > removals[False]


@pytest.mark.browser
@pytest.mark.slow
@SCRIPT
def test_what_is_ticked_is_taken_by_one_tap(browser, house, script: bool):
    match = uncovered("Rx", "R3", "R10")
    assert beforehand.taken(match.hidden(0), 0) == ["Rx", "R3"]
    with browsing.visitor(browser, PHONE, script=script) as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        browsing.sit(page, house[0] + browsing.begun(house[1], match)[0])
        expect(page.locator("#stage :checked")).to_have_count(2)
        expect(page.locator("#stage .pick:has(:checked)").first).to_be_visible()
        if script:
            assert page.locator("#dock output").inner_text().startswith("Your points:")
        page.locator("#dock .picker button.primary").click()
        page.wait_for_selector('#goods [data-card="R3@0"]')
        seen = browsing.view(page)
        assert seen["view"]["players"][0]["expeditions"]["R"]["cards"] == ["Rx", "Rx", "R3"]
        assert [one["card"] for one in seen["view"]["display"]] == ["R10"]


@pytest.mark.browser
@pytest.mark.slow
def test_a_tap_takes_a_tick_off(browser, house):
    match = uncovered("Rx", "R3", "R10")
    with browsing.visitor(browser, DESK) as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        browsing.sit(page, house[0] + browsing.begun(house[1], match)[0])
        page.wait_for_selector("[data-connection].on")
        page.locator("#stage .pick:has(:checked)").last.click(position={"x": 12, "y": 12})
        expect(page.locator("#stage :checked")).to_have_count(1)
        page.locator("#dock .picker button.primary").click()
        page.wait_for_selector("#removing", state="attached")
        assert browsing.view(page)["view"]["players"][0]["expeditions"]["R"]["cards"] == ["Rx", "Rx"]


@pytest.mark.browser
@pytest.mark.slow
@SCRIPT
def test_what_is_chosen_is_removed_by_one_tap(browser, house, script: bool):
    match = play(uncovered("B5", "B3", "G2"), "0 take B5")
    assert beforehand.removed(match.hidden(0), 0) == "B3"
    with browsing.visitor(browser, PHONE, script=script) as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        browsing.sit(page, house[0] + browsing.begun(house[1], match)[0])
        page.get_by_role("button", name="Remove the blue 3").click()
        page.wait_for_function("() => !document.querySelector('#removing')") if script else page.wait_for_load_state()
        assert "B3" in browsing.view(page)["view"]["gone"]
