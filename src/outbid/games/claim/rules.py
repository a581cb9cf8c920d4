"""The rules of Claim, in the order of the rulebook: set-up, turn, play, window, end, score.

What a claim or a push does is in stacks.py, the icons in icons.py, shopping in shop.py. Compiled subset: integers and
fixed-size arrays only. The marks C1… are the rulings in RULES.md.
"""

from outbid.core.chance import below, shuffle, step, stream
from outbid.core.seats import lowest
from outbid.games.claim.icons import gift_step, go_on, icon_step, legal_gifts, legal_icon
from outbid.games.claim.shop import (
    again_step, answer_step, comes_true, insured_step, legal_again, legal_answers, legal_forecasts, legal_shop,
    legal_shop_step, printed, shop_step,
)  # fmt: skip
from outbid.games.claim.stacks import (
    at_distance, check_full, claimable, code_of, finish, forget, has, kind_of, leaves, legal_places, legal_prints,
    legal_seats, multi_places, only_print, opens, push, pushable, put, relock, renumber, slow_down, take, targets, wakes,
)  # fmt: skip
from outbid.games.claim.state import (
    AGAIN, ANSWERING, BELL, CLAIM, CLAIMED, COUNTERFEITER, DUEL, DUEL_NUMBERS, END, FIRST, FORECAST, FORECASTING, FORGED,
    GIVING, HAND, ICON, ICONS, KINDS, LOW, MULTI, MULTI_COPIES, NEW, NO_CAP, NOBODY, NOTHING, NUMBERS, ON_NEXT, ONE, OVER,
    AS_NEXT, PLACE, PLACES, PLAY, PLAYING, PRINT, PRINT_NEXT, PRODUCTS, PUSH, REFUSE, REFUSING, RESERVE, RETURNING, SEATS,
    SECOND, SEVEN, SEVENS, SEVENS_FROM, SKIP, TAKE, TO_NEXT, WEIRD_COPIES, WILD, WINDOW, ZERO,
)  # fmt: skip

# --- set-up -----------------------------------------------------------------------------------------------------------


def numbers_used(s, players):
    """Regular bills are 1 … players; in the duel of two 1 … 3."""
    if players == 2 and s.two_players == DUEL:
        return DUEL_NUMBERS
    return players


def copies_of(s, players, kind):
    """How many bills of a kind, icons or not, the deck has."""
    if kind == WILD:
        return players if s.wild_wagers else 0
    if kind == ZERO:
        return s.zeros if s.zero_risk else 0
    if kind >= ONE and kind < ONE + NUMBERS:
        return s.copies[kind - ONE] if kind < ONE + numbers_used(s, players) else 0
    if not s.bad_investment:
        return 0
    if kind == SEVEN:
        return SEVENS if players >= SEVENS_FROM else 0
    if kind < ZERO:
        return WEIRD_COPIES
    return MULTI_COPIES[kind - MULTI] if SECOND[kind - MULTI] <= players + LOW else 0


def to_deal(s, players, total):
    """How many bills of a deck are not set aside before the deal, as the duel does (C39)."""
    if players == 2 and s.two_players == DUEL:
        return max(0, total - s.duel_aside)
    return total


def binds(s, players, total):
    """Whether the deck has more bills than the cap lets be dealt: then there are no leftovers (C38)."""
    return s.hand_cap != NO_CAP and to_deal(s, players, total) > s.hand_cap * players


def hand_size(s, players, total):
    """How many bills of a deck each player is dealt (C38)."""
    if binds(s, players, total):
        return s.hand_cap
    return to_deal(s, players, total) // players


def leftovers(s, players, total):
    """How many bills are left over, fewer than players, and come to lie in the centre (C2)."""
    if binds(s, players, total):
        return 0
    return to_deal(s, players, total) % players


def stock(s, players):
    """Count the deck; returns the number of its bills."""
    total = 0
    if is_plain(s):
        for kind in range(ONE, ONE + numbers_used(s, players)):
            s.unseen[kind] = s.copies[kind - ONE]
            total += s.unseen[kind]
        return total
    for kind in range(KINDS):
        s.unseen[kind] = copies_of(s, players, kind)
        total += s.unseen[kind]
    return total


