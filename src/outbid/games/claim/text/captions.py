"""What the table says beside its drawings of Claim, and what follows from a choice there. Plain Python.

From a state hidden for the viewer, who is the audience of `speak`. Stacks go by their numbers here. What has a capital and a
full stop is a sentence; the rest stands beside a drawing, on a button or in a sentence. Of a row that an Offshore Account
covers nothing is said.
"""

from collections.abc import Iterable
from typing import Any

from outbid.core.language.phrases import Speaker, capitalized, listed
from outbid.games.claim import icons, rules, shop, stacks
from outbid.games.claim.hidden import knows
from outbid.games.claim.state import (
    CLAIMED, CODE, COLLECTOR, DEEP_FULL, DEEP_POCKETS, KINDS, LOOPHOLE, LOW, OFFSHORE, OVER, SMALL_CHANGE,
    SMALL_FULL, STRICT, WILD_TWO, WINDOW,
)  # fmt: skip
from outbid.games.claim.text import _, ngettext
from outbid.games.claim.text.terms import TITLES, num, the_stacks
from outbid.games.claim.text.terms import stacks as number_of_stacks
from outbid.games.claim.text.views import bill_name, hand, known_to_all, numbers_in, seats_in


# --- stacks -----------------------------------------------------------------------------------------------------------


def lies(s: Any, number: int | None) -> bool:
    """Whether there is a stack of this number on the table."""
    return number is not None and bool(s.stacks >> number + LOW & 1)


def value_of(s: Any, number: int | None) -> int:
    """What the stack of a number is worth on the table; 0 without one."""
    return 0 if number is None else int(s.value[number + LOW])


def is_closed(s: Any, number: int | None) -> bool:
    """Whether that stack is closed."""
    return number is not None and bool(s.closed >> number + LOW & 1)


def full_from(s: Any, number: int) -> int:
    """The value from which a stack is full in this turn, by the products of whose turn it is."""
    if number in (1, 2) and stacks.has(s, s.turn, SMALL_CHANGE):
        return int(min(s.full_threshold, SMALL_FULL))
    return int(max(s.full_threshold, DEEP_FULL) if stacks.has(s, s.turn, DEEP_POCKETS) else s.full_threshold)


def is_full(s: Any, number: int, value: int) -> bool:
    """Whether a stack that has grown to a value is full, if it is not closed."""
    return value >= full_from(s, number) or value <= s.negative_threshold


