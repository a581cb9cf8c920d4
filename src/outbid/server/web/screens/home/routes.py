"""Routes of the front door: the front page, a match at one tap, the set-up sheet, the deal of the day, the app."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from outbid.core.errors import BadSetup, OutbidError
from outbid.core.hooks.offer import offer_of
from outbid.core.language import i18n
from outbid.core.rulebook import Rulebook, by_id, rulebooks
from outbid.server.domain import commands
from outbid.server.domain import setup as orders
from outbid.server.domain.contests import daily
from outbid.server.domain.table import HOST
from outbid.server.domain.timing import clocks
from outbid.server.domain.titles import Titles
from outbid.server.rate_limits import address_of
from outbid.server.settings import Refused
from outbid.server.storage import ratings
from outbid.server.web import icons, pages
from outbid.server.web.middleware import wants_json
from outbid.server.web.requests import (
    base_of,
    device_of,
    fields_of,
    form_of,
    marked,
    names_of,
    seat_link,
    seats_of,
    settings_of,
    tables_of,
    usual_name,
    with_seat,
)
from outbid.server.web.screens.new import sheet as setup_sheet

_, ngettext = i18n.words("outbid")

OFFERED = 7 * 24 * 3600.0  # seconds for which a listed table stands on the front page
LOOKED = 24  # tables in play of one browser that are looked at for whose turn it is
LEARN = "/learn/{game}"
USUAL = 4  # players of a first match, where a game does not say who they are


# --- the front page ---------------------------------------------------------------------------------------------------


async def front(request: Request) -> Response:
    """The games, and the tables of this browser and of the name it is signed in with."""
    return HTMLResponse(await _front(request))


async def _front(request: Request, name: str | None = None, error: str = "") -> str:
    books, kept = rulebooks(), names_of(request).of(device_of(request))
    offered = [
        {"table": table, "title": books[table.game].title, "clock": _clock(table.clock)}
        for table in names_of(request).people.offered(time.time() - OFFERED)
        if table.game in books
    ]
    today = daily.deal_of(daily.today()) if daily.games() else None
    facts = {"nickname": usual_name(request) if name is None else name, "error": error, "signed_in": kept is not None}
    facts["climbs"] = kept is not None and ratings.climbs(tables_of(request).store, kept.key)
    facts["notices"] = settings_of(request).notices
    played = _of_today(request, today) if today else None
    return pages.home(await _mine(request), offered, lessons(request), today, played, **facts)


def _clock(word: str) -> str:
    """The clock of a table at which seats are open; whether it counts for the ladder depends on who will sit there."""
    if word:
        return clocks.sentence(clocks.parse(word))
    return _("No clock; if the match counts for the ladder, three days for every decision.")


async def _mine(request: Request) -> list[dict[str, Any]]:
    """The tables of this browser, the newest first; of those in play whether its person is asked."""
    held, kept, tables = seats_of(request), names_of(request).of(device_of(request)), tables_of(request)
    ids = [*held, *(names_of(request).people.tables(kept.key) if kept else ())]
    books, found, looked = rulebooks(), list[dict[str, Any]](), 0
    for name, game, status, names in tables.store.summaries(ids):
        yours = False
        if status == "playing" and looked < LOOKED:
            looked += 1
            yours = _asked(request, name, held.get(name), kept.key if kept else None)
            await asyncio.sleep(0)  # a table that is not in memory is replayed; others come in between
        title = books[game].title if game in books else game
        found.append({"id": name, "title": title, "status": status, "names": names, "yours": yours})
    return found


def _asked(request: Request, name: str, token: str | None, key: str | None) -> bool:
    """Whether the person of a seat is asked at a table; being here is not being there."""
    try:
        table = tables_of(request).get(name)
    except OutbidError:
        return False
    seat = next((n for n, one in enumerate(table.seats) if token and one.token == token), -1)
    if seat < 0 and key is not None:
        seat = names_of(request).people.seat(name, key)
    return seat in table.asked and table.seats[seat].kind == "human"


async def mine(request: Request) -> Response:
    """The tables of this browser, and at how many of them it is asked."""
    found = await _mine(request)
    return JSONResponse({"turn": sum(one["yours"] for one in found), "tables": found})


def lessons(request: Request) -> bool:
    """Whether this server teaches."""
    return any(getattr(route, "path", "") == LEARN for route in request.app.routes)


async def play(request: Request) -> Response:
    """A table against bots, which begins at once."""
    fields = await fields_of(request, "game", "name")
    book = _game(fields.get("game", ""))
    wanted = first_match(book, fields.get("name", ""))
    try:
        return await _new(request, wanted)
    except OutbidError as error:
        if not marked(request, error, 403):
            raise
        return HTMLResponse(await _front(request, fields.get("name", ""), str(error)), 400)


def first_match(book: Rulebook, name: str) -> orders.Order:
    """The first match of a person who chose only a game."""
    low, high = book.players
    company = offer_of(book).company[: high - 1]
    if len(company) + 1 < low:
        company = ("steady",) * (min(high, max(low, USUAL)) - 1)
    return orders.Order(book.id, len(company) + 1, setup_sheet.called(name), company)


async def _new(request: Request, wanted: orders.Order) -> Response:
    """Make a table; the maker's seat goes to this browser. Raises OutbidError."""
    owner = names_of(request).check(wanted.name, device_of(request))
    request.app.state.limits.table(address_of(request.scope))
    table, token = await tables_of(request).create(wanted, owner)
    made: Response = RedirectResponse(f"/t/{table.id}", 303)
    if wants_json(request):
        made = JSONResponse({"table": table.id, "seat": HOST, "link": seat_link(table.id, token)}, 201)
    return await with_seat(made, table, token, request)


