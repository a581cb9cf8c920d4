"""Whole matches among bots, compiled: who sits where is given for every deal. Compiled subset.

A bot is a row of `policies`, int64 (bots, COLUMNS), and of `manners`, records of the game's manners
(core/hooks/policy_params.py):

| column | is |
| --- | --- |
| BUDGET | rollouts of a decision; `HEURISTIC`, `ANYTHING`, `NET` or `OTHER` for one that does not look ahead |
| PLIES | moves of a rollout (bots/search/rollouts.py) |
| MODEL | the row of the bot that it takes all others for (opponent_aware.py); −1: for the heuristic |
| DEEP | how many moves of others are searched by a model that looks ahead |
| LEAD | what a policy net says (bots/search/rollouts.py) |
| WAY | how it searches (bots/search/select.py), if it takes nobody for anything |
| SLIP | in so many of a thousand steps it makes any that is legal, if it does not look ahead |
| MARGIN | millionths of a victory by which another move must be better than the heuristic's (bots/search/reluctance.py); |
| | 0: any; who has such a margin remembers nothing of the others |

| array | shape | is |
| --- | --- | --- |
| states | RECORDS records from `i` | the first is fresh, with its options; the others are worked in |
| cells | uint8 (records, bytes) | the bytes of `states` |
| seating | int64 (deals, P) | the row of each seat's bot |
| shares | float64 (deals, P) | what each seat has of the victory |
| places | int64 (deals, P) | how many seats finished before it (loops.lead) |

What `OTHER` decided is noted as far as there is room in `Notes`, for whoever learns from it (trajectories.py), and every
step of everybody, for whoever looks back at the matches (mixed.py).
"""

from typing import Any, NamedTuple

from outbid.bots.belief.opponent_types import NOWHERE, believe, forget, judge, overhear
from outbid.bots.belief.opponent_types import RECORDS as OVERHEARD
from outbid.bots.belief.particle_filter import LAPSED, WORKED_IN, begin, follow
from outbid.bots.nets.net_policy import draw_of, net_step
from outbid.bots.search.reluctance import leave
from outbid.bots.search.select import think
from outbid.compiled.loops import lead
from outbid.core.chance import below, stream
from outbid.core.contract import CLOCK, apply, asked, deal, hide, is_public, legal, midway, observe, score, told, winners
from outbid.core.seats import lowest
from outbid.lab.opponent_aware import (
    ANYTHING,
    BUDGET,
    HEURISTIC,
    LEAD,
    MARGIN,
    MODEL,
    NET,
    OTHER,
    PLIES,
    SLIP,
    WAY,
    weigh_knowing,
)  # fmt: skip

THINKING = 12  # records of the match and of whoever thinks; those after them are overhear's
ROOM = THINKING + OVERHEARD  # those after them are worked in where worlds are kept
RECORDS = ROOM + WORKED_IN  # those after them are the worlds that each seat keeps, if any
OPEN, SECRET = 1, 2  # how one learns who the others are: nobody has secrets, or somebody may
COLUMNS = SLIP + 1
MILLION = 1_000_000
SEATS_FROM = 1 << 40  # streams of a match from here on: one a seat
SLIPS_FROM = 1 << 44  # streams of a seat's step: whether it slips
FAR = 100_000  # steps after which a match is broken off


class Notes(NamedTuple):
    """Steps of the net OTHER in which it had a choice, in order; and all steps. As many as there is room for, but all are
    counted."""

    seen: Any  # float32 (R, F): what it saw
    could: Any  # bool (R, A): what it could do
    did: Any  # int64 (R,): the action
    until: Any  # int64 (deals,): how many there were when each match ended
    n: Any  # int64 (1,): how many there were
    steps: Any  # int16 (S, 2): who made each step (or CLOCK), and the action
    ends: Any  # int64 (deals,): how many steps there had been when each match ended
    made: Any  # int64 (1,): how many steps there were


def matches(
    states, cells, i, seed, first, last, seating, policies, manners, watching, points_weight, unit, players, tree, work,
    inner, notes, shares, places
):
    """Play the deals `first` … `last` − 1, the k-th of them as seating[k] says; fills shares[k] and places[k]. watching:
    OPEN or SECRET where those who look ahead learn from the moves who the others are (bots/belief/opponent_types.py).

    A deal and what a seat draws depend on seed, deal and seat alone: all steps of a move draw from the stream of the
    seat's move. Returns the number of decisions that looked ahead.
    """
    thought = 0
    for k in range(last - first):
        match = stream(seed, first + k)
        states[i + 1] = states[i]
        deal(states[i + 1], players, match)
        made = 0
        forget(work)
        if watching == SECRET:
            for seat in range(players):
                if remembers(policies[seating[k, seat]]):
                    own = stream(match, SEATS_FROM + seat)
                    begin(states, i + 1, worlds_of(i, seat, work), i - 1 + ROOM, seat, own, work)
        for steps in range(FAR):
            left = asked(states[i + 1])
            if left == 0:
                break
            clock = (left >> CLOCK) & 1
            left &= ~(1 << CLOCK)
            said = False
            while left != 0 and not said:
                seat = lowest(left)
                left &= ~(1 << seat)
                own = stream(stream(match, SEATS_FROM + seat), made)
                thought += policies[seating[k, seat], BUDGET] > 0
                said = act(
                    states, cells, i + 1, seat, clock, own, steps, seating[k], policies, manners, watching, match,
                    points_weight, unit, tree, work, inner, notes
                )
                if said:
                    made += 1 - midway(states[i + 1], seat)
            if not said:
                legal(states[i + 1], CLOCK, work.out)
                keep(CLOCK, work.out[0], notes)
                apply(states[i + 1], CLOCK, work.out[0])
        finish(states[i + 1], players, work.points, shares[k], places[k])
        if len(notes.until) > 0:
            notes.until[k] = notes.n[0]
        if len(notes.ends) > 0:
            notes.ends[k] = notes.made[0]
    return thought


