"""The page of a review: made in the background, kept, linked to the replay; read on a desk, a phone, and without script."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
from starlette.testclient import TestClient

import outbid
from outbid.core.record import read_record
from outbid.review import FORMAT
from outbid.review.review import review
from outbid.server.domain.advice import reviews
from outbid.server.domain.records import id_of, table_of
from outbid.server.settings import Refused, Settings
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from outbid.server.stored import Move
from outbid.server.web.app import create_app
from outbid.server.web.screens.review.view import alone
from tests.support.browsing import DESK, PHONE, expect, fits, visitor
from tests.support.reviewed import kept, played, reviewed
from tests.support.serving import JSON, Person, sentence, serving

pytestmark = pytest.mark.slow


def until_done(http: httpx.Client, table: str) -> dict[str, Any]:
    """What a program is told when the review is there."""
    while True:
        told = http.get(f"/t/{table}/review", headers=JSON).json()
        assert told["status"] in ("running", "done")
        assert 0 <= told["done"] <= 1
        if told["status"] == "done":
            return told
        time.sleep(0.1)


def test_a_review_is_made_in_the_background_once_and_kept_also_over_a_restart(tmp_path):
    file = tmp_path / "tables.db"
    with serving(file) as address, httpx.Client(base_url=address, timeout=30) as http:
        table = http.post("/records", data={"text": json.dumps(played("kuhhandel").record())}, headers=JSON).json()["table"]
        assert http.get(f"/t/{table}/review", headers=JSON).json() == {"status": "none", "done": 0.0, "review": None}
        assert "Review this match</button" in http.get(f"/t/{table}/review", follow_redirects=True).text
        begun = http.post(f"/t/{table}/review")
        assert (begun.status_code, begun.headers["location"]) == (303, f"/t/{table}/review")
        assert http.get("/livez").text == "ok"
        made = until_done(http, table)["review"]
        assert made["format"] == FORMAT
        assert made["players"] == ["Ada", "Ben"]
    with serving(file) as address, httpx.Client(base_url=address, timeout=30) as http:
        assert http.get(f"/t/{table}/review", headers=JSON).json() == {"status": "done", "done": 1.0, "review": made}
        with closing(sqlite3.connect(file)) as db, db:
            (before,) = db.execute("SELECT at FROM reviews").fetchone()
        http.post(f"/t/{table}/review")
        assert http.get(f"/t/{table}/review", headers=JSON).json()["status"] == "done"
        with closing(sqlite3.connect(file)) as db, db:
            assert db.execute("SELECT at FROM reviews").fetchone() == (before,)


def test_a_review_of_an_older_format_is_not_shown(http, database):
    table = kept(database, "claim")
    assert http.get(f"/t/{table}/review", headers=JSON).json()["status"] == "done"
    with closing(sqlite3.connect(database)) as db, db:
        db.execute("UPDATE reviews SET format = 'outbid-review/0' WHERE table_id = ?", (table,))
    db.close()
    with closing(Store(url_of(str(database)))) as store:  # a server that has not read it yet
        assert reviews.Reviews(store).kept(table) is None


def test_a_match_that_goes_on_cannot_be_reviewed(address):
    ada = Person(address)
    ada.order()
    for answer in (
        ada.http.get(f"/t/{ada.table}/review", headers=JSON),
        ada.http.post(f"/t/{ada.table}/review", headers=JSON),
    ):
        assert "when it is over" in sentence(answer, 409)


def test_reviews_wait_in_turn_of_those_who_ask_and_whoever_played_comes_first(monkeypatch: pytest.MonkeyPatch):
    made: list[str] = []
    go = threading.Semaphore(0)

    def make(_reviews: Any, table: str, _record: Any, _job: Any) -> None:
        assert go.acquire(timeout=20)
        made.append(table)

    monkeypatch.setattr(reviews.Reviews, "_make", make)
    waiting = reviews.Reviews(Store("sqlite://"))

    def ask(name: str, address: str, own: bool) -> reviews.Job:
        match = SimpleNamespace(moves=[], record=dict)
        return waiting.begin(cast("Any", SimpleNamespace(id=name, playing=match)), address, own)

    first = ask("a1", "a", False)
    while not first.begun:
        time.sleep(0.001)
    for name in ("a2", "a3", "b1"):
        ask(name, name[0], False)
    mine = ask("mine", "a", True)
    assert [waiting.before(one) for one in (mine, *(ask(name, "c", True) for name in ("a2", "b1", "a3")))] == [0, 1, 2, 3]
    go.release(5)
    assert waiting._thread
    waiting._thread.join(20)
    assert made == ["a1", "mine", "a2", "b1", "a3"]
    match = SimpleNamespace(moves=[{}] * (reviews.MOST + 1), record=dict)
    with pytest.raises(Refused, match="outbid analyse"):
        waiting.begin(cast("Any", SimpleNamespace(id="long", playing=match)))


def test_the_end_has_a_small_curve_that_is_made_only_while_nothing_else_is(monkeypatch: pytest.MonkeyPatch):
    known = reviews.Reviews(Store("sqlite://"))
    table = cast("Any", SimpleNamespace(id="mine", playing=played("kuhhandel")))
    assert known.sketch(table) is None
    while (made := known.sketch(table)) is None:
        assert known._thread, "it was not given up"
        time.sleep(0.05)
    assert made["course"][-1]["chances"] == reviewed("kuhhandel")["course"][-1]["chances"]
    assert "mine" not in known.jobs
    assert known.kept("mine") is None, "it is no review"
    begun: list[str] = []
    go = threading.Event()
    monkeypatch.setattr(reviews.Reviews, "_make", lambda _self, name, *_rest: (begun.append(name), go.wait(20)))
    known = reviews.Reviews(Store("sqlite://"))
    known.begin(cast("Any", SimpleNamespace(id="review", playing=played("kuhhandel"))))
    assert known.sketch(table) is None
    go.set()
    assert known._thread
    known._thread.join(20)
    assert begun == ["review"]


def test_a_curve_that_takes_too_long_is_given_up_and_not_begun_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reviews, "QUICK", 0.0)
    known = reviews.Reviews(Store("sqlite://"))
    table = cast("Any", SimpleNamespace(id="mine", playing=played("kuhhandel")))
    begun: list[str] = []
    wait = known._wait
    monkeypatch.setattr(known, "_wait", lambda job, *rest: (begun.append(job.table), wait(job, *rest)))
    assert known.sketch(table) is None
    while known._thread:
        time.sleep(0.01)
    assert [known.sketch(table) for _ in range(2)] == [{}, {}]
    assert begun == ["mine"]
    long = SimpleNamespace(moves=[{}] * (reviews.MOST + 1), record=dict)
    assert known.sketch(cast("Any", SimpleNamespace(id="long", playing=long))) == {}


def test_of_many_curves_the_newest_are_kept_and_the_others_not_made_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reviews, "READ", 2)
    monkeypatch.setattr(reviews, "SKETCHED", 4)
    begun: list[str] = []

    def make(known: reviews.Reviews, table: str, *_rest: Any) -> None:
        begun.append(table)
        known._sketched(table, {"course": table})

    monkeypatch.setattr(reviews.Reviews, "_make", make)
    known, match = reviews.Reviews(Store("sqlite://")), SimpleNamespace(moves=[], record=dict)

    def asked(name: str) -> Any:
        found = known.sketch(cast("Any", SimpleNamespace(id=name, playing=match)))
        while known._thread:
            time.sleep(0.001)
        return found

    for name in "abcde":
        asked(name)
    assert begun == [*"abcde"]
    assert [asked(name) for name in "bcde"] == [{}, {}, {"course": "d"}, {"course": "e"}]
    assert begun == [*"abcde"]


def test_a_curve_that_cannot_be_made_is_no_content_and_one_that_is_being_made_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("outbid.server.web.requests.Request.seat", lambda *_: 0)
    app = create_app(Settings(f"sqlite:///{tmp_path / 'tables.db'}", daily={}))
    with TestClient(app, "http://127.0.0.1", headers=JSON) as client:
        table = client.post("/records", data={"text": json.dumps(played("kuhhandel", 6).record())}).json()["table"]
        for said, status in ((None, 202), ({}, 204)):
            app.state.reviews._sketches[table] = said
            assert client.get(f"/t/{table}/curve").status_code == status


def test_strangers_are_shown_the_curve_of_a_review_that_is_there_and_begin_none(http, database):
    made = http.get(f"/t/{kept(database, 'forex')}/curve")
    assert made.status_code == 200
    assert made.text.count("<polyline") == 2
    table = http.post("/records", data={"text": json.dumps(played("kuhhandel", 6).record())}, headers=JSON).json()["table"]
    assert http.get(f"/t/{table}/curve").status_code == 204
    assert http.get(f"/t/{table}/review", headers=JSON).json()["status"] == "none"


def test_a_deleted_table_leaves_no_review(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    store.add(table_of(played("kuhhandel").record()))
    table = id_of(played("kuhhandel"))
    store.keep_review(table, reviewed("kuhhandel"))
    assert store.review(table, FORMAT)
    assert store.delete(table)
    assert store.review(table, FORMAT) is None
    store.keep_review(table, reviewed("kuhhandel"))  # it was being made when the table went
    assert store.review(table, FORMAT) is None
    store.close()


def test_the_finished_table_and_its_replay_lead_to_the_review_and_the_review_to_steps_of_the_replay(http, database):
    table = kept(database)
    assert f'href="/t/{table}/review"' in http.get(f"/t/{table}").text
    assert 'id="moments"' in http.get(f"/t/{table}/replay?move=1&seat=open").text
    page = http.get(f"/t/{table}/review", follow_redirects=True).text
    steps = re.findall(r'href="(/t/\w+/replay\?move=\d+&amp;seat=\w+)"', page)
    assert len(steps) > 1
    for step in set(steps):
        assert http.get(step.replace("&amp;", "&")).status_code == 200


def test_from_a_moment_one_goes_on_at_a_table_of_ones_own_that_counts_nowhere(http, database):
    table = kept(database, "rivals")
    match = played("rivals")
    for wrong in ({"move": "99", "seat": "0"}, {"move": "1", "seat": "7"}, {"move": "x", "seat": "0"}, {}):
        assert "from which move" in sentence(http.post(f"/t/{table}/try", data=wrong, headers=JSON), 400)
    made = http.post(f"/t/{table}/try", data={"move": "1", "seat": "1"}, headers=JSON)
    assert made.status_code == 201
    told = made.json()
    now = http.get(f"/t/{told['table']}", headers=JSON).json()
    assert [seat["kind"] for seat in now["seats"]] == ["bot", "human"]
    before = http.get(f"/t/{table}/replay?move=1&seat=1", headers=JSON).json()
    if 1 in match.at(1).asked:  # nobody has moved since
        assert {**now["view"], "names": []} == {**before["view"], "names": []}
    with closing(Store(f"sqlite:///{database}")) as store:
        stored = store.load(told["table"])
    assert stored is not None
    assert (stored.hints, stored.deal) == ("on", match.deal)


@pytest.mark.parametrize(("loss", "kind", "mild"), [(0.02, "good", True), (0.2, "blunder", False)])
def test_where_nothing_cost_much_the_moments_say_so(loss: float, kind: str, mild: bool):
    made = reviewed("rivals")
    decisions = [{**one, "loss": loss, "class": kind} if one["better"] else one for one in made["decisions"]]
    page = alone(played("rivals"), {**made, "decisions": decisions})
    assert page.count('class="moment ') == sum(bool(one["better"]) for one in decisions) > 0
    assert ("these moves cost most" in page) == mild


def test_a_replay_gives_its_regions_alone_with_the_curve_below(http, database):
    table = kept(database, "kuhhandel") if http.get(f"/t/{id_of(played('kuhhandel'))}").status_code == 404 else id_of(
        played("kuhhandel"))  # fmt: skip
    page = http.get(f"/t/{table}/replay?move=2&seat=0").text
    part = http.get(f"/t/{table}/replay?move=2&seat=0&part=regions").json()
    assert part["regions"]["stage"] in page
    assert part["regions"]["over"].count("<polyline") == 2
    again = http.get(f"/t/{table}/replay?move=3&seat=0&part=regions").json()
    assert again["regions"]["over"] != part["regions"]["over"]
    back = http.get(f"/t/{table}/replay?move=2&seat=0&part=regions").json()
    assert back == part


def test_the_review_of_a_match_with_late_bids_tells_and_links_the_players_own(http, database):
    match = outbid.game("money", preset="small").new(players=2, seed=5, names=["Ada", "Ben"])
    while not match.over:
        match.random_move(match.asked[-1], len(match.moves))
    made = review(read_record(match.record()), worlds=2, effort=0.1, compiled=False)
    stored = table_of(match.record())
    with closing(Store(f"sqlite:///{database}")) as store:
        arrived = (Move(move["seat"], {key: value for key, value in move.items() if key != "seat"}) for move in match.moves)
        store.add(replace(stored, moves=tuple(arrived)))
        store.keep_review(stored.id, made)
    record = http.get(f"/t/{stored.id}/record").json()
    assert record == match.record() != {**record, "moves": match.moves}
    page = http.get(f"/t/{stored.id}/review", follow_redirects=True)
    assert page.status_code == 200
    sections = page.text[page.text.index("What could have been better") :].split("<details>")[1:3]
    links = [re.findall(r"replay\?move=(\d+)&amp;seat=(\d)", section) for section in sections]
    assert any(links)
    for seat, found in enumerate(links):
        assert {int(eyes) for _number, eyes in found} <= {seat}
        assert {record["moves"][int(number)]["seat"] for number, _eyes in found} <= {seat}
    log = http.get(f"/t/{stored.id}/replay?move={len(match.moves)}&seat=open", headers=JSON).json()["log"]
    assert all(record["moves"][line["move"]]["seat"] == line["seat"] for line in log)


def test_the_review_is_read_in_the_language_of_whoever_looks(http, database):
    from tests.support.english import english, read

    table = id_of(played("kuhhandel"))
    if http.get(f"/t/{table}").status_code == 404:
        kept(database)
    http.cookies.set("language", "de")
    page = http.get(f"/t/{table}/review", follow_redirects=True).text
    assert '<html lang="de">' in page
    figures = re.findall(r"<td>(?:<b>)?[+−]?\d+([.,])\d(?=[<\s])", page)
    assert figures
    assert set(figures) == {","}
    assert not list(english(read(page)))


@pytest.mark.browser
@pytest.mark.parametrize("size", [DESK, PHONE])
@pytest.mark.parametrize("script", [True, False])
def test_the_page_fits_and_draws_a_line_for_each_seat(browser, address, http, database, size, script):
    table = id_of(played("kuhhandel"))
    if http.get(f"/t/{table}").status_code == 404:
        kept(database)
    with visitor(browser, size, script) as page:
        page.goto(f"{address}/t/{table}/review")
        fits(page)
        expect(page.locator(".curve polyline:visible")).to_have_count(2)
        page.get_by_role("heading", name="Who was winning").click()
        fits(page)
        expect(page.locator(".chart polyline:visible")).to_have_count(2)
        letters = page.locator(".chart svg:visible text")
        heights = letters.evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
        assert min(heights) > 9  # they can be read


@pytest.mark.browser
def test_the_page_shows_the_review_by_itself_when_it_is_there(browser, address, http):
    record = played("kuhhandel", 7).record()
    table = http.post("/records", data={"text": json.dumps(record)}, headers=JSON).json()["table"]
    with visitor(browser) as page:
        page.goto(f"{address}/t/{table}/review")
        page.get_by_role("button", name="Review this match").click()
        page.wait_for_selector("text=Luck and skill", timeout=120_000)
        page.wait_for_selector("text=What could have been better", timeout=120_000)
