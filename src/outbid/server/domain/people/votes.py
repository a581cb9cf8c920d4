"""What people at a table decide together: a pause while a clock runs, that a bot plays for a person who is gone, and that
somebody takes a move back.

One asks, and it is done when every other person who is there agrees; one refusal ends the question. A person is there who
has the table open, or asked for something a moment ago; when one leaves, open questions are counted again. Where no clock
runs anybody may pause, as nobody loses anything by it; in a match with a clock that counts for the ladder, nobody. A match
begins unpaused. Gone is a person who is asked and has not been there for some minutes (not where a decision has hours or
days: clocks.py); who comes back ends the question, and may take the seat back from the bot. Agreements, and who paused the
table, lie in the database; who is there each process knows for itself.

Before a match nobody waits for a host who is gone: the next person there may start, fill and seat as well (`deputy`). What
the host has changed there every other person has to agree to, or is told of as a program, before it begins (`unsettled`).
"""

import asyncio
import contextlib
import math
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from outbid.core.language.i18n import _, ngettext
from outbid.core.language.names import marked
from outbid.core.match import Match
from outbid.server.domain.people.audience import Viewer
from outbid.server.domain.timing.clocks import Running
from outbid.server.parts import Around, PartOfTable
from outbid.server.settings import Refused
from outbid.server.stored import CHANGED, GO_ON, PAUSE, PAUSED, Seat

GONE = "gone"  # "gone 2": a bot shall play for seat 2
BACK = "back"  # "back 2 14": seat 2 takes its last move back, so that 14 moves stand; the other questions are in stored.py

Wish = tuple[str, int]  # what, and the seat that agrees


@dataclass(frozen=True)
class Question:
    """A question everybody sees. what: as forms name it; seat: the one it is about (−1: none); agreed: the names of those
    who agree; missing: of others who do not yet; yours: you may agree; asked: it has been asked already; own: by you, and
    nobody else; told: the move that would be taken back."""

    what: str
    name: str
    agreed: tuple[str, ...]
    missing: tuple[str, ...]
    yours: bool
    own: bool = False
    told: str = ""

    @property
    def asked(self) -> bool:
        """It has been asked."""
        return bool(self.agreed)

    @property
    def said(self) -> str:
        """The question in one sentence."""
        names = ", ".join(self.agreed)
        if self.what == PAUSE:
            return ngettext("{names} asks for a pause.", "{names} ask for a pause.", len(self.agreed), names=names)
        if self.what == GO_ON:
            return ngettext("{names} wants to go on.", "{names} want to go on.", len(self.agreed), names=names)
        if self.what.startswith(BACK):
            if self.own:
                return ngettext(
                    "You want to take your last move back; {names} has to agree.",
                    "You want to take your last move back; {names} have to agree.",
                    len(self.missing), names=", ".join(self.missing),
                )  # fmt: skip
            return _("{name} would like to take the last move back: {told}", name=self.name, told=self.told)
        if self.agreed:
            return _("{name} has been gone for a while. A bot shall play on, say: {names}.", name=self.name, names=names)
        return _("{name} has been gone for a while.", name=self.name)


class AroundVotes(Around, Protocol):
    """What agreements are given of their table. gone: it was deleted."""

    clock: Running
    viewers: set[Viewer]
    gone: bool

    def online(self, seat: int) -> bool:
        """A viewer looks from this seat."""

    def passed(self, seat: int, here: bool) -> None:
        """The person of a seat has gone, or is here again."""

    def declined(self, seat: int) -> None:
        """A seat does not want a move to be taken back."""

    async def sit(self, taken: Mapping[int, Seat], start: bool = False) -> None:
        """Seats are taken or left before the match; it begins if nobody is awaited."""

    async def set_pace(self, pace: str | None, paused: bool | None, by: Sequence[int] = ()) -> None:
        """How fast bots act, and whether bots and clock rest; by: the seats that want it so. Raises Refused."""

    def last_move(self, seat: int) -> int | None:
        """The place of the last move that the person of a seat has made, if it may be taken back here at all."""

    async def check_back(self, seat: int, left: int) -> Match:
        """The match without the last move of a seat and all since. Raises Refused if that may not be."""

    async def take_back(self, seat: int, left: int) -> None:
        """The last move of a seat, and all since, are undone. Raises Refused."""


