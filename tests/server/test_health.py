"""How a server is: its health, its connections, its files and their copies."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import socket
import sqlite3
import sys
import threading
import time
import weakref
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from outbid.core.errors import BadSetup, OutbidError
from outbid.server import metrics
from outbid.server.domain import scene
from outbid.server.domain.background import MOST, THREADS, Background, _timed
from outbid.server.domain.setup import Order, made
from outbid.server.domain.tables import Tables
from outbid.server.operating import admin
from outbid.server.rate_limits import Limits, Turns
from outbid.server.settings import Rate, Refused, Settings
from outbid.server.storage.backups import Backups, planned
from outbid.server.storage.opening import url_of
from outbid.server.storage.schema import chat
from outbid.server.storage.store import Store
from outbid.server.stored import Move
from outbid.server.web import health, pages
from outbid.server.web.health import Health
from tests.support.postgres import Cluster
from tests.support.serving import JSON, Person, append, at_once, get, hear, line_to, post, sentence, serving, start, stop

PATIENCE = 0.5
RESTORE = "outbid admin restore BACKUP --database"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database with a table at which some moves were made."""
    path = tmp_path / "tables.db"
    with closing(Store(url_of(str(path)))) as store:
        table = made(Order("kuhhandel", 3, "Ada", ["open"]), "slow", 24)[0]
        store.add(table)
        for number in range(3):
            append(store, table.id, number, Move(number, {"do": "pass"}, f"c{number}"), False)
    return path


# --- damage and copies ------------------------------------------------------------------------------------------------


def zeroed(file: Path, name: str) -> None:
    """The first page of an index or a table is nothing any more."""
    with closing(sqlite3.connect(file)) as db:
        db.execute("pragma wal_checkpoint(truncate)")
        (page,) = db.execute("select rootpage from sqlite_master where name = ?", (name,)).fetchone()
        (size,) = db.execute("pragma page_size").fetchone()
    with file.open("r+b") as raw:
        raw.seek((page - 1) * size)
        raw.write(bytes(size))


@pytest.mark.parametrize("index", ["sqlite_autoindex_moves_1", "sqlite_autoindex_moves_2"])
def test_a_damaged_index_is_found_and_said_with_its_table_and_how_to_restore(
    file: Path, index: str, capsys: pytest.CaptureFixture[str]
):
    zeroed(file, index)
    with closing(Store(url_of(str(file)))) as store:
        assert "in the table moves" in store.damage()
        with pytest.raises(OutbidError, match=r"is damaged: .*moves.*outbid admin restore"):
            store.check()
    with pytest.raises(admin.typer.Exit) as ended:
        admin.validate(str(file))
    assert ended.value.exit_code == 1
    said = capsys.readouterr().out
    assert "The database is damaged" in said
    assert "moves" in said
    assert "outbid admin restore BACKUP" in said


@pytest.mark.parametrize("table", ["chat", "alembic_version", "moves"])
def test_a_damaged_table_is_named_also_where_sqlite_only_says_malformed(file: Path, table: str):
    zeroed(file, table)
    said = rf"is damaged: .*in the table {table}\. A backup .*outbid admin restore BACKUP"
    with pytest.raises(OutbidError, match=said), closing(Store(url_of(str(file)))) as store:
        store.check()


