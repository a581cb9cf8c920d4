"""A real server in a process of its own, and a person who plays at it over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import json
import multiprocessing
import os
import random
import re
import signal
import ssl
import sys
import threading
import time
import uuid
import weakref
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import argon2
import httpx
from argon2 import PasswordHasher
from websockets.sync.client import ClientConnection, connect

from tests.support import fresh  # noqa: F401

T = TypeVar("T")
JSON = {"Accept": "application/json"}
TRUSTED = ssl.create_default_context()  # one for all clients: each would read the certificates for itself, 30 ms
get, post = (partial(one, timeout=60, verify=TRUSTED) for one in (httpx.get, httpx.post))  # the machine may be busy
QUICK = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)  # as usual it takes 0.2 s of work for a password
FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(["tests.support.preloaded"])
FORKED_FROM = forkserver._forkserver


def at_once(work: Coroutine[Any, Any, T]) -> T:
    """What work comes to, also where an event loop runs already: then in another one, for which it waits."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as other:
        return other.submit(asyncio.run, work).result()


def until(true: Callable[[], Any], seconds: float = 60) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def append(store: Any, *facts: Any, **more: Any) -> None:
    """Write a move to a store, and wait until it is there."""
    at_once(store.appended(*facts, **more))


class Server:
    """A server process. It is forked from one that has read in all a server needs, which takes longer than most tests."""

    running: ClassVar[set[int]] = set()  # the ids of all of them

    def __init__(self, settings: dict[str, Any]):
        reader, writer = FORKING.Pipe(duplex=False)
        errors = Connection(os.dup(2), readable=False)  # it writes where this process does now
        self.process = FORKING.Process(target=_serve, args=(writer, errors, dict(os.environ), settings))
        self.process.start()
        self.pid: int = self.process.pid or 0
        self.running.add(self.pid)
        writer.close()
        errors.close()
        self.said = os.fdopen(os.dup(reader.fileno()), encoding="utf-8")
        reader.close()

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Send it a signal; it has ended, and so has everything that may print for it."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)
        self.wait()

    def wait(self) -> int:
        """How it ended. Raises TimeoutError after 20 s."""
        ended = threading.Thread(target=self._read_on, daemon=True)
        ended.start()
        ended.join(20)
        self.process.join(20)
        if ended.is_alive() or self.process.exitcode is None:
            raise TimeoutError("The server, or a process that it has started, did not end within 20 s.")
        self.running.discard(self.pid)
        return self.process.exitcode

    def _read_on(self) -> None:
        if not self.said.closed:
            self.said.read()
            self.said.close()


def ends_with_its_parent() -> None:
    """However a run of the tests ends, this process ends with it; only Linux can tell it. What it was forked from waits for
    the end of all that hold its line to the run: this process lets go of it."""
    if sys.platform == "linux":
        os.close(FORKED_FROM._forkserver_alive_fd)  # type: ignore[attr-defined]
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def _serve(output: Connection, errors: Connection, environment: dict[str, str], settings: dict[str, Any]) -> None:
    ends_with_its_parent()
    for number, line in enumerate((output, errors), 1):
        os.dup2(line.fileno(), number)
        line.close()
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    os.environ.clear()
    os.environ.update(environment)
    from outbid.core.rulebook import FILES
    from outbid.server.domain.contests import daily
    from outbid.server.main import run
    from tests.support import preloaded

    if not settings.pop("hashes", False):
        argon2.PasswordHasher = QUICK  # type: ignore[misc, assignment]
    if day := settings.pop("today", ""):
        daily.today = lambda: day
    if environment.get(FILES):
        preloaded.without_tables()
    run(**settings)


def start(database: Path | str, port: int = 0, **settings: Any) -> tuple[Server, str]:
    """A server process, and the address it printed. Pages take a click at once: a program means every click it makes. On
    a line where nothing happens nothing is said, and nobody minds: a test reads what comes next. hashes: passwords are kept
    as usual, and not in the quickest way there is. today: another date."""
    settings["limits"] = {"settle": 0, "beat": 3600, "silence": 3600, **settings.get("limits", {})}
    server = Server({"database": str(database), "port": port, "pace": "instant", **settings})
    line = server.said.readline()
    found = re.search(r"https?://\S+", line)
    assert found, f"the server did not start: {line!r}"
    return server, found[0]


def stop(server: Server) -> None:
    """End a server."""
    server.kill(signal.SIGTERM)


@contextmanager
def serving(database: Path | str, **settings: Any) -> Iterator[str]:
    """The address of a server while the context lasts."""
    server, address = start(database, **settings)
    try:
        yield address
    finally:
        stop(server)


