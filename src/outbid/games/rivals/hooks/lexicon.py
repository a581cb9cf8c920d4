"""The names of Rivals, for a disguise (agents/obfuscation.py)."""

from outbid.core.hooks.lexicon import Name
from outbid.games.rivals.state import COLOURS
from outbid.games.rivals.text.sentences import HUE_NAMES

lexicon = (
    Name("Rivals", also=("Lost Cities: Rivals", "Lost Cities")),
    Name("Knizia", also=("Reiner Knizia",)),
    *(Name(letter) for letter in COLOURS),
    *(Name(hue) for hue in HUE_NAMES),
    Name("wager", "wagers"),
    Name("handshake", "handshakes"),
    Name("footprint", "footprints"),
    Name("expedition", "expeditions"),
)
