"""Action Fund: what the icons do (RULES.md section 8), and how a turn goes on after them.

Compiled subset. The marks C1… are the rulings in RULES.md.
"""

from outbid.games.claim.stacks import (
    able, at_distance, check_win, code_of, departs, discard, earns, find, forget, has, joins, leaves, legal_places,
    legal_prints, legal_seats, legal_which, meets, only_code, only_print, over_full, place_of, prints_in, push, relock,
    settle, slow_down, stack_value, vacate, worth_of,
)  # fmt: skip
from outbid.games.claim.state import (
    AUDIT, CALL, CALLED_NEXT, CALL_IN, CLOSED, DEFER, DEFERRED_NEXT, DRAWN_NEXT, EXPRESS, FAST_TRACK, FROZEN,
    GIVING, HOW_NEXT, ICON, KINDS, LOCK_NEXT, MERGER, NOBODY, NOTHING, NUMBER_NEXT, ONE, ONTO_NEXT, OVER, PLACE, PLACES,
    PLAY, PLAYING, PRINT, PRINT_NEXT, PUSH, REDEPOSIT, REFUND, REFUSING, RETURNING, SEAT, SEVEN, SEVENS_FROM, SHOWS,
    SKIP, TO_NEXT, UNDER, USE, U_TURN, VAULT, WINDOW, WITHDRAW, WRITE_OFF, ZERO,
)  # fmt: skip


def go_on(s):
    """After a play, a claim, a push or an icon: a waking icon first, then the full check, then the window (C17)."""
    if s.phase == OVER or s.phase == REFUSING:
        return
    if s.icon != NOBODY:
        if can_use(s, s.asking):
            s.phase = ICON
            return
        s.icon = NOBODY
    s.asking = s.turn
    settle(s)
    s.phase = WINDOW
    if s.after_play:
        s.after_play = 0
        if s.plays == 1 and has(s, s.turn, EXPRESS) and s.size[s.turn] > 0:
            s.phase = PLAYING  # C36: the second bill of an Express Lane


def in_game(s):
    """Mask of the numbers that bills of this match can show."""
    mask = ((1 << s.numbers) - 1) << ONE
    if s.zero_risk or s.shopping_spree:
        mask |= 1 << ZERO
    if s.bad_investment or s.shopping_spree:
        mask |= 3
    if s.shopping_spree:
        mask |= 1 << SEVEN - 1
    if s.bad_investment and s.players >= SEVENS_FROM:
        mask |= 1 << SEVEN
    return mask


# --- what may be done -------------------------------------------------------------------------------------------------


def can_use(s, seat):
    """Whether the waking icon can do anything; if not, nobody is asked."""
    if s.icon == VAULT:
        return s.stacks != 0
    if s.icon == AUDIT:
        return auditable(s, seat) != 0
    if s.icon == REFUND:
        return s.owns[seat] != 0
    if s.icon == CALL_IN:
        return callable_stacks(s) != 0 or deferrable(s) != 0
    if s.icon == MERGER:
        return mergeable(s) != 0
    return True


def auditable(s, seat):
    """Mask of the other players who hold bills."""
    mask = 0
    for other in range(s.players):
        if other != seat and s.size[other] > 0:
            mask |= 1 << other
    return mask


def next_seats(s, seat):
    """Mask of the seats that may be given the next turn: oneself not twice in a row (C20)."""
    mask = (1 << s.players) - 1
    if s.stretched == seat:
        mask &= ~(1 << seat)
    return mask


def callable_stacks(s):
    """Mask of the stacks that Call-in may push: not full, not just played on, and somebody can claim them (C24)."""
    mask = 0
    left = s.stacks & ~s.closed & ~s.full & ~s.played
    for place in range(PLACES):
        if (left >> place) & 1 and able(s, place) != 0:
            if s.value[place] < s.full_threshold and s.value[place] > s.negative_threshold:
                mask |= 1 << place
    return mask


def deferrable(s):
    """Mask of the stacks that are full, or will be after the check (C24)."""
    mask = s.full
    for place in range(PLACES):
        if (s.touched & ~s.closed) >> place & 1 and over_full(s, place):
            mask |= 1 << place
    return mask


def onto(s, place):
    """Mask of the stacks onto which Merger may move the top bill of a stack (C25)."""
    if (s.closed | s.frozen) >> place & 1:
        return 0
    mask = s.stacks & ~s.closed & ~s.frozen & ~(1 << place)
    rest = s.nodes[UNDER + 4 * s.top[place]]
    if rest > 0:
        number = place_of(s, rest)
        if number != place and ((s.closed | s.frozen) >> number) & 1:
            return 0  # what is left would meet a locked stack
    return mask


