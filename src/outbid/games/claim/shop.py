"""Shopping Spree: products, purchases and deals (RULES.md section 9).

Compiled subset. The marks C1… are the rulings in RULES.md.
"""

from outbid.games.claim.icons import go_on, in_game
from outbid.games.claim.stacks import (
    at_distance, bits, check_win, code_of, counts, departs, discard, earns, enters, find, forget, given_of, has, has_icons,
    holds, joins, kind_of, leaves, legal_places, legal_seats, legal_which, only_code, place_of, plain_bills, plain_open,
    reveals, row_value, slow_down, spends, take, targets,
)  # fmt: skip
from outbid.games.claim.state import (
    ACCEPT, AGAIN, ANSWERING, BESIDE, BUY, CLAIMED, COIN, CODES, DONE, DRAWN, EXCHANGE, FOR, FORECAST, GET_NEXT,
    GIVE_NEXT, ICONS, KINDS, LOW, MULTI, NOBODY, NOTHING, NUMBERS, OFFER, OFFERED, OFFSHORE, ONE, PARTNER_NEXT, PAY_NEXT,
    PINCHER, PLACE, PLACES, PLAY, PRINT, PRINT_NEXT, PURCHASE, REFUSE, SEAT, SELLER_NEXT, SEVEN, SHELF, SKIP, STACK_NEXT,
    TAKE, WILD, WINDOW, ZERO, SECOND,
)  # fmt: skip

COINS_LAST = KINDS + PLACES  # the order in which an offer names things: bills by kind, stacks by number, coins


def legal_shop(s, seat, out, n):
    """Append what may be done instead of the voluntary claim (C28)."""
    if s.done & CLAIMED:
        return n
    purse = payable(s, seat, NOBODY) + s.coins[seat]
    for slot in range(min(SHELF, s.in_store)):
        out[n] = BUY + s.products[slot]
        n += purse >= s.prices[s.products[slot]]
    out[n] = PURCHASE
    n += sellers(s, seat) != 0
    out[n] = OFFER
    n += (s.done & OFFERED) == 0 and partners(s, seat) != 0
    return n


def legal_shop_step(s, seat, out):
    """The next step of shopping."""
    if s.step == PAY_NEXT:
        return legal_payment(s, seat, out)
    if s.step == SELLER_NEXT:
        return legal_seats(s, seat, sellers(s, seat), SEAT, out, 0)
    if s.step == STACK_NEXT:
        return legal_places(buyable(s, seat, s.other), PLACE, out, 0)
    if s.step == PRINT_NEXT:
        return legal_which(payable_prints(s, seat, s.bill), out)
    if s.step == PARTNER_NEXT:
        return legal_seats(s, seat, partners(s, seat), SEAT, out, 0)
    return legal_naming(s, seat, out)


def shop_step(s, seat, action):
    """One step of shopping."""
    if s.step == NOTHING:
        if action == PURCHASE:
            s.step = SELLER_NEXT
        elif action == OFFER:
            s.step = PARTNER_NEXT
        else:
            s.chosen = action - BUY
            s.step = PAY_NEXT
    elif s.step == PAY_NEXT:
        payment_step(s, seat, action)
    elif s.step == SELLER_NEXT:
        s.other = at_distance(s, seat, action - SEAT)
        s.step = STACK_NEXT
    elif s.step == STACK_NEXT:
        chooses_stack(s, seat, action - PLACE)
    elif s.step == PRINT_NEXT:
        purchases(s, seat, s.other, s.chosen, code_of(s.bill, action - PRINT))
    elif s.step == PARTNER_NEXT:
        s.other = at_distance(s, seat, action - SEAT)
        s.step = GIVE_NEXT
    else:
        naming_step(s, seat, action)


# --- products ---------------------------------------------------------------------------------------------------------


def price_worth(s, seat, place):
    """What a stack of the row pays; of a number held twice the one taken last. Zeros and negatives pay nothing."""
    return max(0, row_value(s, find(s, seat, place)))


