"""Routes about notices: the form, its confirmation, and the link that stops them, which needs no cookie and one click.

Links are opened by programs that look through mails, so opening one changes nothing: a button on its page does, or the one
click of a mail program (RFC 8058), which sends a form to the same address. A link that is old or made up gets the same
answer as one that has done its work.

A browser says for itself that it wants messages, with what its push service gave it (push.js), and says so again each time
that it opens a table: the service may have moved it, and its player may have signed in or out.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response

from outbid.core.errors import BadSetup, OutbidError
from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.server.domain.notices.delivery import checked_mail
from outbid.server.domain.notices.notifier import Notifier
from outbid.server.rate_limits import Buckets
from outbid.server.settings import Rate, Refused
from outbid.server.storage.notices import KINDS, Owner
from outbid.server.stored import HOOK, MAIL, PUSH, Browser, Notice, zone
from outbid.server.tokens import hashed
from outbid.server.web import pages
from outbid.server.web.requests import Request

if TYPE_CHECKING:
    from outbid.server.domain.notices.push import Push

WORKER = Path(__file__).parent / "worker.js"
TRIALS = Rate(5, 5 / 3600)  # messages to try, of one person
SWITCHES = Rate(20, 20 / 3600)  # browsers that are new, by one address
ASKED, ASKS = Rate(3, 1 / (8 * 3600)), Rate(10, 10 / 3600)  # questions to one reader; by one address
USUAL = (22, 8)  # the quiet hours that the form proposes
FIELDS = ("mail", "hook", "from", "until", "zone")
UNKNOWN_ZONE = "Etc/Unknown"  # what browsers call the zone of a machine that has none


class ConfirmationLimits:
    """How often readers are asked whether they want notices."""

    def __init__(self) -> None:
        self._readers, self._askers = Buckets(ASKED), Buckets(ASKS)
        self._trials, self._switches = Buckets(TRIALS), Buckets(SWITCHES)

    def take(self, reader: str, asker: str, free: bool) -> None:
        """A reader is asked. Raises Refused."""
        if self._readers.take(reader.lower()) or (not free and self._askers.take(asker)):
            sentence = _("That address got several confirmations today; please look for one of them, or try again tomorrow.")
            raise Refused(429, sentence)

    def take_browser(self, asker: str, free: bool) -> None:
        """A new browser wants messages. Raises Refused."""
        if not free and self._switches.take(asker):
            raise Refused(429, _("Messages were switched on very often here in the last hour; please try again later."))

    def take_trial(self, owner: Owner) -> None:
        """A person wants a message to try. Raises Refused."""
        if self._trials.take(str(owner.fields)):
            raise Refused(429, _("Several messages were on their way in the last hour; please try again later."))


def notifier_of(request: Request) -> Notifier:
    """What tells people. Raises HTTPException if the server tells nobody."""
    notifier: Notifier | None = request.app.state.notifier
    if notifier is None:
        raise HTTPException(404)
    return notifier


def _owner(request: Request) -> Owner | None:
    """Whose notices this browser sets; none: it has no seat and no name."""
    person = request.kept
    if person:
        return Owner(name=person.key)
    browser = request.browser
    return Owner(browser=hashed(browser)) if browser and request.names.people.browser(browser) else None


def _seated(request: Request) -> Owner:
    owner = _owner(request)
    if owner is None:
        raise Refused(403, _("Take a seat at a table first: notices are for players."))
    return owner


async def show(request: Request) -> Response:
    """The form, filled with what is wanted."""
    notifier, owner = notifier_of(request), _owner(request)
    known = notifier.notices.of(owner) if owner else []
    if request.program:
        return JSONResponse({notice.kind: _as_json(notice) for notice in known if notice.kind in KINDS})
    return HTMLResponse(_page(request, known, owner is not None))


def _as_json(notice: Notice) -> dict[str, object]:
    return {"address": notice.address, "confirmed": notice.confirmed, "zone": notice.zone, "quiet": notice.quiet} | (
        {"key": notice.proof("key")} if notice.kind == HOOK else {}
    )


def _page(
    request: Request,
    wanted: Sequence[Notice],
    seated: bool,
    typed: dict[str, str] | None = None,
    error: str = "",
    status: str = "",
) -> str:
    settings = request.settings
    some = next(iter(wanted), None)
    known = {notice.kind: notice for notice in wanted}
    values = {kind: known[kind].address if kind in known else "" for kind in KINDS}
    quiet = some.quiet if some else USUAL
    values |= {
        "from": str(quiet[0]) if quiet else "",
        "until": str(quiet[1]) if quiet else "",
        "zone": some.zone if some else "",
    }
    facts = {"by_mail": settings.mail is not None, "by_hook": bool(settings.hooks), "seated": seated, "error": error}
    facts |= {"by_push": settings.pushes, "status": status, "some": any(notice.confirmed for notice in wanted)}
    facts["browsers"] = [notice for notice in wanted if notice.kind == PUSH]
    by_kind = {kind: known.get(kind) for kind in KINDS}
    facts |= {"lost_zone": some.zone if some and zone(some.zone) is None else ""}
    return pages.page("notices/notices.html", known=by_kind, values=values | (typed or {}), **facts)


async def change(request: Request) -> Response:
    """A person wants other notices, or none. An address is asked first, by mail."""
    notifier, settings = notifier_of(request), request.settings
    fields, owner = await request.fields(*FIELDS), _seated(request)
    mine = notifier.notices.of(owner)
    known = {notice.kind: notice for notice in mine}
    try:
        place, quiet = _zone(fields.get("zone", "")), _quiet(fields.get("from", ""), fields.get("until", ""))
        wanted = await _addresses(request, notifier, fields)
        for kind, address in wanted.items():
            if address and not (kind in known and known[kind].address == address and known[kind].confirmed):
                asker = request.address
                request.app.state.asking.take(address, asker, settings.free(asker))
    except OutbidError as error:
        if not request.marked(error, 429):
            raise
        return HTMLResponse(
            _page(request, mine, True, fields, str(error)), error.status if isinstance(error, Refused) else 400
        )
    store = request.store
    for kind, address in wanted.items():
        if address:
            await store.aside(notifier.notices.ask, owner, kind, address, quiet, place, i18n.language(), time.time())
        elif kind in known:
            await store.aside(notifier.notices.give_up, owner, kind)
    await store.aside(notifier.notices.quieten, owner, quiet, place)
    notifier.wake()
    return request.done("/notices")


async def _addresses(request: Request, notifier: Notifier, fields: dict[str, str]) -> dict[str, str]:
    """The address of each kind that this server has; "" for a kind that is not wanted. Raises BadSetup."""
    settings, addresses = request.settings, dict[str, str]()
    if settings.mail:
        typed = fields.get(MAIL, "").strip()
        addresses[MAIL] = checked_mail(typed) if typed else ""
    if settings.hooks:
        typed = fields.get(HOOK, "").strip()
        if typed:
            await asyncio.to_thread(notifier.hook.resolved, typed)
        addresses[HOOK] = typed
    return addresses


def _zone(text: str) -> str:
    """A time zone; UTC if none is said, or the browser knows none. Raises BadSetup."""
    name = text.strip()
    if name in ("", UNKNOWN_ZONE):
        return "UTC"
    if len(name) > 64 or zone(name) is None:
        example = "Europe/Berlin"
        raise BadSetup(_("There is no time zone {name}; write it as in {example}.", name=repr(name[:40]), example=example))
    return name


def _quiet(begins: str, ends: str) -> tuple[int, int] | None:
    """Hours between which nothing is sent; none if one is left out. Raises BadSetup."""
    if not begins or not ends:
        return None
    hours = [int(hour) if hour.isascii() and hour.isdigit() and len(hour) < 3 else 24 for hour in (begins, ends)]
    if max(hours) > 23:
        raise BadSetup(_("Quiet hours begin and end at a whole hour from 0 to 23."))
    return (hours[0], hours[1]) if hours[0] != hours[1] else None


async def ask_confirm(request: Request, notice: str, proof: str) -> Response:
    """The page behind the link of a confirmation."""
    return _answer(request, "confirm", _proved(request, notice, "confirm", proof))


async def confirm(request: Request, notice: str, proof: str) -> Response:
    """Confirm that notices are wanted."""
    notifier, wanted = notifier_of(request), _proved(request, notice, "confirm", proof)
    if wanted:
        await request.store.aside(notifier.notices.confirm, wanted.id, time.time())
    return _answer(request, "confirmed", wanted)


async def ask_stop(request: Request, notice: str, proof: str) -> Response:
    """The page behind the link that stops notices."""
    return _answer(request, "stop", _proved(request, notice, "stop", proof))


async def stop(request: Request, notice: str, proof: str) -> Response:
    """No more notices; whatever a mail program sends with it is not read."""
    notifier, wanted = notifier_of(request), _proved(request, notice, "stop", proof)
    if wanted:
        await request.store.aside(notifier.notices.stop, wanted.id)
    return _answer(request, "stopped", None)


async def try_out(request: Request) -> Response:
    """Send a message now, wherever this person gets them."""
    await request.fields()
    notifier, owner = notifier_of(request), _seated(request)
    request.app.state.asking.take_trial(owner)
    if not await request.store.aside(notifier.notices.try_out, owner, time.time()):
        raise Refused(409, _("No messages come to you yet: confirm an address first, or switch them on in this browser."))
    notifier.wake()
    if request.program:
        return request.done("/notices")
    sentence = _("A message is on its way. If none comes, look into the spam folder and at the settings of your device.")
    return HTMLResponse(_page(request, notifier.notices.of(owner), True, status=sentence))


async def worker(_request: Request) -> Response:
    """The service worker, whose pages are all those below it."""
    return FileResponse(WORKER, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


async def push_key(request: Request) -> Response:
    """The key that a browser subscribes with."""
    return JSONResponse({"key": (await _push(request)).public})


async def _push(request: Request) -> Push:
    if not request.settings.pushes:
        raise HTTPException(404)
    return await notifier_of(request).push()


async def subscribe(request: Request) -> Response:
    """A browser wants messages, or has got another address from its push service."""
    from outbid.server.domain.notices.push import checked

    push, notifier = await _push(request), notifier_of(request)
    fields, owner = await request.fields("endpoint", "key", "secret", "zone"), _seated(request)
    browser = Browser(fields.get("endpoint", ""), fields.get("key", ""), fields.get("secret", ""))
    if browser.endpoint not in {notice.address for notice in notifier.notices.of(owner)}:
        request.app.state.asking.take_browser(request.address, request.settings.free(request.address))
        await asyncio.to_thread(checked, push.hook, browser)
    place = fields.get("zone", "")
    facts = place if len(place) <= 64 and zone(place) else "UTC", i18n.language(), time.time()
    trouble = await request.store.aside(notifier.notices.subscribe, owner, browser, *facts)
    return JSONResponse({"ok": True, "trouble": trouble})


async def unsubscribe(request: Request) -> Response:
    """A browser wants no more messages, or none of this person's does."""
    fields, owner = await request.fields("endpoint"), _seated(request)
    await request.store.aside(notifier_of(request).notices.give_up, owner, PUSH, fields.get("endpoint", ""))
    return request.done("/notices")


