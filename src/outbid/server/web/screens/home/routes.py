"""The front page: the games, whose turn it is, tables where anybody may sit down, a match at one tap."""

import asyncio
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from starlette.responses import HTMLResponse, JSONResponse, Response

from outbid.core.errors import OutbidError, Unreadable
from outbid.core.hooks.offer import offer_of
from outbid.core.language.i18n import _
from outbid.core.rulebook import Rulebook, rulebooks
from outbid.server.domain.contests import daily
from outbid.server.domain.setup import OPEN, Order
from outbid.server.domain.timing import clocks
from outbid.server.settings import Refused
from outbid.server.storage import codes, playtests, ratings
from outbid.server.web import absent, pages
from outbid.server.web.requests import Request, called, game_of
from outbid.server.web.screens.daily.routes import first_of

OFFERED = 7 * 24 * 3600.0  # seconds for which a listed table stands on the front page
MOST_WEIGHT = 99  # of a game that does not say how heavy it is: it is offered last
LOOKED = 24  # tables in play of one browser that are looked at for whose turn it is
CODE = 12  # characters of a code that are shown again, as typed
USUAL = 4  # players of a first match, where a game does not say who they are


async def front(request: Request) -> Response:
    """The games, and the tables of this browser and of the name it is signed in with."""
    return HTMLResponse(await _front(request))


async def _front(request: Request, name: str | None = None, error: str = "") -> str:
    """The page. name, error: a nickname that was sent, and what is wrong with it."""
    books, person = rulebooks(), request.kept
    offered = [
        {"table": table, "title": books[table.game].called, "clock": _clock(table.clock, table.weekends)}
        for table in request.names.people.offered(time.time() - OFFERED)
        if table.game in books
    ]
    easy_first = sorted(books.values(), key=lambda book: (offer_of(book).weight or MOST_WEIGHT, book.title))
    running = [playtest for playtest in playtests.running(request.store) if playtest.game in books]
    today = daily.deal_of(daily.today()) if daily.games() else None
    facts = {"nickname": request.usual_name if name is None else name, "error": error, "signed_in": person is not None}
    facts["climbs"] = person is not None and ratings.climbs(request.store, person.key)
    facts |= {"notices": request.settings.notices, "tables": await _mine(request), "offered": offered, "playtests": running}
    facts |= {"games": [pages.tile(book) for book in easy_first], "drawn": pages.drawn(*books)}
    facts |= {"today": today and pages.deal_of(today), "played": first_of(request, today.day) if today else None}
    return pages.page("home/home.html", **facts)


def _clock(word: str, weekends: bool) -> str:
    """The clock of a table at which seats are open; whether it counts for the ladder depends on who will sit there."""
    if word:
        return clocks.meaning(clocks.parse(word), weekends)
    return _("No clock; if the match counts for the ladder, three days for every decision.")


async def _mine(request: Request) -> list[dict[str, Any]]:
    """The tables of this browser, the newest first; of those in play whether its person is asked."""
    held, person = request.seats, request.kept
    books, rows, looked = rulebooks(), list[dict[str, Any]](), 0
    ended = {name: datetime.fromtimestamp(at, UTC) for name, at, _leaves in request.store.ended(among=request.table_ids)}
    for name, game, status, names in request.store.summaries(request.table_ids):
        seat: dict[str, Any] = {"yours": False}
        if status == "playing" and looked < LOOKED:
            looked += 1
            seat = _asked(request, name, held.get(name), person.key if person else None)
            await asyncio.sleep(0)  # a table that is not in memory is replayed; others come in between
        title = books[game].called if game in books else game
        end = ended[name].isoformat(timespec="minutes") if name in ended else None
        rows.append({"id": name, "title": title, "status": status, "names": names, "ended": end, **seat})
    return rows


def _asked(request: Request, name: str, token: str | None, key: str | None) -> dict[str, Any]:
    """Whether the person of a seat is asked at a table, being here is not being there; and who of several at one device."""
    try:
        table = request.tables.get(name)
    except OutbidError:
        return {"yours": False}
    if absent.alone():
        people = [n for n, place in enumerate(table.seats) if place.kind == "human"]
        asked = [table.seats[n].name for n in people if n in table.asked]
        return {"yours": bool(asked), "asked": asked[0] if asked and len(people) > 1 else ""}
    seat = next((n for n, place in enumerate(table.seats) if token and place.token == token), -1)
    if seat < 0 and key is not None:
        seat = request.names.people.seat(name, key)
    return {"yours": seat in table.asked and table.seats[seat].kind == "human"}


async def mine(request: Request) -> Response:
    """The tables of this browser, and at how many of them it is asked."""
    tables = await _mine(request)
    return JSONResponse({"turn": sum(table["yours"] for table in tables), "tables": tables})


async def play(request: Request) -> Response:
    """A table against bots, which begins at once; with `friends` in place of `game`, a waiting room for that game."""
    fields = await request.fields("game", "name", "friends")
    with_friends = bool(fields.get("friends"))
    if with_friends and fields.get("game"):
        raise Unreadable(
            _("A table is for friends or against bots: send {one} or {other}, not both.", one="'friends'", other="'game'")
        )
    book = game_of(fields.get("friends" if with_friends else "game", ""))
    match = first_match(book, fields.get("name", request.usual_name))
    try:
        return await request.new_table(replace(match, bots=(OPEN,)) if with_friends else match)
    except OutbidError as error:
        if not request.marked(error, 403):
            raise
        return HTMLResponse(await _front(request, fields.get("name"), str(error)), 400)


async def by_code(request: Request) -> Response:
    """The field for the code of a waiting room."""
    return request.page("home/code.html", typed="", error="")


async def enter(request: Request) -> Response:
    """On to the waiting room whose code was typed."""
    typed = (await request.fields("code")).get("code", "")
    request.limits.code(request.address)
    table = codes.opened(request.store, typed)
    if table:
        request.limits.right_code(request.address)
        return request.answer({"table": table}, f"/t/{table}")
    error = Refused(404, _("No table waits under this code: it may be mistyped, older than a day, or the match has begun."))
    if request.program:
        raise error
    return HTMLResponse(pages.page("home/code.html", typed=typed[:CODE], error=str(error)), 404)


def first_match(book: Rulebook, name: str) -> Order:
    """The first match of a person who chose only a game."""
    low, high = book.players
    company = offer_of(book).company[: high - 1]
    if len(company) + 1 < low:
        company = ("steady",) * (min(high, max(low, USUAL)) - 1)
    return Order(book.id, len(company) + 1, called(name), company)


ROUTES = (
    ("/", "GET", front),
    ("/mine", "GET", mine),
    ("/play", "POST", play),
    ("/code", "GET", by_code),
    ("/code", "POST", enter),
)
