"""Whole matches among bots that do not look ahead, step by step: what matches.py does without its search, which takes
minutes to compile. Compiled subset; `work` is rollouts.py's."""

from outbid.bots.nets.net_policy import draw_of, net_step
from outbid.compiled.loops import SEATS_FROM
from outbid.core.chance import below, stream
from outbid.core.contract import CLOCK, apply, asked, deal, hide, legal, midway, told
from outbid.core.seats import lowest
from outbid.runs.loops.opponent_aware import ANYTHING, BUDGET, NET, SLIP, SLIPS_FROM

FAR = 6_000  # steps after which a match among strangers is broken off
NOTHING = -1  # to say


def quick(states, i, seed, first, seating, policies, params, players, steps, ends, work):
    """Play the deals from `first` on, the k-th as seating[k] says (matches.py). steps: int16 (S, 2), who made each step (or
    CLOCK), and the action; ends[k]: how many there were by the end of match k. Returns how many there were: as many as there
    is room for are written.

    states[i] is fresh, with its options; two records after it are worked in."""
    n = 0
    for k in range(len(ends)):
        match = stream(seed, first + k)
        states[i + 1] = states[i]
        deal(states[i + 1], players, match)
        made = 0
        for step in range(FAR):
            left = asked(states[i + 1])
            if left == 0:
                break
            clock = (left >> CLOCK) & 1
            left &= ~(1 << CLOCK)
            seat = CLOCK
            action = NOTHING
            while left != 0 and action == NOTHING:
                seat = lowest(left)
                left &= ~(1 << seat)
                own = stream(stream(match, SEATS_FROM + seat), made)
                bot = seating[k, seat]
                action = chosen(states, i + 1, seat, clock, own, step, policies[bot], params[bot], work)
            if action == NOTHING:
                seat = CLOCK
                legal(states[i + 1], CLOCK, work.out)
                action = work.out[0]
            if n < len(steps):
                steps[n, 0] = seat
                steps[n, 1] = action
            n += 1
            apply(states[i + 1], seat, action)
            if seat != CLOCK:
                made += 1 - midway(states[i + 1], seat)
        ends[k] = n
    return n


def chosen(states, i, seat, clock, own, step, policy, params, work):
    """What an asked seat of the match states[i] does, or NOTHING; the record after it is worked in."""
    slips = policy[BUDGET] == ANYTHING or below(stream(stream(own, SLIPS_FROM), step), 1000) < policy[SLIP]
    if slips:
        r = stream(stream(own, SLIPS_FROM + 1), step)
        n = legal(states[i], seat, work.out)
        if n == 0 or clock * below(stream(r, 0), 2) == 1:
            return NOTHING
        return work.out[below(r, n)]
    if policy[BUDGET] == NET:
        return net_step(states, i, seat, draw_of(own, step), work)
    states[i + 1] = states[i]
    hide(states[i + 1], seat)
    return told(states[i + 1], seat, own, work.note, params)
