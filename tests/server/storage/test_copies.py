"""Whatever is committed is in the folder of the copies a moment later, and every moment can be brought back."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sqlite3
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from outbid.core.errors import BadSetup, OutbidError
from outbid.server import metrics
from outbid.server.domain.setup import Order, made
from outbid.server.storage import backups as backing
from outbid.server.storage import erasures, restoring, shipping
from outbid.server.storage.backups import Backups, planned
from outbid.server.storage.opening import url_of
from outbid.server.storage.restoring import moment, rebuild
from outbid.server.storage.shipping import LogLost, Shipper, logs
from outbid.server.storage.store import Store
from tests.support.commands import outbid_command
from tests.support.serving import JSON, SHORT, Person, start, stop, until

COPY = "outbid-2026-01-31T050000.db"
HEAD = 32 + 24 + 4096  # bytes of a log that was emptied: its header, and the first page, so that it is not taken for missing


class Shipped:
    """A database of numbers, its copies and their shipper."""

    def __init__(self, folder: Path):
        self.file, self.copies = folder / "n.db", folder / "copies"
        self.copies.mkdir(exist_ok=True)
        self.copy = self.copies / COPY
        self.db = self.connect()
        self.db.execute("create table if not exists pulse (id integer primary key, at float)")
        self.db.execute("create table if not exists numbers (n integer primary key, text text)")
        self.last = self.db.execute("select coalesce(max(n), 0) from numbers").fetchone()[0]
        self.ship = Shipper(self.file, self.copies)
        self.ship.begin(self.copy if self.copy.exists() else None)

    def connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.file, timeout=20, isolation_level=None, check_same_thread=False)
        db.execute("pragma journal_mode=wal")
        return db

    def whole(self) -> None:
        """Make a whole copy."""
        with self.ship.copying(self.copy), closing(sqlite3.connect(self.copy)) as new, closing(self.connect()) as old:
            old.backup(new)
            new.execute("pragma journal_mode=delete").fetchone()

    def write(self, many: int = 1, size: int = 300) -> None:
        """Commit the next numbers, each by itself."""
        for _number in range(many):
            self.db.execute("insert into numbers values (?, ?)", [self.last + 1, os.urandom(size).hex()])
            self.last += 1

    def held(self, folder: Path, at: float = float("inf")) -> int:
        """The newest number that the copies hold; all before it are there."""
        file = folder / "rebuilt.db"
        rebuild(self.copies, at, file)
        with closing(sqlite3.connect(file)) as db:
            assert db.execute("pragma integrity_check").fetchone() == ("ok",)
            count, newest = db.execute("select count(*), coalesce(max(n), 0) from numbers").fetchone()
        file.unlink()
        assert count == newest
        return newest

    def end(self) -> None:
        """End as a server that is stopped."""
        self.db.close()
        self.ship.close()


@pytest.fixture
def shipped(tmp_path: Path) -> Iterator[Shipped]:
    """One with a whole copy."""
    one = Shipped(tmp_path)
    one.whole()
    yield one
    one.end()


# --- shipping ---------------------------------------------------------------------------------------------------------


def test_every_moment_comes_back_while_others_write_and_the_log_is_begun_anew(
    shipped: Shipped, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(shipping, "TURN", 200_000)
    shipped.ship.ship()
    ended = threading.Event()

    def write() -> None:
        while not ended.is_set():
            shipped.write(random.Random(shipped.last).randint(1, 9))
            time.sleep(0.001)

    writing = threading.Thread(target=write)
    writing.start()
    moments = []
    while shipped.ship._number < 6:
        before = shipped.last
        shipped.ship.ship()
        moments.append((before, shipped.ship.shipped, shipped.last))
        time.sleep(0.01)
    ended.set()
    writing.join()
    shipped.ship.ship()
    assert os.path.getsize(f"{shipped.file}-wal") < 20 * shipping.TURN
    for least, at, most in random.Random(2).sample(moments, min(12, len(moments))):
        assert least <= shipped.held(tmp_path, at) <= most + 1  # which is committed before it is counted
    assert shipped.held(tmp_path) == shipped.last
    assert all(stat.S_IMODE(log.stat().st_mode) == 0o600 for log in logs(shipped.copy))


def test_whoever_brings_the_log_into_the_file_takes_nothing_from_it(shipped: Shipped, tmp_path: Path):
    """As the writer does, and tools that end, and even one that would cut the log."""
    for mode in ("passive", "full", "restart", "truncate"):
        shipped.write(3)
        with closing(sqlite3.connect(shipped.file, timeout=0.1)) as other:
            other.execute(f"pragma wal_checkpoint({mode})").fetchone()
        shipped.write(3)
    shipped.ship.ship()
    assert (shipped.ship.copy, shipped.held(tmp_path)) == (shipped.copy, shipped.last)


def test_after_a_second_without_a_write_the_file_alone_holds_everything(shipped: Shipped):
    shipped.write(5)
    shipped.ship.ship()
    _busy, frames, merged = shipped.db.execute("pragma wal_checkpoint(passive)").fetchone()
    assert frames == merged > 0


def test_what_is_not_committed_is_not_shipped(shipped: Shipped, tmp_path: Path):
    shipped.write(2)
    shipped.db.execute("pragma cache_size=5")  # pages of the transaction go to the log before its end
    shipped.db.execute("begin")
    shipped.write(200)
    shipped.ship.ship()
    assert shipped.held(tmp_path) == 2
    shipped.db.execute("rollback")
    shipped.last = 2
    shipped.write(3)
    shipped.ship.ship()
    assert shipped.held(tmp_path) == 5


def test_stopped_and_started_the_log_goes_on_without_another_whole_copy(shipped: Shipped, tmp_path: Path):
    for _time in range(3):
        shipped.write(4)
        shipped.end()
        assert not Path(f"{shipped.file}-wal").exists()
        shipped.__init__(tmp_path)  # type: ignore[misc]
        assert shipped.ship.copy == shipped.copy
        shipped.write()
        shipped.ship.ship()
        assert shipped.held(tmp_path) == shipped.last


def test_after_a_crash_the_log_goes_on_where_it_was(shipped: Shipped, tmp_path: Path):
    shipped.write(4)
    shipped.ship.ship()
    shipped.write(4)  # not shipped
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    for end in ("", "-wal"):
        (crashed / f"n.db{end}").write_bytes(Path(f"{shipped.file}{end}").read_bytes())
    (crashed / "copies").symlink_to(shipped.copies)
    again = Shipped(crashed)
    assert again.ship.copy == again.copy
    again.write()
    again.ship.ship()
    assert again.held(tmp_path) == again.last == 9
    again.end()


@pytest.mark.parametrize("killed", [False, True])
def test_whoever_wrote_while_the_server_was_away_is_seen(shipped: Shipped, tmp_path: Path, killed: bool):
    shipped.write(4)
    shipped.ship.ship()
    shipped.end()
    if killed:
        (shipped.copies / shipping.RESUME).unlink()
    with closing(shipped.connect()) as other:
        other.execute("insert into numbers values (100, '')")
    shipped.__init__(tmp_path)  # type: ignore[misc]
    assert shipped.ship.copy is None


def test_a_log_that_others_began_anew_is_seen(shipped: Shipped, tmp_path: Path):
    """What the shipper's reader prevents, happens."""
    shipped.write(4)
    shipped.ship.ship()
    for reader in shipped.ship._readers:
        reader.rollback()
    shipped.db.execute("pragma wal_checkpoint(truncate)").fetchone()
    shipped.write(2)
    with pytest.raises(LogLost):
        shipped.ship.ship()
    assert shipped.ship.copy is None
    os.rename(shipped.copy, shipped.copies / "outbid-2026-01-30T050000.db")
    shipped.whole()
    shipped.write()
    shipped.ship.ship()
    assert shipped.ship.copy == shipped.copy


