"""Learn to play from data alone: imitation, and offline reinforcement learning, of matches that others played.

    python examples/learn_from_data.py                                       # Rivals for two, about a minute
    python examples/learn_from_data.py --game claim --players 3 --against easy
    python examples/learn_from_data.py --data people/rivals                  # what `outbid data` wrote

Nothing is played while it learns. The data are matches of weak and strong bots, who sits where drawn for each; where the
folder has none, they are made. Two nets learn from the same rows:

- imitation does what was done, whoever did it (cross-entropy);
- offline RL does what turned out better than expected: a value net learns how far ahead a seat ends, and each row counts
  exp(advantage / TEMPER) times (advantage-weighted regression; the advantage is the margin in the end less that value).

Both are then measured alone against a bot, on deals of their own, beside the mean player of the data; the second is written
to plays everywhere as net@FILE. Needs `pip install "outbid[lab,train]"`.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

import outbid
from outbid.bots.nets.policy import write
from outbid.lab import datasets
from outbid.lab.shares import Share, share_of

UNITS, BATCH, RATE = 128, 1024, 1e-3
TEMPER, MOST = 0.5, 10.0  # of advantages, in units of the margin's deviation; the most that a row counts
HELD_OUT = 1 << 40  # deals from this seed on are for measuring


def rows_of(folder: Path, *columns: str) -> dict[str, torch.Tensor]:
    """Columns of a folder of data as tensors, (R, …)."""
    parts = [datasets.read(file) for file in datasets.files(folder)]
    return {name: torch.from_numpy(np.concatenate([part[name] for part in parts])) for name in columns}


def data(folder: Path, game: Any, players: int, bots: list[str], matches: int) -> None:
    """Make the data, unless they are there."""
    if not datasets.files(folder):
        datasets.make(datasets.Matches(game.rulebook, game.options, (players,), bots, 0), folder, matches)


class Net(nn.Module):
    """Two hidden layers of features that are standardised as the rows spread, as a net of a file has them."""

    def __init__(self, seen: torch.Tensor, out: int):
        super().__init__()
        self.mean, self.scale = seen.mean(0), 1 / seen.std(0).clamp(min=1e-2)
        self.body = nn.Sequential(nn.Linear(seen.shape[1], UNITS), nn.ReLU(), nn.Linear(UNITS, UNITS), nn.ReLU())
        self.head = nn.Linear(UNITS, out)

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """(rows, F) → (rows, out)."""
        return self.head(self.body(((seen - self.mean) * self.scale).clamp(-5, 5)))


def train(net: Net, loss_of: Any, rows: int, passes: int, seed: int) -> None:
    """Minimise a loss of row numbers. The rate falls to nothing."""
    torch.manual_seed(seed)
    batches = [batch for _ in range(passes) for batch in torch.randperm(rows).split(BATCH)]
    optimizer = torch.optim.Adam(net.parameters(), RATE)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.01, len(batches))
    for batch in batches:
        loss = loss_of(batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()


def learnt(rows: dict[str, torch.Tensor], passes: int, seed: int) -> tuple[Net, Net]:
    """The nets of imitation and of offline RL."""
    seen, mask, did, margin = rows["observation"], rows["mask"], rows["action"].long(), rows["margin"]
    ahead = margin / margin.std()

    def policy(weights: torch.Tensor) -> Net:
        net = Net(seen, mask.shape[1])

        def loss(batch: torch.Tensor) -> torch.Tensor:
            logits = net(seen[batch]).masked_fill(~mask[batch], -1e9)
            return (weights[batch] * nn.functional.cross_entropy(logits, did[batch], reduction="none")).mean()

        train(net, loss, len(did), passes, seed)
        return net

    value = Net(seen, 1)
    train(value, lambda batch: (value(seen[batch])[:, 0] - ahead[batch]).square().mean(), len(did), 1, seed)
    with torch.no_grad():
        expected = torch.cat([value(part)[:, 0] for part in seen.split(1 << 14)])
    return policy(torch.ones(len(did))), policy(((ahead - expected) / TEMPER).exp().clamp(max=MOST))


def measure(game: Any, players: int, bot: str, net: Net, deals: int) -> Share:
    """What a net has of the victories, alone among copies of a bot, each deal from every seat; it draws its actions."""
    batch = game.against(
        deals * players, players, HELD_OUT, seat=0, bots=bot, duplicate=players, rotate=True, reward="win"
    )
    shares, playing = np.zeros(batch.n), np.ones(batch.n, bool)
    while playing.any():
        with torch.no_grad():
            logits = net(torch.from_numpy(batch.obs)).masked_fill(~torch.from_numpy(batch.mask), -1e9)
        batch.step(torch.multinomial(logits.softmax(1), 1)[:, 0].numpy())
        over = batch.done & playing
        shares[over] = batch.gain[over]
        playing &= ~over
    return share_of(shares.reshape(deals, players).mean(1), players)


def main() -> None:
    """Learn from a folder of data, and measure what was learnt."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--game", default="rivals")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--matches", type=int, default=1000, help="how many are made where there are no data")
    parser.add_argument("--bots", default="random,easy,steady", help="whose matches are made")
    parser.add_argument("--against", default="easy")
    parser.add_argument("--deals", type=int, default=200, help="for measuring")
    parser.add_argument("--passes", type=int, default=3, help="over the data")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("runs/learnt.npz"))
    args = parser.parse_args()
    game, begun = outbid.game(args.game), time.monotonic()
    folder = args.data or Path("runs", f"data-{args.game}-{args.players}")
    data(folder, game, args.players, args.bots.split(","), args.matches)
    rows = rows_of(folder, "observation", "mask", "action", "margin")
    print(f"{len(rows['action']):,} decisions in {folder}; equal shares are {1 / args.players:.1%}")
    torch.manual_seed(args.seed)
    imitation, offline = learnt(rows, args.passes, args.seed)
    untrained = Net(rows["observation"], rows["mask"].shape[1])
    for name, net in (("untrained", untrained), ("imitation", imitation), ("offline RL", offline)):
        print(f"{name}: {measure(game, args.players, args.against, net, args.deals)} of the victories from {args.against}")
    layers = [(layer.weight.detach(), layer.bias.detach()) for layer in (offline.body[0], offline.body[2], offline.head)]
    args.out.parent.mkdir(parents=True, exist_ok=True)
    file = write(args.out, game, layers, {}, (offline.mean, offline.scale))
    print(f"net@{file}, after {time.monotonic() - begun:.0f} seconds")


if __name__ == "__main__":
    main()
