"""A line that is dead: a network that goes without a word is noticed, no move is lost and none is made twice.

A proxy stands before a real server and goes deaf: it forwards nothing any more and closes nothing; new connections work.
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest

from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.server.settings import Settings
from outbid.server.web import pages
from outbid.wire.link import Link
from outbid.wire.visit import Visit
from tests.support.browsing import MINE, NEXT, begun, sit, visitor
from tests.support.houses import own_server
from tests.support.joining import clients, open_table, reply
from tests.support.serving import JSON, Person, hear, line_to, people, some_move, until

HASTY = {"beat": 0.2, "silence": 1.5, "receipt": 1}
PATIENT = {"silence": 600, "receipt": 600, "settle": 0.3}
LIVE = "() => document.querySelector('[data-connection]').textContent === 'live'"
STATE = "document.querySelector('[data-connection]').textContent"


class Proxy:
    """Forwards bytes to a server. `lines`: how many connections there have been."""

    def __init__(self, address: str):
        self.server = urlsplit(address)
        self.door = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.door.getsockname()[1]}"
        self.lines = 0
        self._deaf = threading.Event()
        self._open: list[socket.socket] = [self.door]
        self._closed = False
        threading.Thread(target=self._serve, daemon=True).start()

    def deafen(self) -> None:
        """The connections that there are carry nothing any more, and nobody is told."""
        self._deaf.set()
        self._deaf = threading.Event()

    def close(self) -> None:
        """Everything ends."""
        self._closed = True
        for one in self._open:
            one.close()

    def _serve(self) -> None:
        while True:
            try:
                near, _address = self.door.accept()
            except OSError:
                return
            far = socket.create_connection((self.server.hostname, self.server.port))
            self._open += [near, far]
            if self._closed:  # meanwhile
                return self.close()
            self.lines += 1
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pump, args=(one, other, self._deaf), daemon=True).start()

    def _pump(self, one: socket.socket, other: socket.socket, deaf: threading.Event) -> None:
        try:
            while data := one.recv(65536):
                if not deaf.is_set():
                    other.sendall(data)
            if not deaf.is_set():
                other.shutdown(socket.SHUT_WR)
        except OSError:
            pass


hasty = own_server(limits=HASTY)  # waits for nothing
patient = own_server(limits=PATIENT)  # its pages wait for ever, unless something happens; a double click is one


@contextmanager
def behind(address: str) -> Iterator[Proxy]:
    """A proxy before a server."""
    proxy = Proxy(address)
    try:
        yield proxy
    finally:
        proxy.close()


# --- what the server says ---------------------------------------------------------------------------------------------


def test_usually_the_server_speaks_every_15_s_and_the_page_waits_40_s_for_a_word_and_5_for_a_receipt(hasty: str):
    usual = Settings("sqlite://")
    assert (usual.beat, usual.silence, usual.receipt, usual.settle) == (15, 40, 5, 0.3)
    assert (Visit.silence, Visit.receipt) == (40, 5)
    with people(hasty, 1) as (ada,):
        for bots in ("random", "open"):
            ada.order(bots=bots)
            assert 'data-silence="1.5" data-receipt="1" data-settle="0"' in ada.http.get(f"/t/{ada.table}").text


@pytest.mark.parametrize("headers", [None, JSON], ids=["page", "program"])
def test_a_socket_says_something_when_nothing_happens(hasty: str, headers: dict[str, str] | None):
    with people(hasty, 1) as (ada,):
        ada.order(bots="open")
        with line_to(ada, headers) as line:
            first, second = hear(line, "beat"), hear(line, "beat")
            assert 150 < second["time"] - first["time"] < 5000


def test_a_command_is_received_before_it_is_carried_out_also_one_that_is_refused(server: str):
    with people(server, 1) as (ada,):
        ada.order(bots="steady")
        seen = ada.asked()
        with line_to(ada) as line:
            hear(line, "regions")
            for move, ok in (({"do": "fly"}, False), (some_move(seen, random.Random(1)), True)):
                name, fields = str(uuid4()), {"move": json.dumps(move), "decision": seen["decision"]}
                line.send(json.dumps({"type": "move", "id": name, "fields": fields}))
                told = [line.recv(timeout=20)]
                while '"ack"' not in told[-1]:
                    told.append(line.recv(timeout=20))
                assert told[0] == f'{{"type":"receipt","id":"{name}"}}'
                assert f'"id":"{name}","ok":{str(ok).lower()}' in told[-1]


def test_a_probe_is_answered_with_a_receipt_and_nothing_else(server: str):
    with people(server, 1) as (ada,):
        ada.order(bots="open")
        with line_to(ada, JSON) as line:
            hear(line, "table")
            line.send('{"type": "probe", "id": "one"}')
            assert line.recv(timeout=20) == '{"type":"receipt","id":"one"}'
            line.send('{"type": "probe", "id": "two"}')
            assert line.recv(timeout=20) == '{"type":"receipt","id":"two"}'


# --- the page ---------------------------------------------------------------------------------------------------------


@contextmanager
def seated(browser: Any, address: str, near: str) -> Iterator[tuple[Any, Person]]:
    """A page that plays through the proxy at a table with another person and a bot, and that person."""
    given_up = "WebSocket is closed before the connection is established"  # a page that waited too long tries again
    with people(address, 1) as (host,), visitor(browser, but=given_up) as page:
        host.order(bots="open,random", preset="quick")
        page.goto(f"{near}/t/{host.table}")
        page.locator('form[action$="/join"] input[name=name]').fill("Berta")
        page.locator('form[action$="/join"] button').click()
        page.wait_for_selector("#dock")
        page.wait_for_function(LIVE)
        yield page, host


def until_asked(page: Any, host: Person) -> None:
    """The page is asked."""
    rng = random.Random(1)
    while True:
        seen = host.now()
        if "Berta" in seen["waiting"]:
            page.wait_for_selector(MINE)
            return
        if seen["decision"] is not None:
            host.send(some_move(seen, rng), seen["decision"])


def moves_of(host: Person, name: str) -> int:
    """How many moves somebody has made, by what the log says."""
    seen = host.now()
    seat = next(n for n, one in enumerate(seen["seats"]) if one["name"] == name)
    return len({line["move"] for line in seen["log"] if line["seat"] == seat})


def click(page: Any, impatient: bool = False) -> str:
    """Answers the question; returns which it was. impatient: with two clicks, before anything can come back."""
    decision = page.locator("#dock input[name=decision]").first.get_attribute("value")
    button = page.locator("#dock form.single button:visible").first
    if not button.count():
        page.locator("#dock details.act > summary:visible").first.click()
        button = page.locator("#dock .act[open] button.primary")
    if impatient:
        button.evaluate("button => (button.click(), button.click())")
    else:
        button.click()
    return decision


@pytest.mark.browser
@pytest.mark.slow
def test_a_click_into_a_dead_line_is_said_to_wait_and_arrives_once(hasty: str, browser: Any):
    with behind(hasty) as proxy, seated(browser, hasty, proxy.address) as (page, host):
        until_asked(page, host)
        before = moves_of(host, "Berta")
        page.evaluate(
            f"""() => {{
              window.told = new Set();
              const all = {{ subtree: true, childList: true, characterData: true }};
              const tell = () => window.told.add({STATE}).add(document.querySelector("#toast").textContent);
              new MutationObserver(tell).observe(document.body, all);
            }}"""
        )
        proxy.deafen()
        decision = click(page, impatient=True)
        page.wait_for_function("() => window.told.has('Your move is on its way…')")
        page.wait_for_function(NEXT, arg=decision)
        page.wait_for_function(LIVE)
        assert moves_of(host, "Berta") == before + 1
        told = page.evaluate("[...window.told]")
        assert "reconnecting; your move is waiting to be sent" in told


@pytest.mark.browser
def test_a_page_that_hears_nothing_connects_again_and_shows_what_has_happened(hasty: str, browser: Any):
    with behind(hasty) as proxy, seated(browser, hasty, proxy.address) as (page, host):
        proxy.deafen()
        until_asked(page, host)
        assert page.evaluate(STATE) == "live"


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize(
    "event",
    [
        "window.dispatchEvent(new Event('online'))",
        "window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))",
    ],
    ids=["online", "pageshow"],
)
def test_a_network_that_comes_back_is_used_at_once_whatever_the_old_line_seems_to_be(patient: str, browser: Any, event: str):
    with behind(patient) as proxy, seated(browser, patient, proxy.address) as (page, host):
        until_asked(page, host)
        before = moves_of(host, "Berta")
        proxy.deafen()
        decision = click(page)
        page.evaluate(event)
        page.wait_for_function(NEXT, arg=decision)
        assert moves_of(host, "Berta") == before + 1


@pytest.mark.slow
@pytest.mark.browser
def test_a_page_that_comes_into_sight_asks_whether_its_line_is_alive_and_keeps_it_if_it_is(hasty: str, browser: Any):
    with behind(hasty) as proxy, seated(browser, hasty, proxy.address) as (page, host):
        seen = "document.dispatchEvent(new Event('visibilitychange'))"
        before = proxy.lines
        page.evaluate(seen)
        page.wait_for_timeout(700)  # longer than half of `receipt`: nothing shall happen
        assert proxy.lines == before
        proxy.deafen()
        page.evaluate(seen)
        until_asked(page, host)


@pytest.mark.slow
@pytest.mark.browser
def test_where_sockets_do_not_come_through_a_waiting_move_goes_as_a_form(patient: str, browser: Any):
    with behind(patient) as proxy, seated(browser, patient, proxy.address) as (page, host):
        until_asked(page, host)
        before = moves_of(host, "Berta")
        page.route_web_socket("**/socket*", lambda ws: ws.close())
        page.reload()
        page.wait_for_selector(MINE)
        decision = click(page)
        page.wait_for_function(NEXT, arg=decision)
        assert moves_of(host, "Berta") == before + 1


CAME = """document.addEventListener("readystatechange", () => {
  if (document.readyState === "interactive") for (const one of document.querySelectorAll("[id]")) one.came = true;
})"""


@pytest.mark.browser
def test_what_a_page_came_with_stays_in_place_when_its_line_is_up(browser: Any, server: str, server_database: Path):
    """The line says at first how everything stands. Who clicks just then loses no click: nothing is put in its place."""
    match = Match.new(rulebook("kuhhandel"), {}, 3, 4, ["Ada", "Ben", "Cem"])
    link = begun(server_database, match)[match.asked[0]]
    with visitor(browser) as page:
        page.add_init_script(CAME)
        sit(page, server + link)
        page.wait_for_function("() => !document.getElementById('chat').came")  # it comes with the first word of the line
        assert page.evaluate("all => all.filter((id) => !document.getElementById(id).came)", list(pages.REGIONS)) == []
        page.locator("#act-auction button").click()
        page.wait_for_function("() => !document.getElementById('dock').came")


# by the clock of the page: a busy machine brings the second click of a test later than a person's
DOUBLE = """([x, y]) => {
  const click = () => document.elementFromPoint(x, y)?.click();
  click();
  return new Promise((done) => setTimeout(() => done(click()), 170));
}"""


@pytest.mark.browser
@pytest.mark.slow
def test_the_second_click_of_a_double_click_answers_nothing(patient: str, browser: Any):
    with visitor(browser) as page:
        fields = {"game": "kuhhandel", "players": "3", "name": "Hana", "bots": "steady", "pace": "instant"}
        made = page.context.request.post(f"{patient}/tables", form=fields, max_redirects=0)
        page.goto(patient + made.headers["location"])
        link = page.url
        page.wait_for_selector("#dock")

        def mine() -> int:
            log = page.context.request.get(link, headers=JSON).json()["log"]
            return len({line["move"] for line in log if line["seat"] == 0})

        tried = 0
        while tried < 5:
            page.wait_for_selector(MINE)
            button = page.locator("#dock form.single button:visible")
            if not button.count():
                click(page)
                page.wait_for_timeout(50)
                continue
            tried += 1
            page.wait_for_selector(".settling", state="detached")
            before, box = mine(), button.last.bounding_box()
            page.evaluate(DOUBLE, [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
            until(lambda made=before: mine() > made)
            page.wait_for_timeout(350)
            assert mine() == before + 1


# --- the terminal client ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_move_typed_into_a_dead_line_is_said_to_wait_and_arrives_once(tmp_path: Path, hasty: str):
    code = "from outbid.wire.visit import Visit; Visit.receipt = 0.5; from outbid.cli import main; main()"
    with people(hasty, 1) as (host,), clients(tmp_path) as join, behind(hasty) as proxy:
        link = open_table(host, "kuhhandel", bots="open,random")
        ben = join(link.replace(hasty, proxy.address), "--plain", "--name", "Ben", code=code)
        ben.until("Kuhhandel")
        rng = random.Random(2)
        while "Ben" not in (seen := host.now())["waiting"]:
            if seen["decision"] is not None:
                host.send(some_move(seen, rng), seen["decision"])
        ask = ben.until("Type 1")
        before = moves_of(host, "Ben")
        proxy.deafen()
        while (said := reply(ask, rng)) is not None:
            ben.type(said)
            ask = ben.line() or ""
        assert [ask, ben.line()] == ["The connection is lost; trying again.", "Your move is waiting to be sent."]
        ben.until("Connected again.")
        while moves_of(host, "Ben") == before:
            pass
        assert moves_of(host, "Ben") == before + 1


def test_a_visit_that_hears_nothing_connects_again(hasty: str):
    async def watch(proxy: Proxy, host: Person) -> None:
        visit = Visit(Link.read(f"{proxy.address}/t/{host.table}"))
        visit.silence = 0.8
        lost: list[bool] = []
        visit.heard = lambda fresh: lost.append(visit.lost)
        watching = asyncio.create_task(visit.watch())
        while not lost:
            await asyncio.sleep(0.01)
        await asyncio.sleep(1.5)  # the signs of life are enough
        assert not any(lost)
        proxy.deafen()
        while lost[-1] or not any(lost):
            await asyncio.sleep(0.01)
        assert proxy.lines >= 2
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)

    with people(hasty, 1) as (host,), behind(hasty) as proxy:
        host.order(bots="open")
        with ThreadPoolExecutor() as apart:  # Playwright has a loop of its own in this thread
            apart.submit(lambda: asyncio.run(asyncio.wait_for(watch(proxy, host), 30))).result()
