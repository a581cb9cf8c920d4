"""The plots of a report, drawn with Matplotlib as SVG.

Matplotlib because it is installed for training already, needs no browser and no script to make an SVG, writes text as text,
and gives the same file for the same numbers. (Altair is shorter to write, but needs a JavaScript engine to make an SVG.)

Every plot is 360 units wide with letters of 12, so that one drawing is read on a phone as it is and stands beside another
one on a desk. Colours are those of the site by day; `themed` makes custom properties of the page of them, so that the same
drawing is read by night and in print. Series differ in marker and dash besides their colour, and are named. Each `Plot`
carries a sentence about what is seen, and its numbers as a table, for who cannot see it.
"""

import io
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.core.language.i18n import _
from outbid.lab.report.figures import Estimate
from outbid.lab.report.numbers import digits_for, number

Values = NDArray[np.float64]
Used = tuple[str, Sequence[tuple[Estimate, float] | None]]  # a thing, and of each variant the share and the uses a match

WIDTH, UNIT = 360, 72  # of a plot, and units an inch
# the tokens of report.css by day: what stands in a drawing, and the custom property that it becomes on the page
SHEET, TEXT, MUTED, RULE, ACCENT = "#fffdf6", "#22251f", "#5a5d52", "#d3cdbb", "#23503f"
SERIES = ("#1a5a9e", "#a8481a", "#27703f", "#7d3a86", "#76600a", "#9c2a40")
TOKENS = {SHEET: "sheet", TEXT: "text", MUTED: "muted", RULE: "rule", ACCENT: "accent"} | {
    colour: f"series-{n}" for n, colour in enumerate(SERIES)
}
MARKERS = ("o", "s", "^", "D", "v", "P")
DASHES = ("-", (0, (6, 2)), (0, (2, 2)), (0, (8, 2, 2, 2)), (0, (4, 2)), (0, (1, 3)))
RIDGES = 4  # more variants than these are drawn as bars of quantiles
BINS = 40  # at most
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
DEEPEST = 0.45  # of the colour of a cell: what is written in it stays readable
LETTERS, LONG = 20, 34  # of a name in a plot: beside an axis, and on a line of its own


@dataclass(frozen=True)
class Plot:
    """A drawing with what it says. name: of its file. head, rows: its numbers as a table."""

    name: str
    title: str
    says: str
    svg: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def themed(self) -> str:
        """The drawing for the page."""
        return themed(self.svg, f"{self.title}. {self.says}")


def themed(svg: str, alt: str) -> str:
    """A drawing as a part of a page: an image with these words, in the colours of the page."""
    from html import escape

    for colour, token in TOKENS.items():
        svg = svg.replace(colour, f"var(--{token})")
    return re.sub(r"<svg [^>]*?(viewBox=\"[^\"]*\")[^>]*>", rf'<svg \1 role="img" aria-label="{escape(alt)}">', svg, count=1)


@contextmanager
def _drawing(height: float, rows: int = 1) -> Iterator[Any]:
    """A figure and its axes, in our colours."""
    import matplotlib

    ours: Any = {
        "svg.fonttype": "none",
        **dict.fromkeys(("font.size", "axes.titlesize", "axes.labelsize"), 12),
        **dict.fromkeys(("xtick.labelsize", "ytick.labelsize"), 11),
        "text.color": TEXT,
        **dict.fromkeys(("axes.labelcolor", "xtick.color", "ytick.color"), MUTED),
        **dict.fromkeys(("axes.edgecolor", "grid.color"), RULE),
        "axes.facecolor": "none",
        "figure.facecolor": SHEET,
        **dict.fromkeys(("axes.spines.top", "axes.spines.right"), False),
        "axes.axisbelow": True,
        "grid.linewidth": 0.8,
        "lines.linewidth": 2,
        "text.parse_math": False,
        "svg.hashsalt": "outbid",
    }
    with matplotlib.rc_context(ours):
        from matplotlib.figure import Figure
        from matplotlib.layout_engine import ConstrainedLayoutEngine

        spaced = ConstrainedLayoutEngine(w_pad=4 / UNIT, h_pad=5 / UNIT)
        figure = Figure(figsize=(WIDTH / UNIT, height / UNIT), layout=spaced)
        yield figure, figure.subplots(rows, 1, sharex=True, squeeze=False)[:, 0]


