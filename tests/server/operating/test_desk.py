"""The operator's desk: what is ordered on the command line or on the page is obeyed by every process, and leaves a line.

Guests come through a proxy that names their addresses; it is on this machine, as those of `deploy/` are.
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from outbid.core.errors import BadSetup
from outbid.core.files import data_folder
from outbid.server.domain.setup import Order, made
from outbid.server.operating import local
from outbid.server.operating.callers import DAY, MOST, NOTED, Callers
from outbid.server.operating.operator import CLI, Operator, subject_of, until_of
from outbid.server.settings import Settings
from outbid.server.storage import erasures, restoring
from outbid.server.storage.desk import ADDRESS, NAME
from outbid.server.storage.opening import url_of
from outbid.server.storage.people import PeopleStore
from outbid.server.storage.schema import metadata
from outbid.server.storage.store import Store
from outbid.server.stored import KeptName, StoredMessage
from outbid.server.tokens import hashed
from outbid.server.web import qr
from tests.support.axe import VIEWS, examined
from tests.support.browsing import PHONE, fits, visitor
from tests.support.commands import outbid_command
from tests.support.noticing import free_port
from tests.support.postgres import Cluster
from tests.support.serving import (
    JSON,
    SHORT,
    Person,
    hear,
    line_to,
    play_out,
    sentence,
    serving,
    start,
    stop,
    until,
)

pytestmark = pytest.mark.slow

PASSWORD, SEVEN, EIGHT = "twelve letters and more", "seven red cows", "eight blue pigs"
QUICKLY = {"obey": 0.1}
PROXY = {"base_url": "http://127.0.0.1", "desk": PASSWORD, **QUICKLY}
GUEST, OTHER, HOST = "203.0.113.7", "198.51.100.9", "192.0.2.1"
CLOSED = "This server is closed to you; its operator has decided so."


class Guest(Person):
    """Somebody who comes from an address, through the proxy."""

    def __init__(self, server: str, address: str = GUEST):
        super().__init__(server)
        self.http.headers["X-Forwarded-For"] = address

    def watch(self) -> ClientConnection:
        """A socket at the table."""
        return line_to(self, {"X-Forwarded-For": self.http.headers["X-Forwarded-For"]})

    def post(self, path: str, **fields: Any) -> httpx.Response:
        """Send a form, as a program."""
        return self.http.post(path, data=fields, headers=JSON)


def operator(server: str, password: str = PASSWORD, address: str = HOST) -> Guest:
    """A browser that is signed in at the desk."""
    host = Guest(server, address)
    answer = host.post("/desk/in", password=password)
    assert answer.status_code == 200, answer.text
    return host


def admin(database: Path | str, *words: Any, given: str = "") -> str:
    """What a command of the operator prints."""
    done = outbid_command("admin", *words, "--database", database, given=given)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(database: Path | str, *words: Any) -> str:
    """The one sentence of what cannot be done."""
    done = outbid_command("admin", *words, "--database", database)
    assert done.returncode == 2, done
    (line,) = done.stderr.splitlines()
    return line


def answers(http: httpx.Client) -> bool:
    """Whether a server speaks with somebody."""
    with contextlib.suppress(httpx.TransportError):
        return http.get("/").status_code == 200
    return False


def ended(line: ClientConnection) -> str:
    """A socket is closed by the server within some seconds; the last it said."""
    said = ""
    try:
        while True:
            message = json.loads(line.recv(timeout=20))
            said = message["error"] if message["type"] == "error" else said
    except ConnectionClosed:
        return said


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the server."""
    return tmp_path_factory.mktemp("desk") / "tables.db"


@pytest.fixture(scope="module")
def server(database: Path) -> Iterator[str]:
    """A server behind a proxy, with a desk."""
    process, _link = start(database, port=(port := free_port()), **PROXY)
    yield f"http://127.0.0.1:{port}"
    stop(process)




# --- who is shut out --------------------------------------------------------------------------------------------------


def test_an_address_that_is_shut_out_loses_its_sockets_and_gets_one_sentence_until_it_is_let_in(server: str, database: Path):
    guest, other = Guest(server), Guest(server, OTHER)
    guest.order(bots="random")
    other.table = guest.table
    with guest.watch() as mine, other.watch() as theirs:
        hear(mine, "regions")
        hear(theirs, "regions")
        assert admin(database, "ban", GUEST) == f"{GUEST} is shut out.\n"
        assert ended(mine) == CLOSED
        assert sentence(guest.http.get("/", headers=JSON), 403) == CLOSED
        assert "closed to you" in guest.http.get("/").text
        with guest.watch() as again:
            assert ended(again) == CLOSED
        assert other.http.get("/").status_code == 200
        theirs.ping().wait(20)
    assert f"address  {GUEST}  until it is lifted" in admin(database, "bans")
    assert admin(database, "unban", GUEST) == f"{GUEST} is let in again.\n"
    until(lambda: guest.http.get("/").status_code == 200)
    assert guest.now()["you"] == 0
    assert refused(database, "unban", GUEST) == f"{GUEST} is not shut out."


