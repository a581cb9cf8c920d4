"""Automatic moves: orders by which a person lets the table answer for them: a module `hooks/automatic_moves.py` of a game.

    offered(s, seat, names) -> [Choice]      the orders the seat may give now; s is hidden for the seat
    sentence(order, s, seat, names) -> str   what an order that was given will do, for its owner
    answer(order, s, seat) -> move | None    what it says to what the seat is asked; None: the person is asked
    lasts(order, s, seat) -> bool            it is still about something

An order is the `move` of a choice, with the `amount` that was chosen if the choice has amounts. It names what it is `about`
(a lot, a round): a newer order about the same takes its place, and when that is over the order is gone.
"""

from typing import Any

from outbid.core.language.i18n import _
from outbid.core.menu import Choice


def raises(about: str, amounts: range, quick: tuple[int, ...], passes: bool = True) -> list[Choice]:
    """The orders to raise in the auction `about` up to one of these amounts, if there are any: then the seat is asked, or
    passes where one can."""
    texts = {"ask": _("Raise for me up to this amount, then ask me"), "pass": _("Raise for me up to this amount, then pass")}
    return [
        Choice(texts[then], {"about": about, "do": "raise", "then": then}, amounts=amounts, quick=quick)
        for then in (("ask", "pass") if passes else ("ask",))
        if amounts
    ]


def bid_or_pass(order: dict[str, Any], bid: int, limit: int) -> dict[str, Any] | None:
    """What an order to raise, or to pass, says where `bid` is the next bid and the seat may bid up to `limit`."""
    if order["do"] == "raise":
        if bid <= order["amount"]:
            return {"do": "bid", "amount": bid} if bid <= limit else None
        if order["then"] == "ask":
            return None
    return {"do": "pass"}
