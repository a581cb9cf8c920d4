"""The notebook of a seat."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from outbid.server.domain import scene
from outbid.server.domain.people import notebook
from outbid.server.web import pages
from outbid.server.web.middleware import wants_json
from outbid.server.web.requests import (
    base_of,
    done,
    fields_of,
    names_of,
    seated,
    tables_of,
)


async def notes(request: Request, table: str) -> Response:
    """What this seat has noted for itself, as a page of its own or for programs."""
    found, seat = seated(request, table)
    text = names_of(request).people.notes(found.id, seat)
    if wants_json(request):
        return JSONResponse({"text": text})
    return HTMLResponse(pages.page("notes/notes.html", table=scene.about(found, base_of(request)), text=text))


async def note(request: Request, table: str) -> Response:
    """The whole notebook from now on."""
    fields = await fields_of(request, "text")
    found, seat = seated(request, table)
    text = notebook.cleaned(found, fields.get("text", ""))
    await tables_of(request).store.aside(names_of(request).people.note, found.id, seat, text)
    return done(request, f"/t/{table}")


ROUTES = (
    ("/t/{table}/notes", "GET", notes),
    ("/t/{table}/notes", "POST", note),
)
