"""What a seat may know of Claim's hands (RULES.md section 10): hide, redeal, observe.

Memory. Nothing comes into a hand unseen after the deal, so what a seat knows of another hand is simple and exact: all of it
if it has looked into it (`seen_by`, Market Research), and otherwise the bills that are `open` to all, and that the covered
ones are of no kind in `lacks`. `unseen` counts, by kind, the bills of the deck that not everybody has seen.

`hide` leaves of the other hands what is open; `redeal` fills them with covered bills drawn from those the seat has not
seen, none of a kind that the hand lacks, and leaves the rest set aside. Compiled subset.
"""

from outbid.core.chance import below, step, stream
from outbid.games.claim.icons import in_game
from outbid.games.claim.spaces import (
    ALL_NUMBERS, ASIDE_BILLS, AT_AFTER_PLAY, AT_ANSWERING, AT_ASIDE, AT_BILL, AT_CHOSEN, AT_CLOSED, AT_COINS_ON,
    AT_DIRECTION, AT_DONE, AT_FROZEN, AT_FULL, AT_FULL_FROM, AT_GOAL, AT_HELD, AT_ICON, AT_ICONS, AT_IN_GAME, AT_NAMED,
    AT_NO_TARGET, AT_NUMBER, AT_OTHER, AT_PHASE, AT_PLAYED, AT_PLAYERS, AT_PLAYS, AT_SHELF, AT_STACKS, AT_STEP,
    AT_STRICT, AT_TURNS, AT_UPRIGHT, AT_VALUES, AT_ZERO_GOAL, BILLS, CHOSEN, COINS, DONE_ALL, EACH, FEATURES, GOAL,
    HELD_BILLS, LOCKS, NAMED, OF_ASKED, OF_BILLS, OF_COINS, OF_HAND, OF_KNOWN, OF_LOCK, OF_MAY, OF_MONEY, OF_NEXT, OF_OWNS,
    OF_PRODUCTS, OF_STACKS, OF_TURN, OF_WHOM, OF_ZEROS, SAME, SHARED, STEPS, TAKEN, TURNS, VALUE,
)  # fmt: skip
from outbid.games.claim.stacks import forget, has
from outbid.games.claim.state import (
    ANSWERING, CODES, DRAWN, EXCHANGE, GIVING, KINDS, NOBODY, NOTHING, NUMBERS, ONE, OVER, PLACES, PLAYING, PRODUCTS,
    RESEARCH, RESERVE, SEATS, SHELF, SHOWS, WILD,
)  # fmt: skip

ASIDE = SEATS  # the heap of bills set aside, after the hands
SWAPS = 3  # exchanges a covered bill, which make the worlds alike in chance


def knows(s, seat, other):
    """Whether a seat (−1: a spectator) knows all of a hand."""
    if seat < 0:
        return False
    return seat == other or (s.seen_by[other] >> seat) & 1 != 0 or has(s, seat, RESEARCH) != 0


def knows_move(s, seat):
    """Whether a seat knows how far the move of the asked seat is: nobody has begun one, or it is its own."""
    return s.step == NOTHING or seat == s.asking


def hide(s, seat):
    """Overwrite, in place, all that `seat` (−1: a spectator) may not know: covered bills, products, half-built moves."""
    if not knows_move(s, seat):
        forget(s)
    for other in range(s.players):
        if not knows(s, seat, other):
            for kind in range(KINDS):
                s.hands[other][kind] = s.open[other][kind]
            for v in range(NUMBERS):
                s.icons_held[other][v] = s.icons_open[other][v]
    if s.shopping_spree:
        for i in range(SHELF, s.in_store):
            s.products[i] = NOBODY
        for i in range(drawn(s), len(RESERVE)):
            s.reserve[i] = NOBODY


def drawn(s):
    """How many bills of the reserve have been drawn."""
    for seat in range(s.players):
        if has(s, seat, EXCHANGE):
            return DRAWN
    return 0


# --- redeal -----------------------------------------------------------------------------------------------------------


def redeal(s, seat, seed):
    """Fill what `seat` cannot know with a world that agrees with all it has seen."""
    hide(s, seat)
    r = stream(seed, 1)
    if s.shopping_spree:
        r = redeal_shop(s, r)
    r = redeal_hands(s, seat, r)
    if s.action_fund:
        redeal_icons(s, seat, r)


