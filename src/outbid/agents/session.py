"""A seat that an agent plays in words: at a match of its own against bots, or at a table of a running server.

    Sitting(match, seat, bots, seed, legal, obfuscate)    the bots play on whenever it is not the agent's turn
    await visiting(link, name, obfuscate)                 a seat taken by its link, over the public protocol (wire/)

Both have what an agent may ask and do: `look`, `legal`, `rules`, `log` and `news` are text; `play` and `wait` act and return
when the agent is asked again. Nothing here sees more than the one seat does.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from outbid.agents import prompts
from outbid.agents.answers import meant, read
from outbid.agents.obfuscation import Disguise
from outbid.agents.prompts import MOST_REMARKS, SPEECH
from outbid.bots import choose, load_bot, prepare
from outbid.core.chance import stream
from outbid.core.errors import BadSetup, Illegal, NotYourTurn, OutbidError
from outbid.core.language import i18n
from outbid.core.language.phrases import listed
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook, by_id
from outbid.core.talk import Remark, remark
from outbid.wire.link import Link
from outbid.wire.offers import Offer
from outbid.wire.session import result

if TYPE_CHECKING:
    from outbid.wire.visit import Visit

GLANCE = 0.05  # seconds between two looks at a match of this process
PATIENCE = 25.0  # seconds that a move or a look waits for others at a server's table
ABSENCE = 180.0  # seconds without a word from an agent until the others of its match go on without it


class Sitting:
    """A seat at a match against bots and perhaps other agents, who sit at the same `Match`. match: as it stands, played
    on by the bots until an agent is asked.

    bots: a bot's name by seat; who has none is an agent. seed: of the bots' own streams. legal: list legal moves.
    obfuscate: seed of made-up names. talk: as in prompts.py. silent: by agent, after how many moves it had nothing to say;
    heard: when it last asked or did something (−∞: it has left); all agents of the match have the same.
    """

    def __init__(
        self,
        match: Match,
        seat: int,
        bots: Mapping[int, str],
        seed: int = 0,
        legal: bool = True,
        obfuscate: int | None = None,
        talk: str = "none",
        silent: dict[int, int] | None = None,
        heard: dict[int, float] | None = None,
    ):
        if seat in bots or not {seat, *bots} <= set(range(match.players)):
            raise BadSetup(f"Seat {seat} is the agent's; the bots sit in seats from 0 to {match.players - 1}.")
        self.match = match
        self.seat = seat
        self.bots = dict(bots)
        self.seed = seed
        self.shows_legal = legal
        self.obfuscate = obfuscate
        self.talk = talk
        self.silent = {} if silent is None else silent
        self.heard = {} if heard is None else heard
        self._cover = _cover(match.rulebook, obfuscate)
        self._heard = self._listened = 0
        for name in dict.fromkeys(bots.values()):
            load_bot(name, match.rulebook)
            prepare(name, match.rulebook)
        self.advance()

    # --- what happens ---

    def advance(self) -> None:
        """Let the bots play until an agent is asked or the match is over."""
        while not self.match.over and (self.match.clock or not self._agents):
            if self._a_bot_moves():
                continue
            if any(self.match.legal(seat) for seat in self._agents):
                return
            self.match.play(None, "close")

    @property
    def _agents(self) -> list[int]:
        """The agents who are asked."""
        return [seat for seat in self.match.asked if seat not in self.bots]

    def _a_bot_moves(self) -> bool:
        for seat in self.match.asked:
            if seat in self.bots:
                actions = choose(self.match, seat, self.bots[seat], stream(self.seed, seat)).actions
                if actions:
                    self.match.play_steps(seat, actions)
                    return True
        return False

    @property
    def asked(self) -> bool:
        """The seat is to answer now."""
        return self.seat in self.match.asked

    def read(self, answer: str) -> dict[str, Any]:
        """The move of an answer (agents/answers.py); nothing is played."""
        self._attend()
        return read(self.match, self.seat, answer, self.shows_legal, self.obfuscate)

    def do(self, move: Mapping[str, Any] | None) -> None:
        """Play a move that was read, or (None) let the clock act where it may; then the bots."""
        if move is None and not self.match.clock:
            raise NotYourTurn("There is nothing to wait for: it is your turn." if self.asked else "The match is over.")
        self.match.play(None, "close") if move is None else self.match.play(self.seat, move)
        self.advance()

    def spoken(self, answer: str) -> list[Remark]:
        """What an answer says to others; it is not yet said. Raises BadSetup."""
        parts = SPEECH.findall(answer) if self.talk != "none" else []
        if len(parts) > MOST_REMARKS:
            raise BadSetup(f"Before a move at most {MOST_REMARKS} things are said, not {len(parts)}.")
        return [self._remark(text, int(to) if to else None) for to, text in parts]

    def beside(self) -> list[Sitting]:
        """The seats of the other agents at the match."""
        how = self.bots, self.seed, self.shows_legal, self.obfuscate, self.talk, self.silent, self.heard
        others = [place for place in range(self.match.players) if place not in self.bots and place != self.seat]
        return [Sitting(self.match, place, *how) for place in others]

    async def say(self, text: str, to: int | None = None) -> None:
        """Say something to all, or to one seat alone. Raises BadSetup."""
        spoken = self._remark(text, to)
        self.match.say(spoken.seat, spoken.text, spoken.to)

    def hear(self) -> str:
        """What was said since it last heard."""
        first, self._listened = self._listened, len(self.match.talk)
        lines = prompts.remarks(self.match, self.seat, first)
        return self._cover("\n".join(["It was said:", *lines])) if lines else ""

    def _remark(self, text: str, to: int | None) -> Remark:
        if self.talk == "none" or (to is not None and self.talk != "private"):
            raise BadSetup("Nobody talks at this table." if self.talk == "none" else "At this table all hear what is said.")
        bare = Disguise(self.match.rulebook, self.obfuscate).uncover(text) if self.obfuscate is not None else text
        return remark(self.seat, bare, to, self.match.reached, self.match.players)

    def stumble(self, seed: int) -> None:
        """Play a random legal move; then the bots."""
        self.match.random_move(self.seat, seed)
        self.advance()

    async def play(self, answer: str) -> str:
        """Play a move; the news when the seat is asked again."""
        self.do(self.read(answer))
        return self.news()

    async def wait(self) -> str:
        """Say nothing in an open outcry, where the hammer falls when no agent has anything to say. The news when this one is
        asked anew, or after some time. An agent that is gone is not waited for."""
        self._attend()
        if self.asked and self.match.clock:
            self.silent[self.seat] = self.match.reached
        if len(self.bots) == self.match.players - 1:
            self.do(None)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while not self.match.over and (not self.asked or self._is_silent(self.seat)):
                    if not self._goes_on():
                        await asyncio.sleep(GLANCE)
        return self.news()

    def _attend(self) -> None:
        """Note that the agent is there."""
        self.heard[self.seat] = time.monotonic()

    def _goes_on(self) -> bool:
        """Let the hammer fall if no agent has anything to say, or make a random move for one that is gone and waited for."""
        gone = [seat for seat in self._agents if time.monotonic() - self.heard.get(seat, math.inf) > ABSENCE]
        if self.match.clock:
            falls = all(seat in gone or self._is_silent(seat) for seat in self._agents)
            if falls:
                self.do(None)
            return falls
        for seat in gone[:1]:
            self.match.random_move(seat, stream(self.seed, self.match.reached))
            self.advance()
        return bool(gone)

    def _is_silent(self, seat: int) -> bool:
        """Whether an agent has said that it has nothing to say as things stand."""
        return self.silent.get(seat) == self.match.reached

    async def leave(self) -> None:
        """Leave the match to the other agents; a code that nobody has used ends with it."""
        for seat in range(self.match.players):
            if seat == self.seat or seat not in self.heard:
                self.heard[seat] = -math.inf

    # --- what is told ---

    def prompt(self, history: str = "full", rules: str = "short") -> str:
        """The whole prompt (agents/prompts.py)."""
        self._fresh()
        self.hear()
        return prompts.text(self.match, self.seat, self.shows_legal, self.obfuscate, history, rules, self.talk)

    def turn(self) -> str:
        """The prompt of one who was told the rules before: what is new to it, and the decision."""
        with i18n.locale(i18n.SOURCE):
            parts = ["\n".join(self._fresh()), prompts.decision(self.match, self.seat, self.shows_legal, self.talk)]
        return _passages(self.hear(), self._cover(_passages(*parts)))

    def _fresh(self) -> list[str]:
        """The lines of the log that were not yet told."""
        lines = self.match.log(self.seat)
        fresh, self._heard = lines[self._heard :], len(lines)
        return [line.text for line in fresh]

    def look(self) -> str:
        """Who it is, the table as it sees it, what is being decided and what it may do."""
        match, seat = self.match, self.seat
        parts = [prompts.who(match, seat), prompts.changed(match.rulebook, match.options), prompts.board(match, seat)]
        parts.append(match.question(seat))
        parts.append(prompts.result(match) if match.over else prompts.moves(match, seat) if self.shows_legal else "")
        return self._cover(_passages(*parts))

    def facts(self) -> dict[str, Any]:
        """How things stand. view: what the seat sees (Match.view); none where names are made up. legal: the menu, each
        choice with a move that can be sent; none where legal moves are withheld."""
        match, seat = self.match, self.seat
        self._attend()
        facts: dict[str, Any] = {
            "seat": seat,
            "asked": self.asked,
            "over": match.over,
            "question": self._cover(match.question(seat)),
            "legal": [],
            "scores": match.scores if match.over else [],
            "winners": match.winners,
            "view": match.view(seat) if self.obfuscate is None else None,
        }
        if self.shows_legal and self.asked:
            offered = ((choice, prompts.first_of(match, seat, choice)) for choice in match.legal(seat))
            facts["legal"] = [
                {"text": self._cover(choice.text), "move": self._cover(prompts.spelled(match.rulebook, move))}
                for choice, move in offered
                if move is not None
            ]
        return facts

    def legal(self, every: bool = False) -> str:
        """What it may do now, or how moves are written."""
        if not self.shows_legal:
            return self._cover(prompts.how(self.match.rulebook, self.match.options))
        return self._cover(prompts.moves(self.match, self.seat, every) or "You are not asked now.")

    def rules(self, whole: bool) -> str:
        """The rules, and what is different in this match."""
        return self._cover(_rules(self.match.rulebook, whole, self.match.options))

    def log(self, last: int | None) -> str:
        """The last lines that the seat was told; all of them without a number."""
        lines = [line.text for line in self.match.log(self.seat)]
        return self._cover("\n".join(_last(lines, last)) or "Nothing has happened yet.")

    def news(self) -> str:
        """What it was told since it last asked."""
        parts = ["\n".join(self._fresh()), self.match.question(self.seat)]
        if self.match.over:
            parts[1:] = result(self.match.names, self.match.scores, self.match.winners)
        elif self.shows_legal:
            parts.append(prompts.moves(self.match, self.seat))
        if self.match.clock and not self.match.over:
            parts.append("You may also wait: if nobody else speaks, the hammer falls.")
        return _passages(self.hear(), self._cover(_passages(*parts)))


class Visiting:
    """A seat at a table of a running server. Made by `visiting`."""

    def __init__(self, visit: Visit, book: Rulebook, obfuscate: int | None):
        self.visit = visit
        self._obfuscate = obfuscate
        self._know(book)
        self._heard = self._listened = 0
        self._changed = asyncio.Event()
        visit.heard = self._hear
        self._watching = asyncio.create_task(visit.watch())

    def _know(self, book: Rulebook) -> None:
        """This game is played."""
        self.book = book
        self._disguise = Disguise(book, self._obfuscate) if self._obfuscate is not None else None
        self._cover = _cover(book, self._obfuscate)

    def _hear(self, fresh: object) -> None:
        """The table has changed; before its match perhaps into one of another game."""
        if self.visit.game not in ("", self.book.id):
            self._know(by_id(self.visit.game))
        self._changed.set()

    async def _until(self, condition: Callable[[], bool], patience: float = PATIENCE) -> None:
        """Until something is so, the match is over or the patience at an end. Raises what ended the visit."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while not condition():
                    if self._watching.done():
                        self._watching.result()
                        return
                    self._changed.clear()
                    change = asyncio.create_task(self._changed.wait())
                    try:
                        await asyncio.wait({change, self._watching}, return_when=asyncio.FIRST_COMPLETED)
                    finally:
                        change.cancel()

    async def ready(self) -> None:
        """Until the table is seen, and if the match has begun, until the seat is asked."""
        await self._until(lambda: self.visit.now is not None)
        if self.visit.now and self.visit.now.table.status == "playing":
            await self._until(self._turn)

    def _turn(self) -> bool:
        return self.visit.decision is not None or self.visit.over

    async def play(self, answer: str) -> str:
        """Play a move; the news when the seat is asked again, or when nobody has asked it for some time."""
        if self.visit.decision is None:
            raise NotYourTurn(self._cover(f"You are not asked now. {self._question()}".strip()))
        try:
            kinds = {str(offer.move.get("do")) for offer in self._offers}
            text = self._disguise.uncover(answer) if self._disguise else answer
            move = meant(self.book, text, kinds, seat=self.visit.now.you if self.visit.now else None)
        except OutbidError as error:
            raise (self._disguise.covered(error) if self._disguise else error) from None
        reply = await self.visit.play(move)
        if reply.error or not reply.ok:
            raise Illegal(self._cover(reply.error or "The server refused the move."))
        return await self.wait()

    async def wait(self) -> str:
        """The news when the seat is asked, or when nobody has asked it for some time."""
        await self._until(self._turn)
        return self.news()

    async def say(self, text: str, to: int | None = None) -> None:
        """Say something to all who sit at the table, or to one seat alone. Raises OutbidError."""
        await self.visit.say(self._disguise.uncover(text) if self._disguise else text, to)

    def hear(self) -> str:
        """What was said at the table since it last heard."""
        fresh = [message for number, message in self.visit.said.items() if number > self._listened and not message.mine]
        self._listened = max(self.visit.said, default=self._listened)
        return self._cover("\n".join(message.sentence for message in fresh))

    async def leave(self) -> None:
        """Close the connection, and sign out; the seat stays taken."""
        await self.visit.sign_out()
        if self.visit.over:  # then it is closing by itself
            await asyncio.wait({self._watching}, timeout=2)
        self._watching.cancel()
        await asyncio.wait({self._watching}, timeout=2)
        if self._watching.done() and not self._watching.cancelled():
            self._watching.exception()

    @property
    def _offers(self) -> list[Offer]:
        """What the seat may do, with seats as numbers: as a record has them."""
        now = self.visit.now
        return [choice.offer for choice in now.legal] if now and self.visit.decision is not None else []

    @property
    def _options(self) -> dict[str, Any]:
        """What is different at this table, as far as this program knows it."""
        with contextlib.suppress(OutbidError):
            return self.book.changed({name: value for name, value in self._given.items() if name not in self._unknown})
        return {}

    @property
    def _given(self) -> Mapping[str, Any]:
        """The options as the server has them."""
        return self.visit.now.table.options if self.visit.now else {}

    @property
    def _unknown(self) -> list[str]:
        """Options of another version."""
        return sorted(self._given.keys() - {option.name for option in self.book.options})

    def _different(self) -> str:
        """A warning, if the table has options that are unknown here."""
        options = listed([f"{name} = {json.dumps(self._given[name])}" for name in self._unknown])
        warning = f"This program does not know {options}, which this table has: rules may hold that are not told."
        return warning if options else ""

    def _question(self) -> str:
        return self.visit.now.question if self.visit.now else ""

    def look(self) -> str:
        """Who it is, the table as it sees it and what is being decided."""
        now = self.visit.now
        if now is None:
            return "The table cannot be seen yet; the connection is being made."
        seats = ", ".join(
            f"{seat.name or 'open'} (seat {n}{', you' if n == now.you else ''})" for n, seat in enumerate(now.seats)
        )
        parts = [f"You are {self.visit.you}, seat {now.you}, in a match of {self.book.title}. Seats: {seats}."]
        if now.table.status == "open":
            parts.append("The match begins when all seats are taken.")
        parts += [prompts.changed(self.book, self._options), self._different()]
        return self._cover(_passages(*parts, now.board, now.question, self._offered()))

    def facts(self) -> dict[str, Any]:
        """How things stand, as far as the table tells it."""
        visit, now = self.visit, self.visit.now
        over = visit.over and now is not None
        return {
            "seat": now.you if now else -1,
            "asked": visit.decision is not None,
            "over": visit.over,
            "question": self._cover(self._question()),
            "legal": [
                {"text": self._cover(offer.text), "move": self._cover(self._sent(offer))} for offer in self._offers
            ],
            "scores": list(now.scores or ()) if over and now else [],
            "winners": list(now.winners or ()) if over and now else [],
            "view": None,
        }

    def _sent(self, offer: Offer) -> str:
        """A move of it as it can be sent."""
        if offer.moves:
            return offer.moves[0][0]
        return self.book.words.text(dict(offer.only)) if offer.only is not None else offer.example or offer.text

    def _offered(self, every: bool = False) -> str:
        open_now: list[prompts.Open] = []
        for offer in self._offers:
            sample, texts = "" if offer.whole else self._sent(offer), [text for text, _move in offer.moves]
            if offer.whole and offer.words and self.book.submodule("choices") is None:
                open_now.append((offer.text, offer.words, range(0), None, []))
                continue
            open_now.append((sample, offer.text, offer.amounts, offer.cards, texts))
        return prompts.menu(open_now, every)

    def legal(self, every: bool = False) -> str:
        """What it may do now."""
        return self._cover(self._offered(every) or "You are not asked now.")

    def rules(self, whole: bool) -> str:
        """The rules, and what is different at this table."""
        return self._cover(_passages(_rules(self.book, whole, self._options), self._different()))

    def log(self, last: int | None) -> str:
        """The last lines that the seat was told; all of them without a number."""
        return self._cover("\n".join(_last([line.text for line in self.visit.log], last)) or "Nothing has happened yet.")

    def news(self) -> str:
        """What it was told since it last asked."""
        visit, now = self.visit, self.visit.now
        fresh, self._heard = visit.log[self._heard :], len(visit.log)
        parts = ["\n".join(line.text for line in fresh), self._question(), self._offered()]
        if visit.over and now:
            parts[1:] = result(visit.names, now.scores, now.winners)
        elif now and now.table.status == "open":
            parts += [*now.notices, "The match begins when all seats are taken; wait."]
        elif visit.decision is None:
            parts.append("You are not asked yet; wait." if not visit.lost else "The connection is lost; wait.")
        return _passages(self.hear(), self._cover(_passages(*parts)))


