"""Bills in hands, stacks on the table, rows: what happens to them, whatever the reason.

Compiled subset: integers and fixed-size arrays only. The marks C1… are the rulings in RULES.md.
"""

from outbid.games.claim.state import (
    ANYONE, BESIDE, CODE, COLLECTION, COLLECTOR, DEEP_FULL, DEEP_POCKETS, FIRST, ICONS, INSURANCE, KINDS, LOOPHOLE, LOW,
    MULTI, NOBODY, NOTHING, NUMBERS, ONE, OVER, PINCHER, PINCHER_GOAL, PINCHER_PLACES, PLACES, PRINT, REFUSING, SECOND,
    SEVEN, SHOWN, SHOWS, SMALL_CHANGE, SMALL_FULL, STAGED, STRICT, UNDER, WILD, WILD_TWO, ZERO,
)  # fmt: skip


def bits(mask):
    """How many bits are set, of up to 16."""
    n = 0
    for bit in range(16):
        n += (mask >> bit) & 1
    return n


def has(s, seat, product):
    """1 if the seat owns a product."""
    return (s.owned[seat] >> product) & 1


# --- hands ------------------------------------------------------------------------------------------------------------


def kind_of(code):
    """The kind of a bill."""
    if code < ICONS:
        return code
    return ONE + ((code - ICONS) >> 3)


def icon_of(code):
    """The icon of a bill, or −1."""
    if code < ICONS:
        return -1
    return (code - ICONS) & 7


def plain_bills(s, seat, kind):
    """How many bills of a kind without icon a hand holds."""
    n = s.hands[seat][kind]
    if has_icons(s, kind):
        n -= bits(s.icons_held[seat][kind - ONE])
    return n


def plain_open(s, seat, kind):
    """How many bills of a kind without icon of a hand everybody knows."""
    n = s.open[seat][kind]
    if has_icons(s, kind):
        n -= bits(s.icons_open[seat][kind - ONE])
    return n


def holds(s, seat, code):
    """1 if a hand holds this bill."""
    if code < ICONS:
        return 1 if plain_bills(s, seat, code) > 0 else 0
    return (s.icons_held[seat][(code - ICONS) >> 3] >> ((code - ICONS) & 7)) & 1


def given_of(s, seat, code):
    """How many such bills without icon a hand was given in purchases: they are open, and pay for none (C31)."""
    if s.shopping_spree and code >= ONE and code <= SEVEN:
        return s.given[seat][code - ONE]
    return 0


def shown(s, seat, code):
    """How many such bills of a hand everybody knows."""
    if code < ICONS:
        return plain_open(s, seat, code)
    return (s.icons_open[seat][(code - ICONS) >> 3] >> ((code - ICONS) & 7)) & 1


def leaves(s, seat, code):
    """A bill leaves a hand, before all eyes; of equal bills one that everybody knows goes first (C13), and of these one
    that pays for nothing."""
    known = shown(s, seat, code) > 0
    if given_of(s, seat, code) > 0:
        s.given[seat][code - ONE] -= 1
    goes(s, seat, code, known)


def spends(s, seat, code):
    """A bill leaves a hand for a purchase: never one that was given in a purchase itself (C31)."""
    goes(s, seat, code, shown(s, seat, code) > given_of(s, seat, code))


def goes(s, seat, code, known):
    """A bill leaves a hand: one that everybody knows, or a covered one."""
    kind = kind_of(code)
    s.size[seat] -= 1
    s.held -= 1
    if code >= ICONS:
        v = kind - ONE
        bit = 1 << icon_of(code)
        s.icons_held[seat][v] &= ~bit
        s.icons_open[seat][v] &= ~bit
        s.icons_unseen[v] &= ~bit
        s.icons_given[v] &= ~bit
    s.hands[seat][kind] -= 1
    if known:
        s.open[seat][kind] -= 1
    else:
        s.unseen[kind] -= 1


def joins(s, seat, code):
    """A bill that everybody sees comes into a hand (C14)."""
    kind = kind_of(code)
    s.size[seat] += 1
    s.held += 1
    s.hands[seat][kind] += 1
    s.open[seat][kind] += 1
    if code >= ICONS:
        bit = 1 << icon_of(code)
        s.icons_held[seat][kind - ONE] |= bit
        s.icons_open[seat][kind - ONE] |= bit


