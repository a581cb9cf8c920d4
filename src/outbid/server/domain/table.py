"""A live table: a match, whose seats they are, and the one way a move is made.

validate → append to the database → publish, under the table's lock. Until the move is on disk the table stands as before,
for everybody who looks: what is refused there leaves nothing to be undone. The event loop goes on meanwhile, for the other
tables and for those who look at this one; who waits longer than `Settings.slow` is told why.

Whatever else writes waits for the disk in the same way, under the same lock, which the caller holds; what follows
from an event (a viewer comes, a time is up) is done `soon`. What a table holds in memory can be thrown away at any time: it
is rebuilt from the database by replaying the moves.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from uuid import uuid4

from outbid.bots.executor import BotExecutor, InProcess
from outbid.core import revealing
from outbid.core.errors import Illegal, NotYourTurn, OutbidError
from outbid.core.language.i18n import N_, _
from outbid.core.language.names import marked, plain, quoted
from outbid.core.language.phrases import listed
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook, by_id
from outbid.server import metrics, tokens
from outbid.server.domain import automatic_moves, records, setup
from outbid.server.domain.advice import coach, hints
from outbid.server.domain.commands import UNSAID, Act, Command, Why, meant
from outbid.server.domain.contests import daily, ladder
from outbid.server.domain.people import chat, votes
from outbid.server.domain.people.audience import Audience
from outbid.server.domain.tasks import Tasks
from outbid.server.domain.timing import clocks
from outbid.server.domain.timing.pacing import Driver
from outbid.server.logging import log
from outbid.server.settings import Refused, Settings, check_pace
from outbid.server.storage.notifications import Bus, Unreachable
from outbid.server.stored import Conflict, DaysOff, Move, Seat, Stored, Time, seated
from outbid.wire.model import Status

EMPTY, EACH = 60_000, 3_500  # bytes of a table, and of each of its moves with what four people were told of it, as measured
HOST = 0  # the seat of the person who made the table

if TYPE_CHECKING:
    from outbid.server.storage.store import Store

T = TypeVar("T")
ONCE_MORE = N_("Make the move once more if you want it all the same.")
MOVED_ON = N_("The table has moved on since you were asked that; here is how it stands now.")


@dataclass(frozen=True)
class CommandOutcome:
    """The answer to a command. status: as HTTP says it. stale: the question is no longer open."""

    error: str | None = None
    status: int = 200
    stale: bool = False

    @property
    def ok(self) -> bool:
        """The move was made."""
        return self.error is None


class Undone(NamedTuple):
    """Moves that were taken back. left: how many moves stand before that is told; move: the first that was undone, in the
    match as it was; seat: whose it is."""

    left: int
    move: int
    seat: int
    was: Match


class Passage(NamedTuple):
    """The person of a seat has gone, or is here again, after so many moves. It is told as long as the table is in memory."""

    left: int
    seat: int
    here: bool


class Veto(NamedTuple):
    """A seat did not want a move to be taken back, after so many moves. It is told as long as the table is in memory."""

    left: int
    seat: int


class Terms(NamedTuple):
    """What the host may change before a match: how it is played."""

    game: str
    options: Mapping[str, Any]
    clock: str
    weekends: bool
    pace: str
    hints: str


class Table(Audience):
    """One live table. `match` is none while seats are open."""

    def __init__(self, stored: Stored, store: Store, settings: Settings, bus: Bus, executor: BotExecutor | None = None):
        self.id = stored.id
        self.store = store
        super().__init__(settings)
        self.bus = bus
        self.executor = executor or InProcess()
        self.lock = asyncio.Lock()
        self.skipping = False
        self.gone = False  # deleted
        self.slow = False  # a move waits for the disk longer than usual
        self.tasks = Tasks(stored.id, self.lock)
        self.chat = chat.Chat(self)
        self.votes = votes.Votes(self)
        self.hints = hints.Hints(self)
        self.coach = coach.Coach(self)
        self.driver = Driver(self)
        self._refused: OrderedDict[tuple[int, str], CommandOutcome] = OrderedDict()
        self.terms: Terms | None = None
        self.before: Terms | None = None  # what people agreed to before the host changed it, as long as that is in memory
        self._restore(stored)

    def _restore(self, stored: Stored) -> None:
        """Take over what the database says."""
        self.book: Rulebook = by_id(stored.game)
        if not records.known(stored.game, stored.rules):
            versions = {"rules": stored.rules, "here": listed(self.book.known_rules)}
            sentence = _("This table is played by the rules {rules}; this server has {here}.", **versions)
            if stored.status == "over":
                link = f"{self.settings.root}/t/{stored.id}/record"
                sentence += " " + _("Its record is still there, at {link}.", link=link)
            raise Refused(409, sentence)
        self.options = self.book.brought_up(stored.rules, stored.options, len(stored.seats))
        terms = Terms(stored.game, self.options, stored.clock, stored.weekends, stored.pace, stored.hints)
        if terms != self.terms and not self.votes.unsettled:
            self.before = self.terms
        self.terms = terms
        self._kept.clear()
        self.seats = list(stored.seats)
        self.house = stored.house
        self.pace: str = stored.pace
        self.paused: bool = stored.paused
        self.leaves = stored.leaves  # when it will be deleted, if that was said (retention.py)
        self.match: Match | None = None
        off = DaysOff(stored.weekends, stored.vacations)
        self.clock = clocks.Running(self, stored.clock, stored.times, stored.acting, off)
        self.orders = automatic_moves.AutomaticMoves(self, stored.orders)
        self.votes.wishes = stored.wishes
        self.variant = stored.variant
        self.opinions = dict(stored.opinions)  # of people, after the match of a playtest
        self.hints.mode = stored.hints
        self.evening = stored.evening or stored.id  # the first table of it (evening.py)
        self.day = stored.day  # whose deal of the day it is (daily.py)
        self.decisions: dict[int, int] = {}
        self.reasons: dict[int, Why] = {}
        self.number = 0  # rows of the database that it knows: moves, and what took moves back
        self.asides: list[Undone | Passage | Veto] = []  # what the log tells beside the moves
        self.lines.clear()
        self._accepted: set[tuple[int | None, str]] = set()
        self._deal = stored.deal
        if stored.status != "open":
            self._begin()
            self._replay(stored.moves)
            self._start_clock()

    def _begin(self) -> None:
        """All seats are taken."""
        self.match = Match.load(self.book, self.options, [seat.name for seat in self.seats], self._deal)
        self.decisions = dict.fromkeys(self.match.asked, 0)

    def _replay(self, moves: Sequence[Move]) -> None:
        """Play what the database has."""
        for move in moves:
            if move.left is None:
                asked = self.asked
                self.playing.play(move.seat, move.said)
                self._note(move, asked)
            else:
                self._rewind(move.seat or 0, move.left)

    # --- what it is ---

    @property
    def status(self) -> Status:
        """How far the table is."""
        return "open" if self.match is None else "over" if self.match.over else "playing"

    @property
    def playing(self) -> Match:
        """The match. Raises Refused while seats are open."""
        if self.match is None:
            raise Refused(409, _("The match has not begun: seats are still open."))
        return self.match

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that may answer now."""
        return self.match.asked if self.match else ()

    @property
    def room(self) -> str:
        """Before the match: a mark of what the page shows to those who wait; nothing when it has begun."""
        if self.match is not None:
            return ""
        messages = sum(message.room == chat.SEATS for message in self.chat.said)
        seats = [(seat.kind, seat.name, seat.bot, seat.awaited, seat.colour, seat.agent) for seat in self.seats]
        shown = [self.house, self.votes.deputy, messages, self.terms, *self.votes.unsettled, *seats]
        return tokens.hashed(repr(shown))[:12]

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        return EMPTY + EACH * len(self.match.moves) if self.match else EMPTY

    @property
    def title(self) -> str:
        """What the table is called, with the name set apart."""
        host = self.seats[self.house.host].name
        if setup.nameless(host):
            return _("A table of {game}", game=self.book.called)
        return _("{game} with {name}", game=self.book.called, name=marked(host))

    def seat_of(self, token: str | None) -> int:
        """The seat a token opens; −1 for none."""
        opened = -1
        wanted = tokens.hashed(token or "")
        for number, seat in enumerate(self.seats):
            if seat.token and hmac.compare_digest(seat.token, wanted):
                opened = number
        return opened

    def now(self) -> float:
        """The moment by which clocks run."""
        return self.store.moments.now()

    @property
    def moves_made(self) -> int:
        """How many moves there are."""
        return self.match.reached if self.match else 0

    # --- taking seats ---

    async def join(self, name: str, owner: str | None = None, colour: int | None = None, agent: bool = False) -> str:
        """A person, perhaps under a kept name, or an agent takes an open seat, with their colour of the evening if nobody
        there has it; returns the secret token. Raises Refused, BadSetup."""
        number = self.open_seats()[0]
        name = setup.nickname(name, self.settings.nickname, [seat.name for seat in self.seats if seat.name], owner)
        token = tokens.new_token()
        taken = {} if colour is None else setup.recoloured(self.seats, number, colour)
        seat = seated(taken.get(number, self.seats[number]), name, tokens.hashed(token), owner)
        taken[number] = replace(seat, agent=agent)
        await self.sit(taken)
        return token

    async def mark_agent(self, seat: int) -> None:
        """From now on everybody sees that an agent plays here. Raises Refused, also where that would change who is rated."""
        if self.seats[seat].agent:
            return
        if self.status == "over" or (self.status == "playing" and self.counts()):
            raise Refused(409, _("An agent takes a seat before a match that counts begins, not in it or after it."))
        await self.store.aside(self.store.mark_agent, self.id, seat)
        self.seats[seat] = replace(self.seats[seat], agent=True)
        self.changed()

    async def fill(self, bot: str) -> None:
        """Bots take all open seats."""
        names = [seat.name for seat in self.seats]
        taken: dict[int, Seat] = {}
        for number in self.open_seats():
            taken[number] = setup.bot_seat(bot, names, self.book)
            names.append(taken[number].name)
        await self.sit(taken)

    def open_seats(self) -> list[int]:
        """The numbers of the seats that can be taken. Raises Refused if there is none."""
        empty = [number for number, seat in enumerate(self.seats) if seat.kind == setup.OPEN]
        if not empty:
            raise Refused(409, _("All seats of this table are taken; you may watch."))
        return empty

    async def sit(self, taken: Mapping[int, Seat], start: bool = False) -> None:
        """Seats are taken or left before the match; it begins if nobody is awaited (see Store.sit). Who sits down
        without a colour has the chair's. Raises Refused."""
        own = setup.colours(self.seats)
        taken = {n: replace(seat, colour=own[n]) if seat.colour is None else seat for n, seat in taken.items()}
        try:
            clock = ladder.CLOCK if ladder.usual(self.book, self.options, len(self.seats), self.hints.mode, self.day) else ""
            begins = await self.store.aside(self.store.sit, self.id, dict(enumerate(self.seats)), taken, start, clock)
        except Conflict:
            self.catch_up()
            raise Refused(409, _("Somebody else took that seat just now; please try again.")) from None
        for number, seat in taken.items():
            self.seats[number] = seat
            if seat.kind != "human":
                self.votes.settled(number)
        if begins and self.match is None:  # it may have been read from the database meanwhile
            rated = self.store.rated(self.id)
            self.seats = [replace(seat, rated=number in rated) for number, seat in enumerate(self.seats)]
            off = replace(self.clock.off, vacations=self.store.vacations(self.id))
            self.clock = clocks.Running(self, self.store.clock(self.id), self.clock.times, off=off)
            self.paused = False
            self.votes.paused(())
            self._begin()
            await self._keep_times(self._news())
            self._tell_log("A match begins.")
        self.changed()

    def _start_clock(self) -> None:
        """Times that are not in the database yet are written there."""
        news = self._news()
        if news:
            self.soon(lambda: self._keep_times(news))

    def _news(self) -> Mapping[int, Time]:
        """The times of a match that was just begun or read, as far as the database does not know them."""
        news = self.clock.start()
        self.clock.take(news)
        return news

    async def _keep_times(self, news: Mapping[int, Time]) -> None:
        if not news or any(self.clock.times.get(seat, time) != time for seat, time in news.items()):
            return  # a move has been made meanwhile, and brought its own
        try:
            await self.store.aside(self.store.set_times, self.id, news)
        except Conflict:
            stored = self.store.load(self.id)
            self.clock.times |= dict(stored.times) if stored else {}

    # --- a bot for a person ---

    async def substitute(self, seat: int, bot: str = clocks.STAND_IN) -> None:
        """A bot takes the seat of a person, who may take it back at any time. Raises Refused."""
        old = self.seats[seat]
        if self.status == "playing" and old.kind == "human":
            await self._play_for(seat, replace(old, kind="bot", bot=bot))

    async def give_back(self, seat: int) -> None:
        """The holder of the seat's cookie or link plays it again. Raises Refused."""
        old = self.seats[seat]
        if old.away:
            await self._play_for(seat, replace(old, kind="human", bot=None))

    async def _play_for(self, seat: int, new: Seat) -> None:
        old, was = self.seats[seat], self.clock.timed()
        self.seats[seat] = new
        times = self.clock.seated(seat, was)
        self.seats[seat] = old
        try:
            await self.store.aside(self.store.play_for, self.id, seat, old, new, times)
        except Conflict:
            self.catch_up()
            raise Refused(409, _("Somebody else has changed that seat just now; please look again.")) from None
        self.seats[seat] = new
        self.clock.take(times)
        self.changed()
        await self.votes.count()

    # --- moves ---

    @metrics.answered
    async def play(
        self, seat: int, command: Command, told: Callable[[CommandOutcome], None] | None = None
    ) -> CommandOutcome:
        """A command of a seat; the same id again gives the first answer. The coach may have a word first. What has begun
        ends, even if the caller is gone.

        told: who is told the answer before anybody sees what it changed."""
        return await asyncio.shield(self.tasks.start(self._told(seat, command, told)))

    async def _told(self, seat: int, command: Command, told: Callable[[CommandOutcome], None] | None) -> CommandOutcome:
        warned = None if (seat, command.id) in self._accepted else await self.coach.objects(seat, command)
        if warned:
            outcome = CommandOutcome(f"{plain(warned.said)} {_(ONCE_MORE)}", 409)
        else:
            outcome = await self._answered(seat, command)
        if told:
            told(outcome)
        return outcome

    async def _answered(self, seat: int, command: Command) -> CommandOutcome:
        async with self.lock:
            name = (seat, command.id)
            if name in self._accepted:
                return CommandOutcome()
            if name not in self._refused:
                number, outcome = self.number, await self._answer(seat, command)
                while (outcome.stale or outcome.status == 503) and (self._behind() or number != self.number):
                    number = self.number
                    outcome = CommandOutcome() if name in self._accepted else await self._answer(seat, command)
                if outcome.ok or outcome.status == 503:  # that is no answer to the command: it may be sent again
                    return outcome
                self._refused[name] = outcome
                if len(self._refused) > self.settings.refusals:
                    self._refused.popitem(last=False)
            return self._refused[name]

    async def act(
        self, number: int, seat: int | None, move: Act | None, why: Why = UNSAID, late: bool = False, by: str = ""
    ) -> None:
        """A bot or the clock (seat none) moves, unless the table has gone on since its `number`.

        late: a bot moves for a person who has no time left. by: the bot that moves, where it is not the seat's own. No move:
        an automatic one."""
        await asyncio.shield(self.tasks.start(self._act(number, seat, move, why, late, by)))

    async def _act(self, number: int, seat: int | None, move: Act | None, why: Why, late: bool, by: str) -> None:
        async with self.lock:
            if not self.match or self.number != number or self.paused:
                return
            if late and not self._is_late(seat):
                return
            command = None
            if move is None and seat is not None:
                move, command = self.orders.answer(seat), str(uuid4())
            if move is None:
                return
            try:
                await self._play(seat, move, command, why, late, by)
            except Conflict:
                self.catch_up()
            else:
                if late:
                    self.clock.settle_soon()

    def _is_late(self, seat: int | None) -> bool:
        """A person is asked who has no time left."""
        return seat in self.clock.timed() and seat is not None and self.clock.left(seat) <= 0

    def _completed(self, seat: int, move: dict[str, Any] | str) -> dict[str, Any]:
        """A move that was typed, or one of a form that leaves to the game what follows from the rest. Raises Unreadable."""
        if isinstance(move, str):
            return self.playing.typed(seat, move)
        return meant(self.book.words, self.book.words.complete(self.playing.state, move))

    async def _answer(self, seat: int, command: Command) -> CommandOutcome:
        if self.seats[seat].away:
            return CommandOutcome(_("A bot plays for you just now; take your seat back first."), 409)
        if seat not in self.asked:
            return CommandOutcome(self._not_asked(), 409, stale=True)
        if command.decision != self.decisions[seat]:
            return CommandOutcome(_(MOVED_ON), 409, stale=True)
        try:
            await self._play(seat, self._completed(seat, command.move), command.id, UNSAID)
        except Conflict:
            return CommandOutcome(_(MOVED_ON), 409, stale=True)
        except Refused as error:
            return CommandOutcome(str(error), error.status)
        except Illegal as error:
            return CommandOutcome(_short(error.reason), 422)
        except NotYourTurn:
            return CommandOutcome(self._not_asked(), 409, stale=True)
        except OutbidError as error:
            return CommandOutcome(_short(str(error)), 400)
        return CommandOutcome()

    def _not_asked(self) -> str:
        """Why a seat cannot move, naming only what everybody sees."""
        if self.status == "open":
            return _("The match has not begun: seats are still open.")
        if self.status == "over":
            return _("The match is over.")
        names = [quoted(self.seats[seat].name) for seat in self.asked]
        if not names:
            return _("It is not your turn; the table waits for the clock.")
        return _("It is not your turn; the table waits for {names}.", names=listed(names))

    async def _play(
        self, seat: int | None, move: Act, command: str | None, why: Why, late: bool = False, by: str = ""
    ) -> None:
        """Try the move, write it, make it: until it is on disk the table stands as before."""
        match, number = self.playing, self.number
        attempt = match.attempt(seat, move) if isinstance(move, dict) else match.attempt_steps(seat, move)
        stored = Move(seat, attempt.move, command, *why, by)
        after = match.after(attempt)
        _mark(after, stored)
        times, ended = self.clock.moved(after, seat, late), self.orders.ended(after)
        ending = (daily if self.day else ladder).ending(self, after) if after.over else None
        with self._patiently():
            await self.store.appended(self.id, number, stored, after.over, times, ended, ending, after.winners)
        metrics.MOVES.labels("clock" if seat is None else self.seats[seat].kind).inc()
        if self.number != number:
            return  # it was read from the database meanwhile
        asked = self.asked
        self.playing.commit(attempt)
        self.clock.take(times)
        self.orders.forget(ended)
        self._note(stored, asked)
        if after.over:
            self._tell_log("A match is over.")
        self.changed()

    @contextmanager
    def _patiently(self) -> Iterator[None]:
        """While a move waits for the disk: if that takes long, viewers are told."""
        timer = asyncio.get_running_loop().call_later(self.settings.slow, self._say_slow, True)
        try:
            yield
        finally:
            timer.cancel()
            if self.slow:
                self._say_slow(False)

    def _say_slow(self, slow: bool) -> None:
        self.slow = slow
        self.tell()

    def soon(self, act: Callable[[], Awaitable[object]]) -> None:
        """Do what writes as soon as nobody else changes the table; at once, if there is no event loop."""
        self.tasks.soon(act, self)

    async def settled(self) -> None:
        """Whatever was to be done soon is done."""
        await self.tasks.settled()

    def _note(self, move: Move, asked: Sequence[int]) -> None:
        """Remember what follows from a move that was made: questions, answers, reasons."""
        match = self.playing
        self.number += 1
        _mark(match, move)
        kept = () if move.seat is None else [seat for seat in asked if seat != move.seat]
        now = match.asked
        self.decisions = {seat: self.decisions[seat] if seat in kept else self.number for seat in now}
        if move.command:
            self._accepted.add((move.seat, move.command))
        if move.public or move.private:
            self.reasons[match.numbers[-1]] = (move.public, move.private)
        if any(self.seats[seat].kind == "human" for seat in now) or match.over:
            self.skipping = False

    @property
    def closes(self) -> float | None:
        """When an auction by outcry is closed."""
        return self.clock.closes

    # --- taking moves back ---

    def last_move(self, seat: int) -> int | None:
        """The place in the match of the last move that the person of a seat has made, if it may be taken back here at all:
        while the match goes on, never a sealed answer, and never where it counts for the ladder or is a deal of the day."""
        if self.status != "playing" or self.day or self.counts():
            return None
        match = self.playing
        own = (n for n in range(len(match.moves) - 1, -1, -1) if match.moves[n]["seat"] == seat and n not in match.marks)
        return next((None if match.sealed(n) else n for n in own), None)

    async def check_back(self, seat: int, left: int) -> Match:
        """The match without the last move of a seat and all since: the first `left` moves.

        Raises Refused if that may not be, also where something that lay hidden has come out since."""
        if left != self.last_move(seat):
            raise Refused(409, _("That move cannot be taken back any more."))
        earlier, number = self.playing.copy(), self.number
        count = len(earlier.moves) - left
        if await asyncio.to_thread(revealing.revealed, earlier, count):
            raise Refused(409, _("That cannot be taken back: since then something has come out that was hidden."))
        if number != self.number:
            raise Refused(409, _(MOVED_ON))
        earlier.take_back(count)
        return earlier

    async def take_back(self, seat: int, left: int) -> None:
        """The last move of a seat, and all since, are undone: the first `left` moves stand. Raises Refused."""
        earlier = await self.check_back(seat, left)
        number, times, ended = self.number, self.clock.moved(earlier, None, False), self.orders.ended(earlier)
        try:
            await self.store.appended(self.id, number, Move(seat, {"take_back": left}), False, times, ended)
        except Conflict:
            self.catch_up()
            raise Refused(409, _(MOVED_ON)) from None
        if self.number != number:
            return  # it was read from the database meanwhile
        self.clock.take(times)
        self.orders.forget(ended)
        self._rewind(seat, left)
        self.changed()

    def _rewind(self, seat: int, left: int) -> None:
        """Take back all moves but the first `left`. Readers of the match as it was go on undisturbed."""
        was, self.match = self.playing, self.playing.copy()
        self.match.take_back(len(was.moves) - left)
        self.number += 1
        self.asides = [*(aside._replace(left=min(aside.left, left)) for aside in self.asides), Undone(left, left, seat, was)]
        self.lines.clear()
        self.decisions = dict.fromkeys(self.match.asked, self.number)
        self.reasons = {move: why for move, why in self.reasons.items() if move < left}

    @property
    def undone(self) -> int:
        """How often a move was taken back."""
        return sum(isinstance(aside, Undone) for aside in self.asides)

    # --- pace ---

    async def set_pace(self, pace: str | None, paused: bool | None, by: Sequence[int] = ()) -> None:
        """How fast bots act, and whether bots and clock rest; by: the seats that want it so. Raises BadSetup, Refused."""
        pace = check_pace(pace) if pace else self.pace
        if paused and self.status != "playing":
            raise Refused(409, _("Only a match that is being played can be paused."))
        changes = paused is not None and paused != self.paused
        paused = self.paused if paused is None else paused
        times, who = (self.clock.pausing(paused), by if paused else ()) if changes else ({}, None)
        await self.store.aside(self.store.pace, self.id, pace, paused, times, who)
        self.pace, self.paused = pace, paused
        self.clock.take(times)
        if who is not None:
            self.votes.paused(who)
        self.changed()

    async def skip(self) -> None:
        """Bots act at once until a person is asked."""
        self.hurry()
        await self.store.aside(self.bus.hurry, self.id)

    def hurry(self) -> None:
        """A person, perhaps at another process, does not want to wait."""
        self.skipping = not any(self.seats[seat].kind == "human" for seat in self.asked)
        self.changed()

    # --- telling viewers ---

    def changed(self) -> None:
        """Wake everybody who looks, and the bots."""
        self.tell()
        self.driver.wake()

    def seen(self, seat: int, hidden: bool = False) -> None:
        """A viewer of this seat has come or gone."""
        self.votes.see(seat, hidden)

    def passed(self, seat: int, here: bool) -> None:
        """The person of a seat has gone, or is here again; where people pass one device on, nobody goes."""
        if self.status == "playing" and not self.settings.alone:
            self._beside(Passage(len(self.playing.moves), seat, here))

    def declined(self, seat: int) -> None:
        """A seat does not want a move to be taken back."""
        self._beside(Veto(len(self.playing.moves), seat))
        self.tell()

    def _beside(self, aside: Passage | Veto) -> None:
        """Tell something beside the moves."""
        self.asides = [*self.asides, aside]
        self.lines.clear()

    def counts(self) -> bool:
        """The match counts for the ladder, or would (ladder.py)."""
        return self.once("counts", lambda: ladder.counts(self))

    def absent(self, seat: int) -> bool:
        """The person of a seat has not been there for some minutes."""
        return self.votes.absent(seat)

    def tell_owner(self, seat: int) -> None:
        """The orders of a seat have changed: nobody else is told, and nothing else happens unless one acts now."""
        self.tell_seat(seat)
        if self.orders.answer(seat) is not None:
            self.driver.wake()

    def catch_up(self) -> bool:
        """Take over what another process wrote; true if there was anything."""
        self.chat.catch_up()
        stored = self.store.load(self.id, since=self.number)
        if stored and self._agrees(stored):
            known = (self.clock.times, self.clock.off.vacations, self.orders.kept)
            if not stored.moves and known == (stored.times, stored.vacations, stored.orders):
                return False
            self._replay(stored.moves)
            self.clock.times, self.orders.kept = dict(stored.times), dict(stored.orders)
            self.clock.off = replace(self.clock.off, vacations=stored.vacations)
            self._start_clock()
        elif whole := stored and self.store.load(self.id):
            self._restore(whole)
        else:
            self.vanish()
            return False
        self.changed()
        self.clock.settle_soon()
        return True

    def take_all(self) -> None:
        """Take over all that another process wrote or erased: asked for after every write but a move."""
        self.catch_up()
        if not self.gone:
            self.chat.look_again()

    def take_moves(self) -> None:
        """Take over the moves another process has made. Whatever else it wrote with them is told apart, but for times."""
        timed = self.clock.clock is not None or self.playing.clock
        if not timed:
            self._replay(self.store.moves(self.id, self.number))
            self.changed()
        if timed or self.playing.clock:
            self.catch_up()

    def _behind(self) -> bool:
        """Another process had gone on, and this one has caught up."""
        with contextlib.suppress(Unreachable):
            return self.catch_up()
        return False

    def _agrees(self, stored: Stored) -> bool:
        """Apart from its moves the table is as the database says."""
        known = (self.pace, self.paused, self.leaves, self.match is None, tuple(self.seats), self.house)
        if known != (stored.pace, stored.paused, stored.leaves, stored.status == "open", stored.seats, stored.house):
            return False
        return (self.votes.wishes, self._deal) == (stored.wishes, stored.deal)

    def vanish(self) -> None:
        """The table was deleted: viewers are told, and nothing happens here any more."""
        self.gone = self.tasks.ended = True
        self.driver.stop()
        self.tell()

    def _tell_log(self, sentence: str) -> None:
        facts = {"game": self.book.id, "players": len(self.seats), "moves": len(self.playing.moves)}
        log.info(sentence, extra={"table": self.id, **facts})


def _mark(match: Match, move: Move) -> None:
    """The record says which bot made the last move, if it was not the seat's own."""
    if move.mark:
        match.marks[len(match.moves) - 1] = move.mark


def _short(sentence: str) -> str:
    return sentence if len(sentence) <= 300 else sentence[:299] + "…"
