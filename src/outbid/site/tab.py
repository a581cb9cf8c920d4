"""The application in a browser tab: what the worker of a page (worker.js) asks of Python.

    start(database)   opens the database and begins the application's life; returns a `Tab`
    Tab.request       a page or a form of the frame, as the service worker hands it on → status, headers, body
    Tab.socket        the line of a table's page

It is the server's application (server/web/app.py) with `Settings.alone`: the same routes, scenes and templates, without what
needs others (server/web/absent.py), without threads and processes. Whatever would be done in another thread is done at once:
Pyodide's event loop does so itself, and anyio is told to. Bots think here.

A service worker can neither read nor set cookies, so they are kept here, in a table of the same database.

Several people may sit at the device: each has cookies of their own, as if each had a browser. Of a table where some of them
sit, one holds the device. If that one has nothing to answer and another one has, pages of the table are covered until that
one says "I am Ben": the open page is told to load again, and whatever is asked of the table is answered with the cover. Who
holds it is forgotten when the tab is closed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, unquote

import anyio.to_thread
import sqlalchemy as sa
from starlette.responses import Response
from starlette.routing import Route

from outbid.bots import known
from outbid.bots.decision import Decision
from outbid.bots.executor import InProcess, Unready
from outbid.bots.seat import Seat
from outbid.server.domain.table import Table
from outbid.server.settings import Refused, Settings
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from outbid.server.web.app import create_app, endpoint_of
from outbid.server.web.middleware import table_of
from outbid.server.web.requests import BROWSER, KEEPS, Request
from outbid.site.curves import Curves
from outbid.wire.model import Reload

HOST = "localhost"  # by which the application is asked
NOT_OURS = {"host", "origin", "cookie", "content-length", "accept-encoding"}  # headers that are set here
COOKIES = sa.Table(
    "cookies", sa.MetaData(), sa.Column("person", sa.Integer, primary_key=True),
    sa.Column("name", sa.String, primary_key=True), sa.Column("value", sa.String),
)  # fmt: skip

GONE = 10 * 86400.0  # seconds: who sits at the device is there; a browser has no timer for more than 24 days
SHARED = {"language", KEEPS}  # cookies of the device, whoever holds it

Headers = Sequence[tuple[str, str]]


class Here(InProcess):
    """Bots of a tab: at once, and none that is compiled."""

    def ready(self, game: str, name: str) -> bool:
        """Whether a bot needs no compiler."""
        return not hasattr(known(name), "prepare")

    async def think(self, seat: Seat, name: str, *_limits: float, **_more: float) -> Decision:
        """The decision of a bot. Raises Unready."""
        if not self.ready(seat.rulebook.id, name):
            raise Unready(f"The bot {name} does not play in a browser tab.")
        return await super().think(seat, name)


async def start(database: str, *, base: str = "", save: Callable[[], None] | None = None) -> Tab:
    """Open the database file and begin. base: the path of the pages on their host ("/games/outbid"); save: called after each
    commit, before anybody sees what was written. Raises OutbidError."""
    anyio.to_thread.run_sync = _at_once  # type: ignore[assignment]  # files are served with it
    base = f"http://{HOST}{base}"
    settings = Settings(url_of(database), base_url=base, alone=True, push=False, gone=GONE, gone_slow=GONE)
    store = Store(settings.database, alone=save or (lambda: None))
    store.write(lambda db: COOKIES.create(db, checkfirst=True))
    return await Tab(store, settings).begun()


async def _at_once(work: Callable[..., Any], *args: Any, **_how: Any) -> Any:
    return work(*args)


async def cover(request: Request, table: Table) -> Response:
    """The page between two people at one device."""
    seat = int(request.query_params.get("seat", "0"))
    return request.page("room/pass.html", table=request.about(table), seat=seat, name=table.seats[seat].name)


class Tab:
    """The application of one tab, for the people at one device."""

    def __init__(self, store: Store, settings: Settings):
        self.store = store
        self.app = create_app(settings, store, Here())
        self.app.state.reviews = Curves(store)
        self.root = settings.root
        self.app.router.routes.append(Route("/t/{table}/pass", endpoint_of(cover)))
        self.people: list[dict[str, str]] = [{KEEPS: "kept"}]  # the cookies of each; the first is whose device it is
        for person, name, value in store.rows(sa.select(COOKIES).order_by(COOKIES.c.person)):
            self.people += [{} for _ in range(len(self.people), person + 1)]
            self.people[person][name] = value
        self.holders: dict[str, int] = {}  # the seat, by table
        self._ended = asyncio.Event()
        self._life: asyncio.Task[None] | None = None
        self._running: set[asyncio.Task[None]] = set()

    async def begun(self) -> Tab:
        """The tab when the application has begun."""
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._life = asyncio.create_task(self._live(ready))
        await ready
        return self

    async def _live(self, ready: asyncio.Future[None]) -> None:
        try:
            async with self.app.router.lifespan_context(self.app):
                ready.set_result(None)
                await self._ended.wait()
        except Exception as error:
            if ready.done():
                raise
            ready.set_exception(error)

    async def close(self) -> None:
        """End the application, and close the database."""
        self._ended.set()
        if self._life:
            await self._life

    # --- pages ---

    async def request(self, method: str, path: str, headers: Any, body: Any) -> tuple[int, list[tuple[str, str]], bytes]:
        """The answer to a request of the frame; path: with its query."""
        content = body.to_bytes() if hasattr(body, "to_bytes") else bytes(body)  # of JavaScript
        pairs: Headers = headers.to_py() if hasattr(headers, "to_py") else headers
        place, act = self._place(path)
        seats, person = self._seats(place), 0
        if method == "POST" and act == "join":
            person = next(n for n in range(len(self.people) + 1) if n not in seats.values())
        elif method == "POST" and act == "pass":
            self.holders[place] = int(dict(parse_qsl(content.decode())).get("seat", -1))
            return 303, [("location", f"{self.root}/t/{place}")], b""
        elif seats and act != "try":  # what is tried out is the first one's, as all that is listed on the front door
            seat, covered = self._holder(place, seats)
            if covered and method == "POST":
                return 303, [("location", f"{self.root}/t/{place}")], b""
            person, path = seats[seat], f"{self.root}/t/{place}/pass?seat={seat}" if covered else path
        answer = await self._answer(method, path, pairs, content, person)
        if method == "GET" and answer[0] == 405:  # loaded again where a form was refused: nothing can be looked at there
            return 303, [("location", f"{self.root}/t/{place}" if place else f"{self.root}/")], b""
        if act == "rematch" and answer[0] < 400:
            for other in set(seats.values()) - {person}:
                await self._answer(method, path, pairs, content, other)
        return answer

    async def _answer(
        self, method: str, path: str, headers: Headers, content: bytes, person: int
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """What the application answers one person."""
        scope = self._scope("http", path, headers, person) | {"method": method, "scheme": "http"}
        scope["headers"].append((b"content-length", str(len(content)).encode()))
        status, answered, parts = 500, list[tuple[str, str]](), list[bytes]()

        asked = asyncio.Queue[dict[str, Any]]()  # nothing comes after the body: who listens for a page that goes away, waits
        asked.put_nowait({"type": "http.request", "body": content, "more_body": False})

        async def send(message: Mapping[str, Any]) -> None:
            nonlocal status, answered
            if message["type"] == "http.response.start":
                status = message["status"]
                answered = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in message["headers"]]
            else:
                parts.append(message.get("body", b""))

        await self.app(scope, asked.get, send)
        self._keep(person, [value for name, value in answered if name == "set-cookie"])
        return status, [header for header in answered if header[0] != "set-cookie"], b"".join(parts)

    def _scope(self, kind: str, path: str, headers: Headers, person: int) -> dict[str, Any]:
        given = [(name.lower(), value) for name, value in headers if name.lower() not in NOT_OURS]
        given += [("host", HOST), ("origin", f"http://{HOST}")]
        cookies = {name: value for name, value in self.people[0].items() if name in SHARED}
        cookies |= self.people[person] if person < len(self.people) else {}
        given.append(("cookie", "; ".join(f"{name}={value}" for name, value in cookies.items())))
        place, _mark, query = path.partition("?")
        return {
            "type": kind, "asgi": {"version": "3.0"}, "http_version": "1.1", "root_path": "", "path": unquote(place),
            "raw_path": place.encode(), "query_string": query.encode(), "client": ("127.0.0.1", 0), "server": (HOST, 80),
            "headers": [(name.encode("latin-1", "replace"), value.encode("latin-1", "replace")) for name, value in given],
        }  # fmt: skip

    def _keep(self, person: int, sent: Sequence[str]) -> None:
        """Keep the cookies of an answer; a person who comes to sit is new with the first one."""
        for line in sent:
            for name, morsel in SimpleCookie(line).items():
                whose = 0 if name in SHARED else person
                self.people += [{} for _ in range(len(self.people), whose + 1)]
                self.people[whose].pop(name, None)
                if morsel["max-age"] != "0":
                    self.people[whose][name] = morsel.coded_value
        if sent:
            jars = enumerate(self.people)
            rows = [{"person": n, "name": name, "value": value} for n, jar in jars for name, value in jar.items()]
            self.store.execute(sa.delete(COOKIES), sa.insert(COOKIES).values(rows))

    # --- several people ---

    def _place(self, path: str) -> tuple[str, str]:
        """The table that an address is about, and what is done there."""
        inner = path.removeprefix(self.root).partition("?")[0]
        return table_of(inner), inner.rpartition("/")[2]

    def _seats(self, place: str) -> dict[int, int]:
        """The seats of a table that has begun, and the person at this device in each."""
        try:
            table = self.app.state.tables.get(place) if place else None
        except Refused:
            table = None
        if table is None:
            return {}
        held = self.app.state.names.people.held
        seats = {table.seat_of(held(jar.get(BROWSER, ""), place)): person for person, jar in enumerate(self.people)}
        return {seat: person for seat, person in sorted(seats.items()) if seat >= 0}

    def _holder(self, place: str, seats: Mapping[int, int]) -> tuple[int, bool]:
        """The seat whose person has the device or is to have it, and whether it is still to be passed on."""
        table = self.app.state.tables.get(place)
        if table.status == "open" or len(seats) == 1:
            return table.house.host if table.house.host in seats else next(iter(seats)), False
        holder = self.holders.get(place, -1)
        asked = [seat for seat in seats if seat in table.decisions]
        if holder in seats and (holder in asked or not asked):
            return holder, False
        return min(asked or seats, key=lambda seat: (seat - holder) % len(table.seats)), table.status == "playing"

    # --- sockets ---

    def socket(self, path: str, told: Callable[[str], None], closed: Callable[[int, str], None]) -> Socket:
        """Open a socket. told: is given each message; closed: the code and the reason at the end."""
        place, _act = self._place(path)
        seats = self._seats(place)
        person = seats[self._holder(place, seats)[0]] if seats else 0

        def tell(text: str) -> None:
            covered = bool(seats) and self._holder(place, seats)[1]
            told(Reload().model_dump_json() if covered else text)

        socket = Socket(tell, closed)
        scope = self._scope("websocket", path, (), person) | {"scheme": "ws", "subprotocols": []}
        task = asyncio.get_running_loop().create_task(self._talk(socket, scope))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return socket

    async def _talk(self, socket: Socket, scope: dict[str, Any]) -> None:
        try:
            await self.app(scope, socket.heard.get, socket.send)
        finally:
            socket.end(1006, "")


@dataclass
class Socket:
    """The application's end of a socket. heard: what the page said and is not answered yet."""

    told: Callable[[str], None]
    closed: Callable[[int, str], None]
    heard: asyncio.Queue[dict[str, Any]] = field(default_factory=asyncio.Queue)
    open: bool = True

    def __post_init__(self) -> None:
        self.heard.put_nowait({"type": "websocket.connect"})

    def say(self, text: str) -> None:
        """A message of the page."""
        self.heard.put_nowait({"type": "websocket.receive", "text": text})

    def close(self) -> None:
        """The page is gone."""
        self.open = False
        self.heard.put_nowait({"type": "websocket.disconnect", "code": 1000})

    def end(self, code: int, reason: str) -> None:
        """Tell the page that nothing more comes, once."""
        if self.open:
            self.open = False
            self.closed(code, reason)

    async def send(self, message: Mapping[str, Any]) -> None:
        """Something for the page."""
        if message["type"] == "websocket.send" and self.open:
            self.told(message["text"])
        elif message["type"] == "websocket.close":
            self.end(message.get("code", 1000), message.get("reason") or "")
