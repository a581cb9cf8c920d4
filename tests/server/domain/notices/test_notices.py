"""Notices when it is somebody's turn: through a real SMTP server and a real web hook, with consent, and never twice."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import socket
import time
import zoneinfo
from contextlib import closing
from dataclasses import replace
from datetime import datetime

import pytest

from outbid.core.errors import BadSetup
from outbid.server.domain.background import Background
from outbid.server.domain.notices.delivery import (
    Hook,
    Later,
    Letter,
    Mail,
    Never,
    checked_mail,
    own,
    public,
    signature,
    silent,
)
from outbid.server.domain.notices.notifier import LANES, Notifier
from outbid.server.domain.setup import Order, made
from outbid.server.domain.tables import Tables
from outbid.server.rate_limits import Limits
from outbid.server.settings import Settings
from outbid.server.storage.notices import LEASE, PAUSES, Notices, Owner
from outbid.server.storage.schema import letters, notices
from outbid.server.storage.store import Store
from outbid.server.stored import HOOK, Notice, Turn, zone
from tests.support.noticing import ADA, confirmed, link, move, quiet_time, rivals, to_move, told, wish
from tests.support.serving import JSON, get, line_to, people, post, sentence, serving, until

pytestmark = pytest.mark.slow

# --- by mail ----------------------------------------------------------------------------------------------------------


def test_a_turn_is_told_once_by_mail_after_consent_and_not_after_stopping(tmp_path, box):
    inbox, smtp = box
    with told(tmp_path / "tables.db", smtp) as address, people(address) as (ada, ben):
        rivals(ada, ben)
        if to_move(ada, ben)[0] is ada:  # she shall be asked later, when she is away
            move(ada)
        assert wish(ada, mail=ADA).status_code == 200
        asked = inbox.mail(0)
        assert (asked["To"], asked["Auto-Submitted"]) == (ADA, "auto-generated")
        assert "Ada" not in inbox.text(0)  # whoever gets it unasked reads nothing that a stranger chose
        while to_move(ada, ben)[0] is ben:
            move(ben)
        quiet_time(inbox)  # it is her turn, and she has not confirmed
        confirm = link(inbox.text(0), "confirm")
        assert get(confirm).status_code == 200  # a program looks through her mails
        quiet_time(inbox)
        assert post(confirm).status_code == 200
        letter = inbox.mail(1)
        text = inbox.text(1)
        assert letter["Subject"] == "Your turn · Rivals with Ben"  # it names the opponent, not the reader
        assert f"{address}/t/{ada.table}\n" in text
        assert "/seat/" not in text
        assert ada.token not in text
        quiet_time(inbox)  # once a turn
        move(ada)
        while to_move(ada, ben)[0] is ben:
            move(ben)
        inbox.mail(2)  # the next turn is another one
        one_click = str(letter["List-Unsubscribe"]).strip("<>")
        assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert get(one_click).status_code == 200
        assert post(one_click, files={"List-Unsubscribe": (None, "One-Click")}).status_code == 200
        assert post(one_click).status_code == 200  # again does no harm
        assert ada.http.get("/notices", headers=JSON).json() == {}
        move(ada)
        while to_move(ada, ben)[0] is ben:
            move(ben)
        quiet_time(inbox)


def test_nothing_comes_while_the_person_is_there(tmp_path, box):
    inbox, smtp = box
    with told(tmp_path / "tables.db", smtp) as address, people(address) as (ada, ben):
        rivals(ada, ben)
        with line_to(ada):  # her page is open
            confirmed(inbox, ada)
            while to_move(ada, ben)[0] is ben:
                move(ben)
            quiet_time(inbox)
        assert f"/t/{ada.table}\n" in inbox.text(1)  # she has left


def test_letters_speak_german_and_say_it_to_the_kept_name(tmp_path, box):
    inbox, smtp = box
    with told(tmp_path / "tables.db", smtp) as address, people(address) as (ada, ben):
        rivals(ada, ben)
        while to_move(ada, ben)[0] is ben:
            move(ben)
        ada.http.cookies.set("language", "de")
        kept = ada.http.post("/name/keep", data={"name": "Ada", "password": "seven red cows"}, headers=JSON)
        assert kept.status_code == 200
        confirmed(inbox, ada)
        letter = inbox.mail(1)
        assert letter["Subject"] == "Du bist dran · Rivals mit Ben"
        assert inbox.mails[0]["Subject"].startswith("Bitte bestätige")
        everything = ada.http.get("/name/data").json()
        assert [one["address"] for one in everything["notices"]] == [ADA]
        gone = ada.http.post("/name/give-up", data={"password": "seven red cows"}, headers=JSON)
        assert gone.status_code == 200
        store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
        with closing(store):
            assert not Notices(store).of(Owner(name="ada"))


@pytest.mark.slow
def test_a_restart_loses_no_notice_and_several_tables_share_a_letter_that_is_tried_again(tmp_path, box):
    inbox, smtp = box
    database = tmp_path / "tables.db"
    with told(database, smtp, {"notice_after": 3600.0}) as address, people(address) as (ada, ben):
        rivals(ada, ben)
        confirmed(inbox, ada)
        rivals(ada, ben)
        for table in ada.links:
            ada.table = ben.table = table
            while to_move(ada, ben)[0] is ben:
                move(ben)
    inbox.answer = "451 not now"
    with told(database, smtp):  # nobody looks at the tables in this process
        until(lambda: inbox.asked > 1)
    assert len(inbox.mails) == 1
    inbox.answer = "250 OK"
    with closing(Store(f"sqlite:///{database}")) as store:
        assert Notices(store).take(time.time()) == []  # it waits before the next try
        store.execute(letters.update().values(due=0.0))
    with told(database, smtp):
        assert inbox.mail(1)["Subject"] == "Your turn at 2 tables"
        assert all(f"/t/{table}\n" in inbox.text(1) for table in ada.links)


def test_an_address_that_is_refused_for_ever_gets_no_more(tmp_path, box):
    inbox, smtp = box
    with told(tmp_path / "tables.db", smtp) as address, people(address) as (ada, ben):
        rivals(ada, ben)
        inbox.answer = "550 there is nobody of that name"
        assert wish(ada, mail=ADA).status_code == 200
        until(lambda: inbox.asked)
        until(lambda: "was refused" in ada.http.get("/notices").text)
        time.sleep(0.4)
        assert inbox.asked == 1


def test_a_mail_server_that_hangs_keeps_no_table_waiting(tmp_path):
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:  # takes connections and never speaks
        smtp = f"smtp://127.0.0.1:{silent.getsockname()[1]}"
        with told(tmp_path / "tables.db", smtp) as address, people(address) as (ada, ben):
            rivals(ada, ben)
            assert wish(ada, mail=ADA).status_code == 200
            silent.settimeout(15)
            line, _ = silent.accept()
            for _n in range(10):
                move(to_move(ada, ben)[0])
            assert ada.http.get("/healthz").text == "ok"
            line.close()


# --- by web hook ------------------------------------------------------------------------------------------------------


def test_a_web_hook_is_told_and_signed(tmp_path, receiver):
    with told(tmp_path / "tables.db", None, hooks="any") as address, people(address) as (ada, ben):
        rivals(ada, ben)
        assert 'name="mail"' not in ada.http.get("/notices").text
        assert wish(ada, hook=receiver.url).status_code == 200
        asked = receiver.json(0)
        assert asked["event"] == "confirm"
        assert post(asked["confirm"], headers=JSON).json() == {"ok": True}
        while to_move(ada, ben)[0] is ben:
            move(ben)
        said = receiver.json(1)
        headers, body = receiver.got[1]
        key = ada.http.get("/notices", headers=JSON).json()["hook"]["key"]
        assert headers["x-outbid-signature"] == signature(key, headers["x-outbid-timestamp"], body)
        by_hand = hmac.new(key.encode(), headers["x-outbid-timestamp"].encode() + b"." + body, hashlib.sha256).hexdigest()
        assert headers["x-outbid-signature"] == f"sha256={by_hand}"
        assert headers["path"] == "/hook?room=1"
        assert [one["table"] for one in said["tables"]] == [ada.table]
        assert said["tables"][0]["link"] == f"{address}/t/{ada.table}"
        assert said["text"] == said["content"]
        assert b"/seat/" not in body
        receiver.status = 410
        move(ada)
        while to_move(ada, ben)[0] is ben:
            move(ben)
        receiver.json(2)
        until(lambda: not ada.http.get("/notices", headers=JSON).json()["hook"]["confirmed"])


def test_a_nickname_calls_nobody_in_a_chat_channel(tmp_path, receiver):
    """Discord obeys `allowed_mentions`; Mattermost, Slack and Matrix read the text itself."""
    with told(tmp_path / "tables.db", None, hooks="any") as address, people(address) as (ada, ben):
        ada.order(game="rivals", players=2, bots="open", preset="seed", name="@everyone")
        ben.join(ada.table, "Ben")
        assert wish(ben, hook=receiver.url).status_code == 200
        assert post(receiver.json(0)["confirm"], headers=JSON).json() == {"ok": True}
        while to_move(ada, ben)[0] is ada:
            move(ada)
        told_of = receiver.json(1)
        assert [message["allowed_mentions"] for message in (receiver.json(0), told_of)] == [{"parse": []}] * 2
        assert told_of["text"] == told_of["content"]
        assert told_of["text"].startswith("Your turn · Rivals with “@\u2060everyone”\n")


@pytest.mark.parametrize("name", ["@everyone", "@here", "@room", "<!channel>", "<@U024BE7LH>", "<users/all>", "@"])
def test_no_name_is_a_mention(name):
    text = silent(f"Your turn · Rivals with {name}: http://127.0.0.1/t/abc")
    assert not re.search(r"@\w|<[!@\w]", text)
    assert text.replace("\u2060", "") == f"Your turn · Rivals with {name}: http://127.0.0.1/t/abc"


def test_no_hook_leads_into_a_private_network(tmp_path, receiver):
    with told(tmp_path / "tables.db", None, hooks="public") as address, people(address) as (ada, ben):
        rivals(ada, ben)
        for inside in (
            receiver.url,
            "http://localhost:1/",
            "http://[::1]/",
            "http://[::ffff:10.0.0.1]/",
            "https://169.254.169.254/",
        ):
            assert "private network" in sentence(wish(ada, hook=inside), 400)
        assert "not the address of a web hook" in sentence(wish(ada, hook="ftp://example.org/"), 400)
        assert "not the address of a web hook" in sentence(wish(ada, hook="http://me:you@example.org/"), 400)
        assert ada.http.get("/notices", headers=JSON).json() == {}
    with pytest.raises(Later):
        Hook().send(receiver.url, {}, "key")  # what led outside when it was set may lead inside now
    receiver.status = 307
    with pytest.raises(Later, match="307"):
        Hook(anywhere=True).send(receiver.url, {}, "key")
    assert len(receiver.got) == 1  # no redirect was followed


@pytest.mark.parametrize(
    "number",
    ["127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.0.1", "100.64.0.1", "169.254.1.1",
     "0.0.0.0", "224.0.0.1", "255.255.255.255",
     "192.0.0.8", "192.0.0.192", "192.88.99.1", "168.63.129.16",
     "::1", "::", "fe80::1", "fc00::1", "fec0::1", "::ffff:127.0.0.1", "::7f00:1", "64:ff9b::7f00:1", "64:ff9b::808:808",
     "2002:7f00:1::", "2001:0:808:808::1", "4000::1", "ff02::1", "nonsense"],
)  # fmt: skip
def test_addresses_that_are_not_public(number):
    assert not public(number)


@pytest.mark.parametrize("number", ["1.1.1.1", "168.63.129.17", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_addresses_that_are_public(number):
    assert public(number)


def test_no_hook_leads_to_this_server_or_to_a_port_that_is_not_of_the_web():
    """Public addresses as numbers, which are looked up nowhere."""
    for port in (22, 25, 6379, 8080):
        with pytest.raises(BadSetup, match=f"at port {port}"):
            Hook().resolved(f"http://1.1.1.1:{port}/")
    for address in ("http://1.1.1.1/", "https://1.1.1.1/", "https://1.1.1.1:8443/", "http://1.1.1.1:443/"):
        assert Hook().resolved(address) == "1.1.1.1"
    with pytest.raises(BadSetup, match="to this server itself"):
        Hook(host="1.1.1.1").resolved("https://1.1.1.1/")
    assert Hook(host="1.0.0.1").resolved("https://1.1.1.1/") == "1.1.1.1"
    assert Hook(anywhere=True, host="127.0.0.1").resolved("http://127.0.0.1:6379/") == "127.0.0.1"


def test_what_this_machine_can_bind_is_its_own():
    assert own("127.0.0.1")
    assert not own("1.1.1.1")
    assert not own("2606:4700::1111")


def test_web_hooks_that_hang_delay_no_mail(tmp_path, box):
    """More hooks than there are threads for hooks; whoever takes their connections never speaks."""
    inbox, smtp = box
    many = LANES[HOOK] + 2
    with told(tmp_path / "tables.db", smtp, hooks="any") as address, people(address, many + 1) as (ada, *others):
        for number, person in enumerate((ada, *others)):
            person.http.headers["X-Forwarded-For"] = f"203.0.113.{number}"
            person.order()
        with closing(socket.create_server(("127.0.0.1", 0), backlog=64)) as silent:
            for number, person in enumerate(others):
                assert wish(person, hook=f"http://127.0.0.1:{silent.getsockname()[1]}/{number}").status_code == 200
            silent.settimeout(15)
            lines = [silent.accept()[0] for _ in range(LANES[HOOK])]  # every thread for hooks is busy
            assert wish(ada, mail=ADA).status_code == 200
            assert inbox.mail(0)["To"] == ADA
        for line in lines:
            line.close()


# --- whose it is, and when --------------------------------------------------------------------------------------------


def test_only_who_has_a_seat_is_told_and_nobody_is_asked_often(tmp_path, box):
    inbox, smtp = box
    with told(tmp_path / "tables.db", smtp) as address, people(address, 3) as (ada, ben, eve):
        rivals(ada, ben)
        assert "Take a seat at a table first" in sentence(wish(eve, mail=ADA), 403)
        assert "not an email address" in sentence(wish(ada, mail="ada@example.org\r\nBcc: eve@example.org"), 400)
        assert "no time zone" in sentence(wish(ada, mail=ADA, zone="../../etc/passwd"), 400)
        assert "whole hour" in sentence(wish(ada, mail=ADA, **{"from": "25", "until": "3"}), 400)
        for _ in range(3):
            assert wish(ada, mail=ADA).status_code == 200
        assert "several confirmations" in sentence(wish(ben, mail=ADA.upper().replace("EXAMPLE.ORG", "example.org")), 429)
        inbox.mail(0)
        stale = link(inbox.text(0), "confirm")
        made_up = stale.rpartition("/")[0] + "/" + "0" * 32
        assert post(made_up, headers=JSON).status_code == 410
        assert post(made_up.replace("confirm", "stop"), headers=JSON).json() == {"ok": True}
        assert ADA in ada.http.get("/notices").text  # a made-up link stopped nothing


def test_without_settings_nothing_is_shown(tmp_path):
    with serving(tmp_path / "tables.db") as address, people(address) as (ada, ben):
        rivals(ada, ben)
        assert ada.http.get("/notices").status_code == 404
        for page in ("/", f"/t/{ada.table}"):
            assert "/notices" not in ada.http.get(page).text


def test_with_settings_the_table_and_the_front_page_lead_there(tmp_path, box):
    with told(tmp_path / "tables.db", box[1]) as address, people(address, 3) as (ada, ben, eve):
        rivals(ada, ben)
        for page in ("/", f"/t/{ada.table}"):
            assert 'href="/notices"' in ada.http.get(page).text
        assert 'href="/notices"' not in eve.http.get(f"/t/{ada.table}").text
        form = ada.http.get("/notices").text
        assert 'name="mail"' in form
        assert 'name="hook"' not in form
        wrong = ada.http.post("/notices", data={"mail": "nonsense", "zone": "Europe/Berlin"})
        assert wrong.status_code == 400
        assert 'value="nonsense"' in wrong.text
        assert "not an email address" in wrong.text
        assert "onfirmed" not in wrong.text
        assert "Take a seat" in eve.http.get("/notices").text


@pytest.mark.parametrize(
    ("quiet", "zone", "now", "awake"),
    [
        (None, "UTC", "2026-11-26T23:30", "2026-11-26T23:30"),
        ((22, 8), "UTC", "2026-11-26T21:59", "2026-11-26T21:59"),
        ((22, 8), "UTC", "2026-11-26T23:30", "2026-11-27T08:00"),
        ((22, 8), "UTC", "2026-11-27T07:59", "2026-11-27T08:00"),
        ((22, 8), "Europe/Berlin", "2026-11-26T21:30", "2026-11-27T07:00"),
        ((9, 17), "UTC", "2026-11-26T12:00", "2026-11-26T17:00"),
        ((22, 8), "Europe/Berlin", "2026-10-24T21:30", "2026-10-25T07:00"),  # the clocks go back in that night
    ],
)
def test_quiet_hours_are_the_readers(quiet, zone, now, awake):
    notice = Notice("n", "mail", ADA, "s", quiet, zone, "en", True)
    moment = datetime.fromisoformat(f"{now}+00:00").timestamp()
    assert notice.awake(moment) == datetime.fromisoformat(f"{awake}+00:00").timestamp()


@pytest.mark.parametrize("name", ["Asia/Calcutta", "Europe/Kiev", "Asia/Saigon", "America/Buenos_Aires", "US/Pacific"])
def test_zones_by_old_names_are_known_also_where_the_system_has_none(name):
    before = zoneinfo.TZPATH
    try:
        zoneinfo.reset_tzpath(to=())
        zoneinfo.ZoneInfo.clear_cache()
        assert zone(name)
    finally:
        zoneinfo.reset_tzpath(to=before)


@pytest.mark.parametrize("name", ["Europe/Atlantis", "", "../../etc/passwd", "/etc/localtime", "a\0b", "Europe"])
def test_a_zone_that_is_not_known_is_utc(name):
    assert zone(name) is None
    moment = datetime.fromisoformat("2026-11-26T23:30+00:00").timestamp()
    notice = Notice("n", "mail", ADA, "s", (22, 8), name, "en", True)
    assert notice.awake(moment) == datetime.fromisoformat("2026-11-27T08:00+00:00").timestamp()


def test_the_zone_of_one_person_keeps_no_message_of_another(tmp_path):
    """An update has taken a zone out of the system: its owner has quiet hours in UTC, everybody else as before."""
    noon = datetime.fromisoformat("2026-11-26T12:00+00:00").timestamp()
    with closing(Store(f"sqlite:///{tmp_path / 'tables.db'}")) as store:
        table, known = _table(store), Notices(store)
        owners = [Owner(name="ada"), Owner(browser="b"), Owner(browser="c")]
        for owner, name in zip(owners, ("Europe/Berlin", "Europe/Atlantis", "Asia/Kolkata"), strict=True):
            known.ask(owner, "mail", f"{name[-4:]}@example.org", (22, 8), name, "en", noon)
            known.confirm(known.of(owner)[0].id, noon)
        ids = [known.of(owner)[0].id for owner in owners]
        assert known.claim(Turn(table, 0, 4), ids, noon, 0)
        assert sorted(parcel.notice.id for parcel in known.take(noon)) == sorted(ids)


def test_a_zone_that_went_is_said_in_the_form(tmp_path, box):
    database = tmp_path / "tables.db"
    with told(database, box[1]) as address, people(address) as (ada, ben):
        rivals(ada, ben)
        assert wish(ada, mail=ADA, zone="Etc/Unknown").status_code == 200  # what browsers say where they know none
        assert ada.http.get("/notices", headers=JSON).json()["mail"]["zone"] == "UTC"
        with closing(Store(f"sqlite:///{database}")) as store:
            store.execute(notices.update().values(zone="Europe/Atlantis"))
        assert "no longer knows the time zone Europe/Atlantis" in ada.http.get("/notices").text


def test_a_table_that_is_broken_stops_no_message_of_another(tmp_path):
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    settings = Settings(
        url, base_url="http://127.0.0.1", mail=Mail.of("smtp://127.0.0.1", ADA), pace="slow", notice_after=0.0
    )
    with closing(Store(url)) as store:
        tables, known = Tables(store, settings), Notices(store)

        async def look() -> tuple[set[str], str]:
            both = [(await tables.create(Order("rivals", 2, "Ada", ["random"], seed=3), "ada"))[0] for _ in range(2)]
            while not all(0 in table.asked for table in both):
                await asyncio.sleep(0.01)
            known.ask(Owner(name="ada"), "mail", ADA, None, "UTC", "en", 1e9)
            known.confirm(known.take(1e9)[0].notice.id, 1e9)
            notifier = Notifier(tables, settings, Background(Limits(settings)))
            first = known.wanted()[0].table
            tables.get(first).decisions = None  # type: ignore[assignment]
            await notifier.look(1e9)
            notifier.close()
            for table in both:
                table.driver.stop()
            (whole,) = {table.id for table in both} - {first}
            return {turn.table for parcel in known.take(1e9) for turn in parcel.turns}, whole

        told_of, whole = asyncio.run(look())
        assert told_of == {whole}


def test_in_quiet_hours_letters_wait(tmp_path, box):
    inbox, smtp = box
    hour = time.gmtime().tm_hour
    with told(tmp_path / "tables.db", smtp) as address, people(address) as (ada, ben):
        rivals(ada, ben)
        confirmed(inbox, ada, **{"from": str(hour), "until": str((hour + 2) % 24), "zone": "UTC"})
        while to_move(ada, ben)[0] is ben:
            move(ben)
        quiet_time(inbox)
        with closing(Store(f"sqlite:///{tmp_path / 'tables.db'}")) as store:
            later = Notices(store).take(time.time() + 2 * 3600)
        assert [turn.table for one in later for turn in one.turns] == [ada.table]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_of_two_processes_one_writes_the_letter_and_one_takes_it(request, tmp_path, kind):
    postgres = kind == "postgres"
    url = request.getfixturevalue("cluster").database() if postgres else f"sqlite:///{tmp_path / 'tables.db'}"
    with closing(Store(url)) as one, closing(Store(url)) as other:
        table = _table(one)
        first, second = Notices(one), Notices(other)
        owner, now = Owner(name="ada"), time.time()
        assert first.ask(owner, "mail", ADA, None, "UTC", "en", now)
        name = second.of(owner)[0].id
        assert [one.turns for one in second.take(now)] == [()]
        assert first.take(now) == []  # the other has it
        first.confirm(name, now)
        assert [(one.table, one.seat, one.told, one.notices) for one in second.wanted()] == [(table, 0, -1, (name,))]
        turn = Turn(table, 0, 4)
        assert first.claim(turn, [name], now, 0)
        assert not second.claim(turn, [name], now, 0)
        assert not second.claim(Turn(table, 0, 3), [name], now, 0)
        assert second.claim(Turn(table, 0, 6), [name], now, 0)
        parcel = second.take(now)
        assert [sorted(turn.number for turn in one.turns) for one in parcel] == [[4, 6]]
        assert first.take(now) == []
        assert [one.letters for one in first.take(now + LEASE)] == [one.letters for one in parcel]  # the other died
        first.done(parcel[0], now)
        assert second.take(now + 2 * LEASE) == []
        second.saw(Turn(table, 0, 6), now + 9)
        assert [(one.told, one.seen) for one in first.wanted()] == [(6, now + 9)]
        for tries in range(len(PAUSES) + 1):
            if not tries:
                assert first.claim(Turn(table, 0, 8), [name], now, 0)
            now += 10 * PAUSES[-1]
            first.again(first.take(now)[0], now)
        assert first.take(now * 2) == []
        assert second.of(owner)[0].trouble == "unreached"
        assert first.claim(Turn(table, 0, 10), [name], now, 0)
        assert one.delete(table)
        first.stop(name)
        assert second.of(owner) == []
        assert second.find(name) is None


def test_a_clock_that_was_set_back_lets_nobody_wait(tmp_path):
    """Whatever was noted is far in the future now."""
    with closing(Store(f"sqlite:///{tmp_path / 'tables.db'}")) as store:
        table, known, owner = _table(store), Notices(store), Owner(name="ada")
        ahead, now, gap = 2e9, 1e9, 600.0
        known.ask(owner, "mail", ADA, None, "UTC", "en", ahead)
        (asked,) = known.take(now)
        assert asked.turns == ()
        name = asked.notice.id
        known.confirm(name, ahead)
        assert known.claim(Turn(table, 0, 4), [name], ahead, gap)
        (old,) = known.take(now)  # it was due in the future
        known.done(old, ahead)
        assert known.claim(Turn(table, 0, 6), [name], now, gap)
        assert known.take(now + gap - 1) == []
        assert [one.turns for one in known.take(now + gap)] == [(Turn(table, 0, 6),)]
        other = Owner(browser="b")
        known.ask(other, "mail", ADA, None, "UTC", "en", ahead)
        known.sweep(now)
        assert (len(known.of(owner)), known.of(other)) == (1, [])


def test_who_was_seen_at_a_time_to_come_is_told_all_the_same(tmp_path):
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    settings = Settings(url, base_url="http://127.0.0.1", mail=Mail.of("smtp://127.0.0.1", ADA), pace="slow")
    with closing(Store(url)) as store:
        tables = Tables(store, settings)
        ahead, now, after = 2e9, 1e9, settings.notice_after

        async def look() -> list[bool]:
            table, _token = await tables.create(Order("rivals", 2, "Ada", ["random"], seed=3), "ada")
            while 0 not in table.asked:
                await asyncio.sleep(0.01)
            known, notifier = Notices(store), Notifier(tables, settings, Background(Limits(settings)))
            known.ask(Owner(name="ada"), "mail", ADA, None, "UTC", "en", now)
            (asked,) = known.take(now)
            known.confirm(asked.notice.id, now)
            turn = Turn(table.id, 0, table.decisions[0])
            await notifier.look(ahead)
            known.saw(replace(turn, number=-1), ahead)
            for moment in (now, now + after - 1):
                await notifier.look(moment)
                assert known.take(moment) == []
            await notifier.look(now + after)
            found = known.take(now + after)
            notifier.close()
            table.driver.stop()
            return [one == turn for parcel in found for one in parcel.turns]

        assert asyncio.run(look()) == [True]


def test_a_move_that_was_written_just_before_the_look_is_not_forgotten(tmp_path):
    """The look counts the moves that are written; the table knows the last of them a moment later."""
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    settings = Settings(
        url, base_url="http://127.0.0.1", mail=Mail.of("smtp://127.0.0.1", ADA), pace="slow", notice_after=0.0
    )
    with closing(Store(url)) as store:
        tables = Tables(store, settings)

        async def look() -> list[Turn]:
            table, _token = await tables.create(Order("rivals", 2, "Ada", ["random"], seed=4), "ada")
            assert table.asked == (1,), "the bot begins"
            known, notifier = Notices(store), Notifier(tables, settings, Background(Limits(settings)))
            known.ask(Owner(name="ada"), "mail", ADA, None, "UTC", "en", 1e9)
            (asked,) = known.take(1e9)
            known.confirm(asked.notice.id, 1e9)
            early = [replace(watch, moves=watch.moves + 1) for watch in known.wanted()]
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(notifier.notices, "wanted", lambda: early)
                await notifier.look(1e9)
            while 0 not in table.asked:
                await asyncio.sleep(0.01)
            table.driver.stop()
            await notifier.look(1e9 + 1)
            notifier.close()
            return [turn for parcel in known.take(1e9 + 1) for turn in parcel.turns]

        assert len(asyncio.run(look())) == 1


def test_the_mail_to_confirm_is_not_counted_among_the_messages(tmp_path):
    with closing(Store(f"sqlite:///{tmp_path / 'tables.db'}")) as store:
        table, known, owner, now = _table(store), Notices(store), Owner(name="ada"), 1e9
        known.ask(owner, "mail", ADA, None, "UTC", "en", now)
        (asked,) = known.take(now)
        known.done(asked, now)
        known.confirm(asked.notice.id, now + 5)
        for number in (4, 6):
            assert known.claim(Turn(table, 0, number), [asked.notice.id], now + 10, 600)
        first = known.take(now + 10)
        assert [turn.number for one in first for turn in one.turns] == [4, 6]
        known.done(first[0], now + 10)
        assert known.claim(Turn(table, 0, 8), [asked.notice.id], now + 11, 600)
        assert known.take(now + 11) == []


def _table(store: Store) -> str:
    """A table in play, with a seat of the kept name "ada"."""
    stored, _ = made(Order("rivals", 2, "Ada", ("random",)), "instant", 24)
    store.add(replace(stored, seats=(replace(stored.seats[0], owner="ada"), *stored.seats[1:])))
    return stored.id


# --- settings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "sender", "password", "said"),
    [
        ("mail.example.org", "a@example.org", None, "it must be smtp://HOST"),
        ("smtp://mail.example.org/inbox", "a@example.org", None, "it must be smtp://HOST"),
        ("smtp://me:secret@mail.example.org", "a@example.org", None, "OUTBID_SMTP_PASSWORD"),
        ("smtp://me@mail.example.org", "a@example.org", None, "OUTBID_SMTP_PASSWORD is not set"),
        ("smtp://mail.example.org", "Outbid", None, "it must be an address"),
        ("smtp://mail.example.org", None, None, "it must be an address"),
    ],
)
def test_settings_of_mail_that_cannot_be(url, sender, password, said):
    with pytest.raises(BadSetup, match=said) as wrong:
        Mail.of(url, sender, password)
    assert "secret" not in str(wrong.value)


def test_on_the_wire_the_header_of_one_click_is_the_bare_link(box):
    """Mail programs read it as RFC 2369 has it, in one piece; what is for people may be folded and encoded."""
    inbox, smtp = box
    domain = f"{'very.' * 20}long.example"
    mail = Mail.of(smtp, f'"Gebote für alle, die gern ein wenig länger heißen" <table@{domain}>')
    stop = f"https://table.example.org/some/games/notices/stop/97hfbhbcfeyx/{'be6223a4' * 4}"
    subject = "Du bist dran · Kuhhandel für Ümit, Özlem, Ännchen und Jörg (zwölf Züge)"
    mail.send(Letter(ADA, subject, "Los!", stop))
    until(lambda: inbox.raw)
    head = inbox.raw[0].partition(b"\r\n\r\n")[0]
    lines = head.split(b"\r\n")
    assert f"List-Unsubscribe: <{stop}>".encode() in lines
    assert b"List-Unsubscribe-Post: List-Unsubscribe=One-Click" in lines
    for name in (b"Message-ID", b"To", b"Date", b"Auto-Submitted"):
        (line,) = (line for line in lines if line.startswith(name + b": "))
        assert b"=?" not in line
    assert re.search(rb"Message-ID: <\S+@%s>\r\n" % domain.encode(), head)
    assert head.isascii()
    assert max(map(len, re.findall(rb"=\?\S+\?=", head))) <= 75  # RFC 2047
    assert max(map(len, lines)) <= 998
    assert inbox.mails[0]["Subject"] == subject


def test_a_mail_server_elsewhere_must_encrypt(box, monkeypatch):
    _inbox, smtp = box
    mail = Mail.of(smtp, "table@example.org")
    monkeypatch.setattr("outbid.server.domain.notices.delivery._loopback", lambda _host: False)  # as if it were elsewhere
    with pytest.raises(Later):
        mail.send(Letter(ADA, "s", "t", "http://x"))


def test_a_recipient_may_be_refused_now_or_for_ever(box):
    inbox, smtp = box
    mail = Mail.of(smtp, "Outbid <table@example.org>")
    for answer, error in (("450 later", Later), ("550 never", Never)):
        inbox.answer = answer
        with pytest.raises(error):
            mail.send(Letter(ADA, "s", "t", "http://x"))


@pytest.mark.parametrize(
    "wrong", ["", "ada", "ada@", "@example.org", "ada@localhost", "a b@example.org", "ada@ex..org", "a@b.c, d@e.f"]
)
def test_what_is_no_mail_address(wrong):
    with pytest.raises(BadSetup):
        checked_mail(wrong)


def test_an_address_with_umlauts_in_its_domain():
    assert checked_mail(" ada@käse.example ") == "ada@xn--kse-qla.example"
