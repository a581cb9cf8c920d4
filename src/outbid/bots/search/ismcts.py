"""Information-set Monte Carlo tree search, compiled and generic: a middle level, and an opponent that exploits.

After P. I. Cowling, E. J. Powley and D. Whitehouse, Information Set Monte Carlo Tree Search, IEEE Transactions on
Computational Intelligence and AI in Games 4(2), 2012: every rollout begins in another world (determinize.py) and walks down
a tree whose nodes are what players can tell apart, not positions. Here a node stands for the hidden state of the seat that
is asked, so that no choice in the tree uses what that seat does not know, and what is reached on two ways is one node.
Steps of a move are nodes of their own.

At a node the action is taken with the greatest mean payoff of its mover + EXPLORE · prior · √visits / (1 + visits of the
action). The heuristic's action has half of the prior, and all share the other half. Where the tree ends, a node is added,
and the match is played on and judged as by a look-ahead (rollouts.py), for every mover of the path. The move most often
taken is the answer. Compiled subset; `cells` are the bytes of `states`, record by record.
"""

import math
from typing import Any, NamedTuple

from outbid.bots.belief.determinize import determinize
from outbid.bots.nets.net_policy import LONGEST
from outbid.bots.search.rollouts import MOST, ROUNDS_FROM, begin, payoff, play_on
from outbid.compiled.buffers import declared, float64, int64
from outbid.core.chance import bits, mixed, stream
from outbid.core.contract import CLOCK, apply, asked, hide, legal, midway, redeal, steady
from outbid.core.seats import lowest

EXPLORE = 0.7
NODES = 1 << 14  # places in the hash table; half of them are used at most
EDGES = 1 << 17
DEEPEST = 512  # steps of a path
FEW = 64  # a move that was taken less often than once in so many rollouts is not told of
SLOT, EDGE, MOVER = range(3)  # columns of a path
USED_NODES, USED_EDGES, KEY = range(3)  # places in `used`
NOT_THERE = -1


@declared
class SearchTree(NamedTuple):
    """A tree. Nodes lie in a hash table by what is seen there; the edges of a node, its actions, lie side by side."""

    keys: Any = int64(NODES, says="of a hidden state; 0 where the place is free")
    first: Any = int64(NODES, says="a node's first edge")
    count: Any = int64(NODES, says="how many edges it has")
    times: Any = int64(NODES, says="how often it was passed")
    own: Any = int64(NODES, says="the edge of the heuristic's action")
    action: Any = int64(EDGES, says="action id")
    visits: Any = int64(EDGES, says="how often it was taken")
    value: Any = float64(EDGES, says="summed payoffs of the mover")
    path: Any = int64(DEEPEST, 3, says="node, edge and mover of each step")
    used: Any = int64(3, says="nodes and edges in use, and the key looked for last")
    share: Any = float64(8, says="what a rollout was worth to each seat")


def search(states, cells, i, seat, seed, config, tree, work):
    """Search for an asked seat; writes its moves, with how often they were taken, as `rollouts.evaluate` does. Returns the
    best one's number and how many there are (0: nothing to say). states[i] is hidden for the seat; 4 more are worked in."""
    for slot in range(NODES):
        tree.keys[slot] = 0
    tree.used[USED_NODES] = 0
    tree.used[USED_EDGES] = 0
    work.steps[0] = 0
    for n in range(config.budget):
        if work.steps[0] >= config.steps:
            break
        determinize(states, i, i + 1, seat, stream(seed, ROUNDS_FROM + 2 * n), work)
        draws = stream(seed, ROUNDS_FROM + 2 * n + 1)
        depth = descend(states, cells, i, seat, draws, tree, work)
        play_on(states, i + 1, draws, config.max_depth, 0, work)
        backpropagate(states, i + 1, depth, config, tree, work)
    return moves_of(states, cells, i, seat, seed, tree, work)


def descend(states, cells, i, seat, draws, tree, work):
    """Walk down from states[i + 1], which is played on, and add a node; returns the length of the path. Where several are
    asked, the seat that is searched for makes its whole move first: it is the root."""
    depth = 0
    while depth < DEEPEST:
        left = asked(states[i + 1])
        if left == 0 or (left >> CLOCK) & 1:
            return depth
        mover = lowest(left)
        if depth == 0 or midway(states[i + 1], seat) != 0:
            mover = seat
        slot = place_of(states, cells, i, mover, tree)
        if tree.keys[slot] == 0:
            grow(states, i, slot, mover, stream(draws, depth), tree, work)
            return depth
        if tree.count[slot] == 0:
            return depth
        edge = chosen(slot, tree)
        tree.path[depth, SLOT] = slot
        tree.path[depth, EDGE] = edge
        tree.path[depth, MOVER] = mover
        apply(states[i + 1], mover, tree.action[edge])
        work.steps[0] += 1
        depth += 1
    return depth


