"""Everything that is PostgreSQL's: several server processes on one database (docs/server.md, "Several processes").

- Every write to a table's rows tells all processes, through a trigger and NOTIFY, in the same transaction: the table's id
  and, for a move, the number of moves. Nothing else is ever said; who wants to know more reads the database.
- A table's bots and clock are moved by the process that holds its advisory lock. PostgreSQL lets go of the lock when the
  process ends, however it ends.
- The connection that listens and the one that holds locks live and die together. Afterwards both are made anew, nothing is
  owned any more, and everything this process shows is compared with the database.
"""

import asyncio
import hashlib
import os
import time
from collections.abc import Collection
from functools import partial
from typing import Any

import psycopg
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine.interfaces import ExceptionContext
from sqlalchemy.exc import InvalidatePoolError

from outbid.server.logging import log
from outbid.server.storage.notifications import Bus, Listener, Unreachable
from outbid.server.storage.writer import LOCKED_ROW

CHANGED, HURRY = "outbid", "outbid_hurry"  # channels
QUIET = ("clocks", "held", "told", "letters", "notes", "results")  # those change with what tells; these nobody keeps
AWAKE, RESTS = 0.1, "rests since"  # seconds; whose connection dies sooner is told that the database is Unreachable
RETRY = 0.5  # seconds until a broken connection is made anew
WORDS: dict[str, Any] = {
    "connect_timeout": 5,  # a host that is gone is noticed soon, here …
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
    "application_name": f"outbid {os.getpid()}",  # whose a lock is can be seen in pg_stat_activity
}
SOON = "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3"  # … and there
DURABLE = "SET synchronous_commit = on; SET idle_in_transaction_session_timeout = '15s'"


# --- the database -----------------------------------------------------------------------------------------------------


def engine(url: str | sa.URL) -> sa.Engine:
    """An engine whose commits are on disk when they return, and that survives a restart of the database: a connection that
    has rested is tried before it is used."""
    address = sa.make_url(url).set(drivername="postgresql+psycopg")
    database = sa.create_engine(address, connect_args=WORDS, hide_parameters=True)
    event.listen(database, "connect", _durable)
    event.listen(database, "checkin", _rests)
    event.listen(database, "checkout", partial(_tried, database.dialect))
    return database


def _durable(connection: Any, record: Any) -> None:
    connection.autocommit = True
    connection.execute(DURABLE)
    connection.autocommit = False
    _rests(connection, record)


def _rests(_connection: Any, record: Any) -> None:
    record.info[RESTS] = time.monotonic()


def _tried(dialect: sa.Dialect, connection: Any, record: Any, _proxy: Any) -> None:
    """The pool makes new connections if this one is gone."""
    if time.monotonic() - record.info.get(RESTS, 0.0) < AWAKE:
        return
    try:
        dialect.do_ping(connection)
    except psycopg.Error as gone:
        raise InvalidatePoolError from gone


def one_at_a_time(db: sa.Connection) -> None:
    """Until the transaction ends, no other process brings the database up to date."""
    db.execute(sa.select(sa.func.pg_advisory_xact_lock(lock_of(CHANGED))))


def prepare(db: sa.Connection, metadata: sa.MetaData) -> None:
    """Let every write to a table's rows tell all processes; what is there already stays as it is."""
    exists = sa.text("SELECT 1 FROM pg_trigger WHERE tgname = :name AND tgrelid = to_regclass(:table)")
    for table in metadata.sorted_tables:
        name = f"outbid_{table.name}"
        column = "id" if table.name == "tables" else "table_id"
        if column not in table.c or table.name in QUIET or db.scalar(exists, {"name": name, "table": table.name}):
            continue
        payload = f"one.{column}"
        if table.name == "moves":
            payload += " || CASE TG_OP WHEN 'INSERT' THEN ' ' || (one.number + 1) ELSE '' END"
        db.exec_driver_sql(TRIGGER.format(name=name, table=table.name, payload=payload))


TRIGGER = f"""
CREATE OR REPLACE FUNCTION {{name}}() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    one {{table}}%%ROWTYPE;
BEGIN
    IF TG_OP = 'DELETE' THEN one := OLD; ELSE one := NEW; END IF;
    PERFORM pg_notify('{CHANGED}', {{payload}});
    RETURN NULL;
END $$;
CREATE TRIGGER {{name}} AFTER INSERT OR UPDATE OR DELETE ON {{table}} FOR EACH ROW EXECUTE FUNCTION {{name}}()
"""


def opened(engine: sa.Engine) -> sa.Engine:
    """From now on a database that does not answer is Unreachable. Returns the engine for reads of several statements."""
    event.listen(engine, "handle_error", _unreachable)
    return engine.execution_options(isolation_level="REPEATABLE READ")


def _unreachable(context: ExceptionContext) -> None:
    error = context.original_exception
    if isinstance(error, psycopg.OperationalError) and error.sqlstate not in LOCKED_ROW:
        log.info("The database does not answer: %s", first_line(error))
        raise Unreachable from error


