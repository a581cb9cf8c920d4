"""A seat: its link, taking it over, leaving it, and deleting a table."""

from __future__ import annotations

import logging
from typing import Any

from starlette.responses import JSONResponse, RedirectResponse, Response

from outbid.core.language import i18n
from outbid.server.domain.contests import ladder
from outbid.server.domain.people import seating
from outbid.server.domain.table import Table
from outbid.server.settings import Refused
from outbid.server.web.requests import Visit

_ = i18n.words("outbid")[0]


log = logging.getLogger("outbid")


async def my_seat(visit: Visit, table: Table) -> Response:
    """The link of this browser's seat."""
    seat = visit.seat(table)
    if seat < 0:
        raise Refused(403, _("This browser has no seat at this table."))
    token = visit.secret(table)
    link = f"{visit.base}/t/{table.id}/seat/{token}" if table.seat_of(token) == seat else None
    about = visit.about(table)
    return visit.page("seat/seat.html", table=about, name=table.seats[seat].name, link=link)


async def ask_seat(visit: Visit, table: Table, token: str) -> Response:
    """A seat link: whose seat it is, and whether this browser shall have it."""
    seat = _linked(table, token)
    mine = visit.seat(table)
    name = table.seats[seat].name
    if visit.program:
        return JSONResponse({"table": table.id, "seat": seat, "name": name})
    if mine == seat:
        return RedirectResponse(f"/t/{table.id}", 303)
    facts: dict[str, Any] = {"name": name, "other": table.seats[mine].name if mine >= 0 else None}
    facts["free"] = mine < 0 and not visit.names.people.taken(table.id, token)  # as `outbid play` makes it
    return visit.page("seat/take.html", table=visit.about(table), **facts)


async def take_seat(visit: Visit, table: Table, token: str) -> Response:
    """The seat of a seat link goes to this browser."""
    seat = _linked(table, token)
    await visit.fields()
    return await visit.give_seat(visit.answer({"table": table.id, "seat": seat}, f"/t/{table.id}"), table, token)


def _linked(table: Table, token: str) -> int:
    """The seat that a link opens. Raises Refused."""
    seat = table.seat_of(token)
    if seat < 0:
        raise Refused(403, _("This seat link does not open a seat at this table; please check that it is whole."))
    return seat


async def ask_leave(visit: Visit, table: Table) -> Response:
    """Whether this seat shall really be left."""
    seat = visit.seated(table)
    counts = table.seats[seat].rated and ladder.counts(table)
    return visit.page("seat/leave.html", table=visit.about(table), counts=counts)


async def leave(visit: Visit, table: Table) -> Response:
    """Leave the seat: before the match it is open again, during it a bot plays on."""
    await visit.fields()
    seat = visit.seated(table)
    before = table.status == "open"
    async with table.lock:
        await seating.leave(table, seat)
    answer = visit.done(f"/t/{table.id}")
    return await visit.take_seats(answer, [table.id]) if before else answer


async def ask_delete(visit: Visit, table: Table) -> Response:
    """The host is asked whether the table shall go."""
    _check_deletable(visit, table)
    names = [seat.name for seat in table.seats if seat.name]
    return visit.page("seat/delete.html", table=visit.about(table), names=names)


async def delete(visit: Visit, table: Table) -> Response:
    """The table goes."""
    _check_deletable(visit, table)
    await visit.fields()
    await visit.tables.delete(table.id)
    log.info("A table was deleted by its host.", extra={"table": table.id})
    return await visit.take_seats(visit.done("/"), [table.id])


def _check_deletable(visit: Visit, table: Table) -> None:
    """Whether this browser may delete a table now. Raises Refused."""
    if visit.seat(table) != table.house.host:
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
