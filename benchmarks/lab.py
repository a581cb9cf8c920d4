"""How fast the laboratory is: matches a second of one core and of all, a whole run, and what keeping the columns costs.

    python benchmarks/lab.py                              # kuhhandel, 4 steady players
    python benchmarks/lab.py --game rivals --players 3 --matches 100000
    python benchmarks/lab.py --sweep                      # 20 values, 10,000 matches each
    python benchmarks/lab.py --on local:2                 # the same run on worker processes of Dask

Seconds of processor and of the clock are both shown: on a machine that does other things at the same time, only the former
say something. Memory is the largest that the process had.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

from outbid.core.rulebook import rulebook
from outbid.lab.experiments import runner, spec
from outbid.runs import blocks


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="kuhhandel")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("--on", default=None)
    given = parser.parse_args()
    book = rulebook(given.game)
    begun = time.perf_counter()
    blocks.warm(book, {}, given.players)
    print(f"{book.title}, {given.players} steady players; compiling or loading took {time.perf_counter() - begun:.1f} s")
    block = blocks.Block(given.game, {}, ("steady",) * given.players, 1, 0, 1000)
    begun = time.thread_time()
    blocks.play(block)
    print(f"one core: {1000 / (time.thread_time() - begun):,.0f} matches a second of processor")
    rows: dict[str, object] = {"game": given.game, "players": given.players, "deals": given.matches, "seed": 1}
    if given.sweep:
        option = next(one for one in book.options if not (one.words or one.size or isinstance(one.default, bool)))
        rows |= {"deals": 10_000, "over": {option.name: list(range(option.low, option.low + 20 * option.step, option.step))}}
    experiment = spec.parse(spec.toml(rows))
    with tempfile.TemporaryDirectory() as folder:
        begun, worked = time.perf_counter(), time.process_time()
        run = runner.play(experiment, Path(folder) / "run", given.on)
        took, worked = time.perf_counter() - begun, time.process_time() - worked
        size = sum(file.stat().st_size for file in run.folder.rglob("*") if file.is_file())
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{run.facts['matches_done']:,} matches: {took:.0f} s, {worked:.0f} s of processor here, {memory:.0f} MiB, "
              f"{size / 1e6:.0f} MB of columns; SHA-256 {run.facts['hash'][:16]}…")  # fmt: skip


if __name__ == "__main__":
    main()
