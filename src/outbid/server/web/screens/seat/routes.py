"""A seat: its link, taking it over, leaving it, and deleting a table."""

from typing import Any

from starlette.responses import JSONResponse, RedirectResponse, Response

from outbid.core.language.i18n import _
from outbid.server.domain.contests import ladder
from outbid.server.domain.people import seating
from outbid.server.domain.table import Table
from outbid.server.logging import log
from outbid.server.settings import Refused
from outbid.server.web.requests import Request


async def my_seat(request: Request, table: Table) -> Response:
    """The link of this browser's seat."""
    seat = request.seat(table)
    if seat < 0:
        raise Refused(403, _("This browser has no seat at this table."))
    token = request.secret(table)
    link = f"{request.base}/t/{table.id}/seat/{token}" if table.seat_of(token) == seat else None
    about = request.about(table)
    return request.page("seat/seat.html", table=about, name=table.seats[seat].name, link=link)


async def ask_seat(request: Request, table: Table, token: str) -> Response:
    """A seat link: whose seat it is, and whether this browser shall have it."""
    seat = _linked(table, token)
    mine = request.seat(table)
    name = table.seats[seat].name
    if request.program:
        return JSONResponse({"table": table.id, "seat": seat, "name": name})
    if mine == seat:
        return RedirectResponse(f"/t/{table.id}", 303)
    facts: dict[str, Any] = {"name": name, "other": table.seats[mine].name if mine >= 0 else None}
    facts["free"] = mine < 0 and not request.names.people.taken(table.id, token)  # as `outbid play` makes it
    return request.page("seat/take.html", table=request.about(table), **facts)


async def take_seat(request: Request, table: Table, token: str) -> Response:
    """The seat of a seat link goes to this browser."""
    seat = _linked(table, token)
    await request.fields()
    request.check_cookies()
    return await request.give_seat(request.answer({"table": table.id, "seat": seat}, f"/t/{table.id}"), table, token)


def _linked(table: Table, token: str) -> int:
    """The seat that a link opens. Raises Refused."""
    seat = table.seat_of(token)
    if seat < 0:
        raise Refused(403, _("This seat link does not open a seat at this table; please check that it is whole."))
    return seat


async def ask_leave(request: Request, table: Table) -> Response:
    """Whether this seat shall really be left."""
    seat = request.seated(table)
    counts = table.seats[seat].rated and ladder.counts(table)
    return request.page("seat/leave.html", table=request.about(table), counts=counts)


async def leave(request: Request, table: Table) -> Response:
    """Leave the seat: before the match it is open again, during it a bot plays on."""
    await request.fields()
    seat = request.seated(table)
    before = table.status == "open"
    async with table.lock:
        await seating.leave(table, seat)
    answer = request.done(f"/t/{table.id}{'#left' if before else ''}")
    return await request.take_seats(answer, [table.id]) if before else answer


async def ask_delete(request: Request, table: Table) -> Response:
    """The host is asked whether the table shall go."""
    _check_deletable(request, table)
    names = [seat.name for seat in table.seats if seat.name]
    return request.page("seat/delete.html", table=request.about(table), names=names)


async def delete(request: Request, table: Table) -> Response:
    """Delete the table."""
    _check_deletable(request, table)
    await request.fields()
    await request.tables.delete(table.id)
    log.info("A table was deleted by its host.", extra={"table": table.id})
    return await request.take_seats(request.done("/"), [table.id])


def _check_deletable(request: Request, table: Table) -> None:
    """Whether this browser may delete a table now. Raises Refused."""
    if request.seat(table) != table.house.host:
        raise Refused(403, _("Only who made the table can delete it."))
    if table.status == "playing":
        raise Refused(409, _("A match is being played here; the table can be deleted when it is over."))


ROUTES = (
    ("/t/{table}/seat", "GET", my_seat),
    ("/t/{table}/seat/{token}", "GET", ask_seat),
    ("/t/{table}/seat/{token}", "POST", take_seat),
    ("/t/{table}/leave", "GET", ask_leave),
    ("/t/{table}/leave", "POST", leave),
    ("/t/{table}/delete", "GET", ask_delete),
    ("/t/{table}/delete", "POST", delete),
)
