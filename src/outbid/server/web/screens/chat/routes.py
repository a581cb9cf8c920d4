"""The chat of a table."""

from __future__ import annotations

from dataclasses import replace

from starlette.responses import JSONResponse, Response

from outbid.core.language import i18n
from outbid.server import tokens
from outbid.server.domain import setup
from outbid.server.domain.people import chat
from outbid.server.domain.table import Table
from outbid.server.settings import Refused
from outbid.server.web.requests import Visit

_ = i18n.words("outbid")[0]


def _reader(visit: Visit, table: Table) -> chat.Reader:
    return chat.reader_of(visit.cookies, table.id, visit.seat(table))


async def talk(visit: Visit, table: Table) -> Response:
    """What was said, as a page of its own or for programs."""
    reader = _reader(visit, table)
    seen = table.chat.talk(reader)
    if visit.program:
        shown = ("id", "who", "name", "text", "mine")
        lines = [{field: getattr(line, field) for field in shown} for line in seen.lines]
        return JSONResponse({"on": seen.on, "messages": lines})
    people = table.chat.people(reader)
    return visit.page("chat/talk.html", table=visit.about(table), talk=seen, people=people, muted=reader.muted)


async def say(visit: Visit, table: Table) -> Response:
    """Say something to those who sit at the table, or to those who watch."""
    fields = await visit.fields("text", "name", "back")
    reader = _reader(visit, table)
    secret = person = own = None
    if reader.seat < 0:
        secret = visit.cookies.get(chat.COOKIE) or tokens.new_token()
        reader = replace(reader, who=chat.who_of(table.id, -1, secret))
        own = visit.names.check(fields.get("name", "") or table.chat.name_of(reader), visit.device)
        person = visit.kept
    visit.limits.chat(visit.address, f"{table.id} {reader.who}", reader.seat >= 0)
    await table.chat.say(reader, fields.get("name", ""), fields.get("text", ""), person.key if person else None, own)
    back = f"/t/{table.id}/chat" if fields.get("back") == "chat" else f"/t/{table.id}#say"
    answer = visit.done(back)
    return visit.remember(answer, chat.COOKIE, secret) if secret else answer


async def mute(visit: Visit, table: Table) -> Response:
    """Mute a person for this browser, or unmute them."""
    fields = await visit.fields("who", "mute")
    reader = _reader(visit, table)
    who, wanted = fields.get("who", ""), setup.truth("mute", fields.get("mute") or "true")
    known = table.chat.people(reader)
    if who not in known:
        raise Refused(400, _("Nobody of that name has said anything here."))
    muted = chat.written(reader.muted | {who} if wanted else reader.muted - {who}, known)
    return visit.remember(visit.done(f"/t/{table.id}/chat"), chat.mute_cookie(table.id), muted)


ROUTES = (
    ("/t/{table}/chat", "GET", talk),
    ("/t/{table}/chat", "POST", say),
    ("/t/{table}/mute", "POST", mute),
)
