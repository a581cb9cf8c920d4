"""The rules of Rivals, in the order of the rulebook: set-up, turn, auction, take and remove, uncover, end, score.

Compiled subset: integers and fixed-size arrays only. The marks L1…L28 are the rulings in RULES.md.
"""

from outbid.core.chance import below, shuffle, step, stream
from outbid.core.seats import highest
from outbid.games.rivals.state import (
    BID, CARD, DISCARD, DONE, HUES, LEFT_OF_OPENER, NOBODY, OFFER, OVER, PAIR, PASS, RANKS, REMOVE, RIGHT_OF_WINNER,
    TAKE, TURN, UNCOVER,
)

# --- set-up -----------------------------------------------------------------------------------------------------------


def deal(s, players, seed):
    """Shuffle the deck, deal the starting wagers, choose who begins (L1); chance acts nowhere else."""
    n = 0
    for colour in range(s.colours):
        for rank in range(RANKS):
            for _ in range(s.wagers if rank == 0 else s.copies[rank - 1]):
                s.deck[n] = colour * RANKS + rank
                n += 1
    s.size = n
    r = stream(seed, 0)
    r = shuffle(s.deck, n, r)
    while not deal_wagers(s, players, r):
        r = step(r)
    r = step(r)
    begin(s, players, 0 if s.fixed_start else below(r, players))


