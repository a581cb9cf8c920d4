"""The deal of the day among people: results that their persons show, days in a row, the archive, once more."""

from __future__ import annotations

import json
import multiprocessing
import random
import re
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from outbid.bots import choose
from outbid.core.chance import stream
from outbid.core.language import i18n
from outbid.core.language.names import plain
from outbid.core.match import SPECTATOR, Match
from outbid.runs.replay import play_on
from outbid.server.domain import records
from outbid.server.domain.contests import daily
from outbid.server.domain.contests.daily import deal_of
from outbid.server.domain.contests.rounds import BARS, rounds
from outbid.server.settings import Settings
from outbid.server.storage import results, schema
from outbid.server.storage.store import Store
from outbid.server.web.app import create_app
from tests.claim.player import Player
from tests.support.axe import VIEWS, examined
from tests.support.browsing import another, expect, fits, visitor
from tests.support.houses import own_server
from tests.support.serving import JSON, sentence, some_move

pytestmark = pytest.mark.slow

CLAIM_DAY = "2026-11-25"
HTML, PHONE = {"Accept": "text/html"}, {"width": 375, "height": 740}
PASSWORD = "correct horse"


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(daily, "today", lambda: CLAIM_DAY)
    return create_app(Settings(f"sqlite:///{tmp_path / 'tables.db'}", pace="instant", settle=0, daily={}))


@contextmanager
def visitors(app: Any, count: int = 2) -> Iterator[list[TestClient]]:
    """Browsers that know nothing of each other, at one server and on its machine: they may ask as often as they like."""

    def browser() -> TestClient:
        return TestClient(app, "http://127.0.0.1", headers=JSON, client=("127.0.0.1", 1))

    with browser() as first:
        others = [browser() for _ in range(count - 1)]
        for other in others:
            other.portal = first.portal
        yield [first, *others]


def begin(http: TestClient, name: str, **fields: str) -> str:
    """A person begins the deal; returns the table."""
    begun = http.post("/daily", data={"name": name, **fields})
    assert begun.status_code == 201, begun.text
    return begun.json()["table"]


def play(http: TestClient, table: str, seed: int = 2) -> list[int]:
    """A match is played to its end; returns the points."""
    rng = random.Random(seed)
    while (seen := http.get(f"/t/{table}").json())["table"]["status"] != "over":
        if seen["decision"] is not None:
            http.post(f"/t/{table}/move", data={"move": json.dumps(some_move(seen, rng)), "decision": seen["decision"]})
        else:
            time.sleep(0.05)  # the bots think in processes of their own; endless asking is refused
    return seen["scores"]


def shown(http: TestClient, on: bool = True, day: str = CLAIM_DAY) -> str:
    """A person shows the result; returns its link."""
    said = http.post(f"/daily/{day}/show", data={"on": json.dumps(on)})
    assert said.json() == {"ok": True}
    page = http.get(f"/daily/{day}", headers=HTML).text
    return page.partition(f"http://127.0.0.1/daily/{day}/")[2].partition("<")[0]


def said(http: TestClient, day: str = CLAIM_DAY) -> dict[str, Any]:
    return http.get(f"/daily/{day}").json()


# --- what others see ----------------------------------------------------------------------------------------------------


def test_nobody_sees_a_result_that_is_not_shown_and_none_before_the_own_match_is_over(app: Any):
    with visitors(app, 3) as (ada, ben, eve):
        play(ada, begin(ada, "Ada Quagga"))
        mine = begin(ben, "Ben")
        assert said(ada)["shown"] is False
        assert sentence(ben.post(f"/daily/{CLAIM_DAY}/show", data={"on": "true"}), 409)
        code = shown(ada)
        assert len(code) == 12
        for who in (ben, eve):  # who plays, and who has not begun
            assert said(who)["others"] == []
            assert "Quagga" not in who.get("/daily", headers=HTML).text
            assert "over" in sentence(who.get(f"/daily/{CLAIM_DAY}/{code}"), 403)
            invited = who.get(f"/daily/{CLAIM_DAY}/{code}", headers=HTML).text
            assert "Ada Quagga" in invited
            assert "Place" not in invited
        play(ben, mine, seed=3)
        (other,) = said(ben)["others"]
        assert (other["name"], other["code"]) == ("Ada Quagga", code)
        beside = ben.get(f"/daily/{CLAIM_DAY}/{code}").json()
        assert (beside["name"], beside["theirs"]) == ("Ada Quagga", list(said(ada)["result"].values())[:2])
        assert any("Ada Quagga" in line for row in beside["rounds"] for line in row["theirs"])
        assert all("Ada" not in line for row in beside["rounds"] for line in row["yours"])
        assert any(line.startswith("You ") for row in beside["rounds"] for line in row["yours"])
        page = ben.get(f"/daily/{CLAIM_DAY}/{code}", headers=HTML).text
        assert '<table class="beside-you">' in page
        assert said(ada)["others"] == [], "Ben shows nothing"
        shown(ada, on=False)
        assert said(ben)["others"] == []
        assert "no longer" in sentence(ben.get(f"/daily/{CLAIM_DAY}/{code}"), 404)


