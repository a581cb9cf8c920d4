"""Connections that stay half open, or do not take what they are sent, are cut.

uvicorn waits for ever for the rest of a request, keeps what a client does not read, and answers every ping, whether or
not the answers are read. Here a request must have arrived, and what lies ready to be sent must have been taken, within
`patience` seconds; and who pings while it reads nothing is cut at once.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from outbid.server.settings import Settings


def protocols(settings: Settings) -> dict[str, Any]:
    """The protocols of a uvicorn configuration."""
    return {
        "http": partial(Requests, patience=settings.patience),
        "ws": partial(Messages, patience=settings.patience),
        "ws_max_size": settings.frame,
        "ws_per_message_deflate": False,
        "ws_ping_interval": settings.ping,
        "ws_ping_timeout": settings.ping,
    }


class Requests(H11Protocol):
    """HTTP; a request that takes too long to arrive, or an answer that is not read, ends it."""

    def __init__(self, *args: Any, patience: float, **facts: Any):
        super().__init__(*args, **facts)
        self.patience = patience
        self._reading: asyncio.TimerHandle | None = None
        self._writing: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        _cancel(self._reading)
        _cancel(self._writing)

    def handle_events(self) -> None:
        super().handle_events()
        if self.conn.their_state is h11.IDLE:
            self._await_request()
        else:
            _cancel(self._reading)
            self._reading = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._writing = self.loop.call_later(self.patience, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        _cancel(self._writing)

    def _await_request(self) -> None:
        """The time of a request begins with its first byte, or with the connection."""
        if self._reading is None:
            self._reading = self.loop.call_later(self.patience, self.transport.abort)


class Messages(WebSocketsSansIOProtocol):
    """A WebSocket; what is not read ends it."""

    def __init__(self, *args: Any, patience: float, **facts: Any):
        super().__init__(*args, **facts)
        self.patience = patience
        self._writing: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        _cancel(self._writing)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._writing = self.loop.call_later(self.patience, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        _cancel(self._writing)

    def handle_ping(self) -> None:
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.transport.abort()


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer:
        timer.cancel()
