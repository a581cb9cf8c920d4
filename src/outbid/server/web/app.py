"""The web application: routes, refusals as pages or JSON, and what every answer carries (docs/server.md, "HTTP")."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, cast
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Match, Mount, Route, WebSocketRoute
from starlette.websockets import WebSocket

from outbid.bots.executor import BotExecutor
from outbid.core.errors import BadOption, BadSetup, OutbidError, Unreadable
from outbid.core.language import i18n
from outbid.core.rulebook import by_id, rulebooks
from outbid.server import metrics as meter
from outbid.server.domain import commands, scene, setup
from outbid.server.domain.advice.reviews import Reviews
from outbid.server.domain.background import Background
from outbid.server.domain.contests import daily, ladder
from outbid.server.domain.notices.notifier import Notifier
from outbid.server.domain.people import chat
from outbid.server.domain.people.names import Names
from outbid.server.domain.retention import Retention
from outbid.server.domain.table import HOST, Outcome, Table
from outbid.server.domain.tables import Tables
from outbid.server.domain.timing.deadlines import Watch
from outbid.server.domain.titles import Titles
from outbid.server.rate_limits import Limits, address_of
from outbid.server.settings import Refused, Settings
from outbid.server.storage.backups import Backups
from outbid.server.storage.store import Store
from outbid.server.stored import GO_ON, PAUSE
from outbid.server.web import middleware, pages, qr, requests, screens, socket
from outbid.server.web.below import Below, root
from outbid.server.web.health import Health
from outbid.server.web.middleware import RequestMiddleware, refused, sentence, wants_json
from outbid.server.web.requests import (
    base_of,
    device_of,
    done,
    form_of,
    names_of,
    remember,
    seat_of,
    secret_of,
    settings_of,
    tables_of,
    usual_name,
    with_seat,
    without_seats,
)
from outbid.server.web.screens.home import routes as door
from outbid.server.web.screens.ladder import routes as climbing
from outbid.server.web.screens.lesson import script as lessons
from outbid.server.web.screens.name import routes as people
from outbid.server.web.screens.notices import routes as notices
from outbid.server.web.screens.puzzles import routes as puzzles
from outbid.server.web.screens.records import sent as uploads
from outbid.server.web.screens.review import routes as reviews
from outbid.server.web.screens.table import routes as turns

log = logging.getLogger("outbid")

_, ngettext = i18n.words("outbid")


def create_app(
    settings: Settings, store: Store | None = None, executor: BotExecutor | None = None, backups: Backups | None = None
) -> Starlette:
    """The application on the database of the settings (or an opened store); executor: where bots think. Raises
    OutbidError."""
    store = store or Store(settings.database)
    tables = Tables(store, settings, executor)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None, None]:
        if settings.base_url is not None and store.engine.dialect.name == "postgresql":
            await asyncio.to_thread(pages.read_in, settings.root)
        tables.bus.start(tables)
        tables.executor.listen(partial(_call, asyncio.get_running_loop(), tables.tell))
        watch = Watch(tables)
        await watch.begin()
        health = app.state.health
        runs: tuple[Callable[[], Coroutine[Any, Any, None]], ...]
        runs = (Retention(tables, settings).run, watch.run, health.watch, health.look_through)
        runs += (backups.run,) if backups else ()
        runs += (notifier.run,) if notifier else ()
        keeping = [asyncio.create_task(run()) for run in runs]
        yield
        for task in keeping:
            task.cancel()
        await asyncio.gather(*keeping, return_exceptions=True)
        await app.state.reviews.close()
        app.state.background.close()
        if notifier:
            notifier.close()
        await app.state.measuring.close()
        await tables.close()
        tables.executor.close()  # here: uvicorn raises the signal that ended it once more, and nothing after it is done
        store.close()

    routes: list[BaseRoute] = [Mount("/static", screens.Files())]
    routes += [Route(path, _endpoint(answer), methods=[method]) for path, method, answer in ROUTES]
    routes += [WebSocketRoute("/t/{table}/socket", table_socket)]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={OutbidError: _refused, HTTPException: _no_page})
    app.state.tables, app.state.settings = tables, settings
    app.state.limits = limits = Limits(settings)
    app.state.health = Health(store)
    app.state.background = background = Background(limits)
    app.state.notifier = notifier = Notifier(tables, settings, background) if settings.notices else None
    app.state.asking = notices.Asking()
    app.state.names = Names(store, settings, limits)
    app.state.reviews = Reviews(store)
    app.state.measuring = daily.Measuring(store, settings.daily)
    app.add_middleware(RequestMiddleware, settings=settings, limits=limits, ready=partial(tables.ready, background))
    if settings.root:
        app.add_middleware(Below, path=settings.root)
    return app


def _endpoint(answer: Callable[..., Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """A route whose function is called with the request and the parts of the path by name."""

    async def endpoint(request: Request) -> Response:
        return await answer(request, **request.path_params)

    return endpoint


def _call(loop: asyncio.AbstractEventLoop, told: Callable[[], None]) -> None:
    """Call from another thread, unless the server has ended."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(told)


