"""Hints at a table: what the bot `strong` advises in a seat, why, and what else might be done, for a person who asks for it.

A hint is thought where bots think, of the seat and nothing else, in the time that a bot has; it is shown to its seat alone,
and dropped if the question has changed meanwhile. That it was taken everybody sees: how many hints a seat has had is written
to the database before the hint is shown. The same question asked again is answered again and counts once. Hint and coach
(coach.py) never contradict each other: whichever comes second in a decision takes the word of the first.

The maker of a table says whether there are hints: on, off or (as usual) where only one person plays, unless the match
counts for the ladder. A match at a table with hints on never counts (ladder.py).
"""

import asyncio
from dataclasses import dataclass, replace
from typing import Protocol

from outbid.bots.decision import Decision, Lost
from outbid.bots.executor import BotExecutor, InProcess, Unready
from outbid.bots.hints import ADVISER, Advice, advised
from outbid.bots.seat import Seat
from outbid.core.errors import BadSetup
from outbid.core.language.i18n import _
from outbid.core.menu import Menu
from outbid.server.domain.timing.clocks import STAND_IN, Running
from outbid.server.logging import log
from outbid.server.parts import Around, PartOfTable
from outbid.server.settings import Refused

MODES = ("", "on", "off", "coach")  # "": where only one person plays; coach: on, and there is one (coach.py)


def mode(text: str) -> str:
    """Whether a table has hints. Raises BadSetup."""
    if text not in MODES:
        raise BadSetup(_("Hints are on or off, with a coach (coach), or left out; not {said}.", said=repr(text[:20])))
    return text


@dataclass(frozen=True)
class HintPanel:
    """What a seat sees: whether it may ask now, that its hint is being thought, or the hint. stand_in: the bot that would
    advise, and for nothing, while `ADVISER` is being prepared."""

    offered: bool = False
    stand_in: str = ""
    thinking: bool = False
    advice: Advice | None = None


@dataclass
class _Asked:
    """A question of a seat: its number and what the seat may do, which a higher bid changes and a sealed one does not; the
    hint."""

    decision: int
    choices: Menu
    task: asyncio.Task[Advice]
    advice: Advice | None = None


class Coaching(Protocol):
    """The coach, as far as hints need to know."""

    def judgement(self, seat: int) -> Decision | None:
        """The judgement from which a warning in this decision came."""


class AroundHints(Around, Protocol):
    """What hints are given of their table."""

    lock: asyncio.Lock
    clock: Running
    executor: BotExecutor

    @property
    def coach(self) -> Coaching:
        """The coach of the table."""


class Hints(PartOfTable[AroundHints]):
    """The hints of one table."""

    def __init__(self, table: AroundHints):
        super().__init__(table)
        self.mode = ""
        self._asked: dict[int, _Asked] = {}

    @property
    def on(self) -> bool:
        """Whether a player may ask for one."""
        people = sum(place.kind == "human" or place.away for place in self.table.seats)
        alone = self.mode == "" and people < 2
        return self.mode in ("on", "coach") or (alone and not self.table.counts())

    @property
    def sentence(self) -> str:
        """What holds at this table."""
        if self.table.counts():
            return _("Hints: none, as the match counts for the ladder.")
        if self.mode == "":
            return _("Hints: only if one person plays against bots alone.")
        return _("Hints: whoever is asked may ask for one; everybody sees that.") if self.on else _("Hints: none.")

    def panel(self, seat: int) -> HintPanel:
        """What a seat sees."""
        if not self.on or seat not in self.table.decisions or self.table.seats[seat].kind != "human":
            return HintPanel()
        asked = self._standing(seat)
        stand_in = "" if self.table.executor.ready(self.table.book.id, ADVISER) else STAND_IN
        return HintPanel(True, stand_in, asked is not None and asked.advice is None, asked.advice if asked else None)

    def _standing(self, seat: int) -> _Asked | None:
        """The question that was asked and has not changed."""
        asked = self._asked.get(seat)
        same = asked and asked.decision == self.table.decisions.get(seat)
        return asked if asked and same and asked.choices == self.table.playing.legal(seat) else None

    def advised(self, seat: int) -> Advice | None:
        """The hint that a seat has been given in this decision."""
        asked = self._asked.get(seat)
        return asked.advice if asked and asked.decision == self.table.decisions.get(seat) else None

    async def take(self, seat: int, decision: int | None = None) -> Advice:
        """A hint for a seat that is asked; decision: the question it is about. Raises Refused."""
        if not self.on:
            raise Refused(403, _("There are no hints at this table."))
        if self.table.seats[seat].away:
            raise Refused(409, _("A bot plays for you just now; take your seat back first."))
        if seat not in self.table.decisions:
            raise Refused(409, _("You are not asked now; a hint is about a question."))
        if decision is not None and decision != self.table.decisions[seat]:
            raise Refused(409, _moved_on())
        asked = self._standing(seat)
        if asked is None or (asked.task.done() and asked.advice is None):
            view = replace(Seat.of(self.table.playing, seat, self.table.seats[seat].seed), counsel=True)
            choices = self.table.playing.legal(seat)
            task = asyncio.create_task(self._think(view, choices))
            asked = self._asked[seat] = _Asked(self.table.decisions[seat], choices, task)
            self.table.tell_seat(seat)
        return await asyncio.shield(asked.task)

    async def _think(self, view: Seat, choices: Menu) -> Advice:
        """A hint, counted. Raises Refused if the question has changed meanwhile."""
        try:
            advice = await self._thought(view)
            async with self.table.lock:
                asked = self._standing(view.seat)
                if asked is None or asked.choices != choices:
                    raise Refused(409, _moved_on())
                if not (choices.forced or advice.stands_in):  # who has no choice has learned nothing
                    await self.table.store.aside(self.table.store.hint, self.table.id, view.seat)
                    place = self.table.seats[view.seat]
                    self.table.seats[view.seat] = replace(place, hints=place.hints + 1)
                asked.advice = advice
        finally:
            self.table.tell()
        return advice

    async def _thought(self, view: Seat) -> Advice:
        """What `ADVISER` would do; who is ready in its place, if it is not or does not answer."""
        executor = self.table.executor
        executor.prepare(view.rulebook.id, [ADVISER])
        try:
            decision = self.table.coach.judgement(view.seat)
            if decision is None:
                decision = await executor.think(view, ADVISER, *self.table.clock.thinking(view.seat))
            return await asyncio.to_thread(advised, view, decision, decision.by or ADVISER)
        except (Lost, Unready) as reason:
            log.info("%s %s gives this hint at table %s.", reason, STAND_IN, self.table.id)
        except Exception:
            log.exception("The bot %s failed to give a hint at table %s.", ADVISER, self.table.id)
        return await asyncio.to_thread(advised, view, await InProcess().think(view, STAND_IN), STAND_IN)


def _moved_on() -> str:
    return _("The table has moved on since you asked for the hint; please ask again.")
