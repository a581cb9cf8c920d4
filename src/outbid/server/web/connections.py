"""Connections: how many there may be, and how long they may take.

A connection waits on the porch until its first byte is here (`Porch`): until then it costs next to nothing. There it is
counted (`Doors`): how often one address (an IPv6 network of 64 bits is one) connects, how many connections it has, how many
there are in all. An address that connects too often is cut off silently, for a refusal would cost more than the request; one
that has too many loses the one that has waited longest without a whole request; only if all of them are at work the new one
is refused. A trusted proxy is not counted: it counts for itself, and names the address that it forwards.

uvicorn waits for ever for the rest of a request, keeps what a client does not read, and answers every ping, whether the
answers are read or not. Here a request must have arrived with its body, and the client must have taken what is to be sent,
within `patience` seconds; a client that is answered before that has little time for the rest; and one that pings while it
reads nothing is cut off at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import os
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from outbid.server import metrics
from outbid.server.rate_limits import Buckets, address_of
from outbid.server.settings import Settings

LINGER, LATE = 2.0, 2**22  # seconds and bytes of what still comes, and is thrown away, after an answer that did not wait
GRACE = 1.0  # seconds more until a body is cut that the gate has not refused (408)
FILES = 2**16  # open files that are asked for
SPARE = 64  # files that are no connections
FULL = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 10\r\nContent-Type: text/plain\r\n\r\n"
BUSY = FULL + b"There are too many connections just now; please try again in a moment.\n"


def many_files() -> int:
    """As many open files as the system allows, from now on; how many that is."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 512
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(hard, FILES)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return soft


class Doors:
    """Who is connected. most: connections in all."""

    def __init__(self, settings: Settings, most: int):
        self.settings = settings
        self.most = most
        self._proxies = proxies() if settings.base_url is not None else ()
        self._inside: dict[asyncio.BaseTransport, str] = {}
        self._waiting: dict[str, OrderedDict[asyncio.BaseTransport, Callable[[], None]]] = {}
        self._many: dict[str, int] = {}
        self._arrivals = Buckets(settings.requests)

    def admits(self, transport: asyncio.BaseTransport) -> bool:
        """Whether a new connection is let in: its address has not connected too often."""
        address = _peer(transport)
        return not self.counted(address) or not self._arrivals.take(address)

    def counted(self, address: str) -> bool:
        """Whether an address has a limit."""
        return bool(address) and not self.settings.free(address) and not _among(address, self._proxies)

    def enter(self, transport: asyncio.BaseTransport, cut: Callable[[], None]) -> bool:
        """A connection is made; false if there is no room for it."""
        address = _peer(transport)
        if self.counted(address) and self._many.get(address, 0) >= self.settings.connections and not self._cut(address):
            return False
        if len(self._inside) >= self.most:
            return False
        self._inside[transport] = address
        self._many[address] = self._many.get(address, 0) + 1
        self.waits(transport, cut)
        metrics.CONNECTIONS.set(len(self._inside))
        return True

    def waits(self, transport: asyncio.BaseTransport, cut: Callable[[], None]) -> None:
        """No whole request has come from it yet, or no other one after the last."""
        if transport in self._inside:
            self._waiting.setdefault(self._inside[transport], OrderedDict())[transport] = cut

    def works(self, transport: asyncio.BaseTransport) -> None:
        """A whole request is here."""
        address = self._inside.get(transport, "")
        if address in self._waiting:
            self._waiting[address].pop(transport, None)
            if not self._waiting[address]:
                del self._waiting[address]

    def leave(self, transport: asyncio.BaseTransport) -> None:
        """A connection has ended."""
        self.works(transport)
        address = self._inside.pop(transport, None)
        if address is not None:
            self._many[address] -= 1
            if not self._many[address]:
                del self._many[address]
            metrics.CONNECTIONS.set(len(self._inside))

    def _cut(self, address: str) -> bool:
        """The connection of an address that has waited longest ends; false if there is none."""
        for transport, cut in self._waiting.get(address, {}).items():
            self.leave(transport)
            cut()
            return True
        return False


def _peer(transport: asyncio.BaseTransport) -> str:
    """The address at the other end."""
    peer = transport.get_extra_info("peername")
    return address_of({"client": peer if isinstance(peer, tuple) else None})


def proxies() -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
    """The proxies that may name another address, as uvicorn reads them."""
    networks = []
    for network in os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1").split(","):
        with contextlib.suppress(ValueError):
            networks.append(ipaddress.ip_network(network.strip(), strict=False))
    return tuple(networks)