def payable(s, seat, last):
    """What the stacks of the row after a place pay."""
    total = 0
    for place in range(last + 1, PLACES):
        if (s.owns[seat] >> place) & 1:
            total += price_worth(s, seat, place)
    return total


def paid(s, seat):
    """What has been laid so far."""
    total = s.coins_named[0]
    for place in range(PLACES):
        if (s.stacks_named[0] >> place) & 1:
            total += price_worth(s, seat, place)
    return total


def legal_payment(s, seat, out):
    """Stacks from the lowest number up, then coins, until the price is reached; more may be paid, without change (C29)."""
    laid = paid(s, seat)
    price = s.prices[s.chosen]
    coins = s.coins[seat] - s.coins_named[0]
    n = 0
    for place in range(s.last + 1, PLACES):
        if (s.owns[seat] >> place) & 1:
            worth = price_worth(s, seat, place)
            out[n] = PLACE + place
            n += worth > 0 and laid + worth + payable(s, seat, place) + coins >= price
    out[n] = COIN
    n += coins > 0 and laid + coins >= price
    out[n] = DONE
    n += laid >= price
    return n


def payment_step(s, seat, action):
    """A stack, a coin, or the end of a payment."""
    if action == COIN:
        s.coins_named[0] += 1
        s.last = PLACES
    elif action == DONE:
        buys(s, seat, s.chosen)
    else:
        s.stacks_named[0] |= 1 << action - PLACE
        s.last = action - PLACE


def buys(s, seat, product):
    """Paid stacks and coins leave the game; the product works at once and for good (C29)."""
    for place in range(PLACES):
        if (s.stacks_named[0] >> place) & 1:
            discard(s, departs(s, seat, place))
    earns(s, seat, -s.coins_named[0])
    forget(s)
    slow_down(s)
    s.done |= CLAIMED
    s.owned[seat] |= 1 << product
    slot = 0
    while s.products[slot] != product:
        slot += 1
    s.in_store -= 1
    for i in range(slot, s.in_store):
        s.products[i] = s.products[i + 1]
    s.products[s.in_store] = product
    if product == EXCHANGE:
        for i in range(DRAWN):
            joins(s, seat, s.reserve[i])  # C30
    elif product == PINCHER:
        recounts(s, seat)
    check_win(s, seat)


def recounts(s, seat):
    """The money of a seat, added up anew."""
    s.money[seat] = s.coins[seat]
    top = s.row[seat]
    while top > 0:
        s.money[seat] += row_value(s, top) * counts(s, seat, place_of(s, top))
        top = s.nodes[BESIDE + 4 * top]


# --- purchases for a bill of equal value ------------------------------------------------------------------------------


def can_give(s, seat, code):
    """1 if the hand holds this bill and it was not itself given in a purchase (C31)."""
    if not holds(s, seat, code):
        return 0
    if code >= ICONS:
        return 1 - ((s.icons_given[kind_of(code) - ONE] >> ((code - ICONS) & 7)) & 1)
    return 1 if plain_bills(s, seat, code) > given_of(s, seat, code) else 0


def payable_prints(s, seat, kind):
    """Mask of the prints of a kind in the hand that can be given."""
    prints = can_give(s, seat, kind)
    if has_icons(s, kind):
        prints |= (s.icons_held[seat][kind - ONE] & ~s.icons_given[kind - ONE]) << 1
    return prints


def lowest_after(s, taker, more, giver, fewer):
    """The lowest count if one seat had so many more stacks and another so many fewer."""
    lowest = s.count[taker] + more
    for seat in range(s.players):
        n = s.count[seat]
        if seat == taker:
            n += more
        elif seat == giver:
            n -= fewer
        lowest = min(lowest, n)
    return lowest


