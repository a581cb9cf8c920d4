"""Matches among named bots, as the arena wants them: every deal from every seat, on several threads.

    matches = play(book, options, players, ["strong", "steady"], seating, seed)

`seating`, int64 (deals, P), says who sits where at first; a deal is played P times, all moving on by a seat. What
comes back is a `Played`; its rows are matches, in order of deals and then of seats moved on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from outbid.bots import BOTS, LEVELS, LookAhead, known, load_bot, strong
from outbid.bots.naming import budget_of
from outbid.bots.nets.policy import Policy, policy
from outbid.bots.nets.policy_bot import NET
from outbid.bots.outside import FILE
from outbid.bots.search import select
from outbid.bots.seat import learns
from outbid.compiled.buffers import allocate
from outbid.core.errors import BadSetup
from outbid.core.hooks.policy_params import PolicyParams
from outbid.core.language.phrases import meant, plural
from outbid.core.rulebook import Rulebook, check_seed, rulebook
from outbid.lab.simulate import asked_match, results
from outbid.runs.checkpoint import Checkpoint
from outbid.runs.executor import Pool, executor
from outbid.runs.loops import matches, opponent_aware
from outbid.runs.sources import files_of, hash_of, plain, same, where, written

CHUNK = 2  # deals of one call
QUICK = {"random", "easy", "steady"}
FEW = 500  # fewer matches of these bots are not worth the minute or two that compiling takes
NET_FEW = 15_000  # nor are fewer steps in all, where a net from a file plays: a decision of it takes some milliseconds
MOST = 10**9  # of a policy parameter
DEEP = 1  # moves of others that a model which looks ahead searches


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
        there = seats > 0
        return np.bincount(row, (self.shares * own).sum(1))[there] / seats[there]

    def renamed(self, was: Sequence[str], names: Sequence[str]) -> Played:
        """The same with the numbers that bots have in `names`."""
        numbers = np.array([list(names).index(name) for name in was])
        return Played(self.deal, numbers[self.bots], self.shares, self.places)


class Bots:
    """Bots by their names, as rows of `policies` and `params` (matches.py); the models they have come after them.

    A name is `random`; `net`, under rules it has learned; one of the game's own players, `steady`, `easy`, `steady:miser`, …
    (rulebook.personas), with policy parameters changed if wanted: `steady[reserve=50;denial=0]`; one that looks ahead,
    with a budget if wanted and with the bot that it takes all others for: `strong`, `strong*0.1`, `strong*0.5>easy`; or a
    policy net from a file: `net@runs/claim-3/net.npz`, and then no bot takes others for one that looks ahead. All other
    names (bots/naming.py), and several nets from files, are `asked` move by move, which takes longer. Raises BadSetup.
    """

    def __init__(self, book: Rulebook, options: Mapping[str, Any], players: int, names: Sequence[str]):
        self.book, self.names = book, list(names)
        self.options, self._fresh = options, book.fresh(options)
        self.asked = asks(book, names)
        """Whether matches are played on the plain backend, by asking every bot for moves."""
        self.trained: Policy | None = None
        """The net from a file."""
        self._settings = strong.Settings.of(book, self._fresh, players)
        self._rows: list[list[int]] = [[0] * matches.COLUMNS for _ in names]
        self._params: list[PolicyParams] = [book.personas.usual for _ in names]
        for number, name in enumerate(names if not self.asked else ()):
            self._put(number, name)
        budgets = [row[opponent_aware.BUDGET] for row in self._rows]
        if opponent_aware.OTHER in budgets and max(budgets[len(names) :], default=0) > 0:
            raise BadSetup(f"Beside {FILE}… nobody can take others for a bot that looks ahead: {', '.join(names)}.")

    @property
    def policies(self) -> NDArray[np.int64]:
        """The rows, (bots, matches.COLUMNS)."""
        return np.array(self._rows, np.int64)

    @property
    def params(self) -> list[PolicyParams]:
        """Their policy parameters."""
        return self._params

    @property
    def records(self) -> NDArray[Any]:
        """The same for compiled code, (bots,)."""
        return np.frombuffer(b"".join(one.tobytes() for one in self._params), self.book.personas.usual.dtype).copy()

    @property
    def watching(self) -> int:
        """How some of them learn from the moves who the others are (matches.py); 0: none does."""
        if not learns(self.book) or all(row[opponent_aware.BUDGET] <= 0 for row in self._rows):
            return 0
        return matches.SECRET if self.book.secrets else matches.OPEN

    @property
    def budgets(self) -> dict[str, int]:
        """What a results store says of them besides their names: how many rollouts a decision of those that look ahead
        has."""
        budgets = {name: self._rows[number][opponent_aware.BUDGET] for number, name in enumerate(self.names)}
        return {name: n for name, n in sorted(budgets.items()) if n > 0}

    def slip(self, number: int, often: int) -> None:
        """Let a bot make any legal step in so many of a thousand, unless it looks ahead."""
        self._rows[number][opponent_aware.SLIP] = often

    def _put(self, number: int, name: str) -> None:
        row = self._rows[number]
        row[opponent_aware.MODEL] = -1
        ahead, takes, model = name.partition(">")
        called, star, times = ahead.partition("*")
        found = BOTS.get(called)
        if isinstance(found, LookAhead):
            settings = self._settings.at(self.book, found.level)
            budget = settings.budget(found.budget * budget_of(name, star, times))
            row[opponent_aware.BUDGET], row[opponent_aware.LIMIT] = budget
            row[opponent_aware.MAX_DEPTH] = settings.max_depth
            row[opponent_aware.MODE] = select.EACH if found.level else found.mode
            row[opponent_aware.LEAD] = settings.lead
            row[opponent_aware.MARGIN] = round(matches.MILLION * settings.margin)
            if takes:
                row[opponent_aware.MODEL], row[opponent_aware.DEEP] = len(self._rows), DEEP
                self._rows.append([0] * matches.COLUMNS)
                self._params.append(self.book.personas.usual)
                self._put(len(self._rows) - 1, model)
        elif name == NET.name:
            net = policy(self.book)
            if net is None or not net.serves(self._fresh):
                raise BadSetup(f"No net has learned {self.book.title} under these rules.")
            row[opponent_aware.BUDGET] = opponent_aware.NET
        elif name.startswith(FILE):
            row[opponent_aware.BUDGET] = opponent_aware.OTHER
            self._load(name, number)
        elif name == "random":
            row[opponent_aware.BUDGET] = opponent_aware.ANYTHING
        else:
            row[opponent_aware.BUDGET] = opponent_aware.HEURISTIC
            self._params[number] = self._params_of(name)

    def _load(self, name: str, number: int) -> None:
        if number >= len(self.names):
            raise BadSetup(f"{name} comes from a file, and nobody can take others for it.")
        try:
            self.trained = Policy.load(self.book, Path(name.removeprefix(FILE)))
        except OSError as error:
            raise BadSetup(f"{name}: {error.strerror or error}.") from error
        except (ValueError, KeyError, BadZipFile) as error:
            raise BadSetup(f"{name} is no policy net of {self.book.title}: {error}") from error
        if not self.trained.fits(self._fresh):
            raise BadSetup(f"{name} has not learned {self.book.title} under these rules.")

    def _params_of(self, name: str) -> PolicyParams:
        called, bracket, changes = name.partition("[")
        players = self.book.personas.players
        if called not in players:
            ahead = [one for one in LEVELS if isinstance(BOTS[one], LookAhead)]
            there = ["random", "net", "net@FILE", *players, *ahead, f"{ahead[-1]}*0.1"]
            said = meant(called, [*there, *BOTS])
            raise BadSetup(f"There is no bot {name!r} in the arena; there are {', '.join(there)}.{said}")
        if not bracket:
            return players[called]
        try:
            numbers = {key: int(value) for key, value in (pair.split("=") for pair in changes.removesuffix("]").split(";"))}
            made = players[called].but(numbers)
        except (AttributeError, ValueError) as error:
            raise BadSetup(f"The policy parameters of {name!r} cannot be read: {error}") from error
        if max(map(abs, numbers.values())) > MOST:
            raise BadSetup(f"{name!r} has a policy parameter beyond {MOST:,}.")
        return made


def asks(book: Rulebook, names: Sequence[str]) -> bool:
    """Whether a bot among these plays outside of compiled loops. Raises BadSetup, if a name leads outside and no bot is
    there."""
    compiled = {"random", NET.name, *book.personas.players, *(one for one in BOTS if isinstance(BOTS[one], LookAhead))}
    outside = len({name for name in names if name.startswith(FILE)}) > 1
    for name in names:
        called = name.partition(">")[0].partition("*")[0].partition("[")[0]
        if called not in compiled and not name.startswith(FILE) and (called in BOTS or ":" in name or known(name)):
            outside = True
    for name in names if outside else ():
        load_bot(name, book)
    return outside


def budgets(book: Rulebook, options: Mapping[str, Any], players: int, names: Sequence[str]) -> dict[str, int]:
    """The rollouts of a decision, by name, of those that look ahead."""
    return Bots(book, options, players, names).budgets


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
    BadSetup.
    """
    check_seed(seed)
    deals = len(seating)
    if deals < 2:
        raise BadSetup(f"{plural(deals, 'deal')} cannot be played; there must be at least two.")
    there = Bots(book, options, players, bots)
    if compiled is None:
        compiled = there.asked or not _few(book, options, players, bots, deals * players) or _ready(book)
    turned = np.stack([np.roll(seating, turn, 1) for turn in range(players)])
    shares = np.zeros((players, deals, players))
    places = np.zeros((players, deals, players), np.int64)
    fresh = book.fresh(options)
    code = hash_of(book, matches, bots, nets_of(book))
    kept = checkpoint.part(book, options, players, bots, seed, deals, depends_on(there, code)) if checkpoint else None

    tell = progress or (lambda n: None)
    run(there, fresh, seed, 0, turned[0, :0], shares[0, :0], places[0, :0], compiled)  # compiled before the threads begin
    wanted: list[slice] = []
    for first in range(0, deals, CHUNK):
        here = slice(first, min(first + CHUNK, deals))
        known = kept.find(first, seating[here]) if kept else None
        if known:
            shares[:, here], places[:, here] = known
            tell(len(seating[here]) * players)
        else:
            wanted.append(here)
    given = where(book), json.dumps(dict(options)), players, tuple(bots), seed
    with nullcontext(pool) if pool else executor(None, threads) as workers:
        for number, (had, came) in workers.map(
            play_deals, (Deals(*given, here.start, turned[:, here], compiled, code) for here in wanted)
        ):
            here = wanted[number]
            shares[:, here], places[:, here] = had, came
            if kept:
                kept.add(here.start, seating[here], had, came)
            tell((here.stop - here.start) * players)
    who, had, came = (_by_match(array) for array in (turned, shares, places))
    return Played(np.repeat(np.arange(deals), players), who, had, came)


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


