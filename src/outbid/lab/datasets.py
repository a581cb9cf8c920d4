"""Data to learn from: the decisions of many matches in Parquet, what each seat saw, could do and did, and the truth.

    matches = Matches(book, options, (3, 4), mixed(book, options), seed=0)
    make(matches, Path("data"), 1_000_000)               # the files that are missing; the same matches whenever it runs
    for file in files(Path("data")):
        rows = read(file)                                # NumPy arrays by column; rows["hidden"]["money"]

docs/data.md says what a row is and what its columns are. A file appears whole or not at all. What all its rows share stands
in its metadata, under `outbid`, as JSON.
"""

from __future__ import annotations

import io
import json
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.bots.nets.policy import policy
from outbid.bots.nets.policy_bot import NET
from outbid.compiled.backend import entry
from outbid.compiled.buffers import allocate
from outbid.core.contract import MOST_ACTIONS
from outbid.core.errors import BadSetup
from outbid.core.extras import needed
from outbid.core.files import appearing
from outbid.core.language.phrases import plural
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook, check_seed
from outbid.runs.executor import executor
from outbid.runs.loops.decisions import Decisions, decisions
from outbid.runs.recorded import RecordedMatch
from outbid.runs.replay import asked_match
from outbid.runs.runner import depends_on, nets_of, room_for, run
from outbid.runs.seating import Bots
from outbid.runs.sources import hash_of

with needed("`outbid data`", "lab"):
    import pyarrow as pa
    import pyarrow.parquet as pq

FORMAT, KEY = "outbid-data/1", b"outbid"
FILE, PIECE = 1000, 100  # matches of a file, and of a piece that is in memory at once
STEPS = 1000  # of a seat in a match, guessed: room for them
PLAIN = {"compression": "zstd", "compression_level": 1, "use_dictionary": ["bot", "options"]}


def schema(book: Rulebook, **facts: Any) -> pa.Schema:
    """Return the columns, with what all rows share."""
    kind = book.layout.dtype
    parts = [kind[name] for name in kind.names or ()]
    record = {
        "names": kind.names, "formats": [f"{part.shape}{part.base.str}" for part in parts],
        "offsets": [kind.fields[name][1] for name in kind.names or ()] if kind.fields else [], "itemsize": kind.itemsize,
    }  # fmt: skip
    shared = {"format": FORMAT, "game": book.id, "rules": book.rules_id, "environment": book.environment_id, **facts}
    columns = {
        "match": pa.int64(), "players": pa.int8(), "seat": pa.int8(), "bot": pa.string(), "options": pa.string(),
        "move": pa.int32(), "observation": pa.list_(pa.float32(), book.features), "mask": pa.list_(pa.bool_(), book.actions),
        "action": pa.int16(), "reward": pa.float32(), "done": pa.bool_(), "margin": pa.float32(),
        "hidden": pa.binary(kind.itemsize),
    }  # fmt: skip
    return pa.schema(list(columns.items()), {KEY: json.dumps({**shared, "hidden": record})})


def shared(file: Path) -> dict[str, Any]:
    """Return what all rows of a file share. Raises BadSetup."""
    try:
        facts = json.loads(pq.read_schema(file).metadata[KEY])
    except (OSError, pa.ArrowException, TypeError, KeyError) as error:
        raise BadSetup(f"{file} is no data of `outbid data`.") from error
    return dict(facts)


def files(folder: Path | str) -> list[Path]:
    """Return the files of a folder of data, in order of matches."""
    return sorted(path for path in Path(folder).glob("*.parquet") if not path.name.startswith("."))


