"""The steady player: For-Ex's own judgement (rules/forex.md §10).

It asks of every move that comes into question: what if from then on everybody only resolved? That is no guess but an
account: the queue as it stands is settled, the dividends are paid, loans are made or paid back, somebody goes bankrupt or
nobody does, and all money is converted. A move is worth what this leaves to the seat, less a part of what it leaves to the
best of the others. The seat takes the best move; resolving itself is the measure.

It has no eye for anything but this account, with one exception: where resolving ends the match, it does so if it wins, and
does anything else if it does not.

Not every move is tried. Of the contracts only those directions are that the account of merely resolving makes look best, at
the rates it ends with; of two investments the better one is combined with all others. Spot offers are made only against
one's own bankruptcy, and accepted if they pay.

To try a move, the seat plays it on the state itself and takes it back: `keep` copies what can change to the fields `kept_…`,
`restore` copies it back, and `forget` empties them, so that the state is as it was. A move of several steps is chosen anew
at each of its steps among those that begin as it has begun.

`play(s, seat, seed, note, params)` is told how to play (personas.py has others than the usual ones); `steady` is
`play` with the usual parameters.

Worth is counted in parts of a buck of the strongest currency, WHOLE to the buck. Compiled subset.
"""

from outbid.core.hooks.policy_params import PolicyParams
from outbid.games.forex.rules import (
    answer, can_buy, close, contract, either, end_turn, free_set, invest, left_of, may_offer, measure, resolve,
    spend_dividend, spot_open, strengthen, stronger, weaken, winners, worth,
)
from outbid.games.forex.state import (
    AGREE, ALSO, BUCK, CONTRACT, COUNT, CURRENCY, DIVEST, DIVESTING, DONE, GET, GIVE, INVEST, KINDS, LENT, NOBODY,
    NUMBER, OVER, RECEIVE, REFUSE, REPLY, RESOLVE, SEATS, SETS, SIZE, SPOT, STACK, START, STRENGTHEN, STRONGEST, TURN,
    UNIT,
)

# --- what the steady player believes ------------------------------------------------------------------------------------

WHOLE = 48  # parts of a buck; the rates divide it, but for one

ALL = 1000  # items of the queue: more than any match has

USUAL = PolicyParams(
    rival=80,  # per cent of the best other result that counts against one's own
    ruin=100,  # bucks that one's own bankruptcy costs
    directions=12,  # contracts tried: so many pairs of currencies, each for its largest size and halves of it
    least=8,  # parts of a buck that a move must promise beyond resolving
    foresight=ALL,  # so many items of the queue are settled in thought; what certificates sell for counts then, too
    papers=0,  # parts of a buck that each certificate of an investment is worth beyond the account
    contracts=0,  # the same for a contract, unless it keeps the seat from bankruptcy
    prey=0,  # bucks that the bankruptcy of somebody else is worth
    chase=0,  # parts of a buck that a move must promise besides, while the front item is a debt that another cannot pay
)

NEVER = -(1 << 40)

# --- reasons (reasons.py) -----------------------------------------------------------------------------------------------

(WHY_NOTHING, WHY_RESOLVE, WHY_RESOLVE_DIVIDEND, WHY_RESOLVE_WINS, WHY_INVEST, WHY_INVEST_TWO, WHY_DIVEST, WHY_CONTRACT,
 WHY_COVER, WHY_SPOT, WHY_AGREE, WHY_REFUSE, WHY_SELL_TOO, WHY_KEEP, WHY_STRENGTHEN, WHY_STRONGEST,
 WHY_RESOLVE_CHASE) = range(17)


def because(note, code, first, second, number, seat, gain):
    """The reason: its code, two currencies, a number, size or unit, a seat, and what it promises in parts of a buck."""
    note[0] = code
    note[1] = first
    note[2] = second
    note[3] = number
    note[4] = seat
    note[5] = gain


def steady(s, seat, seed, note):
    """The next action of the asked seat."""
    return play(s, seat, seed, note, USUAL)


def play(s, seat, seed, note, params):
    """The next action of an asked seat, by any policy parameters."""
    keep(s)
    s.step = START
    s.offers = 0
    if s.phase == TURN:
        action = turn(s, seat, note, params)
    elif s.phase == REPLY:
        action = replies(s, seat, note, params)
    elif s.phase == DIVESTING:
        action = follows(s, seat, note, params)
    elif s.phase == STRENGTHEN:
        action = strengthens(s, seat, note, params)
    else:
        action = names_strongest(s, seat, note, params)
    restore(s)
    forget(s)
    return action


