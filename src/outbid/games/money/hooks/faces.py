"""The faces of Money!: its notes of seven currencies, its coins and the bluff card (core/hooks/faces.py). Data only.

The sign of a currency is one line. Of the seven hues no two are alike to any of the usual eyes; the round coins need none.
"""

from outbid.core.hooks.faces import Face, symbols
from outbid.core.language import i18n

SYMBOLS = symbols(__file__)

CURRENCIES = (
    ("USD", i18n.N_("US dollar"), "#00916a", SYMBOLS["dollar"], 11),
    ("GBP", i18n.N_("Pound"), "#c8639f", SYMBOLS["pound"], 13),
    ("EUR", i18n.N_("Euro"), "#1557b5", SYMBOLS["euro"], 12),
    ("JPY", i18n.N_("Yen"), "#d55e00", SYMBOLS["yen"], 9),
    ("CHF", i18n.N_("Swiss franc"), "#5f6670", SYMBOLS["franc"], 17),
    ("SEK", i18n.N_("Swedish krona"), "#a98c00", SYMBOLS["krona"], 14),
    ("RUB", i18n.N_("Rouble"), "#2f9ed6", SYMBOLS["rouble"], 16),
)
NOTES = tuple(
    Face(f"money-{code}{value}", "bill", name, str(value), hue, code, symbol, lobes)
    for code, name, hue, symbol, lobes in CURRENCIES
    for value in (20, 30, 40, 50, 60)
)
COINS = (
    Face("money-COIN10", "coin", i18n.N_("Coin"), "10", "#8a5a33", "Cu", SYMBOLS["star"], 8),
    Face("money-SILVER10", "coin", i18n.N_("Silver coin"), "10", "#75808c", "Ag", SYMBOLS["moon"], 8),
    Face("money-GOLD20", "coin", i18n.N_("Gold coin"), "20", "#b07d00", "Au", SYMBOLS["sun"], 8),
)
BLUFF = (Face("money-BLUFF", "bill", i18n.N_("Bluff card"), "0", "#767676", "bluff", SYMBOLS["feather"], 8, hollow=True),)
"""As light as a feather: the letter of a bluff card is the word."""

FACES = NOTES + COINS + BLUFF