@pytest.mark.parametrize("code", ["AAAAAAAAAAAA", "best 2026-11-25", "best%202026-11-25", "%00", "strong", "ÄÖ", "x" * 300])
def test_a_guessed_link_leads_to_nobody(app: Any, code: str):
    with visitors(app, 1) as (ada,):
        play(ada, begin(ada, "Ada"))
        shown(ada)
        assert ada.get(f"/daily/{CLAIM_DAY}/{code}").status_code == 404
        page = ada.get(f"/daily/{CLAIM_DAY}/{code}", headers=HTML)
        assert page.status_code == 404
        assert "Nobody shows a result under this link" in page.text


def test_a_link_is_good_for_its_day_alone(app: Any):
    with visitors(app, 1) as (ada,):
        play(ada, begin(ada, "Ada"))
        code = shown(ada)
        assert ada.get(f"/daily/2026-11-24/{code}").status_code == 404


def test_who_came_by_a_link_stands_first_on_the_page_of_who_sent_it(app: Any):
    with visitors(app, 3) as (ada, ben, eve):
        play(ada, begin(ada, "Ada"))
        code = shown(ada)
        play(eve, begin(eve, "Eve"), seed=9)
        shown(eve)
        ben.get(f"/daily/{CLAIM_DAY}/{code}", headers=HTML)
        play(ben, begin(ben, "Ben"), seed=random.Random(1).randrange(9))
        shown(ben)
        assert [one["name"] for one in said(ada)["others"]] == ["Ben", "Eve"]
        page = ada.get("/daily", headers=HTML).text
        assert page.count("came by your link") == 1
        assert "came by your link" not in eve.get("/daily", headers=HTML).text


def test_a_result_is_not_shown_under_a_name_that_somebody_else_has_kept_since(app: Any):
    with visitors(app) as (ada, zoe):
        play(ada, begin(ada, "Zoe Quince"))
        assert zoe.post("/name/keep", data={"name": "Zoe Quince", "password": PASSWORD}).status_code == 200
        assert "is kept" in sentence(ada.post(f"/daily/{CLAIM_DAY}/show", data={"on": "true"}), 403)
        assert said(ada)["shown"] is False


def test_a_match_that_a_bot_has_played_to_the_end_says_so_to_others(app: Any):
    with visitors(app) as (ada, ben):
        table = begin(ada, "Ada")
        assert ada.post(f"/t/{table}/leave").status_code == 200
        while ada.get(f"/t/{table}").json()["table"]["status"] != "over":
            time.sleep(0.02)
        shown(ada)
        play(ben, begin(ben, "Ben"))
        assert "with a bot’s help" in ben.get("/daily", headers=HTML).text
        assert said(ada)["streak"] == 0


def test_a_name_is_text_on_every_page(app: Any):
    with visitors(app) as (ada, ben):
        play(ada, begin(ada, "<b>Ada</b>"))
        code = shown(ada)
        assert "<b>Ada</b>" not in ben.get(f"/daily/{CLAIM_DAY}/{code}", headers=HTML).text
        play(ben, begin(ben, "Ben"))
        for path in (f"/daily/{CLAIM_DAY}/{code}", "/daily"):
            page = ben.get(path, headers=HTML).text
            assert "<b>Ada</b>" not in page
            assert "&lt;b&gt;Ada&lt;/b&gt;" in page


# --- once, once more, earlier -------------------------------------------------------------------------------------------


