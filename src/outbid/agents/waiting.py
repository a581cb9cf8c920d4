"""An agent that comes by itself: a client of the Model Context Protocol, which plays one match after the other as whoever
measures it deals them (`outbid eval --wait`).

    client = WaitingSeat("mcp@agent", port=8711, patience=300)
    client.sit(match, seat)              its next match; the first time a server begins, and its address is printed
    client.decide(Seat.of(match, …))     its move, when it has come

The address holds a code that nobody can guess. The server has a thread of its own; a match stands still while the client is
asked. After an error the client may try again until its time is up; then the decision raises Illegal, and is a forfeit.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
import sys
import time
from concurrent.futures import Future
from threading import Thread
from typing import Any

from outbid.agents.session import GLANCE, PATIENCE, Sitting
from outbid.bots.decision import Decision
from outbid.bots.seat import Seat
from outbid.core.errors import BadSetup, Illegal, NotYourTurn
from outbid.core.match import Match

LOST = 3  # decisions without a call; then the client is not waited for until it calls again
BYE = 2.0  # seconds in which a client can still read how all ended
HOST = "127.0.0.1"

Answer = Future[tuple[int, ...]]


class WaitingSeat:
    """The bot that asks a client, and the client's seat. patience: seconds for a decision; for its first call a client has
    as long as it likes."""

    summary = "is asked over the Model Context Protocol"

    def __init__(self, name: str, port: int, patience: float):
        self.name, self.port, self.patience = name, port, patience
        self._sitting: Sitting | None = None
        self._told_of: Sitting | None = None  # the match that the client knows of
        self._answer: Answer | None = None  # what is awaited
        self._known: Answer | None = None  # of this the client knows that it is
        self._called = self._over = False
        self._missed = 0

    # --- for who measures it ---

    def sit(self, match: Match, seat: int) -> None:
        """Give it a seat in another match. Raises BadSetup."""
        first, self._sitting = self._sitting is None, Sitting(match, seat, {})
        if first:
            self._serve()

    def decide(self, seat: Seat) -> Decision:
        """Its move. Raises Illegal if none has come in time."""
        self._answer = answer = Answer()
        try:
            while self._missed < LOST:
                with contextlib.suppress(TimeoutError):
                    return Decision(answer.result(self.patience))
                self._missed += self._called
                if self._called:
                    raise Illegal(f"No move came in {self.patience:g} seconds.")
            raise Illegal("The client is lost.")
        finally:
            self._answer = None

    def close(self) -> None:
        """Tell the client that all is over."""
        self._over = True
        time.sleep(BYE * self._called)

    def _serve(self) -> None:
        from outbid.agents.mcp import server

        with socket.socket() as line:
            if line.connect_ex((HOST, self.port)) == 0:
                raise BadSetup(f"The port {self.port} is taken; name another with --port.")
        path = f"/{secrets.token_hex(16)}/mcp"
        how = {"host": HOST, "port": self.port, "streamable_http_path": path}
        Thread(target=server(shared=True, given=self).run, args=("streamable-http",), kwargs=how, daemon=True).start()
        print(f"Waiting for an agent at http://{HOST}:{self.port}{path}", file=sys.stderr, flush=True)

    # --- for the client ---

    @property
    def _seat(self) -> Sitting:
        self._called, self._missed = True, 0
        assert self._sitting is not None
        return self._sitting

    async def play(self, answer: str) -> str:
        """Play a move; the news when it is asked again, perhaps in another match. Raises OutbidError."""
        seat, awaited = self._seat, self._answer
        if awaited is None or awaited.done():
            raise NotYourTurn("You are not asked now; wait.")
        self._known = awaited
        awaited.set_result(seat.match.attempt(seat.seat, seat.read(answer)).actions)
        return await self._later()

    async def wait(self) -> str:
        """Say nothing in an open outcry; the news when it is asked, or after some time."""
        seat, awaited = self._seat, self._answer
        if awaited is not None and awaited is self._known and not awaited.done():
            if not seat.match.clock:
                raise NotYourTurn("There is nothing to wait for: it is your turn.")
            awaited.set_result(())
        return await self._later()

    async def _later(self) -> str:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while not self._over and self._answer in (None, self._known):
                    await asyncio.sleep(GLANCE)
        return self.news()

    def news(self) -> str:
        """How the match before ended, if it is told only now, and how this one stands."""
        before, seat = self._told_of, self._seat
        self._told_of, self._known = seat, self._answer
        parts = [seat.news()] if before is seat else [before.news(), "Another match begins."] if before else []
        parts += [seat.look()] if before is not seat else []
        parts += ["All matches are over."] if self._over else ["You are not asked yet; wait."] if not self._known else []
        return "\n\n".join(parts)

    def look(self) -> str:
        """Who it is, the table as it sees it and what is being decided."""
        self._told_of, self._known = self._seat, self._answer
        return self._seat.look()

    def facts(self) -> dict[str, Any]:
        """How the match stands. over: no other comes after it."""
        awaited = self._answer
        return {**self._seat.facts(), "asked": awaited is not None and not awaited.done(), "over": self._over}

    def legal(self, every: bool = False) -> str:
        """What it may do now."""
        return self._seat.legal(every)

    def rules(self, whole: bool) -> str:
        """The rules of this match."""
        return self._seat.rules(whole)

    def log(self, last: int | None) -> str:
        """What it was told in this match."""
        return self._seat.log(last)

    async def say(self, text: str, to: int | None = None) -> None:
        """Raise BadSetup: nobody talks."""
        await self._seat.say(text, to)

    def hear(self) -> str:
        """What was said: nothing."""
        return self._seat.hear()

    async def leave(self) -> None:
        """Do nothing: who does not call any more is lost."""
