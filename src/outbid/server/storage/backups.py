"""Copies of an SQLite database, made while the server runs: whole ones from time to time, and in between every commit.

    outbid serve --backup-to DIR [--every 1d] [--keep 14]

A copy is `outbid-2027-01-31T050000.db`, after the moment at which it was made, and appears whole or not at all, looked
through when it is written; what is committed after it follows within a second (shipping.py). Files with other names are
nobody's. A copy goes, with what follows it, when there are `keep` newer ones and it is older than `keep` times `every`.
`outbid admin restore` brings back a copy, or a moment (restoring.py). What `outbid admin backup` writes is made here, too.

The clock on the wall may have been wrong: copies of a moment that is still to come count as the oldest, and nobody
waits for that moment.
"""

import asyncio
import contextlib
import math
import re
import sqlite3
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from outbid.core.errors import BadSetup, OutbidError
from outbid.core.files import appearing
from outbid.core.language.phrases import plural
from outbid.server import metrics
from outbid.server.logging import log
from outbid.server.storage.erasures import enlist
from outbid.server.storage.opening import connected
from outbid.server.storage.restoring import no_room
from outbid.server.storage.schema import erasures
from outbid.server.storage.shipping import NAME, Shipper, copies, logs
from outbid.server.storage.store import Store

EVERY = re.compile(r"([1-9][0-9]{0,3})([mhd])")
SECONDS = {"m": 60.0, "h": 3600.0, "d": 24 * 3600.0}
AGAIN = 600.0  # seconds until one that failed is tried again
TICK = 0.5  # seconds between two looks at what was committed
NIGHT = 4  # the hour of a rehearsal
REHEARSED = "rehearsed"  # a file as old as the last one that was good
OWNER = "database"  # a file that says whose copies these are


@dataclass(frozen=True)
class Plan:
    """Where copies go, how many seconds lie between two, and how many are kept."""

    folder: Path
    every: float
    keep: int


def seconds_of(text: str) -> float | None:
    """The seconds of so many minutes, hours or days, written as 30m, 6h or 1d; none: the text is something else."""
    length = EVERY.fullmatch(text)
    return int(length[1]) * SECONDS[length[2]] if length else None


def planned(folder: str | Path, every: str | None = None, keep: int | None = None) -> Plan:
    """The plan that these words say; by default a copy a day, of which 14 are kept. Raises BadSetup."""
    every, keep = "1d" if every is None else every, 14 if keep is None else keep
    interval = seconds_of(every)
    if interval is None:
        raise BadSetup(f"Backups are made every {every!r}; it is a number of minutes, hours or days, as in 30m, 6h or 1d.")
    if keep < 1:
        raise BadSetup(f"{keep} backups are kept; it must be at least 1.")
    path = Path(folder).expanduser()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BadSetup(f"The folder {path} cannot be made: {error.strerror}.") from error
    return Plan(path, interval, keep)


