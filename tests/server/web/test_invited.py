"""From a link in a messenger to a seat: links with something added, browsers without cookies, seats that are gone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from outbid.core.errors import BadSetup
from outbid.wire.link import Link, trimmed
from tests.support.browsing import PHONE, visitor
from tests.support.serving import JSON, SHORT, Person, get, people, play_out, post, serving

HTML = {"Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"}
BEHIND = (".", ",", ")", "]", ">", ".)", "!", "%20", "%C2%A0", "%E2%80%8B", "%E2%80%9D", "%E3%80%82", "*", "%22", "'.")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server for this module."""
    with serving(tmp_path_factory.mktemp("invited") / "tables.db") as address:
        yield address


@pytest.fixture
def ada(server: str) -> Iterator[Person]:
    """Somebody with a browser of their own."""
    with people(server, 1) as (person,):
        yield person


# --- links as they arrive ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_fields_that_a_messenger_adds_to_a_link_change_nothing(ada: Person):
    ada.order(**SHORT, bots="random")
    play_out(ada)
    pages = ("/", "/rules/rivals", f"/t/{ada.table}", f"/t/{ada.table}/replay", "/learn/rivals", "/new/rivals", "/daily")
    for path in pages:
        for added in ("fbclid=IwAR1x", "utm_source=a&utm_medium=b", "gclid=1&msclkid=2&fbclid=3", "fbclid=1&fbclid=2"):
            for headers in (HTML, {}):
                assert ada.http.get(f"{path}?{added}", headers=headers).status_code == 200, (path, added)
    replay = f"/t/{ada.table}/replay?move=1"
    assert ada.http.get(f"{replay}&never_heard_of=1", headers=HTML).text == ada.http.get(replay, headers=HTML).text
    assert ada.http.get(f"{replay}&never_heard_of=1", headers=JSON).status_code == 400  # a program has mistyped something
    assert ada.http.get("/new/rivals?luck=1", headers=HTML).status_code == 400  # a rule that would not hold
    assert ada.http.get("/new/claim?utm_source=x&option:goal=7", headers=HTML).text.count('value="7"') == 1


@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.slow
def test_what_a_sentence_puts_behind_a_link_leads_to_the_table_all_the_same(ada: Person, server: str, behind: str):
    link = ada.order(bots="open")
    token = link.rpartition("/")[2]
    for path in (f"/t/{ada.table}", link):
        led = get(f"{server}{path}{behind}?fbclid=1", headers=HTML)
        assert (led.status_code, led.headers["location"]) == (303, f"{path}?fbclid=1")
    assert get(f"{server}/t/{ada.table}{behind}", follow_redirects=True).status_code == 200
    assert Link.read(f"{server}/t/{ada.table}{behind}") == Link(server, ada.table)
    assert Link.read(f"{server}{link}{behind}") == Link(server, ada.table, token)


def test_an_address_that_is_cleaned_leads_to_no_other_host_and_no_further(server: str):
    for path in ("//example.org/.", "/%5Cexample.org.", "/t/..", "/.", "/...", "/t/abc/.)", "//.", "/%2F%2Fexample.org%2F."):
        answer = get(f"{server}{path}", headers=HTML)
        if answer.status_code == 303:
            led = urlsplit(answer.headers["location"])
            assert (led.scheme, led.netloc) == ("", "")
            assert not answer.headers["location"].startswith(("//", "/\\"))
            assert trimmed(led.path) == led.path
    assert post(f"{server}/t/abc.", headers=HTML).status_code != 303  # what is sent is not moved
    with pytest.raises(BadSetup):
        Link.read(f"{server}/t/.")


# --- a browser that keeps no cookies ----------------------------------------------------------------------------------


def test_a_browser_that_keeps_no_cookies_is_told_so_and_takes_no_seat(ada: Person, server: str):
    seat = ada.order(bots="open")
    form = {"game": "kuhhandel", "players": "3", "name": "Kea", "bots": "open"}
    for path, fields in (
        (f"/t/{ada.table}/join", {"name": "Kea"}), (seat, {}), ("/play", {"game": "rivals", "name": "Kea"}),
        ("/tables", form), ("/new/kuhhandel", {"name": "Kea", "players": "3", "bots": "open"}), ("/daily", {"name": "Kea"}),
    ):  # fmt: skip
        assert get(f"{server}{path}", headers=HTML).headers.get("set-cookie", "cookies=").startswith("cookies=")
        told = post(f"{server}{path}", data=fields, headers=HTML | {"Origin": server})
        assert told.status_code == 400, path
        assert "Your browser keeps no cookies" in told.text
        german = post(f"{server}{path}", data=fields, headers=HTML | {"Origin": server, "Accept-Language": "de"})
        assert "Dein Browser behält keine Cookies" in german.text
    assert [place["kind"] for place in ada.now()["seats"]] == ["human", "open", "open"]
    with httpx.Client(base_url=server, headers=HTML, timeout=20) as kea:  # the same browser, with cookies
        assert kea.get(f"/t/{ada.table}").status_code == 200
        assert kea.post(f"/t/{ada.table}/join", data={"name": "Kea"}).status_code == 303
    assert [place["kind"] for place in ada.now()["seats"]] == ["human", "human", "open"]


# --- seats that are gone ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.browser
def test_an_invitation_shows_who_has_come_keeps_what_is_typed_and_ends_with_the_last_seat(browser: Any, ada: Person):
    ada.order(bots="open", players=3)
    address = str(ada.http.base_url).rstrip("/")
    with visitor(browser, PHONE) as page, people(address) as (ben, cleo):
        page.goto(f"{address}/t/{ada.table}")
        name = page.locator("form[action$='/join'] [name=name]")
        name.press_sequentially("Half a na")
        ben.join(ada.table, "Ben")
        page.get_by_text("Ben", exact=True).wait_for()
        page.wait_for_function("() => document.activeElement.name === 'name'")  # the page is there before its script is
        assert name.input_value() == "Half a na"
        name.press_sequentially("me")
        cleo.join(ada.table, "Cleo")
        page.locator("#board, .board, main").first.wait_for()
        page.wait_for_function("() => !document.querySelector(\"form[action$='/join']\")")
        assert re.fullmatch(rf"{address}/t/{ada.table}", page.url)


@pytest.mark.slow
@pytest.mark.browser
def test_the_page_of_a_name_that_was_refused_is_an_invitation_too(browser: Any, ada: Person):
    ada.order(bots="open", players=2, game="rivals", preset="seed")
    address = str(ada.http.base_url).rstrip("/")
    with visitor(browser, PHONE, quiet=False) as page, people(address, 1) as (ben,):
        page.goto(f"{address}/t/{ada.table}")
        page.locator("[name=name]").fill("Ada")
        page.get_by_role("button", name="Join the table").click()
        page.locator("#name-error").wait_for()
        ben.join(ada.table, "Ben")
        page.wait_for_function("() => !document.querySelector(\"form[action$='/join']\")")
        assert page.url == f"{address}/t/{ada.table}"
