"""Copies of an SQLite database, made while the server runs: each is looked through when it is written, so many are kept.

    outbid serve --backup-to DIR [--every 1d] [--keep 14]

A copy is `outbid-2027-01-31T050000.db`, after the moment at which it was made, and appears whole or not at all; files with
other names are nobody's. `outbid admin restore` brings one back. What `outbid admin backup` writes is made here, too.

The clock on the wall may have been wrong: copies of a moment that is still to come count as the oldest, and nobody
waits for that moment.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import re
import sqlite3
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from outbid.core.errors import BadSetup, OutbidError
from outbid.core.files import appearing
from outbid.core.language.phrases import plural
from outbid.server import metrics
from outbid.server.storage.store import Store

EVERY = re.compile(r"([1-9][0-9]{0,3})([mhd])")
SECONDS = {"m": 60.0, "h": 3600.0, "d": 24 * 3600.0}
NAME = "outbid-%Y-%m-%dT%H%M%S.db"
AGAIN = 600.0  # seconds until one that failed is tried again

log = logging.getLogger("outbid")


@dataclass(frozen=True)
class Plan:
    """Where copies go, how many seconds lie between two, and how many are kept."""

    folder: Path
    every: float
    keep: int


def planned(folder: str | Path, every: str | None = None, keep: int | None = None) -> Plan:
    """The plan that these words say; by default a copy a day, of which 14 are kept. Raises BadSetup."""
    every, keep = "1d" if every is None else every, 14 if keep is None else keep
    interval = EVERY.fullmatch(every)
    if not interval:
        raise BadSetup(f"Backups are made every {every!r}; it is a number of minutes, hours or days, as in 30m, 6h or 1d.")
    if keep < 1:
        raise BadSetup(f"{keep} backups are kept; it must be at least 1.")
    path = Path(folder).expanduser()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BadSetup(f"The folder {path} cannot be made: {error.strerror}.") from error
    return Plan(path, int(interval[1]) * SECONDS[interval[2]], keep)


class Backups:
    """Makes the copies of a plan as long as the server runs."""

    def __init__(self, store: Store, plan: Plan):
        self.store = store
        self.plan = plan
        if store.engine.dialect.name != "sqlite" or not store.engine.url.database:
            raise BadSetup("The server backs up SQLite files; for PostgreSQL there is pg_dump.")
        self.source = Path(store.engine.url.database)

    def _made(self) -> dict[Path, float]:
        """When each copy in the folder was made, by its name."""
        times = {}
        for path in self.plan.folder.glob("outbid-*T*.db"):
            with contextlib.suppress(ValueError):
                at = datetime.strptime(path.name, NAME).replace(tzinfo=UTC)
                if at.strftime(NAME) == path.name:
                    times[path] = at.timestamp()
        return times

    def there(self) -> list[Path]:
        """The copies in the folder, the oldest first."""
        now, times = time.time(), self._made()
        return sorted(times, key=lambda path: (times[path] <= now, times[path]))

    def age(self) -> float:
        """Seconds since the newest copy was made; infinite if there is none."""
        now = time.time()
        return now - max((at for at in self._made().values() if at <= now), default=-math.inf)

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

    def make(self) -> Path:
        """One copy, looked through; older ones than are kept go. Raises OutbidError."""
        file = self.plan.folder / datetime.now(UTC).strftime(NAME)
        with appearing(file, force=True, private=True) as written:
            copy(self.source, written)
            held = counted(written, self.source)
        log.info("A backup was made: %s, %s.", file.name, held)
        copies = [path for path in self.there() if path != file]
        for old in copies[: max(0, len(copies) - self.plan.keep + 1)]:
            old.unlink(missing_ok=True)
        return file


def copy(source: Path, target: Path) -> None:
    """SQLite's own copy of a database, as one file, checked. Raises OutbidError."""
    try:
        with (
            contextlib.closing(sqlite3.connect(source, timeout=20)) as old,
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
