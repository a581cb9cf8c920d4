"""The steady player: Kuhhandel's own judgement, from what one seat may know (rules/kuhhandel.md §8).

Worth. Completing a set of value v beside k own sets of together V points adds V + (k + 1)·v. The steady player reckons
with the sets it may expect instead of those it has: `share` is a seat's chance to complete a kind, by the cards it owns and
its part of those still in the deck, and the expected score is linear in the share of each kind. A card is worth what it
adds to one's own expected score and a part of what it denies the opponent who wants it most.

Money. Points become money by `price`: an average card costs a part of the mean purse. Bids stop at that price and leave a
reserve. A trade is an auction in which both sides pay: each stack goes to the other side whoever wins, so a stack costs
its money always, and what lies between winning and nothing is wasted. The steady player draws its stack at random, mostly
above what the other side can want to pay; the weaker side gives up with nothing now and then, the more the weaker it is;
its last trade gets everything useful, since money scores nothing.

`play(s, seat, seed, note, params)` gets a state that has passed through `hide(s, seat)`: it knows its own money, and of
others only `known`, `least`, `most` and `cards`. It asks for one step; the whole move is drawn anew from the same `seed` at
each of its steps, so that they fit together. `note` receives a reason code and its numbers (reasons.py makes the sentence).
`params` is how it plays (personas.py has others than the usual ones); `steady` is `play` with the usual parameters.

Points and money are whole numbers, shares are thousandths, constants are per cent unless said otherwise. Compiled subset.
"""

from outbid.core.chance import below, stream
from outbid.core.hooks.policy_params import PolicyParams
from outbid.games.kuhhandel.rules import bid_limit, cash, exact, laid_money, left_of, left_up_to, smallest_sum
from outbid.games.kuhhandel.state import (
    ACCEPT, AUCTION, BID, BUY, CALL, DONE, DONKEY, HAMMER, HIDDEN, KINDS, LAY, MONEY, NOBODY, NOTES, OFFER, PASS,
    PAY, RAISE, RAISES, REALTIME, SELL, TIMES, TRADE, TURN,
)

# --- what the steady player believes ----------------------------------------------------------------------------------
# Begun with khoi's guide policy and the market prices of §8, then tuned in some hundred thousand matches against that
# policy and against itself. Hammer prices come out near the market table; trades are fought for with much more money
# than the guide policy lays. No single number, turned by about a quarter, wins more than three matches in a hundred
# more against three of its kind.

STICKY = 8  # cards; the smaller, the surer a seat with many cards of a kind completes it
FUTURE = 10  # part of the donkey money still to come that counts for prices already

USUAL = PolicyParams(
    denial=30,  # part of the opponent's loss that counts as one's own gain (§8: 35 to 65)
    price_early=40,  # price of an average card as part of the mean purse, at the first card …
    price_late=20,  # … and at the last
    reserve=10,  # part of the own money kept back, unless the card completes a set (§8: 30)
    refusal=35,  # first refusal up to this part of the price (§8: 25 to 35); buying instead of selling costs the bid twice
    jump=100,  # how often a bid is more than the smallest raise …
    stride=40,  # … a jump goes at least this part of the way to what another bidder would give, no further than the limit …
    haste=80,  # … and at most this part
    press=20,  # beyond what another would give: this part of the way to the limit
    early_trade=300,  # a trade before the deck ends must promise this part of an average card's worth
    stake=300,  # in the last trades: money for a trade against its part of all that is still open
    offer_low=160,  # a stack is drawn between these parts of what the weaker side can want to pay: so much that
    offer_high=220,  # few bluffs stand against it, often all money
    give_up=40,  # how often the weaker side offers nothing, against the equilibrium's frequency
    memory=1,  # 0: what trades have shown of the others' money is forgotten
    bidding=1,  # 0: only the own auctions are bought from, by first refusal
    fondness=0,  # so much more is a card worth of which the seat has some, not all
    prey=0,  # so much more a trade promises against somebody without money; less so, the more of the mean purse he has
    bluffing=0,  # how often a stack is of zeros only, if there are any
    vague=0,  # how far off a card under the hammer may be valued, up or down
    honest=0,  # 1: there is money in every offer, and no zero, if it can be helped
)

