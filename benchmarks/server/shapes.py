"""Shapes: what one hostile address can send, and which of it costs the server most.

A shape is a kind of bytes, how large the parts of it are, over how many connections it is sent, in pieces of how many bytes,
and how long it waits between two of them. `attack.py` sends those that have a name, and searches among the others for the
dearest byte.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import random
import socket
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
SIZES = (0, 1, 2, 8, 30, 125, 1000, 8000)
PIECES = (1, 6, 40, 1000, 16_384, 65_536)
LINES = (1, 8, 64)
PAUSES = (0.0, 0.0, 0.0, 0.001, 0.02)
BLOCK = 2**16  # about so many bytes are made beforehand and sent again and again


@dataclass(frozen=True)
class Shape:
    """What is sent. size: of a part; piece: bytes that are written at once; lines: connections; pause: seconds between two
    pieces."""

    kind: str
    size: int
    piece: int = 65_536
    lines: int = 1
    pause: float = 0.0

    @classmethod
    def drawn(cls, rng: random.Random) -> Shape:
        """Any of them."""
        size, piece, lines = (rng.choice(values) for values in (SIZES, PIECES, LINES))
        return cls(rng.choice(sorted(KINDS)), size, piece, lines, rng.choice(PAUSES))

    def changed(self, rng: random.Random) -> Shape:
        """Another one, of which one thing is different."""
        name = rng.choice(["kind", "size", "piece", "lines", "pause"])
        return replace(self, **{name: getattr(Shape.drawn(rng), name)})


def frame(opcode: int, payload: bytes = b"", last: bool = True) -> bytes:
    """A frame as a client sends it, under a mask of zeros."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else struct.pack("!BH", 0x80 | 126, size)
    return bytes([(0x80 if last else 0) | opcode]) + length + b"\0\0\0\0" + payload


def request(line: str, *headers: str) -> bytes:
    """The head of a request; {host} is put in later."""
    return "\r\n".join([f"{line} HTTP/1.1", "Host: {host}", *headers, "", ""]).encode()


def chunk(payload: bytes) -> bytes:
    """A part of a body that comes in chunks."""
    return b"%x\r\n%s\r\n" % (len(payload), payload)


HANDSHAKE = request(
    "GET /t/{table}/socket", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
    f"Sec-WebSocket-Key: {base64.b64encode(bytes(16)).decode()}",
)  # fmt: skip
CHUNKED = request("POST /tables", "Accept: application/json", "Transfer-Encoding: chunked")
PROBE = b'{"type":"probe","id":"%s"}'

# kind: of a size → what opens a connection, and what is sent again and again after it
KINDS: dict[str, Callable[[int], tuple[bytes, bytes]]] = {
    "continuations": lambda size: (HANDSHAKE + frame(TEXT, b"x", last=False), frame(CONTINUATION, b"x" * size, last=False)),
    "two parts": lambda size: (HANDSHAKE, frame(TEXT, b"x" * size, last=False) + frame(CONTINUATION)),
    "pings": lambda size: (HANDSHAKE, frame(PING, b"x" * min(size, 125))),
    "pongs": lambda size: (HANDSHAKE, frame(PONG, b"x" * min(size, 125))),
    "texts": lambda size: (HANDSHAKE, frame(TEXT, b"x" * size)),
    "probes": lambda size: (HANDSHAKE, frame(TEXT, PROBE % (b"x" * min(size, 64)))),
    "nested": lambda size: (HANDSHAKE, frame(TEXT, b"[" * size)),
    "handshakes": lambda size: (b"", HANDSHAKE + frame(CLOSE, b"\x03\xe8" + b"x" * min(size, 100))),
    "requests": lambda size: (b"", request("GET /livez?" + "x" * size)),
    "pages": lambda size: (b"", request("GET /?" + "x" * size)),
    "unknown pages": lambda size: (b"", request("GET /" + "x" * size)),
    "other methods": lambda size: (b"", request(f"{'X' * max(1, min(size, 30))} /livez")),
    "headers": lambda size: (b"", request("GET /livez", *["a:"] * min(12_000, 12 * size))),
    "cookies": lambda size: (b"", request("GET /livez", "Cookie: " + "a=b;" * size)),
    "languages": lambda size: (b"", request("GET /livez", "Accept-Language: " + "de;q=0.5," * size)),
    "half heads": lambda size: (b"GET /livez HTTP/1.1\r\na:" + b"x" * size, b"x"),
    "chunks": lambda size: (CHUNKED, chunk(b"x" * max(1, size))),
    "extended chunks": lambda size: (CHUNKED, b"1;" + b"x" * size + b"\r\nx\r\n"),
    "trailers": lambda size: (CHUNKED, b"0\r\n" + b"a:\r\n" * size + b"\r\n" + CHUNKED),
    "bodies": lambda size: (b"", request("POST /tables", f"Content-Length: {size}") + b"x" * size),
    "forms": lambda size: (b"", request("POST /tables", f"Content-Length: {4 * size}") + b"a=b&" * size),
    "late": lambda size: (request("POST /tables", "Content-Length: 99999999"), b"x" * max(1, size)),
    "late chunks": lambda size: (CHUNKED + chunk(b"x" * 20_000), chunk(b"x" * max(1, size))),
    "connections": lambda size: (b"x" * min(size, 1), b""),  # closed at once
    "junk": lambda size: (b"", b"\x16" + b"\x03" * size),
    "records": lambda size: (b"", request("POST /records", f"Content-Length: {size + 5}") + b"text=" + b"[" * size),
}

