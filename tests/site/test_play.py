"""The games in a browser alone: from set-up to end and review, with no network after the first visit."""

from __future__ import annotations

import json

import pytest

from tests.claim.player import Player as Claim
from tests.forex.player import Player as Forex
from tests.kuhhandel.player import Player as Kuhhandel
from tests.money.player import Player as Money
from tests.rivals.player import Player as Rivals
from tests.support.browsing import DESK, MINE, PHONE, expect
from tests.support.shell import complete, offline, opened, seated, started, visit
from tests.support.tapping import decide

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(1800)]
PLAYERS = {"claim": Claim, "forex": Forex, "kuhhandel": Kuhhandel, "money": Money, "rivals": Rivals}
LATER = pytest.mark.deep
MOVED_ON = """before => document.querySelector("form[action$='/pass']") || (document.querySelector("#now[data-yours]")
  && document.querySelector("#dock input[name=decision]")?.value !== before)"""
MATCHES = [
    pytest.param(game, size, marks=() if (game, size) == ("rivals", PHONE) else LATER)
    for game in PLAYERS for size in (PHONE, DESK)
]  # fmt: skip


@pytest.mark.parametrize(("game", "size"), MATCHES)
def test_a_match_from_set_up_to_review_with_no_network(page, host, game, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    frame = opened(page, host.address)
    offline(page, host)
    seated(page, game)
    player = PLAYERS[game](frame)
    assert not player.play(3)
    table = page.url
    page.reload()
    player.page = frame = started(page)
    assert page.url == table
    assert player.play(400)
    with page.expect_download() as saved:
        frame.get_by_role("link", name="Save the record").click()
    expect(frame.locator("#toast")).to_have_text(f"Saved as {saved.value.suggested_filename}.")
    frame.get_by_role("button", name="Play again").first.click(trial=True)  # what is said lies in nobody's way
    assert json.loads(saved.value.path().read_text())["game"] == game
    visit(page, f"{table.partition('#')[2]}/review?seat=0", "/replay?move=0&seat=0")
    frame = page.frame_locator("iframe")
    frame.locator("#moments").get_by_text("save the record, and run outbid analyse.").wait_for()


def test_what_is_chosen_before_the_games_are_ready_opens_when_they_are(page, host):
    page.goto(host.address)
    door = page.frame_locator("iframe")
    door.get_by_role("button", name="Play against bots").first.click()
    page.wait_for_function("() => location.hash.startsWith('#/t/')")
    started(page)
    visit(page, "/")
    expect(door.locator("a[href*='/t/']")).to_have_count(1)


def test_the_front_page_shows_a_running_match_before_the_games_are_ready(page, host):
    opened(page, host.address)
    complete(page)
    expect(page.locator("#about")).to_contain_text("Ready without a network.", use_inner_text=True)
    seated(page, "rivals")
    page.wait_for_function("() => localStorage.getItem('front-en')?.includes('/t/')")
    page.add_init_script("window.Worker = class extends EventTarget { postMessage() {} }")  # Python never runs
    page.evaluate("() => history.replaceState(null, '', '#/')")
    page.reload()
    expect(page.frame_locator("iframe").locator("#mine a[href*='/t/']")).to_have_count(1)


def test_two_people_pass_the_device_on_and_go_back_in_one_step(page, host):
    frame = opened(page, host.address)
    offline(page, host)
    frame.get_by_role("link", name="Rivals", exact=True).click()
    frame.wait_for_url("**/new/rivals?bots=open")
    frame.locator("#players").select_option("2")
    frame.locator("form[data-sheet] button.primary").last.click()
    frame.wait_for_url("**/t/*")
    pages = page.evaluate("history.length")
    frame.locator("#name").fill(frame.locator("li b").first.inner_text())
    frame.get_by_role("button", name="Sit down").click()
    frame.locator("#name-error").wait_for()  # nobody else is called so
    frame.locator("#name").fill("Ben")
    frame.get_by_role("button", name="Sit down").click()
    cover = frame.locator("form[action$='/pass'] button")
    cover.click()
    frame.wait_for_selector(MINE)  # the cover stays until its answer is there
    while not cover.count():
        decision = frame.locator("#dock input[name=decision]").first.input_value()
        decide(frame)
        frame.wait_for_function(MOVED_ON, arg=decision)
    expect(frame.locator("#dock")).to_have_count(0)
    cover.click()
    frame.wait_for_selector(MINE)
    assert page.evaluate("history.length") == pages
    page.reload()
    frame = started(page)
    frame.locator("form[action$='/pass'] button").wait_for()
    expect(frame.locator("#dock")).to_have_count(0)
