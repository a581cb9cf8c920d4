"""Deep CFR (Brown, Lerer, Gross & Sandholm 2019) on a small game, with its exact NashConv.

    python examples/deep_cfr.py --game rivals --seconds 120 --seed 1
    python examples/deep_cfr.py --game claim --check          # some seconds, to see that it runs

In an iteration each seat in turn looks at all its own actions, while the deal and what the others do are drawn (external
sampling). What every action would have brought more than the current strategy goes into the seat's advantage memory, and its
advantage net learns that anew, later iterations counting for more; regret matching on the net is the next strategy. What the
others' strategies were, where they came to decide, goes into the strategy memory; from that the net of the average strategy
learns in the end. Nets see solve.tensors, as in nfsp.py, whose `Small` and files these are; since the tree has the final
positions of each deal, a traversal is a sum over those that fit what was drawn. Needs `pip install outbid[train]`.

Shapes: K information sets, J sequences, A actions, T traversals.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import outbid
from outbid import solve
from outbid.compiled.game_tree import BEFORE, SEAT
from outbid.core.extras import needed

with needed("deep_cfr.py", "train"):
    import torch
    from torch import nn

sys.path.insert(0, str(Path(__file__).parent))
import nfsp


@dataclass(frozen=True)
class Settings:
    """What is learned how."""

    traversals: int = 32  # of a seat in an iteration
    updates: int = 120  # of an advantage net in an iteration
    last_updates: int = 1500  # of the net of the average strategy
    batch: int = 256
    hidden: int = 64
    rate: float = 2e-3
    room: int = 400_000  # rows of a memory: a reservoir


class Memory:
    """A reservoir of information sets, the iteration, and a number for each action, float32 (A,)."""

    def __init__(self, room: int, actions: int, rng: Any):
        self.infosets, self.times = np.zeros(room, np.int64), np.zeros(room, np.float32)
        self.numbers, self.rng, self.n = np.zeros((room, actions), np.float32), rng, 0

    def add(self, infosets: Any, number: int, numbers: Any) -> None:
        """Take rows of an iteration in."""
        at = self.n + np.arange(len(infosets))
        self.n += len(infosets)
        room = len(self.infosets)
        at = np.where(at < room, at, (self.rng.random(len(at)) * (at + 1)).astype(np.int64))
        kept = at < room
        self.infosets[at[kept]], self.times[at[kept]], self.numbers[at[kept]] = infosets[kept], number, numbers[kept]

    def draw(self, many: int) -> tuple[Any, Any, Any]:
        """Some rows, with replacement; the times are scaled to a mean of about 1."""
        n = min(self.n, len(self.infosets))
        at = self.rng.integers(0, n, many)
        return self.infosets[at], self.times[at] / self.times[:n].mean(), self.numbers[at]


class Traverser:
    """The traversals of one seat. levels: its information sets by depth, the deepest first."""

    def __init__(self, small: nfsp.Small, deals: list[solve.Outcomes], seat: int):
        self.small, self.deals, self.seat = small, deals, seat
        facts, players = small.tree.facts, small.tree.players
        own = np.flatnonzero(facts[:, SEAT] == seat)
        depth = (small.path[facts[own, BEFORE]] >= players).sum(1)
        self.levels = [own[depth == d] for d in range(int(depth.max()), -1, -1)]
        self.sequences = [np.flatnonzero(np.isin(small.owner, level)) for level in self.levels]
        self.others = np.flatnonzero(facts[:, SEAT] != seat)
        self.occurs = np.zeros((len(deals), small.tree.infosets), bool)
        for d, deal in enumerate(deals):
            passed = small.owner[small.path[np.unique(deal.ends)]]
            self.occurs[d, passed[passed >= 0]] = True

    def traverse(self, strategy: Any, rng: Any) -> tuple[Any, Any, Any]:
        """Draw a deal and what the others do everywhere, and look at all actions of the seat. strategy: float64 (J,).
        Returns information sets of the seat with the advantage of each action, (k, A), and those at which others decided."""
        small, tree, seat = self.small, self.small.tree, self.seat
        d = int(rng.choice(len(self.deals), p=[deal.chance for deal in self.deals]))
        taken = np.zeros(tree.sequences, bool)
        up_to = np.cumsum(strategy)  # within an information set, sequences lie side by side
        first, n = tree.facts[:, 1], tree.facts[:, 2]
        base = up_to[first] - strategy[first]
        at = base + rng.random(tree.infosets) * (up_to[first + n - 1] - base)
        taken[np.clip(np.searchsorted(up_to, at, side="right"), first, first + n - 1)] = True
        taken[: tree.players] = True
        plan = np.all(taken[small.path], axis=1)
        ends, payoffs = self.deals[d].ends, self.deals[d].payoffs[:, seat]
        fit = np.delete(plan[ends], seat, axis=1).all(1)
        worth, reached = (np.bincount(ends[fit, seat], w, tree.sequences) for w in (payoffs[fit], np.ones(int(fit.sum()))))
        mean, infosets, rows = np.zeros(tree.infosets), [], []
        for level, sequences in zip(self.levels, self.sequences, strict=True):
            owner = small.owner[sequences]
            mean += np.bincount(owner, strategy[sequences] * worth[sequences], tree.infosets)
            met = np.bincount(owner, reached[sequences], tree.infosets)[level]
            better = np.zeros((tree.infosets, small.mask.shape[1]), np.float32)
            better[owner, small.column[sequences]] = worth[sequences] - mean[owner]
            infosets.append(level[met > 0])
            rows.append(better[level[met > 0]])
            before = tree.facts[level, BEFORE]
            worth += np.bincount(before, mean[level], tree.sequences)
            reached += np.bincount(before, met, tree.sequences)
        theirs = self.others[plan[tree.facts[self.others, BEFORE]] & self.occurs[d, self.others]]
        return np.concatenate(infosets), np.concatenate(rows), theirs


def matched(small: nfsp.Small, advantage: Any) -> Any:
    """The strategy of regret matching, (K, A): in proportion to positive advantages; without any, the best action."""
    positive = advantage.clamp(min=0) * small.mask
    total = positive.sum(1, keepdim=True)
    best = nn.functional.one_hot(advantage.argmax(1), small.mask.shape[1])
    return torch.where(total > 0, positive / total.clamp(min=1e-12), best)


def fit(small: nfsp.Small, net: Any, memory: Memory, updates: int, s: Settings, policy: bool) -> None:
    """Let a net learn from a memory: the numbers of legal actions by squared error, or, of a policy, its chances."""
    optimizer = torch.optim.Adam(net.parameters(), lr=s.rate)
    for number in range(updates):
        optimizer.param_groups[0]["lr"] = s.rate * (1 - number / updates)
        infosets, times, numbers = (torch.from_numpy(x) for x in memory.draw(s.batch))
        out, mask = net(small.seen[infosets]), small.mask[infosets]
        if policy:
            lost = -(numbers * out.masked_fill(~mask, -1e9).log_softmax(1)).sum(1)
        else:
            lost = ((out - numbers).square() * mask).sum(1)
        nfsp.step(optimizer, (times * lost).mean())


def train(game: Any, s: Settings, seed: int, seconds: float, iterations: int, out: Path | None) -> list[tuple[float, ...]]:
    """Learn for so many seconds of processor time, or, if given, iterations. Returns the rows of the curve."""
    torch.manual_seed(seed)
    rng, small = np.random.default_rng(seed), nfsp.Small(game)
    actions, players = small.mask.shape[1], small.tree.players
    deals = solve.outcomes(game, small.tree)
    traversers = [Traverser(small, deals, seat) for seat in range(players)]
    memories = [Memory(s.room, actions, rng) for _ in range(players)]
    strategies, seat_of = Memory(s.room, actions, rng), torch.from_numpy(small.tree.facts[:, SEAT])
    table = (small.mask / small.mask.sum(1, keepdim=True)).double()
    rows: list[tuple[float, ...]] = []
    begin, number, points = time.process_time(), 0, 0
    while True:
        past = number / iterations if iterations else (time.process_time() - begin) / seconds
        if (number and past >= points / 4) or past >= 1:
            points = int(4 * past) + 1
            average = small.net(s.hidden)
            fit(small, average, strategies, s.last_updates if past >= 1 else s.last_updates // 3, s, True)
            traversed = number * players * s.traversals
            rows.append((round(time.process_time() - begin, 1), traversed, round(small.nash_conv(average), 4)))
            print(f"{rows[-1][0]:7.1f} s  {traversed:>9,} traversals  NashConv {rows[-1][2]:.3f}", flush=True)
            if past >= 1:
                break
        number += 1
        for seat in range(players):
            strategy = small.chances(table)
            for _ in range(s.traversals):
                infosets, better, theirs = traversers[seat].traverse(strategy, rng)
                memories[seat].add(infosets, number, better)
                strategies.add(theirs, number, table[theirs].numpy())
            net = small.net(s.hidden)
            fit(small, net, memories[seat], s.updates, s, False)
            table = torch.where((seat_of == seat)[:, None], matched(small, small.values(net).double()), table)
    if out is not None:
        nfsp.keep(out, small, average, rows)
    return rows


def main() -> None:
    """Read the command line and learn."""
    parser = argparse.ArgumentParser(description="Deep CFR on a small game.")
    parser.add_argument("--game", default="rivals")
    parser.add_argument("--preset", default="tiny", help="a small version; `outbid games` lists them")
    parser.add_argument("--seconds", type=float, default=120, help="of processor time")
    parser.add_argument("--iterations", type=int, default=0, help="instead of --seconds; repeatable")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=None, help="folder to write to; runs/deep-cfr-GAME by default")
    parser.add_argument("--check", action="store_true", help="a few iterations, to see that it runs")
    args = parser.parse_args()
    torch.set_num_threads(1)
    out = args.out or Path("runs") / f"deep-cfr-{Path(args.game).stem}"
    settings = Settings(updates=20, last_updates=60) if args.check else Settings()
    iterations = 3 if args.check else args.iterations
    train(outbid.game(args.game, preset=args.preset), settings, args.seed, args.seconds, iterations, out)


if __name__ == "__main__":
    main()
