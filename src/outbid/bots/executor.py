"""Where bots think: here, in a thread, or in processes of their own that hold nothing but seats they are asked for.

`ProcessPool(2)` starts its processes (worker.py) at once. A server makes them before anything else is in memory and before
it has a second thread, by fork where there is one (`FORK`); those that are needed later are started afresh. A question goes
to a worker that is free, as a packed `Seat`.

A decision has its time, which is processor time: so much and a fifth of it (`GRACE`), then its worker is ended and replaced,
so that a busy machine costs no worker. By the clock on the wall the caller waits ten times as long at most (`PATIENCE`),
waiting for a free worker included, and a worker that sleeps or waits for ever is ended after thirty times as long (`STUCK`).
The caller has an answer in time: the decision, or `Lost`; earlier if it says so, as the clock of a table does. A worker
that is gone is replaced, and another is asked if there is time. A bot that sees that it will be late (`Seat.until`) raises
`Lost` itself, and its worker stays. The table then plays the decision by a simpler bot at once.

Compiling is not thinking. A bot with a method `prepare(rulebook)` is prepared in a process of its own, one at a time, then
loaded in every worker (`ProcessPool.prepare`); as long as no worker has loaded it, asking for it raises `Unready`. What
could not be prepared is tried again, after longer and longer pauses. A worker that is started is asked nothing before it is
ready and has loaded what the others have.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol

from outbid.bots import bot, known
from outbid.bots.decision import Decision, Lost
from outbid.bots.seat import Packed, Seat
from outbid.core.errors import OutbidError

if TYPE_CHECKING:
    from outbid.bots.worker import Pair, Worker

SECONDS = 1.0  # of processor time for a decision, if nobody says otherwise
GRACE = 1.2  # no bot exceeds its time by more than a fifth
PATIENCE, STUCK = 10.0, 30.0  # times as long on the wall: who asks waits; a worker without an answer is ended
LEAST = 0.05  # seconds; for less nobody begins to think
STARTING = 90.0  # seconds until a worker is ready, on a slow machine
COMPILING = 1800.0  # seconds to compile a bot or to load it, on one that is busy, too
AGAIN = 1.0  # seconds until a worker that could not be started is started again
PAUSE, LONGEST = 30.0, 3600.0  # seconds until what could not be prepared is tried again: the first time; at most
ATTEMPTS = 2
FORK = "fork" if sys.platform == "linux" else "spawn"
GONE = (EOFError, OSError, TimeoutError)

log = logging.getLogger("outbid")


class Unready(OutbidError):
    """The bot is still being prepared for the game."""


class BotExecutor(Protocol):
    """What can be asked for a bot's decision."""

    async def think(self, seat: Seat, name: str, seconds: float = SECONDS, wall: float = math.inf) -> Decision:
        """The decision of a bot, which has so many seconds of processor time, and so many by the clock on the wall. Raises
        whatever the bot raises, Lost, Unready."""

    def prepare(self, game: str, names: Sequence[str]) -> None:
        """These bots will be asked for decisions in a game."""

    def ready(self, game: str, name: str) -> bool:
        """Whether a bot can be asked in a game now; while it is being prepared, it cannot."""

    def listen(self, told: Callable[[], None]) -> None:
        """`told` is called, from any thread, whenever a bot has become ready."""

    def close(self) -> None:
        """Take no more questions, and end what was begun for them."""


class InProcess:
    """In a thread of this process, which nobody can stop: for bots that are known to answer."""

    async def think(self, seat: Seat, name: str, seconds: float = SECONDS, wall: float = math.inf) -> Decision:
        """The decision of a bot, however long it takes."""
        return await asyncio.to_thread(bot(name).decide, seat)

    def prepare(self, game: str, names: Sequence[str]) -> None:
        """Do nothing: who thinks here compiles when it is first asked."""

    def ready(self, game: str, name: str) -> bool:
        """Who is asked here answers; a bot that is not compiled yet lets another one decide, and says so (Decision.by)."""
        return True

    def listen(self, told: Callable[[], None]) -> None:
        """Do nothing: here the same bots are ready all the time."""

    def close(self) -> None:
        """There is nothing to end."""


