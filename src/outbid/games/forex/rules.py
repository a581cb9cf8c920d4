"""The rules of For-Ex: set-up, rates, turn, spot transaction, contracts, certificates, queue, dividends, end, score.

Compiled subset: integers and fixed-size arrays only. Amounts are half-bucks. The marks R1…R19 are the rulings in RULES.md.
"""

from outbid.core.chance import below, step, stream
from outbid.core.seats import lowest
from outbid.games.forex.state import (
    AGREE, ALSO, ANY, BACK, BUCK, BY_CERTIFICATES, COMMON, CONTRACT, CONTRACTED, COUNT, CURRENCY, DIVEST, DIVESTING, DONE,
    EACH_DOWN, FREE, GET, GIVE, HOLD, INVEST, KINDS, LENT, NOBODY, NUMBER, OFF, OVER, RECEIVE, REFUSE, REPLY, RESOLVE,
    SETS, SIZE, SPACES, SPOT, STACK, START, STRENGTHEN, STRONGEST, TURN, UNIT, UNLIMITED, WEAKER, is_either,
)

# --- set-up -----------------------------------------------------------------------------------------------------------


def deal(s, players, seed):
    """Remove certificates at random and choose who begins; chance acts nowhere else (R15)."""
    for kind in range(s.currencies):
        s.stock[kind] = s.certificates
    left = s.currencies * s.certificates
    r = stream(seed, 0)
    for _ in range(min(s.removed_certificates, left)):
        r = step(r)
        n = below(r, left)
        for kind in range(KINDS):
            n -= s.stock[kind]
            if n < 0:
                s.stock[kind] -= 1
                break
        left -= 1
    r = step(r)
    begin(s, players, 0 if s.fixed_start else below(r, players))


def begin(s, players, start):
    """Rates, money, and the dividends as the only item of the queue; the stock of certificates is set already."""
    s.players = players
    s.turn = start
    s.asking = start
    s.phase = TURN
    n = 0
    for one in range(KINDS):
        for two in range(one + 1, KINDS):
            put(s, one, two, max(-s.track, min(s.track, SPACES[s.spaces[n]])))
            n += 1
    for seat in range(players):
        for kind in range(s.currencies):
            s.money[seat][kind] = BUCK * s.start_money
    for seat in range(len(s.loan)):
        s.loan[seat] = NOBODY
    for letter in range(SETS):
        release(s, letter)
    for place in range(SETS + 1):
        s.queue[place] = NOBODY
    join(s, STACK)
    s.partner = NOBODY
    s.give = NOBODY
    s.get = NOBODY
    s.unit = NOBODY
    s.bankrupt = NOBODY
    s.strongest = NOBODY


# --- rates ------------------------------------------------------------------------------------------------------------


def put(s, one, two, space):
    """A pair stands on a space: above 0 where the first is the stronger half."""
    s.strength[one] += ((space > 0) - (s.scale[one][two] > 0)) * (two < s.currencies)
    s.strength[two] += ((space < 0) - (s.scale[two][one] > 0)) * (one < s.currencies)
    s.scale[one][two] = space
    s.scale[two][one] = -space


def strengthen(s, kind):
    """One space in favour of a currency in each of its six pairs; at rate 1 the flip is the whole step, and the 8 space
    is the end of the track."""
    for other in range(s.currencies):
        if other != kind and s.scale[kind][other] < s.track:
            better(s, kind, other)


def weaken(s, kind):
    """The mirror image."""
    for other in range(s.currencies):
        if other != kind and s.scale[other][kind] < s.track:
            better(s, other, kind)


def better(s, one, two):
    """One space in favour of the first of a pair."""
    flip = s.scale[one][two] == -1
    s.strength[one] += flip
    s.strength[two] -= flip
    s.scale[one][two] += 1 + flip
    s.scale[two][one] -= 1 + flip


def worth(s, kind, other, bucks):
    """The half-bucks of `kind` that stand against so many bucks of the stronger of the pair."""
    place = s.scale[kind][other]
    if place > 0:
        return BUCK * bucks
    return bucks * s.rates[-place - 1]


# --- who may answer, and what -----------------------------------------------------------------------------------------


def asked(s):
    """The seat that may answer now as a bit mask; 0 when the match is over."""
    if s.phase == OVER:
        return 0
    return 1 << s.asking


def midway(s, seat):
    """1 if `seat` has begun a move and not finished it."""
    if s.step != START and seat == s.asking:
        return 1
    return 0


