"""The page of every seat in one browser: what is asked below /as/seat--0 is asked by who holds seat 0, below /as/watcher by
nobody. Pages there may be shown within the workbench.

Templates are compiled once, for a path that stands for all of these; it is as long as each of them, and put right in what
goes out.
"""

from collections.abc import Sequence

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from outbid.server.web.below import ANYWHERE, Below
from outbid.server.web.middleware import HEADERS, POLICY

FRAMED = HEADERS[POLICY].replace("frame-ancestors 'none'", "frame-ancestors 'self'")
SEAT, WATCHER = "/as/seat--{}", "/as/watcher"


class EachSeat:
    """The outermost middleware of a workbench. tokens: the secrets of the seats."""

    def __init__(self, app: ASGIApp, table: str, tokens: Sequence[str]):
        self.app, self.below = app, Below(app, ANYWHERE)
        self.cookies = {SEAT.format(seat): [f"seat-{table}={token}".encode()] for seat, token in enumerate(tokens)}
        self.cookies[WATCHER] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")[: len(ANYWHERE)]
        if path not in self.cookies:
            await self.app(scope, receive, send)
            return

        def out(sent: bytes) -> bytes:
            return sent.replace(ANYWHERE.encode(), path.encode())

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [(name, out(value)) for name, value in message["headers"]]
                MutableHeaders(scope=message)[POLICY] = FRAMED
            elif message["type"] == "http.response.body":
                message["body"] = out(message.get("body", b""))
            elif message.get("text"):
                message["text"] = message["text"].replace(ANYWHERE, path)
            await send(message)

        pairs = [pair for name, value in scope["headers"] if name == b"cookie" for pair in value.split(b"; ")]
        own = [pair for pair in pairs if not pair.startswith(b"seat-")] + self.cookies[path]
        headers = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
        scope = {**scope, "headers": [*headers, (b"cookie", b"; ".join(own))]}
        inner = ANYWHERE + scope["path"].removeprefix(path)
        await self.below({**scope, "path": inner, "raw_path": inner.encode()}, receive, sent)