def mergeable(s):
    """Mask of the stacks whose top bill Merger may move."""
    mask = 0
    for place in range(PLACES):
        if (s.stacks >> place) & 1 and onto(s, place) != 0:
            mask |= 1 << place
    return mask


def legal_icon(s, seat, out):
    """Use the icon, step by step, or skip it."""
    if s.step == LOCK_NEXT:
        out[0] = CLOSED
        out[1] = FROZEN
        return 2
    if s.step == NUMBER_NEXT:
        return legal_places(in_game(s), PLACE, out, 0)
    if s.step == HOW_NEXT:
        out[0] = WITHDRAW
        out[1] = WRITE_OFF
        out[2] = REDEPOSIT
        return 2 if (s.frozen >> s.chosen) & 1 else 3
    if s.step == DRAWN_NEXT:
        return legal_withdrawals(s, seat, out)
    if s.step == CALLED_NEXT:
        return legal_places(callable_stacks(s), PLACE, out, 0)
    if s.step == TO_NEXT:
        return legal_seats(s, seat, able(s, s.chosen), PUSH, out, 0)
    if s.step == DEFERRED_NEXT:
        return legal_places(deferrable(s), PLACE, out, 0)
    if s.step == ONTO_NEXT:
        return legal_places(onto(s, s.chosen), PLACE, out, 0)
    out[0] = SKIP
    if s.icon == VAULT:
        return legal_places(s.stacks, PLACE, out, 1)
    if s.icon == FAST_TRACK or (s.icon == U_TURN and s.players == 2):
        return legal_seats(s, seat, next_seats(s, seat), SEAT, out, 1)
    if s.icon == AUDIT:
        return legal_seats(s, seat, auditable(s, seat), SEAT, out, 1)
    if s.icon == REFUND:
        return legal_places(s.owns[seat], PLACE, out, 1)
    if s.icon == MERGER:
        return legal_places(mergeable(s), PLACE, out, 1)
    n = 1
    if s.icon == CALL_IN:
        out[n] = CALL
        n += callable_stacks(s) != 0
        out[n] = DEFER
        n += deferrable(s) != 0
        return n
    out[n] = USE
    return 2


def legal_withdrawals(s, seat, out):
    """Which bill of the stack: its kind, then, if the stack holds different ones of it, its icon."""
    top = find(s, seat, s.chosen)
    if s.bill != NOBODY:
        return legal_which(prints_in(s, top, s.bill), out)
    n = 0
    for kind in range(KINDS):
        out[n] = PLAY + kind
        n += prints_in(s, top, kind) != 0
    return n


# --- what is done -----------------------------------------------------------------------------------------------------


def icon_step(s, seat, action):
    """One step of using an icon."""
    if s.step == NOTHING:
        begins_icon(s, seat, action)
    elif s.step == LOCK_NEXT:
        s.lock[seat] = 1 + s.chosen + (PLACES if action == FROZEN else 0)
        relock(s)
        used(s)
    elif s.step == NUMBER_NEXT:
        audits(s, seat, s.other, action - PLACE)
    elif s.step == HOW_NEXT:
        if action == WITHDRAW:
            s.step = DRAWN_NEXT
        else:
            refunds(s, seat, s.chosen, action)
            used(s)
    elif s.step == DRAWN_NEXT:
        withdrawal_step(s, seat, action)
    elif s.step == CALLED_NEXT:
        s.chosen = action - PLACE
        s.step = TO_NEXT
    elif s.step == TO_NEXT:
        calls(s, seat, s.chosen, at_distance(s, seat, action - PUSH))
    elif s.step == DEFERRED_NEXT:
        s.full &= ~(1 << action - PLACE)
        s.touched &= ~(1 << action - PLACE)
        used(s)
    else:
        merges(s, seat, s.chosen, action - PLACE)
        used(s)


def begins_icon(s, seat, action):
    """The first step."""
    if action == SKIP:
        used(s)
    elif action == USE:
        if s.icon == U_TURN:
            s.direction = -s.direction
        elif s.icon_place != NOBODY:
            s.coins_on[s.icon_place] += 1
        else:
            earns(s, seat, 1)
            check_win(s, seat)
        used(s)
    elif action == CALL:
        s.step = CALLED_NEXT
    elif action == DEFER:
        s.step = DEFERRED_NEXT
    elif s.icon == FAST_TRACK or s.icon == U_TURN:
        s.next = at_distance(s, seat, action - SEAT)
        s.chooser = seat
        used(s)
    elif s.icon == AUDIT:
        s.other = at_distance(s, seat, action - SEAT)
        s.step = NUMBER_NEXT
    else:
        s.chosen = action - PLACE
        s.step = LOCK_NEXT if s.icon == VAULT else HOW_NEXT if s.icon == REFUND else ONTO_NEXT


