"""Rows of the database and the values they stand for (stored.py), both ways, and what several writes have in common."""

import json
import time
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from outbid.core.language import i18n
from outbid.server.storage.schema import automatic_moves, clocks, moves, names, seats, tables, vacations, wishes
from outbid.server.stored import BOTS, Move, Seat, Time, days_off

INSERT_MOVE = sa.insert(moves)
SEAT = ("kind", "name", "bot", "seed", "token", "owner", "hints", "rated", "colour", "agent")
_MOVE = tuple(column.name for column in moves.columns)
_INTO, _MARKS = f"INSERT INTO moves ({', '.join(_MOVE)}) VALUES", f"({', '.join('?' * len(_MOVE))})"
INSERT_PLAIN = f"{_INTO} {_MARKS}"  # of `plain_rows`


def insert_moves(db: sa.Connection, rows: list[dict[str, Any]]) -> None:
    """All moves of a batch: by one statement, where the driver does not do that by itself."""
    if db.dialect.name != "sqlite":
        db.execute(INSERT_MOVE, rows)
        return
    flat = tuple(value for row in plain_rows(rows) for value in row)
    db.exec_driver_sql(f"{_INTO} {', '.join([_MARKS] * len(rows))}", flat)


def plain_rows(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """The rows of moves as the driver of SQLite takes them."""
    return [tuple(json.dumps(row[name]) if name == "move" else row[name] for name in _MOVE) for row in rows]


def time_of(row: Any) -> Time:
    """The time of a seat that lies in a row."""
    return Time(row.rest, row.due, row.since, row.missed, row.votes, row.vacation)


def absences(db: sa.Connection, table: str, now: float) -> dict[int, float]:
    """The seats of a table whose people are on vacation, and until when; nobody, unless its clock has days off."""
    query = sa.select(seats.c.seat, vacations.c.ends, tables.c.clock).join(tables, tables.c.id == seats.c.table_id)
    query = query.join(vacations, (vacations.c.key == seats.c.owner) & (vacations.c.ends > now))
    query = query.where(seats.c.table_id == table, seats.c.kind == "human")
    return {row.seat: row.ends for row in db.execute(query) if days_off.daily(row.clock)}


def in_play(db: sa.Connection, table: str) -> dict[str, Any]:
    """What a table in play has besides its moves."""
    lying = db.execute(sa.select(clocks).where(clocks.c.table_id == table))
    times = {r.seat: time_of(r) for r in lying}
    bots = times.pop(BOTS, None)
    wanted = db.execute(sa.select(automatic_moves).where(automatic_moves.c.table_id == table))
    return {
        "times": times,
        "acting": bots is not None and bots.due is not None,
        "orders": {(r.seat, r.about): r.wants for r in wanted},
        "wishes": frozenset((r.what, r.seat) for r in db.execute(sa.select(wishes).where(wishes.c.table_id == table))),
    }


def write_times(db: sa.Connection, table: str, times: Mapping[int, Time] | None) -> None:
    if times:
        db.execute(sa.delete(clocks).where(clocks.c.table_id == table, clocks.c.seat.in_(list(times))))
        rows = [{"table_id": table, "seat": seat, **vars(time)} for seat, time in times.items()]
        db.execute(sa.insert(clocks), rows)


def note_rated(db: sa.Connection, table: str) -> None:
    """A match begins: its people who stand on the ladder are rated when it is over."""
    climbing = seats.c.owner.in_(sa.select(names.c.key).where(names.c.ladder))
    db.execute(sa.update(seats).where(seats.c.table_id == table, climbing).values(rated=True))


def same_order(table: str, seat: int, about: str) -> sa.ColumnElement[bool]:
    return (automatic_moves.c.table_id == table) & (automatic_moves.c.seat == seat) & (automatic_moves.c.about == about)


def seat_row(table: str, number: int, seat: Seat) -> dict[str, Any]:
    return {"table_id": table, "seat": number, **{name: getattr(seat, name) for name in SEAT}}


def move_row(table: str, number: int, move: Move) -> dict[str, Any]:
    return {
        "table_id": table, "number": number, "seat": move.seat, "move": {**move.said, **move.mark}, "command": move.command,
        "public": _spoken(move.public), "private": _spoken(move.private), "at": time.time(),
    }  # fmt: skip


def moves_since(db: sa.Connection, table: str, since: int) -> tuple[Move, ...]:
    later = (moves.c.table_id == table) & (moves.c.number >= since)
    return tuple(_played(r) for r in db.execute(sa.select(moves).where(later).order_by(moves.c.number)).mappings())


def _played(r: sa.RowMapping) -> Move:
    move = dict(r["move"])
    by = move.pop("by", "")
    return Move(r["seat"], move, r["command"], _heard(r["public"]), _heard(r["private"]), by)


def _spoken(sentence: Mapping[str, str]) -> str | None:
    """A sentence by language, as it is stored."""
    return json.dumps(sentence, ensure_ascii=False) if sentence else None


def _heard(stored: str | None) -> dict[str, str]:
    """A stored sentence by language; before there were languages it was English text."""
    if not stored:
        return {}
    return json.loads(stored) if stored.startswith("{") else {i18n.SOURCE: stored}
