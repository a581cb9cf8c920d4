"""What has been played of a measurement that is not finished yet, so that the same command goes on from there.

    unfinished = Unfinished(ledger.path)
    part = unfinished.part(book, options, players, bots, rows, seed)    # for one call of `played.play`
    part.find(first, seating)                                           # shares and places of these deals, or None
    part.add(first, seating, shares, places)                            # written at once
    unfinished.done()                                                   # all is in the ledger: nothing is kept any more

It lies beside the ledger, in a folder of its name and `.parts`, a file for each call. That is named by a hash of all that
the matches depend on: the rules, the bots, the seed, the code that plays and its nets, so that nothing is put together that
was not played alike. Each of its lines is a few deals; one that was cut off is played again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.bots.policy import policy
from outbid.bots.value import net
from outbid.engine.errors import BadSetup
from outbid.engine.rulebook import Rulebook
from outbid.lab import matches


class Unfinished:
    """All that is kept beside one ledger."""

    def __init__(self, ledger: Path):
        self.folder = ledger.with_name(f"{ledger.name}.parts")
        self._parts: list[Part] = []

    def part(
        self, book: Rulebook, options: Mapping[str, Any], players: int, bots: Sequence[str], rows: NDArray[Any], seed: int
    ) -> Part:
        """What is kept of the matches of these bots. rows: how they think (`played.Bots`). Raises BadSetup."""
        from outbid.engine.compiled import source_hash

        facts = [book.id, book.changed(options), players, list(bots), seed, source_hash(book, matches)]
        named = hashlib.sha256(json.dumps(facts).encode() + rows.tobytes())
        for learned in (net(book), policy(book)):
            named.update(b"" if learned is None else learned.weights.tobytes())
        self._parts.append(Part(self.folder / f"{book.id}-{named.hexdigest()[:16]}.jsonl"))
        return self._parts[-1]

    def done(self) -> None:
        """What was asked for is in the ledger."""
        for part in self._parts:
            part.path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # it is not there, or holds what others have not finished
            self.folder.rmdir()


class Part:
    """A file of deals that were played: for each line, the first of them, who sat where, and what came of it."""

    def __init__(self, path: Path):
        self.path = path
        self._known: dict[str, tuple[Any, Any]] = {}
        with contextlib.suppress(FileNotFoundError):
            for line in path.read_bytes().splitlines():
                with contextlib.suppress(ValueError):
                    first, seating, *came = json.loads(line)
                    self._known[_named(first, seating)] = came[0], came[1]

    def find(self, first: int, seating: NDArray[np.int64]) -> tuple[Any, Any] | None:
        """The shares and places of the deals from `first` on, for each turn of the table, if this seating was played."""
        return self._known.get(_named(first, seating.tolist()))

    def add(self, first: int, seating: NDArray[np.int64], shares: NDArray[Any], places: NDArray[Any]) -> None:
        """They have been played. Raises BadSetup if that cannot be written."""
        try:
            self.path.parent.mkdir(exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([first, *(array.tolist() for array in (seating, shares, places))]) + "\n")
        except OSError as error:
            raise BadSetup(f"{self.path} cannot be written: {error.strerror}.") from error


def _named(first: int, seating: list[list[int]]) -> str:
    return f"{first} {seating}"
