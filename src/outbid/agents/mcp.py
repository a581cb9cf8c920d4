"""`outbid mcp`: a seat for language-model agents, as a server of the Model Context Protocol (the official SDK, `mcp`).

    server(shared=False)            an agent makes matches against bots, or sits down at tables of running servers
    server(given=Sitting(...))      one match that was set for it, or those of a measurement (waiting.py), and nothing else
    run(made, http, port)           over standard input and output, or over HTTP on the loopback

Tools return text (session.py), and those that tell how a match stands the same as an object (`Standing`); an error is one
sentence in a result marked as an error, and changes nothing. Rulebooks are
resources. An agent names its matches by ids that nobody can guess, so that several agents may share a server over HTTP; the
id of a seat goes to nobody but the agent that takes it, with a code that is good once.
"""

import asyncio
import json
import re
import secrets
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Annotated, Any

from anyio import CancelScope
from mcp.server import MCPServer
from mcp.server.mcpserver.context import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, InputRequiredResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field, StrictBool, StrictInt, ValidationError

from outbid.agents.prompts import MOST_SHOWN, rules_of
from outbid.agents.session import Sitting, Visiting, visiting
from outbid.agents.waiting import WaitingSeat
from outbid.bots import BOTS, bot, called
from outbid.core.errors import BadSetup, OutbidError
from outbid.core.language.phrases import meant
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook, by_id, check_seed, rulebooks
from outbid.core.talk import TALKS
from outbid.version import __version__

AgentSeat = Sitting | Visiting | WaitingSeat
MOST = 256  # matches at once
NAME = "Agent"
CODE = re.compile(r"[0-9a-f]{32}")  # with which another agent takes its seat
ERRORS = "If a tool answers with an error, nothing has happened: read the sentence and try again."
PLAY = f"Read the rules, look, and play until the match is over. Moves are written as the rules say. {ERRORS}"
SAYS = f"""Games of money: auctions, sealed bids, bluffed trades, currencies. Make a match against bots with new_match,
or sit down at a table of a running server with join. {PLAY}"""
SET = f"You have a seat in one match of a board game. {PLAY}"

Id = Annotated[str, Field(description="The id of the match; may be left out if there is only one.")]
Whole = Annotated[StrictBool, Field(description="The whole rulebook with all rulings and options, not the rules in short.")]
Every = Annotated[
    StrictBool, Field(description=f"Every move is listed; otherwise only some of more than {MOST_SHOWN} of a choice.")
]
MadeUp = Annotated[StrictInt | None, Field(description="A seed: the game's names are replaced by made-up ones.")]
Last = Annotated[StrictInt | None, Field(ge=1, description="Only so many lines; all if left out.")]
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
ACTS = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)


class Offer(BaseModel):
    """One kind of move that is legal now."""

    text: str = Field(description="What may be done.")
    move: str = Field(description="Such a move, as it can be sent.")


class Standing(BaseModel):
    """How a match stands for a seat."""

    match: str = Field(description="The id of the match.")
    told: str = Field(description="What was told, as in the text.")
    seat: int = Field(description="The seat, from 0.")
    asked: bool = Field(description="Whether the seat is to move now.")
    over: bool = Field(description="Whether the match is over.")
    question: str = Field(description="What is being decided.")
    legal: list[Offer] = Field(description="What is legal now; empty if legal moves are withheld.")
    scores: list[float] = Field(description="Final points by seat; empty before the end.")
    winners: list[int] = Field(description="The seats that have won; empty before the end.")
    view: dict[str, Any] | None = Field(description="What the seat sees; null where names are made up, and at a table.")


Stands = Annotated[CallToolResult, Standing]


def _stands(name: str, seat: AgentSeat, told: str) -> CallToolResult:
    """An answer in words, and as an object."""
    facts = Standing(match=name, told=told, **seat.facts())
    return CallToolResult(content=[TextContent(type="text", text=told)], structured_content=facts.model_dump(mode="json"))


class TableServer(MCPServer[None]):
    """An MCPServer whose errors are one sentence."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[None, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; what the person who calls can put right is a result marked as an error."""
        known = next((list(tool.input_schema["properties"]) for tool in await self.list_tools() if tool.name == name), None)
        for wrong in [] if known is None else [argument for argument in arguments if argument not in known]:
            names = ", ".join(known or ()) or "none"
            refusal = f"{name} has no argument {wrong!r}; it has {names}.{meant(wrong, known or ())}"
            return CallToolResult(content=[TextContent(type="text", text=refusal)], is_error=True)
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            sentence = _sentence(error)
            if sentence is None:
                raise
            return CallToolResult(content=[TextContent(type="text", text=sentence)], is_error=True)


