"""The host's tools: what `outbid admin` does, what the server counts and logs, how tables leave."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

import outbid
from outbid import read_record
from outbid.cli import main
from outbid.server import logging as journal
from outbid.server.domain import retention
from outbid.server.domain.records import table_of
from outbid.server.domain.retention import DAY, Retention
from outbid.server.domain.setup import Order
from outbid.server.domain.tables import Tables
from outbid.server.settings import Settings
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from outbid.testing import skeleton
from tests.support.commands import started
from tests.support.serving import JSON, SHORT, Person, at_once, get, play_out, post, serving, some_move, until

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
CODE = "from outbid.cli import main; main()"


@dataclass
class Done:
    """What a command printed and how it ended."""

    returncode: int
    stdout: str
    stderr: str


def admin(*arguments: Any) -> Done:
    """`outbid admin …`, as the command line runs it."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["outbid", "admin", *map(str, arguments)])
        try:
            main()
            code = 0
        except SystemExit as ended:
            code = int(ended.code or 0)
    return Done(code, out.getvalue(), err.getvalue())


def refused(*arguments: Any) -> str:
    """The one sentence of what cannot be done."""
    done = admin(*arguments)
    assert done.returncode == 2, done
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.endswith(".")
    return line


def finished(seed: int, game: str = "kuhhandel", **options: Any) -> dict[str, Any]:
    """The record of a match that is over."""
    match = outbid.game(game, preset="quick", **options).new(players=3, seed=seed) if game == "kuhhandel" else None
    match = match or outbid.game(game, **options).new(players=3, seed=seed)
    n = 0
    while not match.over:
        n += 1
        match.random_move(match.asked[0], n)
    return match.record()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database of three finished tables, one that is being played at and one with open seats."""
    path = tmp_path / "tables.db"
    store = Store(url_of(str(path)))
    tables = Tables(store, Settings(url_of(str(path))))
    for seed in range(3):
        store.add(table_of(finished(seed)))
    at_once(tables.create(Order("kuhhandel", 3, "Ada", ["random"])))
    at_once(tables.create(Order("kuhhandel", 3, "Ada", ["open"])))
    store.close()
    return path


@contextlib.contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The database itself."""
    with contextlib.closing(sqlite3.connect(path, timeout=20)) as db, db:
        yield db


def one(path: Path, status: str) -> str:
    """A table with a status."""
    with opened(path) as db:
        return str(db.execute("select id from tables where status = ? order by id", (status,)).fetchone()[0])


# --- backup and restore -----------------------------------------------------------------------------------------------


def test_a_backup_made_while_the_server_plays_holds_every_move_that_was_acknowledged_before(tmp_path: Path):
    path, copy = tmp_path / "tables.db", tmp_path / "backup.db"
    acknowledged = 0
    with serving(path) as address:
        ada = Person(address)
        link = ada.order(preset="seed", bots="steady")
        stop, counts = threading.Event(), []

        def play() -> None:
            rng, made = random.Random(4), 0
            while not stop.is_set() and (seen := ada.asked())["table"]["status"] != "over":
                made += ada.send(some_move(seen, rng), seen["decision"]).json()["ok"]
                counts.append(made)

        playing = threading.Thread(target=play)
        playing.start()
        while len(counts) < 5:
            time.sleep(0.01)
        acknowledged = counts[-1]
        command = [sys.executable, "-c", CODE, "admin", "backup", str(copy), "--database", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        stop.set()
        playing.join(timeout=20)
        ada.http.close()
    assert done.returncode == 0, done.stderr
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith((".", "backup"))) == ["backup.db"]
    assert admin("validate", "--database", copy).returncode == 0
    with opened(copy) as db:
        assert db.execute("select count(*) from moves where command is not null").fetchone()[0] >= acknowledged
    target = tmp_path / "elsewhere" / "tables.db"
    assert admin("restore", copy, "--database", target).returncode == 0
    with serving(target) as address:
        again = Person(address)
        again.table = ada.table
        assert again.take(link).status_code == 200
        seen = again.asked()
        assert seen["you"] == 0
        if seen["table"]["status"] != "over":  # the match may have ended before the backup was made
            assert again.send(some_move(seen, random.Random(1)), seen["decision"]).json()["ok"]
        again.http.close()


def test_a_database_may_have_any_signs_in_its_name(tmp_path: Path):
    """Those that mean something in a URL or in a format, too."""
    folder = tmp_path / "100%41 what?mode=ro&a#b ünï"
    path, copy, records = folder / "t?%s.db", folder / "copy?#.db", tmp_path / "all.jsonl"
    with serving(path) as address:
        assert Person(address).order()
        assert Path(path).exists()
    for words in (
        ("import", records), ("stats",), ("validate",), ("backup", copy), ("export", tmp_path / "out.jsonl", "--force"),
        ("restore", copy, "--force"), ("stats",),
    ):  # fmt: skip
        records.write_text(json.dumps(finished(5)) + "\n")
        done = admin(*words, "--database", path)
        assert done.returncode == 0, done
    assert "1 playing, 1 over" in done.stdout
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".db"] == []
    assert sorted(file.name for file in folder.iterdir() if file.suffix == ".db") == [copy.name, path.name]


