"""What parts of a table (clock, chat, pacing, …) are given of it, instead of the table.
if TYPE_CHECKING:
    from outbid.server.storage.store import Store


A part is given what it needs of its table, and no more: `Around`, or a protocol of the part's own that adds to it. It does
not keep the table alive. So a table that is forgotten goes at once, with all its parts: what has lived for long is hardly
ever looked through for garbage (main.COLLECT), and what only such a look would find would stay for good.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar
from weakref import ref

from outbid.core.match import Match
from outbid.core.rulebook import Rulebook
from outbid.server.settings import Settings
from outbid.server.stored import House, Seat

if TYPE_CHECKING:
    from outbid.server.storage.store import Store


class Around(Protocol):
    """What every part is given of its table. decisions: the question that each seat is asked, by seat."""

    id: str
    book: Rulebook
    match: Match | None
    seats: list[Seat]
    house: House
    paused: bool
    decisions: dict[int, int]
    store: Store
    settings: Settings

    @property
    def status(self) -> str:
        """open, playing or over."""

    @property
    def playing(self) -> Match:
        """The match. Raises Refused while seats are open."""

    def counts(self) -> bool:
        """The match counts for the ladder, or would."""

    def tell(self) -> None:
        """Wake everybody who looks."""

    def tell_seat(self, seat: int) -> None:
        """Wake those who look from a seat, and nobody else."""

    def now(self) -> float:
        """The moment by which clocks run."""

    def soon(self, act: Callable[[], Awaitable[object]]) -> None:
        """Do what writes as soon as nobody else changes the table."""

    async def substitute(self, seat: int) -> None:
        """A bot takes the seat of a person, who may take it back at any time. Raises Refused."""


A = TypeVar("A", bound=Around)


class PartOfTable(Generic[A]):
    """Something that belongs to a table."""

    def __init__(self, table: A):
        self._table = ref(table)

    @property
    def table(self) -> A:
        """Whose part it is."""
        table = self._table()
        assert table is not None, "the table is gone"
        return table
