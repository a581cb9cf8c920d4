"""Write the table of reference agents into docs/bench-1.md, from docs/bench-1.json: `python docs/bench_1.py`.

    python docs/bench_1.py --measure --minutes 30        # measures what is missing, as long as there is time, and goes on

Each agent in each task is measured once, as by `outbid eval AGENT --task TASK`.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from outbid import solve
from outbid.facade import Game
from outbid.lab.suite.evaluate import DEALS, ITERATIONS, evaluate, rank
from outbid.lab.suite.tasks import named, tasks
from outbid.version import __version__

PAGE = Path(__file__).parent / "bench-1.md"
STORE = Path(__file__).parent / "bench-1.json"
TABLE = re.compile(r"(<!-- table: reference -->\n).*?(<!-- end of table -->)", re.DOTALL)
SOLVER = "CFR+"  # in the small games, whatever the others are
AGENTS = (SOLVER, "random", "easy", "steady@1", "steady", "net", "keen", "sharp", "strong")
Results = Sequence[Mapping[str, Any]]


def results() -> list[dict[str, Any]]:
    """What was measured: the row of a task, with agent, version and date."""
    return json.loads(STORE.read_text(encoding="utf-8")) if STORE.exists() else []


def missing(known: Results) -> list[tuple[str, str]]:
    """Agents and tasks that were not measured, the core suite first."""
    done = {(row["agent"], row["task"]) for row in known}
    order = sorted(tasks().values(), key=lambda task: (not task.core, not task.solved))
    wanted = [(agent, task) for agent in AGENTS for task in order if task.solved or agent != SOLVER]
    return [(agent, task.name) for agent, task in wanted if (agent, task.name) not in done]


def measure(agent: str, task: str) -> None:
    """Measure an agent in a task and write it into the store."""
    if agent == SOLVER:
        [entry] = named([task])
        tree = solve.tree(Game(entry.book, entry.options), entry.players)
        row = {"task": task, "nash_conv": solve.nash_conv(tree, solve.cfr_plus(tree, ITERATIONS))}
    else:
        [row] = evaluate(agent, named([task]), DEALS)["tasks"]
    about = {"agent": agent, "version": __version__, "date": datetime.now(UTC).date().isoformat()}
    STORE.write_text(json.dumps([*results(), about | row], indent=1) + "\n", encoding="utf-8")


def written(page: str, known: Results) -> str:
    """The page with its table."""
    by_place = {(row["agent"], row["task"]): row for row in known}
    columns = [task for task in tasks() if any(place[1] == task for place in by_place)]
    rows = [["agent", *(f"`{task}`" for task in columns), "score"], ["---"] * (len(columns) + 2)]
    ranks = {agent: rank({"tasks": [row for row in known if row["agent"] == agent]}) for agent in AGENTS}
    order = sorted(AGENTS, key=lambda agent: (agent == SOLVER, ranks[agent]), reverse=True)
    for agent in order:
        cells = [by_place.get((agent, task)) for task in columns]
        if any(cells):
            core = [by_place[agent, task.name] for task in tasks().values() if task.core and (agent, task.name) in by_place]
            shares = [row["share"] / row["equal"] for row in core if "share" in row]
            score = f"**{sum(shares) / len(shares):.2f}**" if len(shares) == 5 else ""
            rows.append([f"`{agent}`" if agent != SOLVER else agent, *map(cell, cells), score])
    dates = sorted({f"{row['date']}, version {row['version']}" for row in known})
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return TABLE.sub(lambda found: f"{found[1]}\n{table}\n\nMeasured {'; '.join(dates)}.\n\n{found[2]}", page)


def cell(row: Mapping[str, Any] | None) -> str:
    """A result in the table."""
    if row is None or "skipped" in row:
        return ""
    if "nash_conv" in row:
        return f"{max(0.0, row['nash_conv']):.3f}"
    return f"{100 * row['share']:.1f} ({100 * row['low']:.1f}–{100 * row['high']:.1f})"


def main() -> None:
    """Measure if asked, and write the page."""
    parser = argparse.ArgumentParser(description="The table of docs/bench-1.md, from docs/bench-1.json.")
    parser.add_argument("--measure", action="store_true", help="measure what is missing")
    parser.add_argument("--minutes", type=float, default=30, help="begin nothing more after so long")
    parser.add_argument("--agents", default=",".join(AGENTS), help="only these, comma-separated")
    parser.add_argument("--core", action="store_true", help="only the core suite")
    args = parser.parse_args()
    begin = time.monotonic()
    for agent, task in missing(results()) if args.measure else ():
        wanted = agent in args.agents.split(",") and (tasks()[task].core or not args.core)
        if wanted and time.monotonic() - begin < 60 * args.minutes:
            print(agent, task, flush=True)
            measure(agent, task)
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), results()), encoding="utf-8")


if __name__ == "__main__":
    main()
