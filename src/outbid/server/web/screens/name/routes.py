"""Routes about people: names that are kept with a password, who sits where, leaving, agreeing, the next table, chat."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from outbid.core.errors import Unreadable
from outbid.core.language import i18n
from outbid.core.language.names import key_of
from outbid.server import tokens
from outbid.server.domain import scene, setup
from outbid.server.domain.contests import ladder
from outbid.server.domain.people import chat, names, notebook, seating
from outbid.server.domain.table import Table
from outbid.server.rate_limits import address_of
from outbid.server.settings import Refused
from outbid.server.storage import ratings
from outbid.server.storage.notifications import Unreachable
from outbid.server.web import pages
from outbid.server.web.below import root
from outbid.server.web.middleware import wants_json
from outbid.server.web.requests import (
    base_of,
    device_of,
    done,
    fields_of,
    forget,
    names_of,
    remember,
    seat_link,
    seat_of,
    seated,
    seats_of,
    secret_of,
    tables_of,
    with_seat,
    without_seats,
)
from outbid.server.web.screens.new.sheet import with_persona

_, ngettext = i18n.words("outbid")

# --- kept names -------------------------------------------------------------------------------------------------------


async def name(request: Request) -> Response:
    """The name this browser is signed in with, or how to keep one."""
    kept = names_of(request).of(device_of(request))
    if wants_json(request):
        return JSONResponse({"name": kept.name if kept else None})
    limits = (names.SHORTEST, names.LONGEST)
    climbs = kept is not None and ratings.climbs(tables_of(request).store, kept.key)
    return HTMLResponse(pages.page("name/name.html", name=kept.name if kept else None, limits=limits, climbs=climbs))


async def keep_name(request: Request) -> Response:
    """Keep a name, and with it the seats that this browser has under it."""
    fields = await fields_of(request, "name", "password")
    token = await names_of(request).keep(fields.get("name", ""), fields.get("password", ""), address_of(request.scope))
    return await _signed_in(request, token)


async def sign_in(request: Request) -> Response:
    """Have all seats of a name on this device, too."""
    fields = await fields_of(request, "name", "password")
    token = await names_of(request).sign_in(fields.get("name", ""), fields.get("password", ""), address_of(request.scope))
    return await _signed_in(request, token)


async def _signed_in(request: Request, token: str) -> Response:
    kept = names_of(request).of(token)
    before = device_of(request)
    if before:
        await names_of(request).sign_out(before)
    if kept:
        people, key = names_of(request).people, key_of(kept.name)
        await tables_of(request).store.aside(people.own, kept.key, seats_of(request), lambda called: key_of(called) == key)
    made = done(request, "/")
    return remember(made, names.COOKIE, token, request)


async def sign_out(request: Request) -> Response:
    """This device is signed in no longer, and has no seat of the name any more."""
    await fields_of(request)
    kept = names_of(request).of(device_of(request))
    made = done(request, "/name")
    if kept:
        await names_of(request).sign_out(device_of(request) or "")
        await without_seats(made, names_of(request).people.tables(kept.key), request)
    return forget(made, names.COOKIE, request)


async def change_password(request: Request) -> Response:
    """Another password; all other devices are signed out."""
    fields = await fields_of(request, "old", "password")
    old, new = fields.get("old", ""), fields.get("password", "")
    await names_of(request).change(device_of(request), old, new, address_of(request.scope))
    return done(request, "/name")


async def give_up_name(request: Request) -> Response:
    """Anybody may have the name; the seats stay with those who have their links, or nothing of it stays."""
    fields = await fields_of(request, "password", "erase")
    proof = device_of(request), fields.get("password", ""), address_of(request.scope)
    if setup.truth("erase", fields.get("erase", "")):
        sat, heard = await names_of(request).erase(*proof)
        for table in sat:
            tables_of(request).drop(table)
        for live in tables_of(request).live():
            if live.id in heard:
                with contextlib.suppress(Unreachable):  # it is erased, and told again when the database answers
                    live.chat.look_again()
    else:
        await names_of(request).give_up(*proof)
    made = done(request, "/name")
    return forget(made, names.COOKIE, request)


async def all_of_name(request: Request) -> Response:
    """All that this server keeps of the name, as a file."""
    found = await names_of(request).everything(device_of(request))
    return JSONResponse(found, headers={"Content-Disposition": 'attachment; filename="outbid-name.json"'})


# --- seats ------------------------------------------------------------------------------------------------------------


def _hosted(request: Request, table: str, seating_too: bool = False) -> tuple[Table, int]:
    """A table of this browser's, and its seat; seating_too: or where it is the next, as the host is gone. Raises Refused."""
    found = tables_of(request).get(table)
    seat = seat_of(request, found)
    if seat != found.house.host and not (seating_too and 0 <= seat == found.votes.deputy):
        raise Refused(403, _("Only who made the table can do that."))
    return found, seat


async def change_seat(request: Request, table: str) -> Response:
    """The host, or the next person if the host is gone, puts a bot in a seat, or opens it again."""
    fields = await fields_of(request, "seat", "who", "character")
    found, seat = _hosted(request, table, seating_too=True)
    number = fields.get("seat", "")
    if not (number.isascii() and number.isdigit() and len(number) < 3):
        raise Unreadable(_("The field {name} must be a whole number.", name="'seat'"))
    who = with_persona(fields.get("who", ""), fields.get("character", ""))
    async with found.lock:
        await seating.change(found, seat, int(number), who)
    return done(request, f"/t/{table}")


