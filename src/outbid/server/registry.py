"""What the database keeps of people, apart from their seats: names, agreements, chat. With store.py all that knows SQL."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from outbid.engine.names import forms_of
from outbid.server import ladder
from outbid.server.store import Conflict, Store, chat, devices, names, seats, tables


@dataclass(frozen=True)
class Kept:
    """A name that is kept: as it is compared, as it is shown, and the hash of its password."""

    key: str
    name: str
    password: str


@dataclass(frozen=True)
class Offered:
    """A listed table where seats are free."""

    id: str
    game: str
    pace: str
    clock: str
    host: str
    free: int
    seats: int


@dataclass(frozen=True)
class Said:
    """A message. room: who hears it (chat.py); who: what names its sender at this table; at: seconds."""

    id: int
    room: str
    who: str
    name: str
    text: str
    at: float


_SAID = sa.select(chat.c.id, chat.c.room, chat.c.who, chat.c.name, chat.c.text, chat.c.at)


class Registry:
    """The tables of people in a database."""

    def __init__(self, store: Store):
        self._db = store.engine

    # --- listed tables ---

    def offered(self, since: float, most: int = 30) -> list[Offered]:
        """The newest listed tables made since a moment where seats are free."""
        free = sa.select(sa.func.count()).where(seats.c.table_id == tables.c.id, seats.c.kind == "open").scalar_subquery()
        there = sa.select(sa.func.count()).where(seats.c.table_id == tables.c.id).scalar_subquery()
        host = (
            sa.select(seats.c.name).where(seats.c.table_id == tables.c.id, seats.c.seat == tables.c.host).scalar_subquery()
        )
        found = sa.select(tables.c.id, tables.c.game, tables.c.pace, tables.c.clock, host, free, there)
        wanted = tables.c.listed & (tables.c.status == "open") & (tables.c.made >= since) & (free > 0)
        with self._db.connect() as db:
            return [Offered(*row) for row in db.execute(found.where(wanted).order_by(tables.c.made.desc()).limit(most))]

    # --- chat ---

    def said(self, table: str, most: int) -> list[Said]:
        """The newest messages of a table, the oldest first."""
        with self._db.connect() as db:
            rows = db.execute(_SAID.where(chat.c.table_id == table).order_by(chat.c.id.desc()).limit(most)).all()
            return [Said(*row) for row in reversed(rows)]

    def since(self, table: str, number: int) -> list[Said]:
        """The messages of a table after a number."""
        with self._db.connect() as db:
            found = _SAID.where(chat.c.table_id == table, chat.c.id > number).order_by(chat.c.id)
            return [Said(*row) for row in db.execute(found)]

    def say(self, table: str, one: Said) -> None:
        """Keep a message."""
        fields = {"room": one.room, "who": one.who, "name": one.name, "text": one.text, "at": one.at}
        with self._db.begin() as db:
            db.execute(sa.insert(chat).values(table_id=table, **fields))

    def messages(self, table: str) -> int:
        """How many messages a table has."""
        with self._db.connect() as db:
            return db.scalar(sa.select(sa.func.count()).select_from(chat).where(chat.c.table_id == table)) or 0

    # --- kept names ---

    def kept(self, name: str) -> list[Kept]:
        """The kept names that look like this one, the oldest first."""
        forms = forms_of(name)
        found = sa.select(names.c.key, names.c.name, names.c.password).order_by(names.c.made)
        with self._db.connect() as db:
            return [Kept(*row) for row in db.execute(found.where(names.c.form.in_(forms) | names.c.small.in_(forms)))]

    def device(self, token: str) -> Kept | None:
        """The name that a browser is signed in with."""
        found = sa.select(names.c.key, names.c.name, names.c.password).join(devices).where(devices.c.token == token)
        with self._db.connect() as db:
            row = db.execute(found).first()
            return Kept(*row) if row else None

    def keep(self, kept: Kept, token: str) -> None:
        """A name is kept from now on, and a browser signed in. Raises Conflict if it is kept already."""
        try:
            with self._db.begin() as db:
                form, small = forms_of(kept.name)
                fields = {"key": kept.key, "name": kept.name, "form": form, "small": small, "password": kept.password}
                db.execute(sa.insert(names).values(**fields, made=time.time()))
                db.execute(sa.insert(devices).values(token=token, key=kept.key, made=time.time()))
        except IntegrityError as error:
            raise Conflict from error

    def sign_in(self, key: str, token: str) -> None:
        """One more browser. Raises Conflict if the name was given up meanwhile."""
        try:
            with self._db.begin() as db:
                db.execute(sa.insert(devices).values(token=token, key=key, made=time.time()))
        except IntegrityError as error:
            raise Conflict from error

    def sign_out(self, token: str) -> None:
        """A browser is signed in no longer."""
        with self._db.begin() as db:
            db.execute(sa.delete(devices).where(devices.c.token == token))

    def change(self, key: str, password: str, token: str) -> None:
        """Another password; all browsers but one are signed out."""
        with self._db.begin() as db:
            db.execute(sa.update(names).where(names.c.key == key).values(password=password))
            db.execute(sa.delete(devices).where(devices.c.key == key, devices.c.token != token))

    def give_up(self, key: str) -> None:
        """Anybody may have the name; seats stay with those who hold their tokens, ratings with nobody."""
        with self._db.begin() as db:
            db.execute(sa.update(seats).where(seats.c.owner == key).values(owner=None))
            ladder.forget(db, key)
            db.execute(sa.delete(devices).where(devices.c.key == key))
            db.execute(sa.delete(names).where(names.c.key == key))

    def own(self, key: str, held: Mapping[str, str], same: Any) -> None:
        """The seats with these tokens (by table) become the name's, if `same` says that they are called so."""
        with self._db.begin() as db:
            for table, token in held.items():
                there = (seats.c.table_id == table) & (seats.c.token == token)
                if any(same(name) for name in db.scalars(sa.select(seats.c.name).where(there))):
                    db.execute(sa.update(seats).where(there).values(owner=key))

    def seat(self, table: str, key: str) -> int:
        """The seat of a kept name at a table; −1: none."""
        with self._db.connect() as db:
            found = db.scalar(sa.select(seats.c.seat).where(seats.c.table_id == table, seats.c.owner == key))
            return -1 if found is None else int(found)

    def tables(self, key: str) -> list[str]:
        """The tables where a kept name has a seat."""
        with self._db.connect() as db:
            return list(db.scalars(sa.select(seats.c.table_id).where(seats.c.owner == key)))
