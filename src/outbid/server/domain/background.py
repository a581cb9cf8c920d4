"""Background work: what takes long is done beside the event loop, such as looking back at long matches and reading records.

Of each address one piece is done at a time, and of all of them `THREADS`, each time one of the address that has waited
longest since its last: the longest record takes seconds, and keeps only its own address waiting. The threads give way to
the event loop after `SWITCH` seconds, for the loop may wait so long after each of its system calls, and a move has dozens.
What a piece took is taken from the work of its address (rate_limits.py), which may have `MOST` pieces waiting.
"""

from __future__ import annotations

import asyncio
import contextvars
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from outbid.core.errors import OutbidError
from outbid.core.language.i18n import _
from outbid.server.rate_limits import FairQueue, Limits, spent_time
from outbid.server.settings import Refused

T = TypeVar("T")

THREADS = 4
MOST = 16  # pieces of one address that wait or are being done
SWITCH = 0.0002  # seconds, while a thread works; at other times main.SWITCH
LONG = 100  # moves; with fewer, looking back takes less than handing it over is worth


@dataclass
class _Piece:
    work: Callable[[], Any]
    answer: asyncio.Future[Any]


class Background:
    """The threads, and what waits for them."""

    def __init__(self, limits: Limits):
        self.limits = limits
        self._threads = ThreadPoolExecutor(THREADS, "background")
        self._waiting: FairQueue[_Piece] = FairQueue()
        self._served: set[str] = set()  # addresses of which a piece is being done
        self._usual = sys.getswitchinterval()
        self._closed = False

    async def run(self, address: str, work: Callable[[], T]) -> T:
        """What work comes to. Raises Refused if too much of this address waits already, CancelledError after `close`."""
        if self._closed:
            raise asyncio.CancelledError
        if self._waiting.of(address) + (address in self._served) >= MOST:
            raise Refused(429, _("Too much is being worked out for your address; please wait a little."), retry=5)
        context, loop = contextvars.copy_context(), asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()
        self._waiting.put(address, _Piece(lambda: context.run(work), answer))
        self._begin(loop)
        try:
            return await answer
        finally:
            del answer  # with an exception it would keep itself, and the request

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin what may be begun."""
        while not self._closed and len(self._served) < THREADS and self._waiting.addresses - self._served:
            address, piece = self._waiting.take(self._served)
            if piece.answer.done():  # nobody waits for it any more
                continue
            if not self._served:
                self._usual = sys.getswitchinterval()
                sys.setswitchinterval(min(SWITCH, self._usual))
            self._served.add(address)
            timed = loop.run_in_executor(self._threads, _timed, piece.work)
            timed.add_done_callback(partial(self._end, loop, address, piece))

    def _end(self, loop: asyncio.AbstractEventLoop, address: str, piece: _Piece, timed: asyncio.Future[_Timed]) -> None:
        """A piece is done."""
        self._served.discard(address)
        if not self._served:
            sys.setswitchinterval(self._usual)
        if timed.cancelled():  # by `close`, before a thread had it
            piece.answer.cancel()
            return
        result, error, seconds = timed.result()
        self.limits.worked(address, seconds)
        if not piece.answer.done():
            piece.answer.set_result(result) if error is None else piece.answer.set_exception(error)
        self._begin(loop)

    def close(self) -> None:
        """Begin nothing any more. What has begun is done to its end; who waits for the rest is cancelled."""
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for piece in self._waiting:
            piece.answer.cancel()


_Timed = tuple[Any, BaseException | None, float]


def _timed(work: Callable[[], Any]) -> _Timed:
    """What work comes to, or why it fails, and the seconds of the processor that it took."""
    begun = spent_time()
    try:
        return work(), None, spent_time() - begun
    except OutbidError as error:
        _bare(error)
        return None, error, spent_time() - begun
    except Exception as error:
        return None, error, spent_time() - begun


def _bare(error: BaseException) -> None:
    """A refusal keeps nothing of what was read: where it came about would be kept with it until garbage is looked for."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        cause = waiting.pop()
        if cause is not None and id(cause) not in seen:
            seen.add(id(cause))
            cause.__traceback__ = None
            waiting += [cause.__cause__, cause.__context__]
