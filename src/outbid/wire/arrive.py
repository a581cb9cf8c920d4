"""To come to a table: back to a seat, to that of a seat link or of a kept name, to an open seat, or to watch."""

import sys
from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import urljoin

from outbid.core.errors import OutbidError
from outbid.core.language.i18n import _
from outbid.wire import saved_seats
from outbid.wire.link import Link
from outbid.wire.visit import SIGNED_IN, Gone, Visit


async def arrive(
    link: Link,
    name: Callable[[], str],
    remember: bool = True,
    password: Callable[[], str] | None = None,
    agent: bool = False,
) -> Visit:
    """Come to the table of a link; `name` is asked for a nickname if a seat is to be taken. Raises OutbidError.

    remember: the seat that was taken here before is taken again, and this one is remembered. Without it, every visit that
    does not come by a seat link is another person. password: asked, and the visit is signed in with the name before it sits
    down; what was its seat before is its seat. agent: everybody is to see that a program plays."""
    visit = Visit(link, link.token or (saved_seats.token(link) if remember else None))
    if link.token:
        await visit.ask("GET", f"{link.path}/seat/{link.token}")
    now = await visit.look()
    if password:
        await visit.sign_in(name(), password())
        now = await visit.look()
    if now.you < 0 and visit.token:
        if remember:
            saved_seats.forget(link)
        visit.token = None
    if now.you < 0 and now.table.status == "open" and any(seat.kind == "open" for seat in now.seats):
        visit.token = await _seated(visit, name(), agent)
    elif now.you >= 0 and agent:
        await visit.ask("POST", f"{link.path}/agent")
    if visit.token and remember:
        try:
            saved_seats.keep(link, visit.token)
        except OSError as error:
            sentence = _("Your seat cannot be remembered: {reason}.", reason=error.strerror or str(error))
            print(sentence, file=sys.stderr)
    return visit


async def _seated(visit: Visit, name: str, agent: bool) -> str:
    """Take an open seat; returns its secret. Raises OutbidError."""
    try:
        answer = await visit.ask("POST", f"{visit.link.path}/join", name=name, **({"agent": "true"} if agent else {}))
    except Gone as gone:
        if gone.status != HTTPStatus.FORBIDDEN or SIGNED_IN in visit.secrets:
            raise
        how = _("With --password you sign in.")
        raise Gone(f"{gone} {how}", gone.status) from None
    try:
        token = Link.read(urljoin(visit.link.base, answer["link"])).token
    except (OutbidError, KeyError, TypeError, ValueError):
        token = None
    if token is None:
        raise Gone(_("At {base} there is no table server.", base=visit.link.base))
    return token
