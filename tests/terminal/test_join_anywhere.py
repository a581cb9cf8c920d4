"""A link may lead to any server: one that answers without end, slowly, packed, or tells more than a table can be."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from websockets.asyncio.server import ServerConnection, serve

from outbid.agents.session import visiting
from outbid.core.errors import OutbidError
from outbid.wire import visit as module
from outbid.wire.link import Link
from outbid.wire.visit import BIGGEST, Gone, Unreached, Visit
from tests.support.commands import outbid_command

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
CHUNK = b"%x\r\n%b\r\n" % (65536, b" " * 65536)
PACKED = gzip.compress(b" " * 2**26)
Answer = Callable[[asyncio.StreamWriter], Awaitable[None]]


async def without_end(writer: asyncio.StreamWriter) -> None:
    """Chunk after chunk, as fast as they are read."""
    writer.write(CHUNKED)
    while True:
        writer.write(CHUNK)
        await writer.drain()


async def drop_by_drop(writer: asyncio.StreamWriter) -> None:
    """A byte whenever patience for a single read would end."""
    writer.write(CHUNKED)
    while True:
        writer.write(b"1\r\n \r\n")
        await writer.drain()
        await asyncio.sleep(0.05)


async def packed(writer: asyncio.StreamWriter) -> None:
    """64 MB of blanks in 64 KB."""
    writer.write(HEAD + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(PACKED) + PACKED)
    await writer.drain()


async def nested(writer: asyncio.StreamWriter) -> None:
    """A list in a list in a list."""
    writer.write(HEAD + b"Content-Length: 1000000\r\n\r\n" + b"[" * 1_000_000)
    await writer.drain()


@contextlib.asynccontextmanager
async def answering(answer: Answer) -> AsyncIterator[str]:
    """A server that answers everything like this, and the link of a table there."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError), contextlib.closing(writer):
            await reader.readuntil(b"\r\n\r\n")
            await answer(writer)

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/t/abc"


@pytest.mark.parametrize(
    ("answer", "error"), [(without_end, Gone), (packed, Gone), (nested, Gone), (drop_by_drop, Unreached)]
)
def test_no_answer_is_read_without_end(answer: Answer, error: type[OutbidError], monkeypatch: pytest.MonkeyPatch):
    if answer is drop_by_drop:
        monkeypatch.setattr(module, "PATIENCE", 0.5)

    async def visits() -> None:
        async with answering(answer) as link:
            tracemalloc.start()
            try:
                with pytest.raises(error):
                    await Visit(Link.read(link)).look()
                assert tracemalloc.get_traced_memory()[1] < 5 * BIGGEST
            finally:
                tracemalloc.stop()
            with pytest.raises(error):
                await visiting(link, "Agent")  # as the tool `join` of `outbid mcp` comes to a table

    asyncio.run(visits())


def test_the_command_ends_with_a_sentence():
    async def ends() -> None:
        async with answering(without_end) as link:
            done = await asyncio.to_thread(outbid_command, "join", link, "--plain", "--name", "Ada")
            assert (done.returncode, done.stdout) == (2, "")
            assert done.stderr == f"At {link.partition('/t/')[0]} there is no table server.\n"

    asyncio.run(ends())


@pytest.mark.parametrize("of", ["log", "said"])
@pytest.mark.slow
def test_no_more_of_a_table_is_kept_than_a_table_can_be(of: str):
    async def endless(line: ServerConnection) -> None:
        number = 0
        now = {"table": {"id": "abc", "game": "rivals", "status": "playing"}, "seats": [], "you": -1, "log": []}
        with contextlib.suppress(Exception):  # until it hangs up
            while True:
                told = [{"id": number + n, "text": "x" * 10_000, "name": "x"} for n in range(100)]
                number += 100
                change = {"type": "table", "now": {**now, "log": told if of == "log" else []}, "since": number}
                await line.send(json.dumps({**change, "said": told if of == "said" else []}))
                await asyncio.sleep(0)  # both are in one loop

    async def watches() -> int:
        async with serve(endless, "127.0.0.1", 0) as server:
            visit = Visit(Link.read(f"http://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}/t/abc"))
            with pytest.raises(Gone, match="no table server"):
                await visit.watch()
            return len(visit.log) + len(visit.said)

    assert 1000 < asyncio.run(watches()) < 2000
