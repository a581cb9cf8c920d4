"""One learner against bots, in many matches at once on the compiled backend.

    v = game.against(4096, players=4, bots="steady", seat=None, seed=0)
    while training:
        v.step(policy(v.obs, v.mask))     # then v.gain, v.done, v.obs, v.mask

A `Vector` (vector.py) in which all seats but the learner's are bots. One step is an action of the learner in every match and
all that the bots and the clock do until it is asked again, so that `actor` is always the learner, and `steps` counts its
actions. Besides the arrays of a vector there are

| array   | type, shape  | is |
| ---     | ---          | --- |
| learner | int64 (n,)   | its seat in the running match |
| was     | int64 (n,)   | its seat in the match that the last step ended; elsewhere what it was before |
| gain    | float32 (n,) | its reward: 0, and at the end what the scheme gives |

A bot is named as anywhere (bots/naming.py), or given: a function of (obs, mask) → actions, or an object with `decide`. Those
that play by the game's own judgement act in the compiled loop. All others are asked outside of it: functions and nets for
all matches together in which they are to act; `strong` and other bots that decide on whole moves seat by seat, which takes
long. Of the history they know the state of their seat alone. A list of bots in a place is a league: one of them is drawn for
each match, from its deal. `v.bots = …` seats others, from the next deals on.

A bot draws from its seat's stream of the deal, as in `outbid simulate`: the same deal and the same actions give the same
match, whatever the other rows and the number of threads. A match in which the learner is not asked once counts for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.compiled import loops
from outbid.compiled.backend import entry
from outbid.compiled.buffers import allocate
from outbid.compiled.vector import SCHEMES, SMALLEST_BLOCK, Vector, _seen
from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.errors import BadSetup, Illegal
from outbid.core.match import Match, hidden
from outbid.core.rulebook import Rulebook

TRIES = 1000  # matches in a row without a question to the learner
FLOOR = "outbid.bots.naming"  # the floor above, which this one does not import: a run without such a bot does not load it

Who = str | Callable[[Any, Any], Any] | Any  # a bot: its name, a function, an object with `decide`


class Against(Vector):
    """`n` matches of one game, a learner in each. Raises BadSetup, BadOption.

    seat: the learner's; None: drawn for each match from its deal. With `rotate` it moves on within a group of duplicate
    deals. bots: one for all others, or a list: the k-th clockwise after the learner is bots[k], and if that is a list, one
    of it. All else as for a Vector, without `joint`."""

    def __init__(
        self,
        book: Rulebook,
        options: Mapping[str, Any],
        n: int,
        players: Any,
        seed: int = 0,
        *,
        seat: int | None = 0,
        bots: Who | Sequence[Who] = "steady",
        **how: Any,
    ):
        self._wanted, self._named = seat, bots
        super().__init__(book, options, n, players, seed, **how)

    def _prepare(self) -> None:
        place = -1 if self._wanted is None else check_seat(self._wanted, int(self._rows.players.min()))
        where = np.full(self.n, -1) if place < 0 else (place + self._shift) % self._rows.players
        self._plain = self.rulebook.plain.from_record(self._rows.fresh, 0)
        self._others = Opponents(self.rulebook, self._plain, self._named, self.players - 1)
        given = {"place": where, "bots": self._others.pools, "sizes": self._others.sizes}
        sizes = {"n": self.n, "P": self.players, "columns": loops.columns(self.players)}
        self._sitting: loops.Learner = allocate(loops.Learner, sizes, **given)
        self._asking = Asking(self.n)

    @property
    def bots(self) -> Who | Sequence[Who]:
        """Who sits in the other seats."""
        return self._named

    @bots.setter
    def bots(self, wanted: Who | Sequence[Who]) -> None:
        """From the next deals on. Raises BadSetup."""
        self._others = Opponents(self.rulebook, self._plain, wanted, self.players - 1, self._others)
        self._sitting = self._sitting._replace(bots=self._others.pools, sizes=self._others.sizes)
        self._named = wanted

    def _move(self) -> None:
        before = self._rows.number.copy()
        self._go()
        if self._others.asked:
            self._asking.forget(self._rows.todo == loops.BEGIN)
            while len(rows := np.flatnonzero(self._sitting.policies[np.arange(self.n), self._rows.turn[:, 0]] < 0)):
                if (self._rows.number[rows] > before[rows] + TRIES).any():
                    bad = int(rows[np.argmax(self._rows.number[rows] - before[rows])])
                    raise BadSetup(f"The learner in match {bad} was not asked once in {TRIES} matches with its options.")
                self._answer(rows)
                self._rows.todo[:] = loops.LEAVE
                self._rows.todo[rows] = loops.GO_ON
                self._go(alone=len(rows) < SMALLEST_BLOCK)
        self._changed()
        self._final_fresh = False

    def _of_a_match(self) -> list[NDArray[Any]]:
        return [*super()._of_a_match(), self._sitting.seat, self._sitting.policies, self._sitting.tally]

    def _fits(self, row: int, match: Match) -> None:
        super()._fits(row, match)
        if match.clock or len(match.asked) != 1:
            raise BadSetup(f"In the match for row {row} not one seat is asked, which would be the learner's.")

    def _put(self, rows: NDArray[np.int64], copied: bool) -> None:
        for row in rows.tolist() if not copied else ():
            seat = contract.asked(self.rulebook.plain.from_record(self._rows.states, row)).bit_length() - 1
            self._sitting.seat[row], self._sitting.tally[row] = seat, 0
            pools, sizes, deal = self._others.pools, self._others.sizes, int(self._rows.deals[row])
            loops.assign_bots(self._sitting.policies[row], pools, sizes, seat, int(self._rows.players[row]), deal)
        self._asking.forget(np.isin(np.arange(self.n), rows))
        super()._put(rows, copied)

    def _go(self, alone: bool = False) -> None:
        """What `_todo` and `_actions` say, until the learner or a bot outside is asked. alone: in this thread."""
        move, scheme = entry(self.rulebook, loops.against_batch), SCHEMES.index(self.scheme)
        unit = float(self.rulebook.margin)
        each: Any = (lambda work: work(0, 0, self.n)) if alone else self._each
        each(lambda k, a, b: move(self._rows, self._sitting, a, b, scheme, unit, TRIES, self._scratch[k]))
        if (self._rows.turn < 0).any():
            bad = int(np.flatnonzero(self._rows.turn[:, 0] < 0)[0])
            raise BadSetup(f"The learner in match {bad} was not asked once in {TRIES} matches with its options.")

    def _answer(self, rows: NDArray[np.int64]) -> None:
        """Write into `_actions` what those outside say who are asked in these matches."""
        seat = self._rows.turn[rows, 0]
        who = loops.OUTSIDE - self._sitting.policies[rows, seat]
        moves = moves_made(self._sitting.tally[rows], self._rows.players[rows])
        steps = self._asking.step(rows, seat, moves, self._rows.deals[rows])
        for k in np.unique(who).tolist():
            places = np.flatnonzero(who == k)
            bot, at = self._others.asked[k], rows[places]
            if hasattr(bot, "answers"):
                obs = np.zeros((len(at), self.rulebook.features), np.float32)
                entry(self.rulebook, loops.observe_rows)(self._rows, at, obs)
                keys = np.stack([self._rows.count[at, 0], self._rows.deals[at], seat[places], moves[places], steps[places]])
                self._rows.actions[at, 0] = bot.answers(obs, self._rows.allowed[at, 0], self._rows.choices[at, 0], keys)
            else:
                for i, s, number in zip(at.tolist(), seat[places].tolist(), moves[places].tolist(), strict=True):
                    self._rows.actions[i, 0] = self._decided(bot, i, s, number)

    def _decided(self, bot: Any, i: int, seat: int, number: int) -> int:
        """The next action of a bot that decides on whole moves; where it has nothing to say, the clock acts."""
        left = self._asking.left.setdefault(i, [])
        if not left:
            state = self.rulebook.plain.from_record(self._rows.states, i)
            seen = hidden(state, seat)
            left += bot.move(seen, seat, number, stream(int(self._rows.deals[i]), loops.SEATS_FROM + seat))
            if not left:
                self._rows.turn[i, 0] = contract.CLOCK
                return clock_acts(state, self.rulebook, f"match {i}")
        action = left.pop(0)
        if not self._rows.allowed[i, 0, action]:
            legal = sorted(self._rows.choices[i, 0, : int(self._rows.count[i, 0])].tolist())
            raise Illegal(self.rulebook.action_table.refusal(action, f"a bot in match {i}", legal))
        return action

    @property
    def learner(self) -> NDArray[np.int64]:
        """The learner's seat in the running matches, (n,)."""
        return _seen(self._sitting.seat)

    @property
    def was(self) -> NDArray[np.int64]:
        """The learner's seat in the matches that the last step ended, (n,)."""
        return _seen(self._sitting.was)

    @property
    def gain(self) -> NDArray[np.float32]:
        """The learner's rewards, float32 (n,): what the last step ended, 0 in the other rows."""
        return np.where(self._rows.done, self.reward[np.arange(self.n), self._sitting.was], np.float32(0))


