"""The waiting room: who sits where before the match begins."""

from typing import Any

from starlette.responses import HTMLResponse, JSONResponse, Response

from outbid.bots.heuristic import STEADY
from outbid.bots.personas import personas
from outbid.core.errors import BadSetup, Unreadable
from outbid.core.language.i18n import _
from outbid.server.domain import setup
from outbid.server.domain.contests import ladder
from outbid.server.domain.people import chat, evening, seating
from outbid.server.domain.table import Table
from outbid.server.settings import Refused
from outbid.server.storage import codes, playtests
from outbid.server.web import pages, qr
from outbid.server.web.requests import Request, seat_link, whole
from outbid.server.web.screens.new.sheet import with_persona


def page(request: Request, table: Table, seat: int, name: str | None = None, error: str = "") -> str:
    """The page of a table whose match has not begun. name, error: a nickname that was sent, and what is wrong with it."""
    out = seat < 0 and request.secret(table) is not None
    deputy = 0 <= seat == table.votes.deputy
    facts = {"seats": table.seats, "you": seat, "name": name, "host": seat == table.house.host, "deputy": deputy, "out": out}
    talk = table.chat.talk(chat.reader_of(request.cookies, table.id, seat))
    facts |= {"here": [table.votes.there(n) for n in range(len(table.seats))]}
    facts |= {"changed": seating.changes(table), "unsettled": table.votes.unsettled}
    facts |= {"room": table.room, "ladder": ladder.announced(table), "talk": talk}
    colours = setup.colours(table.seats)
    facts["holders"] = {colours[n]: n for n, place in enumerate(table.seats) if place.kind == "human"}
    facts["tally"] = evening.tally(table)
    facts |= {"playtest": playtests.named(request.store, table.house.playtest), "variant": table.variant}
    facts["letters"] = codes.of(request.store, table.id)
    facts["nameless"] = seat >= 0 and setup.nameless(table.seats[seat].name)
    code = "" if request.settings.alone else qr.for_page(f"{request.base}/t/{table.id}")
    facts |= {"nickname": request.usual_name if name is None else name, "error": error, "code": code}
    facts |= {"game": pages.tile(table.book), "drawn": pages.drawn(table.book.id), "bots": pages.levels()}
    fewest, most = table.book.seats(table.options)
    facts["chairs"] = [many for many in (len(table.seats) - 1, len(table.seats) + 1) if fewest <= many <= most]
    facts |= {"personas": personas(table.book), "usual_bot": STEADY.name}
    room = "room/device.html" if request.settings.alone else "room/room.html"
    return pages.page(room, table=request.about(table), **facts)


async def here(request: Request, table: Table) -> Response:
    """Who is there at a table that has not begun."""
    return JSONResponse({"here": [table.votes.there(seat) for seat in range(len(table.seats))]})


async def changed(request: Request, table: Table) -> Response:
    """A mark of what the page of a table shows that has not begun: another one, or none, if it would show something else."""
    return JSONResponse({"room": table.room})


async def join(request: Request, table: Table) -> Response:
    """Take an open seat. given: only if the table of a playtest plays by the given rules, and nothing is counted; agent: a
    program plays."""
    fields = await request.fields("name", "given", "agent")
    name = fields.get("name", "")
    request.desk.check_begins()
    if request.seat(table) >= 0:
        raise Refused(409, _("You have a seat at this table already."))
    table.open_seats()
    request.check_cookies()
    try:
        owner = request.names.check(name, request.device)
        async with table.lock:
            if setup.truth("given", fields.get("given", "")):
                await seating.by_the_given_rules(table, name, owner)
            agent = setup.truth("agent", fields.get("agent", ""))
            token = await table.join(name, owner, request.usual_colour, agent)
    except (BadSetup, Refused) as error:
        if not request.marked(error, 403):
            raise
        return HTMLResponse(page(request, table, -1, name, str(error)), 400)
    facts = {"table": table.id, "seat": table.seat_of(token), "link": seat_link(table.id, token)}
    return await request.give_seat(request.answer(facts, f"/t/{table.id}", 201), table, token)


