"""What a seat may know of For-Ex: everything. Nothing is hidden and nothing is drawn after the set-up (rules/forex.md §2).

The one exception is a move that somebody has begun and not yet said: it is its owner's secret, also that it is begun.
Compiled subset.
"""

from outbid.games.forex.rules import measure, stronger, terms
from outbid.games.forex.spaces import (
    AT_DIVIDENDS, AT_GET, AT_GIVE, AT_HELD, AT_OFFERS, AT_PAYS, AT_PHASE, AT_PLAYERS, AT_QUEUE, AT_RATES, AT_SPOTTED,
    AT_STEP, AT_STOCK, AT_STRENGTH, AT_TIED, CERTIFICATES, EACH, FEATURES, HAND, ITEM, ITEM_BRINGS, ITEM_OWNER, MONEY,
    OFFERS, OF_BOUND, OF_CERTIFICATES, OF_DEBTS, OF_MONEY, OF_ROLES, OF_WORTH, PAID, SHARED, WORTH,
)
from outbid.games.forex.state import (
    CONTRACTED, DIVIDENDS, KINDS, LENT, NOBODY, OVER, REPLY, SEATS, SETS, SIZE, STACK, START, TOP, UNIT,
)


def hide(s, seat):
    """Overwrite, in place, a move that another seat has half built."""
    if half_built(s) and s.asking != seat:
        s.step = START
        s.partner = NOBODY
        s.give = NOBODY
        s.get = NOBODY


def half_built(s):
    """Whether the asked seat has begun a move and not yet said it."""
    return s.step != START


def redeal(s, seat, seed):
    """There is one world only: that which is seen."""
    hide(s, seat)


# --- observe ----------------------------------------------------------------------------------------------------------


def observe(s, seat, out):
    """The features of what `seat` may know, laid out as spaces.py says; seats in relative order. What `hide` overwrites is
    not looked at.

    Units are multiplied by, and amounts written without asking whether they are 0: so several are written at once.
    """
    for i in range(FEATURES):
        out[i] = 0.0
    observe_worth(s, seat, out)
    out[AT_PHASE + s.phase] = 1.0
    at = AT_RATES
    for one in range(KINDS):
        for two in range(one + 1, KINDS):
            out[at] = s.scale[one][two] * (1 / TOP)
            at += 1
    for kind in range(KINDS):
        out[AT_STRENGTH + kind] = s.strength[kind] * (1 / (KINDS - 1))
        out[AT_HELD + kind] = s.held[kind] * (1 / CERTIFICATES)
        out[AT_STOCK + kind] = s.stock[kind] * (1 / CERTIFICATES)
        out[AT_TIED + kind] = (s.choices >> kind) & 1
    out[AT_DIVIDENDS] = s.dividend * (1 / DIVIDENDS)
    if s.dividend < s.dividend_cards:
        out[AT_PAYS] = s.dividends[s.dividend] * (1 / PAID)
    out[AT_OFFERS] = min(s.offers, OFFERS) * (1 / 3)
    out[AT_SPOTTED] = s.spotted
    out[AT_PLAYERS] = s.players * (1 / SEATS)
    if half_built(s) and s.asking != seat:
        out[AT_STEP + START] = 1.0
    else:
        out[AT_STEP + (SIZE if s.step == UNIT else s.step)] = 1.0
        if s.give != NOBODY:
            out[AT_GIVE + s.give] = 1.0
        if s.get != NOBODY:
            out[AT_GET + s.get] = 1.0
        if s.partner != NOBODY:
            out[SHARED + EACH * distance(s, seat, s.partner) + OF_ROLES + 2] = 1.0
        if s.step == UNIT:
            out[AT_TIED + s.give] = 1.0
            out[AT_TIED + s.get] = 1.0
    if s.phase == REPLY and s.unit != stronger(s, s.give, s.get):
        out[AT_TIED + s.unit] = 1.0
    if s.asking != NOBODY and s.phase != OVER:
        out[SHARED + EACH * distance(s, seat, s.asking) + OF_ROLES] = 1.0
    out[SHARED + EACH * distance(s, seat, s.turn) + OF_ROLES + 1] = 1.0
    if s.bankrupt != NOBODY:
        out[SHARED + EACH * distance(s, seat, s.bankrupt) + OF_ROLES + 3] = 1.0
    for place in range(s.queued):
        observe_item(s, seat, s.queue[place], AT_QUEUE + ITEM * place, out)
    bound = 0  # numbers of four bits: the sets held by the loan of each seat
    for letter in range(SETS):
        if s.use[letter] == LENT:
            bound += 1 << 4 * s.owner[letter]
    for far in range(s.players):
        other = seat + far
        if other >= s.players:
            other -= s.players
        at = SHARED + EACH * far
        for kind in range(KINDS):
            out[at + OF_MONEY + kind] = s.money[other][kind] * (1 / MONEY)
            out[at + OF_CERTIFICATES + kind] = s.certs[other][kind] * (1 / HAND)
            out[at + OF_DEBTS + kind] = s.debt[other][kind] * (1 / MONEY)
        out[at + OF_BOUND] = ((bound >> 4 * other) & 15) * (1 / SETS)


def distance(s, seat, other):
    """How many places clockwise somebody sits."""
    return other - seat + s.players * (other < seat)


def observe_worth(s, seat, out):
    """All money of each seat in the currency it is counted in. The terms stand in the features of the rates meanwhile.
    Halves keep the quotients off the whole numbers, so that they are rounded down right without a division of whole numbers,
    which takes longer; amounts are small."""
    target = measure(s)
    for kind in range(KINDS):
        times, parts = terms(s, kind, target)
        out[AT_RATES + kind] = times
        out[AT_RATES + KINDS + kind] = parts
    for far in range(s.players):
        other = seat + far
        if other >= s.players:
            other -= s.players
        total = 0
        for kind in range(KINDS):
            total += int((s.money[other][kind] * out[AT_RATES + kind] + 0.5) / out[AT_RATES + KINDS + kind])
        out[SHARED + EACH * far + OF_WORTH] = total * (1 / WORTH)


def observe_item(s, seat, item, at, out):
    """The features of one item of the queue, from place `at`."""
    if item == STACK:
        out[at + 2] = 1.0
        return
    owner = s.owner[item]
    out[at + ITEM_OWNER + distance(s, seat, owner)] = 1.0
    if s.use[item] == CONTRACTED:
        out[at] = 1.0
        out[at + ITEM_BRINGS + s.pays[item]] = -s.paid[item] * (1 / MONEY)
        out[at + ITEM_BRINGS + s.gets[item]] = s.got[item] * (1 / MONEY)
    else:
        out[at + 1] = 1.0
        for kind in range(KINDS):
            out[at + ITEM_BRINGS + kind] = -s.debt[owner][kind] * (1 / MONEY)
