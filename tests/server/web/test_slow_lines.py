"""Lines that are slow and tabs that slept: a table is played there as anywhere, and one's own question comes at once."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack
from typing import Any

import pytest

from outbid.bots import choose
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from tests.support import browsing
from tests.support.browsing import MINE, PHONE, expect, slow, visitor
from tests.support.moments import measured
from tests.support.serving import people, serving
from tests.support.tapping import DECISION, GAMES, decide

pytestmark = [pytest.mark.slow, pytest.mark.browser]

THIRD = (400, 50_000)  # ms until an answer begins, and bytes a second
FAR = (2_000, 50_000)
BYTES = 600_000  # of the front page and a table, both opened for the first time: 12 s
HOLDS = "() => 'holding' in document.documentElement.dataset"
SAMPLE = ("kuhhandel",)
TWICE = """() => {
  const button = document.querySelector("#dock .act[open] button.primary, #dock .single button");
  const [form, toast] = [button.closest("form"), document.getElementById("toast")];
  new MutationObserver(() => document.querySelector("form[aria-busy=true]") || (window.gone ??= toast.hidden))
    .observe(document.body, { subtree: true, attributes: true, attributeFilter: ["aria-busy", "hidden"], childList: true });
  button.click();
  const busy = form.ariaBusy;
  button.click();
  return [busy, toast.hidden];
}"""


def moves(page: Any) -> list[str]:
    """The questions that this page sends answers to."""
    sent: list[str] = []

    def told(frame: Any) -> None:
        message = json.loads(frame)
        if message.get("type") == "move":
            sent.append(message["fields"]["decision"])

    page.on("websocket", lambda socket: socket.on("framesent", told))
    return sent


@pytest.mark.parametrize("game", [game if game in SAMPLE else pytest.param(game, marks=pytest.mark.deep) for game in GAMES])
@pytest.mark.parametrize("line", [THIRD, pytest.param(FAR, marks=pytest.mark.deep)], ids=["3G", "2 s"])
def test_a_game_is_begun_and_played_on_a_slow_line(browser, server: str, game: str, line: tuple[int, int]):
    with visitor(browser, PHONE) as page:
        page.context.set_default_timeout(90_000)
        page.context.add_cookies([browsing.UNCOACHED | {"url": server}])
        page.add_init_script("localStorage.setItem('learned', 'all')")
        sizes, sent = slow(page, line), moves(page)
        page.goto(server)
        page.locator(f"button[name=game][value={game}].primary").click()
        page.wait_for_selector("[data-connection].on")
        assert sum(sizes) < BYTES
        for _ in range(3):
            page.wait_for_selector(f"{MINE}, {browsing.OVER}")
            if page.locator(browsing.OVER).count():
                break
            before = page.evaluate(DECISION)
            decide(page)
            page.wait_for_function(browsing.NEXT, arg=before)
        assert len(sent) == len(set(sent)) > 0


def test_a_tap_gives_a_sign_at_once_and_the_second_does_nothing(browser, house):
    match = Match.new(rulebook("rivals"), {}, 3, 3, ["Bruno", "Clara", "Doris"])
    with visitor(browser, PHONE) as page:
        sent = moves(page)
        browsing.sit(page, house[0] + browsing.begun(house[1], match)[match.asked[0]])
        page.wait_for_selector("[data-connection].on")
        slow(page, (4_000, 50_000))  # a page looks once a second whether it takes long
        page.locator("#dock .act > summary, #dock .single button").first.wait_for()
        if not page.locator("#dock .single button").count():
            page.locator("#dock .act > summary").first.click()
        before = page.evaluate(DECISION)
        assert page.evaluate(TWICE) == ["true", False], "it is not said that it is on its way"
        page.wait_for_function(browsing.NEXT, arg=before)
        assert page.evaluate("() => window.gone"), "which is said until it has arrived"
        assert sent == [before]


def test_what_came_of_something_is_seen_as_long_on_a_slow_line(browser, house):
    begun = Match.new(rulebook("money"), {}, 3, 3, ["Ada", "Bruno", "Clara"])
    match = measured(browser, house, begun, PHONE, guide=False, most=3, line=THIRD)
    assert match.shown, "nothing came of anything"
    assert match.shortest >= 1.5, match.shown


SLEEPS = """hidden => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
NOTED = """() => {
  [window.holds, window.sounds] = [0, 0];
  new MutationObserver(() => "holding" in document.documentElement.dataset && window.holds++)
    .observe(document.documentElement, { attributes: true });
  const start = AudioScheduledSourceNode.prototype.start;
  AudioScheduledSourceNode.prototype.start = function (...at) { window.sounds++; return start.apply(this, at); };
}"""


