"""What a seat may know of Money!'s hidden cards (rules/money.md §3.6): hide, redeal, observe.

Every card that changes hands has lain face up, so memory is one bit a card: `seen` cards are known by everybody to be where
they are. Unknown to a seat are the order of the pile and those cards of the other hands that were dealt at the start and
have never been bid. All of them are alike to it: any of them may lie in any of those places. Which number is on which card
is printed on the cards and known to all. Until the reveal a bid is its owner's secret, also which cards it has (E2).

`redeal` begins with `hide`, so it cannot use the truth. Compiled subset; the marks are rulings in RULES.md.
"""

from outbid.engine.chance import below, step, stream
from outbid.games.money.state import (
    BID, CARDS, COINS, EXCHANGE, GOLD, HIDDEN, NOTES, OVER, PILE, RIGHT, SEATS, TABLE,
    UNKNOWN,
)
from outbid.games.money.rules import lay

# --- hide -------------------------------------------------------------------------------------------------------------


def hide(s, seat):
    """Overwrite, in place, all that `seat` (−1: a spectator) may not know: pile, hands, bids before the reveal."""
    bid = TABLE + seat if seat >= 0 else seat
    for card in range(CARDS):
        at = s.place[card]
        others = at < RIGHT and at != seat and at != bid
        if others and at >= TABLE and s.phase == BID:
            at -= TABLE  # what is known of a sealed card is whose it is
        s.place[card] = UNKNOWN if at == PILE or (others and not s.seen[card]) else at
    for i in range(s.drawn, s.size):
        s.pile[i] = -1
    if s.phase == BID:
        for other in range(s.players):
            if other != seat:
                hide_bid(s, other)


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
        for _ in range(s.held[other] - known(s, other)):
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


def known(s, other):
    """How many cards of a seat are in a known place."""
    n = 0
    for card in range(CARDS):
        n += s.place[card] == other or s.place[card] == TABLE + other
    return n


def shuffle_unknown(s, r):
    """All unknown cards in random order at the end of `pile`: those for the hands come before the undrawn ones."""
    first = s.size - unknown(s)
    n = first
    for card in range(CARDS):
        if s.place[card] == UNKNOWN:
            s.pile[n] = card
            n += 1
    for i in range(n - 1, first, -1):
        r = step(r)
        j = first + below(r, i + 1 - first)
        card = s.pile[i]
        s.pile[i] = s.pile[j]
        s.pile[j] = card
    return r


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

KINDS = 37  # of cards: five values of seven currencies, and two metals
SHARED = 6 + 2 * CARDS + 2 * KINDS  # features of the table and of one's own cards
EACH = 2 * KINDS + 8  # features of each seat, beginning with one's own, clockwise
FEATURES = SHARED + EACH * SEATS
LAYOUT_OF_FEATURES = (
    ("phase", 0, 2, "one of bid, exchange; none when over"),
    ("round", 2, 1, "round / 10"),
    ("final", 3, 1, "1 in the last round"),
    ("pile", 4, 1, "undrawn cards / 40"),
    ("stall", 5, 1, "rounds in a row without a drawn card / 5"),
    ("hand", 6, 75, "the own cards in hand, by number"),
    ("bid", 81, 75, "the own cards in the bid, by number"),
    ("right", 156, 37, "cards in the right display by kind / 4"),
    ("left", 193, 37, "cards in the left display by kind / 4"),
)
LAYOUT_OF_SEAT = (
    ("known", 0, 37, "cards certainly in the hand by kind / 4 (one's own: all)"),
    ("table", 37, 37, "cards of the open bid by kind / 4 (one's own: also before the reveal)"),
    ("held", 74, 1, "cards in hand and bid / 20"),
    ("unknown", 75, 1, "cards among them that have not been seen / 8"),
    ("sealed", 76, 1, "1: has sealed a bid in this round"),
    ("pieces", 77, 1, "cards laid, the bluff card among them / 6; 0 if hidden"),
    ("bluff", 78, 1, "1: the bluff card lies with the bid"),
    ("open", 79, 1, "1: has a bid on the table and acts later"),
    ("acts", 80, 1, "1: acts now"),
    ("rank", 81, 1, "place in the order of acting: the sum that gives it / 200"),
)


def kind(card):
    """A card's kind: its currency and value, or its metal."""
    if card >= COINS:
        return 35 + (card >= GOLD)
    k = card % NOTES
    return 5 * (card // NOTES) + (k // 3 if k < 6 else k - 4)


def observe(s, seat, out):
    """The features of a state hidden for `seat`, laid out as the two tables above say; seats in relative order."""
    for i in range(FEATURES):
        out[i] = 0.0
    if s.phase != OVER:
        out[s.phase] = 1.0
    out[2] = s.round / 10
    out[3] = s.final
    out[4] = (s.size - s.drawn) / 40
    out[5] = s.stall / 5
    for card in range(CARDS):
        at = s.place[card]
        if at >= PILE:
            continue
        if at >= RIGHT:
            out[6 + 2 * CARDS + KINDS * (at - RIGHT) + kind(card)] += 0.25
            continue
        laid = at >= TABLE
        if laid:
            at -= TABLE
        if at == seat:
            out[6 + CARDS * laid + card] = 1.0
        far = at - seat if at >= seat else at - seat + s.players
        out[SHARED + EACH * far + KINDS * laid + kind(card)] += 0.25
        if s.seen[card]:
            out[SHARED + EACH * far + 2 * KINDS + 1] -= 0.125
    for far in range(s.players):
        other = seat + far
        if other >= s.players:
            other -= s.players
        observe_seat(s, other, SHARED + EACH * far + 2 * KINDS, out)


def observe_seat(s, other, at, out):
    """The single features of one seat, from place `at`."""
    out[at] = s.held[other] / 20
    out[at + 1] += s.held[other] * 0.125
    out[at + 2] = (s.sealed >> other) & 1
    out[at + 3] = s.pieces[other] / 6
    out[at + 4] = (s.bluffed >> other) & 1
    if s.key[other] >= 0:
        out[at + 5] = 1.0
        out[at + 7] = s.key[other] / 25600
    if s.phase == EXCHANGE and other == s.actor:
        out[at + 6] = 1.0