def turns_each(s, dealt):
    """After how many turns a player the bell rings, if so many bills were dealt to each (C9)."""
    return max(BELL, dealt) if s.bell > HAND else s.bell


def is_plain(s):
    """Whether the match is played without expansions."""
    return not (s.wild_wagers or s.zero_risk or s.bad_investment or s.action_fund or s.shopping_spree)


def deal(s, players, seed):
    """Every bill goes to a hand, the centre or aside, each place for a bill being as likely; then who begins."""
    total = stock(s, players)
    each = hand_size(s, players, total)
    centre = leftovers(s, players, total)
    laid = 0
    r = stream(seed, 0)
    for kind in range(KINDS):
        if s.unseen[kind] == 0:
            continue
        icons = 0
        if s.action_fund and kind >= ONE and kind < ONE + NUMBERS:
            icons = printed(s, kind - ONE)
        for _ in range(s.unseen[kind]):
            code = kind
            if icons != 0:
                for icon in range(8):
                    if (icons >> icon) & 1:
                        code = code_of(kind, 1 + icon)
                icons &= ~(1 << ((code - ICONS) & 7))
            r = step(r)
            at = below(r, total)
            total -= 1
            seat = 0
            for other in range(players):  # without a branch
                at -= each - s.size[other]
                seat += at >= 0
            if seat < players:
                dealt(s, seat, code)
            elif at < centre - laid:
                s.centre[laid] = 1 + code
                laid += 1
    r = shuffle(s.centre, laid, r)
    if s.shopping_spree:
        for i in range(len(PRODUCTS)):
            r = step(r)
            j = below(r, i + 1)
            s.products[i] = s.products[j]
            s.products[j] = i
        for i in range(len(RESERVE)):
            r = step(r)
            j = below(r, i + 1)
            s.reserve[i] = s.reserve[j]
            s.reserve[j] = RESERVE[i]
    r = step(r)
    begin(s, players, 0 if s.fixed_start else below(r, players))


def dealt(s, seat, code):
    """A covered bill comes into a hand."""
    kind = kind_of(code)
    s.hands[seat][kind] += 1
    s.size[seat] += 1
    if code >= ICONS:
        s.icons_held[seat][kind - ONE] |= 1 << ((code - ICONS) & 7)


def begin(s, players, start):
    """From a counted deck, dealt to hands and centre: lay out the centre, and ask the starting player (C3)."""
    s.players = players
    s.numbers = numbers_used(s, players)
    s.plain = is_plain(s)
    s.direction = 1
    s.icon = NOBODY
    s.icon_place = NOBODY
    s.next = NOBODY
    s.chooser = NOBODY
    s.stretched = NOBODY
    s.whom = NOBODY
    s.number = NOBODY
    s.pushed = NOBODY
    s.actor = NOBODY
    s.forecast = NOBODY
    for kind in range(KINDS):
        s.aside += s.unseen[kind]
    if s.action_fund:
        for v in range(s.numbers):
            s.icons_unseen[v] = printed(s, v)
    if s.shopping_spree:
        s.in_store = len(PRODUCTS)
    for seat in range(players):
        s.held += s.size[seat]
    s.aside -= s.held
    s.most_turns = players * turns_each(s, s.size[0])
    for i in range(len(s.centre)):
        if s.centre[i] > 0 and not leftover(s, s.centre[i] - 1):
            s.centre[i] = -s.centre[i]
            s.gone += 1
    forget(s)
    slow_down(s)
    begin_turn(s, start)


def leftover(s, code):
    """A bill in the centre starts or joins a stack; false if it cannot, or would make it full, and leaves the game (C2)."""
    kind = kind_of(code)
    s.aside -= 1
    s.unseen[kind] -= 1
    if code >= ICONS:
        s.icons_unseen[kind - ONE] &= ~(1 << ((code - ICONS) & 7))
    place = kind
    if kind >= MULTI:
        place = FIRST[kind - MULTI]
    value = 0
    if kind != WILD:
        value = s.value[place] + place - LOW
    if kind == WILD or value >= s.full_threshold or value <= s.negative_threshold:
        return False
    put(s, place, code, place - LOW)
    return True


