"""A rulebook is folded on a phone: its headings are the contents. In a wide window and on paper all of it is open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.browsing import DESK, PHONE, expect, fits, visitor
from tests.support.serving import serving

pytestmark = [pytest.mark.browser, pytest.mark.slow]
CLOSED = ".part:not([open])"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server."""
    with serving(tmp_path_factory.mktemp("rulebook") / "tables.db") as address:
        yield address


def test_on_a_phone_the_rules_are_a_few_screens_and_what_is_looked_for_opens(browser: Any, server: str):
    with visitor(browser, PHONE) as page:
        page.goto(f"{server}/rules/money")
        expect(page.locator(CLOSED)).to_have_count(16)
        assert page.evaluate("() => document.documentElement.scrollHeight / innerHeight") < 6
        page.get_by_text("6 The exchange").click()
        expect(page.locator("#section-6")).to_be_visible()
        fits(page)
        page.goto(f"{server}/rules/money#section-9")
        expect(page.locator("#section-9")).to_be_in_viewport()
        page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
        expect(page.locator(CLOSED)).to_have_count(0)


def test_in_a_wide_window_all_is_open_and_without_script_a_tap_opens_a_section(browser: Any, server: str):
    with visitor(browser, DESK) as page:
        page.goto(f"{server}/rules/money#section-9")
        expect(page.locator(".part[open]")).to_have_count(16)
        expect(page.locator("#section-9")).to_be_in_viewport()
    with visitor(browser, PHONE, script=False) as page:
        page.goto(f"{server}/rules/money")
        page.get_by_text("6 The exchange").click()
        expect(page.locator("#section-6")).to_be_visible()
