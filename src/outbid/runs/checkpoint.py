"""Columns of tasks that were played, so that a run that is interrupted goes on from there.

    checkpoint = Checkpoint.beside(store.path)            # or Checkpoint.in_cache(), without a results store
    part = checkpoint.part(book.id, facts, deals, names)  # of tasks that are alike but for their keys
    part.find(task)                                       # its columns by name, or None
    part.add(task, columns)                               # written at once
    checkpoint.done()                        # the run is over: nothing is kept any more, but what was to be longer

A part is a file named by a hash of `facts`: all that its tasks depend on, so that nothing is put together that was not
played alike. It lies beside the results store, in a folder of its name and `.parts`, in the folder of an experiment, or in
the user's cache folder. Each of its lines is a task, `[key, {name: [type, shape, bytes in base64]}]`; one that cannot be
read is played again. Nobody asked for the cache: where it cannot be read or written, nothing is kept any more, and the
matches go on; what lies there for `ABANDONED` days is swept.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from outbid.core.errors import BadSetup
from outbid.core.files import cache_folder

ABANDONED = 30  # days in which nobody has gone on with what lies in the cache
Columns = Mapping[str, NDArray[Any]]


class Checkpoint:
    """What is kept of runs in a folder. fresh: drop what an earlier run left of these tasks. asked: the user wants it kept,
    so a file that cannot be read or written is an error; else nothing more is kept then (`stopped`). found: how many deals
    of earlier runs were not played again."""

    def __init__(self, folder: Path, fresh: bool = False, asked: bool = True):
        self.folder, self.fresh, self.asked = folder, fresh, asked
        self.found, self.stopped = 0, False
        self._parts: list[Part] = []
        self._dropped: set[Path] = set()

    @classmethod
    def beside(cls, store: Path, fresh: bool = False) -> Checkpoint:
        """What belongs to a results store."""
        return cls(store.with_name(f"{store.name}.parts"), fresh)

    @classmethod
    def in_cache(cls, fresh: bool = False) -> Checkpoint | None:
        """What is kept without a results store; none where the user's cache folder cannot be written."""
        folder = cache_folder() / "unfinished"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _sweep(folder)
        except OSError:
            return None
        return cls(folder, fresh, asked=False) if os.access(folder, os.W_OK) else None

    def part(self, game: str, facts: Sequence[Any], deals: int, names: Sequence[str]) -> Part:
        """What is kept of tasks. facts: JSON values, all that they depend on but their keys; deals: so many are asked for
        now; names: of their columns. Raises BadSetup."""
        digest = hashlib.sha256(json.dumps(facts).encode()).hexdigest()
        path = self.folder / f"{game}-{digest[:16]}.jsonl"
        if self.fresh and path not in self._dropped:
            with self.trying(path, "deleted"):
                path.unlink(missing_ok=True)
            self._dropped.add(path)
        self._parts.append(Part(path, deals, names, self))
        return self._parts[-1]

    @contextlib.contextmanager
    def trying(self, path: Path, done: str) -> Iterator[None]:
        """Read, write or delete a file there. Raises BadSetup if that fails and the user asked for it."""
        try:
            yield
        except OSError as error:
            if self.asked:
                raise BadSetup(f"{path} cannot be {done}: {error.strerror}.") from error
            self.stopped = True

    def done(self) -> None:
        """What was asked for is in the store."""
        for part in self._parts:
            part.done()
        self._parts.clear()
        with contextlib.suppress(OSError):  # it is not there, or holds what others have not finished
            self.folder.rmdir()


class Part:
    """A file of columns of tasks. A task has a `key`, JSON values that tell it from the others, of which the first two are
    its first deal and that after its last. home: where the file belongs."""

    def __init__(self, path: Path, deals: int, names: Sequence[str], home: Checkpoint):
        self.path, self.deals, self.names, self.home = path, deals, set(names), home
        self._one = Lock()
        self._known = {json.dumps(key): columns for key, columns in self._lines()}

    def find(self, task: Any) -> Columns | None:
        """The columns of a task that was played."""
        columns = self._known.get(json.dumps(task.key))
        if columns is None or (self.home.fresh and self.home.stopped):  # which may not have been deleted
            return None
        self.home.found += task.key[1] - task.key[0]
        return columns

    def add(self, task: Any, columns: Columns) -> None:
        """Keep the columns of a task. Raises BadSetup if they cannot be written and the user asked for it."""
        if self.home.stopped:
            return
        line = json.dumps([task.key, {name: _packed(column) for name, column in columns.items()}])
        with self.home.trying(self.path, "written"), self._one, self._opened() as file:
            file.write(f"\n{line}".encode())  # a line before it may have been cut off

    def done(self) -> None:
        """Nothing is kept any more, unless there are later deals than were asked for."""
        if all(key[0] < self.deals for key, _ in self._lines()):
            with self.home.trying(self.path, "deleted"):
                self.path.unlink(missing_ok=True)

    def _opened(self) -> IO[bytes]:
        while True:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                return self.path.open("ab", buffering=0)
            except (FileNotFoundError, FileExistsError):  # another measurement was done and has taken the folder away
                if self.path.parent.is_file():
                    raise

    def _lines(self) -> Iterator[tuple[list[Any], Columns]]:
        lines: list[bytes] = []
        with self.home.trying(self.path, "read"), contextlib.suppress(FileNotFoundError):
            lines = self.path.read_bytes().splitlines()
        for line in lines:
            with contextlib.suppress(ValueError, TypeError, RecursionError, AttributeError):
                key, packed = json.loads(line)
                columns = {
                    name: np.frombuffer(b64decode(data, validate=True), kind).reshape(shape)
                    for name, (kind, shape, data) in packed.items()
                }
                if columns.keys() >= self.names:
                    yield key, columns


def _packed(column: NDArray[Any]) -> list[Any]:
    return [column.dtype.str, column.shape, b64encode(np.ascontiguousarray(column).tobytes()).decode()]


def _sweep(folder: Path) -> None:
    """Delete what nobody has gone on with."""
    for file in folder.glob("*.jsonl"):
        with contextlib.suppress(OSError):  # another process was sooner
            if file.stat().st_mtime < time.time() - ABANDONED * 86400:
                file.unlink()
