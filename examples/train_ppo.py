"""Learn a game by playing it against itself: masked PPO in PyTorch, on the processor, on Outbid's batch environment.

    python examples/train_ppo.py --game claim --players 3 --minutes 25 --seed 1
    python examples/train_ppo.py --game rivals --players 2 --reward margin --guide 0.25 --decisions 10_000_000 --seed 1
    python examples/train_ppo.py --game kuhhandel --players all --preset all --guide 0.25 --minutes 20 --ship
    python examples/train_ppo.py --game rivals --players 2 --check        # some seconds, to see that it runs

One network plays all seats of 512 matches at once, but those that `--guide` gives to the steady bot; with several numbers of
players each has its part of the matches. From time to time it is measured on held-out deals: alone against `steady` in all
other seats, on every deal once from each seat. In the folder `--out`: `curve.csv`, `curve.svg` and `net.npz` (float16);
`--ship` puts that into the game's folder, too, from where the bot `net` has its weights (src/outbid/bots/nets/policy.py).
`--minutes` lets rate and entropy bonus fall by the clock, `--decisions` by what has been decided, which is the same at every
repetition. A training that is stopped (Ctrl+C) leaves its last net, and goes on with `--go-on`, with new matches; one that
is killed, from where it was KEPT seconds before.
Needs `pip install outbid[train]`.

Shapes: T steps of N matches, P seats, F features, A actions. A decision is a step in which the acting seat has a choice.
docs/training.md says what comes out and why it is done like this.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import time
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, replace
from pathlib import Path
from threading import Event, Thread
from typing import Any, NamedTuple

import numpy as np

import outbid
from outbid.bots.nets.weights import presets_of
from outbid.core.chance import stream
from outbid.core.extras import needed
from outbid.lab.shares import Share, share_from, share_of

with needed("train_ppo.py", "train"):
    import torch
    from torch import nn

STOPPED = "stopped.pt"  # in the folder: where a training stands
KEPT = 10.0  # seconds after which that is written again
HELD_OUT = 1 << 40  # deals from this seed on are for measuring; training deals from seeds below it
SHARES = ("share", "low", "high")  # of the victory with its interval, over the numbers of players
FIELDS = ("minutes", "decisions", *SHARES, *(f"greedy_{name}" for name in SHARES), "entropy", "kl", "explained")


@dataclass(frozen=True)
class Settings:
    """What PPO is told. rate, entropy: at the beginning and at the end, in between on a line."""

    reward: str = "win"  # or margin, rank, score (vector.py), less the mean of all seats
    guide: float = 0.0  # part of the matches in which steady holds all seats but one
    teach: int = 0  # so many decisions at the beginning are steady's, which the net learns to make
    matches: int = 512
    steps: int = 96
    hidden: int = 128
    epochs: int = 1
    minibatch: int = 1024
    rate: tuple[float, float] = (1e-3, 5e-5)
    entropy: tuple[float, float] = (0.02, 0.002)
    clip: float = 0.2
    trace: float = 0.95  # GAE's lambda; there is no discount
    value: float = 0.5  # weight of the value loss
    norm: float = 0.5  # bound on the length of a gradient
    measure_every: int = 25  # updates
    deals: int = 256  # of each measurement on the way; every deal is played from every seat
    last_deals: int = 4096  # of the one at the end


CHECK = Settings(matches=64, steps=48, measure_every=2, deals=16, last_deals=32)


class Net(nn.Module):
    """Two hidden layers; the policy's logits and the expected reward of the seat that sees `obs`."""

    def __init__(self, features: int, actions: int, hidden: int):
        super().__init__()
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("scale", torch.ones(features))
        self.body = nn.Sequential(nn.Linear(features, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.policy = nn.Linear(hidden, actions)
        self.value = nn.Linear(hidden, 1)
        for layer, gain in ((self.body[0], 2**0.5), (self.body[2], 2**0.5), (self.policy, 0.01), (self.value, 1.0)):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)

    def look_at(self, obs: torch.Tensor) -> None:
        """Learn from some rows how wide the features spread; what is rare or small then counts as much as the rest."""
        self.mean.copy_(obs.mean(0))
        self.scale.copy_(1 / obs.std(0).clamp(min=1e-2))

    def forward(self, obs: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-probabilities (rows, A), about −1e9 for what is not legal; values (rows,)."""
        seen = self.body(((obs - self.mean) * self.scale).clamp(-5, 5))
        return self.policy(seen).masked_fill(~mask, -1e9).log_softmax(1), self.value(seen).squeeze(1)


def draw(logp: torch.Tensor, noise: torch.Generator | None) -> torch.Tensor:
    """An action for every row, drawn by its probability; the most probable one without noise."""
    if noise is None:
        return logp.argmax(1)
    up_to = logp.exp().cumsum(1)
    at = torch.rand(len(logp), 1, generator=noise) * up_to[:, -1:]  # below the last, and so at an action that is possible
    return (up_to <= at).sum(1)


class Rollout(NamedTuple):
    """T steps of N matches, as they were played; `decides` is False where the net had no choice."""

    obs: Any  # float32 (T, N, F)
    mask: Any  # bool (T, N, A)
    actor: Any  # int64 (T, N)
    action: Any  # int64 (T, N)
    decides: Any  # bool (T, N)
    logp: Any  # float32 (T, N): of the action taken
    value: Any  # float32 (T, N): expected by the acting seat
    reward: Any  # float32 (T, N, P): of every seat, after the step
    done: Any  # bool (T, N): the match ended with the step


def empty_rollout(batch: Any, steps: int) -> Rollout:
    """Room for a rollout, used again for each."""
    n = batch.n
    shapes = {"obs": batch.obs.shape[1:], "mask": batch.mask.shape[1:], "reward": batch.reward.shape[1:]}
    types = {"mask": bool, "decides": bool, "done": bool, "actor": np.int64, "action": np.int64}
    return Rollout(*(np.zeros((steps, n, *shapes.get(f, ())), types.get(f, np.float32)) for f in Rollout._fields))


@torch.no_grad()
def play(batch: Any, net: Net, noise: torch.Generator, out: Rollout, guided: Any, taught: bool = False) -> None:
    """Fill a rollout; the net draws for all seats but those that steady holds: guided, bool (N, P). taught: what steady
    decides is to be learned from."""
    for t in range(len(out.actor)):
        given = batch.steady(guided)  # −1 where the net is to act
        out.obs[t], out.mask[t], out.actor[t] = batch.obs, batch.mask, batch.actor
        logp, value = net(torch.from_numpy(out.obs[t]), torch.from_numpy(out.mask[t]))
        action = torch.from_numpy(np.where(given < 0, draw(logp, noise).numpy(), given))
        out.action[t], out.value[t] = action.numpy(), value.numpy()
        out.logp[t] = logp.gather(1, action[:, None]).squeeze(1).numpy()
        out.decides[t] = ((given < 0) | taught) & (out.mask[t].sum(1) > 1)
        batch.step(out.action[t])
        out.reward[t], out.done[t] = batch.reward, batch.done


def advantages(roll: Rollout, trace: float) -> tuple[Any, Any]:
    """GAE along the decisions of each seat of each match; and which of them can be learned from: (T, N) both.

    What a seat decides is followed by its own next decision, whatever others do in between, or by the end of the match.
    The last one before the rollout breaks off has neither: it is not learned from, but its value counts for the one before.
    """
    steps, n, players = roll.reward.shape
    gained = np.zeros((n, players), np.float32)  # rewards since the later decision of each seat …
    value, advantage = np.zeros_like(gained), np.zeros_like(gained)  # … and what followed from it
    known = np.zeros((n, players), bool)  # there is a later decision, or the end
    result, learned = np.zeros((steps, n), np.float32), np.zeros((steps, n), bool)
    for t in range(steps - 1, -1, -1):
        over = roll.done[t]
        value[over], advantage[over], gained[over], known[over] = 0, 0, 0, True
        gained += roll.reward[t]
        i = np.flatnonzero(roll.decides[t])
        seat = roll.actor[t, i]
        ahead = gained[i, seat] + value[i, seat] - roll.value[t, i]
        found = np.where(known[i, seat], ahead + trace * advantage[i, seat], 0)
        result[t, i], learned[t, i] = found, known[i, seat]
        value[i, seat], advantage[i, seat] = roll.value[t, i], found
        gained[i, seat], known[i, seat] = 0, True
    return result, learned


def learn(
    net: Net, optimizer: Any, roll: Rollout, s: Settings, entropy: float, order: np.random.Generator, taught: bool = False
) -> Any:
    """Some epochs of clipped policy gradient over a rollout; taught: of imitation. Returns the means of entropy and KL, and
    explained variance."""
    advantage, learned = advantages(roll, s.trace)
    rows = np.flatnonzero(learned)
    flat = [torch.from_numpy(x.reshape(learned.size, *x.shape[2:])) for x in (*roll[:2], roll.action, roll.logp)]
    adv = advantage.ravel()
    target = torch.from_numpy(adv + roll.value.ravel())
    explained = 1 - np.var(adv[rows]) / max(1e-9, float(np.var(target.numpy()[rows])))
    scaled = torch.from_numpy((adv - adv[rows].mean()) / (adv[rows].std() + 1e-8))
    seen = []
    for _ in range(s.epochs):
        for part in np.array_split(order.permutation(rows), max(1, len(rows) // s.minibatch)):
            at = torch.from_numpy(part)
            obs, mask, action, before = (x[at] for x in flat)
            logp, value = net(obs, mask)
            change = logp.gather(1, action[:, None]).squeeze(1) - before
            ratio, gain = change.exp(), scaled[at]
            policy = -torch.min(ratio * gain, ratio.clamp(1 - s.clip, 1 + s.clip) * gain).mean()
            if taught:
                policy = -(change + before).mean()
            spread = -(logp.exp() * logp).sum(1).mean()
            loss = policy - entropy * spread + s.value * (value - target[at]).square().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), s.norm)
            optimizer.step()
            seen.append((spread.item(), (ratio - 1 - change).mean().item()))
    return (*np.mean(seen, axis=0).tolist(), float(explained))


def measured(game: Any, tables: list[int], net: Net, deals: int, noise: int | None, seed: int) -> list[Share]:
    """The share for each number of players. noise: the seed of what is drawn; None: the most probable action."""
    drawn = [torch.Generator().manual_seed(noise) if noise is not None else None for _ in tables]
    return [summary(measure(game, n, net, deals, one, seed)) for n, one in zip(tables, drawn, strict=True)]


def together(found: list[Share], deals: int) -> Share:
    """The mean over the numbers of players, each measured on so many deals."""
    errors = [one.error for one in found if one.error is not None]
    error = float(np.linalg.norm(errors) / len(found)) if errors else None
    return share_from(float(np.mean([one.mean for one in found])), error, deals * len(found))


@torch.no_grad()
def measure(game: Any, players: int, net: Net | None, deals: int, noise: torch.Generator | None, seed: int) -> Any:
    """Share of the victory of one seat against `steady` in all others, on every deal from every seat: (deals, P).

    net: plays that seat, with noise or greedily; None: uniformly random. A match that does not end counts as lost.
    """
    threads = torch.get_num_threads()
    v = game.vector(deals * players, players, seed, duplicate=players, rotate=True, observe=False, threads=threads)
    seat, rows = v.seat_of(0), np.arange(v.n)
    others = np.arange(players) != seat[:, None]
    shares, playing = np.zeros(v.n), np.ones(v.n, bool)
    for _ in range(game.rulebook.longest):
        action = v.steady(others)
        own = np.flatnonzero(action < 0)
        if net is None:
            action[own] = v.sample()[own]
        else:
            logp, _ = net(torch.from_numpy(v.obs[own]), torch.from_numpy(v.mask[own]))
            action[own] = draw(logp, noise).numpy()
        v.step(action)
        ended = playing & v.done
        shares[ended] = v.reward[rows, seat][ended]
        playing &= ~v.done
        if not playing.any():
            break
    return shares.reshape(deals, players)


def summary(shares: Any) -> Share:
    """Mean share with its interval, clustered by deal."""
    return share_of(shares.mean(1), shares.shape[1])


def save(path: Path, net: Net, facts: dict[str, Any]) -> None:
    """The weights as float16, by name, and `facts` as JSON; `load` reads them."""
    weights = {name: value.numpy().astype(np.float16) for name, value in net.state_dict().items()}
    part = path.with_name("part.npz")
    np.savez_compressed(part, facts=json.dumps(facts), **weights)
    part.replace(path)


def load(path: Path) -> tuple[Net, dict[str, Any]]:
    """A saved net and its facts."""
    with np.load(path) as file:
        weights = {name: torch.from_numpy(file[name].astype(np.float32)) for name in file.files if name != "facts"}
        facts = json.loads(str(file["facts"]))
    hidden, features = weights["body.0.weight"].shape
    net = Net(features, len(weights["policy.bias"]), hidden)
    net.load_state_dict(weights)
    return net, facts


def plot(path: Path, rows: list[dict[str, float]], title: str, equal: float) -> None:
    """The curve: share of the victories over decisions, with its intervals."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "outbid"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    million = [row["decisions"] / 1e6 for row in rows]
    for name, words, colour in (("greedy_", "most probable action", "#1b5e4b"), ("", "drawn action", "#b5762a")):
        mean, low, high = ([100 * row[name + key] for row in rows] for key in SHARES)
        axes.plot(million, mean, color=colour, label=words)
        axes.fill_between(million, low, high, color=colour, alpha=0.2, linewidth=0)
    axes.axhline(100 * equal, color="#555555", linestyle="--", linewidth=1, label="equal share")
    axes.set(title=title, xlabel="million decisions", ylabel="victories against steady, per cent", ylim=(0, 100))
    axes.legend(loc="lower right", frameon=False)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else {})
    pyplot.close(figure)


def train(
    game: Any, tables: list[int], s: Settings, seed: int, minutes: float, decisions: int, out: Path | None,
    presets: Sequence[str | dict[str, Any]] = ("seed",), start: Path | None = None, go_on: bool = False,
    stop: Event | None = None,
) -> Any:  # fmt: skip
    """Train until `minutes` or, if given, `decisions` are over. tables: numbers of players; presets: of rules, the first of
    them that of `game`; start: the net to begin with, a new one by default; go_on: from where the training in `out` stopped;
    stop: set from outside, it ends the training after the update, with the net and where it stands in `out`. Returns the net
    and the rows of the curve."""
    torch.manual_seed(seed)
    noise, order = torch.Generator().manual_seed(seed), np.random.default_rng(seed)
    seats = np.resize(tables, s.matches)
    rules = [one for one in presets for _ in tables]
    batch = outbid.game(game.rulebook.id).vector(
        s.matches, seats, seed, options=[rules[k % len(rules)] for k in range(s.matches)], reward=s.reward, observe=False,
        threads=torch.get_num_threads(),
    )  # fmt: skip
    match, seat, many = np.arange(s.matches)[:, None], np.arange(max(tables)), seats[:, None]
    guided = (match < s.guide * s.matches) & (seat != match // len(tables) % many)
    net = load(start)[0] if start else Net(batch.obs.shape[1], batch.mask.shape[1], s.hidden)
    optimizer = torch.optim.Adam(net.parameters(), lr=s.rate[0], eps=1e-5)
    roll = empty_rollout(batch, s.steps)
    if start is None and not go_on:
        play(batch, net, noise, roll, guided)
        net.look_at(torch.from_numpy(roll.obs).flatten(0, 1))
    rows: list[dict[str, float]] = []
    book, said = game.rulebook, ", ".join(map(str, tables))
    facts = {
        "game": book.id, "presets": presets, "players": tables, "seed": seed, **asdict(s),
        "environment": book.environment_id, "features": book.features,
    }  # fmt: skip
    equal = float(np.mean([1 / n for n in tables]))
    title = f"{book.title}, {said} players: one net against steady"
    begin, done, update, past, stats = time.monotonic(), 0, 0, 0.0, (0.0, 0.0, 0.0)
    if go_on and out is not None:
        stopped = torch.load(out / STOPPED)
        net.load_state_dict(stopped["net"])
        optimizer.load_state_dict(stopped["optimizer"])
        done, update, past, rows = (stopped[name] for name in ("done", "update", "past", "rows"))
        begin -= 60 * stopped["minutes"]
        batch.reset(seeds=np.arange(s.matches) + stream(seed, done))

    def keep() -> None:
        """Write the net, and where the training stands."""
        if out is not None:
            spent = (time.monotonic() - begin) / 60
            save(out / "net.npz", net, facts | {"decisions": done, "minutes": spent})
            where = {"done": done, "update": update, "past": past, "rows": rows, "minutes": spent}
            torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict(), **where}, out / "part.pt")
            (out / "part.pt").replace(out / STOPPED)

    kept = time.monotonic()
    while True:
        if update % s.measure_every == 0 or past >= 1:
            deals, first = (s.last_deals, HELD_OUT + 1) if past >= 1 else (s.deals, HELD_OUT)  # the last deals are new
            each = measured(game, tables, net, deals, 0, first)
            drawn = together(each, deals)
            greedy = together(measured(game, tables, net, deals, None, first), deals)
            spent = (time.monotonic() - begin) / 60
            row = (spent, done, *(one.as_dict()[key] for one in (drawn, greedy) for key in SHARES), *stats)
            rows.append({name: round(value, 5) for name, value in zip(FIELDS, row, strict=True)})
            print(
                f"{spent:6.1f} min  {done / 1e6:7.2f} M  against steady: {drawn}, "
                f"greedy {greedy}  (equal {100 * equal:.1f} %)  "
                f"entropy {stats[0]:.2f}  kl {stats[1]:.4f}  explained {stats[2]:.2f}"
                + "".join(f"  {n}: {100 * one.mean:.1f}" for n, one in zip(tables, each, strict=True) if len(tables) > 1),
                flush=True,
            )
            if out is not None:
                facts["share"] = [astuple(one) for one in each]
                keep()
                table = [list(row.values()) for row in rows]
                np.savetxt(out / "curve.csv", table, "%.10g", ",", header=",".join(FIELDS), comments="")
                plot(out / "curve.svg", rows, title, equal)
            if past >= 1:
                return net, rows
        rate, entropy = (a + (b - a) * past for a, b in (s.rate, s.entropy))
        optimizer.param_groups[0]["lr"] = rate
        taught = done < s.teach
        play(batch, net, noise, roll, guided | taught, taught)
        equally = roll.reward.sum(2, keepdims=True) / many  # who is not there has 0
        roll.reward[:] -= equally * (roll.done[:, :, None] & (seat < many))  # an equal share is worth nothing
        stats = learn(net, optimizer, roll, s, entropy, order, taught)
        update, done = update + 1, done + int(roll.decides.sum())
        past = min(1.0, done / decisions if decisions else (time.monotonic() - begin) / 60 / minutes)
        ends = stop is not None and stop.is_set()
        if ends or time.monotonic() - kept > KEPT:
            kept = time.monotonic()
            keep()
        if ends:
            return net, rows


