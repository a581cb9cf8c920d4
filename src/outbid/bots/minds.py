"""Where bots think: here, in a thread, or in processes of their own that hold nothing but the seat they are asked for.

`Workers(2)` starts its processes at once. A server makes them before anything else is in memory and before it has a second
thread, by fork where there is one (`FORK`); those that are needed later are started afresh. A question goes to a worker that
is free, as a packed `Seat`. A worker that does not answer within its patience, or that is gone, is replaced, and another one
is asked; if that fails too, `Lost` is raised and the table plays the decision by a simpler bot. A worker ends when the
process that asks it ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import queue
import signal
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any, Protocol

from outbid.bots import BOTS, LookAhead, bot
from outbid.bots.decision import Decision
from outbid.bots.seat import Packed, Seat
from outbid.engine.errors import OutbidError
from outbid.engine.rulebook import rulebook

PATIENCE = 90.0  # seconds: a look-ahead is compiled when it is needed for the first time
ATTEMPTS = 2
NICE = 5  # the table answers first
FORK = "fork" if sys.platform == "linux" else "spawn"


class Lost(OutbidError):
    """No worker has answered."""


class Minds(Protocol):
    """Whoever can be asked for a bot's decision."""

    async def think(self, seat: Seat, name: str) -> Decision:
        """The decision of a bot. Raises whatever the bot raises, Lost."""
        ...

    def prepare(self, game: str, names: Sequence[str]) -> None:
        """These bots will be asked for decisions in a game."""
        ...

    def close(self) -> None:
        """Nobody asks any more."""
        ...


class Here:
    """In a thread of this process."""

    async def think(self, seat: Seat, name: str) -> Decision:
        """The decision of a bot."""
        return await asyncio.to_thread(bot(name).decide, seat)

    def prepare(self, game: str, names: Sequence[str]) -> None:
        """Nothing is prepared."""

    def close(self) -> None:
        """There is nothing to end."""


class Workers:
    """In `n` processes of their own; method: how the first ones are started, "spawn" or "fork"."""

    def __init__(self, n: int, patience: float = PATIENCE, method: str = "spawn"):
        self.patience = patience
        self._free: queue.LifoQueue[_Worker] = queue.LifoQueue()
        self.all: list[_Worker] = [_Worker(method) for _ in range(n)]
        for worker in self.all:
            self._free.put(worker)
        self._threads = ThreadPoolExecutor(n, "minds")  # whoever waits for a worker keeps nobody else's thread
        self._open = True

    async def think(self, seat: Seat, name: str) -> Decision:
        """The decision of a bot. Raises Lost."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._ask, (name, seat.packed()))

    def prepare(self, game: str, names: Sequence[str]) -> None:
        """Let one worker compile what these bots need, if it is not there yet; nobody waits for it."""
        for name in {name for name in names if isinstance(BOTS.get(name), LookAhead)}:  # one may not be installed any more
            self._threads.submit(self._prepare, game, name)

    def _prepare(self, game: str, name: str) -> None:
        with contextlib.suppress(OutbidError):
            self._ask((name, game))

    def _ask(self, question: tuple[str, Packed | str]) -> Decision:
        for _ in range(ATTEMPTS):
            worker = self._free.get()
            try:
                answer = worker.ask(question, self.patience)
            except (EOFError, OSError, TimeoutError):
                worker.end()
                if self._open:
                    self.all.remove(worker)
                    worker = _Worker("spawn")
                    self.all.append(worker)
                continue
            finally:
                self._free.put(worker)
            if isinstance(answer, BaseException):
                raise answer
            return answer
        raise Lost(f"The bot {question[0]} did not answer.")

    def close(self) -> None:
        """End all processes."""
        self._open = False
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self.all:
            worker.end()


class _Worker:
    """One process and the line to it."""

    def __init__(self, method: str):
        context: Any = multiprocessing.get_context(method)
        self.line, other = context.Pipe()
        self.process = context.Process(target=work, args=(other, self.line if method == "fork" else None), daemon=True)
        self.process.start()
        other.close()

    def ask(self, question: Any, patience: float) -> Any:
        """One answer. Raises EOFError, OSError, TimeoutError."""
        self.line.send(question)
        if not self.line.poll(patience):
            raise TimeoutError
        return self.line.recv()

    def end(self) -> None:
        """It is not needed any more, or does not answer."""
        self.line.close()
        self.process.kill()
        self.process.join()


def work(line: Connection, others: Connection | None) -> None:
    """Answer questions until the line ends: (bot, packed seat) → Decision, (bot, game) → an empty one, or an exception."""
    if others is not None:
        others.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICE)
    while True:
        try:
            name, asked = line.recv()
        except (EOFError, OSError):
            return
        try:
            answer: Any = _prepared(name, asked) if isinstance(asked, str) else bot(name).decide(Seat.unpacked(asked))
        except Exception as error:
            answer = error
        try:
            line.send(answer)
        except OSError:
            return
        except Exception:
            line.send(RuntimeError(f"The bot {name} answered with what cannot be sent."))


def _prepared(name: str, game: str) -> Decision:
    found = bot(name)
    if isinstance(found, LookAhead):
        found.prepare(rulebook(game))
    return Decision(())
