"""The codes of waiting rooms: four letters that are easily told apart, by which friends come to a table without its link.

A code is good while its table waits, and for a day at most. It lies in the database, so every process knows it.
"""

import secrets
import time

import sqlalchemy as sa

from outbid.server.storage.database import Database, insert
from outbid.server.storage.schema import codes, tables

LETTERS = "BCDFGHJKMNPRSTWXYZ"  # none that looks like another or like a figure, and no vowels, so that they make no words
LENGTH = 4
GOOD = 24 * 3600.0  # seconds


def of(database: Database, table: str) -> str:
    """The code of a table; "" if it has none any more."""
    return database.value(_good(codes.c.code).where(codes.c.table_id == table)) or ""


def opened(database: Database, text: str) -> str:
    """The table whose code was typed, in whatever letters and with whatever between them; "" for none."""
    code = "".join(letter for letter in text.upper() if letter.isalnum())
    return database.value(_good(codes.c.table_id).where(codes.c.code == code)) or "" if len(code) == LENGTH else ""


def _good(column: sa.Column[str]) -> sa.Select[str]:
    waiting = (codes.c.table_id == tables.c.id) & (tables.c.status == "open")
    return sa.select(column).join(tables, waiting).where(codes.c.until > time.time())


def give(db: sa.Connection, table: str) -> None:
    """A waiting room gets a code that no other has, in the transaction that makes it."""
    now = time.time()
    db.execute(sa.delete(codes).where(codes.c.until <= now))
    given = 0
    while not given:
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        row = insert(db, codes).values(code=code, table_id=table, until=now + GOOD)
        given = db.execute(row.on_conflict_do_nothing(index_elements=["code"])).rowcount
