"""Many tables at once: from a command to the views of the others, with people at every seat and others watching.

    python benchmarks/server/load.py [--tables 200] [--sockets 1200] [--moves 200] [--seconds 30] [--game GAME] [--players N]
                              [--database URL] [--processes N] [--hashed] [--proxy] [--again]

The servers run in processes of their own on the loopback; this program is all the guests. Every table has `players` people
and as many spectators as make up the number of sockets; every socket is a page's and is sent HTML. `moves` commands a second
are spread evenly over the tables; each is one of the buttons that the mover's page shows. Measured: from sending a command
until each other socket of the table has the view with that move, how many views never came, and the servers' memory at the
end. With several processes the sockets of one table are spread over them, or with --hashed all at one, where a proxy as in
deploy/ sends them. With --proxy that is nginx itself, with deploy/nginx.conf (proxy.py), and the guests of each table have
an address of their own, for all limits hold.

With --again a table whose match is over is left, and its people begin another: a soak, in which the memory is read every
`LOOK` seconds. Printed are those figures and the slope of their second half; --plot FILE draws them.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import html
import itertools
import json
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from proxy import Proxy, free_ports
from uvloop import new_event_loop
from websockets.asyncio.client import ClientConnection, connect

SERVE = (
    "import sys; from outbid.server.main import run; port, url = sys.argv[2:];"
    "run(port=int(port), database=sys.argv[1], base_url=url or None)"
)
JSON = {"Accept": "application/json"}
VERSION = re.compile(r'^{"type":"regions","version":(\d+)')
BUTTON = re.compile(r"""<button[^>]* name=\\"move\\" value='(.*?)'""")
ENDED = 'id=\\"over\\" aria-label='  # of the region "over", as soon as there are winners
LOOK = 30.0  # seconds
AT_ONCE = 20  # tables that are opened at the same time
SELDOM = 0.9  # of the decisions of a soak in which one may bid, one does not
DECISION = re.compile(r'name=\\"decision\\" value=\\"(\d+)\\"')


@dataclass
class Guest:
    """One socket at a table; seat −1 watches. moves: the buttons of its dock, while it is asked."""

    table: Table
    seat: int
    line: ClientConnection
    version: int = -1
    decision: str = ""
    moves: list[str] = field(default_factory=list)

    async def listen(self) -> None:
        """Take in what comes until the end."""
        with contextlib.suppress(Exception):
            async for text in self.line:
                self.take(str(text))

    def take(self, text: str) -> None:
        """Note the view's version, and when it came; of an asked seat also what it may do."""
        found = VERSION.match(text)
        if not found:
            if text.startswith('{"type":"ack"'):
                self.table.answered(json.loads(text))
            return
        now = time.perf_counter()
        for version in range(self.version + 1, int(found[1]) + 1):
            self.table.seen(version, self, now)
        self.version = int(found[1])
        self.table.over = self.table.over or ENDED in text
        if self.seat >= 0 and '"dock":' in text:
            decision = DECISION.search(text)
            self.decision = decision[1] if decision else ""
            self.moves = [html.unescape(json.loads(f'"{move}"')) for move in BUTTON.findall(text)] if decision else []


@dataclass
class Table:
    """A table and what was measured at it. cookie: of its first seat; sent: command → when; waits: from there to a view."""

    name: str = ""
    cookie: str = ""
    guests: list[Guest] = field(default_factory=list)
    busy: bool = False
    moves: int = 0
    refused: int = 0
    over: bool = False
    left: bool = False  # its people begin another
    sent: float = 0.0
    mover: int = -1
    waits: list[float] = field(default_factory=list)

    def answered(self, ack: dict[str, object]) -> None:
        """The answer to the command that was sent last."""
        self.busy = False
        self.moves += bool(ack["ok"])
        self.refused += not ack["ok"]

    def seen(self, version: int, guest: Guest, now: float) -> None:
        """A guest has the view with so many moves."""
        if version == self.moves + self.busy and version > 0 and guest.seat != self.mover:
            self.waits.append(now - self.sent)

    async def move(self, rng: random.Random, seldom: bool = False) -> bool:
        """Send one command of a seat that is asked; false if there is none. seldom: it hardly ever bids, so matches end."""
        asked = [guest for guest in self.guests if guest.moves]
        if self.busy or not asked:
            return False
        guest = rng.choice(asked)
        self.busy, self.mover = True, guest.seat
        calm = [move for move in guest.moves if '"bid"' not in move]  # who bids at random bids for hours
        moves = calm if calm and seldom and rng.random() < SELDOM else guest.moves
        fields = {"move": rng.choice(moves), "decision": guest.decision}
        guest.moves = []
        self.sent = time.perf_counter()
        await guest.line.send(json.dumps({"type": "move", "id": str(uuid.uuid4()), "fields": fields}))
        return True


