"""What two moves of For-Ex lead to (core/hooks/contrast.py): the strongest currency, bankruptcy, worth of money."""

from __future__ import annotations

from typing import Any

from outbid.core.hooks.contrast import Key
from outbid.core.language import i18n
from outbid.core.language.phrases import Speaker
from outbid.games.forex import rules
from outbid.games.forex.state import CURRENCIES

_ = i18n.words(__package__)[0]

LEAST = {"bucks": 3}  # what is worth telling

COSTS = ("bankrupt",)


def events(s: Any) -> set[Key]:
    """Which currency is the strongest, and who goes bankrupt."""
    found: set[Key] = {("strongest", -1, rules.measure(s))}
    if 0 <= s.bankrupt < s.players:
        found.add(("bankrupt", s.bankrupt))
    return found


def amounts(s: Any) -> dict[Key, int]:
    """Everybody's money in the strongest currency."""
    points = [0] * s.players
    rules.score(s, points)
    return {("bucks", seat): points[seat] for seat in range(s.players)}


def happened(key: Key, speak: Speaker) -> str:
    """The strongest currency, or a bankruptcy."""
    if key[0] == "strongest":
        return _("{currency} ends as the strongest", currency=CURRENCIES[int(key[2])])
    return speak(int(key[1]), _("You go bankrupt"), _("{who} goes bankrupt"))


def amount(key: Key, speak: Speaker, one: str, two: str) -> str:
    """Money in the strongest currency."""
    own = _("Your money is worth {one} bucks at the end instead of {two}")
    theirs = _("{who:Your} money is worth {one} bucks at the end instead of {two}")
    return speak(int(key[1]), own, theirs, one=one, two=two)
