"""What players say to each other in a match, beside its moves: the key `said` at the top of a record.

A remark has the seat that spoke, the seat that alone heard it (none: all did), after how many moves, and the text. It binds
nobody and changes nothing; a bot does not hear it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outbid.core.errors import BadRecord, BadSetup
from outbid.core.language.i18n import _
from outbid.core.language.names import visible

TALKS = ("none", "public", "private")  # how players may talk: not at all, to all, and to one alone, too
LONGEST = 300  # characters of a remark, as of a message in a chat


@dataclass(frozen=True)
class Remark:
    """A sentence of a seat. to: who alone heard it; None: all. after: the moves made before it."""

    seat: int
    text: str
    to: int | None = None
    after: int = 0

    def heard_by(self, seats: Collection[int]) -> bool:
        """Whether all heard it, or one of these seats spoke or heard it."""
        return self.to is None or self.seat in seats or self.to in seats

    def as_dict(self) -> dict[str, Any]:
        """The remark as it stands in a record."""
        to = {} if self.to is None else {"to": self.to}
        return {"seat": self.seat, **to, "after": self.after, "text": self.text}


def remark(seat: object, text: object, to: object, after: int, players: int) -> Remark:
    """A remark at a table of so many players. Raises BadSetup."""
    for place in (seat, to):
        if place is not None and (type(place) is not int or not 0 <= place < players):
            raise BadSetup(_("There is no seat {seat!r}; the seats are 0 to {last}.", seat=place, last=players - 1))
    if type(seat) is not int or seat == to:
        raise BadSetup(_("A remark is that of a seat, and to another one or to all."))
    if not isinstance(text, str) or not visible(text) or len(text) > LONGEST:
        raise BadSetup(_("A remark has 1 to {longest} characters.", longest=LONGEST))
    return Remark(seat, " ".join(text.split()), to if type(to) is int else None, after)


def read(told: object, players: int, moves: int) -> list[Remark]:
    """The remarks of a record with so many moves, in their order. Raises BadRecord."""
    if not isinstance(told, Sequence) or isinstance(told, str):
        raise BadRecord(_("The record's said must be a list."))
    remarks: list[Remark] = []
    for number, entry in enumerate(told):
        try:
            if not isinstance(entry, Mapping):
                raise BadSetup(_("A remark is an object with seat, after and text."))
            after, earliest = entry.get("after"), remarks[-1].after if remarks else 0
            if type(after) is not int or not earliest <= after <= moves:
                raise BadSetup(_("It stands after {earliest} to {moves} moves, not {after!r}.",
                                 earliest=earliest, moves=moves, after=after))  # fmt: skip
            remarks.append(remark(entry.get("seat"), entry.get("text"), entry.get("to"), after, players))
        except BadSetup as error:
            raise BadRecord(_("Remark {n}: {reason}", n=number, reason=error)) from error
    return remarks
