"""What players do, counted: every decision of plain matches among a game's own players, with its reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from outbid.compiled import loops
from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.fields import Records
from outbid.core.rulebook import Rulebook

SEED = 77


@dataclass(frozen=True)
class Step:
    """A step of a seat: the state before it (whole), the action, the note. match: the number of the match."""

    match: int
    seat: int
    state: Any
    action: int
    note: list[int]


def decisions(book: Rulebook, names: Sequence[str], matches: int, first: int = 0) -> Iterator[Step]:
    """All steps of so many matches, in which seat p is played by names[p]."""
    players = len(names)
    policies = [book.personas.policies[name] for name in names]
    for number in range(first, first + matches):
        match = stream(SEED, number)
        states, tally = Records([book.fresh({})] * 2), [0] * loops.columns(players)
        contract.deal(states[0], players, match)
        while contract.asked(states[0]):
            note = [0] * 8
            seat, action = loops.next_step(
                states, 0, match, policies, players, [0] * (book.actions + 64), note, tally
            )
            yield Step(number, seat, states[0].copy(), action, note)
            contract.apply(states[0], seat, action)
            loops.count_step(states[0], seat, players, tally)


def share(chosen: int, of: int) -> float:
    """A part, and nothing of nothing."""
    return chosen / of if of else 0.0
