"""The win-probability curve of a match in plain Python: what the judge of reviews says, without NumPy and a compiler.

    for point in course(match):    the points of `review.sketch`, one after the other; none where no net judges

It is for a browser tab, which draws a point between two requests. The net is the one of bots/nets/value.py, told who sits
there as bots/belief/company.py takes it down, and says the same: two layers and a walk are written twice because a tab would
have to load megabytes of NumPy for one curve, and a review asks about thousands of positions at once. Only what happened is
walked through: what chance revealed is not told apart from the move before it, so luck is not told from skill, and no
decision is judged.
"""

import ast
import json
import math
import struct
import zipfile
from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import mul
from pathlib import Path
from typing import Any, Self

from outbid.bots.belief.opponent_types import SLIP
from outbid.bots.nets import NAME
from outbid.bots.nets.weights import Shipped
from outbid.compiled.inference import WIDEST
from outbid.core import contract
from outbid.core.hooks.policy_params import EASY, STEADY
from outbid.core.hooks.review import place_of
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook
from outbid.review.calibration import ASSUMED_ERROR, measured

FORMATS = {"<f2": "e", "<f4": "f", "|i1": "b"}

Rows = Sequence[Sequence[float]]


def course(match: Match) -> Iterator[dict[str, Any]]:
    """The points of a match that is over: after the deal, and after each move; nothing if no net judges such a match."""
    state = match.at(0).state.copy()
    net = JudgeNet.of(match.rulebook)
    if net is None or not net.fits(state):
        return
    walk = TrueWalk(net, state)
    yield walk.point(0, None)
    for number, move in match.numbered:
        walk.make(move["seat"], {key: value for key, value in move.items() if key != "seat"})
        yield walk.point(number + 1, move["seat"])


