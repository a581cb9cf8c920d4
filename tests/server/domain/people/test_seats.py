"""Seats one cannot lose: a seat link asks first, a browser has one cookie, and its seats are kept on the server."""

from __future__ import annotations

import re
import socket
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from outbid.server.storage.people import BROWSERS
from outbid.server.web.requests import MOVED
from tests.support.browsing import expect, visitor
from tests.support.serving import JSON, Person, people, sentence, serving, unmarked

pytestmark = pytest.mark.slow


def rows(database: Path, what: str, *facts: str) -> list[Any]:
    """What the database has."""
    with closing(sqlite3.connect(database)) as db:
        return db.execute(what, facts).fetchall()


def held(database: Path, table: str) -> int:
    """How many browsers have a seat at a table."""
    return len(rows(database, "select 1 from held where table_id = ?", table))


def two_at_a_table(ada: Person, ben: Person) -> None:
    ada.order(bots="open")
    ben.join(ada.table, "Ben")


# --- seat links -------------------------------------------------------------------------------------------------------


def test_a_seat_link_that_is_opened_says_whose_seat_it_is_and_changes_nothing(address: str, database: Path):
    with people(address, 3) as (ada, ben, eve):
        two_at_a_table(ada, ben)
        for person, seat in ((ben, 1), (eve, -1)):
            person.table, before = ada.table, dict(person.http.cookies)
            answer = person.http.get(ada.links[ada.table], headers={"Referer": "https://evil.example/"})
            assert answer.status_code == 200
            page = unmarked(answer.text)
            assert "Play as Ada?" in page
            assert ("you play there as Ben" in page) == (person is ben)
            assert "set-cookie" not in answer.headers
            assert dict(person.http.cookies) == before
            assert person.now()["you"] == seat
        assert held(database, ada.table) == 2
        facts = eve.http.get(ada.links[ada.table], headers=JSON)
        assert facts.json() == {"table": ada.table, "seat": 0, "name": "Ada"}
        assert "set-cookie" not in facts.headers


def test_a_seat_is_taken_by_the_answer_and_ones_own_comes_back_by_its_link(address: str):
    with people(address) as (ada, ben):
        two_at_a_table(ada, ben)
        answer = ben.http.post(ada.links[ada.table])
        assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{ada.table}")
        assert ben.now()["you"] == 0
        assert ada.links[ada.table] in ben.http.get(f"/t/{ada.table}/seat").text, "it can be passed on from here, too"
        assert ben.take(ben.links[ben.table]).json() == {"table": ada.table, "seat": 1}
        assert (ada.now()["you"], ben.now()["you"]) == (0, 1)


def test_ones_own_seat_link_leads_to_the_table_without_a_question(address: str):
    with people(address, 1) as (ada,):
        link = ada.order()
        answer = ada.http.get(link)
        assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{ada.table}")


def test_no_page_of_another_site_takes_a_seat_for_its_visitor(address: str):
    with people(address) as (ada, ben):
        two_at_a_table(ada, ben)
        link = ada.links[ada.table]
        for whence in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Referer": "https://evil.example/x"}):
            assert "another site" in sentence(ben.http.post(link, headers={**JSON, **whence}), 403)
        sentence(ben.http.post(link, data={"name": "Eve"}, headers=JSON), 400)
        sentence(ben.http.post(link[:-1], headers=JSON), 403)
        assert ben.now()["you"] == 1


@pytest.mark.browser
@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_somebody_who_sits_there_is_asked_and_may_stay_or_go_on(address: str, browser: Any, script: bool):
    with people(address) as (ada, ben), visitor(browser, script=script) as page:
        two_at_a_table(ada, ben)
        page.context.request.post(address + ben.links[ben.table], max_redirects=0)
        page.goto(address + ada.links[ada.table])
        expect(page.locator("h1")).to_have_text("Play as Ada?", use_inner_text=True)
        page.get_by_role("link", name="Stay Ben").click()
        expect(page.locator("main")).to_contain_text("Ben", use_inner_text=True)
        assert page.context.request.get(page.url, headers=JSON).json()["you"] == 1
        page.goto(address + ada.links[ada.table])
        page.get_by_role("button", name="Play as Ada").click()
        page.wait_for_url(f"{address}/t/{ada.table}")
        assert page.context.request.get(page.url, headers=JSON).json()["you"] == 0