def first_line(error: BaseException) -> str:
    """The first line of what the database says."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return next(iter(str(error).splitlines()), type(error).__name__)


def lock_of(name: str) -> int:
    """The number of the advisory lock for a name."""
    return int.from_bytes(hashlib.blake2b(f"outbid {name}".encode(), digest_size=8).digest(), signed=True)


HELD = """
SELECT classid::bigint << 32 | objid::bigint FROM pg_locks
WHERE locktype = 'advisory' AND objsubid = 1 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
TAKE, LET_GO = "SELECT pg_try_advisory_lock(%s)", "SELECT pg_advisory_unlock(%s)"


# --- the processes ----------------------------------------------------------------------------------------------------


class Together(Bus):
    """One of several processes on one database."""

    def __init__(self, engine: sa.Engine):
        self.engine = engine
        self.shared = False
        self._owned: set[str] = set()  # the tables whose locks are held and wanted
        self._locks: set[str] = set()  # the tables whose locks are held
        self._wanted: asyncio.Queue[tuple[str, asyncio.Future[bool] | None]] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    def start(self, listener: Listener) -> None:
        """Listen, as long as it takes."""
        self._task = asyncio.get_running_loop().create_task(self._run(listener))

    async def close(self) -> None:
        """End both connections, and with them every lock."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def own(self, table: str) -> bool:
        """Take the lock of a table, if it is free."""
        if table in self._owned:
            return True
        if not self.shared:
            return False
        answer = asyncio.get_running_loop().create_future()
        self._wanted.put_nowait((table, answer))
        return await answer

    def owned(self, tables: Collection[str]) -> set[str]:
        """Which of these tables a process owns, this one or another."""
        if not tables:
            return set()
        with self.engine.connect() as db:
            locks = set(db.scalars(sa.text(HELD)))
        return {table for table in tables if lock_of(table) in locks}

    def release(self, table: str) -> None:
        """Let go of the lock of a table, if it is held."""
        self._owned.discard(table)
        if self.shared:
            self._wanted.put_nowait((table, None))

    def hurry(self, table: str) -> None:
        """Tell all processes that a person does not want to wait for the bots of a table."""
        with self.engine.begin() as db:
            db.execute(sa.select(sa.func.pg_notify(HURRY, table)))

    async def _run(self, listener: Listener) -> None:
        while True:
            try:
                await self._connected(listener)
            except* (psycopg.Error, OSError, Unreachable) as broken:
                if self.shared:
                    log.warning("This server is cut off from the others and tries again: %s", first_line(broken))
            except* Exception:
                log.exception("What other servers said could not be understood.")
            finally:
                self._forget()
            await asyncio.sleep(RETRY)

    async def _connected(self, listener: Listener) -> None:
        """Listen and hold locks until a connection breaks."""
        async with await self._connection() as ear, await self._connection() as hand:
            await ear.execute(f"LISTEN {CHANGED}")
            await ear.execute(f"LISTEN {HURRY}")
            self.shared = True
            await listener.missed()
            async with asyncio.TaskGroup() as both:
                both.create_task(self._hear(ear, listener))
                both.create_task(self._hold(hand))

    async def _connection(self) -> psycopg.AsyncConnection[Any]:
        _, words = self.engine.dialect.create_connect_args(self.engine.url)
        connection = await psycopg.AsyncConnection.connect(autocommit=True, **{**words, **WORDS})
        await connection.execute(SOON)
        return connection

    async def _hear(self, ear: psycopg.AsyncConnection[Any], listener: Listener) -> None:
        async for told in ear.notifies():
            table, _, number = told.payload.partition(" ")
            if told.channel == HURRY:
                listener.hurry(table)
            else:
                await listener.heard(table, int(number) if number else None)
        raise ConnectionError("the connection has ended")

    async def _hold(self, hand: psycopg.AsyncConnection[Any]) -> None:
        while True:
            table, answer = await self._wanted.get()
            try:
                await self._settle(hand, table, taken=answer is not None)
                if answer is None:
                    self._owned.discard(table)
            finally:
                if answer and not answer.done():
                    answer.set_result(table in self._owned)

    async def _settle(self, hand: psycopg.AsyncConnection[Any], table: str, taken: bool) -> None:
        """Take the lock of a table, if it is free, or let go of it."""
        if taken != (table in self._locks):
            answer = await hand.execute(TAKE if taken else LET_GO, [lock_of(table)])
            done = await answer.fetchone()
            if not taken:
                self._locks.discard(table)
            elif done and done[0]:
                self._locks.add(table)
        if taken and table in self._locks:
            self._owned.add(table)

    def _forget(self) -> None:
        """Without connections nothing is owned and nobody is heard."""
        self.shared = False
        self._owned.clear()
        self._locks.clear()
        while not self._wanted.empty():
            _, answer = self._wanted.get_nowait()
            if answer and not answer.done():
                answer.set_result(False)
