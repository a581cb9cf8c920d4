"""Train the value net of a game: how likely is each seat to win, from what it sees?

    python examples/train_value.py kuhhandel --minutes 10
    python examples/train_value.py money --minutes 5 --nets
    python examples/train_value.py claim --minutes 5 --review
    python examples/train_value.py rivals --minutes 5 --preset seed,published,pile_distribution=true
    python examples/train_value.py rivals --minutes 0.1 --out /tmp/value.npz      # some seconds, to see that it runs
    python examples/train_value.py rivals --minutes 0                             # only the temperatures of the net as it is

Positions come from matches of the game's heuristic under the seed's rules or those that `--preset` names, for every number
of players in turn, in which some seats slip now and then, and with `--nets` about half of them play as the game's policy net
does; no position is used twice. A seat's features go through one network to one number; the chances are the softmax over the
seats, and the loss is the cross-entropy to the shares of the victory (src/outbid/compiled/inference.py). The weights are
written as float16 into the game's folder, with a temperature for each number of players, by which the numbers are divided
where chances are to be believed (bots/nets/value.py); it is fitted on deals of its own, among heuristic players alone, under
the first of the rules. The last lines are measured on others: the loss beside that of equal shares, and the expected
calibration error, both at that temperature. Needs `pip install outbid[train]`.

With `--review`, positions come from mixed company (src/outbid/lab/training/mixed.py): levels, personas, nets, strangers,
slips, and bots that look ahead with few rollouts, for `--searchers` minutes. A factor of the temperature is fitted for each
company of equal players. The net is told what the moves so far say of who sits there, and it begins with what the search's
net knows, if there is one, or goes on from an earlier one (`--begin`). benchmarks/calibration.py measures it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import outbid
from outbid.bots import strong
from outbid.bots.belief.company import Positions
from outbid.bots.nets import company, dataset, value
from outbid.bots.nets.weights import facts_of, presets_of
from outbid.compiled.backend import entry
from outbid.compiled.buffers import allocate
from outbid.core.extras import needed
from outbid.core.rulebook import Rulebook
from outbid.lab.training import mixed

with needed("train_value.py", "train"):
    import torch
    from torch import nn

UNITS = 64
POSITIONS = 40  # taken from a match
ROUND = 8_192  # positions played for one round of learning
BATCH = 512
RATE = 2e-3, 5e-5  # at the beginning and at the end
HELD_OUT = 1 << 40  # deals from here on are for measuring
FITTED = 3 << 40  # and from here on for temperatures
SOME = 24  # the same of a match of mixed company
PASSES = 3  # over the positions of a round of it
UNKNOWN = 0.1  # of the positions in which a judge is told nothing of the players
KINDS = 4  # of tables in a round: who slips how often is drawn for each
MEASURED, KINDS_MEASURED = 48_000, 60
TEMPERATURES = np.geomspace(0.25, 4, 161)
SPREAD = 0.3
BINS = 10


@dataclass
class Source:
    """Positions of one game for one number of players."""

    rulebook: Any
    options: dict[str, Any]
    players: int
    limit: int
    learned: bool
    length: int = 0

    def __post_init__(self) -> None:
        book = self.rulebook
        self.states = np.zeros(3, book.layout.dtype)
        book.fresh(self.options).to_record(self.states, 0)
        self.work = strong.Space(book, 0).work
        self.play = entry(book, dataset.samples)
        taken = self.take(np.random.default_rng(0), HELD_OUT << 1, 16_000, 1)[0]
        self.length = max(POSITIONS, taken.shape[0] // 8)

    def take(self, random: np.random.Generator, first: int, n: int, every: int = 0) -> Any:
        """At most n positions from the deal `first` on: features (n, P, F) and shares (n, P)."""
        book, p = self.rulebook, self.players
        taken = allocate(dataset.TrainingData, {"N": n, "P": p, "F": book.features})
        slips = random.choice(dataset.SLIPS, 8).astype(np.int64)
        by_net = random.integers(0, 2, 8) * self.learned
        every = every or max(1, self.length // POSITIONS)
        deals = 8 if not self.length else max(1, n * every // self.length)
        made = self.play(
            self.states, 0, 1, first, first + deals, p, slips, by_net, every, self.limit, taken, self.work
        )  # fmt: skip
        return taken.obs[:made], taken.share[:made]

    def several(self, random: np.random.Generator, first: int, n: int, kinds: int) -> Any:
        """The same with several draws of who slips how often."""
        took = [self.take(random, first + k * n, n // kinds) for k in range(kinds)]
        return [np.concatenate(part) for part in zip(*took, strict=True)]


@dataclass
class Mixed:
    """The same of mixed company: what a seat sees and what is known of who sits there. searchers: for so many minutes bots
    that look ahead play before learning begins; of their matches, positions are taken again and again. measured:
    so many matches the temperatures and the last lines rest on, each."""

    rulebook: Rulebook
    options: dict[str, Any]
    players: int
    searchers: float
    measured: int = 0
    searched: tuple[Any, Any] | None = None

    def __post_init__(self) -> None:
        mixed.positions(self.rulebook, self.players, "training", 1, "training", options=self.options)  # compiled now
        begin, parts = time.process_time(), []
        while time.process_time() - begin < 60 * self.searchers:
            parts.append(self._taken(mixed.positions(
                self.rulebook, self.players, "searchers", 8, "training", (1 << 30) + 8 * len(parts), self.options, POSITIONS
            )))  # fmt: skip
        if parts:
            self.searched = np.concatenate([obs for obs, _ in parts]), np.concatenate([share for _, share in parts])
            print(f"{self.players} players: {8 * len(parts)} matches of searchers", flush=True)

    def _taken(self, found: Positions) -> tuple[Any, Any]:
        known = company.features(found.told, len(company.types_of(self.rulebook)))
        return np.concatenate([found.obs, known], -1), found.share

    def several(self, random: np.random.Generator, first: int, n: int, kinds: int) -> Any:
        """About n positions of deals from `first` on, in which nothing is known of the players in one of ten; of held-out
        ones among strangers, since companies of equals have a temperature of their own."""
        purpose, who, wanted, deals = "training", "training", SOME, n // (2 * SOME)
        if first >= HELD_OUT:
            purpose, who, wanted, deals, first = "selection", "strangers", 4, self.measured, first >> 20
        found = mixed.positions(self.rulebook, self.players, who, deals, purpose, first, self.options, wanted)
        if purpose == "training":
            found.told[random.random(len(found.told)) < UNKNOWN] = 0
        obs, share = self._taken(found)
        if purpose == "training" and self.searched:
            rows = random.integers(0, len(self.searched[1]), min(len(obs) // 5, len(self.searched[1])))
            obs, share = np.concatenate([obs, self.searched[0][rows]]), np.concatenate([share, self.searched[1][rows]])
        return obs, share


class Net(nn.Module):
    """Features of a seat (…, F) to its number (…)."""

    def __init__(self, features: int):
        super().__init__()
        self.first, self.second = nn.Linear(features, UNITS), nn.Linear(UNITS, UNITS)
        self.last = nn.Linear(UNITS, 1, bias=False)

    def begin_with(self, known: value.Net) -> None:
        """Know what another net knows of its inputs, which are the first here; the others count for nothing yet."""
        first, first_bias, second, second_bias, last = (torch.from_numpy(part.copy()) for part in known.layers)
        with torch.no_grad():
            self.first.weight[:, : known.inputs], self.first.bias[:] = first.T, first_bias
            self.first.weight[:, known.inputs :] = 0
            self.second.weight[:], self.second.bias[:], self.last.weight[0] = second.T, second_bias, last

    def forward(self, obs: Any) -> Any:
        """The numbers of seats."""
        return self.last(torch.relu(self.second(torch.relu(self.first(obs))))).squeeze(-1)

    def flat(self) -> Any:
        """The weights as inference.py has them, float16."""
        parts = [self.first.weight.T, self.first.bias, self.second.weight.T, self.second.bias, self.last.weight]
        return torch.cat([part.detach().flatten() for part in parts]).numpy().astype(np.float16)


def loss_of(net: Net, obs: Any, share: Any) -> Any:
    """Cross-entropy of the softmax over the seats to the shares."""
    return -(share * torch.log_softmax(net(obs), -1)).sum(-1).mean()


def told(net: value.Net, source: Source | Mixed, seed: int, first: int) -> tuple[Any, Any]:
    """The net's numbers (n, P) on deals from `first` on, and the shares."""
    obs, share = source.several(np.random.default_rng(seed), first, MEASURED, KINDS_MEASURED)
    return net.strengths(obs), share


