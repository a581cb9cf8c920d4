"""The match of the workbench: how it was dealt, all its moves, and at which of them the table stands."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from outbid.core.errors import BadRecord, BadSetup, Illegal, OutbidError
from outbid.core.files import appearing
from outbid.core.language.i18n import _, chosen, everywhere
from outbid.core.match import Match, seat_names, without_seat
from outbid.core.options import Option
from outbid.core.record import read_record, records
from outbid.core.rulebook import Rulebook
from outbid.testing.findings import sentence_of
from outbid.testing.source import within
from outbid.testing.watch import Stuck, limited

log = logging.getLogger("outbid")

PATIENCE = 5.0  # seconds after which a rule does not return


class Obstacle(NamedTuple):
    """The first move that the rules do not play. number: of the move, from 1, 0 for the deal; move: in words; reasons: by
    language."""

    number: int
    move: str
    reasons: dict[str, str]

    @property
    def reason(self) -> str:
        """Why not, in the language of the moment."""
        return chosen(self.reasons)


@dataclass
class Course:
    """A match. seed: of its deal, which is dealt anew by the rules of the day; deal: one that a record gives, instead. at:
    how many of the moves have been made at the table."""

    names: list[str]
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    seed: int = 0
    deal: dict[str, Any] | None = None
    moves: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    at: int = 0

    @classmethod
    def of_record(cls, book: Rulebook, file: str, at: int | None = None) -> Course:
        """The match of a file; FILE:N is the N-th of several. at: so many of its moves, all if none is said. What its moves
        do is left to the rules. Raises OutbidError."""
        name, _sign, number = file.rpartition(":")
        numbered = bool(name and number.isascii() and number.isdigit()) and not Path(file).exists()
        numbers = list(records(name if numbered else file))
        if not numbered and len(numbers) != 1:
            facts = {"file": file, "n": len(numbers), "example": f"{file}:1"}
            raise BadSetup(_("{file} holds {n} records; name one of them, as in {example}.", **facts))
        record = next((record for n, record in numbers if not numbered or n == int(number)), None)
        if record is None:
            facts = {"file": name, "n": len(numbers), "number": number}
            raise BadSetup(_("{file} holds {n} records; there is no record {number}.", **facts))
        if isinstance(record, dict) and record.get("game") != book.id:
            facts = {"file": file, "game": repr(record.get("game")), "book": repr(book.id)}
            raise BadSetup(_("{file} is a record of the game {game}; this is {book}.", **facts))
        try:
            read_record(record)
        except BadRecord as error:
            if error.move is None or not all(isinstance(move, dict) and "seat" in move for move in record["moves"]):
                raise
        except Exception:  # a rule raises it, which is what one wants to see
            log.info("%s cannot be replayed to its end.", file)
        moves, options = record["moves"], book.changed(record.get("options", {}))
        if at is not None and not 0 <= at <= len(moves):
            raise BadSetup(_("The match has {n} moves; it cannot be opened at move {at}.", n=len(moves), at=at))
        return cls(record["players"], options, 0, record["deal"], moves, len(moves) if at is None else at)

    @classmethod
    def read(cls, file: Path) -> Course:
        """The line that `write` wrote."""
        return cls(**json.loads(file.read_text(encoding="utf-8")))

    def write(self, file: Path) -> None:
        """Write it to a file, which is there as a whole at any time."""
        with appearing(file, force=True) as new:
            new.write_text(json.dumps(asdict(self)), encoding="utf-8")

    def replayed(self, book: Rulebook) -> tuple[Match, Obstacle | None]:
        """The match where the table stands, played by these rules as far as they go; moves that they refuse are forgotten,
        with all that follow. If its players, options or deal are not possible any more, it is a new one. Raises what a rule
        raises, Stuck."""
        stop = None
        with limited(within(book), PATIENCE):
            if undealt := everywhere(partial(self._undealt, book)):
                stop = Obstacle(0, "", undealt)
                self._fit(book)
            match = self._dealt(book)
        for number, move in enumerate(self.moves, 1):
            try:
                with limited(within(book), PATIENCE):
                    match.play(move["seat"], move)
            except (Exception, Stuck) as error:
                stop = Obstacle(number, self._words(book, move), everywhere(partial(_reason, match, move, error)))
                break
        self.moves, self.at = [dict(move) for move in match.moves], min(self.at, len(match.moves))
        if self.at < len(self.moves):
            match.take_back(len(self.moves) - self.at)
        return match, stop

    def _dealt(self, book: Rulebook) -> Match:
        if self.deal is None:
            return Match.new(book, self.options, len(self.names), self.seed, self.names)
        return Match.load(book, self.options, self.names, self.deal)

    def _undealt(self, book: Rulebook) -> str:
        """Why it cannot be dealt, in the language of the moment; nothing if it can."""
        try:
            self._dealt(book)
        except OutbidError as refused:
            return str(refused)
        return ""

    def _fit(self, book: Rulebook) -> None:
        """Become a new match by these rules, with as many of the players and options as they have."""
        known = {option.name: option for option in book.options}
        low, high = book.players
        self.names = self.names[:high] + seat_names(low)[len(self.names) :]
        self.options = {name: value for name, value in self.options.items() if name in known and takes(known[name], value)}
        self.deal, self.moves = None, []

    def _words(self, book: Rulebook, move: dict[str, Any]) -> str:
        """A move with who makes it, as one types it, also one that the rules do not know any more."""
        action, seat = without_seat(move), move["seat"]
        try:
            text = book.words.text(action)
        except Exception:  # whatever the words of another version make of it
            text = " ".join(map(str, action.values()))
        return f"{self.names[seat]}: {text}" if seat in range(len(self.names)) else text


def takes(option: Option, value: Any) -> bool:
    """Whether an option may have a value."""
    try:
        option.encode(value)
    except OutbidError:
        return False
    return True


def _reason(match: Match, move: dict[str, Any], error: BaseException) -> str:
    """Why the rules do not play a move; a refusal is asked for again, in the language of the moment."""
    if not isinstance(error, OutbidError):
        return str(error) if isinstance(error, Stuck) else sentence_of(error)
    try:
        match.play(move["seat"], move)
    except OutbidError as again:
        error = again
    return error.reason if isinstance(error, Illegal) else str(error)
