"""Moves of a seat played on in the same worlds: what each is worth there, and how the matches end.

    weigh(states, i, seat, seed, config, moves, work, worths, final)

The first rows of work.moves are the moves, `moves` of them. worths[w, c] is what move c is worth to the seat in world w; as
many worlds are played as there are rows of it, or until they have cost more than config.steps (work.steps). Where there is
room for it (W × moves records), final[w * moves + c] is the state in which that rollout ended. Every world is drawn, and
played on, from streams of its own, so what a move is worth does not depend on which others stand beside it. `work` is as
the seat has learned (strong.learn). Compiled subset.
"""

from outbid.bots.belief.determinize import determinize
from outbid.bots.belief.opponent_types import assign_types, forget_types
from outbid.bots.search.rollouts import move, payoff, play_on
from outbid.core.chance import stream


def weigh(states, i, seat, seed, config, moves, work, worths, final):
    """Fill `worths`, and `final`, from states[i], which is hidden for the seat; three records besides it are worked in.
    Returns in how many worlds."""
    worlds = 0
    work.steps[0] = 0
    while worlds < len(worths) and work.steps[0] < config.steps:
        nets = assign_types(worlds, seat, states[i].players, config.lead, work)
        determinize(states, i, i + 1, seat, stream(seed, 2 * worlds), work)
        for c in range(moves):
            states[i + 2] = states[i + 1]
            move(states[i + 2], seat, work.moves[c], work.lengths[c])
            play_on(states, i + 2, stream(seed, 2 * worlds + 1), config.max_depth, nets, work)
            worths[worlds, c] = payoff(states, i + 2, seat, config, work)
            if len(final) > 0:
                final[worlds * moves + c] = states[i + 2]
        worlds += 1
    forget_types(work)
    return worlds