def buyable(s, seat, other):
    """Mask of the stacks of another's row that a seat can purchase with a bill of equal value (C31)."""
    if has(s, other, OFFSHORE) or s.count[seat] + 1 > lowest_after(s, seat, 1, other, 1) + s.slow_down_gap:
        return 0
    mask = 0
    for place in range(PLACES):
        if (s.owns[other] >> place) & 1 and counts(s, seat, place):
            worth = row_value(s, find(s, other, place))
            if place != ZERO and s.diversity_a and (s.owns[seat] >> place) & 1:
                worth = 0
            if worth >= 1 and worth <= SEVEN - LOW and payable_prints(s, seat, worth + LOW) != 0:
                mask |= 1 << place
    return mask


def sellers(s, seat):
    """Mask of the seats from whom something can be purchased."""
    mask = 0
    for other in range(s.players):
        if other != seat and buyable(s, seat, other) != 0:
            mask |= 1 << other
    return mask


def chooses_stack(s, seat, place):
    """The stack to purchase; which bill it costs is asked if the hand holds different ones."""
    kind = row_value(s, find(s, s.other, place)) + LOW
    code = only_code(payable_prints(s, seat, kind), kind)
    if code == NOBODY:
        s.chosen = place
        s.bill = kind
        s.step = PRINT_NEXT
    else:
        purchases(s, seat, s.other, place, code)


def purchases(s, seat, other, place, code):
    """A claim from another's row, paid with a bill that lies face up in his hand and buys nothing any more (C31)."""
    forget(s)
    s.done |= CLAIMED
    spends(s, seat, code)
    joins(s, other, code)
    if code >= ICONS:
        s.icons_given[kind_of(code) - ONE] |= 1 << ((code - ICONS) & 7)
    else:
        s.given[other][code - ONE] += 1
    top = departs(s, other, place)
    enters(s, seat, top, row_value(s, top))
    slow_down(s)
    if s.reveal:
        reveals(s, seat, place)
    check_win(s, seat)


# --- negotiated deals -------------------------------------------------------------------------------------------------


def partners(s, seat):
    """Mask of the other players who have anything."""
    mask = 0
    for other in range(s.players):
        if other != seat and (s.size[other] > 0 or s.coins[other] > 0 or askable(s, other) != 0):
            mask |= 1 << other
    return mask


def askable(s, seat):
    """Mask of the stacks another may ask a seat for: none of an Offshore Account (C34)."""
    if has(s, seat, OFFSHORE):
        return 0
    return s.owns[seat]


def exists(s, kind):
    """Whether the match has bills of a kind, those of the reserve included."""
    if kind < WILD:
        return (in_game(s) >> kind) & 1 != 0
    if kind == WILD:
        return s.wild_wagers != 0
    return s.bad_investment != 0 and SECOND[kind - MULTI] <= s.players + LOW


def printed(s, v):
    """Mask of the icons that the bills of the number v + 1 carry: at most as many as there are bills."""
    mask = s.icons[v]
    spare = bits(mask) - s.copies[v]
    for icon in range(7, -1, -1):
        if spare > 0 and (mask >> icon) & 1:
            mask &= ~(1 << icon)
            spare -= 1
    return mask


def named_bills(s, side):
    """How many bills a side of the offer names."""
    n = 0
    for kind in range(KINDS):
        n += s.named[side][kind]
    return n


def named_plain(s, side, kind):
    """How many bills of a kind without icon a side of the offer names."""
    n = s.named[side][kind]
    if has_icons(s, kind):
        n -= bits(s.icons_named[side][kind - ONE])
    return n


def nameable(s, seat, code):
    """Whether one more such bill can be named: given ones from the own hand, wanted ones as they may exist (C32)."""
    side = 1 if s.step == GET_NEXT else 0
    kind = kind_of(code)
    if code >= ICONS:
        bit = 1 << ((code - ICONS) & 7)
        if s.icons_named[side][kind - ONE] & bit:
            return False
        if side:
            return kind < ONE + s.numbers and (printed(s, kind - ONE) & bit) != 0
        return holds(s, seat, code) != 0
    if side:
        return exists(s, kind)
    return plain_bills(s, seat, kind) > named_plain(s, 0, kind)