def test_a_network_is_shut_out_for_a_time_and_a_household_of_ipv6_as_a_whole(server: str, database: Path):
    admin(database, "ban", "198.51.100.77/24", "--time", "2h")
    admin(database, "ban", "2001:db8:1:2::3")
    households = Guest(server, "2001:db8:1:2:ffff::1"), Guest(server, "2001:db8:1:3::1"), Guest(server, OTHER)
    until(lambda: [guest.http.get("/").status_code for guest in households] == [403, 200, 403])
    assert "198.51.100.0/24  until 20" in admin(database, "bans")
    admin(database, "unban", "198.51.100.0/24")
    admin(database, "unban", "2001:db8:1:2::/64")
    until(lambda: [guest.http.get("/").status_code for guest in households] == [200, 200, 200])


def test_a_ban_ends_by_itself(tmp_path: Path):
    with closing(Store(url_of(str(tmp_path / "tables.db")))) as store:
        Operator(store, CLI).ban(GUEST, "1m")
        (ban,) = Operator(store, CLI).desk.orders()
        assert ban.until is not None
        assert 55 < ban.until - time.time() < 65
        with store.engine.begin() as db:
            db.execute(sa.update(metadata.tables["orders"]).values(until=time.time() + 3))
    with serving(tmp_path / "tables.db", **PROXY, port=(port := free_port())):
        guest = Guest(f"http://127.0.0.1:{port}")
        until(lambda: guest.http.get("/").status_code == 200)


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("203.0.113.7", (ADDRESS, "203.0.113.7")), (" 203.0.113.7/24", (ADDRESS, "203.0.113.0/24")),
        ("::ffff:203.0.113.7", (ADDRESS, "203.0.113.7")), ("2001:db8::1", (ADDRESS, "2001:db8::/64")),
        ("2001:db8::/32", (ADDRESS, "2001:db8::/32")),
        ("Berta", (NAME, "Berta")), ("Agent 007", (NAME, "Agent 007")), ("Dr. Bea", (NAME, "Dr. Bea")),
    ],
)  # fmt: skip
def test_what_is_shut_out_is_an_address_a_network_or_a_name(text: str, subject: tuple[str, str]):
    assert subject_of(text) == subject


@pytest.mark.parametrize("text", ["127.0.0.1", "::1", "0.0.0.0/0", "10.0.0.0/7", "::/0", "", " ", "\n", "x" * 65])
def test_neither_this_machine_nor_half_the_internet_nor_nothing_is_shut_out(text: str):
    with pytest.raises(BadSetup):
        subject_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "203.0.113.999", "203.0.113", "10.0.0", "203.0.113.0/33", "2001:db8::g", "203.0.113.7:443", "[2001:db8::1]",
        "https://203.0.113.7", "203.0.113.7,203.0.113.8", "http://bad.example",
    ],
)  # fmt: skip
def test_an_address_that_is_mistyped_is_nobodys_name(text: str):
    with pytest.raises(BadSetup, match="is no address"):
        subject_of(text)


def test_who_is_let_in_again_may_be_named_as_loosely_as_who_is_shut_out(tmp_path: Path):
    database = tmp_path / "tables.db"
    Store(url_of(str(database))).close()
    admin(database, "ban", "Berta")
    admin(database, "ban", "203.0.113.0/24")
    assert admin(database, "unban", "bERTA") == "Berta is let in again.\n"
    assert "with 203.0.113.0/24" in refused(database, "unban", "203.0.113.8")
    admin(database, "unban", "203.0.113.0/24")
    assert admin(database, "bans") == "Nobody is shut out, nothing is said, and matches begin.\n"
    assert "no status 'nix'" in refused(database, "tables", "--status", "nix")
    assert "no table 'nix'" in refused(database, "chat", "https://table.example/t/nix/")


@pytest.mark.parametrize("text", ["2", "h", "0h", "-1d", "2w", "1.5h"])
def test_a_time_is_minutes_hours_or_days(text: str):
    with pytest.raises(BadSetup, match=r"30m, 6h, 7d"):
        until_of(text)


def test_who_is_shut_out_is_not_read_at_all_where_no_proxy_stands_before_the_server(tmp_path: Path):
    mine = qr.address()
    if not mine:
        pytest.skip("no network")
    database = tmp_path / "tables.db"
    with serving(database, host="0.0.0.0", **QUICKLY) as address:
        guest = Person(address.replace("127.0.0.1", mine))
        guest.order(bots="random")
        with line_to(guest) as line:
            hear(line, "regions")
            admin(database, "ban", mine)
            ended(line)
            with pytest.raises(httpx.TransportError):
                guest.http.get("/")
        assert httpx.get(address).status_code == 200
        admin(database, "unban", mine)
        until(lambda: answers(guest.http))


