"""What two moves of one seat lead to, in words of the game: a module `hooks/contrast.py` in its folder, plain Python.

    events(s) -> set[Key]                what has come about at the end of a match ("Ada completes the cows")
    amounts(s) -> dict[Key, int]         how much there is of something ("Ada ends with 240 in money")
    happened(key, speak) -> str          an event as a sentence without its full stop; German has the verb first, as behind
                                         "In 7 statt 3 von 10 Fällen"
    amount(key, speak, one, two)       an amount after the one move and after the other, likewise

    blind(said, seat, speak) -> str      a move that turns over a card nobody knows, told without it; "" for any other; it
                                         may be missing
    scored(amount) -> str                what the match is decided by, such as "$12"; it may be missing: "12 points"
    COSTS                                words of keys of which one wants less, such as "bankrupt"; it may be missing
    VICTORY                              words of events that are the victory itself, such as "won"; it may be missing
    OUTCOMES                             whether this may be all of a puzzle's reason; where it is missing, it may
    LEAST                                how much an amount must differ to be worth telling, by the word of its key; where it
                                         is missing, 1

A key is a word and numbers, the first of which is a seat: ("set", 2, 8). Both moves are played on to the end in the same
worlds (bots/strong.py); a `Contrast` keeps the facts that differ most and by more than chance, first one that speaks for
the first move; where none does, there is nothing to tell. `said` makes sentences of them, for one reader. A game without the
module is told by victories and points.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NamedTuple

from outbid.core import contract
from outbid.core.language.i18n import N_, _, ngettext
from outbid.core.language.phrases import Speaker, grouped
from outbid.core.rulebook import Rulebook

Key = tuple[str | int, ...]

MOST = 2  # facts of a sentence
SURE = 2.5  # standard errors by which a fact must differ
OWN = 1.3  # how much more the mover's own facts count
TENTHS = 0.1  # an event that is so much likelier is worth telling
CLEAR = 0.4  # standard deviations of a world by which an amount must differ
NEAR, ABOUT = 0.1, 0.25  # a victory is told beside chances that differ by at most so much: in their change, in themselves
EXTREMES = {10: N_("more than 9"), 0: N_("fewer than 1")}  # tenths, rounded
WON, POINTS = "won", "points"  # keys of a game that has none


class Fact(NamedTuple):
    """Something that differs. event: it comes about or does not; one, other: how often (0 to 1) or how much, after the one
    move and after the other."""

    key: Key
    event: bool
    one: float
    other: float


@dataclass(frozen=True)
class Contrast:
    """What differs at the end between two moves of a seat, played on in so many worlds; the most telling fact first."""

    seat: int
    worlds: int
    facts: tuple[Fact, ...] = ()

    def said(self, book: Rulebook, names: Sequence[str], audience: int = -1) -> str:
        """A sentence a fact, for a seat (−1: a spectator), names as given; empty if nothing differs enough. A fact that
        speaks against the one before it is not told."""
        module, speak = book.submodule("contrast") or _General, Speaker(names, audience)
        sides = [speaks_for(fact, self.seat, getattr(module, "COSTS", ())) for fact in self.facts]
        agreeing = (fact for fact, side in zip(self.facts, sides, strict=True) if side in (sides[0], None))
        return " ".join(f"{_told(fact, module, speak)}." for fact in agreeing)

    def beside(self, book: Rulebook, loss: float, chances: Sequence[float] | None = None) -> Contrast:
        """The contrast without victories that contradict the text beside it: how much chance to win the first move has more,
        and the chances of all seats after the other one. The worlds of a contrast are few, and know less than the judge."""
        module = book.submodule("contrast") or _General
        victory, costs = getattr(module, "VICTORY", (WON,)), getattr(module, "COSTS", ())

        def agrees(fact: Fact) -> bool:
            if fact.key[0] not in victory:
                return True
            seat, change = int(fact.key[1]), abs(fact.one - fact.other)
            far = abs(change - loss) if seat == self.seat else change - loss
            return far <= NEAR and (chances is None or abs(fact.other - chances[seat]) <= ABOUT)

        facts = tuple(filter(agrees, self.facts))
        if facts and speaks_for(facts[0], self.seat, costs) is False:
            facts = ()
        return Contrast(self.seat, self.worlds, facts)

    def as_json(self) -> dict[str, Any]:
        """The contrast as a review has it."""
        return {"worlds": self.worlds, "facts": [[list(key), event, one, other] for key, event, one, other in self.facts]}

    @classmethod
    def of_json(cls, seat: int, value: Mapping[str, Any]) -> Contrast:
        """The contrast that `as_json` has written."""
        facts = tuple(Fact(tuple(key), event, one, other) for key, event, one, other in value["facts"])
        return cls(seat, value["worlds"], facts)


def blindly(book: Rulebook, said: dict[str, Any], seat: int, names: Sequence[str], audience: int = -1) -> str:
    """A move that turns over a card, told without the card; empty if the game does not tell it so."""
    tell = getattr(book.submodule("contrast"), "blind", None)
    return str(tell(said, seat, Speaker(names, audience))) if tell else ""


def contrast_of(book: Rulebook, seat: int, pairs: Sequence[tuple[Any, ...]]) -> Contrast:
    """The contrast of final states in pairs: the same world after the one move and after the other."""
    module = book.submodule("contrast") or _General
    events = [(module.events(one), module.events(other)) for one, other in pairs]
    amounts = [(module.amounts(one), module.amounts(other)) for one, other in pairs]
    least: Mapping[str, int] = getattr(module, "LEAST", {})
    facts: list[tuple[float, Fact]] = []
    for key in sorted({key for pair in events for each in pair for key in each}, key=repr):
        one, other = ([float(key in each) for each in side] for side in zip(*events, strict=True))
        size = _size(one, other, seat, key)
        if size and abs(_mean(one) - _mean(other)) >= TENTHS:
            facts.append((size, Fact(key, True, _mean(one), _mean(other))))
    for key in amounts[0][0] if amounts else ():
        one, other = ([float(each[key]) for each in side] for side in zip(*amounts, strict=True))
        size = _size(one, other, seat, key)
        if size >= CLEAR and abs(round(_mean(one)) - round(_mean(other))) >= least.get(str(key[0]), 1):
            facts.append((size, Fact(key, False, _mean(one), _mean(other))))
    facts.sort(key=lambda each: -each[0])
    costs = getattr(module, "COSTS", ())
    first = next((fact for _size, fact in facts if speaks_for(fact, seat, costs)), None)
    chosen = [first] if first else []
    for _size_of_it, fact in facts if first else ():
        apart = all(fact.key[1:3] != other.key[1:3] for other in chosen)
        if len(chosen) < MOST and apart and speaks_for(fact, seat, costs) is not False:
            chosen.append(fact)
    return Contrast(seat, len(pairs), tuple(chosen))


def speaks_for(fact: Fact, seat: int, costs: Sequence[str]) -> bool | None:
    """Whether a fact is a reason for the first move: more for the seat itself, or less for another; None: it is nobody's."""
    if int(fact.key[1]) < 0:
        return None
    return (fact.one > fact.other) == ((fact.key[1] == seat) != (fact.key[0] in costs))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _size(one: Sequence[float], other: Sequence[float], seat: int, key: Key) -> float:
    """How telling a difference is: in standard deviations of a world; 0 if it may be chance."""
    each = [a - b for a, b in zip(one, other, strict=True)]
    mean, n = _mean(each), len(each)
    error = math.sqrt(sum((a - mean) ** 2 for a in each) / max(1, n - 1) / n)
    if abs(mean) <= SURE * error or mean == 0:
        return 0.0
    pooled = [*one, *other]
    spread = math.sqrt(_mean([(a - _mean(pooled)) ** 2 for a in pooled]))
    return abs(mean) / spread * (OWN if key[1] == seat else 1.0)