# --- who may answer, and what -----------------------------------------------------------------------------------------


def asked(s):
    """The seat that may answer now as a bit mask; 0 when the match is over."""
    if s.phase == OVER:
        return 0
    return 1 << s.asking


def midway(s, seat):
    """1 if `seat` has begun a move and not finished it."""
    if s.step != NOTHING and seat == s.asking:
        return 1
    return 0


def legal(s, seat, out):
    """Write the action ids open to an asked seat to `out`; the number of them is returned."""
    if s.phase == PLAYING:
        return legal_plays(s, seat, out)
    if s.phase == WINDOW:
        return legal_window(s, seat, out)
    if s.phase == ICON:
        return legal_icon(s, seat, out)
    if s.phase == GIVING or s.phase == RETURNING:
        return legal_gifts(s, seat, out)
    if s.phase == ANSWERING:
        return legal_answers(s, seat, out)
    if s.phase == AGAIN:
        return legal_again(s, seat, out)
    if s.phase == FORECASTING:
        return legal_forecasts(s, out)
    out[0] = TAKE
    out[1] = REFUSE
    return 2


def apply(s, seat, action):
    """One step of `seat`, which must be asked, with one of its legal actions."""
    if s.phase == PLAYING:
        play_step(s, seat, action)
    elif s.phase == WINDOW:
        window_step(s, seat, action)
    elif s.phase == ICON:
        icon_step(s, seat, action)
    elif s.phase == GIVING or s.phase == RETURNING:
        gift_step(s, seat, action)
    elif s.phase == REFUSING:
        insured_step(s, seat, action)
    elif s.phase == AGAIN:
        again_step(s, seat, action)
    elif s.phase == ANSWERING:
        answer_step(s, seat, action)
    else:
        if action != SKIP:
            s.forecast = action - PLACE
        end_turn(s)


# --- the play ---------------------------------------------------------------------------------------------------------


def can_forge(s, seat, kind):
    """Whether Counterfeiter lets a bill be played as the number one higher or lower (C36)."""
    return has(s, seat, COUNTERFEITER) and s.done & FORGED == 0 and kind > ZERO and kind < WILD


def forgeries(s, kind):
    """Mask of the numbers a regular bill may be played as: its own, one higher, one lower, within the game's."""
    mask = (1 << kind - 1 | 1 << kind + 1) & ((1 << s.numbers) - 1) << ONE
    return mask | 1 << kind


def playable(s, seat, frozen):
    """Mask of the kinds that could be played if nothing may be added to the stacks in `frozen`."""
    mask = 0
    for kind in range(KINDS):
        if kind < WILD:
            free = 1 << kind
            if can_forge(s, seat, kind):
                free = forgeries(s, kind)
            if free & ~frozen:
                mask |= 1 << kind
        elif kind == WILD:
            if s.stacks & ~frozen:
                mask |= 1 << kind
        elif multi_places(kind) & ~frozen:
            mask |= 1 << kind
    return mask


def barred(s, seat):
    """Mask of the frozen stacks: none if the hand leaves no other play (C21)."""
    if s.frozen == 0:
        return 0
    mask = playable(s, seat, s.frozen)
    for kind in range(KINDS):
        if s.hands[seat][kind] > 0 and (mask >> kind) & 1:
            return s.frozen
    return 0