def act(
    states, cells, i, seat, clock, own, steps, bots, policies, manners, watching, match, points_weight, unit, tree, work,
    inner, notes
):
    """One step of an asked seat of the match states[i], or its whole move; returns whether it had something to say."""
    bot = bots[seat]
    budget = policies[bot, BUDGET]
    if budget == ANYTHING:
        r = stream(own, steps)
        n = legal(states[i], seat, work.out)
        if n == 0 or clock * below(stream(r, 0), 2) == 1:
            return False
        make(states, i, seat, work.out[below(r, n)], bots, policies, watching, match, work, notes)
        return True
    if policies[bot, SLIP] > 0 and below(stream(stream(own, SLIPS_FROM), steps), 1000) < policies[bot, SLIP]:
        n = legal(states[i], seat, work.out)
        if n > 0:
            action = work.out[below(stream(stream(own, SLIPS_FROM + 1), steps), n)]
            make(states, i, seat, action, bots, policies, watching, match, work, notes)
        return n > 0
    if budget == NET:
        action = net_step(states, i, seat, draw_of(own, steps), work)
        make(states, i, seat, action, bots, policies, watching, match, work, notes)
        return True
    if budget == OTHER:
        action = net_step(states, i, seat, draw_of(own, steps), inner)
        note(states[i], seat, action, inner.out, notes)
        make(states, i, seat, action, bots, policies, watching, match, work, notes)
        return True
    states[i + 1] = states[i]
    hide(states[i + 1], seat)
    if budget == HEURISTIC:
        action = told(states[i + 1], seat, own, work.note, manners[bot])
        if action >= 0:
            make(states, i, seat, action, bots, policies, watching, match, work, notes)
        return action >= 0
    model = policies[bot, MODEL]
    doubt = work.doubt[0]
    if policies[bot, MARGIN] > 0:
        work.doubt[0] = 1.0
    if watching > 0:
        believe(seat, states[i].players, work)
    work.kept[0] = NOWHERE
    if watching == SECRET and remembers(policies[bot]) and work.looks[seat] != LAPSED:
        work.kept[0] = worlds_of(i - 1, seat, work)
    if model < 0:
        best, n = think(
            states, cells, i + 1, seat, own, policies[bot, WAY], budget, policies[bot, PLIES], points_weight, unit,
            policies[bot, LEAD], 0, tree, work
        )
        best = leave(best, n, policies[bot, MARGIN] / MILLION, work)
    else:
        best, n = weigh_knowing(
            states, i + 1, seat, own, policies[bot], policies[model], manners[model], points_weight, unit, work, inner
        )
    work.doubt[0] = doubt
    if n > 0:
        for k in range(work.lengths[best]):
            make(states, i, seat, work.moves[best][k], bots, policies, watching, match, work, notes)
    return n > 0


def make(states, i, seat, action, bots, policies, watching, match, work, notes):
    """One step of an asked seat, of which those who watch take note."""
    keep(seat, action, notes)
    if watching != SECRET:
        if watching == OPEN:
            judge(states, i, seat, action, work)
        apply(states[i], seat, action)
        return
    shown = is_public(states[i], seat, action)
    if shown != 0:
        overhear(states, i, i - 1 + THINKING, seat, action, midway(states[i], seat) == 0, work)
    apply(states[i], seat, action)
    looking = shown != 1 and midway(states[i], seat) == 0
    for other in range(states[i].players):
        if remembers(policies[bots[other]]):
            at = worlds_of(i - 1, other, work)
            knows = shown != 0 or other == seat
            own = stream(match, SEATS_FROM + other)
            follow(states, i, at, i - 1 + ROOM, other, seat, action, knows, looking, own, work)


def remembers(policy):
    """Whether a bot looks ahead in worlds that it keeps."""
    return policy[BUDGET] > 0 and policy[MARGIN] == 0


def note(s, seat, action, out, notes):
    """Note what the asked seat does, if it had a choice."""
    n = legal(s, seat, out)
    if n < 2:
        return
    row = notes.n[0]
    notes.n[0] += 1
    if row < len(notes.did):
        observe(s, seat, notes.seen[row])
        for k in range(n):
            notes.could[row, out[k]] = True
        notes.did[row] = action


def keep(seat, action, notes):
    """Note a step."""
    row = notes.made[0]
    notes.made[0] += 1
    if row < len(notes.steps):
        notes.steps[row, 0] = seat
        notes.steps[row, 1] = action


def worlds_of(i, seat, work):
    """The first of the worlds that a seat keeps."""
    return i + RECORDS + seat * len(work.odds[seat])


def finish(s, players, points, shares, places):
    """What each seat has of the victory, and its place."""
    won = winners(s, points)
    n = 0
    for seat in range(players):
        n += (won >> seat) & 1
    score(s, points)
    for seat in range(players):
        shares[seat] = 0.0
        if (won >> seat) & 1:
            shares[seat] = 1.0 / n
        places[seat] = 0
        for other in range(players):
            places[seat] += lead(won, points, other, seat) > 0
