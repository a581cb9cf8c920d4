"""Agents at a server's table: everybody sees that they are no people, they talk where that is wanted, and what is said to
one alone stays between two."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from outbid.core.record import read_record
from outbid.server.domain.contests.ladder import rungs
from outbid.server.stored import AGENT, BOT, HUMAN
from tests.support.browsing import expect, visitor
from tests.support.lazily import Lazy
from tests.support.serving import JSON, SHORT, Person, people, play_out

pytestmark = pytest.mark.slow

mcp = Lazy("mcp", "the SDK of the Model Context Protocol is not installed")
adapter = Lazy("outbid.agents.mcp", "the SDK of the Model Context Protocol is not installed")
TINY = {"game": "rivals", "preset": "tiny"}


class Model:
    """A model of a script at a table: it says something before its first move, and plays what is listed first."""

    def __init__(self, says: str, to: int | None = None):
        self.says, self.to = says, to
        self.client: Any = None
        self.match = self.told = ""

    async def ask(self, tool: str, **arguments: Any) -> Any:
        answer = await self.client.call_tool(tool, arguments)
        assert not answer.is_error, answer.content[0].text
        return answer

    async def sit(self, client: Any, link: str, name: str) -> None:
        self.client = client
        joined = await self.ask("join", link=link, name=name)
        self.match, self.told = joined.structured_content["match"], joined.content[0].text

    async def play(self) -> None:
        """Until the match is over."""
        await self.ask("say", match=self.match, text=self.says, **({} if self.to is None else {"to": self.to}))
        while True:
            stands = (await self.ask("wait", match=self.match)).structured_content
            self.told += stands["told"]
            if stands["over"]:
                return
            if stands["asked"]:
                played = await self.client.call_tool("play", {"match": self.match, "move": stands["legal"][0]["move"]})
                self.told += played.content[0].text


@contextmanager
def an_agent(host: Person) -> Iterator[Person]:
    """A person whose seat is marked as an agent's, beside the host."""
    with people(str(host.http.base_url), 1) as (other,):
        other.table = host.table
        joined = other.http.post(f"/t/{host.table}/join", data={"name": "Robo", "agent": "true"}, headers=JSON)
        assert joined.status_code == 201, joined.text
        other.links[host.table] = joined.json()["link"]
        yield other


def say(person: Person, text: str, to: int | None = None) -> tuple[int, Any]:
    meant = {} if to is None else {"to": str(to)}
    answer = person.http.post(f"/t/{person.table}/chat", data={"text": text, **meant}, headers=JSON)
    return answer.status_code, answer.json().get("error")


def heard(person: Person) -> list[str]:
    return [line["text"] for line in person.http.get(f"/t/{person.table}/chat", headers=JSON).json()["messages"]]


def record_of(person: Person) -> dict[str, Any]:
    return person.http.get(f"/t/{person.table}/record", headers=JSON).json()


def test_two_scripted_models_talk_at_one_table_with_a_bot_and_a_person_in_the_browser(address: str, browser: Any):
    with visitor(browser) as page, people(address, 1) as (watcher,), ThreadPoolExecutor(1) as pool:
        order = {"game": "kuhhandel", "players": 4, "name": "Ada", "bots": "open,open,random", "preset": "quick", **SHORT}
        made = page.request.post(f"{address}/tables", form={**order, "talk": "private"}, headers=JSON)
        assert made.status == 201, made.text()
        watcher.table = made.json()["table"]
        link = f"{address}/t/{watcher.table}"
        honest, liar = Model("I shall bid one."), Model("Ben bids nothing.", to=1)

        async def running() -> None:
            async with mcp.Client(adapter.server(shared=True)) as client:
                await honest.sit(client, link, "Ben")
                await liar.sit(client, link, "Cem")
                await asyncio.gather(honest.play(), liar.play())
            watching = asyncio.all_tasks() - {asyncio.current_task()}  # a shared server goes on when its client has left
            for task in watching:
                task.cancel()
            await asyncio.gather(*watching, return_exceptions=True)
            await asyncio.sleep(0.1)  # until what was closed is closed

        playing = pool.submit(asyncio.run, running())
        while not heard(watcher) and watcher.now()["table"]["status"] == "open":
            time.sleep(0.1)
        page.goto(link)
        expect(page.locator(".seat .tag", has_text="agent")).to_have_count(2)
        page.goto(f"{link}/chat")
        page.locator("select[name=to]").select_option(label="to Cem alone")
        page.locator("input[name=text]").fill("Only you and I.")
        page.get_by_role("button", name="Say", exact=True).click()
        lines = page.locator(".lines")
        expect(lines).to_contain_text("Only you and I.")
        expect(lines.locator(".mine .tag")).to_have_text("to Cem alone")
        page.request.post(f"{link}/leave", headers=JSON)  # a bot plays on for her
        playing.result(timeout=300)
        page.goto(f"{link}/chat")
        expect(lines).to_contain_text("I shall bid one.")
        expect(lines).not_to_contain_text("Ben bids nothing.")
        assert "Ben says: I shall bid one." in liar.told
        assert "Ada says to you alone: Only you and I." in liar.told
        assert "Cem says to you alone: Ben bids nothing." in honest.told
        assert "Only you and I." not in honest.told
        spoken = [(each["seat"], each["text"]) for each in page.request.get(f"{link}/record").json()["said"]]
        assert sorted(spoken) == [(0, "Only you and I."), (1, "I shall bid one.")]
        public = record_of(watcher)
        assert [each.text for each in read_record(public).talk] == ["I shall bid one."]


