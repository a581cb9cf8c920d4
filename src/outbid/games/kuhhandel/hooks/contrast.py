"""What two moves of Kuhhandel lead to (core/hooks/contrast.py): complete sets, and points. Money is worth nothing at
the end."""

from typing import Any

from outbid.core.hooks.contrast import Key
from outbid.core.language.phrases import Speaker
from outbid.games.kuhhandel import rules
from outbid.games.kuhhandel.text import _, animals

LEAST = {"points": 100}  # what is worth telling


def events(s: Any) -> set[Key]:
    """Who has a complete set of which kind."""
    return {
        ("set", seat, kind)
        for seat in range(s.players)
        for kind, copies in enumerate(s.copies)
        if copies and s.animals[seat][kind] == copies
    }


def amounts(s: Any) -> dict[Key, int]:
    """The points of every seat."""
    points = [0] * s.players
    rules.score(s, points)
    return {("points", seat): points[seat] for seat in range(s.players)}


def happened(key: Key, speak: Speaker) -> str:
    """Tell of a set that a seat completes."""
    own, other = _("You complete the {animals}"), _("{who} completes the {animals}")
    return speak(int(key[1]), own, other, animals=animals.herd(int(key[2])))


def amount(key: Key, speak: Speaker, first: str, second: str) -> str:
    """Tell of the points of a seat at the end, and what they are instead."""
    own, theirs = _("You end with {one} points instead of {two}"), _("{who} ends with {one} points instead of {two}")
    return speak(int(key[1]), own, theirs, one=first, two=second)


def blind(move: dict[str, Any], seat: int, speak: Speaker) -> str:
    """A move that turns over a card, told by somebody who does not know which."""
    return speak(seat, _("You auction the top card."), _("{who} auctions the top card.")) if move["do"] == "auction" else ""
