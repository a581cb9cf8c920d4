"""The choices of Rivals in words (core/hooks/choices.py)."""

from collections.abc import Sequence

from outbid.core.hooks.choices import rest
from outbid.core.menu import Choice
from outbid.games.rivals.text import _


def worded(choice: Choice, names: Sequence[str]) -> str:
    """A choice in words."""
    move = choice.move
    if move["do"] == "uncover":
        return _("uncover a card")
    if move["do"] == "bid":
        low, high = choice.amounts[0], choice.amounts[-1]
        return _("bid an amount from {low} to {high}", low=low, high=high) if low < high else _("bid {amount}", amount=low)
    if move["do"] == "take":
        return _("take cards: {rest}", rest=rest(choice)) if choice.cards else _("take nothing")
    if move["do"] == "remove":
        card = move["card"]
        return _("remove {card} from the game", card=card) if card else _("remove nothing from the game")
    return _("pass on this display")
