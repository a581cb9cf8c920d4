"""Work of a table that goes on beside its caller: it ends, and is waited for when the table is put away."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from outbid.server.logging import log
from outbid.server.settings import Refused

T = TypeVar("T")


class Tasks:
    """The tasks of one table. name: its id. lock: taken for what writes. ended: nothing that writes is to begin any more."""

    def __init__(self, name: str, lock: asyncio.Lock):
        self._name, self._lock = name, lock
        self.ended = False
        self._running: set[asyncio.Future[Any]] = set()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Work that ends, also if the caller is gone."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    def soon(self, act: Callable[[], Awaitable[object]], of: object) -> None:
        """Do what writes as soon as nobody else changes the table; at once, if there is no event loop. of: the table, which
        lives until it is done, for a part that acts does not keep it (parts.py)."""
        work = self._soon(act, of)
        try:
            self.start(work)
        except RuntimeError:
            asyncio.run(work)

    async def _soon(self, act: Callable[[], Awaitable[object]], of: object) -> None:
        async with self._lock:
            try:
                if not self.ended:
                    await act()
            except Refused as refusal:
                log.info("Something at table %s could not be done: %s", self._name, refusal)
            except Exception:
                log.exception("Something at table %s could not be done.", self._name)

    async def settled(self) -> None:
        """Whatever was to be done soon is done."""
        while waiting := [task for task in self._running if task is not asyncio.current_task()]:
            await asyncio.gather(*waiting, return_exceptions=True)
