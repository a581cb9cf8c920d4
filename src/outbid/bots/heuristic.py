"""Bots that make their moves step by step: at random, or as the game's own heuristic says."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from outbid.bots.decision import Decision
from outbid.bots.seat import Seat
from outbid.core import contract
from outbid.core.chance import below, step, stream
from outbid.core.language import i18n
from outbid.core.language.i18n import N_
from outbid.core.language.names import marked

NOTE = 8  # integers in the note a stepwise bot leaves


@dataclass(frozen=True)
class Stepwise:
    """A bot that makes its moves step by step. act(state, seat, seed, note) → action id, or −1 for nothing to say; `state`
    is hidden. From the note of the last step the game makes a sentence (its reasons.py), if the bot speaks."""

    name: str
    summary: str
    act: Callable[[Any, int, int, list[int]], int]
    speaks: bool

    def decide(self, seat: Seat) -> Decision:
        """Its move."""
        note = [0] * NOTE

        def step(seen: Any, number: int) -> int:
            note[:] = [0] * NOTE
            note[-1] = number  # which step of the move this is
            return self.act(seen, seat.seat, seat.stream, note)

        actions = seat.whole(step)
        if not actions or not self.speaks:
            return Decision(actions)
        reason = seat.rulebook.words.reason
        names = [marked(name) for name in seat.names]
        private, public = (i18n.everywhere(partial(reason, note, names, secret)) for secret in (True, False))
        return Decision(actions, private, public)


def _random(state: Any, seat: int, seed: int, note: list[int]) -> int:
    """Uniformly random among the legal steps; silence where the seat may only wait."""
    out = [0] * 256
    n = contract.legal(state, seat, out)
    if n == 0:
        return -1
    return out[below(step(stream(seed, note[-1])), n)]


def _beginner(state: Any, seat: int, seed: int, note: list[int]) -> int:
    """The heuristic without a memory; one choice in ONE_IN is any legal step."""
    if below(stream(seed, SLIPS_FROM + note[-1]), ONE_IN) == 0:
        return _random(state, seat, seed, note)
    usual = type(state).book.personas.usual
    return contract.told(state, seat, seed, note, usual.but({"memory": 0} if "memory" in vars(usual) else {}))


ONE_IN = 5  # choices of a beginner, that one is made at random
SLIPS_FROM = 1 << 32  # streams of a decision: whether a step is one of those

RANDOM = Stepwise(N_("random"), N_("plays any legal step, without thought"), _random, speaks=False)
STEADY = Stepwise(N_("steady"), N_("plays by the game's own rules of thumb"), contract.steady, speaks=True)
BEGINNER = Stepwise(
    "beginner", "stands for a person who plays for the first time: no memory, one choice in five at random", _beginner, False
)
