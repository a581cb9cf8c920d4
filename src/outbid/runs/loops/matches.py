"""Whole matches among bots, compiled: who sits where is given for every deal. Compiled subset.

`matches` plays any bots; `quick` is the same loop without what searches and what remembers, which takes minutes to compile:
there the `Search` is none, and Numba leaves out the branches that need one. Nets play in both.

A bot is a row of `policies`, int64 (bots, COLUMNS), and of `params`, records of policy parameters
(core/hooks/policy_params.py):

| column | is |
| --- | --- |
| BUDGET | rollouts of a decision; `HEURISTIC`, `ANYTHING`, `NET` or `OTHER` for one that does not look ahead |
| LIMIT | steps of a decision's rollouts, at most |
| MAX_DEPTH | moves of a rollout (bots/search/rollouts.py) |
| MODEL | the row of the bot that it takes all others for (opponent_aware.py); −1: for the heuristic |
| DEEP | how many moves of others are searched by a model that looks ahead |
| LEAD | what a policy net says (bots/search/rollouts.py) |
| MODE | how it searches (bots/search/select.py), if it has no model of the others |
| SLIP | in so many of a thousand steps it makes any that is legal, if it does not look ahead |
| MARGIN | millionths of a victory by which another move must be better than the heuristic's (bots/search/margin.py); |
| | 0: any; who has such a margin remembers nothing of the others |

| array | shape | is |
| --- | --- | --- |
| seating | int64 (deals, P) | the row of each seat's bot |
| shares | float64 (deals, P) | what each seat has of the victory |
| places | int64 (deals, P) | how many seats finished before it (loops.lead) |

What `OTHER` decided is noted as far as there is room in `Notes`, to learn from (trajectories.py), and every step of all
seats, to look back at the matches (mixed.py).
"""

from typing import Any, NamedTuple

from outbid.bots.belief.opponent_types import NOWHERE, believe, forget, judge, overhear
from outbid.bots.belief.opponent_types import RECORDS as OVERHEARD
from outbid.bots.belief.particle_filter import LAPSED, WORKED_IN, begin, follow
from outbid.bots.nets.net_policy import draw_of, net_step
from outbid.bots.search.margin import leave
from outbid.bots.search.select import think
from outbid.compiled.buffers import bool_, declared, float32, int16, int64
from outbid.compiled.loops import SEATS_FROM, lead
from outbid.core.chance import below, stream
from outbid.core.contract import CLOCK, apply, asked, deal, hide, is_public, legal, midway, observe, score, told, winners
from outbid.core.seats import how_many, lowest
from outbid.runs.loops.opponent_aware import (
    ANYTHING,
    BUDGET,
    DEEP,
    HEURISTIC,
    LIMIT,
    MARGIN,
    MODE,
    MODEL,
    NET,
    OTHER,
    SLIP,
    SLIPS_FROM,
    config_of,
    evaluate_opponent_aware,
)  # fmt: skip

THINKING = 12  # records of the match and of the seat that searches; those after them are overhear's
PARTICLES = THINKING + OVERHEARD  # those after them are worked in where particles are kept
RECORDS = PARTICLES + WORKED_IN  # those after them are the particles that each seat keeps, if any
OPEN, SECRET = 1, 2  # how one learns who the others are: no player has secrets, or some may
COLUMNS = LIMIT + 1
MILLION = 1_000_000


@declared
class Notes(NamedTuple):
    """Steps of the net OTHER in which it had a choice, in order; and all steps. As many as there is room for, but all are
    counted."""

    seen: Any = float32("R", "F", says="what it saw")
    could: Any = bool_("R", "A", says="what it could do")
    did: Any = int64("R", says="the action")
    until: Any = int64("deals", says="how many there were when each match ended")
    n: Any = int64(1, says="how many there were")
    steps: Any = int16("S", 2, says="who made each step (or CLOCK), and the action")
    ends: Any = int64("S deals", says="how many steps there had been when each match ended; none if S is 0")
    made: Any = int64(1, says="how many steps there were")


