"""The artwork of the tables: guilloche rosettes, banknotes, cards and their backs, drawn as SVG.

Nothing here knows a game. What a face shows is data a game gives (core/hooks/faces.py); this module only knows how
paper money is drawn.

A page carries one hidden drawing, `sprite(faces)`, with a `<symbol>` for every face, and shows as many small
instances as it likes: `note`, `card`, `bill`, `back` and `icon` return a few hundred bytes that `<use>` those
symbols. The sprite holds every face of the game for every viewer, so that it tells nothing; put it once, first
in `<body>`, outside of anything that is replaced later.

Colour follows the theme. Every symbol sets `color` to its hue; what is drawn refers to a few custom
properties, which base.css derives from `currentColor`, so that the one hue of a face gives a light and a dark
version:

    --art-fill    the hue: bodies                       --art-paper   the sheet, faintly tinted
    --art-ink     its deep companion: numerals, frames  --art-line    engraved lines between ink and paper
    --art-faint   the palest lines, behind everything   --art-back, --art-back-line   the backs, in no hue

All lengths are in drawing units: a card is 100 by 140, a note 200 by 108, a bill 100 by 76, a coin 76 wide, a symbol
64 by 64. The results are
`Svg`, a string that templates take as markup; all words and figures given to these functions are escaped.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from html import escape
from math import cos, gcd, pi, radians, sin

from outbid.core.hooks.faces import Face, Layer
from outbid.core.language.i18n import _, ngettext

CARD_WIDTH, CARD_HEIGHT = 100, 140
NOTE_WIDTH, NOTE_HEIGHT = 200, 108
BILL_WIDTH, BILL_HEIGHT = 100, 76
COIN_WIDTH = 76
DIE_WIDTH = 64
PIPS = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568"}  # of a die, in three rows of three

FILL = "var(--art-fill,currentColor)"
INK = "var(--art-ink,currentColor)"
PAPER = "var(--art-paper,#fff)"
LINE = "var(--art-line,currentColor)"
FAINT = "var(--art-faint,currentColor)"
BACK = "var(--art-back,#2c4a3f)"
BACK_LINE = "var(--art-back-line,#e8dfc6)"
TONES = {"fill": FILL, "ink": INK, "paper": PAPER}

BACK_LOBES = 14
WORDS = 'font-family="inherit" text-anchor="middle"'

Point = tuple[float, float]


class Svg(str):
    """A piece of SVG that templates insert as it is."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)


# ---------------------------------------------------------------------------------------------- lines


