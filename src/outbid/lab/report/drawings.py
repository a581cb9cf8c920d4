"""What is drawn of a run: the plots of each company, and the measure that decides by who plays."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from outbid.core.language.i18n import _
from outbid.lab.experiments.measures import SEAT_GAP, SEAT_SPREAD, LabMeasure
from outbid.lab.experiments.variants import Variant
from outbid.lab.report import plots, words
from outbid.lab.report.figures import Estimate, RunFigures, Seating, where

DRAWN = 12  # changes in one plot
THINGS = 14  # in the plot of usage
CURVES = 6  # measures that are drawn over a sweep …
MAPS = 4  # … and over two options
SETTLED_AT = "settled_at"


def plots_of(run: RunFigures, cell: Seating, name: str) -> list[plots.Plot]:
    """All plots for which there are numbers; in a preview none, since drawing takes longer than the matches did."""
    if run.meta.get("preview"):
        return []
    return [
        *_curves(run, cell, name),
        *_heat(run, cell, name),
        *filter(None, [_changes(run, cell, name)]),
        *_distributions(run, cell, name),
        *_shares(run, cell, name),
        *filter(None, [_half_time(run, cell, name), _winner_curve(run, cell, name)]),
        *_usage(run, cell, name),
    ]


def _changes(run: RunFigures, cell: Seating, name: str) -> plots.Plot | None:
    """What a single other variant changes, in per cent of the baseline."""
    compared = [comparison for comparison in run.compared(cell) if run.measure(comparison.measure).scale == 1]
    compared = [comparison for comparison in compared if abs(comparison.difference.half) < 2 * abs(comparison.mean_a)]
    if len(run.variants) != 2 or len(compared) < 2:
        return None
    rows = [
        (run.measure(diff.measure).title, diff.difference.times(100 / abs(diff.mean_a)), diff.differs)
        for diff in compared[:DRAWN]
    ]
    a, b = run.called(run.baseline), run.called(compared[0].b)
    title = _("What {b} changes against {a}", a=words.quoted(a), b=words.quoted(b))
    return plots.changes(f"{name}-changes", title, _("change, % of {a}", a=a), rows)


def _distributions(run: RunFigures, cell: Seating, name: str) -> list[plots.Plot]:
    """Lengths and scores, and where it is asked when the winner takes the lead."""
    drawn = []
    for table, column, title, unit, scale in (
        (run.matches_table, "turns", _("How long a match is"), _("moves"), 1),
        (run.seats_table, "score", _("The scores of all seats"), _("points"), 1),
        (run.matches_table, SETTLED_AT, _("When the winner takes the lead for good"), _("part of the match, %"), 100),
    ):
        if column not in table or (column == SETTLED_AT and column not in run.meta.get("measures", ())):
            continue
        values = [
            (run.called(variant), scale * table[column][where(table, variant.name, cell)].astype(float))
            for variant in run.variants
        ]
        values = [(label, numbers[np.isfinite(numbers)]) for label, numbers in values]
        values = [(label, numbers) for label, numbers in values if len(numbers)]
        if values:
            drawn.append(plots.distribution(f"{name}-{column}", title, unit, values))
    return drawn


def _shares(run: RunFigures, cell: Seating, name: str) -> list[plots.Plot]:
    """Who wins, by the order of play, and among different bots by these."""
    drawn = []
    for by, title in (("bot", _("Who wins, by bot")), ("order", _("Who wins, by the order of play (seat 1 moves first)"))):
        shares = [(run.called(variant), run.shares.get((variant.name, cell, by), ())) for variant in run.variants]
        lines = [(label, [share for _who, share in line]) for label, line in shares if line]
        if lines:
            who = [who for who, _share in next(line for _label, line in shares if line)]
            who = who if by == "bot" else [_("seat {n}", n=place) for place in who]
            few = [run.called(variant) for variant in few_variants(run, cell)]
            drawn.append(plots.shares(f"{name}-{by}", title, lines, who, 1 / cell.players, few))
    return drawn


def _half_time(run: RunFigures, cell: Seating, name: str) -> plots.Plot | None:
    """What becomes of who leads at half-time, where it is asked."""
    if not {*words.LEADERS} & {*run.meta.get("measures", ())}:
        return None
    rows = []
    for variant in few_variants(run, cell):
        known = [run.summaries.get((key, variant.name, cell)) for key in ("runaway", "reversed", words.HALFWAY)]
        if all(known):
            runaway, lost, sole = (mean.mean for mean in known if mean)
            rows.append((run.called(variant), (runaway, max(0.0, sole - runaway - lost), lost, 1 - sole)))
    labels = (_("wins, never behind again"), _("wins, but was behind again"), _("does not win"), _("nobody leads alone"))
    title = _("What becomes of who leads at half-time")
    return plots.parts(f"{name}-{words.HALFWAY}", title, _("matches, %"), labels, rows) if rows else None


def _curves(run: RunFigures, cell: Seating, name: str) -> list[plots.Plot]:
    """Measures over the one option of a sweep."""
    if len(run.swept) != 1:
        return []
    option, drawn = next(iter(run.swept)), []
    if not all(isinstance(variant.over.get(option), int | float) for variant in run.variants if variant.over):
        return []
    for measure, (label, variants) in itertools.product(_moving(run, cell)[:CURVES], run.sweeps):
        differ = {diff.b for diff in run.compared(cell) if diff.measure == measure.name and diff.differs}
        points = [
            (float(variant.over[option]), run.summaries[measure.name, variant.name, cell], variant.name in differ)
            for variant in variants
            if (measure.name, variant.name, cell) in run.summaries
        ]
        if len(points) > 1:
            titled, baseline = run.titles.option(option), words.quoted(run.called(run.baseline))
            title = _("{measure} over {option}", measure=measure.title, option=words.quoted(titled))
            id, title = _swept_id(f"{name}-over", measure, label), _title_of_sweep(title, label)
            points.sort(key=lambda point: point[0])
            drawn.append(plots.sweep(id, title, titled, _axis(measure), points, measure.scale, baseline))
    return drawn


def _swept_id(name: str, measure: LabMeasure, label: str) -> str:
    """What a plot of a sweep is called."""
    return "-".join([name, slug(measure.name), *([slug(label)] if label else [])])


def _title_of_sweep(title: str, label: str) -> str:
    """A title with the variant that is swept, where there are several."""
    return f"{title}: {label}" if label else title


def _axis(measure: LabMeasure) -> str:
    """A measure with its unit, for an axis."""
    title, unit = measure.title, measure.shown_unit
    return title if not unit or unit.lower() == title.lower() else f"{title}, {unit}"


def _moving(run: RunFigures, cell: Seating) -> list[LabMeasure]:
    """The measures that are drawn over a sweep: those that change first, in the order of the experiment."""
    names = [name for name in run.meta.get("measures", ()) if name in run.measures] or [*run.measures]
    differ = {comparison.measure for comparison in run.compared(cell) if comparison.differs}
    return [run.measure(name) for name in sorted(names, key=lambda name: (name != run.main.name, name not in differ))]


def _heat(run: RunFigures, cell: Seating, name: str) -> list[plots.Plot]:
    """The first measures over two options."""
    if len(run.swept) != 2:
        return []
    (across, columns), (down, lines) = run.swept.items()
    if not all(isinstance(value, int | float) for value in (*columns, *lines)):
        return []
    drawn = []
    for measure, (label, variants) in itertools.product(_moving(run, cell)[:MAPS], run.sweeps):
        means = {
            (variant.over[across], variant.over[down]): mean
            for variant in variants
            if (mean := run.summaries.get((measure.name, variant.name, cell)))
        }

        def mean_at(column: int, line: int, means: dict[Any, Estimate] = means) -> Estimate | None:
            return means.get((columns[column], lines[line]))

        if means:
            titled = [run.titles.option(name) for name in (across, down)]
            a, b = map(words.quoted, titled)
            title = _title_of_sweep(_("{measure} over {a} and {b}", measure=measure.title, a=a, b=b), label)
            id = _swept_id(f"{name}-over-two", measure, label)
            axes = (titled[0], columns), (titled[1], lines)
            drawn.append(plots.heat(id, title, _axis(measure), *axes, mean_at, measure.scale))
    return drawn


def _winner_curve(run: RunFigures, cell: Seating, name: str) -> plots.Plot | None:
    table = run.table("curve", ("variant", "company", "players", "progress", "winner", "low", "high", "matches"))
    if not table:
        return None
    lines = []
    for variant in run.variants:
        rows = where(table, variant.name, cell)
        if rows.any():
            order = np.argsort(table["progress"][rows])
            columns = [table[key][rows].astype(float)[order] for key in ("progress", "winner", "low", "high")]
            lines.append((run.called(variant), columns))
    if not lines:
        return None
    return plots.winner_curve(f"{name}-course", _("How early the winner is known"), lines[: plots.RIDGES])


def _usage(run: RunFigures, cell: Seating, name: str) -> list[plots.Plot]:
    """What those who used a thing won: of the baseline, and beside it of each other variant, unless it is a sweep."""
    tested = [] if run.swept else run.tested
    drawn = []
    for n, variants in enumerate([[run.baseline, variant] for variant in tested] or [[run.baseline]]):
        known = [_uses(run, cell, variant) for variant in variants]
        things = sorted({thing for uses in known for thing in uses})
        rows = [(thing, [uses.get(thing) for uses in known]) for thing in things]
        if len(tested) > 1:  # what is the same in all is told once
            rows = [(thing, line) for thing, line in rows if not n or line[-1] != line[0]]
        if rows:
            title = _("What goes with winning")
            title = title if len(tested) < 2 else f"{title}: {run.called(variants[-1])}"
            labels = [run.called(variant) for variant in variants]
            drawn.append(plots.usage(f"{name}-usage{n or ''}", title, 1 / cell.players, labels, rows, THINGS))
    return drawn


def _uses(run: RunFigures, cell: Seating, variant: Variant) -> dict[str, tuple[Estimate, float]]:
    """For each thing that was used: the share of the victories of its users, and the uses a match."""
    wanted = ("variant", "company", "players", "thing", "action", "used", "users", "share", "low", "high")
    table, played = run.table("usage", wanted), run.matches_table
    if not table or not played:
        return {}
    matches = max(1, int(where(played, variant.name, cell).sum()))
    return {
        run.thing(table, row): (
            Estimate(*(float(table[key][row]) for key in ("share", "low", "high"))),
            float(table["used"][row]) / matches,
        )
        for row in np.flatnonzero(where(table, variant.name, cell) & (table["users"] > 0))
    }


def by_company(run: RunFigures) -> list[plots.Plot]:
    """The measure that decides, by variant and company: best seat less worst, where seats are compared."""
    measure = run.measure(SEAT_GAP) if run.main.name == SEAT_SPREAD else run.main
    cells = list(dict.fromkeys(cell for name, _variant, cell in run.summaries if name == measure.name))[: len(plots.MARKERS)]
    if len(run.variants) > DRAWN or not cells:
        return []

    def means(cell: Seating) -> list[Estimate | None]:
        known = [run.summaries.get((measure.name, variant.name, cell)) for variant in run.variants]
        return [mean and mean.times(measure.scale) for mean in known]

    series = [(who(run, cell), means(cell)) for cell in cells]
    equal = 100 / cells[0].players if measure.name == "skill" and len({cell.players for cell in cells}) == 1 else None
    title = _("{measure}, by who plays", measure=measure.title)
    return [plots.means(f"by-company-{slug(measure.name)}", title, _axis(measure), run.labels, series, equal)]


def who(run: RunFigures, cell: Seating) -> str:
    """Who plays, and how many, where that differs."""
    bots = words.seated(run, cell)
    return bots if len(run.meta["players"]) == 1 else _("{bots}, {n} players", bots=bots, n=cell.players)


def few_variants(run: RunFigures, cell: Seating) -> list[Variant]:
    """The variants that are drawn: of many the baseline, and those with the least and the most of what decides."""
    known = [variant for variant in run.variants if (run.main.name, variant.name, cell) in run.summaries]
    if len(run.variants) <= plots.RIDGES or not known:
        return list(run.variants[: plots.RIDGES])
    known.sort(key=lambda variant: run.summaries[run.main.name, variant.name, cell].mean)
    few = {run.baseline.name, known[0].name, known[-1].name}
    return [variant for variant in run.variants if variant.name in few]


def slug(name: str) -> str:
    return "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in name.lower()).strip("-") or "company"
