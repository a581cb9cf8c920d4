"""Matches among named bots, as the arena wants them: every deal from every seat, on several threads.

    matches = play(book, options, players, ["strong", "steady"], seating, seed)

`seating`, int64 (deals, P), says who sits where at first; a deal is played P times, everybody moving on by a seat. What
comes back is a `Played`; its rows are matches, in order of deals and then of seats moved on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.bots import LookAhead, bot, strong
from outbid.engine.errors import BadSetup
from outbid.engine.rulebook import Rulebook, check_seed
from outbid.lab import matches

CHUNK = 2  # deals of one call
CODES = {"random": matches.ANYTHING, "steady": matches.HEURISTIC}


@dataclass(frozen=True, eq=False)
class Played:
    """Matches by row: the number of the deal (M,); by seat, (M, P): the number of the bot, its share of the victory, and how
    many seats finished before it."""

    deal: NDArray[np.int64]
    bots: NDArray[np.int64]
    shares: NDArray[np.float64]
    places: NDArray[np.int64]

    def share_of(self, number: int) -> NDArray[np.float64]:
        """The mean share of a seat of this bot, by deal, of the deals in which it sat."""
        own = self.bots == number
        _, row = np.unique(self.deal, return_inverse=True)
        seats = np.bincount(row, own.sum(1))
        there = seats > 0
        return np.bincount(row, (self.shares * own).sum(1))[there] / seats[there]

    def renamed(self, was: Sequence[str], names: Sequence[str]) -> Played:
        """The same with the numbers that bots have in `names`."""
        numbers = np.array([list(names).index(name) for name in was])
        return Played(self.deal, numbers[self.bots], self.shares, self.places)


def policy(book: Rulebook, options: Mapping[str, Any], players: int, name: str) -> list[int]:
    """The row of a bot (matches.py) by its name. Raises BadSetup."""
    called, star, times = name.partition("*")
    found = bot(called)
    if isinstance(found, LookAhead):
        try:
            effort = float(times) if star else 1.0
        except ValueError:
            effort = -1.0
        if not 0 < effort <= 100:
            raise BadSetup(f"The effort of {name!r} is {times!r}; it must be a number above 0, at most 100.")
        how = strong.Settings.of(book, book.fresh(options), players)
        return [max(1, round(found.effort * effort * how.playouts)), how.plies]
    if star or called not in CODES:
        there = ", ".join([*CODES, "strong", "strong*0.1"])
        raise BadSetup(f"There is no bot {name!r} in the arena; there are {there}.")
    return [CODES[called], 0]


def efforts(book: Rulebook, options: Mapping[str, Any], players: int, names: Sequence[str]) -> dict[str, int]:
    """What a ledger says of bots besides their names: how many playouts a decision of those that look ahead has."""
    budgets = {name: policy(book, options, players, name)[matches.BUDGET] for name in names}
    return {name: n for name, n in sorted(budgets.items()) if n > 0}


def play(
    book: Rulebook,
    options: Mapping[str, Any],
    players: int,
    bots: Sequence[str],
    seating: NDArray[np.int64],
    seed: int,
    progress: Callable[[int], object] | None = None,
    threads: int | None = None,
) -> Played:
    """Play every deal from every seat. progress: called with the matches done. Raises BadSetup."""
    check_seed(seed)
    deals = len(seating)
    if deals < 2:
        raise BadSetup(f"{deals} deals cannot be played; there must be at least two.")
    rows = np.array([policy(book, options, players, name) for name in bots], np.int64)
    turned = np.stack([np.roll(seating, turn, 1) for turn in range(players)])
    shares = np.zeros((players, deals, players))
    places = np.zeros((players, deals, players), np.int64)
    fresh = book.fresh(options)

    def some(first: int) -> int:
        last = min(first + CHUNK, deals)
        for turn in range(players):
            part = (turn, slice(first, last))
            _run(book, fresh, rows, seed, first, turned[part], shares[part], places[part])
        return (last - first) * players

    tell = progress or (lambda n: None)
    _run(book, fresh, rows, seed, 0, turned[0, :0], shares[0, :0], places[0, :0])  # compiled before the threads begin
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for done in pool.map(some, range(0, deals, CHUNK)):
            tell(done)
    who, had, came = (_by_match(array) for array in (turned, shares, places))
    return Played(np.repeat(np.arange(deals), players), who, had, came)


def _by_match(array: NDArray[Any]) -> NDArray[Any]:
    return array.transpose(1, 0, 2).reshape(-1, array.shape[2])


def _run(
    book: Rulebook,
    fresh: Any,
    rows: NDArray[np.int64],
    seed: int,
    first: int,
    seating: NDArray[np.int64],
    shares: NDArray[np.float64],
    places: NDArray[np.int64],
) -> None:
    """The deals from `first` on, one for each row of `seating`."""
    from outbid.engine.compiled import entry

    space = strong.Space(book, matches.RECORDS)
    space.put(fresh)
    entry(book, matches.matches)(
        space.states, 0, seed, first, first + len(seating), seating, rows, strong.POINTS, float(strong.unit(book)),
        seating.shape[1], space.work, shares, places,
    )  # fmt: skip
