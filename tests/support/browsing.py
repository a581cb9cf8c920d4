"""A person at a table in headless Chromium: what the tests of all pages share."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4
from weakref import WeakKeyDictionary

import pytest

from outbid.core.match import Match
from outbid.server.storage.store import Store
from outbid.server.stored import Move, Seat, Stored
from outbid.server.tokens import hashed, new_token

# what has no windows is enough, and opens a page with a fifth of the work
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
    "--renderer-process-limit=1",  # pages of one browser share a process where they can: 0.1 s each
]  # fmt: skip
DESK, PHONE = (1366, 768), (375, 812)
MINE, OVER = "#now[data-yours]", "#over:not([hidden])"
PATIENCE = 60_000  # ms: the machine may be busy
RESTS = "/livez"
MOVES = "localStorage.setItem('only', 'off')"  # the test moves, not the page where there is only one thing to do
UNCOACHED = {"name": "coach", "value": "off"}  # who plays at random would be asked
NEXT = """decision => {
  const field = document.querySelector("#dock input[name=decision]");
  return !field || field.value !== decision || document.querySelector("#over:not([hidden])");
}"""

# browsers of visitors who have left, by what they were made with: a new one reads everything in anew
_rested: WeakKeyDictionary[Any, dict[tuple[Any, ...], list[Any]]] = WeakKeyDictionary()


def place() -> str | None:
    """Where the system's Chromium is; none: Playwright's own is taken."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@contextmanager
