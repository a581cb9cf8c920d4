"""A particle filter over the whole match: hidden states that a seat keeps from move to move.

What others hold follows from all that they have done. A state keeps of that only what is certain: cards, counts and bounds
(`redeal` deals anything within them). But a player who has paid a price, laid an offer or taken one has done so out of some
hand, in some way. So a seat can keep N particles with odds (N. J. Gordon, D. J. Salmond and A. F. M. Smith, Novel
Approach to Nonlinear/Non-Gaussian Bayesian State Estimation, IEE Proceedings F 140(2), 1993), and replay the match in each
of them, in a game that says how (contract.observe_chance):

    a step that all see          is made in every particle; the odds of a particle in which it is not possible become 0
    a step of the seat           the same
    a step that the seat         is made in every particle several times anew, as the heuristic or as the player's opponent
    does not see                 type (opponent_types.py) would, out of the hand that the player has there. Each time that no
                                 player would have seen it and the seat sees the same, a particle is added with that part of
                                 the odds; the odds of a particle to which that never happens become 0
    an observation               after each move of which something depends on what lies hidden (contract.is_public: 2 or 0):
                                 the odds of a particle that looks to the seat unlike what it sees become 0

So the odds follow Bayes' rule for these players having acted as they did, as far as so many draws tell (TRIES, ENOUGH). Of
the particles added by a move, those that look alike to all players are one, with the odds of all; so the list is complete as
long as there are no more than N. Of more the likeliest stay.

Reinvigoration (D. Silver and J. Veness, Monte-Carlo Planning in Large POMDPs, NIPS 2010): of the odds that became 0, one
part in FRESH goes to particles sampled anew from what the seat sees then, and all of it if no particle is left. So a
wrong opponent type does not rule a hand out for long. Steps that all see rule particles out but weigh none. determinize.py
takes the determinizations of a decision from the particles. Where any player may speak at any time, and so under a clock,
none are kept (LAPSED), for the rest of the match.

What has been tried is counted in work.filter_steps, step by step, from the seat's own last move on: a decision has so
much less left (select.py), and of what is dear, less is tried.

Each observation has a stream of its own, by the seat's and how many it has made: a seat that begins anew, or goes on from
an earlier decision, comes to the same particles. (At a table very long matches begin later: strong.py, LONG.) Compiled
subset; `work` is rollouts.py's, N the columns of work.odds.
"""

from outbid.bots.belief.determinize import alike
from outbid.bots.nets.net_policy import LONGEST, draw_of, net_step
from outbid.bots.belief.opponent_types import AS_NET, AS_STEADY, GOLDEN, LAPSED, RECORDS, overhear, spread, type_at
from outbid.core.chance import stream
from outbid.core.contract import CLOCK, apply, asked, observe_chance, hide, legal, midway, observe, is_public, play, redeal

MANY = 128  # particles
TRIES = 1024  # of an unseen move, at most, until the seat has seen what it has seen ENOUGH times …
ENOUGH = 128  # … each particle's part of it by its odds …
LEAST_TRIES, LEAST = 64, 4  # … but of each so many
TINY = 1e-12  # odds of what has only just been added
FRESH = 16
DEAR, LESS = 40_000, 4  # where so many steps have been tried since the seat moved last, so many times fewer are
HARDLY = 1e-6  # a part of the odds that is none
WORKED_IN = 3  # records besides the particles
OBSERVATIONS_FROM = 1 << 45  # streams of a seat: its observations
UNSEEN = -1  # an action that the seat has not seen


def begin(states, now, at, room, seat, seed, work):
    """Deal the particles states[at], states[at + 1], … of a match that begins, states[now], whole or hidden for the seat;
    states[room] is worked in. seed: the seat's."""
    work.observations[seat] = 0 if len(work.odds[seat]) > 0 else LAPSED
    work.filter_steps[seat] = 0
    if work.observations[seat] == 0:
        deal_all(states, now, at, room, seat, stream(seed, OBSERVATIONS_FROM), work)


def deal_all(states, now, at, room, seat, seed, work):
    """Sample all particles anew, all as likely; those that look alike are one."""
    many = len(work.odds[seat])
    for n in range(many):
        work.odds[seat, n] = 0.0
    for n in range(many):
        states[room] = states[now]
        redeal(states[room], seat, stream(seed, n))
        add(states, room, at, seat, 1.0 / many, work)
    weight_added(seat, 1.0 / many, work)
    keep_added(seat, work)


