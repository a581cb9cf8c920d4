"""A run folder, read: what the report is made of. The format is that of lab/experiments/__init__.py.

`RunFigures.read(folder)` reads the JSON files at once and the columns when they are asked for. What is not there (a run that
has just begun, a measure that was not asked for) is empty; what is broken is one sentence that names the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.core.errors import BadSetup, OutbidError
from outbid.core.language.i18n import _
from outbid.core.rulebook import Rulebook, rulebook
from outbid.lab.experiments.measures import KNOWN, KNOWN_AT, TENSION, LabMeasure
from outbid.lab.experiments.spec import Company
from outbid.lab.experiments.store import FORMAT
from outbid.lab.experiments.titles import OptionTitles
from outbid.lab.experiments.variants import Variant
from outbid.lab.report.numbers import ends, spread
from outbid.runs.things import named

Column = NDArray[Any]
CLEAR = 1.5  # half intervals from 0, below which "4 ± 4" would read as if it held 0


@dataclass(frozen=True)
class Estimate:
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float

    @property
    def half(self) -> float:
        return (self.high - self.low) / 2

    @property
    def text(self) -> str:
        """Mean and interval as a report writes them."""
        return spread(self.mean, self.low, self.high)

    @property
    def sized(self) -> str:
        """A difference above 0, as a sentence says it: one whose interval ends near 0 by its ends."""
        near = 0 < self.low < self.high and self.strength < CLEAR
        return ends(self.low, self.high) if near else self.text

    @property
    def strength(self) -> float:
        """How far it is from 0, in half intervals."""
        return abs(self.mean) / (self.half or 1)

    @property
    def parts(self) -> tuple[float, float, float]:
        """Mean and ends."""
        return self.mean, self.low, self.high

    def shown(self, measure: LabMeasure) -> str:
        """A mean of a measure, in a table."""
        return self.percent if measure.scale == 100 else self.text

    @property
    def percent(self) -> str:
        """A share from 0 to 1 as one writes it."""
        return f"{self.times(100).text} %"

    def times(self, factor: float) -> Estimate:
        """The estimate in another unit, in which one of this is `factor`."""
        ends = sorted((self.low * factor, self.high * factor))
        return Estimate(self.mean * factor, *ends)


@dataclass(frozen=True)
class Seating:
    """A company and a number of players: where variants are compared."""

    company: str
    players: int


@dataclass(frozen=True)
class Comparison:
    """A measure of variant b against variant a. smallest: the difference that matters; needed: matches of each that would
    show one, or that there is none; none if it is settled; between: matches that would settle any difference."""

    measure: str
    cell: Seating
    a: str
    b: str
    mean_a: float
    mean_b: float
    difference: Estimate
    matches: int
    settled: bool
    verdict: str
    needed: int | None
    smallest: float = 0.0
    between: int = 0

    @property
    def stands_out(self) -> bool:
        """The whole interval lies on one side of 0."""
        return self.difference.low > 0 or self.difference.high < 0

    @property
    def differs(self) -> bool:
        """There is a difference that is no chance."""
        return self.settled and self.verdict in ("higher", "lower")


@dataclass(frozen=True)
class RunFigures:
    """A run. meta: run.json; deviations: how far matches differ from each other; shares: of the victories, by variant, cell
    and "order" (of play, from 1) or "bot"; moved: by variant and cell what is not the same in every deal as with the
    baseline (compare.moved)."""

    folder: Path
    meta: Mapping[str, Any]
    measures: Mapping[str, LabMeasure]
    variants: tuple[Variant, ...]
    companies: tuple[Company, ...]
    comparisons: tuple[Comparison, ...]
    summaries: Mapping[tuple[str, str, Seating], Estimate]
    deviations: Mapping[tuple[str, str, Seating], float]
    shares: Mapping[tuple[str, Seating, str], tuple[tuple[str, Estimate], ...]]
    moved: Mapping[tuple[str, Seating], Mapping[str, Any]]
    games: tuple[Mapping[str, Any], ...]
    tuning: Mapping[str, Any]
    titles: OptionTitles

    @classmethod
    def read(cls, folder: Path) -> RunFigures:
        """A run from its folder. Raises BadSetup."""
        if not folder.is_dir():
            raise BadSetup(_("There is no run in {folder}.", folder=folder))
        meta = _json(folder / "run.json")
        if meta.get("format") != FORMAT:
            format, ours = repr(meta.get("format")), repr(FORMAT)
            raise BadSetup(
                _(
                    "{file}: the format is {found}; this program reads {ours}.",
                    file=folder / "run.json",
                    found=format,
                    ours=ours,
                )
            )
        results = _json(folder / "results.json", {})
        try:
            return cls.of(folder, meta, results, _json(folder / "tune.json", {}))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            what = f"{type(error).__name__}: {error}"
            raise BadSetup(_("{folder} is not a whole run ({reason}).", folder=folder, reason=what)) from error

    @classmethod
    def of(
        cls, folder: Path, meta: Mapping[str, Any], results: Mapping[str, Any], tuning: Mapping[str, Any] | None = None
    ) -> RunFigures:
        """A run from what stands in run.json, results.json and tune.json."""
        book = book_of(meta["game"])
        # the records of a changed rule are read by its game, too
        titles = OptionTitles.of([book, *(book_of(variant["rule"]) for variant in meta["variants"] if variant.get("rule"))])
        say = book.say if book else _  # a game has measures of its own
        shares: dict[tuple[str, Seating, str], list[tuple[str, Estimate]]] = {}
        for row in results.get("seats", ()):
            who = str(row["of"]) if row["by"] == "bot" else str(int(row["of"]) + 1)
            shares.setdefault((row["variant"], _cell(row), row["by"]), []).append((who, _estimate(row, "share")))
        return cls(
            folder,
            meta,
            {name: LabMeasure.read(name, facts).spoken(say) for name, facts in results.get("measures", {}).items()},
            tuple(Variant.read(facts) for facts in meta["variants"]),
            tuple(Company(company["name"], tuple(company["seats"])) for company in meta["company"]),
            tuple(_comparison(row) for row in results.get("comparisons", ())),
            {
                (row["measure"], row["variant"], _cell(row)): _estimate(row, "mean")
                for row in results.get("summaries", ())
                if row["mean"] is not None
            },
            {
                (row["measure"], row["variant"], _cell(row)): float(row.get("sd") or 0)
                for row in results.get("summaries", ())
            },
            {key: tuple(line) for key, line in shares.items()},
            {(row["b"], _cell(row)): row for row in results.get("moved", ())},
            tuple(entry for entry in _json(folder / "games" / "index.json", []) if _complete(entry)),
            tuning or {},
            titles,
        )  # fmt: skip

    @property
    def book(self) -> Rulebook | None:
        """The game, if it is installed here."""
        return book_of(self.meta["game"])

    @property
    def title(self) -> str:
        return self.book.title if self.book else str(self.meta["game"])

    @cached_property
    def cells(self) -> tuple[Seating, ...]:
        """Where variants are compared, the first company first."""
        return tuple(Seating(company.name, int(players)) for company in self.companies for players in self.meta["players"])

    @property
    def main(self) -> LabMeasure:
        """The measure that decides: the first; of tension what the judge says, if there was one."""
        judged = self.meta.get("ask") == TENSION and any(key[0] == KNOWN_AT for key in self.summaries)
        return self.measure(KNOWN_AT if judged else next(iter(self.meta.get("measures", ())), "turns"))

    @property
    def baseline(self) -> Variant:
        """What the others are compared with."""
        wanted = self.meta.get("baseline")
        return next((variant for variant in self.variants if variant.name == wanted), self.variants[0])

    @property
    def tested(self) -> list[Variant]:
        """The variants that are compared with the baseline."""
        return [variant for variant in self.variants if variant is not self.baseline]

    @property
    def labels(self) -> list[str]:
        """The names of all variants as one reads them."""
        return [self.called(variant) for variant in self.variants]

    @property
    def matches(self) -> int:
        """Matches that were played."""
        return int(self.meta.get("matches_done") or 0)

    @property
    def swept(self) -> Mapping[str, list[Any]]:
        """The options of a sweep and their values."""
        swept: Mapping[str, list[Any]] = self.meta.get("over") or {}
        return swept

    @property
    def sweeps(self) -> list[tuple[str, list[Variant]]]:
        """The points of a sweep by the variant that is swept, with its label; without one if it is the only one."""
        sweeps: dict[str, list[Variant]] = {}
        for variant in self.variants:
            if variant.over:
                sweeps.setdefault(variant.of, []).append(variant)
        return [(self.titles.name(of) if len(sweeps) > 1 else "", points) for of, points in sweeps.items()]

    def called(self, variant: Variant | str) -> str:
        """The name of a variant as one reads it."""
        return self.titles.name(variant if isinstance(variant, str) else variant.name)

    def options(self, variant: Variant) -> dict[str, Any]:
        """All options of a variant that differ from the seed's, those of its preset too."""
        try:
            return {**(self.book.preset(variant.preset) if self.book else {}), **variant.options}
        except OutbidError:
            return dict(variant.options)

    def compared(self, cell: Seating) -> list[Comparison]:
        return [comparison for comparison in self.comparisons if comparison.cell == cell]

    def measure(self, name: str) -> LabMeasure:
        return self.measures.get(name) or KNOWN.get(name, LabMeasure(name, name, "")).spoken(_)

    def table(self, name: str, columns: Iterable[str]) -> dict[str, Column]:
        """Columns of a table as arrays, those that it has; none if the table is not there. Raises BadSetup."""
        file = self.folder / f"{name}.parquet"
        if not file.exists():
            return {}
        from pyarrow import ArrowException, parquet

        try:
            with parquet.ParquetFile(file) as opened:
                known = set(opened.schema_arrow.names)
                read = opened.read([column for column in columns if column in known])
        except (ArrowException, OSError) as error:
            raise BadSetup(_("{file} cannot be read: {reason}.", file=file, reason=" ".join(str(error).split()))) from error
        return {column: np.asarray(read.column(column).to_numpy()) for column in read.column_names}

    def thing(self, usage: Mapping[str, Column], row: Any) -> str:
        """The thing in a row of the table of uses, in the language of the moment."""
        called = named(self.book) if self.book and "action" in usage else None
        return called(int(usage["action"][row])) if called else str(usage["thing"][row])

    @cached_property
    def matches_table(self) -> dict[str, Column]:
        """What the distributions are drawn from."""
        return self.table("matches", ("variant", "company", "players", "turns", "settled_at"))

    @cached_property
    def ladder_table(self) -> dict[str, Column]:
        """Bots alone among others."""
        names = ("variant", "players", "kind", "bot", "others", "share", "low", "high", "equal", "needed")
        return self.table("ladder", names)

    @cached_property
    def seats_table(self) -> dict[str, Column]:
        """The scores of all seats."""
        return self.table("seats", ("variant", "company", "players", "score"))