# --- pages ------------------------------------------------------------------------------------------------------------


async def rules(_request: Request, game: str) -> Response:
    """The rulebook of a game."""
    try:
        book = by_id(game)
    except OutbidError as error:
        raise Refused(404, str(error)) from error
    return HTMLResponse(pages.rules(book))


async def extra(_request: Request, game: str, file: str) -> Response:
    """A sheet or script of a game's own table."""
    book = rulebooks().get(game)
    if book is None or file not in scene.extras(book):
        raise HTTPException(404)
    return FileResponse(book.folder / file, media_type=scene.EXTRAS[file])


async def language(request: Request) -> Response:
    """The language this browser is spoken to in."""
    wanted = commands.known(await form_of(request), ["language"]).get("language", "")
    if wanted not in i18n.LANGUAGES:
        names = ", ".join(i18n.LANGUAGES)
        raise Refused(400, _("There is no language {name}; there are {names}.", name=repr(wanted[:20]), names=names))
    came = urlsplit(request.headers.get("referer", ""))
    path = came.path.removeprefix(root()) if came.path.startswith(f"{root()}/") else ""
    back = path if path.startswith("/") and not path.startswith("//") else "/"
    there = {**request.scope, "path": back, "method": "GET"}
    if all(route.matches(there)[0] != Match.FULL for route in request.app.routes):
        back = "/"  # a form was refused there: nothing can be looked at
    made: Response = RedirectResponse(f"{back}?{came.query}" if came.query else back, 303)
    if wants_json(request):
        made = JSONResponse({"ok": True})
    return remember(made, "language", wanted, request)


async def lives(_request: Request) -> Response:
    """The process lives."""
    return PlainTextResponse("ok")


async def health(request: Request) -> Response:
    """Whether the server does what it is there for: "ok", or 503 and what is wrong."""
    said = await request.app.state.health.said()
    return PlainTextResponse(said, 200 if said == "ok" else 503)


async def metrics(request: Request) -> Response:
    """What the server counts, for Prometheus."""
    if not (settings_of(request).metrics or middleware.from_here(request)):
        raise Refused(403, _("The numbers of this server are only for the machine it runs on."))
    tables = tables_of(request)
    text, kind = meter.page(tables.store.statuses(), [len(table.viewers) for table in tables.live()])
    return Response(text, media_type=kind)


async def new_table(request: Request) -> Response:
    """Make a table; the maker's seat goes to this browser."""
    wanted = setup.order(await form_of(request))
    owner = names_of(request).check(wanted.name, device_of(request))
    request.app.state.limits.table(address_of(request.scope))
    table, token = await tables_of(request).create(wanted, owner)
    if wants_json(request):
        made: Response = JSONResponse({"table": table.id, "seat": HOST, "link": requests.seat_link(table.id, token)}, 201)
    else:
        made = RedirectResponse(f"/t/{table.id}", 303)
    return await with_seat(made, table, token, request)


