"""Matches among named bots, as the arena wants them: every deal from every seat, on several threads.

    matches = play(book, options, players, ["strong", "steady"], seating, seed)

`seating`, int64 (deals, P), says who sits where at first; a deal is played P times, all moving on by a seat. What
comes back is a `Played`; its rows are matches, in order of deals and then of seats moved on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from outbid.bots import strong
from outbid.bots.outside import FILE
from outbid.compiled.buffers import allocate
from outbid.core.errors import BadSetup
from outbid.core.language.phrases import plural
from outbid.core.rulebook import Rulebook, check_seed, rulebook
from outbid.runs.blocks import Block, tallies
from outbid.runs.checkpoint import Checkpoint, Columns
from outbid.runs.executor import Pool, executor
from outbid.runs.loops import matches
from outbid.runs.replay import asked_match
from outbid.runs.seating import Bots
from outbid.runs.sources import files_of, hash_of, plain, same, where, written

CHUNK = 2  # deals of one call
QUICK = {"random", "easy", "steady"}
FEW = 500  # fewer matches of these bots are not worth the minute or two that compiling takes
NET_FEW = 15_000  # nor are fewer steps in all, where a net from a file plays: a decision of it takes some milliseconds


@dataclass(frozen=True, eq=False)
class Played:
    """Matches by row: the number of the deal (M,); by seat, (M, P): the number of the bot, its share of the victory, and how
    many seats finished before it."""

    deal: NDArray[np.int64]
    bots: NDArray[np.int64]
    shares: NDArray[np.float64]
    places: NDArray[np.int64]

    def share_of(self, number: int) -> NDArray[np.float64]:
        """The mean share of a seat of this bot, by deal, of the deals in which it sat, (deals,)."""
        own = self.bots == number
        _, row = np.unique(self.deal, return_inverse=True)
        seats = np.bincount(row, own.sum(1))
        sat = seats > 0
        return np.bincount(row, (self.shares * own).sum(1))[sat] / seats[sat]

    def renamed(self, was: Sequence[str], names: Sequence[str]) -> Played:
        """These matches, with the numbers that bots have in `names`."""
        numbers = np.array([list(names).index(name) for name in was])
        return Played(self.deal, numbers[self.bots], self.shares, self.places)


T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)
R = TypeVar("R")


class Kept(Protocol[T_contra, R]):
    """Where columns of tasks are kept: a part of a checkpoint, the folder of an experiment."""

    def find(self, task: T_contra, /) -> R | None:
        """What a task came to, if it was played by the same sources."""

    def add(self, task: T_contra, columns: R, /) -> None:
        """Keep what a task came to."""


def finished(
    tasks: Iterable[T], play: Callable[[T], R], pool: Pool, kept: Kept[T, R] | None = None
) -> Iterator[tuple[int, R, bool]]:
    """The number of each task, what it came to, and whether it was kept: first of those that are, then of the others as the
    pool plays them. tasks: gone over twice, so that a long run need not hold them."""
    known: set[int] = set()
    for number, task in enumerate(tasks) if kept else ():
        columns = kept.find(task) if kept else None
        if columns is not None:
            known.add(number)
            yield number, columns, True
    under_way: dict[int, tuple[int, T]] = {}

    def missing() -> Iterator[T]:
        others = ((number, task) for number, task in enumerate(tasks) if number not in known)
        for k, (number, task) in enumerate(others):
            under_way[k] = number, task
            yield task

    for k, columns in pool.map(play, missing()):
        number, task = under_way.pop(k)
        if kept:
            kept.add(task, columns)
        yield number, columns, False


def play(
    book: Rulebook,
    options: Mapping[str, Any],
    players: int,
    bots: Sequence[str],
    seating: NDArray[np.int64],
    seed: int,
    progress: Callable[[int], object] | None = None,
    threads: int | None = None,
    compiled: bool | None = None,
    checkpoint: Checkpoint | None = None,
    pool: Pool | None = None,
) -> Played:
    """Play every deal from every seat, but for those that are kept in the checkpoint, where the others are written.

    seating: the numbers of the bots by seat at first, (deals, P). progress: called with the matches done. compiled: none for
    what is done sooner. pool: where; none: threads of this process. The matches are the same everywhere, bit for bit. Raises
    BadSetup."""
    check_seed(seed)
    deals = len(seating)
    if deals < 2:
        raise BadSetup(f"{plural(deals, 'deal')} cannot be played; there must be at least two.")
    company = Bots(book, options, players, bots)
    if compiled is None:
        compiled = company.asked or not _few(company, players, deals * players) or _ready(company)
    turned = np.stack([np.roll(seating, turn, 1) for turn in range(players)])
    shares, places = np.zeros(turned.shape), np.zeros(turned.shape, np.int64)
    code = hash_of(book, matches, bots, nets_of(book))
    facts = [book.id, book.changed(options), players, list(bots), seed, depends_on(company, code)]
    kept = checkpoint.part(book.id, facts, deals, ("shares", "places")) if checkpoint else None

    run(company, book.fresh(options), seed, 0, turned[0, :0], shares[0, :0], places[0, :0], compiled)  # before threads begin
    given = where(book), json.dumps(dict(options)), players, tuple(bots), seed
    cuts = [slice(first, min(first + CHUNK, deals)) for first in range(0, deals, CHUNK)]
    tasks = [Deals(*given, cut.start, turned[:, cut], compiled, code) for cut in cuts]
    with nullcontext(pool) if pool else executor(None, threads) as workers:
        for number, columns, _ in finished(tasks, play_deals, workers, kept):
            cut = cuts[number]
            shares[:, cut], places[:, cut] = columns["shares"], columns["places"]
            if progress:
                progress((cut.stop - cut.start) * players)
    return Played(np.repeat(np.arange(deals), players), *map(_by_match, (turned, shares, places)))


@dataclass(frozen=True, eq=False)
class Deals:
    """Some deals from every seat: what one worker plays at a time. seating: (P, deals, P), by how far all have moved
    on. code: the hash of what they depend on."""

    game: str
    options: str
    players: int
    bots: tuple[str, ...]
    seed: int
    first: int
    seating: NDArray[np.int64]
    compiled: bool
    code: str

    @property
    def key(self) -> list[Any]:
        """The first deal, that after the last, and who sits where."""
        return [self.first, self.first + self.seating.shape[1], self.seating[0].tolist()]


def play_deals(task: Deals) -> Columns:
    """The shares and places, (P, deals, P) both. Raises BadSetup."""
    book = rulebook(task.game)
    same(task.code, book, matches, task.bots, nets_of(book))
    company, fresh = _table(task.game, task.options, task.players, task.bots, written(files_of(task.bots)))
    shares, places = np.zeros(task.seating.shape), np.zeros(task.seating.shape, np.int64)
    for turn in range(task.players):
        run(company, fresh, task.seed, task.first, task.seating[turn], shares[turn], places[turn], task.compiled)
    return {"shares": shares, "places": places}


@lru_cache(maxsize=64)
def _table(game: str, options: str, players: int, bots: tuple[str, ...], when: tuple[int, ...]) -> tuple[Bots, Any]:
    """The bots, and a fresh state. when: their files were written."""
    book, changed = rulebook(game), json.loads(options)
    return Bots(book, changed, players, bots), book.fresh(changed)


def depends_on(bots: Bots, code: str) -> str:
    """The hash of all that matches of these bots depend on, but for what was asked for. code: `hash_of`'s."""
    thinks = strong.POINTS, strong.EVEN, strong.LITTLE, repr(bots.book.search), bots.policies.tolist()
    return hashlib.sha256(json.dumps([code, plain(), thinks]).encode()).hexdigest()


