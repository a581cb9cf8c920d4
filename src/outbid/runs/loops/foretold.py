"""Which steps of people a player with these policy parameters would have made, too. Compiled subset."""

from outbid.core.chance import stream
from outbid.core.contract import PLAN, resume, told


def foretold(states, work, seed, draws, seats, moves, actions, note, params, agrees):
    """Fill agrees[k, i]: whether the k-th draw of the player makes step i; draws[i] are tried, all beyond are as the first.
    states[i] is hidden for seats[i], moves[i] the number of its move: all steps of a move draw from one stream, and
    are planned once where the game has such plans."""
    for k in range(len(agrees)):
        planned = -1  # the move of which the note may hold a plan
        for i in range(len(actions)):
            if k >= draws[i]:
                agrees[k, i] = agrees[0, i]
                continue
            action = -1
            if moves[i] != planned:
                note[PLAN] = 0
            if note[PLAN] != 0:
                action = resume(states[i], seats[i], note)
            if action < 0:
                work[0] = states[i]
                action = told(work[0], seats[i], stream(stream(seed, k), moves[i]), note, params[0])
                planned = moves[i]
            agrees[k, i] = action == actions[i]