NOTHING_TO_SAY = -1
LEFT, WEIGHTS = 5, 7  # places of a note (`reckon`) behind those of the seats
PLAN = 6  # place of the amount that is being said, or of the stack that is being laid: PLACE bits for each kind of note
PLACE = 6
SETS = 1 << 32  # a set, where sets and the sum of their values are one number

# --- reasons (reasons.py) ---------------------------------------------------------------------------------------------

(WHY_NOTHING, WHY_AUCTION, WHY_TRADE_COMPLETES, WHY_TRADE_PAIR, WHY_TRADE, WHY_BID, WHY_BID_COMPLETES, WHY_BID_DENIES,
 WHY_PASS, WHY_PASS_POOR, WHY_PASS_CHANGE, WHY_SELL, WHY_SELL_INSOLVENT, WHY_BUY, WHY_BUY_COMPLETES, WHY_BUY_DENIES,
 WHY_PAY, WHY_OFFER, WHY_OFFER_ALL, WHY_BLUFF, WHY_COUNTER, WHY_COUNTER_SURE, WHY_COUNTER_NOTHING, WHY_ACCEPT,
 WHY_PASS_NEVER) = range(25)


def because(note, code, animal, other, amount, worth, reserve):
    """The reason: code, animal, seat (−1: none), a public amount, what it is worth in money, own money (a secret)."""
    note[0] = code
    note[1] = animal
    note[2] = other
    note[3] = amount
    note[4] = worth
    note[5] = reserve


def steady(s, seat, seed, note):
    """The next action of an asked seat; −1 if a realtime auction is open and the seat has nothing to say."""
    return play(s, seat, seed, note, USUAL)


def play(s, seat, seed, note, params):
    """The next action of an asked seat, by any policy parameters."""
    if params.memory == 0:
        forget(s, seat)
    if s.phase == PAY:
        return lays_payment(s, seat, note)
    if s.phase == TURN:
        return turn(s, seat, note, params)
    if s.phase == BID:
        return bids(s, seat, seed, note, params)
    if s.phase == HAMMER:
        return hammered(s, seat, note, params)
    if s.phase == OFFER:
        return offers(s, seat, seed, note, params)
    return replies(s, seat, seed, note, params)


def resume(s, seat, note):
    """The next step of a move that has been begun, as it was planned."""
    if s.phase == BID:
        return says_bid(s, note)
    if s.phase == PAY:
        return lays_payment(s, seat, note)
    return lays_stack(s, seat, note)


def forget(s, seat):
    """Of the others' money only its sum is kept in mind."""
    rest = s.purse - cash(s, seat)
    for other in range(s.players):
        if other != seat:
            s.least[seat][other] = 0
            s.most[seat][other] = rest


# --- worth in points --------------------------------------------------------------------------------------------------


def undrawn(s, kind):
    """How many cards of a kind are still in the deck; the one under the hammer is not."""
    n = s.copies[kind]
    for seat in range(s.players):
        n -= s.animals[seat][kind]
    if s.kind == kind and (s.phase == BID or s.phase == HAMMER or s.phase == PAY):
        n -= 1
    return n


def all_weights(s, held, squares, left):
    """The weights of all seats together, which hold so many cards of a kind; squares: the sum of their squares."""
    n = s.players
    return n * (n * squares + left * (2 * held + left) + STICKY * n * (held + left))


