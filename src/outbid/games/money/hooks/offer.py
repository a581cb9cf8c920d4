"""How Money! is offered (core/hooks/offer.py). Data only."""

from outbid.core.hooks.offer import Card, Offer, Placed
from outbid.core.language.i18n import N_

OFFER = Offer(
    sentence=N_(
        "All bid in secret with foreign notes; who bid most swaps first. Only large collections are worth anything."
    ),
    minutes=(20, 30),
    weight=2,
    hue="#3f6f9c",
    picture=(
        Placed("money-RUB60", 70, 62, -22, 104),
        Placed("money-SEK40", 288, 58, 18, 104),
        Placed("money-JPY20", 62, 140, -9, 104),
        Placed("money-EUR60", 150, 84, -7, 116),
        Placed("money-USD50", 226, 104, 7, 116),
        Placed("money-GBP30", 150, 140, 4, 112),
        Placed("money-CHF60", 296, 142, -6, 108),
        Placed("money-COIN10", 218, 162, 0, 58),
    ),
    company=("steady", "easy:collector", "steady:gambler"),
    rivals=("steady", "easy:collector", "steady:banker"),
    presets={
        "silver_gold": Card(N_("Silver and gold"), N_("Coins of silver and gold; three alike bring a bonus.")),
    },
)
