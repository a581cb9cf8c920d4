"""Playtests: variants of a game that people compare, and what they say after a match.

    begin(store, playtest)                   # of an experiment file, by `outbid admin playtest FILE`
    variant = draw(store, playtest, 3)       # for a new table, among those that have the fewest
    answer(store, table, seat, "tense", 2)   # one of three taps after the match

Variants are sets of options. Tables of each number of players are drawn apart. A table counts as long as its people agree,
which its `playtest` says; one who does not has it play by the given rules (Store.alter).
"""

import random
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from outbid.server.storage.database import Database, insert
from outbid.server.storage.schema import opinions, playtests, seats, tables

ABOUT = ("tense", "fair", "long")  # what people are asked after a match; answers go from no (0) to yes (2)
MOST = 2


class Playtest(NamedTuple):
    """What is compared. players: the numbers it is played by; variants: each with name, options and what they change
    (`says`); the first is what the others are compared with. began, ended: moments; none: it goes on."""

    name: str
    game: str
    question: str
    players: Sequence[int]
    variants: Sequence[Mapping[str, Any]]
    began: float
    ended: float | None = None


def begin(db: Database, playtest: Playtest) -> None:
    """Tables may be made for a playtest."""
    db.execute(sa.insert(playtests).values(**playtest._asdict()))


def end(db: Database, name: str) -> None:
    """No table is made for a playtest any more; those that are there go on."""
    db.execute(sa.update(playtests).where(playtests.c.name == name).values(ended=time.time()))


def everyone(db: Database, *where: sa.ColumnElement[bool]) -> list[Playtest]:
    """All playtests, or those that fulfil these conditions, the newest first."""
    return [Playtest._make(row) for row in db.rows(sa.select(playtests).where(*where).order_by(playtests.c.began.desc()))]


def running(db: Database) -> list[Playtest]:
    """Playtests for which tables are made."""
    return everyone(db, playtests.c.ended.is_(None))


def named(db: Database, name: str | None) -> Playtest | None:
    """A playtest by its name."""
    return next(iter(everyone(db, playtests.c.name == name)), None) if name else None


def draw(db: Database, playtest: Playtest, players: int) -> Mapping[str, Any]:
    """A variant for a table of so many: one of those that have the fewest, so that they stay level."""
    query = sa.select(tables.c.variant).where(tables.c.playtest == playtest.name)
    sizes = sa.select(sa.func.count()).select_from(seats).where(seats.c.table_id == tables.c.id).scalar_subquery()
    drawn = [row.variant for row in db.rows(query.where(sizes == players))]
    counts = {variant["name"]: drawn.count(variant["name"]) for variant in playtest.variants}
    return random.SystemRandom().choice([v for v in playtest.variants if counts[v["name"]] == min(counts.values())])


def answer(db: Database, table: str, seat: int, about: str, answer: int) -> None:
    """What the person of a seat says about a match; the last word counts."""

    def write(connection: sa.Connection) -> None:
        row = insert(connection, opinions).values(table_id=table, seat=seat, about=about, answer=answer)
        connection.execute(row.on_conflict_do_update(index_elements=["table_id", "seat", "about"], set_={"answer": answer}))

    db.write(write, table)


def opinions_of(db: sa.Connection, table: str) -> dict[tuple[int, str], int]:
    """What was said about a match, by seat and question."""
    return {(row.seat, row.about): row.answer for row in db.execute(sa.select(opinions).where(opinions.c.table_id == table))}


def finished(db: Database, name: str) -> Sequence[sa.Row[Any]]:
    """The finished matches of a playtest: table, variant, and the mean answer to each question (none: nobody said)."""
    number = sa.cast(opinions.c.answer, sa.Float)
    means = (sa.func.avg(sa.case((opinions.c.about == about, number))).label(about) for about in ABOUT)
    query = sa.select(tables.c.id, tables.c.variant, *means).outerjoin(opinions, opinions.c.table_id == tables.c.id)
    return db.rows(query.where(tables.c.playtest == name, tables.c.status == "over").group_by(tables.c.id, tables.c.variant))
