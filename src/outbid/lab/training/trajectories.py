"""Trajectories of a net among other players, to train it against them (examples/train_against.py).

    played = play(book, options, 3, "net@runs/claim-3/net.npz", "strong*0.01", first=0, deals=512)

The net of a file sits alone among copies of one bot, in deal after deal, in each from the next seat. Deals are those for
training (seeds.py); no two of different numbers are alike. The matches are those of the arena (matches.py).
"""

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.bots.outside import FILE
from outbid.core.errors import BadSetup
from outbid.core.rulebook import Rulebook
from outbid.runs.executor import executor
from outbid.runs.runner import room_for, run
from outbid.runs.seating import Bots
from outbid.runs.seeds import seed_of

CHUNK = 8  # deals of one call
ROWS = 64  # decisions of a match there is room for at first


@dataclass(frozen=True, eq=False)
class Trajectories:
    """Decisions of M matches, one below the other, in order of deals: seen float32 (R, F), could bool (R, A), did int64 (R,)
    (matches.Notes); count int64 (M,): how many each match has; share float64 (M,): the learner's part of the victory,
    place int64 (M,): how many finished before it."""

    seen: NDArray[np.float32]
    could: NDArray[np.bool_]
    did: NDArray[np.int64]
    count: NDArray[np.int64]
    share: NDArray[np.float64]
    place: NDArray[np.int64]


def play(
    book: Rulebook,
    options: Mapping[str, Any],
    players: int,
    learner: str,
    others: str,
    first: int,
    deals: int,
    seed: int = 0,
    threads: int | None = None,
) -> Trajectories:
    """The deals from `first` on. learner: net@FILE; others: named as in the arena. Raises BadSetup."""
    if not learner.startswith(FILE):
        raise BadSetup(f"{learner} cannot learn; who does is a net from a file: {FILE}FILE.")
    if first < 0 or deals < 1:
        raise BadSetup(f"{deals} deals from {first} on cannot be played; there must be at least one, from 0 on.")
    bots = Bots(book, options, players, [learner, others])
    if bots.asked:
        raise BadSetup(f"Against {others} nobody learns here, as it plays outside of compiled loops; game.against takes it.")
    fresh, start = book.fresh(options), seed_of("training", seed)

    def chunk(at: int, many: int = CHUNK) -> Trajectories:
        many = min(many, first + deals - at)
        seating = np.ones((many, players), np.int64)
        seating[np.arange(many), np.arange(at, at + many) % players] = 0
        shares, places = np.zeros(seating.shape), np.zeros(seating.shape, np.int64)
        rows = ROWS * many
        while True:
            notes = room_for(book, rows, many)
            run(bots, fresh, start, at, seating, shares, places, True, notes)
            n = int(notes.n[0])
            if n <= rows:
                own = seating == 0
                count = np.diff(notes.until, prepend=0)
                return Trajectories(notes.seen[:n], notes.could[:n], notes.did[:n], count, shares[own], places[own])
            rows = n

    chunk(first, 0)  # compiled before the threads begin
    with executor(None, threads) as pool:
        chunks = dict(pool.map(chunk, range(first, first + deals, CHUNK)))
    columns = zip(*(astuple(chunks[number]) for number in range(len(chunks))), strict=True)
    return Trajectories(*map(np.concatenate, columns))
