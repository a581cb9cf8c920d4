"""A review as a page has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from outbid.core.language import i18n
from outbid.core.match import SPECTATOR, Match
from outbid.review import chart, evaluate
from outbid.review.text import KINDS, Teller, classed
from outbid.server.web import pages

WIDE, NARROW = (760, 340), (340, 300)  # pixels
SHEETS = ("static/base.css", "screens/review/review.css")
LESSONS = 3  # moments of one's own
ROWS = 12  # of the table beside the chart


_ = i18n.words("outbid")[0]


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
    """A moment of one player: the table as it was (none in a file), the move, the better one, how much less chance to win
    that was, and why."""

    number: int
    kind: str
    did: str
    better: str
    cost: str
    why: str
    picture: Markup | None


@dataclass(frozen=True)
class Shown:
    """A review as the page has it, sentences in the language of the moment."""

    teller: Teller
    review: Mapping[str, Any]
    wide: Markup
    narrow: Markup
    samples: tuple[Markup, ...]
    table: tuple[tuple[int, tuple[float, ...]], ...]
    whose: int = 0
    mine: bool = False
    draw: Callable[[int, int], Markup] | None = None

    @classmethod
    def of(
        cls, match: Match, review: Mapping[str, Any], whose: int | None = None, mine: bool = False,
        draw: Callable[[int, int], Markup] | None = None,
    ) -> Shown:  # fmt: skip
        """A review, whole or as far as it is made. whose: the seat whose moments come first (none: who lost most at once);
        mine: it is the reader's.
        draw: a picture of the table before a move, as a seat saw it."""
        points = review["course"]
        shown = points[:: max(1, len(points) // ROWS)]
        shown = shown if shown[-1] is points[-1] else [*shown, points[-1]]
        return cls(
            Teller(match, review),
            review,
            Markup(chart.draw(review, *WIDE)),
            Markup(chart.draw(review, *NARROW)),
            tuple(Markup(chart.sample(seat)) for seat in range(match.players)),
            tuple((point["move"], tuple(point["chances"])) for point in shown),
            _dearest(review) if whose is None else whose,
            mine,
            draw,
        )

    @property
    def whole(self) -> bool:
        """Whether every decision is evaluated."""
        return "decisions" in self.review

    @property
    def classes(self) -> tuple[tuple[str, str, float], ...]:
        """The classes: key, name, and the loss they stay below."""
        return tuple((key, _(KINDS[key]), below) for key, below in evaluate.CLASSES)

    @property
    def lessons(self) -> list[MomentView]:
        """A moment of each of the costly decisions."""
        return [self._lesson(decision, self.whose if self.mine else SPECTATOR) for decision in self.costly]

    def _lesson(self, decision: Mapping[str, Any], reader: int) -> MomentView:
        tell, move = self.teller, decision["move"]
        picture = self.draw(move, self.whose) if self.draw else None
        did, better = tell.did(move, reader), tell.could(move, decision["better"], reader)
        return MomentView(move, classed(decision), did, better, tell.cost(decision), tell.why(decision, reader), picture)

    @property
    def mild(self) -> bool:
        """None of the lessons cost more than what is still called good."""
        return all(decision["class"] in (evaluate.BEST, evaluate.GOOD) for decision in self.costly)

    @property
    def costly(self) -> list[dict[str, Any]]:
        """The decisions of the seat whose review it is that cost most, in the order of the match."""
        lost = [decision for decision in self.review["decisions"] if decision["seat"] == self.whose and decision["better"]]
        return sorted(sorted(lost, key=lambda decision: -decision["loss"])[:LESSONS], key=lambda decision: decision["move"])

    def decisions(self, seat: int) -> list[Row]:
        """What a seat could have done better, the dearest first."""
        lost = [decision for decision in self.review["decisions"] if decision["seat"] == seat and decision["better"]]
        lost.sort(key=lambda decision: (-decision["loss"], decision["move"]))
        tell = self.teller
        return [
            Row(decision["move"], tell.did(decision["move"]), classed(decision), decision["loss"], tell.loss(decision))
            for decision in lost
        ]


def _dearest(review: Mapping[str, Any]) -> int:
    """The seat of the dearest decision."""
    dearest = max(review.get("decisions", ()), key=lambda decision: decision["loss"], default=None)
    return int(dearest["seat"]) if dearest else 0


def alone(match: Match, review: Mapping[str, Any]) -> str:
    """The review as a page of its own, for a file."""
    folder = Path(__file__).parents[2]
    sheets = Markup("\n".join((folder / name).read_text(encoding="utf-8") for name in SHEETS))
    return pages.page("review/alone.html", shown=Shown.of(match, review), sheets=sheets, title=match.rulebook.title)
