"""Looking back at a match: a step brings what is new, and the page is the one that would come if it were asked for anew."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from outbid.bots import choose
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.server.domain.records import id_of
from tests.support import sight
from tests.support.browsing import DESK, PHONE, begun, expect, fits, sit, visitor
from tests.support.late import late
from tests.support.reviewed import kept, played
from tests.support.serving import JSON, sentence

pytestmark = pytest.mark.slow

LONG = ("Maximilian Ferdinand Gra", "Anneliese-Margarethe Wie")
FOUR, SIX = ["Adam", "Bruno", "Clara", "Dora"], [LONG[0], "Ben", "Cem", "Dora", LONG[1], "Fay"]
SMALL, ENDS = (320, 640), (".eyes > a:first-of-type", ".eyes > a:last-of-type")
KEYS = ("Home", "[", "ArrowLeft", "ArrowRight", "]", ".", "End")
REGIONS = (
    "bar", "now", "clocks", "together", "opponents", "stage", "result", "goods", "dock", "orders", "log", "over", "moments",
)  # fmt: skip
SHOWN = """ids => [document.title, ...ids.map((id) => document.getElementById(id).outerHTML
    .replace(/>\\s+/g, ">").replace(/\\s+</g, "<").replaceAll("></", ">\\n</")
    .replace(/(d="M[0-9]+)\\.0 /, "$1 ").replace(' tabindex="-1"', ""))]"""


@pytest.fixture(scope="module", autouse=True)
def finished(address: str, database: Path) -> None:
    """A finished table with its review is there."""
    kept(database)


def lines(html: str) -> list[str]:
    """The lines of a log, without the mark of the last move."""
    return re.findall(r"<li.*?</li>", html.replace(' aria-current="true"', ""))


def test_the_lines_that_are_known_and_those_that_come_are_the_whole_log(http):
    match = late(rulebook("money"), 3, rounds=3)
    here = "/t/" + http.post("/records", json=match.record(), headers=JSON).json()["table"] + "/replay?seat=1&part=regions"
    whole = {n: http.get(f"{here}&move={n}").json() for n in range(len(match.moves) + 1)}
    logs = {n: lines(page["regions"].pop("log")) for n, page in whole.items()}
    assert len(logs[len(match.moves)]) > len(match.moves) > 10
    for at, page in whole.items():
        for told, known in logs.items():
            step = http.get(f"{here}&move={at}&told={told}").json()
            assert {name: step[name] for name in page} == page
            assert (known + lines(step["append"]["log"]))[: len(logs[at])] == logs[at] or told > at
            assert told <= at or not step["append"]["log"]


@pytest.mark.parametrize("wrong", ["x", "-1", "1.5", "9999999999", "٣"])
def test_what_is_no_number_of_moves_is_refused_in_a_sentence(http, wrong):
    for name in ("told", "move"):
        answer = http.get(f"/t/{id_of(played('kuhhandel'))}/replay", params={"part": "regions", name: wrong}, headers=JSON)
        assert "must be a whole number" in sentence(answer, 400)


def shown(page: Any) -> Any:
    """What the page shows."""
    page.wait_for_selector(".flying, .settling", state="detached")
    return page.evaluate(SHOWN, REGIONS)


def stepped(page: Any, act: Any) -> None:
    """Do something that leads to another step, and wait for it."""
    with page.expect_response(lambda answer: "part=regions" in answer.url) as coming:
        act()
    coming.value.finished()
    there = coming.value.url.replace("&part=regions", "").partition("&told=")[0]
    page.wait_for_function("there => location.href === there", arg=there)


def walk(page: Any, rng: random.Random, curve: bool) -> None:
    """Go somewhere by one of the ways there are."""
    way = rng.choice(["key", "key", "key", "link", "slider", "line", "eyes", *(["curve"] if curve else [])])
    if way == "key":
        key = rng.choice([key for key in KEYS if page.locator(f'a[data-step-key="{key}"]').count()])
        stepped(page, lambda: page.keyboard.press(key))
    elif way == "slider":
        slider = page.locator("[data-scrub] [name=move]")
        to = rng.choice([str(n) for n in range(int(slider.get_attribute("max")) + 1) if str(n) != slider.input_value()])
        stepped(page, lambda: slider.fill(to))
    elif way == "curve":
        box = page.locator(".curve > svg").bounding_box()
        stepped(page, lambda: page.mouse.click(box["x"] + rng.random() * box["width"], box["y"] + box["height"] / 2))
    else:
        links = {"link": "a[data-step-key]", "line": "#log li > a", "eyes": ".eyes a"}[way]
        count = page.locator(links).count()
        if count:
            stepped(page, page.locator(links).nth(rng.randrange(count)).click)


@pytest.mark.browser
@pytest.mark.parametrize("going", [False, True], ids=["over", "in progress"])
def test_after_any_walk_the_page_is_the_one_that_a_fresh_visit_shows(browser, address, database, going):
    rng = random.Random(7)
    with visitor(browser) as page:
        if going:
            sit(page, address + begun(database, late(rulebook("money"), 3, longest=25), {2: "steady"})[0])
            page.goto(f"{page.url}/replay")
        else:
            page.goto(f"{address}/t/{id_of(played('kuhhandel'))}/replay?move=0&seat=open")
        fresh = page.context.new_page()
        for _round in range(6):
            for _step in range(6):
                walk(page, rng, curve=not going)
            fresh.goto(page.url)
            assert shown(page) == shown(fresh)


@pytest.mark.browser
def test_steps_follow_each_other_by_themselves_until_one_acts_and_the_browser_goes_back_to_where_one_came_from(
    browser, address, database
):
    table = f"{address}/t/{id_of(played('kuhhandel'))}"
    with visitor(browser) as page:
        page.goto(table)
        page.get_by_role("link", name="Replay", exact=True).click()
        page.wait_for_selector("[data-autoplay]")
        page.locator("[data-autoplay]").click()
        page.wait_for_url("**/replay?move=2&seat=open")
        stepped(page, lambda: page.keyboard.press("End"))
        assert page.locator("[data-autoplay]").is_disabled()
        assert page.locator("[data-autoplay]").get_attribute("aria-pressed") == "false"
        last = page.url
        page.go_back()
        assert page.url == table
        page.go_forward()
        assert page.url == last
        stepped(page, lambda: page.keyboard.press("ArrowLeft"))
        page.goto(page.url)
        slider = page.locator("[data-scrub] [name=move]")
        slider.focus()
        for _key in range(3):
            stepped(page, lambda: page.keyboard.press("ArrowLeft"))
        assert page.evaluate("document.activeElement.name") == "move"


@pytest.mark.browser
@pytest.mark.parametrize("size", [SMALL, PHONE], ids=str)
@pytest.mark.parametrize("names", [FOUR[:3], FOUR, SIX], ids=len)
def test_all_by_whom_a_replay_is_seen_are_in_sight_on_a_phone(browser, address, http, names, size):
    match = Match.new(rulebook("claim"), {}, len(names), 1, names)
    while not match.over:
        match.random_move(match.asked[0], len(match.moves))
    table = http.post("/records", json=match.record(), headers=JSON).json()["table"]
    with visitor(browser, size) as page:
        page.goto(f"{address}/t/{table}/replay")
        eyes = page.locator(".eyes > a")
        expect(eyes).to_have_count(len(names) + 2)
        fits(page)
        assert page.locator(".eyes").evaluate("row => row.scrollWidth - row.clientWidth") <= 1
        for link in eyes.all():
            box = link.bounding_box()
            assert min(box["width"], box["height"]) >= 44
            if size != SMALL and link.inner_text().strip() not in LONG:
                assert link.evaluate("link => link.scrollWidth <= link.clientWidth")
        assert eyes.last.bounding_box()["y"] - eyes.first.bounding_box()["y"] <= 52, "two rows"


@pytest.mark.browser
def test_bids_and_all_hands_are_in_sight_on_a_phone_before_there_is_a_review(browser, address, http):
    match = Match.new(rulebook("money"), {}, 3, 1, FOUR[:3])
    while not match.over:
        match.play_steps(match.asked[0], choose(match, match.asked[0], "steady", len(match.moves)).actions)
    table = http.post("/records", json=match.record(), headers=JSON).json()["table"]
    with visitor(browser, sight.PHONE) as page:
        page.goto(f"{address}/t/{table}/replay?move=3&seat=open")
        page.get_by_role("button", name="Review this match").wait_for()
        assert page.evaluate(sight.SIGHT, [".stage .lotbox > header", ".stage .slip"]) == []
        assert page.evaluate(sight.CLIPPED, ["#opponents"]) == []


@pytest.mark.browser
@pytest.mark.parametrize("size", [(1000, 700), (1280, 800)], ids=str)
def test_by_whom_a_replay_of_six_is_seen_lies_over_nothing_at_a_desk(browser, address, http, size):
    match = Match.new(rulebook("claim"), {}, 6, 1, SIX)
    while not match.over:
        match.random_move(match.asked[0], len(match.moves))
    table = http.post("/records", json=match.record(), headers=JSON).json()["table"]
    with visitor(browser, size) as page:
        page.goto(f"{address}/t/{table}/replay")
        fits(page)
        slider, first, last = (page.locator(one).bounding_box() for one in ("[data-scrub] input[type=range]", *ENDS))
        assert slider["x"] + slider["width"] <= first["x"]
        assert slider["width"] >= 60
        assert last["x"] + last["width"] <= size[0]


@pytest.mark.browser
@pytest.mark.parametrize("size", [DESK, PHONE])
def test_without_script_the_same_links_lead_to_whole_pages(browser, address, database, size):
    with visitor(browser, size, script=False) as page:
        page.goto(f"{address}/t/{id_of(played('kuhhandel'))}/replay?move=0&seat=open")
        for name in ("On", "Next turn", "Back", "The next decision of this seat", "Last", "First"):
            link = page.get_by_role("link", name=name, exact=True)
            if link.count():
                there = link.get_attribute("href")
                link.click()
                page.wait_for_url(address + there)
        page.get_by_role("button", name="Go").click()
        expect(page.locator("#log ol > li")).to_have_count(0)
