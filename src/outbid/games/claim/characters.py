"""Who Claim's own player can be: what each changes in the usual policy parameters (bot.py)."""

from outbid.core.hooks.policy_params import EASY, Character, Characters
from outbid.core.language.i18n import mark
from outbid.games.claim import bot

CHARACTERS = Characters(
    bot.USUAL,
    Character(
        EASY,
        "",
        mark("hardly looks at what the others may do, and likes to claim"),
        {"others": 100, "fear": 10, "hope": 0, "eager": 110},
    ),
    (
        Character("hasty", mark("hasty"), mark("claims whenever it may"), {"eager": 2500}),
        Character(
            "patient",
            mark("patient"),
            mark("lets stacks grow fat, and seldom claims"),
            {"eager": -600, "fat": 80},
        ),
        Character(
            "bully",
            mark("a bully"),
            mark("fills stacks up to force them on others"),
            {"spite": 400, "others": 700},
        ),
    ),
    steady=mark("tries every way to end its turn, and fears what the others may take next"),
)
