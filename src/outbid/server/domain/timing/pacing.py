"""What moves a table when no person does: its bots at a pace a person can follow, automatic moves, and its clock.

How long a bot takes says nothing: the delay is drawn from the system's randomness before the bot is asked, evenly from a
range that only the pace of the table sets and, at "normal", what was done just before, and by whom: a person who has bid
or passed looks at the auction already, what bots do among themselves is folded into a few moments, and their bids against
each other into one. The thinking happens within that time, off the event loop. A bot has its time (`Settings.thinking`,
and never more than is left of any clock that matters) and exceeds it by a fifth at most: then `STAND_IN` plays the
decision at once, as it does as long as the bot is being prepared, and the move says so (`Move.by`). A bot that passes
does so within PASSING: that tells what all see at once. An automatic move comes after a delay drawn in the same way as a
bot's. Where a person runs out of time, a bot has thought before and moves at the deadline.
"""

import asyncio
import contextlib
import random
import time
from dataclasses import replace
from functools import partial
from typing import Protocol

from outbid.bots import Decision
from outbid.bots.decision import Lost
from outbid.bots.executor import BotExecutor, InProcess, Unready
from outbid.bots.seat import Seat
from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.core.language.names import marked
from outbid.core.match import Match
from outbid.server.domain.automatic_moves import AutomaticMoves
from outbid.server.domain.commands import UNSAID, Act, Why
from outbid.server.domain.timing.clocks import STAND_IN, Running
from outbid.server.logging import log
from outbid.server.parts import Around, PartOfTable
from outbid.server.settings import PACES
from outbid.server.storage.notifications import Bus

SILENT = Decision(())
CLOSE = {"do": "close"}
SLEEP_AFTER_ERROR = 1.0
FOLLOWING = 0.3  # of its delay a bot takes at the pace "normal" when another bot has just moved, or a person bid or passed
PASSING = (0.05, 0.2)  # seconds in which a bot passes, unless the pace is "slow"
OUTBIDDING = 0.1  # the same, when another bot has bid or passed
ELSEWHERE = 1.0  # seconds until asking again whether the process that moves a table is still there
AHEAD = 5.0  # seconds before a deadline that a table is owned and a bot thinks
ASLEEP = 6.0  # seconds after which a server that did not look at its clocks was not there (deadlines.py)

chance = random.SystemRandom()


class AroundDriver(Around, Protocol):
    """What a driver is given of its table. number: grows with every move, also one that is taken back; skipping: bots act at
    once until a person is asked."""

    number: int
    pace: str
    skipping: bool
    clock: Running
    orders: AutomaticMoves
    executor: BotExecutor
    bus: Bus

    @property
    def closes(self) -> float | None:
        """When an auction by outcry is closed."""

    async def act(
        self, number: int, seat: int | None, move: Act | None, why: Why = UNSAID, late: bool = False, by: str = ""
    ) -> None:
        """A bot or the clock (seat none) moves, unless the table has gone on since its `number` moves."""