def test_nothing_is_overwritten_unless_told(database: Path, tmp_path: Path):
    copy, lines = tmp_path / "b.db", tmp_path / "e.jsonl"
    for command, file in (("backup", copy), ("export", lines)):
        file.write_text("precious")
        assert "exists already" in refused(command, file, "--database", database)
        assert file.read_text() == "precious"
        assert admin(command, file, "--database", database, "--force").returncode == 0
        assert file.read_bytes() != b"precious"
    before = database.read_bytes()
    assert "--force" in refused("restore", copy, "--database", database)
    assert database.read_bytes() == before
    with opened(database) as db:
        db.execute("delete from moves")
    assert admin("restore", copy, "--database", database, "--force").returncode == 0
    with opened(database) as db:
        assert db.execute("select count(*) from moves").fetchone()[0] > 0


@pytest.mark.parametrize("command", ["backup", "export"])
def test_the_database_is_not_replaced_by_what_is_made_of_it(database: Path, tmp_path: Path, command: str):
    before = database.read_bytes()
    other = tmp_path / "same.db"
    other.symlink_to(database)
    for file in (database, other):
        assert "the database itself" in refused(command, file, "--database", database, "--force")
    assert database.read_bytes() == before


def test_a_database_that_a_server_is_using_is_not_restored(database: Path, tmp_path: Path):
    copy = tmp_path / "b.db"
    assert admin("backup", copy, "--database", database).returncode == 0
    with serving(database) as address:
        ada = Person(address)
        ada.order()
        assert "stop it first" in refused("restore", copy, "--database", database, "--force")
        assert ada.now()["table"]["id"] == ada.table
        ada.http.close()
    with opened(database) as db:
        assert db.execute("select count(*) from tables where id = ?", (ada.table,)).fetchone() == (1,)


@pytest.mark.parametrize("content", ["text", "other", "newer", "missing", "empty"])
def test_what_is_no_backup_is_not_restored(database: Path, tmp_path: Path, content: str):
    file = tmp_path / "b.db"
    if content == "text":
        file.write_text("buy milk\n" * 500)
    elif content == "other":
        with opened(file) as db:
            db.execute("create table cows (name text)")
    elif content == "newer":
        shutil.copy(database, file)
        with opened(file) as db:
            db.execute("update alembic_version set version_num = '9999'")
    elif content == "empty":
        file.touch()
    before = database.read_bytes()
    refused("restore", file, "--database", database, "--force")
    assert database.read_bytes() == before
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")]


@pytest.mark.parametrize("command", ["backup", "export", "validate", "stats", "delete"])
def test_a_database_that_does_not_exist_is_not_made(tmp_path: Path, command: str):
    path = tmp_path / "typo.db"
    file = {"backup": [tmp_path / "x"], "export": [tmp_path / "x"], "delete": ["table"]}.get(command, [])
    assert "There is no database" in refused(command, *file, "--database", path)
    assert list(tmp_path.iterdir()) == []


# --- records ----------------------------------------------------------------------------------------------------------


def test_all_finished_matches_are_exported_as_records_that_verify(database: Path, tmp_path: Path):
    lines = tmp_path / "games.jsonl"
    done = admin("export", lines, "--database", database)
    assert (done.returncode, done.stdout) == (0, f"{lines}: 3 records.\n")
    records = [json.loads(line) for line in lines.read_text().splitlines()]
    assert sorted(r["deal"]["deck"] for r in records) == sorted(finished(seed)["deal"]["deck"] for seed in range(3))
    for record in records:
        assert record["rules"] == "kuhhandel/1"
        assert read_record(record).over
    checked = subprocess.run([sys.executable, "-c", CODE, "check", str(lines)], capture_output=True, timeout=60, check=False)
    assert checked.returncode == 0


def test_the_laboratory_is_given_the_matches_of_those_who_agreed_without_names_and_with_times(tmp_path: Path):
    """Who sits down is told before; a table where nobody was asked stays out."""
    path, lines = tmp_path / "tables.db", tmp_path / "friday.jsonl"
    with serving(path) as address:
        ada, ben, cleo = Person(address), Person(address), Person(address)
        cleo.order(game="claim", players=2, name="Cleo", preset="seed")
        ada.order(game="claim", players=3, name="Ada", preset="seed", bots="steady,open", study="true")
        told = "Whoever sits down here lets the laboratory read the match"
        assert told in ben.http.get(f"/t/{ada.table}").text
        ben.join(ada.table, "Ben")
        games = [threading.Thread(target=play_out, args=(one,)) for one in (ada, ben, cleo)]
        for each in games:
            each.start()
        for each in games:
            each.join(timeout=60)
    assert admin("export", lines, "--database", path, "--for-lab").stdout == f"{lines}: 1 record.\n"
    record = json.loads(lines.read_text())
    assert read_record(record).over
    assert record["players"] == ["Player 1", "steady", "Player 2"]
    assert "Ada" not in lines.read_text()
    assert "Ben" not in lines.read_text()
    times = [move["at"] for move in record["moves"]]
    assert times[0] == 0
    assert times == sorted(times)
    assert {move.get("by") for move in record["moves"] if move["seat"] == 1} == {"steady"}
    assert not any("by" in move for move in record["moves"] if move["seat"] != 1)


