"""The six sounds: on until somebody switches them off, quiet, and none before the visitor has done something."""

from __future__ import annotations

import pytest

from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from tests.support import browsing
from tests.support.browsing import DESK, PHONE, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

COUNTED = """
  window.contexts = window.starts = 0;
  window.loudest = 0;
  window.AudioContext = class extends AudioContext { constructor() { super(); window.contexts++; } };
  const start = AudioScheduledSourceNode.prototype.start;
  AudioScheduledSourceNode.prototype.start = function (...at) { window.starts++; return start.apply(this, at); };
  const ramp = AudioParam.prototype.exponentialRampToValueAtTime;
  AudioParam.prototype.exponentialRampToValueAtTime = function (value, at) {
    window.loudest = Math.max(window.loudest, value);
    return ramp.call(this, value, at);
  };
"""
SOUNDS = ["hammer", "coin", "card", "reveal", "turn", "end"]
PLAY = f"import('/static/table/switches.js').then(({{ sound }}) => {SOUNDS}.forEach(sound))"


@pytest.fixture(scope="module")
def seat(house):
    match = Match.new(rulebook("rivals"), {}, 3, 3, ["Bruno", "Clara", "Doris"])
    return house[0] + browsing.begun(house[1], match)[match.asked[0]]


def counts(page) -> tuple[int, int]:
    return tuple(page.evaluate("[window.contexts, window.starts]"))


@pytest.mark.parametrize("size", [pytest.param(DESK, marks=pytest.mark.deep), PHONE], ids=str)
def test_nothing_sounds_before_the_first_tap_and_the_sign_mutes_for_good(browser, seat, size):
    with browsing.visitor(browser, size) as page:
        page.add_init_script(COUNTED)
        browsing.sit(page, seat)
        page.wait_for_selector("[data-connection].on")
        page.evaluate(PLAY)
        assert counts(page) == (0, 0)
        page.locator("#now > p").click()
        page.evaluate(PLAY)
        contexts, starts = counts(page)
        assert contexts == 1
        assert starts >= 6
        assert page.evaluate("window.loudest") <= 0.15  # a quarter of what the speakers give, at most
        sign = page.locator("#bar [data-mute]")
        assert sign.get_attribute("aria-pressed") == "true"
        page.locator("#menu > summary").click()  # on a phone it stands beside the menu that is open
        sign.click()
        assert sign.get_attribute("aria-pressed") == "false"
        assert not page.locator("[data-switch=sound]").is_checked()
        muted = counts(page)
        page.evaluate(PLAY)
        assert counts(page) == muted
        page.reload()
        page.wait_for_selector("[data-connection].on")
        page.locator("#now > p").click()
        page.evaluate(PLAY)
        assert counts(page) == (0, 0)
        assert page.locator("#bar [data-mute]").get_attribute("aria-pressed") == "false"
        page.locator("#menu > summary").click()
        page.locator("#bar [data-mute]").click()
        assert counts(page)[1] > 0  # one hears that they are on


def test_a_page_that_can_keep_nothing_is_muted_all_the_same(browser, seat):
    context = browsing.another(browser)
    context.add_init_script(COUNTED)
    context.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('none'); } });")
    page = context.new_page()
    browsing.sit(page, seat)
    page.wait_for_selector("[data-connection].on")
    page.locator("#bar [data-mute]").click()
    page.evaluate(PLAY)
    assert counts(page) == (0, 0)
    context.close()


def test_without_script_there_is_no_sign(browser, seat):
    with browsing.visitor(browser, script=False) as page:
        browsing.sit(page, seat)
        expect(page.locator("[data-mute]")).not_to_be_visible()
