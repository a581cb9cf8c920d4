"""How quick a site is that plays in the browser alone (`outbid site DIR`), in headless Chromium: medians of N visits.

    python benchmarks/site.py DIR [N]        prints seconds, and the load of the machine before and after
    python benchmarks/site.py DIR moves      of a match of each game: moves, bots, memory

A first visit has a browser that has kept nothing, a second one is offline. A move lasts from its tap until the log has it, a
decision of the bot `steady` from one line of the log to the next, at the pace that adds nothing to it. Memory is the
proportional share (PSS) of the process that shows the page and runs Python.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.claim.player import Player as Claim
from tests.forex.player import Player as Forex
from tests.kuhhandel.player import Player as Kuhhandel
from tests.money.player import Player as Money
from tests.rivals.player import Player as Rivals
from tests.support import static
from tests.support.browsing import PHONE, chromium
from tests.support.shell import complete, opened, seated, started, visit

SHOWN = "() => document.querySelector('iframe').contentDocument?.querySelector('h1')"
MOVES = 12  # of a match
LOOK = """() => {
  window.figures = {own: [], others: []};
  let asked = 0, last = 0;
  document.addEventListener("submit", () => { asked = performance.now(); }, true);
  new MutationObserver((changes) => {
    if (!changes.some(({ target }) => target.parentElement?.closest("#log"))) return;
    const now = performance.now();
    if (asked) figures.own.push(now - asked);
    else if (last) figures.others.push(now - last);
    [asked, last] = [0, now];
  }).observe(document.body, { childList: true, subtree: true });
}"""
PLAYERS = {"claim": Claim, "forex": Forex, "kuhhandel": Kuhhandel, "money": Money, "rivals": Rivals}
PAGES = {"front door": "", "rulebook": "#/rules/claim", "lesson": "#/learn/claim"}


def main() -> None:
    """Measure, and print what came of it."""
    folder, what = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "5"
    print(f"load {os.getloadavg()[0]:.1f}", flush=True)
    if what == "moves":
        for game in PLAYERS:
            with static.hosting(folder) as host, chromium() as browser:
                print(f"{game}: {match(browser, host, game)}", flush=True)
        return
    times = int(what)
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
    seated(page, "rivals")
    figures["first playable table, first visit"] = time.perf_counter() - start
    complete(page)
    page.context.set_offline(True)
    visit(page, "/")
    start = time.perf_counter()
    page.reload()
    started(page)
    seated(page, "rivals")
    figures["first playable table, offline"] = time.perf_counter() - start
    page.context.close()
    return figures


def match(browser: Any, host: Any, game: str) -> str:
    """The first moves of a match: milliseconds, and what the page takes."""
    page = new(browser)
    opened(page, host.address)
    frame = seated(page, game)
    frame.evaluate(LOOK)
    PLAYERS[game](frame).play(MOVES)
    figures = frame.evaluate("() => window.figures")
    told = "; ".join(f"{name} {median(ms):.0f} ms (n = {len(ms)}, most {max(ms):.0f})" for name, ms in figures.items() if ms)
    return f"{told}; {memory(browser):.0f} MB"


def memory(browser: Any) -> float:
    """Megabytes of the process of all pages."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    files = [Path(f"/proc/{each['id']}/smaps_rollup") for each in processes if each["type"] == "renderer"]
    lines = [line.split() for file in files for line in file.read_text().splitlines()]
    return max(int(line[1]) for line in lines if line[0] == "Pss:") / 1024


def new(browser: Any) -> Any:
    """A page of somebody who was never here."""
    return browser.new_context(locale="en-GB", viewport={"width": PHONE[0], "height": PHONE[1]}).new_page()


if __name__ == "__main__":
    main()