class Person:
    """Somebody with a browser of their own, at one table."""

    def __init__(self, address: str):
        self.http = httpx.Client(base_url=address, timeout=20, verify=TRUSTED)
        weakref.finalize(self, self.http.close)  # a test that fails leaves no open connection to the next
        self.table = ""
        self.links: dict[str, str] = {}  # of the seats it has taken, by table

    @property
    def token(self) -> str:
        """The secret of its seat."""
        return self.links[self.table].rpartition("/")[2]

    def take(self, link: str) -> httpx.Response:
        """Take the seat of a seat link."""
        return self.http.post(link, headers=JSON)

    def order(self, **fields: Any) -> str:
        """Make a table; returns its seat link."""
        wanted = {"game": "kuhhandel", "players": 3, "name": "Ada", "bots": "random", "preset": "quick", **fields}
        made = self.http.post("/tables", data=wanted, headers=JSON)
        assert made.status_code == 201, made.text
        self.table = made.json()["table"]
        self.links[self.table] = made.json()["link"]
        return self.links[self.table]

    def join(self, table: str, name: str) -> None:
        """Take a seat."""
        self.table = table
        joined = self.http.post(f"/t/{table}/join", data={"name": name}, headers=JSON)
        assert joined.status_code == 201, joined.text
        self.links[table] = joined.json()["link"]

    def now(self) -> dict[str, Any]:
        """The table as this person sees it."""
        answer = self.http.get(f"/t/{self.table}", headers=JSON)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def asked(self) -> dict[str, Any]:
        """The table when this person is asked, or when the match is over."""
        pause = 0.004
        while True:
            seen = self.now()
            if seen["decision"] is not None or seen["table"]["status"] == "over":
                return seen
            time.sleep(pause)
            pause = min(2 * pause, 0.1)  # to look takes work from whoever thinks

    def send(self, move: dict[str, Any], decision: int, command: str | None = None) -> httpx.Response:
        """Send a move as the fields of a form."""
        fields: dict[str, Any] = {"decision": decision, "command": command or str(uuid.uuid4())}
        for key, value in move.items():
            if key == "cards":
                fields |= {"cards": "", **{f"cards:{card}": value.count(card) for card in value}}
            else:
                kind = "bool" if isinstance(value, bool) else "int" if isinstance(value, int) else "str"
                fields[key if key == "do" else f"{kind}:{key}"] = value
        return self.http.post(f"/t/{self.table}/move", data=fields, headers=JSON)


@contextmanager
def people(address: str, number: int = 2) -> Iterator[list[Person]]:
    """Browsers that know nothing of each other."""
    made = [Person(address) for _ in range(number)]
    try:
        yield made
    finally:
        for person in made:
            person.http.close()


def some_move(seen: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """A legal move of whoever is asked."""
    choice = rng.choice(seen["legal"])
    move = dict(rng.choice(choice.get("moves", [choice["move"]])))
    if "amounts" in choice:
        low, high, step = choice["amounts"]
        move["amount"] = rng.choice(range(low, min(high, low + 3 * step) + 1, step))
    if "cards" in choice:
        cards = choice["cards"]
        if move["do"] == "bid":  # in Money!
            return {**move, "cards": [rng.choice(cards)], "bluff": False}
        move["cards"] = (
            payment(cards, seen["view"]["auction"]["bid"]) if move["do"] == "pay" else rng.sample(cards, len(cards) // 3)
        )
    return move


SHORT = {"option:copies": "0, 0, 0, 0, 0, 0, 4, 4, 4, 0"}  # a match of Kuhhandel that is soon over


def play_out(*persons: Person) -> None:
    """The match is played to its end."""
    rng = random.Random(4)
    while True:
        asked = False
        for person in persons:
            seen = person.now()
            if seen["table"]["status"] == "over":
                return
            if seen["decision"] is not None:
                asked = True
                person.send(some_move(seen, rng), seen["decision"])
        if not asked:
            time.sleep(0.005)


def payment(cards: list[int], price: int) -> list[int]:
    """Cards that reach a price, none of which could be left out."""
    laid: list[int] = []
    for card in sorted(cards, reverse=True):
        if sum(laid) < price:
            laid.append(card)
    for card in sorted(laid):
        if sum(laid) - card >= price:
            laid.remove(card)
    return laid


def unmarked(html: str) -> str:
    """A page in which names are no elements of their own."""
    return re.sub("</?bdi[^>]*>", "", re.sub('<span class="kept">(.*?)</span>', r"\1", html))


def sentence(answer: httpx.Response, status: int) -> str:
    """The one sentence of a refusal."""
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert isinstance(error, str)
    assert 10 < len(error) <= 320
    assert error[0].isupper() or not error[0].isalpha()
    assert error.endswith((".", "…"))
    assert "Traceback" not in error
    return error


def line_to(person: Person, headers: dict[str, str] | None = None, query: str = "", **extra: Any) -> ClientConnection:
    """The socket of a person's page."""
    address = str(person.http.base_url).replace("http", "ws", 1).rstrip("/")
    cookies = "; ".join(f"{name}={value}" for name, value in person.http.cookies.items())
    sent = {**({"Cookie": cookies} if cookies else {}), **(headers or {})}
    return connect(f"{address}/t/{person.table}/socket{query}", additional_headers=sent, **extra)


def hear(line: Any, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    while True:
        message = json.loads(line.recv(timeout=20))
        if message["type"] == kind:
            return message
