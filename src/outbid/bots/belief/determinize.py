"""Determinizations (worlds, for short) as a seat believes in them: hidden moves of others are weighted by their players.

`redeal` deals every world that agrees with what the seat has seen as if all were equally likely (perfect-information Monte
Carlo: J. R. Long, N. R. Sturtevant, M. Buro and T. Furtak, Understanding the Success of Perfect Information Monte Carlo
Sampling in Game Tree Search, AAAI 2010). That is right for what chance has done. But a sealed bid or a covered offer was
chosen by a player who knew the hand it came from. So `determinize` samples by rejection: it takes such moves back
(`retract_hidden`), lets the heuristic, or the opponent type of that player in this world (opponent_types.py), make them
anew out of the hand it has there, and keeps the world if the seat would see the same; else it deals another. By that a
world is weighted by how likely that player was to act as was seen, the hands in it too. Opponents need not play so: one
world in EVENLY is kept as it was dealt, and so is the last of TRIES, so that none that agrees with what was seen has the
weight 0.

What others chose earlier in the match and the seat has not seen is weighted by the bounds in the state alone, all cards
within them being equally likely; but where the seat keeps particles from move to move (particle_filter.py), all but one in
EVENLY are taken from those. Compiled subset.
"""

from outbid.bots.nets.net_policy import LONGEST, draw_of, net_step
from outbid.bots.belief.opponent_types import AS_NET, NOWHERE, SEATS, usual
from outbid.core.chance import below, step, stream
from outbid.core.contract import apply, hide, midway, observe, retract_hidden, redeal, reshuffle_unseen
from outbid.compiled.inference import place

EVENLY = 8
TRIES = 32
KEPT = EVENLY + TRIES  # the stream of a world: which of those that are kept


def determinize(states, i, at, seat, seed, work):
    """Write a world of states[i], which is hidden for `seat`, into states[at]; the two records after it are worked in."""
    evenly = below(stream(seed, EVENLY), EVENLY) == 0
    if work.particles[0] != NOWHERE and not evenly:
        particle = place(work.odds[seat], len(work.odds[seat]), stream(seed, KEPT))
        if work.odds[seat, particle] > 0.0:
            states[at] = states[work.particles[0] + particle]
            reshuffle_unseen(states[at], seed)
            return
    seen = False
    for attempt in range(TRIES):
        own = seed
        if attempt > 0:
            own = stream(seed, EVENLY + attempt)
        states[at] = states[i]
        redeal(states[at], seat, own)
        if evenly:
            return
        states[at + 1] = states[at]
        back = retract_hidden(states[at + 1], seat)
        if back == 0:
            return
        if not seen:
            observe(states[i], seat, work.seen)
            seen = True
        act_anew(states, at + 1, back, own, work)
        observe(states[at + 1], seat, work.obs)
        if alike(work.seen, work.obs):
            states[at] = states[at + 1]
            return


def act_anew(states, at, back, seed, work):
    """The seats that took a move back make one as the heuristic does, or as their opponent type (opponent_types.py);
    states[at + 1] is the hidden copy."""
    for seat in range(SEATS):
        if (back >> seat) & 1:
            own = step(stream(seed, seat))
            for n in range(LONGEST):
                if work.who[seat] == AS_NET:
                    action = net_step(states, at, seat, draw_of(own, n), work)
                else:
                    states[at + 1] = states[at]
                    hide(states[at + 1], seat)
                    action = usual(states[at + 1], seat, own, work)
                apply(states[at], seat, action)
                if midway(states[at], seat) == 0:
                    break


def alike(first, second):
    """Whether two observations, or the bytes of two states, are the same."""
    different = 0
    for k in range(len(first)):
        different += first[k] != second[k]
    return different == 0
