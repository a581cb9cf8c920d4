"""Regions that are rendered again only if something they were made of has changed.

While a region is rendered, the scene is watched: every part of it that is read is noted with its value, and of the view, the
state, the table, the seats and the players each field on its own. As long as all of them are equal, so is the HTML: nothing
else goes into a region (docs/server.md, "Regions": what depends on the time or on chance is not rendered).

The same holds for a part of a region that a template makes by `t.part(macro, …)`; and a part whose readings are equal for
two viewers is the same for both, so that what everybody sees is rendered once a table (`Parts`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from outbid.engine import tongue
from outbid.engine.speech import People, Speaker

if TYPE_CHECKING:
    from outbid.server.scene import Scene

MISSING = object()
ALL = object()
Read = dict[tuple[str, Any], Any]
"""What was read: (path, field or place) → its value. Paths: "" the scene, view, players of the view, state, table, seats,
speak (whether the viewer sits at a place)."""
SPEAK = "speak"


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

    __slots__ = ("_parts", "seats", "speak", "state", "table", "view")

    def __init__(self, of: Any, read: Read, parts: Parts):
        super().__init__(of, read)
        self._parts = parts
        self.speak = WatchedSpeaker(of.speak, read)
        self.view = WatchedView(of.view, read, "view")
        self.state = Watched(of.state, read, "state")
        self.table = Watched(of.table, read, "table")
        self.seats = WatchedList(of.seats, read, "seats")

    def part(self, macro: Callable[..., str], *args: Any) -> str:
        """What the macro makes of the scene and `args` (which can be hashed)."""
        html, read = self._parts.made(self._of, macro, args)
        self._read.update(read)
        return html


class WatchedList(Watched):
    """A sequence whose places are noted when they are read one by one, and all of it when it is read as a whole."""

    __slots__ = ()

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, int):
            found = self._read[self._path, place] = self._of[place]
            return found
        return list(self)[place]

    def __iter__(self) -> Iterator[Any]:
        self._read[self._path, ALL] = self._of
        return iter(self._of)

    def __len__(self) -> int:
        return len(self._of)  # as many as there are seats at the table


class WatchedSpeaker:
    """Sentences, of which is noted whether they are about the viewer: to all others they are the same."""

    __slots__ = ("_of", "_read")

    def __init__(self, of: Speaker, read: Read):
        self._of, self._read = of, read

    def __call__(self, seat: int, own: str, other: str, **values: Any) -> str:
        """As a speaker says it."""
        self.about(seat)
        return self._of(seat, own, other, **values)

    def people(self, *seats: int) -> People:
        """Seats, for a placeholder."""
        for seat in seats:
            self.about(seat)
        return self._of.people(*seats)

    def about(self, seat: int) -> bool:
        """Whether the viewer sits there."""
        self._read[SPEAK, ALL] = self._of.names
        found = self._read[SPEAK, seat] = self._of.about(seat)
        return found

    @property
    def names(self) -> Sequence[str]:
        """Those of all seats."""
        found = self._read[SPEAK, ALL] = self._of.names
        return found

    @property
    def audience(self) -> int:
        """The viewer's seat."""
        self._read["", "you"] = self._of.audience
        return self._of.audience


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


class WatchedView(WatchedMap):
    """The view: its players are watched one by one."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        return self._players() if name == "players" else super().__getattr__(name)

    def __getitem__(self, name: str) -> Any:
        return self._players() if name == "players" else super().__getitem__(name)

    def _players(self) -> WatchedList:
        return WatchedList(self._of["players"], self._read, "players")


def _field(of: Any, name: Any) -> Any:
    if type(of) is Speaker:
        return of.names if name is ALL else of.about(name)
    if isinstance(of, (list, tuple)):
        return of if name is ALL else of[name]
    return getattr(of, name, MISSING)


class Parts:
    """The parts of regions that were made last at one table, for whomever they were made."""

    KEPT = 8  # of each part, the newest
    MOST = 500  # parts; then all are forgotten

    def __init__(self) -> None:
        self._known: dict[Any, list[tuple[Read, str]]] = {}

    def made(self, scene: Scene, macro: Callable[..., str], args: tuple[Any, ...]) -> tuple[str, Read]:
        """What the macro makes of the scene and `args`, and what it read of the scene."""
        if len(self._known) > self.MOST:
            self._known.clear()
        known = self._known.setdefault((macro, args, tongue.language()), [])
        for read, html in known:
            if _same(scene, read):
                return html, read
        read = {}
        html = macro(WatchedScene(scene, read, self), *args)
        known.insert(0, (read, html))
        del known[self.KEPT :]
        return html, read


class Memo:
    """The regions one viewer was shown last, with parts that others were shown, too."""

    def __init__(self, parts: Parts | None = None) -> None:
        self._known: dict[str, tuple[Read, str]] = {}
        self._parts = parts or Parts()

    def region(self, scene: Scene, name: str, render: Callable[[Any, str], str]) -> str:
        """The region as `render` makes it of this scene."""
        if name in self._known:
            read, html = self._known[name]
            if _same(scene, read):
                return html
        read = {}
        html = render(WatchedScene(scene, read, self._parts), name)
        self._known[name] = (read, html)
        return html


def _same(scene: Scene, read: Read) -> bool:
    parts = scene.parts
    for (path, name), value in read.items():
        of = parts[path]
        now = of.get(name, MISSING) if type(of) is dict else _field(of, name)
        if now is not value and now != value:
            return False
    return True
