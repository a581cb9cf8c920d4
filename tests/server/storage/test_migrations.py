"""Databases of other versions: one of the first release (3ea7c8c7) opens with all that is in it, an older one does not.

`release/sqlite.sql` is the dump of a database that the release made, with rows in every table; some of its matches began
before it, by rules of version 1. `release/postgresql.sql` is the schema that it made in PostgreSQL.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from typer.testing import CliRunner

import outbid
from outbid.cli import app
from outbid.core.errors import OutbidError
from outbid.core.rulebook import rulebook
from outbid.server.storage import migrations, ratings, schema
from outbid.server.storage.notices import Notices, Owner
from outbid.server.storage.people import PeopleStore
from outbid.server.storage.store import Store
from outbid.server.stored import Time
from outbid.server.tokens import hashed
from tests.support.postgres import Cluster
from tests.support.serving import JSON, serving

RELEASE = Path(__file__).with_name("release")
BROWSER, SEAT, DEVICE = "browser-of-ada-1234567", "seat-of-ada-1234567890", "device-of-ada-12345678"
BEGIN = """if True:
    import logging
    from outbid.server.storage.store import Store

    logging.basicConfig(level="INFO")
    Store("sqlite://").close()
    logging.warning("It is open.")
"""
EXPANSIONS = ("wild_wagers", "zero_risk", "bad_investment", "action_fund", "shopping_spree")
OLD = [  # a game, what its table says by version 1, and the same by the newest
    ("rivals", {}, {"pile_distribution": True}),
    ("rivals", {"dead_cards": "discard"}, {"pile_distribution": True, "dead_cards": "discard"}),
    (
        "claim",
        {"two_players": "duel", **dict.fromkeys(EXPANSIONS, True)},
        {"two_players": "duel", **dict.fromkeys(EXPANSIONS, True), "hand_cap": 12},
    ),
]
every_old_table = pytest.mark.parametrize(("game", "then", "now"), OLD, ids=["rivals", "rivals-discard", "claim"])


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database of the first release."""
    file = tmp_path / "tables.db"
    with closing(sqlite3.connect(file)) as db:
        db.executescript((RELEASE / "sqlite.sql").read_text(encoding="utf-8"))
    return file


def _of_the_release(engine: sa.Engine) -> list[sa.TableClause]:
    """The tables that a database of the first release has, with their columns of then."""
    looked = sa.inspect(engine)
    columns = {name: {column["name"] for column in looked.get_columns(name)} for name in looked.get_table_names()}
    return [
        sa.table(
            table.name,
            *(sa.column(column.name, column.type) for column in table.columns if column.name in columns[table.name]),
        )
        for table in (*schema.metadata.sorted_tables, migrations.VERSION)
        if table.name in columns
    ]


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, database: Path) -> str:
    """A database of the first release, of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{database}"
    cluster: Cluster = request.getfixturevalue("cluster")
    address = cluster.database()
    with cluster.connect(address) as db:
        db.execute((RELEASE / "postgresql.sql").read_text(encoding="utf-8"))
    old, new = sa.create_engine(f"sqlite:///{database}"), sa.create_engine(address)
    tables = _of_the_release(old)
    with old.connect() as source, new.begin() as target:
        for table in tables:
            target.execute(sa.insert(table), [row._asdict() for row in source.execute(sa.select(table))])
        target.execute(sa.text("SELECT setval('chat_id_seq', 10)"))
    old.dispose()
    new.dispose()
    return address


def test_a_new_database_is_not_worth_a_line_of_the_log():
    done = subprocess.run([sys.executable, "-c", BEGIN], stderr=subprocess.PIPE, text=True, check=True, timeout=60)
    assert done.stderr == "WARNING:root:It is open.\n"


def test_a_database_of_the_first_release_opens_with_all_that_is_in_it(url: str):
    engine = sa.create_engine(url)
    released = [table.name for table in _of_the_release(engine)]
    engine.dispose()
    with closing(Store(url)) as store:
        with store.engine.connect() as db:
            assert compare_metadata(MigrationContext.configure(db), schema.metadata) == []
            for name in released:
                assert db.scalar(sa.select(sa.func.count()).select_from(sa.table(name))), name
        assert store.statuses() == {"open": 1, "playing": 4, "over": 3}
        assert (store.torn(), store.damage(), store.statistics()["moves"]) == ("", "", 405)
        table = store.load("playing")
        assert table
        assert [(seat.name, seat.kind, seat.rated) for seat in table.seats] == [
            ("Ada", "human", True), ("Ben", "human", False), ("Bot", "bot", False)
        ]  # fmt: skip
        assert (len(table.moves), table.clock, table.hints, table.study) == (9, "180+15", "on", True)
        assert table.times == {0: Time(180.0), 1: Time(179.0, missed=1)}
        assert (table.orders, table.wishes) == ({(1, "bid"): {"amount": 40}}, {("pause", 0)})
        assert any(move.public == {"en": "It is cheap."} for move in table.moves)
        people = PeopleStore(store)
        ada = people.device(hashed(DEVICE))
        assert ada
        assert (ada.name, people.seat("playing", ada.key), people.tables(ada.key)) == ("Ada", 0, ["playing", "waiting"])
        assert people.holds(BROWSER, 9) == {"playing": hashed(SEAT), "waiting": hashed(SEAT)}
        assert [one.text for one in people.said("playing", "table", 9)] == ["Hello, Ben"]
        assert people.notes("playing", 0) == "Ben has no money left"
        assert ratings.climbs(store, ada.key)
        assert {(row.shown, row.mu, row.matches) for row in ratings.shown(store)} == {("Ada", 26.5, 2), ("steady", 24.5, 2)}
        assert store.daily("2026-11-20", "1 kuhhandel/1") == {"easy": [[1, 120], [2, 60]]}
        assert [notice.address for notice in Notices(store).of(Owner(name=ada.key))] == ["https://hooks.example/ada"]


def test_at_a_table_of_the_first_release_its_people_go_on(database: Path):
    with serving(database) as address, httpx.Client(base_url=address, timeout=20) as http:
        http.cookies.set("browser", BROWSER)
        table = http.get("/t/playing", headers=JSON).json()
        assert (table["you"], table["table"]["status"]) == (0, "playing")
        assert http.get("/t/playing/notes", headers=JSON).json() == {"text": "Ben has no money left"}
        signed_in = http.post("/name/in", data={"name": "Ada", "password": "correct horse"}, headers=JSON)
        assert signed_in.status_code == 200, signed_in.text
        assert http.get("/name", headers=JSON).json() == {"name": "Ada"}


@pytest.mark.parametrize("revision", ["0001", "0014"])
def test_a_database_from_before_the_first_release_is_refused_and_the_sentence_names_what_opens_it(url: str, revision: str):
    engine = sa.create_engine(url)
    with engine.begin() as db:
        db.execute(sa.update(migrations.VERSION).values(version_num=revision))
    with pytest.raises(OutbidError, match=r"open it once with Outbid 0\.1\.0 of .* \(3ea7c8c7\)") as refused:
        Store(url)
    assert revision in str(refused.value)
    assert "\n" not in str(refused.value)
    with engine.connect() as db:
        assert db.scalar(sa.select(migrations.VERSION.c.version_num)) == revision
    engine.dispose()


LATER = """
import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{newest}"


