"""The server below a path of a proxy: `--base-url https://host/games`.

    request /games/t/x  →  Below takes /games away  →  everything else, which knows no such path
    answer              ←  Below puts /games before redirects; templates have it before their addresses (`rooted`)

The proxy hands addresses on as they are, with the path. What comes without it (a health check on this machine) is answered
as well. Cookies are for the path alone, so another program on the same host gets none of them.

In templates an address begins with "/", written out or as what an expression says in `href` or `action`. Scripts find the
path by their own address (`import.meta.url`), links for others have it in the base URL.
"""

import re
from contextvars import ContextVar

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PATH = re.compile(r"(/[A-Za-z0-9._~-]+)*")

ANYWHERE = "/--outbid--"  # a path that stands for the one that is known later (site/build.py)

_root: ContextVar[str] = ContextVar("root", default="")

_WRITTEN = re.compile(r'(?<==")(?=/)|(?<=\b(?:href)=")(?=\{\{(?! t\.table\.link| sign\.))|(?<=\b(?:action)=")(?=\{\{)')


def root() -> str:
    """The path below which the server of this request stands: "/games", or "" for none."""
    return _root.get()


def rooted(template: str, path: str) -> str:
    """The source of a template whose addresses begin with a path."""
    return _WRITTEN.sub(path, template) if path else template


class Below:
    """The outermost middleware of a server below a path."""

    def __init__(self, app: ASGIApp, path: str):
        self.app = app
        self.path = path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        before = _root.set(self.path)
        try:
            if scope["type"] == "http" and scope["path"] == self.path:
                await _to(f"{self.path}/", send)
            else:
                await self.app(self._within(scope), receive, self._outward(send))
        finally:
            _root.reset(before)

    def _within(self, scope: Scope) -> Scope:
        """The request as one without the path."""
        raw: bytes = scope.get("raw_path") or scope["path"].encode()
        start = f"{self.path}/"
        if not scope["path"].startswith(start) or not raw.startswith(start.encode()):
            return scope
        return {**scope, "path": scope["path"][len(self.path) :], "raw_path": raw[len(self.path) :]}

    def _outward(self, send: Send) -> Send:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                location = headers.get("location", "")
                if location.startswith("/") and not location.startswith("//"):
                    headers["location"] = self.path + location
            await send(message)

        return sent


async def _to(address: str, send: Send) -> None:
    head = [(b"location", address.encode()), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 308, "headers": head})
    await send({"type": "http.response.body", "body": b""})
