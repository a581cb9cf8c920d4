"""The names of Money!, for a disguise (agents/obfuscation.py)."""

from outbid.core.hooks.lexicon import Name
from outbid.games.money.hooks.faces import CURRENCIES

lexicon = (
    Name("Money!"),
    Name("Knizia", also=("Reiner Knizia",)),
    *(Name(code, also=(name,)) for code, name, *_look in CURRENCIES),
    Name("coin", "coins"),
    Name("silver"),
    Name("gold"),
)
