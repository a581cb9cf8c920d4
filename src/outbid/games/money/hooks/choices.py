"""The choices of Money! in words (core/hooks/choices.py)."""

from collections.abc import Sequence

from outbid.core.menu import Choice
from outbid.games.money.text import _


def worded(choice: Choice, names: Sequence[str]) -> str:
    """Say a choice of the menu in words; names: of the seats."""
    move = choice.move
    if move["do"] == "bid":
        return _("bid any of {cards}", cards=" ".join(map(str, choice.cards))) if choice.cards else _("stay out this round")
    if move["do"] == "take":
        return _("take the left display") if move["display"] == "left" else _("take the right display")
    return _("swap bids with {who}", who=names[move["with"]]) if move["do"] == "swap" else _("keep your own bid")
