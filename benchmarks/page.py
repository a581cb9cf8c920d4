"""How long a move takes on the page: from the click to the new view, in headless Chromium (goal: at most 20 ms).

    python benchmarks/page.py [--moves N]

Tables for three with two bots at the pace "fast": they begin to think when the move is on the page, so that their thinking is
not in the figures. Measured in the page: from the click to the first change of the table's regions ("there"), and to the
frame after it ("painted").
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from playwright.sync_api import Page, sync_playwright

SERVE = "import sys; from outbid.server.main import run; run(port=0, database=sys.argv[1])"
CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
WATCH = """() => {
  const now = () => document.querySelector("#now").textContent;
  let before = now();
  addEventListener("click", () => { window.clicked = performance.now(); before = now(); }, { capture: true });
  new MutationObserver(() => {
    if (window.taken || !window.clicked || now() === before) return;
    const there = performance.now() - window.clicked;
    window.taken = [];
    requestAnimationFrame(() => setTimeout(() => { window.taken = [there, performance.now() - window.clicked]; }));
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


def moves(page: Page, count: int) -> list[list[float]]:
    """Let one animal after the other go, up to `count` while there are any; what else is asked is answered by the first
    button, unmeasured."""
    taken = []
    while len(taken) < count and not page.get_by_text("The deck is empty").count():
        page.wait_for_selector("#now[data-yours]")
        letting_go = page.locator("#dock button[data-pass]:visible")
        if not letting_go.count():
            answer(page)
            continue
        page.evaluate("window.taken = window.clicked = null")
        letting_go.first.click()
        page.wait_for_function("() => window.taken && window.taken.length")
        taken.append(page.evaluate("window.taken"))
    return taken


def answer(page: Page) -> None:
    """Open the first choice of the dock if it has two steps, and take it."""
    choice = page.locator("#dock summary:visible, #dock button:enabled:visible").first
    choice.click(timeout=1000)
    page.wait_for_timeout(100)
    sure = page.locator("#dock details[open] button:enabled:visible")
    if sure.count():
        sure.last.click(timeout=1000)
    page.wait_for_timeout(100)


def main() -> None:
    """Print median and 99th percentile."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=100, help="moves to measure")
    count = parser.parse_args().moves
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = subprocess.Popen([sys.executable, "-c", SERVE, f"{folder}/t.db"], stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM)
            page = browser.new_page(viewport={"width": 1366, "height": 768})
            form = {"game": "kuhhandel", "players": "3", "name": "Ada", "bots": "steady", "pace": "fast"}
            times: list[list[float]] = []
            while len(times) < count:
                made = page.context.request.post(f"{found[0]}/tables", form=form, max_redirects=0)
                page.goto(found[0] + made.headers["location"])
                page.evaluate(WATCH)
                times += moves(page, count - len(times))
            browser.close()
        finally:
            server.terminate()
    for name, one in (("there", [t[0] for t in times]), ("painted", [t[1] for t in times])):
        cut = statistics.quantiles(one, n=100)
        print(f"{name:8} p50 {statistics.median(one):6.1f} ms   p99 {cut[98]:6.1f} ms   ({len(one)} moves)")


if __name__ == "__main__":
    main()
