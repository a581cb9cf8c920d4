"""The battery that every game must pass, for games of any package.

    from outbid.testing import battery
    report = battery(rulebook, matches=20)        # report.passed, report.findings; print(report)

As tests, one for each property (fixtures.py has more):

    pytest_plugins = "outbid.testing.fixtures"

    def test_every_property_holds(outbid_property):
        outbid_property.check(rulebook, matches=20)

`outbid verify GAME` does the same. A game is a rulebook (outbid.core.rulebook); `Own` adds what only its author knows.
"""

import json
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from outbid.core import contract
from outbid.core.errors import BadRulebook
from outbid.core.language import i18n, passages, phrases
from outbid.core.language.written import HOWTO, RULES, file_of
from outbid.core.rulebook import Rulebook
from outbid.testing import bounds, moves
from outbid.testing.findings import CHECK, Finding, Own, Property, Trial, alike
from outbid.testing.hiding import CHOICES, FEATURES, HIDE, LEAKS, LOG, REDEAL, TRUTH, WORLDS
from outbid.testing.history import HISTORY
from outbid.testing.knowing import KNOWLEDGE
from outbid.testing.lint import SUBSET
from outbid.testing.page import PAGE
from outbid.testing.seen import seen
from outbid.testing.tables import TABLE, drawn
from outbid.testing.telling import TELLS
from outbid.testing.totals import TOTALS
from outbid.testing.watch import IMPATIENCE, PATIENCE, STUCK

__all__ = ["PROPERTIES", "Finding", "Own", "Property", "Report", "Result", "as_text", "battery", "closing", "header", "seen"]


SHOWN = 12  # fields that are listed in a sentence


def _deal(t: Trial) -> Iterator[Finding]:
    low, high = t.book.seats({})
    for players in range(low, high + 1):
        state = t.begin({}, players)
        if state.players != players:
            yield t.found(f"Dealt for {players} players, the field players is {state.players}; deal must set it.", "players")
        yield from t.stepped(state, f"Dealt for {players} players,")


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
    SUBSET, WRITTEN, PAGE, DEAL, moves.ASKS, moves.SEATS, moves.ANSWERS, moves.ENDS, moves.OPTIONS, moves.CONSERVED,
    moves.ACCEPTED, moves.MENU, moves.STEADY, HIDE, LEAKS, FEATURES, moves.INDICES, CHOICES, LOG, TELLS, KNOWLEDGE, REDEAL,
    WORLDS, TOTALS, HISTORY, TRUTH, moves.COPIES, moves.RECORDS, moves.TYPED, moves.SEEDS,
    TABLE,
)  # fmt: skip


@dataclass(frozen=True)
class Result:
    """The result of a property. like: another property in which the same fault was found first, so that this one could not
    be tried."""

    property: Property
    findings: tuple[Finding, ...] = ()
    like: str = ""

    def faults(self) -> tuple[Finding, ...]:
        """The findings that are no mere questions."""
        return tuple(finding for finding in self.findings if not finding.asks)

    def word(self) -> str:
        """The result in a word."""
        return "found" if self.faults() else "not tried" if self.like else "asks" if self.findings else "holds"

    def lines(self, game: str = "") -> list[str]:
        """The result as a person reads it. game: as a command calls it, with how a finding is seen again."""
        if self.like:
            return [f"– {self.property.name}: not tried to the end, as it meets what {self.like} found"]
        lines = [f"{'✗' if self.faults() else '?' if self.findings else '✓'} {self.property.name}: {self.property.title}"]
        for finding in self.findings:
            lines.append(f"    {finding}")
            if finding.file and game:
                lines.append(f"    its moves: {shlex.join(['outbid', 'dev', game, '--from', finding.file])}")
        if self.findings and game:
            again = self.findings[0].seed
            lines.append(f"    again: outbid verify {game} --property {self.property.name} --seed {again} --matches 1")
        return lines


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
        return not any(result.faults() or result.like for result in self.results)

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
                    "result": result.word(),
                    "findings": [
                        {key: value for key, value in vars(finding).items() if key not in ("property", "played")}
                        for finding in result.findings
                    ],
                }
                for result in self.results
            ],
            "seen": self.seen,
            "unknown": unknown(self),
        }

    @property
    def playable(self) -> bool:
        """Matches can be dealt; else nothing more was tried."""
        return not any(result.findings and result.property is DEAL for result in self.results)

    def __str__(self) -> str:
        return as_text(self)


