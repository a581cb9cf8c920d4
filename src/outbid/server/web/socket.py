"""The WebSocket of a table: what changed goes out, moves come in (docs/server.md, "Socket")."""

import asyncio
import contextlib
import json
import time
from functools import partial
from typing import Any, cast

from starlette.websockets import WebSocket, WebSocketDisconnect

from outbid.core import record
from outbid.core.errors import OutbidError, Unreadable
from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.server import metrics
from outbid.server.domain import commands, scene
from outbid.server.domain.commands import Command
from outbid.server.domain.people.chat import Reader, reader_of
from outbid.server.domain.people.names import COOKIE
from outbid.server.domain.table import CommandOutcome, Table
from outbid.server.logging import log
from outbid.server.rate_limits import Bucket, Limits, address_of
from outbid.server.settings import Refused
from outbid.server.web import pages
from outbid.server.web.announcement import announced
from outbid.wire.model import Ack, Beat, ChatMessage, Closing, Receipt, Reload

MESSAGE = {"type", "id", "fields"}
AT_ONCE = [name for name in pages.REGIONS if name != pages.GROWING]  # regions that are sent anew when they change
PROBE = "probe"  # whether the line is alive: the receipt is the answer
SIGHT = "sight"  # whether the page is in sight
LONG = 10**9  # ms: no page is hidden for longer
POLICY, TOO_BIG, BROKEN = 1008, 1009, 1011