@cache
def number(value: float) -> str:
    """Write a length with one decimal, as short as SVG allows."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def numbers(*values: float) -> str:
    """Write lengths one after the other; a minus sign separates as well as a blank."""
    return " ".join(number(value) for value in values).replace(" -", "-")


def smooth(points: Sequence[Point], slopes: Sequence[Point], closed: bool = False) -> str:
    """Path data of the smooth curve through `points` with the tangents `slopes` (units per point).

    The steps are equal in the parameter, so each control point mirrors the one before and the short `s`
    command does. Coordinates are relative to the rounded predecessor: errors do not add up.
    """
    (x, y), (u, v) = points[0], slopes[0]
    parts = [f"M{numbers(x, y)}"]
    x, y = round(x, 1), round(y, 1)
    for i in range(1, len(points) + closed):
        (px, py), (du, dv) = points[i % len(points)], slopes[i % len(points)]
        ends = (px - du / 3 - x, py - dv / 3 - y, px - x, py - y)
        parts.append(f"c{numbers(u / 3, v / 3, *ends)}" if i == 1 else f"s{numbers(*ends)}")
        x, y = x + round(ends[2], 1), y + round(ends[3], 1)
    return "".join(parts) + ("z" if closed else "")


def rosette(radius: float, depth: float, lobes: int, second: float = 0.0, copies: int = 1, angle: float = 0.0) -> str:
    """Path data of `copies` harmonic rosettes round the origin, each turned by `angle` degrees against the one before;
    lengths in drawing units.

    One is r = radius + depth sin(lobes t) + second sin(2 lobes t), computed at the crests and troughs of the first sine
    with exact tangents. All are one path: what is shown a hundred times on a page must be few elements.
    """
    step = pi / lobes
    found = ""
    for turn in (radians(angle * k) for k in range(copies)):
        points: list[Point] = []
        slopes: list[Point] = []
        for t in ((i + 0.5) * step for i in range(2 * lobes)):
            r = radius + depth * sin(lobes * t) + second * sin(2 * lobes * t)
            dr = lobes * (depth * cos(lobes * t) + 2 * second * cos(2 * lobes * t))
            x, y = cos(t + turn), sin(t + turn)
            points.append((r * x, r * y))
            slopes.append(((dr * x - r * y) * step, (dr * y + r * x) * step))
        found += smooth(points, slopes, closed=True)
    return found


def waves(width: float, height: float, periods: int, lines: Iterable[tuple[float, float]]) -> str:
    """Path data of sine lines that begin at a crest, `width` units long and `height` from crest to trough; of each, how
    far down it lies and the part of the height it has.
    """
    across = width / periods / 2
    found = ""
    for y, part in lines:
        points = [(across * i, y + part * height / 2 * (-1) ** i) for i in range(2 * periods + 1)]
        found += smooth(points, [(across, 0.0)] * len(points))
    return found


def ring(radius: float) -> str:
    """Path data of a circle round the origin."""
    r = number(radius)
    return f"M{r} 0A{r} {r} 0 1 1 -{r} 0A{r} {r} 0 1 1 {r} 0Z"


def guilloche(lobes: int) -> str:
    """Path data of an engraved rosette of radius 50 round the origin: an outer braid of eight harmonic curves, a fine ring,
    and an inner flower of four; `lobes` gives each face its own.
    """
    turn = 360 / lobes / 8
    outer = rosette(42.5, 6.5, lobes, 1.2, copies=8, angle=turn)
    inner = rosette(25, 8.5, lobes, copies=4, angle=turn * 2)
    return ring(35.2) + ring(49.4) + outer + inner


def braid(radius: float, depth: float, lobes: int, rounds: int, samples: int = 5) -> str:
    """Path data of a woven ring round the origin: one closed curve with `lobes` waves in `rounds` turns, which must
    have no common factor. One path is quick to draw a hundred times.
    """
    step = 2 * pi * rounds / (lobes * samples)
    bend = lobes / rounds
    points: list[Point] = []
    slopes: list[Point] = []
    for i in range(lobes * samples):
        t = i * step
        r, dr = radius + depth * sin(bend * t), depth * bend * cos(bend * t)
        points.append((r * cos(t), r * sin(t)))
        slopes.append(((dr * cos(t) - r * sin(t)) * step, (dr * sin(t) + r * cos(t)) * step))
    return smooth(points, slopes, closed=True)


# ---------------------------------------------------------------------------------------------- lettering

DIGITS = {
    "0": "M18 5C27 5 31 16 31 30S27 55 18 55 5 44 5 30 9 5 18 5Z",
    "1": "M8 14L20 5V55M8 55H32",
    "2": "M6 19C6 10 11 5 18 5 26 5 30 10 30 17 30 28 16 36 6 55H31",
    "3": "M6 12C9 7 13 5 17 5 25 5 29 10 29 16 29 23 24 28 15 28 25 28 31 33 31 41 31 50 25 55 17 55"
    " 11 55 7 52 5 47",
    "4": "M25 55V5L4 41H33",
    "5": "M29 5H10L8 28C11 25 14 23 18 23 26 23 31 29 31 38 31 49 25 55 17 55 11 55 7 52 5 48",
    "6": "M29 10C27 7 24 5 20 5 10 5 5 17 5 33 5 48 10 55 18 55 26 55 31 49 31 40 31 31"
    " 26 26 19 26 12 26 6 31 5 38",
    "7": "M5 5H31C22 20 16 36 15 55",
    "8": "M18 5C25 5 29 10 29 16S25 27 18 28 5 34 5 42 10 55 18 55 31 50 31 42 25 29"
    " 18 28 7 22 7 16 11 5 18 5Z",
    "9": "M7 50C9 53 12 55 16 55 26 55 31 43 31 27 31 12 26 5 18 5 10 5 5 11 5 20 5 29 10 34"
    " 17 34 24 34 30 29 31 22",
}
DIGIT_WIDTH, DIGIT_HEIGHT = 42.0, 60.0


def numeral(figure: str, x: float, y: float, height: float, widest: float, anchor: str = "start") -> str:
    """A large engraved numeral: our own digits, drawn thick in ink with a bright line inside.

    `x`, `y` is the left end (`anchor` `start`) or the middle (`middle`) of its upper edge, `height` the
    height and `widest` the greatest width: longer figures shrink. The digits are in the sprite; figures that
    are not all digits ("½", "×2") are set in the page's type.
    """
    if not figure or any(mark not in DIGITS for mark in figure):
        size = min(height * 1.2, 1.6 * widest / max(1, len(figure)))
        return (
            f'<text x="{number(x)}" y="{number(y + height * 0.93)}" font-family="inherit" font-weight="800" '
            f'font-size="{number(size)}" text-anchor="{anchor}" fill="{INK}">{escape(figure)}</text>'
        )
    natural = len(figure) * DIGIT_WIDTH - 4
    scale = min(height / DIGIT_HEIGHT, widest / natural)
    x -= natural * scale / 2 if anchor == "middle" else 0
    y += (height - DIGIT_HEIGHT * scale) / 2
    shapes = "".join(
        f'<use href="#art-{mark}" x="{number(i * DIGIT_WIDTH)}"/>' for i, mark in enumerate(figure)
    )
    place = f"translate({number(x)} {number(y)}) scale({scale:.3f})"
    return (
        f'<g transform="{place}" fill="none" stroke-linejoin="round">'
        f'<g stroke="{INK}" stroke-width="13" stroke-linecap="round">{shapes}</g>'
        f'<g stroke="{PAPER}" stroke-width="1.4">{shapes}</g></g>'
    )


def seal(letter: str, x: float, y: float, radius: float) -> str:
    """The letter of a face, bright on a small dark seal centred at `x`, `y`."""
    size = radius * (1.45, 1.45, 1.15, 0.85)[min(len(letter), 3)]
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{INK}"/>'
        f'<text x="{number(x)}" y="{number(y + size * 0.36)}" {WORDS} font-weight="700" '
        f'font-size="{number(size)}" fill="{PAPER}">{escape(letter)}</text>'
    )


# ---------------------------------------------------------------------------------------------- symbols


def drawing(layers: Iterable[Layer]) -> str:
    """The layers of a symbol, painted in order in their 64 by 64 box."""
    parts: list[str] = []
    for layer in layers:
        tone = TONES[layer.tone]
        parts.append(
            f'<path d="{layer.path}" fill="none" stroke="{tone}" stroke-width="{layer.width:g}"/>'
            if layer.width
            else f'<path d="{layer.path}" fill="{tone}"/>'
        )
    return f'<g stroke-linecap="round" stroke-linejoin="round">{"".join(parts)}</g>'


def sign(text: str) -> str:
    """Characters in place of a symbol, in its 64 by 64 box."""
    if not text:
        return ""
    size = (50, 36, 26)[min(len(text), 3) - 1]
    return f'<text x="32" y="{32 + size * 0.36:g}" {WORDS} font-size="{size}" fill="{FILL}">{escape(text)}</text>'


def image(address: str, width: float, height: float) -> str:
    """A picture of that size."""
    return f'<image href="{escape(address)}" width="{number(width)}" height="{number(height)}"/>'


def sheet(width: float, height: float, hollow: bool = False) -> str:
    """An empty sheet with its frame: a strong outer line, dashed if `hollow`, and a fine inner one."""
    dashes = ' stroke-dasharray="7 4.6"' if hollow else ""
    outer = f'<rect x="1.2" y="1.2" width="{number(width - 2.4)}" height="{number(height - 2.4)}" rx="7"'
    inner = f'<rect x="4.4" y="4.4" width="{number(width - 8.8)}" height="{number(height - 8.8)}" rx="4.4"'
    fine = "" if hollow else f'{inner} fill="none" stroke="{LINE}" stroke-width=".6"/>'
    return f'{outer} fill="{PAPER}" stroke="{INK}" stroke-width="2"{dashes}/>{fine}'


def engraved(key: str, x: float, y: float, scale: float, tone: str, width: float) -> str:
    """Shared lines (`key`), moved to `x`, `y` and scaled, in lines `width` units wide."""
    return (
        f'<use href="#{key}" transform="translate({number(x)} {number(y)}) scale({scale:.2f})" '
        f'stroke="{tone}" stroke-width="{width / scale:.2f}"/>'
    )


def placed(key: str, x: float, y: float, size: float) -> str:
    """The symbol `key`, `size` units wide and high, with its upper left corner at `x`, `y`."""
    return (
        f'<use href="#{key}" x="{number(x)}" y="{number(y)}" width="{number(size)}" height="{number(size)}"/>'
    )


def card_face(face: Face) -> str:
    """The front of a card: value upper left, letter upper right, the symbol on a rosette, the name below."""
    return (
        sheet(CARD_WIDTH, CARD_HEIGHT, face.hollow)
        + engraved(f"art-rosette-{face.lobes}", 50, 69, 0.84, FAINT, 0.55)
        + placed(f"{face.key}-mark", 11, 31, 78)
        + numeral(face.figure, 10, 9.5, 21, 60)
        + seal(face.letter, 85.5, 17, 8.5)
        + f'<text x="50" y="122.4" {WORDS} font-size="11.5" font-weight="600" letter-spacing=".4" '
        + f'fill="{INK}">{escape(face.name)}</text>'
    )


def rank_face(face: Face) -> str:
    """The front of a card whose rank matters most: the figure large in the upper left, where a column of overlapping
    cards shows it, the symbol on a rosette below, the letter in the lower right.
    """
    return (
        sheet(CARD_WIDTH, CARD_HEIGHT, face.hollow)
        + engraved(f"art-braid-{face.lobes}", 50, 90, 0.8, FAINT, 0.7)
        + placed(f"{face.key}-mark", 21, 61, 58)
        + numeral(face.figure, 9, 9, 34, 42)
        + seal(face.letter, 86, 126, 8)
    )


def note_face(face: Face) -> str:
    """The front of a banknote: the figure large at the left, where a fanned hand shows it, the symbol at the
    right.
    """
    rose = f"art-rosette-{face.lobes}"
    ground = ""
    if not face.hollow:
        ground += engraved("art-waves", 7, 16, 1, FAINT, 0.5)
        ground += engraved("art-band", 9, 10.5, 1, LINE, 0.5) + engraved("art-band", 26, 97.5, 1, LINE, 0.5)
        ground += f'<circle cx="53" cy="54" r="38" fill="{PAPER}"/>' + engraved(
            rose, 53, 54, 0.76, FAINT, 0.5
        )
    return (
        sheet(NOTE_WIDTH, NOTE_HEIGHT, face.hollow)
        + ground
        + f'<circle cx="146" cy="54" r="45" fill="{PAPER}"/>'
        + engraved(rose, 146, 54, 0.9, LINE, 0.5)
        + f'<circle cx="146" cy="54" r="24" fill="{PAPER}" stroke="{LINE}" stroke-width=".7"/>'
        + placed(f"{face.key}-mark", 127, 35, 38)
        + numeral(face.figure, 53, 29, 50, 82, "middle")
        + seal(face.letter, 185.5, 15.5, 8.5)
        + seal(face.letter, 15, 92.5, 8.5)
    )


def bill_face(face: Face) -> str:
    """The front of a bill: figure and symbol side by side on a woven ring, the letter below at the left; the serial
    number is written at the right of it. The value is not engraved: a hand has thirty of them.
    """
    dashes = ' stroke-dasharray="6 4"' if face.hollow else ""
    return (
        f'<rect x="1.5" y="1.5" width="97" height="73" rx="7" fill="{PAPER}" stroke="{INK}" stroke-width="2.4"{dashes}/>'
        + ("" if face.hollow else engraved(f"art-braid-{face.lobes}", 75, 32, 0.47, FAINT, 0.5))
        + placed(f"{face.key}-mark", 58, 15, 34)
        + plain(face.figure, 29.5, 44, 38 if len(face.figure) < 3 and "−" not in face.figure else 28)
        + f'<text x="7.5" y="68.5" font-family="inherit" font-weight="700" font-size="14.5" fill="{INK}">'
        + f"{escape(face.letter)}</text>"
    )


def coin_face(face: Face) -> str:
    """The front of a coin: the figure in the middle, the symbol above, the serial number is written below; or, without a
    figure, the symbol alone.
    """
    middle = number(COIN_WIDTH / 2)
    mark = f"{face.key}-mark"
    return (
        f'<circle cx="{middle}" cy="{middle}" r="36.5" fill="{PAPER}" stroke="{INK}" stroke-width="2.4"/>'
        f'<circle cx="{middle}" cy="{middle}" r="32.5" fill="none" stroke="{LINE}" stroke-width="2" '
        f'stroke-dasharray=".1 4" stroke-linecap="round"/>'
        + (
            placed(mark, COIN_WIDTH / 2 - 9, 8, 18) + plain(face.figure, COIN_WIDTH / 2, 50, 30)
            if face.figure
            else placed(mark, COIN_WIDTH / 2 - 20, COIN_WIDTH / 2 - 20, 40)
        )
    )


def die_face(face: Face) -> str:
    """A side of a die: pips up to six, or the figure."""
    body = f'<rect x="2" y="2" width="60" height="60" rx="12" fill="{PAPER}" stroke="{INK}" stroke-width="2.8"/>'
    if face.symbol or face.sign:
        return body + placed(f"{face.key}-mark", 14, 14, 36)
    places = PIPS.get(int(face.figure) if face.figure.isdecimal() else 0)
    if places is None:
        return body + plain(face.figure, 32, 45, 36)
    dots = (f'<circle cx="{16 + int(p) % 3 * 16}" cy="{16 + int(p) // 3 * 16}" r="6"/>' for p in places)
    return f'{body}<g fill="{INK}">{"".join(dots)}</g>'


def plain(figure: str, x: float, y: float, size: float) -> str:
    """A figure in the page's type, its foot in the middle at `x`, `y`."""
    return (
        f'<text x="{number(x)}" y="{number(y)}" {WORDS} font-weight="800" font-size="{number(size)}" '
        f'letter-spacing="-1" fill="{INK}">{escape(figure)}</text>'
    )