def chromium(*more: str) -> Iterator[Any]:
    """Chromium, the system's or Playwright's; without one these tests are skipped. more: what else it is started with."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        pytest.skip("Playwright is not installed")
    with sync_playwright() as playwright:
        try:
            made = playwright.chromium.launch(executable_path=place(), args=[*ARGUMENTS, *more])
        except Error as error:
            pytest.skip(f"Chromium was not found ({str(error).splitlines()[0]})")
        yield made
        made.close()


@contextmanager
def visitor(browser, size: tuple[int, int] = DESK, script: bool = True, quiet: bool = True, but: str = "", **more: Any):
    """A page of somebody new; it must show no error and break no policy (unless not `quiet`). but: a text that
    errors may have; more: what else the browser is made with (`locale`, `reduced_motion`, `timezone_id`)."""
    rested = _rested.setdefault(browser, {}).setdefault((size, script, *sorted(more.items())), [])
    window = {"width": size[0], "height": size[1]}
    context = rested.pop() if rested else browser.new_context(viewport=window, java_script_enabled=script, **more)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.add_init_script(MOVES)
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    try:
        yield page
        wrong = [text for text in wrong if not but or but not in text]
        assert not wrong or not quiet, wrong
        _forget(context, keep=not more)
        rested.append(context)
    except BaseException:
        context.close()
        raise


def expect(what: Any, why: str | None = None) -> Any:
    """What a page comes to show (Playwright's `expect`): it is looked at again until it is so. What `assert` reads at once,
    right after a click, may be the page of before, or one that holds its dock back until a moment is over."""
    from playwright.sync_api import expect as expected

    expected.set_options(timeout=PATIENCE)
    return expected(what, why)


def another(browser, **more: Any):
    """A browser of somebody new, beside the visitor's."""
    context = browser.new_context(**more)
    context.add_init_script(MOVES)
    return context


def _forget(context, keep: bool) -> None:
    """Nothing is left in a browser that the next visitor could be known by; what never changes need not be sent again. keep:
    one page rests where there is nothing to see, so that its process stays for the next ones."""
    context.set_extra_http_headers({})
    rests = any(page.url.endswith(RESTS) for page in context.pages)
    for page in context.pages:
        if page.url.endswith(RESTS):
            continue
        if page.url.startswith("http"):
            late = _cleared(page) / 1000 - time.time()
            assert abs(late) < 3600, "A page whose clock is set belongs in `another` browser: its timers never run again."
            if keep and not rests:
                with suppress(Exception):  # the server is gone already, or what is before it is deaf
                    page.goto(page.url.partition("/t/")[0].rstrip("/") + RESTS, timeout=3_000)
                    rests = True
                    continue
        page.close()
    context.clear_cookies()
    context.clear_permissions()


def _cleared(page) -> float:
    """The time of a page (ms) whose browser remembers nothing of it now. One without a script loads itself anew every five
    seconds, maybe just then: what comes in its place is asked."""
    from playwright.sync_api import Error

    clear = "() => { localStorage.clear(); return Date.now() }"
    try:
        return page.evaluate(clear)
    except Error:
        page.wait_for_load_state()
        return page.evaluate(clear)


@contextmanager
def table(browser, server: str, size: tuple[int, int] = DESK, script: bool = True, quiet: bool = True, **order: str):
    """A visitor at a new table for three with two bots and no coach, of Kuhhandel if `order` names no other game."""
    with visitor(browser, size, script, quiet) as page:
        fields = {"game": "kuhhandel", "players": "3", "name": "Ada", "bots": "steady", "pace": "instant", "preset": "quick"}
        options = {name.replace("option_", "option:"): value for name, value in order.items()}
        page.context.add_cookies([UNCOACHED | {"url": server}])
        answer = page.context.request.post(f"{server}/tables", form=fields | options, max_redirects=0)
        page.goto(server + answer.headers["location"])
        yield page


@contextmanager
def dealt(
    browser, house: tuple[str, Path], match: Match, size: tuple[int, int] = DESK, script: bool = True, quiet: bool = True
):
    """A visitor in the first seat of a match that has begun, among steady bots and with no coach: all that is left to chance
    is what the visitor does."""
    with visitor(browser, size, script, quiet) as page:
        page.context.add_cookies([UNCOACHED | {"url": house[0]}])
        sit(page, house[0] + begun(house[1], match, dict.fromkeys(range(1, match.players), "steady"))[0])
        yield page


def begun(
    database: Path, match: Match, bots: Mapping[int, str] | None = None, pace: str = "instant", **more: Any
) -> list[str]:
    """A table of people whose match has begun, put into the database of a server; the addresses of its seats. bots: those
    that play some of the seats."""
    tokens = [new_token() for _ in match.names]
    made = Stored(
        id=uuid4().hex[:12],
        game=match.rulebook.id,
        rules=match.rulebook.rules_id,
        options=match.options,
        deal=match.deal,
        status="playing",
        pace=pace,
        paused=False,
        seats=tuple(
            Seat("bot", name, bots[n], 1) if bots and n in bots else Seat("human", name, None, 1, hashed(token))
            for n, (name, token) in enumerate(zip(match.names, tokens, strict=True))
        ),
        moves=tuple(Move(m["seat"], {key: value for key, value in m.items() if key != "seat"}) for m in match.moves),
        **more,
    )
    store = Store(f"sqlite:///{database}")
    store.add(made)
    store.close()
    return [f"/t/{made.id}/seat/{token}" for token in tokens]


def sit(page, link: str) -> None:
    """The page of a seat, by its link."""
    assert page.context.request.post(link, max_redirects=0).status == 303
    page.goto(link.partition("/seat/")[0])


def slow(page: Any, line: tuple[int, int]) -> list[int]:
    """Make the line of a page slow: ms until an answer begins, and bytes a second. Returns the bytes of all answers."""
    network, sizes = page.context.new_cdp_session(page), list[int]()
    latency, bytes_a_second = line
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    throughput = dict.fromkeys(("downloadThroughput", "uploadThroughput"), bytes_a_second)
    network.send("Network.emulateNetworkConditions", {"offline": False, "latency": latency, **throughput})
    return sizes


ROOM = "() => document.body.style.getPropertyValue('--coach')"  # the panel of a lesson or a puzzle has the room it takes


def fits(page) -> None:
    """Nothing scrolls sideways, once the style sheets are there."""
    page.wait_for_load_state()  # not wait_for_function: where script is off, it looks once and never again
    width = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1], page.url