def used(s):
    """The icon has had its effect, or none."""
    forget(s)
    s.icon = NOBODY
    go_on(s)


def audits(s, seat, other, place):
    """Ask a player for a bill that shows a number; who has none shows his hand to the auditor (C22)."""
    forget(s)
    s.icon = NOBODY
    for kind in range(KINDS):
        if (SHOWS[place] >> kind) & 1 and s.hands[other][kind] > 0:
            s.actor = seat
            s.whom = other
            s.number = place
            s.asking = other
            s.phase = GIVING
            return
    s.seen_by[other] |= 1 << seat
    s.lacks[other] |= SHOWS[place]
    go_on(s)


def legal_gifts(s, seat, out):
    """The audited player gives a bill that shows the number; the auditor gives any bill back."""
    if s.step == PRINT_NEXT:
        return legal_prints(s, seat, s.bill, out)
    wanted = SHOWS[s.number] if s.phase == GIVING else (1 << KINDS) - 1
    n = 0
    for kind in range(KINDS):
        out[n] = PLAY + kind
        n += (s.hands[seat][kind] > 0) & ((wanted >> kind) & 1)
    return n


def gift_step(s, seat, action):
    """One step of giving a bill."""
    if s.step == PRINT_NEXT:
        gives(s, seat, code_of(s.bill, action - PRINT))
        return
    code = only_print(s, seat, action - PLAY)
    if code == NOBODY:
        s.bill = action - PLAY
        s.step = PRINT_NEXT
    else:
        gives(s, seat, code)


def gives(s, seat, code):
    """A bill goes over, before all eyes (C14); the auditor gives one back."""
    forget(s)
    leaves(s, seat, code)
    if s.phase == GIVING:
        joins(s, s.actor, code)
        s.asking = s.actor
        s.phase = RETURNING
    else:
        joins(s, s.whom, code)
        s.actor = NOBODY
        s.whom = NOBODY
        s.number = NOBODY
        s.phase = WINDOW
        go_on(s)


def refunds(s, seat, place, how):
    """A stack of the own row goes back to the table, or out of the game (C23); one of negative value gone, that may win."""
    top = departs(s, seat, place)
    slow_down(s)
    if how == WRITE_OFF:
        discard(s, top)
    else:
        meets(s, place, top, stack_value(s, top), 0)
        s.touched |= 1 << place
        if seat == s.turn:
            s.played |= 1 << place
    check_win(s, seat)


def withdrawal_step(s, seat, action):
    """One step of choosing the bill that comes back to the hand."""
    if s.bill != NOBODY:
        withdraws(s, seat, code_of(s.bill, action - PRINT))
        return
    s.bill = action - PLAY
    code = only_code(prints_in(s, find(s, seat, s.chosen), s.bill), s.bill)
    if code != NOBODY:
        withdraws(s, seat, code)


def withdraws(s, seat, code):
    """One bill of the stack to the hand, the rest out of the game."""
    top = departs(s, seat, s.chosen)
    slow_down(s)
    discard(s, top)
    s.gone -= 1
    joins(s, seat, code)
    check_win(s, seat)
    used(s)


def calls(s, seat, place, to):
    """Call-in: a stack that is not full is pushed."""
    forget(s)
    s.icon = NOBODY
    s.phase = WINDOW
    push(s, seat, place, to)
    go_on(s)


def merges(s, seat, place, other):
    """Merger: the top bill of a stack goes onto another, which takes its number; stacks of one number combine (C25)."""
    top = s.top[place]
    rest = s.nodes[UNDER + 4 * top]
    value = s.value[place] - worth_of(s, top)
    coins = s.coins_on[place]
    grown = ((s.touched | s.full) >> place) & 1 != 0 or not over_full(s, place)
    number = place
    lower = s.top[other]
    lower_value = s.value[other] + worth_of(s, top)
    lower_coins = s.coins_on[other]
    vacate(s, place)
    vacate(s, other)
    if rest > 0:
        number = place_of(s, rest)
        grown = grown or s.top[number] > 0
        meets(s, number, rest, value, coins)
        if grown:
            s.touched |= 1 << number
        coins = 0
    s.nodes[UNDER + 4 * top] = lower
    meets(s, place, top, lower_value, lower_coins + coins)
    s.touched |= 1 << place
    if seat == s.turn:
        s.played |= 1 << place | 1 << number
