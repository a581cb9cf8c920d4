"""How long a step of a long replay takes (goal: at most 50 ms), and who has to wait for it.

    python benchmarks/server/replay.py [--moves N] [--game GAME] [--players N]

A random match of at least so many moves is sent to a server in a process of its own and looked back at. Printed: processor time of the server in milliseconds, the size of the answer, and how late
the server was meanwhile for somebody else, who asks for its health all the time.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import psutil

import outbid
from outbid.core.contract import CLOCK
from outbid.core.match import Match
from outbid.core.rulebook import rulebooks

SERVE = "import sys; from outbid.server.main import run; run(port=0, database=sys.argv[1])"
JSON = {"Accept": "application/json"}


def long_match(game: str, players: int, moves: int) -> Match:
    """A random match of at least so many moves."""
    for seed in range(1000):
        match = outbid.game(game).new(players=players, seed=seed)
        while not match.over:
            match.random_move(match.asked[0] if match.asked else CLOCK, seed + len(match.moves))
        if len(match.moves) >= moves:
            return match
    raise SystemExit(f"No random match of {game} has {moves} moves.")


class Server:
    """A server, and what answers cost it."""

    def __init__(self, address: str, process: psutil.Process):
        self.address, self.process = address, process
        self.http = httpx.Client(base_url=address, timeout=60, headers=JSON)

    def cost(self, paths: list[str], page: bool = False) -> str:
        """What asking for these costs."""
        used, late, stop = self._used(), list[float](), threading.Event()
        thread = threading.Thread(target=self._wait, args=(late, stop))
        thread.start()
        sizes = [len(self._get(path, page).content) for path in paths]
        stop.set()
        thread.join()
        other = self._used() - used
        begun = self._used()
        for path in paths if len(paths) > 1 else []:  # once more, alone: the questions of somebody else cost, too
            self._get(path, page)
        took = (self._used() - begun if len(paths) > 1 else other) / len(paths)
        size = statistics.mean(sizes) / 1000
        return f"{1000 * took:7.1f} ms  {size:7.1f} kB   others wait {1000 * max(late, default=0):5.1f} ms at most"

    def _get(self, path: str, page: bool) -> httpx.Response:
        return self.http.get(path, headers={"Accept": "text/html"} if page else {}).raise_for_status()

    def _used(self) -> float:
        return sum(self.process.cpu_times()[:2])

    def _wait(self, late: list[float], stop: threading.Event) -> None:
        with httpx.Client(base_url=self.address, timeout=60) as http:
            while not stop.is_set():
                begun = time.perf_counter()
                http.get("/healthz")
                late.append(time.perf_counter() - begun)
                time.sleep(0.02)


@contextmanager
def serving() -> Iterator[Server]:
    """A server for as long as it is needed."""
    with tempfile.TemporaryDirectory() as folder:
        child = subprocess.Popen([sys.executable, "-c", SERVE, f"{folder}/t.db"], stdout=subprocess.PIPE, text=True)
        try:
            assert child.stdout
            found = re.search(r"http://\S+", child.stdout.readline())
            assert found
            yield Server(found[0], psutil.Process(child.pid))
        finally:
            child.terminate()


def main() -> None:
    """Print a line for each way of looking."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=1500, help="how long the match is at least")
    parser.add_argument("--game", choices=sorted(rulebooks()), default="kuhhandel")
    parser.add_argument("--players", type=int, default=5)
    told = parser.parse_args()
    match = long_match(told.game, told.players, told.moves)
    last = len(match.moves)
    print(f"{match.rulebook.title}, {told.players} players, {last} moves; processor time of one answer")
    with serving() as server:
        table = server.http.post("/records", json=match.record()).json()["table"]
        here = f"/t/{table}/replay?seat=open&move="
        print("the page, at the beginning  ", server.cost([f"{here}0"], page=True))
        print("a jump to the end           ", server.cost([f"{here}{last}&part=regions&told=0"]))
        print("a jump back                 ", server.cost([f"{here}0&part=regions&told={last}"]))
        print("steps near the end          ", server.cost([f"{here}{n}&part=regions&told={n - 1}" for n in range(last - 99, last)]))
        print("steps back                  ", server.cost([f"{here}{n}&part=regions&told={last}" for n in range(last - 1, last - 99, -1)]))
        print("the page, at the end        ", server.cost([f"{here}{last}"] * 5, page=True))


if __name__ == "__main__":
    main()
