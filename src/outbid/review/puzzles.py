"""Puzzles: positions in which one move is better by far, and the judge is sure. "Find the bid".

    collect(match, seed) -> Iterator[Puzzle]    those of a match that is over
    shipped(book) -> tuple[Puzzle, …]           those that lie in a game's folder: puzzles.jsonl.gz, one a line
    puzzle.match, puzzle.seat, puzzle.moves     the position, who decides, and what to choose from, the best first
    puzzle.less(move)                           what any move loses against the best, where that was measured

The mover's seat is all that is used, as in a review. The look-ahead evaluates its candidates; up to TRIED of them, all moves
where there are no more, are then played on to the end of the match in the same new worlds (bots/weighing.py). Listed beside
the best are moves that lose at least GAP, SURE times its error, and that the judge of reviews thinks worse, too (AGREED);
what was measured of the others stands under `also`, so that whoever answers at the table learns what the choice cost. None
of all may be better than the best, and there must be something to say of what it leads to: a puzzle without a reason
teaches nothing. Whoever passes wherever that is possible must not be right for that alone: a kind of move that was better
than another more often than the other way round (Kinds) waits until the other has caught up. After the best move `steady`
answers in the other seats; if the next decision of the seat is a puzzle, too, it continues the line. What is shipped is
balanced (balance.py).
In the file a puzzle is the record of the match up to there with what was found (FORMAT).

| key | is |
| --- | --- |
| format | "outbid-puzzle/2" |
| record | game, rules, options, players, deal and moves, as in RECORD.md, up to the decision |
| seat | who decides |
| moves | up to CHOICES moves as in a record, the best first, and how much of the victory each loses against it |
| also | other moves and what they lose |
| gap, error | by how much the best is better than the best of the others, and the error of that |
| contrast | what the best leads to and the next best does not (core/hooks/contrast.py) |
| level | 1 to 3: how many of the players `easy` and `steady` do not find it, and 1 |
| theme | the name of the mechanism, or else of the fact, that is the reason |
| follows | the id of the puzzle whose line it continues; empty: of none |
| seed | the seed of the match, from which a file is continued |
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, Self, TextIO

from outbid.bots import CALLED, LookAhead, Seat, choose
from outbid.bots.strong import contrasted, played_on
from outbid.core import contract
from outbid.core.errors import BadSetup
from outbid.core.hooks.contrast import Contrast
from outbid.core.hooks.mechanisms import reason, telling, wins
from outbid.core.hooks.review import moves_of
from outbid.core.match import FORMAT as RECORD
from outbid.core.match import Match, replay
from outbid.core.rulebook import Rulebook, by_id
from outbid.review.evaluate import PLAIN, forced

FORMAT, FILE = "outbid-puzzle/2", "puzzles.jsonl.gz"
FACTS = ("record", "seat", "gap", "error", "level", "theme", "follows", "seed")
GAP, SURE = 0.1, 4.0  # of the victory; standard errors
CHOICES, TRIED = 4, 8
GLANCE, EFFORT = 0.1, 0.5  # of the look-ahead, first and where that promises something
PROMISING = 0.08
APART = 4  # moves between two puzzles of a match …
MOST = 4  # of which there are at most so many
LINE = 3  # puzzles of a line
FIRST, WORLDS = (15, 60), 240  # worlds of a comparison: of all that is tried, twice, and of what is listed
AGREED = 0.02  # of the victory, by the judge of reviews
AHEAD, PART = 6, 0.2  # puzzles, and the part of those with both, by which one kind of move may be better than another
NUMBER = re.compile(r"\d+")
REASONS = 100  # worlds in which the reason is looked for

Measured = tuple[tuple[dict[str, Any], float], ...]
"""Moves and what they lose against the best."""


@dataclass(frozen=True)
class Puzzle:
    """One puzzle; the format above."""

    record: Mapping[str, Any]
    seat: int
    moves: Measured
    gap: float
    error: float
    contrast: Contrast
    level: int = 1
    also: Measured = ()
    theme: str = ""
    follows: str = ""
    seed: int = 0

    @property
    def id(self) -> str:
        """What it is called in its address: it follows from the position."""
        text = json.dumps([self.record, self.seat], sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:10]

    def place(self) -> tuple[int, str]:
        """Where it stands among those that are shipped: the easy ones first."""
        return self.level, self.id

    def less(self, move: dict[str, Any]) -> float | None:
        """How much of the victory a move loses against the best; none where that was not measured."""
        match = self.match
        words, state = match.rulebook.words, match.state
        wanted = sorted(words.steps(state, self.seat, move))
        measured = (*self.moves, *self.also)
        return next((less for other, less in measured if sorted(words.steps(state, self.seat, other)) == wanted), None)

    def why(self, names: Sequence[str]) -> str:
        """Why the best move is better than the next best, for the one who decides."""
        return " ".join(filter(None, self.reasons(names)))

    def reasons(self, names: Sequence[str]) -> tuple[str, str]:
        """What the best move brings, and what the next best brings instead."""
        match = self.match
        return reason(match.rulebook, match.state, self.seat, self.listed(match), names, self.seat, self.contrast)

    def listed(self, match: Match) -> list[tuple[int, ...]]:
        """The moves as actions in its match, the best first."""
        return [match.attempt(self.seat, move).actions for move, _less in self.moves]

    @property
    def match(self) -> Match:
        """The match up to the decision."""
        return replay(by_id(self.record["game"]), self.record)

    def as_json(self) -> dict[str, Any]:
        """The puzzle as a line of the file has it."""
        listed = {key: [{"move": move, "less": less} for move, less in getattr(self, key)] for key in ("moves", "also")}
        facts = {key: getattr(self, key) for key in FACTS}
        return {"format": FORMAT} | facts | listed | {"contrast": self.contrast.as_json()}

    @property
    def line(self) -> str:
        """The puzzle as it is written."""
        return json.dumps(self.as_json(), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> Puzzle:
        """The puzzle that `as_json` has written."""
        facts: dict[str, Any] = {key: value[key] for key in FACTS}
        facts |= {key: tuple((entry["move"], entry["less"]) for entry in value[key]) for key in ("moves", "also")}
        return cls(**facts, contrast=Contrast.of_json(value["seat"], value["contrast"]))


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


class Kinds(Counter[tuple[str, str]]):
    """In how many puzzles a move of one kind is better than one of another kind: (the better, the other)."""

    def add(self, puzzle: Puzzle) -> None:
        """Count a puzzle."""
        best, *others = [move["do"] for move, _less in puzzle.moves]
        self.update((best, other) for other in {*others} - {best})

    def common(self, best: str, others: Iterable[str]) -> bool:
        """Whether this kind is better than one of the others so often that whoever knows no more is right too often."""
        return any(self._ahead(best, other) for other in others)

    def rare(self, best: str, others: Iterable[str]) -> bool:
        """Whether one of the others is better than this kind so often."""
        return any(self._ahead(other, best) for other in others)

    def _ahead(self, kind: str, other: str) -> bool:
        more, fewer = self[kind, other], self[other, kind]
        return more - fewer > max(AHEAD, PART * (more + fewer))


def collect(match: Match, seed: int, compiled: bool = True, kinds: Kinds | None = None) -> Iterator[Puzzle]:
    """The puzzles of a match that is over. kinds: of the puzzles that are there already."""
    last, many = -APART, 0
    earlier = match.at(0)
    for move in moves_of(match):
        if many == MOST:
            return
        if move.number - last >= APART and move.seat is not None and _open(earlier, move.seat):
            puzzle = puzzle_at(earlier, move.seat, seed, compiled, kinds)
            if puzzle:
                last, many = move.number, many + 1
                yield puzzle
                yield from _line(earlier.copy(), puzzle, seed, compiled, kinds)
        earlier.play(move.seat, move.said)


def _open(match: Match, seat: int) -> bool:
    """Whether a seat has something to decide, and no clock runs."""
    return not contract.asked(match.state) >> contract.CLOCK & 1 and not forced(match.rulebook, match.state, seat)


def _line(match: Match, puzzle: Puzzle, seed: int, compiled: bool, kinds: Kinds | None) -> Iterator[Puzzle]:
    """The puzzles that follow one another after the best move of one, `steady` in the other seats."""
    for _number in range(LINE - 1):
        match.play(puzzle.seat, puzzle.moves[0][0])
        while match.asked and not (puzzle.seat in match.asked and _open(match, puzzle.seat)):
            seat = match.asked[0]
            steps = choose(match, seat, "steady", seed).actions
            match.play_steps(seat, steps) if steps else match.random_move(seat, seed)
        following = puzzle_at(match, puzzle.seat, seed, compiled, kinds) if puzzle.seat in match.asked else None
        if not following:
            return
        puzzle = replace(following, follows=puzzle.id)
        yield puzzle


def puzzle_at(match: Match, asked: int, seed: int, compiled: bool = True, kinds: Kinds | None = None) -> Puzzle | None:
    """The puzzle of a position, if it is one. A kind of move that is rarely the best has one other to choose from, if there
    are no more."""
    book, seat = match.rulebook, Seat.of(match, asked, seed)
    if not compiled:
        seat = replace(seat, past=())
    every, world = _every(match, asked), seat.world(0)
    kinds = kinds if kinds is not None else Kinds()
    for effort in (GLANCE, EFFORT):
        evaluated, best = LookAhead("puzzles", "", effort, compiled=compiled).evaluated(seat, every)
        others = sorted((option for option in evaluated if option is not evaluated[best]), key=lambda option: -option.value)
        worse = [option for option in others if evaluated[best].value - option.value >= PROMISING]
        if not worse:
            return None
        kind, *beside = [book.words.move(world, asked, list(option.actions))["do"] for option in (evaluated[best], *worse)]
        wanted = 2 if len(every) == 2 or kinds.rare(kind, beside) else 3  # moves to choose from
        if len(worse) < wanted - 1 or kinds.common(kind, beside):
            return None
    first = evaluated[best]
    by_text = {json.dumps(seat.told(option.actions)) or option.text: option for option in (*reversed(others), first)}
    tried = [first, *(option for option in by_text.values() if option is not first)]
    tried.sort(key=lambda option: (option is not first, -option.value))
    del tried[TRIED // 2 : -(TRIED // 2)]  # what is worst stays, as it is what looks best to somebody
    if any(wins(book, match.state, asked, option.actions) for option in tried[1:]):  # the bots may miss that
        return None
    moves = [book.words.move(world, asked, list(option.actions)) for option in tried]
    after = match.copy()
    after.play(asked, moves[0])
    if after.over:  # the table says what that brings
        return None
    told = (telling(book, match.state, asked, [first.actions, other.actions]) for other in tried[1:])
    if not _outcomes(book) and not any(told):  # there will be no reason, whatever is listed
        return None
    for worlds in FIRST:
        losses = dict(enumerate(_losses(seat, [option.actions for option in tried], worlds, compiled)))
        sure = 1 if worlds == FIRST[-1] else 3  # at first only what is hopeless is given up
        if min(less + sure * error for less, error in losses.values()) < 0:
            return None
        wrong = [k for k, (less, error) in losses.items() if less + sure * error >= GAP and less >= (3 - sure) * error]
        if len(wrong) < wanted - 1:
            return None
    wrong = [k for k in wrong if agreed(match, seat, first.actions, tried[k].actions, compiled)]
    wrong.sort(key=lambda k: losses[k][0])
    chosen = [0, *_listed(moves, [size(move, seat.view()) for move in moves], wrong)]
    if len(chosen) < wanted:
        return None
    elsewhere = replace(seat, seed=seed + 1)  # in other worlds than those that they were chosen in
    losses |= zip(chosen, _losses(elsewhere, [tried[k].actions for k in chosen], WORLDS, compiled), strict=True)
    listed = [0, *(k for k in chosen if losses[k][0] >= max(GAP, SURE * losses[k][1]))]
    listed.sort(key=lambda k: losses[k][0])
    if len(listed) < wanted:
        return None
    next_best = tried[listed[1]].actions
    contrast = contrasted(seat, first.actions, next_best, compiled, REASONS if compiled else None)
    if not contrast.facts:
        return None
    clear = [k for k, (less, error) in losses.items() if k not in listed and less > SURE * error]
    puzzle = Puzzle(
        record=_record(match),
        seat=asked,
        moves=tuple((moves[k], round(losses[k][0], 3)) for k in listed),
        gap=round(losses[listed[1]][0], 3),
        error=round(losses[listed[1]][1], 3),
        contrast=contrast,
        level=1 + sum(choose(match, asked, name, seed).actions != first.actions for name in ("easy", "steady")),
        also=tuple((moves[k], round(losses[k][0], 3)) for k in clear),
        seed=seed,
    )
    return themed(puzzle)


def themed(puzzle: Puzzle) -> Puzzle | None:
    """The puzzle with the theme of its reason as it is told today, if there is one that a player can see."""
    match = puzzle.match
    told = telling(match.rulebook, match.state, puzzle.seat, puzzle.listed(match), beside=True)
    if not told and not _outcomes(match.rulebook):
        return None
    return replace(puzzle, theme=told[0].consequence.name if told else str(puzzle.contrast.facts[0].key[0]))


def _outcomes(book: Rulebook) -> bool:
    """Whether what two moves lead to may be all of a puzzle's reason."""
    return bool(getattr(book.submodule("contrast"), "OUTCOMES", True))


