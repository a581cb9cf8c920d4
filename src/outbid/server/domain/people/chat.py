"""What people say at a table: those who sit at it among themselves, and apart from them those who watch.

The two rooms are apart in both directions, as on lichess and Rally the Troops: who watches must not whisper to a seat, and
friends who talk at a table are not overheard by others with the link. When the match is over nothing can be given away any
more, and those who played read what was said around them; what they said stays theirs.

Messages lie in the database with the table and go with it. Each reader can mute a person, for this browser (a cookie); the
host can switch the chat off. Who watches says a name, which is no other's here; the cookie `watcher` tells them apart.

Where the players talk (House.talk), what they say is a part of the match: agents hear it and talk, too, it stands in the
record, and if talk is private, a message may be for one seat alone. It stands only in the records of these two. Elsewhere
agents hear and say nothing.

A message that is one of six signs (`:bravo:`) is shown as a drawing, for a moment also at the seat of its sender. So signs
are limited, muted and switched off as all that is said.
"""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from outbid.core.errors import BadSetup
from outbid.core.language import i18n, names
from outbid.core.language.i18n import _
from outbid.server import tokens
from outbid.server.domain import setup
from outbid.server.domain.people.audience import Viewer
from outbid.server.parts import Around, PartOfTable
from outbid.server.settings import Refused
from outbid.server.storage.notifications import Unreachable
from outbid.server.stored import StoredMessage

if TYPE_CHECKING:
    from outbid.server.storage.people import PeopleStore

SIGNS = {
    "bravo": i18n.N_("Well done!"), "laugh": i18n.N_("Haha!"), "oh": i18n.N_("Oh!"), "ouch": i18n.N_("Ouch!"),
    "poker": i18n.N_("I show nothing."), "hurry": i18n.N_("Your turn, please!"),
}  # fmt: skip
SEATS, WATCHERS = "seats", "watchers"  # rooms
COOKIE = "watcher"
LONGEST = 300  # characters of a message
SHOWN = 200  # messages that are read again after a restart
MOST = 1000  # messages of a room; then the oldest goes
MUTED = 50  # persons that a browser can mute at a table


