"""Names that are kept with a password."""

import asyncio
import contextlib
import time

from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.core.language.names import key_of
from outbid.server.domain import setup
from outbid.server.domain.notices.delivery import Later, Letter, Mail, Never
from outbid.server.domain.people import names
from outbid.server.logging import log
from outbid.server.settings import Refused
from outbid.server.storage import ratings
from outbid.server.storage.notifications import Unreachable
from outbid.server.stored import days_off
from outbid.server.web.requests import Request, whole

FORGOTTEN = i18n.N_(
    "Somebody at {here}, perhaps you, has forgotten the password of your name there. To choose another one within an hour, "
    "open:\n{link}\n\nThe link works once. If it was not you, ignore this email: your password stays as it is.\n"
)


async def name(request: Request) -> Response:
    """The name this browser is signed in with, or how to keep one."""
    person = request.kept
    if request.program:
        return JSONResponse({"name": person.name if person else None})
    limits, mail = (names.SHORTEST, names.LONGEST), request.settings.mail is not None
    climbs = person is not None and ratings.climbs(request.store, person.key)
    facts = {"absence": request.names.vacation(person) if person else None, "most": days_off.MOST, "mail": mail}
    return request.page("name/name.html", name=person.name if person else None, limits=limits, climbs=climbs, **facts)


async def keep_name(request: Request) -> Response:
    """Keep a name, and with it the seats that this browser has under it."""
    fields = await request.fields("name", "password")
    token = await request.names.keep(fields.get("name", ""), fields.get("password", ""), request.address)
    return await _signed_in(request, token)


async def sign_in(request: Request) -> Response:
    """Have all seats of a name on this device, too."""
    fields = await request.fields("name", "password")
    known = request.device or request.cookies.get(names.KNOWN)
    token = await request.names.sign_in(fields.get("name", ""), fields.get("password", ""), request.address, known)
    return await _signed_in(request, token)


async def _signed_in(request: Request, token: str) -> Response:
    person = request.names.of(token)
    before = request.device
    if before:
        await request.names.sign_out(before)
    if person:
        people, key = request.names.people, key_of(person.name)
        await request.store.aside(people.own, person.key, request.seats, lambda called: key_of(called) == key)
    return request.remember(request.done("/"), names.COOKIE, token)


async def sign_out(request: Request) -> Response:
    """This device is signed in no longer, and has no seat of the name any more."""
    await request.fields()
    person, answer = request.kept, request.done("/name")
    if person:
        await request.names.sign_out(request.device or "")
        request.remember(answer, names.KNOWN, request.device or "")
        await request.take_seats(answer, request.names.people.tables(person.key))
    return request.forget(answer, names.COOKIE)


async def change_password(request: Request) -> Response:
    """Another password; all other devices are signed out."""
    fields = await request.fields("old", "password")
    old, new = fields.get("old", ""), fields.get("password", "")
    await request.names.change(request.device, old, new, request.address)
    return request.done("/name")


async def give_up_name(request: Request) -> Response:
    """Anybody may have the name; the seats stay with those who have their links, or nothing of it stays."""
    fields = await request.fields("password", "erase")
    proof = request.device, fields.get("password", ""), request.address
    if setup.truth("erase", fields.get("erase", "")):
        played_at, spoke_at = await request.names.erase(*proof)
        for name in played_at:
            request.tables.drop(name)
        for table in request.tables.live():
            if table.id in spoke_at:
                with contextlib.suppress(Unreachable):  # it is erased, and told again when the database answers
                    table.chat.look_again()
    else:
        await request.names.give_up(*proof)
        await request.tables.rested()
    return request.forget(request.done("/name"), names.COOKIE)


async def vacation(request: Request) -> Response:
    """The vacation of the name, and what is left of this year's, for programs."""
    absence = request.names.vacation(request.names.mine(request.device))
    return JSONResponse({**absence._asdict(), "most": days_off.MOST})


async def rest(request: Request) -> Response:
    """The name is on vacation from now on, for another time, or no longer."""
    fields = await request.fields("days")
    days = whole(fields.get("days", ""))
    await request.names.rest(request.device, -1 if days is None else days)
    await request.tables.rested()
    return request.done("/name")


async def all_of_name(request: Request) -> Response:
    """All that this server keeps of the name, as a file."""
    content = await request.names.everything(request.device)
    return JSONResponse(content, headers={"Content-Disposition": 'attachment; filename="outbid-name.json"'})


# --- a forgotten password ---------------------------------------------------------------------------------------------


def _mail(request: Request) -> Mail:
    """What sends mails. Raises HTTPException if the server sends none."""
    if request.settings.mail is None:
        raise HTTPException(404)
    return request.settings.mail


async def forget(request: Request) -> Response:
    """Send a link to the address where the owner of a name gets messages; the answer is one for all names."""
    mail, called = _mail(request), (await request.fields("name")).get("name", "")
    request.limits.forgotten(request.address, key_of(called))

    async def send() -> None:
        try:
            letter = await request.store.aside(request.names.recovery, called, time.time())
            if letter:
                await asyncio.to_thread(mail.send, _letter(request, *letter))
        except (Later, Never, Refused) as error:
            log.warning("A link for a new password could not be sent: %s.", error)

    answer = JSONResponse({"ok": True}) if request.program else request.page("name/forgotten.html", asked=called)
    answer.background = BackgroundTask(send)
    return answer


def _letter(request: Request, address: str, language: str, token: str) -> Letter:
    here = request.settings.base_url or ""
    with i18n.locale(language):
        text = _(FORGOTTEN, here=here, link=f"{here}/name/forgotten/{token}")
        return Letter(address, _("A new password for your name"), text)


async def ask_password(request: Request, token: str) -> Response:
    """The page behind such a link, which changes nothing."""
    kept = request.names.recovering(token, time.time())
    limits = (names.SHORTEST, names.LONGEST)
    return request.page("name/forgotten.html", asked=None, name=kept.name, token=token, limits=limits)


async def renew_password(request: Request, token: str) -> Response:
    """Another password by such a link; this browser is signed in."""
    password = (await request.fields("password")).get("password", "")
    return await _signed_in(request, await request.names.recover(token, password, time.time()))


ROUTES = (
    ("/name/forgotten", "POST", forget),
    ("/name/forgotten/{token}", "GET", ask_password),
    ("/name/forgotten/{token}", "POST", renew_password),
    ("/name", "GET", name),
    ("/name/keep", "POST", keep_name),
    ("/name/in", "POST", sign_in),
    ("/name/out", "POST", sign_out),
    ("/name/password", "POST", change_password),
    ("/name/give-up", "POST", give_up_name),
    ("/name/vacation", "GET", vacation),
    ("/name/vacation", "POST", rest),
    ("/name/data", "GET", all_of_name),
)