class PlainNet(Shipped):
    """A net that is shipped with a game, as lists."""

    @classmethod
    def load(cls, book: Rulebook, path: Path) -> Self:
        """A net from its file. Raises ValueError if it is for other features."""
        with zipfile.ZipFile(path) as file:
            parts = {name.removesuffix(".npy"): _read(file.read(name)) for name in file.namelist()}
        facts = json.loads(parts.pop("facts")[1])
        cls.check(book, path.name, facts)
        arrays = dict[str, Any]()
        for name, (columns, numbers) in parts.items():
            if scales := parts.get(f"{name}.scale", (0, ()))[1]:  # whole numbers, as a site has them (site/build.py)
                row = len(numbers) // len(scales)
                numbers = [number * scales[at // row] for at, number in enumerate(numbers)]
            arrays[name] = [numbers[at : at + columns] for at in range(0, len(numbers), columns)] if columns else numbers
        return cls(book, arrays, facts)

    def seen(self, state: Any, seat: int) -> list[float]:
        """What a seat sees."""
        obs = [0.0] * self.rulebook.features
        contract.observe(state, seat, obs)
        return obs


class PriorNet(PlainNet):
    """A policy net (bots/nets/policy.py)."""

    FILE = "policy.npz"

    def likely(self, state: Any, seat: int, actions: Sequence[int], action: int) -> float:
        """How likely it takes one of the legal actions."""
        arrays = self.arrays
        layer: Sequence[float] = [
            max(-WIDEST, min(WIDEST, (feature - mean) * scale))
            for feature, mean, scale in zip(self.seen(state, seat), arrays["mean"], arrays["scale"], strict=True)
        ]
        for name in ("body.0", "body.2"):
            rows, bias = arrays[f"{name}.weight"], arrays[f"{name}.bias"]
            layer = [max(0.0, sum(map(mul, row, layer)) + add) for row, add in zip(rows, bias, strict=True)]
        rows, bias = arrays["policy.weight"], arrays["policy.bias"]
        return _softmax([sum(map(mul, rows[k], layer)) + bias[k] for k in actions])[actions.index(action)]


class JudgeNet(PlainNet):
    """The judge of reviews (bots/nets/value.py)."""

    FILE = "review.npz"

    @cached_property
    def layers(self) -> tuple[Rows, Sequence[float], Rows, Sequence[float], Sequence[float]]:
        """First layer, by inputs, and its bias, second layer and its bias, output."""
        weights: Any = self.arrays["weights"]
        units = int(self.facts["units"])
        rows = [weights[at : at + units] for at in range(0, len(weights), units)]
        inputs = len(rows) - units - 3
        return rows[:inputs], rows[inputs], rows[inputs + 1 : -2], rows[-2], rows[-1]

    def strength(self, inputs: Sequence[float]) -> float:
        """The net's number for the inputs of a seat."""
        first, first_bias, second, second_bias, last = self.layers
        layer = _added(inputs, first, first_bias)
        layer = _added([max(0.0, unit) for unit in layer], second, second_bias)
        return sum(max(0.0, unit) * weight for unit, weight in zip(layer, last, strict=True))

    def heat(self, odds: Rows) -> float:
        """The temperature, by how likely each seat is of each type."""
        players = len(odds)
        heat = float(next(row["temperature"] for row in self.facts["held_out"] if row["players"] == players))
        for name, factor in self.facts.get("companies", {}).get(str(players), {}).items():
            heat *= factor ** max(0.0, 2.0 * min(self.alike(name, each) for each in odds) - 1.0)
        return heat

    def alike(self, level: str, odds: Sequence[float]) -> float:
        """How likely a seat is of this level, with any persona or none."""
        return sum(share for share, name in zip(odds, self.facts["guises"], strict=False) if name.split(":")[0] == level)


class TrueWalk:
    """The walk through one match, in its true state. told: by seat how many steps with a choice, what each type was to make
    of them (even, each, and its logarithm)."""

    def __init__(self, net: JudgeNet, state: Any):
        self.net, self.state, self.book = net, state, net.rulebook
        self.types: tuple[str, ...] = tuple(net.facts["guises"])
        policy = PriorNet.of(self.book)
        self.policy = policy if policy and policy.fits(state) else None
        self.numbers = {name: number for number, name in enumerate(self.book.personas.players)}
        many = len(self.types)
        self.steps, self.even = [0] * state.players, [0.0] * state.players
        self.like = [[0.0] * many for _ in range(state.players)]
        self.logs = [[0.0] * (many + 1) for _ in range(state.players)]  # the last one: a player who does anything
        self._out = [0] * (self.book.actions + 64)

    def make(self, seat: int | None, entry: dict[str, Any]) -> None:
        """One move of the match."""
        place = place_of(seat)
        for action in list(self.book.words.steps(self.state, place, entry)):
            if place != contract.CLOCK:
                self._heed(place, action)
            contract.apply(self.state, place, action)

    def _heed(self, seat: int, action: int) -> None:
        """Take down a step that is about to be made, as `note` in bots/belief/company.py does."""
        n = contract.legal(self.state, seat, self._out)
        if n < 2:
            return
        actions = self._out[:n]
        self.steps[seat] += 1
        self.even[seat] += 1 / n
        self.logs[seat][-1] -= math.log(n)
        for k, name in enumerate(self.types):
            if name == NAME and self.policy:
                like = self.policy.likely(self.state, seat, actions, action)
            else:
                known = self.state.copy()
                contract.hide(known, seat)
                number = self.numbers[STEADY if name == NAME else name]
                like = float(contract.play(known, seat, 0, self._out, number) == action)
            self.like[seat][k] += like
            self.logs[seat][k] += math.log(SLIP / n + (1 - SLIP) * like)

    def point(self, move: int, seat: int | None) -> dict[str, Any]:
        """The point of the curve where the match stands."""
        kind, over = "deal" if move == 0 else "move", contract.asked(self.state) == 0
        odds = [_softmax(logs) for logs in self.logs]
        chances = self._result() if over else self._chances(odds)
        band = 0.0 if over else self._band(odds)
        chances, band = [round(chance, 4) for chance in chances], round(band, 4)
        return {"move": move, "kind": kind, "seat": seat, "chances": chances, "error": 0.0, "band": band}

    def _result(self) -> list[float]:
        players = self.state.players
        won = contract.winners(self.state, [0] * players)
        return [(won >> seat & 1) / won.bit_count() for seat in range(players)]

    def _chances(self, odds: Rows) -> list[float]:
        """What each seat may expect."""
        own = [
            [math.log1p(n) / 4, (even + 1) / (n + 2), *((each + 1) / (n + 2) for each in like), *likely]
            for n, even, like, likely in zip(self.steps, self.even, self.like, odds, strict=True)
        ]
        sums = [sum(column) for column in zip(*own, strict=True)]
        numbers = []
        for seat, mine in enumerate(own):
            others = [(whole - part) / (len(own) - 1) for whole, part in zip(sums, mine, strict=True)]
            numbers.append(self.net.strength([*self.net.seen(self.state, seat), *mine, *others]))
        heat = self.net.heat(odds)
        return _softmax([number / heat for number in numbers])

    def _band(self, odds: Rows) -> float:
        """How far the judge is off among such players where that is more than it should be (review/estimator.py)."""
        cells = measured().get((self.book.id, len(odds), "net"), {})
        names: Sequence[str] = ("mixed",)
        if any(self.steps):
            sure = [name for name in (EASY, STEADY, NAME) if all(self.net.alike(name, each) > 0.5 for each in odds)]
            names = sure[:1] or ("mixed", "strangers", "strong")
        rows = [cells[name] for name in names if name in cells]
        return max((row["error"] if row["misses"] else 0.0 for row in rows), default=ASSUMED_ERROR)


def _read(content: bytes) -> tuple[int, Any]:
    """An array of an .npy file: how many columns it has, if it has rows, and its numbers; or a text."""
    start = 10 + struct.unpack("<H", content[8:10])[0]
    head = ast.literal_eval(content[10:start].decode())
    if head["descr"] not in FORMATS:
        return 0, content[start:].decode("utf-32-le")
    numbers = [number for (number,) in struct.iter_unpack(f"<{FORMATS[head['descr']]}", content[start:])]
    return head["shape"][1] if len(head["shape"]) > 1 else 0, numbers


def _added(inputs: Sequence[float], rows: Rows, bias: Sequence[float]) -> Sequence[float]:
    """A layer before its units are cut off at 0. Most inputs are 0."""
    sums = bias
    for value, row in zip(inputs, rows, strict=True):
        if value:
            sums = [unit + value * weight for unit, weight in zip(sums, row, strict=True)]
    return sums


def _softmax(numbers: Sequence[float]) -> list[float]:
    most = max(numbers)
    odds = [math.exp(number - most) for number in numbers]
    whole = sum(odds)
    return [share / whole for share in odds]