def note_back() -> str:
    """The back of every banknote, the same for all: a rosette in a field of waves."""
    return (
        back_sheet(NOTE_WIDTH, NOTE_HEIGHT)
        + f'<g opacity=".4">{engraved("art-waves", 7, 16, 1, BACK_LINE, 0.5)}</g>'
        + back_medal(100, 54, 0.86)
    )


def card_back() -> str:
    """The back of every card, the same for all: the rosette of the banknotes, upright."""
    ground = "".join(
        f'<use href="#art-waves" transform="translate({x} 8) rotate(90) scale(.67 .52)" stroke="{BACK_LINE}" '
        f'stroke-width=".8"/>'
        for x in (50, 91)
    )
    return back_sheet(CARD_WIDTH, CARD_HEIGHT) + f'<g opacity=".4">{ground}</g>' + back_medal(50, 70, 0.8)


def back_sheet(width: float, height: float) -> str:
    """An empty back: the dark sheet with a bright line inside its edge."""
    outer = f'<rect x=".8" y=".8" width="{number(width - 1.6)}" height="{number(height - 1.6)}" rx="7"'
    inner = f'<rect x="5.4" y="5.4" width="{number(width - 10.8)}" height="{number(height - 10.8)}" rx="4"'
    return (
        f'{outer} fill="{BACK}" stroke="{BACK_LINE}" stroke-width="1.2"/>'
        f'{inner} fill="none" stroke="{BACK_LINE}" stroke-width=".8"/>'
    )


