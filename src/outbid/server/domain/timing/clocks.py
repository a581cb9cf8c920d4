"""Clocks of a table: how long each seat has, and when its time is up.

A table has no clock, or one of two kinds, written as one word:

    180+15   live: 180 seconds for the match and 15 more for every decision; more than 180 are never saved
    12h, 3d  slow: so many hours or days for every decision

An auction by outcry has a deadline of its own, whatever the clock of the table: it is set anew by every bid.

What a seat has left is a `Time`. While it runs, `due` says when it is up; deadlines lie in the database with the move that
set them (store.py), and beside them whether bots are to act (`BOTS`): another server reads it if this one is killed. Times
run for seats of people who are asked; all rest while the table is paused, and the time during which no server was there is
added (deadlines.py). Weekends and vacations may be off (days_off.py). Who runs out is played for: that one decision is made
by a bot. Where a decision has hours or days and the match counts for the ladder, a bot goes on for who runs out if no other
person is left to be asked; the seat can be taken back.
"""

from __future__ import annotations

import contextlib
import math
import re
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol

from outbid.core.errors import BadSetup
from outbid.core.hooks.outcome import Outcome
from outbid.core.language.i18n import _, ngettext
from outbid.core.language.names import marked
from outbid.core.language.phrases import countdown
from outbid.core.match import Match
from outbid.server.parts import Around, PartOfTable
from outbid.server.settings import Refused
from outbid.server.stored import AUCTION, BOTS, FOREVER, DaysOff, Time, days_off

MINUTE, HOUR, DAY = 60, 3600, 24 * 3600
LIVE, SLOW = re.compile(r"([0-9]{1,5})\+([0-9]{1,4})"), re.compile(r"([1-9][0-9]{0,2})([hd])")
LONGEST_BANK, LONGEST_INCREMENT, LONGEST_EACH = 10 * HOUR, HOUR, 60 * DAY
PRESETS = ("", "60+10", "180+15", "600+30", "12h", "1d", "3d")
HOLD = 3.0  # seconds after an outcome that concerns a seat until its time runs: its page shows that first (director.js)
STAND_IN = "steady"  # the bot that plays a decision for which there was no time


@dataclass(frozen=True)
class Clock:
    """A table's clock: a bank and an increment, or a time for each decision. All in seconds."""

    word: str
    bank: float = 0
    increment: float = 0
    each: float = 0

    @property
    def fresh(self) -> float:
        """What a seat has at the beginning."""
        return self.each or self.bank

    def asked(self, rest: float) -> float:
        """What there is for a decision, of a rest."""
        return self.each or rest + self.increment

    def answered(self, left: float) -> float:
        """What is saved of what was left after a decision."""
        return self.each or min(max(left, 0), self.bank)


NONE_OFF = DaysOff()

Times = Mapping[int, Time]


def parse(word: str) -> Clock | None:
    """The clock that a word names; none for no clock. Raises BadSetup."""
    word = word.strip()
    live, slow = LIVE.fullmatch(word), SLOW.fullmatch(word)
    if live and int(live[1]) <= LONGEST_BANK and 1 <= int(live[2]) <= LONGEST_INCREMENT:
        return Clock(word, bank=int(live[1]), increment=int(live[2]))
    if slow and int(slow[1]) * (HOUR if slow[2] == "h" else DAY) <= LONGEST_EACH:
        return Clock(word, each=int(slow[1]) * (HOUR if slow[2] == "h" else DAY))
    if word not in ("", "none"):
        raise BadSetup(
            _(
                "There is no clock {word}; it is none, seconds for the match and for every decision such as 180+15, "
                "or hours or days for every decision such as 12h or 3d.",
                word=repr(word[:20]),
            )
        )
    return None


def check_weekends(clock: Clock | None, off: bool) -> None:
    """Weekends may be off this clock. Raises BadSetup."""
    if off and not (clock and days_off.daily(clock.word)):
        raise BadSetup(_("Weekends can be off the clock only where every decision has a day or more: choose 1d or 3d."))


def meaning(clock: Clock | None, weekends: bool) -> str:
    """What a clock means, also on weekends, in one or two sentences."""
    off = " " + _("Saturday and Sunday (UTC) are off the clock.") if weekends else ""
    return sentence(clock) + off


