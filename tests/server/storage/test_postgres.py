"""SQLite and PostgreSQL hold the same; several processes on one PostgreSQL serve the same tables.

The PostgreSQL is real and the tests' own (postgres.py); the processes are real servers, some of them killed.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from outbid import read_record
from outbid.core.errors import OutbidError
from outbid.server.domain.commands import Command
from outbid.server.domain.setup import Order, made
from outbid.server.domain.tables import Tables
from outbid.server.settings import PACES, Refused, Settings
from outbid.server.storage import database as written
from outbid.server.storage import schema, writer
from outbid.server.storage.opening import url_of
from outbid.server.storage.postgres import lock_of
from outbid.server.storage.schema import pulse
from outbid.server.storage.store import Store
from outbid.server.stored import Conflict, Move, Seat, Stored
from tests.support.postgres import Cluster
from tests.support.serving import JSON, SHORT, Person, append, at_once, get, hear, line_to, some_move, start, stop, until

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("OUTBID_KILLS", 30 if os.environ.get("OUTBID_PROFILE") == "deep" else 6))


@pytest.fixture
def database(cluster: Cluster) -> str:
    """A new database."""
    return cluster.database()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new database of each kind."""
    if request.param == "sqlite":
        return url_of(str(tmp_path / "tables.db"))
    return str(request.getfixturevalue("database"))


@contextmanager
def processes(database: str, number: int = 2, **settings: Any) -> Iterator[list[str]]:
    """The addresses of several servers on one database."""
    with ThreadPoolExecutor() as pool:
        started = list(pool.map(lambda _: start(database, **settings), range(number)))
    try:
        yield [address for _, address in started]
    finally:
        for process, _ in started:
            stop(process)


@pytest.fixture(scope="module")
def pair(cluster: Cluster) -> Iterator[tuple[str, str, str]]:
    """A database and the addresses of two servers on it, for all tests that break nothing."""
    url = cluster.database()
    with processes(url) as (here, there):
        yield url, here, there


@contextmanager
def people(*addresses: str) -> Iterator[list[Person]]:
    """Somebody at each of these servers."""
    all_of_them = [Person(address) for address in addresses]
    yield all_of_them
    for person in all_of_them:
        person.http.close()


def together(*people: Person, **order: Any) -> None:
    """All sit down at one table, made by the first; bots take the other seats."""
    players = order.pop("players", 3)
    bots = ["open"] * (len(people) - 1) + [order.pop("bots", "random")] * (players - len(people))
    people[0].order(players=players, bots=",".join(bots), **order)
    for person, name in zip(people[1:], ("Ben", "Cy"), strict=False):
        person.join(people[0].table, name)
    for person in people:
        assert person.now()["table"]["status"] != "open"  # whoever asks is told; a page would be told to load again


def turn(*people: Person) -> tuple[Person, dict[str, Any]] | None:
    """Who is asked, and what they see; none when the match is over."""
    while True:
        for person in people:
            seen = person.now()
            if seen["table"]["status"] == "over":
                return None
            if seen["decision"] is not None:
                return person, seen
        time.sleep(0.01)


# --- the same store on both databases ---------------------------------------------------------------------------------


def a_table(**fields: Any) -> Stored:
    """A table for three with an open seat and a bot."""
    order = Order("kuhhandel", 3, "Ada", ["open", "steady"], {"bidding": "dropout"}, **fields)
    return made(order, "normal", 24)[0]


BID = {"do": "bid", "amount": 40, "ünïcode": "“✓”"}


def test_a_table_comes_back_as_it_was_stored(url: str):
    with closing(Store(url)) as opened:
        table = a_table()
        opened.add(table)
        assert opened.load(table.id) == table
        reasoned = Move(0, BID, "a", {"en": "because", "de": "weil"}, {"en": "secretly"})
        said = [reasoned, Move(None, {"do": "close"}), Move(2, {"do": "pass"})]
        for number, move in enumerate(said):
            append(opened, table.id, number, move, over=number == 2)
        found = opened.load(table.id)
        assert found
        assert (found.moves, found.status) == (tuple(said), "over")
        assert list(found.moves[0].said) == list(BID)
        later = opened.load(table.id, since=2)
        assert later
        assert later.moves == tuple(said[2:])
        assert opened.load("nowhere") is None
        assert opened.load("no\0where") is None


