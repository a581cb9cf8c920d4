"""The review of a finished match (server/domain/advice/reviews.py), which stands beside its replay.

A replay of a match that is over has a panel (view.Panel): the moments of the seat that looks, in a replay with open hands
those of the reader. At a moment the table is as that player had it, with what could be chosen. The move that was made and
the better one are marked there (marks.js); or the better one is to be found: what is chosen comes to `find`, which leads
back to the moment with what to say (`learn` in the address), so that nothing of it is kept.
"""

from dataclasses import replace
from typing import Any

from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from outbid.core.errors import Unreadable
from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.core.match import SPECTATOR
from outbid.review import chart
from outbid.review.text import Teller
from outbid.server.domain import commands, scene
from outbid.server.domain.advice.reviews import Reviews, going_on
from outbid.server.domain.table import Table
from outbid.server.settings import Refused
from outbid.server.web.requests import Request, seat_link, whole
from outbid.server.web.screens.review.view import LEARNING, Panel, Shown


def reviews_of(request: Request) -> Reviews:
    """The reviews of the server."""
    return request.app.state.reviews


def _check_over(table: Table) -> None:
    """Whether the match of a table is over. Raises Refused."""
    if table.status != "over":
        raise Refused(409, _("A match can be reviewed when it is over."))


def _status(request: Request, table: Table) -> tuple[str, float, int, dict[str, Any]]:
    """How far the review of a match is: in a word, the part that is done, how many are made before it, and what is known."""
    reviews = reviews_of(request)
    drawn = reviews.sketch(table, request.address) if request.settings.alone else None
    if review := reviews.kept(table.id):
        return "done", 1.0, 0, review
    job = reviews.jobs.get(table.id)
    if job is None:
        return "none", 0.0, 0, drawn or {}
    before = 0 if job.begun else reviews.before(job)
    return "failed" if job.failed else "waiting" if before else "running", job.done, before, job.so_far or drawn or {}


async def show(request: Request, table: Table) -> Response:
    """The review for a program, as far as it is made; who wants a page is led to the first moment in the replay."""
    _check_over(table)
    if request.program:
        status, done, before, known = _status(request, table)
        facts = {"status": status, "done": round(done, 3), "review": known or None}
        return JSONResponse(facts | ({"before": before} if before else {}))
    seat = request.query_params.get("seat")
    wrong = _("There is no seat {said} at this table.", said=repr(seat and seat[:20]))
    whose = None if seat is None else _number(seat, len(table.seats) - 1, wrong)

    def page() -> Response:
        panel = looking(request, table, 0, -1 if whose is None else whose)
        return RedirectResponse(panel.link(panel.first or 0), 303)

    return await request.heavily(page, len(table.playing.moves))


def _whose(request: Request, table: Table) -> int:
    """The seat whose moments are shown to who looks with nobody's eyes: the reader's own, else that of the first person."""
    mine = request.seat(table)
    return mine if mine >= 0 else next((n for n, seat in enumerate(table.seats) if seat.kind == "human"), 0)


def looking(request: Request, table: Table, at: int, eyes: int, learn: str = "", drawn: bool = False) -> Panel:
    """What stands beside a step of the replay of a match that is over; eyes: the seat that looks, else −1. Raises
    Unreadable."""
    if learn not in ("", *LEARNING):
        raise Unreadable(_("The field {name} is one of {words}.", name="'learn'", words=", ".join(LEARNING)))
    status, done, before, known = _status(request, table)
    whose = eyes if eyes >= 0 else _whose(request, table)
    mine = whose == request.seat(table)
    extent = known.get("worlds", 0), len(known.get("decisions", ())), status
    teller = table.once(("teller", extent), lambda: Teller(table.playing, known))
    facts = whose, mine, whose if mine or eyes >= 0 else SPECTATOR
    key = ("shown", extent, facts, i18n.language())
    shown = table.once(key, lambda: Shown(teller, known, *facts)) if "course" in known else None
    return Panel(table.id, at, eyes, status, done, before, shown, learn, drawn)


def beside(request: Request, table: Table, seen: scene.Scene, learn: str, drawn: bool) -> scene.Scene:
    """A step of a replay with its panel; at a moment with what the player could choose. Raises Unreadable."""
    assert seen.replay
    at, eyes = seen.replay.at, seen.replay.seat
    panel = looking(request, table, at, eyes, learn, drawn)
    seen = replace(seen, replay=replace(seen.replay, review=panel))
    if not panel.moment:
        return seen
    post = f"/t/{table.id}/find?move={at}&seat={eyes}&learn={learn}"
    return replace(seen, menu=table.playing.at(at).legal(eyes), decision=at, post=post)


async def find(request: Request, table: Table) -> Response:
    """Whether a move is the better one that the review found at a moment, which is asked for twice."""
    _check_over(table)
    asked = request.query("move", "seat", "learn")
    move = commands.command(await request.form_fields()).move
    wrong = _("Say from which move of the match, and in which seat.")
    number = _number(asked.get("move", ""), table.playing.reached - 1, wrong)
    seat = _number(asked.get("seat", ""), len(table.seats) - 1, wrong)
    moment = looking(request, table, number, seat).moment
    if moment is None:
        raise Refused(404, _("The review tells of no moment there."))
    match, words = table.playing.at(number), table.book.words
    if isinstance(move, dict):
        move = commands.meant(words, words.complete(match.state, move))
    tried = match.attempt(seat, move).actions
    right = [*tried] == [*words.steps(match.state, seat, moment.entries[1])]
    learn = "right" if right else "again" if asked.get("learn") == "find" else "wrong"
    return request.answer({"ok": True, "right": right}, f"/t/{table.id}/replay?move={number}&seat={seat}&learn={learn}")


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
        reviews.begin(table, request.address, request.seat(table) >= 0, _whose(request, table))
    return request.done(f"/t/{table.id}/review")


ROUTES = (
    ("/t/{table}/review", "GET", show),
    ("/t/{table}/review", "POST", begin),
    ("/t/{table}/curve", "GET", curve),
    ("/t/{table}/find", "POST", find),
    ("/t/{table}/try", "POST", try_it),
)