def _svg(figure: Any, name: str) -> str:
    """The figure as an SVG that can stand in a page beside others."""
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    svg = file.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"font: ([\d.]+)px [^;\"]*", r"font-size: \1px; font-family: system-ui, sans-serif", svg)
    used = set(re.findall(r"#([\w.-]+)\"|url\(#([\w.-]+)\)", svg))
    named = {ident or other for ident, other in used}
    svg = re.sub(r' id="([\w.-]+)"', lambda match: f' id="{name}-{match[1]}"' if match[1] in named else "", svg)
    svg = re.sub(r"(xlink:href=\"#|url\(#)([\w.-]+)", lambda match: f"{match[1]}{name}-{match[2]}", svg)
    return "\n".join(line.strip() for line in svg.splitlines() if line.strip()) + "\n"


def _short(name: str, most: int = LETTERS) -> str:
    """A name that fits; what variants differ in often stands at the end of it."""
    return name if len(name) <= most else f"{name[: most // 2 - 1]}…{name[-(most - most // 2) :]}"


# --- distributions ----------------------------------------------------------------------------------------------------


def distribution(name: str, title: str, unit: str, values: Sequence[tuple[str, Values]]) -> Plot:
    """How a number is spread among the matches of each variant. values: by variant, in the order of the run."""
    rows = [np.quantile(numbers, QUANTILES).tolist() if len(numbers) else [0.0] * 5 for _name, numbers in values]
    ridges = len(values) <= RIDGES
    height, panels = (34 + 82 * len(values), len(values)) if ridges else (54 + 24 * len(values), 1)
    with _drawing(height, panels) as (figure, axes):
        if ridges:
            edges = _edges(np.concatenate([numbers for _name, numbers in values]))
            for n, (axis, (label, numbers)) in enumerate(zip(axes, values, strict=True)):
                heights = np.histogram(numbers, edges)[0] / max(1, len(numbers))
                axis.stairs(heights, edges, fill=True, color=SERIES[n], alpha=0.3, linewidth=0)
                axis.stairs(heights, edges, color=SERIES[n], linewidth=1.2)
                axis.axvline(rows[n][2], color=TEXT, linewidth=1.4)
                axis.set_title(_short(label, LONG), loc="left", color=SERIES[n], fontweight="bold", pad=3)
                axis.set_title(_("median {n}", n=number(rows[n][2])), loc="right", color=MUTED, pad=3)
                axis.set_yticks([])
                axis.spines["left"].set_visible(False)
                axis.margins(x=0.01)
        else:
            axis = axes[0]
            for n, (low, quarter, middle, three, high) in enumerate(rows):
                axis.plot([low, high], [n, n], color=SERIES[0], linewidth=1.4)
                axis.plot([quarter, three], [n, n], color=SERIES[0], linewidth=7, alpha=0.45, solid_capstyle="butt")
                axis.plot([middle], [n], "o", color=SERIES[0], markersize=6)
            axis.set_yticks(range(len(values)), [_short(label) for label, _values in values])
            axis.set_ylim(len(values) - 0.5, -0.5)
            axis.grid(axis="x")
            axis.tick_params(axis="y", length=0)
        axes[-1].set_xlabel(unit)
        svg = _svg(figure, name)
    head = (_("variant"), _("10 % below"), _("25 % below"), _("median"), _("25 % above"), _("10 % above"))
    says = (
        _("The line marks the median.")
        if ridges
        else _("Dot: the median; thick line: the middle half; thin line: the middle four fifths.")
    )
    table = tuple((label, *map(number, row)) for (label, _values), row in zip(values, rows, strict=True))
    return Plot(name, title, f"{_halves(values, rows)} {says}", svg, head, table)


