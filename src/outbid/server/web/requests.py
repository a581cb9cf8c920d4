"""Who asks, and how: what every route needs to know of a request, and how it answers."""

import contextlib
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeVar
from urllib.parse import parse_qsl, unquote

import starlette.requests
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import Scope

from outbid.core.errors import OutbidError, Unreadable
from outbid.core.language.i18n import N_, _
from outbid.core.rulebook import Rulebook, by_id
from outbid.server.domain import commands, scene
from outbid.server.domain.background import LONG
from outbid.server.domain.people import names, seating
from outbid.server.domain.setup import Order
from outbid.server.domain.table import HOST, Table
from outbid.server.domain.tables import Tables
from outbid.server.operating.desk import Desk
from outbid.server.rate_limits import Limits, address_of
from outbid.server.settings import Refused, Settings
from outbid.server.storage.lock import KEY
from outbid.server.storage.notifications import Unreachable
from outbid.server.storage.store import Store
from outbid.server.stored import KeptName
from outbid.server.tokens import hashed, new_token
from outbid.server.web import pages, qr
from outbid.server.web.below import root
from outbid.server.web.middleware import wants_json

T = TypeVar("T")

YEAR = 365 * 24 * 3600
EVENING = 12 * 3600.0  # seconds for which a person has the colour of the last table
FORM = "application/x-www-form-urlencoded"
MOST = 200  # seats of one browser that are looked up
BROWSER = "browser"  # the cookie with the secret of a browser, whose seats the database knows
OF_HOST = "__Host-"  # before its name over https: then no other name of the same domain, and no network, can set it
KEEPS = "cookies"  # a cookie that says nothing but that this browser keeps cookies
TRACKING = re.compile(  # fields that messengers, mail programs and searches add to a link
    r"utm_\w+|\w*cl(k|ick)?id|[gw]braid|gad_\w+|igsh(id)?|mc_[ce]id|_hs\w+|mkt_tok|srsltid|_g[al]|si|ref(_\w+)?|trk|__s"
)
NICKNAME = "nickname"  # the cookie with the name that was typed last
MOVED = 20  # cookies of single seats that are replaced by it at once: an answer has only so much room for headers
TOKEN = re.compile(r"[\w-]{22}", re.ASCII)
NO_COOKIES = N_(
    "Your browser keeps no cookies, so it could not come back to a seat. Allow cookies for this site, load the page again, "
    "and then sit down."
)