def cleaned(text: str) -> str:
    """A message that stays on its line, without what cannot be shown. Raises BadSetup if nothing is left, or too much."""
    kept = (" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in names.without_turns(text))
    text = " ".join(names.unpiled("".join(kept)).split())
    if not names.visible(text) or len(text) > LONGEST:
        raise BadSetup(_("A message has 1 to {longest} characters.", longest=LONGEST))
    return text


def who_of(table: str, seat: int, watcher: str | None) -> str:
    """What names a person in the chat of a table, and tells nothing else."""
    return f"seat-{seat}" if seat >= 0 else f"watcher-{tokens.hashed(f'{table} {watcher}')[:12]}" if watcher else ""


@dataclass(frozen=True)
class Reader:
    """A reader: a seat or a spectator (−1), their name, and the people they have muted."""

    seat: int
    who: str
    muted: frozenset[str] = frozenset()


@dataclass(frozen=True)
class ChatLine:
    """A message as its reader sees it. at: in UTC; the script of the page says it in the zone of its reader. sign: which one
    it is, if it is one. to: the seat that alone heard it beside its sender, and what it is called."""

    id: int
    who: str
    name: str
    text: str
    mine: bool
    watcher: bool
    at: datetime
    sign: str = ""
    to: int | None = None
    to_name: str = ""


@dataclass(frozen=True)
class Talk:
    """The chat of a table as one reader sees it. name: a spectator's earlier name; talk: as in House; others: whom one can
    talk to alone, by seat."""

    table: str
    seat: int
    on: bool
    host: bool
    name: str
    lines: tuple[ChatLine, ...]
    talk: str = "none"
    others: Mapping[int, str] = field(default_factory=dict[int, str])
    longest: int = LONGEST

    @property
    def signs(self) -> list[tuple[str, str]]:
        """The signs that can be sent, and their words."""
        return [(name, _(words)) for name, words in SIGNS.items()]


class AroundChat(Around, Protocol):
    """What the chat is given of its table."""

    viewers: set[Viewer]

    @property
    def moves_made(self) -> int:
        """How many moves there are."""


class Chat(PartOfTable[AroundChat]):
    """What was said at one table, in the order in which this process heard of it."""

    def __init__(self, table: AroundChat):
        super().__init__(table)
        self._said: list[StoredMessage] | None = None
        self._places: list[int] = []  # of these messages in the order in which they were heard
        self._known: set[int] = set()
        self.heard_of = 0  # so many messages so far
        self._altered = 0  # how often some were taken away or changed

    @cached_property
    def _people(self) -> PeopleStore:
        from outbid.server.storage.people import PeopleStore

        return PeopleStore(self.table.store)

    @property
    def said(self) -> list[StoredMessage]:
        """All messages that are kept in memory; none as long as the database has never answered."""
        if self._said is None:
            try:
                stored = [message for room in (SEATS, WATCHERS) for message in self._people.said(self.table.id, room, SHOWN)]
            except Unreachable:
                return []
            self._said = []
            self._hear(sorted(stored, key=lambda message: message.id))
        return self._said

    def _hear(self, new: list[StoredMessage]) -> None:
        """These messages are new; of each room the oldest are forgotten."""
        messages = [*zip(self._places, self._said or (), strict=True), *enumerate(new, self.heard_of)]
        self.heard_of += len(new)
        for room in (SEATS, WATCHERS):
            heard = [pair for pair in messages if pair[1].room == room]
            if len(heard) > 2 * MOST:
                gone = {place for place, _one in heard[:-MOST]}
                messages = [pair for pair in messages if pair[0] not in gone]
        self._places, self._said = [place for place, _one in messages], [message for _place, message in messages]
        self._known |= {message.id for message in new}
        if len(self._known) > 8 * MOST:
            self._known = {message.id for message in self._said}

    def catch_up(self) -> None:
        """Hear what was said elsewhere; viewers are told."""
        if self._said is None:
            return
        since = max(self._known, default=0) - 20  # of two that are written at once the later may be seen first
        new = [message for message in self._people.since(self.table.id, since) if message.id not in self._known]
        if new:
            self._hear(new)
            for viewer in self.table.viewers:
                viewer.wake()

    def look_again(self) -> None:
        """Forget what is not there any more, and name people as they are called now, as they or the operator want."""
        if not self._said:
            return
        stored = {m.id: m for m in self._people.since(self.table.id, min(m.id for m in self._said) - 1)}
        pairs = [(place, stored[m.id]) for place, m in zip(self._places, self._said, strict=True) if m.id in stored]
        if any(stored.get(m.id) != m for m in self._said if m.id > min(stored, default=0)):
            self._altered += 1  # not only the oldest are gone, for which there was no room
            self.table.tell()
        self._places, self._said = [place for place, _m in pairs], [message for _place, message in pairs]

    async def say(
        self, reader: Reader, name: str, text: str, owner: str | None = None, own: str | None = None, to: int | None = None
    ) -> None:
        """Say something; owner: the kept name of who watches; own: the same, if that is the name they say; to: the seat that
        alone hears it. Raises Refused, BadSetup."""
        if not self.table.house.chat:
            raise Refused(403, _("The host has switched the chat off."))
        if self._shut_out(reader.seat):
            raise Refused(403, _("Agents do not talk at this table."))
        if to is not None and to not in self._others(reader.seat):
            raise Refused(400, _("Nobody here can be talked to alone at that seat."))
        text, _said = cleaned(text), self.said
        if reader.seat >= 0:
            name, owner = self.table.seats[reader.seat].name, self.table.seats[reader.seat].owner
        else:
            name = self._watcher_called(name or self.name_of(reader), reader, own)
        room = SEATS if reader.seat >= 0 else WATCHERS
        in_match = room == SEATS and self.table.house.talk != "none" and self.table.status == "playing"
        after = self.table.moves_made if in_match else None
        message = StoredMessage(0, room, reader.who, name, text, time.time(), to, after)
        await self.table.store.aside(self._people.say, self.table.id, message, MOST, owner)
        self.catch_up()

    def _shut_out(self, seat: int) -> bool:
        """Whether an agent sits here who takes no part in what people say."""
        return seat >= 0 and self.table.seats[seat].agent and self.table.house.talk == "none"

    def _others(self, seat: int) -> dict[int, str]:
        """Whom a seat can talk to alone in a match: its people and agents. Before it another may come to sit there."""
        if seat < 0 or self.table.house.talk != "private" or self.table.match is None:
            return {}
        return {n: other.name for n, other in enumerate(self.table.seats) if other.token is not None and n != seat}

    def _hears(self, reader: Reader, message: StoredMessage) -> bool:
        """Whether a reader is told of a message, unless they have muted its sender."""
        if message.room not in self.rooms(reader.seat) or self._shut_out(reader.seat):
            return False
        return message.to is None or (reader.seat >= 0 and reader.seat in (message.seat, message.to))

    def of_match(self) -> list[StoredMessage]:
        """What those who sit here have said, as the database has it."""
        return spoken(self.table.store, self.table.id)

    def _watcher_called(self, name: str, reader: Reader, own: str | None) -> str:
        others = [message.name for message in self.said if message.who != reader.who]
        taken = [*others, *(seat.name for seat in self.table.seats)]
        return setup.nickname(name, self.table.settings.nickname, taken, own)

    def name_of(self, reader: Reader) -> str:
        """What a reader was called when they spoke last."""
        return next((message.name for message in reversed(self.said) if message.who == reader.who), "")

    def rooms(self, seat: int) -> tuple[str, ...]:
        """What a reader hears."""
        if seat < 0:
            return (WATCHERS,)
        return (SEATS, WATCHERS) if self.table.status == "over" else (SEATS,)

    def heard(self, reader: Reader, since: int = 0) -> tuple[ChatLine, ...]:
        """The messages that a reader hears, of those after so many (`heard_of`)."""
        messages = self.said  # which may be read only now, and then have places
        later = [message for place, message in zip(self._places, messages, strict=False) if place >= since]
        new = (message for message in later if self._hears(reader, message) and message.who not in reader.muted)
        seats = [seat.name for seat in self.table.seats]
        ordered = new if since else sorted(new, key=lambda message: message.id)
        return tuple(_line(message, reader, seats) for message in ordered)

    def talk(self, reader: Reader) -> Talk:
        """The chat as a reader sees it."""
        name = "" if reader.seat >= 0 else self.name_of(reader)
        house, others = self.table.house, self._others(reader.seat)
        host = reader.seat == house.host
        return Talk(self.table.id, reader.seat, house.chat, host, name, self.heard(reader), house.talk, others)

    def state(self, reader: Reader) -> tuple[Any, ...]:
        """What the region depends on, apart from its messages."""
        return self.table.house.chat, self.rooms(reader.seat), self._altered, self._shut_out(reader.seat)

    def people(self, reader: Reader) -> dict[str, str]:
        """Everybody who is heard, or would be, by what names them."""
        heard = (message for message in self.said if self._hears(reader, message))
        return {message.who: message.name for message in heard if message.who != reader.who}


def spoken(store: Any, table: str) -> list[StoredMessage]:
    """What those who sit at a table have said, as the database has it, the oldest first."""
    from outbid.server.storage.people import PeopleStore

    return PeopleStore(store).said(table, SEATS, MOST)


def _line(message: StoredMessage, reader: Reader, seats: Sequence[str]) -> ChatLine:
    at = datetime.fromtimestamp(message.at, UTC)
    mine = message.who == reader.who
    sign = next((name for name in SIGNS if message.text == f":{name}:"), "")
    text = _(SIGNS[sign]) if sign else names.unpiled(message.text)  # of an older version
    to = "" if message.to is None else seats[message.to]
    return ChatLine(message.id, message.who, message.name, text, mine, message.room == WATCHERS, at, sign, message.to, to)


# --- muting -----------------------------------------------------------------------------------------------------------


def mute_cookie(table: str) -> str:
    """The cookie in which a browser remembers the people it has muted."""
    return f"mute-{table}"


def muted_of(cookies: Mapping[str, str], table: str) -> frozenset[str]:
    """Whom a browser does not want to hear at a table."""
    return frozenset(cookies.get(mute_cookie(table), "").split("."))


def written(muted: Collection[str], known: Iterable[str]) -> str:
    """The muted people as the cookie has them."""
    return ".".join(sorted(set(muted) & set(known))[:MUTED])


def reader_of(cookies: Mapping[str, str], table: str, seat: int) -> Reader:
    """Who a browser is in the chat of a table."""
    return Reader(seat, who_of(table, seat, cookies.get(COOKIE)), muted_of(cookies, table))
