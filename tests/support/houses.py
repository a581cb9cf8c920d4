"""Fixtures that modules make for themselves: servers with settings of their own, and who comes to them.

conftest.py has those that many use: `database`, `address`, `house` and `http` of a module, `server` of all.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support.serving import Person, people, serving


class House(NamedTuple):
    """A server and its database."""

    address: str
    database: Path


def own_server(**settings: Any) -> Any:
    """The address of a server for all tests of a module."""

    @pytest.fixture(scope="module")
    def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
        with serving(tmp_path_factory.mktemp("own") / "tables.db", **settings) as address:
            yield address

    return server


def newcomer() -> Any:
    """Somebody who comes to `server` for the first time."""

    @pytest.fixture
    def person(server: str) -> Iterator[Person]:
        with people(server, 1) as (made,):
            yield made

    return person
