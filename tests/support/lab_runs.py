"""Run folders with figures that a test chooses, in the format of lab/experiments, and what a report of them reads like."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np

import outbid
from outbid.lab.report import figures, words

MEASURES = {
    "turns": ("Turns", "Moves as players say them, from the deal to the end.", "the record", "turns", ""),
    "minutes": ("Minutes", "Estimated from the kinds of moves.", "the time model", "min", ""),
    "margin": ("Margin", "Best score less the second.", "the final scores", "points", ""),
    "ties": ("Ties", "Share of matches with several winners.", "the winners", "share", "lower"),
    "first_share": ("First seat", "Victories of who moves first, less an equal share.", "the winners", "share", ""),
}


def made(
    folder: Path,
    variants: Sequence[dict[str, Any]] = (
        {"name": "given", "preset": "seed", "options": {}, "says": "The rules as they are given."},
        {"name": "five-coins", "preset": "seed", "options": {"coins": 5}, "says": "Everybody begins with 5 gold."},
    ),
    *,
    deals: int = 200,
    players: Sequence[int] = (3,),
    companies: Sequence[str] = ("steady",),
    shift: float = -2.0,
    games: bool = True,
    curve: bool = False,
    columns: bool = True,
    **meta: Any,
) -> Path:
    """A run folder with made-up figures: each further variant is `shift` turns longer than the one before."""
    rng = np.random.default_rng(5)
    cells = list(itertools.product(companies, players))
    run = {
        "format": "outbid-run/1",
        "outbid": outbid.__version__,
        "rules": "rivals/2",
        "code": "c0de" * 16,
        "game": "rivals",
        "title": "",
        "question": "Does less gold make a shorter match?",
        "name": "gold",
        "players": list(players),
        "deals": deals,
        "seed": 7,
        "measures": [*MEASURES],
        "baseline": variants[0]["name"],
        "company": [{"name": name, "seats": [name], "says": ""} for name in companies],
        "variants": [{"over": {}, "learned": False, **one} for one in variants],
        "over": {},
        "limits": {},
        "finished": True,
        "preview": False,
        "stopped": "",
        "matches_done": deals * len(variants) * len(cells),
        "matches_asked": deals * len(variants) * len(cells),
        "seconds": 12.5,
        "hash": "ab" * 32,
    } | meta
    folder.mkdir(exist_ok=True)
    (folder / "run.json").write_text(json.dumps(run))
    (folder / "experiment.toml").write_text('game = "rivals"\n')
    table: dict[str, list[Any]] = {
        name: [] for name in ("variant", "company", "players", "deal", "turns", "minutes", "margin", "settled_at")
    }
    seats: dict[str, list[Any]] = {name: [] for name in ("variant", "company", "players", "deal", "seat", "score")}
    usage: list[dict[str, Any]] = []
    points: list[dict[str, Any]] = []
    results: dict[str, Any] = {
        "format": "outbid-results/1",
        "answer": [],
        "preview": run["preview"],
        "matches": run["matches_done"],
        "measures": {
            name: dict(zip(("title", "definition", "source", "unit", "better"), one, strict=True))
            for name, one in MEASURES.items()
        },
        "summaries": [],
        "seats": [],
        "comparisons": [],
    }
    for company, number in cells:
        where = {"company": company, "players": number}
        for n, variant in enumerate(variants):
            turns = rng.poisson(40, deals) + round(shift * n)
            values = {
                "turns": turns,
                "minutes": turns / 2,
                "margin": rng.gamma(2, 6, deals),
                "ties": rng.random(deals) < 0.05,
                "first_share": rng.normal(0.02, 0.4, deals),
            }
            table["variant"] += [variant["name"]] * deals
            table["company"] += [company] * deals
            table["players"] += [number] * deals
            table["deal"] += range(deals)
            for name in ("turns", "minutes", "margin"):
                table[name] += values[name].tolist()
            table["settled_at"] += np.minimum(turns / 80, 1).tolist()
            for seat in range(number):
                seats["variant"] += [variant["name"]] * deals
                seats["company"] += [company] * deals
                seats["players"] += [number] * deals
                seats["deal"] += range(deals)
                seats["seat"] += [seat] * deals
                seats["score"] += rng.integers(-10, 60, deals).tolist()
                results["seats"].append(
                    {
                        "variant": variant["name"],
                        **where,
                        "by": "order",
                        "of": seat,
                        "share": 1 / number + 0.02 * (seat - 1),
                        "low": 1 / number + 0.02 * (seat - 1) - 0.03,
                        "high": 1 / number + 0.02 * (seat - 1) + 0.03,
                        "equal": 1 / number,
                        "score": 20.0,
                    }
                )
            for name, one in values.items():
                mean, half = float(one.mean()), 1.96 * float(one.std()) / max(1, deals) ** 0.5
                results["summaries"].append(
                    {
                        "measure": name,
                        "variant": variant["name"],
                        **where,
                        "mean": mean,
                        "low": mean - half,
                        "high": mean + half,
                        "sd": float(one.std()),
                        "matches": deals,
                        "deals": deals,
                    }
                )
                if n:
                    before = next(
                        found["mean"]
                        for found in results["summaries"]
                        if (found["measure"], found["variant"], found["company"], found["players"])
                        == (name, variants[0]["name"], company, number)
                    )
                    difference, settled = mean - before, name in ("turns", "minutes") and bool(shift)
                    _title, definition, source, *_rest = MEASURES[name]
                    results["comparisons"].append(
                        {
                            "measure": name,
                            "definition": definition,
                            "source": source,
                            **where,
                            "a": variants[0]["name"],
                            "b": variant["name"],
                            "mean_a": before,
                            "mean_b": mean,
                            "difference": difference,
                            "low": difference - half,
                            "high": difference + half,
                            "p": 0.001 if settled else 0.4,
                            "matches": deals,
                            "settled": settled,
                            "verdict": ("higher" if difference > 0 else "lower") if settled else "open",
                            "needed": None if settled else 4000,
                            "smallest": 2.0 if name == "margin" else 0.01,
                        }
                    )
            for thing, share in (("uncover", 0.36), ("bid 1", 0.30), ("wager on red", 0.45)):
                usage.append(
                    {
                        "variant": variant["name"],
                        **where,
                        "thing": thing,
                        "kind": "a move",
                        "used": 3 * deals,
                        "matches": deals,
                        "users": 2 * deals,
                        "share": share + 0.01 * n,
                        "equal": 1 / number,
                        "low": share - 0.03,
                        "high": share + 0.04,
                        "could": 5 * deals,
                        "played": deals,
                    }
                )
            for progress in np.linspace(0, 1, 11):
                winner = 1 / number + (1 - 1 / number) * progress ** (1 + n)
                points.append(
                    {
                        "variant": variant["name"],
                        **where,
                        "progress": progress,
                        "matches": 50,
                        "leader": winner,
                        "winner": winner,
                        "hopeless": 0.1 * progress,
                        "low": winner - 0.02,
                        "high": winner + 0.02,
                    }
                )
    (folder / "results.json").write_text(json.dumps(results))
    if columns:
        _parquet(folder / "matches.parquet", table)
        _parquet(folder / "seats.parquet", seats)
        _parquet(folder / "usage.parquet", {key: [one[key] for one in usage] for key in usage[0]})
    if curve:
        _parquet(folder / "curve.parquet", {key: [one[key] for one in points] for key in points[0]})
    if games:
        _games(folder, variants)
    return folder


def _parquet(file: Path, columns: dict[str, list[Any]]) -> None:
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.table(columns), file)


def _games(folder: Path, variants: Sequence[dict[str, Any]]) -> None:
    """Two records: one match, and the same deal by both rules."""
    (folder / "games").mkdir()
    index = []
    for which, seed in (("closest", 1), ("changed", 2)):
        entry = {
            "file": f"{which}.json",
            "which": which,
            "variant": variants[-1]["name"],
            "company": "steady",
            "players": 3,
            "deal": seed,
            "rotation": 0,
            "seed": seed,
            **({"measure": "margin", "value": 1.0, "usual": 9.5} if which == "closest" else {}),
        }
        (folder / "games" / f"{which}.json").write_text(json.dumps(_played(variants[-1]["options"], seed)))
        if which == "changed":
            entry |= {"file_a": "changed-a.json", "variant_a": variants[0]["name"]}
            entry |= {"measure": "turns", "value": 31.0, "other": 52.0}
            (folder / "games" / "changed-a.json").write_text(json.dumps(_played(variants[0]["options"], seed)))
        index.append(entry)
    (folder / "games" / "index.json").write_text(json.dumps(index))


def _played(options: dict[str, Any], seed: int) -> dict[str, Any]:
    match = outbid.game("rivals", **options).new(players=3, seed=seed)
    for n in range(2000):
        if match.over:
            return match.record()
        seat = match.asked[0]
        match.random_move(seat, n)
    raise AssertionError("the match does not end")


def swept(over: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """The variants of a sweep."""
    points = [dict(zip(over, values, strict=True)) for values in itertools.product(*over.values())]
    return [
        {
            "name": ", ".join(f"{key}={value}" for key, value in point.items()),
            "preset": "seed",
            "options": point,
            "says": "",
            "over": point,
        }
        for point in points
    ]


def answered(folder: Path) -> str:
    """The answer alone, in English."""
    return " ".join(words.answer(figures.RunFigures.read(folder)))


def text_of(html: str) -> str:
    """What is read on a page."""
    return " ".join(unescape(re.sub(r"<(style|svg)\b.*?</\1>|<[^>]+>", " ", html, flags=re.DOTALL)).split())