def redeal_shop(s, r):
    """The covered products and the rest of the reserve in any order; returns the generator."""
    sold = 0
    for other in range(s.players):
        sold |= s.owned[other]
    for i in range(min(SHELF, s.in_store)):
        sold |= 1 << s.products[i]
    n = SHELF
    for product in range(len(PRODUCTS)):
        if not (sold >> product) & 1:
            r = step(r)
            j = SHELF + below(r, n - SHELF + 1)
            s.products[n] = s.products[j]
            s.products[j] = product
            n += 1
    first = drawn(s)
    used = 0
    for i in range(first):
        k = 0
        while RESERVE[k] != s.reserve[i] or (used >> k) & 1:
            k += 1
        used |= 1 << k
    n = first
    for k in range(len(RESERVE)):
        if not (used >> k) & 1:
            r = step(r)
            j = first + below(r, n - first + 1)
            s.reserve[n] = s.reserve[j]
            s.reserve[j] = RESERVE[k]
            n += 1
    return r


def rest_of(s, kind):
    """How many covered bills of a kind lie neither in a hand as it is filled now nor in one the seat knows."""
    n = s.unseen[kind]
    for other in range(s.players):
        n -= s.hands[other][kind] - s.open[other][kind]
    return n


def room(s, other):
    """How many covered bills a hand still lacks."""
    n = s.size[other]
    for kind in range(KINDS):
        n -= s.hands[other][kind]
    return n


def redeal_hands(s, seat, r):
    """Draw the covered bills of the hands: at random first, then exchanges until no hand holds what it lacks, then some
    exchanges more."""
    left = 0
    for kind in range(KINDS):
        left += rest_of(s, kind)
    covered = left
    for kind in range(KINDS):
        for _ in range(rest_of(s, kind)):
            r = step(r)
            at = below(r, left)
            left -= 1
            for other in range(s.players):
                at -= room(s, other)
                if at < 0:
                    s.hands[other][kind] += 1
                    break
    for other in range(s.players):
        if s.lacks[other] != 0 and not knows(s, seat, other):
            for kind in range(KINDS):
                if (s.lacks[other] >> kind) & 1:
                    while s.hands[other][kind] > s.open[other][kind]:
                        r = step(r)
                        exchange(s, seat, other, 1 << kind, (1 << KINDS) - 1, below(r, 1 << 20))
    needs = 0
    if s.phase != OVER and not knows(s, seat, s.asking):
        needs = needed(s)
    if needs != 0 and not has_some(s, s.asking, needs):
        r = step(r)
        exchange(s, seat, s.asking, (1 << KINDS) - 1, needs, below(r, 1 << 20))
    lacking = needs
    for other in range(s.players):
        lacking |= s.lacks[other]
    if lacking != 0:
        for _ in range(SWAPS * covered):
            r = step(r)
            one = heap(s, seat, below(r, covered))
            r = step(r)
            other = heap(s, seat, below(r, covered))
            if one != other:
                r = step(r)
                a = pick(s, one, below(r, heap_size(s, one)))
                r = step(r)
                b = pick(s, other, below(r, heap_size(s, other)))
                if allowed(s, other, a) and allowed(s, one, b):
                    moves(s, one, other, a)
                    moves(s, other, one, b)
                    if needs != 0 and not has_some(s, s.asking, needs):
                        moves(s, other, one, a)
                        moves(s, one, other, b)
    return r


def has_uniform_prior(s):
    """Worlds are equally likely where all covered bills lie in hands; else there are more ways to some than to others."""
    aside = 0
    for kind in range(KINDS):
        aside += rest_of(s, kind)
    return aside == 0


def needed(s):
    """Mask of the kinds of which the player who is asked is seen to hold one: an Audit has found it, or the table is empty
    and the play was not skipped (C12). 0: nothing is seen, or it lies open."""
    mask = 0
    if s.phase == GIVING:
        mask = SHOWS[s.number]
    elif s.phase == PLAYING and s.plays == 0 and s.stacks == 0 and s.wild_wagers:
        mask = ((1 << KINDS) - 1) & ~(1 << WILD)
    for kind in range(KINDS):
        if (mask >> kind) & 1 and s.open[s.asking][kind] > 0:
            return 0
    return mask


def has_some(s, other, kinds):
    """Whether a hand holds a bill of one of some kinds."""
    for kind in range(KINDS):
        if (kinds >> kind) & 1 and s.hands[other][kind] > 0:
            return True
    return False


def heap_size(s, one):
    """How many covered bills a hand holds, or how many are set aside."""
    n = 0
    for kind in range(KINDS):
        n += held(s, one, kind)
    return n


def heap(s, seat, at):
    """The heap, of those the seat does not know, in which the covered bill number `at` lies."""
    for other in range(s.players):
        if not knows(s, seat, other):
            at -= heap_size(s, other)
            if at < 0:
                return other
    return ASIDE


