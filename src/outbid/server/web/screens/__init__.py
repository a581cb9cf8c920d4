"""Screens: each is a folder with its routes, its view, templates, script and style, found by its name (docs/server.md)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from starlette.staticfiles import StaticFiles

FOLDER = Path(__file__).parent
SERVED = (".css", ".js")


def routes() -> Iterator[Any]:
    """The routes of all screens: path, method and function."""
    for screen in iter_modules([str(FOLDER)]):
        yield from import_module(f"{__name__}.{screen.name}.routes").ROUTES


class Files(StaticFiles):
    """Styles and scripts: those that screens share, and those of a screen below its name."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER.parent / "static")
        self.all_directories.append(FOLDER)

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """The file of an address; the other files of a screen have none."""
        return super().lookup_path(path) if path.endswith(SERVED) else ("", None)
