"""Playing matches on from given positions, for reviews: what each seat wins.

`played` plays the matches states[i + 4] … states[i + 3 + worlds] on to their end; found[w, p] is what seat p has of the
victory. Seat p plays as who[w, p] does, but now and then any legal step: people are not as sure of themselves as two copies
of a program. All worlds draw by the same rule from stream(seed, w), each seat by the number of the steps it has made in the
match: a position and the one after the heuristic's own move are played on nearly alike.

| array | shape | is |
| --- | --- | --- |
| states | records | three besides states[i] are worked in |
| tally | int64 (2, C) | loops.columns; row 0: moves and steps made before; row 1 is worked in |
| policies | int64 (P,) | is worked in |
| who | int64 (worlds, P) | policies of compiled loops (loops.py) |
| found | float64 (worlds, P) | 0 to 1 |

Compiled subset.
"""

from outbid.compiled.loops import RANDOM, columns, count_step, next_step
from outbid.core.chance import below, stream
from outbid.core.contract import apply, asked, winners
from outbid.core.seats import how_many

SLIPS = 30  # of a thousand steps are any that is legal
SLIPS_FROM = 1 << 44  # streams of a world: a seat's slips


def played(states, i, seed, limit, policies, who, players, work, tally, found):
    """Fill `found`, a row for each world. limit: steps after which a match that is played on has no winner."""
    for w in range(len(found)):
        states[i] = states[i + 4 + w]
        to_the_end(states, i, stream(seed, w), limit, policies, who[w], players, work, tally)
        divide(states[i], players, work.points, found[w])


def to_the_end(states, i, match, limit, policies, who, players, work, tally):
    """Play states[i] on; states[i + 1] is the hidden copy."""
    for column in range(columns(players)):
        tally[1, column] = tally[0, column]
    for _ in range(limit):
        if asked(states[i]) == 0:
            return
        for seat in range(players):
            steps = tally[1, 2 * players + seat]
            slips = below(stream(stream(match, SLIPS_FROM + seat), steps), 1000) < SLIPS
            policies[seat] = RANDOM if slips else who[seat]
        seat, action = next_step(states, i, match, policies, players, work.out, work.note, tally[1])
        apply(states[i], seat, action)
        count_step(states[i], seat, players, tally[1])


def divide(s, players, points, shares):
    """What each seat has of the victory; nothing yet where the match is not over."""
    won = 0
    if asked(s) == 0:
        won = winners(s, points)
    n = how_many(won, players)
    for seat in range(players):
        shares[seat] = 1.0 / players
        if n > 0:
            shares[seat] = ((won >> seat) & 1) / n
