"""Positions to train value nets on (value.py): matches of the heuristic and of policy nets, with slips, and how they ended.

Compiled subset; `work` is rollouts.py's."""

from typing import Any, NamedTuple

from outbid.bots.belief.company import divide
from outbid.bots.nets.net_policy import draw_of, net_step
from outbid.compiled.buffers import declared, float32
from outbid.core.chance import below, stream
from outbid.core.contract import apply, asked, deal, hide, legal, midway, observe, steady, winners
from outbid.core.seats import lowest

SEATS_FROM = 1 << 40  # streams of a match from here on: one a seat
CHOICES_FROM = 1 << 41  # which positions are taken
SLIPS = 0, 0, 0, 10, 50, 200  # of a player, drawn for each seat: in so many of a thousand steps it makes any that is legal


@declared
class TrainingData(NamedTuple):
    """Positions and how their matches ended. N positions, P players, F features."""

    obs: Any = float32("N", "P", "F", says="what each seat sees")
    share: Any = float32("N", "P", says="what it has of the victory in the end")


def samples(states, i, seed, first, last, players, slips, nets, every, limit, taken, work):
    """Play the deals `first` … `last` − 1 and write positions of them; returns how many.

    states[i] is fresh, with its options; two records after it are worked in. Seat p plays as the heuristic does, or where
    nets[p] is 1 as the policy net, but with a chance of slips[p] / 1000 it makes any legal step. A position between two
    moves is taken with a chance of one in `every`. taken: the TrainingData, as far as there is room."""
    obs = taken.obs
    n = 0
    for number in range(first, last):
        match = stream(seed, number)
        states[i + 1] = states[i]
        deal(states[i + 1], players, match)
        begun = n
        steps = 0
        moves = 0
        while steps < limit and n < obs.shape[0]:
            left = asked(states[i + 1])
            if left == 0:
                break
            seat = lowest(left)
            if midway(states[i + 1], seat) == 0 and below(stream(stream(match, CHOICES_FROM), steps), every) == 0:
                for viewer in range(players):
                    observe(states[i + 1], viewer, obs[n, viewer])
                n += 1
            own = stream(stream(match, SEATS_FROM + seat), moves)
            states[i + 2] = states[i + 1]
            hide(states[i + 2], seat)
            if below(stream(own, 2 * steps), 1000) < slips[seat]:
                action = work.out[below(stream(own, 2 * steps + 1), legal(states[i + 2], seat, work.out))]
            elif nets[seat] == 1:
                action = net_step(states, i + 2, seat, draw_of(own, steps), work)
            else:
                action = steady(states[i + 2], seat, own, work.note)
            apply(states[i + 1], seat, action)
            moves += 1 - midway(states[i + 1], seat)
            steps += 1
        if asked(states[i + 1]) != 0:
            n = begun
            continue
        divide(winners(states[i + 1], work.points), players, taken.share, begun, n)
    return n