def upgrade():
    op.add_column("tables", sa.Column("later", sa.Integer, nullable=False, server_default="7"))
"""


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A release that changes a table."""
    folder = tmp_path / "migrations"
    shutil.copytree(migrations.HERE, folder)
    (folder / "versions/9999_later.py").write_text(LATER.format(newest=max(migrations.known())), encoding="utf-8")
    monkeypatch.setattr(migrations, "HERE", folder)
    migrations.known.cache_clear()
    yield
    migrations.known.cache_clear()


@pytest.mark.usefixtures("later")
def test_a_later_release_changes_the_tables_of_the_first(url: str):
    for _ in range(2):
        with closing(Store(url)) as store, store.engine.connect() as db:
            assert db.scalar(sa.text("SELECT later FROM tables WHERE id = 'playing'")) == 7
            assert migrations.revision(db) == "9999"


@pytest.mark.slow(but=("claim",))
@every_old_table
def test_a_running_table_of_version_1_is_played_on_by_its_rules(request, database, game, then, now):
    name = request.node.callspec.id
    with closing(Store(f"sqlite:///{database}")) as store:
        before = store.load(f"{name}-on")
    with serving(database) as address, httpx.Client(base_url=address, headers=JSON, timeout=20) as http:
        while http.get(f"/t/{name}-on").json()["table"]["status"] != "over":
            time.sleep(0.02)
        record = http.get(f"/t/{name}-on/record").json()
    book = rulebook(game)
    assert (record["rules"], record["options"]) == (book.rules_id, book.changed(now))
    begun = [{"seat": move.seat, **move.said} for move in before.moves]
    assert (record["deal"], record["moves"][: len(begun)]) == (before.deal, begun)
    assert outbid.read_record(record).scores == record["scores"]


@every_old_table
def test_a_finished_table_of_version_1_is_valid_and_exported_by_the_newest_rules(
    request, database, tmp_path, game, then, now
):
    name, file = request.node.callspec.id, tmp_path / "all.jsonl"
    with closing(Store(f"sqlite:///{database}")) as store:
        for other in set(store.ids("over")) - {f"{name}-over"}:
            store.delete(other)
    for arguments in (["validate"], ["export", str(file)]):
        done = CliRunner().invoke(app, ["admin", *arguments, "--database", str(database)])
        assert done.exit_code == 0, done.output
    record, book = json.loads(file.read_text(encoding="utf-8")), rulebook(game)
    assert (record["rules"], record["options"]) == (book.rules_id, book.changed(now))
    old = record | {"rules": f"{game}/1", "options": then}
    file.write_text(json.dumps(old), encoding="utf-8")
    done = CliRunner().invoke(app, ["admin", "import", str(file), "--database", str(database)])
    assert "1 of the records were there already" in done.output


def test_a_table_of_rules_that_nobody_knows_stays_as_it_is(database):
    with closing(sqlite3.connect(database)) as db:
        db.execute("UPDATE tables SET rules = 'rivals/99' WHERE id = 'rivals-on'")
        db.commit()
    with closing(Store(f"sqlite:///{database}")) as opened:
        found = opened.load("rivals-on")
    assert found
    assert (found.rules, found.options) == ("rivals/99", {"pile_distribution": True})
