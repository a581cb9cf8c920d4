"""What a site keeps in the browser: one of two tabs plays, no room is said, and a killed tab loses nothing."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.rivals.player import Player
from tests.support import static
from tests.support.browsing import MINE, another, chromium, expect
from tests.support.shell import PATIENCE, complete, filled, opened, seated, started, version, visit

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(900)]
FORGET = """async () => {
  const root = await navigator.storage.getDirectory();
  for await (const name of root.keys())
    while (await root.removeEntry(name, { recursive: true }).then(() => false, () => true)); // until the former page lets go
}"""
WATCH = """new MutationObserver(() => saw(document.querySelectorAll("#log li").length))
  .observe(document, { childList: true, subtree: true })"""
ROOM = "There is hardly any room left on this device."


class Device:
    """What the device of a page does, by the tools of Chromium's developers."""

    def __init__(self, page: Any, address: str):
        self._tools = page.context.new_cdp_session(page)
        self._origin = address.rstrip("/")

    def room(self, size: int | None) -> None:
        """From now on there is room for so many bytes of the site; none: as much as before."""
        more = {} if size is None else {"quotaSize": size}
        self._tools.send("Storage.overrideQuotaForOrigin", {"origin": self._origin, **more})


def kill(browser: Any) -> None:
    """End the processes in which pages and their workers run, at once."""
    for process in browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]:
        if process["type"] == "renderer":
            os.kill(process["id"], signal.SIGKILL)


def test_the_second_tab_waits_for_the_first(page: Any, host: static.Host) -> None:
    opened(page, host.address)
    second = page.context.new_page()
    second.goto(host.address)
    second.wait_for_selector("html[data-obstacle=taken]", timeout=PATIENCE)
    expect(second.locator("main")).to_contain_text("open in another tab", use_inner_text=True)
    expect(second.locator("iframe")).not_to_be_visible()
    player = Player(seated(page, "rivals"))
    assert not player.play(1)
    second.reload()
    second.wait_for_selector("html[data-obstacle=taken]", timeout=PATIENCE)
    page.close()
    frame = started(second)
    expect(second.locator("main")).not_to_be_visible()
    frame.locator("a[href*='/t/']").first.click()
    frame.wait_for_url("**/t/*")
    player.page = frame
    assert not player.play(1)


def test_with_no_room_left_a_move_waits_for_it(page: Any, host: static.Host) -> None:
    frame = opened(page, host.address)
    complete(page)
    device = Device(page, host.address)
    player = Player(seated(page, "rivals"))
    assert not player.play(2)
    assert not player.wait()
    before = frame.locator("#log").inner_text()
    device.room(1)
    player.act(frame.locator("#dock").get_attribute("data-phase"))
    page.locator("#full").wait_for(timeout=PATIENCE)
    expect(page.locator("#full")).to_contain_text(ROOM, use_inner_text=True)
    frame.locator("#toast", has_text="could not be written down, so it was not made").wait_for(state="attached")
    expect(frame.locator("#log")).to_have_text(before, use_inner_text=True)
    expect(frame.locator(MINE)).not_to_have_count(0)
    device.room(None)
    assert not player.play(1)
    page.locator("#full").wait_for(state="hidden")
    expect(frame.locator("#log")).not_to_have_text(before, use_inner_text=True)


def test_with_no_room_left_a_match_does_not_begin(page: Any, host: static.Host) -> None:
    opened(page, host.address)
    complete(page)
    device = Device(page, host.address)
    device.room(1)
    page.reload()
    frame = started(page)
    page.locator("#full").wait_for(timeout=PATIENCE)
    visit(page, "/new/rivals")
    submit = frame.locator("form[data-sheet] button.primary").last
    submit.click()
    frame.get_by_text("could not be written down").first.wait_for()
    visit(page, "/")
    device.room(None)
    assert not Player(seated(page, "rivals")).play(1)


@pytest.mark.parametrize(
    ("room", "shown", "sentence"),
    [
        (100_000, "html[data-obstacle=room] [data-for=room]", "no room left on this device to store"),
        (-1, "html[data-ready] #unkept", "a match is gone when you close the page"),
    ],
)
def test_at_the_first_visit_no_room_is_said(page: Any, host: static.Host, room: int, shown: str, sentence: str) -> None:
    filled(page, host.address)
    device = Device(page, host.address)
    page.goto(f"{host.address}sw.js")
    page.evaluate(FORGET)
    device.room(page.evaluate("async () => (await navigator.storage.estimate()).usage") + room)
    page.goto(host.address)
    page.locator(shown).wait_for(timeout=PATIENCE)
    expect(page.locator(shown)).to_contain_text(sentence, use_inner_text=True)


def test_a_browser_that_keeps_nothing_is_said_before_a_match(page: Any, built: Path, tmp_path: Path) -> None:
    refuses = "navigator.storage.getDirectory = async () => { throw new DOMException('no', 'SecurityError'); };\n"
    with static.hosting(version(built, tmp_path / "site", files=refuses)) as host:
        opened(page, host.address)
        expect(page.locator("#unkept")).to_contain_text("a match is gone when you close the page", use_inner_text=True)
        player = Player(seated(page, "rivals"))
        assert not player.play(1)


def test_a_tab_that_is_killed_loses_nothing_that_was_seen(host: static.Host) -> None:
    with chromium() as browser:
        context = another(browser, locale="en-GB")
        context.set_default_timeout(120_000)
        seen: list[int] = []
        context.expose_binding("saw", lambda _source, lines: seen.append(lines))
        context.add_init_script(WATCH)
        page = context.new_page()
        opened(page, host.address)
        player = Player(seated(page, "rivals"))
        table = page.url
        for moves in (1, 2):
            assert not player.play(moves)
            lines = max(seen)
            player.act(player.page.locator("#dock").get_attribute("data-phase"))
            while max(seen) == lines:  # as soon as something of the move has been seen
                page.wait_for_timeout(1)
            with page.expect_event("crash"):
                kill(browser)
            lines = max(seen)
            page = context.new_page()
            page.goto(table)
            player.page = started(page)
            player.page.wait_for_selector(MINE)
            assert player.page.locator("#log li").count() >= lines
        context.close()