ASKED = f"""decision => document.querySelector("#dock input[name=decision]")?.value === decision && !({HOLDS})()"""


def slept_through() -> tuple[Match, list[dict[str, Any]]]:
    """A match of Kuhhandel in which one has bid, and what the others do then until one is asked again: five moves or more,
    and somebody else gets the animal."""
    match = Match.new(rulebook("kuhhandel"), {}, 4, 1, ["Ada", "Ben", "Cem", "Dot"])
    begun, bid = match.copy(), False
    while not match.over:
        seat, meanwhile = match.asked[0], match.moves[len(begun.moves) :]
        if seat == 0 and bid and len(meanwhile) >= 5 and "sell" in [move["do"] for move in meanwhile]:
            return begun, meanwhile
        match.play_steps(seat, choose(match, seat, "steady", len(match.moves)).actions)
        if seat == 0:
            begun = match.copy()
            bid = match.moves[-1]["do"] == "bid" or (bid and match.moves[-1]["do"] == "pass")
    raise AssertionError("no such match")


@pytest.mark.parametrize("way", ["awake", "hidden", "suspended", "suspended, and the line is dead"])
def test_a_tab_that_slept_shows_at_once_what_has_become_of_its_table(browser, tmp_path: Any, way: str):
    """Also one that was suspended without having been hidden, as a laptop is whose lid is shut."""
    (match, meanwhile), database, dead = slept_through(), tmp_path / "tables.db", way.endswith("dead")
    with visitor(browser, PHONE, quiet=not dead) as page, ExitStack() as servers:
        address = servers.enter_context(serving(database, pace="normal"))
        links = browsing.begun(database, match, pace="normal")
        page.add_init_script("localStorage.setItem('learned', 'all')")
        browsing.sit(page, address + links[0])
        page.wait_for_selector("[data-connection].on")
        page.mouse.click(5, 5)
        page.evaluate(NOTED)
        control, begun = page.context.new_cdp_session(page), time.monotonic()
        if way == "hidden":
            page.evaluate(SLEEPS, True)
            control.send("Page.setWebLifecycleState", {"state": "frozen"})
        elif way != "awake":
            control.send("Debugger.enable")
            control.send("Debugger.pause")
        if dead:
            servers.close()
            servers.enter_context(serving(database, port=int(address.rpartition(":")[2]), pace="normal"))
        with people(address, 4) as persons:
            for person, link in zip(persons, links, strict=True):
                person.table = link.split("/")[2]
                person.take(link)
            for move in meanwhile:
                person = persons[move["seat"]]
                fields = {key: value for key, value in move.items() if key != "seat"}
                assert person.send(fields, person.asked()["decision"]).status_code == 200
            decision = persons[0].asked()["decision"]
        if way == "hidden":
            control.send("Page.setWebLifecycleState", {"state": "active"})
            page.evaluate(SLEEPS, False)
        elif way != "awake":
            time.sleep(max(0.0, begun + 20 - time.monotonic()))  # under ten it is no sleep, and it begins a little later
            control.send("Debugger.resume")
            control.send("Debugger.disable")
        page.wait_for_function(ASKED, arg=str(decision))
        assert (page.evaluate("window.holds") > 0) == (way == "awake")
        expect(page.locator("#dock")).to_be_visible()
        assert page.evaluate("window.sounds") <= 4, "all at once"
