"""What an experiment plays: its cells on ranges of common deals; and what is taken in of them.

    design = Design(experiment)
    design.block(row, cell), list(design)     # all blocks, row by row: a row is the same deals of every cell
    sums = Sums(design)
    sums.take(columns)                        # of a row, by cell: moments, uses of things, the hashes

What is said after a row depends on the rows so far alone, so that a run that may stop by itself stops at the same row
wherever it is played. The first row is small: after it a preview is written.
"""

import hashlib
import inspect
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.lab.experiments import measures, variants
from outbid.lab.experiments.findings import compare
from outbid.lab.experiments.measures import LabMeasure, Seen
from outbid.lab.experiments.playing.blocks import CellBlock, code_of
from outbid.lab.experiments.spec import Cell, Experiment
from outbid.runs.blocks import Columns, is_compiled, sit_down
from outbid.runs.loops import observed
from outbid.runs.seating import turned
from outbid.runs.things import things_of

PREVIEW = 100  # matches of a cell in the first row, or deals of slow bots
BLOCK = 1000  # matches of a cell in every other row
PLAYED = "played"  # what no measure changes: who won, by which scores, in how many moves
OUTCOME = [observed.WON, observed.TURNS, observed.STEPS]
SLOW, SLOW_PREVIEW = 8, 2  # the same where bots are asked move by move