class Roster(NamedTuple):
    """The bots. watching: OPEN or SECRET where those who look ahead learn from the moves who the others are
    (bots/belief/opponent_types.py), else 0. points_weight, unit: as in rollouts.RolloutConfig. limit: steps after which a
    match is broken off. hesitant: a seat that slips says nothing as often as the clock is drawn before it."""

    policies: Any
    params: Any
    watching: int
    points_weight: float
    unit: float
    limit: int
    hesitant: bool


class ThreadRoom(NamedTuple):
    """Working space of one thread. states: RECORDS records, of which the first is fresh, with its options, and then the
    particles that seats keep. inner: that of the net OTHER, and of a model's search."""

    states: Any
    work: Any
    notes: Any
    inner: Any


class Search(NamedTuple):
    """Working space of searches. cells: the bytes of the room's states."""

    cells: Any
    searches: Any


def quick(room, seed, first, last, seating, roster, shares, places):
    """`matches` among bots that do not search."""
    return matches(room, None, seed, first, last, seating, roster, shares, places)


def matches(room, search, seed, first, last, seating, roster, shares, places):
    """Play the deals `first` … `last` − 1, the k-th of them as seating[k] says; fills shares[k] and places[k].

    A deal and what a seat draws depend on seed, deal and seat alone: all steps of a move draw from the stream of the
    seat's move. Returns the number of decisions that looked ahead."""
    states, work, notes = room.states, room.work, room.notes
    players = seating.shape[1]
    policies = roster.policies
    thought = 0
    for k in range(last - first):
        match = stream(seed, first + k)
        states[1] = states[0]
        deal(states[1], players, match)
        made = 0
        if search is not None:
            forget(work)
        if search is not None and roster.watching == SECRET:
            for seat in range(players):
                if remembers(policies[seating[k, seat]]):
                    own = stream(match, SEATS_FROM + seat)
                    begin(states, 1, particles_of(seat, work), PARTICLES, seat, own, work)
        for steps in range(roster.limit):
            left = asked(states[1])
            if left == 0:
                break
            clock = (left >> CLOCK) & 1
            left &= ~(1 << CLOCK)
            moved = False
            while left != 0 and not moved:
                seat = lowest(left)
                left &= ~(1 << seat)
                own = stream(stream(match, SEATS_FROM + seat), made)
                thought += policies[seating[k, seat], BUDGET] > 0
                moved = act(room, search, seat, clock, own, steps, seating[k], roster, match)
                if moved:
                    made += 1 - midway(states[1], seat)
            if not moved:
                legal(states[1], CLOCK, work.out)
                keep(CLOCK, work.out[0], notes)
                apply(states[1], CLOCK, work.out[0])
        finish(states[1], players, work.points, shares[k], places[k])
        if len(notes.until) > 0:
            notes.until[k] = notes.n[0]
        if len(notes.ends) > 0:
            notes.ends[k] = notes.made[0]
    return thought


def act(room, search, seat, clock, own, steps, bots, roster, match):
    """One step of an asked seat of the match, or its whole move; returns whether it had something to say."""
    states, work, notes, policies = room.states, room.work, room.notes, roster.policies
    bot = bots[seat]
    budget = policies[bot, BUDGET]
    if budget == ANYTHING:
        return anything(room, search, seat, clock, stream(own, steps), bots, roster, match)
    if policies[bot, SLIP] > 0 and below(stream(stream(own, SLIPS_FROM), steps), 1000) < policies[bot, SLIP]:
        r = stream(stream(own, SLIPS_FROM + 1), steps)
        return anything(room, search, seat, clock * roster.hesitant, r, bots, roster, match)
    if budget == NET:
        action = net_step(states, 1, seat, draw_of(own, steps), work)
        make(states, search, seat, action, bots, roster, match, work, notes)
        return True
    if budget == OTHER:
        action = net_step(states, 1, seat, draw_of(own, steps), room.inner)
        note(states[1], seat, action, room.inner.out, notes)
        make(states, search, seat, action, bots, roster, match, work, notes)
        return True
    states[2] = states[1]
    hide(states[2], seat)
    if search is None or budget == HEURISTIC:
        action = told(states[2], seat, own, work.note, roster.params[bot])
        if action >= 0:
            make(states, search, seat, action, bots, roster, match, work, notes)
        return action >= 0
    return look_ahead(room, search, seat, own, bots, roster, match)


