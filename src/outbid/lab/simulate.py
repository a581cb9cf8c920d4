"""Play many matches among bots and sum the results up.

Match m of a simulation depends on the seed, on m and on the bots, never on threads or backend (runs/blocks.py). Sums are
whole numbers, so that the same simulation gives the same summary to the last digit.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import IO, Any

from outbid.bots import load_bot
from outbid.core.errors import BadSetup
from outbid.core.language.names import numbered
from outbid.core.language.phrases import plural
from outbid.core.rulebook import Rulebook, check_seed
from outbid.core.rulebook import rulebook as rulebook_of
from outbid.lab.shares import Share, share_from
from outbid.runs.blocks import Block, code_of, play_tallies, tallies
from outbid.runs.executor import Pool, executor
from outbid.runs.loops.observed import contest
from outbid.runs.replay import replay
from outbid.runs.sources import where

CHUNK = 512  # matches in one call of the compiled loop
FEW = 50  # fewer matches than these are not worth the ten seconds that compiling takes …
HANDFUL = 8  # … and fewer than these not the second that loading compiled code takes
VICTORY = 60  # a victory in parts, so that each of up to six winners has a whole number of them

Rows = list[list[int]]


@dataclass(frozen=True)
class Mean:
    """A mean and its standard error; one match has none."""

    mean: float
    error: float | None

    def __str__(self) -> str:
        return f"{self.mean:,.1f} ± {'—' if self.error is None else f'{self.error:,.1f}'}"


@dataclass(frozen=True)
class SummaryLine:
    """The results of one seat, or of all seats of one bot: its part of the victories, its mean score and moves a match.

    seats: the seats it is about. share: of all victories, ties split, with its interval. score, moves: means of these seats.
    """

    name: str
    seats: tuple[int, ...]
    share: Share
    score: Mean
    moves: float

    def as_dict(self) -> dict[str, Any]:
        """The line as values of JSON."""
        return {
            "name": self.name,
            "seats": list(self.seats),
            "share": self.share.mean,
            "share_error": self.share.error,
            "share_low": self.share.low,
            "share_high": self.share.high,
            "score": self.score.mean,
            "score_error": self.score.error,
            "moves": self.moves,
        }


@dataclass(frozen=True)
class Summary:
    """What a simulation showed.

    bots, seats: a `Line` for each name, for each seat. steps, moves: means a match, the clock's acts included.
    shared: share of the matches with several winners. unfinished: matches stopped at the bound, which no player won."""

    game: str
    options: Mapping[str, Any]
    players: int
    games: int
    seed: int
    bots: tuple[SummaryLine, ...]
    seats: tuple[SummaryLine, ...]
    steps: float
    moves: float
    shared: Share
    unfinished: int

    def as_dict(self) -> dict[str, Any]:
        """The summary as values of JSON."""
        lines = {"bots": [line.as_dict() for line in self.bots], "seats": [line.as_dict() for line in self.seats]}
        shared = {"shared": self.shared.mean, "shared_low": self.shared.low, "shared_high": self.shared.high}
        return {**vars(self), "options": dict(self.options), **lines, **shared}

    def as_text(self) -> str:
        """A table for people."""
        changed = "".join(f", {name} = {json.dumps(value)}" for name, value in self.options.items())
        rows = [("", "seats", "victories (95 %)", "score", "moves")]
        rows += [_cells(line.name, ", ".join(map(str, line.seats)), line) for line in self.bots]
        if len(self.bots) < len(self.seats):
            rows += [_cells(f"  seat {line.seats[0]}", line.name, line) for line in self.seats]
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        table = [
            f"{row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  "
            + "  ".join(f"{cell:>{width}}" for cell, width in zip(row[2:], widths[2:], strict=True))
            for row in rows
        ]
        facts = [
            f"{rulebook_of(self.game).title}, {self.players} players, {plural(self.games, 'match', 'matches')}, "
            f"seed {self.seed}{changed}",
            *table,
            f"A match has {self.moves:,.1f} moves in {self.steps:,.1f} steps; {self.shared} end in a shared victory.",
        ]
        if self.unfinished:
            facts.append(f"{self.unfinished:,} were stopped unfinished, at the bound `longest`; nobody won them.")
        return "\n".join(line.rstrip() for line in facts)


def _cells(name: str, about: str, line: SummaryLine) -> tuple[str, str, str, str, str]:
    return name, about, str(line.share), str(line.score), f"{line.moves:,.1f}"


def simulate(
    rulebook: Rulebook,
    options: Mapping[str, Any],
    players: int,
    games: int,
    seed: int,
    bots: Sequence[str],
    progress: Callable[[int], object] | None = None,
    threads: int | None = None,
    backend: str | None = None,
    pool: Pool | None = None,
) -> Summary:
    """Play `games` matches. bots: one name per seat; fewer are repeated round the table.

    progress is called with the number of matches done since it was last called. threads: all processors if None.
    backend: "plain", "compiled", or None for the sooner one. pool: a cluster (executor.py), with the same result. Raises
    BadSetup, BadOption."""
    names = seat_bots(rulebook, players, bots, options)
    check_seed(seed)
    if games < 1:
        raise BadSetup(f"{games} matches cannot be simulated; there must be at least one.")
    rows = results(rulebook, options, names, games, seed, progress, threads, backend, pool)
    return summary(rulebook, options, names, seed, rows)


def seat_bots(
    rulebook: Rulebook, players: int, bots: Sequence[str], options: Mapping[str, Any] | None = None
) -> list[str]:
    """One bot name for each seat. Raises BadSetup."""
    rulebook.check_players(players, options)
    if not 1 <= len(bots) <= players:
        raise BadSetup(f"There must be one to {players} bots for {players} seats, not {len(bots)}.")
    for name in bots:
        load_bot(name, rulebook)
    return [bots[seat % len(bots)] for seat in range(players)]


def results(
    rulebook: Rulebook,
    options: Mapping[str, Any],
    names: Sequence[str],
    games: int,
    seed: int,
    progress: Callable[[int], object] | None = None,
    threads: int | None = None,
    backend: str | None = None,
    pool: Pool | None = None,
) -> Rows:
    """The rows of `loops.columns`, in the order of the matches."""
    tell = progress or (lambda matches: None)
    compiled = rulebook.personas.policies.keys() >= set(names)
    block = Block(where(rulebook), dict(options), tuple(names), seed, 0, games)
    rows: Rows = []
    if pool is None and (not compiled or (backend or soonest(rulebook, games)) == "plain"):
        size = HANDFUL if compiled else 1
        for at in range(0, games, size):
            rows += tallies(rulebook, replace(block, first=at, last=min(at + size, games)), compiled=False)
            tell(len(rows) - at)
        return rows
    if pool is None:
        tallies(rulebook, replace(block, last=0))  # compiled before the threads begin
    code = code_of(rulebook, names)
    with nullcontext(pool) if pool else executor(None, threads) as workers:
        size = max(1, min(CHUNK if compiled else HANDFUL, games // workers.workers))
        blocks = [replace(block, first=at, last=min(at + size, games), code=code) for at in range(0, games, size)]
        parts: dict[int, Rows] = {}
        for number, parts[number] in workers.map(play_tallies, blocks):
            tell(len(parts[number]))
    return [row for number in range(len(blocks)) for row in parts[number]]


def soonest(rulebook: Rulebook, games: int) -> str:
    """The backend that has so many matches done first: compiling pays only for many."""
    if games >= FEW:
        return "compiled"
    if games < HANDFUL:
        return "plain"
    from outbid.compiled.backend import ready

    return "compiled" if ready(rulebook, contest) else "plain"


def summary(rulebook: Rulebook, options: Mapping[str, Any], names: Sequence[str], seed: int, rows: Rows) -> Summary:
    """What rows of results show."""
    players = len(names)
    masks = [row[3 * players] for row in rows]
    steps = sum(sum(row[2 * players : 3 * players]) + row[3 * players + 1] for row in rows)
    moves = sum(sum(row[players : 2 * players]) + row[3 * players + 1] for row in rows)
    places = {name: tuple(p for p in range(players) if names[p] == name) for name in names}
    several = _mean([mask.bit_count() > 1 for mask in masks], 1)
    return Summary(
        game=rulebook.id,
        options=rulebook.changed(options),
        players=players,
        games=len(rows),
        seed=seed,
        bots=tuple(_line(name, places[name], rows, players) for name in places),
        seats=tuple(_line(names[p], (p,), rows, players) for p in range(players)),
        steps=steps / len(rows),
        moves=moves / len(rows),
        shared=share_from(several.mean, several.error, len(rows)),
        unfinished=masks.count(0),
    )


def _line(name: str, places: tuple[int, ...], rows: Rows, players: int) -> SummaryLine:
    masks = [row[3 * players] for row in rows]
    won = [sum(mask >> p & 1 for p in places) * VICTORY // max(1, mask.bit_count()) for mask in masks]
    scores = [sum(row[p] for p in places) for row in rows]
    moves = sum(row[players + p] for row in rows for p in places)
    seats = len(places)
    victories = _mean(won, VICTORY)
    share = share_from(victories.mean, victories.error, len(rows))
    return SummaryLine(name, places, share, _mean(scores, seats), moves / (seats * len(rows)))


def _mean(values: list[int], unit: int) -> Mean:
    """The mean of values given in parts of a unit."""
    n, total = len(values), sum(values)
    spread = n * sum(value * value for value in values) - total * total  # n² times the variance
    return Mean(total / (n * unit), math.sqrt(spread / (n * n * (n - 1))) / unit if n > 1 else None)


def write_records(
    file: IO[str],
    rulebook: Rulebook,
    options: Mapping[str, Any],
    players: int,
    games: int,
    seed: int,
    bots: Sequence[str],
    progress: Callable[[int], object] | None = None,
) -> None:
    """Write the matches that `simulate` plays, one record a line. Bots of the same name are numbered there: a review tells
    players by their names."""
    names = seat_bots(rulebook, players, bots, options)
    called = numbered(names)
    for number in range(games):
        record = replay(rulebook, options, names, seed, number).record()
        file.write(json.dumps({**record, "players": called}) + "\n")
        if progress is not None:
            progress(1)