def back_medal(x: float, y: float, scale: float) -> str:
    """The rosette of the backs round the sign of the house, centred at `x`, `y`; its radius is 50 `scale`."""
    disc = f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(50 * scale)}" fill="{BACK}"/>'
    return disc + engraved(f"art-rosette-{BACK_LOBES}", x, y, scale, BACK_LINE, 0.5) + monogram(x, y, 9)


def monogram(x: float, y: float, radius: float) -> str:
    """The sign of the house: a coin overtaken by a rising stroke, centred at `x`, `y`, `radius` units."""
    r = radius
    roof = f"M{numbers(x - r * 0.42, y + r * 0.18)}l{numbers(r * 0.42, -r * 0.54, r * 0.42, r * 0.54)}"
    pen = f'stroke="{BACK_LINE}" stroke-width="{number(r * 0.28)}" stroke-linecap="round"'
    return (
        f'<g fill="none" stroke-linejoin="round" {pen}><path d="{roof}"/>'
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r * 0.86)}"/></g>'
    )


def sprite(faces: Iterable[Face]) -> Svg:
    """The hidden drawing with a symbol for every face of a game (or of several), to be put once on a page.

    It defines `KEY` (the whole front) and `KEY-mark` (the bare symbol) for every face, and `art-card` and
    `art-note`, the backs.
    """
    wanted = list(faces)
    field = waves(186, 9, 4, ((4 * i, 1) for i in range(20)))
    band = waves(165, 7.6, 15, ((0, part) for part in (1, 0.6, 0.2, -0.2, -0.6, -1)))
    parts = [
        f'<path id="art-waves" fill="none" d="{field}"/>',
        f'<path id="art-band" fill="none" d="{band}"/>',
        *(f'<path id="art-{digit}" d="{path}"/>' for digit, path in DIGITS.items()),
        *(_lines("rosette", n, guilloche(n)) for n in sorted(_lobes(wanted, "card", "note") | {BACK_LOBES})),
        *(_lines("braid", n, weave(n)) for n in sorted(_lobes(wanted, "bill", "rank"))),
    ]
    backs = (
        ("art-card", CARD_WIDTH, CARD_HEIGHT, card_back()),
        ("art-note", NOTE_WIDTH, NOTE_HEIGHT, note_back()),
    )
    for key, width, height, body in backs:
        parts.append(f'<symbol id="{key}" viewBox="0 0 {width} {height}">{body}</symbol>')
    drawn: dict[object, str] = {}
    for face in wanted:
        key, hue = escape(face.key), escape(face.hue)
        draw, width, height = FRONTS[face.kind]
        body = image(face.picture, width, height) if face.picture else draw(face)
        first = drawn.setdefault((face.symbol, face.sign, face.picture, hue), key)
        symbol = image(face.picture, 64, 64) if face.picture else drawing(face.symbol) + sign(face.sign)
        mark = f'<g color="{hue}">{symbol}</g>' if first == key else placed(f"{first}-mark", 0, 0, 64)
        parts.append(f'<symbol id="{key}-mark" viewBox="0 0 64 64">{mark}</symbol>')
        parts.append(
            f'<symbol id="{key}" viewBox="0 0 {width} {height}"><g color="{hue}">{body}</g></symbol>'
        )
    return Svg(
        '<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false"><defs>'
        + "".join(parts)
        + "</defs></svg>"
    )


