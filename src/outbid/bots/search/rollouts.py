"""Look-ahead, compiled and generic: sampled determinizations (worlds) × candidate moves × a few moves of the heuristic ×
what that is worth.

The asked seat is given its hidden state and nothing else. `candidates` makes whole moves (the heuristic's own, each first
step with the heuristic's completion, its own with one step changed, and random ones); `evaluate` plays each of them in the
same worlds, sampled from the hidden state (determinize.py), the others and the seat itself going on as the heuristic
does, or in some worlds as a policy net that is the better player, or the others as another of the game's own players
(opponent_types.py says who), each with its own hidden copy: for `max_depth` moves, then a value net (inference.py) says what
the position is worth to the seat; or to the end of the match, where there is no net. The budget, so many rollouts and at
most so many steps in them together, is shared by sequential halving: in every round the better half stays, and the first
move, the heuristic's own or the policy net's, which is only left for one that did better by more than chance easily brings
(`DOUBT`). However small it is, each of them is played on once in a round. Compiled subset; the plain backend runs it as it
is.

`states` holds 5 records from `i`: the hidden state; a world; a match played on; a hidden copy; a second world. `Work` holds
everything else that is worked in, `RolloutConfig` what a game or a bot says of the search. A payoff is the share of the
victory, 0 to 1, and at the end of a match a little of the lead in points besides, so that of two sure moves the better one
is found.
"""

import math
from typing import Any, NamedTuple

from outbid.bots.belief.determinize import determinize
from outbid.bots.nets.net_policy import LONGEST, draw_of, net_move, net_step
from outbid.bots.belief.opponent_types import (
    EVEN,
    LAPSED,
    NOWHERE,
    SEATS,
    WORLDS,
    assign_types,
    forget_types,
    strangeness,
    usual,
)
from outbid.core.chance import below, step, stream
from outbid.core.contract import CLOCK, PLAN, apply, asked, hide, legal, midway, redeal, steady
from outbid.core.seats import lowest
from outbid.compiled.buffers import declared, float32, float64, int64
from outbid.compiled.inference import chances
from outbid.compiled.loops import planned, prize

MOST = 64  # candidates
OWN = 3  # times the heuristic is asked for its move: it may draw
CHANGED = 16  # variations of the heuristic's move, where a move has several steps
RANDOM_MOVES = 8  # random moves there
ITS, ANY = -1, -2  # a step: the heuristic's; any that is legal
ITS_OWN = 1 << 18  # stream of a decision: the net's move
ROUNDS_FROM = 1 << 20  # streams of a decision: worlds from here on
DOUBT = 1.5  # standard errors by which another move must be better than the first
SOFTER = 1.0  # times as many more where all others are outsiders
STEPS = 100_000  # of a rollout, at most
NO_LIMIT = 1 << 60  # steps


class RolloutConfig(NamedTuple):
    """How far a decision looks. budget: rollouts in all, at most. max_depth: moves of a rollout before the net is asked;
    negative: there is no net, and it is played on to the end, or for so many moves. points_weight, unit: how much of a
    payoff at the end is the lead in points, and how many points are much. lead: 1 where a policy net says what the seat
    itself would do, and in some worlds what others do (opponent_types.py). steps: what the rollouts may cost in all
    (`Work.steps`)."""

    budget: int
    max_depth: int
    points_weight: float
    unit: float
    lead: int
    steps: int = NO_LIMIT


@declared
class Work(NamedTuple):
    """Working space of one thread. A actions, F features, H units of a net, G opponent types, N particles."""

    moves: Any = int64(MOST, LONGEST, listed=True, says="action ids of each candidate")
    lengths: Any = int64(MOST, listed=True, says="how many they are")
    value: Any = float64(MOST, listed=True, says="summed payoffs")
    ahead: Any = float64(MOST, listed=True, says="summed payoffs, less those of candidate 0 in the same worlds")
    spread: Any = float64(MOST, listed=True, says="their squares")
    played: Any = int64(MOST, listed=True, says="rollouts; negative if dropped")
    last: Any = float64(1, listed=True, says="what candidate 0 brought in the last world")
    steps: Any = int64(1, listed=True, says="what rollouts have cost: their steps, and looks of the value net")
    out: Any = int64("A + 64", listed=True, says="legal actions")
    note: Any = int64(64, listed=True, says="the heuristic's reason")
    points: Any = int64(64, listed=True, says="scores")
    seen: Any = float32("F", says="what the seat sees")
    obs: Any = float32("F", says="features of a seat for a net (inference.py)")
    layer: Any = float32(2, "H value", says="units of the value net")
    chance: Any = float64(SEATS, says="each seat's chance to win, by that net")
    weights: Any = float32("value net", says="its weights; none without a net")
    policy: Any = float32("policy net", says="the weights of the policy net; none without a net")
    hidden: Any = float32(2, "H policy", says="units of that net")
    prior: Any = float64("A + 64", says="how likely it takes each legal action")
    nets: Any = float64(SEATS, fill=EVEN, says="how likely each seat plays as that net")
    types: Any = int64("G", says="the opponent types (contract.play); −1: the policy net")
    before: Any = float64("G", says="how likely each is beforehand, as a logarithm")
    posterior: Any = float64(SEATS, "G", says="and how likely after the moves of each seat (opponent_types.py)")
    who: Any = int64(SEATS, says="the type as which each seat goes on in a rollout")
    doubt: Any = float64(2, says="the part of the worlds without `posterior`; the first outsider among the types")
    judged: Any = int64(1, says="moves that were judged in worlds")
    fits: Any = int64(WORLDS, says="1 for each of those worlds that the move agrees with")
    odds: Any = float64(SEATS, "N", says="of the particles of each seat (particle_filter.py)")
    fingerprints: Any = float64("N", says="by which they are told apart")
    copies: Any = int64("N", says="how often each has just resulted from others")
    observations: Any = int64(SEATS, fill=LAPSED, says="observations that a seat has compared; LAPSED: it keeps none")
    filter_steps: Any = int64(SEATS, says="what they have cost since the seat moved last, in steps")
    particles: Any = int64(1, fill=NOWHERE, says="the record where those of the thinking seat begin; NOWHERE: it keeps none")
    whole: Any = int64(1, says="steps of a whole decision, as a game says")
    endgame_depth: Any = int64(1, says="so many moves from the end another search is made (select.py)")


