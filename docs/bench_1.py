"""Write the table of reference agents into docs/bench-1.md, from docs/bench-1.json: `python docs/bench_1.py`.

    python docs/bench_1.py --measure --minutes 30        # measures what is missing, as long as there is time, and goes on
    python docs/bench_1.py --deep --minutes 30           # in the core suite what exploiters take, and what decisions lose

Each agent in each task is measured once, as by `outbid eval AGENT --task TASK`. One that learns is trained before, once for
each of its seeds, by a script of examples/ with the same settings in all games; its nets are in `runs/bench-1`. A training
that was interrupted begins anew.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import re
import runpy
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from outbid import solve
from outbid.bots import load_bot
from outbid.facade import Game
from outbid.lab.bench import processor
from outbid.lab.suite.candidate import Candidate
from outbid.lab.suite.evaluate import DEALS, ITERATIONS, evaluate, examined, rank
from outbid.lab.suite.tasks import named, tasks
from outbid.version import __version__

PAGE = Path(__file__).parent / "bench-1.md"
STORE = Path(__file__).parent / "bench-1.json"
TABLE = re.compile(r"(<!-- table: reference -->\n).*?(<!-- end of table -->)", re.DOTALL)
SOLVER = "CFR+"  # in the small games, whatever the others are
AGENTS = (SOLVER, "random", "easy", "steady@1", "steady", "net", "keen", "sharp", "strong")
EXAMPLES = Path(__file__).parents[1] / "examples"
NETS = Path("runs") / "bench-1"
SEEDS = (1, 2, 3, 4, 5)
RATE = "--rate 1e-3 --entropy 0.005"
LEARNERS = {  # a script and its settings: about 200,000 decisions, the first 30 % those of steady, to be imitated
    "PPO": "train_ppo.py --decisions 200000 --teach 60000 --guide 0.5 --matches 128 --measure-every 9999 --last-deals 9 "
    + RATE,
    "MaskablePPO": "train_maskable.py --steps 140000 --teach 0.47 --against steady --reward win --batch 512 --points 1 "
    f"--deals 9 --last-deals 9 {RATE}",
    "PPO with a league": f"train_league.py --decisions 200000 --teach 60000 {RATE}",
}
SMALL_LEARNERS = {"NFSP": "nfsp.py --rounds 400", "Deep CFR": "deep_cfr.py --iterations 8"}  # in the small games
RESAMPLES = 10_000
Results = Sequence[Mapping[str, Any]]


def results() -> list[dict[str, Any]]:
    """What was measured: the row of a task, with agent, version and date."""
    return json.loads(STORE.read_text(encoding="utf-8")) if STORE.exists() else []


def missing(known: Results) -> list[tuple[str, str, int | None]]:
    """Agents, tasks and, of those that learn, seeds that were not measured, the core suite first."""
    done = {(row["agent"], row["task"], row.get("seed")) for row in known}
    order = sorted(tasks().values(), key=lambda task: (not task.core, not task.solved))
    wanted = [(agent, task.name, None) for agent in AGENTS for task in order if task.solved or agent != SOLVER]
    core, small = [task.name for task in order if task.core], [task.name for task in order if task.solved]
    learnt = [(agent, task, seed) for seed in SEEDS for task in core for agent in LEARNERS]
    learnt += [(agent, task, seed) for seed in SEEDS for task in small for agent in SMALL_LEARNERS]
    return [place for place in (*wanted, *learnt) if place not in done]


def folder(agent: str, task: str, seed: int) -> Path:
    """Where the net of a training is."""
    return NETS / f"{agent.replace(' ', '-')}-{task}-{seed}"


def trained(agent: str, task: str, seed: int) -> tuple[Path, dict[str, Any]]:
    """The folder of an agent that has learned, and what that cost. Raises SystemExit if the training was stopped."""
    out = folder(agent, task, seed)
    script, *settings = (LEARNERS | SMALL_LEARNERS)[agent].split()
    players = f"--players {tasks()[task].players}" if agent in LEARNERS else ""
    place = f"--game {tasks()[task].game} {players} --seed {seed} --out {out}"
    begin = time.process_time()
    with patch.object(sys, "argv", [script, *settings, *place.split()]):
        runpy.run_path(str(EXAMPLES / script), run_name="__main__")
    seconds = round(time.process_time() - begin, 1)
    last = curve(out)
    steps = next(int(float(last[key])) for key in ("decisions", "steps", "matches") if key in last)
    if agent in LEARNERS and steps < int(settings[1]):
        raise SystemExit("The training was stopped.")
    net = out / ("net.npz" if agent in LEARNERS else "policy.npz")
    digest = hashlib.sha256(net.read_bytes()).hexdigest()
    return out, {"seed": seed, "steps": steps, "train_seconds": seconds, "net": digest, "processor": processor()}


def curve(out: Path) -> dict[str, str]:
    """The last row of what a training wrote on its way."""
    *_, last = csv.DictReader((out / "curve.csv").read_text(encoding="utf-8").splitlines())
    return last


def measure(agent: str, task: str, seed: int | None = None) -> None:
    """Measure an agent in a task and write it into the store. seed: of the training of one that learns."""
    if seed is not None:
        out, row = trained(agent, task, seed)
        if agent in LEARNERS:
            row |= evaluate(f"net@{out / 'net.npz'}", named([task]), DEALS)["tasks"][0]
        else:
            row |= {"task": task, "nash_conv": float(curve(out)["nash_conv"])}
    elif agent == SOLVER:
        [entry] = named([task])
        tree = solve.tree(Game(entry.book, entry.options), entry.players)
        row = {"task": task, "nash_conv": solve.nash_conv(tree, solve.cfr_plus(tree, ITERATIONS))}
    else:
        [row] = evaluate(agent, named([task]), DEALS)["tasks"]
    about = {"agent": agent, "version": __version__, "date": datetime.now(UTC).date().isoformat()}
    keep([*results(), about | row])


def keep(rows: Results) -> None:
    """Write what was measured into the store."""
    STORE.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def median(known: Results, agent: str, task: str) -> Any:
    """The row that stands for an agent in a task: that of the median seed, if all were trained; None if there is none."""
    runs = [row for row in known if (row["agent"], row["task"]) == (agent, task) and "share" in row]
    if len(runs) < (len(SEEDS) if agent in LEARNERS else 1):
        return None
    return sorted(runs, key=lambda row: row["share"])[(len(runs) - 1) // 2]


def unexamined(known: Results) -> list[tuple[str, str]]:
    """Agents and tasks of the core suite whose deep columns are missing."""
    places = [(agent, task.name) for agent in (*AGENTS, *LEARNERS) for task in tasks().values() if task.core]
    return [place for place in places if "exploit" not in (median(known, *place) or {"exploit": 0})]


def examine(agent: str, task: str) -> None:
    """Measure the deep columns of an agent in a task, and write them into its row."""
    known = results()
    row = median(known, agent, task)
    name = f"net@{folder(agent, task, row['seed']) / 'net.npz'}" if "seed" in row else agent
    row |= examined(tasks()[task], name, Candidate(load_bot(name)), None)
    keep(known)


def deep(known: Results) -> list[str]:
    """The table of the deep columns, a line each; none if nothing was measured."""
    places = [(agent, task.name) for agent in (*AGENTS, *LEARNERS) for task in tasks().values()]
    rows = [median(known, *place) for place in places]
    cells = [
        f"| {row['agent']} | `{row['task']}` | {100 * row['exploit']:.1f} | "
        f"{'' if row['loss'] is None else format(100 * row['loss'], '.2f')} |"
        for row in rows
        if row and "exploit" in row
    ]
    return ["| agent | task | `exploit` | `loss` |", "| --- | --- | --- | --- |", *cells, ""] if cells else []


def iqm(shares: Any) -> Any:
    """The mean of the middle half of the last axis, as scipy's trim_mean cuts it: a quarter, rounded down, at each end."""
    cut = shares.shape[-1] // 4
    return np.sort(shares, axis=-1)[..., cut : shares.shape[-1] - cut].mean(-1)


