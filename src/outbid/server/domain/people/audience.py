"""Who looks at a table: they are told when it has changed, and what they are shown is made once."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.server.settings import Refused, Settings

T = TypeVar("T")


class Viewer(Protocol):
    """One who looks at a table: a seat (−1: a spectator) over one socket, from an address. device: the secret of a browser
    that is signed in. hidden: since when their page has not been in sight, as `time.monotonic` counts; none: it is."""

    seat: int
    address: str
    device: str | None
    hidden: float | None

    def wake(self) -> None:
        """The table has changed."""

    def dismiss(self, sentence: str) -> None:
        """Say why, and show nothing more."""


class Audience:
    """The viewers of a table, and what was made for them: for this state of the table, or for as long as anybody looks."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self.viewers: set[Viewer] = set()
        self._made: dict[Any, Any] = {}
        self._kept: dict[tuple[str, str], Any] = {}
        self._forget_shown()

    def seen(self, seat: int, hidden: bool = False) -> None:
        """A viewer of this seat has come or gone, with a page in sight or a hidden one."""

    def online(self, seat: int) -> bool:
        """A viewer looks from this seat."""
        return any(viewer.seat == seat for viewer in self.viewers)

    def tell(self) -> None:
        """Wake everybody who looks."""
        self._made = {}  # a new one: beside the event loop the old one may be read
        for viewer in self.viewers:
            viewer.wake()

    def tell_seat(self, seat: int) -> None:
        """Wake those who look from a seat, and nobody else."""
        self._made = {}
        for viewer in self.viewers:
            if viewer.seat == seat:
                viewer.wake()

    def once(self, key: Any, make: Callable[[], T]) -> T:
        """What `make` makes, made once for this state of the table."""
        cache = self._made
        if key not in cache:
            cache[key] = make()
        return cache[key]

    def kept(self, key: str, make: Callable[[], T]) -> T:
        """What `make` makes of what never changes about this table, made once a language."""
        name = key, i18n.language()
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]

    def enter(self, viewer: Viewer) -> None:
        """A viewer comes. Raises Refused if too many do; who watches takes no room from a seat."""
        same = sum(other.seat == viewer.seat for other in self.viewers)
        if viewer.seat < 0 and same >= self.settings.sockets:
            raise Refused(503, _("Too many people look at this table already."))
        if viewer.seat >= 0 and same >= self.settings.seat_sockets:
            raise Refused(429, _("This seat is open in too many places already; please close one."))
        self.viewers.add(viewer)
        self.seen(viewer.seat, viewer.hidden is not None)
        self.tell()

    def leave(self, viewer: Viewer) -> None:
        """A viewer goes."""
        self.viewers.discard(viewer)
        self.seen(viewer.seat, viewer.hidden is not None)
        self.tell()
        if not self.viewers:
            self._forget_shown()

    def _forget_shown(self) -> None:
        """What viewers were shown is made again if one comes back."""
        self.lines: dict[tuple[int, str], list[Any]] = {}  # what the logs say, by seat and language (scene.py)
