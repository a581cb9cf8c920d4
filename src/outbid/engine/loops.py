"""Generic loops over states, written once for every game. Compiled subset; on plain states they run as they are.

`states` is a structured array (or a list of plain states), `i` an index into it: a record handed over from Python costs
more than a step. `out` is working space for action ids, `points` for scores; both are given by the caller, because
plain code has lists and compiled code arrays.
"""

from outbid.engine.chance import below, step, stream
from outbid.engine.masks import lowest
from outbid.engine.contract import CLOCK, apply, asked, deal, hide, legal, midway, observe, redeal, score, steady, winners


def some(mask, r):
    """A random seat of a bit mask; seats that are alone need no random number."""
    if mask & (mask - 1) == 0:
        return lowest(mask)
    n = 0
    for seat in range(CLOCK + 1):
        n += (mask >> seat) & 1
    n = below(r, n)
    for seat in range(CLOCK + 1):
        if (mask >> seat) & 1:
            if n == 0:
                return seat
            n -= 1
    return 0


def playout(states, i, seed, limit, out):
    """Uniformly random steps until the match is over or `limit` is reached; returns the number of steps."""
    s = states[i]
    r = seed
    for steps in range(limit):
        mask = asked(s)
        if mask == 0:
            return steps
        r = step(r)
        seat = some(mask, r)
        n = legal(s, seat, out)
        r = step(r)
        if n > 0:
            apply(s, seat, out[below(r, n)])
    return limit


def playouts(states, start, seeds, first, last, limit, players, out):
    """Matches `first` … `last` − 1, dealt and played at random in one record; returns steps, and moves and ends.

    start: an index of a fresh state with its options; states[start + 1] is the working record.
    """
    total = 0
    for number in range(first, last):
        states[start + 1] = states[start]
        deal(states[start + 1], players, stream(seeds, number))
        total += playout(states, start + 1, stream(seeds, number + (1 << 40)), limit, out)
    return total


# --- contests: matches among policies -----------------------------------------------------------------------------------

RANDOM, STEADY = range(2)  # policies: uniformly random steps; the game's own heuristic on a hidden copy
SEATS_FROM = 1 << 40  # streams of a match from here on: one a seat
CLOCK_FROM = 1 << 41  # the stream that decides who is faster than the clock


def columns(players):
    """Length of a row of results: per seat its score, its moves and its steps; then the winners and the clock's acts."""
    return 3 * players + 2


def contest(states, start, seed, first, last, policies, limit, players, out, note, points, results):
    """Play matches `first` … `last` − 1; match m is dealt from stream(seed, m), seat p plays policies[p].

    start: an index of a fresh state with its options; states[start + 1] and states[start + 2] are working records.
    results[m − first] is a row of `columns(players)` integers. A match not over after `limit` steps has no winners.
    Whatever a seat draws comes from its own stream, by the number of its steps and moves.
    """
    for number in range(first, last):
        tally = results[number - first]
        for column in range(columns(players)):
            tally[column] = 0
        states[start + 1] = states[start]
        match = stream(seed, number)
        deal(states[start + 1], players, match)
        for _ in range(limit):
            if asked(states[start + 1]) == 0:
                tally[3 * players] = winners(states[start + 1], points)
                break
            seat, action = next_step(states, start + 1, match, policies, players, out, note, tally)
            apply(states[start + 1], seat, action)
            count_step(states[start + 1], seat, players, tally)
        score(states[start + 1], points)
        for seat in range(players):
            tally[seat] = points[seat]


def count_step(s, seat, players, tally):
    """Count a step that has been made, and the move if that completes it."""
    if seat == CLOCK:
        tally[3 * players + 1] += 1
    else:
        tally[2 * players + seat] += 1
        if midway(s, seat) == 0:
            tally[players + seat] += 1


def next_step(states, i, match, policies, players, out, note, tally):
    """Who acts next, and with what. Where the clock may act, it does when all who are asked have nothing to say; a
    random seat stays silent as often as the clock is drawn before it."""
    left = asked(states[i])
    if (left >> CLOCK) & 1 == 0:
        seat = lowest(left)
        return seat, answer(states, i, seat, match, policies, players, out, note, tally)
    acts = tally[3 * players + 1]
    for seat in range(players):
        acts += tally[2 * players + seat]
    r = stream(stream(match, CLOCK_FROM), acts)
    while left != 0:
        r = step(r)
        seat = some(left, r)
        left &= ~(1 << seat)
        if seat == CLOCK:
            for other in range(players):
                if policies[other] == RANDOM:
                    left &= ~(1 << other)
        else:
            action = answer(states, i, seat, match, policies, players, out, note, tally)
            if action >= 0:
                return seat, action
    legal(states[i], CLOCK, out)
    return CLOCK, out[0]


