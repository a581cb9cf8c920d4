"""What one hostile address can do: how long others wait meanwhile, and whether a seat is refused.

    python benchmarks/server/attack.py [--seconds 8] [--only NAME …] [--tables 10] [--moves 20] [--proxy] [--search N]

A server of its own on the loopback, told that it stands behind a proxy, so that every address has its usual limits; whoever
attacks comes from 127.0.0.2 on one core, everybody else from 127.0.0.3 while the server has the other core. At `tables`
tables of four people `moves` commands a second are made; beside them somebody who has a seat loads its page anew over a
connection of its own and opens its socket, four times a second. Printed for each attack: p50 and p99 of a command until the
others have the view, p99 of a page and its socket, how many of them were refused, the server's memory, how much of a
core it used, and what the attack reached. Beside other work on the same cores only the last three figures tell something.
With --proxy nginx stands before the server, with deploy/nginx.conf, on the attacker's core.

With --search so many shapes of bytes (shapes.py) are sent for `--window` seconds each, from a new address each time, nearly
half of them at random, the others like the dearest so far. Printed are those that cost the server most: of a core, of a
megabyte, and how long another client waited at worst for an answer; then the dearest `DEAREST` are sent as attacks.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from load import Table, _cpu, _memory, opened
from proxy import Proxy, free_ports
from shapes import NAMED, Barrage, Shape
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

SERVE = (
    "import sys; from outbid.server.main import run; "
    "run(port=int(sys.argv[2]), database=sys.argv[1], base_url=sys.argv[3])"
)
DEAREST = 3
HOSTILE, OTHERS = "127.0.0.2", "127.0.0.3"
LONG = {"game": "kuhhandel", "options": {"bidding": "dropout"}}

HEADING = f"{'attack':13} {'p50':>7} {'p99':>7} {'page p99':>9} {'refused':>8} {'MB':>5} {'cores':>6}  what was reached"


# --- the attacks, each in a process of its own ------------------------------------------------------------------------


@dataclass
class Attack:
    """Where to, for how long, and what has been reached."""

    host: str
    port: int
    table: str
    until: float
    shape: Shape | None = None
    reached: Counter[str] = field(default_factory=Counter)

    @property
    def on(self) -> bool:
        """It goes on."""
        return time.monotonic() < self.until

    async def wire(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection."""
        return await asyncio.open_connection(self.host, self.port, local_addr=(HOSTILE, 0))

    def request(self, method: str, path: str, body: bytes = b"", length: int | None = None, kind: str = "") -> bytes:
        """A request as it goes over the wire."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}:{self.port}", "Accept: application/json"]
        if body or length:
            lines += [f"Content-Length: {len(body) if length is None else length}"]
            lines += [f"Content-Type: {kind or 'application/x-www-form-urlencoded'}"]
        return "\r\n".join([*lines, "", ""]).encode() + body

    async def ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        body = await reader.readexactly(int(length[1])) if length else b""
        status = int(head.split(b" ", 2)[1])
        self.reached[f"answers {status}"] += 1
        return status, body

    async def again_and_again(self, many: int, once: Callable[[], Awaitable[None]]) -> None:
        """So many at the same time, each again as soon as it has ended."""

        async def one() -> None:
            while self.on:
                try:
                    async with asyncio.timeout(max(0.01, self.until - time.monotonic())):
                        await once()
                except Exception as error:
                    self.reached[type(error).__name__] += 1
                    await asyncio.sleep(0.02)

        await asyncio.gather(*(one() for _ in range(many)))


async def nothing(attack: Attack) -> None:
    """Nobody attacks."""
    await asyncio.sleep(attack.until - time.monotonic())


async def hold(attack: Attack) -> None:
    """As many connections as can be had, on which nothing is sent."""
    held = 0

    async def once() -> None:
        nonlocal held
        reader, writer = await attack.wire()
        held += 1
        attack.reached["held at once"] = max(attack.reached["held at once"], held)
        try:
            await reader.read(1)
        finally:
            held -= 1
            writer.close()

    await attack.again_and_again(1500, once)


async def slow(attack: Attack) -> None:
    """Bodies that never end: of a GET, and after an answer that did not wait for them."""
    held = 0

    async def once() -> None:
        nonlocal held
        reader, writer = await attack.wire()
        held += 1
        attack.reached["held at once"] = max(attack.reached["held at once"], held)
        try:
            get = random.random() < 0.5
            writer.write(attack.request("GET" if get else "POST", "/healthz" if get else "/tables", b"x", 10_000))
            while not reader.at_eof():
                await asyncio.sleep(1)
                writer.write(b"x")
                await writer.drain()
        finally:
            held -= 1
            writer.close()

    await attack.again_and_again(1200, once)


async def flood(attack: Attack) -> None:
    """The page of a table, as often as it can be had."""

    async def once() -> None:
        reader, writer = await attack.wire()
        try:
            for _ in range(50):
                status, _body = await attack.ask(reader, writer, attack.request("GET", f"/t/{attack.table}"))
                if status == 429:
                    await asyncio.sleep(0.01)
        finally:
            writer.close()

    await attack.again_and_again(64, once)


async def watch(attack: Attack) -> None:
    """Sockets of those who watch one table."""

    async def once() -> None:
        url = f"ws://{attack.host}:{attack.port}/t/{attack.table}/socket"
        async with connect(url, local_addr=(HOSTILE, 0), max_queue=None) as line:
            async for text in line:
                attack.reached["refused" if '"error"' in str(text)[:20] else "messages"] += 1

    await attack.again_and_again(300, once)


async def chatter(attack: Attack) -> None:
    """Those who watch say as much as they can, each under another name."""

    async def once() -> None:
        reader, writer = await attack.wire()
        try:
            for _ in range(20):
                said = f"name=N{random.randrange(10**9)}&text={'la+' * 60}".encode()
                await attack.ask(reader, writer, attack.request("POST", f"/t/{attack.table}/chat", said))
        finally:
            writer.close()

    await attack.again_and_again(16, once)


async def records(attack: Attack) -> None:
    """A long record is sent and looked back at, at any place."""
    record = long_record()
    reader, writer = await attack.wire()
    _status, body = await attack.ask(reader, writer, attack.request("POST", "/records", record, kind="application/json"))
    attack.reached["bytes of the record"] = len(record)
    table = json.loads(body)["table"]

    async def once() -> None:
        reader, writer = await attack.wire()
        try:
            for _ in range(10):
                place = random.randrange(1000, 3000)
                await attack.ask(reader, writer, attack.request("GET", f"/t/{table}/replay?move={place}"))
        finally:
            writer.close()

    await attack.again_and_again(16, once)


def long_record() -> bytes:
    """The record of a match in which everybody bids as little as they can."""
    import outbid

    match = outbid.game(LONG["game"], **LONG["options"]).new(players=5, seed=3)
    number = 0
    while not match.over:
        seat = match.asked[0]
        bids = [choice for choice in match.legal(seat) if choice.move["do"] == "bid"]
        if bids and bids[0].amounts:
            match.play(seat, {**bids[0].move, "amount": bids[0].amounts[0]})
        else:
            match.random_move(seat, number)
        number += 1
    return json.dumps(match.record()).encode()


async def uploads(attack: Attack) -> None:
    """Two megabytes of what is no record, again and again."""
    junk = json.dumps([{"a": [n] * 3} for n in range(80_000)]).encode()[: 2**21 - 100]

    async def once() -> None:
        reader, writer = await attack.wire()
        try:
            await attack.ask(reader, writer, attack.request("POST", "/records", b"text=" + junk))
        finally:
            writer.close()

    await attack.again_and_again(8, once)


async def tables(attack: Attack) -> None:
    """Tables of bots, as many as can be had."""

    async def once() -> None:
        reader, writer = await attack.wire()
        try:
            order = b"game=kuhhandel&players=5&name=Eve&bots=steady&pace=instant"
            for _ in range(10):
                await attack.ask(reader, writer, attack.request("POST", "/tables", order))
        finally:
            writer.close()

    await attack.again_and_again(8, once)


async def look(attack: Attack) -> None:
    """A long record is looked at for the first time, at its end."""
    reader, writer = await attack.wire()
    sent = attack.request("POST", "/records", long_record(), kind="application/json")
    _status, body = await attack.ask(reader, writer, sent)
    await attack.ask(reader, writer, attack.request("GET", f"/t/{json.loads(body)['table']}/replay?move=3000&seat=open"))
    await asyncio.sleep(attack.until - time.monotonic())


async def bytes_(attack: Attack) -> None:
    """Bytes of a shape."""
    assert attack.shape
    barrage = Barrage(attack.shape, attack.host, attack.port, attack.table, HOSTILE, attack.until)
    await barrage.run()
    attack.reached["KB"], attack.reached["connections"] = barrage.sent // 1024, barrage.lines


ATTACKS = {one.__name__: one for one in (nothing, hold, slow, flood, watch, chatter, records, look, uploads, tables)}
ALL = (*ATTACKS, *NAMED)


# --- the others -------------------------------------------------------------------------------------------------------


async def others(told: argparse.Namespace, address: str, server: int) -> None:
    """Play, and see how that goes under every attack."""
    rng, parts = random.Random(1), urlsplit(address)
    playing: list[Table] = []
    listening = []
    for _ in range(told.tables):
        playing.append(await opened([address], "kuhhandel", 4, 1, source=OTHERS))
        listening += [asyncio.create_task(guest.listen()) for guest in playing[-1].guests]
    await asyncio.sleep(1)
    mine = min(os.sched_getaffinity(0))
    shapes = dict(NAMED)
    if told.search:
        shapes = {f"dearest {n}": shape for n, shape in enumerate(await search(told, parts, playing[0].name, server), 1)}
    print(HEADING, flush=True)
    for name in shapes if told.search else told.only or ALL:
        for table in playing:
            table.waits.clear()
        aim = [sys.executable, __file__, "--attack", name, "--host", str(parts.hostname), "--port", str(parts.port)]
        aim += ["--shape", json.dumps(asdict(shapes[name]))] if name in shapes else []
        used, begun = _cpu(server), time.perf_counter()
        hostile = subprocess.Popen(
            [*aim, "--table", playing[0].name, "--seconds", str(told.seconds), "--core", str(mine)],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert hostile.stdout
        await asyncio.to_thread(hostile.stdout.readline)  # it has begun
        pages: list[float] = []
        refused = Counter[str]()
        at = (str(parts.hostname), parts.port or 0)
        loading = asyncio.create_task(load_pages(*at, playing, pages, refused, told.seconds))
        await make_moves(told, playing, rng, refused)
        await loading
        reached = await asyncio.to_thread(hostile.stdout.readline)
        hostile.wait(20)
        cores = (_cpu(server) - used) / (time.perf_counter() - begun)
        waits = sorted(wait for table in playing for wait in table.waits) or [0.0, 0.0]
        cut = statistics.quantiles(waits, n=100)
        slowest = statistics.quantiles(pages, n=100)[98] if len(pages) > 1 else float("nan")
        figures = f"{1e3 * cut[49]:5.0f}ms {1e3 * cut[98]:5.0f}ms {1e3 * slowest:7.0f}ms"
        told_ = f" ({', '.join(refused)})" if refused else ""
        print(
            f"{name:13} {figures} {sum(refused.values()):8} {_memory(server):5.0f} {cores:6.2f}  {reached.strip()}{told_}",
            flush=True,
        )
        await asyncio.sleep(told.rest)
    for task in listening:
        task.cancel()
    await asyncio.gather(*(guest.line.close() for table in playing for guest in table.guests), return_exceptions=True)


async def search(told: argparse.Namespace, at: SplitResult, table: str, server: int) -> list[Shape]:
    """The dearest of many shapes, each sent from an address of its own."""
    rng, tried = random.Random(told.seed), dict[Shape, tuple[float, float, float]]()
    host, port, loop = str(at.hostname), at.port or 0, asyncio.get_running_loop()
    used, waits = _cpu(server), list[float]()
    await wait_for_answers(host, port, time.monotonic() + told.window, waits)
    idle = (_cpu(server) - used) / told.window
    print(f"nobody: {idle:.2f} cores, {1e3 * max(waits):.0f} ms at worst")
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), pin, (min(os.sched_getaffinity(0)),)) as attackers:
        while len(tried) < told.search:
            best = sorted(tried, key=lambda shape: -tried[shape][0])[:8]
            shape = rng.choice(best).changed(rng) if best and rng.random() < 0.55 else Shape.drawn(rng)
            if shape in tried:
                continue
            source = f"127.1.{len(tried) // 250}.{len(tried) % 250 + 1}"
            barrage = Barrage(shape, host, port, table, source, time.monotonic() + told.window)
            used, waits = _cpu(server), list[float]()
            sending = loop.run_in_executor(attackers, sent, barrage)
            await wait_for_answers(host, port, barrage.until, waits)
            megabytes = await sending / 1e6
            spent = _cpu(server) - used - idle * told.window
            tried[shape] = spent / told.window, spent / max(megabytes, 0.001), max(waits)
            await asyncio.sleep(0.2)
    for rank, title in enumerate(("of a core", "s a MB", "worst wait")):
        print(f"the dearest by {title}:")
        for shape in sorted(tried, key=lambda shape: -tried[shape][rank])[:12]:
            cores, bytes_cost, wait = tried[shape]
            print(f"  {cores:5.2f} cores {bytes_cost:7.3f} s a MB {1e3 * wait:6.0f} ms  {shape}", flush=True)
    return sorted(tried, key=lambda shape: -tried[shape][0])[:DEAREST]


def pin(core: int) -> None:
    """This process stays on a core."""
    os.sched_setaffinity(0, {core})


def sent(barrage: Barrage) -> int:
    """Send a barrage; the bytes that were sent."""
    asyncio.run(barrage.run())
    return barrage.sent


async def wait_for_answers(host: str, port: int, until: float, waits: list[float]) -> None:
    """How long another client waits for an answer, again and again."""
    while time.monotonic() < until:
        begun = time.perf_counter()
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection(host, port, local_addr=(OTHERS, 0))
            writer.write(f"GET /livez HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
            await reader.read()
            writer.close()
        waits.append(time.perf_counter() - begun)
        await asyncio.sleep(0.05)


async def make_moves(told: argparse.Namespace, playing: list[Table], rng: random.Random, refused: Counter[str]) -> None:
    """So many commands a second."""
    begun, asked_for, turn = time.perf_counter(), 0, 0
    while (passed := time.perf_counter() - begun) < told.seconds:
        while asked_for < passed * told.moves:
            asked_for += 1
            for _ in playing:
                turn += 1
                table = playing[turn % len(playing)]
                try:
                    if await table.move(rng):
                        break
                except ConnectionClosed as closed:
                    refused[f"cut: {closed}"] += 1
                    table.busy = True  # it is out of it
        await asyncio.sleep(0.002)


async def load_pages(
    host: str, port: int, playing: list[Table], took: list[float], refused: Counter[str], seconds: float
) -> None:
    """Somebody who has a seat comes back, again and again."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        table = playing[0]
        begun = time.perf_counter()
        try:
            async with asyncio.timeout(10):
                reader, writer = await asyncio.open_connection(host, port, local_addr=(OTHERS, 0))
                head = f"GET /t/{table.name} HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: {table.cookie}\r\n"
                writer.write(f"{head}Connection: close\r\n\r\n".encode())
                status = (await reader.readline()).split(b" ")[1].decode()
                await reader.read(2**24)
                writer.close()
                if status != "200":
                    refused[status] += 1
                url = f"ws://{host}:{port}/t/{table.name}/socket"
                async with connect(url, additional_headers={"Cookie": table.cookie}, local_addr=(OTHERS, 0)) as line:
                    if '"error"' in str(await line.recv())[:20]:
                        refused["socket"] += 1
        except Exception as error:
            refused[type(error).__name__] += 1
        took.append(time.perf_counter() - begun)
        await asyncio.sleep(0.25)


