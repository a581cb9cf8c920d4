"""Does accuracy tell good players from bad ones? Levels at one table, their decisions judged as a review does.

    python benchmarks/accuracy.py --matches 50 --file decisions.jsonl            play and judge; goes on where it stopped
    python benchmarks/accuracy.py --file decisions.jsonl --table                 the mean accuracy by game and level

Each match seats `random`, `easy`, `steady` and `strong` at a table for four, in an order that turns with the match. A line
of the file is a match: game, seed, who won, and by level the decisions, each (loss, stake). ± is two
standard errors over matches.
"""

from __future__ import annotations

import argparse
import json
import statistics
from functools import partial
from pathlib import Path
from typing import Any

import outbid
from outbid.bots import choose
from outbid.core import contract
from outbid.core.chance import below, stream
from outbid.core.hooks.review import moves_of, place_of
from outbid.core.rulebook import rulebooks
from outbid.review.estimator import Estimator
from outbid.review.evaluate import JudgedMove, accuracy, judged

LEVELS = ("random", "easy", "steady", "strong")


def played(game: str, seed: int, effort: float, share: float, strong: str) -> dict[str, Any]:
    """One match, judged. strong: who plays as the strongest level."""
    at = [LEVELS[(n + seed) % len(LEVELS)] for n in range(len(LEVELS))]
    match = outbid.game(game).new(players=len(at), seed=seed)
    while not match.over:
        moved = False
        for seat in match.asked:
            name = strong if at[seat] == "strong" else at[seat]
            steps = choose(match, seat, name, 1000 * seed + seat).actions
            if steps:
                match.play_steps(seat, steps)
                moved = True
                break
        if not moved and match.clock:
            match.random_move(31, seed)
        elif not moved:
            match.random_move(match.asked[0], seed)
    found: dict[str, list[tuple[float, float]]] = {level: [] for level in LEVELS}
    earlier, judge = match.at(0), Estimator(match.rulebook, match.state)
    company = judge.company()
    for move in moves_of(match):
        chosen = below(stream(seed, move.number), 1000) < 1000 * share
        second, doubt = partial(judge.after, told=company.told), judge.doubt(company.told)
        one = judged(earlier, move, seed, effort, True, doubt, second) if chosen else None
        state = earlier.state.copy()
        for action in match.rulebook.words.steps(state, place_of(move.seat), move.said):
            company.heed(state, place_of(move.seat), action)
            contract.apply(state, place_of(move.seat), action)
        earlier.play(move.seat, move.said)
        if one:
            found[at[one.seat]].append((round(one.loss, 4), round(one.stake, 4)))
    return {"game": game, "seed": seed, "won": [at[seat] for seat in match.winners], "decisions": found}


def of(decisions: list[list[float]]) -> float | None:
    """The accuracy of somebody's decisions in one match."""
    return accuracy([JudgedMove(n, 0, 0.0, 0.0, loss, 0.0, None, {}, stake) for n, (loss, stake) in enumerate(decisions)])


def table(file: Path) -> str:
    """Means by game and level."""
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    rows = [f"| game | matches | {' | '.join(LEVELS)} |", "| --- |" + " --- |" * (1 + len(LEVELS))]
    for game in sorted({one["game"] for one in lines}):
        own = [one for one in lines if one["game"] == game]
        cells = []
        for level in LEVELS:
            each = [found for one in own if (found := of(one["decisions"][level])) is not None]
            spread = 2 * statistics.stdev(each) / len(each) ** 0.5 if len(each) > 1 else 0.0
            cells.append(f"{statistics.mean(each):.1f} ± {spread:.1f}" if each else "–")
        rows.append(f"| {rulebooks()[game].title} | {len(own)} | {' | '.join(cells)} |")
    return "\n".join(rows)


def main() -> None:
    """Play, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", type=Path, required=True)
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--effort", type=float, default=0.3, help="of the judge; a review takes 0.3")
    parser.add_argument("--share", type=float, default=1.0, help="of the decisions, drawn at random, that are judged")
    parser.add_argument("--strong", default="strong", help="who plays as that: strong*0.1, for less time")
    parser.add_argument("--only", default=",".join(sorted(rulebooks())))
    parser.add_argument("--table", action="store_true")
    args = parser.parse_args()
    if args.table:
        print(table(args.file))
        return
    known = {(one["game"], one["seed"]) for line in (args.file.read_text() if args.file.exists() else "").splitlines()
             for one in [json.loads(line)]}  # fmt: skip
    for seed in range(args.matches):
        for game in args.only.split(","):
            if (game, seed) not in known:
                with args.file.open("a") as out:
                    out.write(json.dumps(played(game, seed, args.effort, args.share, args.strong)) + "\n")


if __name__ == "__main__":
    main()
