"""The notebook of a seat."""

from starlette.responses import JSONResponse, Response

from outbid.server.domain.people import notebook
from outbid.server.domain.table import Table
from outbid.server.web.requests import Request


async def notes(request: Request, table: Table) -> Response:
    """What this seat has noted for itself, as a page of its own or for programs."""
    seat = request.seated(table)
    text = request.names.people.notes(table.id, seat)
    if request.program:
        return JSONResponse({"text": text})
    return request.page("notes/notes.html", table=request.about(table), text=text)


async def note(request: Request, table: Table) -> Response:
    """The whole notebook from now on."""
    fields = await request.fields("text")
    seat = request.seated(table)
    text = notebook.cleaned(table, fields.get("text", ""))
    await request.store.aside(request.names.people.note, table.id, seat, text)
    return request.done(f"/t/{table.id}")


ROUTES = (
    ("/t/{table}/notes", "GET", notes),
    ("/t/{table}/notes", "POST", note),
)