_written = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Connection:
    """One open socket: what its viewer has been sent, and what is still to be said. A program is sent JSON, not regions."""

    def __init__(
        self, socket: WebSocket, table: Table, seat: int, base: str, limits: Limits, bucket: Bucket, program: bool = False
    ):
        self.socket = socket
        self.limits = limits
        self.address = address_of(socket.scope)
        self.device: str | None = None
        self.dismissed = ""  # why there is nothing more to see
        self.announced = announced()  # what a waiting page has said
        self.bucket = bucket
        self.table = table
        self.seat = seat
        self.base = base
        self.program = program
        self.hidden: float | None = None
        self.sent: dict[str, Any] = {}
        self.told = -1  # lines of the log that were sent; −1: none, not even that there are none
        self.undone = 0  # how often a move had been taken back when they were
        self.room = table.room
        self.token = table.seats[seat].token if seat >= 0 else None
        self.reader = Reader(seat, "")
        self.talked: tuple[Any, ...] | None = None  # what the chat depended on when it was sent
        self.heard = 0  # messages that were sent or need not be
        self.spoken: set[int] = set()  # those that were sent to a program
        self.answers: list[dict[str, Any]] = []
        self._due = asyncio.Event()
        self._beat = 0.0  # when it is time to say something, as the event loop counts

    def wake(self) -> None:
        """The table has changed."""
        self._due.set()

    def dismiss(self, sentence: str) -> None:
        """Say why, and show nothing more."""
        self.dismissed = sentence
        self._due.set()

    def answer(self, name: Any, outcome: CommandOutcome) -> None:
        """Queue the answer to a command; it leaves before what it changed."""
        metrics.refused(outcome.status)
        ack = Ack(id=name, ok=outcome.ok, error=outcome.error, stale=outcome.stale)
        self.answers.append(ack.model_dump())
        self._due.set()

    def check_pace(self) -> None:
        """Whether one more message may come. Raises Refused."""
        if len(self.answers) >= self.table.settings.backlog:
            raise Refused(429, _("You do not read the answers; please connect again."))
        self.limits.message(self.address, self.bucket)

    def look(self, hidden: Any) -> None:
        """The page is in sight (none), or has been hidden for so many ms. Raises Unreadable."""
        if hidden is not None and (type(hidden) is not int or not 0 <= hidden <= LONG):
            raise Unreadable(
                _("The field {name} is null, or for how many milliseconds the page has been hidden.", name="'hidden'")
            )
        self.hidden = None if hidden is None else time.monotonic() - hidden / 1000
        if self.hidden is None:
            self.table.seen(self.seat)
        elif self.seat >= 0:
            self.table.votes.sight(self.seat, self.hidden)

    async def receive(self, name: str) -> None:
        """Say that a message is here, before anything is done about it."""
        with contextlib.suppress(WebSocketDisconnect):  # the socket is being closed
            await self._send(Receipt(id=name).model_dump())

    async def speak(self) -> None:
        """Send answers and changes until the socket is closed, and a sign of life where there are none."""
        self._beat = asyncio.get_running_loop().time() + self.table.settings.beat
        try:
            while True:
                try:
                    async with asyncio.timeout_at(self._beat):
                        await self._due.wait()
                except TimeoutError:
                    await self._send(Beat(time=self._now()).model_dump())
                    continue
                self._due.clear()
                if self.dismissed:
                    await refuse(self.socket, self.dismissed)
                    return
                while self.answers:
                    await self._send(self.answers.pop(0))
                news = self.news()
                if news:
                    await self._send(news)
        except (WebSocketDisconnect, OSError):
            pass  # gone; the task that listens will notice
        except Exception:
            log.exception("What table %s shows to seat %s could not be sent.", self.table.id, self.seat)
            await refuse(self.socket, _("Something went wrong in this server; please load the page again."), BROKEN)

    def stood_up(self) -> bool:
        """Who looked from a seat that is not theirs any more watches from now on; true if that has just come about."""
        if self.seat < 0 or self.table.seats[self.seat].token == self.token:
            return False
        self.seat, self.reader = -1, Reader(-1, "")
        return True

    def news(self) -> dict[str, Any] | None:
        """What this viewer does not know yet, and from now on does."""
        if self.table.gone or self.stood_up():
            return Reload().model_dump()
        if self.program:
            return self._news_for_programs()
        if self.room != self.table.room or (self.table.status == "open" and self.announced != announced()):
            self.room, self.announced = self.table.room, announced()
            return Reload().model_dump()
        if self.table.status == "open":
            return None
        self._look_back()
        viewer = (self.seat, self.base, i18n.language())
        seen = self.table.once(("scene", *viewer), lambda: scene.live(self.table, self.seat, self.base))
        now = self.table.once(("regions", *viewer), lambda: pages.render_regions(seen, AT_ONCE))
        changed = {name: html for name, html in now.items() if self.sent.get(name) != html}
        if self.told < 0 or self.told > len(seen.log):
            changed[pages.GROWING] = pages.region(seen, pages.GROWING)
            self.told = len(seen.log)
        append = {pages.GROWING: pages.render_lines(seen, self.told)}
        self.sent, self.told = now, len(seen.log)
        append[pages.CHAT] = self._talk(changed)
        append = {name: html for name, html in append.items() if html}
        if not changed and not append:
            return None
        return {
            "type": "regions",
            "version": self.table.number,
            "time": self._now(),
            "title": seen.headline,
            "yours": seen.yours,
            "regions": changed,
            "append": append,
        }

    def _look_back(self) -> None:
        """After a move was taken back the log is told anew."""
        if self.undone != self.table.undone:
            self.undone, self.told = self.table.undone, -1

    def _talk(self, changed: dict[str, str]) -> str:
        """New lines of the chat; where it is another one, it is put among the regions that changed."""
        if self.table.settings.alone:
            return ""
        chat = self.table.chat
        state, new = chat.state(self.reader), chat.heard(self.reader, self.heard)
        self.heard = chat.heard_of
        if state == self.talked:
            return pages.render_said(new)
        self.talked = state
        changed[pages.CHAT] = pages.render_chat(chat.talk(self.reader))
        return ""

    def _news_for_programs(self) -> dict[str, Any] | None:
        """What a program does not know yet: the table as it is now, of the log and the chat only what is new."""
        self._look_back()
        if self.seat in self.table.votes.unsettled:
            self.table.soon(partial(self.table.votes.tell, self.seat))
        viewer = (self.seat, self.base, i18n.language())
        seen = self.table.once(("snapshot", *viewer), lambda: scene.now(self.table, self.seat, self.base))
        now = self.table.once(("now", *viewer), lambda: seen.as_json(log=False))
        since = self.told if 0 <= self.told <= len(seen.log) else 0
        chat = self._heard_messages()
        if now == self.sent and self.told == len(seen.log) and not chat:
            return None
        self.sent, self.told = now, len(seen.log)
        version = self.table.number
        log = [entry.model_dump() for entry in seen.log[since:]]
        news = {"now": {**now, "log": log}, "since": since}
        return {"type": "table", "version": version, "time": self._now(), **news, "said": chat}

    def _heard_messages(self) -> list[dict[str, Any]]:
        """What this reader hears and has not been sent: at the end also what was said among those who watched."""
        chat = self.table.chat
        state = chat.state(self.reader)
        new = chat.heard(self.reader, self.heard if state == self.talked else 0)
        self.heard, self.talked = chat.heard_of, state
        fresh = [message for message in new if message.id not in self.spoken]
        self.spoken |= {message.id for message in fresh}
        return [ChatMessage(id=m.id, name=m.name, text=m.text, mine=m.mine, to=m.to).model_dump() for m in fresh]

    def _now(self) -> int:
        """The clock by which times are said, in ms."""
        return round(self.table.now() * 1000)

    async def _send(self, message: dict[str, Any]) -> None:
        self._beat = asyncio.get_running_loop().time() + self.table.settings.beat
        try:
            await self.socket.send_text(_written(message))
        except RuntimeError as error:  # it was closed from here, since nobody has read for long
            raise WebSocketDisconnect(BROKEN) from error