def test_while_the_folder_is_gone_nothing_is_lost_and_what_was_torn_is_written_again(shipped: Shipped, tmp_path: Path):
    shipped.write(2)
    shipped.ship.ship()
    away = tmp_path / "away"
    shipped.copies.rename(away)
    shipped.write(2)
    with pytest.raises(OSError, match="No such file"):
        shipped.ship.ship()
    away.rename(shipped.copies)
    with logs(shipped.copy)[-1].open("ab") as log:
        log.write(b"torn" * 10)
    shipped.write(2)
    shipped.ship.ship()
    assert shipped.held(tmp_path) == 6


def test_a_log_that_cannot_be_shipped_does_not_fill_the_disk(
    shipped: Shipped, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(shipping, "TURN", 50_000)
    monkeypatch.setattr(shipping, "MOST", 100_000)
    shipped.copies.rename(tmp_path / "away")
    sizes = []
    for _time in range(20):
        shipped.write(10)
        if shipped.ship.copy:
            with pytest.raises(OSError, match="No such file"):
                shipped.ship.ship()
        else:
            shipped.ship.ship()
        sizes.append(os.path.getsize(f"{shipped.file}-wal"))
    assert shipped.ship.copy is None
    assert max(sizes) < 4 * shipping.MOST


# --- what is damaged --------------------------------------------------------------------------------------------------


def test_a_log_that_is_torn_at_its_end_comes_back_to_there_and_one_damaged_within_says_until_when(
    shipped: Shipped, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(shipping, "TURN", 20_000)
    while len(logs(shipped.copy)) < 3:
        shipped.write(3)
        shipped.ship.ship()
    shipped.write()
    shipped.ship.ship()
    newest = logs(shipped.copy)[-1]
    newest.write_bytes(newest.read_bytes()[:-5])
    assert 0 < shipped.held(tmp_path) < shipped.last
    second = logs(shipped.copy)[1]
    whole = second.read_bytes()
    second.write_bytes(whole[:-40] + b"x" + whole[-39:])
    with pytest.raises(OutbidError, match=r"damaged after (\S+); --at brings back that moment") as refused:
        shipped.held(tmp_path)
    at = str(refused.value).split("after ")[1].split(";")[0]
    assert 0 < shipped.held(tmp_path, moment(at)) < shipped.last
    second.unlink()
    with pytest.raises(OutbidError, match="missing"):
        shipped.held(tmp_path)


def test_a_moment_before_all_copies_is_one_sentence(shipped: Shipped, tmp_path: Path):
    with pytest.raises(BadSetup, match="from that moment or before"):
        shipped.held(tmp_path, 0.0)
    with pytest.raises(BadSetup, match="is no moment"):
        moment("yesterday")
    assert moment("2027-01-31T05:00:00") == moment("2027-01-31T07:00:00+02:00") == 1801371600


def test_a_copy_of_a_time_to_come_is_the_last_that_is_brought_back(shipped: Shipped, tmp_path: Path):
    """The clock on the wall was wrong when it was made."""
    shipped.write(3)
    shipped.ship.ship()
    (shipped.copies / "outbid-2999-01-31T050000.db").write_bytes(b"")
    assert shipped.held(tmp_path) == 3


def test_a_folder_without_copies_is_one_sentence(tmp_path: Path):
    assert "There is no folder" in admin("rehearse", tmp_path / "typo", code=2)
    assert "There is no copy in" in admin("rehearse", tmp_path, code=2)
    assert "There is no list of erasures" in admin("forget", tmp_path, "--database", tmp_path / "tables.db", code=2)
    assert "There is no copy in" in admin("restore", tmp_path, "--database", tmp_path / "tables.db", code=2)
    (tmp_path / erasures.LIST).write_text("[1, 2]\n")
    with pytest.raises(OutbidError, match="cannot be read"):
        erasures.listed(tmp_path)


# --- a server, and the host's tools -----------------------------------------------------------------------------------


def admin(*words: object, code: int = 0) -> str:
    """What `outbid admin` says."""
    done = outbid_command("admin", *map(str, words))
    assert done.returncode == code, done.stderr
    return done.stderr if code == 2 else done.stdout


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, Path, Person, Callable[..., None]]]:
    """A database, the folder of its copies, a person at a table, and what ends their server."""
    file, copies = tmp_path / "here" / "tables.db", tmp_path / "elsewhere"
    server, address = start(file, backups=planned(copies))
    ada = Person(address)
    ada.order(bots="open,open")
    yield file, copies, ada, lambda number=signal.SIGTERM: server.kill(number)
    if server.pid in server.running:
        stop(server)


