"""Records and tables: what a finished table gives away, and a table made of a record, to be looked at.

Both ways every move is replayed. A table made of a record is over from the beginning: nobody sits there, nobody can move.
Its id follows from the record, so the same record makes the same table.
"""

import hashlib
import itertools
import json
from collections.abc import Sequence
from typing import Any

from outbid.core.errors import BadRecord, OutbidError
from outbid.core.language.i18n import _
from outbid.core.match import FORMAT, Match, seat_names
from outbid.core.record import read_record
from outbid.core.rulebook import by_id
from outbid.core.talk import Remark
from outbid.server.stored import Seat, Stored, StoredMessage, standing
from outbid.server.tokens import LETTERS, new_seed

ID = 12


def written(stored: Stored) -> dict[str, Any]:
    """The record as it lies in the database, not replayed: for a table of rules that this program does not know."""
    return {
        "format": FORMAT,
        "game": stored.game,
        "rules": stored.rules,
        "options": stored.options,
        "players": [seat.name for seat in stored.seats],
        "deal": stored.deal,
        "moves": [{"seat": move.seat, **move.said, **move.mark} for _row, move in standing(stored.moves)],
    }


def verified(stored: Stored) -> Match:
    """The match of a table, replayed; seats that are open have a name. Raises BadRecord with the number of the bad move."""
    record = written(stored)
    if stored.status == "open":
        if stored.moves:
            raise BadRecord("There are moves, but seats are still open.")
        record["players"] = seat_names(len(stored.seats))
    elif any(seat.kind == "open" for seat in stored.seats):
        raise BadRecord(f"A seat is open, but the table is {stored.status}.")
    match = read_record(record)
    match.marks = {number: move.mark for number, (_row, move) in enumerate(standing(stored.moves)) if move.mark}
    if match.over != (stored.status == "over"):
        raise BadRecord(f"The match is {'over' if match.over else 'not over'}, but the table is {stored.status}.")
    return match


def with_talk(record: dict[str, Any], messages: Sequence[StoredMessage], party: int = -1) -> dict[str, Any]:
    """The record of a match with what was said in it (core/talk.py): what all heard, and what a seat said or heard alone.
    messages: of those who sat there, the oldest first."""
    moves, told = len(record["moves"]), []
    for message in reversed([message for message in messages if message.after is not None]):
        moves = min(moves, message.after or 0)  # some may have been taken back after it
        remark = Remark(message.seat, message.text, message.to, moves)
        told += [remark.as_dict()] if remark.heard_by({party} - {-1}) else []
    return record | ({"said": told[::-1]} if told else {})


def for_lab(stored: Stored, moments: Sequence[float]) -> dict[str, Any]:
    """The record of a finished table whose players let the laboratory read it: seats without names, when each move was made
    (`at`: seconds since the first), and which were made by bots (`by`); of a playtest also the variant that was drawn, and
    the answers by seat. Raises BadRecord."""
    match, people = verified(stored), itertools.count(1)
    bots = [seat.bot if seat.token is None else None for seat in stored.seats]  # not those that stand in for a person
    times = list(itertools.accumulate(moments, max))  # also if the clock was set back
    for k, (row, move) in enumerate(standing(stored.moves)):
        bot = None if move.seat is None else bots[move.seat]
        match.marks[k] = {"at": round(times[row] - moments[0], 1)} | ({"by": bot} if bot else {}) | move.mark
    record = {**match.record(), "players": [bot or f"Player {next(people)}" for bot in bots]}
    if stored.playtest:
        answers = [{about: n for (seat, about), n in stored.opinions.items() if seat == own} for own in range(len(bots))]
        record |= {"playtest": {"name": stored.playtest, "variant": stored.variant, "answers": answers}}
    return record


def table_of(record: Any) -> Stored:
    """The finished table of a record. Raises BadRecord."""
    match = read_record(record)
    if not match.over:
        raise BadRecord(_("The match of this record is not over; only a finished match makes a table."))
    seats = (Seat("human", name, None, new_seed()) for name in match.names)
    return Stored.of(match, id_of(match), seats, pace="normal")


def id_of(match: Match) -> str:
    """The id of the table that the record of a match makes; what it says beside the moves does not matter."""
    plain = match.copy()
    plain.marks, plain.talk = {}, []
    text = json.dumps(plain.record(), sort_keys=True, separators=(",", ":"))
    number = int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest())
    return "".join(LETTERS[number >> 5 * n & 31] for n in range(ID))


def known(game: str, rules: str) -> bool:
    """This program can play by these rules."""
    try:
        return rules in by_id(game).known_rules
    except OutbidError:
        return False
