"""Versions of a site: a newer one is offered and never forced; a file that is not of its version is not taken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.rivals.player import Player
from tests.support import static
from tests.support.browsing import expect
from tests.support.shell import PATIENCE, READY, complete, opened, seated, started, version

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(900)]
KEPT = "async () => (await (await caches.open(location.href.split('#')[0])).keys()).length"
NEWER = "/* newer */\n"
IS_NEWER = "async () => (await (await fetch('sockets.js')).text()).startsWith('/* newer */')"


def test_a_newer_version_is_offered_in_mid_match_and_taken_when_wanted(page: Any, built: Path, tmp_path: Path) -> None:
    folder = version(built, tmp_path / "site")
    with static.hosting(folder) as host:
        opened(page, host.address)
        complete(page)
        files = page.evaluate(KEPT)
        seated(page, "rivals")
        table = page.url
        version(built, folder, sockets=NEWER)
        page.reload()
        frame = started(page)
        page.locator("#update").wait_for(timeout=PATIENCE)
        assert not page.evaluate(IS_NEWER)
        player = Player(frame)
        assert not player.play(1)  # nothing is in the way
        with page.expect_navigation(timeout=PATIENCE):
            page.locator("#take").click()
        player.page = started(page)
        assert page.evaluate(IS_NEWER)
        assert page.url == table
        assert not player.play(1)
        assert page.evaluate(KEPT) == files  # those of the former version are gone


@pytest.mark.parametrize("damage", [b"", *(pytest.param(each, marks=pytest.mark.deep) for each in (b"# newer", None))])
def test_a_file_of_another_version_is_not_taken(page: Any, built: Path, tmp_path: Path, damage: bytes | None) -> None:
    folder = version(built, tmp_path / "site")
    if damage is None:
        (folder / "python/outbid.zst").unlink()
    else:
        (folder / "python/outbid.zst").write_bytes(damage)
    with static.hosting(folder) as host:
        page.goto(host.address)
        page.wait_for_selector("html[data-obstacle=changed]", timeout=PATIENCE)
        expect(page.locator("main")).to_contain_text("missing or damaged", use_inner_text=True)
        expect(page.locator("#reason")).to_contain_text("python/outbid.zst", use_inner_text=True)
        expect(page.locator(READY)).to_have_count(0)


def test_a_damaged_file_that_is_not_needed_now_ends_no_match(page: Any, built: Path, tmp_path: Path) -> None:
    folder = version(built, tmp_path / "site")
    (folder / "pages/de/rules/money/index.html").write_text("something else")
    with static.hosting(folder) as host:
        opened(page, host.address)
        page.locator("#changed").wait_for(timeout=PATIENCE)
        assert not Player(seated(page, "rivals")).play(1)
