"""A limit of time for each call of a game's function, on the plain backend: a loop that never ends is a finding.

A thread looks at the frames of the one that it watches. A function of the game that stays in its stack for `patience`
seconds does not return: the innermost such function is the one that loops, whatever it calls, and `Stuck` is raised there.
"""

import ctypes
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType

from outbid.core.rulebook import Rulebook
from outbid.testing.source import placed, within_game

PATIENCE, IMPATIENCE, LOOK = 10.0, 1.0, 0.2  # seconds; the second once something does not return
STUCK = "does not return"


class Stuck(BaseException):
    """A function of the game does not return; the message is one sentence. No rule that catches errors catches it."""


_raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc


@contextmanager
def limited(book: Rulebook, patience: float = PATIENCE) -> Iterator[None]:
    """Raises Stuck in this thread where a function of the game does not return."""
    thread, left, lock = ctypes.c_ulong(threading.get_ident()), threading.Event(), threading.Lock()
    sentences: list[str] = []

    def look() -> None:
        since: dict[FrameType, float] = {}
        while not left.wait(min(LOOK, patience / 4)):
            now, stack = monotonic(), []
            frame = sys._current_frames().get(thread.value)
            while frame is not None:
                if within_game(frame, book):
                    stack.append(frame)  # the innermost first
                frame = frame.f_back
            since = {frame: since.get(frame, now) for frame in stack}
            loops = next((frame for frame in stack if now - since[frame] > patience), None)
            with lock:
                if loops is not None and not left.is_set():
                    line = placed(loops.f_code.co_filename, loops.f_lineno)
                    sentences.append(f"{loops.f_code.co_name} ({line}) {STUCK} in {patience:g} seconds.")
                    _raise_in(thread, ctypes.py_object(Stuck))
                    return

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        try:
            yield
        finally:
            with lock:
                left.set()
            watcher.join()  # if the function has returned in the meantime, it is raised here
    except Stuck:
        raise Stuck(*sentences) from None
