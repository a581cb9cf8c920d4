"""What has been played of a measurement that is not finished yet, so that the same command goes on from there.

    checkpoint = Checkpoint.beside(store.path)                               # or Checkpoint.in_cache(), without a store
    part = checkpoint.part(book, options, players, bots, seed, deals, alike)  # for one call of `runner.play`
    part.find(first, seating)                                                # shares and places of these deals, or None
    part.add(first, seating, shares, places)                                 # written at once
    checkpoint.done()                        # it is in the store: nothing is kept any more, but what was to be longer

It lies beside the results store, in a folder of its name and `.parts`, or in the user's cache folder; a file for each call.
That is named by a hash of all that the matches depend on: the rules, the bots and their files, the seed, the code that plays
and its nets (`runner.depends_on`), so that nothing is put together that was not played alike. Each of its lines is a few
deals; one that cannot be read is played again. Nobody asked for the cache: where it cannot be read or written, nothing is
kept any more, and the matches go on; what lies there for `ABANDONED` days is swept.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import IO, Any

import numpy as np
import platformdirs
from numpy.typing import NDArray

from outbid.core.errors import BadSetup
from outbid.core.rulebook import Rulebook

ABANDONED = 30  # days in which nobody has gone on with what lies in the cache


class Checkpoint:
    """What is kept of measurements in a folder. fresh: drop what an earlier run left of these matches. asked: the user wants
    it kept, so a file that cannot be read or written is an error; else nothing more is kept then (`stopped`). found: how
    many deals of earlier runs were not played again."""

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
        folder = Path(platformdirs.user_cache_dir("outbid", appauthor=False)) / "unfinished"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _sweep(folder)
        except OSError:
            return None
        return cls(folder, fresh, asked=False) if os.access(folder, os.W_OK) else None

    def part(
        self,
        book: Rulebook,
        options: Mapping[str, Any],
        players: int,
        bots: Sequence[str],
        seed: int,
        deals: int,
        alike: str,
    ) -> Part:
        """What is kept of the matches of these bots. alike: the hash of whatever else they depend on
        (`runner.depends_on`). Raises BadSetup."""
        facts = [book.id, book.changed(options), players, list(bots), seed, alike]
        named = hashlib.sha256(json.dumps(facts).encode()).hexdigest()
        path = self.folder / f"{book.id}-{named[:16]}.jsonl"
        if self.fresh and path not in self._dropped:
            with self.trying(path, "deleted"):
                path.unlink(missing_ok=True)
            self._dropped.add(path)
        self._parts.append(Part(path, players, deals, self))
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
    """A file of deals that were played: for each line, the first of them, who sat where, and the result. deals: so many
    are asked for now; home: where it belongs."""

    def __init__(self, path: Path, players: int, deals: int, home: Checkpoint):
        self.path, self.players, self.deals, self.home = path, players, deals, home
        self._one = Lock()
        self._known = {_named(first, seating): came for first, seating, *came in self._lines()}

    def find(self, first: int, seating: NDArray[np.int64]) -> tuple[Any, Any] | None:
        """The shares and places, (P, deals, P) both, of the deals from `first` on, for each turn of the table, if this
        seating, (deals, P), was played."""
        known = self._known.get(_named(first, seating.tolist()))
        if known is None or (self.home.fresh and self.home.stopped):  # which may not have been deleted
            return None
        self.home.found += len(seating)
        shares, places = known
        return shares, places

    def add(self, first: int, seating: NDArray[np.int64], shares: NDArray[Any], places: NDArray[Any]) -> None:
        """They have been played. Raises BadSetup if that is to be written and cannot be."""
        if self.home.stopped:
            return
        line = json.dumps([first, *(array.tolist() for array in (seating, shares, places))])
        with self.home.trying(self.path, "written"), self._one, self._opened() as file:
            file.write(f"\n{line}".encode())  # a line before it may have been cut off

    def done(self) -> None:
        """Nothing is kept any more, unless there are later deals than were asked for."""
        if all(first < self.deals for first, *_ in self._lines()):
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

    def _lines(self) -> Iterator[tuple[int, Any, NDArray[Any], NDArray[Any]]]:
        lines: list[bytes] = []
        with self.home.trying(self.path, "read"), contextlib.suppress(FileNotFoundError):
            lines = self.path.read_bytes().splitlines()
        for line in lines:
            with contextlib.suppress(ValueError, TypeError, RecursionError):
                first, seating, shares, places = json.loads(line)
                shape = self.players, len(seating), self.players
                had, came = np.array(shares, float), np.array(places, np.int64)
                if had.shape == came.shape == shape and np.isfinite(had).all():
                    yield int(first), seating, had, came


def _sweep(folder: Path) -> None:
    """Delete what nobody has gone on with."""
    for file in folder.glob("*.jsonl"):
        with contextlib.suppress(OSError):  # another process was sooner
            if file.stat().st_mtime < time.time() - ABANDONED * 86400:
                file.unlink()


def _named(first: int, seating: list[list[int]]) -> str:
    return f"{first} {seating}"