def when_interrupted(parent: int | None) -> Event:
    """What Ctrl+C, or the end of a job, sets. parent: a process with which it ends, however that ended."""
    stop = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.2)
        stop.set()

    if parent is not None:
        Thread(target=watch, daemon=True).start()
    return stop


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description="Masked self-play PPO on Outbid's batch environment.")
    parser.add_argument("--game", default="rivals", help="kuhhandel, money, rivals, forex, claim")
    parser.add_argument("--preset", default="seed", help="presets or options (seed,dead_cards=discard), all, or JSON")
    parser.add_argument("--players", default="2", help="a number, several (3,4,5), or all")
    parser.add_argument("--reward", default="win", help="what a match brings: win, margin, rank, score")
    parser.add_argument("--guide", type=float, default=0.0, help="part of the matches in which steady holds the other seats")
    parser.add_argument("--teach", type=int, default=0, help="so many decisions at first are those of steady, to be learned")
    parser.add_argument("--rate", type=float, default=Settings.rate[0], help="of learning, at the beginning")
    parser.add_argument("--entropy", type=float, default=Settings.entropy[0], help="bonus for it, at the beginning")
    parser.add_argument("--trace", type=float, default=Settings.trace, help="lambda of GAE")
    parser.add_argument("--matches", type=int, default=Settings.matches, help="at once")
    parser.add_argument("--measure-every", type=int, default=Settings.measure_every, help="updates between two measurements")
    parser.add_argument("--last-deals", type=int, default=Settings.last_deals, help="of the last measurement")
    parser.add_argument("--minutes", type=float, default=25, help="how long to train, the measuring included")
    parser.add_argument("--decisions", type=int, default=0, help="how much to train, instead of --minutes; repeatable")
    parser.add_argument("--start", type=Path, default=None, help="file of a net to begin with; by default it knows nothing")
    parser.add_argument("--go-on", action="store_true", help="from where the training in the folder was stopped")
    parser.add_argument("--parent", type=int, default=None, help="the process that began it, if it ends with that")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="a net this small gains little by more")
    parser.add_argument("--out", type=Path, default=None, help="folder to write to; runs/GAME-PLAYERS by default")
    parser.add_argument("--ship", action="store_true", help="put the net into the game's folder, for the bot `net`")
    parser.add_argument("--check", action="store_true", help="a few small updates, to see that everything runs")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    out = args.out or Path("runs") / f"{args.game}-{args.players}"
    if args.go_on and not (out / STOPPED).exists():
        parser.error(f"no training was stopped in {out}: there is no {STOPPED}")
    out.mkdir(parents=True, exist_ok=True)
    told = {name: getattr(args, name) for name in ("reward", "guide", "teach", "trace")}
    told |= {"rate": (args.rate, Settings.rate[1]), "entropy": (args.entropy, min(args.entropy, Settings.entropy[1]))}
    counts = {name: getattr(args, name) for name in ("matches", "measure_every", "last_deals")}
    settings = replace(CHECK, **told) if args.check else Settings(**told, **counts)
    decisions = 5 * CHECK.matches * CHECK.steps if args.check else args.decisions
    book = outbid.game(args.game).rulebook
    presets = presets_of(book, args.preset)
    game = outbid.game(args.game, **(book.preset(presets[0]) if isinstance(presets[0], str) else presets[0]))
    low, high = book.players
    tables = list(range(low, high + 1)) if args.players == "all" else [int(n) for n in args.players.split(",")]
    how = game, tables, settings, args.seed, args.minutes, decisions, out, presets, args.start, args.go_on
    stop = when_interrupted(args.parent)
    train(*how, stop=stop)
    if args.ship:
        shutil.copy(out / "net.npz", book.folder / "policy.npz")
    if stop.is_set():
        raise SystemExit(130)  # as of all that Ctrl+C ends: the net is not what was asked for


if __name__ == "__main__":
    main()
