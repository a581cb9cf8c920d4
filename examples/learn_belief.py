"""Learn what the others hold: a belief, from data in which the truth is given beside what was seen.

    python examples/learn_belief.py                                          # Kuhhandel for three: what money the next has
    python examples/learn_belief.py --game kuhhandel --field animals
    python examples/learn_belief.py --data people/kuhhandel --players 4

The net reads what a seat saw, and says how likely each number is at each place of a field of the next seat: how many notes
of a value it holds. The truth is in the column `hidden`, by which nobody plays. Matches of the last fifth are not learnt
from; there the belief is compared, in bits a place, with two that do not look at the moves: how often each number occurs,
and how often at that stage of a match. Where the data are missing, they are made. Needs `pip install "outbid[lab,train]"`.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

import outbid
from outbid.lab import datasets

UNITS, BATCH, RATE, STAGES = 128, 1024, 1e-3, 10


def rows_of(
    folder: Path, field: str, players: int
) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]:
    """What was seen (R, F), the field of the next seat (R, K), which rows are held out (R,), the stage of the match (R,)."""
    seen, truth, match, stage = [], [], [], []
    for file in datasets.files(folder):
        rows = datasets.read(file)
        own = np.flatnonzero(rows["players"] == players)
        after = (rows["seat"][own].astype(int) + 1) % players
        seen.append(rows["observation"][own])
        truth.append(rows["hidden"][field][own, after].reshape(len(own), -1).astype(np.int64))
        match.append(rows["match"][own])
        stage.append(rows["move"][own])
    of, moves = np.concatenate(match), np.concatenate(stage)
    cuts = np.quantile(moves, np.arange(1, STAGES) / STAGES)
    return np.concatenate(seen), np.concatenate(truth), of > np.quantile(np.unique(of), 0.8), np.searchsorted(cuts, moves)


def frequencies(truth: NDArray[np.int64], numbers: int) -> NDArray[np.float64]:
    """How often each number occurs at each place, (K, numbers), each once more than it did."""
    return (np.stack([(truth == number).sum(0) for number in range(numbers)], 1) + 1) / (len(truth) + numbers)


def bits(chances: NDArray[np.float64], truth: NDArray[np.int64]) -> float:
    """The surprise at the truth, (R, K), by these chances (R or 1, K, numbers), in bits a place."""
    rows = np.broadcast_to(chances, (*truth.shape, chances.shape[-1]))
    return float(-np.log2(np.take_along_axis(rows, truth[:, :, None], 2)).mean())


def learnt(seen: torch.Tensor, truth: torch.Tensor, numbers: int, passes: int) -> nn.Module:
    """A net from features to logits (rows, K · numbers)."""
    mean, scale = seen.mean(0), 1 / seen.std(0).clamp(min=1e-2)
    first, last = nn.Linear(seen.shape[1], UNITS), nn.Linear(UNITS, truth.shape[1] * numbers)
    net = nn.Sequential(first, nn.ReLU(), nn.Linear(UNITS, UNITS), nn.ReLU(), last)
    with torch.no_grad():  # the first layer reads features standardised
        first.bias -= first.weight @ (mean * scale)
        first.weight *= scale
    optimizer = torch.optim.Adam(net.parameters(), RATE)
    batches = [batch for _ in range(passes) for batch in torch.randperm(len(seen)).split(BATCH)]
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.01, len(batches))
    for batch in batches:
        logits = net(seen[batch]).reshape(-1, numbers)
        loss = nn.functional.cross_entropy(logits, truth[batch].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return net


def main() -> None:
    """Learn a belief from a folder of data, and compare it with two that do not look."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--game", default="kuhhandel")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--field", default="money", help="of the state, with a row for each seat")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--matches", type=int, default=250, help="how many are made where there are no data")
    parser.add_argument("--bots", default="easy,steady", help="whose matches are made")
    parser.add_argument("--passes", type=int, default=3, help="over the data")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    book, begun = outbid.game(args.game).rulebook, time.monotonic()
    folder = args.data or Path("runs", f"data-{args.game}-{args.players}")
    if not datasets.files(folder):
        datasets.make(datasets.Matches(book, {}, (args.players,), args.bots.split(","), 0), folder, args.matches)
    torch.manual_seed(args.seed)
    seen, truth, held_out, stage = rows_of(folder, args.field, args.players)
    numbers, own = int(truth.max()) + 1, ~held_out
    print(f"{own.sum():,} decisions to learn from, {held_out.sum():,} held out; {truth.shape[1]} places, 0 to {numbers - 1}")
    net = learnt(torch.from_numpy(seen[own]), torch.from_numpy(truth[own]), numbers, args.passes)
    with torch.no_grad():
        logits = net(torch.from_numpy(seen[held_out])).reshape(-1, truth.shape[1], numbers)
        belief = logits.double().softmax(2).numpy()
    staged = np.stack([frequencies(truth[own & (stage == k)], numbers) for k in range(STAGES)])
    print(f"how often each number occurs: {bits(frequencies(truth[own], numbers)[None], truth[held_out]):.3f} bits a place")
    print(f"and at that stage of a match: {bits(staged[stage[held_out]], truth[held_out]):.3f} bits a place")
    print(f"the belief: {bits(belief, truth[held_out]):.3f} bits a place, after {time.monotonic() - begun:.0f} seconds")


if __name__ == "__main__":
    main()