def _sentence(error: ToolError) -> str | None:
    """What to tell of an error; none if it is ours."""
    cause = error.__cause__
    if isinstance(cause, ValidationError):
        first = cause.errors()[0]
        given = "" if first["type"] == "missing" else f", not {repr(first['input'])[:40]}"
        return f"The argument {'.'.join(map(str, first['loc']))!r} is wrong: {first['msg']}{given}."
    if isinstance(cause, OutbidError):
        return " ".join(str(cause).split())
    return str(error) if cause is None else None


class Seats:
    """The matches of this server by id. shared: several agents use it, so that an id must be named; free: seats that no
    agent has taken yet, by the code that takes one."""

    def __init__(self, shared: bool):
        self.shared = shared
        self.seats: dict[str, AgentSeat] = {}
        self.free: dict[str, Sitting] = {}

    def add(self, seat: AgentSeat) -> str:
        """A new id for a seat."""
        self.room()
        name = secrets.token_hex(8 if self.shared else 2)
        while name in self.seats:
            name = secrets.token_hex(8)
        self.seats[name] = seat
        return name

    def offer(self, seat: Sitting) -> str:
        """A new code that takes a seat, once."""
        code = secrets.token_hex(16)
        self.free[code] = seat
        return code

    def take(self, code: str) -> Sitting:
        """The seat of a code, which is used up. Raises BadSetup."""
        if code not in self.free:
            raise BadSetup("This code takes no seat: it was used before, the match has been left, or it never was one.")
        return self.free.pop(code)

    def room(self, seats: int = 1) -> None:
        """Raises BadSetup if there are too many matches for so many seats more."""
        if len(self.seats) + len(self.free) + seats > MOST:
            raise BadSetup(f"There are {MOST} matches already; leave one first.")

    def __getitem__(self, name: str) -> AgentSeat:
        if name in self.seats:
            return self.seats[name]
        if self.shared:
            raise BadSetup(f"There is no match {name!r}; new_match and join tell the id of a match.")
        if not self.seats:
            raise BadSetup("There is no match yet; make one with new_match, or join a table.")
        if not name and len(self.seats) == 1:
            return next(iter(self.seats.values()))
        ids = ", ".join(self.seats)
        raise BadSetup(f"There is no match {name!r}; there is {ids}." if name else f"Say which match: {ids}.")

    def named(self, name: str) -> str:
        """The id of a match that may be left out."""
        seat = self[name]
        return next(key for key, value in self.seats.items() if value is seat)

    async def leave(self, name: str) -> None:
        """Get up from a match."""
        seat = self[name]
        self.seats = {key: value for key, value in self.seats.items() if value is not seat}
        if isinstance(seat, Sitting):
            self.free = {code: other for code, other in self.free.items() if other.match is not seat.match}
        await seat.leave()

    async def close(self) -> None:
        """Get up from all of them."""
        for name in list(self.seats):
            await self.leave(name)


def server(shared: bool = False, given: AgentSeat | None = None) -> TableServer:
    """The server. given: the one seat it is for; otherwise agents make their own matches. shared: it outlives a client."""
    seats = Seats(shared and given is None)

    @asynccontextmanager
    async def living(_server: MCPServer[None]) -> AsyncIterator[None]:
        try:
            yield
        finally:
            if not shared:
                with CancelScope(shield=True):
                    await seats.close()

    says = SAYS if given is None else SET
    table = TableServer("outbid", title="Outbid", version=__version__, instructions=says, lifespan=living, log_level="ERROR")
    if given is None:
        _offer_matches(table, seats)
    else:
        seats.add(given)

        @table.resource("outbid://rules", name="rules", title="The rules", mime_type="text/markdown")
        def rules_of_match() -> str:
            """The rules of the match."""
            return given.rules(whole=False)

    _offer_seat(table, seats)
    return table


