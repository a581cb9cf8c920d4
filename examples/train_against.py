"""Learn to beat one bot, one that looks ahead too: what a net decides alone among copies of it, by PPO (train_ppo.py).

    python examples/train_against.py --game claim --against "strong*0.01" --minutes 10
    python examples/train_against.py --game money --against "strong*0.01" --start runs/money-3/net.npz
    python examples/train_against.py --game rivals --against steady --check      # some seconds, to see that it runs

It begins with the net that is shipped with the game, or that of `--start`. Each update plays `--matches` deals that were not
played before, in the arena's compiled loop (lab/training/trajectories.py), and learns from them once. In the folder `--out`:
`net.npz`, an exploiter for `outbid exploit GAME --net …`, and `curve.csv`: what the net took on the way from the
deals it learned from, each played before it was learned. Needs `pip install outbid[train]`.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import outbid
from outbid.bots.outside import FILE
from outbid.core.errors import BadSetup
from outbid.core.extras import needed
from outbid.lab.shares import share_of
from outbid.lab.training import trajectories

with needed("train_against.py", "train"):
    import torch

sys.path.insert(0, str(Path(__file__).parent))
import train_ppo as ppo

FIELDS = ("minutes", "matches", "decisions", "share", "low", "high", "entropy", "kl", "explained")
REWARDS = ("win", "rank")


@dataclass(frozen=True)
class Settings:
    """What is different from train_ppo.py. rate, entropy: at the beginning, falling on a line to a tenth."""

    reward: str = "win"  # the share of the victory; or rank: 1 for the first, 0 for the last
    matches: int = 512  # of an update
    rate: float = 3e-4
    entropy: float = 0.005


def rollout(net: ppo.Net, played: trajectories.Trajectories, players: int, reward: str) -> ppo.Rollout:
    """The same as T steps of N matches, T the most decisions of one, of a single seat: what follows its last decision is the
    end."""
    n, steps = len(played.count), max(1, int(played.count.max()))
    match = np.repeat(np.arange(n), played.count)
    step = np.arange(len(match)) - np.repeat(np.cumsum(played.count) - played.count, played.count)
    ends = np.maximum(played.count, 1) - 1, np.arange(n)
    with torch.no_grad():
        logp, value = net(torch.from_numpy(played.seen), torch.from_numpy(played.could))
        chosen = logp.gather(1, torch.from_numpy(played.did)[:, None]).squeeze(1)
    roll = ppo.Rollout(
        np.zeros((steps, n, played.seen.shape[1]), np.float32), np.zeros((steps, n, played.could.shape[1]), bool),
        np.zeros((steps, n), np.int64), np.zeros((steps, n), np.int64), np.zeros((steps, n), bool),
        np.zeros((steps, n), np.float32), np.zeros((steps, n), np.float32), np.zeros((steps, n, 1), np.float32),
        np.zeros((steps, n), bool),
    )  # fmt: skip
    at = step, match
    roll.obs[at], roll.mask[at], roll.action[at], roll.decides[at] = played.seen, played.could, played.did, True
    roll.logp[at], roll.value[at] = chosen.numpy(), value.numpy()
    worth = played.share if reward == "win" else 1 - played.place / (players - 1)
    roll.reward[ends] = (worth - 1 / players if reward == "win" else worth - 0.5)[:, None]
    roll.done[ends] = True
    return roll


def train(
    game: Any, players: int, against: str, s: Settings, seed: int, minutes: float, updates: int, out: Path, start: Path
) -> list[dict[str, float]]:
    """Train for so many updates, or, if that is 0, minutes. start: the net to begin with. Returns the rows of the curve; the
    net is in `out`."""
    torch.manual_seed(seed)
    order = np.random.default_rng(seed)
    net, before = ppo.load(start)
    facts = {
        **{name: before[name] for name in ("game", "environment", "features", "presets")},
        "players": [players], "against": against, "seed": seed, **asdict(s),
    }  # fmt: skip
    optimizer = torch.optim.Adam(net.parameters(), lr=s.rate, eps=1e-5)
    rows: list[dict[str, float]] = []
    begin, decisions, update, past = time.monotonic(), 0, 0, 0.0
    file = out / "net.npz"
    ppo.save(file, net, {**facts, "played": 0})
    while past < 1:
        fallen = 1 - 0.9 * past
        optimizer.param_groups[0]["lr"] = s.rate * fallen
        played = trajectories.play(
            game.rulebook, game.options, players, f"{FILE}{file}", against, update * s.matches, s.matches, seed,
        )  # fmt: skip
        stats = ppo.learn(net, optimizer, rollout(net, played, players, s.reward), ppo.Settings(), s.entropy * fallen, order)
        update, decisions = update + 1, decisions + len(played.did)
        spent = (time.monotonic() - begin) / 60
        past = min(1.0, update / updates if updates else spent / minutes)
        found = share_of(played.share)
        row = (spent, update * s.matches, decisions, found.mean, found.low, found.high, *stats)
        rows.append({name: round(value, 5) for name, value in zip(FIELDS, row, strict=True)})
        print(
            f"{spent:6.1f} min  {update * s.matches:8,} matches  {decisions / 1e6:6.2f} M  against {against}: "
            f"{found}  (equal {100 / players:.1f} %)  entropy {stats[0]:.2f}  "
            f"kl {stats[1]:.4f}  explained {stats[2]:.2f}",
            flush=True,
        )
        ppo.save(file, net, {**facts, "played": update * s.matches})
        with open(out / "curve.csv", "w", newline="") as table:
            writer = csv.DictWriter(table, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    return rows


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description="Learn to beat one bot, beginning with a net that plays already.")
    parser.add_argument("--game", default="claim", help="kuhhandel, money, rivals, claim")
    parser.add_argument("--preset", default="seed", help="options of the game, by the name of a preset")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--against", default="strong*0.01", help="who holds the other seats; named as in `outbid arena`")
    parser.add_argument("--start", type=Path, default=None, help="net to begin with; the shipped one by default")
    parser.add_argument("--reward", choices=REWARDS, default=Settings.reward)
    parser.add_argument("--matches", type=int, default=Settings.matches, help="of an update")
    parser.add_argument("--rate", type=float, default=Settings.rate, help="of learning, at the beginning")
    parser.add_argument("--entropy", type=float, default=Settings.entropy, help="bonus for it, at the beginning")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--updates", type=int, default=0, help="how much to train, instead of --minutes; repeatable")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=None, help="folder to write to; runs/GAME-PLAYERS-against by default")
    parser.add_argument("--check", action="store_true", help="two small updates, to see that everything runs")
    args = parser.parse_args()
    torch.set_num_threads(1)
    game = outbid.game(args.game, preset=args.preset)
    start = args.start or game.rulebook.folder / "policy.npz"
    if not start.exists():
        parser.error(f"{game.rulebook.title} has no net to begin with; give one: --start FILE.")
    out = args.out or Path("runs") / f"{args.game}-{args.players}-against"
    out.mkdir(parents=True, exist_ok=True)
    settings = Settings(args.reward, 16 if args.check else args.matches, args.rate, args.entropy)
    updates = 2 if args.check else args.updates
    try:
        game.rulebook.check_players(args.players, game.options)
        train(game, args.players, args.against, settings, args.seed, args.minutes, updates, out, start)
    except BadSetup as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
