"""The coach of a table: before a move that loses much it names a better one, says why, and asks once.

A move of a person is weighed where bots think, of their seat and nothing else, beside those of which a hint would tell
(hints.py). If it loses much by rollouts, and the net of the reviews agrees, the move is not made: the seat is told, and may
make it again or another. What was asked about is asked no more, so nobody is warned twice in one decision, nor of what a
hint has advised in it. Where the chances to win say little, a move that loses much in points is worth a word, and one that
pays clearly more than it takes, whatever the others have (cheaper, core/hooks/mechanisms.py). Until `strong` is ready, and
where it never is (a site without NumPy), the coach knows the rules alone: it speaks where they speak clearly for the move of
`STAND_IN` (clearly_better, there), and of what is paid for nothing.

    mode "coach" of a table's hints     there is a coach for everybody
    no mode                             where one person plays, at a page, and nothing counts: with an easy bot; with any, in
                                        the first three matches of a game in this browser, whose cookies say which those
                                        were, and that it wants no coach any more (web/screens/table/coached.py)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from outbid.bots.decision import LITTLE_CHANCE, Decision, Lost, WeighedMove
from outbid.bots.executor import BotExecutor, Unready
from outbid.bots.hints import ADVISER
from outbid.bots.seat import Seat
from outbid.core.errors import OutbidError
from outbid.core.hooks.contrast import Contrast, in_points
from outbid.core.hooks.mechanisms import cheaper, clearly_better, reason, telling
from outbid.core.hooks.policy_params import EASY
from outbid.core.language import i18n
from outbid.core.language.i18n import N_, _
from outbid.core.language.names import marked
from outbid.server.domain.timing.clocks import STAND_IN, Running
from outbid.server.logging import log
from outbid.server.parts import Around, PartOfTable

if TYPE_CHECKING:
    from outbid.server.domain.advice.hints import Hints
    from outbid.server.domain.commands import Command

MODE = "coach"
MUCH = 0.1  # of the victory: what a move loses that is worth a word …
AGREED = LITTLE_CHANCE  # … if the second judge finds more than nothing
TOLD = 0.05  # of the victory: what both find, as a figure; less would not say why anybody speaks


@dataclass(frozen=True)
class CoachPanel:
    """What a seat sees: whether there is a coach, whether it is heard, and whether it goes by more than the rules; what
    it says before a move, that move as JSON, and what it speaks of, as CSS selectors."""

    there: bool = False
    heard: bool = False
    ready: bool = True
    said: str = ""
    move: str = ""
    light: tuple[str, ...] = ()


@dataclass(frozen=True)
class Warning:
    """What a seat was told: the question, its move, the decision that was better; the words, by language, and what they
    speak of."""

    decision: int
    move: dict[str, Any]
    better: Decision
    words: Mapping[str, str]
    light: tuple[str, ...]

    @property
    def said(self) -> str:
        """In the language of the moment."""
        return i18n.chosen(self.words)

    @classmethod
    def of(
        cls, view: Seat, command: Command, move: dict[str, Any], better: Decision, loss: float = 0.0, fewer: int = 0
    ) -> Warning:
        """What is told of a move that loses so much, as far as anybody has played it on; fewer: in points, where the chances
        to win say little."""
        words = i18n.everywhere(partial(_words, view, better, view.told(better.actions), loss, fewer))
        told = telling(view.rulebook, view.state, view.seat, (better.actions, view.meant), better.contrast is not None)
        light = dict.fromkeys(thing for each in told for thing in each.things(view.rulebook))
        return cls(command.decision, move, better, words, tuple(light))


def _words(view: Seat, better: Decision, told: Mapping[str, str], loss: float, fewer: int) -> str:
    contrast = better.contrast and better.contrast.beside(view.rulebook, loss)
    moves, names = (better.actions, view.meant), [marked(name) for name in view.names]
    yours = N_("With your move: {fact}")
    why = reason(view.rulebook, view.state, view.seat, moves, names, view.seat, contrast, otherwise=yours)
    cost = _("Your move has {points} % less chance to win.", points=round(100 * loss)) if loss >= TOLD else ""
    if fewer:
        cost = _("The best move brings {points} more at the end.", points=in_points(view.rulebook, fewer))
    return " ".join(filter(None, (_("Better: {move}", move=i18n.chosen(told)), *why, cost)))


def objectionable(view: Seat, decision: Decision) -> WeighedMove | None:
    """The move that a seat means, if it loses so much by what `ADVISER` weighed that it is worth a word."""
    meant = next((move for move in decision.weighed if move.actions == view.meant), None)
    if meant is None:
        return None
    dear = meant.sure and meant.ahead >= MUCH and meant.less >= AGREED
    return meant if dear or meant.fewer >= view.rulebook.search.unit else None


def ruled_out(view: Seat, decision: Decision) -> bool:
    """Whether the rules alone speak clearly for the decision of `STAND_IN` and against the move that a seat means."""
    moves = decision.actions, view.meant
    return all(moves) and moves[0] != moves[1] and clearly_better(view.rulebook, view.state, view.seat, *moves)


def saving(view: Seat) -> Decision | None:
    """What surely brings the same as the move that a seat means, for clearly less."""
    actions = cheaper(view.rulebook, view.state, view.seat, view.meant)
    return Decision(actions, contrast=Contrast(view.seat, 0, ()), other=view.meant) if actions else None


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
        self.people: set[int] = set()  # seats whose page a browser has opened; programs are not spoken to
        self.newcomers: set[int] = set()  # seats of browsers that play their first matches of the game
        self._warned: dict[int, Warning] = {}
        self._asked: dict[int, int] = {}  # by seat: the question in which it was warned

    @property
    def usual(self) -> bool:
        """One person plays, nothing counts, and nothing else was said about hints."""
        hints = self.table.hints
        return hints.on and hints.mode == "" and not self.table.day

    def there(self, seat: int) -> bool:
        """Whether a seat has one."""
        easy = any(place.bot and place.bot.partition(":")[0] == EASY for place in self.table.seats)
        return self.table.hints.mode == MODE or (self.usual and ((easy and seat in self.people) or seat in self.newcomers))

    def by_rules(self, seat: int) -> bool:
        """Whether a seat's coach speaks before `strong` is ready: not to programs, nor to who knows the game."""
        return seat in self.newcomers or self.table.hints.mode == MODE

    def panel(self, seat: int) -> CoachPanel:
        """What a seat sees now."""
        if seat < 0 or not self.there(seat):
            return CoachPanel()
        heard = seat not in self.muted
        ready = not self.by_rules(seat) or self.table.executor.ready(self.table.book.id, ADVISER)
        warned = self.standing(seat)
        if warned is None:
            return CoachPanel(True, heard, ready)
        return CoachPanel(True, heard, ready, warned.said, json.dumps(warned.move), warned.light)

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
        if not self.there(seat) or seat in self.muted or number is None or command.decision != number:
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
        view = replace(Seat.of(table.playing, seat, table.seats[seat].seed), meant=actions, counsel=True)
        try:
            return await self._compared(view, command, move)
        except (Lost, Unready):
            return None
        except Exception:
            log.exception("The coach of table %s could not evaluate a move.", table.id)
            return None

    async def _compared(self, view: Seat, command: Command, move: dict[str, Any]) -> Warning | None:
        """What there is to tell of a move that a seat means. Raises whatever the bots raise."""
        executor, time = self.table.executor, self.table.clock.thinking(view.seat)
        executor.prepare(view.rulebook.id, [ADVISER])
        adviser = ADVISER if executor.ready(view.rulebook.id, ADVISER) else STAND_IN
        decision = await executor.think(view, adviser, *time)
        adviser = decision.by or adviser
        by = "" if adviser == ADVISER else adviser
        if by and not self.by_rules(view.seat):
            return None
        meant = None if by else objectionable(view, decision)
        better = decision if meant or (by and ruled_out(view, decision)) else saving(view)
        lost = (meant.less, meant.fewer) if meant else ()
        return Warning.of(view, command, move, replace(better, by=by), *lost) if better else None