# --- trying out ---------------------------------------------------------------------------------------------------------


def keep(s):
    """Copy everything that a move or a settlement can change."""
    for kind in range(KINDS):
        for seat in range(s.players):
            s.kept_money[seat][kind] = s.money[seat][kind]
            s.kept_money[SEATS + seat][kind] = s.debt[seat][kind]
            s.kept_table[KINDS + seat][kind] = s.certs[seat][kind]
        for other in range(KINDS):
            s.kept_table[kind][other] = s.scale[kind][other]
        s.kept_table[KINDS + SEATS][kind] = s.held[kind]
        s.kept_table[KINDS + SEATS + 1][kind] = s.stock[kind]
        s.kept_table[KINDS + SEATS + 2][kind] = s.strength[kind]
        s.kept_line[15 + kind] = s.queue[kind]
    for letter in range(SETS):
        s.kept_sets[0][letter] = s.use[letter]
        s.kept_sets[1][letter] = s.owner[letter]
        s.kept_sets[2][letter] = s.pays[letter]
        s.kept_sets[3][letter] = s.gets[letter]
        s.kept_sets[4][letter] = s.paid[letter]
        s.kept_sets[5][letter] = s.got[letter]
        s.kept_sets[6][letter] = s.loan[letter]
    s.kept_line[0] = s.phase
    s.kept_line[1] = s.turn
    s.kept_line[2] = s.turns
    s.kept_line[3] = s.asking
    s.kept_line[4] = s.queued
    s.kept_line[5] = s.dividend
    s.kept_line[6] = s.step
    s.kept_line[7] = s.partner
    s.kept_line[8] = s.give
    s.kept_line[9] = s.get
    s.kept_line[10] = s.choices
    s.kept_line[11] = s.spotted
    s.kept_line[12] = s.offers
    s.kept_line[13] = s.bankrupt
    s.kept_line[14] = s.strongest
    s.kept_line[22 + KINDS] = s.unit


def restore(s):
    """Take back all that was tried."""
    for kind in range(KINDS):
        for seat in range(s.players):
            s.money[seat][kind] = s.kept_money[seat][kind]
            s.debt[seat][kind] = s.kept_money[SEATS + seat][kind]
            s.certs[seat][kind] = s.kept_table[KINDS + seat][kind]
        for other in range(KINDS):
            s.scale[kind][other] = s.kept_table[kind][other]
        s.held[kind] = s.kept_table[KINDS + SEATS][kind]
        s.stock[kind] = s.kept_table[KINDS + SEATS + 1][kind]
        s.strength[kind] = s.kept_table[KINDS + SEATS + 2][kind]
        s.queue[kind] = s.kept_line[15 + kind]
    for letter in range(SETS):
        s.use[letter] = s.kept_sets[0][letter]
        s.owner[letter] = s.kept_sets[1][letter]
        s.pays[letter] = s.kept_sets[2][letter]
        s.gets[letter] = s.kept_sets[3][letter]
        s.paid[letter] = s.kept_sets[4][letter]
        s.got[letter] = s.kept_sets[5][letter]
        s.loan[letter] = s.kept_sets[6][letter]
    s.phase = s.kept_line[0]
    s.turn = s.kept_line[1]
    s.turns = s.kept_line[2]
    s.asking = s.kept_line[3]
    s.queued = s.kept_line[4]
    s.dividend = s.kept_line[5]
    s.step = s.kept_line[6]
    s.partner = s.kept_line[7]
    s.give = s.kept_line[8]
    s.get = s.kept_line[9]
    s.choices = s.kept_line[10]
    s.spotted = s.kept_line[11]
    s.offers = s.kept_line[12]
    s.bankrupt = s.kept_line[13]
    s.strongest = s.kept_line[14]
    s.unit = s.kept_line[22 + KINDS]


def retry(s):
    """The state before the move, ready for another one."""
    restore(s)
    s.step = START
    s.offers = 0  # so that the end of a turn need not forget the offers refused in it


def forget(s):
    """Empty the copy, so that the state is as it was before `keep`."""
    for kind in range(KINDS):
        for row in range(2 * SEATS):
            s.kept_money[row][kind] = 0
        for row in range(KINDS + SEATS + 3):
            s.kept_table[row][kind] = 0
    for letter in range(SETS):
        for row in range(7):
            s.kept_sets[row][letter] = 0
    for place in range(23 + KINDS):
        s.kept_line[place] = 0


