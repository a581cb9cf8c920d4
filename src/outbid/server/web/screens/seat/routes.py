"""A seat: its link, taking it over, leaving it, and deleting a table."""

from __future__ import annotations

import logging
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from outbid.core.language import i18n
from outbid.server.domain import commands, scene
from outbid.server.domain.contests import ladder
from outbid.server.domain.people import seating
from outbid.server.domain.table import Table
from outbid.server.settings import Refused
from outbid.server.web import pages
from outbid.server.web.middleware import wants_json
from outbid.server.web.requests import (
    base_of,
    done,
    fields_of,
    form_of,
    names_of,
    seat_of,
    seated,
    secret_of,
    tables_of,
    with_seat,
    without_seats,
)

_ = i18n.words("outbid")[0]


log = logging.getLogger("outbid")


async def my_seat(request: Request, table: str) -> Response:
    """The link of this browser's seat."""
    found = tables_of(request).get(table)
    seat = seat_of(request, found)
    if seat < 0:
        raise Refused(403, _("This browser has no seat at this table."))
    token = secret_of(request, found)
    link = f"{base_of(request)}/t/{table}/seat/{token}" if found.seat_of(token) == seat else None
    about = scene.about(found, base_of(request))
    return HTMLResponse(pages.page("seat/seat.html", table=about, name=found.seats[seat].name, link=link))


async def ask_seat(request: Request, table: str, token: str) -> Response:
    """A seat link: whose seat it is, and whether this browser shall have it."""
    found, seat = _linked(request, table, token)
    mine = seat_of(request, found)
    name = found.seats[seat].name
    if wants_json(request):
        return JSONResponse({"table": table, "seat": seat, "name": name})
    if mine == seat:
        return RedirectResponse(f"/t/{table}", 303)
    facts: dict[str, Any] = {"name": name, "other": found.seats[mine].name if mine >= 0 else None}
    facts["free"] = mine < 0 and not names_of(request).people.taken(table, token)  # as `outbid play` makes it
    return HTMLResponse(pages.page("seat/take.html", table=scene.about(found, base_of(request)), **facts))


async def take_seat(request: Request, table: str, token: str) -> Response:
    """The seat of a seat link goes to this browser."""
    found, seat = _linked(request, table, token)
    commands.known(await form_of(request), [])
    made: Response = RedirectResponse(f"/t/{table}", 303)
    if wants_json(request):
        made = JSONResponse({"table": table, "seat": seat})
    return await with_seat(made, found, token, request)


def _linked(request: Request, table: str, token: str) -> tuple[Table, int]:
    """A table and the seat that a link opens. Raises Refused."""
    found = tables_of(request).get(table)
    seat = found.seat_of(token)
    if seat < 0:
        raise Refused(403, _("This seat link does not open a seat at this table; please check that it is whole."))
    return found, seat


async def ask_leave(request: Request, table: str) -> Response:
    """Whether this seat shall really be left."""
    found, seat = seated(request, table)
    facts = {"table": scene.about(found, base_of(request)), "counts": found.seats[seat].rated and ladder.counts(found)}
    return HTMLResponse(pages.page("seat/leave.html", **facts))


async def leave(request: Request, table: str) -> Response:
    """Leave the seat: before the match it is open again, during it a bot plays on."""
    await fields_of(request)
    found, seat = seated(request, table)
    before = found.status == "open"
    async with found.lock:
        await seating.leave(found, seat)
    made = done(request, f"/t/{table}")
    return await without_seats(made, [found.id], request) if before else made


async def ask_delete(request: Request, table: str) -> Response:
    """The host is asked whether the table shall go."""
    found = _deletable(request, table)
    names = [seat.name for seat in found.seats if seat.name]
    return HTMLResponse(pages.page("seat/delete.html", table=scene.about(found, base_of(request)), names=names))


async def delete(request: Request, table: str) -> Response:
    """The table goes."""
    found = _deletable(request, table)
    commands.known(await form_of(request), [])
    await tables_of(request).delete(found.id)
    log.info("A table was deleted by its host.", extra={"table": found.id})
    made = done(request, "/")
    return await without_seats(made, [found.id], request)


def _deletable(request: Request, table: str) -> Table:
    """A table that this browser may delete now. Raises Refused."""
    found = tables_of(request).get(table)
    if seat_of(request, found) != found.house.host:
        raise Refused(403, _("Only who made the table can delete it."))
    if found.status == "playing":
        raise Refused(409, _("A match is being played here; the table can be deleted when it is over."))
    return found


ROUTES = (
    ("/t/{table}/seat", "GET", my_seat),
    ("/t/{table}/seat/{token}", "GET", ask_seat),
    ("/t/{table}/seat/{token}", "POST", take_seat),
    ("/t/{table}/leave", "GET", ask_leave),
    ("/t/{table}/leave", "POST", leave),
    ("/t/{table}/delete", "GET", ask_delete),
    ("/t/{table}/delete", "POST", delete),
)