def play_deals(task: Deals) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The shares and places, (P, deals, P) both. Raises BadSetup."""
    book = rulebook(task.game)
    same(task.code, book, matches, task.bots, nets_of(book))
    there, fresh = _table(task.game, task.options, task.players, task.bots, written(files_of(task.bots)))
    shares, places = np.zeros(task.seating.shape), np.zeros(task.seating.shape, np.int64)
    for turn in range(task.players):
        run(there, fresh, task.seed, task.first, task.seating[turn], shares[turn], places[turn], task.compiled)
    return shares, places


@lru_cache(maxsize=64)
def _table(game: str, options: str, players: int, bots: tuple[str, ...], when: tuple[int, ...]) -> tuple[Bots, Any]:
    """The bots, and a fresh state. when: their files were written."""
    book, said = rulebook(game), json.loads(options)
    return Bots(book, said, players, bots), book.fresh(said)


def depends_on(bots: Bots, code: str) -> str:
    """The hash of all that matches of these bots depend on, but for what was asked for. code: `hash_of`'s."""
    thinks = strong.POINTS, strong.EVEN, strong.LITTLE, repr(bots.book.search), bots.policies.tolist()
    return hashlib.sha256(json.dumps([code, plain(), thinks]).encode()).hexdigest()


def nets_of(book: Rulebook) -> list[Path]:
    """The files of the nets that a game ships."""
    return sorted(book.folder.glob("*.npz"))