async def serve(socket: WebSocket, table: Table, seat: int, base: str, limits: Limits, program: bool = False) -> None:
    """Talk to one viewer until it leaves; the socket is accepted already. Raises Refused if there are too many."""
    with limits.socket(address_of(socket.scope), seat >= 0) as bucket:
        connection = Connection(socket, table, seat, base, limits, bucket, program)
        connection.room = socket.query_params.get("room", connection.room)  # what a waiting page shows
        connection.device = socket.cookies.get(COOKIE)
        connection.reader = reader_of(socket.cookies, table.id, seat)
        hidden = socket.query_params.get("hidden", "")
        if hidden.isascii() and hidden.isdigit():
            connection.hidden = time.monotonic() - min(int(hidden[:12]), LONG) / 1000
        await _serve(connection)


async def _serve(connection: Connection) -> None:
    table = connection.table
    table.enter(connection)
    speaking = asyncio.create_task(connection.speak())
    try:
        connection.wake()
        while await _hear(connection):
            pass
    except WebSocketDisconnect:
        pass
    finally:
        table.leave(connection)
        speaking.cancel()
        await asyncio.gather(speaking, return_exceptions=True)


async def _hear(connection: Connection) -> bool:
    """One message of the client; false when there will be no more."""
    message = await connection.socket.receive()
    if message["type"] == "websocket.disconnect":
        return False
    text = message.get("text")
    limits = connection.table.settings
    if text is None or len(text.encode("utf-8", "replace")) > limits.frame:
        await refuse(connection.socket, _("A message is text of at most {most} bytes.", most=limits.frame), TOO_BIG)
        return False
    try:
        connection.check_pace()
    except Refused as refusal:
        await refuse(connection.socket, str(refusal), POLICY)
        return False
    name: Any = None
    try:
        name, fields = _named(record.parse(text))
        await connection.receive(name)
        if fields.get("type") == PROBE:
            return True
        if fields.get("type") == SIGHT:
            connection.look(fields.get("hidden"))
            return True
        command = _command(name, fields)
        connection.stood_up()
        if connection.seat >= 0:
            await connection.table.play(connection.seat, command, partial(connection.answer, name))
            return True
        outcome = CommandOutcome(_(SPECTATOR), 403)
    except Unanswerable as error:
        name, outcome = error.name, CommandOutcome(str(error), 400)
    except Refused as error:
        outcome = CommandOutcome(str(error), error.status)
    except OutbidError as error:
        outcome = CommandOutcome(str(error), 400)
    connection.answer(name, outcome)
    return True


SPECTATOR = i18n.N_("You are watching: only who has a seat here can move.")


class Unanswerable(OutbidError):
    """A message that is no command; `name` is its id, if it has one."""

    def __init__(self, name: Any, sentence: str):
        self.name = name
        super().__init__(sentence)


def _named(message: Any) -> tuple[str, dict[str, Any]]:
    """The id of a message, and the message. Raises Unreadable."""
    if not isinstance(message, dict):
        raise Unreadable(_("A message is a JSON object."))
    message = cast("dict[str, Any]", message)
    name = message.get("id")
    if not isinstance(name, str) or len(name) > 64:
        raise Unreadable(_("A move needs an 'id', a UUID."))
    return name, message


def _command(name: str, message: dict[str, Any]) -> Command:
    """The command that a message brings. Raises Unanswerable."""
    for key in message.keys() - MESSAGE:
        raise Unanswerable(name, _("The key {name} is unknown; a message has type, id and fields.", name=repr(key[:40])))
    if message.get("type") != "move":
        raise Unanswerable(name, _("A message has the type 'move'."))
    try:
        return commands.command([f for f in commands.flat(message.get("fields")) if f[0] != "command"], name)
    except OutbidError as error:
        raise Unanswerable(name, str(error)) from error


async def refuse(socket: WebSocket, sentence: str, code: int = POLICY) -> None:
    """Say why and close."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(json.dumps(Closing(error=sentence).model_dump(), ensure_ascii=False))
        await socket.close(code)
