"""What the database keeps of people: names, the seats of browsers, chat, notebooks."""

import contextlib
import hmac
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from outbid.core.language.i18n import ngettext
from outbid.core.language.names import forms_of
from outbid.server.settings import Refused
from outbid.server.storage import erasures, ratings, results
from outbid.server.storage.notifications import Unreachable
from outbid.server.storage.rows import absences, in_play, write_times
from outbid.server.storage.schema import (
    audit,
    automatic_moves,
    chat,
    devices,
    held,
    known_devices,
    letters,
    names,
    notes,
    notices,
    opinions,
    recoveries,
    reviews,
    seats,
    tables,
    vacations,
)
from outbid.server.storage.store import Store
from outbid.server.stored import BOT, MAIL, Conflict, DaysOff, KeptName, StoredMessage, days_off
from outbid.server.tokens import hashed, new_id, new_token

LONGEST = 64  # bytes of a token
BROWSERS = 50  # that have the same seat
TO = "  →  "  # in the audit between an older name and a newer; no name has two blanks in a row
REMEMBERED = 10_000  # seats of browsers that a server knows while the database does not answer


@dataclass(frozen=True)
class Offered:
    """A listed table where seats are free."""

    id: str
    game: str
    pace: str
    clock: str
    weekends: bool
    host: str
    free: int
    seats: int


_KEPT = sa.select(names.c.key, names.c.name, names.c.password)
_SAID = sa.select(chat.c.id, chat.c.room, chat.c.who, chat.c.name, chat.c.text, chat.c.at, chat.c.to, chat.c.after)


