"""Review and replay as one screen: the moments of a player at the table as it was, marked, told, and played once more."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from outbid.core.record import read_record
from outbid.server.domain.advice.reviews import Job
from outbid.server.domain.records import id_of
from outbid.server.settings import Settings
from outbid.server.web.app import create_app
from tests.support.browsing import expect, visitor
from tests.support.reviewed import SMALL, kept, played, reviewed
from tests.support.serving import JSON, sentence

pytestmark = pytest.mark.slow
GAMES = sorted(SMALL)
SEEDS = {game: 4 if game == "claim" else 5 for game in GAMES}  # of matches in which something could have been better
DESK, PHONE = (1280, 800), (375, 740)


@pytest.fixture(scope="module")
def tables(address, database) -> dict[str, str]:
    """A finished table of each game with its review."""
    return {game: kept(database, game, seed) for game, seed in SEEDS.items()}


def lost(game: str) -> dict[int, list[dict[str, Any]]]:
    """The decisions that could have been better, by seat, the dearest first."""
    decisions = [each for each in reviewed(game, SEEDS[game])["decisions"] if each["better"]]
    by_seat = {seat: [each for each in decisions if each["seat"] == seat] for seat in (0, 1)}
    return {seat: sorted(own, key=lambda each: (-each["loss"], each["move"])) for seat, own in by_seat.items() if own}


def moments(game: str) -> list[tuple[int, dict[str, Any]]]:
    """The moments of each seat: at most three, the dearest, in the order of the match."""
    return [(seat, each) for seat, own in lost(game).items() for each in sorted(own[:3], key=lambda each: each["move"])]


@pytest.mark.parametrize("game", GAMES)
def test_the_address_of_a_review_leads_to_the_first_moment_of_the_seat_in_the_replay(http, tables, game):
    for seat in (0, 1):
        first = next((each["move"] for whose, each in moments(game) if whose == seat), 0)
        answer = http.get(f"/t/{tables[game]}/review?seat={seat}")
        assert answer.status_code == 303
        assert answer.headers["location"] == f"/t/{tables[game]}/replay?move={first}&seat={seat}"
    assert http.get(f"/t/{tables[game]}/review?seat=7").status_code == 400


@pytest.mark.parametrize("game", GAMES)
def test_at_a_moment_stands_what_was_done_what_was_better_and_why_and_nowhere_else(http, tables, game):
    assert moments(game)
    for seat, each in moments(game):
        page = http.get(f"/t/{tables[game]}/replay?move={each['move']}&seat={seat}").text
        assert f">Move {each['move'] + 1} <" in page
        assert f"{int(100 * each['loss'] + 1e-9)} % less chance to win" in page
        assert "data-better=" in page
        assert re.search(r'<section class="dock"[^>]* inert', page)
        for other in ("open", 1 - seat, "spectator"):
            assert "data-better=" not in http.get(f"/t/{tables[game]}/replay?move={each['move']}&seat={other}").text
    last = len(played(game, SEEDS[game]).moves)
    assert "data-better=" not in http.get(f"/t/{tables[game]}/replay?move={last}&seat={seat}").text


@pytest.mark.parametrize("game", GAMES)
def test_the_better_move_is_found_by_making_it_and_asked_for_twice(http, tables, game):
    for seat, each in moments(game):
        number, words = each["move"], played(game, SEEDS[game]).rulebook.words
        here, find = (f"/t/{tables[game]}/{page}?move={number}&seat={seat}" for page in ("replay", "find"))
        asked = http.get(f"{here}&learn=find").text
        assert "data-better=" not in asked
        assert "% less chance" not in asked.partition('class="deep"')[0], "it would say what is asked for"
        assert not re.search(r'<section class="dock"[^>]* inert', asked)
        match = played(game, SEEDS[game]).at(number)
        actual = {"decision": number, "text": match.rulebook.words.text(dict(played(game, SEEDS[game]).numbered)[number])}
        better = {"decision": number, "text": words.text(each["better"])}
        right = [(better, learn, "right") for learn in ("find", "again")]
        for move, learn, comes in (*right, (actual, "find", "again"), (actual, "again", "wrong")):
            answer = http.post(f"{find}&learn={learn}", data=move)
            assert (answer.status_code, answer.headers["location"]) == (303, f"{here}&learn={comes}"), (move, learn)
        assert http.post(f"{find}&learn=find", data=better, headers=JSON).json() == {"ok": True, "right": True}
        assert "Right." in http.get(f"{here}&learn=right").text
        assert "data-better=" in http.get(f"{here}&learn=wrong").text
        assert "One more try" in http.get(f"{here}&learn=again").text


def test_what_is_no_move_there_or_no_moment_is_refused_in_a_sentence_and_nothing_changes(http, tables):
    seat, each = moments("kuhhandel")[0]
    find = f"/t/{tables['kuhhandel']}/find"
    before = http.get(f"/t/{tables['kuhhandel']}/record").json()
    here = f"{find}?move={each['move']}&seat={seat}&learn=find"
    sentence(http.post(here, data={"decision": 1, "text": "fly away"}, headers=JSON), 400)
    assert "needs the field 'decision'" in sentence(http.post(here, data={"text": "pass"}, headers=JSON), 400)
    judged = {row["move"] for row in reviewed("kuhhandel")["decisions"]}
    other = next(n for n, _move in played("kuhhandel").numbered if n not in judged)
    wrong = {"decision": 1, "text": "pass"}
    assert "no moment" in sentence(http.post(f"{find}?move={other}&seat={seat}", data=wrong, headers=JSON), 404)
    assert "from which move" in sentence(http.post(f"{find}?move=x&seat={seat}", data=wrong, headers=JSON), 400)
    learn = f"/t/{tables['kuhhandel']}/replay?move=0&seat=0&learn=x"
    assert "one of find, again, right, wrong" in http.get(learn).text
    assert http.get(f"/t/{tables['kuhhandel']}/record").json() == before
    assert read_record(before)


def test_each_moment_stands_there_while_the_others_are_looked_for(tmp_path):
    app = create_app(Settings(f"sqlite:///{tmp_path / 'tables.db'}", daily={}))
    with TestClient(app, "http://127.0.0.1", headers={"Accept": "text/html"}) as client:
        match, whole = played("kuhhandel"), reviewed("kuhhandel")
        client.post("/records", data={"text": json.dumps(match.record())}, headers=JSON)
        table, (seat, own) = id_of(match), max(lost("kuhhandel").items(), key=lambda pair: len(pair[1]))
        job = Job(table, match.record(), seat, begun=True, done=0.4)
        app.state.reviews.jobs[table] = job
        assert "being made: <output>40</output> %" in client.get(f"/t/{table}/review?seat={seat}").text
        for n in range(1, len(own) + 1):
            known = sorted(own[:n], key=lambda each: each["move"])
            job.so_far = {key: whole[key] for key in whole if key not in ("accuracy", "moments")} | {"decisions": known}
            page = client.get(f"/t/{table}/review?seat={seat}").text
            assert "being made" in page
            assert page.partition('aria-label="Moments">')[2].partition("</nav>")[0].count("<a ") == min(n, 3)
            assert "data-better=" in page, "it opens at the first of them"
            assert "How everybody played" not in page


@pytest.mark.browser
@pytest.mark.parametrize("size", [pytest.param(DESK, marks=pytest.mark.deep), PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("game", GAMES)
def test_both_moves_are_marked_at_the_table_and_all_is_in_sight(browser, address, tables, game, size):
    with visitor(browser, size) as page:
        for seat, each in moments(game):
            page.goto(f"{address}/t/{tables[game]}/replay?move={each['move']}&seat={seat}")
            page.wait_for_selector("[data-script]")
            for part in ("#stage", "#moments .both", ".curve > svg" if size == DESK else "#moments h3"):
                box = page.locator(part).bounding_box()
                assert 0 <= box["y"] <= size[1] - min(box["height"], 40), (part, each["move"])
            assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
            if size == DESK:
                for ghost in ("made", "better"):
                    marks = page.locator(f"[data-ghost={ghost}], [data-ghost=both]")
                    expect(marks, f"{ghost}, move {each['move']}").not_to_have_count(0)
                    expect(page.locator(f".bubble.{ghost}")).to_have_count(1)
                    box = marks.first.bounding_box()
                    assert 0 <= box["y"] <= size[1] + 1 - box["height"], (ghost, each["move"])
                assert page.locator("#dock").evaluate("dock => dock.scrollHeight <= dock.clientHeight + 1")


@pytest.mark.browser
@pytest.mark.parametrize("game", ["money"])
def test_on_a_phone_question_and_answers_of_a_moment_are_in_sight_in_german(browser, address, tables, game):
    with visitor(browser, PHONE, locale="de") as page:
        for seat, each in moments(game):
            page.goto(f"{address}/t/{tables[game]}/replay?move={each['move']}&seat={seat}&learn=find")
            page.wait_for_selector("[data-script]")
            for part in (".find", "#dock"):
                box = page.locator(part).bounding_box()
                assert 0 <= box["y"] <= PHONE[1] + 1 - box["height"], (part, each["move"], box)


@pytest.mark.browser
def test_keys_and_dots_lead_to_the_mistakes_and_the_page_is_a_screen_with_the_rest_folded_below(browser, address, tables):
    game = "kuhhandel"
    seat, own = max(lost(game).items(), key=lambda pair: len(pair[1]))
    with visitor(browser, DESK) as page:
        page.goto(f"{address}/t/{tables[game]}/replay?move=0&seat={seat}")
        dots = [int(dot.get_attribute("data-move")) for dot in page.locator(".curve .dot").all()]
        assert dots == sorted(each["move"] for n, each in enumerate(own) if n < 3 or each["class"] not in ("best", "good"))
        for number in [dot for dot in dots if dot > 0]:
            page.keyboard.press(",")
            page.wait_for_url(f"**/replay?move={number}&seat={seat}")
        expect(page.locator('[data-step-key=","]')).to_have_count(0)
        page.keyboard.press("Home")
        page.wait_for_url(f"**/replay?move=0&seat={seat}")
        box = page.locator(".curve .dot").last.bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2 + 5, box["y"] + 20)
        page.wait_for_url(re.compile(rf"move={dots[-1]}$|move={dots[-1]}&"))
        tall = page.evaluate("() => document.body.scrollHeight")
        assert tall < 2000, "the rest is folded"
        page.get_by_role("heading", name="Luck and skill").click()
        assert page.evaluate("() => document.body.scrollHeight") > tall


@pytest.mark.browser
def test_the_moments_are_played_from_the_first_to_the_last(browser, address, tables):
    game = "rivals"
    seat, own = next((seat, [each for whose, each in moments(game) if whose == seat]) for seat, _each in moments(game))
    with visitor(browser, DESK) as page:
        page.goto(f"{address}/t/{tables[game]}/review?seat={seat}")
        page.get_by_role("link", name="Find the better moves").click()
        for n, each in enumerate(own):
            page.wait_for_selector("#moments .find")
            expect(page.locator("[data-ghost]")).to_have_count(0)
            page.get_by_role("link", name="Show it to me").click()
            page.wait_for_selector("#moments .better")
            expect(page.locator("#moment")).to_contain_text(f"Move {each['move'] + 1}", use_inner_text=True)
            following = page.get_by_role("link", name="The next one")
            assert following.count() == (n + 1 < len(own))
            if following.count():
                following.click()


@pytest.mark.browser
def test_a_browser_remembers_of_which_kinds_the_mistakes_of_its_last_matches_were(browser, address, tables):
    game = "rivals"
    seat, each = moments(game)[0]
    line = """kinds => {
        const line = document.createElement("p");
        line.dataset.progress = `rivals ${kinds[0]} ${kinds[1]}`;
        line.dataset.themes = kinds.slice(1).join(" ");
        line.dataset.words = "{n} of {all}";
        document.querySelector("#moments").append(line);
        document.dispatchEvent(new Event("dressed"));
        const told = line.hidden ? "" : line.textContent;
        line.remove();
        return told;
    }"""
    with visitor(browser, DESK) as page:
        page.goto(f"{address}/t/{tables[game]}/replay?move={each['move']}&seat={seat}")
        told = [page.evaluate(line, [table, *kinds.split()]) for table, kinds in (
            ("a", "dear leaves"), ("b", "bars"), ("b", "bars"), ("c", "dear"), ("d", "takes"), ("e", "dear bars"),
            ("f", "dear"), ("f", "bars"),
        )]  # fmt: skip
        assert told == ["", "1 of 2", "1 of 2", "2 of 3", "1 of 4", "3 of 5", "3 of 5", "2 of 5"]
        page.reload()
        assert page.evaluate(line, ["f", "bars"]) == "2 of 5", "it lasts"


@pytest.mark.browser
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_without_script_moments_are_pages_and_their_answers_forms(browser, address, tables, size):
    game = "claim"
    seat, each = moments(game)[0]
    with visitor(browser, size, script=False) as page:
        page.goto(f"{address}/t/{tables[game]}/review?seat={seat}")
        page.get_by_role("link", name="Find the better moves").click()
        assert "learn=find" in page.url
        page.locator("#goods button[name=move], #dock button[name=move]").first.click()
        assert re.search(r"learn=(right|again)$", page.url)
        page.goto(f"{address}/t/{tables[game]}/replay?move={each['move']}&seat={seat}&learn=wrong")
        expect(page.locator("#moments")).to_contain_text("less chance to win", use_inner_text=True)