def starting_wagers(s, players):
    """How many starting wagers everybody gets: two, or what a designer says, or what there is with fewer colours."""
    return min(s.starting_wagers, s.colours, PAIR * s.colours // players)


def deal_wagers(s, players, r):
    """Deal two of the ten starting wagers to everybody; False if somebody gets a pair (L2: then all are dealt anew)."""
    each = starting_wagers(s, players)
    stock = (1 << PAIR * s.colours) - 1  # cards 2c and 2c + 1 have colour c
    r = stream(r, 1)
    for seat in range(players):
        s.given[seat] = 0
        for nth in range(each):
            r = step(r)
            left = below(r, PAIR * s.colours - each * seat - nth)
            for card in range(PAIR * s.colours):
                if (stock >> card) & 1:
                    if left == 0:
                        stock &= ~(1 << card)
                        if (s.given[seat] >> (card >> 1)) & 1:
                            return False
                        s.given[seat] |= 1 << (card >> 1)
                        break
                    left -= 1
    return True


def begin(s, players, start):
    """Open expeditions for everybody with the starting wagers and hand out the gold; the display is empty (L3)."""
    s.players = players
    s.turn = start
    s.leader = NOBODY
    s.asking = NOBODY
    for seat in range(players):
        s.gold[seat] = s.coins // players
        for colour in range(HUES):
            if (s.given[seat] >> colour) & 1:
                s.owned[seat][colour * RANKS] += 1
                s.shakes[seat][colour] += 1
    s.supply = s.coins % players
    s.pile_end = s.size // s.piles  # L4: even piles
    while s.pile_end == 0:  # a designer's deck may have fewer cards than piles
        next_pile(s)
    s.phase = TURN


def left_of(s, seat):
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < s.players else 0


# --- who may answer, and what -----------------------------------------------------------------------------------------


def asked(s):
    """The seat that may answer now, as a bit mask; 0 when the match is over."""
    if s.phase == TURN:
        return 1 << s.turn
    if s.phase == BID:
        return 1 << s.asking
    if s.phase == OVER:
        return 0
    return 1 << s.leader


def midway(s, seat):
    """1 if `seat` has taken a card and not finished taking."""
    if s.taken > 0 and seat == s.leader:
        return 1
    return 0


def legal(s, seat, out):
    """Write the action ids open to an asked seat to `out`; the number of them is returned."""
    if s.phase == TAKE:
        return legal_cards(s, seat, out)
    if s.phase == REMOVE:  # L16: any card left on display, or none
        out[0] = DONE
        n = 1
        last = NOBODY
        for i in range(s.lying):
            if s.display[i] != last:
                last = s.display[i]
                out[n] = CARD + last
                n += 1
        return n
    lowest_bid = s.bid + 1
    if s.phase == TURN:
        out[0] = UNCOVER
        lowest_bid = s.opening_bid
        if s.lying == 0 and not s.auction_on_empty_display:  # L6
            return 1
    else:
        out[0] = PASS
    n = 1
    for amount in range(lowest_bid, s.gold[seat] + 1):  # L8: nobody bids more than he owns; L9: jumps
        out[n] = OFFER + amount
        n += 1
    return n


def can_lay(s, seat, card):
    """A wager goes before all numbers (L14); a number must not be lower than the highest (L13)."""
    colour = card // RANKS
    top = s.top[seat][colour]
    return top == 0 or card - colour * RANKS >= top


def legal_cards(s, seat, out):
    """The cards that may be taken next (L12), in the order of kinds, so that each set of cards has one way; or the end."""
    n = 0
    last = NOBODY
    for i in range(s.next, s.lying):
        card = s.display[i]
        if card != last and can_lay(s, seat, card):
            out[n] = CARD + card
            n += 1
        last = card
    if n == 0 or s.taken > 0 or not s.must_take_at_least_one:  # L15
        out[n] = DONE
        n += 1
    return n


def apply(s, seat, action):
    """One step of `seat`, which must be asked, with one of its legal actions."""
    if s.phase == TAKE:
        if action == DONE:
            end_take(s)
        else:
            take(s, seat, action - CARD)
    elif s.phase == REMOVE:
        if action != DONE:
            drop(s, place_of(s, action - CARD, 0))
        end_auction(s)
    elif action == UNCOVER:
        s.turn = left_of(s, seat)
        uncover(s)
    elif action == PASS:
        s.passed |= 1 << seat  # L10: for good
        ask_next(s, seat)
    else:
        s.phase = BID
        s.bid = action - OFFER
        s.leader = seat
        ask_next(s, seat)


# --- the auction ------------------------------------------------------------------------------------------------------


def ask_next(s, seat):
    """Ask the next bidder clockwise who is in and owns more than the bid (L11); if there is none, the leader wins."""
    for _ in range(s.players - 1):
        seat = left_of(s, seat)
        if seat != s.leader and not (s.passed >> seat) & 1 and s.gold[seat] > s.bid:
            s.asking = seat
            return
    s.asking = NOBODY
    s.gold[s.leader] -= s.bid  # only the winner pays, into the supply (L18)
    s.supply += s.bid
    s.next = 0
    s.phase = TAKE


# --- take and remove --------------------------------------------------------------------------------------------------


def place_of(s, card, i):
    """The first place on display, from i on, of a card that lies there."""
    while s.display[i] != card:
        i += 1
    return i


def drop(s, i):
    """The card at place i leaves the display."""
    s.lying -= 1
    for later in range(i, s.lying):
        s.display[later] = s.display[later + 1]


def take(s, seat, card):
    """The winner lays a card from the display into his expedition; the next may be its twin, or a later kind."""
    s.next = place_of(s, card, s.next)
    drop(s, s.next)
    s.taken += 1
    s.owned[seat][card] += 1
    colour = card // RANKS
    rank = card - colour * RANKS
    if rank == 0:
        s.shakes[seat][colour] += 1
    else:
        s.top[seat][colour] = rank
        s.numbers[seat][colour] += 1
        s.feet[seat][colour] += s.footprints[rank - 1]


def end_take(s):
    """The take is complete; if a card is left on display, the winner may remove it (L17)."""
    s.taken = 0
    if s.dead_cards == DISCARD:
        discard_dead(s)
    if s.lying > 0:
        s.phase = REMOVE
    else:
        end_auction(s)


def end_auction(s):
    """The winner turns up a card, and the turn goes on from him or from the opener (L20)."""
    if s.next_after_auction == LEFT_OF_OPENER:
        s.turn = left_of(s, s.turn)
    elif s.next_after_auction == RIGHT_OF_WINNER:
        s.turn = (s.leader if s.leader > 0 else s.players) - 1
    else:
        s.turn = left_of(s, s.leader)
    s.bid = 0
    s.leader = NOBODY
    s.passed = 0
    uncover(s)


def discard_dead(s):
    """dead_cards = discard (L23): cards that nobody can lay any more leave the display."""
    for i in range(s.lying - 1, -1, -1):
        alive = False
        for seat in range(s.players):
            if can_lay(s, seat, s.display[i]):
                alive = True
        if not alive:
            drop(s, i)


# --- uncover, and the end ---------------------------------------------------------------------------------------------


def uncover(s):
    """Turn up the next card; the very last one ends the match (L22) and divides the gold (L24), that of a pile may (L21)."""
    card = s.deck[s.drawn]
    s.drawn += 1
    i = s.lying
    while i > 0 and s.display[i - 1] > card:
        s.display[i] = s.display[i - 1]
        i -= 1
    s.display[i] = card
    s.lying += 1
    if s.dead_cards == DISCARD:
        discard_dead(s)
    s.phase = TURN
    if s.drawn == s.size:
        s.phase = OVER
        s.pile = s.piles
        if s.final_distribution:  # L24
            divide(s)
    elif s.drawn == s.pile_end:
        if s.pile_distribution:  # L21
            divide(s)
        while s.drawn == s.pile_end:
            next_pile(s)


def next_pile(s):
    """The next pile becomes the draw pile."""
    s.pile += 1
    s.pile_end = s.size * (s.pile + 1) // s.piles


def divide(s):
    """Everybody gets an equal part of the supply; what cannot be divided stays there (L19)."""
    each = s.supply // s.players
    for seat in range(s.players):
        s.gold[seat] += each
    s.supply -= each * s.players


def score(s, out):
    """Points per seat: footprints × (handshakes + 1) and the bonus for each expedition (L25, L26), and gold."""
    for seat in range(s.players):
        points = s.gold[seat]
        for colour in range(HUES):
            points += s.feet[seat][colour] * (s.shakes[seat][colour] + 1)
            if s.numbers[seat][colour] >= s.bonus_cards:
                points += s.bonus
        out[seat] = points


def winners(s, out):
    """The seats with the highest score as a bit mask: ties share the victory (L27); `out` is working space."""
    score(s, out)
    return highest(out, s.players)