def test_the_first_match_counts_and_a_second_try_counts_nowhere(app: Any):
    with visitors(app, 1) as (ada,):
        first = begin(ada, "Ada")
        assert "first match" in sentence(ada.post("/daily", data={"name": "Ada", "again": "true"}), 409)
        second = begin(ada, "Ada")  # a program is not led back
        play(ada, second, seed=8)
        assert (said(ada)["table"], said(ada)["result"]) == (first, None)
        assert said(ada)["others"] == []
        play(ada, first)
        result = said(ada)["result"]
        third = begin(ada, "Ada", again="true")
        assert third not in (first, second)
        while ada.get(f"/t/{third}").json()["decision"] is None:
            time.sleep(0.02)
        begun = ada.get(f"/t/{third}", headers=HTML).text
        assert f"/t/{third}/hint" in begun
        assert "counts for the ladder" not in begun
        play(ada, third, seed=5)
        assert said(ada)["result"] == result
        assert (
            "/daily/"
            not in ada.get(f"/t/{third}", headers=HTML).text.partition('id="together"')[2].partition("</section>")[0]
        )


def test_the_deal_of_a_second_try_is_that_of_the_first(app: Any, tmp_path: Path):
    with visitors(app, 1) as (ada,):
        play(ada, begin(ada, "Ada"))
        begin(ada, "Ada", again="true")
    with closing(Store(f"sqlite:///{tmp_path / 'tables.db'}")) as store:
        first, second = map(store.load, store.ids())
        assert first
        assert second
        assert (first.deal, first.seats[1].seed, first.day) == (second.deal, second.seats[1].seed, CLAIM_DAY)
        assert (second.day, second.hints) == (None, "on")


