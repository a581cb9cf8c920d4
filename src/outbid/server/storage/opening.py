"""Opening a database: its URL, its engine, and its tables, made or brought up to date."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from outbid.core.errors import OutbidError
from outbid.server.storage import migrations
from outbid.server.storage.schema import metadata


def url_of(database: str) -> str:
    """An SQLAlchemy URL of a URL or of the path of an SQLite file, whose folder is made."""
    if "://" in database:
        return database
    path = Path(database).expanduser()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutbidError(f"The folder {path.parent} cannot be made: {error.strerror}.") from error
    return f"sqlite:///{path}"


def engine(url: str) -> sa.Engine:
    """The engine of a database, whose commits are on disk when they return. Raises OutbidError."""
    try:
        if is_postgres(sa.make_url(url)):
            from outbid.server.storage import postgres

            return postgres.engine(url)
        made = sa.create_engine(url, hide_parameters=True)  # what is written is secret, also in errors
    except ModuleNotFoundError as error:
        sentence = f"This database needs the package {error.name}, which is not installed"
        raise OutbidError(f"{sentence}; `pip install 'outbid[postgres]'` brings what PostgreSQL needs.") from error
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise OutbidError(f"The database {url!r} cannot be used: {error}.") from error
    if made.dialect.name == "sqlite":
        _keep_private(made.url.database)
        event.listen(made, "connect", _durable)
    return made


def _keep_private(file: str | None) -> None:
    """A new database is for its owner only: it holds hands, decks and what was said."""
    if file and not file.startswith((":", "file:")):
        with contextlib.suppress(OSError):  # SQLite will say why
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def is_postgres(url: sa.URL) -> bool:
    """The database is a PostgreSQL."""
    return url.get_backend_name() in ("postgresql", "postgres")


def _durable(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def shown(engine: sa.Engine) -> str:
    """The database without its password."""
    return engine.url.render_as_string(hide_password=True)


def upgrade(engine: sa.Engine) -> None:
    """Make the tables, or bring those of an older version up to date. Raises OutbidError for any other database."""
    with engine.begin() as db:
        if is_postgres(engine.url):
            from outbid.server.storage import postgres

            postgres.one_at_a_time(db)
        revision = migrations.revision(db)
        if revision is not None and revision not in migrations.known():
            raise OutbidError(
                f"The database {shown(engine)} was made by another version of Outbid (its revision is {revision!r}); "
                "update Outbid or name another database."
            )
        if revision is None and sa.inspect(db).get_table_names():
            raise OutbidError(f"The database {shown(engine)} holds the tables of another program; name another database.")
        if revision != max(migrations.known()):
            migrations.upgrade(db)
        if is_postgres(engine.url):
            postgres.prepare(db, metadata)