def where(table: Mapping[str, Column], variant: str, cell: Seating) -> Column:
    """The rows of a variant in a cell."""
    rows: Column = (table["variant"] == variant) & (table["company"] == cell.company) & (table["players"] == cell.players)
    return rows


def _json(file: Path, otherwise: Any = None) -> Any:
    """A JSON file. Raises BadSetup if it is broken, or is missing and there is nothing to take instead."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if otherwise is not None:
            return otherwise
        raise BadSetup(_("There is no run in {folder}: it has no {file}.", folder=file.parent, file=file.name)) from None
    except (OSError, ValueError) as error:
        raise BadSetup(_("{file} cannot be read: {reason}.", file=file, reason=error)) from error


def book_of(game: str) -> Rulebook | None:
    """The game with this id or of this file, if it is at hand."""
    try:
        return rulebook(game)
    except OutbidError:
        return None


def _complete(game: Mapping[str, Any]) -> bool:
    """Whether an entry of the index says what a match is. Raises KeyError."""
    return all(game[key] is not None for key in ("file", "which", "variant"))


def _cell(row: Mapping[str, Any]) -> Seating:
    return Seating(row["company"], int(row["players"]))


def _estimate(row: Mapping[str, Any], mean: str) -> Estimate:
    low, high = row.get("low"), row.get("high")
    return Estimate(row[mean], row[mean] if low is None else low, row[mean] if high is None else high)


def _comparison(row: Mapping[str, Any]) -> Comparison:
    return Comparison(
        row["measure"], _cell(row), row["a"], row["b"], row["mean_a"], row["mean_b"], _estimate(row, "difference"),
        int(row["matches"]), bool(row["settled"]), row.get("verdict", ""), row.get("needed"),
        float(row.get("smallest") or 0), int(row.get("between") or 0),
    )  # fmt: skip
