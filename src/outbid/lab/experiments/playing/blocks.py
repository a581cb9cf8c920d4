"""A block: a range of deals of one cell, the unit of work of every executor.

    found = play(Block("kuhhandel", {"overbid": "forbidden"}, ("steady",) * 4, seed=1, first=0, last=2000))
    found.rows, found.seats, found.usage, found.own

A block is small data that any machine can be given; what it comes to depends on nothing else but the sources, whose hash
it carries (`code`), with those of the files that its bots are read from: a worker with others refuses. The game's own
players and policy nets (`net@FILE`) are played compiled (observed.py); a company with any other bot is asked move by move,
as at a table, and its matches are observed when they are over, as are those of a file of records (recorded.py).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.bots import load_bot
from outbid.bots.outside import FILE, NetBot
from outbid.compiled import loops
from outbid.compiled.buffers import allocate
from outbid.core import contract
from outbid.core.fields import Records
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook
from outbid.lab.experiments.playing import observed as loop
from outbid.lab.experiments.things import things_of
from outbid.runs.sources import RECORDS, hash_of, same

TRACE = 4096  # moves whose leader is remembered; of longer matches every second, fourth, …
BITS = [0, *(round(1000 * math.log2(n)) for n in range(1, contract.MOST_ACTIONS + 1))]


@dataclass(frozen=True)
class Block:
    """Deals `first` … `last` − 1 of a cell. seats: a bot each, at the first rotation. own: names of measures that are made
    of the last states (measures.py). code: the hash of the sources, "" for any."""

    game: str
    options: Mapping[str, Any]
    seats: tuple[str, ...]
    seed: int
    first: int
    last: int
    own: tuple[str, ...] = ()
    code: str = ""
    rule: str = ""

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.seats)

    @property
    def rotations(self) -> int:
        """How often a deal is played: as often as turning the table makes another seating."""
        return rotations(self.seats)

    @property
    def matches(self) -> int:
        """How many matches it has."""
        return (self.last - self.first) * self.rotations


def rotations(seats: Sequence[str]) -> int:
    """The smallest turn of the table after which everybody sits as before."""
    return next(n for n in range(1, len(seats) + 1) if turned(seats, n) == tuple(seats))


def turned(seats: Sequence[str], rotation: int) -> tuple[str, ...]:
    """Who sits where after everybody has moved on by so many seats."""
    return tuple(seats[(seat - rotation) % len(seats)] for seat in range(len(seats)))


@dataclass(frozen=True, eq=False)
class Columns:
    """What a block came to: its matches in order of deals and rotations. rows: int64 (M, COLUMNS); seats: int64 (M, P,
    SEAT_COLUMNS); usage: int64 (K, USES), by thing; own: float64 (M,) by name."""

    rows: NDArray[np.int64]
    seats: NDArray[np.int64]
    usage: NDArray[np.int64]
    own: dict[str, NDArray[np.float64]] = field(default_factory=dict)


def code_of(book: Rulebook, own: Sequence[str] = (), seats: Sequence[str] = ()) -> str:
    """The hash of all that a block's columns depend on besides the block: the sources of the loop, the rules, measures made
    of last states, and files of bots. The same on every machine with these files."""
    from outbid.lab.experiments.measures import sources

    return hash_of(book, loop, seats, sources(book, own))


def is_compiled(book: Rulebook, seats: Sequence[str]) -> bool:
    """Whether a company is played compiled: of the game's own players and of nets."""
    return all(name in book.personas.policies or name.startswith(FILE) for name in seats)


def play(block: Block) -> Columns:
    """Play a block. Raises BadSetup if this machine has other sources or other files."""
    from outbid.lab.experiments.measures import own_columns, sources
    from outbid.lab.experiments.variants import book_of

    book = book_of(block.game, block.rule)
    same(block.code, book, loop, block.seats, sources(book, block.own))
    sit_down(book, block.seats)
    how = _compiled if is_compiled(book, block.seats) else _asked
    parts = [how(book, block, turned(block.seats, rotation)) for rotation in range(block.rotations)]
    rows, seats = (_woven([part[k] for part in parts]) for k in range(2))
    usage = np.sum([part[2] for part in parts], axis=0)
    finals = _woven([part[3] for part in parts]) if block.own else None
    return Columns(rows, seats, usage, own_columns(book, block.own, finals, block.players) if block.own else {})


def sit_down(book: Rulebook, seats: Sequence[str]) -> None:
    """Load the bots of a block, as its author named them: nets and modules, too. Raises BadSetup."""
    for name in dict.fromkeys(seats):
        if name not in book.personas.policies and not name.startswith(RECORDS):
            load_bot(name, book)