def legal(s, seat, out):
    """Write the action ids open to the asked seat to `out`; the number of them is returned."""
    if s.step != START:
        return legal_steps(s, seat, out)
    n = 0
    if s.phase == TURN:
        out[0] = RESOLVE
        n = 1
        if free_set(s) != NOBODY:  # R11
            for kind in range(s.currencies):
                out[n] = CONTRACT + kind
                n += 1
        for kind in range(KINDS):
            out[n] = INVEST + kind
            n += can_buy(s, seat, kind)
        for kind in range(KINDS):
            out[n] = DIVEST + kind
            n += s.certs[seat][kind] > 0
        if may_offer(s):
            other = seat
            for far in range(1, s.players):
                other = left_of(s, other)
                out[n] = SPOT + far - 1
                n += spot_with(s, seat, other)
    elif s.phase == REPLY:
        out[0] = AGREE
        out[1] = REFUSE
        n = 2
    elif s.phase == DIVESTING:
        for number in range(s.certs[seat][s.give] + 1):
            out[n] = COUNT + number
            n += 1
    else:
        for kind in range(KINDS):
            out[n] = CURRENCY + kind
            n += (s.choices >> kind) & 1
    return n


def legal_steps(s, seat, out):
    """What may come next in a move half built."""
    n = 0
    if s.step == RECEIVE:
        for kind in range(s.currencies):
            out[n] = CURRENCY + kind
            n += kind != s.give
    elif s.step == SIZE:
        for bucks in range(1, s.contract_size + 1):
            out[n] = COUNT + bucks
            n += 1
    elif s.step == ALSO:
        out[0] = DONE
        n = 1
        for kind in range(KINDS):
            out[n] = CURRENCY + kind
            n += can_buy(s, seat, kind) and kind != s.give
    elif s.step == NUMBER:
        for number in range(1, s.certs[seat][s.give] + 1):
            out[n] = COUNT + number
            n += 1
    elif s.step == GIVE:
        for kind in range(KINDS):
            out[n] = CURRENCY + kind
            n += spot_giving(s, seat, s.partner, kind)
    elif s.step == GET:
        for kind in range(KINDS):
            out[n] = CURRENCY + kind
            n += spot_getting(s, seat, s.partner, s.give, kind)
    else:
        for kind in range(KINDS):
            out[n] = CURRENCY + kind
            n += (kind == s.give or kind == s.get) and spot_open(s, seat, s.partner, s.give, s.get, kind)
    return n


def apply(s, seat, action):
    """One step of `seat`, which must be asked, with one of its legal actions."""
    if s.step != START:
        apply_step(s, seat, action)
    elif s.phase == TURN:
        if action == RESOLVE:
            resolve(s)
        elif action < INVEST:
            s.give = action - CONTRACT
            s.step = RECEIVE
        elif action < DIVEST:
            s.give = action - INVEST
            s.step = ALSO
        elif action < SPOT:
            s.give = action - DIVEST
            s.step = NUMBER
        else:
            s.partner = (seat + action - SPOT + 1) % s.players
            s.step = GIVE
    elif s.phase == REPLY:
        answer(s, action == AGREE)
    elif s.phase == DIVESTING:
        divest(s, seat, action - COUNT)
    elif s.phase == STRENGTHEN:
        s.choices = 0
        strengthen(s, action - CURRENCY)
        spend_dividend(s)
    else:
        s.choices = 0
        s.strongest = action - CURRENCY
        close(s)


def apply_step(s, seat, action):
    """What is said next in a move half built."""
    if s.step == RECEIVE:
        s.get = action - CURRENCY
        s.step = SIZE
    elif s.step == SIZE:
        s.step = START
        contract(s, seat, s.give, s.get, action - COUNT)
    elif s.step == ALSO:
        s.step = START
        invest(s, seat, s.give)
        if action != DONE:
            invest(s, seat, action - CURRENCY)
        end_turn(s)
    elif s.step == NUMBER:
        s.step = START
        divest(s, seat, action - COUNT)
    elif s.step == GIVE:
        s.give = action - CURRENCY
        s.step = GET
    elif s.step == GET:
        s.get = action - CURRENCY
        if either(s, s.give, s.get):
            s.step = UNIT
        else:
            offer(s, stronger(s, s.give, s.get))
    else:
        offer(s, action - CURRENCY)


def left_of(s, seat):
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < s.players else 0


