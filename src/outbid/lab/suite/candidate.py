"""An agent that is measured: whatever it answers, the match goes on.

What is no answer (an error, nothing, something else than a move), and a move that is not legal, is a forfeit: a random legal
move is made in its place and counted. Who forfeits more than LIMIT of the decisions of a task has no share there: the task
is void. So an agent that says nothing does not stand where random play stands, but below it.
"""

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.bots.decision import Decision
from outbid.bots.seat import Seat
from outbid.core import contract
from outbid.core.chance import below, stream
from outbid.core.errors import Illegal
from outbid.core.match import Match

LIMIT = 0.05  # of the decisions
INSTEAD = 1 << 51  # streams of a decision: the move that is made instead


class Candidate:
    """A bot as the suite asks it. bot: anything with `decide`; it may count its `tokens`. decisions, forfeits, steps: so
    far, and seconds of processor time; fault: what was wrong with its first forfeit."""

    summary = "is measured"

    def __init__(self, bot: Any):
        self.bot, self.name = bot, str(bot.name)
        self.decisions = self.forfeits = self.steps = 0
        self.seconds, self.fault = 0.0, ""

    @property
    def in_words(self) -> bool:
        """Whether the bot plays in words, and so is shown its match (`sit`), not only what its seat sees now."""
        return hasattr(self.bot, "sit")

    def sit(self, match: Match, seat: int) -> None:
        """Begin another match."""
        if self.in_words:
            self.bot.sit(match, seat)

    @property
    def tells_tokens(self) -> bool:
        """Whether the bot says how many tokens it has spent."""
        return isinstance(getattr(self.bot, "tokens", None), (int, float))

    @property
    def counts(self) -> NDArray[np.float64]:
        """Decisions, forfeits, seconds, steps and tokens so far, (5,)."""
        tokens = self.bot.tokens if self.tells_tokens else 0
        return np.array([self.decisions, self.forfeits, self.seconds, self.steps, tokens], float)

    def decide(self, seat: Seat) -> Decision:
        """Its move, or a random legal one."""
        begin = time.process_time()
        try:
            decision = self.bot.decide(seat)
            check(seat, decision.actions)
        except (Exception, SystemExit) as error:  # whatever code of others raises
            self.forfeits += 1
            self.fault = self.fault or " ".join(f"{type(error).__name__}: {error}".split())[:300]
            decision = Decision(instead(seat))
        self.seconds += time.process_time() - begin
        self.decisions += 1
        self.steps += len(decision.actions)
        return decision


def check(seat: Seat, actions: Any) -> None:
    """Whether these are the steps of a whole legal move. Raises Illegal."""
    world, out = seat.world(0), [0] * (seat.rulebook.actions + 64)
    for number, action in enumerate(actions):
        n = contract.legal(world, seat.seat, out)
        if (number and not contract.midway(world, seat.seat)) or action not in out[:n]:
            raise Illegal(f"The steps {list(actions)} are no legal move.")
        contract.apply(world, seat.seat, action)
    if contract.midway(world, seat.seat) or (not actions and not contract.asked(world) >> contract.CLOCK & 1):
        raise Illegal("There is no whole move in the answer.")


def instead(seat: Seat) -> tuple[int, ...]:
    """A move of random legal steps."""
    out = [0] * (seat.rulebook.actions + 64)

    def step(seen: Any, number: int) -> int:
        n = contract.legal(seen, seat.seat, out)
        return out[below(stream(stream(seat.stream, INSTEAD), number), n)] if n else -1

    return seat.whole(step)


def void(decisions: int, forfeits: int) -> bool:
    """Whether a task with so many forfeits does not count."""
    return forfeits > LIMIT * decisions