def tables(copies: Path, folder: Path) -> set[str]:
    """The tables that the copies hold now."""
    file = folder / "seen.db"
    try:
        rebuild(copies, float("inf"), file)
    except OutbidError:
        return set()
    with closing(sqlite3.connect(file)) as db:
        return {row[0] for row in db.execute("select id from tables")}


def test_a_server_ships_within_a_moment_and_its_database_comes_back_from_elsewhere(served, tmp_path: Path):
    file, copies, ada, end = served
    first = ada.table
    until(lambda: first in tables(copies, tmp_path))
    between = time.time()
    ada.order(bots="open,open")
    until(lambda: ada.table in tables(copies, tmp_path))
    text = ada.http.get("/metrics").text
    assert 'outbid_backup_age_seconds{copy="log"}' in text
    assert "in use" in admin("restore", copies, "--database", file, "--force", code=2)
    end()
    file.write_bytes(b"x" * 5000)
    said = admin("restore", copies, "--database", file, "--force")
    assert "2 tables with 0 moves, as of 20" in said
    (kept,) = file.parent.glob("tables.db.before-*[0-9]")
    assert kept.read_bytes() == b"x" * 5000
    assert f"kept as {kept}" in said
    assert "2 tables good" in admin("validate", "--database", file)
    other = tmp_path / "other.db"
    at = restoring.shown(between)
    assert "1 table with 0 moves" in admin("restore", copies, "--at", at, "--database", other)
    with closing(sqlite3.connect(other)) as db:
        assert db.execute("select id from tables").fetchall() == [(first,)]
    whole = next(copies.glob("*.db"))
    assert "not from a file" in admin("restore", whole, "--at", at, "--database", tmp_path / "third.db", code=2)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_server_that_is_started_again_ships_on_behind_the_same_whole_copy(served, tmp_path: Path, number: int):
    file, copies, ada, end = served
    until(lambda: ada.table in tables(copies, tmp_path))
    end(number)
    again, address = start(file, backups=planned(copies))
    berta = Person(address)
    berta.order(bots="open,open")
    until(lambda: {ada.table, berta.table} <= tables(copies, tmp_path))
    assert len(list(copies.glob("*.db"))) == 1
    berta.http.close()
    stop(again)


