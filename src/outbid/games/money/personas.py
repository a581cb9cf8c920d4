"""Who Money!'s own player can be: what each changes in the usual policy parameters (bot.py)."""

from outbid.core.hooks.policy_params import EASY, Persona, Personas
from outbid.core.language.i18n import N_
from outbid.games.money import bot

PERSONAS = Personas(
    bot.USUAL,
    Persona(EASY, "", N_("forgets what the others took, and hardly thinks of what its cards may become"),
            {"memory": 0, "feed": 0, "promise": 15, "two_free": 15, "one_free": 0, "hesitate": 300}),
    (
        Persona("collector", N_("a collector"), N_("never bids the two currencies of which it has most"), {"keep": 2}),
        Persona("banker", N_("a banker"), N_("loves coins and what is safe, and often stays out"),
                {"coins": 170, "promise": 55, "care": 260}),
        Persona("gambler", N_("a gambler"), N_("bids high, and chases whole sets"),
                {"low": 60, "high": 130, "taken": 100, "two_free": 90, "one_free": 45}),
    ),
    steady=N_("remembers what the others took, and bids the cards that it will miss least"),
)  # fmt: skip