class Backups:
    """Makes the copies of a plan as long as the server runs."""

    def __init__(self, store: Store, plan: Plan):
        self.store = store
        self.plan = plan
        if store.engine.dialect.name != "sqlite" or not store.engine.url.database:
            raise BadSetup("The server backs up SQLite files; for PostgreSQL there is deploy/copies.sh.")
        self.source = Path(store.engine.url.database)
        self._making = threading.Lock()
        self._shipper: Shipper | None = None
        self._enlisted = 0  # the newest erasure that is in the list beside the copies

    def begin(self) -> None:
        """Ship what is committed from now on, until `close`. Raises OutbidError."""
        owner, source = self.plan.folder / OWNER, str(self.source.resolve())
        try:
            other = owner.read_text("utf-8") if owner.exists() else ""
            if other not in ("", source) and Path(other).exists():
                raise OutbidError(f"{self.plan.folder} has the copies of {other}; please name another folder for {source}.")
            owner.write_text(source, "utf-8")
            self._shipper = Shipper(self.source, self.plan.folder)
            self._shipper.begin(next(iter(reversed(self.there())), None))
        except (OSError, sqlite3.Error) as error:
            raise OutbidError(f"What is committed cannot be copied to {self.plan.folder}: {error}.") from error
        if self.store.writer:  # the shipper brings the log into the file, not who makes a move
            self.store.writer.shipped = True
            self.store.writer.put(lambda db: db.exec_driver_sql("PRAGMA wal_autocheckpoint=0"))

    def close(self) -> None:
        """Ship what is left, after the database was closed."""
        if self._shipper:
            self._shipper.close()

    def there(self) -> list[Path]:
        """The copies in the folder, the oldest first."""
        now, times = time.time(), copies(self.plan.folder)
        return sorted(times, key=lambda path: (times[path] <= now, times[path]))

    def age(self) -> float:
        """Seconds since the newest copy was made; infinite if there is none."""
        now = time.time()
        return now - max((at for at in copies(self.plan.folder).values() if at <= now), default=-math.inf)

    async def run(self) -> None:
        """Make copies until cancelled."""
        metrics.BACKUP.labels("newest").set_function(self.age)
        while True:
            await asyncio.sleep(max(0.0, self.plan.every - self.age()))
            try:
                await self.store.beside(self.make)
            except (OutbidError, OSError) as error:
                log.error("A backup could not be made: %s", error)
                await asyncio.sleep(min(AGAIN, self.plan.every))

    async def ship(self) -> None:
        """Ship what is committed until cancelled, and make a whole copy where the log of the last one cannot go on."""
        shipper = self._shipper
        assert shipper
        metrics.BACKUP.labels("log").set_function(lambda: time.time() - shipper.shipped)
        well, tried = True, -math.inf
        with ThreadPoolExecutor(1, "ships the log") as thread:
            while True:
                try:
                    await asyncio.get_running_loop().run_in_executor(thread, self._ship, shipper)
                    if shipper.copy is None and time.monotonic() > tried + AGAIN:
                        tried = time.monotonic()
                        await self.store.beside(self.make, True)
                    well = well or shipper.copy is not None
                except (OutbidError, OSError, sqlite3.Error, DBAPIError) as error:
                    if well:  # once
                        log.error("What is committed is not copied at the moment: %s", error)
                    well = False
                await asyncio.sleep(TICK if well else 10 * TICK)

    def _ship(self, shipper: Shipper) -> None:
        """Ship what was committed, and the list of what was erased."""
        shipper.ship()
        new = erasures.c.id > self._enlisted
        rows = self.store.rows(sa.select(erasures.c.id, erasures.c.at, erasures.c.kind, erasures.c.mark).where(new))
        if rows:
            since = min(copies(self.plan.folder).values(), default=0.0)
            enlist(self.plan.folder, [row[1:] for row in rows], since)
            self._enlisted = rows[-1].id
            shipper.erased = True

    async def rehearse(self) -> None:
        """Let another process restore and replay the newest copies every night, until cancelled."""
        good = self.plan.folder / REHEARSED
        metrics.BACKUP.labels("rehearsal").set_function(
            lambda: time.time() - (good.stat().st_mtime if good.exists() else -math.inf)
        )
        while True:
            await asyncio.sleep(_night(time.time()) - time.time())
            try:
                end, reason = await self._rehearsal()
            except OSError as error:
                end, reason = "failed", str(error)
            metrics.REHEARSALS.labels(end).inc()
            if end == "good":
                good.touch()
            else:
                log.error("The rehearsal of a restore failed: %s", reason)

    async def _rehearsal(self) -> tuple[str, str]:
        """How a rehearsal ended (good, failed, no_room), and what it printed."""
        if lack := no_room(self.plan.folder):
            return "no_room", lack
        command = [sys.executable, "-P", "-m", "outbid", "admin", "rehearse", str(self.plan.folder)]
        none, piped, joined = asyncio.subprocess.DEVNULL, asyncio.subprocess.PIPE, asyncio.subprocess.STDOUT
        process = await asyncio.create_subprocess_exec(*command, stdin=none, stdout=piped, stderr=joined)
        try:
            output, _errors = await process.communicate()
        except asyncio.CancelledError:
            process.kill()
            raise
        return "failed" if process.returncode else "good", " ".join(output.decode("utf-8", "replace").split())[-500:]

    def make(self, lost: bool = False) -> Path | None:
        """One copy, looked through; older ones than are kept go. lost: only if the log of the last one cannot go on.

        Raises OutbidError."""
        with self._making:
            if lost and self._shipper and self._shipper.copy:
                return None
            now = time.time()
            while (file := self.plan.folder / datetime.fromtimestamp(now, UTC).strftime(NAME)).exists():
                now += 1
            with (
                self._shipper.copying(file) if self._shipper else contextlib.nullcontext(),
                appearing(file, force=True, private=True) as written,
            ):
                copy(self.source, written)
                held = counted(written, self.source)
            log.info("A backup was made: %s, %s.", file.name, held)
            older = [path for path in self.there() if path != file]
            for old in older[: max(0, len(older) - self.plan.keep + 1)]:
                if not 0 <= now - copies(self.plan.folder)[old] <= self.plan.keep * self.plan.every:
                    for part in (*logs(old), old):
                        part.unlink(missing_ok=True)
            return file


def copy(source: Path, target: Path) -> None:
    """SQLite's own copy of a database, as one file, checked. Raises OutbidError."""
    try:
        with (
            contextlib.closing(connected(source)) as old,
            contextlib.closing(sqlite3.connect(target)) as new,
        ):
            old.backup(new)
            new.execute("pragma user_version=0")  # no server has the copy (opening.mark)
            new.execute("pragma journal_mode=delete").fetchone()
            sound = [row[0] for row in new.execute("pragma integrity_check(1)")]
    except sqlite3.Error as error:
        raise OutbidError(f"The database {source} cannot be copied: {error}.") from error
    if sound != ["ok"]:
        raise OutbidError(f"The database {source} is damaged: {' '.join(sound[0].split())}.")


def counted(file: Path, shown: Path) -> str:
    """What a copied database holds. Raises OutbidError if it is none of Outbid."""
    try:
        with contextlib.closing(sqlite3.connect(file)) as db:
            db.execute("select version_num from alembic_version").fetchone()
            tables, moves = (db.execute(f"select count(*) from {name}").fetchone()[0] for name in ("tables", "moves"))
    except sqlite3.Error as error:
        raise OutbidError(f"The file {shown} is not a database of Outbid.") from error
    return f"{plural(tables, 'table')} with {plural(moves, 'move')}"


def _night(after: float) -> float:
    """The next time for a rehearsal after a moment."""
    last = datetime.fromtimestamp(after)
    tonight = last.replace(hour=NIGHT, minute=0, second=0, microsecond=0)
    return (tonight if tonight > last else tonight + timedelta(days=1)).timestamp()