def test_what_was_erased_later_is_erased_again_and_the_list_tells_no_name(served, tmp_path: Path):
    file, copies, ada, end = served
    first = ada.table
    ada.order(bots="open,open")
    until(lambda: {first, ada.table} <= tables(copies, tmp_path))
    before = restoring.shown(time.time())
    admin("delete", first, "--database", file, "--force")
    until(lambda: (copies / erasures.LIST).exists())
    lines = (copies / erasures.LIST).read_text().splitlines()
    assert [json.loads(line)[1:] for line in lines] == [["table", first]]
    end()
    said = admin("restore", copies, "--at", before, "--database", tmp_path / "back.db")
    assert "1 erasure since then carried out again." in said
    with closing(sqlite3.connect(tmp_path / "back.db")) as db:
        assert db.execute("select id from tables").fetchall() == [(ada.table,)]


@pytest.mark.parametrize("ships", [False, True])
@pytest.mark.slow
def test_what_is_erased_is_soon_in_neither_file_nor_log_nor_newest_copy(tmp_path: Path, ships: bool):
    file, copies, words = tmp_path / "here" / "tables.db", tmp_path / "elsewhere", b"Desiderius praises folly"

    def written() -> list[str]:
        left = {path.name: path.read_bytes() for path in (file, Path(f"{file}-wal"))}
        return [name for name, held in left.items() if words in held or b"Erasmus" in held]

    server, address = start(file, backups=planned(copies) if ships else None)
    ada, ben = Person(address), Person(address)
    assert ada.http.post("/name/keep", data={"name": "Erasmus", "password": "seven red cows"}, headers=JSON).is_success
    ada.order(name="Erasmus", bots="random", **SHORT)
    for number in range(5):
        said = {"text": f"{words.decode()} {number}"}
        assert ada.http.post(f"/t/{ada.table}/chat", data=said, headers=JSON).is_success
    until(lambda: "tables.db" in written(), 60)  # the log is brought into the file
    admin("erase", "Erasmus", "--database", file, "--force")
    until(lambda: not written(), 60)
    admin("backup", tmp_path / "newest.db", "--database", file)
    assert words not in (tmp_path / "newest.db").read_bytes()
    ben.order(bots="open,open")
    if ships:
        until(lambda: ben.table in tables(copies, tmp_path), 60)
        assert len(list(copies.glob("*.db"))) == 1, "the log of the first copy did not go on"
    stop(server)
    assert "good" in admin("validate", "--database", file)
    assert words not in file.read_bytes()


