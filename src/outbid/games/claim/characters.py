"""Who Claim's own player can be: what each changes in the usual manner (bot.py)."""

from outbid.engine.manners import EASY, Character, Characters
from outbid.engine.tongue import mark
from outbid.games.claim import bot

CHARACTERS = Characters(
    bot.USUAL,
    Character(
        EASY,
        "",
        mark("looks at its own money and hand only, and likes to claim"),
        {"others": 0, "fear": 0, "hope": 0, "eager": 110},
    ),
    (
        Character("hasty", mark("hasty"), mark("claims whenever it may"), {"eager": 2500}),
        Character(
            "patient",
            mark("patient"),
            mark("lets stacks grow fat before it claims them"),
            {"eager": -420, "fat": 70},
        ),
        Character(
            "bully",
            mark("a bully"),
            mark("fills stacks up to force them on others"),
            {"spite": 400, "others": 700},
        ),
    ),
)
