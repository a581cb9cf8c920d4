"""The page around the games, where they cannot start: what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.browsing import chromium, expect
from tests.support.shell import PATIENCE, started

pytestmark = [pytest.mark.browser, pytest.mark.slow]
OBSTACLE = "html[data-obstacle={}]"


def test_opened_as_a_file_it_says_what_to_do(browser, built: Path):
    for locale, sentence in (("en-GB", "Opened as a file"), ("de-DE", "Als Datei geöffnet")):
        page = browser.new_page(locale=locale)
        page.goto((built / "index.html").as_uri())
        page.wait_for_selector(OBSTACLE.format("file"))
        assert page.locator("main").inner_text().count("python -m http.server") == 1
        expect(page.locator("main")).to_contain_text(sentence, use_inner_text=True)
        page.close()


@pytest.mark.parametrize(
    ("missing", "obstacle", "sentence"),
    [
        ("delete Navigator.prototype.serviceWorker", "unsafe", "a service worker"),
        ("delete window.caches", "unsafe", "at its https address"),
        ("delete window.WebAssembly", "old", "too old for the games"),
        ("delete Array.prototype.at", "old", "from 2023 or later"),
        ("delete window.FileSystemFileHandle", "old", "Safari 16.4"),
    ],
)
def test_what_a_browser_lacks_is_said(browser, host, missing, obstacle, sentence):
    page = browser.new_page(locale="en-GB")
    page.add_init_script(missing)
    page.goto(host.address)
    page.wait_for_selector(OBSTACLE.format(obstacle))
    expect(page.locator("main")).to_contain_text(sentence, use_inner_text=True)
    assert not [path for path in host.asked if "python/" in path]
    page.close()


def test_too_little_memory_is_said(host):
    with chromium("--js-flags=--wasm-max-mem-pages=64") as browser:
        page = browser.new_page(locale="de-DE")
        page.goto(host.address)
        page.wait_for_selector(OBSTACLE.format("memory"), timeout=PATIENCE)
        expect(page.locator("main")).to_contain_text("nicht genug Arbeitsspeicher", use_inner_text=True)


def test_what_a_browser_may_clear_away_is_said(browser, host):
    page = browser.new_page(locale="en-GB")
    page.goto(host.address)
    page.locator("#fleeting:not([hidden])").wait_for(state="attached", timeout=PATIENCE)  # Chromium promises nothing here
    page.locator("#about summary").click()
    expect(page.locator("#about")).to_contain_text("not opened for a week", use_inner_text=True)
    page.close()


def test_only_the_first_visit_is_said_to_take_longer(page, host):
    page.goto(host.address)
    longer = page.locator("#start .first")
    expect(longer).to_have_css("display", "inline")
    started(page)
    page.reload()
    expect(longer).to_have_css("display", "none")
