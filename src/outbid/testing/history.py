"""Whether worlds dealt anew agree with all that their seat has been shown: worlds of before are played on.

Before a move, worlds are dealt anew for a seat, and the same move is made in them; of a move that the seat did not see,
another one at random. Where it would then see something else, it knows better now, and the world is dropped. What is so in
many worlds that are dealt anew after the move, and in none of those that were played on, contradicts what the seat has seen:
a card that it was shown, a guess that was wrong, a bid that another could not have paid. So no step may forget what was
known before. Where too few worlds are left, nothing is said.
"""

import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from outbid.core import contract
from outbid.testing.findings import Finding, Property, Trial
from outbid.testing.positions import actions_of, hidden, length, redealt, seats
from outbid.testing.relations import Relations

LONGEST = 300  # steps of a match
MOVES = 2  # of a match
WORLDS = (20, 80, 320)  # first, and where these show something: of the last nothing is chance
TRIES = 3  # of a world
SHARE = 5  # what is so in one of so many worlds is looked for
Steps = Sequence[tuple[int, int]]


def _history(t: Trial) -> Any:
    state, rng = t.deal(), random.Random(t.seed)
    stations: list[tuple[int, Any]] = []  # where nobody is within a move, and after how many steps
    for _ in t.walk(state, length(t.book, t.seed, LONGEST)):
        if not any(contract.midway(state, seat) for seat in range(state.players)):
            stations.append((len(t.steps), state.copy()))
    steps, moves = list(t.steps), list(pairwise(stations))
    for (first, before), (last, after) in rng.sample(moves, min(MOVES, len(moves))):
        t.move, t.steps = last, steps[:last]
        viewer = rng.choice(seats(state))
        if (finding := _contradiction(t, before, steps[first:last], after, viewer)) is not None:
            yield finding
            return


def _contradiction(t: Trial, before: Any, steps: Steps, after: Any, viewer: int) -> Finding | None:
    if before.rules.midway is not contract.never_midway and _unseen(before, steps, viewer):
        return None  # how many steps a hidden move has is not known
    blank = hidden(after, viewer)
    facts = [field for field in t.book.layout.facts if not field.knows]
    for many in WORLDS:
        played = _played_on(before, steps, after, viewer, many)
        if len(played) < many // 2:
            return None
        worlds = [redealt(after, viewer, t.seed + n) for n in range(many)]
        dealt = {name for world in worlds for name in world.differences(blank)}
        relations = Relations(facts, [*dealt])
        contradictions = list(relations.new(relations.numbers(worlds), relations.numbers(played), many // SHARE))
        if not contradictions:
            return None
    name, what, count = max(contradictions, key=lambda contradiction: contradiction[2])
    seat, action = steps[-1]
    move = f"{t.book.action_table[action].name!r} of {'the clock' if seat == contract.CLOCK else f'seat {seat}'}"
    whose = "a spectator" if viewer < 0 else f"seat {viewer}"
    return t.found(
        f"After {move} redeal deals {whose} what cannot be: in {count} of {many} worlds {what}. In the {len(played)} worlds "
        f"of before, played on with this move and showing {whose} the same, it never is. What the move shows must be kept "
        f"for redeal: {_keeping(t, name)}.",
        name,
        "redeal",
    )


def _keeping(t: Trial, name: str) -> str:
    """How a game keeps what a move has shown of a field."""
    (field,) = (field for field in t.book.layout.facts if field.name == name)
    if not field.filled:
        return "in a field that it reads"
    known = "with reveal or rule_out, or " if field.learned and field.counts else "with reveal, or " if field.learned else ""
    return f"{known}in a field that agrees reads"


def _played_on(before: Any, steps: Steps, after: Any, viewer: int, many: int) -> list[Any]:
    """Worlds of before, in which the steps were made, so that the seat sees the same after them."""
    blank, asked, worlds, rng = hidden(after, viewer), contract.asked(after), list[Any](), random.Random(0)
    for seed in range(TRIES * many):
        world = redealt(before, viewer, seed)
        if all(_made(world, seat, action, viewer, rng) for seat, action in steps):
            alike = contract.asked(world) == asked and hidden(world, viewer) == blank
            worlds += [world] * alike
        if len(worlds) == many or (seed >= many and len(worlds) < seed // 32):
            break
    return worlds


def _unseen(before: Any, steps: Steps, viewer: int) -> bool:
    """Whether a step of another seat was hidden from a seat."""
    state = before.copy()
    for seat, action in steps:
        if seat not in (viewer, contract.CLOCK) and not contract.is_public(state, seat, action):
            return True
        contract.apply(state, seat, action)
    return False


def _made(world: Any, seat: int, action: int, viewer: int, rng: random.Random) -> bool:
    """Make a step in a world, or of a step that the seat did not see any; whether it is legal there."""
    if not (contract.asked(world) >> seat & 1 and (legal := actions_of(world, seat))):
        return False
    seen = seat in (viewer, contract.CLOCK) or contract.is_public(world, seat, action)
    if seen and action not in legal:
        return False
    contract.apply(world, seat, action if seen else rng.choice(legal))
    return True


HISTORY = Property("history", "a world dealt anew agrees with all that its seat has been shown", _history)
