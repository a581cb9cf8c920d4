"""The deal of the day: one deal for everybody, the same on every server, against the same bots.

The date (UTC) says everything: which of this package's games it is (those that name `rivals`, one a day in turn), the deal,
the bots and their random streams. The rules are as given, and nobody has hints. So the deal can be computed beforehand, by
this program; the page says so, and such a match counts for nothing. A table remembers its day (`tables.day`).

What bots make of the same seat is measured here, in a process of its own at the lowest priority, begun when the first person
plays the deal: `runs.duplicate` plays it again and again. Results are kept in the database as they come, [place, points] for
each match, so that a restart loses nothing and a match is measured once. The best match of `strong` becomes a table.

How people did is written with the last move of their match (storage/results.py) and is theirs to show. Nobody is told
anything of it, or of the bots', before their own first match of the day is over.

    today(), days(n)     the date of the moment, the last dates
    deal_of(day)         the deal of a date
    Measuring            what bots make of it, measured in the background
    BotComparison        a result beside those of a bot
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any

from outbid.bots import called, known
from outbid.core.hooks.offer import offer_of
from outbid.core.language.i18n import _, ngettext
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook, by_id, rulebooks
from outbid.server.domain import records
from outbid.server.domain.contests import ladder
from outbid.server.domain.setup import Order
from outbid.server.logging import log
from outbid.server.settings import Refused
from outbid.server.stored import Conflict

FIRST = "2026-01-01"
SEAT = 0  # where the person sits
NICE = 19  # everything else comes first
EVERY = 1.0  # seconds between two reports
PATIENCE = 1800.0  # seconds without one; the first time a bot is compiled
AGAIN = 600.0  # seconds until a measurement that failed is tried again
BEST = "strong"  # whose best match is shown
KEPT = 60  # days of the archive; so long results are kept (storage/results.py)
METHOD = 1  # of measuring; another one makes all results anew

if TYPE_CHECKING:
    import multiprocessing.connection

    from sqlalchemy import Connection

    from outbid.server.storage.store import Store

Results = Sequence[Sequence[int]]  # place (1 is the first) and points of each match


def today() -> str:
    """The date of the moment, UTC."""
    return datetime.now(UTC).date().isoformat()


def days(count: int) -> list[str]:
    """The last days, today first: as many as that, if there were deals."""
    last = date.fromisoformat(today())
    return [day for n in range(count) if (day := (last - timedelta(n)).isoformat()) >= FIRST]


def ours(book: Rulebook) -> bool:
    """Every server has this game."""
    return str(book.words.__package__).startswith("outbid.games.")


def games() -> list[Rulebook]:
    """The games that take turns."""
    return [book for _id, book in sorted(rulebooks().items()) if ours(book) and offer_of(book).rivals]


@dataclass(frozen=True)
class DailyDeal:
    """The deal of a day."""

    day: str
    book: Rulebook
    bots: tuple[str, ...]

    def number(self, what: str) -> int:
        """A number that follows from the day: 62 bits."""
        digest = hashlib.sha256(f"outbid deal of the day {self.day} {self.book.id} {what}".encode()).digest()
        return int.from_bytes(digest[:8], "big") >> 2

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.bots) + 1

    @property
    def format(self) -> str:
        """By what results are measured: rules, company and method."""
        return f"{METHOD} {self.book.rules_id} {' '.join(self.bots)}"[:80]

    @cached_property
    def dealt(self) -> dict[str, Any]:
        """The deal as a record writes it."""
        return Match.new(self.book, {}, self.players, self.number("deal")).deal

    def order(self, name: str, again: bool = False) -> Order:
        """The table of a person who plays it; again: with hints, and it counts nowhere."""
        seeds = [self.number(f"seat {seat}") for seat in range(1, self.players)]
        facts: dict[str, Any] = {"hints": "on"} if again else {"hints": "off", "day": self.day}
        return Order(self.book.id, self.players, name, self.bots, seed=self.number("deal"), seeds=seeds, **facts)


def deal_of(day: str) -> DailyDeal:
    """The deal of a date. Raises Refused."""
    try:
        at = date.fromisoformat(day)
    except ValueError:
        at = None
    rotation = games()
    if at is None or at.isoformat() != day or not FIRST <= day <= today() or not rotation:
        raise Refused(404, _("There is no deal of that day here."))
    book = rotation[at.toordinal() % len(rotation)]
    return DailyDeal(day, book, offer_of(book).rivals)


def result_of(scores: Sequence[int], winners: Sequence[int]) -> list[int]:
    """Place and points of the person's seat."""
    return [ladder.places(scores, winners)[SEAT] + 1, scores[SEAT]]


