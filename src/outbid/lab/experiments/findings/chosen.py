"""Five matches worth looking at: the closest, the longest, the strangest, the most typical, and the deal in which the change
mattered most; written as records, with an index that has the figures for which they were chosen.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.core.language.names import numbered
from outbid.core.rulebook import Rulebook
from outbid.lab.experiments.measures import LabMeasure
from outbid.lab.experiments.spec import Cell
from outbid.lab.experiments.store import Run
from outbid.runs.recorded import match_of
from outbid.runs.seating import turned

KINDS = ("turns", "margin", "top", "lead_changes", "forced", "branching", "settled_at", "comeback")
"""Measures by which a match is typical or strange."""
ORDER = ("closest", "longest", "strangest", "typical", "changed")


def chosen(
    run: Run, books: Sequence[Rulebook], cells: Sequence[Cell], base: Sequence[int], names: Sequence[str],
    values: Sequence[NDArray[np.float64]], main: LabMeasure, seed: int,
) -> list[dict[str, Any]]:
    """Choose and write. books: the game of each cell. values: the columns `names` of each cell's matches, which may be only
    the first of them."""
    column_of = {name: k for k, name in enumerate(names)}
    entries: list[dict[str, Any]] = []

    shown: set[tuple[int, int]] = set()  # what is strange or typical is none of the others: they may be looked at already

    def add(which: str, cell: int, match: int, beside: int | None = None, **figures: Any) -> None:
        turns = cells[cell].rotations
        place = {"variant": cells[cell].variant.name, "company": cells[cell].company.name, "players": cells[cell].players}
        deal, rotation = match // turns, match % turns
        entry = {"file": f"{which}.json", "which": which, **place, "deal": deal, "rotation": rotation, **figures}
        entry["seed"] = _write(run, books[cell], f"games/{which}.json", cells[cell], deal, rotation, seed)
        if beside is not None:
            entry |= {"file_a": f"{which}-a.json", "variant_a": cells[beside].variant.name}
            _write(run, books[beside], f"games/{which}-a.json", cells[beside], deal, rotation, seed)
            shown.add((beside, match))
        entries.append(entry)
        shown.add((cell, match))

    def best(scores: Sequence[NDArray[np.float64]]) -> tuple[int, int]:
        cell = max(range(len(scores)), key=lambda k: float(scores[k].max()))
        return cell, int(scores[cell].argmax())

    def figures(cell: int, match: int, name: str) -> dict[str, Any]:
        column = values[cell][:, column_of[name]]
        return {"measure": name, "value": float(column[match]), "usual": float(np.median(column))}

    if "margin" in column_of:
        cell, match = best([-rows[:, column_of["margin"]] + _part(rows[:, column_of["turns"]]) for rows in values])
        add("closest", cell, match, **figures(cell, match, "margin"))
    cell, match = best([rows[:, column_of["turns"]] for rows in values])
    add("longest", cell, match, **figures(cell, match, "turns"))
    pairs = [k for k in range(len(cells)) if base[k] != k and cells[k].rotations == cells[base[k]].rotations]
    if main.name in column_of and pairs:
        column = column_of[main.name]
        apart = {k: np.abs(_difference(values[k], values[base[k]])[:, column]) for k in pairs}
        cell = max(pairs, key=lambda k: float(apart[k].max()))
        match = int(apart[cell].argmax())
        value, other = (float(values[k][match, column]) for k in (cell, base[cell]))
        add("changed", cell, match, base[cell], measure=main.name, value=value, other=other)
    kinds = [name for name in KINDS if name in column_of]
    far = [_distance(rows, [column_of[name] for name in kinds]) for rows in values]
    known = [[match for k, match in shown if k == cell and match < len(distances)] for cell, distances in enumerate(far)]
    for distances, taken in zip(far, known, strict=True):
        if len(taken) < len(distances):
            distances[taken] = np.nan
    cell = max(range(len(far)), key=lambda k: float(np.nanmax(far[k])))
    match = int(np.nanargmax(far[cell]))
    row = np.abs(_scaled(values[cell], [column_of[name] for name in kinds])[match])
    add("strangest", cell, match, **figures(cell, match, kinds[int(row.argmax())]))
    add("typical", len(cells) - 1, int(np.nanargmin(far[-1])))
    entries.sort(key=lambda entry: ORDER.index(entry["which"]))
    run.write("games/index.json", entries)
    return entries


def _difference(values: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    n = min(len(values), len(other))
    return values[:n] - other[:n]


def _part(turns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Among equals the longer match: less than one point."""
    return np.asarray(turns / (turns.max() + 1))


def _scaled(values: NDArray[np.float64], columns: Sequence[int]) -> NDArray[np.float64]:
    taken = values[:, columns]
    spread = taken.std(0)
    return np.asarray((taken - np.median(taken, 0)) / np.where(spread > 0, spread, 1.0))


def _distance(values: NDArray[np.float64], columns: Sequence[int]) -> NDArray[np.float64]:
    """How far each match is from the middle, in standard deviations of all that is measured."""
    return np.asarray(np.sqrt((_scaled(values, columns) ** 2).sum(1)))


def _write(run: Run, book: Rulebook, name: str, cell: Cell, deal: int, rotation: int, seed: int) -> int:
    """Play a match again, or read it, and write its record; the seed of its deal."""
    match = match_of(book, cell.variant.options, turned(cell.seats, rotation), seed, deal)
    record = match.record()
    run.write(name, {**record, "players": numbered(record["players"])})
    return cell.seed_of(seed, deal)
