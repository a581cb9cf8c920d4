"""Interaction: whether what a player does changes what the others do.

A decision is tried twice: as the bot makes it, and with another option, drawn at random. Both times the match goes on, with
the same random streams, until the player has to choose again. If another player does something else, the decision mattered
to others. In a game that everybody plays for himself none does; that others are ahead or behind changes nothing. Nor does
chance: where several are asked at once, who speaks first is drawn alike both times, however many steps the decision takes,
and where the player has to choose again sooner, what others do later is not compared.
"""

from collections.abc import Sequence
from typing import Any

from outbid.compiled import loops
from outbid.core import contract
from outbid.core.chance import below, stream
from outbid.core.fields import Records
from outbid.core.rulebook import Rulebook
from outbid.core.seats import lowest

RESPONSES = 200  # steps after a decision that are looked at, at most
OTHERWISE = 1 << 48  # the stream that draws the other option


def influences(book: Rulebook, names: Sequence[str], state: Any, seed: int) -> bool | None:
    """Whether the next decision in a state changes what others do; none where there is no choice, or the clock runs.
    names: bots of the game, one a seat."""
    out, note = [0] * (book.actions + contract.MOST_ACTIONS), [0] * 8
    policies, players, asked = [book.personas.policies[name] for name in names], len(names), contract.asked(state)
    if not asked or asked >> contract.CLOCK & 1 or (n := contract.legal(state, lowest(asked), out)) < 2:
        return None
    mover, options = lowest(asked), out[:n]

    def responses(action: int | None) -> tuple[int, list[tuple[int, int]]]:
        """What the player does, its own choice if no action is given, and then the steps of the others."""
        states, tally, steps = Records([state.copy(), state.copy()]), [0] * loops.columns(players), list[tuple[int, int]]()
        seat = mover
        if action is None:
            action = loops.answer(states, 0, mover, seed, policies, players, out, note, tally)
        first, deciding = action, True
        for _ in range(RESPONSES):
            contract.apply(states[0], seat, action)
            loops.count_step(states[0], seat, players, tally)
            if deciding and not contract.midway(states[0], mover):
                tally[2 * players + mover], deciding = 1, False
            if not contract.asked(states[0]):
                break
            seat, action = loops.next_step(states, 0, seed, policies, players, out, note, tally)
            if seat != mover:
                steps.append((seat, action))
            elif not contract.midway(states[0], mover) and contract.legal(states[0], mover, out) > 1:
                break
        return first, steps

    first, steps = responses(None)
    others = [option for option in options if option != first]
    otherwise = responses(others[below(stream(seed, OTHERWISE), len(others))])[1]
    return any(step != changed for step, changed in zip(steps, otherwise, strict=False))
