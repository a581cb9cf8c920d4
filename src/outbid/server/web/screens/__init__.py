"""Screens: each is a folder with its routes, its view, templates, script and style, found by its name (docs/server.md).

Other packages add theirs by entry points in the group `outbid.screens` (docs/hooks.md)."""

import os
from collections.abc import Awaitable, Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Protocol

from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from outbid.core import packages

FOLDER = Path(__file__).parent
SERVED = (".css", ".js")
GROUP = "outbid.screens"

Row = tuple[str, str, Callable[..., Awaitable[Response]]]


class Screen(Protocol):
    """The routes of a screen: path, method, and the function that is given the request and the parts of the path."""

    ROUTES: Sequence[Row]


def routes() -> Iterator[Row]:
    """The routes of all screens, those of other packages last."""
    for screen in iter_modules([str(FOLDER)]):
        yield from import_module(f"{__name__}.{screen.name}.routes").ROUTES
    for point in packages.points(GROUP):
        module: Screen | None = packages.load(point, lambda value: hasattr(value, "ROUTES"), "a module with ROUTES")
        yield from module.ROUTES if module else ()


class Files(StaticFiles):
    """Styles and scripts: those that screens share, and those of a screen below its name."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER.parent / "static")
        self.all_directories.append(FOLDER)

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """The file of an address; the other files of a screen have none."""
        return super().lookup_path(path) if path.endswith(SERVED) else ("", None)
