"""The faces of For-Ex: a banknote and a certificate for each of its seven currencies (core/hooks/faces.py). Data only."""

from outbid.core.hooks.faces import Face, symbols
from outbid.core.language import i18n

SYMBOLS = symbols(__file__)

NOTES = (
    Face("forex-GBP", "note", i18n.N_("Pound"), "GBP", "#6a4bb0", "P", SYMBOLS["crown"], 16),
    Face("forex-EUR", "note", i18n.N_("Euro"), "EUR", "#3596dd", "E", SYMBOLS["stars"], 12),
    Face("forex-USD", "note", i18n.N_("Dollar"), "USD", "#00845f", "D", SYMBOLS["torch"], 14),
    Face("forex-CHF", "note", i18n.N_("Franc"), "CHF", "#d55e00", "F", SYMBOLS["peak"], 9),
    Face("forex-JPY", "note", i18n.N_("Yen"), "JPY", "#d986b6", "Y", SYMBOLS["blossom"], 10),
    Face("forex-CAD", "note", i18n.N_("Loonie"), "CAD", "#7d4a28", "L", SYMBOLS["leaf"], 11),
    Face("forex-CNY", "note", i18n.N_("Renminbi"), "CNY", "#cf9a00", "R", SYMBOLS["coin"], 8),
)
"""Letters: of the names, so that no two are the same: Loonie and Renminbi for the Canadian dollar and the yuan."""

CERTIFICATES = tuple(note._replace(key=note.key.replace("forex-", "forex-certificate-"), kind="card") for note in NOTES)

FACES = NOTES + CERTIFICATES
