"""How fast a game is: decisions (steps of `apply`) a second on both backends, batches, records, sampled worlds.

Every figure is measured on matches with the default options and the largest number of players, for `seconds` each.
"""

import os
import platform
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from outbid.compiled import loops
from outbid.compiled.backend import entry
from outbid.compiled.batch import Batch
from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.match import Match, replay
from outbid.core.rulebook import Rulebook

CHUNK = 64  # matches in one call of the compiled loop
BATCH = 4096  # matches in a batch


def rate(seconds: float, work: Callable[[int], int]) -> float:
    """Units a second of `work(k)`, which does the k-th piece and returns its units; the first piece is not counted."""
    work(0)
    done, k, start = 0, 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        k += 1
        done += work(k)
    return done / (time.perf_counter() - start)


def measure(book: Rulebook, seconds: float = 2.0) -> dict[str, Any]:
    """All figures of a game, as JSON values."""
    players = book.players[1]
    one, several = rollouts(book, players, seconds, 1), rollouts(book, players, seconds, os.cpu_count() or 1)
    match = _random_match(book, players)
    record = match.record()
    steps = sum(len(actions) for _place, actions in match.stepped(match.at(0).state, match.moves))
    return {
        "game": book.id,
        "players": players,
        "processor": processor(),
        "threads": os.cpu_count() or 1,
        "state_bytes": book.layout.dtype.itemsize,
        "compiled": {"one_thread": one, "all_threads": several, "seen": rate(seconds, playing(book, players, seen=True))},
        "plain": rate(seconds, lambda k: plain_match(book, players, k)),
        "matches": {"random": one / (steps or 1), "moves": len(match.moves), "decisions": steps},
        "batch": {
            "step": batch(book, players, seconds, False),
            "step_one_thread": batch(book, players, seconds, False, 1),
            "step_and_observe": batch(book, players, seconds, True),
        },
        "record_moves": rate(seconds, lambda k: len(replay(book, record).moves)),
        "search": {"iterations": search(book, players, seconds)},
    }


def rollouts(book: Rulebook, players: int, seconds: float, threads: int) -> float:
    """Decisions a second of random matches, compiled, on so many threads."""
    workers = [playing(book, players, worker, threads) for worker in range(threads)]
    if threads == 1:
        return rate(seconds, workers[0])
    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(lambda work: rate(seconds, work), workers))


def playing(
    book: Rulebook, players: int, worker: int = 0, workers: int = 1, compiled: Callable[..., Any] = entry, seen: bool = False
) -> Callable[[int], int]:
    """The work of one of several workers: `work(k)` plays its k-th CHUNK of random matches, compiled; returns decisions.
    seen: as a learner would have it, with mask and features before each decision."""
    states, out = np.zeros(2, book.layout.dtype), np.zeros(book.actions + 64, np.int64)
    book.fresh({}).to_record(states, 0)
    shown = (np.zeros(book.actions, np.bool_), np.zeros(book.features, np.float32)) if seen else ()
    run = compiled(book, loops.rollouts_seen if seen else loops.rollouts)

    def work(k: int) -> int:
        first = (k * workers + worker) * CHUNK
        return int(run(states, 0, 1, first, first + CHUNK, book.longest, players, *shown, out))

    return work


def batch(book: Rulebook, players: int, seconds: float, observe: bool, threads: int | None = None) -> float:
    """Decisions a second of `batch.step` from Python, drawing the actions not counted."""
    rows = Batch(book, {}, BATCH, players, 1, threads)
    spent, done = 0.0, 0
    rows.step(rows.sample())
    assert rows.obs.shape[0] == BATCH
    while spent < seconds:
        actions = rows.sample()
        start = time.perf_counter()
        rows.step(actions)
        if observe:
            rows.obs  # noqa: B018 - computed when asked for
        spent += time.perf_counter() - start
        done += BATCH
    return done / spent


def search(book: Rulebook, players: int, seconds: float) -> float:
    """Worlds dealt anew in mid-match and played to the end at random, a second, on one thread."""
    state = book.fresh({})
    contract.deal(state, players, 1)
    out = [0] * (book.actions + 64)
    length = loops.rollout([state.copy()], 0, stream(1, 1), book.longest, out)
    loops.rollout([state], 0, stream(1, 1), min(500, length // 2), out)
    states = np.zeros(2, book.layout.dtype)
    state.to_record(states, 0)
    seat = next(seat for seat in range(players) if contract.asked(state) >> seat & 1)
    run, space = entry(book, loops.determinized_rollouts), np.zeros(book.actions + 64, np.int64)

    def piece(k: int) -> int:
        run(states, 0, seat, k, CHUNK, book.longest, space)
        return CHUNK

    return rate(seconds, piece)


def plain_match(book: Rulebook, players: int, seed: int) -> int:
    """Play one random match on the plain backend; returns its decisions."""
    state = book.fresh({})
    contract.deal(state, players, seed)
    return int(loops.rollout([state], 0, stream(seed, 1), book.longest, [0] * (book.actions + 64)))


def _random_match(book: Rulebook, players: int) -> Match:
    match = Match.new(book, {}, players, 1)
    while not match.over:
        match.random_move(match.asked[0], 1)
    return match


def processor() -> str:
    """The processor's name, as the system tells it."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def table(results: list[dict[str, Any]]) -> str:
    """The figures of several games as text."""
    lines = []
    for result in results:
        lines += [
            f"{result['game']}, {result['players']} players, state {result['state_bytes']} bytes "
            f"({result['processor']}, {result['threads']} cores)",
            f"  compiled, one thread      {result['compiled']['one_thread'] / 1e6:8.2f} million decisions a second",
            f"  compiled, all threads     {result['compiled']['all_threads'] / 1e6:8.2f} million decisions a second",
            f"  the same, seen            {result['compiled']['seen'] / 1e6:8.2f} million, with masks and observations",
            f"  batch.step, one thread    {result['batch']['step_one_thread'] / 1e6:8.2f} million decisions a second",
            f"  batch.step                {result['batch']['step'] / 1e6:8.2f} million decisions a second",
            f"  batch.step and .obs       {result['batch']['step_and_observe'] / 1e6:8.2f} million decisions a second",
            f"  plain Python              {result['plain'] / 1e6:8.2f} million decisions a second",
            f"  random matches            {result['matches']['random']:8.0f} a second (compiled, one thread)",
            f"  moves of a record         {result['record_moves']:8.0f} a second, read and verified",
            f"  search iterations         {result['search']['iterations']:8.0f} a second (a world redealt, played out)",
        ]
    return "\n".join(lines)