def answer(states, i, seat, match, policies, players, out, note, tally):
    """The action of an asked seat, or −1 for nothing to say; states[i + 1] is the hidden copy."""
    own = stream(match, SEATS_FROM + seat)
    if policies[seat] == RANDOM:
        n = legal(states[i], seat, out)
        if n == 0:
            return -1
        return out[below(stream(own, tally[2 * players + seat]), n)]
    states[i + 1] = states[i]
    hide(states[i + 1], seat)
    return steady(states[i + 1], seat, stream(own, tally[players + seat]), note)


# --- batches: the arrays are described in batch.py; each call serves matches `first` … `last` − 1 ----------------------


def step_batch(states, fresh, first, last, players, seed, actions, actor, mask, reward, done, episode, out, points):
    """One legal step in every match; a match that ends is rewarded and begins anew. Action −1: the match begins."""
    for i in range(first, last):
        for seat in range(players):
            reward[i, seat] = 0.0
        done[i] = False
        if actions[i] >= 0:
            apply(states[i], actor[i], actions[i])
            if asked(states[i]) == 0:
                done[i] = True
                share(states[i], players, i, reward, points)
                episode[i] += 1
        if actions[i] < 0 or done[i]:
            states[i] = fresh[0]
            deal(states[i], players, stream(stream(seed, i), episode[i]))
        look(states, i, seed + episode[i], actor, mask, out)


def share(s, players, i, reward, points):
    """The reward at the end: the victory, shared equally among the winners."""
    won = winners(s, points)
    n = 0
    for seat in range(players):
        n += (won >> seat) & 1
    for seat in range(players):
        if (won >> seat) & 1:
            reward[i, seat] = 1.0 / n


def look(states, i, seed, actor, mask, out):
    """Who acts next in match i (of several seats asked, a random one), and with what."""
    waiting = asked(states[i])
    actor[i] = lowest(waiting)
    if waiting & (waiting - 1) != 0:
        actor[i] = some(waiting, stream(seed, i))
    n = legal(states[i], actor[i], out)
    if n == 0:
        actor[i] = CLOCK
        n = legal(states[i], actor[i], out)
    show(i, n, mask, out)


def show(i, n, mask, out):
    """The mask of match i: the first n actions of `out`."""
    for action in range(mask.shape[1]):
        mask[i, action] = False
    for k in range(n):
        mask[i, out[k]] = True


def observe_batch(states, work, slot, first, last, actor, obs):
    """The features of every match for the seat that acts, made from a hidden copy in `work[slot]`."""
    for i in range(first, last):
        work[slot] = states[i]
        hide(work[slot], actor[i])
        observe(work[slot], actor[i], obs[i])


def steady_batch(states, work, slot, first, last, seats, seed, steps, begun, actor, mask, out, note, actions):
    """What the heuristic answers in every match whose actor is one of `seats`; −1 in the others.

    begun[i, seat] is the number of steps before the seat's move began, from which all steps of the move draw. Who has
    nothing to say leaves the word to another who is asked: actor and mask are then his. The clock is always answered.
    """
    for i in range(first, last):
        actions[i] = -1
        seat = actor[i]
        left = asked(states[i])
        while actions[i] < 0 and seat != CLOCK and seats[i, seat]:
            if midway(states[i], seat) == 0:
                begun[i, seat] = steps
            own = stream(stream(stream(seed, i), SEATS_FROM + seat), begun[i, seat])
            work[slot] = states[i]
            hide(work[slot], seat)
            actions[i] = steady(work[slot], seat, own, note)
            if actions[i] < 0:
                left &= ~(1 << seat)
                seat = some(left, step(own))
                n = legal(states[i], seat, out)
                if n == 0:
                    seat = CLOCK
                    n = legal(states[i], seat, out)
                actor[i] = seat
                show(i, n, mask, out)
        if seat == CLOCK:
            legal(states[i], CLOCK, out)
            actions[i] = out[0]


def sample_batch(mask, first, last, seed, actions):
    """A uniformly random legal action for every match."""
    for i in range(first, last):
        n = 0
        for action in range(mask.shape[1]):
            n += mask[i, action]
        n = below(step(stream(seed, i)), n)
        for action in range(mask.shape[1]):
            if mask[i, action]:
                if n == 0:
                    actions[i] = action
                    break
                n -= 1


def rollouts(states, i, seat, seed, n, limit, out):
    """`n` times: a world dealt anew for `seat` from state i, played at random to its end; states[i + 1] is worked in.

    The skeleton of a search by sampled worlds. Returns the number of steps.
    """
    total = 0
    for k in range(n):
        states[i + 1] = states[i]
        redeal(states[i + 1], seat, stream(seed, k))
        total += playout(states, i + 1, stream(seed, n + k), limit, out)
    return total