def test_a_second_move_with_the_same_number_or_the_same_command_changes_nothing(url: str):
    with closing(Store(url)) as opened:
        table = a_table()
        opened.add(table)
        first = Move(0, BID, "a")
        append(opened, table.id, 0, first, over=False)
        for number, move in ((0, Move(1, {"do": "pass"}, "b")), (1, Move(0, {"do": "pass"}, "a"))):
            with pytest.raises(Conflict):
                append(opened, table.id, number, move, over=True)
        with pytest.raises(Conflict):
            append(opened, "nowhere", 0, first, over=False)
        found = opened.load(table.id)
        assert found
        assert (found.moves, found.status) == ((first,), "open")
        append(opened, table.id, 1, Move(1, {"do": "pass"}, "a"), over=False)


def test_an_open_seat_is_taken_once(url: str):
    with closing(Store(url)) as opened:
        table = a_table()
        opened.add(table)
        ben, was = Seat("human", "Ben", None, 5, "hash"), dict(enumerate(table.seats))
        with pytest.raises(Conflict):
            opened.sit(table.id, {**was, 0: table.seats[1]}, {0: ben})
        assert opened.sit(table.id, was, {1: ben})
        for taken in ({1: Seat("human", "Cy", None, 6, "another")}, {0: ben}):
            with pytest.raises(Conflict):
                opened.sit(table.id, was, taken)
        found = opened.load(table.id)
        assert found
        assert (found.seats[1], found.status) == (ben, "playing")


def test_tables_are_listed_paced_counted_and_deleted(url: str):
    with closing(Store(url)) as opened:
        first, second = a_table(), a_table()
        opened.add(first)
        opened.add(second)
        append(opened, second.id, 0, Move(0, BID), over=True)
        assert [row[0] for row in opened.summaries([first.id, second.id, "x"])] == [second.id, first.id]
        assert opened.summaries([first.id])[0][3] == ["Ada", first.seats[2].name]
        opened.pace(first.id, "slow", True)
        found = opened.load(first.id)
        assert found
        assert (found.pace, found.paused) == ("slow", True)
        assert opened.statuses() == {"open": 1, "playing": 0, "over": 1}
        assert opened.statistics()["moves"] == 1
        assert [row[0] for row in opened.ended()] == [second.id]
        opened.leave(second.id, 1e9)
        assert opened.ended()[0][2] == 1e9
        assert opened.delete(second.id)
        assert not opened.delete(second.id)
        assert (opened.load(second.id), opened.ids(), opened.gap(first.id)) == (None, [first.id], None)


def test_the_migrations_make_the_schema_that_the_store_uses(url: str):
    with closing(Store(url)) as opened, opened.engine.connect() as db:
        assert compare_metadata(MigrationContext.configure(db), schema.metadata) == []
    Store(url).close()


def test_a_database_of_another_version_or_program_is_one_sentence_and_stays_as_it_is(url: str, cluster: Cluster):
    opened = Store(url)
    with opened.engine.begin() as db:
        db.execute(sa.text("update alembic_version set version_num = '9999'"))
    for sentence in ("another version of Outbid", "tables of another program"):
        with pytest.raises(OutbidError, match=sentence) as refused:
            Store(url)
        assert "\n" not in str(refused.value)
        with opened.engine.begin() as db:
            assert db.execute(sa.text("select * from alembic_version")).all() in ([("9999",)], [])
            db.execute(sa.text("delete from alembic_version"))
    opened.close()


def test_every_commit_is_on_disk(cluster: Cluster, database: str):
    """Also where the database says that commits need not wait."""
    with cluster.connect(database) as db:
        db.execute(f"ALTER DATABASE {database.partition('@/')[2].partition('?')[0]} SET synchronous_commit = off")
    with closing(Store(database)) as opened, opened.engine.connect() as connection:
        assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"


def test_of_two_servers_that_begin_at_the_same_moment_one_notes_it_and_neither_fails(cluster: Cluster, database: str):
    first, second = Store(database), Store(database)
    try:
        with ThreadPoolExecutor() as pool, first.engine.connect() as db:
            db.execute(sa.insert(pulse), {"id": 1, "at": time.time()})
            late = pool.submit(second.beat, time.time(), 3.0)
            until(lambda: waiting(cluster, database) == 1)
            db.commit()
            assert late.result(20) is False
        assert second.beat(time.time(), 3.0) is False
    finally:
        first.close()
        second.close()


