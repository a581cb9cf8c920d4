"""The host changes game, clock, pace and options in the waiting room: everybody sees it, and who sits there agrees before
the match begins."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from outbid.agents.session import visiting
from tests.support.browsing import DESK, PHONE, expect, fits, visitor
from tests.support.postgres import Cluster
from tests.support.serving import JSON, Person, hear, line_to, people, sentence, serving, start, stop, until

NEWS = "This has been changed:"
AGREE = {"what": "changed"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server."""
    with serving(tmp_path_factory.mktemp("altered") / "tables.db") as address:
        yield address


def room_of(person: Person) -> str:
    """The page of the waiting room."""
    return person.http.get(f"/t/{person.table}").text


def alter(person: Person, /, game: str = "rivals", **fields: Any) -> Any:
    """Send the sheet of a table."""
    wanted = {"players": 3, "preset": "seed", "table": person.table, **fields}
    return person.http.post(f"/new/{game}", data=wanted, headers=JSON)


def ask(person: Person, what: str, /, **fields: Any) -> Any:
    """Send a form of the table."""
    return person.http.post(f"/t/{person.table}/{what}", data=fields, headers=JSON)


def opened(ada: Person, *guests: Person, **fields: Any) -> None:
    """Ada's table for three of Rivals, with guests."""
    ada.order(**{"game": "rivals", "preset": "seed", "players": 3, "bots": "open", **fields})
    for guest, name in zip(guests, ("Ben", "Cem"), strict=False):
        guest.join(ada.table, name)


def test_who_sits_there_agrees_to_what_was_changed_before_the_match_begins(server: str):
    with people(server, 3) as (ada, ben, cem):
        opened(ada, ben)
        assert NEWS not in room_of(ben)
        assert f"/new/rivals?table={ada.table}" in room_of(ada)
        assert "?table=" not in room_of(ben)
        assert alter(ada, clock="180+15", pace="slow", **{"option:gold_open": "false"}).status_code == 200
        for person in (ada, ben):
            assert NEWS in room_of(person)
            for what in ("3 minutes", "Pace of the bots: slow", "Open gold: no"):
                assert what in room_of(person).partition(NEWS)[2].partition("</p>")[0]
        assert "I agree" in room_of(ben)
        assert "I agree" not in room_of(ada)
        assert "still missing: Ben." in sentence(ask(ada, "start", bot="random"), 409)
        cem.join(ada.table, "Cem")
        assert "I agree" not in room_of(cem), "who comes later has seen it"
        assert ask(ada, "house", starts="host").status_code == ask(ada, "house", starts="full").status_code == 200
        assert cem.now()["table"]["status"] == "open"
        assert ask(ben, "agree", **AGREE).status_code == 200
        seen = cem.now()["table"]
        assert (seen["status"], seen["pace"], seen["options"]) == ("playing", "slow", {"gold_open": False})
        assert "3 minutes" in seen["clock"]
        sentence(alter(ada), 409)


def test_the_sheet_of_a_table_says_how_it_is(server: str):
    with people(server, 1) as (ada,):
        opened(ada, preset="published", clock="90+7", pace="fast", **{"option:piles": 3})
        page = ada.http.get("/new/rivals", params={"table": ada.table}).text
        assert 'name="preset" value="published" checked' in page
        assert 'name="own_clock" maxlength="12" autocomplete="off" placeholder="180+15" value="90+7"' in page
        assert '<option value="fast" selected>' in page
        assert 'name="bots"' not in page
        before = ada.now()["table"]
        assert alter(ada, preset="published", own_clock="90+7", pace="fast", **{"option:piles": "3"}).status_code == 200
        assert ada.now()["table"] == before
        assert NEWS not in room_of(ada)
        opened(ada)
        assert '<details class="panel" open' not in ada.http.get("/new/rivals", params={"table": ada.table}).text


def test_what_cannot_be_changed_is_refused_in_a_sentence_and_changes_nothing(server: str):
    with people(server, 3) as (ada, ben, guest):
        opened(ada, ben)
        guest.table = ada.table
        before = ada.now()
        sentence(alter(ben, clock="180+15"), 403)
        sentence(alter(guest, clock="180+15"), 403)
        sentence(alter(ada, table="nowhere"), 404)
        for wrong in ({"clock": "soon"}, {"pace": "never"}, {"weekends": "true"}, {"preset": "none"}, {"players": 5}):
            sentence(alter(ada, **wrong), 400)
        sentence(alter(ada, **{"option:gold_open": "perhaps"}), 400)
        for person in (ada, ben):
            sentence(ask(person, "agree", **AGREE), 409)
        sentence(ask(guest, "agree", **AGREE), 403)
        assert ada.now() == before
        assert NEWS not in room_of(ben)


def test_who_leaves_need_not_agree_and_who_comes_in_their_place_neither(server: str):
    with people(server, 3) as (ada, ben, cem):
        opened(ada, ben)
        assert alter(ada, clock="60+10").status_code == 200
        sentence(ask(ben, "agree", what="changed", agree="false"), 409)
        assert ask(ben, "leave").status_code == 200
        cem.join(ada.table, "Cem")
        assert ask(ada, "start", bot="random").status_code == 200
        assert cem.now()["table"]["status"] == "playing"


