"""How Rivals is offered (core/hooks/offer.py). Data only."""

from outbid.core.hooks.offer import Card, Offer, Placed
from outbid.core.language.i18n import N_

OFFER = Offer(
    sentence=N_("Uncover a card or start an auction: your five expeditions only ever rise, and the gold has to last."),
    minutes=(30, 40),
    weight=2,
    hue="#9a6a2f",
    picture=(
        Placed("rivals-W4", 48, 108, -26, 82),
        Placed("rivals-Y10", 312, 108, 26, 82),
        Placed("rivals-B7", 108, 92, -14, 88),
        Placed("rivals-G8", 252, 92, 14, 88),
        Placed("rivals-Rx", 180, 88, 0, 98),
    ),
    company=("steady", "easy:explorer", "steady:early-bird"),
    rivals=("steady", "easy:explorer", "steady:hoarder"),
    presets={
        "published": Card(
            N_("As published"),
            N_("Gold comes back with each pile, and after an auction the winner's left neighbour goes on."),
        ),
    },
)
