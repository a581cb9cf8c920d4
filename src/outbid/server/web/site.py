"""Routes that are no screen: the language, the app and its icons, files of games, health and metrics."""

import asyncio
import time
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Match

from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.core.rulebook import rulebooks
from outbid.server import metrics as meter
from outbid.server.domain import scene
from outbid.server.settings import Refused
from outbid.server.web import icons, middleware
from outbid.server.web.below import root
from outbid.server.web.requests import Request


async def language(request: Request) -> Response:
    """The language this browser is spoken to in."""
    wanted = (await request.fields("language")).get("language", "")
    if wanted not in i18n.LANGUAGES:
        names = ", ".join(i18n.LANGUAGES)
        raise Refused(400, _("There is no language {name}; there are {names}.", name=repr(wanted[:20]), names=names))
    referer = urlsplit(request.headers.get("referer", ""))
    path = referer.path.removeprefix(root()) if referer.path.startswith(f"{root()}/") else ""
    back = path if path.startswith("/") and not path.startswith("//") else "/"
    target = {**request.scope, "path": back, "method": "GET"}
    if all(route.matches(target)[0] != Match.FULL for route in request.app.routes):
        back = "/"  # a form was refused there: nothing can be looked at
    answer: Response = RedirectResponse(f"{back}?{referer.query}" if referer.query else back, 303)
    if request.program:
        answer = JSONResponse({"ok": True})
    return request.remember(answer, "language", wanted)


async def extra(_request: Request, game: str, file: str) -> Response:
    """A sheet or script of a game's own table."""
    book = rulebooks().get(game)
    if book is None or file not in scene.extras(book):
        raise HTTPException(404)
    return FileResponse(book.folder / file, media_type=scene.EXTRAS[file])


async def manifest(_request: Request) -> Response:
    """The manifest of the pages as an app."""
    return JSONResponse(icons.manifest(), media_type="application/manifest+json")


async def icon_svg(_request: Request) -> Response:
    """The icon as SVG."""
    return Response(icons.svg(), media_type="image/svg+xml")


async def icon_png(request: Request, size: str) -> Response:
    """The icon as PNG."""
    if size not in map(str, icons.SIZES):
        raise HTTPException(404)
    image = await asyncio.to_thread(icons.png, int(size), "whole" in request.query_params)
    return Response(image, media_type="image/png")


async def lives(_request: Request) -> Response:
    """Answer that the process lives."""
    return PlainTextResponse("ok")


async def health(request: Request) -> Response:
    """Whether the server does what it is there for: "ok", or 503 and what is wrong."""
    state = await request.app.state.health.said()
    return PlainTextResponse(state, 200 if state == "ok" else 503)


async def ready(request: Request) -> Response:
    """Whether the server takes new matches: "ok", or 503 and "draining"."""
    draining = request.desk.drain
    return PlainTextResponse("draining" if draining else "ok", 503 if draining else 200)


async def metrics(request: Request) -> Response:
    """What the server counts, for Prometheus."""
    if not (request.settings.metrics or middleware.from_here(request)):
        raise Refused(403, _("The numbers of this server are only for the machine it runs on."))
    tables = request.tables
    notifier = request.app.state.notifier
    letters = await tables.store.beside(notifier.notices.waiting, time.time()) if notifier else ()
    text, kind = meter.page(tables.store.statuses(), [len(table.viewers) for table in tables.live()], letters)
    return Response(text, media_type=kind)


ROUTES = (
    ("/language", "POST", language),
    ("/games/{game}/{file}", "GET", extra),
    ("/manifest.webmanifest", "GET", manifest),
    ("/icon.svg", "GET", icon_svg),
    ("/icon-{size}.png", "GET", icon_png),
    ("/healthz", "GET", health),
    ("/livez", "GET", lives),
    ("/readyz", "GET", ready),
    ("/metrics", "GET", metrics),
)
