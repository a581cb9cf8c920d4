"""A process in which bots think, one question at a time: it holds nothing but seats that it was asked for.

`Worker(method)` starts it, "spawn" or "fork". It greets when it is ready, and then answers: (bot, packed `Seat`, seconds) →
`Decision`, (bot, game) → an empty one as soon as the bot is loaded for the game; an exception is an answer, too. Who asks
says how many seconds it has. A worker that has not answered by then, whatever it is doing, is killed. It ends with the
process that started it, however that ends.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
import time
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

from outbid.bots import bot, prepare
from outbid.bots.decision import Decision
from outbid.bots.seat import Packed, Seat
from outbid.engine import tongue
from outbid.engine.rulebook import rulebook, rulebooks

NICE = 5  # the table answers first

Question = tuple[str, Packed, float]  # a bot, a seat and how many seconds there are
Pair = tuple[str, str]  # a bot and a game


class Worker:
    """One process and the line to it. loaded: which bots it has loaded for which games."""

    def __init__(self, method: str):
        context: Any = multiprocessing.get_context(method)
        self.loaded: set[Pair] = set()
        self.line, other = context.Pipe()
        self.process = context.Process(target=work, args=(other, self.line if method == "fork" else None), daemon=True)
        self.process.start()
        other.close()

    def greeted(self, seconds: float) -> None:
        """Wait until it is ready. Raises EOFError, OSError, TimeoutError; it is killed then."""
        self._heard(None, seconds)

    def ask(self, question: Question, seconds: float) -> Any:
        """One answer. Raises EOFError, OSError, TimeoutError; it is killed then."""
        return self._heard(question, seconds)

    def load(self, pair: Pair, seconds: float) -> Any:
        """The bot is loaded for a game; what it raises is returned. Raises as `ask`."""
        answer = self._heard(pair, seconds)
        if not isinstance(answer, BaseException):
            self.loaded.add(pair)
        return answer

    def _heard(self, question: Question | Pair | None, seconds: float) -> Any:
        late = threading.Event()
        alarm = threading.Timer(seconds, self._kill, [late])  # also where it stops in the middle of an answer
        alarm.daemon = True
        alarm.start()
        try:
            if question is not None:
                self.line.send(question)
            return _read(self.line.recv_bytes())
        except (EOFError, OSError) as error:
            self.process.kill()
            if late.is_set():
                raise TimeoutError from error
            raise
        finally:
            alarm.cancel()

    def _kill(self, late: threading.Event) -> None:
        late.set()
        self.process.kill()

    def end(self) -> None:
        """It is not needed any more. Whoever waits for it hears the line end; the line is closed when nobody has it any
        more, since its number may belong to another file as soon as one of two threads has closed it."""
        self.process.kill()
        self.process.join()


def _read(answer: bytes) -> Any:
    try:
        return pickle.loads(answer)
    except Exception as error:
        return RuntimeError(f"A bot answered with what cannot be read: {error}")


def work(line: Connection, others: Connection | None) -> None:
    """Greet, and answer questions until the line ends."""
    if others is not None:
        others.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICE)
    threading.Thread(target=_orphaned, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        _read_in()
        line.send(None)
        while True:
            name, *asked = line.recv()
            try:
                answer: Any = _decided(name, *asked) if len(asked) > 1 else _loaded(name, *asked)
            except Exception as error:
                answer = error
            try:
                line.send(answer)
            except OSError:
                raise
            except Exception:
                line.send(RuntimeError(f"The bot {name} answered with what cannot be sent."))


def _orphaned() -> None:
    """Whoever asks is gone, however that came: nobody needs what is thought, or compiled, here."""
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
    os._exit(0)


def _read_in() -> None:
    """Nothing is left to be read when the first question comes."""
    for book in rulebooks().values():
        for language in tongue.LANGUAGES:
            tongue.catalog(book.words.__package__, language)


def _decided(name: str, packed: Packed, seconds: float) -> Decision:
    return bot(name).decide(replace(Seat.unpacked(packed), until=time.monotonic() + seconds))


def _loaded(name: str, game: str) -> Decision:
    prepare(name, rulebook(game))
    return Decision(())
