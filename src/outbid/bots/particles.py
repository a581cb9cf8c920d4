"""Worlds that a seat keeps from move to move: a particle filter over the whole match.

What others hold follows from all that they have done. A state keeps of that only what is certain, cards, counts and bounds
(`redeal` deals anything within them); but who has paid a price, laid an offer or taken one has done so out of some hand, in
some way. So a seat can keep N worlds, dealt as the match begins, and live through the match in each of them, in a game that
says how (contract.foretell):

    what all see                 is done in every world; one in which it is not possible is dead
    what the seat does           the same
    what somebody does unseen    is done in every world anew, as the heuristic or whoever he is taken for there (styles.py)
                                 would, out of the hand he has in it, up to TRIES times until nobody would have seen it and
                                 the seat sees the same; one in which it never does is dead
    a look                       after all that depends on what lies hidden (contract.overt, 2 or 0), a world that looks to
                                 the seat unlike what it sees is dead

After each look a dead world becomes a copy of one that lives; one in FRESH of them, and all if none lives, is dealt anew
out of what the seat sees then, so that nobody's being another than he is taken for rules a hand out for long. By that the
worlds are those in which those players would have acted as they did, more often the likelier they were to (a bootstrap
filter: N. Gordon, D. Salmond and A. Smith, Novel approach to nonlinear/non-Gaussian Bayesian state estimation, 1993), but
only roughly so: a world in which somebody acts so one time in three is not left less often than one in which he always does.
What all see rules worlds out, and weighs none. belief.py takes the worlds of a decision from them.
Where anybody may speak at any time, and so under a clock, none are kept (LAPSED), for the rest of the match.

A look has a stream of its own, by the seat's and how many it has made: whoever begins anew, or goes on from an earlier
decision, comes to the same worlds. Compiled subset; `work` is lookahead.py's, N the columns of work.alive.
"""

from outbid.bots.belief import alike
from outbid.bots.learned import LONGEST, draw_of, net_step
from outbid.bots.styles import AS_NET, AS_STEADY, GOLDEN, RECORDS, guise_at, overhear, spread
from outbid.engine.chance import below, stream
from outbid.engine.contract import CLOCK, apply, asked, foretell, hide, legal, midway, observe, overt, play, redeal

MANY = 32  # worlds
TRIES = 16
FRESH = 16
WORKED_IN = 2  # records besides the worlds
LAPSED = -1
LOOKS_FROM = 1 << 45  # streams of a seat: its looks
UNSEEN = -1  # an action that the seat has not seen


def begin(states, now, at, seat, seed, work):
    """Deal the worlds states[at], states[at + 1], … of a match that begins, states[now], whole or hidden for the seat.
    seed: the seat's."""
    work.looks[seat] = 0 if len(work.alive[seat]) > 0 else LAPSED
    for n in range(len(work.alive[seat])):
        work.alive[seat, n] = 1
        states[at + n] = states[now]
        redeal(states[at + n], seat, stream(stream(seed, LOOKS_FROM), n))


def follow(states, now, at, room, seat, mover, action, shown, looking, seed, work):
    """Live through a step that `mover` has made, in the worlds of a seat from states[at] on; WORKED_IN records from `room`
    on are worked in.

    states[now], whole or hidden for the seat, is the match after that step, or later if this is no look (`looking`). There
    is to be one after every move of which something depends on what lies hidden. shown: whether the seat knows the step; if
    not, `action` does not matter, and of the steps of a move the last one counts, with a look.
    """
    if work.looks[seat] == LAPSED:
        return
    if mover == CLOCK or (asked(states[now]) >> CLOCK) & 1:
        work.looks[seat] = LAPSED
        return
    if not shown and not looking:
        return
    if looking:
        work.looks[seat] += 1
        observe(states[now], seat, work.seen)
    r = stream(seed, LOOKS_FROM + work.looks[seat])
    many = len(work.alive[seat])
    living = 0
    for n in range(many):
        foretell(states[at + n], states[now])
        if shown:
            work.alive[seat, n] = work.alive[seat, n] and does(states, at + n, mover, action, work)
            if looking and work.alive[seat, n]:
                observe(states[at + n], seat, work.obs)
                work.alive[seat, n] = alike(work.seen, work.obs)
        else:
            work.alive[seat, n] = work.alive[seat, n] and does_unseen(
                states, at + n, room, seat, mover, n, stream(r, n), work
            )
        living += work.alive[seat, n]
    if looking:
        if living < many:
            replace(states, now, at, seat, living, r, work)
        for n in range(many):
            work.alive[seat, n] = 1


