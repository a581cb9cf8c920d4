"""The log of a server, on standard error: lines for people, or one JSON object a line. No secret ever stands in it.

What is logged names tables and numbers, never a hand or a move. Seat links are blotted out of whatever is logged. Of an
error the log has the kind and the place in the code; its text, which may quote what was to be played, only where the server
listens on the loopback, for developers.

What is logged again and again is one line, and then how often within a minute, once a minute: a full disk, or a client that
causes the same fault with every request, fills no log. A warning is the same by its text, an error by the place that logs it
and the place in the code that it came from, whatever table it names.
"""

import json
import logging
import re
import threading
import traceback
from contextlib import nullcontext
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TextIO

from outbid.core.errors import BadSetup

STYLES = ("text", "json")
MOST = 100  # different lines that are counted at a time
FACTS = ("table", "game", "players", "moves", "status", "day", "refusal")
"""What a line may say besides its sentence: `log.info("A table was made.", extra={"table": id})`."""

log = logging.getLogger("outbid")

_SEAT_LINK = re.compile(
    r"(/seat/|/notices/(?:confirm|stop)/|/name/forgotten/)[^\s\"'?#]+|((?:seat-[a-z0-9]+|signed-in|known|browser|desk)=)[^\s\"';,]+"
)


def blotted(text: str) -> str:
    """The text without the secrets of seat links and seat cookies."""
    return _SEAT_LINK.sub(lambda secret: f"{secret[1] or secret[2]}…", text)


class Lines(logging.Formatter):
    """Lines for people. full: with the texts of errors."""

    full = False

    def format(self, record: logging.LogRecord) -> str:
        """One line, and the place of an error below it."""
        return blotted(super().format(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the name that logging calls
        """Where an error came from and of what kind it is, and its text if that is to be shown."""
        if self.full:
            return super().formatException(ei)
        kind, error, _ = ei
        parts: list[str] = []
        while error is not None:
            parts.insert(0, "".join(traceback.format_tb(error.__traceback__)) + type(error).__qualname__)
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\n".join(parts) or str(getattr(kind, "__qualname__", ""))


class Objects(Lines):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The time, the level, the sentence and the facts."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "said": record.getMessage(),
        }
        line |= {name: getattr(record, name) for name in FACTS if hasattr(record, name)}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return blotted(json.dumps(line, ensure_ascii=False, default=str))


@dataclass
class Repeats:
    """A line that was written: the newest like it, and how many there were since."""

    newest: logging.LogRecord
    number: int = 0


class Sparing(logging.StreamHandler[TextIO]):
    """Writes a warning or an error once, and how often it came again in each minute after it."""

    def __init__(self, minute: float = 60.0):
        super().__init__()
        self.minute = minute
        self._repeats: dict[tuple[Any, ...], Repeats] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line, or count it."""
        kind = _kind(record)
        if record.levelno < logging.WARNING or (len(self._repeats) >= MOST and kind not in self._repeats):
            super().emit(record)
        elif kind in self._repeats:
            self._repeats[kind].newest = record
            self._repeats[kind].number += 1
        else:
            super().emit(record)
            self._count(kind, record)

    def _count(self, kind: tuple[Any, ...], record: logging.LogRecord) -> None:
        self._repeats[kind] = Repeats(record)
        timer = threading.Timer(self.minute, self._sum_up, [kind])
        timer.daemon = True
        timer.start()

    def _sum_up(self, kind: tuple[Any, ...]) -> None:
        """Say how often a line came again; if it did, go on counting."""
        with self.lock or nullcontext():
            repeats = self._repeats.pop(kind)
            if repeats.number:
                self._count(kind, repeats.newest)
                line = copy(repeats.newest)
                line.msg, line.args = f"{line.getMessage()} ({repeats.number} times more within {self.minute:.0f} s)", ()
                line.exc_info = line.exc_text = line.stack_info = None
                super().emit(line)


def _kind(record: logging.LogRecord) -> tuple[Any, ...]:
    """What a line shares with those that say the same."""
    if record.levelno < logging.ERROR:
        return (record.name, record.getMessage())
    error = record.exc_info[1] if record.exc_info else None
    frames = traceback.extract_tb(error.__traceback__)[-1:] if error else ()
    return (record.pathname, record.lineno, type(error), *((frame.filename, frame.lineno) for frame in frames))


def _tells(record: logging.LogRecord) -> bool:
    """Whether a line of uvicorn says something: "Cancel 0 running task(s)" only means that a page was connected then."""
    return record.args != (0,)


def check_style(style: str) -> str:
    """A style that exists. Raises BadSetup."""
    if style not in STYLES:
        raise BadSetup(f"There is no log {style!r}; there are {', '.join(STYLES)}.")
    return style


def begin(style: str, level: str, full: bool = False) -> None:
    """Write the log from now on, full with the texts of errors. As JSON it also tells what happens at the tables."""
    handler = Sparing()
    lines = Objects() if check_style(style) == "json" else Lines("%(levelname)s %(message)s")
    lines.full = full
    handler.setFormatter(lines)
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("uvicorn.error").addFilter(_tells)
    if style == "json":
        log.setLevel(min(logging.INFO, logging.getLevelNamesMapping()[level.upper()]))
