"""The arena as a picture, SVG: the payoff matrix, cells shaded by how much more than an equal share they are, and the ladder
with its intervals.

`draw(arena)` gives the text of the picture.
"""

from collections.abc import Sequence
from html import escape

from outbid.core.language.phrases import plural
from outbid.lab.arena import Arena, Pairing
from outbid.lab.rating_fit import Rung

CELL = (144, 34)  # width and height of a cell, at least
NAMES = 120  # width of the names on the left, at least
LETTER = 7.5  # width of one, about
LINE = 28  # a rung
AXIS = 380
INK, QUIET, GREEN, OCHRE = "#22302c", "#66736e", "#1b5e4b", "#b5762a"
STYLE = f"text{{font:13px system-ui,sans-serif;fill:{INK}}} .quiet{{fill:{QUIET}}} .bold{{font-weight:600}}"


def draw(measured: Arena) -> str:
    """The picture of an arena, as SVG."""
    parts: list[str] = []
    setting = f"{measured.book.title}, {measured.players} players"
    title = f"{setting}: share of the victories of the row's bot, alone among the column's"
    longest = LETTER * max(len(name) for name in measured.bots)
    left, cell = max(NAMES, longest + 26), max(CELL[0], longest + 10)
    bottom = _matrix(parts, measured.pairings, 56, left, cell) if measured.pairings else 40
    if measured.mixed:
        bottom = _ladder(parts, measured.ladder(), bottom + 40, left)
    width = round(max(left + len(measured.bots) * cell + 24, left + AXIS + 220, 760))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {bottom + 16}" width="{width}" '
        f'height="{bottom + 16}" role="img" aria-label="{escape(title)}"><style>{STYLE}</style>'
        f'<rect width="100%" height="100%" fill="#fbfaf6"/>{_text(16, 26, title, "bold")}'
    )
    return head + "".join(parts) + "</svg>\n"


def _matrix(parts: list[str], pairings: Sequence[Pairing], top: int, left: float, width: float) -> int:
    names = list(dict.fromkeys(name for pairing in pairings for name in (pairing.bot, pairing.others)))
    cells = {(pairing.bot, pairing.others): pairing for pairing in pairings}
    height = CELL[1]
    for column, name in enumerate(names):
        parts.append(_text(left + column * width + width / 2, top, name, "quiet", "middle"))
    for row, name in enumerate(names):
        y = top + 10 + row * height
        parts.append(_text(left - 10, y + height / 2 + 4, name, "", "end"))
        for column, other in enumerate(names):
            x, pairing = left + column * width, cells.get((name, other))
            if pairing is None:
                parts.append(_text(x + width / 2, y + height / 2 + 4, "·", "quiet", "middle"))
                continue
            above = (pairing.share - pairing.equal) / (1 - pairing.equal if pairing.share > pairing.equal else pairing.equal)
            colour = GREEN if above > 0 else OCHRE
            parts.append(
                f'<rect x="{x + 2}" y="{y + 2}" width="{width - 4}" height="{height - 4}" rx="3" fill="{colour}" '
                f'fill-opacity="{0.08 + 0.37 * abs(above):.2f}"/>'
            )
            text = str(pairing.measured).removesuffix(" %")
            parts.append(_text(x + width / 2, y + height / 2 + 4, text, "", "middle"))
    bottom = top + 10 + len(names) * height
    first = pairings[0]
    facts = (
        f"per cent with 95 % intervals; an equal share is {100 * first.equal:.1f}; {plural(first.deals, 'deal')}, each from "
        "every seat"
    )
    parts.append(_text(16, bottom + 20, facts, "quiet"))
    return bottom + 24


def _ladder(parts: list[str], rungs: Sequence[Rung], top: int, left: float) -> int:
    low, high = min(rung.low for rung in rungs), max(rung.high for rung in rungs)
    parts.append(_text(16, top, "Ladder: Plackett–Luce over all matches; 400 points are ten times the strength", "bold"))
    for number, rung in enumerate(rungs):
        y = top + 26 + number * LINE
        ends = [left + 10 + AXIS * (value - low) / max(high - low, 1e-9) for value in (rung.low, rung.rating, rung.high)]
        parts.append(_text(left - 10, y + 4, rung.bot, "", "end"))
        parts.append(f'<line x1="{left}" x2="{left + AXIS + 20}" y1="{y}" y2="{y}" stroke="{QUIET}" stroke-opacity=".2"/>')
        parts.append(
            f'<line x1="{ends[0]:.1f}" x2="{ends[2]:.1f}" y1="{y}" y2="{y}" stroke="{GREEN}" stroke-width="5" '
            'stroke-opacity=".4" stroke-linecap="round"/>'
        )
        parts.append(f'<circle cx="{ends[1]:.1f}" cy="{y}" r="5" fill="{GREEN}"/>')
        facts = f"{rung.rating:.0f}  ({rung.low:.0f} … {rung.high:.0f})"
        parts.append(_text(left + AXIS + 30, y + 4, facts, "quiet"))
    return top + 26 + len(rungs) * LINE


def _text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>'
