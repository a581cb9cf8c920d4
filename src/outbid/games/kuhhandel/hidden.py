"""What a seat may know of Kuhhandel's hidden money and deck (rules/kuhhandel.md §3.6): hide, redeal, observe.

`hide` overwrites what a seat may not know, `redeal` fills it with a world that agrees with that seat's memory (memory.py):
the numbers of cards, the certain cards, the bounds of money, a hidden offer of the right size, a shuffled deck. `redeal`
begins with `hide`, so it cannot use the truth. Compiled subset; the mark K29 and others are rulings in RULES.md.
"""

from outbid.core.chance import below, shuffle_from, step, stream
from outbid.games.kuhhandel.memory import entry, row
from outbid.games.kuhhandel.spaces import (
    AT_AGAIN, AT_BID, AT_CASH, AT_DECK, AT_DONKEYS, AT_KIND, AT_LAID, AT_OFFERED, AT_PHASE, AT_PLAYERS, AT_RAISED,
    AT_STAKE, COPIES, EACH, FEATURES, HAND, OF_ANIMALS, OF_CARDS, OF_KNOWN, OF_LEAST, OF_MOST, OF_ROLES, OF_SCORE,
    OF_SETS, POINTS, PURSE, SHARED,
)
from outbid.games.kuhhandel.state import (
    ACCEPT, ANY, BID, DECK, HAMMER, HIDDEN, KINDS, MONEY, NOBODY, NOTES, OFFER, PAY, PUBLIC, REALTIME, REPLY, SEATS, TURN,
)

DEALS = 20  # random deals tried before the last one is mended by exchanges
EXCHANGES = 200_000  # enough for the narrowest bounds met in tests; one is usually enough
SLACK = 100  # a detour of so much money is often taken on the way, a longer one sometimes


# --- hide -------------------------------------------------------------------------------------------------------------


def builder(s):
    """The seat that has a move half built, or NOBODY."""
    if not s.building:
        return NOBODY
    if s.phase == BID:
        return s.asking
    if s.phase == PAY:
        return s.payer
    if s.phase == OFFER:
        return s.turn
    return s.challenged


def hide(s, seat):
    """Overwrite, in place, all that `seat` (−1: a spectator) may not know: deck, hands, offers, half-built moves,
    the memory of others."""
    for i in range(s.drawn, s.size):
        s.deck[i] = -1
    if s.building and builder(s) != seat:
        forget_half_built(s)
    if s.phase == REPLY and not knows_offer(s, seat):
        for note in range(NOTES):
            s.offer[note] = 0
        if not counts_offer(s, seat):
            s.offered = 0
    for other in range(s.players):
        if other == seat:
            continue
        for note in range(NOTES):
            s.money[other][note] = 0
        if (s.blurred[row(seat, other)] >> other) & 1:
            s.cards[other] = 0
    for other in range(s.players):
        if other == seat:
            continue
        s.blurred[other] &= 1 << other
        least = s.least[other][other]
        most = s.most[other][other]
        for third in range(SEATS):
            s.least[other][third] = 0
            s.most[other][third] = 0
            if third != other:
                for note in range(NOTES):
                    s.known[other * SEATS + third][note] = 0
        s.least[other][other] = least
        s.most[other][other] = most


def knows_offer(s, seat):
    """Whether a seat knows the cards of the offer on the table (K29: nobody looks at it)."""
    return seat == s.turn


def counts_offer(s, seat):
    """Whether it knows their number."""
    return seat == s.turn or s.offer_count_view == PUBLIC


def forget_half_built(s):
    """A half-built move is its owner's secret, also how far it is."""
    s.building = 0
    s.raised = 0
    s.times = 0
    s.last = ANY
    if s.phase == BID and s.bidding == REALTIME:
        s.asking = NOBODY
    for note in range(NOTES):
        s.laid[note] = 0


# --- redeal -----------------------------------------------------------------------------------------------------------


def redeal(s, seat, seed):
    """Fill what `seat` cannot know with a world that agrees with all it has seen."""
    hide(s, seat)
    r = shuffle_rest(s, stream(seed, 1))
    for attempt in range(DEALS):
        r = deal_money(s, seat, r)
        if misfit(s, seat) == 0:
            break
    r = mend(s, seat, r)
    for other in range(s.players):
        if other != seat:
            s.cards[other] = hand_size(s, other)
    if s.phase == REPLY and seat != s.turn:
        r = redeal_offer(s, r)
    for other in range(s.players):
        if other != seat:
            share_memory(s, other)


def shuffle_rest(s, r):
    """The undrawn animals in a new order."""
    n = s.drawn
    for kind in range(KINDS):
        left = s.copies[kind]
        for i in range(s.drawn):
            if s.deck[i] == kind:
                left -= 1
        for _ in range(left):
            s.deck[n] = kind
            n += 1
    return shuffle_from(s.deck, s.drawn, s.size, r)


def counted(s, observer, seat):
    """The observer knows how many cards the hand has."""
    return not (s.blurred[row(observer, seat)] >> seat) & 1