FRONTS: dict[str, tuple[Callable[[Face], str], int, int]] = {
    "card": (card_face, CARD_WIDTH, CARD_HEIGHT),
    "rank": (rank_face, CARD_WIDTH, CARD_HEIGHT),
    "note": (note_face, NOTE_WIDTH, NOTE_HEIGHT),
    "bill": (bill_face, BILL_WIDTH, BILL_HEIGHT),
    "coin": (coin_face, COIN_WIDTH, COIN_WIDTH),
    "die": (die_face, DIE_WIDTH, DIE_WIDTH),
}


def _lines(kind: str, lobes: int, path: str) -> str:
    return f'<path id="art-{kind}-{lobes}" fill="none" d="{path}"/>'


def _lobes(faces: Iterable[Face], *kinds: str) -> set[int]:
    return {face.lobes for face in faces if face.kind in kinds}


def weave(lobes: int) -> str:
    """The woven ring of a bill: as many turns as give a closed curve, at least five."""
    rounds = next(n for n in range(5, 5 + lobes) if gcd(n, lobes) == 1)
    return braid(34, 15, lobes, rounds)


# ---------------------------------------------------------------------------------------------- instances


def instance(kind: str, width: float, height: float, label: str, body: str) -> Svg:
    """An `<svg>` of class `art KIND`, `width` by `height` units, with the accessible name `label`.

    An empty label makes it decoration, hidden from assistive programs.
    """
    name = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    box = f'viewBox="0 0 {number(width)} {number(height)}"'
    return Svg(f'<svg class="art {kind}" {box} {name} focusable="false">{body}</svg>')


