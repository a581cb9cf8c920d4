"""New databases of tests are copies of one: made anew each, it takes longer than most of what is done with it."""

from __future__ import annotations

import contextlib
import functools
import sqlite3
import threading

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from outbid.server.storage import opening

_upgrade = opening.upgrade
_one = threading.Lock()


@functools.cache
def _made() -> sqlite3.Connection:
    engine = sa.create_engine("sqlite://", poolclass=sa.StaticPool)
    _upgrade(engine)
    with engine.connect() as db:
        pages = db.connection.driver_connection.serialize()  # type: ignore[union-attr]
    engine.dispose()
    copy = sqlite3.connect(":memory:", check_same_thread=False)
    copy.deserialize(pages)
    return copy


def upgrade(engine: sa.Engine) -> None:
    """The same as `opening.upgrade`, which says what is wrong where this cannot be."""
    with contextlib.suppress(DBAPIError, sqlite3.Error):
        if engine.dialect.name == "sqlite":
            with engine.connect() as db, _one:
                if not sa.inspect(db).get_table_names():
                    _made().backup(db.connection.driver_connection)  # type: ignore[arg-type]
    _upgrade(engine)


opening.upgrade = upgrade
