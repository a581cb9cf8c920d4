"""Bots that look ahead (search/): `strong` and its levels, their budgets, and how they say why.

The search runs by rollouts, not by the clock, so that the same seat with the same stream always decides the same. Compiled
code is used if it is there already, or made if the bot is told to; as long as it is not there, the heuristic plays itself.
The clock counts only where a seat has much to replay (particle_filter.py): it has half of what is left of its
time for that, and goes on when the same process is asked again.
The plain backend is for tests: it makes a hundredth of the rollouts.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from outbid.bots.belief import opponent_types, particle_filter
from outbid.bots.decision import LITTLE_CHANCE, LITTLE_WORTH, Decision, EvaluatedMove, Lost, WeighedMove
from outbid.bots.heuristic import STEADY
from outbid.bots.search import margin, rollouts, select, subgame
from outbid.bots.search.rollouts import RolloutConfig
from outbid.bots.search.weigh import weigh
from outbid.bots.seat import Seat, learns
from outbid.compiled import buffers
from outbid.core import contract
from outbid.core.fields import Records
from outbid.core.hooks.contrast import Contrast, contrast_of
from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.core.language.names import marked
from outbid.core.match import Match, Step
from outbid.core.rulebook import Rulebook

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from outbid.bots.nets.policy import PolicyNet

PLAIN = 100  # times fewer on the plain backend
SURE = 0.995  # a chance, in whole percents a hundred
RECORDS = 5  # states that a decision works in
PREPARED = 3  # moves of the match in which it is prepared
REMEMBERED = 256  # seats of which is remembered what they have learned so far
LONG, BLOCK = 4000, 1000  # steps that a seat remembers, at most; of more it forgets so many at a time
PORTION = 100  # steps that are replayed before it is seen whether there is time for more
FEW = 4  # particles that are kept on the plain backend
ENOUGH = 0.3  # seconds of processor time that must be left to say why
CONTRASTED, CONTRASTED_PLAIN = 40, 12  # worlds in which two moves are contrasted
AT_TABLES = 24  # such worlds for a bot that has to move
SPREAD = 0.2  # of the victory: the error of a rollout
BESIDE = 3  # moves that are weighed against the best, besides the one that a person means
LEAST_WORLDS, LEAST_PART = 4, 0.25  # for weighing moves; the part of the usual worlds without which nothing is weighed
LONGER, BRIEF = 1.5, 0.025  # weighing takes so many times as long as the search did, and at least so many seconds
POINTS = 0.02  # how much of a payoff is the lead in points
LITTLE = 32, 1 << 12  # worlds and information sets of what counts as little (subgame.py); of the latter a power of two
LITTLE_PLAIN = 4, 1 << 6
EVEN = opponent_types.EVEN

_own = threading.local()


@dataclass(frozen=True)
class LookAhead:
    """A bot that plays its candidates on, in worlds that agree with what it has seen. budget: times the usual rollouts;
    mode: how it searches (select.py). level: of those that a game declares (SearchConfig.levels), which evaluate each move
    on its own, remember nothing of the others and leave the heuristic's move only for a clearly better one; empty:
    `strong`."""

    name: str
    summary: str
    budget: float = 1.0
    mode: int = select.AUTO
    compiled: bool | None = None
    """Whether to think with compiled code; none: if it is ready, else the heuristic decides."""
    level: str = ""

    def prepare(self, book: Rulebook) -> None:
        """Compile what it needs in a game, or load it."""
        match = Match.new(book, {}, book.players[0], 1)
        for number in range(PREPARED):
            match.random_move(match.asked[0], number)
        seat = Seat.of(match, match.asked[0], 1)
        replace(self, budget=0.0, compiled=True).decide(seat)
        learn(seat, space_of(book, True), True)
        first = replace(self, budget=0.0, compiled=True).decide(seat).actions
        contrasted(seat, first, first, worlds=1)

    def decide(self, seat: Seat) -> Decision:
        """The best move it found, and what it evaluated; for a person who asks for advice the best of those it weighed."""
        if not self.thinks(seat.rulebook):
            return replace(STEADY.decide(seat), by=STEADY.name)
        begun = time.process_time()
        values, best = self.evaluated(seat)
        decision = self.answer(values, best)
        if seat.counsel and values:
            decision = self._weighed(seat, decision, values, time.process_time() - begun)
        return decision if seat.until is None else self._explained(seat, decision)

    def _weighed(self, seat: Seat, decision: Decision, values: Sequence[EvaluatedMove], spent: float) -> Decision:
        """The decision as one judge has it who plays the most promising moves on in the same worlds; if there is not the
        time for it, nothing stands beside the move."""
        chosen = next(move for move in values if move.actions == decision.actions)
        listed = [chosen, *long_evaluated(values, chosen)[:BESIDE]]
        solved = all(move.chance is not None and not move.rollouts for move in listed)
        if solved:
            best = max(move.value for move in listed)
            exact = [WeighedMove(move.text, move.actions, best - move.value) for move in listed]
            weighed = tuple(sorted(exact, key=lambda move: move.ahead))
        else:
            moves = list(dict.fromkeys([*(move.actions for move in listed), *([seat.meant] if seat.meant else ())]))
            weighed = self._in_time(seat, moves, spent)
        if len(weighed) < 2:
            return decision
        why = partial(_solved, weighed[0], 1.0) if solved else partial(_compared, weighed)
        return Decision(weighed[0].actions, i18n.everywhere(why), decision.public, decision.values, weighed)

    def _in_time(self, seat: Seat, moves: Sequence[tuple[int, ...]], spent: float) -> tuple[WeighedMove, ...]:
        """The moves, weighed; a search of theirs has taken so long, and weighing them takes about as long."""
        from outbid.bots.weighing import weighed

        part, compiled = 1.0, self.compiled is not False
        if seat.until is not None:
            part = (seat.until - time.process_time() - ENOUGH) / max(BRIEF, LONGER * spent)
        if part < LEAST_PART or len(moves) < 2:
            return ()
        settings = SearchSettings.of(seat.rulebook, seat.state, seat.state.players)
        budget, steps = settings.budget(self.budget * min(1.0, part) / (1 if compiled else PLAIN))
        worths = played_on(seat, moves, max(LEAST_WORLDS, budget // (1 + BESIDE)), compiled, steps=steps)
        judges = worths, opinions(seat, moves)
        by_chance = weighed(seat, moves, *judges)
        late = seat.until is not None and seat.until - time.process_time() < ENOUGH
        if late or any(move.less > LITTLE_CHANCE for move in by_chance):
            return by_chance
        return weighed(seat, moves, *judges, scored(seat, moves, compiled, AT_TABLES if compiled else CONTRASTED_PLAIN))

    def _explained(self, seat: Seat, decision: Decision) -> Decision:
        """The decision with what it leads to and the next best does not, or the move that a person means, if there is time
        for that."""
        assert seat.until is not None
        beside = [move.actions for move in decision.weighed[1:] or no_better(decision)]
        late = seat.until - time.process_time() < ENOUGH
        if not beside or late or not ready(seat.rulebook, weigh):
            return decision
        other = seat.meant if seat.meant in beside else beside[0]
        contrast = contrasted(seat, decision.actions, other, worlds=AT_TABLES)
        private = i18n.everywhere(partial(_with_contrast, decision, contrast, seat))
        return replace(decision, private=private, contrast=contrast, other=other)

    def thinks(self, book: Rulebook) -> bool:
        """Whether it looks ahead here and now."""
        return self.compiled is not None or ready(book)

    def answer(self, values: Sequence[EvaluatedMove], best: int) -> Decision:
        """What it says after it has evaluated these moves."""
        if not values:
            return Decision(())
        chosen = values[best]
        tried = sum(move.rollouts for move in values)
        why = partial(_because, values, chosen, tried)
        if chosen.chance is not None:
            why = partial(_drawn if tried else _solved, chosen, chosen.chance)
        ranked = tuple(sorted(values, key=lambda move: -move.value))
        # to the others nothing is said: how many moves there were to evaluate, and how, may depend on hidden cards
        return Decision(chosen.actions, i18n.everywhere(why), values=ranked)

    def evaluated(self, seat: Seat, also: Sequence[Sequence[int]] = ()) -> tuple[list[EvaluatedMove], int]:
        """The moves it evaluates, and the number of the best; the heuristic's own is the first where each is evaluated on
        its own. also: moves (action ids) to be evaluated besides."""
        book, compiled = seat.rulebook, self.compiled is not False
        mode = select.EACH if self.level else self.mode
        space = space_of(book, compiled)
        space.put(seat.state)
        think = entry_of(book) if compiled else select.think
        settings = SearchSettings.of(book, seat.state, seat.state.players).at(book, self.level)
        config = settings.config(self.budget / (1 if compiled else PLAIN))
        work, solved = space.work, space.searches.subgame
        if self.level:
            _know_nobody(seat, space)
        else:
            learn(seat, space, compiled)
        given = min(len(also), rollouts.MOST // 2)
        for k, actions in enumerate(also[:given]):
            _lay(work, rollouts.MOST - 1 - k, actions)
        best, n = think(space.states, space.cells, 0, seat.seat, seat.stream, mode, config, given, space.searches, work)
        moves = []
        for c in range(n):
            times = abs(int(work.played[c]))
            actions = tuple(int(work.moves[c][k]) for k in range(int(work.lengths[c])))
            worth = min(1.0, max(0.0, float(work.value[c]) / max(times, 1)))
            played = 0 if solved.solved[0] else times
            chance = float(solved.chance[c]) if solved.mixed[0] else None
            moves.append(EvaluatedMove(seat.said(actions), worth, played, actions, chance))
        return moves, int(margin.leave(best, n, settings.margin, work))


def no_better(decision: Decision) -> list[EvaluatedMove]:
    """The other moves that were looked at long and seemed no better than the one that is made, the best first."""
    chosen = next((move for move in decision.values if move.actions == decision.actions), None)
    return [move for move in long_evaluated(decision.values, chosen) if chosen and move.value <= chosen.value]


def long_evaluated(values: Sequence[EvaluatedMove], best: EvaluatedMove | None) -> list[EvaluatedMove]:
    """The other moves that were looked at at least half as long as the one that was looked at longest, the best first: what
    the others are worth is a first impression. All others, if there are none."""
    most = max((move.rollouts for move in values), default=0)
    others = sorted((move for move in values if move is not best), key=lambda move: -move.value)
    return [move for move in others if move.chance is not None or 2 * move.rollouts >= most] or others


def alike(best: EvaluatedMove, other: EvaluatedMove) -> bool:
    """Whether two moves are about as good, as far as their rollouts can tell."""
    return best.value - other.value <= max(LITTLE_WORTH, SPREAD / max(1, min(best.rollouts, other.rollouts)) ** 0.5)


def played_on(
    seat: Seat,
    moves: Sequence[Sequence[int]],
    worlds: int,
    compiled: bool = True,
    to_the_end: bool = False,
    steps: int = rollouts.NO_LIMIT,
) -> NDArray[np.float64]:
    """What moves of a seat, action ids, are worth to it in the same worlds, (W, M): shares of the victory. to_the_end: of
    the match, whatever nets there are to end a rollout sooner. steps: after how many of them no further world is played."""
    import numpy as np

    book = seat.rulebook
    depth = SearchSettings.of(book, seat.state, seat.state.players).max_depth
    space, lead = side_by_side(seat, moves, compiled)
    config = RolloutConfig(worlds, -book.search.longest if to_the_end else depth, 0.0, 1.0, lead, steps)
    worths = np.zeros((worlds, len(moves)))
    loop = entry_of(book, weigh) if compiled else weigh
    none = buffers.states(book, 0, compiled)
    return worths[: loop(space.states, 0, seat.seat, seat.stream, config, len(moves), space.work, worths, none)]


def opinions(seat: Seat, moves: Sequence[Sequence[int]]) -> NDArray[np.float64] | None:
    """What a seat may expect after each of some moves by the net of the reviews, (V, M), if one has learned the rules."""
    from outbid.bots.nets import value

    net = value.judge(seat.rulebook)
    return value.after(net, seat, moves) if net is not None and net.fits(seat.state) else None


def contrasted(
    seat: Seat, move: Sequence[int], other: Sequence[int], compiled: bool = True, worlds: int | None = None
) -> Contrast:
    """Why a move is better than another (both as action ids): both are played on to the end in the same worlds, and what
    differs is told; the sentence is made by core/hooks/contrast.py. All that is used is the seat. Where nothing is compiled
    for it yet, the plain backend plays very few worlds on. worlds: as many as usual, unless said."""
    worlds = worlds or (CONTRASTED if compiled else CONTRASTED_PLAIN)
    return contrast_of(seat.rulebook, seat.seat, _ends(seat, (move, other), compiled, worlds))


def scored(seat: Seat, moves: Sequence[Sequence[int]], compiled: bool, worlds: int) -> NDArray[np.float64]:
    """With how many points a seat ends after each of some moves, played on to the end in the same worlds, (W, M)."""
    import numpy as np

    points, scores = [0] * seat.state.players, np.zeros((worlds, len(moves)))
    for w, states in enumerate(_ends(seat, moves, compiled, worlds)):
        for k, state in enumerate(states):
            contract.score(state, points)
            scores[w, k] = points[seat.seat]
    return scores


def _ends(seat: Seat, moves: Sequence[Sequence[int]], compiled: bool, worlds: int) -> list[tuple[Any, ...]]:
    """The ends of the match after each of some moves, in each of so many worlds."""
    import numpy as np

    book, many = seat.rulebook, len(moves)
    space, lead = side_by_side(seat, moves, compiled)
    final = buffers.states(book, many * worlds, compiled)
    loop = entry_of(book, weigh) if compiled else weigh
    config = RolloutConfig(worlds, -rollouts.STEPS, 0.0, 1.0, lead)
    loop(space.states, 0, seat.seat, seat.stream, config, many, space.work, np.zeros((worlds, many)), final)
    states = final if isinstance(final, Records) else [book.plain.from_record(final, k) for k in range(len(final))]
    return [tuple(states[w * many + k] for k in range(many)) for w in range(worlds)]


def _with_contrast(decision: Decision, contrast: Contrast, seat: Seat) -> str:
    sentence = contrast.said(seat.rulebook, [marked(name) for name in seat.names])
    return f"{i18n.chosen(decision.private)} {sentence}".strip()


def _because(values: Sequence[EvaluatedMove], best: EvaluatedMove, budget: int) -> str:
    """Why, for the seat itself."""
    if len(values) < 2:
        return _("There was nothing else I could do.")
    other = long_evaluated(values, best)[0]
    facts = {"n": budget, "move": best.text, "other": other.text}
    if other.value > best.value:
        return _("I played on {n} times and stay with {move}: nothing else was clearly better.", **facts)
    if alike(best, other):
        return _("I played on {n} times: {move} did best, and {other} about as well.", **facts)
    less = round(100 * (best.value - other.value))
    return _("I played on {n} times: {move} did best; with the next best, {other}, I win {less} % less.", less=less, **facts)


def _compared(weighed: Sequence[WeighedMove]) -> str:
    """Why, for a person who asks for advice."""
    facts = {"n": len(weighed), "move": weighed[0].text}
    return _("I played {n} moves on in the same worlds; {move} is the best of them.", **facts)


def _solved(chosen: EvaluatedMove | WeighedMove, chance: float) -> str:
    """Why, for the seat itself, where the rest of the match was solved."""
    if chance >= SURE:
        return _("I have solved all that can still happen: nothing is better than {move}.", move=chosen.text)
    return _(
        "I have solved all that can still happen. Several moves are about equally good, and I draw lots among them: {move} "
        "in {n} cases of a hundred.",
        move=chosen.text,
        n=round(100 * chance),
    )


def _drawn(chosen: EvaluatedMove, chance: float) -> str:
    """Why, for the seat itself, where its move is drawn, so that no opponent can foresee it."""
    if chance >= SURE:
        return _("I would do nothing else than {move}, even if it is foreseen.", move=chosen.text)
    return _(
        "Nobody is to foresee what I do here, so I draw lots: {move} in {n} cases of a hundred.",
        move=chosen.text,
        n=round(100 * chance),
    )


@dataclass(frozen=True)
class SearchSettings:
    """How a look-ahead goes about it in a game. rollouts, steps: of a decision, at most; max_depth: moves of a rollout,
    negative where none is ended by a net; lead: 1 where a policy net is asked, too (rollouts.py); margin: margin.py."""

    rollouts: float
    max_depth: int
    points: float
    unit: float
    lead: int
    steps: float
    margin: float = 0.0

    @classmethod
    def of(cls, book: Rulebook, state: Any, players: int) -> SearchSettings:
        """The usual ones, under the options of a state."""
        from outbid.bots.nets import policy, value

        net, learned = value.net(book), policy.policy(book)
        leads = learned is not None and learned.serves(state) and learned.leads(players)
        rollouts, max_depth = book.search.rollouts, -book.search.longest
        if net is not None and net.serves(state):
            rollouts, max_depth = book.search.leaf_rollouts, book.search.max_depth * players
        return cls(rollouts * select.AMONG // players, max_depth, POINTS, book.search.unit, int(leads), book.search.steps)

    def at(self, book: Rulebook, level: str) -> SearchSettings:
        """Those of a level of the game; of none: the same."""
        if not level:
            return self
        declared = book.search.levels[level]
        led = declared.led if self.lead else None
        chosen = led or declared
        return replace(self, rollouts=chosen.budget * self.rollouts, lead=int(led is not None), margin=chosen.margin)

    @property
    def to_the_end(self) -> bool:
        """Whether rollouts are played to the end of the match."""
        return self.max_depth < 0

    def budget(self, times: float) -> tuple[int, int]:
        """So many times the rollouts and the steps of a decision."""
        return max(1, round(times * self.rollouts)), max(1, round(times * self.steps))

    def config(self, times: float) -> RolloutConfig:
        """What `think` is told, for so many times the budget."""
        rollouts, steps = self.budget(times)
        return RolloutConfig(rollouts, self.max_depth, self.points, float(self.unit), self.lead, steps)


def ready(book: Rulebook, loop: Any = select.think) -> bool:
    """Whether a look-ahead in this game, or another loop, is compiled already, here or in the cache."""
    try:
        from outbid.compiled import backend
    except ImportError:
        return False
    learning = particle_filter.replay if book.secrets else opponent_types.judge_all
    return backend.ready(book, loop) and (loop is not select.think or not learns(book) or backend.ready(book, learning))


def learn(seat: Seat, space: Space, compiled: bool) -> None:
    """Put into the working space who the others may be, of those that the game names, by what they have done, and the
    particles that the seat keeps (particle_filter.py)."""
    book, work = seat.rulebook, space.work
    _begin(seat, space)
    work.doubt[0] = book.search.doubt
    if not learns(book):
        return
    if book.secrets:
        _replay(seat, space, compiled)
        return
    states = _seen(book, [step.before for step in seat.past], opponent_types.RECORDS, compiled)
    judge = entry_of(book, opponent_types.judge_all) if compiled else opponent_types.judge_all
    judge(states, *_said(seat.past), seat.seat, seat.state.players, work)


def _begin(seat: Seat, space: Space) -> None:
    space.work.nets[:] = EVEN
    space.work.who[:] = opponent_types.AS_STEADY
    space.work.particles[0] = opponent_types.NOWHERE
    space.under(seat.state)


def _know_nobody(seat: Seat, space: Space) -> None:
    """Whatever the others have done, each may be any of those that the game names."""
    _begin(seat, space)
    space.work.doubt[0] = 1.0
    if learns(seat.rulebook):
        opponent_types.believe(seat.seat, seat.state.players, space.work)


def _said(steps: Sequence[Step]) -> tuple[Any, Any]:
    """Who made these steps, and what they were."""
    import numpy as np

    return np.array([step.seat for step in steps], np.int64), np.array([step.action for step in steps], np.int64)


def _seen(book: Rulebook, seen: Sequence[bytes], more: int, compiled: bool) -> Any:
    """These states, where there is something in them, and room for so many more."""
    import numpy as np

    records = np.frombuffer(b"".join(seen), book.layout.dtype)
    states = buffers.states(book, len(records) + more, compiled)
    if compiled:
        states[: len(records)] = records
    else:
        for k in range(len(records)):
            states[k] = book.plain.from_record(records, k)
    return states


@dataclass(frozen=True)
class _Filter:
    """What a seat has learned by some step of a match: who the others are, and the particles it keeps (particle_filter.py).
    begun: the step with which it began; steps, digest: how many there have been, and which; cost: work.filter_steps."""

    begun: int
    steps: int
    digest: bytes
    posterior: Any
    judged: int
    observations: int
    odds: Any
    cost: int
    particles: Any


def _replay(seat: Seat, space: Space, compiled: bool) -> None:
    """Learn from the steps of a match in which players may have secrets, from where this seat has been before. Raises Lost
    if there is not the time for it; it is further then the next time."""
    book, work, past = seat.rulebook, space.work, seat.past
    half = None if seat.until is None else (seat.until + time.process_time()) / 2  # the other is for thinking
    filters: OrderedDict[Any, _Filter] = _own.__dict__.setdefault("filters", OrderedDict())
    key = book.id, seat.seat, seat.seed, compiled
    begun = _beginning(past)
    reached = filters.pop(key, None)
    if reached is not None and (reached.begun != begun or _digest(past[: reached.steps]) != reached.digest):
        reached = None
    particles = None
    done = begun
    if reached:
        work.posterior[:], work.judged[0] = reached.posterior, reached.judged
        work.observations[seat.seat] = reached.observations
        work.odds[seat.seat], work.filter_steps[seat.seat] = reached.odds, reached.cost
        particles, done = reached.particles, reached.steps
    else:
        opponent_types.forget(work)
        work.observations[seat.seat] = opponent_types.LAPSED
    late = False
    while particles is None or (done < len(past) and not late):
        part = past[done : _end_of_move(past, done + PORTION)]
        if done == begun > 0:
            part = Step(-1, -1, after=part[0].after, shown=False), *part[1:]
        particles = _replayed(part, seat, particles, work, compiled)
        done += len(part)
        late = half is not None and time.process_time() > half
    filters[key] = _Filter(
        begun, done, _digest(past[:done]), work.posterior.copy(), int(work.judged[0]), int(work.observations[seat.seat]),
        work.odds[seat.seat].copy(), int(work.filter_steps[seat.seat]),
        particles.copy() if compiled else [particle.copy() for particle in particles],
    )  # fmt: skip
    if len(filters) > REMEMBERED:
        filters.popitem(last=False)
    if done < len(past):
        raise Lost(f"Of {len(past)} steps of the match in {book.id} {done} have been replayed.")
    if work.observations[seat.seat] != opponent_types.LAPSED:
        work.particles[0] = RECORDS
        for n in range(len(particles)):
            space.states[RECORDS + n] = particles[n]


def _end_of_move(past: Sequence[Step], number: int) -> int:
    """This number of steps, or as many more as belong to the same move: it is judged as a whole
    (opponent_types.overhear)."""
    while number < len(past) and past[number].shown and not past[number].before:
        number += 1
    return number


def _replayed(steps: Sequence[Step], seat: Seat, particles: Any, work: Any, compiled: bool) -> Any:
    """The particles after some steps of a match, replayed in these (none: it begins with them)."""
    import numpy as np

    book, many = seat.rulebook, kept(seat.rulebook, compiled)
    seen = [state for step in steps for state in (step.before, step.after)]
    states = _seen(book, seen, 1 + opponent_types.RECORDS + many + particle_filter.WORKED_IN, compiled)
    present = np.array([bool(state) for state in seen], np.int64)
    places = np.where(present == 1, np.cumsum(present) - 1, -1)
    now = int(present.sum())
    at = now + 1 + opponent_types.RECORDS
    _put(states, now, seat.state)
    if particles is not None:
        states[at : at + many] = particles
    shown = np.array([int(step.shown) for step in steps], np.int64)
    replay = entry_of(book, particle_filter.replay) if compiled else particle_filter.replay
    before, after = (np.ascontiguousarray(places[k::2]) for k in (0, 1))
    replay(states, *_said(steps), shown, before, after, now, seat.seat, seat.seed, work)
    return states[at : at + many]


def _digest(past: Sequence[Step]) -> bytes:
    """By which the steps of a match are known again."""
    facts = [(step.seat, step.action, bool(step.before), bool(step.after), step.shown) for step in past]
    digest = hashlib.blake2b(repr(facts).encode(), digest_size=16)
    for step in past:
        digest.update(step.before)
        digest.update(step.after)
    return digest.digest()


def _beginning(past: Sequence[Step]) -> int:
    """The step from which a seat replays a match, or where there are too many, after which it does, as if the
    match began with what it saw then; for BLOCK steps in a row it is the same."""
    skipped = -(-max(0, len(past) - LONG) // BLOCK) * BLOCK
    return next((number for number, step in enumerate(past[skipped:], skipped) if step.after), 0) if skipped else 0


def kept(book: Rulebook, compiled: bool) -> int:
    """How many particles a seat keeps in a game."""
    if book.function("observe_chance") is contract.nothing_observed:
        return 0
    return particle_filter.MANY if compiled else FEW


def entry_of(book: Rulebook, loop: Any = select.think) -> Any:
    """The compiled search, or another loop."""
    from outbid.compiled.backend import entry

    return entry(book, loop)


class Space:
    """Working space of a look-ahead, one for each thread and game. records: states that are worked in, usually as many as a
    decision needs, and then the particles that its seat keeps; cells: their bytes; work, searches: rollouts.Work,
    select.Searches; learned: a policy net, if it is not the shipped one."""

    def __init__(self, book: Rulebook, records: int | None = None, compiled: bool = True, learned: PolicyNet | None = None):
        import numpy as np

        from outbid.bots.nets import policy, value

        net, learned = value.net(book), learned or policy.policy(book)
        search, many = book.search, kept(book, compiled)
        nothing = np.zeros(0, np.float32)
        worlds, infosets = LITTLE if compiled else LITTLE_PLAIN
        sizes = {
            "A": book.actions, "F": book.features, "G": len(search.before), "N": many,
            "H value": net.units if net else 1, "H policy": learned.units if learned else 1,
            "W": worlds, "K": infosets, "J": 2 * infosets, "Z": 2 * infosets, "hash table": 4 * infosets,
            "D": subgame.DEEPEST + 1, "P": subgame.SEATS,
        }  # fmt: skip
        given = {
            "weights": net.weights if net else nothing,
            "policy": learned.weights if learned else nothing,
            "before": np.log(np.array(search.before)),
            "doubt": np.array([search.doubt, len(search.opponent_types)]),
            "whole": np.array([search.steps], np.int64),
            "endgame_depth": np.array([search.endgame_depth], np.int64),
        }
        self.book = book
        self.states = buffers.states(book, RECORDS + many if records is None else records, compiled)
        self.cells = buffers.cells_of(self.states)
        self.work: rollouts.Work = buffers.allocate(rollouts.Work, sizes, book, compiled, **given)
        self.searches: select.Searches = buffers.allocate(select.Searches, sizes, book, compiled)

    def put(self, state: Any) -> None:
        """Write this state into the first record."""
        _put(self.states, 0, state)

    def under(self, state: Any) -> None:
        """The opponent types under the options of a state: where no net has learned them, none is a net; and no player has
        moved yet."""
        from outbid.bots.nets import NAME, policy

        net = policy.policy(self.book)
        known = {name: number for number, name in enumerate(self.book.personas.players)}
        known[NAME] = opponent_types.AS_NET if net is not None and net.serves(state) else opponent_types.AS_STEADY
        types = [known[name] for name in self.book.search.opponent_types]
        outsiders = range(len(self.work.types) - len(types))
        self.work.types[:] = types + [len(self.book.personas.players) + k for k in outsiders]
        opponent_types.forget(self.work)


def _put(states: Any, at: int, state: Any) -> None:
    """Write a plain state among others."""
    if isinstance(states, Records):
        states[at] = state
    else:
        state.to_record(states, at)


def space_of(book: Rulebook, compiled: bool) -> Space:
    spaces: dict[tuple[str, bool], Space] = _own.__dict__.setdefault("spaces", {})
    if (book.id, compiled) not in spaces:
        spaces[book.id, compiled] = Space(book, compiled=compiled)
    return spaces[book.id, compiled]


def side_by_side(seat: Seat, moves: Sequence[Sequence[int]], compiled: bool) -> tuple[Space, int]:
    """A space with the state of a seat, and moves of it that are to be played on in the same worlds; and who leads there
    (rollouts.py): everybody is the heuristic where nothing is compiled."""
    book = seat.rulebook
    if compiled:
        space, lead = space_of(book, True), SearchSettings.of(book, seat.state, seat.state.players).lead
        learn(seat, space, True)
    else:
        space, lead = Space(book, 5, False), 0
    space.put(seat.state)
    for row, actions in enumerate(moves):
        _lay(space.work, row, actions)
    return space, lead


def _lay(work: Any, row: int, actions: Sequence[int]) -> None:
    """Write a move into the working space."""
    work.lengths[row] = len(actions)
    for k, action in enumerate(actions):
        work.moves[row][k] = action
