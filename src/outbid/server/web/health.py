"""Whether the server is well: how late its event loop is, and whether its database can be written to and read.

`/livez` says only that the process lives; `/healthz` that it does what it is there for. A watchdog looks every `EVERY`
seconds how late the loop comes back: that is in /metrics, and in the log above `LATE`. A database is well if a byte can be
written to it and read again within `PATIENCE` seconds, and if SQLite found nothing wrong with its file when it was looked
through last.
"""

import asyncio
import time
from collections import deque

from outbid.server import metrics
from outbid.server.logging import log
from outbid.server.storage.notifications import Unreachable
from outbid.server.storage.opening import way_back
from outbid.server.storage.store import Store

EVERY = 0.25  # seconds
LATE, ILL = 0.25, 2.0  # seconds of lag: it is logged; the server is not well
SPAN = 40  # looks that are remembered: 10 seconds
SAID = 10.0  # seconds until a late loop is logged again
PATIENCE = 2.0
FRESH = 1.0  # seconds for which an answer holds
LOOK_THROUGH = 3600.0  # seconds between two looks through the file
DAMAGED = "The database is damaged: `outbid admin validate` says where, `outbid admin restore` brings a backup back."


class Health:
    """How a server is."""

    def __init__(self, store: Store):
        self.store = store
        self.damage = ""
        self._lags: deque[float] = deque([0.0], SPAN)
        self._said = 0.0
        self._asked = -FRESH
        self._answer: asyncio.Task[str] | None = None
        self._breath: asyncio.Task[None] | None = None  # one at a time, however long it takes

    @property
    def lag(self) -> float:
        """The most by which the loop was late in the last seconds."""
        return max(self._lags)

    async def watch(self) -> None:
        """Measure the lag until cancelled."""
        while True:
            begun = time.monotonic()
            await asyncio.sleep(EVERY)
            late = max(0.0, time.monotonic() - begun - EVERY)
            self._lags.append(late)
            metrics.LAG.set(self.lag)
            if late > LATE and begun - self._said > SAID:
                self._said = begun
                log.warning("The event loop was late by %.2f s.", late)
            if self.store.malformed and not self.damage:
                await self.look()

    async def look_through(self) -> None:
        """Look through the database now and then until cancelled."""
        while True:
            await asyncio.sleep(LOOK_THROUGH)
            await self.look()

    async def look(self) -> None:
        """Look through the database."""
        damage = await self.store.beside(self.store.damage) or self.store.malformed
        if damage and damage != self.damage:
            log.error("The database is damaged: %s. %s", damage, way_back(self.store.engine))
        self.damage = damage

    async def said(self) -> str:
        """ "ok", or what is wrong."""
        now = time.monotonic()
        if self._answer is None or (self._answer.done() and now - self._asked > FRESH):
            self._asked, self._answer = now, asyncio.create_task(self._look())
        return await asyncio.shield(self._answer)

    async def _look(self) -> str:
        if self.lag > ILL:
            return f"The server is late by {self.lag:.1f} s."
        if self.damage:
            return DAMAGED
        name = "PostgreSQL" if self.store.engine.dialect.name == "postgresql" else "The database"
        try:
            if self._breath is None or self._breath.done():
                self._breath = asyncio.create_task(self.store.aside(self.store.breathe))
            async with asyncio.timeout(PATIENCE):
                await asyncio.shield(self._breath)
        except TimeoutError:
            return f"{name} has not written a byte within {PATIENCE:.0f} s."
        except Unreachable:
            return "PostgreSQL does not answer."
        except Exception as error:
            log.warning("The database is not well: %s", type(error).__name__)
            if self.store.malformed:
                return DAMAGED
            return f"{name} can only be read." if self.store.read_only else f"{name} cannot be written to, or not be read."
        return "ok"
