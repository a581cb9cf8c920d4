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
likely. WALKS walks draw parameters and slip rate: first over the grids, each given all others (griddy Gibbs, Ritter & Tanner
1992), by every thirtieth move and then by more and more; after that by changes of one, or of several as they differ between
two earlier players (Metropolis; ter Braak & Vrugt 2008), with a likelihood that is flattened less and less. Moves that vary
between players who are about as likely refuse a change before the others are looked at (delayed acceptance, Christen & Fox
2005). The walk that comes to the likeliest player goes on with the likelihood's root of order FLATTER (a coarsened
posterior, Miller & Dunson 2019), since nobody plays exactly by such numbers, and the likelihood has many peaks that lie
apart. An interval holds all that this comes to, and what is nearly as likely as the best. A parameter that changes the
logarithm of the likelihood by less than FLAT, whatever its value, is revealed by no move; it is called unknown, as is one
whose interval is nearly all there is. Where a game's player thinks long, every so manieth move is looked at, so that a fit
takes about a minute.

Thirty matches of a simulated group each (30 November 2026, AMD EPYC, 2 cores, processor time): in Rivals for three, 21 s,
slip rate and all 14 parameters lay within, and 93 % of the held-out moves were foretold, where steady foretells 69 %; in
Claim for four, 12 s, slip rate and all nine parameters, four of them unknown, 96 and 94 %; in For-Ex for three, 29 s,
slip rate and all nine, seven of them unknown, 89 and 56 %. In Money! for four, whose player thinks longer and draws, 113 s:
the slip rate lay within 0.01 to 0.57, eleven of 15 parameters were unknown, and of the other four one, far from the usual,
lay outside; 77 and 69 %. Kuhhandel, with 21 parameters, takes minutes, and has not been judged so.

One match in HELD is left out, and the share of its moves that are foretold is said, beside the game's own players.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
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
WALKS = 3  # of which the one that comes to the likeliest player goes on
APART = (30, 20, 12, 8, 5, 3, 1)  # every so manieth move is looked at in the first sweeps, over the grids
HOT = (12.0, 8.0, 8.0, 5.0, 5.0, 3.0, 3.0, 2.0, 2.0, 1.0, 1.0, 0.5)  # then the logarithm is divided by so much, …
HEATS = (*[1.0] * len(APART), *HOT)
FLATTER = 10.0  # … and by this in those that are drawn
KEPT = 64  # players whose moves are remembered
PATIENCE = 0.01  # seconds for all moves of a player; where they take longer, every so manieth move is looked at
FAR = 20.0  # of the logarithm
SWEEPS = 60  # that are drawn
STEPS = 8  # proposals in a sweep, for each parameter that moves reveal
PAST = 300  # earlier players that are remembered, by every fourth proposal
UNKNOWN_FROM = 0.8  # of the grid: a wider interval says nothing
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

    def each(self, apart: int) -> NDArray[np.bool_]:
        """Which steps every so manieth move has, bool (N,)."""
        return (np.cumsum(np.diff(self.moves, prepend=-1) != 0) - 1) % apart == 0

    @property
    def held_out(self) -> NDArray[np.bool_]:
        """Which are of matches that are left out, bool (N,)."""
        return self.matches % HELD == HELD - 1

    @property
    def begins(self) -> NDArray[np.int64]:
        """Where the moves begin, (M,)."""
        return np.flatnonzero(np.diff(self.moves, prepend=-1))