def test_a_name_that_is_shut_out_neither_plays_nor_watches_nor_speaks_and_nobody_takes_one_that_looks_like_it(
    server: str, database: Path
):
    berta, ada = Guest(server), Guest(server, OTHER)
    assert berta.post("/name/keep", name="Berta B", password=SEVEN).status_code == 200
    berta.order(name="Berta B", bots="random")
    ada.order(bots="random")
    berta.table, table = ada.table, berta.table
    with berta.watch() as watching:  # at the table of another, signed in
        berta.table = table
        with berta.watch() as playing, ada.watch() as others:
            for line in (watching, playing, others):
                hear(line, "regions")
            admin(database, "ban", "Berta B")
            assert ended(watching) == ended(playing) == CLOSED
            others.ping().wait(20)
    for path in ("/", f"/t/{table}", f"/t/{ada.table}"):
        assert sentence(berta.http.get(path, headers=JSON), 403) == CLOSED
    other = Guest(server, OTHER)
    for name in ("Berta B", "BERTA  B", "Веrtа B"):
        assert sentence(other.post("/tables", game="kuhhandel", players=3, name=name, bots="random"), 403) == CLOSED
        assert sentence(other.post(f"/t/{ada.table}/chat", name=name, text="hello"), 403) == CLOSED
    assert sentence(other.post("/name/in", name="Berta B", password=SEVEN), 403) == CLOSED
    assert other.http.get("/").status_code == 200
    admin(database, "unban", "Berta B")
    until(lambda: berta.http.get("/").status_code == 200)
    assert berta.now()["you"] == 0


# --- what is said, and that nothing begins ----------------------------------------------------------------------------


def test_what_is_said_to_all_stands_on_every_page_and_comes_to_every_table_live(server: str, database: Path):
    guest, waiting = Guest(server), Guest(server, OTHER)
    guest.order(bots="random")
    waiting.order(bots="open")
    with guest.watch() as line, waiting.watch() as room:
        assert "hidden" in hear(line, "regions")["regions"]["notice"]
        assert admin(database, "say", "Restart at <22:00>.") == "All pages show: Restart at <22:00>.\n"
        while "notice" not in (news := hear(line, "regions")["regions"]):
            pass
        assert ">Restart at &lt;22:00&gt;.</p>" in news["notice"]
        assert "hidden" not in news["notice"]
        hear(room, "reload")
        for path in ("/", "/name", "/rules/kuhhandel", f"/t/{guest.table}", f"/t/{waiting.table}", "/nowhere"):
            assert "Restart at &lt;22:00&gt;." in guest.http.get(path).text
        assert admin(database, "say") == "Nothing is said any more.\n"
        while "notice" not in (news := hear(line, "regions")["regions"]):
            pass
        assert "hidden" in news["notice"]
        hear(room, "reload")
    assert "Restart" not in guest.http.get("/").text
    assert "at most 300 characters" in refused(database, "say", "x" * 301)


def test_a_drained_server_begins_no_match_and_those_that_are_played_go_on(server: str, database: Path):
    guest, other = Guest(server), Guest(server, OTHER)
    guest.order(bots="random", **SHORT)
    other.order(bots="open")
    table = {"game": "kuhhandel", "players": 3, "name": "Ada", "bots": "random"}
    assert guest.http.get("/readyz").text == "ok"
    done = admin(database, "drain")
    assert re.fullmatch(r"No table is made and no match begins\. \d+ match(es are| is) still being played\.\n", done)
    until(lambda: guest.http.get("/readyz").status_code == 503)
    assert guest.http.get("/readyz").text == "draining"
    assert guest.http.get("/healthz").text == "ok"
    soon = "This server will stop soon: no match begins any more, and those that are played go on."
    begins = ("/tables", table), ("/play", {"game": "kuhhandel"}), ("/daily", {}), ("/new/kuhhandel", {"players": "3"})
    for path, form in begins:
        assert sentence(guest.http.post(path, data=form, headers=JSON), 503) == soon
    assert sentence(guest.post(f"/t/{other.table}/join", name="Ben"), 503) == soon
    for path, form in (("fill", {"bot": "random"}), ("start", {}), ("house", {"starts": "full"})):
        assert sentence(other.post(f"/t/{other.table}/{path}", **form), 503) == soon
    play_out(guest)
    assert guest.now()["table"]["status"] == "over"
    assert sentence(guest.post(f"/t/{guest.table}/rematch"), 503) == soon
    lines = admin(database, "audit")
    assert admin(database, "drain").startswith("So it is already: no table is made and no match begins. ")
    assert admin(database, "audit") == lines
    assert "outbid_draining 1.0" in httpx.get(f"{server}/metrics").text
    assert admin(database, "drain", "--stop") == "Tables are made and matches begin again.\n"
    assert admin(database, "drain", "--stop") == "Tables are made and matches begin already.\n"
    until(lambda: guest.http.get("/readyz").status_code == 200)
    assert guest.post(f"/t/{guest.table}/rematch").status_code == 201


# --- names ------------------------------------------------------------------------------------------------------------


def test_a_new_password_is_printed_once_and_signs_all_devices_out(server: str, database: Path):
    ada, again = Guest(server), Guest(server)
    assert ada.post("/name/keep", name="Passworded", password=SEVEN).status_code == 200
    done = admin(database, "password", "Passworded")
    new = re.fullmatch(r"The new password of Passworded is (\S+); it is shown only now\.\n", done)
    assert new
    assert ada.http.get("/name", headers=JSON).json() == {"name": None}
    assert again.post("/name/in", name="Passworded", password=SEVEN).status_code == 403
    assert again.post("/name/in", name="Passworded", password=new[1]).status_code == 200
    assert new[1] not in admin(database, "audit")
    assert refused(database, "password", "Nobody At All") == "Nobody keeps the name 'Nobody At All' here."


