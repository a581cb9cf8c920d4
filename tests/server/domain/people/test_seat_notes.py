"""The notebook: what a seat notes for itself, and nobody else ever learns of."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from outbid.server.domain.people.notebook import LONGEST
from tests.support.browsing import DESK, PATIENCE, PHONE, expect, table
from tests.support.serving import JSON, SHORT, Person, hear, line_to, people, play_out, sentence

GUESS = "Ben has a zero, and at most 90"


def note(person: Person, text: str) -> Any:
    """Note something."""
    return person.http.post(f"/t/{person.table}/notes", data={"text": text}, headers=JSON)


def noted(person: Person) -> str:
    """What one has noted."""
    return person.http.get(f"/t/{person.table}/notes", headers=JSON).json()["text"]


def seen(person: Person) -> list[str]:
    """The table and the notebook as pages, and as a program reads the table."""
    pages = [person.http.get(f"/t/{person.table}{part}").text for part in ("", "/notes", "/replay")]
    pages = [re.sub(r"name this number: \w+", "", page) for page in pages]  # each refusal has its own
    return [*pages, person.http.get(f"/t/{person.table}", headers=JSON).text]


def test_what_a_seat_notes_changes_nothing_for_anybody_else(address: str):
    with people(address, 3) as (ada, ben, eve):
        ada.order(bots="open,open")
        sentence(note(ada, GUESS), 409)  # somebody else may take the seat yet
        ben.join(ada.table, "Ben")
        assert ada.http.post(f"/t/{ada.table}/fill", data={"bot": "random"}, headers=JSON).status_code == 200
        assert ada.http.post(f"/t/{ada.table}/pace", data={"paused": "true"}, headers=JSON).status_code == 200
        eve.table = ada.table
        before = [seen(ben), seen(eve), ada.now()]
        with line_to(ben) as line:
            hear(line, "regions")
            while True:
                try:
                    line.recv(timeout=0.2)
                except TimeoutError:
                    break
            assert note(ada, GUESS + "\r\n").status_code == 200
            assert noted(ada) == GUESS
            with pytest.raises(TimeoutError):
                line.recv(timeout=0.2)
        assert [seen(ben), seen(eve), ada.now()] == before
        assert noted(ben) == ""
        assert note(ben, "Ada notes something").status_code == 200
        assert noted(ada) == GUESS
        sentence(eve.http.get(f"/t/{ada.table}/notes", headers=JSON), 403)
        sentence(note(eve, GUESS), 403)


@pytest.mark.slow
def test_a_notebook_is_in_no_record_and_goes_with_the_table(address: str, database: Path):
    with people(address) as (ada, ben):
        ada.order(**SHORT, bots="random,random")
        assert note(ada, "n" * LONGEST).status_code == 200
        assert str(LONGEST) in sentence(note(ada, "n" * (LONGEST + 1)), 400).replace(",", "")
        assert note(ada, "Quokkas hoard").status_code == 200
        play_out(ada)
        ben.table = ada.table
        shown = [*seen(ben), ben.http.get(f"/t/{ada.table}/record").text]
        assert not any("Quokkas" in page for page in shown)
        assert noted(ada) == "Quokkas hoard"
        assert ada.http.post(f"/t/{ada.table}/delete", headers=JSON).status_code == 200
    with closing(sqlite3.connect(database)) as db:
        assert "Quokkas" not in "\n".join(db.iterdump())


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("size", [DESK, PHONE], ids=str)
def test_one_notes_beside_the_table_what_is_there_the_next_time(browser, address: str, size):
    with table(browser, address, size) as page:
        where = page.url
        book = page.locator("#notes")

        def turn_to() -> None:
            page.locator("#menu > summary").click()
            page.get_by_role("link", name="Your notebook").click()
            page.wait_for_selector("#notes textarea:enabled")

        turn_to()
        assert page.url == where
        page.keyboard.type("p1 L w")  # no key of the table
        with page.expect_response(lambda answer: answer.url.endswith("/notes") and answer.request.method == "POST"):
            page.keyboard.press("Escape")
        expect(book).not_to_be_visible()
        page.reload()
        turn_to()
        assert book.locator("textarea").input_value() == "p1 L w"


@pytest.mark.browser
def test_without_script_the_notebook_is_a_page(browser, address: str):
    with table(browser, address, script=False) as page:
        page.locator("#menu > summary").click()
        page.get_by_role("link", name="Your notebook").click()
        page.locator("textarea").fill(GUESS)
        page.get_by_role("button", name="Save").click()
        page.wait_for_url("**/t/*", timeout=PATIENCE)
        page.goto(f"{page.url}/notes")
        assert page.locator("textarea").input_value() == GUESS