class PeopleStore:
    """The tables of people in a database."""

    def __init__(self, store: Store):
        self._store = store
        self._db = store.engine
        self._seen: OrderedDict[tuple[str, str], tuple[str, str] | None] = OrderedDict()  # seats of browsers

    # --- listed tables ---

    def offered(self, since: float, most: int = 30) -> list[Offered]:
        """The newest listed tables made since a moment where seats are free."""
        free = sa.select(sa.func.count()).where(seats.c.table_id == tables.c.id, seats.c.kind == "open").scalar_subquery()
        places = sa.select(sa.func.count()).where(seats.c.table_id == tables.c.id).scalar_subquery()
        host = (
            sa.select(seats.c.name).where(seats.c.table_id == tables.c.id, seats.c.seat == tables.c.host).scalar_subquery()
        )
        query = sa.select(tables.c.id, tables.c.game, tables.c.pace, tables.c.clock, tables.c.weekends, host, free, places)
        wanted = tables.c.listed & (tables.c.status == "open") & (tables.c.made >= since) & (free > 0)
        return [Offered(*row) for row in self._store.rows(query.where(wanted).order_by(tables.c.made.desc()).limit(most))]

    # --- chat ---

    def said(self, table: str, room: str, most: int) -> list[StoredMessage]:
        """The newest messages of a room, the oldest first."""
        newest = _SAID.where(chat.c.table_id == table, chat.c.room == room).order_by(chat.c.id.desc()).limit(most)
        return [StoredMessage(*row) for row in reversed(self._store.rows(newest))]

    def since(self, table: str, number: int) -> list[StoredMessage]:
        """The messages of a table after a number."""
        newer = _SAID.where(chat.c.table_id == table, chat.c.id > number).order_by(chat.c.id)
        return [StoredMessage(*row) for row in self._store.rows(newer)]

    def say(self, table: str, message: StoredMessage, most: int, owner: str | None = None) -> None:
        """Keep a message, of a kept name if it has an owner, and so many of its room: the oldest go."""
        fields = {name: value for name, value in vars(message).items() if name != "id"}
        messages = (chat.c.table_id == table) & (chat.c.room == message.room)
        oldest = sa.select(chat.c.id).where(messages).order_by(chat.c.id.desc()).limit(1).offset(most).scalar_subquery()
        gone = sa.delete(chat).where(messages, chat.c.id <= oldest)
        self._store.execute(sa.insert(chat).values(table_id=table, owner=owner, **fields), gone, about=table)

    # --- notebooks ---

    def notes(self, table: str, seat: int) -> str:
        """What a seat has noted for itself."""
        return self._store.value(sa.select(notes.c.text).filter_by(table_id=table, seat=seat)) or ""

    def note(self, table: str, seat: int, text: str) -> None:
        """The whole notebook of a seat from now on."""
        row = sa.insert(notes).values(table_id=table, seat=seat, text=text)
        self._store.execute(sa.delete(notes).filter_by(table_id=table, seat=seat), *([row] if text else []), about=table)

    # --- kept names ---

    def kept(self, name: str) -> list[KeptName]:
        """The kept names that look like this one, the oldest first."""
        forms = forms_of(name)
        alike = _KEPT.where(names.c.form.in_(forms) | names.c.small.in_(forms)).order_by(names.c.made)
        return [KeptName(*row) for row in self._store.rows(alike)]

    def device(self, token: str) -> KeptName | None:
        """The name that a browser is signed in with."""
        rows = self._store.rows(_KEPT.join(devices).where(devices.c.token == token))
        return KeptName(*rows[0]) if rows else None

    def keep(self, kept: KeptName, token: str) -> None:
        """A name is kept from now on, and a browser signed in. Raises Conflict if it is kept already."""
        try:
            (form, small), key = forms_of(kept.name), kept.key
            if self._store.value(sa.select(sa.exists().where(names.c.key == key, names.c.small != small))):
                key = f"{key} {new_id()}"  # of a person who was called so before (`rename`)
            fields = {"key": key, "name": kept.name, "form": form, "small": small, "password": kept.password}
            signed_in = sa.insert(devices).values(token=token, key=key, made=time.time())
            self._store.execute(sa.insert(names).values(**fields, made=time.time()), signed_in)
        except IntegrityError as error:
            raise Conflict from error

    def sign_in(self, key: str, token: str) -> None:
        """One more browser. Raises Conflict if the name was given up meanwhile."""
        try:
            self._store.execute(sa.insert(devices).values(token=token, key=key, made=time.time()))
        except IntegrityError as error:
            raise Conflict from error

    def sign_out(self, token: str) -> None:
        """A browser is signed in no longer, and known from now on; of a name the newest are."""

        def write(db: sa.Connection) -> None:
            key = db.scalar(sa.select(devices.c.key).where(devices.c.token == token))
            if key is not None:
                db.execute(sa.delete(devices).where(devices.c.token == token))
                db.execute(sa.insert(known_devices), {"token": token, "key": key, "left_at": time.time()})
                old = sa.select(known_devices.c.left_at).filter_by(key=key).order_by(known_devices.c.left_at.desc())
                first = old.limit(1).offset(BROWSERS).scalar_subquery()
                db.execute(sa.delete(known_devices).filter_by(key=key).where(known_devices.c.left_at <= first))

        self._store.write(write)

    def knows(self, key: str, token: str) -> bool:
        """A browser is signed in with a name, or was."""
        mine = [sa.exists().where(table.c.token == token, table.c.key == key) for table in (devices, known_devices)]
        return bool(self._store.value(sa.select(sa.or_(*mine))))

    def change(self, key: str, password: str, token: str) -> None:
        """Another password; all browsers but one are signed out."""
        self._store.execute(*changing(key, password, token))

    def vacations(self, key: str) -> list[days_off.Vacation]:
        """The vacations of a kept name, the newest first."""
        query = sa.select(vacations.c.begins, vacations.c.ends).where(vacations.c.key == key)
        return [(row.begins, row.ends) for row in self._store.rows(query.order_by(vacations.c.begins.desc()))]

    def rest(self, key: str, days: int) -> None:
        """The vacation of a kept name lasts so many days, today included; none: it is over. Raises Refused."""
        now = self._store.moments.now()

        def write(db: sa.Connection) -> None:
            if db.scalar(sa.select(names.c.key).where(names.c.key == key).with_for_update()) is None:
                return  # it was given up a moment ago
            mine = vacations.c.key == key
            taken = {row.begins: row.ends for row in db.execute(sa.select(vacations).where(mine))}
            begins = next((begins for begins, ends in taken.items() if ends > now), now if days else None)
            if begins is None:
                return
            ends = days_off.midnight(now, days) if days else now
            days_off.check((taken | {begins: ends}).items())
            db.execute(sa.delete(vacations).where(mine, vacations.c.begins == begins))
            db.execute(sa.insert(vacations).values(key=key, begins=begins, ends=ends))
            _rest(db, key, now)

        self._store.write(write)

    def give_up(self, key: str) -> None:
        """Anybody may have the name; seats stay with those who hold their tokens, ratings with nobody."""

        def write(db: sa.Connection) -> None:
            db.execute(sa.delete(vacations).where(vacations.c.key == key))
            _rest(db, key, self._store.moments.now())
            give_up(key, db)

        self._store.write(write)

    def everything(self, kept: KeptName) -> dict[str, Any]:
        """All that the database has of a kept name, apart from secrets; times are seconds since 1970."""
        mine = seats.c.owner == kept.key
        query = sa.select(seats, tables.c.game, tables.c.status, tables.c.made, notes.c.text)
        query = query.join(tables, tables.c.id == seats.c.table_id).outerjoin(notes, _same_seat(notes))
        spoken = sa.select(chat.c.table_id, chat.c.at, chat.c.text, chat.c.to).where(_spoken(kept.key)).order_by(chat.c.id)
        told = sa.select(notices.c.kind, notices.c.address, notices.c.zone, notices.c.made, notices.c.confirmed)
        ordered = sa.select(automatic_moves.c.wants).join(seats, _same_seat(automatic_moves)).where(mine)
        thought = sa.select(opinions).join(seats, _same_seat(opinions)).where(mine)
        vacation = sa.select(vacations.c.begins, vacations.c.ends).order_by(vacations.c.begins)
        with self._db.connect() as db:
            name = db.execute(sa.select(names.c.made, names.c.ladder).where(names.c.key == kept.key)).one()
            signed_in = sa.select(devices.c.made).where(devices.c.key == kept.key).order_by(devices.c.made)
            messages = [row._asdict() for row in db.execute(spoken)]
            places = db.execute(query.where(mine).order_by(tables.c.made)).all()
            played_at = {row.table_id for row in places}
            return {
                "name": kept.name,
                "kept_since": name.made,
                "signed_in": list(db.scalars(signed_in)),
                "signed_out": list(db.scalars(sa.select(known_devices.c.left_at).filter_by(key=kept.key))),
                "ladder": name.ladder,
                "vacations": [row._asdict() for row in db.execute(vacation.where(vacations.c.key == kept.key))],
                "ratings": [row._asdict() for row in db.execute(ratings.of_person(kept.key))],
                "deals_of_the_day": [row._asdict() for row in db.execute(results.of_person(kept.key))],
                "opinions": [row._asdict() for row in db.execute(thought)],
                "orders": list(db.scalars(ordered)),
                "notices": [row._asdict() for row in db.execute(told.where(notices.c.name == kept.key))],
                "seats": [
                    {
                        "table": row.table_id, "game": row.game, "status": row.status, "made": row.made, "seat": row.seat,
                        "name": row.name, "hints": row.hints, "notes": row.text or "",
                        "said": [
                            {fact: line[fact] for fact in ("at", "text", "to")}
                            for line in messages if line["table_id"] == row.table_id
                        ],
                    }
                    for row in places
                ],
                "said_elsewhere": [
                    {"table": s["table_id"], "at": s["at"], "text": s["text"]}
                    for s in messages if s["table_id"] not in played_at
                ],
            }  # fmt: skip

    def erase(self, key: str) -> tuple[list[str], list[str]]:
        """Nothing of a kept name stays: at its tables a nameless player has played and said nothing. Returns them, and those
        where it said something. Raises Refused if a match of it is not over."""
        going = sum(status != "over" for _table, status in seated_at(self._store, key))
        if going:
            sentence = ngettext(
                "You have a seat at {n} table that is not over; leave it, or play the match to its end.",
                "You have seats at {n} tables that are not over; leave them, or play the matches to their end.",
                going,
            )
            raise Refused(409, sentence)
        return self._store.write(partial(erase, key))

    def own(self, key: str, held: Mapping[str, str], same: Any) -> None:
        """The seats with these tokens (by table) become the name's, if `same` says that they are called so."""

        def write(db: sa.Connection) -> None:
            for table, token in held.items():
                place = (seats.c.table_id == table) & (seats.c.token == token)
                if any(same(name) for name in db.scalars(sa.select(seats.c.name).where(place))):
                    db.execute(sa.update(seats).where(place).values(owner=key))

        if held:
            self._store.write(write)

    def seat(self, table: str, key: str) -> int:
        """The seat of a kept name at a table; −1: none."""
        seat = self._store.value(sa.select(seats.c.seat).where(seats.c.table_id == table, seats.c.owner == key))
        return -1 if seat is None else seat

    def tables(self, key: str) -> list[str]:
        """The tables where a kept name has a seat."""
        return self._store.values(sa.select(seats.c.table_id).where(seats.c.owner == key))

    # --- a forgotten password ---

    def reader(self, key: str) -> tuple[str, str] | None:
        """The confirmed mail address of a kept name, and the language of its owner."""
        mail = sa.select(notices.c.address, notices.c.language).where(notices.c.name == key, notices.c.kind == MAIL)
        return next(((*row,) for row in self._store.rows(mail.where(notices.c.confirmed.is_not(None)))), None)

    def recover(self, key: str, token: str, until: float) -> None:
        """A link with this token gives a name a new password, once, until a moment; earlier links do no more."""
        fresh = sa.insert(recoveries).values(key=key, token=hashed(token), until=until)
        self._store.execute(sa.delete(recoveries).where(recoveries.c.key == key), fresh)

    def recovering(self, token: str, now: float) -> KeptName | None:
        """The kept name that a link gives a new password."""
        good = (recoveries.c.token == hashed(token)) & (recoveries.c.until > now)
        return next((KeptName(*row) for row in self._store.rows(_KEPT.join(recoveries).where(good))), None)

    def replace_password(self, token: str, now: float, password: str, device: str) -> None:
        """A link gives its name another password, and a browser is signed in. Raises Conflict if it does so no more."""
        good = (recoveries.c.token == hashed(token)) & (recoveries.c.until > now)

        def write(db: sa.Connection) -> None:
            key = db.scalar(sa.select(recoveries.c.key).where(good).with_for_update())
            if key is None:
                raise Conflict
            for statement in (*changing(key, password), sa.insert(devices).values(token=device, key=key, made=now)):
                db.execute(statement)

        self._store.write(write)

    # --- the seats of browsers ---

    def browser(self, secret: str) -> bool:
        """A browser with this secret has a seat."""
        return bool(self._store.value(sa.select(sa.exists().where(held.c.browser == hashed(secret)))))

    def taken(self, table: str, token: str) -> bool:
        """A browser has the seat with this token."""
        mine = sa.exists().where(held.c.table_id == table, held.c.token == hashed(token))
        return bool(self._store.value(sa.select(mine)))

    def hold(self, secret: str, tokens: Mapping[str, str]) -> None:
        """A browser has the seats with these tokens (by table) from now on, at each table one; others are not noted. Of one
        seat the newest browsers are kept."""
        for table, token in tokens.items():
            with contextlib.suppress(IntegrityError):
                self._store.write(partial(_hold, secret, table, token), table)
            self._seen.pop((hashed(secret), table), None)

    def renew(self, secret: str) -> str:
        """Another secret for a browser, with all that the old one has, which pages that are being loaded still send."""
        fresh, old = new_token(), {"browser": hashed(secret)}

        def write(db: sa.Connection) -> None:
            rows = [row._asdict() for row in db.execute(sa.select(held).filter_by(**old))]
            for row in rows:
                row |= {"browser": hashed(fresh), "sealed": _sealed(fresh, _opened(secret, row["token"], row["sealed"]))}
            if rows:
                db.execute(sa.insert(held), rows)
            db.execute(sa.update(notices).filter_by(**old).values(browser=hashed(fresh)))

        self._store.write(write)
        return fresh

    def held(self, secret: str, table: str) -> str | None:
        """The token of the seat that a browser has at a table."""
        name = (hashed(secret), table)
        query = sa.select(held.c.token, held.c.sealed).filter_by(browser=name[0], table_id=table)
        try:
            rows = self._store.rows(query)
            self._seen[name] = (rows[0].token, rows[0].sealed) if rows else None
        except Unreachable:
            if name not in self._seen:
                raise
        self._seen.move_to_end(name)
        seen = self._seen[name]
        if len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)
        return _opened(secret, *seen) if seen else None

    def holds(self, secret: str, most: int) -> dict[str, str]:
        """The newest seats of a browser: table → hashed token."""
        query = sa.select(held.c.table_id, held.c.token).filter_by(browser=hashed(secret))
        return {row.table_id: row.token for row in self._store.rows(query.order_by(held.c.at.desc()).limit(most))}

    def let_go(self, secret: str, ids: Iterable[str]) -> None:
        """A browser has no seat at these tables any more."""
        browser, left = hashed(secret), list(ids)
        self._store.execute(sa.delete(held).filter_by(browser=browser).where(held.c.table_id.in_(left)))
        for table in left:
            self._seen.pop((browser, table), None)


