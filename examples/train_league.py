"""Learn a game in a league: PPO (train_ppo.py) among bots and the net's own earlier selves.

    python examples/train_league.py --game claim --players 3 --decisions 400000 --seed 1
    python examples/train_league.py --game rivals --players 2 --check     # some seconds, to see that it runs

The learner sits alone in `game.against`; in each other seat is a bot of `--bots` or one of its own last `--selves`
snapshots, drawn anew for each match. A snapshot is taken `--snapshots` times, evenly over the training. At first, for
`--teach` decisions, the net imitates `steady`, since a beginner that loses every match learns nothing. In the folder
`--out`: `net.npz`, which plays as net@FILE, and `curve.csv`: what it had of the victories in the matches it learned from.
Needs `pip install outbid[train]`.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import outbid
from outbid.core.extras import needed
from outbid.lab.shares import share_of

with needed("train_league.py", "train"):
    import torch

sys.path.insert(0, str(Path(__file__).parent))
import train_ppo as ppo

FIELDS = ("minutes", "decisions", "share", "low", "high", "entropy", "kl", "explained")


def play(v: Any, net: ppo.Net, noise: torch.Generator, out: ppo.Rollout, taught: bool) -> list[float]:
    """Fill a rollout with the learner's decisions, or with those of `steady` in its place. Returns the learner's shares of
    the victory in the matches that ended."""
    seats, shares = np.ones(v.players, bool), []
    for t in range(len(out.action)):
        out.obs[t], out.mask[t] = v.obs, v.mask
        logp, value = net(torch.from_numpy(out.obs[t]), torch.from_numpy(out.mask[t]))
        action = torch.from_numpy(v.steady(seats)) if taught else ppo.draw(logp, noise)
        out.action[t], out.value[t] = action.numpy(), value.numpy()
        out.logp[t] = logp.gather(1, action[:, None]).squeeze(1).numpy()
        out.decides[t] = out.mask[t].sum(1) > 1
        v.step(out.action[t])
        out.done[t] = v.done
        out.reward[t] = (v.gain - v.done / v.players)[:, None]  # an equal share is worth nothing
        shares += v.gain[v.done].tolist()
    return shares


def train(game: Any, players: int, args: argparse.Namespace) -> ppo.Net:
    """Train for `args.decisions`. Returns the net; it is in `args.out`, too."""
    torch.manual_seed(args.seed)
    noise, order = torch.Generator().manual_seed(args.seed), np.random.default_rng(args.seed)
    s, bots = ppo.Settings(matches=args.matches, steps=args.steps), args.bots.split(",")
    v = game.against(s.matches, players, seat=None, bots=[bots] * (players - 1), reward="win", seed=args.seed, threads=1)
    roll = ppo.empty_rollout(v, s.steps)._replace(reward=np.zeros((s.steps, s.matches, 1), np.float32))
    net = ppo.Net(v.obs.shape[1], v.mask.shape[1], s.hidden)
    optimizer = torch.optim.Adam(net.parameters(), lr=args.rate, eps=1e-5)
    book = game.rulebook
    facts = {"game": book.id, "environment": book.environment_id, "features": book.features, "presets": ["seed"],
             "players": [players], "seed": args.seed, "bots": bots}  # fmt: skip
    begin, done, rows, selves = time.process_time(), 0, list[Any](), list[str]()
    while done < args.decisions:
        taught, past = done < args.teach, done / args.decisions
        if not taught and past >= len(selves) / args.snapshots:
            file = args.out / f"self-{len(selves) + 1}.npz"
            ppo.save(file, net, facts | {"decisions": done})
            selves.append(f"net@{file}")
            v.bots = [[*bots, *selves[-args.selves :]]] * (players - 1)
        with torch.no_grad():
            shares = play(v, net, noise, roll, taught)
        if not rows:
            net.look_at(torch.from_numpy(roll.obs).flatten(0, 1))
            with torch.no_grad():
                roll.logp[:], roll.value[:] = again(net, roll)
        optimizer.param_groups[0]["lr"] = args.rate * (1 - 0.95 * past)
        stats = ppo.learn(net, optimizer, roll, s, args.entropy * (1 - 0.9 * past), order, taught)
        done += int(roll.decides.sum())
        found = share_of(np.array(shares or [1 / players]))
        rows.append([(time.process_time() - begin) / 60, done, found.mean, found.low, found.high, *stats])
        print(f"{rows[-1][0]:6.2f} min of processor time  {done:>9,} decisions  {found}", flush=True)
    ppo.save(args.out / "net.npz", net, facts | {"decisions": done})
    with (args.out / "curve.csv").open("w", newline="", encoding="utf-8") as table:
        csv.writer(table).writerows([FIELDS, *([round(number, 5) for number in row] for row in rows)])
    return net


def again(net: ppo.Net, roll: ppo.Rollout) -> tuple[Any, Any]:
    """Log-probabilities of the actions taken, and values, (T, N) both, as the net sees them now."""
    shape = roll.action.shape
    logp, value = net(*(torch.from_numpy(x).flatten(0, 1) for x in (roll.obs, roll.mask)))
    return logp.gather(1, torch.from_numpy(roll.action).reshape(-1, 1)).reshape(shape).numpy(), value.reshape(shape).numpy()


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description="PPO in a league of bots and past selves.")
    parser.add_argument("--game", default="claim")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--bots", default="easy,steady", help="who else sits there")
    parser.add_argument("--selves", type=int, default=4, help="so many snapshots, the latest, play")
    parser.add_argument("--snapshots", type=int, default=8, help="over the whole training")
    parser.add_argument("--decisions", type=int, default=400_000)
    parser.add_argument("--teach", type=int, default=120_000, help="so many of them, the first, are steady's, to be learned")
    parser.add_argument("--matches", type=int, default=128, help="at once")
    parser.add_argument("--steps", type=int, default=96, help="of each before learning from them")
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--entropy", type=float, default=0.005)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=None, help="folder to write to; runs/league-GAME-PLAYERS by default")
    parser.add_argument("--check", action="store_true", help="a few small updates, to see that everything runs")
    args = parser.parse_args()
    torch.set_num_threads(1)
    if args.check:
        args.decisions, args.teach, args.matches, args.steps = 4096, 1024, 16, 32
    args.out = args.out or Path("runs") / f"league-{Path(args.game).stem}-{args.players}"
    args.out.mkdir(parents=True, exist_ok=True)
    train(outbid.game(args.game), args.players, args)


if __name__ == "__main__":
    main()