def test_what_is_said_to_one_alone_stands_in_the_records_of_these_two(address: str):
    with people(address, 3) as (ada, ben, eve):
        ada.order(**TINY, players=2, bots="open", talk="private")
        ben.join(ada.table, "Ben")
        eve.table = ada.table
        assert say(ada, "To all.") == (200, None)
        assert say(ben, "To you.", to=0) == (200, None)
        assert say(ada, "To myself.", to=0)[0] == say(eve, "To Ada.", to=0)[0] == 400
        assert say(ada, "x" * 301, to=1)[0] == 400
        assert heard(ada) == heard(ben) == ["To all.", "To you."]
        assert heard(eve) == []
        play_out(ada, ben)
        for person in (ada, ben):
            assert [each["text"] for each in record_of(person)["said"]] == ["To all.", "To you."]
            assert read_record(record_of(person)).talk[1].to == 0
        assert [each["text"] for each in record_of(eve)["said"]] == ["To all."]


def test_what_is_said_before_the_match_is_nobodys_secret_and_in_no_record(address: str):
    with people(address, 3) as (ada, ben, eve):
        ada.order(**TINY, players=2, bots="open", talk="private", starts="host")
        ben.join(ada.table, "Ben")
        assert say(ben, "To you.", to=0)[0] == 400, "another may come to sit there"
        assert say(ben, "Before.") == (200, None)
        assert ben.http.post(f"/t/{ada.table}/leave", headers=JSON).status_code == 200
        eve.join(ada.table, "Eve")
        assert ada.http.post(f"/t/{ada.table}/start", headers=JSON).status_code == 200
        play_out(ada, eve)
        assert say(eve, "Well played.") == (200, None)
        assert "said" not in record_of(eve)


def test_where_talk_is_no_part_of_the_match_agents_hear_and_say_nothing(address: str):
    with people(address, 1) as (ada,):
        ada.order(**TINY, players=2, bots="open")
        with an_agent(ada) as robo:
            assert [seat["agent"] for seat in ada.now()["seats"]] == [False, True]
            assert say(ada, "Between us.") == (200, None)
            assert heard(ada) == ["Between us."]
            assert heard(robo) == []
            assert say(robo, "Hello.") == (403, "Agents do not talk at this table.")
            assert say(ada, "Alone.", to=1)[0] == 400
            play_out(ada, robo)
            assert "said" not in record_of(ada)


def test_a_seat_that_is_given_to_a_program_is_marked_for_good(address: str):
    with people(address, 2) as (ada, ben):
        ada.order(**TINY, players=2, bots="open")
        ben.join(ada.table, "Ben")
        assert ben.http.post(f"/t/{ada.table}/agent", headers=JSON).status_code == 200
        assert [seat["agent"] for seat in ada.now()["seats"]] == [False, True]
        play_out(ada, ben)
        assert ben.http.post(f"/t/{ada.table}/agent", headers=JSON).status_code == 200, "it is one already"
        assert ada.http.post(f"/t/{ada.table}/agent", headers=JSON).status_code == 409, "the match is over"


def test_agents_have_a_ladder_of_their_own():
    row = type("Row", (), {})

    def rated(kind: str, player: str, mu: float) -> Any:
        rating = row()
        vars(rating).update(kind=kind, player=player, game="rivals", mu=mu, sigma=1.0, matches=12, shown=player)
        return rating

    rows = [rated(BOT, "steady", 25), rated(HUMAN, "ada", 30), rated(AGENT, "robo", 35)]
    assert [rung.name for rung in rungs(rows)["rivals"]] == ["ada", "steady"]
    assert [(rung.name, rung.rating) for rung in rungs(rows, kind=AGENT)["rivals"]] == [("robo", 1300), ("steady", 1000)]
    assert rungs([rated(BOT, "steady", 25), rated(AGENT, "robo", 35)]) == {}
