"""How Kuhhandel is offered (core/hooks/offer.py). Data only."""

from outbid.core.hooks.offer import Card, Offer, Placed
from outbid.core.language.i18n import N_

OFFER = Offer(
    sentence=N_("Bid for animals, bluff in secret trades, and collect whole families: sets multiply each other."),
    minutes=(30, 45),
    weight=1,
    hue="#4f8a3c",
    picture=(
        Placed("kuhhandel-500", 66, 150, -24, 104),
        Placed("kuhhandel-0", 300, 158, 20, 96),
        Placed("kuhhandel-50", 122, 168, -8, 100),
        Placed("kuhhandel-pig", 118, 92, -14, 92),
        Placed("kuhhandel-horse", 246, 92, 13, 92),
        Placed("kuhhandel-cow", 182, 84, 0, 104),
    ),
    company=("steady", "easy:farmer", "steady:poker-face"),
    rivals=("steady", "easy:farmer", "steady:shark"),
    presets={"quick": Card(N_("Quick"), N_("Everybody starts with four animals: a shorter match."))},
)
