"""The win-probability curve of a match as SVG: a line for each seat, with a dash of its own and its name at the end.

`draw(review, width, height)` gives the text. Lengths are in pixels at full size. Colours are classes: `seat-0` … `seat-5`
for lines and names, `grid` and `quiet` for the rest; a page's sheet says what they are (server/web/screens/review/
review.css). Numbers in circles are the moments of the review, in their order. Where the judge may be off by more than it
should, each line has a band as wide as that (`band` of a point).
"""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from outbid.core.language.names import shown

DASHES = ("", "8 4", "2 3", "10 3 2 3", "5 2", "1 4")
LEFT, TOP, BOTTOM = 46, 26, 28
LETTER, RIGHT_MOST, LINE = 8.5, 116, 16  # width of a letter, most of the names, height of a line of text
MARK = 9  # radius of a moment's circle
TICKS = 6  # numbers of moves below
LONGEST_NAME = 12  # letters


def draw(review: Mapping[str, Any], width: int, height: int) -> str:
    """The drawing. It is an image for who can see; a table stands beside it for who cannot."""
    points, names = review["course"], [shown(name) for name in review["players"]]
    names = [name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…" for name in names]
    last = max(1, points[-1]["move"])
    right = min(RIGHT_MOST, 14 + round(LETTER * max(map(len, names))))
    across, down = width - LEFT - right, height - TOP - BOTTOM

    def x(move: float) -> float:
        return round(LEFT + across * move / last, 1)

    def y(share: float) -> float:
        return round(TOP + down * (1 - share), 1)

    parts = [f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" aria-hidden="true" focusable="false">']
    for percent in (0, 25, 50, 75, 100):
        at = y(percent / 100)
        parts.append(f'<path class="grid" fill="none" d="M{LEFT} {at}h{across}"/>')
        parts.append(f'<text class="quiet" x="{LEFT - 6}" y="{at + 4}" text-anchor="end">{percent} %</text>')
    step = _step(last)
    for move in range(0, last + 1, step):
        parts.append(f'<text class="quiet" x="{x(move)}" y="{height - 8}" text-anchor="middle">{move}</text>')
    parts += _moments(review.get("moments", ()), x, down, LEFT + across)
    parts += _bands(points, len(names), x, y)
    parts += [_line(seat, points, x, y, "2.25") for seat in range(len(names))]
    ends = _apart([y(points[-1]["chances"][seat]) for seat in range(len(names))], TOP + down)
    for seat, name in enumerate(names):
        parts.append(f'<text class="seat-{seat} end" x="{LEFT + across + 8}" y="{ends[seat] + 4}">{escape(name)}</text>')
    return "".join([*parts, "</svg>"])


def curve(
    review: Mapping[str, Any], at: int, seat: int = 0, mistakes: Sequence[int] = (), width: int = 1000, height: int = 100
) -> str:
    """The curve alone, as wide as its place: what stands below a replay. There is a line after move `at`, and a dot where a
    seat made each of its mistakes."""
    points = review["course"]
    last = max(1, points[-1]["move"])

    def x(move: float) -> float:
        return round(width * move / last, 1)

    def y(share: float) -> float:
        return round(height * (1 - share), 1)

    parts = [f'<svg viewBox="0 0 {width} {height}" preserveAspectRatio="none" aria-hidden="true" focusable="false">']
    parts.append(f'<path class="at" d="M{x(at)} 0v{height}"/>')
    parts += [_line(each, points, x, y, "2") for each in range(len(review["players"]))]
    for number in mistakes:  # a line without length and with round ends is round however wide the drawing is
        place = f"M{x(number)} {y(chances(review, number)[seat])}h0"
        parts.append(f'<path class="dot seat-{seat}" data-move="{number}" d="{place}"/>')
    return "".join([*parts, "</svg>"])


def chances(review: Mapping[str, Any], at: int) -> list[float]:
    """Everybody's chance to win after move `at`."""
    known = [point for point in review["course"] if point["move"] <= at]
    return list((known or review["course"])[-1]["chances"])


def _bands(
    points: Sequence[Mapping[str, Any]], seats: int, x: Callable[[float], float], y: Callable[[float], float]
) -> list[str]:
    """For each seat the area between what it could expect less the band and what it could expect with it."""
    if not any(point.get("band") for point in points):
        return []
    parts = []
    for seat in range(seats):
        edges: list[list[str]] = []
        for sign in (1, -1):
            at = [min(1.0, max(0.0, point["chances"][seat] + sign * point.get("band", 0.0))) for point in points]
            edges.append([f"{x(point['move'])},{y(share)}" for point, share in zip(points, at, strict=True)])
        there_and_back = " ".join([*edges[0], *reversed(edges[1])])
        parts.append(f'<polygon class="seat-{seat} band" fill-opacity=".12" points="{there_and_back}"/>')
    return parts


def _line(
    seat: int, points: Sequence[Mapping[str, Any]], x: Callable[[float], float], y: Callable[[float], float], width: str
) -> str:
    """What a seat could expect, point by point."""
    line = " ".join(f"{x(point['move'])},{y(point['chances'][seat])}" for point in points)
    return f'<polyline class="seat-{seat}" fill="none" stroke-width="{width}"{_dashed(seat)} points="{line}"/>'


def _dashed(seat: int) -> str:
    dash = DASHES[seat % len(DASHES)]
    return f' stroke-dasharray="{dash}"' if dash else ""


def sample(seat: int) -> str:
    """A piece of a seat's line, for a legend."""
    return (
        '<svg class="sample" viewBox="0 0 36 8" width="36" height="8" aria-hidden="true" focusable="false">'
        f'<path class="seat-{seat}" fill="none" stroke-width="2.25"{_dashed(seat)} d="M1 4h34"/></svg>'
    )


def _moments(moments: Sequence[Mapping[str, Any]], x: Callable[[float], float], down: int, right: int) -> list[str]:
    parts = []
    lines = [x(moment["move"] + 1) for moment in moments]
    for number, (at, line) in enumerate(zip(_apart(lines, right, 2 * MARK + 1), lines, strict=True), 1):
        parts.append(f'<path class="moment" fill="none" d="M{at} {TOP - 3}L{line} {TOP}v{down}"/>')
        parts.append(f'<circle class="moment" cx="{at}" cy="{TOP - 12}" r="{MARK}"/>')
        parts.append(f'<text class="moment" x="{at}" y="{TOP - 8}" text-anchor="middle">{number}</text>')
    return parts


def _apart(wanted: Sequence[float], most: float, size: float = LINE) -> list[float]:
    """Places near the wanted ones, up to `most`, at which things of a size do not cover each other."""
    order = sorted(range(len(wanted)), key=lambda n: wanted[n])
    places, free = [0.0] * len(wanted), float("-inf")
    for n in order:
        places[n] = free = max(wanted[n], free + size)
    limit = most
    for n in reversed(order):
        places[n] = limit = min(places[n], limit)
        limit -= size
    return places


def _step(last: int) -> int:
    """A round number of moves between two numbers below."""
    rough = max(1, last // TICKS)
    for size in (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500):
        if size >= rough:
            return size
    return 10 ** len(str(rough))
