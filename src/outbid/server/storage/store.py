"""The database: tables, their seats and every move. The only module that knows SQL.

A match is its deal and its moves, so nothing else is stored of it. `append` returns when the move is on disk (SQLite:
WAL, synchronous=FULL); only then may it be shown to anybody.

Whatever writes goes through the one writer (writer.py) and returns after the commit. An event loop does not wait for a disk:
it says `await store.appended(…)` for moves and `await store.aside(store.sit, …)` for everything else.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import json
import logging
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError

from outbid.core.errors import OutbidError
from outbid.core.language import i18n
from outbid.server.domain.timing.clocks import Time
from outbid.server.domain.timing.moments import Moments
from outbid.server.domain.votes import GO_ON, PAUSE, PAUSED
from outbid.server.settings import Refused
from outbid.server.storage import migrations
from outbid.server.storage.writer import Write, Writer

_, ngettext = i18n.words("outbid")

log = logging.getLogger("outbid")

P = ParamSpec("P")
T = TypeVar("T")

SERVERS, BREATH = 1, 2  # rows of `pulse`

LANES = 4  # writers of a PostgreSQL; SQLite has one
WAITERS = 32  # threads that wait for the writer, besides the moves, which need none
READERS = 4  # threads that read what takes long, and never wait for the writer

metadata = sa.MetaData()

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("rules", sa.String(80), nullable=False),  # "kuhhandel/1": which rules the moves were played by
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("deal", sa.JSON, nullable=False),  # secret until the match is over
    sa.Column("status", sa.String(8), nullable=False),  # open, playing, over
    sa.Column("pace", sa.String(8), nullable=False),
    sa.Column("paused", sa.Boolean, nullable=False),
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("leaves", sa.Float),  # when it will be deleted, if somebody was warned (retention.py)
    sa.Column("host", sa.Integer, nullable=False, server_default="0"),  # the seat of whoever decides
    sa.Column("listed", sa.Boolean, nullable=False, server_default=sa.false()),  # on the front page while seats are open
    sa.Column("starts", sa.String(8), nullable=False, server_default="full"),  # full: by itself; host: by the host's button
    sa.Column("chat", sa.Boolean, nullable=False, server_default=sa.true()),  # the host has not switched it off
    sa.Column("next", sa.String(32)),  # where the same people play again
    sa.Column("clock", sa.String(16), nullable=False, server_default=""),  # as clocks.py writes it
    sa.Column("hints", sa.String(8), nullable=False, server_default=""),  # on, off, or as usual (hints.py)
    sa.Column("day", sa.String(10)),  # it is the deal of this day: "2026-11-26" (daily.py)
    sa.Column("study", sa.Boolean, nullable=False, server_default=sa.false()),  # the laboratory may read the match
)

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(8), nullable=False),  # human, bot, open
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("bot", sa.String(64)),
    sa.Column("seed", sa.BigInteger, nullable=False),  # the bot's random stream; secret
    sa.Column("token", sa.String(64)),  # SHA-256 of the seat's token, in hexadecimal
    sa.Column("owner", sa.String(500)),  # the kept name of whoever sits there (names.py)
    sa.Column("hints", sa.Integer, nullable=False, server_default="0"),  # taken so far
    sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()),  # stood on the ladder when the match began
    sa.Index("seats_of_owner", "owner"),
)

moves = sa.Table(
    "moves",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer),  # none: the clock
    sa.Column("move", sa.JSON, nullable=False),  # as in a record, with `by` but without the seat
    sa.Column("command", sa.String(64)),
    sa.Column("public", sa.Text),  # a bot's reason, for everybody
    sa.Column("private", sa.Text),  # and for after the match
    sa.Column("at", sa.Float, nullable=False),
    sa.UniqueConstraint("table_id", "seat", "command"),
)

names = sa.Table(
    "names",
    metadata,
    sa.Column("key", sa.String(500), primary_key=True),  # the name as it was compared when it was first kept
    sa.Column("form", sa.String(500), nullable=False, index=True, server_default=""),  # what it looks like (names.py)
    sa.Column("small", sa.String(500), nullable=False, index=True, server_default=""),  # … in small letters
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("password", sa.String(200), nullable=False),  # Argon2id
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("ladder", sa.Boolean, nullable=False, server_default=sa.false()),  # whoever keeps it wants to be rated
)

devices = sa.Table(
    "devices",
    metadata,
    sa.Column("token", sa.String(64), primary_key=True),  # SHA-256 of the secret of a browser that is signed in
    sa.Column("key", sa.String(500), sa.ForeignKey("names.key"), nullable=False),
    sa.Column("made", sa.Float, nullable=False),
)

held = sa.Table(
    "held",
    metadata,
    sa.Column("browser", sa.String(64), primary_key=True),  # SHA-256 of the secret of a browser
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("token", sa.String(64), nullable=False),  # SHA-256 of the token of its seat there
    sa.Column("sealed", sa.String(128), nullable=False),  # the token itself, which only the browser's secret opens
    sa.Column("at", sa.Float, nullable=False),
    sa.Index("held_of_table", "table_id"),
)

wishes = sa.Table(
    "wishes",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("what", sa.String(16), primary_key=True),  # what is to be agreed on (votes.py)
    sa.Column("seat", sa.Integer, primary_key=True),  # who agrees
)

chat = sa.Table(
    "chat",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), nullable=False),
    sa.Column("room", sa.String(8), nullable=False),
    sa.Column("who", sa.String(32), nullable=False),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Index("chat_of_table", "table_id", "id"),
)


clocks = sa.Table(
    "clocks",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),  # -1: an auction by outcry
    sa.Column("rest", sa.Float, nullable=False),  # seconds, while it does not run
    sa.Column("due", sa.Float),  # when it is up, while it runs
    sa.Column("since", sa.Float, nullable=False),
    sa.Column("missed", sa.Integer, nullable=False),
    sa.Column("votes", sa.Integer, nullable=False),  # bit mask: who agrees that a bot takes the seat
    sa.Index("clocks_due", "due"),
)

pulse = sa.Table(
    "pulse",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),  # SERVERS: when one was there (deadlines.py); BREATH: when one was well
    sa.Column("at", sa.Float, nullable=False),
)

standing = sa.Table(
    "standing",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("about", sa.String(64), primary_key=True),
    sa.Column("wants", sa.JSON, nullable=False),  # secret: an order of this seat (automatic_moves.py)
)

reviews = sa.Table(
    "reviews",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("format", sa.String(32), nullable=False),  # one of an older format is made again
    sa.Column("review", sa.JSON, nullable=False),  # review/review.py
    sa.Column("at", sa.Float, nullable=False),
)

ratings = sa.Table(
    "ratings",
    metadata,
    sa.Column("kind", sa.String(8), primary_key=True),  # human or bot (ladder.py)
    sa.Column("player", sa.String(500), primary_key=True),  # a kept name as it is compared, or a bot's name
    sa.Column("game", sa.String(64), primary_key=True),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Column("matches", sa.Integer, nullable=False),
)


dailies = sa.Table(
    "dailies",
    metadata,
    sa.Column("day", sa.String(10), primary_key=True),
    sa.Column("bot", sa.String(64), primary_key=True),
    sa.Column("format", sa.String(80), nullable=False),  # those of another format are made again
    sa.Column("results", sa.JSON, nullable=False),  # how the bot did in the seat of the deal of the day (daily.py)
)

notices = sa.Table(
    "notices",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(500), index=True),  # the kept name that wants it …
    sa.Column("browser", sa.String(64), index=True),  # … or the SHA-256 of the secret of a browser
    sa.Column("kind", sa.String(8), nullable=False),  # mail or hook (notices.py)
    sa.Column("address", sa.String(500), nullable=False),
    sa.Column("secret", sa.String(64), nullable=False),  # of which its links are made
    sa.Column("quiet_from", sa.Integer),  # hours in the zone
    sa.Column("quiet_until", sa.Integer),
    sa.Column("zone", sa.String(64), nullable=False),
    sa.Column("language", sa.String(8), nullable=False),
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("confirmed", sa.Float),  # before that nothing is sent but the question
    sa.Column("sent", sa.Float),
    sa.Column("trouble", sa.String(16)),
)

told = sa.Table(
    "told",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),  # the newest turn that was told: how many moves there were
    sa.Column("seen", sa.Float, nullable=False),  # when a process last saw the person there
)

letters = sa.Table(
    "letters",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("notice", sa.String(32), sa.ForeignKey("notices.id"), nullable=False),
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id")),  # none: it asks for the confirmation
    sa.Column("seat", sa.Integer),
    sa.Column("number", sa.Integer),
    sa.Column("due", sa.Float, nullable=False, index=True),
    sa.Column("tries", sa.Integer, nullable=False),
)


class Conflict(Exception):
    """Another process has changed the table meanwhile."""


class House(NamedTuple):
    """What the host decides about a table, and who that is. next: where the same people play again. study: whoever sits down
    lets the laboratory read the match (records.py)."""

    host: int = 0
    listed: bool = False
    starts: str = "full"
    chat: bool = True
    next: str | None = None
    study: bool = False


@dataclass(frozen=True)
class Seat:
    """A seat of a table. kind: human, bot or open. token: SHA-256 of the secret of whoever sits there, if any.

    owner: the kept name of whoever sits there. The database is asked for it: here it may be old. hints: taken so far. rated:
    who sits there stood on the ladder when the match began.
    """

    kind: str
    name: str
    bot: str | None
    seed: int
    token: str | None = None
    owner: str | None = field(default=None, compare=False)
    hints: int = 0
    rated: bool = False

    @property
    def awaited(self) -> bool:
        """Before the match: nobody sits here, or somebody for whom it is kept has not come yet."""
        return self.kind == "open" or (self.kind == "human" and self.token is None)

    @property
    def away(self) -> bool:
        """A bot sits here for a person, who may take the seat back."""
        return self.kind == "bot" and self.token is not None


@dataclass(frozen=True)
class Move:
    """A move as it is stored; `said` is the move without its seat (none: the clock); by: the bot that made it in place of
    the player or the bot of the seat."""

    seat: int | None
    said: dict[str, Any]
    command: str | None = None
    public: Mapping[str, str] = field(default_factory=dict)  # a bot's reason by language
    private: Mapping[str, str] = field(default_factory=dict)
    by: str = ""

    @property
    def mark(self) -> dict[str, Any]:
        """What the record says beside the move."""
        return {"by": self.by} if self.by else {}


@dataclass(frozen=True)
class Stored:
    """A table as it lies in the database."""

    id: str
    game: str
    rules: str
    options: dict[str, Any]
    deal: dict[str, Any]
    status: str
    pace: str
    paused: bool
    seats: tuple[Seat, ...]
    moves: tuple[Move, ...] = field(default=())
    leaves: float | None = None
    host: int = 0
    listed: bool = False
    starts: str = "full"
    chat: bool = True
    next: str | None = None
    clock: str = ""
    hints: str = ""
    day: str | None = None
    study: bool = False
    times: Mapping[int, Time] = field(default_factory=dict)
    standing: Mapping[tuple[int, str], dict[str, Any]] = field(default_factory=dict)  # by seat and what they are about
    wishes: frozenset[tuple[str, int]] = frozenset()  # what, and the seat that agrees

    @property
    def house(self) -> House:
        """What the host decides."""
        return House(self.host, self.listed, self.starts, self.chat, self.next, self.study)



class Store:
    """All tables of one database, made or brought up to date when it is opened."""

    seen: float | None = None  # when this process last looked at the clocks (deadlines.py)
    writer: Writer | None = None  # none: the database lies in memory, and whoever writes does it at once

    def __init__(self, url: str, moments: Moments | None = None):
        self.moments = moments or Moments()
        self.engine = self._reading = self._single = _engine(url)
        try:
            _upgrade(self.engine)
        except DBAPIError as error:
            self.engine.dispose()
            reason = str(error.orig).partition("\n")[0].rstrip(".")
            raise OutbidError(f"The database {_shown(self.engine)} cannot be used: {reason}.") from error
        except OutbidError:
            self.engine.dispose()
            raise
        if _is_postgres(self.engine.url):
            from outbid.server.storage import postgres

            self._reading = postgres.opened(self.engine)
            self._single = self.engine.execution_options(isolation_level="AUTOCOMMIT")  # one statement is a transaction
            self.writer = Writer(self.engine, _insert_moves, LANES)
        elif isinstance(self.engine.pool, sa.QueuePool):
            self.writer = Writer(self.engine, _insert_moves)
        self._waiters = ThreadPoolExecutor(WAITERS, "waits for the writer")
        self._readers = ThreadPoolExecutor(READERS, "reads")

    def close(self) -> None:
        """Write what is still to be written, and let go of the database."""
        self._waiters.shutdown()
        self._readers.shutdown()
        if self.writer:
            self.writer.close()
        self.engine.dispose()

    # --- writing ---

    def put(self, write: Write[T], about: str = "", row: dict[str, Any] | None = None) -> Future[T]:
        """Let the writer write; about: a table, whose order is kept; row: a move that is written before."""
        if self.writer:
            return self.writer.put(write, about, row)
        done: Future[T] = Future()
        try:
            with self.engine.begin() as db:
                if row:
                    _insert_moves(db, [row])
                done.set_result(write(db))
        except Exception as error:
            done.set_exception(error)
        return done

    def write(self, write: Write[T], about: str = "") -> T:
        """The same, and wait until it is on disk. Raises Refused if it cannot be written."""
        try:
            return self.put(write, about).result()
        except IntegrityError:
            raise
        except DBAPIError as error:
            raise not_written(error, about) from error

    def execute(self, *statements: sa.Executable, about: str = "") -> None:
        """Statements in one transaction. Raises Refused, IntegrityError."""

        def write(db: sa.Connection) -> None:
            for statement in statements:
                db.execute(statement)

        self.write(write, about)

    async def aside(self, write: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What writes, while the event loop goes on."""
        return await _in(self._waiters, write, *args, **kwargs)

    async def beside(self, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What reads much, while the event loop goes on; also where whoever writes has to wait."""
        return await _in(self._readers, read, *args, **kwargs)

    def add(self, table: Stored, after: str | None = None) -> None:
        """A new table with its seats, and with its moves if it comes from a record; after: whose people go on here.

        Raises Conflict if it is there, or they go on elsewhere.
        """

        def write(db: sa.Connection) -> None:
            if after:
                here = (tables.c.id == after) & tables.c.next.is_(None)
                if db.execute(sa.update(tables).where(here).values(next=table.id)).rowcount != 1:
                    raise Conflict
            columns = {c.name: getattr(table, c.name) for c in tables.columns if c.name != "made"}
            try:
                db.execute(sa.insert(tables), {**columns, "made": time.time()})
            except IntegrityError as error:
                raise Conflict from error
            db.execute(sa.insert(seats), [_seat_row(table.id, n, seat) for n, seat in enumerate(table.seats)])
            if table.status == "playing":
                _rate(db, table.id)
            if table.moves:
                db.execute(_INSERT_MOVE, [_move_row(table.id, n, move) for n, move in enumerate(table.moves)])

        self.write(write, table.id)

    def load(self, table: str, since: int = 0) -> Stored | None:
        """A table with its moves from number `since` on."""
        if "\0" in table:
            return None
        with self._reading.connect() as db:
            row = db.execute(sa.select(tables).where(tables.c.id == table)).mappings().first()
            if row is None:
                return None
            sitting = db.execute(sa.select(seats).where(seats.c.table_id == table).order_by(seats.c.seat)).mappings()
            return Stored(
                **{name: value for name, value in row.items() if name != "made"},
                seats=tuple(Seat(**{name: r[name] for name in _SEAT}) for r in sitting),
                moves=_moves(db, table, since),
                **(_running(db, table) if row["status"] == "playing" else {}),
            )

    def moves(self, table: str, since: int) -> tuple[Move, ...]:
        """The moves of a table from number `since` on."""
        with self._single.connect() as db:
            return _moves(db, table, since)

    def append(
        self,
        table: str,
        number: int,
        move: Move,
        over: bool,
        times: Mapping[int, Time] | None = None,
        done: Sequence[tuple[int, str]] = (),
        ending: Callable[[sa.Connection], None] | None = None,
    ) -> None:
        """Write a move to disk; `over`: the match ends with it. times: those it changes; done: standing orders it ends;
        ending: what else is written in the same transaction if the match is over.

        Raises Conflict if there is such a move already, Refused if it cannot be written.
        """
        with _moving(table):
            self.put(_appending(table, over, times, done, ending), table, _move_row(table, number, move)).result()

    async def appended(
        self,
        table: str,
        number: int,
        move: Move,
        over: bool,
        times: Mapping[int, Time] | None = None,
        done: Sequence[tuple[int, str]] = (),
        ending: Callable[[sa.Connection], None] | None = None,
    ) -> None:
        """The same for an event loop."""
        with _moving(table):
            written = self.put(_appending(table, over, times, done, ending), table, _move_row(table, number, move))
            await asyncio.wrap_future(written)

    def sit(self, table: str, was: Mapping[int, Seat], now: Mapping[int, Seat], start: bool = False) -> bool:
        """Seats are taken or left before the match begins; returns whether it does begin.

        It begins when nobody is awaited any more: by itself or, if the host wants that, when told to `start`. Raises
        Conflict if a seat is not as it was or the match has begun.
        """

        def write(db: sa.Connection) -> bool:
            here = (tables.c.id == table) & (tables.c.status == "open")
            if db.execute(sa.update(tables).where(here).values(status="open")).rowcount != 1:  # nobody else sits down now
                raise Conflict
            for number, seat in now.items():
                old = was[number]
                where = (seats.c.table_id == table) & (seats.c.seat == number) & (seats.c.kind == old.kind)
                same = (seats.c.name == old.name) & seats.c.token.is_not_distinct_from(old.token)
                if db.execute(sa.update(seats).where(where & same).values(_seat_row(table, number, seat))).rowcount != 1:
                    raise Conflict
            awaited = (seats.c.kind == "open") | ((seats.c.kind == "human") & seats.c.token.is_(None))
            if db.scalar(sa.select(sa.func.count()).select_from(seats).where(seats.c.table_id == table, awaited)):
                return False
            if not start and db.scalar(sa.select(tables.c.starts).where(here)) != "full":
                return False
            db.execute(sa.update(tables).where(here).values(status="playing"))
            _rate(db, table)
            return True

        return self.write(write, table)

    def rated(self, table: str) -> set[int]:
        """The seats of a match whose people stood on the ladder when it began."""
        with self.engine.connect() as db:
            return set(db.scalars(sa.select(seats.c.seat).where(seats.c.table_id == table, seats.c.rated)))

    def wish(self, table: str, wish: tuple[str, int]) -> None:
        """A seat agrees to something."""
        row = sa.insert(wishes).values(table_id=table, what=wish[0], seat=wish[1])
        with contextlib.suppress(IntegrityError):  # it did already
            self.execute(row, about=table)

    def unwish(self, table: str, what: str) -> None:
        """Nobody agrees to it any more."""
        self.execute(sa.delete(wishes).where(wishes.c.table_id == table, wishes.c.what == what), about=table)

    def decide(self, table: str, house: House) -> None:
        """What the host wants from now on, and who that is."""
        wanted = {"host": house.host, "listed": house.listed, "starts": house.starts, "chat": house.chat}
        self.execute(sa.update(tables).where(tables.c.id == table).values(wanted), about=table)

    def play_for(self, table: str, number: int, old: Seat, new: Seat, times: Mapping[int, Time] | None = None) -> None:
        """A bot plays a seat from now on, or the person again. Raises Conflict if the seat is not as it was."""
        where = (seats.c.table_id == table) & (seats.c.seat == number) & (seats.c.kind == old.kind)

        def write(db: sa.Connection) -> None:
            if db.execute(sa.update(seats).where(where).values(kind=new.kind, bot=new.bot)).rowcount != 1:
                raise Conflict
            _write_times(db, table, times)

        self.write(write, table)

    def pace(
        self,
        table: str,
        pace: str,
        paused: bool,
        times: Mapping[int, Time] | None = None,
        by: Sequence[int] | None = None,
    ) -> None:
        """How fast the bots of a table act from now on; times: those that rest or run from now on; by: the seats that have
        paused it (none of them: it goes on), if that changes."""

        def write(db: sa.Connection) -> None:
            _write_times(db, table, times)
            if by is not None:
                about = wishes.c.what.in_((PAUSE, GO_ON, PAUSED))
                db.execute(sa.delete(wishes).where(wishes.c.table_id == table, about))
                if by:
                    db.execute(sa.insert(wishes), [{"table_id": table, "what": PAUSED, "seat": seat} for seat in by])
            db.execute(sa.update(tables).where(tables.c.id == table).values(pace=pace, paused=paused))

        self.write(write, table)

    def set_times(self, table: str, times: Mapping[int, Time]) -> None:
        """What is left to seats, outside of a move. Raises Conflict if another process writes the same."""
        try:
            self.write(lambda db: _write_times(db, table, times), table)
        except IntegrityError as error:
            raise Conflict from error

    def vote(self, table: str, seat: int, voter: int, agrees: bool) -> None:
        """Somebody agrees that a bot takes a seat, or does no longer."""
        bit = 1 << voter
        votes = clocks.c.votes.bitwise_or(bit) if agrees else clocks.c.votes.bitwise_and(~bit)
        self.execute(
            sa.update(clocks).where(clocks.c.table_id == table, clocks.c.seat == seat).values(votes=votes),
            sa.update(tables).where(tables.c.id == table).values(id=table),  # tells the other processes
            about=table,
        )

    def order(self, table: str, seat: int, about: str, wants: dict[str, Any] | None) -> None:
        """A standing order of a seat; none: it has none about this any more."""
        row = sa.insert(standing).values(table_id=table, seat=seat, about=about, wants=wants)
        gone = sa.delete(standing).where(_order(table, seat, about))
        self.execute(gone, *([] if wants is None else [row]), about=table)

    def review(self, table: str, format: str) -> dict[str, Any] | None:
        """The review of a finished match, if there is one of this format."""
        wanted = (reviews.c.table_id == table) & (reviews.c.format == format)
        with self.engine.connect() as db:
            return db.scalar(sa.select(reviews.c.review).where(wanted))

    def keep_review(self, table: str, review: dict[str, Any]) -> None:
        """The review of a finished match from now on; nothing happens if the table is gone."""
        row = {"table_id": table, "format": review["format"], "review": review, "at": time.time()}
        with contextlib.suppress(IntegrityError):
            gone = sa.delete(reviews).where(reviews.c.table_id == table)
            self.execute(gone, sa.insert(reviews).values(**row), about=table)

    def daily(self, day: str, format: str) -> dict[str, list[list[int]]]:
        """What bots made of the deal of a day, by bot, as far as it is of this format."""
        found = sa.select(dailies.c.bot, dailies.c.results).where(dailies.c.day == day, dailies.c.format == format)
        with self.engine.connect() as db:
            return {row.bot: row.results for row in db.execute(found)}

    def keep_daily(self, day: str, bot: str, format: str, results: list[list[int]]) -> None:
        """What a bot made of the deal of a day from now on."""
        row = {"day": day, "bot": bot, "format": format, "results": results}
        gone = sa.delete(dailies).where(dailies.c.day == day, dailies.c.bot == bot)
        with contextlib.suppress(IntegrityError):
            self.execute(gone, sa.insert(dailies).values(**row), about=day)

    def of_day(self, ids: Iterable[str], day: str | None = None) -> list[tuple[str, str, str]]:
        """Of the tables with these ids those of a deal of the day, the newest day first and its first table first: id, day
        and status; day: of this one only."""
        wanted = tables.c.day.is_not(None) if day is None else tables.c.day == day
        found = sa.select(tables.c.id, tables.c.day, tables.c.status).where(tables.c.id.in_(list(ids)), wanted)
        with self.engine.connect() as db:
            return [tuple(row) for row in db.execute(found.order_by(tables.c.day.desc(), tables.c.made))]

    def hint(self, table: str, seat: int) -> None:
        """A seat takes a hint. Raises Refused if it cannot be written."""
        where = (seats.c.table_id == table) & (seats.c.seat == seat)
        try:
            self.put(lambda db: db.execute(sa.update(seats).where(where).values(hints=seats.c.hints + 1)), table).result()
        except DBAPIError as error:
            log.exception("A hint at table %s could not be written.", table)
            raise Refused(503, _("The hint could not be written down, so it is not given; please try again.")) from error

    def ids(self, status: str | None = None) -> list[str]:
        """All tables, or those with a status, the oldest first."""
        found = sa.select(tables.c.id).order_by(tables.c.made, tables.c.id)
        with self.engine.connect() as db:
            return list(db.scalars(found if status is None else found.where(tables.c.status == status)))

    def made_at(self, table: str) -> list[float]:
        """When each move of a table was made."""
        with self._reading.connect() as db:
            return list(db.scalars(sa.select(moves.c.at).where(moves.c.table_id == table).order_by(moves.c.number)))

    def missing(self, ids: Iterable[str]) -> set[str]:
        """Which of these tables are not there."""
        wanted = list(ids)
        with self.engine.connect() as db:
            there = (db.scalars(sa.select(tables.c.id).where(tables.c.id.in_(some))) for some in _portions(wanted))
            return set(wanted) - {name for names in there for name in names}

    def delete(self, table: str) -> bool:
        """A table with its seats and moves is gone; false if it is not there."""

        def write(db: sa.Connection) -> bool:
            db.execute(sa.update(tables).where(tables.c.next == table).values(next=None))
            for part in (letters, told, held, reviews, wishes, chat, standing, clocks, moves, seats):
                db.execute(sa.delete(part).where(part.c.table_id == table))
            return db.execute(sa.delete(tables).where(tables.c.id == table)).rowcount > 0

        return self.write(write, table)

    def statuses(self) -> dict[str, int]:
        """How many tables are open, playing and over."""
        with self.engine.connect() as db:
            return {"open": 0, "playing": 0, "over": 0, **_counted(db, tables.c.status)}

    def statistics(self) -> dict[str, Any]:
        """What the database holds, in numbers."""
        with self.engine.connect() as db:
            number, last = db.execute(sa.select(sa.func.count(), sa.func.max(moves.c.at)).select_from(moves)).one()
            return {
                "tables": self.statuses(),
                "games": _counted(db, tables.c.game),
                "seats": {"human": 0, "bot": 0, "open": 0, **_counted(db, seats.c.kind)},
                "moves": number,
                "first_table": db.scalar(sa.select(sa.func.min(tables.c.made))),
                "last_move": last,
            }

    def breathe(self) -> None:
        """Write the time and read it again. Raises Refused and what the database says if it cannot be."""
        self.write(_breathe)
        with self.engine.connect() as db:
            here = sa.select(pulse.c.at, sa.select(tables.c.id).limit(1).scalar_subquery()).where(pulse.c.id == BREATH)
            db.execute(here).one()

    def damage(self) -> str:
        """What SQLite finds wrong with its file, in short; nothing if all is well, or if there is no file."""
        if self.engine.dialect.name != "sqlite":
            return ""
        try:
            with self.engine.connect() as db:
                found = [str(row[0]) for row in db.exec_driver_sql("PRAGMA quick_check(3)")]
                found += [] if found == ["ok"] else _places(db, found)
        except DBAPIError as error:
            found = [str(error.orig)]
        return "" if found == ["ok"] else "; ".join(" ".join(one.split()) for one in found)

    @property
    def shown(self) -> str:
        """The database without its password."""
        return _shown(self.engine)

    def check(self, most: int = 2**26) -> None:
        """Look through an SQLite file that is not larger than `most` bytes. Raises OutbidError if it is damaged."""
        file = self.engine.url.database if self.engine.dialect.name == "sqlite" else None
        if file and os.path.exists(file) and os.path.getsize(file) <= most and (found := self.damage()):
            way = "bring back a backup with `outbid admin restore BACKUP --force`"
            raise OutbidError(f"The database {self.shown} is damaged: {found}. Look with `outbid admin validate`; {way}.")

    def torn(self) -> str:
        """What does not fit together in the rows: parts of tables that are not there, moves that are there twice."""
        said = []
        with self.engine.connect() as db:
            for part in metadata.sorted_tables:
                if "table_id" in part.c:
                    lost = sa.select(sa.func.count()).where(part.c.table_id.not_in(sa.select(tables.c.id)))
                    number = db.scalar(lost) or 0
                    said += [f"{number} rows of {part.name} belong to no table"] if number else []
            same = sa.select(sa.literal(1)).select_from(moves).group_by(moves.c.table_id, moves.c.number)
            twice = db.scalar(sa.select(sa.func.count()).select_from(same.having(sa.func.count() > 1).subquery())) or 0
            said += [f"{twice} moves are there twice"] if twice else []
            if db.dialect.name == "postgresql":
                unsure = sa.text("SELECT conname FROM pg_constraint WHERE NOT convalidated")
                said += [f"the constraint {name} was never checked" for name in db.scalars(unsure)]
                broken = sa.text("SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid")
                said += [f"the index {name} is not valid" for name in db.scalars(broken)]
        return "; ".join(said)

    def gap(self, table: str) -> int | None:
        """The number of the first move of a table that is missing before its last one."""
        with self.engine.connect() as db:
            there = db.scalars(sa.select(moves.c.number).where(moves.c.table_id == table).order_by(moves.c.number))
            return next((n for n, number in enumerate(there) if n != number), None)

    def ended(self, leaving: bool = False) -> list[tuple[str, float, float | None]]:
        """Of the finished tables, or those that leave: id, when the last move was made, when it will be deleted."""
        last = sa.select(moves.c.at).where(moves.c.table_id == tables.c.id).order_by(moves.c.number.desc()).limit(1)
        at = sa.func.coalesce(last.scalar_subquery(), tables.c.made)
        found = sa.select(tables.c.id, at, tables.c.leaves).where(tables.c.status == "over")
        with self.engine.connect() as db:
            rows = db.execute(found.where(tables.c.leaves.is_not(None)) if leaving else found)
            return [(name, at, leaves) for name, at, leaves in rows]

    def leave(self, table: str, at: float | None) -> None:
        """When a table will be deleted (none: it stays)."""
        self.execute(sa.update(tables).where(tables.c.id == table).values(leaves=at), about=table)

    def summaries(self, ids: Iterable[str]) -> list[tuple[str, str, str, list[str]]]:
        """Of the tables with these ids, the newest first: id, game, status and the names of those who sit there."""
        wanted = list(ids)
        with self.engine.connect() as db:
            found = db.execute(
                sa.select(tables.c.id, tables.c.game, tables.c.status)
                .where(tables.c.id.in_(wanted))
                .order_by(tables.c.made.desc())
            ).all()
            names: dict[str, list[str]] = {row.id: [] for row in found}
            sitting = sa.select(seats.c.table_id, seats.c.name).where(seats.c.table_id.in_(wanted), seats.c.kind != "open")
            for row in db.execute(sitting.order_by(seats.c.seat)):
                names.setdefault(row.table_id, []).append(row.name)
        return [(row.id, row.game, row.status, names[row.id]) for row in found]

    def last_name(self, held: Mapping[str, str]) -> str:
        """The name that whoever has these seats (table → hashed token) had at the newest of the tables; "" for none."""
        mine = sa.tuple_(seats.c.table_id, seats.c.token).in_(list(held.items()))
        with self.engine.connect() as db:
            found = sa.select(seats.c.name).join(tables, tables.c.id == seats.c.table_id).where(mine)
            return db.scalar(found.order_by(tables.c.made.desc()).limit(1)) or ""


def not_written(error: DBAPIError, about: str = "") -> Refused:
    """The refusal where the database cannot be written to."""
    log.error("Something could not be written down (table %s).", about or "–", exc_info=error)
    return Refused(503, _("This could not be written down, so nothing was changed; please try again."))


@contextlib.contextmanager
def _moving(table: str) -> Iterator[None]:
    """While a move is written. Raises Conflict, Refused."""
    try:
        yield
    except IntegrityError as error:
        raise Conflict from error
    except DBAPIError as error:
        log.exception("A move of table %s could not be written.", table)
        raise Refused(503, _("The move could not be written down, so it was not made; please try again.")) from error


async def _in(threads: ThreadPoolExecutor, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What work comes to, in another thread."""
    here = contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(threads, lambda: here.run(work, *args, **kwargs))


def _breathe(db: sa.Connection) -> None:
    """Something that was not there: SQLite does not write what a page holds already."""
    mine = {"id": BREATH, "at": time.time()}
    if not db.execute(sa.update(pulse).where(pulse.c.id == BREATH).values(mine)).rowcount:
        db.execute(sa.insert(pulse), mine)


def _appending(
    table: str,
    over: bool,
    times: Mapping[int, Time] | None,
    done: Sequence[tuple[int, str]],
    ending: Callable[[sa.Connection], None] | None,
) -> Write[None]:
    """What writes what changes with a move."""

    def write(db: sa.Connection) -> None:
        _write_times(db, table, times)
        for seat, about in done:
            db.execute(sa.delete(standing).where(_order(table, seat, about)))
        if over:
            db.execute(sa.update(tables).where(tables.c.id == table).values(status="over"))
        if over and ending:
            ending(db)

    return write


def _insert_moves(db: sa.Connection, rows: list[dict[str, Any]]) -> None:
    """All moves of a batch: by one statement, where the driver does not do that by itself."""
    if db.dialect.name != "sqlite":
        db.execute(_INSERT_MOVE, rows)
        return
    flat = [json.dumps(row[name]) if name == "move" else row[name] for row in rows for name in _MOVE]
    one = f"({', '.join('?' * len(_MOVE))})"
    db.exec_driver_sql(f"INSERT INTO moves ({', '.join(_MOVE)}) VALUES {', '.join([one] * len(rows))}", tuple(flat))


_INSERT_MOVE = sa.insert(moves)
_MOVE = tuple(column.name for column in moves.columns)
_SEAT = ("kind", "name", "bot", "seed", "token", "owner", "hints", "rated")


def _places(db: sa.Connection, found: Sequence[str]) -> list[str]:
    """To which tables the pages belong that SQLite names."""
    try:
        known = db.exec_driver_sql("SELECT rootpage, tbl_name FROM sqlite_master WHERE rootpage > 0")
        roots = {row[0]: row[1] for row in known}
    except DBAPIError:
        return []
    named = {roots[int(n)] for one in found for n in re.findall(r"(?:[Tt]ree|[Pp]age) (\d+)", one) if int(n) in roots}
    named |= {name for name in metadata.tables for one in found if re.search(rf"\b{name}\b|autoindex_{name}_", one)}
    return [f"in the table {name}" for name in sorted(named)]


def _running(db: sa.Connection, table: str) -> dict[str, Any]:
    """What a table in play has besides its moves."""
    lying = db.execute(sa.select(clocks).where(clocks.c.table_id == table))
    wanted = db.execute(sa.select(standing).where(standing.c.table_id == table))
    return {
        "times": {r.seat: Time(r.rest, r.due, r.since, r.missed, r.votes) for r in lying},
        "standing": {(r.seat, r.about): r.wants for r in wanted},
        "wishes": frozenset((r.what, r.seat) for r in db.execute(sa.select(wishes).where(wishes.c.table_id == table))),
    }


def _write_times(db: sa.Connection, table: str, times: Mapping[int, Time] | None) -> None:
    if times:
        db.execute(sa.delete(clocks).where(clocks.c.table_id == table, clocks.c.seat.in_(list(times))))
        rows = [{"table_id": table, "seat": seat, **vars(time)} for seat, time in times.items()]
        db.execute(sa.insert(clocks), rows)


def _rate(db: sa.Connection, table: str) -> None:
    """A match begins: its people who stand on the ladder are rated when it is over."""
    climbing = seats.c.owner.in_(sa.select(names.c.key).where(names.c.ladder))
    db.execute(sa.update(seats).where(seats.c.table_id == table, climbing).values(rated=True))


def _order(table: str, seat: int, about: str) -> sa.ColumnElement[bool]:
    return (standing.c.table_id == table) & (standing.c.seat == seat) & (standing.c.about == about)


def _seat_row(table: str, number: int, seat: Seat) -> dict[str, Any]:
    return {
        "table_id": table,
        "seat": number,
        **{name: getattr(seat, name) for name in _SEAT},
    }


def _move_row(table: str, number: int, move: Move) -> dict[str, Any]:
    return {
        "table_id": table, "number": number, "seat": move.seat, "move": {**move.said, **move.mark}, "command": move.command,
        "public": _spoken(move.public), "private": _spoken(move.private), "at": time.time(),
    }  # fmt: skip


def _moves(db: sa.Connection, table: str, since: int) -> tuple[Move, ...]:
    later = (moves.c.table_id == table) & (moves.c.number >= since)
    return tuple(_played(r) for r in db.execute(sa.select(moves).where(later).order_by(moves.c.number)).mappings())


def _played(r: sa.RowMapping) -> Move:
    said = dict(r["move"])
    by = said.pop("by", "")
    return Move(r["seat"], said, r["command"], _heard(r["public"]), _heard(r["private"]), by)


def _spoken(said: Mapping[str, str]) -> str | None:
    """A sentence by language, as it is stored."""
    return json.dumps(said, ensure_ascii=False) if said else None


def _heard(stored: str | None) -> dict[str, str]:
    """A stored sentence by language; before there were languages it was English text."""
    if not stored:
        return {}
    return json.loads(stored) if stored.startswith("{") else {i18n.SOURCE: stored}


def _counted(db: sa.Connection, column: sa.Column[str]) -> dict[str, int]:
    """How often each value stands in a column."""
    return {row[0]: row[1] for row in db.execute(sa.select(column, sa.func.count()).group_by(column).order_by(column))}


def _portions(names: list[str], most: int = 500) -> Iterator[list[str]]:
    for start in range(0, len(names), most):
        yield names[start : start + most]


# --- opening a database -----------------------------------------------------------------------------------------------


def url_of(database: str) -> str:
    """An SQLAlchemy URL of a URL or of the path of an SQLite file, whose folder is made."""
    if "://" in database:
        return database
    path = Path(database).expanduser()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutbidError(f"The folder {path.parent} cannot be made: {error.strerror}.") from error
    return f"sqlite:///{path}"


def _engine(url: str) -> sa.Engine:
    try:
        if _is_postgres(sa.make_url(url)):
            from outbid.server.storage import postgres

            return postgres.engine(url)
        engine = sa.create_engine(url, hide_parameters=True)  # what is written is secret, also in errors
    except ModuleNotFoundError as error:
        sentence = f"This database needs the package {error.name}, which is not installed"
        raise OutbidError(f"{sentence}; `pip install 'outbid[postgres]'` brings what PostgreSQL needs.") from error
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise OutbidError(f"The database {url!r} cannot be used: {error}.") from error
    if engine.dialect.name == "sqlite":
        _keep_private(engine.url.database)
        event.listen(engine, "connect", _durable)
    return engine


def _keep_private(file: str | None) -> None:
    """A new database is for its owner only: it holds hands, decks and what was said."""
    if file and not file.startswith((":", "file:")):
        with contextlib.suppress(OSError):  # SQLite will say why
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _is_postgres(url: sa.URL) -> bool:
    return url.get_backend_name() in ("postgresql", "postgres")


def _durable(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _shown(engine: sa.Engine) -> str:
    """The database without its password."""
    return engine.url.render_as_string(hide_password=True)


def _upgrade(engine: sa.Engine) -> None:
    """Make the tables, or bring those of an older version up to date. Raises OutbidError for any other database."""
    with engine.begin() as db:
        if _is_postgres(engine.url):
            from outbid.server.storage import postgres

            postgres.one_at_a_time(db)
        revision = migrations.revision(db)
        if revision is not None and revision not in migrations.known():
            raise OutbidError(
                f"The database {_shown(engine)} was made by another version of Outbid (its revision is {revision!r}); "
                "update Outbid or name another database."
            )
        if revision is None and sa.inspect(db).get_table_names():
            raise OutbidError(f"The database {_shown(engine)} holds the tables of another program; name another database.")
        if revision != max(migrations.known()):
            migrations.upgrade(db)
        if _is_postgres(engine.url):
            postgres.prepare(db, metadata)


def seated(seat: Seat, name: str, token: str, owner: str | None = None) -> Seat:
    """An open seat taken by a person."""
    return replace(seat, kind="human", name=name, token=token, owner=owner)
