"""A table: its page, its moves, its socket, and how it was."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.websockets import WebSocket

from outbid.core.errors import OutbidError, Unreadable
from outbid.core.language import i18n
from outbid.server import tokens
from outbid.server.domain import commands, scene, setup
from outbid.server.domain.people import chat, seating
from outbid.server.domain.table import Outcome, Table
from outbid.server.rate_limits import address_of
from outbid.server.settings import Refused
from outbid.server.stored import GO_ON, PAUSE
from outbid.server.web import pages, requests, socket
from outbid.server.web.below import root
from outbid.server.web.middleware import sentence, wants_json
from outbid.server.web.requests import (
    base_of,
    done,
    fields_of,
    form_of,
    seat_link,
    seat_of,
    seated,
    secret_of,
    tables_of,
    with_seat,
)
from outbid.server.web.screens.review import routes as reviews
from outbid.server.web.screens.room import routes as room

_ = i18n.words("outbid")[0]


async def show(request: Request, table: str) -> Response:
    """The table as this browser may see it."""
    found = tables_of(request).get(table)
    seat, base = seat_of(request, found), base_of(request)
    if wants_json(request):
        return JSONResponse(scene.now(found, seat, base).as_json())
    if found.status != "open":
        talk = found.chat.talk(chat.reader_of(request.cookies, found.id, seat))
        return HTMLResponse(pages.table(scene.live(found, seat, base), talk))
    return HTMLResponse(room.page(request, found, seat))


async def move(request: Request, table: str) -> Response:
    """A move by a form."""
    found = tables_of(request).get(table)
    seat = seat_of(request, found)
    if seat < 0:
        raise Refused(403, _(socket.SPECTATOR))
    command = commands.command(await form_of(request))
    outcome = await found.play(seat, command)
    if wants_json(request):
        return _outcome(found, seat, command.id, outcome, base_of(request))
    if outcome.error:
        return sentence(request, outcome.status, outcome.error)
    return RedirectResponse(f"/t/{table}", 303)


def _outcome(table: Table, seat: int, name: str, outcome: Outcome, base: str) -> Response:
    answer: dict[str, Any] = {"ok": outcome.ok, "id": name, "error": outcome.error, "stale": outcome.stale}
    if outcome.stale and table.status != "open":
        answer["now"] = scene.as_json(scene.live(table, seat, base))
    return JSONResponse(answer, outcome.status)


async def pace(request: Request, table: str) -> Response:
    """How fast the bots act."""
    found = tables_of(request).get(table)
    wanted = commands.known(await form_of(request), ["pace", "paused", "skip"])
    seat = seat_of(request, found)
    if seat < 0:
        raise Refused(403, _("You are watching: only who has a seat here can set the pace."))
    if wanted.get("paused", "") not in ("", "0", "1", "true", "false"):
        raise Unreadable(_("The field {name} is true or false.", name="'paused'"))
    if not wanted.keys() <= {"skip"}:
        paused = wanted["paused"] in ("1", "true") if wanted.get("paused") else None
        async with found.lock:
            if paused is not None and paused != found.paused and found.votes.timed:
                await found.votes.wish(seat, PAUSE if paused else GO_ON)
                paused = None
            await found.set_pace(wanted.get("pace"), paused, [seat])
    if wanted.get("skip"):
        await found.skip()
    return done(request, f"/t/{table}")


async def replay(request: Request, table: str) -> Response:
    """The table as it was."""
    found = tables_of(request).get(table)
    wanted = commands.known(request.query_params.multi_items(), ["move", "seat", "part", "told"])
    step, told = _moves(wanted.get("move")), _moves(wanted.get("told"))
    eyes = wanted.get("seat") or None
    seat, base, programs = seat_of(request, found), base_of(request), wants_json(request)

    def shown() -> Response:
        if wanted.get("part") == "regions" and told is not None:
            return JSONResponse(pages.render_step(scene.replay(found, seat, base, step, eyes, since=told)))
        seen = scene.replay(found, seat, base, step, eyes, reviews.curve_of(request, found, step))
        if wanted.get("part") == "regions":
            return JSONResponse({"title": seen.headline, "regions": pages.render_regions(seen)})
        return JSONResponse(scene.as_json(seen)) if programs else HTMLResponse(pages.table(seen))

    return await requests.heavily(request, shown, len(found.playing.moves))


def _moves(said: str | None) -> int | None:
    """A number of moves in an address, if there is one. Raises Unreadable."""
    if not said:
        return None
    if not (said.isascii() and said.isdigit() and len(said) < 10):
        raise Unreadable(_("The number of moves is {said}; it must be a whole number.", said=repr(said[:20])))
    return int(said)


async def record(request: Request, table: str) -> Response:
    """The record of a match that is over."""
    write = await tables_of(request).record(table)

    def written() -> Response:
        found = write()
        name = f"{found['game']}-{table}.json"
        return JSONResponse(found, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    return await requests.heavily(request, written)


async def vote(request: Request, table: str) -> Response:
    """A player agrees that a bot takes the seat of a person who ran out of time, or withdraws that."""
    fields = await fields_of(request, "seat", "agree")
    found, voter = seated(request, table)
    seat = fields.get("seat", "")
    if not (seat.isascii() and seat.isdigit() and len(seat) < 3):
        raise Unreadable(_("The field {name} must be the number of a seat.", name="'seat'"))
    agrees = setup.truth("agree", fields.get("agree") or "true")
    async with found.lock:
        await found.clock.vote(voter, int(seat), agrees)
    return done(request, f"/t/{table}")


async def back(request: Request, table: str) -> Response:
    """A person plays again where a bot had taken over."""
    await fields_of(request)
    found, seat = seated(request, table)
    async with found.lock:
        if not found.seats[seat].away:
            raise Refused(409, _("No bot plays for you: the seat is yours."))
        await found.give_back(seat)
    return done(request, f"/t/{table}")


async def automatic_moves(request: Request, table: str) -> Response:
    """A seat gives an order, or takes it back."""
    fields = await fields_of(request, "order", "amount", "cancel")
    found, seat = seated(request, table)
    if ("order" in fields) == ("cancel" in fields):
        raise Unreadable(_("An automatic move is set or cancelled: the form has the field 'order' or the field 'cancel'."))
    async with found.lock:
        if "order" in fields:
            await found.orders.give(seat, fields["order"], fields.get("amount"))
        else:
            await found.orders.cancel(seat, fields["cancel"])
        found.tell_owner(seat)
    return done(request, f"/t/{table}")


async def hint(request: Request, table: str) -> Response:
    """A seat asks what a bot would do; answered when it is thought."""
    fields = await fields_of(request, "decision")
    found, seat = seated(request, table)
    number = fields.get("decision", "")
    if number and not (number.isascii() and number.isdigit() and len(number) < 10):
        raise Unreadable(_("The field {name} must be a whole number.", name="'decision'"))
    advice = await found.hints.take(seat, int(number) if number else None)
    if wants_json(request):
        return JSONResponse({"ok": True, "hint": scene.hint(advice).model_dump()})
    return done(request, f"/t/{table}")


async def coach(request: Request, table: str) -> Response:
    """A seat wants the coach no more, or again."""
    fields = await fields_of(request, "heard")
    found, seat = seated(request, table)
    if fields.get("heard") not in ("true", "false"):
        raise Unreadable(_("The field {name} is true or false.", name="'heard'"))
    found.coach.mute(seat, fields["heard"] == "false")
    return done(request, f"/t/{table}")


async def agree(request: Request, table: str) -> Response:
    """Agree to an open question, or refuse."""
    fields = await fields_of(request, "what", "agree")
    found, seat = seated(request, table)
    async with found.lock:
        await found.votes.wish(seat, fields.get("what", ""), setup.truth("agree", fields.get("agree") or "true"))
    return done(request, f"/t/{table}")


async def rematch(request: Request, table: str) -> Response:
    """To the next table of the same people, which is made if it is not there."""
    await fields_of(request)
    found, seat = seated(request, table)
    if not found.house.next:
        request.app.state.limits.table(address_of(request.scope))
    async with found.lock:
        following = await seating.again(tables_of(request), found)
    secret = secret_of(request, found)
    token = tokens.heir_of(secret, following.id) if secret and found.seat_of(secret) == seat else tokens.new_token()
    there = seating.seat_after(found, seat)
    async with following.lock:
        mine = await seating.take(following, there, found.seats[seat].name, token)
    link = seat_link(following.id, token) if mine else f"{root()}/t/{following.id}"
    facts = {"table": following.id, "seat": there, "link": link}
    made: Response = JSONResponse(facts, 201) if wants_json(request) else RedirectResponse(f"/t/{following.id}", 303)
    return await with_seat(made, following, token, request) if mine else made


async def socket_of(ws: WebSocket) -> None:
    """The socket of a table."""
    await ws.accept()
    try:
        found: Table = ws.app.state.tables.get(ws.path_params["table"])
        seat = seat_of(ws, found)
        await socket.serve(ws, found, seat, base_of(ws), ws.app.state.limits, program=wants_json(ws))
    except OutbidError as error:
        await socket.refuse(ws, str(error))


ROUTES = (
    ("/t/{table}", "GET", show),
    ("/t/{table}/move", "POST", move),
    ("/t/{table}/pace", "POST", pace),
    ("/t/{table}/replay", "GET", replay),
    ("/t/{table}/record", "GET", record),
    ("/t/{table}/vote", "POST", vote),
    ("/t/{table}/back", "POST", back),
    ("/t/{table}/standing", "POST", automatic_moves),
    ("/t/{table}/hint", "POST", hint),
    ("/t/{table}/coach", "POST", coach),
    ("/t/{table}/agree", "POST", agree),
    ("/t/{table}/rematch", "POST", rematch),
)
