"""A table: its page, its moves, its socket, and how it was."""

from typing import Any

from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.websockets import WebSocket

from outbid.core.errors import OutbidError, Unreadable
from outbid.core.language.i18n import _
from outbid.server import tokens
from outbid.server.domain import commands, scene, setup
from outbid.server.domain.people import chat, seating
from outbid.server.domain.table import CommandOutcome, Table
from outbid.server.settings import Refused
from outbid.server.stored import GO_ON, PAUSE
from outbid.server.web import pages, socket
from outbid.server.web.below import root
from outbid.server.web.middleware import sentence
from outbid.server.web.requests import Request, Visitor, game_of, seat_link, whole
from outbid.server.web.screens.review import routes as reviews
from outbid.server.web.screens.room import routes as room
from outbid.server.web.screens.table import coached


async def show(request: Request, table: Table) -> Response:
    """The table as this browser may see it."""
    seat, base = request.seat(table), request.base
    if request.program:
        return JSONResponse(scene.now(table, seat, base).as_json())
    if table.status != "open":
        reader = chat.reader_of(request.cookies, table.id, seat)
        talk = None if request.settings.alone else table.chat.talk(reader)
        first = coached.knows(request, table, seat, page=True)
        return coached.remembered(request, HTMLResponse(pages.table(scene.live(table, seat, base), talk)), table, first)
    return HTMLResponse(room.page(request, table, seat))


async def move(request: Request, table: Table) -> Response:
    """A move by a form."""
    seat = request.seat(table)
    if seat < 0:
        raise Refused(403, _(socket.SPECTATOR))
    command = commands.command(await request.form_fields())
    outcome = await table.play(seat, command)
    if request.program:
        return _outcome(table, seat, command.id, outcome, request.base)
    if outcome.error:
        return sentence(request, outcome.status, outcome.error)
    return RedirectResponse(f"/t/{table.id}", 303)


def _outcome(table: Table, seat: int, name: str, outcome: CommandOutcome, base: str) -> Response:
    facts: dict[str, Any] = {"ok": outcome.ok, "id": name, "error": outcome.error, "stale": outcome.stale}
    if outcome.stale and table.status != "open":
        facts["now"] = scene.as_json(scene.live(table, seat, base))
    return JSONResponse(facts, outcome.status)


async def pace(request: Request, table: Table) -> Response:
    """How fast the bots act."""
    wanted = await request.fields("pace", "paused", "skip")
    seat = request.seat(table)
    if seat < 0:
        raise Refused(403, _("You are watching: only who has a seat here can set the pace."))
    if wanted.get("paused", "") not in ("", "0", "1", "true", "false"):
        raise Unreadable(_("The field {name} is true or false.", name="'paused'"))
    if not wanted.keys() <= {"skip"}:
        paused = wanted["paused"] in ("1", "true") if wanted.get("paused") else None
        async with table.lock:
            if paused is not None and paused != table.paused and table.votes.timed:
                await table.votes.wish(seat, PAUSE if paused else GO_ON)
                paused = None
            await table.set_pace(wanted.get("pace"), paused, [seat])
    if wanted.get("skip"):
        await table.skip()
    return request.done(f"/t/{table.id}")


async def replay(request: Request, table: Table) -> Response:
    """The table as it was."""
    wanted = request.query("move", "seat", "part", "told", "learn")
    step, told = _moves(wanted.get("move")), _moves(wanted.get("told"))
    eyes = wanted.get("seat") or None
    seat, base, programs = request.seat(table), request.base, request.program

    def shown() -> Response:
        regions = wanted.get("part") == "regions"
        seen = scene.replay(table, seat, base, step, eyes, since=(told or 0) if regions else 0)
        if programs and not regions:
            return JSONResponse(scene.as_json(seen))
        if table.status == "over":
            seen = reviews.beside(request, table, seen, wanted.get("learn", ""), drawn=regions and told is not None)
        if not regions:
            return HTMLResponse(pages.table(seen))
        if told is not None:
            return JSONResponse(pages.render_step(seen))
        return JSONResponse({"title": seen.headline, "regions": pages.render_regions(seen, pages.LOOKING_BACK)})

    return await request.heavily(shown, len(table.playing.moves))


def _moves(text: str | None) -> int | None:
    """A number of moves in an address, if there is one. Raises Unreadable."""
    if not text:
        return None
    number = whole(text)
    if number is None:
        raise Unreadable(_("The number of moves is {said}; it must be a whole number.", said=repr(text[:20])))
    return number


