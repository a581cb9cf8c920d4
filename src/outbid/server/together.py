"""What people at a table decide together: a pause while a clock runs, and that a bot plays for somebody who is gone.

One asks, and it is done when every other person who is there agrees; one refusal ends the question. Who is there: whoever
has the table open, or had it a moment ago. Where no clock runs anybody may pause, as nobody loses anything by it. Gone is
who is asked and has not had the table open for some minutes (not where a decision has hours or days: clocks.py); who comes
back ends the question, and may take the seat back from the bot. Agreements lie in the database; who is there each process
knows for itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from outbid.engine import tongue
from outbid.engine.names import marked
from outbid.server.settings import Refused

if TYPE_CHECKING:
    from outbid.server.tables import Table

PAUSE, GO_ON, GONE = "pause", "go on", "gone"  # "gone 2": a bot shall play for seat 2
LATELY = 20.0  # seconds for which somebody who loads the page again is still there

_, ngettext = tongue.words("outbid")

Wish = tuple[str, int]  # what, and the seat that agrees


@dataclass(frozen=True)
class Question:
    """A question everybody sees. what: as forms name it; seat: whom it is about (−1: nobody); agreed: the names of those who
    agree; missing: of those who do not yet; yours: you may agree; asked: somebody has asked it already.
    """

    what: str
    name: str
    agreed: tuple[str, ...]
    missing: tuple[str, ...]
    yours: bool

    @property
    def asked(self) -> bool:
        """Somebody has asked it."""
        return bool(self.agreed)

    @property
    def said(self) -> str:
        """The question in one sentence."""
        names = ", ".join(self.agreed)
        if self.what == PAUSE:
            return ngettext("{names} asks for a pause.", "{names} ask for a pause.", len(self.agreed), names=names)
        if self.what == GO_ON:
            return ngettext("{names} wants to go on.", "{names} want to go on.", len(self.agreed), names=names)
        if self.agreed:
            return _("{name} has been gone for a while. A bot shall play on, say: {names}.", name=self.name, names=names)
        return _("{name} has been gone for a while.", name=self.name)


class Together:
    """The agreements of a table, and who is there."""

    def __init__(self, table: Table):
        self.table = table
        self.wishes: frozenset[Wish] = frozenset()  # as the database has them
        self._begun = time.monotonic()
        self._seen: dict[int, float] = {}
        self._alarm: asyncio.TimerHandle | None = None

    @property
    def timed(self) -> bool:
        """A clock runs, or would if the table were not paused: a pause needs agreement."""
        match = self.table.match
        return match is not None and not match.over and bool(self.table.clock.clock or match.clock)

    # --- who is there ---

    def see(self, seat: int) -> None:
        """Somebody looks from a seat, or has just stopped; their absence is no question any more."""
        if seat >= 0:
            self._seen[seat] = time.monotonic()
            if any(what == _gone(seat) for what, _seat in self.wishes):
                self._drop(_gone(seat))
        if self._alarm is None:
            self._watch()

    def _watch(self) -> None:
        """Whoever looks is told when somebody is gone."""
        away = [self._away_for(seat) for seat, place in enumerate(self.table.seats) if place.kind == "human"]
        soon = [self.table.settings.gone - one for one in away if one < self.table.settings.gone]
        if soon and self.table.viewers:
            with contextlib.suppress(RuntimeError):  # no event loop
                self._alarm = asyncio.get_running_loop().call_later(min(soon) + 0.05, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        if not self.table.gone:
            self.table.tell()
            self._watch()

    def _away_for(self, seat: int) -> float:
        return 0.0 if self.table.online(seat) else time.monotonic() - self._seen.get(seat, self._begun)

    def there(self, seat: int) -> bool:
        """A person plays this seat and is there."""
        seen = seat in self._seen or self.table.online(seat)
        return self.table.seats[seat].kind == "human" and seen and self._away_for(seat) < LATELY

    def gone(self, seat: int) -> bool:
        """The table waits for a person who has not been there for some minutes."""
        awaited = self.table.seats[seat].kind == "human" and not self.table.clock.slow and seat in self.table.decisions
        return awaited and self._away_for(seat) >= self.table.settings.gone

    # --- agreeing ---

    def wish(self, seat: int, what: str, agrees: bool = True) -> bool:
        """A seat agrees, or refuses, which ends the question; true if it is done now. Raises Refused."""
        about = self._about(what)
        if self.table.seats[seat].kind != "human" or seat == about:
            raise Refused(409, _("The other people at the table decide that."))
        if not agrees:
            self._drop(what)
            return False
        mine = (what, seat)
        if mine not in self.wishes:
            self.table.store.wish(self.table.id, mine)
            self.wishes |= {mine}
        if self._missing(what, about):
            self.table.tell()
            return False
        self._drop(what)
        if what in (PAUSE, GO_ON):
            self.table.set_pace(None, what == PAUSE)
        else:
            self.table.substitute(about)
        return True

    def _about(self, what: str) -> int:
        """Whom a question is about; −1: nobody. Raises Refused if it is none just now."""
        if self.table.status == "playing" and what == (GO_ON if self.table.paused else PAUSE):
            return -1
        for seat in range(len(self.table.seats)):
            if what == _gone(seat) and self.gone(seat):
                return seat
        raise Refused(409, _("There is nothing of the kind to agree on just now; please look again."))

    def _agreed(self, what: str) -> list[int]:
        return sorted(seat for one, seat in self.wishes if one == what)

    def _missing(self, what: str, about: int) -> list[int]:
        """Who is there and does not agree yet."""
        agreed = self._agreed(what)
        return [seat for seat in range(len(self.table.seats)) if seat != about and seat not in agreed and self.there(seat)]

    def _drop(self, what: str) -> None:
        self.table.store.unwish(self.table.id, what)
        self.wishes = frozenset(wish for wish in self.wishes if wish[0] != what)
        self.table.tell()

    def questions(self, you: int) -> tuple[Question, ...]:
        """What is to be decided just now, as a viewer sees it."""
        if self.table.status != "playing":
            return ()
        pause = GO_ON if self.table.paused else PAUSE
        asked = [(pause, -1)] if self._agreed(pause) else []
        asked += [(_gone(seat), seat) for seat in range(len(self.table.seats)) if self.gone(seat)]
        return tuple(self._question(what, about, you) for what, about in asked)

    def _question(self, what: str, about: int, you: int) -> Question:
        def named(some: Collection[int]) -> tuple[str, ...]:
            return tuple(marked(self.table.seats[seat].name) for seat in some)

        agreed = self._agreed(what)
        person = you >= 0 and self.table.seats[you].kind == "human"
        yours = person and you != about and you not in agreed
        name = marked(self.table.seats[about].name) if about >= 0 else ""
        return Question(what, name, named(agreed), named(self._missing(what, about)) if agreed else (), yours)


def _gone(seat: int) -> str:
    return f"{GONE} {seat}"