class Visitor(HTTPConnection):
    """Who asks, by a request or a socket, and what the server has for them: its tables, its database, what it was told, how
    much an address may ask, and the names that are kept."""

    def __init__(self, scope: Scope, *channels: Any):
        super().__init__(scope, *channels)
        server = self.app.state
        self.tables: Tables = server.tables
        self.store: Store = server.tables.store
        self.settings: Settings = server.settings
        self.limits: Limits = server.limits
        self.names: names.Names = server.names
        self.desk: Desk = server.desk

    @property
    def address(self) -> str:
        """Where the visitor comes from."""
        return address_of(self.scope)

    @property
    def program(self) -> bool:
        """A program asks, not a page."""
        return wants_json(self)

    @property
    def page_wanted(self) -> bool:
        """A browser asks for a page."""
        return "text/html" in self.headers.get("accept", "")

    @property
    def base(self) -> str:
        """How links to the server begin: as this visitor reaches it, or others do."""
        settings = self.settings
        if settings.base_url or (settings.lan and qr.loopback(self.url.hostname or "")):
            return settings.base_url or settings.lan or ""
        scheme = {"ws": "http", "wss": "https"}.get(self.url.scheme, self.url.scheme)
        return f"{scheme}://{self.url.netloc}"

    @property
    def browser(self) -> str:
        """The secret of this browser; "" if it has none that the server knows."""
        secret = self.cookies.get(self.browser_cookie) or self.cookies.get(BROWSER, "")
        return secret if TOKEN.fullmatch(secret) else ""

    @property
    def browser_cookie(self) -> str:
        """What the cookie with that secret is called here: a browser takes the name of a host for its whole host alone."""
        return f"{OF_HOST}{BROWSER}" if self.base.startswith("https") and not root() else BROWSER

    @property
    def device(self) -> str | None:
        """The secret of a browser that is signed in with a kept name."""
        return self.cookies.get(names.COOKIE)

    @cached_property
    def kept(self) -> KeptName | None:
        """The kept name that this browser is signed in with. Raises Refused if it is shut out."""
        kept = self.names.of(self.device)
        if kept:
            self.limits.callers.known(kept.key, self.address)
        self.names.check_let_in(kept.name if kept else "")
        return kept

    @property
    def usual_name(self) -> str:
        """What this visitor is called: the kept name, else what the browser's pages remember (static/nickname.js), else that
        of the newest table; "" if there is none."""
        person = self.kept
        if person:
            return person.name
        typed = " ".join(unquote(self.cookies.get(NICKNAME, "")).split())[: self.settings.nickname]
        return typed or self.store.last_name(self.seats)

    @property
    def usual_colour(self) -> int | None:
        """The colour that this visitor has had this evening; none: none yet."""
        return self.store.last_colour(self.seats, time.time() - EVENING)

    @property
    def single(self) -> dict[str, str]:
        """The secrets of single seats, which programs have, and browsers had before they had one for all: table → secret."""
        return {name.removeprefix("seat-"): secret for name, secret in self.cookies.items() if name.startswith("seat-")}

    @cached_property
    def seats(self) -> dict[str, str]:
        """The seats of this browser: table → hashed token."""
        browser = self.browser
        held = self.names.people.holds(browser, MOST) if browser else {}
        return {table: hashed(secret) for table, secret in list(self.single.items())[:MOST]} | held

    @property
    def table_ids(self) -> list[str]:
        """The tables where this browser has a seat, or the name it is signed in with."""
        person = self.kept
        return [*self.seats, *(self.names.people.tables(person.key) if person else ())]

    def secret(self, table: Table) -> str | None:
        """The secret of this browser's seat at a table; one that opens no seat any more is said, too."""
        browser, single = self.browser, self.single.get(table.id)
        if table.seat_of(single) >= 0 or not browser:
            return single
        return self.names.people.held(browser, table.id) or single

    def seat(self, table: Table) -> int:
        """The seat of this browser, by its token or by a kept name, whose person is there; −1: it watches. Raises Refused if
        its name is shut out."""
        seat = table.seat_of(self.secret(table))
        person = self.kept if seat < 0 else None
        seat = self.names.people.seat(table.id, person.key) if person else seat
        self.names.check_let_in(table.seats[seat].name if seat >= 0 else "")
        if owner := table.seats[seat].owner if seat >= 0 else None:
            self.limits.callers.known(owner, self.address)
        table.votes.see(seat, "hidden" in self.query_params)
        return seat

    def seated(self, table: Table) -> int:
        """This browser's seat at a table. Raises Refused."""
        seat = self.seat(table)
        if seat < 0:
            raise Refused(403, _("You are watching: only who has a seat here can do that."))
        return seat

    def hosted(self, table: Table, seating_too: bool = False) -> int:
        """This browser's seat, if it is the host's; seating_too: or the next person's while the host is gone. Raises
        Refused."""
        seat = self.seat(table)
        if seat != table.house.host and not (seating_too and 0 <= seat == table.votes.deputy):
            raise Refused(403, _("Only who made the table can do that."))
        if seating_too:
            self.desk.check_begins()
        return seat

    def about(self, table: Table) -> scene.About:
        """What pages say of a table, with links as this visitor reaches it."""
        return scene.about(table, self.base)