def seated_at(store: Store, key: str) -> list[tuple[str, str]]:
    """The tables where a kept name has a seat, and their status."""
    query = sa.select(tables.c.id, tables.c.status).join(seats, seats.c.table_id == tables.c.id)
    return [(row.id, row.status) for row in store.rows(query.where(seats.c.owner == key))]


def changing(key: str, password: str, token: str = "") -> tuple[sa.Executable, ...]:
    """What gives a name another password and signs all browsers out but one."""
    return (
        sa.update(names).where(names.c.key == key).values(password=password),
        sa.delete(devices).where(devices.c.key == key, devices.c.token != token),
        sa.delete(known_devices).where(known_devices.c.key == key),
        sa.delete(recoveries).where(recoveries.c.key == key),
    )


def rename(key: str, name: str, db: sa.Connection) -> list[str]:
    """A kept name is called otherwise from now on, also where it sat and spoke; returns these tables. Raises Conflict if
    that name is kept already."""
    form, small = forms_of(name)
    alike = names.c.form.in_((form, small)) | names.c.small.in_((form, small))
    if db.scalar(sa.select(sa.exists().where(alike, names.c.key != key))):
        raise Conflict
    for subject, before in _audited(db, key):
        db.execute(sa.update(audit).where(audit.c.subject == subject).values(subject=f"{before}{name}"))
    db.execute(sa.update(names).where(names.c.key == key).values(name=name, form=form, small=small))
    mine, heard = _presence(db, key)
    db.execute(sa.update(chat).where(_spoken(key)).values(name=name))
    for table, seat in mine:
        _call(db, table, seat, name)
    return [*(table for table, _seat in mine), *heard]


