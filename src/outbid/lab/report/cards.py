"""Whether a thing of a game (a card, an animal, a contract) is too strong or useless: what those who use it win."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from outbid.core.language.i18n import _, ngettext
from outbid.core.language.phrases import listed
from outbid.lab.experiments.findings import compare
from outbid.lab.experiments.measures import KNOWN, RARE, THING_EDGE
from outbid.lab.experiments.variants import Variant
from outbid.lab.report import words
from outbid.lab.report.figures import Estimate, RunFigures, Seating, where
from outbid.lab.report.numbers import percent

TOLD = 3  # things in a sentence


@dataclass(frozen=True)
class UsedThing:
    """A thing in a cell. share: of the victories of those who used it, with an interval that holds for all things that are
    asked about together; part: of the matches, in which it was used."""

    share: Estimate
    equal: float
    part: float

    @property
    def state(self) -> str:
        """What it is by the smallest difference that matters: strong, weak, useless, even, or "" where that is open."""
        least = KNOWN[THING_EDGE].matters
        if self.part < RARE:
            return "useless"
        if self.share.low > self.equal + least:
            return "strong"
        if self.share.high < self.equal - least:
            return "weak"
        return "even" if self.equal - least < self.share.low and self.share.high < self.equal + least else ""

    @property
    def edge(self) -> float:
        """How far it is from an equal share; of what is hardly used, all of it."""
        return abs(self.share.mean - self.equal) if self.part >= RARE else self.equal


Things = Mapping[str, Mapping[Seating, UsedThing]]  # by name in the language of the moment, what it is in each cell


def verdict(run: RunFigures) -> list[str]:
    """Yes, no or cannot tell: whether a thing is too strong or useless, in all companies; of several sets of rules first
    those that are compared with the given ones; then the figures. Among different bots who uses a thing may be who plays
    better: such companies count only where there is no other."""
    first, *others = [*run.tested, *[run.baseline][: 1 if len(run.tested) < words.SPOKEN else 0]][: words.SPOKEN]
    (headline, details), *rest = (_verdict(run, variant) for variant in (first, *others))
    told = [[words.beside(run, other, text) for text in texts] for other, texts in zip(others, rest, strict=True)]
    return [headline, details, *(text for texts in told for text in texts)]


def _verdict(run: RunFigures, variant: Variant) -> tuple[str, str]:
    """The verdict on one set of rules, and what the users of the things of which it speaks win."""
    known = _things(run, variant)
    states = {thing: {used.state for used in cells.values()} for thing, cells in known.items()}
    whole = {thing for thing, cells in known.items() if len(cells) == len(_cells(run))}
    off = [thing for thing in whole if len(states[thing]) == 1 and not states[thing] & {"even", ""}]
    torn = [thing for thing in known if len(states[thing] - {""}) > 1]
    equal = percent(1 / run.cells[0].players)
    still = [thing for thing in known if states[thing] != {"even"}]
    chosen = off or torn or still or list(known)
    chosen = sorted(chosen, key=lambda thing: -min(used.edge for used in known[thing].values()))[:TOLD]
    things = listed([_state(thing, states[thing]) for thing in chosen]) or "–"
    if off:
        headline = _("Yes: {things}.", things=things)
    elif torn:
        headline = _("Cannot tell: it depends on who plays: {things}.", things=things)
    elif still or not known:
        headline = _("Cannot tell: {things}.", things=things)
    else:
        headline = ngettext(
            "No: who uses it wins an equal share within {x}.",
            "No: who uses any of the {n} things wins an equal share within {x}.",
            len(known), x=words.limit(KNOWN[THING_EDGE], KNOWN[THING_EDGE].matters),
        )  # fmt: skip
    figures = "; ".join(_figures(run, thing, known[thing]) for thing in chosen)
    return headline, _("{figures}. An equal share is {equal}.", figures=figures or "–", equal=equal)


def _figures(run: RunFigures, thing: str, cells: Mapping[Seating, UsedThing]) -> str:
    """What users of a thing win, by who plays."""
    figures = ", ".join(
        _("{among} used in {part} of the matches", among=words.among(run, cell), part=percent(used.part))
        if used.state == "useless"
        else _(
            "{among} {share} of the victories, used in {part} of the matches", among=words.among(run, cell),
            share=used.share.percent, part=percent(used.part),
        )
        for cell, used in cells.items()
    )
    return f"{words.quoted(thing)}: {figures}"


def _state(thing: str, states: set[str]) -> str:
    """What a thing is, if it is that in all companies."""
    name = words.quoted(thing)
    if states == {"strong"}:
        return _("{thing} is too strong", thing=name)
    if states == {"weak"}:
        return _("{thing} is too weak", thing=name)
    return _("{thing} is useless", thing=name) if states == {"useless"} else name


def _things(run: RunFigures, variant: Variant) -> Things:
    """What each thing is that could be used with a variant, or the one that is asked about."""
    columns = ("variant", "company", "players", "thing", "action", "matches", "played", "share", "low", "high")
    table = run.table("usage", columns)
    wanted = str(run.meta.get("ask")).partition(":")[2].strip()
    known: dict[str, dict[Seating, UsedThing]] = {}
    # where a game says what one has in the end, that is what a card is worth, and not what one does for it
    held = table["action"] >= run.book.actions if run.book and "action" in table else np.False_
    for cell in _cells(run) if table else ():
        chosen = where(table, variant.name, cell)
        if (chosen & held).any() and not wanted:
            chosen &= held
        rows = np.flatnonzero(chosen & (table["thing"] == wanted) if wanted else chosen)
        wider = compare.for_all(len(rows)) / compare.for_all(1)
        for row in rows:
            mean, low, high = (float(table[key][row]) for key in ("share", "low", "high"))
            share = Estimate(mean, max(0.0, mean - wider * (mean - low)), min(1.0, mean + wider * (high - mean)))
            used = UsedThing(share, 1 / cell.players, float(table["matches"][row] / table["played"][row]))
            known.setdefault(run.thing(table, row), {})[cell] = used
    return known


def _cells(run: RunFigures) -> Sequence[Seating]:
    """Where all players are equal bots; everywhere if that is nowhere."""
    equal = {company.name for company in run.companies if len(set(company.seats)) == 1}
    return [cell for cell in run.cells if cell.company in equal] or run.cells