async def record(request: Request, table_id: str) -> Response:
    """The record of a match that is over."""
    write = await request.tables.record(table_id, request.seat)

    def written() -> Response:
        content = write()
        name = f"{content['game']}-{table_id}.json"
        return JSONResponse(content, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    return await request.heavily(written)


async def vote(request: Request, table: Table) -> Response:
    """A player agrees that a bot takes the seat of a person who ran out of time, or withdraws that."""
    fields = await request.fields("seat", "agree")
    voter = request.seated(table)
    seat = whole(fields.get("seat", ""), 2)
    if seat is None:
        raise Unreadable(_("The field {name} must be the number of a seat.", name="'seat'"))
    agrees = setup.truth("agree", fields.get("agree") or "true")
    async with table.lock:
        await table.clock.vote(voter, seat, agrees)
    return request.done(f"/t/{table.id}")


async def back(request: Request, table: Table) -> Response:
    """A person plays again where a bot had taken over."""
    await request.fields()
    seat = request.seated(table)
    async with table.lock:
        if not table.seats[seat].away:
            raise Refused(409, _("No bot plays for you: the seat is yours."))
        await table.give_back(seat)
    return request.done(f"/t/{table.id}")


async def automatic_moves(request: Request, table: Table) -> Response:
    """A seat gives an order, or takes it back."""
    fields = await request.fields("order", "amount", "cancel")
    seat = request.seated(table)
    if ("order" in fields) == ("cancel" in fields):
        raise Unreadable(_("An automatic move is set or cancelled: the form has the field 'order' or the field 'cancel'."))
    async with table.lock:
        if "order" in fields:
            await table.orders.give(seat, fields["order"], fields.get("amount"))
        else:
            await table.orders.cancel(seat, fields["cancel"])
        table.tell_owner(seat)
    return request.done(f"/t/{table.id}")


async def hint(request: Request, table: Table) -> Response:
    """A seat asks what a bot would do; answered when it is thought."""
    fields = await request.fields("decision")
    seat = request.seated(table)
    number = whole(fields.get("decision", ""))
    if number is None and fields.get("decision"):
        raise Unreadable(_("The field {name} must be a whole number.", name="'decision'"))
    advice = await table.hints.take(seat, number)
    return request.answer({"ok": True, "hint": scene.hint(advice).model_dump()}, f"/t/{table.id}")


async def coach(request: Request, table: Table) -> Response:
    """A seat wants the coach no more, or again."""
    fields = await request.fields("heard")
    seat = request.seated(table)
    if fields.get("heard") not in ("true", "false"):
        raise Unreadable(_("The field {name} is true or false.", name="'heard'"))
    heard = fields["heard"] == "true"
    table.coach.mute(seat, not heard)
    return coached.wanted(request, request.done(f"/t/{table.id}"), heard)


async def agree(request: Request, table: Table) -> Response:
    """Agree to an open question, or refuse."""
    fields = await request.fields("what", "agree")
    seat = request.seated(table)
    async with table.lock:
        await table.votes.wish(seat, fields.get("what", ""), setup.truth("agree", fields.get("agree") or "true"))
    return request.done(f"/t/{table.id}")


async def rematch(request: Request, table: Table) -> Response:
    """To the next table of the same people, which is made if it is not there; game: of another game than this one."""
    game = (await request.fields("game")).get("game", "")
    if game:
        game_of(game)
    seat = request.seated(table)
    request.desk.check_begins()
    if not table.house.next:
        request.limits.table(request.address)
    async with table.lock:
        following = await seating.again(request.tables, table, game)
    secret = request.secret(table)
    token = tokens.heir_of(secret, following.id) if secret and table.seat_of(secret) == seat else tokens.new_token()
    async with following.lock:
        mine = following.seat_of(token)
        place = mine if mine >= 0 else seating.seat_after(table, seat, following)
        mine = await seating.take(following, place, table.seats[seat].name, token)
    link = seat_link(following.id, token) if mine else f"{root()}/t/{following.id}"
    answer = request.answer({"table": following.id, "seat": place, "link": link}, f"/t/{following.id}", 201)
    return await request.give_seat(answer, following, token) if mine else answer


async def socket_of(ws: WebSocket) -> None:
    """The socket of a table."""
    await ws.accept()
    visitor = Visitor(ws.scope)
    try:
        table = visitor.tables.get(ws.path_params["table"])
        seat = visitor.seat(table)
        coached.knows(visitor, table, seat, page=False)
        await socket.serve(ws, table, seat, visitor.base, visitor.limits, program=visitor.program)
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
