"""Final states after two moves of a seat, each played on to the end of the match in the same worlds (strong.contrasted).

    ends(states, i, seat, seed, worlds, lead, work, found)

Rows 0 and 1 of work.moves are the moves; found[2 * w] and found[2 * w + 1] are how world w ends after the one and after the
other. Worlds, opponents and streams are as in review/rollouts.py; `work` is as the seat has learned (strong.learn).
Compiled subset.
"""

from outbid.bots.belief.determinize import determinize
from outbid.bots.belief.opponent_types import assign_types, forget_types
from outbid.bots.search.rollouts import STEPS, move, play_on
from outbid.core.chance import stream


def ends(states, i, seat, seed, worlds, lead, work, final):
    """Fill `final` from states[i], which is hidden for the seat; three records besides it are worked in."""
    for w in range(worlds):
        nets = assign_types(w, seat, states[i].players, lead, work)
        determinize(states, i, i + 1, seat, stream(seed, 2 * w), work)
        for c in range(2):
            states[i + 2] = states[i + 1]
            move(states[i + 2], seat, work.moves[c], work.lengths[c])
            play_on(states, i + 2, stream(seed, 2 * w + 1), -STEPS, nets, work)
            final[2 * w + c] = states[i + 2]
    forget_types(work)
