"""Who sits at a table, told by the moves of a match to an observer who saw everything: what a review knows of the players.

`note` takes a step down in `told`, before it is made: would those whom a player may be (the types of opponent_types.py: the
game's own players, the policy net) have made it, too? `look_back` does that for whole matches and writes positions of them,
to train and to measure judges on. What a judge is told of it: bots/nets/company.py.

Opponents of a bot learn the same only from what they see (opponent_types.py); a review knows all hands.

| array | shape | is |
| --- | --- | --- |
| types | int64 (G,) | players of the game by their number (contract.play); −1: the policy net |
| told | float64 (P, 3 + 2G) | by seat: its steps with a choice; the sums of 1 / choices and of log(1 / choices); how |
| | | likely each type was to make them, summed; the same in logarithms |

Compiled subset; `work` is rollouts.py's.
"""

import math
from typing import Any, NamedTuple, Self

from outbid.bots.belief.opponent_types import AS_NET, SLIP
from outbid.bots.nets.net_policy import priors
from outbid.compiled.buffers import declared, float32, int64
from outbid.core.chance import below, stream
from outbid.core.contract import CLOCK, apply, asked, deal, hide, legal, midway, observe, play, winners
from outbid.core.seats import how_many, lowest

CHOICES_FROM = 1 << 41  # streams of a match from here on: which positions are taken
STEPS, EVEN, ANYBODY, LIKE = range(4)  # columns of `told`; from LIKE on one for each type, and then their logarithms


def note(states, i, seat, action, types, told, work):
    """Take down what an asked seat does in states[i], which is whole; the record after it is worked in."""
    n = legal(states[i], seat, work.out)
    if n < 2:
        return
    many = len(types)
    told[seat, STEPS] += 1.0
    told[seat, EVEN] += 1.0 / n
    told[seat, ANYBODY] -= math.log(n)
    for k in range(many):
        like = 0.0
        if types[k] == AS_NET:
            for at in range(priors(states, i, seat, work)):
                if work.out[at] == action:
                    like = work.prior[at]
        else:
            states[i + 1] = states[i]
            hide(states[i + 1], seat)
            if play(states[i + 1], seat, 0, work.note, types[k]) == action:
                like = 1.0
        told[seat, LIKE + k] += like
        told[seat, LIKE + many + k] += math.log(SLIP / n + (1.0 - SLIP) * like)


@declared
class Positions(NamedTuple):
    """Positions of matches. N positions, P players, F features, C columns."""

    obs: Any = float32("N", "P", "F", says="what each seat sees")
    told: Any = float32("N", "P", "C", says="what its moves have told of each seat")
    at: Any = float32("N", says="the part of the match that is over")
    of: Any = int64("N", says="the deal")
    share: Any = float32("N", "P", says="what each seat has of the victory in the end")

    def first(self, n: int) -> Self:
        """The first n of them."""
        return type(self)(*(part[:n] for part in self))


def look_back(states, i, seed, first, players, steps, ends, wanted, types, positions, now, work):
    """Play the deals from `first` on as `steps` says, int16 (S, 2), seat and action, the k-th up to ends[k]; returns how
    many positions were written.

    states[i] is fresh, with its options; two records after it are worked in. The start of a match is taken, and about
    `wanted` others between two moves. positions: the Positions, as far as there is room; now: float64 (P, C), worked in. A
    match that was broken off is left out."""
    obs, told = positions.obs, positions.told
    n = 0
    begin = 0
    for k in range(len(ends)):
        match = stream(seed, first + k)
        states[i + 1] = states[i]
        deal(states[i + 1], players, match)
        for seat in range(players):
            for column in range(now.shape[1]):
                now[seat, column] = 0.0
        begun = n
        every = max(1, (ends[k] - begin) // wanted)
        for step in range(begin, ends[k]):
            seat = steps[step, 0]
            action = steps[step, 1]
            mover = lowest(asked(states[i + 1]))
            taken = step == begin or below(stream(stream(match, CHOICES_FROM), step - begin), every) == 0
            if taken and n < len(obs) and (mover == CLOCK or midway(states[i + 1], mover) == 0):
                for viewer in range(players):
                    observe(states[i + 1], viewer, obs[n, viewer])
                    for column in range(now.shape[1]):
                        told[n, viewer, column] = now[viewer, column]
                positions.at[n] = (step - begin) / (ends[k] - begin)
                positions.of[n] = first + k
                n += 1
            if seat != CLOCK:
                note(states, i + 1, seat, action, types, now, work)
            apply(states[i + 1], seat, action)
        begin = ends[k]
        if asked(states[i + 1]) != 0:
            n = begun
            continue
        divide(winners(states[i + 1], work.points), players, positions.share, begun, n)
    return n


def divide(won, players, share, first, last):
    """The rows `first` … `last` − 1 of `share` are what each seat has of the victory of these winners, a bit mask."""
    many = how_many(won, players)
    for row in range(first, last):
        for seat in range(players):
            share[row, seat] = ((won >> seat) & 1) / many