def opens(s, seat, kind):
    """All bills of a kind of a hand are turned face up, for good."""
    s.unseen[kind] -= s.hands[seat][kind] - s.open[seat][kind]
    s.open[seat][kind] = s.hands[seat][kind]
    if has_icons(s, kind):
        s.icons_open[seat][kind - ONE] = s.icons_held[seat][kind - ONE]
        s.icons_unseen[kind - ONE] &= ~s.icons_held[seat][kind - ONE]


def reveals(s, seat, place):
    """Who takes a stack turns all bills that show its number face up, multinumbers too, wild ones not."""
    opens(s, seat, place)
    s.lacks[seat] |= SHOWS[place]
    if s.bad_investment:
        for kind in range(MULTI, KINDS):
            if (SHOWS[place] >> kind) & 1:
                opens(s, seat, kind)


# --- stacks on the table ----------------------------------------------------------------------------------------------


def put(s, place, code, worth):
    """A bill comes to lie on the stack at a place, or starts it."""
    node = s.free
    if node > 0:
        s.free = s.nodes[UNDER + 4 * node]
    else:
        s.used += 1
        node = s.used
    s.nodes[CODE + 4 * node] = code
    s.nodes[SHOWN + 4 * node] = worth + LOW
    s.nodes[UNDER + 4 * node] = s.top[place]
    s.top[place] = node
    s.value[place] += worth
    s.stacks |= 1 << place


def bottom(s, top):
    """The lowest node of a stack."""
    node = top
    while s.nodes[UNDER + 4 * node] > 0:
        node = s.nodes[UNDER + 4 * node]
    return node


def vacate(s, place):
    """No stack is at a place any more; what lay there has gone elsewhere."""
    gone = ~(1 << place)
    s.stacks &= gone
    s.full &= gone
    s.touched &= gone
    s.top[place] = 0
    s.value[place] = 0
    s.coins_on[place] = 0
    if ((s.closed | s.frozen) >> place) & 1:
        for seat in range(s.players):
            if locked(s, seat) == place:
                s.lock[seat] = 0
        relock(s)


def stack_value(s, top):
    """What the bills of a stack on the table are worth."""
    total = 0
    node = top
    while node > 0:
        total += worth_of(s, node)
        node = s.nodes[UNDER + 4 * node]
    return total


def meets(s, place, top, value, coins):
    """A whole stack arrives at a place; a stack that is there already goes below it (C8)."""
    if s.top[place] > 0:
        s.nodes[UNDER + 4 * bottom(s, top)] = s.top[place]
    s.top[place] = top
    s.value[place] += value
    s.coins_on[place] += coins
    s.stacks |= 1 << place


def renumber(s, place, other):
    """The stack at a place takes another number, which no stack has."""
    was = 1 << place
    now = 1 << other
    if s.full & was:
        s.full |= now
    s.top[other] = s.top[place]
    s.value[other] = s.value[place]
    s.coins_on[other] = s.coins_on[place]
    s.stacks |= now
    if (s.closed | s.frozen) & was:
        for seat in range(s.players):
            if locked(s, seat) == place:
                s.lock[seat] += other - place
        relock(s)
    vacate(s, place)


# --- locks (icons.py) -------------------------------------------------------------------------------------------------


def locked(s, seat):
    """The place of a seat's lock, or −1."""
    if s.lock[seat] > PLACES:
        return s.lock[seat] - PLACES - 1
    return s.lock[seat] - 1


def relock(s):
    """Which stacks are closed and which frozen; a closed one is not full (C21)."""
    s.closed = 0
    s.frozen = 0
    for seat in range(s.players):
        if s.lock[seat] > PLACES:
            s.frozen |= 1 << locked(s, seat)
        elif s.lock[seat] > 0:
            s.closed |= 1 << locked(s, seat)
    s.full &= ~s.closed


# --- Five Max ---------------------------------------------------------------------------------------------------------


def over_full(s, place):
    """The stack is worth so much, or so little, that it would be full if it has just grown (C5)."""
    return full_at(s, place, s.value[place])