def _game(name: str) -> Rulebook:
    """A game that is here. Raises Refused."""
    try:
        return by_id(name)
    except OutbidError as error:
        raise Refused(404, str(error)) from error


# --- the set-up sheet -------------------------------------------------------------------------------------------------


async def sheet(request: Request, game: str) -> Response:
    """A sheet to fill in; fields in the address are filled in already."""
    book = _game(game)
    found = commands.known(request.query_params.multi_items(), setup_sheet.fields_of(book))
    found.setdefault("name", usual_name(request))
    return _sheet(request, setup_sheet.Sheet(book, found))


async def make(request: Request, game: str) -> Response:
    """The table of a sheet, or the sheet again with what is wrong."""
    book = _game(game)
    filled = await _filled(request, book)
    if filled.order:
        try:
            return await _new(request, filled.order)
        except BadSetup as error:
            filled.refused = setup_sheet.titled(book, str(error))
        except Refused as error:
            if error.status != 403:
                raise
            filled.errors["name"] = str(error)
    if wants_json(request):
        said = filled.refused or next(iter(filled.errors.values()))
        return JSONResponse({"error": said, "fields": filled.errors}, 400)
    return _sheet(request, filled, 400)


async def _filled(request: Request, book: Rulebook) -> setup_sheet.Sheet:
    """A sheet as this browser has filled it in."""
    fields, owner = await form_of(request), None
    with contextlib.suppress(Refused):  # a name of somebody else is refused when the table is made
        owner = names_of(request).check(setup_sheet.called(dict(fields).get("name", "")), device_of(request))
    return setup_sheet.read(book, fields, settings_of(request).nickname, owner)


def _sheet(request: Request, filled: setup_sheet.Sheet, status: int = 200) -> Response:
    return HTMLResponse(pages.sheet(filled, lessons(request)), status)


async def judge(request: Request, game: str) -> Response:
    """What is wrong with a sheet, and what would do nothing."""
    book = _game(game)
    filled = await _filled(request, book)
    idle: list[str] = []
    if filled.order:
        options = {**book.preset(filled.order.preset), **filled.order.options}
        idle = book.idle(options, filled.order.players, Titles(book))
    return JSONResponse({"errors": filled.errors, "refused": filled.refused or None, "idle": idle})


async def records(request: Request) -> Response:
    """Where a record is sent."""
    return HTMLResponse(pages.page("records/records.html", text=""))


# --- the waiting room -------------------------------------------------------------------------------------------------


async def here(request: Request, table: str) -> Response:
    """Who is there at a table that has not begun."""
    found = tables_of(request).get(table)
    return JSONResponse({"here": [found.votes.there(seat) for seat in range(len(found.seats))]})


# --- the deal of the day ----------------------------------------------------------------------------------------------


async def of_today(request: Request) -> Response:
    """The deal of today."""
    return _daily(request, daily.deal_of(daily.today()))


async def of_day(request: Request, day: str) -> Response:
    """The deal of a day, for those who have played it."""
    return _daily(request, daily.deal_of(day))


async def begin_daily(request: Request) -> Response:
    """Play the deal of today; a browser that has played it goes on where it was."""
    fields = await fields_of(request, "name", "game")
    deal = daily.deal_of(daily.today())
    mine = _of_today(request, deal)
    if mine and not wants_json(request):
        return RedirectResponse("/daily" if mine[1] == "over" else f"/t/{mine[0]}", 303)
    try:
        made = await _new(request, deal.order(setup_sheet.called(fields.get("name", ""))))
    except OutbidError as error:
        if not marked(request, error, 403):
            raise
        return _daily(request, deal, fields.get("name", ""), str(error))
    measuring_of(request).begin(deal)
    return made


