"""What the laboratory measures in Kuhhandel besides what it measures everywhere (core/hooks/measuring.py)."""

from typing import Any

import numpy as np

from outbid.core.hooks.measuring import Measure, Places
from outbid.core.language.i18n import N_
from outbid.games.kuhhandel.state import ACCEPT, ACTIONS, AUCTION, BUY, CALL, DONE, KINDS, LAY, MONEY, PASS, SELL, TRADE
from outbid.games.kuhhandel.text import _, animals


def _purses(final: Any, players: int) -> Any:
    """The money in each hand, (M, P)."""
    return final["money"][:, :players] @ np.array(MONEY)


def _sets(final: Any, players: int) -> Any:
    """Complete kinds of each player, (M, P)."""
    return held(final, players).sum(2)


MEASURES = (
    Measure("purse_gap", N_("Money apart"), N_("the most money in a hand at the end, less the least"),
            lambda final, players: np.ptp(_purses(final, players), 1), N_("money"), "", 0),
    Measure("most_sets", N_("Most sets"), N_("complete sets of the player who has most of them"),
            lambda final, players: _sets(final, players).max(1), N_("sets"), "", 2),
    Measure("without_set", N_("Without a set"), N_("share of the players who complete no set"),
            lambda final, players: (_sets(final, players) == 0).mean(1), "share", "lower", 3),
)  # fmt: skip

HELD = KINDS


def held(final: Any, players: int) -> Any:
    """Who has all animals of each kind, (M, P, HELD)."""
    copies = final["copies"][:, None]
    return (final["animals"][:, :players] == copies) & (copies > 0)


PLACES = {
    "copies": Places(animals.herd, counted=True),
    "values": Places(animals.herd),
    "start_money": Places(lambda place: _("money cards of {value}", value=MONEY[place]), counted=True),
}


def thing(action: int) -> str:
    """What an action is a part of: a trade over an animal is one thing, whoever is challenged, and so is a bid. After the
    actions, the kinds that one has in the end."""
    if action >= ACTIONS:
        return _("all {animals}", animals=animals.herd(action - ACTIONS))
    if TRADE <= action < PASS:
        return _("trade: {animal}", animal=animals.name((action - TRADE) % KINDS))
    if LAY <= action < DONE:
        return _("money card {value}", value=MONEY[action - LAY])
    whole = {
        AUCTION: _("auction"), PASS: _("pass"), CALL: _("bid"), SELL: _("sell"),
        BUY: _("buy it oneself"), ACCEPT: _("accept the offer"),
    }  # fmt: skip
    return whole.get(action, "")
