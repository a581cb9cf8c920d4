"""What stands in a report, and how it becomes a page or Markdown.

`document(folder)` makes a `Document`: a head with the answer; what an editor reads on two pages (the plot of the question,
what it costs elsewhere, a deal that shows why); and sections of blocks, the appendix. A block is text, a list, a table,
plots, a command or a match. Both templates, report.html and report.md, are filled with the same blocks, so that neither says
what the other does not.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np

from outbid.core.language import i18n
from outbid.core.language.i18n import _, ngettext
from outbid.core.language.phrases import capitalized, grouped, listed
from outbid.lab.experiments.measures import KNOWN_AT, SEAT_GAP, SEAT_SPREAD, THING_EDGE, LabMeasure
from outbid.lab.experiments.spec import Company
from outbid.lab.experiments.variants import Variant, sentence
from outbid.lab.report import games, plots, words
from outbid.lab.report.drawings import SETTLED_AT, by_company, plots_of, slug, who
from outbid.lab.report.figures import Comparison, Estimate, RunFigures, Seating, book_of
from outbid.lab.report.numbers import counted, digits_for, number, percent

FULL_CELLS = 3  # so many companies and numbers of players have plots; further ones have their table
SOME = 6  # things that are named one by one
COLUMNS = 6  # of figures in the table of many variants
PICTURES = {
    **dict.fromkeys(words.LENGTHS, "turns"), **dict.fromkeys((SEAT_SPREAD, "first_share", "last_share"), "order"),
    SETTLED_AT: SETTLED_AT, **dict.fromkeys((*words.LEADERS, words.HALFWAY), words.HALFWAY), KNOWN_AT: "course",
    THING_EDGE: "usage",
}  # fmt: skip
"""By the measure that decides, the plot that stands first."""
SIDE_BY_SIDE = 4  # more variants than these stand below each other in the table


@dataclass(frozen=True)
class ReportBlock:
    """A piece of a section. kind: text, list, table, plots, command or match; which fields it has follows from it."""

    kind: str
    text: str = ""
    items: tuple[tuple[str, str], ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    plots: tuple[plots.Plot, ...] = ()
    match: games.ShownMatch | None = None
    link: str = ""
    prose: bool = False  # a table of sentences: on a phone a row is a paragraph


@dataclass(frozen=True)
class Section:
    """A part of a report with a heading."""

    id: str
    title: str
    blocks: tuple[ReportBlock, ...]


@dataclass(frozen=True)
class Document:
    """A report: what its page and its Markdown are filled with."""

    eyebrow: str
    title: str
    notice: str
    answer: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    brief: Section
    sections: tuple[Section, ...]

    @property
    def parts(self) -> list[Section]:
        """The sections, the brief first, if there is one."""
        return [section for section in (self.brief, *self.sections) if section.blocks]

    @property
    def plots(self) -> list[plots.Plot]:
        return [plot for section in self.parts for block in section.blocks for plot in block.plots]

    def html(self) -> str:
        """One page that needs nothing else."""
        from markupsafe import Markup

        sheet = Markup((Path(__file__).parent / "report.css").read_text(encoding="utf-8"))
        return self._rendered("report.html", sheet=sheet, ornament=Markup(rosette()), language=i18n.language())

    def markdown(self) -> str:
        """The page as Markdown; plots are in plots/NAME.svg."""
        return self._rendered("report.md").rstrip() + "\n"

    def _rendered(self, name: str, **more: Any) -> str:
        return str(_templates().get_template(name).render(d=self, **more))


@cache
def _templates() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
    from markupsafe import Markup

    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals |= {"_": _, "ngettext": ngettext}
    templates.filters["drawing"] = lambda plot: Markup(plot.themed)
    templates.filters["plain"] = plain
    templates.tests["number"] = lambda cell: bool(cell) and (cell[0] in "−–0123456789")
    return templates


def plain(text: str) -> str:
    """Text that Markdown leaves as it is."""
    return re.sub(r"[\\`*_\[\]<>|]", r"\\\g<0>", text)


def rosette(rings: int = 5, petals: int = 12) -> str:
    """The ornament of the head: a guilloche, lines that swing about circles as on paper money."""
    turn = np.linspace(0, 2 * np.pi, 181)
    paths = []
    for ring in range(rings):
        for phase in (0.0, np.pi / petals, 2 * np.pi / petals):
            radius = 44 + 22 * ring + 13 * np.cos(petals * (turn + phase))
            points = zip(150 + radius * np.cos(turn), 150 + radius * np.sin(turn), strict=True)
            paths.append("M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in points) + "Z")
    return (
        '<svg class="ornament" viewBox="0 0 300 300" aria-hidden="true" focusable="false">'
        f'<path fill="none" stroke="currentColor" stroke-width="0.7" d="{"".join(paths)}"/></svg>'
    )


# --- the document -----------------------------------------------------------------------------------------------------


def document(folder: Path, server: str = "") -> Document:
    """The report of a run. Raises BadSetup."""
    run = RunFigures.read(folder)
    matches = games.shown(run, server)
    sections, brief = [_rules(run, server)], Section("brief", _("In short"), ())
    if run.matches > 1:
        drawn = {cell: plots_of(run, cell, f"{slug(cell.company)}-{cell.players}") for cell in run.cells[:FULL_CELLS]}
        brief = replace(brief, blocks=tuple(_brief(run, drawn, matches)))
        sections += filter(None, [_front(run)])
        sections += filter(None, [_cell(run, cell, n, drawn.get(cell, [])) for n, cell in enumerate(run.cells)])
        sections += filter(None, [_ladder(run), _definitions(run)])
    sections += filter(None, [_matches(matches)])
    sections.append(_repeat(run))
    return Document(
        _("Experiment · {game}", game=run.title),
        str(run.meta.get("question") or words.question(run)),
        _notice(run),
        tuple(words.answer(run)),
        _facts(run),
        brief,
        tuple(sections),
    )


def _notice(run: RunFigures) -> str:
    """What the reader must know before the answer: a preview, or a run that ended before all was played."""
    asked = int(run.meta.get("matches_asked") or 0)
    if run.meta.get("preview"):
        return _(
            "This is a preview from the first {n} matches. The whole run replaces it, and has the plots.",
            n=grouped(run.matches),
        )  # fmt: skip
    if not run.meta.get("finished"):
        return _("This run is not finished: {n} of {all} matches are played.", n=grouped(run.matches), all=grouped(asked))
    if deals := run.meta.get("stopped_after"):
        return _("The run ended by itself after {n} deals.", n=grouped(deals))
    stopped = str(run.meta.get("stopped") or "")
    return _("The run ended before all matches were played: {reason}", reason=stopped) if stopped else ""


def _facts(run: RunFigures) -> tuple[tuple[str, str], ...]:
    """What the run is, in a few lines."""
    seconds = float(run.meta.get("seconds") or 0)
    lasted = (
        _("{n} s", n=number(seconds, 1 if seconds < 10 else 0)) if seconds < 120 else _("{n} min", n=number(seconds / 60, 1))
    )
    few = len(run.variants) <= 6 and not run.swept
    return (
        (_("Matches"), grouped(run.matches)),
        (_("Rules"), ", ".join(run.labels) if few else _("{n} variants", n=len(run.variants))),
        (_("Players"), listed([str(count) for count in run.meta["players"]])),
        (_("Company"), "; ".join(_seated(company) for company in run.companies)),
        (_("Time"), lasted),
    )


def _seated(company: Company) -> str:
    """Who sits at the table."""
    seats = company.seats[0] if len(set(company.seats)) == 1 else ", ".join(company.seats)
    return seats if company.name in (seats, "") else f"{company.name}: {seats}"


def _rules(run: RunFigures, server: str) -> Section:
    """What the variants are, and how to play them."""
    blocks, given = list[ReportBlock](), run.options(run.baseline)
    changed = {
        name
        for variant in run.variants
        for name in (*run.options(variant), *given)
        if run.options(variant).get(name) != given.get(name)
    }
    known = {name: option for name, (option, _book) in run.titles.known.items()}
    order = [name for name in known if name in changed] + sorted(changed - set(known))
    if run.swept:
        values = [(name, listed([run.titles.value(name, value) for value in values])) for name, values in run.swept.items()]
        items = tuple((f"{_option_title(run, name)}:", f"{text} ({run.titles.meaning(name)})") for name, text in values)
        blocks.append(ReportBlock("list", items=items))
    else:
        as_given = _("the rules as they are given")
        variants = [(run.called(variant), _rule_text(run, variant) or as_given) for variant in run.variants]
        items = tuple(("" if text.startswith(label) else f"{label}:", text) for label, text in variants)
        blocks.append(ReportBlock("list", items=items))
        if order:
            head = (_("option"), *run.labels, _("meaning"))
            usual = {name: known[name].default if name in known else None for name in order}
            rows = tuple(
                (
                    _option_title(run, name),
                    *(run.titles.value(name, run.options(variant).get(name, usual[name])) for variant in run.variants),
                    run.titles.meaning(name),
                )
                for name in order
            )
            blocks.append(ReportBlock("table", _("What differs in the rulebook:"), head=head, rows=rows, prose=True))
    for variant in (run.tested or [run.baseline])[: 1 if run.swept else None]:
        caption = _("Try this rule: {variant}", variant=words.quoted(run.called(variant)))
        blocks.append(ReportBlock("command", caption, items=(("", _play(run, variant)),), link=_setup(run, variant, server)))
    return Section("rules", _("What was compared"), tuple(blocks))


def _option_title(run: RunFigures, name: str) -> str:
    """An option by its title, and by the name that a file and the command line know."""
    title = run.titles.option(name)
    return name if title == name else f"{title} ({name})"


def _rule_text(run: RunFigures, variant: Variant) -> str:
    """What a variant changes: in the words of its author, or in the language of the moment."""
    if run.book is None or variant.rule:
        return variant.says
    with i18n.locale(i18n.SOURCE):
        ours = sentence(run.book, variant.options)
    return sentence(run.book, variant.options) if variant.says == ours else variant.says


def _play(run: RunFigures, variant: Variant) -> str:
    """The command that opens a table with a variant."""
    settings = [f"{name}={_option_value(value)}" for name, value in _changes_of(run, variant).items()]
    options = [f"--option {shlex.quote(setting)}" for setting in settings]
    game = variant.rule or str(run.meta["game"])
    preset = [f"--preset {shlex.quote(variant.preset)}"] if variant.preset != "seed" else []
    return " ".join(["outbid play", shlex.quote(game), f"-n {run.cells[0].players}", *preset, *options])


def _changes_of(run: RunFigures, variant: Variant) -> dict[str, Any]:
    """What a variant changes beside its preset."""
    preset = run.book.preset(variant.preset) if run.book else {}
    return {name: value for name, value in variant.options.items() if name not in preset or preset[name] != value}


def _option_value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _setup(run: RunFigures, variant: Variant, server: str) -> str:
    """The address of a server's set-up sheet, filled in with the rules of a variant; nothing without a server that has the
    game."""
    book = book_of(variant.rule) if variant.rule else run.book
    if not server or book is None or not games.knows(server, book.id):
        return ""
    asked = {"players": run.cells[0].players, "preset": variant.preset}
    asked |= {f"option:{name}": _option_value(value) for name, value in _changes_of(run, variant).items()}
    return f"{server.rstrip('/')}/new/{book.id}?{urlencode(asked)}"


# --- two pages for an editor ------------------------------------------------------------------------------------------


def _brief(
    run: RunFigures, drawn: Mapping[Seating, list[plots.Plot]], matches: Sequence[games.ShownMatch]
) -> Iterator[ReportBlock]:
    """The plot of the question, what it costs elsewhere and among whom, and a deal in six moves. What is shown here is taken
    from `drawn`."""
    ours = drawn[run.cells[0]]
    wanted = PICTURES.get(run.main.name, "")
    chosen = [plot for plot in ours if plot.name.endswith(f"-{wanted}") or f"-over-{slug(run.main.name)}" in plot.name]
    for plot in chosen:
        ours.remove(plot)
    if not run.meta.get("preview"):
        chosen += by_company(run)
    if chosen:
        yield ReportBlock("plots", plots=tuple(chosen))
    yield from _elsewhere(run)
    told = next((match for match in matches if match.turning), None)
    if told:
        yield ReportBlock("heading", _("One deal in six moves: {title}", title=told.title))
        yield ReportBlock("text", " ".join(filter(None, [told.why, f"{told.result}."])))
        yield ReportBlock("list", items=tuple((_("Move {n}:", n=move), text) for move, text in told.turning))


def _elsewhere(run: RunFigures) -> list[ReportBlock]:
    """What is like this or otherwise among other players and in other measures. Of many variants: their means of what
    decides, and of the rest among the first company."""
    names = [name for name in run.meta.get("measures", ()) if name in run.measures]
    gap = [SEAT_GAP] if SEAT_GAP in run.measures and SEAT_SPREAD in names else []
    names = list(dict.fromkeys([run.main.name, *gap, *names]))
    cells = list(dict.fromkeys(cell for name, _variant, cell in run.summaries if name in names))
    if len(run.tested) > 1:
        kept = [(name, cell) for name in names for cell in cells if cell == run.cells[0] or name == run.main.name]
        kept = [(name, cell) for name, cell in kept if (name, run.baseline.name, cell) in run.summaries][:COLUMNS]
        head = [f"{run.measure(name).title} ({who(run, cell)})" for name, cell in kept]
        rows = [
            (run.called(variant), *(_marked(run, name, variant, cell) for name, cell in kept)) for variant in run.variants
        ]
        first, base = _("variant"), words.quoted(run.called(run.baseline))
        caption = _("What it costs elsewhere, against {variant}:", variant=base)
    else:
        first, head = _("measure"), [who(run, cell) for cell in cells]
        caption = _("What it costs elsewhere, and among whom:") if run.tested else _("Among whom:")
        rows = [(_title_with_unit(run.measure(name)), *(_figure(run, name, cell) for cell in cells)) for name in names]
    wide = len(head) > plots.RIDGES - 1
    return [ReportBlock("table", caption, head=(first, *head), rows=tuple(rows), prose=wide)] if head and rows else []


def _marked(run: RunFigures, name: str, variant: Variant, cell: Seating) -> str:
    """A mean, with the mark of its difference from the baseline."""
    mean = run.summaries.get((name, variant.name, cell))
    diff = next((diff for diff in run.compared(cell) if (diff.measure, diff.b) == (name, variant.name)), None)
    return "–" if mean is None else f"{mean.shown(run.measure(name))} {_mark(diff) if diff else ''}".rstrip()


def _figure(run: RunFigures, name: str, cell: Seating) -> str:
    """Of two sets of rules the difference, of one the mean; of what is compared with nothing both means."""
    measure = run.measure(name)
    diff = next((diff for diff in run.compared(cell) if diff.measure == name), None)
    if diff:
        return _difference(run, name, diff)
    means = [run.summaries.get((name, variant.name, cell)) for variant in run.variants]
    return " → ".join(mean.shown(measure) for mean in means if mean) or "–"


def _cell(run: RunFigures, cell: Seating, place: int, drawn: Sequence[plots.Plot]) -> Section | None:
    """What was found among a company."""
    compared = run.compared(cell)
    blocks: list[ReportBlock] = []
    if compared and not run.swept:
        for variant in run.tested:
            own = [comparison for comparison in compared if comparison.b == variant.name]
            blocks += _changes_text(run, own, variant, len(run.tested) > 1)
    blocks += [ReportBlock("plots", plots=tuple(drawn))] if drawn else []
    blocks += _figures(run, cell)
    if not blocks:
        return None
    title = words.among(run, cell)
    return Section(f"cell-{place + 1}", _("Results {among}", among=title), tuple(blocks))


def _changes_text(run: RunFigures, compared: Sequence[Comparison], variant: Variant, several: bool) -> list[ReportBlock]:
    """What changed with a variant, and what did not, measure by measure."""
    differ = [(run.measure(comparison.measure), comparison) for comparison in compared if comparison.differs]
    rest = [(run.measure(comparison.measure), comparison) for comparison in compared if not comparison.differs]
    blocks = [ReportBlock("heading", _("With {variant}", variant=words.quoted(run.called(variant))))] if several else []
    if differ:
        items = tuple(
            (capitalized(words.phrase(measure, comparison.difference)) + ".", _from_to(measure, comparison))
            for measure, comparison in differ
        )
        blocks += [ReportBlock("text", _("What changed:")), ReportBlock("list", items=items)]
    if words.unused(run, compared[0].cell, variant):
        blocks.append(ReportBlock("text", words.lead(run, compared[0].cell, variant)))
    elif rest and several:
        named = [f"{words.called(measure)} ({_ends(measure, comparison)})" for measure, comparison in rest]
        text = _("No change that stands out from chance, or none that matters: {measures}.", measures=listed(named))
        blocks.append(ReportBlock("text", text))
    elif rest:
        items = tuple((capitalized(words.called(measure)) + ".", _open_text(measure, diff)) for measure, diff in rest)
        blocks.append(ReportBlock("text", _("No change that stands out from chance, or none that matters:")))
        blocks.append(ReportBlock("list", items=items))
    return blocks


def _from_to(measure: LabMeasure, comparison: Comparison) -> str:
    unit = measure.shown_unit
    digits = digits_for(comparison.difference.half * measure.scale) if comparison.difference.half else None
    numbers = [number(part * measure.scale, digits) for part in (comparison.mean_a, comparison.mean_b)]
    return _("From {a} to {b}", a=numbers[0], b=numbers[1]) + (f" {unit}." if unit else ".")


def _open_text(measure: LabMeasure, comparison: Comparison) -> str:
    if comparison.difference.low == comparison.difference.high == 0:
        return _("It is the same in every match.")
    sentence = _("The difference lies in the interval {ends}.", ends=_ends(measure, comparison))
    if comparison.verdict == "same" and comparison.smallest:
        return _("No: equal within {x}.", x=words.limit(measure, comparison.smallest)) + f" {sentence}"
    return f"{sentence} {words.untold(measure, comparison)}" if comparison.needed else sentence


def _ends(measure: LabMeasure, comparison: Comparison) -> str:
    """The ends of a difference, with its unit."""
    ends = comparison.difference.times(measure.scale)
    if ends.low == ends.high == 0:
        return _("the same in every match")
    unit = _("percentage points") if measure.scale == 100 else measure.shown_unit
    digits = digits_for(ends.half)
    text = _("{low} to {high}", low=number(ends.low, digits), high=number(ends.high, digits))
    return f"{text} {unit}" if unit else text


# --- tables -----------------------------------------------------------------------------------------------------------


def _figures(run: RunFigures, cell: Seating) -> list[ReportBlock]:
    """All means with their intervals."""
    asked = [name for name in run.meta.get("measures", ()) if name in run.measures]
    order = asked if len(run.variants) > SIDE_BY_SIDE else list(dict.fromkeys([*asked, *run.measures]))
    names = [name for name in order if any((name, variant.name, cell) in run.summaries for variant in run.variants)]
    if not names:
        return []

    def mean_of(name: str, variant: Variant) -> str:
        mean = run.summaries.get((name, variant.name, cell))
        return "–" if mean is None else mean.shown(run.measure(name))

    caption = _("Means and 95 % intervals:")
    if len(run.variants) > SIDE_BY_SIDE:
        head = (_("variant"), *(run.measure(name).title for name in names))
        rows = tuple((run.called(variant), *(mean_of(name, variant) for name in names)) for variant in run.variants)
        return [ReportBlock("table", caption, head=head, rows=rows)]
    verdicts = {(comparison.measure, comparison.b): comparison for comparison in run.compared(cell)}
    head = (_("measure"), *run.labels)
    base = run.called(run.baseline)
    head += tuple(_("difference") if len(run.tested) == 1 else f"{run.called(variant)} − {base}" for variant in run.tested)
    rows = tuple(
        (
            _title_with_unit(run.measure(name)),
            *(mean_of(name, variant) for variant in run.variants),
            *(_difference(run, name, verdicts.get((name, variant.name))) for variant in run.tested),
        )
        for name in names
    )
    return [ReportBlock("table", caption, head=head, rows=rows)]


def _title_with_unit(measure: LabMeasure) -> str:
    unit, title = measure.shown_unit, measure.title
    return f"{title} ({unit})" if unit and unit != "%" and unit.lower() != title.lower() else title


def _difference(run: RunFigures, name: str, comparison: Comparison | None) -> str:
    if comparison is None:
        return "–"
    difference = comparison.difference.times(run.measure(name).scale).text
    return f"{difference} {_mark(comparison)}"


def _mark(comparison: Comparison) -> str:
    return "✓" if comparison.differs else "=" if comparison.settled else "?"


def _ladder(run: RunFigures) -> Section | None:
    """How far skill goes, and whether a simple strategy wins everything."""
    table = run.ladder_table
    if not table or not len(table["variant"]):
        return None
    blocks = []
    for kind, caption in (
        ("skill", _("How often a better player wins among weaker ones, and how many matches it takes to tell them apart:")),
        ("exploit", _("How often one simple strategy wins among the others:")),
    ):
        rows = []
        for row in np.flatnonzero(table["kind"] == kind):
            rung = {key: column[row] for key, column in table.items()}
            share = Estimate(float(rung["share"]), float(rung["low"]), float(rung["high"]))
            needed = rung["needed"]
            rows.append(
                (
                    run.called(str(rung["variant"])),
                    *(str(rung[key]) for key in ("players", "bot", "others")),
                    share.percent,
                    percent(float(rung["equal"])),
                    "–" if needed is None or not needed > 0 else counted(float(needed)),
                )
            )  # fmt: skip
        head = (_("variant"), _("players"), _("one"), _("among"), _("victories"), _("equal share"), _("matches needed"))
        blocks += [ReportBlock("table", caption, head=head, rows=tuple(rows))] if rows else []
    return Section("ladder", _("Luck and skill"), tuple(blocks)) if blocks else None


def _definitions(run: RunFigures) -> Section | None:
    """What each measure is."""
    rows = tuple((measure.title, measure.definition, measure.source) for measure in run.measures.values())
    if not rows:
        return None
    marks = _("In the tables, ✓ is a difference, = is none that matters, and ? may be chance.")
    table = ReportBlock("table", head=(_("measure"), _("definition"), _("source")), rows=rows, prose=True)
    return Section("measures", _("What was measured"), (ReportBlock("text", marks), table, *_things(run)))


def _things(run: RunFigures) -> list[ReportBlock]:
    """What can be done in the game, as the plots of usage name it: things of one kind together."""
    table = run.table("usage", ("thing", "kind")) if not run.meta.get("preview") else {}
    kinds: dict[str, dict[str, None]] = {}
    for thing, kind in zip(table.get("thing", ()), table.get("kind", ()), strict=True):
        kinds.setdefault(str(kind), {})[str(thing)] = None
    say = run.book.say if run.book else str
    rows = tuple((_abridged(list(things)), say(kind)) for kind, things in kinds.items() if kind)
    if not rows:
        return []
    head = (_("thing"), _("meaning"))
    return [ReportBlock("table", _("What the names in the plots mean:"), head=head, rows=rows, prose=True)]


def _abridged(things: Sequence[str]) -> str:
    """All of a few things, the first and the last of many."""
    return ", ".join(things) if len(things) <= SOME else f"{things[0]} … {things[-1]}"


def _front(run: RunFigures) -> Section | None:
    """What a search found: what it could not reach, what can be had together, and the winners on fresh deals."""
    goals, trials = run.tuning.get("goals", ()), run.tuning.get("trials", ())
    if not goals or not trials:
        return None
    best, measures = set(run.tuning.get("front", ())), [run.measure(goal["measure"]) for goal in goals]
    names = [words.goal(measure, goal) for measure, goal in zip(measures, goals, strict=True)]
    done = [trial for trial in trials if trial["state"] == "done"]

    def values(trial: Mapping[str, Any]) -> list[float]:
        return [trial["values"][measure.name] * measure.scale for measure in measures]

    blocks = [ReportBlock("text", problem) for problem in words.missed(run)]
    if len(goals) > 1 and done:
        places = [(trial, values(trial)) for trial in done]
        drawn = [(run.titles.settings(trial["options"]), x, y, trial["number"] in best) for trial, (x, y, *_more) in places]
        plot = plots.front("front", _("What can be had together"), (names[0], names[1]), drawn)
        blocks.append(ReportBlock("plots", plots=(plot,)))
    rows = tuple(
        (run.titles.settings(trial["options"]), *(number(value, 2) for value in values(trial)))
        for trial in done
        if trial["number"] in best
    )
    cut = _("The best of {n} sets of values, by the search:", n=grouped(len(trials)))
    blocks.append(ReportBlock("table", cut, head=(_("settings"), *names), rows=rows))
    checked = tuple(
        (
            run.titles.settings(check["options"]),
            f"{check['company']}, {check['players']}",
            *(
                f"{words.figure(figure).times(measure.scale).text} {words.mark(figure)}"
                for figure, measure in zip(check["figures"], measures, strict=True)
            ),
        )
        for check in run.tuning.get("checked", ())
    )
    if checked:
        caption = _("Again, on fresh deals and among others; ✓: the goal is reached, ✗: it is not, ?: cannot tell:")
        blocks.append(ReportBlock("table", caption, head=(_("settings"), _("company"), *names), rows=checked))
    return Section("front", _("What the search found"), tuple(blocks))


def _matches(matches: Sequence[games.ShownMatch]) -> Section | None:
    """The matches worth looking at."""
    if not matches:
        return None
    how = _(
        "Each of them opens in the replay of a table server: start one with {play}, and give it the record under “{look}” on"
        " its front page. In the folder of the run:",
        play="outbid play", look=_("Look back at a match"),
    )  # fmt: skip
    first = f"games/{matches[0].file}"
    review = f"outbid analyse {first} --html review.html"
    blocks = [
        ReportBlock("text", how),
        ReportBlock("command", items=(("", f"outbid check {first}\n{review}"),)),
        *(ReportBlock("match", match=match) for match in matches),
    ]
    return Section("matches", _("Matches worth looking at"), tuple(blocks))


def _repeat(run: RunFigures) -> Section:
    """How it was done, how sure it is, and how to do it again."""
    bots = listed(list(dict.fromkeys(bot for company in run.companies for bot in company.seats)))
    sentences = [
        words.sample(run),
        _(
            "All variants were played on the same deals. Intervals are 95 %, paired and clustered by deal, and hold for all"
            " comparisons together (max |t| of deals drawn again): in one run of twenty a single one of them is wrong."
            " Verdicts are by Holm (1979)."
        ),
        _(
            "The players were bots ({bots}). People may play another way, most of all beginners; what holds among one"
            " company may not hold among another.",
            bots=bots,
        ),
    ]  # fmt: skip
    facts = {
        _("seed"): run.meta.get("seed"), _("rules"): run.meta.get("rules"), _("outbid"): run.meta.get("outbid"),
        _("code"): str(run.meta.get("code") or "")[:12], _("columns"): str(run.meta.get("hash") or "")[:12],
    }  # fmt: skip
    rows = tuple((name, str(value)) for name, value in facts.items() if value not in (None, ""))
    again = "outbid lab run experiment.toml"
    return Section(
        "repeat",
        _("How this was done, and how to repeat it"),
        (
            *(ReportBlock("text", sentence) for sentence in sentences),
            ReportBlock("table", head=("", ""), rows=rows),
            ReportBlock("command", _("The same experiment again, bit for bit:"), items=(("", again),)),
        ),
    )
