"""How Claim is offered (core/hooks/offer.py). Data only."""

from outbid.core.hooks.offer import Card, Offer, Placed, Switch
from outbid.core.language.i18n import N_

OFFER = Offer(
    sentence=N_("Play bills onto shared stacks and claim them, but a full stack has to go to somebody, even to you."),
    minutes=(15, 25),
    weight=1,
    hue="#8a4f6d",
    picture=(
        Placed("claim-6", 64, 66, -16, 108),
        Placed("claim-5", 296, 62, 15, 108),
        Placed("claim-4", 70, 138, -5, 108),
        Placed("claim-3", 292, 140, 6, 108),
        Placed("claim-2", 150, 84, -8, 120),
        Placed("claim-1", 212, 106, 5, 128),
        Placed("claim-coin", 152, 160, 0, 56),
    ),
    company=("steady", "easy:patient", "steady:hasty"),
    rivals=("steady", "easy:patient", "steady:bully"),
    presets={
        "duel": Card(N_("Duel"), N_("For two: numbers 1 to 3, and twelve bills nobody sees."), 2),
        "everything": Card(N_("Everything"), N_("All five expansions at once, for people who know the game.")),
    },
    switches={
        "wild_wagers": Switch(N_("Bills that join any stack."), ("claim-w",)),
        "zero_risk": Switch(N_("Bills worth nothing, and a second way to win with ten of them."), ("claim-0",)),
        "bad_investment": Switch(N_("Bills below zero, sevens, and bills with two numbers."), ("claim--2", "claim-7")),
        "action_fund": Switch(N_("The signs on the bills do something."), ("claim-vault", "claim-merger")),
        "shopping_spree": Switch(N_("Products to buy, and deals to offer."), ("claim-coin", "claim-4")),
    },
)