def log_chances(numbers: Any, temperature: Any) -> Any:
    """Logarithms of the chances (n, P); temperature: one, or one for each position, (n, 1)."""
    cooled = numbers / temperature - (numbers / temperature).max(-1, keepdims=True)
    return cooled - np.log(np.exp(cooled).sum(-1, keepdims=True))


def measured(net: value.Net, source: Source | Mixed, seed: int) -> dict[str, float]:
    """The best temperature; on other deals, of which nothing was learned either, the loss and the expected calibration error
    with it."""
    numbers, share = told(net, source, seed, FITTED)
    temperature = min(TEMPERATURES, key=lambda t: -(share * log_chances(numbers, t)).sum())
    numbers, share = told(net, source, seed + 1, HELD_OUT)
    logs = log_chances(numbers, temperature)
    chance, won = np.exp(logs).ravel(), share.ravel()
    bins = np.minimum((chance * BINS).astype(int), BINS - 1)
    gaps = [abs((chance[bins == b] - won[bins == b]).sum()) for b in range(BINS)]
    return {
        "players": source.players,
        "temperature": round(float(temperature), 3),
        "loss": float(-(share * logs).sum(-1).mean()),
        "equal": float(np.log(source.players)),
        "calibration": float(sum(gaps) / len(won)),
        "positions": len(share),
    }


