"""Words that every game's sentences are made with: who is spoken to, and lists."""

from __future__ import annotations

from collections.abc import Sequence


class Speaker:
    """Names and verbs for one audience (a seat, or −1): "You bid", "Ada bids"."""

    def __init__(self, names: Sequence[str], audience: int):
        self.names = names
        self.audience = audience

    def who(self, seat: int) -> str:
        """The subject of a sentence."""
        return "You" if seat == self.audience else self.names[seat]

    def whom(self, seat: int) -> str:
        """The object of a sentence, or the subject within one."""
        return "you" if seat == self.audience else self.names[seat]

    def whose(self, seat: int) -> str:
        """A possessive within a sentence."""
        return "your" if seat == self.audience else f"{self.names[seat]}'s"

    def does(self, seat: int, own: str, other: str) -> str:
        """Subject and verb."""
        return f"{self.who(seat)} {own if seat == self.audience else other}"

    def then(self, seat: int, own: str, other: str) -> str:
        """Subject and verb within a sentence."""
        return f"{self.whom(seat)} {own if seat == self.audience else other}"

    def all(self, seats: Sequence[int]) -> str:
        """ "Ada", "you and Ben", "Ada, Ben and Cem"."""
        return listed([self.whom(seat) for seat in seats])


def listed(words: Sequence[str], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c"; empty for nothing."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)
