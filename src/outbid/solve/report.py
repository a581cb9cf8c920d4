"""A small game solved step by step: what `outbid solve` prints.

    found = convergence(game, "tiny", players=2, iterations=1000, payoff="win", limit=5_000_000)
    print(as_text(found))

NashConv is given before the first iteration and after 1, 2, 5, 10, … of them.
"""

import time
from collections.abc import Callable
from typing import Any

from outbid import solve
from outbid.facade import Game


def stops(iterations: int) -> list[int]:
    """0, 1, 2, 5, 10, 20, … and the last iteration."""
    marks = {0, iterations}
    power = 1
    while power < iterations:
        marks |= {power * digit for digit in (1, 2, 5) if power * digit < iterations}
        power *= 10
    return sorted(marks)


def convergence(
    game: Game,
    preset: str,
    players: int,
    iterations: int,
    payoff: str,
    limit: int,
    advance: Callable[[int], Any] | None = None,
) -> dict[str, Any]:
    """Size, value and NashConv along the iterations, as JSON values; times are seconds, compiling included."""
    start = time.perf_counter()
    tree = solve.tree(game, players, limit, payoff)
    grown = time.perf_counter()
    cfr = solve.CFR(tree)
    points = []
    for stop in stops(iterations):
        done = cfr.iterations
        cfr.run(stop - done)
        points.append({"iterations": stop, "nash_conv": solve.nash_conv(tree, cfr.average)})
        if advance is not None:
            advance(stop - done)
    average = cfr.average
    return {
        "game": game.rulebook.id,
        "preset": preset,
        "options": dict(game.options),
        "players": players,
        "payoff": payoff,
        "deals": tree.deals,
        "histories": tree.histories,
        "infosets": tree.infosets,
        "terminals": tree.terminals,
        "depth": tree.depth,
        "value": solve.value(tree, average).tolist(),
        "opener_value": solve.opener_value(tree, average),
        "course": points,
        "seconds": {"tree": grown - start, "iterations": time.perf_counter() - grown},
    }


def as_text(facts: dict[str, Any]) -> str:
    """The figures of a solved game as text."""
    values = ", ".join(f"{value:+z.6f}" for value in facts["value"])
    return "\n".join(
        [
            f"{facts['game']}, {facts['preset']}, {facts['players']} players, payoff {facts['payoff']}",
            f"  {facts['deals']:,} deals, {facts['histories']:,} histories, {facts['infosets']:,} information sets, "
            f"{facts['terminals']:,} terminals, depth {facts['depth']}",
            "  iterations   NashConv",
            *(f"  {point['iterations']:10,}   {point['nash_conv']:.3g}" for point in facts["course"]),
            f"  value: {facts['opener_value']:+z.6f} for who decides first; by seat {values}",
            f"  {facts['seconds']['tree']:.1f} s for the tree, {facts['seconds']['iterations']:.1f} s for the iterations",
        ]
    )
