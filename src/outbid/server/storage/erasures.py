"""What was erased, so that a restored copy from before forgets it again.

Code that erases calls `note` in the same transaction. A row says when, of which kind, and a mark of what it was: the random
id of a table or of a notice, else a hash with a moment that only the database holds; so neither rows nor list tell a name,
and the mark of a name fits nobody who keeps it later. Where copies are made, the list `erasures` lies beside them
(backups.py).
"""

import hashlib
import json
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from outbid.core.errors import OutbidError
from outbid.core.files import appearing
from outbid.server.storage.schema import erasures, names
from outbid.server.storage.writer import ERASED

LIST = "erasures"  # a file of lines: moment, kind, mark
KEPT = 400 * 24 * 3600.0  # seconds that a row stays


def note(db: sa.Connection, kind: str, mark: str) -> None:
    """Something is erased in this transaction."""
    now = time.time()
    db.info[ERASED] = True
    db.execute(sa.delete(erasures).where(erasures.c.at < now - KEPT))
    db.execute(sa.insert(erasures), {"at": now, "kind": kind, "mark": mark})


def hidden(*parts: object) -> str:
    """The mark of what has no random id; one of the parts is a moment of the database."""
    return hashlib.sha256(repr(parts).encode("utf-8", "replace")).hexdigest()[:32]


def note_name(db: sa.Connection, kind: str, key: str) -> None:
    """A kept name is given up or erased."""
    since = db.scalar(sa.select(names.c.made).where(names.c.key == key))
    if since is not None:
        note(db, kind, hidden(key, since))


def name_of(db: sa.Connection, mark: str) -> str | None:
    """The key of the kept name with this mark."""
    rows = db.execute(sa.select(names.c.key, names.c.made))
    return next((row.key for row in rows if hidden(row.key, row.made) == mark), None)


def listed(folder: Path) -> list[tuple[float, str, str]]:
    """The list beside the copies. Raises OutbidError if it is damaged."""
    file = folder / LIST
    try:
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        return [(at, kind, mark) for at, kind, mark in map(json.loads, lines)]
    except (OSError, TypeError, ValueError) as error:
        raise OutbidError(f"The list {file} cannot be read: {error}.") from error


def enlist(folder: Path, rows: Collection[tuple[Any, ...]], since: float = 0.0) -> None:
    """Write rows to the list beside the copies; what is older than the oldest copy (`since`) goes."""
    old = listed(folder)
    lines = sorted(row for row in {*old, *map(tuple, rows)} if row[0] >= since)
    if lines != old:
        with appearing(folder / LIST, force=True, private=True) as file:
            file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