def _audited(db: sa.Connection, key: str) -> list[tuple[str, str]]:
    """How the audit calls a kept name, and what stands before it there (an older name and `TO`, or nothing): an operator may
    have written it in other letters."""
    own = {*forms_of(db.scalar(sa.select(names.c.name).where(names.c.key == key)) or "")}
    parts = [(subject, *subject.rpartition(TO)) for subject in db.scalars(sa.select(audit.c.subject).distinct())]
    return [(subject, before + to) for subject, before, to, name in parts if name and own.intersection(forms_of(name))]


def _presence(db: sa.Connection, key: str) -> tuple[list[tuple[str, int]], list[str]]:
    """The seats of a kept name, and the tables where it said something."""
    mine = db.execute(sa.select(seats.c.table_id, seats.c.seat).where(seats.c.owner == key))
    return [(*row,) for row in mine], list(db.scalars(sa.select(chat.c.table_id).where(_spoken(key)).distinct()))


def _call(db: sa.Connection, table: str, seat: int, name: str, **facts: Any) -> None:
    """A player is called otherwise at a table, where no other is; reviews name the players, and are made again."""
    at_table = seats.c.table_id == table
    taken = set(db.scalars(sa.select(seats.c.name).where(at_table, seats.c.seat != seat)))
    name = name if name and name not in taken else next(p for n in count(seat + 1) if (p := f"Player {n}") not in taken)
    db.execute(sa.update(seats).where(at_table, seats.c.seat == seat).values(name=name, **facts))
    db.execute(sa.delete(reviews).where(reviews.c.table_id == table))