def _tool(
    table: TableServer, about: ToolAnnotations, stands: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return table.tool(annotations=about, structured_output=stands)


def _offer_matches(table: TableServer, seats: Seats) -> None:
    """The tools that begin matches, and the rulebooks."""

    @_tool(table, READS)
    async def games() -> str:
        """The games: their ids, players, presets and options."""
        return "\n\n".join(_described(book) for book in rulebooks().values())

    @_tool(table, ACTS, stands=True)
    async def new_match(
        game: Annotated[str, Field(description="The id of a game; the tool games lists them.")],
        players: Annotated[StrictInt | None, Field(description="Number of seats, yours among them.")] = None,
        seat: Annotated[StrictInt, Field(description="Your seat, from 0, clockwise.")] = 0,
        bots: Annotated[
            str, Field(description=f"Bots for the others, comma-separated, repeated round the table: {', '.join(BOTS)}.")
        ] = "steady",
        seed: Annotated[StrictInt | None, Field(description="The deal; random if left out.")] = None,
        preset: Annotated[str, Field(description="A named set of options.")] = "seed",
        options: Annotated[dict[str, Any] | None, Field(description="Options and their values.")] = None,
        obfuscate: MadeUp = None,
        show_legal: Annotated[StrictBool, Field(description="List legal moves, or only say how they are written.")] = True,
        agents: Annotated[StrictInt, Field(description="How many agents play, you and those in the next seats.")] = 1,
        talk: Annotated[str, Field(description=f"Whether agents talk: {', '.join(TALKS)}.")] = "none",
    ) -> Stands:
        """Begin a match against bots and other agents. Returns your id of it, a code for each other agent, who joins with it
        and gets an id of its own, and what happened until it is your turn."""
        seats.room(max(1, agents))
        if seed is not None and agents > 1:
            raise BadSetup("Among several agents the deal is random: who gave its seed could look into all hands.")
        asked = by_id(game), players, seat, bots, seed, preset, options or {}, obfuscate, show_legal, agents, talk
        sitting = await asyncio.to_thread(set_match, *asked)  # bots may compile for a minute
        codes = [f"{seats.offer(other)} (seat {other.seat})" for other in sitting.beside()]
        return _seated(seats, sitting, f"The other agents join with a code each, once: {', '.join(codes)}." if codes else "")

    @_tool(table, ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=True), stands=True)
    async def join(
        link: Annotated[
            str, Field(description="The link of a table of a running server, of a seat at it, or a code of another's match.")
        ],
        name: Annotated[str, Field(description="Your nickname at a server's table.")] = NAME,
        obfuscate: MadeUp = None,
        password: Annotated[str | None, Field(description="Of your name, if that server keeps it and rates you.")] = None,
    ) -> Stands:
        """Sit down at a table of a running server, or in a match that another agent has begun, whose code you were given.
        Returns the id of the match, which is yours alone, and what happened until it is your turn."""
        if CODE.fullmatch(link):
            return _seated(seats, seats.take(link))
        seats.room()
        return _seated(seats, await visiting(link, name, obfuscate, password))

    @_tool(table, ACTS)
    async def leave(match: Id = "") -> str:
        """Get up from a match for good."""
        await seats.leave(match)
        return "You have left the match."

    @_tool(table, READS)
    async def rules_of_game(game: Annotated[str, Field(description="The id of a game.")], whole: Whole = False) -> str:
        """The rules of a game, with no match."""
        return rules_of(by_id(game), "whole" if whole else "short")

    for book in rulebooks().values():
        _offer_rulebook(table, book)


def _seated(seats: Seats, seat: AgentSeat, beside: str = "") -> CallToolResult:
    spoken = seat.hear()
    seat.news()  # what has happened until now is told here
    told, name = f"{seat.look()}\n\n## What you were told\n\n{seat.log(None)}", seats.add(seat)
    return _stands(name, seat, "\n\n".join(filter(None, [f"Match {name}", beside, told, spoken])))


def _offer_rulebook(table: TableServer, book: Rulebook) -> None:
    where, title = f"outbid://rules/{book.id}", f"{book.title}: the rulebook"

    @table.resource(where, name=book.id, title=title, mime_type="text/markdown")
    def written() -> str:
        """The rulebook with every ruling and option."""
        return book.written

    if book.moves:
        schema, where, title = book.moves.schema, f"outbid://moves/{book.id}", f"{book.title}: its moves"

        @table.resource(where, name=f"{book.id}-moves", title=title, mime_type="application/json")
        def moves() -> str:
            """The JSON schema of the moves, as objects that play takes."""
            return json.dumps(schema)