def end_turn(s):
    """The next player's turn."""
    if s.offers > 0:
        s.offers = 0
        for other in range(s.players):
            for kind in range(KINDS):
                s.refused[other][kind] = 0
    s.spotted = 0
    s.give = NOBODY
    s.get = NOBODY
    s.turns += 1
    s.turn = left_of(s, s.turn)
    s.asking = s.turn
    s.phase = TURN


# --- the spot transaction ---------------------------------------------------------------------------------------------


def may_offer(s):
    """One transaction a turn, and a limited number of offers (R2)."""
    if not s.spot_enabled or s.spotted:
        return False
    return s.max_spot_offers == UNLIMITED or s.offers < s.max_spot_offers


def stronger(s, give, get):
    """The stronger of two currencies."""
    return give if s.scale[give][get] > 0 else get


def either(s, give, get):
    """A swap of two currencies may be 1 buck of either (R1)."""
    return s.spot_unit == ANY and is_either(s.rates[abs(s.scale[give][get]) - 1])


def swapped(s, kind, other, unit):
    """The half-bucks of `kind` in a swap for another currency that is 1 buck of one of them, `unit`."""
    place = s.scale[kind][other]
    if kind == unit:
        return BUCK
    if place < 0:
        return s.rates[-place - 1]
    return BUCK * BUCK // s.rates[place - 1]


def refusal(s, give, get, unit):
    """The bit that stands for an offer among those refused."""
    return get + KINDS * (unit != stronger(s, give, get))


def spot_open(s, seat, other, give, get, unit):
    """1 buck of `unit` against its equivalent: both own what they give, and it was not refused in this turn."""
    if (s.refused[other][give] >> refusal(s, give, get, unit)) & 1:
        return False
    return s.money[seat][give] >= swapped(s, give, get, unit) and s.money[other][get] >= swapped(s, get, give, unit)


def spot_getting(s, seat, other, give, get):
    """Some of `get` can be had from `other` for some of `give`; written out for speed."""
    place = s.scale[give][get]
    if place == 0:
        return False
    rate = s.rates[abs(place) - 1]
    most = BUCK if place > 0 else rate
    if s.money[seat][give] >= most and s.money[other][get] >= BUCK + rate - most and not (s.refused[other][give] >> get) & 1:
        return True
    if s.spot_unit != ANY or not is_either(rate):
        return False
    return spot_open(s, seat, other, give, get, get if place > 0 else give)


def spot_giving(s, seat, other, give):
    """Something can be had from `other` for the currency `give`."""
    if s.money[seat][give] > 0:
        for get in range(KINDS):
            if spot_getting(s, seat, other, give, get):
                return True
    return False


def spot_with(s, seat, other):
    """Something can be swapped with `other`."""
    for give in range(KINDS):
        if spot_giving(s, seat, other, give):
            return True
    return False


def offer(s, unit):
    """The partner is asked for a swap of 1 buck of `unit`."""
    s.unit = unit
    s.step = START
    s.phase = REPLY
    s.asking = s.partner


def answer(s, agreed):
    """The partner's word; nothing else binds anybody (R16). The player goes on with his turn."""
    if agreed:
        give = swapped(s, s.give, s.get, s.unit)
        get = swapped(s, s.get, s.give, s.unit)
        s.money[s.turn][s.give] -= give
        s.money[s.partner][s.give] += give
        s.money[s.partner][s.get] -= get
        s.money[s.turn][s.get] += get
        s.spotted = 1
    else:
        s.refused[s.partner][s.give] |= 1 << refusal(s, s.give, s.get, s.unit)
        s.offers += 1
    s.partner = NOBODY
    s.give = NOBODY
    s.get = NOBODY
    s.unit = NOBODY
    s.phase = TURN
    s.asking = s.turn


# --- contracts --------------------------------------------------------------------------------------------------------


def free_set(s):
    """The first set of contract cards that nobody uses, or NOBODY."""
    for letter in range(s.contract_sets):
        if s.use[letter] == FREE:
            return letter
    return NOBODY


def contract(s, seat, pay, receive, bucks):
    """Fix the terms at the present rate, for so many bucks of the stronger; nothing need be owned."""
    letter = free_set(s)
    s.use[letter] = CONTRACTED
    s.owner[letter] = seat
    s.pays[letter] = pay
    s.gets[letter] = receive
    s.paid[letter] = worth(s, pay, receive, bucks)
    s.got[letter] = worth(s, receive, pay, bucks)
    join(s, letter)
    end_turn(s)


