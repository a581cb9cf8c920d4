"""What a run says, in sentences for a designer: the answer first, then measure by measure.

A measure of every game has three messages (experiments/measures.py): it is more, it is less, and its name in a sentence. One
of a game, or of an experiment, is spoken of by its title.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from outbid.core.language.i18n import N_, _, ngettext
from outbid.core.language.phrases import capitalized, grouped, listed
from outbid.lab.experiments.goals import Goal
from outbid.lab.experiments.measures import LEGAL, SEAT_GAP, SEAT_SPREAD, THING_EDGE, LabMeasure, question_of
from outbid.lab.experiments.titles import OptionTitles
from outbid.lab.experiments.variants import Variant
from outbid.lab.report.figures import Comparison, Estimate, RunFigures, Seating
from outbid.lab.report.numbers import counted, number, percent
from outbid.runs.sources import RECORDS

SPOKEN = 3  # differences in one sentence, and variants
TRIFLE = 0.05  # of the standard deviation of the matches, which rates near 0 and figures about 0 have, too
HALFWAY, LEADERS = "halfway", ("reversed", "runaway")
FEW = 0.2  # of the matches: what holds for fewer says little about the game
FAIR = (SEAT_SPREAD, "first_share")  # what designers ask next
ASKED = {
    "fairness": (N_("Are all seats of {game} equally good?"),
                 N_("Are the seats of {game} more or less equal with {options}?")),
    "length": (N_("How long is a match of {game}?"), N_("Does a match of {game} get longer or shorter with {options}?")),
    "tension": (N_("When is a match of {game} decided?"),
                N_("Is a match of {game} decided earlier or later with {options}?")),
    "runaway": (N_("How often do leaders of {game} run away?"),
                N_("Do leaders of {game} run away more or less often with {options}?")),
    "skill": (N_("How often does the better player of {game} win?"),
              N_("Does the better player of {game} win more or less often with {options}?")),
    "card": (N_("Is anything in {game} too strong or useless?"),
             N_("Is anything in {game} too strong or useless with {options}?")),
    "interaction": (N_("How much do the players of {game} do to each other?"),
                    N_("Do the players of {game} do more or less to each other with {options}?")),
}  # fmt: skip
"""By question what is asked of one set of rules, and of several."""
LENGTHS = ("turns", "decisions", "minutes", "steps")  # which all say how long a match is


def quoted(name: str) -> str:
    """A name set apart in a sentence."""
    return _("“{name}”", name=name)


def phrase(measure: LabMeasure, difference: Estimate) -> str:
    """A difference as a part of a sentence: "a match is 2.1 ± 0.4 turns shorter"."""
    change = difference.times(measure.scale)
    more = change.mean >= 0
    size = (change if more else change.times(-1)).sized
    if measure.phrases:
        return _(measure.phrases[0 if more else 1], x=size)
    unit = f"{size} {measure.shown_unit}".rstrip()
    return (
        _("{measure} rises by {x}", measure=called(measure), x=unit)
        if more
        else _("{measure} falls by {x}", measure=called(measure), x=unit)
    )


def called(measure: LabMeasure) -> str:
    """A measure in a sentence."""
    return _(measure.phrases[2]) if measure.phrases else quoted(measure.title)


def question(run: RunFigures) -> str:
    """What a run asks that does not say it itself."""
    tested = [quoted(run.called(variant)) for variant in run.tested]
    if run.tuning.get("goals"):
        return _(
            "Which values reach {goals} in {game}?",
            goals=listed([goal(run.measure(facts["measure"]), facts) for facts in run.tuning["goals"]]),
            game=run.title,
        )
    asked = [quoted(run.titles.option(name)) for name in run.swept] or tested[:SPOKEN]
    if of := ASKED.get(question_of(str(run.meta.get("ask"))), ()):
        return _(of[bool(asked)], options=listed(asked), game=run.title)
    if asked:
        return ngettext(
            "What does {options} change in {game}?", "What do {options} change in {game}?", len(asked),
            options=listed(asked), game=run.title,
        )  # fmt: skip
    return _("What is a match of {game} like?", game=run.title)


def goal(measure: LabMeasure, facts: Mapping[str, Any]) -> str:
    """A goal of a search: "Minutes from 14 to 16"."""
    low, high, title = facts.get("low"), facts.get("high"), quoted(measure.title)
    if low is None:
        return _("{measure} below {high}", measure=title, high=amount(measure, high)) if high is not None else facts["goal"]
    if high is None:
        return _("{measure} above {low}", measure=title, low=amount(measure, low))
    ends = {"low": number(low * measure.scale), "high": amount(measure, high)}
    return _("{measure} from {low} to {high}", measure=title, **ends)


def answer(run: RunFigures) -> list[str]:
    """What came out, the most important first; one sentence or a few."""
    if not run.matches or not run.cells:
        return [_("No match has been played yet.")]
    if run.matches == 1:
        return [_("One match was played; it shows what happened in it, and nothing about the rules.")]
    first, *others = run.cells
    asked = []
    if run.meta.get("ask"):
        from outbid.lab.report import cards

        asked = cards.verdict(run) if run.main.name == THING_EDGE else [verdict(run)]
    if len(run.variants) < 2:
        told = [_alone(run, first)] if not others else _companies(run)
        return [*(asked if any(asked) else told), *leaders(run)]
    known, compared = _signs(run, first), [cell for cell in others if run.compared(cell)]
    same = [cell for cell in compared if known == _signs(run, cell) and "open" not in {sign for *_, sign in known}]
    other = [cell for cell in compared if cell not in same]
    sentences = _swept(run, first) if run.swept else _against(run, first)
    if compared and not run.swept:
        leads = len(run.tested[:SPOKEN])
        sentences[:leads] = [_among(run, first, sentence) for sentence in sentences[:leads]]
    if run.tuning.get("goals"):
        sentences = [*reached(run), *sentences]
    sentences += ladders(run, first.players)
    if same:
        sentences.append(_("The same holds {among}.", among=listed([among(run, cell) for cell in same])))
    for cell in other:
        if run.swept:
            sentences.append(_("The picture is different {among}; see below.", among=among(run, cell)))
        else:
            sentences += [_among(run, cell, lead(run, cell, variant)) for variant in run.tested[:SPOKEN]]
    return list(dict.fromkeys([*filter(None, asked), *leaders(run), *sentences, *biased(run)]))


def verdict(run: RunFigures) -> str:
    """Yes, no or cannot tell: whether what was asked about changes, in all companies; of one set of rules, whether it is
    fair. "" where nothing was compared."""
    measure = run.main
    compared = [diff for diff in run.comparisons if diff.measure == measure.name]
    if not compared:
        return _fair(run, measure) if measure.name == SEAT_SPREAD else ""
    by_variant = {variant.name: [diff for diff in compared if diff.b == variant.name] for variant in run.tested}
    changing = [mine for mine in by_variant.values() if any(diff.differs for diff in mine)]
    changing.sort(key=lambda mine: -max(abs(diff.difference.mean) for diff in mine if diff.differs))
    torn = [mine for mine in changing if {"higher", "lower"} <= {diff.verdict for diff in mine}]
    sure = [mine for mine in changing if mine not in torn and all(diff.differs for diff in mine)]
    partly = [mine for mine in changing if mine not in torn and mine not in sure]
    best = _extremes(run, measure)
    if sure:
        diff = max(sure[0], key=lambda diff: abs(diff.difference.mean))
        change = _("with {variant}, {change}", variant=quoted(run.called(diff.b)), change=_side(measure, diff))
        facts = {"change": change, "among": among(run, diff.cell)}
        everywhere = len(sure[0]) > 1
        yes = _("Yes, in all companies; most {among}: {change}.", **facts) if everywhere else _("Yes: {change}.", **facts)
        parts = [yes, *best, *_gaps(run, diff), *_cost(run, diff)]
        return " ".join([*parts, *(_places(run, measure, mine) for mine in [*torn, *partly][:1])])
    if partly:
        head = _("Yes, among some players, and the other way round among none.")
        return " ".join([head, _places(run, measure, partly[0]), *best])
    if torn:
        return " ".join([_("Cannot tell: it depends on who plays. {places}", places=_places(run, measure, torn[0])), *best])
    if all(diff.settled for diff in compared):
        diff = max(compared, key=lambda diff: (diff.stands_out, abs(diff.difference.mean)))
        return _("No: {change}.", change=unchanged(measure, diff))
    still = max((diff for diff in compared if not diff.settled), key=lambda diff: diff.needed or 0)
    sentence = untold(measure, still) if still.needed else _("Cannot tell about {measure}.", measure=called(measure))
    return f"{sentence} {_places(run, measure, by_variant[still.b])}"


def _places(run: RunFigures, measure: LabMeasure, compared: Sequence[Comparison]) -> str:
    """What a variant changes among each company."""
    places = "; ".join(f"{among(run, diff.cell)} {_side(measure, diff)}" for diff in compared)
    return _("With {variant}: {places}.", variant=quoted(run.called(compared[0].b)), places=places)


def _gaps(run: RunFigures, diff: Comparison) -> list[str]:
    """How far the best seat is from the worst, by both sets of rules, where seats are compared."""
    gaps = [(name, run.summaries.get((SEAT_GAP, name, diff.cell))) for name in (diff.a, diff.b)]
    known = [f"{gap.percent} {_with(run, name)}" for name, gap in gaps if gap]
    return [_("Best seat less worst: {gaps}.", gaps=listed(known))] if diff.measure == SEAT_SPREAD and known else []


def beside(run: RunFigures, variant: Variant, sentence: str) -> str:
    """A sentence on a set of rules beside others."""
    return _("With {variant}: {places}", variant=quoted(run.called(variant)), places=sentence)


def _with(run: RunFigures, variant: str) -> str:
    return _("with {variant}", variant=quoted(run.called(variant)))


def leaders(run: RunFigures) -> list[str]:
    """In how many matches there is a sole leader at half-time, where it is told what becomes of leaders."""
    if not {*LEADERS} & {*run.meta.get("measures", ())}:
        return []
    known = [(cell, run.summaries.get((HALFWAY, run.baseline.name, cell))) for cell in run.cells]
    shares = [f"{percent(share.mean)} {among(run, cell)}" for cell, share in known if share]
    if not shares:
        return []
    sentence = _("Part of the matches in which one player alone leads at half-time: {shares}.", shares="; ".join(shares))
    few = _("Where that is below {x}, what becomes of leaders says little about the game.", x=percent(FEW))
    return [f"{sentence} {few}" if any(share.mean < FEW for _cell, share in known if share) else sentence]


def biased(run: RunFigures) -> list[str]:
    """That a run which ends as soon as it is settled sees differences too large."""
    if not str(run.meta.get("stopped") or "").startswith("settled"):
        return []
    return [_("The run ended as soon as this was settled: differences are about a tenth too large.")]


def _side(measure: LabMeasure, diff: Comparison) -> str:
    change = phrase(measure, diff.difference)
    if diff.settled:
        return change if diff.differs else unchanged(measure, diff)
    return _("{change}, which may be chance", change=change)


def _extremes(run: RunFigures, measure: LabMeasure) -> list[str]:
    """Of several variants, those with the least and the most of a measure, or the best one, by who plays."""
    ends: list[list[str]] = [[], []]
    for cell in run.cells:
        means = [(run.summaries[measure.name, variant.name, cell], variant) for variant in run.variants
                 if (measure.name, variant.name, cell) in run.summaries]  # fmt: skip
        means.sort(key=lambda pair: pair[0].mean)
        for (mean, variant), places in zip((means[0], means[-1]) if len(means) > 2 else (), ends, strict=False):
            place = {"variant": quoted(run.called(variant)), "mean": with_unit(measure, mean), "among": among(run, cell)}
            places.append(_("{variant} ({mean}) {among}", **place))
    least, most = map(listed, ends)
    if not least:
        return []
    if measure.better:
        return [_("Best: {places}.", places=least if measure.better == "lower" else most)]
    return [_("Least: {low}; most: {high}.", low=least, high=most)]


def _cost(run: RunFigures, settled: Comparison) -> list[str]:
    """What else gets worse with a variant."""
    worse = {"lower": "higher", "higher": "lower"}
    others = [diff for diff in run.compared(settled.cell) if diff.b == settled.b and diff.measure != settled.measure]
    costs = [diff for diff in others if diff.differs and diff.verdict == worse.get(run.measure(diff.measure).better)]
    return [_("What it costs: {change}.", change=phrase(run.measure(diff.measure), diff.difference)) for diff in costs[:1]]


def _fair(run: RunFigures, measure: LabMeasure) -> str:
    """Whether one set of rules is fair to all seats, in every company, and which seats are best and worst."""
    means = [(cell, run.summaries[measure.name, run.variants[0].name, cell]) for cell in run.cells]
    small = measure.smallest(0)
    verdicts = {"fair" if mean.high < small else "unfair" if mean.low > 0 else "open" for _cell, mean in means}
    parts = "; ".join(f"{among(run, cell)} {_seats(run, cell)}" for cell, _mean in means)
    facts = {"x": limit(measure, small), "places": parts}
    if verdicts == {"fair"}:
        return _("Yes: the seats are equal within {x}: {places}.", **facts)
    if verdicts == {"unfair"}:
        return _("No: the seats are not equal: {places}.", **facts)
    if {"fair", "unfair"} <= verdicts:
        return _("Cannot tell: it depends on who plays: {places}.", **facts)
    return _("Cannot tell: the seats may be equal within {x}, or not: {places}.", **facts)


def _seats(run: RunFigures, cell: Seating) -> str:
    """The best and the worst seat."""
    shares = run.shares.get((run.variants[0].name, cell, "order"), ())
    if not shares:
        return "–"
    (worst, low), *_between, (best, high) = sorted(shares, key=lambda row: row[1].mean)
    gap = run.summaries.get((SEAT_GAP, run.variants[0].name, cell), Estimate(high.mean - low.mean, math.nan, math.nan))
    return _(
        "seat {best} wins {high}, seat {worst} {low}, a gap of {gap}", best=best, high=high.percent, worst=worst,
        low=low.percent, gap=gap.percent,
    )  # fmt: skip


def _among(run: RunFigures, cell: Seating, sentence: str) -> str:
    """A sentence that begins with the cell of which it speaks."""
    where = among(run, cell)
    return f"{capitalized(where)}: {sentence}"


def among(run: RunFigures, cell: Seating) -> str:
    """A cell as a part of a sentence."""
    return _("among {n} players ({bots})", n=cell.players, bots=seated(run, cell))


def seated(run: RunFigures, cell: Seating) -> str:
    """Who sits at the table: the bots; of matches that were read, the name of the company."""
    company = next((company for company in run.companies if company.name == cell.company), None)
    if company is None or company.seats[0].startswith(RECORDS):
        return cell.company
    return listed(list(dict.fromkeys(company.seats)))


def _signs(run: RunFigures, cell: Seating) -> set[tuple[str, str, str]]:
    """Which measures differ, and to which side; of the one that decides, also whether it is open."""
    main = run.main.name
    return {(diff.measure, diff.b, diff.verdict) for diff in run.compared(cell) if diff.differs or diff.measure == main}


def _against(run: RunFigures, cell: Seating) -> list[str]:
    """What variants change against the baseline: a sentence for each; of a single one also what is not known yet."""
    tested = run.tested
    sentences = [lead(run, cell, variant) for variant in tested[:SPOKEN]]
    if len(tested) == 1 and not run.meta.get("ask") and not unused(run, cell, tested[0]):
        still = [diff for diff in _comparisons(run, cell, tested[0]) if not diff.settled and diff.needed]
        if still:
            asked = next((diff for diff in still if diff.measure == run.main.name), still[0])
            sentences.append(untold(run.measure(asked.measure), asked))
    elif len(tested) > SPOKEN:
        sentences.append(_("There are {n} more variants; see below.", n=len(tested) - SPOKEN))
    return sentences


def _comparisons(run: RunFigures, cell: Seating, variant: Variant) -> list[Comparison]:
    """The comparisons of a variant with the baseline, in the order in which the experiment names its measures."""
    order = {name: n for n, name in enumerate(run.meta.get("measures", ()))}
    compared = [comparison for comparison in run.compared(cell) if comparison.b == variant.name]
    return sorted(compared, key=lambda comparison: order.get(comparison.measure, len(order)))


def unused(run: RunFigures, cell: Seating, variant: Variant) -> bool:
    """Whether no match went differently with a variant, or nothing that was compared did."""
    compared, moved = _comparisons(run, cell, variant), run.moved.get((variant.name, cell))
    if moved is None or not compared:
        return False
    if moved.get("different") == 0 or moved["nothing"]:
        return True
    return not any(diff.differs for diff in compared) and not {diff.measure for diff in compared} & set(moved["measures"])


def untold(measure: LabMeasure, diff: Comparison) -> str:
    """What these matches cannot tell, and how many could."""
    if diff.between > (diff.needed or 0):
        return _(
            "Cannot tell about {measure}: {n} matches of each would show a difference of {x}, or that there is none; one in"
            " between needs up to {most}.",
            measure=called(measure), n=counted(diff.needed or 0), x=limit(measure, diff.smallest),
            most=counted(diff.between),
        )  # fmt: skip
    return _(
        "Cannot tell about {measure}: {n} matches of each would show a difference of {x}, or that it is smaller.",
        measure=called(measure), n=counted(diff.needed or 0), x=limit(measure, diff.smallest),
    )  # fmt: skip


def limit(measure: LabMeasure, smallest: float) -> str:
    """The smallest difference that matters, with its unit."""
    if measure.scale == 100:
        return ngettext("{x} percentage point", "{x} percentage points", round(100 * smallest), x=number(100 * smallest))
    return f"{number(smallest)} {measure.shown_unit}".rstrip()


def lead(run: RunFigures, cell: Seating, variant: Variant) -> str:
    """In how many deals anything went differently; then what a variant changes, and one thing that it does not. Of measures
    of length one is named. First what the experiment measures first, then whether it is fair, then what stands out most from
    chance and is no trifle."""
    compared, named, parts = _comparisons(run, cell, variant), False, list[str]()
    name = quoted(run.called(variant))
    if not compared:
        return _("{variant} was not compared.", variant=name)
    moved = run.moved.get((variant.name, cell), {})
    if unused(run, cell, variant):
        if moved["nothing"] or not moved.get("different", 1):
            legal = [called(run.measure(measure)) for measure in moved["measures"] if measure in LEGAL]
            sentence = _("With {variant}, no match went differently: these players do not use it.", variant=name)
            only = _("Only what is legal changed: {measures}.", measures=listed(legal)) if legal else ""
            return f"{sentence} {only}".rstrip()
        return _(
            "With {variant}, everything that was compared is the same in every match; not the same: {measures}.",
            variant=name, measures=listed([called(run.measure(measure)) for measure in moved["measures"]]),
        )  # fmt: skip
    strongest = sorted(
        compared[1:],
        key=lambda diff: (diff.measure not in FAIR, _trifle(run, diff), -diff.difference.strength),
    )
    for comparison in [compared[0], *strongest]:
        length = comparison.measure in LENGTHS
        if comparison.differs and len(parts) < SPOKEN - 1 and not (length and named):
            parts.append(phrase(run.measure(comparison.measure), comparison.difference))
            named = named or length
    rest = [comparison for comparison in compared if not comparison.differs]
    rest.sort(key=lambda comparison: comparison.measure not in FAIR)
    if not parts:
        rest = [diff for diff in compared if diff.verdict == "same" and diff.stands_out]
        parts = [unchanged(run.measure(diff.measure), diff) for diff in rest[: SPOKEN - 1]]
        rest = []
    if not parts:
        changes = _("With {variant}, no change stands out from chance.", variant=name)
    else:
        parts += [unchanged(run.measure(diff.measure), diff) for diff in rest[:1]]
        changes = _("With {variant}, {changes}.", variant=name, changes="; ".join(parts))
    if "different" not in moved:
        return changes
    share = percent(moved["different"] / moved["deals"])
    return _("In {share} of the deals anything went differently.", share=share) + f" {changes}"


def unchanged(measure: LabMeasure, diff: Comparison) -> str:
    """That a measure is not seen to change, as a part of a sentence."""
    if diff.verdict == "same" and diff.smallest:
        if diff.stands_out:
            change, x = phrase(measure, diff.difference), limit(measure, diff.smallest)
            return _("{change}, less than matters ({x})", change=change, x=x)
        return _("{measure} is equal within {x}", measure=called(measure), x=limit(measure, diff.smallest))
    return _("about {measure}, these matches cannot tell", measure=called(measure))


def _trifle(run: RunFigures, diff: Comparison) -> bool:
    """Whether a difference is too small for anybody to notice, as sure as it may be."""
    return abs(diff.difference.mean) < TRIFLE * run.deviations.get((diff.measure, diff.a, diff.cell), 0.0)


def _swept(run: RunFigures, cell: Seating) -> list[str]:
    """What happens along an option, or over two."""
    sentences = []
    strongest = sorted((diff for diff in run.compared(cell) if diff.differs), key=lambda diff: -diff.difference.strength)
    names = list(dict.fromkeys(diff.measure for diff in strongest))
    names.sort(key=lambda name: name != run.main.name)
    length = next((name for name in names if name in LENGTHS), "")
    for name in [name for name in names if name not in LENGTHS or name == length][:SPOKEN]:
        measure = run.measure(name)
        means = [
            (variant, run.summaries[name, variant.name, cell])
            for variant in run.variants
            if (name, variant.name, cell) in run.summaries
        ]
        if len(means) < 2:
            continue
        lowest, highest = min(means, key=lambda pair: pair[1].mean), max(means, key=lambda pair: pair[1].mean)
        facts = {"low": with_unit(measure, lowest[1]), "here": quoted(run.called(lowest[0]))}
        facts |= {"high": with_unit(measure, highest[1]), "there": quoted(run.called(highest[0]))}
        name = capitalized(called(measure))
        parts = [_("{measure} lies between {low} (at {here}) and {high} (at {there}).", measure=name, **facts)]
        for variant, mean in means:
            if variant is run.baseline and variant not in (lowest[0], highest[0]):
                facts = {"here": quoted(run.called(variant)), "mean": with_unit(measure, mean)}
                parts.append(_("At {here}, with which the others are compared, it is {mean}.", **facts))
        sentences.append(" ".join(parts))
    if not sentences:
        options = listed([quoted(run.titles.option(name)) for name in run.swept])
        return [_("Over all values of {options}, no change stands out from chance.", options=options)]
    return sentences


def reached(run: RunFigures) -> list[str]:
    """Whether a search has found what it was to find, on fresh deals and in every company, and how far its values reach."""
    goals = listed([goal(run.measure(facts["measure"]), facts) for facts in run.tuning["goals"]])
    sets: dict[int | None, list[Mapping[str, Any]]] = {}
    for check in run.tuning.get("checked", ()):
        sets.setdefault(check["number"], []).append(check)
    marks = {number: {figure["reached"] for check in rows for figure in check["figures"]} for number, rows in sets.items()}
    best = next((k for k in sets if marks[k] == {True}), next((k for k in sets if False not in marks[k]), None))
    if best in sets and False not in marks[best]:
        facts = {"settings": quoted(run.titles.settings(sets[best][0]["options"])), "goals": goals}
        if None in marks[best]:
            return [*missed(run), _("Whether {settings} reaches all goals, these matches cannot tell: {goals}.", **facts)]
        return [_("With {settings}, all goals are reached, on fresh deals too: {goals}.", **facts), *_plateau(run)]
    return missed(run) or [_("No values were found that reach all goals together: {goals}.", goals=goals)]


def _plateau(run: RunFigures) -> list[str]:
    """The range of values in which all that were tried reach the goals, if it has several."""
    plateau = run.tuning.get("plateau", {})
    if plateau.get("sets", 0) < 2:
        return []
    parts = []
    for name, values in plateau["options"].items():
        ends = [run.titles.value(name, value) for value in values]
        numbers = len(ends) > 1 and all(type(value) is int for value in values)
        span = _("{low} to {high}", low=ends[0], high=ends[-1]) if numbers else listed(ends)
        parts.append(f"{run.titles.option(name)}: {span}")
    settings = quoted(", ".join(parts))
    return [_("So do all {n} sets of values that were tried within {settings}.", n=plateau["sets"], settings=settings)]


def mark(figure: Mapping[str, Any]) -> str:
    """A sign for a goal that is surely reached, surely not, or cannot be told."""
    return {True: "✓", False: "✗", None: "?"}[figure["reached"]]


def missed(run: RunFigures) -> list[str]:
    """A sentence on each goal of a search that no checked values reach in every company."""
    goals, checked = run.tuning.get("goals", ()), run.tuning.get("checked", ())
    sentences = (
        unreached(run.measure(facts["measure"]), facts, place, checked, run.titles) for place, facts in enumerate(goals)
    )
    return [sentence for sentence in sentences if sentence]


def unreached(
    measure: LabMeasure, wanted: Mapping[str, Any], place: int, checked: Sequence[Mapping[str, Any]], titles: OptionTitles
) -> str:
    """The sentence on a goal, of which figure `at` of each check speaks; "" if some values reach it in every company."""
    limits = Goal.read(wanted["goal"])
    tried: dict[int, list[Mapping[str, Any]]] = {}
    for check in checked:
        tried.setdefault(check["number"], []).append(check)
    if not tried or any(all(check["figures"][place]["reached"] for check in rows) for rows in tried.values()):
        return ""

    def loss(check: Mapping[str, Any]) -> float:
        return limits.loss(check["figures"][place]["value"])

    rows = min(tried.values(), key=lambda rows: max(map(loss, rows)))
    worst = max(rows, key=loss)
    closest = figure(worst["figures"][place])
    facts = {
        "goal": goal(measure, wanted), "settings": quoted(titles.settings(worst["options"])),
        "company": worst["company"], "value": closest.shown(measure),
    }  # fmt: skip
    reach = [str(check["company"]) for check in rows if check["figures"][place]["reached"]]
    if not limits.least(closest.low, closest.high):
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


def figure(facts: Mapping[str, Any]) -> Estimate:
    """What was measured of a goal on fresh deals."""
    return Estimate(facts["value"], facts["low"], facts["high"])


def ladders(run: RunFigures, players: int) -> list[str]:
    """What ladders of bots say of a few variants: does the better bot win, and is there a strategy that wins everything?"""
    table, sentences = {} if run.swept else run.ladder_table, []
    if not table or len(run.variants) > SPOKEN:
        return []
    for variant in run.variants:
        for kind in dict.fromkeys(table["kind"]):
            chosen = (table["variant"] == variant.name) & (table["players"] == players) & (table["kind"] == kind)
            rows = [{name: column[row] for name, column in table.items()} for row in np.flatnonzero(chosen)]
            if rows:
                sentences.append(_ladder(kind, run.called(variant), rows))
    return sentences


def _ladder(kind: str, variant: str, rows: Sequence[Mapping[str, Any]]) -> str:
    equal = {"variant": quoted(variant), "equal": percent(float(rows[0]["equal"]))}
    if kind == "skill":
        shares = [_("{bot} among {others} {share}", **_pair(row)) for row in rows]
        return _("Of the victories, with {variant}: {shares}; an equal share is {equal}.", shares=listed(shares), **equal)
    best = max(rows, key=lambda row: float(row["share"]))
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


def with_unit(measure: LabMeasure, mean: Estimate) -> str:
    """A mean with its interval and unit."""
    unit = measure.shown_unit
    return f"{mean.times(measure.scale).text}{f' {unit}' if unit else ''}"


def amount(measure: LabMeasure, value: float) -> str:
    """A number with its unit, unless the title of the measure is the unit."""
    unit = "" if measure.shown_unit.lower() == measure.title.lower() else measure.shown_unit
    return f"{number(value * measure.scale)}{f' {unit}' if unit else ''}"


def _companies(run: RunFigures) -> list[str]:
    """What one variant is like among several companies: people beside bots, such as."""
    sentences = []
    for name in [name for name in run.meta.get("measures", ()) if name != HALFWAY][: SPOKEN + 1]:
        measure = run.measure(name)
        known = [(cell, run.summaries.get((name, run.variants[0].name, cell))) for cell in run.cells]
        parts = [f"{with_unit(measure, mean)} {among(run, cell)}" for cell, mean in known if mean]
        if parts:
            title = called(measure)
            sentences.append(_("{measure}: {figures}.", measure=capitalized(title), figures="; ".join(parts)))
    return sentences or [_alone(run, run.cells[0])]


def _alone(run: RunFigures, cell: Seating) -> str:
    """What one variant is like."""
    variant = run.variants[0].name
    known = [(run.measure(name), run.summaries.get((name, variant, cell))) for name in run.meta.get("measures", ())]
    parts = [f"{called(measure)}: {with_unit(measure, mean)}" for measure, mean in known if mean][: SPOKEN + 1]
    return _("{game} {among}: {figures}.", game=run.title, among=among(run, cell), figures="; ".join(parts) or "–")


def sample(run: RunFigures) -> str:
    """What was played, in a sentence."""
    matches, variants = grouped(run.matches), len(run.variants)
    return ngettext(
        "{matches} matches of {game} were played with {n} set of rules.",
        "{matches} matches of {game} were played with {n} sets of rules.",
        variants, matches=matches, game=run.title,
    )  # fmt: skip