async def judge_table(request: Request) -> Response:
    """What would do nothing at the table that a form makes, or why it could not be made."""
    fields = await form_of(request)
    try:
        wanted = setup.order(fields)
    except (BadOption, BadSetup) as error:
        return JSONResponse({"idle": [], "refused": str(error)})
    book = by_id(wanted.game)
    options = {**book.preset(wanted.preset), **wanted.options}
    return JSONResponse({"idle": book.idle(options, wanted.players, Titles(book)), "refused": None})


async def show_table(request: Request, table: str) -> Response:
    """The table as this browser may see it."""
    found = tables_of(request).get(table)
    seat, base = seat_of(request, found), base_of(request)
    if wants_json(request):
        return JSONResponse(scene.now(found, seat, base))
    if found.status != "open":
        talk = found.chat.talk(chat.reader_of(request.cookies, found.id, seat))
        return HTMLResponse(pages.table(scene.live(found, seat, base), talk))
    return HTMLResponse(_waiting_room(request, found, seat))


def _waiting_room(request: Request, found: Table, seat: int, name: str | None = None, error: str = "") -> str:
    """The page of a table whose match has not begun. name, error: a nickname that was sent, and what is wrong with it."""
    base = base_of(request)
    out = seat < 0 and secret_of(request, found) is not None
    deputy = 0 <= seat == found.votes.deputy
    facts = {"seats": found.seats, "you": seat, "host": seat == found.house.host, "deputy": deputy, "out": out}
    talk = found.chat.talk(chat.reader_of(request.cookies, found.id, seat))
    facts |= {"here": [found.votes.there(n) for n in range(len(found.seats))]}
    facts |= {"room": found.room, "ladder": ladder.announced(found), "talk": talk}
    code = qr.for_page(f"{base}/t/{found.id}")
    facts |= {"nickname": usual_name(request) if name is None else name, "error": error, "code": code}
    return pages.join(found.book, scene.about(found, base), door.lessons(request), **facts)


async def join(request: Request, table: str) -> Response:
    """Take an open seat."""
    found = tables_of(request).get(table)
    name = commands.known(await form_of(request), ["name"]).get("name", "")
    if seat_of(request, found) >= 0:
        raise Refused(409, _("You have a seat at this table already."))
    found.open_seats()
    try:
        owner = names_of(request).check(name, device_of(request))
        async with found.lock:
            token = await found.join(name, owner)
    except (BadSetup, Refused) as error:
        if not requests.marked(request, error, 403):
            raise
        return HTMLResponse(_waiting_room(request, found, -1, name, str(error)), 400)
    made: Response = RedirectResponse(f"/t/{table}", 303)
    if wants_json(request):
        facts = {"table": table, "seat": found.seat_of(token), "link": requests.seat_link(table, token)}
        made = JSONResponse(facts, 201)
    return await with_seat(made, found, token, request)


async def my_seat(request: Request, table: str) -> Response:
    """The link of this browser's seat."""
    found = tables_of(request).get(table)
    seat = seat_of(request, found)
    if seat < 0:
        raise Refused(403, _("This browser has no seat at this table."))
    token = secret_of(request, found)
    link = f"{base_of(request)}/t/{table}/seat/{token}" if found.seat_of(token) == seat else None
    return HTMLResponse(pages.seat_link(table=scene.about(found, base_of(request)), name=found.seats[seat].name, link=link))


