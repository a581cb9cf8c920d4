"""Who asks, and how: what every route needs to know of a request."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import parse_qsl, unquote

from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from outbid.core.errors import OutbidError, Unreadable
from outbid.core.language import i18n
from outbid.core.rulebook import Rulebook, by_id
from outbid.server.domain import commands
from outbid.server.domain.background import LONG
from outbid.server.domain.people import names
from outbid.server.domain.setup import Order
from outbid.server.domain.table import HOST, Table
from outbid.server.domain.tables import Tables
from outbid.server.rate_limits import address_of
from outbid.server.settings import Refused, Settings
from outbid.server.tokens import hashed, new_token
from outbid.server.web import qr
from outbid.server.web.below import root
from outbid.server.web.middleware import wants_json

_, ngettext = i18n.words("outbid")

YEAR = 365 * 24 * 3600
FORM = "application/x-www-form-urlencoded"
MOST = 200  # seats of one browser that are looked up
BROWSER = "browser"  # the cookie with the secret of a browser, whose seats the database knows
NICKNAME = "nickname"  # the cookie with the name that was typed last
MOVED = 20  # cookies of single seats that are replaced by it at once: an answer has only so much room for headers
TOKEN = re.compile(r"[\w-]{22}", re.ASCII)


def tables_of(asked: HTTPConnection) -> Tables:
    """The tables of the server."""
    return asked.app.state.tables


def settings_of(asked: HTTPConnection) -> Settings:
    """What the server was told."""
    return asked.app.state.settings


def names_of(asked: HTTPConnection) -> names.Names:
    """The kept names of the server."""
    return asked.app.state.names


def base_of(asked: HTTPConnection) -> str:
    """How links to the server begin: as this viewer reaches it, or others do."""
    settings = settings_of(asked)
    if settings.base_url or (settings.lan and qr.loopback(asked.url.hostname or "")):
        return settings.base_url or settings.lan or ""
    scheme = {"ws": "http", "wss": "https"}.get(asked.url.scheme, asked.url.scheme)
    return f"{scheme}://{asked.url.netloc}"


def seat_link(table: str, token: str) -> str:
    """The address of a seat, as programs are told it: without the host, with the path of the server."""
    return f"{root()}/t/{table}/seat/{token}"


def seat_cookie(table: Table) -> str:
    """The cookie of a single seat: programs have it, and browsers had it before they had one for all their seats."""
    return f"seat-{table.id}"


def _single(asked: HTTPConnection) -> dict[str, str]:
    """The secrets of single seats: table → secret."""
    return {name.removeprefix("seat-"): secret for name, secret in asked.cookies.items() if name.startswith("seat-")}


def browser_of(asked: HTTPConnection) -> str:
    """The secret of this browser; "" if it has none that the server knows."""
    secret = asked.cookies.get(BROWSER, "")
    return secret if TOKEN.fullmatch(secret) else ""


def secret_of(asked: HTTPConnection, table: Table) -> str | None:
    """The secret of this browser's seat at a table; one that opens no seat any more is said, too."""
    browser = browser_of(asked)
    single = asked.cookies.get(seat_cookie(table))
    if table.seat_of(single) >= 0 or not browser:
        return single
    return names_of(asked).people.held(browser, table.id) or single


def device_of(asked: HTTPConnection) -> str | None:
    """The secret of a browser that is signed in with a kept name."""
    return asked.cookies.get(names.COOKIE)


def seat_of(asked: HTTPConnection, table: Table) -> int:
    """The seat of this browser, by its token or by a kept name, whose person is there; −1: it watches."""
    seat = table.seat_of(secret_of(asked, table))
    kept = names_of(asked).of(device_of(asked)) if seat < 0 else None
    seat = names_of(asked).people.seat(table.id, kept.key) if kept else seat
    table.votes.see(seat)
    return seat


def usual_name(asked: HTTPConnection) -> str:
    """What this browser's visitor is called: the kept name, else what its pages remember (static/nickname.js), else
    that of the newest table; "" if it has none."""
    kept = names_of(asked).of(device_of(asked))
    if kept:
        return kept.name
    typed = " ".join(unquote(asked.cookies.get(NICKNAME, "")).split())[: settings_of(asked).nickname]
    return typed or tables_of(asked).store.last_name(seats_of(asked))


def seats_of(asked: HTTPConnection) -> dict[str, str]:
    """The seats of this browser: table → hashed token."""
    browser = browser_of(asked)
    held = names_of(asked).people.holds(browser, MOST) if browser else {}
    single = {table: hashed(secret) for table, secret in list(_single(asked).items())[:MOST]}
    return {**single, **held}


def ids_of(asked: HTTPConnection) -> list[str]:
    """The tables where this browser has a seat, or the name it is signed in with."""
    kept = names_of(asked).of(device_of(asked))
    return [*seats_of(asked), *(names_of(asked).people.tables(kept.key) if kept else ())]


