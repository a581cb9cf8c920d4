"""The deal of the day: the same for everybody, measured in the background, shown beside what bots made of it."""

from __future__ import annotations

import json
import random
import time
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from starlette.testclient import TestClient

from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.runs.duplicate import duplicate, variants
from outbid.server.domain.contests import daily
from outbid.server.domain.contests.daily import BotComparison, deal_of, line, result_of, standing
from outbid.server.settings import Refused, Settings
from outbid.server.storage import schema
from outbid.server.storage.store import Store
from outbid.server.web.app import create_app
from tests.support.houses import own_server
from tests.support.serving import JSON, Person, get, people, sentence, some_move

CLAIM_DAY = "2026-11-25"


# --- the deal -----------------------------------------------------------------------------------------------------------


def test_a_date_says_game_deal_and_company_and_the_games_take_turns(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(daily, "today", lambda: "2027-01-01")
    week = [deal_of(f"2026-11-{day}") for day in range(21, 26)]
    assert sorted(deal.book.id for deal in week) == ["claim", "forex", "kuhhandel", "money", "rivals"]
    again = deal_of(CLAIM_DAY)
    assert (again.book.id, again.dealt, again.bots) == (week[-1].book.id, week[-1].dealt, week[-1].bots)
    assert again.number("deal") == 1818876414434161130, "the same on every server, and in every version"
    assert len({deal.number(what) for deal in week for what in ("deal", "seat 1", "seat 2", "company")}) == 20
    order = again.order("Ada")
    assert (order.options, order.preset, order.hints, order.clock) == ({}, "seed", "off", "")
    assert Match.new(again.book, {}, 4, order.seed or 0).deal == again.dealt


@pytest.mark.parametrize("day", ["2026-11-27", "2025-12-31", "2026-2-1", "20261101", "yesterday", "2026-02-30", ""])
def test_there_is_no_deal_of_the_future_or_of_no_date(monkeypatch: pytest.MonkeyPatch, day: str):
    monkeypatch.setattr(daily, "today", lambda: "2026-11-26")
    with pytest.raises(Refused, match="no deal of that day"):
        deal_of(day)


# --- what bots make of it -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_duplicate_matches_have_the_deal_in_common_and_follow_from_their_number():
    book = rulebook("rivals")
    deal = Match.new(book, {}, 3, 1).deal
    bots, varied = ["steady", "easy", "steady"], {0: variants(book, "steady")}
    assert varied[0] == ["steady:hoarder", "steady:explorer", "steady:spoiler", "steady:early-bird"]
    found = [duplicate(book, {}, deal, bots, 5, number, varied).record() for number in range(6)]
    assert [duplicate(book, {}, deal, bots, 5, number, varied).record() for number in (3, 1)] == [found[3], found[1]]
    assert len({tuple(one["scores"]) for one in found}) > 2
    plain = {tuple(duplicate(book, {}, deal, bots, 5, number).scores) for number in range(3)}
    assert len(plain) == 1, "the heuristic of this game draws nothing: only who is varied plays otherwise"
    other = Match.new(book, {}, 3, 2).deal
    assert duplicate(book, {}, other, bots, 5, 0).scores not in [list(one) for one in plain]


def test_strong_has_no_variants_and_a_game_without_personas_none_at_all():
    assert variants(rulebook("claim"), "strong") == []
    assert variants(rulebook("claim"), "random") == []


def test_a_result_is_compared_by_place_then_by_points():
    results = [[1, 90], [1, 50], [2, 80], [2, 60], [2, 60], [3, 99], [4, 10], [2, 40]]
    found = standing("steady", [2, 60], results, of=10)
    assert found
    assert (found.better, found.same, found.won) == (37, 25, 25)
    assert (found.matches, found.of, found.whole) == (8, 10, False)
    assert found.points == (10, 40, 50, 60, 60, 80, 90, 99)
    assert found.usual == (50, 60, 80)
    assert standing("steady", [1, 100], results, 8).better == 100  # type: ignore[union-attr]
    assert standing("steady", [4, 9], results, 8).better == 0  # type: ignore[union-attr]
    assert standing("steady", [1, 100], [], 8) is None


def test_the_persons_place_counts_winners_before_points():
    assert result_of([10, 30, 20], [2]) == [3, 10]
    assert result_of([20, 30, 20], [0]) == [1, 20]
    assert result_of([20, 30, 20], [1]) == [2, 20]


def test_the_line_to_paste_says_the_result_and_nothing_of_the_deal():
    deal = deal_of(CLAIM_DAY)
    one = BotComparison("steady", 200, 200, 73, 2, 30, (1, 2, 3), (1, 2, 3))
    assert line(deal, [2, 8], "▅▆▃▃", [one], "https://table.example/daily") == (
        "Outbid, deal of the day 2026-11-25, Claim: place 2 of 4, 8 points\n"
        "▅▆▃▃ how I stood, round by round\n"
        "▰▰▰▰▰▰▰▱▱▱ better than 73 % of steady\n"
        "https://table.example/daily"
    )


def test_results_are_kept_by_day_and_bot_and_those_of_other_rules_are_not_taken(tmp_path: Path):
    with closing(Store(f"sqlite:///{tmp_path / 'tables.db'}")) as kept:
        kept.keep_daily(CLAIM_DAY, "easy", "1 claim/2", [[1, 10]])
        kept.keep_daily(CLAIM_DAY, "easy", "1 claim/2", [[1, 10], [2, 5]])
        kept.keep_daily(CLAIM_DAY, "steady", "1 claim/1", [[1, 10]])
        kept.keep_daily("2026-11-20", "easy", "1 claim/2", [[4, 1]])
        assert kept.daily(CLAIM_DAY, "1 claim/2") == {"easy": [[1, 10], [2, 5]]}


def test_the_migrations_make_the_schema_that_the_server_uses(tmp_path: Path):
    with closing(Store(f"sqlite:///{tmp_path / 'tables.db'}")) as kept, kept.engine.connect() as db:
        wrong = [one for one in compare_metadata(MigrationContext.configure(db), schema.metadata) if "dailies" in str(one)]
        assert wrong == []
        assert "day" in {column["name"] for column in sa.inspect(db).get_columns("tables")}


@pytest.mark.slow
def test_what_was_measured_is_measured_once_and_what_is_missing_follows(tmp_path: Path):
    deal = deal_of(CLAIM_DAY)
    matches = [daily.played(deal.book, deal.dealt, deal.bots, deal.number("company"), "easy", n) for n in range(3)]
    wanted = [result_of(match.scores, match.winners) for match in matches]
    with closing(Store(f"sqlite:///{tmp_path / 'tables.db'}")) as kept:
        kept.keep_daily(deal.day, "easy", deal.format, [[4, -1]])  # whatever is there stays
        measuring = daily.Measuring(kept, {"easy": 3})
        assert measuring.begin(deal)
        assert measuring.begin(deal), "it is being done"
        while measuring.begin(deal):
            time.sleep(0.05)
        assert measuring.results(deal) == {"easy": [[4, -1], *wanted[1:]]}
        assert not measuring.begin(deal)


def test_all_bots_come_on_alike_and_those_that_must_be_compiled_last():
    found = daily.ordered({"strong": (0, 2), "easy": (2, 4), "steady": (0, 4)})
    assert found == [
        ("steady", 0), ("steady", 1), ("easy", 2), ("steady", 2), ("easy", 3), ("steady", 3), ("strong", 0), ("strong", 1)
    ]  # fmt: skip


# --- on a server --------------------------------------------------------------------------------------------------------


address = own_server(limits={"daily": {"easy": 2}}, today=CLAIM_DAY)  # few matches for comparison, on a day of short ones


def ended(ada: Person) -> None:
    """Wait until the match is over."""
    while ada.now()["table"]["status"] != "over":
        time.sleep(0.02)


@pytest.mark.slow
def test_it_is_played_like_any_other_table_once_a_browser_and_then_compared(address: str):
    with people(address) as (ada, ben):
        for one in (ada, ben):
            made = one.http.post("/daily", data={"name": "Ada"}, headers=JSON)
            assert made.status_code == 201
            one.table = made.json()["table"]
        assert ada.table != ben.table
        assert ada.asked()["view"] == ben.asked()["view"], "the same deal, and the bots have done the same"
        said = ada.http.get("/daily", headers=JSON).json()
        assert (said["table"], said["status"], said["result"]) == (ada.table, "playing", None)
        assert f'href="/t/{ada.table}"' in ada.http.get("/daily").text
        assert "Go on" in ada.http.get("/").text
        again = ada.http.post("/daily", data={"name": "Ada"})
        assert again.headers["location"] == f"/t/{ada.table}", "the first match of the day goes on"
        assert "no hints" in sentence(ada.http.post(f"/t/{ada.table}/hint", headers=JSON), 403)
        assert ada.http.post(f"/t/{ada.table}/leave").status_code == 303
        ended(ada)
        result = ada.http.get("/daily", headers=JSON).json()["result"]
        scores = ada.now()["scores"]
        assert result["points"] == scores[0]
        assert result["stood_in"] > 0
        assert "for you, so this is not all yours" in ada.http.get("/daily").text
        assert "See your result" in ada.http.get("/").text
        while (found := ada.http.get("/daily", headers=JSON).json()["comparisons"]) == [] or found[0]["matches"] < 2:
            time.sleep(0.1)
        assert (found[0]["bot"], found[0]["of"]) == ("easy", 2)
        page = ada.http.get("/daily").text
        assert f"Better than {found[0]['better']} % of easy" in page
        assert '<svg class="spread-of"' in page
        day = ada.http.get("/daily", headers=JSON).json()["day"]
        assert f"Outbid, deal of the day {day}" in page
        assert ada.http.get(f"/daily/{day}", headers=JSON).json() == ada.http.get("/daily", headers=JSON).json()
        ada.http.post(f"/t/{ada.table}/rematch")
        assert ada.http.get("/daily", headers=JSON).json()["table"] == ada.table, "the next table has a deal of its own"


def test_who_plays_it_to_the_end_has_a_result_that_is_all_theirs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(daily, "today", lambda: CLAIM_DAY)
    settings = Settings(f"sqlite:///{tmp_path / 'tables.db'}", pace="instant", settle=0, daily={})
    with TestClient(create_app(settings), "http://127.0.0.1", headers=JSON) as http:
        table = http.post("/daily", data={"name": "Ada"}).json()["table"]
        rng = random.Random(2)
        while (seen := http.get(f"/t/{table}").json())["table"]["status"] != "over":
            if seen["decision"] is not None:
                said = json.dumps(some_move(seen, rng))
                http.post(f"/t/{table}/move", data={"move": said, "decision": seen["decision"]})
            else:
                time.sleep(0.05)
        place = 1 + sum(score > seen["scores"][0] for score in seen["scores"])
        result = http.get("/daily").json()["result"]
        assert result == {"place": 1 if 0 in seen["winners"] else place, "points": seen["scores"][0], "stood_in": 0}
        page = http.get("/daily", headers={"Accept": "text/html"}).text
        assert "not all yours" not in page
        link = f'class="button primary" href="/daily/{CLAIM_DAY}"'
        assert link in http.get(f"/t/{table}", headers={"Accept": "text/html"}).text
        assert link not in http.get(f"/t/{table}/replay?move=0", headers={"Accept": "text/html"}).text
        watching = {"Accept": "text/html", "Cookie": ""}
        assert link not in http.get(f"/t/{table}", headers=watching).text
        assert f"place {result['place']} of 4" in page
        monkeypatch.setattr(daily, "today", lambda: "2026-11-26")
        assert http.get("/daily").json()["table"] is None, "the next day has another deal"
        assert http.get(f"/daily/{CLAIM_DAY}").json()["result"] == result
        assert f'href="/daily/{CLAIM_DAY}"' in http.get("/daily", headers={"Accept": "text/html"}).text


def test_a_name_that_cannot_be_is_marked_and_nothing_is_made(address: str):
    with people(address, 1) as (ada,):
        page = ada.http.post("/daily", data={"name": "steady"})
        assert page.status_code == 400
        assert 'value="steady" data-nickname aria-invalid="true" aria-describedby="nickname-error"' in page.text
        assert ada.http.get("/daily", headers=JSON).json()["table"] is None
        assert ada.http.get("/daily/2031-01-01").status_code == 404


def test_a_deal_of_the_day_counts_for_no_ladder(address: str):
    kept = {"name": "Daily Dora", "password": "correct horse"}
    with people(address, 1) as (ada,):
        assert ada.http.post("/name/keep", data=kept, headers=JSON).status_code == 200
        assert ada.http.post("/name/ladder", data={"on": "true"}, headers=JSON).status_code == 200
        ada.order(name="Daily Dora", bots="steady", preset="seed", hints="off")
        assert "counts for the ladder" in ada.http.get(f"/t/{ada.table}").text
        ada.table = ada.http.post("/daily", data={"name": "Daily Dora"}, headers=JSON).json()["table"]
        assert "counts for the ladder" not in ada.http.get(f"/t/{ada.table}").text


def test_settings_can_be_the_key_of_a_cache_whatever_is_measured():
    assert hash(Settings("a", daily={"easy": 1})) == hash(Settings("a"))


def test_the_page_says_that_the_deal_can_be_foreseen(address: str):
    assert "can compute it beforehand" in get(f"{address}/daily").text
