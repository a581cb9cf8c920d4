"""Regions that are rendered again only if something they were made of has changed.

While a region is rendered, the scene is watched: every part of it that is read is noted with its value, and of the view, the
state, the table, the seats and the players each field on its own. As long as all of them are equal, so is the HTML: nothing
else goes into a region (docs/server.md, "Regions": what depends on the time or on chance is not rendered).

The same holds for a part of a region that a template makes by `t.part(macro, …)`; and a part whose readings are equal for
two viewers is the same for both, so that what everybody sees is rendered once a table (`Parts`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from outbid.core.language import i18n
from outbid.core.language.phrases import People, Speaker

if TYPE_CHECKING:
    from outbid.server.domain.scene import Scene

MISSING = object()
ALL = object()
Read = dict[tuple[str, Any], Any]
"""What was read: (path, field or place) → its value. Paths: "" the scene, view, players of the view, state, table, seats,
speak (whether the viewer sits at a place)."""


class Facts(dict[tuple[str, Any], Any]):
    """What a scene says, looked up when it is first read. What is equal to the value that was read before at this table is
    that very object, so that comparing the two takes no time."""

    def __init__(self, scene: Scene, before: Read):
        super().__init__()
        self.scene = scene
        self._before = before

    def __missing__(self, key: tuple[str, Any]) -> Any:
        path, name = key
        of: Any = self.scene.parts[path] if path else self.scene
        kind = type(of)
        if kind is dict:
            value = of.get(name, MISSING)
        elif kind is tuple or kind is list:
            value = of if name is ALL else of[name]
        elif kind is Speaker:
            value = of.names if name is ALL else of.about(name)
        else:
            value = getattr(of, name, MISSING)
        before = self._before.get(key, MISSING)
        if before is value or before == value:
            value = before
        else:
            self._before[key] = value
        self[key] = value
        return value


class Watched:
    """A part of a scene, whose fields are noted when they are read first; from then on they are attributes of this object,
    which lives while one region is rendered."""

    def __init__(self, facts: Facts, read: Read, path: str = ""):
        self._facts, self._read, self._path = facts, read, path

    def __getattr__(self, name: str) -> Any:
        key = self._path, name
        found = self._facts[key]
        self._read[key] = found
        if found is MISSING:
            raise AttributeError(name)
        self.__dict__[name] = found
        return found


class WatchedList(Watched):
    """A sequence whose places are noted when they are read one by one, and all of it when it is read as a whole."""

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, int):
            key = self._path, place
            found = self._read[key] = self._facts[key]
            return found
        return list(self)[place]

    def __iter__(self) -> Iterator[Any]:
        found = self._read[self._path, ALL] = self._facts[self._path, ALL]
        return iter(found)

    def __len__(self) -> int:
        return len(self._facts[self._path, ALL])  # as many as there are seats at the table


class WatchedSpeaker:
    """Sentences, of which is noted whether they are about the viewer: to all others they are the same."""

    def __init__(self, facts: Facts, read: Read, path: str):
        self._facts, self._read, self._path = facts, read, path

    @property
    def _of(self) -> Speaker:
        return self._facts.scene.speak

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
        self._read[self._path, ALL] = self._facts[self._path, ALL]
        found = self._read[self._path, seat] = self._facts[self._path, seat]
        return found

    @property
    def names(self) -> Sequence[str]:
        """Those of all seats."""
        found = self._read[self._path, ALL] = self._facts[self._path, ALL]
        return found

    @property
    def audience(self) -> int:
        """The viewer's seat."""
        found = self._read["", "you"] = self._facts["", "you"]
        return found


class WatchedMap(Watched):
    """A mapping whose values are noted when they are read."""

    def __getitem__(self, name: str) -> Any:
        found = self._read[self._path, name] = self._facts[self._path, name]
        if found is MISSING:
            raise KeyError(name)
        return found

    def __contains__(self, name: str) -> bool:
        return self.get(name, MISSING) is not MISSING

    def get(self, name: str, default: Any = None) -> Any:
        """As a mapping has it."""
        found = self._read[self._path, name] = self._facts[self._path, name]
        return default if found is MISSING else found


class WatchedView(WatchedMap):
    """The view: its players are watched one by one."""

    @cached_property
    def players(self) -> WatchedList:
        """The players of the view."""
        return WatchedList(self._facts, self._read, "players")

    def __getitem__(self, name: str) -> Any:
        return self.players if name == "players" else super().__getitem__(name)


class Part:
    """A part of a scene that is watched itself, made when it is read first."""

    def __init__(self, watch: Callable[[Facts, Read, str], Any]):
        self.watch = watch

    def __set_name__(self, _: type, name: str) -> None:
        self.name = name

    def __get__(self, scene: WatchedScene, _: type) -> Any:
        made = scene.__dict__[self.name] = self.watch(scene._facts, scene._read, self.name)
        return made


class WatchedScene(Watched):
    """A scene: some of its parts are watched themselves."""

    seats, speak, state, table, view = map(Part, (WatchedList, WatchedSpeaker, Watched, Watched, WatchedView))

    def __init__(self, facts: Facts, read: Read, parts: Parts):
        super().__init__(facts, read)
        self._parts = parts

    def part(self, macro: Callable[..., str], *args: Any) -> str:
        """What the macro makes of the scene and `args` (which can be hashed)."""
        html, read = self._parts.made(self._facts, macro, args)
        self._read.update(read)
        return html


class Parts:
    """The parts of regions that were made last at one table, for whomever they were made."""

    KEPT = 8  # of each part, the newest
    MOST = 500  # parts; then all are forgotten

    def __init__(self) -> None:
        self._known: dict[Any, list[tuple[Read, str]]] = {}
        self._before: dict[str, Read] = {}  # by language: choices that are equal say what they are each in its own
        self._facts: Facts | None = None

    def facts(self, scene: Scene) -> Facts:
        """What a scene says; of one scene at a time they are kept."""
        if self._facts is None or self._facts.scene is not scene:
            self._facts = Facts(scene, self._before.setdefault(i18n.language(), {}))
        return self._facts

    def made(self, facts: Facts, macro: Callable[..., str], args: tuple[Any, ...]) -> tuple[str, Read]:
        """What the macro makes of a scene and `args`, and what it read of the scene."""
        if len(self._known) > self.MOST:
            self._known.clear()
        known = self._known.setdefault((macro, args, i18n.language()), [])
        for place, (read, html) in enumerate(known):
            if _same(facts, read):
                if place:
                    known.insert(0, known.pop(place))
                return html, read
        read = {}
        html = macro(WatchedScene(facts, read, self), *args)
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
        facts = self._parts.facts(scene)
        if name in self._known:
            read, html = self._known[name]
            if _same(facts, read):
                return html
        read = {}
        html = render(WatchedScene(facts, read, self._parts), name)
        self._known[name] = (read, html)
        return html


def _same(facts: Facts, read: Read) -> bool:
    for key, value in read.items():
        now = facts[key]
        if now is not value and now != value:
            return False
    return True
