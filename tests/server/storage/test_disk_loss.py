"""The machine's disk dies while people play: whatever was acknowledged two seconds before comes back from the copies.

    OUTBID_LOSSES=60 pytest -s tests/server/storage/test_disk_loss.py
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import sqlite3
import threading
import time
import uuid
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from outbid.server.storage.backups import planned
from tests.support.commands import outbid_command
from tests.support.serving import Person, some_move, start, stop

LOSSES = int(os.environ.get("OUTBID_LOSSES", 40 if os.environ.get("OUTBID_PROFILE") == "deep" else 4))
PLAYERS = 4
MOST = 2.0  # seconds


class Player:
    """Plays matches against bots, one after the other, until the server is gone; knows when each move was acknowledged."""

    def __init__(self, address: str, seed: int):
        self.ada, self.rng = Person(address), random.Random(seed)
        self.ada.http.timeout = 60  # s: a busy machine is no server that is gone
        self.acknowledged: dict[str, float] = {}
        self.thread = threading.Thread(target=self.play)
        self.thread.start()

    def play(self) -> None:
        """Until the connection breaks or the database is gone."""
        with contextlib.suppress(httpx.TransportError, AssertionError):
            self.ada.order(bots="steady")
            while True:
                seen = self.ada.asked()
                if seen["table"]["status"] == "over":
                    self.ada.order(bots="steady")
                    continue
                command = str(uuid.uuid4())
                if not self.ada.send(some_move(seen, self.rng), seen["decision"], command).json().get("ok"):
                    return
                self.acknowledged[command] = time.monotonic()


def played_for(seconds: float, players: list[Player]) -> None:
    """Wait until there are moves, and then as long as this."""
    patience = time.monotonic() + 60
    while sum(len(player.acknowledged) for player in players) < 10 and time.monotonic() < patience:
        time.sleep(0.1)
    time.sleep(seconds)


def moves_of(players: list[Player]) -> dict[str, float]:
    """What was acknowledged to them, when their server is gone."""
    for player in players:
        player.thread.join()
        player.ada.http.close()
    return {command: at for player in players for command, at in player.acknowledged.items()}


@pytest.mark.slow
@pytest.mark.deeper
def test_no_move_is_lost_that_was_acknowledged_two_seconds_before_the_disk_died(tmp_path: Path):
    rng, copies, database = random.Random(7), tmp_path / "copies", tmp_path / "disk0" / "tables.db"
    played: dict[str, float] = {}
    lost, ages = 0, [0.0]
    for loss in range(LOSSES):
        for _crash in range(rng.randint(0, 1)):  # of the server alone, which goes on afterwards
            server, address = start(database, backups=planned(copies))
            players = [Player(address, rng.getrandbits(30)) for _player in range(PLAYERS)]
            played_for(rng.uniform(1, 3), players)
            server.kill(rng.choice((signal.SIGKILL, signal.SIGTERM)))
            played |= moves_of(players)
        server, address = start(database, backups=planned(copies))
        players = [Player(address, rng.getrandbits(30)) for _player in range(PLAYERS)]
        played_for(rng.uniform(2.5, 6), players)
        if rng.random() < 0.5:  # the names vanish, and the machine goes on for a moment
            shutil.rmtree(database.parent)
            died = time.monotonic()
            time.sleep(rng.uniform(0, 0.5))
            server.kill(signal.SIGKILL)
        else:
            died = time.monotonic()
            server.kill(signal.SIGKILL)
            shutil.rmtree(database.parent)
        played |= moves_of(players)
        database = tmp_path / f"disk{loss + 1}" / "tables.db"
        done = outbid_command("admin", "restore", str(copies), "--database", str(database))
        assert done.returncode == 0, done.stderr
        checked = outbid_command("admin", "validate", "--database", str(database))
        assert checked.returncode == 0, checked.stdout
        with closing(sqlite3.connect(database)) as db:
            held = [row[0] for row in db.execute("select command from moves where command is not null")]
        assert len(held) == len(set(held))
        missing = {command: at for command, at in played.items() if command not in held}
        ages += [died - at for at in missing.values() if at < died]
        assert max(ages) < MOST, f"disk {loss}: a move was lost that was acknowledged {max(ages):.2f} s before"
        lost += len(missing)
        played = {command: at for command, at in played.items() if command not in missing}
    server, _address = start(database, backups=planned(copies))
    stop(server)
    assert len(played) > 10 * LOSSES
    total = len(played) + lost
    print(f"{LOSSES} disks, {total} acknowledged moves, {lost} lost, the oldest {max(ages):.2f} s before the end")
