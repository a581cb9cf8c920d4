"""How far bots are from an equilibrium, exactly: their NashConv on the small games, beside that of CFR+.

    found = nash_convs(game, "tiny", 2, ["random", "steady", "strong"], samples=8)

A bot that draws is asked several times at every information set it comes to (solve/policy.py). One that looks ahead is not
compiled for nothing: it decides as at a table, with its usual playouts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from outbid import solve
from outbid.bots import Bot, load_bot
from outbid.engine.game import Game

ITERATIONS = 1000  # of CFR+


def named(name: str) -> Bot:
    """A bot by its name (bots/naming.py). Raises BadSetup."""
    return load_bot(name)


def nash_convs(
    game: Game,
    preset: str,
    players: int,
    bots: Sequence[str],
    samples: int = 8,
    seed: int = 0,
    payoff: str = "win",
    tell: Callable[[int], Any] | None = None,
) -> list[dict[str, Any]]:
    """A result for the ledger for each bot: its NashConv, that of an equilibrium, and seconds. tell: after each bot."""
    asked = [named(name) for name in bots]
    tree = solve.tree(game, players, payoff=payoff)
    exact = solve.nash_conv(tree, solve.cfr_plus(tree, ITERATIONS))
    results = []
    for name, one in zip(bots, asked, strict=True):
        begin = time.perf_counter()
        conv = solve.nash_conv(tree, solve.policy_of(tree, one, samples, seed))
        place = {"kind": "nash_conv", "game": game.rulebook.id, "preset": preset, "options": dict(game.options)}
        facts = {"players": players, "payoff": payoff, "seeds": "none", "seed": seed, "bot": name, "samples": samples}
        found = {"nash_conv": conv, "equilibrium": exact, "seconds": round(time.perf_counter() - begin, 1)}
        results.append({**place, **facts, **found})
        if tell:
            tell(1)
    return results


def lines(results: Sequence[dict[str, Any]]) -> list[str]:
    """For people, below what was said of the game."""
    width = max(len(one["bot"]) for one in results)
    exact = results[0]["equilibrium"]
    return [
        f"  NashConv of bots ({exact:.2g} after {ITERATIONS:,} iterations)",
        *(f"  {one['bot'].ljust(width)}   {one['nash_conv']:.3f}   {one['seconds']:.1f} s" for one in results),
    ]
