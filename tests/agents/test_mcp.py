"""A seat for agents: `outbid mcp` through the official SDK's client, in memory, over pipes, over HTTP and at a table."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from anyio import create_task_group
from hypothesis import given
from hypothesis import strategies as st

from outbid.agents import session
from outbid.agents.session import Sitting
from outbid.core.errors import BadSetup, OutbidError
from outbid.core.match import Match
from outbid.core.rulebook import rulebook, rulebooks
from tests.support.commands import outbid_command
from tests.support.knowing import KNOWN, names_in, twin
from tests.support.lazily import Lazy
from tests.support.profile import examples
from tests.support.serving import SHORT, Person

MISSING = "the SDK of the Model Context Protocol is not installed"
mcp = Lazy("mcp", MISSING)
adapter = Lazy("outbid.agents.mcp", MISSING)

GAMES = sorted(KNOWN)
CODE = "from outbid.cli import main; main()"
NO_NUMBER = "is wrong: Input should be a valid integer"
TOOLS = {"look", "log", "legal_moves", "rules", "play", "wait", "say", "hear"}


class Agent:
    """Somebody who plays with nothing but tools."""

    def __init__(self, client: Any, match: str = ""):
        self.client = client
        self.match = match
        self.told: list[str] = []

    async def ask(self, tool: str, **arguments: Any) -> str:
        """What a tool answers; it is no error."""
        wrong, said = await self.call(tool, **arguments)
        assert not wrong, said
        return said

    async def call(self, tool: str, **arguments: Any) -> tuple[bool, str]:
        """Whether a tool answers with an error, and what."""
        if self.match and tool in TOOLS | {"leave"}:
            arguments = {"match": self.match, **arguments}
        answer = await self.client.call_tool(tool, arguments)
        assert len(answer.content) == 1
        facts = answer.structured_content
        if facts is not None:
            assert facts["told"] == answer.content[0].text
            assert facts["over"] == bool(facts["winners"]) or tool == "leave"
        self.told.append(answer.content[0].text)
        return bool(answer.is_error), self.told[-1]

    async def begin(self, tool: str = "new_match", **arguments: Any) -> str:
        """A seat at a match; returns what was told."""
        said = await self.ask(tool, **arguments)
        self.match = said.split("\n")[0].removeprefix("Match ")
        return said

    async def send_listed(self, moves: int) -> str:
        """Send moves as the object lists them, each time another of the list, as long as they are still open; returns what
        was told."""
        told = ""
        for number in range(moves):
            waited = await self.client.call_tool("wait", {"match": self.match})
            facts, told = waited.structured_content, told + waited.content[0].text
            if facts["over"]:
                break
            listed = facts["legal"]
            assert listed or not facts["asked"]
            if listed:
                wrong, said = await self.call("play", move=listed[number % len(listed)]["move"])
                told += said
                after = (await self.client.call_tool("look", {"match": self.match})).structured_content
                assert not wrong or after["legal"] != listed, said  # in an outcry somebody may have been quicker
        return told

    async def play_on(self, moves: int = 100_000) -> str:
        """Play first legal moves until the match is over; returns what was told at last."""
        said = ""
        for _ in range(moves):
            legal = await self.ask("legal_moves")
            if not legal.startswith("##"):
                look = await self.ask("look")
                if "match is over" in look or "## Result" in look:
                    return said
                said = await self.ask("wait")
                if re.search(r"^.+: -?[\d.,]+ points? wins$", said, re.M):
                    return said
                continue
            for answer in first_legal(legal):
                wrong, said = await self.call("play", move=answer)
                if not wrong:
                    break
            else:
                raise AssertionError(f"nothing is accepted of {legal}: {said}")
            if re.search(r"^.+: -?[\d.,]+ points? wins$", said, re.M):
                return said
        return said


def first_legal(menu: str) -> Iterator[str]:
    """Ways to say the first move of a menu, one of which is legal."""
    choice = next(line for line in menu.splitlines() if line.startswith("- ")).removeprefix("- ")
    if " [" in choice:  # a line begins with a move that can be sent as it is written
        yield choice.partition(" [")[0]
        return
    if found := re.search(r"\(such as “(.+)”\)$", choice):
        yield found[1]
        return
    text, _open, inside = choice.partition(" (")
    if found := re.match(r"(bid) (\d+) to \d+", text):
        yield f"{found[1]} {found[2]}"
        return
    _verb, any_of, listed = text.partition(" any of ")
    _least, at_least, some = text.partition(" at least one of ")
    cards = (listed if any_of else some if at_least else inside.removeprefix("out of: ").rstrip(")")).split()
    verb = text.split()[0]
    if any_of or at_least or inside.startswith("out of: "):
        yield f"{verb} nothing"
        for n in range(1, len(cards) + 1):
            yield " ".join([verb, *cards[:n]])
        for n in range(1, len(cards) + 1):
            yield " ".join([verb, *cards[-n:]])
        return
    if inside and "in steps" not in inside:
        yield inside.rstrip(")").removeprefix("for example: ").split("; ")[0].split("for example: ")[-1]
    yield text


def alone(tell: Any, made: Any = None) -> Any:
    """Run what one agent does at a server in memory."""

    async def running() -> Any:
        async with mcp.Client(made or adapter.server()) as client:
            return await tell(Agent(client))

    return asyncio.run(running())


# --- matches against bots ---------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_an_agent_plays_a_whole_match_of_each_game_against_bots_by_first_legal_moves(game):
    async def tell(agent: Agent) -> None:
        preset = "quick" if "quick" in rulebook(game).presets else "seed"
        said = await agent.begin(game=game, seed=5, bots="random,steady", preset=preset, players=3)
        assert "You are Agent, seat 0, in a match of" in said
        end = await agent.play_on()
        assert " wins" in end
        assert (await agent.ask("legal_moves")) == "You are not asked now."
        wrong, refused = await agent.call("play", move="pass")
        assert wrong
        assert "the match is over" in refused

    alone(tell)


def test_the_tools_and_the_rulebooks_are_there():
    async def tell(agent: Agent) -> None:
        tools = {tool.name: tool for tool in (await agent.client.list_tools()).tools}
        assert set(tools) == TOOLS | {"games", "new_match", "join", "leave", "rules_of_game"}
        assert all(tool.description and tool.input_schema for tool in tools.values())
        resources = {str(resource.uri) for resource in (await agent.client.list_resources()).resources}
        declared = {game: book.moves for game, book in rulebooks().items() if book.moves}
        books = {f"outbid://rules/{game}" for game in rulebooks()}
        assert resources == books | {f"outbid://moves/{game}" for game in declared}
        for game, moves in declared.items():
            read = await agent.client.read_resource(f"outbid://moves/{game}")
            assert json.loads(read.contents[0].text) == moves.schema
        for game in GAMES:
            read = await agent.client.read_resource(f"outbid://rules/{game}")
            assert read.contents[0].text == rulebook(game).written
        said = await agent.ask("games")
        assert all(f"# {game}: " in said for game in GAMES)
        assert (await agent.ask("rules_of_game", game="money", whole=True)) == rulebook("money").written.strip()

    alone(tell)


def test_how_a_match_stands_is_an_object_with_a_schema_too_and_its_moves_can_be_sent():
    async def tell(agent: Agent) -> None:
        tools = {tool.name: tool for tool in (await agent.client.list_tools()).tools}
        for name in ("new_match", "join", "look", "legal_moves", "play", "wait"):
            assert {"asked", "legal", "view", "winners"} <= set(tools[name].output_schema["properties"])
        assert tools["rules"].output_schema is None
        answer = await agent.client.call_tool("new_match", {"game": "rivals", "players": 2, "seed": 1})
        for _ in range(12):
            facts = answer.structured_content
            assert facts["asked"]
            assert facts["view"]["seat"] == facts["seat"] == 0
            answer = await agent.client.call_tool("play", {"move": facts["legal"][-1]["move"]})
            assert not answer.is_error
        hidden = await agent.client.call_tool("new_match", {"game": "rivals", "players": 2, "seed": 1, "obfuscate": 3})
        assert hidden.structured_content["view"] is None

    alone(tell)


def test_what_was_chosen_for_a_match_is_so():
    async def tell(agent: Agent) -> None:
        said = await agent.begin(
            game="kuhhandel", players=5, seat=3, seed=9, options={"overbid": "forbidden"}, show_legal=False, bots="random"
        )
        assert "seat 3, in a match of Kuhhandel" in said
        assert said.count("(seat ") == 5
        assert "- overbid = forbidden" in said
        assert "legal moves" not in said
        assert "How moves are written" in await agent.ask("legal_moves")
        assert "- overbid = forbidden" in await agent.ask("rules")
        again = Agent(agent.client)
        told = await again.begin(
            game="kuhhandel", players=5, seat=3, seed=9, options={"overbid": "forbidden"}, show_legal=False, bots="random"
        )
        assert told.split("\n", 1)[1] == said.split("\n", 1)[1]  # the same seed, the same match
        assert again.match != agent.match

    alone(tell)


def test_several_matches_go_on_at_once_by_id():
    async def tell(agent: Agent) -> None:
        agents = [Agent(agent.client) for _ in range(4)]
        for n, one in enumerate(agents):
            await one.begin(game="rivals", seed=n, players=2)
        wrong, said = await agent.call("look")
        assert wrong
        assert said == f"Say which match: {', '.join(one.match for one in agents)}."
        alone_told = []
        for one in agents[:2]:
            await one.play_on(10)
            alone_told.append(await one.ask("log"))
        mixed = [Agent(agent.client) for _ in range(2)]
        for n, one in enumerate(mixed):
            await one.begin(game="rivals", seed=n, players=2)
        for _ in range(10):
            for one in mixed:
                await one.play_on(1)
        assert [await one.ask("log") for one in mixed] == alone_told
        await agents[0].ask("leave")
        wrong, said = await agents[0].call("look")
        assert wrong
        assert said.startswith(f"There is no match '{agents[0].match}'; there is {agents[1].match},")

    alone(tell)


def test_play_tells_what_happened_until_it_is_the_agents_turn_again():
    async def tell(agent: Agent) -> None:
        await agent.begin(game="kuhhandel", seed=3, players=3)
        before = (await agent.ask("log")).splitlines()
        said = await agent.play_on(1)
        after = (await agent.ask("log")).splitlines()
        assert after[: len(before)] == before
        assert said.startswith("\n".join(after[len(before) :]))
        assert (await agent.ask("log", last=2)).splitlines() == after[-2:]

    alone(tell)


def codes_in(told: str) -> list[str]:
    """The codes with which other agents join."""
    return re.findall(r"([0-9a-f]{32}) \(seat \d\)", told)


def test_two_agents_play_one_match_with_bots_and_talk():
    async def tell(agent: Agent) -> None:
        began = await agent.begin(game="rivals", preset="tiny", players=2, agents=2, talk="private")
        other = Agent(agent.client)
        await other.begin("join", link=codes_in(began)[0])
        await agent.ask("say", text="I shall not bid.")
        await agent.ask("say", text="For you alone.", to=1)
        assert "Agent (seat 0) to all: I shall not bid.\nAgent (seat 0) to you: For you alone." in await other.ask("hear")
        assert await other.ask("hear") == "Nothing was said."
        wrong, refusal = await other.call("say", text="x" * 301)
        assert (wrong, refusal) == (True, "A remark has 1 to 300 characters.")
        async with create_task_group() as both:
            both.start_soon(agent.play_on)
            both.start_soon(other.play_on)
        looks = [(await each.client.call_tool("look", {"match": each.match})).structured_content for each in (agent, other)]
        assert [look["over"] for look in looks] == [True, True]
        assert looks[0]["scores"] == looks[1]["scores"]

    alone(tell)


def test_no_agent_looks_through_the_eyes_of_another():
    async def tell(maker: Agent) -> None:
        began = await maker.begin(game="kuhhandel", players=4, agents=3)
        others, codes = [Agent(maker.client), Agent(maker.client)], codes_in(began)
        assert len(set(codes)) == 2
        for other, code in zip(others, codes, strict=True):
            assert await maker.call("look", match=code) == (
                True, f"There is no match {code!r}; new_match and join tell the id of a match.",
            )  # fmt: skip
            await other.begin("join", link=code)
        told = "".join(maker.told)
        for seat, other in enumerate(others, 1):
            assert other.match not in told
            assert f"seat {seat}, in a match of" in await other.ask("look")
        for code in (codes[0], "0" * 32):  # used, guessed
            wrong, refusal = await maker.call("join", link=code)
            assert wrong
            assert refusal.startswith("This code takes no seat: ")
        assert await maker.call("new_match", game="kuhhandel", players=4, agents=3, seed=7) == (
            True, "Among several agents the deal is random: who gave its seed could look into all hands.",
        )  # fmt: skip
        late = codes_in(await maker.begin(game="rivals", players=2, agents=2))
        await maker.ask("leave")
        wrong, refusal = await maker.call("join", link=late[0])
        assert wrong
        assert refusal.startswith("This code takes no seat: ")

    alone(tell, adapter.server(shared=True))


def test_the_hammer_falls_when_no_agent_has_anything_to_say(monkeypatch: Any):
    monkeypatch.setattr(session, "PATIENCE", 0.2)
    match = Match.new(rulebook("kuhhandel"), {"bidding": "realtime"}, 4, 3)
    first = Sitting(match, 0, {3: "random"})
    others = {each.seat: each for each in first.beside()}
    seats = {0: first, **others}

    async def run() -> None:
        while not (match.clock and len([seat for seat in match.asked if seat in seats]) > 1):
            asked = next(seat for seat in match.asked if seat in seats)
            match.random_move(asked, 1)
            first.advance()
        bidders = [seats[seat] for seat in match.asked if seat in seats]
        at = match.reached
        await bidders[0].wait()
        assert match.reached == at  # the others may still bid
        assert all(each.asked for each in bidders)
        waiting = [asyncio.create_task(each.wait()) for each in bidders[1:]]
        await asyncio.gather(*waiting)
        assert match.reached > at
        assert match.moves[at]["do"] == "close"

    asyncio.run(run())


@pytest.mark.parametrize("game", ["kuhhandel", "rivals"])
@pytest.mark.parametrize("how", ["leaves", "falls silent"])
def test_agents_that_are_gone_hold_up_nobody(game: str, how: str, monkeypatch: Any):
    options = {"bidding": "realtime"} if game == "kuhhandel" else {}
    match = Match.new(rulebook(game), options, 3, 3)
    first = Sitting(match, 0, {})
    others = first.beside()

    async def run() -> None:
        for each in others:
            each.facts()
        if how == "leaves":
            await others[0].leave()
        else:
            monkeypatch.setattr(session, "ABSENCE", 0.05)
        for _ in range(24):  # the others only wait, and do what they must
            for each in (first, others[1]) if how == "leaves" else (first,):
                if each.asked and not match.clock:
                    match.random_move(each.seat, 1)
                    each.advance()
                else:
                    await each.wait()
        assert {move["seat"] for move in match.moves} >= ({0, 1, None} if options else {0, 1})

    monkeypatch.setattr(session, "PATIENCE", 0.1)
    asyncio.run(run())


def test_where_nobody_talks_saying_something_is_refused():
    async def tell(agent: Agent) -> None:
        await agent.begin(game="rivals", preset="tiny", players=2, seed=3)
        assert await agent.call("say", text="Hello") == (True, "Nobody talks at this table.")
        for how, says in (({"agents": 9}, "There are 9 agents; there must be 1 to 2."),
                          ({"talk": "loud"}, "talk is 'loud'; it must be one of none, public, private.")):  # fmt: skip
            assert await agent.call("new_match", game="rivals", preset="tiny", players=2, **how) == (True, says)

    alone(tell)


def test_in_an_open_outcry_an_agent_may_bid_or_wait_for_the_hammer():
    async def tell(agent: Agent) -> None:
        await agent.begin(game="kuhhandel", seed=3, players=3, options={"bidding": "realtime"}, bots="steady")
        waited = 0
        for _ in range(60):
            menu = await agent.ask("legal_moves")
            if "- bid" in menu:
                await agent.ask("wait")
                waited += 1
            else:
                await agent.play_on(1)
        assert waited > 5

    alone(tell)


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("new_match", {"game": "chess"}, "There is no game 'chess'; there is "),
        ("new_match", {"game": "rivals", "players": 9}, "Rivals is for 2 to 4 players, not 9."),
        ("new_match", {"game": "rivals", "players": "many"}, "The argument 'players' is wrong: "),
        ("new_match", {"game": "rivals", "seat": 4}, "There is no seat 4; the seats are 0 to "),
        *(
            ("new_match", {"game": "rivals", name: value}, f"The argument {name!r} {NO_NUMBER}, not {value!r}.")
            for name in ("seat", "players", "seed", "obfuscate") for value in (True, 1.0, "1", [1])
        ),
        ("new_match", {"game": "rivals", "seat": None}, f"The argument 'seat' {NO_NUMBER}, not None."),
        ("new_match", {"game": "rivals", "show_legal": 1}, "The argument 'show_legal' is wrong: Input should be "),
        ("new_match", {"game": "rivals", "bots": "steady,genius"}, "There is no bot 'genius'; there are "),
        ("new_match", {"game": "rivals", "seed": -1}, "The seed is -1; "),
        ("new_match", {"game": "rivals", "preset": "fast"}, "Rivals has no preset 'fast'; it has "),
        ("new_match", {"game": "rivals", "options": {"coins": "many"}}, "Option coins is 'many'; it must be "),
        ("new_match", {"game": "rivals", "options": {"coins": True}}, "Option coins is True; it must be "),
        ("new_match", {"game": "rivals", "options": {"coins": 1.0}}, "Option coins is 1.0; it must be "),
        ("new_match", {"game": "rivals", "options": {"gold_open": 1}}, "Option gold_open is 1; it must be true or false."),
        ("new_match", {"game": "rivals", "options": {"dead_cards": "kept"}}, "Option dead_cards is 'kept'; it must be "),
        ("new_match", {"game": "rivals", "options": {"dead_cards": None}}, "Option dead_cards is None; it must be "),
        ("new_match", {"game": "rivals", "options": "coins=3"}, "The argument 'options' is wrong: "),
        ("new_match", {}, "The argument 'game' is wrong: Field required."),
        ("join", {"link": "hello"}, "'hello' is no link of a table; "),
        ("join", {"link": "http://127.0.0.1:1/t/abc234"}, "There is no server that answers at "),
        ("look", {"match": "nothing"}, "There is no match 'nothing'; there is "),
        ("play", {"move": "fly"}, "'fly' is not a move of this game; the moves are "),
        ("play", {"move": "uncover or bid 1"}, "It is not clear which move is meant (uncover; bid 1); "),
        ("play", {"move": "pass"}, "It is not possible to pass now"),
        ("play", {}, "The argument 'move' is wrong: Field required."),
        ("log", {"last": 0}, "The argument 'last' is wrong: "),
        ("wait", {}, "There is nothing to wait for: it is your turn."),
        ("rules_of_game", {"game": "go"}, "There is no game 'go'; there is "),
        ("fly", {}, "Unknown tool: fly"),
        ("new_match", {"game": "rivals", "sed": 3}, "new_match has no argument 'sed'; it has game, players, "),
        ("look", {"every": True}, "look has no argument 'every'; it has match."),
        ("play", {"move": '{"seat": 0, "do": "uncover"}'}, "The move is said to be that of seat 0; you are seat 1."),
        ("play", {"move": '{"seat": 0, "move": {"do": "uncover"}}'}, "The move is said to be that of seat 0; you are seat "),
        ("play", {"move": '{"seat": 0, "move": "uncover"}'}, "The move is said to be that of seat 0; you are seat 1."),
        *(
            ("play", {"move": f'{{"seat": {whose}, "do": "uncover"}}'}, f"The move is said to be that of seat {whose}; ")
            for whose in ('"0"', "null", "true", "1.0", "[1]", '"Agent"')
        ),
    ],
)
@pytest.mark.slow
def test_an_error_is_one_clear_sentence_and_changes_nothing(tool, arguments, sentence):
    async def tell(agent: Agent) -> None:
        await agent.begin(game="rivals", players=2, seed=5, seat=1)
        while not re.search(r"- uncover\n- bid ", await agent.ask("legal_moves")):
            await agent.play_on(1)
        before = [await agent.ask(name) for name in ("look", "log")]
        answer = await agent.client.call_tool(tool, arguments)
        said = answer.content[0].text
        assert answer.is_error
        assert said.startswith(sentence)
        assert "\n" not in said
        assert "Traceback" not in said
        assert len(said) < 320
        assert [await agent.ask(name) for name in ("look", "log")] == before

    alone(tell)


@pytest.mark.parametrize("whose", ["1", '"1"'])
def test_a_move_that_names_its_own_seat_as_a_number_or_in_figures_is_played(whose):
    async def tell(agent: Agent) -> None:
        await agent.begin(game="rivals", players=2, seed=5, seat=1, bots="random")
        said = await agent.ask("play", move=f'{{"seat": {whose}, "do": "uncover"}}')
        assert said.startswith("You uncover the ")

    alone(tell)


def test_an_agent_without_a_match_is_told_how_to_get_one():
    async def tell(agent: Agent) -> None:
        assert await agent.call("look") == (True, "There is no match yet; make one with new_match, or join a table.")

    alone(tell)


def test_there_is_a_limit_to_the_matches_of_a_server():
    seats = adapter.Seats(shared=False)
    for n in range(adapter.MOST):
        seats.seats[str(n)] = object()  # type: ignore[assignment]
    with pytest.raises(BadSetup, match="leave one first"):
        seats.room()


# --- one seat only ----------------------------------------------------------------------------------------------------


@pytest.mark.slow(but=("rivals",))
@given(seed=st.integers(0, 2**40))
@examples(8)
@pytest.mark.parametrize("game", GAMES)
def test_what_an_agent_is_told_does_not_change_when_all_its_seat_cannot_know_is_dealt_anew(game, seed):
    rng = random.Random(seed)
    book = rulebook(game)
    count = rng.randint(*book.players)
    seat = rng.randrange(count)
    until, show = rng.choice([None, seed]), rng.random() < 0.7
    sitting = adapter.set_match(book, count, seat, "random,steady", seed, "seed", {}, until, show)
    for n in range(rng.randint(0, 8)):
        if sitting.asked:
            sitting.match.random_move(seat, seed + n)
            sitting.advance()
    other = Sitting(sitting.match.copy(), seat, sitting.bots, seed, sitting.shows_legal, sitting.obfuscate)
    other.match = twin(sitting.match, seat, seed)
    sitting._heard = other._heard = 0
    for tell in (Sitting.look, Sitting.legal, Sitting.news, lambda s: s.log(None), lambda s: s.rules(False), Sitting.prompt):
        assert tell(sitting) == tell(other)
    for answer in ("", "bid 40", "pass", *book.words.EXPECTED):
        assert refusal(sitting, answer) == refusal(other, answer)


def refusal(sitting: Sitting, answer: str) -> str:
    try:
        return str(sitting.read(answer))
    except OutbidError as error:
        return str(error)


def test_a_bot_in_the_agents_seat_or_in_none_is_refused():
    match = Match.new(rulebook("rivals"), {}, 3, 1)
    for bots in ({0: "steady", 1: "steady", 2: "steady"}, {3: "steady"}):
        with pytest.raises(BadSetup, match="Seat 0 is the agent's; the bots sit in seats from 0 to 2"):
            Sitting(match, 0, bots)


# --- a match that was set ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_an_agent_in_a_set_obfuscated_match_meets_no_name_of_the_game_anywhere(game):
    book = rulebook(game)
    given = adapter.set_match(book, book.players[0], 0, "random", 4, "seed", {}, 11, show_legal=game != "money")

    async def tell(agent: Agent) -> None:
        tools = (await agent.client.list_tools()).tools
        assert {tool.name for tool in tools} == TOOLS
        agent.told += [f"{tool.description} {tool.input_schema}" for tool in tools] + [agent.client.instructions or ""]
        (resource,) = (await agent.client.list_resources()).resources
        agent.told.append((await agent.client.read_resource(resource.uri)).contents[0].text)
        await agent.ask("rules", whole=True)
        await agent.ask("look")
        await agent.call("play", move="trade cow with 2")
        await agent.call("play", move="nonsense")
        for _ in range(12):
            if given.asked and given.shows_legal:
                await agent.play_on(1)
        await agent.ask("log")
        assert len(agent.told) > 10
        assert [names_in(book, said) for said in agent.told if names_in(book, said)] == []

    alone(tell, adapter.server(given=given))


# --- over pipes and HTTP ----------------------------------------------------------------------------------------------


def started(*arguments: str) -> Any:
    return mcp.StdioServerParameters(command=sys.executable, args=["-c", CODE, "mcp", *arguments], env=dict(os.environ))


def test_a_whole_match_is_played_over_real_pipes():
    async def running() -> None:
        async with mcp.Client(started()) as client:
            agent = Agent(client)
            await agent.begin(game="money", players=3, seed=2, bots="random")
            assert " wins" in await agent.play_on()

    asyncio.run(running())


@pytest.mark.slow
def test_a_set_match_over_real_pipes_is_the_one_of_the_command_line():
    async def running() -> str:
        async with mcp.Client(started("rivals", "-n", "3", "--seed", "6", "--seat", "2", "--option", "coins=30")) as client:
            return await Agent(client).ask("look")

    look = asyncio.run(running())
    assert look == adapter.set_match(rulebook("rivals"), 3, 2, "steady", 6, "seed", {"coins": 30}, None, True).look()
    assert "- coins = 30" in look


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chess"], "There is no game 'chess'; there is "),
        (["rivals", "--http"], "A match that is set is for one agent over standard input and output; "),
        (["rivals", "--bots", "genius"], "There is no bot 'genius'; there are "),
        (["rivals", "--option", "coins"], "'coins' is not NAME=VALUE"),
        (["rivals", "--seat", "8"], "There is no seat 8; the seats are 0 to "),
    ],
)
@pytest.mark.slow
def test_wrong_usage_is_one_sentence_and_exit_code_2(arguments, sentence):
    done = outbid_command("mcp", *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(sentence)
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_over_http_several_agents_have_matches_of_their_own():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-c", CODE, "mcp", "--http", "--port", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            with socket.socket() as line:
                if line.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)

        async def running() -> None:
            address = f"http://127.0.0.1:{port}/mcp"
            async with mcp.Client(address) as one, mcp.Client(address) as two:
                ada, ben = Agent(one), Agent(two)
                await ada.begin(game="rivals", players=2, seed=1)
                assert len(ada.match) >= 16  # nobody can guess it
                wrong, said = await ben.call("look")
                assert wrong
                assert said == "There is no match ''; new_match and join tell the id of a match."
                wrong, said = await ben.call("look", match="0000000000000000")
                assert wrong
                assert ada.match not in said
                await ada.play_on(3)

        asyncio.run(running())
    finally:
        process.terminate()
        process.wait(timeout=20)


# --- at a table of a running server -----------------------------------------------------------------------------------


def seat_link(host: Person) -> str:
    """The link of the host's own seat."""
    found = re.search(rf"/t/{host.table}/seat/[\w-]+", host.http.get(f"/t/{host.table}/seat").text)
    assert found
    return f"{str(host.http.base_url).rstrip('/')}{found[0]}"


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.generic
def test_an_agent_plays_a_whole_match_at_a_servers_table(server: str, game: str, tmp_path: Path, monkeypatch: Any):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    host = Person(server)
    book = rulebook(game)
    preset = {"preset": "quick", **SHORT} if "quick" in book.presets else {"preset": "seed"}
    rule = {"pile_distribution": True} if game == "rivals" else {}
    host.order(
        game=game, players=book.players[0], bots="random", **preset, **{f"option:{name}": "true" for name in rule}
    )

    async def tell(agent: Agent) -> None:
        said = await agent.begin("join", link=seat_link(host))
        rules = await agent.ask("rules")
        assert all(f"- {name} = true (" in text for name in rule for text in (said, rules))
        assert ("With `pile_distribution = true`" in rules) == bool(rule)
        assert f"You are Ada, seat 0, in a match of {book.title}" in said
        told = await agent.send_listed(12)  # which may be the whole match
        assert " wins" in told + await agent.play_on()

    alone(tell)
    assert host.now()["table"]["status"] == "over"
    assert list(tmp_path.rglob("*.json")) == []  # an agent leaves no seats behind for another to come back to


