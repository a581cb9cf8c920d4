"""Which steps of people a player with these policy parameters would have made, too. Compiled subset."""

from outbid.core.chance import stream
from outbid.core.contract import told


def foretold(states, work, seed, draws, seats, moves, actions, note, params, agrees):
    """Fill agrees[k, i]: whether the k-th draw of the player makes step i; draws[i] are tried, all beyond are as the first.
    states[i] is hidden for seats[i], moves[i] the number of its move: all steps of a move draw from one stream."""
    for i in range(len(actions)):
        for k in range(len(agrees)):
            if k < draws[i]:
                work[0] = states[i]
                own = stream(stream(seed, k), moves[i])
                agrees[k, i] = told(work[0], seats[i], own, note, params[0]) == actions[i]
            else:
                agrees[k, i] = agrees[0, i]
