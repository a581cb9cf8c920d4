"""The host's tools: `outbid admin backup | restore | rehearse | forget | export | import | validate | stats | delete`.

All work on the database that `--database` names, as `outbid serve` does; only `restore` and `import` make a new one. All but
`restore` may be used while the server runs. Nothing that exists is overwritten without --force, and a
file appears whole or not at all. Exit 0; 1 where `validate`, `export` or `import` found something bad and named it; 2 for
whatever cannot be done, with one sentence.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outbid.core.errors import BadRecord, BadSetup, OutbidError, one_line
from outbid.core.extras import require
from outbid.core.files import appearing
from outbid.core.language.phrases import plural

if TYPE_CHECKING:
    from outbid.server.storage.store import Store

app = typer.Typer(
    help="The host's tools: copies and records (backup, restore, export, …), and the desk (who, ban, erase, say, drain, …).",
    epilog="Examples: outbid admin backup friday.db · outbid admin validate · outbid admin export games.jsonl",
    no_args_is_help=True,
)


@app.callback()
def _main() -> None:
    require("`outbid admin`", "server", "sqlalchemy", "alembic")


Database = Annotated[
    str | None, typer.Option("--database", help="File or URL, as for `serve`; a file in your data folder if left out.")
]
File = Annotated[Path, typer.Argument(metavar="FILE")]
Force = Annotated[bool, typer.Option("--force", help="Replace what is there.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


@app.command(epilog="Example: outbid admin backup outbid-$(date +%F).db")
def backup(file: File, database: Database = None, force: Force = False) -> None:
    """Copy the database as it is at this moment; the server may run."""
    from outbid.server.storage.backups import copy, counted

    source = _sqlite_file(database, "pg_dump makes a backup of")
    _doubt(source)
    _not_the_database(file, database)
    with appearing(file, force, private=True) as copied:
        copy(source, copied)
        held = counted(copied, source)
    print(f"{file}: {held}.")


@app.command(
    epilog="Examples: outbid admin restore outbid-2027-01-31.db --force · outbid admin restore backups --force · "
    "outbid admin restore backups --at 2027-01-31T04:59:30 --force"
)
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup, or the folder of --backup-to.")],
    database: Database = None,
    force: Force = False,
    at: Annotated[
        str | None, typer.Option(metavar="TIME", help="Of a folder: as it was then (UTC), not as it was last.")
    ] = None,
) -> None:
    """Put a backup in the place of the database, and erase again what was erased since; the server must not run."""
    from outbid.server.storage import restoring
    from outbid.server.storage.backups import copy, counted
    from outbid.server.storage.lock import ServerLock
    from outbid.server.storage.opening import url_of
    from outbid.server.storage.store import Store

    target = _sqlite_file(database, "pg_restore brings back", exists=False)
    if not file.exists():
        raise BadSetup(f"There is no file {file}.")
    if at and not file.is_dir():
        raise BadSetup(f"A moment is brought back from the folder of --backup-to, not from a file such as {file}.")
    until = restoring.moment(at) if at else math.inf
    if not file.is_dir():
        _doubt(file)
    if target.exists() and not force:
        raise BadSetup(f"The database {target} exists already; --force replaces it.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadSetup(f"The folder {target.parent} cannot be made: {error.strerror}.") from error
    was, kept = "", None
    with (
        contextlib.closing(ServerLock(target)),
        appearing(target, force, private=True) as copied,
        tempfile.TemporaryDirectory(prefix=".restored-", dir=target.parent) as folder,
    ):
        if file.is_dir():
            whole = Path(folder, "whole")
            was = f", as of {restoring.shown(restoring.rebuild(file, until, whole))}"
            copy(whole, copied)
        else:
            copy(file, copied)
        held = counted(copied, file)
        with contextlib.closing(Store(url_of(str(copied)))) as store:  # also brings it up to date
            erased = restoring.erase_again(store, file if file.is_dir() else file.parent)
        if target.exists() or Path(f"{target}-wal").exists():  # a log alone would be read into what is brought back
            kept = restoring.set_aside(target)
    print(f"{target}: {held}{was}.")
    if erased:
        print(f"{plural(erased, 'erasure')} since then carried out again.")
    if kept:
        print(f"What was there is kept as {kept}.")


@app.command(epilog="Example: outbid admin rehearse /var/lib/outbid/backups")
def rehearse(folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of --backup-to.")]) -> None:
    """Restore the newest copy into a scratch file and replay its tables: those of the last day, and a hundred at random."""
    from outbid.server.storage import restoring
    from outbid.server.storage.backups import counted
    from outbid.server.storage.opening import url_of
    from outbid.server.storage.store import Store

    if hasattr(os, "nice"):
        os.nice(19)
    with restoring.scratch(folder) as file:
        reached = restoring.rebuild(folder, math.inf, file)
        counted(file, folder)
        with contextlib.closing(Store(url_of(str(file)))) as store:
            damage = store.damage() or store.torn()
            names = restoring.chosen(store, reached)
            _good, faults = _replayed(store, names)
    bad = [f"The database is damaged: {damage}."] if damage else []
    bad += [f"{name}: {one_line(fault)}" for name, fault in faults.items()]
    played = f"{plural(len(names), 'table')} replayed, {len(bad)} bad."
    print(*bad, f"As of {restoring.shown(reached)}: {played}", sep="\n")
    raise typer.Exit(1 if bad else 0)


@app.command(epilog="Example: outbid admin forget /var/lib/outbid/backups")
def forget(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the copies.")], database: Database = None
) -> None:
    """Erase again what the list beside the copies names, in a database that something else than `restore` brought back."""
    from outbid.server.storage import restoring
    from outbid.server.storage.erasures import LIST

    if not (folder / LIST).is_file():
        raise BadSetup(f"There is no list of erasures in {folder}.")
    with _opened(database) as store:
        print(f"{plural(restoring.erase_again(store, folder), 'erasure')} carried out again.")


@app.command(
    epilog="Examples: outbid admin export games.jsonl · outbid admin export friday.jsonl --for-lab, then "
    "outbid lab people friday.jsonl"
)
def export(
    file: File,
    database: Database = None,
    force: Force = False,
    lab: Annotated[
        bool, typer.Option("--for-lab", help="Those whose players agreed to it, without names, with the time of each move.")
    ] = False,
) -> None:
    """Write all finished matches as records, one a line, each verified."""
    from outbid.server.domain.people.chat import MOST, SEATS
    from outbid.server.domain.records import for_lab, verified, with_talk
    from outbid.server.storage.people import PeopleStore

    good, bad, unshared = 0, [], 0
    _not_the_database(file, database)
    with _opened(database) as store, appearing(file, force, private=True) as new, new.open("w", encoding="utf-8") as out:
        for name in store.ids("over"):
            stored = store.load(name)
            if stored is None or (lab and not stored.study):
                unshared += stored is not None
                continue
            try:
                if lab:
                    record = for_lab(stored, store.made_at(name))
                else:
                    record = with_talk(verified(stored).record(), PeopleStore(store).said(name, SEATS, MOST))
                out.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
                good += 1
            except BadRecord as error:
                bad.append(f"{name}: {one_line(error)}")
    for line in bad:
        print(line)
    print(f"{file}: {plural(good, 'record')}." + (f" Left out: {len(bad)}." if bad else ""))
    if not good and not bad and unshared:
        held = plural(unshared, "finished table")
        print(f"{held}, and none whose players let the laboratory read the match; that is chosen when a table is made.")
    elif not good and not bad:
        print("There is no finished table.")
    raise typer.Exit(1 if bad else 0)


@app.command("import", epilog="Example: outbid admin import games.jsonl")
def bring(file: File, database: Database = None) -> None:
    """Make finished tables of records: all of a file, or none if one of them is bad. What is there already is skipped."""
    from outbid.core.record import records
    from outbid.server.domain.records import id_of, table_of, verified
    from outbid.server.stored import Conflict

    tables, bad = {}, []
    for number, record in records(file):
        try:
            table = table_of(record)
            tables[table.id] = table
        except BadRecord as error:
            bad.append(f"{file}:{number}: {one_line(error)}")
    if bad:
        print("\n".join(bad))
        print("Nothing was imported.")
        raise typer.Exit(1)
    added = 0
    with _opened(database, exists=False) as store:
        present: set[str] = set()
        for name in store.ids("over"):
            stored = store.load(name)
            with contextlib.suppress(BadRecord):
                present |= {id_of(verified(stored))} if stored else set()
        for name, table in tables.items():
            with contextlib.suppress(Conflict):
                if name not in present:
                    store.add(table)
                    added += 1
    print(f"{plural(added, 'table')} made; {len(tables) - added} of the records were there already.")


@app.command(epilog="Example: outbid admin validate")
def validate(database: Database = None, as_json: AsJson = False) -> None:
    """Look through the database and replay every table: exit 0, or 1 with a line for damage and each bad table."""
    from outbid.server.storage.opening import way_back

    with _opened(database) as store:
        damage = store.damage() or store.torn()
        if damage and not as_json:
            print(f"The database is damaged: {damage}. {way_back(store.engine)}")
        good, bad = _replayed(store, store.ids())
    if as_json:
        faults = [{"table": name, "move": fault.move, "reason": fault.reason} for name, fault in bad.items()]
        print(json.dumps({"good": good, "bad": faults, "damage": damage or None}))
    else:
        for name, fault in bad.items():
            print(f"{name}: {one_line(fault)}")
        print(f"{plural(good, 'table')} good" + (f", {len(bad)} bad." if bad else "."))
    raise typer.Exit(1 if bad or damage else 0)


@app.command(epilog="Examples: outbid admin stats · outbid admin stats --json")
def stats(database: Database = None, as_json: AsJson = False) -> None:
    """What the database holds: tables, games, seats, moves."""
    from outbid.server.storage.opening import file_of

    with _opened(database) as store:
        numbers = store.statistics()
        path = file_of(store.engine.url)
        files = [Path(f"{path}{end}") for end in ("", "-wal") if path]
        numbers["bytes"] = sum(file.stat().st_size for file in files if file.exists()) if path else None
    if as_json:
        print(json.dumps(numbers))
        return
    print("tables  " + ", ".join(f"{n} {status}" for status, n in numbers["tables"].items()))
    print("games   " + (", ".join(f"{n} {game}" for game, n in numbers["games"].items()) or "none"))
    print("seats   " + ", ".join(f"{n} {kind}" for kind, n in numbers["seats"].items()))
    print(f"moves   {numbers['moves']}" + (f", the last at {_moment(numbers['last_move'])}" if numbers["last_move"] else ""))
    if path:
        print(f"size    {numbers['bytes']:,} bytes")


@app.command(epilog="Example: outbid admin delete bq7mz2k9xwta")
def delete(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The last part of the table's link, after /t/.")],
    database: Database = None,
    force: Annotated[bool, typer.Option("--force", help="Also a table that is being played at.")] = False,
) -> None:
    """Delete a table with its moves. A running server notices it within minutes."""
    with _opened(database) as store:
        stored = store.load(table)
        if stored is None:
            raise BadSetup(f"There is no table {table[:40]!r} in this database.")
        if stored.status == "playing" and not force:
            raise BadSetup(f"At table {table} a match is being played; --force deletes it all the same.")
        store.delete(table)
    print(f"Table {table} is deleted.")


# --- parts ------------------------------------------------------------------------------------------------------------


def _replayed(store: Store, names: Iterable[str]) -> tuple[int, dict[str, BadRecord]]:
    """How many tables are good, and what is wrong with which; one that is gone meanwhile is neither."""
    from sqlalchemy.exc import DBAPIError

    from outbid.server.domain.records import verified

    good, bad = 0, dict[str, BadRecord]()
    for name in names:
        try:
            if stored := store.load(name):
                if (gap := store.gap(name)) is not None:
                    raise BadRecord("The move is missing, but later ones are there.", gap)
                verified(stored)
                good += 1
        except DBAPIError as error:
            bad[name] = BadRecord(f"It cannot be read: {error.orig}.")
        except BadRecord as error:
            bad[name] = error
    return good, bad


def _not_the_database(file: Path, database: str | None) -> None:
    """What is written is another file than what is read. Raises BadSetup."""
    from outbid.server.storage.opening import named_database

    named = named_database(database)
    if "://" not in named or named.startswith("sqlite"):
        source = _sqlite_file(database, "this reads")
        if file.exists() and source.exists() and file.samefile(source):
            raise BadSetup(f"{file} is the database itself; please name another file.")


@contextlib.contextmanager
def _opened(database: str | None, exists: bool = True) -> Iterator[Store]:
    """A database, which must be there already if not said otherwise. Raises OutbidError."""
    from sqlalchemy.exc import DBAPIError

    from outbid.server.storage.lock import free
    from outbid.server.storage.opening import file_of, named_database, served, url_of, way_back
    from outbid.server.storage.store import Store

    named = named_database(database)
    if "://" not in named or named.startswith("sqlite"):
        named = str(_sqlite_file(database, "tables in memory are not kept by", exists))
    file = file_of(url_of(named))
    crashed = file is not None and not _doubt(file) and served(file) and free(file)
    with contextlib.closing(Store(url_of(named))) as store:
        store.served = crashed and not store.read_only  # its log is here: no server has the file any more
        try:
            yield store
        except DBAPIError as error:
            reason = str(error.orig).partition("\n")[0].rstrip(".")
            sentence = f"The database {store.shown} cannot be read or written: {reason}. {way_back(store.engine)}"
            raise OutbidError(sentence.rstrip()) from error


def _sqlite_file(database: str | None, instead: str, exists: bool = True) -> Path:
    """The file of the database. Raises BadSetup if it is not one, or (`exists`) is missing."""
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    from outbid.server.storage.opening import named_database

    named = named_database(database)
    if "://" in named:
        try:
            url = make_url(named)
        except (ArgumentError, ValueError) as error:
            raise BadSetup(f"The database {named!r} cannot be used: {error}.") from error
        if url.get_backend_name() != "sqlite" or not url.database:
            raise BadSetup(f"This is only for a database in an SQLite file; {instead} {url.render_as_string()}.")
        named = url.database
    path = Path(named).expanduser()
    if exists and not path.is_file():
        raise BadSetup(f"There is no database {path}.")
    return path


def _doubt(file: Path) -> bool:
    """Whether a file looks like a copy made without its log; that, and that it can only be read, goes to standard error."""
    from outbid.server.storage.opening import only_read, read_only, without_log

    doubt = without_log(file)
    for sentence in (doubt, only_read(file) if read_only(file) else ""):
        if sentence:
            print(sentence, file=sys.stderr)
    return bool(doubt)


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(sep=" ", timespec="minutes").removesuffix("+00:00") + " UTC"
