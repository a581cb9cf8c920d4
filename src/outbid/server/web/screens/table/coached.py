"""What the cookies of a browser say of the coach (advice/coach.py): which matches of a game were its first, and that it
wants no coach any more."""

from starlette.responses import Response

from outbid.server.domain.table import Table
from outbid.server.web.requests import Request, Visitor

FIRST = 3  # matches of a game
COOKIE, OFF = "coach", "off"


def knows(visitor: Visitor, table: Table, seat: int, page: bool) -> str:
    """The first matches of the game in this browser, with this one if it is one of them, as the cookie spells them; the
    coach of the table is told whose seat this is. page: somebody looks at it; a socket alone begins no first match."""
    if seat < 0 or table.status != "playing":
        return ""
    if page:
        table.coach.people.add(seat)
    first = [match for match in visitor.cookies.get(_first(table), "").split(".") if match][:FIRST]
    if page and table.id not in first and len(first) < FIRST and table.coach.usual:
        first.append(table.id)
    if table.id in first:
        table.coach.newcomers.add(seat)
    if visitor.cookies.get(COOKIE) == OFF:
        table.coach.muted.add(seat)
    return ".".join(first)


def remembered(request: Request, response: Response, table: Table, first: str) -> Response:
    """The page of a seat; the browser remembers its first matches."""
    return request.remember(response, _first(table), first) if first else response


def wanted(request: Request, response: Response, heard: bool) -> Response:
    """The answer to whoever switches the coach on or off; the browser remembers that."""
    return request.forget(response, COOKIE) if heard else request.remember(response, COOKIE, OFF)


def _first(table: Table) -> str:
    return f"{COOKIE}-{table.book.id}"
