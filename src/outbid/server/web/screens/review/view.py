"""A review as a page has it: below a replay and beside its moments (`Panel`), and by itself in a file (`alone`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from outbid.core.language.i18n import _
from outbid.core.match import SPECTATOR, Match
from outbid.review import chart, evaluate
from outbid.review.puzzles import shipped
from outbid.review.text import KINDS, Teller, classed
from outbid.server.web import pages

WIDE, NARROW = (760, 340), (340, 300)  # pixels
SHEETS = ("static/base.css", "screens/review/review.css")
LESSONS = 3  # moments of one's own
MISTAKES = (evaluate.INACCURACY, evaluate.MISTAKE, evaluate.BLUNDER)
PUZZLES = 2  # after them
ASKING = ("find", "again")  # the better move is looked for, once and a second time
LEARNING = (*ASKING, "right", "wrong")
ROWS = 12  # of the table beside the chart


@dataclass(frozen=True)
class Row:
    """A decision on the page: number of the move, what was done, how it is classed, and what was better."""

    number: int
    did: str
    kind: str
    loss: float
    said: str


@dataclass(frozen=True)
class MomentView:
    """A moment of one player: the move, the better one, how much less chance to win that was, and why; theme: the kind of
    mistake, by the name of its first mechanism; entries: both moves as the record has them."""

    number: int
    kind: str
    did: str
    better: str
    cost: str
    why: str
    theme: str
    entries: tuple[dict[str, Any], dict[str, Any]]


@dataclass(frozen=True)
class Shown:
    """A review, whole or as far as it is made, as the page has it, sentences in the language of the moment. whose: the seat
    whose moments come first; mine: it is the reader's; reader: the seat that is told of its moves as its own, or none."""

    teller: Teller
    review: Mapping[str, Any]
    whose: int
    mine: bool = False
    reader: int = SPECTATOR

    @property
    def wide(self) -> Markup:
        """The curve on a desk."""
        return Markup(chart.draw(self.review, *WIDE))

    @property
    def narrow(self) -> Markup:
        """The curve on a phone."""
        return Markup(chart.draw(self.review, *NARROW))

    @property
    def samples(self) -> list[Markup]:
        """A piece of the line of each seat."""
        return [Markup(chart.sample(seat)) for seat in range(len(self.teller.names))]

    @property
    def table(self) -> list[tuple[int, list[float]]]:
        """Some points of the curve in numbers, the last one among them."""
        points = self.review["course"]
        shown = points[:: max(1, len(points) // ROWS)]
        shown = shown if shown[-1] is points[-1] else [*shown, points[-1]]
        return [(point["move"], point["chances"]) for point in shown]

    @property
    def whole(self) -> bool:
        """Whether every decision is evaluated."""
        return "accuracy" in self.review

    @property
    def classes(self) -> tuple[tuple[str, str, float], ...]:
        """The classes: key, name, and the loss they stay below."""
        return tuple((key, _(KINDS[key]), below) for key, below in evaluate.CLASSES)

    @cached_property
    def lessons(self) -> list[MomentView]:
        """A moment of each of the costly decisions."""
        return [self.lesson(decision) for decision in self.costly]

    def lesson(self, decision: Mapping[str, Any]) -> MomentView:
        """The moment of a decision."""
        tell, move, reader = self.teller, decision["move"], self.reader
        did, better = tell.did(move, reader), tell.could(move, decision["better"], reader)
        entries = tell.moves[move].said, decision["better"]
        why, theme = tell.why(decision, reader), tell.theme(decision)
        return MomentView(move, classed(decision), did, better, tell.cost(decision), why, theme, entries)

    @property
    def mild(self) -> bool:
        """None of the lessons cost more than what is still called good."""
        return all(decision["class"] in (evaluate.BEST, evaluate.GOOD) for decision in self.costly)

    @cached_property
    def costly(self) -> list[Mapping[str, Any]]:
        """The decisions of the seat whose review it is that cost most, in the order of the match."""
        return sorted(self.lost(self.whose)[:LESSONS], key=lambda decision: decision["move"])

    def lost(self, seat: int) -> list[Mapping[str, Any]]:
        """The decisions of a seat that could have been better, the dearest first."""
        lost = [each for each in self.review.get("decisions", ()) if each["seat"] == seat and each["better"]]
        return sorted(lost, key=lambda decision: (-decision["loss"], decision["move"]))

    def decisions(self, seat: int) -> list[Row]:
        """What a seat could have done better, the dearest first."""
        tell = self.teller
        return [
            Row(decision["move"], tell.did(decision["move"]), classed(decision), decision["loss"], tell.loss(decision))
            for decision in self.lost(seat)
        ]


@dataclass(frozen=True)
class Panel:
    """What stands beside a step of a replay.

    at: after so many moves; eyes: the seat that looks, −1 for anybody else; status: of the review (none, waiting, running,
    failed, done); done: how much of it is made; before: how many are made before it; shown: as far as it is there; learn:
    "find" and "again" while the better move is looked for, "right" or "wrong" when it was; drawn: the page has the curve.
    """

    table: str
    at: int
    eyes: int
    status: str
    done: float
    before: int
    shown: Shown | None
    learn: str
    drawn: bool = False

    @cached_property
    def moment(self) -> MomentView | None:
        """The moment of this step: a decision of the seat that looks that could have been better."""
        if not self.shown or self.eyes != self.shown.whose:
            return None
        known = next((moment for moment in self.moments if moment.number == self.at), None)
        decision = next((each for each in self.shown.lost(self.eyes) if each["move"] == self.at), None)
        return known or (self.shown.lesson(decision) if decision else None)

    @property
    def asks(self) -> bool:
        """Whether the better move is to be found at this step."""
        return self.moment is not None and self.learn in ASKING

    @property
    def news(self) -> str:
        """What changes when there is more of the review to see."""
        review = self.shown.review if self.shown else {}
        return f"{review.get('worlds', 0)} {sum(bool(each['better']) for each in review.get('decisions', ()))}"

    @property
    def themes(self) -> list[str]:
        """The kinds of mistakes among the moments."""
        return sorted({moment.theme for moment in self.moments})

    @property
    def moments(self) -> list[MomentView]:
        """Those that cost most."""
        return self.shown.lessons if self.shown else []

    @property
    def mistakes(self) -> list[int]:
        """Where dots stand on the curve: at moments and mistakes."""
        shown = self.shown
        lost = shown.lost(shown.whose) if shown else []
        return sorted(each["move"] for n, each in enumerate(lost) if n < LESSONS or each["class"] in MISTAKES)

    @property
    def following(self) -> int | None:
        """The next mistake after this step."""
        return next((number for number in self.mistakes if number > self.at), None)

    @property
    def first(self) -> int | None:
        """The first of the moments."""
        return self.ahead(-1)

    def ahead(self, at: int) -> int | None:
        """The next of the moments after a step."""
        return next((each["move"] for each in self.shown.costly if each["move"] > at), None) if self.shown else None

    @property
    def puzzles(self) -> list[str]:
        """The addresses of puzzles of the kinds of these mistakes, when the last of them was played."""
        if self.learn in ("", *ASKING) or not self.shown or self.ahead(self.at) is not None:
            return []
        book = self.shown.teller.book
        alike = [puzzle.id for puzzle in shipped(book) if puzzle.theme in self.themes]
        return [f"/puzzles/{book.id}/{name}" for name in alike[:PUZZLES]]

    @cached_property
    def curve(self) -> Markup:
        """Who was winning, with a dot at each mistake; nothing until it is known."""
        shown = None if self.drawn else self.shown
        return Markup(chart.curve(shown.review, self.at, shown.whose, self.mistakes)) if shown else Markup()

    def link(self, number: int, learn: str = "") -> str:
        """The address of a step, with the eyes of whose moments are shown."""
        eyes = self.shown.whose if self.shown else self.eyes if self.eyes >= 0 else "open"
        query = {"move": number, "seat": eyes} | ({"learn": learn} if learn else {})
        return f"/t/{self.table}/replay?{urlencode(query)}"


def _dearest(review: Mapping[str, Any]) -> int:
    """The seat of the dearest decision."""
    dearest = max(review["decisions"], key=lambda decision: decision["loss"], default=None)
    return int(dearest["seat"]) if dearest else 0


def alone(match: Match, review: Mapping[str, Any]) -> str:
    """The review as a page of its own, for a file."""
    folder = Path(__file__).parents[2]
    shown = Shown(Teller(match, review), review, _dearest(review))
    sheets = Markup("\n".join((folder / name).read_text(encoding="utf-8") for name in SHEETS))
    return pages.page("review/alone.html", shown=shown, sheets=sheets, title=match.rulebook.title)