def test_another_game_is_played_by_who_sits_there_and_as_many_chairs_as_it_has(server: str):
    with people(server, 2) as (ada, ben):
        opened(ada, ben, game="money", players=5, bots="open,easy:banker,open,open", clock="60+10", pace="fast", hints="on")
        sheet = ada.http.get("/new/rivals", params={"table": ada.table}).text
        assert 'value="60+10"' in sheet
        assert '<option value="fast" selected>' in sheet
        assert 'name="players" value="4"' in sheet
        assert f'href="/new/claim?table={ada.table}"' in sheet
        assert "a banker" in room_of(ada)
        kept = {"players": 4, "clock": "none", "own_clock": "60+10", "pace": "fast", "hints": "on"}
        assert alter(ada, **kept).status_code == 200
        now = ben.now()["table"]
        assert "a banker" not in room_of(ada)
        assert (now["game"], now["changed"]) == ("rivals", ["Rivals is played now"])
        sentence(ask(ada, "start", bot="random"), 409)
        assert ask(ben, "agree", **AGREE).status_code == 200
        assert ask(ada, "start", bot="random").status_code == 200
        now = ben.now()
        assert (now["table"]["pace"], now["table"]["status"]) == ("fast", "playing")
        assert [seat["kind"] for seat in now["seats"]] == ["human", "human", "bot", "bot"]


def test_a_game_for_fewer_than_sit_there_is_refused_and_one_for_more_brings_chairs(server: str):
    with people(server, 2) as (ada, ben):
        opened(ada, ben, game="money", players=5, bots="open,random")
        before = ben.now()
        assert "the last one is not empty" in sentence(alter(ada, players=4), 400)
        assert ben.now() == before
        opened(ada, ben, players=2, bots="open", starts="host")
        assert alter(ada, game="money").status_code == 200
        assert [seat["kind"] for seat in ben.now()["seats"]] == ["human", "human", "open"]


def test_a_program_is_told_and_need_not_say_anything(server: str):
    with people(server) as (ada, ben):
        opened(ada, ben)
        with line_to(ben, JSON) as line:
            assert not hear(line, "table")["now"]["table"]["changed"]
            assert alter(ada, clock="60+10").status_code == 200
            assert "1 minute" in hear(line, "table")["now"]["table"]["changed"][0]
            until(lambda: ask(ada, "start", bot="random").status_code == 200)
        assert ben.now()["table"]["status"] == "playing"


def test_an_agent_plays_the_other_game_that_the_table_has_now(server: str):
    async def sits(ada: Person) -> None:
        agent = await visiting(f"{server}/t/{ada.table}", "Eve")
        try:
            assert (await asyncio.to_thread(alter, ada)).status_code == 200
            async with asyncio.timeout(20):
                while "Rivals is played now" not in agent.news():
                    await asyncio.sleep(0.05)
            assert "Rivals" in agent.rules(whole=False)
        finally:
            await agent.leave()

    with people(server, 1) as (ada,):
        opened(ada, game="money")
        asyncio.run(sits(ada))


def test_a_restart_forgets_nobody_who_has_to_agree(tmp_path: Path):
    with serving(tmp_path / "t.db") as address, people(address) as (ada, ben):
        opened(ada, ben)
        assert alter(ada, clock="60+10").status_code == 200
        cookies = [person.http.cookies for person in (ada, ben)]
    with serving(tmp_path / "t.db") as address, people(address) as (new_ada, new_ben):
        for new, old, cookie in zip((new_ada, new_ben), (ada, ben), cookies, strict=True):
            new.table, new.http.cookies = old.table, cookie
        assert "Look at game, clock and options once more." in room_of(new_ben)
        sentence(ask(new_ada, "start", bot="random"), 409)
        assert ask(new_ben, "agree", **AGREE).status_code == 200
        assert ask(new_ada, "start", bot="random").status_code == 200


@pytest.mark.slow
def test_all_processes_know_what_was_changed_and_who_has_agreed(cluster: Cluster):
    url = cluster.database()
    with ThreadPoolExecutor() as pool:
        (first, here), (second, there) = pool.map(lambda _: start(url), range(2))
    try:
        with people(here, 1) as (ada,), people(there, 1) as (ben,):
            opened(ada)
            ben.join(ada.table, "Ben")
            until(lambda: "Ben" in room_of(ada))
            assert alter(ada, clock="60+10").status_code == 200
            until(lambda: "1 minute" in room_of(ben).partition(NEWS)[2].partition("</p>")[0])
            sentence(ask(ada, "start", bot="random"), 409)
            assert ask(ben, "agree", **AGREE).status_code == 200
            until(lambda: ask(ada, "start", bot="random").status_code == 200)
    finally:
        stop(first)
        stop(second)


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("script", [True, False])
def test_a_guest_on_a_phone_sees_the_change_and_agrees(browser: Any, server: str, script: bool):
    with visitor(browser, DESK, script) as ada, visitor(browser, PHONE, script) as ben:
        ada.goto(server)
        ada.locator("button[name=friends][value=rivals]").click()
        ada.locator("b.letters").wait_for()
        ben.goto(ada.url)
        ben.locator("#name").fill("Ben")
        ben.get_by_role("button", name="Join the table").click()
        ben.get_by_text("You sit here.").wait_for()
        ada.get_by_role("link", name="Change game, clock or options").click()
        ada.locator("#clock").select_option("180+15")
        fits(ada)
        ada.get_by_role("link", name="Kuhhandel").click()
        ada.locator("#clock").select_option("180+15")
        fits(ada)
        ada.get_by_role("button", name="Change the table: Kuhhandel").click()
        expect(ada.locator("#changed")).to_contain_text("still missing: Ben")
        expect(ben.locator("#changed")).to_contain_text("Kuhhandel is played now; Live: 3 minutes")
        fits(ben)
        ben.get_by_role("button", name="I agree").click()
        expect(ben.get_by_role("button", name="I agree")).to_have_count(0)
        if not script:
            ada.reload()
        ada.get_by_role("button", name="Start with bots").click()
        ada.locator("#stage").wait_for()
