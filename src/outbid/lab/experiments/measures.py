"""Measures: what is said of every match in one number, each with a definition and where the idea comes from.

`MEASURES` are those that every game has; a game adds its own (core/hooks/measuring.py), and an experiment may name a
function in a file: "mine.py:richest", a function (final states, players) -> one number a match; or "match:mine.py:bluffs",
a function of a finished Match, which is called for a sample (sample.py).

A new one for all games is an entry in `MEASURES`, its sentences in locale/de.po and a row in docs/lab.md; the loop
(runs/loops/observed.py) changes only if it must count something new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.core.errors import BadSetup
from outbid.core.hooks.measuring import Measure
from outbid.core.language.i18n import N_
from outbid.core.language.phrases import meant
from outbid.core.packages import once
from outbid.core.rulebook import Rulebook
from outbid.runs.loops import observed as loop
from outbid.runs.things import things_of

Numbers = NDArray[np.float64]

SHARE = "share"
SHARES = (SHARE, "%", "probability")  # units that are written in per cent
SEAT_SPREAD = "seat_spread"  # of all matches of a cell together, from the shares of its seats
CURVE, KNOWN_AT = "curve", "known_at"  # what the judge looks at, and what of it decides
SEAT_GAP = "seat_gap"  # shown beside it, and compared with nothing
LEGAL = ("decisions", "minutes", "forced", "branching")  # count what is legal: they may differ where all is played alike
RARE = 0.001  # a thing that is used in fewer matches is dead
THING_EDGE = "thing_edge"  # of all matches of a cell together, from the uses of its things
INTERACTION = "interaction"  # of a sample, whose decisions are made otherwise
BROWNE = "Browne and Maire, Evolutionary game design (2010)"
JUDGE = "outbid analyse (docs/review.md)"
JAQUES = "Jaques and others, Social influence as intrinsic motivation (2019)"
HICK = "Hick, On the rate of gain of information (1952)"


@dataclass(frozen=True)
class TimeModel:
    """How long people take. move: seconds for a move, be it forced; bit: seconds more for each halving of the choices
    (Hick's law). Seats that are asked at once think at once."""

    move: float = 2.0
    bit: float = 1.5

    def minutes(self, rows: NDArray[np.int64]) -> Numbers:
        """The minutes of matches, (M,)."""
        waited, bits = rows[:, loop.WAITED] / loop.PARTS, rows[:, loop.BITS] / (1000 * loop.PARTS)
        return (self.move * waited + self.bit * bits) / 60


@dataclass(frozen=True)
class Seen:
    """Matches of a block, from which measures are computed. rows, seats: as in observed.py."""

    rows: NDArray[np.int64]
    seats: NDArray[np.int64]
    time: TimeModel

    @property
    def players(self) -> int:
        return self.seats.shape[1]

    @property
    def winners(self) -> NDArray[np.int64]:
        """How many winners, (M,); 0 where a match was stopped unfinished."""
        return np.bitwise_count(self.rows[:, loop.WON]).astype(np.int64)

    @property
    def shares(self) -> Numbers:
        """What each seat has of the victory, (M, P)."""
        won = self.rows[:, loop.WON][:, None] >> np.arange(self.players) & 1
        return np.asarray(won / np.maximum(self.winners, 1)[:, None])

    @property
    def scores(self) -> Numbers:
        """The scores from the best down, (M, P)."""
        return -np.sort(-self.seats[:, :, loop.SCORE].astype(float), 1)

    @property
    def first(self) -> NDArray[np.int64]:
        """Who is asked first, (M,); seat 0 where all are asked at once."""
        return np.maximum(self.rows[:, loop.FIRST], 0)

    @property
    def order(self) -> NDArray[np.int64]:
        """The place of each seat, clockwise from who is asked first, (M, P)."""
        return (np.arange(self.players) - self.first[:, None]) % self.players

    def part(self, column: int, of: int) -> Numbers:
        """One column as a part of another, (M,)."""
        return np.asarray(self.rows[:, column] / np.maximum(self.rows[:, of], 1))

    def share_of_place(self, place: int) -> Numbers:
        """The share of the victory of who moves at this place, beyond the equal share, (M,)."""
        return np.asarray((self.shares * (self.order == place)).sum(1) - 1 / self.players)


@dataclass(frozen=True)
class LabMeasure:
    """One measure. of: the numbers of matches; none where a sample is played for it (sample.py): "skill", "exploit". least:
    what it never falls below. chance: a share of matches or victories, whose interval is Wilson's (less the equal share,
    where it falls below 0). phrases: in a sentence that it is more, that it is less, and its name; none: the title is.
    matters: the smallest difference that does; of shares themselves, of all others as a part of the baseline's mean."""

    name: str
    title: str
    definition: str
    of: Callable[[Seen], Any] | None = None
    unit: str = ""
    better: str = ""
    digits: int = 1
    source: str = ""
    least: float = 0.0
    chance: bool = False
    phrases: tuple[str, ...] = ()
    matters: float = 0.02

    def smallest(self, mean: float) -> float:
        """The smallest difference that matters beside such a mean; 0 if that cannot be said."""
        return self.matters if self.unit in SHARES else self.matters * abs(mean)

    def described(self) -> dict[str, Any]:
        return {key: getattr(self, key) for key in ("title", "definition", "source", "unit", "better", "digits")}

    @classmethod
    def read(cls, name: str, facts: Mapping[str, Any]) -> LabMeasure:
        """A measure from what was `described` of it."""
        known = KNOWN.get(name) or cls(name, name, "")
        return replace(known, **{key: facts[key] for key in known.described() if key in facts})

    def spoken(self, say: Callable[[str], str]) -> LabMeasure:
        """The measure in the language of a catalog, but for its phrases."""
        unit = self.unit if self.unit in SHARES else say(self.unit)
        return replace(self, title=say(self.title), definition=say(self.definition), source=say(self.source), unit=unit)

    @property
    def scale(self) -> float:
        """100 for shares, which are written in per cent."""
        return 100.0 if self.unit in SHARES else 1.0

    @property
    def shown_unit(self) -> str:
        """The unit as it is written behind a number."""
        return "%" if self.scale == 100 else self.unit


def _reversed(seen: Seen) -> Any:
    half = seen.rows[:, loop.HALFWAY]
    return (half >= 0) & (seen.rows[:, loop.WON] >> np.maximum(half, 0) & 1 == 0)


def _runaway(seen: Seen) -> Any:
    half = seen.rows[:, loop.HALFWAY]
    won = seen.rows[:, loop.WON] >> np.maximum(half, 0) & 1 == 1
    return (half >= 0) & won & (2 * seen.rows[:, loop.SETTLED] <= seen.rows[:, loop.TURNS])


def _beyond(seen: Seen) -> Any:
    """How much of the match its later winner did not lead: drama."""
    led = seen.seats[:, :, loop.LED] * (seen.shares > 0)
    return 1 - led.sum(1) / np.maximum(seen.rows[:, loop.TURNS], 1)


MEASURES = (
    LabMeasure("turns", N_("Moves"), N_("moves as players say them (a bid, an offer, a payment), forced ones too"),
            lambda m: m.rows[:, loop.TURNS], N_("moves"),
            phrases=(N_("a match is {x} moves longer"), N_("a match is {x} moves shorter"), N_("the length of a match"))),
    LabMeasure("decisions", N_("Decisions"), N_("moves in which the player had a choice"),
            lambda m: m.rows[:, loop.DECISIONS], N_("moves"),
            phrases=(N_("players make {x} more decisions in a match"), N_("players make {x} fewer decisions in a match"),
                     N_("the number of decisions"))),
    LabMeasure("minutes", N_("Minutes"),
            N_("estimated playing time: a constant for each move and one for each halving of the choices; "
               "players who are asked at once think at once"), lambda m: m.time.minutes(m.rows), N_("minutes"), source=HICK,
            phrases=(N_("a match takes {x} minutes more"), N_("a match takes {x} minutes less"),
                     N_("the time a match takes"))),
    LabMeasure("steps", N_("Actions"), N_("actions of the engine: a bid of 170 is said in several"),
            lambda m: m.rows[:, loop.STEPS], N_("actions"), digits=0,
            phrases=(N_("a match has {x} more actions"), N_("a match has {x} fewer actions"), N_("the number of actions"))),
    LabMeasure("forced", N_("Forced moves"), N_("share of the moves in which only one thing was legal"),
            lambda m: 1 - m.part(loop.DECISIONS, loop.TURNS), SHARE, "lower", 3,
            phrases=(N_("{x} more moves in a hundred leave no choice"), N_("{x} fewer moves in a hundred leave no choice"),
                     N_("the share of moves without a choice"))),
    LabMeasure("branching", N_("Choices"), N_("mean number of legal actions where there was a choice"),
            lambda m: m.part(loop.CHOICES, loop.FREE), N_("actions"), digits=2,
            phrases=(N_("a decision has {x} more options"), N_("a decision has {x} fewer options"),
                     N_("the number of options at a decision"))),
    LabMeasure("ties", N_("Shared victories"), N_("share of the matches with several winners"),
            lambda m: m.winners > 1, SHARE, "lower", 3, chance=True,
            phrases=(N_("{x} more matches in a hundred end in a tie"), N_("{x} fewer matches in a hundred end in a tie"),
                     N_("the share of ties"))),
    LabMeasure("stalled", N_("Unfinished"), N_("share of the matches that were stopped at the bound on their length"),
            lambda m: m.winners == 0, SHARE, "lower", 4, chance=True,
            matters=0.005, phrases=(N_("{x} more matches in a hundred are stopped unfinished"),
                     N_("{x} fewer matches in a hundred are stopped unfinished"),
                     N_("the share of matches that are stopped unfinished"))),
    LabMeasure("top", N_("Best score"), N_("the highest score"), lambda m: m.scores[:, 0], N_("points"), least=-inf,
            matters=0.05,
            phrases=(N_("the winning score is {x} higher"), N_("the winning score is {x} lower"), N_("the winning score"))),
    LabMeasure("mean_score", N_("Mean score"), N_("mean of all scores"),
            lambda m: m.scores.mean(1), N_("points"), least=-inf,
            matters=0.05,
            phrases=(N_("the mean score is {x} higher"), N_("the mean score is {x} lower"), N_("the mean score"))),
    LabMeasure("margin", N_("Margin"), N_("the best score less the second best"),
            lambda m: m.scores[:, 0] - m.scores[:, 1], N_("points"),
            matters=0.05, phrases=(N_("the winner is {x} points further ahead of the second"),
                     N_("the winner is {x} points less far ahead of the second"),
                     N_("the lead of the winner over the second"))),
    LabMeasure("spread", N_("Spread"), N_("standard deviation of the scores in a match"),
            lambda m: m.scores.std(1), N_("points"),
            matters=0.05,
            phrases=(N_("the scores lie {x} points further apart"), N_("the scores lie {x} points closer together"),
                     N_("the spread of the scores"))),
    LabMeasure("lead_changes", N_("Lead changes"),
            N_("how often another player took the lead in points, as if the match ended then"),
            lambda m: m.rows[:, loop.LEADS], N_("changes"), digits=2, source=BROWNE,
            matters=0.05, phrases=(N_("the lead changes hands {x} times more in a match"),
                     N_("the lead changes hands {x} times less in a match"),
                     N_("the number of lead changes"))),
    LabMeasure("settled_at", N_("Lead decided at"), N_("part of the match after which a winner was never behind again"),
            lambda m: m.part(loop.SETTLED, loop.TURNS), SHARE, "higher", 3, BROWNE,
            phrases=(N_("the winner takes the lead for good {x} % of the match later"),
                     N_("the winner takes the lead for good {x} % of the match earlier"),
                     N_("the moment when the winner takes the lead for good"))),
    LabMeasure("drama", N_("Drama"), N_("part of the match in which its later winner did not lead alone"),
            _beyond, SHARE, "", 3, BROWNE,
            phrases=(N_("the eventual winner trails for {x} % more of the match"),
                     N_("the eventual winner trails for {x} % less of the match"),
                     N_("the time for which the eventual winner trails"))),
    LabMeasure("comeback", N_("Comeback"), N_("the most points that a winner was behind during the match"),
            lambda m: m.rows[:, loop.COMEBACK], N_("points"),
            matters=0.05, phrases=(N_("winners make up {x} points more"), N_("winners make up {x} points less"),
                     N_("the deficit that winners make up"))),
    LabMeasure("reversed", N_("Turned round"), N_("share of the matches in which the leader at half-time did not win"),
            _reversed, SHARE, "", 3, chance=True,
            phrases=(N_("in {x} more matches of a hundred the half-time leader does not win"),
                     N_("in {x} fewer matches of a hundred the half-time leader does not win"),
                     N_("the share of matches whose half-time leader does not win"))),
    LabMeasure("runaway", N_("Runaway leaders"),
            N_("share of the matches whose leader at half-time won and was never behind again"),
            _runaway, SHARE, "lower", 3, chance=True,
            phrases=(N_("{x} more matches in a hundred are won by a leader who is never caught after half-time"),
                     N_("{x} fewer matches in a hundred are won by a leader who is never caught after half-time"),
                     N_("the share of runaway leaders"))),
    LabMeasure("halfway", N_("Sole leader at half-time"),
            N_("share of the matches in which one player alone leads in points after half of the moves"),
            lambda m: m.rows[:, loop.HALFWAY] >= 0, SHARE, "", 3, chance=True,
            phrases=(N_("{x} more matches in a hundred have a sole leader at half-time"),
                     N_("{x} fewer matches in a hundred have a sole leader at half-time"),
                     N_("the share of matches with a sole leader at half-time"))),
    LabMeasure("first_share", N_("First mover's gain"),
            N_("share of the victories of who moves first, less the equal share"),
            lambda m: m.share_of_place(0), SHARE, "", 4, least=-1.0, chance=True,
            matters=0.01, phrases=(N_("the first player wins {x} more matches in a hundred"),
                     N_("the first player wins {x} fewer matches in a hundred"), N_("the advantage of moving first"))),
    LabMeasure("last_share", N_("Last mover's gain"), N_("share of the victories of who moves last, less the equal share"),
            lambda m: m.share_of_place(m.players - 1), SHARE, "", 4, least=-1.0, chance=True,
            matters=0.01, phrases=(N_("the last player wins {x} more matches in a hundred"),
                     N_("the last player wins {x} fewer matches in a hundred"), N_("the advantage of moving last"))),
    LabMeasure("eventless", N_("Eventless moves"), N_("share of the moves after which nobody's points had changed"),
            lambda m: 1 - m.part(loop.CHANGES, loop.TURNS), SHARE, "", 3,
            phrases=(N_("{x} more moves in a hundred change nobody's points"),
                     N_("{x} fewer moves in a hundred change nobody's points"),
                     N_("the share of moves that change nobody's points"))),
    LabMeasure("skill", N_("Skill"),
            N_("share of the victories of one better bot among weaker ones (steady among easy, easy among "
               "random), and how many matches tell them apart"),
            None, SHARE, "higher", 3, N_("a ladder of levels; Elo, The rating of chessplayers (1978)"), chance=True,
            matters=0.01, phrases=(N_("the better player wins {x} more matches in a hundred"),
                     N_("the better player wins {x} fewer matches in a hundred"),
                     N_("the share of matches that the better player wins"))),
    LabMeasure("exploit", N_("Simple strategies"),
            N_("share of the victories of one simple strategy among steady bots: is there one that wins everything?"),
            None, SHARE, "lower", 3, N_("a quick exploiter: the game's own characters"), chance=True),
    LabMeasure(INTERACTION, N_("Interaction"),
            N_("share of the decisions that matter to others: had the player chosen another option, drawn at random, some "
               "other player would have done something else before the first one chose again"),
            None, SHARE, "", 3, JAQUES,
            matters=0.05, phrases=(N_("{x} more decisions in a hundred change what the others do"),
                     N_("{x} fewer decisions in a hundred change what the others do"),
                     N_("the share of decisions that change what the others do"))),
    LabMeasure(THING_EDGE, N_("Strongest or weakest thing"),
            N_("how far the share of the victories of those who used a thing lies from the equal share, of the thing where "
               "that is most; of things used in a twentieth of the matches"),
            None, SHARE, "lower", 3, matters=0.05),
    LabMeasure(CURVE, N_("Win probability"),
            N_("the chance to win of who leads and of the later winner over the match, by the judge of the review"),
            None, SHARE, "", 3, N_("the review of a match, `outbid analyse`")),
)  # fmt: skip
OF_SEATS = (
    LabMeasure(SEAT_SPREAD, N_("Seats apart"),
            N_("how far the seats' shares of the victories lie from the equal share: root of the mean square over all "
               "places in the order of play, less what chance alone adds to it"), None, SHARE, "lower", 4, matters=0.01,
            phrases=(N_("the chances of the seats lie {x} percentage points further apart"),
                     N_("the chances of the seats lie {x} percentage points closer together"),
                     N_("the fairness of the seats"))),
)  # fmt: skip
"""Of all matches of a cell together, from the shares of the places in the order."""
GAP = LabMeasure(SEAT_GAP, N_("Best seat less worst"),
            N_("share of the victories of the best place in the order less that of the worst, as seen; the interval holds "
               "for all places together"), None, SHARE, "lower", 4)  # fmt: skip
JUDGED = (
    LabMeasure(KNOWN_AT, N_("Winner known at"),
            N_("part of the match after which a winner was always the most likely to win, by the judge"),
            None, SHARE, "higher", 3, JUDGE,
            phrases=(N_("the winner is known {x} % of the match later"),
                     N_("the winner is known {x} % of the match earlier"),
                     N_("the moment when the winner is known"))),
    LabMeasure("hopeless", N_("Without hope"),
            N_("share of seats and points in time with less than 5 % to win, by the judge"),
            None, SHARE, "lower", 3, JUDGE,
            phrases=(N_("players are without hope for {x} % more of the match"),
                     N_("players are without hope for {x} % less of the match"),
                     N_("the time for which players are without hope"))),
)  # fmt: skip
"""What `curve` gives."""
SEARCHED = (
    LabMeasure("seat_advantage", N_("Seat advantage"),
            "the share of the victories of the best or the worst place in the order, less the equal share", unit=SHARE),
    LabMeasure("dead_actions", N_("Unused things"),
            f"things that can be used, and are used in fewer than {RARE:.1%} of the matches", least=-inf),
)  # fmt: skip
"""What only a search measures (tune.py)."""
TENSION, CARD = "tension", "card"  # which the judge decides where there is one; after which a colon and a thing may stand
USUAL = ("turns", "minutes", "decisions", "forced", "ties", "margin", "lead_changes", "settled_at", SEAT_SPREAD)
"""What is compared where nothing is said. The columns of all others are kept all the same."""
QUESTIONS = {
    "fairness": (SEAT_SPREAD, "first_share", "last_share"),
    "length": ("turns", "minutes", "decisions"),
    TENSION: ("settled_at", "lead_changes", "drama", "reversed", "halfway"),
    "runaway": ("runaway", "reversed", "halfway", "settled_at"),
    "skill": ("skill", "turns"),
    CARD: (THING_EDGE, "turns"),
    "interaction": (INTERACTION, "turns"),
}
"""What a designer asks, each with its measures; the first decides."""
MATCH = "match:"  # before a function of a match
SAMPLED = tuple(measure.name for measure in MEASURES if measure.of is None)
KNOWN = {measure.name: measure for measure in (*MEASURES, *OF_SEATS, GAP, *JUDGED, *SEARCHED)}


def measures_of(book: Rulebook) -> dict[str, LabMeasure]:
    """All measures of a game by name, its own after the common ones. Raises BadSetup if two have one name."""
    known = {measure.name: measure for measure in MEASURES}
    for own in own_measures(book).values():
        if own.name in known:
            raise BadSetup(f"{book.title} has a measure of its own called {own.name}, as all games have.")
        least = 0.0 if own.unit == SHARE else -inf
        known[own.name] = LabMeasure(
            own.name, own.title, own.definition, None, own.unit, own.better, own.digits, own.source, least
        )
    return known


def own_measures(book: Rulebook) -> dict[str, Measure]:
    """What the game itself measures."""
    home = book.submodule("measures") or book.modules[-1]
    declared: Iterable[Any] = getattr(home, "MEASURES", ()) or getattr(book.modules[0], "MEASURES", ())
    return {measure.name: measure for measure in declared if isinstance(measure, Measure)}


def sources(book: Rulebook, names: Iterable[str]) -> list[Path]:
    """The files that these measures stand in."""
    files = [_file(name) for name in names if is_function(name) or of_match(name)]
    home = book.submodule("measures")
    return files if home is None or home.__file__ is None else [Path(home.__file__), *files]


def own_columns(book: Rulebook, names: Sequence[str], finals: Any, players: int) -> dict[str, Numbers]:
    """The columns of measures that are made of the last states. Raises BadSetup where a function fails."""
    known, arrays = own_measures(book), {}
    for name in names:
        of = known[name].of if name in known else function(name)
        try:
            numbers = np.asarray(of(finals, players), dtype=np.float64)
        except Exception as error:
            raise BadSetup(f"The measure {name} failed: {type(error).__name__}: {error}") from error
        if numbers.shape != (len(finals),) or not np.isfinite(numbers).all():
            raise BadSetup(f"The measure {name} must give one finite number a match: {len(finals)}, not {numbers.shape}.")
        arrays[name] = numbers
    return arrays


def function(name: str) -> Callable[..., Any]:
    """The function that an experiment names as FILE.py:NAME, or match:FILE.py:NAME. Raises BadSetup."""
    file, _, called = name.removeprefix(MATCH).rpartition(":")
    path = _file(name)
    if not path.is_file():
        raise BadSetup(f"The measure {name} names the file {file}, which is not there.")
    try:
        digest = sha256(bytes(path) + path.read_bytes()).hexdigest()[:8]  # a file that is edited is another module
        defined = getattr(once(path, f"measure_{path.stem}_{digest}"), called, None)
    except Exception as error:
        raise BadSetup(f"{file} cannot be run: {type(error).__name__}: {error}") from error
    if not callable(defined):
        raise BadSetup(f"{file} defines no function {called}.")
    return defined


def _file(name: str) -> Path:
    return Path(name.removeprefix(MATCH).rpartition(":")[0]).expanduser().resolve()


def is_function(name: str) -> bool:
    """Whether a measure is named as a function of last states in a file."""
    return ".py:" in name and not of_match(name)


def of_match(name: str) -> bool:
    """Whether a measure is named as a function of a match."""
    return name.startswith(MATCH)


def is_sampled(name: str) -> bool:
    """Whether a measure is taken of a sample."""
    return name in SAMPLED or of_match(name)


def check(book: Rulebook, names: Iterable[str]) -> list[str]:
    """The measures of these names. Raises BadSetup with what is close."""
    known = measures_of(book) | {measure.name: measure for measure in OF_SEATS}
    for name in names:
        if is_function(name) or of_match(name):
            function(name)
        elif name not in known:
            raise BadSetup(f"There is no measure {name!r} in {book.title}; it has {', '.join(known)}.{meant(name, known)}")
    return list(dict.fromkeys(names))


def question_of(ask: str) -> str:
    """The question that is asked: of "card:trade: cow" it is card."""
    return ask.partition(":")[0]


def check_asked(book: Rulebook, ask: str) -> str:
    """A question that is known, after which a thing may stand. Raises BadSetup with what is close."""
    question, colon, thing = ask.partition(":")
    if question not in QUESTIONS or (colon and question != CARD):
        raise BadSetup(f"ask is {ask!r}; it is one of {', '.join(QUESTIONS)}.{meant(ask, QUESTIONS)}")
    known = things_of(book).names
    if colon and thing.strip() not in known:
        raise BadSetup(f"{book.title} has no {thing.strip()!r}; it has {', '.join(known)}.{meant(thing.strip(), known)}")
    return ask


def columns(seen: Seen, own: Mapping[str, Numbers]) -> dict[str, Numbers]:
    """The columns of all measures that have one, by name."""
    common = {measure.name: np.asarray(measure.of(seen), dtype=np.float64) for measure in MEASURES if measure.of}
    return {**common, **own}
