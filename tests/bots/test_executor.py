"""Where bots think: processes that hold nothing but a seat, and are replaced when they hang."""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import outbid
from outbid.bots import BOTS, Decision, LookAhead, Seat, choose, executor
from outbid.bots.decision import Lost
from outbid.bots.executor import InProcess, ProcessPool, Unready
from outbid.bots.worker import Worker
from outbid.core import contract
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.server.domain.table import Table
from outbid.server.domain.timing import clocks
from outbid.server.storage.store import Store
from outbid.server.stored import Time
from tests.support.commands import started
from tests.support.serving import Person, Server, hear, line_to, serving, some_move

LONG = 120.0  # seconds: nobody is late


@pytest.fixture(scope="module")
def workers() -> Iterator[ProcessPool]:
    """Two workers."""
    made = ProcessPool(2)
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


@pytest.mark.slow
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


@pytest.mark.parametrize("turns", range(8))
def test_who_is_told_to_rest_while_an_answer_comes_rests(monkeypatch, turns):
    """Else a table went on, and a server waited for it when it was to stop."""
    workers, asked = ProcessPool(1), Future()
    monkeypatch.setattr(workers, "_threads", SimpleNamespace(submit=lambda *_: asked, shutdown=lambda **_: None))

    async def rest() -> None:
        thinking = asyncio.create_task(workers.think(a_seat(), "steady", LONG))
        await asyncio.sleep(0.01)
        asked.set_result(Decision(()))
        for _ in range(turns):
            await asyncio.sleep(0)
        was_over = thinking.done()
        thinking.cancel()
        await asyncio.wait([thinking])
        assert thinking.cancelled() or was_over

    try:
        asyncio.run(rest())
    finally:
        workers.close()


@pytest.mark.parametrize("name", ["random", "steady"])
@pytest.mark.slow
def test_a_worker_decides_as_one_would_here(workers, name):
    for moves in range(8):
        seat = a_seat(moves=moves)
        assert asyncio.run(workers.think(seat, name, LONG)) == BOTS[name].decide(seat)


def test_what_a_bot_raises_reaches_who_asked_and_the_worker_stays(workers):
    before = [worker.process.pid for worker in workers.all]
    with pytest.raises(outbid.BadSetup, match="no bot 'genius'"):
        asyncio.run(workers.think(a_seat(), "genius", LONG))
    assert [worker.process.pid for worker in workers.all] == before


def test_preparing_for_a_bot_that_is_not_installed_any_more_changes_nothing(workers):
    workers.prepare("kuhhandel", ["genius", "steady"])
    assert asyncio.run(workers.think(a_seat(), "steady", LONG)).actions


@pytest.mark.slow
def test_a_worker_that_was_killed_is_replaced_and_the_question_is_answered():
    with contextlib.closing(ProcessPool(1)) as made:
        asyncio.run(made.think(a_seat(), "random", LONG))
        old = made.all[0].process.pid
        os.kill(old, signal.SIGKILL)
        assert asyncio.run(made.think(a_seat(), "steady", LONG)) == BOTS["steady"].decide(a_seat())
        assert made.all[0].process.pid != old


# --- a decision has a time --------------------------------------------------------------------------------------------

BAD = """
import os, signal, time
from outbid.bots import BOTS, Decision
from outbid.bots.decision import Lost

class Bad:
    summary = "does not answer"
    def __init__(self, name, act):
        self.name, self.act = name, act
    def decide(self, seat):
        self.act()
        return BOTS["steady"].decide(seat)

def ignores():
    while True:
        try:
            time.sleep(1)
        except BaseException:
            pass

def loops():
    while True:
        pass

def works():
    until = time.process_time() + 0.1
    while time.process_time() < until:
        pass

class Slow(Bad):
    def prepare(self, book):
        while not os.path.exists(os.environ["OUTBID_TEST_COMPILED"]):
            time.sleep(0.01)

class Fails(Bad):  # at first an error, then a process that is killed, as where no memory is left
    def prepare(self, book):
        tries = os.environ["OUTBID_TEST_COMPILED"] + " tries"
        with open(tries, "a") as file:
            file.write(".")
        n = os.path.getsize(tries)
        if n == 1:
            raise MemoryError("no room")
        if n == 2:
            os.kill(os.getpid(), signal.SIGKILL)

class Heavy:
    def __reduce__(self):
        return (int, ("no number",))

class Odd(Bad):
    def decide(self, seat):
        return Heavy()

class Late(Bad):
    def decide(self, seat):
        assert 9 < seat.until - time.process_time() <= 12
        raise Lost("There is too much to do.")

ignores = Bad("ignores", ignores)
loops = Bad("loops", loops)
stops = Bad("stops", lambda: os.kill(os.getpid(), signal.SIGSTOP))
dies = Bad("dies", lambda: os._exit(1))
long = Bad("long", lambda: time.sleep(0.4))
works = Bad("works", works)
fails = Fails("fails", lambda: None)
slow = Slow("slow", lambda: None)
odd = Odd("odd", None)
late = Late("late", None)
"""
HANG = ["stops", "ignores", "loops"]


