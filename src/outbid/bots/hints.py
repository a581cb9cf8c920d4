"""A hint for a person: what a bot advises in their seat, why, and what else might be done.

`advised(seat, decision, bot)` makes it of a bot's decision; the decision is made from the `Seat`, so a hint tells nothing
that the seat may not know. `advise(seat)` asks `ADVISER` here and now. What is advised is the best of the moves that were
weighed in the same worlds (weighing.py); of the others is said how much less of the victory they promise, in whole percents,
and where that says little, how many points fewer they bring.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from outbid.bots import bot
from outbid.bots.decision import Decision, Lost, WeighedMove
from outbid.bots.heuristic import STEADY
from outbid.bots.seat import Seat
from outbid.core.hooks.contrast import in_points
from outbid.core.hooks.mechanisms import reason
from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.core.language.names import marked, plain

DIFFER = i18n.N_("The two judges differ here: playing on and the curve of the review do not say the same.")

BY_POINTS = i18n.N_("The chance to win hardly depends on it; at the end this brings {points} more than the next best move.")

ADVISER = "strong"
PATIENCE = 30.0  # seconds of the processor for a hint that is thought here


class Told:
    """A move of which is known what one would be told (Seat.told), by language."""

    told: Mapping[str, str]

    @property
    def said(self) -> str:
        """What one would be told, in the language of the moment; empty if it is not certain."""
        return i18n.chosen(self.told)


@dataclass(frozen=True)
class Rated(Told):
    """A move as one types it, how much less likely it is to win than the one that is advised, and whether it is about as
    good; fewer: how many points it ends behind, by language, where that says more."""

    move: str
    less: int
    alike: bool
    told: Mapping[str, str]
    fewer: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def beside(self) -> str:
        """What it is beside the move that is advised."""
        if self.fewer:
            return _("{points} less", points=i18n.chosen(self.fewer))
        return _("about as good") if self.alike else _("{less} % less", less=self.less)


@dataclass(frozen=True)
class Advice(Told):
    """What a bot advises. move: as one types it; none: wait; actions: its action ids. why: by language, to the one who asks;
    told: by language. instead: the next best, of which `why` says what it leads to, if it is told; alike: it is about as
    good; disputed: the two judges differ."""

    bot: str
    move: str | None
    actions: tuple[int, ...]
    why: Mapping[str, str]
    others: tuple[Rated, ...]
    told: Mapping[str, str]
    instead: Mapping[str, str] = field(default_factory=dict[str, str])
    alike: bool = False
    disputed: bool = False

    @property
    def next_best(self) -> str:
        """What else one might do, as a sentence; empty if that is not told."""
        other = i18n.chosen(self.instead)
        if not other:
            return ""
        return _("About as good: {move}", move=other) if self.alike else _("Next best: {move}", move=other)

    @property
    def reason(self) -> str:
        """Why, in the language of the moment."""
        return i18n.chosen(self.why)

    @property
    def dispute(self) -> str:
        """That the two judges differ, if they do."""
        return _(DIFFER) if self.disputed else ""

    @property
    def stands_in(self) -> bool:
        """Another bot advises because `ADVISER` is not ready."""
        return self.bot != ADVISER

    @property
    def lines(self) -> list[str]:
        """All of it, for a terminal."""
        bot = _(self.bot)
        if self.move is None:
            lines = [_("The bot “{bot}” would wait and say nothing now.", bot=bot)]
        else:
            lines = [_("The bot “{bot}” advises: {move}", bot=bot, move=self.move)]
        lines += [plain(sentence) for sentence in (self.reason, self.next_best) if sentence]
        if self.others:
            moves = "; ".join(f"{other.move} ({other.beside})" for other in self.others)
            lines.append(_("Also considered: {moves}", moves=moves))
        lines += [self.dispute] if self.dispute else []
        return lines + ([standing_in(self.bot)] if self.stands_in else [])


def standing_in(name: str) -> str:
    """Why it is another bot that advises."""
    bots = {"adviser": _(ADVISER), "bot": _(name)}
    return _("The bot “{adviser}” is not ready for this game yet; until then “{bot}” advises.", **bots)


def advised(seat: Seat, decision: Decision, name: str) -> Advice:
    """A bot's decision as a hint for its seat."""
    beside = {move.actions: move for move in decision.weighed[1:]}
    others = tuple(_rated(seat, move) for move in beside.values())
    move = seat.said(decision.actions) if decision.actions else None
    told = seat.told(decision.actions) if decision.actions else {}
    why, instead = dict(decision.private), {}
    if decision.contrast is not None:
        names = [marked(player) for player in seat.names]
        worse = [actions for actions, move in beside.items() if actions != decision.other and not move.alike]
        moves = decision.actions, decision.other, *worse
        facts = seat.rulebook, seat.state, seat.seat, moves, names, seat.seat, decision.contrast
        why = i18n.everywhere(lambda: " ".join(filter(None, reason(*facts)))) or why
        instead = seat.told(decision.other)
    even = decision.other in beside and beside[decision.other].alike
    second = beside.get(decision.other) or next(iter(beside.values()), None)
    if second and second.fewer:
        why = i18n.everywhere(lambda: f"{i18n.chosen(why)} {_(BY_POINTS, points=_points(seat, second))}".strip())
    disputed = any(move.disputed for move in beside.values())
    return Advice(name, move, decision.actions, why, others, told, instead, even, disputed)


def _rated(seat: Seat, move: WeighedMove) -> Rated:
    fewer = i18n.everywhere(lambda: _points(seat, move)) if move.fewer else {}
    return Rated(move.text, round(100 * move.less), move.alike, seat.told(move.actions), fewer)


def _points(seat: Seat, move: WeighedMove) -> str:
    return in_points(seat.rulebook, move.fewer)


def advise(seat: Seat) -> Advice:
    """A hint, thought here. Where the look-ahead is not compiled yet or takes too long, the heuristic advises."""
    try:
        decision = bot(ADVISER).decide(replace(seat, counsel=True, until=time.process_time() + PATIENCE))
    except Lost:
        decision = STEADY.decide(seat)
    return advised(seat, decision, ADVISER if decision.values else STEADY.name)
