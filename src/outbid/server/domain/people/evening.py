"""The evening of the people at a table: a match, and those that the same people play after it, of any game.

Every table knows the first one of its evening. Who won is written with the last move of a match, so the tally is one look at
the database and plays nothing again. People and bots are known by their names, which a rematch keeps.
"""

from collections import Counter
from typing import NamedTuple

from outbid.server.domain.table import Table


class Victories(NamedTuple):
    """The victories of an evening. matches: that are over; rows: the seats of this table and how often each won, the best
    first."""

    matches: int
    rows: tuple[tuple[int, int], ...]


def tally(table: Table) -> Victories | None:
    """The tally of a table's evening; none before its second match."""
    results = table.store.results(table.evening)
    matches = len({match for match, _name, _won in results})
    if not matches or (matches == 1 and table.evening == table.id):
        return None
    wins = Counter(name for _match, name, won in results if won)
    rows = [(number, wins[seat.name]) for number, seat in enumerate(table.seats) if seat.name]
    return Victories(matches, tuple(sorted(rows, key=lambda row: -row[1])))
