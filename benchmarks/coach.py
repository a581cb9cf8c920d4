"""How often the coach of a table is right, and how much it sees.

    python benchmarks/coach.py [--games claim,rivals] [--decisions 300] [--file said.jsonl]
    python benchmarks/coach.py --file said.jsonl --table

Matches of a `beginner` with an `easy` and a `steady` bot, from the seeds for reports; every `EVERY`-th of the beginner's
decisions in which there is a choice. The coach (server/domain/advice/coach.py) is asked about the beginner's move twice: as
it is when `strong` is ready, and as it is before, when it knows the rules alone. Where it speaks, or where the move loses
10 % of the victory or may, by three errors of what `strong` weighed, `strong` searches once more with ten times the
rollouts, and the best of its moves, the beginner's and those that the coach named are played on in ten times the worlds.

| column | is |
| --- | --- |
| agreed | of the moves that the coach objected to, those than which the named one is worth more by that: of the victory, |
| | or of the points where the chances differ by less than 2 % |
| blunders | of the moves that lose 10 % or more by that (by rollouts, more than three errors of them, and by the net of |
| | the reviews where there is one), those that the coach objected to |
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from typing import Any

from outbid.bots import CALLED, STEADY, LookAhead, Seat, choose
from outbid.bots.decision import CERTAIN, LITTLE_CHANCE
from outbid.bots.strong import BESIDE, long_evaluated, opinions, played_on, scored
from outbid.bots.weighing import ahead, weighed
from outbid.core import contract
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook, rulebooks
from outbid.runs.seeds import seed_of
from outbid.server.domain.advice.coach import MUCH, objectionable, ruled_out

BOTS = ("beginner", "easy", "steady")
EVERY = 3
FIRST = 5000  # of the seeds, none of which anybody has looked at
TIMES = 10  # as many rollouts, for the judge of the coach
WORLDS, ENDS = 50, 24  # in which `strong` weighs moves, and counts points

Row = dict[str, Any]


def positions(book: Rulebook, purpose: str = "report") -> Iterator[Seat]:
    """Seats of the beginner, who has a choice and means a move."""
    for number in count(FIRST):
        seed = seed_of(purpose, number)
        match = Match.new(book, {}, len(BOTS), seed, CALLED[: len(BOTS)])
        turn = number
        while not match.over:
            if not match.asked:
                match.random_move(contract.CLOCK, seed)
                continue
            asked = match.asked[0]
            bot = BOTS[(asked + number) % len(BOTS)]
            actions = choose(match, asked, bot, seed).actions
            if bot == BOTS[0] and not match.legal(asked).forced:
                turn += 1
                if actions and turn % EVERY == 0:
                    yield replace(Seat.of(match, asked, seed), meant=actions, counsel=True)
            match.play_steps(asked, actions)


def measured(seat: Seat) -> Row:
    """What the coach says of the move that a seat means, and whether that is so."""
    decision, heuristic = LookAhead("strong", "", compiled=True).decide(seat), STEADY.decide(seat)
    objection, meant = objectionable(seat, decision), next((m for m in decision.weighed if m.actions == seat.meant), None)
    named = {"strong": decision.actions} if objection else {}
    named |= {"rules": heuristic.actions} if ruled_out(seat, heuristic) else {}
    if not named and (meant is None or meant.ahead + CERTAIN * meant.error < MUCH):
        return {"blunder": False}
    again = replace(seat, seed=seat.seed + 1)
    values, best = LookAhead("strong", "", TIMES, compiled=True).evaluated(again, [seat.meant, *named.values()])
    listed = [values[best], *long_evaluated(values, values[best])[:BESIDE]]
    moves = list(dict.fromkeys([*(move.actions for move in listed), seat.meant, *named.values()]))
    worths = played_on(again, moves, TIMES * WORLDS)
    judged = next(move for move in weighed(seat, moves, worths, opinions(again, moves)) if move.actions == seat.meant)
    points = scored(again, moves, True, TIMES * ENDS) if named else worths

    def agreed(actions: tuple[int, ...]) -> bool:
        leads = [ahead(each, moves.index(actions), moves.index(seat.meant))[0] for each in (worths, points)]
        return leads[abs(leads[0]) < LITTLE_CHANCE] > 0

    return {
        "blunder": judged.sure and judged.less >= MUCH,
        "less": judged.less,
        **{judge: agreed(actions) for judge, actions in named.items()},
    }


def table(rows: list[Row]) -> str:
    """The table of docs/review.md."""
    lines = [
        "| game | decisions | `strong`: agreed | blunders | rules alone: agreed | blunders |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for game in sorted({row["game"] for row in rows}):
        each = [row for row in rows if row["game"] == game]
        blunders = [row for row in each if row["blunder"]]
        cells = [rulebooks()[game].title, f"{len(each):,}"]
        for judge in ("strong", "rules"):
            said = [row[judge] for row in each if judge in row]
            cells += [f"{sum(said)} of {len(said)}", f"{sum(judge in row for row in blunders)} of {len(blunders)}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", default=",".join(rulebooks()), help="ids, separated by commas")
    parser.add_argument("--decisions", type=int, default=300, help="of each game")
    parser.add_argument("--file", type=Path, help="where decisions are appended, or read for --table")
    parser.add_argument("--table", action="store_true", help="print the table of the file")
    given = parser.parse_args()
    rows: list[Row] = []
    if given.table:
        rows = [json.loads(line) for line in given.file.read_text(encoding="utf-8").splitlines()]
    for game in () if given.table else given.games.split(","):
        for seat in islice(positions(rulebooks()[game]), given.decisions):
            rows.append({"game": game, **measured(seat)})
            if given.file:
                with given.file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(rows[-1]) + "\n")
        print(game, file=sys.stderr)
    print(table(rows))


if __name__ == "__main__":
    main()
