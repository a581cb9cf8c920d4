"""Matches that were played before, as the company of a run: those of people at a table server, or of another program.

    seats = ["records@friday.jsonl"]                     # deal k is the k-th match of the file that fits
    fitting(book, options, players, "records@friday.jsonl")
    groups(path)                                         # what a file holds, by game, rules and number of players

A match fits if it is over and was played by the same options with as many seats. Records are read as everywhere: every move
is replayed, and a bad one is refused with its number.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from outbid.core.errors import BadSetup, OutbidError
from outbid.core.match import Match
from outbid.core.record import read_record, records
from outbid.core.rulebook import Rulebook
from outbid.runs.replay import replay
from outbid.runs.sources import RECORDS, written

NO_SEED = -1  # in a table of matches: it was not dealt from a seed


@dataclass(frozen=True)
class Read:
    """A finished match of a file, and its moves as the record has them, with what it says beside them."""

    match: Match
    moves: tuple[Mapping[str, Any], ...]

    @property
    def group(self) -> tuple[str, str, int]:
        """Game, options as JSON, number of players."""
        return self.match.rulebook.id, json.dumps(dict(self.match.options), sort_keys=True), self.match.state.players


def is_recorded(seats: Sequence[str]) -> bool:
    """Whether a company is a file of records."""
    return any(name.startswith(RECORDS) for name in seats)


def read(path: Path) -> tuple[Read, ...]:
    """All finished matches of a file, in its order. Raises BadSetup with the number of the first bad record."""
    if not path.is_file():
        raise BadSetup(f"There is no file {path} of records.")
    if not path.stat().st_size:
        raise BadSetup(f"{path} has no records.")
    return _read(path, written([path]))


@lru_cache(maxsize=4)
def _read(path: Path, _when: tuple[int, ...]) -> tuple[Read, ...]:
    found = []
    for number, record in records(path):
        try:
            match = read_record(record)
        except OutbidError as error:
            raise BadSetup(f"{path}, record {number}: {error}") from error
        if match.over:
            found.append(Read(match, tuple(record["moves"])))
    return tuple(found)


def groups(path: Path) -> dict[tuple[str, str, int], list[Read]]:
    """The matches of a file by game, options and number of players, most of them first. Raises BadSetup."""
    found: dict[tuple[str, str, int], list[Read]] = {}
    for one in read(path):
        found.setdefault(one.group, []).append(one)
    return dict(sorted(found.items(), key=lambda pair: -len(pair[1])))


def fitting(book: Rulebook, options: Mapping[str, Any], players: int, name: str) -> list[Match]:
    """The matches of `records@FILE` that were played by these rules. Raises BadSetup."""
    wanted = book.id, json.dumps(dict(book.changed(options)), sort_keys=True), players
    return [one.match for one in read(Path(name.removeprefix(RECORDS)).expanduser()) if one.group == wanted]


def match_of(book: Rulebook, options: Mapping[str, Any], names: Sequence[str], seed: int, number: int) -> Match:
    """The match with this number of a company: read, or played by its bots."""
    if is_recorded(names):
        return fitting(book, options, len(names), names[0])[number]
    return replay(book, options, names, seed, number)