async def visiting(link: str, name: str, obfuscate: int | None = None, password: str | None = None) -> Visiting:
    """Take a seat at the table of a link: that of a seat link, or an open one; everybody sees that an agent sits there.
    password: of a kept name. Raises OutbidError."""
    from outbid.wire.arrive import arrive

    secret = None if password is None else lambda: password
    visit = await arrive(Link.read(link), lambda: name, remember=False, password=secret, agent=True)
    now = await visit.look()
    if now.you < 0:
        await visit.sign_out()
        raise BadSetup("There is no open seat at this table.")
    seat = Visiting(visit, by_id(now.table.game), obfuscate)
    try:
        await seat.ready()
    except BaseException:
        await seat.leave()
        raise
    return seat


def _cover(book: Rulebook, obfuscate: int | None) -> Callable[[str], str]:
    return Disguise(book, obfuscate).cover if obfuscate is not None else str


def _rules(book: Rulebook, whole: bool, options: Mapping[str, Any]) -> str:
    """The rules, and what is different with these options."""
    return _passages(prompts.rules_of(book, "whole" if whole else "short", options), prompts.changed(book, options))


def _passages(*parts: str) -> str:
    """A text of passages with an empty line between two; what is empty is left out."""
    return "\n\n".join(filter(None, parts))


def _last(lines: Sequence[str], last: int | None) -> Sequence[str]:
    return lines if last is None else lines[len(lines) - min(last, len(lines)) :]