def among(net: value.Judge, source: Mixed) -> dict[str, float]:
    """By company of equal players, the best factor of the temperature, held towards 1 by a normal prior
    on its logarithm (deviation SPREAD)."""
    factors = {}
    for name in (name for name in mixed.PLAIN if name in net.types):
        deals = FITTED >> 20
        found = mixed.positions(
            net.rulebook, source.players, name, source.measured, "selection", deals, source.options, 4
        )

        known = company.features(found.told, len(net.types))
        numbers = net.strengths(np.concatenate([found.obs, known], -1))

        def loss(
            factor: float, name: str = name, known: Any = known, numbers: Any = numbers, share: Any = found.share
        ) -> float:
            facts = {**net.facts, "companies": {str(source.players): {name: factor}}}
            heat = value.Judge(net.rulebook, net.arrays, facts).heat(known)
            mean = float(-(share * log_chances(numbers, heat[:, None])).sum(-1).mean())
            return source.measured * mean + float(np.log(factor) / SPREAD) ** 2 / 2

        factors[name] = round(float(min(TEMPERATURES, key=loss)), 3)
    return factors


def sources_of(book: Rulebook, presets: Sequence[str | dict[str, Any]], by_net: bool) -> list[Source]:
    """One for each of the rules and each number of players."""
    low, high = book.players
    rules = [book.preset(one) if isinstance(one, str) else one for one in presets]
    return [Source(book, one, players, book.longest, by_net) for one in rules for players in range(low, high + 1)]


def mixed_of(
    book: Rulebook, presets: Sequence[str | dict[str, Any]], searchers: float, measured: int
) -> list[Mixed]:
    """The same of mixed company. searchers: minutes for all."""
    low, high = book.players
    rules = [dict(book.preset(one) if isinstance(one, str) else one) for one in presets]
    pairs = [(one, players) for one in rules for players in range(low, high + 1)]
    return [Mixed(book, one, players, searchers / len(pairs), measured) for one, players in pairs]


def begun(book: Rulebook, file: Path | None) -> value.Net | None:
    """The net to begin with: from a file, else that of the search, if there is one."""
    if file:
        return (value.Judge if "guises" in facts_of(file) else value.Net).load(book, file)
    return value.net(book)


