"""The faces of Kuhhandel: how its ten animals and its six banknotes look (core/hooks/faces.py). Data only.

The animals stand on y = 60 and look to the right.
"""

from outbid.core.hooks.faces import Face, symbols
from outbid.core.language.i18n import N_

SYMBOLS = symbols(__file__)

ANIMALS = (
    Face("kuhhandel-chicken", "card", N_("Chicken"), "10", "#d55e00", "C", SYMBOLS["chicken"], 10),
    Face("kuhhandel-goose", "card", N_("Goose"), "40", "#3a9bd9", "G", SYMBOLS["goose"], 10),
    Face("kuhhandel-cat", "card", N_("Cat"), "90", "#e69f00", "K", SYMBOLS["cat"], 12),
    Face("kuhhandel-dog", "card", N_("Dog"), "160", "#8a5a33", "D", SYMBOLS["dog"], 12),
    Face("kuhhandel-lamb", "card", N_("Lamb"), "250", "#009e73", "L", SYMBOLS["lamb"], 14),
    Face("kuhhandel-goat", "card", N_("Goat"), "350", "#8f8f1f", "B", SYMBOLS["goat"], 14),
    Face("kuhhandel-donkey", "card", N_("Donkey"), "500", "#6f7a87", "E", SYMBOLS["donkey"], 16),
    Face("kuhhandel-pig", "card", N_("Pig"), "650", "#d276a6", "P", SYMBOLS["pig"], 16),
    Face("kuhhandel-cow", "card", N_("Cow"), "800", "#0067a5", "M", SYMBOLS["cow"], 18),
    Face("kuhhandel-horse", "card", N_("Horse"), "1000", "#7b3f98", "H", SYMBOLS["horse"], 18),
)
"""Letters: K for kitty, B for billy goat, E as in Eeyore, M for moo; the others are initials."""

NOTES = (
    Face("kuhhandel-0", "note", N_("Bluff"), "0", "#767676", "N", SYMBOLS["mask"], 5, hollow=True),
    Face("kuhhandel-10", "note", N_("Wheat"), "10", "#b07d00", "X", SYMBOLS["wheat"], 8),
    Face("kuhhandel-50", "note", N_("Clover"), "50", "#00875f", "L", SYMBOLS["clover"], 9),
    Face("kuhhandel-100", "note", N_("Horseshoe"), "100", "#0a72b5", "C", SYMBOLS["horseshoe"], 10),
    Face("kuhhandel-200", "note", N_("Bell"), "200", "#c24e00", "CC", SYMBOLS["bell"], 12),
    Face("kuhhandel-500", "note", N_("Crown"), "500", "#a1487c", "D", SYMBOLS["crown"], 16),
)
"""Letters: Roman numerals, N for nulla."""

FACES = ANIMALS + NOTES