def follow(states, now, at, room, seat, mover, action, shown, observing, seed, work):
    """Replay a step that `mover` has made, in the particles of a seat from states[at] on; WORKED_IN records from `room`
    on are worked in.

    states[now], whole or hidden for the seat, is the match after that step, or later if nothing is observed (`observing`).
    There is to be an observation after every move of which something depends on what lies hidden. shown: whether the seat
    knows the step; if not, `action` does not matter, and of the steps of a move the last one counts, with an observation.
    """
    if work.observations[seat] == LAPSED:
        return
    if mover == seat:
        work.filter_steps[seat] = 0
    if mover == CLOCK or (asked(states[now]) >> CLOCK) & 1:
        work.observations[seat] = LAPSED
        work.filter_steps[seat] = 0
        return
    if not shown and not observing:
        return
    if observing:
        work.observations[seat] += 1
        observe(states[now], seat, work.seen)
    r = stream(seed, OBSERVATIONS_FROM + work.observations[seat])
    for n in range(len(work.odds[seat])):
        if work.odds[seat, n] > 0.0:
            observe_chance(states[at + n], states[now])
            if shown and make_seen(states, at + n, mover, action, work) == 0:
                work.odds[seat, n] = 0.0
            elif shown and observing:
                observe(states[at + n], seat, work.obs)
                work.odds[seat, n] *= alike(work.seen, work.obs)
    if observing:
        living = summed(seat, work)
        if not shown:
            living -= branch(states, at, room, seat, mover, stream(r, 0), work)
        reinvigorate(states, now, at, room, seat, 1.0 - living, stream(r, 1), work)


def make_seen(states, at, mover, action, work):
    """Make a step that all have seen in a particle, if it is possible: 1, else 0."""
    if (asked(states[at]) >> mover) & 1 == 0:
        return 0
    for k in range(legal(states[at], mover, work.out)):
        if work.out[k] == action:
            apply(states[at], mover, action)
            return 1
    return 0


def branch(states, at, room, seat, mover, seed, work):
    """Let a player make in every particle a move that may have been made there, so that the seat sees what it has seen; the
    particles that result take their place. Returns the odds of those of which none resulted."""
    lost = 0.0
    total = summed(seat, work)
    for n in range(len(work.odds[seat])):
        odds = work.odds[seat, n]
        if odds > 0.0:
            work.odds[seat, n] = 0.0
            states[room + 2] = states[at + n]
            if (asked(states[room + 2]) >> mover) & 1 == 0:
                lost += odds
            elif draw(states, at, room, seat, mover, odds, odds / total, stream(seed, n), work) == 0:
                lost += odds
    keep_added(seat, work)
    return lost


def draw(states, at, room, seat, mover, odds, part, seed, work):
    """Add what results from one particle, states[room + 2], which is this part of all; returns how often the seat would have
    seen what it has seen."""
    tries = max(LEAST_TRIES, int(TRIES * part))
    wanted = max(LEAST, int(ENOUGH * part))
    if work.filter_steps[seat] > DEAR:
        tries //= LESS
        wanted = 1
    accepted = 0
    attempts = 0
    while attempts < tries and accepted < wanted:
        states[room] = states[room + 2]
        if make_unseen(states, room, seat, mover, attempts, stream(seed, attempts), work):
            add(states, room, at, seat, odds / tries, work)
            accepted += 1
        attempts += 1
    weight_added(seat, odds / attempts, work)
    return accepted


def make_unseen(states, room, seat, mover, number, seed, work):
    """Let a player make a move in states[room], unseen, as the opponent type drawn for the `number`-th time: 1 if the seat
    sees what it has seen, else 0."""
    who = AS_STEADY
    if len(work.types) > 0:
        who = type_at(spread(number) + mover * GOLDEN, mover, work)
    for n in range(LONGEST):
        work.filter_steps[seat] += 1
        if who == AS_NET:
            action = net_step(states, room, mover, draw_of(seed, n), work)
        else:
            states[room + 1] = states[room]
            hide(states[room + 1], mover)
            action = play(states[room + 1], mover, seed, work.note, who)
        if is_public(states[room], mover, action) != 0:
            return 0
        apply(states[room], mover, action)
        if midway(states[room], mover) == 0:
            break
    observe(states[room], seat, work.obs)
    return alike(work.seen, work.obs)