def missing(s: Any, number: int, value: int) -> int:
    """How many more bills of its number fill a stack; 0: none ever does."""
    if number == 0:
        return 0
    left = full_from(s, number) - value if number > 0 else value - s.negative_threshold
    return max(1, -(-left // abs(number)))


def gauge(s: Any, number: int, value: int) -> tuple[int, int, int]:
    """How full a stack is, in dollars: what lies there, what one more of its number adds, what is then missing; 0, 0, 0 for
    zeros."""
    full = full_from(s, number) if number > 0 else -s.negative_threshold if number else 0
    lies = min(full, max(0, value if number > 0 else -value))
    more = min(full - lies, abs(number))
    return lies, more, full - lies - more


def will_be_full(s: Any, number: int) -> bool:
    """Whether a stack has grown in this turn and will be full when the icon is done."""
    return bool((icons.deferrable(s) & ~s.full) >> number + LOW & 1)


def merged(s: Any, number: int, onto: int) -> int:
    """What a stack is worth when the top bill of another has come onto it."""
    return int(s.value[onto + LOW] + stacks.worth_of(s, s.top[number + LOW]))


def worth(s: Any, number: int) -> int:
    """What the stack of a number, with the coins on it, adds to a row."""
    return int(stacks.taken_value(s, number + LOW) + s.coins_on[number + LOW])


def worth_after(s: Any, number: int, on: int | None, wild: bool) -> int:
    """What the stack of a number (none: a new one), with its coins, will add to a row when a bill has come onto it as
    `number`."""
    bill = WILD_TWO if wild and s.wild_worth == WILD_TWO else number
    return bill + (worth(s, on) if on is not None and lies(s, on) else 0)


# --- who can take a stack, and what follows -----------------------------------------------------------------------------


def takers(s: Any, number: int) -> list[int]:
    """The seats that can be given the stack of a number now."""
    place = number + LOW
    if s.closed >> place & 1:
        return []
    return seats_in(s, stacks.targets(s, place) if s.full >> place & 1 else stacks.able(s, place))


def takers_after(s: Any, seat: int, number: int) -> list[int]:
    """The seats that a stack of a number could be pushed to if `seat` fills it now."""
    able = seats_in(s, stacks.able(s, number + LOW))
    own = s.push_reading == STRICT and s.diversity_b and number != 0 and not stacks.has(s, seat, LOOPHOLE)
    return [other for other in able if other != seat or not own]


def money(s: Any, viewer: int, seat: int, number: int, gain: int) -> int | None:
    """The money of a seat after taking a stack of this number and worth; none if its row is covered."""
    if seat != viewer and stacks.has(s, seat, OFFSHORE) and s.phase != OVER:
        return None
    return int(s.money[seat] + gain * stacks.counts(s, seat, number + LOW))


def wins(s: Any, viewer: int, seat: int, number: int, gain: int, zeros: int = 0) -> bool:
    """Whether a seat would win with a stack of this number and worth, with so many bills that show 0."""
    then = money(s, viewer, seat, number, gain)
    if then is None:
        return False
    if then >= stacks.goal_of(s, seat) or (s.zero_risk and s.zero_bills[seat] + zeros >= s.zero_goal):
        return True
    numbers = int(s.owns[seat] | 1 << number + LOW).bit_count()
    return bool(stacks.has(s, seat, COLLECTOR)) and numbers >= stacks.collection(s)


def wins_now(s: Any, viewer: int, seat: int, number: int) -> bool:
    """Whether a seat would win by taking the stack of a number as it lies on the table."""
    return wins(s, viewer, seat, number, worth(s, number), stacks.zeros_in(s, s.top[number + LOW]))


def following(s: Any) -> int:
    """Who takes the next turn; −1 if the match ends first."""
    return -1 if rules.last_turn(s) else int(rules.following(s))


def wanted(s: Any, viewer: int, seat: int) -> list[str]:
    """The bills one may want of a hand: all of it if one knows it; otherwise those shown, and others that may be there."""
    if knows(s, viewer, seat):
        return hand(s, seat)
    shown = known_to_all(s, seat)
    other = [bill_name(kind) for kind in range(KINDS) if shop.exists(s, kind) and not s.lacks[seat] >> kind & 1]
    return shown + [name for name in other if name not in shown]


# --- money ------------------------------------------------------------------------------------------------------------


def change(s: Any, speak: Speaker, seat: int, number: int, value: int) -> str:
    """What a stack makes of a seat's money: "money 4 → 10", "+6 money" if the row is covered."""
    then = money(s, speak.audience, seat, number, value)
    if then is None:
        return _("money {gain}", gain=num(f"{value:+d}"))
    return _("money {now} → {then}", now=num(s.money[seat]), then=num(then))


def gain(s: Any, speak: Speaker, seat: int, number: int) -> str:
    """What the stack of a number, as it lies on the table, makes of a seat's money."""
    return change(s, speak, seat, number, worth(s, number))


# --- why not ----------------------------------------------------------------------------------------------------------


def forbids(s: Any, speak: Speaker, seat: int, number: int) -> str:
    """Why a seat can neither claim nor be given a stack; empty if it can. Without its subject if that is another."""
    place = number + LOW
    if not s.may >> seat & 1:
        own, other = _("you have {stacks}, the lowest count is {lowest}"), _("has {stacks}, the lowest count is {lowest}")
        return speak(seat, own, other, stacks=number_of_stacks(s.count[seat]), lowest=lowest(s))
    if number and s.diversity_a and s.owns[seat] >> place & 1:
        return speak(seat, _("you have {number}s already"), _("has {number}s already"), number=num(number))
    if stacks.seats_that_fit(s, place) >> seat & 1:
        return ""
    return _("a Penny Pincher takes no {number}s", number=num(number))


def lowest(s: Any) -> int:
    """The lowest count of stacks."""
    return int(min(s.count[: s.players]))


def unclaimed(s: Any, speak: Speaker, number: int) -> str:
    """Why the viewer cannot claim a stack in this window."""
    place = number + LOW
    if s.full >> place & 1:
        return _("full: it can only be pushed")
    if s.done & CLAIMED:
        return _("you have taken your claim")
    if s.closed >> place & 1:
        return _("closed: nobody can take it")
    return forbids(s, speak, speak.audience, number) or _("you have just played a {number}", number=num(number))


def unclaimable(s: Any, speak: Speaker) -> str:
    """Why the viewer can claim no stack at all."""
    numbers = numbers_in(s.stacks)
    if not s.may >> speak.audience & 1:
        return forbids(s, speak, speak.audience, 0)
    return listed(list(dict.fromkeys(unclaimed(s, speak, number) for number in numbers)))


def standing(s: Any, speak: Speaker, seat: int, number: int, able: Iterable[int]) -> tuple[str, str]:
    """Whether a seat can take a stack, as a mark (can, wins, ahead, has, never) and in words."""
    closed = s.closed >> number + LOW & 1
    mine = seat == s.turn and s.phase == WINDOW and not s.full >> number + LOW & 1
    if mine and not stacks.claimable(s, seat) >> number + LOW & 1 and not s.done & CLAIMED and seat in able:
        kind, words = "never", speak(seat, _("you have just played one"), _("has just played one"))
    elif seat in able:
        kind, words = "can", gain(s, speak, seat, number)
        if wins_now(s, speak.audience, seat, number):
            kind, words = "wins", speak(seat, _("{change}, win"), _("{change}, wins"), change=words)
    else:
        kind = "ahead" if not s.may >> seat & 1 else "never" if closed else "has"
        words = _("closed") if closed else forbids(s, speak, seat, number)
        words = words or speak(seat, _("you have just played one"), _("has just played one"))
    return kind, f"{speak.people(seat)}: {words}"


def ways(s: Any, speak: Speaker, number: int) -> str:
    """To whom a stack can go, and to whom not, and why."""
    able = takers(s, number)
    barred = listed([_barred(s, speak, seat, number) for seat in range(s.players) if seat not in able])
    if not able:
        return _("They can go to nobody, not to {barred}.", barred=barred)
    if barred:
        return _("They can go to {names}, not to {barred}.", names=some(speak, able), barred=barred)
    return _("They can go to {names}.", names=some(speak, able))


def _barred(s: Any, speak: Speaker, seat: int, number: int) -> str:
    why = forbids(s, speak, seat, number)
    return _("{who:you} ({why})", who=speak.people(seat), why=why) if why else some(speak, [seat])


def some(speak: Speaker, seats: Iterable[int]) -> str:
    """ "Bo, Cleo and you", to whom something can go."""
    return listed([_("{who:you}", who=speak.people(seat)) for seat in seats])


def one_of(speak: Speaker, seats: Iterable[int], turn: int = -1) -> str:
    """ "Bo, Cleo or you", to one of whom something goes; of who has the turn "yourself" or "themselves"."""
    selves = _("yourself") if speak.about(turn) else _("themselves")
    return listed([selves if seat == turn else _("{who:you}", who=speak.people(seat)) for seat in seats], "or")


# --- playing ----------------------------------------------------------------------------------------------------------


def fills(s: Any, number: int, on: int | None) -> bool:
    """Whether a bill of a number fills the stack of a number (none: a new one)."""
    return is_full(s, number, number + value_of(s, on)) and not is_closed(s, on)


def brief(s: Any, number: int, on: int | None) -> str:
    """What a bill makes of the stack it goes on."""
    full = fills(s, number, on)
    if not lies(s, on):
        return _("new stack: full") if full else _("new stack")
    value = num(number + value_of(s, on))
    return _("worth {value}: full", value=value) if full else _("worth {value}", value=value)


def landing(s: Any, speak: Speaker, number: int, on: int | None, wild: bool = False) -> str:
    """What a bill makes of the stack it goes on, and what follows."""
    full, closed = fills(s, number, on), is_closed(s, on)
    value = number + value_of(s, on)
    grown = _grown(number, on if lies(s, on) else None, full, closed)
    grown = grown.format(number=num(number), on=num(on), value=num(value))
    if closed:
        return grown
    if full:
        return f"{grown} {_receivers(s, speak, number, worth_after(s, number, on, wild))}"
    if number == 0:
        return grown + " " + _("They are never full.")
    more = missing(s, number, value)
    if s.diversity_b and not stacks.has(s, speak.audience, LOOPHOLE):
        return grown + " " + ngettext(
            "{n} more fills them; you cannot claim {number}s this turn.",
            "{n} more fill them; you cannot claim {number}s this turn.",
            more, number=num(number),
        )  # fmt: skip
    return grown + " " + ngettext("{n} more fills them.", "{n} more fill them.", more)


def _grown(number: int, on: int | None, full: bool, closed: bool) -> str:
    """That a stack has grown from a bill of a number; `on` is what it was, none: it is new."""
    if on is None:
        if full:
            return _("A new stack of {number}s, worth {value}: full.")
        return _("A new stack of {number}s, worth {value}.")
    if on != number:
        if closed:
            return _("The {on}s become {number}s, worth {value}; they are closed, so nobody takes them.")
        if full:
            return _("The {on}s become {number}s, worth {value}: full.")
        return _("The {on}s become {number}s, worth {value}.")
    if closed:
        return _("The {on}s become worth {value}; they are closed, so nobody takes them.")
    return _("The {on}s become worth {value}: full.") if full else _("The {on}s become worth {value}.")


def _receivers(s: Any, speak: Speaker, number: int, worth: int) -> str:
    """To whom a stack that becomes full could be pushed, and who would win with it."""
    good: list[str] = []
    bad: list[str] = []
    for seat in takers_after(s, speak.audience, number):
        win = wins(s, speak.audience, seat, number, worth)
        if seat == speak.audience:
            good.append(_("yourself and win") if win else _("yourself"))
        else:
            (bad if win else good).append(speak.names[seat])
    if not good and not bad:
        if s.no_target_rule:
            return _("Nobody can take them as it stands.")
        return _("Nobody can take them as it stands: then anybody may be given them.")
    lines = [_("You can push them to {names}.", names=listed(good, "or"))] if good else []
    if bad and good:
        lines.append(ngettext("{names} would win with them.", "{names} would win with them.", len(bad), names=listed(bad)))
    elif bad:
        lines.append(ngettext(
            "{names} would win with them, and as it stands nobody else can take them.",
            "{names} would win with them, and as it stands nobody else can take them.",
            len(bad), names=listed(bad),
        ))  # fmt: skip
    return " ".join(lines)


# --- the window -------------------------------------------------------------------------------------------------------


def pushed(s: Any, speak: Speaker, to: int, number: int) -> str:
    """What it means that somebody is given a stack."""
    words = {"number": num(number), "change": gain(s, speak, to, number)}
    if not wins_now(s, speak.audience, to, number):
        gets = speak(to, _("You get the {number}s: {change}."), _("{who} gets the {number}s: {change}."), **words)
        return f"{gets} {_taken(s, speak, to, number)}"
    own = _("You get the {number}s: {change}, and you win.")
    other = _("{who} gets the {number}s: {change}, and {who} wins the match.")
    return speak(to, own, other, **words)


def claimed(s: Any, speak: Speaker, number: int) -> str:
    """What it means that the viewer claims a stack."""
    me = speak.audience
    words = {"change": gain(s, speak, me, number), "goal": stacks.goal_of(s, me)}
    if wins_now(s, me, me, number):
        return _("They go to your row: {change} of {goal}, and you win.", **words)
    return _("They go to your row: {change} of {goal}.", **words) + " " + _taken(s, speak, me, number)


def accepted(s: Any, speak: Speaker, number: int) -> str:
    """What it means that the viewer, who is insured, takes what was pushed."""
    me = speak.audience
    row = _("They go to your row: {change}.", change=gain(s, speak, me, number))
    return row if wins_now(s, me, me, number) else f"{row} {_taken(s, speak, me, number)}"


def _taken(s: Any, speak: Speaker, seat: int, number: int) -> str:
    """What else happens when somebody takes a stack and does not win."""
    own, other = _("You have then {stacks}."), _("{who} has then {stacks}.")
    if s.reveal:
        own = _("You have then {stacks} and turn all {number}s in hand face up.")
        other = _("{who} has then {stacks} and turns all {number}s in hand face up.")
    text = speak(seat, own, other, stacks=number_of_stacks(s.count[seat] + 1), number=num(number))
    _number, _colon, icon = bill_name(s.nodes[CODE + 4 * s.top[number + LOW]]).partition(":")
    if icon:
        text += " " + speak(seat, _("Yours to use: {icon}."), _("{who}’s to use: {icon}."), icon=_(TITLES[icon]))
    return text


def coming(s: Any, speak: Speaker) -> str:
    """Who takes the next turn."""
    seat = following(s)
    if seat < 0:
        return _("the match ends")
    return speak(seat, _("you are next again"), _("{who} is next"))


def passing(s: Any, speak: Speaker, numbers: Iterable[int]) -> str:
    """What it means to end the turn without a claim that is possible."""
    nothing = _("You claim nothing this turn, though you could claim {stacks}.", stacks=the_stacks(map(num, numbers)))
    return f"{nothing} {capitalized(coming(s, speak))}."


def errands(buy: bool, purchase: bool, offer: bool) -> str:
    """What one can do in the shop: "Buy, purchase or offer a deal"."""
    ways = ([_("buy")] if buy else []) + ([_("purchase")] if purchase else []) + ([_("offer a deal")] if offer else [])
    return capitalized(listed(ways, "or"))
