"""The page of a review (server/domain/reviews.py), beside the replay of a finished match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from markupsafe import Markup

from outbid.core.language import i18n
from outbid.core.match import Match
from outbid.review import chart, evaluate
from outbid.review.text import KINDS, Teller, classed
from outbid.server.domain import commands, scene
from outbid.server.domain.reviews import Reviews
from outbid.server.domain.table import Table
from outbid.server.rate_limits import address_of
from outbid.server.settings import Refused
from outbid.server.web import pages
from outbid.server.web.middleware import wants_json
from outbid.server.web.requests import base_of, form_of, tables_of

WIDE, NARROW = (760, 340), (340, 300)  # pixels
SHEETS = ("base.css", "review.css")
ROWS = 12  # of the table beside the chart

_, ngettext = i18n.words("outbid")


@dataclass(frozen=True)
class Row:
    """A decision on the page: number of the move, what was done, how it is classed, and what was better."""

    number: int
    did: str
    kind: str
    loss: float
    said: str


@dataclass(frozen=True)
class Shown:
    """A review as the page has it, sentences in the language of the moment."""

    teller: Teller
    review: Mapping[str, Any]
    wide: Markup
    narrow: Markup
    samples: tuple[Markup, ...]
    table: tuple[tuple[int, tuple[float, ...]], ...]

    @classmethod
    def of(cls, match: Match, review: Mapping[str, Any]) -> Shown:
        """A review, whole or as far as it is made."""
        points = review["course"]
        kept = points[:: max(1, len(points) // ROWS)]
        kept = kept if kept[-1] is points[-1] else [*kept, points[-1]]
        return cls(
            Teller(match, review),
            review,
            Markup(chart.draw(review, *WIDE)),
            Markup(chart.draw(review, *NARROW)),
            tuple(Markup(chart.sample(seat)) for seat in range(match.players)),
            tuple((point["move"], tuple(point["chances"])) for point in kept),
        )

    @property
    def whole(self) -> bool:
        """Everything is known."""
        return "decisions" in self.review

    @property
    def classes(self) -> tuple[tuple[str, str, float], ...]:
        """The classes: key, name, and the loss they stay below."""
        return tuple((key, _(KINDS[key]), below) for key, below in evaluate.CLASSES)

    def decisions(self, seat: int) -> list[Row]:
        """What a seat could have done better, the dearest first."""
        lost = [one for one in self.review["decisions"] if one["seat"] == seat and one["better"]]
        return [
            Row(one["move"], self.teller.did(one["move"]), classed(one), one["loss"], self.teller.loss(one))
            for one in sorted(lost, key=lambda one: (-one["loss"], one["move"]))
        ]


def reviews_of(request: Request) -> Reviews:
    """The reviews of the server."""
    return request.app.state.reviews


def _over(request: Request, table: str) -> Table:
    """A table whose match is over. Raises Refused."""
    found = tables_of(request).get(table)
    if found.status != "over":
        raise Refused(409, _("A match can be reviewed when it is over."))
    return found


async def show(request: Request, table: str) -> Response:
    """The review, or how far it is, or how to have it made."""
    found = _over(request, table)
    reviews = reviews_of(request)
    kept, job = reviews.kept(table), reviews.jobs.get(table)
    status = "done" if kept else "none" if job is None else "failed" if job.failed else "running"
    done = 1.0 if kept else job.done if job else 0.0
    known = kept or (job.so_far if job else {})
    if wants_json(request):
        return JSONResponse({"status": status, "done": round(done, 3), "review": known or None})
    shown = Shown.of(found.playing, known) if "course" in known else None
    facts = {"table": scene.about(found, base_of(request)), "status": status, "done": done, "shown": shown}
    return HTMLResponse(pages.page("review.html", **facts))


async def begin(request: Request, table: str) -> Response:
    """Let the review be made."""
    commands.known(await form_of(request), [])
    found = _over(request, table)
    reviews = reviews_of(request)
    if not reviews.kept(table):
        if table not in reviews.jobs:
            request.app.state.limits.table(address_of(request.scope))
        reviews.begin(found)
    return JSONResponse({"ok": True}) if wants_json(request) else RedirectResponse(f"/t/{table}/review", 303)


def alone(match: Match, review: Mapping[str, Any]) -> str:
    """The review as a page of its own, for a file."""
    folder = Path(__file__).parents[1] / "static"
    sheets = Markup("\n".join((folder / name).read_text(encoding="utf-8") for name in SHEETS))
    return pages.page("review_alone.html", shown=Shown.of(match, review), sheets=sheets, title=match.rulebook.title)


ROUTES = (
    ("/t/{table}/review", "GET", show),
    ("/t/{table}/review", "POST", begin),
)
