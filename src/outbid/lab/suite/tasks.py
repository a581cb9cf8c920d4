"""The tasks of a suite, and who sits there: populations that are frozen, and held-out ones that are drawn by a seed.

    tasks()                          all tasks of bench-1, by name: kuhhandel-3, kuhhandel-4, kuhhandel-tiny, …
    population(task)                 the frozen bots, by name
    population(task, held_out=7)     bots that the seed 7 draws: policy parameters that nobody has met
    check_frozen("kuhhandel")        refuses if one of them moves differently than when the suite was frozen

A population is named by policy parameters relative to `steady@1`, which never changes; a net by the hash of its file. That
the code that reads the parameters has not changed either is seen from the moves: a digest of them on positions that
random play reaches from fixed seeds.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from outbid.bots import bot
from outbid.bots.heuristic import Stepwise
from outbid.bots.seat import Seat
from outbid.core import contract
from outbid.core.chance import below, stream
from outbid.core.errors import BadSetup
from outbid.core.hooks.policy_params import FIRST
from outbid.core.match import hidden, seat_names
from outbid.core.rulebook import Rulebook, rulebook
from outbid.runs.seating import Bots
from outbid.runs.seeds import seed_of

SUITE = "bench-1"
RESULT = f"{SUITE}.json"  # a file
SMALL = "tiny"  # the preset of each game that is solved in a moment
SAMPLE, ALL = 60, 2000  # positions of a game on which moves are compared: whenever it is measured; in a release
HELD_OUT = 6  # bots of a held-out population
WIDE = 250  # per cent of the usual that a number of theirs has at most
COUNTS = 12  # a number up to this is a count or a switch
QUICKEST = "rivals-3"  # the task of a first try
LONGEST = 400  # steps of the random play that leads to a position
PLACES, STRANGERS = 1 << 43, 1 << 44  # streams: of positions, of held-out populations


@dataclass(frozen=True)
class Task:
    """A game for a number of players, with its preset. number: its place in the suite, which says its seeds."""

    name: str
    game: str
    players: int
    preset: str
    number: int

    @property
    def book(self) -> Rulebook:
        """The rulebook."""
        return rulebook(self.game)

    @property
    def options(self) -> dict[str, Any]:
        """The options of its preset."""
        return self.book.preset(self.preset)

    @property
    def solved(self) -> bool:
        """The game is small, and its values are exact."""
        return self.preset == SMALL

    @property
    def core(self) -> bool:
        """It is one of the five of the core suite: three at a table."""
        return self.players == 3

    @property
    def seed(self) -> int:
        """That of its deals, of those for reports."""
        return seed_of("report", 1_000_000 + self.number)


@cache
def frozen() -> dict[str, dict[str, Any]]:
    """What the suite's file says of each game."""
    suite: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name(f"{SUITE}.toml").read_text(encoding="utf-8"))
    return suite


@cache
def tasks() -> dict[str, Task]:
    """The tasks by name: for each game its tables, of which that for three is in the core suite, and the small version."""
    entries: dict[str, Task] = {}
    for game, facts in frozen().items():
        for players, preset in [*((n, "seed") for n in facts["tables"]), (2, SMALL)]:
            name = f"{game}-{SMALL if preset == SMALL else players}"
            entries[name] = Task(name, game, players, preset, len(entries))
    return entries


def named(names: Sequence[str]) -> list[Task]:
    """Tasks by their names. Raises BadSetup."""
    for name in names:
        if name not in tasks():
            raise BadSetup(f"There is no task {name!r} in {SUITE}; there are {', '.join(tasks())}.")
        if names.count(name) > 1:
            raise BadSetup(f"The task {name} is named {names.count(name)} times.")
    return [tasks()[name] for name in names]


def population(task: Task, held_out: int | None = None) -> tuple[str, ...]:
    """The names of the bots that sit in the other seats. held_out: the seed of bots that nobody has met."""
    if held_out is not None:
        return strangers(task.book, held_out)
    facts = frozen()[task.game]
    return (FIRST, *facts["heuristics"], *facts["exploiters"], *(["net"] if facts["net"] else []))


