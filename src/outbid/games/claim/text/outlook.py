"""What follows from a choice of Claim, for those who draw the table: from a state hidden for the viewer. Plain Python.

Stacks go by their numbers here. Of a row that an Offshore Account covers nothing is said.
"""

from __future__ import annotations

from typing import Any

from outbid.games.claim import rules, shop, stacks
from outbid.games.claim.hidden import knows
from outbid.games.claim.state import (
    COLLECTION,
    COLLECTOR,
    DEEP_FULL,
    DEEP_POCKETS,
    KINDS,
    LOOPHOLE,
    LOW,
    OFFSHORE,
    OVER,
    SMALL_CHANGE,
    SMALL_FULL,
    STRICT,
    WILD_TWO,
)
from outbid.games.claim.text.views import bill_name, goal_of, hand, known_to_all, purse, seats_in

__all__ = [
    "following", "forbids", "full_from", "hand", "is_closed", "is_full", "lies", "merged", "missing", "money", "purse",
    "takers", "takers_after", "value", "wanted", "will_be_full", "wins", "wins_now", "worth",
    "worth_after",
]  # fmt: skip


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


def will_be_full(s: Any, number: int) -> bool:
    """Whether a stack has grown in this turn and will be full when the icon is done."""
    place = number + LOW
    return bool((s.touched & ~s.closed & ~s.full) >> place & 1) and is_full(s, number, s.value[place])


def value(s: Any, number: int | None) -> int:
    """What the stack of a number is worth on the table; 0 without one."""
    return 0 if number is None else int(s.value[number + LOW])


def lies(s: Any, number: int | None) -> bool:
    """Whether there is a stack of this number on the table."""
    return number is not None and bool(s.stacks >> number + LOW & 1)


def is_closed(s: Any, number: int | None) -> bool:
    """Whether that stack is closed."""
    return number is not None and bool(s.closed >> number + LOW & 1)


def takers(s: Any, number: int) -> list[int]:
    """The seats that can be given the stack of a number now."""
    place = number + LOW
    if s.closed >> place & 1:
        return []
    return seats_in(s, stacks.targets(s, place) if s.full >> place & 1 else stacks.able(s, place))


def takers_after(s: Any, seat: int, number: int) -> list[int]:
    """The seats that a stack of a number could be pushed to if `seat` fills it now."""
    found = seats_in(s, stacks.able(s, number + LOW))
    own = s.push_reading == STRICT and s.diversity_b and number != 0 and not stacks.has(s, seat, LOOPHOLE)
    return [other for other in found if other != seat or not own]


def worth(s: Any, number: int) -> int:
    """What the stack of a number, with the coins on it, adds to a row."""
    return int(stacks.taken_value(s, number + LOW) + s.coins_on[number + LOW])


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
    if then >= goal_of(s, seat) or (s.zero_risk and s.zero_bills[seat] + zeros >= s.zero_goal):
        return True
    numbers = int(s.owns[seat] | 1 << number + LOW).bit_count()
    return bool(stacks.has(s, seat, COLLECTOR)) and numbers >= COLLECTION - (s.players < 4)


def wins_now(s: Any, viewer: int, seat: int, number: int) -> bool:
    """Whether a seat would win by taking the stack of a number as it lies on the table."""
    return wins(s, viewer, seat, number, worth(s, number), stacks.zeros_in(s, s.top[number + LOW]))


def forbids(s: Any, seat: int, number: int) -> str:
    """Which law keeps a seat from taking a stack of this number: "slow", "has", "product", or none."""
    place = number + LOW
    if not s.may >> seat & 1:
        return "slow"
    if number and s.diversity_a and s.owns[seat] >> place & 1:
        return "has"
    return "" if stacks.seats_that_fit(s, place) >> seat & 1 else "product"


def worth_after(s: Any, number: int, on: int | None, wild: bool) -> int:
    """What the stack of a number (none: a new one), with its coins, will add to a row when a bill has come onto it as
    `number`."""
    bill = WILD_TWO if wild and s.wild_worth == WILD_TWO else number
    return bill + (worth(s, on) if on is not None and lies(s, on) else 0)


def merged(s: Any, number: int, onto: int) -> int:
    """What a stack is worth when the top bill of another has come onto it."""
    return int(s.value[onto + LOW] + stacks.worth_of(s, s.top[number + LOW]))


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
