"""Names that are kept with a password."""

from __future__ import annotations

import contextlib

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from outbid.core.language.names import key_of
from outbid.server.domain import setup
from outbid.server.domain.people import names
from outbid.server.rate_limits import address_of
from outbid.server.storage import ratings
from outbid.server.storage.notifications import Unreachable
from outbid.server.web import pages
from outbid.server.web.middleware import wants_json
from outbid.server.web.requests import (
    device_of,
    done,
    fields_of,
    forget,
    names_of,
    remember,
    seats_of,
    tables_of,
    without_seats,
)


async def name(request: Request) -> Response:
    """The name this browser is signed in with, or how to keep one."""
    kept = names_of(request).of(device_of(request))
    if wants_json(request):
        return JSONResponse({"name": kept.name if kept else None})
    limits = (names.SHORTEST, names.LONGEST)
    climbs = kept is not None and ratings.climbs(tables_of(request).store, kept.key)
    return HTMLResponse(pages.page("name/name.html", name=kept.name if kept else None, limits=limits, climbs=climbs))


async def keep_name(request: Request) -> Response:
    """Keep a name, and with it the seats that this browser has under it."""
    fields = await fields_of(request, "name", "password")
    token = await names_of(request).keep(fields.get("name", ""), fields.get("password", ""), address_of(request.scope))
    return await _signed_in(request, token)


async def sign_in(request: Request) -> Response:
    """Have all seats of a name on this device, too."""
    fields = await fields_of(request, "name", "password")
    token = await names_of(request).sign_in(fields.get("name", ""), fields.get("password", ""), address_of(request.scope))
    return await _signed_in(request, token)


async def _signed_in(request: Request, token: str) -> Response:
    kept = names_of(request).of(token)
    before = device_of(request)
    if before:
        await names_of(request).sign_out(before)
    if kept:
        people, key = names_of(request).people, key_of(kept.name)
        await tables_of(request).store.aside(people.own, kept.key, seats_of(request), lambda called: key_of(called) == key)
    made = done(request, "/")
    return remember(made, names.COOKIE, token, request)


async def sign_out(request: Request) -> Response:
    """This device is signed in no longer, and has no seat of the name any more."""
    await fields_of(request)
    kept = names_of(request).of(device_of(request))
    made = done(request, "/name")
    if kept:
        await names_of(request).sign_out(device_of(request) or "")
        await without_seats(made, names_of(request).people.tables(kept.key), request)
    return forget(made, names.COOKIE, request)


async def change_password(request: Request) -> Response:
    """Another password; all other devices are signed out."""
    fields = await fields_of(request, "old", "password")
    old, new = fields.get("old", ""), fields.get("password", "")
    await names_of(request).change(device_of(request), old, new, address_of(request.scope))
    return done(request, "/name")


async def give_up_name(request: Request) -> Response:
    """Anybody may have the name; the seats stay with those who have their links, or nothing of it stays."""
    fields = await fields_of(request, "password", "erase")
    proof = device_of(request), fields.get("password", ""), address_of(request.scope)
    if setup.truth("erase", fields.get("erase", "")):
        sat, heard = await names_of(request).erase(*proof)
        for table in sat:
            tables_of(request).drop(table)
        for live in tables_of(request).live():
            if live.id in heard:
                with contextlib.suppress(Unreachable):  # it is erased, and told again when the database answers
                    live.chat.look_again()
    else:
        await names_of(request).give_up(*proof)
    made = done(request, "/name")
    return forget(made, names.COOKIE, request)


async def all_of_name(request: Request) -> Response:
    """All that this server keeps of the name, as a file."""
    found = await names_of(request).everything(device_of(request))
    return JSONResponse(found, headers={"Content-Disposition": 'attachment; filename="outbid-name.json"'})


ROUTES = (
    ("/name", "GET", name),
    ("/name/keep", "POST", keep_name),
    ("/name/in", "POST", sign_in),
    ("/name/out", "POST", sign_out),
    ("/name/password", "POST", change_password),
    ("/name/give-up", "POST", give_up_name),
    ("/name/data", "GET", all_of_name),
)
