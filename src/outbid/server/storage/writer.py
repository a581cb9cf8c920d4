"""The one writer of a database: what waits to be written goes into one transaction, in a thread of its own.

    Store.append, .sit, .wish, …  →  Writer.put(write)  →  the thread: begin, every write that waits, commit  →  the answers

A write is a function of a connection; it may be called a second time, so it does nothing but write. A commit costs a turn of
the disk, or a round trip to the database, whatever it holds: the more moves wait, the more of them share one. The order in
which they were put is kept, so it is kept for each table. Rows that are put with a write, of which a batch has many, are
inserted first, all by one statement: after every statement this thread waits for the event loop's, up to a switch interval.

If anything in a batch fails, the whole is rolled back and each write is tried for itself: what was wrong hits only its
author. What another program has locked is waited for, up to `PATIENCE` for each write.

On PostgreSQL there are several such threads (`lanes`). A table always has the same one, so that its order is kept; tables of
a batch are written in the order of their names, so that two processes never wait for each other. There a lock is on a row,
and no table waits for another's: a statement waits `SHORTLY` for it, then the batch is halved until those are found that are
locked out; they are put back and tried again, a table at a time, between the batches of the others. Where `SEVERAL` are
found one after the other, everything may be locked (LOCK TABLE, CREATE INDEX): the rest is put back untried. Of what was put
back one that is still locked out is tried between two batches, and before it all that are not.

SQLite writes to a log beside the file. This thread brings the log into the file (a passive checkpoint) after `QUIET` seconds
without a write, and at least every `LONGEST` seconds while there are some; SQLite itself does after 1,000 pages, within a
commit, unless the log is shipped (shipping.py). What was erased is overwritten in the file (`secure_delete`), and after an
erasure (erasures.py) the log is emptied as soon as nobody reads it; where it is shipped, by the shipper.
"""

import contextlib
import logging
import math
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar
from zlib import crc32

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from outbid.server import metrics
from outbid.server.storage.notifications import Unreachable

T = TypeVar("T")
Write = Callable[[sa.Connection], T]

MOST = 500  # writes of one transaction
PATIENCE = 15.0  # seconds that a write waits for a locked database
LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
LOCKED_ROW = ("55P03", "40P01")  # what PostgreSQL says when a lock was not given, or two wait for each other
SEVERAL = 3  # tables locked out in a row, after which no further one of a batch is tried
PAUSE = 0.05  # seconds between two tries at what is locked
LAST = 5.0  # seconds for which the log of what was erased is tried at the end
ERASED = "erased"  # the mark of a connection whose transaction has erased something
QUIET, LONGEST = 1.0, 60.0  # seconds without a write, or with some, until the log of SQLite is brought into the file
SHORTLY = "SET LOCAL lock_timeout = '50ms'"
COMMIT = "SET LOCAL lock_timeout = 0; COMMIT"  # those who notify commit one after the other, which no lock of a row explains

log = logging.getLogger("outbid")


Row = dict[str, Any]
Insert = Callable[[sa.Connection, list[Row]], None]


@dataclass
class _Waiting:
    """A write that waits: what it is about, its row, if it has one, and who waits for it."""

    write: Write[Any]
    about: str
    row: Row | None
    answer: Future[Any] = field(default_factory=Future)
    since: float = field(default_factory=time.monotonic)

    def done(self, result: Any) -> None:
        """It is on disk. The caller may be gone."""
        if self.row is not None:  # of what is secret, as an automatic move, not even that it was written is counted
            metrics.COMMIT.observe(time.monotonic() - self.since)
        self.answer.set_result(result)


class Writer:
    """Threads that write to a database. They begin with the first write."""

    def __init__(self, engine: sa.Engine, insert: Insert, lanes: int = 1):
        self.engine = engine
        self.insert = insert
        self.sqlite = engine.dialect.name == "sqlite"
        self.shipped = False  # the log is another's to begin anew
        self.lanes = [_Lane(self) for _ in range(lanes)]

    def put(self, write: Write[T], about: str = "", row: Row | None = None) -> Future[T]:
        """Write when its turn comes; about: whose order is kept, as a rule a table; row: what is inserted before. The answer
        comes after the commit."""
        return self.lanes[crc32(about.encode("utf-8", "replace")) % len(self.lanes)].put(_Waiting(write, about, row))

    @property
    def waiting(self) -> tuple[int, float]:
        """How many writes wait, and how many seconds the oldest one has."""
        ages = [lane.age() for lane in self.lanes]
        return sum(lane.many for lane in self.lanes), max(ages)

    def close(self) -> None:
        """Write what still waits, and end."""
        for lane in self.lanes:
            lane.close()


