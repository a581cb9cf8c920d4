"""A block: a range of deals of one company, the unit of work of simulations and experiments.

    columns = play(Block("kuhhandel", {"overbid": "forbidden"}, ("steady",) * 4, seed=1, first=0, last=2000))
    columns.rows, columns.seats, columns.usage
    tallies(rulebook("kuhhandel"), block)            # moves, steps, scores and winners alone (compiled/loops.columns)

A block is small data that any machine can be given; what it comes to depends on nothing else but the sources, whose hash
it carries (`code`), with those of the files that its bots are read from: a worker with others refuses. The game's own
players, policy nets (`net@FILE`) and those fitted to people (`like@FILE`) are played compiled (loops/observed.py); a company
with any other bot is asked move by move, as at a table, and its matches are observed when they are over, as are those of a
file of records (recorded.py).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.bots import load_bot
from outbid.bots.like import LIKE, LikeBot
from outbid.bots.outside import FILE, NetBot
from outbid.compiled import loops
from outbid.compiled.buffers import allocate
from outbid.core import contract
from outbid.core.errors import BadSetup
from outbid.core.fields import Records
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook, rulebook
from outbid.runs.loops import observed as loop
from outbid.runs.recorded import match_of
from outbid.runs.replay import CLOCKED, replayed
from outbid.runs.seating import rotations, turned
from outbid.runs.sources import RECORDS, bots_of_files, hash_of, same
from outbid.runs.things import in_the_end, things_of

TRACE = 4096  # moves whose leader is remembered; of longer matches every second, fourth, …
BITS = np.array([0, *(round(1000 * math.log2(n)) for n in range(1, contract.MOST_ACTIONS + 1))], np.int64)


@dataclass(frozen=True)
class Block:
    """Deals `first` … `last` − 1. game: its id or file; seats: a bot each, at the first rotation; code: the hash of the
    sources, "" for any."""

    game: str
    options: Mapping[str, Any]
    seats: tuple[str, ...]
    seed: int
    first: int
    last: int
    code: str = ""

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

    @property
    def key(self) -> list[Any]:
        """The first deal, and that after the last."""
        return [self.first, self.last]

    @property
    def book(self) -> Rulebook:
        """The game."""
        return rulebook(self.game)


@dataclass(frozen=True, eq=False)
class Columns:
    """What a block came to: its matches in order of deals and rotations. rows: int64 (M, COLUMNS); seats: int64 (M, P,
    SEAT_COLUMNS); usage: int64 (K, USES), by thing; own: float64 (M,) by name, made of the last states."""

    rows: NDArray[np.int64]
    seats: NDArray[np.int64]
    usage: NDArray[np.int64]
    own: dict[str, NDArray[np.float64]] = field(default_factory=dict)


def code_of(book: Rulebook, seats: Sequence[str] = (), others: Sequence[Path] = ()) -> str:
    """The hash of all that a block's columns depend on besides the block: the sources of the loop, the rules, files of bots
    and others. The same on every machine with these files."""
    return hash_of(book, loop, seats, others)


def is_compiled(book: Rulebook, seats: Sequence[str]) -> bool:
    """Whether a company is played compiled: of the game's own players and of those read from a file."""
    return all(name in book.personas.policies or name.startswith((FILE, LIKE)) for name in seats)


OfFinals = Callable[[NDArray[Any], int], dict[str, NDArray[np.float64]]]  # of last states, and the number of players


def play(block: Block, others: Sequence[Path] = (), of_finals: OfFinals | None = None) -> Columns:
    """Play and observe a block. others: files that its code has, too; of_finals: makes columns of the last states. Raises
    BadSetup if this machine has other sources or other files."""
    book = block.book
    same(block.code, book, loop, block.seats, others)
    sit_down(book, block.seats)
    how = _compiled if is_compiled(book, block.seats) else _asked
    things = things_of(book)
    keep = of_finals is not None or things.held > 0
    turns = [how(book, block, turned(block.seats, turn), keep) for turn in range(block.rotations)]
    side_by_side = (np.stack([getattr(turn, name) for turn in turns], 1) for name in ("rows", "seats", "finals"))
    rows, seats, finals = (array.reshape(-1, *array.shape[2:]) for array in side_by_side)  # deal by deal
    own = of_finals(finals, block.players) if of_finals else {}
    usage = np.sum([turn.usage for turn in turns], axis=0)
    if things.held:
        usage[things.deciding] = in_the_end(book, finals, rows[:, loop.WON], block.players, loop.PARTS)
    return Columns(rows, seats, usage, own)


def sit_down(book: Rulebook, seats: Sequence[str]) -> None:
    """Load the bots of a block, as its author named them: nets and modules, too. Raises BadSetup."""
    for name in dict.fromkeys(seats):
        if name not in book.personas.policies and not name.startswith(RECORDS):
            load_bot(name, book)


def working_space(book: Rulebook, players: int, compiled: bool = True) -> loop.Room:
    """What a match works in."""
    things = things_of(book)
    sizes = {"A": book.actions, "L": book.actions + contract.MOST_ACTIONS, "P": players, "B": len(BITS), "trace": TRACE}
    sizes |= {"T": loops.columns(players), "K": len(things)}
    return allocate(loop.Room, sizes, book, compiled, bits=BITS, things=things.of)