@pytest.fixture
def bad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another package with bots that do not answer; processes that are started from now on know them."""
    (tmp_path / "outbid_bad.py").write_text(BAD, encoding="utf-8")
    told = tmp_path / "outbid_bad-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: outbid-bad\nVersion: 1.0\n", encoding="utf-8")
    names = [*HANG, "dies", "long", "works", "slow", "fails", "odd", "late"]
    entries = "".join(f"{name} = outbid_bad:{name}\n" for name in names)
    (told / "entry_points.txt").write_text(f"[outbid.bots]\n{entries}", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("OUTBID_TEST_COMPILED", str(tmp_path / "compiled"))
    return tmp_path


def end_of(process: Any) -> int | None:
    """How it ended. Two threads wait for it; who comes second is told nothing until the first has written it down."""
    end = time.monotonic() + 30
    while process.exitcode is None and time.monotonic() < end:
        time.sleep(0.01)
    return process.exitcode


@pytest.mark.slow
def test_a_bot_that_does_not_answer_is_given_up_in_time_and_its_worker_replaced(
    bad: Path, monkeypatch: pytest.MonkeyPatch
):
    with contextlib.closing(ProcessPool(1)) as made:
        for name in HANG:
            spins = name == "loops"
            if spins:  # only its processor time can end it
                monkeypatch.setattr(executor, "PATIENCE", 1000.0)
                monkeypatch.setattr(executor, "STUCK", 1000.0)
            assert asyncio.run(made.think(a_seat(), "steady", LONG)).actions
            hangs, begun = made.all[0].process, time.monotonic()
            with pytest.raises(Lost, match=f"The bot {name} did not answer in time"):
                asyncio.run(made.think(a_seat(), name, 0.1))
            assert 0.1 <= time.monotonic() - begun < 30
            assert end_of(hangs) == (-signal.SIGPROF if spins else -signal.SIGKILL)
        assert asyncio.run(made.think(a_seat(), "steady", LONG)) == BOTS["steady"].decide(a_seat())
        assert len(made.all) == 1


def test_a_bot_has_its_time_and_a_fifth_of_it_and_thirty_times_as_long_on_the_wall(monkeypatch: pytest.MonkeyPatch):
    asked: list[tuple[Any, float]] = []
    ask = Worker.ask
    monkeypatch.setattr(Worker, "ask", lambda *given: asked.append(given[1:]) or ask(*given))
    with contextlib.closing(ProcessPool(1)) as made:
        asyncio.run(made.think(a_seat(), "steady", 10))
        ((_name, _packed, seconds), wall) = asked[0]
        assert (seconds, wall) == (pytest.approx(12), pytest.approx(300))
        for given in ((0.0,), (1.0, 0.0)):
            with pytest.raises(Lost):
                asyncio.run(made.think(a_seat(), "steady", *given))
        assert len(asked) == 1  # who has no time is not asked


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="when a worker thinks is seen in /proc")
def test_a_busy_machine_costs_no_worker_and_no_decision(bad: Path, monkeypatch: pytest.MonkeyPatch):
    """A worker that the system lets wait longer than it may think answers nevertheless."""
    monkeypatch.setattr(executor, "PATIENCE", 1000.0)  # on a machine that is busy indeed
    monkeypatch.setattr(executor, "STUCK", 1000.0)
    with contextlib.closing(ProcessPool(1)) as made:
        asyncio.run(made.think(a_seat(), "steady", LONG))
        worker = made.all[0].process.pid
        assert worker
        before = used(worker)
        thinking = threading.Thread(target=lambda: answers.append(asyncio.run(made.think(a_seat(), "works", 0.5))))
        answers: list[Decision] = []
        thinking.start()
        while used(worker) == before:  # a hundredth of a second
            time.sleep(0.001)
        os.kill(worker, signal.SIGSTOP)
        time.sleep(0.7)  # more than it may think, and a fifth; there is no event in which nothing happens
        os.kill(worker, signal.SIGCONT)
        thinking.join()
        assert answers == [BOTS["steady"].decide(a_seat())]
        assert made.all[0].process.pid == worker


def used(process: int) -> int:
    """How much processor time it has used."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