def test_an_export_of_nothing_says_why(database: Path, tmp_path: Path):
    lines = tmp_path / "a.jsonl"
    said = admin("export", lines, "--database", database, "--for-lab").stdout
    assert said.startswith(f"{lines}: 0 records.\n3 finished tables, and none whose players let the laboratory read")
    Store(url_of(str(tmp_path / "empty.db"))).close()
    said = admin("export", lines, "--database", tmp_path / "empty.db", "--force").stdout
    assert said == f"{lines}: 0 records.\nThere is no finished table.\n"


def test_what_was_exported_can_be_imported_elsewhere_and_a_second_time_changes_nothing(database: Path, tmp_path: Path):
    lines, again, other = tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "other.db"
    assert admin("export", lines, "--database", database).returncode == 0
    assert admin("import", lines, "--database", other).stdout.startswith("3 tables made; 0 ")
    assert admin("import", lines, "--database", other).stdout.startswith("0 tables made; 3 ")
    assert admin("import", lines, "--database", database).stdout.startswith("0 tables made; 3 ")
    assert admin("export", again, "--database", other).returncode == 0
    assert sorted(again.read_text().splitlines()) == sorted(lines.read_text().splitlines())
    assert admin("validate", "--database", other).stdout == "3 tables good.\n"


def test_of_a_file_with_one_bad_record_nothing_is_imported(database: Path, tmp_path: Path):
    bad, unfinished = finished(8), finished(9)
    bad["moves"][6] = {"seat": 0, "do": "dance"}
    unfinished = {**unfinished, "moves": unfinished["moves"][:-1]}
    unfinished = {key: value for key, value in unfinished.items() if key not in ("scores", "winners")}
    lines = tmp_path / "games.jsonl"
    lines.write_text("\n".join(map(json.dumps, (finished(7), bad, unfinished))))
    done = admin("import", lines, "--database", database)
    assert done.returncode == 1
    assert f"{lines}:2: move 6: " in done.stdout
    assert f"{lines}:3: The match of this record is not over" in done.stdout
    assert json.loads(admin("stats", "--json", "--database", database).stdout)["tables"]["over"] == 3
    lines.write_text("{")
    assert str(lines) in refused("import", lines, "--database", database)


def test_validate_replays_every_table_and_names_each_bad_one(database: Path):
    done = admin("validate", "--database", database)
    assert (done.returncode, done.stdout) == (0, "5 tables good.\n")
    with opened(database) as db:
        over = [row[0] for row in db.execute("select id from tables where status = 'over' order by id")]
        playing, free = one(database, "playing"), one(database, "open")
        db.execute("""update moves set move = '{"do": "dance"}' where table_id = ? and number = 5""", (over[0],))
        db.execute("delete from moves where table_id = ? and number = 3", (over[1],))
        db.execute("update tables set rules = 'kuhhandel/99' where id = ?", (over[2],))
        db.execute("update tables set status = 'over' where id = ?", (playing,))
        db.execute("update tables set game = 'tarock' where id = ?", (free,))
    done = admin("validate", "--json", "--database", database)
    assert done.returncode == 1
    found = json.loads(done.stdout)
    reasons = {entry["table"]: (entry["move"], entry["reason"]) for entry in found["bad"]}
    assert found["good"] == 0
    assert reasons.keys() == {*over, playing, free}
    assert reasons[over[0]][0] == 5
    assert reasons[over[1]] == (3, "The move is missing, but later ones are there.")
    assert "kuhhandel/99" in reasons[over[2]][1]
    assert "not over" in reasons[playing][1]
    assert "tarock" in reasons[free][1]
    lines = admin("validate", "--database", database).stdout.splitlines()
    assert f"{over[0]}: move 5: " in "\n".join(lines)
    assert len(lines) == 6


def test_a_table_that_does_not_verify_is_left_out_of_the_export_and_named(database: Path, tmp_path: Path):
    bad = one(database, "over")
    with opened(database) as db:
        db.execute("""update moves set move = '{"do": "dance"}' where table_id = ? and number = 5""", (bad,))
    done = admin("export", tmp_path / "e.jsonl", "--database", database)
    assert done.returncode == 1
    assert done.stdout.startswith(f"{bad}: move 5: ")
    assert len((tmp_path / "e.jsonl").read_text().splitlines()) == 2


