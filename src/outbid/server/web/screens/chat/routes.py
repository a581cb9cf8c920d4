"""The chat of a table."""

from __future__ import annotations

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from outbid.core.language import i18n
from outbid.server import tokens
from outbid.server.domain import scene, setup
from outbid.server.domain.people import chat
from outbid.server.domain.table import Table
from outbid.server.rate_limits import address_of
from outbid.server.settings import Refused
from outbid.server.web import pages
from outbid.server.web.middleware import wants_json
from outbid.server.web.requests import (
    base_of,
    device_of,
    done,
    fields_of,
    names_of,
    remember,
    seat_of,
    tables_of,
)

_ = i18n.words("outbid")[0]


def _reader(request: Request, table: str) -> tuple[Table, chat.Reader]:
    found = tables_of(request).get(table)
    return found, chat.reader_of(request.cookies, found.id, seat_of(request, found))


async def talk(request: Request, table: str) -> Response:
    """What was said, as a page of its own or for programs."""
    found, reader = _reader(request, table)
    seen = found.chat.talk(reader)
    if wants_json(request):
        lines = [{"id": one.id, "who": one.who, "name": one.name, "text": one.text, "mine": one.mine} for one in seen.lines]
        return JSONResponse({"on": seen.on, "messages": lines})
    facts = {"people": found.chat.people(reader), "muted": reader.muted}
    return HTMLResponse(pages.page("chat/talk.html", table=scene.about(found, base_of(request)), talk=seen, **facts))


async def say(request: Request, table: str) -> Response:
    """Say something to those who sit at the table, or to those who watch."""
    fields = await fields_of(request, "text", "name", "back")
    found, reader = _reader(request, table)
    secret = kept = own = None
    if reader.seat < 0:
        secret = request.cookies.get(chat.COOKIE) or tokens.new_token()
        reader = replace(reader, who=chat.who_of(found.id, -1, secret))
        own = names_of(request).check(fields.get("name", "") or found.chat.name_of(reader), device_of(request))
        kept = names_of(request).of(device_of(request))
    request.app.state.limits.chat(address_of(request.scope), f"{found.id} {reader.who}", reader.seat >= 0)
    await found.chat.say(reader, fields.get("name", ""), fields.get("text", ""), kept.key if kept else None, own)
    back = f"/t/{table}/chat" if fields.get("back") == "chat" else f"/t/{table}#say"
    made = done(request, back)
    return remember(made, chat.COOKIE, secret, request) if secret else made


async def mute(request: Request, table: str) -> Response:
    """Mute a person for this browser, or unmute them."""
    fields = await fields_of(request, "who", "mute")
    found, reader = _reader(request, table)
    who, wanted = fields.get("who", ""), setup.truth("mute", fields.get("mute") or "true")
    known = found.chat.people(reader)
    if who not in known:
        raise Refused(400, _("Nobody of that name has said anything here."))
    muted = chat.written(reader.muted | {who} if wanted else reader.muted - {who}, known)
    made = done(request, f"/t/{table}/chat")
    return remember(made, chat.mute_cookie(found.id), muted, request)


ROUTES = (
    ("/t/{table}/chat", "GET", talk),
    ("/t/{table}/chat", "POST", say),
    ("/t/{table}/mute", "POST", mute),
)
