"""The intake: bytes have a price, and the address that sends them pays it.

A wire lies between a connection and the protocol that reads it, HTTP and later perhaps a WebSocket. What has come waits
there, 16 KB at most, and the protocol's parser is given it in slices. The wires of an address stand in one lane: in each
turn of the event loop their parsers get `TURN` seconds together, wire after wire, and the others go on. What the parsers
took, and `READ` for each read, however few bytes it brought, is paid by the address (`Limits.read`); while it owes, nothing
of its is read, and what it sends waits in the system.

The head of a request is handed on when all of it is here, if it has no more than `LINES` lines. Only then is it known for
whom a proxy asks; until then the connection has a limit of its own, `READS` reads. Of a body that nobody waits for little is
thrown away, unparsed.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections import deque
from functools import lru_cache
from typing import Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from outbid.server import metrics
from outbid.server.logging import log
from outbid.server.rate_limits import Limits, address_of
from outbid.server.settings import Settings

SLICE = 1024  # bytes that a parser is given at a time, twice as many after some that cost little
TURN = 0.002  # seconds that the parsers of an address have in a turn of the event loop
READ = 0.00002  # seconds that a read costs, besides what the parser does with it
WAITING = 2**14  # bytes of a connection that wait for its parser; a head may have more
HEAD, LINES = 2**16, 100  # bytes of a head and its headers
READS = 1000  # in which the head of a request that has no address yet must have come
LINGER, LATE = 2.0, 2**18  # seconds and bytes of what still comes, and is thrown away, after an answer that did not wait
CLAIMED = 2**22  # bytes that are thrown away if the request said that they would come

END = re.compile(rb"\n\r?\n")
FORWARDED = re.compile(rb"\nx-forwarded-for:[ \t]*([^\r\n]*)", re.IGNORECASE)
LONG_HEAD = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\n"
    b"A request has at most %d headers and %d bytes of them.\n" % (LINES, HEAD)
)


class Inside(asyncio.Protocol):
    """A protocol that reads what a wire hands on."""

    def awaits_head(self) -> bool:
        """Whether the next byte begins a request."""
        return False

    def busy(self) -> bool:
        """Whether a request is being answered, and the next one has to wait."""
        return False

    def begin(self) -> None:
        """The first byte of a request has come."""

    def missing(self) -> int | None:
        """Bytes of a body that are still to come, as the request says, or 0; none: there are none."""
        return None


class Proxies:
    """The proxies that may say for whom they ask, as uvicorn knows them; without a base URL there are none."""

    def __init__(self, settings: Settings):
        named = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1,::1") if settings.base_url is not None else ""
        self._trusted = ProxyHeadersMiddleware(_nothing, named).trusted_hosts

    def __contains__(self, transport: asyncio.BaseTransport) -> bool:
        host = _host(transport)
        return bool(host) and host in self._trusted

    def client(self, transport: asyncio.BaseTransport, head: bytes) -> str:
        """For whom a proxy sends a head; the proxy itself if it does not say."""
        hosts = b", ".join(FORWARDED.findall(head)).decode("latin-1")
        client = self._trusted.get_trusted_client_address(hosts) if hosts else ("", 0)
        return _address(client[0]) if client[0] else peer(transport)


async def _nothing(scope: Any, receive: Any, send: Any) -> None:
    """No application."""


def peer(transport: asyncio.BaseTransport) -> str:
    """The address at the other end."""
    return _address(_host(transport))


@lru_cache(1000)
def _address(host: str) -> str:
    return address_of({"client": (host, 0)})


def _host(transport: asyncio.BaseTransport) -> str:
    name = transport.get_extra_info("peername")
    return str(name[0]) if isinstance(name, tuple) else ""


class Intake:
    """The lanes of all addresses."""

    def __init__(self, limits: Limits, proxies: Proxies):
        self.limits = limits
        self.proxies = proxies
        self.buffer = memoryview(bytearray(WAITING))  # of all wires: a read is taken out at once
        self.lanes: dict[str | None, Lane] = {}

    def put(self, wire: Wire, reads: int = 0) -> None:
        """A wire has something that can be handed on; reads: that brought it just now."""
        if wire.address not in self.lanes:
            self.lanes[wire.address] = Lane(self, wire.address)
        self.lanes[wire.address].put(wire, reads)


class Lane:
    """The wires of an address that have something to hand on; address: none: it is not known yet."""

    def __init__(self, intake: Intake, address: str | None):
        self.address = address
        self._intake = intake
        self._loop = asyncio.get_running_loop()
        self._wires: deque[Wire] = deque()
        self._reads = 0
        self._loop.call_soon(self._turn)

    def put(self, wire: Wire, reads: int) -> None:
        """A wire stands here from now on."""
        self._reads += reads
        if not wire.queued:
            wire.queued = True
            self._wires.append(wire)

    def _turn(self) -> None:
        limits, address = self._intake.limits, self.address
        if address is not None and (wait := limits.unread(address)):
            self._loop.call_later(min(wait, 1.0), self._turn)
            return
        begun, spent = time.thread_time(), 0.0
        while self._wires and spent < TURN:
            wire = self._wires.popleft()
            wire.queued = False
            if wire.handed_on():
                self._intake.put(wire)
            before, spent = spent, time.thread_time() - begun
            wire.slice = min(2 * wire.slice, WAITING) if spent - before < TURN / 8 else SLICE
        if address is not None:
            limits.read(address, spent + READ * self._reads)
        self._reads = 0
        if self._wires:
            self._loop.call_soon(self._turn)
        else:
            del self._intake.lanes[address]


class Wire(asyncio.BufferedProtocol, asyncio.Transport):
    """A connection: to the event loop its protocol, to the protocol inside its transport.

    proxied: it comes from a proxy. address: who pays for what it brings; none: the proxy has yet to say it."""

    proxied = False
    address: str | None = None
    _wire: asyncio.Transport

    def __init__(self, intake: Intake):
        self.intake = intake
        self.queued = False
        self.slice = SLICE
        self._inside: Inside | None = None
        self._waiting = bytearray()
        self._searched = 0  # bytes of a head in which no end was found
        self._lines = 0
        self._reads = 0  # while there is no address
        self._held = False  # the protocol inside wants nothing just now
        self._choked = False  # nothing is read
        self._late: int | None = None  # bytes that are still thrown away before the end

    # --- to the event loop ---

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._wire = transport
        self.proxied = transport in self.intake.proxies
        self.address = None if self.proxied else peer(transport)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self.intake.buffer

    def buffer_updated(self, nbytes: int) -> None:
        if self.address is not None:
            self.intake.limits.callers.of(self.address).read += nbytes
        if self._late is not None:
            self._throw_away(nbytes)
            return
        if not self._waiting and self._inside and self._inside.awaits_head():
            self._inside.begin()
        self._waiting += self.intake.buffer[:nbytes]
        self._reads += self.address is None
        self.intake.put(self, reads=1)
        if len(self._waiting) >= WAITING or (self.address is not None and self.intake.limits.unread(self.address)):
            self._choke(True)

    def connection_lost(self, exc: Exception | None) -> None:
        self._waiting.clear()
        if self._inside:
            self._inside.connection_lost(exc)

    def pause_writing(self) -> None:
        if self._inside:
            self._inside.pause_writing()

    def resume_writing(self) -> None:
        if self._inside:
            self._inside.resume_writing()

    # --- to the protocol inside ---

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._wire.get_extra_info(name, default)

    def set_protocol(self, protocol: Any) -> None:
        self._inside = protocol

    def write(self, data: Any) -> None:
        if self.address is not None:
            self.intake.limits.callers.of(self.address).sent += len(data)
        self._wire.write(data)

    def is_closing(self) -> bool:
        return self._late is not None or self._wire.is_closing()

    def pause_reading(self) -> None:
        self._held = True

    def resume_reading(self) -> None:
        self._held = False
        if self._waiting:
            self.intake.put(self)

    def abort(self) -> None:
        self._wire.abort()

    def close(self) -> None:
        """Close when all is written; who still sends a body may read the answer first."""
        missing = self._inside.missing() if self._inside else None
        if missing is None:
            self._wire.close()
        elif not self.is_closing():
            self._linger(min(max(missing, LATE), CLAIMED))

    # --- in its lane ---

    def handed_on(self) -> bool:
        """Hand on, as `hand_on`; a fault ends this connection, and no other of its address."""
        try:
            return self.hand_on()
        except Exception:
            log.exception("What a connection has sent could not be read.")
            self.abort()
            return False

    def hand_on(self) -> bool:
        """Give the protocol a slice of what has come, or a head; whether there is more for it."""
        if self.is_closing() or not self._waiting:
            self._waiting.clear()
            return False
        inside = self._inside or self.open()
        if self._held or inside.busy():
            return False
        size = self.slice
        if inside.awaits_head() and self._waiting[0] > 0x20:  # what no request begins with is refused at once
            size = self._head()
            if not size or (self.proxied and self._other(bytes(self._waiting[:size]))):
                return bool(size)
        piece = bytes(self._waiting[:size])
        del self._waiting[:size]
        self._searched = self._lines = 0
        inside.data_received(piece)
        if self._choked and len(self._waiting) < WAITING:
            self._choke(False)
        return bool(self._waiting)

    def open(self) -> Inside:
        """The protocol inside, which begins now."""
        raise NotImplementedError

    def _head(self) -> int:
        """The bytes of the head that has come; 0: not all of it is here, or it is refused."""
        end = END.search(self._waiting, max(0, self._searched - 2))
        size = end.end() if end else len(self._waiting)
        lines = self._lines + self._waiting.count(b"\n", self._searched, size)
        if lines > LINES + 2 or size > HEAD or self._reads > READS:  # the request line and the empty one
            metrics.refused(431)
            self._wire.write(LONG_HEAD)
            self._linger(LATE)
            return 0
        if end:
            return size
        self._searched, self._lines = size, lines
        self._choke(False)
        return 0

    def _other(self, head: bytes) -> bool:
        """Whether a proxy sends a head for another address than before, which pays from now on."""
        address = self.intake.proxies.client(self._wire, head)
        if address == self.address:
            return False
        self.address = address
        self.intake.limits.callers.of(address).read += len(head)
        self.intake.limits.read(address, READ * self._reads)
        self._reads = 0
        return True

    def _choke(self, choked: bool) -> None:
        if choked != self._choked and not self._wire.is_closing():
            self._choked = choked
            (self._wire.pause_reading if choked else self._wire.resume_reading)()

    # --- the end ---

    def _linger(self, late: int) -> None:
        """Write what is to be written, read on for a moment, and close."""
        self._late = late - len(self._waiting)
        self._waiting.clear()
        self._choke(False)
        if self._wire.can_write_eof():
            self._wire.write_eof()
        asyncio.get_running_loop().call_later(LINGER, self._wire.abort)

    def _throw_away(self, nbytes: int) -> None:
        assert self._late is not None
        self._late -= nbytes
        if self._late < 0:
            self._wire.abort()
        elif self.address is not None:
            self.intake.limits.read(self.address, READ)
            self._choke(self.intake.limits.unread(self.address) > 0)
