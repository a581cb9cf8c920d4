"""The middleware: what may not come in is refused before the application; every answer gets the security headers after it.

In this order: too much from one address (429), a host this server does not answer to (421), a form or a socket of another
site's page (403), a body that is too big (413) or does not arrive (408). A form is refused with its sentence as a page or
as JSON, a socket with its sentence and a close.
"""

import asyncio
import contextlib
import secrets
import socket as network
from collections.abc import Awaitable, Callable
from functools import cache, partial
from urllib.parse import SplitResult, quote, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.server import metrics
from outbid.server.logging import blotted, log
from outbid.server.operating.desk import Desk
from outbid.server.rate_limits import Measured, address_of
from outbid.server.settings import Refused, Settings
from outbid.server.storage.lock import KEY
from outbid.server.web import absent, pages, socket
from outbid.server.web.announcement import announcing
from outbid.server.web.qr import loopback
from outbid.wire.link import trimmed

POLICY = "Content-Security-Policy"
HEADERS = {
    POLICY: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
SECURE = {"Strict-Transport-Security": "max-age=31536000"}  # where the base URL is https
SAFE = ("GET", "HEAD")
REQUEST = 0.0001  # seconds of the processor that a request costs before it comes here, and afterwards
SOCKET = 0.005  # seconds of the processor that opening a socket is taken to cost: what it costs later, moves make it cost
UPLOAD = "/records"  # where a whole record is sent, which is more than a form
TITLES = {
    403: i18n.N_("Not yours"),
    404: i18n.N_("Not here"),
    409: i18n.N_("Not now"),
    413: i18n.N_("Too much"),
    429: i18n.N_("Too fast"),
    500: i18n.N_("Our fault"),
}
OTHERWISE = i18n.N_("Not like this")
UNKNOWN_HOST = i18n.N_("This server does not answer to that name; its operator can give it one with {option}.")
ENDS = i18n.N_("The server stops or restarts, and this was not ready in time; please try again in a moment.")
BROKEN = i18n.N_("Something went wrong in this server; every move that was acknowledged is safe.")
LOST = i18n.N_("The database of this server is damaged; its operator can bring a backup back.")


def preferred(asked: HTTPConnection) -> str:
    """The language of the page whose socket it is (not every browser says there what it likes), else of the cookie, else the
    one this browser likes best of those there are, else English."""
    page = asked.query_params.get("language", "") if asked.scope["type"] == "websocket" else ""
    for chosen in (page, asked.cookies.get("language", "")):
        if chosen in i18n.LANGUAGES:
            return chosen
    liked: list[tuple[float, str]] = []
    for part in asked.headers.get("accept-language", "")[:200].split(","):
        name, _given, weight = part.partition(";q=")
        with contextlib.suppress(ValueError):
            liked.append((-float(weight or 1), name.strip().partition("-")[0].lower()))
    return next((name for _, name in sorted(liked, key=lambda choice: choice[0]) if name in i18n.LANGUAGES), i18n.SOURCE)


class RequestMiddleware:
    """The middleware around everything."""

    def __init__(self, app: ASGIApp, settings: Settings, desk: Desk, ready: Callable[[str, str], Awaitable[None]]):
        self.app = app
        self.desk = desk
        self.ready = ready  # brings a table into memory for an address
        self.settings = settings
        self.limits = desk.limits
        self.headers = HEADERS | (SECURE if settings.secure else {})
        if settings.alone:  # the pages are shown within one of the same site
            self.headers[POLICY] = self.headers[POLICY].replace("frame-ancestors 'none'", "frame-ancestors 'self'")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        address = address_of(scope)
        self.limits.worked(address, REQUEST)
        answering = Measured(self._answer(scope, receive, send), partial(self.limits.worked, address))
        if await answering:
            self.limits.in_vain(address, REQUEST + answering.seconds)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> bool:
        """Answer a request, or talk over a socket; true if it is refused."""
        announcing(lambda: self.desk.say)
        absent.be(self.settings.alone)
        with i18n.locale(preferred(HTTPConnection(scope))):
            return await (self._http if scope["type"] == "http" else self._socket)(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> bool:
        address = address_of(scope)
        try:
            await self.limits.turns.take(address)
            self._check(HTTPConnection(scope))
            self.limits.worked(address, SOCKET)
            if table := table_of(scope["path"]):
                await self.ready(table, address)
        except Refused as refusal:
            asking = WebSocket(scope, receive, send)
            await asking.accept()
            await socket.refuse(asking, str(refusal))
            return True
        except asyncio.CancelledError:  # the server ends; a page comes back to the next one
            await WebSocket(scope, receive, send).close()
            return False
        with contextlib.suppress(asyncio.CancelledError):
            await self.app(scope, receive, send)
        return False

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> bool:
        request = Request(scope)
        begun, unread = False, request.method not in SAFE or _has_body(request)

        async def safely(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                metrics.refused(message["status"])
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers.setdefault(name, value)
                if unread:  # then what still comes of the body is thrown away, and nothing after it is read (intake.py)
                    headers["Connection"] = "close"
                static = scope["path"].startswith(("/static/", "/games/"))
                headers.setdefault("Cache-Control", "no-cache" if static else "no-store")
            await send(message)

        address = address_of(scope)
        try:
            self._check(request)
            if request.method in SAFE and (clean := _clean(scope)):
                await RedirectResponse(clean, 303)(scope, receive, safely)
                return False
            body = b""
            if request.method not in SAFE:
                body, unread = await self._body(request, receive), False
            await self.limits.turns.take(address)
            if table := table_of(scope["path"]):
                await self.ready(table, address)
            await self.app(scope, _once(body, receive), safely)
        except Refused as refusal:
            await refused(request, refusal)(scope, receive, safely)
            return True
        except asyncio.CancelledError:  # the server ends, and has waited as long as it does (main.py)
            if not begun:
                await refused(request, Refused(503, _(ENDS), retry=5))(scope, receive, safely)
        except Exception:
            if begun:
                raise
            log.exception("%s %s could not be answered.", request.method, blotted(scope["path"]))
            broken = LOST if self.desk.tables.store.malformed else BROKEN
            await sentence(request, 500, _(broken))(scope, receive, safely)
        return False

    def _check(self, asked: HTTPConnection) -> None:
        """Whether it may come in. Raises Refused."""
        self.desk.check(address_of(asked.scope))
        self.limits.request(address_of(asked.scope))
        if not self._known(asked):
            raise Refused(421, _(UNKNOWN_HOST, option="--base-url"))
        if not secrets.compare_digest(asked.headers.get(KEY, self.settings.key).encode(), self.settings.key.encode()):
            raise Refused(421, _("This server has another database than the one that was meant."))
        if asked.scope["type"] == "websocket" and not self._same_origin(asked):
            raise Refused(403, _("This socket is only for pages of this server."))
        if asked.scope["type"] == "http" and asked.scope["method"] not in SAFE and not self._same_origin(asked):
            raise Refused(403, _("This form was sent from a page of another site."))

    def _known(self, asked: HTTPConnection) -> bool:
        """The host that was asked for is this machine, or what the settings say.

        A page of another site whose name is made to lead here (DNS rebinding) still asks for that name."""
        name = _name(_split(f"//{asked.headers.get('host', '')}"))
        server = asked.scope.get("server") or ("", 0)
        known = name in self.settings.names or loopback(name) or name == _plain(server[0])
        return bool(name) and (known or name in machine())

    def _same_origin(self, asked: HTTPConnection) -> bool:
        """It comes from a page of this host, or from no page at all (a program)."""
        origin = asked.headers.get("origin", asked.headers.get("referer"))
        if origin is None:  # a page may keep back where it is, but not what the browser says of it
            return asked.headers.get("sec-fetch-site", "none") in ("none", "same-origin")
        parts = _split(origin)
        scheme = {"ws": "http", "wss": "https"}.get(asked.url.scheme, asked.url.scheme)
        return parts is not None and (parts.scheme, parts.netloc.lower()) in {
            (scheme, asked.headers.get("host", "").lower()),
            self.settings.origin,
        }

    async def _body(self, request: Request, receive: Receive) -> bytes:
        """The body. Raises Refused if it is too big, whatever it claims, or does not come."""
        most = self.settings.upload if request.url.path == UPLOAD else self.settings.body
        big = Refused(413, _("That is more than this server reads at once ({most} bytes).", most=most))
        claimed = request.headers.get("content-length", "0")
        if not (claimed.isascii() and claimed.isdigit()) or len(claimed) > 12 or int(claimed) > most:
            raise big
        body, more = b"", True
        try:
            async with asyncio.timeout(self.settings.patience):
                while more and len(body) <= most:
                    message = await receive()
                    body += message.get("body", b"")
                    more = message.get("more_body", False)
        except TimeoutError:
            raise Refused(408, _("The form did not arrive; please send it again.")) from None
        if len(body) > most:
            raise big
        return body


def _has_body(request: Request) -> bool:
    """Whether a request says that a body follows."""
    return "transfer-encoding" in request.headers or request.headers.get("content-length", "0") != "0"


def table_of(path: str) -> str:
    """The id of the table that an address is about; nothing if it is about none."""
    parts = path.split("/")
    return parts[2] if len(parts) > 2 and parts[1] == "t" else ""


def _clean(scope: Scope) -> str:
    """The address that was meant where something stands behind it that no address of ours ends with; else nothing."""
    path, query = scope["path"], scope["query_string"].decode("latin-1")
    clean = trimmed(path)
    if clean in ("", path) or path.startswith(("//", "/\\")):  # to a browser those lead to another host
        return ""
    return quote(clean) + (f"?{query}" if query else "")


def _once(body: bytes, receive: Receive) -> Receive:
    """A channel that hands over a body that was read already."""
    handed = False

    async def again() -> Message:
        nonlocal handed
        if handed:
            return await receive()
        handed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


# --- refusals ---------------------------------------------------------------------------------------------------------


def wants_json(request: HTTPConnection) -> bool:
    """A program asks, not a page."""
    return "application/json" in request.headers.get("accept", "")


def refused(request: Request, refusal: Refused) -> Response:
    """The answer to what is refused."""
    answer = sentence(request, refusal.status, str(refusal))
    if refusal.retry is not None:
        answer.headers["Retry-After"] = str(refusal.retry)
    return answer


def sentence(request: Request, status: int, said: str) -> Response:
    """One clear sentence, as a page or as JSON, with the id by which the operator finds it (callers.py)."""
    callers, asked = request.app.state.limits.callers, f"{request.method} {blotted(request.url.path)}"
    number = callers.refused(address_of(request.scope), status, said, asked)
    headers = {"Outbid-Refusal": number} if number else None
    if wants_json(request):
        return JSONResponse({"error": said}, status, headers)
    parts = request.url.path.split("/")
    at_table = len(parts) > 3 and parts[1] == "t" and status not in (404, 421)
    link, words = (f"/t/{parts[2]}", _("Back to the table")) if at_table else ("/", _("To the front page"))
    return HTMLResponse(pages.message(_(TITLES.get(status, OTHERWISE)), said, link, words, number), status, headers)


# --- names ------------------------------------------------------------------------------------------------------------


@cache
def machine() -> frozenset[str]:
    """The names of this machine; to ask for them may take a while."""
    names = {network.gethostname().lower(), network.getfqdn().lower()} - {""}
    return frozenset(names | {f"{name}.local" for name in names if "." not in name})


def from_here(request: Request) -> bool:
    """It was asked on this machine for this machine, and no proxy brought it."""
    brought = any(name in request.headers for name in ("forwarded", "x-forwarded-for", "x-real-ip", "via"))
    name = _name(_split(f"//{request.headers.get('host', '')}"))
    return bool(request.client and loopback(_plain(request.client.host)) and loopback(name) and not brought)


def _plain(address: str) -> str:
    """An address as a Host header names it."""
    return address.partition("%")[0].removeprefix("::ffff:")


def _name(parts: SplitResult | None) -> str:
    """The host without its port, or nothing if it is none."""
    if parts is None or parts.path or parts.query or parts.fragment or "@" in parts.netloc:
        return ""
    return (parts.hostname or "").rstrip(".")


def _split(address: str) -> SplitResult | None:
    try:
        parts = urlsplit(address)
        _port = parts.port
    except ValueError:
        return None
    return parts
