"""The watch over all clocks: deadlines fire although nobody looks, and a time without a server costs nobody anything.

Every `BEAT` seconds a server notes in the database that it is there. A server that finds that note too old, because it
starts or because the machine slept, adds the time since then to every deadline that was running; of several processes the
first to find it does, in one transaction. Tables whose deadline is near are brought into memory; their drivers do the rest
(pacing.py), in the process that owns the table. So are tables where bots are to act, or perhaps automatic moves, and that
nobody owns: all of them at the start, and those of another process when two looks, a second apart, find them so.
"""

import asyncio
import contextlib

from outbid.server.domain.tables import Tables
from outbid.server.domain.timing.pacing import AHEAD, ASLEEP
from outbid.server.logging import log
from outbid.server.settings import Refused
from outbid.server.storage.notifications import Unreachable

BEAT = 2.0
ORPHANED = 1.0  # seconds between two looks for tables that nobody moves
SOON = AHEAD + 3 * BEAT  # seconds before its deadline that a table is brought into memory


class Watch:
    """Looks at all clocks of a database as long as a server runs."""

    def __init__(self, tables: Tables):
        self.tables = tables
        self.store = tables.store
        self._refused: set[str] = set()

    async def begin(self) -> None:
        """The server starts: whatever time there was none is added before anybody is answered."""
        await self._look(0.0 if self.store.engine.dialect.name == "sqlite" else ASLEEP / 2)

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            await asyncio.sleep(BEAT)
            await self._look(ASLEEP)

    async def adopt(self) -> None:
        """Bring tables into memory that nobody moves, until cancelled; where there is no other process, once."""
        orphans, alone = set[str](), self.store.engine.dialect.name == "sqlite"
        while True:
            with contextlib.suppress(*self.store.failures):
                acting = {name for name in await self.store.beside(self.store.acting) if not self.tables.knows(name)}
                before, orphans = orphans, acting - await self.store.beside(self.tables.bus.owned, acting)
                for name in orphans if alone else orphans & before:
                    await self._wake(name)
            if alone:
                return
            await asyncio.sleep(ORPHANED)

    async def _look(self, least: float) -> None:
        try:
            if await self.store.aside(self.store.beat, self.store.moments.now(), least):
                await self.tables.missed()
            self.store.seen = now = self.store.moments.now()
            for name in await self.store.beside(self.store.due, now + SOON):
                await self._wake(name)
        except Unreachable:
            pass  # the next look will do
        except Exception:
            log.exception("The clocks could not be looked at.")

    async def _wake(self, name: str) -> None:
        """A table is in memory, and its driver runs."""
        if name in self._refused or self.tables.knows(name):
            return
        try:
            self.tables.get(name)
        except Refused:
            self._refused.add(name)  # played by other rules, or gone
        await asyncio.sleep(0)