def size(move: Mapping[str, Any], view: Mapping[str, Any]) -> int:
    """How large a move is: the numbers in it, added up; of a card the first, without the number of the copy. A word that
    names cards which the seat sees ("left") counts as these."""
    places: dict[str, Any] = {
        name: place for part in view.values() if isinstance(part, dict) for name, place in part.items()
    }
    words: list[Any] = []
    for key, value in move.items():
        lying = places.get(value) if key != "do" and isinstance(value, str) else None
        cards = lying.get("cards") if isinstance(lying, dict) else value
        words += cards if isinstance(cards, list) else [cards]
    return sum(int(number[0]) for word in words if (number := NUMBER.search(str(word))))


def _losses(seat: Seat, moves: Sequence[Sequence[int]], worlds: int, compiled: bool) -> list[tuple[float, float]]:
    """By how much the first of some moves is better than each, played on to the end in the same worlds, and the errors."""
    from outbid.bots.weighing import ahead

    results = played_on(seat, moves, worlds if compiled else worlds // PLAIN, compiled, to_the_end=True)
    return [ahead(results, 0, k) for k in range(len(moves))]


def _every(match: Match, seat: int) -> list[list[int]]:
    """All moves of a seat, if they are few and listed one by one."""
    choices = list(match.legal(seat))
    if len(choices) > CHOICES + 2 or not all(choice.whole for choice in choices):
        return []
    return [list(match.attempt(seat, choice.move).actions) for choice in choices]


def _listed(moves: Sequence[Mapping[str, Any]], sizes: Sequence[int], wrong: Sequence[int]) -> list[int]:
    """Those of the wrong moves, the best first, that stand beside the right one: of each kind the best, then smaller and
    larger ones than it in turn."""
    kinds = dict.fromkeys(moves[k]["do"] for k in wrong)
    chosen = [next(k for k in wrong if moves[k]["do"] == kind) for kind in kinds][: CHOICES - 1]
    sides = [[k for k in wrong if k not in chosen and (sizes[k] > sizes[0]) == side] for side in (True, False)]
    for k in chain.from_iterable(zip_longest(*sides)):
        if k is not None and len(chosen) < CHOICES - 1:
            chosen.append(k)
    return sorted(chosen, key=wrong.index)


def agreed(match: Match, seat: Seat, first: Sequence[int], other: Sequence[int], compiled: bool = True) -> bool:
    """Whether the judge of reviews thinks one move better than another, too; a game without a judge's net has no say."""
    from outbid.review.estimator import Estimator

    worths = Estimator(match.rulebook, match.state, compiled).after(seat, [first, other])
    return worths is None or bool((worths[:, 0] - worths[:, 1]).mean() >= AGREED)


def _record(match: Match) -> dict[str, Any]:
    """The record up to here; it is not over, so it says no scores."""
    record = match.record()
    return {key: record[key] for key in ("game", "rules", "options", "players", "deal", "moves")} | {"format": RECORD}


def read(lines: Iterable[str]) -> list[Puzzle]:
    """The puzzles of a file, one a line. Raises BadSetup."""
    puzzles = []
    for number, line in enumerate(lines, 1):
        try:
            puzzles.append(Puzzle.of_json(json.loads(line)))
        except (ValueError, KeyError, TypeError) as error:
            raise BadSetup(f"Line {number} of the puzzles is none of the format {FORMAT}.") from error
    return puzzles


def pack(puzzles: Iterable[Puzzle]) -> bytes:
    """Puzzles as they are shipped: the lines, compressed; those of one match beside each other, which is smaller."""
    lines = sorted((json.dumps(puzzle.record, sort_keys=True), puzzle.line) for puzzle in puzzles)
    return gzip.compress("".join(f"{line}\n" for _record, line in lines).encode(), mtime=0)


@dataclass
class Collection:
    """A file of puzzles that is continued; without a file they are printed."""

    file: TextIO
    puzzles: dict[str, Puzzle] = field(default_factory=dict[str, Puzzle])
    kinds: Kinds = field(default_factory=Kinds)

    def __post_init__(self) -> None:
        for puzzle in self.puzzles.values():
            self.kinds.add(puzzle)

    @classmethod
    def of(cls, path: Path | None) -> Collection:
        """The collection of a file, which need not be there yet. Raises BadSetup."""
        if path is None:
            return cls(sys.stdout)
        try:
            file = path.open("a+", encoding="utf-8")
        except OSError as error:
            raise BadSetup(f"{path} cannot be written: {error.strerror}.") from error
        file.seek(0)
        text = file.read()
        try:
            puzzles = {puzzle.id: puzzle for puzzle in read(text.splitlines())}
        except BadSetup:
            file.close()
            raise
        if text and not text.endswith("\n"):  # as after an editor, or a disk that was full
            file.write("\n")
        return cls(file, puzzles)

    def following(self, players: int) -> int:
        """The seed after those of the matches for so many players that are in it."""
        return max((each.seed + 1 for each in self.puzzles.values() if len(each.record["players"]) == players), default=0)

    def add(self, puzzle: Puzzle) -> None:
        """Write down a puzzle that is new."""
        if puzzle.id not in self.puzzles:
            print(puzzle.line, file=self.file, flush=True)
            self.puzzles[puzzle.id] = puzzle
            self.kinds.add(puzzle)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self.file is not sys.stdout:
            self.file.close()


@cache
def shipped(book: Rulebook) -> tuple[Puzzle, ...]:
    """The puzzles that come with a game, the easy ones first; they are read when they are first asked for."""
    file = book.folder / FILE
    if not file.exists():
        return ()
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return tuple(sorted(read(lines), key=Puzzle.place))
