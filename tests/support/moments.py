"""A measured match: how long what concerns a player stands on the stage of their page, if they tap nothing while it does.

The page is real and open at a real server. Its player answers as soon as the page asks, as the heuristic does: its choice in
the position of the record is tapped where the page has a button for it, and sent over HTTP where it takes more taps. What
stood where is noted in the page, every 50 ms and whenever something is shown or held, so that a busy machine loses nothing:
a card counts while its middle lies on the stage and nothing covers it there; what is shown in place counts while the first
of the things lies there so and the next question is held.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from outbid.bots import choose
from outbid.core.match import Match
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from tests.support.browsing import another, begun, sit, slow
from tests.support.serving import JSON

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
  let [last, seen] = [performance.now(), []];
  const note = () => {
    const [now, stage] = [performance.now(), document.querySelector("#stage")];
    for (const name of seen) window.moments[name] += now - last;
    [last, seen] = [now, []];
    for (const card of document.querySelectorAll("#result [data-mine]")) {
      const name = card.dataset.outcome;
      window.moments[name] ??= 0;
      const inPlace = document.documentElement.dataset.holding === "in-place";
      const place = "inPlace" in card.dataset ? inPlace && stage?.querySelector("[data-sum]")?.closest("li") : card;
      if (card.classList.contains("shown") && stage && place && !covered(place, stage)) seen.push(name);
    }
  };
  setInterval(note, 50);
  const what = { attributes: true, attributeFilter: ["class", "data-holding"], subtree: true };
  new MutationObserver(note).observe(document.documentElement, what);
}"""
ASKS = """() => document.querySelector("#over .banner")
  || (document.querySelector(".now[data-yours]") && !("holding" in document.documentElement.dataset))"""

BUTTON = """move => {
  const facts = (text) => JSON.stringify(Object.entries(JSON.parse(text)).sort());
  const ways = [...document.querySelectorAll("button[name=move]:not([data-raises])")];
  const way = ways.find((button) => button.checkVisibility() && facts(button.value) === facts(move));
  if (way) way.dataset.tap = "";
  return way !== undefined;
}"""
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
    browser: Any, house: tuple[str, Path], match: Match, size: tuple[int, int], *, guide: bool, most: int = 10_000,
    pace: str = "normal", frames: Path | None = None, line: tuple[int, int] | None = None,
) -> Measured:  # fmt: skip
    """A match of its first seat against steady bots, or its first `most` decisions. house: a server and its database; match:
    one that has begun; guide: the first-time cards are open; frames: where a picture of the page is kept five times a
    second; line: what its line is like, as for `browsing.slow`."""
    address, database = house
    context = another(browser, viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('learned', '{'' if guide else 'all'}'); localStorage.setItem('only', 'off')")
    sit(page, address + begun(database, match, dict.fromkeys(range(1, match.players), "steady"), pace)[0])
    page.evaluate(NOTING)
    if line:
        slow(page, line)
    found, store, match = Measured(), Store(url_of(str(database))), match.copy()
    table, since, number = page.url.rpartition("/")[2], time.monotonic(), 0
    while found.decisions < most:
        if frames is None:
            page.wait_for_function(ASKS, timeout=120_000)
        while frames is not None and not page.evaluate(ASKS):
            page.screenshot(path=frames / f"{number:05}.png")
            number += 1
            page.wait_for_timeout(100)
        found.waits.append(time.monotonic() - since)
        for move in store.moves(table, len(match.moves)):
            match.play(move.seat, move.said)
        if match.over:
            break
        if 0 not in match.asked:  # what the page asked has been answered by the clock
            continue
        decision = page.locator("#dock input[name=decision]").first.input_value()
        answer(page, match, decision)
        found.decisions += 1
        since = time.monotonic()
        page.wait_for_function(ANOTHER, arg=decision, timeout=120_000)
    page.wait_for_timeout(2_500)
    found.shown = {int(name): shown for name, shown in page.evaluate("() => window.moments").items()}
    context.close()
    store.close()
    return found


def answer(page: Any, match: Match, decision: str) -> None:
    """Do what the heuristic would do: on the page's own button, if it has one for that."""
    steps = choose(match, 0, "steady", len(match.moves)).actions
    move = json.dumps(match.rulebook.words.move(match.state, 0, list(steps)))
    if page.evaluate(BUTTON, move):
        page.locator("[data-tap]").click()
    else:
        sent = page.context.request.post(f"{page.url}/move", form={"decision": decision, "move": move}, headers=JSON)
        assert sent.ok, sent.text()