def with_limits(config, budget, max_depth, steps):
    """The config with another budget, depth and limit of steps."""
    return RolloutConfig(budget, max_depth, config.points_weight, config.unit, config.lead, steps)


def evaluate(states, i, seat, seed, config, given, work):
    """Evaluate the moves of an asked seat; returns the best one's number and how many there are (0: nothing to say).

    states[i] is hidden for the seat. given: so many moves are to be evaluated besides, the first written in the last row of
    work.moves, and so on upwards."""
    n = candidates(states, i, seat, seed, config.lead, given, work)
    begin(n, work)
    work.steps[0] = 0
    if n < 2:
        return 0, n
    alive = n
    rounds = rounds_of(n)
    world = 0
    for number in range(rounds):
        worlds = max(1, config.budget // (rounds * alive))
        enough = config.steps // rounds * (number + 1)
        for _ in range(worlds):
            nets = assign_types(world, seat, states[i].players, config.lead, work)
            determinize(states, i, i + 1, seat, stream(seed, ROUNDS_FROM + 2 * world), work)
            for c in range(n):
                if work.played[c] >= 0:
                    states[i + 2] = states[i + 1]
                    move(states[i + 2], seat, work.moves[c], work.lengths[c])
                    play_on(states, i + 2, stream(seed, ROUNDS_FROM + 2 * world + 1), config.max_depth, nets, work)
                    add_payoff(c, payoff(states, i + 2, seat, config, work), work)
            world += 1
            if work.steps[0] >= enough:
                break
        alive = halve(n, alive, work)
    forget_types(work)
    doubt = DOUBT
    if config.max_depth > 0 and config.lead > 0:  # among nets less is believed of value nets, which know the heuristic
        doubt *= max(1.0, 2.0 * work.nets[seat])
    doubt *= 1.0 + SOFTER * strangeness(seat, states[i].players, work)
    return best_of(n, doubt, work), n


def move(s, seat, actions, n):
    """Make a whole move."""
    for k in range(n):
        apply(s, seat, actions[k])


def begin(n, work):
    """Set the sums of n candidates to zero."""
    for c in range(n):
        work.value[c] = 0.0
        work.ahead[c] = 0.0
        work.spread[c] = 0.0
        work.played[c] = 0


def rounds_of(n):
    """In how many rounds n candidates are halved."""
    rounds = 1
    while (1 << rounds) < n:
        rounds += 1
    return rounds


def add_payoff(c, payoff, work):
    """Count what a candidate brought in a world; number 0 comes first in each."""
    if c == 0:
        work.last[0] = payoff
    more = payoff - work.last[0]
    work.value[c] += payoff
    work.ahead[c] += more
    work.spread[c] += more * more
    work.played[c] += 1


def best_of(n, doubt, work):
    """The candidate that is furthest ahead of the heuristic's own, number 0, among those that were played to the last; or
    number 0, if that may well be chance: `doubt` standard errors."""
    best = 0
    for c in range(1, n):
        if work.played[c] > 0 and work.ahead[c] * work.played[best] > work.ahead[best] * work.played[c]:
            best = c
    times = work.played[best]
    mean = work.ahead[best] / times
    error = math.sqrt(max(0.0, work.spread[best] / times - mean * mean) / times)
    if mean <= doubt * error:
        return 0
    return best


def halve(n, alive, work):
    """Drop the worse half of those that are alive, but never number 0: their count is kept, but negative. Returns how many
    stay."""
    stay = max(2, (alive + 1) // 2)
    played = work.played
    while alive > stay:
        worst = -1
        for c in range(1, n):
            if played[c] > 0 and (worst < 0 or work.ahead[c] * played[worst] <= work.ahead[worst] * played[c]):
                worst = c
        played[worst] = -played[worst]
        alive -= 1
    return alive


def play_on(states, at, seed, max_depth, nets, work):
    """Play the match in states[at] on for `max_depth` moves (whatever their sign), or to its end, as the heuristic plays, or
    a policy net the seats whose bits are in `nets`; states[at + 1] is the heuristic's hidden copy. All steps of a move draw
    from the same stream. Where any seat may speak the lowest is the quickest, and the table's clock acts when all are
    silent."""
    moves = 0
    work.note[PLAN] = 0
    for _ in range(STEPS):
        left = asked(states[at])
        if left == 0 or moves == abs(max_depth):
            return
        clock = (left >> CLOCK) & 1
        seat = lowest(left)
        while seat != CLOCK:
            own = stream(seed, moves)
            if (nets >> seat) & 1:
                action = net_step(states, at, seat, draw_of(own, midway(states[at], seat)), work)
            else:
                action = planned(states[at], seat, work.note)
                if action < 0:
                    states[at + 1] = states[at]
                    hide(states[at + 1], seat)
                    action = usual(states[at + 1], seat, own, work)
            if action >= 0:
                apply(states[at], seat, action)
                work.steps[0] += 1
                if midway(states[at], seat) == 0:
                    work.note[PLAN] = 0
                    moves += 1
                break
            left &= ~(1 << seat)
            seat = CLOCK
            if left != 0:
                seat = lowest(left)
        if seat == CLOCK:
            if clock == 0:
                return
            legal(states[at], CLOCK, work.out)
            apply(states[at], CLOCK, work.out[0])
            moves += 1


def payoff(states, at, seat, config, work):
    """What a position is worth to a seat: its chance to win, and at the end of the match what it has won. Without a
    net, what is not over counts as it stands."""
    s = states[at]
    if asked(s) != 0 and config.max_depth > 0:
        chances(states, at, work.weights, work.obs, work.layer, work.chance)
        work.steps[0] += s.players
        return work.chance[seat]
    return prize(s, s.players, seat, config.points_weight, config.unit, work.points)


def candidates(states, i, seat, seed, lead, given, work):
    """Write the moves to be evaluated; returns how many there are, 0 if the seat has nothing to say."""
    n = 0
    if lead > 0:
        work.lengths[0] = net_move(states, i, seat, stream(seed, ITS_OWN), work)[0]
        n = min(1, work.lengths[0])
    states[i + 4] = states[i]
    redeal(states[i + 4], seat, stream(seed, 0))
    most = MOST - given
    for draw in range(OWN):
        n += complete(states, i, seat, 0, ITS, False, stream(seed, 1 + draw), n, most, work)
    if n == 0 and (asked(states[i]) >> CLOCK) & 1:
        return 0  # where any seat may speak this one says something only if the heuristic would
    for k in range(given):
        if n == 0 or not known(MOST - 1 - k, n, work):
            work.lengths[n] = work.lengths[MOST - 1 - k]
            for at in range(work.lengths[n]):
                work.moves[n][at] = work.moves[MOST - 1 - k][at]
            n += 1
    first = legal(states[i + 4], seat, work.out)
    for k in range(first):
        legal(states[i + 4], seat, work.out)
        n += complete(states, i, seat, 0, work.out[k], False, stream(seed, 10), n, most, work)
    several = False
    for c in range(n):
        several |= work.lengths[c] > 1
    if several:
        for draw in range(CHANGED):
            own = stream(seed, 20 + draw)
            prefix = below(own, work.lengths[0])
            n += complete(states, i, seat, prefix, ANY, False, own, n, most, work)
        for draw in range(RANDOM_MOVES):
            own = stream(seed, 20 + CHANGED + draw)
            n += complete(states, i, seat, 0, ANY, True, own, n, most, work)
    return n


def complete(states, i, seat, prefix, action, freely, seed, row, most, work):
    """Write one whole move as candidate `row`: `prefix` steps of candidate 0, then `action` (ITS: the heuristic's; ANY: a
    random one), and then on as the heuristic does, or at random if `freely`. Returns 1, or 0 if there is no room or no such
    move, or it is known already."""
    if row >= most:
        return 0
    states[i + 1] = states[i + 4]
    moves = work.moves
    n = 0
    while n < LONGEST:
        if n < prefix:
            chosen = moves[0][n]
        elif n == prefix and action >= 0:
            chosen = action
        elif freely or (n == prefix and action == ANY):
            choices = legal(states[i + 1], seat, work.out)
            if choices == 0:
                return 0
            chosen = work.out[below(step(stream(seed, n)), choices)]
        else:
            states[i + 2] = states[i + 1]
            hide(states[i + 2], seat)
            chosen = steady(states[i + 2], seat, seed, work.note)
            if chosen < 0:
                return 0
        moves[row][n] = chosen
        apply(states[i + 1], seat, chosen)
        n += 1
        if midway(states[i + 1], seat) == 0:
            work.lengths[row] = n
            return 0 if known(row, row, work) else 1
    return 0


def known(row, n, work):
    """Whether the move in a row is one of the first `n` candidates."""
    for c in range(n):
        same = work.lengths[c] == work.lengths[row]
        k = 0
        while same and k < work.lengths[row]:
            same = work.moves[c][k] == work.moves[row][k]
            k += 1
        if same:
            return True
    return False
