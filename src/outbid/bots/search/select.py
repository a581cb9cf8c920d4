"""The dispatcher of search: each move on its own (rollouts.py), a tree (ismcts.py), a subgame, or sealed bids.

`strong` evaluates each move, taking the others for the heuristic, as long as much of the match is left: no search can see
through it. A move that stays hidden is drawn then (sealed_bids.py). Where the heuristic would end the match within so many
moves as a game says (SearchConfig.endgame_depth), and two play, what can still happen is solved if it is little
(subgame.py); else a tree is searched, in which each player looks for the best, with TIMES as many rollouts, all to the end:
they are short. For two, that is as many as for three: finding out that it cannot be solved has taken time already. What that
has cost, and what replaying the particles has cost since it moved last (particle_filter.py), is taken off the steps of the
search. Compiled subset.
"""

from typing import Any, NamedTuple

from outbid.bots.belief.determinize import determinize
from outbid.bots.search.ismcts import SearchTree, search
from outbid.bots.search.rollouts import evaluate, play_on, with_limits
from outbid.bots.search.sealed_bids import PayoffTable, bid, chosen_together, soften, stays_hidden
from outbid.bots.search.subgame import TOO_MUCH, Subgame, solve_subgame
from outbid.compiled.buffers import declared
from outbid.core.chance import stream
from outbid.core.contract import CLOCK, asked

EACH, TREE, AUTO = range(3)  # search modes
END = 400  # moves after which a rollout from there counts as it stands
TIMES = 2
LEAST = 10  # of the steps, one in so many is left for the search, whatever else they were spent for
AMONG = 3  # players for whom a game states its budgets: among more, a rollout takes longer, and fewer are made
GLANCES = 2  # rollouts by which is seen whether the match will end soon
GLANCES_FROM = 1 << 19  # streams of a decision


@declared
class Searches(NamedTuple):
    """Working space of the other searches. It stands apart from `Work`, which nearly every function takes: each array there
    is compiled with each of them."""

    tree: Any = SearchTree
    subgame: Any = Subgame
    table: Any = PayoffTable


def think(states, cells, i, seat, seed, mode, config, given, searches, work):
    """Evaluate the moves of an asked seat; returns the best one's number and how many there are (0: nothing to say).

    states[i] is hidden for the seat; 4 more are worked in. mode: one of the above; moves that are given, and those where
    any seat may speak, are always evaluated each on its own. The others as `evaluate` and `search` have them."""
    subgame = searches.subgame
    config = less(config, work.filter_steps[seat], work)
    subgame.solved[0] = 0
    subgame.mixed[0] = 0
    if mode == EACH or given > 0 or (asked(states[i]) >> CLOCK) & 1:
        return evaluate(states, i, seat, seed, config, given, work)
    if mode == TREE:
        return search(states, cells, i, seat, seed, config, searches.tree, work)
    if ends_soon(states, i, seat, seed, work):
        work.steps[0] = 0
        best, n = solve_subgame(states, i, seat, seed, config, subgame, work)
        if n != TOO_MUCH:
            return best, n
        budget = TIMES * config.budget * min(states[i].players, AMONG) // AMONG
        deep = with_limits(config, budget, -END, less(config, work.steps[0], work).steps)
        return search(states, cells, i, seat, seed, deep, searches.tree, work)
    if chosen_together(states, i, seat, seed, subgame, work):
        return bid(states, i, seat, seed, config, subgame, searches.table, work)
    best, n = evaluate(states, i, seat, seed, config, given, work)
    if n > 1 and stays_hidden(states, i, seat, seed, best, work):
        return soften(best, n, seed, subgame, work), n
    return best, n


def less(config, spent, work):
    """The config after so many steps of the game's whole budget are spent: a search with a part of that budget loses the
    same part of its steps. One step in LEAST always stays."""
    whole = max(1, work.whole[0])
    steps = max(1, config.steps // LEAST, int(config.steps * (1.0 - spent / whole)))
    return with_limits(config, config.budget, config.max_depth, steps)


def ends_soon(states, i, seat, seed, work):
    """Whether the heuristic would end the match within as many moves as count as soon."""
    within = work.endgame_depth[0]
    for glance in range(GLANCES):
        own = stream(seed, GLANCES_FROM + glance)
        determinize(states, i, i + 1, seat, own, work)
        play_on(states, i + 1, own, within, 0, work)
        if asked(states[i + 1]) != 0:
            return False
    return True
