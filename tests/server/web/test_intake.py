"""Bytes have a price: what an address sends is read in slices, in turn, and paid; and however it is cut, it means the same.

Addresses are those of this machine (127.0.0.2 and on) at a server that thinks it stands behind a proxy, or what one says.
What the server spends is read from the system, in seconds of the processor, and compared with its limits, not with a clock.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from outbid.server.rate_limits import Limits
from outbid.server.settings import Settings
from outbid.server.web.connections import PARTS, Doors
from outbid.server.web.intake import LINES, Inside, Intake, Wire
from tests.support.houses import own_server
from tests.support.scripts import script
from tests.support.serving import Person, hear, line_to, serving, start, stop

shapes = script("benchmarks/server/shapes.py")
proxy = script("benchmarks/server/proxy.py")
WORK, READING, QUARTER = (0.3, 0.1), (0.05, 0.08), 0.25
NET = "203.0.113."  # addresses for examples; a proxy says that it asks for them
PROBE = b'{"type":"probe","id":"%d"}'
GET = b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n"
LAST = GET % b"Connection: close\r\n"


def free_port() -> int:
    """A port that nobody listens at."""
    return int(proxy.free_ports(1)[0])


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that thinks it stands behind a proxy; reading has little at once and comes back slowly."""
    port, folder = free_port(), tmp_path_factory.mktemp("behind")
    limits = {"reading": [0.05, 0.0005]}
    with serving(folder / "tables.db", port=port, base_url=f"http://127.0.0.1:{port}", limits=limits) as address:
        yield address


impatient = own_server(limits={"patience": 0.5})


@pytest.fixture(scope="module")
def table(behind: str) -> Person:
    """Somebody with a table there."""
    ada = Person(behind)
    ada.order()
    return ada


def wire(address: str, source: str = "127.0.0.9") -> socket.socket:
    """A connection from an address of this machine."""
    at = urlsplit(address)
    return socket.create_connection((at.hostname, at.port), timeout=30, source_address=(source, 0))


def answers(address: str, text: bytes, size: int, source: str = "127.0.0.9") -> bytes:
    """What is answered to bytes that are sent in pieces, until the server ends the connection."""
    with wire(address, source) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with contextlib.suppress(ConnectionError):
            for start_ in range(0, len(text), size):
                line.sendall(text[start_ : start_ + size])
        read = b""
        with contextlib.suppress(ConnectionError):
            while piece := line.recv(2**16):
                read += piece
    return read


# --- however it is cut ------------------------------------------------------------------------------------------------

CHUNKED = b"POST /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\na=b&c\r\n0\r\n\r\n"
LENGTH = b"POST /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\n\r\na=b"


@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
@pytest.mark.parametrize(
    ("text", "statuses"),
    [
        (GET % b"" + LAST, [200, 200]),
        (LENGTH + LAST, [405, 200]),
        (CHUNKED + LENGTH + CHUNKED + GET % b"" + LAST, [405, 405, 405, 200, 200]),
        (GET % b"Content-Length: 3\r\n" + b"a=b" + LAST, [200]),
        (b"GET /livez HTTP/1.1\nHost: 127.0.0.1\nConnection: close\n\n", [200]),
        (b"\x16\x03\x01\x02\x00", [400]),
        (b"GET\r\n\r\n", [400]),
    ],
    ids=["two", "a body and one", "five", "a body of a GET", "bare line feeds", "TLS", "no request"],
)
def test_requests_are_answered_the_same_however_they_are_cut(behind: str, text: bytes, statuses: list[int], size: int):
    own = f"127.1.{len(text) % 250}.{size % 200}"  # an address that owes for another text waits
    parts = answers(behind, text, size, source=own).split(b"HTTP/1.1 ")[1:]
    assert [int(part[:3]) for part in parts] == statuses


def test_a_request_whose_body_is_still_to_come_as_the_one_before_it_is_answered_is_answered_too(behind: str):
    with wire(behind, "127.0.0.14") as line:
        line.sendall(LENGTH + LENGTH[:-3])
        read = line.recv(2**16)
        assert read.startswith(b"HTTP/1.1 405 ")
        line.sendall(b"a=b" + LAST)
        while piece := line.recv(2**16):
            read += piece
    assert [int(part[:3]) for part in read.split(b"HTTP/1.1 ")[1:]] == [405, 405, 200]


@pytest.mark.parametrize("size", [1, 5, 4000])
def test_messages_are_heard_the_same_however_they_are_cut_into_pieces_and_parts(behind: str, table: Person, size: int):
    texts = [PROBE % number for number in range(3)]
    frames = b"".join(
        Frame(Opcode.TEXT, text[:4], fin=False).serialize(mask=True)
        + Frame(Opcode.CONT, text[4:9], fin=False).serialize(mask=True)
        + Frame(Opcode.CONT, text[9:]).serialize(mask=True)
        for text in texts
    )
    with line_to(table, {"X-Forwarded-For": f"{NET}{size % 200}"}) as line:
        for begin in range(0, len(frames), size):
            line.socket.sendall(frames[begin : begin + size])
        assert [hear(line, "receipt")["id"] for _ in texts] == ["0", "1", "2"]