@pytest.mark.slow
def test_who_has_less_time_than_the_bot_is_told_at_once_and_the_worker_thinks_on(bad: Path):
    with contextlib.closing(ProcessPool(1)) as made:
        asyncio.run(made.think(a_seat(), "steady", LONG))
        worker = made.all[0].process.pid
        with pytest.raises(Lost):
            asyncio.run(made.think(a_seat(), "long", LONG, 0.1))
        assert asyncio.run(made.think(a_seat(), "steady", LONG)).actions
        assert made.all[0].process.pid == worker


def test_a_bot_that_sees_that_it_will_be_late_says_so_and_its_worker_stays(bad: Path):
    with contextlib.closing(ProcessPool(1)) as made:
        asyncio.run(made.think(a_seat(), "steady", LONG))
        before = made.all[0].process.pid
        with pytest.raises(Lost, match="too much to do"):
            asyncio.run(made.think(a_seat(), "late", 10.0))
        assert asyncio.run(made.think(a_seat(), "steady", LONG)).actions
        assert made.all[0].process.pid == before


@pytest.mark.slow
def test_a_worker_that_is_stopped_is_replaced_and_who_asked_is_told_in_time():
    with contextlib.closing(ProcessPool(1)) as made:
        asyncio.run(made.think(a_seat(), "random", LONG))
        stopped = made.all[0].process
        os.kill(stopped.pid, signal.SIGSTOP)
        with pytest.raises(Lost):
            asyncio.run(made.think(a_seat(), "steady", 0.1))
        assert asyncio.run(made.think(a_seat(), "steady", LONG)).actions
        assert end_of(stopped) == -signal.SIGKILL


@pytest.mark.slow
def test_a_bot_that_kills_its_worker_is_asked_once_more_and_then_given_up(bad: Path):
    with contextlib.closing(ProcessPool(2)) as made:
        asyncio.run(made.think(a_seat(), "steady", LONG))
        with pytest.raises(Lost):
            asyncio.run(made.think(a_seat(), "dies", LONG))
        assert asyncio.run(made.think(a_seat(), "steady", LONG)).actions


def test_an_answer_that_cannot_be_read_costs_no_worker(bad: Path):
    with contextlib.closing(ProcessPool(1)) as made:
        for _ in range(2):
            with pytest.raises(RuntimeError, match="cannot be read"):
                asyncio.run(made.think(a_seat(), "odd", LONG))


@pytest.mark.slow
def test_who_waited_in_vain_for_a_free_worker_costs_none(bad: Path):
    async def crowd(made: ProcessPool) -> list[Decision | BaseException]:
        await made.think(a_seat(), "steady", LONG)
        return await asyncio.gather(*(made.think(a_seat(), "long", 1.0, 1.0) for _ in range(8)), return_exceptions=True)

    with contextlib.closing(ProcessPool(1)) as made:
        answers = asyncio.run(crowd(made))
        late = [answer for answer in answers if isinstance(answer, Lost)]
        assert len(late) >= 5  # in 1.2 seconds there is time for two, or three
        assert all(isinstance(answer, Lost) or answer == BOTS["steady"].decide(a_seat()) for answer in answers)


@pytest.mark.slow
def test_compiling_is_not_thinking(bad: Path, monkeypatch: pytest.MonkeyPatch):
    import outbid_bad

    monkeypatch.setitem(BOTS, "slow", outbid_bad.slow)
    with contextlib.closing(ProcessPool(1)) as made:
        made.prepare("kuhhandel", ["slow", "steady"])
        with pytest.raises(Unready, match="The bot slow is still being prepared for kuhhandel"):
            asyncio.run(made.think(a_seat(), "slow", LONG))
        assert asyncio.run(made.think(a_seat(), "steady", LONG)).actions  # nobody waits for the compiler
        (bad / "compiled").touch()
        assert until_ready(made, "slow") == BOTS["steady"].decide(a_seat())
        os.kill(made.all[0].process.pid, signal.SIGKILL)
        asyncio.run(made.think(a_seat(), "steady", LONG))
        assert asyncio.run(made.think(a_seat(), "slow", LONG)).actions  # a new worker has loaded what the old one had


