"""What a run says, in sentences for a designer: the answer first, then measure by measure.

A measure of every game has three messages (experiments/measures.py): it is more, it is less, and its name in a sentence. One
of a game, or of an experiment, is spoken of by its title.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from outbid.core.language import i18n
from outbid.core.language.phrases import capitalized, grouped, listed
from outbid.lab.experiments.goals import Goal
from outbid.lab.experiments.measures import Measure
from outbid.lab.experiments.titles import Titles
from outbid.lab.experiments.variants import Variant
from outbid.lab.report.figures import Cell, Comparison, Estimate, Run
from outbid.lab.report.numbers import counted, number, percent
from outbid.runs.sources import RECORDS

_, ngettext = i18n.words("outbid")

SPOKEN = 3  # differences in one sentence, and variants
TRIFLE = 0.05  # of the standard deviation of the matches, which rates near 0 and figures about 0 have, too
FAIR = "first_share"  # what designers ask next
LENGTHS = ("turns", "decisions", "minutes", "steps")  # which all say how long a match is


def quoted(name: str) -> str:
    """A name set apart in a sentence."""
    return _("“{name}”", name=name)


def phrase(measure: Measure, difference: Estimate) -> str:
    """A difference as a part of a sentence: "a match is 2.1 ± 0.4 turns shorter"."""
    one = difference.times(measure.scale)
    more = one.mean >= 0
    size = (one if more else one.times(-1)).said
    if measure.phrases:
        return _(measure.phrases[0 if more else 1], x=size)
    unit = f"{size} {measure.shown_unit}".rstrip()
    return (
        _("{measure} rises by {x}", measure=called(measure), x=unit)
        if more
        else _("{measure} falls by {x}", measure=called(measure), x=unit)
    )


def called(measure: Measure) -> str:
    """A measure in a sentence."""
    return _(measure.phrases[2]) if measure.phrases else quoted(measure.title)


def question(run: Run) -> str:
    """What a run asks that does not say it itself."""
    tested = [quoted(run.called(one)) for one in run.variants if one is not run.baseline]
    if run.tuning.get("goals"):
        return _(
            "Which values reach {goals} in {game}?",
            goals=listed([goal(run.measure(one["measure"]), one) for one in run.tuning["goals"]]),
            game=run.title,
        )
    asked = [quoted(run.titles.option(name)) for name in run.swept] or tested[:SPOKEN]
    if asked:
        return ngettext(
            "What does {options} change in {game}?", "What do {options} change in {game}?", len(asked),
            options=listed(asked), game=run.title,
        )  # fmt: skip
    return _("What is a match of {game} like?", game=run.title)


def goal(measure: Measure, one: Mapping[str, Any]) -> str:
    """A goal of a search: "Minutes from 14 to 16"."""
    low, high, title = one.get("low"), one.get("high"), quoted(measure.title)
    if low is None:
        return _("{measure} below {high}", measure=title, high=amount(measure, high)) if high is not None else one["goal"]
    if high is None:
        return _("{measure} above {low}", measure=title, low=amount(measure, low))
    ends = {"low": number(low * measure.scale), "high": amount(measure, high)}
    return _("{measure} from {low} to {high}", measure=title, **ends)


def answer(run: Run) -> list[str]:
    """What came out, the most important first; one sentence or a few."""
    if not run.matches or not run.cells:
        return [_("No match has been played yet.")]
    if run.matches == 1:
        return [_("One match was played; it shows what happened in it, and nothing about the rules.")]
    first, *others = run.cells
    if len(run.variants) < 2:
        return [_alone(run, first)] if not others else _companies(run)
    tested = [one for one in run.variants if one is not run.baseline]
    known, same = _signs(run, first), [cell for cell in others if run.compared(cell)]
    other = [cell for cell in same if _signs(run, cell) != known]
    same = [cell for cell in same if cell not in other]
    said = _swept(run, first) if run.swept else _against(run, first, tested)
    if other and not run.swept:
        said[0] = _among(run, first, said[0])
    if run.tuning.get("goals"):
        said = [*_reached(run), *said]
    said += ladders(run, first.players)
    if same:
        said.append(_("The same holds {among}.", among=listed([among(run, cell) for cell in same])))
    for cell in other:
        if run.swept:
            said.append(_("The picture is different {among}; see below.", among=among(run, cell)))
        else:
            said += [_among(run, cell, lead(run, cell, one)) for one in tested[:SPOKEN]]
    return said


def _among(run: Run, cell: Cell, sentence: str) -> str:
    """A sentence that begins with the cell of which it speaks."""
    where = among(run, cell)
    return f"{capitalized(where)}: {sentence}"


def among(run: Run, cell: Cell) -> str:
    """A cell as a part of a sentence."""
    return _("among {n} players ({bots})", n=cell.players, bots=seated(run, cell))


def seated(run: Run, cell: Cell) -> str:
    """Who sits at the table: the bots; of matches that were read, the name of the company."""
    company = next((one for one in run.companies if one.name == cell.company), None)
    if company is None or company.seats[0].startswith(RECORDS):
        return cell.company
    return listed(list(dict.fromkeys(company.seats)))


def _signs(run: Run, cell: Cell) -> set[tuple[str, str, str]]:
    """Which measures differ, and to which side."""
    return {(one.measure, one.b, one.verdict) for one in run.compared(cell) if one.differs}


def _against(run: Run, cell: Cell, tested: Sequence[Variant]) -> list[str]:
    """What variants change against the baseline: a sentence for each; of a single one also what is not known yet."""
    said = [lead(run, cell, one) for one in tested[:SPOKEN]]
    if len(tested) == 1:
        still = [one for one in _of(run, cell, tested[0]) if one.within_reach]
        needed = [one.needed or 0 for one in still]
        if needed:
            names = listed([called(run.measure(one.measure)) for one in still])
            said.append(
                _(
                    "To settle {measures}, play about {n} matches of each variant.",
                    n=counted(max(needed)), measures=names,
                )
            )  # fmt: skip
    elif len(tested) > SPOKEN:
        said.append(_("There are {n} more variants; see below.", n=len(tested) - SPOKEN))
    return said


def _of(run: Run, cell: Cell, variant: Variant) -> list[Comparison]:
    """The comparisons of a variant with the baseline, in the order in which the experiment names its measures."""
    order = {name: n for n, name in enumerate(run.meta.get("measures", ()))}
    found = [one for one in run.compared(cell) if one.b == variant.name]
    return sorted(found, key=lambda one: order.get(one.measure, len(order)))


def unused(run: Run, cell: Cell, variant: Variant) -> bool:
    """Whether a variant changed nothing in any match, or nothing that was compared."""
    found, place = _of(run, cell, variant), (variant.name, cell)
    if not found or any(one.differs for one in found):
        return False
    moved = run.moved.get(place, [])
    return moved is None or (bool(moved) and not {one.measure for one in found} & set(moved))


def lead(run: Run, cell: Cell, variant: Variant) -> str:
    """What a variant changes, and one thing that it does not, in a sentence. Of measures of length one is named. First
    what the experiment measures first, then whether it is fair, then what stands out most from chance and is no trifle."""
    found, named, parts = _of(run, cell, variant), False, list[str]()
    if not found:
        return _("{variant} was not compared.", variant=quoted(run.called(variant)))
    strongest = sorted(
        found[1:],
        key=lambda one: (one.measure != FAIR, _trifle(run, one), -abs(one.difference.mean) / (one.difference.half or 1)),
    )
    for one in [found[0], *strongest]:
        length = one.measure in LENGTHS
        if one.differs and len(parts) < SPOKEN - 1 and not (length and named):
            parts.append(phrase(run.measure(one.measure), one.difference))
            named = named or length
    rest = [one for one in found if not one.differs]
    rest.sort(key=lambda one: one.measure != FAIR)
    if unused(run, cell, variant):
        moved = [called(run.measure(name)) for name in run.moved[variant.name, cell] or ()]
        if moved:
            return _(
                "With {variant}, everything that was compared is the same in every match; not the same: {measures}.",
                variant=quoted(run.called(variant)), measures=listed(moved),
            )  # fmt: skip
        return _(
            "With {variant}, every match is played as without it: these players do not use it.",
            variant=quoted(run.called(variant)),
        )
    if not parts:
        return _("With {variant}, no change stands out from chance.", variant=quoted(run.called(variant)))
    if rest:
        parts.append(_("{measure} does not change measurably", measure=called(run.measure(rest[0].measure))))
    return _("With {variant}, {changes}.", variant=quoted(run.called(variant)), changes="; ".join(parts))


def _trifle(run: Run, one: Comparison) -> bool:
    """Whether a difference is too small for anybody to notice, as sure as it may be."""
    return abs(one.difference.mean) < TRIFLE * run.deviations.get((one.measure, one.a, one.cell), 0.0)


def _swept(run: Run, cell: Cell) -> list[str]:
    """What happens along an option, or over two."""
    said = []
    names = [
        name
        for name in run.meta.get("measures", ())
        if any(one.measure == name and one.differs for one in run.compared(cell))
    ]
    length = next((name for name in names if name in LENGTHS), "")
    for name in [name for name in names if name not in LENGTHS or name == length][:SPOKEN]:
        measure = run.measure(name)
        found = [
            (one, run.summaries[name, one.name, cell]) for one in run.variants if (name, one.name, cell) in run.summaries
        ]
        if len(found) < 2:
            continue
        lowest, highest = min(found, key=lambda one: one[1].mean), max(found, key=lambda one: one[1].mean)
        facts = {"low": with_unit(measure, lowest[1]), "here": quoted(run.called(lowest[0]))}
        facts |= {"high": with_unit(measure, highest[1]), "there": quoted(run.called(highest[0]))}
        name = capitalized(called(measure))
        parts = [_("{measure} lies between {low} (at {here}) and {high} (at {there}).", measure=name, **facts)]
        for one, mean in found:
            if one is run.baseline and one not in (lowest[0], highest[0]):
                facts = {"here": quoted(run.called(one)), "mean": with_unit(measure, mean)}
                parts.append(_("At {here}, with which the others are compared, it is {mean}.", **facts))
        said.append(" ".join(parts))
    if not said:
        options = listed([quoted(run.titles.option(name)) for name in run.swept])
        return [_("Over all values of {options}, no change stands out from chance.", options=options)]
    return said


def _reached(run: Run) -> list[str]:
    """Whether a search has found what it was to find, on fresh deals and in every company."""
    goals = listed([goal(run.measure(one["measure"]), one) for one in run.tuning["goals"]])
    rows = run.tuning.get("checked", ())
    for found in dict.fromkeys(one["number"] for one in rows):
        mine = [one for one in rows if one["number"] == found]
        if all(figure["reached"] for one in mine for figure in one["figures"]):
            return [
                _(
                    "With {settings}, all goals are reached, on fresh deals too: {goals}.",
                    settings=quoted(run.titles.settings(mine[0]["options"])),
                    goals=goals,
                )
            ]
    return missed(run) or [_("No values were found that reach all goals together: {goals}.", goals=goals)]


def missed(run: Run) -> list[str]:
    """A sentence on each goal of a search that no checked values reach in every company."""
    goals, checked = run.tuning.get("goals", ()), run.tuning.get("checked", ())
    said = (unreached(run.measure(one["measure"]), one, at, checked, run.titles) for at, one in enumerate(goals))
    return [sentence for sentence in said if sentence]


def unreached(
    measure: Measure, wanted: Mapping[str, Any], at: int, checked: Sequence[Mapping[str, Any]], titles: Titles
) -> str:
    """The sentence on a goal, of which figure `at` of each check speaks; "" if some values reach it in every company."""
    limits = Goal.read(wanted["goal"])
    tried: dict[int, list[Mapping[str, Any]]] = {}
    for one in checked:
        tried.setdefault(one["number"], []).append(one)
    if not tried or any(all(one["figures"][at]["reached"] for one in rows) for rows in tried.values()):
        return ""

    def loss(one: Mapping[str, Any]) -> float:
        return limits.loss(one["figures"][at]["value"])

    rows = min(tried.values(), key=lambda rows: max(map(loss, rows)))
    worst = max(rows, key=loss)
    found = figure(worst["figures"][at])
    facts = {
        "goal": goal(measure, wanted), "settings": quoted(titles.settings(worst["options"])),
        "company": worst["company"], "value": found.shown(measure),
    }  # fmt: skip
    reach = [str(one["company"]) for one in rows if one["figures"][at]["reached"]]
    if not limits.least(found.low, found.high):
        return _(
            "{goal} is not settled: the closest of those checked, {settings}, has {value} with {company}; more deals would"
            " tell.",
            **facts,
        )  # fmt: skip
    if reach:
        return _(
            "{goal} is reached among {others} with {settings}, but among {company} that has {value}.",
            others=listed(reach), **facts,
        )  # fmt: skip
    return _("{goal} is not reached: the closest of those checked, {settings}, has {value} with {company}.", **facts)


def figure(one: Mapping[str, Any]) -> Estimate:
    """What was measured of a goal on fresh deals."""
    return Estimate(one["value"], one["low"], one["high"])


def ladders(run: Run, players: int) -> list[str]:
    """What ladders of bots say of a few variants: does the better bot win, and is there a strategy that wins everything?"""
    table, said = {} if run.swept else run.ladder_table, []
    if not table or len(run.variants) > SPOKEN:
        return []
    for variant in run.variants:
        for kind in dict.fromkeys(table["kind"]):
            here = (table["variant"] == variant.name) & (table["players"] == players) & (table["kind"] == kind)
            rows = [{name: column[row] for name, column in table.items()} for row in np.flatnonzero(here)]
            if rows:
                said.append(_ladder(kind, run.called(variant), rows))
    return said


def _ladder(kind: str, variant: str, rows: Sequence[Mapping[str, Any]]) -> str:
    equal = {"variant": quoted(variant), "equal": percent(float(rows[0]["equal"]))}
    if kind == "skill":
        shares = [_("{bot} among {others} {share}", **_pair(one)) for one in rows]
        return _("Of the victories, with {variant}: {shares}; an equal share is {equal}.", shares=listed(shares), **equal)
    best = max(rows, key=lambda one: float(one["share"]))
    facts = {**_pair(best), **equal}
    if best["low"] > best["equal"]:
        return _(
            "With {variant}, a simple strategy wins more than its share of {equal}: {bot} among {others} {share}.", **facts
        )
    return _(
        "With {variant}, no simple strategy is seen to win more than its share of {equal}; the best is {bot} among {others},"
        " {share}.",
        **facts,
    )  # fmt: skip


def _pair(row: Mapping[str, Any]) -> dict[str, str]:
    share = Estimate(*(float(row[key]) for key in ("share", "low", "high")))
    return {"bot": str(row["bot"]), "others": str(row["others"]), "share": share.percent}


def with_unit(measure: Measure, one: Estimate) -> str:
    """A mean with its interval and unit."""
    unit = measure.shown_unit
    return f"{one.times(measure.scale).said}{f' {unit}' if unit else ''}"


def amount(measure: Measure, value: float) -> str:
    """A number with its unit, unless the title of the measure is the unit."""
    unit = "" if measure.shown_unit.lower() == measure.title.lower() else measure.shown_unit
    return f"{number(value * measure.scale)}{f' {unit}' if unit else ''}"


def _companies(run: Run) -> list[str]:
    """What one variant is like among several companies: people beside bots, such as."""
    said = []
    for name in run.meta.get("measures", ())[: SPOKEN + 1]:
        measure = run.measure(name)
        known = [(cell, run.summaries.get((name, run.variants[0].name, cell))) for cell in run.cells]
        parts = [f"{with_unit(measure, one)} {among(run, cell)}" for cell, one in known if one]
        if parts:
            title = called(measure)
            said.append(_("{measure}: {figures}.", measure=capitalized(title), figures="; ".join(parts)))
    return said or [_alone(run, run.cells[0])]


def _alone(run: Run, cell: Cell) -> str:
    """What one variant is like."""
    variant = run.variants[0].name
    known = [(run.measure(name), run.summaries.get((name, variant, cell))) for name in run.meta.get("measures", ())]
    parts = [f"{called(measure)}: {with_unit(measure, one)}" for measure, one in known if one][: SPOKEN + 1]
    return _("{game} {among}: {figures}.", game=run.title, among=among(run, cell), figures="; ".join(parts) or "–")


def sample(run: Run) -> str:
    """What was played, in a sentence."""
    matches, variants = grouped(run.matches), len(run.variants)
    return ngettext(
        "{matches} matches of {game} were played with {n} set of rules.",
        "{matches} matches of {game} were played with {n} sets of rules.",
        variants, matches=matches, game=run.title,
    )  # fmt: skip
