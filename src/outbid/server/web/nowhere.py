"""Tables that lie in no database and that no bot moves: what lessons and puzzles show."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from outbid.bots.executor import InProcess
from outbid.core.match import Match
from outbid.server.domain.table import Table
from outbid.server.moments import Moments
from outbid.server.settings import Settings
from outbid.server.storage.notifications import Bus
from outbid.server.storage.store import Store
from outbid.server.stored import Seat, Stored


class Nowhere:
    """The database of a table that is kept nowhere: there is nothing to read or to write."""

    engine = None

    def __init__(self) -> None:
        self.moments = Moments()

    def set_times(self, table: str, times: Mapping[int, Any]) -> None:
        """Keep no times: no clock runs."""

    def results(self, evening: str) -> list[Any]:
        """Know no evening."""
        return []

    async def aside(self, write: Callable[..., object], *args: Any) -> None:
        """Write nothing."""


def table_nowhere(name: str, match: Match, seats: Sequence[Seat], settings: Settings, pace: str = "instant") -> Table:
    """The table of a match, which nothing else knows."""
    stored = Stored.of(match, name, seats, pace=pace, chat=False, hints="off")
    return Table(stored, cast("Store", Nowhere()), settings, Bus(), InProcess())
