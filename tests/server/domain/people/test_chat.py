"""Chat: at the table and, apart from it, among those who watch."""

from __future__ import annotations

import json
import re
import sqlite3
import unicodedata
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest
import sqlalchemy as sa

from outbid.bots.executor import InProcess
from outbid.server.domain.people import chat
from outbid.server.domain.setup import Order
from outbid.server.domain.tables import Tables
from outbid.server.settings import Settings
from outbid.server.storage import schema
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from tests.support.browsing import DESK, PHONE, expect, fits, visitor
from tests.support.serving import JSON, SHORT, Person, at_once, hear, line_to, people, play_out, sentence, serving

pytestmark = pytest.mark.slow

FREE = {"chat": [1000, 1000]}
SETTINGS = {"limits": FREE}  # one may talk as fast as one likes


@contextmanager
def company(address: str, number: int = 4) -> Iterator[list[Person]]:
    """Ada and Ben at a table with a bot, and others who watch; nothing moves but by the two."""
    with people(address, number) as made:
        made[0].order(**SHORT, players=3, bots="open,random")
        made[1].join(made[0].table, "Ben")
        for other in made[2:]:
            other.table = made[0].table
        yield made


def say(person: Person, text: str, **fields: str) -> httpx.Response:
    """A message, sent by a program."""
    return person.http.post(f"/t/{person.table}/chat", data={"text": text, **fields}, headers=JSON)


def heard(person: Person) -> list[str]:
    """What somebody reads, as "name: text"."""
    answer = person.http.get(f"/t/{person.table}/chat", headers=JSON)
    assert answer.status_code == 200, answer.text
    return [f"{one['name']}: {one['text']}" for one in answer.json()["messages"]]


def told(line: Any) -> str:
    """The next lines of the chat that come over a socket."""
    while True:
        news = hear(line, "regions")
        if "chat" in news["append"]:
            return str(news["append"]["chat"])


# --- what is promised -------------------------------------------------------------------------------------------------


def test_what_is_said_at_the_table_is_read_by_those_who_sit_there_at_once(address: str):
    with company(address) as (ada, ben, *_), line_to(ben) as line:
        hear(line, "regions")
        assert say(ada, "Good evening!").json() == {"ok": True}
        lines = told(line)
        assert '<b><bdi class="name">Ada</bdi></b>' in lines
        assert "Good evening!" in lines
        assert heard(ada) == heard(ben) == ["Ada: Good evening!"]
        assert "Good evening!" in ben.http.get(f"/t/{ben.table}").text


def test_spectators_chat_is_not_visible_to_seats_until_the_end_and_the_seats_chat_not_to_spectators(address: str):
    with company(address) as (ada, ben, eve, dan):
        say(ada, "I bluff.")
        say(eve, "He has nothing.", name="Eve")
        with ExitStack() as stack:
            lines = [stack.enter_context(line_to(person)) for person in (ada, eve)]
            first = [str(hear(line, "regions")["regions"]["chat"]) for line in lines]
        assert "I bluff." in first[0]
        assert "He has nothing." not in first[0]
        assert "I bluff." not in first[1]
        assert "He has nothing." in first[1]
        for person, mine in ((ada, "Ada: I bluff."), (ben, "Ada: I bluff."), (dan, "Eve: He has nothing.")):
            assert heard(person) == [mine]
            page = person.http.get(f"/t/{ada.table}").text
            assert ("I bluff." in page, "He has nothing." in page) == ("Ada" in mine, "Eve" in mine)
        play_out(ada, ben)
        assert heard(ada) == ["Ada: I bluff.", "Eve: He has nothing."]
        assert heard(dan) == ["Eve: He has nothing."]


def test_who_waits_for_a_match_can_talk_and_sees_at_once_what_the_others_say(address: str):
    with people(address, 3) as (ada, ben, eve):
        ada.order(players=3, bots="open")
        ben.join(ada.table, "Ben")
        eve.table = ada.table
        page = ada.http.get(f"/t/{ada.table}").text
        shown = re.search(r'data-socket="[^"]*(\?room=\w+)', page)
        assert shown
        with line_to(ada, query=shown[1]) as line:
            said = ben.http.post(f"/t/{ben.table}/chat", data={"text": "I begin at eight."}, headers=JSON)
            assert said.status_code == 200
            assert hear(line, "reload")
        assert "I begin at eight." in ada.http.get(f"/t/{ada.table}").text
        assert "I begin at eight." not in eve.http.get(f"/t/{ada.table}").text