@pytest.mark.browser
@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_the_seat_that_play_makes_is_taken_without_a_question_and_by_a_second_browser_with_one(
    tmp_path: Path, browser: Any, script: bool
):
    wanted = {"game": "kuhhandel", "players": 3, "name": "Ada", "bots": ["steady", "random"], "options": {}}
    with serving(tmp_path / "tables.db", table=wanted) as link:
        for first in (True, False):
            with visitor(browser, script=script) as page:
                page.goto(link)
                if not (first and script):
                    page.get_by_role("button", name="Play as Ada").click()
                page.wait_for_url(link.partition("/seat/")[0])
                assert page.context.request.get(page.url, headers=JSON).json()["you"] == 0


# --- one cookie -------------------------------------------------------------------------------------------------------


def test_a_browser_has_one_cookie_however_many_tables_it_sits_at(address: str):
    with people(address, 1) as (ada,):
        made = []
        for _ in range(5):
            ada.order(bots="open")
            made.append(ada.table)
        assert list(ada.http.cookies) == ["browser"]
        front = ada.http.get("/").text
        assert all(f"/t/{table}" in front for table in made)
        for ada.table in made:
            assert ada.now()["you"] == 0


def test_the_cookie_is_httponly_and_lax(address: str):
    with people(address, 1) as (ada,):
        answer = ada.http.post("/tables", data={"game": "kuhhandel", "players": 3, "name": "Ada"})
        (cookie,) = answer.headers.get_list("set-cookie")
        assert cookie.startswith("browser=")
        assert {"HttpOnly", "SameSite=lax"} <= set(cookie.split("; "))


def test_cookies_of_single_seats_are_read_still_and_moved_to_where_seats_are_kept_now(address: str, database: Path):
    with people(address) as (ada, old):
        links = [ada.order(bots="open") for _ in range(MOVED + 5)]
        for link in links:
            _, _, table, _, token = link.split("/")
            old.http.cookies.set(f"seat-{table}", token, domain="127.0.0.1")
        old.http.cookies.set("seat-gone", "A" * 22, domain="127.0.0.1")
        old.http.cookies.set("seat-bad", "no-token", domain="127.0.0.1")
        old.table = ada.table
        assert old.now()["you"] == 0
        assert f"/t/{ada.table}" in old.http.get("/").text
        old.order(bots="open")  # now it has a cookie for all its seats
        left = [name for name in old.http.cookies if name.startswith("seat-")]
        assert len(left) == 7
        old.order(bots="open")
        assert [name for name in old.http.cookies if name.startswith("seat-")] == ["seat-bad"]
        for link in links:
            old.table = link.split("/")[2]
            assert old.now()["you"] == 0
            assert held(database, old.table) == 2


def test_a_browser_keeps_no_secret_that_somebody_else_has_chosen_for_it(address: str):
    with people(address, 1) as (ada,):
        ada.http.cookies.set("browser", "A" * 22)
        ada.order()
        assert "A" * 22 not in [cookie.value for cookie in ada.http.cookies.jar if cookie.domain]


