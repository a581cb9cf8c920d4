"""Background work: what takes long is done beside the event loop, such as looking back at long matches and reading records.

One thread does it, one piece after the other, each time one of the address that has waited longest since its last; it gives
way to the event loop after `SWITCH` seconds, for the loop may wait so long after each of its system calls, and a move has
dozens. What it took is taken from the work of the address (rate_limits.py), and nobody may have more than `MOST` pieces
waiting.
"""

from __future__ import annotations

import asyncio
import contextvars
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from outbid.core.errors import OutbidError
from outbid.core.language import i18n
from outbid.server.rate_limits import FairQueue, Limits
from outbid.server.settings import Refused

T = TypeVar("T")

MOST = 16  # pieces of one address that wait
SWITCH = 0.0002  # seconds, while the thread works; at other times main.SWITCH
LONG = 100  # moves; with fewer, looking back takes less than handing it over is worth

_, ngettext = i18n.words("outbid")


@dataclass
class _Piece:
    work: Callable[[], Any]
    answer: asyncio.Future[Any]


class Background:
    """The thread, and what waits for it."""

    def __init__(self, limits: Limits):
        self.limits = limits
        self._thread = ThreadPoolExecutor(1, "background")
        self._waiting: FairQueue[_Piece] = FairQueue()
        self._task: asyncio.Task[None] | None = None

    async def run(self, address: str, work: Callable[[], T]) -> T:
        """What work comes to. Raises Refused if too much of this address waits already."""
        if self._waiting.of(address) >= MOST:
            raise Refused(429, _("Too much is being worked out for your address; please wait a little."), retry=5)
        context, loop = contextvars.copy_context(), asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()
        self._waiting.put(address, _Piece(lambda: context.run(work), answer))
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._work())
        try:
            return await answer
        finally:
            del answer  # with an exception it would keep itself, and the request

    async def _work(self) -> None:
        loop, usual = asyncio.get_running_loop(), sys.getswitchinterval()
        sys.setswitchinterval(min(SWITCH, usual))
        try:
            await self._work_through(loop)
        finally:
            sys.setswitchinterval(usual)

    async def _work_through(self, loop: asyncio.AbstractEventLoop) -> None:
        while self._waiting:
            address, piece = self._waiting.take()
            if piece.answer.done():  # nobody waits for it any more
                continue
            result, error, seconds = await loop.run_in_executor(self._thread, _timed, piece.work)
            self.limits.worked(address, seconds)
            if piece.answer.done():
                continue
            if error is None:
                piece.answer.set_result(result)
            else:
                piece.answer.set_exception(error)

    def close(self) -> None:
        """Nothing is begun any more."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _timed(work: Callable[[], Any]) -> tuple[Any, BaseException | None, float]:
    """What work comes to, or why it fails, and the seconds of the processor that it took."""
    begun = time.thread_time()
    try:
        return work(), None, time.thread_time() - begun
    except OutbidError as error:
        _bare(error)
        return None, error, time.thread_time() - begun
    except Exception as error:
        return None, error, time.thread_time() - begun


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
