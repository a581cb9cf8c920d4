"""A visit to a table: how it is now, what is told of it, moves that are sent until they are answered.

`watch` follows the table until the match is over. When the connection is lost it connects again, at longer and longer
intervals, and sends every command that was not answered again, with the same id: the server makes it once. A connection is
lost, too, when the server is silent, or does not say soon that a command has arrived: a network may go without a word.

A link may lead to any server. No answer is read beyond `BIGGEST` bytes nor for longer than `PATIENCE`, and none is unpacked:
a small one could become big. Nor is more of a table's log and chat kept than `MOST_TOLD`.
"""

import asyncio
import contextlib
import itertools
import json
import random
import re
import time
import uuid
from collections.abc import Mapping
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from outbid.core.errors import OutbidError
from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.wire.link import Link
from outbid.wire.model import (
    Ack,
    Beat,
    Closing,
    Receipt,
    Reload,
    Snapshot,
    TableChange,
    one_line,
    read_hint,
    read_message,
    read_table,
)
from outbid.wire.session import Session

FIRST, LONGEST = 0.4, 10.0  # seconds between attempts to connect
PATIENCE = 20.0
BIGGEST = 4 * 1024 * 1024  # bytes of what a server may say at once
MOST_TOLD, LINE = 4 * BIGGEST, 100  # characters of all lines of a table; what each counts for besides
AGAIN = (408, 425, 429)  # refusals that are no answer
SIGNED_IN, WATCHER = "signed-in", "watcher"  # cookies: the secrets of a kept name, and of who watches and has spoken
SECRET = re.compile(r"[\w-]{1,128}", re.ASCII)


class Gone(OutbidError):
    """The server does not let us in, or the table is not there; in its own words. status: as HTTP says it."""

    def __init__(self, sentence: str, status: int = 0):
        self.status = status
        super().__init__(sentence)


class Unreached(OutbidError):
    """There is no server, or it does not answer."""


