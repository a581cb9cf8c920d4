"""Matches that were played before, as the company of a run: those of people at a table server, or of another program.

    seats = ["records@friday.jsonl"]                     # deal k is the k-th match of the file that fits
    fitting(book, options, players, "records@friday.jsonl")
    groups(path)                                         # what a file holds, by game, rules and number of players
    pace(matches)                                        # how long their players took, if the records say

A match fits if it is over and was played by the same options with as many seats, and no move of it says that a bot made it
(`by`): people and bots are never mixed. Records are read as everywhere: every move
is replayed, and a bad one is refused with its number. The only sign of time is what `at` beside a move says: seconds since
the match began, which `outbid admin export --for-lab` writes.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from outbid.core import contract
from outbid.core.errors import BadSetup, OutbidError
from outbid.core.match import Match
from outbid.core.record import read_record, records
from outbid.core.rulebook import Rulebook
from outbid.runs.replay import replay
from outbid.runs.sources import RECORDS, written

NO_SEED = -1  # in a table of matches: it was not dealt from a seed
BREAK = 300.0  # seconds: who takes longer has left the table, and says nothing of how long a move takes
FEWEST = 100  # moves from which a pace is told


@dataclass(frozen=True)
class RecordedMatch:
    """A finished match of a file, and its moves as the record has them, with what it says beside them."""

    match: Match
    moves: tuple[Mapping[str, Any], ...]

    @property
    def group(self) -> tuple[str, str, int]:
        """Game, options as JSON, number of players."""
        return self.match.rulebook.id, json.dumps(dict(self.match.options), sort_keys=True), self.match.state.players

    @property
    def mixed(self) -> bool:
        """Whether a bot made some of its moves, as the record says."""
        return any("by" in move for move in self.moves)


def is_recorded(seats: Sequence[str]) -> bool:
    """Whether a company is a file of records."""
    return any(name.startswith(RECORDS) for name in seats)


def read(path: Path) -> tuple[RecordedMatch, ...]:
    """All finished matches of a file, in its order. Raises BadSetup with the number of the first bad record."""
    if not path.is_file():
        raise BadSetup(f"There is no file {path} of records.")
    if not path.stat().st_size:
        raise BadSetup(f"{path} has no records.")
    return _read(path, written([path]))


@lru_cache(maxsize=4)
def _read(path: Path, _when: tuple[int, ...]) -> tuple[RecordedMatch, ...]:
    matches = []
    for number, record in records(path):
        try:
            match = read_record(record)
        except OutbidError as error:
            raise BadSetup(f"{path}, record {number}: {error}") from error
        if match.over:
            matches.append(RecordedMatch(match, tuple(record["moves"])))
    return tuple(matches)


def groups(path: Path) -> dict[tuple[str, str, int], list[RecordedMatch]]:
    """The matches of a file by game, options and number of players, most of them first. Raises BadSetup."""
    by_group: dict[tuple[str, str, int], list[RecordedMatch]] = {}
    for match in read(path):
        by_group.setdefault(match.group, []).append(match)
    return dict(sorted(by_group.items(), key=lambda pair: -len(pair[1])))


def fitting(book: Rulebook, options: Mapping[str, Any], players: int, name: str) -> list[Match]:
    """The matches of `records@FILE` that were played by these rules. Raises BadSetup."""
    wanted = book.id, json.dumps(dict(book.changed(options)), sort_keys=True), players
    matches = read(Path(name.removeprefix(RECORDS)).expanduser())
    return [read.match for read in matches if read.group == wanted and not read.mixed]


def check(book: Rulebook, options: Mapping[str, Any], players: int, name: str, deals: int) -> None:
    """Refuse an experiment that asks for more matches than a file has. Raises BadSetup."""
    number = len(fitting(book, options, players, name))
    if number < deals:
        raise BadSetup(
            f"{name.removeprefix(RECORDS)} has {number} finished matches of {book.title} for {players} by these rules, and "
            f"deals is {deals}; it must be {number} or fewer." if number else
            f"{name.removeprefix(RECORDS)} has no finished match of {book.title} for {players} by these rules."
        )  # fmt: skip


def match_of(book: Rulebook, options: Mapping[str, Any], names: Sequence[str], seed: int, number: int) -> Match:
    """The match with this number of a company: read, or played by its bots."""
    if is_recorded(names):
        return fitting(book, options, len(names), names[0])[number]
    return replay(book, options, names, seed, number)


# --- how long people take ---------------------------------------------------------------------------------------------


def pace(matches: Sequence[RecordedMatch]) -> tuple[float, float] | None:
    """Seconds for a move and for each halving of its choices, fitted to what the records say (least squares, none negative);
    none where fewer than FEWEST moves have a time. Left out are moves while others were asked, too, those that a bot made
    (`by`), and those that took longer than BREAK."""
    took = np.array([times for read in matches for times in _times(read)]).reshape(-1, 2)
    if len(took) < FEWEST:
        return None
    bits, seconds = took.T
    spread = float(((bits - bits.mean()) ** 2).sum())
    bit = float(((bits - bits.mean()) * (seconds - seconds.mean())).sum()) / spread if spread > 0 else 0.0
    bit = max(0.0, bit)
    move = float(seconds.mean() - bit * bits.mean())
    if move < 0:
        move, bit = 0.0, float((bits * seconds).sum() / (bits * bits).sum())
    return round(move, 2), round(bit, 2)


def _times(read: RecordedMatch) -> Iterator[tuple[float, float]]:
    """Of each move of one asked player: the binary logarithm of its choices, summed over its steps, and its seconds."""
    match, before = read.match, 0.0
    record, state, out = read.moves, match.at(0).state.copy(), [0] * match.rulebook.actions
    for k, move in enumerate(match.moves):
        seat = contract.CLOCK if move["seat"] is None else move["seat"]
        alone = contract.asked(state) == 1 << seat
        choice, bits = {key: value for key, value in move.items() if key != "seat"}, 0.0
        for action in match.rulebook.words.steps(state, seat, choice):
            if alone:
                bits += float(np.log2(max(1, contract.legal(state, seat, out))))
            contract.apply(state, seat, action)
        now = record[k].get("at")
        if not isinstance(now, int | float):
            return
        if alone and k > 0 and "by" not in record[k] and 0 <= now - before <= BREAK:
            yield bits, now - before
        before = float(now)

