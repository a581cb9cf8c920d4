"""Reviews of finished matches, made in the background: one process at a time, which the tables do not notice.

`Reviews.begin(table)` starts a `Job`, unless there is one; its progress and the review so far can be looked at meanwhile.
The process is given the record of the match and nothing else, runs at low priority, and ends with the server. What it made
is kept in the database, so that it is made once for each match; one of an older format is made anew.

At the end of a match those who sat there see a small curve (`sketch`): what a review says first, made only while nothing
else is made or waits, in at most `QUICK` seconds, and kept in memory. Of `SKETCHED` matches it is known that it was made or
could not be: it is not begun again.

Those that wait are made in turn of the addresses that asked for them (rate_limits.py), before all others those asked for by
a person who has a seat at the table. A match may have `MOST` moves, and a review takes at most `LONGEST` seconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from outbid import bots
from outbid.core.hooks.policy_params import STEADY
from outbid.core.language import names
from outbid.core.language.i18n import _
from outbid.core.record import read_record
from outbid.review import FORMAT
from outbid.server import tokens
from outbid.server.domain.table import Table
from outbid.server.logging import log
from outbid.server.rate_limits import FairQueue
from outbid.server.settings import Refused
from outbid.server.stored import Seat as Place
from outbid.server.stored import Stored

NICE = 10  # tables and bots come first
PATIENCE = 900.0  # seconds without a word; the first time in a game its rules are compiled
READ = 16  # reviews kept in memory
EVERY = 0.3  # seconds between two reports
MOST = 3000  # moves of a match that is reviewed
LONGEST, QUICK = 3600.0, 120.0  # seconds: of a review; of a curve alone
SKETCHED = 1000  # matches whose curve is not begun again

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from outbid.server.storage.store import Store


@dataclass
class Job:
    """A review that is being made, or waits. seat: whose moments come first; done: 0 to 1; so_far: what is known already;
    failed: it will not be; sketch: the curve alone."""

    table: str
    record: dict[str, Any]
    seat: int | None = None
    begun: bool = False
    done: float = 0.0
    so_far: dict[str, Any] = field(default_factory=dict)
    failed: bool = False
    sketch: bool = False


class Reviews:
    """All reviews of a server."""

    def __init__(self, store: Store):
        self.store = store
        self.jobs: dict[str, Job] = {}
        self._read: dict[str, dict[str, Any]] = {}  # the last ones that were looked at: each step of a replay asks
        self._sketches: dict[str, dict[str, Any] | None] = {}  # none: being made; {}: it failed, or is forgotten
        self._lines: tuple[FairQueue[Job], FairQueue[Job]] = (FairQueue(), FairQueue())  # of those who sat there; of others
        self._thread: threading.Thread | None = None  # one after the other
        self._lock = threading.Lock()
        self._process: Any = None
        self._open = True

    def kept(self, table: str) -> dict[str, Any] | None:
        """The review of a match, if it is there."""
        if table not in self._read and (review := self.store.review(table, FORMAT)):
            self._read[table] = review
            if len(self._read) > READ:
                del self._read[next(iter(self._read))]
        return self._read.get(table)

    def begin(self, table: Table, address: str = "", own: bool = True, seat: int | None = None) -> Job:
        """Make the review of a finished match for an address, own: for one of its players; or the job that does so already.
        seat: whose moments come first. Raises Refused."""
        if len(table.playing.moves) > MOST:
            raise Refused(409, _("A match of more than {n} moves is not reviewed here; `outbid analyse` does it.", n=MOST))
        with self._lock:
            job = self.jobs.get(table.id)
            if job is None or job.failed:
                job = self.jobs[table.id] = Job(table.id, table.playing.record(), seat)
                self._wait(job, address, own)
            return job

    def sketch(self, table: Table, address: str = "") -> dict[str, Any] | None:
        """The curve of a finished match, with `course` as in a review; none if it is not there yet, {} if there will be
        none. It is begun if nothing else is made."""
        job = self.jobs.get(table.id)
        if known := self.kept(table.id) or (job.so_far if job else {}) or self._sketches.get(table.id):
            return known
        if job and not job.failed:
            return None
        if len(table.playing.moves) > MOST:
            return {}
        with self._lock:
            if self._thread is None and table.id not in self._sketches:
                self._sketches[table.id] = None
                self._wait(Job(table.id, table.playing.record(), sketch=True), address, True)
            return self._sketches.get(table.id)

    def _sketched(self, table: str, review: dict[str, Any]) -> None:
        """A curve is there, or will not be; the oldest are forgotten."""
        with self._lock:
            self._sketches.pop(table, None)
            self._sketches[table] = review
            for old in [name for name, curve in self._sketches.items() if curve][:-READ]:
                self._sketches[old] = {}
            while len(self._sketches) > SKETCHED:
                del self._sketches[next(iter(self._sketches))]

    def _wait(self, job: Job, address: str, own: bool) -> None:
        """Put a job in its line, and start the worker if needed; the lock is held."""
        self._lines[not own].put(address, job)
        if self._thread is None and self._open:
            self._thread = threading.Thread(target=self._run, name="reviews", daemon=True)
            self._thread.start()

    def before(self, job: Job) -> int:
        """How many are made before one that waits."""
        with self._lock:
            waiting = [job for line in self._lines for job in line]
            return waiting.index(job) + (self._process is not None) if job in waiting else 0

    def _run(self) -> None:
        """In a thread of its own: one job after the other."""
        while True:
            with self._lock:
                line = next((line for line in self._lines if len(line)), None)
                if line is None or not self._open:
                    self._thread = None
                    return
                _address, job = line.take()
                job.begun = True
            self._make(job.table, job.record, job)

    def _make(self, table: str, record: dict[str, Any], job: Job) -> None:
        """Start the process and listen to it."""
        from multiprocessing.connection import Pipe

        from outbid.bots.worker import background

        line, other = Pipe()
        process = self._process = background(work, other, record, job.sketch, job.seat, nice=NICE)
        until = time.monotonic() + (QUICK if job.sketch else LONGEST)
        try:
            process.start()
            other.close()
            while line.poll(max(0.0, min(PATIENCE, until - time.monotonic()))):
                job.done, so_far, review = line.recv()
                job.so_far = so_far or job.so_far
                if review is not None and job.sketch:
                    self._sketched(table, review)
                    return
                if review is not None:
                    self.store.keep_review(table, review)
                    self.jobs.pop(table, None)
                    return
            raise TimeoutError
        except Exception as error:
            job.failed = True
            if job.sketch:
                self._sketched(table, {})
            if self._open:
                log.warning("The review of table %s could not be made: %s", table, str(error) or type(error).__name__)
        finally:
            line.close()
            if process.is_alive():
                process.kill()
            process.join()
            self._process = None
            job.record = {}

    async def close(self) -> None:
        """Nothing is made any more."""
        self._open = False
        process, thread = self._process, self._thread
        if process is not None and process.pid is not None and process.is_alive():
            process.kill()
        if thread is not None:
            await asyncio.to_thread(thread.join)


def work(line: Connection, record: dict[str, Any], curve: bool = False, seat: int | None = None) -> None:
    """Make one review, that of a seat's moments first, or its curve alone; says (done, the review so far if it is new, the
    whole one at the end)."""
    told, known = 0.0, (0, 0)

    def tell(done: float, so_far: dict[str, Any]) -> None:
        nonlocal told, known
        news = so_far["worlds"], sum(bool(decision["better"]) for decision in so_far.get("decisions", ()))
        if time.monotonic() - told > EVERY or news != known:
            told = time.monotonic()
            line.send((done, so_far if news != known else None, None))
            known = news

    from outbid.review.review import review, sketch  # NumPy is this process's alone

    match = read_record(record)
    with contextlib.suppress(OSError):  # nobody listens any more
        line.send((1.0, None, sketch(match) if curve else review(match, tell=tell, first=seat)))


def going_on(table: Table, number: int, seat: int, name: str) -> tuple[Stored, str]:
    """A new table that goes on after the first `number` moves of a finished match, and the secret token of the one seat that
    a person takes; bots sit where they sat, and a steady one for anybody else. It never counts."""
    match, token = table.playing, tokens.new_token()
    seats: list[Place] = []
    for n, old in enumerate(table.seats):
        if n == seat:
            seats.append(Place("human", name, None, tokens.new_seed(), tokens.hashed(token)))
        else:
            called = (names.alike(old.name, [name]) is None and old.name) or bots.called([name, *table.playing.names])
            seats.append(Place("bot", called, old.bot or STEADY, tokens.new_seed()))
    moves = [move for at, move in match.numbered if at < number]
    facts = {"status": "playing", "pace": table.pace, "host": seat, "hints": "on"}
    return Stored.of(match, tokens.new_id(), seats, moves, **facts), token
