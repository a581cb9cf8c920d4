"""How strong bots are against each other: every pair, one against all the others at the table and the other way round.

A pairing of bots A and B at a table for n plays every deal n times, once with the single A in each seat. Deals come from
streams of the seed; what a seat draws depends on the deal and the seat alone, so that bots that are the same have exactly
1/n, with an error of 0. Errors are those of the mean over deals (a deal's n matches are not independent).
Bots are named: `random`, `steady`, and those that look ahead, with an effort if wanted: `strong`, `strong*0.1`.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.bots import LookAhead, bot, lookahead, strong
from outbid.engine.errors import BadSetup
from outbid.engine.rulebook import Rulebook, check_seed

CHUNK = 2  # deals of one call


@dataclass(frozen=True)
class Pairing:
    """One `bot` among n − 1 `others`: the mean share of the victory of the one, its error, and the equal share."""

    bot: str
    others: str
    players: int
    deals: int
    share: float
    error: float

    @property
    def equal(self) -> float:
        """What each would have if all were alike."""
        return 1 / self.players

    def as_dict(self) -> dict[str, Any]:
        """JSON values."""
        facts = {"bot": self.bot, "others": self.others, "players": self.players, "deals": self.deals}
        return {**facts, "share": self.share, "error": self.error, "equal": self.equal}


def budget_of(book: Rulebook, name: str) -> int:
    """The playouts of a bot by its name, or a code of lookahead.py for those that do not look ahead. Raises BadSetup."""
    called, star, times = name.partition("*")
    found = bot(called)
    if isinstance(found, LookAhead):
        try:
            effort = float(times) if star else 1.0
        except ValueError:
            effort = -1.0
        if not 0 < effort <= 100:
            raise BadSetup(f"The effort of {name!r} is {times!r}; it must be a number above 0, at most 100.")
        return max(1, round(found.effort * effort * strong.playouts(book)))
    if star or called not in CODES:
        there = ", ".join([*CODES, "strong", "strong*0.1"])
        raise BadSetup(f"There is no bot {name!r} in the arena; there are {there}.")
    return CODES[called]


CODES = {"random": lookahead.ANYTHING, "steady": lookahead.HEURISTIC}


def arena(
    book: Rulebook,
    options: Mapping[str, Any],
    players: int,
    bots: Sequence[str],
    deals: int,
    seed: int,
    progress: Callable[[int], object] | None = None,
    threads: int | None = None,
) -> list[Pairing]:
    """Every ordered pair of different bots, `deals` deals each. progress: called with the matches done. Raises BadSetup."""
    book.check_players(players, options)
    if not 2 <= len(set(bots)) == len(bots):
        raise BadSetup("An arena needs at least two different bots.")
    return [one_against_others(book, options, players, a, b, deals, seed, progress, threads)
            for a, b in itertools.permutations(bots, 2)]  # fmt: skip


def one_against_others(
    book: Rulebook,
    options: Mapping[str, Any],
    players: int,
    one: str,
    others: str,
    deals: int,
    seed: int,
    progress: Callable[[int], object] | None = None,
    threads: int | None = None,
) -> Pairing:
    """One bot among n − 1 of another, in every seat of every deal. Raises BadSetup."""
    check_seed(seed)
    if deals < 2:
        raise BadSetup(f"{deals} deals cannot be played; there must be at least two.")
    budgets = np.array([budget_of(book, one), *[budget_of(book, others)] * (players - 1)], np.int64)
    shares = np.zeros(deals)

    def play(first: int) -> int:
        last = min(first + CHUNK, deals)
        for seat in range(players):  # the one sits in seat p when (p + turn) % players is 0
            turn = (players - seat) % players
            shares[first:last] += _played(book, options, players, budgets, seed, first, last, turn)[:, seat] / players
        return (last - first) * players

    tell = progress or (lambda n: None)
    _played(book, options, players, budgets[:1].repeat(players), seed, 0, 0, 0)  # compiled before the threads begin
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for done in pool.map(play, range(0, deals, CHUNK)):
            tell(done)
    return Pairing(one, others, players, deals, float(shares.mean()), float(shares.std(ddof=1) / deals**0.5))


def _played(
    book: Rulebook,
    options: Mapping[str, Any],
    players: int,
    budgets: NDArray[np.int64],
    seed: int,
    first: int,
    last: int,
    turn: int,
) -> NDArray[np.float64]:
    """Shares of the victory, by deal and seat."""
    from outbid.engine.compiled import entry

    space = strong.Space(book, 7)
    book.fresh(options).to_record(space.states, 0)
    shares = np.zeros((last - first, players))
    entry(book, lookahead.matches)(
        space.states, 0, seed, first, last, turn, budgets, strong.POINTS, float(strong.unit(book)), players, space.moves,
        space.lengths, space.value, space.played, space.out, space.note, space.points, shares,
    )  # fmt: skip
    return shares


def table(pairings: Sequence[Pairing]) -> str:
    """A table for people: the row's bot alone among the column's."""
    names = list(dict.fromkeys(one.bot for one in pairings))
    found = {(one.bot, one.others): one for one in pairings}
    first = pairings[0]
    rows = [["one \\ others", *names]]
    for name in names:
        cells = [found.get((name, other)) for other in names]
        rows.append([name, *(f"{100 * c.share:.1f} ± {100 * c.error:.1f} %" if c else "·" for c in cells)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    equal = f"{first.players} players, {first.deals:,} deals from every seat; an equal share is {100 * first.equal:.1f} %"
    return "\n".join([equal, *lines])
