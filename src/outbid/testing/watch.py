"""A limit of time for each call of a game's function, on the plain backend: a loop that never ends is a finding.

A thread looks at the frames of those that it watches. A function of the game that stays in a stack for `patience` seconds
does not return: the innermost such function is the one that loops, whatever it calls, and `Stuck` is raised there.
"""

import ctypes
import gc
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, sleep
from types import FrameType

from outbid.testing.source import placed

PATIENCE, IMPATIENCE, LOOK = 10.0, 1.0, 0.2  # seconds; the second once something does not return
STUCK = "does not return"


class Stuck(BaseException):
    """A function of the game does not return; the message is one sentence. No rule that catches errors catches it."""


_raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc


class Lookout:
    """Raises Stuck in a thread where a function does not return in so many seconds. inside: whether a frame is of such a
    function; thread: the only one that is watched."""

    def __init__(self, inside: Callable[[FrameType], bool], patience: float, thread: int | None = None):
        self.inside, self.patience, self.thread = inside, patience, thread
        self._since: dict[FrameType, float] = {}

    def look(self) -> None:
        """Look at what runs now."""
        collects = gc.isenabled()
        gc.disable()  # in CPython 3.11 a collection in the middle of `f_back` lets the watched thread free what is looked at
        try:
            now, frames = monotonic(), sys._current_frames()
            stacks = {thread: self._stack(frames[thread]) for thread in frames if self.thread in (None, thread)}
        finally:
            if collects:
                gc.enable()
        self._since = {frame: self._since.get(frame, now) for stack in stacks.values() for frame in stack}
        for thread, stack in stacks.items():
            loops = next((frame for frame in stack if now - self._since[frame] > self.patience), None)
            if loops is not None:
                line = placed(loops.f_code.co_filename, loops.f_lineno)
                sentence = f"{loops.f_code.co_name} ({line}) {STUCK} in {self.patience:g} seconds."
                told = type("Stuck", (Stuck,), {"__init__": lambda self, sentence=sentence: Stuck.__init__(self, sentence)})
                _raise_in(ctypes.c_ulong(thread), ctypes.py_object(told))
                self._since.update(dict.fromkeys(stack, now))

    def _stack(self, frame: FrameType | None) -> list[FrameType]:
        """The frames that are watched, the innermost first."""
        stack = []
        while frame is not None:
            if self.inside(frame):
                stack.append(frame)
            frame = frame.f_back
        return stack


@contextmanager
def limited(inside: Callable[[FrameType], bool], patience: float = PATIENCE) -> Iterator[None]:
    """Raises Stuck in this thread where a function, of which `inside` says which they are, does not return."""
    watch, left, lock = Lookout(inside, patience, threading.get_ident()), threading.Event(), threading.Lock()

    def look() -> None:
        while not left.wait(min(LOOK, patience / 4)):
            with lock:
                if not left.is_set():
                    watch.look()

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        with lock:
            left.set()
        watcher.join()  # if the function has returned in the meantime, it is raised here


def always(inside: Callable[[FrameType], bool], patience: float) -> None:
    """Limit every thread from now on."""
    watch = Lookout(inside, patience)

    def look() -> None:
        while True:
            sleep(LOOK)
            watch.look()

    threading.Thread(target=look, daemon=True).start()
