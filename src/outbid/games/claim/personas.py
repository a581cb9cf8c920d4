"""Who Claim's own player can be: what each changes in the usual policy parameters (bot.py)."""

from outbid.core.hooks.policy_params import EASY, Persona, Personas
from outbid.core.language.i18n import N_
from outbid.games.claim import bot

PERSONAS = Personas(
    bot.USUAL,
    Persona(EASY, "", N_("hardly looks at what the others may do, and likes to claim"),
            {"others": 100, "fear": 10, "hope": 0, "eager": 110}),
    (
        Persona("hasty", N_("hasty"), N_("claims whenever it may"), {"eager": 2500}),
        Persona("patient", N_("patient"), N_("lets stacks grow fat, and seldom claims"), {"eager": -600, "fat": 80}),
        Persona("bully", N_("a bully"), N_("fills stacks up to force them on others"), {"spite": 400, "others": 700}),
    ),
    steady=N_("tries every way to end its turn, and fears what the others may take next"),
)  # fmt: skip
