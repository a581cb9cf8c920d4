"""Neural fictitious self-play (Heinrich & Silver 2016) on a small game, with its exact NashConv.

    python examples/nfsp.py --game rivals --seconds 120 --seed 1
    python examples/nfsp.py --game claim --check              # some seconds, to see that it runs

Each seat plays its average policy, or, with the probability `--anticipatory`, the best response that Q-learning has found so
far. From all it does the Q-net learns (a ring buffer, a target net); from what it does in a best response the net of the
average policy learns, by imitation (a reservoir). Both see solve.tensors: what a seat knows, in a bounded size. Both seats
share the nets; whose turn it is stands in the tensor. How matches end is known deal by deal (solve.outcomes), so that many
are drawn at once, without playing them. In the folder `--out`: `curve.csv` and `policy.npz`.
Needs `pip install outbid[train]`.

Shapes: K information sets, J sequences, A actions, P seats, M matches.
"""

from __future__ import annotations

import argparse
import csv
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import outbid
from outbid import solve
from outbid.compiled.game_tree import BEFORE
from outbid.core.extras import needed

with needed("nfsp.py", "train"):
    import torch
    from torch import nn

FIELDS = ("seconds", "matches", "nash_conv")


@dataclass(frozen=True)
class Settings:
    """What is learned how. explore: of the best response, at the beginning; it falls with the root of the rounds."""

    anticipatory: float = 0.1
    matches: int = 256  # of a round
    updates: int = 8  # of each net in a round
    batch: int = 256
    hidden: int = 64
    rate_best: float = 1e-3
    rate_average: float = 1e-3
    explore: float = 0.12
    target_every: int = 40  # rounds
    ring: int = 200_000
    reservoir: int = 1_000_000


class Memory:
    """Rows of int64 (k, 3) and a float each: a ring, or a reservoir in which all that ever came is equally likely."""

    def __init__(self, size: int, reservoir: bool, rng: Any):
        self.rows, self.gains = np.zeros((size, 3), np.int64), np.zeros(size, np.float32)
        self.reservoir, self.rng, self.n = reservoir, rng, 0

    def add(self, rows: Any, gains: Any) -> None:
        """Take rows in, perhaps in the place of others."""
        at = self.n + np.arange(len(rows))
        size = len(self.rows)
        self.n += len(rows)
        if self.reservoir:
            at = np.where(at < size, at, (self.rng.random(len(rows)) * (at + 1)).astype(np.int64))
            kept = at < size
            rows, gains, at = rows[kept], gains[kept], at[kept]
        self.rows[at % size], self.gains[at % size] = rows, gains

    def draw(self, many: int) -> tuple[Any, Any]:
        """Some rows, with replacement."""
        at = self.rng.integers(0, min(self.n, len(self.rows)), many)
        return self.rows[at], self.gains[at]


class Small:
    """A small game as its learners see it. names: the action ids of the tree; column: int64 (J,) the place of each
    sequence's action among them; mask: bool (K, A); seen: float32 (K, W)."""

    def __init__(self, game: Any):
        self.tree = solve.tree(game)
        self.owner, self.path = solve.owners(self.tree), solve.paths(self.tree)
        names, self.column = np.unique(self.tree.actions, return_inverse=True)
        self.seen = torch.from_numpy(solve.tensors(self.tree))
        mask = np.zeros((self.tree.infosets, len(names)), bool)
        own = self.owner >= 0
        mask[self.owner[own], self.column[own]] = True
        self.mask = torch.from_numpy(mask)
        deals = solve.outcomes(game, self.tree)
        self.ends, self.payoffs = (np.concatenate([deal[k] for deal in deals]) for k in (1, 2))
        self.chance = np.concatenate([np.full(len(deal.ends), deal.chance) for deal in deals])

    def net(self, hidden: int) -> Any:
        """A net with two hidden layers, a number for every action."""
        width, actions = self.seen.shape[1], self.mask.shape[1]
        layers = [nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, actions)]
        return nn.Sequential(*layers)

    def values(self, net: Any, rows: Any = slice(None)) -> Any:
        """What a net says of information sets, float32 (…, A), −1e9 for what is not legal."""
        with torch.no_grad():
            return net(self.seen[rows]).masked_fill(~self.mask[rows], -1e9)

    def chances(self, table: Any) -> Any:
        """The chances of sequences, float64 (J,), from those of actions, (K, A)."""
        chances = np.asarray(table, np.float64)[self.owner, self.column]
        chances[: self.tree.players] = 1
        return chances

    def nash_conv(self, net: Any) -> float:
        """That of the policy of a net, exactly."""
        weights = self.chances(self.values(net).softmax(1))
        return float(solve.nash_conv(self.tree, solve.policy_from(self.tree, weights)))


def transitions(small: Small, last: Any, gain: Any) -> tuple[Any, Any]:
    """The decisions of a seat in matches that end for it with the sequences `last`, (M,), and bring it `gain`: rows of
    information set, sequence and next information set (−1: the end), int64 (k, 3), and what each brings at once, (k,)."""
    facts, players = small.tree.facts, small.tree.players
    rows, gains, after = [], [], np.full(len(last), -1)
    while len(last := last[kept := last >= players]):
        gain, after = gain[kept], after[kept]
        own = small.owner[last]
        rows.append(np.stack([own, last, after], axis=1))
        gains.append(np.where(after < 0, gain, 0))
        last, after = facts[own, BEFORE], own
    return (np.concatenate(rows), np.concatenate(gains)) if rows else (np.zeros((0, 3), np.int64), np.zeros(0))


