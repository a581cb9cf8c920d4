"""Routes of the ladder (ladder.py): the page, and who wants to stand on it."""

from __future__ import annotations

from dataclasses import asdict

from starlette.responses import JSONResponse, Response

from outbid.core.rulebook import rulebooks
from outbid.server.domain import setup
from outbid.server.domain.contests import ladder
from outbid.server.storage import ratings
from outbid.server.web.requests import Visit


async def climb(visit: Visit) -> Response:
    """A person who is signed in wants to stand on the ladder, or no longer."""
    fields = await visit.fields("on")
    kept, store = visit.names.mine(visit.device), visit.store
    await store.aside(ratings.climb, store, kept.key, setup.truth("on", fields.get("on", "")))
    return visit.done("/ladder")


async def show_ladder(visit: Visit) -> Response:
    """How strong people and bots are."""
    kept, store = visit.kept, visit.store
    games = ladder.rungs(ratings.shown(store), kept.key if kept else None)
    if visit.program:
        facts = {game: [asdict(rung) | {"provisional": rung.provisional} for rung in rungs] for game, rungs in games.items()}
        return JSONResponse({"games": facts})
    books = rulebooks()
    titled = [(game, books[game].title, rungs) for game, rungs in games.items() if game in books]
    climbs = kept is not None and ratings.climbs(store, kept.key)
    limits = {"anchor": ladder.ANCHOR, "sure": ladder.SURE}
    return visit.page("ladder/ladder.html", games=titled, name=kept.name if kept else None, climbs=climbs, **limits)


ROUTES = (
    ("/name/ladder", "POST", climb),
    ("/ladder", "GET", show_ladder),
)
