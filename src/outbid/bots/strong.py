"""Bots that look ahead (lookahead.py): how long they think in each game, and how they say why.

The search runs by playouts, not by the clock, so that the same seat with the same stream always decides the same. Compiled
code is used if it is there already, or made if the bot is told to; as long as it is not there, the heuristic plays itself.
The plain backend is for tests: it makes a hundredth of the playouts.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from outbid.bots import lookahead
from outbid.bots.decision import Decision, Weighed
from outbid.bots.seat import Seat
from outbid.bots.stepwise import STEADY
from outbid.engine import tongue
from outbid.engine.fields import Records
from outbid.engine.match import Match
from outbid.engine.rulebook import Rulebook

_, ngettext = tongue.words("outbid")

PLAYOUTS: Mapping[str, int] = {"claim": 2500, "forex": 250, "kuhhandel": 200, "money": 500, "rivals": 800}
USUAL = 250  # playouts in a game that is not named here
PLAIN = 100  # times fewer on the plain backend
POINTS = 0.1  # how much of a payoff is the lead in points
UNITS: Mapping[str, int] = {"claim": 5, "forex": 20, "kuhhandel": 3000, "money": 200, "rivals": 20}  # a lead that is much

_own = threading.local()


def playouts(book: Rulebook) -> int:
    """The usual number of playouts of a decision."""
    return PLAYOUTS.get(book.id, USUAL)


def unit(book: Rulebook) -> int:
    """How many points of lead are much."""
    return UNITS.get(book.id, 1)


@dataclass(frozen=True)
class LookAhead:
    """A bot that plays its candidates on, in worlds that agree with what it has seen. effort: times the usual playouts."""

    name: str
    summary: str
    effort: float = 1.0
    compiled: bool | None = None
    """Whether to think with compiled code; none: if it is ready, else the heuristic decides."""

    def prepare(self, book: Rulebook) -> None:
        """Compile what it needs in a game, or load it."""
        match = Match.new(book, {}, book.players[0], 1)
        replace(self, effort=0.0, compiled=True).decide(Seat.of(match, match.asked[0], 1))

    def decide(self, seat: Seat) -> Decision:
        """The best move it found, and what it weighed."""
        book = seat.rulebook
        budget = max(1, round(self.effort * playouts(book)))
        if self.compiled is None and not ready(book):
            return STEADY.decide(seat)
        weighed, best = _weighed(seat, budget, self.compiled is not False)
        if not weighed:
            return Decision(())
        actions, _value, _played = weighed[best]
        ranked = sorted(weighed, key=lambda one: -one[1])
        values = tuple(Weighed(seat.said(a), value, played, tuple(a)) for a, value, played in ranked)
        private = tongue.everywhere(partial(_because, values, seat.said(actions), budget))
        public = tongue.everywhere(partial(_looked, len(values), budget))
        return Decision(tuple(actions), private, public, values)


def _because(values: Sequence[Weighed], chosen: str, budget: int) -> str:
    """Why, for the seat itself."""
    if len(values) < 2:
        return _("There was nothing else I could do.")
    best = next(one for one in values if one.text == chosen)
    other = next(one for one in values if one.text != chosen)
    return _(
        "I played on {n} times: {move} was worth {value} % of the victory to me, the next best, {other}, {less} %.",
        n=budget,
        move=best.text,
        value=round(100 * best.value),
        other=other.text,
        less=round(100 * other.value),
    )


def _looked(n: int, budget: int) -> str:
    """Why, for everybody: it tells nothing that the seat knows."""
    if n < 2:
        return _("There was nothing else I could do.")
    return _("I looked ahead {n} times before I moved.", n=budget)


def _weighed(seat: Seat, budget: int, compiled: bool) -> tuple[list[tuple[list[int], float, int]], int]:
    """The candidates (action ids, mean payoff, playouts), and the number of the best."""
    book = seat.rulebook
    weigh, space = _compiled(book) if compiled else _plain(book)
    space.put(seat.state)
    if not compiled:
        budget = max(1, budget // PLAIN)
    best, n = weigh(
        space.states, 0, seat.seat, seat.stream, budget, POINTS, float(unit(book)), space.moves, space.lengths, space.value,
        space.played, space.out, space.note, space.points,
    )  # fmt: skip
    found = []
    for c in range(n):
        times = abs(int(space.played[c]))
        actions = [int(space.moves[c][k]) for k in range(int(space.lengths[c]))]
        found.append((actions, float(space.value[c]) / max(times, 1), times))
    return found, int(best)


def ready(book: Rulebook) -> bool:
    """Whether a look-ahead in this game is compiled already, here or in the cache."""
    try:
        from outbid.engine import compiled
    except ImportError:
        return False
    return compiled.ready(book, lookahead.weigh)


class Space:
    """Working space of the compiled look-ahead, one for each thread and game."""

    def __init__(self, book: Rulebook, records: int = 5):
        import numpy as np

        self.states = np.zeros(records, book.layout.dtype)
        self.moves = np.zeros((lookahead.MOST, lookahead.LONGEST), np.int64)
        self.lengths = np.zeros(lookahead.MOST, np.int64)
        self.value = np.zeros(lookahead.MOST)
        self.played = np.zeros(lookahead.MOST, np.int64)
        self.out = np.zeros(book.actions + 64, np.int64)
        self.note = np.zeros(64, np.int64)
        self.points = np.zeros(64, np.int64)

    def put(self, state: Any) -> None:
        """Begin with this state."""
        state.to_record(self.states, 0)


class _Lists:
    """The same on the plain backend."""

    def __init__(self, book: Rulebook):
        self.states = Records(book.plain() for _ in range(5))
        self.moves = [[0] * lookahead.LONGEST for _ in range(lookahead.MOST)]
        self.lengths = [0] * lookahead.MOST
        self.value = [0.0] * lookahead.MOST
        self.played = [0] * lookahead.MOST
        self.out = [0] * (book.actions + 64)
        self.note = [0] * 64
        self.points = [0] * 64

    def put(self, state: Any) -> None:
        """Begin with this state."""
        self.states[0] = state


def _compiled(book: Rulebook) -> tuple[Any, Any]:
    from outbid.engine.compiled import entry

    spaces: dict[str, Space] = _own.__dict__.setdefault("spaces", {})
    if book.id not in spaces:
        spaces[book.id] = Space(book)
    return entry(book, lookahead.weigh), spaces[book.id]


def _plain(book: Rulebook) -> tuple[Any, Any]:
    return lookahead.weigh, _Lists(book)
