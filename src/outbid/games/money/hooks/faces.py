"""The faces of Money!: its notes of seven currencies, its coins and the bluff card (core/hooks/faces.py). Data only.

The sign of a currency is one line. Of the seven hues no two are alike to any of the usual eyes; the round coins need none.
"""

from outbid.core.hooks.faces import Face, Layer
from outbid.core.language import i18n

DOLLAR = (
    Layer("fill", "M32 3V61", 5.4),
    Layer("ink", "M47 19C45 12.6 39 9.6 32 9.6C23.4 9.6 17 14 17 20.6C17 37 47.6 27 47.6 43.4C47.6 50 41 54.4 32 54.4"
          "C24 54.4 17.6 51 16 44.4", 7.4),
)  # fmt: skip
POUND = (
    Layer("fill", "M13 33.4H41", 5.4),
    Layer("ink", "M48 18.6C46 11.6 41 8.6 35 8.6C27.4 8.6 22 13.4 22 21C22 30 28 36 25.4 45C24 50 20 54 15 55.4H50", 7.4),
)
EURO = (
    Layer("fill", "M7 27H41M7 38H38", 5.4),
    Layer("ink", "M53 16.4C48.6 11.4 43 8.8 37 8.8C24.6 8.8 16.6 18 16.6 32.4C16.6 46.6 24.6 55.6 37 55.6"
          "C43 55.6 48.6 53 53 48", 7.4),
)  # fmt: skip
YEN = (
    Layer("fill", "M15 36H49M15 46.4H49", 5.4),
    Layer("ink", "M12.6 8.6L32 32.6L51.4 8.6M32 32.6V56", 7.4),
)
FRANC = (
    Layer("fill", "M11 45H37", 5.4),
    Layer("ink", "M22 56V9H51M22 31H45", 7.4),
)
KRONA = (
    Layer("ink", "M9.6 8.6V56M29 24.4L11 40.6M17.4 36L31 56", 7.4),
    Layer("fill", "M40.6 25V56M40.6 38.6C41.4 30.4 46.6 25.6 55.4 26.4", 7.4),
)
ROUBLE = (
    Layer("fill", "M9 46H39", 5.4),
    Layer("ink", "M21.4 56V9H37C46 9 52.4 14 52.4 22.2S46 35.4 37 35.4H9", 7.4),
)

STAR = (Layer("fill", "M32 3L40.4 22.4L61.4 24.4L45.6 38.4L50.2 59L32 48.2L13.8 59L18.4 38.4L2.6 24.4L23.6 22.4Z"),)
MOON = (
    Layer("fill", "M41 4C24 5 11 17 11 33C11 49 24 60.6 41 60.6C47 60.6 51 59 54 56.6"
          "C38 55 27.6 46 27.6 32.4S38 9.6 54 8C51 5.4 47 3.8 41 4Z"),
)  # fmt: skip
SUN = (
    Layer("fill", "M32 17C41 17 47 23.4 47 32S41 47 32 47S17 40.6 17 32S23 17 32 17Z"),
    Layer("ink", "M32 3.6V9M32 55V60.4M3.6 32H9M55 32H60.4", 5),
    Layer("ink", "M12 12L15.8 15.8M48.2 48.2L52 52M12 52L15.8 48.2M48.2 15.8L52 12", 5),
)
FEATHER = (
    Layer("fill", "M54 6C34 7 17 20 14.6 42C26 44 36 40.6 41 35.4L34.6 34C42 31.4 48.6 27 50.6 20.6L45 20"
          "C50 16.6 53.4 12 54 6Z"),
    Layer("ink", "M8 58C14 44 24 30 38 20", 3.6),
)  # fmt: skip

CURRENCIES = (
    ("USD", i18n.N_("US dollar"), "#00916a", DOLLAR, 11),
    ("GBP", i18n.N_("Pound"), "#c8639f", POUND, 13),
    ("EUR", i18n.N_("Euro"), "#1557b5", EURO, 12),
    ("JPY", i18n.N_("Yen"), "#d55e00", YEN, 9),
    ("CHF", i18n.N_("Swiss franc"), "#5f6670", FRANC, 17),
    ("SEK", i18n.N_("Swedish krona"), "#a98c00", KRONA, 14),
    ("RUB", i18n.N_("Rouble"), "#2f9ed6", ROUBLE, 16),
)
NOTES = tuple(
    Face(f"money-{code}{value}", "bill", name, str(value), hue, code, symbol, lobes)
    for code, name, hue, symbol, lobes in CURRENCIES
    for value in (20, 30, 40, 50, 60)
)
COINS = (
    Face("money-COIN10", "coin", i18n.N_("Coin"), "10", "#8a5a33", "Cu", STAR, 8),
    Face("money-SILVER10", "coin", i18n.N_("Silver coin"), "10", "#75808c", "Ag", MOON, 8),
    Face("money-GOLD20", "coin", i18n.N_("Gold coin"), "20", "#b07d00", "Au", SUN, 8),
)
BLUFF = (Face("money-BLUFF", "bill", i18n.N_("Bluff card"), "0", "#767676", "bluff", FEATHER, 8, hollow=True),)
"""As light as a feather: the letter of a bluff card is the word."""

FACES = NOTES + COINS + BLUFF
