"""The table of the workbench, and what its author does with it beside playing.

All seats are the author's. A bot moves when it is told to. The table stands at a move of a line (line.py): back and on along
it, and from anywhere another way. Whatever is done is written to the folder before anything else happens.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from outbid.bots.executor import SECONDS
from outbid.bots.seat import Seat as BotSeat
from outbid.core.match import Match, seat_names, without_seat
from outbid.core.rulebook import Rulebook
from outbid.server.domain.table import Table
from outbid.server.domain.tables import Tables
from outbid.server.domain.timing.pacing import CLOSE
from outbid.server.stored import Seat, Stored
from outbid.server.tokens import hashed, new_token
from outbid.server.workbench import FAULT, MATCH, ORDER, VERIFY
from outbid.server.workbench.faults import Fault
from outbid.server.workbench.line import Course, Obstacle
from outbid.testing.watch import Stuck

ID = "workbench"  # of the table
OPENS = re.compile(r"\boutbid dev (.+)")  # how a line of `verify` says where to look

log = logging.getLogger("outbid")


@dataclass(frozen=True)
class BenchOrder:
    """What a workbench is for. game: an id or a file; bot: the name of the one that plays on; port: 0 for any."""

    game: str
    bot: str
    host: str
    port: int
    browser: bool

    @classmethod
    def read(cls, folder: Path) -> BenchOrder:
        """The order of a folder."""
        return cls(**json.loads((folder / ORDER).read_text(encoding="utf-8")))


class Bench:
    """The one table of a workbench. It is a viewer of the table, too (audience.py), as nobody else knows what was played."""

    seat, address = -1, ""
    device: str | None = None
    hidden: float | None = None

    def __init__(self, book: Rulebook, tables: Tables, folder: Path, order: BenchOrder):
        self.book, self.tables, self.folder, self.order = book, tables, folder, order
        self.boot = uuid4().hex  # another one after every change of the file
        self.tokens = [new_token() for _ in range(book.players[1])]
        self.line = Course.read(folder / MATCH)
        self.stop: Obstacle | None = None
        self.fault: Fault | None = None  # of a rule, since the last thing that was done
        self.slow: dict[str, float] = {}
        self.bots: asyncio.Task[None] | None = None
        self._standing = asyncio.Lock()
        match, self.stop = self.line.replayed(book)
        tables.store.add(self._stored(match))
        self.table.enter(self)

    @property
    def table(self) -> Table:
        """The table."""
        return self.tables.get(ID)

    def _stored(self, match: Match) -> Stored:
        seats = [Seat("human", name, None, seat, hashed(self.tokens[seat])) for seat, name in enumerate(match.names)]
        return Stored.of(match, ID, seats, pace="instant")

    # --- a viewer ---

    def wake(self) -> None:
        """The table has changed: a move is written, and what came after it forgotten if it is another one."""
        match = self.table.playing
        if match.moves == self.line.moves[: len(match.moves)] and self.line.at == len(match.moves):
            return
        self.line.at = len(match.moves)
        if match.moves != self.line.moves[: self.line.at]:
            self.line.moves = [dict(move) for move in match.moves]
        self.fault = None
        self.line.write(self.folder / MATCH)

    def dismiss(self, _sentence: str) -> None:
        """Nobody dismisses the workbench."""

    # --- what the author does ---

    async def go(self, at: int) -> None:
        """To a move of the line, as far as there is one. On the way forward the moves are made again."""
        self.halt()
        if at < self.line.at:
            await self._stand(replace(self.line, at=max(0, at)))
        for move in self.line.moves[self.line.at : at]:
            await self.table.act(self.table.number, move["seat"], without_seat(move))

    async def begin(self, players: int, seed: int) -> None:
        """A new match with the same options. Raises BadSetup."""
        Match.new(self.book, self.line.options, players, seed)
        names = self.line.names if players == len(self.line.names) else seat_names(players)
        await self._stand(Course(names, self.line.options, seed))

    async def open(self, file: str) -> None:
        """The match that `verify` has written to a file. Raises OutbidError."""
        await self._stand(Course.of_record(self.book, file))

    async def _stand(self, line: Course) -> None:
        """Put the match of another line on the table; open pages begin again. Until then the table that is there wakes the
        bench, which keeps its own line."""
        self.halt()
        async with self._standing:
            match, stop = await asyncio.to_thread(line.replayed, self.book)
            line.write(self.folder / MATCH)
            store = self.tables.store
            await store.aside(store.delete, ID)
            await store.aside(store.add, self._stored(match))
            self.tables.drop(ID)
            self.line, self.stop, self.fault = line, stop, None
            self.table.enter(self)

    def play_on(self, most: int) -> asyncio.Task[None]:
        """The bot makes so many moves, for whoever is asked."""
        self.halt()
        self.bots = asyncio.create_task(self._play_on(most))
        return self.bots

    def halt(self) -> None:
        """The bot rests."""
        if self.bots:
            self.bots.cancel()
            self.bots = None

    async def _play_on(self, most: int) -> None:
        try:
            for _ in range(most):
                number = self.table.number
                if self.table.status == "playing":
                    await self._bot_moves()
                if self.table.number == number:
                    break
        except (Exception, Stuck):
            log.exception("The bot %s cannot move.", self.order.bot)
        self.bots = None

    async def _bot_moves(self) -> None:
        table, match = self.table, self.table.playing
        seat = next((seat for seat in match.asked if match.legal(seat)), None)
        if seat is None:
            await table.act(table.number, None, CLOSE)
            return
        view = BotSeat.of(match, seat, table.seats[seat].seed)
        decision = await table.executor.think(view, self.order.bot, SECONDS)
        await table.act(table.number, seat, decision.actions or CLOSE, (decision.public, decision.private))

    # --- what the page shows ---

    def panel(self) -> dict[str, Any]:
        """What is shown beside the seats."""
        table, unread = self.table, self.folder / FAULT
        saved = Fault(**json.loads(unread.read_text(encoding="utf-8"))) if unread.exists() else None
        return {
            "boot": self.boot, "line": self.line, "of": len(self.line.moves), "over": table.status == "over",
            "seats": [(seat, name, seat in table.asked) for seat, name in enumerate(self.line.names)],
            "players": self.book.players, "bot": self.order.bot, "playing": self.bots is not None,
            "stop": self.stop, "unread": saved, "fault": self.fault, "slow": self.slow, "verify": list(self.verdicts()),
        }  # fmt: skip

    def verdicts(self) -> Iterator[tuple[str, str]]:
        """The lines of `verify` until now, each with the file of the match that it says how to open, if it does."""
        file = self.folder / VERIFY
        for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
            command = OPENS.search(line)
            words = shlex.split(command[1]) if command else []
            yield line, words[words.index("--from") + 1] if "--from" in words[:-1] else ""

    def hear(self, fault: Fault) -> None:
        """A rule has raised an error."""
        self.fault = fault

    def measure(self, rule: str, took: float) -> None:
        """A rule was slow."""
        self.slow[rule] = max(took, self.slow.get(rule, 0.0))
