"""The names of Kuhhandel, for a disguise (agents/obfuscation.py)."""

from outbid.core.hooks.lexicon import Name
from outbid.games.kuhhandel.text.animals import HERDS, NAMES

lexicon = (
    Name("Kuhhandel", also=("You're Bluffing!", "You're Bluffing", "Bluffing")),
    Name("Koltze", also=("Rüdiger Koltze",)),
    *(Name(name, herd) for name, herd in zip(NAMES, HERDS, strict=True)),
)