def share(s, seat, kind, winner, loser, cards):
    """A seat's chance to complete a kind, in thousandths, if `cards` of it go to `winner` (from `loser`, if any)."""
    left = undrawn(s, kind)
    mine = 0
    held = 0
    squares = 0
    for other in range(s.players):
        owned = s.animals[other][kind]
        if other == winner:
            owned += cards
        elif other == loser:
            owned -= cards
        held += owned
        squares += owned * owned
        if other == seat:
            mine = owned
    if mine == 0 and left == 0:
        return 0
    return 1000 * weight(s, mine, left) // max(1, all_weights(s, held, squares, left))


def weight(s, owned, left):
    """How much a seat's cards of a kind count for its chance to complete it, while so many are still in the deck."""
    holds = owned * s.players + left
    return holds * (holds + STICKY * s.players)


def share_now(s, seat, kind):
    """A seat's chance to complete a kind as things are, in thousandths."""
    return share(s, seat, kind, NOBODY, NOBODY, 0)


def expected(s, seat):
    """The number of sets a seat may expect, in thousandths, and the sum of their values."""
    sets = 0
    value = 0
    for kind in range(KINDS):
        part = share_now(s, seat, kind)
        sets += part
        value += part * s.values[kind]
    return sets, value // 1000


def gain(s, seat, kind, sets, value):
    """The points a complete set of `kind` adds: V + (k + 1)·v (§8), with the expected V = `value` and k = `sets`/1000."""
    part = share_now(s, seat, kind)
    v = s.values[kind]
    return v + v * (sets - part) // 1000 + value - v * part // 1000


def gain_of(s, seat, kind):
    """`gain` for one look."""
    sets, value = expected(s, seat)
    return gain(s, seat, kind, sets, value)


def reckon(s, kind, note):
    """What is thought of once for all looks at the card under the hammer: the `gain` of each seat, the cards of the kind in
    the deck and all weights of it, in the note, before the reason stands there."""
    for seat in range(s.players):
        note[seat] = 0
    for each in range(KINDS):
        held = 0
        squares = 0
        for seat in range(s.players):
            owned = s.animals[seat][each]
            held += owned
            squares += owned * owned
        left = s.copies[each] - held
        if each == kind:
            left -= 1
        total = max(1, all_weights(s, held, squares, left))
        if each == kind:
            note[LEFT] = left
            note[WEIGHTS] = total
        if held + left > 0:
            worth_each = SETS + s.values[each]
            none = 1000 * weight(s, 0, left) // total  # of most seats, so that it is divided once
            for seat in range(s.players):
                owned = s.animals[seat][each]
                part = none
                if owned > 0:
                    part = 1000 * weight(s, owned, left) // total
                note[seat] += part * worth_each
    v = s.values[kind]
    none = 1000 * weight(s, 0, note[LEFT]) // note[WEIGHTS]
    for seat in range(s.players):
        part = none
        if s.animals[seat][kind] > 0:
            part = 1000 * weight(s, s.animals[seat][kind], note[LEFT]) // note[WEIGHTS]
        sets = note[seat] // SETS
        note[seat] = v + v * (sets - part) // 1000 + note[seat] % SETS // 1000 - v * part // 1000


def won(s, seat, kind, winner, note):
    """A seat's chance to complete the kind under the hammer, in thousandths, if `winner` takes the card."""
    left = note[LEFT]
    owned = s.animals[winner][kind]
    total = note[WEIGHTS] + weight(s, owned + 1, left) - weight(s, owned, left)
    owned = s.animals[seat][kind]
    if seat == winner:
        owned += 1
    return 1000 * weight(s, owned, left) // total


def wants(s, seat, kind, note):
    """Points that a card under the hammer adds to a seat's expectation, against its going to the next seat."""
    return note[seat] * (won(s, seat, kind, seat, note) - won(s, seat, kind, left_of(s, seat), note)) // 1000


def rival(s, seat, kind, note):
    """The opponent who wants the card under the hammer most."""
    best = NOBODY
    most = -1
    for other in range(s.players):
        if other != seat:
            points = wants(s, other, kind, note)
            if points > most:
                most = points
                best = other
    return best


