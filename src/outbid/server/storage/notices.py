"""Who wants to be told when it is their turn, and what is still to be sent.

    form (notices.py)  →  ask: a notice that waits for its confirmation, and the letter that asks for it
    page of a browser  →  subscribe: a notice that was confirmed by the browser, which has asked for it itself
    link in that letter →  confirm: from now on turns are told;  link in every letter → stop: the notice is erased
    Notifier (notifier.py) →  wanted: the seats to look at → claim: one letter a turn → take: what is due → done | again

A notice belongs to a kept name or to a browser: to those who have the seats. It has one address, and a secret of its own, of
which its links and the key of its web hook are made: a link needs no cookie. A new address is a new secret. A person has one
notice by mail and one by web hook, and one for each browser that is told.

A turn is a seat and the number of moves after which it was asked. `told` has the newest turn of each seat that a person was
told of; the process that writes it there first sends the letters, so several processes on one database tell it once. Letters
lie in the database until they are delivered; who takes them has them for `LEASE` seconds.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from outbid.server.storage import erasures
from outbid.server.storage.schema import held, letters, moves, notices, push_keys, seats, tables, told
from outbid.server.storage.store import Store
from outbid.server.stored import HOOK, MAIL, PUSH, Browser, Notice, Parcel, Turn, Watched
from outbid.server.tokens import new_id, new_token

KINDS = (MAIL, HOOK)  # those that are typed, one of each
BROWSERS = 10  # of one person
REFUSED, UNREACHED = "refused", "unreached"  # what went wrong with the last letter: for ever, or too often

LEASE = 120.0  # seconds for which a process has the letters that it took
PAUSES = (60.0, 300.0, 1800.0, 7200.0, 21600.0)  # seconds until the next try, after each that failed; then it is given up
EXPIRES = 2 * 24 * 3600.0  # seconds after which a notice that nobody confirmed is erased
FAR = 2 * 24 * 3600.0  # seconds: no letter waits so long; one that is due later was written when the clock was wrong


@dataclass(frozen=True)
class Owner:
    """Whose notice it is: a kept name, by its key, or a browser, by the hash of its secret."""

    name: str | None = None
    browser: str | None = None

    @property
    def fields(self) -> dict[str, str]:
        """The column that says it."""
        return {"name": self.name} if self.name is not None else {"browser": self.browser or ""}


class Notices:
    """The notices of a database."""

    def __init__(self, store: Store):
        self._store = store

    # --- who wants it ---

    def of(self, owner: Owner) -> list[Notice]:
        """The notices of one person, one of a kind."""
        return [Notice.of(row) for row in self._store.rows(sa.select(notices).filter_by(**owner.fields))]

    def find(self, name: str) -> Notice | None:
        """A notice by its id."""
        rows = self._store.rows(sa.select(notices).where(notices.c.id == name))
        return Notice.of(rows[0]) if rows else None

    def ask(
        self, owner: Owner, kind: str, address: str, quiet: tuple[int, int] | None, zone: str, language: str, now: float
    ) -> bool:
        """A person wants a kind of notice, at an address. True if it must be confirmed, for which a letter is written."""
        facts: dict[str, Any] = {"zone": zone, "language": language, "quiet_from": None, "quiet_until": None}
        if quiet:
            facts |= {"quiet_from": quiet[0], "quiet_until": quiet[1]}

        def write(db: sa.Connection) -> bool:
            mine = sa.select(notices).filter_by(**owner.fields, kind=kind)
            row = db.execute(mine).first()
            if row and row.address == address and row.confirmed is not None:
                db.execute(sa.update(notices).where(notices.c.id == row.id).values(facts))
                return False
            if row:
                _erase(db, notices.c.id == row.id)
            name = new_id()
            fresh = {"id": name, "kind": kind, "address": address, "secret": new_token(), "made": now, **owner.fields}
            db.execute(sa.insert(notices), {**fresh, **facts})
            db.execute(sa.insert(letters), {"notice": name, "due": now, "tries": 0})
            return True

        return self._store.write(write)

    def subscribe(self, owner: Owner, browser: Browser, zone: str, language: str, now: float) -> str | None:
        """A browser of a person wants messages, in the quiet hours of their other notices; it is one person's alone, who
        uses it now. Returns what went wrong with its last message."""
        keys = f"{browser.key} {browser.secret}"

        def write(db: sa.Connection) -> str | None:
            mine = sa.select(notices).filter_by(**owner.fields)
            row = db.execute(mine.filter_by(kind=PUSH, address=browser.endpoint)).first()
            if row:
                db.execute(sa.update(notices).where(notices.c.id == row.id).values(keys=keys, language=language))
                return row.trouble
            _erase(db, (notices.c.kind == PUSH) & (notices.c.address == browser.endpoint))
            facts: dict[str, Any] = {"zone": zone, "language": language, "made": now, "confirmed": now, "keys": keys}
            other = db.execute(mine.limit(1)).first()
            if other:
                facts |= {"zone": other.zone, "quiet_from": other.quiet_from, "quiet_until": other.quiet_until}
            fresh = {"id": new_id(), "kind": PUSH, "address": browser.endpoint, "secret": new_token(), **owner.fields}
            db.execute(sa.insert(notices), {**fresh, **facts})
            newest = sa.select(notices.c.id).filter_by(**owner.fields, kind=PUSH).order_by(notices.c.made.desc())
            older = list(db.scalars(newest.offset(BROWSERS)))
            _erase(db, notices.c.id.in_(older))
            return None

        return self._store.write(write)

    def quieten(self, owner: Owner, quiet: tuple[int, int] | None, zone: str) -> None:
        """A person has other quiet hours, for all of their notices."""
        begins, ends = quiet or (None, None)
        facts = {"zone": zone, "quiet_from": begins, "quiet_until": ends}
        self._store.execute(sa.update(notices).filter_by(**owner.fields).values(facts))

    def try_out(self, owner: Owner, now: float) -> int:
        """A person wants a message now, wherever they get any; to how many places it goes."""

        def write(db: sa.Connection) -> int:
            mine = sa.select(notices.c.id).filter_by(**owner.fields).where(notices.c.confirmed.is_not(None))
            ids = list(db.scalars(mine))
            for name in ids:
                db.execute(sa.insert(letters), {"notice": name, "due": now, "tries": 0})
            return len(ids)

        return self._store.write(write)

    def push_key(self, fresh: str) -> str:
        """The key by which push services know this server: the fresh one, if there is none yet."""
        wanted = sa.select(push_keys.c.key)
        if self._store.value(wanted) is None:
            with suppress(IntegrityError):  # another process has made one, at the same moment
                self._store.execute(sa.insert(push_keys).values(id=1, key=fresh))
        return self._store.value(wanted) or fresh

    def waiting(self, now: float) -> list[tuple[str, int, int]]:
        """Of each kind how many letters are due and nobody has taken, and how many could not be sent and are tried again."""
        due = sa.func.sum(sa.case(((letters.c.tries == 0) & (letters.c.due <= now), 1), else_=0))
        failed = sa.func.sum(sa.case((letters.c.tries > 0, 1), else_=0))
        query = sa.select(notices.c.kind, due, failed).join(notices, notices.c.id == letters.c.notice)
        known = {kind: (int(due), int(failed)) for kind, due, failed in self._store.rows(query.group_by(notices.c.kind))}
        return [(kind, *known.get(kind, (0, 0))) for kind in (*KINDS, PUSH)]

    def confirm(self, name: str, now: float) -> None:
        """It is what they want."""
        notice = (notices.c.id == name) & notices.c.confirmed.is_(None)
        asking = sa.delete(letters).where(letters.c.notice == name, letters.c.table_id.is_(None))
        self._store.execute(sa.update(notices).where(notice).values(confirmed=now, trouble=None), asking)

    def stop(self, name: str) -> None:
        """It is not wanted any more: nothing of it stays."""
        self._store.write(lambda db: _erase(db, notices.c.id == name))

    def give_up(self, owner: Owner, kind: str, address: str = "") -> None:
        """End the notices of a kind, or that at an address, by the person who wanted them."""
        mine = sa.and_(*(notices.c[column] == value for column, value in owner.fields.items()), notices.c.kind == kind)
        if address:
            mine &= notices.c.address == address
        self._store.write(lambda db: _erase(db, mine))

    def sweep(self, now: float) -> None:
        """Notices that nobody confirmed are erased, and what was told of matches that are over."""
        over = sa.select(tables.c.id).where(tables.c.status == "over")

        def write(db: sa.Connection) -> None:
            _erase(db, notices.c.confirmed.is_(None) & (sa.func.abs(notices.c.made - now) > EXPIRES))
            db.execute(sa.delete(told).where(told.c.table_id.in_(over)))

        self._store.write(write)

    # --- whose turn it is ---

    def wanted(self) -> list[Watched]:
        """The seats of people in matches that go on, who want to be told."""
        by_name = sa.select(notices.c.id, seats.c.table_id, seats.c.seat).join(seats, seats.c.owner == notices.c.name)
        same = (seats.c.table_id == held.c.table_id) & (seats.c.token == held.c.token)
        by_browser = sa.select(notices.c.id, seats.c.table_id, seats.c.seat).join(held, held.c.browser == notices.c.browser)
        on = notices.c.confirmed.is_not(None) & (seats.c.kind == "human")
        watchers = sa.union(by_name.where(on), by_browser.join(seats, same).where(on)).subquery()
        many = sa.select(sa.func.max(moves.c.number)).where(moves.c.table_id == watchers.c.table_id).scalar_subquery()
        query = (
            sa.select(watchers.c.id, watchers.c.table_id, watchers.c.seat, many.label("last"), told.c.number, told.c.seen)
            .join(tables, tables.c.id == watchers.c.table_id)
            .join(told, (told.c.table_id == watchers.c.table_id) & (told.c.seat == watchers.c.seat), isouter=True)
            .where(tables.c.status == "playing", ~tables.c.paused)
        )
        rows = self._store.rows(query)
        wanting: dict[tuple[str, int], list[str]] = {}
        for row in rows:
            wanting.setdefault((row.table_id, row.seat), []).append(row.id)
        return [
            Watched(
                table, seat, 0 if row.last is None else row.last + 1, -1 if row.number is None else row.number,
                row.seen or 0.0, tuple(sorted(wanting[table, seat])),
            )
            for (table, seat), row in {(row.table_id, row.seat): row for row in rows}.items()
        ]  # fmt: skip

    def claim(self, turn: Turn, ids: Sequence[str], now: float, gap: float) -> bool:
        """Write the letters of a turn, unless that was done; gap: seconds between two letters to the same person."""

        def write(db: sa.Connection) -> bool:
            if not _note(db, turn, number=turn.number):
                return False
            addresses = set[tuple[str, str]]()
            for row in db.execute(sa.select(notices).where(notices.c.id.in_(ids)).order_by(notices.c.id)).all():
                notice = Notice.of(row)
                if (notice.kind, notice.address) not in addresses:  # by name and by browser: once is enough
                    addresses.add((notice.kind, notice.address))
                    due = notice.awake(min(max(now, notice.sent + gap), now + gap))
                    about = {"table_id": turn.table, "seat": turn.seat, "number": turn.number}
                    db.execute(sa.insert(letters), {"notice": notice.id, "due": due, "tries": 0, **about})
            return True

        return self._write_once(write)

    def saw(self, turn: Turn, now: float) -> None:
        """The person of a seat is there, which other processes cannot see."""
        self._write_once(lambda db: _note(db, turn, seen=now))

    def _write_once(self, write: Any) -> bool:
        try:
            return bool(self._store.write(write))
        except IntegrityError:
            return False  # another process was the first, at the same moment

    # --- what is to be sent ---

    def take(self, now: float, kind: str | None = None, most: int = 100) -> list[Parcel]:
        """What is due of a kind, or of any, for this process to send to so many readers at most. Nothing is taken for people
        whose quiet hours have begun."""

        ripe = (letters.c.due <= now) | (letters.c.due > now + FAR)
        if kind is not None:
            ripe &= letters.c.notice.in_(sa.select(notices.c.id).where(notices.c.kind == kind))

        def write(db: sa.Connection) -> list[Parcel]:
            due = sa.select(letters).where(ripe).order_by(letters.c.due, letters.c.id).limit(100)
            by_notice: dict[str, list[Any]] = {}
            for row in db.execute(due.with_for_update(skip_locked=True)).all():
                if row.notice in by_notice or len(by_notice) < most:
                    by_notice.setdefault(row.notice, []).append(row)
            parcels = []
            for row in db.execute(sa.select(notices).where(notices.c.id.in_(by_notice))).all():
                notice, mine = Notice.of(row), by_notice[row.id]
                trial = any(letter.table_id is None for letter in mine)  # nobody is asleep who asks for it
                awake = now if trial else notice.awake(now)
                ids = tuple(letter.id for letter in mine)
                db.execute(sa.update(letters).where(letters.c.id.in_(ids)).values(due=awake if awake > now else now + LEASE))
                if awake <= now:
                    turns = tuple(Turn(letter.table_id, letter.seat, letter.number) for letter in mine if letter.table_id)
                    parcels.append(Parcel(notice, ids, turns, max(letter.tries for letter in mine)))
            return parcels

        return self._store.write(write) if self._store.value(sa.select(sa.exists().where(ripe))) else []

    def done(self, parcel: Parcel, now: float | None = None) -> None:
        """It was sent, or is of no use any more (no time)."""
        gone = sa.delete(letters).where(letters.c.id.in_(parcel.letters))
        if now is None:
            self._store.execute(gone)
            return
        notice = notices.c.id == parcel.notice.id
        sent = {"sent": now} if parcel.turns else {}  # a person who has just confirmed is told at once
        self._store.execute(gone, sa.update(notices).where(notice).values(trouble=None, **sent))

    def again(self, parcel: Parcel, now: float) -> bool:
        """It could not be sent: another time, or, after too many tries, never; whether it is given up."""
        mine = letters.c.id.in_(parcel.letters)
        if parcel.tries < len(PAUSES):
            pause = PAUSES[parcel.tries]
            self._store.execute(sa.update(letters).where(mine).values(due=now + pause, tries=parcel.tries + 1))
            return False
        notice = notices.c.id == parcel.notice.id
        self._store.execute(sa.delete(letters).where(mine), sa.update(notices).where(notice).values(trouble=UNREACHED))
        return True

    def refused(self, parcel: Parcel, now: float) -> None:
        """The address takes nothing: it must be confirmed anew, or is forgotten, as a browser's is at once."""
        if parcel.notice.kind == PUSH:
            self.stop(parcel.notice.id)
            return
        notice = notices.c.id == parcel.notice.id
        self._store.execute(
            sa.delete(letters).where(letters.c.notice == parcel.notice.id),
            sa.update(notices).where(notice).values(confirmed=None, made=now, trouble=REFUSED),
        )


def _erase(db: sa.Connection, wanted: sa.ColumnElement[bool]) -> None:
    for name in list(db.scalars(sa.select(notices.c.id).where(wanted))):
        erasures.note(db, "notice", name)
        db.execute(sa.delete(letters).where(letters.c.notice == name))
        db.execute(sa.delete(notices).where(notices.c.id == name))


def _note(db: sa.Connection, turn: Turn, number: int = -1, seen: float = 0.0) -> bool:
    """Note a newer turn, or that a person was seen; false if it was noted."""
    turns = (told.c.table_id == turn.table) & (told.c.seat == turn.seat)
    known = db.scalar(sa.select(told.c.number).where(turns).with_for_update())
    if known is None:
        db.execute(sa.insert(told), {"table_id": turn.table, "seat": turn.seat, "number": number, "seen": seen})
        return True
    if seen:
        return db.execute(sa.update(told).where(turns).values(seen=seen)).rowcount == 1
    return (
        known < number
        and db.execute(sa.update(told).where(turns, told.c.number < number).values(number=number)).rowcount == 1
    )
