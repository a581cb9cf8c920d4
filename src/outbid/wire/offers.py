"""An offer: a legal choice of a seat as a person or an agent is shown it, and what is still to be chosen of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from outbid.core.language.i18n import _

SEAT = re.compile(r"\b(with|to) (\d+)\b")


@dataclass(frozen=True)
class Offer:
    """A choice of the menu (core/menu.py); `moves`: each whole move with its text, if one of them is to be chosen. sample: a
    move of it as one types it, if that is known. words: the choice as a person says it, where its text does not say all."""

    text: str
    move: Mapping[str, Any]
    amounts: range = range(0)
    cards: tuple[Any, ...] | None = None
    moves: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    sample: str = ""
    words: str = ""

    @property
    def label(self) -> str:
        """What stands in a menu: the words, else the text."""
        return self.words or self.text

    def calling(self, names: Sequence[str]) -> Offer:
        """Put the names of seats in place of their numbers: "trade cow with Clara"."""
        moves = tuple((_calling(text, move, names), move) for text, move in self.moves)
        text, words = (_calling(sentence, self.move, names) for sentence in (self.text, self.words))
        return replace(self, text=text, words=words, moves=moves)

    @property
    def whole(self) -> bool:
        """Nothing is left to choose."""
        return not self.amounts and self.cards is None and not self.moves

    @property
    def only(self) -> Mapping[str, Any] | None:
        """The one move that this can be; none if something is left to choose."""
        if len(self.amounts) == 1:
            return {**self.move, "amount": self.amounts[0]}
        if len(self.moves) == 1:
            return self.moves[0][1]
        return self.move if self.whole else None

    @property
    def example(self) -> str:
        """One move of it as one would type it; nothing if the text says that already."""
        if self.only is not None or "“" in self.text or '"' in self.text:
            return ""
        if self.amounts:
            return f"{self.move['do']} {self.amounts[0]}"
        if self.cards is not None:
            return self.sample or self.typed_with([str(card) for card in self.cards[-1:]])
        return self.moves[len(self.moves) // 2][0]

    @property
    def typed(self) -> str:
        """What one may type, to stand beside the label; nothing if that says it."""
        if self.only is None:
            return _("such as “{move}”", move=self.example) if self.example else ""
        return _("“{words}”", words=self.text) if self.words else ""

    def typed_with(self, cards: Sequence[str]) -> str:
        """The move with these cards as one types it: the game knows what goes without saying."""
        return " ".join([str(self.move["do"]), *(cards or ["nothing"])])


def _calling(text: str, move: Mapping[str, Any], names: Sequence[str]) -> str:
    """A typed move in which a seat is called by its name, which `Match.typed` reads as well."""

    def name(match: re.Match[str]) -> str:
        key, seat = match[1], int(match[2])
        known = move.get(key) == seat and seat < len(names) and names[seat] and not names[seat][0].isdigit()
        return f"{key} {names[seat]}" if known else match[0]

    return SEAT.sub(name, text)
