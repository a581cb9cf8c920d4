"""The bots of a table at a pace a person can follow, and the clock of a realtime auction.

How long a bot takes says nothing: the delay is drawn from the system's randomness before the bot is asked, evenly from
a range that only the pace of the table sets, and the thinking happens within it, off the event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import time
from typing import TYPE_CHECKING

from outbid.bots import Decision, choose
from outbid.engine.match import Match
from outbid.server.settings import PACES

if TYPE_CHECKING:
    from outbid.server.tables import Table

SILENT = Decision(())
CLOSE = {"do": "close"}
SLEEP_AFTER_ERROR = 1.0
ELSEWHERE = 1.0  # seconds until asking again whether the process that moves a table is still there

log = logging.getLogger("outbid")
chance = random.SystemRandom()


class Driver:
    """What moves a table when no person does. It runs while the table is playing."""

    def __init__(self, table: Table):
        self.table = table
        self.resting = True  # nothing to do until somebody acts
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """The table has changed: look again."""
        self._woken.set()
        if self._task is None and self.table.status == "playing":
            with contextlib.suppress(RuntimeError):  # no event loop yet: the table is woken again when somebody looks
                self._task = asyncio.get_running_loop().create_task(self._run())

    def stop(self) -> None:
        """Rest."""
        if self._task:
            self._task.cancel()

    async def ended(self) -> None:
        """Wait until it rests."""
        if self._task:
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        try:
            while self.table.status == "playing":
                self._woken.clear()
                try:
                    await self._step()
                except Exception:
                    log.exception("A bot or the clock of table %s could not move.", self.table.id)
                    await asyncio.sleep(SLEEP_AFTER_ERROR)
        finally:
            self._task, self.resting = None, True
            self.table.bus.release(self.table.id)

    async def _step(self) -> None:
        """Do what is next, or wait until something has changed."""
        match = self.table.playing
        bots = [seat for seat in match.asked if self.table.seats[seat].kind == "bot"]
        if self.table.paused or not (bots or match.clock):
            self.table.bus.release(self.table.id)
            await self._wait(None)
        elif not await self.table.bus.own(self.table.id):
            await self._wait(time.monotonic() + ELSEWHERE)
        elif self._woken.is_set():
            return
        elif match.clock:
            await self._auction(match, bots)
        else:
            await self._turn(match, chance.choice(bots))

    async def _turn(self, match: Match, seat: int) -> None:
        """A bot that is asked moves."""
        number, due = len(match.moves), time.monotonic() + self._delay()
        decision = await self._think(match, seat)
        if not await self._wait(due):
            await self.table.act(number, seat, decision.actions, (decision.public, decision.private))

    async def _auction(self, match: Match, bots: list[int]) -> None:
        """Anybody may bid until the clock closes: every bot is asked once after each change."""
        number, begun, closes = len(match.moves), time.monotonic(), self.table.closes
        end = begun + (closes - time.time() if closes else self.table.settings.auction_seconds)
        due = begun + min(self._delay(), chance.uniform(0.3, 0.7) * self.table.settings.auction_seconds)
        wishes = [(seat, await self._think(match, seat)) for seat in bots]
        wishes = [(seat, decision) for seat, decision in wishes if decision.actions]
        if wishes and due < end:
            seat, decision = chance.choice(wishes)
            if not await self._wait(due):
                await self.table.act(number, seat, decision.actions, (decision.public, decision.private))
        elif not await self._wait(end):
            await self.table.act(number, None, CLOSE)

    async def _think(self, match: Match, seat: int) -> Decision:
        """What a bot wants to do; nothing if the table went on meanwhile. A bot that fails plays at random."""
        place = self.table.seats[seat]
        if match.clock and not match.legal(seat):
            return SILENT
        try:
            return await asyncio.to_thread(choose, match, seat, place.bot or "random", place.seed)
        except Exception:
            log.exception("The bot %s of table %s failed; it plays at random.", place.bot, self.table.id)
            return await asyncio.to_thread(choose, match, seat, "random", place.seed)

    def _delay(self) -> float:
        if self.table.skipping:
            return 0.0
        return chance.uniform(*PACES[self.table.pace])

    async def _wait(self, until: float | None) -> bool:
        """Wait; true if something changed before."""
        left = None if until is None else until - time.monotonic()
        if self._woken.is_set():
            return True
        if left is not None and left <= 0:
            return False
        self.resting = until is None
        try:
            async with asyncio.timeout(left):
                await self._woken.wait()
            return True
        except TimeoutError:
            return False
        finally:
            self.resting = False
