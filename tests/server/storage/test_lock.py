"""One server to an SQLite file: who comes second is told where the first is, a table goes there, and a crash leaves no lock.
And: a copy of the file without its log is known for what it is."""

from __future__ import annotations

import http.server
import shutil
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from outbid.server.storage.lock import ServerAddress, ServerLock, Taken, free
from outbid.server.storage.opening import served, without_log
from outbid.server.storage.store import Store
from tests.support.commands import Command, outbid_command
from tests.support.serving import Person, get, serving, start, stop, until

pytestmark = pytest.mark.slow


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


def play(file: Path, *words: str):
    """`outbid play` on a database."""
    return outbid_command("play", "rivals", "-n", "3", "--no-browser", "--database", file, *words)


def tables(address: str) -> int:
    """How many tables a server has."""
    lines = get(f"{address}/metrics").text.splitlines()
    return sum(int(float(line.split()[-1])) for line in lines if line.startswith("outbid_tables{"))


# --- the second server ------------------------------------------------------------------------------------------------


def test_a_second_server_on_the_file_is_refused_with_the_address_of_the_first(file: Path):
    with serving(file) as address:
        again = outbid_command("serve", "--port", "0", "--database", file)
        linked = file.with_name("linked.db")
        linked.symlink_to(file)
        through = outbid_command("serve", "--port", "0", "--database", linked)
    assert (again.returncode, again.stdout) == (2, "")
    sentence = f"{file} is in use by the server at {address}; please stop it first, or name another --database.\n"
    assert again.stderr == sentence
    assert through.returncode == 2
    assert address in through.stderr


def test_a_killed_server_leaves_no_lock_although_its_workers_may_outlive_it(file: Path):
    server, _address = start(file, workers=2)
    server.kill(signal.SIGKILL)
    assert free(file)
    with serving(file) as address:
        assert get(f"{address}/livez").text == "ok"


def test_a_server_waits_for_one_that_lets_go_just_now(file: Path):
    lock = ServerLock(file)
    leaving = threading.Timer(0.1, lock.close)
    leaving.start()
    ServerLock(file).close()


def test_who_starts_is_waited_for_until_it_says_where_it_is(file: Path):
    with closing(ServerLock(file)) as lock:
        told = threading.Timer(0.6, lock.tell, [ServerAddress("http://127.0.0.1:1", "http://127.0.0.1:1", "key")])
        told.start()
        with pytest.raises(Taken) as taken:
            ServerLock(file)
    assert taken.value.place == ServerAddress("http://127.0.0.1:1", "http://127.0.0.1:1", "key")


def test_a_database_that_is_no_file_has_no_lock():
    with closing(ServerLock(None)) as lock:
        lock.tell(ServerAddress("", "", ""))


# --- a table is handed on ---------------------------------------------------------------------------------------------


def test_play_hands_its_table_to_the_server_that_runs_with_all_that_was_ordered(file: Path):
    with serving(file) as address:
        options = "--option coins=40 --option fixed_start=true --option copies=[1,1,1,2,1,1,1,1,1]"
        handed = play(file, *f"--name Ada --bots random,easy:explorer {options} --language de".split())
        assert handed.returncode == 0, handed.stderr
        link = handed.stdout.splitlines()[0].removeprefix("Dein Tisch: ")
        assert link.startswith(f"{address}/t/")
        assert "data-free" in get(link).text  # as the link of a server of one's own: no browser has the seat yet
        ada = Person(address)
        ada.table = link.split("/")[-3]
        assert ada.take(link).json() == {"table": ada.table, "seat": 0}
        seats = ada.now()["seats"]
    with closing(Store(f"sqlite:///{file}")) as store:
        stored = store.load(ada.table)
    assert seats[0]["name"] == "Ada"
    assert stored
    assert [seat.bot for seat in stored.seats] == [None, "random", "easy:explorer"]
    assert {"coins": 40, "fixed_start": True, "copies": [1, 1, 1, 2, 1, 1, 1, 1, 1]}.items() <= stored.options.items()


def test_the_link_of_a_table_that_was_handed_on_is_one_for_guests(file: Path):
    with serving(file, base_url="https://table.example/games"):
        handed = play(file)
    assert handed.stdout.startswith("Your table: https://table.example/games/t/"), handed


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--seed", "3"), "A server has this database already, at {address}, and --seed cannot be handed on to it; "),
        (("--port", "1", "--seed", "3"), "and --port and --seed cannot be handed on to it; leave that out, or name another"),
        (("--port", "1", "--seed", "3", "--language", "de"), "lassen sich ihm nicht weitergeben"),
        (("--name", "You"), "The server at {address} refuses: The nickname cannot be “You”"),
    ],
)
def test_what_cannot_be_handed_on_is_one_sentence_and_no_table(file: Path, words: tuple[str, ...], sentence: str):
    with serving(file) as address:
        handed = play(file, *words)
        assert tables(address) == 0
    assert (handed.returncode, handed.stdout) == (2, "")
    assert sentence.format(address=address) in handed.stderr
    assert handed.stderr.count("\n") == 1


@contextmanager
def pretending(file: Path, address: str) -> Iterator[None]:
    """Somebody has the file, and says to be there."""
    with closing(ServerLock(file)) as lock:
        lock.tell(ServerAddress(address, address, "key"))
        yield


def test_an_address_where_nobody_answers_is_one_sentence(file: Path):
    with socket.create_server(("127.0.0.1", 0)) as door:
        address = f"http://127.0.0.1:{door.getsockname()[1]}"
    with pretending(file, address):
        handed = play(file)
    assert (handed.returncode, handed.stdout) == (2, "")
    assert handed.stderr == f"The server that has this database does not answer at {address}; please stop it.\n"