def first_of(asked: HTTPConnection, day: str) -> tuple[str, str] | None:
    """The first table of this browser with the deal of a day, and its status."""
    tables = tables_of(asked).store.of_day(ids_of(asked), day)
    return (tables[0][0], tables[0][2]) if tables else None


def seated(request: Request, table: str) -> tuple[Table, int]:
    """A table and this browser's seat at it. Raises Refused."""
    found = tables_of(request).get(table)
    seat = seat_of(request, found)
    if seat < 0:
        raise Refused(403, _("You are watching: only who has a seat here can do that."))
    return found, seat


def remember(response: Response, name: str, secret: str, asked: HTTPConnection) -> Response:
    """This browser has a secret from now on."""
    secure = base_of(asked).startswith("https")
    response.set_cookie(name, secret, max_age=YEAR, path=f"{root()}/", httponly=True, samesite="lax", secure=secure)
    return response


def forget(response: Response, name: str, asked: HTTPConnection) -> Response:
    """This browser has the secret no longer."""
    secure = base_of(asked).startswith("https")
    response.delete_cookie(name, path=f"{root()}/", httponly=True, samesite="lax", secure=secure)
    return response


async def with_seat(response: Response, table: Table, token: str, asked: HTTPConnection) -> Response:
    """The seat goes to this browser, and cookies of single seats that it still has are moved to where this one is kept."""
    people = names_of(asked).people
    try:
        browser = browser_of(asked)
        if not people.browser(browser):
            browser = new_token()  # nobody else shall have chosen it
        single = {name: secret for name, secret in _single(asked).items() if TOKEN.fullmatch(secret) and name != table.id}
        moved = dict(list(single.items())[:MOVED])
        await tables_of(asked).store.aside(people.hold, browser, {**moved, table.id: token})
    except Refused:  # it cannot be written just now; the seat is taken, and shall not be lost
        return remember(response, seat_cookie(table), token, asked)
    for name in {table.id, *moved} & _single(asked).keys():
        forget(response, f"seat-{name}", asked)
    return remember(response, BROWSER, browser, asked)


async def without_seats(response: Response, those: Iterable[str], asked: HTTPConnection) -> Response:
    """This browser has the seats at these tables no longer."""
    await tables_of(asked).store.aside(names_of(asked).people.let_go, browser_of(asked), those)
    for name in _single(asked).keys() & set(those):
        forget(response, f"seat-{name}", asked)
    return response


async def heavily(request: Request, made: Callable[[], Response], moves: int = LONG) -> Response:
    """An answer that takes long to make if there are many moves; then it is made beside the event loop."""
    if moves < LONG:
        return made()
    return await request.app.state.background.run(address_of(request.scope), made)


async def new_table(request: Request, order: Order) -> Response:
    """Make a table; the maker's seat goes to this browser. Raises OutbidError."""
    owner = names_of(request).check(order.name, device_of(request))
    request.app.state.limits.table(address_of(request.scope))
    table, token = await tables_of(request).create(order, owner)
    answer: Response = RedirectResponse(f"/t/{table.id}", 303)
    if wants_json(request):
        answer = JSONResponse({"table": table.id, "seat": HOST, "link": seat_link(table.id, token)}, 201)
    return await with_seat(answer, table, token, request)


def game_of(name: str) -> Rulebook:
    """A game that is installed. Raises Refused."""
    try:
        return by_id(name)
    except OutbidError as error:
        raise Refused(404, str(error)) from error


def called(name: str) -> str:
    """A nickname, or what a person is called who gave none."""
    return name if name.strip() else _("Guest")


def number(text: str, digits: int = 9) -> int | None:
    """A whole number of so many digits at most; none: the text is no such number."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def done(request: Request, back: str) -> Response:
    """It is done: back to this page."""
    return JSONResponse({"ok": True}) if wants_json(request) else RedirectResponse(back, 303)


def marked(request: Request, error: OutbidError, *statuses: int) -> bool:
    """Whether an error is shown where it was made: to a person who can mend it there. statuses: of refusals that are so."""
    return not wants_json(request) and (not isinstance(error, Refused) or error.status in statuses)


async def form_of(request: Request) -> commands.Fields:
    """The fields of a form, in order. Raises Unreadable, Refused."""
    kind = request.headers.get("content-type", FORM).partition(";")[0].strip().lower()
    if kind != FORM:
        raise Refused(415, _("A form is sent as {kind}.", kind=FORM))
    try:
        text = (await request.body()).decode("ascii")
        most = settings_of(request).fields
        return parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text), errors="strict", max_num_fields=most)
    except ValueError as error:
        raise Unreadable(_("The form cannot be read.")) from error


async def fields_of(request: Request, *allowed: str) -> dict[str, Any]:
    """The fields of a form that has only these. Raises Unreadable, Refused."""
    return dict(commands.known(await form_of(request), allowed))
