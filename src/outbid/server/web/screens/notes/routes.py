"""The notebook of a seat."""

from __future__ import annotations

from starlette.responses import JSONResponse, Response

from outbid.server.domain.people import notebook
from outbid.server.domain.table import Table
from outbid.server.web.requests import Visit


async def notes(visit: Visit, table: Table) -> Response:
    """What this seat has noted for itself, as a page of its own or for programs."""
    seat = visit.seated(table)
    text = visit.names.people.notes(table.id, seat)
    if visit.program:
        return JSONResponse({"text": text})
    return visit.page("notes/notes.html", table=visit.about(table), text=text)


async def note(visit: Visit, table: Table) -> Response:
    """The whole notebook from now on."""
    fields = await visit.fields("text")
    seat = visit.seated(table)
    text = notebook.cleaned(table, fields.get("text", ""))
    await visit.store.aside(visit.names.people.note, table.id, seat, text)
    return visit.done(f"/t/{table.id}")


ROUTES = (
    ("/t/{table}/notes", "GET", notes),
    ("/t/{table}/notes", "POST", note),
)