def _halves(values: Sequence[tuple[str, Values]], rows: Sequence[Sequence[float]]) -> str:
    """Where the middle half of the first and of the last variant lies."""
    ends = [0, len(values) - 1] if len(values) > 1 else [0]
    return " ".join(
        _("{variant}: half of them lie from {low} to {high}.", variant=label, low=number(row[1]), high=number(row[3]))
        for label, row in ((values[n][0], rows[n]) for n in ends)
    )


def _edges(values: Values) -> Values:
    """Edges of bars for values that may be whole numbers; what is far out is in the last ones."""
    low, high = (float(quantile) for quantile in np.quantile(values, (0.001, 0.999)))
    most = min(BINS, max(5, round(2 * len(values) ** (1 / 3))))  # Rice's rule: fewer matches, fewer bars
    if np.all(values == np.floor(values)):
        width = max(1.0, np.ceil((high - low + 1) / most))
        return np.arange(low - 0.5, high + 0.5 + width, width)
    return np.linspace(low, high if high > low else low + 1, most + 1)


# --- dots -------------------------------------------------------------------------------------------------------------


def _dots(
    name: str, rows: Sequence[str], series: Sequence[tuple[str, Sequence[Estimate | None]]], unit: str, line: float | None,
    sure: Sequence[bool] = (),
) -> str:  # fmt: skip
    """Means with their intervals, from left to right. rows: what stands beside the axis; series: a name, and of each row the
    mean; line: where the other side begins; sure: of each row whether its dots are filled; none: all are."""
    with _drawing(64 + (14 + 12 * len(series)) * len(rows) + 18 * (len(series) > 1) * len(series)) as (figure, (axis,)):
        for place, (label, means) in enumerate(series):
            shift = (place - (len(series) - 1) / 2) * 0.7 / len(series)
            for n, mean in enumerate(means):
                if mean:
                    colour = SERIES[place] if not sure or sure[n] else MUTED
                    axis.plot([mean.low, mean.high], [n + shift] * 2, color=colour, linewidth=1.8)
                    face = colour if not sure or sure[n] else SHEET
                    axis.plot([mean.mean], [n + shift], MARKERS[place], color=colour, markersize=6.5, markerfacecolor=face)
            axis.plot([], [], MARKERS[place], color=SERIES[place], label=_short(label, LONG))
        if line is not None:
            axis.axvline(line, color=TEXT, linewidth=1.2, linestyle=(0, (4, 3)) if line else "-")
        axis.set_yticks(range(len(rows)), [_short(row) for row in rows])
        axis.tick_params(axis="y", length=0, labelcolor=TEXT)
        axis.set_ylim(len(rows) - 0.5, -0.5)
        axis.grid(axis="x")
        axis.set_xlabel(unit)
        _legend(axis, len(series))
        return _svg(figure, name)


def means(
    name: str, title: str, unit: str, rows: Sequence[str], series: Sequence[tuple[str, Sequence[Estimate | None]]],
    equal: float | None = None,
) -> Plot:  # fmt: skip
    """A measure by variant (rows) and company (series). equal: where an equal share lies."""
    svg = _dots(name, rows, series, unit, equal)
    head = (_("variant"), *(label for label, _line in series))
    table = tuple((row, *("–" if mean is None else mean.text for mean in line)) for row, line in zip(
        rows, zip(*(line for _label, line in series), strict=True), strict=True))  # fmt: skip
    says = _("Bars are 95 % intervals.")
    if equal is not None:
        says = _("The dashed line is an equal share, {share} %; bars are 95 % intervals.", share=number(equal, 1))
    return Plot(name, title, says, svg, head, table)


