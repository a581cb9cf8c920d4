"""How long a person waits for the table: from sending a move over the socket to the regions that show it.

    python benchmarks/server/table.py [--moves N] [--game GAME]

One server in a process of its own, one table whose bots rest while the time is taken (their thinking is not measured),
the database on a disk with synchronous=FULL. It prints the median and the 99th percentile in milliseconds: until the
acknowledgement, until the new regions, and until somebody who watches has them too. Without --game all games are measured.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from outbid.core.rulebook import rulebooks

SERVE = "import sys; from outbid.server.main import run; run(port=0, database=sys.argv[1], pace='instant')"
JSON = {"Accept": "application/json"}


def hear(line: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    while True:
        message = json.loads(line.recv(timeout=30))
        if message["type"] == kind:
            return message


def some_move(seen: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """A move that may be legal: what is still to be chosen is chosen blindly."""
    choice = rng.choice(seen["legal"])
    move = dict(rng.choice(choice.get("moves", [choice["move"]])))
    if "amounts" in choice:
        move["amount"] = choice["amounts"][0]
    if "cards" in choice:
        move["cards"] = rng.sample(choice["cards"], rng.randint(0, min(4, len(choice["cards"]))))
    return move


class Seat:
    """A person at a new table for four with three bots."""

    def __init__(self, address: str, game: str):
        self.http = httpx.Client(base_url=address)
        order = {"game": game, "players": 4, "name": "Ada", "bots": "steady"}
        self.table = self.http.post("/tables", data=order, headers=JSON).json()["table"]
        self.url = f"{address.replace('http', 'ws', 1)}/t/{self.table}/socket"

    def line(self, seated: bool) -> ClientConnection:
        """A socket, at the seat or watching."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        return connect(self.url, additional_headers={"Cookie": cookie} if seated else {})

    def now(self) -> dict[str, Any]:
        """The table as the seat sees it."""
        return self.http.get(f"/t/{self.table}", headers=JSON).json()

    def rest(self, paused: bool) -> None:
        """Let the bots rest, or go on."""
        self.http.post(f"/t/{self.table}/pace", data={"paused": str(paused).lower()}, headers=JSON)


def quiet(line: ClientConnection) -> None:
    """Read until nothing comes any more."""
    while True:
        try:
            line.recv(timeout=0.05)
        except TimeoutError:
            return


def measure(address: str, game: str, moves: int, seed: int = 1) -> list[list[float]]:
    """The times of so many moves: acknowledged, shown to the mover, shown to a watcher."""
    rng, times = random.Random(seed), [[], [], []]  # type: ignore[var-annotated]
    while len(times[0]) < moves:
        ada = Seat(address, game)
        with ada.line(True) as mine, ada.line(False) as other:
            while len(times[0]) < moves:
                seen = ada.now()
                if seen["table"]["status"] == "over":
                    break
                if seen["decision"] is None:
                    continue
                ada.rest(True)
                quiet(mine)
                quiet(other)
                fields = {"decision": seen["decision"], "move": json.dumps(some_move(seen, rng))}
                message = json.dumps({"type": "move", "id": str(uuid.uuid4()), "fields": fields})
                start = time.perf_counter()
                mine.send(message)
                if not hear(mine, "ack")["ok"]:
                    continue
                times[0].append(time.perf_counter() - start)
                hear(mine, "regions")
                times[1].append(time.perf_counter() - start)
                hear(other, "regions")
                times[2].append(time.perf_counter() - start)
                ada.rest(False)
        ada.http.close()
    return times


def main() -> None:
    """Measure and print."""
    wanted = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wanted.add_argument("--moves", type=int, default=200)
    wanted.add_argument("--game", choices=sorted(rulebooks()), help="only this game")
    told = wanted.parse_args()
    for game in [told.game] if told.game else sorted(rulebooks()):
        print(game)
        report(game, told.moves)


def report(game: str, moves: int) -> None:
    """Measure one game and print."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", SERVE, str(Path(folder) / "tables.db")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found
            try:
                times = measure(found[0], game, moves)
            finally:
                server.terminate()
    for name, taken in zip(("acknowledged", "shown to the mover", "shown to a watcher"), times, strict=True):
        taken.sort()
        print(f"{name:20} p50 {taken[len(taken) // 2] * 1e3:6.2f} ms   p99 {taken[int(len(taken) * 0.99)] * 1e3:6.2f} ms")


if __name__ == "__main__":
    main()