def release(s, letter):
    """A set of contract cards goes back to the display."""
    s.use[letter] = FREE
    s.owner[letter] = NOBODY
    s.pays[letter] = NOBODY
    s.gets[letter] = NOBODY
    s.paid[letter] = 0
    s.got[letter] = 0


# --- certificates -----------------------------------------------------------------------------------------------------


def can_buy(s, seat, kind):
    """In stock, affordable, and fewer than four in hand (R11)."""
    return (
        (s.stock[kind] > 0) & (s.money[seat][kind] >= BUCK * s.price) & (s.certs[seat][kind] < s.hand_limit)
    )


def invest(s, seat, kind):
    """Buy one certificate; its currency is strengthened. Two are bought one after the other (R12)."""
    s.money[seat][kind] -= BUCK * s.price
    s.stock[kind] -= 1
    s.certs[seat][kind] += 1
    s.held[kind] += 1
    strengthen(s, kind)


def divest(s, seat, number):
    """Sell so many certificates; then the next owner of some decides, clockwise, knowing what went before (R13)."""
    kind = s.give
    sell(s, seat, kind, number)
    other = left_of(s, seat)
    while other != s.turn:
        if s.certs[other][kind] > 0:
            s.phase = DIVESTING
            s.asking = other
            return
        other = left_of(s, other)
    end_turn(s)


def sell(s, seat, kind, number):
    """So many certificates leave the game, each weakening the currency."""
    s.certs[seat][kind] -= number
    s.held[kind] -= number
    s.money[seat][kind] += BUCK * s.sale * number
    for _ in range(number):
        weaken(s, kind)


# --- the queue --------------------------------------------------------------------------------------------------------


def join(s, item):
    """An item goes to the back of the queue."""
    s.queue[s.queued] = item
    s.queued += 1


def leave(s, item):
    """An item leaves the queue."""
    place = 0
    while s.queue[place] != item:
        place += 1
    s.queued -= 1
    for later in range(place, s.queued):
        s.queue[later] = s.queue[later + 1]
    s.queue[s.queued] = NOBODY


def resolve(s):
    """Resolve the front item, whoever owns it."""
    if s.queue[0] == STACK:
        pay_dividend(s)
    elif settle(s, s.queue[0]):
        end(s)
    else:
        end_turn(s)


def settle(s, letter):
    """A contract or a loan at the front of the queue; true if its owner is bankrupt."""
    if s.use[letter] == LENT:
        return settle_loan(s, letter)
    seat = s.owner[letter]
    pay = s.pays[letter]
    if s.money[seat][pay] >= s.paid[letter]:  # R10: who can pay must; what is received comes too late
        s.money[seat][pay] -= s.paid[letter]
        s.money[seat][s.gets[letter]] += s.got[letter]
        leave(s, letter)
        release(s, letter)
        return False
    s.money[seat][s.gets[letter]] += s.got[letter]
    s.debt[seat][pay] += s.paid[letter] + BUCK * s.surcharge  # R17
    leave(s, letter)
    lend(s, seat, letter)
    return False


def lend(s, seat, letter):
    """A contract that could not be paid becomes a loan, or a part of the owner's loan (R5, R6)."""
    if s.loan[seat] == NOBODY:
        s.loan[seat] = letter
        join(s, letter)
    elif s.merged_loan_place == BACK:
        leave(s, s.loan[seat])
        join(s, s.loan[seat])
    release(s, letter)
    if s.loan[seat] == letter or s.merged_loan_set == HOLD:
        s.use[letter] = LENT
        s.owner[letter] = seat


def settle_loan(s, letter):
    """A loan is paid in all its parts, or its owner is bankrupt and nothing is paid."""
    seat = s.owner[letter]
    for kind in range(KINDS):
        if s.money[seat][kind] < s.debt[seat][kind]:
            s.bankrupt = seat
            return True
    for kind in range(KINDS):
        s.money[seat][kind] -= s.debt[seat][kind]
        s.debt[seat][kind] = 0
    leave(s, letter)
    for other in range(SETS):
        if s.use[other] == LENT and s.owner[other] == seat:
            release(s, other)
    s.loan[seat] = NOBODY
    return False


# --- dividends --------------------------------------------------------------------------------------------------------