def train(
    inputs: int, known: value.Net | None, sources: Sequence[Source | Mixed], minutes: float, seed: int
) -> tuple[Any, int]:
    """Learn for so many minutes of processor time: the weights, and from how many positions. known: to begin with."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    net = Net(inputs)
    if known:
        net.begin_with(known)
    optimizer = torch.optim.Adam(net.parameters(), lr=RATE[0], weight_decay=1e-6)
    begin, rounds, positions, said, mean = time.process_time(), 0, 0, 0.0, 0.0
    deals = [0] * len(sources)
    while (past := (time.process_time() - begin) / 60 / minutes) < 1:
        for group in optimizer.param_groups:
            group["lr"] = RATE[0] * (RATE[1] / RATE[0]) ** past
        which = rounds % len(sources)
        obs, share = sources[which].several(random, deals[which], ROUND, KINDS)
        deals[which] += KINDS * ROUND
        passes = PASSES if isinstance(sources[which], Mixed) else 1
        order = torch.from_numpy(np.concatenate([random.permutation(len(obs)) for _ in range(passes)]))
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
    return net.flat(), positions


def write(book: Rulebook, weights: Any, facts: dict[str, Any], out: Path, measured_on: int) -> None:
    """Measure the net among heuristic players that slip, or in mixed company, say how good it is, and write it."""
    net = (value.Judge if "guises" in facts else value.Net)(book, {"weights": weights.astype(np.float32)}, facts)
    sources: Sequence[Source | Mixed] = sources_of(book, facts["presets"][:1], False)
    if "guises" in facts:
        sources = mixed_of(book, facts["presets"][:1], 0.0, measured_on)
    facts["held_out"] = [measured(net, source, facts["seed"]) for source in sources]
    if isinstance(net, value.Judge):
        facts["companies"] = {str(one.players): among(net, one) for one in sources if isinstance(one, Mixed)}
    np.savez(out, facts=json.dumps(facts), weights=weights)
    for one in facts["held_out"]:
        print(
            f"{one['players']} players: loss {one['loss']:.3f} (equal shares {one['equal']:.3f}), "
            f"calibration error {100 * one['calibration']:.1f} points at temperature {one['temperature']:.2f}, "
            f"on {one['positions']:,} new positions"
        )
    print(f"{facts['positions']:,} positions; {out} has {len(weights):,} weights")


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description="Train the value net of a game.")
    parser.add_argument("game", help="kuhhandel, money, rivals, forex, claim")
    parser.add_argument("--minutes", type=float, default=10, help="of processor time; 0: only fit the temperatures again")
    parser.add_argument("--preset", default="seed", help="presets or options (seed,pile_distribution=true), or all presets")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nets", action="store_true", help="let the game's policy net hold about half of the seats")
    parser.add_argument("--review", action="store_true", help="the net that only reviews believe, beside the other")
    parser.add_argument("--searchers", type=float, default=1, help="minutes of bots that look ahead, for --review")
    parser.add_argument("--measured", type=int, default=1000, help="matches it is measured on, for --review")
    parser.add_argument("--begin", type=Path, default=None, help="the file of a net to go on from, for --review")
    parser.add_argument("--out", type=Path, default=None, help="the file to write; the game's folder by default")
    args = parser.parse_args()
    torch.set_num_threads(1)
    book = outbid.game(args.game).rulebook
    kind = value.Judge if args.review else value.Net
    known, presets = kind.of(book), presets_of(book, args.preset)
    if args.minutes:
        sources: Sequence[Source | Mixed] = [] if args.review else sources_of(book, presets, args.nets)
        inputs, begin = book.features, None
        if args.review:
            sources, begin = mixed_of(book, presets, args.searchers, args.measured), begun(book, args.begin)
            inputs += company.width(len(company.types_of(book)))
        weights, positions = train(inputs, begin, sources, args.minutes, args.seed)
        before = begin.facts if begin and args.begin else {"positions": 0, "minutes": 0}  # all that it has learned
        facts = {
            "environment": book.environment_id, "features": book.features, "units": UNITS, "presets": presets,
            "seed": args.seed, "positions": before["positions"] + positions, "minutes": before["minutes"] + args.minutes,
            "nets": args.nets,
        }  # fmt: skip
        if args.review:
            facts |= {"guises": company.types_of(book), "searchers": args.searchers}
    elif known:
        weights, facts = known.weights.astype(np.float16), known.facts
    else:
        parser.error(f"{args.game} has no such net yet.")
    write(book, weights, facts, args.out or book.folder / kind.FILE, args.measured)


if __name__ == "__main__":
    main()
