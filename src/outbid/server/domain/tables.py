"""The tables of a server: made, found, kept in memory as long as they may be wanted, forgotten, deleted.

A table that nobody has asked for lately may be forgotten: it is rebuilt from the database (table.py). What other processes
do to a table comes in here (storage/notifications.py).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from outbid.bots.executor import BotExecutor, InProcess
from outbid.core.language.i18n import _
from outbid.core.rulebook import by_id
from outbid.server.domain import records, setup
from outbid.server.domain.background import LONG, Background
from outbid.server.domain.contests import ladder
from outbid.server.domain.people.chat import spoken
from outbid.server.domain.table import Table
from outbid.server.logging import log
from outbid.server.settings import Refused, Settings
from outbid.server.storage.notifications import Unreachable, bus_of
from outbid.server.stored import Conflict, Stored

if TYPE_CHECKING:
    from outbid.server.storage.store import Store


class Tables:
    """The tables of a server, rebuilt when they are asked for; those that rest may be forgotten."""

    def __init__(self, store: Store, settings: Settings, executor: BotExecutor | None = None):
        self.executor = executor or InProcess()
        self.store = store
        self.settings = settings
        self.bus = bus_of(store.engine)
        self.bus.owns = not store.read_only
        self._live: OrderedDict[str, Table] = OrderedDict()
        self._idle: set[str] = set()
        self._coming: dict[str, asyncio.Future[None]] = {}  # those that are being brought into memory

    async def create(self, order: setup.Order, owner: str | None = None) -> tuple[Table, str]:
        """A new table and the secret token of its maker's seat, who may have a kept name. Raises OutbidError."""
        stored, token = setup.made(order, self.settings.pace, self.settings.nickname, owner)
        book = by_id(stored.game)
        clock = ladder.CLOCK if ladder.usual(book, stored.options, len(stored.seats), stored.hints, stored.day) else ""
        await self.store.aside(self.store.add, stored, clock=clock)
        rated = self.store.rated(stored.id)
        seats = tuple(replace(seat, rated=n in rated) for n, seat in enumerate(stored.seats))
        stored = replace(stored, clock=self.store.clock(stored.id), seats=seats, vacations=self.store.vacations(stored.id))
        log.info("A table was made.", extra={"table": stored.id, "game": stored.game, "players": len(stored.seats)})
        table = self._keep(Table(stored, self.store, self.settings, self.bus, self.executor))
        await table.settled()
        return table, token

    async def follow(self, table: Table, stored: Stored) -> Table:
        """A new table where the people of another go on. Raises Conflict if they do so elsewhere."""
        await self.store.aside(self.store.add, stored, after=table.id)
        log.info("A table was made.", extra={"table": stored.id, "game": stored.game, "players": len(stored.seats)})
        table.house = table.house._replace(next=stored.id)
        table.changed()
        return self._keep(Table(stored, self.store, self.settings, self.bus, self.executor))

    async def take_in(self, stored: Stored) -> str:
        """The finished table of a record, made unless it is there; returns its id."""
        with contextlib.suppress(Conflict):
            await self.store.aside(self.store.add, stored)
            log.info("A record made a table.", extra={"table": stored.id, "game": stored.game, "moves": len(stored.moves)})
        return stored.id

    async def delete(self, name: str) -> None:
        """A table is gone from the database and from here."""
        await self.store.aside(self.store.delete, name)
        self.drop(name)

    def drop(self, name: str) -> None:
        """A table was deleted: nothing of it stays in memory."""
        table = self._live.pop(name, None)
        if table:
            table.vanish()

    def tidy(self) -> None:
        """Finished tables at which nobody looks, and nobody did the last time, are forgotten."""
        idle = {t.id for t in self._live.values() if t.status == "over" and not t.viewers and t.driver.resting}
        for name in idle & self._idle:
            del self._live[name]
        self._idle = idle - self._idle

    def leave(self, name: str, at: float | None) -> None:
        """It was said when a table will be deleted, or taken back."""
        table = self._live.get(name)
        if table:
            table.leaves = at
            table.tell()

    def tell(self) -> None:
        """Wake everybody who looks at any table: a bot has become ready."""
        for table in self.live():
            table.tell()

    def knows(self, name: str) -> bool:
        """A table is in memory."""
        return name in self._live

    def live(self) -> list[Table]:
        """The tables in memory."""
        return list(self._live.values())

    async def record(self, name: str, seat_of: Callable[[Table], int]) -> Callable[[], dict[str, Any]]:
        """What writes the record of a table that is over, also of one played by other rules than this server's. seat_of:
        whose record it is, −1: a spectator's; of one by other rules all get a spectator's. Raises Refused."""
        stored = None if self.knows(name) else await self.store.beside(self.store.load, name)
        if stored and stored.status == "over" and not records.known(stored.game, stored.rules):
            messages = await self.store.beside(spoken, self.store, name)
            return lambda: records.with_talk(records.written(stored), messages)
        table = self.get(name)
        if table.status != "over":
            raise Refused(409, _("The record shows all hands and the deck; it can be had when the match is over."))
        seat = seat_of(table)
        return lambda: records.with_talk(table.playing.record(), table.chat.of_match(), seat)

    def get(self, name: str) -> Table:
        """The table with this id. Raises Refused."""
        table = self._live.get(name)
        if table and self.bus.shared:
            with contextlib.suppress(Unreachable):
                table.catch_up()
        if table and not table.gone:
            self._live.move_to_end(name)
            return table
        stored = self.store.load(name)
        if stored is None:
            raise Refused(404, _("There is no such table here; please check the link."))
        return self._keep(Table(stored, self.store, self.settings, self.bus, self.executor))

    async def ready(self, background: Background, name: str, address: str) -> None:
        """A table that takes long to replay is brought into memory beside the event loop, for an address. Raises Refused."""
        if name in self._live:
            return
        if name in self._coming:
            await asyncio.wait([self._coming[name]])
            return
        self._coming[name] = coming = asyncio.get_running_loop().create_future()
        try:
            stored = None
            with contextlib.suppress(*self.store.failures):  # a request for the table is told
                stored = await self.store.beside(self.store.load, name)
            if stored and len(stored.moves) >= LONG:
                whole = partial(Table, stored, self.store, self.settings, self.bus, self.executor)
                table = await background.run(address, whole)
                if name not in self._live:
                    self._keep(table)
        except Refused as refusal:
            if refusal.status != 409:  # played by other rules: a request for more than the record is told
                raise
        finally:
            del self._coming[name]
            coming.set_result(None)

    def _keep(self, table: Table) -> Table:
        self._live[table.id] = table
        self.executor.prepare(table.book.id, [seat.bot for seat in table.seats if seat.bot])
        table.driver.wake()
        resting = [t for t in self._live.values() if not t.viewers and t.driver.resting and t is not table]
        resting.sort(key=lambda t: t.status != "over")  # those that are over go first, of them who rests longest
        bytes_ = sum(t.bytes for t in self._live.values())
        for old in resting:
            if len(self._live) <= self.settings.live and bytes_ <= self.settings.memory:
                break
            bytes_ -= old.bytes
            old.driver.stop()
            del self._live[old.id]
        return table

    # --- what other processes do (notifications.py) ---

    async def heard(self, table: str, number: int | None) -> None:
        """A table has this number of moves now; none: something else of it has changed."""
        known = self._live.get(table)
        if known and (number is None or known.match is None):
            await self._take_over(known, known.take_all)
        elif known and number is not None and number > known.number:
            await self._take_over(known, known.take_moves, number)

    async def missed(self) -> None:
        """Anything may have changed."""
        for table in self.live():
            await self._take_over(table, table.take_all)

    async def rested(self) -> None:
        """A player has begun or ended a vacation: deadlines have changed."""
        for table in self.live():
            if table.clock.slow:
                await self._take_over(table, table.take_all)

    def hurry(self, table: str) -> None:
        """A person does not want to wait for the bots of a table."""
        if table in self._live:
            self._live[table].hurry()

    async def _take_over(self, table: Table, news: Callable[[], object], number: int | None = None) -> None:
        """A table that cannot follow is forgotten, and rebuilt when it is asked for. number: of its moves then."""
        async with table.lock:
            if number is not None and table.match and number <= table.number:
                return  # it was this process that moved
            try:
                news()
            except Unreachable:
                raise
            except Exception:
                log.exception("Table %s could not follow what another server wrote.", table.id)
                self.drop(table.id)

    async def close(self) -> None:
        """Let all bots rest."""
        for table in self._live.values():
            table.driver.stop()
        await asyncio.gather(*(table.driver.ended() for table in self._live.values()))
        await asyncio.gather(*(table.settled() for table in self._live.values()))
        await self.bus.close()