def _told(fact: Fact, module: Any, speak: Speaker) -> str:
    if not fact.event:
        what = module.amount(fact.key, speak, grouped(round(fact.one)), grouped(round(fact.other)))
        return _("{what} on average", what=what)
    what = module.happened(fact.key, speak)
    cases = {"often": tenths(fact.one), "seldom": tenths(fact.other)}
    return _("{what} in {often} of 10 cases instead of {seldom}", what=what, **cases)


def tenths(share: float) -> str:
    """In how many of ten cases: "7", "more than 9"."""
    n = round(10 * share)
    return _(EXTREMES[n]) if n in EXTREMES else str(n)


def points(amount: str) -> str:
    """An amount of points: "1 point", "1,026 points"."""
    return ngettext("{n} point", "{n} points", 1 if amount == "1" else 2, n=amount)


def in_points(book: Rulebook, amount: int) -> str:
    """An amount of what the match is decided by, as the game calls it."""
    name = getattr(book.submodule("contrast"), "scored", points)
    return str(name(grouped(amount)))


class _General(ModuleType):
    """What every game has: victories, and points."""

    @staticmethod
    def events(s: Any) -> set[Key]:
        """The events of a match that a contrast counts: who has won."""
        mask = contract.winners(s, [0] * s.players) if contract.asked(s) == 0 else 0
        return {(WON, seat) for seat in range(s.players) if mask >> seat & 1}

    @staticmethod
    def amounts(s: Any) -> dict[Key, int]:
        """The amounts that a contrast compares: everybody's points."""
        scores = [0] * s.players
        contract.score(s, scores)
        return {(POINTS, seat): scores[seat] for seat in range(s.players)}

    @staticmethod
    def happened(key: Key, speak: Speaker) -> str:
        """A sentence about the event: a victory."""
        return speak(int(key[1]), _("You win the match"), _("{who} wins the match"))

    @staticmethod
    def amount(key: Key, speak: Speaker, one: str, two: str) -> str:
        """A sentence about the amount: points, in two matches."""
        own, theirs = _("You end with {points} instead of {two}"), _("{who} ends with {points} instead of {two}")
        return speak(int(key[1]), own, theirs, points=points(one), two=two)