def test_earlier_deals_can_be_played_for_60_days_and_no_later_one(app: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(daily, "today", lambda: "2026-03-20")
    with visitors(app, 1) as (ada,):
        oldest = (date(2026, 3, 20) - timedelta(59)).isoformat()
        assert begin(ada, "Ada", day=oldest)
        before = (date(2026, 3, 20) - timedelta(60)).isoformat()
        for day in (before, "2026-03-21", "yesterday", "2026-3-1"):
            assert sentence(ada.post("/daily", data={"name": "Ada", "day": day}), 404)
        assert 'name="day" value="2026-03-01"' in ada.get("/daily/2026-03-01", headers=HTML).text
        assert "Play this deal" in ada.get("/daily/2026-03-01", headers=HTML).text
        assert "Play" not in ada.get(f"/daily/{before}", headers=HTML).text.partition("<form")[2].partition("</form>")[0]


def test_a_match_that_goes_on_past_midnight_is_of_the_day_it_was_begun(app: Any, monkeypatch: pytest.MonkeyPatch):
    with visitors(app, 1) as (ada,):
        table = begin(ada, "Ada")
        monkeypatch.setattr(daily, "today", lambda: "2026-11-26")
        assert said(ada, "2026-11-26")["table"] is None
        play(ada, table)
        assert said(ada)["result"] is not None
        assert ada.get("/daily").json()["result"] is None
        page = ada.get("/daily", headers=HTML).text
        assert f'href="/daily/{CLAIM_DAY}" class="played"' in page
        assert 'datetime="2026-11-27T00:00Z" data-local' in page, "when the next deal comes"


def played(day: str, streak: int = 1, **facts: Any) -> results.PlayedDeal:
    """A deal that was played in time, at noon."""
    noon = datetime.fromisoformat(f"{day}T12:00+00:00").timestamp()
    return results.PlayedDeal("t", day, "over", noon, 1, 10, 0, "code", False, streak)._replace(**facts)


def test_days_in_a_row_end_where_one_is_missing_and_what_the_first_has_counted_stands_for_those_before_it():
    kept = [played("2026-03-01", 3), played("2026-02-28", 70), played("2026-02-26")]
    assert results.streak(kept, "2026-03-01") == 71
    assert results.streak(kept, "2026-02-28") == 70
    assert results.streak(kept, "2026-02-27") == 0
    assert results.streak(kept, "2026-02-26") == 1
    assert results.streak([], "2026-02-26") == 0
    assert results.streak([played("2026-03-01", 3, stood_in=1)], "2026-03-01") == 0, "a bot played"


def test_a_day_counts_if_it_was_begun_in_time_and_played_by_the_person():
    noon = played(CLAIM_DAY)
    assert noon.in_time
    assert noon._replace(made=noon.made + 12 * 3600 - 1).in_time
    assert not noon._replace(made=noon.made + 12 * 3600).in_time
    assert not noon._replace(stood_in=1).in_time
    assert not noon._replace(place=None, points=None, stood_in=None).in_time, "it is not over"


def test_the_days_in_a_row_are_a_number_that_outlives_the_results_before_it(app: Any, tmp_path: Path):
    match = Match.new(deal_of(CLAIM_DAY).book, {}, 4, 3)
    play_on(match, lambda seat: tuple(choose(match, seat, "easy", stream(4, seat)).actions))
    today, table = datetime.now(UTC).date(), records.table_of(match.record())
    with visitors(app, 1) as (ada,):
        assert ada.post("/name/keep", data={"name": "Dora Quist", "password": PASSWORD}).status_code == 200
        with closing(Store(f"sqlite:///{tmp_path / 'tables.db'}")) as store:
            key = store.value(sa.select(schema.names.c.key)) or ""
            for age in range(62, -1, -1):
                day, made = (today - timedelta(age)).isoformat(), time.time() - age * 24 * 3600
                person = replace(table.seats[0], kind="human", owner=key)
                store.add(replace(table, id=f"table-{age}", day=day, seats=[person, *table.seats[1:]]))
                store.execute(sa.update(schema.tables).where(schema.tables.c.id == f"table-{age}").values(made=made))
                store.write(store.result(f"table-{age}", day, place=1, points=5))
                if age == 61:
                    store.execute(sa.update(schema.results).values(streak=100))
            kept = results.own(store, (), "", key)
        assert results.streak(kept, today.isoformat()) == 100 + 61
        days = ada.get("/name/data").json()["deals_of_the_day"]
        assert (len(days), days[-1]["streak"]) == (61, 161)


# --- what is kept -------------------------------------------------------------------------------------------------------


def test_results_are_in_the_export_of_a_kept_name_and_go_with_it(app: Any, tmp_path: Path):
    def rows() -> int:
        with closing(Store(f"sqlite:///{tmp_path / 'tables.db'}")) as store:
            return store.value(sa.select(sa.func.count()).select_from(schema.results)) or 0

    with visitors(app) as both:
        for ada, way in zip(both, ({}, {"erase": "true"}), strict=True):
            assert ada.post("/name/keep", data={"name": "Dora Quist", "password": PASSWORD}).status_code == 200
            points = play(ada, begin(ada, "Dora Quist"))[0]
            shown(ada)
            (kept,) = ada.get("/name/data").json()["deals_of_the_day"]
            assert (kept["day"], kept["points"], kept["shown"], kept["stood_in"]) == (CLAIM_DAY, points, True, 0)
            assert rows() == 1
            assert ada.post("/name/give-up", data={"password": PASSWORD, **way}).json() == {"ok": True}
            assert rows() == 0


def test_on_another_device_a_kept_name_has_its_results(app: Any):
    with visitors(app) as (ada, phone):
        assert ada.post("/name/keep", data={"name": "Dora Quist", "password": PASSWORD}).status_code == 200
        play(ada, begin(ada, "Dora Quist"))
        assert phone.post("/name/in", data={"name": "Dora Quist", "password": PASSWORD}).status_code == 200
        assert said(phone) == said(ada)
        again = phone.post("/daily", data={"name": "Dora Quist"}, headers=HTML, follow_redirects=False)
        assert again.headers["location"] == f"/daily/{CLAIM_DAY}"


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@pytest.mark.slow
def test_results_go_after_60_days_and_with_their_tables(request: pytest.FixtureRequest, tmp_path: Path, kind: str):
    url = request.getfixturevalue("cluster").database() if kind == "postgresql" else f"sqlite:///{tmp_path / 'tables.db'}"
    match = Match.new(deal_of(CLAIM_DAY).book, {}, 4, 3)
    play_on(match, lambda seat: tuple(choose(match, seat, "easy", stream(4, seat)).actions))
    table, today = records.table_of(match.record()), datetime.now(UTC).date()
    with closing(Store(url)) as store:
        for age in (61, 60, 0):
            day = (today - timedelta(age)).isoformat()
            store.add(replace(table, id=f"table-{age}", day=day))
            with store.engine.begin() as db:
                facts = {"place": 1, "points": 5, "stood_in": 0}
                db.execute(sa.insert(schema.results).values(table_id=f"table-{age}", day=day, code=f"code-{age}", **facts))
        store.add(replace(table, id="table", day=today.isoformat()))
        for _ in range(2):
            store.write(store.result("table", today.isoformat(), place=2, points=4, stood_in=1))
        left = sa.select(schema.results.c.table_id).order_by(schema.results.c.table_id)
        assert store.values(left) == ["table", "table-0", "table-60"]
        assert store.delete("table-0")
        assert store.values(left) == ["table", "table-60"]
        played = results.own(store, ["table", "table-61"], "", "")
        assert [(one.table, one.place, one.shown) for one in played] == [("table", 2, False), ("table-61", None, None)]
        results.show(store, "table", True, "code-60")
        assert [row.name for row in results.shown(store, today.isoformat(), "code-60")] == ["Player 1"]
        assert results.table(store, today.isoformat(), played[0].code or "") == "table"
        assert results.table(store, today.isoformat(), "code-60") is None


# --- the story of a match -----------------------------------------------------------------------------------------------


@pytest.mark.slow(but=("claim", "money"))
@pytest.mark.parametrize("game", ["claim", "forex", "kuhhandel", "money", "rivals"])
def test_a_match_is_told_round_by_round_to_its_person_and_by_name_to_others(game: str):
    day = next(day for day in ("2026-11-21", "2026-11-22", "2026-11-23", "2026-11-24", "2026-11-25")
               if deal_of(day).book.id == game)  # fmt: skip
    deal = deal_of(day)
    match = Match.load(deal.book, {}, ["Quentin", *("B", "C", "D", "E", "F")[: deal.players - 1]], deal.dealt)
    play_on(match, lambda seat: tuple(choose(match, seat, "easy", stream(4, seat)).actions))
    mine, theirs = rounds(match, 0, 0), rounds(match, 0, SPECTATOR)
    assert 2 < len(mine) == len(theirs) < 60
    assert [one.bar for one in mine] == [one.bar for one in theirs]
    assert all(one.bar in BARS for one in mine)
    first = sum(score < match.scores[0] for score in match.scores) == match.players - 1
    assert (mine[-1].bar == BARS[-1]) == first
    assert [len(one.did) for one in mine] == [len(one.did) for one in theirs]
    text = " ".join(plain(line) for one in theirs for line in one.did)
    assert "Quentin" in text
    assert "Quentin" not in " ".join(plain(line) for one in mine for line in one.did)
    assert " you " not in f" {text.lower()} "
    with i18n.locale("de"):
        assert " du " in f" {' '.join(plain(line) for one in rounds(match, 0, 0) for line in one.did).lower()} "


# --- the best match of a bot --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_best_match_of_the_bot_becomes_a_table_to_look_at_for_who_has_finished(
    app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(daily, "BEST", "easy")  # which is not compiled
    deal = deal_of(CLAIM_DAY)
    line, other = multiprocessing.Pipe()
    daily.work(other, "claim", deal.dealt, deal.bots, deal.number("company"), {"easy": (1, 4)}, [[4, 0]])
    measured = [[4, 0]]
    while (heard := line.recv())[0]:
        measured += heard[1]
    record = heard[1]
    assert daily.result_of(record["scores"], record["winners"]) == min(measured, key=lambda one: (one[0], -one[1]))
    with visitors(app) as (ada, ben):
        measuring = app.state.measuring
        assert measuring.store.best(deal.day) is None
        for _ in range(2):
            measuring._keep(deal, record)
        table = measuring.store.best(deal.day)
        assert table
        begin(ben, "Ben")
        assert sentence(ben.get(f"/daily/{CLAIM_DAY}/easy"), 403)
        assert table not in ben.get("/daily", headers=HTML).text
        play(ada, begin(ada, "Ada"))
        page = ada.get("/daily", headers=HTML).text
        assert f"/t/{table}/replay?move=0" in page
        assert f"/t/{table}/review" in page
        assert "still playing" not in page, "no bots are to play it"
        assert ada.get(f"/t/{table}/replay?move=0").status_code == 200
        beside = ada.get(f"/daily/{CLAIM_DAY}/easy").json()
        assert beside["name"] == "easy"
        german = ada.get(f"/daily/{CLAIM_DAY}/easy", headers=HTML | {"Accept-Language": "de"}).text
        assert german.count("leicht") > 3, "in the head of the column and in the sentences"
        assert "easy" not in german.partition("<tbody>")[2].partition("</tbody>")[0]
        assert beside["theirs"] == daily.result_of(record["scores"], record["winners"])
        assert said(ada)["others"] == [], "a bot is nobody who shows a result"


# --- in two browsers ----------------------------------------------------------------------------------------------------

server = own_server(limits={"daily": {}}, today=CLAIM_DAY)


@pytest.mark.slow
def test_two_people_in_two_browsers_play_the_deal_and_see_each_others_rounds(server: str, browser: Any):
    with visitor(browser, (1280, 800), reduced_motion="reduce") as ada, closing(another(browser, viewport=PHONE)) as context:
        ada.goto(f"{server}/daily")
        ada.get_by_label("Your nickname").fill("Ada")
        ada.get_by_role("button", name="Play today’s deal").click()
        assert Player(ada, 3).play(200)
        ada.get_by_role("link", name="Your result beside what the bots made of your seat").click()
        ada.get_by_role("button", name="Show my result").click()
        ada.get_by_role("button", name="Hide my result").wait_for()
        share = ada.get_by_label("To paste to a friend").input_value()
        link = share.rsplit("\n", 1)[1]
        assert f"{server}/daily/{CLAIM_DAY}/" in link
        assert not {"Ada", "bill", "stack"} & set(share.split()), "nothing of the deal"

        ben = context.new_page()
        ben.goto(link)
        expect(ben.locator("main, body").first).to_contain_text("Ada has played this deal", use_inner_text=True)
        expect(ben.get_by_text("Place ")).to_have_count(0)
        fits(ben)
        ben.get_by_label("Your nickname").fill("Ben")
        ben.get_by_role("button", name="Play today’s deal").click()
        assert Player(ben, 4).play(200)
        ben.goto(link)
        assert ben.locator(".beside-you thead").inner_text().count("Place ") == 2
        told = ben.locator(".beside-you tbody td").all_inner_texts()
        assert any("Ada " in text for text in told[::2])
        assert any("You " in text for text in told[1::2])
        fits(ben)
        ben.get_by_role("link", name="Deal of the day").click()
        ben.get_by_role("button", name="Show my result").click()
        ben.get_by_role("button", name="Hide my result").wait_for()
        fits(ben)
        ada.reload()
        expect(ada.locator("#others ~ ul")).to_contain_text("came by your link", use_inner_text=True)
        ada.get_by_role("link", name="Ben").click()
        assert any("Ben " in text for text in ada.locator(".beside-you tbody td").all_inner_texts()[::2])
        fits(ada)
        for path in (ada.url, f"{server}/daily"):
            ada.goto(path)
            assert [line for view in VIEWS[:2] for line in examined(ada, *view)] == []


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_day_of_a_guest_on_a_phone_puzzle_deal_and_the_link_opened_on_another(server: str, browser: Any, language: str):
    with visitor(browser, (375, 740), locale=language, reduced_motion="reduce") as ada:
        ada.goto(server)
        ada.locator('.today a[href="/puzzles"]').click()
        fits(ada)
        ada.locator('a[href="/puzzles/claim"]').click()
        fits(ada)
        assert ada.locator("#stage").bounding_box()["y"] < PHONE["height"] / 2, "the position is in sight"
        ada.locator("details.ways > summary").click()
        asked, ways = ada.locator(".say").bounding_box(), ada.locator("details.ways").bounding_box()
        assert asked["y"] + asked["height"] <= ways["y"], "the moves to choose from cover no word"
        ada.locator("button.choice").first.click()
        ada.locator("#answer").wait_for()
        fits(ada)
        more = ada.locator('a[href*="?theme="]')
        assert more.evaluate("link => link.scrollWidth <= link.clientWidth + 1"), "its words are in the button"
        assert more.inner_text().startswith({"en": "More on ", "de": "Mehr davon: "}[language])
        ada.goto(server)
        ada.locator('button[formaction="/daily"]').click()
        assert Player(ada, 3).play(200)
        ada.locator(f'#together a[href="/daily/{CLAIM_DAY}"]').click()
        fits(ada)
        expect(ada.locator("a[href$='/strong']"), "nothing is measured here").to_have_count(0)
        ada.locator(f'form[action="/daily/{CLAIM_DAY}/show"] button').click()
        link = ada.locator("#line").input_value().rsplit("\n", 1)[1]
        with closing(another(browser, viewport=PHONE, locale=language)) as context:
            ben = context.new_page()
            ben.goto(link)
            fits(ben)
            expect(ben.get_by_role("button").first).to_be_visible()
            assert not re.search(r"(?i)place \d|platz \d", ben.locator("body").inner_text()), "nothing before the own match"