def test_stats_counts_what_the_database_holds(database: Path):
    found = json.loads(admin("stats", "--json", "--database", database).stdout)
    assert found["tables"] == {"open": 1, "playing": 1, "over": 3}
    assert found["games"] == {"kuhhandel": 5}
    assert found["seats"] == {"human": 11, "bot": 2, "open": 2}
    assert found["moves"] == sum(len(finished(seed)["moves"]) for seed in range(3))
    assert found["bytes"] > 4096
    assert "1 open, 1 playing, 3 over" in admin("stats", "--database", database).stdout


# --- deleting ---------------------------------------------------------------------------------------------------------


def hear(line: Any, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    while True:
        message = json.loads(line.recv(timeout=20))
        if message["type"] == kind:
            return message


def line_to(person: Person) -> Any:
    """The socket of a person's page."""
    return connect(f"{str(person.http.base_url).replace('http', 'ws', 1).rstrip('/')}/t/{person.table}/socket")


def test_a_deleted_table_is_gone_also_from_a_running_server(tmp_path: Path):
    path = tmp_path / "tables.db"
    with serving(path, limits={"sweep": 0.1}) as address:
        ada, eve = Person(address), Person(address)
        ada.order()
        eve.table = ada.table
        with line_to(eve) as line:
            hear(line, "regions")
            assert "being played" in refused("delete", ada.table, "--database", path)
            assert "no table" in refused("delete", "nowhere", "--database", path)
            assert admin("delete", ada.table, "--database", path, "--force").returncode == 0
            assert hear(line, "reload")
        for person in (ada, eve):
            assert person.http.get(f"/t/{ada.table}").status_code == 404
            person.http.close()
    with opened(path) as db:
        for part in ("tables", "seats", "moves"):
            assert db.execute(f"select count(*) from {part}").fetchone() == (0,)


def test_the_host_deletes_a_table_in_two_steps_before_it_began_or_when_it_is_over_and_nobody_else_does(tmp_path: Path):
    with serving(tmp_path / "tables.db") as address:
        ada, ben = Person(address), Person(address)
        ada.order(**SHORT, bots="open")
        ben.join(ada.table, "Ben")
        path = f"/t/{ada.table}/delete"
        assert f'href="{path}"' in ada.http.get(f"/t/{ada.table}").text
        assert f'href="{path}"' not in ben.http.get(f"/t/{ada.table}").text
        for method in ("GET", "POST"):
            assert "Only who made the table" in ben.http.request(method, path, headers=JSON).json()["error"]
        asked = ada.http.get(path)
        assert "Delete this table?" in asked.text
        assert f'method="post" action="{path}"' in asked.text
        ada.http.post(f"/t/{ada.table}/fill", data={"bot": "random"})
        for method in ("GET", "POST"):
            refusal = ada.http.request(method, path, headers=JSON)
            assert refusal.status_code == 409
            assert "being played" in refusal.json()["error"]
        play_out(ada, ben)
        assert f'href="{path}"' in ada.http.get(f"/t/{ada.table}").text
        assert ada.http.post(path, data={"really": "yes"}, headers=JSON).status_code == 400
        assert ada.http.post(path, headers={"Origin": "https://evil.example"}).status_code == 403
        with line_to(ben) as line:
            hear(line, "regions")
            assert ada.http.post(path).headers["location"] == "/"
            assert hear(line, "reload")
        assert ben.http.get(f"/t/{ada.table}").status_code == 404
        assert ada.http.get(path).status_code == 404
        assert ada.table not in ada.http.get("/").text
        ada.order(bots="open")
        assert ada.http.post(f"/t/{ada.table}/delete", headers=JSON).json() == {"ok": True}
        assert ada.http.get(f"/t/{ada.table}").status_code == 404
        ada.http.close()
        ben.http.close()


# --- how long finished tables are kept --------------------------------------------------------------------------------


def kept(database: Path, keep_days: float | None) -> Retention:
    """The retention of a database."""
    settings = Settings(url_of(str(database)), keep_days=keep_days)
    return Retention(Tables(Store(settings.database), settings), settings)


def test_without_a_setting_nothing_is_ever_deleted(database: Path):
    keeping = kept(database, None)
    at_once(keeping.look(time.time() + 100_000 * DAY))
    assert len(keeping.store.ids()) == 5
    keeping.store.close()


def test_a_finished_table_is_deleted_after_its_days_and_its_page_and_the_log_say_so_before(
    database: Path, caplog: pytest.LogCaptureFixture
):
    now = time.time()
    keeping = kept(database, 100)
    at_once(keeping.look(now + 89 * DAY))
    assert not caplog.records
    table = keeping.tables.get(one(database, "over"))
    at_once(keeping.look(now + 90 * DAY))
    when = retention.day(now + 100 * DAY)
    assert sum(f"will be deleted on {when}" in record.getMessage() for record in caplog.records) == 3
    assert table.leaves == pytest.approx(now + 100 * DAY, abs=60)
    at_once(keeping.look(now + 99 * DAY))
    assert len(caplog.records) == 3
    assert len(keeping.store.ids("over")) == 3
    table = keeping.tables.get(table.id)  # nobody had looked at it, so it had left the memory
    at_once(keeping.look(now + 101 * DAY))
    assert keeping.store.ids("over") == []
    assert len(keeping.store.ids()) == 2
    assert table.gone
    keeping.store.close()


def test_who_sets_it_later_or_starts_after_a_long_time_is_warned_first_too(database: Path):
    now = time.time() + 1000 * DAY
    keeping = kept(database, 100)
    at_once(keeping.look(now))
    at_once(keeping.look(now + 9 * DAY))
    assert len(keeping.store.ids("over")) == 3
    at_once(keeping.look(now + 10 * DAY + 1))
    assert keeping.store.ids("over") == []
    keeping.store.close()


def test_a_longer_time_takes_the_warning_back(database: Path):
    now = time.time()
    keeping = kept(database, 100)
    at_once(keeping.look(now + 95 * DAY))
    keeping.store.close()
    for longer in (200, None):
        keeping = kept(database, longer)
        at_once(keeping.look(now + 150 * DAY))
        assert [leaves for _, _, leaves in keeping.store.ended()] == [None] * 3
        keeping.store.close()


def test_the_page_of_a_table_that_leaves_names_the_day(tmp_path: Path):
    path = tmp_path / "tables.db"
    with serving(path) as address:
        ada = Person(address)
        ada.order(**SHORT)
        play_out(ada)
        assert "will be deleted" not in ada.http.get(f"/t/{ada.table}").text
        record = ada.http.get(f"/t/{ada.table}/record").json()
        ada.http.close()
    with serving(path, keep_days=1 / 24 / 3600 * 4, limits={"sweep": 0.05}) as address:
        ben = Person(address)
        ben.table = ada.table
        seen, said = 200, False
        until = time.monotonic() + 20
        while seen == 200 and time.monotonic() < until:
            page = ben.http.get(f"/t/{ada.table}")
            seen = page.status_code
            said = said or re.search(r'will be deleted on <time datetime="\d{4}-', page.text) is not None
            time.sleep(0.02)
        assert said
        assert seen == 404
        ben.http.close()
    assert read_record(record).over


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--keep-days", "0"), "Finished tables are kept for 0.0 days; it must be more than 0."),
        (("--every", "6h"), "--every and --keep say how backups are made; name their folder, too: --backup-to DIR."),
    ],
)
def test_what_cannot_be_is_one_sentence(tmp_path: Path, words: tuple[str, ...], said: str):
    command = [sys.executable, "-c", CODE, "serve", "--database", str(tmp_path / "t.db"), *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (2, f"{said}\n")


# --- numbers and log --------------------------------------------------------------------------------------------------


def number(text: str, name: str) -> float:
    """A number of /metrics."""
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.M)
    assert found, name
    return float(found[1])