def test_a_renamed_person_is_called_so_everywhere_and_the_old_name_is_free(server: str, database: Path):
    rude, ben = Guest(server), Guest(server, OTHER)
    assert rude.post("/name/keep", name="Rude Name", password=SEVEN).status_code == 200
    rude.order(name="Rude Name", bots="open,random")
    ben.join(rude.table, "Ben")
    assert rude.post(f"/t/{rude.table}/chat", text="It is me").status_code == 200
    with ben.watch() as line:
        hear(line, "regions")
        assert "is called so already" in refused(database, "rename", "Rude Name", "Rude Name")
        assert admin(database, "rename", "rude  name", "Kind Name") == "Rude Name is called Kind Name from now on.\n"
        until(lambda: ben.now()["seats"][0]["name"] == "Kind Name")
        while "Kind Name" not in json.dumps(hear(line, "regions")):
            pass
    (message,) = ben.http.get(f"/t/{rude.table}/chat", headers=JSON).json()["messages"]
    assert (message["name"], message["text"]) == ("Kind Name", "It is me")
    assert rude.http.get("/name", headers=JSON).json() == {"name": "Kind Name"}
    assert rude.now()["you"] == 0
    other = Guest(server, OTHER)
    assert other.post("/name/keep", name="Rude Name", password=EIGHT).status_code == 200
    assert other.http.get("/name", headers=JSON).json() == {"name": "Rude Name"}
    assert Guest(server).post("/name/in", name="Kind Name", password=SEVEN).status_code == 200
    assert Guest(server).post("/name/in", name="Rude Name", password=SEVEN).status_code == 403
    sentence = "The name Kind Name is kept by somebody already; please choose another."
    assert refused(database, "rename", "Rude Name", "Kind Name") == sentence
    assert "the table uses that word itself" in refused(database, "rename", "Rude Name", "Outbid")
    listed = admin(database, "names", "name")
    assert re.search(rf"Kind Name  {GUEST}\n", listed)
    assert re.search(rf"Rude Name  {OTHER}\n", listed)
    assert "rename     Rude Name  →  Kind Name\n" in admin(database, "audit")
    admin(database, "rename", "Kind Name", "Kinder Name")
    assert re.search(
        r"rename     Kind Name  →  Kinder Name\n.*rename     Rude Name  →  Kinder Name\n", admin(database, "audit")
    )


def test_nothing_is_left_of_a_person_who_is_erased_also_not_in_the_audit(server: str, database: Path):
    name = "Erasmus of Rotterdam"
    guest, other = Guest(server), Guest(server, OTHER)
    assert guest.post("/name/keep", name=name, password=SEVEN).status_code == 200
    guest.order(name=name, bots="random", **SHORT)
    guest.asked()
    other.table = guest.table
    assert guest.post(f"/t/{guest.table}/chat", text="praise of folly").status_code == 200
    admin(database, "password", name)
    for act in ("ban", "unban"):
        admin(database, act, "erasmus of rotterdam")
    admin(database, "rename", name, "Desiderius")
    admin(database, "rename", "Desiderius", name)
    assert refused(database, "erase", "Erasmus of Nowhere") == "Nobody keeps the name 'Erasmus of Nowhere' here."
    assert outbid_command("admin", "erase", name, "--database", database, given="n\n").returncode == 1
    assert admin(database, "erase", name, given="y\n").endswith(f"Nothing of “{name}” is kept any more.\n")
    until(lambda: name not in other.http.get(f"/t/{guest.table}", headers=JSON).text)
    until(lambda: other.now()["table"]["status"] == "over")  # a bot plays on
    assert not re.search(f"{name}|Desiderius", admin(database, "audit"))
    with closing(Store(url_of(str(database)))) as store, store.engine.connect() as db:
        for table in metadata.sorted_tables:
            assert not re.search("erasmus|desiderius", repr(db.execute(sa.select(table)).all()), re.IGNORECASE), table.name
            assert "folly" not in repr(db.execute(sa.select(table)).all()), table.name


def test_what_lists_nothing_says_so(tmp_path: Path):
    file = tmp_path / "tables.db"
    with closing(Store(url_of(str(file)))) as store:
        stored, _token = made(Order("kuhhandel", 3, "Ada", ["open"]), "instant", 24)
        store.add(stored)
    assert "no such name" in admin(file, "names")
    assert admin(file, "tables", "Nobody's") == "There is no such table.\n"
    assert admin(file, "chat", stored.id) == "Nothing has been said there.\n"
    assert admin(file, "audit") == "No operator has done anything yet.\n"
    admin(file, "delete", stored.id)
    assert admin(file, "tables") == "There is no table yet.\n"


def test_to_erase_who_is_shut_out_says_that_the_ban_stays(tmp_path: Path):
    with closing(Store(url_of(str(tmp_path / "tables.db")))) as store:
        PeopleStore(store).keep(KeptName("berta", "Berta", "x"), hashed("berta"))
        host = Operator(store, CLI)
        host.ban("Berta")
        assert host.erase("Berta").endswith(" is kept any more. The name stays shut out until you let it in again.")
        assert [row.subject for row in host.desk.orders(time.time())] == ["Berta"]


