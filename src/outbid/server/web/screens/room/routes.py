"""The waiting room: who sits where before the match begins."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from outbid.bots.heuristic import STEADY
from outbid.bots.personas import personas
from outbid.core.errors import BadSetup, Unreadable
from outbid.core.language import i18n
from outbid.server.domain import commands, scene, setup
from outbid.server.domain.contests import ladder
from outbid.server.domain.people import chat, seating
from outbid.server.domain.table import Table
from outbid.server.settings import Refused
from outbid.server.web import pages, qr, requests
from outbid.server.web.middleware import wants_json
from outbid.server.web.requests import (
    base_of,
    device_of,
    done,
    fields_of,
    form_of,
    names_of,
    seat_of,
    secret_of,
    tables_of,
    usual_name,
    with_seat,
)
from outbid.server.web.screens.new.sheet import with_persona

_ = i18n.words("outbid")[0]


def page(request: Request, found: Table, seat: int, name: str | None = None, error: str = "") -> str:
    """The page of a table whose match has not begun. name, error: a nickname that was sent, and what is wrong with it."""
    base = base_of(request)
    out = seat < 0 and secret_of(request, found) is not None
    deputy = 0 <= seat == found.votes.deputy
    facts = {"seats": found.seats, "you": seat, "host": seat == found.house.host, "deputy": deputy, "out": out}
    talk = found.chat.talk(chat.reader_of(request.cookies, found.id, seat))
    facts |= {"here": [found.votes.there(n) for n in range(len(found.seats))]}
    facts |= {"room": found.room, "ladder": ladder.announced(found), "talk": talk}
    code = qr.for_page(f"{base}/t/{found.id}")
    facts |= {"nickname": usual_name(request) if name is None else name, "error": error, "code": code}
    facts |= {"game": pages.tile(found.book), "drawn": pages.drawn(found.book.id), "bots": pages.levels()}
    facts |= {"personas": personas(found.book), "usual_bot": STEADY.name}
    return pages.page("room/room.html", table=scene.about(found, base), **facts)


async def here(request: Request, table: str) -> Response:
    """Who is there at a table that has not begun."""
    found = tables_of(request).get(table)
    return JSONResponse({"here": [found.votes.there(seat) for seat in range(len(found.seats))]})


async def join(request: Request, table: str) -> Response:
    """Take an open seat."""
    found = tables_of(request).get(table)
    name = commands.known(await form_of(request), ["name"]).get("name", "")
    if seat_of(request, found) >= 0:
        raise Refused(409, _("You have a seat at this table already."))
    found.open_seats()
    try:
        owner = names_of(request).check(name, device_of(request))
        async with found.lock:
            token = await found.join(name, owner)
    except (BadSetup, Refused) as error:
        if not requests.marked(request, error, 403):
            raise
        return HTMLResponse(page(request, found, -1, name, str(error)), 400)
    made: Response = RedirectResponse(f"/t/{table}", 303)
    if wants_json(request):
        facts = {"table": table, "seat": found.seat_of(token), "link": requests.seat_link(table, token)}
        made = JSONResponse(facts, 201)
    return await with_seat(made, found, token, request)


def _hosted(request: Request, table: str, seating_too: bool = False) -> tuple[Table, int]:
    """A table of this browser's, and its seat; seating_too: or where it is the next, as the host is gone. Raises Refused."""
    found = tables_of(request).get(table)
    seat = seat_of(request, found)
    if seat != found.house.host and not (seating_too and 0 <= seat == found.votes.deputy):
        raise Refused(403, _("Only who made the table can do that."))
    return found, seat


async def change_seat(request: Request, table: str) -> Response:
    """The host, or the next person if the host is gone, puts a bot in a seat, or opens it again."""
    fields = await fields_of(request, "seat", "who", "character")
    found, seat = _hosted(request, table, seating_too=True)
    number = fields.get("seat", "")
    if not (number.isascii() and number.isdigit() and len(number) < 3):
        raise Unreadable(_("The field {name} must be a whole number.", name="'seat'"))
    who = with_persona(fields.get("who", ""), fields.get("character", ""))
    async with found.lock:
        await seating.change(found, seat, int(number), who)
    return done(request, f"/t/{table}")


async def start(request: Request, table: str) -> Response:
    """The host, or the next person if the host is gone, lets the match begin."""
    await fields_of(request)
    found, _seat = _hosted(request, table, seating_too=True)
    async with found.lock:
        await seating.start(found)
    return done(request, f"/t/{table}")


async def decide(request: Request, table: str) -> Response:
    """The host lists the table, chooses how it begins, and switches the chat off; what is left out stays."""
    fields = await fields_of(request, "listed", "starts", "chat")
    found, _seat = _hosted(request, table)
    wanted: dict[str, Any] = {key: setup.truth(key, fields[key]) for key in ("listed", "chat") if key in fields}
    if "starts" in fields:
        wanted["starts"] = setup.starting(fields["starts"])
    async with found.lock:
        await seating.decide(found, found.house._replace(**wanted))
    return done(request, f"/t/{table}")


async def fill(request: Request, table: str) -> Response:
    """The host, or the next person if the host is gone, seats bots."""
    fields = await fields_of(request, "bot", "character")
    found, _seat = _hosted(request, table, seating_too=True)
    who = with_persona(fields.get("bot", ""), fields.get("character", ""))
    async with found.lock:
        await found.fill(who)
    return done(request, f"/t/{table}")


ROUTES = (
    ("/t/{table}/here", "GET", here),
    ("/t/{table}/join", "POST", join),
    ("/t/{table}/seats", "POST", change_seat),
    ("/t/{table}/fill", "POST", fill),
    ("/t/{table}/start", "POST", start),
    ("/t/{table}/house", "POST", decide),
)
