"""What needs more than the rules, measured on a sample: ladders of bots (`skill`, `exploit`) and a judge (`curve`).

A ladder plays one bot alone among others, in every seat of the same deals in every variant. `skill` has a better bot among
weaker ones; `exploit` has one simple strategy, a persona of the game or random play, among steady bots. The
judge of the review (review/estimator.py) says at 21 points of a match how likely each seat is to win; `known_at` and
`hopeless` come of that.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.compiled import loops
from outbid.core.chance import stream
from outbid.core.errors import BadSetup
from outbid.core.hooks.policy_params import EASY, STEADY
from outbid.core.rulebook import Rulebook
from outbid.lab.experiments import measures
from outbid.lab.experiments.design import Design, paired
from outbid.lab.experiments.findings import compare
from outbid.lab.experiments.measures import Seen, TimeModel
from outbid.lab.experiments.playing.blocks import CellBlock, code_of
from outbid.lab.experiments.playing.blocks import play as play_block
from outbid.lab.experiments.playing.influence import influences
from outbid.lab.experiments.spec import Cell, Experiment
from outbid.lab.experiments.store import Run
from outbid.lab.experiments.variants import Variant, book_of
from outbid.lab.shares import share_from
from outbid.runs import blocks
from outbid.runs.blocks import Columns
from outbid.runs.executor import Pool
from outbid.runs.loops import observed
from outbid.runs.recorded import match_of
from outbid.runs.runner import finished
from outbid.runs.sources import same

SKILL, EXPLOIT = "skill", "exploit"
POINTS = 21  # of a curve
ROLLOUTS = 32  # of a position, where there is no net for all variants: one judge for all, or the judges would be compared
FEWER = 5  # times fewer matches are judged by rollouts
PROBES = 4  # decisions of a match that are made otherwise
LOST = 0.05  # a seat with a smaller chance is without hope; measures.JUDGED says so
PORTION = 25  # matches of a curve that are judged at a time


@dataclass(frozen=True)
class LadderPairing:
    """One bot alone among others."""

    kind: str
    bot: str
    others: str

    @property
    def company(self) -> str:
        """What results call it."""
        return f"{self.bot} among {self.others}"

    def seats(self, players: int) -> tuple[str, ...]:
        """Who sits where at first."""
        return self.bot, *[self.others] * (players - 1)


def rungs(book: Rulebook, kinds: Sequence[str]) -> list[LadderPairing]:
    """The pairs of bots of a game."""
    rungs = []
    graded = bool(book.personas.easy.changes)
    if SKILL in kinds:
        pairs = [(STEADY, EASY), (EASY, "random")] if graded else [(STEADY, "random")]
        rungs += [LadderPairing(SKILL, one, others) for one, others in pairs]
    if EXPLOIT in kinds:
        simple = [*(f"{STEADY}:{name}" for name in book.personas.names), "random"]
        rungs += [LadderPairing(EXPLOIT, one, STEADY) for one in simple]
    return rungs


@dataclass(frozen=True)
class Judged:
    """A block of which the matches of the first rotation are looked at. turns: how many moves each has. net: whether the
    judge is the value net."""

    block: CellBlock
    turns: tuple[int, ...]
    net: bool

    def states(self, k: int, wanted: Sequence[int]) -> list[Any]:
        """The states of the k-th match after so many moves."""
        book, number = self.block.book, self.block.first + k
        single = replace(self.block, first=number, last=number + 1, own=())
        played = blocks.results(book, single, wanted=wanted)
        blocks.run(book, single, self.block.seats, played)
        return [book.plain.from_record(played.shots, place) for place in range(len(wanted))]


def has_net(book: Rulebook, options: Mapping[str, Any], players: int) -> bool:
    """Whether a value net has learned these rules."""
    from outbid.core import contract
    from outbid.review.estimator import Estimator

    state = book.fresh(options)
    contract.deal(state, players, 0)
    return Estimator(book, state).net is not None


def judge(task: Judged) -> NDArray[np.float64]:
    """The chance of each seat at POINTS points of each match, (M, POINTS, P). Raises BadSetup if this machine has other
    sources."""
    from outbid.review.estimator import Estimator

    block = task.block
    book = block.book
    same(block.code, book, observed, block.seats, measures.sources(book, block.own))
    chances = np.zeros((len(task.turns), POINTS, block.players))
    estimator: Any = None
    tally = [0] * loops.columns(block.players)
    for k, turns in enumerate(task.turns):
        wanted = [round(turns * point / (POINTS - 1)) for point in range(POINTS)]
        seed = stream(block.seed, block.first + k)
        for point, state in enumerate(task.states(k, wanted)):
            estimator = estimator or Estimator(book, state, use_net=task.net)
            worlds = [state] if task.net else estimator.worlds(state, ROLLOUTS, seed)
            chances[k, point] = estimator.values(worlds, seed, tally).mean(0)
    return chances


def probe(task: Judged) -> NDArray[np.float64]:
    """The share of PROBES decisions of each match that change what others do, (M, 1). Raises BadSetup if this machine has
    other sources."""
    block = task.block
    book = block.book
    same(block.code, book, observed, block.seats, measures.sources(book, block.own))
    shares = np.zeros((len(task.turns), 1))
    for k, turns in enumerate(task.turns):
        wanted = [turns * (2 * point + 1) // (2 * PROBES) for point in range(PROBES)]
        seed = stream(block.seed, block.first + k)
        tried = [influences(book, block.seats, state, stream(seed, moves))
                 for moves, state in zip(wanted, task.states(k, wanted), strict=True)]  # fmt: skip
        shares[k] = np.mean([each for each in tried if each is not None] or [False])
    return shares


@dataclass(frozen=True)
class MatchFunctions:
    """A block of which functions of a match are wanted, of the first rotation. Its code has their files, too."""

    block: CellBlock
    names: tuple[str, ...]


def read(task: MatchFunctions) -> NDArray[np.float64]:
    """What the functions say of each match, (M, names). Raises BadSetup where one fails, or if this machine has other
    sources."""
    block = task.block
    book = block.book
    same(block.code, book, observed, block.seats, measures.sources(book, task.names))
    blocks.sit_down(book, block.seats)
    functions = [measures.function(name) for name in task.names]
    values = np.zeros((block.last - block.first, len(functions)))
    for number in range(block.first, block.last):
        match = match_of(book, block.options, block.seats, block.seed, number)
        for k, of in enumerate(functions):
            try:
                values[number - block.first, k] = float(of(match))
            except Exception as error:
                raise BadSetup(f"The measure {task.names[k]} failed: {type(error).__name__}: {error}") from error
    return values


class Curve:
    """What the judge said of a cell's matches."""

    def __init__(self, chances: NDArray[np.float64], won: NDArray[np.int64]):
        self.chances = chances
        self.won = won[:, None] >> np.arange(chances.shape[2]) & 1

    @cached_property
    def winner(self) -> NDArray[np.float64]:
        """The chance of the later winners, (M, POINTS)."""
        return np.asarray((self.chances * self.won[:, None]).sum(2))

    def rows(self) -> dict[str, Any]:
        """The columns of curve.parquet but for the cell."""
        matches = len(self.chances)
        middle, error = self.winner.mean(0), self.winner.std(0, ddof=1) / math.sqrt(matches) if matches > 1 else math.inf
        return {
            "progress": np.linspace(0, 1, POINTS), "matches": np.full(POINTS, matches),
            "leader": self.chances.max(2).mean(0), "winner": middle,
            "hopeless": (self.chances < LOST).mean((0, 2)),
            "low": np.maximum(middle - 1.96 * error, 0.0), "high": np.minimum(middle + 1.96 * error, 1.0),
        }  # fmt: skip

    def columns(self) -> NDArray[np.float64]:
        """known_at and hopeless of each match, (M, 2)."""
        best = self.chances.max(2)
        ahead = (np.where(self.won[:, None], self.chances, -1.0).max(2) >= best - 1e-9).astype(int)
        behind = POINTS - 1 - np.argmin(ahead[:, ::-1], 1)  # the last point at which no winner was ahead
        known = np.where(ahead.all(1), 0.0, np.minimum(behind + 1, POINTS - 1) / (POINTS - 1))
        middle = self.chances[:, 1:-1] if POINTS > 2 else self.chances
        return np.stack([known, (middle < LOST).mean((1, 2))], 1)


