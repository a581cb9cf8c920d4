"""Automatic moves of For-Ex: refuse spot offers, of one player or of all. What the interface is:
core/hooks/automatic_moves.py.

They last as long as the match, or until they are taken back.
"""

from typing import Any

from outbid.core.menu import Choice
from outbid.games.forex.state import OVER, REPLY
from outbid.games.forex.text import _


def offered(s: Any, seat: int, names: list[str]) -> list[Choice]:
    """The orders that everybody may give at any time."""
    if not s.spot_enabled or s.phase == OVER:
        return []
    orders = [Choice(_("Refuse all spot offers"), {"about": "spot offers", "do": "refuse"})]
    for other in range(s.players):
        if other != seat:
            order = {"about": f"spot offers of {other}", "do": "refuse", "of": other}
            orders.append(Choice(_("Refuse spot offers of {name}", name=names[other]), order))
    return orders


def sentence(order: dict[str, Any], s: Any, seat: int, names: list[str]) -> str:
    """What an order will do."""
    if "of" in order:
        return _("You refuse every spot offer of {name}.", name=names[order["of"]])
    return _("You refuse every spot offer.")


def answer(order: dict[str, Any], s: Any, seat: int) -> dict[str, Any] | None:
    """No to an offer of whom it is about."""
    if s.phase == REPLY and s.partner == seat and order.get("of", s.turn) == s.turn:
        return {"do": "refuse"}
    return None


def lasts(order: dict[str, Any], s: Any, seat: int) -> bool:
    """Whether the order lasts: as long as the match."""
    return s.phase != OVER
