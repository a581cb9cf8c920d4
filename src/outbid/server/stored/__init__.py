"""What the database keeps, in values: a table with its seats, moves and times, names, ratings and notices.

The tables of the server (domain) and the database (storage) both know these; the domain needs no database for them.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, Any, NamedTuple
from zoneinfo import ZoneInfo

from outbid.server.stored import days_off

if TYPE_CHECKING:
    from outbid.core.match import Match

PAUSE, GO_ON = "pause", "go on"  # what can be agreed on at a table (votes.py), as far as the database acts on it
AUCTION = -1  # the place of an auction's time among those of the seats
BOTS, FOREVER = -2, 1e18  # the place, and the end, of the time in which bots are to act
PAUSED = "paused"  # no question: who paused the table
CHANGED = "changed"  # "changed 2": before a match the person of seat 2 has to agree to what the host has changed


class Conflict(Exception):
    """Another process has changed the table meanwhile."""


class House(NamedTuple):
    """What the host decides about a table, and who that is. next: where the same people play again. study: who sits down
    lets the laboratory read the match (records.py). playtest: in which it counts (storage/playtests.py). talk: whether what
    is said is a part of the match, and may be said to one alone (core/talk.py)."""

    host: int = 0
    listed: bool = False
    starts: str = "full"
    chat: bool = True
    next: str | None = None
    study: bool = False
    playtest: str | None = None
    talk: str = "none"


@dataclass(frozen=True)
class Time:
    """The time of one seat. rest: seconds, while it rests. due: when it is up, while it runs. since: when it began to.

    missed: decisions in a row that a bot played because there was no time. votes: bit mask: who agrees that a bot takes
    the seat. vacation: the end of the one that `due` leaves out. Weekends count, unless it is said that they are off.
    """

    rest: float
    due: float | None = None
    since: float = 0
    missed: int = 0
    votes: int = 0
    vacation: float = 0

    def left(self, now: float, weekends: bool = False) -> float:
        """Seconds that are left at a moment."""
        return self.rest if self.due is None else days_off.counted(max(now, self.since, self.vacation), self.due, weekends)

    def running(self, now: float, weekends: bool = False) -> Time:
        """The time of a seat that runs from now on, or from the end of a vacation."""
        if self.due is not None:
            return self
        return replace(self, due=days_off.later(max(now, self.vacation), self.rest, weekends), since=now)

    def stopped(self, now: float, weekends: bool = False) -> Time:
        """The time of a seat that rests."""
        return replace(self, rest=max(0.0, self.left(now, weekends)), due=None)

    def away(self, until: float, now: float, weekends: bool = False) -> Time:
        """The time of a seat whose person is on vacation until another moment than was known (0: on none)."""
        if self.due is None or max(until, now) == max(self.vacation, now):
            return self
        return replace(self.stopped(now, weekends), vacation=until).running(now, weekends)


@dataclass(frozen=True)
class DaysOff:
    """What is off the clocks of a table. weekends: of all seats; vacations: by seat, when they end."""

    weekends: bool = False
    vacations: Mapping[int, float] = field(default_factory=dict[int, float])

    def until(self, seat: int) -> float:
        """When the vacation of a seat ends (0: there is none); an auction by outcry waits for all who might bid."""
        return max(self.vacations.values(), default=0) if seat == AUCTION else self.vacations.get(seat, 0)

    def running(self, seat: int, time: Time, now: float) -> Time:
        """The time of a seat that runs from now on."""
        return time if time.due else replace(time, vacation=self.until(seat)).running(now, self.weekends)

    def applied(self, times: Mapping[int, Time], now: float) -> dict[int, Time]:
        """Times of which some may have been written when less was known of vacations."""
        return {seat: time.away(self.until(seat), now, self.weekends) for seat, time in times.items()}


@dataclass(frozen=True)
class Seat:
    """A seat of a table. kind: human, bot or open. token: SHA-256 of the secret of the player, if any.

    owner: the kept name of the player. The database is asked for it: here it may be old. hints: taken so far. rated: who
    sits there stood on the ladder when the match began. agent: a program plays that is no bot of ours. colour: which of
    the six colours, each with a shape; none: that of the seat's number."""

    kind: str
    name: str
    bot: str | None
    seed: int
    token: str | None = None
    owner: str | None = field(default=None, compare=False)
    hints: int = 0
    rated: bool = False
    colour: int | None = None
    agent: bool = False

    @property
    def awaited(self) -> bool:
        """Before the match: the seat is empty, or its person has not come yet."""
        return self.kind == "open" or (self.kind == "human" and self.token is None)

    @property
    def away(self) -> bool:
        """A bot sits here for a person, who may take the seat back."""
        return self.kind == "bot" and self.token is not None


