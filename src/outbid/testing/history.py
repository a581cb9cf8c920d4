"""Whether worlds dealt anew agree with all that their seat has been shown: worlds of before are played on.

Before a move, worlds are dealt anew for a seat, and the same move is made in them; of a move that the seat did not see,
another one at random. Where it would then see something else, it knows better now, and the world is dropped. What is so in
many worlds that are dealt anew after the move, and in none of those that were played on, contradicts what the seat has seen:
a card that it was shown, a guess that was wrong, a bid that another could not have paid. So no step may forget what was
known before. Where too few worlds are left, nothing is said.

Most random moves teach little. So more matches are played from the same deal, in which each kind of move is as likely, and
of those the moves that change what is seldom changed, and some others, are tried for what the move itself teaches all.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from outbid.core import contract
from outbid.testing.findings import Finding, Property, Trial
from outbid.testing.positions import actions_of, hidden, length, redealt, seats
from outbid.testing.relations import Relations

LONGEST, WALKS = 300, 4  # steps of a match; more matches from the same deal, in which each kind of move is as likely
MOVES = 2  # of a match; of those more, as many that change what is seldom changed, and as many at random
WORLDS = ((20, 3), (80, 8), (320, 24))  # first, and where these show something; in how many of those that were played on
# it would be expected, and is in none: of the last nothing is chance
TRIES = 4  # of a world
SHARE = 5  # what is so in one of so many worlds, where a redeal of its own may forget something
Steps = Sequence[tuple[int, int]]
Move = tuple[Steps, int, Any, Any]  # of a match: its steps so far, where the last move begins, the states around it


def _history(t: Trial) -> Any:
    rng = random.Random(t.seed)
    moves = list(_moves(t, length(t.book, t.seed, LONGEST)))
    some = [(move, rng.choice(seats(move[2])), False) for move in rng.sample(moves, min(MOVES, len(moves)))]
    more = [move for number in range(WALKS) for move in _moves(t, LONGEST, t.seed + number)]
    changed = [after.differences(before) for _, _, before, after in more]
    often = Counter(name for names in changed for name in names)
    rare = [min((often[name] for name in names), default=len(more)) for names in changed]
    seldom = sorted(range(len(more)), key=lambda n: (rare[n], rng.random()))[:MOVES]
    others = [more[n] for n in dict.fromkeys([*seldom, *rng.sample(range(len(more)), min(MOVES, len(more)))])]
    for (steps, first, before, after), viewer, taught in [*some, *((move, -1, True) for move in others)]:
        t.move, t.steps = len(steps), [*steps]
        if (finding := _contradiction(t, before, steps[first:], after, viewer, taught)) is not None:
            yield finding
            return


def _moves(t: Trial, longest: int, evenly: int | None = None) -> Iterator[Move]:
    """The moves of a random match."""
    state = t.deal()
    stations = list[tuple[int, Any]]()  # where nobody is within a move, and after how many steps
    for _ in t.walk(state, longest, evenly):
        if not any(contract.midway(state, seat) for seat in range(state.players)):
            stations.append((len(t.steps), state.copy()))
    for (first, before), (last, after) in pairwise(stations):
        yield t.steps[:last], first, before, after


def _contradiction(t: Trial, before: Any, steps: Steps, after: Any, viewer: int, taught: bool) -> Finding | None:
    """What worlds dealt anew contradict after a move. taught: by what this move shows, and not what was known before."""
    if before.rules.midway is not contract.never_midway and _unseen(before, steps, viewer):
        return None  # how many steps a hidden move has is not known
    by_hand = {field.filled for field in t.book.layout.facts if field.seen != "all" and not field.knows} != {True}
    blank = hidden(after, viewer)
    for many, expected in WORLDS:
        outcomes = _made_in(before, steps, after, viewer, many)
        played = [world for world in outcomes if _same(world, after, viewer)]
        least = max(many * expected // max(1, len(played)), many // SHARE if by_hand or not taught else 0)
        if least > many or (not taught and len(played) < many // 2):
            return None
        worlds = [redealt(after, viewer, t.seed + n) for n in range(many)]
        dealt = {name for world in worlds for name in world.differences(worlds[0])}
        alike = set(worlds[0].differences(blank)) - dealt  # such as what others know: in worlds that is what all know
        facts = [field for field in t.book.layout.facts if not field.knows and field.name not in alike]
        relations = Relations(facts, [*dealt])
        some = relations.numbers(outcomes) if taught else None
        contradictions = list(relations.new(relations.numbers(worlds), relations.numbers(played), least, some))
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


def _made_in(before: Any, steps: Steps, after: Any, viewer: int, many: int) -> list[Any]:
    """Worlds of before in which the steps were made, until so many show the seat the same after them."""
    worlds, same, rng = list[Any](), 0, random.Random(0)
    for seed in range(TRIES * many):
        world = redealt(before, viewer, seed)
        if all(_made(world, seat, action, viewer, rng) for seat, action in steps):
            worlds.append(world)
            same += _same(world, after, viewer)
        if same == many or (seed >= many and same < seed // 32):
            break
    return worlds


def _same(world: Any, state: Any, viewer: int) -> bool:
    """Whether a seat sees the same in both."""
    return contract.asked(world) == contract.asked(state) and hidden(world, viewer) == hidden(state, viewer)


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
