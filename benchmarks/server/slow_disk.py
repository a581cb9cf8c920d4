"""What a slow disk costs: moves a second that the store alone acknowledges, and tables with people on a server.

    python benchmarks/server/slow_disk.py [--moves 1000] [--seconds 5] [--sleep 7] [--load "--tables 200 --moves 100"]

Each is measured here, then with a shim before the C library that sleeps `sleep` ms in every fsync and fdatasync (built
with the C compiler; without one that part is left out, in a plain word), then in /dev/shm. What this disk needs for an
fsync is printed beside. The store alone: `moves` a second arrive evenly, at many tables; measured is from putting a move
until it is acknowledged. `--load` are the options of benchmarks/server/load.py; "" leaves it out.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from outbid.server.domain.setup import Order, made
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from outbid.server.stored import Move

SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
static void rest(void) { struct timespec t = { 0, MS * 1000000L }; nanosleep(&t, 0); }
int fsync(int fd) { int (*real)(int) = dlsym(RTLD_NEXT, "fsync"); rest(); return real(fd); }
int fdatasync(int fd) { int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync"); rest(); return real(fd); }
"""
ROOM = Path("/dev/shm")


def shim(folder: Path, milliseconds: int) -> Path | None:
    """The library that makes a disk slow; none if there is no C compiler here."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    source, library = folder / "slow.c", folder / "slow.so"
    source.write_text(SHIM)
    how = [compiler, "-shared", "-fPIC", f"-DMS={milliseconds}", "-o", str(library), str(source), "-ldl"]
    subprocess.run(how, check=True)
    return library


def fsyncs(folder: Path, many: int = 50) -> list[float]:
    """How long the disk of a folder takes for an fsync, in seconds."""
    took = []
    with (folder / "try").open("wb") as file:
        for _ in range(many):
            file.write(b"x" * 4096)
            file.flush()
            begun = time.perf_counter()
            os.fsync(file.fileno())
            took.append(time.perf_counter() - begun)
    (folder / "try").unlink()
    return took


async def alone(database: str, moves: int, seconds: float) -> str:
    """So many moves a second at a store, each of a table of its own."""
    with closing(Store(url_of(database))) as store:
        tables = [made(Order("kuhhandel", 3, "Ada", ["open"]), "slow", 24)[0] for _ in range(min(moves, 500))]
        await asyncio.gather(*(store.aside(store.add, table) for table in tables))
        waits: list[float] = []
        numbers = dict.fromkeys((table.id for table in tables), 0)

        async def one(table: str) -> None:
            number, numbers[table] = numbers[table], numbers[table] + 1
            begun = time.perf_counter()
            await store.appended(table, number, Move(number % 3, {"do": "bid", "amount": 40}, f"{number}"), False)
            waits.append(time.perf_counter() - begun)

        begun, asked, tasks = time.perf_counter(), 0, []
        while (passed := time.perf_counter() - begun) < seconds:
            while asked < passed * moves:
                tasks.append(asyncio.create_task(one(tables[asked % len(tables)].id)))
                asked += 1
            await asyncio.sleep(0.001)
        await asyncio.gather(*tasks)
        lasted = time.perf_counter() - begun
        cut = statistics.quantiles(waits, n=100)
        there = sum(len(store.moves(table.id, 0)) for table in tables)
        assert there == asked, f"{there} moves of {asked} are there"
        figures = f"p50 {1e3 * cut[49]:.1f} ms, p99 {1e3 * cut[98]:.1f} ms, worst {1e3 * max(waits):.1f} ms"
        return f"{asked / lasted:.0f} moves a second acknowledged: {figures}"


def main() -> None:
    """Measure on this disk, on a slow one, and in memory."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--sleep", type=int, default=7, help="milliseconds")
    parser.add_argument("--load", default="--tables 200 --sockets 1200 --moves 100 --seconds 10")
    parser.add_argument("--only", help="the store alone, on this database")
    told = parser.parse_args()
    if told.only:
        print(asyncio.run(alone(told.only, told.moves, told.seconds)))
        return
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".slow-") as here, tempfile.TemporaryDirectory() as other:
        print(f"an fsync of this disk: {1e3 * statistics.median(fsyncs(Path(here))):.2f} ms; load {os.getloadavg()[0]:.1f}")
        library = shim(Path(other), told.sleep)
        places = [("this disk", here, {})]
        if library:
            places.append((f"this disk, {told.sleep} ms slower", here, {"LD_PRELOAD": str(library)}))
        else:
            print("There is no C compiler here, so the slow disk is left out.")
        if ROOM.is_dir():
            places.append(("memory", tempfile.mkdtemp(dir=ROOM), {}))
        for number, (name, folder, besides) in enumerate(places):
            environment = {**os.environ, **besides}
            store = [sys.executable, __file__, "--moves", str(told.moves), "--seconds", str(told.seconds)]
            print(f"{name}: the store alone", flush=True)
            subprocess.run([*store, "--only", f"{folder}/alone{number}.db"], env=environment, check=True)
            if told.load:
                load = [sys.executable, str(Path(__file__).with_name("load.py")), *told.load.split()]
                database = f"sqlite:///{folder}/load{number}.db"
                preload = ["--preload", str(library)] if besides else []
                print(f"{name}: a server", flush=True)
                subprocess.run([*load, "--database", database, *preload], check=True)
        if ROOM.is_dir():
            shutil.rmtree(places[-1][1])


if __name__ == "__main__":
    main()
