"""The faces of For-Ex: a banknote and a certificate for each of its seven currencies (engine/faces.py). Data only."""

from outbid.engine import tongue
from outbid.engine.faces import Face, Layer

CROWN = (
    Layer("fill", "M32 20C38 9 55 10 57.6 22C58.6 27 55 33 51 39H13C9 33 5.4 27 6.4 22C9 10 26 9 32 20Z"),
    Layer(
        "paper",
        "M32 21.6V37M32 22.4C35.4 14.6 47.6 14.8 50 23.6C50.8 28 48 32 45 36.4M32 22.4"
        "C28.6 14.6 16.4 14.8 14 23.6C13.2 28 16 32 19 36.4",
        2,
    ),
    Layer("ink", "M12 42.4C24 39.6 40 39.6 52 42.4L50.6 56C39 53.2 25 53.2 13.4 56Z"),
    Layer("ink", "M32 3V15M27.4 7.6H36.6", 3.4),
    Layer("paper", "M32 48h0M20.6 49.2h0M43.4 49.2h0", 4.2),
)

STARS = (
    Layer(
        "fill",
        "M32 2L34 7.2L39.6 7.5L35.2 11.1L36.7 16.5L32 13.4L27.3 16.5L28.8 11.1L24.4 7.5L30 7.2ZM46.5 7.3"
        "L48.5 12.5L54.1 12.8L49.8 16.3L51.2 21.8L46.5 18.7L41.8 21.8L43.3 16.3L38.9 12.8L44.5 12.5Z"
        "M54.3 20.7L56.3 25.9L61.9 26.2L57.5 29.7L59 35.1L54.3 32.1L49.6 35.1L51 29.7L46.6 26.2L52.3 25.9Z"
        "M51.6 35.9L53.6 41.1L59.2 41.4L54.8 45L56.3 50.4L51.6 47.3L46.9 50.4L48.3 45L44 41.4L49.6 41.1Z"
        "M39.7 45.8L41.7 51.1L47.3 51.4L43 54.9L44.4 60.3L39.7 57.2L35 60.3L36.5 54.9L32.1 51.4L37.7 51.1Z"
        "M24.3 45.8L26.3 51.1L31.9 51.4L27.5 54.9L29 60.3L24.3 57.2L19.6 60.3L21 54.9L16.7 51.4L22.3 51.1Z"
        "M12.4 35.9L14.4 41.1L20 41.4L15.7 45L17.1 50.4L12.4 47.3L7.7 50.4L9.2 45L4.8 41.4L10.4 41.1Z"
        "M9.7 20.7L11.7 25.9L17.4 26.2L13 29.7L14.4 35.1L9.7 32.1L5 35.1L6.5 29.7L2.1 26.2L7.7 25.9Z"
        "M17.5 7.3L19.5 12.5L25.1 12.8L20.7 16.3L22.2 21.8L17.5 18.7L12.8 21.8L14.2 16.3L9.9 12.8L15.5 12.5"
        "Z",
    ),
)

TORCH = (
    Layer(
        "fill",
        "M33.4 2C37.6 8.6 46 13.4 44.4 23.4C43.4 29 38.4 32 32 32C25.6 32 20.6 29 19.6 23.4"
        "C18.4 16 23.6 12.6 24.6 7C28 9 29.6 11.6 30 15C33.4 11.6 34.4 6.6 33.4 2Z",
    ),
    Layer(
        "paper",
        "M32.6 17C34.6 20.4 38 21.6 37.4 25.4C37 28 34.8 29 32 29C29.2 29 27 28 26.6 25.4C26 21.8 31.4 20.6 32.6 17Z",
    ),
    Layer("ink", "M16.6 33H47.4L44.4 41.4H19.6Z"),
    Layer("ink", "M24.4 43.6H39.6L35.4 60.4C33.6 62.6 30.4 62.6 28.6 60.4Z"),
    Layer("paper", "M20.6 37.2H43.4", 1.6),
)

PEAK = (
    Layer("fill", "M2.6 58L24.4 23.4C26.6 17 30 9.4 34.6 4.6C36.6 7.2 40.6 9.4 42.2 12.6L40.6 19.4L61.4 58Z"),
    Layer(
        "paper",
        "M34.6 10C36.4 11.6 37.6 12.6 38.4 14L36.8 20.4L41.4 29L35.6 25.8L32.4 32.4L28 26.2L22.4 32.6"
        "L27.6 24.4C29.2 19.4 31.4 14 34.6 10Z",
    ),
    Layer("ink", "M2.6 58L15 38.4L22.4 48L29 42L40 58ZM44 58L50.4 43.6L61.4 58Z"),
)

