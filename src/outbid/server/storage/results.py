"""What people made of deals of the day: written with the last move, kept as long as the table, for 60 days at most.

Whose a result is follows from the seat 0 of its table. Others are told of it only if its person says so (`shown`). The best
match of a bot is a table, too, under a code that no person's result can have.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa

from outbid.server.storage.database import Database, insert
from outbid.server.storage.schema import held, results, seats, tables
from outbid.server.tokens import new_id

KEPT = 60  # days
MOST = 100  # results of others that a page shows
BEST = "best {day}"  # the code of a bot's


class PlayedDeal(NamedTuple):
    """A deal of the day at a table of one's own; what has no value yet or any more is none."""

    table: str
    day: str
    status: str
    made: float
    place: int | None = None
    points: int | None = None
    stood_in: int | None = None
    code: str | None = None
    shown: bool | None = None
    streak: int | None = None

    @property
    def in_time(self) -> bool:
        """It was begun on its day, and its person played it to the end."""
        return self.stood_in == 0 and datetime.fromtimestamp(self.made, UTC).date().isoformat() == self.day


FACTS = PlayedDeal._fields[4:]


def own(db: Database, ids: Iterable[str], browser: str, key: str, day: str | None = None) -> list[PlayedDeal]:
    """The first match with each deal of the day of a browser (the hash of its secret) or a kept name, or at these tables,
    the newest day first. day: with the deal of this one alone."""
    mine = tables.c.id.in_(list(ids)) | tables.c.id.in_(_sitting(held.c.browser == browser, seats.c.owner == key))
    return _firsts(db.rows(_PLAYED.where(mine, tables.c.day == day if day else sa.true())))


_PLAYED = (
    sa.select(tables.c.id, tables.c.day, tables.c.status, tables.c.made, *(results.c[name] for name in FACTS))
    .outerjoin(results, results.c.table_id == tables.c.id)
    .where(tables.c.day.is_not(None))
    .order_by(tables.c.day, tables.c.made.desc())
)


def _sitting(browser: sa.ColumnElement[bool], owner: sa.ColumnElement[bool]) -> sa.CompoundSelect[tuple[str]]:
    return sa.select(held.c.table_id).where(browser).union(sa.select(seats.c.table_id).where(owner))


def _firsts(rows: Iterable[sa.Row[Any]]) -> list[PlayedDeal]:
    return [*reversed({row.day: PlayedDeal._make(row) for row in rows}.values())]


def day_before(day: str) -> str:
    """The date before another."""
    return (date.fromisoformat(day) - timedelta(1)).isoformat()


def streak(played: Iterable[PlayedDeal], day: str) -> int:
    """How many days in a row a person has played up to a day: those in time, and what the first that is kept has counted."""
    counted = {row.day: row.streak or 1 for row in played if row.in_time}
    number = 0
    while day in counted:
        number, first, day = number + 1, counted[day], day_before(day)
    return number - 1 + first if number else 0


def shown(db: Database, day: str, code: str) -> Sequence[sa.Row[Any]]:
    """What people show of a day: first of those who came by the link with a code, then the best."""
    friend = sa.case((results.c.came_by == code, 1), else_=0)
    facts = (results.c[name] for name in ("place", "points", "stood_in", "code"))
    query = sa.select(seats.c.name, *facts, friend.label("friend"))
    query = query.join(seats, (seats.c.table_id == results.c.table_id) & (seats.c.seat == 0))
    query = query.where(results.c.day == day, results.c.shown, results.c.code != code)
    return db.rows(query.order_by(friend.desc(), results.c.place, results.c.points.desc(), results.c.code).limit(MOST))


def table(db: Database, day: str, code: str) -> str | None:
    """The table of a result of a day that its person shows."""
    return db.value(sa.select(results.c.table_id).where(results.c.day == day, results.c.code == code, results.c.shown))


def best(db: Database, day: str) -> str | None:
    """The table with the best match of a bot."""
    return db.value(sa.select(results.c.table_id).where(results.c.code == BEST.format(day=day)))


def show(db: Database, table: str, on: bool, came_by: str | None) -> None:
    """A result is shown to others from now on, or no longer."""
    db.execute(sa.update(results).where(results.c.table_id == table).values(shown=on, came_by=came_by if on else None))


def write(db: sa.Connection, table: str, day: str, place: int, points: int, stood_in: int = 0, best: bool = False) -> None:
    """A match of a deal of the day is over; what is older than 60 days goes. best: it is that of a bot."""
    code = BEST.format(day=day) if best else new_id()
    browsers = sa.select(held.c.browser).where(held.c.table_id == table)
    owner = sa.select(seats.c.owner).where(seats.c.table_id == table, seats.c.seat == 0)
    mine = _sitting(held.c.browser.in_(browsers), seats.c.owner.in_(owner))
    before = streak(_firsts(db.execute(_PLAYED.where(tables.c.id.in_(mine))).all()), day_before(day))
    facts = {"day": day, "code": code, "place": place, "points": points, "stood_in": stood_in, "streak": before + 1}
    oldest = (datetime.now(UTC).date() - timedelta(days=KEPT)).isoformat()
    db.execute(sa.delete(results).where(results.c.day < oldest))
    db.execute(insert(db, results).values(table_id=table, **facts).on_conflict_do_nothing())


def of_person(key: str) -> sa.Select[Any]:
    """What finds the results of a kept name."""
    columns = (results.c.table_id.label("table"), *(results.c[name] for name in ("day", *FACTS, "came_by")))
    return sa.select(*columns).where(results.c.table_id.in_(_owned(key))).order_by(results.c.day)


def forgetting(key: str) -> sa.Executable:
    """What takes the results of a kept name away."""
    return sa.delete(results).where(results.c.table_id.in_(_owned(key)))


def _owned(key: str) -> sa.Select[tuple[str]]:
    return sa.select(seats.c.table_id).where(seats.c.owner == key)
