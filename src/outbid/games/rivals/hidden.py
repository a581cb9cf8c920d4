"""What a seat may know of Rivals: everything but the order of the undrawn cards.

Gold is open or can be worked out from what everybody saw (L28), and so can the starting wagers that were not dealt; so
there is nothing to remember, and the same for every seat and for spectators. Compiled subset.
"""

from outbid.engine.chance import below, step, stream
from outbid.games.rivals.state import HUES, KINDS, OVER, RANKS, SEATS, TAKE


def hide(s, seat):
    """Overwrite, in place, the undrawn cards."""
    for i in range(s.drawn, s.size):
        s.deck[i] = -1


def redeal(s, seat, seed):
    """The undrawn cards in a new order."""
    n = s.drawn
    for card in range(KINDS):
        for _ in range(undrawn(s, card)):
            s.deck[n] = card
            n += 1
    r = stream(seed, 1)
    for i in range(s.size - 1, s.drawn, -1):
        r = step(r)
        j = s.drawn + below(r, i + 1 - s.drawn)
        card = s.deck[i]
        s.deck[i] = s.deck[j]
        s.deck[j] = card


def in_deck(s, card):
    """How many of a card the deck began with."""
    rank = card % RANKS
    return s.wagers if rank == 0 else s.copies[rank - 1]


def undrawn(s, card):
    """How many of a card have not been turned up yet; everybody can count them."""
    n = in_deck(s, card)
    for i in range(s.drawn):
        if s.deck[i] == card:
            n -= 1
    return n


# --- observe ----------------------------------------------------------------------------------------------------------

SHARED = 14 + 2 * KINDS  # features of the table
EACH = 6 + 5 * HUES  # features of each seat, beginning with one's own, clockwise
FEATURES = SHARED + EACH * SEATS
LAYOUT_OF_FEATURES = (
    ("phase", 0, 5, "one of turn, bid, take, remove, over"),
    ("deck", 5, 1, "undrawn cards / 80"),
    ("pile", 6, 1, "undrawn cards of the current pile / 20"),
    ("divisions", 7, 1, "divisions of the supply still to come / 4"),
    ("supply", 8, 1, "gold in the supply / 36"),
    ("bid", 9, 1, "standing bid / 36"),
    ("lying", 10, 1, "cards on display / 20"),
    ("taken", 11, 1, "cards of a take half built / 5"),
    ("next", 12, 1, "where such a take goes on: the first kind that may follow, from 1 / 51; 0 outside a take"),
    ("players", 13, 1, "players / 4"),
    ("display", 14, 50, "cards of each kind on display / 2"),
    ("undrawn", 64, 50, "cards of each kind not turned up yet / 3"),
)
LAYOUT_OF_SEAT = (
    ("gold", 0, 1, "gold / 36"),
    ("score", 1, 1, "points so far / 100"),
    ("roles", 2, 4, "to move or opener, leader or winner, asked for a bid, passed"),
    ("expeditions", 6, 25, "for each colour: footprints / 18, handshakes / 4, number cards / 9, highest rank / 9, begun"),
)


def observe(s, seat, out):
    """The features of a state hidden for `seat`, laid out as the two tables above say; seats in relative order."""
    for i in range(FEATURES):
        out[i] = 0.0
    out[s.phase] = 1.0
    out[5] = (s.size - s.drawn) / 80
    out[6] = (s.pile_end - s.drawn) / 20
    if s.phase != OVER:
        out[7] = (s.piles - s.pile - 1 + s.final_distribution) / 4
    out[8] = s.supply / 36
    out[9] = s.bid / 36
    out[10] = s.lying / 20
    out[11] = s.taken / 5
    if s.phase == TAKE:
        out[12] = 1.0
        if s.next < s.lying:
            out[12] = (1 + s.display[s.next]) / (KINDS + 1)
    out[13] = s.players / 4
    for i in range(s.lying):
        out[14 + s.display[i]] += 1
    for card in range(KINDS):
        out[64 + card] = in_deck(s, card)
    for i in range(s.drawn):
        out[64 + s.deck[i]] -= 1
    for card in range(KINDS):
        out[14 + card] /= 2
        out[64 + card] /= 3
    for far in range(s.players):
        other = seat + far
        if other >= s.players:
            other -= s.players
        observe_seat(s, other, SHARED + EACH * far, out)


def observe_seat(s, other, at, out):
    """The features of one seat, from place `at`."""
    points = s.gold[other]
    out[at] = s.gold[other] / 36
    out[at + 2] = 1.0 if other == s.turn else 0.0
    out[at + 3] = 1.0 if other == s.leader else 0.0
    out[at + 4] = 1.0 if other == s.asking else 0.0
    out[at + 5] = (s.passed >> other) & 1
    for colour in range(HUES):
        place = at + 6 + 5 * colour
        out[place] = s.feet[other][colour] / 18
        out[place + 1] = s.shakes[other][colour] / 4
        out[place + 2] = s.numbers[other][colour] / 9
        out[place + 3] = s.top[other][colour] / 9
        if s.shakes[other][colour] + s.numbers[other][colour] > 0:
            out[place + 4] = 1.0
        points += s.feet[other][colour] * (s.shakes[other][colour] + 1)
        if s.numbers[other][colour] >= s.bonus_cards:
            points += s.bonus
    out[at + 1] = points / 100