def _offer_seat(table: TableServer, seats: Seats) -> None:
    """The tools of a seat."""

    @_tool(table, READS)
    async def rules(match: Id = "", whole: Whole = False) -> str:
        """The rules of a match, how moves are written, and what is different in this match."""
        return seats[match].rules(whole)

    @_tool(table, READS, stands=True)
    async def look(match: Id = "") -> Stands:
        """The table as you see it, what is being decided, and what you may do."""
        return _stands(seats.named(match), seats[match], seats[match].look())

    @_tool(table, READS)
    async def log(match: Id = "", last: Last = None) -> str:
        """What you were told so far."""
        return seats[match].log(last)

    @_tool(table, READS, stands=True)
    async def legal_moves(match: Id = "", every: Every = False) -> Stands:
        """What you may do now, or how moves are written if legal moves are withheld."""
        return _stands(seats.named(match), seats[match], seats[match].legal(every))

    @_tool(table, ACTS, stands=True)
    async def play(
        move: Annotated[str, Field(description="Your move, as one types it, or as a JSON object.")], match: Id = ""
    ) -> Stands:
        """Play a move. Returns what happened until it is your turn again, or how the match ended."""
        told = await seats[match].play(move)
        return _stands(seats.named(match), seats[match], told)

    @_tool(table, ACTS)
    async def say(
        text: Annotated[str, Field(description="What you say; it binds nobody and is no move.")],
        to: Annotated[StrictInt | None, Field(description="The seat that alone hears it; all do if left out.")] = None,
        match: Id = "",
    ) -> str:
        """Say something to the others, where the match has talk or at a server's table. Bots do not hear it."""
        await seats[match].say(text, to)
        return "It is said."

    @_tool(table, READS)
    async def hear(match: Id = "") -> str:
        """What was said since you last heard; play and wait tell it, too."""
        return seats[match].hear() or "Nothing was said."

    @_tool(table, ACTS, stands=True)
    async def wait(match: Id = "") -> Stands:
        """Say nothing now: until you are asked at a server's table, or until the hammer falls in an open outcry."""
        told = await seats[match].wait()
        return _stands(seats.named(match), seats[match], told)


def _described(book: Rulebook) -> str:
    low, high = book.players
    facts = [f"# {book.id}: {book.title}, {low} to {high} players", "", book.summary]
    facts += [f"Presets: {', '.join(['seed', *book.presets])}", "Options:"]
    for option in book.options:
        if not option.tunable:
            acts = "".join(f"; acts only {need.only(book.ids)}" for need in option.needs)
            facts.append(f"- {option.name}: {option.allowed}; default {json.dumps(option.default)}. {option.meaning}{acts}")
    return "\n".join(facts)


def set_match(
    book: Rulebook,
    players: int | None,
    seat: int,
    bots: str,
    seed: int | None,
    preset: str,
    options: Mapping[str, Any],
    obfuscate: int | None,
    show_legal: bool,
    agents: int = 1,
    talk: str = "none",
) -> Sitting:
    """A seat at a new match against bots, and other agents in the next seats clockwise. Raises BadSetup, BadOption."""
    changed = {**book.preset(preset), **options}
    book.codes(changed)
    count = book.check_players(sum(book.players) // 2 if players is None else players, changed)
    if not 0 <= seat < count:
        raise BadSetup(f"There is no seat {seat}; the seats are 0 to {count - 1}.")
    if not 1 <= agents <= count:
        raise BadSetup(f"There are {agents} agents; there must be 1 to {count}.")
    if talk not in TALKS:
        raise BadSetup(f"talk is {talk!r}; it must be one of {', '.join(TALKS)}.")
    own = [(seat + turn) % count for turn in range(agents)]
    others = [name.strip() for name in bots.split(",")]
    for name in others:
        bot(name, book)
    places = [place for place in range(count) if place not in own]
    seed = secrets.randbits(62) if seed is None else check_seed(seed)
    names: list[str] = []
    for place in range(count):
        names.append(NAME if place == seat else called([NAME, *names]))
    match = Match.new(book, changed, count, seed, names)
    bots_at = {place: others[n % len(others)] for n, place in enumerate(places)}
    return Sitting(match, seat, bots_at, seed, show_legal, obfuscate, talk)


def run(table: TableServer, http: bool = False, port: int = 8711) -> None:
    """Serve until the client closes its end (or, over HTTP, for ever)."""
    if http:
        print(f"MCP at http://127.0.0.1:{port}/mcp", file=sys.stderr)
        table.run("streamable-http", host="127.0.0.1", port=port)
    else:
        table.run("stdio")
