"""Automatic moves of Kuhhandel: raise for me up to an amount, pass on this animal. The interface is in
core/hooks/automatic_moves.py.

They are decided by what lies open and by one's own money only, and mean this auction: when the hammer falls, or the animal
is auctioned again, they are gone. In an outcry there is nothing to pass.
"""

from typing import Any

from outbid.core.hooks.automatic_moves import bid_or_pass, raises
from outbid.core.menu import Choice
from outbid.games.kuhhandel import rules
from outbid.games.kuhhandel.state import BID, DROPOUT, REALTIME
from outbid.games.kuhhandel.text import _


def offered(s: Any, seat: int, names: list[str]) -> list[Choice]:
    """The orders that a bidder may give, also while leading: but who leads is not out."""
    if not _bids(s, seat):
        return []
    about = _auction(s)
    limit = rules.bid_limit(s, seat)
    amounts = range(s.bid + s.bid_step, limit - limit % s.bid_step + 1, s.bid_step)
    orders = raises(about, amounts, _within_means(s, seat, amounts), passes=s.bidding != REALTIME)
    if s.bidding != REALTIME and seat != s.leader:
        orders.append(Choice(_("Out for this animal"), {"about": about, "do": "pass"}))
    return orders


def sentence(order: dict[str, Any], s: Any, seat: int, names: list[str]) -> str:
    """What an order will do."""
    if order["do"] == "pass":
        return _("You pass on this animal whenever you are asked.")
    if order["then"] == "pass":
        return _("Your bid is raised by the least step up to {amount}, then you pass.", amount=order["amount"])
    return _("Your bid is raised by the least step up to {amount}, then you are asked.", amount=order["amount"])


def answer(order: dict[str, Any], s: Any, seat: int) -> dict[str, Any] | None:
    """The next bid, a pass, or nothing: the bidder is asked."""
    return bid_or_pass(order, s.bid + s.bid_step, rules.bid_limit(s, seat)) if lasts(order, s, seat) else None


def lasts(order: dict[str, Any], s: Any, seat: int) -> bool:
    """The auction it is about goes on, and the bidder is in it."""
    return _bids(s, seat) and order["about"] == _auction(s)


def _bids(s: Any, seat: int) -> bool:
    """The seat may still bid in an auction that goes on."""
    out = s.excluded | (s.passed if s.bidding == DROPOUT else 0) | 1 << s.turn
    return s.phase == BID and not out >> seat & 1


def _within_means(s: Any, seat: int, amounts: range) -> tuple[int, ...]:
    """The next amounts that one can pay, then the rounder ones: as many as a hand has in sight."""
    able, step = [amount for amount in amounts if amount <= rules.cash(s, seat)], s.bid_step
    even = (amount for amount in able[18:36] if amount % (2 * step) == 0)
    round_ones = (amount for amount in able[36:] if amount % (5 * step) == 0)
    return (*able[1:18], *even, *round_ones)[:30]


def _auction(s: Any) -> str:
    """What names this auction of this animal."""
    return f"auction {s.drawn}.{s.excluded}"