def place_of(states, cells, i, mover, tree):
    """Where the node of what the mover sees in states[i + 1] lies, or would lie; states[i + 2] is its hidden state then."""
    states[i + 2] = states[i + 1]
    hide(states[i + 2], mover)
    key = max(1, mixed(cells[i + 2], len(cells[i + 2]), bits(mover + 1)))
    slot = key & (NODES - 1)
    while tree.keys[slot] != 0 and tree.keys[slot] != key:
        slot = (slot + 1) & (NODES - 1)
    tree.used[KEY] = key
    return slot


def grow(states, i, slot, mover, draws, tree, work):
    """Add the node that `place_of` has just looked for, if there is room."""
    n = legal(states[i + 1], mover, work.out)
    if 2 * tree.used[USED_NODES] >= NODES or tree.used[USED_EDGES] + n > EDGES:
        return
    own = steady(states[i + 2], mover, draws, work.note)
    tree.keys[slot] = tree.used[KEY]
    tree.first[slot] = tree.used[USED_EDGES]
    tree.count[slot] = n
    tree.times[slot] = 0
    tree.own[slot] = NOT_THERE
    for k in range(n):
        edge = tree.used[USED_EDGES] + k
        tree.action[edge] = work.out[k]
        tree.visits[edge] = 0
        tree.value[edge] = 0.0
        if work.out[k] == own:
            tree.own[slot] = edge
    tree.used[USED_NODES] += 1
    tree.used[USED_EDGES] += n


def chosen(slot, tree):
    """The edge that is taken at a node."""
    first = tree.first[slot]
    n = tree.count[slot]
    times = tree.times[slot]
    total = 0.0
    for edge in range(first, first + n):
        total += tree.value[edge]
    usual = 0.5
    if times > 0:
        usual = total / times
    spread = EXPLORE * math.sqrt(times + 1.0)
    best = first
    most = -1.0
    for edge in range(first, first + n):
        prior = 0.5 / n
        if edge == tree.own[slot]:
            prior += 0.5
        mean = usual
        if tree.visits[edge] > 0:
            mean = tree.value[edge] / tree.visits[edge]
        score = mean + spread * prior / (1.0 + tree.visits[edge])
        if score > most:
            most = score
            best = edge
    return best


def backpropagate(states, at, depth, config, tree, work):
    """Every mover of the path is credited with what the match played on in states[at] is worth to it."""
    for seat in range(states[at].players):
        tree.share[seat] = -1.0
    for d in range(depth):
        mover = tree.path[d, MOVER]
        if tree.share[mover] < 0.0:
            tree.share[mover] = payoff(states, at, mover, config, work)
        edge = tree.path[d, EDGE]
        tree.visits[edge] += 1
        tree.value[edge] += tree.share[mover]
        tree.times[tree.path[d, SLOT]] += 1


def most_taken(slot, tree):
    """The edge that was taken most often, of those the one with the greatest mean."""
    best = tree.first[slot]
    for edge in range(best + 1, tree.first[slot] + tree.count[slot]):
        more = tree.visits[edge] - tree.visits[best]
        if more > 0 or (more == 0 and tree.value[edge] > tree.value[best]):
            best = edge
    return best


def moves_of(states, cells, i, seat, seed, tree, work):
    """Write the moves that were tried, the best first: each first step, and what was taken most often after it."""
    begin(MOST, work)
    states[i + 4] = states[i]
    redeal(states[i + 4], seat, stream(seed, 0))
    states[i + 1] = states[i + 4]
    root = place_of(states, cells, i, seat, tree)
    if tree.keys[root] == 0 or tree.count[root] == 0:
        return 0, 0
    best = most_taken(root, tree)
    rows = 0
    for k in range(-1, tree.count[root]):
        edge = best
        if k >= 0:
            edge = tree.first[root] + k
        if rows < MOST and (k < 0 or (edge != best and FEW * tree.visits[edge] > tree.times[root])):
            states[i + 1] = states[i + 4]
            work.lengths[rows] = follow(states, cells, i, seat, seed, edge, tree, work, rows)
            work.value[rows] = tree.value[edge]
            work.played[rows] = tree.visits[edge]
            rows += work.lengths[rows] > 0
    return 0, rows


def follow(states, cells, i, seat, seed, edge, tree, work, row):
    """Write a whole move that begins with an edge; returns its length, 0 if it is too long."""
    n = 0
    action = tree.action[edge]
    while n < LONGEST:
        work.moves[row][n] = action
        apply(states[i + 1], seat, action)
        n += 1
        if midway(states[i + 1], seat) == 0:
            return n
        slot = place_of(states, cells, i, seat, tree)
        if tree.keys[slot] != 0 and tree.times[slot] > 0:
            action = tree.action[most_taken(slot, tree)]
        else:
            action = steady(states[i + 2], seat, seed, work.note)
    return 0
