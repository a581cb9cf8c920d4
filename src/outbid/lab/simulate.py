"""Play many matches among bots and sum the results up.

Match m of a simulation depends on the seed, on m and on the bots, never on threads or backend: it is dealt from
`stream(seed, m)` and every seat draws from a stream of its own (loops.contest). Sums are whole numbers, so that the same
simulation gives the same summary to the last digit. `replay` plays one of its matches as a `Match`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import IO, Any

from outbid.bots import choose, load_bot, prepare
from outbid.bots.nets.net_policy import draw_of
from outbid.bots.outside import FILE, NetBot
from outbid.compiled import inference, loops
from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.errors import BadSetup
from outbid.core.fields import Records
from outbid.core.language.names import numbered
from outbid.core.language.phrases import plural
from outbid.core.match import Match, check_names
from outbid.core.rulebook import Rulebook, check_seed
from outbid.core.rulebook import rulebook as rulebook_of
from outbid.lab.shares import Share, share_from
from outbid.runs.executor import Pool, executor
from outbid.runs.sources import hash_of, same, where

CHUNK = 256  # matches in one call of the compiled loop
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
class Line:
    """The results of one seat, or of all seats of one bot: its part of the victories, its mean score and moves a match.

    seats: the seats it is about. share: of all victories, ties split, with its interval. score, moves: means of these seats.
    """

    name: str
    seats: tuple[int, ...]
    share: Share
    score: Mean
    moves: float

    def as_dict(self) -> dict[str, Any]:
        """JSON values."""
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
    shared: share of the matches with several winners. unfinished: matches stopped at the bound, which no player won.
    """

    game: str
    options: Mapping[str, Any]
    players: int
    games: int
    seed: int
    bots: tuple[Line, ...]
    seats: tuple[Line, ...]
    steps: float
    moves: float
    shared: Share
    unfinished: int

    def as_dict(self) -> dict[str, Any]:
        """JSON values."""
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


