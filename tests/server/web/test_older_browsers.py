"""Browsers of 2022: what Safari 16 lacks is taken away from Chromium, and a table can be played all the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import outbid
from tests.support.browsing import MINE, expect, table

SHEETS = sorted(Path(outbid.__file__).parent.rglob("*.css"))
LACKS = """
  delete Element.prototype.checkVisibility;
  for (const name of ["popover", "showPopover", "hidePopover", "togglePopover"]) delete HTMLElement.prototype[name];
"""
ANSWERED = """decision => document.querySelector("#dock .act[open]")
  || document.querySelector("#dock input[name=decision]")?.value !== decision"""
OPEN = "() => document.querySelector('#guide').classList.contains('open')"


@pytest.mark.slow
@pytest.mark.browser
def test_keys_and_panels_work_without_popovers_and_check_visibility(browser, server: str):
    with table(browser, server) as page:
        page.add_init_script(LACKS + "localStorage.setItem('learned', 'all'); localStorage.setItem('only', 'off')")
        page.reload()
        page.wait_for_selector(MINE)
        page.wait_for_selector("[data-connection].on")
        assert page.evaluate("() => !('popover' in HTMLElement.prototype) && !document.body.checkVisibility")
        page.keyboard.press("?")
        assert page.evaluate(OPEN)
        expect(page.locator("#guide [data-now] h3"), "what is asked now stands in it").to_have_count(1)
        page.keyboard.press("Escape")
        assert not page.evaluate(OPEN)
        before = page.locator("#dock input[name=decision]").first.get_attribute("value")
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        page.wait_for_function(ANSWERED, arg=before)


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: "/".join(sheet.parts[-3:]))
def test_no_colour_of_a_page_needs_a_newer_browser(sheet: Path):
    assert not re.search(r"light-dark\(", re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL))