class Visit(Session):
    """A seat, or a place among the spectators, at a table of a running server.

    name: what one is called who watches and speaks. silence, receipt: seconds after which the connection is lost if nothing
    comes, or not the receipt of a command."""

    silence, receipt = 40.0, 5.0

    def __init__(self, link: Link, token: str | None = None):
        super().__init__()
        self.link = link
        self.token = token
        self.name = ""
        self.secrets: dict[str, str] = {}
        self._line: ClientConnection | None = None
        self._limit: asyncio.Timeout | None = None  # until when the server must say something
        self._unheard: dict[str, float] = {}  # commands that were sent and not received, and until when they must be
        self._pending: dict[str, tuple[dict[str, Any], asyncio.Future[Ack]]] = {}
        self._ahead = (time.time() - time.monotonic()) * 1000  # of the server's clock to ours

    # --- how it is ---

    @property
    def waiting(self) -> bool:
        """A command of ours waits to be sent."""
        return self.lost and bool(self._pending)

    @property
    def at(self) -> float:
        """The server's clock, in ms."""
        return time.monotonic() * 1000 + self._ahead

    @property
    def farewell(self) -> str:
        """The sentence on leaving, with what brings one back to the seat."""
        return _("You leave the table; outbid join {link} comes back.", link=self.link.address)

    # --- what is done ---

    async def play(self, move: str | Mapping[str, Any]) -> Ack:
        """Answer the question: a move as text or as in a record. Returns when the server has answered."""
        decision = self.decision
        name = str(uuid.uuid4())
        fields = {"text": move} if isinstance(move, str) else {"move": json.dumps(dict(move))}
        future: asyncio.Future[Ack] = asyncio.get_running_loop().create_future()
        self._pending[name] = ({"type": "move", "id": name, "fields": {**fields, "decision": decision or 0}}, future)
        try:
            if self.lost:
                self._changed(())  # it waits
            await self._send(self._pending[name][0])
            answer = await future
        finally:
            self._pending.pop(name, None)
            self._unheard.pop(name, None)
        if answer.ok:
            self._answered = decision
            self._changed(())
        return answer

    async def hint(self) -> str:
        """What a bot would do in our place, and why. Raises OutbidError."""
        asked = {} if self.decision is None else {"decision": str(self.decision)}
        return "\n".join(read_hint(await self.ask("POST", f"{self.link.path}/hint", **asked)).lines)

    async def say(self, text: str, to: int | None = None) -> None:
        """Say something: to those who sit at the table, or to one seat alone; if we watch, to those who watch. Raises
        OutbidError."""
        named = {"name": self.name} if self.you is None and self.name else {}
        meant = {} if to is None else {"to": str(to)}
        await self.ask("POST", f"{self.link.path}/chat", text=text, **named, **meant)

    async def sign_in(self, name: str, password: str) -> None:
        """With a kept name, until `sign_out`. Raises OutbidError."""
        await self.ask("POST", "/name/in", name=name, password=password)

    async def sign_out(self) -> None:
        """The server forgets the secret that signing in gave us, if it can be reached; nobody else has it."""
        if SIGNED_IN in self.secrets:
            with contextlib.suppress(OutbidError):
                await self.ask("POST", "/name/out")
            self.secrets.pop(SIGNED_IN)

    async def _send(self, command: dict[str, Any]) -> None:
        if self._line:
            self._unheard[command["id"]] = asyncio.get_running_loop().time() + self.receipt
            self._await()
            with contextlib.suppress(WebSocketException, OSError):
                await self._line.send(json.dumps(command))

    def _await(self) -> None:
        """From now on: until when the server must say something."""
        if self._limit:
            silent = asyncio.get_running_loop().time() + self.silence
            self._limit.reschedule(min([silent, *self._unheard.values()]))

    # --- what is heard ---

    async def watch(self) -> None:
        """Follow the table until the match is over. Raises Gone."""
        tries = 0
        while not self._done():
            try:
                async with self._connected() as line, asyncio.timeout(self.silence) as self._limit:
                    self._line = line
                    for command, _future in list(self._pending.values()):
                        await self._send(command)
                    async for frame in line:
                        self._take(frame)
                        tries = 0
                        if self._done():
                            return
            except (WebSocketException, OSError, TimeoutError):
                pass
            finally:
                self._line = self._limit = None
                self._unheard.clear()
            if not self.lost:
                self.lost = True
                self._changed(())
            await asyncio.sleep(min(LONGEST, FIRST * 2**tries) * random.uniform(0.7, 1.3))
            tries = min(tries + 1, 10)
            with contextlib.suppress(Unreached):
                await self.look()

    def _done(self) -> bool:
        return self.over and not self._pending

    def _connected(self) -> connect:
        return connect(
            self.link.socket, additional_headers=self._headers(), open_timeout=PATIENCE, close_timeout=1, max_size=BIGGEST
        )

    def _take(self, frame: str | bytes) -> None:
        """One message of the server. Raises OutbidError, WebSocketException."""
        try:
            message = read_message(json.loads(frame))
        except (ValueError, RecursionError) as error:
            raise WebSocketException from error
        if isinstance(message, (Receipt, Ack)):
            self._unheard.pop(message.id or "", None)
        self._await()
        if isinstance(message, TableChange):
            self._take_state(message)
        elif isinstance(message, Ack):
            _command, future = self._pending.pop(message.id or "", (None, None))
            if future and not future.done():
                future.set_result(message)
        elif isinstance(message, Beat):
            self._ahead = message.time - time.monotonic() * 1000
        elif isinstance(message, (Reload, Closing)):
            self.trouble = message.error if isinstance(message, Closing) else ""
            raise WebSocketException

    def _take_state(self, change: TableChange) -> None:
        since = known = min(change.since, len(self.log))
        if since < len(self.log):  # we are told again what we know, after we were away or a move was taken back
            same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(self.log, change.now.log, strict=False))
            since, known = 0, sum(1 for _pair in same)
        self.log[since:] = change.now.log
        self.now = change.now
        self.said |= {message.id: message for message in change.said if message.id not in self.said}
        lines = sum(LINE + len(line.text) + len(line.reason or "") for line in self.log)
        if lines + sum(LINE + len(message.text) + len(message.name) for message in self.said.values()) > MOST_TOLD:
            raise Gone(_("At {base} there is no table server.", base=self.link.base))
        if change.time is not None:
            self._ahead = change.time - time.monotonic() * 1000
        self.lost, self.trouble = False, ""
        self._changed(self.log[known:])

    # --- over HTTP ---

    async def look(self) -> Snapshot:
        """The table as it is now. Raises Gone, Unreached."""
        return read_table(await self.ask("GET", self.link.path))

    async def ask(self, method: str, path: str, **fields: str) -> Any:
        """One request: what the server answers. Raises Gone (its sentence), Unreached."""
        try:
            async with (
                asyncio.timeout(PATIENCE),
                httpx.AsyncClient(base_url=self.link.base, timeout=PATIENCE) as http,
                http.stream(method, path, data=fields or None, headers=self._headers()) as answer,
            ):
                content = await self._content(answer)
        except (httpx.HTTPError, OSError) as error:  # out of time, too
            raise Unreached(_("There is no server that answers at {base}.", base=self.link.base)) from error
        status, refused = answer.status_code, answer.status_code >= 400
        try:
            value = json.loads(content) if not answer.is_redirect else None
        except (ValueError, RecursionError) as error:
            if status >= 500 or status in AGAIN:
                raise Unreached(_("The server at {base} cannot answer now.", base=self.link.base)) from error
            raise Gone(_("At {base} there is no table server.", base=self.link.base)) from error
        sentence = value.get("error") if refused and isinstance(value, dict) else None
        if status >= 500 or status in AGAIN:
            unable = _("The server at {base} cannot answer now.", base=self.link.base)
            raise Unreached(one_line(str(sentence)) if sentence else unable)
        if refused:
            raise Gone(one_line(str(sentence or answer.reason_phrase)), status)
        for name in (SIGNED_IN, WATCHER):
            if (secret := answer.cookies.get(name)) and SECRET.fullmatch(secret):
                self.secrets[name] = secret
        return value

    async def _content(self, answer: httpx.Response) -> bytes:
        """What a server answers. Raises Gone if it is more than any table is, or packed."""
        content, packed = b"", answer.headers.get("content-encoding", "identity") != "identity"
        async for chunk in answer.aiter_raw():
            content += chunk
            if packed or len(content) > BIGGEST:
                raise Gone(_("At {base} there is no table server.", base=self.link.base))
        return content

    def _headers(self) -> dict[str, str]:
        known = {"Accept": "application/json", "Accept-Encoding": "identity", "Accept-Language": i18n.language()}
        secrets = {**self.secrets, **({self.link.cookie: self.token} if self.token else {})}
        return known | ({"Cookie": "; ".join(f"{name}={secret}" for name, secret in secrets.items())} if secrets else {})
