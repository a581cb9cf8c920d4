"""Who plays as the policy net and who as the heuristic: what the moves of a match tell of it.

Both are known, so every step that somebody made speaks for one of them: `judge` adds to work.said how much likelier the net
was to make it than the heuristic, as a logarithm. One step in ten is taken for anybody's, so that a player who is neither
is no riddle and no single step decides. `believe` makes chances of that (Bayes' rule, both equally likely before the first
step), and `as_nets` deals the seats of a world their styles by these chances. Somebody else's step can be judged only by
whoever knows what he knew; so it is done in games where nobody has secrets (rulebook.secrets), and elsewhere, as before the
first move, every other world is one of nets. Compiled subset; `work` is lookahead.py's.
"""

import math

from outbid.bots.belief import SEATS
from outbid.bots.learned import likes
from outbid.engine.contract import hide, steady

SLIP = 0.1  # of a step: that it is anybody's, not that of the style
OPEN = 1 / 32  # no chance is closer to 0 or 1
SURE = 30.0  # nor does more speak for a style


def judge_all(states, seats, actions, seat, players, work):
    """Judge all steps of a match, states[k] being what all saw before step k, and say what `seat` believes; two records
    after these are worked in. seats, actions: int64 (N,)."""
    for other in range(SEATS):
        work.said[other] = 0.0
    for k in range(len(actions)):
        states[len(actions)] = states[k]
        judge(states, len(actions), seats[k], actions[k], work)
    believe(seat, players, work)


def judge(states, i, seat, action, work):
    """Take note of what an asked seat does in states[i]; the record after it is worked in."""
    n = likes(states, i, seat, work)
    if n < 2:
        return
    even = SLIP / n
    its = even
    for k in range(n):
        if work.out[k] == action:
            its += (1.0 - SLIP) * work.liking[k]
    states[i + 1] = states[i]
    hide(states[i + 1], seat)
    usual = even
    if steady(states[i + 1], seat, 0, work.note) == action:
        usual += 1.0 - SLIP
    work.said[seat] = min(SURE, max(-SURE, work.said[seat] + math.log(its / usual)))


def believe(seat, players, work):
    """Write into work.nets how likely each of the others plays as the net; the seat itself goes on as they do."""
    total = 0.0
    for other in range(players):
        if other != seat:
            work.nets[other] = OPEN + (1.0 - 2.0 * OPEN) / (1.0 + math.exp(-work.said[other]))
            total += work.nets[other]
    work.nets[seat] = total / (players - 1)


def as_nets(world, lead, work):
    """The seats that go on as the net in a world, as bits: none without a net, else each by its chance, evenly spread over
    the worlds (the digits of its number, mirrored at the point). Of two seats the likelier is one wherever the other is."""
    if lead == 0:
        return 0
    place = 0.0
    part = 0.5
    while world > 0:
        place += part * (world & 1)
        part *= 0.5
        world >>= 1
    bits = 0
    for seat in range(SEATS):
        if work.nets[seat] + place >= 1.0:
            bits |= 1 << seat
    return bits
