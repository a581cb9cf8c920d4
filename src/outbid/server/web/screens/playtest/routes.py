"""A playtest: what is compared, a table for it, and what its people say after the match (storage/playtests.py).

Who makes a table or sits down is told before; who does not agree plays by the given rules, and nothing is counted.
"""

from starlette.responses import HTMLResponse, Response

from outbid.core.errors import OutbidError, Unreadable
from outbid.core.language.i18n import _
from outbid.core.rulebook import rulebooks
from outbid.server.domain import setup
from outbid.server.domain.setup import OPEN, Order
from outbid.server.domain.table import Table
from outbid.server.settings import Refused
from outbid.server.storage import playtests
from outbid.server.storage.playtests import Playtest
from outbid.server.web import pages
from outbid.server.web.requests import Request, called, game_of, whole


async def show(request: Request, name: str) -> Response:
    """What a playtest compares, and how to take part."""
    return HTMLResponse(_page(request, _named(request, name)))


def _page(request: Request, playtest: Playtest, name: str | None = None, error: str = "") -> str:
    facts = {"nickname": request.usual_name if name is None else name, "error": error, "drawn": pages.drawn(playtest.game)}
    return pages.page("playtest/playtest.html", playtest=playtest, game=pages.tile(game_of(playtest.game)), **facts)


def _named(request: Request, name: str) -> Playtest:
    playtest = playtests.named(request.store, name)
    if playtest is None or playtest.game not in rulebooks():
        raise Refused(404, _("There is no such playtest here; please check the link."))
    return playtest


async def begin(request: Request, name: str) -> Response:
    """Make a table for a playtest, by a variant that is drawn."""
    fields, playtest = await request.fields("name", "players"), _named(request, name)
    if playtest.ended:
        raise Refused(409, _("This playtest is over; thank you."))
    players = setup.number_of_players(fields.get("players", ""))
    if players not in playtest.players:
        numbers = ", ".join(map(str, playtest.players))
        raise Unreadable(_("This playtest is for {numbers} players.", numbers=numbers))
    variant, nickname = playtests.draw(request.store, playtest, players), fields.get("name", request.usual_name)
    order = Order(playtest.game, players, called(nickname), (OPEN,), variant["options"], study=True,
                  playtest=playtest.name, variant=variant["name"])  # fmt: skip
    try:
        return await request.new_table(order)
    except OutbidError as error:
        if not request.marked(error, 403):
            raise
        return HTMLResponse(_page(request, playtest, nickname, str(error)), 400)


async def answer(request: Request, table: Table) -> Response:
    """What the person of a seat says about a match that is over."""
    fields, seat = await request.fields("about", "answer"), request.seated(table)
    if table.status != "over" or not table.house.playtest:
        raise Refused(409, _("That is asked after a match of a playtest."))
    about, value = fields.get("about", ""), whole(fields.get("answer", ""), 1)
    if about not in playtests.ABOUT or value is None or value > playtests.MOST:
        raise Unreadable(_("Asked is {about}, and answers go from 0 (no) to 2 (yes).", about=", ".join(playtests.ABOUT)))
    await request.store.aside(playtests.answer, request.store, table.id, seat, about, value)
    table.opinions[seat, about] = value
    table.tell_seat(seat)
    return request.done(f"/t/{table.id}")


ROUTES = (
    ("/playtest/{name}", "GET", show),
    ("/playtest/{name}", "POST", begin),
    ("/t/{table}/opinion", "POST", answer),
)