@pytest.mark.deep
def test_agents_with_one_link_take_different_seats_and_play_with_each_other(server: str):
    host = Person(server)
    host.order(game="rivals", players=3, bots="open", preset="seed")
    link = f"{server.rstrip('/')}/t/{host.table}"

    async def tell(first: Agent) -> None:
        agents = [first, Agent(first.client), Agent(first.client)]
        await agents[0].begin("join", link=seat_link(host))
        assert "The match begins when all seats are taken." in agents[0].told[-1]
        await agents[1].begin("join", link=link, name="Ben")
        await agents[2].begin("join", link=link, name="Cem", obfuscate=5)
        wrong, said = await Agent(first.client).call("join", link=link, name="Dan")
        assert (wrong, said) == (True, "There is no open seat at this table.")
        looks = [await agent.ask("look") for agent in agents]
        for n, (name, look) in enumerate(zip(("Ada", "Ben", "Cem"), looks, strict=True)):
            assert look.startswith(f"You are {name}, seat {n}, in a match of")
        assert names_in(rulebook("rivals"), looks[2]) == []
        wrong = [(await agent.call("play", move="fly"))[0] for agent in agents]
        assert wrong == [True] * 3
        ends = await asyncio.gather(*(agent.play_on() for agent in agents))
        assert all(" wins" in end for end in ends)
        for agent in agents:
            await agent.ask("leave")

    alone(tell)


@pytest.mark.slow
def test_a_refusal_of_the_server_is_its_sentence(server: str):
    host = Person(server)
    host.order(players=3, bots="random")

    async def tell(agent: Agent) -> None:
        await agent.begin("join", link=seat_link(host))
        wrong, said = await agent.call("play", move="bid 1000000")
        assert wrong
        assert "\n" not in said
        assert said.endswith(".")
        wrong, said = await agent.call("join", link=f"{server.rstrip('/')}/t/nowhere")
        assert wrong
        assert said.endswith(".")

    alone(tell)