class Player:
    """Chooses legal buttons. `seen`: how often each phase was answered."""

    def __init__(self, page, seed: int = 5):
        self.page = page
        self.rng = random.Random(seed)
        self.seen: dict[str, int] = {}

    def play(self, most: int) -> bool:
        """Answer up to `most` questions; true when the match is over."""
        for _ in range(most):
            if self.wait():
                return True
            dock = self.page.locator("#dock")
            phase, decision = (
                dock.get_attribute("data-phase"),
                dock.locator("input[name=decision]").first.get_attribute("value"),
            )
            self.seen[phase] = self.seen.get(phase, 0) + 1
            self.fits()
            self.act(phase)
            self.sent(decision)
        return self.wait()

    def act(self, phase: str) -> None:
        """Answer the question of a phase."""
        getattr(self, phase)()

    def until(self, phase: str, most: int = 30) -> None:
        """Play until this phase is asked."""
        for _ in range(most):
            assert not self.wait(), f"over before {phase}"
            if self.page.locator("#dock").get_attribute("data-phase") == phase:
                return
            self.play(1)
        pytest.fail(f"{phase} was not reached")

    def wait(self) -> bool:
        """Until it is our turn, or the match is over (true)."""
        self.page.wait_for_selector(f"{MINE}, {OVER}")
        if not self.page.locator(OVER).count():
            return False
        self.page.wait_for_selector("[data-counting]", state="detached")  # sums that still count up
        return True

    def sent(self, decision: str) -> None:
        """Until the question is another one; what the coach asks about is played all the same."""
        self.page.wait_for_function(f"(decision) => document.getElementById('coach') || ({NEXT})(decision)", arg=decision)
        if self.has("#coach"):
            self.page.locator("#coach form[data-move] button").click()
            self.page.wait_for_function(NEXT, arg=decision)

    def fits(self) -> None:
        """Nothing scrolls sideways."""
        fits(self.page)

    def menu(self) -> None:
        """Open the menu."""
        self.page.locator("#menu > summary").click()

    def has(self, selector: str) -> bool:
        return bool(self.page.locator(selector).count())

    def likely(self, chance: float) -> bool:
        return self.rng.random() < chance

    def choose(self, act: str) -> None:
        """Choose; the confirmation opens in the same place."""
        self.page.locator(f"{act} > summary").click()
        self.fits()

    def confirm(self, act: str) -> None:
        self.page.locator(f"{act} button.primary").click()

    def both(self, act: str) -> None:
        if self.has(f"{act} > summary"):
            self.choose(act)
            self.confirm(act)
        else:  # what needs no confirmation is one button
            self.page.locator(f"{act} button").click()


def view(page) -> dict[str, Any]:
    """What the seat sees, as a program would read it; not who looks at the page just now, since its socket comes later."""
    seen = page.context.request.get(page.url, headers={"Accept": "application/json"}).json()
    for seat in seen["seats"]:
        del seat["online"]
    return seen


def asked_or_over(page) -> bool:
    """There is something to see for who looks again."""
    seen = page.context.request.get(page.url, headers={"Accept": "application/json"}).json()
    return seen["decision"] is not None or seen["table"]["status"] == "over"


class Unscripted(Player):
    """Has no script: looks again until it is asked."""

    def wait(self) -> bool:
        end = time.monotonic() + PATIENCE / 1000
        while not self.has(MINE) and not self.has(OVER):
            assert time.monotonic() < end
            while not asked_or_over(self.page) and time.monotonic() < end:
                time.sleep(0.02)  # a page takes as much work as many moves
            self.page.reload()
        return self.has(OVER)

    def sent(self, decision: str) -> None:
        """The answer to the form is the table, where another question or none is asked."""
        asked = f'#dock input[name="decision"][value="{decision}"]'
        self.page.wait_for_selector(f"#now ~ .foot > #dock:not(:has({asked}))", state="attached")


def asked_too(player: Any, address: str, database: Path, game: str, phases: set[str]) -> None:
    """Answers once in each of these phases that chance has not brought: in positions of the gallery, among bots."""
    from tests.support.gallery import SHOWS, gallery

    missing = phases - player.seen.keys()
    for piece in gallery(next(show for show in SHOWS if show.game == game)) if missing else ():
        if piece.phase in missing:
            bots = {seat: "random" for seat in range(piece.match.players) if seat != piece.seat}
            player.page.context.add_cookies([UNCOACHED | {"url": address}])
            sit(player.page, address + begun(database, piece.match, bots)[piece.seat])
            player.play(1)


def looked_back(player: Any) -> None:
    """Every button of a replay shows a page that fits."""
    for name in ("On", "Last", "Back", "First"):
        step(player.page, name)
        player.fits()


def step(page: Any, name: str) -> None:
    """Take a step of a replay, and wait until it is shown."""
    link = page.get_by_role("link", name=name, exact=True)
    there = link.get_attribute("href")
    link.click()
    page.wait_for_function("there => location.href.endsWith(there)", arg=there)