def over_seeds(shares: Any, resamples: int = RESAMPLES) -> tuple[float, float, float]:
    """The IQM of shares / equal shares of all runs, and its 95 % interval by a stratified bootstrap, as rliable has it
    (Agarwal et al. 2021): the runs of each task are drawn anew, with replacement. shares: (tasks, runs)."""
    tasks_, runs = shares.shape
    drawn = np.random.default_rng(0).integers(0, runs, (resamples, tasks_, runs))
    found = iqm(shares[np.arange(tasks_)[:, None], drawn].reshape(resamples, -1))
    low, high = np.quantile(found, (0.025, 0.975))
    return float(iqm(shares.reshape(-1))), float(low), float(high)


def together(known: Results) -> list[dict[str, Any]]:
    """The rows of the table: those of several seeds become one, with the IQM and its interval."""
    rows = [dict(row) for row in known if "seed" not in row]
    places = dict.fromkeys((row["agent"], row["task"]) for row in known if "seed" in row)
    for agent, task in places:
        runs = [row for row in known if (row["agent"], row["task"]) == (agent, task)]
        key = "share" if agent in LEARNERS else "nash_conv"
        spread = dict(zip((key, "low", "high"), over_seeds(np.array([[row[key] for row in runs]])), strict=True))
        rows.append({**runs[0], **(spread if len(runs) > 1 else {}), "seeds": len(runs)})
    return rows


