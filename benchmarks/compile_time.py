"""How long the compiler keeps one waiting: `python benchmarks/compile_time.py [GAME]`.

Times, in new processes, the first use of a rollout and of a batch step: with an empty cache (goal: at most 15 s together,
10 for kuhhandel) and from the cache (goal: at most 0.7 s, starting Python and loading Numba included). Without GAME all
games.
"""

import os
import subprocess
import sys
import tempfile
import time

from outbid.core.rulebook import rulebooks

USE = """
import sys, time
import numpy as np
from outbid.compiled import loops
from outbid.compiled.batch import Batch
from outbid.compiled.backend import entry
from outbid.core.rulebook import rulebook
book = rulebook(sys.argv[1])
states = np.zeros(1, book.layout.dtype)
out = np.zeros(book.actions + 64, np.int64)
state = book.fresh({})
state.rules.deal(state, book.players[0], 1)
state.to_record(states, 0)
entry(book, loops.rollout)(states, 0, 1, book.longest, out)
batch = Batch(book, {}, 1, book.players[0], 0)
batch.step(batch.mask.argmax(axis=1))
"""


def seconds(game: str, folder: str) -> float:
    """Wall time of one process that uses both loops."""
    start = time.perf_counter()
    environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
    subprocess.run([sys.executable, "-c", USE, game], env=environment, check=True)
    return time.perf_counter() - start


def main() -> None:
    """Print cold and cached times."""
    for game in sys.argv[1:] or sorted(rulebooks()):
        with tempfile.TemporaryDirectory() as folder:
            cold = seconds(game, folder)
            cached = min(seconds(game, folder) for _ in range(3))
        print(f"{game}: rollout and batch step, cold {cold:.1f} s, from the cache {cached:.2f} s")


if __name__ == "__main__":
    main()