class Request(Visitor, starlette.requests.Request):
    """A request, and how it is answered."""

    async def fields(self, *allowed: str) -> dict[str, str]:
        """The fields of a form that has only these. Raises Unreadable, Refused."""
        return commands.known(await self.form_fields(), allowed)

    async def form_fields(self) -> commands.Fields:
        """The fields of a form, in order. Raises Unreadable, Refused."""
        kind = self.headers.get("content-type", FORM).partition(";")[0].strip().lower()
        if kind != FORM:
            raise Refused(415, _("A form is sent as {kind}.", kind=FORM))
        try:
            text, most = (await self.body()).decode("ascii"), self.settings.fields
            return parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text), errors="strict", max_num_fields=most)
        except ValueError as error:
            raise Unreadable(_("The form cannot be read.")) from error

    def query(self, *allowed: str, strict: bool = False) -> dict[str, str]:
        """These fields of the address. Where a page is asked for, others are ignored: messengers add some to a link;
        strict: only those that are known for it. Raises Unreadable."""
        pairs, strict = self.query_params.multi_items(), strict or not self.page_wanted
        added = {name for name, _value in pairs if name not in allowed and not (strict and not TRACKING.fullmatch(name))}
        return commands.known([pair for pair in pairs if pair[0] not in added], allowed)

    # --- answers ---

    def page(self, template: str, **facts: Any) -> Response:
        """A page of a template."""
        return HTMLResponse(pages.page(template, **facts))

    def answer(self, facts: Any, page: str, status: int = 200) -> Response:
        """The facts for a program, the way to a page for others."""
        return JSONResponse(facts, status) if self.program else RedirectResponse(page, 303)

    def done(self, page: str) -> Response:
        """It is done: on to this page."""
        return self.answer({"ok": True}, page)

    def marked(self, error: OutbidError, *statuses: int) -> bool:
        """Whether an error is shown where it was made: to a person who can mend it there. statuses: of refusals that are
        so."""
        return not self.program and (not isinstance(error, Refused) or error.status in statuses)

    async def heavily(self, answer: Callable[[], T], moves: int = LONG) -> T:
        """An answer that takes long to make if there are many moves; then it is made beside the event loop."""
        return answer() if moves < LONG else await self.app.state.background.run(self.address, answer)

    def remember(self, response: Response, name: str, secret: str) -> Response:
        """This browser has a secret from now on."""
        response.set_cookie(name, secret, max_age=YEAR, **self._cookie())
        return response

    def forget(self, response: Response, name: str) -> Response:
        """This browser has the secret no longer."""
        response.delete_cookie(name, **self._cookie())
        return response

    def _cookie(self) -> dict[str, Any]:
        return {"path": f"{root()}/", "httponly": True, "samesite": "lax", "secure": self.base.startswith("https")}

    async def give_seat(self, response: Response, table: Table, token: str) -> Response:
        """The seat goes to this browser, and cookies of single seats that it still has move to where this one is kept."""
        people, single = self.names.people, self.single
        try:
            browser = await self._own_secret()
            whole = {name: secret for name, secret in single.items() if TOKEN.fullmatch(secret) and name != table.id}
            moved = dict(list(whole.items())[:MOVED])
            await self.store.aside(people.hold, browser, {**moved, table.id: token})
        except Refused:  # it cannot be written just now; the seat is taken, and shall not be lost
            return self.remember(response, f"seat-{table.id}", token)
        for name in {table.id, *moved} & single.keys():
            self.forget(response, f"seat-{name}")
        if self.browser_cookie != BROWSER and BROWSER in self.cookies:
            self.forget(response, BROWSER)
        return self.remember(response, self.browser_cookie, browser)

    async def _own_secret(self) -> str:
        """The secret of this browser, or a new one where another site may have chosen it. Raises Refused."""
        people = self.names.people
        if not people.browser(self.browser):
            return new_token()
        if self.browser_cookie in self.cookies:
            return self.browser
        return await self.store.aside(people.renew, self.browser)

    async def refresh_cookies(self, response: Response) -> Response:
        """A page shows whether this browser keeps cookies, and replaces one of an older name."""
        if self.method != "GET" or not self.page_wanted:
            return response
        if not self.cookies:
            return self.remember(response, KEEPS, "kept")
        if self.browser and BROWSER in self.cookies and self.browser_cookie != BROWSER:
            with contextlib.suppress(Refused, Unreachable):  # another page will do
                self.remember(response, self.browser_cookie, await self._own_secret())
                self.forget(response, BROWSER)
        return response

    def check_cookies(self) -> None:
        """Whether a seat would be found again. Raises Refused for a browser that sends no cookie: its page gave it one."""
        if self.page_wanted and not self.cookies:
            raise Refused(400, _(NO_COOKIES))

    async def take_seats(self, response: Response, ids: Iterable[str]) -> Response:
        """This browser has the seats at these tables no longer."""
        await self.store.aside(self.names.people.let_go, self.browser, ids)
        for name in self.single.keys() & set(ids):
            self.forget(response, f"seat-{name}")
        return response

    async def new_table(self, order: Order) -> Response:
        """Make a table; the maker's seat goes to this browser, unless `outbid play` hands it on. Raises OutbidError."""
        self.check_cookies()
        self.desk.check_begins()
        owner = self.names.check(order.name, self.device)
        self.limits.table(self.address)
        order, old = replace(order, colour=self.usual_colour or order.colour), order.after and self.tables.get(order.after)
        if old:
            table, token = await seating.go_on(self.tables, old, self.seated(old), order, owner)
        else:
            table, token = await self.tables.create(order, owner)
        facts = {"table": table.id, "seat": HOST, "link": seat_link(table.id, token)}
        answer = self.answer(facts, f"/t/{table.id}", 201)
        return answer if KEY in self.headers else await self.give_seat(answer, table, token)


def seat_link(table: str, token: str) -> str:
    """The address of a seat, as programs are told it: without the host, with the path of the server."""
    return f"{root()}/t/{table}/seat/{token}"


def game_of(name: str) -> Rulebook:
    """A game that is installed. Raises Refused."""
    try:
        return by_id(name)
    except OutbidError as error:
        raise Refused(404, str(error)) from error


def called(name: str) -> str:
    """A nickname, or what a person is called who gave none."""
    return name if name.strip() else _("Guest")


def whole(text: str, digits: int = 9) -> int | None:
    """A whole number of so many digits at most; none: the text is no such number."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None