def sentence(clock: Clock | None) -> str:
    """What a clock means, in one sentence."""
    if clock is None:
        return _("No clock: everybody takes the time they need.")
    if clock.each and clock.word.endswith("h"):
        hours = round(clock.each / HOUR)
        return ngettext("Slow: {n} hour for every decision.", "Slow: {n} hours for every decision.", hours)
    if clock.each:
        days = round(clock.each / DAY)
        return ngettext("Slow: {n} day for every decision.", "Slow: {n} days for every decision.", days)
    more = round(clock.increment)
    pace = _("Blitz") if clock.bank <= MINUTE else _("Live") if clock.bank < 10 * MINUTE else _("Unhurried")
    if clock.bank % MINUTE:
        seconds = {"n": round(clock.bank), "more": more, "pace": pace}
        return _("{pace}: {n} seconds for the match, {more} more with every decision.", **seconds)
    return ngettext(
        "{pace}: {n} minute for the match, {more} more with every decision.",
        "{pace}: {n} minutes for the match, {more} more with every decision.",
        round(clock.bank / MINUTE),
        more=ngettext("{n} second", "{n} seconds", more),
        pace=pace,
    )


def begun(clock: Clock | None, seats: int) -> dict[int, Time]:
    """The times of all seats before anybody is asked."""
    return {seat: Time(clock.fresh) for seat in range(seats)} if clock else {}


def turned(
    times: Times,
    clock: Clock | None,
    now: float,
    was: Collection[int],
    asked: Collection[int],
    kept: Collection[int] = (),
    paused: bool = False,
    off: DaysOff = NONE_OFF,
) -> dict[int, Time]:
    """The times after the table has gone on. was, asked: whose time ran before and runs now; kept: for the same question."""
    after = dict(times)
    for seat, old in times.items():
        if clock is None or seat == AUCTION:
            continue
        left = old
        if seat in was and not (seat in kept and seat in asked):
            left = replace(left, rest=clock.answered(left.left(now, off.weekends)), due=None)
        if seat in asked and not (seat in kept and seat in was):
            left = replace(left, rest=clock.asked(left.rest), due=None)
            left = left if paused else off.running(seat, left, now)
        after[seat] = left
    return after


def outcry(times: Times, seconds: float | None, now: float, paused: bool, off: DaysOff = NONE_OFF) -> dict[int, Time]:
    """Times with that of an auction by outcry, which begins anew; seconds: how long it waits, none: there is none."""
    renewed = dict(times)
    if seconds is not None:
        renewed[AUCTION] = Time(seconds) if paused else off.running(AUCTION, Time(seconds), now)
    elif AUCTION in renewed:
        renewed[AUCTION] = replace(renewed[AUCTION], due=None)
    return renewed


def paused(times: Times, now: float, off: DaysOff = NONE_OFF) -> dict[int, Time]:
    """All times rest."""
    return {seat: old.stopped(now, off.weekends) for seat, old in times.items()}


def resumed(times: Times, now: float, asked: Collection[int], off: DaysOff = NONE_OFF) -> dict[int, Time]:
    """The times of these places run on."""
    return {seat: off.running(seat, old, now) if seat in asked else old for seat, old in times.items()}


def changed(old: Times, new: Times) -> dict[int, Time]:
    """What is new."""
    return {seat: time for seat, time in new.items() if old.get(seat) != time}


class AroundClock(Around, Protocol):
    """What a clock is given of its table, whose clock it is."""

    clock: Running

    def absent(self, seat: int) -> bool:
        """The person of a seat has not been there for some minutes."""