def held(s, one, kind):
    """How many covered bills of a kind lie in a heap."""
    if one == ASIDE:
        return rest_of(s, kind)
    return s.hands[one][kind] - s.open[one][kind]


def pick(s, one, at):
    """The kind of the covered bill number `at` of a heap."""
    for kind in range(KINDS):
        at -= held(s, one, kind)
        if at < 0:
            return kind
    return NOBODY


def allowed(s, one, kind):
    """Whether a covered bill of a kind may lie in a heap."""
    return one == ASIDE or (s.lacks[one] >> kind) & 1 == 0


def moves(s, one, other, kind):
    """A covered bill goes from heap to heap; what is in no hand is set aside."""
    if one != ASIDE:
        s.hands[one][kind] -= 1
    if other != ASIDE:
        s.hands[other][kind] += 1


def exchange(s, seat, other, out, back, turn):
    """Move a bill of the kinds in `out` out of a hand, along the shortest chain of exchanges that brings one of the kinds
    in `back`.

    A breadth-first search over the heaps: the first arrow carries one of `out`, the last one of `back`, the others whatever
    the next heap may hold. There always is such a chain, because the truth differs from any other deal of the bills by
    closed chains. `turn` varies which.
    """
    came = 0  # four bits a heap: 1 + the heap before it, 0 if not reached
    carries = 0  # five bits a heap: the kind that the arrow into it carries
    reached = 0
    for k in range(s.players + 1):
        to = (k + turn) % (s.players + 1)
        if to == s.players:
            to = ASIDE
        if to == other or (to != ASIDE and knows(s, seat, to)):
            continue
        for i in range(KINDS):
            kind = (i + turn) % KINDS
            if (out >> kind) & 1 and held(s, other, kind) > 0 and allowed(s, to, kind):
                came |= (1 + other) << 4 * to
                carries |= kind << 5 * to
                reached |= 1 << to
                break
    while (came >> 4 * other) & 15 == 0:
        for k in range(s.players + 1):
            at = (k + turn) % (s.players + 1)
            if at == s.players:
                at = ASIDE
            if not (reached >> at) & 1:
                continue
            reached &= ~(1 << at)
            for j in range(s.players + 1):
                to = (j + turn) % (s.players + 1)
                if to == s.players:
                    to = ASIDE
                if (came >> 4 * to) & 15 != 0 or (to != ASIDE and knows(s, seat, to)):
                    continue
                for i in range(KINDS):
                    goes = (i + turn) % KINDS
                    if held(s, at, goes) > 0 and allowed(s, to, goes) and (to != other or (back >> goes) & 1):
                        came |= (1 + at) << 4 * to
                        carries |= goes << 5 * to
                        reached |= 1 << to
                        break
    to = other
    while True:
        before = ((came >> 4 * to) & 15) - 1
        moves(s, before, to, (carries >> 5 * to) & 31)
        to = before
        if to == other:
            return


def redeal_icons(s, seat, r):
    """Which of the covered bills of a number carry the icons that not everybody has seen: each as likely."""
    for v in range(NUMBERS):
        left = 0  # covered bills without icon so far, in heaps the seat does not know
        icons = s.icons_unseen[v] & 255
        left = s.unseen[ONE + v]
        for other in range(s.players):
            if knows(s, seat, other):
                icons &= ~s.icons_held[other][v]
                left -= s.hands[other][ONE + v] - s.open[other][ONE + v]
        for icon in range(8):
            if not (icons >> icon) & 1:
                continue
            r = step(r)
            at = below(r, left)
            left -= 1
            for other in range(s.players):
                if not knows(s, seat, other):
                    free = s.hands[other][ONE + v] - s.open[other][ONE + v]
                    for done in range(8):
                        free -= ((s.icons_held[other][v] & ~s.icons_open[other][v]) >> done) & 1
                    at -= free
                    if at < 0:
                        s.icons_held[other][v] |= 1 << icon
                        break


# --- observe ----------------------------------------------------------------------------------------------------------