def test_who_still_reads_keeps_the_log_from_being_emptied_and_no_write_waiting(store: Store):
    log, tried = Path(f"{store.engine.url.database}-wal"), threading.Event()

    @sa.event.listens_for(store.engine, "after_cursor_execute")
    def hear(_db: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        if "wal_checkpoint(TRUNCATE)" in statement:
            tried.set()

    with closing(sqlite3.connect(str(store.engine.url.database), isolation_level=None)) as reader:
        reader.execute("begin")
        reader.execute("select count(*) from tables").fetchone()
        store.write(lambda db: erasures.note(db, "table", "one"))
        assert tried.wait(60)
        store.write(lambda db: erasures.note(db, "table", "another"))
        assert log.stat().st_size > HEAD
        reader.execute("rollback")
    until(lambda: log.stat().st_size <= HEAD, 60)
    assert len(store.rows(sa.select(erasures.erasures.c.id))) == 2


def test_who_reads_for_a_moment_while_a_store_is_closed_leaves_nothing_erased_in_the_log(store: Store):
    log = Path(f"{store.engine.url.database}-wal")
    reader = sqlite3.connect(str(store.engine.url.database), isolation_level=None, check_same_thread=False)
    with closing(reader):
        reader.execute("begin")
        reader.execute("select count(*) from tables").fetchone()
        store.write(lambda db: erasures.note(db, "table", "one"))
        leaving = threading.Timer(0.5, reader.execute, ["rollback"])
        leaving.start()
        store.close()
        leaving.join()
        assert log.stat().st_size <= HEAD


@pytest.mark.slow
def test_a_rehearsal_replays_the_copies_and_names_what_is_bad(served, tmp_path: Path):
    file, copies, ada, end = served
    until(lambda: ada.table in tables(copies, tmp_path))
    assert "1 table replayed, 0 bad." in admin("rehearse", copies)
    with closing(sqlite3.connect(file, timeout=20)) as db:
        db.execute("update tables set status = 'over'")
        db.commit()
    until(lambda: outbid_command("admin", "rehearse", str(copies)).returncode == 1, 60)
    assert f"{ada.table}: " in admin("rehearse", copies, code=1)
    assert not (copies / ".rehearsal").exists()
    assert ada.now()["table"]["id"] == ada.table
    end()


# --- the copies of a server, in this process --------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with a table."""
    with closing(Store(url_of(str(tmp_path / "tables.db")))) as store:
        store.add(made(Order("kuhhandel", 3, "Ada", ["open"]), "slow", 24)[0])
        yield store


def test_copies_go_when_they_are_old_and_enough_are_newer_and_what_follows_them_goes_too(store: Store, tmp_path: Path):
    folder = tmp_path / "copies"
    backups = Backups(store, planned(folder, "1d", 2))
    for days in (5, 4, 1.5, 1):
        copy = folder / time.strftime(shipping.NAME, time.gmtime(time.time() - days * 86400))
        for file in (copy, copy.with_name(f"{copy.stem}.000001.log"), copy.with_name(f"{copy.stem}.000002.log")):
            file.write_bytes(b"")
    newest = backups.make()
    assert newest
    assert len(backups.there()) == 3
    assert {log.name.split(".")[0] for log in folder.glob("*.log")} == {copy.stem for copy in backups.there()} - {
        newest.stem
    }


@pytest.mark.slow
def test_a_folder_has_the_copies_of_one_database(store: Store, tmp_path: Path):
    plan = planned(tmp_path / "copies")
    with closing(Backups(store, plan)) as backups:
        backups.begin()
    with closing(Store(url_of(str(tmp_path / "other.db")))) as other:
        with pytest.raises(OutbidError, match=r"has the copies of .*tables\.db; please name another folder for .*other\.db"):
            Backups(other, plan).begin()
        (tmp_path / "tables.db").rename(tmp_path / "moved.db")  # on another machine, or restored elsewhere
        with closing(Backups(other, plan)) as backups:
            backups.begin()


@pytest.mark.slow
def test_the_rehearsal_of_a_night_is_counted_and_one_that_fails_is_said_once(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    folder = tmp_path / "copies"
    backups = Backups(store, planned(folder))
    backups.make()
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 2:
            next(folder.glob("*.db")).write_bytes(b"")
        elif len(slept) == 3:
            monkeypatch.setattr(restoring, "ROOM", 2**60)
        elif len(slept) == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(asyncio, "sleep", sleep)
    counts = {end: metrics.REHEARSALS.labels(end)._value.get() for end in ("good", "failed", "no_room")}
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(backups.rehearse())
    assert all(metrics.REHEARSALS.labels(end)._value.get() == count + 1 for end, count in counts.items())
    assert all(0 < seconds <= 25 * 3600 for seconds in slept)
    errors = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert len(errors) == 2
    assert all(line.startswith("The rehearsal of a restore failed: ") for line in errors)
    assert (folder / backing.REHEARSED).exists()
    assert 'outbid_backup_age_seconds{copy="rehearsal"}' in metrics.page({}, [])[0].decode()
