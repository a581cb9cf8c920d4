"""The rules of Kuhhandel, in the order of the rulebook: set-up, turn, auction, payment, trade, end, score.

Compiled subset: integers and fixed-size arrays only. The marks K1…K31 are the rulings in RULES.md.
"""

from outbid.core.chance import below, shuffle, step, stream
from outbid.core.seats import lowest
from outbid.games.kuhhandel.hidden import clear_offer
from outbid.games.kuhhandel.memory import accepts, pays, receives, sees, shows, shows_at_least, swaps
from outbid.games.kuhhandel.state import (
    ACCEPT, ALLOWED, ANY, AUCTION, BID, BUY, BY_MONEY, CALL, CAPPED, CLOCK, CLOSE, DONE, DONKEY, DROPOUT, EXCHANGED,
    FORBIDDEN, FREE, HAMMER, KINDS, LAY, LEAST_MOVES, MIN_OVERPAY, MONEY, MOVE_CAP, NOBODY, NOTES, OFFER, OVER, PASS, PAY,
    RAISE, RAISES, REALTIME, REPLY, SELL, TIMES, TRADE, TURN,
)

# --- set-up -----------------------------------------------------------------------------------------------------------


def deal(s, players, seed):
    """Shuffle the animals and choose who begins; chance acts nowhere else. 3 to 5 players (K30, K31;
    two where the parameter `least_players` says so)."""
    n = 0
    for kind in range(KINDS):
        for _ in range(s.copies[kind]):
            s.deck[n] = kind
            n += 1
    s.size = n
    r = stream(seed, 0)
    r = shuffle(s.deck, n, r)
    r = step(r)
    begin(s, players, 0 if s.fixed_start else below(r, players))


