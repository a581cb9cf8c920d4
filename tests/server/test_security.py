"""An adversary at the table server, over real sockets: SECURITY.md names the test of each of its lines."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import random
import re
import signal
import socket
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.client import ClientProtocol
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from outbid.server.rate_limits import ADDRESSES, Buckets, address_of
from outbid.server.settings import Rate, Settings
from outbid.server.storage.opening import served, url_of
from outbid.server.storage.store import Store
from outbid.server.web.app import ROUTES, create_app
from outbid.server.web.connections import Doors, Messages
from outbid.server.web.middleware import HEADERS
from tests.support.houses import own_server
from tests.support.serving import JSON, Person, get, hear, line_to, sentence, serving, some_move, start

GET = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n"
PATIENCE = 1.0  # seconds, at the servers that have little
NET = "203.0.113."  # addresses for examples; a proxy says that it asks for them


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])


server = own_server(limits={"patience": 60})  # the other limits are as usual


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server behind a proxy, with small limits for each address."""
    port = free_port()
    limits = {"requests": [60, 0.5], "tables": [3, 0.5], "messages": [10, 2], "address_sockets": 4, "sockets": 6}
    folder = tmp_path_factory.mktemp("strict")
    with serving(folder / "tables.db", port=port, base_url=f"http://127.0.0.1:{port}", limits=limits) as address:
        yield address


impatient = own_server(limits={"patience": PATIENCE, "ping": PATIENCE})


@contextmanager
def people(address: str, *whence: str) -> Iterator[list[Person]]:
    """As many people as addresses they come from (none: their own)."""
    with ExitStack() as stack:
        made = []
        for one in whence:
            person = Person(address)
            stack.callback(person.http.close)
            if one:
                person.http.headers["X-Forwarded-For"] = one
            made.append(person)
        yield made


@pytest.fixture
def ada(server: str) -> Iterator[Person]:
    """Somebody at a table of her own against bots, who is asked."""
    with people(server, "") as (person,):
        person.order()
        person.asked()
        yield person


def ended(line: Any) -> None:
    """Wait for the end of a socket."""
    with pytest.raises(ConnectionClosed):
        hear(line, "nothing")


def said(line: Any) -> str:
    """The sentence with which a socket is closed."""
    error = hear(line, "error")["error"]
    ended(line)
    assert error[0].isupper()
    assert error.endswith(".")
    return error


def frame(fields: dict[str, Any], name: str | None = None, **more: Any) -> str:
    """A move as a socket brings it."""
    return json.dumps({"type": "move", "id": name or str(uuid.uuid4()), "fields": fields, **more})


def refused(line: Any, message: str) -> str:
    """The sentence with which a message is refused."""
    line.send(message)
    ack = hear(line, "ack")
    assert not ack["ok"]
    assert ack["error"].endswith((".", "…"))
    return ack["error"]


class Raw:
    """A client that reads and answers only when it is told to."""

    def __init__(self, person: Person, buffer: int = 4096):
        address = urlsplit(str(person.http.base_url))
        self.wire = socket.socket()
        self.wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.wire.settimeout(20)
        self.wire.connect((address.hostname, address.port))
        self.protocol = ClientProtocol(parse_uri(f"ws://{address.netloc}/t/{person.table}/socket"), max_size=None)
        asking = self.protocol.connect()
        asking.headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in person.http.cookies.items())
        self.protocol.send_request(asking)
        self.flush()
        while self.protocol.state is State.CONNECTING:
            self.protocol.receive_data(self.wire.recv(1))

    def flush(self) -> None:
        """Send what there is to send."""
        self.wire.sendall(b"".join(self.protocol.data_to_send()))

    def read(self, seconds: float = 1.0) -> list[dict[str, Any]]:
        """All messages that come until there is silence for a while, or the line is cut."""
        self.wire.settimeout(seconds)
        try:
            while data := self.wire.recv(2**16):
                self.protocol.receive_data(data)
        except (TimeoutError, ConnectionError):
            pass
        frames = [event for event in self.protocol.events_received() if isinstance(event, Frame)]
        return [json.loads(event.data) for event in frames if event.opcode is Opcode.TEXT]

    def first(self) -> None:
        """Wait until the first message comes."""
        assert self.wire.recv(1)

    def close(self) -> None:
        """Go without a word."""
        self.wire.close()


def cut(wire: socket.socket, within: float) -> bool:
    """Whether the server ends a connection in time."""
    wire.settimeout(within)
    try:
        while wire.recv(2**16):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        pass
    return True


# --- forged seats and tokens ------------------------------------------------------------------------------------------