async def opened(addresses: list[str], game: str, players: int, watching: int, source: str | None = None) -> Table:
    """A new table with all its sockets, which take turns with the addresses; source: whence they come."""
    table = Table()
    cookies: list[str] = []
    way = httpx.AsyncHTTPTransport(local_address=source, verify=False)
    async with httpx.AsyncClient(base_url=addresses[0], timeout=60, transport=way) as http:
        order = {"game": game, "players": players, "name": "Ada", "bots": "open"}
        made = (await http.post("/tables", data=order, headers=JSON)).json()
        name = made["table"]
        cookies.append(made["link"].rsplit("/", 1)[1])
        table.name, table.cookie = name, f"seat-{name}={cookies[0]}"
        for seat in range(1, players):
            joined = await http.post(f"/t/{name}/join", data={"name": f"Ben{seat}"}, headers=JSON | {"Cookie": ""})
            cookies.append(joined.json()["link"].rsplit("/", 1)[1])
            http.cookies.clear()
    for n in range(players + watching):
        seat = n if n < players else -1
        url = f"{addresses[n % len(addresses)].replace('http', 'ws', 1)}/t/{name}/socket"
        headers = {"Cookie": f"seat-{name}={cookies[seat]}"} if seat >= 0 else {}
        whence = {"local_addr": (source, 0)} if source else {}
        line = await connect(
            url, additional_headers=headers, compression=None, ping_interval=None, max_size=2**22, **whence
        )
        table.guests.append(Guest(table, seat, line))
    return table


