"""What is written of an experiment: run.json, results.json, the tables, and matches worth looking at (see __init__.py)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from outbid.core.language import i18n
from outbid.lab.experiments import measures, store
from outbid.lab.experiments.design import Design, Sums
from outbid.lab.experiments.findings import chosen, compare
from outbid.lab.experiments.measures import Seen
from outbid.lab.experiments.playing import sample
from outbid.lab.experiments.playing.blocks import play as play_block
from outbid.lab.experiments.provenance import made_of
from outbid.lab.experiments.spec import Cell
from outbid.lab.experiments.store import Run
from outbid.lab.shares import share_from
from outbid.runs.blocks import Columns
from outbid.runs.loops import observed
from outbid.runs.recorded import is_recorded
from outbid.runs.sources import RECORDS
from outbid.runs.things import things_of
from outbid.version import __version__

CHOICE = 100_000  # matches from which those worth looking at are chosen
RESULTS = "outbid-results/1"
WORDS = ("variant", "company", "bot", "thing", "kind")  # columns of texts


@dataclass(frozen=True)
class Findings:
    """What an experiment has found so far, and where it is written."""

    design: Design
    run: Run
    sums: Sums
    sample: sample.Sample

    @property
    def sources(self) -> list[tuple[compare.Tally, list[str]]]:
        """All tallies, and the measures that are compared of each, in the order of the experiment."""
        taken = {*self.design.asked, *self._of_seats}
        asked = [name for name in self.design.experiment.measures if name in taken]
        return [(self.sums.tally, asked), *self.sample.sources]

    @property
    def known(self) -> dict[str, measures.LabMeasure]:
        """All measures by name."""
        return self.design.known | self._of_seats

    @property
    def _of_seats(self) -> dict[str, measures.LabMeasure]:
        return {measure.name: measure for measure in measures.OF_SEATS}

    def compared(self, ended: bool = False) -> list[dict[str, Any]]:
        """The comparisons so far. ended: the clock or the last deal ended the run, and no figure."""
        experiment = self.design.experiment
        sequence_for = experiment.deals if experiment.stop and not ended else None
        alpha = compare.ALPHA / 2 if experiment.stop else compare.ALPHA  # half for the looks, half for the end
        return compare.comparisons(self.known, self.sources, experiment.matters, sequence_for, alpha)

    def settled(self, names: Sequence[str]) -> bool:
        """Whether all comparisons of these measures are."""
        verdicts = [comparison["settled"] for comparison in self.compared() if comparison["measure"] in names]
        return bool(verdicts) and all(verdicts)

    def columns(self, row: int, number: int) -> Columns:
        """The columns of a cell in a row; played again where somebody took them away."""
        block = self.design.block(row, number)
        return self.run.find(block) or play_block(block)

    def first_of(self, number: int, deals: int) -> Iterator[Columns]:
        """The columns of a cell, until there are so many deals."""
        for row in range(self.sums.rows):
            yield self.columns(row, number)
            if self.design.rows[row][1] >= deals:
                return

    # --- results.json -------------------------------------------------------------------------------------------------

    def results(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Figures and the answer. facts: run.json."""
        from outbid.lab.report import figures, words

        design, tally = self.design, self.sums.tally
        ended = facts["finished"] and not facts["stopped"].startswith("settled")
        known = self.known | {measures.SEAT_GAP: measures.GAP}
        columns = [*design.columns, *self._of_seats, measures.SEAT_GAP]
        summaries = [compare.summary(known[name], name, cell, of)
                     for of, names in ((tally, columns), *self.sample.sources) for name in names for cell in of.deals]
        if measures.THING_EDGE in design.experiment.measures:
            summaries += [self._edge(number, cell) for number, cell in enumerate(design.cells)]
            columns.append(measures.THING_EDGE)
        described = [name for _, names in self.sources for name in names] + columns
        results: dict[str, Any] = {
            "format": RESULTS, "answer": "", "preview": facts["preview"],
            "matches": sum(tally.matches[cell.key].n for cell in design.cells),
            "measures": {name: known[name].described() for name in dict.fromkeys(described)},
            "summaries": summaries,
            "seats": [row for cell in design.cells for row in self._seats(cell)],
            "comparisons": self.compared(ended), "moved": compare.moved(design.columns, tally),
        }  # fmt: skip
        with i18n.locale(i18n.SOURCE):
            results["answer"] = " ".join(words.answer(figures.RunFigures.of(self.run.folder, dict(facts), results)))
        return results

    def _seats(self, cell: Cell) -> Iterator[dict[str, Any]]:
        moments, names = self.sums.tally.deals[cell.key], self.design.names
        place = dict(zip(("variant", "company", "players"), cell.key, strict=True))
        rows: list[tuple[str, Any, str]] = [("order", k, f"order:{k}") for k in range(cell.players)]
        if len(set(cell.names)) > 1:
            rows += [("bot", bot, f"bot:{bot}") for bot in self.design.bots if bot in cell.names]
        for by, of, column in rows:
            at = names.index(column)
            error = moments.error(at) if moments.n > 1 else None
            share = share_from(float(moments.mean[at]), error, moments.n, cell.rotations)
            score = float(moments.mean[names.index(f"score:{of}")]) if by == "order" else None
            figures = {"share": share.mean, "low": share.low, "high": share.high, "equal": 1 / cell.players, "score": score}
            yield {**place, "by": by, "of": of, **figures}

    def _edge(self, number: int, cell: Cell) -> dict[str, Any]:
        """The summary of the thing whose users win most or least."""
        n, deciding = self.sums.tally.matches[cell.key].n, things_of(self.design.books[number]).deciding
        mean, low, high = compare.thing_edge(self.sums.usage[number][deciding], n, cell.players, observed.PARTS)
        place = dict(zip(("variant", "company", "players"), cell.key, strict=True))
        figures = {"mean": mean, "low": low, "high": high, "sd": 0.0, "matches": n, "deals": self.sums.deals}
        return {"measure": measures.THING_EDGE, **place, **figures}

    # --- tables -------------------------------------------------------------------------------------------------------

    def publish(self, facts: Mapping[str, Any]) -> None:
        """Write tables and figures of the rows so far. facts: run.json."""
        self.run.write_table("matches", self._tables(self._match_rows), WORDS)
        self.run.write_table("seats", self._tables(self._seat_rows), WORDS)
        self.run.write_table("usage", (self._usage_rows(number) for number in range(len(self.design.cells))), WORDS)
        self.run.write("results.json", self.results(facts))
        self.run.write("run.json", facts)

    def publish_sample(self) -> None:
        """Write the tables of the sample."""
        ladder = self.sample.ladder
        if ladder:
            columns = {key: np.array([row[key] for row in ladder], object if isinstance(value, str) else None)
                       for key, value in ladder[0].items()}  # fmt: skip
            self.run.write_table("ladder", [columns], ("variant", "kind", "bot", "others"))
        if self.sample.curves:
            groups = ({**_place(cell, sample.POINTS), **curve.rows()} for cell, curve in self.sample.curves)
            self.run.write_table("curve", groups, ("variant", "company"))

    def choose(self) -> None:
        """Write matches worth looking at, among the first of each cell."""
        design, values = self.design, []
        for number, cell in enumerate(design.cells):
            parts = self.first_of(number, max(1, CHOICE // len(design.cells) // cell.rotations))
            values.append(np.concatenate([design.values(cell, part)[:, : len(design.columns)] for part in parts]))
        main, seed = design.known[next(iter(design.asked), "turns")], design.experiment.seed
        chosen.chosen(self.run, design.books, design.cells, design.base, design.columns, values, main, seed)

    def _tables(self, rows: Callable[[int, int, Columns], Mapping[str, Any]]) -> Iterable[Mapping[str, Any]]:
        for number in range(len(self.design.cells)):
            for row in range(self.sums.rows):
                yield rows(number, row, self.columns(row, number))

    def _matches(self, number: int, row: int, matches: int) -> dict[str, Any]:
        """The columns that say which match a row is."""
        cell, (first, last) = self.design.cells[number], self.design.rows[row]
        deal = np.repeat(np.arange(first, last), cell.rotations)
        return {**_place(cell, matches), "deal": deal, "rotation": np.tile(np.arange(cell.rotations), last - first)}

    def _match_rows(self, number: int, row: int, columns: Columns) -> Mapping[str, Any]:
        cell, experiment = self.design.cells[number], self.design.experiment
        place = self._matches(number, row, len(columns.rows))
        seen = Seen(columns.rows, columns.seats, experiment.time)
        seeds = np.array([cell.seed_of(experiment.seed, int(deal)) for deal in place["deal"]], np.int64)
        measured = measures.columns(seen, columns.own)
        return {**place, "seed": seeds, "winners": seen.winners, **{name: measured[name] for name in self.design.columns}}

    def _seat_rows(self, number: int, row: int, columns: Columns) -> Mapping[str, Any]:
        cell, matches, seats = self.design.cells[number], len(columns.rows), columns.seats
        place = self._matches(number, row, matches)
        seen = Seen(columns.rows, seats, self.design.experiment.time)
        turns = np.maximum(columns.rows[:, observed.TURNS], 1)[:, None]
        by_seat = {
            "seat": np.tile(np.arange(cell.players), (matches, 1)), "order": seen.order,
            "bot": np.array(self.design.bots, object)[self.design.seating(cell, matches)],
            "score": seats[:, :, observed.SCORE], "share": seen.shares, "place": seats[:, :, observed.PLACE],
            "moves": seats[:, :, observed.MOVES], "choices": seats[:, :, observed.CHOSE],
            "led": seats[:, :, observed.LED] / turns,
        }  # fmt: skip
        repeated = {name: np.repeat(values, cell.players) for name, values in place.items()}
        return {**repeated, **{name: values.reshape(-1) for name, values in by_seat.items()}}

    def _usage_rows(self, number: int) -> Mapping[str, Any]:
        cell, usage, things = self.design.cells[number], self.sums.usage[number], things_of(self.design.books[number])
        could = [thing for thing in range(len(things)) if usage[thing, observed.COULD] > 0]
        ends = np.array([compare.usage_interval(usage[thing], observed.PARTS)[:3] for thing in could]).reshape(-1, 3)
        return {
            **_place(cell, len(could)),
            "thing": np.array([things.names[thing] for thing in could], object),
            "kind": np.array([things.kinds[thing] for thing in could], object),
            "action": np.array([things.first[thing] for thing in could], np.int64),
            "used": usage[could, observed.USED], "matches": usage[could, observed.MATCHES],
            "users": usage[could, observed.USERS], "could": usage[could, observed.COULD],
            "played": np.full(len(could), self.sums.tally.matches[cell.key].n),
            "share": ends[:, 0], "low": ends[:, 1], "high": ends[:, 2], "equal": np.full(len(could), 1 / cell.players),
        }  # fmt: skip


def _place(cell: Cell, rows: int) -> dict[str, Any]:
    """The columns that say which cell a row is of."""
    variant, company, players = cell.key
    return {"variant": np.full(rows, variant, object), "company": np.full(rows, company, object),
            "players": np.full(rows, players)}  # fmt: skip


def facts(design: Design) -> dict[str, Any]:
    """run.json, of an experiment that has not begun."""
    experiment, book = design.experiment, design.experiment.book
    return {
        "format": store.FORMAT, "outbid": __version__, "rules": book.rules_id, "code": design.code, "game": experiment.game,
        "title": book.title, "name": experiment.name, "question": experiment.question, "players": list(experiment.players),
        "deals": experiment.deals, "seed": experiment.seed, "measures": list(experiment.measures),
        "ask": experiment.ask, "baseline": experiment.baseline,
        "company": [{"name": c.name, "seats": list(c.seats), "says": _company(c.seats)} for c in experiment.companies],
        "variants": [variant.as_dict(variant.name in experiment.nets) for variant in experiment.variants],
        "learn": experiment.learn, "over": {name: list(values) for name, values in experiment.over.items()}, "limits": {},
        "warnings": experiment.warnings, "finished": False, "preview": False, "stopped": "", "stopped_after": 0,
        "matches_done": 0, "matches_asked": 0, "where": "", "seconds": 0.0, "hash": "", "hashes": {},
        "made_of": made_of(design),
    }  # fmt: skip


def _company(seats: tuple[str, ...]) -> str:
    if is_recorded(seats):
        return f"the matches of {seats[0].removeprefix(RECORDS)}"
    return f"all seats: {seats[0]}" if len(set(seats)) == 1 else f"in turn round the table: {', '.join(seats)}"
