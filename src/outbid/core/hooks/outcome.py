"""The outcome of an auction, a trade or an exchange: a sentence of the log that a table shows as a card, too.

A game tells it with the sentence, from the same hidden states, so the card shows an audience no more than the log says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple


class Side(NamedTuple):
    """What a seat got. things: how it is drawn and how often: ("note:kuhhandel-50", 2), ("back:note", 3) for what lies face
    down; sum: how much that is, in large; gave: what the seat gave for it, in words."""

    seat: int
    things: tuple[tuple[str, int], ...] = ()
    sum: str = ""
    gave: str = ""


class Outcome(str):
    """The sentence, with its sides and the sound it is shown with: hammer, coin, card or reveal."""

    sides: tuple[Side, ...]
    sound: str

    def __new__(cls, sentence: str, sound: str = "", *sides: Side) -> Outcome:
        """A sentence that is shown."""
        outcome = super().__new__(cls, sentence)
        outcome.sound, outcome.sides = sound, sides
        return outcome

    @property
    def parties(self) -> frozenset[int]:
        """The seats it is about."""
        return frozenset(side.seat for side in self.sides)


def counted(how: str, names: Iterable[object]) -> tuple[tuple[str, int], ...]:
    """Things to draw, equal ones together: `how` is put before the name of each, as in "note:kuhhandel-"."""
    return tuple((f"{how}{name}", n) for name, n in Counter(names).items())
