"""Connections: how many there may be, and how long they may take.

A connection waits on the porch until its first byte is here (`Porch`): until then it costs next to nothing. There it is
counted (`Doors`): how often one address (an IPv6 network of 64 bits is one) connects, how many connections it has, how many
there are in all. An address that connects too often is cut off silently, for a refusal would cost more than the request; one
that has too many loses the one that has waited longest without a whole request; only if all of them are at work the new one
is refused. A trusted proxy is not counted: it counts for itself, and names the address that it forwards. What the bytes of a
connection cost is counted, too (intake.py).

uvicorn waits for ever for the rest of a request, keeps what a client does not read, and answers every ping, whether the
answers are read or not. Here a request must have arrived with its body, and the client must have taken what is to be sent,
within `patience` seconds; a client that is answered before that has little time for the rest; a message of a socket has as
long, and so many parts; and one that pings while it reads nothing is cut off at once.
"""

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame
from websockets.protocol import State

from outbid.server import metrics
from outbid.server.rate_limits import Buckets, Limits
from outbid.server.settings import Settings
from outbid.server.web.intake import Inside, Intake, Proxies, Wire, peer

GRACE = 1.0  # seconds more until a body is cut that the gate has not refused (408)
PARTS = 32  # of a message of a socket
POLICY, NO_TEXT = 1008, 1007  # why a socket is closed
TRAILER = 2**13  # bytes of a line of a body that comes in chunks, and of what follows the last one
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

    def __init__(self, settings: Settings, most: int, limits: Limits | None = None):
        self.settings = settings
        self.limits = limits or Limits(settings)
        self.limits.shut = self.shut
        self.most = most
        self.proxies = Proxies(settings)
        self._inside: dict[asyncio.BaseTransport, str] = {}
        self._waiting: dict[str, OrderedDict[asyncio.BaseTransport, Callable[[], None]]] = {}
        self._many: dict[str, int] = {}
        self._arrivals = Buckets(settings.requests)

    def admits(self, transport: asyncio.BaseTransport) -> bool:
        """Whether a new connection is let in: its address has not connected too often."""
        return not self.counted(transport) or not self._arrivals.take(peer(transport))

    def bars(self, transport: asyncio.BaseTransport) -> bool:
        """Whether the client at the other end is shut out; a proxy never is: it speaks for others."""
        return self.counted(transport) and self.limits.bars(peer(transport))

    def shut(self) -> None:
        """End the connections of who is shut out."""
        for transport in [inside for inside in self._inside if self.bars(inside)]:
            transport.abort()  # type: ignore[attr-defined]

    def counted(self, transport: asyncio.BaseTransport) -> bool:
        """Whether the client at the other end has a limit."""
        address = peer(transport)
        return bool(address) and not self.settings.free(address) and transport not in self.proxies

    def enter(self, transport: asyncio.BaseTransport, cut: Callable[[], None]) -> bool:
        """A connection is made; false if there is no room for it."""
        address = peer(transport)
        if self.counted(transport) and self._many.get(address, 0) >= self.settings.connections and not self._cut(address):
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


def protocols(settings: Settings, limits: Limits) -> dict[str, Any]:
    """The protocols of a uvicorn configuration."""
    doors = Doors(settings, max(SPARE, many_files() - SPARE), limits)
    return {
        "http": partial(Porch, patience=settings.patience, doors=doors, intake=Intake(limits, doors.proxies)),
        "ws": partial(Messages, patience=settings.patience, doors=doors),
        "ws_max_size": settings.frame,
        "ws_per_message_deflate": False,
        "ws_ping_interval": settings.ping,
        "ws_ping_timeout": settings.ping,
        "h11_max_incomplete_event_size": TRAILER,
        "limit_concurrency": doors.most + 1,
    }