@cache
def pips(owned: int, of: int) -> str:
    """A row of `of` diamonds at the foot of a card, the first `owned` of them filled."""
    step, half = min(13.0, 84 / max(of, 1)), 3.7
    parts: list[str] = []
    for i in range(of):
        x = 50 + (i - (of - 1) / 2) * step
        path = f"M{numbers(x - half, 130.6)}l{numbers(half, -half, half, half, -half, half)}z"
        parts.append(f'<path d="{path}" fill="{INK if i < owned else PAPER}"/>')
    return f'<g stroke="{INK}" stroke-width="1.1" stroke-linejoin="round">{"".join(parts)}</g>'


@cache
def tally(mark: Face, n: int, size: float) -> str:
    """A symbol `n` times in the upper right of a card, where a column of overlapping cards shows it."""
    step = min(size, 40 / max(n, 1))
    return "".join(placed(f"{mark.key}-mark", 94 - size - i * step, 15 - size / 2, size) for i in reversed(range(n)))


def card(
    face: Face,
    *,
    owned: int | None = None,
    of: int = 4,
    mark: Face | None = None,
    marks: int = 1,
    size: float = 20,
    label: str | None = None,
) -> Svg:
    """A card, face up.

    With `mark`, the symbol of that face stands `marks` times, `size` units wide, in the upper right of a card of kind
    `rank`.

    With `owned`, a row of `of` pips shows how many of this kind a player has; a whole set has a strong frame.
    `label` replaces the accessible name, "Cow 800, 3 of 4"; an empty one makes the card decoration (inside a
    button with words).
    """
    body = f'<use href="#{escape(face.key)}"/>'
    if mark is not None:
        body += tally(mark, marks, size)
    if label is None:
        label = f"{face.name} {face.figure}"
        label = label if owned is None else _("{card}, {owned} of {of}", card=label, owned=owned, of=of)
    if owned is not None:
        body += f'<g color="{escape(face.hue)}">{pips(owned, of)}'
        if owned >= of:
            body += '<rect x="2.2" y="2.2" width="95.6" height="135.6" rx="6.2" fill="none" '
            body += f'stroke="{INK}" stroke-width="3.6"/>'
        body += "</g>"
    return instance("card", CARD_WIDTH, CARD_HEIGHT, label, body)


