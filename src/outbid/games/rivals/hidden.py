"""What a seat may know of Rivals: everything but the order of the undrawn cards.

Gold is open or can be worked out from what everybody saw (L28), and so can the starting wagers that were not dealt; so
there is nothing to remember, and the same for every seat and for spectators. Compiled subset.
"""

from outbid.core.chance import shuffle_from, stream
from outbid.games.rivals.spaces import (
    AT_BID, AT_DECK, AT_DISPLAY, AT_DIVISIONS, AT_LYING, AT_NEXT, AT_PHASE, AT_PILE, AT_PLAYERS, AT_SUPPLY, AT_TAKEN,
    AT_UNDRAWN, EACH, EXPEDITION, FEATURES, FEET, GOLD, HIDDEN, LYING, NUMBERS, OF_EXPEDITIONS, OF_GOLD, OF_ROLES,
    OF_SCORE, PILES, POINTS, SHAKES, SHARED, SHOWN, TAKEN, UNDRAWN,
)
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
    shuffle_from(s.deck, s.drawn, s.size, stream(seed, 1))


def in_deck(s, card):
    """How many of a card the deck began with."""
    if card >= s.colours * RANKS:
        return 0
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


def observe(s, seat, out):
    """The features of what `seat` may know, laid out as spaces.py says; seats in relative order.

    Units are multiplied by, as dividing takes longer.
    """
    for i in range(FEATURES):
        out[i] = 0.0
    out[AT_PHASE + s.phase] = 1.0
    out[AT_DECK] = (s.size - s.drawn) * (1 / UNDRAWN)
    out[AT_PILE] = (s.pile_end - s.drawn) * (1 / LYING)
    if s.phase != OVER:
        out[AT_DIVISIONS] = ((s.piles - s.pile - 1) * s.pile_distribution + s.final_distribution) * (1 / PILES)
    out[AT_SUPPLY] = s.supply * (1 / GOLD)
    out[AT_BID] = s.bid * (1 / GOLD)
    out[AT_LYING] = s.lying * (1 / LYING)
    out[AT_TAKEN] = s.taken * (1 / TAKEN)
    if s.phase == TAKE:
        out[AT_NEXT] = 1.0
        if s.next < s.lying:
            out[AT_NEXT] = (1 + s.display[s.next]) * (1 / (KINDS + 1))
    out[AT_PLAYERS] = s.players * (1 / SEATS)
    for i in range(s.lying):
        out[AT_DISPLAY + s.display[i]] += 1 / SHOWN
    for colour in range(HUES):
        at = AT_UNDRAWN + colour * RANKS
        out[at] = s.wagers
        for rank in range(1, RANKS):
            out[at + rank] = s.copies[rank - 1]
    for i in range(s.drawn):
        out[AT_UNDRAWN + s.deck[i]] -= 1
    for card in range(KINDS):
        out[AT_UNDRAWN + card] *= 1 / HIDDEN
    for far in range(s.players):
        other = seat + far
        if other >= s.players:
            other -= s.players
        observe_seat(s, other, SHARED + EACH * far, out)


def observe_seat(s, other, at, out):
    """The features of one seat, from place `at`."""
    points = s.gold[other]
    out[at + OF_GOLD] = s.gold[other] * (1 / GOLD)
    out[at + OF_ROLES] = other == s.turn
    out[at + OF_ROLES + 1] = other == s.leader
    out[at + OF_ROLES + 2] = other == s.asking
    out[at + OF_ROLES + 3] = (s.passed >> other) & 1
    for colour in range(HUES):
        place = at + OF_EXPEDITIONS + EXPEDITION * colour
        out[place] = s.feet[other][colour] * (1 / FEET)
        out[place + 1] = s.shakes[other][colour] * (1 / SHAKES)
        out[place + 2] = s.numbers[other][colour] * (1 / NUMBERS)
        out[place + 3] = s.top[other][colour] * (1 / NUMBERS)
        out[place + 4] = s.shakes[other][colour] + s.numbers[other][colour] > 0
        points += s.feet[other][colour] * (s.shakes[other][colour] + 1)
        points += s.bonus * (s.numbers[other][colour] >= s.bonus_cards)
    out[at + OF_SCORE] = points * (1 / POINTS)