def full_at(s, place, value):
    """A stack of this number would be full at that value, if it has just grown."""
    most = s.full_threshold
    if s.shopping_spree and s.owned[s.turn] != 0:  # C33: whose turn it is has the duty, so his products count
        if has(s, s.turn, SMALL_CHANGE) and (place == ONE or place == ONE + 1):
            most = min(most, SMALL_FULL)
        elif has(s, s.turn, DEEP_POCKETS):
            most = max(most, DEEP_FULL)
    return value >= most or value <= s.negative_threshold


def check_full(s, place):
    """A stack has grown: is it full now?"""
    if over_full(s, place) and not (s.closed >> place) & 1:
        s.full |= 1 << place


def settle(s):
    """The full check of all stacks that have grown."""
    if s.touched != 0:
        for place in range(PLACES):
            if (s.touched >> place) & 1:
                check_full(s, place)
        s.touched = 0


# --- who can claim ----------------------------------------------------------------------------------------------------


def seats_that_fit(s, place):
    """Mask of seats to which a product does not forbid a number (C34)."""
    mask = (1 << s.players) - 1
    if s.shopping_spree and not (PINCHER_PLACES >> place) & 1:
        for seat in range(s.players):
            if has(s, seat, PINCHER):
                mask &= ~(1 << seat)
    return mask


def able(s, place):
    """Mask of seats that can be pushed the stack at a place by the Three Laws."""
    mask = s.may
    if place != ZERO:
        if s.diversity_a:
            mask &= ~s.owners[place]
        if s.push_reading == STRICT and s.diversity_b and (s.played >> place) & 1 and not has(s, s.turn, LOOPHOLE):
            mask &= ~(1 << s.turn)
        if s.shopping_spree:
            mask &= seats_that_fit(s, place)
    return mask


def targets(s, place):
    """Mask of seats a full stack may be pushed to; if nobody can claim it, by `no_target_rule` (C6)."""
    mask = able(s, place)
    if mask != 0:
        return mask
    fit = seats_that_fit(s, place)
    if s.no_target_rule == ANYONE:
        return fit
    if s.no_target_rule == STAGED:
        mask = s.may & fit
        if (mask & ~s.owners[place]) != 0:
            return mask & ~s.owners[place]
    return mask


def claimable(s, seat):
    """Mask of places whose stacks a seat may claim of its own will."""
    if not (s.may >> seat) & 1:
        return 0
    barred = 0
    if s.diversity_a:
        barred = s.owns[seat]
    if s.diversity_b and not has(s, seat, LOOPHOLE):
        barred |= s.played
    barred = (barred & ~(1 << ZERO)) | s.full | s.closed
    if has(s, seat, PINCHER):
        barred |= ~PINCHER_PLACES
    return s.stacks & ~barred


def pushable(s):
    """Mask of the full stacks that can be pushed to somebody."""
    if s.full == 0 or s.no_target_rule == ANYONE:
        return s.full
    mask = 0
    for place in range(PLACES):
        if (s.full >> place) & 1 and targets(s, place) != 0:
            mask |= 1 << place
    return mask


# --- rows -------------------------------------------------------------------------------------------------------------


def slow_down(s):
    """Bring up to date who may take a stack: one more may be at most `slow_down_gap` above the lowest count."""
    lowest = s.count[0]
    for seat in range(1, s.players):
        lowest = min(lowest, s.count[seat])
    may = 0
    for seat in range(s.players):
        may |= (s.count[seat] < lowest + s.slow_down_gap) << seat
    s.may = may


def wild_change(s, top):
    """How much more a stack is worth in a row than on the table: there a wild bill may be worth 2 (C26)."""
    total = 0
    if s.wild_worth == WILD_TWO:
        node = top
        while node > 0:
            if s.nodes[CODE + 4 * node] == WILD:
                total += WILD_TWO - worth_of(s, node)
            node = s.nodes[UNDER + 4 * node]
    return total


def row_value(s, top):
    """What a stack is worth in a row."""
    return stack_value(s, top) + wild_change(s, top)


def taken_value(s, place):
    """What the stack at a place on the table will be worth in a row."""
    return s.value[place] + wild_change(s, s.top[place])