def first_nameable(s, seat, kind):
    """The first print of a kind that can be named after the last one (0: without icon, 1 + icon), or −1."""
    first = 0
    if kind == s.last and s.upright > 0:
        first = s.upright
    for which in range(first, 9 if has_icons(s, kind) else 1):
        if nameable(s, seat, code_of(kind, which)):
            return which
    return NOBODY


def legal_naming(s, seat, out):
    """Name what is given, FOR, what is wanted, DONE: bills by kind, then stacks by number, then coins."""
    side = 1 if s.step == GET_NEXT else 0
    n = 0
    if s.bill != NOBODY:
        for which in range(first_nameable(s, seat, s.bill), 9):
            out[n] = PRINT + which
            n += nameable(s, seat, code_of(s.bill, which))
        return n
    holder = s.other if side else seat
    if not side or named_bills(s, 1) < s.size[holder]:
        for kind in range(max(s.last, 0), KINDS):
            out[n] = PLAY + kind
            n += first_nameable(s, seat, kind) != NOBODY
    stacks = askable(s, holder) if side else s.owns[seat]
    for place in range(PLACES):
        out[n] = PLACE + place
        n += ((stacks >> place) & 1) & (KINDS + place > s.last)
    out[n] = COIN
    n += s.coins_named[side] < s.coins[holder]
    if not side:
        out[n] = FOR
        return n + 1
    out[n] = DONE
    things = named_bills(s, 0) + named_bills(s, 1) + s.coins_named[0] + s.coins_named[1]
    n += things > 0 or (s.stacks_named[0] | s.stacks_named[1]) != 0
    return n


def naming_step(s, seat, action):
    """One step of an offer."""
    side = 1 if s.step == GET_NEXT else 0
    if s.bill != NOBODY:
        names(s, side, s.bill, action - PRINT)
    elif action == FOR:
        s.step = GET_NEXT
        s.last = NOBODY
        s.upright = NOBODY
    elif action == DONE:
        offers(s, seat)
    elif action == COIN:
        s.coins_named[side] += 1
        s.last = COINS_LAST
    elif action >= PLACE and action < PLACE + PLACES:
        s.stacks_named[side] |= 1 << action - PLACE
        s.last = KINDS + action - PLACE
    elif has_icons(s, action - PLAY):
        s.bill = action - PLAY
    else:
        names(s, side, action - PLAY, 0)


def names(s, side, kind, which):
    """Write down which bill the buyer has named."""
    s.named[side][kind] += 1
    if which > 0:
        s.icons_named[side][kind - ONE] |= 1 << which - 1
    s.last = kind
    s.upright = which
    s.bill = NOBODY


def offers(s, seat):
    """An offer is made; the bills that are given are shown to everybody (C14)."""
    for code in range(CODES):
        kind = kind_of(code)
        if code >= ICONS:
            bit = s.icons_named[0][kind - ONE] & (1 << ((code - ICONS) & 7))
            if bit != 0 and s.icons_open[seat][kind - ONE] & bit == 0:
                s.icons_open[seat][kind - ONE] |= bit
                s.icons_unseen[kind - ONE] &= ~bit
                s.open[seat][kind] += 1
                s.unseen[kind] -= 1
        else:
            covered = named_plain(s, 0, kind) - plain_open(s, seat, kind)
            if covered > 0:
                s.open[seat][kind] += covered
                s.unseen[kind] -= covered
    s.done |= OFFERED
    s.actor = seat
    s.whom = s.other
    s.asking = s.other
    s.step = NOTHING
    s.phase = ANSWERING


def lawful(s, maker, other):
    """Whether the offer can be accepted: the bills are there, no row holds a number twice, nobody is too far ahead (C32)."""
    for kind in range(KINDS):
        if plain_bills(s, other, kind) < named_plain(s, 1, kind):
            return False
    for v in range(NUMBERS):
        if s.icons_named[1][v] & ~s.icons_held[other][v]:
            return False
    more = bits(s.stacks_named[1]) - bits(s.stacks_named[0])
    lowest = lowest_after(s, maker, more, other, more)
    if max(s.count[maker] + more, s.count[other] - more) > lowest + s.slow_down_gap:
        return False
    return single(s, maker, s.stacks_named[0], s.stacks_named[1]) and single(s, other, s.stacks_named[1], s.stacks_named[0])


