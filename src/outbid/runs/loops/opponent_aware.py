"""A look-ahead that knows who the others are: its rollouts go on as a model of them plays. Compiled subset.

It is the search of bots/search/rollouts.py, but for the rollouts. `model` is a row of matches.py's policies. One that plays
by the game's own judgement, as a net likes it, or at random, makes every move of the others; one that looks ahead makes the
next DEEP of them, each by a search of its own that learns nothing of who the others are, and then they go on as the
heuristic does. The seat itself always goes on as
the heuristic does; so does everybody as soon as anybody may speak.

Beside the 5 records of the search, five more are worked in, and `inner` is the working space of the model's search.
"""

from outbid.bots.belief.determinize import determinize
from outbid.bots.nets.net_policy import draw_of, net_step
from outbid.bots.search.rollouts import (
    DOUBT,
    ROUNDS_FROM,
    STEPS,
    RolloutConfig,
    add_payoff,
    begin,
    best_of,
    candidates,
    evaluate,
    halve,
    move,
    payoff,
    play_on,
    rounds_of,
)
from outbid.core.chance import below, stream
from outbid.core.contract import CLOCK, apply, asked, hide, legal, midway, steady, told
from outbid.core.seats import lowest

BUDGET, MAX_DEPTH, MODEL, DEEP, MODE, LEAD, MARGIN, SLIP, LIMIT = range(9)  # columns of a policy (matches.py)
HEURISTIC, ANYTHING, NET = -1, -2, -3  # budgets of bots that do not look ahead: the game's own judgement; chance; a net;
OTHER = -4  # another net than the shipped one: that of `inner`
SLIPS_FROM = 1 << 44  # streams of a seat's step: whether it slips
FAR = 100_000  # steps after which a match is broken off


def evaluate_opponent_aware(states, i, seat, seed, config, deep, model, params, work, inner):
    """Evaluate the moves of an asked seat; returns the best one's number and how many there are (0: nothing to say).

    states[i] is hidden for the seat. deep: moves of others that a model searches which looks ahead.
    params: how the model plays, if by the game's own judgement."""
    n = candidates(states, i, seat, seed, config.lead, 0, work)
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
            determinize(states, i, i + 1, seat, stream(seed, ROUNDS_FROM + 2 * world), work)
            for c in range(n):
                if work.played[c] >= 0:
                    states[i + 2] = states[i + 1]
                    move(states[i + 2], seat, work.moves[c], work.lengths[c])
                    r = stream(seed, ROUNDS_FROM + 2 * world + 1)
                    foresee(states, i + 2, seat, r, config, deep, model, params, work, inner)
                    add_payoff(c, payoff(states, i + 2, seat, config, work), work)
            world += 1
            if work.steps[0] >= enough:
                break
        alive = halve(n, alive, work)
    return best_of(n, DOUBT, work), n


def config_of(policy, points_weight, unit):
    """How a bot looks ahead, by its row."""
    return RolloutConfig(policy[BUDGET], policy[MAX_DEPTH], points_weight, unit, policy[LEAD], policy[LIMIT])


def foresee(states, at, seat, seed, config, deep, model, params, work, inner):
    """Play the match in states[at] on; states[at + 1] is the hidden copy, the model's search has states[at + 3] and on."""
    moves = abs(config.max_depth)
    made = 0
    thought = 0
    for _ in range(STEPS):
        left = asked(states[at])
        if left == 0 or made == moves:
            return
        if (left >> CLOCK) & 1:
            play_on(states, at, stream(seed, made), moves - made, 0, work)
            return
        mover = lowest(left)
        own = stream(seed, made)
        states[at + 1] = states[at]
        hide(states[at + 1], mover)
        if mover == seat:
            apply(states[at], mover, steady(states[at + 1], mover, own, work.note))
        elif model[BUDGET] == ANYTHING:
            n = legal(states[at], mover, work.out)
            apply(states[at], mover, work.out[below(stream(own, midway(states[at], mover)), n)])
        elif model[BUDGET] == NET:
            apply(states[at], mover, net_step(states, at + 1, mover, draw_of(own, midway(states[at], mover)), work))
        elif model[BUDGET] == HEURISTIC:
            apply(states[at], mover, told(states[at + 1], mover, own, work.note, params))
        elif thought < deep:
            states[at + 3] = states[at + 1]
            best, n = evaluate(states, at + 3, mover, own, config_of(model, config.points_weight, config.unit), 0, inner)
            for k in range(inner.lengths[best]):
                apply(states[at], mover, inner.moves[best][k])
            thought += 1
        else:
            apply(states[at], mover, steady(states[at + 1], mover, own, work.note))
        work.steps[0] += 1
        made += 1 - midway(states[at], mover)