def read(file: Path | str) -> dict[str, NDArray[Any]]:
    """Return the columns of a file as arrays: observation (R, F), mask (R, A), hidden as records, all others (R,). Raises
    BadSetup."""
    file = Path(file)
    if file.is_dir() and (inside := files(file)):
        raise BadSetup(f"{file} is a folder; read one of its files after the other, the first is {inside[0]}.")
    record = np.dtype(shared(file)["hidden"])
    table = pq.read_table(file).combine_chunks()
    rows = {name: table[name].to_numpy() for name in table.column_names if name not in ("observation", "mask", "hidden")}
    for name in ("observation", "mask"):
        rows[name] = table[name].combine_chunks().flatten().to_numpy(zero_copy_only=False).reshape(len(table), -1)
    return {**rows, "hidden": np.frombuffer(b"".join(table["hidden"].to_pylist()), record)}


def mixed(book: Rulebook, options: Mapping[str, Any]) -> list[str]:
    """Return the company that plays where no bots are named: every compiled player of the game that does not look ahead."""
    net = policy(book)
    nets = [NET.name] if net is not None and net.fits(book.fresh(options)) else []
    return ["random", *nets, *(name for name in book.personas.players if "@" not in name)]


@dataclass(frozen=True, eq=False)
class Matches:
    """Matches of bots, by number: who sits where is drawn for each. players: how many, by turns from file to file."""

    book: Rulebook
    options: Mapping[str, Any]
    players: Sequence[int]
    bots: Sequence[str]
    seed: int

    @cached_property
    def companies(self) -> dict[int, Bots]:
        """The bots, by the number of players. Raises BadSetup."""
        return {players: Bots(self.book, self.options, players, self.bots) for players in self.players}

    @cached_property
    def schema(self) -> pa.Schema:
        """The columns, and what these matches depend on."""
        code = hash_of(self.book, decisions, self.bots, nets_of(self.book))
        facts = {"options": self.book.changed(self.options), "players": list(self.players), "bots": list(self.bots)}
        whole = [depends_on(company, code) for company in self.companies.values()]
        return schema(self.book, **facts, seed=check_seed(self.seed), sources=sha256(json.dumps(whole).encode()).hexdigest())

    def table(self, first: int, last: int) -> pa.Table:
        """Play the matches `first` … `last` − 1, which go into one file; one that is broken off has no rows."""
        players = self.players[first // FILE % len(self.players)]
        company, many = self.companies[players], len(self.bots)
        drawn = [np.random.default_rng([self.seed, n]).integers(many, size=players) for n in range(first, last)]
        seating = np.array(drawn, np.int64).reshape(-1, players)
        names = np.array(self.bots, object)[seating]
        if company.asked:
            return pa.concat_tables([self._asked(first + k, row) for k, row in enumerate(names.tolist())])
        fresh, shares, room = self.book.fresh(self.options), np.zeros(seating.shape), STEPS * seating.size
        while True:
            notes = room_for(self.book, 0, len(seating), max(1, room))
            run(company, fresh, self.seed, first, seating, shares, np.zeros(seating.shape, np.int64), True, notes)
            count = int(notes.made[0])
            if count <= room:
                break
            room = count
        states, space = np.zeros(2, self.book.layout.dtype), {"R": count, "M": len(seating), "P": players}
        fresh.to_record(states, 0)
        rows = allocate(Decisions, {**space, "F": self.book.features, "A": self.book.actions}, self.book)
        steps, out = notes.steps[:count], np.zeros(self.book.actions + MOST_ACTIONS, np.int64)
        n = entry(self.book, decisions)(states, 0, self.seed, first, players, steps, notes.ends, rows, out)
        kept = np.flatnonzero(rows.over[rows.of[:n]])
        kept = kept[np.lexsort((rows.seat[kept], rows.of[kept]))]
        of, seat, points = rows.of[kept], rows.seat[kept], rows.points
        done = np.append((np.diff(of) != 0) | (np.diff(seat) != 0), True)[: len(of)]
        return _table(
            self.schema, first + of, players, seat, names[of, seat], self.book.changed(self.options), rows.move[kept],
            rows.seen[kept], rows.could[kept], rows.did[kept], done, np.where(done, shares[of, seat], 0),
            _margins(self.book, points)[of, seat], rows.state[kept],
        )  # fmt: skip

    def _asked(self, number: int, names: Sequence[str]) -> pa.Table:
        match, _tally = asked_match(self.book, self.options, names, self.seed, number)
        movers = ["" if move["seat"] is None else names[move["seat"]] for move in match.moves]
        return of_match(match, number, movers, self.schema)


def of_match(match: Match, number: int, bots: Sequence[str], kind: pa.Schema) -> pa.Table:
    """Return the rows of a match that is over. bots: who made each move; empty for a person."""
    tables, margins = [], _margins(match.rulebook, np.array([match.scores]))[0]
    for seat in range(match.players):
        own = match.trajectory(seat)
        n, names = len(own.actions), np.array([bots[k] for k in own.moves], object)
        tables.append(_table(
            kind, np.full(n, number), match.players, np.full(n, seat), names, match.options, own.moves, own.observations,
            own.masks, own.actions, np.arange(n) == n - 1, own.rewards, np.full(n, margins[seat]), own.hidden,
        ))  # fmt: skip
    return pa.concat_tables(tables)


def _margins(book: Rulebook, points: NDArray[np.int64]) -> NDArray[np.float64]:
    """How far each seat is ahead of the mean of the others, (M, P), as the reward `margin` has it."""
    others = points.sum(1, keepdims=True) - points
    return (points - others / max(1, points.shape[1] - 1)) / book.margin


def _table(
    kind: pa.Schema, match: Any, players: int, seat: Any, bot: Any, options: Mapping[str, Any], move: Any, seen: Any,
    could: Any, did: Any, done: Any, reward: Any, margin: Any, state: Any,
) -> pa.Table:  # fmt: skip
    """The columns of R rows, in the order of the schema."""
    n, whole = len(did), np.zeros(len(did), state.dtype)
    for name in state.dtype.names:
        whole[name] = state[name]  # not what lies between the fields, which may be anything
    hidden = pa.FixedSizeBinaryArray.from_buffers(kind.field("hidden").type, n, [None, pa.py_buffer(whole.view(np.uint8))])
    columns = [
        match, np.full(n, players), seat, bot, np.full(n, json.dumps(dict(options)), object), move,
        pa.FixedSizeListArray.from_arrays(pa.array(seen.ravel()), seen.shape[1]),
        pa.FixedSizeListArray.from_arrays(pa.array(could.ravel()), could.shape[1]),
        did, reward, done, margin, hidden,
    ]  # fmt: skip
    typed = [part if isinstance(part, pa.Array) else pa.array(part, kind[k].type) for k, part in enumerate(columns)]
    return pa.Table.from_arrays(typed, schema=kind)


# --- files ------------------------------------------------------------------------------------------------------------


def make(
    matches: Matches,
    folder: Path,
    many: int,
    threads: int | None = None,
    say: Callable[[str], object] = print,
    progress: Callable[[int], object] | None = None,
) -> None:
    """Write the matches up to number `many` that the folder lacks. say: is told before how long it will take, and how much
    room. Raises BadSetup, where there is not so much, too."""
    _ready(folder, matches.schema)
    missing = list(_missing(folder, many))
    left = sum(last - first for first, last in missing)
    with executor(None, threads) as pool:
        if missing:
            piece = min(PIECE, max(1, left // 20))
            seconds, room = _measured(matches, [first for first, _last in missing[: len(matches.players)]], piece)
            free = shutil.disk_usage(folder).free
            what = f"{plural(left, 'match', 'matches')} of {matches.book.title}"
            sentence = f"{what} will take about {_gigabytes(left * room)}"
            if left * room > free:
                raise BadSetup(f"{sentence}, and {folder} has room for {_gigabytes(free)}.")
            hours = _hours(left * seconds / pool.workers)
            say(f"{sentence} and {hours} on {plural(pool.workers, 'thread')} (measured on {piece}).")

        def write(cut: tuple[int, int]) -> int:
            first, last = cut
            pieces = ((at, min(at + PIECE, last)) for at in range(first, last, PIECE))
            _write(folder, cut, matches.schema, (matches.table(*piece) for piece in pieces))
            return last - first

        for _number, done in pool.map(write, missing):
            if progress:
                progress(done)


def from_records(book: Rulebook, matches: Sequence[RecordedMatch], folder: Path) -> int:
    """Write matches of a file of records, without names; returns how many of them are of this game. Raises BadSetup."""
    own = [read for read in matches if read.match.rulebook is book]
    told = sha256(json.dumps([read.match.record() for read in own]).encode()).hexdigest()
    kind = schema(book, records=told)
    _ready(folder, kind)
    for first, last in _missing(folder, len(own)):
        movers = [[str(move.get("by", "")) for move in own[k].moves] for k in range(first, last)]
        _write(folder, (first, last), kind, (of_match(own[k].match, k, movers[k - first], kind) for k in range(first, last)))
    return len(own)


def _ready(folder: Path, kind: pa.Schema) -> None:
    """Make the folder, or check that the data in it are the same, and drop the draft of a run that was killed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadSetup(f"{folder} cannot be written: {error.strerror}.") from error
    for draft in folder.glob(".*.parquet.*"):
        draft.unlink()
    wanted = json.loads(kind.metadata[KEY])
    for file in files(folder)[:1]:
        there = shared(file)
        for key in {**wanted, **there}:
            if there.get(key) != wanted.get(key):
                has, differs = _short(there.get(key)), _short(wanted.get(key))
                raise BadSetup(f"{folder} has other data: {key} is {has} there, not {differs}. Name another folder.")


def _short(fact: Any) -> str:
    text = json.dumps(fact)
    return text if len(text) < 60 else f"{text[:57]}…"


def _missing(folder: Path, many: int) -> Iterator[tuple[int, int]]:
    """The ranges of matches, first and last + 1, of the files that the folder lacks."""
    there: dict[int, int] = {}
    for path in files(folder):
        first, _dash, last = path.stem.partition("-")
        if not (first.isdecimal() and last.isdecimal()):
            raise BadSetup(f"{path} is none of the files of `outbid data`; name another folder.")
        there[int(first)] = int(last) + 1
    at = 0
    while at < many:
        end = there.get(at) or min([(at // FILE + 1) * FILE, many, *(first for first in there if first > at)])
        if at not in there:
            yield at, end
        at = end


def _write(folder: Path, cut: tuple[int, int], kind: pa.Schema, tables: Iterable[pa.Table]) -> None:
    with (
        appearing(folder / f"{cut[0]:09}-{cut[1] - 1:09}.parquet", force=True) as draft,
        draft.open("wb") as sink,
        pq.ParquetWriter(sink, kind, **PLAIN) as writer,
    ):
        for table in tables:
            writer.write_table(table.combine_chunks())


def _gigabytes(size: float) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{size / 1e6:,.1f} MB"


def _hours(seconds: float) -> str:
    if seconds < 60:
        return plural(max(1, round(seconds)), "second")
    return f"{seconds / 3600:,.1f} hours" if seconds >= 3600 else f"{seconds / 60:,.1f} minutes"


def _measured(matches: Matches, starts: Sequence[int], piece: int) -> tuple[float, float]:
    """The seconds and bytes of a match, on one thread: of some of those that will be made, of each number of players."""
    for first in starts:
        matches.table(first, first + 1)  # compiled
    begun, sink = time.perf_counter(), io.BytesIO()
    with pq.ParquetWriter(sink, matches.schema, **PLAIN) as writer:
        for first in starts:
            writer.write_table(matches.table(first, first + piece))
    return (time.perf_counter() - begun) / (piece * len(starts)), sink.tell() / (piece * len(starts))
