"""Automatic moves of Money!: keep my bid if nobody takes it. What the interface is: core/hooks/automatic_moves.py.

The order names the cards of the bid: a player whose bid was taken is asked, and it is gone with the round.
"""

from typing import Any

from outbid.core.menu import Choice
from outbid.games.money.state import BID, CARDS, EXCHANGE, TABLE
from outbid.games.money.text import _


def offered(s: Any, seat: int, names: list[str]) -> list[Choice]:
    """The order that a player with a bid on the table may give while waiting for the others."""
    if not _waits(s, seat) or (s.phase == EXCHANGE and s.actor == seat):
        return []
    order = {"about": _round(s), "do": "keep", "cards": _bid(s, seat)}
    return [Choice(_("Keep my bid if nobody takes it"), order)]


def sentence(order: dict[str, Any], s: Any, seat: int, names: list[str]) -> str:
    """What an order will do."""
    return _("You keep your bid of this round if nobody takes it; if somebody does, you are asked.")


def answer(order: dict[str, Any], s: Any, seat: int) -> dict[str, Any] | None:
    """Keep the bid if it is the one that was laid."""
    if s.phase == EXCHANGE and s.actor == seat and lasts(order, s, seat) and _bid(s, seat) == order["cards"]:
        return {"do": "keep"}
    return None


def lasts(order: dict[str, Any], s: Any, seat: int) -> bool:
    """The round goes on, and there is a bid on the table."""
    return order["about"] == _round(s) and _waits(s, seat)


def _waits(s: Any, seat: int) -> bool:
    """The seat has a bid on the table and has not acted yet."""
    sealed = s.phase == BID and s.sealed >> seat & 1
    return bool(s.laid[seat] and (sealed or (s.phase == EXCHANGE and s.key[seat] >= 0)))


def _bid(s: Any, seat: int) -> list[int]:
    """The cards of the bid."""
    return [card for card in range(CARDS) if s.place[card] == TABLE + seat]


def _round(s: Any) -> str:
    return f"round {s.round}"