def _cells(name: str, about: str, line: Line) -> tuple[str, str, str, str, str]:
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
    BadSetup, BadOption.
    """
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
    """The rows of results of loops.contest, in the order of the matches."""
    tell = progress or (lambda n: None)
    known = rulebook.personas.policies
    if pool is None and not known.keys() >= set(names):
        return _asked(rulebook, options, names, games, seed, tell)
    if pool is None and (backend or soonest(rulebook, games)) == "plain":
        return _plain(rulebook, options, [known[name] for name in names], games, seed, tell)
    if pool is None:
        _rows(rulebook, options, [known[name] for name in names], seed, 0, 0)  # compiled before the threads begin
    with nullcontext(pool) if pool else executor(None, threads) as workers:
        return _spread(rulebook, options, names, games, seed, tell, workers)


def soonest(rulebook: Rulebook, games: int) -> str:
    """The backend that has so many matches done first: compiling pays only for many."""
    if games >= FEW:
        return "compiled"
    if games < HANDFUL:
        return "plain"
    from outbid.compiled.backend import ready

    return "compiled" if ready(rulebook, loops.contest) else "plain"


def _plain(
    rulebook: Rulebook,
    options: Mapping[str, Any],
    policies: list[int],
    games: int,
    seed: int,
    tell: Callable[[int], object],
) -> Rows:
    players = len(policies)
    states = Records([rulebook.fresh(options)] * 3)
    rows = [[0] * loops.columns(players) for _ in range(games)]
    out, note, points = _space(rulebook)
    for m in range(games):
        loops.contest(
            states, 0, seed, m, m + 1, policies, rulebook.longest, players, out, note, points, rows[m : m + 1]
        )
        tell(1)
    return rows


def _rows(
    rulebook: Rulebook, options: Mapping[str, Any], policies: list[int], seed: int, first: int, last: int
) -> Rows:
    """Matches `first` … `last` − 1, compiled."""
    import numpy as np

    from outbid.compiled.backend import entry

    players = len(policies)
    states = np.zeros(3, rulebook.layout.dtype)
    rulebook.fresh(options).to_record(states, 0)
    out, note, points = (np.array(space, np.int64) for space in _space(rulebook))
    rows = np.zeros((last - first, loops.columns(players)), np.int64)
    seats = np.array(policies, np.int64)
    loop = entry(rulebook, loops.contest)
    loop(states, 0, seed, first, last, seats, rulebook.longest, players, out, note, points, rows)
    found: Rows = rows.tolist()
    return found


@dataclass(frozen=True)
class Matches:
    """Matches `first` … `last` − 1 of a simulation: what a worker plays at a time. code: as in sources.py."""

    game: str
    options: str
    names: tuple[str, ...]
    seed: int
    first: int
    last: int
    code: str


def play_matches(task: Matches) -> Rows:
    """Their rows. Raises BadSetup."""
    book, options = rulebook_of(task.game), json.loads(task.options)
    same(task.code, book, loops, task.names)
    if book.personas.policies.keys() >= set(task.names):
        policies = [book.personas.policies[name] for name in task.names]
        return _rows(book, options, policies, task.seed, task.first, task.last)
    seat_bots(book, len(task.names), task.names, options)
    return [_row(book, options, task.names, task.seed, number) for number in range(task.first, task.last)]


def _spread(
    book: Rulebook, options: Mapping[str, Any], names: Sequence[str], games: int, seed: int,
    tell: Callable[[int], object], pool: Pool,
) -> Rows:  # fmt: skip
    """The same by the workers of a pool."""
    compiled = book.personas.policies.keys() >= set(names)
    size = max(1, min(CHUNK if compiled else HANDFUL, games // pool.workers))
    given, code = (where(book), json.dumps(dict(options)), tuple(names), seed), hash_of(book, loops, names)
    tasks = [Matches(*given, first, min(first + size, games), code) for first in range(0, games, size)]
    found: dict[int, Rows] = {}
    for number, rows in pool.map(play_matches, tasks):
        found[number] = rows
        tell(len(rows))
    return [row for number in range(len(tasks)) for row in found[number]]


def _asked(
    rulebook: Rulebook,
    options: Mapping[str, Any],
    names: Sequence[str],
    games: int,
    seed: int,
    tell: Callable[[int], object],
) -> Rows:
    """The same with bots that are asked for whole moves."""
    rows: Rows = []
    for m in range(games):
        rows.append(_row(rulebook, options, names, seed, m))
        tell(1)
    return rows


def _row(rulebook: Rulebook, options: Mapping[str, Any], names: Sequence[str], seed: int, number: int) -> list[int]:
    match, tally = _played(rulebook, options, names, seed, number)
    tally[: len(names)] = match.scores
    tally[3 * len(names)] = sum(1 << seat for seat in match.winners)
    return tally


def asked_match(
    rulebook: Rulebook, options: Mapping[str, Any], names: Sequence[str], seed: int, number: int
) -> tuple[Match, list[int]]:
    """A match among bots that are asked for whole moves, and the row of its moves and steps."""
    players, deal = len(names), stream(seed, number)
    for name in set(names):
        prepare(name, rulebook)
    match = Match.new(rulebook, options, players, deal, _called(names))
    tally = [0] * loops.columns(players)
    while not match.over:
        seats = ((seat, stream(deal, loops.SEATS_FROM + seat)) for seat in match.asked)
        thoughts = ((seat, choose(match, seat, names[seat], own).actions) for seat, own in seats)
        seat, actions = next((one for one in thoughts if one[1]), (-1, ()))
        if actions:
            match.play_steps(seat, actions)
            tally[players + seat] += 1
            tally[2 * players + seat] += len(actions)
        else:
            match.play(None, "close")
            tally[3 * players + 1] += 1
    return match, tally


def _called(names: Sequence[str]) -> list[str]:
    """What the players of a match among bots are called: as the bots, unless that is no name."""
    try:
        return check_names(names, len(names))
    except BadSetup:
        return [f"Bot {seat + 1}" for seat in range(len(names))]


def _space(rulebook: Rulebook) -> tuple[list[int], list[int], list[int]]:
    """Working space: action ids, a note, points."""
    return [0] * (rulebook.actions + 64), [0] * 8, [0] * 8


def summary(
    rulebook: Rulebook, options: Mapping[str, Any], names: Sequence[str], seed: int, rows: Rows
) -> Summary:
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


def _line(name: str, places: tuple[int, ...], rows: Rows, players: int) -> Line:
    masks = [row[3 * players] for row in rows]
    won = [sum(mask >> p & 1 for p in places) * VICTORY // max(1, mask.bit_count()) for mask in masks]
    scores = [sum(row[p] for p in places) for row in rows]
    moves = sum(row[players + p] for row in rows for p in places)
    seats = len(places)
    victories = _mean(won, VICTORY)
    share = share_from(victories.mean, victories.error, len(rows))
    return Line(name, places, share, _mean(scores, seats), moves / (seats * len(rows)))


def _mean(values: list[int], unit: int) -> Mean:
    """The mean of values given in parts of a unit."""
    n, total = len(values), sum(values)
    spread = n * sum(value * value for value in values) - total * total  # n² times the variance
    return Mean(total / (n * unit), math.sqrt(spread / (n * n * (n - 1))) / unit if n > 1 else None)


def replay(
    rulebook: Rulebook, options: Mapping[str, Any], names: Sequence[str], seed: int, number: int
) -> Match:
    """The match with this number of a simulation, played out. names: one bot per seat."""
    return _played(rulebook, options, names, seed, number)[0]


def _played(
    rulebook: Rulebook, options: Mapping[str, Any], names: Sequence[str], seed: int, number: int
) -> tuple[Match, list[int]]:
    """The match, and the row of its moves and steps. Nets from files draw as they do in the laboratory's compiled loop."""
    files = [name for name in dict.fromkeys(names) if name.startswith(FILE)]
    known = rulebook.personas.policies | {name: loops.OUTSIDE - k for k, name in enumerate(files)}
    if not known.keys() >= set(names):
        return asked_match(rulebook, options, names, seed, number)
    players = len(names)
    policies = [known[name] for name in names]
    nets = [NetBot.load(name).under(rulebook.fresh(options)) for name in files]
    match = Match.new(rulebook, options, players, stream(seed, number), names)
    states = Records([match.state, match.state])
    states[0] = match.state
    tally = [0] * loops.columns(players)
    out, note, _ = _space(rulebook)
    actions: list[int] = []
    while contract.asked(states[0]):
        seat, action = loops.next_step(states, 0, stream(seed, number), policies, players, out, note, tally)
        if seat != contract.CLOCK and policies[seat] <= loops.OUTSIDE:
            made = sum(tally[players : 2 * players]) + tally[3 * players + 1]
            own = stream(stream(stream(seed, number), loops.SEATS_FROM + seat), made)
            can, likely = nets[loops.OUTSIDE - policies[seat]].priors(states[0], seat)
            action = can[inference.place(likely, len(can), draw_of(own, len(actions)))]
        contract.apply(states[0], seat, action)
        loops.count_step(states[0], seat, players, tally)
        actions.append(action)
        if not contract.midway(states[0], seat):
            match.play_steps(None if seat == contract.CLOCK else seat, actions)
            actions = []
    return match, tally


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