def _few(book: Rulebook, options: Mapping[str, Any], players: int, bots: Sequence[str], many: int) -> bool:
    """Whether so many matches of these bots are done sooner on the plain backend."""
    nets = {one for one in bots if one.startswith(FILE)}
    if not set(bots) <= QUICK | nets:
        return False
    return many * _length(book, options, players) < NET_FEW if nets else many < FEW


def _length(book: Rulebook, options: Mapping[str, Any], players: int) -> int:
    """The steps of a match under these rules: of one that the game's own player plays."""
    (row,) = results(book, options, ["steady"] * players, 1, 0, backend="plain")
    return sum(row[2 * players : 3 * players])


def _ready(book: Rulebook) -> bool:
    from outbid.compiled.backend import ready

    return ready(book, matches.matches)


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
    """The deals from `first` on, one for each row of `seating`. notes: where the steps of a net from a file are noted."""
    if bots.asked:
        return _asked(bots, seed, first, seating, shares, places)
    records = matches.RECORDS + seating.shape[1] * strong.kept(bots.book, compiled)
    space, inner = strong.Space(bots.book, records, compiled), strong.Space(bots.book, 0, compiled, bots.trained)
    space.put(fresh)
    space.under(fresh)
    inner.under(fresh)
    loop, params = _compiled(bots) if compiled else (matches.matches, bots.params)
    notes = notes or room_for(bots.book, 0, 0)
    room = matches.Room(space.states, space.cells, space.searches, space.work, inner.work, notes)
    roster = matches.Roster(bots.policies, params, bots.watching, strong.POINTS, float(bots.book.search.unit))
    loop(room, seed, first, first + len(seating), seating, roster, shares, places)


def _asked(
    bots: Bots, seed: int, first: int, seating: NDArray[np.int64], shares: NDArray[np.float64], places: NDArray[np.int64]
) -> None:
    """The same where bots are asked for moves."""
    for k, row in enumerate(seating.tolist()):
        match, _tally = asked_match(bots.book, bots.options, [bots.names[number] for number in row], seed, first + k)
        matches.finish(match.state, len(row), [0] * 64, shares[k], places[k])


def room_for(book: Rulebook, rows: int, deals: int, steps: int = 0) -> matches.Notes:
    """Room for so many notes, of so many deals, and so many steps of all seats."""
    sizes = {"R": rows, "F": book.features, "A": book.actions, "deals": deals, "S": steps, "S deals": deals if steps else 0}
    made: matches.Notes = allocate(matches.Notes, sizes)
    return made


def _compiled(bots: Bots) -> tuple[Any, Any]:
    from outbid.compiled.backend import entry

    return entry(bots.book, matches.matches), bots.records
