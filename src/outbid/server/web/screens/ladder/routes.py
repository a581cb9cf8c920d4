"""Routes of the ladder (ladder.py): the page, and who wants to stand on it."""

from __future__ import annotations

from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from outbid.core.rulebook import rulebooks
from outbid.server.domain import setup
from outbid.server.domain.contests import ladder
from outbid.server.storage import ratings
from outbid.server.web import pages
from outbid.server.web.middleware import wants_json
from outbid.server.web.requests import device_of, done, fields_of, names_of, tables_of


async def climb(request: Request) -> Response:
    """A person who is signed in wants to stand on the ladder, or no longer."""
    fields = await fields_of(request, "on")
    kept = names_of(request).mine(device_of(request))
    store = tables_of(request).store
    await store.aside(ratings.climb, store, kept.key, setup.truth("on", fields.get("on", "")))
    return done(request, "/ladder")


async def show_ladder(request: Request) -> Response:
    """How strong people and bots are."""
    kept, store = names_of(request).of(device_of(request)), tables_of(request).store
    games = ladder.rungs(ratings.shown(store), kept.key if kept else None)
    if wants_json(request):
        said = {game: [{**asdict(one), "provisional": one.provisional} for one in rungs] for game, rungs in games.items()}
        return JSONResponse({"games": said})
    books = rulebooks()
    titled = [(game, books[game].title, rungs) for game, rungs in games.items() if game in books]
    facts = {"name": kept.name if kept else None, "climbs": kept is not None and ratings.climbs(store, kept.key)}
    return HTMLResponse(pages.page("ladder/ladder.html", games=titled, anchor=ladder.ANCHOR, sure=ladder.SURE, **facts))


ROUTES = (
    ("/name/ladder", "POST", climb),
    ("/ladder", "GET", show_ladder),
)
