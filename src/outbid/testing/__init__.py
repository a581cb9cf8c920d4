"""The battery that every game must pass, for games of any package.

    from outbid.testing import battery
    report = battery(rulebook, matches=20)        # report.passed, report.findings; print(report)

As tests, one for each property (fixtures.py has more):

    pytest_plugins = "outbid.testing.fixtures"

    def test_every_property_holds(outbid_property):
        outbid_property.check(rulebook, matches=20)

`outbid verify GAME` does the same. A game is a rulebook (outbid.core.rulebook); `Own` adds what only its author knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from outbid.core import contract
from outbid.core.errors import BadRulebook
from outbid.core.language import i18n, passages
from outbid.core.language.written import HOWTO, RULES, file_of
from outbid.core.rulebook import Rulebook
from outbid.testing.findings import Finding, Own, Property, Trial, alike
from outbid.testing.hiding import CHOICES, FEATURES, HIDE, LEAKS, LOG, REDEAL, TRUTH, WORLDS
from outbid.testing.lint import SUBSET, lint
from outbid.testing.moves import ACCEPTED, ASKS, CONSERVED, COPIES, ENDS, INDICES, MENU, RECORDS, SEEDS, STEADY, TYPED
from outbid.testing.page import PAGE
from outbid.testing.seen import seen
from outbid.testing.totals import TOTALS

__all__ = ["PROPERTIES", "Finding", "Own", "Property", "Report", "Result", "as_text", "battery", "lint", "seen"]


def _deal(t: Trial) -> Iterator[Finding]:
    low, high = t.book.seats({})
    for players in range(low, high + 1):
        state = t.book.fresh({})
        contract.deal(state, players, t.seed)
        if state.players != players:
            yield t.found(f"Dealt for {players} players, the field players is {state.players}; deal must set it.", "players")
        yield from t.checked(state, f"Dealt for {players} players,")


def _written(t: Trial) -> Iterator[Finding]:
    files = (file_of(t.book, name, spoken) for name in (HOWTO, RULES) for spoken in i18n.LANGUAGES)
    for file in filter(None, files):
        try:
            passages.read(file, t.book.options)
        except BadRulebook as error:
            yield t.found(str(error))


WRITTEN = Property("written", "the marks in RULES.md name options, and each passage ends", _written, once=True)
DEAL = Property("deal", "a match can be dealt for each number of players", _deal)
PROPERTIES: tuple[Property, ...] = (
    SUBSET, WRITTEN, PAGE, DEAL, ASKS, ENDS, CONSERVED, ACCEPTED, MENU, STEADY, HIDE, LEAKS, FEATURES, INDICES, CHOICES, LOG,
    REDEAL, WORLDS, TOTALS, TRUTH, COPIES, RECORDS, TYPED, SEEDS,
)  # fmt: skip


@dataclass(frozen=True)
class Result:
    """The result of a property. like: another property in which the same fault was found first, so that this one could not
    be tried."""

    property: Property
    findings: tuple[Finding, ...] = ()
    like: str = ""


@dataclass
class Report:
    """What the battery found in a game. seen: who sees each field (seen.py)."""

    book: Rulebook
    matches: int
    seed: int
    results: list[Result] = field(default_factory=list)
    seen: dict[str, str] = field(default_factory=dict)

    @property
    def findings(self) -> list[Finding]:
        """All findings."""
        return [finding for result in self.results for finding in result.findings]

    @property
    def passed(self) -> bool:
        """Nothing was found."""
        return not any(result.findings or result.like for result in self.results)

    def as_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "game": self.book.id,
            "matches": self.matches,
            "seed": self.seed,
            "passed": self.passed,
            "properties": [
                {
                    "name": result.property.name,
                    "title": result.property.title,
                    "result": "found" if result.findings else "not tried" if result.like else "holds",
                    "findings": [
                        {key: value for key, value in vars(finding).items() if key != "property"}
                        for finding in result.findings
                    ],
                }
                for result in self.results
            ],
            "seen": self.seen,
        }

    @property
    def playable(self) -> bool:
        """Matches can be dealt; else nothing more was tried."""
        return not any(result.findings and result.property is DEAL for result in self.results)

    def __str__(self) -> str:
        return as_text(self)


def as_text(report: Report, command: str = "") -> str:
    """A report as a person reads it; `command`: with what a finding is seen again."""
    lines = [f"{report.book.title}: {report.matches} random matches for each property, from seed {report.seed}."]
    halted: dict[str, list[str]] = {}
    for result in report.results:
        if result.like:
            halted.setdefault(result.like, []).append(result.property.name)
            continue
        lines.append(f"{'✗' if result.findings else '✓'} {result.property.name}: {result.property.title}")
        lines += [f"    {finding}" for finding in result.findings]
        if result.findings and command:
            again = result.findings[0].seed
            lines.append(f"    again: {command} --property {result.property.name} --seed {again} --matches 1")
    for finder, names in halted.items():
        lines.append(f"– not tried to the end, as they meet what {finder} found: {', '.join(names)}")
    if not report.playable:
        lines.append("Nothing more was tried, as no match can be dealt.")
    if report.seen:
        width = max(map(len, report.seen))
        lines += ["", "Who sees each field, by experiment; please confirm:"]
        lines += [f"    {name:{width}}  {who}" for name, who in report.seen.items()]
    wrong = sum(bool(result.findings) for result in report.results)
    lines += ["", f"{wrong} of {len(report.results)} do not hold." if wrong else "All hold."]
    return "\n".join(lines)


def battery(
    book: Rulebook,
    matches: int = 20,
    seed: int = 0,
    own: Own | None = None,
    properties: Sequence[Property] = PROPERTIES,
    tell: Callable[[int], object] = lambda done: None,
) -> Report:
    """Try each property in so many random matches; `tell` is called with 1 after each property."""
    report = Report(book, matches, seed)
    known: dict[str, str] = {}
    for prop in properties:
        if not report.playable:
            break
        first: dict[str, Finding] = {}  # the same of another seat says no more
        for finding in prop(book, matches, seed, own):
            first.setdefault(finding.field or alike(finding), finding)
        like = next((known[alike(finding)] for finding in first.values() if alike(finding) in known), "")
        new = tuple(finding for finding in first.values() if alike(finding) not in known)
        known.update({alike(finding): prop.name for finding in new})
        report.results.append(Result(prop, new, "" if new else like))
        tell(1)
    return report
