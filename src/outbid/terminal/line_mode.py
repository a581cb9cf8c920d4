"""A session (wire/session.py) line by line, also for screen readers and pipes: no cursor, every event one line.

Before every question stand the table and then, one a line, the choices; `brief` leaves the table out. At a terminal lines
are wrapped and cards coloured (page.py).

Who is asked is told what time there is; in an auction by outcry everybody is, whenever it begins anew, and who may bid is
shown the menu again as soon as another bid has changed it.

From a terminal a line may be typed at any time; from a pipe a line is read when one is asked. The exit code is 0 when the
match is over or one leaves, 1 when a pipe ends although a move is awaited.
"""

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Sequence

from outbid.core.errors import OutbidError
from outbid.core.language.i18n import _, ngettext
from outbid.core.language.phrases import capitalized
from outbid.terminal import times
from outbid.terminal.lines import BRIEF, HINT, LEAVE, WORDS, Ask, Picker, asked, asked_for, speech
from outbid.terminal.page import Page, columns, menu, wrapped
from outbid.terminal.suits import suits_of
from outbid.wire.model import LogEntry, Snapshot
from outbid.wire.session import Session, result

EARLIER = 10  # lines of the log, and of the chat, that are read out to who comes late


class Typed:
    """Lines of standard input, read when they are asked for."""

    def __init__(self, source: int):
        self.source = source
        self._rest = b""
        self._ended = False

    async def next(self) -> str | None:
        """The next line; none at the end."""
        while b"\n" not in self._rest and not self._ended:
            chunk = await self._chunk()
            self._rest += chunk
            self._ended = not chunk
        line, newline, self._rest = self._rest.partition(b"\n")
        return line.decode("utf-8", "replace").strip() if line or newline else None

    async def _chunk(self) -> bytes:
        """What comes next. The thread that waits for it keeps nobody from leaving."""
        loop = asyncio.get_running_loop()
        read: asyncio.Future[bytes] = loop.create_future()

        def arrived(chunk: bytes) -> None:
            if not read.done():
                read.set_result(chunk)

        def wait() -> None:
            try:
                chunk = os.read(self.source, 65536)
            except OSError:
                chunk = b""
            with contextlib.suppress(RuntimeError):  # the visit is over
                loop.call_soon_threadsafe(arrived, chunk)

        threading.Thread(target=wait, daemon=True).start()
        return await read