def nets_of(book: Rulebook) -> list[Path]:
    """The files of the nets that a game ships."""
    return sorted(book.folder.glob("*.npz"))


def _few(bots: Bots, players: int, many: int) -> bool:
    """Whether so many matches of these bots are done sooner on the plain backend."""
    nets = {name for name in bots.names if name.startswith(FILE)}
    if not set(bots.names) <= QUICK | nets:
        return False
    if not nets:
        return many < FEW
    [row] = tallies(bots.book, Block(bots.book.id, bots.options, ("steady",) * players, 0, 0, 1), compiled=False)
    return many * sum(row[2 * players : 3 * players]) < NET_FEW


def _ready(bots: Bots) -> bool:
    from outbid.compiled.backend import ready

    return ready(bots.book, bots.loop)


def _by_match(array: NDArray[Any]) -> NDArray[Any]:
    return array.transpose(1, 0, 2).reshape(-1, array.shape[2])


def run(
    bots: Bots,
    fresh: Any,
    seed: int,
    first: int,
    seating: NDArray[np.int64],
    shares: NDArray[np.float64],
    places: NDArray[np.int64],
    compiled: bool,
    notes: matches.Notes | None = None,
) -> None:
    """The deals from `first` on, one for each row of `seating`. notes: where the steps of a net from a file are noted, and
    those of all seats."""
    if bots.asked:
        for k, row in enumerate(seating.tolist()):
            names = [bots.names[number] for number in row]
            match, _tally = asked_match(bots.book, bots.options, names, seed, first + k)
            matches.finish(match.state, len(row), [0] * 64, shares[k], places[k])
        return
    book = bots.book
    records = matches.RECORDS + seating.shape[1] * strong.kept(book, compiled)
    space = strong.Space(book, records if bots.search else 3, compiled)
    space.put(fresh)
    space.under(fresh)
    inner = strong.Space(book, 0, compiled, bots.trained) if bots.search or bots.trained else space
    inner.under(fresh)
    room = matches.ThreadRoom(space.states, space.work, notes or room_for(book, 0, 0), inner.work)
    loop: Any = bots.loop
    params: Any = bots.params
    if compiled:
        from outbid.compiled.backend import entry

        loop, params = entry(book, loop), bots.records
    unit = float(book.search.unit)
    roster = matches.Roster(bots.policies, params, bots.watching, strong.POINTS, unit, bots.limit, bots.hesitant)
    deals = seed, first, first + len(seating), seating, roster, shares, places
    if not bots.search:
        loop(room, *deals)
        return
    loop(room, matches.Search(space.cells, space.searches), *deals)


def room_for(book: Rulebook, rows: int, deals: int, steps: int = 0) -> matches.Notes:
    """Room for so many notes, of so many deals, and so many steps of all seats."""
    sizes = {"R": rows, "F": book.features, "A": book.actions, "deals": deals, "S": steps, "S deals": deals if steps else 0}
    notes: matches.Notes = allocate(matches.Notes, sizes)
    return notes
