"""What an operator has ordered, and the audit of it, in the database: so every process obeys, and a restart forgets nothing.

Each act is one transaction with its line in `audit`. A process that looks there (`mark`) knows whether anything is new.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from outbid.server.storage.schema import audit, bans, chat, desk, devices, names, seats, tables
from outbid.server.storage.store import Store

ADDRESS, NAME = "address", "name"  # kinds of bans
SAY, DRAIN = "say", "drain"  # rows of `desk`


@dataclass(frozen=True)
class Ban:
    """A network or a name that is shut out, until a moment (none: until the ban is lifted)."""

    kind: str
    subject: str
    until: float | None


@dataclass(frozen=True)
class DeskOrders:
    """What holds on the whole server. say: shown on all pages. drain: no table is made and no match begins."""

    bans: tuple[Ban, ...] = ()
    say: str = ""
    drain: bool = False


class DeskStore:
    """The orders of an operator in a database."""

    def __init__(self, store: Store):
        self._store = store

    def mark(self) -> tuple[int, int]:
        """What changes with every act: transactions of two processes may end in another order than they began."""
        many, last = self._store.rows(sa.select(sa.func.count(), sa.func.max(audit.c.id)).select_from(audit))[0]
        return many, last or 0

    def orders(self) -> DeskOrders:
        """What holds now, also bans whose time is over."""
        settings = {row.name: row.value for row in self._store.rows(sa.select(desk))}
        banned = tuple(Ban(*row) for row in self._store.rows(sa.select(bans).order_by(bans.c.kind, bans.c.subject)))
        return DeskOrders(banned, settings.get(SAY, ""), DRAIN in settings)

    def lines(self, most: int) -> list[sa.Row[Any]]:
        """The newest lines of the audit, the newest first."""
        return list(self._store.rows(sa.select(audit).order_by(audit.c.id.desc()).limit(max(most, 0))))

    def act(
        self,
        who: str,
        act: str,
        subject: str,
        *statements: sa.Executable,
        work: Callable[[sa.Connection], Iterable[str]] | None = None,
    ) -> None:
        """Carry out an act and note it. work: what else it writes; returns the tables that processes read again."""

        def write(db: sa.Connection) -> None:
            for statement in statements:
                db.execute(statement)
            about = sorted(work(db)) if work else []
            line = {"at": time.time(), "who": who, "act": act, "subject": subject, "about": about}
            db.execute(sa.insert(audit), line)

        self._store.write(write)

    def people(self, like: str, most: int) -> list[sa.Row[Any]]:
        """The kept names that contain a text, the newest first: name, made, how many devices and seats it has."""
        signed_in = sa.select(sa.func.count()).where(devices.c.key == names.c.key).scalar_subquery()
        sitting = sa.select(sa.func.count()).where(seats.c.owner == names.c.key).scalar_subquery()
        query = sa.select(names.c.name, names.c.made, signed_in.label("devices"), sitting.label("seats"))
        wanted = names.c.name.icontains(like, autoescape=True)
        return list(self._store.rows(query.where(wanted).order_by(names.c.made.desc()).limit(most)))

    def tables(self, status: str | None, most: int) -> list[sa.Row[Any]]:
        """The newest tables: id, game, status, made."""
        query = sa.select(tables.c.id, tables.c.game, tables.c.status, tables.c.made).order_by(tables.c.made.desc())
        return list(self._store.rows((query if status is None else query.where(tables.c.status == status)).limit(most)))

    def chat(self, table: str) -> list[sa.Row[Any]]:
        """All that was said at a table, in both rooms."""
        query = sa.select(chat.c.id, chat.c.room, chat.c.name, chat.c.text, chat.c.at).where(chat.c.table_id == table)
        return list(self._store.rows(query.order_by(chat.c.id)))


def ban(subject: str, kind: str, until: float | None) -> tuple[sa.Executable, ...]:
    """Shut a network or a name out, in the place of an earlier ban of it."""
    return (*unban(subject, kind), sa.insert(bans).values(kind=kind, subject=subject, until=until))


def unban(subject: str, kind: str) -> tuple[sa.Executable, ...]:
    """Let it in again."""
    return (sa.delete(bans).where(bans.c.kind == kind, bans.c.subject == subject),)


def order(name: str, value: str) -> tuple[sa.Executable, ...]:
    """What is said, or whether the server is drained; empty: no longer."""
    gone = sa.delete(desk).where(desk.c.name == name)
    return (gone, sa.insert(desk).values(name=name, value=value)) if value else (gone,)