async def load(told: argparse.Namespace, addresses: list[str], pids: list[int]) -> None:
    """Open the tables, send the moves, print what was measured."""
    rng = random.Random(1)
    watching = max(0, told.sockets // told.tables - told.players)
    doors = asyncio.Semaphore(AT_ONCE)

    async def one(theirs: list[str]) -> Table:
        async with doors:
            return await opened(theirs, told.game, told.players, watching, next(homes) if told.proxy else None)

    homes = (f"127.1.{n // 200}.{n % 200 + 1}" for n in itertools.count())
    places = [[addresses[n % len(addresses)]] if told.hashed else addresses for n in range(told.tables)]
    tables = list(await asyncio.gather(*map(one, places)))
    guests = [guest for table in tables for guest in table.guests]
    listening = [asyncio.create_task(guest.listen()) for guest in guests]
    await asyncio.sleep(3)
    print(f"{told.tables} tables, {len(guests)} sockets, {told.game} for {told.players}, {told.moves} moves a second")
    begun, asked_for = time.perf_counter(), 0
    used, own = sum(_cpu(pid) for pid in pids), _cpu(os.getpid())
    also = {name: _of_all(name) for name in told.also}
    turn = 0
    left: list[Table] = []
    going: set[asyncio.Task[None]] = set()
    memory: list[tuple[float, float]] = []

    async def begin_again(place: int, theirs: list[str]) -> None:
        """The people of a table that is over leave it for a new one."""
        left.append(tables[place])
        await asyncio.gather(*(guest.line.close() for guest in tables[place].guests), return_exceptions=True)
        tables[place].guests.clear()
        tables[place] = await one(theirs)
        listening.extend(asyncio.create_task(guest.listen()) for guest in tables[place].guests)

    while (passed := time.perf_counter() - begun) < told.seconds:
        while asked_for < passed * told.moves:
            asked_for += 1
            for _ in range(len(tables)):
                turn += 1
                if await tables[turn % len(tables)].move(rng, told.again):
                    break
        if told.again:
            for place, table in enumerate(tables):
                if table.over and not table.busy and not table.left:
                    table.left = True
                    going.add(asyncio.create_task(begin_again(place, places[place])))
            if not memory or passed - memory[-1][0] >= LOOK:
                listening[:] = [task for task in listening if not task.done()]
                memory.append((passed, sum(map(_memory, pids))))
                print(f"{passed:6.0f} s  {memory[-1][1]:6.1f} MB  {len(left)} matches over", flush=True)
        await asyncio.sleep(0.002)
    if len(half := memory[len(memory) // 2 :]) > 1:
        slope = statistics.linear_regression([at / 60 for at, _mb in half], [mb for _at, mb in half]).slope
        print(f"{len(left)} matches were over; the second half rises by {slope:.2f} MB a minute")
    if told.plot:
        plot(memory, told.plot)
    tables += left
    guests = [guest for table in tables for guest in table.guests]
    lasted, used = time.perf_counter() - begun, sum(_cpu(pid) for pid in pids) - used
    await asyncio.sleep(3)
    waits = sorted(wait for table in tables for wait in table.waits)
    cut = statistics.quantiles(waits, n=100)
    made, refused = sum(table.moves for table in tables), sum(table.refused for table in tables)
    lost = sum(guest.version != guest.table.moves for guest in guests)
    print(f"{made / lasted:.0f} moves a second were made, {refused} refused")
    figures = {"p50": cut[49], "p99": cut[98], "worst": waits[-1]}
    print("command to view of the others: " + ", ".join(f"{name} {1e3 * wait:.1f} ms" for name, wait in figures.items()))
    print(f"{lost} of {len(guests)} sockets lack the last view")
    print(f"the servers: {used / lasted:.2f} cores, {', '.join(f'{_memory(pid):.0f} MB' for pid in pids)}")
    if told.also:
        cores = ", ".join(f"{name} {(_of_all(name) - before) / lasted:.2f}" for name, before in also.items())
        print(f"besides, in cores: {cores}, the guests {(_cpu(os.getpid()) - own) / lasted:.2f}")
    for task in listening:
        task.cancel()
    await asyncio.gather(*(guest.line.close() for guest in guests), return_exceptions=True)


def _memory(pid: int) -> float:
    """Resident megabytes of a process."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def _cpu(pid: int) -> float:
    """Seconds a process has computed."""
    numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / 100


def plot(memory: list[tuple[float, float]], path: str) -> None:
    """Draw a soak: megabytes by minutes."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "soak"
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 2.6), layout="constrained")
    axes.plot([at / 60 for at, _mb in memory], [mb for _at, mb in memory])
    axes.set(xlabel="minutes", ylabel="memory of the server, MB", ylim=(0, None))
    axes.grid(alpha=0.3)
    figure.savefig(path, metadata={"Date": None})


def _until_all_answer(ports: list[int]) -> None:
    for port in ports:
        for _ in range(600):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            time.sleep(0.1)


def _of_all(name: str) -> float:
    """Seconds that all processes of a program have computed which run now."""
    found = 0.0
    for place in Path("/proc").glob("[0-9]*/comm"):
        with contextlib.suppress(OSError):
            found += _cpu(int(place.parent.name)) if place.read_text().strip() == name else 0.0
    return found


def main() -> None:
    """Start the servers and the load."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--sockets", type=int, default=1200, help="of all tables together")
    parser.add_argument("--moves", type=float, default=200, help="a second, of all tables together")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--game", default="kuhhandel")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--database", help="an SQLAlchemy URL; none: a new SQLite file")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--preload", help="a library that is loaded before the servers (slow_disk.py)")
    parser.add_argument("--hashed", action="store_true", help="all sockets of a table at one process")
    parser.add_argument("--proxy", action="store_true", help="behind nginx, as deploy/ sets it up")
    parser.add_argument("--also", nargs="*", default=[], help="programs whose processor time is told, too: nginx postgres")
    parser.add_argument("--plot", help="a file for a picture of a soak: .svg or .png")
    parser.add_argument("--again", action="store_true", help="another match where one is over; the memory now and then")
    told = parser.parse_args()
    if not told.again:
        gc.disable()  # this program is not what is measured
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", SERVE, told.database or f"{folder}/tables.db"]
        door, *ports = free_ports(told.processes + 1) if told.proxy else [0] * (told.processes + 1)
        base = f"http://127.0.0.1:{door}" if told.proxy else ""
        environment = {**os.environ, **({"LD_PRELOAD": told.preload} if told.preload else {})}
        servers = [
            subprocess.Popen([*command, str(port), base], stdout=subprocess.PIPE, text=True, env=environment)
            for port in ports
        ]
        try:
            addresses = []
            for server in servers:
                assert server.stdout
                found = re.search(r"http://\S+", server.stdout.readline())
                assert found, "the server did not start"
                addresses.append(found[0])
            with contextlib.ExitStack() as stack, asyncio.Runner(loop_factory=new_event_loop) as runner:
                if told.proxy:
                    addresses = [stack.enter_context(Proxy(Path(folder), door, ports)).address]
                    _until_all_answer(ports)
                runner.run(load(told, addresses, [server.pid for server in servers]))
        finally:
            for server in servers:
                server.terminate()
                server.wait(20)


if __name__ == "__main__":
    main()
