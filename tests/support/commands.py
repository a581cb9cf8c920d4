"""The command line in a process of its own, forked from one that has read everything in (serving.py): to start Python and
read it takes three quarters of a second, longer than most commands. What a process reads in, and when, is tested with fresh
ones."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.support.serving import FORKING, ends_with_its_parent


class Command:
    """A running `outbid …`, to be used as a `subprocess.Popen` that speaks text over three pipes. keyboard: what it reads
    instead of the first one."""

    def __init__(
        self,
        *arguments: Any,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        keyboard: int | None = None,
    ):
        told = [str(one) for one in arguments]
        (stdout, out), (stderr, errors) = (os.pipe() for _ in range(2))
        given, stdin = os.pipe() if keyboard is None else (os.dup(keyboard), None)
        ends = Connection(given, writable=False), Connection(out, readable=False), Connection(errors, readable=False)
        self._process = FORKING.Process(
            target=_run, args=(told, *ends, dict(environment or os.environ), str(folder or Path.cwd()))
        )
        self._process.start()
        for end in ends:
            end.close()
        self.stdin = None if stdin is None else os.fdopen(stdin, "w", 1, encoding="utf-8")
        self.stdout, self.stderr = os.fdopen(stdout, encoding="utf-8"), os.fdopen(stderr, encoding="utf-8")
        self.pid: int = self._process.pid or 0
        self.args = told

    @property
    def returncode(self) -> int | None:
        """How it ended, if it has."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """As Popen does."""
        return self._process.exitcode

    def communicate(self) -> tuple[str, str]:
        """All that it still prints."""
        return self.stdout.read(), self.stderr.read()

    def kill(self) -> None:
        """It ends at once."""
        self._process.kill()

    def send_signal(self, number: int) -> None:
        """As Popen does."""
        if self._process.exitcode is None:
            os.kill(self.pid, number)

    def wait(self, timeout: float | None = None) -> int:
        """How it ended. Raises TimeoutExpired."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return self._process.exitcode


@contextlib.contextmanager
def started(command: Sequence[str], **how: Any) -> Iterator[Any]:
    """A `subprocess.Popen` that is killed where the test fails; by itself it would wait for the end of the process."""
    with subprocess.Popen(command, **how) as process:
        try:
            yield process
        except BaseException:
            process.kill()
            raise


def outbid_command(
    *arguments: Any, given: str = "", folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """`outbid …` with this on standard input, in this folder and environment (those of the test, if none is given): its exit
    code, and what it printed."""
    command = Command(*arguments, folder=folder, environment=environment)
    said = ["", ""]

    def tell() -> None:
        assert command.stdin
        try:
            with command.stdin as writing:
                writing.write(given)
        except BrokenPipeError:
            pass  # it reads nothing

    def listen(n: int, reading: Any) -> None:
        with reading:
            said[n] = reading.read()

    threads = [threading.Thread(target=tell)]
    threads += [threading.Thread(target=listen, args=one) for one in enumerate((command.stdout, command.stderr))]
    for thread in threads:
        thread.start()
    try:
        command.wait(300)
    finally:
        command.kill()
        for thread in threads:
            thread.join()
    return subprocess.CompletedProcess(command.args, command.wait(), *said)


def _run(
    told: list[str], given: Connection, out: Connection, errors: Connection, environment: dict[str, str], folder: str
) -> None:
    ends_with_its_parent()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, line in enumerate((given, out, errors)):
        os.dup2(line.fileno(), number)
        line.close()
    sys.stdin, sys.stdout = (os.fdopen(n, "rw"[n], encoding="utf-8", closefd=False) for n in range(2))
    sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)  # line by line
    sys.argv = ["outbid", *told]
    from outbid.cli import main
    from tests.support import preloaded

    preloaded.without_tables()
    main()
