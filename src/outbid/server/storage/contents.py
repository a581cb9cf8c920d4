"""What a database holds: its tables looked through, for lists, for numbers, and for what does not fit together."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import sqlalchemy as sa

from outbid.server.storage.database import Database
from outbid.server.storage.schema import automatic_moves, clocks, metadata, moves, seats, tables
from outbid.server.stored import FOREVER

T = TypeVar("T")

PORTION = 500  # tables of one query


class Contents(Database):
    """A database whose tables can be looked through."""

    def ids(self, status: str | None = None) -> list[str]:
        """All tables, or those with a status, the oldest first."""
        query = sa.select(tables.c.id).order_by(tables.c.made, tables.c.id)
        return self.values(query if status is None else query.where(tables.c.status == status))

    def missing(self, ids: Iterable[str]) -> set[str]:
        """Which of these tables are not there."""
        missing = set(ids)
        names = list(missing)
        for at in range(0, len(names), PORTION):
            there = tables.c.id.in_(names[at : at + PORTION])
            missing.difference_update(self.values(sa.select(tables.c.id).where(there)))
        return missing

    def ended(self, leaving: bool = False, among: Iterable[str] | None = None) -> list[tuple[str, float, float | None]]:
        """Of the finished tables, or those that leave, or some: id, when the last move was made, when it will be deleted."""
        last = sa.select(moves.c.at).where(moves.c.table_id == tables.c.id).order_by(moves.c.number.desc()).limit(1)
        at = sa.func.coalesce(last.scalar_subquery(), tables.c.made)
        query = sa.select(tables.c.id, at, tables.c.leaves).where(tables.c.status == "over")
        query = query if among is None else query.where(tables.c.id.in_(list(among)))
        return [tuple(row) for row in self.rows(query.where(tables.c.leaves.is_not(None)) if leaving else query)]

    def summaries(self, ids: Iterable[str]) -> list[tuple[str, str, str, list[str]]]:
        """Of the tables with these ids, the newest first: id, game, status and the names of those who sit there."""
        wanted, names = list(ids), defaultdict[str, list[str]](list)
        query = sa.select(tables.c.id, tables.c.game, tables.c.status).where(tables.c.id.in_(wanted))
        sitting = sa.select(seats.c.table_id, seats.c.name).where(seats.c.table_id.in_(wanted), seats.c.kind != "open")
        for table, name in self.rows(sitting.order_by(seats.c.seat)):
            names[table].append(name)
        return [(*row, names[row.id]) for row in self.rows(query.order_by(tables.c.made.desc()))]

    def last_name(self, held: Mapping[str, str]) -> str:
        """The name that the holder of these seats (table → hashed token) had at the newest of the tables; "" for none."""
        return self.value(_newest(seats.c.name, held)) or ""

    def last_colour(self, held: Mapping[str, str], since: float) -> int | None:
        """The colour that the holder of these seats had at the newest of the tables made since then; none: they had none."""
        return self.value(_newest(seats.c.colour, held).where(tables.c.made > since))

    def results(self, evening: str) -> list[tuple[str, str, bool]]:
        """Of the matches of an evening that are over, by its first table: the table, the name of each seat and whether it
        won."""
        query = sa.select(seats.c.table_id, seats.c.name, seats.c.won).join(tables, tables.c.id == seats.c.table_id)
        same = (tables.c.evening == evening) | (tables.c.id == evening)
        return [tuple(row) for row in self.rows(query.where(same, seats.c.won.is_not(None)))]

    def made_at(self, table: str) -> list[float]:
        """When each move of a table was made."""
        with self._reading.connect() as db:
            return list(db.scalars(sa.select(moves.c.at).where(moves.c.table_id == table).order_by(moves.c.number)))

    def due(self, before: float) -> list[str]:
        """The tables in play with a deadline before that moment."""
        query = sa.select(clocks.c.table_id).join(tables, tables.c.id == clocks.c.table_id).where(clocks.c.due < before)
        return self.values(query.where(tables.c.status == "playing", ~tables.c.paused).distinct())

    def acting(self) -> set[str]:
        """The tables in play where bots are to act, or automatic moves may have to."""
        bots = sa.select(clocks.c.table_id).where(clocks.c.due == FOREVER)
        either = tables.c.id.in_(bots.union(sa.select(automatic_moves.c.table_id)))
        return set(self.values(sa.select(tables.c.id).where(tables.c.status == "playing", ~tables.c.paused, either)))

    def statuses(self) -> dict[str, int]:
        """How many tables are open, playing and over."""
        with self.engine.connect() as db:
            return {"open": 0, "playing": 0, "over": 0, **_counted(db, tables.c.status)}

    def statistics(self) -> dict[str, Any]:
        """What the database holds, in numbers."""
        with self.engine.connect() as db:
            number, last = db.execute(sa.select(sa.func.count(), sa.func.max(moves.c.at)).select_from(moves)).one()
            return {
                "tables": self.statuses(),
                "games": _counted(db, tables.c.game),
                "seats": {"human": 0, "bot": 0, "open": 0, **_counted(db, seats.c.kind)},
                "moves": number,
                "first_table": db.scalar(sa.select(sa.func.min(tables.c.made))),
                "last_move": last,
            }

    def torn(self) -> str:
        """What does not fit together in the rows: parts of tables that are not there, moves that are there twice."""
        faults = []
        with self.engine.connect() as db:
            for part in metadata.sorted_tables:
                if "table_id" in part.c:
                    lost = sa.select(sa.func.count()).where(part.c.table_id.not_in(sa.select(tables.c.id)))
                    number = db.scalar(lost) or 0
                    faults += [f"{number} rows of {part.name} belong to no table"] if number else []
            same = sa.select(sa.literal(1)).select_from(moves).group_by(moves.c.table_id, moves.c.number)
            twice = db.scalar(sa.select(sa.func.count()).select_from(same.having(sa.func.count() > 1).subquery())) or 0
            faults += [f"{twice} moves are there twice"] if twice else []
            if db.dialect.name == "postgresql":
                unsure = sa.text("SELECT conname FROM pg_constraint WHERE NOT convalidated")
                faults += [f"the constraint {name} was never checked" for name in db.scalars(unsure)]
                broken = sa.text("SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid")
                faults += [f"the index {name} is not valid" for name in db.scalars(broken)]
        return "; ".join(faults)

    def gap(self, table: str) -> int | None:
        """The number of the first move of a table that is missing before its last one."""
        numbers = self.values(sa.select(moves.c.number).where(moves.c.table_id == table).order_by(moves.c.number))
        return next((n for n, number in enumerate(numbers) if n != number), None)


def _counted(db: sa.Connection, column: sa.Column[str]) -> dict[str, int]:
    """How often each value stands in a column."""
    return {row[0]: row[1] for row in db.execute(sa.select(column, sa.func.count()).group_by(column).order_by(column))}


def _newest(column: sa.Column[T], held: Mapping[str, str]) -> sa.Select[T]:
    """A column of the seat at the newest of the tables where these seats are (table → hashed token)."""
    mine = sa.tuple_(seats.c.table_id, seats.c.token).in_(list(held.items()))
    query = sa.select(column).join(tables, tables.c.id == seats.c.table_id).where(mine)
    return query.order_by(tables.c.made.desc()).limit(1)
