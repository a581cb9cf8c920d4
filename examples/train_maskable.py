"""Learn to beat a bot with somebody else's library: MaskablePPO of sb3-contrib on the compiled batch, with a curriculum.

    python examples/train_maskable.py --game rivals --players 2 --minutes 5
    python examples/train_maskable.py --game money --against easy,steady --minutes 20 --out runs/money
    python examples/train_maskable.py --game kuhhandel --teach 0.5    # half of the time it learns to decide as `steady` does
    python examples/train_maskable.py --game rivals --check           # some seconds, to see that it runs

The learner meets the bots of `--against` one after the other, each for an equal part of the time, and is measured on
held-out deals: what it has of the victories alone among them, with an interval. Minutes are those of the processor, so that
other work on the machine changes nothing. In the folder `--out`: `curve.csv` and `net.npz`, which plays as `net@FILE`. A
training that is stopped (Ctrl+C) leaves its last net, and goes on with `--go-on`. Needs `pip install outbid[train]`.

What differs from MaskablePPO's own settings, and why: there is no discount (a match pays once, at its end, some hundred
steps later); features are standardised; the reward is the margin, which says something of every match; 256 matches at once,
and few epochs, since a fresh step costs less than learning from it twice; learning rate and entropy bonus fall to nearly
nothing. In long matches a beginner loses all, whatever it changes; there `--teach` lets it first copy what `steady` decides
in its place (cross-entropy), and learn what such matches bring (squared error).
docs/training.md says what comes out.
"""

from __future__ import annotations

import argparse
import csv
import signal
import time
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np

import outbid
from outbid.adapters import stable_baselines
from outbid.core.extras import needed
from outbid.lab.shares import Share, share_of

with needed("train_maskable.py", "train"):
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback

STOPPED = "stopped.pt"  # in the folder: where a training stands

HELD_OUT = 1 << 40  # deals from this seed on are for measuring
FIELDS = ("minutes", "cpu_minutes", "steps", "against", "share", "low", "high")


def measure(model: Any, game: str, players: int, bots: str, deals: int) -> Share:
    """The learner's share of the victories, alone among the bots, with each deal from every seat."""
    v = outbid.game(game).against(
        deals * players, players, seed=HELD_OUT, seat=0, bots=bots, duplicate=players, rotate=True, reward="win"
    )
    shares, playing = np.zeros(v.n), np.ones(v.n, bool)
    while playing.any():
        with torch.no_grad():
            obs = torch.from_numpy(np.array(v.obs))
            actions = model.policy.get_distribution(obs, np.array(v.mask)).get_actions().numpy()
        v.step(actions)
        ended = playing & v.done
        shares[ended] = v.gain[ended]
        playing &= ~v.done
    return share_of(shares.reshape(deals, players).mean(1), players)


