"""The one writer of a database: what waits to be written goes into one transaction, in a thread of its own.

    Store.append, .sit, .wish, …  →  Writer.put(write)  →  the thread: begin, every write that waits, commit  →  the answers

A write is a function of a connection; it may be called a second time, so it does nothing but write. A commit costs a turn of
the disk, or a round trip to the database, whatever it holds: the more moves wait, the more of them share one. The order in
which they were put is kept, so it is kept for each table. Rows that are put with a write, of which a batch has many, are
inserted first, all by one statement: after every statement this thread waits for the event loop's, up to a switch interval.

If anything in a batch fails, the whole is rolled back and each write is tried for itself: what was wrong hits only its
author. A database that another program has locked is waited for, up to `PATIENCE` for each write.

On PostgreSQL there are several such threads (`lanes`). A table always has the same one, so that its order is kept; tables of
a batch are written in the order of their names, so that two processes never wait for each other.
"""

from __future__ import annotations

import contextlib
import logging
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
PAUSE = 0.05  # seconds between two tries at a locked database

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
        if self.row is not None:  # of what is secret, as a standing order, not even that it was written is counted
            metrics.COMMIT.observe(time.monotonic() - self.since)
        self.answer.set_result(result)


class Writer:
    """Threads that write to a database. They begin with the first write."""

    def __init__(self, engine: sa.Engine, insert: Insert, lanes: int = 1):
        self.engine = engine
        self.insert = insert
        self.sqlite = engine.dialect.name == "sqlite"
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
        self._now: list[_Waiting] = []  # the batch in hand
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._closed = False
        self._db: sa.Connection | None = None  # of SQLite; those of PostgreSQL are tried before they are used

    def put(self, one: _Waiting) -> Future[Any]:
        with self._lock:
            if self._closed:
                raise RuntimeError("the database is closed")
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
                self._thread.start()
            self.many += 1
        self._queue.put(one)
        return one.answer

    def age(self) -> float:
        """Seconds for which the oldest write in hand has waited."""
        batch = self._now
        return time.monotonic() - batch[0].since if batch else 0.0

    def close(self) -> None:
        with self._lock:
            self._closed = True
            thread, self._thread = self._thread, None
        if thread:
            self._queue.put(None)
            thread.join()

    def _run(self) -> None:
        open_ = True
        while open_:
            batch, open_ = self._batch()
            if batch:
                self._now = batch
                self._write(batch)
                self._now = []
                with self._lock:
                    self.many -= len(batch)
        self._let_go()

    def _batch(self) -> tuple[list[_Waiting], bool]:
        """What waits; waits itself if nothing does. False: it was the last."""
        batch: list[_Waiting] = []
        one = self._queue.get()
        while True:
            if one is None:
                return batch, False
            batch.append(one)
            if len(batch) == MOST:
                return batch, True
            try:
                one = self._queue.get_nowait()
            except queue.Empty:
                return batch, True

    def _write(self, batch: list[_Waiting]) -> None:
        """All of it in one transaction; if that fails, each for itself. A locked database is waited for."""
        batch = [one for one in batch if one.answer.set_running_or_notify_cancel()]
        if not self.writer.sqlite:
            batch.sort(key=lambda one: one.about)
        while batch:
            if moves := sum(one.row is not None for one in batch):
                metrics.BATCH.observe(moves)
            try:
                results = self._transaction(batch)
            except Exception as error:
                if locked(error):
                    batch = self._patient(batch, error)
                elif len(batch) > 1 and not isinstance(error, Unreachable):
                    for one in batch:
                        self._write_alone(one)
                    return
                else:
                    for one in batch:
                        one.answer.set_exception(error)
                    return
            else:
                for one, result in zip(batch, results, strict=True):
                    one.done(result)
                return

    def _write_alone(self, one: _Waiting) -> None:
        try:
            one.done(self._transaction([one])[0])
        except Exception as error:
            one.answer.set_exception(error)

    def _patient(self, batch: list[_Waiting], error: Exception) -> list[_Waiting]:
        """Those who wait on for a locked database; the others have waited long enough."""
        now = time.monotonic()
        for one in batch:
            if now - one.since > PATIENCE:
                one.answer.set_exception(error)
        time.sleep(PAUSE)
        return [one for one in batch if not one.answer.done()]

    def _transaction(self, batch: list[_Waiting]) -> list[Any]:
        """What the writes of a batch say, when all of them are on disk."""
        with self._connection() as db:
            if self.writer.sqlite:
                db.exec_driver_sql("BEGIN IMMEDIATE")
            rows = [one.row for one in batch if one.row is not None]
            if rows:
                self.writer.insert(db, rows)
            results = [one.write(db) for one in batch]
            db.commit()
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
    """Another program is writing to the SQLite file."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in LOCKED