def note(face: Face, *, serial: str = "", label: str | None = None) -> Svg:
    """A banknote, face up, with its `serial` number if it has one.

    `label` replaces the accessible name, "note 50".
    """
    body = f'<use href="#{escape(face.key)}"/>'
    if label is None:
        label = _("note {figure}", figure=face.figure)
        label = _("{note}, serial {serial}", note=label, serial=serial) if serial else label
    if serial:
        body += (
            f'<text x="53" y="90.6" {WORDS} color="{escape(face.hue)}" fill="{INK}" font-size="10" '
            f'letter-spacing="1.4">{escape(serial)}</text>'
        )
    return instance("note", NOTE_WIDTH, NOTE_HEIGHT, label, body)


def bill(face: Face, *, serial: str = "", label: str | None = None) -> Svg:
    """A bill or a coin, face up, with its `serial` number if it has one.

    `label` replaces the accessible name, "US dollar 20, serial 17".
    """
    body = f'<use href="#{escape(face.key)}"/>'
    _front, width, height = FRONTS[face.kind]
    if label is None:
        label = f"{face.name} {face.figure}"
        label = _("{note}, serial {serial}", note=label, serial=serial) if serial else label
    if serial:
        place = 'x="93" y="68.5" text-anchor="end"'
        if face.kind == "coin":
            place = f'x="{COIN_WIDTH / 2:g}" y="66" text-anchor="middle"'
        body += (
            f'<text {place} font-family="inherit" font-size="15.5" color="{escape(face.hue)}" fill="{INK}">'
            f"{escape(serial)}</text>"
        )
    return instance(face.kind, width, height, label, body)


