"""The web application: routes, refusals as pages or JSON, and what every answer carries (docs/server.md, "HTTP")."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from inspect import signature
from typing import Any, cast

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request as HTTPRequest
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute

from outbid.bots.executor import BotExecutor
from outbid.core.errors import OutbidError
from outbid.core.language.i18n import _
from outbid.server.domain.advice.reviews import Reviews
from outbid.server.domain.background import Background
from outbid.server.domain.contests import daily
from outbid.server.domain.notices.notifier import Notifier
from outbid.server.domain.people.names import Names
from outbid.server.domain.retention import Retention
from outbid.server.domain.tables import Tables
from outbid.server.domain.timing.deadlines import Watch
from outbid.server.operating import local
from outbid.server.operating.desk import Desk
from outbid.server.operating.operator import PAGE, Operator
from outbid.server.rate_limits import Limits
from outbid.server.settings import Refused, Settings
from outbid.server.storage.backups import Backups
from outbid.server.storage.store import Store
from outbid.server.web import absent, pages, screens, site
from outbid.server.web.below import Below
from outbid.server.web.health import Health
from outbid.server.web.middleware import RequestMiddleware, refused, sentence
from outbid.server.web.requests import Request
from outbid.server.web.screens.notices.routes import ConfirmationLimits
from outbid.server.web.screens.table.routes import socket_of


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
        if not settings.alone:
            await desk.look()
        tables.bus.start(tables)
        tables.executor.listen(partial(_call, asyncio.get_running_loop(), tables.tell))
        watch, health = Watch(tables), app.state.health
        runs: tuple[Callable[[], Coroutine[Any, Any, None]], ...] = ()
        runs += () if settings.alone else (health.watch, health.look_through, desk.run)
        runs += (backups.run, backups.ship, backups.rehearse) if backups else ()
        if not store.read_only:
            await watch.begin()
            runs += (Retention(tables, settings).run, watch.run, watch.adopt)
            runs += (notifier.run,) if notifier else ()
        keeping = [asyncio.create_task(run()) for run in runs]
        async with contextlib.nullcontext() if settings.alone else local.listening(store.engine.url, limits.callers.report):
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
        if backups:
            backups.close()

    routes: list[BaseRoute] = [Mount("/static", screens.Files())]
    rows = [row for row in ROUTES if absent.there(row[0]) or not settings.alone]
    routes += [Route(path, endpoint_of(answer), methods=[method]) for path, method, answer in rows]
    routes += [WebSocketRoute("/t/{table}/socket", socket_of)]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={OutbidError: _refused, HTTPException: _no_page})
    app.state.tables, app.state.settings = tables, settings
    app.state.limits = limits = Limits(settings)
    app.state.health = Health(store)
    app.state.background = background = Background(limits)
    app.state.notifier = notifier = Notifier(tables, settings, background) if settings.notices else None
    app.state.asking = ConfirmationLimits()
    app.state.names = names = Names(store, settings, limits)
    app.state.desk = desk = Desk(tables, names, limits)
    app.state.operator = Operator(store, PAGE)
    app.state.reviews = Reviews(store)
    app.state.measuring = daily.Measuring(store, {} if settings.alone else settings.daily)
    app.add_middleware(RequestMiddleware, settings=settings, desk=desk, ready=partial(tables.ready, background))
    if settings.root:
        app.add_middleware(Below, path=settings.root)
    return app


def endpoint_of(answer: Callable[..., Awaitable[Response]]) -> Callable[[HTTPRequest], Awaitable[Response]]:
    """A route whose function is called with the request and the parts of the path by name: of a table the table itself, or,
    where it is called so, the `table_id`."""
    by_id = "table_id" in signature(answer).parameters

    async def endpoint(incoming: HTTPRequest) -> Response:
        request, parts = Request(incoming.scope, incoming.receive), dict(incoming.path_params)
        if by_id:
            parts["table_id"] = parts.pop("table")
        elif "table" in parts:
            parts["table"] = request.tables.get(parts["table"])
        return await request.refresh_cookies(await answer(request, **parts))

    return endpoint


def _call(loop: asyncio.AbstractEventLoop, told: Callable[[], None]) -> None:
    """Call from another thread, unless the server has ended."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(told)


# --- pages ------------------------------------------------------------------------------------------------------------


ROUTES: tuple[screens.Row, ...] = (*site.ROUTES, *screens.routes())


# --- refusals ---------------------------------------------------------------------------------------------------------


async def _refused(request: HTTPRequest, error: Exception) -> Response:
    return refused(request, error if isinstance(error, Refused) else Refused(400, str(error)))


async def _no_page(request: HTTPRequest, error: Exception) -> Response:
    wrong = cast("HTTPException", error)
    sentences = {404: _("There is no such page here; please check the link."), 405: _("This address does not take that.")}
    return sentence(request, wrong.status_code, sentences.get(wrong.status_code, str(wrong.detail)))
