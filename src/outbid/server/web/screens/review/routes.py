"""The page of a review (server/domain/advice/reviews.py), beside the replay of a finished match."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup
from starlette.responses import HTMLResponse, JSONResponse, Response

from outbid.core.language import i18n
from outbid.review import chart
from outbid.server.domain import scene
from outbid.server.domain.advice.reviews import Reviews, going_on
from outbid.server.domain.table import Table
from outbid.server.settings import Refused
from outbid.server.web import pages
from outbid.server.web.requests import Request, seat_link, whole
from outbid.server.web.screens.review.view import Shown

_, ngettext = i18n.words("outbid")


def reviews_of(request: Request) -> Reviews:
    """The reviews of the server."""
    return request.app.state.reviews


def _check_over(table: Table) -> None:
    """Whether the match of a table is over. Raises Refused."""
    if table.status != "over":
        raise Refused(409, _("A match can be reviewed when it is over."))


async def show(request: Request, table: Table) -> Response:
    """The review, or how far it is, or how to have it made."""
    _check_over(table)
    reviews = reviews_of(request)
    drawn = reviews.sketch(table, request.address) if request.settings.alone else None
    review, job = reviews.kept(table.id), reviews.jobs.get(table.id)
    before = reviews.before(job) if job and not job.begun else 0
    status = "done" if review else "none" if job is None else "failed" if job.failed else "waiting" if before else "running"
    done = 1.0 if review else job.done if job else 0.0
    known = review or (job.so_far if job else {}) or drawn or {}
    if request.program:
        return JSONResponse(
            {"status": status, "done": round(done, 3), "review": known or None} | ({"before": before} if before else {})
        )
    mine = request.seat(table)
    whose = _whose(request, table, mine)
    base = request.base
    facts: dict[str, Any] = {"table": request.about(table), "status": status, "done": done, "before": before}
    facts |= {"faces": scene.faces(table.book), "extras": scene.extras(table.book), "humans": _people(table)}

    def draw(number: int, seat: int) -> Markup:
        return pages.picture(scene.replay(table, mine, base, number, str(seat)))

    def page() -> Response:
        shown = Shown.of(table.playing, known, whose, whose == mine, draw) if "course" in known else None
        return request.page("review/review.html", **facts, shown=shown)

    return await request.heavily(page, len(table.playing.moves))


def _people(table: Table) -> list[int]:
    """The seats whose moments one may want to see: those of people; of all, if there are none."""
    return [n for n, seat in enumerate(table.seats) if seat.kind == "human"] or list(range(len(table.seats)))


def _whose(request: Request, table: Table, mine: int) -> int:
    """The seat whose moments are shown: the one that the address names, else one's own, else the first person's. Raises
    Refused."""
    seat = request.query_params.get("seat")
    if seat is None:
        return mine if mine >= 0 else _people(table)[0]
    return _number(seat, len(table.seats) - 1, _("There is no seat {said} at this table.", said=repr(seat[:20])))


def _number(text: str, most: int, wrong: str) -> int:
    number = whole(text, 7)
    if number is None or number > most:
        raise Refused(400, wrong)
    return number


async def try_it(request: Request, table: Table) -> Response:
    """A table that goes on from a position of a finished match, in a player's seat, against the same bots."""
    wanted = await request.fields("move", "seat", "name")
    _check_over(table)
    request.check_cookies()
    match = table.playing
    wrong = _("Say from which move of the match, and in which seat.")
    number = _number(wanted.get("move", ""), match.reached - 1, wrong)
    seat = _number(wanted.get("seat", ""), len(table.seats) - 1, wrong)
    ours = seat == request.seat(table) or (request.settings.alone and table.seats[seat].kind == "human")
    name = table.seats[seat].name if ours else _("Guest")
    request.limits.table(request.address)
    stored, token = going_on(table, number, seat, name)
    branch = request.tables.get(await request.tables.take_in(stored))
    facts = {"table": branch.id, "seat": seat, "link": seat_link(branch.id, token)}
    return await request.give_seat(request.answer(facts, f"/t/{branch.id}", 201), branch, token)


def curve_of(request: Request, table: Table, at: int | None) -> Markup:
    """Who was winning, to stand below a replay; nothing without a review."""
    review = reviews_of(request).kept(table.id) if table.status == "over" else None
    return Markup(chart.curve(review, table.playing.reached if at is None else at) if review else "")


async def curve(request: Request, table: Table) -> Response:
    """Who was winning, small, for the end of a match; 202 while it is made for a player of the match, 204 for others, and
    if it cannot be made."""
    _check_over(table)
    if request.seat(table) < 0 and not reviews_of(request).kept(table.id):
        return Response(status_code=204)
    review = reviews_of(request).sketch(table, request.address)
    if review is None or "course" not in review:
        return Response(status_code=202 if review is None else 204)
    return HTMLResponse(chart.curve(review, table.playing.reached))


async def begin(request: Request, table: Table) -> Response:
    """Let the review be made."""
    await request.fields()
    _check_over(table)
    if request.settings.alone:
        raise Refused(409, _("No review is made in a browser tab."))
    reviews = reviews_of(request)
    if not reviews.kept(table.id):
        if table.id not in reviews.jobs:
            request.limits.table(request.address)
        reviews.begin(table, request.address, request.seat(table) >= 0)
    return request.done(f"/t/{table.id}/review")


ROUTES = (
    ("/t/{table}/review", "GET", show),
    ("/t/{table}/review", "POST", begin),
    ("/t/{table}/curve", "GET", curve),
    ("/t/{table}/try", "POST", try_it),
)
