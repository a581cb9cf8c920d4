"""The one writer: what waits shares a transaction, nobody sees what is not on disk, and nobody else waits for it."""

from __future__ import annotations

import asyncio
import contextlib
import random
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from outbid.server.domain import scene
from outbid.server.domain.commands import Command
from outbid.server.domain.people import chat
from outbid.server.domain.setup import Order, made
from outbid.server.domain.table import CommandOutcome, Table
from outbid.server.domain.tables import Tables
from outbid.server.settings import Refused, Settings
from outbid.server.storage import writer as writing
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from outbid.server.storage.writer import Writer
from outbid.server.stored import Conflict, Move
from tests.support.serving import JSON, Person, append, at_once, hear, line_to, people, sentence, serving, some_move, until


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A database in a file."""
    with closing(Store(url_of(str(tmp_path / "tables.db")))) as made:
        yield made


@contextlib.contextmanager
def locked(file: Path) -> Iterator[None]:
    """Somebody else is writing to the database."""
    with closing(sqlite3.connect(file, timeout=20, isolation_level=None)) as db:
        db.execute("begin immediate")
        yield
        db.execute("rollback")


def a_table(store: Store, game: str = "kuhhandel") -> str:
    """A table of three people in the database."""
    table = made(Order(game, 3, "Ada", ["open"]), "slow", 24)[0]
    store.add(table)
    return table.id


def commits(store: Store) -> list[None]:
    """Grows with every commit."""
    done: list[None] = []
    sa.event.listen(store.engine, "commit", lambda _db: done.append(None))
    return done


def held(writer: Writer) -> tuple[threading.Event, Future[Any]]:
    """A write that is in hand until the event is set."""
    begun, go = threading.Event(), threading.Event()
    answer = writer.put(lambda _db: (begun.set(), go.wait(20)))
    assert begun.wait(20)
    return go, answer


def test_what_waits_is_written_in_one_transaction_in_the_order_in_which_it_came(store: Store):
    table = a_table(store)
    assert store.writer
    done, (go, first) = commits(store), held(store.writer)
    moves = [Move(n % 3, {"do": "pass"}, f"c{n}") for n in range(40)]
    with ThreadPoolExecutor(40) as pool:
        waiting = []
        for number, move in enumerate(moves):
            waiting.append(pool.submit(append, store, table, number, move, False))
            while store.writer.waiting[0] < number + 2:
                pass
        go.set()
        first.result(20)
        for one in waiting:
            one.result(20)
    assert len(done) == 2
    found = store.load(table)
    assert found
    assert found.moves == tuple(moves)


def test_one_that_cannot_be_written_hits_only_whoever_did_it(store: Store):
    table, other = a_table(store), a_table(store)
    assert store.writer
    append(store, table, 0, Move(0, {"do": "pass"}, "a"), False)
    go, _first = held(store.writer)
    with ThreadPoolExecutor(4) as pool:
        good = [pool.submit(append, store, other, 0, Move(0, {"do": "pass"}, "x"), False)]
        twice = pool.submit(append, store, table, 0, Move(1, {"do": "pass"}, "b"), False)
        good.append(pool.submit(append, store, table, 1, Move(0, {"do": "pass"}, "c"), True))
        good.append(pool.submit(store.pace, other, "fast", True))
        while store.writer.waiting[0] < 5:
            pass
        go.set()
        with pytest.raises(Conflict):
            twice.result(20)
        for one in good:
            one.result(20)
    first, second = store.load(table), store.load(other)
    assert first
    assert second
    assert ([move.command for move in first.moves], first.status) == (["a", "c"], "over")
    assert ([move.command for move in second.moves], second.pace) == (["x"], "fast")


def test_what_was_put_before_the_end_is_written(tmp_path: Path):
    store = Store(url_of(str(tmp_path / "tables.db")))
    table = a_table(store)
    assert store.writer
    go, _first = held(store.writer)
    last = store.put(lambda db: db.exec_driver_sql("update tables set pace = 'fast'").rowcount, table)
    threading.Timer(0.05, go.set).start()
    store.close()
    assert last.result(0) == 1
    with closing(sqlite3.connect(tmp_path / "tables.db")) as db:
        assert db.execute("select pace from tables").fetchall() == [("fast",)]


def playing(store: Store, **limits: Any) -> Table:
    """A table of three people whose match has begun."""
    settings = Settings("sqlite://", pace="slow", **limits)
    table, _token = at_once(Tables(store, settings).create(Order("rivals", 2, "Ada", ["open"], seed=3)))
    at_once(table.join("Ben"))
    return table


class Shut(Exception):
    """What PostgreSQL says of a lock that was not given."""

    sqlstate = writing.LOCKED_ROW[0]


class Lane(writing._Lane):
    """A writer's thread of which nothing is run; shut: the tables that somebody else has locked."""

    def __init__(self) -> None:
        super().__init__(cast("Writer", SimpleNamespace(sqlite=False)))
        self.shut: set[str] = set()
        self.tries: list[list[str]] = []
        self.made: list[tuple[str, int]] = []

    def _transaction(self, batch: list[writing._Waiting]) -> list[Any]:
        self.tries.append([one.about for one in batch])
        if self.shut & {one.about for one in batch}:
            raise DBAPIError("", {}, Shut())
        self.made += [one.write(cast("Any", None)) for one in batch]
        return [None] * len(batch)

    def round(self, *tables: str) -> int:
        """Two writes for each of these tables, beside those that wait; how many tries that takes."""
        before, self._misses = len(self.tries), 0
        self._again()
        self._write([writing._Waiting(lambda _db, one=(name, n): one, name, None) for n in range(2) for name in tables])
        return len(self.tries) - before

    @property
    def stuck(self) -> list[str]:
        """Whose writes were put back."""
        return [one.about for one in self._stuck]


