"""The faces of Rivals: its fifty cards, and the signs of footprint, handshake and gold (core/hooks/faces.py). Data only.

The cards of a colour share its emblem; on a card stand its footprints, or the handshake of a wager.
"""

from outbid.core.hooks.faces import Face, Layer
from outbid.core.language.i18n import N_

FLAME = (
    Layer("fill", "M33 2C35 14 52 22 52 41C52 54 43 62 32 62C21 62 12 54 12 41C12 31 18 26 21 17C25 21 26 25 27 29"
          "C32 22 34 12 33 2Z"),
    Layer("paper", "M32 33C34 40 42 43 42 51C42 57 37.6 60 32 60C26.4 60 22 57 22 51C22 45 29.6 42 32 33Z"),
    Layer("fill", "M32 46C33.4 49.6 37 51 37 54.6C37 57.4 34.8 59 32 59C29.2 59 27 57.4 27 54.6C27 51 30.6 49.6 32 46Z"),
)  # fmt: skip
SHIP = (
    Layer("ink", "M31 5V44", 3.2),
    Layer("fill", "M34.4 7C47 13 54.6 24 56 36.6H34.4Z"),
    Layer("fill", "M27.8 13C25 23 18.6 31 9.6 36.6H27.8Z"),
    Layer("ink", "M4 41.6H60C57 52.6 50 58.6 40 58.6H24C14 58.6 7 52.6 4 41.6Z"),
    Layer("paper", "M12 49C16 46 20 46 24 49S32 52 36 49S44 46 48 49L52 49", 2),
)
LEAF = (
    Layer("fill", "M55 6C31 5 10 17 10 39C10 45 12 50 15.6 53.6C36 57 57 42 55 6Z"),
    Layer("ink", "M8 60C15 46 26 32 42 20", 3.6),
    Layer("paper", "M21.6 41.4C27 43.4 33 43 39 40.6M29.6 31.6C34 33 39.6 32.6 45 30M19.6 40C19 34 20 28 23 22.4M28 30.4"
          "C28 25.6 29.4 21 32 16.6", 2),
)  # fmt: skip
SUN = (
    Layer("ink", "M32 2.6V9.4M32 54.6V61.4M2.6 32H9.4M54.6 32H61.4M11.2 11.2L16 16M48 48L52.8 52.8M11.2 52.8L16 48"
          "M48 16L52.8 11.2", 4.6),
    Layer("fill", "M32 15A17 17 0 1 1 31.9 15Z"),
    Layer("paper", "M32 21.6A10.4 10.4 0 1 0 42.4 32", 2.2),
)  # fmt: skip
MOUNTAIN = (
    Layer("fill", "M2 57L24.6 12.6C26 10 29 10 30.4 12.6L39.4 30L43 24.6C44.4 22.4 47.4 22.4 48.8 24.6L62 57Z"),
    Layer("paper", "M27.5 13.6L19.4 29.6L24.6 27L28 32.6L32 26.6L36.4 30.6Z"),
    Layer("ink", "M39.4 30L31 45.4", 2.4),
)

FOOT = (
    Layer("ink", "M31 2.6C42 2.6 48.6 12 47.6 24C47 32 43.6 35.6 42.4 41L23.6 42C22.4 35.6 15.6 29 16 18.6"
          "C16.4 9 22 2.6 31 2.6Z"),
    Layer("ink", "M24.6 47L42 46C44.6 55 40.6 61.4 34 61.4C27.4 61.4 23.4 56 24.6 47Z"),
)  # fmt: skip
HANDS = (
    Layer("fill", "M12 20.6L23 18C27 17.2 30 18 32.6 20C35.6 18 38.6 17.2 42 18L52 20.6V41L47.6 43.4C47 47 44 49.4 41 49"
          "C39 52.6 35.4 53.4 33 51.4C29.4 53.4 26 52 25 49C21.6 49.4 18.6 47 18.6 43.4L12 41Z"),
    Layer("paper", "M33 20C28.4 23.4 25 27 23.6 31.4C27.4 34 32 32 35.4 28.4C39.6 33 44 38 47.4 42.6M41 48.6L33.6 40M33 51"
          "L27.6 44.6", 2.6),
    Layer("ink", "M2 16.4L11 15V45.4L2 44ZM62 16.4L53 15V45.4L62 44Z"),
)  # fmt: skip
GOLD = (
    Layer("fill", "M32 4A28 28 0 1 1 31.9 4Z"),
    Layer("paper", "M32 11A21 21 0 1 1 31.9 11Z", 2.4),
    Layer("ink", "M21 38.4L32 23L43 38.4", 5),
)

COLOURS = (
    ("R", N_("Red"), "#d55e00", FLAME, 11),
    ("B", N_("Blue"), "#0072b2", SHIP, 13),
    ("G", N_("Green"), "#009e73", LEAF, 8),
    ("Y", N_("Yellow"), "#c79a00", SUN, 16),
    ("W", N_("White"), "#7d8290", MOUNTAIN, 9),
)
RANKS = ("x", *map(str, range(2, 11)))

CARDS = tuple(
    Face(f"rivals-{colour}{rank}", "rank", name, "×" if rank == "x" else rank, hue, colour, emblem, lobes)
    for colour, name, hue, emblem, lobes in COLOURS
    for rank in RANKS
)
SIGNS = (
    Face("rivals-foot", "rank", N_("Footprint"), "1", "#6b6250", "F", FOOT, 8),
    Face("rivals-hands", "rank", N_("Handshake"), "2", "#6b6250", "H", HANDS, 8),
    Face("rivals-gold", "rank", N_("Gold"), "1", "#b07d00", "Au", GOLD, 8),
)

FACES = CARDS + SIGNS