def does(states, at, mover, action, work):
    """Do what all have seen, in a world where it is possible: 1, else 0."""
    if (asked(states[at]) >> mover) & 1 == 0:
        return 0
    for k in range(legal(states[at], mover, work.out)):
        if work.out[k] == action:
            apply(states[at], mover, action)
            return 1
    return 0


def does_unseen(states, at, room, seat, mover, number, seed, work):
    """Let somebody do in a world, its `number`-th, what he may have done there, so that the seat sees what it has seen:
    1; or 0, if he never does."""
    if (asked(states[at]) >> mover) & 1 == 0:
        return 0
    who = AS_STEADY
    if len(work.guises) > 0:
        who = guise_at(spread(number) + mover * GOLDEN, mover, work)
    for attempt in range(TRIES):
        own = stream(seed, attempt)
        states[room] = states[at]
        seen = 0
        for n in range(LONGEST):
            if who == AS_NET:
                action = net_step(states, room, mover, draw_of(own, n), work)
            else:
                states[room + 1] = states[room]
                hide(states[room + 1], mover)
                action = play(states[room + 1], mover, own, work.note, who)
            seen = max(seen, overt(states[room], mover, action))
            apply(states[room], mover, action)
            if midway(states[room], mover) == 0:
                break
        if seen == 0:
            observe(states[room], seat, work.obs)
            if alike(work.seen, work.obs):
                states[at] = states[room]
                return 1
    return 0


def replace(states, now, at, seat, living, seed, work):
    """Put others in the place of dead worlds."""
    many = len(work.alive[seat])
    for n in range(many):
        if work.alive[seat, n] == 0:
            own = stream(seed, many + n)
            if living == 0 or below(stream(own, 0), FRESH) == 0:
                states[at + n] = states[now]
                redeal(states[at + n], seat, own)
            else:
                states[at + n] = states[at + living_one(below(stream(own, 1), living), seat, work)]


def living_one(nth, seat, work):
    """The number of the nth living world."""
    for n in range(len(work.alive[seat])):
        if work.alive[seat, n] == 1:
            if nth == 0:
                return n
            nth -= 1
    return 0


def go_over(states, movers, actions, shown, before, after, now, seat, seed, work):
    """Judge (styles.py) and live through the steps of a match, from the first one on or from where the worlds and what has
    been learned are by then.

    movers, actions, shown, before, after: int64 (N,): who made the step (−1: the match begins with states[after]), the
    action id (UNSEEN: the seat has not seen it), 1 where all have seen it, the record of what all saw before it (−1: it goes
    on with a move, or not all have seen it), and that of what the seat saw after it (−1: there is nothing to look at).
    states[now] is what it sees now. As many records as `overhear` works in follow it, then the worlds; after them WORKED_IN
    records are worked in.
    """
    at = now + 1 + RECORDS
    for k in range(len(movers)):
        if movers[k] < 0:
            begin(states, after[k], at, seat, seed, work)
            continue
        if shown[k] == 1 and movers[k] != CLOCK:
            overhear(states, max(0, before[k]), now + 1, movers[k], actions[k], before[k] >= 0, work)
        view = now
        if after[k] >= 0:
            view = after[k]
        room = at + len(work.alive[seat])
        follow(states, view, at, room, seat, movers[k], actions[k], actions[k] != UNSEEN, after[k] >= 0, seed, work)
