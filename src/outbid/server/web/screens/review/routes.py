"""The page of a review (server/domain/advice/reviews.py), beside the replay of a finished match."""

from __future__ import annotations

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from outbid.core.language import i18n
from outbid.review import chart
from outbid.server.domain import commands, scene
from outbid.server.domain.advice.reviews import Reviews, going_on
from outbid.server.domain.table import Table
from outbid.server.rate_limits import address_of
from outbid.server.settings import Refused
from outbid.server.web import pages
from outbid.server.web.middleware import wants_json
from outbid.server.web.requests import base_of, done, form_of, heavily, seat_link, seat_of, tables_of, with_seat
from outbid.server.web.screens.review.view import Shown

_, ngettext = i18n.words("outbid")


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
    before = reviews.before(job) if job and not job.begun else 0
    status = "done" if kept else "none" if job is None else "failed" if job.failed else "waiting" if before else "running"
    done = 1.0 if kept else job.done if job else 0.0
    known = kept or (job.so_far if job else {})
    if wants_json(request):
        return JSONResponse(
            {"status": status, "done": round(done, 3), "review": known or None} | ({"before": before} if before else {})
        )
    mine = seat_of(request, found)
    whose = _whose(request, found, mine)
    base = base_of(request)
    facts = {"table": scene.about(found, base), "status": status, "done": done, "before": before}
    facts |= {"faces": scene.faces(found.book), "extras": scene.extras(found.book), "humans": _people(found)}

    def draw(number: int, seat: int) -> Markup:
        return pages.picture(scene.replay(found, mine, base, number, str(seat)))

    def page() -> Response:
        shown = Shown.of(found.playing, known, whose, whose == mine, draw) if "course" in known else None
        return HTMLResponse(pages.page("review/review.html", **facts, shown=shown))

    return await heavily(request, page, len(found.playing.moves))


def _people(table: Table) -> list[int]:
    """The seats whose moments one may want to see: those of people; of all, if there are none."""
    return [n for n, seat in enumerate(table.seats) if seat.kind == "human"] or list(range(len(table.seats)))


def _whose(request: Request, table: Table, mine: int) -> int:
    """The seat whose moments are shown: the one that the address names, else one's own, else the first person's. Raises
    Refused."""
    said = request.query_params.get("seat")
    if said is None:
        return mine if mine >= 0 else _people(table)[0]
    return _number(said, len(table.seats) - 1, _("There is no seat {said} at this table.", said=repr(said[:20])))


def _number(said: str, most: int, wrong: str) -> int:
    if not (said.isascii() and said.isdigit() and len(said) < 8 and int(said) <= most):
        raise Refused(400, wrong)
    return int(said)


async def try_it(request: Request, table: str) -> Response:
    """A table that goes on from a position of a finished match, in a player's seat, against the same bots."""
    wanted = commands.known(await form_of(request), ["move", "seat", "name"])
    found = _over(request, table)
    match = found.playing
    wrong = _("Say from which move of the match, and in which seat.")
    number = _number(wanted.get("move", ""), match.reached - 1, wrong)
    seat = _number(wanted.get("seat", ""), len(found.seats) - 1, wrong)
    name = found.seats[seat].name if seat == seat_of(request, found) else _("Guest")
    request.app.state.limits.table(address_of(request.scope))
    stored, token = going_on(found, number, seat, name)
    made_id = await tables_of(request).take_in(stored)
    table_made = tables_of(request).get(made_id)
    answer: Response = (
        JSONResponse({"table": made_id, "seat": seat, "link": seat_link(made_id, token)}, 201)
        if wants_json(request) else RedirectResponse(f"/t/{made_id}", 303)
    )  # fmt: skip
    return await with_seat(answer, table_made, token, request)


def curve_of(request: Request, table: Table, at: int | None) -> Markup:
    """Who was winning, to stand below a replay; nothing without a review."""
    review = reviews_of(request).kept(table.id) if table.status == "over" else None
    return Markup(chart.curve(review, table.playing.reached if at is None else at) if review else "")


async def curve(request: Request, table: str) -> Response:
    """Who was winning, small, for the end of a match; 202 while it is made for a player of the match, 204 for others, and
    if it cannot be made."""
    found = _over(request, table)
    if seat_of(request, found) < 0 and not reviews_of(request).kept(table):
        return Response(status_code=204)
    made = reviews_of(request).sketch(found, address_of(request.scope))
    if made is None or "course" not in made:
        return Response(status_code=202 if made is None else 204)
    return HTMLResponse(chart.curve(made, found.playing.reached))


async def begin(request: Request, table: str) -> Response:
    """Let the review be made."""
    commands.known(await form_of(request), [])
    found = _over(request, table)
    reviews = reviews_of(request)
    if not reviews.kept(table):
        if table not in reviews.jobs:
            request.app.state.limits.table(address_of(request.scope))
        reviews.begin(found, address_of(request.scope), seat_of(request, found) >= 0)
    return done(request, f"/t/{table}/review")


ROUTES = (
    ("/t/{table}/review", "GET", show),
    ("/t/{table}/review", "POST", begin),
    ("/t/{table}/curve", "GET", curve),
    ("/t/{table}/try", "POST", try_it),
)
