"""Routes of the ladder (ladder.py): the page, and who wants to stand on it."""

from collections.abc import Callable
from dataclasses import asdict

from starlette.responses import JSONResponse, Response

from outbid.core.language.i18n import _
from outbid.core.rulebook import rulebooks
from outbid.server.domain import setup
from outbid.server.domain.contests import ladder
from outbid.server.storage import ratings
from outbid.server.stored import AGENT, HUMAN
from outbid.server.web.requests import Request


async def climb(request: Request) -> Response:
    """A person who is signed in wants to stand on the ladder, or no longer."""
    fields = await request.fields("on")
    person, store = request.names.mine(request.device), request.store
    await store.aside(ratings.climb, store, person.key, setup.truth("on", fields.get("on", "")))
    return request.done("/ladder")


async def show_ladder(request: Request) -> Response:
    """How strong people and bots are."""
    person, store = request.kept, request.store
    rows, mine = ratings.shown(store), person.key if person else None
    lists = {kind: ladder.rungs(rows, mine, kind) for kind in (HUMAN, AGENT)}
    if request.program:
        games, agents = (
            {game: [asdict(rung) | {"provisional": rung.provisional} for rung in rungs] for game, rungs in games.items()}
            for games in lists.values()
        )
        return JSONResponse({"games": games, "agents": agents})
    books = rulebooks()
    headings: dict[str, Callable[[str], str]] = {HUMAN: str, AGENT: lambda game: _("{game}, agents", game=game)}
    titled = [
        (f"{kind}-{game}", game, headings[kind](books[game].called), rungs)
        for kind, games in lists.items() for game, rungs in games.items() if game in books
    ]  # fmt: skip
    climbs = person is not None and ratings.climbs(store, person.key)
    limits = {"anchor": ladder.ANCHOR, "sure": ladder.SURE}
    return request.page("ladder/ladder.html", games=titled, name=person.name if person else None, climbs=climbs, **limits)


ROUTES = (
    ("/name/ladder", "POST", climb),
    ("/ladder", "GET", show_ladder),
)
