"""A measured match: how long what concerns a player stands on the stage of their page, if they tap nothing while it does.

The page is real and open at a real server; the moves are sent over HTTP as soon as the page asks. What stood where is noted
in the page, every 50 ms: a card counts while its middle lies on the stage and nothing covers it there; what is shown in
place counts while the first of the things lies there so and the next question is held.
"""

from __future__ import annotations

import json
import random
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.browsing import another, slow
from tests.support.serving import JSON, some_move

NOTING = """() => {
  window.moments = {};
  const covered = (card, stage) => {
    const [box, room] = [card.getBoundingClientRect(), stage.getBoundingClientRect()];
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (!box.width || x < room.left || x > room.right || y < room.top || y > room.bottom) return true;
    card.style.pointerEvents = "auto"; // a card lets taps through
    const seen = document.elementFromPoint(x, y);
    card.style.pointerEvents = "";
    const rests = card.closest("[inert]") !== null; // then what it lies in is seen there
    return !(card.contains(seen) || (rests && seen?.contains(card)));
  };
  let last = performance.now();
  setInterval(() => {
    const [now, stage] = [performance.now(), document.querySelector("#stage")];
    for (const card of document.querySelectorAll("#result [data-mine]")) {
      const name = card.dataset.outcome;
      window.moments[name] ??= 0;
      const inPlace = document.documentElement.dataset.holding === "in-place";
      const place = "inPlace" in card.dataset ? inPlace && stage?.querySelector("[data-sum]")?.closest("li") : card;
      if (card.classList.contains("shown") && stage && place && !covered(place, stage)) window.moments[name] += now - last;
    }
    last = now;
  }, 50);
}"""
ASKS = """() => document.querySelector("#over .banner")
  || (document.querySelector(".now[data-yours]") && !("holding" in document.documentElement.dataset))"""

ANOTHER = """decision => document.querySelector("#dock input[name=decision]")?.value !== decision"""


@dataclass
class Measured:
    """A match as its player saw it. shown: for every outcome that concerned them, the milliseconds on the stage; waits: from
    each answer to the next question, in seconds, holds included; decisions: answers."""

    shown: dict[int, float] = field(default_factory=dict)
    waits: list[float] = field(default_factory=list)
    decisions: int = 0

    @property
    def shortest(self) -> float:
        """The shortest time that an outcome was shown, in seconds; 0 where there was none."""
        return min(self.shown.values(), default=0) / 1000


def measured(
    browser: Any, address: str, game: str, players: int, size: tuple[int, int], *, guide: bool, most: int = 10_000,
    pace: str = "normal", frames: Path | None = None, line: tuple[int, int] | None = None, **order: str,
) -> Measured:  # fmt: skip
    """A match against steady bots, or its first `most` decisions. guide: the first-time cards are open; frames: where a
    picture of the page is kept five times a second; line: what its line is like, as for `browsing.slow`."""
    context = another(browser, viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('learned', '{'' if guide else 'all'}'); localStorage.setItem('only', 'off')")
    fields = {"game": game, "players": str(players), "name": "Ada", "bots": "steady", "pace": pace, "hints": "off", **order}
    made = context.request.post(f"{address}/tables", form=fields, headers=JSON).json()
    page.goto(f"{address}/t/{made['table']}")
    page.evaluate(NOTING)
    if line:
        slow(page, line)
    found, rng, begun, number = Measured(), random.Random(7), time.monotonic(), 0
    while found.decisions < most:
        if frames is None:
            page.wait_for_function(ASKS, timeout=120_000)
        while frames is not None and not page.evaluate(ASKS):
            page.screenshot(path=frames / f"{number:05}.png")
            number += 1
            page.wait_for_timeout(100)
        found.waits.append(time.monotonic() - begun)
        seen = context.request.get(page.url, headers=JSON).json()
        if seen["table"]["status"] == "over":
            break
        if seen["decision"] is None:  # what the page asked has been answered by the clock
            continue
        move = some_move(seen, rng)
        answer = {"decision": str(seen["decision"]), "move": json.dumps(move)}
        sent = context.request.post(f"{page.url}/move", form=answer, headers=JSON)
        assert sent.ok, sent.text()
        found.decisions += 1
        begun = time.monotonic()
        page.wait_for_function(ANOTHER, arg=answer["decision"])
    page.wait_for_timeout(2_500)
    found.shown = {int(name): shown for name, shown in page.evaluate("() => window.moments").items()}
    context.close()
    return found
