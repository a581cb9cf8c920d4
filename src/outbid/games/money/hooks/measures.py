"""What the laboratory measures in Money besides what it measures everywhere (core/hooks/measuring.py)."""

from outbid.core.hooks.measuring import Measure, Places
from outbid.core.language.i18n import N_
from outbid.games.money.spaces import VALUES
from outbid.games.money.state import BLUFF, COINS, GOLD, KEEP, NOTES, PRINTED, SEAL, SWAP
from outbid.games.money.text import _

OF_NOTE = [value for value, copies in zip(VALUES, PRINTED, strict=True) for _copy in range(copies)]

MEASURES = (
    Measure("rounds_played", N_("Rounds"), N_("rounds of bids"), lambda final, players: final["round"],
            N_("rounds"), "", 2),
)  # fmt: skip

PLACES = {"denominations": Places(lambda place: _("notes of {value}", value=VALUES[place]), counted=True)}


def thing(action: int) -> str:
    """What an action is a part of: notes of one value are one thing in all currencies, since these differ in name alone."""
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
