"""What the battery finds, and how a property of games is written."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from outbid.core.errors import BadRulebook
from outbid.core.rulebook import Rulebook
from outbid.testing import positions
from outbid.testing.positions import Broken


@dataclass(frozen=True)
class Finding:
    """What is wrong. property: the name of the property that does not hold. seed: of the match. move: how many steps had
    been made in it. field: of the state, where one is to blame."""

    property: str
    sentence: str
    seed: int
    move: int | None = None
    field: str | None = None

    def __str__(self) -> str:
        where = f"match {self.seed}" + ("" if self.move is None else f", after step {self.move}")
        return f"{self.sentence} ({where})"


@dataclass(frozen=True)
class Own:
    """What only a game's author knows. check: raises AssertionError unless all that the game conserves is there in a state;
    wrong: moves that are wrong nearly everywhere, whose refusal must not depend on what is hidden."""

    check: Callable[[Any], object] = lambda state: None
    wrong: Sequence[Mapping[str, Any]] = ()


@dataclass
class Trial:
    """One random match in which a property is tried. name: of the property."""

    name: str
    book: Rulebook
    seed: int
    own: Own
    move: int | None = field(default=None)

    def found(self, sentence: str, field: str | None = None) -> Finding:
        """A finding at the position where the walk is."""
        return Finding(self.name, sentence, self.seed, self.move, field)

    def walk(self, state: Any, steps: int) -> Iterator[tuple[int, int]]:
        """Random steps from a state, in place, counted; yields (seat, action) before each."""
        self.move = self.move or 0
        for step in positions.walk(state, self.seed, steps):
            yield step
            self.move += 1

    def deal(self, tunable: bool = True) -> Any:
        """A fresh match; tunable: numbers of the rules may be turned, too."""
        return positions.deal(self.book, self.seed, tunable)

    def position(self, longest: int = 4000) -> Any:
        """A random position of this match."""
        state = self.deal()
        for _ in self.walk(state, positions.length(self.book, self.seed, longest)):
            pass
        return state

    def checked(self, state: Any, what: str) -> Iterator[Finding]:
        """What does not hold in a state: a field overflows, or the author's own check fails."""
        if (name := state.overflow()) is not None:
            kind = next(field.type for field in self.book.layout.fields if field.name == name)
            yield self.found(f"{what} the field {name} ({kind}) holds {getattr(state, name)}, which its type cannot.", name)
        try:
            self.own.check(state)
        except AssertionError as error:
            yield self.found(f"{what} the author's check fails: {sentence_of(error)}")

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

    def __call__(self, book: Rulebook, matches: int = 1, seed: int = 0, own: Own | None = None) -> Iterator[Finding]:
        for number in range(seed, seed + (1 if self.once else matches)):
            findings = list(self.tried(Trial(self.name, book, number, own or Own())))
            yield from findings
            if findings:
                return

    def tried(self, trial: Trial) -> Iterator[Finding]:
        """What one match shows; an error of the game is a finding."""
        try:
            yield from self.find(trial)
        except (BadRulebook, Broken) as error:
            yield trial.found(str(error))
        except Exception as error:
            yield trial.found(sentence_of(error))

    def check(self, book: Rulebook, matches: int = 1, seed: int = 0, own: Own | None = None) -> None:
        """Raises AssertionError with all that is found."""
        findings = [f"{self.title}: {finding}" for finding in self(book, matches, seed, own)]
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


def placed(file: str, line: int | None) -> str:
    """A line as authors look for it: "vault/rules.py:95"."""
    return f"{'/'.join(Path(file).parts[-2:])}:{line}"


def alike(finding: Finding) -> str:
    """What findings of one fault have in common: the line that raises an error, or the sentence without its numbers."""
    line = re.search(r"\(\S+\.py:\d+\)", finding.sentence)
    return line[0] if line else re.sub(r"\d+", "", finding.sentence)