def anything(room, search, seat, clock, r, bots, roster, match):
    """Any legal step of an asked seat; where it races the clock, it is silent half of the time."""
    n = legal(room.states[1], seat, room.work.out)
    if n == 0 or clock * below(stream(r, 0), 2) == 1:
        return False
    make(room.states, search, seat, room.work.out[below(r, n)], bots, roster, match, room.work, room.notes)
    return True


def look_ahead(room, search, seat, own, bots, roster, match):
    """The move of an asked seat whose bot searches, in states[2]; returns whether it had something to say."""
    states, work, notes, policies = room.states, room.work, room.notes, roster.policies
    bot = bots[seat]
    doubt = work.doubt[0]
    if policies[bot, MARGIN] > 0:
        work.doubt[0] = 1.0
    if roster.watching > 0:
        believe(seat, states[1].players, work)
    work.particles[0] = NOWHERE
    if roster.watching == SECRET and remembers(policies[bot]) and work.observations[seat] != LAPSED:
        work.particles[0] = particles_of(seat, work)
    config, model = config_of(policies[bot], roster.points_weight, roster.unit), policies[bot, MODEL]
    if model < 0:
        best, n = think(states, search.cells, 2, seat, own, policies[bot, MODE], config, 0, search.searches, work)
        best = leave(best, n, policies[bot, MARGIN] / MILLION, work)
    else:
        best, n = evaluate_opponent_aware(
            states, 2, seat, own, config, policies[bot, DEEP], policies[model], roster.params[model], work, room.inner
        )
    work.doubt[0] = doubt
    if n > 0:
        for k in range(work.lengths[best]):
            make(states, search, seat, work.moves[best][k], bots, roster, match, work, notes)
    return n > 0


def make(states, search, seat, action, bots, roster, match, work, notes):
    """One step of an asked seat, of which those who watch take note."""
    keep(seat, action, notes)
    if search is None or roster.watching != SECRET:
        if search is not None and roster.watching == OPEN:
            judge(states, 1, seat, action, work)
        apply(states[1], seat, action)
        return
    shown = is_public(states[1], seat, action)
    if shown != 0:
        overhear(states, 1, THINKING, seat, action, midway(states[1], seat) == 0, work)
    apply(states[1], seat, action)
    looking = shown != 1 and midway(states[1], seat) == 0
    for other in range(states[1].players):
        if remembers(roster.policies[bots[other]]):
            at = particles_of(other, work)
            knows = shown != 0 or other == seat
            own = stream(match, SEATS_FROM + other)
            follow(states, 1, at, PARTICLES, other, seat, action, knows, looking, own, work)


def remembers(policy):
    """Whether a bot looks ahead in particles that it keeps."""
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
    """Note a step of the match that is recorded."""
    row = notes.made[0]
    notes.made[0] += 1
    if row < len(notes.steps):
        notes.steps[row, 0] = seat
        notes.steps[row, 1] = action


def particles_of(seat, work):
    """The first of the particles that a seat keeps."""
    return RECORDS + seat * len(work.odds[seat])


def finish(s, players, points, shares, places):
    """What each seat has of the victory, and its place."""
    won = winners(s, points)
    n = how_many(won, players)
    score(s, points)
    for seat in range(players):
        shares[seat] = 0.0
        if (won >> seat) & 1:
            shares[seat] = 1.0 / n
        places[seat] = 0
        for other in range(players):
            places[seat] += lead(won, points, other, seat) > 0