def unknown(report: Report) -> list[str]:
    """What no number of matches shows, and only the author of a game knows."""
    book = report.book
    loose = bounds.unbounded(book)
    more = f" and {len(loose) - SHOWN} more" if len(loose) > SHOWN else ""
    checks = contract.defined(book.modules, CHECK) is not None
    return [
        f"who should see what{': the list above tells who does' if report.seen else ''}",
        "that the rules are those which you mean, that points are counted right, and that what is said of a move is true",
        "whether worlds are dealt as often as they are likely; each was tried for what its seat has seen",
        *([] if checks else [f"what never changes, such as the coins of all: assert it in {CHECK}(s), a rule of yours"]),
        *([] if drawn(book) else ["whether its pages can be drawn: install the extra server"]),
        *([f"how large a value may be in a field without high: {', '.join(loose[:SHOWN])}{more}"] if loose else []),
        "positions to which random moves do not lead",
    ]


def header(book: Rulebook, matches: int, seed: int) -> str:
    """The first line of a report."""
    return f"{book.title}: {phrases.plural(matches, 'random match', 'random matches')} for each property, from seed {seed}."


def closing(report: Report) -> list[str]:
    """The last lines of a report: who sees what, what does not hold, and what was not shown."""
    lines = [] if report.playable else ["Nothing more was tried, as no match can be dealt."]
    if report.seen:
        width = max(map(len, report.seen))
        lines += ["", "Who sees each field, by experiment; please confirm:"]
        lines += [f"    {name:{width}}  {who}" for name, who in report.seen.items()]
    wrong = sum(result.word() == "found" for result in report.results)
    held = sum(result.word() in ("holds", "asks") for result in report.results)
    asked = sum(finding.asks for finding in report.findings)
    lines += ["", f"{wrong} of {len(report.results)} do not hold."] if wrong else [""]
    properties = phrases.plural(held, "property holds", "properties hold")
    matches = phrases.plural(report.matches, "match", "matches")
    lines.append(f"{properties} in {matches} each; these cannot be known from outside:")
    lines += [f"    {sentence}" for sentence in unknown(report)]
    return [*lines, *([f"Questions to you, marked ?: {asked}."] if asked else [])]


def as_text(report: Report, game: str = "") -> str:
    """A report as a person reads it. game: as a command calls it, with how a finding is seen again."""
    lines = [line for result in report.results for line in result.lines(game)]
    return "\n".join([header(report.book, report.matches, report.seed), *lines, *closing(report)])


def battery(
    book: Rulebook,
    matches: int = 20,
    seed: int = 0,
    own: Own | None = None,
    properties: Sequence[Property] = PROPERTIES,
    tell: Callable[[Result], object] = lambda result: None,
    folder: Path | None = None,
) -> Report:
    """Try each property in so many random matches; `tell` is called with each result. folder: where the matches in which
    something was found are written, as records."""
    report = Report(book, matches, seed)
    known: dict[str, str] = {}
    patience = PATIENCE
    for prop in properties:
        if not report.playable:
            break
        first: dict[str, Finding] = {}  # the same of another seat says no more
        for finding in prop(book, matches, seed, own, patience):
            first.setdefault(finding.field or alike(finding), finding)
            patience = min(patience, IMPATIENCE if STUCK in finding.sentence else patience)
        like = next((known[alike(finding)] for finding in first.values() if alike(finding) in known), "")
        new = tuple(_kept(finding, folder) for finding in first.values() if alike(finding) not in known)
        known.update({alike(finding): prop.name for finding in new})
        report.results.append(Result(prop, new, "" if new else like))
        tell(report.results[-1])
    return report


def _kept(finding: Finding, folder: Path | None) -> Finding:
    """A finding whose match is written to the folder, as a record."""
    if folder is None or finding.played is None:
        return finding
    file = folder / f"{finding.property}-{sum(1 for _ in folder.glob(f'{finding.property}-*')) + 1}.json"
    file.write_text(json.dumps(finding.played), encoding="utf-8")
    return replace(finding, file=str(file))
