"""Bots fitted to people: how they slip, and by which policy parameters of the game's own player they play.

    steps = PeopleSteps.of(matches)                   # what people chose, and what they saw; moves of bots are left out
    likeness = fit(steps, seed=0)               # griddy Gibbs: parameters and slip rate, each with likely values
    likeness.write(Path("friday.json"), …)      # the bot like@friday.json (bots/like.py)

The likelihood. A player with parameters θ draws by a seed; of each step he makes any legal one with the chance ε, the slip
rate. The chance of a move with the steps a₁ … aₘ, each with nₖ possibilities, is the mean over seeds of
Π (1 − ε)·[θ makes aₖ with this seed] + ε / nₖ. Players who draw nothing need one seed, the others DRAWS: bids that are drawn
at random are what a softmax would be for players who have scores. A step without a choice says nothing.

The fit. Every parameter has a grid of values from nothing to three times the usual number (of a part: at most 100), and
those that any of the game's players has. At first each is as likely the usual number as any other between the ends, and
these are all alike, so that people are taken for steady in whatever their moves do not show; all slip rates are equally
likely. Then parameters and slip rate are drawn as they are likely by the moves: over the grids, each given all others
(griddy Gibbs, Ritter & Tanner 1992), with a likelihood that is flattened less and less, and after that by small and large
changes of one or two (Metropolis). An interval holds 95 % of what was drawn, and what is nearly as likely. A parameter
that changes the logarithm of the likelihood by less than FLAT, whatever its value, is revealed by no move; it is called
unknown, as is one whose interval is nearly all there is.

These intervals are too narrow to be 95 % intervals: the likelihood has many peaks that lie apart, and the walk is short. In
ten matches of Rivals for three, of each of nine simulated groups (30 November 2026, AMD EPYC, 2 cores, up to 297 s a fit),
the slip rate lay within in all, and 23 of 27 changed parameters; of the held-out moves 89 to 94 % were foretold, where
steady foretells 60 to 73 %. In two the fitted player is less likely than who made the moves, by 24 and 57 of the logarithm.

One match in HELD is left out, and the share of its moves that are foretold is said, beside the game's own players.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.bots.like import FORMAT
from outbid.compiled.backend import entry
from outbid.core import contract
from outbid.core.errors import BadSetup
from outbid.core.hooks.policy_params import COUNTS, PERCENT, STEADY, PolicyParams
from outbid.core.language.phrases import plural
from outbid.core.match import hidden
from outbid.core.rulebook import Rulebook
from outbid.lab.arena import columns
from outbid.runs.loops.foretold import foretold
from outbid.runs.recorded import RecordedMatch
from outbid.runs.replay import CLOCKED

DRAWS = 24  # seeds of a player who draws
TRIED = 4  # seeds by which that is found out
HELD = 5  # one match in so many is left out
TIMES = (0.0, 0.15, 0.3, 0.45, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.35, 1.5, 1.75, 2.0, 2.5, 3.0)  # the usual number
SLIPS = np.unique(np.round(np.concatenate([np.linspace(0.002, 0.02, 10), np.geomspace(0.02, 0.9, 60)]), 3))
FLAT = 2.0  # of the logarithm of the likelihood
HEATS = (30.0, 20.0, 12.0, 8.0, 5.0, 3.0)  # by which the logarithm is divided in the first sweeps, over the grids …
COOLING = (8.0, 6.0, 4.0, 3.0, 2.0, 1.5, 1.0, 1.0, 1.0, 1.0)  # … and in those after them, among all whole numbers
SWEEPS = 40  # that are drawn
STEPS = 16  # proposals in a sweep, for each parameter that moves reveal
RIDGES = (-2.0, -1.0, -0.5, 0.0, 0.0, 0.5, 1.0, 2.0)  # two change by so many times as much, or (0) their product stays
UNKNOWN_FROM = 0.8  # of the grid: a wider interval says nothing
LEVEL = 0.95
NEARLY, SCAN = 2.0, 24  # of the logarithm of the likelihood: what an interval holds, too; values tried up and down


@dataclass(frozen=True, eq=False)
class PeopleSteps:
    """Steps of people who had a choice, (N,). states: records, hidden for `seats`; moves, matches: the number of the move
    and of its match; legal: how many could be made."""

    book: Rulebook
    states: NDArray[Any]
    seats: NDArray[np.int64]
    actions: NDArray[np.int64]
    moves: NDArray[np.int64]
    matches: NDArray[np.int64]
    legal: NDArray[np.int64]

    @classmethod
    def of(cls, reads: Sequence[RecordedMatch]) -> PeopleSteps:
        """The steps of matches of one game by the same rules. Raises BadSetup: where the clock runs, silence is no move."""
        book, rows, states, number = reads[0].match.rulebook, [], [], 0
        out = [0] * (book.actions + contract.MOST_ACTIONS)
        for k, read in enumerate(reads):
            match = read.match
            state = match.at(0).state.copy()
            for written, move in zip(read.moves, match.moves, strict=True):
                number += 1
                seat = move["seat"]
                if contract.asked(state) >> contract.CLOCK & 1:
                    raise BadSetup(CLOCKED)
                choice = {key: value for key, value in move.items() if key != "seat"}
                for action in book.words.steps(state, seat, choice):
                    n = contract.legal(state, seat, out)
                    if n > 1 and "by" not in written:
                        rows.append((seat, action, number, k, n))
                        states.append(hidden(state, seat))
                    contract.apply(state, seat, action)
        if not rows:
            raise BadSetup("Every move of these matches was made by a bot or had no choice.")
        records = np.zeros(len(states), book.layout.dtype)
        for k, state in enumerate(states):
            state.to_record(records, k)
        return cls(book, records, *np.array(rows, np.int64).T.copy())

    def only(self, which: NDArray[np.bool_]) -> PeopleSteps:
        """Some of the steps."""
        columns = (self.seats, self.actions, self.moves, self.matches, self.legal)
        return PeopleSteps(self.book, self.states[which], *(column[which] for column in columns))

    @property
    def held_out(self) -> NDArray[np.bool_]:
        """Which are of matches that are left out, bool (N,)."""
        return self.matches % HELD == HELD - 1

    @property
    def begins(self) -> NDArray[np.int64]:
        """Where the moves begin, (M,)."""
        return np.flatnonzero(np.diff(self.moves, prepend=-1))


class Likelihood:
    """How likely steps are for players with parameters of a game. draws: seeds."""

    def __init__(self, steps: PeopleSteps, seed: int):
        self.steps, self.seed, self.begins = steps, seed, steps.begins
        self._run = entry(steps.book, foretold)
        self._known: dict[PolicyParams, NDArray[np.uint8]] = {}
        self._logs: dict[float, tuple[NDArray[np.float64], NDArray[np.float64]]] = {}
        self._note = np.zeros(64, np.int64)
        self._work = np.zeros(1, steps.states.dtype)
        self.draws = TRIED
        players = list(dict.fromkeys(steps.book.personas.players.values()))
        alike = all((agrees == agrees[0]).all() for agrees in map(self.agrees, players))
        self.draws = 1 if alike else DRAWS
        self._known.clear()

    def agrees(self, params: PolicyParams) -> NDArray[np.uint8]:
        """Which steps a player makes, too, (draws, N)."""
        if params not in self._known:
            steps = self.steps
            agrees = np.zeros((self.draws, len(steps.actions)), np.uint8)
            record = np.array([tuple(vars(params).values())], params.dtype)
            self._run(
                steps.states, self._work, self.seed, 0, len(steps.actions), steps.seats, steps.moves, steps.actions,
                self._note, record, agrees,
            )  # fmt: skip
            if len(self._known) > 2000:
                self._known.clear()
            self._known[params] = agrees
        return self._known[params]

    def log(self, params: PolicyParams, slips: Any) -> NDArray[np.float64]:
        """The logarithm of the likelihood for each of several slip rates, (slips,)."""
        agrees = self.agrees(params)
        return np.array([self._log_of_moves(agrees, slip).sum() for slip in np.atleast_1d(slips)])

    def _log_of_moves(self, agrees: NDArray[np.uint8], slip: float) -> NDArray[np.float64]:
        if slip not in self._logs:
            any_legal = slip / self.steps.legal
            self._logs[slip] = np.log(1 - slip + any_legal), np.log(any_legal)
        chances = np.where(agrees, *self._logs[slip])
        by_move = np.add.reduceat(chances, self.begins, axis=1)
        if self.draws == 1:
            return by_move[0]
        most = by_move.max(0)
        return most + np.log(np.exp(by_move - most).mean(0))

    def foretold(self, params: PolicyParams) -> float:
        """The share of moves that the player makes, too, if he does not slip."""
        return float(np.minimum.reduceat(self.agrees(params), self.begins, axis=1).mean())


@dataclass(frozen=True)
class Parameter:
    """What was found of a parameter. low, high: of its interval; unknown: no move reveals it."""

    value: float
    low: float
    high: float
    unknown: bool = False


@dataclass(frozen=True)
class Likeness:
    """Who plays like people. slip: the slip rate; params: by name; foretold: the share of the moves of held-out matches that
    a bot foretells, by its name ("" is the fitted one)."""

    book: Rulebook
    slip: Parameter
    params: Mapping[str, Parameter]
    matches: int
    moves: int
    foretold: Mapping[str, float] = field(default_factory=dict[str, float])

    @property
    def changes(self) -> dict[str, int]:
        """The parameters that are not the usual ones."""
        usual = vars(self.book.personas.usual)
        return {name: int(parameter.value) for name, parameter in self.params.items() if int(parameter.value) != usual[name]}

    @property
    def nearest(self) -> list[str]:
        """The game's players, those first that foretell most."""
        return sorted(filter(None, self.foretold), key=lambda name: -self.foretold[name])

    @property
    def lines(self) -> list[str]:
        """What was found, for people."""
        usual, near = vars(self.book.personas.usual), self.nearest[0]
        steady = self.foretold[STEADY]
        known = {name: parameter for name, parameter in self.params.items() if not parameter.unknown}
        rest = [name for name in self.params if name not in known]
        rows = [["", "they", "likely values", STEADY]]
        rows.append(["slip rate", f"{self.slip.value:.3f}", f"{self.slip.low:.3f} to {self.slip.high:.3f}", "0"])
        for name, at in known.items():
            rows.append([name, f"{at.value:.0f}", f"{at.low:.0f} to {at.high:.0f}", str(usual[name])])
        left = [f"No move says anything of {', '.join(rest)}."] if rest else []
        return [
            f"Fitted to {self.moves:,} moves with a choice in {plural(self.matches, 'match', 'matches')}.",
            *columns(rows),
            *left,
            f"Of the moves in other matches it foretells {self.foretold['']:.0%}; {STEADY} {steady:.0%}; of the game's own "
            f"players {near} is most like them, {self.foretold[near]:.0%}.",
        ]  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        """The file of the bot."""
        return {
            "format": FORMAT, "game": self.book.id, "slip": self.slip.value, "params": self.changes,
            "slip_interval": [self.slip.low, self.slip.high],
            "intervals": {name: [known.low, known.high] for name, known in self.params.items() if not known.unknown},
            "unknown": [name for name, parameter in self.params.items() if parameter.unknown],
            "matches": self.matches, "moves": self.moves, "foretold": dict(self.foretold),
        }  # fmt: skip

    def write(self, path: Path) -> None:
        """Write the file, by which the bot `like@FILE` plays."""
        path.write_text(json.dumps(self.as_dict(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def grid_of(book: Rulebook, name: str) -> list[int]:
    """The values of a parameter that are tried."""
    usual = vars(book.personas.usual)[name]
    values = {vars(params)[name] for params in book.personas.players.values()}
    if abs(usual) > COUNTS:
        most = PERCENT if 0 < usual <= PERCENT else abs(usual) * 3
        values |= {round(usual * times) for times in TIMES if abs(usual * times) <= most}
    elif usual > 1:
        values |= set(range(usual + 1))
    ends = max(map(abs, values), default=0)
    if abs(usual) <= COUNTS and ends > COUNTS:
        low, high = min(values), max(values)
        values |= {round(low + (high - low) * part / 4) for part in range(1, 4)}
    return sorted(values)


def fit(
    steps: PeopleSteps, seed: int = 0, sweeps: int = SWEEPS, tell: Callable[[int, int], object] | None = None
) -> Likeness:
    """Fit a player to steps of people, but for the matches that are left out. tell: called with the sweeps done, and all."""
    book = steps.book
    train = steps.only(~steps.held_out) if steps.held_out.any() else steps
    likelihood = Likelihood(train, seed)
    walk = _ParameterWalk(likelihood, np.random.default_rng(seed))
    heats = [*HEATS, *COOLING, *[1.0] * sweeps]
    drawn: list[tuple[Mapping[str, int], float]] = []
    for sweep, heat in enumerate(heats):
        if sweep < len(HEATS):
            walk.over_grids(heat)
        walk.on(heat)
        if sweep >= len(heats) - sweeps:
            drawn.append((vars(walk.params), walk.slip))
        if tell:
            tell(sweep + 1, len(heats))
    params = {name: _parameter((grid[0], grid[-1]), [values[name] for values, _ in drawn], walk.nearly_as_likely(name))
              for name, grid in walk.grids.items()}  # fmt: skip
    slip = _parameter((0.0, 1.0), [slip for _, slip in drawn], [])
    fitted = book.personas.usual.but({name: int(parameter.value) for name, parameter in params.items()})
    held = Likelihood(steps.only(steps.held_out), seed) if steps.held_out.any() else likelihood
    shares = {"": held.foretold(fitted)} | {name: held.foretold(own) for name, own in book.personas.players.items()}
    return Likeness(book, slip, params, len(np.unique(train.matches)), len(likelihood.begins), shares)


class _ParameterWalk:
    """A walk among parameters and slip rates, which in the end stands at each as often as it is likely. grids: the values of
    each parameter that are tried at first, between whose ends it lies; free: those that moves reveal."""

    def __init__(self, likelihood: Likelihood, rng: np.random.Generator):
        self._likelihood, self._rng = likelihood, rng
        book = likelihood.steps.book
        self._usual = vars(book.personas.usual)
        self.grids = {name: grid for name in self._usual if len(grid := grid_of(book, name)) > 1}
        self._prior = {name: -math.log(grid[-1] - grid[0]) for name, grid in self.grids.items()}
        self.free = list(self.grids)
        starts = {params: likelihood.log(params, SLIPS) for params in book.personas.players.values()}
        self.params = max(starts, key=lambda params: float(starts[params].max()))
        self.slip = float(SLIPS[starts[self.params].argmax()])

    def over_grids(self, heat: float) -> None:
        """Draw each parameter from its grid, given all others; those that change nothing are as usual."""
        self.free = []
        for name, grid in self.grids.items():
            logs = np.array([self._likelihood.log(self.params.but({name: value}), self.slip)[0] for value in grid])
            flat = np.ptp(logs) < FLAT
            prior = np.array([0 if value == self._usual[name] else self._prior[name] for value in grid])
            value = self._usual[name] if flat else grid[_pick(self._rng, (logs + prior) / heat)]
            self.params = self.params.but({name: value})
            self.free += [] if flat else [name]

    def nearly_as_likely(self, name: str) -> Sequence[int]:
        """Values of a parameter, all others as they are, by which the moves are nearly as likely as by the best of them; a
        walk that is short may miss those beyond a less likely one. If nothing depends on it, all."""
        grid, now = self.grids[name], vars(self.params)[name]
        steps = np.unique(np.ceil((grid[-1] - grid[0]) / 2 * np.geomspace(0.002, 1, SCAN)).astype(int))
        values = [value for value in (*(now - steps), now, *(now + steps)) if grid[0] <= value <= grid[-1]]
        values = sorted({*grid, *map(int, values)}) if name in self.free else grid
        logs = np.array([self._likelihood.log(self.params.but({name: value}), self.slip)[0] for value in values])
        return [value for value, log in zip(values, logs, strict=True) if log >= logs.max() - NEARLY]

    def on(self, heat: float) -> None:
        """A sweep: proposals for one parameter or two, and then the slip rate."""
        rng, here = self._rng, self._likelihood.log(self.params, self.slip)[0]
        for k in range(STEPS * len(self.free)):
            changes, weight = self._proposal([str(name) for name in rng.permutation(self.free)], k % 4)
            if all(self.grids[name][0] <= value <= self.grids[name][-1] for name, value in changes.items()):
                there = self._likelihood.log(self.params.but(changes), self.slip)[0]
                if math.log(1 - rng.random()) < (there - here + weight) / heat:
                    self.params, here = self.params.but(changes), there
        self.slip = float(SLIPS[_pick(rng, self._likelihood.log(self.params, SLIPS) / heat)])

    def _proposal(self, names: Sequence[str], kind: int) -> tuple[dict[str, int], float]:
        """Other values of one parameter or two, and the logarithm of how much likelier they are at first. Back to the usual
        value, or to any other from there, the prior is balanced by how often that is proposed."""
        now, rng, first = vars(self.params), self._rng, names[0]
        by = _jump(rng, self.grids[first])
        if kind == 0:
            several = names[: 1 + int(rng.random() < 0.5)]
            return {name: self._usual[name] if now[name] != self._usual[name] else
                    int(rng.integers(self.grids[name][0], self.grids[name][-1] + 1)) for name in several}, 0.0  # fmt: skip
        changes = {first: now[first] + by}
        if kind > 1 and len(names) > 1:
            if kind == 2 and now[first] != self._usual[first]:
                changes[first], by = self._usual[first], self._usual[first] - now[first]
            elif kind == 2:
                return {}, 0.0
            alike = rng.choice(RIDGES)
            same_product = round(now[names[1]] * now[first] / (changes[first] or 1))
            changes[names[1]] = now[names[1]] + round(by * alike) if alike else same_product
        weight = sum((value != self._usual[name]) * self._prior[name] for name, value in changes.items())
        return changes, weight - sum((now[name] != self._usual[name]) * self._prior[name] for name in changes)


def _jump(rng: np.random.Generator, grid: Sequence[int]) -> int:
    """A change of a parameter, large or small, up or down."""
    return int(rng.choice((-1, 1)) * np.ceil((grid[-1] - grid[0]) / 2 * 10 ** rng.uniform(-2.5, 0)))


def _pick(rng: np.random.Generator, logs: NDArray[np.float64]) -> int:
    """A place drawn by its likelihood."""
    chances = np.exp(logs - logs.max())
    return int(rng.choice(len(logs), p=chances / chances.sum()))


def _parameter(ends: Sequence[float], drawn: Sequence[float], likely: Sequence[int]) -> Parameter:
    """What was drawn of a parameter: the middle value, and its interval, which holds what is nearly as likely, too.
    ends: the smallest and the largest value."""
    low, value, high = np.quantile(drawn, [(1 - LEVEL) / 2, 0.5, (1 + LEVEL) / 2], method="nearest").tolist()
    low, high = min(low, *likely, high), max(high, *likely, low)
    if high - low >= UNKNOWN_FROM * (ends[1] - ends[0]):
        return Parameter(value, ends[0], ends[1], unknown=True)
    return Parameter(value, low, high)
