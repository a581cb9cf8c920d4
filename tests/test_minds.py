"""Where bots think: processes that hold nothing but a seat, and are replaced when they hang."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import signal
import time
from collections.abc import Iterator

import pytest
from serving import Person, serving

import outbid
from outbid.bots import BOTS, Decision, LookAhead, Seat, choose
from outbid.bots.minds import Here, Lost, Workers
from outbid.engine import contract


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    """Two workers."""
    made = Workers(2)
    yield made
    made.close()


def a_seat(game: str = "kuhhandel", moves: int = 5) -> Seat:
    match = outbid.game(game).new(players=3, seed=4)
    for number in range(moves):
        match.random_move(match.asked[0], number)
    return Seat.of(match, match.asked[0], 9)


def test_a_seat_that_was_packed_is_the_same_seat(book):
    match = outbid.Match.new(book, {}, book.players[1], 6)
    for number in range(40):
        if match.over:
            return
        seat = Seat.of(match, (match.asked or (7,))[0], number) if match.asked else None
        if seat:
            assert Seat.unpacked(pickle.loads(pickle.dumps(seat.packed()))) == seat
        match.random_move((match.asked or (7,))[0], number)


def test_what_is_sent_to_a_worker_does_not_depend_on_what_its_seat_cannot_know(book):
    match = outbid.Match.new(book, {}, book.players[1], 7)
    for number in range(60):
        if match.over:
            return
        for seat in match.asked:
            other = match.copy()
            contract.redeal(other.state, seat, number)
            assert Seat.of(other, seat, 3).packed() == Seat.of(match, seat, 3).packed()
        match.random_move((match.asked or (7,))[0], number)


@pytest.mark.parametrize("name", ["random", "steady"])
def test_a_worker_decides_as_one_would_here(workers, name):
    for moves in range(8):
        seat = a_seat(moves=moves)
        assert asyncio.run(workers.think(seat, name)) == BOTS[name].decide(seat)


def test_what_a_bot_raises_reaches_who_asked_and_the_worker_stays(workers):
    before = [worker.process.pid for worker in workers.all]
    with pytest.raises(outbid.BadSetup, match="no bot 'genius'"):
        asyncio.run(workers.think(a_seat(), "genius"))
    assert [worker.process.pid for worker in workers.all] == before


def test_preparing_for_a_bot_that_is_not_installed_any_more_changes_nothing(workers):
    workers.prepare("kuhhandel", ["genius", "steady"])
    assert asyncio.run(workers.think(a_seat(), "steady")).actions


def test_a_worker_that_was_killed_is_replaced_and_the_question_is_answered():
    made = Workers(1)
    try:
        old = made.all[0].process.pid
        os.kill(old, signal.SIGKILL)
        assert asyncio.run(made.think(a_seat(), "steady")) == BOTS["steady"].decide(a_seat())
        assert made.all[0].process.pid != old
    finally:
        made.close()


def test_a_worker_that_hangs_is_replaced_and_who_asked_is_told_in_time():
    made = Workers(1)
    try:
        stopped = made.all[0].process
        asyncio.run(made.think(a_seat(), "random"))
        os.kill(stopped.pid, signal.SIGSTOP)
        made.patience = 0.5
        begun = time.monotonic()
        with contextlib.suppress(Lost):  # the second one may have no time to start
            assert asyncio.run(made.think(a_seat(), "steady")).actions
        assert time.monotonic() - begun < 10
        assert not stopped.is_alive()
        made.patience = 60
        assert asyncio.run(made.think(a_seat(), "steady")).actions
    finally:
        made.close()


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="workers are found in /proc")
def test_a_table_notices_nothing_but_a_delay_when_its_bot_s_worker_is_killed(tmp_path):
    with serving(tmp_path / "tables.db", workers=1) as address:
        ada = Person(address)
        ada.order(bots="steady", preset="quick")
        killed = set()
        for _ in range(6):
            seen = ada.asked()
            if seen["table"]["status"] == "over":
                break
            for child in children():
                os.kill(child, signal.SIGKILL)
                killed.add(child)
            move = next((c for c in seen["legal"] if c["text"] in ("pass", "sell", "accept")), seen["legal"][0])
            said = {**move["move"], **({"cards": move["cards"]} if "cards" in move else {})}
            if "amounts" in move:
                said["amount"] = move["amounts"][0]
            ada.send(said, seen["decision"])
        assert len(killed) > 1
        assert len(ada.now()["log"]) > 3


def children() -> list[int]:
    """The processes that bots of servers of this test think in."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", encoding="utf-8") as stat:
                    parent = int(stat.read().rpartition(")")[2].split()[1])
                with open(f"/proc/{parent}/cmdline", "rb") as line:
                    server = b"outbid.server.main" in line.read()
                with open(f"/proc/{parent}/stat", encoding="utf-8") as stat:
                    ours = int(stat.read().rpartition(")")[2].split()[1]) == os.getpid()
                if server and ours:
                    found.append(int(entry))
            except (OSError, ValueError):
                pass
    return found


# --- looking ahead -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["claim", "rivals"])
def test_a_bot_that_looks_ahead_says_why_and_what_else_it_weighed_and_decides_the_same_again(game):
    bot = LookAhead("ahead", "", effort=1.0, compiled=False)
    match = outbid.game(game).new(players=3, seed=11)
    for number in range(4):
        seat = match.asked[0]
        view = Seat.of(match, seat, number)
        decision = bot.decide(view)
        assert decision.actions
        assert decision == bot.decide(view)
        assert decision.private["en"]
        assert decision.public["de"] != decision.public["en"]
        assert all(0 <= one.value <= 1 for one in decision.values)
        assert decision.actions in [one.actions for one in decision.values]
        other = match.copy()
        contract.redeal(other.state, seat, number)
        assert bot.decide(Seat.of(other, seat, number)) == decision
        match.play_steps(seat, decision.actions)


def test_compiled_and_plain_look_ahead_alike():
    match = outbid.game("rivals").new(players=2, seed=5)
    for number in range(4):
        view = Seat.of(match, match.asked[0], number)
        plain = LookAhead("ahead", "", effort=2.5, compiled=False).decide(view)
        compiled = LookAhead("ahead", "", effort=0.025, compiled=True).decide(view)
        assert [(one.actions, one.playouts) for one in plain.values] == [(o.actions, o.playouts) for o in compiled.values]
        assert [one.value for one in plain.values] == pytest.approx([one.value for one in compiled.values])
        assert plain.actions == compiled.actions
        match.play_steps(view.seat, plain.actions)


def test_a_bot_whose_look_ahead_is_not_compiled_yet_plays_as_steady_does(tmp_path, monkeypatch):
    monkeypatch.setattr("outbid.bots.strong.ready", lambda book: False)
    assert BOTS["strong"].decide(a_seat()) == BOTS["steady"].decide(a_seat())


def test_a_thread_decides_as_a_worker_does():
    decision = asyncio.run(Here().think(a_seat(), "steady"))
    assert isinstance(decision, Decision)
    assert decision == BOTS["steady"].decide(a_seat())


def test_asking_a_bot_does_not_change_the_match():
    match = outbid.game("money").new(players=3, seed=2)
    before = match.state.copy()
    for name in ("random", "steady"):
        choose(match, 0, name, 1)
    assert match.state == before
