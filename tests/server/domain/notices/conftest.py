"""A mail server and a web hook, for the tests of notices."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from tests.support.noticing import Box, PushService, Receiver, free_port


@pytest.fixture
def box() -> Iterator[tuple[Box, str]]:
    """A mail server and its URL."""
    made = Box()
    port = free_port()
    server = Controller(made, hostname="127.0.0.1", port=port)
    server.start()
    try:
        yield made, f"smtp://127.0.0.1:{port}"
    finally:
        server.stop()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A web hook."""
    yield from _serving(Receiver())


@pytest.fixture
def service() -> Iterator[PushService]:
    """A push service, and the keys of one browser."""
    yield from _serving(PushService())


def _serving(made: Any) -> Iterator[Any]:
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()
