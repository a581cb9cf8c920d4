"""The local socket of a server process: its user alone (mode 0600) reads there what stays in memory.

    outbid admin who  →  connects to the socket of each process of a database  →  reads one JSON object from each

The sockets are in the user's data folder. Their names begin with the database: `.outbid-3f2ac0de-….sock`. One that nobody
listens at belonged to a process that was killed, and is removed.
"""

import asyncio
import contextlib
import hashlib
import json
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from outbid.core.files import data_folder
from outbid.server.logging import log
from outbid.server.tokens import new_id

PATIENCE = 5.0  # seconds for an answer


def _prefix(url: sa.URL) -> str:
    """How the sockets of a database are called."""
    file = str(Path(url.database or "").resolve())
    name = file if url.get_backend_name() == "sqlite" else f"{url.host or url.query.get('host')} {url.port} {url.database}"
    return f".outbid-{hashlib.sha256(name.encode()).hexdigest()[:8]}-"


@asynccontextmanager
async def listening(url: sa.URL, report: Callable[[], dict[str, Any]]) -> AsyncIterator[None]:
    """Answer each who connects while the context lasts. A server that cannot, goes on without."""

    async def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            writer.write(json.dumps({"process": os.getpid(), **report()}).encode())
            await writer.drain()
        writer.close()

    path, server = data_folder() / f"{_prefix(url)}{new_id()}.sock", None
    if hasattr(socket, "AF_UNIX"):
        try:
            server = await asyncio.start_unix_server(answer, sock=_bound(path))
        except OSError as error:
            log.warning("`outbid admin who` cannot ask this process: %s.", error.strerror or error)
    try:
        yield
    finally:
        if server:
            server.close()
            path.unlink(missing_ok=True)


def _bound(path: Path) -> socket.socket:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    door, masked = socket.socket(socket.AF_UNIX), os.umask(0o177)
    try:
        door.bind(str(path))
    except OSError:
        door.close()
        raise
    finally:
        os.umask(masked)
    return door


def ask(url: sa.URL) -> list[dict[str, Any]]:
    """What each process of a database on this machine says of itself."""
    reports = []
    for path in sorted(data_folder().glob(f"{_prefix(url)}*.sock")):
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as line:
            line.settimeout(PATIENCE)
            try:
                line.connect(str(path))
            except ConnectionRefusedError:
                path.unlink(missing_ok=True)
                continue
            with line.makefile("rb") as answer:
                reports.append(json.load(answer))
    return reports