def erase(key: str, db: sa.Connection) -> tuple[list[str], list[str]]:
    """Nothing of a kept name stays: the one place where a person is erased. A bot plays on in matches that are not over.
    Returns the tables where it sat, and where it said something."""
    erasures.note_name(db, "person", key)
    mine, heard = _presence(db, key)
    db.execute(results.forgetting(key))
    db.execute(sa.delete(chat).where(_spoken(key)))
    for table, seat in mine:
        going = db.scalar(sa.select(tables.c.status).where(tables.c.id == table)) != "over"
        bot = {"kind": BOT, "bot": "steady"} if going else {}
        _call(db, table, seat, "", owner=None, token=None, rated=False, **bot)
        for part in (notes, opinions):
            db.execute(sa.delete(part).filter_by(table_id=table, seat=seat))
        tokens = sa.select(seats.c.token).where(seats.c.table_id == table, seats.c.token.is_not(None))
        db.execute(sa.delete(held).where(held.c.table_id == table, held.c.token.not_in(tokens)))
    for subject, _before in _audited(db, key):
        db.execute(sa.update(audit).where(audit.c.subject == subject).values(subject=""))
    for statement in _giving_up(key):
        db.execute(statement)
    return [table for table, _seat in mine], heard


def take_down(db: sa.Connection, table: str, number: int) -> bool:
    """Delete a message; false if it is not there."""
    line = (chat.c.table_id == table) & (chat.c.id == number)
    at = db.scalar(sa.select(chat.c.at).where(line))
    if at is not None:
        erasures.note(db, "line", erasures.hidden(table, number, at))
    return db.execute(sa.delete(chat).where(line)).rowcount == 1


