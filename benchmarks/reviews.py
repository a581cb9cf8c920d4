"""How long one waits for a review: `python benchmarks/reviews.py [--games claim,forex] [--cold]`.

A match of an `easy` bot against two `steady` ones for each game, from the seeds for reports; the review is made for the
first seat, in one process, as a server does. Seconds of processor time, which are those of the wall where a core is idle,
until the curve is there, the first moment, all moments of the seat, and the whole review. --cold: nothing is compiled yet.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

from outbid.bots import CALLED, choose
from outbid.core import contract
from outbid.core.match import Match
from outbid.core.rulebook import rulebook, rulebooks
from outbid.runs.seeds import seed_of

SEAT = 0
LEVELS = ("easy", "steady", "steady")


def played(game: str) -> Match:
    """A match that is over."""
    book, seed = rulebook(game), seed_of("report", 0)
    match = Match.new(book, {}, len(LEVELS), seed, CALLED[: len(LEVELS)])
    while not match.over:
        if match.asked:
            asked = match.asked[0]
            match.play_steps(asked, choose(match, asked, LEVELS[asked], seed).actions)
        else:
            match.random_move(contract.CLOCK, seed)
    return match


def measure(game: str) -> None:
    """Print the row of a game."""
    from outbid.review.review import review

    match, start = played(game), time.process_time()
    reached: dict[str, float] = {}

    def tell(_done: float, so_far: dict[str, Any]) -> None:
        own = [each for each in so_far.get("decisions", ()) if each["seat"] == SEAT]
        events = {"curve": so_far["worlds"] > 0, "first": any(each["better"] for each in own)}
        events["all"] = any(each["seat"] != SEAT for each in so_far.get("decisions", ()))
        for name in (name for name, happened in events.items() if happened):
            reached.setdefault(name, time.process_time() - start)

    made = review(match, tell=tell, first=SEAT)
    reached["whole"] = time.process_time() - start
    own = [each for each in made["decisions"] if each["seat"] == SEAT]
    found = sum(bool(each["better"]) for each in own)
    times = " | ".join(f"{reached[name]:.1f}" if name in reached else "–" for name in ("curve", "first", "all", "whole"))
    print(f"| {rulebook(game).title} | {len(match.moves)} | {len(own)} | {found} | {times} |", flush=True)


def main() -> None:
    """Measure each game in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", default=",".join(rulebooks()))
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        return measure(options.one)
    print("| game | moves | decisions | lost something | curve | first moment | all moments | whole |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
    for game in options.games.split(","):
        with tempfile.TemporaryDirectory() as folder:
            cold = {"NUMBA_CACHE_DIR": folder} if options.cold else {}
            subprocess.run([sys.executable, __file__, "--one", game], env={**os.environ, **cold}, check=True)
    return None


if __name__ == "__main__":
    main()