def ending(table: ladder.Countable, match: Match) -> Callable[[Connection], None]:
    """What is to be written with the last move of a match."""
    assert table.day
    place, points = result_of(match.scores, match.winners)
    return table.store.result(table.id, table.day, place=place, points=points, stood_in=stood_in(match))


def stood_in(match: Match) -> int:
    """How many moves a bot made for the person."""
    return sum(match.moves[number]["seat"] == SEAT for number in match.marks)


# --- a result beside others -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BotComparison:
    """A result beside those of a bot. better, same: how many of 100 matches it surpasses and equals; won: how many of 100
    the bot won; usual: the points between which half of its matches ended, and the middle."""

    bot: str
    matches: int
    of: int
    better: int
    same: int
    won: int
    usual: tuple[int, int, int]
    points: tuple[int, ...]

    @property
    def whole(self) -> bool:
        """All matches are there."""
        return self.matches >= self.of


def standing(bot: str, mine: Sequence[int], results: Results, of: int) -> BotComparison | None:
    """A result beside those of a bot: by place, then by points; none without any."""
    if not results:
        return None
    own, count = (mine[0], -mine[1]), len(results)
    others = [(place, -points) for place, points in results]
    points = sorted(points for _place, points in results)
    quarters = tuple(points[round((count - 1) * part / 4)] for part in (1, 2, 3))
    return BotComparison(
        bot, count, of,
        better=100 * sum(other > own for other in others) // count,
        same=100 * sum(other == own for other in others) // count,
        won=round(100 * sum(place == 1 for place, _points in results) / count),
        usual=(quarters[0], quarters[1], quarters[2]), points=tuple(points),
    )  # fmt: skip


BLOCKS = 10  # of the line that one pastes


def line(deal: DailyDeal, mine: Sequence[int], story: str, standings: Sequence[BotComparison], link: str) -> str:
    """What one pastes to a friend: the result and how one stood after each round, and nothing of the deal. link: to the
    deal, none where the browser writes it."""
    place, points = mine
    facts = {"day": deal.day, "game": deal.book.title, "place": place, "players": deal.players}
    sentence = ngettext(
        "Outbid, deal of the day {day}, {game}: place {place} of {players}, {n} point",
        "Outbid, deal of the day {day}, {game}: place {place} of {players}, {n} points",
        points, **facts,
    )  # fmt: skip
    lines = [sentence, _("{story} how I stood, round by round", story=story)]
    for standing in standings:
        full = round(standing.better * BLOCKS / 100)
        bar = "▰" * full + "▱" * (BLOCKS - full)
        lines.append(_("{bar} better than {n} % of {bot}", bar=bar, n=standing.better, bot=_(standing.bot)))
    return "\n".join(filter(None, [*lines, link]))


# --- measuring in the background --------------------------------------------------------------------------------------