def give_up(key: str, db: sa.Connection) -> None:
    """Anybody may have a name."""
    erasures.note_name(db, "name", key)
    for statement in _giving_up(key):
        db.execute(statement)


def _rest(db: sa.Connection, key: str, now: float) -> None:
    """The deadlines at the tables of a kept name follow its vacation, and all processes are told."""
    mine = sa.select(seats.c.table_id).where(seats.c.owner == key, seats.c.kind == "human")
    playing = sa.select(tables.c.id, tables.c.clock, tables.c.weekends).where(tables.c.status == "playing")
    for table in db.execute(playing.where(tables.c.id.in_(mine))).all():
        if days_off.daily(table.clock):
            off = DaysOff(table.weekends, absences(db, table.id, now))
            write_times(db, table.id, off.applied(in_play(db, table.id)["times"], now))
            db.execute(sa.update(tables).where(tables.c.id == table.id).values(id=table.id))


def _giving_up(key: str) -> tuple[sa.Executable, ...]:
    """What takes a name from its owner."""
    return (
        results.forgetting(key),
        sa.update(seats).where(seats.c.owner == key).values(owner=None),
        sa.update(chat).where(chat.c.owner == key).values(owner=None),
        ratings.forgetting(key),
        sa.delete(letters).where(letters.c.notice.in_(sa.select(notices.c.id).where(notices.c.name == key))),
        sa.delete(notices).where(notices.c.name == key),
        sa.delete(vacations).where(vacations.c.key == key),
        sa.delete(devices).where(devices.c.key == key),
        sa.delete(known_devices).where(known_devices.c.key == key),
        sa.delete(recoveries).where(recoveries.c.key == key),
        sa.delete(names).where(names.c.key == key),
    )


def _same_seat(part: sa.Table) -> sa.ColumnElement[bool]:
    return (part.c.table_id == seats.c.table_id) & (part.c.seat == seats.c.seat)


def _spoken(key: str) -> sa.ColumnElement[bool]:
    """The messages of a kept name, also those of its seats that say nothing of whose they are."""
    sender = sa.literal("seat-").concat(sa.cast(seats.c.seat, sa.String))
    seat = sa.exists().where(seats.c.table_id == chat.c.table_id, chat.c.who == sender, seats.c.owner == key)
    return (chat.c.owner == key) | (chat.c.owner.is_(None) & seat)


def _hold(secret: str, table: str, token: str, db: sa.Connection) -> None:
    mine, seat = {"browser": hashed(secret), "table_id": table}, {"table_id": table, "token": hashed(token)}
    row = {**mine, **seat, "sealed": _sealed(secret, token), "at": time.time()}
    if db.scalar(sa.select(sa.exists().where(seats.c.table_id == table, seats.c.token == seat["token"]))):
        db.execute(sa.delete(held).filter_by(**mine))
        db.execute(sa.insert(held), row)
        before = sa.select(held.c.at).filter_by(**seat).order_by(held.c.at.desc()).limit(1).offset(BROWSERS)
        db.execute(sa.delete(held).filter_by(**seat).where(held.c.at <= before.scalar_subquery()))


def _sealed(secret: str, token: str) -> str:
    """A token that only the secret of the browser opens: the database alone opens no seat."""
    return _mixed(secret, hashed(token), token.encode()[:LONGEST]).hex()


def _opened(secret: str, token: str, sealed: str) -> str:
    """A sealed token, opened with the secret of the browser. token: its SHA-256."""
    return _mixed(secret, token, bytes.fromhex(sealed)).decode("ascii", "replace")


def _mixed(secret: str, name: str, text: bytes) -> bytes:
    """Text and a key stream that is another one for every token, added bit by bit."""
    stream = hmac.digest(secret.encode("utf-8", "replace"), f"the seat {name}".encode(), "sha512")
    return bytes(byte ^ key for byte, key in zip(text, stream, strict=False))
