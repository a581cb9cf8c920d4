"""Who Kuhhandel's own player can be: what each changes in the usual policy parameters (bot.py)."""

from outbid.core.hooks.policy_params import EASY, Persona, Personas
from outbid.core.language.i18n import N_
from outbid.games.kuhhandel import bot

PERSONAS = Personas(
    bot.USUAL,
    Persona(
        EASY,
        "",
        N_("forgets what trades have shown of the others' money, misjudges what an animal is worth, and spends early"),
        {
            "memory": 0, "denial": 0, "reserve": 0, "price_early": 105, "price_late": 75, "refusal": 70, "vague": 60,
            "offer_low": 0, "offer_high": 60, "early_trade": 200,
        },
    ),
    (
        Persona("farmer", N_("a farmer"), N_("never bluffs, and pays more for an animal it has some of"),
                {"honest": 1, "give_up": 0, "fondness": 60}),
        Persona("shark", N_("a shark"), N_("trades early, with whoever has little money"),
                {"early_trade": 60, "prey": 200}),
        Persona("poker-face", N_("a poker face"), N_("offers nothing but zeros two times in five"), {"bluffing": 40}),
        Persona(
            "miser",
            N_("a miser"),
            N_("never bids: buys from its own auctions only, and keeps its money for trades"),
            {"bidding": 0, "refusal": 50},
        ),
    ),
    first={"jump": 60, "stride": 0, "haste": 50},
    steady=N_("remembers what trades have shown, keeps a reserve, and does not bluff much"),
)  # fmt: skip
