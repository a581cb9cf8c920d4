"""How quick a site is that plays in the browser alone (`outbid site DIR`), in headless Chromium: medians of N visits.

    python benchmarks/site.py DIR [N]        prints seconds, and the load of the machine before and after

A first visit has a browser that has kept nothing, a second one is offline.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support import static
from tests.support.browsing import PHONE, chromium
from tests.support.shell import complete, opened, started, visit

SHOWN = "() => document.querySelector('iframe').contentDocument?.querySelector('h1')"
PAGES = {"front door": "", "rulebook": "#/rules/claim", "lesson": "#/learn/claim"}


def main() -> None:
    """Measure, and print what came of it."""
    folder, times = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5
    print(f"load {os.getloadavg()[0]:.1f}", flush=True)
    figures: dict[str, list[float]] = {}
    for _ in range(times):
        with static.hosting(folder) as host, chromium() as browser:
            for name, seconds in visits(browser, host).items():
                figures.setdefault(name, []).append(seconds)
    for name, values in figures.items():
        print(f"{name}: {median(values):.2f} s ({', '.join(f'{value:.2f}' for value in values)})", flush=True)
    print(f"load {os.getloadavg()[0]:.1f}")


def visits(browser: Any, host: Any) -> dict[str, float]:
    """One visitor: seconds of each kind."""
    figures = dict[str, float]()
    for name, address in PAGES.items():
        page = new(browser)
        start = time.perf_counter()
        page.goto(host.address + address)
        page.wait_for_function(SHOWN)
        figures[f"{name}, first visit"] = time.perf_counter() - start
        page.context.close()
    page = new(browser)
    start = time.perf_counter()
    opened(page, host.address)
    seat(page, "rivals")
    figures["first playable table, first visit"] = time.perf_counter() - start
    complete(page)
    page.context.set_offline(True)
    visit(page, "/")
    start = time.perf_counter()
    page.reload()
    started(page)
    seat(page, "rivals")
    figures["first playable table, offline"] = time.perf_counter() - start
    page.context.close()
    return figures


def new(browser: Any) -> Any:
    """A page of somebody who was never here."""
    return browser.new_context(locale="en-GB", viewport={"width": PHONE[0], "height": PHONE[1]}).new_page()


def seat(page: Any, game: str) -> Any:
    """The frame of a new table against bots that answer at once."""
    visit(page, f"/new/{game}")
    frame = page.query_selector("iframe").content_frame()
    frame.locator("details:has(select[name=pace])").evaluate("details => { details.open = true; }")
    frame.locator("select[name=pace]").select_option("instant")
    frame.locator("form[data-sheet] button.primary").last.click()
    frame.wait_for_selector("#dock", state="attached")
    return frame


if __name__ == "__main__":
    main()