@contextmanager
def locked(cluster: Cluster, database: str, *tables: str) -> Iterator[None]:
    """Somebody else has locked the rows of these tables."""
    with cluster.connect(database) as db, db.transaction(force_rollback=True):
        db.execute("select id from tables where id = any(%s) for update", [list(tables)])
        yield


def test_tables_of_one_writer_do_not_wait_for_one_that_is_locked(
    cluster: Cluster, database: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(written, "LANES", 1)
    with closing(Store(database)) as opened, ThreadPoolExecutor(20) as pool:
        out, *others = [a_table() for _ in range(10)]
        for table in (out, *others):
            opened.add(table)
        first, second = Move(0, BID, "a"), Move(1, {"do": "pass"}, "b")
        with locked(cluster, database, out.id):
            late = [pool.submit(append, opened, out.id, 0, first, False)]
            until(lambda: waiting(cluster, database))
            late.append(pool.submit(append, opened, out.id, 1, second, False))
            for one in [pool.submit(append, opened, table.id, 0, first, False) for table in others]:
                one.result(20)
            opened.breathe()
            assert opened.writer
            assert (opened.writer.waiting[0], *(one.done() for one in late)) == (2, False, False)
        for one in late:
            one.result(20)
        found = opened.load(out.id)
        assert found
        assert found.moves == (first, second)


def test_who_is_locked_out_for_too_long_is_told_so_and_may_try_again(
    cluster: Cluster, database: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(writer, "PATIENCE", 0.0)
    with closing(Store(database)) as opened:
        table = a_table()
        opened.add(table)
        move = Move(0, BID, "a")
        with locked(cluster, database, table.id):
            with pytest.raises(Refused, match="could not be written down, so it was not made"):
                append(opened, table.id, 0, move, over=False)
            with pytest.raises(Refused, match="nothing was changed"):
                opened.pace(table.id, "slow", True)
        append(opened, table.id, 0, move, over=False)
        found = opened.load(table.id)
        assert found
        assert (found.moves, found.paused) == ((move,), False)


def waiting(cluster: Cluster, database: str) -> int:
    """How many wait for somebody else's transaction."""
    with cluster.connect(database) as db:
        found = db.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone()
        return int(found[0]) if found else 0


def test_a_process_that_follows_a_move_reads_the_moves_alone_and_shows_the_same(database: str):
    with closing(Store(database)) as here, closing(Store(database)) as there:
        ours, theirs = (Tables(one, Settings(database)) for one in (here, there))
        table, _token = at_once(ours.create(Order("rivals", 2, "Ada", ["steady"])))
        other = theirs.get(table.id)
        read: list[str] = []
        sa.event.listen(there.engine, "before_cursor_execute", lambda *told: read.append(told[2]))
        for number in range(6):
            seat = table.asked[0]
            asyncio.run(table.act(number, seat, table.playing.copy().random_move(seat, number)))
            asyncio.run(theirs.heard(table.id, number + 1))
            assert other.playing.view(seat) == table.playing.view(seat)
            assert other.decisions == table.decisions
        assert len(read) == 6
        assert all("FROM moves" in statement for statement in read)


def test_a_process_follows_when_a_move_is_taken_back_and_answers_nothing_that_is_no_question_any_more(url: str):
    with closing(Store(url)) as here, closing(Store(url)) as there:
        ours, theirs = (Tables(one, Settings(url)) for one in (here, there))
        table, _token = at_once(ours.create(Order("kuhhandel", 3, "Ada", ["steady"])))
        table.seats = [replace(seat, kind="human") for seat in table.seats]
        at_once(table.act(0, table.asked[0], {"do": "auction"}))
        bidder = table.asked[0]
        bid = Command("a bid", 1, {"do": "bid", "amount": 10})
        assert at_once(table.play(bidder, bid)).ok
        other = theirs.get(table.id)
        other.seats = table.seats
        late = other.asked[0], Command("late", 2, {"do": "pass"})
        at_once(table.take_back(bidder, 1))
        assert at_once(other.play(*late)).stale
        assert other.playing.moves == table.playing.moves == [{"seat": other.playing.moves[0]["seat"], "do": "auction"}]
        assert (other.number, other.decisions) == (table.number, table.decisions) == (3, {bidder: 3})
        assert at_once(other.play(bidder, bid)).ok, "what is sent again has its answer"
        assert len(other.playing.moves) == 1
        assert at_once(other.play(bidder, Command("another", 3, {"do": "bid", "amount": 20}))).ok
        at_once(ours.heard(table.id, 4))
        assert table.playing.moves[-1]["amount"] == 20


@pytest.mark.parametrize("order", [
    Order("rivals", 2, "Ada", ["steady"], clock="180+15"),
    Order("kuhhandel", 3, "Ada", ["steady"], options={"bidding": "realtime"}),
], ids=["a clock", "an auction by outcry"])  # fmt: skip
def test_a_process_that_follows_a_move_has_the_times_of_the_one_that_made_it(database: str, order: Order):
    with closing(Store(database)) as here, closing(Store(database)) as there:
        ours, theirs = (Tables(one, Settings(database)) for one in (here, there))
        table, _token = at_once(ours.create(order))
        other, seen = theirs.get(table.id), 0
        for number in range(12):
            seat = None if table.playing.clock and number % 3 == 2 else table.asked[0]
            move = {"do": "close"} if seat is None else table.playing.copy().random_move(seat, number)
            asyncio.run(table.act(number, seat, move))
            asyncio.run(theirs.heard(table.id, number + 1))
            assert other.playing.view() == table.playing.view()
            assert other.clock.times == table.clock.times
            seen += bool(table.clock.times)
        assert seen > 3


def test_several_processes_may_open_a_new_database_at_once(database: str):
    with processes(database, 3) as addresses:
        assert [get(f"{address}/healthz").text for address in addresses] == ["ok"] * 3


def test_rows_that_belong_to_no_table_and_what_was_never_checked_are_named(cluster: Cluster, database: str):
    """What `outbid admin validate` asks of a PostgreSQL."""
    with closing(Store(database)) as opened, cluster.connect(database) as db:
        assert opened.torn() == ""
        db.execute("ALTER TABLE seats DROP CONSTRAINT seats_table_id_fkey")
        db.execute("INSERT INTO seats (table_id, seat, kind, name, seed) VALUES ('nowhere', 0, 'bot', 'Bruno', 1)")
        db.execute("ALTER TABLE seats ADD CONSTRAINT seated FOREIGN KEY (table_id) REFERENCES tables (id) NOT VALID")
        db.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'seats_of_owner'::regclass")
        said = "1 rows of seats belong to no table; the constraint seated was never checked; "
        said += "the index seats_of_owner is not valid"
        assert opened.torn() == said


def test_a_database_that_cannot_be_reached_is_one_sentence_without_its_password():
    with pytest.raises(OutbidError) as refused:
        Store("postgresql+psycopg://ada:geheim@/tables?host=/nowhere")
    assert "cannot be used" in str(refused.value)
    assert "geheim" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_without_the_driver_one_sentence_says_what_to_install():
    code = "import sys; sys.modules['psycopg'] = None; from outbid.server.main import run; run(database='postgresql://x/y')"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert told.returncode == 2
    assert "outbid[postgres]" in told.stderr
    assert len(told.stderr.splitlines()) == 1


# --- several processes ------------------------------------------------------------------------------------------------


def test_two_processes_serve_one_table_and_a_person_at_each_sees_every_move_of_the_other(pair: tuple[str, str, str]):
    with people(*pair[1:]) as (ada, ben):
        together(ada, ben, **SHORT)
        rng = random.Random(1)
        with line_to(ada) as to_ada, line_to(ben) as to_ben:
            lines = {ada: (ben, to_ben), ben: (ada, to_ada)}
            versions = {ada: hear(to_ada, "regions")["version"], ben: hear(to_ben, "regions")["version"]}
            told: dict[Person, str] = {ada: "", ben: ""}
            while asked := turn(ada, ben):
                person, seen = asked
                answer = person.send(some_move(seen, rng), seen["decision"])
                assert answer.json()["ok"], answer.text
                other, line = lines[person]
                assert other.now()["log"][-1]["move"] >= seen["decision"]
                while versions[other] <= seen["decision"]:
                    news = hear(line, "regions")
                    versions[other] = news["version"]
                    told[other] += news["append"].get("log", "")
            record = ada.http.get(f"/t/{ada.table}/record").json()
            assert record == ben.http.get(f"/t/{ada.table}/record").json()
            match = read_record(record)
            assert match.over
            for person, line in ((ada, to_ada), (ben, to_ben)):
                while versions[person] < len(match.moves):
                    news = hear(line, "regions")
                    versions[person] = news["version"]
                    told[person] += news["append"].get("log", "")
                assert told[person].count("<li") >= len(person.now()["log"]) - 3


def test_an_acknowledged_move_is_there_at_once_at_every_process(pair: tuple[str, str, str]):
    """Whichever process a browser comes to next."""
    with people(pair[1]) as (ada,):
        ada.order(bots="random")
        rng = random.Random(2)
        for _ in range(20):
            asked = turn(ada)
            assert asked
            ada.http.base_url = rng.choice(pair[1:])
            assert ada.send(some_move(asked[1], rng), asked[1]["decision"]).json()["ok"]
            for ada.http.base_url in rng.sample(pair[1:], 2):
                assert ada.now()["decision"] != asked[1]["decision"]


def test_a_command_sent_again_at_another_process_has_one_effect_and_the_same_answer(
    cluster: Cluster, pair: tuple[str, str, str]
):
    """Also if both get it at the same moment."""
    database, *addresses = pair
    with people(*addresses) as (ada, again), ThreadPoolExecutor() as pool:
        ada.order()
        again.table, again.http.cookies = ada.table, ada.http.cookies
        rng = random.Random(3)
        sent = []
        for number in range(20):
            asked = turn(ada)
            assert asked
            command = (some_move(asked[1], rng), asked[1]["decision"], str(uuid.uuid4()))
            first = [ada.send(*command)] if number % 2 else []
            answers = [*first, *pool.map(lambda p: p.send(*command), (again, ada))]  # noqa: B023
            assert {(answer.status_code, answer.text) for answer in answers} == {(200, answers[0].text)}
            sent.append(command[2])
        assert commands(cluster, database, ada.table) == sent


def test_sealed_bids_sent_at_the_same_moment_to_different_processes_all_count(pair: tuple[str, str, str]):
    with people(*pair[1:], pair[1]) as trio:
        together(*trio, game="money", preset="seed")
        stay_out = json.dumps({"do": "bid", "cards": [], "bluff": True})
        with ThreadPoolExecutor() as pool:
            seen = [person.now() for person in trio]
            assert [one["decision"] for one in seen] == [0, 0, 0]
            fields = {"decision": 0, "move": stay_out}
            answers = pool.map(lambda p: p.http.post(f"/t/{p.table}/move", data=fields, headers=JSON).json(), trio)
            assert [answer["error"] for answer in answers] == [None] * 3
        assert [person.now()["decision"] for person in trio].count(0) == 0


def test_seats_pace_pause_and_deletion_are_known_everywhere_at_once(pair: tuple[str, str, str]):
    with people(*pair[1:]) as (ada, ben):
        ada.order(bots="open", pace="slow")
        ben.table = ada.table
        with line_to(ada) as line:
            ben.join(ada.table, "Ben")
            assert json.loads(line.recv(timeout=20)) == {"type": "reload"}
        assert [seat["name"] for seat in ada.now()["seats"]] == ["Ada", "Ben", ""]
        assert ada.http.post(f"/t/{ada.table}/fill", data={"bot": "random"}, headers=JSON).status_code == 200
        assert ben.now()["table"]["status"] == "playing"
        with line_to(ben) as line:
            hear(line, "regions")
            assert ada.http.post(f"/t/{ada.table}/pace", data={"pace": "fast", "paused": "true"}, headers=JSON).is_success
            while 'Paused by <b><bdi class="name">Ada</bdi></b>' not in hear(line, "regions")["regions"].get("now", ""):
                pass
        assert (ben.now()["table"]["pace"], ben.now()["table"]["paused"]) == ("fast", True)
        with closing(Store(pair[0])) as opened, line_to(ben) as line:
            hear(line, "regions")
            opened.delete(ada.table)
        assert ben.http.get(f"/t/{ada.table}", headers=JSON).status_code == 404


def owners(cluster: Cluster, database: str, table: str) -> list[str]:
    """The processes that hold the lock of a table."""
    found = (
        "SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid) "
        "WHERE locktype = 'advisory' AND granted AND classid = %s AND objid = %s"
    )
    high, low = divmod(lock_of(table) % 2**64, 2**32)
    with cluster.connect(database) as db:
        return [row[0] for row in db.execute(found, [high, low])]


def test_a_table_is_owned_by_one_process_while_its_bots_move_and_by_none_while_it_rests(
    cluster: Cluster, pair: tuple[str, str, str]
):
    database, here, there = pair
    with people(here, there) as (ada, ben):
        together(ada, ben, pace="fast", bots="steady")
        rng, seen_owners = random.Random(4), set()
        with line_to(ada), line_to(ben):
            for _ in range(25):
                found = owners(cluster, database, ada.table)
                assert len(found) <= 1
                seen_owners.update(found)
                for person in (ada, ben):
                    seen = person.now()
                    if seen["decision"] is not None:
                        person.send(some_move(seen, rng), seen["decision"])
                time.sleep(0.02)
            assert seen_owners
            ada.http.post(f"/t/{ada.table}/pace", data={"paused": "true"}, headers=JSON)
            until(lambda: owners(cluster, database, ada.table) == [])


def test_a_seat_that_a_browser_takes_at_one_process_it_has_at_the_other(pair: tuple[str, str, str]):
    _database, here, there = pair
    with people(here, here) as (ada, ben):
        together(ada, ben)
        for ben.http.base_url in (there, here):
            assert ben.now()["you"] == 1
            ben.take(ada.links[ada.table])
            assert ben.now()["you"] == 0
            ben.http.base_url = here if ben.http.base_url == there else there
            assert ben.now()["you"] == 0
            ben.take(ben.links[ben.table])


def test_what_somebody_has_erased_is_shown_by_no_process_any_more(pair: tuple[str, str, str]):
    _url, here, there = pair
    with people(here, there) as (eve, ben):
        ben.order(bots="open")
        talk, proof = f"/t/{ben.table}/chat", {"name": "Yolanda Rook", "password": "a long pass phrase"}
        assert eve.http.post("/name/keep", data=proof, headers=JSON).status_code == 200
        assert eve.http.post(talk, data={"text": "Look at that", "name": "Eve"}, headers=JSON).status_code == 200

        def heard() -> list[str]:
            watcher = get(f"{there}{talk}", headers=JSON).json()["messages"]
            return [one["text"] for one in watcher]

        until(lambda: heard() == ["Look at that"])
        erased = eve.http.post("/name/give-up", data={"password": proof["password"], "erase": "true"}, headers=JSON)
        assert erased.status_code == 200
        until(lambda: heard() == [])


def test_who_does_not_want_to_wait_is_heard_by_the_process_that_moves_the_bots(pair: tuple[str, str, str]):
    with people(*pair[1:]) as (ada, ben):
        ada.order(bots="random", pace="slow", players=5)
        ben.table = ada.table
        ben.http.cookies = ada.http.cookies
        rng, skipped, since = random.Random(5), 0, time.monotonic()
        with line_to(ada), line_to(ben):
            while skipped < 2:
                seen = ada.now()
                assert seen["table"]["status"] == "playing", "no bot was ever quicker than it is without"
                if seen["decision"] is not None:
                    since = time.monotonic()
                    ada.send(some_move(seen, rng), seen["decision"])
                else:
                    assert ben.http.post(f"/t/{ada.table}/pace", data={"skip": "true"}, headers=JSON).is_success
                    until(lambda: ada.now()["decision"] is not None or ada.now()["table"]["status"] == "over")
                    skipped += time.monotonic() - since < PACES["slow"][0]


def commands(cluster: Cluster, database: str, table: str | None = None) -> list[str]:
    """The commands in the database, or of one table."""
    with cluster.connect(database) as db:
        found = db.execute("SELECT table_id, command FROM moves WHERE command IS NOT NULL ORDER BY number")
        return [command for name, command in found if table in (None, name)]


class Match:
    """A match of Ada and Ben, each at a process of their own, and bots; whoever finds the door closed goes elsewhere."""

    def __init__(self, addresses: list[str], seed: int):
        self.addresses = addresses
        self.rng = random.Random(seed)
        self.people = [Person(address) for address in addresses]
        self.acknowledged: list[str] = []
        self.unanswered: dict[Person, tuple[dict[str, Any], int, str]] = {}
        self.tables: list[str] = []
        self.sit()

    def sit(self) -> None:
        """All sit down at a new table; a process that dies meanwhile leaves one where nobody has moved."""
        while True:
            try:
                together(*self.people, players=4, bots="steady")
            except httpx.TransportError:
                for person in self.people:
                    self._knock(person)
            else:
                self.tables.append(self.people[0].table)
                return

    def step(self) -> bool:
        """Everybody who is asked answers; false when the match is over."""
        for person in self.people:
            try:
                if not self._answer(person):
                    return False
            except httpx.TransportError:
                self._knock(person)
        return True

    def _knock(self, person: Person) -> None:
        """Whoever finds the door closed goes elsewhere."""
        try:
            person.http.get("/healthz")
        except httpx.TransportError:
            here = str(person.http.base_url).rstrip("/")
            person.http.base_url = next(address for address in self.addresses if address != here)

    def _answer(self, person: Person) -> bool:
        again = person in self.unanswered
        if not again:
            seen = person.now()
            if seen["table"]["status"] == "over":
                return False
            if seen["decision"] is None:
                return True
            self.unanswered[person] = (some_move(seen, self.rng), seen["decision"], str(uuid.uuid4()))
        sent = self.unanswered[person]
        response = person.send(*sent)
        if response.status_code == 503:
            return True
        answer = response.json()
        assert answer["ok"] or (again and answer["stale"]), answer
        del self.unanswered[person]
        if answer["ok"]:
            self.acknowledged.append(sent[2])
        return True

    def check(self, cluster: Cluster, database: str) -> None:
        """Every acknowledged move is there exactly once, no move is missing, and all can be replayed."""
        mine = 0
        with closing(Store(database)) as opened:
            for table in self.tables:
                played = Tables(opened, Settings(database)).get(table).playing.moves
                assert opened.gap(table) is None
                mine += sum(move["seat"] in (0, 1) for move in played)
        stored = commands(cluster, database)
        assert len(stored) == len(set(stored)) == mine
        assert set(self.acknowledged) <= set(stored)
        assert set(stored) <= {*self.acknowledged, *(sent[2] for sent in self.unanswered.values())}

    def close(self) -> None:
        """Everybody goes home."""
        for person in self.people:
            person.http.close()


@pytest.mark.deeper
def test_a_process_is_killed_in_the_middle_and_the_table_goes_on_at_the_other_with_every_move_exactly_once(
    cluster: Cluster, database: str
):
    """First one, then the other, at random moments; meanwhile nobody waits for the one that is gone."""
    started = [start(database) for _ in range(2)]
    match, waits = Match([address for _, address in started], 6), []
    try:
        for kill in range(KILLS):
            end = time.monotonic() + match.rng.uniform(0.05, 0.6)
            while time.monotonic() < end:
                if not match.step():
                    match.sit()
            victim, address = started[kill % 2]
            timer = threading.Timer(match.rng.uniform(0.0, 0.1), os.kill, (victim.pid, signal.SIGKILL))
            timer.start()
            moves = len(match.acknowledged)
            timed = time.monotonic()
            while len(match.acknowledged) < moves + 4 or victim.process.is_alive():
                if not match.step():
                    match.sit()
                assert time.monotonic() < timed + 60, "the table does not go on"
            timer.join()
            waits.append(time.monotonic() - timed)
            assert victim.wait() == -signal.SIGKILL
            started[kill % 2] = start(database, int(address.rsplit(":", 1)[1]))
            match.people[kill % 2].http.base_url = address
    finally:
        match.close()
        for process, _ in started:
            stop(process)
    match.check(cluster, database)
    print(
        f"PostgreSQL: {KILLS} kills, {len(match.acknowledged)} acknowledged moves, none lost, none there twice; "
        f"four moves after a kill took {sorted(waits)[len(waits) // 2]:.1f} s in the median, {max(waits):.1f} s at most"
    )


def test_the_bots_of_a_killed_process_go_on_at_the_other(cluster: Cluster, database: str):
    """Nobody does anything: whoever looks at the table at the other process sees the bots go on."""
    (one, here), (other, there) = start(database, pace="fast"), start(database, pace="fast")
    pids = {f"outbid {one.pid}": (one, here), f"outbid {other.pid}": (other, there)}
    with people(here, there) as (ada, ben):
        ada.order(bots="steady", players=5)
        ben.table = ada.table
        with line_to(ada), line_to(ben):
            rng = random.Random(7)
            while True:
                seen = ada.now()
                if seen["decision"] is not None:
                    ada.send(some_move(seen, rng), seen["decision"])
                elif found := owners(cluster, database, ada.table):
                    break
        victim, address = pids[found[0]]
        victim.kill()
        if str(ada.http.base_url).startswith(address):
            ada.http.base_url = there if address == here else here
        begun = time.monotonic()
        ada.asked()
        assert time.monotonic() - begun < 15
    stop(other if victim is one else one)


def test_a_restart_of_postgresql_is_survived_by_all_processes(cluster: Cluster, database: str):
    with processes(database) as addresses:
        match = Match(addresses, 8)
        for _ in range(2):
            for _ in range(15):
                if not match.step():
                    match.sit()
            with line_to(match.people[1]) as line:
                hear(line, "regions")
                restart = threading.Thread(target=cluster.stop)
                restart.start()
                while restart.is_alive():
                    match.step()
                for person in match.people:
                    assert person.http.get(f"/t/{person.table}").status_code == 200
                ada = match.people[0]
                refused = ada.http.post(f"/t/{ada.table}/pace", data={"pace": "fast"}, headers=JSON)
                assert refused.status_code == 503
                assert refused.json()["error"].endswith(".")
                cluster.start()
        acknowledged = len(match.acknowledged)
        while len(match.acknowledged) < acknowledged + 10 and match.step():
            pass
        match.close()
    match.check(cluster, database)


def test_a_process_whose_listening_breaks_shows_what_it_missed(cluster: Cluster, pair: tuple[str, str, str]):
    database, here, there = pair
    with people(here, there) as (ada, ben):
        ada.order(pace="instant")
        ben.table = ada.table
        rng = random.Random(9)
        with line_to(ben) as line, cluster.connect(database) as db:
            version = hear(line, "regions")["version"]
            for _ in range(3):
                asked = turn(ada)
                assert asked
                ada.http.post(f"/t/{ada.table}/pace", data={"paused": "true"}, headers=JSON)
                until(lambda: len(listening(db)) == 2)
                seen = ada.now()
                db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
                assert ada.send(some_move(seen, rng), seen["decision"]).json()["ok"]
                while version <= seen["decision"]:
                    version = hear(line, "regions")["version"]
                ada.http.post(f"/t/{ada.table}/pace", data={"paused": "false"}, headers=JSON)
            until(lambda: len(listening(db)) == 2)  # as the other tests expect to find them


def listening(db: Any) -> list[Any]:
    """The connections that listen."""
    found = "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"
    return db.execute(found).fetchall()


def test_a_secret_never_stands_in_a_notify(cluster: Cluster, pair: tuple[str, str, str]):
    """Whatever is written — seats, tokens, deals, hands, bids, reasons — others are told a table and a number of moves."""
    database, here, there = pair
    with people(here, there) as (ada, ben), cluster.connect(database) as ear:
        channels = set()
        for channel in ("outbid", "outbid_hurry"):
            ear.execute(f"LISTEN {channel}")
        rng = random.Random(10)
        together(ada, ben, bots="steady", preset="quick")
        assert ada.http.post(f"/t/{ada.table}/pace", data={"pace": "fast", "skip": "true"}, headers=JSON).is_success
        ada.http.post(f"/t/{ada.table}/pace", data={"pace": "instant"}, headers=JSON)
        for _ in range(25):
            asked = turn(ada, ben)
            assert asked
            asked[0].send(some_move(asked[1], rng), asked[1]["decision"])
        turn(ada, ben)
        with closing(Store(database)) as opened:
            stored = opened.load(ada.table)
            assert stored
            assert len([move for move in stored.moves if move.private]) > 5
        told = []
        for notice in ear.notifies(timeout=0.5):
            channels.add(notice.channel)
            told.append(notice.payload)
    assert channels == {"outbid", "outbid_hurry"}
    assert all(re.fullmatch(r"[a-z2-9]{12}( \d+)?", payload) for payload in told), told
    numbers = [int(payload.split()[1]) for payload in told if payload.startswith(f"{ada.table} ")]
    assert numbers == list(range(1, len(stored.moves) + 1))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that the one that began it has ended")
def test_a_killed_run_of_the_tests_leaves_no_postgresql_behind(cluster: Cluster):
    code = """if True:
        from tests.support.postgres import Cluster, needed
        made = Cluster(needed())
        print(made._server.pid, made.folder, flush=True)
        input()
    """
    run = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    pid, folder = run.stdout.readline().split()
    try:
        run.kill()
        run.communicate()
        until(lambda: not Path(f"/proc/{pid}").exists() or Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z")
    finally:
        shutil.rmtree(folder)
