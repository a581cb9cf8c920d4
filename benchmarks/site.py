"""How quick a site is that plays in the browser alone (`outbid site DIR`), in headless Chromium: medians of N visits.

    python benchmarks/site.py DIR [N]        prints seconds, and the load of the machine before and after
    python benchmarks/site.py DIR moves      of a match of each game: moves and bots
    python benchmarks/site.py DIR memory     megabytes: when it has started, at most in a match, after a collection

A first visit has a browser that has kept nothing, a second one is offline. A move lasts from its tap until the log has it, a
decision of the bot `steady` from one line of the log to the next, at the pace that adds nothing to it. Memory is what the
process that shows the page and runs Python has for itself (Chromium's “private footprint”), while no tools of developers
watch the page: their log of the network keeps all that was loaded.
"""

from __future__ import annotations

import json
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
MATCH = 30.0  # seconds of a match in which memory is looked at
PRESS = """{
  const buttons = [...inside.querySelectorAll("#dock button:not([type=button], :disabled)")];
  const shown = buttons.filter((button) => button.offsetParent);
  shown[Math.floor(Math.random() * shown.length)]?.click();
}"""
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
    if what == "memory":
        with static.hosting(folder) as host, chromium() as browser:
            for game in PLAYERS:
                print(f"{game}: {footprint(browser, host, game)}", flush=True)
        return
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
    return "; ".join(f"{name} {median(ms):.0f} ms (n = {len(ms)}, most {max(ms):.0f})" for name, ms in figures.items() if ms)


class Unwatched:
    """A page of a browser that only runs scripts of ours."""

    def __init__(self, browser: Any, address: str):
        self.tools, self.answers = browser.new_browser_cdp_session(), dict[int, Any]()
        self.tools.on("Target.receivedMessageFromTarget", self._hear)
        context = self.tools.send("Target.createBrowserContext")
        window = {"url": address, "width": PHONE[0], "height": PHONE[1], **context}
        target = self.tools.send("Target.createTarget", window)
        self.session = self.tools.send("Target.attachToTarget", {**target, "flatten": False})
        self.context, self.most = context, 0.0

    def _hear(self, message: Any) -> None:
        answer = json.loads(message["message"])
        if "id" in answer:
            self.answers[answer["id"]] = answer["result"]

    def send(self, method: str, **fields: Any) -> Any:
        """The answer of the page's tools."""
        number = len(self.answers) + 1
        message = json.dumps({"id": number, "method": method, "params": fields})
        self.tools.send("Target.sendMessageToTarget", {**self.session, "message": message})
        while number not in self.answers:
            self.memory()
        return self.answers[number]

    def run(self, script: str) -> Any:
        """The value of a script, in which `inside` is the document of the frame."""
        whole = f"(inside => {script})(document.querySelector('iframe')?.contentDocument)"
        return self.send("Runtime.evaluate", expression=whole)["result"].get("value")

    def until(self, script: str) -> None:
        """Wait until a script says so."""
        while not self.run(script):
            time.sleep(0.1)

    def memory(self) -> float:
        """Megabytes of the process of all pages, and the most of them until now."""
        processes = self.tools.send("SystemInfo.getProcessInfo")["processInfo"]
        files = [Path(f"/proc/{each['id']}/smaps_rollup") for each in processes if each["type"] == "renderer"]
        sums = [
            sum(int(line.split()[1]) for line in file.read_text().splitlines() if line.startswith("Private_"))
            for file in files if file.exists()
        ]  # fmt: skip
        now = max(sums, default=0) / 1024  # there is none yet
        self.most = max(self.most, now)
        return now


def footprint(browser: Any, host: Any, game: str) -> str:
    """Megabytes in the course of a match."""
    page = Unwatched(browser, host.address)
    page.until("'kept' in document.documentElement.dataset")
    told, begun = f"{page.memory():.0f} MB begun, {page.most:.0f} until then", time.monotonic()
    page.run(f"location.hash = '/new/{game}'")
    page.until("!!inside.querySelector('form[data-sheet] [name=pace]')")
    page.run("inside.querySelector('[name=pace]').value = 'instant'")
    page.run("[...inside.querySelectorAll('form[data-sheet] button.primary')].pop().click()")
    page.until("!!inside?.querySelector('#dock')")
    begun, page.most = time.monotonic(), 0.0
    while time.monotonic() - begun < MATCH:
        page.run(PRESS)
        page.memory()
        time.sleep(0.1)
    lines = page.run("inside.querySelectorAll('#log li').length")
    told += f"; {page.most:.0f} at most in {lines} lines of a match"
    page.send("HeapProfiler.collectGarbage")
    told += f"; {page.memory():.0f} after a collection"
    page.tools.send("Target.disposeBrowserContext", page.context)
    return told


def new(browser: Any) -> Any:
    """A page of somebody who was never here."""
    return browser.new_context(locale="en-GB", viewport={"width": PHONE[0], "height": PHONE[1]}).new_page()


if __name__ == "__main__":
    main()
