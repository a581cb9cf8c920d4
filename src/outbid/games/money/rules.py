"""The rules of Money!, in the order of the rulebook: set-up, bid, reveal, exchange, refill, end, score.

Compiled subset: integers and fixed-size arrays only. The marks E1…E24 are the rulings in RULES.md.
"""

from outbid.core.chance import below, shuffle, step, stream
from outbid.core.seats import highest
from outbid.games.money.state import (
    BID, BLUFF, BY_PLAYERS, CANNOT_FILL, CARDS, CLASSIC, COINS, EXCHANGE, GOLD, GONE, KEEP, METAL, NOBODY, NOTES, OFF, ONCE,
    ORIGINAL_ORDER, OVER, PILE, PILE_EMPTY, RIGHT, ROUND_CAP, SEAL, SEATS, SILVER_AND_GOLD, SILVER_GOLD, SWAP, TABLE,
    TAKE_LEFT, TAKE_RIGHT,
)

# --- set-up -----------------------------------------------------------------------------------------------------------


def deal(s, players, seed):
    """Remove currencies and shuffle; chance acts nowhere else (E24)."""
    r = stream(seed, 0)
    s.removed = 0
    out = SEATS - players
    if s.currencies != BY_PLAYERS:
        s.removed = not_in_play(s)
        out = 0
    while out > 0:
        r = step(r)
        bit = 1 << below(r, COINS // NOTES)
        if s.removed & bit == 0:
            s.removed |= bit
            out -= 1
    gilded = s.coins == SILVER_AND_GOLD and s.coin_cards > 0  # the cards have the serial numbers of that edition
    n = 0
    for card in range(CARDS):
        s.serial[card] = 0
        if in_play(s, card):
            s.serial[card] = SILVER_GOLD[card] if gilded else CLASSIC[card]
            s.pile[n] = card
            n += 1
    shuffle(s.pile, n, r)
    begin(s, players)


def not_in_play(s):
    """The currencies that the parameter `currencies` leaves out, the last ones, as a mask."""
    return (1 << COINS // NOTES) - (1 << s.currencies)


def in_play(s, card):
    """The card belongs to this match; coins are never removed (E24)."""
    if card >= COINS:
        return (card - COINS) % METAL < s.coin_cards and (card < GOLD or s.coins == SILVER_AND_GOLD)
    if (s.removed >> (card // NOTES)) & 1:
        return False
    k = card % NOTES
    if k < 6:
        return k % 3 < s.denominations[k // 3]
    return s.denominations[k - 4] > 0


def begin(s, players):
    """Deal from `pile`, which holds all cards of the match: the hands, the right display, the left display. Where a
    designer has left too few cards for the hands, they are as large as they can be, and displays may stay empty."""
    s.players = players
    s.actor = NOBODY
    s.size = 0
    for card in range(CARDS):
        s.place[card] = GONE
        if in_play(s, card):
            s.place[card] = PILE
            s.size += 1
    for i in range(s.size, CARDS):
        s.pile[i] = -1
    each = min(s.hand_cards, s.size // players)
    for seat in range(players):
        for _ in range(each):
            s.place[draw(s)] = seat
        s.held[seat] = each
        s.covered[seat] = each
    refill(s)
    s.phase = BID
    s.round = 1
    s.final = s.rounds == 1
    open_bidding(s)


def draw(s):
    """The top card of the pile."""
    card = s.pile[s.drawn]
    s.pile[s.drawn] = -1
    s.drawn += 1
    return card


def value(card):
    """The number printed on a card."""
    if card >= COINS:
        return 20 if card >= GOLD else 10
    k = card % NOTES
    if k < 6:
        return 20 if k < 3 else 30
    return 10 * (k - 2)


# --- who may answer, and what -----------------------------------------------------------------------------------------


def asked(s):
    """The seats that may answer now as a bit mask; all at once for their bids; 0 when the match is over."""
    if s.phase == BID:
        return ((1 << s.players) - 1) & ~s.sealed
    if s.phase == EXCHANGE:
        return 1 << s.actor
    return 0


def midway(s, seat):
    """1 if `seat` has laid cards of a bid and not sealed it."""
    if s.phase == BID and s.laid[seat] > 0 and (s.sealed >> seat) & 1 == 0:
        return 1
    return 0


def legal(s, seat, out):
    """Write the action ids open to an asked seat to `out`; the number of them is returned."""
    n = 0
    if s.phase == BID:
        # any cards, mixed as one likes (E4), each later one of a higher number, so that each set has one way to be laid
        for card in range(s.last[seat] + 1, CARDS):
            out[n] = card
            n += s.place[card] == seat
        if s.laid[seat] > 0:
            out[n] = SEAL
            n += 1
        out[n] = BLUFF  # E3: without cards this is staying out, and always possible (E5)
        return n + 1
    out[0] = TAKE_RIGHT
    out[1] = TAKE_LEFT
    n = 2
    other = seat
    for far in range(1, s.players):
        other = other + 1 if other + 1 < s.players else 0
        out[n] = SWAP + far - 1
        n += s.key[other] >= 0  # E7
    out[n] = KEEP  # E15
    return n + 1


def apply(s, seat, action):
    """One step of `seat`, which must be asked, with one of its legal actions."""
    if action < CARDS:
        lay(s, seat, action)
    elif action <= BLUFF:
        seal(s, seat, action)
    else:
        if action == KEEP:
            keep(s, seat)
        elif action >= SWAP:
            swap(s, seat, (seat + 1 + action - SWAP) % s.players)
        else:
            take(s, seat, action - TAKE_RIGHT)
        next_actor(s)


# --- the bid ----------------------------------------------------------------------------------------------------------


def open_bidding(s):
    """No bid has been begun."""
    s.sealed = 0
    s.bluffed = 0
    for seat in range(s.players):
        clear_bid(s, seat)
        s.pieces[seat] = 0
        s.key[seat] = -1


def clear_bid(s, seat):
    """Empty the bid of a seat."""
    s.last[seat] = -1
    s.laid[seat] = 0
    s.worth[seat] = 0
    s.lowest[seat] = 0


def lay(s, seat, card):
    """One card of a bid, face down."""
    s.place[card] = TABLE + seat
    s.last[seat] = card
    s.laid[seat] += 1
    s.worth[seat] += value(card)
    if s.lowest[seat] == 0 or s.serial[card] < s.lowest[seat]:
        s.lowest[seat] = s.serial[card]


def seal(s, seat, action):
    """The bid is complete and stays (E16); when all are, they are turned over together (E2)."""
    s.sealed |= 1 << seat
    s.pieces[seat] = s.laid[seat]
    if action == BLUFF:
        s.bluffed |= 1 << seat
        s.pieces[seat] += 1
    if s.sealed == (1 << s.players) - 1:
        reveal(s)


def reveal(s):
    """All bids lie open; every bluff card goes home (E17). Who laid nothing else is out until the next round."""
    for card in range(CARDS):
        owner = s.place[card] - TABLE
        if 0 <= owner < SEATS:
            s.covered[owner] -= 1 - s.seen[card]
            s.seen[card] = 1
    for seat in range(s.players):
        if s.laid[seat] > 0:
            s.key[seat] = 128 * s.worth[seat] + 127 - s.lowest[seat]  # E1: the highest sum, then the lowest serial
        s.last[seat] = -1
        s.worth[seat] = 0
        s.lowest[seat] = 0
    s.phase = EXCHANGE
    next_actor(s)


# --- the exchange -----------------------------------------------------------------------------------------------------


def next_actor(s):
    """The owner of the highest bid on the table; when none is left the round is over. Nobody acts twice (E7)."""
    s.actor = NOBODY
    best = -1
    for seat in range(s.players):
        if s.key[seat] > best:
            best = s.key[seat]
            s.actor = seat
    if s.actor == NOBODY:
        end_round(s)


def move_cards(s, one, there, two, back):
    """All cards at place `one` go to `there`, and all at `two` to `back`."""
    for card in range(CARDS):
        at = s.place[card]
        s.place[card] = there if at == one else back if at == two else at


def take(s, seat, side):
    """A whole display for the whole bid (E6, E14)."""
    move_cards(s, RIGHT + side, seat, TABLE + seat, RIGHT + side)
    s.held[seat] += s.shown[side] - s.laid[seat]
    s.shown[side] = s.laid[seat]
    leave(s, seat)


def swap(s, seat, other):
    """Another bid for one's own. The cards carry their sum and serial with them, so that the other acts next (E8) and is
    free in what he does (E9); in `original_order` everybody keeps his place in the order of the reveal."""
    move_cards(s, TABLE + other, seat, TABLE + seat, TABLE + other)
    more = s.laid[other] - s.laid[seat]
    s.held[seat] += more
    s.held[other] -= more
    s.laid[other] = s.laid[seat]
    if s.swap_order != ORIGINAL_ORDER:
        s.key[other] = s.key[seat]
    leave(s, seat)


def keep(s, seat):
    """The own bid, or one that was swapped in, goes to the hand."""
    move_cards(s, TABLE + seat, seat, TABLE + seat, seat)
    leave(s, seat)


def leave(s, seat):
    """The seat has acted and has no bid on the table."""
    s.laid[seat] = 0
    s.key[seat] = -1


# --- refill and end ---------------------------------------------------------------------------------------------------


def end_round(s):
    """Refill, and see whether the next round is the last (E10) or there is none; nothing is refilled at the end (E11)."""
    if s.final or s.round >= ROUND_CAP:
        finish(s)
        return
    before = s.drawn
    refill(s)
    s.stall = s.stall + 1 if s.drawn == before else 0
    short = s.shown[0] < s.display_cards or s.shown[1] < s.display_cards
    if short and s.end_trigger != PILE_EMPTY:
        if s.end_trigger != CANNOT_FILL:
            finish(s)
            return
        s.final = 1
    if s.drawn == s.size and s.end_trigger == PILE_EMPTY:
        s.final = 1
    if s.stall_rounds > 0 and s.stall >= s.stall_rounds:
        s.final = 1  # E13
    s.round += 1
    if s.rounds > 0 and s.round >= s.rounds:
        s.final = 1
    s.phase = BID
    open_bidding(s)


def refill(s):
    """First the right display, then the left; one that is full or more gets nothing. None is ever empty (E12)."""
    for side in range(2):
        while s.shown[side] < s.display_cards and s.drawn < s.size:
            card = draw(s)
            s.place[card] = RIGHT + side
            s.seen[card] = 1
            s.shown[side] += 1


def finish(s):
    """Nobody is asked any more; all hands are laid open and counted."""
    s.phase = OVER
    open_bidding(s)
    for card in range(CARDS):
        s.seen[card] |= s.place[card] < TABLE
    for seat in range(s.players):
        s.covered[seat] = 0


# --- the score --------------------------------------------------------------------------------------------------------


def score(s, out):
    """Points per seat: every currency by itself, and the coins."""
    for seat in range(s.players):
        total = coin_points(s, seat)
        for currency in range(COINS // NOTES):
            total += currency_points(s, seat, currency)
        out[seat] = total


def owns(s, seat, card):
    """1 if the card is in the hand or the bid of the seat."""
    if s.place[card] == seat or s.place[card] == TABLE + seat:
        return 1
    return 0


def currency_points(s, seat, currency):
    """The sum of the notes, less a penalty below 200 (E18), and a bonus for all three 20s and for all three 30s."""
    total = 0
    twenties = 0
    thirties = 0
    for k in range(NOTES):
        if owns(s, seat, NOTES * currency + k):
            total += value(k)
            if k < 3:
                twenties += 1
            elif k < 6:
                thirties += 1
    if total < s.full_value:
        total = max(0, total - s.penalty)
    return total + s.triplet_bonus * ((twenties == 3) + (thirties == 3))


def coin_points(s, seat):
    """Coins count what is printed on them, and sets of one metal as the option says (E19); classic coins are silver."""
    total = 0
    for metal in range(2):
        n = 0
        for k in range(METAL):
            n += owns(s, seat, COINS + METAL * metal + k)
        total += n * value(COINS + METAL * metal)
        if s.coin_triplet_bonus != OFF:
            total += s.coin_bonus * (min(1, n // 3) if s.coin_triplet_bonus == ONCE else n // 3)
    return total


def winners(s, out):
    """The seats with the highest score as a bit mask; equal scores share the victory (E20)."""
    score(s, out)
    return highest(out, s.players)