class Votes(PartOfTable[AroundVotes]):
    """The agreements of a table, and who is there."""

    def __init__(self, table: AroundVotes):
        super().__init__(table)
        self.wishes: frozenset[Wish] = frozenset()  # as the database has them
        self._begun = time.monotonic()
        self._seen: dict[int, float] = {}
        self._sight: dict[int, float] = {}
        self._passed: set[int] = set()  # who has gone, as the log tells
        self._alarm: asyncio.TimerHandle | None = None

    @property
    def timed(self) -> bool:
        """A clock runs, or would if the table were not paused: a pause needs agreement."""
        match = self.table.match
        return match is not None and not match.over and bool(self.table.clock.clock or match.clock)

    @property
    def pausable(self) -> bool:
        """There may be a pause: not in a match that counts for the ladder and has a clock."""
        return not (self.table.clock.clock and self.table.counts())

    # --- who is there ---

    def see(self, seat: int, hidden: bool = False) -> None:
        """A person looks from a seat, asks for something, or has just stopped; their absence is no question any more.
        hidden: it was a page that is not in sight."""
        if seat >= 0:
            self._seen[seat] = time.monotonic()
            if not hidden:
                self.sight(seat, self._seen[seat])
            if any(what == _gone(seat) for what, _seat in self.wishes):
                self._forget(_gone(seat))
                self.table.soon(partial(self._drop, _gone(seat)))
            self._pass()
        self._recount()
        self._watch()

    def _watch(self) -> None:
        """When the next person is not there any more, or gone, questions are counted again and viewers are told."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None
        settings = self.table.settings
        marks = (settings.lately, settings.gone, settings.gone_slow)
        away = [self._away_for(seat) for seat, place in enumerate(self.table.seats) if place.kind == "human"]
        soon = [mark - absence for absence in away for mark in marks if absence < mark]
        if soon and self.table.viewers:
            with contextlib.suppress(RuntimeError):  # no event loop
                self._alarm = asyncio.get_running_loop().call_later(min(soon) + 0.05, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        table = self._table()  # none if it was deleted in the meantime
        if table and not table.gone:
            self._pass()
            self._recount()
            table.tell()
            self._watch()

    def _pass(self) -> None:
        """Tell who has gone, and who is here again."""
        for seat in self._seen:
            if self.there(seat) == (seat in self._passed):
                self._passed ^= {seat}
                self.table.passed(seat, seat not in self._passed)

    def _away_for(self, seat: int) -> float:
        return 0.0 if self.table.online(seat) else time.monotonic() - self._seen.get(seat, self._begun)

    def there(self, seat: int) -> bool:
        """A person plays this seat and is there."""
        seen = seat in self._seen or self.table.online(seat)
        return self.table.seats[seat].kind == "human" and seen and self._away_for(seat) < self.table.settings.lately

    def sight(self, seat: int, at: float) -> None:
        """A person had the table in sight at a moment, as `time.monotonic` counts."""
        self._sight[seat] = max(at, self._sight.get(seat, at))

    def unseen(self, seat: int) -> float:
        """For how many seconds the person of a seat has not had the table in sight: a page in a hidden tab is open, and
        nobody looks at it."""
        if any(viewer.seat == seat and viewer.hidden is None for viewer in self.table.viewers):
            return 0.0
        return time.monotonic() - self._sight.get(seat, -math.inf)

    def absent(self, seat: int) -> bool:
        """The person of a seat has not been there for some minutes (nobody is absent where a decision has hours or days)."""
        return not self.table.clock.slow and self._away_for(seat) >= self.table.settings.gone

    def gone(self, seat: int) -> bool:
        """The table waits for a person who is absent."""
        return self.table.seats[seat].kind == "human" and seat in self.table.decisions and self.absent(seat)

    @property
    def deputy(self) -> int:
        """Before a match whose host is gone: the seat of the next person there, who may start, fill and seat; −1: nobody."""
        table, settings = self.table, self.table.settings
        host, many = table.house.host, len(table.seats)
        patience = settings.gone_slow if table.clock.slow else settings.gone
        if table.match is not None or self._away_for(host) < patience:
            return -1
        return next((seat for seat in ((host + far) % many for far in range(1, many)) if self.there(seat)), -1)

    # --- agreeing ---

    @property
    def unsettled(self) -> list[int]:
        """The seats whose people have yet to agree to what the host has changed before the match."""
        return sorted(seat for what, seat in self.wishes if what.startswith(CHANGED))

    async def tell(self, seat: int) -> None:
        """A program at a seat was told of it, which has to do."""
        if seat in self.unsettled:
            await self.wish(seat, CHANGED)

    def settled(self, seat: int) -> None:
        """Nobody at a seat has to agree to that any more."""
        self.wishes -= {(f"{CHANGED} {seat}", seat)}

    async def wish(self, seat: int, what: str, agrees: bool = True) -> bool:
        """A seat agrees, or refuses, which ends the question; true if it is done now. what: as forms name it; "back" is the
        last move of the seat. Raises Refused."""
        if what == BACK:
            what = self.back(seat)
            if not what:
                raise Refused(409, _("There is no move of yours that can be taken back here."))
        if what == CHANGED and agrees and seat in self.unsettled:
            await self._drop(f"{CHANGED} {seat}")
            await self.table.sit({})
            return True
        about = self._about(what)
        if what == PAUSE and agrees and not self.pausable:
            raise Refused(409, _("There are no pauses in a match that counts for the ladder."))
        if self.table.seats[seat].kind != "human" or seat == about:
            raise Refused(409, _("The other people at the table decide that."))
        if not agrees:
            await self._drop(what)
            if _asker(what)[0] not in (-1, seat):
                self.table.declined(seat)
            return False
        asker, left = _asker(what)
        if asker >= 0 and not self._agreed(what):
            if asker != seat:
                raise Refused(409, _("There is nothing of the kind to agree on just now; please look again."))
            await self.table.check_back(seat, left)
        mine = (what, seat)
        if mine not in self.wishes:
            await self.table.store.aside(self.table.store.wish, self.table.id, mine)
            self.wishes |= {mine}
        if self._missing(what, about):
            self.table.tell()
            return False
        await self._carry_out(what, about)
        return True

    async def count(self) -> None:
        """Count open questions again: a person who has left need not agree any more."""
        await self.table.clock.settle()
        if time.monotonic() - self._begun < self.table.settings.lately:
            return  # people may still come back after a restart of the server
        for what in sorted({what for what, _seat in self.wishes} - {PAUSED}):
            with contextlib.suppress(Refused):  # it is no question just now
                about = self._about(what)
                if not self._missing(what, about):
                    await self._carry_out(what, about)

    def _recount(self) -> None:
        """Count when nobody else changes the table: something came by itself."""
        if any(what != PAUSED for what, _seat in self.wishes):
            self.table.soon(self.count)
        else:
            self.table.clock.settle_soon()

    async def _carry_out(self, what: str, about: int) -> None:
        if what in (PAUSE, GO_ON):
            await self.table.set_pace(None, what == PAUSE, self._agreed(what))
        elif _asker(what)[0] >= 0:
            for question in sorted({what for what, _seat in self.wishes if what.startswith(BACK)}):
                await self._drop(question)
            await self.table.take_back(*_asker(what))
        else:
            await self._drop(what)
            await self.table.substitute(about)

    def paused(self, by: Sequence[int]) -> None:
        """The table was paused by these seats, or goes on (by none)."""
        self.wishes = frozenset(wish for wish in self.wishes if wish[0] not in (PAUSE, GO_ON, PAUSED))
        self.wishes |= {(PAUSED, seat) for seat in by}

    @property
    def paused_by(self) -> tuple[str, ...]:
        """The names of those who paused the table; empty if it is not paused, or was before that was written down."""
        return tuple(self.table.seats[seat].name for seat in self._agreed(PAUSED)) if self.table.paused else ()

    def _about(self, what: str) -> int:
        """Whom a question is about; −1: nobody. Raises Refused if it is none just now."""
        if self.table.status == "playing" and what == (GO_ON if self.table.paused else PAUSE):
            return -1
        for seat in range(len(self.table.seats)):
            if what == _gone(seat) and self.gone(seat):
                return seat
            if what and what == self.back(seat):
                return -1
        raise Refused(409, _("There is nothing of the kind to agree on just now; please look again."))

    def back(self, seat: int) -> str:
        """The question by which a seat takes its last move back; empty: it has none that can be."""
        person = 0 <= seat < len(self.table.seats) and self.table.seats[seat].kind == "human"
        left = self.table.last_move(seat) if person else None
        return "" if left is None else f"{BACK} {seat} {left}"

    def _agreed(self, what: str) -> list[int]:
        return sorted(seat for wish, seat in self.wishes if wish == what)

    def _missing(self, what: str, about: int) -> list[int]:
        """Who is there and does not agree yet. Nobody need agree that a match goes on where there are no pauses; that a
        move is taken back all people must, also who is not there."""
        if what == GO_ON and not self.pausable:
            return []
        agreed = self._agreed(what)
        if what.startswith(BACK):
            return [n for n, seat in enumerate(self.table.seats) if seat.kind == "human" and n not in agreed]
        return [seat for seat in range(len(self.table.seats)) if seat != about and seat not in agreed and self.there(seat)]

    async def _drop(self, what: str) -> None:
        await self.table.store.aside(self.table.store.unwish, self.table.id, what)
        self._forget(what)

    def _forget(self, what: str) -> None:
        self.wishes = frozenset(wish for wish in self.wishes if wish[0] != what)
        self.table.tell()

    def questions(self, you: int) -> tuple[Question, ...]:
        """What is to be decided just now, as a viewer sees it."""
        if self.table.status != "playing":
            return ()
        pause = GO_ON if self.table.paused else PAUSE
        asked = [(pause, -1)] if self._agreed(pause) else []
        asked += [(back, _asker(back)[0]) for n in range(len(self.table.seats)) if self._agreed(back := self.back(n))]
        asked += [(_gone(seat), seat) for seat in range(len(self.table.seats)) if self.gone(seat)]
        return tuple(self._question(what, about, you) for what, about in asked)

    def _question(self, what: str, about: int, you: int) -> Question:
        def named(some: Collection[int]) -> tuple[str, ...]:
            return tuple(marked(self.table.seats[seat].name) for seat in some)

        agreed = self._agreed(what)
        person = you >= 0 and self.table.seats[you].kind == "human"
        yours = person and you != about and you not in agreed
        name = marked(self.table.seats[about].name) if about >= 0 else ""
        others = [seat for seat in self._missing(what, about) if seat != you]
        missing, left = named(others) if agreed else (), _asker(what)[1]
        told = next((line.marked for line in self.table.playing.log(you) if line.move >= left), "") if left >= 0 else ""
        return Question(what, name, named(agreed), missing, yours, agreed == [you], told)


def _asker(what: str) -> tuple[int, int]:
    """Which seat would take back which move (−1: it is another question)."""
    word, *numbers = what.split()
    return (int(numbers[0]), int(numbers[1])) if word == BACK and len(numbers) == 2 else (-1, -1)


def _gone(seat: int) -> str:
    return f"{GONE} {seat}"
