"""The names of Money!, for a disguise (engine/disguise.py)."""

from outbid.engine.disguise import Name
from outbid.games.money.faces import CURRENCIES

lexicon = (
    Name("Money!"),
    Name("Knizia", also=("Reiner Knizia",)),
    *(Name(code, also=(name,)) for code, name, *_look in CURRENCIES),
    Name("coin", "coins"),
    Name("silver"),
    Name("gold"),
)
