"""How far what stands beside an advice agrees with it, and with the curve: before moves were weighed, and now.

    python benchmarks/advice.py --games claim,rivals --positions 1000 [--budget 0.1] [--sure 10] [--file decisions.jsonl]
    python benchmarks/advice.py --file decisions.jsonl --table
    python benchmarks/advice.py --off --positions 300 --file off.jsonl [--table]

Matches of `steady` and `easy` for three players, from the seeds for reports; every fifth move, if there is a choice. A list
is told **before** as hints had it: the move of the search, and the three best of the others that were looked at long, with
the numbers of the search; and **now** as `weighed` has it (bots/weighing.py), both with the same budget.

| column | is |
| --- | --- |
| listed better | lists in which another move is worth at least two points more than the one that is advised |
| against the curve | lists in which the net of the reviews, which is told who sits there as the curve is, prefers a listed |
| | move to the advised one by more than 3 % and two errors |
| said so | of those, now: the lists beside which the sentence stands that the two judges differ |
| lost | of the victory, by `--sure` times the worlds, drawn anew: how much better the best of the list is than the advised |
| | move (mean, and the part of positions in which it is more than 5 % and three errors) |

`--off` measures instead how far the net is off in what lies between two moves, on the seeds for selection: the mean of the
squared difference to the rollouts, less the squared error of those. It takes the place of the cell of that kind in
src/outbid/bots/weighing.json, from which the judge knows how much to believe the net.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from outbid.bots import CALLED, EvaluatedMove, LookAhead, Seat, choose
from outbid.bots.decision import CLEARLY, MARGIN
from outbid.bots.strong import BESIDE, long_evaluated, opinions, played_on
from outbid.bots.weighing import KINDS, MEASURED, ahead, kind_of
from outbid.core import contract
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook, rulebooks
from outbid.review.estimator import Estimator
from outbid.runs.seeds import seed_of

BETTER = 0.02  # of the victory: what the list says of another move
WORSE, CERTAIN = 0.05, 3.0  # of the victory, and errors: what the advised move loses
EVERY = 5
ENOUGH = 20  # positions of a kind, at least, for how far the net is off there


def positions(book: Rulebook, purpose: str = "report") -> Iterator[tuple[Seat, Any]]:
    """Seats that have a choice, and the estimator of their match with what it has been told of the players."""
    for number in count():
        seed = seed_of(purpose, number)
        match = Match.new(book, {}, 3, seed, CALLED[:3])
        judge = Estimator(book, match.state)
        company = judge.company()
        while not match.over:
            if not match.asked:
                match.random_move(contract.CLOCK, seed)
                continue
            asked = match.asked[0]
            if len(match.moves) % EVERY == seed % EVERY and not match.legal(asked).forced:
                yield Seat.of(match, asked, seed), (judge, company.told.copy())
            actions, state = choose(match, asked, ("steady", "easy")[asked & 1], seed).actions, match.state.copy()
            for action in actions:
                company.heed(state, asked, action)
                contract.apply(state, asked, action)
            match.play_steps(asked, actions)


def measured(seat: Seat, judge: Estimator, told: Any, budget: float, sure: float) -> dict[str, Any] | None:
    """What is said of one position, before and now; none where there is nothing beside the move."""
    adviser = LookAhead("strong", "", budget, compiled=True)
    values, best = adviser.evaluated(seat)
    decision = adviser.decide(replace(seat, counsel=True))
    if len(decision.weighed) < 2 or not values:
        return None
    own: EvaluatedMove = values[best]
    listed = [own, *long_evaluated(values, own)[:BESIDE]]
    moves = list(dict.fromkeys([*(move.actions for move in listed), *(move.actions for move in decision.weighed)]))
    chances = judge.after(seat, moves, told)
    worlds = round(sure * 200 * budget)
    worths = played_on(replace(seat, seed=seat.seed + 1), moves, max(60, worlds), True)

    def against(first: tuple[int, ...], others: list[tuple[int, ...]]) -> bool:
        if chances is None:
            return False
        pairs = (ahead(chances, moves.index(other), moves.index(first)) for other in others)
        return any(lead > max(CLEARLY, MARGIN * error) for lead, error in pairs)

    def lost(first: tuple[int, ...]) -> tuple[float, bool]:
        pairs = [ahead(worths, k, moves.index(first)) for k in range(len(moves))]
        return max(lead for lead, _error in pairs), any(lead > max(WORSE, CERTAIN * error) for lead, error in pairs)

    first, *others = decision.weighed
    return {
        "before": {
            "better": any(move.value >= own.value + BETTER for move in listed[1:]),
            "against": against(own.actions, [move.actions for move in listed[1:]]),
            "lost": lost(own.actions),
        },
        "now": {
            "better": any(round(move.less, 4) <= -BETTER for move in others),
            "against": against(first.actions, [move.actions for move in others]),
            "said": any(move.disputed for move in others),
            "lost": lost(first.actions),
        },
    }


def apart(seat: Seat, budget: float, sure: float) -> dict[str, Any] | None:
    """The kind of a position; and of each move beside the best how far apart net and rollouts are in what lies between the
    two, and the error of that."""
    values, best = LookAhead("strong", "", budget, compiled=True).evaluated(seat)
    moves = [move.actions for move in (values[best], *long_evaluated(values, values[best])[:BESIDE])] if values else []
    chances = opinions(seat, moves) if len(moves) > 1 else None
    if chances is None:
        return None
    worths = played_on(replace(seat, seed=seat.seed + 1), moves, max(60, round(sure * 200 * budget)), True)
    pairs = [(ahead(chances, 0, k)[0], *ahead(worths, 0, k)) for k in range(1, len(moves))]
    return {"kind": kind_of(float(chances.mean())), "apart": [(told - seen, error) for told, seen, error in pairs]}


def cells(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """How far the net is off, by game and kind of position."""
    found, date = [], datetime.now(UTC).date().isoformat()
    for game in sorted({row["game"] for row in rows}):
        for kind, _below in KINDS:
            each = [row["apart"] for row in rows if (row["game"], row["kind"]) == (game, kind)]
            squares = [gap**2 - error**2 for pairs in each for gap, error in pairs]
            if len(each) >= ENOUGH:
                off = round(max(0.0, sum(squares) / len(squares)) ** 0.5, 3)
                found.append({"game": game, "kind": kind, "positions": len(each), "off": off, "date": date})
    return found


def _among(cell: dict[str, Any], new: list[dict[str, Any]]) -> bool:
    return any((cell["game"], cell["kind"]) == (each["game"], each["kind"]) for each in new)


def table(rows: list[dict[str, Any]]) -> str:
    """The table of docs/review.md."""
    lines = [
        "| game | positions | listed better | against the curve | said so | lost: mean, often |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for game in sorted({row["game"] for row in rows}):
        each = [row for row in rows if row["game"] == game]

        def part(when: str, what: str, each: list[dict[str, Any]] = each) -> int:
            return sum(bool(row[when][what]) for row in each)

        def losses(when: str, each: list[dict[str, Any]] = each) -> str:
            mean = sum(row[when]["lost"][0] for row in each) / len(each)
            return f"{100 * mean:.1f} %, {100 * sum(row[when]['lost'][1] for row in each) / len(each):.1f} %"

        said = sum(row["now"]["against"] and row["now"]["said"] for row in each)
        lines.append(
            f"| {rulebooks()[game].title} | {len(each):,} | {part('before', 'better')} → {part('now', 'better')} | "
            f"{part('before', 'against')} → {part('now', 'against')} | {said} | {losses('before')} → {losses('now')} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", default=",".join(rulebooks()), help="ids, separated by commas")
    parser.add_argument("--positions", type=int, default=1000, help="positions of each game")
    parser.add_argument("--budget", type=float, default=0.1, help="times the rollouts of strong")
    parser.add_argument("--sure", type=float, default=10.0, help="times as many worlds for what a move loses")
    parser.add_argument("--file", type=Path, help="where decisions are appended, or read for --table")
    parser.add_argument("--table", action="store_true", help="print the table of the file")
    parser.add_argument("--off", action="store_true", help="measure how far the net is off, and write that down")
    given = parser.parse_args()
    rows: list[dict[str, Any]] = []
    if given.table:
        rows = [json.loads(line) for line in given.file.read_text(encoding="utf-8").splitlines()]
    for game in () if given.table else given.games.split(","):
        done = 0
        for seat, (judge, told) in positions(rulebooks()[game], "selection" if given.off else "report"):
            if given.off:
                row = apart(seat, given.budget, given.sure)
            else:
                row = measured(seat, judge, told, given.budget, given.sure)
            if row:
                rows.append({"game": game, **row})
                done += 1
                if given.file:
                    with given.file.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(rows[-1]) + "\n")
            if done == given.positions:
                break
        print(game, done, file=sys.stderr)
    if given.off:
        new = cells(rows)
        others = [cell for cell in json.loads(MEASURED.read_text(encoding="utf-8"))["cells"] if not _among(cell, new)]
        lines = ",\n".join(map(json.dumps, sorted(others + new, key=lambda cell: cell["game"])))
        MEASURED.write_text(f'{{"cells": [\n{lines}\n]}}\n', encoding="utf-8")
        print(lines)
    else:
        print(table(rows))


if __name__ == "__main__":
    main()
