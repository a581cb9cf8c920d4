"""Opening a database: its URL, its engine, and its tables, made or brought up to date."""

import contextlib
import os
import shlex
import sqlite3
from functools import partial
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from outbid.core.errors import BadSetup, OutbidError
from outbid.core.extras import Missing, needed
from outbid.core.files import data_folder
from outbid.server.storage import migrations
from outbid.server.storage.schema import metadata


def named_database(database: str | None) -> str:
    """The database that was named, or `outbid.db` in the user's data folder. Raises BadSetup if the name is empty."""
    if database is not None and not database.strip():
        raise BadSetup("The database has an empty name; leave it out for the usual one, or name a file or a URL.")
    return str(data_folder() / "outbid.db") if database is None else database


def url_of(database: str) -> str | sa.URL:
    """An SQLAlchemy URL of a URL or of the path of an SQLite file, whose folder is made; whatever signs are in its name."""
    if "://" in database:
        return database
    path = Path(database).expanduser()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutbidError(f"The folder {path.parent} cannot be made: {error.strerror}.") from error
    return sa.URL.create("sqlite", database=str(path))


def engine(url: str | sa.URL, journal: str = "WAL") -> sa.Engine:
    """The engine of a database, whose commits are on disk when they return. journal: of SQLite. Raises OutbidError."""
    file = file_of(url)
    if file and file.is_dir():
        raise OutbidError(f"The database {file} is a folder; please name a file in it.")
    try:
        if is_postgres(sa.make_url(url)):
            with needed("PostgreSQL", "postgres"):
                from outbid.server.storage import postgres

            return postgres.engine(url)
        reading = {"creator": partial(connected, file)} if file and read_only(file) else {}
        database = sa.create_engine(url, hide_parameters=True, **reading)  # what is written is secret, also in errors
    except ModuleNotFoundError as error:
        raise OutbidError(f"This database needs the package {error.name}, which is not installed.") from error
    except Missing:
        raise
    except (ArgumentError, NoSuchModuleError, ImportError, ValueError) as error:
        raise OutbidError(f"The database {str(url)!r} cannot be used: {error}.") from error
    if database.dialect.name == "sqlite" and not reading:
        _keep_private(database.url.database)
        event.listen(database, "connect", partial(_durable, journal))
    return database


def _keep_private(file: str | None) -> None:
    """A new database is for its owner only: it holds hands, decks and what was said."""
    if file and not file.startswith((":", "file:")):
        with contextlib.suppress(OSError):  # SQLite will say why
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def is_postgres(url: sa.URL) -> bool:
    """The database is a PostgreSQL."""
    return url.get_backend_name() in ("postgresql", "postgres")


