"""How long a move takes on the page: from the click to the new view, in headless Chromium (goal: at most 20 ms).

    python benchmarks/server/page.py [--moves N] [--game GAME]
    python benchmarks/server/page.py --replay N [--moves N] [--game GAME]

Tables with two bots at the pace "fast": they begin to think when the move is on the page, so that their thinking is not in
the figures. The moves are any legal ones, each sent by a click on a button in the dock. Measured in the page: from the click
to the first region that is replaced ("there"), and to the frame after it ("painted").

With --replay, steps back from the end of a random match of at least N moves, with all hands open (goal: at most 50 ms).
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from typing import Any

from playwright.sync_api import Page, sync_playwright
from table import JSON, some_move

import outbid
from outbid.core.contract import CLOCK
from outbid.core.match import Match
from outbid.core.rulebook import rulebooks

SERVE = "import sys; from outbid.server.main import run; run(port=0, database=sys.argv[1])"
CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
WATCH = """() => {
  addEventListener("click", () => { window.clicked = performance.now(); }, { capture: true });
  new MutationObserver((changes) => {
    if (window.taken || !window.clicked || !changes.some((change) => [...change.addedNodes].some((node) => node.id))) return;
    const there = performance.now() - window.clicked;
    window.taken = [];
    requestAnimationFrame(() => setTimeout(() => { window.taken = [there, performance.now() - window.clicked]; }));
  }).observe(document.body, { childList: true });
}"""
OFFER = """([move, post]) => {
  document.querySelector("#measured")?.remove();
  const form = Object.assign(document.createElement("form"), { id: "measured", method: "post", action: post });
  form.dataset.move = "";
  const decision = document.querySelector("#dock input[name=decision]").cloneNode();
  const button = Object.assign(document.createElement("button"), { name: "move", value: move, textContent: "measured" });
  form.append(decision, button);
  document.querySelector("#dock").append(form);
  document.body.offsetHeight;
  window.taken = window.clicked = null;
}"""
STEP = """() => {
  window.taken = window.clicked = null;
  document.querySelector("[data-step-key=ArrowLeft]").click();
}"""
CLICK = """() => {
  const button = document.querySelector("#measured button");
  button.focus();
  button.click();
}"""


def moves(page: Page, count: int, rng: random.Random) -> list[list[float]]:
    """Up to `count` moves of this table; those that are refused are not counted."""
    taken = []
    while len(taken) < count:
        page.wait_for_selector("#now[data-yours], #over:not([hidden])", state="attached")
        seen = page.context.request.get(page.url, headers=JSON).json()
        if seen["table"]["status"] == "over":
            break
        if seen["decision"] is None:
            continue
        page.evaluate(OFFER, [json.dumps(some_move(seen, rng)), page.url + "/move"])
        page.evaluate(CLICK)
        try:
            page.wait_for_function("() => window.taken && window.taken.length", timeout=1000)
        except Exception:  # refused: nothing has changed
            continue
        taken.append(page.evaluate("window.taken"))
    return taken


def steps(page: Page, count: int) -> list[list[float]]:
    """So many steps back."""
    taken = []
    for _step in range(count):
        page.evaluate(STEP)
        page.wait_for_function("() => window.taken && window.taken.length")
        taken.append(page.evaluate("window.taken"))
    return taken


def long_match(game: str, moves: int) -> Match:
    """A random match with the most players, of at least so many moves."""
    for seed in range(1000):
        match = outbid.game(game).new(players=rulebooks()[game].players[1], seed=seed)
        while not match.over:
            match.random_move(match.asked[0] if match.asked else CLOCK, seed + len(match.moves))
        if len(match.moves) >= moves:
            return match
    raise SystemExit(f"No random match of {game} has {moves} moves.")


def measured(game: str, count: int, replay: int) -> list[list[float]]:
    """The times of so many moves in one game, or of steps of a replay that is so long."""
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = subprocess.Popen([sys.executable, "-c", SERVE, f"{folder}/t.db"], stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found
            place = shutil.which("chromium") or shutil.which("chromium-headless-shell")
            browser = playwright.chromium.launch(executable_path=place, args=CHROMIUM)
            page = browser.new_page(viewport={"width": 1366, "height": 768})
            form: dict[str, Any] = {"game": game, "players": "3", "name": "Ada", "bots": "steady", "pace": "fast"}
            times: list[list[float]] = []
            if replay:
                made = page.context.request.post(f"{found[0]}/records", data=long_match(game, replay).record(), headers=JSON)
                page.goto(f"{found[0]}/t/{made.json()['table']}/replay?seat=open")
                page.evaluate(WATCH)
                times = steps(page, count)
            while len(times) < count:
                made = page.context.request.post(f"{found[0]}/tables", form=form, max_redirects=0)
                page.goto(found[0] + made.headers["location"])
                page.evaluate(WATCH)
                times += moves(page, count - len(times), rng)
            browser.close()
            return times
        finally:
            server.terminate()


def main() -> None:
    """Print median and 99th percentile."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=50, help="moves to measure in each game")
    parser.add_argument("--game", choices=sorted(rulebooks()), help="only this game")
    parser.add_argument("--replay", type=int, default=0, metavar="N", help="steps of a replay of so many moves instead")
    told = parser.parse_args()
    for game in [told.game] if told.game else sorted(rulebooks()):
        times = measured(game, told.moves, told.replay)
        for name, one in (("there", [t[0] for t in times]), ("painted", [t[1] for t in times])):
            cut = statistics.quantiles(one, n=100)
            print(f"{game:10} {name:8} p50 {statistics.median(one):6.1f} ms   p99 {cut[98]:6.1f} ms   ({len(one)} moves)")


if __name__ == "__main__":
    main()
