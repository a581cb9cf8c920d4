"""A database as it was at a moment, made of its copies: the whole copy before, and what was committed until then."""

import contextlib
import math
import os
import random
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import sqlalchemy as sa

from outbid.core.errors import BadSetup, OutbidError
from outbid.server.storage import erasures, people
from outbid.server.storage.notices import Notices
from outbid.server.storage.schema import chat, moves
from outbid.server.storage.shipping import FRAME, HEADER, MERGE, copies, logs, pieces
from outbid.server.storage.store import Store

DAY = 24 * 3600.0
OTHERS = 100  # tables of a rehearsal in which nothing has changed
ROOM = 2**28  # bytes that a rehearsal leaves free


def moment(text: str) -> float:
    """The moment that is written as 2027-01-31T05:00:00, of UTC if it names no zone. Raises BadSetup."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise BadSetup(f"{text!r} is no moment; one is 2027-01-31T05:00:00, which is of UTC, or ends with +02:00.") from None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()


def rebuild(folder: Path, until: float, file: Path) -> float:
    """Make a file of the copies in a folder, as the database was at a moment, or the newest before. Returns that moment.
    Raises OutbidError."""
    since = {}
    for copy, at in copies(folder).items():
        log = next(iter(logs(copy)), None)
        first = next(pieces(log), None) if log else None
        since[copy] = first.at if first else at
        if since[copy] > until:
            del since[copy]
    if not since:
        raise BadSetup(f"There is no copy in {folder}" + ("." if until == math.inf else " from that moment or before."))
    now = time.time()
    copy = max(since, key=lambda copy: (since[copy] <= now, since[copy]))  # the clock may have been wrong
    reached = since[copy]
    try:
        shutil.copyfile(copy, file)
        with contextlib.closing(sqlite3.connect(file)) as db:
            db.execute("PRAGMA journal_mode=WAL").fetchone()
        parts = logs(copy)
        for number, log in enumerate(parts, 1):
            if log.name != f"{copy.stem}.{number:06}.log":
                raise OutbidError(f"What was committed before {log} is missing.")
            at, whole = _replay(log, until, file)
            reached = max(reached, at)
            later = next(pieces(parts[number]), None) if number < len(parts) else None
            if later and later.at > until:
                break
            if later and not whole:
                raise OutbidError(
                    f"The log {log} is damaged after {shown(reached)}; --at brings back that moment, or one before."
                )
    except (OSError, sqlite3.Error) as error:
        raise OutbidError(f"The copies in {folder} cannot be replayed: {error}.") from error
    return reached


def shown(at: float) -> str:
    """A moment as `moment` reads it."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _replay(log: Path, until: float, file: Path) -> tuple[float, bool]:
    """Let SQLite replay what a log holds until a moment. Returns when the last of it was committed, and whether that was the
    whole log."""
    size = page = end = 0
    at = -math.inf
    with open(f"{file}-wal", "wb") as wal:
        for piece in pieces(log):
            if piece.at > until:
                break
            if piece.place != size:
                raise OutbidError(f"The log {log} is damaged.")
            page = page or int.from_bytes(piece.data[8:12])
            size += wal.write(piece.data)
            at, end = piece.at, piece.end
    if size:
        with contextlib.closing(sqlite3.connect(file)) as db:
            replayed = db.execute(MERGE).fetchone()[1:]
        if replayed != ((size - HEADER) // (FRAME + page),) * 2:
            raise OutbidError(f"The log {log} is damaged.")
    return at, end == log.stat().st_size


def _notice(store: Store, mark: str) -> bool:
    notice = Notices(store).find(mark)
    if notice:
        Notices(store).stop(mark)
    return notice is not None


def _name(store: Store, mark: str, again: Callable[[str, sa.Connection], object]) -> bool:
    """Erase the kept name with a mark once more."""

    def write(db: sa.Connection) -> bool:
        key = erasures.name_of(db, mark)
        if key is not None:
            again(key, db)
        return key is not None

    return store.write(write)


def _line(store: Store, mark: str) -> bool:
    rows = store.rows(sa.select(chat.c.id, chat.c.table_id, chat.c.at))
    lines = [row for row in rows if erasures.hidden(row.table_id, row.id, row.at) == mark]
    return any(store.write(partial(people.take_down, table=row.table_id, number=row.id)) for row in lines)


AGAIN: dict[str, Callable[[Store, str], bool]] = {
    "table": Store.delete,
    "notice": _notice,
    "name": partial(_name, again=people.give_up),
    "person": partial(_name, again=people.erase),
    "line": _line,
}


def erase_again(store: Store, folder: Path) -> int:
    """Erase what was erased after a restored database was copied, by the list beside the copies; returns how much it was."""
    carried = 0
    for _at, kind, mark in erasures.listed(folder):
        if again := AGAIN.get(kind):
            carried += again(store, mark)
    return carried


def set_aside(file: Path) -> Path:
    """Keep a file and its log under another name beside it."""
    kept = file.with_name(f"{file.name}.{datetime.now(UTC):before-%Y-%m-%dT%H%M%S.%f}")
    for end in ("", "-wal"):
        with contextlib.suppress(FileNotFoundError):
            os.replace(f"{file}{end}", f"{kept}{end}")
    Path(f"{file}-shm").unlink(missing_ok=True)
    return kept


# --- the rehearsal ----------------------------------------------------------------------------------------------------


def no_room(folder: Path) -> str:
    """The sentence about a disk that is too full for a rehearsal; nothing if it is not."""
    needed = ROOM + 2 * max((copy.stat().st_size for copy in copies(folder)), default=0)
    full = shutil.disk_usage(folder).free < needed
    return f"A rehearsal needs {needed // 2**20} MB of room in {folder}, which is not there." if full else ""


@contextlib.contextmanager
def scratch(folder: Path) -> Iterator[Path]:
    """A file for a rehearsal beside the copies. Raises BadSetup if the disk is too full."""
    if not folder.is_dir():
        raise BadSetup(f"There is no folder {folder}.")
    if lack := no_room(folder):
        raise BadSetup(lack)
    place = folder / ".rehearsal"
    shutil.rmtree(place, ignore_errors=True)  # of one that was killed
    place.mkdir(mode=0o700)
    try:
        yield place / "outbid.db"
    finally:
        shutil.rmtree(place, ignore_errors=True)


def chosen(store: Store, reached: float) -> list[str]:
    """The tables with a move in the last day before a moment, and a hundred others at random."""
    changed = set(store.values(sa.select(moves.c.table_id).where(moves.c.at > reached - DAY).distinct()))
    others = [name for name in store.ids() if name not in changed]
    return [*sorted(changed), *random.sample(others, min(OTHERS, len(others)))]
