"""The names of Claim, for a disguise (agents/obfuscation.py). The verb is the title, so it is covered too."""

from outbid.core.hooks.lexicon import Name
from outbid.games.claim.state import OPTIONS, PRODUCTS
from outbid.games.claim.text.terms import TITLES

EXPANSIONS = [option.name for option in OPTIONS if option.meaning.startswith("expansion: ")]
LAWS = ("Diversity", "Slow Down", "Five Max")

lexicon = (
    Name("claim", "claims", "claimed", "claiming", "claimable"),
    Name("Pandaqi", also=("Tiamo Pastoor (Pandaqi)", "Tiamo Pastoor")),
    Name("dollar", "dollars"),
    *(Name(name, also=(name.replace("_", " "),)) for name in EXPANSIONS),
    *(Name(law, also=(law.replace(" ", "_"),)) for law in LAWS),
    *(Name(icon, also=(title,)) for icon, title in TITLES.items()),
    *(Name(product) for product in PRODUCTS),
)
