"""What two moves of Money! lead to (core/hooks/contrast.py): the points of each currency, full ones and series of three."""

from typing import Any

from outbid.core.hooks.contrast import Key, points
from outbid.core.language.phrases import Speaker
from outbid.games.money import rules
from outbid.games.money.hooks.faces import CURRENCIES
from outbid.games.money.state import COINS, NOTES
from outbid.games.money.text import _

LEAST = {"coins": 10, "currency": 20}  # what is worth telling

EACH = COINS // NOTES


def events(s: Any) -> set[Key]:
    """Who has a currency in full, so that it has no penalty, and who all three 20s or 30s of one."""
    keys: set[Key] = set()
    for seat in range(s.players):
        for currency in range(EACH):
            owned = [rules.owns(s, seat, NOTES * currency + k) for k in range(NOTES)]
            if sum(rules.value(k) for k in range(NOTES) if owned[k]) >= s.full_value:
                keys.add(("full", seat, currency))
            for first, note in ((0, 20), (3, 30)):
                if all(owned[first : first + 3]):
                    keys.add(("series", seat, currency, note))
    return keys


def amounts(s: Any) -> dict[Key, int]:
    """Points by currency, and of the coins."""
    points_by_key: dict[Key, int] = {("coins", seat): rules.coin_points(s, seat) for seat in range(s.players)}
    for seat in range(s.players):
        for currency in range(EACH):
            points_by_key["currency", seat, currency] = rules.currency_points(s, seat, currency)
    return points_by_key


def happened(key: Key, speak: Speaker) -> str:
    """A full currency, or a series."""
    code = CURRENCIES[int(key[2])][0]
    if key[0] == "full":
        own, other = _("Your {currency} counts in full"), _("{who} has {currency} that counts in full")
        return speak(int(key[1]), own, other, currency=code)
    own, other = _("You get all three {note}s of {currency}"), _("{who} gets all three {note}s of {currency}")
    return speak(int(key[1]), own, other, currency=code, note=key[3])


def amount(key: Key, speak: Speaker, first: str, second: str) -> str:
    """Tell of the points that a currency or coins bring, and what they are instead."""
    if key[0] == "coins":
        own = _("Coins bring you {points} instead of {two}")
        theirs = _("Coins bring {who} {points} instead of {two}")
        return speak(int(key[1]), own, theirs, points=points(first), two=second)
    own = _("{currency} brings you {points} instead of {two}")
    theirs = _("{currency} brings {who} {points} instead of {two}")
    return speak(int(key[1]), own, theirs, currency=CURRENCIES[int(key[2])][0], points=points(first), two=second)