def _among(address: str, networks: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]) -> bool:
    try:
        client = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(client in network for network in networks if network.version == client.version)


def protocols(settings: Settings) -> dict[str, Any]:
    """The protocols of a uvicorn configuration."""
    doors = Doors(settings, max(SPARE, many_files() - SPARE))
    return {
        "http": partial(Porch, patience=settings.patience, doors=doors),
        "ws": partial(Messages, patience=settings.patience, doors=doors),
        "ws_max_size": settings.frame,
        "ws_per_message_deflate": False,
        "ws_ping_interval": settings.ping,
        "ws_ping_timeout": settings.ping,
        "limit_concurrency": doors.most + 1,
    }


class Porch(asyncio.Protocol):
    """Where a connection waits for its first byte, for so long as a request may take."""

    transport: asyncio.Transport

    def __init__(self, server_state: ServerState, patience: float, doors: Doors, **facts: Any):
        self.state = server_state
        self.doors = doors
        self.patience = patience
        self.facts = facts
        self._waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.transport = transport
        if not self.doors.admits(transport):
            transport.abort()
        elif not self.doors.enter(transport, transport.abort):
            transport.write(BUSY)
            transport.close()
        else:
            self.state.connections.add(self)  # type: ignore[arg-type]
            self._waiting = asyncio.get_running_loop().call_later(self.patience + GRACE, transport.abort)

    def data_received(self, data: bytes) -> None:
        if self._waiting is None or self.transport.is_closing():
            return
        self._go()
        inside = Requests(server_state=self.state, patience=self.patience, doors=self.doors, **self.facts)
        self.transport.set_protocol(inside)
        inside.connection_made(self.transport)
        inside.data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.doors.leave(self.transport)
        self._go()

    def shutdown(self) -> None:
        """Close the connection, as the server ends."""
        self.transport.close()

    def _go(self) -> None:
        self.state.connections.discard(self)
        _cancel(self._waiting)


class _Taken(asyncio.Protocol):
    """A connection that ends where what lies ready is not taken."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport

    def __init__(self, *args: Any, patience: float, doors: Doors, **facts: Any):
        super().__init__(*args, **facts)
        self.patience = patience
        self.doors = doors
        self._writing: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        self.doors.leave(self.transport)
        super().connection_lost(exc)
        _cancel(self._writing)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._writing = self.loop.call_later(self.patience, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        _cancel(self._writing)


class Requests(_Taken, H11Protocol):
    """HTTP; a request that takes too long to arrive, or an answer that is not read, ends it."""

    def __init__(self, *args: Any, **facts: Any):
        super().__init__(*args, **facts)
        self._reading: asyncio.TimerHandle | None = None
        self._upgraded = False
        self._late: int | None = None  # bytes that came after an answer which did not wait for the body

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        _cancel(self._reading)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self._late is not None:
            self._late += len(data)
            if self._late > LATE:
                self.transport.abort()
                return
        if self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]:
            _cancel(self._reading)
            self._reading = None
            self._await_request()
        super().data_received(data)

    def handle_events(self) -> None:
        super().handle_events()
        if self._upgraded:
            return
        if self.conn.their_state is h11.IDLE:
            if self._late is not None:  # the rest of the body has come
                _cancel(self._reading)
                self._reading = self._late = None
            self._await_request()
            self.doors.waits(self.transport, self.transport.abort)
        elif self.conn.their_state is not h11.SEND_BODY:
            _cancel(self._reading)
            self._reading = None
            self.doors.works(self.transport)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._upgraded = True
        _cancel(self._reading)
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY and not self.transport.is_closing():
            self._late = 0
            self._unset_keepalive_if_required()
            _cancel(self._reading)
            self._reading = self.loop.call_later(LINGER, self.transport.abort)

    def _await_request(self) -> None:
        """The time of a request begins with its first byte."""
        if self._reading is None:
            self._reading = self.loop.call_later(self.patience + GRACE, self.transport.abort)


class Messages(_Taken, WebSocketsSansIOProtocol):
    """A WebSocket; what is not read ends it."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.doors.works(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.conn.parser.close()  # it holds what holds it, and only a rare look for garbage would find that (main.COLLECT)

    def keepalive_timeout(self) -> None:
        """Who does not answer reads nothing either, perhaps, and then what lies ready would keep the connection for ever."""
        super().keepalive_timeout()
        self.loop.call_later(self.patience, self.transport.abort)

    def handle_ping(self) -> None:
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.transport.abort()


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer:
        timer.cancel()