async def ask_seat(request: Request, table: str, token: str) -> Response:
    """A seat link: whose seat it is, and whether this browser shall have it."""
    found, seat = _linked(request, table, token)
    mine = seat_of(request, found)
    name = found.seats[seat].name
    if wants_json(request):
        return JSONResponse({"table": table, "seat": seat, "name": name})
    if mine == seat:
        return RedirectResponse(f"/t/{table}", 303)
    facts: dict[str, Any] = {"name": name, "other": found.seats[mine].name if mine >= 0 else None}
    facts["free"] = mine < 0 and not names_of(request).people.taken(table, token)  # as `outbid play` makes it
    return HTMLResponse(pages.page("seat/take.html", table=scene.about(found, base_of(request)), **facts))


async def take_seat(request: Request, table: str, token: str) -> Response:
    """The seat of a seat link goes to this browser."""
    found, seat = _linked(request, table, token)
    commands.known(await form_of(request), [])
    made: Response = RedirectResponse(f"/t/{table}", 303)
    if wants_json(request):
        made = JSONResponse({"table": table, "seat": seat})
    return await with_seat(made, found, token, request)


def _linked(request: Request, table: str, token: str) -> tuple[Table, int]:
    """A table and the seat that a link opens. Raises Refused."""
    found = tables_of(request).get(table)
    seat = found.seat_of(token)
    if seat < 0:
        raise Refused(403, _("This seat link does not open a seat at this table; please check that it is whole."))
    return found, seat


async def move(request: Request, table: str) -> Response:
    """A move by a form."""
    found = tables_of(request).get(table)
    seat = seat_of(request, found)
    if seat < 0:
        raise Refused(403, _(socket.SPECTATOR))
    command = commands.command(await form_of(request))
    outcome = await found.play(seat, command)
    if wants_json(request):
        return _outcome(found, seat, command.id, outcome, base_of(request))
    if outcome.error:
        return sentence(request, outcome.status, outcome.error)
    return RedirectResponse(f"/t/{table}", 303)


def _outcome(table: Table, seat: int, name: str, outcome: Outcome, base: str) -> Response:
    answer: dict[str, Any] = {"ok": outcome.ok, "id": name, "error": outcome.error, "stale": outcome.stale}
    if outcome.stale and table.status != "open":
        answer["now"] = scene.as_json(scene.live(table, seat, base))
    return JSONResponse(answer, outcome.status)


async def pace(request: Request, table: str) -> Response:
    """How fast the bots act."""
    found = tables_of(request).get(table)
    wanted = commands.known(await form_of(request), ["pace", "paused", "skip"])
    seat = seat_of(request, found)
    if seat < 0:
        raise Refused(403, _("You are watching: only who has a seat here can set the pace."))
    if wanted.get("paused", "") not in ("", "0", "1", "true", "false"):
        raise Unreadable(_("The field {name} is true or false.", name="'paused'"))
    if not wanted.keys() <= {"skip"}:
        paused = wanted["paused"] in ("1", "true") if wanted.get("paused") else None
        async with found.lock:
            if paused is not None and paused != found.paused and found.votes.timed:
                await found.votes.wish(seat, PAUSE if paused else GO_ON)
                paused = None
            await found.set_pace(wanted.get("pace"), paused, [seat])
    if wanted.get("skip"):
        await found.skip()
    return done(request, f"/t/{table}")


async def replay(request: Request, table: str) -> Response:
    """The table as it was."""
    found = tables_of(request).get(table)
    wanted = commands.known(request.query_params.multi_items(), ["move", "seat", "part", "told"])
    step, told = _moves(wanted.get("move")), _moves(wanted.get("told"))
    eyes = wanted.get("seat") or None
    seat, base, programs = seat_of(request, found), base_of(request), wants_json(request)

    def shown() -> Response:
        if wanted.get("part") == "regions" and told is not None:
            return JSONResponse(pages.render_step(scene.replay(found, seat, base, step, eyes, since=told)))
        seen = scene.replay(found, seat, base, step, eyes, reviews.curve_of(request, found, step))
        if wanted.get("part") == "regions":
            return JSONResponse({"title": seen.headline, "regions": pages.render_regions(seen)})
        return JSONResponse(scene.as_json(seen)) if programs else HTMLResponse(pages.table(seen))

    return await requests.heavily(request, shown, len(found.playing.moves))