@pytest.mark.slow
def test_what_could_not_be_prepared_is_tried_again_after_longer_and_longer_pauses(
    bad: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    import outbid_bad

    monkeypatch.setitem(BOTS, "fails", outbid_bad.fails)
    monkeypatch.setattr(executor, "PAUSE", 0.2)
    with contextlib.closing(ProcessPool(1)) as made:
        told = threading.Event()
        made.listen(told.set)
        for _ in range(3):  # many tables want it: nobody tries more often for that
            made.prepare("kuhhandel", ["fails"])
        assert not made.ready("kuhhandel", "fails")
        assert made.ready("kuhhandel", "steady")
        assert told.wait(60)
        assert made.ready("kuhhandel", "fails")
        assert asyncio.run(made.think(a_seat(), "fails", LONG)).actions
    pauses = [record.args[-1] for record in caplog.records if "next try" in record.msg and record.args]
    assert pauses == [0.2, 0.4]


@pytest.mark.slow
def test_a_seat_says_who_plays_there_until_its_bot_is_ready_on_the_page_and_in_the_terminal(bad: Path):
    with serving(bad / "tables.db", workers=1) as address:
        ada = Person(address)
        link = ada.order(bots="slow,steady", preset="quick")
        seen = ada.asked()
        assert [seat["plays_as"] for seat in seen["seats"]] == [None, "steady", None]
        with line_to(ada) as line:
            assert "plays as steady until it is ready" in hear(line, "regions")["regions"]["opponents"]
            joins = [sys.executable, "-m", "outbid.cli", "join", f"{address}{link}", "--plain"]
            told = subprocess.run(joins, input="quit\n", capture_output=True, text=True, timeout=60, check=True).stdout
            assert f"{seen['seats'][1]['name']} plays as steady until it is ready." in told
            (bad / "compiled").touch()  # nobody moves: the page is told nevertheless
            while "plays as steady" in hear(line, "regions")["regions"].get("opponents", "plays as steady"):
                pass
        assert [seat["plays_as"] for seat in ada.now()["seats"]] == [None, None, None]


ASKS = """
import asyncio, sys
sys.path[:0] = {path!r}
import outbid
from outbid.bots import Seat
from outbid.bots.executor import ProcessPool

if __name__ == "__main__":
    match = outbid.game("kuhhandel").new(players=3, seed=4)
    seat = Seat.of(match, match.asked[0], 9)
    made = ProcessPool(1)
    asyncio.run(made.think(seat, "steady", 120))
    print(made.all[0].process.pid, flush=True)
    asyncio.run(made.think(seat, "ignores", 120))
"""


@pytest.mark.slow
@pytest.mark.skipif(not os.path.isdir("/proc"), reason="whether a process is there is seen in /proc")
def test_a_worker_ends_with_the_process_that_asks_it_whatever_it_is_doing(bad: Path):
    program = bad / "asks.py"
    program.write_text(ASKS.format(path=[str(bad)]), encoding="utf-8")
    with started([sys.executable, str(program)], stdout=subprocess.PIPE, text=True) as asking:
        worker = Path("/proc") / asking.stdout.readline().strip()
        assert worker.exists()
        asking.kill()
        assert asking.stdout.read() == ""  # nobody writes there any more: the worker ends, too
    until = time.monotonic() + 30
    while running(worker):  # it lets go of its files before it is gone
        assert time.monotonic() < until
        time.sleep(0.01)


def running(process: Path) -> bool:
    """Whether it is there, and has not ended."""
    try:
        return "(zombie)" not in (process / "status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def until_ready(made: ProcessPool, name: str) -> Decision:
    """The decision of a bot as soon as it is prepared."""
    while True:
        try:
            return asyncio.run(made.think(a_seat(), name, LONG))
        except Unready:
            time.sleep(0.01)


class Watched(SimpleNamespace):
    """Parts of a table refer to it weakly."""

    __slots__ = ("__weakref__",)


def test_a_bot_never_has_more_time_than_its_seat_has_left():
    table = Watched(settings=SimpleNamespace(thinking=1.0, auction_seconds=8.0), now=time.time)
    clock = clocks.Running(cast(Table, table), "60+1", {0: Time(30), 1: Time(0.25), 2: Time(-2)})
    assert [clock.thinking(seat) for seat in range(4)] == [(1.0, 30), (0.25, 0.25), (0.0, 0.0), (1.0, math.inf)]
    seconds, wall = clock.thinking(0, time.monotonic() + 0.5)
    assert 0 < seconds == wall <= 0.5
    assert clock.thinking(0, time.monotonic() - 1) == (0, 0)
    clock.times[clocks.AUCTION] = Time(0.5, time.time() + 0.5)
    assert 0 < clock.thinking(3)[1] <= 0.5


@pytest.mark.slow
def test_a_table_notices_nothing_but_a_delay_when_its_bot_hangs(bad: Path):
    database = bad / "tables.db"
    with serving(database, workers=1, limits={"thinking": 0.06}) as address:
        ada = Person(address)
        ada.order(bots=",".join(HANG[:2]), preset="quick")
        rng = random.Random(2)
        for _ in range(4):
            seen = ada.asked()
            assert ada.send(some_move(seen, rng), seen["decision"]).json()["ok"]
        ada.asked()
    store = Store(f"sqlite:///{database}")
    stored = store.load(store.ids()[0])
    store.close()
    match = Match.load(rulebook(stored.game), stored.options, [seat.name for seat in stored.seats], stored.deal)
    played = 0
    for move in stored.moves:
        if move.seat:
            decision = BOTS["steady"].decide(Seat.of(match, move.seat, stored.seats[move.seat].seed))
            assert match.copy().play_steps(move.seat, decision.actions) == move.said
            assert move.by == "steady"  # the record says so
            played += 1
        match.play(move.seat, move.said)
    assert played > 3


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="workers are found in /proc")
def test_a_server_that_is_told_to_end_leaves_no_bot_behind_that_has_stopped_its_process(bad: Path):
    with serving(bad / "tables.db", workers=1) as address:
        ada = Person(address)
        ada.order(bots="stops", preset="quick")
        while not (left := [child for child in children() if state(child) == "T"]):
            seen = ada.now()
            if seen["decision"] is not None:
                ada.send(some_move(seen, random.Random(2)), seen["decision"])
    assert not any(map(state, left))


@pytest.mark.slow
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


def state(process: int) -> str:
    """Of a process, as /proc says it: T is stopped; nothing: there is no such process."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as stat:
            return stat.read().rpartition(")")[2].split()[0]
    except OSError:
        return ""


def children() -> list[int]:
    """The processes that bots of servers of this test think in."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{entry}/stat", encoding="utf-8") as stat:
                if int(stat.read().rpartition(")")[2].split()[1]) in Server.running:
                    found.append(int(entry))
    return found


