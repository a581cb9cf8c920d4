"""Look-ahead, compiled and generic: sampled worlds × candidate moves × the rest of the match as the heuristic plays it.

The asked seat is given its hidden state and nothing else. `candidates` makes whole moves (the heuristic's own, each first
step with the heuristic's completion, its own with one step changed, and random ones); `weigh` plays each of them in the
same worlds, dealt anew from the hidden state, to the end of the match, everybody else and the seat itself going on as the
heuristic does, each with its own hidden copy. The budget is shared by sequential halving: in every round the better half
stays, and the heuristic's own move, which is only left for one that did better by more than chance easily brings (`DOUBT`).
Compiled subset; the plain backend runs it as it is.

| array | shape | is |
| --- | --- | --- |
| states | 5 records from `i` | the hidden state; a world; a match played on; a hidden copy; a second world |
| moves | int64 (MOST, LONGEST) | the candidates, as action ids |
| lengths | int64 (MOST,) | how many steps each has |
| value | float64 (MOST,) | summed payoff of each; 0 to 1 a playout |
| played | int64 (MOST,) | playouts of each |

A payoff is the share of the victory, and a little of the lead in points, so that of two sure moves the better one is found.
"""

import math

from outbid.engine.chance import below, step, stream
from outbid.engine.contract import apply, asked, deal, hide, legal, midway, redeal, score, steady, winners
from outbid.engine.masks import lowest

MOST = 64  # candidates
LONGEST = 40  # steps of a move
OWN = 3  # times the heuristic is asked for its move: it may draw
CHANGED = 16  # variations of the heuristic's move, where a move has several steps
RANDOM_MOVES = 8  # random moves there
ITS, ANY = -1, -2  # a step: the heuristic's; any that is legal
ROUNDS_FROM = 1 << 20  # streams of a decision: worlds from here on
DOUBT = 0.35  # divided by the root of its playouts: how much better than the heuristic's own move another must be
FAR = 100_000  # steps after which a playout is broken off