def test_at_the_end_the_spectators_chat_opens_to_the_seats_that_look(address: str):
    with company(address) as (ada, ben, eve, _), line_to(ada, max_queue=None) as line:
        say(eve, "Well played, all.", name="Eve")
        play_out(ada, ben)
        while True:
            chat = hear(line, "regions")["regions"].get("chat", "")
            if "Well played, all." in chat:
                break


def test_a_person_is_muted_for_oneself_only_and_heard_again(address: str):
    with company(address) as (ada, ben, *_):
        say(ada, "One.")
        assert ben.http.post(f"/t/{ben.table}/mute", data={"who": "seat-0"}, headers=JSON).status_code == 200
        say(ada, "Two.")
        assert heard(ben) == []
        with line_to(ben) as line:
            assert "One." not in hear(line, "regions")["regions"]["chat"]
            say(ada, "Three.")
            say(ben, "Four.")
            assert "Three." not in (lines := told(line))
            assert "Four." in lines
        assert heard(ada) == ["Ada: One.", "Ada: Two.", "Ada: Three.", "Ben: Four."]
        ben.http.post(f"/t/{ben.table}/mute", data={"who": "seat-0", "mute": "false"})
        assert len(heard(ben)) == 4
        sentence(ben.http.post(f"/t/{ben.table}/mute", data={"who": "nobody"}, headers=JSON), 400)


def test_the_host_switches_the_chat_off_and_on_and_nobody_else_does(address: str):
    with company(address) as (ada, ben, eve, _):
        for person in (ben, eve):
            sentence(person.http.post(f"/t/{ada.table}/house", data={"chat": "false"}, headers=JSON), 403)
        with line_to(ben) as line:
            hear(line, "regions")
            assert ada.http.post(f"/t/{ada.table}/house", data={"chat": "false"}, headers=JSON).status_code == 200
            while "chat" not in (regions := hear(line, "regions")["regions"]):
                pass  # somebody came or went
            assert "switched the chat off" in regions["chat"]
        for person, name in ((ada, ""), (ben, ""), (eve, "Eve")):
            assert "switched the chat off" in sentence(say(person, "Hello?", name=name), 403)
        ada.http.post(f"/t/{ada.table}/house", data={"chat": "true"})
        assert say(ben, "Hello!").status_code == 200


def test_a_message_is_escaped_and_cannot_turn_the_text_around(address: str):
    with company(address) as (ada, ben, eve, _), line_to(ben) as line:
        hear(line, "regions")
        say(ada, "<script>alert(1)</script> & \u202eevil\u202c\n\tsecond line 👩‍🌾")
        for html in (told(line), ben.http.get(f"/t/{ben.table}").text, ben.http.get(f"/t/{ben.table}/chat").text):
            assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; evil second line 👩‍🌾" in html
            assert "<script>alert" not in html
        assert say(eve, "x", name='"><b>').status_code == 200
        assert '<b><bdi class="name">&#34;&gt;&lt;b&gt;</bdi></b>' in eve.http.get(f"/t/{eve.table}/chat").text


def test_marks_that_pile_up_on_a_character_stay_in_their_line(address: str):
    with people(address, 1) as (ada,):
        ada.order(bots="open")
        assert say(ada, "".join("Z" + chr(0x300 + n) * 60 for n in range(4))).status_code == 200
        assert say(ada, ("Z" + "\u0301\u200d" * 60) + " Nguyễn Thị é क्षि 👩🏽\u200d❤️\u200d👨 ❤️").status_code == 200
        piled, hidden = (unicodedata.normalize("NFD", line) for line in heard(ada))
        assert piled == "Ada: " + "".join("Z" + chr(0x300 + n) * 4 for n in range(4))
        assert hidden.split()[1].count("\u0301") == 4
        assert hidden.endswith(unicodedata.normalize("NFD", " Nguyễn Thị é क्षि 👩🏽\u200d❤️\u200d👨 ❤️"))


@pytest.mark.parametrize("text", ["", "   ", "\n\t\x00", "x" * 301, "\u202e"])
def test_a_message_has_1_to_300_characters(address: str, text: str):
    with company(address, 2) as (ada, _):
        sentence(say(ada, text), 400)
        assert heard(ada) == []
        assert say(ada, "x" * 300).status_code == 200


