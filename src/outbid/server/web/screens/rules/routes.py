"""The rulebook of a game with its options."""

from starlette.responses import HTMLResponse, Response

from outbid.core.rulebook import Rulebook
from outbid.server.domain.scene import faces
from outbid.server.web import pages
from outbid.server.web.requests import Request, game_of
from outbid.server.web.screens.rules import view


def page(book: Rulebook) -> str:
    """The rulebook of a game with its options."""
    options = [pages.described(book, o) for o in book.options]
    facts = {"texts": view.pages_of(book), "faces": faces(book), "lesson": (book.folder / pages.LESSONS).exists()}
    return pages.page("rules/rules.html", book=book, summary=pages.summary(book), options=options, **facts)


async def rules(_request: Request, game: str) -> Response:
    """The rulebook of a game."""
    return HTMLResponse(page(game_of(game)))


ROUTES = (("/rules/{game}", "GET", rules),)