def test_a_restored_copy_forgets_again_who_was_erased_and_what_was_taken_down(tmp_path: Path):
    before, after = tmp_path / "before.db", tmp_path / "after.db"
    with closing(Store(url_of(str(after)))) as store:
        stored, _token = made(Order("kuhhandel", 3, "Berta", ["random"]), "instant", 24, "berta")
        store.add(stored)
        people = PeopleStore(store)
        for key in ("berta", "cleo"):
            people.keep(KeptName(key, key.title(), "x"), hashed(key))
        for text in ("of Berta", "to go", "to stay"):
            owner = "berta" if text == "of Berta" else None
            people.say(stored.id, StoredMessage(0, "watchers", "someone", "Dan", text, time.time()), 10, owner)
    shutil.copy(after, before)
    with closing(Store(url_of(str(after)))) as store:
        host = Operator(store, CLI)
        host.erase("Berta")
        host.take_down(stored.id, next(line.id for line in host.desk.chat(stored.id) if line.text == "to go"))
        PeopleStore(store).give_up("cleo")
        rows = store.rows(sa.select(erasures.erasures.c["at", "kind", "mark"]))
        erasures.enlist(tmp_path, rows)
    listed = (tmp_path / erasures.LIST).read_text()
    assert not re.search("berta|cleo|dan|go", listed, re.IGNORECASE)
    with closing(Store(url_of(str(before)))) as store:
        assert restoring.erase_again(store, tmp_path) == 3
        host, people = Operator(store, CLI), PeopleStore(store)
        assert (people.kept("Berta"), people.kept("Cleo")) == ([], [])
        assert [line.text for line in host.desk.chat(stored.id)] == ["to stay"]
        table = store.load(stored.id)
        assert table
        first = table.seats[0]
        assert (first.kind, first.bot, first.owner) == ("bot", "steady", None)
        assert restoring.erase_again(store, tmp_path) == 0


def test_a_line_of_the_chat_is_taken_down_for_all_who_look_and_the_audit_says_so(server: str, database: Path):
    guest, ben = Guest(server), Guest(server, OTHER)
    guest.order(bots="open,random")
    ben.join(guest.table, "Ben")
    for text in ("a good line", "a bad line"):
        assert guest.post(f"/t/{guest.table}/chat", text=text).status_code == 200
    with ben.watch() as line:
        while "a bad line" not in json.dumps(hear(line, "regions")):
            pass
        number = next(row.split()[0] for row in admin(database, "chat", guest.table).splitlines() if "a bad line" in row)
        assert admin(database, "take-down", guest.table, number) == f"Line {number} of table {guest.table} is taken down.\n"
        while "chat" not in (news := hear(line, "regions")["regions"]):
            pass
        assert "a good line" in news["chat"]
        assert "a bad line" not in news["chat"]
    assert [m["text"] for m in ben.http.get(f"/t/{guest.table}/chat", headers=JSON).json()["messages"]] == ["a good line"]
    assert f"take down  {guest.table} {number}" in admin(database, "audit")
    assert "no such line" in refused(database, "take-down", guest.table, number)


def test_tables_are_listed_with_who_sits_there(server: str, database: Path):
    guest = Guest(server)
    guest.order(name="Listed Lisa", bots="random")
    rows = [row for row in admin(database, "tables").splitlines() if guest.table in row]
    assert len(rows) == 1
    assert "playing  kuhhandel" in rows[0]
    assert "Listed Lisa" in rows[0]
    assert guest.table not in admin(database, "tables", "--status", "over")


# --- who asks, and what is refused ------------------------------------------------------------------------------------


def test_who_asks_is_told_with_what_it_costs_to_the_user_of_the_server_alone(server: str, database: Path):
    guest = Guest(server, "203.0.113.99")
    guest.order(bots="random")
    with guest.watch() as line:
        hear(line, "regions")
        (report,) = json.loads(admin(database, "who", "--json"))
        (caller,) = [row for row in report["callers"] if row["address"] == "203.0.113.99"]
        assert caller["sockets"] == 1
        assert caller["requests"] >= 2
        assert caller["seconds"] > 0
        assert caller["sent"] > 1000
        assert caller["read"] > 50
    assert re.search(rf"process {report['process']}, since .*\n.*\n(.*\n)*203\.0\.113\.99 ", admin(database, "who"))
    assert {stat.S_IMODE(door.stat().st_mode) for door in data_folder().glob(".outbid-*.sock")} == {0o600}
    with closing(Store(url_of(str(database)))) as store, store.engine.connect() as db:
        for table in metadata.sorted_tables:
            assert "203.0.113.99" not in repr(db.execute(sa.select(table)).all())


def test_a_server_that_keeps_no_addresses_says_so(tmp_path: Path):
    database = tmp_path / "tables.db"
    with closing(Store(url_of(str(database)))) as store:
        PeopleStore(store).keep(KeptName("berta", "Berta", "x"), hashed("berta"))
    with serving(database, addresses=False, base_url="http://127.0.0.1", port=(port := free_port())):
        guest = Guest(f"http://127.0.0.1:{port}")
        guest.http.get("/nowhere")
        told = admin(database, "who")
        assert "This server keeps no addresses (--no-addresses)" in told
        assert GUEST not in told + admin(database, "refusals")
        assert "This server keeps no addresses (--no-addresses)" in admin(database, "names")
    assert "No server of this database runs" in refused(database, "who")
    assert "Addresses are known to a server alone" in admin(database, "names")