def test_who_says_too_much_at_once_waits(tmp_path: Path):
    with serving(tmp_path / "tables.db") as address, company(address) as (ada, ben, *_):
        answers = [say(ada, f"Number {n}") for n in range(12)]
        assert [answer.status_code for answer in answers[:8]] == [200] * 8
        assert answers[-1].status_code == 429
        assert int(answers[-1].headers["retry-after"]) >= 1
        assert say(ben, "And I?").status_code == 200
        assert len(heard(ben)) < 12


def test_the_chat_outlives_the_server_and_is_deleted_with_its_table(tmp_path: Path):
    database = tmp_path / "tables.db"
    with ExitStack() as stack:
        ada, ben = Person("http://127.0.0.1"), Person("http://127.0.0.1")
        for person in (ada, ben):
            stack.callback(person.http.close)
        with serving(database, limits=FREE) as ada.http.base_url:
            ben.http.base_url = ada.http.base_url
            ada.order(**SHORT, players=3, bots="open,random")
            ben.join(ada.table, "Ben")
            say(ada, "Remember this.")
        with serving(database, limits=FREE) as ada.http.base_url:
            ben.http.base_url = ada.http.base_url
            assert heard(ben) == ["Ada: Remember this."]
            play_out(ada, ben)
            assert ada.http.post(f"/t/{ada.table}/delete", headers=JSON).status_code == 200
        with closing(sqlite3.connect(database)) as db:
            assert db.execute("select count(*) from chat").fetchone() == (0,)


def test_what_was_erased_elsewhere_is_looked_for_after_a_write_and_not_at_each_request(tmp_path: Path):
    with closing(Store(url_of(str(tmp_path / "tables.db")))) as store:
        tables = Tables(store, Settings("sqlite://"), InProcess())
        table, _token = at_once(tables.create(Order("claim", 3, "Ada", ["open"])))
        at_once(table.chat.say(chat.Reader(0, "seat-0"), "", "Hello"))
        asked: list[str] = []
        sa.event.listen(store.engine, "before_cursor_execute", lambda _db, _cursor, said, *_rest: asked.append(said))
        table.catch_up()
        assert sum("FROM chat" in said for said in asked) == 1  # only whether there is anything new
        store.execute(sa.delete(schema.chat))
        at_once(tables.heard(table.id, None))
        assert sum(said.startswith("SELECT") and "FROM chat" in said for said in asked) == 3
        assert table.chat.said == []


def test_who_watches_says_a_name_that_is_nobody_elses(address: str):
    with company(address) as (ada, _, eve, dan):
        for name in ("", "Ada", "ben", "x" * 25):
            assert say(eve, "Hello.", name=name).status_code == 400
        assert say(eve, "Hello.", name="Eve").status_code == 200
        assert say(eve, "Again.").status_code == 200
        assert say(dan, "I am Eve.", name="eve").status_code == 400
        ada.http.post("/name/keep", data={"name": "Keeper", "password": "seven red cows"}, headers=JSON)
        assert "kept with a password" in sentence(say(dan, "I keep it.", name="Keeper"), 403)
        assert heard(dan) == ["Eve: Hello.", "Eve: Again."]


def test_a_seat_speaks_under_its_own_name_and_never_for_another(address: str):
    with company(address) as (ada, ben, *_):
        say(ben, "It is me.", name="Ada")
        assert heard(ada) == ["Ben: It is me."]
        fields = {"text": "It is me.", "who": "seat-0"}
        assert ben.http.post(f"/t/{ben.table}/chat", data=fields, headers=JSON).status_code == 400


def test_the_chat_says_no_secret_of_its_speakers(address: str, database: Path):
    with company(address) as (ada, _, eve, dan):
        say(eve, "Hello.", name="Eve")
        secret = eve.http.cookies["watcher"]
        everything = dan.http.get(f"/t/{ada.table}/chat").text + dan.http.get(f"/t/{ada.table}").text
        assert secret not in everything
        assert all(secret.encode() not in path.read_bytes() for path in database.parent.iterdir())