def single(s, seat, without, with_):
    """Whether a row would hold no number twice, 0 excepted."""
    for place in range(PLACES):
        if place != ZERO:
            n = ((with_ >> place) & 1) - ((without >> place) & 1)
            top = s.row[seat]
            while top > 0:
                n += place_of(s, top) == place
                top = s.nodes[BESIDE + 4 * top]
            if n > 1:
                return False
    return True


def legal_answers(s, seat, out):
    """Accept, if the offer can be fulfilled, or refuse."""
    out[0] = REFUSE
    out[1] = ACCEPT
    return 2 if lawful(s, s.actor, seat) else 1


def dealt_with(s, side, code):
    """How many such bills a side of the offer names."""
    kind = kind_of(code)
    if code >= ICONS:
        return (s.icons_named[side][kind - ONE] >> ((code - ICONS) & 7)) & 1
    return named_plain(s, side, kind)


def answer_step(s, seat, action):
    """The answer to an offer; a refused one has cost nothing but this turn's only offer."""
    maker = s.actor
    if action == ACCEPT:
        s.done |= CLAIMED
        for side in range(2):  # all bills leave first: nobody gives back what he has just received (C13)
            for code in range(CODES):
                for _ in range(dealt_with(s, side, code)):
                    leaves(s, seat if side else maker, code)
        for side in range(2):
            taker = maker if side else seat
            for code in range(CODES):
                for _ in range(dealt_with(s, side, code)):
                    joins(s, taker, code)
            earns(s, seat if side else maker, -s.coins_named[side])
            earns(s, taker, s.coins_named[side])
        swaps(s, maker, seat)
        slow_down(s)
        check_win(s, maker)  # if both reach a goal, the player to move wins
        check_win(s, seat)
    s.actor = NOBODY
    s.whom = NOBODY
    forget(s)
    if s.won == 0:
        s.asking = s.turn
        s.phase = WINDOW


def swaps(s, maker, other):
    """The stacks of an offer change rows: all leave first, so that those of one number are not mixed up."""
    for place in range(PLACES):
        given = 0
        got = 0
        if (s.stacks_named[0] >> place) & 1:
            given = departs(s, maker, place)
        if (s.stacks_named[1] >> place) & 1:
            got = departs(s, other, place)
        if given > 0:
            enters(s, other, given, row_value(s, given))
        if got > 0:
            enters(s, maker, got, row_value(s, got))


# --- insurance and forecast -------------------------------------------------------------------------------------------


def insured_step(s, seat, action):
    """Who is insured takes a pushed stack, or refuses it: then another has to take it (C35)."""
    if action == TAKE:
        place = s.pushed
        not_pushed(s)
        s.phase = WINDOW
        take(s, seat, place)
        go_on(s)
    else:
        s.asking = s.actor
        s.phase = AGAIN


def legal_again(s, seat, out):
    """The other seats to which a refused stack may be pushed."""
    return legal_seats(s, seat, targets(s, s.pushed) & ~(1 << s.whom), SEAT, out, 0)


def again_step(s, seat, action):
    """The refused stack is pushed to another."""
    place = s.pushed
    not_pushed(s)
    s.phase = WINDOW
    take(s, at_distance(s, seat, action - SEAT), place)
    go_on(s)


def not_pushed(s):
    """No push waits for an answer."""
    s.pushed = NOBODY
    s.actor = NOBODY
    s.whom = NOBODY


def legal_forecasts(s, out):
    """A number that the next player may play, or none."""
    out[0] = SKIP
    return legal_places(in_game(s), PLACE, out, 1)


def comes_true(s, place):
    """The first bill after a forecast lands: a coin if its number was named (C37)."""
    if s.forecast == place:
        for seat in range(s.players):
            if has(s, seat, FORECAST):
                earns(s, seat, 1)
                check_win(s, seat)
    s.forecast = NOBODY
