"""What a seat may know of For-Ex: everything. Nothing is hidden and nothing is drawn after the set-up (rules/forex.md §2).

The one exception is a move that somebody has begun and not yet said: it is its owner's secret, also that it is begun.
Compiled subset.
"""

from outbid.games.forex.rules import converted, measure, strength
from outbid.games.forex.state import (
    BUCK, CONTRACTED, DIVIDENDS, KINDS, LENT, NOBODY, OVER, SETS, STACK, START,
)


def hide(s, seat):
    """Overwrite, in place, a move that another seat has half built."""
    if s.step != START and s.asking != seat:
        s.step = START
        s.partner = NOBODY
        s.give = NOBODY
        s.get = NOBODY


def redeal(s, seat, seed):
    """There is one world only: that which is seen."""
    hide(s, seat)


# --- features ---------------------------------------------------------------------------------------------------------

PHASE = 0  # which of the six phases
STEP = 6  # which of the seven steps of a move
RATES = 13  # 21 pairs: the place on the scale / 10, positive where the first currency is the stronger
STRENGTH = 34  # of each currency: pairs in which it is the stronger / 6, certificates in hands / 8, in stock / 8
STAND = 55  # dividend cards spent / 5, payment of the next / 3, spot offers / 3, 1 after a spot transaction, players / 6
NAMED = 60  # the currency paid or given, the one received (both of the move or offer), the tied ones: 7 each
QUEUE = 81  # 7 places of 16: contract, loan, dividends; the owner, 6 relative seats; what it would bring him, 7, / 10 bucks
SEAT = 193  # each seat, in relative order: the features of `observe_seat`
EACH = 27
FEATURES = SEAT + 6 * EACH


def observe(s, seat, out):
    """The features of a state hidden for `seat`, laid out as above; seats in relative order."""
    for i in range(FEATURES):
        out[i] = 0.0
    out[PHASE + s.phase] = 1.0
    out[STEP + s.step] = 1.0
    at = RATES
    for one in range(KINDS):
        for two in range(one + 1, KINDS):
            out[at] = s.scale[one][two] / 10
            at += 1
        out[STRENGTH + one] = strength(s, one) / 6
        out[STRENGTH + KINDS + one] = s.held[one] / 8
        out[STRENGTH + 2 * KINDS + one] = s.stock[one] / 8
        out[NAMED + 2 * KINDS + one] = (s.choices >> one) & 1
    out[STAND] = s.dividend / 5
    if s.dividend < DIVIDENDS:
        out[STAND + 1] = s.dividends[s.dividend] / 3
    out[STAND + 2] = s.offers / 3
    out[STAND + 3] = s.spotted
    out[STAND + 4] = s.players / 6
    if s.give != NOBODY:
        out[NAMED + s.give] = 1.0
    if s.get != NOBODY:
        out[NAMED + KINDS + s.get] = 1.0
    for place in range(s.queued):
        observe_item(s, seat, s.queue[place], QUEUE + 16 * place, out)
    for far in range(s.players):
        other = seat + far
        if other >= s.players:
            other -= s.players
        observe_seat(s, other, SEAT + EACH * far, out)


def observe_item(s, seat, item, at, out):
    """The features of one item of the queue, from place `at`."""
    if item == STACK:
        out[at + 2] = 1.0
        return
    owner = s.owner[item]
    out[at + 3 + (owner - seat + s.players) % s.players] = 1.0
    if s.use[item] == CONTRACTED:
        out[at] = 1.0
        out[at + 9 + s.pays[item]] = -s.paid[item] / (10 * BUCK)
        out[at + 9 + s.gets[item]] = s.got[item] / (10 * BUCK)
    else:
        out[at + 1] = 1.0
        for kind in range(KINDS):
            out[at + 9 + kind] = -s.debt[owner][kind] / (10 * BUCK)


def observe_seat(s, other, at, out):
    """The features of one seat, from place `at`: money, certificates, debts, worth, sets held by its loan, its part now."""
    target = measure(s)
    points = 0
    for kind in range(KINDS):
        out[at + kind] = s.money[other][kind] / (10 * BUCK)
        out[at + KINDS + kind] = s.certs[other][kind] / 4
        out[at + 2 * KINDS + kind] = s.debt[other][kind] / (10 * BUCK)
        points += converted(s, kind, s.money[other][kind], target)
    out[at + 21] = points / 100
    bound = 0
    for letter in range(SETS):
        if s.use[letter] == LENT and s.owner[letter] == other:
            bound += 1
    out[at + 22] = bound / 6
    out[at + 23] = 1.0 if s.phase != OVER and s.asking == other else 0.0
    out[at + 24] = 1.0 if s.turn == other else 0.0
    out[at + 25] = 1.0 if s.partner == other else 0.0
    out[at + 26] = 1.0 if s.bankrupt == other else 0.0
