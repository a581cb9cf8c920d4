"""A database: reading, the one writer, and whether it is well.

Whatever writes goes through the one writer (writer.py) and returns after the commit. An event loop does not wait for a disk:
it says `await database.aside(write, …)`, and `beside` for what reads much.
"""

import asyncio
import contextlib
import contextvars
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec, TypeVar, TypeVarTuple

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from outbid.core.errors import BadSetup, OutbidError
from outbid.core.language.i18n import _
from outbid.server.logging import log
from outbid.server.moments import Moments
from outbid.server.settings import Refused
from outbid.server.storage import opening
from outbid.server.storage.notifications import Unreachable
from outbid.server.storage.rows import insert_moves
from outbid.server.storage.schema import BREATH, pulse, tables
from outbid.server.storage.writer import Write, Writer

P = ParamSpec("P")
T = TypeVar("T")
Ts = TypeVarTuple("Ts")

LANES = 4  # writers of a PostgreSQL; SQLite has one
WAITERS = 32  # threads that wait for the writer, besides the moves, which need none
READERS = 4  # threads that read what takes long, and never wait for the writer


class Database:
    """One database, its tables made or brought up to date when it is opened."""

    served = False  # by this process: the file is marked until it is closed
    malformed = ""  # what SQLite said of a damaged place in the file
    seen: float | None = None  # when this process last looked at the clocks (deadlines.py)
    failures = (DBAPIError, Unreachable)  # what a read raises where the database does not answer
    writer: Writer | None = None  # none: each write is made at once, since the database lies in memory or `alone`

    def __init__(self, url: str | sa.URL, moments: Moments | None = None, alone: Callable[[], None] | None = None):
        """alone: there are no threads, and this is called after each commit."""
        self._alone = alone
        self.moments = moments or Moments()
        file = opening.file_of(url)
        self.read_only = file is not None and opening.read_only(file)
        self.engine = self._reading = self._single = opening.engine(url, "TRUNCATE" if alone else "WAL")
        sa.event.listen(self.engine, "handle_error", self._notice)
        try:
            opening.upgrade(self.engine)
        except DBAPIError as error:
            refusal = opening.unusable(self.engine, error)  # which looks into the file
            self.engine.dispose()
            raise refusal from error
        except OutbidError:
            self.engine.dispose()
            raise
        if opening.is_postgres(self.engine.url):
            from outbid.server.storage import postgres

            self._reading = postgres.opened(self.engine)
            self._single = self.engine.execution_options(isolation_level="AUTOCOMMIT")  # one statement is a transaction
            self.writer = Writer(self.engine, insert_moves, LANES)
        elif isinstance(self.engine.pool, sa.QueuePool) and not alone:
            self.writer = Writer(self.engine, insert_moves)
        self._waiters = ThreadPoolExecutor(WAITERS, "waits for the writer")
        self._readers = ThreadPoolExecutor(READERS, "reads")

    def close(self) -> None:
        """Write what is still to be written, and let go of the database."""
        if self.served:
            with contextlib.suppress(DBAPIError):  # it stays marked
                self.put(partial(opening.mark, served=False)).result()
        self._waiters.shutdown()
        self._readers.shutdown()
        if self.writer:
            self.writer.close()
        self.engine.dispose()

    def serve(self) -> None:
        """This process is the server of an SQLite file. Raises BadSetup for one in memory, Refused if it cannot be noted."""
        if self.engine.dialect.name == "sqlite" and not opening.file_of(self.engine.url):
            raise BadSetup(f"The database {self.shown} is no file; a server needs one, as in --database outbid.db.")
        if self.engine.dialect.name == "sqlite" and not self.read_only:
            self.write(partial(opening.mark, served=True))
            self.served = True

    # --- writing ---

    def put(self, write: Write[T], about: str = "", row: dict[str, Any] | None = None) -> Future[T]:
        """Let the writer write; about: a table, whose order is kept; row: a move that is written before."""
        if self.writer and not self.read_only:
            return self.writer.put(write, about, row)
        done: Future[T] = Future()
        try:
            if self.read_only:
                raise Refused(503, _("Nothing was changed: this server only shows tables, since its disk takes no writing."))
            with self.engine.begin() as db:
                if row:
                    insert_moves(db, [row])
                result = write(db)
            if self._alone:
                self._alone()
            done.set_result(result)
        except Exception as error:
            done.set_exception(error)
        return done

    def write(self, write: Write[T], about: str = "") -> T:
        """Write and wait until it is on disk. Raises Refused if it cannot be written."""
        try:
            return self.put(write, about).result()
        except IntegrityError:
            raise
        except DBAPIError as error:
            log_failure("Something could not be written down (table %s)", about or "–", error)
            raise Refused(503, _("This could not be written down, so nothing was changed; please try again.")) from error

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
        """What reads much, while the event loop goes on; also where writes have to wait."""
        return await _in(self._readers, read, *args, **kwargs)

    # --- reading ---

    def rows(self, query: sa.Select[*Ts]) -> Sequence[sa.Row[*Ts]]:
        """The rows that a query finds."""
        with self.engine.connect() as db:
            return db.execute(query).all()

    def values(self, query: sa.Select[T]) -> list[T]:
        """The values of the one column that a query finds."""
        with self.engine.connect() as db:
            return list(db.scalars(query))

    def value(self, query: sa.Select[T]) -> T | None:
        """The first value that a query finds."""
        with self.engine.connect() as db:
            return db.scalar(query)

    # --- is it well? ---

    def _notice(self, context: sa.ExceptionContext) -> None:
        """Remember that SQLite calls its file damaged: what is read again may come from memory."""
        if opening.is_damage(context.original_exception):
            self.malformed = str(context.original_exception)

    def breathe(self) -> None:
        """Write the time and read it again. Raises Refused and what the database says if it cannot be."""
        self.write(_breathe)
        with self.engine.connect() as db:
            note = sa.select(pulse.c.at, sa.select(tables.c.id).limit(1).scalar_subquery()).where(pulse.c.id == BREATH)
            db.execute(note).one()

    def damage(self) -> str:
        """What SQLite finds wrong with its file, in short; nothing if all is well, or if there is no file."""
        return opening.damage(self.engine) if self.engine.dialect.name == "sqlite" else ""

    @property
    def shown(self) -> str:
        """The database without its password."""
        return opening.shown(self.engine)

    def check(self, most: int = 2**26) -> None:
        """Look through an SQLite file that is not larger than `most` bytes. Raises OutbidError if it is damaged."""
        file = self.engine.url.database if self.engine.dialect.name == "sqlite" else None
        if file and os.path.exists(file) and os.path.getsize(file) <= most and (found := self.damage()):
            raise opening.damaged(self.engine, found)


def log_failure(sentence: str, about: str, error: DBAPIError) -> None:
    """Log what could not be written: where the disk or the connection is to blame, why; else also the place in the code."""
    reason = getattr(error.orig, "sqlite_errorname", type(error.orig).__name__)
    log.error(f"{sentence}: %s.", about, reason, exc_info=None if isinstance(error, OperationalError) else error)


async def _in(threads: ThreadPoolExecutor, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What work comes to, in another thread."""
    context = contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(threads, lambda: context.run(work, *args, **kwargs))


def _breathe(db: sa.Connection) -> None:
    """Something that was not there: SQLite does not write what a page holds already."""
    mine = {"id": BREATH, "at": time.time()}
    if not db.execute(sa.update(pulse).where(pulse.c.id == BREATH).values(mine)).rowcount:
        db.execute(sa.insert(pulse), mine)


def insert(db: sa.Connection, table: sa.Table) -> Any:
    """An insert that may say what is done on a conflict, as this kind of database has it."""
    if db.dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)
    from sqlalchemy.dialects import sqlite

    return sqlite.insert(table)