def shares(
    name: str, title: str, lines: Sequence[tuple[str, Sequence[Estimate]]], who: Sequence[str], equal: float,
    drawn: Sequence[str],
) -> Plot:  # fmt: skip
    """Who has which share of the victories, with intervals. lines: by variant, of each of `who`; equal: an equal share;
    drawn: the variants that are drawn; all are in the table."""
    series = [(label, [share.times(100) for share in line]) for label, line in lines if label in drawn]
    svg = _dots(name, who, series, _("share of the victories, %"), 100 * equal)
    table = tuple((label, *(share.percent for share in line)) for label, line in lines)
    says = _("The dashed line is an equal share, {share} %; bars are 95 % intervals.", share=number(100 * equal, 1))
    return Plot(name, title, says, svg, (_("variant"), *who), table)


def parts(name: str, title: str, unit: str, labels: Sequence[str], rows: Sequence[tuple[str, Sequence[float]]]) -> Plot:
    """What a whole is made of, by variant. rows: of each variant the part of each label, which make 1 together."""
    with _drawing(64 + 34 * len(rows) + 18 * len(labels)) as (figure, (axis,)):
        for n, label in enumerate(labels):
            lefts = [100 * sum(shares[:n]) for _row, shares in rows]
            widths = [100 * shares[n] for _row, shares in rows]
            colour = SERIES[n] if n < len(labels) - 1 else RULE
            axis.barh(range(len(rows)), widths, left=lefts, height=0.6, color=colour, edgecolor=SHEET, label=label)
            for y, (left, width) in enumerate(zip(lefts, widths, strict=True)):
                if width >= 9:
                    ink = SHEET if n < len(labels) - 1 else TEXT
                    axis.text(left + width / 2, y, number(width, 0), ha="center", va="center", color=ink)
        axis.set_yticks(range(len(rows)), [_short(row) for row, _shares in rows])
        axis.tick_params(axis="y", length=0, labelcolor=TEXT)
        axis.set_ylim(len(rows) - 0.5, -0.5)
        axis.set_xlim(0, 100)
        axis.set_xlabel(unit)
        _legend(axis, len(labels))
        svg = _svg(figure, name)
    table = tuple((row, *(f"{number(100 * share, 1)} %" for share in shares)) for row, shares in rows)
    return Plot(name, title, _("The parts of a bar are all matches."), svg, (_("variant"), *labels), table)


def _legend(axis: Any, entries: int) -> None:
    """The names above the plot."""
    if entries > 1:
        longest = max(len(text) for text in axis.get_legend_handles_labels()[1])
        axis.legend(
            loc="lower left", bbox_to_anchor=(-0.02, 1.0), ncols=1 if longest > LONG // 2 else 2, frameon=False,
            borderaxespad=0.2, handletextpad=0.4, columnspacing=1.2, fontsize=11,
        )  # fmt: skip


# --- curves -----------------------------------------------------------------------------------------------------------


def sweep(
    name: str, title: str, option: str, unit: str, points: Sequence[tuple[float, Estimate, bool]], scale: float,
    baseline: str,
) -> Plot:  # fmt: skip
    """A measure over the values of an option, with the band of its intervals. points: value, mean, whether it differs
    from the baseline by more than chance. scale: 100 for shares."""
    across = np.array([value for value, _mean, _differs in points])
    means = [mean.times(scale) for _value, mean, _differs in points]
    filled = np.array([differs for _value, _mean, differs in points])
    line = np.array([mean.mean for mean in means])
    with _drawing(240) as (figure, (axis,)):
        axis.fill_between(
            across, [mean.low for mean in means], [mean.high for mean in means], color=SERIES[0], alpha=0.25, linewidth=0
        )
        axis.plot(across, line, color=SERIES[0])
        axis.plot(across[filled], line[filled], "o", color=SERIES[0], markersize=7)
        axis.plot(across[~filled], line[~filled], "o", color=SERIES[0], markersize=7, markerfacecolor=SHEET)
        if len(points) <= 8:
            axis.set_xticks(across, [number(value) for value in across.tolist()])
        elif all(value == round(value) for value in across.tolist()):
            axis.xaxis.get_major_locator().set_params(integer=True)
        axis.set_xlabel(option)
        axis.set_ylabel(unit)
        axis.grid(axis="y")
        svg = _svg(figure, name)
    rows = tuple(
        (number(value), *(number(part, 2) for part in mean.parts), _("yes") if differs else _("no"))
        for (value, _mean, differs), mean in zip(points, means, strict=True)
    )
    says = _("Filled dots differ from {baseline} by more than chance. The band is the 95 % interval.", baseline=baseline)
    return Plot(name, title, says, svg, (option, unit, _("at least"), _("at most"), _("differs")), rows)


