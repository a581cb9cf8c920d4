"""Tells people that it is their turn: looks at the tables of those who asked for it, and sends what is due.

Nothing in a table knows of this, and no move waits for it. Every `Settings.notice_look` seconds one query says which seats
are of people who want to be told, and how many moves their matches have. A match that has as many as at the last look is
not looked at again, unless a person is asked there who was not told yet. Who has the table in sight is never told, nor is
who has had it within the last `Settings.notice_after` seconds: a page in a hidden tab counts from the moment it was hidden,
which it says over its socket (line.js). What goes wrong at one table stops no other. Whatever waits for the same reader,
because they sleep or were told a moment ago, goes into one letter; what has been answered meanwhile is left out.

Letters are sent in threads of their own, those of each kind in a lane of its own: web hooks that hang delay no mail. A lane
takes from the database only as much as it has threads for, so nothing waits for a thread until another process takes it.
A notice names the table and never has a seat link: the seat is in the browser that holds it, or comes with the kept name, so
another reader of a letter can watch and no more.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from email.utils import parseaddr
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from outbid.core.errors import OutbidError
from outbid.core.language import i18n
from outbid.core.language.i18n import _, ngettext
from outbid.core.language.names import marked, plain
from outbid.core.language.phrases import listed
from outbid.server import metrics
from outbid.server.domain.background import Background
from outbid.server.domain.notices.delivery import NOBODY, Hook, Later, Letter, Never, silent
from outbid.server.domain.table import Table
from outbid.server.domain.tables import Tables
from outbid.server.logging import log
from outbid.server.settings import Settings
from outbid.server.storage.notifications import Unreachable
from outbid.server.stored import HOOK, MAIL, PUSH, Browser, Notice, Parcel, Turn, Watched

if TYPE_CHECKING:
    from outbid.server.domain.notices.push import Push

LANES = {MAIL: 4, HOOK: 16, PUSH: 8}  # threads that send, by kind: a hook may take its whole time
NAMED, SHOWN = 20, 5  # tables that one letter names, and one message to a browser
SWEEP = 3600.0  # seconds between two sweeps


@dataclass(frozen=True)
class TurnLine:
    """A table in a letter."""

    id: str
    game: str
    title: str
    seat: int
    name: str
    link: str


class Notifier:
    """Looks at whose turn it is, and sends."""

    def __init__(self, tables: Tables, settings: Settings, background: Background):
        from outbid.server.storage.notices import Notices

        self.tables = tables
        self.settings = settings
        self.background = background
        self.notices = Notices(tables.store)
        self.hook = Hook(settings.hooks == "any", urlsplit(settings.base_url or "").hostname or "")
        self._lanes = {kind: ThreadPoolExecutor(threads, f"sends {kind}") for kind, threads in LANES.items()}
        self._going: dict[str, set[asyncio.Task[None]]] = {kind: set() for kind in LANES}  # what is being sent
        self._still: dict[str, int] = {}  # tables where nobody is told anything until they have more moves than this
        self._asked: dict[tuple[str, int], tuple[int, float]] = {}  # of each seat the turn, and when it was looked at first
        self._swept = 0.0
        self._push: Push | None = None
        self._woken: list[asyncio.Event] = []  # of the look and of each lane

    async def run(self) -> None:
        """Look, and send in each lane, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._repeat(self.look))
            for kind in LANES:
                group.create_task(self._repeat(partial(self.send, kind)))

    async def _repeat(self, work: Callable[[float], Awaitable[None]]) -> None:
        """Do something whenever it is woken, and every `notice_look` seconds."""
        woken = asyncio.Event()
        self._woken.append(woken)
        while True:
            woken.clear()
            try:
                await work(time.time())
            except Unreachable:
                pass  # the next time will do
            except Exception:
                log.exception("Notices could not be sent.")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.settings.notice_look):
                    await woken.wait()

    def wake(self) -> None:
        """There is something to send now."""
        for woken in self._woken:
            woken.set()

    def close(self) -> None:
        """Send nothing more. What is not known to have arrived is sent again by the next server."""
        for threads in self._lanes.values():
            threads.shutdown(wait=False, cancel_futures=True)

    async def push(self) -> Push:
        """What sends to browsers, by the one key that all processes of this database have."""
        if self._push is None:
            from outbid.server.domain.notices.push import Push, new_key

            key = await self.tables.store.aside(self.notices.push_key, new_key())
            mail, base = self.settings.mail, self.settings.base_url or ""
            contact = f"mailto:{parseaddr(mail.sender)[1]}" if mail else base.replace("http:", "https:")
            self._push = Push(self.hook, key, contact)
        return self._push

    # --- whose turn it is ---

    async def look(self, now: float) -> None:
        """Write letters for those who are asked and not there."""
        if abs(now - self._swept) > SWEEP:
            await self.tables.store.aside(self.notices.sweep, now)
            self._swept = now
            if self.settings.pushes:
                await self.push()
        at: dict[str, list[Watched]] = {}
        for watch in await self.tables.store.beside(self.notices.wanted):
            at.setdefault(watch.table, []).append(watch)
        self._still = {table: moves for table, moves in self._still.items() if table in at}
        self._asked = {seat: since for seat, since in self._asked.items() if seat[0] in at}
        for name, watched in at.items():
            if self._still.get(name) == watched[0].moves:
                continue
            try:
                await self._look_at(name, watched, now)
            except Unreachable:
                raise
            except Exception:
                log.exception("Nobody at table %s can be told that it is their turn.", name)

    async def _look_at(self, name: str, watched: Sequence[Watched], now: float) -> None:
        """Write letters for those at one table."""
        table = await self._table(name)
        waits = False
        for watch in watched:
            waits = await self._consider(table, watch, now) or waits
        if waits:
            self._still.pop(name, None)
        else:
            # a move may have been written that the table does not know yet: it is looked at again when it does
            self._still[name] = min(watched[0].moves, table.number) if table and table.match else watched[0].moves

    async def _table(self, name: str) -> Table | None:
        """A table; none: it cannot be played on here."""
        try:
            await self.tables.ready(self.background, name, "")
            return self.tables.get(name)
        except Unreachable:
            raise
        except OutbidError:
            return None

    async def _consider(self, table: Table | None, watch: Watched, now: float) -> bool:
        """Whether the person of a seat is asked and was not told: they are, if nobody has looked for long enough."""
        turn = _turn(table, watch.seat)
        if table is None or turn is None or turn.number <= watch.told:
            return False
        if table.clock.on_vacation(watch.seat):
            return True  # they are told when they are back
        seat, unseen = (table.id, watch.seat), table.votes.unseen(watch.seat)
        number, since = self._asked.get(seat, (-1, now))
        since = min(since, now) if number == turn.number else now
        self._asked[seat] = turn.number, since
        if unseen < self.settings.lately and self.tables.bus.shared:
            await self.tables.store.aside(self.notices.saw, turn, now)
        seen = watch.seen if watch.seen <= now else since  # the clock was set back
        if not unseen or now - max(since, seen, now - unseen) < self.settings.notice_after:
            return True
        if await self.tables.store.aside(self.notices.claim, turn, watch.notices, now, self.settings.notice_gap):
            self.wake()
        return False

    # --- sending ---

    async def send(self, kind: str, now: float) -> None:
        """Take as much as is due of a kind, and as there are free threads for, and begin to send it."""
        free = LANES[kind] - len(self._going[kind])
        for parcel in await self.tables.store.aside(self.notices.take, now, kind, free) if free else ():
            delivery = asyncio.create_task(self._deliver(parcel, now))
            self._going[kind].add(delivery)
            delivery.add_done_callback(partial(self._delivered, kind))

    def _delivered(self, kind: str, delivery: asyncio.Task[None]) -> None:
        """A thread is free again."""
        self._going[kind].discard(delivery)
        error = None if delivery.cancelled() else delivery.exception()
        if error and not isinstance(error, Unreachable):  # then it is taken again after some time
            log.error("A notice could not be noted as sent.", exc_info=error)
        self.wake()

    async def _deliver(self, parcel: Parcel, now: float) -> None:
        notice, store = parcel.notice, self.tables.store
        with i18n.locale(notice.language):
            told = [line for turn in parcel.turns if (line := await self._still_asked(turn))]
        able = {MAIL: self.settings.mail, HOOK: self.settings.hooks, PUSH: self.settings.pushes}[notice.kind]
        if not able or not (told or parcel.special) or (told and not notice.confirmed):
            await store.aside(self.notices.done, parcel)
            return
        try:
            await asyncio.get_running_loop().run_in_executor(self._lanes[notice.kind], await self._sender(notice, told))
        except Never as error:
            log.warning("A notice was refused for ever: %s.", error)
            metrics.NOTICES.labels("refused").inc()
            await store.aside(self.notices.refused, parcel, now)
        except Later as error:
            log.warning("A notice could not be sent: %s.", error)
            await self._failed(parcel, now)
        except Exception:
            log.exception("A notice could not be made.")
            await self._failed(parcel, now)
        else:
            metrics.NOTICES.labels("sent").inc()
            await store.aside(self.notices.done, parcel, now)

    async def _failed(self, parcel: Parcel, now: float) -> None:
        metrics.NOTICES.labels("failed").inc()
        if await self.tables.store.aside(self.notices.again, parcel, now):
            metrics.NOTICES.labels("given up").inc()

    async def _still_asked(self, turn: Turn) -> TurnLine | None:
        """The table of a turn, if it is still the same and the person does not look."""
        table = await self._table(turn.table)
        if table is None or _turn(table, turn.seat) != turn or table.votes.unseen(turn.seat) < self.settings.lately:
            return None
        link = f"{self.settings.base_url}/t/{table.id}"
        return TurnLine(table.id, table.book.id, _title(table, turn.seat), turn.seat, table.seats[turn.seat].name, link)

    async def _sender(self, notice: Notice, told: Sequence[TurnLine]) -> Callable[[], None]:
        """What sends a letter, in a thread."""
        push = await self.push() if notice.kind == PUSH else None
        with i18n.locale(notice.language):
            if push:
                browser = Browser(notice.address, *notice.keys.split())
                return partial(push.send, browser, self._message(told))
            if notice.kind == HOOK:
                payload = self._payload(notice, told)
                return partial(self.hook.send, notice.address, payload, notice.proof("key"))
            assert self.settings.mail
            return partial(self.settings.mail.send, self._letter(notice, told))

    def link(self, notice: Notice, what: str) -> str:
        """The link that confirms a notice, or stops it."""
        return f"{self.settings.base_url}/notices/{what}/{notice.id}/{notice.proof(what)}"

    def _letter(self, notice: Notice, told: Sequence[TurnLine]) -> Letter:
        stop = self.link(notice, "stop")
        if not told and notice.confirmed:
            change = f"{self.settings.base_url}/notices"
            return Letter(notice.address, _(TRIAL), _(TRY, stop=stop, change=change), stop)
        if not told:
            text = _(CONFIRM, here=self.settings.base_url, link=self.link(notice, "confirm"), stop=stop)
            return Letter(notice.address, _("Confirm: messages when it is your turn"), text, stop)
        lines = "\n".join(f"{plain(line.title)}\n{line.link}\n" for line in told[:NAMED])
        if len(told) > NAMED:
            lines += "\n" + ngettext("and {n} more table\n", "and {n} more tables\n", len(told) - NAMED)
        change = f"{self.settings.base_url}/notices"
        text = _(TURN, said=said(told), tables=lines, stop=stop, change=change)
        return Letter(notice.address, said(told), text, stop)

    def _payload(self, notice: Notice, told: Sequence[TurnLine]) -> dict[str, Any]:
        stop = self.link(notice, "stop")
        if not told and notice.confirmed:
            return {"event": "trial", "text": _(TRIAL), "content": _(TRIAL), "allowed_mentions": NOBODY, "stop": stop}
        if not told:
            link = self.link(notice, "confirm")
            text = _(
                "A player at {here} asked for a message here whenever it is their turn. To confirm: {link}",
                here=self.settings.base_url,
                link=link,
            )
            asks = {"event": "confirm", "text": text, "content": text, "allowed_mentions": NOBODY}
            return {**asks, "confirm": link, "stop": stop}
        text = silent("\n".join([said(told), *(f"{plain(line.title)}: {line.link}" for line in told[:NAMED])]))
        tables = [
            {"table": t.id, "game": t.game, "title": plain(t.title), "seat": t.seat, "name": t.name, "link": t.link}
            for t in told
        ]
        return {"event": "turn", "text": text, "content": text, "allowed_mentions": NOBODY, "tables": tables, "stop": stop}

    def _message(self, told: Sequence[TurnLine]) -> dict[str, str]:
        """What a browser shows (worker.js): a message takes the place of an older one with the same tag."""
        link = told[0].link if len(told) == 1 else f"{self.settings.base_url}/{'' if told else 'notices'}"
        text = "\n".join(plain(line.title) for line in told[:SHOWN]) if len(told) > 1 else ""
        return {"title": said(told) if told else _(TRIAL), "text": text, "tag": urlsplit(link).path, "link": link}


