"""The operator's commands: `outbid admin who | ban | unban | bans | tables | names | password | rename | erase | …`.

What they do is in operator.py; `who` and `refusals` ask the running processes (local.py), all others only the database.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from time import time as moment
from typing import TYPE_CHECKING, Annotated, Any

import typer

from outbid.core.errors import BadSetup, OutbidError
from outbid.server.operating import admin
from outbid.server.operating.admin import AsJson, Database, app

if TYPE_CHECKING:
    from outbid.server.operating.operator import Operator

__all__ = ["app"]

Name = Annotated[str, typer.Argument(metavar="NAME", help="A kept name.")]
Subject = Annotated[str, typer.Argument(metavar="SUBJECT", help="An address, a network or a name.")]
TableName = Annotated[
    str,
    typer.Argument(
        metavar="TABLE",
        help="The table's link, or its last part, after /t/.",
        callback=lambda link: link.rpartition("/t/")[2].partition("/")[0],
    ),
]
Most = Annotated[int, typer.Option(metavar="N", min=1, help="How many are listed.")]

NO_ADDRESSES = "This server keeps no addresses (--no-addresses)."
NO_SERVER = "No server of this database runs on this machine under this user."


@contextmanager
def _operator(database: str | None) -> Iterator[Operator]:
    """An operator at a database."""
    from outbid.server.operating.operator import CLI, Operator

    with admin._opened(database) as store:
        yield Operator(store, CLI)


def _act(database: str | None, act: str, **words: Any) -> None:
    """Do something as an operator, and print what was done."""
    with _operator(database) as host:
        print(getattr(host, act)(**words))


def _reports(database: str | None) -> list[dict[str, Any]]:
    """What each process says of itself. Raises OutbidError if none does."""
    from outbid.server.operating import local

    with _operator(database) as host:
        reports = local.ask(host.store.engine.url)
    if not reports:
        raise OutbidError(NO_SERVER)
    return reports


@app.command(epilog="Examples: outbid admin who · outbid admin who --most 5 · outbid admin who --json")
def who(database: Database = None, most: Most = 20, as_json: AsJson = False) -> None:
    """Who has asked in the last 24 hours, and what each address has cost each process; the dearest first."""
    reports = _reports(database)
    if as_json:
        print(json.dumps(reports))
        return
    for report in reports:
        print(f"process {report['process']}, since {admin._moment(report['since'])}")
        if not report["named"]:
            print(f"{NO_ADDRESSES} Below is the sum of all.")
        print(f"{'address':39} {'requests':>9} {'cpu s':>8} {'sockets':>7} {'KB in':>9} {'KB out':>9} {'refused':>7}  last")
        for row in report["callers"][:most]:
            costs = f"{row['requests']:9} {row['seconds']:8.1f} {row['sockets']:7} {row['read'] // 1024:9}"
            costs += f" {row['sent'] // 1024:9} {row['refused']:7}  {admin._moment(row['last'])}"
            print(f"{row['address'] or 'all':39} {costs}")


@app.command(epilog="Examples: outbid admin refusals · outbid admin refusals k3m9xq")
def refusals(
    number: Annotated[str, typer.Argument(metavar="[ID]", help="What the page of a refusal names.")] = "",
    database: Database = None,
    most: Most = 20,
) -> None:
    """What was refused lately: when, to whom, with which sentence."""
    noted = [row for report in _reports(database) for row in report["refusals"] if number.strip().lower() in ("", row["id"])]
    for row in sorted(noted, key=lambda row: -row["at"])[:most]:
        where = f"{row['status']}  {row['asked']}  {row['address'] or '–'}"
        print(f"{row['id']}  {admin._moment(row['at'])}  {where}\n        {row['sentence']}")
    if not noted and number:
        raise BadSetup(f"No refusal {number!r} is remembered.")
    if not noted:
        print("Nothing was refused.")


@app.command(epilog="Examples: outbid admin ban 203.0.113.7 · outbid admin ban 192.0.2.0/24 --time 2h")
def ban(
    subject: Subject,
    database: Database = None,
    time: Annotated[str, typer.Option(metavar="TIME", help="For how long: 30m, 6h, 7d; else until `unban`.")] = "",
) -> None:
    """Shut an address, a network or a name out: its sockets close, and nothing of it is answered."""
    _act(database, "ban", subject=subject, time=time)


@app.command(epilog="Example: outbid admin unban 203.0.113.7")
def unban(subject: Subject, database: Database = None) -> None:
    """Let an address, a network or a name in again."""
    _act(database, "unban", subject=subject)


@app.command(epilog="Example: outbid admin password Berta")
def password(name: Name, database: Database = None) -> None:
    """Give a kept name a new password, which is printed once; all its devices are signed out."""
    _act(database, "password", name=name)


@app.command(epilog="Example: outbid admin rename Berta Roberta")
def rename(name: Name, new: Annotated[str, typer.Argument(metavar="NEW")], database: Database = None) -> None:
    """Give a kept name another one, also at its tables and in the chat."""
    _act(database, "rename", name=name, new=new)


@app.command("take-down", epilog="Example: outbid admin take-down bq7mz2k9xwta 1234")
def take_down(
    table: TableName, line: Annotated[int, typer.Argument(help="Its number, as `chat` lists it.")], database: Database = None
) -> None:
    """Delete a line of the chat of a table."""
    _act(database, "take_down", table=table, line=line)


@app.command(epilog="Examples: outbid admin say 'Restart at 22:00.' · outbid admin say")
def say(
    text: Annotated[str, typer.Argument(metavar="[TEXT]", help="Without it nothing is said any more.")] = "",
    database: Database = None,
) -> None:
    """Show a sentence on every page and table."""
    _act(database, "say", text=text)


@app.command(
    epilog="Examples: outbid admin playtest · outbid admin playtest overbid.toml · outbid admin playtest overbid · "
    "outbid admin playtest overbid --end · outbid admin export friday.jsonl --for-lab"
)
def playtest(
    which: Annotated[
        str, typer.Argument(metavar="[FILE|NAME]", help="An experiment file (outbid lab new) begins one; a name shows it.")
    ] = "",
    database: Database = None,
    end: Annotated[bool, typer.Option("--end", help="Make no more tables for it.")] = False,
) -> None:
    """Let people compare rules: begin a playtest, look at what they say, end it, or list all."""
    from outbid.server.operating import playtesting

    with admin._opened(database) as store:
        print(playtesting.answered(store, which, end))


@app.command(epilog="Examples: outbid admin drain · outbid admin drain --stop")
def drain(
    database: Database = None,
    stop: Annotated[bool, typer.Option("--stop", help="Make tables and begin matches again.")] = False,
) -> None:
    """Make no table and begin no match from now on; matches that are played go on."""
    _act(database, "drain", stop=stop)


@app.command(epilog="Example: outbid admin bans")
def bans(database: Database = None) -> None:
    """Who is shut out, what is said, whether the server is drained."""
    with _operator(database) as host:
        holding = host.desk.orders(moment())
        if not holding:
            print("Nobody is shut out, nothing is said, and matches begin.")
        for row in holding:
            until = admin._moment(row.until) if row.until else "it is lifted"
            print(f"{row.kind:7}  {row.subject or 'no match begins'}  until {until}")


@app.command(epilog="Examples: outbid admin tables --status playing · outbid admin tables berta")
def tables(
    part: Annotated[str, typer.Argument(metavar="[PART]", help="A part of the link, the game or a name.")] = "",
    database: Database = None,
    status: Annotated[str | None, typer.Option(metavar="STATUS", help="Only open, playing or over.")] = None,
    most: Most = 50,
) -> None:
    """The newest tables, and who sits there."""
    if status not in (None, "open", "playing", "over"):
        raise BadSetup(f"There is no status {status!r}; there are open, playing and over.")
    with _operator(database) as host:
        rows = host.store.summaries(host.desk.tables(part, most, status))
        lines = [f"{table}  {state:7}  {game:9}  {', '.join(sitting)}" for table, game, state, sitting in rows]
    print("\n".join(lines) or ("There is no such table." if part or status else "There is no table yet."))


@app.command(epilog="Examples: outbid admin names · outbid admin names bert")
def names(
    part: Annotated[str, typer.Argument(metavar="[PART]", help="A part of the name.")] = "",
    database: Database = None,
    most: Most = 50,
) -> None:
    """The kept names, the newest first: since when, devices that are signed in, seats, addresses of the last 24 hours."""
    from outbid.server.operating import local

    with _operator(database) as host:
        reports = local.ask(host.store.engine.url)
        rows = host.desk.people(part, most, reports)
        lines = [
            f"{admin._moment(row.made)}  devices: {row.devices:3}  seats: {row.seats:4}  {'  '.join([row.name, *addresses])}"
            for row, addresses in rows
        ]
    print("\n".join(lines) or "There is no such name; names that nobody has kept with a password stand in `tables` alone.")
    if lines and not any(report["named"] for report in reports):
        print(NO_ADDRESSES if reports else f"{NO_SERVER} Addresses are known to a server alone.")


@app.command(epilog="Example: outbid admin erase Berta")
def erase(
    name: Name,
    database: Database = None,
    force: Annotated[bool, typer.Option("--force", help="Do not ask whether that is meant.")] = False,
) -> None:
    """Erase a person who asks for it: the name, what it said and noted, its ratings; a nameless player stays."""
    with _operator(database) as host:
        kept = host.kept(name).name
        if not force:
            typer.confirm(f"Erase everything of {kept}? This cannot be undone.", abort=True)
        print(host.erase(kept))


@app.command(epilog="Example: outbid admin chat bq7mz2k9xwta")
def chat(table: TableName, database: Database = None) -> None:
    """What was said at a table, each line with its number."""
    with _operator(database) as host:
        if not list(host.store.summaries([table])):
            raise BadSetup(f"There is no table {table!r}.")
        rows = host.desk.chat(table)
        lines = [f"{row.id}  {admin._moment(row.at)}  {row.room:8}  {row.name}: {row.text}" for row in rows]
    print("\n".join(lines) or "Nothing has been said there.")


@app.command(epilog="Example: outbid admin audit --most 100")
def audit(database: Database = None, most: Most = 50) -> None:
    """What operators did: when, by the command line or the page, and to whom."""
    with _operator(database) as host:
        rows = host.desk.lines(most)
        lines = [f"{row.id:5}  {admin._moment(row.at)}  {row.who:4}  {row.act:9}  {row.subject}" for row in rows]
    print("\n".join(lines) or "No operator has done anything yet.")