def test_the_socket_of_a_process_that_was_killed_is_cleared_away(tmp_path: Path):
    database = tmp_path / "tables.db"
    process, address = start(database)
    assert httpx.get(f"{address}/livez").text == "ok"
    (left,) = data_folder().glob(f"{local._prefix(sa.make_url(url_of(str(database))))}*")
    process.kill()
    assert left.exists()
    assert "No server of this database runs" in refused(database, "who")
    assert not left.exists()


def test_an_address_is_forgotten_after_a_day_and_never_more_than_so_many_are_known():
    callers = Callers()
    for number in range(MOST + 50):
        callers.of(f"10.{number // 65536}.{number // 256 % 256}.{number % 256}").requests += 1
    assert len(callers._known) == MOST
    callers.refused("10.0.0.1", 404, "No.", "GET /")
    callers.forget(time.time() + DAY - 60)
    assert len(callers._known) == MOST
    callers.forget(time.time() + DAY + 60)
    assert (len(callers._known), len(callers.refusals)) == (0, 0)


def test_a_flood_of_refusals_floods_neither_the_log_nor_the_memory(caplog: pytest.LogCaptureFixture):
    callers = Callers()
    caplog.set_level("INFO", "outbid")
    ids = [callers.refused("10.0.0.1", 429, "Too fast.", "GET /") for _ in range(2 * NOTED)]
    assert len(set(ids[:NOTED])) == NOTED
    assert set(ids[NOTED:]) == {""}
    assert len(caplog.records) == len(callers.refusals) == NOTED
    assert callers.of("10.0.0.1").refused == 2 * NOTED


def test_a_refusal_has_an_id_by_which_the_operator_finds_it(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    database = tmp_path / "tables.db"
    with serving(database, log="json") as address:
        page = httpx.get(f"{address}/t/nowhere")
        number = re.search(r"name this number: (\w{6})<", page.text)
        assert number
        assert page.headers["Outbid-Refusal"] == number[1]
        program = httpx.get(f"{address}/t/elsewhere/seat/a-secret-of-a-seat", headers=JSON)
        assert program.json().keys() == {"error"}
        told = admin(database, "refusals", number[1])
        assert re.fullmatch(rf"{number[1]}  .* UTC  404  GET /t/nowhere  127.0.0.1\n +There is no such table here.*\n", told)
        assert program.headers["Outbid-Refusal"] in admin(database, "refusals")
        assert refused(database, "refusals", "nothing") == "No refusal 'nothing' is remembered."
        assert "a-secret" not in admin(database, "refusals")
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines() if line.startswith("{")]
    (line,) = [line for line in lines if line.get("refusal") == number[1]]
    assert (line["status"], line["said"]) == (404, f"Refused ({number[1]}): GET /t/nowhere, 404.")
    assert "127.0.0.1" not in line["said"]
    assert "a-secret" not in json.dumps(lines)


# --- the page ---------------------------------------------------------------------------------------------------------


def test_without_a_password_there_is_no_page(tmp_path: Path):
    with serving(tmp_path / "tables.db") as address:
        assert httpx.get(f"{address}/desk").status_code == 404
        for path in ("/desk/in", "/desk/say"):
            assert httpx.post(f"{address}{path}", data={"password": ""}).status_code == 404


def test_the_password_is_long_enough_and_comes_from_a_file_or_the_environment():
    with pytest.raises(BadSetup, match="at least 12"):
        Settings("sqlite://", desk="too short")
    assert PASSWORD not in repr(Settings("sqlite://", desk=PASSWORD))
    assert "--desk-password" in outbid_command("serve", "--help").stdout


def test_the_file_of_the_password_must_be_there_and_say_something(tmp_path: Path):
    for file, reason in ((tmp_path / "none", "No such file or directory"), (tmp_path / "empty", "is empty")):
        (tmp_path / "empty").touch()
        done = outbid_command("serve", "--port", 0, "--database", tmp_path / "x.db", "--desk-password", file)
        assert done.returncode == 2
        assert reason in done.stderr


def test_only_so_many_passwords_are_tried_and_guesses_from_elsewhere_lock_nobody_out(server: str):
    stranger = Guest(server, "203.0.113.200")
    answers = [stranger.post("/desk/in", password=f"guess number {n}").status_code for n in range(12)]
    assert answers[0] == 403
    assert answers[-1] == 429
    assert stranger.post("/desk/in", password=PASSWORD).status_code == 429
    assert operator(server).http.get("/desk").status_code == 200


