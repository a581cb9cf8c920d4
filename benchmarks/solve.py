"""How long an iteration of CFR+ and an exact evaluation take, ours beside OpenSpiel's, on the same small games.

    python benchmarks/solve.py [GAME …] [--preset tiny] [--json]

OpenSpiel runs on the games as the adapter registers them. The adapter keeps the positions of a small game, and everything
is run once before it is timed, so that OpenSpiel's figures are those of its walk through the tree and not of our rules
in plain Python. Its CFR+ and NashConv are measured in Python and, where they take the game, in C++. Ours: one core,
compiled, the same processor in the same run. The same policy gets the same NashConv to 1e-6, or the script says so.
For scale, a last line has OpenSpiel's C++ CFR+ on its own C++ Leduc poker, by history: no rules in Python there.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import pyspiel
from open_spiel.python.algorithms import cfr, exploitability

import outbid
from outbid import solve
from outbid.adapters import openspiel as adapter
from outbid.core.rulebook import rulebooks

OURS = 200  # iterations in one measurement of ours


def seconds(work: Callable[[], Any], least: float = 1.0, tries: int = 20) -> float:
    """Processor time of the shortest of several runs, after one that is not counted."""
    work()
    best, spent, n = float("inf"), 0.0, 0
    while n < tries and (spent < least or n < 2):
        start = time.process_time()
        work()
        took = time.process_time() - start
        best, spent, n = min(best, took), spent + took, n + 1
    return best


def measure(game: str, preset: str) -> dict[str, Any]:
    """All figures of one game, in seconds."""
    rules = outbid.game(game, preset=preset)
    solve.tree(rules, 2)  # compiled
    start = time.process_time()
    tree = solve.tree(rules, 2)
    grown = time.process_time() - start
    made = solve.CFR(tree)
    ours = seconds(lambda: made.run(OURS)) / OURS
    policy = solve.cfr_plus(tree, 20)
    evaluated = seconds(lambda: solve.nash_conv(tree, policy))
    loaded = pyspiel.load_game(f"outbid_{game}(preset={preset},players=2)")
    theirs = adapter.as_openspiel(loaded, policy)
    table = {
        state.information_state_string(state.current_player()): list(theirs.action_probabilities(state).items())
        for state in positions(loaded)
    }
    tabular = pyspiel.TabularPolicy(table)
    solver, native = cfr.CFRPlusSolver(loaded), pyspiel.CFRPlusSolver(loaded)
    nash = exploitability.nash_conv(loaded, theirs)
    if abs(nash - solve.nash_conv(tree, policy)) > 1e-6:
        raise SystemExit(f"{game}, {preset}: NashConv {solve.nash_conv(tree, policy)} here and {nash} there")
    return {
        "game": game,
        "preset": preset,
        "histories": tree.histories,
        "tree": grown,
        "iteration": {
            "ours": ours,
            "python": seconds(solver.evaluate_and_update_policy, tries=3),
            "c++": seconds(native.evaluate_and_update_policy, tries=3),
        },
        "nash_conv": {
            "ours": evaluated,
            "python": seconds(lambda: exploitability.nash_conv(loaded, theirs), tries=3),
            "c++": seconds(lambda: pyspiel.nash_conv(loaded, tabular), tries=3),
        },
    }


def positions(loaded: Any) -> list[Any]:
    """All positions in which a seat decides."""
    found, waiting = [], [loaded.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if not state.is_terminal():
            found += [] if state.is_chance_node() else [state]
            waiting += [state.child(action) for action in state.legal_actions()]
    return found


def leduc() -> dict[str, float]:
    """OpenSpiel's C++ CFR+ and NashConv on its own game, in seconds."""
    game = pyspiel.load_game("leduc_poker")
    solver, uniform = pyspiel.CFRPlusSolver(game), pyspiel.UniformRandomPolicy(game)
    waiting, histories = [game.new_initial_state()], 0
    while waiting:
        state = waiting.pop()
        histories += 1
        waiting += [state.child(action) for action in state.legal_actions()] if not state.is_terminal() else []
    return {
        "histories": histories,
        "iteration": seconds(solver.evaluate_and_update_policy, tries=10),
        "nash_conv": seconds(lambda: pyspiel.nash_conv(game, uniform), tries=10),
    }


def table(results: list[dict[str, Any]], peer: dict[str, float]) -> str:
    """For the docs."""
    rows = ["| game | histories | what | ours | OpenSpiel, Python | OpenSpiel, C++ | as fast |", "| --- " * 7 + "|"]
    for one in results:
        for what, named in (("iteration", "an iteration of CFR+"), ("nash_conv", "NashConv of a policy")):
            ours, python, native = (1000 * one[what][who] for who in ("ours", "python", "c++"))
            rows.append(
                f"| {one['game']}, {one['preset']} | {one['histories']:,} | {named} | {ours:.3f} ms | {python:,.0f} ms | "
                f"{native:,.0f} ms | {min(python, native) / ours:,.0f} × |"
            )
    for what in ("iteration", "nash_conv"):
        mine = max(1e9 * one[what]["ours"] / one["histories"] for one in results)
        theirs = 1e9 * peer[what] / peer["histories"]
        rows.append(
            f"\n{what}: OpenSpiel's C++ on its Leduc poker ({peer['histories']:,} histories) takes {theirs:,.0f} ns a "
            f"history; ours at most {mine:,.0f} ns on the games above: {theirs / mine:,.0f} × as fast."
        )
    return "\n".join(rows)


def main() -> None:
    """Measure and print."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("games", nargs="*", default=[book.id for book in rulebooks().values() if book.laboratory])
    reader.add_argument("--preset", default="tiny")
    reader.add_argument("--json", action="store_true")
    given = reader.parse_args()
    results = [measure(game, given.preset) for game in given.games]
    peer = leduc()
    print(json.dumps({"games": results, "leduc_poker": peer}) if given.json else table(results, peer))


if __name__ == "__main__":
    main()