def test_where_everything_is_locked_few_tries_are_made_and_then_all_goes_on_at_once_in_its_order():
    lane, many = Lane(), [f"{n:03}" for n in range(64)]
    lane.shut = set(many)
    assert lane.round(*many) <= 12
    assert sorted(lane.stuck) == sorted(2 * many)
    assert [lane.round() for _ in range(70)] == [1] * 70, "one between two batches"
    assert {one for tried in lane.tries[-70:] for one in tried} == set(many), "each in its turn"
    lane.shut = {"007"}
    lane.round("more")
    assert ("more", 1) in lane.made
    assert ("007", 0) not in lane.made
    lane.shut = set()
    lane.round()
    assert lane.stuck == []
    assert sorted(lane.made) == [(name, n) for name in sorted([*many, "more"]) for n in range(2)]
    assert all(lane.made.index((name, 0)) < lane.made.index((name, 1)) for name in many)


def test_of_a_few_that_are_locked_no_other_waits_longer_than_a_round():
    lane, many = Lane(), [f"{n:03}" for n in range(64)]
    lane.shut = {"010", "011", "012"}
    lane.round(*many)
    lane.round()
    assert set(lane.stuck) == lane.shut
    assert {name for name, _n in lane.made} == set(many) - lane.shut


def test_until_a_move_is_on_disk_nobody_sees_it_and_who_waits_is_told_why(store: Store):
    table = playing(store, slow=0.01)
    file = Path(str(store.engine.url.database))

    async def play() -> None:
        seat = table.asked[0]
        before = scene.as_json(scene.live(table, seat, "http://here"))
        with locked(file):
            answer = asyncio.create_task(table.play(seat, Command("1" * 32, 0, table.playing.copy().random_move(seat, 1))))
            while not table.slow:
                await asyncio.sleep(0.005)
            now = scene.as_json(scene.live(table, seat, "http://here"))
            assert now["table"].pop("slow") is True
            assert before["table"].pop("slow") is False
            assert now == before
            assert not answer.done()
        assert (await answer).ok
        assert not table.slow
        assert len(table.playing.moves) == 1

    asyncio.run(play())
    stored = store.load(table.id)
    assert stored
    assert [move.command for move in stored.moves] == ["1" * 32]


def test_a_move_whose_sender_is_gone_is_made_once_and_the_table_knows_it(store: Store):
    table = playing(store)
    file = Path(str(store.engine.url.database))

    async def play() -> None:
        seat = table.asked[0]
        command = Command("1" * 32, 0, table.playing.copy().random_move(seat, 1))
        with locked(file):
            answer = asyncio.create_task(table.play(seat, command))
            await asyncio.sleep(0.05)
            answer.cancel()
            with pytest.raises(asyncio.CancelledError):
                await answer
        assert (await table.play(seat, command)).ok  # the same once more
        assert len(table.playing.moves) == 1

    asyncio.run(play())
    stored = store.load(table.id)
    assert stored
    assert len(stored.moves) == 1


def test_on_a_full_disk_nothing_changes_and_everybody_is_told_so(store: Store):
    table = playing(store)
    tables = Tables(store, table.settings)
    pages = 1

    def full(_db: Any, cursor: Any, said: str, *_: Any) -> None:
        if said == "BEGIN IMMEDIATE":
            cursor.connection.execute(f"pragma max_page_count = {pages}")

    sa.event.listen(store.engine, "before_cursor_execute", full)

    async def move(number: int) -> CommandOutcome:
        seat = table.asked[0]
        made = table.playing.copy().random_move(seat, number)
        return await table.play(seat, Command(f"{number:032}", table.decisions[seat], made))

    async def talk(number: int) -> None:
        await table.chat.say(chat.Reader(0, "seat-0"), "", f"{number} " * 60)

    async def order(_number: int) -> None:
        await tables.create(Order("kuhhandel", 3, "Ada", ["open"]))

    async def until_full(act: Any) -> None:
        """What is free in the file is used up first."""
        for number in range(1000):
            await act(number)

    async def play() -> None:
        nonlocal pages
        for act in (talk, order):
            with pytest.raises(Refused, match="written down") as refusal:
                await until_full(act)
            assert refusal.value.status == 503
        shown = scene.as_json(scene.live(table, -1, "http://here"))
        refused = await move(1)
        while refused.ok:
            shown = scene.as_json(scene.live(table, -1, "http://here"))
            refused = await move(len(table.playing.moves))
        assert refused.status == 503
        assert "written down" in str(refused.error)
        assert scene.as_json(scene.live(table, -1, "http://here")) == shown
        pages = 1_000_000
        assert (await move(len(table.playing.moves))).ok
        table.driver.stop()

    asyncio.run(play())