TRIAL = i18n.N_("A trial message: this is how you are told that it is your turn")
TRY = i18n.N_(
    "You asked for this message, to see that it arrives.\n\n"
    "-- \nStop the messages: {stop}\nChange the hours or the address: {change}\n"
)
CONFIRM = i18n.N_(
    "You, or somebody who typed your address, asked for an email whenever it is your turn at a table of\n{here}\n\n"
    "To confirm this, open:\n{link}\n\n"
    "If it was not you, ignore this email: you get no others. To delete your address at once, open:\n{stop}\n"
)
TURN = i18n.N_(
    "{said}\n\n{tables}\n"
    "Your seat is in the browser where you took it. In any other browser, sign in with your name first if you keep one.\n\n"
    "-- \nYou asked this server for these messages.\n"
    "Stop them: {stop}\nChange the hours or the address: {change}\n"
)


def said(told: Sequence[TurnLine]) -> str:
    """Whose turn it is, and where, in one line."""
    if len(told) == 1:
        return _("Your turn · {table}", table=plain(told[0].title))
    return ngettext("Your turn at {n} table", "Your turn at {n} tables", len(told))


def _title(table: Table, seat: int) -> str:
    """What a table is called to the person of a seat: by the others who play there."""
    others = [marked(place.name) for n, place in enumerate(table.seats) if n != seat and place.kind == "human"]
    return _("{game} with {name}", game=table.book.called, name=listed(others)) if others else table.book.called


def _turn(table: Table | None, seat: int) -> Turn | None:
    """The turn of a person; none if they are not asked."""
    if table is None or table.gone or table.status != "playing" or table.paused or seat not in table.asked:
        return None
    return Turn(table.id, seat, table.decisions[seat]) if table.seats[seat].kind == "human" else None