def _proved(request: Request, notice: str, what: str, proof: str) -> Notice | None:
    """The notice of a link that was in one of its letters."""
    wanted = notifier_of(request).notices.find(notice)
    return wanted if wanted and wanted.proves(what, proof) else None


def _answer(request: Request, step: str, notice: Notice | None) -> Response:
    gone = notice is None and step in ("confirm", "confirmed")
    if request.program:
        return JSONResponse({"ok": not gone}, 410 if gone else 200)
    address = notice.address if notice and notice.kind == MAIL else None
    if step == "stop" and notice is None:
        step = "stopped"
    page = pages.page("notices/noticed.html", step="gone" if gone else step, address=address)
    return HTMLResponse(page, 410 if gone else 200)


ROUTES = (
    ("/notices", "GET", show),
    ("/notices", "POST", change),
    ("/notices/try", "POST", try_out),
    ("/notices/push", "GET", push_key),
    ("/notices/push", "POST", subscribe),
    ("/notices/push/stop", "POST", unsubscribe),
    ("/sw.js", "GET", worker),
    ("/notices/confirm/{notice}/{proof}", "GET", ask_confirm),
    ("/notices/confirm/{notice}/{proof}", "POST", confirm),
    ("/notices/stop/{notice}/{proof}", "GET", ask_stop),
    ("/notices/stop/{notice}/{proof}", "POST", stop),
)