def free_port() -> int:
    """A port nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])


HTTPS = {"Host": "table.example", "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9", "Accept": "text/html"}


def test_over_https_a_cookie_that_a_neighbour_may_have_set_is_read_and_replaced_by_one_of_this_host(tmp_path: Path):
    database = tmp_path / "tables.db"
    form = {"game": "kuhhandel", "players": "3", "name": "Ada", "bots": "open"}
    with serving(database) as address, people(address) as (ada, eve):  # before, without a name of its own
        ada.order(bots="open")
        eve.order(bots="open")
        older, planted = (person.http.cookies["browser"] for person in (ada, eve))
        first, second = ada.table, eve.table
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with serving(database, port=port, base_url="https://table.example"), httpx.Client(base_url=address, timeout=20) as http:

        def asked(method: str, path: str, secret: str, **more: Any) -> httpx.Response:
            headers = HTTPS | {"Cookie": secret, "Origin": "https://table.example"}
            return http.request(method, path, headers=headers, **more)

        def seat(table: str, secret: str) -> int:
            return asked("GET", f"/t/{table}", secret).text.count("data-socket")

        page = asked("GET", f"/t/{first}", f"browser={older}")
        fresh, gone = page.headers.get_list("set-cookie")
        assert re.fullmatch(r"__Host-browser=[\w-]{22}; HttpOnly; Max-Age=\d+; Path=/; SameSite=lax; Secure", fresh)
        assert gone.startswith('browser="";')
        assert older not in fresh
        ours = fresh.partition(";")[0]
        assert (seat(first, ours), seat(first, f"browser={older}"), seat(first, "browser=")) == (1, 1, 0)
        assert "set-cookie" not in asked("GET", f"/t/{first}", ours).headers
        assert seat(first, f"{ours}; browser={planted}") == 1  # ours comes first
        sat = asked("POST", "/tables", f"browser={planted}", data=form)  # a neighbour's cookie, and somebody sits down
        cookies = {cookie.partition("=")[0]: cookie.partition(";")[0] for cookie in sat.headers.get_list("set-cookie")}
        mine = sat.headers["location"].rpartition("/")[2]
        assert seat(mine, cookies["__Host-browser"]) == 1
        assert seat(second, cookies["__Host-browser"]) == 1  # nobody is signed out
        assert seat(mine, f"browser={planted}") == 0  # and who chose the cookie is not at the table
    with serving(tmp_path / "below.db", port=port, base_url="https://table.example/games"):
        sat = httpx.post(f"{address}/games/tables", data=form, headers=HTTPS | {"Cookie": "cookies=kept"}, timeout=20)
        assert sat.headers["set-cookie"].startswith("browser=")
        assert "Path=/games/; SameSite=lax; Secure" in sat.headers["set-cookie"]


def test_of_the_browsers_that_have_a_seat_the_newest_are_kept(tmp_path: Path):
    database = tmp_path / "tables.db"
    with serving(database) as address, people(address) as (ada, other):
        ada.order()
        for _ in range(BROWSERS + 5):
            other.http.cookies.clear()
            other.take(ada.links[ada.table])
        assert held(database, ada.table) == BROWSERS
        other.table = ada.table
        assert other.now()["you"] == 0


def test_what_the_database_has_of_a_seat_opens_it_nowhere(address: str, database: Path):
    with people(address) as (ada, eve):
        ada.order()
        ((browser, token, sealed),) = rows(database, "select browser, token, sealed from held where table_id = ?", ada.table)
        eve.table = ada.table
        for secret in (browser, token, sealed, sealed[:22]):
            for name in ("browser", f"seat-{ada.table}"):
                eve.http.cookies.clear()
                eve.http.cookies.set(name, secret)
                assert eve.now()["you"] == -1
        assert ada.token not in (browser, token, sealed)


def test_who_leaves_or_is_put_out_or_whose_table_is_deleted_has_no_seat_there_any_more(address: str, database: Path):
    with people(address) as (ada, ben):
        two_at_a_table(ada, ben)
        ada.http.post(f"/t/{ada.table}/seats", data={"seat": 1, "who": "open"})
        assert ben.now()["you"] == -1
        assert "the seat was opened again" in ben.http.get(f"/t/{ben.table}").text
        ben.join(ada.table, "Ben")
        assert ben.now()["you"] == 1
        assert ben.http.post(f"/t/{ben.table}/leave", headers=JSON).json() == {"ok": True}
        assert "the seat was opened again" not in ben.http.get(f"/t/{ben.table}").text
        assert held(database, ada.table) == 1
        assert ada.http.post(f"/t/{ada.table}/delete", headers=JSON).json() == {"ok": True}
        assert held(database, ada.table) == 0