def test_metrics_count_tables_sockets_moves_refusals_and_seconds_and_say_no_name_and_no_secret(tmp_path: Path):
    with serving(tmp_path / "tables.db") as address:
        ada = Person(address)
        link = ada.order(**SHORT, name="Adelheid")
        with line_to(ada) as line:
            hear(line, "regions")
            text = ada.http.get("/metrics").text
            assert number(text, "outbid_sockets") == 1
            assert number(text, 'outbid_tables{status="playing"}') == 1
            line.send("{}")
            hear(line, "ack")
        play_out(ada)
        ada.send({"do": "auction"}, 0)
        answer = ada.http.get("/metrics")
        text = answer.text
        assert answer.headers["content-type"].startswith("text/plain; version=")
        with opened(tmp_path / "tables.db") as db:
            by = "select count(*) from moves join seats using (table_id, seat) where kind = ?"
            human, bot = (db.execute(by, (kind,)).fetchone()[0] for kind in ("human", "bot"))
        assert number(text, 'outbid_moves_total{by="human"}') == human
        assert number(text, 'outbid_moves_total{by="bot"}') == bot
        assert number(text, "outbid_publish_seconds_count") == human
        assert number(text, 'outbid_publish_seconds_bucket{le="+Inf"}') == human
        assert 0 < number(text, "outbid_publish_seconds_sum") < 60
        assert number(text, 'outbid_refusals_total{status="409"}') >= 1
        assert number(text, 'outbid_refusals_total{status="400"}') >= 1
        assert number(text, 'outbid_tables{status="over"}') == 1
        for secret in ("Adelheid", ada.table, link.rsplit("/", 1)[1], "kuhhandel"):
            assert secret not in text
        ada.http.close()