class Running(PartOfTable[AroundClock]):
    """The clock of one table as it runs. `times`: what is left to each seat, and to an auction by outcry; `off`: the days
    on which it rests."""

    def __init__(self, table: AroundClock, word: str, times: Times, acting: bool = False, off: DaysOff = NONE_OFF):
        super().__init__(table)
        self.clock = parse(word)
        self.times: dict[int, Time] = dict(times)
        self.acting = acting  # bots were to act when the table was read: they have waited
        self.off = off

    @property
    def closes(self) -> float | None:
        """When an auction by outcry is closed."""
        return self.times[AUCTION].due if AUCTION in self.times else None

    @property
    def slow(self) -> bool:
        """Every decision has a time of its own."""
        return self.clock is not None and self.clock.each > 0

    @property
    def soonest(self) -> tuple[float, int] | None:
        """The deadline that is next, and whose it is."""
        running = ((time.due, seat) for seat, time in self.times.items() if time.due and seat != AUCTION)
        return min(running, default=None)

    def thinking(self, seat: int, until: float | None = None) -> tuple[float, float]:
        """How many seconds a bot may think for a seat, and how many there are by the clock on the wall: never more than the
        seat has left, or an auction, or there are until a moment (as the event loop counts)."""
        now = self.table.now()
        left = [math.inf]
        left += [self.left(seat)] if seat in self.times else []
        left += [self.closes - now] if self.closes else []
        left += [until - time.monotonic()] if until is not None else []
        wall = max(0.0, min(left))
        return min(self.table.settings.thinking, wall), wall

    def left(self, seat: int) -> float:
        """How many seconds a seat has left, or an auction by outcry."""
        return self.times[seat].left(self.table.now(), self.off.weekends)

    def on_vacation(self, seat: int) -> float:
        """Until when the person of a seat is on vacation; 0: they are not."""
        until = self.off.until(seat) if self.table.seats[seat].kind == "human" else 0
        return until if until > self.table.now() else 0

    def timed(self) -> set[int]:
        """Whose time runs, unless the table is paused: people who are asked, except in an auction by outcry."""
        return self._timed(self.table.match)

    def _timed(self, match: Match | None) -> set[int]:
        if self.clock is None or match is None or match.clock:
            return set()
        return {seat for seat in match.asked if self.table.seats[seat].kind == "human"}

    @property
    def outcry(self) -> float | None:
        """How many seconds an auction by outcry waits for a bid; none: there is none just now."""
        return self._outcry(self.table.match)

    def _outcry(self, match: Match | None) -> float | None:
        if not (match and match.clock):
            return None
        return self.clock.each if self.clock and self.slow else self.table.settings.auction_seconds

    def start(self) -> dict[int, Time]:
        """The times of a match that was just begun or read; what is new."""
        match, now, times = self.table.match, self.table.now(), self.times
        if match is None or match.over:
            return {}
        times = self.off.applied(times, now)
        if self.clock and not times.keys() - {AUCTION}:
            fresh, asked, rests = begun(self.clock, match.players), self.timed(), self.table.paused
            times = {**times, **turned(fresh, self.clock, now, (), asked, (), rests, self.off)}
        if self.outcry is not None:
            old = times.get(AUCTION)
            late = old and old.left(now, self.off.weekends) > self.outcry  # another server waited longer
            if old is None or late or (old.due is None and not self.table.paused):
                times = outcry(times, self.outcry, now, self.table.paused, self.off)
        return {**changed(self.times, times), **self._acting(self.acting, match)}

    def take(self, news: Times) -> None:
        """What is new has been written."""
        self.times |= {place: time for place, time in news.items() if place != BOTS}

    def acts(self, match: Match | None) -> bool:
        """Bots are asked."""
        return match is not None and any(self.table.seats[seat].kind == "bot" for seat in match.asked)

    def _acting(self, before: bool | None, after: Match | None) -> dict[int, Time]:
        """Whether bots are to act, if that is new."""
        acts = self.acts(after)
        return {} if acts == before else {BOTS: Time(0, FOREVER if acts else None)}

    def moved(self, after: Match, mover: int | None, late: bool) -> dict[int, Time]:
        """What is new when a move is made; after: the match then; late: there was no time left for the move."""
        now, was, asked = self.table.now(), self.timed(), self._timed(after)
        kept = [seat for seat in was if seat != mover] if mover is not None else ()
        times = turned(self.times, self.clock, now, was, asked, kept, self.table.paused, self.off)
        for seat in asked.difference(kept) if self.clock and self.clock.bank else ():
            if (time := times[seat]).due and self._sees(after, seat):
                times[seat] = replace(time, due=time.due + HOLD, since=time.since + HOLD)
        if mover in times:
            old = times[mover]
            times[mover] = replace(old, missed=old.missed + 1) if late else replace(old, missed=0, votes=0)
        times = outcry(times, self._outcry(after), now, self.table.paused, self.off)
        return {**changed(self.times, times), **self._acting(self.acts(self.table.match), after)}

    def _sees(self, after: Match, seat: int) -> bool:
        """Whether the last move has an outcome that concerns a seat."""
        if len(after.moves) <= len(self.table.playing.moves):
            return False  # moves were taken back
        before = [(move["seat"], move["do"]) for move in reversed(after.moves[:-1])]
        told = self.table.playing.tidings(after, seat)
        return any(isinstance(line, Outcome) and line.concerns(seat, before) for line in told)

    def pausing(self, rests: bool) -> dict[int, Time]:
        """What is new when the table is paused or goes on."""
        now = self.table.now()
        places = self.timed() | ({AUCTION} if self.outcry is not None else set())
        times = paused(self.times, now, self.off) if rests else resumed(self.times, now, places, self.off)
        return changed(self.times, times)

    def seated(self, seat: int, was: Collection[int]) -> dict[int, Time]:
        """What is new when a bot has taken a seat or a person has come back."""
        asked = self.timed()
        times = turned(self.times, self.clock, self.table.now(), was, asked, asked, self.table.paused, self.off)
        if seat in times:
            times[seat] = replace(times[seat], missed=0, votes=0)
        return {**changed(self.times, times), **self._acting(None, self.table.match)}

    # --- who is late ---

    def late(self, seat: int) -> bool:
        """A person who ran out of time and has not moved since."""
        return self.table.seats[seat].kind == "human" and seat in self.times and self.times[seat].missed > 0

    def voters(self, seat: int) -> list[int]:
        """Who must agree that a bot takes the seat: the other people, except those who are late themselves or absent."""
        people = [other for other, place in enumerate(self.table.seats) if place.kind == "human" and other != seat]
        return [other for other in people if not self.late(other) and not self.table.absent(other)]

    def agreed(self, seat: int) -> list[int]:
        """Who agrees so far."""
        return [voter for voter in self.voters(seat) if self.times[seat].votes >> voter & 1]

    async def vote(self, voter: int, seat: int, agrees: bool) -> None:
        """A seat agrees that a bot takes another, or does so no longer. Raises Refused."""
        if not (0 <= seat < len(self.table.seats) and self.late(seat)):
            raise Refused(409, _("Only who has run out of time, and has not moved since, can be replaced by a bot."))
        if voter == seat or self.table.seats[voter].kind != "human":
            raise Refused(403, _("The other people at the table decide that."))
        await self.table.store.aside(self.table.store.vote, self.table.id, seat, voter, agrees)
        old = self.times[seat]
        self.times[seat] = replace(old, votes=old.votes | 1 << voter if agrees else old.votes & ~(1 << voter))
        self.table.tell()
        await self.settle()

    async def settle(self) -> None:
        """A bot takes a seat if all who must agree do."""
        for seat in self._settled():
            with contextlib.suppress(Refused):  # it has just been done elsewhere
                await self.table.substitute(seat)

    def settle_soon(self) -> None:
        """Settle when nobody else changes the table: something came by itself."""
        if next(self._settled(), None) is not None:
            self.table.soon(self.settle)

    def _settled(self) -> Iterator[int]:
        for seat in range(len(self.table.seats)):
            voters = self.voters(seat) if self.late(seat) else None
            alone = self.slow and self.table.counts()  # nobody waits for days to be rated, one decision after the other
            if voters is not None and (voters or alone) and self.agreed(seat) == voters:
                yield seat


