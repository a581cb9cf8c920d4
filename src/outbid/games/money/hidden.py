"""What a seat may know of Money!'s hidden cards (rules/money.md §3.6): hide, redeal, observe.

Every card that changes hands has lain face up, so memory is one bit a card: `seen` cards are known by everybody to be where
they are. Unknown to a seat are the order of the pile and those cards of the other hands that were dealt at the start and
have never been bid. All of them are alike to it: any of them may lie in any of those places. Which number is on which card
is printed on the cards and known to all. Until the reveal a bid is its owner's secret, also which cards it has (E2).

`redeal` begins with `hide`, so it cannot use the truth. Compiled subset; the marks are rulings in RULES.md.
"""

from outbid.core.chance import below, shuffle_from, step, stream
from outbid.games.money.spaces import (
    AT_BID, AT_FINAL, AT_HAND, AT_PHASE, AT_PILE, AT_RIGHT, AT_ROUND, AT_STALL, EACH, FACES, FEATURES, HELD, KINDS, LAID,
    NEW, OF_ACTS, OF_BLUFF, OF_HELD, OF_KNOWN, OF_OPEN, OF_PIECES, OF_RANK, OF_SEALED, OF_UNKNOWN, RANK, ROUNDS, SAME,
    SHARED, STALLS, UNDRAWN,
)
from outbid.games.money.state import (
    BID, CARDS, COINS, EXCHANGE, GOLD, HIDDEN, NOTES, OVER, PILE, PLACES, RIGHT, TABLE, UNKNOWN,
)
from outbid.games.money.rules import clear_bid, lay

# --- hide -------------------------------------------------------------------------------------------------------------


def hide(s, seat):
    """Overwrite, in place, all that `seat` (−1: a spectator) may not know: pile, hands, bids before the reveal."""
    for card in range(CARDS):
        at = s.place[card]
        mine = seat >= 0 and of_seat(at, seat)
        s.place[card] = known_place(at, mine, s.seen[card], s.phase == BID)
    for i in range(s.drawn, s.size):
        s.pile[i] = -1
    if s.phase == BID:
        for other in range(s.players):
            if other != seat:
                hide_bid(s, other)


def of_seat(at, seat):
    """Whether a place is the hand or the bid of this seat."""
    return (at == seat) | (at == TABLE + seat)


def known_place(at, mine, seen, bidding):
    """The place of a card as far as a seat may know it: of one in a sealed bid only whose it is, of one that nobody has seen
    nothing."""
    others = (at < RIGHT) & (not mine)
    at -= TABLE * (others & (at >= TABLE) & bidding)
    return at + (UNKNOWN - at) * ((at == PILE) | (others & (seen == 0)))


def hide_bid(s, other):
    """A bid before the reveal: that it is sealed shows, how many cards lie there only with `bid_counts` (E2)."""
    s.last[other] = -1
    s.laid[other] = 0
    s.worth[other] = 0
    s.lowest[other] = 0
    s.bluffed &= ~(1 << other)
    if s.bid_counts == HIDDEN:
        s.pieces[other] = 0


# --- redeal -----------------------------------------------------------------------------------------------------------


def redeal(s, seat, seed):
    """Fill what `seat` cannot know with a world that agrees with all it has seen."""
    hide(s, seat)
    r = shuffle_unknown(s, stream(seed, 1))
    n = s.size - unknown(s)
    for other in range(s.players):
        for _ in range(s.covered[other] * (other != seat)):
            s.place[s.pile[n]] = other
            s.pile[n] = -1
            n += 1
    for i in range(s.drawn, s.size):
        s.place[s.pile[i]] = PILE
    if s.phase == BID:
        for other in range(s.players):
            if other != seat and (s.sealed >> other) & 1:
                r = redeal_bid(s, other, r)


def unknown(s):
    """How many cards are in an unknown place."""
    n = 0
    for card in range(CARDS):
        n += s.place[card] == UNKNOWN
    return n


def shuffle_unknown(s, r):
    """All unknown cards in random order at the end of `pile`: those for the hands come before the undrawn ones."""
    first = s.size - unknown(s)
    n = first
    for card in range(CARDS):
        if s.place[card] == UNKNOWN:
            s.pile[n] = card
            n += 1
    return shuffle_from(s.pile, first, n, r)