class Measuring:
    """What bots make of deals, measured one deal at a time. wanted: how many matches of which bot."""

    def __init__(self, store: Store, wanted: Mapping[str, int]):
        self.store = store
        self.wanted = dict(wanted)
        self._tried: dict[str, float] = {}
        self._queue: list[DailyDeal] = []
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._process: Any = None
        self._open = True

    def results(self, deal: DailyDeal) -> dict[str, list[list[int]]]:
        """What is there already, by bot, in the order in which they are measured."""
        kept = self.store.daily(deal.day, deal.format)
        return {bot: kept.get(bot, [])[:most] for bot, most in self.wanted.items()}

    def begin(self, deal: DailyDeal) -> bool:
        """Measure what is missing, unless it is being done; whether something is missing."""
        measured = all(len(results) >= self.wanted[bot] for bot, results in self.results(deal).items())
        if measured and (BEST not in self.wanted or self.store.best(deal.day) or deal.day not in days(KEPT)):
            return False
        with self._lock:
            waits = time.monotonic() - self._tried.get(deal.day, -AGAIN) < AGAIN
            if self._open and not waits and deal.day not in [queued.day for queued in self._queue]:
                self._tried[deal.day] = time.monotonic()
                self._queue.append(deal)
                if self._thread is None:
                    self._thread = threading.Thread(target=self._run, name="daily", daemon=True)
                    self._thread.start()
        return True

    def _run(self) -> None:
        """In a thread of its own: one deal after the other."""
        while True:
            with self._lock:
                if not self._queue or not self._open:
                    self._thread = None
                    return
                deal = self._queue[0]
            try:
                self._measure(deal)
            except Exception as error:
                if self._open:
                    log.warning("The deal of %s could not be measured: %s", deal.day, str(error) or type(error).__name__)
            with self._lock:
                self._queue.pop(0)

    def _measure(self, deal: DailyDeal) -> None:
        """Start the process and listen to it."""
        from multiprocessing.connection import Pipe

        from outbid.bots.worker import background

        measured = self.results(deal)
        line, other = Pipe()
        missing = {bot: (len(measured[bot]), most) for bot, most in self.wanted.items()}
        args = (other, deal.book.id, deal.dealt, deal.bots, deal.number("company"), missing, measured.get(BEST, ()))
        process = self._process = background(work, *args, nice=NICE)
        try:
            if not self._open:
                return
            process.start()
            other.close()
            while line.poll(PATIENCE):
                bot, results = line.recv()
                if bot is None:
                    return self._keep(deal, results) if results else None
                measured[bot] += results
                self.store.keep_daily(deal.day, bot, deal.format, measured[bot])
            raise TimeoutError
        finally:
            line.close()
            if process.pid is not None:
                if process.is_alive():
                    process.kill()
                process.join()

    def _keep(self, deal: DailyDeal, record: dict[str, Any]) -> None:
        """The best match is a table from now on."""
        place, points = result_of(record["scores"], record["winners"])
        names = [BEST]
        for _bot in deal.bots:
            names.append(called(names))
        table = replace(records.table_of({**record, "players": names}), day=deal.day)
        with contextlib.suppress(Conflict):  # a table of such a record is there
            self.store.add(table)
        self.store.write(self.store.result(table.id, deal.day, place=place, points=points, best=True))

    async def close(self) -> None:
        """Nothing is measured any more."""
        self._open = False
        if self._process is not None and self._process.pid is not None and self._process.is_alive():
            self._process.kill()
        thread = self._thread
        if thread is not None:
            await asyncio.to_thread(thread.join, 10.0)


def work(
    line: multiprocessing.connection.Connection, game: str, dealt: Any, company: Sequence[str], seed: int,
    missing: Mapping[str, tuple[int, int]], before: Results,
) -> None:  # fmt: skip
    """In a process of its own: play the missing matches; says (bot, new results), and (none, record of the best match of
    `strong`) at the end. before: what is there already of `strong`."""
    reported, results, strong = time.monotonic(), dict[str, list[list[int]]](), list(before)
    with contextlib.suppress(OSError):  # nobody listens any more
        for bot, number in ordered(missing):
            match = played(by_id(game), dealt, company, seed, bot, number)
            results.setdefault(bot, []).append(result_of(match.scores, match.winners))
            strong += results[bot][-1:] if bot == BEST else []
            if time.monotonic() - reported > EVERY:
                for news in results.items():
                    line.send(news)
                reported, results = time.monotonic(), {}
        for news in results.items():
            line.send(news)
        best = min(range(len(strong)), key=lambda number: (strong[number][0], -strong[number][1]), default=None)
        line.send((None, None if best is None else played(by_id(game), dealt, company, seed, BEST, best).record()))


def ordered(missing: Mapping[str, tuple[int, int]]) -> list[tuple[str, int]]:
    """The missing matches as they are played: all bots come on alike, and those that must be compiled come last."""
    pairs = [(bot, number) for bot, (first, most) in missing.items() for number in range(first, most)]
    return sorted(pairs, key=lambda pair: (hasattr(known(pair[0]), "prepare"), pair[1] / missing[pair[0]][1]))


def played(book: Rulebook, dealt: Any, company: Sequence[str], seed: int, bot: str, number: int) -> Match:
    """Match `number` of a bot in the person's seat."""
    from outbid.runs.duplicate import duplicate, variants

    return duplicate(book, {}, dealt, [bot, *company], seed, number, {SEAT: variants(book, bot)})
