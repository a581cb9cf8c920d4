"""The chat of a table."""

from dataclasses import replace

from starlette.responses import JSONResponse, Response

from outbid.core.errors import Unreadable
from outbid.core.language.i18n import _
from outbid.server import tokens
from outbid.server.domain import setup
from outbid.server.domain.people import chat
from outbid.server.domain.table import Table
from outbid.server.settings import Refused
from outbid.server.web.requests import Request, whole


def _reader(request: Request, table: Table) -> chat.Reader:
    return chat.reader_of(request.cookies, table.id, request.seat(table))


async def talk(request: Request, table: Table) -> Response:
    """What was said, as a page of its own or for programs."""
    reader = _reader(request, table)
    seen = table.chat.talk(reader)
    if request.program:
        shown = ("id", "who", "name", "text", "mine", "to")
        lines = [{field: getattr(line, field) for field in shown} for line in seen.lines]
        return JSONResponse({"on": seen.on, "messages": lines})
    people = table.chat.people(reader)
    return request.page("chat/talk.html", table=request.about(table), talk=seen, people=people, muted=reader.muted)


async def say(request: Request, table: Table) -> Response:
    """Say something, or show a sign, to those who sit at the table or to one of them, or to those who watch."""
    fields = await request.fields("text", "sign", "name", "back", "to")
    text = f":{fields['sign']}:" if fields.get("sign") else fields.get("text", "")
    reader = _reader(request, table)
    secret = person = own = None
    if reader.seat < 0:
        secret = request.cookies.get(chat.COOKIE) or tokens.new_token()
        reader = replace(reader, who=chat.who_of(table.id, -1, secret))
        own = request.names.check(fields.get("name", "") or table.chat.name_of(reader), request.device)
        person = request.kept
    request.limits.chat(request.address, f"{table.id} {reader.who}", reader.seat >= 0)
    to = whole(fields["to"], 2) if fields.get("to") else None
    if fields.get("to") and to is None:
        raise Unreadable(_("The field {name} must be the number of a seat.", name="'to'"))
    owner = person.key if person else None
    await table.chat.say(reader, fields.get("name", ""), text, owner, own, to)
    back = f"/t/{table.id}/chat" if fields.get("back") == "chat" else f"/t/{table.id}#say"
    answer = request.done(back)
    return request.remember(answer, chat.COOKIE, secret) if secret else answer


async def mute(request: Request, table: Table) -> Response:
    """Mute a person for this browser, or unmute them."""
    fields = await request.fields("who", "mute")
    reader = _reader(request, table)
    who, wanted = fields.get("who", ""), setup.truth("mute", fields.get("mute") or "true")
    known = table.chat.people(reader)
    if who not in known:
        raise Refused(400, _("Nobody of that name has said anything here."))
    muted = chat.written(reader.muted | {who} if wanted else reader.muted - {who}, known)
    return request.remember(request.done(f"/t/{table.id}/chat"), chat.mute_cookie(table.id), muted)


ROUTES = (
    ("/t/{table}/chat", "GET", talk),
    ("/t/{table}/chat", "POST", say),
    ("/t/{table}/mute", "POST", mute),
)