def test_metrics_are_only_for_the_machine_itself_unless_a_setting_says_otherwise(tmp_path: Path):
    through_a_proxy: list[dict[str, str]] = [
        {"X-Forwarded-For": "203.0.113.9"}, {"X-Forwarded-For": "127.0.0.1"}, {"Forwarded": "for=203.0.113.9"},
        {"Via": "1.1 x"}, {"X-Real-IP": "203.0.113.9"},
    ]  # fmt: skip
    with serving(tmp_path / "a.db") as address:
        assert get(f"{address}/metrics").status_code == 200
        for headers in through_a_proxy:
            assert get(f"{address}/metrics", headers=headers).status_code == 403
    with serving(tmp_path / "b.db", metrics=True) as address:
        for headers in through_a_proxy:
            assert get(f"{address}/metrics", headers=headers).status_code == 200


def free_port() -> int:
    """A port nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])


@contextlib.contextmanager
def command_line(*arguments: Any, log: Path) -> Iterator[str]:
    """A server started by `outbid serve`: where it listens."""
    with command_process(*arguments, log=log) as (address, _pid):
        yield address


@contextlib.contextmanager
def command_process(*arguments: Any, log: Path) -> Iterator[tuple[str, int]]:
    """A server started by `outbid serve`: where it listens, and its process."""
    port = free_port()
    command = [sys.executable, "-c", CODE, "serve", "--port", str(port), *map(str, arguments)]
    with log.open("w") as err, started(command, stdout=subprocess.PIPE, stderr=err, text=True) as process:
        process.stdout.readline()
        try:
            yield f"http://127.0.0.1:{port}", process.pid
        finally:
            process.terminate()
            process.wait(timeout=20)


def test_behind_a_proxy_links_begin_with_the_base_url_and_cookies_are_secure(tmp_path: Path):
    settings = ("--database", tmp_path / "t.db", "--base-url", "https://table.example")
    with command_line(*settings, log=tmp_path / "log") as address:
        proxy = {"Host": "table.example", "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9"}
        wanted = {"game": "kuhhandel", "players": "3", "name": "Ada", "bots": "open"}
        made = post(f"{address}/tables", data=wanted, headers=proxy | {"Origin": "https://table.example"})
        assert made.status_code == 303
        cookie = made.headers["set-cookie"]
        assert "Secure" in cookie
        assert "HttpOnly" in cookie
        seat = {"Cookie": cookie.partition(";")[0]}
        page = get(f"{address}{made.headers['location']}", headers=proxy | seat)
        assert f'value="https://table.example{made.headers["location"]}"' in page.text
        mine = get(f"{address}{made.headers['location']}/seat", headers=proxy | seat)
        assert "https://table.example/t/" in mine.text
        evil = post(f"{address}/tables", data=wanted, headers=proxy | {"Origin": "https://evil.example"})
        assert evil.status_code == 403


def test_the_log_is_one_json_object_a_line_and_holds_no_token_no_seat_link_and_no_hand(tmp_path: Path):
    with command_line("--database", tmp_path / "t.db", "--log", "json", log=tmp_path / "log") as address:
        ada = Person(address)
        link = ada.order(game="money", preset="seed", bots="steady", name="Adelheid", pace="instant")
        ada.http.get(link)
        play_out(ada)
        ada.http.close()
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    busy = ("did not answer in time", "The event loop was late")  # where the machine has much else to do
    made, over = [line for line in lines if not any(words in line["said"] for words in busy)][:2]
    assert (made["said"], over["said"]) == ("A table was made.", "A match is over.")
    assert over["table"] == ada.table
    assert over["moves"] > 10
    assert all({"at", "level", "from", "said"} <= line.keys() for line in lines)
    text = json.dumps(lines)
    with opened(tmp_path / "t.db") as db:
        deal = json.loads(db.execute("select deal from tables").fetchone()[0])
        reasons = [row[0] for row in db.execute("select private from moves where private <> ''")]
    cards = [card for hand in deal["hands"] for card in hand] + deal["pile"]
    assert reasons
    assert len(cards) > 30
    for secret in (link.rsplit("/", 1)[1], "/seat/", "Adelheid", *cards, *reasons):
        assert secret not in text


def test_an_error_in_the_log_has_its_place_and_not_its_text():
    said, secrets = [], ["0, 0, 50", "bid 70", "s3cr3t"]
    for formatter in (journal.Lines(), journal.Objects()):
        try:
            try:
                raise ValueError(secrets[0])
            except ValueError as error:
                raise RuntimeError(secrets[1]) from error
        except RuntimeError:
            record = logging.getLogger("outbid").makeRecord(
                "outbid", logging.ERROR, "x.py", 1, "GET /t/abc/seat/s3cr3t and seat-abc=s3cr3t; failed", (), sys.exc_info()
            )
        said.append(formatter.format(record))
    for text in said:
        assert "ValueError" in text
        assert "RuntimeError" in text
        assert "test_admin.py" in text
        assert not [secret for secret in secrets if secret in text]
    assert json.loads(said[1])["said"] == "GET /t/abc/seat/… and seat-abc=…; failed"


@pytest.mark.parametrize("full", [False, True])
def test_the_texts_of_errors_are_in_the_log_where_the_server_listens_on_the_loopback(full: bool, capsys):
    root, ours = logging.getLogger(), logging.getLogger("outbid")
    before = root.handlers, root.level, ours.level
    text = "a bid of -3 is out of range, at /t/abc/seat/"
    error = ValueError(text + "s3cr3t")
    try:
        journal.begin("text", "warning", full)
        try:
            raise error
        except ValueError:
            logging.getLogger("outbid").exception("A rule failed.")
        for tasks in (0, 2):
            logging.getLogger("uvicorn.error").error("Cancel %s running task(s), timeout graceful shutdown exceeded", tasks)
    finally:
        root.handlers, root.level = before[:2]
        ours.setLevel(before[2])
    said = capsys.readouterr().err
    assert "ERROR A rule failed." in said
    assert "ERROR Cancel 2 running" in said
    assert "Cancel 0" not in said
    assert (f"{text}…" in said) is full
    assert "s3cr3t" not in said


def test_with_reload_the_server_begins_again_when_a_file_changes(tmp_path: Path):
    game = tmp_path / "last_coin.py"
    game.write_text((Path(skeleton.__file__)).read_text(encoding="utf-8"), encoding="utf-8")
    command = [sys.executable, "-c", CODE, "serve", "--reload", "--port", "0"]
    server = subprocess.Popen(
        [*command, "--database", str(tmp_path / "t.db")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "OUTBID_GAMES": str(game)},
    )  # fmt: skip
    try:
        assert server.stdout
        assert server.stderr
        first = server.stdout.readline()
        assert first.startswith("Outbid: http://127.0.0.1:")
        assert "Last Coin" in get(first.split()[1]).text
        game.write_text(game.read_text(encoding="utf-8").replace("Last Coin", "First Coin"), encoding="utf-8")
        again = server.stdout.readline()
        assert "First Coin" in get(again.split()[1]).text
        while "The event loop was late" in (said := server.stderr.readline()):
            pass  # the machine has much else to do
        assert said == "last_coin.py changed: the server begins again.\n"
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=30)
    assert server.returncode == 0


def test_what_is_logged_again_and_again_is_one_line_and_then_a_count(capsys):
    handler, logger = journal.Sparing(minute=3), logging.Logger("outbid.again")
    handler.setFormatter(journal.Lines("%(levelname)s %(message)s"))
    logger.addHandler(handler)
    try:
        for number in range(50):
            logger.error("Table %s could not be written.", number)
            logger.warning("Table %s will be deleted.", number % 2)
            logger.info("A table was made.")
            try:
                int("x" * number)
            except ValueError:
                logger.exception("GET /t/%s failed.", number)
        told: list[str] = []
        until(lambda: told.append(capsys.readouterr().err) or "".join(told).count("times more") == 4)
        said = "".join(told)
        assert said.count("ValueError\n") == 1
        assert said.count("INFO A table was made.\n") == 50
        lines = [line for line in said.splitlines() if line.startswith(("ERROR", "WARNING"))]
        assert lines[:4] == [
            "ERROR Table 0 could not be written.", "WARNING Table 0 will be deleted.", "ERROR GET /t/0 failed.",
            "WARNING Table 1 will be deleted.",
        ]  # fmt: skip
        assert sorted(lines[4:]) == [
            "ERROR GET /t/49 failed. (49 times more within 3 s)",
            "ERROR Table 49 could not be written. (49 times more within 3 s)",
            "WARNING Table 0 will be deleted. (24 times more within 3 s)",
            "WARNING Table 1 will be deleted. (24 times more within 3 s)",
        ]
        until(lambda: not handler._repeats)  # a minute without it
        logger.error("Table %s could not be written.", 7)
        assert capsys.readouterr().err == "ERROR Table 7 could not be written.\n"
    finally:
        logger.removeHandler(handler)


def test_a_full_disk_and_a_client_that_speaks_no_utf8_fill_no_log(tmp_path: Path):
    """An evening of refused moves and broken frames is a few lines, without a traceback."""
    resource = pytest.importorskip("resource")
    database, log = tmp_path / "tables.db", tmp_path / "log"
    with command_process("--database", database, log=log) as (address, pid):
        ada = Person(address)
        ada.order(bots="open")
        order, limit = {"game": "kuhhandel", "players": 3, "name": "Ben", "bots": "open"}, resource.RLIM_INFINITY

        def made() -> int:
            return ada.http.post("/tables", data=order, headers=JSON).status_code

        with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as reader:
            reader.execute("begin")  # so that the log of SQLite does not begin anew
            reader.execute("select * from tables").fetchall()
            assert made() == 201
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (Path(f"{database}-wal").stat().st_size, limit))
            assert 503 in (made() for _ in range(100))
            assert [made() for _ in range(30)] == [503] * 30
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (limit, limit))
        assert made() == 201
        for _ in range(30):
            host = address.removeprefix("http://")
            with socket.create_connection(("127.0.0.1", int(host.partition(":")[2])), timeout=20) as line:
                line.sendall(
                    f"GET /t/{ada.table}/socket HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n".encode()
                    + b"\x81\x82\0\0\0\0\xff\xfe" + b"\x88\x82\0\0\0\0\x03\xe8"
                )  # fmt: skip
                while line.recv(65536):
                    pass
            get(f"{address}/%ff%fe/%c3", headers={"Cookie": b"a=\xff"})
        ada.http.close()
    text = "".join(line for line in log.read_text().splitlines(keepends=True) if "was late" not in line)  # a busy machine
    assert "could not be written down" in text
    assert "Traceback" not in text
    assert len(text.splitlines()) < 5, text


def test_a_move_that_cannot_be_written_down_is_not_quoted_in_the_log(database: Path, caplog: pytest.LogCaptureFixture):
    """SQLAlchemy quotes what was to be written in the text of its errors, unless told not to."""
    store = Store(url_of(str(database)))
    with pytest.raises(Exception, match="no such table") as caught, store.engine.begin() as db:
        db.exec_driver_sql("insert into nowhere values (?)", ("the hand is 0, 0, 50",))
    assert "the hand" not in str(caught.value)
    store.close()


def test_a_log_that_does_not_exist_is_one_sentence(tmp_path: Path):
    command = [sys.executable, "-c", CODE, "serve", "--database", str(tmp_path / "t.db"), "--log", "xml"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (2, "There is no log 'xml'; there are text, json.\n")


# --- what is given to the host ----------------------------------------------------------------------------------------


def test_every_command_of_the_hosting_page_and_of_deploy_exists():
    text = "\n".join(path.read_text() for path in [ROOT / "docs/hosting.md", *(ROOT / "deploy").iterdir()])
    for command in re.findall(r"outbid admin (\w+)", text):
        assert admin(command, "--help").returncode == 0, command
    shown = subprocess.run(
        [sys.executable, "-c", CODE, "serve", "--help"], capture_output=True, text=True, timeout=60, check=False,
        env={"COLUMNS": "200", "PATH": "/usr/bin"},
    ).stdout  # fmt: skip
    for option in set(re.findall(r"outbid serve[^\n`]*", text)):
        for name in re.findall(r"--[a-z-]+", option):
            assert name in shown, name


def test_the_image_runs_as_nobody_in_particular_and_tells_whether_it_is_well():
    lines = (ROOT / "deploy/Dockerfile").read_text().splitlines()
    assert sum(line.startswith("FROM ") for line in lines) >= 2
    assert any(line.startswith("USER ") and "root" not in line for line in lines)
    assert any(line.startswith("HEALTHCHECK") for line in lines)


def test_no_secret_beside_the_sources_gets_into_the_image():
    left_out = (ROOT / "deploy/Dockerfile.dockerignore").read_text().split()
    assert {"**/.env", "**/.env.*", "**/*.db", "**/*.db-*", ".git"} <= set(left_out)
    assert "> .env" in (ROOT / "deploy/compose.yaml").read_text()  # there its passwords are written
    assert ".env" in (ROOT / ".gitignore").read_text().split()


def test_bots_are_compiled_when_the_image_is_built_and_where_memory_runs_out_the_server_stays():
    image = (ROOT / "deploy/Dockerfile").read_text()
    assert re.search(r"^RUN .*outbid warm --into /compiled$", image, re.M)
    assert "COPY --from=build /compiled /compiled" in image
    assert "OUTBID_CACHE=/compiled" in image.partition("USER outbid")[0].rpartition("ENV ")[2]
    assert "\nOOMPolicy=continue\n" in (ROOT / "deploy/outbid.service").read_text()


def test_the_proxies_do_not_show_the_numbers():
    assert "/metrics" in (ROOT / "deploy/Caddyfile").read_text()
    assert "location = /metrics" in (ROOT / "deploy/nginx.conf").read_text()


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_the_unit_is_one_that_systemd_accepts(tmp_path: Path):
    unit = (ROOT / "deploy/outbid.service").read_text()
    file = tmp_path / "outbid.service"
    file.write_text(re.sub(r"^ExecStart=\S+", f"ExecStart={shutil.which('true')}", unit, flags=re.M))
    done = subprocess.run(["systemd-analyze", "verify", str(file)], capture_output=True, text=True, timeout=60, check=False)
    assert "outbid.service" not in done.stderr, done.stderr
