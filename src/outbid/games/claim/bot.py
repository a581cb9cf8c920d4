"""The steady player: Claim's own judgement, from what one seat may know (rules/claim.md §6).

Prospects. `prospect` is a seat's chance to win, in thousandths, by the money it needs and the numbers it has not yet: a
stack of 4s is worth 8 when it is full, one of 1s only 5. A position is worth the own prospect less the others', and less
what each opponent may gain in his next turn: a stack he may claim, or one he completes, as likely as he holds the bill
(`likely`: he has shown it, cannot have it, or has it by chance).

Plans. The end of a turn is a claim or none, and a push of what is full, before or after it. The steady player tries all such
plans for all bills it can play, by changing the state and changing it back, and judges the position at the end of each. It
plans the same way at every step of the turn, so that its steps fit together.

Icons, purchases and refusable pushes are judged by the position after them; a product is bought with a stack that is not
worth much. It makes no offers.

`play(s, seat, seed, note, params)` gets a state that has passed through `hide(s, seat)`, and is told how to play
(personas.py has others than the usual ones); `steady` is `play` with the usual parameters. `note` receives a reason code
and its numbers (reasons.py makes the sentence). Compiled subset.
"""

from outbid.core.hooks.policy_params import PolicyParams
from outbid.games.claim.hidden import knows
from outbid.games.claim.icons import auditable, callable_stacks, deferrable, in_game, next_seats, onto
from outbid.games.claim.rules import barred, can_forge, following, forgeries, lowest_place, ons, playable
from outbid.games.claim.shop import (
    askable, buyable, can_give, first_nameable, lawful, named_bills, paid, partners, payable, price_worth,
)  # fmt: skip
from outbid.games.claim.stacks import (
    able, claimable, code_of, counts, distance, find, full_at, goal_of, holds, icon_of, kind_of, multi_places, over_full,
    pushable, reaches, row_value, slow_down, taken_value, targets,
)  # fmt: skip
from outbid.games.claim.state import (
    ACCEPT, AGAIN, ANSWERING, AS_NEXT, AUDIT, BUY, CALL, CALLED_NEXT, CALL_IN, CLAIM, CLAIMED, CLOSED, CODE, COIN,
    DEFERRED_NEXT, DONE, DRAWN_NEXT, END, FAST_TRACK, FOR, FORECASTING, GIVE_NEXT, GIVING, HOW_NEXT, ICON, KINDS,
    LOCK_NEXT, LOW, MERGER, MULTI, NEW, NOBODY, NOTHING, NUMBER_NEXT, ONE, ON_NEXT, PARTNER_NEXT, PAY_NEXT, PINCHER,
    PLACE, PLACES, PLAY, PLAYING, PRINT, PRINT_NEXT, PURCHASE, PUSH, REFUND, REFUSE, REFUSING, SEAT,
    SELLER_NEXT, SHELF, SHOWS, SKIP, STACK_NEXT, TAKE, TO_NEXT, UNDER, USE, U_TURN, VAULT, WILD, WILD_TWO, WINDOW,
    WRITE_OFF, ZERO,
)  # fmt: skip

# --- what the steady player believes ----------------------------------------------------------------------------------
# Tuned in some ten million matches for 2 to 6 players, against random players and against itself with other numbers.

ONE_WAY = 147  # the stack of one more number, when it is full, reaches the goal
TWO_WAYS = 250
MORE_WAYS = 300
CLOSE = 140  # 4 are enough, so a claim may do …
NEAR = 188  # … or 2
FAR_OFF = 112  # no single stack reaches the goal; …
SINKING = 20  # … less for each that is missing
TICKET = 142  # who may still take a stack
ZEROS = 12  # a 0-bill, times how many there are
WORTH_BUYING = (1, 4, 3, 5, 6, 7, 2, 8, 9, 10, 11, 12)  # products by wish: the smaller, the sooner