def measuring_of(request: Request) -> daily.Measuring:
    """What bots make of the deals of this server."""
    return request.app.state.measuring


def _ids(request: Request) -> list[str]:
    kept = names_of(request).of(device_of(request))
    return [*seats_of(request), *(names_of(request).people.tables(kept.key) if kept else ())]


def _of_today(request: Request, deal: daily.Deal) -> tuple[str, str] | None:
    """The first table of this browser with a deal, and its status."""
    found = tables_of(request).store.of_day(_ids(request), deal.day)
    return (found[0][0], found[0][2]) if found else None


def _daily(request: Request, deal: daily.Deal, name: str | None = None, error: str = "") -> Response:
    played = tables_of(request).store.of_day(_ids(request))
    mine = next(((table, status) for table, day, status in played if day == deal.day), None)
    result = None
    if mine and mine[1] == "over":
        found = tables_of(request).get(mine[0])
        match = found.playing
        stood_in = sum(match.moves[number]["seat"] == daily.SEAT for number in match.marks)
        result = daily.result_of(match.scores, match.winners)
        measuring_of(request).begin(deal)
        comparisons = _comparisons(request, deal, result)
    else:
        stood_in, comparisons = 0, []
    if wants_json(request):
        return JSONResponse(_as_json(deal, mine, result, stood_in, comparisons), 400 if error else 200)
    facts: dict[str, Any] = {
        "nickname": usual_name(request) if name is None else name, "error": error, "table": mine, "result": result,
        "stood_in": stood_in, "comparisons": comparisons,
        "earlier": sorted({day for _table, day, _status in played} - {deal.day}),
        "line": daily.line(deal, result, comparisons, f"{base_of(request)}/daily") if result else "",
        "minutes": max(1, round(daily.tomorrow() / 60)), "learn": lessons(request),
    }  # fmt: skip
    return HTMLResponse(pages.daily(deal, **facts), 400 if error else 200)


def _comparisons(request: Request, deal: daily.Deal, result: list[int]) -> list[daily.Standing]:
    measuring = measuring_of(request)
    standings = (daily.standing(bot, result, found, measuring.wanted[bot]) for bot, found in measuring.results(deal).items())
    return [one for one in standings if one]


def _as_json(
    deal: daily.Deal, mine: tuple[str, str] | None, result: list[int] | None, stood_in: int,
    comparisons: list[daily.Standing],
) -> dict[str, Any]:  # fmt: skip
    """The same for programs."""
    return {
        "day": deal.day, "game": deal.book.id, "players": deal.players, "bots": list(deal.bots),
        "table": mine[0] if mine else None, "status": mine[1] if mine else None,
        "result": {"place": result[0], "points": result[1], "stood_in": stood_in} if result else None,
        "comparisons": [
            {"bot": one.bot, "matches": one.matches, "of": one.of, "better": one.better, "same": one.same, "won": one.won}
            for one in comparisons
        ],
    }  # fmt: skip


# --- the app ----------------------------------------------------------------------------------------------------------


async def manifest(_request: Request) -> Response:
    """The manifest."""
    return JSONResponse(icons.manifest(), media_type="application/manifest+json")


async def icon_svg(_request: Request) -> Response:
    """The icon as SVG."""
    return Response(icons.svg(), media_type="image/svg+xml")


async def icon_png(request: Request, size: str) -> Response:
    """The icon as PNG."""
    if size not in map(str, icons.SIZES):
        raise HTTPException(404)
    made = await asyncio.to_thread(icons.png, int(size), "whole" in request.query_params)
    return Response(made, media_type="image/png")


ROUTES = (
    ("/", "GET", front),
    ("/mine", "GET", mine),
    ("/play", "POST", play),
    ("/new/{game}", "GET", sheet),
    ("/new/{game}", "POST", make),
    ("/new/{game}/judge", "POST", judge),
    ("/records", "GET", records),
    ("/t/{table}/here", "GET", here),
    ("/daily", "GET", of_today),
    ("/daily", "POST", begin_daily),
    ("/daily/{day}", "GET", of_day),
    ("/manifest.webmanifest", "GET", manifest),
    ("/icon.svg", "GET", icon_svg),
    ("/icon-{size}.png", "GET", icon_png),
)
