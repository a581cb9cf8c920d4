"""Regions that are rendered again only if something they were made of has changed.

While a region is rendered, the scene is watched: every part of it that is read is noted with its value, and of the view, the
state and the table each field on its own. As long as all of them are equal, so is the HTML: nothing else goes into a region
(docs/server.md, "Regions": what depends on the time or on chance is not rendered).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from outbid.server.scene import Scene

MISSING = object()
DEEP = ("view", "state", "table")  # read field by field

Read = dict[tuple[str, Any], Any]
"""What was read: (one of DEEP, field) or ("", part of the scene) → its value."""


class Watched:
    """A part of a scene, whose fields are noted when they are read."""

    __slots__ = ("_of", "_path", "_read")

    def __init__(self, of: Any, read: Read, path: str = ""):
        self._of, self._read, self._path = of, read, path

    def __getattr__(self, name: str) -> Any:
        found = self._read[self._path, name] = getattr(self._of, name)
        return found


class WatchedScene(Watched):
    """A scene: some of its parts are watched themselves."""

    __slots__ = ("state", "table", "view")

    def __init__(self, of: Any, read: Read):
        super().__init__(of, read)
        self.view = WatchedMap(of.view, read, "view")
        self.state = Watched(of.state, read, "state")
        self.table = Watched(of.table, read, "table")


class WatchedMap(Watched):
    """A mapping whose values are noted when they are read."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        found = self._read[self._path, name] = self._of.get(name, MISSING)
        if found is MISSING:
            raise AttributeError(name)
        return found

    def __getitem__(self, name: str) -> Any:
        found = self._read[self._path, name] = self._of.get(name, MISSING)
        if found is MISSING:
            raise KeyError(name)
        return found

    def __contains__(self, name: str) -> bool:
        return self.get(name, MISSING) is not MISSING

    def get(self, name: str, default: Any = None) -> Any:
        """As a mapping has it."""
        found = self._read[self._path, name] = self._of.get(name, MISSING)
        return default if found is MISSING else found


def _field(of: Any, name: Any) -> Any:
    return of.get(name, MISSING) if type(of) is dict else getattr(of, name, MISSING)


class Memo:
    """The regions one viewer was shown last."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Read, str]] = {}

    def region(self, scene: Scene, name: str, render: Callable[[Any, str], str]) -> str:
        """The region as `render` makes it of this scene."""
        if name in self._known:
            read, html = self._known[name]
            if _same(scene, read):
                return html
        read = {}
        html = render(WatchedScene(scene, read), name)
        self._known[name] = (read, html)
        return html


def _same(scene: Scene, read: Read) -> bool:
    roots = {"": scene, **{path: getattr(scene, path) for path in DEEP}}
    for (path, name), value in read.items():
        now = _field(roots[path], name)
        if now is not value and now != value:
            return False
    return True