@pytest.mark.slow
def test_what_is_said_at_one_process_is_heard_at_the_other(cluster: Any):
    url = cluster.database()
    with serving(url, limits=FREE) as here, serving(url, limits=FREE) as there, company(here) as (ada, ben, *_):
        ben.http.base_url = there
        with line_to(ben) as line:
            hear(line, "regions")
            say(ada, "From here.")
            assert "From here." in told(line)
            say(ben, "From there.")
        assert heard(ada) == ["Ada: From here.", "Ben: From there."]


def test_spectators_see_what_everybody_may_see_and_open_hands_only_after_the_end(address: str):
    with company(address) as (ada, ben, eve, _):
        public, mine = eve.now(), ada.now()
        assert public["you"] == -1
        assert public["decision"] is None
        assert public["legal"] == []
        assert public["view"].keys() <= mine["view"].keys() | {"you"}
        money = json.dumps(mine["view"]["money"])
        assert money not in json.dumps(public["view"])
        for eyes, status in (("open", 403), ("0", 403), ("spectator", 200)):
            assert eve.http.get(f"/t/{eve.table}/replay", params={"seat": eyes}).status_code == status
        assert eve.http.get(f"/t/{eve.table}/record", headers=JSON).status_code == 409
        play_out(ada, ben)
        for eyes in ("open", "0", "1", "spectator"):
            assert eve.http.get(f"/t/{eve.table}/replay", params={"seat": eyes}).status_code == 200
        assert eve.http.get(f"/t/{eve.table}/record", headers=JSON).json()["deal"]


# --- on the page ------------------------------------------------------------------------------------------------------


@contextmanager
def at_the_table(browser: Any, person: Person, size: tuple[int, int], script: bool = True) -> Iterator[Any]:
    """A page in the seat of a person."""
    with visitor(browser, size, script) as page:
        address = str(person.http.base_url).rstrip("/")
        cookies = [{"name": name, "value": value, "url": address} for name, value in person.http.cookies.items()]
        if cookies:
            page.context.add_cookies(cookies)
        page.goto(f"{address}/t/{person.table}")
        yield page


@pytest.mark.browser
@pytest.mark.parametrize(
    ("zone", "shown"),
    [pytest.param("America/Los_Angeles", "23:05", marks=pytest.mark.deep), ("Asia/Kolkata", "12:35")],
)
def test_when_something_was_said_is_told_in_the_zone_of_the_reader_and_without_script_in_utc(
    browser, address: str, database: Path, zone: str, shown: str
):
    with company(address) as (ada, *_):
        at = datetime.now(UTC).replace(hour=7, minute=5) - timedelta(days=9)
        early = (ada.table, "seats", "seat-1", "Ben", "Early", at.timestamp())
        with closing(sqlite3.connect(database)) as db, db:
            db.execute("insert into chat (table_id, room, who, name, text, at) values (?, ?, ?, ?, ?, ?)", early)
        say(ada, "Now")
        context = browser.new_context(timezone_id=zone, locale="en-GB")
        cookies = [{"name": name, "value": value, "url": address} for name, value in ada.http.cookies.items()]
        context.add_cookies(cookies)
        page = context.new_page()
        for path, opened in (("", "#talk > summary"), ("/chat", None)):
            page.goto(f"{address}/t/{ada.table}{path}")
            if opened:
                page.locator(opened).click()
            now = page.locator("li", has_text="Now").locator("time")
            page.wait_for_selector("li time:not([data-local])")
            here = datetime.now(ZoneInfo(zone))
            assert now.inner_text() in (f"{here:%H:%M}", f"{here - timedelta(minutes=1):%H:%M}")
        early = page.locator("li", has_text="Early").locator("time")
        assert early.inner_text().endswith(shown)
        assert early.get_attribute("datetime") == f"{at:%Y-%m-%dT%H:%MZ}"
        context.close()
        bare = browser.new_context(timezone_id=zone, java_script_enabled=False)
        bare.add_cookies(cookies)
        page = bare.new_page()
        page.goto(f"{address}/t/{ada.table}/chat")
        expect(page.locator("li", has_text="Early").locator("time")).to_have_text("07:05 UTC", use_inner_text=True)
        bare.close()


