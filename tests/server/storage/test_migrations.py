"""Tables that an older server left in the database keep the rules by which they were begun."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from typer.testing import CliRunner

import outbid
from outbid.bots import choose
from outbid.cli import app
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.server.storage import store
from outbid.server.storage.store import Store
from tests.support.serving import JSON, serving

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


def test_a_new_database_is_not_worth_a_line_of_the_log():
    done = subprocess.run([sys.executable, "-c", BEGIN], stderr=subprocess.PIPE, text=True, check=True, timeout=60)
    assert done.stderr == "WARNING:root:It is open.\n"


def left_by_version_1(database: Path, game: str, then: dict[str, Any], now: dict[str, Any], moves: int) -> Match:
    """A database with the schema of the last server of version 1, and a table "old" with so many moves, or all."""
    match = outbid.game(game, **now).new(players=2, seed=3)
    while not match.over and len(match.moves) < moves:
        seat = match.asked[0]
        match.play_steps(seat, choose(match, seat, "steady", 1).actions)
    config = Config()
    config.set_main_option("script_location", str(Path(store.__file__).parent / "migrations"))
    engine = sa.create_engine(f"sqlite:///{database}")
    with engine.begin() as db:
        config.attributes["connection"] = db
        command.upgrade(config, "0006")
        rows: dict[str, list[dict[str, Any]]] = {
            "tables": [{
                "id": "old", "game": game, "rules": f"{game}/1", "options": json.dumps(then), "deal": json.dumps(match.deal),
                "status": "over" if match.over else "playing", "pace": "instant", "paused": False, "made": 1.0,
            }],
            "seats": [
                {"table_id": "old", "seat": seat, "kind": "bot", "name": name, "bot": "steady", "seed": seat}
                for seat, name in enumerate(match.names)
            ],
            "moves": [
                {"table_id": "old", "number": n, "seat": move["seat"], "at": 2.0,
                 "move": json.dumps({key: value for key, value in move.items() if key != "seat"})}
                for n, move in enumerate(match.moves)
            ],
        }  # fmt: skip
        for table, made in rows.items():
            names = ", ".join(made[0])
            db.execute(sa.text(f"INSERT INTO {table} ({names}) VALUES ({', '.join(f':{name}' for name in made[0])})"), made)
    engine.dispose()
    return match


@pytest.mark.slow(but=("claim",))
@every_old_table
def test_a_running_table_of_version_1_is_played_on_by_its_rules(tmp_path, game, then, now):
    database = tmp_path / "tables.db"
    match = left_by_version_1(database, game, then, now, moves=30)
    with serving(database) as address, httpx.Client(base_url=address, headers=JSON, timeout=20) as http:
        while http.get("/t/old").json()["table"]["status"] != "over":
            time.sleep(0.02)
        record = http.get("/t/old/record").json()
    book = rulebook(game)
    assert (record["rules"], record["options"]) == (book.rules_id, book.changed(now))
    assert (record["deal"], record["moves"][: len(match.moves)]) == (match.deal, match.moves)
    assert outbid.read_record(record).scores == record["scores"]


@every_old_table
def test_a_finished_table_of_version_1_is_valid_and_exported_by_the_newest_rules(tmp_path, game, then, now):
    database, file = tmp_path / "tables.db", tmp_path / "all.jsonl"
    match = left_by_version_1(database, game, then, now, moves=10_000)
    for arguments in (["validate"], ["export", str(file)]):
        done = CliRunner().invoke(app, ["admin", *arguments, "--database", str(database)])
        assert done.exit_code == 0, done.output
    assert json.loads(file.read_text(encoding="utf-8")) == match.record()
    old = match.record() | {"rules": f"{game}/1", "options": then}
    file.write_text(json.dumps(old), encoding="utf-8")
    done = CliRunner().invoke(app, ["admin", "import", str(file), "--database", str(database)])
    assert "1 of the records were there already" in done.output


def test_a_table_of_rules_that_nobody_knows_stays_as_it_is(tmp_path):
    database = tmp_path / "tables.db"
    left_by_version_1(database, "rivals", {}, {"pile_distribution": True}, moves=3)
    engine = sa.create_engine(f"sqlite:///{database}")
    with engine.begin() as db:
        db.execute(sa.text("UPDATE tables SET rules = 'rivals/99'"))
    engine.dispose()
    with closing(Store(f"sqlite:///{database}")) as opened:
        found = opened.load("old")
    assert found
    assert (found.rules, found.options) == ("rivals/99", {})
