"""Who Money!'s own player can be: what each changes in the usual policy parameters (bot.py)."""

from outbid.core.hooks.policy_params import EASY, Persona, Personas
from outbid.core.language.i18n import mark
from outbid.games.money import bot

PERSONAS = Personas(
    bot.USUAL,
    Persona(
        EASY,
        "",
        mark("forgets what the others took, and hardly thinks of what its cards may become"),
        {"memory": 0, "feed": 0, "promise": 15, "two_free": 15, "one_free": 0, "hesitate": 300},
    ),
    (
        Persona(
            "collector",
            mark("a collector"),
            mark("never bids the two currencies of which it has most"),
            {"keep": 2},
        ),
        Persona(
            "banker",
            mark("a banker"),
            mark("loves coins and what is safe, and often stays out"),
            {"coins": 170, "promise": 55, "care": 260},
        ),
        Persona(
            "gambler",
            mark("a gambler"),
            mark("bids high, and chases whole sets"),
            {"low": 60, "high": 130, "taken": 100, "two_free": 90, "one_free": 45},
        ),
    ),
    steady=mark("remembers what the others took, and bids the cards that it will miss least"),
)
