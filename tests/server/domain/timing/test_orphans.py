"""After a crash bots and clocks go on although nobody looks: by a restart, or by another process."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from outbid.server.domain.commands import UNSAID
from outbid.server.domain.setup import Order
from outbid.server.domain.tables import Tables
from outbid.server.settings import Settings
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from tests.support.postgres import Cluster
from tests.support.serving import Person, Server, get, some_move, start, until

GAMES = ("kuhhandel", "rivals", "claim", "money")


@pytest.fixture
def database(cluster: Cluster) -> str:
    """A new database."""
    return cluster.database()


def wait_for_bots(address: str, game: str) -> str:
    """A table at which a person has moved and bots are to act, in some seconds."""
    person, rng = Person(address), random.Random(5)
    with closing(person.http):
        person.order(game=game, players=3, preset="", bots="steady", pace="slow")
        while (seen := person.now())["decision"] is not None:
            person.send(some_move(seen, rng), seen["decision"])
    return person.table


def lengths(store: Store, tables: list[str]) -> list[int]:
    """How many moves each table has."""
    return [len(store.moves(table, 0)) for table in tables]


def all_go_on(store: Store, tables: list[str], before: list[int]) -> None:
    """Something happens at every table."""
    begun = time.monotonic()
    until(lambda: all(now > was for now, was in zip(lengths(store, tables), before, strict=True)), 60)
    print(f"all went on after {time.monotonic() - begun:.1f} s")


@contextmanager
def running(*databases: Path | str) -> Iterator[list[tuple[Server, str]]]:
    """A server for each of the databases; those that still run in the end are killed."""
    servers = [start(database) for database in databases]
    try:
        yield servers
    finally:
        for server, _address in servers:
            server.kill()


@pytest.mark.slow
def test_bots_go_on_after_a_crash_and_a_restart_although_nobody_looks(tmp_path: Path):
    file = tmp_path / "tables.db"
    with running(file) as [(_server, address)]:
        tables = [wait_for_bots(address, game) for game in GAMES]
    with closing(Store(url_of(str(file)))) as store:
        before = lengths(store, tables)
        assert store.acting() == set(tables)
        with running(file):
            all_go_on(store, tables, before)


@pytest.mark.slow
def test_bots_of_a_killed_process_go_on_at_the_other_although_nobody_has_ever_looked_there(database: str):
    with running(database, database) as [(victim, address), _other], closing(Store(database)) as store:
        tables = [wait_for_bots(address, game) for game in GAMES]
        victim.kill()
        all_go_on(store, tables, lengths(store, tables))


@pytest.mark.slow
def test_a_process_leaves_the_tables_of_another_alone(database: str):
    with running(database, database) as [(_one, here), (_other, there)], closing(Store(database)) as store:
        table = wait_for_bots(here, "kuhhandel")
        all_go_on(store, [table], lengths(store, [table]))
        assert "outbid_live_tables 0.0" in get(f"{there}/metrics").text


@pytest.mark.parametrize("game", GAMES)
def test_the_database_says_at_every_moment_whether_bots_are_to_act(tmp_path: Path, game: str):
    async def play() -> None:
        settings, rng = Settings(url_of(str(tmp_path / "tables.db"))), random.Random(game)
        with closing(Store(settings.database)) as store:
            table, _token = await Tables(store, settings).create(Order(game, 3, "Ada", ["steady"]))
            table.driver.stop()

            def check() -> None:
                stored = store.load(table.id)
                assert stored
                assert stored.acting == table.clock.acts(table.match)
                seen.add(stored.acting)

            check()
            for turn in range(40):
                match = table.playing
                if table.status == "over":
                    break
                seat = rng.choice(match.asked) if match.asked else None
                move = {"do": "close"} if seat is None else match.copy().random_move(seat, turn)
                await table._play(seat, move, None, UNSAID)
                table.driver.stop()
                check()
            await table.substitute(0)
            check()
            await table.give_back(0)
            check()

    seen: set[bool] = set()
    asyncio.run(play())
    assert True in seen


def test_tables_with_automatic_moves_are_looked_at_too_but_none_that_is_paused(tmp_path: Path):
    async def play() -> None:
        settings = Settings(url_of(str(tmp_path / "tables.db")))
        with closing(Store(settings.database)) as store:
            table, _token = await Tables(store, settings).create(Order("rivals", 2, "Ada", ["open"]))
            await table.join("Ben")
            assert store.acting() == set()
            store.order(table.id, 0, "auction", {"do": "pass"})
            assert store.acting() == {table.id}
            await table.set_pace(None, True)
            assert store.acting() == set()
            table.driver.stop()

    asyncio.run(play())
