"""Routes about people: names that are kept with a password."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from outbid.server import names, pages
from outbid.server.asking import device_of, fields_of, forget, names_of, remember
from outbid.server.gate import wants_json
from outbid.server.limits import address_of
from outbid.server.orders import hashed

# --- kept names -------------------------------------------------------------------------------------------------------


async def name(request: Request) -> Response:
    """The name this browser is signed in with, or how to keep one."""
    kept = names_of(request).of(device_of(request))
    if wants_json(request):
        return JSONResponse({"name": kept.name if kept else None})
    longest = (names_of(request).settings.nickname, names.SHORTEST, names.LONGEST)
    return HTMLResponse(pages.page("name.html", name=kept.name if kept else None, limits=longest))


async def keep_name(request: Request) -> Response:
    """Keep a name, and with it the seats that this browser has under it."""
    fields = await fields_of(request, "name", "password")
    token = await names_of(request).keep(fields.get("name", ""), fields.get("password", ""), address_of(request.scope))
    return _signed_in(request, token)


async def sign_in(request: Request) -> Response:
    """Have all seats of a name on this device, too."""
    fields = await fields_of(request, "name", "password")
    token = await names_of(request).sign_in(fields.get("name", ""), fields.get("password", ""), address_of(request.scope))
    return _signed_in(request, token)


def _signed_in(request: Request, token: str) -> Response:
    kept = names_of(request).of(token)
    before = device_of(request)
    if before:
        names_of(request).sign_out(before)
    if kept:
        key = kept.key
        held = {k.removeprefix("seat-"): hashed(v) for k, v in request.cookies.items() if k.startswith("seat-")}
        names_of(request).registry.own(key, held, lambda called: names.key_of(called) == key)
    made: Response = JSONResponse({"ok": True}) if wants_json(request) else RedirectResponse("/", 303)
    return remember(made, names.COOKIE, token, request)


async def sign_out(request: Request) -> Response:
    """This device is signed in no longer, and has no seat of the name any more."""
    await fields_of(request)
    kept = names_of(request).of(device_of(request))
    made: Response = JSONResponse({"ok": True}) if wants_json(request) else RedirectResponse("/name", 303)
    if kept:
        names_of(request).sign_out(device_of(request) or "")
        owned = names_of(request).registry.tables(kept.key)
        for cookie in {f"seat-{table}" for table in owned} & request.cookies.keys():
            forget(made, cookie, request)
    return forget(made, names.COOKIE, request)


async def change_password(request: Request) -> Response:
    """Another password; all other devices are signed out."""
    fields = await fields_of(request, "old", "password")
    old, new = fields.get("old", ""), fields.get("password", "")
    await names_of(request).change(device_of(request), old, new, address_of(request.scope))
    return JSONResponse({"ok": True}) if wants_json(request) else RedirectResponse("/name", 303)


async def give_up_name(request: Request) -> Response:
    """Anybody may have the name; the seats stay with those who have their links."""
    fields = await fields_of(request, "password")
    await names_of(request).give_up(device_of(request), fields.get("password", ""), address_of(request.scope))
    made: Response = JSONResponse({"ok": True}) if wants_json(request) else RedirectResponse("/name", 303)
    return forget(made, names.COOKIE, request)


ROUTES = (
    ("/name", "GET", name),
    ("/name/keep", "POST", keep_name),
    ("/name/in", "POST", sign_in),
    ("/name/out", "POST", sign_out),
    ("/name/password", "POST", change_password),
    ("/name/give-up", "POST", give_up_name),
)
