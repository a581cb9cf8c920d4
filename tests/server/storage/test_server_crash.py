"""A server may be killed at any moment: what it acknowledged is there, once, and the match goes on."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import signal
import sqlite3
import threading
import uuid
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

import outbid
from outbid import read_record
from tests.support.serving import JSON, Person, line_to, some_move, start, stop

KILLS = int(os.environ.get("OUTBID_KILLS", 200 if os.environ.get("OUTBID_PROFILE") == "deep" else 6))


@pytest.mark.slow
@pytest.mark.deeper
def test_a_killed_server_goes_on_with_every_acknowledged_move_exactly_once(tmp_path: Path):
    """Matches against bots, one after the other, while the server is killed at random moments."""
    database, rng = tmp_path / "tables.db", random.Random(20)
    process, address = start(database)
    port = int(address.rsplit(":", 1)[1])
    ada = Person(address)
    ada.order(players=4, bots="steady")
    tables, acknowledged = [ada.table], []
    for kill in range(KILLS + 1):
        timer = threading.Timer(rng.uniform(0.02, 0.5), os.kill, (process.pid, signal.SIGKILL))
        if kill < KILLS:
            timer.start()
        unanswered = play(ada, rng, acknowledged, tables, forever=kill < KILLS)
        if kill == KILLS:
            break
        timer.join()
        assert process.wait() == -signal.SIGKILL
        process, _ = start(database, port)
        if unanswered:
            move, decision, command = unanswered
            answer = ada.send(move, decision, command).json()
            assert answer["ok"] or answer["stale"], answer
            if answer["ok"]:
                acknowledged.append(command)
            assert ada.send(move, decision, command).json()["ok"] == answer["ok"]
        if acknowledged:
            assert commands(database).count(acknowledged[-1]) == 1
    mine = 0
    for ada.table in tables:
        record = ada.http.get(f"/t/{ada.table}/record").json()
        assert read_record(record).over
        mine += sum(move["seat"] == 0 for move in record["moves"])
    ada.http.close()
    stop(process)
    stored = commands(database)
    assert len(stored) == len(set(stored)) == mine
    assert set(acknowledged) == set(stored)
    print(f"SQLite: {KILLS} kills, {len(stored)} acknowledged moves, none lost, none there twice")


def play(
    ada: Person, rng: random.Random, acknowledged: list[str], tables: list[str], forever: bool
) -> tuple[dict, int, str] | None:
    """Play until the server is gone, or the match is over if not for ever; then the command that was not answered."""
    sent = None
    try:
        while True:
            seen = ada.asked()
            if seen["table"]["status"] == "over":
                if not forever:
                    return None
                ada.order(players=4, bots="steady")
                tables.append(ada.table)
                continue
            sent = (some_move(seen, rng), seen["decision"], str(uuid.uuid4()))
            answer = ada.send(*sent).json()
            assert answer["ok"], answer
            acknowledged.append(sent[2])
            sent = None
    except httpx.TransportError:
        return sent


def commands(database: Path) -> list[str]:
    """The commands in the database."""
    db = sqlite3.connect(database)
    found = [row[0] for row in db.execute("select command from moves where command is not null order by number")]
    db.close()
    return found


def test_a_bot_decides_the_same_after_a_restart(tmp_path: Path):
    """Its random stream is stored with the table and depends on the number of moves, not on the process."""
    database = tmp_path / "tables.db"
    table = {"game": "kuhhandel", "players": 3, "name": "Ada", "bots": ["random", "random"], "seed": 3, "pace": "instant"}
    process, link = start(database, table=table)
    address, _, seat = link.partition("/t/")
    ada = Person(address)
    ada.table = seat.split("/")[0]
    ada.take(link)
    before = ada.asked()
    process.kill()
    db = sqlite3.connect(database)
    moves = db.execute("select number, seat, move from moves order by number").fetchall()
    db.execute("delete from moves where number > 0")
    db.commit()
    db.close()
    process, _ = start(database, int(address.rsplit(":", 1)[1]))
    after = ada.asked()
    stop(process)
    ada.http.close()
    db = sqlite3.connect(database)
    again = db.execute("select number, seat, move from moves order by number").fetchall()
    db.close()
    assert [json.loads(row[2]) for row in again] == [json.loads(row[2]) for row in moves]
    assert after["decision"] == before["decision"]


def long_record() -> str:
    """The record of a match in which everybody bids as little as they can: to look at it once takes a second."""
    match = outbid.game("kuhhandel", bidding="dropout").new(players=5, seed=3)
    while not match.over:
        seat = match.asked[0]
        amounts = next((choice.amounts for choice in match.legal(seat) if choice.move["do"] == "bid"), None)
        if amounts:
            match.play(seat, {"do": "bid", "amount": amounts[0]})
        else:
            match.random_move(seat, len(match.moves))
    return json.dumps(match.record())


@pytest.mark.slow
def test_a_server_that_ends_in_the_middle_of_work_says_so_to_who_waits_and_logs_no_traceback(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    record, first = long_record(), threading.Event()
    sending = {**JSON, "Content-Type": "application/json"}
    process, address = start(tmp_path / "tables.db")
    watcher, answers = Person(address), list[httpx.Response]()
    watcher.table = watcher.http.post("/records", content=record, headers=sending).json()["table"]
    stop(process)
    process, _ = start(tmp_path / "tables.db", int(address.rpartition(":")[2]), base_url="http://127.0.0.1")

    def send(guest: int) -> None:
        headers = {**sending, "X-Forwarded-For": f"203.0.113.{guest}"}
        answers.append(httpx.post(f"{address}/records", content=record, headers=headers, timeout=60))
        first.set()

    def watch(guest: int) -> None:
        with contextlib.suppress(InvalidHandshake, ConnectionClosed):
            line = line_to(watcher, {"X-Forwarded-For": f"198.51.100.{guest}"}, open_timeout=60)
            while True:
                line.recv(timeout=60)

    waiting = [threading.Thread(target=work, args=(guest,)) for guest in range(1, 7) for work in (send, watch)]
    for thread in waiting:
        thread.start()
    assert first.wait(60)
    stop(process)
    for thread in waiting:
        thread.join(60)
    late = [answer.json()["error"] for answer in answers if answer.status_code != 201]
    assert len(answers) == 6
    assert late
    assert set(late) == {"The server stops or restarts, and this was not ready in time; please try again in a moment."}
    logged = capfd.readouterr().err
    assert not re.search("Traceback|Exception|never retrieved", logged), logged