def test_only_who_signed_in_acts_and_only_from_the_page_of_this_server(server: str):
    host, stranger = operator(server), Guest(server)
    assert "Kept names" in host.http.get("/desk").text
    assert "Kept names" not in stranger.http.get("/desk").text
    assert sentence(stranger.post("/desk/say", text="hello"), 403) == "Please sign in at the desk first."
    until = str(int(time.time()) + 1000)
    for forged in ("", "x", f"{until}.", f"{until}.{'0' * 64}", f"9{host.http.cookies['desk']}", "٣.é"):
        cookie = {"Cookie": f"desk={forged}"} if forged.isascii() else {"Cookie": f"desk={forged}".encode()}
        assert stranger.http.post("/desk/say", data={"text": "x"}, headers={**JSON, **cookie}).status_code == 403  # type: ignore[arg-type]
    foreign = {**JSON, "Origin": "http://evil.example"}
    assert host.http.post("/desk/say", data={"text": "x"}, headers=foreign).status_code == 403
    cookie = host.http.post("/desk/in", data={"password": PASSWORD}, headers=JSON).headers["set-cookie"]
    for word in ("HttpOnly", "SameSite=strict", "Path=/desk", "Max-Age=43200"):
        assert word in cookie
    host.post("/desk/out")
    assert host.post("/desk/say", text="hello").status_code == 403


def test_everything_the_operator_does_can_be_done_on_the_page_and_leaves_a_line(server: str, database: Path):
    host, guest = operator(server), Guest(server)
    assert guest.post("/name/keep", name="Paged Person", password=SEVEN).status_code == 200
    guest.order(name="Paged Person", bots="random", **SHORT)
    assert guest.post(f"/t/{guest.table}/chat", text="a line to go").status_code == 200
    page = host.http.get("/desk", params={"table": guest.table, "name": "paged"}).text
    assert page.count("Paged Person") >= 3
    assert GUEST in page[page.index('id="names"') :]
    number = re.search(r'name="line" value="(\d+)"', page)
    assert number
    acts: list[tuple[str, dict[str, Any], str]] = [
        ("ban", {"subject": OTHER, "time": "1d"}, f"{OTHER} is shut out for 1d."),
        ("unban", {"subject": OTHER}, f"{OTHER} is let in again."),
        ("say", {"text": "Hello all"}, "All pages show: Hello all"),
        ("say", {"text": ""}, "Nothing is said any more."),
        ("drain", {}, "No table is made and no match begins."),
        ("drain", {"stop": "true"}, "Tables are made and matches begin again."),
        ("password", {"name": "Paged Person"}, "The new password of Paged Person is "),
        ("rename", {"name": "Paged Person", "new": "Turned Page"}, "Paged Person is called Turned Page from now on."),
        ("take-down", {"table": guest.table, "line": number[1]}, "is taken down."),
    ]
    for act, form, done in acts:
        answer = host.http.post(f"/desk/{act}", data=form)
        assert answer.status_code == 200, answer.text
        assert done in answer.text.replace("&#34;", '"').replace('<bdi class="name">', "").replace("</bdi>", ""), act
    play_out(guest)
    assert "Please say that you are sure" in host.http.post("/desk/erase", data={"name": "Turned Page"}).text
    assert "is kept any more" in host.http.post("/desk/erase", data={"name": "Turned Page", "sure": "true"}).text
    noted = [line.split()[4:6] for line in admin(database, "audit").splitlines()][: len(acts) + 2]
    assert {who for who, _act in noted} == {"page"}
    assert [act for _who, act in reversed(noted)] == [
        "sign", "ban", "unban", "say", "say", "drain", "undrain", "password", "rename", "take", "erase"
    ]  # fmt: skip


def test_tables_are_found_by_a_part_of_the_link_the_game_or_a_name(server: str, database: Path):
    host, sought, other = operator(server), Guest(server), Guest(server, OTHER)
    sought.order(name="100% Sought_After", bots="random")
    other.order(name="Somebody Else", bots="random", game="rivals", preset="tiny")
    for part in ("sought", "100%", "T_AFT", sought.table, sought.table[3:9]):
        page = host.http.get("/desk", params={"search": part, "table": sought.table}).text
        assert f'href="/t/{sought.table}"' in page
        assert f'href="/t/{other.table}"' not in page
        assert sought.table in admin(database, "tables", part)
        assert other.table not in admin(database, "tables", part)
    assert other.table in admin(database, "tables", "RIVALS")
    assert sought.table not in admin(database, "tables", "rivals")
    assert "There is no such table." in host.http.get("/desk", params={"search": "0%S"}).text
    answer = host.http.get("/desk", params={"search": "<i>%&"}).text
    assert 'value="&lt;i&gt;%&amp;"' in answer
    assert sentence(host.http.get("/desk", params=[("search", "a"), ("search", "b")], headers=JSON), 400)


def test_what_cannot_be_done_is_one_sentence_and_leaves_no_line(server: str, database: Path):
    host, before = operator(server), admin(database, "audit")
    for act, form in (
        ("ban", {"subject": "127.0.0.1"}), ("ban", {"subject": f"{HOST}/24"}), ("ban", {}),
        ("unban", {"subject": OTHER}), ("say", {"text": "x" * 301}),
        ("password", {"name": "Nobody Here"}), ("rename", {"name": "Nobody Here", "new": "X"}), ("drain", {"stop": "maybe"}),
        ("take-down", {"table": "nowhere", "line": "1"}), ("take-down", {"table": "nowhere", "line": "x" * 99}),
        ("erase", {"name": "Nobody Here", "sure": "true"}), ("ban", {"subject": OTHER, "time": "soon"}),
    ):  # fmt: skip
        assert sentence(host.post(f"/desk/{act}", **form), 400)
        assert 'class="panel' in host.http.post(f"/desk/{act}", data=form).text
    assert host.post("/desk/everything").status_code == 404
    assert admin(database, "audit") == before


