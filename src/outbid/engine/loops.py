"""Generic loops over states, written once for every game. Compiled subset; on plain states they run as they are.

`states` is a structured array (or a list of plain states), `i` an index into it: a record handed over from Python costs
more than a step. `out` is working space for action ids, `points` for scores; both are given by the caller, because
plain code has lists and compiled code arrays.
"""

from outbid.engine.chance import below, lowest, step, stream
from outbid.engine.contract import CLOCK, apply, asked, deal, hide, legal, midway, observe, score, steady, winners


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


# --- batches: the arrays are described in batch.py; each call serves matches `first` … `last` − 1 ----------------------


def deal_batch(states, fresh, first, last, players, seed, actor, mask, out):
    """Deal every match for the first time."""
    for i in range(first, last):
        states[i] = fresh[0]
        deal(states[i], players, stream(stream(seed, i), 0))
        look(states, i, seed, actor, mask, out)


def step_batch(states, fresh, first, last, players, seed, actions, actor, mask, reward, done, episode, out, points):
    """One legal step in every match; a match that ends is rewarded and begins anew."""
    for i in range(first, last):
        for seat in range(players):
            reward[i, seat] = 0.0
        done[i] = False
        apply(states[i], actor[i], actions[i])
        if asked(states[i]) == 0:
            done[i] = True
            share(states[i], players, i, reward, points)
            episode[i] += 1
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
