"""How long finished tables are kept.
if TYPE_CHECKING:
    from outbid.server.storage.store import Store


With `keep_days` = N a table is deleted N days after its last move, never without a warning: N/10 days before, its page and
the log name the day; also when N is set later, or the server was away for long. The day is stored with the table and taken
back if N grows. Without `keep_days` nothing is ever deleted.

Tables that were deleted elsewhere (`outbid admin delete`) are noticed, too.
"""

import asyncio
import time
from datetime import UTC, datetime

from outbid.server.domain.tables import Tables
from outbid.server.logging import log
from outbid.server.settings import Settings

DAY = 24 * 3600.0
TIDY = 5  # times between two looks tables that are over and not looked at are forgotten


def day(at: float) -> str:
    """A day as the page and the log name it."""
    return datetime.fromtimestamp(at, UTC).date().isoformat()


def due(ended: float, leaves: float | None, now: float, keep_days: float | None) -> float | None:
    """When a table that ended then is deleted, if it is time to say so; `leaves` is what was said before."""
    if keep_days is None:
        return None
    end, warn = ended + keep_days * DAY, keep_days / 10 * DAY
    if now < end - warn:
        return None
    return max(end, now + warn if leaves is None else leaves)


class Retention:
    """Looks at the tables of a server now and then."""

    def __init__(self, tables: Tables, settings: Settings):
        self.tables = tables
        self.store = tables.store
        self.settings = settings

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            try:
                await self.look(time.time())
            except Exception:
                log.exception("The finished tables could not be looked through.")
            for part in range(TIDY):
                if part:  # the look itself does it, too
                    self.tables.tidy()
                await asyncio.sleep(self.settings.sweep / TIDY)

    async def look(self, now: float) -> None:
        """Warn of tables that leave, delete those whose time has come, forget those that are not there or not looked at."""
        self.tables.tidy()
        for name in await self.store.beside(self.store.missing, [table.id for table in self.tables.live()]):
            self.tables.drop(name)
        for name, ended, leaves in await self.store.beside(self.store.ended, leaving=self.settings.keep_days is None):
            wanted = due(ended, leaves, now, self.settings.keep_days)
            if wanted is not None and leaves is not None and wanted <= now:
                await self.tables.delete(name)
                log.info("A table was deleted: its time had come.", extra={"table": name})
            elif wanted != leaves:
                await self.store.aside(self.store.leave, name, wanted)
                self.tables.leave(name, wanted)
                if wanted is not None:
                    facts = {"table": name, "day": day(wanted)}
                    log.warning("Table %s will be deleted on %s.", name, facts["day"], extra=facts)