def test_a_forged_token_opens_no_seat(tmp_path: Path):
    with serving(tmp_path / "tables.db") as address, people(address, "", "") as (ada, eve):
        token = ada.order().rsplit("/", 1)[1]
        seen = ada.asked()
        eve.table = ada.table
        with closing(sqlite3.connect(tmp_path / "tables.db")) as db:
            stored = [row[0] for row in db.execute("select token from seats where token is not null")]
        assert len(base64.urlsafe_b64decode(token + "==")) == 16
        forged = ["", "0", token[:-1], token + "A", token.swapcase(), *stored, "A" * 22, "' or 1=1 --", "%00", "x" * 4000]
        for secret in forged:
            eve.http.cookies.clear()
            eve.http.cookies.set(f"seat-{ada.table}", secret)
            assert eve.now()["you"] == -1, secret
            sentence(eve.send(some_move(seen, random.Random(1)), seen["decision"]), 403)
            assert eve.http.get(f"/t/{ada.table}/seat/{secret or '0'}", headers=JSON).status_code in (403, 404)
            assert eve.take(f"/t/{ada.table}/seat/{secret or '0'}").status_code in (403, 404)
            with line_to(eve) as line:
                assert "watching" in refused(line, frame({"decision": seen["decision"], "do": "auction"}))
        assert ada.now()["decision"] == seen["decision"]


def test_a_token_opens_its_own_seat_at_its_own_table_and_no_other(server: str):
    with people(server, "", "") as (ada, eve):
        eve.order(bots="open")
        token = eve.token
        ada.order(bots="open")
        eve.http.cookies.set(f"seat-{ada.table}", token)
        eve.table = ada.table
        assert eve.now()["you"] == -1
        assert "Only who made the table" in sentence(
            eve.http.post(f"/t/{ada.table}/fill", data={"bot": "random"}, headers=JSON), 403
        )
        eve.http.cookies.clear()
        eve.join(ada.table, "Eve")
        assert eve.now()["you"] == 1


def test_a_message_names_no_seat(ada: Person):
    seen = ada.asked()
    with line_to(ada) as line:
        fields = {"decision": seen["decision"], "do": "auction"}
        assert "'seat'" in refused(line, frame(fields, seat=1))
        assert "'seat'" in refused(line, frame({**fields, "seat": 1}))
        assert "does not name a seat" in refused(
            line, frame({"decision": seen["decision"], "move": '{"do": "auction", "seat": 1}'})
        )
    assert ada.now()["decision"] == seen["decision"]


def test_a_command_of_another_seat_sent_again_is_not_its_command(server: str):
    with people(server, "", "", "") as everybody:
        ada = everybody[0]
        ada.order(bots="open")
        for name, person in zip(("Ben", "Cy"), everybody[1:], strict=True):
            person.join(ada.table, name)
        seen = ada.now()
        mover = seen["view"]["asked"][0]
        thief = everybody[(mover + 1) % 3]
        name, fields = str(uuid.uuid4()), {"decision": seen["decision"] or 0, "do": "auction"}
        with line_to(thief) as line, line_to(everybody[mover]) as own:
            assert "not your turn" in refused(line, frame(fields, name))  # before it is made: it takes no id from its owner
            own.send(frame(fields, name))
            assert hear(own, "ack")["ok"]
            before = ada.now()["log"]
            assert refused(line, frame(fields, name))
            own.send(frame(fields, name))
            assert hear(own, "ack")["ok"]  # to its owner the same answer
        assert ada.now()["log"] == before


# --- floods -----------------------------------------------------------------------------------------------------------


def test_a_flood_of_messages_closes_the_socket_with_a_sentence_and_the_table_goes_on(strict: str):
    with people(strict, f"{NET}1") as (ada,):
        ada.order()
        with line_to(ada, {"X-Forwarded-For": f"{NET}1"}) as line:
            hear(line, "regions")
            for _ in range(30):
                line.send("{}")
            assert "too fast" in said(line)
        assert ada.now()["table"]["status"] == "playing"
        with line_to(ada, {"X-Forwarded-For": f"{NET}1"}) as line:
            assert hear(line, "regions")["version"] >= 0


def test_a_flood_of_requests_is_answered_429_with_retry_after_and_a_sentence(strict: str):
    with people(strict, f"{NET}2", f"{NET}3") as (flood, other):
        other.order()
        flood.table = other.table
        while (answer := flood.http.get("/livez", headers=JSON)).status_code == 200:
            pass
        assert "from your address; please wait" in sentence(answer, 429)
        wait = int(answer.headers["retry-after"])
        assert 1 <= wait <= 2
        assert "Too fast" in next(p for _ in range(60) if (p := flood.http.get("/")).status_code == 429).text
        with line_to(flood, {"X-Forwarded-For": f"{NET}2"}) as line:
            assert "from your address" in said(line)
        assert other.http.get("/livez").status_code == 200
        time.sleep(wait)
        assert flood.http.get("/livez").status_code == 200


