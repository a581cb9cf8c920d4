"""The faces of Rivals: its fifty cards, and the signs of footprint, handshake and gold (core/hooks/faces.py). Data only.

The cards of a colour share its emblem; on a card stand its footprints, or the handshake of a wager.
"""

from outbid.core.hooks.faces import Face, symbols
from outbid.core.language.i18n import N_

SYMBOLS = symbols(__file__)

COLOURS = (
    ("R", N_("Red"), "#d55e00", SYMBOLS["flame"], 11),
    ("B", N_("Blue"), "#0072b2", SYMBOLS["ship"], 13),
    ("G", N_("Green"), "#009e73", SYMBOLS["leaf"], 8),
    ("Y", N_("Yellow"), "#c79a00", SYMBOLS["sun"], 16),
    ("W", N_("White"), "#7d8290", SYMBOLS["mountain"], 9),
)
RANKS = ("x", *map(str, range(2, 11)))

CARDS = tuple(
    Face(f"rivals-{colour}{rank}", "rank", name, "×" if rank == "x" else rank, hue, colour, emblem, lobes)
    for colour, name, hue, emblem, lobes in COLOURS
    for rank in RANKS
)
SIGNS = (
    Face("rivals-foot", "rank", N_("Footprint"), "1", "#6b6250", "F", SYMBOLS["foot"], 8),
    Face("rivals-hands", "rank", N_("Handshake"), "2", "#6b6250", "H", SYMBOLS["hands"], 8),
    Face("rivals-gold", "rank", N_("Gold"), "1", "#b07d00", "Au", SYMBOLS["gold"], 8),
)

FACES = CARDS + SIGNS
