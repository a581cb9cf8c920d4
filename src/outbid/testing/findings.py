"""What the battery finds, and how a property of games is written."""

import contextlib
import dataclasses
import random
import re
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from outbid.core import contract
from outbid.core.errors import BadRulebook, NoWorld
from outbid.core.match import Match, seat_names
from outbid.core.rulebook import Rulebook
from outbid.testing import bounds, positions
from outbid.testing.positions import Broken
from outbid.testing.source import blamed, declared, line_of, placed, within
from outbid.testing.watch import IMPATIENCE, PATIENCE, Stuck, limited

CHECK = "check"  # a function of the game that asserts what holds in every position


@dataclass(frozen=True)
class Finding:
    """What is wrong. property: the name of the property that does not hold. seed: of the match. move: how many steps had
    been made in it. field: of the state, where one is to blame. line: where to look in the game, such as "vault.py:95".
    asks: no fault, perhaps, but a question to the author. played: the match until then, as a record, where there is one;
    file: where that is written."""

    property: str
    sentence: str
    seed: int
    move: int | None = None
    field: str | None = None
    line: str = ""
    asks: bool = False
    file: str = ""
    played: Mapping[str, Any] | None = dataclasses.field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        where = f"match {self.seed}" + ("" if self.move is None else f", after step {self.move}")
        return f"{self.sentence} ({f'{self.line}; ' if self.line else ''}{where})"


@dataclass(frozen=True)
class Own:
    """What only a game's author knows. check: raises AssertionError unless all that the game conserves is there in a state;
    wrong: moves that are wrong nearly everywhere, whose refusal must not depend on what is hidden."""

    check: Callable[[Any], object] = lambda state: None
    wrong: Sequence[Mapping[str, Any]] = ()


@dataclass
class Trial:
    """One random match in which a property is tried. name: of the property. match: what is played in it, where it is played
    move by move; start, steps: how it began, and what was done in it, where it is walked step by step."""

    name: str
    book: Rulebook
    seed: int
    own: Own
    move: int | None = None
    match: Match | None = None
    start: Any = None
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    steps: list[tuple[int, int]] = dataclasses.field(default_factory=list)
    _dealt: Any = None  # the state that is walked

    def found(self, sentence: str, field: str | None = None, rule: str = "", line: str = "", asks: bool = False) -> Finding:
        """A finding at the position where the walk is; rule: the function of the game in which to look for it."""
        line = line or (line_of(self.book, rule, field) if rule else "")
        return Finding(self.name, sentence, self.seed, self.move, field, line, asks, played=self.record())

    def unfilled(self, sentence: str) -> Finding:
        """A finding where no world agrees with what a seat has seen: the line is that of the first field that is named."""
        fields = [field.name for field in self.book.layout.facts if field.filled]
        name = next((name for name in fields if re.search(rf"\b{name}\b", sentence)), None)
        return self.found(sentence, name, line=declared(self.book, name) if name else "")

    def record(self) -> Mapping[str, Any] | None:
        """The match so far; none if there is no match, or if it is not even one that can be written down."""
        try:
            with limited(within(self.book), IMPATIENCE):
                return self._played().record()
        except (Exception, Stuck):  # what is broken may be what is needed here
            return None

    def _played(self) -> Match:
        if self.match is not None:
            return self.match
        match = Match(self.book, self.options, seat_names(self.start.players), self.start)
        begun: dict[int, list[int]] = {}
        with contextlib.suppress(Exception):  # the last step may be the one that raises
            for place, action in self.steps:
                move = begun.setdefault(place, [])
                move.append(action)
                state = match.state.copy()
                for step in move:
                    contract.apply(state, place, step)
                if not contract.midway(state, place):
                    match.play_steps(None if place == contract.CLOCK else place, begun.pop(place))
        return match

    def walk(self, state: Any, steps: int, evenly: int | None = None) -> Iterator[tuple[int, int]]:
        """Random steps from a state, in place, counted; yields (seat, action) before each. evenly: a seed of steps that are
        of each kind as likely."""
        self.move = self.move or 0
        for step in positions.walk(state, self.seed if evenly is None else evenly, steps, evenly is not None):
            yield step
            self.take(state, *step)

    def take(self, state: Any, seat: int, action: int) -> None:
        """Count a step that is about to be made."""
        self.move = (self.move or 0) + 1
        if state is self._dealt:
            self.steps.append((seat, action))

    def deal(self, tunable: bool = True) -> Any:
        """A fresh match; tunable: numbers of the rules may be turned, too."""
        options, players = positions.random_setup(self.book, random.Random(self.seed), tunable)
        return self.begin(options, players)

    def begin(self, options: Mapping[str, Any], players: int) -> Any:
        """A fresh match with these options."""
        state = self.book.fresh(options)
        contract.deal(state, players, self.seed)
        self.start, self.options, self.steps, self._dealt = state.copy(), options, [], state
        return state

    def played(self, moves: int) -> Match:
        """A random match of at most so many moves."""
        for match in positions.playing(self.book, self.seed, moves):
            self.match = match  # it is there if a move breaks off
        return match

    def position(self, longest: int = 4000) -> Any:
        """A random position of this match."""
        state = self.deal()
        for _ in self.walk(state, positions.length(self.book, self.seed, longest)):
            pass
        return state

    def checked(self, state: Any, what: str, act: Callable[[Any], object], before: Any = None) -> Iterator[Finding]:
        """What does not hold in a state: a field holds what it may not, or the author's own check fails. act: what brought
        the state about, from the state `before`, by default that before the last step."""
        if (fault := bounds.wrong(state)) is not None:
            name, sentence = fault
            line = blamed(self._before() if before is None else before, name, act, lambda s: bounds.wrong(s) == fault)
            yield self.found(f"{what} {sentence}", name, line=line)
        own = contract.defined(self.book.modules, CHECK)
        for check in (self.own.check, *([own[1]] if own else [])):
            try:
                if check(state) is False:
                    yield self.found(f"{what} the author's check says False.", rule=CHECK)
            except AssertionError as error:
                yield self.found(f"{what} the author's check fails: {sentence_of(error)}")

    def _before(self) -> Any:
        """The state before the last step."""
        state = self.start.copy()
        for step in self.steps[:-1]:
            contract.apply(state, *step)
        return state

    def last_line(self, name: str, fault: Callable[[Any], object]) -> str:
        """The line of the last step that left a field with a fault, or that changed it last."""
        return blamed(self._before(), name, lambda s: contract.apply(s, *self.steps[-1]), fault) if self.steps else ""

    def stepped(self, state: Any, what: str = "In the match") -> Iterator[Finding]:
        """What does not hold after the last step of the match."""
        if self.steps:
            yield from self.checked(state, what, lambda s: contract.apply(s, *self.steps[-1]))
        else:
            fresh = self.book.fresh(self.options)
            yield from self.checked(state, what, lambda s: contract.deal(s, state.players, self.seed), fresh)

    @property
    def wrong_moves(self) -> list[dict[str, Any]]:
        """Moves that are refused nearly everywhere."""
        return [{"do": do} for do in self.book.words.EXPECTED] + [dict(move) for move in self.own.wrong]


