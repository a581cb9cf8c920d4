"""The tables of a server in its database: their seats, every move, and what is decided about them.

A match is its deal and its moves, so nothing else is stored of it. `append` returns when the move is on disk (SQLite:
WAL, synchronous=FULL); only then may it be shown to anybody. An event loop says `await store.appended(…)` for moves and
`await store.aside(store.sit, …)` for everything else.

How a database is opened is in opening.py, its columns in schema.py, how it is written in database.py, what is asked of all
tables in contents.py, names and browsers in people.py.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError

from outbid.core.language.i18n import _
from outbid.server.moments import Moments
from outbid.server.settings import Refused
from outbid.server.storage import erasures, playtests, results
from outbid.server.storage.codes import give
from outbid.server.storage.contents import Contents
from outbid.server.storage.database import log_failure
from outbid.server.storage.ratings import met
from outbid.server.storage.rows import (
    INSERT_MOVE,
    INSERT_PLAIN,
    SEAT,
    absences,
    in_play,
    move_row,
    moves_since,
    note_rated,
    plain_rows,
    same_order,
    seat_row,
    time_of,
    write_times,
)  # fmt: skip
from outbid.server.storage.schema import (
    NOBODY,
    SERVERS,
    automatic_moves,
    chat,
    clocks,
    codes,
    dailies,
    held,
    letters,
    moves,
    names,
    notes,
    pulse,
    reviews,
    seats,
    tables,
    told,
    wishes,
)  # fmt: skip
from outbid.server.stored import CHANGED, FOREVER, GO_ON, PAUSE, PAUSED, Conflict, House, Move, Seat, Stored, Time

ALTERED = ("game", "rules", "options", "deal", "study", "playtest", "variant", "pace", "clock", "weekends", "hints")


class Store(Contents):
    """All tables of one database."""

    # --- a table ---

    def add(self, table: Stored, after: str | None = None, clock: str = "") -> None:
        """A new table with its seats, and with its moves if it comes from a record; after: whose people go on here. clock:
        that it gets, if its match begins, counts for the ladder and has none.

        Raises Conflict if it is there, or they go on elsewhere."""
        # a long record is made ready before it is its turn, for the moves of all tables wait while it is written
        rows = [move_row(table.id, n, move) for n, move in enumerate(table.moves)]
        plain = plain_rows(rows) if self.engine.dialect.name == "sqlite" else []

        def write(db: sa.Connection) -> None:
            if after:
                before = (tables.c.id == after) & tables.c.next.is_(None)
                if db.execute(sa.update(tables).where(before).values(next=table.id)).rowcount != 1:
                    raise Conflict
            columns = {c.name: getattr(table, c.name) for c in tables.columns if c.name != "made"}
            try:
                db.execute(sa.insert(tables), {**columns, "made": time.time()})
            except IntegrityError as error:
                raise Conflict from error
            db.execute(sa.insert(seats), [seat_row(table.id, n, seat) for n, seat in enumerate(table.seats)])
            if table.status == "playing":
                _begun(db, table.id, clock)
            elif table.status == "open":
                give(db, table.id)
            if plain:
                db.exec_driver_sql(INSERT_PLAIN, plain)
            elif rows:
                db.execute(INSERT_MOVE, rows)

        self.write(write, table.id)

    def load(self, table: str, since: int = 0) -> Stored | None:
        """A table with its moves from number `since` on."""
        if "\0" in table:
            return None
        with self._reading.connect() as db:
            row = db.execute(sa.select(tables).where(tables.c.id == table)).mappings().first()
            if row is None:
                return None
            sitting = db.execute(sa.select(seats).where(seats.c.table_id == table).order_by(seats.c.seat)).mappings()
            return Stored(
                **{name: value for name, value in row.items() if name != "made"},
                seats=tuple(Seat(**{name: r[name] for name in SEAT}) for r in sitting),
                moves=moves_since(db, table, since),
                **(in_play(db, table) if row["status"] != "over" else {}),
                vacations=absences(db, table, self.moments.now()) if row["clock"] else {},
                opinions=playtests.opinions_of(db, table) if row["playtest"] else {},
            )

    def delete(self, table: str) -> bool:
        """A table with its seats and moves is gone; false if it is not there."""

        def write(db: sa.Connection) -> bool:
            db.execute(sa.update(tables).where(tables.c.next == table).values(next=None))
            for part in (letters, told, held, reviews, wishes, chat, notes, automatic_moves, clocks, codes, moves, seats):
                db.execute(sa.delete(part).where(part.c.table_id == table))
            gone = db.execute(sa.delete(tables).where(tables.c.id == table)).rowcount > 0
            if gone:
                erasures.note(db, "table", table)
            return gone

        return self.write(write, table)

    def leave(self, table: str, at: float | None) -> None:
        """When a table will be deleted (none: it stays)."""
        self.execute(sa.update(tables).where(tables.c.id == table).values(leaves=at), about=table)

    # --- its moves ---

    def moves(self, table: str, since: int) -> tuple[Move, ...]:
        """The moves of a table from number `since` on."""
        with self._single.connect() as db:
            return moves_since(db, table, since)

    async def appended(
        self,
        table: str,
        number: int,
        move: Move,
        over: bool,
        times: Mapping[int, Time] | None = None,
        done: Sequence[tuple[int, str]] = (),
        ending: Callable[[sa.Connection], None] | None = None,
        winners: Sequence[int] = (),
    ) -> None:
        """Write a move to disk; `over`: the match ends with it. times: those it changes; done: orders it ends;
        ending: what else is written in the same transaction if the match is over, beside its winners.

        Raises Conflict if there is such a move already, Refused if it cannot be written."""

        def write(db: sa.Connection) -> None:
            write_times(db, table, times)
            for seat, about in done:
                db.execute(sa.delete(automatic_moves).where(same_order(table, seat, about)))
            if over:
                db.execute(sa.update(tables).where(tables.c.id == table).values(status="over"))
                db.execute(sa.update(seats).where(seats.c.table_id == table).values(won=seats.c.seat.in_(winners)))
            if over and ending:
                ending(db)

        try:
            await asyncio.wrap_future(self.put(write, table, move_row(table, number, move)))
        except IntegrityError as error:
            raise Conflict from error
        except DBAPIError as error:
            log_failure("A move of table %s could not be written", table, error)
            raise Refused(503, _("The move could not be written down, so it was not made; please try again.")) from error

    # --- its seats ---

    def sit(
        self, table: str, was: Mapping[int, Seat], now: Mapping[int, Seat], start: bool = False, clock: str = ""
    ) -> bool:
        """Seats are taken or left before the match begins; returns whether it does begin. clock: as in `add`.

        It begins when nobody is awaited any more: by itself or, if the host wants that, when told to `start`. Raises
        Conflict if a seat is not as it was or the match has begun."""

        def write(db: sa.Connection) -> bool:
            opened = (tables.c.id == table) & (tables.c.status == "open")
            if db.execute(sa.update(tables).where(opened).values(status="open")).rowcount != 1:  # nobody else sits down now
                raise Conflict
            for number, seat in now.items():
                old = was[number]
                where = (seats.c.table_id == table) & (seats.c.seat == number) & (seats.c.kind == old.kind)
                same = (seats.c.name == old.name) & seats.c.token.is_not_distinct_from(old.token)
                if db.execute(sa.update(seats).where(where & same).values(seat_row(table, number, seat))).rowcount != 1:
                    raise Conflict
                if old.token and old.token != seat.token:  # what was said here without a kept name is not the next person's
                    messages = (chat.c.table_id == table) & (chat.c.who == f"seat-{number}") & chat.c.owner.is_(None)
                    db.execute(sa.update(chat).where(messages).values(owner=NOBODY))
                if seat.kind != "human":
                    db.execute(sa.delete(wishes).where(wishes.c.table_id == table, wishes.c.what == f"{CHANGED} {number}"))
            awaited = (seats.c.kind == "open") | ((seats.c.kind == "human") & seats.c.token.is_(None))
            if db.scalar(sa.select(sa.func.count()).select_from(seats).where(seats.c.table_id == table, awaited)):
                return False
            asked = wishes.c.what.startswith(CHANGED)
            if db.scalar(sa.select(sa.func.count()).select_from(wishes).where(wishes.c.table_id == table, asked)):
                return False  # somebody has yet to agree to what the host has changed
            if not start and db.scalar(sa.select(tables.c.starts).where(opened)) != "full":
                return False
            db.execute(sa.update(tables).where(opened).values(status="playing"))
            _begun(db, table, clock)
            return True

        return self.write(write, table)

    def alter(self, was: Stored, now: Stored, ask: bool = False) -> None:
        """A table that has not begun has another deal, perhaps of another game, other options, another time, more or fewer
        chairs at its end. ask: the other people have to agree before it begins. Raises Conflict if it has begun, or is not
        as it was."""
        facts = {name: getattr(now, name) for name in ALTERED}

        def write(db: sa.Connection) -> None:
            opened = (tables.c.id == was.id) & (tables.c.status == "open")
            if db.execute(sa.update(tables).where(opened).values(status="open")).rowcount != 1:  # nobody else sits down now
                raise Conflict
            own, first, last = seats.c.table_id == was.id, len(now.seats), len(was.seats)
            chairs = db.scalar(sa.select(sa.func.count()).select_from(seats).where(own))
            if chairs != last or db.scalar(sa.select(tables.c.deal).where(opened)) != was.deal:
                raise Conflict
            gone = db.execute(sa.delete(seats).where(own, seats.c.seat >= first, seats.c.kind == "open")).rowcount
            if gone != max(0, last - first):
                raise Conflict
            if first > last:
                db.execute(sa.insert(seats), [seat_row(was.id, n, now.seats[n]) for n in range(last, first)])
            for n, seat in enumerate(now.seats[:last]):
                if seat.bot != was.seats[n].bot:
                    db.execute(sa.update(seats).where(own, seats.c.seat == n, seats.c.kind == "bot").values(bot=seat.bot))
            db.execute(sa.update(tables).where(opened).values(facts))
            people = sa.select(seats.c.seat).where(own, seats.c.kind == "human", seats.c.seat != now.host)
            for seat in db.scalars(people).all() if ask else ():
                wish = {"table_id": was.id, "what": f"{CHANGED} {seat}", "seat": seat}
                db.execute(sa.delete(wishes).where(*(wishes.c[name] == value for name, value in wish.items())))
                db.execute(sa.insert(wishes), wish)

        self.write(write, was.id)

    def rated(self, table: str) -> set[int]:
        """The seats of a match whose people stood on the ladder when it began."""
        return set(self.values(sa.select(seats.c.seat).where(seats.c.table_id == table, seats.c.rated)))

    def climbers(self, table: str) -> set[int]:
        """The seats of a table whose people stand on the ladder now."""
        sitting = sa.select(seats.c.seat).join(names, names.c.key == seats.c.owner)
        with self.engine.connect() as db:
            return set(db.scalars(sitting.where(seats.c.table_id == table, names.c.ladder)))

    def clock(self, table: str) -> str:
        """The clock of a table, as it is written."""
        return self.value(sa.select(tables.c.clock).where(tables.c.id == table)) or ""

    def vacations(self, table: str) -> dict[int, float]:
        """The seats of a table whose people are on vacation, and until when."""
        with self._single.connect() as db:
            return absences(db, table, self.moments.now())

    def play_for(self, table: str, number: int, old: Seat, new: Seat, times: Mapping[int, Time] | None = None) -> None:
        """A bot plays a seat from now on, or the person again. Raises Conflict if the seat is not as it was."""
        where = (seats.c.table_id == table) & (seats.c.seat == number) & (seats.c.kind == old.kind)

        def write(db: sa.Connection) -> None:
            if db.execute(sa.update(seats).where(where).values(kind=new.kind, bot=new.bot)).rowcount != 1:
                raise Conflict
            write_times(db, table, times)

        self.write(write, table)

    def mark_agent(self, table: str, seat: int) -> None:
        """An agent plays a seat, and does so for good."""
        where = (seats.c.table_id == table) & (seats.c.seat == seat)
        self.execute(sa.update(seats).where(where).values(agent=True), about=table)

    def hint(self, table: str, seat: int) -> None:
        """A seat takes a hint. Raises Refused if it cannot be written."""
        where = (seats.c.table_id == table) & (seats.c.seat == seat)
        try:
            self.put(lambda db: db.execute(sa.update(seats).where(where).values(hints=seats.c.hints + 1)), table).result()
        except DBAPIError as error:
            log_failure("A hint at table %s could not be written", table, error)
            raise Refused(503, _("The hint could not be written down, so it is not given; please try again.")) from error

    # --- what is decided about it ---

    def decide(self, table: str, house: House) -> None:
        """What the host wants from now on, and who that is."""
        wanted = {"host": house.host, "listed": house.listed, "starts": house.starts, "chat": house.chat}
        self.execute(sa.update(tables).where(tables.c.id == table).values(wanted), about=table)

    def wish(self, table: str, wish: tuple[str, int]) -> None:
        """A seat agrees to something."""
        row = sa.insert(wishes).values(table_id=table, what=wish[0], seat=wish[1])
        with contextlib.suppress(IntegrityError):  # it did already
            self.execute(row, about=table)

    def unwish(self, table: str, what: str) -> None:
        """Nobody agrees to it any more."""
        self.execute(sa.delete(wishes).where(wishes.c.table_id == table, wishes.c.what == what), about=table)

    def pace(
        self,
        table: str,
        pace: str,
        paused: bool,
        times: Mapping[int, Time] | None = None,
        by: Sequence[int] | None = None,
    ) -> None:
        """How fast the bots of a table act from now on; times: those that rest or run from now on; by: the seats that have
        paused it (none of them: it goes on), if that changes."""

        def write(db: sa.Connection) -> None:
            write_times(db, table, times)
            if by is not None:
                about = wishes.c.what.in_((PAUSE, GO_ON, PAUSED))
                db.execute(sa.delete(wishes).where(wishes.c.table_id == table, about))
                if by:
                    db.execute(sa.insert(wishes), [{"table_id": table, "what": PAUSED, "seat": seat} for seat in by])
            db.execute(sa.update(tables).where(tables.c.id == table).values(pace=pace, paused=paused))

        self.write(write, table)

    # --- clocks ---

    def set_times(self, table: str, times: Mapping[int, Time]) -> None:
        """What is left to seats, outside of a move. Raises Conflict if another process writes the same."""
        try:
            self.write(lambda db: write_times(db, table, times), table)
        except IntegrityError as error:
            raise Conflict from error

    def vote(self, table: str, seat: int, voter: int, agrees: bool) -> None:
        """A seat agrees that a bot takes another, or does so no longer."""
        bit = 1 << voter
        votes = clocks.c.votes.bitwise_or(bit) if agrees else clocks.c.votes.bitwise_and(~bit)
        self.execute(
            sa.update(clocks).where(clocks.c.table_id == table, clocks.c.seat == seat).values(votes=votes),
            sa.update(tables).where(tables.c.id == table).values(id=table),  # tells the other processes
            about=table,
        )

    def order(self, table: str, seat: int, about: str, wants: dict[str, Any] | None) -> None:
        """An automatic move of a seat; none: it has none about this any more."""
        row = sa.insert(automatic_moves).values(table_id=table, seat=seat, about=about, wants=wants)
        gone = sa.delete(automatic_moves).where(same_order(table, seat, about))
        self.execute(gone, *([] if wants is None else [row]), about=table)

    def beat(self, now: float, least: float) -> bool:
        """A server is there. True if none was for more than `least` seconds and deadlines were put off."""
        try:
            return self.write(lambda db: _beat(db, self.moments, now, least))
        except IntegrityError:
            return False  # another server was the first, at the same moment

    # --- reviews, and deals of the day ---

    def review(self, table: str, format: str) -> dict[str, Any] | None:
        """The review of a finished match, if there is one of this format."""
        return self.value(sa.select(reviews.c.review).where(reviews.c.table_id == table, reviews.c.format == format))

    def keep_review(self, table: str, review: dict[str, Any]) -> None:
        """The review of a finished match from now on; nothing happens if the table is gone."""
        row = {"table_id": table, "format": review["format"], "review": review, "at": time.time()}
        with contextlib.suppress(IntegrityError):
            gone = sa.delete(reviews).where(reviews.c.table_id == table)
            self.execute(gone, sa.insert(reviews).values(**row), about=table)

    def daily(self, day: str, format: str) -> dict[str, list[list[int]]]:
        """What bots made of the deal of a day, by bot, as far as it is of this format."""
        query = sa.select(dailies.c.bot, dailies.c.results).where(dailies.c.day == day, dailies.c.format == format)
        return {row.bot: row.results for row in self.rows(query)}

    def result(self, table: str, day: str, **facts: Any) -> Callable[[sa.Connection], None]:
        """What writes how a deal of the day ended at a table (results.py)."""
        return partial(results.write, table=table, day=day, **facts)

    def best(self, day: str) -> str | None:
        """The table with the best match that a bot has had with the deal of a day."""
        return results.best(self, day)

    def keep_daily(self, day: str, bot: str, format: str, results: list[list[int]]) -> None:
        """What a bot made of the deal of a day from now on."""
        row = {"day": day, "bot": bot, "format": format, "results": results}
        gone = sa.delete(dailies).where(dailies.c.day == day, dailies.c.bot == bot)
        with contextlib.suppress(IntegrityError):
            self.execute(gone, sa.insert(dailies).values(**row), about=day)


def _begun(db: sa.Connection, table: str, clock: str) -> None:
    """A match begins, its code opens nothing more, and nothing is paused. clock: that it gets, if it counts for the ladder
    and has none; empty: it cannot count."""
    db.execute(sa.delete(codes).where(codes.c.table_id == table))
    db.execute(sa.delete(wishes).where(wishes.c.table_id == table))
    db.execute(sa.update(tables).where(tables.c.id == table).values(paused=False))
    note_rated(db, table)
    if clock and met(db, table) is not None:
        db.execute(sa.update(tables).where(tables.c.id == table, tables.c.clock == "").values(clock=clock))


def _beat(db: sa.Connection, moments: Moments, now: float, least: float) -> bool:
    last = db.scalar(sa.select(pulse.c.at).where(pulse.c.id == SERVERS).with_for_update())
    if last is not None and last > now:  # the clock on the wall was set back, or another server's is ahead
        moments.reach(last)
        now = last
    if last is None:
        db.execute(sa.insert(pulse), {"id": SERVERS, "at": now})
    elif not db.scalar(sa.select(sa.exists().where(clocks.c.due < FOREVER))):
        return False  # nothing runs: it need not be noted
    else:
        db.execute(sa.update(pulse).where(pulse.c.id == SERVERS).values(at=now))
    return last is not None and now - last > least and _put_off(db, last, now, least)


def _put_off(db: sa.Connection, last: float, now: float, least: float) -> bool:
    """Add the time since a server was there to the deadlines that were running; true if there were any."""
    away = now - sa.case((clocks.c.since > last, clocks.c.since), else_=last)
    running = (clocks.c.due < FOREVER) & (away > least)
    late = list(db.scalars(sa.select(clocks.c.table_id).where(running).distinct()))
    if late:
        off = tables.c.weekends | (clocks.c.vacation > last)
        query = sa.select(clocks, tables.c.weekends).join(tables, tables.c.id == clocks.c.table_id)
        for row in db.execute(query.where(running, off)).all():  # what was off needs no putting off
            rests = time_of(row).stopped(max(row.since, last), row.weekends)
            write_times(db, row.table_id, {row.seat: rests.running(now, row.weekends)})
        db.execute(sa.update(clocks).where(running).values(due=clocks.c.due + away, since=now))
        db.execute(sa.update(tables).where(tables.c.id.in_(late)).values(id=tables.c.id))  # tells the other processes
    return bool(late)
