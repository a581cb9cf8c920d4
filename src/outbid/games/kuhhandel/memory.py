"""What each seat remembers of the money in Kuhhandel's hands (rules/kuhhandel.md §3.6), kept up to date whenever it moves.

All money starts in the open, so a seat that remembers everything knows bounds of every hand. They are kept in the state.
Row `i` is seat i's memory; its diagonal entry is what everybody, also a spectator, knows of seat i:

    known[i·SEATS + j][note]   that many of these notes are certainly in j's hand
    least[i][j], most[i][j]    bounds of the money in j's hand
    blurred[i] bit j           the number of j's cards cannot be known (counts hidden by options)

Who paid or received cards, or saw them shown, knows them exactly. Third parties know the price and the number of cards,
from which `moves_unseen` takes what they imply: how many of each note at most and at least went over, and how much money.
Compiled subset; the marks K3 and K5 are rulings in RULES.md.
"""

from outbid.games.kuhhandel.state import FREE, HIDDEN, MONEY, NOBODY, NOTES, PUBLIC, SEATS

EVERYBODY = -1  # the observer who knows only what all know: a spectator
MANY = 255  # more cards than there can be in play


def row(observer, seat):
    """The row that holds what `observer` knows of `seat`."""
    return observer if observer >= 0 else seat


def entry(observer, seat):
    """The index into `known`."""
    return row(observer, seat) * SEATS + seat


def receives(s, seat, note):
    """A note from the bank, in the open."""
    s.money[seat][note] += 1
    s.cards[seat] += 1
    s.notes[note] += 1
    for i in range(s.players):
        s.known[i * SEATS + seat][note] += 1
        s.least[i][seat] += MONEY[note]
        s.most[i][seat] += MONEY[note]


def shows(s, seat):
    """The whole hand is shown to all (K5)."""
    total = 0
    for note in range(1, NOTES):
        total += s.money[seat][note] * MONEY[note]
    for i in range(s.players):
        for note in range(NOTES):
            s.known[i * SEATS + seat][note] = s.money[seat][note]
        s.least[i][seat] = total
        s.most[i][seat] = total
        s.blurred[i] &= ~(1 << seat)


def shows_at_least(s, seat, amount):
    """Where the rules bound bids by money, a bid tells everybody a lower bound of it (K3)."""
    for i in range(s.players):
        s.least[i][seat] = max(s.least[i][seat], amount)


def gains(s, observer, seat, notes):
    """`observer` has seen `seat` receive these notes."""
    i = row(observer, seat)
    for note in range(NOTES):
        s.known[i * SEATS + seat][note] += notes[note]
        s.least[i][seat] += notes[note] * MONEY[note]
        s.most[i][seat] = min(s.purse, s.most[i][seat] + notes[note] * MONEY[note])


def loses(s, observer, seat, notes):
    """`observer` has seen `seat` give these notes."""
    i = row(observer, seat)
    gone = 0
    for note in range(NOTES):
        s.known[i * SEATS + seat][note] = max(0, s.known[i * SEATS + seat][note] - notes[note])
        gone += notes[note] * MONEY[note]
    s.least[i][seat] = max(0, s.least[i][seat] - gone)
    s.most[i][seat] -= gone


