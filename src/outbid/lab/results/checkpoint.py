"""What has been played of a measurement that is not finished yet, so that the same command goes on from there.

    unfinished = Unfinished.beside(ledger.path)                              # or Unfinished.in_cache(), without a ledger
    part = unfinished.part(book, options, players, bots, rows, seed, deals)  # for one call of `played.play`
    part.find(first, seating)                                                # shares and places of these deals, or None
    part.add(first, seating, shares, places)                                 # written at once
    unfinished.done()                        # it is in the ledger: nothing is kept any more, but what was to be longer

It lies beside the ledger, in a folder of its name and `.parts`, or in the user's cache folder; a file for each call. That is
named by a hash of all that the matches depend on: the rules, the bots and their files, the seed, the code that plays and its
nets, so that nothing is put together that was not played alike. Each of its lines is a few deals; one that cannot be read is
played again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import IO, Any

import numpy as np
import platformdirs
from numpy.typing import NDArray

from outbid.bots import strong
from outbid.bots.nets.policy import Policy, policy
from outbid.bots.nets.value import net
from outbid.core.errors import BadSetup
from outbid.core.rulebook import Rulebook
from outbid.lab.loops import matches
from outbid.lab.results.sources import files_of


class Unfinished:
    """All that is kept in a folder. fresh: what an earlier run left of these matches is dropped. found: so many deals of
    earlier runs were not played again."""

    def __init__(self, folder: Path, fresh: bool = False):
        self.folder, self.fresh, self.found = folder, fresh, 0
        self._parts: list[Part] = []
        self._dropped: set[Path] = set()

    @classmethod
    def beside(cls, ledger: Path, fresh: bool = False) -> Unfinished:
        """What belongs to a ledger."""
        return cls(ledger.with_name(f"{ledger.name}.parts"), fresh)

    @classmethod
    def in_cache(cls, fresh: bool = False) -> Unfinished | None:
        """What is kept without a ledger; none where the user's cache folder cannot be written."""
        folder = Path(platformdirs.user_cache_dir("outbid", appauthor=False)) / "unfinished"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            return None
        return cls(folder, fresh) if os.access(folder, os.W_OK) else None

    def part(
        self,
        book: Rulebook,
        options: Mapping[str, Any],
        players: int,
        bots: Sequence[str],
        rows: NDArray[Any],
        seed: int,
        deals: int,
        trained: Policy | None = None,
    ) -> Part:
        """What is kept of the matches of these bots. rows: how they think (`played.Bots`). trained: a net of one of them
        that is not shipped. Raises BadSetup."""
        from outbid.compiled.backend import source_hash

        effort = book.effort
        given = effort.unit, effort.soon, effort.opponent_types, effort.odds, effort.doubt, effort.outsiders
        thinks = strong.POINTS, strong.EVEN, strong.LITTLE, *given
        facts = [book.id, book.changed(options), players, list(bots), seed, thinks, source_hash(book, matches)]
        named = hashlib.sha256(json.dumps(facts).encode() + rows.tobytes())
        for learned in (net(book), policy(book), trained):
            named.update(b"" if learned is None else learned.weights.tobytes())
        for file in files_of(bots):
            named.update(file.read_bytes())
        path = self.folder / f"{book.id}-{named.hexdigest()[:16]}.jsonl"
        if self.fresh and path not in self._dropped:
            path.unlink(missing_ok=True)
            self._dropped.add(path)
        self._parts.append(Part(path, players, deals, self._took))
        return self._parts[-1]

    def _took(self, deals: int) -> None:
        self.found += deals

    def done(self) -> None:
        """What was asked for is in the ledger."""
        for part in self._parts:
            part.done()
        self._parts.clear()
        with contextlib.suppress(OSError):  # it is not there, or holds what others have not finished
            self.folder.rmdir()


class Part:
    """A file of deals that were played: for each line, the first of them, who sat where, and what came of it. deals: so many
    are asked for now; took: called with the number of those that were there already."""

    def __init__(self, path: Path, players: int, deals: int, took: Callable[[int], object]):
        self.path, self.players, self.deals, self.took = path, players, deals, took
        self._one = Lock()
        self._known = {_named(first, seating): came for first, seating, *came in self._lines()}

    def find(self, first: int, seating: NDArray[np.int64]) -> tuple[Any, Any] | None:
        """The shares and places of the deals from `first` on, for each turn of the table, if this seating was played."""
        known = self._known.get(_named(first, seating.tolist()))
        if known is None:
            return None
        self.took(len(seating))
        shares, places = known
        return shares, places

    def add(self, first: int, seating: NDArray[np.int64], shares: NDArray[Any], places: NDArray[Any]) -> None:
        """They have been played. Raises BadSetup if that cannot be written."""
        line = json.dumps([first, *(array.tolist() for array in (seating, shares, places))])
        try:
            with self._one, self._opened() as file:
                file.write(f"\n{line}".encode())  # a line before it may have been cut off
        except OSError as error:
            raise BadSetup(f"{self.path} cannot be written: {error.strerror}.") from error

    def done(self) -> None:
        """Nothing is kept any more, unless there are later deals than were asked for."""
        if all(first < self.deals for first, *_ in self._lines()):
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
        try:
            lines = self.path.read_bytes().splitlines()
        except FileNotFoundError:
            return
        except OSError as error:
            raise BadSetup(f"{self.path} cannot be read: {error.strerror}.") from error
        for line in lines:
            with contextlib.suppress(ValueError, TypeError, RecursionError):
                first, seating, shares, places = json.loads(line)
                shape = self.players, len(seating), self.players
                had, came = np.array(shares, float), np.array(places, np.int64)
                if had.shape == came.shape == shape and np.isfinite(had).all():
                    yield int(first), seating, had, came


def _named(first: int, seating: list[list[int]]) -> str:
    return f"{first} {seating}"