def pays_nothing(s, kind):
    """The currency is the weaker one of a pair on the 8 space (R3)."""
    if s.eight_rule == OFF:
        return False
    end_space = -s.track if s.eight_rule == WEAKER else s.track
    for other in range(s.currencies):
        if s.scale[kind][other] == end_space:
            return True
    return False


def pay_dividend(s):
    """The top card pays every certificate (R8); then the currency of most certificates is strengthened (R9)."""
    amount = BUCK * s.dividends[s.dividend]
    most = 0
    tied = 0
    for kind in range(s.currencies):
        if s.held[kind] > most:
            most = s.held[kind]
            tied = 0
        if s.held[kind] == most:
            tied |= 1 << kind
        if s.held[kind] > 0 and amount > 0 and not pays_nothing(s, kind):
            for seat in range(s.players):
                s.money[seat][kind] += s.certs[seat][kind] * amount
    if most == 0 and s.no_certs_no_strengthen:
        spend_dividend(s)
    elif tied & (tied - 1):
        s.choices = tied
        s.phase = STRENGTHEN
    else:
        strengthen(s, lowest(tied))
        spend_dividend(s)


def spend_dividend(s):
    """The rest of the stack goes to the back of the queue as one item; after the last card comes the end."""
    leave(s, STACK)
    s.dividend += 1
    if s.dividend < s.dividend_cards:
        join(s, STACK)
        end_turn(s)
    else:
        final_resolution(s)


# --- the end ----------------------------------------------------------------------------------------------------------


def final_resolution(s):
    """No more turns: the queue is resolved in order, new loans too, until it is empty or somebody is bankrupt (R14)."""
    while s.queued > 0:
        if settle(s, s.queue[0]):
            break
    end(s)


def end(s):
    """Find the strongest currency; a tie that certificates do not break is for the player of the last turn. What is
    still in the queue counts nothing (R18)."""
    tied = candidates(s)
    if tied & (tied - 1):
        s.choices = tied
        s.phase = STRONGEST
        s.asking = s.turn
    else:
        s.strongest = lowest(tied)
        close(s)


def close(s):
    """The match is over."""
    s.phase = OVER
    s.asking = NOBODY


def candidates(s):
    """The strongest currencies as a bit mask: the stronger half of most pairs; of these, most certificates in hands."""
    best = -1
    tied = 0
    for kind in range(s.currencies):
        points = s.strength[kind] * 128 + s.held[kind]
        tied *= points <= best
        tied |= (points >= best) << kind
        best = max(best, points)
    return tied


def measure(s):
    """The currency that money is converted to: the strongest, or, while it is not decided, the first of the candidates."""
    return s.strongest if s.strongest != NOBODY else lowest(candidates(s))


def terms(s, kind, target):
    """Half-bucks of one currency, times the first number and divided by the second, are bucks of another (R7). On no space
    the two are one and the same."""
    place = s.scale[target][kind]
    rate = s.rates[max(abs(place), 1) - 1]
    times = rate if place < 0 else 1
    parts = BUCK * BUCK if place < 0 else rate if place > 0 else BUCK
    return times, parts


def converted(s, kind, amount, target):
    """An amount of one currency in whole bucks of another, rounded down (R7)."""
    times, parts = terms(s, kind, target)
    return amount * times // parts


def remainder(s, kind, amount, target):
    """What `converted` drops, in parts of COMMON."""
    times, parts = terms(s, kind, target)
    return amount * times % parts * (COMMON // parts)


def score(s, out):
    """Points per seat: all money in the strongest currency; certificates, contracts and debts count nothing (R7, R18)."""
    target = measure(s)
    for seat in range(s.players):
        points = 0
        dropped = 0
        for kind in range(KINDS):
            points += converted(s, kind, s.money[seat][kind], target)
            dropped += remainder(s, kind, s.money[seat][kind], target)
        out[seat] = points
        if s.final_rounding != EACH_DOWN:
            out[seat] += dropped // COMMON


def winners(s, out):
    """The winners as a bit mask; `out` receives the points. A bankrupt player is none (R4); of those with equal
    points the one with more certificates of the strongest currency wins, unless they share the victory (R19)."""
    score(s, out)
    target = measure(s)
    best = -1
    mask = 0
    for seat in range(s.players):
        if seat == s.bankrupt and s.bankrupt_excluded:
            continue
        points = out[seat] * 128
        if s.equal_money == BY_CERTIFICATES:  # R19
            points += s.certs[seat][target]
        if points > best:
            best = points
            mask = 0
        if points == best:
            mask |= 1 << seat
    return mask