def legal_plays(s, seat, out):
    """A bill of the hand; which of them, as what, and where, if that is to be chosen."""
    n = 0
    if s.plain:
        for kind in range(ONE, ONE + s.numbers):
            out[n] = PLAY + kind
            n += s.hands[seat][kind] > 0
        return n
    if s.step == PRINT_NEXT:
        return legal_prints(s, seat, s.bill, out)
    frozen = barred(s, seat)
    if s.step == AS_NEXT:
        if s.bill < MULTI or s.bill >= ICONS:
            return legal_places(forgeries(s, kind_of(s.bill)) & ~frozen, PLACE, out, 0)
        mask = 0
        for place in range(PLACES):
            if (multi_places(s.bill) >> place) & 1 and ons(s, s.bill, place, frozen) != 0:
                mask |= 1 << place
        return legal_places(mask, PLACE, out, 0)
    if s.step == ON_NEXT:
        if s.bill == WILD:
            return legal_places(s.stacks & ~frozen, PLACE, out, 0)
        mask = ons(s, s.bill, s.upright, frozen)
        n = legal_places(mask, PLACE, out, 0)
        out[n] = NEW
        n += (mask >> PLACES) & 1
        return n
    able = playable(s, seat, frozen)
    for kind in range(KINDS):
        out[n] = PLAY + kind
        n += (s.hands[seat][kind] > 0) & ((able >> kind) & 1)
    if s.plays > 0:
        out[n] = SKIP
        n += 1
    return n


def ons(s, kind, place, frozen):
    """Where a multinumber may go, upright with the number of `place`: mask of places, PLACES for a new stack (C11)."""
    if (s.stacks >> place) & 1:
        return (1 << place) & ~frozen
    return (multi_places(kind) & s.stacks & ~frozen) | 1 << PLACES


def play_step(s, seat, action):
    """One step of playing a bill."""
    if s.step == NOTHING:
        if action == SKIP:
            s.phase = WINDOW
            return
        kind = action - PLAY
        if s.plain:
            lands(s, seat, kind, kind, kind)
        elif kind < WILD:
            s.bill = only_print(s, seat, kind)
            if s.bill == NOBODY:
                s.bill = kind
                s.step = PRINT_NEXT
            else:
                printed_play(s, seat)
        else:
            s.bill = kind
            s.step = ON_NEXT if kind == WILD else AS_NEXT
    elif s.step == PRINT_NEXT:
        s.bill = code_of(s.bill, action - PRINT)
        printed_play(s, seat)
    elif s.step == AS_NEXT:
        s.upright = action - PLACE
        if s.bill < MULTI or s.bill >= ICONS:
            forged = FORGED if s.upright != kind_of(s.bill) else 0
            lands(s, seat, s.bill, s.upright, s.upright)
            s.done |= forged
        else:
            s.step = ON_NEXT
    elif s.bill == WILD:
        lands(s, seat, WILD, action - PLACE, action - PLACE)
    else:
        lands(s, seat, s.bill, s.upright, s.upright if action == NEW else action - PLACE)


def printed_play(s, seat):
    """A regular bill: it goes to its number, unless a Counterfeiter chooses."""
    kind = kind_of(s.bill)
    if can_forge(s, seat, kind):
        s.step = AS_NEXT
    else:
        lands(s, seat, s.bill, kind, kind)


def lands(s, seat, code, place, on):
    """A bill of the hand comes to lie on a stack, which then has the number of `place`, or starts one (C4, C11)."""
    if (s.frozen >> on) & 1:
        s.lacks[seat] |= playable(s, seat, s.frozen)  # everybody sees that nothing else could be played
    leaves(s, seat, code)
    if on != place:
        renumber(s, on, place)
    put(s, place, code, place - LOW)
    s.played |= 1 << place
    if s.plain:
        check_full(s, place)
        s.phase = WINDOW
        return
    forget(s)
    s.plays += 1
    s.touched |= 1 << place
    if s.forecast != NOBODY:
        comes_true(s, place)
        if s.phase == OVER:
            return
    s.after_play = 1
    if s.action_fund:
        wakes(s, seat, s.top[place], place)
    go_on(s)


# --- the window -------------------------------------------------------------------------------------------------------