class ProcessPool:
    """In `n` processes of their own; method: how the first ones are started, "spawn" or "fork"."""

    def __init__(self, n: int, method: str = "spawn"):
        self.all: list[Worker] = [_worker(method) for _ in range(n)]
        self._free: list[Worker] = []
        self._changed = threading.Condition()  # guards `all`, `_free`, `_ready` and `_open`
        self._wanted: set[Pair] = set()
        self._ready: list[Pair] = []  # compiled: every worker loads these
        self._helper: Worker | None = None  # who compiles
        self._told: Callable[[], None] = lambda: None
        self._open = True
        self._threads = ThreadPoolExecutor(n, "bots")  # waiting for a worker keeps nobody else's thread
        self._apart = ThreadPoolExecutor(1, "bots-compiling")
        for worker in self.all:
            self._begin(worker)

    # --- asking ---

    async def think(self, seat: Seat, name: str, seconds: float = SECONDS, wall: float = math.inf) -> Decision:
        """The decision of a bot. Raises whatever the bot raises, Lost, Unready."""
        if min(seconds, wall) < LEAST:
            raise _lost(name)
        until = time.monotonic() + min(GRACE * wall, PATIENCE * seconds)
        asked = self._threads.submit(self._ask, name, seat.rulebook.id, seat.packed(), seconds, until)
        try:
            async with asyncio.timeout(until - time.monotonic()):  # wait_for of 3.11 may forget that it was cancelled
                return await asyncio.wrap_future(asked)
        except TimeoutError:
            raise _lost(name) from None

    def _ask(self, name: str, game: str, packed: Packed, seconds: float, until: float) -> Decision:
        for _ in range(ATTEMPTS):
            worker = self._taken(name, game, until)
            try:
                answer = worker.ask((name, packed, GRACE * seconds), STUCK * seconds)
            except TimeoutError:
                log.warning("The bot %s had no time left in %s; its worker is replaced.", name, game)
                self._replace(worker)
                break
            except GONE:
                self._replace(worker)
                continue
            self._give(worker)
            if isinstance(answer, BaseException):
                raise answer
            return answer
        raise _lost(name)

    def _taken(self, name: str, game: str, until: float) -> Worker:
        """A free worker that has loaded the bot, if it must be. Raises Lost, Unready."""
        loading = hasattr(known(name), "prepare")
        with self._changed:
            while self._open:
                if not self.ready(game, name):
                    raise Unready(f"The bot {name} is still being prepared for {game}.")
                for worker in reversed(self._free):
                    if not loading or (name, game) in worker.loaded:
                        self._free.remove(worker)
                        return worker
                left = until - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(left)
        raise _lost(name)

    def _give(self, worker: Worker) -> None:
        with self._changed:
            self._free.append(worker)
            self._changed.notify_all()

    def ready(self, game: str, name: str) -> bool:
        """A worker has loaded the bot, if it must be."""
        return not hasattr(known(name), "prepare") or any((name, game) in worker.loaded for worker in list(self.all))

    def listen(self, told: Callable[[], None]) -> None:
        """`told` is called whenever a worker has loaded a bot."""
        self._told = told

    # --- starting and loading ---

    def _begin(self, worker: Worker | None = None) -> None:
        """A worker, or a new one, is free as soon as it is ready; nobody waits for it."""
        threading.Thread(target=self._start, args=[worker], name="bots-starting", daemon=True).start()

    def _start(self, worker: Worker | None) -> None:
        while self._open:
            try:
                worker = worker or self._made()
                worker.greeted(STARTING)
                return self._load(worker)
            except GONE:
                if worker:
                    self._dismiss(worker)
                worker = None
                time.sleep(AGAIN)

    def _made(self) -> Worker:
        """A new worker. Raises OSError."""
        worker = _worker("spawn")
        with self._changed:
            self.all.append(worker)
            if not self._open:
                worker.end()
        return worker

    def _load(self, worker: Worker) -> None:
        """A worker that nobody can ask loads what is ready, and is free. Raises what `GONE` has."""
        fresh = [pair for pair in self._ready if pair not in worker.loaded]
        for pair in fresh:
            if isinstance(answer := worker.load(pair, COMPILING), BaseException):
                log.warning("The bot %s could not be loaded for %s: %s", *pair, answer)
        self._give(worker)
        if fresh:
            self._told()

    def _dismiss(self, worker: Worker) -> None:
        with self._changed:
            if self._open:
                self.all.remove(worker)
        worker.end()

    def _replace(self, worker: Worker) -> None:
        self._dismiss(worker)
        self._begin()

    def prepare(self, game: str, names: Sequence[str]) -> None:
        """Compile what these bots need in a process of its own, and load it in every worker; nobody waits for it."""
        pairs = [(name, game) for name in sorted(set(names)) if hasattr(known(name), "prepare")]
        for pair in pairs:
            if pair not in self._wanted:
                self._wanted.add(pair)
                self._submit(pair, PAUSE)

    def _submit(self, pair: Pair, pause: float) -> None:
        with contextlib.suppress(RuntimeError):  # closed
            self._apart.submit(self._compile, pair, pause)

    def _compile(self, pair: Pair, pause: float) -> None:
        """Prepare a bot for a game; if that fails, once more after a pause."""
        failure = self._prepared(pair)
        if not self._open:
            return
        if failure is not None:
            log.warning("The bot %s could not be prepared for %s: %s; next try in %d s.", *pair, failure, pause)
            again = threading.Timer(pause, self._submit, [pair, min(2 * pause, LONGEST)])
            again.daemon = True
            again.start()
            return
        self._ready.append(pair)
        for worker in list(self.all):
            self._reload(worker)

    def _prepared(self, pair: Pair) -> object | None:
        """Compile in a process that ends then, so that the memory is free again; returns why it failed, if it did."""
        with self._changed:
            if not self._open:
                return None
            self._helper = _worker("spawn")
        try:
            self._helper.greeted(STARTING)
            answer = self._helper.load(pair, COMPILING)
            return answer if isinstance(answer, BaseException) else None
        except GONE as error:
            return f"its process ended ({self._helper.ended}, {type(error).__name__})"
        finally:
            self._helper.end()

    def _reload(self, worker: Worker) -> None:
        """A worker loads what is new, when it has answered what it is asked."""
        with self._changed:
            while worker not in self._free:
                if worker not in self.all or not self._open or not self._changed.wait(COMPILING):
                    return  # another one is there, which loads everything before it is free
            self._free.remove(worker)
        try:
            self._load(worker)
        except GONE:
            self._replace(worker)

    def close(self) -> None:
        """End all processes."""
        with self._changed:
            self._open = False
            self._changed.notify_all()
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._apart.shutdown(wait=False, cancel_futures=True)
        for worker in [*self.all, *([self._helper] if self._helper else [])]:
            worker.end()


def _worker(method: str) -> Worker:
    from outbid.bots.worker import Worker  # where there are no processes, no bot is asked in one

    return Worker(method)


def _lost(name: str) -> Lost:
    return Lost(f"The bot {name} did not answer in time.")
