"""Several processes behind nginx, as deploy/nginx.conf has it: one after the other is restarted, and no player notices.

nginx, PostgreSQL and the servers are real. Who plays by forms asks once and no more; who plays over a socket does as pages
do (screens/table/line.js): a line that was closed is made anew, and a move that has no answer is sent again under its id.
"""

from __future__ import annotations

import json
import random
import shutil
import threading
import time
import uuid
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from outbid.server.domain.tables import Tables
from outbid.server.settings import Settings
from outbid.server.storage.store import Store
from tests.support.postgres import Cluster
from tests.support.scripts import script
from tests.support.serving import JSON, Person, Server, line_to, some_move, start, stop

proxy = script("benchmarks/server/proxy.py")
ROUNDS = 3  # each process is restarted so often
LIVE = 60.0  # seconds for one restart


class Player:
    """Somebody who answers whatever they are asked, until told to stop."""

    def __init__(self, person: Person, seed: int, over_a_socket: bool):
        self.person, self.rng = person, random.Random(seed)
        self.over_a_socket = over_a_socket
        self.lines = ExitStack()
        self.line: Any = None
        self.accepted: list[str] = []
        self.refused: list[str] = []
        self.again = 0  # moves that were sent more than once

    def step(self) -> bool:
        """Answer, if asked; false when the match is over."""
        answer = self.person.http.get(f"/t/{self.person.table}", headers=JSON)
        if answer.status_code != 200:
            self.refused.append(f"GET {answer.status_code} {answer.text[:200]}")
            return True
        seen = answer.json()
        if seen["table"]["status"] == "over":
            return False
        if seen["decision"] is None:
            time.sleep(0.005)
            return True
        move, name = some_move(seen, self.rng), str(uuid.uuid4())
        fields = {"decision": str(seen["decision"]), **_fields(move)}
        said = self._said(name, fields) if self.over_a_socket else self._posted(name, fields)
        if said["ok"]:
            self.accepted.append(name)
        else:
            self.refused.append(f"{name} {said}")
        return True

    def _posted(self, name: str, fields: dict[str, Any]) -> dict[str, Any]:
        response = self.person.http.post(f"/t/{self.person.table}/move", data={"command": name, **fields}, headers=JSON)
        if response.status_code >= 500:
            return {"ok": False, "status": response.status_code, "text": response.text[:200]}
        said: dict[str, Any] = response.json()
        return said

    def _said(self, name: str, fields: dict[str, Any]) -> dict[str, Any]:
        sent = 0
        end = time.monotonic() + LIVE
        while time.monotonic() < end:
            try:
                if self.line is None:
                    self.line = self.lines.enter_context(line_to(self.person))
                self.line.send(json.dumps({"type": "move", "id": name, "fields": fields}))
                sent += 1
                self.again += sent == 2
                while True:
                    message: dict[str, Any] = json.loads(self.line.recv(timeout=20))
                    if message["type"] == "ack" and message["id"] == name:
                        return message
            except (ConnectionClosed, InvalidHandshake, OSError):
                self.leave()
                time.sleep(0.1)
        return {"ok": False, "error": "no answer"}

    def leave(self) -> None:
        """Close the line."""
        self.lines.close()
        self.line = None


def answers(port: int) -> bool:
    """Whether a process answers."""
    with suppress(httpx.TransportError):
        return httpx.get(f"http://127.0.0.1:{port}/livez", timeout=20).is_success
    return False


def _fields(move: dict[str, Any]) -> dict[str, Any]:
    """A move as the fields of a form."""
    fields: dict[str, Any] = {}
    for key, value in move.items():
        if key == "cards":
            fields |= {"cards": "", **{f"cards:{card}": str(value.count(card)) for card in value}}
        else:
            fields[key if key == "do" else f"{'int' if isinstance(value, int) else 'str'}:{key}"] = str(value)
    return fields


@pytest.mark.deep
@pytest.mark.skipif(not (shutil.which("nginx") or Path("/usr/sbin/nginx").exists()), reason="nginx is not installed")
def test_processes_are_restarted_one_after_the_other_and_no_move_is_refused_lost_or_doubled(
    cluster: Cluster, tmp_path: Path
):
    database = cluster.database()
    door, *ports = proxy.free_ports(3)
    base = f"http://127.0.0.1:{door}"
    started: dict[int, Server] = {}
    restarts: list[float] = []

    def begin(port: int) -> None:
        """A process serves at a port: whoever restarts others in turn waits for that."""
        started[port] = start(database, port, base_url=base)[0]
        end = time.monotonic() + LIVE
        while not answers(port):
            assert time.monotonic() < end, "it does not answer"
            time.sleep(0.05)

    def roll() -> None:
        for port in ports * ROUNDS:
            time.sleep(0.5)
            begun = time.monotonic()
            stop(started[port])
            begin(port)
            restarts.append(time.monotonic() - begun)

    try:
        for port in ports:
            begin(port)
        with proxy.Proxy(tmp_path, door, ports):
            ada, ben = Person(base), Person(base)
            players = [Player(ada, 1, True), Player(ben, 2, False)]
            tables: list[str] = []
            rolling = threading.Thread(target=roll)
            rolling.start()
            while rolling.is_alive():  # a match after the other
                ada.order(players=4, bots="open,steady,steady")
                ben.join(ada.table, "Ben")
                tables.append(ada.table)
                players[0].leave()
                while rolling.is_alive() and players[0].step() and players[1].step():
                    pass
            rolling.join()
            players[0].leave()
            for person in (ada, ben):
                person.http.close()
    finally:
        for server in started.values():
            stop(server)
    assert len(restarts) == ROUNDS * len(ports)
    assert [said for player in players for said in player.refused] == []
    mine, stored = 0, []
    with closing(Store(database)) as opened:
        for table in tables:
            assert opened.gap(table) is None
            found = opened.load(table)
            assert found
            stored += [move.command for move in found.moves if move.command]
            mine += sum(move["seat"] in (0, 1) for move in Tables(opened, Settings(database)).get(table).playing.moves)
    assert len(stored) == len(set(stored)) == mine
    assert set(stored) == {name for player in players for name in player.accepted}
    print(
        f"{len(restarts)} restarts of {min(restarts):.1f} to {max(restarts):.1f} s each: {mine} moves, none refused, none "
        f"lost, none there twice; {players[0].again} were sent again over a new line"
    )
