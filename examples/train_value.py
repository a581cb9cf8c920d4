"""Train the value net of a game: how likely is each seat to win, from what it sees?

    python examples/train_value.py kuhhandel --minutes 10
    python examples/train_value.py money --minutes 5 --nets
    python examples/train_value.py rivals --minutes 0.1 --out /tmp/value.npz      # some seconds, to see that it runs

Positions come from matches of the game's heuristic under the seed's rules, for every number of players in turn, in which
some seats slip now and then, and with `--nets` about half of them play as the game's policy net does; no position is used
twice. A seat's features go through one network to one number; the
chances are the softmax over the seats, and the loss is the cross-entropy to the shares of the victory
(src/outbid/engine/nets.py). The weights are written as float16 into the game's folder. The last lines are measured on
deals of their own: the expected calibration error, and the loss beside that of equal shares. Needs
`pip install outbid[train]`.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

import outbid
from outbid.bots import samples, strong
from outbid.engine import nets
from outbid.engine.compiled import entry

UNITS = 64
POSITIONS = 40  # taken from a match
ROUND = 8_192  # positions played for one round of learning
BATCH = 512
RATE = 2e-3, 5e-5  # at the beginning and at the end
SLIPS = 0, 0, 0, 10, 50, 200  # of a seat, in thousandths of its steps, drawn for each call
HELD_OUT = 1 << 40  # deals from here on are for measuring
BINS = 10


@dataclass
class Source:
    """Positions of one game for one number of players."""

    rulebook: Any
    players: int
    limit: int
    learned: bool
    length: int = 0

    def __post_init__(self) -> None:
        book = self.rulebook
        self.states = np.zeros(3, book.layout.dtype)
        book.fresh({}).to_record(self.states, 0)
        self.work = strong.Space(book, 0).work
        self.play = entry(book, samples.samples)
        taken = self.take(np.random.default_rng(0), HELD_OUT << 1, 16_000, 1, careful=True)[0]
        self.length = max(POSITIONS, taken.shape[0] // 8)

    def take(self, random: np.random.Generator, first: int, n: int, every: int = 0, careful: bool = False) -> Any:
        """At most n positions from the deal `first` on: features (n, P, F) and shares (n, P)."""
        book, p = self.rulebook, self.players
        obs, share = np.zeros((n, p, book.features), np.float32), np.zeros((n, p), np.float32)
        slips = np.zeros(8, np.int64) if careful else random.choice(SLIPS, 8).astype(np.int64)
        by_net = random.integers(0, 2, 8) * (self.learned and not careful)
        every = every or max(1, self.length // POSITIONS)
        deals = 8 if not self.length else max(1, n * every // self.length)
        made = self.play(
            self.states, 0, 1, first, first + deals, p, slips, by_net, every, self.limit, obs, share, self.work
        )  # fmt: skip
        return obs[:made], share[:made]


class Net(nn.Module):
    """Features of a seat (…, F) to its number (…)."""

    def __init__(self, features: int):
        super().__init__()
        self.first, self.second = nn.Linear(features, UNITS), nn.Linear(UNITS, UNITS)
        self.last = nn.Linear(UNITS, 1, bias=False)

    def forward(self, obs: Any) -> Any:
        """The numbers of seats."""
        return self.last(torch.relu(self.second(torch.relu(self.first(obs))))).squeeze(-1)

    def flat(self) -> Any:
        """The weights as nets.py has them, float16."""
        parts = [self.first.weight.T, self.first.bias, self.second.weight.T, self.second.bias, self.last.weight]
        return torch.cat([part.detach().flatten() for part in parts]).numpy().astype(np.float16)


def loss_of(net: Net, obs: Any, share: Any) -> Any:
    """Cross-entropy of the softmax over the seats to the shares."""
    return -(share * torch.log_softmax(net(obs), -1)).sum(-1).mean()


@torch.no_grad()
def measured(net: Net, source: Source, random: np.random.Generator) -> dict[str, float]:
    """The loss and the expected calibration error on deals that were not learned from, of the heuristic's own matches."""
    took = [source.take(random, HELD_OUT + k * 10_000, ROUND, careful=True) for k in range(4)]
    obs, share = (torch.from_numpy(np.concatenate(part)) for part in zip(*took, strict=True))
    chance = torch.softmax(net(obs), -1).numpy().ravel()
    won = share.numpy().ravel()
    bins = np.minimum((chance * BINS).astype(int), BINS - 1)
    gaps = [abs((chance[bins == b] - won[bins == b]).sum()) for b in range(BINS)]
    return {
        "players": source.players,
        "loss": float(loss_of(net, obs, share)),
        "equal": float(np.log(source.players)),
        "calibration": float(sum(gaps) / len(won)),
        "positions": len(obs),
    }


def train(game: str, minutes: float, seed: int, by_net: bool, out: Path) -> None:
    """Learn for so many minutes and write the net."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    book = outbid.game(game).rulebook
    low, high = book.players
    sources = [Source(book, players, book.longest, by_net) for players in range(low, high + 1)]
    net = Net(book.features)
    optimizer = torch.optim.Adam(net.parameters(), lr=RATE[0], weight_decay=1e-6)
    begin, rounds, positions, said, mean = time.monotonic(), 0, 0, 0.0, 0.0
    deals = [0] * len(sources)
    while (past := (time.monotonic() - begin) / 60 / minutes) < 1:
        for group in optimizer.param_groups:
            group["lr"] = RATE[0] * (RATE[1] / RATE[0]) ** past
        which = rounds % len(sources)
        obs, share = sources[which].take(random, deals[which], ROUND)
        deals[which] += ROUND
        order = torch.from_numpy(random.permutation(len(obs)))
        for part in order.split(BATCH):
            loss = loss_of(net, torch.from_numpy(obs)[part], torch.from_numpy(share)[part])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        mean += 0.02 * (loss.item() / np.log(sources[which].players) - mean) / (1 - 0.98 ** (rounds + 1)) if mean else 1.0
        rounds, positions = rounds + 1, positions + len(obs)
        if time.monotonic() - said > 20:
            said = time.monotonic()
            so_far = f"{100 * past:5.1f} %  {positions / 1e6:6.2f} M positions"
            print(f"{so_far}, loss {mean:.3f} of that of equal shares", flush=True)
    held = [measured(net, source, random) for source in sources]
    facts = {
        "environment": book.environment_id, "features": book.features, "units": UNITS, "presets": ["seed"], "seed": seed,
        "positions": positions, "minutes": minutes, "nets": by_net, "held_out": held,
    }  # fmt: skip
    np.savez(out, facts=json.dumps(facts), weights=net.flat())
    for one in held:
        print(
            f"{one['players']} players: loss {one['loss']:.3f} (equal shares {one['equal']:.3f}), "
            f"calibration error {100 * one['calibration']:.1f} points, on {one['positions']:,} new positions"
        )
    print(f"{positions:,} positions; {out} has {nets.size(book.features, UNITS):,} weights")


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description="Train the value net of a game.")
    parser.add_argument("game", help="kuhhandel, money, rivals, forex, claim")
    parser.add_argument("--minutes", type=float, default=10, help="how long to learn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nets", action="store_true", help="let the game's policy net hold about half of the seats")
    parser.add_argument("--out", type=Path, default=None, help="the file to write; the game's folder by default")
    args = parser.parse_args()
    torch.set_num_threads(1)
    train(args.game, args.minutes, args.seed, args.nets, args.out or outbid.game(args.game).rulebook.folder / "value.npz")


if __name__ == "__main__":
    main()