def back(kind: str, *, count: int | None = None, label: str | None = None) -> Svg:
    """A face-down `card` or `note`, or with `count` a sleeve or pile of them.

    A pile is up to three sheets deep and bears its number; a count of 0 is an empty dashed place. `label`
    replaces the accessible name, "face-down note" or "4 face-down notes".
    """
    width, height = (CARD_WIDTH, CARD_HEIGHT) if kind == "card" else (NOTE_WIDTH, NOTE_HEIGHT)
    if label is None and kind == "card":
        label = _("face-down card") if count is None else ngettext("{n} face-down card", "{n} face-down cards", count)
    elif label is None:
        label = _("face-down note") if count is None else ngettext("{n} face-down note", "{n} face-down notes", count)
    deep = 0 if count is None else min(max(count - 1, 0), 2) * 5
    shape = f'href="#art-{kind}" width="{width}" height="{height}"'
    if count == 0:
        body = f'<rect x="1.2" y="1.2" width="{width - 2.4}" height="{height - 2.4}" rx="7" fill="none" '
        body += f'stroke="{LINE}" stroke-width="2" stroke-dasharray="7 4.6"/>'
    else:
        body = "".join(f'<use {shape} x="{i}" y="{deep - i}"/>' for i in range(deep, -1, -5))
    if count is not None:
        x, y = width / 2, height / 2 + deep
        body += f'<circle cx="{number(x)}" cy="{number(y)}" r="24" fill="{PAPER}" '
        body += f'stroke="{INK}" stroke-width="1.6"/>'
        body += numeral(str(count), x, y - 15, 30, 34, "middle")
    return instance(f"{kind} back", width + deep, height + deep, label, body)


def icon(face: Face, *, label: str | None = None) -> Svg:
    """The bare symbol of a face, to stand in a line of text. `label` replaces its accessible name."""
    return instance(
        "icon", 64, 64, face.name if label is None else label, f'<use href="#{escape(face.key)}-mark"/>'
    )


def ornament(lobes: int = BACK_LOBES) -> Svg:
    """A rosette alone, in the colour of the text around it, for title pages; it needs no sprite."""
    turn = 360 / lobes / 6
    outer, inner = rosette(42.5, 6.5, lobes, 1.2, copies=6, angle=turn), rosette(25, 8.5, lobes, copies=3, angle=turn * 2)
    pen = 'fill="none" stroke="currentColor" stroke-width=".3"'
    return instance("ornament", 100, 100, "", f'<path transform="translate(50 50)" {pen} d="{outer}{inner}"/>')