class Porch(Wire):
    """A connection, which waits here for its first byte, for so long as a request may take."""

    def __init__(self, server_state: ServerState, patience: float, doors: Doors, intake: Intake, **facts: Any):
        super().__init__(intake)
        self.state = server_state
        self.doors = doors
        self.patience = patience
        self.facts = facts
        self._unused: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.doors.bars(self) or not self.doors.admits(self):
            self.abort()
        elif not self.doors.enter(self, self.abort):
            self.write(BUSY)
            self.close()
        else:
            self.state.connections.add(self)  # type: ignore[arg-type]
            self._unused = asyncio.get_running_loop().call_later(self.patience + GRACE, self.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self.doors.leave(self)
        self._go()
        super().connection_lost(exc)

    def open(self) -> Inside:
        self._go()
        requests = Requests(server_state=self.state, patience=self.patience, doors=self.doors, **self.facts)
        self.set_protocol(requests)
        requests.connection_made(self)
        return requests

    def shutdown(self) -> None:
        """Close the connection, as the server ends."""
        self.close()

    def _go(self) -> None:
        self.state.connections.discard(self)
        _cancel(self._unused)


class _Taken(Inside):
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

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.begin()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        _cancel(self._reading)

    def begin(self) -> None:
        self._unset_keepalive_if_required()
        _cancel(self._reading)
        self._reading = self.loop.call_later(self.patience + GRACE, self.transport.abort)

    def awaits_head(self) -> bool:
        return self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]

    def busy(self) -> bool:
        return self.conn.their_state not in (h11.IDLE, h11.SEND_BODY)

    def missing(self) -> int | None:
        if self.conn.their_state is not h11.SEND_BODY:
            return None
        claimed = dict(self.headers).get(b"content-length", b"")
        return int(claimed) if claimed.isdigit() else 0

    def handle_events(self) -> None:
        super().handle_events()
        if self._upgraded:
            return
        if self.conn.their_state is h11.IDLE:
            if self._reading is None:
                self.begin()
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
        body = self.conn.their_state is h11.SEND_BODY  # asked now: the next request may begin as this one ends
        super().on_response_complete()
        if body:
            self._unset_keepalive_if_required()
            self.transport.close()
        else:
            self.transport.resume_reading()


class Messages(_Taken, WebSocketsSansIOProtocol):
    """A WebSocket; what is not read ends it, and so does a message that does not end."""

    _ending: asyncio.TimerHandle | None = None  # until the message must be complete

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.doors.works(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        _cancel(self._ending)
        self.conn.parser.close()  # it holds what holds it, and only a rare look for garbage would find that (main.COLLECT)

    def shutdown(self) -> None:
        """Close it, as the server ends; abort it if it is closing already: its client may never take what lies ready."""
        if self.conn.state in (State.CONNECTING, State.OPEN) and not self.disconnected:
            super().shutdown()
            self._gone()
        else:
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        self.conn.receive_data(data)
        if self._gone():
            self.transport.abort()
            return
        if self.conn.parser_exc is not None:
            self.handle_parser_exception()
            return
        whole = bool(self.conn.events)
        self.handle_events()
        if whole and self.conn.current_size is None and not self.conn.reader.buffer:
            _cancel(self._ending)
            self._ending = None
        elif self._ending is None:
            self._ending = self.loop.call_later(self.patience, self._end)

    def _gone(self) -> bool:
        """Whether it has ended before it was answered: whatever the application says to it still, goes nowhere."""
        if not self.conn.eof_sent or self.handshake_complete or self.close_sent:
            return False
        self.disconnected = self.handshake_complete = True
        return True

    def handle_cont(self, event: Frame) -> None:
        super().handle_cont(event)
        if len(self.frames) >= PARTS:
            self._end()

    def send_receive_event_to_app(self) -> None:
        """Hand a message on, unless it is text and no UTF-8."""
        try:
            if self.curr_msg_data_type == "text":
                b"".join(self.frames).decode()
        except UnicodeDecodeError:
            self._end(NO_TEXT, "Text is sent as UTF-8.")
        else:
            super().send_receive_event_to_app()

    def _end(self, code: int = POLICY, why: str = "") -> None:
        """Close it; why: else a message takes too long, or has too many parts."""
        if self.conn.state is State.OPEN and not self.close_sent:
            self.conn.send_close(code, why or f"A message has {PARTS} parts and {self.patience:g} seconds at most.")
            self.handle_parser_exception()
        else:
            self.transport.abort()

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
