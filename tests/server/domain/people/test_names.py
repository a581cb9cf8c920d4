"""Names that are kept with a password: nobody needs one, and whoever has one has its seats everywhere."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

import outbid
from outbid.core.errors import BadSetup, OutbidError
from outbid.core.language.names import key_of
from outbid.server.domain.people.chat import Chat
from outbid.server.domain.people.names import Names
from outbid.server.domain.setup import nickname
from outbid.server.rate_limits import Limits
from outbid.server.settings import Rate, Refused, Settings
from outbid.server.storage.notifications import Unreachable
from outbid.server.storage.opening import url_of
from outbid.server.storage.people import PeopleStore
from outbid.server.storage.store import Store
from outbid.server.stored import KeptName
from outbid.server.tokens import hashed
from outbid.server.web.app import create_app
from tests.support.browsing import PHONE, expect, fits, visitor
from tests.support.serving import JSON, QUICK, SHORT, Person, hear, line_to, people, play_out, sentence, serving, some_move

pytestmark = pytest.mark.slow

PASSWORD, OTHER = "seven red cows", "eight blue pigs"


def ask(person: Person, path: str, **fields: str) -> httpx.Response:
    """A form, sent by a program."""
    return person.http.post(path, data=fields, headers=JSON)


def keep(person: Person, name: str, password: str = PASSWORD) -> None:
    """Keep a name."""
    answer = ask(person, "/name/keep", name=name, password=password)
    assert answer.status_code == 200, answer.text


def order(name: str, **fields: Any) -> dict[str, Any]:
    """The form of a new table."""
    return {"game": "kuhhandel", "players": "3", "name": name, "bots": "open", **fields}


# --- what is promised -------------------------------------------------------------------------------------------------


def test_who_types_a_kept_name_at_a_full_table_is_told_that_it_is_full(address: str):
    with people(address, 3) as (ada, ben, cleo):
        keep(ada, "Augusta")
        ben.order(name="Ben", bots="random")
        for headers in (JSON, {}):
            answer = cleo.http.post(f"/t/{ben.table}/join", data={"name": "Augusta"}, headers=headers)
            assert answer.status_code == 409
            assert "All seats of this table are taken; you may watch." in answer.text
        keep(cleo, "Cleopatra")
        assert ask(cleo, f"/t/{ben.table}/join", name="Cleopatra").status_code == 409


def test_nobody_needs_an_account(address: str):
    with people(address) as (ada, ben):
        ada.order(name="Nobody", bots="open")
        ben.join(ada.table, "Somebody")
        assert list(ada.http.cookies) == ["browser"]
        assert ben.now()["you"] == 1


def test_whoever_keeps_a_name_is_the_only_one_who_sits_down_under_it(address: str):
    with people(address, 3) as (ada, ben, cy):
        keep(ada, "Ada  Lovelace")
        for name in ("Ada Lovelace", " ada LOVELACE", "Ａda Lovelace"):
            said = sentence(ben.http.post("/tables", data=order(name), headers=JSON), 403)
            assert said.startswith("The name Ada Lovelace is kept with a password on this server; sign in with it")
        ben.order(name="Ben", bots="open")
        assert "kept with a password" in sentence(ask(cy, f"/t/{ben.table}/join", name="ada lovelace"), 403)
        ada.join(ben.table, "Ada Lovelace")
        assert ada.now()["seats"][1]["name"] == "Ada Lovelace"


def test_nobody_sits_down_watches_or_makes_a_table_under_a_name_that_looks_like_anothers(address: str):
    with people(address, 3) as (ada, ben, cy):
        keep(ada, "Rosalind")
        for name in ("Rosa\ufe0flind", "Rosa\u3164lind", "Rosalind\u034f", "Rosalind\u2800", "Rоsalind", "RosaIind"):
            assert ben.http.post("/tables", data=order(name), headers=JSON).status_code in (400, 403)
            assert ask(ben, "/name/keep", name=name, password=OTHER).status_code in (400, 409)
        ben.order(name="Berta", bots="open")
        for name in ("Ｂerta", "Berta\ufe0f", "Bert\u034fa", "Вerta", "You", "du", "steady", "Stark", "Bot 1", "\u3164"):
            sentence(ask(cy, f"/t/{ben.table}/join", name=name), 400)
            sentence(ask(cy, f"/t/{ben.table}/chat", name=name, text="hello"), 400)
        for name in ("You", "steady", "Bot 1"):
            sentence(cy.http.post("/tables", data=order(name), headers=JSON), 400)
        cy.join(ben.table, "می\u200cنا")
        assert cy.now()["seats"][1]["name"] == "می\u200cنا"


BOTS_CALLED = [
    "easy:farmer", "Farmer", "steady bot", "Bot, stark", "strong*0.1", "net@x", "steady:me", "“Strong”", "Strong Bots 2",
    "Shark.", "early-bird", "A farmer", "ein Bauer", "Hai", "Bauer!", "Poker Face", "Early bird",
]  # fmt: skip


def test_nobody_is_called_as_bots_are_whatever_signs_stand_around():
    for name in BOTS_CALLED:
        with pytest.raises(BadSetup, match="the table uses that word itself"):
            nickname(name, 24, [])
    for name in ("Easy Rider", "Farmer Ann", "Bothilde", "Mr. T", "Ann (2)", "50:50", "¯\\_(ツ)_/¯", "Strongbow", "Haiko"):
        assert nickname(name, 24, []) == name


def test_a_kept_name_that_would_be_refused_today_is_still_its_owners(names: Names):
    async def played() -> None:
        for key, name in (("ada\ufe0f", "Ada\ufe0f"), ("steady", "steady"), ("ada", "Ada")):
            hashed = await names._made(PASSWORD)
            names.people.keep(KeptName(key, name, hashed), f"device of {name}")
            device = await names.sign_in(name, PASSWORD, "127.0.0.1")
            mine = names.of(device)
            assert mine is not None
            assert mine.name == name
            assert names.check(name, device) == key
            assert nickname(name, 24, ["Ben"], key) == name
            with pytest.raises(Refused, match="kept with a password"):
                names.check(name, None)

    asyncio.run(played())


def test_who_keeps_a_name_that_bots_have_today_fills_in_sheets_and_speaks_where_they_watch(address: str, database: Path):
    with people(address) as (ada, ben):
        with closing(Store(url_of(str(database)))) as store:
            PeopleStore(store).keep(KeptName("explorer", "Explorer", "hash"), hashed("the device of Explorer"))
        sheet = {"name": "Explorer", "players": "3", "bots": "open"}
        ben.order(bots="open")
        for refused in ("name", ""):
            errors = ask(ada, "/new/claim/judge", **sheet).json()["errors"]
            assert list(errors) == [refused] * bool(refused)
            made = ask(ada, "/new/claim", **sheet)
            assert made.status_code == (400 if refused else 201), made.text
            said = ask(ada, f"/t/{ben.table}/chat", name="Explorer", text="I watch")
            assert said.status_code == (403 if refused else 200), said.text
            sentence(ask(ada, f"/t/{ben.table}/chat", name="Banker", text="I am a bot"), 400)
            ada.http.cookies.set("signed-in", "the device of Explorer")


def test_a_name_is_kept_once_and_a_browser_without_it_changes_nothing(address: str):
    with people(address) as (ada, ben):
        keep(ada, "Once")
        assert "kept by somebody already" in sentence(ask(ben, "/name/keep", name="ONCE", password=OTHER), 409)
        sentence(ask(ben, "/name/password", old=PASSWORD, password=OTHER), 403)
        sentence(ask(ben, "/name/give-up", password=PASSWORD), 403)
        assert ada.http.get("/name", headers=JSON).json() == {"name": "Once"}
        assert ben.http.get("/name", headers=JSON).json() == {"name": None}


def test_signing_in_on_another_device_brings_back_all_seats_of_the_name(address: str):
    with people(address) as (desk, phone):
        desk.order(name="Dora", bots="open")  # before she kept the name
        early = desk.table
        keep(desk, "Dora")
        desk.order(name="Dora", bots="random")
        assert "Your tables" not in phone.http.get("/").text
        assert ask(phone, "/name/in", name="dora", password=PASSWORD).status_code == 200
        home = phone.http.get("/").text
        for table in (early, desk.table):
            assert f'href="/t/{table}"' in home
            phone.table = table
            assert phone.now()["you"] == 0
        with line_to(phone) as line:
            assert "yours" in hear(line, "regions")
        seen = phone.asked()
        assert phone.send(some_move(seen, random.Random(1)), seen["decision"]).json()["ok"]
        assert "sign in with it on the other device" in phone.http.get(f"/t/{phone.table}/seat").text


def test_signing_in_shows_no_seat_of_another_who_was_called_the_same(address: str):
    with people(address, 3) as (early, ada, phone):
        early.order(name="Eva", bots="open")
        keep(ada, "Eva")
        assert early.now()["you"] == 0
        ask(phone, "/name/in", name="Eva", password=PASSWORD)
        for person in (ada, phone):
            person.table = early.table
            assert person.now()["you"] == -1


def test_a_wrong_password_and_an_unknown_name_are_refused_in_the_same_words(address: str):
    with people(address) as (ada, ben):
        keep(ada, "Frida")
        said = {
            sentence(ask(ben, "/name/in", name="Frida", password=OTHER), 403),
            sentence(ask(ben, "/name/in", name="Nobody else", password=OTHER), 403),
            sentence(ask(ben, "/name/in", name="", password=""), 403),
        }
        assert said == {"The name and the password do not belong together."}


def test_the_password_is_changed_by_who_knows_it_and_all_other_devices_are_signed_out(address: str):
    with people(address, 3) as (desk, phone, other):
        keep(desk, "Gerd")
        ask(phone, "/name/in", name="Gerd", password=PASSWORD)
        sentence(ask(desk, "/name/password", old=OTHER, password="long enough"), 403)
        assert ask(desk, "/name/password", old=PASSWORD, password=OTHER).status_code == 200
        assert desk.http.get("/name", headers=JSON).json() == {"name": "Gerd"}
        assert phone.http.get("/name", headers=JSON).json() == {"name": None}
        sentence(ask(other, "/name/in", name="Gerd", password=PASSWORD), 403)
        assert ask(other, "/name/in", name="Gerd", password=OTHER).status_code == 200


def test_a_name_that_is_given_up_is_anybodys_and_the_seats_stay_with_their_browsers(address: str):
    with people(address) as (ada, ben):
        keep(ada, "Hugo")
        ada.order(name="Hugo", bots="open")
        sentence(ask(ada, "/name/give-up", password=OTHER), 403)
        assert ask(ada, "/name/give-up", password=PASSWORD).status_code == 200
        assert ada.now()["you"] == 0
        ben.order(name="Hugo")
        sentence(ask(ben, "/name/in", name="Hugo", password=PASSWORD), 403)
        keep(ben, "hugo", OTHER)


def test_a_name_gets_all_that_is_kept_of_it_and_can_have_it_erased(address: str, database: Path):
    with people(address) as (ada, ben):
        keep(ada, "Zenobia Zephyr")
        sentence(ben.http.get("/name/data", headers=JSON), 403)
        ada.order(**SHORT, name="Zenobia Zephyr", bots="random,random")
        assert ask(ada, f"/t/{ada.table}/chat", text="Zebras everywhere").status_code == 200
        assert ask(ada, f"/t/{ada.table}/notes", text="Zorillas bluff").status_code == 200
        table = ada.table
        there = ada.http.get("/name/data", headers=JSON).json()
        assert (there["name"], there["ladder"], len(there["signed_in"])) == ("Zenobia Zephyr", False, 1)
        (seat,) = there["seats"]
        assert (seat["table"], seat["seat"], seat["game"]) == (table, 0, "kuhhandel")
        assert [one["text"] for one in seat["said"]] == ["Zebras everywhere"]
        assert seat["notes"] == "Zorillas bluff"
        assert "1 table" in sentence(ask(ada, "/name/give-up", password=PASSWORD, erase="true"), 409)
        assert ada.http.get("/name", headers=JSON).json() == {"name": "Zenobia Zephyr"}
        play_out(ada)
        sentence(ask(ada, "/name/give-up", password=OTHER, erase="true"), 403)
        assert ask(ada, "/name/give-up", password=PASSWORD, erase="true").status_code == 200
        ben.table = table
        assert ben.now()["view"]["names"][0] == "Player 1"
        assert ada.now()["you"] == -1
        record = ben.http.get(f"/t/{table}/record", headers=JSON).json()
        assert outbid.read_record(record).over
        keep(ben, "Zenobia Zephyr", OTHER)
        assert ben.http.get("/name/data", headers=JSON).json()["seats"] == []
        ask(ben, "/name/give-up", password=OTHER)
    with closing(sqlite3.connect(database)) as db:
        left = "\n".join(line for line in db.iterdump() if "INSERT" in line)
    assert table in left
    assert "Zenobia" not in left
    assert "Zebras" not in left
    assert "Zorillas" not in left


def test_what_a_name_said_where_it_watched_is_its_own_and_goes_with_it(address: str, database: Path):
    with people(address) as (ada, eve):
        ada.order(bots="open")
        keep(eve, "Xanthippe Quill")
        talk = f"/t/{ada.table}/chat"
        assert ask(eve, talk, text="Quaggas graze", name="Eve").status_code == 200
        there = eve.http.get("/name/data", headers=JSON).json()
        assert [(one["table"], one["text"]) for one in there["said_elsewhere"]] == [(ada.table, "Quaggas graze")]
        assert there["seats"] == []
        assert ask(eve, "/name/give-up", password=PASSWORD, erase="true").status_code == 200
        assert eve.http.get(talk, headers=JSON).json()["messages"] == []
        assert ada.now()["table"]["status"] == "open"
        keep(eve, "Xanthippe Quill")
        assert ask(eve, talk, text="Gnus, too", name="Eve").status_code == 200
        assert ask(eve, "/name/give-up", password=PASSWORD).status_code == 200
        keep(eve, "Xanthippe Quill")  # a name that was free is another person's
        assert eve.http.get("/name/data", headers=JSON).json()["said_elsewhere"] == []
    with closing(sqlite3.connect(database)) as db:
        assert db.execute("select text from chat where table_id = ?", (ada.table,)).fetchall() == [("Gnus, too",)]


def test_who_has_erased_a_name_is_told_so_also_if_the_database_does_not_answer_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def unreachable(_chat: Chat) -> None:
        raise Unreachable

    app = create_app(Settings(url_of(str(tmp_path / "tables.db")), daily={}))
    with TestClient(app, "http://127.0.0.1", headers=JSON) as http:
        table = http.post("/tables", data=order("Ada")).json()["table"]
        http.cookies.clear()
        assert http.post("/name/keep", data={"name": "Xerxes Quill", "password": PASSWORD}).status_code == 200
        assert http.post(f"/t/{table}/chat", data={"text": "Quaggas", "name": "Eve"}).status_code == 200
        monkeypatch.setattr(Chat, "look_again", unreachable)
        gone = http.post("/name/give-up", data={"password": PASSWORD, "erase": "true"})
        assert gone.json() == {"ok": True}
        assert "signed-in" not in http.cookies


def test_what_was_said_before_messages_had_owners_is_of_whose_the_seat_is(address: str, database: Path):
    with people(address) as (ada, _):
        keep(ada, "Wilma Older")
        ada.order(name="Wilma Older", bots="open")
        assert ask(ada, f"/t/{ada.table}/chat", text="Once").status_code == 200
        with closing(sqlite3.connect(database)) as db, db:
            assert db.execute("update chat set owner = null where owner = 'wilma older'").rowcount == 1
        (seat,) = ada.http.get("/name/data", headers=JSON).json()["seats"]
        assert [one["text"] for one in seat["said"]] == ["Once"]


def test_what_a_guest_said_before_the_match_is_not_of_who_sits_there_later_nor_goes_with_them(address: str):
    with people(address, 3) as (ada, guest, yves):
        ada.order(bots="open")
        talk = f"/t/{ada.table}/chat"
        guest.join(ada.table, "Gustav")
        assert ask(guest, talk, text="Gone soon").status_code == 200
        assert ask(guest, f"/t/{ada.table}/leave").status_code == 200
        keep(yves, "Yves Later")
        yves.join(ada.table, "Yves Later")
        assert ask(yves, talk, text="Here now").status_code == 200
        (seat,) = yves.http.get("/name/data", headers=JSON).json()["seats"]
        assert [one["text"] for one in seat["said"]] == ["Here now"]
        guest.join(ada.table, "Gustav Stays")  # who keeps a name later has what was said from the seat
        assert ask(guest, talk, text="Back again").status_code == 200
        keep(guest, "Gustav Stays")
        (seat,) = guest.http.get("/name/data", headers=JSON).json()["seats"]
        assert [one["text"] for one in seat["said"]] == ["Back again"]


def test_who_signs_out_leaves_no_seat_of_the_name_in_the_browser(address: str):
    with people(address) as (ada, _):
        keep(ada, "Ida")
        ada.order(name="Ida", bots="open")
        mine = ada.table
        ada.order(name="Somebody else", bots="open")
        other = ada.table
        assert ask(ada, "/name/out").status_code == 200
        for table, seat in ((mine, -1), (other, 0)):
            ada.table = table
            assert ada.now()["you"] == seat
        ask(ada, "/name/in", name="Ida", password=PASSWORD)
        ada.table = mine
        assert ada.now()["you"] == 0


@pytest.mark.parametrize(
    ("name", "password", "status"),
    [("", PASSWORD, 400), ("x" * 25, PASSWORD, 400), ("a\u202eb", PASSWORD, 400), ("You", PASSWORD, 400),
     ("guest", PASSWORD, 400), ("Karl", "short", 400), ("Karl", "x" * 201, 400), ("karl der große", "Karl der Große", 400)],
)  # fmt: skip
def test_a_name_or_a_password_that_cannot_be_is_one_sentence_and_changes_nothing(
    address: str, name: str, password: str, status: int
):
    with people(address) as (ada, _):
        sentence(ask(ada, "/name/keep", name=name, password=password), status)
        assert ada.http.get("/name", headers=JSON).json() == {"name": None}


def test_the_database_holds_argon2id_and_neither_password_nor_secret(tmp_path: Path):
    database = tmp_path / "tables.db"
    with serving(database, hashes=True) as address, people(address) as (ada, _):
        keep(ada, "Lena", "a very secret password")
        secret = ada.http.cookies["signed-in"]
    assert len(secret) >= 22  # 128 bits
    with closing(sqlite3.connect(database)) as db:
        (stored,) = db.execute("select password from names where name = 'Lena'").fetchone()
    assert stored.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    raw = b"".join(path.read_bytes() for path in database.parent.iterdir())
    assert b"a very secret password" not in raw
    assert secret.encode() not in raw


def test_the_cookie_of_a_name_is_httponly_and_lax(address: str):
    with people(address) as (ada, _):
        cookie = ask(ada, "/name/keep", name="Mia", password=PASSWORD).headers["set-cookie"].lower()
        assert cookie.startswith("signed-in=")
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        forged = Person(address)
        forged.http.cookies.set("signed-in", "A" * 22)
        assert forged.http.get("/name", headers=JSON).json() == {"name": None}
        forged.http.close()


# --- how ----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def names(tmp_path: Path) -> Iterator[Names]:
    """The kept names of a database, without a server."""
    settings = Settings(url_of(str(tmp_path / "tables.db")), passwords=Rate(3, 0.01))
    store = Store(settings.database)
    yield Names(store, settings, Limits(settings))
    store.close()


def test_as_much_work_is_done_whether_there_is_such_a_name_or_not(names: Names, monkeypatch: pytest.MonkeyPatch):
    done: list[str] = []
    verified = names._verified

    def counting(known: str, password: str) -> bool:
        done.append(known.rpartition("$")[0].rpartition("$")[0])
        return verified(known, password)

    monkeypatch.setattr(names, "_verified", counting)

    async def tried() -> None:
        await names.keep("Ada", PASSWORD, "192.0.2.1")
        for name, password in (("Ada", OTHER), ("Nobody", OTHER)):
            with pytest.raises(Refused):
                await names.sign_in(name, password, "192.0.2.2")

    asyncio.run(tried())
    assert len(done) == 2
    assert len(set(done)) == 1  # the same kind of hash with the same parameters


def test_hashing_does_not_hold_up_the_table(names: Names):
    async def longest_pause() -> float:
        hashing = asyncio.create_task(names.keep("Ada", PASSWORD, "192.0.2.1"))
        pauses, last = [0.0], time.perf_counter()
        while not hashing.done():
            await asyncio.sleep(0)
            pauses.append(time.perf_counter() - last)
            last = time.perf_counter()
        assert await hashing
        assert len(pauses) > 100
        return sorted(pauses)[-len(pauses) // 20]

    assert asyncio.run(longest_pause()) < 0.02


def test_only_so_many_passwords_are_tried_from_an_address_and_for_a_name(names: Names):
    names._hasher = QUICK()
    async def refusals(name: str, address: str, times: int) -> list[int]:
        found: list[int] = []
        for _ in range(times):
            with pytest.raises(Refused) as refused:
                await names.sign_in(name, OTHER, address)
            found.append(refused.value.status)
            assert refused.value.status != 429 or refused.value.retry
        return found

    async def tried() -> None:
        assert await refusals("Ada", "192.0.2.1", 4) == [403, 403, 403, 429]
        assert await refusals("Ben", "192.0.2.1", 1) == [429]  # the address has had enough
        assert await refusals("ada", "192.0.2.2", 1) == [403]  # but the name is for others to sign in with
        assert await refusals("Ben", "127.0.0.1", 4) == [403, 403, 403, 429]

    asyncio.run(tried())


def test_guesses_from_elsewhere_keep_nobody_from_a_kept_name(names: Names):
    names._hasher = QUICK()

    async def guess(address: str) -> int:
        with pytest.raises(Refused) as refused:
            await names.sign_in("Ada", OTHER, address)
        return refused.value.status

    async def tried() -> None:
        device = await names.keep("Ada", PASSWORD, "192.0.2.1")
        for number in range(14):
            assert await guess(f"192.0.2.{10 + number}") == 403
            assert await names.sign_in("Ada", PASSWORD, "192.0.2.1")
        await names.sign_out(device)
        while await guess("192.0.2.1") != 429:  # somebody in her own house
            pass
        with pytest.raises(Refused):
            await names.sign_in("Ada", PASSWORD, "192.0.2.1")
        with pytest.raises(Refused):
            await names.sign_in("Ada", PASSWORD, "192.0.2.1", "a device that never was")
        assert await names.sign_in("Ada", PASSWORD, "192.0.2.1", device)  # where she was signed in before
        with pytest.raises(Refused, match="do not belong together"):
            await names.sign_in("Ada", OTHER, "192.0.2.1", device)
        wrong = [await _status(names.sign_in("Ada", OTHER, "192.0.2.1", device)) for _ in range(4)]
        assert wrong[-1] == 429  # nor does it guess for ever
        ben = await names.keep("Ben", PASSWORD, "192.0.2.2")
        with pytest.raises(Refused):
            await names.sign_in("Ada", PASSWORD, "192.0.2.1", ben)  # of another name it is a stranger
        signed_in = await names.sign_in("Ada", PASSWORD, "192.0.2.3")
        await names.change(signed_in, PASSWORD, OTHER, "192.0.2.3")
        assert not names.people.knows("ada", hashed(device))  # whoever has it knew the old password

    asyncio.run(tried())


async def _status(work: Any) -> int:
    try:
        await work
    except Refused as refused:
        return refused.status
    return 200


def test_who_signs_out_is_known_on_this_device_and_by_nothing_else(tmp_path: Path):
    database = tmp_path / "tables.db"
    with serving(database, limits={"passwords": (2, 0.0001)}) as address, people(address) as (ada, eve):
        assert ask(ada, "/name/keep", name="Ada", password=PASSWORD).status_code == 200
        secret = ada.http.cookies["signed-in"]
        assert ask(ada, "/name/out").status_code == 200
        assert list(ada.http.cookies) == ["known"]
        assert ada.http.get("/name", headers=JSON).json() == {"name": None}
        for name in ("signed-in", "known", "browser"):
            eve.http.cookies.set(name, secret)
        assert eve.http.get("/name", headers=JSON).json() == {"name": None}
        while ask(Person(address), "/name/in", name="Ada", password=OTHER).status_code != 429:
            pass
        assert ask(Person(address), "/name/in", name="Ada", password=PASSWORD).status_code == 429
        assert ask(ada, "/name/in", name="Ada", password=PASSWORD).status_code == 200
        assert len(ada.http.get("/name/data").json()["signed_out"]) == 1
        with closing(sqlite3.connect(database)) as db:
            assert secret not in str(db.execute("select * from known_devices").fetchall())
        assert ask(ada, "/name/give-up", password=PASSWORD, erase="true").status_code == 200
        with closing(sqlite3.connect(database)) as db:
            assert db.execute("select * from known_devices").fetchall() == []


def test_a_right_password_does_not_count_as_an_attempt(names: Names):
    names._hasher = QUICK()
    async def tried() -> None:
        await names.keep("Ada", PASSWORD, "192.0.2.1")
        for _ in range(6):
            assert await names.sign_in("Ada", PASSWORD, "192.0.2.1")

    asyncio.run(tried())


def test_two_who_keep_a_name_at_the_same_moment_have_it_once(names: Names):
    async def tried() -> list[Any]:
        both = (names.keep("Ada", PASSWORD, "192.0.2.1"), names.keep("ADA", OTHER, "192.0.2.2"))
        return await asyncio.gather(*both, return_exceptions=True)

    found = asyncio.run(tried())
    assert sorted(isinstance(one, OutbidError) for one in found) == [False, True]


def test_a_deleted_table_is_no_seat_of_the_name(address: str, database: Path):
    with people(address) as (ada, _):
        keep(ada, "Nora")
        ada.order(name="Nora", bots="open")
        assert ask(ada, f"/t/{ada.table}/delete").status_code == 200
    with closing(Store(url_of(str(database)))) as store:
        assert PeopleStore(store).tables(key_of("Nora")) == []


def test_the_log_says_neither_password_nor_secret():
    from outbid.server.logging import blotted

    assert "abc" not in blotted("cookie: signed-in=abc; seat-x7=abc")


# --- on the page --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("script", [True, False])
def test_a_name_is_kept_changed_and_given_up_on_its_page(browser, address: str, script: bool):
    name = f"Olga {script}"
    with visitor(browser, PHONE, script) as page:
        page.goto(address)
        page.get_by_role("link", name="Keep your name").click()
        page.locator("#keep-name").fill(name)
        page.locator("#keep-password").fill(PASSWORD)
        page.get_by_role("button", name="Keep this name").click()
        page.get_by_role("link", name=f"You are signed in as {name}").click()
        page.locator("#old").fill(PASSWORD)
        page.locator("#new").fill(OTHER)
        page.get_by_role("button", name="Change it").click()
        page.get_by_role("button", name="Sign out").click()
        page.locator("#in-name").fill(name)
        page.locator("#in-password").fill(OTHER)
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("link", name=f"You are signed in as {name}").click()
        fits(page)
        page.locator("#sure").fill(OTHER)
        page.get_by_role("button", name="Give it up").click()
        expect(page.locator("#keep-name")).not_to_have_count(0)
