"""What two moves of Rivals lead to (core/hooks/contrast.py): the points of expeditions, their bonus, and gold."""

from typing import Any

from outbid.core.hooks.contrast import Key, points
from outbid.core.language.i18n import N_
from outbid.core.language.phrases import Speaker
from outbid.games.rivals.state import HUES
from outbid.games.rivals.text import _

LEAST = {"gold": 2, "trip": 3}  # what is worth telling

TRIPS = (
    N_("the red expedition"), N_("the blue expedition"), N_("the green expedition"),
    N_("the yellow expedition"), N_("the white expedition"),
)  # fmt: skip


def events(s: Any) -> set[Key]:
    """Who gets the bonus of which expedition."""
    return {
        ("bonus", seat, hue)
        for seat in range(s.players)
        for hue in range(HUES)
        if s.numbers[seat][hue] >= s.bonus_cards
    }


def amounts(s: Any) -> dict[Key, int]:
    """The points of each expedition, and gold."""
    totals: dict[Key, int] = {("gold", seat): s.gold[seat] for seat in range(s.players)}
    for seat in range(s.players):
        for hue in range(HUES):
            bonus = s.bonus if s.numbers[seat][hue] >= s.bonus_cards else 0
            totals["trip", seat, hue] = s.feet[seat][hue] * (s.shakes[seat][hue] + 1) + bonus
    return totals


def happened(key: Key, speak: Speaker) -> str:
    """A bonus."""
    own, other = _("You get the bonus of {expedition}"), _("{who} gets the bonus of {expedition}")
    return speak(int(key[1]), own, other, expedition=_(TRIPS[int(key[2])]))


def amount(key: Key, speak: Speaker, one: str, two: str) -> str:
    """Points of an expedition, or gold."""
    if key[0] == "gold":
        own, theirs = _("You keep {one} gold instead of {two}"), _("{who} keeps {one} gold instead of {two}")
        return speak(int(key[1]), own, theirs, one=one, two=two)
    own = _("{expedition} brings you {points} instead of {two}")
    theirs = _("{expedition} brings {who} {points} instead of {two}")
    trip = _(TRIPS[int(key[2])])
    return speak(int(key[1]), own, theirs, expedition=trip[:1].upper() + trip[1:], points=points(one), two=two)


def blind(said: dict[str, Any], seat: int, speak: Speaker) -> str:
    """A move that turns over a card, told by somebody who does not know which."""
    return speak(seat, _("You uncover a card."), _("{who} uncovers a card.")) if said["do"] == "uncover" else ""