def _woven(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Rotations side by side, deal by deal."""
    return np.stack(parts, 1).reshape(-1, *parts[0].shape[1:])


def working_space(book: Rulebook, players: int) -> loop.Room:
    """What a match works in."""
    things = things_of(book)
    sizes = {"A": book.actions, "L": book.actions + contract.MOST_ACTIONS, "P": players, "B": len(BITS), "trace": TRACE}
    sizes |= {"T": loops.columns(players), "K": len(things)}
    return allocate(loop.Room, sizes, bits=np.array(BITS, np.int64), things=things.of)


def _compiled(book: Rulebook, block: Block, names: Sequence[str]) -> loop.Found:
    """One rotation of a block, compiled."""
    found = results(book, block)
    run(book, block, names, found)
    return found


def results(book: Rulebook, block: Block, wanted: Sequence[int] = ()) -> loop.Found:
    """Room for what one rotation of a block comes to. wanted: as in observed.py."""
    many, state = block.last - block.first, book.layout.dtype
    rows = np.zeros((many, loop.COLUMNS), np.int64)
    seats = np.zeros((many, block.players, loop.SEAT_COLUMNS), np.int64)
    usage = np.zeros((len(things_of(book)), loop.USES), np.int64)
    finals, shots = np.zeros(many if block.own else 0, state), np.zeros(len(wanted), state)
    return loop.Found(rows, seats, usage, finals, np.array(wanted, np.int64), shots)


def run(book: Rulebook, block: Block, names: Sequence[str], found: loop.Found) -> None:
    """Play one rotation of a block in the compiled loop."""
    from outbid.compiled.backend import entry

    fresh = book.fresh(block.options)
    states = np.zeros(3, book.layout.dtype)
    fresh.to_record(states, 0)
    files = [name for name in dict.fromkeys(names) if name.startswith(FILE)]
    known = book.personas.policies | {name: loops.OUTSIDE - k for k, name in enumerate(files)}
    policies = np.array([known[name] for name in names], np.int64)
    entry(book, loop.observed)(
        states, 0, block.seed, block.first, block.last, policies, book.longest, len(names), working_space(book, len(names)),
        found, _nets(book, fresh, files),
    )  # fmt: skip


def _nets(book: Rulebook, fresh: Any, names: Sequence[str]) -> loop.Nets:
    """Nets of these files. Raises BadSetup."""
    nets = [NetBot.load(name).under(fresh) for name in names]
    weights = np.zeros((len(nets), max((len(net.weights) for net in nets), default=0)), np.float32)
    for row, net in zip(weights, nets, strict=True):
        row[: len(net.weights)] = net.weights
    widths = np.array([(len(net.weights), net.units) for net in nets], np.int64).reshape(-1, 2)
    sizes = {"F": book.features, "H": int(widths[:, 1].max(initial=1)), "L": book.actions + contract.MOST_ACTIONS}
    return allocate(loop.Nets, sizes, weights=weights, widths=widths)


def warm(book: Rulebook, options: Mapping[str, Any], players: int) -> None:
    """Compile the loop, or load it, before threads want it."""
    block = Block(book.id, options, ("steady",) * players, 0, 0, 0)
    _compiled(book, block, block.seats)


def _asked(book: Rulebook, block: Block, names: Sequence[str]) -> loop.Found:
    """One rotation of a block among bots of which some are asked for whole moves, or of matches that are read."""
    from outbid.lab.experiments.playing.recorded import match_of

    found = results(book, block)
    for number in range(block.first, block.last):
        k = number - block.first
        match = match_of(book, block.options, names, block.seed, number)
        last = observe_match(book, match, found.rows[k], found.seats[k], found.usage)
        if block.own:
            last.to_record(found.finals, k)
    return found


def observe_match(book: Rulebook, match: Match, row: Any, own: Any, usage: Any) -> Any:
    """Fill the columns of a match that has been played; its last state. The same numbers as the loop gives."""
    players = match.state.players
    room = working_space(book, players)
    earlier = match.at(0)
    states = Records([earlier.state, earlier.state])
    loop.begin(states[0], players, row, own, room)
    for _number, move in match.numbered:
        seat = contract.CLOCK if move["seat"] is None else move["seat"]
        said = {key: value for key, value in move.items() if key != "seat"}
        for action in book.words.steps(states[0], seat, said):
            left = contract.asked(states[0])
            many = 1 if left >> contract.CLOCK & 1 else left
            n = 1 if seat == contract.CLOCK else contract.legal(states[0], seat, room.out)
            loop.look(seat, n, many, row, usage, room)
            loop.make(states[0], seat, action, players, many, row, own, usage, room)
    if contract.asked(states[0]) == 0:
        row[loop.WON] = contract.winners(states[0], room.points)
    loop.finish(states[0], players, row, own, usage, room)
    return states[0]