def zeros_in(s, top):
    """How many bills of a stack show 0 (C10)."""
    n = 0
    node = top
    while node > 0:
        n += s.nodes[CODE + 4 * node] == ZERO
        node = s.nodes[UNDER + 4 * node]
    return n


def counts(s, seat, place):
    """1 if a stack of this number counts as money for a seat."""
    if has(s, seat, PINCHER):
        return (PINCHER_PLACES >> place) & 1
    return 1


def place_of(s, top):
    """The place of a stack by its top bill."""
    return s.nodes[SHOWN + 4 * top]


def worth_of(s, node):
    """What a bill on the table or in a row is worth: the number it counts as."""
    return s.nodes[SHOWN + 4 * node] - LOW


def enters(s, seat, top, value):
    """A stack comes into a row; `value` is what it is worth there."""
    place = place_of(s, top)
    s.nodes[BESIDE + 4 * top] = s.row[seat]
    s.row[seat] = top
    s.count[seat] += 1
    s.owns[seat] |= 1 << place
    s.owners[place] |= 1 << seat
    s.money[seat] += value * counts(s, seat, place)
    if s.zero_risk or s.shopping_spree:
        s.zero_bills[seat] += zeros_in(s, top)


def find(s, seat, place):
    """The top of the stack of this number in a row, of several the one taken last (C23); 0 if there is none."""
    node = s.row[seat]
    while node > 0 and place_of(s, node) != place:
        node = s.nodes[BESIDE + 4 * node]
    return node


def departs(s, seat, place):
    """The stack of this number (the last taken) leaves a row; returns its top."""
    node = find(s, seat, place)
    if s.row[seat] == node:
        s.row[seat] = s.nodes[BESIDE + 4 * node]
    else:
        before = s.row[seat]
        while s.nodes[BESIDE + 4 * before] != node:
            before = s.nodes[BESIDE + 4 * before]
        s.nodes[BESIDE + 4 * before] = s.nodes[BESIDE + 4 * node]
    s.nodes[BESIDE + 4 * node] = 0
    s.count[seat] -= 1
    s.money[seat] -= row_value(s, node) * counts(s, seat, place)
    s.zero_bills[seat] -= zeros_in(s, node)
    if find(s, seat, place) == 0:
        s.owns[seat] &= ~(1 << place)
        s.owners[place] &= ~(1 << seat)
    return node


def discard(s, top):
    """The bills of a stack go out of the game."""
    node = top
    while node > 0:
        s.gone += 1
        below = s.nodes[UNDER + 4 * node]
        s.nodes[UNDER + 4 * node] = s.free
        s.free = node
        node = below


def earns(s, seat, coins):
    """A seat receives, or with a negative number gives, coins."""
    s.coins[seat] += coins
    s.money[seat] += coins


def goal_of(s, seat):
    """The money with which a seat wins."""
    if has(s, seat, PINCHER):
        return min(s.goal, PINCHER_GOAL)
    return s.goal


def collection(s):
    """The different numbers with which a Collector wins."""
    return COLLECTION if s.players > 3 else COLLECTION - 1


def reaches(s, seat):
    """The seat has reached a goal."""
    if s.shopping_spree and has(s, seat, COLLECTOR) and bits(s.owns[seat]) >= collection(s):
        return True
    return s.money[seat] >= goal_of(s, seat) or (s.zero_risk and s.zero_bills[seat] >= s.zero_goal)


def check_win(s, seat):
    """A player who reaches a goal wins on the spot, also on another's turn (C7)."""
    if s.won == 0 and reaches(s, seat):
        s.won = 1 << seat
        finish(s)


def finish(s):
    """Nobody is asked any more."""
    s.phase = OVER
    s.asking = NOBODY
    s.icon = NOBODY


def take(s, seat, place):
    """A claim or a push: the whole stack goes into a row, the hand is revealed, the win checked, an icon looked at."""
    top = s.top[place]
    enters(s, seat, top, taken_value(s, place))
    if s.coins_on[place] > 0:
        earns(s, seat, s.coins_on[place])
    vacate(s, place)
    slow_down(s)
    if s.reveal:
        reveals(s, seat, place)
    check_win(s, seat)
    if s.action_fund and s.phase != OVER:
        wakes(s, seat, top, NOBODY)


