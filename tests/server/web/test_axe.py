"""axe finds nothing serious on any page of any game in any phase: on a desk and on a phone, by day and by night."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pytest

from outbid.core.match import Match
from outbid.server.domain.records import id_of
from tests.support import browsing
from tests.support.axe import VIEWS, examined
from tests.support.browsing import PHONE
from tests.support.gallery import GAMES, SHOWS, gallery
from tests.support.houses import House
from tests.support.profile import DEEP
from tests.support.reviewed import kept, played

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAMED = {"name": "Ada of the axe", "password": "correct horse battery"}


@pytest.fixture
def page(browser):
    """A page without movement: in the middle of a change of colours axe would see neither."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(browsing.PATIENCE)
    context.add_init_script(browsing.MOVES)
    yield context.new_page()
    context.close()


def at_table(page, house: House, match: Match, seat: int) -> None:
    """Sit down at a table where this match is played."""
    browsing.sit(page, house.address + browsing.begun(house.database, match, hints="on")[seat])
    page.wait_for_selector("[data-connection].on")


def test_axe_would_find_grey_words_and_a_button_without_a_name(page, house):
    page.goto(house.address)
    page.evaluate("""() => {
      const [words, button] = [document.createElement("p"), document.createElement("button")];
      words.textContent = "grey on white";
      words.style.cssText = "color: #999; background: #fff";
      document.querySelector("main").append(words, button);
    }""")
    rules = {line.split(": ")[2] for line in examined(page, *VIEWS[0])}
    assert rules == {"color-contrast", "button-name"}


@pytest.mark.parametrize("show", SHOWS, ids=str)
def test_axe_finds_nothing_serious_in_any_phase(toured, show):
    found = toured(show)["axe"]
    assert not found, "\n".join(found)


@pytest.mark.deep
@pytest.mark.parametrize("show", SHOWS, ids=str)
def test_axe_finds_nothing_serious_in_any_phase_in_any_view(page, house, show):
    found: list[str] = []
    for n, piece in enumerate(gallery(show)):
        at_table(page, house, piece.match, piece.seat)
        table = page.url
        for view in VIEWS:
            found += [f"{piece.phase} {line}" for line in examined(page, *view)]
            found += [f"{piece.phase} {line}" for line in examined(page, *view, opened=True)]
            page.goto(table)
        page.context.clear_cookies()
        page.goto(table)
        found += [f"{piece.phase}, watching {line}" for line in examined(page, *VIEWS[n % 4], opened=True)]
    assert not found, "\n".join(found)


@pytest.mark.deeper
def test_axe_finds_nothing_serious_on_the_other_pages(page, house):
    form = {"game": "kuhhandel", "players": "3", "name": "Ada", "bots": "open", "option:bidding": "realtime"}
    made = page.context.request.post(f"{house.address}/tables", form=form, max_redirects=0)
    table = house.address + made.headers["location"]
    pages = {"the front page": "/", "a message": "/t/nowhere", "to sign in": "/name"}
    pages |= {f"the rules of {name}": f"/rules/{name}" for name in GAMES}
    pages |= {f"setting up {name}": f"/new/{name}" for name in ("claim", "forex")}
    pages |= {"the puzzles": "/puzzles", "a puzzle": "/puzzles/rivals"}
    pages |= {"the deal of the day": "/daily", "sending a record": "/records"}
    pages |= {"open seats": f"{table}", "the seat link": f"{table}/seat", "deleting": f"{table}/delete"}
    found: list[str] = []
    for number, (name, address) in enumerate(pages.items()):
        page.goto(address if "//" in address else house.address + address)
        for size, scheme in VIEWS[:2] if DEEP else [VIEWS[number % 2]]:
            found += [f"{name}: {line}" for line in examined(page, size, scheme, opened=size == PHONE)]
    page.goto(f"{table}/seat")
    link = page.locator("#link").input_value()
    page.context.clear_cookies()
    for name, address in {"to join": table, "whose seat it is": link}.items():
        page.goto(address)
        found += [f"{name}: {line}" for line in examined(page, *VIEWS[3])]
    assert not found, "\n".join(found)


def test_axe_finds_nothing_serious_where_people_talk_leave_and_keep_their_name(page, house):
    form = {"game": "kuhhandel", "players": "3", "name": "Ada", "bots": "random", "clock": "180+15"}
    made = page.context.request.post(f"{house.address}/tables", form=form, max_redirects=0)
    table = house.address + made.headers["location"]
    for path, fields in ((f"{table}/chat", {"text": "Good luck!"}), (f"{house.address}/name/keep", NAMED)):
        assert page.context.request.post(path, form=fields).ok
    found: list[str] = []
    for name, address in {
        "the table": table, "the chat": f"{table}/chat", "leaving": f"{table}/leave", "a kept name": f"{house.address}/name"
    }.items():  # fmt: skip
        page.goto(address)
        for size, scheme in VIEWS[:2]:
            found += [f"{name}: {line}" for line in examined(page, size, scheme, opened=size == PHONE)]
    assert not found, "\n".join(found)


def test_axe_finds_nothing_serious_on_a_review(page, house):
    reviews = {"before": id_of(played("money")), "made": kept(house.database)}
    page.context.request.post(f"{house.address}/records", form={"text": json.dumps(played("money").record())})
    found: list[str] = []
    for name, table in reviews.items():
        page.goto(f"{house.address}/t/{table}/review")
        for size, scheme in VIEWS:
            found += [f"{name}: {line}" for line in examined(page, size, scheme, opened=size == PHONE)]
    assert not found, "\n".join(found)


def test_axe_finds_nothing_serious_in_a_hint_and_on_the_ladder(page, house):
    with closing(sqlite3.connect(house.database)) as db, db:
        db.execute("INSERT INTO names (key, name, password, made, ladder) VALUES ('bea', 'Bea', '', 0, 1)")
        for row in (("human", "bea", 27.5, 4.1, 3), ("bot", "steady", 25.2, 1.1, 40)):
            db.execute("INSERT INTO ratings VALUES (?, ?, 'claim', ?, ?, ?)", row)
    form = {"game": "kuhhandel", "players": "3", "name": "Ada", "bots": "steady", "pace": "instant"}
    made = page.context.request.post(f"{house.address}/tables", form=form, max_redirects=0)
    found: list[str] = []
    for address in (made.headers["location"], "/ladder"):
        page.goto(house.address + address)
        if address != "/ladder":
            page.wait_for_selector(browsing.MINE)
            assert page.context.request.post(f"{page.url}/hint", headers={"Accept": "application/json"}).ok
            page.wait_for_selector("#hint[open] p.hint")
        for size, scheme in VIEWS[:2]:
            found += examined(page, size, scheme)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("show", {show.game: show for show in SHOWS if "over" in show.phases}.values(), ids=str)
@pytest.mark.generic
def test_axe_finds_nothing_serious_in_a_replay(page, house, show):
    over = next(piece.match for piece in gallery(show) if piece.phase == "over")
    at_table(page, house, over, 0)
    table = page.url
    found: list[str] = []
    page.goto(f"{table}/replay?move={len(over.moves) // 2}&seat=open")
    found += examined(page, *VIEWS[1])
    page.context.clear_cookies()
    page.goto(table)
    found += examined(page, *VIEWS[2])
    assert not found, "\n".join(found)
