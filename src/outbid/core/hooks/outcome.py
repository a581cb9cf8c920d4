"""The outcome of an auction, a trade or an exchange: a sentence of the log that a table shows as a card, too.

A game tells it with the sentence, from the same hidden states, so the card shows an audience no more than the log says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import dropwhile, takewhile
from typing import Any, NamedTuple

from outbid.core.declaration import Declaration
from outbid.core.derived.looks import key, looks_of
from outbid.core.fields import Field
from outbid.core.language.phrases import grouped

NOBODY = -1
BACKED = ("card", "note")  # kinds of things with a back of their own
BIDDING = ("bid", "pass")  # what an auction consists of


class Side(NamedTuple):
    """What lies in the column of a seat: what it laid where the stacks cross, else what it got. things: how it is drawn and
    how often, the largest last: ("note:kuhhandel-50", 2), ("back:note", 3) for what lies face down; sum: how much that is,
    in large; name: what stands above a column of NOBODY, as a display or the bank."""

    seat: int
    things: tuple[tuple[str, int], ...] = ()
    sum: str = ""
    name: str = ""


class Outcome(str):
    """The sentence, with its sides and the sound it is shown with: hammer, coin, card or reveal. net: what it comes to for
    whom it is told, as the game works it out: "+1,250 for two pigs"; crosses: each of two stacks goes to the other side;
    in_place: it is shown where the things lie on the stage, and no card tells it again; also: seats without a side that it
    is about, as who pushed a stack; closes: it ends a round, and all see it before the next one; strange: numbers that were
    to stand there and are no kinds."""

    sides: tuple[Side, ...]
    sound: str
    net: str
    crosses: bool
    in_place: bool
    also: tuple[int, ...]
    closes: bool
    strange: tuple[int, ...] = ()

    def __new__(
        cls, sentence: str, sound: str = "", *sides: Side, net: str = "", crosses: bool = False, in_place: bool = False,
        also: tuple[int, ...] = (), closes: bool = False,
    ) -> Outcome:  # fmt: skip
        """A sentence that is shown."""
        outcome = super().__new__(cls, sentence)
        outcome.sound, outcome.sides, outcome.net, outcome.crosses, outcome.in_place = sound, sides, net, crosses, in_place
        outcome.also, outcome.closes = also, closes
        return outcome

    @property
    def parties(self) -> frozenset[int]:
        """The seats it is about."""
        return frozenset(side.seat for side in self.sides if side.seat != NOBODY).union(self.also)

    def concerns(self, seat: int, before: Iterable[tuple[int | None, str]]) -> bool:
        """Whether a seat is a party or has bid in the auction that this ends, or a round ends. before: who did what, the
        newest first."""
        if self.closes or seat in self.parties or self.sound != "hammer":
            return self.closes or seat in self.parties
        auction = takewhile(lambda move: move[1] in BIDDING, dropwhile(lambda move: move[1] not in BIDDING, before))
        return (seat, "bid") in auction


def stands(
    sentence: str, state: Any, field: Field, lies: Mapping[int, Sequence[int]], sums: Mapping[int, object] | None = None
) -> Outcome:
    """A sentence that stands on the table until it is seen, in a game without a page of its own. lies: the kinds of the
    things of a field in the column of each seat, 0 for none; what is no kind, as what the reader does not see, lies face
    down. sums: a number below them."""
    things = {seat: [_drawn(state.book, field, kind) for kind in kinds] for seat, kinds in lies.items()}
    sides = (Side(seat, counted("", filter(None, faces)), str((sums or {}).get(seat, ""))) for seat, faces in things.items())
    outcome = Outcome(sentence, "reveal", *sides, also=tuple(range(state.players)))
    outcome.strange = tuple(n for kinds in lies.values() for n in kinds if n > len(looks_of(field)))
    return outcome


def _drawn(book: Declaration, field: Field, kind: int) -> str:
    """How a thing of a field is drawn, or its back; "" for nothing."""
    if kind in (0, field.nothing) or field.face is None or not field.face.kind:
        return ""
    face = key(book, field, kind)
    return f"face:{face or key(book, field, 0)}" if face or field.face.kind not in BACKED else f"back:{field.face.kind}"


def counted(how: str, names: Iterable[object]) -> tuple[tuple[str, int], ...]:
    """Things to draw, equal ones together: `how` is put before the name of each, as in "note:kuhhandel-"."""
    return tuple((f"{how}{name}", n) for name, n in Counter(names).items())


def change(n: int) -> str:
    """A gain or a loss: "+1,250", "−60", "±0"."""
    return f"{'+' if n > 0 else '−' if n else '±'}{grouped(abs(n))}"
