"""What the laboratory measures in Rivals besides what it measures everywhere (core/hooks/measuring.py)."""

from typing import Any

import numpy as np

from outbid.core.hooks.measuring import Measure, Places
from outbid.core.language.i18n import N_
from outbid.games.rivals.state import ACTIONS, CARD, HUES, OFFER, PASS, RANKS, UNCOVER
from outbid.games.rivals.text import _

BAND = 5  # bids that are one thing

MEASURES = (
    Measure("gold_left", N_("Gold left"), N_("gold in all hands at the end"),
            lambda final, players: final["gold"][:, :players].sum(1, dtype=np.int64), N_("gold"), "lower", 1),
    Measure("gold_gap", N_("Gold apart"), N_("the most gold in a hand at the end, less the least"),
            lambda final, players: np.ptp(final["gold"][:, :players].astype(np.int64), 1), N_("gold"), "", 1),
)  # fmt: skip

HELD = RANKS


def held(final: Any, players: int) -> Any:
    """Who has a card of each number, or a wager, in whatever colour, (M, P, HELD)."""
    return (final["owned"][:, :players].reshape(-1, players, HUES, RANKS) > 0).any(2)


PLACES = {
    "copies": Places(lambda place: _("cards of {number}", number=place + 2), counted=True),
    "footprints": Places(lambda place: _("cards of {number}", number=place + 2)),
}


def thing(action: int) -> str:
    """What an action is a part of: cards of one number are one thing in all colours, since these differ in name alone.
    After the actions, those that one has in the end."""
    if action >= ACTIONS:
        return _("{card} in the end", card=_card(action - ACTIONS))
    if action > OFFER:
        low = (action - OFFER - 1) // BAND * BAND + 1
        return _("bid of {low} to {high}", low=low, high=low + BAND - 1)
    if CARD <= action < OFFER:
        return _card((action - CARD) % RANKS)
    return {UNCOVER: _("uncover"), PASS: _("pass")}.get(action, "")


def _card(rank: int) -> str:
    return _("card {number}", number=rank + 1) if rank else _("wager")