def _moves(said: str | None) -> int | None:
    """A number of moves in an address, if there is one. Raises Unreadable."""
    if not said:
        return None
    if not (said.isascii() and said.isdigit() and len(said) < 10):
        raise Unreadable(_("The number of moves is {said}; it must be a whole number.", said=repr(said[:20])))
    return int(said)


async def record(request: Request, table: str) -> Response:
    """The record of a match that is over."""
    write = await tables_of(request).record(table)

    def written() -> Response:
        found = write()
        name = f"{found['game']}-{table}.json"
        return JSONResponse(found, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    return await requests.heavily(request, written)


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


async def ask_delete(request: Request, table: str) -> Response:
    """The host is asked whether the table shall go."""
    found = _deletable(request, table)
    names = [seat.name for seat in found.seats if seat.name]
    return HTMLResponse(pages.delete(table=scene.about(found, base_of(request)), names=names))


async def delete(request: Request, table: str) -> Response:
    """The table goes."""
    found = _deletable(request, table)
    commands.known(await form_of(request), [])
    await tables_of(request).delete(found.id)
    log.info("A table was deleted by its host.", extra={"table": found.id})
    made = done(request, "/")
    return await without_seats(made, [found.id], request)


def _deletable(request: Request, table: str) -> Table:
    """A table that this browser may delete now. Raises Refused."""
    found = tables_of(request).get(table)
    if seat_of(request, found) != found.house.host:
        raise Refused(403, _("Only who made the table can delete it."))
    if found.status == "playing":
        raise Refused(409, _("A match is being played here; the table can be deleted when it is over."))
    return found


async def table_socket(ws: WebSocket) -> None:
    """The socket of a table."""
    await ws.accept()
    try:
        found: Table = ws.app.state.tables.get(ws.path_params["table"])
        seat = seat_of(ws, found)
        await socket.serve(ws, found, seat, base_of(ws), ws.app.state.limits, program=wants_json(ws))
    except OutbidError as error:
        await socket.refuse(ws, str(error))


ROUTES = (
    ("/tables", "POST", new_table),
    ("/tables/judge", "POST", judge_table),
    ("/records", "POST", upload),
    ("/language", "POST", language),
    ("/t/{table}", "GET", show_table),
    ("/t/{table}/join", "POST", join),
    ("/t/{table}/seat", "GET", my_seat),
    ("/t/{table}/seat/{token}", "GET", ask_seat),
    ("/t/{table}/seat/{token}", "POST", take_seat),
    ("/t/{table}/move", "POST", move),
    ("/t/{table}/pace", "POST", pace),
    ("/t/{table}/replay", "GET", replay),
    ("/t/{table}/record", "GET", record),
    ("/t/{table}/delete", "GET", ask_delete),
    ("/t/{table}/delete", "POST", delete),
    ("/rules/{game}", "GET", rules),
    ("/games/{game}/{file}", "GET", extra),
    ("/healthz", "GET", health),
    ("/livez", "GET", lives),
    ("/metrics", "GET", metrics),
    *lessons.ROUTES,
    *reviews.ROUTES,
    *puzzles.ROUTES,
    *climbing.ROUTES,
    *door.ROUTES,
    *people.ROUTES,
    *turns.ROUTES,
    *notices.ROUTES,
)


# --- refusals ---------------------------------------------------------------------------------------------------------


async def _refused(request: Request, error: Exception) -> Response:
    return refused(request, error if isinstance(error, Refused) else Refused(400, str(error)))


async def _no_page(request: Request, error: Exception) -> Response:
    wrong = cast("HTTPException", error)
    sentences = {404: _("There is no such page here; please check the link."), 405: _("This address does not take that.")}
    return sentence(request, wrong.status_code, sentences.get(wrong.status_code, str(wrong.detail)))