class _Lane:
    """One thread, its queue and its connection."""

    def __init__(self, writer: Writer):
        self.writer = writer
        self.many = 0
        self._queue: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._now: list[_Waiting] = []  # what is in hand
        self._stuck: list[_Waiting] = []  # those who are locked out, the next to be tried first
        self._misses = 0  # tables that were locked out in a row
        self._why: Exception = TimeoutError()  # what the database said to them last
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._closed = False
        self._db: sa.Connection | None = None  # of SQLite; those of PostgreSQL are tried before they are used
        self._erased = False  # something that may still be in the log
        self._first = self._last = math.inf  # when the first and the last write were made that are only in the log

    def put(self, waiting: _Waiting) -> Future[Any]:
        with self._lock:
            if self._closed:
                raise RuntimeError("the database is closed")
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
                self._thread.start()
            self.many += 1
        self._queue.put(waiting)
        return waiting.answer

    def age(self) -> float:
        """Seconds for which the oldest write in hand has waited."""
        now = self._now
        return time.monotonic() - min(waiting.since for waiting in now) if now else 0.0

    def close(self) -> None:
        with self._lock:
            self._closed = True
            thread, self._thread = self._thread, None
        if thread:
            self._queue.put(None)
            thread.join()

    def _run(self) -> None:
        open_ = True
        while open_ or self._stuck:
            batch, open_ = self._batch(open_)
            self._now = [*self._stuck, *batch]
            self._misses = 0
            self._again()
            self._write([waiting for waiting in batch if waiting.answer.set_running_or_notify_cancel()])
            self._give_up()
            if time.monotonic() >= self._due:
                self._merge()
            with self._lock:
                self.many -= len(self._now) - len(self._stuck)
            self._now = list(self._stuck)
        last = time.monotonic() + LAST
        while self._erased and time.monotonic() < last:
            self._merge()  # a server that has the file, too, knows nothing of it
            if self._erased:
                time.sleep(PAUSE)  # it reads just now
        self._let_go()

    def _batch(self, open_: bool) -> tuple[list[_Waiting], bool]:
        """The waiting writes; waits for some if there are none, not long if one is locked out. False: it was the last."""
        batch: list[_Waiting] = []
        if not open_:
            time.sleep(PAUSE)
            return batch, False
        try:
            waiting = self._queue.get(timeout=self._patience())
            while waiting is not None:
                batch.append(waiting)
                if len(batch) == MOST:
                    return batch, True
                waiting = self._queue.get_nowait()
        except queue.Empty:
            return batch, True
        return batch, False

    def _patience(self) -> float | None:
        """Seconds to wait for a write before there is something else to do; none: there is nothing."""
        if self._stuck:
            return PAUSE
        return None if math.isinf(self._due) else max(0.0, self._due - time.monotonic())

    @property
    def _due(self) -> float:
        """When the log is brought into the file."""
        return min(self._last + QUIET, self._first + LONGEST)

    def _merge(self) -> None:
        """Bring the log into the file, and empty it if something was erased. What a reader still has as it was stays in the
        log, and is tried again; nobody waits for a reader."""
        self._first = self._last = math.inf
        how = "TRUNCATE" if self._erased and not self.writer.shipped else "PASSIVE"
        try:
            with self._connection() as db:
                db.exec_driver_sql("PRAGMA busy_timeout=0")
                try:
                    busy, frames, merged = db.exec_driver_sql(f"PRAGMA wal_checkpoint({how})").one()
                    if how == "TRUNCATE" and not busy:  # a served file without any log looks like a copy (opening.py)
                        version = db.exec_driver_sql("PRAGMA user_version").scalar_one()
                        db.exec_driver_sql(f"PRAGMA user_version = {version}")
                finally:
                    db.exec_driver_sql("PRAGMA busy_timeout=5000")
        except Exception as error:
            log.warning("The log of the database could not be brought into its file: %s", type(error).__name__)
            self._first = time.monotonic()
        else:
            self._erased = self._erased and how == "TRUNCATE" and bool(busy)
            if merged < frames or self._erased:
                self._first = self._last = time.monotonic()

    def _locks(self, waiting: _Waiting) -> object:
        """What a write waits for if it is locked out, and all that come later with it: its table; of SQLite the file."""
        return "" if self.writer.sqlite else waiting.about or id(waiting)

    def _write(self, batch: list[_Waiting]) -> None:
        """All of it in one transaction; if that fails, in smaller ones. Who is locked out is stuck, behind those before."""
        out = {self._locks(waiting) for waiting in self._stuck}
        self._stuck += [waiting for waiting in batch if self._locks(waiting) in out]
        batch = [waiting for waiting in batch if self._locks(waiting) not in out]
        if self._misses >= SEVERAL:
            self._stuck[:0] = batch
            return
        if not batch:
            return
        if not self.writer.sqlite:
            batch.sort(key=lambda waiting: waiting.about)
        if moves := sum(waiting.row is not None for waiting in batch):
            metrics.BATCH.observe(moves)
        try:
            results = self._transaction(batch)
        except Exception as error:
            locks = list(dict.fromkeys(map(self._locks, batch)))
            if locked(error) and len(locks) > 1:
                half = set(locks[: len(locks) // 2])
                self._write([waiting for waiting in batch if self._locks(waiting) in half])
                self._write([waiting for waiting in batch if self._locks(waiting) not in half])
            elif locked(error):
                self._stuck += batch
                self._misses += 1
                self._why = error
            elif len(batch) > 1 and not isinstance(error, Unreachable):
                for waiting in batch:
                    self._write([waiting])
            else:
                for waiting in batch:
                    waiting.answer.set_exception(error)
        else:
            self._misses = 0
            for waiting, result in zip(batch, results, strict=True):
                waiting.done(result)

    def _again(self) -> None:
        """Try once more those who are stuck, a table at a time, until one is still locked out, which is the last then."""
        while self._stuck and not self._misses:
            first = self._locks(self._stuck[0])
            mine = [waiting for waiting in self._stuck if self._locks(waiting) == first]
            self._stuck = [waiting for waiting in self._stuck if self._locks(waiting) != first]
            self._write(mine)

    def _give_up(self) -> None:
        """Those who are stuck and have waited long enough are told so."""
        now = time.monotonic()
        for waiting in self._stuck:
            if now - waiting.since > PATIENCE:
                waiting.answer.set_exception(self._why)
        self._stuck = [waiting for waiting in self._stuck if not waiting.answer.done()]

    def _transaction(self, batch: list[_Waiting]) -> list[Any]:
        """What the writes of a batch say, when all of them are on disk."""
        with self._connection() as db:
            db.exec_driver_sql("BEGIN IMMEDIATE" if self.writer.sqlite else SHORTLY)
            rows = [waiting.row for waiting in batch if waiting.row is not None]
            if rows:
                self.writer.insert(db, rows)
            results = [waiting.write(db) for waiting in batch]
            if not self.writer.sqlite:
                db.exec_driver_sql(COMMIT)
            db.commit()
            self._erased = bool(db.info.pop(ERASED, False)) or self._erased
        if self.writer.sqlite:
            self._last = time.monotonic()
            self._first = min(self._first, self._last)
        return results

    @contextmanager
    def _connection(self) -> Iterator[sa.Connection]:
        """A connection; what fails is rolled back."""
        if self._db is None:
            how = {"isolation_level": "AUTOCOMMIT"} if self.writer.sqlite else {}
            self._db = self.writer.engine.execution_options(**how).connect()
        try:
            yield self._db
        except BaseException:
            with contextlib.suppress(DBAPIError, Unreachable):
                self._db.rollback()
            self._let_go()
            raise
        if not self.writer.sqlite:
            self._let_go()

    def _let_go(self) -> None:
        """The connection goes back."""
        db, self._db = self._db, None
        if db is not None:
            with contextlib.suppress(DBAPIError, Unreachable):
                db.close()


def locked(error: Exception) -> bool:
    """Another program is writing to the SQLite file, or has locked a row."""
    cause = error.orig if isinstance(error, DBAPIError) else None
    return getattr(cause, "sqlite_errorcode", 0) & 0xFF in LOCKED or getattr(cause, "sqlstate", None) in LOCKED_ROW