def observe(s, seat, out):
    """The features of what `seat` may know, laid out as spaces.py says; seats in relative order. What `hide` overwrites is
    not looked at.

    Units are multiplied by, as dividing takes longer.
    """
    for i in range(FEATURES):
        out[i] = 0.0
    out[AT_PHASE + s.phase] = 1.0
    for place in range(PLACES):
        out[AT_STACKS + place] = (s.stacks >> place) & 1
        out[AT_VALUES + place] = s.value[place] * (1 / VALUE)
        out[AT_FULL + place] = (s.full >> place) & 1
        out[AT_PLAYED + place] = (s.played >> place) & 1
    if not s.plain:
        observe_expansions(s, seat, out)
    out[AT_AFTER_PLAY] = s.after_play
    out[AT_DONE] = s.done * (1 / DONE_ALL)
    out[AT_PLAYS] = s.plays
    if knows_move(s, seat):
        out[AT_BILL] = (s.bill + 1) * (1 / CODES)
        out[AT_UPRIGHT] = (s.upright + 1) * (1 / PLACES)
        out[AT_CHOSEN] = (s.chosen + 1) * (1 / CHOSEN)
        out[AT_OTHER] = (s.other + 1) * (1 / SEATS)
        out[AT_STEP] = s.step * (1 / STEPS)
    out[AT_PLAYERS] = s.players * (1 / SEATS)
    out[AT_GOAL] = min(s.goal, GOAL) * (1 / 10)
    out[AT_ZERO_GOAL] = min(s.zero_goal, GOAL) * (1 / 10)
    out[AT_FULL_FROM] = min(s.full_threshold, GOAL) * (1 / 10)
    out[AT_TURNS] = s.turns * (1 / TURNS)
    out[AT_DIRECTION] = s.direction
    out[AT_ASIDE] = s.aside * (1 / ASIDE_BILLS)
    out[AT_HELD] = s.held * (1 / HELD_BILLS)
    out[AT_IN_GAME] = in_game(s) * (1 / ALL_NUMBERS)
    out[AT_STRICT] = s.push_reading
    out[AT_NO_TARGET] = s.no_target_rule * (1 / 2)
    out[AT_ANSWERING] = s.phase == ANSWERING
    for far in range(s.players):
        other = seat + far
        if other >= s.players:
            other -= s.players
        observe_seat(s, seat, other, SHARED + EACH * far, out)


def observe_expansions(s, seat, out):
    """What only expansions put on the table, or into the own hand."""
    for place in range(PLACES):
        out[AT_CLOSED + place] = (s.closed >> place) & 1
        out[AT_FROZEN + place] = (s.frozen >> place) & 1
        out[AT_COINS_ON + place] = s.coins_on[place]
    if s.icon >= 0:
        out[AT_ICON + s.icon] = 1.0
    if s.number >= 0:
        out[AT_NUMBER + s.number] = 1.0
    if s.forecast >= 0:
        out[AT_NUMBER + s.forecast] = 1.0
    if s.pushed >= 0:
        out[AT_NUMBER + s.pushed] = 1.0
    if s.shopping_spree:
        for i in range(min(SHELF, s.in_store)):
            out[AT_SHELF + s.products[i]] = 1.0
    if knows_move(s, seat):
        for side in range(2):
            for kind in range(KINDS):
                out[AT_NAMED + side] += s.named[side][kind] * (1 / NAMED)
    for v in range(NUMBERS):
        for icon in range(8):
            out[AT_ICONS + 8 * v + icon] = (s.icons_held[seat][v] >> icon) & 1


def observe_seat(s, seat, other, at, out):
    """The features of one seat, from place `at`."""
    out[at + OF_STACKS] = s.count[other] * (1 / TAKEN)
    out[at + OF_MONEY] = s.money[other] * (1 / VALUE)
    out[at + OF_BILLS] = s.size[other] * (1 / BILLS)
    out[at + OF_ZEROS] = s.zero_bills[other] * (1 / VALUE)
    out[at + OF_COINS] = s.coins[other] * (1 / COINS)
    out[at + OF_MAY] = (s.may >> other) & 1
    out[at + OF_ASKED] = other == s.asking
    out[at + OF_TURN] = other == s.turn
    out[at + OF_LOCK] = s.lock[other] * (1 / LOCKS)
    out[at + OF_NEXT] = other == s.next
    out[at + OF_WHOM] = other == s.whom
    known = knows(s, seat, other)
    out[at + OF_KNOWN] = known
    if s.owns[other] != 0:
        for place in range(PLACES):
            out[at + OF_OWNS + place] = (s.owns[other] >> place) & 1
    if s.owned[other] != 0:
        for product in range(len(PRODUCTS)):
            out[at + OF_PRODUCTS + product] = (s.owned[other] >> product) & 1
    if known:
        for kind in range(KINDS):
            out[at + OF_HAND + kind] = s.hands[other][kind] * (1 / SAME)
    else:
        for kind in range(KINDS):
            out[at + OF_HAND + kind] = s.open[other][kind] * (1 / SAME)
