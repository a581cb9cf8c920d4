"""A disk that takes no writing: tools read what is there and say so, and the server shows tables and refuses all else."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from outbid.server.storage.opening import read_only
from tests.support.commands import started
from tests.support.serving import JSON, Person, get, sentence, some_move, start

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="permissions that bind root as well are Linux's"),
]

CODE = "from outbid.cli import main; main()"
TIED = ["setpriv", "--bounding-set=-dac_override"] if os.geteuid() == 0 else []  # permissions bind root, too
ONLY_READ = "can only be read: its disk takes no writing, or it belongs to another user."


@pytest.fixture(params=[pytest.param("ended", marks=pytest.mark.deep), "killed"])
def sealed(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, Person]]:
    """A database that nobody can write to any more, whose server has ended or was killed, and somebody with a seat there."""
    folder = tmp_path / "disk"
    folder.mkdir()
    file = folder / "tables.db"
    server, address = start(file, pace="slow")
    ada = Person(address)
    ada.order(bots="steady", preset="")
    ada.asked()
    server.kill(signal.SIGKILL if request.param == "killed" else signal.SIGTERM)
    for written in folder.iterdir():
        written.chmod(0o444)
    folder.chmod(0o555)
    yield file, ada
    folder.chmod(0o755)


def tied(*words: object) -> subprocess.CompletedProcess[str]:
    """`outbid …`, bound by permissions."""
    command = [*TIED, sys.executable, "-c", CODE, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@contextmanager
def server_of(file: Path) -> Iterator[tuple[str, str]]:
    """A server bound by permissions: its address, and what it said first on standard error."""
    command = [*TIED, sys.executable, "-c", CODE, "serve", "--port", "0", "--database", str(file)]
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        warning, line = process.stderr.readline(), process.stdout.readline()
        yield line.removeprefix("Outbid: ").strip(), warning
        process.terminate()
        process.communicate(timeout=60)


def test_tools_read_what_is_there_and_say_that_it_can_only_be_read(sealed: tuple[Path, Person], tmp_path: Path):
    file, ada = sealed
    stats = tied("admin", "stats", "--database", file)
    assert stats.returncode == 0
    assert stats.stdout.startswith("tables  0 open, 1 playing, 0 over\n")
    assert stats.stderr == f"The database {file} {ONLY_READ}\n"
    assert tied("admin", "validate", "--database", file).stdout == "1 table good.\n"
    assert tied("admin", "export", tmp_path / "games.jsonl", "--database", file).returncode == 0
    assert tied("admin", "backup", tmp_path / "copy.db", "--database", file).returncode == 0
    assert not read_only(tmp_path / "copy.db")
    for words in (("delete", ada.table, "--force"), ("restore", tmp_path / "copy.db", "--force")):
        refused = tied("admin", *words, "--database", file)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "cannot be written" in refused.stderr or "its disk takes no writing" in refused.stderr
    assert tied("admin", "stats", "--database", file).stdout == stats.stdout


def test_the_server_shows_tables_and_refuses_moves_in_a_sentence(sealed: tuple[Path, Person]):
    file, ada = sealed
    with server_of(file) as (address, warning):
        assert warning == f"The database {file} {ONLY_READ} Tables are shown, and moves are refused.\n"
        health = get(f"{address}/healthz")
        assert (health.status_code, health.text) == (503, "The database can only be read.")
        assert get(f"{address}/livez").text == "ok"
        again = Person(address)
        again.table, again.http.cookies = ada.table, ada.http.cookies
        before = again.now()
        assert before["you"] == 0
        for page in ("/", "/ladder", "/daily", f"/t/{ada.table}", f"/t/{ada.table}/chat", f"/t/{ada.table}/replay?move=0"):
            assert again.http.get(page).status_code == 200, page
        refused = "Nothing was changed: this server only shows tables, since its disk takes no writing."
        answers = [again.send(some_move(before, random.Random(1)), before["decision"])]
        answers.append(again.http.post(f"/t/{ada.table}/chat", data={"text": "Is there room?"}, headers=JSON))
        order = {"game": "kuhhandel", "players": 3, "name": "Ben", "bots": "open"}
        answers.append(again.http.post("/tables", data=order, headers=JSON))
        for answer in answers:
            assert sentence(answer, 503) == refused
        german = again.http.post("/tables", data=order, headers={**JSON, "Accept-Language": "de"})
        assert german.json()["error"].startswith("Es hat sich nichts geändert: ")
        assert again.now() == before


def test_an_older_database_that_can_only_be_read_says_that_it_must_be_brought_up_to_date(tmp_path: Path):
    folder = tmp_path / "old"
    folder.mkdir()
    file = folder / "tables.db"
    with closing(sqlite3.connect(file)) as db:
        db.executescript(Path(__file__).with_name("release").joinpath("sqlite.sql").read_text(encoding="utf-8"))
    file.chmod(0o444)
    folder.chmod(0o555)
    for words in (("admin", "stats"), ("serve", "--port", "0")):
        refused = tied(*words, "--database", file)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert refused.stderr.endswith(
            f"The database {file} {ONLY_READ} An older version made it; it must be brought up to date first.\n"
        )
    folder.chmod(0o755)