# --- looking ahead -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["claim", pytest.param("rivals", marks=pytest.mark.deep)])
@pytest.mark.slow
def test_a_bot_that_looks_ahead_says_why_and_what_else_it_evaluated_and_decides_the_same_again(game):
    bot = LookAhead("ahead", "", budget=0.3, compiled=False)
    options = {"pile_distribution": True} if game == "rivals" else {}  # its value net knows these rules: short rollouts
    match = outbid.game(game, **options).new(players=3, seed=11)
    for number in range(4):
        seat = match.asked[0]
        view = Seat.of(match, seat, number)
        decision = bot.decide(view)
        assert decision.actions
        assert decision == bot.decide(view)
        assert decision.private["en"]
        assert not decision.public, "what it evaluated is its own"
        assert all(0 <= one.value <= 1 for one in decision.values)
        assert decision.actions in [one.actions for one in decision.values]
        other = match.copy()
        contract.redeal(other.state, seat, number)
        assert bot.decide(Seat.of(other, seat, number)) == decision
        match.play_steps(seat, decision.actions)


@pytest.mark.deep
def test_compiled_and_plain_look_ahead_alike():
    match = outbid.game("rivals", pile_distribution=True).new(players=2, seed=5)
    for number in range(3):
        view = Seat.of(match, match.asked[0], number)
        plain = LookAhead("ahead", "", budget=1.0, compiled=False).decide(view)
        compiled = LookAhead("ahead", "", budget=0.01, compiled=True).decide(view)
        assert [(one.actions, one.rollouts) for one in plain.values] == [(o.actions, o.rollouts) for o in compiled.values]
        values = [one.value for one in compiled.values]
        assert [one.value for one in plain.values] == pytest.approx(values, abs=1e-5)  # sums of float32
        assert plain.actions == compiled.actions
        match.play_steps(view.seat, plain.actions)


def test_a_bot_whose_look_ahead_is_not_compiled_yet_plays_as_steady_does(tmp_path, monkeypatch):
    monkeypatch.setattr("outbid.bots.strong.ready", lambda book: False)
    assert BOTS["strong"].decide(a_seat()) == replace(BOTS["steady"].decide(a_seat()), by="steady")


def test_a_thread_decides_as_a_worker_does():
    decision = asyncio.run(InProcess().think(a_seat(), "steady"))
    assert isinstance(decision, Decision)
    assert decision == BOTS["steady"].decide(a_seat())


def test_asking_a_bot_does_not_change_the_match():
    match = outbid.game("money").new(players=3, seed=2)
    before = match.state.copy()
    for name in ("random", "steady"):
        choose(match, 0, name, 1)
    assert match.state == before