def pays(s, payer, payee, price):
    """A payment in an auction, before it moves: the two know the cards, others price and number (unless shown to all)."""
    count = 0
    for note in range(NOTES):
        count += s.laid[note]
    high = MONEY[NOTES - 1] * count
    if s.payment != FREE and count > 1:
        # no note could be left out, so all but the smallest stay below the price, and the smallest below their mean
        high = price - 10 + largest_note((price - 10) // (count - 1))
    for i in range(-1, s.players):
        if i == payer:
            gains(s, i, payee, s.laid)
        elif i == payee:
            loses(s, i, payer, s.laid)
        elif s.auction_payment_view:
            loses(s, i, payer, s.laid)
            gains(s, i, payee, s.laid)
        else:
            low, top = moves_unseen(s, i, payer, payee, count, 1, price, min(high, s.most[row(i, payer)][payer]), 10)
            sum_moves(s, i, payer, payee, low, top)


def largest_note(amount):
    """The largest note of at most this value."""
    note = NOTES - 1
    while MONEY[note] > amount:
        note -= 1
    return MONEY[note]


def sees(s, challenger, challenged):
    """Both look at the stack they take: they know each other's hand contains it, also where a card then goes back."""
    for note in range(NOTES):
        at = challenger * SEATS + challenged
        s.known[at][note] = max(s.known[at][note], s.laid[note])
        at = challenged * SEATS + challenger
        s.known[at][note] = max(s.known[at][note], s.offer[note])


def accepts(s, challenger, challenged):
    """An accepted offer, before it moves."""
    gains(s, challenger, challenged, s.offer)
    loses(s, challenged, challenger, s.offer)
    count = 0
    for note in range(NOTES):
        count += s.offer[note]
    for i in range(-1, s.players):
        if i != challenger and i != challenged:
            told = counts_stacks(s) or s.hand_count_view == PUBLIC
            high = s.most[row(i, challenger)][challenger]
            low, high = stack_moves_unseen(s, i, challenger, challenged, count, told, 0, high)
            sum_moves(s, i, challenger, challenged, low, high)
            blur(s, i, challenger, challenged)


def swaps(s, challenger, challenged, difference):
    """Two stacks `offer` and `laid` are about to change hands; third parties know which was worth more.

    Where zeros go back and both stacks move, third parties see only the difference of what each of them leaves."""
    loses(s, challenger, challenged, s.laid)
    gains(s, challenger, challenged, s.offer)
    loses(s, challenged, challenger, s.offer)
    gains(s, challenged, challenger, s.laid)
    held = 0
    back = 0
    for note in range(NOTES):
        held += s.offer[note]
        back += s.laid[note]
    for i in range(-1, s.players):
        if i == challenger or i == challenged:
            continue
        told = counts_stacks(s) and (not s.zeros_return or (s.winner_pays != 0 and difference != 0))
        if told and difference == 0 and held == back and held < 2:
            continue  # one card against an equal one: nothing has changed
        if difference > 0:
            stack_wins(s, i, challenger, challenged, held, back, told)
        elif difference < 0:
            stack_wins(s, i, challenged, challenger, back, held, told)
        elif told and held > back:
            stacks_tie(s, i, challenged, challenger, back, held, told)
        else:
            stacks_tie(s, i, challenger, challenged, held, back, told)
        blur(s, i, challenger, challenged)


def counts_stacks(s):
    """Third parties can tell how many cards a stack that changes hands has."""
    return s.offer_count_view == PUBLIC and (not s.zeros_return or s.hand_count_view == PUBLIC)


def blur(s, observer, challenger, challenged):
    """Where neither hands nor stacks are counted in the open, the numbers of cards are lost to third parties."""
    if s.hand_count_view == HIDDEN and not counts_stacks(s):
        s.blurred[row(observer, challenger)] |= 1 << challenger
        s.blurred[row(observer, challenged)] |= 1 << challenged


def sum_moves(s, observer, giver, taker, low, high):
    """`observer` knows that between `low` and `high` of money goes from one hand to the other."""
    i = row(observer, giver)
    s.least[i][giver] = max(0, s.least[i][giver] - high)
    s.most[i][giver] = max(0, s.most[i][giver] - low)
    i = row(observer, taker)
    s.least[i][taker] += low
    s.most[i][taker] = min(s.purse, s.most[i][taker] + high)


def stack_moves_unseen(s, observer, giver, taker, count, told, low, high):
    """A stack of a trade moves, seen by a third party; `told`: the number of its cards is known."""
    if told:
        return moves_unseen(s, observer, giver, taker, count, 1, low, high, 10 if s.zeros_return else 0)
    return moves_unseen(s, observer, giver, taker, hand_at_most(s, observer, giver), 0, low, high, 0)


def stack_wins(s, observer, winner, loser, count, count_back, told):
    """The winner's stack goes over, and the loser's, which is worth less, comes back (not if only the winner pays)."""
    low, high = stack_moves_unseen(s, observer, winner, loser, count, told, 10, s.most[row(observer, winner)][winner])
    if not s.winner_pays:
        most = min(high - 10, s.most[row(observer, loser)][loser])
        low_back, high_back = stack_moves_unseen(s, observer, loser, winner, count_back, told, 0, most)
        low = max(10, low - high_back)
        high -= low_back
    sum_moves(s, observer, winner, loser, low, high)


def stacks_tie(s, observer, first, second, count, count_back, told):
    """Stacks of the same worth are exchanged; the one of fewer cards says more about it."""
    high = min(s.most[row(observer, first)][first], s.most[row(observer, second)][second])
    low, high = stack_moves_unseen(s, observer, first, second, count, told, 0, high)
    stack_moves_unseen(s, observer, second, first, count_back, told, low, high)


def hand_at_most(s, observer, seat):
    """At most how many cards are in a hand."""
    if (s.blurred[row(observer, seat)] >> seat) & 1:
        return MANY
    return s.cards[seat]


def moves_unseen(s, observer, giver, taker, count, counted, low, high, smallest):
    """`count` cards of at least `smallest` worth together `low` to `high` change hands: keep what is still certain.

    counted = 0: `count` is only an upper bound. The least and the most that the cards can be worth are returned."""
    limit_notes(s, observer, giver, count, counted, low, high, smallest)
    if counted:
        low = max(low, smallest_fill(s, count, NOBODY))
    high = min(high, largest_fill(s, count, NOBODY))
    together = 0
    for note in range(NOTES):
        together += s.spare[note]
    gives = entry(observer, giver)
    takes = entry(observer, taker)
    for note in range(NOTES):
        s.known[gives][note] = max(0, s.known[gives][note] - s.spare[note])
        if counted and count > together - s.spare[note]:
            s.known[takes][note] += count - (together - s.spare[note])
        s.spare[note] = 0
    return low, high


def limit_notes(s, observer, giver, count, counted, low, high, smallest):
    """Write to `spare` at most how many of each note can be among the cards that move."""
    for note in range(NOTES):
        s.spare[note] = 0
        if MONEY[note] >= smallest:
            s.spare[note] = min(count, holds_at_most(s, observer, giver, note))
    for note in range(NOTES - 1, -1, -1):
        most = s.spare[note]
        value = MONEY[note]
        if counted:
            while most > 0 and most * value + smallest_fill(s, count - most, note) > high:
                most -= 1
            while most > 0 and most * value + largest_fill(s, count - most, note) < low:
                most -= 1
        else:
            while most > 0 and most * value > high:
                most -= 1
        s.spare[note] = most


def smallest_fill(s, n, but):
    """The smallest sum of n cards that can move, none of them a `but`."""
    total = 0
    for note in range(NOTES):
        if note != but:
            total += min(n, s.spare[note]) * MONEY[note]
            n -= min(n, s.spare[note])
    return total


def largest_fill(s, n, but):
    """The largest sum of up to n cards that can move, none of them a `but`."""
    total = 0
    for note in range(NOTES - 1, 0, -1):
        if note != but:
            total += min(n, s.spare[note]) * MONEY[note]
            n -= min(n, s.spare[note])
    return total


def holds_at_most(s, observer, seat, note):
    """At most how many of a note `observer` must reckon with in a hand: all that are not certainly elsewhere."""
    n = s.notes[note]
    for other in range(s.players):
        if other == observer:
            n -= s.money[other][note]
        elif other != seat:
            n -= s.known[entry(observer, other)][note]
    return n
