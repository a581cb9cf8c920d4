"""How far the win probabilities of reviews can be believed: predicted shares of the victory beside what came.

    python benchmarks/calibration.py [--only GAME,…] [--players N] [--games 100] [--positions 6] [--worlds 64] [--playouts]
                                     [--svg FILE]

Matches are played from the seeds for reports (lab/seeds.py), from which the estimator (review/estimator.py) has learned
nothing. Each seat is drawn for each match from `SLIPS` (bots/nets/dataset.py): a heuristic player that makes any legal move
never, now and then, or often. Nets were trained on players of this kind: this measures new deals, not other ways of playing.
At `positions` evenly spread points of each match, between moves, each seat's share is predicted.

The expected calibration error: predictions are sorted into ten bins from 0 to 1; in each the mean prediction is compared
with the mean result; the differences are averaged, each bin for its number of predictions. Matches are few, so that even a
perfect estimator would not show 0: `chance` is what it would show on the average, from draws of results by the predictions.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.bots import Seat, bot
from outbid.bots.nets.dataset import SLIPS
from outbid.compiled.loops import columns, count_step
from outbid.core.chance import below, stream
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook, rulebooks
from outbid.lab.seeds import seed_of
from outbid.review.estimator import Estimator, shares

PHASES = ("early", "middle", "late")  # thirds of a match
BINS = 10
DRAWS = 200
SIZE, MARGIN = 210, 44  # of a panel, in pixels


def played(book: Rulebook, players: int, seed: int) -> tuple[Match, list[tuple[int, Any, list[int]]]]:
    """A match, and its positions between moves: how many moves were made, the state, moves and steps of each seat."""
    match, tally = Match.new(book, {}, players, seed), [0] * columns(players)
    slips = [SLIPS[below(stream(seed, 50 + seat), len(SLIPS))] for seat in range(players)]
    found = []
    while not match.over:
        number, seat = len(match.moves), match.asked[0]
        found.append((number, match.state, list(tally)))
        name = "random" if below(stream(seed, 1000 + number), 1000) < slips[seat] else "steady"
        actions = bot(name).decide(Seat.of(match, seat, seed)).actions
        match.play_steps(seat, actions)
        for _ in actions:
            count_step(match.state, seat, players, tally)
    return match, found


def predictions(book: Rulebook, players: int, games: int, positions: int, worlds: int, use_net: bool) -> dict[str, Any]:
    """Predicted shares, what came, and the phase, by match, position and seat."""
    said, came, phase = [], [], []
    for number in range(games):
        seed = stream(seed_of("report", 600), number)
        match, found = played(book, players, seed)
        judge = Estimator(book, match.state, use_net=use_net)
        rows = [found[len(found) * k // positions] for k in range(positions)]
        dealt = [(judge.worlds(state, worlds, seed), tally) for _made, state, tally in rows]
        said.append([judge.values(each, seed, tally, still=True).mean(0) for each, tally in dealt])
        came.append(shares(match.state))
        phase.append([min(2, 3 * made // len(match.moves)) for made, _state, _tally in rows])
    return {"said": np.array(said), "came": np.array(came), "phase": np.array(phase), "estimator": judge.name}


def curve(said: NDArray[np.float64], came: NDArray[np.float64]) -> list[tuple[float, float, int]]:
    """Of each bin that is not empty: the mean prediction, the mean of what came, how many predictions."""
    at = np.minimum((said * BINS).astype(int), BINS - 1)
    bins = [(said[at == k], came[at == k]) for k in range(BINS)]
    return [(float(p.mean()), float(q.mean()), len(p)) for p, q in bins if len(p)]


def error(said: NDArray[np.float64], came: NDArray[np.float64]) -> float:
    """The expected calibration error."""
    return sum(abs(p - q) * n for p, q, n in curve(said, came)) / said.size


def by_chance(said: NDArray[np.float64], rng: np.random.Generator) -> float:
    """The error that a perfect estimator would show: the winner at each position is drawn by what was predicted there,
    all of a match by the same random number."""
    found = []
    ends = np.cumsum(said, axis=2)
    for _ in range(DRAWS):
        drawn = rng.random((len(said), 1, 1)) * ends[:, :, -1:]
        won = (drawn >= ends).sum(2, keepdims=True) == np.arange(said.shape[2])
        found.append(error(said.ravel(), won.ravel().astype(float)))
    return float(np.mean(found))


def measured(book: Rulebook, players: int, args: argparse.Namespace) -> dict[str, Any]:
    """The calibration of one game."""
    found = predictions(book, players, args.games, args.positions, args.worlds, not args.playouts)
    said = found["said"]
    came = np.broadcast_to(found["came"][:, None, :], said.shape)
    phases = {
        name: error(said[found["phase"] == k].ravel(), came[found["phase"] == k].ravel())
        for k, name in enumerate(PHASES)
        if (found["phase"] == k).any()
    }
    return {
        "game": book.id,
        "title": book.title,
        "players": players,
        "estimator": found["estimator"],
        "matches": args.games,
        "predictions": said.size,
        "error": error(said.ravel(), came.ravel()),
        "chance": by_chance(said, np.random.default_rng(1)),
        "phases": phases,
        "curve": curve(said.ravel(), came.ravel()),
    }


def as_text(results: Sequence[dict[str, Any]]) -> str:
    """A table for people and for docs/review.md."""
    lines = ["| game | estimator | matches, predictions | error | by chance | early | middle | late |", "|" + " --- |" * 8]
    for one in results:
        phases = " | ".join(f"{100 * one['phases'][name]:.1f}" if name in one["phases"] else "–" for name in PHASES)
        lines.append(
            f"| {one['title']}, {one['players']} players | {one['estimator']} | {one['matches']}, {one['predictions']:,} | "
            f"**{100 * one['error']:.1f}** | {100 * one['chance']:.1f} | {phases} |"
        )
    return "\n".join(lines)


def draw(results: Sequence[dict[str, Any]]) -> str:
    """The reliability plot, SVG: a row for each game, a panel for each number of players; a dot's area says how many
    predictions are in the bin."""
    rows = [list(group) for _game, group in groupby(results, key=lambda one: one["game"])]
    width, height = (SIZE + MARGIN) * max(map(len, rows)) + 16, (SIZE + 2 * MARGIN) * len(rows) + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="system-ui, sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#fffdf6"/>',
    ]
    for row, column, one in ((row, column, one) for row, group in enumerate(rows) for column, one in enumerate(group)):
        left, top = MARGIN + column * (SIZE + MARGIN), MARGIN + row * (SIZE + 2 * MARGIN)
        parts.append(f'<g transform="translate({left} {top})">')
        name = f"{escape(one['title'])}, {one['players']} players"
        parts.append(f'<text x="0" y="-18" font-size="14" font-weight="600" fill="#22251f">{name}</text>')
        wrong = f"error {100 * one['error']:.1f} points"
        parts.append(f'<text x="{SIZE}" y="-5" text-anchor="end" fill="#5a5d52">{wrong}</text>')
        for k in range(0, 101, 25):
            at = SIZE * k / 100
            parts.append(f'<path d="M0 {at}h{SIZE}M{at} 0v{SIZE}" stroke="#d3cdbb" fill="none"/>')
            parts.append(f'<text x="{at}" y="{SIZE + 16}" text-anchor="middle" fill="#5a5d52">{k}</text>')
            if column == 0:
                parts.append(f'<text x="-6" y="{SIZE - at + 4}" text-anchor="end" fill="#5a5d52">{k}</text>')
        parts.append(f'<path d="M0 {SIZE}L{SIZE} 0" stroke="#7f7c6c" stroke-dasharray="4 4"/>')
        points = " ".join(f"{SIZE * p:.1f},{SIZE * (1 - q):.1f}" for p, q, _n in one["curve"])
        parts.append(f'<polyline points="{points}" fill="none" stroke="#23503f" stroke-width="1.5"/>')
        for p, q, n in one["curve"]:
            where = f'cx="{SIZE * p:.1f}" cy="{SIZE * (1 - q):.1f}" r="{2 + 10 * (n / one["predictions"]) ** 0.5:.1f}"'
            parts.append(f'<circle {where} fill="#23503f" fill-opacity=".65"/>')
        below = f'x="{SIZE / 2}" y="{SIZE + 34}" text-anchor="middle"'
        parts.append(f'<text {below} fill="#5a5d52">predicted share, %; up: what came, %</text></g>')
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="games, comma-separated")
    parser.add_argument("--games", type=int, default=100, help="matches of each game")
    parser.add_argument("--positions", type=int, default=6, help="of each match")
    parser.add_argument("--worlds", type=int, default=64, help="in which a position is judged")
    parser.add_argument("--players", type=int, default=0, help="at one number of players; else at all")
    parser.add_argument("--playouts", action="store_true", help="play on, also where there is a value net")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--svg", type=Path, help="write the reliability plot to this file")
    args = parser.parse_args()
    books = rulebooks()
    wanted = [name for name in args.only.split(",") if name] or list(books)
    results = []
    for name in wanted:
        low, high = books[name].players
        for players in [args.players] if args.players else range(low, high + 1):
            results.append(measured(books[name], players, args))
            if not args.json:
                print(as_text(results[-1:]) if len(results) == 1 else as_text(results[-1:]).splitlines()[-1], flush=True)
    if args.json:
        print(json.dumps(results))
    if args.svg:
        args.svg.write_text(draw(results), encoding="utf-8")


if __name__ == "__main__":
    main()
