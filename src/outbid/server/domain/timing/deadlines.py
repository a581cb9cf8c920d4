"""The watch over all clocks: deadlines fire although nobody looks, and a time without a server costs nobody anything.

Every `BEAT` seconds a server notes in the database that it is there. Whoever finds that note too old, because it starts or
because the machine slept, adds the time since then to every deadline that was running; of several processes the first to
find it does, in one transaction. Tables whose deadline is near, or which have standing orders, are brought into memory;
their drivers do the rest (pacing.py), in the process that owns the table.

With store.py and people.py this is all that knows SQL.
"""

from __future__ import annotations

import asyncio
import logging

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from outbid.server.domain.table import Tables
from outbid.server.domain.timing.pacing import AHEAD, ASLEEP
from outbid.server.settings import Refused
from outbid.server.storage.notifications import Unreachable
from outbid.server.storage.store import SERVERS, Store, clocks, pulse, standing, tables

BEAT = 2.0
SOON = AHEAD + 3 * BEAT  # seconds before its deadline that a table is brought into memory

log = logging.getLogger("outbid")


def beat(store: Store, now: float, least: float) -> bool:
    """A server is there. True if none was for more than `least` seconds and deadlines were put off."""
    try:
        return store.write(lambda db: _beat(db, store, now, least))
    except IntegrityError:
        return False  # another server was the first, at the same moment


def _beat(db: sa.Connection, store: Store, now: float, least: float) -> bool:
    last = db.scalar(sa.select(pulse.c.at).where(pulse.c.id == SERVERS).with_for_update())
    if last is not None and last > now:  # the clock on the wall was set back, or another server's is ahead
        store.moments.reach(last)
        now = last
    if last is None:
        db.execute(sa.insert(pulse), {"id": SERVERS, "at": now})
    elif not db.scalar(sa.select(sa.exists().where(clocks.c.due.is_not(None)))):
        return False  # nothing runs: it need not be noted
    else:
        db.execute(sa.update(pulse).where(pulse.c.id == SERVERS).values(at=now))
    return last is not None and now - last > least and _put_off(db, last, now, least)


def _put_off(db: sa.Connection, last: float, now: float, least: float) -> bool:
    """Add the time since a server was there to the deadlines that were running; true if there were any."""
    away = now - sa.case((clocks.c.since > last, clocks.c.since), else_=last)
    running = clocks.c.due.is_not(None) & (away > least)
    found = list(db.scalars(sa.select(clocks.c.table_id).where(running).distinct()))
    if found:
        db.execute(sa.update(clocks).where(running).values(due=clocks.c.due + away, since=now))
        db.execute(sa.update(tables).where(tables.c.id.in_(found)).values(id=tables.c.id))  # tells the other processes
    return bool(found)


def due(store: Store, before: float) -> list[str]:
    """The tables in play with a deadline before that moment."""
    with store.engine.connect() as db:
        found = sa.select(clocks.c.table_id).join(tables, tables.c.id == clocks.c.table_id).where(clocks.c.due < before)
        return list(db.scalars(found.where(tables.c.status == "playing", ~tables.c.paused).distinct()))


def ordered(store: Store) -> list[str]:
    """The tables in play with standing orders."""
    with store.engine.connect() as db:
        found = sa.select(standing.c.table_id).join(tables, tables.c.id == standing.c.table_id)
        return list(db.scalars(found.where(tables.c.status == "playing").distinct()))


class Watch:
    """Looks at all clocks of a database as long as a server runs."""

    def __init__(self, tables: Tables):
        self.tables = tables
        self.store = tables.store
        self._refused: set[str] = set()

    async def begin(self) -> None:
        """The server starts: whatever time there was none is added before anybody is answered."""
        await self._look(0.0 if self.store.engine.dialect.name == "sqlite" else ASLEEP / 2, starts=True)

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            await asyncio.sleep(BEAT)
            await self._look(ASLEEP)

    async def _look(self, least: float, starts: bool = False) -> None:
        try:
            if await self.store.aside(beat, self.store, self.store.moments.now(), least):
                await self.tables.missed()
            self.store.seen = now = self.store.moments.now()
            soon = await self.store.beside(due, self.store, now + SOON)
            for name in soon + (await self.store.beside(ordered, self.store) if starts else []):
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
