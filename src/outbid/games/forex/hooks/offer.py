"""How For-Ex is offered (core/hooks/offer.py). Data only."""

from outbid.core.hooks.offer import Card, Offer, Placed
from outbid.core.language.i18n import N_

OFFER = Offer(
    sentence=N_("Invest in currencies, push their rates, and sign contracts on credit that anybody may call in."),
    minutes=(60, 90),
    weight=3,
    hue="#5a5f8f",
    picture=(
        Placed("forex-certificate-JPY", 52, 100, -18, 78),
        Placed("forex-certificate-CHF", 310, 98, 16, 78),
        Placed("forex-CNY", 268, 154, 10, 122),
        Placed("forex-CAD", 104, 158, -8, 122),
        Placed("forex-USD", 236, 60, 9, 138),
        Placed("forex-GBP", 124, 62, -10, 138),
        Placed("forex-EUR", 180, 110, 0, 152),
    ),
    company=("steady", "easy:investor", "steady:arbitrageur"),
    rivals=("steady", "easy:investor", "steady:vulture"),
    presets={
        "published": Card(
            N_("As published"),
            N_("The cards of a contract that joins a loan are free at once; a swap is 1 buck of the stronger currency."),
        ),
    },
)