BLOSSOM = (
    Layer(
        "fill",
        "M32 30C21.9 26.5 14.2 12.7 27.2 3.4L32 7.6L36.8 3.4C49.8 12.7 42.1 26.5 32 30ZM34.9 32.1"
        "C35 21.4 45.8 9.8 58.7 19.3L56.2 25.2L61.6 28.4C56.8 43.7 41.3 40.6 34.9 32.1ZM33.8 35.4"
        "C44 32.3 58.3 39 53.3 54.2L46.9 53.5L45.5 59.8C29.5 59.9 27.6 44.2 33.8 35.4ZM30.2 35.4"
        "C36.4 44.2 34.5 59.9 18.5 59.8L17.1 53.5L10.7 54.2C5.7 39 20 32.3 30.2 35.4ZM29.1 32.1"
        "C22.7 40.6 7.2 43.7 2.4 28.4L7.8 25.2L5.3 19.3C18.2 9.8 29 21.4 29.1 32.1Z",
    ),
    Layer("paper", "M32 33L32 22M32 33L42.5 29.6M32 33L38.5 41.9M32 33L25.5 41.9M32 33L21.5 29.6", 1.7),
    Layer("paper", "M32 19.4h0M44.9 28.8h0M40 44h0M24 44h0M19.1 28.8h0", 3.6),
    Layer("ink", "M32 33h0", 7),
)

LEAF = (
    Layer("ink", "M32 44L33.2 61.6H30.8Z"),
    Layer(
        "fill",
        "M32 2L37.4 12.4L43.6 9.2L40.8 24.8L48.6 16.6L50.4 20.8L60 19.2L56.4 28.6L60.6 30.8L45.2 43.2L47 49"
        "L33.6 46.8L30.4 46.8L17 49L18.8 43.2L3.4 30.8L7.6 28.6L4 19.2L13.6 20.8L15.4 16.6L23.2 24.8"
        "L20.4 9.2L26.6 12.4Z",
    ),
    Layer("paper", "M32 45V17M32 41L18.6 28.4M32 41L45.4 28.4", 1.7),
)

COIN = (
    Layer("fill", "M32 3C48 3 61 16 61 32C61 48 48 61 32 61C16 61 3 48 3 32C3 16 16 3 32 3ZM22.6 22.6V41.4H41.4V22.6Z"),
    Layer(
        "paper", "M32 8.6C45 8.6 55.4 19 55.4 32C55.4 45 45 55.4 32 55.4C19 55.4 8.6 45 8.6 32C8.6 19 19 8.6 32 8.6Z", 1.6
    ),
    Layer("ink", "M20 20H44V44H20Z", 2.6),
    Layer("paper", "M27.6 14.4H36.4M32 12V18M27.6 50.6H36.4M29 47.8H35M13.4 27.6V36.4M50.6 27.6V36.4M47.8 32H53", 2),
)

NOTES = (
    Face("forex-GBP", "note", tongue.mark("Pound"), "GBP", "#6a4bb0", "P", CROWN, 16),
    Face("forex-EUR", "note", tongue.mark("Euro"), "EUR", "#3596dd", "E", STARS, 12),
    Face("forex-USD", "note", tongue.mark("Dollar"), "USD", "#00845f", "D", TORCH, 14),
    Face("forex-CHF", "note", tongue.mark("Franc"), "CHF", "#d55e00", "F", PEAK, 9),
    Face("forex-JPY", "note", tongue.mark("Yen"), "JPY", "#d986b6", "Y", BLOSSOM, 10),
    Face("forex-CAD", "note", tongue.mark("Loonie"), "CAD", "#7d4a28", "L", LEAF, 11),
    Face("forex-CNY", "note", tongue.mark("Renminbi"), "CNY", "#cf9a00", "R", COIN, 8),
)
"""Letters: of the names, so that no two are the same: Loonie and Renminbi for the Canadian dollar and the yuan."""

CERTIFICATES = tuple(note._replace(key=note.key.replace("forex-", "forex-certificate-"), kind="card") for note in NOTES)

FACES = NOTES + CERTIFICATES
