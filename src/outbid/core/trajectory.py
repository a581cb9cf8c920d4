"""What a seat decided in a match, as arrays to learn from (`Match.trajectory`)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from outbid.core import contract


class Trajectory(NamedTuple):
    """The R steps of a seat in which it had a choice, in order. F features, A actions of the game.

    observations: float32 (R, F), what it saw. masks: bool (R, A), what it could do. actions: int64 (R,), what it did.
    rewards: float32 (R,), 0 but in the last row of a match that is over: the seat's share of the victory. moves: int64 (R,),
    the move that each step belongs to, as a place in `Match.moves`. hidden: (R,), the whole state before the step, records
    of the game's layout (`hidden["money"]`): the truth to train a critic or a belief on, never to play by."""

    observations: NDArray[np.float32]
    masks: NDArray[np.bool_]
    actions: NDArray[np.int64]
    rewards: NDArray[np.float32]
    moves: NDArray[np.int64]
    hidden: NDArray[Any]


def trajectory(match: Any, seat: int) -> Trajectory:
    """Return what a seat decided in a match so far."""
    book, state, out = match.rulebook, match.at(0).state, [0] * (match.rulebook.actions + contract.MOST_ACTIONS)
    steps: list[tuple[Any, ...]] = []  # what was seen, could be done and was done, the move, the state
    for number, (place, actions) in enumerate(match.stepped(state, match.moves)):
        twin = state.copy()
        for action in actions if place == seat else ():
            n = contract.legal(twin, seat, out)
            if n > 1:
                seen, could = np.zeros(book.features, np.float32), np.zeros(book.actions, np.bool_)
                contract.observe(twin, seat, seen)
                could[out[:n]] = True
                steps.append((seen, could, action, number, twin.packed()))
            contract.apply(twin, seat, action)
    observed, could_do, did, numbers, states = zip(*steps, strict=True) if steps else ((),) * 5
    rewards = np.zeros(len(did), np.float32)
    if did and seat in match.winners:
        rewards[-1] = 1 / len(match.winners)
    return Trajectory(
        np.array(observed, np.float32).reshape(-1, book.features),
        np.array(could_do, np.bool_).reshape(-1, book.actions),
        np.array(did, np.int64),
        rewards,
        np.array(numbers, np.int64),
        np.frombuffer(b"".join(states), book.layout.dtype),
    )
