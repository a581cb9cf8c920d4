"""Pictures of games: cards and notes of theirs on a ground, drawn by our own code (cards.py draws what they are made of).

What lies where the game declares (core/hooks/offer.py); of a game that does not, a few faces lie side by side, and one
without faces has an ornament and its initial. The page must carry the sprite of `faces_of` the picture.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import Any

from outbid.core.hooks.offer import SHEET, Placed, offer_of
from outbid.core.language import i18n
from outbid.core.language.phrases import grouped
from outbid.core.rulebook import Rulebook
from outbid.server.domain.scene import faces
from outbid.server.web import cards

SAMPLE = 4  # faces of a game that does not say what its picture is
LOBES = 9


def placed(book: Rulebook) -> tuple[Placed, ...]:
    """What lies in the picture of a game."""
    known = faces(book)
    declared = tuple(item for item in offer_of(book).picture if item.face in known)
    if declared:
        return declared
    keys = list(known)[:: max(1, len(known) // SAMPLE)][:SAMPLE]
    step = SHEET[0] / (len(keys) + 1)
    return tuple(Placed(key, step * n, SHEET[1] / 2, 8 * (n - (len(keys) + 1) / 2)) for n, key in enumerate(keys, 1))


def faces_of(book: Rulebook, switches: bool = True) -> list[Any]:
    """The faces in the picture of a game, and on its switches."""
    keys = {item.face for item in placed(book)}
    if switches:
        keys |= {key for switch in offer_of(book).switches.values() for key in switch.faces}
    return [face for key, face in faces(book).items() if key in keys]


def picture(book: Rulebook) -> cards.Svg:
    """The picture of a game; decoration: its title stands beside it."""
    return _picture(book, i18n.language())


@lru_cache
def _picture(book: Rulebook, spoken: str) -> cards.Svg:
    width, height = SHEET
    known, lying = faces(book), placed(book)
    ground = f'x="{-width}" y="{-height}" width="{3 * width}" height="{3 * height}"'  # also where the page has more room
    body = f'<rect {ground} fill="var(--ground-fill,currentColor)"/>{_lines(width, height)}'
    for item in lying:
        body += _lay(known[item.face], item)
    if not lying:
        body += (
            f'<text x="{width / 2:g}" y="{height / 2 + 28:g}" text-anchor="middle" font-family="inherit" font-size="80" '
            f'font-weight="800" fill="var(--ground-ink,#fff)">{escape(book.title[:1])}</text>'
        )
    box = f'viewBox="0 0 {width} {height}"'
    return cards.Svg(
        f'<svg class="picture" {box} color="{escape(offer_of(book).hue)}" aria-hidden="true" focusable="false">{body}</svg>'
    )


def _lines(width: float, height: float) -> str:
    """Engraved lines of the ground."""
    path = cards.rosette(42.5, 6.5, LOBES, 1.2, copies=6, angle=360 / LOBES / 6)
    pen = 'fill="none" stroke="var(--ground-line,#fff)" stroke-width=".35"'
    return f'<path transform="translate({width / 2:g} {height / 2:g}) scale(4)" {pen} d="{path}"/>'


def _lay(face: Any, item: Placed) -> str:
    """A face where it lies, with its shadow."""
    _draw, wide, high = cards.FRONTS[face.kind]
    width, height = item.width, item.width * high / wide
    round_ = width / 2 if face.kind == "coin" else width * 0.06
    box = _box(-width / 2, -height / 2, width, height)
    shadow = f'<rect {box} rx="{cards.number(round_)}" transform="translate(1.5 3)" fill="#000" opacity=".28"/>'
    return (
        f'<g transform="translate({cards.number(item.x)} {cards.number(item.y)}) rotate({cards.number(item.turn)})">'
        f'{shadow}<use href="#{escape(face.key)}" {box}/></g>'
    )


def _box(x: float, y: float, width: float, height: float) -> str:
    facts = {"x": x, "y": y, "width": width, "height": height}
    return " ".join(f'{name}="{cards.number(value)}"' for name, value in facts.items())


BARS, WIDE, HIGH = 32, 320.0, 56.0  # of `spread`


def spread(points: Sequence[int], mine: int, label: str) -> cards.Svg:
    """How points spread, as bars from the fewest to the most, and a mark where `mine` lies. label: the same in words."""
    low, high = min(*points, mine), max(*points, mine)
    step = (high - low) / (BARS - 1) or 1.0
    heap = Counter(round((value - low) / step) for value in points)
    most, width = max(heap.values()), WIDE / BARS
    bars = "".join(
        f'<rect {_box(place * width + 1, HIGH - HIGH * n / most, width - 2, HIGH * n / most)} rx="1.5"/>'
        for place, n in sorted(heap.items())
    )
    at = round((mine - low) / step) * width + width / 2
    mark = f"M{cards.numbers(at, -3)}V{HIGH:g}M{cards.numbers(at - 6, -13)}h12l-6 10z"
    return cards.Svg(
        f'<svg class="spread-of" viewBox="0 -16 {WIDE:g} {HIGH + 32:g}" role="img" aria-label="{escape(label)}">'
        f'<path d="M0 {HIGH + 1:g}H{WIDE:g}" stroke="var(--edge)" fill="none"/><g fill="var(--bars,currentColor)">{bars}</g>'
        f'<g font-family="inherit" font-size="11" fill="var(--muted)"><text x="1" y="{HIGH + 13:g}">{grouped(low)}</text>'
        f'<text x="{WIDE - 1:g}" y="{HIGH + 13:g}" text-anchor="end">{grouped(high)}</text></g>'
        f'<path d="{mark}" fill="var(--mark,currentColor)" stroke="var(--mark,currentColor)" stroke-width="2"/></svg>'
    )