def test_messages_over_many_sockets_are_counted_together(strict: str):
    whence = {"X-Forwarded-For": f"{NET}4"}
    with people(strict, f"{NET}4") as (ada,), ExitStack() as stack:
        ada.order()
        lines = [stack.enter_context(line_to(ada, whence)) for _ in range(4)]
        while ada.http.get("/livez").status_code == 200:
            pass
        for _ in range(5):
            for line in lines:
                with contextlib.suppress(ConnectionClosed):
                    line.send("{}")
        assert "from your address" in said(lines[-1])


@pytest.mark.slow
def test_a_table_of_friends_behind_one_address_is_not_slowed(tmp_path: Path):
    """With the usual limits: six people open the page with all that belongs to it, and play."""
    port = free_port()
    with (
        serving(tmp_path / "tables.db", port=port, base_url=f"http://127.0.0.1:{port}") as address,
        people(address, *[f"{NET}5"] * 5) as friends,
        ExitStack() as stack,
    ):
        ada = friends[0]
        ada.order(players=5, bots="open", game="kuhhandel", preset="seed")
        for name, friend in zip(("Ben", "Cy", "Dee", "Eve"), friends[1:], strict=True):
            friend.join(ada.table, name)
        lines = []
        for friend in friends:
            for path in ("/", f"/t/{ada.table}", "/static/base.css", "/static/table/table.css", "/static/table/table.js",
                         "/rules/kuhhandel", f"/t/{ada.table}/replay"):  # fmt: skip
                assert friend.http.get(path).status_code == 200
            lines.append(stack.enter_context(line_to(friend, {"X-Forwarded-For": f"{NET}5"}, max_queue=None)))
        rng = random.Random(1)
        for _ in range(30):
            mover = ada.now()["view"]["asked"][0]
            seen = friends[mover].now()
            lines[mover].send(frame({"decision": seen["decision"], "move": json.dumps(some_move(seen, rng))}))
            assert hear(lines[mover], "ack")["ok"]


def test_an_address_makes_only_so_many_tables(strict: str):
    with people(strict, f"{NET}6", f"{NET}7") as (ada, ben):
        for _ in range(3):
            ada.order()
        wanted = {"game": "kuhhandel", "players": 3, "name": "Ada", "bots": "random"}
        answer = ada.http.post("/tables", data=wanted, headers=JSON)
        assert "Too many tables" in sentence(answer, 429)
        assert int(answer.headers["retry-after"]) >= 1
        ben.order()
        time.sleep(int(answer.headers["retry-after"]))
        ada.order()


def test_an_address_and_a_table_have_only_so_many_open_sockets_of_those_who_watch_and_seats_have_room_beside(strict: str):
    with people(strict, f"{NET}8", f"{NET}8") as (ada, eve), ExitStack() as stack:
        ada.order()
        eve.table = ada.table
        own = [stack.enter_context(line_to(eve, {"X-Forwarded-For": f"{NET}8"})) for _ in range(4)]
        for line in own:
            hear(line, "regions")
        with line_to(eve, {"X-Forwarded-For": f"{NET}8"}) as line:
            assert "open from your address" in said(line)
        others = [stack.enter_context(line_to(eve, {"X-Forwarded-For": f"{NET}9"})) for _ in range(2)]
        for line in others:
            hear(line, "regions")
        with line_to(eve, {"X-Forwarded-For": f"{NET}9"}) as line:
            assert "Too many people look" in said(line)
        seat = [stack.enter_context(line_to(ada, {"X-Forwarded-For": f"{NET}8"})) for _ in range(8)]
        for line in seat:
            hear(line, "regions")
        with line_to(ada, {"X-Forwarded-For": f"{NET}9"}) as line:
            assert "in too many places" in said(line)
        own[0].close()
        time.sleep(0.2)
        with line_to(eve, {"X-Forwarded-For": f"{NET}8"}) as line:
            hear(line, "regions")


def test_nobody_speaks_for_another_address_where_there_is_no_proxy(tmp_path: Path):
    """The address a client claims is believed only behind a base URL: else this would be limited, which loopback is not."""
    with serving(tmp_path / "tables.db", limits={"requests": [2, 0.01]}) as address, people(address, f"{NET}10") as (eve,):
        assert {eve.http.get("/livez").status_code for _ in range(8)} == {200}


