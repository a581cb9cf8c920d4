"""How strong bots are against each other: every pair, one against all the others at the table and the other way round; and
tables at which all sit together.

    found = arena(book, options, players=3, bots=["strong", "steady"], deals=200, seed=1)
    found.pairings, found.mixed, found.ladder()        # rating_fit.py: one fit over all of it

A pairing of bots A and B at a table for n plays every deal n times, once with the single A in each seat. A mixed table
draws bots and their order for each deal and plays it n times too, all moving on by a seat. Deals come from streams
of the seed; what a seat draws depends on the deal and the seat alone, so that bots that are the same have exactly 1/n of
every deal, and the deals do not differ (an error of 0). Errors are standard errors over deals (a deal's n matches are not
independent); intervals are those of shares.py, which are never empty.
Bots are named: `random`, `steady`, and those that look ahead, with a budget if wanted: `strong`, `strong*0.1`.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.bots import known
from outbid.bots.personas import no_nets, without_nets
from outbid.core.chance import shuffle, stream
from outbid.core.errors import BadSetup
from outbid.core.language.phrases import plural
from outbid.core.rulebook import Rulebook
from outbid.lab.rating_fit import Rung, bars, ladder
from outbid.lab.results_store import ResultsStore
from outbid.lab.shares import Share, share_from, share_of
from outbid.runs.checkpoint import Checkpoint
from outbid.runs.executor import Pool
from outbid.runs.runner import Played, play
from outbid.runs.seating import budgets
from outbid.runs.seeds import place_of

DRAWN_FROM = 1 << 41  # streams of the seed from here on: who sits at a mixed table
Progress = Callable[[int], object]


@dataclass(frozen=True)
class Pairing:
    """One `bot` among n − 1 `others`: the mean share of the victory of the one, its standard error over the deals (none if
    there is but one), its interval, and the equal share."""

    bot: str
    others: str
    players: int
    deals: int
    share: float
    error: float | None

    @property
    def measured(self) -> Share:
        """The share with its interval."""
        return share_from(self.share, self.error, self.deals, self.players)

    @property
    def equal(self) -> float:
        """What each would have if all were alike."""
        return 1 / self.players

    def as_dict(self) -> dict[str, Any]:
        """The pairing as values of JSON."""
        about = {"bot": self.bot, "others": self.others, "players": self.players, "deals": self.deals}
        return {**about, **self.measured.as_dict(), "equal": self.equal}


@dataclass(frozen=True)
class Mixed:
    """What a seat of `bot` had of the victory at the mixed tables, in so many deals: a share with error and interval."""

    bot: str
    deals: int
    measured: Share

    @property
    def share(self) -> float:
        """The share alone."""
        return self.measured.mean

    def as_dict(self) -> dict[str, Any]:
        """The rung as values of JSON."""
        return {"bot": self.bot, "deals": self.deals, **self.measured.as_dict()}


@dataclass(frozen=True)
class Arena:
    """The result of an arena. matches: all that were played, for the ladder; numbers of bots are places in `bots`.
    without_nets: bots whose nets have not learned these rules."""

    book: Rulebook
    players: int
    bots: tuple[str, ...]
    deals: int
    seed: int
    pairings: list[Pairing] = field(default_factory=list)
    mixed: list[Mixed] = field(default_factory=list)
    matches: list[Played] = field(default_factory=list)
    without_nets: tuple[str, ...] = ()

    def ladder(self, draws: int = 200) -> list[Rung]:
        """Ratings of all bots, the best first, with intervals from `draws` draws of the deals."""
        return ladder(self.bots, self.matches, draws, self.seed)

    def as_dict(self) -> dict[str, Any]:
        """The whole arena as values of JSON."""
        return {
            "game": self.book.id,
            "players": self.players,
            "deals": self.deals,
            **place_of(self.seed),
            "pairings": [entry.as_dict() for entry in self.pairings],
            "mixed": [entry.as_dict() for entry in self.mixed],
            "without_nets": list(self.without_nets),
            "ladder": [vars(entry) for entry in self.ladder()] if self.mixed else [],
        }


def arena(
    book: Rulebook,
    options: Mapping[str, Any],
    players: int,
    bots: Sequence[str],
    deals: int,
    seed: int,
    progress: Progress | None = None,
    threads: int | None = None,
    *,
    pool: Pool | None = None,
    alone: Sequence[str] = (),
    mixed: int = 0,
    store: ResultsStore | None = None,
    checkpoint: Checkpoint | None = None,
) -> Arena:
    """Every ordered pair of different bots, `deals` deals each, and `mixed` deals of mixed tables. Raises BadSetup.

    progress: called with the matches done. alone: only pairings in which one of these sits alone. store: pairings that it
    has are not played again, unless a ladder is to be made of them (`mixed`) or the checkpoint is fresh; what is played is
    written there, but for pairings of which it has more deals. checkpoint: where what was played is kept if that is
    interrupted (checkpoint.py), by default beside the store. pool: where it is played (executor.py), none for threads here;
    the result is the same, bit for bit."""
    book.check_players(players, options)
    if not 2 <= len(set(bots)) == len(bots):
        raise BadSetup("An arena needs at least two different bots.")
    if not set(alone) <= set(bots):
        raise BadSetup(f"Alone are {', '.join(alone)}, who are not all in the arena: {', '.join(bots)}.")
    bare = (name for name in bots if without_nets(book, known(name.partition("*")[0].partition(">")[0]), options))
    made = Arena(book, players, tuple(bots), deals, seed, without_nets=tuple(bare))
    checkpoint = checkpoint or (Checkpoint.beside(store.path) if store else None)
    how: dict[str, Any] = {"progress": progress, "threads": threads, "checkpoint": checkpoint, "pool": pool}
    look = not mixed and not (checkpoint and checkpoint.fresh)
    for one, others in pairs(bots, alone):
        place = _place(book, options, players, one, others, seed) if store else {}
        stored = store.find({**place, "deals": deals}) if store and look else None
        if stored:
            pairing = Pairing(one, others, players, deals, stored["share"], stored["error"])
            if progress:
                progress(deals * players)
        else:
            pairing, matches = _one_against_others(book, options, players, one, others, deals, seed, **how)
            made.matches.append(matches.renamed((one, others), bots))
            if store and deals >= (store.find(place) or {"deals": 0})["deals"]:
                store.add({**pairing.as_dict(), **place})
            if checkpoint and store and not mixed:
                checkpoint.done()
        made.pairings.append(pairing)
    if mixed:
        seating = drawn(len(bots), players, mixed, seed)
        matches = play(book, options, players, bots, seating, seed, **how)
        made.matches.append(matches)
        made.mixed.extend(_mixed(bots, matches))
    if store and mixed:
        result = made.as_dict()
        what = {"kind": "ladder", "options": book.changed(options), "bots": sorted(bots), "mixed_deals": mixed}
        store.add({**result, **what, "playouts": budgets(book, options, players, bots)})
    if checkpoint:
        checkpoint.done()
    return made


def pairs(bots: Sequence[str], alone: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
    """The pairings: one bot alone, and the others."""
    return ((bot, others) for bot, others in itertools.permutations(bots, 2) if not alone or bot in alone)


def one_against_others(
    book: Rulebook, options: Mapping[str, Any], players: int, bot: str, others: str, deals: int, seed: int, **how: Any
) -> Pairing:
    """One bot among n − 1 of another, in every seat of every deal. how: as `runner.play` takes it. Raises BadSetup."""
    return _one_against_others(book, options, players, bot, others, deals, seed, **how)[0]


def _one_against_others(
    book: Rulebook, options: Mapping[str, Any], players: int, bot: str, others: str, deals: int, seed: int, **how: Any
) -> tuple[Pairing, Played]:
    seating = np.ones((deals, players), np.int64)
    seating[:, 0] = 0
    matches = play(book, options, players, (bot, others), seating, seed, **how)
    share = share_of(matches.share_of(0), players)
    return Pairing(bot, others, players, deals, share.mean, share.error), matches


def drawn(bots: int, players: int, deals: int, seed: int) -> NDArray[np.int64]:
    """Who sits where at first at each of so many mixed tables, (deals, P): in every `bots` of them each bot has as many
    seats."""
    seating = np.zeros((deals, players), np.int64)
    round_of = list(range(bots))
    for number in range(deals):
        r = stream(seed, DRAWN_FROM + number)
        if number % bots == 0:
            shuffle(round_of, bots, stream(r, 0))
        seats = [round_of[(number * players + k) % bots] for k in range(players)]
        shuffle(seats, players, stream(r, 1))
        seating[number] = seats
    return seating


def _mixed(bots: Sequence[str], matches: Played) -> list[Mixed]:
    tables = []
    for k, name in enumerate(bots):
        shares = matches.share_of(k)
        if len(shares):
            tables.append(Mixed(name, len(shares), share_of(shares, matches.bots.shape[1])))
    return tables


def _place(book: Rulebook, options: Mapping[str, Any], players: int, bot: str, others: str, seed: int) -> dict[str, Any]:
    place = {"kind": "pairing", "game": book.id, "options": book.changed(options), "players": players}
    who = {"bot": bot, "others": others, "playouts": budgets(book, options, players, (bot, others))}
    return {**place, **place_of(seed), **who}


def table(pairings: Sequence[Pairing]) -> str:
    """A table for people: the row's bot alone among the column's."""
    names = list(dict.fromkeys(name for one in pairings for name in (one.bot, one.others)))
    by_bots = {(one.bot, one.others): one for one in pairings}
    first = pairings[0]
    rows = [["one \\ others", *names]]
    for name in names:
        cells = [by_bots.get((name, other)) for other in names]
        if any(cells):
            rows.append([name, *(str(c.measured) if c else "·" for c in cells)])
    about = f"{first.players} players, {plural(first.deals, 'deal')} from every seat; 95 % intervals"
    return "\n".join([f"{about}; an equal share is {100 * first.equal:.1f} %", *columns(rows)])


def as_text(result: Arena) -> str:
    """All of it for people."""
    parts = [table(result.pairings)] if result.pairings else []
    if result.mixed:
        rows = [["mixed tables", "share of a seat", "deals"]]
        for entry in sorted(result.mixed, key=lambda entry: -entry.share):
            rows.append([entry.bot, str(entry.measured), f"{entry.deals:,}"])
        parts.append("\n".join(columns(rows)))
        parts.append("\n".join(["ladder: 400 points are ten times the strength; 95 % intervals", *bars(result.ladder())]))
    parts += [f"{name} {no_nets()}." for name in result.without_nets]
    return "\n\n".join(parts)


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of cells below each other."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