class Design:
    """The cells of an experiment and their blocks. books: the game of each cell, with its rule changed; base: the number of
    the cell that it is compared with, its own where matches are read, which had other deals. own: measures that are made of
    last states; of_match: functions of a match; known: all measures by name; columns: those that every match has; names:
    the columns of `values`. codes: what blocks depend on besides the experiment, by cell; read_codes: what functions of a
    match do; code: the hash of all. rows: the ranges of deals; ends: of these, if they are given. Raises BadSetup, where a
    bot cannot be loaded."""

    def __init__(self, experiment: Experiment, ends: Sequence[int] = ()):
        self.experiment, self.cells = experiment, experiment.cells
        self.books = [variants.book_of(experiment.game, cell.variant.rule) for cell in self.cells]
        numbers = {cell.key: number for number, cell in enumerate(self.cells)}
        self.base = [number if cell.recorded else numbers[experiment.baseline, cell.company.name, cell.players]
                     for number, cell in enumerate(self.cells)]  # fmt: skip
        functions = filter(measures.is_function, experiment.measures)
        self.own = tuple(dict.fromkeys([*measures.own_measures(experiment.book), *functions]))
        self.of_match = tuple(filter(measures.of_match, experiment.measures))
        self.known = measures.measures_of(experiment.book) | {measure.name: measure for measure in measures.JUDGED}
        self.known |= {name: _described(name) for name in (*self.own, *self.of_match) if name not in self.known}
        self.columns = [*(measure.name for measure in measures.MEASURES if measure.of), *self.own]
        self.bots = sorted({name for cell in self.cells for name in cell.names})
        seats = [f"{what}:{place}" for what in ("order", "score") for place in range(max(experiment.players))]
        self.names = [*self.columns, *seats, *(f"bot:{name}" for name in self.bots)]
        seated = [(book, cell.seats) for book, cell in zip(self.books, self.cells, strict=True)]
        self.codes = [code_of(book, self.own, seats) for book, seats in seated]
        self.read_codes = [code_of(book, self.of_match, seats) for book, seats in seated if self.of_match]
        self.code = hashlib.sha256(json.dumps([*self.codes, *self.read_codes]).encode()).hexdigest()
        for book, names in seated:
            sit_down(book, names)
        ends = ends or self._ends()
        self.rows = list(zip([0, *ends], ends, strict=False))

    def _ends(self) -> list[int]:
        deals, turns = self.experiment.deals, max(cell.rotations for cell in self.cells)
        slow = not all(map(self.is_compiled, self.cells))
        first, each = (SLOW_PREVIEW, SLOW) if slow else (PREVIEW, BLOCK)
        first, each = max(2, first // turns), max(2, each // turns)
        return [*range(min(first, deals), deals, each), deals]

    @property
    def asked(self) -> list[str]:
        """The columns that the experiment compares."""
        return [name for name in self.experiment.measures if name in self.columns]

    def values(self, cell: Cell, columns: Columns) -> NDArray[np.float64]:
        """The columns of a block as they are taken in, (matches, names)."""
        seen = Seen(columns.rows, columns.seats, self.experiment.time)
        measured = measures.columns(seen, columns.own)
        made = [measured[name] for name in self.columns]
        shares, scores = seen.shares, columns.seats[:, :, observed.SCORE]
        for what in (shares, scores):
            for place in range(max(self.experiment.players)):
                made.append((what * (seen.order == place)).sum(1))
        seating = self.seating(cell, len(columns.rows))
        for bot in range(len(self.bots)):
            own = seating == bot
            made.append((shares * own).sum(1) / np.maximum(own.sum(1), 1))
        return np.stack([np.asarray(column, float) for column in made], 1)

    def seating(self, cell: Cell, matches: int) -> NDArray[np.int64]:
        """The number of the bot in each seat of so many matches, (M, P)."""
        turns = [[self.bots.index(name) for name in turned(cell.names, r)] for r in range(cell.rotations)]
        return np.tile(np.array(turns), (matches // cell.rotations, 1))

    def is_compiled(self, cell: Cell) -> bool:
        """Whether a cell is played compiled."""
        return is_compiled(self.experiment.book, cell.seats)

    def __iter__(self) -> Iterator[CellBlock]:
        """All blocks, row by row."""
        for row in range(len(self.rows)):
            yield from self.row(row)

    def row(self, row: int) -> list[CellBlock]:
        """The blocks of a row."""
        return [self.block(row, number) for number in range(len(self.cells))]

    def block(self, row: int, number: int) -> CellBlock:
        """The block of a cell."""
        cell, (first, last) = self.cells[number], self.rows[row]
        game, seed = cell.variant.rule or self.experiment.game, self.experiment.seed
        return CellBlock(game, cell.variant.options, cell.seats, seed, first, last, self.codes[number], self.own)

    def matches(self, deals: int) -> int:
        """How many matches so many deals of every cell are."""
        return deals * sum(cell.rotations for cell in self.cells)

def _described(name: str) -> LabMeasure:
    """A function of an experiment as a measure."""
    about = inspect.getdoc(measures.function(name)) or f"the function {name} of this experiment"
    return LabMeasure(name, name.rpartition(":")[2].replace("_", " "), about.partition("\n")[0], None)


class Sums:
    """Sums over the rows so far. rows: how many; tally: moments of `design.names`; usage: by cell, (things, USES)."""

    def __init__(self, design: Design):
        self.design, self.rows = design, 0
        self.tally = compare.Tally(design.names)
        self.usage = [np.zeros((len(things_of(book)), observed.USES), np.int64) for book in design.books]
        self._digests = {table: hashlib.sha256() for table in (PLAYED, "matches", "seats", "usage")}

    @property
    def deals(self) -> int:
        """The deals of each cell that were taken in."""
        return self.design.rows[self.rows - 1][1] if self.rows else 0

    def take(self, row: Mapping[int, Columns]) -> None:
        """Take in the next row: the columns by the number of the cell."""
        cells = self.design.cells
        values = {number: self.design.values(cell, row[number]) for number, cell in enumerate(cells)}
        paired(self.design, self.tally, values, lambda cell: cell.rotations)
        for number, cell in enumerate(cells):
            columns = row[number]
            self.usage[number] += columns.usage
            played = [columns.rows[:, OUTCOME], columns.seats[:, :, observed.SCORE], columns.seats[:, :, observed.MOVES]]
            tables: dict[str, list[Any]] = {
                PLAYED: played, "matches": [columns.rows, *columns.own.values()], "seats": [columns.seats],
                "usage": [columns.usage],
            }  # fmt: skip
            for table, arrays in tables.items():
                self._digests[table].update(json.dumps(cell.key).encode())
                for array in arrays:
                    self._digests[table].update(np.ascontiguousarray(array).tobytes())
        self.rows += 1

    @property
    def hashes(self) -> dict[str, str]:
        """SHA-256 of what was played, and of the columns of each table of measures."""
        return {table: digest.hexdigest() for table, digest in self._digests.items()}


def paired(design: Design, tally: compare.Tally, values: Mapping[int, Any], rotations: Callable[[Cell], int]) -> None:
    """Add the values of cells, by number, each beside those of the cell that it is compared with."""
    for number, own in values.items():
        cell, other = design.cells[number], design.base[number]
        base = None
        if other != number and other in values:
            base = design.cells[other].key, values[other], rotations(design.cells[other])
        tally.add(cell.key, own, rotations(cell), base)
