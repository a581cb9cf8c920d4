"""Between the processes of a server: who moves the bots of a table, and who hears of what the others wrote.

Usually there is one process with one SQLite file, and `Bus` is all there is to say. Several processes share a PostgreSQL
database (postgres.py; docs/server.md, "Several processes"). That no move is made twice does not depend on any of this:
the database refuses a second move with the same number and a second command with the same id.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Protocol

from outbid.core.language.i18n import _
from outbid.server.settings import Refused

if TYPE_CHECKING:
    from sqlalchemy import Engine


class Unreachable(Refused):
    """The database does not answer: what was being written may be there or not."""

    def __init__(self) -> None:
        super().__init__(503, _("The database does not answer just now; please try again in a moment."))


class Listener(Protocol):
    """Who wants to know what other processes do."""

    async def heard(self, table: str, number: int | None) -> None:
        """A table has this number of moves now; none: something else of it has changed."""

    async def missed(self) -> None:
        """Anything may have changed."""

    def hurry(self, table: str) -> None:
        """A person does not want to wait for the bots of a table."""


class Bus:
    """What a process tells the others and asks of them. This one is alone on its database: it owns everything."""

    owns = True  # unless nothing can be written
    shared = False  # whether others may have written meanwhile, and the database can be asked

    def start(self, listener: Listener) -> None:
        """Begin to listen."""

    async def close(self) -> None:
        """Listen no longer, and own nothing."""

    async def own(self, table: str) -> bool:
        """Whether this process moves the bots and the clock of a table; it does from now on if no other does."""
        return self.owns

    def owned(self, tables: Collection[str]) -> set[str]:
        """Which of these tables a process owns, this one or another."""
        return set()

    def release(self, table: str) -> None:
        """Let another process move the bots of a table."""

    def hurry(self, table: str) -> None:
        """Tell the others that a person does not want to wait."""


def bus_of(engine: Engine) -> Bus:
    """How processes on this database hear of each other."""
    if engine.dialect.name != "postgresql":
        return Bus()
    from outbid.server.storage.postgres import Together

    return Together(engine)
