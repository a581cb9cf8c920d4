"""Days that are off the clocks of a table: its weekends, and the vacations of its people.

Both are there where every decision has a day or more, and both are counted in UTC. Weekends are an option of the table: its
Saturdays and Sundays, for everybody. A vacation is that of a kept name, at all its tables at once. It begins when it is
taken, never before, and lasts until the end of a day; `MOST` days a calendar year may be used, and each day on which there
was vacation is used once, also if it was cut short.

A deadline lies behind all days off that are known when it is set, and is moved when a vacation is taken or cut short. So
nothing need happen when weekends and vacations begin and end, and whatever looks at deadlines follows them.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime

from outbid.core.language.i18n import _
from outbid.server.settings import Refused

MOST = 14  # days of vacation a year
DAY = 24 * 3600
WORKING, WEEK = 5 * DAY, 7 * DAY
MONDAY = 4 * DAY  # the first Monday of 1970

Vacation = tuple[float, float]  # when it begins and ends


def daily(clock: str) -> bool:
    """A clock, as it is written (clocks.py), gives a day or more for every decision."""
    return clock.endswith("d") or (clock.endswith("h") and int(clock[:-1]) * 3600 >= DAY)


def _worked(moment: float) -> float:
    """Seconds since the first Monday of 1970 that were no weekend."""
    weeks, passed = divmod(moment - MONDAY, WEEK)
    return weeks * WORKING + min(passed, WORKING)


def counted(begins: float, ends: float, weekends: bool = False) -> float:
    """Seconds between two moments; weekends: they do not count."""
    return _worked(ends) - _worked(begins) if weekends else ends - begins


def later(begins: float, seconds: float, weekends: bool = False) -> float:
    """The moment when so many seconds have counted since another; weekends: they do not count."""
    if not weekends:
        return begins + seconds
    weeks, passed = divmod(_worked(begins) + seconds, WORKING)
    return MONDAY + weeks * WEEK + passed


def midnight(moment: float, days: int) -> float:
    """The end of the last of so many days from a moment on; the day of the moment is the first."""
    return moment // DAY * DAY + days * DAY


def last_day(ends: float) -> str:
    """The last day of a vacation, as pages name it."""
    return datetime.fromtimestamp(ends - 1, UTC).date().isoformat()


def used(vacations: Iterable[Vacation]) -> Counter[int]:
    """How many days of each year were vacation, or will be."""
    days = {day for begins, ends in vacations for day in range(int(begins // DAY), int(-(-ends // DAY)))}
    return Counter(datetime.fromtimestamp(day * DAY, UTC).year for day in days)


def check(vacations: Iterable[Vacation]) -> None:
    """These are not too many days of any year. Raises Refused."""
    for year, days in used(vacations).items():
        if days > MOST:
            facts = {"most": MOST, "days": days, "year": year}
            raise Refused(409, _("There are {most} days of vacation a year; this would make {days} in {year}.", **facts))
