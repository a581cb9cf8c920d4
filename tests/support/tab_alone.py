"""A program that has what a browser tab has: no NumPy, no compiler, no threads, no processes; run as a module in tests.

    python -m tests.support.tab_alone DATABASE BASE SCRIPT    SCRIPT: the name of a coroutine function in tab_scripts.py
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from typing import Any, NoReturn

ABSENT = ("numpy", "numba", "argon2", "cryptography", "prometheus_client", "uvicorn", "multiprocessing", "httpx", "segno")


class AtOnce(asyncio.SelectorEventLoop):
    """Does at once what would be done in another thread, as Pyodide's event loop does."""

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> Any:  # type: ignore[override]
        """What a function comes to."""
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        return future


def forbid() -> None:
    """From now on nothing is there that a tab does not have."""

    def none(*_args: object, **_more: object) -> NoReturn:
        raise RuntimeError("can't start new thread")

    sys.modules.update(dict.fromkeys(ABSENT))  # type: ignore[arg-type]  # importing them fails
    threading.Thread.start = none  # type: ignore[method-assign]


if __name__ == "__main__":
    forbid()
    from tests.support import tab_scripts

    database, base, name = sys.argv[1:4]
    with asyncio.Runner(loop_factory=AtOnce) as runner:
        runner.run(getattr(tab_scripts, name)(database, base, *sys.argv[4:]))
