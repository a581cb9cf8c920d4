"""How far the win probabilities of reviews can be believed, for players of any kind: predicted shares of the victory beside
what came.

    python benchmarks/calibration.py [--only GAME,…] [--players N] [--companies easy,…] [--matches 1000]
                                     [--searching 150] [--minutes M] [--before] [--write] [--svg FILE]

A cell is a game, a number of players and a company (lab/training/mixed.py): all `easy`, all `steady`, all `strong*0.1`,
all `net`, mixed with slips, or mixed with strangers, whose parameters are drawn from wider ranges than any that were trained
on. Matches are played from the seeds for reports (runs/seeds.py), from which nothing was learned or chosen. At the start and
at about `POSITIONS` other positions of each match, between moves, each seat's share is predicted by the judge of the reviews
(bots/nets/value.py), which is told what the moves so far say of who sits there.

| column | is |
| --- | --- |
| error | expected calibration error, in points: the mean over ten bins of predictions, each by its number of predictions, |
| | of the difference between mean prediction and mean result |
| chance | what a perfect judge would show on the average, from draws of results by the predictions |
| slope | of results over predictions (least squares), with its 95 % interval: matches drawn anew 200 times (bootstrap) |
| Brier | the mean of the squared differences; beside it that of the base rates, each seat's mean result in the cell |
| start | the greatest difference between the mean prediction at the start and a seat's base rate, in points |

The goal: an error at most 3 points above chance, a slope of 0.85 to 1.15 or an interval that touches that, and a Brier score
not above that of the base rates. Cells that miss it are marked; with `--write` all go to src/outbid/review/calibration.json,
from which reviews know how wide a band to draw. `--before` measures the net of the search instead, which believes that
everybody plays like `steady`. `--minutes` ends the measurement of a cell whose bots look ahead (after at least ten matches).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.bots.belief.company import Positions
from outbid.bots.nets import policy, value
from outbid.core.rulebook import Rulebook, rulebooks
from outbid.lab.training.mixed import COMPANIES, positions
from outbid.review.calibration import CALIBRATION
from outbid.version import __version__

POSITIONS = 6  # of a match, besides its start
BINS = 10
DRAWS = 200
MOST = 0.03  # above chance
SLOPES = 0.85, 1.15
BLOCK = 100  # matches played at once; of those who look ahead …
FEW = 5  # … so many
SIZE, GAP, LEFT, TOP = 120, 22, 92, 54  # of the picture, in pixels
INKS = {2: "#8a4b1f", 3: "#23503f", 4: "#2f5f9e", 5: "#7b3f8c", 6: "#a3243b"}  # numbers of players


def played(book: Rulebook, players: int, company: str, matches: int, minutes: float) -> Positions:
    """Positions of a cell."""
    searching, begin = company == "strong", time.process_time()
    block = FEW if searching else BLOCK
    parts, done = [], 0
    while done < matches:
        parts.append(positions(book, players, company, min(block, matches - done), "report", done, wanted=POSITIONS))
        done += min(block, matches - done)
        if searching and done >= 2 * FEW and time.process_time() - begin > 60 * minutes:
            break
    return Positions(*map(np.concatenate, zip(*parts, strict=True)))


def predicted(net: value.Net, found: Positions) -> NDArray[np.float64]:
    """What the judge says, (N, P)."""
    if isinstance(net, value.Judge):
        return net.among(found.obs, found.told)
    numbers = net.strengths(found.obs).astype(np.float64) / net.temperature(found.obs.shape[1])
    chances: NDArray[np.float64] = np.exp(numbers - numbers.max(1, keepdims=True))
    return chances / chances.sum(1, keepdims=True)


def curve(said: NDArray[np.float64], came: NDArray[np.float64]) -> list[tuple[float, float, int]]:
    """Of each bin that is not empty: the mean prediction, the mean of what came, how many predictions."""
    at = np.minimum((said * BINS).astype(int), BINS - 1)
    bins = [(said[at == k], came[at == k]) for k in range(BINS)]
    return [(round(float(p.mean()), 4), round(float(q.mean()), 4), len(p)) for p, q in bins if len(p)]


def error(said: NDArray[np.float64], came: NDArray[np.float64]) -> float:
    """The expected calibration error."""
    at = np.minimum((said * BINS).astype(int), BINS - 1)
    gaps = np.bincount(at.ravel(), (said - came).ravel(), BINS)
    return float(np.abs(gaps).sum() / said.size)


def by_chance(said: NDArray[np.float64], of: NDArray[np.int64], random: np.random.Generator) -> float:
    """The error that a perfect judge would show: the winner at each position is drawn by what was predicted there, all of a
    match by the same random number."""
    ends, found = np.cumsum(said, axis=1), []
    for _ in range(DRAWS):
        drawn = random.random(int(of.max()) + 1)[of][:, None] * ends[:, -1:]
        won = (drawn >= ends).sum(1, keepdims=True) == np.arange(said.shape[1])
        found.append(error(said, won.astype(float)))
    return float(np.mean(found))


def slope_of(said: NDArray[np.float64], came: NDArray[np.float64], of: NDArray[np.int64]) -> tuple[float, float, float]:
    """The slope of results over predictions, and the ends of its 95 % interval."""
    seats = said.shape[1]
    x, y = said - 1 / seats, came - 1 / seats  # both have the equal share as their mean
    over, under = (np.bincount(of, (x * other).sum(1)) for other in (y, x))
    random, slopes = np.random.default_rng(1), []
    known = np.flatnonzero(np.bincount(of))
    for _ in range(DRAWS):
        drawn = random.choice(known, len(known))
        slopes.append(over[drawn].sum() / max(under[drawn].sum(), 1e-12))
    low, high = np.quantile(slopes, (0.025, 0.975))
    return float(over.sum() / max(under.sum(), 1e-12)), float(low), float(high)


def measured(book: Rulebook, players: int, company: str, args: argparse.Namespace) -> dict[str, Any] | None:
    """A cell; none where nobody sits so, or nobody judges."""
    net = value.net(book) if args.before else value.judge(book)
    learned = policy.policy(book)
    if net is None or (company == "net" and (learned is None or not learned.fits(book.fresh({})))):
        return None
    matches = args.searching if company == "strong" else args.matches
    found = played(book, players, company, matches, args.minutes)
    said, came, of = predicted(net, found), found.share.astype(np.float64), found.of
    base = np.array([came[found.at == 0].mean(0)])
    slope, low, high = slope_of(said, came, of)
    wrong, chance = error(said, came), by_chance(said, of, np.random.default_rng(1))
    brier, rates = (float(((one - came) ** 2).mean()) for one in (said, base))
    ends = {
        "error": wrong <= chance + MOST,
        "slope": high >= SLOPES[0] and low <= SLOPES[1],
        "brier": brier <= rates,
    }
    figures = {
        "error": wrong, "chance": chance, "excess": max(0.0, wrong - chance), "slope": slope, "low": low, "high": high,
        "brier": brier, "base": rates, "start": float(np.abs(said[found.at == 0].mean(0) - base).max()),
    }  # fmt: skip
    return {
        "game": book.id, "players": players, "company": company, "estimator": "net",
        "matches": len(np.unique(of)), "predictions": said.size, **{name: round(one, 4) for name, one in figures.items()},
        "misses": [name for name, met in ends.items() if not met], "curve": curve(said, came),
        "date": datetime.now(UTC).date().isoformat(), "version": __version__,
    }  # fmt: skip


def head() -> str:
    """The first lines of the table."""
    names = "game", "players", "company", "matches", "error", "chance", "slope", "Brier", "base rates", "start", "misses"
    return f"| {' | '.join(names)} |\n|{' --- |' * len(names)}"


def row(one: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    """A line of it, for people and for docs/review.md."""
    slope = f"{one['slope']:.2f} ({one['low']:.2f}–{one['high']:.2f})"
    errors = " | ".join(f"{100 * one[name]:.1f}" for name in ("error", "chance"))
    return (
        f"| {titles[one['game']]} | {one['players']} | {one['company']} | {one['matches']:,} | {errors} | {slope} | "
        f"{one['brier']:.3f} | {one['base']:.3f} | {100 * one['start']:.1f} | {', '.join(one['misses'])} |"
    )


def draw(cells: Sequence[Mapping[str, Any]], titles: Mapping[str, str]) -> str:
    """The reliability plots, SVG: a row for each game, a column for each company, a line for each number of players; a dot's
    area says how many predictions are in the bin."""
    games = [game for game in titles if any(one["game"] == game for one in cells)]
    width, height = LEFT + len(COMPANIES) * (SIZE + GAP), TOP + len(games) * (SIZE + GAP) + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="system-ui, sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" fill="#fffdf6"/>',
    ]
    for k, (players, ink) in enumerate(INKS.items()):
        parts.append(f'<circle cx="{LEFT + 100 * k + 4}" cy="14" r="4" fill="{ink}"/>')
        parts.append(f'<text x="{LEFT + 100 * k + 13}" y="18" fill="#22251f">{players} players</text>')
    for column, company in enumerate(COMPANIES):
        middle = LEFT + column * (SIZE + GAP) + SIZE / 2
        name = {"strong": "strong*0.1", "strangers": "with strangers"}.get(company, company)
        style = 'text-anchor="middle" font-weight="600" fill="#22251f"'
        parts.append(f'<text x="{middle}" y="{TOP - 10}" {style}>{name}</text>')
    for line, game in enumerate(games):
        top = TOP + line * (SIZE + GAP)
        parts.append(f'<text x="8" y="{top + SIZE / 2}" font-weight="600" fill="#22251f">{escape(titles[game])}</text>')
        for column, company in enumerate(COMPANIES):
            parts.append(f'<g transform="translate({LEFT + column * (SIZE + GAP)} {top})">')
            for k in (0, 25, 50, 75, 100):
                at = SIZE * k / 100
                parts.append(f'<path d="M0 {at}h{SIZE}M{at} 0v{SIZE}" stroke="#d3cdbb" fill="none"/>')
                if column == 0 and k in (0, 50, 100):
                    parts.append(f'<text x="-5" y="{SIZE - at + 4}" text-anchor="end" fill="#5a5d52">{k}</text>')
                if line == len(games) - 1 and k in (0, 50, 100):
                    parts.append(f'<text x="{at}" y="{SIZE + 14}" text-anchor="middle" fill="#5a5d52">{k}</text>')
            parts.append(f'<path d="M0 {SIZE}L{SIZE} 0" stroke="#7f7c6c" stroke-dasharray="4 4"/>')
            for one in cells:
                if (one["game"], one["company"]) == (game, company):
                    parts += _line(one)
            parts.append("</g>")
    below = "across: predicted share of the victory, %; up: what came, %; the broken line: as predicted"
    parts.append(f'<text x="{LEFT}" y="{height - 8}" fill="#5a5d52">{below}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _line(one: Mapping[str, Any]) -> list[str]:
    ink = INKS[one["players"]]
    points = " ".join(f"{SIZE * p:.1f},{SIZE * (1 - q):.1f}" for p, q, _n in one["curve"])
    parts = [f'<polyline points="{points}" fill="none" stroke="{ink}" stroke-width="1.25"/>']
    for p, q, n in one["curve"]:
        where = f'cx="{SIZE * p:.1f}" cy="{SIZE * (1 - q):.1f}" r="{1 + 6 * (n / one["predictions"]) ** 0.5:.1f}"'
        parts.append(f'<circle {where} fill="{ink}" fill-opacity=".65"/>')
    return parts


def keep(cells: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Write these cells to the data of the package, in place of older ones; all that are there."""
    known = json.loads(CALIBRATION.read_text(encoding="utf-8"))["cells"] if CALIBRATION.exists() else []
    here = {(one["game"], one["players"], COMPANIES.index(one["company"])): one for one in (*known, *cells)}
    every = [here[key] for key in sorted(here)]
    lines = ",\n".join(json.dumps(one) for one in every)
    CALIBRATION.write_text(f'{{"cells": [\n{lines}\n]}}\n', encoding="utf-8")
    return every


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="games, comma-separated")
    parser.add_argument("--players", type=int, default=0, help="at one number of players; else at all")
    parser.add_argument("--companies", default=",".join(COMPANIES))
    parser.add_argument("--matches", type=int, default=1000, help="of a cell")
    parser.add_argument("--searching", type=int, default=150, help="matches of a cell in which bots look ahead")
    parser.add_argument("--minutes", type=float, default=60, help="of processor time for such a cell")
    parser.add_argument("--before", action="store_true", help="measure the net of the search")
    parser.add_argument("--write", action="store_true", help="keep what was measured in the package")
    parser.add_argument("--svg", type=Path, help="draw all that is kept")
    args = parser.parse_args()
    books = rulebooks()
    titles = {name: book.title for name, book in books.items()}
    wanted = [name for name in args.only.split(",") if name] or list(books)
    print(head(), flush=True)
    for name in wanted if args.matches else ():
        low, high = books[name].players
        for players in [args.players] if args.players else range(low, high + 1):
            for company in args.companies.split(","):
                cell = measured(books[name], players, company, args)
                if cell:
                    print(row(cell, titles), flush=True)
                    if args.write:
                        keep([cell])
    every = keep([]) if CALIBRATION.exists() else []
    if not args.matches:
        print("\n".join(row(one, titles) for one in every))
    if args.svg:
        args.svg.write_text(draw(every, titles), encoding="utf-8")


if __name__ == "__main__":
    main()
