"""Whether a world dealt anew agrees with all that its seat has been shown: the match is replayed in that world.

A stretch of a match is played once more with marked numbers (`Mark`), which tell where each was at its beginning or in which
step it was chosen. So what stands in the world at the end of the stretch says how it must have begun, and what the others
must have chosen. From that beginning the same steps are made again; in place of a step of which the seat did not see which
it was, any other may be made after which the seat sees the same. If the seat would have seen something else, whatever the
others had chosen, then the world contradicts what it knows: a card that it was shown, a guess that was wrong, a bid that
another could not have paid.

A world that cannot be traced back, such as one with a hidden number that was counted from several others, is left out, and
so is one with too many ways to go on. That worlds of a stretch are traced back rightly is tried with some whose beginning is
known.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from outbid.core import contract
from outbid.testing import bounds, positions
from outbid.testing.findings import Finding, Property, Trial
from outbid.testing.positions import actions_of, hidden, redealt, seats

LONGEST = 60  # steps of a match
STRETCHES = (1, 4, 16, LONGEST)  # steps of a stretch, one of them beside the first
TRIES = 400  # steps that are tried in one world
WORLDS = 80  # whose beginning is known
STEP = "a step"  # in place of a field, of a number that was chosen in a step
Place = tuple[Any, ...]  # a field and indices


class Mark(int):
    """A number that knows where it comes from, also when another is added to it or taken from it."""

    origin: Place

    def __new__(cls, value: int, origin: Place) -> Mark:
        mark = super().__new__(cls, value)
        mark.origin = origin
        return mark

    def __add__(self, other: int) -> int:
        return int(self) + int(other) if isinstance(other, Mark) else Mark(int(self) + other, self.origin)

    __radd__ = __add__

    def __sub__(self, other: int) -> int:
        return Mark(int(self) - int(other), self.origin)


def _numbers(state: Any) -> Iterator[tuple[Place, int]]:
    """Each number of a state that is no option, with its place."""
    for field in state.book.layout.facts:
        value = getattr(state, field.name)
        if not field.shape:
            yield (field.name,), value
        elif len(field.shape) == 1:
            yield from (((field.name, i), number) for i, number in enumerate(value))
        else:
            yield from (((field.name, i, j), number) for i, row in enumerate(value) for j, number in enumerate(row))


def _put(state: Any, place: Place, value: int) -> None:
    name, *at = place
    if not at:
        setattr(state, name, value)
        return
    row = getattr(state, name)
    for index in at[:-1]:
        row = row[index]
    row[at[-1]] = value


class _Stretch:
    """Some steps of a match: the states before, between and after them."""

    def __init__(self, states: list[Any], steps: list[tuple[int, int]]):
        self.states, self.steps = states, steps
        marked = states[0].copy()
        for place, number in _numbers(marked):
            _put(marked, place, Mark(number, place))
        for n, (seat, action) in enumerate(steps):
            contract.apply(marked, seat, Mark(action, (STEP, n)))
        self.ends = dict(_numbers(marked))

    def traceable(self, viewer: int) -> bool:
        """Whether worlds in which the stretch is played, so that the seat sees the same, are traced back to where they
        began: else a number counted by a hidden one, or gone at the end, would be taken for another."""
        trips, rng = 0, random.Random(0)
        for seed in range(WORLDS):
            begun = redealt(self.states[0], viewer, seed)
            state: Any = begun
            for n in range(len(self.steps)):
                ways = self.ways(n, state, viewer)
                rng.shuffle(ways)
                tried = (self.after(n, state, choice, viewer) for choice in ways)
                state = next((after for after in tried if not isinstance(after, str)), None)
                if state is None:
                    break
            else:
                traced = self.beginning(state)
                if traced is None or traced[0] != begun:
                    return False
                trips += begun != self.states[0]
        return trips > 1

    def ways(self, n: int, state: Any, viewer: int) -> list[int]:
        """The actions that may have been made in a step, the true one last: only this one if the seat saw which it was."""
        seat, action = self.steps[n]
        if seat in (viewer, contract.CLOCK) or contract.is_public(self.states[n], seat, action) == 1:
            return [action]
        return [*(choice for choice in actions_of(state, seat) if choice != action), action]

    def after(self, n: int, state: Any, choice: int, viewer: int) -> Any:
        """The state after a step that is made in another world; a sentence if it shows the seat something else."""
        seat = self.steps[n][0]
        what = f"{state.book.action_table[choice].name!r} of seat {seat}"
        if choice not in actions_of(state, seat):
            return f"{what} would not have been legal"
        after, true = state.copy(), self.states[n + 1]
        contract.apply(after, seat, choice)
        if names := hidden(after, viewer).differences(hidden(true, viewer)):
            return f"{what} would have shown it another {names[0]}"
        return after if contract.asked(after) == contract.asked(true) else f"after {what} others would have been asked"

    def beginning(self, world: Any) -> tuple[Any, dict[int, int]] | None:
        """How a world at the end must have begun, and what was chosen in some steps; None if that is unknown."""
        state, chosen, moved = self.states[0].copy(), dict[int, int](), dict[Place, int]()
        true = dict(_numbers(self.states[-1]))
        for place, number in _numbers(world):
            end, change = self.ends[place], number - true[place]
            if not isinstance(end, Mark):
                if change:
                    return None
            elif moved.setdefault(end.origin, change) != change:
                return None
        begun = dict(_numbers(state))
        for origin, change in moved.items():
            if origin[0] == STEP:
                chosen[origin[1]] = self.steps[origin[1]][1] + change
            elif change:
                _put(state, origin, begun[origin] + change)
        return None if bounds.wrong(state) else (state, chosen)

    def contradiction(self, world: Any, viewer: int) -> str:
        """What the seat would have seen otherwise in a world, "" if it agrees with all or is left out."""
        if (begun := self.beginning(world)) is None:
            return ""
        state, chosen = begun
        if names := hidden(state, viewer).differences(hidden(self.states[0], viewer)):
            return f"it had seen another {names[0]} before"
        ahead, tries, latest, why = [(0, state)], 0, -1, ""
        while ahead:
            n, state = ahead.pop()
            if n == len(self.steps):
                return ""
            for choice in [chosen[n]] if n in chosen else self.ways(n, state, viewer):  # the last one is tried first
                tries += 1
                if tries > TRIES:
                    return ""
                after = self.after(n, state, choice, viewer)
                if not isinstance(after, str):
                    ahead.append((n + 1, after))
                elif n >= latest:
                    latest, why = n, f"{after} ({len(self.steps) - n} steps ago)"
        return why


def _history(t: Trial) -> Iterator[Finding]:
    state = t.deal()
    states, steps = [state.copy()], []
    longest = positions.length(t.book, t.seed, LONGEST)
    for step in t.walk(state, min(longest, LONGEST)):
        steps.append(step)
        if len(steps) > 1:
            states.append(state.copy())
    if not steps or not contract.asked(state):
        return  # in a match that is over, nobody looks ahead
    states.append(state)
    rng = random.Random(t.seed)
    for length in {min(1, len(steps)), min(rng.choice(STRETCHES), len(steps))}:
        stretch = _Stretch(states[-length - 1 :], steps[-length:])
        for seat in seats(state):
            for seed in (t.seed, t.seed + 1):
                world = redealt(state, seat, seed)
                why = stretch.contradiction(world, seat)
                if why and stretch.traceable(seat):
                    name = _culprit(stretch, world, seat)
                    who = "a spectator" if seat < 0 else f"seat {seat}"
                    sentence = f"A world dealt anew for {who} contradicts what it has been shown: with this {name}, {why}."
                    yield t.found(sentence, name, "redeal")
                    return


def _culprit(stretch: _Stretch, world: Any, viewer: int) -> str:
    """The field that alone makes the world contradict, or the first that is another."""
    true = stretch.states[-1]
    names = true.differences(world)
    for name in names:
        twin = true.copy()
        setattr(twin, name, getattr(world.copy(), name))
        if stretch.contradiction(twin, viewer):
            return name
    return names[0]


HISTORY = Property("history", "a world dealt anew agrees with all that its seat has been shown", _history)
