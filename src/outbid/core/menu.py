"""What a seat may do, as a person reads it: a list of choices that prints itself.

A small set of moves is listed one by one; a large one (every bid, every set of cards, every contract) is one choice with a
range of amounts, the cards to choose from, or all its moves.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Choice:
    """One kind of move.

    text: as one would type it, in one's language; choices are equal whatever their texts. move: the move as in a record,
    without what is still to be chosen. amounts: the amounts it may have (an empty range: none to choose). cards: the cards
    to choose from (None: none to choose). moves: all moves of this kind, each whole (empty: none to choose). quick: amounts
    to show first."""

    text: str = field(compare=False)
    move: dict[str, Any]
    amounts: range = range(0)
    cards: tuple[Any, ...] | None = None
    moves: tuple[dict[str, Any], ...] = ()
    quick: tuple[int, ...] = ()

    @property
    def whole(self) -> bool:
        """Nothing is left to choose."""
        return not self.amounts and self.cards is None and not self.moves


@dataclass(frozen=True)
class Menu:
    """All choices of a seat; empty if it is not asked."""

    choices: tuple[Choice, ...] = field(default_factory=tuple)

    def __iter__(self) -> Iterator[Choice]:
        return iter(self.choices)

    def __len__(self) -> int:
        return len(self.choices)

    def __contains__(self, text: object) -> bool:
        return any(choice.text == text for choice in self.choices)

    def __str__(self) -> str:
        return "\n".join(choice.text for choice in self.choices) or "nothing"

    @property
    def forced(self) -> bool:
        """There is one thing to do, and nothing to choose."""
        return len(self.choices) == 1 and self.choices[0].whole

    def doing(self, do: str) -> list[Choice]:
        """The choices of one kind of move."""
        return [choice for choice in self.choices if choice.move["do"] == do]

    @property
    def texts(self) -> tuple[str, ...]:
        """The choices as text."""
        return tuple(choice.text for choice in self.choices)
