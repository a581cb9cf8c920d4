"""To come to a table: back to one's seat, to the seat of a seat link, to an open seat, or to watch."""

from __future__ import annotations

import sys
from collections.abc import Callable

from outbid.client import kept
from outbid.client.link import Link
from outbid.client.visit import Gone, Visit
from outbid.engine import tongue
from outbid.engine.errors import OutbidError

_, ngettext = tongue.words("outbid")


async def arrive(link: Link, name: Callable[[], str], remember: bool = True) -> Visit:
    """Come to the table of a link; `name` is asked for a nickname if a seat is to be taken. Raises OutbidError.

    remember: the seat that was taken here before is taken again, and this one is remembered. Without it, every visit that
    does not come by a seat link is somebody else.
    """
    visit = Visit(link, link.token or (kept.token(link) if remember else None))
    if link.token:
        await visit.ask("GET", f"{link.path}/seat/{link.token}")
    now = await visit.look()
    if now.you < 0 and visit.token:
        if remember:
            kept.forget(link)
        visit.token = None
    if now.you < 0 and now.table.status == "open" and any(seat.kind == "open" for seat in now.seats):
        visit.token = await _seated(visit, name())
    if visit.token and remember:
        try:
            kept.keep(link, visit.token)
        except OSError as error:
            sentence = _("Your seat cannot be remembered: {reason}.", reason=error.strerror or str(error))
            print(sentence, file=sys.stderr)
    return visit


async def _seated(visit: Visit, name: str) -> str:
    """Take an open seat; returns its secret. Raises OutbidError."""
    said = await visit.ask("POST", f"{visit.link.path}/join", name=name)
    try:
        token = Link.read(f"{visit.link.base}{said['link']}").token
    except (OutbidError, KeyError, TypeError):
        token = None
    if token is None:
        raise Gone(_("At {base} there is no table server.", base=visit.link.base))
    return token