async def agent(request: Request, table: Table) -> Response:
    """A program plays the seat of this browser from now on."""
    await request.fields()
    seat = request.seated(table)
    async with table.lock:
        await table.mark_agent(seat)
    return request.done(f"/t/{table.id}")


async def present(request: Request, table: Table) -> Response:
    """What a person who sits here is called from now on, and which colour they have."""
    fields = await request.fields("name", "colour")
    seat = request.seated(table)
    name = fields.get("name", table.seats[seat].name)
    colour = whole(fields.get("colour") or str(setup.colours(table.seats)[seat]), 1)
    if colour is None or colour >= max(setup.COLOURS, len(table.seats)):
        raise Unreadable(_("A colour is a number from 0 to {most}.", most=setup.COLOURS - 1))
    try:
        async with table.lock:
            await seating.present(table, seat, name, request.names.check(name, request.device), colour)
    except (BadSetup, Refused) as error:
        if not request.marked(error, 403):
            raise
        return HTMLResponse(page(request, table, seat, name, str(error)), 400)
    return request.done(f"/t/{table.id}")


async def change_seat(request: Request, table: Table) -> Response:
    """The host, or the next person if the host is gone, puts a bot in a seat, or opens it again."""
    fields = await request.fields("seat", "who", "character")
    seat = request.hosted(table, seating_too=True)
    number = whole(fields.get("seat", ""), 2)
    if number is None:
        raise Unreadable(_("The field {name} must be a whole number.", name="'seat'"))
    who = with_persona(fields.get("who", ""), fields.get("character", ""))
    async with table.lock:
        await seating.change(table, seat, number, who)
    return request.done(f"/t/{table.id}")


async def start(request: Request, table: Table) -> Response:
    """The host, or the next person if the host is gone, lets the match begin; bot: with such bots in the empty chairs."""
    fields = await request.fields("bot", "character")
    request.hosted(table, seating_too=True)
    bot = with_persona(fields.get("bot", ""), fields.get("character", ""))
    async with table.lock:
        await seating.start(table, bot)
    return request.done(f"/t/{table.id}")


async def decide(request: Request, table: Table) -> Response:
    """The host lists the table, says how it begins and for how many, and switches the chat off; what is left out stays."""
    fields = await request.fields("listed", "starts", "chat", "chairs")
    request.hosted(table)
    wanted: dict[str, Any] = {key: setup.truth(key, fields[key]) for key in ("listed", "chat") if key in fields}
    if "starts" in fields:
        request.desk.check_begins()
        wanted["starts"] = setup.starting(fields["starts"])
    async with table.lock:
        if "chairs" in fields:
            request.desk.check_begins()
            await seating.chairs(table, setup.number_of_players(fields["chairs"]))
        await seating.decide(table, table.house._replace(**wanted))
    return request.done(f"/t/{table.id}")


async def fill(request: Request, table: Table) -> Response:
    """The host, or the next person if the host is gone, seats bots."""
    fields = await request.fields("bot", "character")
    request.hosted(table, seating_too=True)
    who = with_persona(fields.get("bot", ""), fields.get("character", ""))
    async with table.lock:
        await table.fill(who)
    return request.done(f"/t/{table.id}")


ROUTES = (
    ("/t/{table}/here", "GET", here),
    ("/t/{table}/room", "GET", changed),
    ("/t/{table}/join", "POST", join),
    ("/t/{table}/agent", "POST", agent),
    ("/t/{table}/me", "POST", present),
    ("/t/{table}/seats", "POST", change_seat),
    ("/t/{table}/fill", "POST", fill),
    ("/t/{table}/start", "POST", start),
    ("/t/{table}/house", "POST", decide),
)
