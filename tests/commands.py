"""The command line in a process of its own, forked from one that has read everything in (serving.py): to start Python and
read it takes three quarters of a second, longer than most commands. What a process reads in, and when, is tested with fresh
ones."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from serving import FORKING


def outbid_command(
    *arguments: Any, given: str = "", folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """`outbid …` with this on standard input, in this folder and environment (those of the test, if none is given): its exit
    code, and what it printed."""
    told = [str(one) for one in arguments]
    pipes = [os.pipe() for _ in range(3)]
    ends = [Connection(pipes[0][0], writable=False), *(Connection(writing, readable=False) for _, writing in pipes[1:])]
    process = FORKING.Process(target=_run, args=(told, *ends, dict(environment or os.environ), str(folder or Path.cwd())))
    process.start()
    for end in ends:
        end.close()
    said = ["", ""]

    def listen(n: int) -> None:
        with open(pipes[n + 1][0], encoding="utf-8", newline="") as reading:
            said[n] = reading.read()

    def tell() -> None:
        try:
            with open(pipes[0][1], "w", encoding="utf-8") as writing:
                writing.write(given)
        except BrokenPipeError:
            pass  # it reads nothing

    threads = [threading.Thread(target=tell), *(threading.Thread(target=listen, args=[n]) for n in range(2))]
    for thread in threads:
        thread.start()
    process.join(300)
    if process.exitcode is None:
        process.kill()
        process.join()
        raise subprocess.TimeoutExpired(told, 300)
    for thread in threads:
        thread.join()
    return subprocess.CompletedProcess(told, process.exitcode, *said)


def _run(
    told: list[str], given: Connection, out: Connection, errors: Connection, environment: dict[str, str], folder: str
) -> None:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, line in enumerate((given, out, errors)):
        os.dup2(line.fileno(), number)
        line.close()
    sys.stdin, sys.stdout, sys.stderr = (os.fdopen(n, "rww"[n], encoding="utf-8", closefd=False) for n in range(3))
    sys.argv = ["outbid", *told]
    from outbid.cli import main

    main()
