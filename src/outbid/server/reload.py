"""`outbid serve --reload`: the server begins again when a source, a template, a style or a catalog has changed.

For developers of pages or rules. The server runs in a process of its own; its tables are in the database, so that open
pages find them again.
"""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import outbid
from outbid.core.rulebook import GAMES

SUFFIXES = {".py", ".html", ".css", ".js", ".po", ".md", ".npz"}
EVERY = 0.5  # seconds between two looks
LAST = 10  # seconds in which a server has to end


def watched() -> Iterator[Path]:
    """What a server is made of: the package, and games of files."""
    yield from (path for path in Path(outbid.__path__[0]).rglob("*") if path.suffix in SUFFIXES)
    yield from map(Path, GAMES.files)


def stamps() -> dict[Path, int]:
    """When each file was last changed; one that has just gone is left out."""
    times = {}
    for path in watched():
        try:
            times[path] = path.stat().st_mtime_ns
        except OSError:
            continue
    return times


def changed(before: dict[Path, int], after: dict[Path, int]) -> list[Path]:
    """The files that are new, other ones or gone."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def supervise(arguments: Sequence[str]) -> int:
    """Run `outbid` with these arguments, anew after each change, until it ends or is interrupted; its exit status."""
    before = stamps()
    while True:
        child = subprocess.Popen([sys.executable, "-c", "from outbid.cli import main; main()", *arguments])
        try:
            while child.poll() is None and not (news := changed(before, after := stamps())):
                time.sleep(EVERY)
            if child.returncode is not None:
                return child.returncode
            before = after
            shown = news[0].name + (f" and {len(news) - 1} more" if len(news) > 1 else "")
            print(f"{shown} changed: the server begins again.", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            return 0
        finally:
            if child.poll() is None:
                child.terminate()
                try:
                    child.wait(LAST)
                except subprocess.TimeoutExpired:
                    child.kill()
                    child.wait()