class LineMode:
    """Prints a session and reads its moves. eager: lines may be typed at any time."""

    def __init__(self, visit: Session, eager: bool):
        self.visit = visit
        self.eager = eager
        self.typed = Typed(sys.stdin.fileno())
        self.page = Page()
        self.picker = Picker(())
        self.brief = False
        self._asked: int | None = None
        self._closes: float | None = None  # the end of an auction that was told
        self._read: set[int] = set()  # what people said and was told
        self._room = ""
        self._notices: list[str] = []
        self._lost = False
        self._waiting = False
        self._greeted = False

    async def run(self) -> int:
        """Until the match is over or one leaves; returns the exit code. Raises OutbidError."""
        self.visit.heard = self._hear
        watching = asyncio.create_task(self.visit.watch())
        typing = asyncio.create_task(self._type())
        try:
            done, _rest = await asyncio.wait({watching, typing}, return_when=asyncio.FIRST_COMPLETED)
            if watching in done:
                await watching
                return 0
            left = await typing
            self._say(self.visit.farewell)
            return 0 if left or self.eager else 1
        finally:
            watching.cancel()
            typing.cancel()
            await asyncio.gather(watching, typing, return_exceptions=True)

    def _say(self, text: str) -> None:
        self.page.say(text)

    # --- what is heard ---

    def _hear(self, fresh: Sequence[LogEntry]) -> None:
        visit = self.visit
        if visit.lost != self._lost:
            self._lost = visit.lost
            if visit.trouble:
                self._say(visit.trouble)
            self._say(_("The connection is lost; trying again.") if visit.lost else _("Connected again."))
        if visit.waiting != self._waiting:
            self._waiting = visit.waiting
            if visit.waiting:
                self._say(_("Your move is waiting to be sent."))
        if visit.now is None or visit.lost:
            return
        self.page.suits = suits_of(visit.game)  # another game may be played than when one came
        if not self._greeted:
            self._greet()
            if len(fresh) > EARLIER:
                earlier = len(fresh) - EARLIER
                self._say(ngettext("{n} line before; log reads it.", "{n} lines before; log reads them.", earlier))
                fresh = fresh[earlier:]
        self._tell_room()
        for line in fresh:
            self._say(line.text)
        self._tell_said()
        self._tell_notices()
        self._tell_question()
        if visit.over and self._asked != -1:
            self._asked = -1
            for text in result(visit.names, visit.now.scores, visit.now.winners):
                self._say(text)

    def _tell_said(self) -> None:
        """What people have said since, and of what was said before the newest."""
        fresh = [message for number, message in self.visit.said.items() if number not in self._read]
        if not self._read and len(fresh) > EARLIER:
            earlier = len(fresh) - EARLIER
            self._say(ngettext("{n} message before; chat reads it.", "{n} messages before; chat reads them.", earlier))
            self._read |= {message.id for message in fresh[:earlier]}
            fresh = fresh[earlier:]
        for message in fresh:
            self._say(message.sentence)
            self._read.add(message.id)

    def _greet(self) -> None:
        self._greeted = True
        now, you = self.visit.now, self.visit.you
        if now is None:
            return
        if self.visit.introduction:
            self._say(self.visit.introduction)
        elif you is None:
            self._say(_("{table}: you watch. Type ? for help, rules for how to play.", table=now.table.title))
        else:
            self._say(_("{table}: you are {name}. Type ? for help, rules for how to play.", table=now.table.title, name=you))

    def _tell_room(self) -> None:
        """Who is there while seats are open."""
        now = self.visit.now
        room = ""
        if now and now.table.status == "open":
            people = ", ".join(name for seat, name in zip(now.seats, self.visit.names, strict=True) if seat.kind != "open")
            free = sum(seat.kind == "open" for seat in now.seats)
            room = ngettext("{names}: waiting for {n} more.", "{names}: waiting for {n} more.", free, names=people)
        if room and room != self._room:
            self._say(room)
        self._room = room

    def _tell_notices(self) -> None:
        """Who paused the table, and who is stood in for, when that is new."""
        notices = self.visit.now.notices if self.visit.now and not self.visit.over else []
        for text in notices:
            if text not in self._notices:
                self._say(text)
        self._notices = notices

    def _tell_question(self) -> None:
        decision, now, offers = self.visit.decision, self.visit.now, self.visit.offers
        if now is None or self._asked == -1:
            return
        asked = decision is not None
        new = decision != self._asked
        changed = asked and not new and self.picker.offers != tuple(offers)
        self.picker = Picker(offers) if new else self.picker.renewed(offers) if changed else self.picker
        self._asked = decision
        if asked and new:
            self._show(now)
        closes, self._closes = self._closes, now.table.closes
        if closes != now.table.closes or (asked and new):
            time = times.told(now, self.visit.at)
            if time and (asked or now.table.closes is not None):
                self._say(time)
        if asked and (new or changed):
            self._ask()

    def _show(self, now: Snapshot) -> None:
        """The table, and the question."""
        if not self.brief:
            self._say("")
            self.page.lines(wrapped(now.board, self.page.width))
        self._say("")
        self.page.say(now.question, "bold")

    def _ask(self) -> None:
        """What may be done, or what is still to be chosen of it."""
        if self.picker.picked:
            self._ask_back(asked(self.picker.picked))
        else:
            self.page.lines(menu(self.visit.offers, self.page.width))
            self.page.prompt(asked_for(self.visit.offers))

    def _ask_back(self, ask: Ask) -> None:
        """A question before anything is played."""
        if not ask.listed:
            self.page.prompt(ask.sentence)
            return
        self._say(ask.sentence)
        self.page.lines(columns(ask.listed, self.page.width))
        self.page.prompt(asked_for(ask.listed))

    # --- what is typed ---

    async def _type(self) -> bool:
        """True if one leaves, false if the input has ended."""
        while True:
            if not self.eager:
                await self.visit.turn()
            line = await self.typed.next()
            if line is None:
                return False
            if line.lower() in LEAVE:
                return True
            await self._typed(line)

    async def _typed(self, line: str) -> None:
        word = line.lower()
        self.page.typed()
        if word in WORDS:
            self._say(WORDS[word](self.visit))
        elif word == BRIEF:
            self.brief = not self.brief
            often, seldom = _("The table is printed each time."), _("The table is printed when you type “look”.")
            self._say(seldom if self.brief else often)
        elif speech(line) or word == HINT:
            try:
                if word == HINT:
                    self._say(await self.visit.hint())
                else:
                    await self.visit.say(speech(line))
            except OutbidError as error:
                self._say(capitalized(str(error)))
        elif self.visit.decision is None:
            question = self.visit.now.question if self.visit.now else ""
            self._say(_("You are not asked now: {question}", question=question) if question else _("You are not asked now."))
        elif line:
            meant = self.picker.meant(line)
            if isinstance(meant, Ask):
                self._ask_back(meant)
                return
            answer = await self.visit.play(meant)
            if answer.error:
                self._say(capitalized(answer.error))
                if self.visit.decision is not None and self.visit.decision == self._asked:
                    self._ask()