def test_an_address_where_something_else_answers_is_one_sentence(file: Path):
    with (
        http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as other,
        pretending(file, address := f"http://127.0.0.1:{other.server_port}"),
    ):
        answering = threading.Thread(target=other.handle_request)
        answering.start()
        handed = play(file)
        answering.join()
    assert (handed.returncode, handed.stdout) == (2, "")
    assert handed.stderr == f"What answers at {address} is not the server that has this database.\n"


def test_a_server_with_another_database_takes_no_table_that_was_not_meant_for_it(file: Path, tmp_path: Path):
    with serving(tmp_path / "other.db") as address, pretending(file, address):
        handed = play(file)
        assert tables(address) == 0
        assert get(address, headers={"X-Outbid-Server": "key"}).status_code == 421
    assert (handed.returncode, handed.stdout) == (2, "")
    assert handed.stderr.endswith("This server has another database than the one that was meant.\n")


def test_tools_work_beside_a_server_and_what_needs_it_stopped_says_so(file: Path, tmp_path: Path):
    with serving(file) as address:
        Person(address).order(game="rivals", preset="", bots="steady")
        backup = outbid_command("admin", "backup", tmp_path / "copy.db", "--database", file)
        restored = outbid_command("admin", "restore", tmp_path / "copy.db", "--database", file, "--force")
        count = outbid_command("admin", "stats", "--database", file)
        assert tables(address) == 1
    assert (backup.returncode, count.returncode) == (0, 0)
    assert (restored.returncode, restored.stdout) == (2, "")
    assert restored.stderr.startswith(f"{file} is in use by the server at {address}; please stop it first")


# --- a copy without its log -------------------------------------------------------------------------------------------


def test_a_copy_of_the_file_alone_is_said_to_be_one_and_nothing_else_is(file: Path, tmp_path: Path):
    copy, backup = tmp_path / "copy.db", tmp_path / "backup.db"
    server, address = start(file)
    person = Person(address)
    person.order(game="rivals", preset="", bots="open")  # nobody moves, and the file rests
    until(lambda: served(file) and person.table.encode() in file.read_bytes())  # the log has been brought into the file
    assert not without_log(file)
    shutil.copy(file, copy)
    until(lambda: copy.read_bytes() == shutil.copy(file, copy).read_bytes())
    assert outbid_command("admin", "backup", backup, "--database", file).returncode == 0
    for command in (("stats",), ("stats", "--json"), ("validate",), ("validate", "--json")):
        looked = outbid_command("admin", *command, "--database", copy)
        assert looked.returncode == 0
        assert looked.stderr == (
            f"{copy} looks like a copy that was made while a server ran, without copy.db-wal: "
            "the newest moves may be missing. A running server's database is copied by `outbid admin backup`.\n"
        )
        for whole in (file, backup):
            assert outbid_command("admin", *command, "--database", whole).stderr == ""
    stop(server)
    assert not served(file)
    assert outbid_command("admin", "stats", "--database", file).stderr == ""


def test_after_a_crash_the_log_is_there_and_a_tool_that_reads_it_in_leaves_no_doubt(file: Path):
    server, address = start(file)
    Person(address).order(game="rivals", preset="", bots="steady")
    until(lambda: served(file))
    server.kill()
    for _time in range(2):
        assert outbid_command("admin", "stats", "--database", file).stderr == ""
    assert not served(file)


def test_a_server_that_begins_with_such_a_copy_says_so(file: Path, tmp_path: Path):
    copy = tmp_path / "copy.db"
    with serving(file):
        until(lambda: served(file))
        shutil.copy(file, copy)
    command = Command("serve", "--port", "0", "--database", copy)
    assert command.stdin
    with command.stdin, command.stdout, command.stderr:
        assert command.stderr.readline().startswith(f"{copy} looks like a copy")
        assert command.stdout.readline().startswith("Outbid: ")
        command.send_signal(signal.SIGTERM)
        command.communicate()


def test_a_log_whose_file_is_gone_is_set_aside_and_not_read_into_what_is_brought_back(file: Path, tmp_path: Path):
    server, address = start(file)
    Person(address).order(game="rivals", preset="", bots="steady")
    assert outbid_command("admin", "backup", tmp_path / "copy.db", "--database", file).returncode == 0
    Person(address).order(game="rivals", preset="", bots="steady")
    server.kill()
    file.unlink()
    restored = outbid_command("admin", "restore", tmp_path / "copy.db", "--database", file)
    assert restored.returncode == 0, restored.stderr
    assert outbid_command("admin", "stats", "--database", file).stdout.startswith("tables  0 open, 1 playing")
    assert [kept.name for kept in file.parent.glob("*.before-*-wal")]


@pytest.mark.parametrize("database", ["://", "foo://bar", "postgresql://:bad:port/x"])
def test_a_url_that_is_none_is_one_sentence(database: str):
    for words in (("serve", "--port", "0"), ("play", "--no-browser"), ("admin", "stats")):
        refused = outbid_command(*words, "--database", database)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert refused.stderr.startswith(f"The database {database!r} cannot be used: ")
        assert refused.stderr.count("\n") == 1


def test_a_folder_is_no_database(tmp_path: Path):
    refused = outbid_command("serve", "--port", "0", "--database", tmp_path)
    sentence = f"The database {tmp_path} is a folder; please name a file in it.\n"
    assert (refused.returncode, refused.stdout, refused.stderr) == (2, "", sentence)