@pytest.mark.slow
def test_while_somebody_else_holds_the_database_the_server_answers_and_then_goes_on(tmp_path: Path):
    """Four tables that want to write, and people who only look."""
    file = tmp_path / "tables.db"

    with serving(file, limits={"slow": 0.05}) as address, people(address, 5) as five:
        *four, eve = five
        for person in four:
            person.order(bots="random", pace="slow")
        seen = [person.asked() for person in four]
        with line_to(four[0], JSON) as line, ThreadPoolExecutor(8) as pool:
            hear(line, "table")
            with locked(file):
                sent = [
                    pool.submit(person.send, some_move(one, random.Random(1)), one["decision"])
                    for person, one in zip(four, seen, strict=True)
                ]
                said = pool.submit(four[1].http.post, f"/t/{four[1].table}/chat", data={"text": "Hello?"}, headers=JSON)
                made = pool.submit(Person(address).order)
                while not hear(line, "table")["now"]["table"]["slow"]:
                    pass
                for person in four:
                    assert person.now()["log"] == seen[four.index(person)]["log"]
                assert eve.http.get("/").status_code == 200
                assert not any(one.done() for one in [*sent, said, made])
            assert all(one.result(20).json()["ok"] for one in sent)
            assert said.result(20).json() == {"ok": True}
            assert made.result(20)


def test_the_sentence_about_a_slow_disk_stands_on_the_page(tmp_path: Path):
    with serving(tmp_path / "tables.db", limits={"slow": 0.05}) as address, people(address, 1) as (ada,):
        ada.order(bots="random", pace="slow")
        seen = ada.asked()

        with ThreadPoolExecutor(1) as pool, line_to(ada) as line:
            hear(line, "regions")
            with locked(tmp_path / "tables.db"):
                sent = pool.submit(ada.send, some_move(seen, random.Random(1)), seen["decision"])
                told = hear(line, "regions")["regions"]["together"]
                assert "waiting for its disk" in told
            assert sent.result(20).json()["ok"]
            while "together" not in (news := hear(line, "regions")["regions"]):
                pass
            assert "waiting for its disk" not in news["together"]
        assert sentence(ada.http.post(f"/t/{ada.table}/move", data={}, headers=JSON), 400)


# --- the log of SQLite is brought into its file -----------------------------------------------------------------------


def alone(file: Path) -> set[str]:
    """The tables that the file holds without its log."""
    with closing(sqlite3.connect(f"file:{file}?immutable=1", uri=True)) as db:
        try:
            return {row[0] for row in db.execute("select id from tables")}
        except sqlite3.DatabaseError:  # the file has no page yet, or is being written to
            return set()


def test_a_moment_after_the_last_write_the_file_alone_holds_everything(store: Store, tmp_path: Path):
    table = a_table(store)
    until(lambda: alone(tmp_path / "tables.db") == {table})
    other = a_table(store)
    until(lambda: alone(tmp_path / "tables.db") == {table, other})


def test_also_where_there_is_no_moment_without_a_write_the_file_holds_them_in_the_end(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(writing, "QUIET", 1e6)
    monkeypatch.setattr(writing, "LONGEST", 0.5)
    first = a_table(store)
    until(lambda: a_table(store) and first in alone(tmp_path / "tables.db"))


def test_what_somebody_still_reads_as_it_was_is_brought_into_the_file_when_they_have_read_it(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(writing, "QUIET", 0.1)
    first = a_table(store)
    until(lambda: alone(tmp_path / "tables.db") == {first})
    seen = merges(store)
    with closing(sqlite3.connect(tmp_path / "tables.db", isolation_level=None)) as reader:
        reader.execute("begin")
        reader.execute("select count(*) from tables").fetchone()
        second = a_table(store)
        until(lambda: len(seen) >= 2)
        assert second not in alone(tmp_path / "tables.db")
    until(lambda: second in alone(tmp_path / "tables.db"))


def merges(store: Store) -> list[None]:
    """Grows with every time the log is brought into the file."""
    done: list[None] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        if "wal_checkpoint" in statement:
            done.append(None)

    sa.event.listen(store.engine, "before_cursor_execute", note)
    return done