class Likelihood:
    """How likely steps are for players with parameters of a game. draws: by how many seeds each step is tried, (N,)."""

    def __init__(self, steps: PeopleSteps, seed: int, draws: NDArray[np.int64] | None = None):
        self.steps, self.seed, self.begins = steps, seed, steps.begins
        self._run = entry(steps.book, foretold)
        self._known: dict[PolicyParams, NDArray[np.uint8]] = {}
        self._logs: dict[float, tuple[NDArray[np.float64], NDArray[np.float64]]] = {}
        self._note = np.zeros(64, np.int64)
        self._work = np.zeros(1, steps.states.dtype)
        self.draws = np.full(len(steps.actions), TRIED) if draws is None else draws
        if draws is None:
            tried = map(self.agrees, dict.fromkeys(steps.book.personas.players.values()))
            alike = np.all([(agrees == agrees[0]).all(0) for agrees in tried], axis=0)
            self.draws = np.where(alike, 1, DRAWS)
            self._known.clear()

    def only(self, which: NDArray[np.bool_]) -> Likelihood:
        """That of some of the steps: of all steps of some moves."""
        return Likelihood(self.steps.only(which), self.seed, self.draws[which])

    def agrees(self, params: PolicyParams) -> NDArray[np.uint8]:
        """Which steps a player makes, too, (draws, N)."""
        if params not in self._known:
            steps = self.steps
            agrees = np.zeros((self.draws.max(initial=1), len(steps.actions)), np.uint8)
            record = np.array([tuple(vars(params).values())], params.dtype)
            self._run(
                steps.states, self._work, self.seed, self.draws, steps.seats, steps.moves, steps.actions, self._note, record,
                agrees,
            )  # fmt: skip
            if len(self._known) >= KEPT:
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
        if len(by_move) == 1:
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
        values |= {most} & {PERCENT}
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
    began = process_time()
    likelihood.agrees(book.personas.usual)
    likelihood = likelihood.only(train.each(max(1, math.ceil((process_time() - began) / PATIENCE))))
    walks = [_ParameterWalk(likelihood, np.random.default_rng([seed, number])) for number in range(WALKS)]
    asked, tell = len(HEATS) * WALKS + sweeps, tell or (lambda *_: None)
    for number, walk in enumerate(walks):
        for sweep, heat in enumerate(HEATS):
            if sweep < len(APART):
                walk.over_grids(APART[sweep])
            walk.on(heat)
            tell(number * len(HEATS) + sweep + 1, asked)
        walk.climb()
    walk = max(walks, key=lambda walk: walk.log(walk.params))
    drawn: list[tuple[float, PolicyParams, float]] = [(walk.log(walk.params), walk.params, walk.slip)]
    for sweep in range(sweeps):
        walk.on(FLATTER)
        drawn.append((walk.log(walk.params), walk.params, walk.slip))
        tell(asked - sweeps + sweep + 1, asked)
    _, walk.params, walk.slip = max(drawn, key=lambda state: state[0])
    walk.climb()
    params = {name: _parameter((grid[0], grid[-1]), vars(walk.params)[name], [vars(params)[name] for _, params, _ in drawn],
                               walk.nearly_as_likely(name)) for name, grid in walk.grids.items()}  # fmt: skip
    slip = _parameter((0.0, 1.0), walk.slip, [slip for *_, slip in drawn], [])
    held = Likelihood(steps.only(steps.held_out), seed) if steps.held_out.any() else likelihood
    shares = {"": held.foretold(walk.params)} | {name: held.foretold(own) for name, own in book.personas.players.items()}
    return Likeness(book, slip, params, len(np.unique(train.matches)), len(train.begins), shares)