USUAL = PolicyParams(
    others=503,  # part of the others' prospects, shared between them, that counts as one's own loss
    fear=42,  # part of what an opponent may gain next …
    later=4,  # … less for each who comes before him
    hope=27,  # part of what one may gain next oneself
    cheap=4,  # a stack worth so much may pay for a product
    icon_gain=25,  # a lock must promise this much
    eager=0,  # so much more than it promises is a claim worth, …
    fat=0,  # … so much for each dollar of its stack …
    spite=0,  # … and so much a push to somebody else
)

# --- reasons (reasons.py) ---------------------------------------------------------------------------------------------

(WHY_NOTHING, WHY_PLAY, WHY_PLAY_FULL, WHY_PLAY_WIN, WHY_CLAIM, WHY_CLAIM_WIN, WHY_PUSH, WHY_PUSH_SELF, WHY_PUSH_WIN,
 WHY_END, WHY_USE, WHY_SKIP, WHY_GIVE, WHY_BUY, WHY_PURCHASE, WHY_TAKE, WHY_REFUSE, WHY_ACCEPT, WHY_DECLINE,
 WHY_FORECAST) = range(20)


def because(note, code, place, other, value, left, gain):
    """The reason: code, a number (a place), a seat (−1: none), a stack's value, money to the goal, the judgement."""
    note[0] = code
    note[1] = place - LOW
    note[2] = other
    note[3] = value
    note[4] = left
    note[5] = gain


def steady(s, seat, seed, note):
    """The next action of an asked seat."""
    return play(s, seat, seed, note, USUAL)


def play(s, seat, seed, note, params):
    """The next action of an asked seat, by any policy parameters."""
    because(note, WHY_NOTHING, LOW, NOBODY, 0, 0, 0)
    if s.phase == PLAYING:
        return plays(s, seat, note, params)
    if s.phase == WINDOW:
        return window(s, seat, note, params)
    if s.phase == ICON:
        return icon(s, seat, note, params)
    if s.phase == REFUSING:
        return insured(s, seat, note, params)
    if s.phase == AGAIN:
        to = best_target(s, seat, s.pushed, targets(s, s.pushed) & ~(1 << s.whom), params)
        because(note, WHY_PUSH, s.pushed, to, taken_value(s, s.pushed), 0, 0)
        return SEAT + distance(s, seat, to)
    if s.phase == ANSWERING:
        return answers(s, seat, note)
    if s.phase == FORECASTING:
        return forecasts(s, seat, note)
    return gifts(s, seat, note)


# --- prospects --------------------------------------------------------------------------------------------------------


def prospect(s, seat, more):
    """A seat's chance to win, in thousandths, by its money with `more` beside it and the numbers it may still take."""
    left = goal_of(s, seat) - s.money[seat] - more
    if left <= 0:
        return 1000
    ways = 0
    beyond = left - s.full_threshold
    for number in range(max(1, beyond + 1), s.numbers + 1):  # a full stack of a lower one cannot be worth so much
        worth = max(number, s.full_threshold)
        if beyond > 0 and number < s.full_threshold:
            worth = (s.full_threshold + number - 1) // number * number
        ways += worth >= left and (not s.diversity_a or not (s.owns[seat] >> LOW + number) & 1)
    points = ONE_WAY if ways == 1 else TWO_WAYS if ways == 2 else MORE_WAYS
    if ways == 0:
        points = FAR_OFF - SINKING * max(-10, min(20, left - 10))
    elif left <= 2:
        points += NEAR
    elif left <= 4:
        points += CLOSE
    if s.zero_risk and s.zero_goal <= 20:
        zeros = min(20, s.zero_bills[seat])
        points += ZEROS * zeros * zeros // s.zero_goal
    return points