def favourite(s, seat):
    """The tied currency of which the seat has most."""
    best = -1
    currency = NOBODY
    for kind in range(KINDS):
        if (s.choices >> kind) & 1:
            own = s.money[seat][kind] + 2 * BUCK * s.certs[seat][kind]
            if own > best:
                best = own
                currency = kind
    return currency


def run_down(s, params):
    """From here on everybody only resolves, until the match is over, or as far as the seat looks."""
    left = params.foresight
    while s.phase != OVER and left > 0:
        if s.phase == TURN:
            resolve(s)
            left -= 1
        else:
            kind = favourite(s, s.turn)
            s.choices = 0
            if s.phase == STRENGTHEN:
                strengthen(s, kind)
                spend_dividend(s)
            else:
                s.strongest = kind
                close(s)


def price(s, kind, target, halves):
    """An amount in parts of a buck of another currency."""
    place = s.scale[target][kind]
    if place == 0:
        return halves * (WHOLE // BUCK)
    if place > 0:
        return halves * WHOLE // s.rates[place - 1]
    return halves * s.rates[-place - 1] * (WHOLE // 4)


def result(s, seat, params):
    """What the end of a match leaves to a seat, less a part of what it leaves to the best of the others."""
    target = measure(s)
    mine = 0
    best = 0
    for other in range(s.players):
        total = 0
        for kind in range(KINDS):
            total += price(s, kind, target, s.money[other][kind])
            if params.foresight < ALL and s.phase != OVER:
                total += price(s, kind, target, BUCK * s.sale * s.certs[other][kind])
        if other == seat:
            mine = total
        elif other != s.bankrupt or not s.bankrupt_excluded:
            best = max(best, total)
    if s.bankrupt == seat:
        mine -= params.ruin * WHOLE
    elif s.bankrupt != NOBODY:
        mine += params.prey * WHOLE
    return 100 * mine - params.rival * best


def outcome(s, seat, params):
    """The worth of the position after a move; the move is taken back."""
    run_down(s, params)
    value = result(s, seat, params)
    retry(s)
    return value


# --- the turn -----------------------------------------------------------------------------------------------------------


def turn(s, seat, note, params):
    """The best of the moves that come into question, or the next step of it."""
    step = s.kept_line[6]
    s.partner = NOBODY
    run_down(s, params)
    ruined = s.bankrupt == seat
    target = measure(s)
    for kind in range(KINDS):
        s.kept_line[22 + kind] = price(s, kind, target, BUCK)
    base = result(s, seat, params)
    retry(s)
    best = NEVER
    if step == START:
        ending = ends(s, seat, note, params)
        because_resolving(s, seat, note)
        if ending > 0:
            because(note, WHY_RESOLVE_WINS, NOBODY, NOBODY, 0, NOBODY, 0)
            return RESOLVE
        if ending == 0:
            best = base + 100 * params.least
            if params.chase > 0 and quarry(s, seat):
                best += 100 * params.chase
                because(note, WHY_RESOLVE_CHASE, NOBODY, NOBODY, 0, s.owner[s.queue[0]], 0)
    if step == START or step == ALSO:
        best = try_investing(s, seat, base, best, note, params)
    if step == START or step == NUMBER:
        best = try_divesting(s, seat, base, best, note, params)
    if step == START or step == RECEIVE or step == SIZE:
        best = try_contracts(s, seat, base, best, ruined, note, params)
    if (step == START and ruined and may_offer_now(s)) or step == GIVE or step == GET or step == UNIT:
        best = try_spot(s, seat, base, best, note, params)
    return next_step(s, seat, step, note)


def may_offer_now(s):
    """There may be a spot offer, with the count of those refused."""
    s.offers = s.kept_line[12]
    may = may_offer(s)
    s.offers = 0
    return may


def quarry(s, seat):
    """Whether the front item is somebody else's loan, or a contract that he cannot pay."""
    front = s.queue[0]
    if front == STACK or s.owner[front] == seat:
        return False
    return s.use[front] == LENT or s.money[s.owner[front]][s.pays[front]] < s.paid[front]


def ends(s, seat, note, params):
    """What resolving the front item comes to: 1 the seat wins at once, −1 the match ends otherwise, 0 it goes on."""
    resolve(s)
    ending = 0
    if s.phase == OVER or s.phase == STRONGEST:
        run_down(s, params)
        ending = 1 if winners(s, note) == 1 << seat else -1
    retry(s)
    return ending


def because_resolving(s, seat, note):
    """Note why the seat resolves."""
    front = s.queue[0]
    if front == STACK:
        papers = 0
        for kind in range(KINDS):
            papers += s.certs[seat][kind]
        because(note, WHY_RESOLVE_DIVIDEND if papers > 0 else WHY_RESOLVE, NOBODY, NOBODY, papers, NOBODY, 0)
    else:
        because(note, WHY_RESOLVE, NOBODY, NOBODY, 0, s.owner[front], 0)


def next_step(s, seat, step, note):
    """The action id that comes next in the move that the note describes."""
    code = note[0]
    if code == WHY_INVEST or code == WHY_INVEST_TWO:
        if step == START:
            return INVEST + note[1]
        return DONE if code == WHY_INVEST else CURRENCY + note[2]
    if code == WHY_DIVEST:
        return DIVEST + note[1] if step == START else COUNT + note[3]
    if code == WHY_CONTRACT or code == WHY_COVER:
        if step == START:
            return CONTRACT + note[1]
        return CURRENCY + note[2] if step == RECEIVE else COUNT + note[3]
    if code == WHY_SPOT:
        if step == START:
            return SPOT + (note[4] - seat + s.players) % s.players - 1
        return CURRENCY + (note[1] if step == GIVE else note[2] if step == GET else note[3])
    return RESOLVE


def begun(chosen, kind):
    """Whether a part of a move that has been said, if any, is this currency."""
    return chosen == NOBODY or chosen == kind


def try_investing(s, seat, base, best, note, params):
    """One certificate; then the best one together with each other."""
    chosen = s.kept_line[8]
    first = NOBODY
    most = NEVER
    for kind in range(KINDS):
        if begun(chosen, kind) and can_buy(s, seat, kind):
            invest(s, seat, kind)
            end_turn(s)
            value = outcome(s, seat, params) + 100 * params.papers
            if value > most:
                most = value
                first = kind
    if first == NOBODY:
        return best
    if most > best:
        best = most
        because(note, WHY_INVEST, first, NOBODY, 1, NOBODY, (most - base) // 100)
    for kind in range(KINDS):
        if kind != first and can_buy(s, seat, kind):
            invest(s, seat, first)
            invest(s, seat, kind)
            end_turn(s)
            value = outcome(s, seat, params) + 200 * params.papers
            if value > best:
                best = value
                because(note, WHY_INVEST_TWO, first, kind, 2, NOBODY, (value - base) // 100)
    return best


def sell(s, seat, kind, number):
    """Sell certificates, and nobody else does."""
    s.certs[seat][kind] -= number
    s.held[kind] -= number
    s.money[seat][kind] += BUCK * s.sale * number
    for _ in range(number):
        weaken(s, kind)
    end_turn(s)


def try_divesting(s, seat, base, best, note, params):
    """One certificate of a currency, or all."""
    first = s.kept_line[8]
    for kind in range(KINDS):
        own = s.certs[seat][kind]
        if own > 0 and begun(first, kind):
            for number in range(1, own + 1, max(1, own - 1)):
                sell(s, seat, kind, number)
                value = outcome(s, seat, params)
                if value > best:
                    best = value
                    because(note, WHY_DIVEST, kind, NOBODY, number, NOBODY, (value - base) // 100)
    return best


def promise(s, pay, receive):
    """What a contract of the largest size would bring at the rates that resolving ends with."""
    got = worth(s, receive, pay, s.contract_size) * s.kept_line[22 + receive]
    return got - worth(s, pay, receive, s.contract_size) * s.kept_line[22 + pay]


def try_contracts(s, seat, base, best, ruined, note, params):
    """The directions that promise most, for some sizes; if a contract has been begun otherwise, the best that fits."""
    if free_set(s) == NOBODY:
        return best
    fits = 0
    promised = 1 << 40
    way = NOBODY
    for _ in range(params.directions):
        way = next_way(s, promised, way, False)
        if way == NOBODY:
            break
        promised = promise(s, way // KINDS, way % KINDS)
        if begun(s.kept_line[8], way // KINDS) and begun(s.kept_line[9], way % KINDS):
            fits += 1
            best = try_direction(s, seat, way, base, best, ruined, note, params)
    if fits == 0:
        best = try_direction(s, seat, next_way(s, 1 << 40, NOBODY, True), base, best, ruined, note, params)
    return best


def next_way(s, promised, last, fitting):
    """The direction that promises most after the last one: 7 · currency to pay + currency to receive."""
    most = NEVER
    way = NOBODY
    for pay in range(s.currencies):
        for receive in range(s.currencies):
            if pay != receive and (not fitting or (begun(s.kept_line[8], pay) and begun(s.kept_line[9], receive))):
                value = promise(s, pay, receive)
                place = pay * KINDS + receive
                if value > most and (value < promised or (value == promised and place > last)):
                    most = value
                    way = place
    return way


def try_direction(s, seat, way, base, best, ruined, note, params):
    """Contracts of one direction, from the largest size down by halves."""
    pay = way // KINDS
    receive = way % KINDS
    size = s.contract_size
    while size > 0:
        contract(s, seat, pay, receive, size)
        run_down(s, params)
        saved = ruined and s.bankrupt != seat
        value = result(s, seat, params)
        retry(s)
        if not saved:
            value += 100 * params.contracts
        if value > best:
            best = value
            because(note, WHY_COVER if saved else WHY_CONTRACT, pay, receive, size, NOBODY, (value - base) // 100)
        size //= 2
    return best


def try_spot(s, seat, base, best, note, params):
    """A swap that keeps the seat from bankruptcy, or the rest of an offer that has been begun."""
    partner = s.kept_line[7]
    other = seat
    for _ in range(1, s.players):
        other = left_of(s, other)
        if not begun(partner, other):
            continue
        for give in range(KINDS):
            for get in range(KINDS):
                if not begun(s.kept_line[8], give) or not begun(s.kept_line[9], get) or give == get:
                    continue
                unit = stronger(s, give, get)
                for _ in range(1 + either(s, give, get)):
                    if spot_open(s, seat, other, give, get, unit):
                        swap(s, other, give, get, unit)
                        run_down(s, params)
                        saved = s.bankrupt != seat
                        value = result(s, seat, params)
                        retry(s)
                        if value > best and (saved or partner != NOBODY):
                            best = value
                            because(note, WHY_SPOT, give, get, unit, other, (value - base) // 100)
                    unit = give + get - unit
    return best


def swap(s, other, give, get, unit):
    """A spot transaction of the player to move, agreed."""
    s.partner = other
    s.give = give
    s.get = get
    s.unit = unit
    answer(s, True)


# --- answers ------------------------------------------------------------------------------------------------------------


def replies(s, seat, note, params):
    """Agree to a spot offer if it pays."""
    give = s.give
    get = s.get
    s.phase = TURN
    base = outcome(s, seat, params)
    answer(s, True)
    value = outcome(s, seat, params)
    if value > base:
        because(note, WHY_AGREE, get, give, 1, s.turn, (value - base) // 100)
        return AGREE
    because(note, WHY_REFUSE, get, give, 1, s.turn, (base - value) // 100)
    return REFUSE


def follows(s, seat, note, params):
    """Sell some of the same certificates too, or keep them."""
    kind = s.give
    sell(s, seat, kind, 0)
    base = outcome(s, seat, params)
    best = base
    chosen = 0
    for number in range(1, s.certs[seat][kind] + 1):
        sell(s, seat, kind, number)
        value = outcome(s, seat, params)
        if value > best:
            best = value
            chosen = number
    code = WHY_SELL_TOO if chosen > 0 else WHY_KEEP
    because(note, code, kind, NOBODY, chosen, s.turn, (best - base) // 100)
    return COUNT + chosen


def strengthens(s, seat, note, params):
    """The currency that leaves most in the end."""
    best = NEVER
    chosen = 0
    for kind in range(KINDS):
        if (s.choices >> kind) & 1:
            s.choices = 0
            strengthen(s, kind)
            spend_dividend(s)
            value = outcome(s, seat, params)
            if value > best:
                best = value
                chosen = kind
    because(note, WHY_STRENGTHEN, chosen, NOBODY, 0, NOBODY, 0)
    return CURRENCY + chosen


def names_strongest(s, seat, note, params):
    """The currency in which the seat does best."""
    best = NEVER
    chosen = 0
    for kind in range(KINDS):
        if (s.choices >> kind) & 1:
            s.strongest = kind
            value = result(s, seat, params)
            retry(s)
            if value > best:
                best = value
                chosen = kind
    because(note, WHY_STRONGEST, chosen, NOBODY, 0, NOBODY, 0)
    return CURRENCY + chosen
