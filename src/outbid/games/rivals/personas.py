"""Who Rivals' own player can be: what each changes in the usual policy parameters (bot.py)."""

from outbid.core.hooks.policy_params import EASY, Persona, Personas
from outbid.core.language.i18n import N_
from outbid.games.rivals import bot

PERSONAS = Personas(
    bot.USUAL,
    Persona(EASY, "", N_("does not count the cards to come, and pays no more than a display is worth as it lies"),
            {"memory": 0, "dear": 140, "scarce": 30, "deny": 20}),
    (
        Persona("hoarder", N_("a hoarder"), N_("keeps the gold together, and buys late"),
                {"dear": 450, "patience": 1200}),
        Persona("explorer", N_("an explorer"), N_("goes for two colours, and overpays for wagers"),
                {"focus": 10, "wagers": 300}),
        Persona("spoiler", N_("a spoiler"), N_("bids on what the others need, and removes whatever helps them"),
                {"deny": 200, "sparing": 0}),
        Persona("early-bird", N_("an early bird"), N_("buys while little is on display, and pays more for a card"),
                {"share": 90, "dear": 160, "scarce": 100, "deny": 30, "patience": 300, "hurry": 50, "haste": 35,
                 "focus": 60}),
    ),
    first={"scarce": 0, "lean": 100, "narrow": 100, "eager": 0, "hurry": 100},
    steady=N_("counts the cards to come, saves gold at first, and bids what a display is worth"),
)  # fmt: skip