def seated(seat: Seat, name: str, token: str, owner: str | None = None) -> Seat:
    """An open seat taken by a person."""
    return replace(seat, kind="human", name=name, token=token, owner=owner)


@dataclass(frozen=True)
class Move:
    """A row of a table: a move as it is stored, or {"take_back": n}, by which all moves but the first n are taken back.

    `said` is the move without its seat (none: the clock); by: the bot that made it in place of the player or the bot of the
    seat."""

    seat: int | None
    said: dict[str, Any]
    command: str | None = None
    public: Mapping[str, str] = field(default_factory=dict)  # a bot's reason by language
    private: Mapping[str, str] = field(default_factory=dict)
    by: str = ""

    @property
    def mark(self) -> dict[str, Any]:
        """What the record says beside the move."""
        return {"by": self.by} if self.by else {}

    @property
    def left(self) -> int | None:
        """How many moves are left when this takes moves back; none: it is a move."""
        return self.said["take_back"] if "do" not in self.said else None


def standing(rows: Iterable[Move]) -> list[tuple[int, Move]]:
    """The moves that stand, of all rows of a table, each with the number of its row."""
    stand: list[tuple[int, Move]] = []
    for number, row in enumerate(rows):
        if row.left is None:
            stand.append((number, row))
        else:
            del stand[row.left :]
    return stand


@dataclass(frozen=True)
class Stored:
    """A table as it lies in the database."""

    id: str
    game: str
    rules: str
    options: dict[str, Any]
    deal: dict[str, Any]
    status: str
    pace: str
    paused: bool
    seats: tuple[Seat, ...]
    moves: tuple[Move, ...] = field(default=())
    leaves: float | None = None
    host: int = 0
    listed: bool = False
    starts: str = "full"
    chat: bool = True
    next: str | None = None
    clock: str = ""
    hints: str = ""
    day: str | None = None
    study: bool = False
    weekends: bool = False
    evening: str | None = None
    playtest: str | None = None
    variant: str | None = None  # of the playtest, as it was drawn
    talk: str = "none"
    times: Mapping[int, Time] = field(default_factory=dict)
    acting: bool = False  # bots are to act
    vacations: Mapping[int, float] = field(default_factory=dict)  # by seat, when they end
    orders: Mapping[tuple[int, str], dict[str, Any]] = field(default_factory=dict)  # by seat and what they are about
    wishes: frozenset[tuple[str, int]] = frozenset()  # what, and the seat that agrees
    opinions: Mapping[tuple[int, str], int] = field(default_factory=dict)  # of the match, by seat and question of a playtest

    @classmethod
    def of(
        cls, match: Match, id: str, seats: Iterable[Seat], moves: Iterable[Mapping[str, Any]] | None = None, **facts: Any
    ) -> Stored:
        """The table of a match. moves: those that were made at it (none: all of the match). facts: the pace, and whatever is
        not as usual."""
        book, rows = match.rulebook, match.moves if moves is None else moves
        return cls(
            id=id, game=book.id, rules=book.rules_id, options=dict(match.options), deal=match.deal, paused=False,
            seats=tuple(seats),
            moves=tuple(Move(move["seat"], {key: value for key, value in move.items() if key != "seat"}) for move in rows),
            **{"status": "over" if match.over else "playing", **facts},
        )  # fmt: skip

    @property
    def house(self) -> House:
        """What the host decides."""
        return House(self.host, self.listed, self.starts, self.chat, self.next, self.study, self.playtest, self.talk)


# --- people, what they say, how they are rated ------------------------------------------------------------------------


