"""A seat as its player sees it: how the table is now, what was told, what may be done.

Two kinds of session carry it out: `Visit` (visit.py), at a table of a server, and `LocalMatch` (terminal/local.py), against
bots in this process.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from outbid.core.language.i18n import ngettext
from outbid.core.language.names import quoted
from outbid.core.language.phrases import grouped
from outbid.wire.model import Ack, ChatMessage, LogEntry, Snapshot
from outbid.wire.offers import Offer


class Session(ABC):
    """A seat, or a place among the spectators.

    now: the table as it was last told; log: all its lines; said: all that people said; lost: the connection is; trouble:
    what the server said when it closed it. `heard` is called after every change of them with the lines that are new."""

    lost = False
    trouble = ""

    def __init__(self) -> None:
        self.now: Snapshot | None = None
        self.log: list[LogEntry] = []
        self.said: dict[int, ChatMessage] = {}
        self.heard: Callable[[Sequence[LogEntry]], None] = lambda fresh: None
        self._answered: int | None = None
        self._turn = asyncio.Event()

    @property
    def over(self) -> bool:
        """The match is over."""
        return self.now is not None and self.now.table.status == "over"

    @property
    def decision(self) -> int | None:
        """The question we are asked and have not answered."""
        asked = self.now.decision if self.now else None
        return None if asked == self._answered else asked

    @property
    def waiting(self) -> bool:
        """A command of ours waits to be sent."""
        return False

    @property
    @abstractmethod
    def at(self) -> float:
        """The clock of the table, in ms."""

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.now.table.game if self.now else ""

    @property
    def you(self) -> str | None:
        """Our name; none if we watch."""
        return self.names[self.now.you] if self.now and 0 <= self.now.you < len(self.now.seats) else None

    @property
    def names(self) -> list[str]:
        """Who sits there; an open seat has no name."""
        return [seat.name or "" for seat in self.now.seats] if self.now else []

    @property
    def offers(self) -> list[Offer]:
        """What we may do; seats are called by their names."""
        if self.now is None or self.decision is None:
            return []
        return [choice.offer.calling(self.names) for choice in self.now.legal]

    @property
    def reasons(self) -> dict[str, str]:
        """What bots last said of their moves, by name."""
        names = self.names
        return {quoted(names[line.seat]): line.reason for line in self.log if line.reason and line.seat is not None}

    @property
    def introduction(self) -> str:
        """What is said first; nothing at a table of a server."""
        return ""

    async def turn(self) -> None:
        """Wait until this seat is asked, or the match is over."""
        await self._turn.wait()

    def _changed(self, fresh: Sequence[LogEntry]) -> None:
        if self.decision is not None:
            self._turn.set()
        else:
            self._turn.clear()
        self.heard(fresh)

    @property
    @abstractmethod
    def farewell(self) -> str:
        """What is said to who leaves before the end."""

    @abstractmethod
    async def watch(self) -> None:
        """Follow the table until the match is over. Raises OutbidError."""

    @abstractmethod
    async def play(self, move: str | Mapping[str, Any]) -> Ack:
        """Answer the question: a move as text or as in a record."""

    @abstractmethod
    async def hint(self) -> str:
        """What a bot would do in our place, and why. Raises OutbidError."""

    @abstractmethod
    async def say(self, text: str) -> None:
        """Say something to the others. Raises OutbidError."""


def result(names: Sequence[str], scores: Sequence[int], winners: Sequence[int]) -> list[str]:
    """How a match ended, a line for each seat."""
    lines = []
    for seat, (name, points) in enumerate(zip(map(quoted, names), scores, strict=True)):
        if seat in winners:
            lines.append(ngettext("{name}: {n} point wins", "{name}: {n} points wins", points, name=name, n=grouped(points)))
        else:
            lines.append(ngettext("{name}: {n} point", "{name}: {n} points", points, name=name, n=grouped(points)))
    return lines
