"""A web space: it serves the files of a folder below a path, and can be switched off."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple


class Host(NamedTuple):
    """Where the site is, the paths that were asked for, and how to switch it off."""

    address: str
    asked: list[str]
    stop: Any


@contextmanager
def hosting(folder: Path, path: str = "/", beside: Path | None = None) -> Iterator[Host]:
    """A web space of this machine. beside: files of another site, at its root."""
    asked: list[str] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, asked, path, beside, directory=str(folder)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()

    def stop() -> None:
        server.shutdown()
        server.server_close()

    try:
        yield Host(f"http://127.0.0.1:{server.server_port}{path}", asked, stop)
    finally:
        stop()
        thread.join()


class Files(SimpleHTTPRequestHandler):
    """The files of a folder below a path; beside it those of another site, or nothing."""

    def __init__(self, asked: list[str], path: str, beside: Path | None, *connection: Any, directory: str):
        self.asked, self.below, self.beside = asked, path, beside
        super().__init__(*connection, directory=directory)

    def translate_path(self, path: str) -> str:
        self.asked.append(path)
        if path.startswith(self.below):
            return super().translate_path("/" + path.removeprefix(self.below))
        return str(self.beside / path.lstrip("/")) if self.beside else super().translate_path("/nothing")

    def copyfile(self, *files: Any) -> None:
        """Send a file, unless the page that asked for it is gone."""
        with suppress(ConnectionError):
            super().copyfile(*files)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""