class _ParameterWalk:
    """A walk among parameters and slip rates, which in the end stands at each as often as it is likely. grids: the values of
    each parameter that are tried at first, between whose ends it lies; free: those that moves reveal."""

    def __init__(self, likelihood: Likelihood, rng: np.random.Generator):
        self._all, self._rng = likelihood, rng
        book = likelihood.steps.book
        self._usual = vars(book.personas.usual)
        self.grids = {name: grid for name in self._usual if len(grid := grid_of(book, name)) > 1}
        self._prior = {name: -math.log(grid[-1] - grid[0]) for name, grid in self.grids.items()}
        self.free = list(self.grids)
        starts = {params: likelihood.log(params, SLIPS) for params in book.personas.players.values()}
        self.params = max(starts, key=lambda params: float(starts[params].max()))
        self.slip = float(SLIPS[starts[self.params].argmax()])
        self._live = self._rest = likelihood
        self._past: list[Mapping[str, int]] = []

    def over_grids(self, apart: int) -> None:
        """Draw each parameter from its grid, given all others, by every so manieth move; those that change nothing are as
        usual."""
        self.free, few = [], self._all.only(self._all.steps.each(apart))
        varied = np.zeros(len(few.steps.actions), np.bool_)
        for name, grid in self.grids.items():
            tried = [self.params.but({name: value}) for value in grid]
            logs = np.array([few.log(params, self.slip)[0] for params in tried])
            flat = np.ptp(logs) * apart < FLAT
            prior = np.array([0 if value == self._usual[name] else self._prior[name] for value in grid])
            value = self._usual[name] if flat else grid[_pick(self._rng, logs + prior)]
            near = [few.agrees(params) for params, log in zip(tried, logs, strict=True) if log > logs.max() - FAR]
            varied |= np.ptp(near, axis=0).any(0)
            self.params = self.params.but({name: value})
            self.free += [] if flat else [name]
        live = np.isin(few.steps.moves, few.steps.moves[varied])
        self._live, self._rest = few.only(live), few.only(~live)

    def log(self, params: PolicyParams) -> float:
        """The logarithm of the likelihood."""
        return float(self._live.log(params, self.slip)[0] + self._rest.log(params, self.slip)[0])

    def _along(self, name: str) -> list[tuple[float, int]]:
        """How likely the moves are by other values of a parameter, all others as they are."""
        grid, now = self.grids[name], vars(self.params)[name]
        steps = np.unique(np.ceil((grid[-1] - grid[0]) / 2 * np.geomspace(0.002, 1, SCAN)).astype(int))
        values = [value for value in (*(now - steps), now, *(now + steps)) if grid[0] <= value <= grid[-1]]
        there = {value: self.params.but({name: value}) for value in sorted({*grid, *map(int, values)})}
        return [(float(self._live.log(params, self.slip)[0]), value) for value, params in there.items()]

    def climb(self) -> None:
        """Take the likeliest value of one parameter after the other."""
        for name in self.free:
            self.params = self.params.but({name: max(self._along(name))[1]})

    def nearly_as_likely(self, name: str) -> Sequence[int]:
        """Values of a parameter by which the moves are nearly as likely as by the best of them; a walk that is short may
        miss those beyond a less likely one. If nothing depends on it, all."""
        if name not in self.free:
            return self.grids[name]
        along = self._along(name)
        return [value for log, value in along if log >= max(along)[0] - NEARLY * FLATTER]

    def on(self, heat: float) -> None:
        """A sweep: proposals for one parameter or two, and then the slip rate. A proposal that the moves that varied over
        the grids refuse is not asked of the others (delayed acceptance, Christen & Fox 2005)."""
        rng = self._rng
        here = [part.log(self.params, self.slip)[0] for part in (self._live, self._rest)]
        for k in range(STEPS * len(self.free)):
            changes, weight = self._proposal(k % 4)
            self._past = self._past[-PAST:] + [vars(self.params)] * (k % 4 == 0)
            if all(self.grids[name][0] <= value <= self.grids[name][-1] for name, value in changes.items()):
                there = self.params.but(changes)
                live = self._live.log(there, self.slip)[0]
                if math.log(1 - rng.random()) < (live - here[0] + weight) / heat:
                    rest = self._rest.log(there, self.slip)[0]
                    if math.log(1 - rng.random()) < (rest - here[1]) / heat:
                        self.params, here = there, [live, rest]
        logs = self._live.log(self.params, SLIPS) + self._rest.log(self.params, SLIPS)
        self.slip = float(SLIPS[_pick(rng, logs / heat)])

    def _proposal(self, kind: int) -> tuple[dict[str, int], float]:
        """Other values of some parameters, and the logarithm of how much likelier they are at first: back to the usual
        value, or to any other from there, where the prior is balanced by how often that is proposed; of one parameter; or of
        several, as they differ between two earlier players, and so along what they make up for (ter Braak & Vrugt 2008)."""
        now, rng, grids = vars(self.params), self._rng, self.grids
        names = [str(name) for name in rng.permutation(self.free)]
        if kind == 0:
            several = names[: int(rng.integers(1, 3))]
            return {name: self._usual[name] if now[name] != self._usual[name] else
                    int(rng.integers(grids[name][0], grids[name][-1] + 1)) for name in several}, 0.0  # fmt: skip
        grid = grids[names[0]]
        jump = int(rng.choice((-1, 1)) * np.ceil((grid[-1] - grid[0]) / 2 * 10 ** rng.uniform(-2.5, 0)))
        changes = {names[0]: now[names[0]] + jump}
        if kind > 1 and len(self._past) > 1:
            several, part = names[: int(rng.integers(2, 6))], rng.uniform(0.3, 1.2)
            there, here = (self._past[int(k)] for k in rng.choice(len(self._past), 2, replace=False))
            changes = {name: now[name] + round(part * (there[name] - here[name])) for name in several}
        weight = sum((value != self._usual[name]) * self._prior[name] for name, value in changes.items())
        return changes, weight - sum((now[name] != self._usual[name]) * self._prior[name] for name in changes)


def _pick(rng: np.random.Generator, logs: NDArray[np.float64]) -> int:
    """A place drawn by its likelihood."""
    chances = np.exp(logs - logs.max())
    return int(rng.choice(len(logs), p=chances / chances.sum()))


def _parameter(ends: Sequence[float], value: float, drawn: Sequence[float], likely: Sequence[int]) -> Parameter:
    """What was found of a parameter: its interval holds what was drawn, and what is nearly as likely, too. ends: the
    smallest and the largest value."""
    low, high = min(value, *drawn, *likely), max(value, *drawn, *likely)
    if high - low >= UNKNOWN_FROM * (ends[1] - ends[0]):
        return Parameter(value, ends[0], ends[1], unknown=True)
    return Parameter(value, low, high)