@pytest.mark.parametrize(
    ("address", "subject"), [(HOST, HOST), (HOST, f"{HOST}/24"), ("2001:db8:1:2::9", "2001:db8:1:2::1")]
)
def test_the_page_does_not_shut_out_the_address_one_comes_from_and_says_what_does(
    server: str, database: Path, address: str, subject: str
):
    host, before = operator(server, address=address), admin(database, "bans")
    assert "only `outbid admin ban` shuts that out" in sentence(host.post("/desk/ban", subject=subject), 400)
    assert admin(database, "bans") == before


def test_acts_are_in_the_log_without_whom_they_were_about(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    database = tmp_path / "tables.db"
    with serving(database, log="json") as address:
        admin(database, "ban", GUEST)
        admin(database, "drain")
        until(lambda: httpx.get(f"{address}/readyz").status_code == 503)
    said = capfd.readouterr().err
    assert "The operator: ban (cli, line 1 of the audit)." in said
    assert "The operator: drain (cli, line 2 of the audit)." in said
    assert GUEST not in said


def test_orders_outlive_a_restart_and_are_given_while_no_server_runs(tmp_path: Path):
    database = tmp_path / "tables.db"
    with closing(Store(url_of(str(database)))):
        pass
    admin(database, "ban", GUEST)
    admin(database, "say", "We are back soon.")
    with serving(database, base_url="http://127.0.0.1", port=(port := free_port())):
        assert Guest(f"http://127.0.0.1:{port}").http.get("/").status_code == 403
        assert "We are back soon." in Guest(f"http://127.0.0.1:{port}", OTHER).http.get("/").text


# --- several processes, and in a browser ------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_process_on_one_postgresql_obeys_within_seconds_and_says_who_asks_it(cluster: Cluster):
    url = cluster.database()
    ports = [free_port(), free_port()]
    processes = [start(url, port=port, base_url="http://127.0.0.1", desk=PASSWORD)[0] for port in ports]
    try:
        guests = [Guest(f"http://127.0.0.1:{port}") for port in ports]
        other = Guest(f"http://127.0.0.1:{ports[1]}", OTHER)
        guests[0].order(bots="random")
        guests[1].table = other.table = guests[0].table
        with guests[0].watch() as here, guests[1].watch() as there:
            for line in (here, there):
                hear(line, "regions")
            admin(url, "say", "Hello to both")
            for line in (here, there):
                while "Hello to both" not in json.dumps(hear(line, "regions")):
                    pass
            begun = time.monotonic()
            host = Guest(f"http://127.0.0.1:{ports[0]}", HOST)
            assert host.post("/desk/in", password=PASSWORD).status_code == 200
            assert host.post("/desk/ban", subject=GUEST).status_code == 200
            assert ended(here) == ended(there) == CLOSED
            assert time.monotonic() - begun < 60  # two looks of 2 s, on a machine that may be busy
        assert [guest.http.get("/").status_code for guest in guests] == [403, 403]
        assert other.now()["you"] == -1
        cookie = {"desk": host.http.cookies["desk"]}  # the other process knows the operator, too
        assert "Kept names" in httpx.get(f"http://127.0.0.1:{ports[1]}/desk", cookies=cookie).text
        reports = json.loads(admin(url, "who", "--json"))
        assert {report["process"] for report in reports} == {process.pid for process in processes}
        assert all(GUEST in [row["address"] for row in report["callers"]] for report in reports)
    finally:
        for process in processes:
            stop(process)


@pytest.mark.browser
@pytest.mark.slow
def test_the_page_fits_and_works_in_a_browser_and_axe_finds_nothing_serious(server: str, database: Path, browser):
    guest = Guest(server)
    guest.post("/name/keep", name="Somebody With A Name", password=SEVEN)
    guest.order(name="Somebody With A Name", bots="random")
    guest.post(f"/t/{guest.table}/chat", text="a line that is to go")
    guest.http.get("/nowhere")
    with visitor(browser, PHONE, reduced_motion="reduce") as page:
        page.goto(f"{server}/desk")
        fits(page)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.get_by_label("On every page and table").fill("Restart at 22:00.")
        page.get_by_role("button", name="Say it").click()
        page.wait_for_selector(".banner.notice:has-text('Restart at 22:00.')")
        page.goto(f"{server}/t/{guest.table}")
        page.wait_for_selector("#notice:not([hidden])")
        page.goto(f"{server}/desk?table={guest.table}")
        page.get_by_role("button", name="Take down").click()
        page.wait_for_selector("[role=status]:has-text('is taken down')")
        found = [line for view in VIEWS for line in examined(page, *view, opened=True)]
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        fits(page)
        page.get_by_label("On every page and table").fill("")
        page.get_by_role("button", name="Say it").click()
        page.wait_for_selector("[role=status]:has-text('Nothing is said')")
    assert not found, "\n".join(found)
