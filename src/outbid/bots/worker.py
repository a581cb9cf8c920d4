"""A process in which bots think, one question at a time: it holds nothing but seats that it was asked for.

`Worker(method)` starts it, "spawn" or "fork". It greets when it is ready, and then answers: (bot, packed `Seat`, seconds) →
`Decision`, (bot, game) → an empty one as soon as the bot is loaded for the game; an exception is an answer, too. The seconds
are processor time, so that a busy machine costs no worker: whatever it is doing, the system ends it when they are over
(`SIGPROF`, where there is such a timer). A worker that uses no processor time, since it sleeps or was stopped, is killed by
the clock on the wall, which gives it much longer. It ends with the process that started it, however that ends.
"""

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

from outbid.bots import bot, prepare
from outbid.bots.decision import Decision
from outbid.bots.naming import Registered, registered
from outbid.bots.seat import Packed, Seat
from outbid.core.language import i18n
from outbid.core.rulebook import by_id, rulebooks

NICE = 5  # the table answers first
PROFILE: int | None = getattr(signal, "SIGPROF", None)  # what the timer of processor time sends

Question = tuple[str, Packed, float]  # a bot, a seat and how many seconds of processor time there are
Pair = tuple[str, str]  # a bot and a game


class Worker:
    """One process and the line to it. loaded: which bots it has loaded for which games."""

    def __init__(self, method: str):
        self.loaded: set[Pair] = set()
        self.line, other = multiprocessing.Pipe()
        self.process = background(work, other, self.line if method == "fork" else None, nice=NICE, method=method)
        self.process.start()
        other.close()

    def greeted(self, wall: float) -> None:
        """Wait until it is ready, for so many seconds. Raises EOFError, OSError, TimeoutError; it is killed then."""
        self._heard(None, wall)

    def ask(self, question: Question, wall: float) -> Any:
        """One answer; wall: the seconds after which it is killed, whatever processor time it had. Raises EOFError, OSError,
        TimeoutError; it is gone then."""
        return self._heard(question, wall)

    def load(self, pair: Pair, wall: float) -> Any:
        """The bot is loaded for a game; what it raises is returned. Raises as `ask`."""
        answer = self._heard(pair, wall)
        if not isinstance(answer, BaseException):
            self.loaded.add(pair)
        return answer

    def _heard(self, question: Question | Pair | None, wall: float) -> Any:
        late = threading.Event()
        alarm = threading.Timer(wall, self._kill, [late])  # also where it stops in the middle of an answer
        alarm.daemon = True
        alarm.start()
        try:
            if question is not None:
                self.line.send(question)
            return _read(self.line.recv_bytes())
        except (EOFError, OSError) as error:
            self.process.kill()
            if late.is_set() or (PROFILE is not None and self.ended == -PROFILE):  # its processor time was over
                raise TimeoutError from error
            raise
        finally:
            alarm.cancel()

    def _kill(self, late: threading.Event) -> None:
        late.set()
        self.process.kill()

    @property
    def ended(self) -> int | None:
        """How it ended, as soon as it has."""
        self.process.join()
        return self.process.exitcode

    def end(self) -> None:
        """It is not needed any more. The other end hears the line end; the line is closed when nobody has it any
        more, since its number may belong to another file as soon as one of two threads has closed it."""
        self.process.kill()
        self.process.join()


def _read(answer: bytes) -> Any:
    try:
        return pickle.loads(answer)
    except Exception as error:
        return RuntimeError(f"A bot answered with what cannot be read: {error}")


def background(target: Callable[..., None], *args: Any, nice: int, method: str = "spawn") -> Any:
    """A process that ends with this one and knows the games and bots that this one has loaded. Signals that end a server
    are left to the server; nice: how far the process stands back."""
    begin = (registered(), nice, target, args)
    return multiprocessing.get_context(method).Process(target=_begun, args=begin, daemon=True)  # type: ignore[attr-defined]


def _begun(handed: Registered, nice: int, target: Callable[..., None], args: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with contextlib.suppress(AttributeError, OSError):
        os.nice(nice)
    handed.adopt()
    target(*args)


def work(line: Connection, others: Connection | None) -> None:
    """Greet, and answer questions until the line ends."""
    if others is not None:
        others.close()
    if PROFILE is not None:
        signal.signal(PROFILE, signal.SIG_DFL)
    threading.Thread(target=_orphaned, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        read_in()
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
    """The caller is gone, however that came: nobody needs what is thought, or compiled, here."""
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
    os._exit(0)


def read_in() -> None:
    """Nothing is left to be read when the first question comes."""
    for book in rulebooks().values():
        for language in i18n.LANGUAGES:
            i18n.catalog(book.words.__package__, language)


def _decided(name: str, packed: Packed, seconds: float) -> Decision:
    with _at_most(seconds):
        return bot(name).decide(replace(Seat.unpacked(packed), until=time.process_time() + seconds))


@contextlib.contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """The system ends this process when it has used so much processor time."""
    if PROFILE is None:
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _loaded(name: str, game: str) -> Decision:
    prepare(name, by_id(game))
    return Decision(())
