"""A playtest: an experiment file is put to people, who agree before they sit down, and say three things after the match."""

import json
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from outbid.cli import app
from outbid.core.record import read_record
from outbid.server.operating import playtesting
from outbid.server.storage import playtests
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from tests.support.browsing import DESK, PHONE, expect, fits, sit, visitor
from tests.support.postgres import Cluster
from tests.support.serving import JSON, Person, people, play_out, sentence, serving, start, stop

FILE = """
format = "outbid-experiment/1"
game = "claim"
question = "Are stacks that fill at four more tense?"
players = [2, 3]
baseline = "as given"

[[variant]]
name = "as given"

[[variant]]
name = "full at four"
options = { full_threshold = 4 }
says = "A stack is full with four bills."
"""


def admin(*arguments: Any) -> str:
    """What a command of the host prints."""
    done = CliRunner().invoke(app, ["admin", *map(str, arguments)])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with the playtest of the file."""
    path, file = tmp_path / "tables.db", tmp_path / "Four Bills.toml"
    file.write_text(FILE)
    Store(url_of(str(path))).close()
    assert "People take part at /playtest/four-bills" in admin("playtest", file, "--database", path)
    return path


def drawn(database: Path) -> list[tuple[str | None, dict[str, Any], bool]]:
    """Of each table, the oldest first: its variant, its options, and whether the laboratory may read it."""
    with closing(sqlite3.connect(database)) as db:
        rows = db.execute("SELECT variant, options, study FROM tables ORDER BY made").fetchall()
    return [(variant, json.loads(options), bool(study)) for variant, options, study in rows]


def begin(person: Person, players: int = 2) -> str:
    """Make a table for the playtest."""
    answer = person.http.post("/playtest/four-bills", data={"name": "Ada", "players": players}, headers=JSON)
    assert answer.status_code == 201, answer.text
    person.table = answer.json()["table"]
    return person.table


def opinion(person: Person, about: Any, answer: Any) -> Any:
    """Send an answer."""
    return person.http.post(f"/t/{person.table}/opinion", data={"about": about, "answer": answer}, headers=JSON)


def test_variants_are_drawn_level_and_those_who_sit_down_are_told(database: Path):
    with serving(database) as address, people(address) as (ada, ben):
        assert '<a href="/playtest/four-bills">Are stacks that fill at four more tense?</a>' in ada.http.get("/").text
        page = ada.http.get("/playtest/four-bills").text
        assert "Are stacks that fill at four more tense?" in page
        assert "A stack is full with four bills." in page
        for _table in range(6):
            begin(ada)
        told = ben.http.get(f"/t/{ada.table}").text
        assert "It compares: as given; full at four. Drawn for this table was: " in told
        assert "without names and chat" in told
        begin(ada, 3)
    tables = drawn(database)
    assert Counter(variant for variant, _options, _study in tables[:6]) == {"as given": 3, "full at four": 3}
    assert all((options.get("full_threshold") == 4) == (variant == "full at four") for variant, options, _study in tables)
    assert all(study for _variant, _options, study in tables)


def test_who_does_not_agree_joins_by_the_given_rules_and_nothing_is_counted(database: Path):
    with serving(database) as address, people(address) as (ada, ben):
        for _table in range(2):
            begin(ada)
            for fields in ({"name": "Ada", "given": "true"}, {"name": "Ben", "given": "perhaps"}):
                sentence(ben.http.post(f"/t/{ada.table}/join", data=fields, headers=JSON), 400)
            assert "part of a playtest" in ben.http.get(f"/t/{ada.table}").text, "what was refused changes nothing"
            answer = ben.http.post(f"/t/{ada.table}/join", data={"name": "Ben", "given": "true"}, headers=JSON)
            assert answer.status_code == 201
            assert ada.now()["table"]["options"] == {}
            play_out(ada, *[_at(ben, ada.table)])
            sentence(opinion(ada, "tense", 2), 409)
    assert drawn(database) == [(None, {}, False)] * 2
    assert "as given: 0 matches, full at four: 0 matches" in admin("playtest", "four-bills", "--database", database)


def _at(person: Person, table: str) -> Person:
    person.table = table
    return person


def test_what_people_say_is_exported_beside_the_record_and_compared(database: Path, tmp_path: Path):
    lines = tmp_path / "friday.jsonl"
    with serving(database) as address, people(address) as (ada, ben):
        begin(ada)
        ben.join(ada.table, "Ben")
        sentence(opinion(ada, "tense", 2), 409)
        play_out(ada, ben)
        for about, answer in (("beauty", 1), ("tense", 3), ("tense", "much"), ("tense", "")):
            sentence(opinion(ada, about, answer), 400)
        assert opinion(ada, "tense", 0).status_code == 200
        assert opinion(ada, "tense", 2).status_code == 200
        assert opinion(ben, "long", 1).status_code == 200
        with people(address, 1) as (guest,):
            guest.table = ada.table
            sentence(opinion(guest, "tense", 0), 403)
        assert ada.http.post(f"/t/{ada.table}/rematch", headers=JSON).status_code < 400
    variant = drawn(database)[0][0]
    assert drawn(database)[1][0] is None, "people who play again are not asked again"
    admin("export", lines, "--database", database, "--for-lab")
    record = json.loads(lines.read_text())
    assert read_record(record).over
    assert record["playtest"] == {"name": "four-bills", "variant": variant, "answers": [{"tense": 2}, {"long": 1}]}
    shown = admin("playtest", "four-bills", "--database", database)
    assert f"{variant} 2.00" in shown
    assert "Cannot tell before 30 matches of each were answered." in shown


def test_a_playtest_ends_and_bad_files_and_names_are_told(database: Path, tmp_path: Path):
    assert admin("playtest", "--database", database) == "four-bills: Are stacks that fill at four more tense?\n"
    admin("playtest", "four-bills", "--end", "--database", database)
    with serving(database) as address, people(address, 1) as (ada,):
        answer = ada.http.post("/playtest/four-bills", data={"name": "Ada", "players": 2}, headers=JSON)
        assert "This playtest is over" in sentence(answer, 409)
        assert "/playtest/" not in ada.http.get("/").text
        sentence(ada.http.post("/playtest/nine", data={"players": 2}, headers=JSON), 404)
    for text, why in (
        (FILE, "There is a playtest 'four-bills' already"),
        (FILE.rpartition("[[variant]]")[0], "compares two variants or more"),
        (FILE.replace("options = { full_threshold = 4 }", 'rule = "no.py"'), "no.py"),
    ):
        file = tmp_path / "Four Bills.toml"
        file.write_text(text)
        done = CliRunner().invoke(app, ["admin", "playtest", str(file), "--database", str(database)])
        assert why in str(done.exception)


@pytest.mark.slow
def test_a_playtest_is_the_same_on_postgresql(cluster: Cluster, tmp_path: Path):
    url, file = cluster.database(), tmp_path / "Four Bills.toml"
    file.write_text(FILE)
    with closing(Store(url_of(url))) as store:
        playtesting.answered(store, str(file), False)
        server, address = start(url)
        try:
            with people(address) as (ada, ben):
                begin(ada)
                ben.join(ada.table, "Ben")
                play_out(ada, ben)
                assert [opinion(ada, "tense", answer).status_code for answer in (1, 2)] == [200, 200]
                begin(ada)
                without = {"name": "Ben", "given": "true"}
                assert ben.http.post(f"/t/{ada.table}/join", data=without, headers=JSON).status_code == 201
        finally:
            stop(server)
        assert " 2.00" in playtesting.answered(store, "four-bills", False)
        assert "No more tables" in playtesting.answered(store, "four-bills", True)
        assert playtests.running(store) == []


@pytest.mark.parametrize(("apart", "verdict"), [(0.0, "Cannot tell yet"), (1.0, "Yes, more"), (-1.0, "Yes, less")])
def test_a_difference_that_is_there_is_told_and_one_that_is_not_is_not(apart: float, verdict: str):
    first = [float(n % 3) for n in range(300)]
    assert playtesting.verdict(first, [value + apart for value in first], 3).startswith(verdict)


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("size", [PHONE, DESK])
def test_after_the_match_three_taps_say_what_one_thinks_of_it(browser: Any, database: Path, size: tuple[int, int]):
    with serving(database) as address, people(address) as (ada, ben), visitor(browser, size) as page:
        begin(ada)
        page.goto(f"{address}/t/{ada.table}")
        expect(page.get_by_role("button", name="Join, by the given rules")).to_be_visible()
        fits(page)
        ben.join(ada.table, "Ben")
        play_out(ada, ben)
        sit(page, address + ben.links[ada.table])
        for name in ("Was it tense?", "Was it fair?", "Was it too long?"):
            button = page.get_by_role("form", name=name).get_by_role("button", name="yes")
            button.click()
            expect(button).to_have_attribute("aria-pressed", "true")
        fits(page)
    with closing(sqlite3.connect(database)) as db:
        answers = db.execute("SELECT about, answer FROM opinions ORDER BY about").fetchall()
    assert answers == [("fair", 2), ("long", 2), ("tense", 2)]
