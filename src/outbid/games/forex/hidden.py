"""What a seat may know of For-Ex: everything. Nothing is hidden and nothing is drawn after the set-up (rules/forex.md §2).

The one exception is a move that somebody has begun and not yet said: it is its owner's secret, also that it is begun.
Compiled subset.
"""

from outbid.games.forex.rules import converted, measure, strength
from outbid.games.forex.spaces import (
    AT_DIVIDENDS, AT_GET, AT_GIVE, AT_HELD, AT_OFFERS, AT_PAYS, AT_PHASE, AT_PLAYERS, AT_QUEUE, AT_RATES, AT_SPOTTED,
    AT_STEP, AT_STOCK, AT_STRENGTH, AT_TIED, CERTIFICATES, EACH, FEATURES, HAND, ITEM, ITEM_BRINGS, ITEM_OWNER, MONEY,
    OFFERS, OF_BOUND, OF_CERTIFICATES, OF_DEBTS, OF_MONEY, OF_ROLES, OF_WORTH, PAID, SHARED, WORTH,
)
from outbid.games.forex.state import (
    CONTRACTED, DIVIDENDS, KINDS, LENT, NOBODY, OVER, SEATS, SETS, STACK, START, TOP,
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


# --- observe ----------------------------------------------------------------------------------------------------------


def observe(s, seat, out):
    """The features of a state hidden for `seat`, laid out as spaces.py says; seats in relative order.

    Units are multiplied by, as dividing takes longer.
    """
    for i in range(FEATURES):
        out[i] = 0.0
    out[AT_PHASE + s.phase] = 1.0
    out[AT_STEP + s.step] = 1.0
    at = AT_RATES
    for one in range(KINDS):
        for two in range(one + 1, KINDS):
            out[at] = s.scale[one][two] * (1 / TOP)
            at += 1
        out[AT_STRENGTH + one] = strength(s, one) * (1 / (KINDS - 1))
        out[AT_HELD + one] = s.held[one] * (1 / CERTIFICATES)
        out[AT_STOCK + one] = s.stock[one] * (1 / CERTIFICATES)
        out[AT_TIED + one] = (s.choices >> one) & 1
    out[AT_DIVIDENDS] = s.dividend * (1 / DIVIDENDS)
    if s.dividend < s.dividend_cards:
        out[AT_PAYS] = s.dividends[s.dividend] * (1 / PAID)
    out[AT_OFFERS] = min(s.offers, OFFERS) * (1 / 3)
    out[AT_SPOTTED] = s.spotted
    out[AT_PLAYERS] = s.players * (1 / SEATS)
    if s.give != NOBODY:
        out[AT_GIVE + s.give] = 1.0
    if s.get != NOBODY:
        out[AT_GET + s.get] = 1.0
    for place in range(s.queued):
        observe_item(s, seat, s.queue[place], AT_QUEUE + ITEM * place, out)
    target = measure(s)
    for far in range(s.players):
        other = seat + far
        if other >= s.players:
            other -= s.players
        observe_seat(s, other, target, SHARED + EACH * far, out)


def observe_item(s, seat, item, at, out):
    """The features of one item of the queue, from place `at`."""
    if item == STACK:
        out[at + 2] = 1.0
        return
    owner = s.owner[item]
    far = owner - seat
    if far < 0:
        far += s.players
    out[at + ITEM_OWNER + far] = 1.0
    if s.use[item] == CONTRACTED:
        out[at] = 1.0
        out[at + ITEM_BRINGS + s.pays[item]] = -s.paid[item] * (1 / MONEY)
        out[at + ITEM_BRINGS + s.gets[item]] = s.got[item] * (1 / MONEY)
    else:
        out[at + 1] = 1.0
        for kind in range(KINDS):
            out[at + ITEM_BRINGS + kind] = -s.debt[owner][kind] * (1 / MONEY)


def observe_seat(s, other, target, at, out):
    """The features of one seat, from place `at`; `target` is the currency in which its money is counted."""
    points = 0
    for kind in range(KINDS):
        money = s.money[other][kind]
        if money > 0:
            out[at + OF_MONEY + kind] = money * (1 / MONEY)
            points += converted(s, kind, money, target)
        if s.certs[other][kind] > 0:
            out[at + OF_CERTIFICATES + kind] = s.certs[other][kind] * (1 / HAND)
    if s.loan[other] != NOBODY:
        for kind in range(KINDS):
            out[at + OF_DEBTS + kind] = s.debt[other][kind] * (1 / MONEY)
    out[at + OF_WORTH] = points * (1 / WORTH)
    bound = 0
    for letter in range(SETS):
        bound += (s.use[letter] == LENT) & (s.owner[letter] == other)
    out[at + OF_BOUND] = bound * (1 / SETS)
    out[at + OF_ROLES] = (s.phase != OVER) & (s.asking == other)
    out[at + OF_ROLES + 1] = s.turn == other
    out[at + OF_ROLES + 2] = s.partner == other
    out[at + OF_ROLES + 3] = s.bankrupt == other