NAMED = {
    "continuations": Shape("continuations", 0),
    "pings": Shape("pings", 0),
    "chunks": Shape("chunks", 1),
    "late": Shape("late chunks", 1, lines=8),
    "headers": Shape("headers", 1000, lines=8),
}


@dataclass
class Barrage:
    """A shape on its way to a table's server from an address of this machine, until a moment."""

    shape: Shape
    host: str
    port: int
    table: str
    source: str
    until: float
    sent: int = 0
    lines: int = field(default=0)

    async def run(self) -> None:
        """Send it."""
        await asyncio.gather(*(self._line() for _ in range(self.shape.lines)))

    async def _line(self) -> None:
        opening, part = (self._filled(text) for text in KINDS[self.shape.kind](self.shape.size))
        block = part * max(1, BLOCK // max(1, len(part)))
        while (left := self.until - time.monotonic()) > 0:
            try:
                async with asyncio.timeout(left):
                    await self._send(opening, block)
            except (OSError, TimeoutError):
                await asyncio.sleep(0.005)

    def _filled(self, text: bytes) -> bytes:
        return text.replace(b"{host}", f"{self.host}:{self.port}".encode()).replace(b"{table}", self.table.encode())

    async def _send(self, opening: bytes, block: bytes) -> None:
        """Send it over one connection, until that ends."""
        loop, (size, pause) = asyncio.get_running_loop(), (self.shape.piece, self.shape.pause)
        with socket.socket() as wire:
            wire.setblocking(False)
            wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            wire.bind((self.source, 0))
            await loop.sock_connect(wire, (self.host, self.port))
            self.lines += 1
            answered = asyncio.Event()
            reading = asyncio.create_task(_read(wire, answered))
            try:
                head, end, rest = opening.partition(b"\r\n\r\n")
                await loop.sock_sendall(wire, head + end)
                if head.startswith(b"GET /t/"):
                    await answered.wait()  # a browser sends nothing before the socket is open
                await loop.sock_sendall(wire, rest)
                self.sent += len(opening)
                while block and not reading.done():
                    for start in range(0, len(block), size):
                        piece = block[start : start + size]
                        await loop.sock_sendall(wire, piece)
                        self.sent += len(piece)
                        await asyncio.sleep(pause)
                        if reading.done():
                            break
            finally:
                reading.cancel()


async def _read(wire: socket.socket, answered: asyncio.Event) -> None:
    """Read what is answered, until nothing comes any more."""
    loop = asyncio.get_running_loop()
    with contextlib.suppress(OSError):
        while await loop.sock_recv(wire, 2**16):
            answered.set()
    answered.set()
