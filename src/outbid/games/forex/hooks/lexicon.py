"""The names of For-Ex, for a disguise (agents/obfuscation.py)."""

from outbid.core.hooks.lexicon import Name
from outbid.games.forex.hooks.faces import FACES

lexicon = (
    Name("For-Ex", also=("Forex",)),
    Name("Holland", also=("Amabel Holland",)),
    *(Name(face.figure, also=(face.name,)) for face in FACES if face.kind == "note"),
    Name("buck", "bucks"),
)