def test_many_addresses_do_not_fill_the_memory_and_a_household_is_one():
    buckets = Buckets(Rate(1, 0.001))
    assert buckets.take("a") == 0 < buckets.take("a")
    for n in range(ADDRESSES + 50):
        buckets.take(f"{n}")
    assert len(buckets) == ADDRESSES

    def whence(client: str) -> str:
        return address_of({"client": (client, 1)})

    assert whence("2001:db8:1:2::1") == whence("2001:db8:1:2:ffff::9") != whence("2001:db8:1:3::1")
    assert whence("::ffff:192.0.2.1") == whence("192.0.2.1") != whence("192.0.2.2")
    assert address_of({"client": None}) == ""


# --- oversize and malformed -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [8193, 2**16, 2**20])
def test_a_frame_over_8_kb_closes_the_socket_whole_or_in_parts(ada: Person, size: int):
    before = ada.now()
    with line_to(ada) as whole:
        whole.send("x" * size)
        ended(whole)
    with line_to(ada) as parts:
        with contextlib.suppress(ConnectionClosed):
            parts.send("x" * 1000 for _ in range(size // 1000 + 1))
        ended(parts)
    assert ada.now()["log"] == before["log"]


def test_a_frame_of_bytes_or_of_broken_text_closes_the_socket(ada: Person):
    with line_to(ada) as line:
        line.send(b"{}")
        assert "is text" in said(line)
    raw = Raw(ada)
    raw.first()
    raw.protocol.send_text(b"\xff\xfe")
    raw.flush()
    assert cut(raw.wire, 5)
    raw.close()


@pytest.mark.parametrize(
    "message",
    ["[" * 8000, '{"a":' * 1300, '{"type":"move","id":"x","fields":{"decision":' + "[" * 4000, "9" * 8000, "-" * 8000,
     '{"id": "x", "id": "y", "type": "move", "fields": {}}', "\x00" * 100, '"\\ud800"', "1e999999", "NaN", "\u202e{}"],
    ids=lambda text: repr(text[:24]),
)  # fmt: skip
def test_malformed_and_deeply_nested_json_is_refused_in_a_sentence_and_the_line_stays_open(ada: Person, message: str):
    with line_to(ada) as line:
        hear(line, "regions")
        refused(line, message)
        move = json.dumps({"do": "auction", "by": json.loads("[" * 300 + "]" * 300)})
        refused(line, frame({"decision": ada.now()["decision"], "move": move}))


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KEYS = st.sampled_from(
    ["decision", "do", "move", "int:amount", "cards", "cards:10", "str:animal", "command", "seat"]
) | st.text(max_size=8)
FRAMES = (
    st.text(max_size=200)
    | JSONS.map(json.dumps)
    | st.fixed_dictionaries(
        {"type": st.just("move") | JSONS, "id": st.uuids().map(str) | JSONS, "fields": st.dictionaries(KEYS, JSONS) | JSONS}
    ).map(json.dumps)
)


@pytest.mark.slow
def test_whatever_a_frame_says_the_answer_is_a_sentence_and_nothing_changes(ada: Person):
    before = ada.now()
    with line_to(ada) as line:
        hear(line, "regions")

        @given(message=FRAMES)
        @settings(max_examples=300)
        def check(message: str) -> None:
            refused(line, message)

        check()
    after = ada.now()
    assert (after["log"], after["view"], after["decision"]) == (before["log"], before["view"], before["decision"])


@pytest.mark.parametrize(
    "request_", [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x00" * 500,
                 b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20000,
                 b"POST /tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
                 b"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nzz\r\n"],
    ids=lambda text: repr(text[:20]),
)  # fmt: skip
def test_what_is_not_http_is_refused_and_the_server_goes_on(server: str, request_: bytes):
    address = urlsplit(server)
    with socket.create_connection((address.hostname, address.port), timeout=10) as wire:
        wire.sendall(request_)
        wire.shutdown(socket.SHUT_WR)
        try:
            answer = wire.recv(2**16)
        except ConnectionResetError:
            answer = b""
    assert b"Traceback" not in answer
    assert not answer or answer.startswith((b"HTTP/1.1 4", b"HTTP/1.1 200"))
    assert get(f"{server}/livez").text == "ok"


# --- other sites ------------------------------------------------------------------------------------------------------


def foreign(address: str) -> list[str]:
    """Origins that are not this server's, some of which look like it."""
    host = address.removeprefix("http://")
    name, port = host.rsplit(":", 1)
    return [
        "https://evil.example", "null", "", f"https://{host}", f"http://{name}", f"http://{name}:{int(port) + 1}",
        f"http://{host}.evil.example", f"http://evil.example/{host}", f"http://{host}@evil.example", f"http://x.{host}",
        f"http://localhost:{port}", "file://", f"ftp://{host}", "http://[", f"//{host}", host,
    ]  # fmt: skip


def test_pages_of_other_sites_get_neither_form_nor_socket(ada: Person):
    before = ada.now()
    address = str(ada.http.base_url)
    for origin in foreign(address):
        answer = ada.http.post(f"/t/{ada.table}/pace", data={"pace": "slow"}, headers={**JSON, "Origin": origin})
        assert "another site" in sentence(answer, 403), origin
        with line_to(ada, {"Origin": origin}) as line:
            assert "only for pages of this server" in said(line), origin
    for site in ("cross-site", "same-site"):  # from a page that keeps back where it is, or from a neighbour
        answer = ada.http.post(f"/t/{ada.table}/pace", data={"pace": "slow"}, headers={**JSON, "Sec-Fetch-Site": site})
        assert "another site" in sentence(answer, 403), site
    assert ada.now()["table"]["pace"] == before["table"]["pace"]
    for own in ({"Origin": address, "Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "same-origin"}, {}):
        done = ada.http.post(f"/t/{ada.table}/pace", data={"pace": "fast"}, headers={**JSON, **own})
        assert done.status_code == 200, own
    with line_to(ada, {"Origin": address}) as line:
        hear(line, "regions")


def test_a_name_that_is_made_to_lead_here_is_not_answered(ada: Person):
    """DNS rebinding: the page and its requests agree on a name, but it is not one of this server."""
    port = str(ada.http.base_url).rsplit(":", 1)[1]
    for host in (f"evil.example:{port}", "evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "10.1.2.3",
                 "a@localhost", "localhost/evil", "", "[", "localhost:99999999", "xn--"):  # fmt: skip
        headers = {**JSON, "Host": host, "Origin": f"http://{host}"}
        for method in ("GET", "POST"):
            answer = ada.http.request(method, f"/t/{ada.table}", headers=headers)
            assert "does not answer to that name" in sentence(answer, 421), host
            assert answer.headers["content-security-policy"]
    address = urlsplit(str(ada.http.base_url))
    asking = (
        f"GET /t/{ada.table}/socket HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    with socket.create_connection((address.hostname, address.port), timeout=10) as wire:
        wire.sendall(asking.encode())
        told = b""
        while data := wire.recv(2**16):
            told += data
            if b"--base-url" in told:
                break
    assert b"does not answer to that name" in told
    assert b"regions" not in told
    for host in ("localhost", f"localhost:{port}", "127.0.0.1", "127.1.2.3", "[::1]:80", socket.gethostname(), "LOCALHOST."):
        assert ada.http.get("/livez", headers={"Host": host}).status_code == 200, host


def test_a_server_answers_to_its_base_url_and_its_cookies_are_secure_when_that_is_https(tmp_path: Path):
    port = free_port()
    code_base = "https://table.example"
    with serving_at(tmp_path / "tables.db", port, code_base) as address, people(address, "") as (ada,):
        ada.http.headers["Host"] = "table.example"
        for origin, status in ((code_base, 303), ("http://evil.example", 403), ("https://table.example.evil.example", 403)):
            wanted = {"game": "kuhhandel", "players": 3, "name": "Ada", "bots": "random"}
            answer = ada.http.post("/tables", data=wanted, headers={"Origin": origin})
            assert answer.status_code == status, origin
            assert answer.headers["strict-transport-security"]
            if status == 303:
                cookie = answer.headers["set-cookie"].lower()
        assert all(word in cookie for word in ("; secure", "; httponly", "samesite=lax"))
        assert ada.http.get("/", headers={"Host": "table.example:8443"}).status_code == 200
        assert ada.http.get("/", headers={"Host": "other.example"}).status_code == 421


@contextmanager
def serving_at(database: Path, port: int, base_url: str) -> Iterator[str]:
    """A server that guests reach by another address than we do."""
    with serving(database, port=port, base_url=base_url):
        yield f"http://127.0.0.1:{port}"


@pytest.mark.parametrize(
    "base", ["table.example", "ftp://table.example", "https://", "https://a@b", "https://a/../b", "http://[", ""]
)
def test_a_base_url_that_is_none_is_refused_by_naming_it(base: str):
    with pytest.raises(Exception, match="The base URL is"):
        Settings("sqlite://", base)


# --- half-open connections and slow readers ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nA: ",
        b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\nGET /",
    ],
    ids=["nothing", "a word", "half the headers", "half the second request"],
)
def test_a_request_that_does_not_arrive_is_not_awaited_for_ever(impatient: str, begun: bytes):
    address = urlsplit(impatient)
    with socket.create_connection((address.hostname, address.port), timeout=10) as wire:
        wire.sendall(begun)
        assert cut(wire, PATIENCE + 6)


def test_a_request_that_comes_byte_by_byte_is_cut(impatient: str):
    address = urlsplit(impatient)
    with socket.create_connection((address.hostname, address.port), timeout=10) as wire:
        begun = time.monotonic()
        with contextlib.suppress(ConnectionError):
            for byte in GET + b"A: " + b"b" * 200:
                wire.sendall(bytes([byte]))
                time.sleep(0.05)
        assert time.monotonic() - begun < PATIENCE + 5


def test_a_form_that_does_not_arrive_is_refused(impatient: str):
    address = urlsplit(impatient)
    with socket.create_connection((address.hostname, address.port), timeout=10) as wire:
        wire.sendall(
            b"POST /tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\nAccept: application/json\r\n\r\ngame="
        )
        assert b"408" in wire.recv(2**16)


def test_a_player_who_vanished_is_offline_soon(impatient: str):
    """No farewell and no answer to a ping, but the connection still stands."""
    with people(impatient, "", "") as (ada, ben):
        ada.order()
        ben.table = ada.table
        gone = Raw(ada)
        gone.first()
        assert ben.now()["seats"][0]["online"]
        offline(ben)
        gone.close()


def offline(ben: Person) -> None:
    """Ben, who watches, is told that the first seat has gone: the server has cut its line. Nothing else would end that."""
    deadline = time.monotonic() + 20  # also if the line has other things to say
    with line_to(ben) as line:
        while ben.now()["seats"][0]["online"]:
            line.recv(timeout=max(0.0, deadline - time.monotonic()))


def test_who_vanished_with_little_on_the_way_is_gone_soon():
    """What cannot be written, and is too little to stop writing, does not keep a connection whose pings are not answered."""

    async def said() -> dict[str, Any]:
        ours, theirs = socket.socketpair()
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        config = Config(create_app)
        config.load()
        doors = Doors(Settings("sqlite://"), 9)
        line = Messages(config=config, server_state=ServerState(), app_state={}, patience=0.1, doors=doors)
        with theirs:
            transport, _protocol = await asyncio.get_running_loop().connect_accepted_socket(lambda: line, ours)
            line.conn.state = State.OPEN
            transport.write(b"x" * 40_000)
            assert transport.get_write_buffer_size() > 0
            assert line.writable.is_set()
            line.keepalive_timeout()
            return dict(await asyncio.wait_for(line.queue.get(), 20))

    assert asyncio.run(said())["type"] == "websocket.disconnect"


ANSWERS: dict[str, list[dict[str, Any]]] = {
    "let in": [{"type": "websocket.accept"}],
    "closed": [{"type": "websocket.close"}],
    "refused": [
        {"type": "websocket.http.response.start", "status": 429}, {"type": "websocket.http.response.body", "body": b""}
    ],
    "unanswered": [],
}  # fmt: skip


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("sent", [None, b"\x88\x80\0\0\0\0", b"\xff" * 9], ids=["shutdown", "farewell", "nonsense"])
def test_a_socket_that_ends_before_it_is_answered_leaves_no_error(
    sent: bytes | None, answer: str, caplog: pytest.LogCaptureFixture
):
    """Before the application has answered, the server ends; the client has said nothing more, or what it may not yet."""
    uncaught: list[Any] = []

    async def asked() -> None:
        loop, may_answer, answered = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
        loop.set_exception_handler(lambda _loop, context: uncaught.append(context))

        async def application(_scope: Any, _receive: Any, send: Any) -> None:
            try:
                await may_answer.wait()
                for message in ANSWERS[answer]:
                    await send(message)
            finally:
                answered.set()

        ours, theirs = socket.socketpair()
        config = Config(application, lifespan="off", interface="asgi3", log_config=None)
        config.load()
        state, doors = ServerState(), Doors(Settings("sqlite://"), 9)
        line = Messages(config=config, server_state=state, app_state={}, patience=20, doors=doors)
        with theirs:
            await loop.connect_accepted_socket(lambda: line, ours)
            client = ClientProtocol(parse_uri("ws://localhost/"))
            client.send_request(client.connect())
            line.data_received(b"".join(client.data_to_send()))
            (task,) = state.tasks
            if sent is not None:
                line.data_received(sent)
            line.shutdown()
            may_answer.set()
            await asyncio.wait_for(answered.wait(), 20)
            await asyncio.wait_for(task, 20)

    asyncio.run(asked())
    assert not uncaught
    assert not [record for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")]


def played(ada: Person, moves: int = 50) -> None:
    """Make some moves, those of the bots between them; nothing moves afterwards."""
    rng = random.Random(4)
    for _ in range(moves):
        seen = ada.asked()
        assert seen["table"]["status"] == "playing"
        assert ada.send(some_move(seen, rng), seen["decision"]).json()["ok"]
    ada.asked()


@pytest.mark.slow
def test_a_slow_client_misses_states_never_the_newest(server: str):
    """It reads nothing for many moves; then it is told the newest state, each line of the log once, few states between."""
    with people(server, "", "") as (ada, eve):
        ada.order(preset="seed", players=5)
        eve.table = ada.table
        slow = Raw(eve)
        played(ada)
        told = slow.read()
        slow.close()
        assert {message["type"] for message in told} == {"regions"}
        with line_to(eve) as line:
            fresh = hear(line, "regions")
        shown: dict[str, str] = {}
        lines = ""
        for message in told:
            shown |= message["regions"]
            lines += message["append"].get("log", "")
        assert told[-1]["version"] == fresh["version"]
        assert told[-1]["version"] > 2 * len(told)
        for name, html in fresh["regions"].items():
            assert name == "log" or without_presence(shown[name]) == without_presence(html)
        assert _items(shown["log"]) + _items(lines) == _items(fresh["regions"]["log"])


def without_presence(html: str) -> str:
    """A region but for who is there to see it, which changed when the slow one left."""
    return html.replace(" online", "")


def _items(html: str) -> list[str]:
    """The lines of a log."""
    return ["<li" + part.split("</li>")[0] for part in html.split("<li")[1:]]


@pytest.mark.slow
def test_who_does_not_read_is_cut_and_the_others_play_on(impatient: str):
    with people(impatient, "", "") as (ada, ben):
        ada.order(preset="seed", players=5)
        deaf = Raw(ada)
        played(ada)
        ben.table = ada.table
        offline(ben)
        deaf.close()


def sends_until_cut(deaf: Raw, write: Callable[[], None]) -> bool:
    """Whether a client that goes on sending and reads nothing is cut."""
    deadline = time.monotonic() + 25
    try:
        while time.monotonic() < deadline:
            for _ in range(50):
                write()
            deaf.flush()
    except (ConnectionError, TimeoutError) as error:
        return isinstance(error, ConnectionError)
    return False


@pytest.mark.slow
def test_who_sends_moves_and_does_not_read_the_answers_is_cut(impatient: str):
    with people(impatient, "", "") as (ada, ben):
        ada.order()
        ben.table = ada.table
        deaf = Raw(ada)
        move = frame({"decision": 0, "x" * 40: 1}).encode()
        assert sends_until_cut(deaf, lambda: deaf.protocol.send_text(move))
        deaf.close()
        assert ben.now()["table"]["status"] == "playing"


def test_who_pings_and_does_not_read_the_answers_is_cut(impatient: str):
    with people(impatient, "") as (ada,):
        ada.order()
        deaf = Raw(ada)
        assert sends_until_cut(deaf, lambda: deaf.protocol.send_ping(b"x" * 125))
        deaf.close()
        assert ada.now()["table"]["status"] == "playing"


@pytest.mark.slow
def test_a_client_that_has_closed_its_socket_and_reads_nothing_does_not_disturb_the_end_of_the_server(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    process, address = start(tmp_path / "tables.db", limits={"patience": 600})
    with people(address, "", "") as (ada, ben):
        ada.order(preset="seed", players=5)
        ben.table = ada.table
        leaving, ending, deaf = Raw(ada), Raw(ben), Raw(ben)
        played(ada, 20)
        ending.wire.shutdown(socket.SHUT_WR)
        leaving.protocol.send_close(1000)
        leaving.flush()
        offline(ben)
        with line_to(ben) as reading:
            process.kill(signal.SIGTERM)
            ended(reading)
    for raw in (leaving, ending, deaf):
        raw.close()
    assert process.process.exitcode == -signal.SIGTERM
    logged = capfd.readouterr().err
    assert not re.search("Traceback|Exception|InvalidState", logged), logged
    assert not served(tmp_path / "tables.db"), "the server has not closed its database"


def test_sockets_that_come_and_go_leave_nothing_behind(server: str):
    with people(server, "") as (ada,):
        ada.order()

        def come_and_go() -> None:
            for _ in range(10):
                Raw(ada).close()

        threads = [threading.Thread(target=come_and_go) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        time.sleep(0.5)
        assert not ada.now()["seats"][0]["online"]


# --- every answer -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_head_is_answered_on_every_route_that_get_is(ada: Person):
    places = {"table": ada.table, "token": ada.token, "game": "kuhhandel", "file": "table.css", "day": "2026-01-01"}
    places |= {"size": "180", "name": "0", "notice": "none", "proof": "none", "code": "none"}
    paths = [path.format(**places) for path, method, _ in ROUTES if method == "GET"]
    assert len(paths) >= 8
    for path in [*paths, "/static/base.css", "/elsewhere", "/t/nowhere"]:
        get, head = ada.http.get(path), ada.http.head(path)
        assert head.status_code == get.status_code, path
        assert head.content == b""
        assert head.headers["content-type"] == get.headers["content-type"] if "content-type" in get.headers else True
    assert ada.http.head("/tables").status_code == 405


def test_pages_files_and_refusals_all_carry_the_headers_of_safety(ada: Person, strict: str):
    answers = [
        ada.http.get("/"), ada.http.head("/"), ada.http.get("/livez"), ada.http.get("/static/table/table.js"),
        ada.http.get(f"/t/{ada.table}"),
        ada.http.get("/elsewhere"), ada.http.delete("/"), ada.http.post("/tables", data={"x": "1"}),
        ada.http.post("/tables", content=b"x" * 20_000), ada.http.post("/tables", headers={"Origin": "http://evil.example"}),
        ada.http.get("/", headers={"Host": "evil.example"}), ada.http.get(f"/t/{ada.table}/record"),
        ada.http.get(f"/t/{ada.table}/seat/{ada.token}"),
    ]  # fmt: skip
    with people(strict, f"{NET}20") as (flood,):
        answers.append(next(a for _ in range(200) if (a := flood.http.get("/livez")).status_code == 429))
    assert {answer.status_code for answer in answers} >= {200, 303, 400, 403, 404, 405, 409, 413, 421, 429}
    for answer in answers:
        for name, value in HEADERS.items():
            assert answer.headers[name] == value, (answer.url, name)
        assert answer.headers["cache-control"] in ("no-store", "no-cache")
        assert "server" not in answer.headers


def test_a_fault_of_the_server_is_a_sentence_with_the_same_headers_and_logs_no_secret(tmp_path: Path, capfd: Any):
    """The database loses a table of its own under the running server."""
    database = tmp_path / "tables.db"
    Store(url_of(str(database))).close()
    with serving(database) as address, people(address, "") as (ada,):
        link = ada.order()
        with closing(sqlite3.connect(database)) as db:
            db.execute("alter table tables rename to lost")
            db.commit()
        token = link.rsplit("/", 1)[1]
        for path in ("/t/unknown", f"/t/unknown/seat/{token}"):
            for headers in (JSON, {}):
                answer = ada.http.get(path, headers=headers)
                assert answer.status_code == 500
                assert "every move that was acknowledged is safe" in answer.text
                assert "Traceback" not in answer.text
                assert "sqlite" not in answer.text.lower()
                assert all(answer.headers[name] == value for name, value in HEADERS.items())
        ada.table = "unknown"
        with line_to(ada) as line:
            ended(line)
    told = capfd.readouterr().err
    assert "could not be answered" in told
    assert token not in told


def test_the_database_file_holds_no_token_and_only_its_owner_may_read_it(tmp_path: Path):
    with serving(tmp_path / "data" / "tables.db") as address, people(address, "") as (ada,):
        token = ada.order().rsplit("/", 1)[1]
        for path in (tmp_path / "data").iterdir():
            assert token.encode() not in path.read_bytes()
            if os.name == "posix":
                assert path.stat().st_mode & 0o077 == 0, path


# --- the threat model -------------------------------------------------------------------------------------------------

FILES = {"S": "security", "D": "side_doors", "A": "api", "B": "battery", "T": "server", "C": "server_crash", "Q": "seats",
         "N": "names", "P": "people", "K": "chat", "L": "clocks", "O": "automatic_moves", "H": "hints", "I": "line",
         "E": "health", "W": "writer", "Y": "intake"}  # fmt: skip


def test_every_test_that_the_threat_model_names_is_there():
    here = Path(__file__).parents[1]
    told = re.findall(r"\b([SDABTCNPKLOHQIEWY]) \*([^*]+)\*", (here.parent / "SECURITY.md").read_text())
    assert len(told) > 40
    for letter, words in told:
        found = re.findall(r"def (test_\w+)", next(here.rglob(f"test_{FILES[letter]}.py")).read_text())
        assert any(re.sub(r"\W+", "_", words.lower()) in name for name in found), (letter, words)