def wakes(s, seat, top, place):
    """The icon of a bill that was played or lies on top of a taken stack may be used, once a turn (C17)."""
    code = s.nodes[CODE + 4 * top]
    if code >= ICONS:
        v = (code - ICONS) >> 3
        bit = 1 << ((code - ICONS) & 7)
        if s.icons_used[v] & bit == 0:
            s.icons_used[v] |= bit
            s.icon = (code - ICONS) & 7
            s.icon_place = place
            s.asking = seat


def push(s, seat, place, to):
    """A push by `seat`; an insured player may be asked first, unless he is the only one (C35)."""
    if s.shopping_spree and to != seat and has(s, to, INSURANCE) and (targets(s, place) & ~(1 << to)) != 0:
        s.pushed = place
        s.actor = seat
        s.whom = to
        s.asking = to
        s.phase = REFUSING
    else:
        take(s, to, place)


# --- moves of several steps -------------------------------------------------------------------------------------------


def forget(s):
    """Nothing is half built, and no offer stands."""
    s.step = NOTHING
    s.bill = NOBODY
    s.upright = NOBODY
    s.chosen = NOBODY
    s.other = NOBODY
    s.last = NOBODY
    if s.shopping_spree:
        for side in range(2):
            for kind in range(KINDS):
                s.named[side][kind] = 0
            for v in range(NUMBERS):
                s.icons_named[side][v] = 0
            s.stacks_named[side] = 0
            s.coins_named[side] = 0


def has_icons(s, kind):
    """Whether bills of this kind may differ in their icons."""
    return s.action_fund and kind >= ONE and kind < ONE + NUMBERS


def code_of(kind, which):
    """The code of a bill of a kind: which = 0 without icon, 1 + icon."""
    if which == 0:
        return kind
    return ICONS + ((kind - ONE) << 3) + which - 1


def legal_prints(s, seat, kind, out):
    """Which bill of a kind in the hand: without icon, or with which."""
    return legal_which(held_prints(s, seat, kind), out)


def legal_which(prints, out):
    """The actions that name a print of a mask: bit 0 without icon, the others with which."""
    n = 0
    for which in range(9):
        out[n] = PRINT + which
        n += (prints >> which) & 1
    return n


def held_prints(s, seat, kind):
    """Mask of the prints of a kind in the hand."""
    if not has_icons(s, kind):
        return holds(s, seat, kind)
    return s.icons_held[seat][kind - ONE] << 1 | holds(s, seat, kind)


def prints_in(s, top, kind):
    """Mask of the prints of a kind in a stack."""
    prints = 0
    node = top
    while node > 0:
        code = s.nodes[CODE + 4 * node]
        if kind_of(code) == kind:
            prints |= 1 << 1 + icon_of(code)
        node = s.nodes[UNDER + 4 * node]
    return prints


def only_code(prints, kind):
    """The code of the bill of a kind in a mask of one print, else −1."""
    for which in range(9):
        if prints == 1 << which:
            return code_of(kind, which)
    return NOBODY


def only_print(s, seat, kind):
    """The code of the bills of a kind in the hand if they are all the same, else −1."""
    if not has_icons(s, kind) or s.icons_held[seat][kind - ONE] == 0:
        return kind
    return only_code(held_prints(s, seat, kind), kind)


def distance(s, seat, other):
    """How far clockwise another seat is."""
    return other - seat if other >= seat else other - seat + s.players


def at_distance(s, seat, far):
    """The seat so far clockwise."""
    return seat + far if seat + far < s.players else seat + far - s.players


def legal_seats(s, seat, mask, first, out, n):
    """Append the actions first + distance of the seats in a mask; returns the new number of actions."""
    for far in range(s.players):
        out[n] = first + far
        n += (mask >> at_distance(s, seat, far)) & 1
    return n


def legal_places(mask, first, out, n):
    """Append the actions first + place of the places in a mask; returns the new number of actions."""
    for place in range(PLACES):
        out[n] = first + place
        n += (mask >> place) & 1
    return n


def multi_places(kind):
    """The places of the two numbers of a multinumber bill, as a mask."""
    return (1 << FIRST[kind - MULTI]) | (1 << SECOND[kind - MULTI])
