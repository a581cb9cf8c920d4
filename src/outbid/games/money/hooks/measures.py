"""What the laboratory measures in Money besides what it measures everywhere (core/hooks/measuring.py)."""

from typing import Any

import numpy as np

from outbid.core.hooks.measuring import Measure, Places
from outbid.core.language.i18n import N_
from outbid.games.money.spaces import VALUES
from outbid.games.money.state import ACTIONS, BLUFF, CARDS, COINS, GOLD, KEEP, NOTES, PRINTED, SEAL, SWAP
from outbid.games.money.text import _

OF_NOTE = [value for value, copies in zip(VALUES, PRINTED, strict=True) for _copy in range(copies)]

MEASURES = (
    Measure("rounds_played", N_("Rounds"), N_("rounds of bids"), lambda final, players: final["round"],
            N_("rounds"), "", 2),
)  # fmt: skip

HELD = len(VALUES) + 2  # notes of each value, coins, gold coins


def held(final: Any, players: int) -> Any:
    """Who has a note of each value, of whatever currency, a coin, a gold coin, (M, P, HELD)."""
    hands = final["place"][:, None] == np.arange(players)[:, None]
    kinds = [VALUES.index(OF_NOTE[card % NOTES]) if card < COINS else len(VALUES) + (card >= GOLD) for card in range(CARDS)]
    return np.stack([hands[:, :, np.array(kinds) == kind].any(2) for kind in range(HELD)], 2)


PLACES = {"denominations": Places(lambda place: _("notes of {value}", value=VALUES[place]), counted=True)}


def thing(action: int) -> str:
    """What an action is a part of: notes of one value are one thing in all currencies, since these differ in name
    alone. After the actions, those that one has in the end."""
    if action >= ACTIONS:
        kind = action - ACTIONS
        return _("{value} in the end", value=VALUES[kind]) if kind < len(VALUES) else (
            _("coin in the end") if kind == len(VALUES) else _("gold coin in the end"))  # fmt: skip
    if action < COINS:
        return _("{value} in the bid", value=OF_NOTE[action % NOTES])
    if action < SEAL:
        return _("coin in the bid") if action < GOLD else _("gold coin in the bid")
    if action == SEAL:
        return ""  # every bid that is not a bluff ends so
    if action == BLUFF:
        return _("bluff card")
    if action == KEEP:
        return _("bid kept")
    return _("bid swapped") if action >= SWAP else _("display taken")