@dataclass(frozen=True)
class KeptName:
    """A name that is kept: as it is compared, as it is shown, and the hash of its password."""

    key: str
    name: str
    password: str


@dataclass(frozen=True)
class StoredMessage:
    """A message. room: who hears it (chat.py); who: what names its sender at this table; at: seconds. to: the seat that
    alone hears it; after: how many moves before it, if it is a part of the match."""

    id: int
    room: str
    who: str
    name: str
    text: str
    at: float
    to: int | None = None
    after: int | None = None

    @property
    def seat(self) -> int:
        """The seat of its sender; −1: a spectator's."""
        kind, _dash, number = self.who.rpartition("-")
        return int(number) if kind == "seat" else -1


HUMAN, BOT, AGENT = "human", "bot", "agent"
MU, SIGMA = 25.0, 25.0 / 3  # of who has not played

Player = tuple[str, str]  # human, agent or bot; a kept name as it is compared, or a bot's name


class Rating(NamedTuple):
    """What is known of a player: the mean and the deviation of what they are worth, and after how many matches."""

    mu: float = MU
    sigma: float = SIGMA
    matches: int = 0


# --- who is told of a turn --------------------------------------------------------------------------------------------


MAIL, HOOK, PUSH = "mail", "hook", "push"


def zone(name: str) -> tzinfo | None:
    """The time zone of a name, as browsers and systems have it; none: it is not known here, or no longer."""
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        return None


class Browser(NamedTuple):
    """Where a browser takes messages, and what they are encrypted with: its public key and a secret that it shares."""

    endpoint: str
    key: str
    secret: str


@dataclass(frozen=True)
class Notice:
    """A person's wish to be told. quiet: the hours from and until which nothing is sent in their zone (in UTC, where it is
    not known any more); none: always. keys: of a browser, what its messages are encrypted with (push.py)."""

    id: str
    kind: str
    address: str
    secret: str
    quiet: tuple[int, int] | None
    zone: str
    language: str
    confirmed: bool
    trouble: str | None = None
    sent: float = 0.0
    keys: str = ""

    @classmethod
    def of(cls, row: Any) -> Notice:
        """The notice of a row."""
        quiet = None if row.quiet_from is None else (row.quiet_from, row.quiet_until)
        facts = (row.zone, row.language, row.confirmed is not None, row.trouble, row.sent or 0.0, row.keys or "")
        return cls(row.id, row.kind, row.address, row.secret, quiet, *facts)

    def proof(self, what: str) -> str:
        """What a link says to show that it came from a letter of this notice."""
        return hmac.digest(self.secret.encode(), f"{what} {self.id}".encode(), "sha256").hex()[:32]

    def proves(self, what: str, proof: str) -> bool:
        """Whether a link says that."""
        return hmac.compare_digest(self.proof(what).encode(), proof.encode("utf-8", "replace"))

    def awake(self, now: float) -> float:
        """The first moment from now on that is not in the quiet hours."""
        if self.quiet is None or self.quiet[0] == self.quiet[1]:
            return now
        begins, ends = self.quiet
        local = datetime.fromtimestamp(now, zone(self.zone) or UTC)
        asleep = begins <= local.hour < ends if begins < ends else local.hour >= begins or local.hour < ends
        if not asleep:
            return now
        end = local.replace(hour=ends, minute=0, second=0, microsecond=0)
        return (end if end > local else end + timedelta(days=1)).timestamp()


@dataclass(frozen=True)
class Turn:
    """A seat that was asked after so many moves."""

    table: str
    seat: int
    number: int


@dataclass(frozen=True)
class Watched:
    """A seat in a match, of a person who wants to be told. moves: of the match; told: the newest turn they were told of (−1:
    of none); seen: when another process last saw the person there."""

    table: str
    seat: int
    moves: int
    told: int
    seen: float
    notices: tuple[str, ...]


@dataclass(frozen=True)
class Parcel:
    """What is sent to one person at once: turns, or, if `special`, the question whether they want it, or one to try."""

    notice: Notice
    letters: tuple[int, ...]
    turns: tuple[Turn, ...]
    tries: int

    @property
    def special(self) -> bool:
        """A letter of no table is among them."""
        return len(self.letters) > len(self.turns)
