"""A hint for a person: what a bot would do in their seat, why, and what else it evaluated.

`advised(seat, decision, bot)` makes it of a bot's decision; the decision is made from the `Seat`, so a hint tells nothing
that the seat may not know. `advise(seat)` asks `ADVISER` here and now. Chances are whole percents of the victory.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from outbid.bots import bot
from outbid.bots.decision import Decision, Lost
from outbid.bots.heuristic import STEADY
from outbid.bots.seat import Seat
from outbid.bots.strong import alike, long_evaluated
from outbid.core.hooks.mechanisms import reason
from outbid.core.language import i18n
from outbid.core.language.names import marked, plain

_, ngettext = i18n.words("outbid")

ADVISER = "strong"
BEST = 3  # moves beside the one that is advised
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
    """A move as one types it, and how likely it is said to win."""

    move: str
    chance: int
    told: Mapping[str, str]


@dataclass(frozen=True)
class Advice(Told):
    """What a bot would do. move: as one types it; none: wait. chance: if the bot looked ahead. why: by language, to the one
    who asks; told: by language. instead: the next best, of which `why` says what it leads to, if it is told; alike: it is
    about as good."""

    bot: str
    move: str | None
    chance: int | None
    why: Mapping[str, str]
    others: tuple[Rated, ...]
    told: Mapping[str, str]
    instead: Mapping[str, str] = field(default_factory=dict[str, str])
    alike: bool = False

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
    def stands_in(self) -> bool:
        """Another bot advises because `ADVISER` is not ready."""
        return self.bot != ADVISER

    @property
    def lines(self) -> list[str]:
        """All of it, for a terminal."""
        if self.move is None:
            lines = [_("The bot “{bot}” would wait and say nothing now.", bot=_(self.bot))]
        elif self.chance is None:
            lines = [_("The bot “{bot}” would play: {move}", bot=_(self.bot), move=self.move)]
        else:
            facts = {"bot": _(self.bot), "move": self.move, "chance": self.chance}
            lines = [_("The bot “{bot}” would play: {move} (wins {chance} %)", **facts)]
        lines += [plain(sentence) for sentence in (self.reason, self.next_best) if sentence]
        if self.others:
            moves = "; ".join(f"{other.move} ({other.chance} %)" for other in self.others)
            lines.append(_("Also considered: {moves}", moves=moves))
        return lines + ([standing_in(self.bot)] if self.stands_in else [])


def standing_in(name: str) -> str:
    """Why it is another bot that advises."""
    bots = {"adviser": _(ADVISER), "bot": _(name)}
    return _("The bot “{adviser}” is not ready for this game yet; until then “{bot}” advises.", **bots)


def advised(seat: Seat, decision: Decision, name: str) -> Advice:
    """A bot's decision as a hint for its seat. Of what it evaluated, those are told that it looked at long."""
    evaluated = {value.actions: value for value in decision.values}
    played = {actions: value for actions, value in evaluated.items() if value.rollouts or value.chance is not None}
    chances = {actions: round(100 * value.value) for actions, value in played.items()}
    best = long_evaluated([*played.values()], played.get(decision.actions))[:BEST]
    others = [Rated(other.text, chances[other.actions], seat.told(other.actions)) for other in best]
    move = seat.said(decision.actions) if decision.actions else None
    told = seat.told(decision.actions) if decision.actions else {}
    why, instead, even = dict(decision.private), {}, False
    if decision.contrast is not None:
        names = [marked(player) for player in seat.names]
        moves = decision.actions, decision.other
        facts = seat.rulebook, seat.state, seat.seat, moves, names, seat.seat, decision.contrast
        why = i18n.everywhere(lambda: " ".join(filter(None, reason(*facts)))) or why
        instead = seat.told(decision.other)
        even = decision.actions in evaluated and alike(evaluated[decision.actions], evaluated[decision.other])
    return Advice(name, move, chances.get(decision.actions), why, tuple(others), told, instead, even)


def advise(seat: Seat) -> Advice:
    """A hint, thought here. Where the look-ahead is not compiled yet or takes too long, the heuristic advises."""
    try:
        decision = bot(ADVISER).decide(replace(seat, until=time.process_time() + PATIENCE))
    except Lost:
        decision = STEADY.decide(seat)
    return advised(seat, decision, ADVISER if decision.values else STEADY.name)
