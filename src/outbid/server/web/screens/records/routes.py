"""A record is sent, to look back at its match."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from outbid.core.errors import Unreadable
from outbid.server.rate_limits import address_of
from outbid.server.web import pages, requests
from outbid.server.web.below import root
from outbid.server.web.middleware import wants_json
from outbid.server.web.requests import (
    settings_of,
    tables_of,
)
from outbid.server.web.screens.records import sent as uploads


async def ask(_request: Request) -> Response:
    """Where a record is sent."""
    return HTMLResponse(pages.page("records/records.html", text=""))


async def upload(request: Request) -> Response:
    """A table to look back at, made of a record."""
    request.app.state.limits.table(address_of(request.scope))
    sent = await uploads.sent(request, settings_of(request))
    try:
        wanted = await uploads.table_of(request, sent, request.app.state.background)
    except Unreadable as error:
        if not requests.marked(request, error):
            raise
        return HTMLResponse(pages.page("records/records.html", text=uploads.pasted(sent), error=str(error)), 400)
    table = await tables_of(request).take_in(wanted)
    link = f"/t/{table}/replay?move=0&seat=open"
    if wants_json(request):
        return JSONResponse({"table": table, "link": f"{root()}{link}"}, 201)
    return RedirectResponse(link, 303)


ROUTES = (
    ("/records", "GET", ask),
    ("/records", "POST", upload),
)