def play(small: Small, best: Any, average: Any, s: Settings, rng: Any) -> Any:
    """Draw matches and where they end: yields for each seat and mode whether it was a best response, and its transitions."""
    players = small.tree.players
    plans = [chances[small.path].prod(1) for chances in (average, best)]
    modes = rng.random((s.matches, players)) < s.anticipatory
    for mode in np.unique(modes, axis=0):
        many = int((modes == mode).all(1).sum())
        weights = small.chance.copy()
        for p in range(players):
            weights *= plans[int(mode[p])][small.ends[:, p]]
        ended = rng.choice(len(weights), many, p=weights / weights.sum())
        for p in range(players):
            yield bool(mode[p]), transitions(small, small.ends[ended, p], small.payoffs[ended, p])


def train(game: Any, s: Settings, seed: int, seconds: float, rounds: int, out: Path | None) -> list[tuple[float, ...]]:
    """Learn for so many seconds of processor time, or, if given, rounds. Returns the rows of the curve."""
    torch.manual_seed(seed)
    rng, small = np.random.default_rng(seed), Small(game)
    q, target, policy = (small.net(s.hidden) for _ in range(3))
    target.load_state_dict(q.state_dict())
    by_q = torch.optim.Adam(q.parameters(), lr=s.rate_best)
    by_policy = torch.optim.Adam(policy.parameters(), lr=s.rate_average)
    ring, reservoir = Memory(s.ring, False, rng), Memory(s.reservoir, True, rng)
    rows: list[tuple[float, ...]] = []
    begin, number, points = time.process_time(), 0, 0
    uniform = small.mask / small.mask.sum(1, keepdim=True)
    while True:
        past = number / rounds if rounds else (time.process_time() - begin) / seconds
        if past >= points / 8 or past >= 1:
            points += 1
            rows.append((round(time.process_time() - begin, 1), number * s.matches, round(small.nash_conv(policy), 4)))
            print(f"{rows[-1][0]:7.1f} s  {rows[-1][1]:>9,} matches  NashConv {rows[-1][2]:.3f}", flush=True)
            if past >= 1:
                break
        explore = s.explore / (1 + number / 50) ** 0.5
        greedy = nn.functional.one_hot(small.values(q).argmax(1), small.mask.shape[1])
        best = small.chances(explore * uniform + (1 - explore) * greedy)
        for response, (moves, gains) in play(small, best, small.chances(small.values(policy).softmax(1)), s, rng):
            ring.add(moves, gains)
            if response:
                reservoir.add(moves, gains)
        for _ in range(s.updates):
            moves, gains = ring.draw(s.batch)
            own, done, after = torch.from_numpy(moves).T
            ahead = small.values(target, after).max(1).values.masked_fill(after < 0, 0) + torch.from_numpy(gains)
            expected = q(small.seen[own]).gather(1, torch.from_numpy(small.column)[done][:, None]).squeeze(1)
            step(by_q, (expected - ahead).square().mean())
            if reservoir.n:
                moves, _ = reservoir.draw(s.batch)
                own, done, _ = torch.from_numpy(moves).T
                logits = policy(small.seen[own]).masked_fill(~small.mask[own], -1e9)
                step(by_policy, nn.functional.cross_entropy(logits, torch.from_numpy(small.column)[done]))
        number += 1
        if number % s.target_every == 0:
            target.load_state_dict(q.state_dict())
    if out is not None:
        keep(out, small, policy, rows)
    return rows


def step(optimizer: Any, loss: Any) -> None:
    """Go a step down a loss."""
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def keep(out: Path, small: Small, policy: Any, rows: list[tuple[float, ...]]) -> None:
    """Write the curve, and the policy as chances of the sequences."""
    out.mkdir(parents=True, exist_ok=True)
    with (out / "curve.csv").open("w", newline="", encoding="utf-8") as table:
        csv.writer(table).writerows([FIELDS, *rows])
    np.savez_compressed(out / "policy.npz", chances=small.chances(small.values(policy).softmax(1)).astype(np.float32))


def main() -> None:
    """Read the command line and learn."""
    parser = argparse.ArgumentParser(description="Neural fictitious self-play on a small game.")
    parser.add_argument("--game", default="rivals")
    parser.add_argument("--preset", default="tiny", help="a small version; `outbid games` lists them")
    parser.add_argument("--anticipatory", type=float, default=Settings.anticipatory)
    parser.add_argument("--seconds", type=float, default=120, help="of processor time")
    parser.add_argument("--rounds", type=int, default=0, help="instead of --seconds; repeatable")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=None, help="folder to write to; runs/nfsp-GAME by default")
    parser.add_argument("--check", action="store_true", help="a few rounds, to see that it runs")
    args = parser.parse_args()
    torch.set_num_threads(1)
    out = args.out or Path("runs") / f"nfsp-{Path(args.game).stem}"
    rounds = 20 if args.check else args.rounds
    train(outbid.game(args.game, preset=args.preset), Settings(args.anticipatory), args.seed, args.seconds, rounds, out)


if __name__ == "__main__":
    main()
