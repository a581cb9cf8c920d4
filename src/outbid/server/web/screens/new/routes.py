"""The set-up sheet of a game, and tables that programs order."""

import contextlib

from starlette.responses import HTMLResponse, JSONResponse, Response

from outbid.core.errors import BadOption, BadSetup
from outbid.core.rulebook import Rulebook, by_id
from outbid.server.domain import setup
from outbid.server.domain.people import seating
from outbid.server.domain.table import Table
from outbid.server.domain.titles import Titles
from outbid.server.settings import Refused
from outbid.server.web.requests import Request, called, game_of
from outbid.server.web.screens.new import sheet as setup_sheet
from outbid.server.web.screens.new import view

NO_MOVES = 2**31 - 1


async def sheet(request: Request, game: str) -> Response:
    """A sheet to fill in; fields in the address are filled in already."""
    book = game_of(game)
    fields = request.query(*setup_sheet.fields_of(book), strict=True)
    if "table" in fields:
        return _sheet(request, setup_sheet.of_table(_waiting(request, fields["table"]), book))
    fields.setdefault("name", request.usual_name)
    return _sheet(request, setup_sheet.Sheet(book, fields))


def _waiting(request: Request, name: str) -> Table:
    """A table of which this visitor is the host, before its match. Raises Refused."""
    table = request.tables.get(name)
    request.hosted(table)
    seating.check_before(table)
    return table


async def make(request: Request, game: str) -> Response:
    """The table of a sheet, or another one that waits changed by it; the sheet again with what is wrong."""
    book = game_of(game)
    filled = await _filled(request, book)
    table = _waiting(request, filled.values["table"]) if filled.values.get("table") else None
    if filled.order:
        try:
            if table is None:
                return await request.new_table(filled.order)
            async with table.lock:
                await seating.alter(table, filled.order)
            return request.done(f"/t/{table.id}")
        except BadSetup as error:
            filled.refused = setup_sheet.titled(book, str(error))
        except Refused as error:
            if error.status != 403:
                raise
            filled.errors["name"] = str(error)
    if request.program:
        refusal = filled.refused or next(iter(filled.errors.values()))
        return JSONResponse({"error": refusal, "fields": filled.errors}, 400)
    return _sheet(request, filled, 400)


async def _filled(request: Request, book: Rulebook) -> setup_sheet.Sheet:
    """A sheet as this browser has filled it in."""
    fields, owner = await request.form_fields(), None
    with contextlib.suppress(Refused):  # a name of somebody else is refused when the table is made
        owner = request.names.check(called(dict(fields).get("name", "")), request.device)
    return setup_sheet.read(book, fields, request.settings.nickname, owner)


def _sheet(request: Request, filled: setup_sheet.Sheet, status: int = 200) -> Response:
    last = next((name for name, _game, status, _names in request.store.summaries(request.table_ids) if status == "over"), "")
    return HTMLResponse(view.page(filled, *_people(request, filled.values.get("after", "") or last)), status)


def _people(request: Request, last: str) -> tuple[str, list[str]]:
    """A finished table, and the other people who were there and do not go on elsewhere yet; none: there are none."""
    stored = request.store.load(last, since=NO_MOVES) if last in request.table_ids else None
    if stored is None or stored.next or stored.status != "over":
        return "", []
    own = request.seats.get(last)
    return last, [seat.name for seat in stored.seats if seat.kind == "human" and seat.token not in (None, own)]


async def judge(request: Request, game: str) -> Response:
    """What is wrong with a sheet, and what would do nothing."""
    book = game_of(game)
    filled = await _filled(request, book)
    idle = _idle(filled.order) if filled.order else []
    return JSONResponse({"errors": filled.errors, "refused": filled.refused or None, "idle": idle})


def _idle(order: setup.Order) -> list[str]:
    """Which options of a table would do nothing, in words."""
    book = by_id(order.game)
    return book.idle({**book.preset(order.preset), **order.options}, order.players, Titles(book))


async def order(request: Request) -> Response:
    """Make a table that a program orders."""
    return await request.new_table(setup.order(await request.form_fields()))


async def judge_order(request: Request) -> Response:
    """What would do nothing at the table that a form makes, or why it could not be made."""
    fields = await request.form_fields()
    try:
        return JSONResponse({"idle": _idle(setup.order(fields)), "refused": None})
    except (BadOption, BadSetup) as error:
        return JSONResponse({"idle": [], "refused": str(error)})


ROUTES = (
    ("/new/{game}", "GET", sheet),
    ("/new/{game}", "POST", make),
    ("/new/{game}/judge", "POST", judge),
    ("/tables", "POST", order),
    ("/tables/judge", "POST", judge_order),
)
