"""An evening with friends: a code of four letters, the waiting room, a colour of one's own.

Each point is shown at real servers, and what is seen in Chromium with the browsers of two people at one table.
"""

from __future__ import annotations

import itertools
import re
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.server.domain import setup
from outbid.server.storage import codes
from tests.support.browsing import DESK, PHONE, begun, expect, fits, sit, visitor
from tests.support.postgres import Cluster
from tests.support.serving import JSON, SHORT, Person, people, play_out, sentence, serving, start, stop, until

pytestmark = pytest.mark.slow

SMALL, WIDE = (375, 740), (1280, 800)
HTML = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of the server of this module."""
    return tmp_path_factory.mktemp("friends") / "tables.db"


@pytest.fixture(scope="module")
def server(database: Path) -> Iterator[str]:
    """The address of a server for the tests that use up no limit."""
    with serving(database) as address:
        yield address


def room_of(person: Person) -> str:
    """The page of the waiting room."""
    return person.http.get(f"/t/{person.table}").text


def code_of(person: Person) -> str:
    """The code that stands in the waiting room; "" if there is none."""
    shown = re.search(r'<b class="letters">([A-Z]+)</b>', room_of(person))
    return shown[1] if shown else ""


def enter(person: Person, code: str, **more: Any) -> httpx.Response:
    """Type a code."""
    return person.http.post("/code", data={"code": code}, **{"headers": JSON, **more})


def ask(person: Person, what: str, **fields: Any) -> httpx.Response:
    """Send a form of the table."""
    return person.http.post(f"/t/{person.table}/{what}", data=fields, headers=JSON)


def dressed(person: Person) -> dict[int, int]:
    """The seats that have another colour than their number says, and which."""
    body = re.search(r'<body[^>]* class="([^"]*)"', room_of(person))
    return {int(seat): int(colour) for seat, colour in re.findall(r"\bp(\d)-is-(\d)", body[1] if body else "")}


# --- the code ---------------------------------------------------------------------------------------------------------


def test_no_letter_of_a_code_looks_like_another_or_like_a_figure():
    assert not set(codes.LETTERS) & set("ILOQVU01")
    assert not set(codes.LETTERS) & set("AEIOU"), "codes make no words"
    assert len(set(codes.LETTERS)) == len(codes.LETTERS) >= 18


@pytest.mark.parametrize("typed", ["{}", "{small}", " {small} ", "{0[0]} {0[1]}-{0[2]}{0[3]}"])
def test_a_code_opens_its_waiting_room_however_it_is_typed(server: str, typed: str):
    with people(server) as (ada, ben):
        ada.order(bots="open")
        code = code_of(ada)
        assert re.fullmatch(f"[{codes.LETTERS}]{{4}}", code)
        assert ada.table not in code
        led = enter(ben, typed.format(code, small=code.lower()))
        assert led.json() == {"table": ada.table}
        ben.join(ada.table, "Ben")


def test_a_code_is_dead_when_the_match_begins_and_stays_dead(server: str, database: Path):
    with people(server) as (ada, ben):
        ada.order(bots="open")
        code = code_of(ada)
        assert ask(ada, "start", bot="random").status_code == 200
        assert ada.now()["table"]["status"] == "playing"
        assert "No table waits under this code" in sentence(enter(ben, code), 404)
        with closing(sqlite3.connect(database)) as db:
            assert db.execute("SELECT count(*) FROM codes WHERE table_id = ?", (ada.table,)).fetchone() == (0,)


def test_a_code_is_dead_after_a_day_and_the_room_shows_it_no_more(server: str, database: Path):
    with people(server) as (ada, ben):
        ada.order(bots="open")
        code = code_of(ada)
        with closing(sqlite3.connect(database)) as db, db:
            (until,) = db.execute("SELECT until FROM codes WHERE code = ?", (code,)).fetchone()
            assert 0 < until - time.time() <= codes.GOOD == 24 * 3600
            db.execute("UPDATE codes SET until = ? WHERE code = ?", (time.time() - 1, code))
        assert code_of(ada) == ""
        sentence(enter(ben, code), 404)
        ben.join(ada.table, "Ben")  # the link leads there as before


def test_one_sentence_answers_what_is_wrong_old_or_mistyped_and_a_deleted_table_has_no_code(tmp_path: Path):
    with serving(tmp_path / "tables.db") as address, people(address) as (ada, ben):
        ada.order(bots="open")
        old = code_of(ada)
        assert ask(ada, "delete").status_code == 200
        answers = {sentence(enter(ben, typed), 404) for typed in (old, "", "BCD", "BCDFG", "QQQQ", "ЖЖЖЖ", "%00%00", "1O0I")}
        assert len(answers) == 1


def test_without_script_the_page_of_the_code_does_the_same(server: str):
    with people(server) as (ada, ben):
        ada.order(bots="open")
        assert 'name="code"' in ben.http.get("/code").text
        assert 'form="by-code"' in ben.http.get("/").text
        wrong = enter(ben, "<b>", headers=HTML)
        assert wrong.status_code == 404
        assert 'value="&lt;b&gt;"' in wrong.text
        assert 'id="code-error"' in wrong.text
        led = enter(ben, code_of(ada), headers=HTML, follow_redirects=True)
        assert led.url.path == f"/t/{ada.table}"


def test_ten_wrong_codes_an_hour_are_answered_and_right_ones_count_for_nothing(tmp_path: Path):
    with serving(tmp_path / "tables.db") as address, people(address) as (ada, ben):
        ada.order(bots="open")
        code = code_of(ada)
        for _ in range(12):
            assert enter(ben, code).status_code == 200
        for _ in range(10):
            sentence(enter(ben, "QQQQ"), 404)
        assert "Too many codes were wrong" in sentence(enter(ben, "QQQQ"), 429)
        refused = enter(ben, code)
        assert refused.status_code == 429, "who guesses learns nothing more, also not what is right"
        assert 60 < int(refused.headers["retry-after"]) <= 360
        assert ben.http.get(f"/t/{ada.table}").status_code == 200, "nothing else is closed"


@pytest.mark.slow
def test_a_code_leads_to_its_table_from_every_process_and_two_rooms_have_two_codes(cluster: Cluster):
    url = cluster.database()
    with ThreadPoolExecutor() as pool:
        (first, here), (second, there) = pool.map(lambda _: start(url), range(2))
    try:
        with people(here, 1) as (ada,), people(there, 1) as (ben,):
            known: dict[str, str] = {}
            for _ in range(5):
                ada.order(bots="open")
                known[code_of(ada)] = ada.table
            assert len(known) == 5
            for code, table in known.items():
                assert enter(ben, code).json() == {"table": table}
            assert ask(ada, "start", bot="random").status_code == 200
            sentence(enter(ben, next(code for code, table in known.items() if table == ada.table)), 404)
    finally:
        stop(first)
        stop(second)


# --- a name, when it is needed ----------------------------------------------------------------------------------------


def test_a_room_is_made_without_a_name_and_asks_for_it_there(server: str):
    with people(server, 1) as (ada,):
        made = ada.http.post("/play", data={"friends": "rivals"}, headers=JSON)
        ada.table = made.json()["table"]
        assert "What the others call you" in room_of(ada)
        assert re.search(r'<input id="name"[^>]* value="Guest"[^>]* autofocus>', room_of(ada))
        assert ask(ada, "me", name="Ada").status_code == 200
        assert ada.now()["seats"][0]["name"] == "Ada"
        assert "autofocus" not in room_of(ada)
        refused = ada.http.post(f"/t/{ada.table}/me", data={"name": "steady"}, headers=HTML)
        assert refused.status_code == 400
        assert 'id="name-error"' in refused.text
        assert ada.now()["seats"][0]["name"] == "Ada"


def test_the_name_that_was_typed_last_is_used_where_none_is_sent(server: str):
    with people(server, 1) as (ada,):
        ada.http.cookies.set("nickname", "Zo%C3%AB")
        for what in ("game", "friends"):
            ada.table = ada.http.post("/play", data={what: "rivals"}, headers=JSON).json()["table"]
            assert ada.now()["seats"][0]["name"] == "Zoë"
        ada.http.cookies.set("nickname", "steady", domain="")
        assert ada.http.post("/play", data={"game": "rivals", "name": ""}, headers=JSON).status_code == 201, (
            "bots wait for no name"
        )


def test_nobody_takes_a_name_of_the_table_or_changes_it_in_a_match(server: str):
    with people(server) as (ada, ben):
        ada.order(players=3, bots="open")
        ben.join(ada.table, "Ben")
        assert "already" in sentence(ask(ben, "me", name="ada"), 400)
        assert ask(ben, "me", name="Benno").status_code == 200
        assert ask(ada, "start", bot="random").status_code == 200
        assert "has begun" in sentence(ask(ben, "me", name="Ben"), 409)
        with people(server, 1) as (eve,):
            eve.table = ada.table
            sentence(ask(eve, "me", name="Eve"), 403)


def test_a_start_with_bots_changes_nothing_while_a_person_is_awaited(server: str):
    with people(server) as (ada, ben):
        ada.order(**SHORT, players=3, bots="open,random")
        ben.join(ada.table, "Ben")
        play_out(ada, ben)
        ada.table = ask(ada, "rematch").json()["table"]
        bot = next(seat["index"] for seat in ada.now()["seats"] if seat["kind"] == "bot")
        assert ask(ada, "seats", seat=bot, who="open").status_code == 200
        assert "still awaited" in sentence(ask(ada, "start", bot="random"), 409)
        assert ada.now()["seats"][bot]["kind"] == "open"
        ask(ben, "rematch")
        assert ask(ada, "start", bot="random").status_code == 200
        assert ada.now()["table"]["status"] == "playing"


# --- a colour for the evening -----------------------------------------------------------------------------------------


def test_a_colour_is_chosen_of_those_that_no_person_has(server: str):
    with people(server) as (ada, ben):
        ada.order(players=3, bots="open,random", starts="host")
        ben.join(ada.table, "Ben")
        assert dressed(ada) == {}
        assert "Ada has this colour already" in sentence(ask(ben, "me", colour=0), 400).replace("“", "").replace("”", "")
        assert dressed(ada) == {}
        assert ask(ben, "me", colour=2).status_code == 200, "a bot gives way"
        assert dressed(ada) == {1: 2, 2: 1}
        assert ask(ben, "me", colour=5).status_code == 200
        assert dressed(ada) == {1: 5, 2: 1}
        for wrong in (-1, 6, "red", 99):
            sentence(ask(ben, "me", colour=wrong), 400)
        assert dressed(ada) == {1: 5, 2: 1}


def test_a_colour_is_kept_over_rematches_where_seats_move_on(server: str):
    with people(server) as (ada, ben):
        ada.order(**SHORT, players=3, bots="open,random", starts="host")
        ben.join(ada.table, "Ben")
        ask(ben, "me", colour=4)
        ask(ada, "start")
        play_out(ada, ben)
        assert dressed(ada) == {1: 4}
        ada.table = ben.table = ask(ada, "rematch").json()["table"]
        ask(ben, "rematch")
        assert [seat["name"] for seat in ada.now()["seats"]][::2] == ["Ben", "Ada"]
        assert dressed(ada) == {0: 4, 1: 2, 2: 0}, "Ben is the yellow star, Ada the blue circle, as before"


def test_a_colour_goes_with_a_person_to_other_tables_of_the_evening_unless_somebody_has_it(server: str, database: Path):
    with people(server, 3) as (ada, ben, cy):
        ada.order(bots="open")
        ask(ada, "me", colour=3)
        ben.order(bots="open", name="Ben")
        ask(ben, "me", colour=3)
        first = ben.table
        ada.order(game="claim", players=4, bots="open", preset="seed")
        assert dressed(ada)[0] == 3
        ben.join(ada.table, "Ben")
        assert dressed(ada)[0] == 3, "who comes first keeps it"
        cy.join(ada.table, "Cy")
        own = dressed(ada)
        assert len({own.get(seat, seat) for seat in range(4)}) == 4
        with closing(sqlite3.connect(database)) as db, db:
            db.execute("UPDATE tables SET made = made - 90000 WHERE id IN (?, ?)", (first, ada.table))
        ben.order(bots="open", name="Ben")
        assert dressed(ben) == {}, "the next evening begins anew"


def test_no_two_at_a_table_have_one_colour_however_they_came(server: str):
    def own(person: Person) -> list[int]:
        """The colour of each seat."""
        changed = dressed(person)
        return [changed.get(seat, seat) for seat in range(4)]

    with people(server) as (ada, ben):
        ada.order(**{**SHORT, "players": 4}, bots="open", starts="host")
        ben.join(ada.table, "Ben")
        assert ask(ben, "me", colour=3).status_code == 200
        chairs = own(ada)
        assert chairs == [0, 3, 2, 1]
        for who in ("steady", "open", "random"):
            assert ask(ada, "seats", seat=3, who=who).status_code == 200
            assert own(ada) == chairs, "a chair keeps its colour, whoever sits in it"
        assert ask(ben, "leave").status_code == 200
        assert own(ada) == chairs
        ben.join(ada.table, "Ben")
        assert ask(ada, "start", bot="random").status_code == 200
        for game in ("", "claim"):
            assert own(ada) == chairs
            play_out(ada, ben)
            ada.table = ask(ada, "rematch", game=game).json()["table"]
            ask(ben, "rematch")
            ben.table = ada.table
            chairs = [*chairs[1:], chairs[0]]
        assert own(ada) == chairs


def test_seats_without_a_colour_share_none_with_another():
    for given in itertools.product((None, *range(setup.COLOURS)), repeat=4):
        if len(own := [colour for colour in given if colour is not None]) > len(set(own)):
            continue
        seats = [replace(setup.open_seat(), colour=colour) for colour in given]
        shown = setup.colours(seats)
        assert len(set(shown)) == len(seats)
        assert all(colour in (None, shows) for colour, shows in zip(given, shown, strict=True))
        assert all(shown[n] == n for n, colour in enumerate(given) if colour is None and n not in given)


# --- chairs -----------------------------------------------------------------------------------------------------------


def seated_at(person: Person) -> list[str]:
    """Who sits where; "" in an empty chair."""
    return [seat["name"] for seat in person.now()["seats"]]


@pytest.mark.slow
def test_the_host_takes_empty_chairs_away_and_adds_some_and_the_match_has_as_many(server: str):
    with people(server) as (ada, ben):
        ada.order(game="rivals", preset="seed", players=4, bots="open")
        ben.join(ada.table, "Ben")
        code = code_of(ada)
        assert "One chair less" in room_of(ada)
        assert "One chair" not in room_of(ben)
        sentence(ask(ben, "house", chairs=3), 403)
        assert ask(ada, "house", chairs=3).status_code == 200
        assert seated_at(ada) == ["Ada", "Ben", ""]
        assert code_of(ada) == code, "it is the table it was"
        assert ask(ada, "house", chairs=4).status_code == 200
        assert seated_at(ben) == ["Ada", "Ben", "", ""]
        assert ben.now()["you"] == 1
        for wrong in (1, 5, 0, -1, "two", ""):
            sentence(ask(ada, "house", chairs=wrong), 400)
        assert ask(ada, "seats", seat=3, who="random").status_code == 200
        assert "is not empty" in sentence(ask(ada, "house", chairs=3), 400)
        assert "One chair less" not in room_of(ada)
        assert ask(ada, "seats", seat=3, who="open").status_code == 200
        assert ask(ada, "house", chairs=2).status_code == 200
        seen = ada.now()
        assert (seen["table"]["status"], seated_at(ada)) == ("playing", ["Ada", "Ben"])
        sentence(ask(ada, "house", chairs=3), 409)
        play_out(ada, ben)


@pytest.mark.slow
def test_all_processes_know_how_many_chairs_there_are(cluster: Cluster):
    url = cluster.database()
    with ThreadPoolExecutor() as pool:
        (first, here), (second, there) = pool.map(lambda _: start(url), range(2))
    try:
        with people(here, 1) as (ada,), people(there, 1) as (ben,):
            ada.order(**{**SHORT, "players": 4}, bots="open", starts="host")
            ben.join(ada.table, "Ben")
            until(lambda: seated_at(ada)[1] == "Ben")
            assert ask(ada, "house", chairs=3).status_code == 200
            until(lambda: seated_at(ben) == ["Ada", "Ben", ""])
            assert ask(ada, "start", bot="random").status_code == 200
            until(lambda: ben.now()["table"]["status"] == "playing")
            play_out(ada, ben)
    finally:
        stop(first)
        stop(second)


# --- in the browser ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize(
    ("size", "script"), [(SMALL, True), pytest.param(WIDE, True, marks=pytest.mark.deep), (SMALL, False)]
)
def test_two_people_meet_by_a_code_choose_their_colours_and_start_with_bots(
    browser: Any, server: str, size: tuple[int, int], script: bool
):
    with visitor(browser, size, script) as ada, visitor(browser, DESK if size == SMALL else PHONE, script) as ben:
        ada.goto(server)
        fits(ada)
        ada.locator("button[name=friends][value=kuhhandel]").click()
        ada.locator("#name").fill("Ada")
        ada.get_by_role("button", name="Call me that").click()
        ada.get_by_text("Kuhhandel with Ada").wait_for()
        fits(ada)
        ben.goto(server)
        ben.locator("#code").fill(ada.locator("b.letters").inner_text().lower())
        ben.get_by_role("button", name="To the table").click()
        ben.locator("#name").fill("Ben")
        ben.get_by_role("button", name="Join the table").click()
        ben.get_by_role("button", name="blue circle").wait_for()
        assert ben.get_by_role("button", name="blue circle").is_disabled()
        ben.get_by_role("button", name="yellow star").click()
        ben.locator(".hue.c4[aria-pressed=true]").wait_for()
        if script:
            ben.locator("#say").fill("Ready!")
            ben.get_by_role("button", name="Say", exact=True).click()
            ben.locator(".chat li, #chat li").get_by_text("Ready!").wait_for()
        else:
            ada.reload()
        ada.locator("body.p1-is-4").wait_for()
        star = "place => getComputedStyle(document.querySelector(place)).clipPath.includes('63% 36%')"
        for page in (ada, ben):
            page.wait_for_function(star, arg=".chair.p1 .mark")
        fits(ada)
        ada.get_by_role("button", name="Start with bots in the 2 empty chairs").click()
        ada.locator("#stage").wait_for()
        assert "p1-is-4" in ada.locator("body").get_attribute("class")
        ben.locator("#stage").wait_for()
        expect(ben.locator("#talk")).not_to_have_attribute("open", "", timeout=5000)  # it would lie over the choices
        seat = ada.locator(".seat.p1")
        assert seat.get_attribute("aria-label").strip("\u2068\u2069") == "Ben"
        ada.locator(".seat.p1 .mark").first.wait_for()
        ada.wait_for_function(star, arg=".seat.p1 .mark")


@pytest.mark.slow
@pytest.mark.browser
def test_who_comes_into_the_room_takes_no_name_away_that_is_typed_or_on_its_way(browser: Any, server: str):
    with visitor(browser, DESK) as ada:
        ada.goto(server)
        ada.locator("button[name=friends][value=kuhhandel]").click()
        expect(ada.locator("#name")).to_be_focused()
        ada.wait_for_load_state()
        table = ada.url.rpartition("/")[2]
        ada.keyboard.type("Ann")  # over "Guest", which is selected
        ada.evaluate("() => (document.body.dataset.old = '')")
        Person(server).join(table, "Ben")
        ada.locator("body:not([data-old])").wait_for()
        expect(ada.locator("#name")).to_have_value("Ann")
        expect(ada.locator("#name")).to_be_focused()

        def late(route: Any) -> None:
            """Another person comes before the name has left."""
            Person(server).join(table, "Cem")
            ada.wait_for_timeout(700)
            route.continue_()

        ada.route("**/me", late)
        ada.keyboard.press("End")
        ada.keyboard.type("a")
        ada.get_by_role("button", name="Call me that").click()
        expect(ada.locator("h1")).to_have_text("Kuhhandel with Anna")


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_new_room_begins_at_its_top_with_code_and_chairs_in_sight_of_a_phone(browser: Any, server: str, language: str):
    with visitor(browser, SMALL) as ada:
        ada.context.set_extra_http_headers({"Accept-Language": language})
        ada.goto(server)
        ada.locator("button[name=friends][value=kuhhandel]").click()
        for named in (False, True):
            if named:
                ada.locator("#name").fill("Ada")
                ada.locator("#me button.primary").click()
                ada.get_by_text("Kuhhandel mit Ada" if language == "de" else "Kuhhandel with Ada").wait_for()
            ada.locator("[data-share]:not([hidden])").wait_for()
            assert ada.evaluate("scrollY") == 0
            for place in ("b.letters", "[data-share]", *(["#name"] if not named else []), ".chair:last-child"):
                box = ada.locator(place).bounding_box()
                assert box["y"] + box["height"] <= SMALL[1] - 10, place
            assert ada.evaluate("document.documentElement.scrollHeight") < 1900
            fits(ada)


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("size", [SMALL, pytest.param(WIDE, marks=pytest.mark.deep)])
def test_a_chair_that_offers_bots_stretches_nothing_and_cuts_no_button(browser: Any, server: str, size: tuple[int, int]):
    with visitor(browser, size) as ada:
        ada.context.set_extra_http_headers({"Accept-Language": "de"})
        ada.goto(server)
        with ada.expect_navigation(wait_until="load"):
            ada.locator("button[name=friends][value=kuhhandel]").click()
        heights = "[...document.querySelectorAll('.chair:not(:has([open]))')].map(chair => chair.offsetHeight)"
        before = ada.evaluate(heights)
        ada.locator(".opens > summary").nth(1).click()
        assert max(ada.evaluate(heights)) <= max(before) + 2
        fields = ada.locator(".chair [open] :is(select, button)")
        for box in fields.evaluate_all("fields => fields.map(field => [field.offsetHeight, field.offsetWidth])"):
            assert box[0] <= 60
            assert box[1] >= 200
        fits(ada)


@pytest.mark.slow
@pytest.mark.browser
def test_what_was_said_in_the_room_is_marked_on_top_until_it_was_in_sight_and_is_not_new_at_the_table(
    browser: Any, server: str
):
    with visitor(browser, SMALL) as ada, people(server, 1) as (ben,):
        ada.goto(server)
        ada.locator("button[name=friends][value=kuhhandel]").click()
        ada.locator(".round").wait_for()
        ben.join(ada.url.rpartition("/")[2], "Ben")
        for text in ("Hello", "Are you there?"):
            assert ask(ben, "chat", text=text).status_code == 200
        mark = ada.locator("[data-unread]:not([hidden])")
        ada.get_by_text("New messages in the chat: 2").wait_for()
        box = mark.bounding_box()
        assert box["y"] + box["height"] < 250
        mark.click()
        mark.wait_for(state="detached")
        ada.reload()
        ada.locator("#chat .lines li").last.wait_for()
        expect(mark).to_have_count(0)
        ada.get_by_role("button", name="Start with bots").click()
        ada.locator("#stage").wait_for()
        ask(ben, "chat", text="Here we go")
        ada.get_by_role("link", name="New messages in the chat: 1").wait_for()



@pytest.mark.slow
@pytest.mark.browser
def test_a_name_stands_apart_on_the_front_page_and_links_of_a_replay_are_whole(browser: Any, server: str):
    with visitor(browser, WIDE) as ada, people(server, 1) as (eve,):
        ada.context.set_extra_http_headers({"Accept-Language": "de"})
        ada.context.add_cookies([{"name": "nickname", "value": "Ben", "url": server}])
        ada.goto(server)
        assert re.sub("[\u2068\u2069]", "", ada.locator(".nick summary").inner_text()) == "Du spielst als Ben."
        eve.order(**SHORT, players=3, name="Annabelle")
        play_out(eve)
        ada.goto(f"{server}/t/{eve.table}/replay")
        links = "links => links.map(link => { const box = link.getBoundingClientRect(); return [box.left, box.right]; })"
        expect(ada.locator(".bar > a")).to_have_count(1)
        for left, right in ada.locator(".bar > a").evaluate_all(links):
            assert ada.locator("#now").evaluate("now => now.getBoundingClientRect().right") <= left < right <= WIDE[0]



@pytest.mark.slow
@pytest.mark.browser
def test_a_match_against_bots_and_the_rules_are_in_sight_on_the_front_page_of_a_phone(browser: Any, server: str):
    with visitor(browser, SMALL) as ada:
        ada.context.set_extra_http_headers({"Accept-Language": "de"})
        ada.goto(server)
        for place in ("button[name=game].primary", ".tile .facts a"):
            box = ada.locator(place).first.bounding_box()
            assert box["y"] + box["height"] <= SMALL[1] - 10, place
        fits(ada)


# --- an evening of several matches ------------------------------------------------------------------------------------


def tallied(person: Person) -> dict[str, int]:
    """The victories of the evening as the page counts them, by name."""
    said = re.search(r'<p class="tally">(.*?)</p>', room_of(person), re.DOTALL)
    rows = re.findall(r"<bdi[^>]*>(\w+)</bdi>\s*<b>(\d+)</b>", said[1]) if said else []
    return {name: int(wins) for name, wins in rows}


@pytest.mark.slow
def test_the_tally_counts_the_victories_of_an_evening_also_in_another_game(server: str):
    with people(server) as (ada, ben):
        ada.order(**SHORT, players=3, bots="open,steady:farmer")
        ben.join(ada.table, "Ben")
        won = dict.fromkeys([seat["name"] for seat in ada.now()["seats"]], 0)
        for match, game in enumerate(("", "claim", "")):
            play_out(ada, ben)
            seen = ada.now()
            for seat in seen["winners"]:
                won[seen["seats"][seat]["name"]] += 1
            assert tallied(ada) == (won if match else {}), "from the second match on"
            ada.table = ask(ada, "rematch", game=game).json()["table"]
            assert tallied(ada) == won, "in the waiting room, too"
            assert ask(ben, "rematch", game="rivals").json()["table"] == ada.table, "the first of them has chosen"
            ben.table = ada.table
            assert ada.now()["table"]["game"] == ("claim" if match else "kuhhandel")
        assert sum(won.values()) >= 3
        with people(server, 1) as (cy,):
            cy.order(name="Cy")
            play_out(cy)
            assert tallied(cy) == {}, "one match is no evening"


def test_the_set_up_offers_the_people_of_the_last_table(server: str):
    def order(person: Person, **fields: str) -> httpx.Response:
        return person.http.post("/new/claim", data={"players": "4", "name": "Ada", **fields}, headers=JSON)

    with people(server, 3) as (ada, ben, cy):
        assert 'value="again"' not in ada.http.get("/new/claim").text
        ada.order(**SHORT, players=3, bots="open,steady")
        ben.join(ada.table, "Ben")
        again = {"bots": "again", "after": ada.table}
        assert "not over" in sentence(order(ada, **again), 409)
        play_out(ada, ben)
        page = ada.http.get("/new/claim").text
        assert f'name="after" value="{ada.table}"' in page
        assert "<b>Ben</b>" in page
        assert "only who has a seat" in sentence(order(cy, **again), 400)
        assert "called" in sentence(order(ada, **again | {"name": "Ben"}), 400)
        made = order(ada, **again, **{"option:zero_risk": "true"}).json()["table"]
        assert "go on at another table" in sentence(order(ada, **again), 409)
        assert ask(ben, "rematch").json()["table"] == made
        ada.table = ben.table = made
        seats = ben.now()["seats"]
        assert [seat["name"] for seat in seats[:2]] == ["Ada", "Ben"]
        assert ben.now()["you"] == 1
        assert 'value="again"' not in ada.http.get("/new/claim").text


def test_the_set_up_says_where_there_are_more_people_than_chairs(server: str):
    with people(server) as (ada, ben):
        ada.order(game="rivals", preset="seed", players=2, bots="open")
        ben.join(ada.table, "Ben")
        play_out(ada, ben)
        sheet = {"players": "2", "name": "Ada", "bots": "again", "after": ada.table, "bot:1": "steady"}
        answer = ada.http.post("/new/rivals", data=sheet, headers=JSON)
        assert "for 2, and with you there are 2" in sentence(answer, 400)


@pytest.mark.slow
def test_another_game_is_one_that_so_many_can_play(server: str):
    with people(server, 1) as (ada,):
        ada.order(**SHORT, players=5)
        play_out(ada)
        page = room_of(ada)
        offered = re.findall(r'<option value="(\w+)"', page[page.index('name="game"') :])
        assert offered[:4] == ["claim", "forex", "kuhhandel", "money"] or "rivals" not in offered
        sentence(ask(ada, "rematch", game="chess"), 404)
        assert "for 2 to 4 players" in sentence(ask(ada, "rematch", game="rivals"), 400)
        assert ask(ada, "rematch", game="forex").status_code == 201


# --- signs ------------------------------------------------------------------------------------------------------------


def sign(person: Person, name: str, **fields: str) -> httpx.Response:
    """Send a sign."""
    return ask(person, "chat", sign=name, **fields)


def said(person: Person, language: str = "en") -> list[str]:
    """What a program reads of the chat."""
    answer = person.http.get(f"/t/{person.table}/chat", headers={**JSON, "Accept-Language": language})
    return [line["text"] for line in answer.json()["messages"]]


def test_a_sign_is_a_message_that_is_drawn_and_says_the_same_in_words(server: str):
    with people(server) as (ada, ben):
        ada.order(players=3, bots="open,random")
        ben.join(ada.table, "Ben")
        assert sign(ben, "laugh").status_code == 200
        assert sign(ben, "nothing").status_code == 200
        assert ben.http.post(f"/t/{ada.table}/chat", data={"text": ":laugh"}, headers=JSON).status_code == 200
        assert said(ada) == ["Haha!", ":nothing:", ":laugh"]
        assert sign(ada, "hurry").status_code == 200
        assert said(ben, "de")[-1] == "Du bist dran, bitte!"
        page = ada.http.get(f"/t/{ada.table}/chat").text
        assert len(re.findall(r"<li [^>]*data-sign", page)) == 2
        assert len(set(re.findall(r'name="sign" value="(\w+)"', page))) == 6


def test_signs_are_muted_and_switched_off_with_the_chat(server: str):
    with people(server) as (ada, ben):
        ada.order(players=3, bots="open,random")
        ben.join(ada.table, "Ben")
        sign(ben, "oh")
        assert ask(ada, "mute", who="seat-1", mute="true").status_code == 200
        sign(ben, "ouch")
        assert said(ada) == []
        assert len(said(ben)) == 2
        assert ask(ada, "house", chat="false").status_code == 200
        assert "switched the chat off" in sentence(sign(ben, "bravo"), 403)
        assert 'value="bravo"' not in ben.http.get(f"/t/{ben.table}/chat").text


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("size", [SMALL, pytest.param(WIDE, marks=pytest.mark.deep)])
def test_a_sign_stands_at_its_senders_seat_for_a_moment(browser: Any, server: str, size: tuple[int, int]):
    with people(server) as (ada, ben), visitor(browser, size) as page:
        ada.order(players=3, bots="open,random", talk="private")
        ben.join(ada.table, "Ben")
        page.context.add_cookies([{"name": one.name, "value": one.value, "url": server} for one in ada.http.cookies.jar])
        page.add_init_script("localStorage.setItem('learned', 'all')")
        page.goto(f"{server}/t/{ada.table}")
        page.wait_for_selector("[data-connection].on")
        sign(ben, "laugh")
        shown, seat = page.locator(".reaction.p1").bounding_box(), page.locator(".seat.p1").bounding_box()
        assert abs(shown["y"] - seat["y"]) < 40
        assert seat["x"] < shown["x"] + shown["width"] <= size[0]
        page.wait_for_selector(".reaction", state="detached")
        if not page.locator("#talk[open]").count():
            page.locator("#talk > summary").click()
        page.locator("#talk select").select_option("1")
        page.locator("#talk").get_by_role("button", name="Well done!").click()
        page.wait_for_selector(".reaction.p0")
        expect(page.locator("#talk li.mine .tag")).to_have_text("to Ben alone")
        fits(page)


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("size", [SMALL, pytest.param(WIDE, marks=pytest.mark.deep)])
def test_a_sign_is_sent_by_one_tap_while_others_are_asked(
    browser: Any, server: str, database: Path, size: tuple[int, int]
):
    match = Match.new(rulebook("rivals"), {}, 3, 3, ["Ada", "Ben", "Cem"])
    waits = (match.asked[0] + 1) % 3
    with visitor(browser, size) as page:
        sit(page, server + begun(database, match)[waits])
        page.wait_for_selector("[data-connection].on")
        signs = page.locator("#dock.resting > .signs button")
        expect(signs).to_have_count(6)
        boxes, dock = [sign.bounding_box() for sign in signs.all()], page.locator("#dock").bounding_box()
        assert min(min(box["width"], box["height"]) for box in boxes) > (43.5 if size == SMALL else 38)
        assert max(box["y"] + box["height"] for box in boxes) <= dock["y"] + dock["height"] + 0.5
        fits(page)
        signs.first.click()
        page.wait_for_selector(f".reaction.p{waits}")
        page.locator("#talk > summary").click()
        expect(signs.first).not_to_be_visible()


# --- who looks on, who leaves -----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.browser
def test_a_table_counts_who_looks_on_and_tells_no_name(browser: Any, server: str):
    with people(server, 1) as (ada,), visitor(browser, WIDE) as seat, visitor(browser, SMALL) as eve:
        sit(seat, server + ada.order(**SHORT, bots="random"))
        seat.wait_for_selector("[data-connection].on")
        expect(seat.locator(".bar > .watching")).to_have_count(0)
        eve.goto(f"{server}/t/{ada.table}")
        eve.wait_for_selector("[data-connection].on")
        expect(seat.locator(".bar > .watching")).to_have_text("1 watches", use_inner_text=True)
        with visitor(browser, DESK) as dan:
            dan.goto(f"{server}/t/{ada.table}")
            seat.get_by_text("2 watch").first.wait_for()
        seat.get_by_text("1 watches").first.wait_for()
        eve.locator("#menu > summary").click()
        expect(eve.locator(".sheet .named > .tag")).to_have_text("1 watches", use_inner_text=True)
        assert "watching" not in ada.now()["table"], "programs are told what they were told"


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("script", [True, False])
def test_whoever_leaves_is_told_what_became_of_the_seat_and_the_way_on(browser: Any, server: str, script: bool):
    with people(server, 1) as (ada,), visitor(browser, SMALL, script) as ben:
        ada.order(**{**SHORT, "players": 3}, bots="open", starts="host")
        room = f"{server}/t/{ada.table}"
        ben.goto(room)
        expect(ben.locator("#left")).not_to_be_visible()
        for _time in range(2):
            ben.locator("#name").fill("Ben")
            ben.get_by_role("button", name="Join the table").click()
            ben.get_by_text("You sit here.").wait_for()
            if _time == 0:
                ben.goto(f"{room}/leave")
                ben.get_by_role("button", name="Leave the table").click()
                ben.get_by_text("You have left the table; your seat is open again.").wait_for()
                ben.locator("#left a[href='/']").wait_for()
                assert ben.evaluate("scrollY") == 0
        assert ask(ada, "start", bot="random").status_code == 200
        ben.goto(f"{room}/leave")
        ben.get_by_role("button", name="Leave the table").click()
        ben.get_by_text("A bot plays for you. You may come back at any time").wait_for()
        ben.locator("#clocks a[href='/']").wait_for()
        fits(ben)
        ben.get_by_role("button", name="Take my seat back").click()
        ben.get_by_role("button", name="Take my seat back").wait_for(state="detached")


def test_whoever_has_the_name_already_reads_how_a_second_device_comes_to_the_seat(server: str):
    with people(server, 3) as (ada, ben, eve):
        ada.order(**{**SHORT, "players": 3}, bots="open")
        ben.join(ada.table, "Ben")
        eve.http.get(f"/t/{ada.table}", headers=HTML)  # a browser that keeps cookies
        answers = [eve.http.post(f"/t/{ada.table}/join", data={"name": name}, headers=HTML) for name in ("Ben", "x" * 99)]
        assert [answer.status_code for answer in answers] == [400, 400]
        assert ["open your seat link here" in answer.text for answer in answers] == [True, False]


def test_every_match_has_a_chat_of_its_own_and_says_so(server: str):
    with people(server) as (ada, ben):
        ada.order(**SHORT, bots="open")
        ben.join(ada.table, "Ben")
        assert ask(ada, "start", bot="random").status_code == 200
        ask(ada, "chat", text="before")
        play_out(ada, ben)
        ada.table = ask(ada, "rematch").json()["table"]
        ask(ben, "rematch")
        page = ada.http.get(f"/t/{ada.table}").text
        assert "before" not in page.partition('id="chat"')[2]
        assert "Every match has a chat of its own." in page