def _durable(journal: str, connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    kept = ("synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000", "secure_delete=ON")
    for pragma in (f"journal_mode={journal}", *kept):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def file_of(url: str | sa.URL) -> Path | None:
    """The file of a database, if it is an SQLite file."""
    try:
        address = sa.make_url(url)
    except (ArgumentError, ValueError):  # the engine will say so
        return None
    name = address.database if address.get_backend_name() == "sqlite" else None
    return Path(name) if name and not name.startswith((":", "file:")) else None


def read_only(file: Path) -> bool:
    """A database that is there, and can only be read: its disk takes no writing, or it belongs to another user."""
    return file.exists() and not (os.access(file, os.W_OK) and os.access(file.resolve().parent, os.W_OK))


def connected(file: Path) -> sqlite3.Connection:
    """A connection to a file; to one that can only be read without locks, unless there is a log beside it."""
    how = ""
    if read_only(file):
        log = _log_of(file)
        how = "?mode=ro" if log.exists() and log.stat().st_size else "?immutable=1"
    return sqlite3.connect(f"{file.resolve().as_uri()}{how}", uri=True, timeout=20, check_same_thread=False)


def only_read(file: Path) -> str:
    """The sentence about a file that can only be read."""
    return f"The database {file} can only be read: its disk takes no writing, or it belongs to another user."


def shown(engine: sa.Engine) -> str:
    """The database: its file, or its URL without the password."""
    return str(file_of(engine.url) or "") or engine.url.render_as_string(hide_password=True)


# --- damage -----------------------------------------------------------------------------------------------------------


def way_back(engine: sa.Engine) -> str:
    """The sentence about how the file of a database comes back; nothing where it is no file."""
    command = f"outbid admin restore BACKUP --database {shlex.quote(shown(engine))} --force"
    return f"A backup is brought back, while no server runs, by: {command}" if file_of(engine.url) else ""


def is_damage(error: BaseException | None, *codes: int) -> bool:
    """SQLite says that its file is damaged, or is no database."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (codes or (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB))


def unusable(engine: sa.Engine, error: DBAPIError) -> OutbidError:
    """The sentence about a database that could not be opened."""
    reason = str(error.orig).partition("\n")[0].rstrip(".")
    if is_damage(error.orig, sqlite3.SQLITE_CORRUPT):
        return damaged(engine, damage(engine) or reason)
    sentence = f"The database {shown(engine)} cannot be used: {reason}."
    return OutbidError(f"{sentence} If it once was a database: {way_back(engine)}" if is_damage(error.orig) else sentence)


def damaged(engine: sa.Engine, damage: str) -> OutbidError:
    """The sentence about a database that is damaged like this."""
    return OutbidError(f"The database {shown(engine)} is damaged: {damage}. {way_back(engine)}")


def damage(engine: sa.Engine) -> str:
    """What SQLite finds wrong with its file, in short, and in which tables; nothing if all is well."""
    try:
        with engine.connect() as db:
            faults = _looked(db, "3")
            faults += [] if faults == ["ok"] else _places(db)
    except DBAPIError as error:
        faults = [str(error.orig)]
    return "" if faults == ["ok"] else "; ".join(" ".join(fault.split()) for fault in faults)


def _places(db: sa.Connection) -> list[str]:
    """The tables that are damaged, or have a damaged index."""
    try:
        names = list(db.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").scalars())
    except DBAPIError:
        return []
    return [f"in the table {name}" for name in names if _looked(db, f"'{name}'") != ["ok"]]


def _looked(db: sa.Connection, at: str) -> list[str]:
    """What SQLite says of a table, or of everything, and so many faults."""
    try:
        return [str(row[0]) for row in db.exec_driver_sql(f"PRAGMA quick_check({at})")]
    except DBAPIError as error:
        return [str(error.orig)]


# --- a copy of the file alone ----------------------------------------------------------------------------------------------


def mark(db: sa.Connection, served: bool) -> None:
    """Note in the header of an SQLite file that a server has it open, and thus that its log belongs to it, or no longer."""
    db.exec_driver_sql(f"PRAGMA user_version = {int(served)}")


def served(file: Path) -> bool:
    """A server has a file open, or has not closed it. Not asked where SQLite has it open: that would end SQLite's locks."""
    with contextlib.suppress(OSError), file.open("rb") as opened:
        header = opened.read(100)
        return header[:16] == b"SQLite format 3\0" and header[60:64] == (1).to_bytes(4)
    return False


def _log_of(file: Path) -> Path:
    return Path(f"{file.resolve()}-wal")


def without_log(file: Path) -> str:
    """The sentence about a file that looks like a copy made without its log, while a server ran; nothing if it does not."""
    log = _log_of(file)
    if not served(file) or (log.exists() and log.stat().st_size):
        return ""
    return (
        f"{file} looks like a copy that was made while a server ran, without {log.name}: the newest moves may be missing. "
        "A running server's database is copied by `outbid admin backup`."
    )


# --- its tables -------------------------------------------------------------------------------------------------------


def upgrade(engine: sa.Engine) -> None:
    """Make the tables, or bring those of an older version up to date. Raises OutbidError for any other database."""
    with engine.begin() as db:
        if is_postgres(engine.url):
            from outbid.server.storage import postgres

            postgres.one_at_a_time(db)
        revision = migrations.revision(db)
        if revision is None and sa.inspect(db).get_table_names():
            raise OutbidError(f"The database {shown(engine)} holds the tables of another program; name another database.")
        if revision is None:
            migrations.make(db)
        elif revision.isdigit() and revision < migrations.RELEASE:
            raise OutbidError(
                f"The database {shown(engine)} is from before the first release (its revision is {revision!r}); "
                f"open it once with {migrations.BEFORE}, and then with this version."
            )
        elif revision not in migrations.known():
            raise OutbidError(
                f"The database {shown(engine)} was made by another version of Outbid (its revision is {revision!r}); "
                "update Outbid or name another database."
            )
        elif revision != max(migrations.known()):
            if (file := file_of(engine.url)) and read_only(file):
                raise OutbidError(f"{only_read(file)} An older version made it; it must be brought up to date first.")
            migrations.upgrade(db)
        if is_postgres(engine.url):
            postgres.prepare(db, metadata)
