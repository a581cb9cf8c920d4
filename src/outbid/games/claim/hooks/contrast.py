"""What two moves of Claim lead to (core/hooks/contrast.py): who reaches the goal, and how much money there is."""

from typing import Any

from outbid.core.hooks.contrast import Key
from outbid.core.language.phrases import Speaker
from outbid.games.claim import rules
from outbid.games.claim.text import _, ngettext

VICTORY = ("goal", "won")


def events(s: Any) -> set[Key]:
    """Who wins."""
    mask = rules.winners(s, [0] * s.players)
    return {("won" if s.won == 0 else "goal", seat) for seat in range(s.players) if mask >> seat & 1}


def amounts(s: Any) -> dict[Key, int]:
    """Everybody's money, of which more than the goal is worth nothing, and stacks."""
    totals: dict[Key, int] = {("money", seat): min(s.money[seat], s.goal) for seat in range(s.players)}
    return totals | {("stacks", seat): s.count[seat] for seat in range(s.players)}


def happened(key: Key, speak: Speaker) -> str:
    """The end of the match."""
    if key[0] == "goal":
        return speak(int(key[1]), _("You reach the goal"), _("{who} reaches the goal"))
    return speak(int(key[1]), _("You end with the most money"), _("{who} ends with the most money"))


def amount(key: Key, speak: Speaker, one: str, two: str) -> str:
    """Money, or stacks."""
    if key[0] == "stacks":
        own, theirs = _("You end with {stacks} instead of {two}"), _("{who} ends with {stacks} instead of {two}")
        return speak(int(key[1]), own, theirs, stacks=ngettext("{n} stack", "{n} stacks", int(one)), two=two)
    own, theirs = _("You end with ${one} instead of ${two}"), _("{who} ends with ${one} instead of ${two}")
    return speak(int(key[1]), own, theirs, one=one.replace("-", "−"), two=two.replace("-", "−"))


def scored(amount: str) -> str:
    """Money."""
    return f"${amount}"


def blind(said: dict[str, Any], seat: int, speak: Speaker) -> str:
    """The end of a turn, of which there is nothing to tell."""
    return speak(seat, _("You end your turn."), _("{who} ends the turn.")) if said["do"] == "end" else ""
