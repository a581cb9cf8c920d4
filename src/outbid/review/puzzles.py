"""Puzzles: positions in which one move is better by far, and the judge is sure. "Find the bid".

    collect(match, seed) -> Iterator[Puzzle]    those of a match that is over
    shipped(book) -> list[Puzzle]               those that lie in a game's folder: puzzles.jsonl, one a line
    puzzle.match, puzzle.seat, puzzle.moves     the position, who decides, and what to choose from, the best first

The mover's seat is all that is used, as in a review. The look-ahead evaluates its candidates; what there is to choose from
is then compared again in new worlds, the same for all, played on to the end of the match (bots/weighing.py), and only a gap
of at least GAP between the best and any other, SURE times its own error, makes a puzzle. The judge of reviews must think the
best better, too (AGREED), and there must be something to say of what it leads to: a puzzle without a reason teaches nothing.
In the file a puzzle is the record of the match up to there with what was found (FORMAT).

| key | is |
| --- | --- |
| format | "outbid-puzzle/1" |
| record | game, rules, options, players, deal and moves, as in RECORD.md, up to the decision |
| seat | who decides |
| moves | up to CHOICES moves as in a record, the best first, and what the look-ahead thought each worth (0 to 1) |
| gap, error | by how much the best is better than the best of the others, and the error of that |
| contrast | what the best leads to and the next best does not (core/hooks/contrast.py) |
| level | 1 to 3: how many of the players `easy` and `steady` do not find it, and 1 |
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from outbid.bots import CALLED, LookAhead, Seat, choose
from outbid.bots.strong import contrasted, played_on
from outbid.core import contract
from outbid.core.hooks.contrast import Contrast
from outbid.core.hooks.mechanisms import reason
from outbid.core.hooks.review import moves_of
from outbid.core.match import FORMAT as RECORD
from outbid.core.match import Match, replay
from outbid.core.rulebook import Rulebook, by_id
from outbid.review.evaluate import PLAIN, forced

FORMAT, FILE = "outbid-puzzle/1", "puzzles.jsonl"
GAP, SURE = 0.12, 4.0  # of the victory; standard errors
CHOICES = 4
GLANCE, EFFORT = 0.1, 0.5  # of the look-ahead, first and where that promises something
PROMISING = 0.1
APART = 4  # moves between two puzzles of a match …
MOST = 4  # of which there are at most so many
WORLDS = 360  # worlds of a comparison
AGREED = 0.02  # of the victory, by the judge of reviews
REASONS = 100  # worlds in which the reason is looked for


@dataclass(frozen=True)
class Puzzle:
    """One puzzle; the format above."""

    record: Mapping[str, Any]
    seat: int
    moves: tuple[tuple[dict[str, Any], float], ...]
    gap: float
    error: float
    contrast: Contrast
    level: int = 1

    @property
    def id(self) -> str:
        """What it is called in its address: it follows from the position."""
        text = json.dumps([self.record, self.seat], sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:10]

    def why(self, names: Sequence[str]) -> str:
        """Why the best move is better than the next best, for the one who decides."""
        match = self.match
        best, other = (match.attempt(self.seat, move).actions for move, _worth in self.moves[:2])
        return " ".join(
            filter(None, reason(match.rulebook, match.state, self.seat, (best, other), names, self.seat, self.contrast))
        )

    @property
    def match(self) -> Match:
        """The match up to the decision."""
        return replay(by_id(self.record["game"]), self.record)

    def as_json(self) -> dict[str, Any]:
        """The puzzle as a line of the file has it."""
        moves = [{"move": move, "worth": worth} for move, worth in self.moves]
        facts = {"gap": self.gap, "error": self.error, "contrast": self.contrast.as_json(), "level": self.level}
        return {"format": FORMAT, "record": self.record, "seat": self.seat, "moves": moves, **facts}

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> Puzzle:
        """The puzzle that `as_json` has written."""
        moves = tuple((entry["move"], entry["worth"]) for entry in value["moves"])
        contrast = Contrast.of_json(value["seat"], value["contrast"])
        return cls(value["record"], value["seat"], moves, value["gap"], value["error"], contrast, value["level"])


def played(book: Rulebook, players: int, seed: int) -> Match:
    """A match of easy and steady players, of which puzzles are made."""
    match = Match.new(book, {}, players, seed, CALLED[:players])
    while not match.over:
        if not match.asked:
            match.random_move(contract.CLOCK, seed)
            continue
        seat = match.asked[0]
        steps = choose(match, seat, ("steady", "easy")[seat & 1], seed).actions
        match.play_steps(seat, steps) if steps else match.random_move(seat, seed)
    return match


def collect(match: Match, seed: int, compiled: bool = True) -> Iterator[Puzzle]:
    """The puzzles of a match that is over."""
    last, many = -APART, 0
    earlier = match.at(0)
    for move in moves_of(match):
        if many == MOST:
            return
        state = earlier.state
        clock = contract.asked(state) >> contract.CLOCK & 1
        apart = move.number - last >= APART
        if move.seat is not None and not clock and apart and not forced(match.rulebook, state, move.seat):
            puzzle = puzzle_at(earlier, move.seat, seed, compiled)
            if puzzle:
                last, many = move.number, many + 1
                yield puzzle
        earlier.play(move.seat, move.said)


def puzzle_at(match: Match, asked: int, seed: int, compiled: bool = True) -> Puzzle | None:
    """The puzzle of a position, if it is one."""
    book, seat = match.rulebook, Seat.of(match, asked, seed)
    if not compiled:
        seat = replace(seat, past=())
    for effort in (GLANCE, EFFORT):
        evaluated, best = LookAhead("puzzles", "", effort, compiled=compiled).evaluated(seat)
        if len(evaluated) < 2:
            return None
        others = sorted((option for option in evaluated if option is not evaluated[best]), key=lambda option: -option.value)
        if evaluated[best].value - others[0].value < PROMISING:
            return None
    first, texts = evaluated[best], {json.dumps(seat.told(evaluated[best].actions)) or evaluated[best].text}
    choices = [first]
    for option in others:
        words = json.dumps(seat.told(option.actions)) or option.text
        if words not in texts and len(choices) < CHOICES:
            texts.add(words)
            choices.append(option)
    if len(choices) < 2:
        return None
    gap, error = sure_gap(match, seat, [choice.actions for choice in choices], compiled)
    if gap < GAP or gap < SURE * error:
        return None
    contrast = contrasted(seat, first.actions, choices[1].actions, compiled, REASONS if compiled else None)
    if not contrast.facts:
        return None
    world = seat.world(0)
    moves = tuple((book.words.move(world, asked, list(option.actions)), round(option.value, 3)) for option in choices)
    level = 1 + sum(choose(match, asked, name, seed).actions != first.actions for name in ("easy", "steady"))
    return Puzzle(_record(match), asked, moves, round(gap, 3), round(error, 3), contrast, level)


def sure_gap(match: Match, seat: Seat, moves: Sequence[Sequence[int]], compiled: bool = True) -> tuple[float, float]:
    """By how much the first move is better than any of the others where all are played on to the end in the same worlds, and
    the error of that; nothing if the judge of reviews does not agree."""
    if not all(agreed(match, seat, moves[0], other, compiled) for other in moves[1:]):
        return 0.0, 0.0
    from outbid.bots.weighing import ahead

    results = played_on(seat, moves, WORLDS if compiled else WORLDS // PLAIN, compiled, to_the_end=True)
    return min((ahead(results, 0, k) for k in range(1, len(moves))), key=lambda gap: gap[0] - SURE * gap[1])


def agreed(match: Match, seat: Seat, first: Sequence[int], other: Sequence[int], compiled: bool = True) -> bool:
    """Whether the judge of reviews thinks one move better than another, too; a game without a judge's net has no say."""
    from outbid.review.estimator import Estimator

    worths = Estimator(match.rulebook, match.state, compiled).after(seat, [first, other])
    return worths is None or bool((worths[:, 0] - worths[:, 1]).mean() >= AGREED)


def _record(match: Match) -> dict[str, Any]:
    """The record up to here; it is not over, so it says no scores."""
    record = match.record()
    return {key: record[key] for key in ("game", "rules", "options", "players", "deal", "moves")} | {"format": RECORD}


@cache
def shipped(book: Rulebook) -> tuple[Puzzle, ...]:
    """The puzzles that come with a game, the easy ones first."""
    file = book.folder / FILE
    if not file.exists():
        return ()
    lines = file.read_text(encoding="utf-8").splitlines()
    return tuple(sorted((Puzzle.of_json(json.loads(line)) for line in lines if line), key=lambda puzzle: puzzle.level))
