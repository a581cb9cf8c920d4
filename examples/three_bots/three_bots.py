"""Three bots in a package of their own, each written in another way.

    pip install examples/three_bots
    outbid arena kuhhandel --players 3 --deals 20 --bots steady,cautious,gambler,eager
    outbid exploit rivals --players 3 --victim steady --deals 20 --with cautious,gambler
    outbid serve                                                     # and people can choose them at a table

Without installing: `--bots examples/three_bots/three_bots.py:CAUTIOUS,steady`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from outbid.bots import Decision, FunctionBot, Seat
from outbid.core import contract
from outbid.core.chance import below, stream
from outbid.core.match import Match

ROLLOUTS = 6  # of each move


@dataclass(frozen=True)
class Cautious:
    """Takes the first move of the menu: where one bids, that is mostly to pass. It knows no game."""

    name: str = "cautious"
    summary: str = "takes the first of its legal moves"

    def decide(self, seat: Seat) -> Decision:
        """Its move, step by step."""
        out = [0] * (seat.rulebook.actions + 64)

        def first(seen: Any, _number: int) -> int:
            return out[0] if contract.legal(seen, seat.seat, out) else -1

        return Decision(seat.whole(first), {"en": "I take what comes first.", "de": "Ich nehme das Erste."})


@dataclass(frozen=True)
class Gambler:
    """Draws a few of its moves and plays each on at random, in states that agree with what it has seen (`Seat.world`); the
    move after which it wins most often is its own."""

    name: str = "gambler"
    summary: str = "plays a few moves on at random and takes the luckiest"

    def decide(self, seat: Seat) -> Decision:
        """Its move."""
        tried = {self._drawn(seat, number) for number in range(5)}
        best = max(sorted(tried), key=lambda actions: sum(self._played_on(seat, actions, n) for n in range(ROLLOUTS)))
        return Decision(best)

    def _drawn(self, seat: Seat, number: int) -> tuple[int, ...]:
        out = [0] * (seat.rulebook.actions + 64)

        def any_step(seen: Any, step: int) -> int:
            n = contract.legal(seen, seat.seat, out)
            return out[below(stream(stream(seat.stream, number), step), n)] if n else -1

        return seat.whole(any_step)

    def _played_on(self, seat: Seat, actions: tuple[int, ...], number: int) -> float:
        """The share of the victory after a match that is played on at random, for 400 moves at most."""
        if not actions:
            return 0.0
        match = Match(seat.rulebook, {}, seat.names, seat.world(number))
        match.play_steps(seat.seat, actions)
        for step in range(400):
            if match.over:
                break
            match.random_move(match.asked[0], stream(seat.stream, 1000 * number + step))
        winners = match.winners if match.over else []
        return (seat.seat in winners) / max(1, len(winners))


def act(obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Features float32 (k, F) and legal actions bool (k, A), as learners have them, to actions int (k,): the last one."""
    return mask.shape[1] - 1 - mask[:, ::-1].argmax(1)


CAUTIOUS = Cautious()
GAMBLER = Gambler()
eager = FunctionBot("eager", act, "takes the last of its legal actions")
