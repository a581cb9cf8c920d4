"""Who For-Ex's own player can be: what each changes in the usual policy parameters (bot.py)."""

from outbid.core.hooks.policy_params import EASY, Persona, Personas
from outbid.core.language.i18n import N_
from outbid.games.forex import bot

PERSONAS = Personas(
    bot.USUAL,
    Persona(EASY, "", N_("looks only some items of the queue ahead, and at nobody else"), {"foresight": 16, "rival": 0}),
    (
        Persona("investor", N_("an investor"), N_("buys certificates, and signs contracts only when it must"),
                {"papers": 40, "contracts": -100_000}),
        Persona("arbitrageur", N_("an arbitrageur"), N_("signs one contract after the other, and does not invest"),
                {"papers": -2000, "contracts": 500}),
        Persona(
            "vulture",
            N_("a vulture"),
            N_("hurries the queue on where somebody cannot pay, and feeds on bankruptcies"),
            {"prey": 30, "chase": 200},
        ),
    ),
    steady=N_("works out what each move would leave it if everybody only resolved from then on"),
)  # fmt: skip
