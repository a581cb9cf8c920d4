"""How a process obeys its operator: whom it lets in, what its pages say, whether matches begin (storage/desk.py has it).

Every `Settings.obey` seconds a process looks whether an act was added, by the command line or by the page of a process. Then
it takes the orders over, closes what is open of those who are shut out, reads the tables again that were changed, and
logs the act, never whom it was about. While the database does not answer, the orders stay as they are.
"""

import asyncio
import ipaddress
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from outbid.core.language.i18n import _
from outbid.core.language.names import alike
from outbid.server import metrics
from outbid.server.domain.people.names import BARRED, Names
from outbid.server.domain.tables import Tables
from outbid.server.logging import log
from outbid.server.rate_limits import Limits
from outbid.server.settings import Refused
from outbid.server.storage.desk import ADDRESS, DRAIN, NAME, SAY, DeskStore


class Desk:
    """The orders that this process obeys. say: what is shown on all pages; drain: no table is made and no match begins."""

    def __init__(self, tables: Tables, names: Names, limits: Limits):
        self.tables = tables
        self.names = names
        self.limits = limits
        limits.bars, names.bars = self.bars, self.bars_name
        self.store = DeskStore(tables.store)
        self.say = ""
        self.drain = False
        self._orders: Sequence[Any] = ()
        self._mark: tuple[int, int] | None = None
        self._looking = asyncio.Lock()
        self._networks: list[ipaddress.IPv4Network | ipaddress.IPv6Network] = []
        self._names: list[str] = []

    # --- what holds ---

    def bars(self, address: str) -> bool:
        """Whether an address is shut out."""
        if not self._networks:
            return False
        with suppress(ValueError):
            caller = ipaddress.ip_address(address)
            return any(network.version == caller.version and caller in network for network in self._networks)
        return False

    def bars_name(self, name: str) -> bool:
        """Whether a name is shut out, or looks like one that is."""
        return bool(self._names) and alike(name, self._names) is not None

    def check(self, address: str) -> None:
        """Whether an address may come in. Raises Refused."""
        if self.bars(address):
            raise Refused(403, _(BARRED))

    def check_begins(self) -> None:
        """Whether tables are made and matches begin. Raises Refused."""
        if self.drain:
            raise Refused(503, _("This server will stop soon: no match begins any more, and those that are played go on."))

    # --- what is new ---

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            await asyncio.sleep(self.limits.settings.obey)
            await self.look()

    async def look(self) -> None:
        """Obey what is new, and let those in whose time is over."""
        try:
            async with self._looking:
                await self._take_over()
            self._obey(time.time())
            self.limits.callers.forget(time.time())
        except Refused:
            pass  # the next look will do
        except Exception:
            log.exception("The orders of the operator could not be read.")

    async def _take_over(self) -> None:
        beside = self.tables.store.beside
        mark = await beside(self.store.mark)
        if mark == self._mark:
            return
        self._orders = await beside(self.store.orders)
        lines = await beside(self.store.lines, mark[0] - self._mark[0]) if self._mark else []
        self._mark = mark
        self._obey(time.time())
        for line in reversed(lines):
            log.info("The operator: %s (%s, line %d of the audit).", line.act, line.who, line.id)
            for table in line.about:
                await self.tables.heard(table, None)
        self._close()

    def _obey(self, now: float) -> None:
        """Take over what holds at a moment."""
        running = [order for order in self._orders if order.until is None or order.until > now]
        self._networks = [ipaddress.ip_network(order.subject) for order in running if order.kind == ADDRESS]
        self._names = [order.subject for order in running if order.kind == NAME]
        self.drain = any(order.kind == DRAIN for order in running)
        metrics.DRAINING.set(self.drain)
        before, self.say = self.say, next((order.subject for order in running if order.kind == SAY), "")
        if before != self.say:
            self.tables.tell()

    def _close(self) -> None:
        """Close what is open of those who are shut out."""
        self.limits.shut()
        for table in self.tables.live() if self._networks or self._names else ():
            for viewer in list(table.viewers):
                names = [table.seats[viewer.seat].name] if viewer.seat >= 0 else []
                kept = self.names.of(viewer.device) if self._names and viewer.device else None
                if self.bars(viewer.address) or any(map(self.bars_name, [*names, *([kept.name] if kept else [])])):
                    viewer.dismiss(_(BARRED))