def denied(s, seat, other, kind, note):
    """Points that `other` loses if `seat` takes the card under the hammer and not he."""
    return note[other] * (won(s, other, kind, other, note) - won(s, other, kind, seat, note)) // 1000


def worth(s, seat, kind, other, note, params):
    """Points for `seat` of taking the card under the hammer instead of `other`: its own gain and part of his loss."""
    own = won(s, seat, kind, seat, note) - won(s, seat, kind, other, note)
    points = note[seat] * own // 1000 + denied(s, seat, other, kind, note) * params.denial // 100
    if s.animals[seat][kind] > 0:
        points += points * params.fondness // 100
    return points


def average_worth(s):
    """Points of an average card for a seat with an average future; the measure of prices."""
    kinds = 0
    value = 0
    for kind in range(KINDS):
        if s.copies[kind] > 0:
            kinds += 1
            value += s.values[kind]
    n = s.players
    each = value // max(1, kinds)
    return max(1, (each + each * (kinds - 1) // n + (value - each) // n) // n)


# --- worth in money ---------------------------------------------------------------------------------------------------


def mean_purse(s):
    """Money per player, with a part of the donkey money to come: prices rise with the donkeys (§8)."""
    coming = 0
    for donkey in range(s.donkeys, s.copies[DONKEY]):
        coming += MONEY[s.donkey_money[donkey]]
    return s.purse // s.players + coming * FUTURE // 100


def card_price(s, params):
    """The price of an average card now."""
    left = s.size - s.drawn
    part = (params.price_early * left + params.price_late * s.drawn) // max(1, s.size)
    return max(1, mean_purse(s) * part // 100)


def price(s, points, params):
    """What so many points are worth in money while cards remain."""
    return points * card_price(s, params) // average_worth(s)


def money_of(s, seat, other):
    """The seat's estimate of another's money: all money that is not its own, spread between what it remembers."""
    if other == seat:
        return cash(s, seat)
    rest = s.purse - cash(s, seat)
    room = 0
    for third in range(s.players):
        if third != seat:
            rest -= s.least[seat][third]
            room += s.most[seat][third] - s.least[seat][third]
    if room <= 0:
        return s.least[seat][other]
    return s.least[seat][other] + min(room, max(0, rest)) * (s.most[seat][other] - s.least[seat][other]) // room


def fills(s, seat, amount):
    """Choose notes of the own hand for exactly `amount`, the largest first, in s.spare; False if there are none such.

    Below 500 each value divides the next, so taking the largest first decides; the number of 500s is tried out."""
    top = NOTES - 1
    for fives in range(min(s.money[seat][top], amount // MONEY[top]), -1, -1):
        rest = amount - fives * MONEY[top]
        for smaller in range(top - 1, 0, -1):
            n = min(s.money[seat][smaller], rest // MONEY[smaller])
            s.spare[smaller] = n
            rest -= n * MONEY[smaller]
        s.spare[top] = fives
        if rest == 0:
            return True
    return False


def fill_up(s, seat, amount):
    """Choose notes for the smallest sum from `amount` on (at most the own cash), in s.spare; returns the sum."""
    s.spare[0] = 0
    while not fills(s, seat, amount):
        amount += 10
    return amount


def fill_down(s, seat, amount):
    """Choose notes for the largest sum up to `amount`, in s.spare; returns the sum."""
    s.spare[0] = 0
    while not fills(s, seat, amount):
        amount -= 10
    return amount


# --- the turn ---------------------------------------------------------------------------------------------------------


def open_worth(s, seat, sets, value):
    """Points that are still open for a seat: all it could gain in kinds of which it has some, not all cards."""
    total = 0
    for kind in range(KINDS):
        if s.animals[seat][kind] > 0 and s.animals[seat][kind] < s.copies[kind]:
            total += gain(s, seat, kind, sets, value)
    return total


def stake_money(s, points, money, open_points, params):
    """What a trade for so many points is worth to someone with so much money.

    While cards remain, by the price of points; after that, money has no use but the trades still open."""
    if s.drawn < s.size:
        return min(price(s, points, params), money * (100 - params.reserve) // 100)
    return min(money, money * params.stake // 100 * points // max(1, open_points))


def stakes(s, seat, other, kind, stake):
    """What winning a trade and not losing it adds to the chances of a seat and of the other, in thousandths; and what
    winning it adds to them as they are."""
    mine = share(s, seat, kind, seat, other, stake)
    his = share(s, other, kind, seat, other, stake)
    own = mine - share(s, seat, kind, other, seat, stake)
    deny = share(s, other, kind, other, seat, stake) - his
    return own, deny, mine, his


def points_of(own, deny, mine, his, params):
    """Points of such a change of one's own chance and of the other's, whose `gain` is `mine` and `his`."""
    return mine * own // 1000 + his * deny // 1000 * params.denial // 100


def wins(mine, his):
    """How often, in thousandths, the side that would pay `mine` wins against `his` if both draw their stacks well:
    the equilibrium of an auction in which both pay."""
    if mine >= his:
        return 1000 - 500 * his // max(1, mine)
    return 500 * mine // his


def promise(s, seat, other, kind, mine_open, his_open, sets, value, his_sets, his_value, params):
    """Points a trade promises the challenger, its cost while cards remain included."""
    stake = min(s.animals[seat][kind], s.animals[other][kind])
    mine = gain(s, seat, kind, sets, value)
    his = gain(s, other, kind, his_sets, his_value)
    own, deny, won_mine, won_his = stakes(s, seat, other, kind, stake)
    points = points_of(own, deny, mine, his, params)
    my_money = stake_money(s, points, cash(s, seat), mine_open, params)
    his_points = points_of(deny, own, his, mine, params)
    his_money = stake_money(s, his_points, money_of(s, seat, other), his_open, params)
    if s.most[seat][other] < my_money:
        his_money = min(his_money, s.most[seat][other])
    up = points_of(won_mine - share_now(s, seat, kind), share_now(s, other, kind) - won_his, mine, his, params)
    cost = 0
    if s.drawn < s.size:
        cost = min(my_money, his_money) // 2 * average_worth(s) // card_price(s, params)
    total = (wins(my_money, his_money) * points) // 1000 - (points - up) - cost
    if params.prey > 0:
        total += points * max(0, 100 - 100 * money_of(s, seat, other) // mean_purse(s)) // 100 * params.prey // 100
    return total


def turn(s, seat, note, params):
    """Auction while cards remain, unless a trade promises more; then the most promising trade (§8)."""
    sets, value = expected(s, seat)
    mine_open = open_worth(s, seat, sets, value)
    best = -(1 << 40)
    action = AUCTION
    other = seat
    for far in range(1, s.players):
        other = left_of(s, other)
        his_sets, his_value = expected(s, other)
        his_open = open_worth(s, other, his_sets, his_value)
        for kind in range(KINDS):
            if s.animals[seat][kind] > 0 and s.animals[other][kind] > 0:
                points = promise(s, seat, other, kind, mine_open, his_open, sets, value, his_sets, his_value, params)
                if points > best:
                    best = points
                    action = TRADE + KINDS * (far - 1) + kind
    if s.drawn < s.size and (action == AUCTION or best * 100 < params.early_trade * average_worth(s)):
        because(note, WHY_AUCTION, NOBODY, NOBODY, s.size - s.drawn, 0, 0)
        return AUCTION
    kind = (action - TRADE) % KINDS
    other = (seat + (action - TRADE) // KINDS + 1) % s.players
    stake = min(s.animals[seat][kind], s.animals[other][kind])
    code = WHY_TRADE
    if s.animals[seat][kind] + stake == s.copies[kind]:
        code = WHY_TRADE_COMPLETES
    elif s.animals[seat][kind] == s.animals[other][kind]:
        code = WHY_TRADE_PAIR
    because(note, code, kind, other, stake, 0, cash(s, seat))
    return action


# --- the auction ------------------------------------------------------------------------------------------------------


def completes(s, seat, kind):
    """The card under the hammer would complete the seat's set."""
    return s.animals[seat][kind] + 1 == s.copies[kind]


def spendable(s, seat, kind, params):
    """Own money less the reserve, which is touched only to complete a set."""
    money = cash(s, seat)
    if completes(s, seat, kind):
        return money
    return money * (100 - params.reserve) // 100


def can_pay_most(s, seat):
    """The most that any other bidder can pay, as far as the seat knows."""
    most = 0
    for other in range(s.players):
        if other != seat and other != s.turn and not (s.excluded >> other) & 1:
            most = max(most, s.most[seat][other])
    return most


def guessed(s, seat, value, params):
    """What a seat takes the card under the hammer for, which is worth `value`: the same as long as it lies there."""
    if params.vague == 0:
        return value
    off = below(stream(stream(s.drawn, seat), s.kind), 2 * params.vague + 1) - params.vague
    return value * (100 + off) // 100


def market(s, seat, kind, note, params):
    """What the other bidder who wants the card under the hammer most would give for it, as far as the seat can tell."""
    most = 0
    money = 0
    for other in range(s.players):
        if other != seat and other != s.turn and not (s.excluded >> other) & 1:
            most = max(most, wants(s, other, kind, note))
            money = max(money, s.most[seat][other])
    return min(price(s, most, params), money)


def way_of(s, seat, kind, seed, limit, note, params):
    """How much more than the last bid a jump says. Others would go so far anyway: it costs nothing to be there sooner, and
    nobody has to listen to raises by ten for minutes."""
    part = below(stream(seed, 2), params.haste + 1)
    if params.stride == 0:
        return (limit - s.bid) * part // 100
    end = min(limit, market(s, seat, kind, note, params))
    if s.bid >= end:
        return (limit - s.bid) * params.press // 100
    return (end - s.bid) * (params.stride + part * (params.haste - params.stride) // max(1, params.haste)) // 100


def next_bid(s, seat, seed, limit, note, params):
    """The bid to make: the smallest raise or, now and then, more, but no more than outbids everybody's money;
    0 if no bid can be paid within the limit, since there is no change."""
    least = s.bid + s.bid_step
    if least > limit:
        return 0
    amount = least
    if below(stream(seed, 1), 100) < params.jump:
        way = way_of(s, seat, s.kind, seed, limit, note, params)
        amount = max(least, s.bid + way // s.bid_step * s.bid_step)
        enough = (can_pay_most(s, seat) // s.bid_step + 1) * s.bid_step
        amount = max(least, min(amount, enough))
        if fill_up(s, seat, amount) > limit:
            amount = least
    if fill_up(s, seat, amount) > limit:
        return 0
    return amount


def bids(s, seat, seed, note, params):
    """Bid up to the price of the card; then stay silent."""
    kind = s.kind
    reckon(s, kind, note)
    other = rival(s, seat, kind, note)
    points = worth(s, seat, kind, other, note, params)
    value = guessed(s, seat, price(s, points, params), params)
    limit = min(min(value, spendable(s, seat, kind, params)), bid_limit(s, seat)) * params.bidding
    amount = next_bid(s, seat, seed, limit, note, params)
    money = cash(s, seat)
    if amount == 0 and not s.building:
        code = WHY_PASS
        if value >= s.bid + s.bid_step:
            code = WHY_PASS_CHANGE if limit >= s.bid + s.bid_step else WHY_PASS_POOR
        if params.bidding == 0:
            code = WHY_PASS_NEVER
        because(note, code, kind, s.leader, s.bid, value, money - limit // 10 * 10)
        return NOTHING_TO_SAY if s.bidding == REALTIME else PASS
    code = WHY_BID
    if completes(s, seat, kind):
        code = WHY_BID_COMPLETES
    elif denied(s, seat, other, kind, note) * params.denial > 50 * points:
        code = WHY_BID_DENIES
    because(note, code, kind, other, max(amount, s.bid + s.raised), value, money - limit // 10 * 10)
    note[PLAN] = amount
    return says_bid(s, note)


def says_bid(s, note):
    """The next step of saying the bid that is planned."""
    rest = (note[PLAN] - s.bid - s.raised) // s.bid_step
    for size in range(len(RAISES) - 1, -1, -1):
        if rest >= RAISES[size] and (size < s.last or (size == s.last and s.times < TIMES[size])):
            return RAISE + size
    return CALL


def hammered(s, seat, note, params):
    """Sell, unless the card is worth much more than the bid; then use the right of first refusal (§8)."""
    kind = s.kind
    leader = s.leader
    reckon(s, kind, note)
    value = guessed(s, seat, price(s, worth(s, seat, kind, leader, note, params), params), params)
    money = cash(s, seat)
    if s.most[seat][leader] < s.bid:
        because(note, WHY_SELL_INSOLVENT, kind, leader, s.bid, s.most[seat][leader], money)
        return SELL
    if money >= s.bid:
        paid = fill_up(s, seat, s.bid)
        if paid <= spendable(s, seat, kind, params) and paid * 100 <= value * params.refusal:
            code = WHY_BUY
            if completes(s, seat, kind):
                code = WHY_BUY_COMPLETES
            elif s.animals[leader][kind] + 1 == s.copies[kind]:
                code = WHY_BUY_DENIES
            because(note, code, kind, leader, s.bid, value, money)
            return BUY
    because(note, WHY_SELL, kind, leader, s.bid, value, money)
    return SELL


def lays_payment(s, seat, note):
    """Pay the smallest sum that reaches the price, in the largest notes: small change is worth keeping (§8)."""
    paid = laid_money(s)
    target = smallest_sum(s, s.bid)
    because(note, WHY_PAY, s.kind, s.payee, s.bid, 0, target)
    note[PLAN] = target
    if paid >= s.bid:
        return DONE
    for chosen in range(min(s.last, NOTES - 1), 0, -1):
        if s.money[seat][chosen] > s.laid[chosen] and exact(s, chosen, target - paid):
            return LAY + chosen
    for chosen in range(1, min(s.last, NOTES - 1) + 1):  # a payment that was begun in another way
        if s.money[seat][chosen] > s.laid[chosen] and paid + left_up_to(s, chosen) >= s.bid:
            return LAY + chosen
    return DONE


# --- the trade --------------------------------------------------------------------------------------------------------


def last_trade(s, seat, other):
    """Nothing but this trade is open for the seat: money has no further use."""
    if s.drawn < s.size or s.animals[seat][s.kind] + s.animals[other][s.kind] < s.copies[s.kind]:
        return False
    for kind in range(KINDS):
        if kind != s.kind and s.animals[seat][kind] > 0 and s.animals[seat][kind] < s.copies[kind]:
            return False
    return True


def trade_value(s, seat, who, other, params):
    """What the trade on the table is worth in money to `who`, as `seat` estimates it."""
    sets, value = expected(s, who)
    mine = gain(s, who, s.kind, sets, value)
    own, deny, _mine, _his = stakes(s, who, other, s.kind, s.stake)
    points = points_of(own, deny, mine, gain_of(s, other, s.kind), params)
    return stake_money(s, points, money_of(s, seat, who), open_worth(s, who, sets, value), params)


def drawn_stack(s, seat, other, seed, params):
    """The money to lay in a trade, drawn at random, never more than surely wins; 0 to give up."""
    money = cash(s, seat)
    enough = s.most[seat][other] + 10
    if last_trade(s, seat, other):
        return min(money, enough)
    mine = trade_value(s, seat, seat, other, params)
    his = trade_value(s, seat, other, seat, params)
    if mine < his and below(stream(seed, 3), max(1, his)) * 100 < (his - mine) * params.give_up:
        return 0
    part = params.offer_low + below(stream(seed, 4), params.offer_high - params.offer_low + 1)
    return min(min(money, enough), min(mine, his) * part // 100)


def offers(s, seat, seed, note, params):
    """Offer a drawn amount under zeros, or nothing but zeros."""
    zeros = s.money[seat][0]
    amount = drawn_stack(s, seat, s.challenged, seed, params) // 10 * 10
    if params.bluffing > 0 and zeros > 0 and below(stream(seed, 6), 100) < params.bluffing:
        amount = 0
    plan_stack(s, seat, amount)
    if params.honest and planned(s) == 0 and cash(s, seat) > 0:
        fill_up(s, seat, 10)
    amount = planned(s)
    if zeros > 0 and (amount == 0 or not params.honest):
        s.spare[0] = below(stream(seed, 5), zeros + 1)
        if amount == 0:
            s.spare[0] = max(1, s.spare[0])
    code = WHY_OFFER if amount > 0 else WHY_BLUFF
    if amount > 0 and last_trade(s, seat, s.challenged):
        code = WHY_OFFER_ALL
    because(note, code, s.kind, s.challenged, s.stake, 0, amount)
    note[PLAN] = chosen_stack(s)
    return lays_stack(s, seat, note)


def plan_stack(s, seat, amount):
    """Choose notes near `amount`: the smallest sum above it, or the largest below if that is much nearer."""
    above = fill_up(s, seat, amount)
    below_it = fill_down(s, seat, amount)
    if above - amount <= 2 * (amount - below_it):
        fill_up(s, seat, amount)


def planned(s):
    """The money of the chosen notes."""
    total = 0
    for note in range(1, NOTES):
        total += s.spare[note] * MONEY[note]
    return total


def chosen_stack(s):
    """The chosen notes as one number."""
    stack = 0
    for chosen in range(NOTES):
        stack |= s.spare[chosen] << (PLACE * chosen)
    return stack


def lays_stack(s, seat, note):
    """The next step of laying the planned stack; one that may not be empty gets the smallest card."""
    for chosen in range(min(s.last, NOTES - 1), -1, -1):
        if (note[PLAN] >> (PLACE * chosen)) & ((1 << PLACE) - 1) > s.laid[chosen]:
            return LAY + chosen
    if s.building or s.empty_offer or s.cards[seat] == 0:
        return DONE
    for chosen in range(NOTES):
        if s.money[seat][chosen] > 0:
            return LAY + chosen
    return DONE


def offer_at_most(s, seat):
    """The most that the offer on the table can be worth."""
    most = s.most[seat][s.turn]
    if s.offer_count_view == HIDDEN:
        return most
    return min(most, s.offered * MONEY[NOTES - 1])


def replies(s, seat, seed, note, params):
    """Counter to win or with nothing: whatever lies between only gives money away (§8)."""
    other = s.turn
    money = cash(s, seat)
    sure = offer_at_most(s, seat) + 10
    amount = drawn_stack(s, seat, other, seed, params) // 10 * 10
    code = WHY_COUNTER
    if sure <= money and trade_value(s, seat, seat, other, params) >= 2 * sure:
        amount = sure
        code = WHY_COUNTER_SURE
    plan_stack(s, seat, min(amount, sure))
    amount = planned(s)
    if amount == 0:
        code = WHY_COUNTER_NOTHING
        if not s.building and not s.empty_offer and s.cards[seat] > 0 and s.money[seat][0] == 0:
            because(note, WHY_ACCEPT, s.kind, other, s.stake, 0, 0)
            return ACCEPT
    because(note, code, s.kind, other, s.stake, s.offered, amount)
    note[PLAN] = chosen_stack(s)
    return lays_stack(s, seat, note)