@pytest.mark.parametrize("more", [0, 1])
def test_a_request_has_at_most_a_hundred_headers(behind: str, more: int):
    text = GET % (b"Connection: close\r\n" + b"a:\r\n" * (LINES - 2 + more))
    answer = answers(behind, text, 50, source="127.0.0.10")
    assert answer.startswith(b"HTTP/1.1 431 " if more else b"HTTP/1.1 200 ")


# --- what does not end ------------------------------------------------------------------------------------------------


def closed(line: object) -> int:
    """The code with which a socket is closed."""
    with pytest.raises(ConnectionClosed) as end:
        hear(line, "nothing")
    assert end.value.rcvd is not None
    return end.value.rcvd.code


def goes_on(line: socket.socket, text: bytes) -> None:
    """Send it again and again. Raises OSError when it cannot be sent any more."""
    while True:
        line.sendall(text)


@pytest.mark.parametrize(
    "begun",
    [
        Frame(Opcode.TEXT, b"{", fin=False).serialize(mask=True),
        Frame(Opcode.TEXT, b"x" * 100).serialize(mask=True)[:-1],
        Frame(Opcode.TEXT, b"x" * 100).serialize(mask=True)[:6],
        b"\x81",
    ],
    ids=["a part", "all but a byte", "the head of a frame", "a byte of it"],
)
def test_a_message_that_does_not_end_ends_its_socket(impatient: str, begun: bytes):
    ada = Person(impatient)
    ada.order()
    with line_to(ada) as line:
        hear(line, "regions")
        line.socket.sendall(begun)
        assert closed(line) == 1008


def test_a_message_of_many_parts_ends_its_socket_and_one_of_few_is_heard(behind: str, table: Person):
    empty = Frame(Opcode.CONT, b"", fin=False).serialize(mask=True)
    begin, end = Frame(Opcode.TEXT, PROBE % 7, fin=False).serialize(mask=True), Frame(Opcode.CONT, b"").serialize(mask=True)
    with line_to(table, {"X-Forwarded-For": f"{NET}21"}) as line:
        line.socket.sendall(begin + empty * (PARTS - 2) + end)
        assert hear(line, "receipt")["id"] == "7"
        line.socket.sendall(begin + empty * (PARTS - 1))
        assert closed(line) == 1008


def test_little_is_read_of_a_body_that_was_refused(behind: str):
    """The server says that it closes, and does, however much there is still to come."""
    head = b"POST /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    with wire(behind, "127.0.0.11") as line:
        line.sendall(head + b"4e20\r\n" + b"x" * 20_000 + b"\r\n")
        assert b"connection: close" in line.recv(2**16).lower()
        with pytest.raises(ConnectionError):
            goes_on(line, b"1\r\nx\r\n" * 1000)


@pytest.mark.parametrize("method", [b"GET", b"HEAD"])
def test_an_answer_that_waits_for_no_body_says_that_it_is_the_last(behind: str, method: bytes):
    with wire(behind, "127.0.0.12") as line:
        line.sendall(method + b" /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\n\r\n")
        assert b"connection: close" in line.recv(2**16).lower()


# --- who pays ---------------------------------------------------------------------------------------------------------


def test_a_socket_behind_a_proxy_pays_for_the_address_it_is_forwarded_for_and_nobody_else_waits(behind: str, table: Person):
    """Who floods is read no more until it has paid; a socket of another address over the same proxy is."""
    with contextlib.closing(wire(behind, "127.0.0.1")) as flood:
        head = shapes.HANDSHAKE.decode().replace("{host}", urlsplit(behind).netloc).replace("{table}", table.table)
        flood.sendall(head.replace("\r\n\r\n", f"\r\nX-Forwarded-For: {NET}30\r\n\r\n").encode())
        flood.settimeout(2)
        with pytest.raises(TimeoutError):  # the system takes what fits, and then nothing more
            goes_on(flood, shapes.frame(shapes.PONG) * 10_000)
        with line_to(table, {"X-Forwarded-For": f"{NET}31"}) as line:
            line.send((PROBE % 1).decode())
            assert hear(line, "receipt")["id"] == "1"