def main() -> None:
    """Start the server, the others and the attacks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--rest", type=float, default=3, help="seconds between two attacks")
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--moves", type=float, default=20)
    parser.add_argument("--only", nargs="*", choices=list(ALL))
    parser.add_argument("--proxy", action="store_true", help="nginx stands before the server")
    parser.add_argument("--search", type=int, default=0, help="so many shapes of bytes are tried")
    parser.add_argument("--window", type=float, default=3, help="seconds for each of them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", action="store_true", help="print what the server said")
    for hidden in ("--attack", "--host", "--table", "--shape"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    for hidden in ("--port", "--core"):
        parser.add_argument(hidden, type=int, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.attack:
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {told.core})
        if told.attack in ("records", "look"):
            long_record()  # its rules are read in before it begins
        print("begun", flush=True)
        shape = Shape(**json.loads(told.shape)) if told.shape else None
        attack = Attack(told.host, told.port, told.table, time.monotonic() + told.seconds, shape)
        asyncio.run(bytes_(attack) if shape else ATTACKS[told.attack](attack))
        print(", ".join(f"{name} {number}" for name, number in sorted(attack.reached.items())), flush=True)
        return
    port, outer = free_ports(2)
    cores = sorted(os.sched_getaffinity(0))
    print(f"load of this machine: {os.getloadavg()[0]:.1f} on {len(cores)} cores", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        address = f"http://127.0.0.1:{outer if told.proxy else port}"
        command = [sys.executable, "-c", SERVE, f"{folder}/tables.db", str(port), address]
        with (Path(folder) / "log").open("w") as log:
            server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert server.stdout
            server.stdout.readline()
            if len(cores) > 1:
                os.sched_setaffinity(server.pid, {cores[-1]})
            pin(cores[0])
            with Proxy(Path(folder), outer, [port]) if told.proxy else contextlib.nullcontext():
                os.sched_setaffinity(0, cores)
                asyncio.run(others(told, address, server.pid))
        finally:
            server.terminate()
            server.wait(20)
            if told.log:
                print((Path(folder) / "log").read_text()[-5000:])


if __name__ == "__main__":
    main()