def written(page: str, known: Results) -> str:
    """The page with its table."""
    notes, depths = [*map(as_line, LEARNERS, [known] * len(LEARNERS))], deep(known)
    known = together(known)
    by_place = {(row["agent"], row["task"]): row for row in known}
    columns = [task for task in tasks() if any(place[1] == task for place in by_place)]
    rows = [["agent", *(f"`{task}`" for task in columns), "score"], ["---"] * (len(columns) + 2)]
    names = *AGENTS, *LEARNERS, *SMALL_LEARNERS
    ranks = {agent: rank({"tasks": [row for row in known if row["agent"] == agent]}) for agent in names}
    solvers = SOLVER, *SMALL_LEARNERS
    order = sorted(names, key=lambda agent: (agent in solvers, agent == SOLVER, ranks[agent]), reverse=True)
    for agent in order:
        cells = [by_place.get((agent, task)) for task in columns]
        if any(cells):
            core = [by_place[agent, task.name] for task in tasks().values() if task.core and (agent, task.name) in by_place]
            shares = [row["share"] / row["equal"] for row in core if "share" in row]
            score = f"**{sum(shares) / len(shares):.2f}**" if len(shares) == 5 else ""
            rows.append([f"`{agent}`" if agent in AGENTS[1:] else agent, *map(cell, cells), score])
    dates = sorted({f"{row['date']}, version {row['version']}" for row in known})
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    lines = "\n".join([*depths, f"Measured {'; '.join(dates)}.", "", *filter(None, notes)]).strip()
    return TABLE.sub(lambda found: f"{found[1]}\n{table}\n\n{lines}\n\n{found[2]}", page)


def as_line(agent: str, known: Results) -> str:
    """What there is of an agent that learns: its trainings, and the IQM of share / equal share over all runs."""
    runs, by_task = [row for row in known if row["agent"] == agent], dict[str, list[float]]()
    for row in runs:
        by_task.setdefault(row["task"], []).append(row["share"] / row["equal"])
    if not runs:
        return ""
    seconds, on = np.median([row["train_seconds"] for row in runs]), ", ".join({row["processor"] for row in runs})
    many = min(map(len, by_task.values()))
    mean, low, high = over_seeds(np.array([shares[:many] for shares in by_task.values()]))
    cost = f"{agent}: {len(runs)} trainings of {seconds:.0f} seconds (median of processor time, {on})"
    each = f"{len(by_task)} task{'s' * (len(by_task) > 1)} × {many} seeds"
    over = f"IQM of share / equal share over {each} {mean:.2f} ({low:.2f}–{high:.2f})"
    return f"- {cost}{'; ' * (many > 1)}{over * (many > 1)}."


def cell(row: Mapping[str, Any] | None) -> str:
    """A result in the table."""
    if row is None or "skipped" in row:
        return ""
    few = f", seeds: {row['seeds']}" if row.get("seeds", len(SEEDS)) < len(SEEDS) else ""
    if "nash_conv" in row:
        spread = f" ({row['low']:.3f}–{row['high']:.3f})" if row.get("seeds", 1) > 1 else ""
        return f"{max(0.0, row['nash_conv']):.3f}{spread}{few}"
    return f"{100 * row['share']:.1f} ({100 * row['low']:.1f}–{100 * row['high']:.1f}){few}"


def main() -> None:
    """Measure if asked, and write the page."""
    parser = argparse.ArgumentParser(description="The table of docs/bench-1.md, from docs/bench-1.json.")
    parser.add_argument("--measure", action="store_true", help="measure what is missing")
    parser.add_argument("--deep", action="store_true", help="measure the deep columns that are missing")
    parser.add_argument("--minutes", type=float, default=30, help="begin nothing more after so long")
    names = ",".join((*AGENTS, *LEARNERS, *SMALL_LEARNERS))
    parser.add_argument("--agents", default=names, help="only these, comma-separated")
    parser.add_argument("--tasks", default="", help="only these, comma-separated")
    parser.add_argument("--core", action="store_true", help="only the core suite")
    args = parser.parse_args()
    begin = time.monotonic()
    examinations = [(agent, task, None) for agent, task in unexamined(results())] if args.deep else []
    for agent, task, seed in [*(missing(results()) if args.measure else ()), *examinations]:
        wanted = agent in args.agents.split(",") and (tasks()[task].core or not args.core)
        wanted = wanted and (not args.tasks or task in args.tasks.split(","))
        if wanted and time.monotonic() - begin < 60 * args.minutes:
            print(agent, task, seed or "", flush=True)
            if (agent, task, seed) in examinations:
                examine(agent, task)
            else:
                measure(agent, task, seed)
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), results()), encoding="utf-8")


if __name__ == "__main__":
    main()
