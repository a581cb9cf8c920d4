"""Names that are kept with a password."""

from __future__ import annotations

import contextlib

from starlette.responses import JSONResponse, Response

from outbid.core.language.names import key_of
from outbid.server.domain import setup
from outbid.server.domain.people import names
from outbid.server.storage import ratings
from outbid.server.storage.notifications import Unreachable
from outbid.server.web.requests import Request


async def name(request: Request) -> Response:
    """The name this browser is signed in with, or how to keep one."""
    person = request.kept
    if request.program:
        return JSONResponse({"name": person.name if person else None})
    limits = (names.SHORTEST, names.LONGEST)
    climbs = person is not None and ratings.climbs(request.store, person.key)
    return request.page("name/name.html", name=person.name if person else None, limits=limits, climbs=climbs)


async def keep_name(request: Request) -> Response:
    """Keep a name, and with it the seats that this browser has under it."""
    fields = await request.fields("name", "password")
    token = await request.names.keep(fields.get("name", ""), fields.get("password", ""), request.address)
    return await _signed_in(request, token)


async def sign_in(request: Request) -> Response:
    """Have all seats of a name on this device, too."""
    fields = await request.fields("name", "password")
    token = await request.names.sign_in(fields.get("name", ""), fields.get("password", ""), request.address)
    return await _signed_in(request, token)


async def _signed_in(request: Request, token: str) -> Response:
    person = request.names.of(token)
    before = request.device
    if before:
        await request.names.sign_out(before)
    if person:
        people, key = request.names.people, key_of(person.name)
        await request.store.aside(people.own, person.key, request.seats, lambda called: key_of(called) == key)
    return request.remember(request.done("/"), names.COOKIE, token)


async def sign_out(request: Request) -> Response:
    """This device is signed in no longer, and has no seat of the name any more."""
    await request.fields()
    person, answer = request.kept, request.done("/name")
    if person:
        await request.names.sign_out(request.device or "")
        await request.take_seats(answer, request.names.people.tables(person.key))
    return request.forget(answer, names.COOKIE)


async def change_password(request: Request) -> Response:
    """Another password; all other devices are signed out."""
    fields = await request.fields("old", "password")
    old, new = fields.get("old", ""), fields.get("password", "")
    await request.names.change(request.device, old, new, request.address)
    return request.done("/name")


async def give_up_name(request: Request) -> Response:
    """Anybody may have the name; the seats stay with those who have their links, or nothing of it stays."""
    fields = await request.fields("password", "erase")
    proof = request.device, fields.get("password", ""), request.address
    if setup.truth("erase", fields.get("erase", "")):
        played_at, spoke_at = await request.names.erase(*proof)
        for name in played_at:
            request.tables.drop(name)
        for table in request.tables.live():
            if table.id in spoke_at:
                with contextlib.suppress(Unreachable):  # it is erased, and told again when the database answers
                    table.chat.look_again()
    else:
        await request.names.give_up(*proof)
    return request.forget(request.done("/name"), names.COOKIE)


async def all_of_name(request: Request) -> Response:
    """All that this server keeps of the name, as a file."""
    content = await request.names.everything(request.device)
    return JSONResponse(content, headers={"Content-Disposition": 'attachment; filename="outbid-name.json"'})


ROUTES = (
    ("/name", "GET", name),
    ("/name/keep", "POST", keep_name),
    ("/name/in", "POST", sign_in),
    ("/name/out", "POST", sign_out),
    ("/name/password", "POST", change_password),
    ("/name/give-up", "POST", give_up_name),
    ("/name/data", "GET", all_of_name),
)