def strangers(book: Rulebook, seed: int) -> tuple[str, ...]:
    """Bots whose policy parameters are drawn: half of the numbers stay, a count or a switch is anything up to the usual, and
    what is larger anything up to WIDE per cent."""
    bots = []
    for k in range(HELD_OUT):
        own, changes = stream(stream(seed, STRANGERS + k), len(book.id)), []
        for place, (name, usual) in enumerate(vars(book.personas.players[FIRST]).items()):
            r = stream(own, place)
            number = usual * below(stream(r, 1), WIDE + 1) // 100 if usual > COUNTS else below(stream(r, 1), usual + 1)
            if below(r, 2) and number != usual:
                changes.append(f"{name}={number}")
        bots.append(f"{FIRST}[{';'.join(changes)}]" if changes else FIRST)
    return tuple(bots)


def list_hash(held_out: int | None = None) -> str:
    """SHA-256 of the names of a whole population, game by game."""
    first = {task.game: task for task in reversed(tasks().values())}
    return _sha(json.dumps([[game, population(first[game], held_out)] for game in sorted(first)]).encode())


@cache
def opponent(book: Rulebook, name: str) -> Any:
    """A bot of a population, to be asked for moves."""
    if not name.startswith(FIRST):
        return bot(name, book)
    [params] = Bots(book, {}, book.players[0], [name]).params

    def act(state: Any, seat: int, seed: int, note: list[int]) -> int:
        return contract.told(state, seat, seed, note, params)

    return Stepwise(name, "", act, speaks=False)


def check_frozen(game: str, positions: int = SAMPLE) -> None:
    """Refuse if a bot of the population moves differently than when the suite was frozen. Raises BadSetup."""
    facts, other = frozen()[game], ""
    if facts["net"] and facts["net"] != _sha((rulebook(game).folder / "policy.npz").read_bytes()):
        other = "has another net"
    elif moves_hash(game, positions) != facts["moves" if positions == ALL else "sample"]:
        other = "moves differently"
    if other:
        raise BadSetup(f"The population of {game} {other} than when {SUITE} was frozen: measure with the release before.")


@cache
def moves_hash(game: str, positions: int) -> str:
    """SHA-256 of what the bots of a population do in so many positions, one after the other in turn."""
    book, tables = rulebook(game), [task for task in tasks().values() if task.game == game and not task.solved]
    bots, digest = population(tables[0]), hashlib.sha256()
    for k in range(positions):
        task, who = tables[k % len(tables)], bots[k // len(tables) % len(bots)]
        state, seat, number = position(book, task.players, stream(PLACES + k, 0))
        asked = Seat(book, tuple(seat_names(task.players)), seat, number, stream(PLACES + k, 1), hidden(state, seat))
        digest.update(json.dumps(list(opponent(book, who).decide(asked).actions)).encode())
    return digest.hexdigest()


def position(book: Rulebook, players: int, seed: int) -> tuple[Any, int, int]:
    """A position of a match of random steps in which a seat has a choice, each as likely as any other; that seat; and how
    many such there were before."""
    state, out, passed = book.fresh({}), [0] * (book.actions + 64), 0
    contract.deal(state, players, seed)
    kept: tuple[Any, int, int] = state, 0, 0
    for steps in range(LONGEST):
        asked, r = contract.asked(state), stream(seed, steps)
        seats = [seat for seat in range(players) if asked >> seat & 1]
        if not seats:
            break
        seat = seats[below(stream(r, 1), len(seats))]
        n = contract.legal(state, seat, out)
        if n > 1 and not contract.midway(state, seat):
            passed += 1
            if below(stream(r, 2), passed) == 0:
                kept = state.copy(), seat, passed - 1
        contract.apply(state, seat, out[below(stream(r, 3), n)])
    return kept


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