def legal_window(s, seat, out):
    """One claim, or shopping instead; full stacks to push; the end when nothing full can be pushed any more."""
    if s.step == TO_NEXT:
        return legal_seats(s, seat, targets(s, s.chosen), PUSH, out, 0)
    if s.step != NOTHING:
        return legal_shop_step(s, seat, out)
    n = 0
    if s.done & CLAIMED == 0:
        mask = claimable(s, seat)
        if s.plain:
            for place in range(ONE, ONE + s.numbers):
                out[n] = CLAIM + place
                n += (mask >> place) & 1
        else:
            n = legal_places(mask, CLAIM, out, n)
    full = pushable(s)
    if full == 0:
        out[n] = END
        n += 1
    else:
        # the lowest number is pushed in one step, another is named first
        first = lowest_place(full)
        n = legal_seats(s, seat, targets(s, first), PUSH, out, n)
        if full & (full - 1):
            n = legal_places(full & ~(1 << first), PLACE, out, n)
    if s.shopping_spree:
        n = legal_shop(s, seat, out, n)
    return n


def lowest_place(mask):
    """The lowest place of a mask that is not empty."""
    if mask & 255:
        return lowest(mask & 255)
    return 8 + lowest(mask >> 8)


def window_step(s, seat, action):
    """One step in the window."""
    if s.step == TO_NEXT:
        place = s.chosen
        forget(s)
        push(s, seat, place, at_distance(s, seat, action - PUSH))
        go_on(s)
    elif s.step != NOTHING:
        shop_step(s, seat, action)
    elif action == END:
        ends(s)
    elif action >= PUSH and action < PUSH + SEATS:
        push(s, seat, lowest_place(pushable(s)), at_distance(s, seat, action - PUSH))
        go_on(s)
    elif action >= CLAIM and action < CLAIM + PLACES:
        s.done |= CLAIMED
        take(s, seat, action - CLAIM)
        go_on(s)
    elif action >= PLACE and action < PLACE + PLACES:
        s.chosen = action - PLACE
        s.step = TO_NEXT
    else:
        shop_step(s, seat, action)


# --- the end of a turn, and of the match ------------------------------------------------------------------------------


def following(s):
    """Who takes the next turn: whom somebody chose, or the neighbour."""
    if s.next != NOBODY:
        return s.next
    seat = s.turn + s.direction
    if seat < 0:
        return s.players - 1
    return seat if seat < s.players else 0


def last_turn(s):
    """Whether the match ends with this turn: all hands are empty (run-out), or the bell rings (C9)."""
    return s.held == 0 or s.turns + 1 >= s.most_turns


def ends(s):
    """The window closes; a Forecast is said now (C37)."""
    s.forecast = NOBODY
    if has(s, s.turn, FORECAST) and following(s) != s.turn and not last_turn(s):
        s.phase = FORECASTING
    else:
        end_turn(s)


def end_turn(s):
    """The next player, unless the match ends."""
    s.full = 0
    s.played = 0
    s.done = 0
    s.plays = 0
    if s.action_fund:
        for v in range(NUMBERS):
            s.icons_used[v] = 0
    if last_turn(s):
        s.turns += 1
        finish(s)
        return
    s.turns += 1
    seat = following(s)
    s.stretched = NOBODY
    if s.next != NOBODY and s.chooser == s.next:
        s.stretched = seat
    s.next = NOBODY
    s.chooser = NOBODY
    begin_turn(s, seat)


def begin_turn(s, seat):
    """The own lock falls; who has nothing to play goes on to the window (C12)."""
    s.turn = seat
    s.asking = seat
    if s.lock[seat] > 0:
        s.lock[seat] = 0
        relock(s)
    s.phase = PLAYING
    if s.size[seat] == 0:
        s.phase = WINDOW
    elif s.stacks == 0 and s.hands[seat][WILD] == s.size[seat]:
        opens(s, seat, WILD)  # everybody sees that there is nothing else in this hand
        s.phase = WINDOW


def score(s, out):
    """The money of every seat: the value of its row, and its coins."""
    for seat in range(s.players):
        out[seat] = s.money[seat]


def winners(s, out):
    """Who reached a goal; else the most money, then the fewest stacks (C9). `out` is working space for the scores."""
    score(s, out)
    if s.won != 0:
        return s.won
    best = 0
    mask = 0
    for seat in range(s.players):
        better = s.money[seat] - s.money[best]
        if better == 0:
            better = s.count[best] - s.count[seat]
        if better > 0:
            mask = 0
            best = seat
        if better >= 0:
            mask |= 1 << seat
    return mask
