"""Play an experiment: cut it into blocks, have them played, take them in, in order, and write what they say.

    run = play(experiment, Path("outbid-runs/overbid"), tell=…)

Blocks are taken in row by row: a row is the same deals of every cell. What is said after a row depends on the rows so far
alone, so that a run that may stop by itself stops at the same row wherever it is played. The first row is small: after it a
preview is written.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from outbid.core.language import i18n
from outbid.lab.experiments import learned, measures, store, variants
from outbid.lab.experiments.findings import chosen, compare
from outbid.lab.experiments.measures import Measure, Seen
from outbid.lab.experiments.playing import sample
from outbid.lab.experiments.playing.blocks import Block, code_of
from outbid.lab.experiments.playing.blocks import play as play_block
from outbid.lab.experiments.spec import Cell, Experiment
from outbid.lab.experiments.store import Run
from outbid.lab.shares import share_from
from outbid.runs.blocks import Columns, is_compiled, sit_down, warm
from outbid.runs.executor import Pool, executor
from outbid.runs.loops import observed
from outbid.runs.recorded import is_recorded
from outbid.runs.seating import turned
from outbid.runs.sources import RECORDS
from outbid.runs.things import things_of
from outbid.version import __version__

PREVIEW = 100  # matches of a cell in the first row, or deals of slow bots
BLOCK = 1000  # matches of a cell in every other row
SLOW, SLOW_PREVIEW = 8, 2  # the same where bots are asked move by move
CHOICE = 100_000  # matches from which those worth looking at are chosen
LOOK = 5.0  # seconds between figures for a person who watches
RESULTS = "outbid-results/1"


@dataclass
class Progress:
    """What is told while a run goes on. done, asked: matches; seconds: since it began here; kept: matches that an earlier
    process played."""

    done: int
    asked: int
    kept: int
    seconds: float
    where: str

    @property
    def rate(self) -> float:
        """Matches a second."""
        return (self.done - self.kept) / self.seconds if self.seconds > 0 else 0.0

    @property
    def left(self) -> float | None:
        """Seconds that are left, if that can be said."""
        return (self.asked - self.done) / self.rate if self.rate > 0 else None


Tell = Callable[[Progress], object]


def play(
    experiment: Experiment,
    folder: Path,
    on: str | None = None,
    tell: Tell | None = None,
    preview: Callable[[Run], object] | None = None,
    force: bool = False,
    threads: int | None = None,
    beside: Sequence[str] = (),
    say: Callable[[str], object] | None = None,
) -> Run:
    """Play what is missing of an experiment and write all of it. preview: called when the first figures are written.
    beside: files that may be in the folder, and stay. say: told what one waits for, before it is played. Raises BadSetup."""
    store.arrow()
    run = Run.create(folder, experiment.text, force, beside)
    if experiment.learn:
        experiment = learned.trained(experiment, run.folder, say)
    work = Work(experiment, run)
    if (folder / "run.json").is_file():
        facts = run.facts
        if facts["finished"] and facts["code"] == work.code:
            return run
        if facts["code"] != work.code and say:
            say(f"The rules, the bots or what is measured were changed since {folder} was played; it is played again.")
    run.write("run.json", work.facts())
    with executor(on, threads) as pool:
        if on is None:
            for variant in {one.rule: one for one in experiment.variants}.values():
                warm(variants.book_of(experiment.game, variant.rule), variant.options, experiment.players[0])
        if say and not pool.ready:
            say(f"No worker has come to {pool.name} yet; the run begins when one does.")
        work.begin(tell, preview, pool.name)
        work.take()  # what an earlier process played
        for number, columns in pool.map(play_block, work.missing() if not work.stopped else ()):
            work.came(number, columns)
            work.take()
            if work.stopped:
                break
        work.sampled(pool)
        pool.release()
        work.finish()
    return run


@dataclass
class Work:
    """An experiment while it is played. run: where it is kept; none for one of which only the figures are wanted (`play`).
    rows: the ranges of deals, if they are given."""

    experiment: Experiment
    run: Run | None
    rows: list[tuple[int, int]] = field(default_factory=list)
    kept: int = 0
    row: int = 0
    stopped: str = ""
    deals: int = 0  # after which it stopped by itself
    _here: dict[tuple[int, int], Columns] = field(default_factory=dict)
    _under_way: dict[int, tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.book = self.experiment.book
        self.known: dict[str, Measure] = measures.measures_of(self.book) | {one.name: one for one in measures.JUDGED}
        self.cells: list[Cell] = self.experiment.cells
        named = dict.fromkeys([*measures.own_measures(self.book), *filter(measures.is_function, self.experiment.measures)])
        self.own = tuple(named)
        self.books = [variants.book_of(self.experiment.game, cell.variant.rule) for cell in self.cells]
        self.of_match = tuple(filter(measures.of_match, self.experiment.measures))
        seated = list(zip(self.cells, self.books, strict=True))
        self.codes = [code_of(book, self.own, cell.seats) for cell, book in seated]
        self.read_codes = [code_of(book, self.of_match, cell.seats) for cell, book in seated if self.of_match]
        self.code = hashlib.sha256(json.dumps([*self.codes, *self.read_codes]).encode()).hexdigest()
        for cell, book in seated:
            sit_down(book, cell.seats)
        for name in (*self.own, *self.of_match):
            if name not in self.known:
                called = name.rpartition(":")[2]
                told = inspect.getdoc(measures.function(name)) or f"the function {name} of this experiment"
                self.known[name] = Measure(name, called.replace("_", " "), told.partition("\n")[0], None)
        self.columns = [*(one.name for one in measures.MEASURES if one.of), *self.own]
        self.asked = [name for name in self.experiment.measures if name in self.columns]
        self.rows = self.rows or self._rows()
        base = {cell.key: k for k, cell in enumerate(self.cells)}
        self.base = [  # what was played before by other rules was not played with the same deals
            k if cell.recorded else base[self.experiment.baseline, cell.company.name, cell.players]
            for k, cell in enumerate(self.cells)
        ]
        most = max(self.experiment.players)
        self.seat_columns = [f"{what}:{place}" for what in ("order", "score") for place in range(most)]
        self.bots = sorted({name for cell in self.cells for name in cell.names})
        self.seat_columns += [f"bot:{name}" for name in self.bots]
        self.tally = compare.Tally([*self.columns, *self.seat_columns])
        self.usage = [np.zeros((len(things_of(book)), observed.USES), np.int64) for book in self.books]
        self.hashes = [[hashlib.sha256() for _ in range(3)] for _ in self.cells]
        self.began = self.looked = time.monotonic()
        self.tell: Tell = lambda progress: None
        self.preview: Callable[[Run], object] = lambda run: None
        self.where, self.done, self._begun = "", 0, False
        self.sources: list[tuple[compare.Tally, list[str]]] = [(self.tally, self.asked)]
        self.sample_rows: list[dict[str, Any]] = []
        self.curves: list[tuple[Cell, sample.Curve]] = []

    @property
    def home(self) -> Run:
        """Where the run is kept."""
        assert self.run is not None
        return self.run

    @property
    def matches_asked(self) -> int:
        """All matches, those of the sample, too."""
        played = sum(cell.rotations for cell in self.cells) * self.rows[self.row - 1][1] if self.stopped else None
        return (self.experiment.matches if played is None else played) + sum(block.matches for _, block in self.ladder())

    def quick(self, seats: Sequence[str]) -> bool:
        """Whether a company is played compiled."""
        return is_compiled(self.book, seats)

    def _rows(self) -> list[tuple[int, int]]:
        """The ranges of deals."""
        slow = not all(self.quick(cell.seats) for cell in self.cells)
        turns = max(cell.rotations for cell in self.cells)
        first, each = (SLOW_PREVIEW, SLOW) if slow else (PREVIEW, BLOCK)
        first, each = max(2, first // turns), max(2, each // turns)
        ends = [min(first, self.experiment.deals)]
        while ends[-1] < self.experiment.deals:
            ends.append(min(ends[-1] + each, self.experiment.deals))
        return list(zip([0, *ends], ends, strict=False))

    def missing(self) -> Iterator[Block]:
        """The blocks that no earlier process played, row by row. They are found as they are wanted, so that memory stays
        flat."""
        number, self._begun = 0, True
        for row in range(self.row, len(self.rows)):
            for cell in range(len(self.cells)):
                block = self.block(row, cell)
                if self.home.find(block) is None:
                    self._under_way[number] = row, cell
                    number += 1
                    yield block
                else:
                    self.kept += block.matches

    def block(self, row: int, number: int) -> Block:
        """One block."""
        cell, (first, last) = self.cells[number], self.rows[row]
        game, seed = cell.variant.rule or self.experiment.game, self.experiment.seed
        return Block(game, cell.variant.options, cell.seats, seed, first, last, self.codes[number], self.own)

    def begin(self, tell: Tell | None, preview: Callable[[Run], object] | None, where: str) -> None:
        """Playing begins."""
        self.tell, self.preview, self.where = tell or self.tell, preview or self.preview, where
        self.began = self.looked = time.monotonic()
        self._told()

    def came(self, number: int, columns: Columns) -> None:
        """A block was played."""
        place = self._under_way.pop(number)
        self.home.add(self.block(*place), columns)
        self._here[place] = columns
        self.done += len(columns.rows)
        self._told()

    def _told(self) -> None:
        seconds = time.monotonic() - self.began
        self.tell(Progress(self.done + self.kept, self.matches_asked, self.kept, seconds, self.where))

    def take(self) -> None:
        """Take in all rows that are complete."""
        while self.row < len(self.rows) and not self.stopped:
            found = [self._of(self.row, cell) for cell in range(len(self.cells))]
            if any(one is None for one in found):
                break
            self._take([one for one in found if one is not None])
            if not self._begun:
                self.kept += sum(len(one.rows) for one in found if one is not None)
            self.row += 1
            self._here = {place: one for place, one in self._here.items() if place[0] >= self.row}
            self._look()

    def _of(self, row: int, cell: int) -> Columns | None:
        if (row, cell) not in self._here:
            kept = self.run.find(self.block(row, cell)) if self.run else None
            if kept is None:
                return None
            self._here[row, cell] = kept
        return self._here[row, cell]

    def play(self, row: int, pool: Pool) -> None:
        """Play one row and take it in; nothing is kept."""
        found = dict(pool.map(play_block, [self.block(row, cell) for cell in range(len(self.cells))]))
        self._take([found[cell] for cell in range(len(self.cells))])

    def _take(self, found: list[Columns]) -> None:
        values = [self.values(cell, one) for cell, one in zip(self.cells, found, strict=True)]
        for number, (cell, one) in enumerate(zip(self.cells, found, strict=True)):
            at = self.base[number]
            base = None if at == number else (self.cells[at].key, values[at], self.cells[at].rotations)
            self.tally.add(cell.key, values[number], cell.rotations, base)
            self.usage[number] += one.usage
            for made, array in zip(self.hashes[number], (one.rows, one.seats, *[list(one.own.values())]), strict=True):
                made.update(np.ascontiguousarray(array).tobytes())

    def values(self, cell: Cell, found: Columns) -> Any:
        """The columns of a block as they are taken in, (matches, columns)."""
        seen = Seen(found.rows, found.seats, self.experiment.time)
        named = measures.columns(seen, found.own)
        made = [named[name] for name in self.columns]
        order, shares, scores = seen.order, seen.shares, found.seats[:, :, observed.SCORE]
        for what in (shares, scores):
            for place in range(max(self.experiment.players)):
                made.append((what * (order == place)).sum(1))
        seating = self.seating(cell, len(found.rows))
        for bot in range(len(self.bots)):
            own = seating == bot
            made.append((shares * own).sum(1) / np.maximum(own.sum(1), 1))
        return np.stack([np.asarray(one, float) for one in made], 1)

    def seating(self, cell: Cell, matches: int) -> Any:
        """The number of the bot in each seat of so many matches, (M, P)."""
        turns = [[self.bots.index(name) for name in turned(cell.names, r)] for r in range(cell.rotations)]
        return np.tile(np.array(turns), (matches // cell.rotations, 1))

    def _look(self) -> None:
        if self.experiment.stop and self.row > 1:
            open_ones = [one for one in self.compared() if one["measure"] in self.experiment.stop.on and not one["settled"]]
            if not open_ones and self.row < len(self.rows):
                self.deals = self.rows[self.row - 1][1]
                self.stopped = f"settled after {self.deals:,} deals"
        if self.row == 1 and len(self.rows) > 1:
            self.publish(preview=True)
            self.preview(self.home)
        elif time.monotonic() - self.looked > LOOK:
            self.home.write("results.json", self.results(preview=False))
            self.home.write("run.json", self.facts())
            self.looked = time.monotonic()

    # --- what is written ----------------------------------------------------------------------------------------------

    def compared(self) -> list[dict[str, Any]]:
        """The comparisons so far."""
        stop = self.experiment.stop
        smallest = stop.smallest if stop else {}
        return compare.comparisons(self.known, self.sources, smallest, self.experiment.deals if stop else None)

    def results(self, preview: bool) -> dict[str, Any]:
        """results.json."""
        from outbid.lab.report import figures, words

        cells = [cell.key for cell in self.cells]
        summaries = [compare.summary(self.known[name], name, cell, self.tally) for name in self.columns for cell in cells]
        for tally, names in self.sources[1:]:
            summaries += [compare.summary(self.known[name], name, cell, tally) for name in names for cell in tally.deals]
        names = [name for _, some in self.sources for name in some]
        made: dict[str, Any] = {
            "format": RESULTS, "answer": "", "preview": preview,
            "matches": sum(self.tally.matches[cell].n for cell in cells),
            "measures": {name: self.known[name].described() for name in dict.fromkeys([*names, *self.columns])},
            "summaries": summaries,
            "seats": [row for cell in self.cells for row in self._seats(cell)],
            "comparisons": self.compared(), "moved": compare.moved(self.columns, self.tally),
        }  # fmt: skip
        with i18n.locale(i18n.SOURCE):
            made["answer"] = " ".join(words.answer(figures.Run.made(self.home.folder, self.facts(preview=preview), made)))
        return made

    def _seats(self, cell: Cell) -> Iterator[dict[str, Any]]:
        moments = self.tally.deals[cell.key]
        each = cell.rotations
        place = dict(zip(("variant", "company", "players"), cell.key, strict=True))
        named: list[tuple[str, Any, str]] = [("order", k, f"order:{k}") for k in range(cell.players)]
        if len(set(cell.names)) > 1:
            named += [("bot", bot, f"bot:{bot}") for bot in self.bots if bot in cell.names]
        for by, of, column in named:
            at = self.tally.names.index(column)
            error = moments.error(at) if moments.n > 1 else None
            share = share_from(float(moments.mean[at]), error, moments.n, each)
            score = float(moments.mean[self.tally.names.index(f"score:{of}")]) if by == "order" else None
            figures = {"share": share.mean, "low": share.low, "high": share.high, "equal": 1 / cell.players, "score": score}
            yield {**place, "by": by, "of": of, **figures}

    def facts(self, finished: bool = False, preview: bool = False) -> dict[str, Any]:
        """run.json."""
        one = self.experiment
        return {
            "format": store.FORMAT, "outbid": __version__, "rules": self.book.rules_id, "code": self.code, "game": one.game,
            "title": self.book.title, "name": one.name, "question": one.question, "players": list(one.players),
            "deals": one.deals, "seed": one.seed, "measures": list(one.measures), "baseline": one.baseline,
            "company": [{"name": c.name, "seats": list(c.seats), "says": _company(c.seats)} for c in one.companies],
            "variants": [variant.as_dict(variant.name in one.nets) for variant in one.variants], "learn": one.learn,
            "over": {name: list(values) for name, values in one.over.items()}, "limits": {}, "warnings": one.warnings,
            "finished": finished, "preview": preview, "stopped": self.stopped,
            "stopped_after": self.deals,
            "matches_done": self.matches_asked if finished else self.done + self.kept,
            "matches_asked": self.matches_asked, "where": self.where, "seconds": round(time.monotonic() - self.began, 1),
            "hash": self.hash if finished else "",
        }  # fmt: skip

    @property
    def hash(self) -> str:
        """SHA-256 of the columns."""
        digest = hashlib.sha256()
        for cell, made, usage in zip(self.cells, self.hashes, self.usage, strict=True):
            digest.update(json.dumps(cell.key).encode())
            for one in made:
                digest.update(one.digest())
            digest.update(usage.tobytes())
        return digest.hexdigest()

    def publish(self, preview: bool) -> None:
        """Write tables and figures of the rows so far."""
        words = ("variant", "company", "bot", "thing", "kind")
        self.home.write_table("matches", self._tables(self._match_rows), words)
        self.home.write_table("seats", self._tables(self._seat_rows), words)
        self.home.write_table("usage", (self._usage_rows(k) for k in range(len(self.cells))), words)
        self.home.write("results.json", self.results(preview))
        self.home.write("run.json", self.facts(finished=not preview, preview=preview))

    def _tables(self, rows: Callable[[int, int, Columns], Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
        for number in range(len(self.cells)):
            for row in range(self.row):
                found = self._here.get((row, number)) or self.home.find(self.block(row, number))
                if found is None:  # somebody took it away
                    found = play_block(self.block(row, number))
                yield rows(number, row, found)

    def _place(self, number: int, row: int, matches: int) -> tuple[dict[str, Any], Any]:
        cell, (first, last) = self.cells[number], self.rows[row]
        deal = np.repeat(np.arange(first, last), cell.rotations)
        place = {
            "variant": np.full(matches, cell.variant.name, object), "company": np.full(matches, cell.company.name, object),
            "players": np.full(matches, cell.players), "deal": deal,
            "rotation": np.tile(np.arange(cell.rotations), last - first),
        }  # fmt: skip
        return place, deal

    def _match_rows(self, number: int, row: int, found: Columns) -> Mapping[str, Any]:
        place, deal = self._place(number, row, len(found.rows))
        seen = Seen(found.rows, found.seats, self.experiment.time)
        seeds = np.array([self.cells[number].seed_of(self.experiment.seed, int(one)) for one in deal], np.int64)
        named = measures.columns(seen, found.own)
        return {**place, "seed": seeds, "winners": seen.winners, **{name: named[name] for name in self.columns}}

    def _seat_rows(self, number: int, row: int, found: Columns) -> Mapping[str, Any]:
        cell = self.cells[number]
        place, _ = self._place(number, row, len(found.rows))
        seen = Seen(found.rows, found.seats, self.experiment.time)
        names = np.array(self.bots, object)[self.seating(cell, len(found.rows))]
        turns = np.maximum(found.rows[:, observed.TURNS], 1)[:, None]
        columns = {
            "seat": np.tile(np.arange(cell.players), (len(found.rows), 1)), "order": seen.order, "bot": names,
            "score": found.seats[:, :, observed.SCORE], "share": seen.shares, "place": found.seats[:, :, observed.PLACE],
            "moves": found.seats[:, :, observed.MOVES], "choices": found.seats[:, :, observed.CHOSE],
            "led": found.seats[:, :, observed.LED] / turns,
        }  # fmt: skip
        repeated = {name: np.repeat(values, cell.players) for name, values in place.items()}
        return {**repeated, **{name: values.reshape(-1) for name, values in columns.items()}}

    def _usage_rows(self, number: int) -> Mapping[str, Any]:
        cell, usage, things = self.cells[number], self.usage[number], things_of(self.books[number])
        could = [thing for thing in range(len(things)) if usage[thing, observed.COULD] > 0]
        ends = [compare.usage_interval(usage[thing], observed.PARTS) for thing in could]
        return {
            "variant": np.full(len(could), cell.variant.name, object),
            "company": np.full(len(could), cell.company.name, object),
            "players": np.full(len(could), cell.players),
            "thing": np.array([things.names[thing] for thing in could], object),
            "kind": np.array([things.kinds[thing] for thing in could], object),
            "action": np.array([things.first[thing] for thing in could], np.int64),
            "used": usage[could, observed.USED], "matches": usage[could, observed.MATCHES],
            "users": usage[could, observed.USERS], "could": usage[could, observed.COULD],
            "share": np.array([one[0] for one in ends]), "low": np.array([one[1] for one in ends]),
            "high": np.array([one[2] for one in ends]), "equal": np.full(len(could), 1 / cell.players),
        }  # fmt: skip

    # --- the sample (sample.py) ---------------------------------------------------------------------------------------

    def ladder(self) -> list[tuple[tuple[int, sample.Rung], Block]]:
        """The blocks of the ladders: the number of the variant, the pair of bots."""
        one, found = self.experiment, []
        for number, variant in enumerate(one.variants):
            for players in one.players:
                deals = max(2, one.sample // players)
                for rung in sample.rungs(self.book, one.measures):
                    seats = rung.seats(players)
                    code = code_of(variants.book_of(one.game, variant.rule))
                    block = Block(variant.rule or one.game, variant.options, seats, one.seed, 0, deals, code)
                    found.append(((number, rung), block))
        return found

    def sampled(self, pool: Pool) -> None:
        """Play and judge what is taken of a sample."""
        self._climb(pool)
        if sample.CURVE in self.experiment.measures:
            self._judge(pool)
        if self.of_match:
            self._read(pool)

    def _climb(self, pool: Pool) -> None:
        ladder = self.ladder()
        found = {number: self.home.find(block) for number, (_, block) in enumerate(ladder)}
        missing = [number for number, one in found.items() if one is None]
        self.kept += sum(ladder[number][1].matches for number, one in found.items() if one is not None)
        for k, columns in pool.map(play_block, [ladder[number][1] for number in missing]):
            self.home.add(ladder[missing[k]][1], columns)
            found[missing[k]] = columns
            self.done += len(columns.rows)
            self._told()
        tallies = {kind: compare.Tally([kind]) for kind in (sample.SKILL, sample.EXPLOIT)}
        shares: dict[Any, Any] = {}
        names = [variant.name for variant in self.experiment.variants]
        for number, ((variant, rung), block) in enumerate(ladder):
            came = found[number]
            assert came is not None
            made = sample.share_of_one(came, block.players)
            shares[names[variant], rung, block.players] = made
            self.sample_rows.append(sample.ladder_row(rung, names[variant], block.players, made))
        for (variant, rung, players), made in shares.items():
            base = None
            if variant != self.experiment.baseline:
                key = self.experiment.baseline, rung, players
                base = (key[0], rung.company, players), shares[key].reshape(-1, 1), players
            tallies[rung.kind].add((variant, rung.company, players), made.reshape(-1, 1), players, base)
        self.sources += [(tally, [kind]) for kind, tally in tallies.items() if tally.deals]

    def _judge(self, pool: Pool) -> None:
        tasks: list[tuple[int, sample.Judged]] = []
        won: dict[int, Any] = {}
        net = all(not cell.variant.rule and sample.has_net(self.book, cell.variant.options, cell.players)
                  for cell in self.cells)  # fmt: skip
        deals = self.experiment.sample if net else max(2, self.experiment.sample // sample.FEWER)
        for number, cell in enumerate(self.cells):
            if self.quick(cell.seats):
                rows = np.concatenate([one.rows[:: cell.rotations] for one in self._parts(number, deals)])[:deals]
                won[number] = rows[:, observed.WON]
                for first, turns in sample.portions(rows[:, observed.TURNS].tolist()):
                    block = replace(self.block(0, number), first=first, last=first + len(turns))
                    tasks.append((number, sample.Judged(block, turns, net)))
        found: dict[int, Any] = {}
        for k, chances in pool.map(sample.judge, [task for _, task in tasks]):
            found[k] = chances
            self._told()
        tally = compare.Tally([one.name for one in measures.JUDGED])
        values = {}
        for number in won:
            chances = np.concatenate([found[k] for k, (cell, _) in enumerate(tasks) if cell == number])
            curve = sample.Curve(chances, won[number])
            self.curves.append((self.cells[number], curve))
            values[number] = curve.columns()
        for number, made in values.items():
            at = self.base[number]
            base = None if at == number or at not in values else (self.cells[at].key, values[at], 1)
            tally.add(self.cells[number].key, made, 1, base)
        if values:
            self.sources.append((tally, list(tally.names)))

    def _read(self, pool: Pool) -> None:
        """Call functions of a match."""
        deals = min(self.rows[self.row - 1][1], max(2, self.experiment.sample // sample.FEWER))
        parts = [(first, min(first + sample.PORTION, deals)) for first in range(0, deals, sample.PORTION)]
        blocks = [replace(self.block(0, number), first=first, last=last, code=self.read_codes[number])
                  for number in range(len(self.cells)) for first, last in parts]  # fmt: skip
        tasks = [sample.Read(block, self.of_match) for block in blocks]
        found = dict(pool.map(sample.read, tasks))
        each = len(parts)
        values = [np.concatenate([found[number * each + k] for k in range(each)]) for number in range(len(self.cells))]
        tally = compare.Tally(list(self.of_match))
        for number, cell in enumerate(self.cells):
            at = self.base[number]
            tally.add(cell.key, values[number], 1, None if at == number else (self.cells[at].key, values[at], 1))
        self.sources.append((tally, list(tally.names)))

    def _parts(self, number: int, deals: int) -> Iterator[Columns]:
        """The blocks of a cell, until there are so many deals."""
        for row in range(self.row):
            kept = self._of(row, number)
            yield kept or play_block(self.block(row, number))
            if self.rows[row][1] >= deals:
                break

    def finish(self) -> None:
        """All is played."""
        if self.sample_rows:
            columns = {key: np.array([row[key] for row in self.sample_rows], object if isinstance(value, str) else None)
                       for key, value in self.sample_rows[0].items()}  # fmt: skip
            self.home.write_table("ladder", [columns], ("variant", "kind", "bot", "others"))
        if self.curves:
            self.home.write_table("curve", (self._curve(cell, curve) for cell, curve in self.curves), ("variant", "company"))
        self._choose()
        self.publish(preview=False)
        self.home.clear_parts()

    def _curve(self, cell: Cell, curve: sample.Curve) -> Mapping[str, Any]:
        place = {"variant": np.full(sample.POINTS, cell.variant.name, object),
                 "company": np.full(sample.POINTS, cell.company.name, object),
                 "players": np.full(sample.POINTS, cell.players)}  # fmt: skip
        return {**place, **curve.rows()}

    def _choose(self) -> None:
        """Matches worth looking at, among the first of each cell."""
        values = []
        for number, cell in enumerate(self.cells):
            parts = self._parts(number, max(1, CHOICE // len(self.cells) // cell.rotations))
            values.append(np.concatenate([self.values(cell, one)[:, : len(self.columns)] for one in parts]))
        main = self.known[next(iter(self.asked), "turns")]
        chosen.chosen(self.home, self.books, self.cells, self.base, self.columns, values, main, self.experiment.seed)


def _company(seats: tuple[str, ...]) -> str:
    if is_recorded(seats):
        return f"the matches of {seats[0].removeprefix(RECORDS)}"
    return f"all seats: {seats[0]}" if len(set(seats)) == 1 else f"in turn round the table: {', '.join(seats)}"