def tallies(book: Rulebook, block: Block, compiled: bool = True) -> list[list[int]]:
    """A row of `loops.columns` for each deal of a block, of one rotation. compiled: if its bots can be."""
    policies = [book.personas.policies.get(name) for name in block.seats]
    if None in policies:
        numbers = range(block.first, block.last)
        return [replayed(book, block.options, block.seats, block.seed, number)[1] for number in numbers]
    deals, players, fresh = block.last - block.first, block.players, book.fresh(block.options)
    rows = np.zeros((deals, loops.columns(players)), np.int64)
    contest: Any = loop.contest
    states: Any = Records([fresh] * 3)
    seats: Any = policies
    if compiled:
        from outbid.compiled.backend import entry

        contest, states, seats = entry(book, loop.contest), _records(book, fresh), np.array(policies, np.int64)
    room = working_space(book, players, compiled)
    contest(states, 0, block.seed, block.first, block.last, seats, book.longest, players, room, rows)
    tallied: list[list[int]] = rows.tolist()
    return tallied


def play_tallies(block: Block) -> list[list[int]]:
    """`tallies` of a worker. Raises BadSetup if it has other sources or other files."""
    same(block.code, block.book, loop, block.seats)
    sit_down(block.book, block.seats)
    return tallies(block.book, block)


def _compiled(book: Rulebook, block: Block, names: Sequence[str], finals: bool = False) -> loop.Found:
    """One rotation of a block, compiled."""
    found = results(book, block, finals)
    run(book, block, names, found)
    return found


def results(book: Rulebook, block: Block, finals: bool = False, wanted: Sequence[int] = ()) -> loop.Found:
    """Room for what one rotation of a block comes to. wanted: as in loops/observed.py."""
    many, state = block.last - block.first, book.layout.dtype
    sizes = {"N": many, "P": block.players, "K": len(things_of(book))}
    return allocate(
        loop.Found, sizes, wanted=np.array(wanted, np.int64), finals=np.zeros(many if finals else 0, state),
        shots=np.zeros(len(wanted), state),
    )  # fmt: skip


def run(book: Rulebook, block: Block, names: Sequence[str], found: loop.Found) -> None:
    """Play one rotation of a block in the compiled loop."""
    from outbid.compiled.backend import entry

    fresh, players = book.fresh(block.options), len(names)
    files = bots_of_files(names)
    known = book.personas.policies | {name: loops.OUTSIDE - k for k, name in enumerate(files)}
    policies = np.array([known[name] for name in names], np.int64)
    entry(book, loop.observed)(
        _records(book, fresh), 0, block.seed, block.first, block.last, policies, book.longest, players,
        working_space(book, players), np.zeros((0, 0), np.int64), found, _nets(book, fresh, files),
    )  # fmt: skip
    if (found.rows[:, loop.FIRST] == loop.CLOCKED).any():
        raise BadSetup(CLOCKED)


def _records(book: Rulebook, fresh: Any) -> NDArray[Any]:
    """Three records, of which the first is a fresh state."""
    states = np.zeros(3, book.layout.dtype)
    fresh.to_record(states, 0)
    return states


def _nets(book: Rulebook, fresh: Any, names: Sequence[str]) -> loop.Nets:
    """What is read from these files: nets first. Raises BadSetup."""
    nets = [NetBot.load(name).under(fresh) for name in names if name.startswith(FILE)]
    likes = [LikeBot.load(name).of(book) for name in names if name.startswith(LIKE)]
    weights = np.zeros((len(nets), max((len(net.weights) for net in nets), default=0)), np.float32)
    for row, net in zip(weights, nets, strict=True):
        row[: len(net.weights)] = net.weights
    widths = np.array([(len(net.weights), net.units) for net in nets], np.int64).reshape(-1, 2)
    sizes = {"F": book.features, "H": int(widths[:, 1].max(initial=1)), "L": book.actions + contract.MOST_ACTIONS}
    params = np.array([tuple(vars(bot.params).values()) for bot in likes], book.personas.usual.dtype)
    slips = np.array([bot.slip for bot in likes], np.int64)
    return allocate(loop.Nets, sizes, weights=weights, widths=widths, params=params, slips=slips)


def warm(book: Rulebook, options: Mapping[str, Any], players: int) -> None:
    """Compile the loop, or load it, before threads want it."""
    block = Block(book.id, options, ("steady",) * players, 0, 0, 0)
    _compiled(book, block, block.seats)


def _asked(book: Rulebook, block: Block, names: Sequence[str], finals: bool = False) -> loop.Found:
    """One rotation of a block among bots of which some are asked for whole moves, or of matches that are read."""
    found = results(book, block, finals)
    for k, number in enumerate(range(block.first, block.last)):
        match = match_of(book, block.options, names, block.seed, number)
        last = observe_match(book, match, found.rows[k], found.seats[k], found.usage)
        if finals:
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
        move = {key: value for key, value in move.items() if key != "seat"}
        for action in book.words.steps(states[0], seat, move):
            left = contract.asked(states[0])
            many = 1 if left >> contract.CLOCK & 1 else left
            n = 1 if seat == contract.CLOCK else contract.legal(states[0], seat, room.out)
            loop.observe_choice(seat, n, many, row, usage, room)
            loop.make(states[0], seat, action, players, many, row, own, usage, room)
    if contract.asked(states[0]) == 0:
        row[loop.WON] = contract.winners(states[0], room.points)
    loop.finish(states[0], players, row, own, usage, room)
    return states[0]
