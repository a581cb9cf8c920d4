"""Names that are kept with a password."""

from __future__ import annotations

import contextlib

from starlette.responses import JSONResponse, Response

from outbid.core.language.names import key_of
from outbid.server.domain import setup
from outbid.server.domain.people import names
from outbid.server.storage import ratings
from outbid.server.storage.notifications import Unreachable
from outbid.server.web.requests import Visit


async def name(visit: Visit) -> Response:
    """The name this browser is signed in with, or how to keep one."""
    person = visit.kept
    if visit.program:
        return JSONResponse({"name": person.name if person else None})
    limits = (names.SHORTEST, names.LONGEST)
    climbs = person is not None and ratings.climbs(visit.store, person.key)
    return visit.page("name/name.html", name=person.name if person else None, limits=limits, climbs=climbs)


async def keep_name(visit: Visit) -> Response:
    """Keep a name, and with it the seats that this browser has under it."""
    fields = await visit.fields("name", "password")
    token = await visit.names.keep(fields.get("name", ""), fields.get("password", ""), visit.address)
    return await _signed_in(visit, token)


async def sign_in(visit: Visit) -> Response:
    """Have all seats of a name on this device, too."""
    fields = await visit.fields("name", "password")
    token = await visit.names.sign_in(fields.get("name", ""), fields.get("password", ""), visit.address)
    return await _signed_in(visit, token)


async def _signed_in(visit: Visit, token: str) -> Response:
    person = visit.names.of(token)
    before = visit.device
    if before:
        await visit.names.sign_out(before)
    if person:
        people, key = visit.names.people, key_of(person.name)
        await visit.store.aside(people.own, person.key, visit.seats, lambda called: key_of(called) == key)
    return visit.remember(visit.done("/"), names.COOKIE, token)


async def sign_out(visit: Visit) -> Response:
    """This device is signed in no longer, and has no seat of the name any more."""
    await visit.fields()
    person, answer = visit.kept, visit.done("/name")
    if person:
        await visit.names.sign_out(visit.device or "")
        await visit.take_seats(answer, visit.names.people.tables(person.key))
    return visit.forget(answer, names.COOKIE)


async def change_password(visit: Visit) -> Response:
    """Another password; all other devices are signed out."""
    fields = await visit.fields("old", "password")
    old, new = fields.get("old", ""), fields.get("password", "")
    await visit.names.change(visit.device, old, new, visit.address)
    return visit.done("/name")


async def give_up_name(visit: Visit) -> Response:
    """Anybody may have the name; the seats stay with those who have their links, or nothing of it stays."""
    fields = await visit.fields("password", "erase")
    proof = visit.device, fields.get("password", ""), visit.address
    if setup.truth("erase", fields.get("erase", "")):
        played_at, spoke_at = await visit.names.erase(*proof)
        for name in played_at:
            visit.tables.drop(name)
        for table in visit.tables.live():
            if table.id in spoke_at:
                with contextlib.suppress(Unreachable):  # it is erased, and told again when the database answers
                    table.chat.look_again()
    else:
        await visit.names.give_up(*proof)
    return visit.forget(visit.done("/name"), names.COOKIE)


async def all_of_name(visit: Visit) -> Response:
    """All that this server keeps of the name, as a file."""
    content = await visit.names.everything(visit.device)
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