def hand_size(s, seat):
    """The number of money cards in a hand, counted."""
    n = 0
    for note in range(NOTES):
        n += s.money[seat][note]
    return n


def hand_worth(s, seat):
    """The money in a hand."""
    total = 0
    for note in range(1, NOTES):
        total += s.money[seat][note] * MONEY[note]
    return total


def pooled(s, note):
    """How many of a note are in no hand yet."""
    n = s.notes[note]
    for seat in range(s.players):
        n -= s.money[seat][note]
    return n


def deal_money(s, seat, r):
    """The certain cards, then the others at random: to hands of known size first, the rest among the uncounted."""
    uncounted = 0
    for other in range(s.players):
        if other != seat:
            for note in range(NOTES):
                s.money[other][note] = s.known[entry(seat, other)][note]
            if not counted(s, seat, other):
                uncounted += 1
    for other in range(s.players):
        if other != seat and counted(s, seat, other):
            for _ in range(s.cards[other] - hand_size(s, other)):
                r = step(r)
                s.money[other][pool_card(s, r)] += 1
    if uncounted > 0:
        left = 0
        for note in range(NOTES):
            left += pooled(s, note)
        for _ in range(left):
            r = step(r)
            note = pool_card(s, r)
            r = step(r)
            s.money[nth_uncounted(s, seat, below(r, uncounted))][note] += 1
    return r


def pool_card(s, r):
    """A random card of the pool."""
    left = 0
    for note in range(NOTES):
        left += pooled(s, note)
    n = below(r, left)
    for note in range(NOTES):
        n -= pooled(s, note)
        if n < 0:
            return note
    return 0


def nth_uncounted(s, seat, n):
    """The n-th of the other seats whose cards are not counted."""
    for other in range(s.players):
        if other != seat and not counted(s, seat, other):
            if n == 0:
                return other
            n -= 1
    return NOBODY


def misfit(s, seat):
    """How far the hands are, together, from the bounds of money, and the challenger's from the size of his offer."""
    off = 0
    for other in range(s.players):
        if other != seat:
            worth = hand_worth(s, other)
            i = row(seat, other)
            off += max(0, s.least[i][other] - worth) + max(0, worth - s.most[i][other])
    if s.phase == REPLY and seat != s.turn:  # an offer of so many cards came out of the hand
        off += max(0, s.offered - hand_size(s, s.turn))
    return off


def mend(s, seat, r):
    """Exchange uncertain cards between hands until all money fits its bounds."""
    off = misfit(s, seat)
    for _ in range(EXCHANGES):
        if off == 0:
            break
        r = step(r)
        one = below(r, s.players)
        r = step(r)
        two = below(r, s.players)
        r = step(r)
        give = below(r, NOTES)
        r = step(r)
        take = below(r, NOTES + 1)  # the last: nothing, a card only changes hands
        if one == seat or two == seat or one == two or not uncertain(s, seat, one, give):
            continue
        if take == NOTES and (counted(s, seat, one) or counted(s, seat, two)):
            continue
        if take < NOTES and not uncertain(s, seat, two, take):
            continue
        exchange(s, one, two, give, take)
        now = misfit(s, seat)
        r = step(r)
        luck = below(r, 40)
        if now <= off or luck == 0 or (luck < 6 and now <= off + SLACK):
            off = now
        else:
            exchange(s, two, one, give, take)
    return r


def uncertain(s, seat, other, note):
    """The hand has such a note beyond those the seat is certain of."""
    return s.money[other][note] > s.known[entry(seat, other)][note]


def exchange(s, one, two, give, take):
    """`one` gives a note to `two` and takes another (take = NOTES: none)."""
    s.money[one][give] -= 1
    s.money[two][give] += 1
    if take < NOTES:
        s.money[two][take] -= 1
        s.money[one][take] += 1


def redeal_offer(s, r):
    """An offer of the size that shows (or any size, if it is hidden) out of the challenger's new hand."""
    size = s.offered
    if s.offer_count_view == HIDDEN:
        least = 0
        if not s.empty_offer and s.cards[s.turn] > 0:
            least = 1
        r = step(r)
        size = least + below(r, s.cards[s.turn] + 1 - least)
        s.offered = size
    for taken in range(size):
        r = step(r)
        n = below(r, s.cards[s.turn] - taken)
        for note in range(NOTES):
            n -= s.money[s.turn][note] - s.offer[note]
            if n < 0:
                s.offer[note] += 1
                break
    return r


def clear_offer(s):
    """No offer lies on the table."""
    s.offered = NOBODY
    for note in range(NOTES):
        s.offer[note] = 0


def retract_hidden(s, seat):
    """Take back an offer that `seat` has not looked at (K29)."""
    if s.phase != REPLY or seat == s.turn or s.building:
        return 0
    clear_offer(s)
    s.phase = OFFER
    s.moves -= 1
    return 1 << s.turn