def begin(s, players, start):
    """Hand out the start money; with `quick_deal4` also four animals each, donkeys among them paying (K24)."""
    s.players = players
    s.turn = start
    s.leader = NOBODY
    s.asking = NOBODY
    s.payer = NOBODY
    s.payee = NOBODY
    s.challenged = NOBODY
    s.kind = NOBODY
    s.offered = NOBODY
    s.last = ANY
    for seat in range(players):
        for note in range(NOTES):
            for _ in range(s.start_money[note]):
                receives(s, seat, note)
                s.purse += MONEY[note]
    if s.quick_deal4:
        each = min(4, s.size // players)
        for seat in range(players):
            for _ in range(each):
                s.animals[seat][s.deck[s.drawn]] += 1
                if s.deck[s.drawn] == DONKEY:
                    donkey(s)
                s.drawn += 1
    s.phase = TURN
    if s.drawn == s.size and not can_trade(s, start):
        next_turn(s)


def donkey(s):
    """Everybody, the auctioneer included, gets one note: 50, 100, 200, 500 at the four donkeys (K24)."""
    for seat in range(s.players):
        receives(s, seat, s.donkey_money[s.donkeys])
    s.purse += s.players * MONEY[s.donkey_money[s.donkeys]]
    s.donkeys += 1


def left_of(s, seat):
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < s.players else 0


# --- who may answer, and what -----------------------------------------------------------------------------------------


def asked(s):
    """The seats that may answer now as a bit mask (bit CLOCK: the table's clock); 0 when the match is over."""
    if s.phase == BID:
        if s.bidding == REALTIME and not s.building:
            # what anybody could bid is public; who cannot, for want of money, is asked all the same, as it is a secret
            return (may_bid(s) if s.bid + s.bid_step <= s.purse else 0) | (1 << CLOCK)
        return 1 << s.asking
    if s.phase == TURN or s.phase == HAMMER or s.phase == OFFER:
        return 1 << s.turn
    if s.phase == PAY:
        return 1 << s.payer
    if s.phase == REPLY:
        return 1 << s.challenged
    return 0


def midway(s, seat):
    """1 if `seat` has begun a move and not finished it."""
    if s.building and (asked(s) >> seat) & 1:
        return 1
    return 0


def legal(s, seat, out):
    """Write the action ids open to an asked seat to `out`; the number of them is returned."""
    if s.phase == BID:
        return legal_bids(s, seat, out)
    if s.phase == PAY:
        return legal_notes_to_pay(s, out)
    if s.phase == OFFER or s.phase == REPLY:
        return legal_notes_to_offer(s, seat, out)
    n = 0
    if s.phase == TURN:
        if s.drawn < s.size:
            out[n] = AUCTION
            n += 1
        other = seat
        for far in range(1, s.players):
            other = left_of(s, other)
            for kind in range(KINDS):
                # nobody can be asked for a complete set: the other would own none
                out[n] = TRADE + KINDS * (far - 1) + kind
                n += (s.animals[seat][kind] > 0) & (s.animals[other][kind] > 0)
    elif s.phase == HAMMER:
        out[n] = SELL
        n += 1
        if cash(s, seat) >= s.bid:  # K8: buying is offered only if he can cover it
            out[n] = BUY
            n += 1
    return n


def apply(s, seat, action):
    """One step of `seat`, which must be asked, with one of its legal actions."""
    if s.phase == BID:
        if action == PASS:
            s.moves += 1
            passes(s, seat)
        elif action == CALL:
            s.moves += 1
            calls(s, seat, s.bid + s.raised)
        elif action == CLOSE:
            s.moves += 1
            hammer(s)
        else:
            raises(s, seat, action - RAISE)
    elif action >= LAY and action < DONE:
        s.building = 1
        s.last = action - LAY
        s.laid[s.last] += 1
        if s.phase == PAY and s.payment != FREE and laid_money(s) >= s.bid:
            s.moves += 1
            pay(s)
    else:
        s.moves += 1
        if s.phase == TURN:
            if action == AUCTION:
                auction(s)
            else:
                challenge(s, (action - TRADE) // KINDS + 1, (action - TRADE) % KINDS)
        elif s.phase == HAMMER:
            if action == SELL:
                sell(s)
            else:
                buy(s)
        elif s.phase == PAY:
            pay(s)
        elif s.phase == OFFER:
            offer(s)
        elif action == ACCEPT:
            accept(s)
        else:
            counter(s)


# --- the auction ------------------------------------------------------------------------------------------------------


def auction(s):
    """Turn over the top card; a donkey first pays everybody, once (K24)."""
    s.kind = s.deck[s.drawn]
    s.drawn += 1
    s.streak = 0
    if s.kind == DONKEY:
        donkey(s)
    s.excluded = 0
    open_bidding(s)


def open_bidding(s):
    """(Re)start the asking at the auctioneer's left, with no bid."""
    s.phase = BID
    s.bid = 0
    s.leader = NOBODY
    s.passed = 0
    ask_next(s, s.turn)


def may_bid(s):
    """Bit mask: not the auctioneer (K1), not the leader, nobody excluded (K6)."""
    barred = s.excluded | (1 << s.turn)
    if s.leader != NOBODY:
        barred |= 1 << s.leader
    return ((1 << s.players) - 1) & ~barred


def ask_next(s, seat):
    """Ask the next bidder clockwise from `seat`; when all have passed, the hammer falls."""
    s.asking = NOBODY
    left = may_bid(s) & ~s.passed
    if s.bidding == REALTIME:
        if left == 0 and s.leader == NOBODY:
            hammer(s)  # K6: nobody is left, so there is nothing to wait for
        return
    if left == 0:
        hammer(s)
        return
    later = (left >> (seat + 1)) << (seat + 1)
    s.asking = lowest(later if later != 0 else left)


def bid_limit(s, seat):
    """The highest bid allowed: all money in play (K3), or what `overbid` leaves of it."""
    if s.overbid == ALLOWED:
        return s.purse
    if s.overbid == CAPPED:
        return min(s.purse, 2 * cash(s, seat) + 100)
    return min(s.purse, cash(s, seat))


def legal_bids(s, seat, out):
    """Pass, or a raise said as 50, 10, 5 and 1 bid steps, larger ones first, so that each amount has one way (K2)."""
    if seat == CLOCK:
        out[0] = CLOSE
        return 1
    out[0] = CALL if s.building else PASS
    n = 1 if s.building or s.bidding != REALTIME else 0
    room = bid_limit(s, seat) - s.bid - s.raised
    for size in range(len(RAISES)):
        out[n] = RAISE + size
        n += (room >= RAISES[size] * s.bid_step) & (size < s.last or (size == s.last and s.times < TIMES[size]))
    return n


def raises(s, seat, size):
    """A part of a raise."""
    if s.last != size:
        s.times = 0
    s.building = 1
    s.asking = seat
    s.last = size
    s.times += 1
    s.raised += RAISES[size] * s.bid_step


def calls(s, seat, amount):
    """A bid; the asking goes on clockwise from the bidder. In `dropout` a pass stays final."""
    s.bid = amount
    s.leader = seat
    s.building = 0
    s.raised = 0
    s.times = 0
    s.last = ANY
    if s.bidding != DROPOUT:
        s.passed = 0
    if s.overbid == FORBIDDEN:
        shows_at_least(s, seat, amount)
    elif s.overbid == CAPPED:
        shows_at_least(s, seat, (amount - 100) // 2)
    ask_next(s, seat)


def passes(s, seat):
    """Not now (rotation), or out of this auction (dropout)."""
    s.passed |= 1 << seat
    ask_next(s, seat)


def hammer(s):
    """Nobody raises any more: without a bid the card is the auctioneer's (K11), else he decides."""
    s.asking = NOBODY
    if s.leader == NOBODY:
        s.animals[s.turn][s.kind] += 1
        next_turn(s)
    else:
        s.phase = HAMMER


def sell(s):
    """The leader pays the auctioneer; if he cannot, everybody sees his money (K4, K5) and the card is auctioned again."""
    if cash(s, s.leader) >= s.bid:
        must_pay(s, s.leader, s.turn)
        return
    shows(s, s.leader)
    if s.reauction_excludes:
        s.excluded |= 1 << s.leader  # K6: exclusions add up; K7: only for this card
    elif s.moves >= MOVE_CAP:
        finish(s)
        return
    open_bidding(s)


def buy(s):
    """First refusal: the auctioneer pays the highest bid to the highest bidder (K9), whose money stays his secret."""
    must_pay(s, s.turn, s.leader)


# --- payment ----------------------------------------------------------------------------------------------------------


def must_pay(s, payer, payee):
    """`payer` is asked for the price; everybody learns that he can pay it."""
    s.payer = payer
    s.payee = payee
    s.phase = PAY
    shows_at_least(s, payer, s.bid)


def cash(s, seat):
    """The money in a hand."""
    total = 0
    for note in range(1, NOTES):
        total += s.money[seat][note] * MONEY[note]
    return total


def laid_money(s):
    """The money laid so far."""
    total = 0
    for note in range(1, NOTES):
        total += s.laid[note] * MONEY[note]
    return total


def legal_notes_to_pay(s, out):
    """The notes that may be laid next (K10). Zeros are no payment; there is no change.

    Notes are laid from the most valuable down. A set from which no note can be left out is then exactly one whose sum
    reaches the price with its last note, so that `irredundant` needs no more than: stop when the price is reached.
    """
    n = 0
    paid = laid_money(s)
    if paid >= s.bid:  # only with payment = free
        out[n] = DONE
        n += 1
    target = s.bid
    if s.payment == MIN_OVERPAY:
        target = smallest_sum(s, s.bid)
    for note in range(1, min(s.last, NOTES - 1) + 1):
        if s.money[s.payer][note] > s.laid[note]:
            if s.payment == MIN_OVERPAY:
                fits = exact(s, note, target - paid)
            else:
                fits = paid + left_up_to(s, note) >= s.bid
            if fits:
                out[n] = LAY + note
                n += 1
    return n


def left_up_to(s, note):
    """The payer's money not yet laid in notes of at most this value."""
    total = 0
    for smaller in range(1, note + 1):
        total += (s.money[s.payer][smaller] - s.laid[smaller]) * MONEY[smaller]
    return total


def smallest_sum(s, price):
    """The smallest sum of notes of the payer's hand that reaches the price."""
    amount = price
    while not reachable(s, NOTES - 1, amount, 0):
        amount += 10
    return amount


def exact(s, note, amount):
    """Can `amount` be laid exactly with one `note` and then others of at most its value, out of what is left?"""
    return amount >= MONEY[note] and reachable(s, note, amount - MONEY[note], 1)


def reachable(s, note, amount, used):
    """Can `amount` be made exactly of the payer's notes up to `note`, all of them (used = 0) or what is not laid yet,
    less one `note` (used = 1)? Below 500 each value divides the next, so taking the largest first decides it; the
    number of 500s is tried out."""
    most = 0
    if note == NOTES - 1:
        most = min(s.money[s.payer][note] - s.laid[note] * used - used, amount // MONEY[note])
    for fives in range(most + 1):
        rest = amount - fives * MONEY[NOTES - 1]
        for smaller in range(min(note, NOTES - 2), 0, -1):
            have = s.money[s.payer][smaller] - s.laid[smaller] * used
            if used and smaller == note:
                have -= 1
            rest -= min(have, rest // MONEY[smaller]) * MONEY[smaller]
        if rest == 0:
            return True
    return False


def pay(s):
    """The laid notes change hands; the animal goes to the player who paid."""
    pays(s, s.payer, s.payee, s.bid)
    move_money(s, s.payer, s.payee, s.laid)
    s.animals[s.payer][s.kind] += 1
    clear_laid(s)
    next_turn(s)


def move_money(s, giver, taker, notes):
    """Cards from hand to hand."""
    for note in range(NOTES):
        s.money[giver][note] -= notes[note]
        s.money[taker][note] += notes[note]
        s.cards[giver] -= notes[note]
        s.cards[taker] += notes[note]


def clear_laid(s):
    """Nothing is laid any more."""
    s.building = 0
    s.last = ANY
    for note in range(NOTES):
        s.laid[note] = 0


# --- the trade --------------------------------------------------------------------------------------------------------


def can_trade(s, seat):
    """An incomplete kind of which somebody else owns the rest."""
    for kind in range(KINDS):
        if s.animals[seat][kind] > 0:
            for other in range(s.players):
                if other != seat and s.animals[other][kind] > 0:
                    return True
    return False


def challenge(s, far, kind):
    """A trade that cannot be refused: both pairs if both own two (K17), else one card (K18); at any time (K27)."""
    s.challenged = (s.turn + far) % s.players
    s.kind = kind
    s.stake = min(s.animals[s.turn][kind], s.animals[s.challenged][kind])
    s.again = 0
    s.phase = OFFER


def legal_notes_to_offer(s, seat, out):
    """Any cards, zeros too, or none (K12, K19, K20); the challenged may accept instead, also in round two (K16)."""
    n = 0
    none = 1
    if s.building:
        none = 0
    elif s.phase == REPLY:
        out[n] = ACCEPT
        n += 1
    if s.empty_offer or not none or s.cards[seat] == 0:
        out[n] = DONE
        n += 1
    for note in range(NOTES):
        out[n] = LAY + note
        n += (note <= s.last) & (s.money[seat][note] > s.laid[note])
    return n


def offer(s):
    """The challenger's cards lie face down (K29: nobody looks)."""
    s.offered = 0
    for note in range(NOTES):
        s.offer[note] = s.laid[note]
        s.offered += s.laid[note]
    clear_laid(s)
    s.phase = REPLY


def accept(s):
    """The challenged takes the cards unseen and hands over the animal."""
    sees(s, s.turn, s.challenged)
    zeros_go_back(s)
    accepts(s, s.turn, s.challenged)
    move_money(s, s.turn, s.challenged, s.offer)
    settle(s, s.turn, s.challenged)


def counter(s):
    """Both stacks are swapped and kept (K13); the player who received more hands over the animal."""
    offered = 0
    for note in range(NOTES):
        offered += s.offer[note] * MONEY[note]
    difference = offered - laid_money(s)
    sees(s, s.turn, s.challenged)
    if s.winner_pays and difference != 0:
        loser_takes_back(s, difference)
    zeros_go_back(s)
    if difference != 0 or s.tie_money == EXCHANGED:  # K14
        swaps(s, s.turn, s.challenged, difference)
        move_money(s, s.turn, s.challenged, s.offer)
        move_money(s, s.challenged, s.turn, s.laid)
    clear_laid(s)
    if difference > 0:
        settle(s, s.turn, s.challenged)
    elif difference < 0:
        settle(s, s.challenged, s.turn)
    elif s.again:
        settle(s, s.turn, s.challenged)  # K15: the second tie gives the stake to the challenger
    else:
        s.again = 1
        clear_offer(s)
        s.phase = OFFER


def zeros_go_back(s):
    """zeros_return (K13): zeros do not move."""
    if s.zeros_return:
        s.offer[0] = 0
        s.laid[0] = 0


def loser_takes_back(s, difference):
    """winner_pays: the loser's stack does not move."""
    for note in range(NOTES):
        if difference > 0:
            s.laid[note] = 0
        else:
            s.offer[note] = 0


def settle(s, winner, loser):
    """The stake changes hands; a trade without a new set counts towards the stall (K23)."""
    s.animals[winner][s.kind] += s.stake
    s.animals[loser][s.kind] -= s.stake
    clear_offer(s)
    if s.animals[winner][s.kind] == s.copies[s.kind]:
        s.streak = 0
    else:
        s.streak += 1
        if s.trade_stall > 0 and s.streak >= s.trade_stall:
            finish(s)
            return
    next_turn(s)


# --- the end ----------------------------------------------------------------------------------------------------------


def next_turn(s):
    """Clockwise (K22); with an empty deck a player without a trade is skipped (K21); if nobody has one, the match is
    over."""
    s.phase = TURN
    s.kind = NOBODY
    s.bid = 0
    s.leader = NOBODY
    s.excluded = 0
    s.passed = 0
    s.payer = NOBODY
    s.payee = NOBODY
    s.challenged = NOBODY
    s.stake = 0
    s.again = 0
    endless = s.trade_stall == 0 or s.trade_stall > MOVE_CAP // LEAST_MOVES
    if not s.reauction_excludes and s.overbid != FORBIDDEN:
        endless = True
    if endless and s.moves >= MOVE_CAP:
        finish(s)
        return
    for _ in range(s.players):
        s.turn = left_of(s, s.turn)
        if s.drawn < s.size or can_trade(s, s.turn):
            return
    finish(s)


def finish(s):
    """Nobody is asked any more; if money may decide (K25), all of it is shown."""
    if s.final_tie == BY_MONEY:
        for seat in range(s.players):
            shows(s, seat)
    s.phase = OVER
    s.kind = NOBODY
    s.bid = 0
    s.leader = NOBODY
    s.asking = NOBODY


def score(s, out):
    """Points per seat: the sum of the values of complete sets times their number. Money counts nothing."""
    for seat in range(s.players):
        total = 0
        sets = 0
        for kind in range(KINDS):
            if s.copies[kind] > 0 and s.animals[seat][kind] == s.copies[kind]:
                total += s.values[kind]
                sets += 1
        out[seat] = total * sets


def winners(s, out):
    """The seats with the highest score as a bit mask (K25); `out` is working space for the scores."""
    score(s, out)
    best = 0
    for seat in range(s.players):
        best = max(best, out[seat])
    mask = 0
    richest = -1
    for seat in range(s.players):
        if out[seat] == best:
            if s.final_tie == BY_MONEY:
                if cash(s, seat) > richest:
                    mask = 0
                    richest = cash(s, seat)
                if cash(s, seat) < richest:
                    continue
            mask |= 1 << seat
    return mask
