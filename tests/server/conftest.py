"""What all tests of the server share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from outbid.server.storage import opening


@pytest.fixture(autouse=True)
def databases_are_closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close what a test leaves open: Python 3.13 warns of a connection when it is collected, perhaps in another test."""
    opened: list[sa.Engine] = []
    begin = opening.engine

    def engine(url: str, *how: str) -> sa.Engine:
        opened.append(begin(url, *how))
        return opened[-1]

    monkeypatch.setattr(opening, "engine", engine)
    yield
    for left in opened:
        left.dispose()