async def start(request: Request, table: str) -> Response:
    """The host, or the next person if the host is gone, lets the match begin."""
    await fields_of(request)
    found, _seat = _hosted(request, table, seating_too=True)
    async with found.lock:
        await seating.start(found)
    return done(request, f"/t/{table}")


async def decide(request: Request, table: str) -> Response:
    """The host lists the table, chooses how it begins, and switches the chat off; what is left out stays."""
    fields = await fields_of(request, "listed", "starts", "chat")
    found, _seat = _hosted(request, table)
    wanted: dict[str, Any] = {key: setup.truth(key, fields[key]) for key in ("listed", "chat") if key in fields}
    if "starts" in fields:
        wanted["starts"] = setup.starting(fields["starts"])
    async with found.lock:
        await seating.decide(found, found.house._replace(**wanted))
    return done(request, f"/t/{table}")


async def fill(request: Request, table: str) -> Response:
    """The host, or the next person if the host is gone, seats bots."""
    fields = await fields_of(request, "bot", "character")
    found, _seat = _hosted(request, table, seating_too=True)
    who = with_persona(fields.get("bot", ""), fields.get("character", ""))
    async with found.lock:
        await found.fill(who)
    return done(request, f"/t/{table}")


async def ask_leave(request: Request, table: str) -> Response:
    """Whether this seat shall really be left."""
    found, seat = seated(request, table)
    facts = {"table": scene.about(found, base_of(request)), "counts": found.seats[seat].rated and ladder.counts(found)}
    return HTMLResponse(pages.page("seat/leave.html", **facts))


async def leave(request: Request, table: str) -> Response:
    """Leave the seat: before the match it is open again, during it a bot plays on."""
    await fields_of(request)
    found, seat = seated(request, table)
    before = found.status == "open"
    async with found.lock:
        await seating.leave(found, seat)
    made = done(request, f"/t/{table}")
    return await without_seats(made, [found.id], request) if before else made


async def agree(request: Request, table: str) -> Response:
    """Agree to an open question, or refuse."""
    fields = await fields_of(request, "what", "agree")
    found, seat = seated(request, table)
    async with found.lock:
        await found.votes.wish(seat, fields.get("what", ""), setup.truth("agree", fields.get("agree") or "true"))
    return done(request, f"/t/{table}")


async def rematch(request: Request, table: str) -> Response:
    """To the next table of the same people, which is made if it is not there."""
    await fields_of(request)
    found, seat = seated(request, table)
    if not found.house.next:
        request.app.state.limits.table(address_of(request.scope))
    async with found.lock:
        following = await seating.again(tables_of(request), found)
    secret = secret_of(request, found)
    token = tokens.heir_of(secret, following.id) if secret and found.seat_of(secret) == seat else tokens.new_token()
    there = seating.seat_after(found, seat)
    async with following.lock:
        mine = await seating.take(following, there, found.seats[seat].name, token)
    link = seat_link(following.id, token) if mine else f"{root()}/t/{following.id}"
    facts = {"table": following.id, "seat": there, "link": link}
    made: Response = JSONResponse(facts, 201) if wants_json(request) else RedirectResponse(f"/t/{following.id}", 303)
    return await with_seat(made, following, token, request) if mine else made


# --- a notebook -------------------------------------------------------------------------------------------------------


async def notes(request: Request, table: str) -> Response:
    """What this seat has noted for itself, as a page of its own or for programs."""
    found, seat = seated(request, table)
    text = names_of(request).people.notes(found.id, seat)
    if wants_json(request):
        return JSONResponse({"text": text})
    return HTMLResponse(pages.page("notes/notes.html", table=scene.about(found, base_of(request)), text=text))


async def note(request: Request, table: str) -> Response:
    """The whole notebook from now on."""
    fields = await fields_of(request, "text")
    found, seat = seated(request, table)
    text = notebook.cleaned(found, fields.get("text", ""))
    await tables_of(request).store.aside(names_of(request).people.note, found.id, seat, text)
    return done(request, f"/t/{table}")


# --- chat -------------------------------------------------------------------------------------------------------------


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
    ("/name", "GET", name),
    ("/name/keep", "POST", keep_name),
    ("/name/in", "POST", sign_in),
    ("/name/out", "POST", sign_out),
    ("/name/password", "POST", change_password),
    ("/name/give-up", "POST", give_up_name),
    ("/name/data", "GET", all_of_name),
    ("/t/{table}/seats", "POST", change_seat),
    ("/t/{table}/fill", "POST", fill),
    ("/t/{table}/start", "POST", start),
    ("/t/{table}/house", "POST", decide),
    ("/t/{table}/leave", "GET", ask_leave),
    ("/t/{table}/leave", "POST", leave),
    ("/t/{table}/agree", "POST", agree),
    ("/t/{table}/rematch", "POST", rematch),
    ("/t/{table}/notes", "GET", notes),
    ("/t/{table}/notes", "POST", note),
    ("/t/{table}/chat", "GET", talk),
    ("/t/{table}/chat", "POST", say),
    ("/t/{table}/mute", "POST", mute),
)
