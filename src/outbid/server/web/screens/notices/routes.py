"""Routes about notices: the form, its confirmation, and the link that stops them, which needs no cookie and one click.

Links are opened by programs that look through mails, so opening one changes nothing: a button on its page does, or the one
click of a mail program (RFC 8058), which sends a form to the same address. A link that is old or made up gets the same
answer as one that has done its work.
"""

from __future__ import annotations

import asyncio
import time

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response

from outbid.core.errors import BadSetup, OutbidError
from outbid.core.language import i18n
from outbid.server.domain.notices.delivery import checked_mail
from outbid.server.domain.notices.notifier import Notifier
from outbid.server.rate_limits import Buckets
from outbid.server.settings import Rate, Refused
from outbid.server.storage.notices import KINDS, Owner
from outbid.server.stored import HOOK, MAIL, Notice, zone
from outbid.server.tokens import hashed
from outbid.server.web import pages
from outbid.server.web.requests import Request

_, ngettext = i18n.words("outbid")

ASKED, ASKS = Rate(3, 1 / (8 * 3600)), Rate(10, 10 / 3600)  # questions to one reader; by one address
USUAL = (22, 8)  # the quiet hours that the form proposes
FIELDS = ("mail", "hook", "from", "until", "zone")
UNKNOWN_ZONE = "Etc/Unknown"  # what browsers call the zone of a machine that has none


class ConfirmationLimits:
    """How often readers are asked whether they want notices."""

    def __init__(self) -> None:
        self._readers, self._askers = Buckets(ASKED), Buckets(ASKS)

    def take(self, reader: str, asker: str, free: bool) -> None:
        """A reader is asked. Raises Refused."""
        if self._readers.take(reader.lower()) or (not free and self._askers.take(asker)):
            sentence = _("That address got several confirmations today; please look for one of them, or try again tomorrow.")
            raise Refused(429, sentence)


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
    known = {notice.kind: notice for notice in notifier.notices.of(owner)} if owner else {}
    if request.program:
        return JSONResponse({kind: _as_json(notice) for kind, notice in known.items()})
    return HTMLResponse(_page(request, known, owner is not None))


def _as_json(notice: Notice) -> dict[str, object]:
    return {"address": notice.address, "confirmed": notice.confirmed, "zone": notice.zone, "quiet": notice.quiet} | (
        {"key": notice.proof("key")} if notice.kind == HOOK else {}
    )


def _page(
    request: Request, known: dict[str, Notice], seated: bool, typed: dict[str, str] | None = None, error: str = ""
) -> str:
    settings = request.settings
    some = next(iter(known.values()), None)
    values = {kind: known[kind].address if kind in known else "" for kind in KINDS}
    quiet = some.quiet if some else USUAL
    values |= {
        "from": str(quiet[0]) if quiet else "",
        "until": str(quiet[1]) if quiet else "",
        "zone": some.zone if some else "",
    }
    facts = {"by_mail": settings.mail is not None, "by_hook": bool(settings.hooks), "seated": seated, "error": error}
    by_kind = {kind: known.get(kind) for kind in KINDS}
    facts |= {"lost_zone": some.zone if some and zone(some.zone) is None else ""}
    return pages.page("notices/notices.html", known=by_kind, values=values | (typed or {}), **facts)


async def change(request: Request) -> Response:
    """A person wants other notices, or none. An address is asked first, by mail."""
    notifier, settings = notifier_of(request), request.settings
    fields, owner = await request.fields(*FIELDS), _seated(request)
    known = {notice.kind: notice for notice in notifier.notices.of(owner)}
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
            _page(request, known, True, fields, str(error)), error.status if isinstance(error, Refused) else 400
        )
    store = request.store
    for kind, address in wanted.items():
        if address:
            await store.aside(notifier.notices.ask, owner, kind, address, quiet, place, i18n.language(), time.time())
        elif kind in known:
            await store.aside(notifier.notices.give_up, owner, kind)
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
    ("/notices/confirm/{notice}/{proof}", "GET", ask_confirm),
    ("/notices/confirm/{notice}/{proof}", "POST", confirm),
    ("/notices/stop/{notice}/{proof}", "GET", ask_stop),
    ("/notices/stop/{notice}/{proof}", "POST", stop),
)