def retract_hidden(s, seat):
    """Take back the bids that others have sealed (E2)."""
    if s.phase != BID:
        return 0
    back = s.sealed & ~(1 << seat)
    for other in range(s.players):
        if (back >> other) & 1:
            for card in range(CARDS):
                if s.place[card] == TABLE + other:
                    s.place[card] = other
            clear_bid(s, other)
            s.pieces[other] = 0
    s.bluffed &= ~back
    s.sealed &= ~back
    return back


def redeal_bid(s, other, r):
    """A sealed bid out of a redealt hand, of as many pieces as show, or of a few cards; any bid is possible."""
    hand = s.held[other]
    r = step(r)
    with_bluff = below(r, 2)
    if s.bid_counts == HIDDEN:
        r = step(r)
        n = below(r, hand + 1)
        r = step(r)
        n = min(n, below(r, hand + 1))
        if n == 0:
            with_bluff = 1
    else:
        if s.pieces[other] > hand:
            with_bluff = 1
        n = s.pieces[other] - with_bluff
    s.pieces[other] = n + with_bluff
    s.bluffed |= with_bluff << other
    for card in range(CARDS):
        if s.place[card] == other:
            r = step(r)
            if below(r, hand) < n:
                lay(s, other, card)
                n -= 1
            hand -= 1
    return r


# --- observe ----------------------------------------------------------------------------------------------------------


def observe(s, seat, out):
    """The features of what `seat` may know, laid out as spaces.py says; seats in relative order. What `hide` overwrites is
    not looked at.

    Units are multiplied by, as dividing takes longer.
    """
    for i in range(FEATURES):
        out[i] = 0.0
    count_cards(s, seat, out)
    for card in range(CARDS):
        out[AT_HAND + card] = s.place[card] == seat
    for card in range(CARDS):
        out[AT_BID + card] = s.place[card] == TABLE + seat
    if s.phase != OVER:
        out[AT_PHASE + s.phase] = 1.0
    out[AT_ROUND] = min(s.round, ROUNDS) * (1 / 10)
    out[AT_FINAL] = s.final
    out[AT_PILE] = (s.size - s.drawn) * (1 / UNDRAWN)
    out[AT_STALL] = min(s.stall, STALLS) * (1 / 5)
    for far in range(s.players):
        other = seat + far
        if other >= s.players:
            other -= s.players
        observe_seat(s, seat, other, SHARED + EACH * far, out)


def count_cards(s, seat, out):
    """Every card where it is known to lie, by kind.

    Where the counts of a place begin is kept in the features of the own bid meanwhile, first for cards that nobody has seen,
    then for those that all have; what is nowhere is counted in those of the own hand. Branches that nobody could foretell
    would take longer.
    """
    for seen in range(2):
        for at in range(RIGHT, PLACES):
            out[AT_BID + PLACES * seen + at] = AT_RIGHT + KINDS * (at - RIGHT) if at < PILE else AT_HAND
    for far in range(s.players):
        other = seat + far
        if other >= s.players:
            other -= s.players
        for seen in range(2):
            for laid in range(2):
                at = other + TABLE * laid
                place = known_place(at, other == seat, seen, s.phase == BID)
                spot = SHARED + EACH * far + OF_KNOWN + KINDS * (place >= TABLE) if place < RIGHT else AT_HAND
                out[AT_BID + PLACES * seen + at] = spot
    for currency in range(COINS // NOTES):
        for note in range(NOTES):
            face = note // 3 if note < 6 else note - 4
            count_card(s, NOTES * currency + note, FACES * currency + face, out)
    for coin in range(COINS, CARDS):
        count_card(s, coin, KINDS - 2 + (coin >= GOLD), out)


def count_card(s, card, kind, out):
    """Count one card."""
    out[int(out[AT_BID + PLACES * s.seen[card] + s.place[card]]) + kind] += 1 / SAME


def observe_seat(s, seat, other, at, out):
    """The single features of one seat, from place `at`."""
    out[at + OF_HELD] = s.held[other] * (1 / HELD)
    out[at + OF_UNKNOWN] = s.covered[other] * (1 / NEW)
    out[at + OF_SEALED] = (s.sealed >> other) & 1
    shut = s.phase == BID and other != seat
    if not (shut and s.bid_counts == HIDDEN):
        out[at + OF_PIECES] = s.pieces[other] * (1 / LAID)
    if not shut:
        out[at + OF_BLUFF] = (s.bluffed >> other) & 1
    if s.key[other] >= 0:
        out[at + OF_OPEN] = 1.0
        out[at + OF_RANK] = s.key[other] * (1 / RANK)
    if s.phase == EXCHANGE and other == s.actor:
        out[at + OF_ACTS] = 1.0