def ladder_row(rung: LadderPairing, variant: str, players: int, shares: NDArray[np.float64]) -> dict[str, Any]:
    """A row of ladder.parquet. shares: of the one bot, by match and deal, (deals, rotations)."""
    by_deal = shares.mean(1)
    deals, mean = len(by_deal), float(by_deal.mean())
    error = float(by_deal.std(ddof=1)) / math.sqrt(deals) if deals > 1 else None
    share = share_from(mean, error, deals, shares.shape[1])
    apart, spread = abs(mean - 1 / players), float(shares.std())
    quantiles = compare.NORMAL.inv_cdf(0.95) + compare.NORMAL.inv_cdf(compare.POWER)
    needed = math.ceil((quantiles * spread / apart) ** 2) if apart > 0 else 0
    return {
        "variant": variant, "players": players, "kind": rung.kind, "bot": rung.bot, "others": rung.others, "deals": deals,
        "share": share.mean, "low": share.low, "high": share.high, "equal": 1 / players,
        "needed": min(max(needed, 1), 2**62) if apart > 0 else 0,
    }  # fmt: skip


def share_of_one(columns: Columns, players: int) -> NDArray[np.float64]:
    """What the one bot had of the victory, (deals, rotations): in rotation r it sits in seat r."""
    shares = Seen(columns.rows, columns.seats, TimeModel()).shares.reshape(-1, players, players)
    return np.asarray(np.einsum("drr->dr", shares))


