"""A seat in the terminal: at a table of a running server (`outbid join LINK`), or against bots (`outbid play --plain`).

    local.py        LocalMatch: a session (wire/session.py) against bots in this process
    line_mode.py    LineMode: a session line by line, also for screen readers and pipes
    full_screen.py  FullScreen: a session on the full screen, with Textual (`outbid[terminal]`)
    lines.py        what a typed line means, and the words that ask to see something
    page.py         lines wrapped at words, menus, columns
    suits.py        the colours of cards, and the key to their codes
    times.py        how long everybody has, by the server's clock

At a server a session is a visit (wire/visit.py). Before a question stands the table, then the question, the choices one a
line, what to type.
"""

import asyncio
import contextlib
import os
import sys
from functools import cache
from getpass import getpass

from outbid.core.errors import BadSetup
from outbid.core.extras import require
from outbid.core.language.i18n import _
from outbid.wire.link import Link


def join(link: str, name: str | None, plain: bool, password: bool = False) -> int:
    """Sit down at a table until the match is over or one leaves; returns the exit code. Raises OutbidError.

    password: ask for that of the name, and sign in with it. From a pipe it is the first line."""
    at = Link.read(link)
    if password and not name and not sys.stdin.isatty():
        raise BadSetup(_("A password belongs to a name; add --name."))
    require("`outbid join`", "terminal", "httpx", "websockets")
    if not plain:
        check_screen()
    return asyncio.run(_joined(at, name, plain, password))


def check_screen() -> None:
    """Raises BadSetup if there can be no full screen here."""
    require(_("The full screen"), "terminal", "textual", instead=_("or add --plain for line by line"))
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadSetup(_("The full screen needs a terminal; add --plain for line by line."))


async def _joined(at: Link, name: str | None, plain: bool, password: bool) -> int:
    from outbid.wire.arrive import arrive

    visit = await arrive(at, cache(lambda: name or _asked_name()), password=_asked_password if password else None)
    visit.name = name or ""
    if name and not at.token:
        now = await visit.look()
        seated = now.seats[now.you].name if now.you >= 0 else name
        if seated != name:
            sentence = _("This computer sits here already, as {name}; another player joins from another one.", name=seated)
            print(sentence, file=sys.stderr)
    try:
        if plain:
            from outbid.terminal.line_mode import LineMode

            return await LineMode(visit, eager=sys.stdin.isatty()).run()
        from outbid.terminal.full_screen import FullScreen

        return await FullScreen(visit).sit()
    finally:
        await visit.sign_out()


def _asked_name() -> str:
    """A nickname, from the person at the terminal."""
    try:
        return (input(_("Your nickname: ")) if sys.stdin.isatty() else "").strip() or _("Guest")
    except EOFError:
        return _("Guest")


def _asked_password() -> str:
    """A password; from a pipe its first line, and not a character more."""
    if sys.stdin.isatty():
        with contextlib.suppress(EOFError):
            return getpass(_("Password: "))
        return ""
    line = b""
    while (character := os.read(sys.stdin.fileno(), 1)) not in (b"", b"\n"):
        line += character
    return line.decode("utf-8", "replace").removesuffix("\r")
