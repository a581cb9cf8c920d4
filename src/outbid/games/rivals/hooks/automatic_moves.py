"""Automatic moves of Rivals: raise for me up to an amount, pass on this display. What the interface is:
core/hooks/automatic_moves.py.

They mean the auction that goes on, and are gone when it is won.
"""

from typing import Any

from outbid.core.hooks.automatic_moves import bid_or_pass, raises
from outbid.core.menu import Choice
from outbid.games.rivals.state import BID
from outbid.games.rivals.text import _


def offered(s: Any, seat: int, names: list[str]) -> list[Choice]:
    """The orders that a bidder may give, also while leading."""
    if not _bids(s, seat) or s.gold[seat] <= s.bid:  # who cannot raise is out without it
        return []
    about = _auction(s)
    amounts = range(s.bid + 1, s.gold[seat] + 1)
    orders = raises(about, amounts, tuple(amounts[1:]))
    if s.asking != seat:  # who is asked just passes, and that is as final
        orders.append(Choice(_("Out of this auction"), {"about": about, "do": "pass"}))
    return orders


def sentence(order: dict[str, Any], s: Any, seat: int, names: list[str]) -> str:
    """What an order will do."""
    if order["do"] == "pass":
        return _("You pass on this display when you are asked.")
    if order["then"] == "pass":
        return _("Your bid is raised by 1 up to {amount}, then you pass.", amount=order["amount"])
    return _("Your bid is raised by 1 up to {amount}, then you are asked.", amount=order["amount"])


def answer(order: dict[str, Any], s: Any, seat: int) -> dict[str, Any] | None:
    """The next bid, a pass, or nothing: the bidder is asked."""
    return bid_or_pass(order, s.bid + 1, s.gold[seat]) if lasts(order, s, seat) else None


def lasts(order: dict[str, Any], s: Any, seat: int) -> bool:
    """The auction it is about goes on, and the bidder is in it."""
    return _bids(s, seat) and order["about"] == _auction(s)


def _bids(s: Any, seat: int) -> bool:
    """The seat is still in an auction that goes on."""
    return s.phase == BID and not s.passed >> seat & 1


def _auction(s: Any) -> str:
    """What names this auction: nothing is turned up while it goes on, and something always is before the next."""
    return f"auction {s.drawn}.{s.turn}"
