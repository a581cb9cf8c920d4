"""Decisions that are made by tapping whatever there is to tap, in any game."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import TimeoutError

from tests.support.browsing import MINE

GAMES = ("kuhhandel", "money", "rivals", "forex", "claim")
DECISION = "() => document.querySelector('#dock input[name=decision]')?.value"
MOVED = """before => document.querySelector('#dock input[name=decision]')?.value !== before
  || document.querySelector('#over:not([hidden]), #dock form[aria-busy=true]')"""
WAYS = (
    "#dock .act[open] button.primary:enabled", "#dock .act[open] label.pick:not(:has(:checked))",
    "#dock button.primary:enabled", "#dock .single button:enabled", "#dock .act:not([open]) > summary",
    "#goods [data-choice]", "#stage [data-choice]", "#dock label.pick",
)  # fmt: skip
NEXT_TAP = """([ways, tapped]) => {
  for (const old of document.querySelectorAll("[data-tap]")) old.removeAttribute("data-tap");
  for (const way of ways) for (const one of document.querySelectorAll(way)) {
    const [face, words] = [one.closest("label") ?? one, `${way} ${one.id} ${one.ariaLabel} ${one.textContent.trim()}`];
    if (!face.checkVisibility() || tapped.includes(words)) continue;
    face.dataset.tap = "";
    return words;
  }
}"""


def decide(page: Any) -> None:
    """Make a decision by tapping what is there, whatever it is."""
    page.wait_for_selector(MINE)
    before, tapped = page.evaluate(DECISION), []
    for _ in range(12):
        words = page.evaluate(NEXT_TAP, [WAYS, tapped])
        with suppress(TimeoutError):  # news has come meanwhile: another look
            page.locator("[data-tap]").click(timeout=3000)
            tapped.append(words)
        with suppress(TimeoutError):  # the page may be another one then, which this waits for, too
            page.wait_for_function(MOVED, arg=before, timeout=1500)
            return
    pytest.fail(f"none of {tapped} makes a move")