# --- what everybody sees ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ClockFace:
    """The clock of one seat as everybody sees it.

    due: when it runs out, in ms, while it runs; at: the same by the clock on the wall, in s. rest: seconds that are left,
    while it does not. missed: decisions in a row that a bot played. agree: names of those who agree that a bot takes the
    seat; need: how many must. ask: you are asked whether you agree; agreed: you do. away: a bot has taken the seat.
    vacation: when that of its person ends, in ms, if they are on one, and last_day: the last day of it."""

    index: int
    name: str
    you: bool
    due: int | None = None
    at: float = 0
    rest: int | None = None
    missed: int = 0
    agree: tuple[str, ...] = ()
    need: int = 0
    ask: bool = False
    agreed: bool = False
    away: bool = False
    vacation: int | None = None
    last_day: str = ""

    @property
    def until(self) -> str:
        """When it runs out, for a page without script."""
        return f"{datetime.fromtimestamp(self.at, UTC):%Y-%m-%d %H:%M:%S} UTC"

    @property
    def moment(self) -> str:
        """When it runs out, for programs and for the script of a page, which says it in the zone of its reader."""
        return f"{datetime.fromtimestamp(self.at, UTC):%Y-%m-%dT%H:%M:%SZ}"

    @property
    def left(self) -> str:
        """What is left while it does not run."""
        return countdown(self.rest or 0)


def faces(table: AroundClock, you: int) -> tuple[ClockFace, ...]:
    """The clocks of all seats that have something to show."""
    if table.status != "playing":
        return ()
    running = table.clock
    shown = []
    for seat, place in enumerate(table.seats):
        if place.away:
            shown.append(ClockFace(seat, marked(place.name), seat == you, away=True))
        elif place.kind == "human" and seat in running.times:
            vacation = running.on_vacation(seat)
            face = ClockFace(seat, marked(place.name), seat == you)
            if vacation:
                last_day = days_off.last_day(table.store.moments.by_wall(vacation))
                face = replace(face, vacation=round(vacation * 1000), last_day=last_day)
            if not running.slow or seat in running.timed():
                has = running.times[seat]
                face = replace(face, due=round(has.due * 1000) if has.due else None, missed=has.missed)
                face = replace(face, at=table.store.moments.by_wall(has.due) if has.due else 0)
                face = replace(face, rest=None if has.due else round(has.rest))
                shown.append(_voted(running, face, you) if running.late(seat) else face)
            elif vacation:
                shown.append(face)
    return tuple(shown)


def _voted(running: Running, face: ClockFace, you: int) -> ClockFace:
    """The clock of a seat with the votes of the others that a bot takes it."""
    voters, agreed = running.voters(face.index), running.agreed(face.index)
    names = tuple(marked(running.table.seats[voter].name) for voter in agreed)
    return replace(face, agree=names, need=len(voters), ask=you in voters, agreed=you in agreed)
