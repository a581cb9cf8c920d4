"""Parts of a table: its clocks, its chat, what drives it.

A part does not keep its table alive. So a table that is forgotten goes at once, with all its parts: whatever has lived for
long is hardly ever looked through for garbage (main.COLLECT), so what only such a look would find stays for good.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import ref

if TYPE_CHECKING:
    from outbid.server.domain.table import Table


class PartOfTable:
    """Something that belongs to a table."""

    def __init__(self, table: Table):
        self._table = ref(table)

    @property
    def table(self) -> Table:
        """Whose part it is."""
        table = self._table()
        assert table is not None, "the table is gone"
        return table