@pytest.mark.browser
@pytest.mark.parametrize("size", [PHONE, DESK])
def test_the_chat_counts_what_is_new_and_is_used_by_keys_alone(browser, address: str, size: tuple[int, int]):
    with company(address) as (ada, ben, *_), at_the_table(browser, ben, size) as page:
        page.wait_for_selector("[data-connection].on")
        if page.locator("[data-learned=all]").first.is_visible():  # a phone has no room for the card and the figure
            page.locator("[data-learned=all]").first.click()
        say(ada, "Are you there?")
        say(ada, "Hello?")
        page.locator("[data-unread]", has_text="2").wait_for()
        assert page.locator("[data-unread]").get_attribute("aria-label") == "New messages in the chat: 2"
        expect(page.locator("#talk > summary")).to_contain_text("2 new")  # a phone may show it above alone
        page.keyboard.press("c")
        page.locator("[data-unread]").wait_for(state="hidden")
        page.keyboard.type("Yes, choosing.")
        page.keyboard.press("Enter")
        page.locator("#chat li.mine", has_text="Yes, choosing.").wait_for()
        assert page.locator("#say").input_value() == ""
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.closest('#talk') !== null && !document.querySelector('#talk').open")
        assert heard(ada)[-1] == "Ben: Yes, choosing."


@pytest.mark.browser
@pytest.mark.parametrize("size", [pytest.param(PHONE, marks=pytest.mark.deep), (375, 667), DESK])
def test_the_chat_leaves_the_dock_free_and_never_scrolls_sideways(browser, address: str, size: tuple[int, int]):
    with company(address) as (ada, ben, *_):
        asked = None
        while asked is None:
            asked = next((person for person in (ada, ben) if person.now()["decision"] is not None), None)
        for n in range(30):
            say(ada, f"{n} " + "long" * 60)
        with at_the_table(browser, asked, size) as page:
            page.wait_for_selector("[data-connection].on")
            page.keyboard.press("c")
            page.locator("#say").wait_for()
            fits(page)
            chat, dock = (page.locator(f"#{name}").bounding_box() for name in ("chat", "dock"))
            apart = chat["y"] >= dock["y"] + dock["height"] - 1 or chat["x"] >= dock["x"] + dock["width"] - 1
            assert apart or size != DESK, (chat, dock)
            box = page.locator("#say").bounding_box()
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= size[1]
            if size != DESK:  # a drawer, which one key closes
                page.keyboard.press("Escape")
                chat, dock = (page.locator(f"#{name}").bounding_box() for name in ("chat", "dock"))
                assert chat["y"] >= dock["y"] + dock["height"] - 1
            page.locator("#dock summary, #dock button").first.click(trial=True)


@pytest.mark.browser
def test_a_half_written_message_stays_when_others_speak_and_play(browser, address: str):
    with company(address) as (ada, ben, *_), at_the_table(browser, ben, PHONE) as page:
        page.wait_for_selector("[data-connection].on")
        page.keyboard.press("c")
        page.keyboard.type("I was about to")
        say(ada, "Listen!")
        page.locator("#chat li", has_text="Listen!").wait_for()
        ada.http.post(f"/t/{ada.table}/pace", data={"pace": "slow"})
        page.keyboard.type(" say")
        assert page.locator("#say").input_value() == "I was about to say"


@pytest.mark.browser
def test_the_chat_works_without_script(browser, address: str):
    with company(address) as (ada, ben, *_), at_the_table(browser, ben, PHONE, script=False) as page:
        say(ada, "No script?")
        page.goto(f"{address}/t/{ben.table}/chat")
        page.locator("#say").fill("None at all.")
        page.get_by_role("button", name="Say").click()
        page.get_by_text("None at all.").wait_for()
        page.get_by_role("button", name="Mute Ada").click()
        expect(page.get_by_text("No script?")).to_have_count(0)
        page.get_by_role("button", name="Hear Ada again").click()
        page.get_by_text("No script?").wait_for()
        page.get_by_role("link", name="Back to the table").click()
        page.locator("#chat").wait_for(state="attached")
        expect(page.locator("[role=alert]")).to_have_count(0)


@pytest.mark.browser
def test_the_host_switches_the_chat_off_on_its_page(browser, address: str):
    with company(address) as (ada, ben, *_), at_the_table(browser, ada, DESK) as page:
        page.locator("#talk > summary").click()
        page.get_by_role("link", name=re.compile("switch the chat off")).click()
        page.get_by_role("button", name="Switch the chat off for everybody").click()
        page.wait_for_selector("#chat")
        assert say(ben, "Hello?").status_code == 403
