"""`outbid serve --reload`: the server begins again when a source, a template, a style or a catalog has changed.

For developers of pages or rules. The server runs in a process of its own; its tables are in the database, so that open
pages find them again.
"""

import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import outbid
from outbid.core.rulebook import GAMES

SUFFIXES = {".py", ".html", ".css", ".js", ".po", ".md", ".npz"}
EVERY = 0.5  # seconds between two looks
LAST = 10  # seconds in which a server has to end


def watched() -> Iterator[Path]:
    """What a server is made of: the package, games of files, and what lies beside these."""
    yield from (path for path in Path(outbid.__path__[0]).rglob("*") if path.suffix in SUFFIXES)
    for folder in {Path(file).parent for file in GAMES.files}:
        yield from (path for path in folder.glob("*") if path.suffix in SUFFIXES)


def stamps() -> dict[Path, tuple[int, ...]]:
    """When each file was last changed, how long it is and which; one that has just gone is left out."""
    times: dict[Path, tuple[int, ...]] = {}
    for path in watched():
        with contextlib.suppress(OSError):
            facts = path.stat()
            times[path] = facts.st_mtime_ns, facts.st_size, facts.st_ino
    return times


def changed(before: dict[Path, tuple[int, ...]], after: dict[Path, tuple[int, ...]]) -> list[Path]:
    """The files that are new, other ones or gone."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def command_line(*arguments: str) -> list[str]:
    """The command `outbid` with these arguments, as a process of its own."""
    return [sys.executable, "-c", "from outbid.cli import main; main()", *arguments]


def looks(going: Callable[[], bool]) -> Iterator[list[Path]]:
    """The files that have changed at each look, as long as it is going."""
    before = stamps()
    while going():
        time.sleep(EVERY)
        after = stamps()
        yield changed(before, after)
        before = after


def told(news: Sequence[Path]) -> None:
    """Say why a server begins again."""
    shown = news[0].name + (f" and {len(news) - 1} more" if len(news) > 1 else "")
    print(f"{shown} changed: the server begins again.", file=sys.stderr, flush=True)


def ended(child: subprocess.Popen[bytes]) -> None:
    """End a process, and wait until it has ended."""
    if child.poll() is None:
        child.terminate()
        try:
            child.wait(LAST)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def supervise(command: Sequence[str]) -> int:
    """Run a server, anew after each change, until it ends or is interrupted; its exit status."""
    while True:
        child = subprocess.Popen(command)
        try:
            news = next(filter(None, looks(lambda: child.poll() is None)), None)  # noqa: B023
            if news is None:
                return child.returncode
            told(news)
        except KeyboardInterrupt:
            return 0
        finally:
            ended(child)
