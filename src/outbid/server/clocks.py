"""Clocks of a table: how long each seat has, and when its time is up. Pure arithmetic on moments that are handed in.

A table has no clock, or one of two kinds, written as one word:

    180+15   live: 180 seconds for the match and 15 more for every decision; more than 180 are never saved
    12h, 3d  slow: so many hours or days for every decision

An auction by outcry has a deadline of its own, whatever the clock of the table: it is set anew by every bid.

What a seat has left is a `Time`. While it runs, `due` says when it is up; deadlines lie in the database with the move that
set them (store.py). Times run for seats of people who are asked; all rest while the table is paused, and the time during
which no server was there is added (watch.py). Who runs out is played for: that one decision is made by a bot.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from outbid.engine import tongue
from outbid.engine.errors import BadSetup

AUCTION = -1  # the place of an auction's time among those of the seats
MINUTE, HOUR, DAY = 60, 3600, 24 * 3600
LIVE, SLOW = re.compile(r"([0-9]{1,5})\+([0-9]{1,4})"), re.compile(r"([1-9][0-9]{0,2})([hd])")
LONGEST_BANK, LONGEST_INCREMENT, LONGEST_EACH = 10 * HOUR, HOUR, 60 * DAY
PRESETS = ("", "60+10", "180+15", "600+30", "12h", "1d", "3d")
STAND_IN = "steady"  # the bot that plays a decision for which there was no time

_, ngettext = tongue.words("outbid")


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


@dataclass(frozen=True)
class Time:
    """The time of one seat. rest: seconds, while it does not run. due: when it is up, while it runs. since: when it began to.

    missed: decisions in a row that a bot played because there was no time.
    """

    rest: float
    due: float | None = None
    since: float = 0
    missed: int = 0

    def left(self, now: float) -> float:
        """Seconds that are left."""
        return self.rest if self.due is None else self.due - now

    def running(self, now: float) -> Time:
        """It runs from now on."""
        return replace(self, due=now + self.rest, since=now) if self.due is None else self

    def stopped(self, now: float) -> Time:
        """It rests."""
        return replace(self, rest=max(0.0, self.left(now)), due=None)


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


def sentence(clock: Clock | None) -> str:
    """What a clock means, in one sentence."""
    if clock is None:
        return _("No clock: everybody takes the time they need.")
    if clock.each and clock.word.endswith("h"):
        return ngettext("Slow: {n} hour for every decision.", "Slow: {n} hours for every decision.", round(clock.each / HOUR))
    if clock.each:
        return ngettext("Slow: {n} day for every decision.", "Slow: {n} days for every decision.", round(clock.each / DAY))
    more = round(clock.increment)
    if clock.bank % MINUTE:
        return _("Live: {n} seconds for the match, {more} more with every decision.", n=round(clock.bank), more=more)
    return ngettext(
        "Live: {n} minute for the match, {more} seconds more with every decision.",
        "Live: {n} minutes for the match, {more} seconds more with every decision.",
        round(clock.bank / MINUTE),
        more=more,
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
) -> dict[int, Time]:
    """The times after the table has gone on. was, asked: whose time ran before and runs now; kept: for the same question."""
    made = dict(times)
    for seat, time in times.items():
        if clock is None or seat == AUCTION:
            continue
        if seat in was and not (seat in kept and seat in asked):
            time = replace(time, rest=clock.answered(time.left(now)), due=None)
        if seat in asked and not (seat in kept and seat in was):
            time = replace(time, rest=clock.asked(time.rest), due=None)
            time = time if paused else time.running(now)
        made[seat] = time
    return made


def outcry(times: Times, seconds: float | None, now: float, paused: bool) -> dict[int, Time]:
    """The same with the time of an auction by outcry, which begins anew; seconds: how long it waits, none: there is none."""
    made = dict(times)
    if seconds is not None:
        time = Time(seconds)
        made[AUCTION] = time if paused else time.running(now)
    elif AUCTION in made:
        made[AUCTION] = replace(made[AUCTION], due=None)
    return made


def paused(times: Times, now: float) -> dict[int, Time]:
    """All times rest."""
    return {seat: time.stopped(now) for seat, time in times.items()}


def resumed(times: Times, now: float, asked: Collection[int]) -> dict[int, Time]:
    """The times of these places run on."""
    return {seat: time.running(now) if seat in asked else time for seat, time in times.items()}


def changed(old: Times, new: Times) -> dict[int, Time]:
    """What is new."""
    return {seat: time for seat, time in new.items() if old.get(seat) != time}