def weigh(states, i, seat, seed, budget, points_weight, unit, moves, lengths, value, played, out, note, points):
    """Weigh the moves of an asked seat; returns the best one's number and how many there are (0: nothing to say).

    states[i] is hidden for the seat. budget: playouts in all. points_weight, unit: how much of a payoff is the lead in
    points, and how many points are much.
    """
    n = candidates(states, i, seat, seed, moves, lengths, out, note)
    for c in range(n):
        value[c] = 0.0
        played[c] = 0
    if n < 2:
        return 0, n
    alive = n
    rounds = 1
    while (1 << rounds) < n:
        rounds += 1
    world = 0
    for _ in range(rounds):
        worlds = max(1, budget // (rounds * alive))
        for _ in range(worlds):
            states[i + 1] = states[i]
            redeal(states[i + 1], seat, stream(seed, ROUNDS_FROM + 2 * world))
            for c in range(n):
                if played[c] >= 0:
                    states[i + 2] = states[i + 1]
                    for k in range(lengths[c]):
                        apply(states[i + 2], seat, moves[c][k])
                    play_on(states, i + 2, stream(seed, ROUNDS_FROM + 2 * world + 1), note)
                    value[c] += payoff(states[i + 2], seat, points_weight, unit, points)
                    played[c] += 1
            world += 1
        alive = halve(n, alive, value, played)
    return best_of(n, value, played), n


def best_of(n, value, played):
    """The candidate with the best mean among those that were played to the last; number 0 is the heuristic's own."""
    best = 0
    for c in range(1, n):
        if played[c] > 0 and value[c] * played[best] > value[best] * played[c]:
            best = c
    if best > 0 and value[best] / played[best] < value[0] / played[0] + DOUBT / math.sqrt(played[best]):
        return 0
    return best


def halve(n, alive, value, played):
    """Drop the worse half of those that are alive, but never number 0: their count is kept, but negative. Returns how many
    stay."""
    stay = max(2, (alive + 1) // 2)
    while alive > stay:
        worst = -1
        for c in range(1, n):
            if played[c] > 0 and (worst < 0 or value[c] * played[worst] <= value[worst] * played[c]):
                worst = c
        played[worst] = -played[worst]
        alive -= 1
    return alive


def play_on(states, at, seed, note):
    """Play the match in states[at] to its end as the heuristic plays; states[at + 1] is the hidden copy."""
    for number in range(FAR):
        left = asked(states[at])
        if left == 0:
            return
        seat = lowest(left)
        states[at + 1] = states[at]
        hide(states[at + 1], seat)
        apply(states[at], seat, steady(states[at + 1], seat, stream(seed, number), note))


def payoff(s, seat, points_weight, unit, points):
    """What the end of a match is worth to a seat, from 0 to 1."""
    won = winners(s, points)
    n = 0
    for other in range(s.players):
        n += (won >> other) & 1
    share = ((won >> seat) & 1) / max(n, 1)
    score(s, points)
    rival = -(1 << 60)
    for other in range(s.players):
        if other != seat and points[other] > rival:
            rival = points[other]
    lead = (points[seat] - rival) / unit
    lead = 0.5 + 0.5 * lead / (1.0 + abs(lead))
    return (1.0 - points_weight) * share + points_weight * lead


def candidates(states, i, seat, seed, moves, lengths, out, note):
    """Write the moves to be weighed; returns how many there are, 0 if the seat has nothing to say."""
    found = 0
    states[i + 4] = states[i]
    redeal(states[i + 4], seat, stream(seed, 0))
    for draw in range(OWN):
        found += complete(states, i, seat, 0, ITS, False, stream(seed, 1 + draw), found, moves, lengths, out, note)
    first = legal(states[i + 4], seat, out)
    for k in range(first):
        legal(states[i + 4], seat, out)
        found += complete(states, i, seat, 0, out[k], False, stream(seed, 10), found, moves, lengths, out, note)
    several = False
    for c in range(found):
        several |= lengths[c] > 1
    if several:
        for draw in range(CHANGED):
            own = stream(seed, 20 + draw)
            kept = below(own, lengths[0])
            found += complete(states, i, seat, kept, ANY, False, own, found, moves, lengths, out, note)
        for draw in range(RANDOM_MOVES):
            own = stream(seed, 20 + CHANGED + draw)
            found += complete(states, i, seat, 0, ANY, True, own, found, moves, lengths, out, note)
    return found


def complete(states, i, seat, kept, action, freely, seed, found, moves, lengths, out, note):
    """Write one whole move as candidate `found`: `kept` steps of candidate 0, then `action` (ITS: the heuristic's; ANY: a
    random one), and then on as the heuristic does, or at random if `freely`. Returns 1, or 0 if there is no room or no such
    move, or it is known already."""
    if found >= MOST:
        return 0
    states[i + 1] = states[i + 4]
    n = 0
    while n < LONGEST:
        if n < kept:
            chosen = moves[0][n]
        elif n == kept and action >= 0:
            chosen = action
        elif freely or (n == kept and action == ANY):
            choices = legal(states[i + 1], seat, out)
            if choices == 0:
                return 0
            chosen = out[below(step(stream(seed, n)), choices)]
        else:
            states[i + 2] = states[i + 1]
            hide(states[i + 2], seat)
            chosen = steady(states[i + 2], seat, seed, note)
            if chosen < 0:
                return 0
        moves[found][n] = chosen
        apply(states[i + 1], seat, chosen)
        n += 1
        if midway(states[i + 1], seat) == 0:
            lengths[found] = n
            return 0 if known(found, moves, lengths) else 1
    return 0


def known(found, moves, lengths):
    """Whether candidate `found` is one of those before it."""
    for c in range(found):
        same = lengths[c] == lengths[found]
        k = 0
        while same and k < lengths[found]:
            same = moves[c][k] == moves[found][k]
            k += 1
        if same:
            return True
    return False


# --- matches among bots -------------------------------------------------------------------------------------------------


HEURISTIC, ANYTHING = -1, -2  # playouts of a seat that does not look ahead: as the heuristic plays; at random
SEATS_FROM = 1 << 40  # streams of a match from here on: one a seat


def matches(
    states, i, seed, first, last, turn, budgets, points_weight, unit, players, moves, lengths, value, played, out, note,
    points, shares,
):
    """Play the deals `first` … `last` − 1; seat p is played with budgets[(p + turn) % players] playouts a decision.

    states[i] is fresh, with its options; six records after it are worked in. shares[deal − first, p] is what seat p has of
    the victory. A deal and what a seat draws depend on seed, deal and seat alone. Returns the number of decisions that
    looked ahead.
    """
    thought = 0
    for number in range(first, last):
        match = stream(seed, number)
        states[i + 1] = states[i]
        deal(states[i + 1], players, match)
        for move in range(FAR):
            left = asked(states[i + 1])
            if left == 0:
                break
            seat = lowest(left)
            own = stream(stream(match, SEATS_FROM + seat), move)
            budget = budgets[(seat + turn) % players]
            if budget == ANYTHING:
                n = legal(states[i + 1], seat, out)
                apply(states[i + 1], seat, out[below(own, n)])
                continue
            states[i + 2] = states[i + 1]
            hide(states[i + 2], seat)
            if budget == HEURISTIC:
                apply(states[i + 1], seat, steady(states[i + 2], seat, own, note))
                continue
            best, n = weigh(
                states, i + 2, seat, own, budget, points_weight, unit, moves, lengths, value, played, out, note, points,
            )
            thought += 1
            for k in range(lengths[best]):
                apply(states[i + 1], seat, moves[best][k])
        won = winners(states[i + 1], points)
        n = 0
        for seat in range(players):
            n += (won >> seat) & 1
        for seat in range(players):
            shares[number - first, seat] = 0.0
            if (won >> seat) & 1:
                shares[number - first, seat] = 1.0 / n
    return thought