# --- the sample of an experiment --------------------------------------------------------------------------------------

Told = Callable[[int, int], object]  # of matches that were played, and of those that had been


@dataclass
class Sample:
    """What was measured on a  ladder: rows of ladder.parquet; curves: of cells; sources: tallies and their measures."""

    design: Design
    ladder: list[dict[str, Any]] = field(default_factory=list)
    curves: list[tuple[Cell, Curve]] = field(default_factory=list)
    sources: list[tuple[compare.Tally, list[str]]] = field(default_factory=list)

    def climb(self, run: Run, pool: Pool, told: Told) -> None:
        """Play the ladders."""
        experiment = self.design.experiment
        steps = list(ladder_of(experiment))
        columns_by_step: dict[int, Columns] = {}
        for number, columns, kept in finished([block for *_, block in steps], play_block, pool, run):
            columns_by_step[number] = columns
            told(len(columns.rows) * (not kept), len(columns.rows) * kept)
        tallies = {kind: compare.Tally([kind]) for kind in (SKILL, EXPLOIT)}
        shares: dict[tuple[str, LadderPairing, int], Any] = {}
        for number, (variant, rung, block) in enumerate(steps):
            share = share_of_one(columns_by_step[number], block.players)
            shares[variant.name, rung, block.players] = share
            self.ladder.append(ladder_row(rung, variant.name, block.players, share))
        for (name, rung, players), share in shares.items():
            base, baseline = None, experiment.baseline
            if name != baseline:
                base = (baseline, rung.company, players), shares[baseline, rung, players].reshape(-1, 1), players
            tallies[rung.kind].add((name, rung.company, players), share.reshape(-1, 1), players, base)
        self.sources += [(tally, [kind]) for kind, tally in tallies.items() if tally.deals]

    @cached_property
    def _judge(self) -> tuple[bool, int]:
        """Whether the judge is the value net, and how many deals of each cell it looks at."""
        cells, sample = self.design.cells, self.design.experiment.sample
        if measures.CURVE not in self.design.experiment.measures:
            return False, 0
        book = self.design.experiment.book
        net = all(not cell.variant.rule and has_net(book, cell.variant.options, cell.players) for cell in cells)
        return net, sample if net else self._few

    @cached_property
    def _probed(self) -> list[int]:
        """The cells whose decisions are made otherwise: those of the game's own bots."""
        if measures.INTERACTION not in self.design.experiment.measures:
            return []
        own = self.design.experiment.book.personas.policies.keys()
        return [number for number, cell in enumerate(self.design.cells) if own >= set(cell.seats)]

    @property
    def _few(self) -> int:
        """How many deals of each cell are looked at where that takes long."""
        return max(2, self.design.experiment.sample // FEWER)

    def to_judge(self, deals: int) -> int:
        """How many matches are judged, or have decisions made otherwise, if so many deals of each cell are played."""
        judged = min(deals, self._judge[1]) * sum(map(self.design.is_compiled, self.design.cells))
        return judged + min(deals, self._few) * len(self._probed)

    def judge(self, first_of: Callable[[int, int], Iterable[Columns]], pool: Pool, told: Callable[[int], object]) -> None:
        """Judge the first matches of each cell, and make their decisions otherwise. first_of: the columns of a cell until
        there are so many deals; told: of how many were judged."""
        design, (net, deals) = self.design, self._judge

        def looked_at(
            look: Callable[[Judged], NDArray[np.float64]], cells: Iterable[int], deals: int
        ) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.float64]]]:
            """Of each cell the rows of its matches, and what was seen of them."""
            rows, tasks = {}, list[tuple[int, Judged]]()
            for number in cells:
                rotations = design.cells[number].rotations
                rows[number] = np.concatenate([part.rows[::rotations] for part in first_of(number, deals)])[:deals]
                lengths = rows[number][:, observed.TURNS].tolist()
                for first in range(0, len(lengths), PORTION):
                    turns = tuple(map(int, lengths[first : first + PORTION]))
                    block = replace(design.block(0, number), first=first, last=first + len(turns))
                    tasks.append((number, Judged(block, turns, net)))
            values: dict[int, Any] = {}
            for k, seen in pool.map(look, [task for _, task in tasks]):
                values[k] = seen
                told(len(seen))
            for number, own in rows.items():
                yield number, own, np.concatenate([values[k] for k, (cell, _) in enumerate(tasks) if cell == number])

        known = {}
        compiled = [number for number, cell in enumerate(design.cells) if design.is_compiled(cell)]
        for number, rows, chances in looked_at(judge, compiled if deals else (), deals):
            curve = Curve(chances, rows[:, observed.WON])
            self.curves.append((design.cells[number], curve))
            known[number] = curve.columns()
        if known:
            self._add([measure.name for measure in measures.JUDGED], known)
        tried = {number: shares for number, _, shares in looked_at(probe, self._probed, self._few)}
        if tried:
            self._add([measures.INTERACTION], tried)

    def read(self, deals: int, pool: Pool) -> None:
        """Call the functions of a match on the first of these deals."""
        design = self.design
        if not design.of_match:
            return
        deals = min(deals, self._few)
        parts = [(first, min(first + PORTION, deals)) for first in range(0, deals, PORTION)]
        blocks = [replace(design.block(0, number), first=first, last=last, code=code)
                  for number, code in enumerate(design.read_codes) for first, last in parts]  # fmt: skip
        tasks = [MatchFunctions(block, design.of_match) for block in blocks]
        values_by_task = dict(pool.map(read, tasks))
        numbers = np.array_split(range(len(tasks)), len(design.cells))
        values = {number: np.concatenate([values_by_task[k] for k in own]) for number, own in enumerate(numbers)}
        self._add(list(design.of_match), values)

    def _add(self, names: list[str], values: dict[int, Any]) -> None:
        tally = compare.Tally(names)
        paired(self.design, tally, values, lambda cell: 1)
        self.sources.append((tally, names))


def ladder_of(experiment: Experiment) -> Iterable[tuple[Variant, LadderPairing, CellBlock]]:
    """The blocks of the ladders: one for each variant, number of players and pair of bots."""
    for variant in experiment.variants:
        code = code_of(book_of(experiment.game, variant.rule))
        for players in experiment.players:
            deals = max(2, experiment.sample // players)
            for rung in rungs(experiment.book, experiment.measures):
                game = variant.rule or experiment.game
                block = CellBlock(game, variant.options, rung.seats(players), experiment.seed, 0, deals, code)
                yield variant, rung, block
