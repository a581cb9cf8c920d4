"""What an operator has ordered, and the audit of it, in the database: so every process obeys, and a restart forgets nothing.

Each act is one transaction with its line in `audit`. A process that looks there (`mark`) knows whether anything is new.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import sqlalchemy as sa

from outbid.server.storage.schema import audit, chat, devices, names, orders, seats, tables
from outbid.server.storage.store import Store
from outbid.server.tokens import hashed

ADDRESS, NAME, SAY, DRAIN = "address", "name", "say", "drain"  # kinds of orders


class DeskStore:
    """The orders of an operator in a database, and what an operator looks at."""

    def __init__(self, store: Store):
        self._store = store

    def mark(self) -> tuple[int, int]:
        """What changes with every act: transactions of two processes may end in another order than they began."""
        many, last = self._store.rows(sa.select(sa.func.count(), sa.func.max(audit.c.id)).select_from(audit))[0]
        return many, last or 0

    def orders(self, now: float | None = None) -> Sequence[sa.Row[Any]]:
        """What was ordered and not lifted: rows of `orders`; with a moment only those whose time is not over then."""
        holds = sa.true() if now is None else orders.c.until.is_(None) | (orders.c.until > now)
        return self._store.rows(sa.select(orders).where(holds).order_by(orders.c.kind, orders.c.subject))

    def lines(self, most: int) -> Sequence[sa.Row[Any]]:
        """The newest lines of the audit, the newest first."""
        return self._store.rows(sa.select(audit).order_by(audit.c.id.desc()).limit(max(most, 0)))

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
            db.execute(sa.insert(audit).values(at=time.time(), who=who, act=act, subject=subject, about=about))

        self._store.write(write)

    def people(self, like: str, most: int, reports: Sequence[Any]) -> list[tuple[Any, list[str]]]:
        """The kept names that contain a text, the newest first: name, made, how many devices and seats it has; and where it
        has come from lately. reports: of the processes (operating/callers.py)."""
        signed_in = sa.select(sa.func.count()).where(devices.c.key == names.c.key).scalar_subquery()
        sitting = sa.select(sa.func.count()).where(seats.c.owner == names.c.key).scalar_subquery()
        query = sa.select(names.c.key, names.c.name, names.c.made, signed_in.label("devices"), sitting.label("seats"))
        wanted = names.c.name.icontains(like, autoescape=True)
        rows = self._store.rows(query.where(wanted).order_by(names.c.made.desc()).limit(most))
        asked = [person for report in reports for person in report["people"]]
        return [
            (row, list(dict.fromkeys(address for key, address, at in asked if key == hashed(row.key) and at >= row.made)))
            for row in rows
        ]

    def tables(self, like: str, most: int, status: str | None = None) -> list[str]:
        """The newest tables whose id, game or names contain a text, or those of them with a status."""
        query = sa.select(tables.c.id).order_by(tables.c.made.desc()).limit(most)
        if like:
            sitting = sa.select(seats.c.table_id).where(seats.c.name.icontains(like, autoescape=True))
            own = (column.icontains(like, autoescape=True) for column in (tables.c.id, tables.c.game))
            query = query.where(sa.or_(*own, tables.c.id.in_(sitting)))
        return self._store.values(query if status is None else query.where(tables.c.status == status))

    def chat(self, table: str) -> Sequence[sa.Row[Any]]:
        """All that was said at a table, in both rooms."""
        return self._store.rows(sa.select(chat).where(chat.c.table_id == table).order_by(chat.c.id))


def lift(kind: str, subject: str | None = None) -> sa.Executable:
    """An order holds no longer; without a subject none of its kind does."""
    gone = sa.delete(orders).where(orders.c.kind == kind)
    return gone if subject is None else gone.where(orders.c.subject == subject)


def order(kind: str, subject: str, until: float | None = None) -> sa.Executable:
    """An order holds from now on."""
    return sa.insert(orders).values(kind=kind, subject=subject, until=until)