def winner_curve(name: str, title: str, lines: Sequence[tuple[str, Sequence[Values]]]) -> Plot:
    """What the later winner could expect while the match went on. lines: variant, part of the match, mean and its interval;
    shares from 0 to 1."""
    with _drawing(270 + 8 * len(lines)) as (figure, (axis,)):
        for n, (label, (parts, mean, low, high)) in enumerate(lines):
            axis.fill_between(parts * 100, low * 100, high * 100, color=SERIES[n], alpha=0.16, linewidth=0)
            axis.plot(
                parts * 100, mean * 100, color=SERIES[n], linestyle=DASHES[n], marker=MARKERS[n],
                markevery=max(1, len(parts) // 5), markersize=6, label=_short(label, LONG),
            )  # fmt: skip
        axis.set_ylim(0, 103)
        axis.set_xlabel(_("part of the match that is over, %"))
        axis.set_ylabel(_("win probability of the eventual winner, %"))
        axis.grid(axis="y")
        _legend(axis, len(lines))
        svg = _svg(figure, name)
    rows = tuple(
        (label, *(f"{100 * float(np.interp(part, parts, mean)):.0f} %" for part in (0, 0.25, 0.5, 0.75, 1)))
        for label, (parts, mean, *_ends) in lines
    )
    says = _("The mean over matches with its 95 % interval. The later it rises, the longer a match stays open.")
    return Plot(name, title, says, svg, (_("variant"), "0 %", "25 %", "50 %", "75 %", "100 %"), rows)


# --- comparisons ------------------------------------------------------------------------------------------------------


def changes(name: str, title: str, unit: str, rows: Sequence[tuple[str, Estimate, bool]]) -> Plot:
    """What changed, measure by measure, with intervals. rows: name, change in per cent, whether it is more than noise."""
    labels, sizes, sure = zip(*rows, strict=True)
    svg = _dots(name, labels, [(title, sizes)], unit, 0, sure)
    table = tuple(
        (label, *(f"{number(part, 1)} %" for part in change.parts), _("yes") if settled else _("no"))
        for label, change, settled in rows
    )
    says = _("A filled dot is a real change; a hollow one may be chance.")
    return Plot(name, title, says, svg, (_("measure"), _("change"), _("at least"), _("at most"), _("settled")), table)


def heat(
    name: str, title: str, unit: str, across: tuple[str, Sequence[float]], down: tuple[str, Sequence[float]],
    cells: Callable[[int, int], Estimate | None], scale: float,
) -> Plot:  # fmt: skip
    """A measure over the values of two options. cells: by the places in `across` and `down`, if anything was played."""
    columns, lines = len(across[1]), len(down[1])
    grid = [[cells(column, line) for column in range(columns)] for line in range(lines)]
    means = [cell.mean * scale for row in grid for cell in row if cell]
    low, high = min(means), max(means)
    digits = digits_for((high - low) / 20)  # the same in all cells
    with _drawing(90 + 34 * lines) as (figure, (axis,)):
        from matplotlib.patches import Rectangle

        for y, row in enumerate(grid):
            for x, cell in enumerate(row):
                share = (cell.mean * scale - low) / (high - low) if cell and high > low else 0.0
                axis.add_patch(
                    Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, facecolor=ACCENT, alpha=0.04 + DEEPEST * share, linewidth=0)
                )
                text = "–" if cell is None else number(cell.mean * scale, digits)
                axis.text(x, y, text, ha="center", va="center", fontsize=12 if columns <= 8 else 9)
        axis.set_xlim(-0.5, columns - 0.5)
        axis.set_ylim(-0.5, lines - 0.5)
        axis.set_xticks(range(columns), [number(value) for value in across[1]])
        axis.set_yticks(range(lines), [number(value) for value in down[1]])
        axis.tick_params(length=0)
        for spine in axis.spines.values():
            spine.set_visible(False)
        axis.set_xlabel(across[0])
        axis.set_ylabel(down[0])
        svg = _svg(figure, name)
    table = tuple(
        (number(value), *("–" if cell is None else number(cell.mean * scale, 2) for cell in row))
        for value, row in zip(down[1], grid, strict=True)
    )
    says = _("In each cell: {unit}. A deeper colour means more.", unit=unit)
    return Plot(name, title, says, svg, (f"{down[0]} ↓ · {across[0]} →", *map(number, across[1])), table)


