"""Five matches worth looking at: the closest, the longest, the strangest, the most typical, and the deal in which the change
mattered most; written as records, with an index that says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.core.rulebook import Rulebook
from outbid.lab.experiments.findings import answer
from outbid.lab.experiments.measures import Measure
from outbid.lab.experiments.playing.blocks import turned
from outbid.lab.experiments.playing.recorded import match_of
from outbid.lab.experiments.spec import Cell
from outbid.lab.experiments.store import Run

KINDS = ("turns", "margin", "top", "lead_changes", "forced", "branching", "settled_at", "comeback")
"""By these measures a match is typical or strange."""


def chosen(
    run: Run, books: Sequence[Rulebook], cells: Sequence[Cell], base: Sequence[int], names: Sequence[str],
    values: Sequence[NDArray[np.float64]], main: Measure, seed: int,
) -> list[dict[str, Any]]:
    """Choose and write. books: the game of each cell. values: the columns `names` of each cell's matches, which may be only
    the first of them."""
    at = {name: k for k, name in enumerate(names)}
    found: list[dict[str, Any]] = []

    def add(which: str, cell: int, match: int, why: str, other: int | None = None) -> None:
        turns = cells[cell].rotations
        place = {"variant": cells[cell].variant.name, "company": cells[cell].company.name, "players": cells[cell].players}
        deal, rotation = match // turns, match % turns
        one = {"file": f"{which}.json", "which": which, **place, "deal": deal, "rotation": rotation, "why": why}
        one["seed"] = _write(run, books[cell], f"games/{which}.json", cells[cell], deal, rotation, seed)
        if other is not None:
            one |= {"file_a": f"{which}-a.json", "variant_a": cells[other].variant.name}
            _write(run, books[other], f"games/{which}-a.json", cells[other], deal, rotation, seed)
        found.append(one)

    def best(scores: Sequence[NDArray[np.float64]]) -> tuple[int, int]:
        cell = max(range(len(scores)), key=lambda k: float(scores[k].max()))
        return cell, int(scores[cell].argmax())

    if "margin" in at:
        cell, match = best([-one[:, at["margin"]] + _part(one[:, at["turns"]]) for one in values])
        points = float(values[cell][match, at["margin"]])
        add("closest", cell, match, f"The closest match: {points:,.0f} points between the first two.")
    cell, match = best([one[:, at["turns"]] for one in values])
    most, mean = float(values[cell][match, at["turns"]]), float(values[cell][:, at["turns"]].mean())
    add("longest", cell, match, f"The longest match: {most:,.0f} moves, where {mean:,.0f} are usual.")
    far = [_distance(one, [at[name] for name in KINDS if name in at]) for one in values]
    cell, match = best(far)
    add("strangest", cell, match, f"The strangest match: {_strange(values[cell], match, at)}.")
    last = len(cells) - 1
    add("typical", last, int(far[last].argmin()), "The most typical match: close to the middle in all that is measured.")
    if main.name in at:
        column = at[main.name]
        pairs = [k for k in range(len(cells)) if base[k] != k and cells[k].rotations == cells[base[k]].rotations]
        if pairs:
            apart = {k: np.abs(_difference(values[k], values[base[k]])[:, column]) for k in pairs}
            cell = max(pairs, key=lambda k: float(apart[k].max()))
            match = int(apart[cell].argmax())
            facts = main.described()
            a, b = (answer.number(float(values[k][match, column]), facts) for k in (base[cell], cell))
            before, after = cells[base[cell]].variant.name, cells[cell].variant.name
            said = f"{main.title.lower()} {a} with {before}, {b} with {after}"
            add("changed", cell, match, f"The deal in which the change mattered most: {said}.", base[cell])
    run.write("games/index.json", found)
    return found


def _difference(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    n = min(len(one), len(other))
    return one[:n] - other[:n]


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


def _strange(values: NDArray[np.float64], match: int, at: dict[str, int]) -> str:
    names = [name for name in KINDS if name in at]
    row = _scaled(values, [at[name] for name in names])[match]
    most = int(np.abs(row).argmax())
    side = "above" if row[most] > 0 else "below"
    return f"{names[most].replace('_', ' ')} is {abs(row[most]):.1f} standard deviations {side} the middle"


def _write(run: Run, book: Rulebook, name: str, cell: Cell, deal: int, rotation: int, seed: int) -> int:
    """Play a match again, or read it, and write its record; the seed of its deal."""
    match = match_of(book, cell.variant.options, turned(cell.seats, rotation), seed, deal)
    run.write(name, match.record())
    return cell.seed_of(seed, deal)
