"""A record is sent, to look back at its match."""

from starlette.responses import HTMLResponse, Response

from outbid.core.errors import Unreadable
from outbid.core.language.i18n import _
from outbid.server.web import pages
from outbid.server.web.below import root
from outbid.server.web.requests import Request
from outbid.server.web.screens.records import sent as uploads


async def ask(request: Request) -> Response:
    """Where a record is sent."""
    return request.page("records/records.html", text="")


async def upload(request: Request) -> Response:
    """A table to look back at, made of a record."""
    request.limits.table(request.address)
    sent = await uploads.sent(request, request.settings)
    try:
        wanted = await uploads.table_of(request, sent, request.app.state.background)
    except Unreadable as error:
        if not request.marked(error):
            raise
        reason = str(error)
        if error.__cause__ and isinstance(error.__cause__.__cause__, ValueError):  # no JSON, perhaps no text
            reason = _("This is no saved match; “Save the record” at the end of a match writes one. {reason}", reason=error)
        return HTMLResponse(pages.page("records/records.html", text=uploads.pasted(sent), error=reason), 400)
    table = await request.tables.take_in(wanted)
    link = f"/t/{table}/replay?move=0&seat=open"
    return request.answer({"table": table, "link": f"{root()}{link}"}, link, 201)


ROUTES = (
    ("/records", "GET", ask),
    ("/records", "POST", upload),
)