def front(name: str, title: str, goals: tuple[str, str], trials: Sequence[tuple[str, float, float, bool]]) -> Plot:
    """What a search found: each trial by two goals. trials: name, both values, whether no other one is better in both."""
    best = sorted((trial for trial in trials if trial[3]), key=lambda trial: trial[1])
    rest = [trial for trial in trials if not trial[3]]
    with _drawing(300) as (figure, (axis,)):
        (x, y), (best_x, best_y) = ([[trial[n] for trial in some] for n in (1, 2)] for some in (rest, best))
        axis.plot(x, y, "x", color=MUTED, markersize=6, label=_("others"))
        none = _("none is better in both")
        axis.plot(best_x, best_y, color=SERIES[0], marker="o", markersize=8, linewidth=1.4, label=none)
        for n, trial in enumerate(best, 1):
            axis.annotate(str(n), (trial[1], trial[2]), xytext=(6, 6), textcoords="offset points", fontweight="bold")
        axis.set_xlabel(goals[0])
        axis.set_ylabel(goals[1])
        axis.grid()
        axis.margins(0.1)
        _legend(axis, 2)
        svg = _svg(figure, name)
    table = tuple((str(n), trial[0], number(trial[1], 2), number(trial[2], 2)) for n, trial in enumerate(best, 1))
    says = _("Numbered dots: no other try is better in both goals. Their settings are in the table.")
    return Plot(name, title, says, svg, ("", _("settings"), *goals), table)


def usage(name: str, title: str, equal: float, variants: Sequence[str], rows: Sequence[Used], most: int) -> Plot:
    """How often who used a thing won. rows: thing, and for each variant the share of the victories and the uses a match.
    Those are drawn, at most so many, that are surest to differ from an equal share; all are in the table."""

    def far(row: Used) -> float:
        return max(max(use[0].low - equal, equal - use[0].high) for use in row[1] if use)

    def mean(row: Used) -> float:
        return next(use[0].mean for use in reversed(row[1]) if use)

    rows = sorted(rows, key=lambda row: (-mean(row), row[0]))
    surest = {row[0] for row in sorted(rows, key=lambda row: (-far(row), row[0]))[:most]}
    drawn = [row for row in rows if row[0] in surest]
    columns = zip(*(line for _thing, line in drawn), strict=True)
    series = [
        (label, [use and use[0].times(100) for use in column]) for label, column in zip(variants, columns, strict=True)
    ]
    things = [thing for thing, _line in drawn]
    svg = _dots(name, things, series, _("share of the victories of its users, %"), 100 * equal)
    head = [_("thing")]
    for label in variants:
        head += [f"{label}: {column}" for column in (_("victories"), _("uses a match"))]
    table = []
    for thing, line in rows:
        cells = [thing]
        for use in line:
            cells += ["–", "–"] if use is None else [use[0].percent, number(use[1])]
        table.append(tuple(cells))
    says = _(
        "The dashed line is an equal share. Players may win because they use a thing, or use it because they are winning."
    )
    return Plot(name, title, says, svg, tuple(head), tuple(table))