def add(states, room, at, seat, odds, work):
    """Add the particle states[room] to those of a seat; where there is no room, the least likely of those added gives way,
    or this one, of which at least these odds are known. What was added is negative in work.odds until all are; how often a
    particle was added is in work.copies."""
    value = fingerprint(states, room, work)
    least = -1
    for n in range(len(work.odds[seat])):
        if work.odds[seat, n] < 0.0 and work.fingerprints[n] == value:
            work.copies[n] += 1
            return
        if work.odds[seat, n] <= 0.0 and work.copies[n] == 0 and (least < 0 or work.odds[seat, n] > work.odds[seat, least]):
            least = n
    if least >= 0 and -work.odds[seat, least] < odds:
        states[at + least] = states[room]
        work.odds[seat, least] = -TINY
        work.fingerprints[least] = value
        work.copies[least] = 1


def fingerprint(states, i, work):
    """A number by which particles that look different to a player can be told apart: the sum of all that each player sees,
    each value times a number of its own."""
    total = 0.0
    place = 0.0
    for viewer in range(states[i].players):
        observe(states[i], viewer, work.obs)
        for k in range(len(work.obs)):
            place += GOLDEN
            if place >= 1.0:
                place -= 1.0
            total += work.obs[k] * place
    return total


def weight_added(seat, each, work):
    """Give what was added its odds: so much each time."""
    for n in range(len(work.odds[seat])):
        if work.copies[n] > 0:
            work.odds[seat, n] -= each * work.copies[n]
            work.copies[n] = 0


def keep_added(seat, work):
    """Those that were added are those that are kept."""
    for n in range(len(work.odds[seat])):
        work.odds[seat, n] = abs(work.odds[seat, n])


def summed(seat, work):
    """The odds of all particles of a seat together."""
    total = 0.0
    for n in range(len(work.odds[seat])):
        total += work.odds[seat, n]
    return total


def reinvigorate(states, now, at, room, seat, lost, seed, work):
    """After an observation: sample some anew in the place of the least likely, for those that were lost, which were that
    part of all, or all if none is left; and make the odds chances again."""
    many = len(work.odds[seat])
    total = summed(seat, work)
    if total <= 0.0:
        deal_all(states, now, at, room, seat, seed, work)
        total = summed(seat, work)
    elif lost > HARDLY:
        fresh = max(1, int(many * lost / FRESH))
        each = total * lost / FRESH / fresh
        for k in range(fresh):
            least = 0
            for n in range(many):
                if work.odds[seat, n] < work.odds[seat, least]:
                    least = n
            if work.odds[seat, least] < each:
                states[at + least] = states[now]
                redeal(states[at + least], seat, stream(seed, k))
                work.odds[seat, least] = each
        total = summed(seat, work)
    for n in range(many):
        work.odds[seat, n] /= total


def replay(states, movers, actions, shown, before, after, now, seat, seed, work):
    """Judge (opponent_types.py) and replay the steps of a match, from the first one on or from where the particles and
    what has been learned are by then.

    movers, actions, shown, before, after: int64 (N,): who made the step (−1: the match begins with states[after]), the
    action id (UNSEEN: the seat has not seen it), 1 where all have seen it, the record of what all saw before it (−1: it goes
    on with a move, or not all have seen it), and that of what the seat saw after it (−1: there is nothing to look at).
    states[now] is what it sees now. As many records as `overhear` works in follow it, then the particles; after them
    WORKED_IN records are worked in."""
    at = now + 1 + RECORDS
    for k in range(len(movers)):
        room = at + len(work.odds[seat])
        if movers[k] < 0:
            begin(states, after[k], at, room, seat, seed, work)
            continue
        if shown[k] == 1 and movers[k] != CLOCK:
            overhear(states, max(0, before[k]), now + 1, movers[k], actions[k], before[k] >= 0, work)
        view = now
        if after[k] >= 0:
            view = after[k]
        follow(states, view, at, room, seat, movers[k], actions[k], actions[k] != UNSEEN, after[k] >= 0, seed, work)