def is_public(s, seat, action):
    """Whether all see this step: not what is paid, unless options say so, nor what is laid in a trade; and where anybody may
    bid at any time, what is still being said is its owner's secret. Whether a bidder can pay lies hidden, and so does an
    accepted offer."""
    if s.phase == BID:
        return s.bidding != REALTIME
    if s.phase == HAMMER or (s.phase == REPLY and action == ACCEPT):
        return 2
    return s.phase == TURN or (s.phase == PAY and s.auction_payment_view != 0)


def observe_chance(s, later):
    """The animals that have been turned over by then lie on top of the deck."""
    for i in range(s.drawn, later.drawn):
        s.deck[i] = later.deck[i]


def reshuffle_unseen(s, seed):
    """The animals that nobody has seen, in a new order."""
    shuffle_rest(s, stream(seed, 1))


def share_memory(s, seat):
    """In a redealt world another seat remembers what everybody knows."""
    for other in range(s.players):
        if other != seat:
            for note in range(NOTES):
                s.known[seat * SEATS + other][note] = s.known[other * SEATS + other][note]
            s.least[seat][other] = s.least[other][other]
            s.most[seat][other] = s.most[other][other]
            s.blurred[seat] |= s.blurred[other] & (1 << other)


# --- observe ----------------------------------------------------------------------------------------------------------


def observe(s, seat, out):
    """The features of what `seat` may know, laid out as spaces.py says; seats in relative order. What `hide` overwrites is
    not looked at.

    Units are multiplied by, and amounts written without asking whether they are 0: so several are written at once.
    """
    for i in range(SHARED):
        out[i] = 0.0
    out[AT_PHASE + s.phase] = 1.0
    out[AT_DECK] = (s.size - s.drawn) * (1 / DECK)
    out[AT_DONKEYS] = s.donkeys * (1 / COPIES)
    if s.kind >= 0:
        out[AT_KIND + s.kind] = 1.0
    out[AT_BID] = s.bid * (1 / PURSE)
    out[AT_STAKE] = s.stake * (1 / 2)
    out[AT_AGAIN] = s.again
    out[AT_PLAYERS] = s.players * (1 / SEATS)
    if builder(s) == seat:
        out[AT_RAISED] = s.raised * (1 / PURSE)
        for note in range(NOTES):
            out[AT_LAID + note] = s.laid[note] * (1 / HAND)
    if s.phase == REPLY:
        if knows_offer(s, seat):
            for note in range(NOTES):
                out[AT_LAID + note] += s.offer[note] * (1 / HAND)
        if counts_offer(s, seat):
            out[AT_OFFERED] = s.offered * (1 / HAND)
    for far in range(s.players):
        other = seat + far
        if other >= s.players:
            other -= s.players
        observe_seat(s, seat, other, SHARED + EACH * far, out)
    for i in range(SHARED + EACH * s.players, FEATURES):
        out[i] = 0.0
    observe_role(s, seat, s.turn, 0, out)
    observe_role(s, seat, s.leader, 1, out)
    observe_role(s, seat, s.payer, 4, out)
    observe_role(s, seat, s.payee, 5, out)
    observe_role(s, seat, s.challenged, 6, out)
    cash = hand_worth(s, seat)
    out[AT_CASH] = cash * (1 / PURSE)
    out[SHARED + OF_CARDS] = s.cards[seat] * (1 / HAND)
    out[SHARED + OF_LEAST] = cash * (1 / PURSE)
    out[SHARED + OF_MOST] = cash * (1 / PURSE)
    for note in range(NOTES):
        out[SHARED + OF_KNOWN + note] = s.money[seat][note] * (1 / HAND)


def observe_seat(s, seat, other, at, out):
    """What `seat` may know of one seat, from place `at`; what it knows of its own money is written elsewhere."""
    total = 0
    sets = 0
    for kind in range(KINDS):
        mine = s.animals[other][kind]
        out[at + OF_ANIMALS + kind] = mine * (1 / COPIES)
        whole = (mine == s.copies[kind]) & (mine > 0)
        total += s.values[kind] * whole
        sets += whole
    out[at + OF_CARDS] = s.cards[other] * (1 / HAND) * (1 - ((s.blurred[seat] >> other) & 1))
    for note in range(NOTES):
        out[at + OF_KNOWN + note] = s.known[entry(seat, other)][note] * (1 / HAND)
    out[at + OF_LEAST] = s.least[seat][other] * (1 / PURSE)
    out[at + OF_MOST] = s.most[seat][other] * (1 / PURSE)
    for role in range(OF_ROLES, OF_SCORE):
        out[at + role] = 0.0
    out[at + OF_ROLES + 2] = (s.excluded >> other) & 1
    out[at + OF_ROLES + 3] = (s.passed >> other) & 1
    out[at + OF_SCORE] = total * sets * (1 / POINTS)
    out[at + OF_SETS] = sets * (1 / KINDS)


def observe_role(s, seat, other, role, out):
    """A part that one seat has, or nobody."""
    if other != NOBODY:
        far = other - seat
        if far < 0:
            far += s.players
        out[SHARED + EACH * far + OF_ROLES + role] = 1.0