@pytest.mark.parametrize(("trusted", "counted"), [("127.0.0.1", True), ("*", False), ("192.0.2.0/24,127.0.0.0/8", False)])
def test_the_connections_of_a_proxy_are_not_counted_however_it_is_named(
    monkeypatch: pytest.MonkeyPatch, trusted: str, counted: bool
):
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", trusted)

    async def asked() -> bool:
        doors, loop = Doors(Settings("sqlite://", base_url="http://here"), 9), asyncio.get_running_loop()
        with socket.create_server(("127.0.0.2", 0)) as door:
            transport, _protocol = await loop.create_connection(asyncio.Protocol, *door.getsockname())
            result = doors.counted(transport)
            transport.close()
            await asyncio.sleep(0)
        return result

    assert asyncio.run(asked()) is counted


class Recorder(Inside):
    """A protocol that fails when it is told to."""

    def data_received(self, data: bytes) -> None:
        if data == b"fail":
            raise RuntimeError
        self.transport.write(b"heard")

    def connection_made(self, transport: Any) -> None:
        self.transport = transport


class Plain(Wire):
    """A wire to it."""

    def open(self) -> Inside:
        recorder = Recorder()
        self.set_protocol(recorder)
        recorder.connection_made(self)
        return recorder


def test_a_protocol_that_fails_ends_its_own_connection_and_its_address_is_still_read():
    async def read() -> list[bytes]:
        loop, settings = asyncio.get_running_loop(), Settings("sqlite://", base_url="http://here")
        intake = Intake(Limits(settings), Doors(settings, 9).proxies)
        server = await loop.create_server(lambda: Plain(intake), "127.0.0.1", 0)
        at, ends = server.sockets[0].getsockname(), []
        for text in (b"fail", b"good"):
            with socket.socket() as line:
                line.setblocking(False)
                line.bind(("127.0.0.2", 0))
                await loop.sock_connect(line, at)
                await loop.sock_sendall(line, text)
                try:
                    ends.append(await loop.sock_recv(line, 100))
                except ConnectionError:
                    ends.append(b"cut")
        server.close()
        await server.wait_closed()
        while intake.lanes:
            await asyncio.sleep(0)
        return ends

    assert asyncio.run(read()) in ([b"cut", b"heard"], [b"", b"heard"])


def processor(pid: int) -> float:
    """Seconds of the processor that a process has taken, all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


NAMED = (
    *shapes.NAMED.values(),
    shapes.Shape("unknown pages", 125, piece=1000),
    shapes.Shape("handshakes", 0, lines=8),
    shapes.Shape("two parts", 0, piece=40),
    shapes.Shape("half heads", 0, piece=1, lines=64),
    shapes.Shape("probes", 8, lines=8),
)
DRAWN = tuple(shapes.Shape.drawn(random.Random(seed)) for seed in range(8))
NGINX = shutil.which("nginx") or Path("/usr/sbin/nginx").exists()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="Only Linux says what a process spends.")
@pytest.mark.parametrize(
    ("sent", "proxied"),
    [
        (NAMED, False),
        (DRAWN, False),
        pytest.param(NAMED, True, marks=pytest.mark.skipif(not NGINX, reason="nginx is not installed")),
    ],
    ids=["named", "drawn", "behind nginx"],
)
def test_whatever_one_address_sends_it_takes_at_most_a_quarter_of_a_core_beyond_what_it_has_at_once(
    tmp_path: Path, sent: tuple[Any, ...], proxied: bool
):
    """Each shape comes for some seconds to a server that has nothing else to read, while somebody else asks again and again,
    which costs what it costs when nobody sends anything."""
    inner, outer = proxy.free_ports(2)
    port = outer if proxied else inner
    limits = {"work": WORK, "reading": READING}
    with contextlib.ExitStack() as stack:
        if proxied:
            stack.enter_context(proxy.Proxy(tmp_path, outer, [inner]))
        asked = 0.0
        for shape in (shapes.Shape("connections", 0, lines=0), *sent):
            server, address = start(tmp_path / "tables.db", port=inner, base_url=f"http://127.0.0.1:{port}", limits=limits)
            with contextlib.ExitStack() as ends:
                ends.callback(stop, server)
                ada = Person(address)
                ada.order()
                begun, used, asks = time.monotonic(), processor(server.pid), 0
                barrage = shapes.Barrage(shape, "127.0.0.1", port, ada.table, "127.0.0.2", begun + 4)
                sending = threading.Thread(target=asyncio.run, args=(barrage.run(),))
                sending.start()
                while sending.is_alive() or time.monotonic() < begun + 4:
                    assert b" 200 OK" in answers(address, LAST, 1000, source="127.0.0.3")
                    asks += 1
                    time.sleep(0.2)
                spent, lasted = processor(server.pid) - used, time.monotonic() - begun
            asked = asked or spent / asks
            assert (barrage.lines > 0) == (shape.lines > 0), shape
            assert spent - asks * asked < WORK[0] + READING[0] + QUARTER * lasted, (shape, spent, asks * asked, lasted)
