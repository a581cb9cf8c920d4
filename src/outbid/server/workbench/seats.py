"""The page of every seat in one browser: what is asked below /as/0 is asked by who holds seat 0, below /as/spectator by
nobody. Pages there may be shown within the workbench."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from outbid.server.web.below import Below
from outbid.server.web.middleware import HEADERS, POLICY

FRAMED = HEADERS[POLICY].replace("frame-ancestors 'none'", "frame-ancestors 'self'")


class EachSeat:
    """The outermost middleware of a workbench. tokens: the secrets of the seats."""

    def __init__(self, app: ASGIApp, table: str, tokens: Sequence[str]):
        self.app = app
        cookies = {f"/as/{seat}": f"seat-{table}={token}" for seat, token in enumerate(tokens)} | {"/as/spectator": ""}
        self.seats = {path: (Below(app, path), cookie.encode()) for path, cookie in cookies.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = "/".join(scope.get("path", "").split("/")[:3])
        if path not in self.seats:
            await self.app(scope, receive, send)
            return
        below, cookie = self.seats[path]
        kept = [value for name, value in scope["headers"] if name == b"cookie"]
        others = [pair for value in kept for pair in value.split(b"; ") if not pair.startswith(b"seat-")]
        headers = [pair for pair in scope["headers"] if pair[0] != b"cookie"]
        headers.append((b"cookie", b"; ".join([*others, cookie] if cookie else others)))

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[POLICY] = FRAMED
            await send(message)

        await below({**scope, "headers": headers}, receive, sent)
