"""What is wrong with a file: an error with its place and source, a rule that takes long."""

from __future__ import annotations

import json
import logging
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from outbid.core.errors import OutbidError
from outbid.core.files import appearing
from outbid.core.rulebook import Rulebook, rulebook
from outbid.server.workbench import FAULT, MATCH
from outbid.server.workbench.line import PATIENCE, Course
from outbid.testing.findings import sentence_of
from outbid.testing.source import placed, within
from outbid.testing.watch import Stuck, limited

SLOW = 0.1  # seconds of the processor for one call of a rule
REFUSED = 9  # the exit status of a process that says why
READING = 15.0  # seconds in which the code of a file must have run
AROUND = 2  # lines that are shown before and after the one with the error
WIDEST = 200  # characters of such a line


@dataclass(frozen=True)
class Fault:
    """An error. place: "vault/rules.py:95"; lines: the source around it, each with its number; line: the number of the line
    where it is. Without a place, 0: the error names none."""

    sentence: str
    place: str = ""
    line: int = 0
    lines: tuple[tuple[int, str], ...] = ()

    @classmethod
    def of(cls, error: BaseException, home: Path) -> Fault:
        """An error that code in a file, or in a folder, has raised."""
        origin = error
        while origin.__cause__ is not None:
            origin = origin.__cause__
        where = frames_of(origin, home)
        known = isinstance(error, OutbidError | Stuck)
        sentence = str(error) if known else sentence_of(error)
        if not where:
            return cls(sentence)
        file, line = where[-1]
        source = Path(file).read_text(encoding="utf-8", errors="replace").split("\n")  # as Python counts lines
        first = max(1, line - AROUND)
        around = [part[:WIDEST] for part in source[first - 1 : line + AROUND]]
        return cls(sentence, placed(file, line), line, tuple(enumerate(around, first)))

    def write(self, file: Path) -> None:
        """Write it to a file, which is there as a whole at any time."""
        with appearing(file, force=True) as new:
            new.write_text(json.dumps(asdict(self)), encoding="utf-8")


def frames_of(error: BaseException, home: Path) -> list[tuple[str, int]]:
    """The files and lines of an author through which an error came, the innermost last. home: the game's file, beside which
    others may lie, or its folder."""
    frames = [(frame.filename, frame.lineno or 1) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        frames.append((error.filename, error.lineno or 1))
    if home.is_file():
        return [(file, line) for file, line in frames if Path(file).parent == home.parent]
    return [(file, line) for file, line in frames if Path(file).is_relative_to(home)]


def home_of(book: Rulebook, game: str) -> Path:
    """Where the code of a game is: its file or its folder. game: what it was called."""
    return Path(game).resolve() if game.endswith(".py") else book.folder


def tried(game: str, folder: Path) -> Rulebook:
    """The game, if it can be read, and the match of the folder dealt and shown to all; else this process ends, and its file
    FAULT says why."""
    home = Path(game).resolve()
    try:
        with limited(lambda frame: Path(frame.f_code.co_filename).parent == home.parent, READING):
            book = rulebook(game)
        home = home_of(book, game)
        match, _stop = Course.read(folder / MATCH).replayed(book)
        with limited(within(book), PATIENCE):
            for seat in range(-1, match.players):
                match.view(seat), match.question(seat), match.log(seat), match.legal(max(seat, 0))
    except (Exception, Stuck) as error:
        Fault.of(error, home).write(folder / FAULT)
        sys.exit(REFUSED)
    return book


class FaultListener(logging.Handler):
    """Hears of every error that is logged. told: called with those that code of the game raised."""

    def __init__(self, home: Path, told: Callable[[Fault], None]):
        super().__init__()
        self.home, self.told = home, told

    def emit(self, record: logging.LogRecord) -> None:
        """Tell of an error."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and frames_of(error, self.home):
            self.told(Fault.of(error, self.home))


def timed(book: Rulebook, told: Callable[[str, float], None]) -> None:
    """Measure every call of the rules in plain states from now on. told: of a slow one, "legal (vault.py:120)", seconds."""
    rules = vars(book.plain.rules)
    for name, rule in rules.items():
        code = getattr(rule, "__code__", None)
        if code is not None and sys.modules.get(rule.__module__) in book.modules:
            rules[name] = _timed(rule, f"{name} ({placed(code.co_filename, code.co_firstlineno)})", told)


def _timed(rule: Callable[..., Any], name: str, told: Callable[[str, float], None]) -> Callable[..., Any]:
    def measured(*given: Any) -> Any:
        begun = time.thread_time()
        try:
            return rule(*given)
        finally:
            took = time.thread_time() - begun
            if took > SLOW:
                told(name, took)

    return measured