@dataclass(frozen=True)
class Property:
    """What holds for every game. Called with a rulebook, how many matches and the first seed, it yields what it finds in the
    first match in which it finds anything. once: one try plays many matches."""

    name: str
    title: str
    find: Callable[[Trial], Iterator[Finding]]
    once: bool = False

    def __call__(
        self, book: Rulebook, matches: int = 1, seed: int = 0, own: Own | None = None, patience: float = PATIENCE
    ) -> Iterator[Finding]:
        for number in range(seed, seed + (1 if self.once else matches)):
            findings = list(self.tried(Trial(self.name, book, number, own or Own()), patience))
            yield from findings
            if findings:
                return

    def tried(self, trial: Trial, patience: float = PATIENCE) -> Iterator[Finding]:
        """What one match shows; an error of the game is a finding, and so is a rule that does not return."""
        try:
            with limited(within(trial.book), patience):
                yield from self.find(trial)
        except (BadRulebook, Broken) as error:
            yield trial.found(str(error), rule=getattr(error, "rule", ""))
        except NoWorld as error:
            yield trial.unfilled(str(error))
        except Stuck as error:
            del trial.steps[-1:]  # it may be the one that does not return
            yield trial.found(str(error))
        except Exception as error:
            yield trial.found(sentence_of(error))

    def check(self, book: Rulebook, matches: int = 1, seed: int = 0, own: Own | None = None) -> None:
        """Raises AssertionError with all that is found."""
        findings = [f"{self.title}: {finding}" for finding in self(book, matches, seed, own) if not finding.asks]
        if findings:
            raise AssertionError("\n".join(findings))

    def __str__(self) -> str:
        return self.name


# what Numba says of a line, the innermost first
INSIDE = re.compile(r"outbid/(core|compiled)/")  # files that are no game's
REFUSED = re.compile(r'File "([^"]+\.py)", line (\d+):\s+def (\w+)\(.*?\n([^\n]+)\n\s*\^', re.DOTALL)


def sentence_of(error: BaseException) -> str:
    """An error with the line of the game that raised it: "observe (vault/rules.py:95) raises KeyError: …"; where an index is
    wrong, with the words of that line, too, which name the field."""
    if type(error).__module__.startswith("numba."):
        for file, line, function, source in REFUSED.findall(str(error)):
            if "numba" not in Path(file).parts:
                return f"{function} ({placed(file, int(line))}) cannot be compiled: {source.strip()}"
    folder = Path(__file__).parent
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).parent != folder]
    ours = [frame for frame in frames if not INSIDE.search(Path(frame.filename).as_posix())]
    text = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(":.")
    if not ours:
        return f"The game leads to {text}."
    where = f", in `{ours[-1].line}`" if isinstance(error, IndexError) and ours[-1].line else ""
    return f"{ours[-1].name} ({placed(ours[-1].filename, ours[-1].lineno)}) raises {text}{where}."


def alike(finding: Finding) -> str:
    """What findings of one fault have in common: the line that raises an error, or the sentence without its numbers."""
    line = re.search(r"\(\S+\.py:\d+\)", finding.sentence)
    return line[0] if line else finding.line or re.sub(r"\d+", "", finding.sentence)
