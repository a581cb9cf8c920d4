"""What two moves of For-Ex lead to (core/hooks/contrast.py): who is the richest, bankruptcy, and shares of all money: one
buck of another strongest currency is worth something else."""

from typing import Any

from outbid.core.hooks.contrast import Key
from outbid.core.language.phrases import Speaker
from outbid.games.forex import rules
from outbid.games.forex.state import CURRENCIES
from outbid.games.forex.text import _, ngettext

LEAST = {"share": 3}  # percent that are worth telling

COSTS = ("bankrupt",)
OUTCOMES = False


def events(s: Any) -> set[Key]:
    """Who wins, and who goes bankrupt."""
    mask = rules.winners(s, [0] * s.players)
    keys: set[Key] = {("won", seat) for seat in range(s.players) if mask >> seat & 1}
    if 0 <= s.bankrupt < s.players:
        keys.add(("bankrupt", s.bankrupt))
    return keys


def amounts(s: Any) -> dict[Key, int]:
    """How many percent of all money everybody has, in the strongest currency."""
    points = [0] * s.players
    rules.score(s, points)
    whole = sum(max(0, score) for score in points)
    return {("share", seat): round(100 * max(0, points[seat]) / whole) if whole else 0 for seat in range(s.players)}


def happened(key: Key, speak: Speaker) -> str:
    """A victory, or a bankruptcy; in older reviews the strongest currency, too."""
    if key[0] == "strongest":
        return _("{currency} ends as the strongest", currency=CURRENCIES[int(key[2])])
    if key[0] == "won":
        return speak(int(key[1]), _("You end as the richest"), _("{who} ends as the richest"))
    return speak(int(key[1]), _("You go bankrupt"), _("{who} goes bankrupt"))


def amount(key: Key, speak: Speaker, first: str, second: str) -> str:
    """A share of all money."""
    own = _("Your share of all money is {one} % at the end instead of {two} %")
    theirs = _("{who:Your} share of all money is {one} % at the end instead of {two} %")
    return speak(int(key[1]), own, theirs, one=first, two=second)


def scored(amount: str) -> str:
    """Money in the strongest currency."""
    return ngettext("{n} buck", "{n} bucks", 1 if amount == "1" else 2, n=amount)