class Asking:
    """How far those are who are asked outside: of each match the step of a move that is made, and what is left of it."""

    def __init__(self, n: int):
        self.left: dict[int, list[int]] = {}
        self._seat, self._made, self._deal, self._step = (np.full(n, -1) for _ in range(4))

    def forget(self, rows: NDArray[np.bool_]) -> None:
        """The matches of `rows`, bool (n,), begin anew."""
        for i in np.flatnonzero(rows).tolist():
            self.left.pop(i, None)
            self._deal[i] = -1

    def step(self, rows: Any, seat: Any, moves: Any, deal: Any) -> NDArray[np.int64]:
        """The number of the step in the move that the seat of each of k rows makes, (k,). moves: made before."""
        same = (self._seat[rows] == seat) & (self._made[rows] == moves) & (self._deal[rows] == deal)
        self._step[rows] = np.where(same, self._step[rows] + 1, 0)
        self._seat[rows], self._made[rows], self._deal[rows] = seat, moves, deal
        return self._step[rows]


class Opponents:
    """Who sits in the other seats, as the loops have it. pools: int64 (P − 1, K), the policies of the k-th clockwise after
    the learner, sizes: int64 (P − 1,), how many they are; asked: who is asked outside, number k by the policy OUTSIDE − k.

    earlier: those before, whose numbers still stand in matches that have begun. Raises BadSetup."""

    def __init__(
        self, book: Rulebook, state: Any, bots: Who | Sequence[Who], others: int, earlier: Opponents | None = None
    ):
        each = list(bots) if isinstance(bots, list | tuple) else [bots] * others
        if len(each) != others:
            raise BadSetup(f"There must be {others} bot{'s' * (others != 1)}, one for each other seat, not {len(each)}.")
        self._book, self._state = book, state
        self.asked: list[Any] = list(earlier.asked) if earlier else []
        self._names: list[Any] = list(earlier._names) if earlier else []
        pools = [list(pool) if isinstance(pool, list | tuple) else [pool] for pool in each]
        if not all(pools):
            raise BadSetup("A league of no bots cannot sit down; it has at least one.")
        rows = [[self._policy(who) for who in pool] for pool in pools]
        self.sizes: NDArray[np.int64] = np.array([len(row) for row in rows], np.int64)
        self.pools: NDArray[np.int64] = np.zeros((max(others, 1), max(map(len, rows), default=1)), np.int64)
        for k, row in enumerate(rows):
            self.pools[k, : len(row)] = row

    def _policy(self, who: Who) -> int:
        known = self._book.personas.policies
        if isinstance(who, str) and who in known:
            return known[who]
        if who not in self._names:
            bot = import_module(FLOOR).outside(who, self._book, self._state)
            self.asked.append(bot)
            self._names.append(who)
        return loops.OUTSIDE - self._names.index(who)


def check_seat(seat: Any, players: int) -> int:
    """A seat of the match. Raises BadSetup."""
    if not isinstance(seat, (int, np.integer)) or isinstance(seat, bool) or not 0 <= seat < players:
        raise BadSetup(f"There is no seat {seat!r} for the learner; the seats are 0 to {players - 1}.")
    return int(seat)


def moves_made(tally: NDArray[np.int64], players: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many moves were made in n matches with these tallies, (n, loops.columns), those of the clock, too, (n,)."""
    moves = np.zeros(len(tally), np.int64)
    for p in np.unique(players).tolist():
        rows = players == p
        moves[rows] = tally[rows, p : 2 * p].sum(1) + tally[rows, 3 * p + 1]
    return moves


def clock_acts(state: Any, book: Rulebook, where: str) -> int:
    """The action of the table's clock, where a bot has nothing to say. Raises BadSetup."""
    out = [0] * (book.actions + 64)
    if not contract.asked(state) >> contract.CLOCK & 1 or contract.legal(state, contract.CLOCK, out) == 0:
        raise BadSetup(f"A bot in {where} has nothing to say, though it must.")
    return out[0]
