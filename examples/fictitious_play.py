"""Fictitious self-play on a small game: best responses to the average of all earlier ones, in the compiled batch.

    python examples/fictitious_play.py                    # Rivals with a handful of cards; the NashConv falls
    python examples/fictitious_play.py --game claim --rounds 40 --seed 2

In each round a learner plays in `game.against`, where the average policy holds the other seat, and learns action values from
how its matches end (Monte Carlo). What it does best then goes into the average (Heinrich, Lanctot & Silver 2015). How far
the average is from an equilibrium, its NashConv, is exact: `outbid.solve` grows the tree of the game.

A table by observation is enough here. Where a game is large a net takes its place, as a function of (obs, mask), or as
net@FILE with earlier ones beside it in a league: bots=[["net@1.npz", "net@2.npz"]].
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import outbid
from outbid import solve
from outbid.core import contract


class Table:
    """A row of numbers for every observation: int (k,) places by float32 (k, F)."""

    def __init__(self, actions: int):
        self.places: dict[bytes, int] = {}
        self.rows = np.zeros((1024, actions))
        self.times = np.zeros((1024, actions))

    def at(self, obs: Any) -> Any:
        """The places of these observations; new ones get the next."""
        found = np.array([self.places.setdefault(row.tobytes(), len(self.places)) for row in obs])
        while len(self.places) > len(self.rows):
            self.rows, self.times = (np.concatenate([one, np.zeros_like(one)]) for one in (self.rows, self.times))
        return found


class Average:
    """The average policy: how often each action was the best response."""

    def __init__(self, actions: int, seed: int):
        self.table, self.rng = Table(actions), np.random.default_rng(seed)

    def chances(self, obs: Any, mask: Any) -> Any:
        """float (k, A); even where nothing is known."""
        weights = self.table.rows[self.table.at(obs)] * mask
        total = weights.sum(1, keepdims=True)
        return np.where(total > 0, weights / np.maximum(total, 1e-300), mask / mask.sum(1, keepdims=True))

    def __call__(self, obs: Any, mask: Any) -> Any:
        """As a bot: it draws."""
        up_to = self.chances(obs, mask).cumsum(1)
        return (up_to <= self.rng.random((len(obs), 1)) * up_to[:, -1:] * (1 - 1e-12)).sum(1)


def respond(game: Any, players: int, average: Average, matches: int, seed: int, rng: Any) -> Table:
    """Action values against the average, learned from so many matches."""
    value = Table(game.rulebook.actions)
    v = game.against(256, players, bots=average, seat=None, reward="win", seed=seed)
    paths: list[list[tuple[int, int]]] = [[] for _ in range(v.n)]
    ended, rows = 0, np.arange(v.n)
    while ended < matches:
        places = value.at(v.obs)
        best = np.where(v.mask, value.rows[places], -1.0) + 1e-6 * rng.random(v.mask.shape)
        actions = np.where(rng.random(v.n) < 0.15, v.sample(), best.argmax(1))
        for i in rows:
            paths[i].append((places[i], actions[i]))
        v.step(actions)
        for i in np.flatnonzero(v.done):
            for place, action in paths[i]:
                value.times[place, action] += 1
                value.rows[place, action] += (v.gain[i] - value.rows[place, action]) / value.times[place, action]
            paths[i] = []
            ended += 1
    return value


def add(game: Any, players: int, average: Average, value: Table, matches: int, seed: int) -> None:
    """Play the best response for so many matches, and count what it does there."""
    v = game.against(256, players, bots=average, seat=None, reward="win", seed=seed)
    ended = 0
    while ended < matches:
        actions = np.where(v.mask, value.rows[value.at(v.obs)] + 1e-9, -1.0).argmax(1)
        np.add.at(average.table.rows, (average.table.at(v.obs), actions), 1.0)
        v.step(actions)
        ended += int(v.done.sum())


def nash_conv(game: Any, tree: Any, average: Average) -> float:
    """How much all players together could still win by a best response; 0 in an equilibrium."""
    book, weights = game.rulebook, np.zeros(tree.sequences)
    for k in range(tree.infosets):
        seat, first, n, _ = (int(number) for number in tree.facts[k])
        obs, mask = np.zeros((1, book.features), np.float32), np.zeros((1, book.actions), bool)
        contract.observe(book.plain.from_record(tree.views, k), seat, obs[0])
        open_now = tree.actions[first : first + n]
        mask[0, open_now] = True
        weights[first : first + n] = average.chances(obs, mask)[0, open_now]
    return float(solve.nash_conv(tree, solve.policy_from(tree, weights)))


def main() -> None:
    """Read the command line and play."""
    parser = argparse.ArgumentParser(description="Fictitious self-play on a small game.")
    parser.add_argument("--game", default="rivals")
    parser.add_argument("--preset", default="tiny", help="a small version; `outbid games` lists them")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--matches", type=int, default=3000, help="of a best response")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    game = outbid.game(args.game, preset=args.preset)
    tree = solve.tree(game, args.players)
    average, rng = Average(game.rulebook.actions, args.seed), np.random.default_rng(args.seed)
    print(f"round  0: NashConv {nash_conv(game, tree, average):.3f} (every action equally often)", flush=True)
    for number in range(1, args.rounds + 1):
        value = respond(game, args.players, average, args.matches, 2 * number, rng)
        add(game, args.players, average, value, args.matches, 2 * number + 1)
        if number % 5 == 0 or number == args.rounds:
            print(f"round {number:2}: NashConv {nash_conv(game, tree, average):.3f}", flush=True)


if __name__ == "__main__":
    main()