class Driver(PartOfTable[AroundDriver]):
    """What moves a table when no person does. It runs while the table is playing."""

    def __init__(self, table: AroundDriver):
        super().__init__(table)
        self.resting = True  # nothing to do until a person acts
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """The table has changed: look again."""
        if self._task is None and self.table.status == "playing":
            with contextlib.suppress(RuntimeError):  # no event loop yet: the table is woken again when it is looked at
                loop, self._woken = asyncio.get_running_loop(), asyncio.Event()
                self._task = loop.create_task(self._run(self.table))
        self._woken.set()

    def stop(self) -> None:
        """Rest."""
        if self._task:
            self._task.cancel()

    async def ended(self) -> None:
        """Wait until it rests."""
        if self._task:
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self, table: AroundDriver) -> None:
        """Until the match is over; the table is there as long as its driver runs."""
        try:
            while table.status == "playing":
                self._woken.clear()
                try:
                    await self._step()
                except Exception:
                    log.exception("A bot or the clock of table %s could not move.", self.table.id)
                    await asyncio.sleep(SLEEP_AFTER_ERROR)
        finally:
            self._task, self.resting = None, True
            table.bus.release(table.id)

    async def _step(self) -> None:
        """Do what is next, or wait until something has changed."""
        match = self.table.playing
        bots = [seat for seat in match.asked if self.table.seats[seat].kind == "bot"]
        ordered = [seat for seat in match.asked if self.table.orders.answer(seat) is not None]
        soonest = self.table.clock.soonest
        deadline = time.monotonic() + soonest[0] - self.table.now() if soonest else None
        if self.table.paused:
            deadline = None
        near = deadline is not None and deadline - time.monotonic() <= AHEAD
        if self.table.paused or not (bots or ordered or match.clock or near):
            self.table.bus.release(self.table.id)
            await self._wait(None if deadline is None else deadline - AHEAD, resting=True)
        elif not await self.table.bus.own(self.table.id):
            await self._wait(time.monotonic() + ELSEWHERE)
        elif self._woken.is_set():
            return
        elif match.clock:
            await self._auction(match, bots, ordered)
        elif deadline is not None and (deadline <= time.monotonic() or not (bots or ordered)):
            await self._late(match, deadline)
        else:
            await self._turn(match, chance.choice([*bots, *ordered]), deadline)

    async def _turn(self, match: Match, seat: int, deadline: float | None) -> None:
        """A bot that is asked moves, or the order of a person."""
        number, begun = self.table.number, time.monotonic()
        due = begun + self._delay()
        decision = await self._think(match, seat, until=deadline) if self.table.seats[seat].kind == "bot" else None
        if decision and self.table.pace != "slow" and self._passes(match, seat, decision):
            due = min(due, begun + chance.uniform(*PASSING))
        if deadline is not None and deadline < due:
            await self._wait(deadline)
        elif not await self._wait(due):
            await self._act(number, seat, decision)

    async def _act(self, number: int, seat: int, decision: Decision | None) -> None:
        """A bot has decided; none: the order of a person has."""
        if decision:
            place = self.table.seats[seat]
            by = decision.by or (place.bot or "" if place.away else "")
            await self.table.act(number, seat, decision.actions, (decision.public, decision.private), by=by)
        else:
            await self.table.act(number, seat, None)

    async def _late(self, match: Match, deadline: float) -> None:
        """A bot plays one decision for a person who has no time left."""
        number, (_due, seat) = self.table.number, self.table.clock.soonest or (0, 0)
        decision = await self._think(match, seat, STAND_IN, deadline)
        if await self._wait(deadline):
            return
        if self._asleep():
            await self._wait(time.monotonic() + ELSEWHERE)
            return
        name = marked(self.table.seats[seat].name)
        public = i18n.everywhere(lambda: _("{name} had no time left, so a bot played this decision.", name=name))
        private = i18n.everywhere(partial(_with_reason, name, decision))
        await self.table.act(number, seat, decision.actions, (public, private), late=True, by=decision.by or STAND_IN)

    def _asleep(self) -> bool:
        """This server was not there for a while; the time will be added."""
        seen = self.table.store.seen
        return seen is not None and self.table.now() - seen > ASLEEP

    async def _auction(self, match: Match, bots: list[int], ordered: list[int]) -> None:
        """Anybody may bid until the clock closes: every bot is asked once after each change."""
        number, begun, closes = self.table.number, time.monotonic(), self.table.closes
        end = begun + (closes - self.table.now() if closes else self.table.settings.auction_seconds)
        due = begun + min(self._delay(), chance.uniform(0.3, 0.7) * self.table.settings.auction_seconds)
        thoughts = zip(bots, await asyncio.gather(*(self._think(match, seat, until=end) for seat in bots)), strict=True)
        wishes: list[tuple[int, Decision | None]] = [(seat, None) for seat in ordered]
        wishes += [(seat, decision) for seat, decision in thoughts if decision.actions]
        if wishes and due < end:
            seat, decision = chance.choice(wishes)
            if not await self._wait(due):
                await self._act(number, seat, decision)
        elif not await self._wait(end) and not self._asleep():
            await self.table.act(number, None, CLOSE)

    async def _think(self, match: Match, seat: int, bot: str | None = None, until: float | None = None) -> Decision:
        """What a bot wants to do, before a deadline; nothing if it cannot say anything. Who fails is stood in for."""
        place = self.table.seats[seat]
        bot = bot or place.bot or "random"
        if match.clock and not match.legal(seat):
            return SILENT
        view = Seat.of(match, seat, place.seed)
        try:
            return await self.table.executor.think(view, bot, *self.table.clock.thinking(seat, until))
        except (Lost, Unready) as reason:
            log.info("%s %s plays this decision of table %s.", reason, STAND_IN, self.table.id)
        except Exception:
            log.exception("The bot %s of table %s failed; %s plays this decision.", bot, self.table.id, STAND_IN)
        try:
            return replace(await InProcess().think(view, STAND_IN), by=STAND_IN)
        except Exception:
            log.exception("The bot %s of table %s failed; it plays at random.", STAND_IN, self.table.id)
            return replace(await InProcess().think(view, "random"), by="random")

    def _passes(self, match: Match, seat: int, decision: Decision) -> bool:
        """Whether a bot passes, which nobody need watch. That it does so sooner tells what all see at once."""
        moves = match.rulebook.words.move(match.state, seat, list(decision.actions)) if decision.actions else {}
        return moves.get("do") == "pass"

    def _delay(self) -> float:
        waited, self.table.clock.acting = self.table.clock.acting, False
        if self.table.skipping or waited:
            return 0.0
        return chance.uniform(*PACES[self.table.pace]) * self._part()

    def _part(self) -> float:
        """How much of its delay a bot takes: where another has just moved nothing waits for a person to have seen it, and
        everybody knows that."""
        moves = self.table.playing.moves
        if not moves or moves[-1]["seat"] is None:
            return 1.0
        return part(self.table.pace, moves[-1]["do"], self.table.seats[moves[-1]["seat"]].kind == "bot")

    async def _wait(self, until: float | None, resting: bool = False) -> bool:
        """Wait; true if something changed before. resting: the table may be forgotten meanwhile."""
        left = None if until is None else until - time.monotonic()
        if self._woken.is_set():
            return True
        if left is not None and left <= 0:
            return False
        self.resting = resting
        try:
            async with asyncio.timeout(left):
                await self._woken.wait()
            return True
        except TimeoutError:
            return False
        finally:
            self.resting = False


def part(pace: str, did: str, by_bot: bool) -> float:
    """How much of its delay a bot takes after a move that did this."""
    if pace != "normal":
        return 1.0
    bidding = did in ("bid", "pass")
    if by_bot:
        return OUTBIDDING if bidding else FOLLOWING
    return FOLLOWING if bidding else 1.0


def _with_reason(name: str, decision: Decision) -> str:
    """What is said of a decision that a bot played for a person, when the match is over."""
    reason = i18n.chosen(decision.private)
    return _("{name} had no time left, so a bot played this decision: {reason}", name=name, reason=reason) if reason else ""
