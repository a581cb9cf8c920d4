"""The coach of a table: before a move that loses much it says what follows, and asks once.

A move of a person is weighed where bots think, of their seat and nothing else, beside those of which a hint would tell
(hints.py). If it loses much by rollouts, and the net of the reviews agrees, the move is not made: the seat is told, and may
make it again or another. What was asked about is asked no more, so nobody is warned twice in one decision, nor of what a
hint has advised in it. Where the chances to win say little, a move that loses much in points is worth a word. Who does not
want it switches it off for their seat.

    mode "coach" of a table's hints     there is a coach for everybody
    no mode                             where one person plays with an easy bot, and the match does not count
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from outbid.bots.decision import Decision, Lost
from outbid.bots.executor import BotExecutor, Unready
from outbid.bots.hints import ADVISER
from outbid.bots.seat import Seat
from outbid.core.errors import OutbidError
from outbid.core.hooks.contrast import in_points
from outbid.core.hooks.mechanisms import drawback
from outbid.core.hooks.policy_params import EASY
from outbid.core.language import i18n
from outbid.core.language.names import marked
from outbid.server.parts import Around, PartOfTable

if TYPE_CHECKING:
    from outbid.server.domain.advice.hints import Hints
    from outbid.server.domain.commands import Command
    from outbid.server.domain.timing.clocks import Running

MODE = "coach"
MUCH = 0.1  # of the victory: what a move loses that is worth a word …
AGREED = 0.05  # … if the second judge finds at least so much

_ = i18n.words("outbid")[0]

log = logging.getLogger("outbid")


@dataclass(frozen=True)
class CoachPanel:
    """What a seat sees: whether there is a coach, whether it is heard, and what it says before a move: the sentence, and the
    move as JSON."""

    there: bool = False
    heard: bool = False
    said: str = ""
    move: str = ""


@dataclass(frozen=True)
class Warning:
    """What a seat was told: the question, the move (by language as one would be told of it, if that is certain), and the
    decision that was better; what follows from the move by the rules, by language; fewer: how many points it loses, where
    the chances to win say little."""

    decision: int
    move: dict[str, Any]
    told: Mapping[str, str]
    better: Decision
    loss: float
    drawback: Mapping[str, str] = field(default_factory=dict[str, str])
    fewer: int = 0

    def said(self, table: Around, seat: int) -> str:
        """In the language of the moment."""
        names = [marked(seat.name) for seat in table.seats]
        contrast = self.better.contrast and self.better.contrast.beside(table.book, self.loss).turned
        facts = contrast.said(table.book, names, seat) if contrast else ""
        cost = _("That is {points} % less chance to win than the best move.", points=round(100 * self.loss))
        if self.fewer:
            cost = _("The best move brings {points} more at the end.", points=in_points(table.book, self.fewer))
        what = _("A forecast of the end: {facts}", facts=facts) if facts else ""
        return " ".join(filter(None, (i18n.chosen(self.told), i18n.chosen(self.drawback), what, cost)))


class AroundCoach(Around, Protocol):
    """What the coach is given of its table."""

    day: str | None
    hints: Hints
    clock: Running
    executor: BotExecutor


class Coach(PartOfTable[AroundCoach]):
    """The coach of one table."""

    def __init__(self, table: AroundCoach):
        super().__init__(table)
        self.muted: set[int] = set()  # seats that do not want it
        self._warned: dict[int, Warning] = {}
        self._asked: dict[int, int] = {}  # by seat: the question in which it was warned

    @property
    def on(self) -> bool:
        """Whether there is one."""
        table = self.table
        if table.hints.mode == MODE:
            return True
        easy = any(place.bot and place.bot.partition(":")[0] == EASY for place in table.seats)
        return easy and table.hints.mode == "" and not table.day and table.hints.on

    def panel(self, seat: int) -> CoachPanel:
        """What a seat sees now."""
        if seat < 0 or not self.on:
            return CoachPanel()
        warned = self.standing(seat)
        if warned is None:
            return CoachPanel(True, seat not in self.muted)
        return CoachPanel(True, True, warned.said(self.table, seat), json.dumps(warned.move))

    def standing(self, seat: int) -> Warning | None:
        """What a seat has been told in this decision."""
        warned = self._warned.get(seat)
        return warned if warned and warned.decision == self.table.decisions.get(seat) else None

    def judgement(self, seat: int) -> Decision | None:
        """The judgement from which the warning in this decision came."""
        warned = self.standing(seat)
        return warned.better if warned else None

    def mute(self, seat: int, muted: bool) -> None:
        """Whether a seat wants it no more."""
        (self.muted.add if muted else self.muted.discard)(seat)
        self._warned.pop(seat, None)
        self.table.tell_seat(seat)

    async def objects(self, seat: int, command: Command) -> Warning | None:
        """The warning before a move, if there is one; it is given once in each decision."""
        table = self.table
        number = table.decisions.get(seat)
        if not self.on or seat in self.muted or number is None or command.decision != number:
            return None
        if table.paused or table.seats[seat].kind != "human" or table.seats[seat].away or table.playing.clock:
            return None
        if self._asked.get(seat) == number or table.playing.legal(seat).forced:
            return None
        self._asked[seat] = number
        warning = await self._evaluated(seat, command)
        if warning is None or table.decisions.get(seat) != number:
            return None
        self._warned[seat] = warning
        table.tell_seat(seat)
        return warning

    async def _evaluated(self, seat: int, command: Command) -> Warning | None:
        table = self.table
        try:
            _seat, move, actions, *_ = table.playing.attempt(seat, command.move)
        except OutbidError:
            return None  # the table says what is wrong with it
        hint = table.hints.advised(seat)
        if hint is not None and hint.actions == actions:
            return None
        executor = table.executor
        executor.prepare(table.book.id, [ADVISER])
        if not executor.ready(table.book.id, ADVISER):
            return None
        view = replace(Seat.of(table.playing, seat, table.seats[seat].seed), meant=actions, counsel=True)
        try:
            decision = await executor.think(view, ADVISER, *table.clock.thinking(seat))
        except (Lost, Unready):
            return None
        except Exception:
            log.exception("The coach of table %s could not evaluate a move.", table.id)
            return None
        meant = next((move for move in decision.weighed if move.actions == actions), None)
        if meant is None:
            return None
        dear = meant.sure and meant.ahead >= MUCH and meant.less >= AGREED
        if not dear and meant.fewer < table.book.search.unit:
            return None
        names = [marked(player) for player in view.names]
        facts = table.book, view.state, seat, (decision.actions, actions), names
        worse = i18n.everywhere(partial(drawback, *facts))
        return Warning(command.decision, move, view.told(actions), decision, meant.less, worse, meant.fewer)