class Progress(BaseCallback):
    """Ends the training by the clock, lets rate and entropy fall, seats the next bot, and measures on the way."""

    def __init__(self, args: argparse.Namespace, players: int):
        super().__init__()
        self.args, self.players, self.bots = args, players, args.against.split(",")
        self.began, self.cpu = time.monotonic(), time.process_time()
        self.next, self.seated, self.taught, self.rows, self.stop = 0.0, -1, 0, [], Event()
        if args.go_on:
            stopped = torch.load(args.out / STOPPED)
            self.rows, self.next, self.taught = stopped["rows"], stopped["next"], stopped.get("taught", 0)
            self.began, self.cpu = self.began - stopped["wall"], self.cpu - stopped["cpu"]

    @property
    def past(self) -> float:
        """The part of the time, or of the steps, that is over."""
        if self.args.steps:
            return min(1.0, self.num_timesteps / self.args.steps)
        return min(1.0, (time.process_time() - self.cpu) / 60 / self.args.minutes)

    @property
    def teaching(self) -> bool:
        """The part of the time, or of the steps, in which it copies steady is not over."""
        return (self.taught / self.args.steps if self.args.steps else self.past) < self.args.teach

    def _on_rollout_start(self) -> None:
        place = min(int(self.past * len(self.bots)), len(self.bots) - 1)
        if place != self.seated:
            self.seated = place
            self.training_env.set_attr("bots", self.bots[place])
        self.model.ent_coef = self.args.entropy * (1 - 0.95 * self.past)
        if self.past >= self.next:
            self.next += 1 / self.args.points
            self.tell(self.args.deals)

    def _on_step(self) -> bool:
        return self.past < 1 and not self.stop.is_set()

    def keep(self) -> None:
        """Write the net, and where the training stands."""
        where = {"steps": self.model.num_timesteps, "rows": self.rows, "next": self.next, "taught": self.taught}
        spent = {"wall": time.monotonic() - self.began, "cpu": time.process_time() - self.cpu}
        torch.save({"model": self.model.get_parameters(), **where, **spent}, self.args.out / STOPPED)
        print(stable_baselines.save(self.model, self.args.out / "net.npz"))

    def tell(self, deals: int) -> None:
        """Measure, print, write."""
        found = measure(self.model, self.args.game, self.players, self.bots[-1], deals)
        spent = (time.monotonic() - self.began) / 60, (time.process_time() - self.cpu) / 60
        self.rows.append((*(f"{one:.2f}" for one in spent), self.num_timesteps, self.bots[-1],
                          *(f"{one:.4f}" for one in (found.mean, found.low, found.high))))  # fmt: skip
        print(f"{spent[0]:6.2f} min ({spent[1]:.2f} of processor time)  {self.num_timesteps:>10,} steps  "
              f"against {self.bots[-1]}: {found}", flush=True)  # fmt: skip
        with (self.args.out / "curve.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([FIELDS, *self.rows])


def teach(model: Any, progress: Progress, args: argparse.Namespace, steps: int = 256) -> None:
    """For the first part of the time, `steady` plays the learner's seat, and the policy learns to decide so."""
    policy, seats = model.policy, np.ones(progress.players, bool)
    v = outbid.game(args.game).against(
        args.matches, progress.players, seat=None, bots=progress.bots[-1], reward=args.reward, seed=args.seed,
        threads=args.threads,
    )  # fmt: skip
    while progress.teaching and not progress.stop.is_set():
        progress.taught += steps * args.matches
        rows: list[tuple[Any, ...]] = []
        for _ in range(steps):
            actions = v.steady(seats)
            seen = v.obs.copy(), v.mask.copy(), actions
            v.step(actions)
            rows.append((*seen, v.done.copy(), v.gain.copy()))
        obs, masks, made, done, gain = (np.stack(column) for column in zip(*rows, strict=True))
        brought = np.full(done.shape, np.nan, np.float32)  # what the match brought in the end, where that is known
        for t in reversed(range(steps)):
            brought[t] = np.where(done[t], gain[t], brought[t + 1] if t + 1 < steps else np.nan)
        decided = masks.sum(-1) > 1
        sets = [torch.from_numpy(one[decided]) for one in (obs, made, masks, brought)]
        for part in torch.randperm(int(decided.sum())).split(args.batch):
            seen, action, mask, worth = (one[part] for one in sets)
            value, log_prob, _ = policy.evaluate_actions(seen, action, action_masks=mask)
            off = (value.flatten() - worth)[~worth.isnan()]
            loss = -log_prob.mean() + (0.5 * (off**2).mean() if len(off) else 0.0)
            policy.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            policy.optimizer.step()
        spent = (time.process_time() - progress.cpu) / 60
        print(f"  taught until {spent:.2f} min of processor time; loss {float(loss.detach()):.3f}", flush=True)


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description="MaskablePPO learns to beat a bot.")
    parser.add_argument("--game", default="rivals")
    parser.add_argument("--players", type=int, default=0, help="the fewest by default")
    parser.add_argument("--against", default="easy", help="bots, one after the other; the last one is measured against")
    parser.add_argument("--teach", type=float, default=0.0, help="part of the time in which it copies steady")
    parser.add_argument("--reward", default="margin", help="win, margin, rank or score")
    parser.add_argument("--minutes", type=float, default=5, help="of processor time, the measuring included")
    parser.add_argument("--steps", type=int, default=0, help="instead of --minutes; repeatable")
    parser.add_argument("--matches", type=int, default=256, help="at once")
    parser.add_argument("--rollout", type=int, default=64, help="steps of each before learning from them")
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--units", type=int, default=128)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--entropy", type=float, default=0.01)
    parser.add_argument("--trace", type=float, default=0.97, help="lambda of GAE")
    parser.add_argument("--points", type=int, default=10, help="measurements on the way")
    parser.add_argument("--deals", type=int, default=200, help="of each of them")
    parser.add_argument("--last-deals", type=int, default=1000, help="of the last one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, default=None)
    parser.add_argument("--go-on", action="store_true", help="from where the training in the folder was stopped")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    players = args.players or outbid.game(args.game).rulebook.players[0]
    args.out = args.out or Path("runs") / f"maskable-{Path(args.game).stem}-{players}"
    if args.go_on and not (args.out / STOPPED).exists():
        parser.error(f"no training was stopped in {args.out}: there is no {STOPPED}")
    args.out.mkdir(parents=True, exist_ok=True)
    if args.check:
        args.steps, args.matches, args.rollout, args.points, args.deals, args.last_deals = 2048, 32, 32, 2, 8, 8
    env = stable_baselines.vec_env(
        args.game, args.matches, players=players, bots=args.against.split(",")[0], reward=args.reward, seed=args.seed,
        threads=args.threads,
    )  # fmt: skip
    progress = Progress(args, players)
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=args.rollout, batch_size=args.batch, n_epochs=args.epochs, gamma=1.0,
        gae_lambda=args.trace, ent_coef=args.entropy, learning_rate=lambda left: args.rate * max(0.02, 1 - progress.past),
        policy_kwargs=stable_baselines.policy_kwargs(args.units, env), seed=args.seed, device="cpu",
    )  # fmt: skip
    progress.model = model
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: progress.stop.set())
    if args.go_on:
        stopped = torch.load(args.out / STOPPED)
        model.set_parameters(stopped["model"])
        model.num_timesteps = stopped["steps"]
    if progress.teaching:
        teach(model, progress, args)
        if not progress.stop.is_set():
            progress.tell(args.deals)
    if not progress.stop.is_set():
        model.learn(args.steps or 10**12, callback=progress, reset_num_timesteps=not args.go_on)
    if not progress.stop.is_set():
        progress.tell(args.last_deals)
    progress.keep()


if __name__ == "__main__":
    main()