def likely(s, seat, other, kind):
    """How likely, per cent, a seat thinks that another holds a bill of a kind."""
    if s.hands[other][kind] > 0:
        return 100
    if knows(s, seat, other) or (s.lacks[other] >> kind) & 1:
        return 0
    covered = s.size[other]
    for k in range(KINDS):
        covered -= s.open[other][k]
    unknown = s.aside
    left = s.unseen[kind]
    for third in range(s.players):
        if knows(s, seat, third):
            left -= s.hands[third][kind] - s.open[third][kind]
        else:
            unknown += s.size[third]
            for k in range(KINDS):
                unknown -= s.open[third][k]
    without = 1000
    for _ in range(left):
        without = without * (unknown - covered) // max(1, unknown)
    return (1000 - without) // 10


def fits(s, seat, place):
    """Whether a seat may own one more stack of a number."""
    return (place == ZERO or not s.diversity_a or not (s.owns[seat] >> place) & 1) and counts(s, seat, place) > 0


def best_gain(s, seat, other):
    """What `other` may gain in his next turn, as `seat` sees it: a claim, or a stack he completes or starts full."""
    if not (s.may >> other) & 1:
        return 0
    now = prospect(s, other, 0)
    best = 0
    for place in range(PLACES):
        if (s.closed >> place) & 1 or not fits(s, other, place):
            continue
        number = place - LOW
        value = 0
        if (s.stacks >> place) & 1:
            value = s.value[place]
            best = max(best, prospect(s, other, taken_value(s, place) + s.coins_on[place]) - now)
        if value + number >= s.full_threshold and not (s.frozen >> place) & 1:
            more = prospect(s, other, value + number) - now
            if more > best:
                best = max(best, more * likely(s, seat, other, place) // 100)
    return best


def judge(s, seat, params):
    """How good the position is for a seat whose turn ends."""
    total = prospect(s, seat, 0)
    if reaches(s, seat):
        return 5000
    if (s.may >> seat) & 1:
        total += TICKET
    share = 0
    for other in range(s.players):
        if other != seat:
            if reaches(s, other):
                return -5000
            share += prospect(s, other, 0)
            if (s.may >> other) & 1:
                share += TICKET
    total -= share * params.others // 100 // max(1, s.players - 1)
    other = following(s)
    fear = params.fear
    for _ in range(s.players):
        if other != seat:
            total -= best_gain(s, seat, other) * max(0, fear) // 100
            fear -= params.later
        other += s.direction
        if other < 0:
            other = s.players - 1
        elif other >= s.players:
            other = 0
    return total + best_gain(s, seat, seat) * params.hope // 100


# --- trying things out ------------------------------------------------------------------------------------------------


def takes(s, seat, place):
    """Let a seat take a stack, in thought; returns what `returns` needs to undo it."""
    undo = (s.full << 1) | ((s.owns[seat] >> place) & 1)
    gone = ~(1 << place)
    s.stacks &= gone
    s.full &= gone
    s.count[seat] += 1
    s.money[seat] += taken_value(s, place) * counts(s, seat, place) + s.coins_on[place]
    s.owns[seat] |= 1 << place
    s.owners[place] |= 1 << seat
    slow_down(s)
    return undo


def returns(s, seat, place, undo):
    """Undo what `takes` did to the state."""
    s.stacks |= 1 << place
    s.full = undo >> 1
    s.count[seat] -= 1
    s.money[seat] -= taken_value(s, place) * counts(s, seat, place) + s.coins_on[place]
    if not undo & 1:
        s.owns[seat] &= ~(1 << place)
        s.owners[place] &= ~(1 << seat)
    slow_down(s)


def after_taking(s, seat, other, place, params):
    """The judgement after `other` has taken a stack."""
    undo = takes(s, other, place)
    points = judge(s, seat, params)
    returns(s, other, place, undo)
    return points


def best_target(s, seat, place, mask, params):
    """To whom a stack is pushed best."""
    best = NOBODY
    most = 0
    for other in range(s.players):
        if (mask >> other) & 1:
            points = after_taking(s, seat, other, place, params)
            if best == NOBODY or points > most:
                most = points
                best = other
    return best


def best_plan(s, seat, params):
    """The best end of the turn: its judgement, the first thing to do (END, CLAIM or PUSH), the stack, to whom."""
    full = pushable(s)
    claims = 0
    if s.done & CLAIMED == 0:
        claims = claimable(s, seat)
    most = -100000
    do = END
    stack = 0
    to = NOBODY
    if full == 0:
        most = judge(s, seat, params)
    for place in range(PLACES):
        if (claims >> place) & 1:
            undo = takes(s, seat, place)
            points = 5000
            if not reaches(s, seat):
                points = after_pushes(s, seat, params) if full != 0 else judge(s, seat, params)
                points += params.eager + params.fat * s.value[place]
            returns(s, seat, place, undo)
            if points > most:
                most = points
                do = CLAIM
                stack = place
    if full != 0:
        first = lowest_place(full)
        mask = targets(s, first)
        for other in range(s.players):
            if (mask >> other) & 1:
                undo = takes(s, other, first)
                points = judge(s, seat, params)
                if s.done & CLAIMED == 0 and points > -5000 and points < 5000:
                    points = max(points, after_claims(s, seat, params))
                returns(s, other, first, undo)
                if other != seat:
                    points += params.spite
                if points > most:
                    most = points
                    do = PUSH
                    stack = first
                    to = other
    return most, do, stack, to


def after_pushes(s, seat, params):
    """The judgement after the best push of the lowest full stack; if nobody can take it, without one."""
    full = pushable(s)
    if full == 0:
        return judge(s, seat, params)
    first = lowest_place(full)
    return after_taking(s, seat, best_target(s, seat, first, targets(s, first), params), first, params)


def after_claims(s, seat, params):
    """The judgement after the best claim."""
    most = -100000
    claims = claimable(s, seat)
    for place in range(PLACES):
        if (claims >> place) & 1:
            most = max(most, after_taking(s, seat, seat, place, params))
    return most


def after_landing(s, seat, kind, place, on, params):
    """The judgement of the best end of the turn after a bill of this kind has landed on a stack as a number."""
    stacks = s.stacks
    full = s.full
    played = s.played
    value = s.value[place]
    turned = s.value[on]
    top = s.top[place]
    coins = s.coins_on[place]
    s.value[place] = turned + place - LOW
    s.top[place] = s.top[on]
    if kind == WILD and s.wild_worth == WILD_TWO:  # in a row it will be worth so much more
        s.coins_on[place] += WILD_TWO - place + LOW
    if on != place:
        s.stacks &= ~(1 << on)
        s.full &= ~(1 << on)
    s.stacks |= 1 << place
    s.played |= 1 << place
    if over_full(s, place) and not (s.closed >> place) & 1:
        s.full |= 1 << place
    s.hands[seat][kind] -= 1
    most = best_plan(s, seat, params)[0]
    s.hands[seat][kind] += 1
    s.coins_on[place] = coins
    s.top[place] = top
    s.value[place] = value
    s.value[on] = turned
    s.stacks = stacks
    s.full = full
    s.played = played
    return most


# --- playing a bill ---------------------------------------------------------------------------------------------------


def best_as(s, seat, kind, frozen, params):
    """The best number for a bill that may be played as several: its judgement and the place."""
    mask = multi_places(kind) if kind >= MULTI else 1 << kind
    if kind < WILD and can_forge(s, seat, kind):
        mask = forgeries(s, kind)
    most = -200000
    best = 0
    for place in range(PLACES):
        if (mask >> place) & 1:
            points = -200000
            if kind >= MULTI:
                points = best_on(s, seat, kind, place, frozen, params)[0]
            elif not (frozen >> place) & 1:
                points = after_landing(s, seat, kind, place, place, params)
            if points > most:
                most = points
                best = place
    return most, best


def best_on(s, seat, kind, place, frozen, params):
    """The best stack for a wild bill or an upright multinumber: its judgement and the place (PLACES: a new stack)."""
    mask = s.stacks & ~frozen if kind == WILD else ons(s, kind, place, frozen)
    most = -200000
    best = 0
    for on in range(PLACES + 1):
        if (mask >> on) & 1:
            at = place if on == PLACES else on
            points = after_landing(s, seat, kind, at if kind == WILD else place, at, params)
            if points > most:
                most = points
                best = on
    return most, best


def plays(s, seat, note, params):
    """The bill with the best end of the turn."""
    frozen = barred(s, seat)
    if s.step == PRINT_NEXT:
        return some_print(s, seat)
    if s.step == AS_NEXT:
        points, place = best_as(s, seat, kind_of(s.bill), frozen, params)
        says_play(s, seat, note, place, points)
        return PLACE + place
    if s.step == ON_NEXT:
        points, on = best_on(s, seat, s.bill, s.upright, frozen, params)
        says_play(s, seat, note, s.upright if s.bill != WILD else on, points)
        return NEW if on == PLACES else PLACE + on
    able_now = playable(s, seat, frozen)
    most = -200000
    action = SKIP
    number = LOW
    if s.plays > 0:
        most = judge(s, seat, params)
    for kind in range(KINDS):
        if s.hands[seat][kind] > 0 and (able_now >> kind) & 1:
            place = kind
            if kind == WILD:
                points, place = best_on(s, seat, kind, NOBODY, frozen, params)
            else:
                points, place = best_as(s, seat, kind, frozen, params)
            if points > most:
                most = points
                action = PLAY + kind
                number = place
    if action != SKIP:
        says_play(s, seat, note, number, most)
    return action


def says_play(s, seat, note, place, points):
    """Why a bill is played."""
    left = goal_of(s, seat) - s.money[seat]
    code = WHY_PLAY
    value = 0
    if place >= 0 and place < PLACES:
        value = s.value[place] + place - LOW
        if full_at(s, place, value):
            code = WHY_PLAY_FULL
    else:
        place = LOW
    if points >= 5000:
        code = WHY_PLAY_WIN
    because(note, code, place, NOBODY, value, left, points)


def some_print(s, seat):
    """Which of the bills of a number: one with an icon rather than without."""
    for which in range(8, 0, -1):
        if holds(s, seat, code_of(s.bill, which)):
            return PRINT + which
    return PRINT


# --- the window -------------------------------------------------------------------------------------------------------


def window(s, seat, note, params):
    """Claim, push, shop or end, by the best plan."""
    if s.step == TO_NEXT:
        to = best_target(s, seat, s.chosen, targets(s, s.chosen), params)
        because(note, WHY_PUSH, s.chosen, to, taken_value(s, s.chosen), 0, 0)
        return PUSH + distance(s, seat, to)
    if s.step != NOTHING:
        return shop_step(s, seat, note, params)
    points, do, place, to = best_plan(s, seat, params)
    left = goal_of(s, seat) - s.money[seat]
    if s.shopping_spree and s.done & CLAIMED == 0 and points < 5000:
        action = goes_shopping(s, seat, note, points, params)
        if action != NOBODY:
            return action
    value = taken_value(s, place)
    if do == CLAIM:
        because(note, WHY_CLAIM_WIN if value >= left else WHY_CLAIM, place, NOBODY, value, left, points)
        return CLAIM + place
    if do == PUSH:
        code = WHY_PUSH
        if to == seat:
            code = WHY_PUSH_WIN if value >= left else WHY_PUSH_SELF
        because(note, code, place, to, value, left, points)
        return PUSH + distance(s, seat, to)
    because(note, WHY_END, LOW, NOBODY, 0, left, points)
    return END


def after_purchase(s, seat, other, place, params):
    """The judgement after a purchase from another's row, the bill left out."""
    worth = row_value(s, find(s, other, place))
    own = worth * counts(s, seat, place)
    his = worth * counts(s, other, place)
    s.money[seat] += own
    s.money[other] -= his
    s.count[seat] += 1
    s.count[other] -= 1
    slow_down(s)
    points = judge(s, seat, params)
    s.money[seat] -= own
    s.money[other] += his
    s.count[seat] -= 1
    s.count[other] += 1
    slow_down(s)
    return points


def best_purchase(s, seat, only, params):
    """The best purchase, from a seat or from anybody: its judgement, the seller, the stack."""
    most = -100000
    seller = NOBODY
    stack = 0
    for other in range(s.players):
        if other == seat or (only != NOBODY and other != only):
            continue
        mask = buyable(s, seat, other)
        for place in range(PLACES):
            if (mask >> place) & 1:
                points = after_purchase(s, seat, other, place, params)
                if points > most:
                    most = points
                    seller = other
                    stack = place
    return most, seller, stack


def goes_shopping(s, seat, note, points, params):
    """A purchase that is better than the best plan, or a product for a cheap stack; −1 for neither."""
    most, seller, stack = best_purchase(s, seat, NOBODY, params)
    if seller != NOBODY and most > points:
        because(note, WHY_PURCHASE, stack, seller, row_value(s, find(s, seller, stack)), 0, most)
        return PURCHASE
    if pushable(s) != 0:
        return NOBODY
    best = NOBODY
    for slot in range(min(SHELF, s.in_store)):
        product = s.products[slot]
        if cheapest(s, seat, s.prices[product], params) != NOBODY:
            if best == NOBODY or WORTH_BUYING[product] < WORTH_BUYING[best]:
                best = product
    if best == NOBODY or (best == PINCHER and s.money[seat] > params.cheap):
        return NOBODY
    because(note, WHY_BUY, LOW + best, NOBODY, s.prices[best], 0, 0)
    return BUY + best


def cheapest(s, seat, price, params):
    """The place of the cheapest stack that pays a price alone and is not worth much, or −1."""
    best = NOBODY
    for place in range(PLACES):
        if (s.owns[seat] >> place) & 1:
            worth = price_worth(s, seat, place)
            if worth >= price and worth > 0 and worth <= params.cheap:
                if best == NOBODY or worth < price_worth(s, seat, best):
                    best = place
    return best


def shop_step(s, seat, note, params):
    """The next step of shopping, also of what somebody else has begun."""
    if s.step == PAY_NEXT:
        return pays(s, seat, params)
    if s.step == SELLER_NEXT:
        return SEAT + distance(s, seat, best_purchase(s, seat, NOBODY, params)[1])
    if s.step == STACK_NEXT:
        points, _, stack = best_purchase(s, seat, s.other, params)
        because(note, WHY_PURCHASE, stack, s.other, row_value(s, find(s, s.other, stack)), 0, points)
        return PLACE + stack
    if s.step == PRINT_NEXT:
        for which in range(9):
            if can_give(s, seat, code_of(s.bill, which)):
                return PRINT + which
    if s.step == PARTNER_NEXT:
        return SEAT + distance(s, seat, lowest_place(partners(s, seat)))
    if s.bill != NOBODY:
        return PRINT + first_nameable(s, seat, s.bill)
    if s.step == GIVE_NEXT:
        return FOR
    return wants(s, seat)


def wants(s, seat):
    """Something to want in an offer that somebody else has begun."""
    if named_bills(s, 0) + named_bills(s, 1) + s.coins_named[0] + s.coins_named[1] > 0:
        return DONE
    if s.stacks_named[0] | s.stacks_named[1]:
        return DONE
    if askable(s, s.other) != 0:
        return PLACE + lowest_place(askable(s, s.other))
    if s.coins[s.other] > 0:
        return COIN
    for kind in range(KINDS):
        if first_nameable(s, seat, kind) != NOBODY:
            return PLAY + kind
    return DONE


def pays(s, seat, params):
    """The cheapest stack that reaches the price alone, else stacks from the lowest number up, then coins."""
    laid = paid(s, seat)
    price = s.prices[s.chosen]
    if laid >= price:
        return DONE
    if laid == 0 and s.last == NOBODY:
        place = cheapest(s, seat, price, params)
        if place != NOBODY:
            return PLACE + place
    coins = s.coins[seat] - s.coins_named[0]
    for place in range(s.last + 1, PLACES):
        if (s.owns[seat] >> place) & 1:
            worth = price_worth(s, seat, place)
            if worth > 0 and laid + worth + payable(s, seat, place) + coins >= price:
                return PLACE + place
    return COIN


# --- icons ------------------------------------------------------------------------------------------------------------


def icon(s, seat, note, params):
    """Use the icon if that looks better than not to."""
    because(note, WHY_USE, LOW + s.icon, NOBODY, 0, 0, 0)
    if s.step != NOTHING:
        return icon_step(s, seat, params)
    now = judge(s, seat, params)
    if s.icon == FAST_TRACK or s.icon == U_TURN:
        if s.icon == FAST_TRACK or s.players == 2:
            if (next_seats(s, seat) >> seat) & 1:
                return SEAT
    elif s.icon == VAULT:
        place = best_lock(s, seat, now + params.icon_gain, params)
        if place != NOBODY:
            return PLACE + place
    elif s.icon == AUDIT:
        place = wanted(s, seat)
        if place != NOBODY:
            other = holder(s, seat, place)
            if other != NOBODY:
                return SEAT + distance(s, seat, other)
    elif s.icon == REFUND:
        place = worst_stack(s, seat, now, params)
        if place != NOBODY:
            return PLACE + place
    elif s.icon == CALL_IN:
        if best_call(s, seat, params)[0] > now:
            return CALL
    elif s.icon != MERGER:
        return USE
    because(note, WHY_SKIP, LOW + s.icon, NOBODY, 0, 0, 0)
    return SKIP


def icon_step(s, seat, params):
    """The next step of using an icon, also of a use that somebody else has begun."""
    if s.step == LOCK_NEXT:
        return CLOSED
    if s.step == NUMBER_NEXT:
        place = wanted(s, seat)
        return PLACE + (place if place != NOBODY else ONE)
    if s.step == HOW_NEXT:
        return WRITE_OFF
    if s.step == DRAWN_NEXT:
        node = find(s, seat, s.chosen)
        if s.bill == NOBODY:
            return PLAY + kind_of(s.nodes[CODE + 4 * node])
        while kind_of(s.nodes[CODE + 4 * node]) != s.bill:
            node = s.nodes[UNDER + 4 * node]
        return PRINT + 1 + icon_of(s.nodes[CODE + 4 * node])
    if s.step == CALLED_NEXT:
        return PLACE + best_call(s, seat, params)[1]
    if s.step == TO_NEXT:
        return PUSH + distance(s, seat, best_target(s, seat, s.chosen, able(s, s.chosen), params))
    if s.step == DEFERRED_NEXT:
        return PLACE + lowest_place(deferrable(s))
    return PLACE + lowest_place(onto(s, s.chosen))


def best_lock(s, seat, least, params):
    """The stack to close, if that promises at least so much, or −1."""
    best = NOBODY
    closed = s.closed
    for place in range(PLACES):
        if (s.stacks >> place) & 1 and not (closed | s.full) >> place & 1:
            s.closed = closed | 1 << place
            points = judge(s, seat, params)
            if points >= least:
                least = points
                best = place
    s.closed = closed
    return best


def wanted(s, seat):
    """The number of a bill that would complete a stack one may take and does not hold, or −1."""
    best = NOBODY
    most = 0
    if (s.may >> seat) & 1:
        for place in range(ONE, PLACES):
            value = s.value[place] + place - LOW
            if (in_game(s) >> place) & 1 and value >= s.full_threshold and fits(s, seat, place):
                if s.hands[seat][place] == 0 and value > most:
                    most = value
                    best = place
    return best


def holder(s, seat, place):
    """The player who most likely holds a bill of a number, or −1."""
    best = NOBODY
    most = 0
    mask = auditable(s, seat)
    for other in range(s.players):
        if (mask >> other) & 1:
            chance = likely(s, seat, other, place)
            if chance > most:
                most = chance
                best = other
    return best


def worst_stack(s, seat, now, params):
    """The stack of the own row whose loss is a gain, or −1."""
    best = NOBODY
    for place in range(PLACES):
        if (s.owns[seat] >> place) & 1:
            worth = row_value(s, find(s, seat, place)) * counts(s, seat, place)
            s.money[seat] -= worth
            s.count[seat] -= 1
            slow_down(s)
            points = judge(s, seat, params)
            s.money[seat] += worth
            s.count[seat] += 1
            slow_down(s)
            if points > now:
                now = points
                best = place
    return best


def best_call(s, seat, params):
    """The best stack to call in: the judgement, the stack, to whom."""
    most = -100000
    best = 0
    to = NOBODY
    mask = callable_stacks(s)
    for place in range(PLACES):
        if (mask >> place) & 1:
            other = best_target(s, seat, place, able(s, place), params)
            points = after_taking(s, seat, other, place, params)
            if points > most:
                most = points
                best = place
                to = other
    return most, best, to


# --- what others ask --------------------------------------------------------------------------------------------------


def gifts(s, seat, note):
    """The bill one can best do without: of the number one holds most of."""
    if s.step == PRINT_NEXT:
        return some_print(s, seat)
    best = NOBODY
    for kind in range(KINDS):
        if s.hands[seat][kind] > 0 and (s.phase != GIVING or (SHOWS[s.number] >> kind) & 1):
            if best == NOBODY or s.hands[seat][kind] > s.hands[seat][best]:
                best = kind
    because(note, WHY_GIVE, LOW, s.actor if s.phase == GIVING else s.whom, 0, 0, 0)
    return PLAY + best


def insured(s, seat, note, params):
    """Take what is pushed, if that is better than that the best placed of the others takes it."""
    mine = after_taking(s, seat, seat, s.pushed, params)
    other = best_target(s, seat, s.pushed, targets(s, s.pushed) & ~(1 << seat), params)
    his = after_taking(s, seat, other, s.pushed, params)
    because(note, WHY_TAKE if mine >= his else WHY_REFUSE, s.pushed, s.actor, taken_value(s, s.pushed), 0, mine - his)
    return TAKE if mine >= his else REFUSE


def answers(s, seat, note):
    """Accept what brings money and does not bring the other to his goal."""
    gain = s.coins_named[0] - s.coins_named[1]
    for place in range(PLACES):
        if (s.stacks_named[0] >> place) & 1:
            gain += row_value(s, find(s, s.actor, place))
        if (s.stacks_named[1] >> place) & 1:
            gain -= row_value(s, find(s, seat, place))
    good = gain > 0 or (gain == 0 and named_bills(s, 0) > named_bills(s, 1))
    if good and s.money[s.actor] - gain < goal_of(s, s.actor) and lawful(s, s.actor, seat):
        because(note, WHY_ACCEPT, LOW, s.actor, gain, 0, 0)
        return ACCEPT
    because(note, WHY_DECLINE, LOW, s.actor, gain, 0, 0)
    return REFUSE


def forecasts(s, seat, note):
    """The number the next player most likely holds."""
    best = ONE
    most = 0
    other = following(s)
    mask = in_game(s)
    for place in range(PLACES):
        if (mask >> place) & 1:
            chance = likely(s, seat, other, place) * 100 + s.hands[other][place]
            if chance > most:
                most = chance
                best = place
    because(note, WHY_FORECAST, best, other, 0, 0, 0)
    return PLACE + best
