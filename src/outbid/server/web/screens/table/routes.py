"""Routes about time and turns: who ran out, a seat that is taken back, automatic moves, hints."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from outbid.core.errors import Unreadable
from outbid.core.language import i18n
from outbid.server.domain import scene, setup
from outbid.server.settings import Refused
from outbid.server.web.middleware import wants_json
from outbid.server.web.requests import done, fields_of, seated

_, ngettext = i18n.words("outbid")


async def vote(request: Request, table: str) -> Response:
    """A player agrees that a bot takes the seat of a person who ran out of time, or withdraws that."""
    fields = await fields_of(request, "seat", "agree")
    found, voter = seated(request, table)
    seat = fields.get("seat", "")
    if not (seat.isascii() and seat.isdigit() and len(seat) < 3):
        raise Unreadable(_("The field {name} must be the number of a seat.", name="'seat'"))
    agrees = setup.truth("agree", fields.get("agree") or "true")
    async with found.lock:
        await found.clock.vote(voter, int(seat), agrees)
    return done(request, f"/t/{table}")


async def back(request: Request, table: str) -> Response:
    """A person plays again where a bot had taken over."""
    await fields_of(request)
    found, seat = seated(request, table)
    async with found.lock:
        if not found.seats[seat].away:
            raise Refused(409, _("No bot plays for you: the seat is yours."))
        await found.give_back(seat)
    return done(request, f"/t/{table}")


async def automatic_moves(request: Request, table: str) -> Response:
    """A seat gives an order, or takes it back."""
    fields = await fields_of(request, "order", "amount", "cancel")
    found, seat = seated(request, table)
    if ("order" in fields) == ("cancel" in fields):
        raise Unreadable(_("An automatic move is set or cancelled: the form has the field 'order' or the field 'cancel'."))
    async with found.lock:
        if "order" in fields:
            await found.orders.give(seat, fields["order"], fields.get("amount"))
        else:
            await found.orders.cancel(seat, fields["cancel"])
        found.tell_owner(seat)
    return done(request, f"/t/{table}")


async def hint(request: Request, table: str) -> Response:
    """A seat asks what a bot would do; answered when it is thought."""
    fields = await fields_of(request, "decision")
    found, seat = seated(request, table)
    number = fields.get("decision", "")
    if number and not (number.isascii() and number.isdigit() and len(number) < 10):
        raise Unreadable(_("The field {name} must be a whole number.", name="'decision'"))
    advice = await found.hints.take(seat, int(number) if number else None)
    return JSONResponse({"ok": True, "hint": scene.hint(advice)}) if wants_json(request) else done(request, f"/t/{table}")


async def coach(request: Request, table: str) -> Response:
    """A seat wants the coach no more, or again."""
    fields = await fields_of(request, "heard")
    found, seat = seated(request, table)
    if fields.get("heard") not in ("true", "false"):
        raise Unreadable(_("The field {name} is true or false.", name="'heard'"))
    found.coach.mute(seat, fields["heard"] == "false")
    return done(request, f"/t/{table}")


ROUTES = (
    ("/t/{table}/vote", "POST", vote),
    ("/t/{table}/back", "POST", back),
    ("/t/{table}/standing", "POST", automatic_moves),
    ("/t/{table}/hint", "POST", hint),
    ("/t/{table}/coach", "POST", coach),
)