def test_a_file_that_was_cut_or_is_none_is_said_with_how_to_restore_and_is_restored(file: Path, tmp_path: Path):
    whole, backup = file.read_bytes(), tmp_path / "backup.db"
    admin.backup(backup, str(file))
    for left, said in (
        (whole[:9000], "is damaged: "),
        (whole[: len(whole) // 2], "is damaged: "),
        (b"x" * 100 + whole[100:], "cannot be used: file is not a database. If it once was a database: "),
    ):
        file.write_bytes(left)
        with pytest.raises(OutbidError, match=said) as refused:
            Store(url_of(str(file)))
        assert str(refused.value).endswith(f"by: {RESTORE} {file} --force")
        admin.restore(backup, str(file), force=True)
        with closing(Store(url_of(str(file)))) as store:
            assert (store.damage(), len(store.ids())) == ("", 1)


def test_a_database_that_cannot_be_opened_is_let_go_of(file: Path):
    zeroed(file, "alembic_version")
    with pytest.raises(OutbidError, match="is damaged") as refused:
        Store(url_of(str(file)))
    opened = [Path(f"/proc/self/fd/{one}") for one in os.listdir("/proc/self/fd")]
    assert not [one for one in opened if one.is_symlink() and os.readlink(one).startswith(str(file))], refused


def test_rows_that_belong_to_no_table_are_counted(file: Path):
    with closing(sqlite3.connect(file)) as db:
        db.execute("delete from tables")
        db.commit()
    with closing(Store(url_of(str(file)))) as store:
        assert "3 rows of moves belong to no table" in store.torn()
        assert store.damage() == ""


def test_copies_are_made_looked_through_and_so_many_kept_and_one_of_them_is_brought_back(file: Path, tmp_path: Path):
    folder = tmp_path / "copies"
    with closing(Store(url_of(str(file)))) as store:
        backups = Backups(store, planned(folder, "6h", 2))
        for number in range(3):
            old = folder / f"outbid-2020-01-0{number + 1}T000000.db"
            old.write_bytes(b"")
        newest = backups.make()
        assert [one.name for one in backups.there()] == ["outbid-2020-01-03T000000.db", newest.name]
        assert newest.stat().st_mode & 0o077 == 0
        (table,) = store.ids()
        before = store.load(table)
        append(store, table, 3, Move(0, {"do": "pass"}, "late"), False)
    admin.restore(newest, str(file), force=True)
    with closing(Store(url_of(str(file)))) as store:
        assert store.load(table) == before
        assert store.damage() == ""


def test_a_damaged_database_makes_no_copy_and_takes_no_older_one_away(file: Path, tmp_path: Path):
    with closing(Store(url_of(str(file)))) as store:
        backups = Backups(store, planned(tmp_path / "copies", "1d", 1))
        good = backups.make()
        os.rename(good, old := good.with_name("outbid-2020-01-01T000000.db"))
        zeroed(file, "sqlite_autoindex_moves_2")
        with pytest.raises(OutbidError, match=r"damaged|copied"):
            backups.make()
        assert backups.there() == [old]


def test_only_copies_that_are_called_like_ours_are_looked_at_and_taken_away(file: Path, tmp_path: Path):
    folder = tmp_path / "copies"
    with closing(Store(url_of(str(file)))) as store:
        backups = Backups(store, planned(folder, "1d", 1))
        own = ["outbid-Tuesday.db", "outbid-2020-01-31T05.db", "outbid-2020-13-31T050000.db", "outbid-2020-1-1T050000.db",
               "outbid-2020-01-31T050000.db.gz", "my-outbid-2020-01-31T050000.db"]  # fmt: skip
        for name in own:
            (folder / name).write_bytes(b"mine")
        (folder / "outbid-2020-01-31T050000.db").write_bytes(b"")
        newest = backups.make()
        assert {path.name for path in folder.iterdir()} == {*own, newest.name}


def test_a_copy_of_a_time_to_come_keeps_nobody_waiting_and_goes_first(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The clock on the wall was wrong when it was made."""
    folder = tmp_path / "copies"
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 2:
            raise asyncio.CancelledError

    with closing(Store(url_of(str(file)))) as store:
        backups = Backups(store, planned(folder, "6h", 1))
        assert backups.age() == float("inf")
        wrong = folder / "outbid-2999-01-01T000000.db"
        wrong.write_bytes(b"")
        os.utime(wrong, (2e9, 2e9))
        monkeypatch.setattr(asyncio, "sleep", sleep)
        with pytest.raises(asyncio.CancelledError):
            asyncio.run(backups.run())
        assert slept[0] == 0
        assert all(0 < one <= 6 * 3600 for one in slept[1:])
        (made,) = backups.there()
        assert made != wrong
        assert 'outbid_backup_age_seconds{copy="newest"}' in metrics.page({}, [])[0].decode()
        assert 0 <= backups.age() < 6 * 3600


@pytest.mark.parametrize(("every", "keep"), [("soon", 3), ("0d", 3), ("1w", 3), ("1d", 0)])
def test_a_plan_that_cannot_be_is_one_sentence(tmp_path: Path, every: str, keep: int):
    with pytest.raises(BadSetup, match=r"Backups are made every|must be at least"):
        planned(tmp_path, every, keep)


# --- health -----------------------------------------------------------------------------------------------------------


def test_health_is_ok_only_while_the_database_writes_and_the_loop_is_in_time(
    file: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(health, "PATIENCE", 0.2)
    monkeypatch.setattr(health, "FRESH", 0.0)

    async def look() -> None:
        with closing(Store(url_of(str(file)))) as store:
            well = Health(store)
            assert await well.said() == "ok"
            with closing(sqlite3.connect(file, isolation_level=None)) as db:
                db.execute("begin immediate")
                assert "has not written" in await well.said()
                db.execute("rollback")
            while await well.said() != "ok":
                await asyncio.sleep(0.01)
            watching = asyncio.create_task(well.watch())
            await asyncio.sleep(0)
            time.sleep(health.EVERY + 0.1)
            while not well.lag > 0.05:
                await asyncio.sleep(0.01)
            watching.cancel()
            well._lags.append(3.0)
            assert "late by 3.0 s" in await well.said()
            well._lags.append(0.0)
            well._lags.clear()
            well._lags.append(0.0)
            well.damage = "a page"
            assert "damaged" in await well.said()

    asyncio.run(look())


def test_a_file_that_is_damaged_is_called_so_once_somebody_has_met_it_and_how_it_comes_back(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(health, "FRESH", 0.0)
    zeroed(file, "chat")

    async def look() -> None:
        with closing(Store(url_of(str(file)))) as store:
            well = Health(store)
            watching = asyncio.create_task(well.watch())
            assert await well.said() == "ok"
            with pytest.raises(DBAPIError):
                store.rows(sa.select(chat))
            async with asyncio.timeout(20):
                while await well.said() == "ok":
                    await asyncio.sleep(0.01)
            assert await well.said() == health.DAMAGED
            watching.cancel()

    asyncio.run(look())
    assert f"in the table chat. A backup is brought back, while no server runs, by: {RESTORE} {file}" in caplog.text


def test_a_page_that_meets_damage_says_so_and_does_not_call_the_moves_safe(tmp_path: Path):
    database = tmp_path / "tables.db"
    with serving(database) as address:
        zeroed(database, "sqlite_autoindex_tables_1")
        assert "The database of this server is damaged" in get(f"{address}/t/unknown").text


def test_a_file_that_is_no_database_any_more_is_not_one_that_cannot_be_written(file: Path):
    async def look() -> None:
        with closing(Store(url_of(str(file)))) as store:
            store.engine.dispose()
            with file.open("r+b") as raw:
                raw.write(b"x" * 100)
            assert await Health(store).said() == health.DAMAGED

    asyncio.run(look())


@pytest.mark.slow
def test_healthz_names_postgresql_when_that_is_gone(cluster: Cluster):
    async def look() -> None:
        with closing(Store(cluster.database())) as store:
            well = Health(store)
            assert await well.said() == "ok"
            cluster.stop()
            try:
                await asyncio.sleep(health.FRESH)
                assert await well.said() == "PostgreSQL does not answer."
            finally:
                cluster.start()
            while await well.said() != "ok":
                await asyncio.sleep(0.1)

    asyncio.run(look())


def test_livez_says_that_the_process_lives_and_healthz_that_it_is_well(tmp_path: Path):
    with serving(tmp_path / "tables.db") as address:
        for path in ("/livez", "/healthz"):
            answer = get(address + path)
            assert (answer.status_code, answer.text) == (200, "ok")


def test_a_full_disk_is_said_by_healthz_and_to_whoever_writes_and_it_goes_on_when_there_is_room(tmp_path: Path):
    resource = pytest.importorskip("resource")
    file = tmp_path / "tables.db"
    server, address = start(file)
    try:
        ada = Person(address)
        ada.order(bots="open")
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        assert get(f"{address}/healthz").status_code == 503
        assert get(f"{address}/livez").text == "ok"
        order = {"game": "kuhhandel", "players": 3, "name": "Ben", "bots": "open"}
        for path, fields in (("/tables", order), (f"/t/{ada.table}/chat", {"text": "Is there room?"})):
            assert "could not be written down" in sentence(ada.http.post(path, data=fields, headers=JSON), 503)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        time.sleep(health.FRESH)
        assert get(f"{address}/healthz").text == "ok"
        assert ada.http.post(f"/t/{ada.table}/chat", data={"text": "There is."}, headers=JSON).status_code == 200
        ada.http.close()
    finally:
        stop(server)


# --- connections ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that thinks it stands behind a proxy: whoever comes from 127.0.0.2 is an address like any other."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    limits = {"connections": 5, "patience": PATIENCE}
    folder = tmp_path_factory.mktemp("behind")
    with serving(folder / "tables.db", port=port, base_url=f"http://127.0.0.1:{port}", limits=limits) as address:
        yield address


@pytest.fixture
def hasty(tmp_path: Path) -> Iterator[str]:
    """The same, where an address may come ten times."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    limits = {"requests": [10, 0.001]}
    with serving(tmp_path / "tables.db", port=port, base_url=f"http://127.0.0.1:{port}", limits=limits) as address:
        yield address


def wire(address: str, whence: str) -> socket.socket:
    """A connection from an address of this machine."""
    at = urlsplit(address)
    return socket.create_connection((at.hostname, at.port), timeout=20, source_address=(whence, 0))


def ended(one: socket.socket) -> bytes:
    """What comes until the connection ends."""
    read = b""
    with contextlib.suppress(ConnectionError):
        while some := one.recv(2**16):
            read += some
    return read


def test_who_comes_too_often_is_cut_without_a_word_and_nobody_else_is(hasty: str):
    ask = b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    said = []
    for _ in range(30):
        with wire(hasty, "127.0.0.2") as one:
            with contextlib.suppress(ConnectionError):
                one.sendall(ask)
            said.append(ended(one))
    assert b"200 OK" in said[0]
    assert said[-1] == b""
    with wire(hasty, "127.0.0.3") as other:
        other.sendall(ask)
        assert b"200 OK" in ended(other)


def test_who_has_too_many_connections_loses_the_one_that_waits_longest_and_nobody_else_any(behind: str):
    other = wire(behind, "127.0.0.3")
    held = [wire(behind, "127.0.0.2") for _ in range(5)]
    for one in held:
        one.sendall(b"GET / HT")
    time.sleep(0.1)
    with wire(behind, "127.0.0.2") as more:
        more.sendall(b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        assert b"200 OK" in ended(more)
    other.sendall(b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
    assert b"200 OK" in ended(other)
    assert ended(held[0]) == b""
    for one in (other, *held):
        one.close()


@pytest.mark.parametrize(
    "request_",
    [
        b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10000\r\n\r\nx",
        b"POST /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://elsewhere\r\nContent-Length: 10000\r\n\r\nx",
        b"POST /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999\r\n\r\nx",
        b"POST /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10000\r\n\r\nx",
    ],
    ids=["a get", "after 403", "after 413", "after 408"],
)
def test_a_body_that_does_not_end_does_not_keep_its_connection(behind: str, request_: bytes):
    with wire(behind, "127.0.0.4") as one:
        one.sendall(request_)
        assert ended(one).startswith(b"HTTP/1.1 ")  # the end comes by itself


def test_an_answer_that_did_not_wait_for_the_body_is_read_also_by_who_sends_it_all(behind: str):
    answer = post(f"{behind}/tables", content=b"x" * 200_000, headers={**JSON, "Content-Type": "text/plain"})
    assert answer.status_code == 413


def test_a_socket_stays_open_for_longer_than_a_request_may_take(behind: str):
    ada = Person(behind)
    ada.order()
    with line_to(ada) as line:
        hear(line, "regions")
        time.sleep(PATIENCE + 1.5)
        line.send('{"type": "probe", "id": "x"}')
        assert hear(line, "receipt")["id"] == "x"


# --- whose turn it is -------------------------------------------------------------------------------------------------


def test_addresses_begin_in_turn_however_much_one_of_them_asks():
    async def ask() -> list[str]:
        turns, begun = Turns(), []

        async def one(address: str) -> None:
            await turns.take(address)
            begun.append(address)

        await asyncio.gather(*(one("a") for _ in range(6)), *(one("b") for _ in range(2)), one("c"))
        return begun

    assert asyncio.run(ask()) == ["a", "b", "c", "a", "b", "a", "a", "a", "a"]


def test_what_an_answer_has_cost_is_taken_from_its_address():
    limits = Limits(Settings("sqlite://", base_url="http://here", work=Rate(1, 0.1)))
    limits.request("192.0.2.1")
    limits.worked("192.0.2.1", 1.5)
    with pytest.raises(Refused, match="from your address") as refused:
        limits.request("192.0.2.1")
    assert refused.value.retry
    limits.request("192.0.2.2")


def test_long_work_is_done_in_turn_and_no_address_has_more_than_so_much_waiting():
    async def ask() -> list[str]:
        limits = Limits(Settings("sqlite://"))
        background, done = Background(limits), []
        many = [asyncio.create_task(background.run("a", lambda: done.append("a"))) for _ in range(2 * MOST)]
        await asyncio.sleep(0)
        await background.run("b", lambda: done.append("b"))
        first = done.index("b")
        ended = await asyncio.gather(*many, return_exceptions=True)
        assert sum(isinstance(one, Refused) for one in ended) == MOST
        with pytest.raises(ZeroDivisionError):
            await background.run("c", lambda: 1 // 0)
        background.close()
        return done[: first + 1]

    assert len(asyncio.run(ask())) <= 3


def test_long_work_of_one_address_keeps_no_other_waiting_and_is_never_done_twice_at_once():
    async def work() -> tuple[str, int]:
        background, first, most = Background(Limits(Settings("sqlite://"))), threading.Event(), 0
        going = Counter[str]()

        def piece(address: str) -> str:
            nonlocal most
            going[address] += 1
            most = max(most, going[address])
            assert first.wait(60)
            going[address] -= 1
            return address

        long = [asyncio.create_task(background.run("a", lambda: piece("a"))) for _ in range(3)]
        await asyncio.sleep(0)
        other = await background.run("b", lambda: "b")  # while the first piece of the other is being done
        assert not any(task.done() for task in long)
        first.set()
        await asyncio.gather(*long)
        background.close()
        return other, most

    usual = sys.getswitchinterval()
    assert asyncio.run(work()) == ("b", 1)
    assert sys.getswitchinterval() == usual


def test_after_the_end_no_long_work_begins_what_has_begun_is_done_and_who_waits_is_told(caplog: pytest.LogCaptureFixture):
    async def end() -> list[str]:
        background, going, done = Background(Limits(Settings("sqlite://"))), threading.Event(), list[str]()
        reached = threading.Semaphore(0)

        def piece(address: str) -> None:
            reached.release()
            assert going.wait(60)
            done.append(address)

        begun = [asyncio.create_task(background.run(f"{n}", partial(piece, f"{n}"))) for n in range(THREADS)]
        for _ in begun:
            await asyncio.to_thread(reached.acquire, timeout=60)
        waiting = [asyncio.create_task(background.run(address, partial(piece, address))) for address in ("0", "waits")]
        await asyncio.sleep(0)
        background.close()
        waiting.append(asyncio.create_task(background.run("late", partial(piece, "late"))))
        await asyncio.wait(waiting)
        assert all(task.cancelled() for task in waiting)
        going.set()
        await asyncio.gather(*begun)
        return sorted(done)

    assert asyncio.run(end()) == [f"{n}" for n in range(THREADS)]
    assert not caplog.records


def test_a_chat_of_those_who_watch_takes_no_line_from_those_who_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from outbid.server.domain.people import chat
    from outbid.server.domain.tables import Tables

    monkeypatch.setattr(chat, "MOST", 5)
    with closing(Store(url_of(str(tmp_path / "tables.db")))) as store:
        tables = Tables(store, Settings("sqlite://"))
        table, _token = at_once(tables.create(Order("kuhhandel", 3, "Ada", ["open"])))
        seat, watcher = chat.Reader(0, "seat-0"), chat.Reader(-1, "watcher-1")
        at_once(table.chat.say(seat, "", "Hello"))
        for number in range(30):
            at_once(table.chat.say(watcher, "Eve", f"{number}"))
        assert [one.text for one in table.chat.heard(seat)] == ["Hello"]
        assert [one.text for one in table.chat.heard(watcher)][-5:] == ["25", "26", "27", "28", "29"]
        assert len(table.chat.said) <= 11
        again = Tables(store, Settings("sqlite://")).get(table.id)
        assert [one.text for one in again.chat.heard(seat)] == ["Hello"]
        assert [one.text for one in again.chat.heard(watcher)] == ["25", "26", "27", "28", "29"]


@pytest.mark.slow
def test_a_table_that_is_forgotten_goes_at_once_with_its_record_and_what_was_shown_of_it(tmp_path: Path):
    """Nothing but the list of tables keeps it: a look for garbage, which may be far away, is not needed."""

    async def play() -> None:
        with closing(Store(url_of(str(tmp_path / "tables.db")))) as store:
            tables = Tables(store, Settings("sqlite://", pace="instant", live=1))
            gone = []
            for seed in range(3):
                order = Order("kuhhandel", 3, "Ada", ["random"], seed=seed, preset="quick")
                table = (await tables.create(order))[0]
                await table.substitute(0, "random")
                while table.status != "over":
                    await asyncio.sleep(0.001)
                await table.driver.ended()
                scene.live(table, 0, "http://here")
                gone.append(weakref.ref(table))
                del table
            await asyncio.sleep(0.01)
            assert [found() is None for found in gone] == [True, True, False]
            tables.tidy()
            assert gone[2]() is not None
            tables.tidy()
            assert gone[2]() is None
            await tables.close()

    gc.collect()
    gc.disable()
    try:
        asyncio.run(play())
    finally:
        gc.enable()


def test_what_is_to_be_done_soon_is_done_although_its_table_is_forgotten_meanwhile(tmp_path: Path):
    async def play() -> None:
        with closing(Store(url_of(str(tmp_path / "tables.db")))) as store:
            tables = Tables(store, Settings("sqlite://", live=1))
            table, _token = await tables.create(Order("kuhhandel", 3, "Ada", ["open"]))
            for name in ("Ben", "Cem"):
                await table.join(name)
            await store.aside(store.wish, table.id, ("pause", 0))
            name, lock, tasks, kept = table.id, table.lock, table.tasks, weakref.ref(table)
            assert [one.wishes for one in [store.load(name)] if one] == [{("pause", 0)}]
            async with lock:
                table.soon(partial(table.votes.wish, 1, "pause", False))
                del table
                await tables.create(Order("kuhhandel", 3, "Dan", ["open"]))
                assert not tables.knows(name)
            await tasks.settled()
            assert [one.wishes for one in [store.load(name)] if one] == [frozenset()]
            assert kept() is None
            await tables.close()

    asyncio.run(play())


def test_an_error_that_comes_of_itself_is_bared_with_all_that_it_comes_of():
    cause, refusal = ValueError(), Refused(400, "No.")

    def refused() -> None:
        with contextlib.suppress(ValueError):
            raise cause
        cause.__context__ = refusal
        raise refusal from cause

    assert _timed(refused)[1] is refusal
    assert (refusal.__traceback__, cause.__traceback__) == (None, None)


def test_a_game_of_which_something_is_broken_keeps_no_server_from_starting(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    usual = pages._sheet
    monkeypatch.setattr(pages, "_sheet", lambda game: "claim/none.html" if game == "claim" else usual(game))
    pages.read_in("")
    assert [line.getMessage() for line in caplog.records] == ["The table of claim could not be read in."]


def test_forty_players_behind_one_address_with_two_pages_each_are_not_refused():
    """Pages with all that belongs to them, their sockets, and what they say."""
    limits = Limits(Settings("sqlite://", base_url="http://here"))
    with contextlib.ExitStack() as open_:
        for player in range(40):
            for _page in range(2):
                for _part in range(11):
                    limits.request("192.0.2.1")
                limits.worked("192.0.2.1", 0.03)
                open_.enter_context(limits.socket("192.0.2.1", seated=True))
            for _line in range(5):
                limits.chat("192.0.2.1", f"table seat-{player}", seated=True)


