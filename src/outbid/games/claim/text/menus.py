"""What an asked seat of Claim may do, as a list of choices. Plain Python."""

from collections.abc import Iterator
from typing import Any

from outbid.core.menu import Choice
from outbid.games.claim import icons, rules, shop, stacks
from outbid.games.claim.state import (
    AGAIN, ANSWERING, AUDIT, CALL_IN, CLAIMED, FAST_TRACK, FORECASTING, GIVING, ICON, ICON_NAMES, LOW, MERGER,
    MULTI, MULTIS, OFFERED, PLACES, PLAYING, PRODUCTS, REFUND, REFUSING, RETURNING, SHELF, SHOWS, U_TURN, VAULT,
    WILD, WINDOW,
)  # fmt: skip
from outbid.games.claim.text.views import CODE_OF, LOCKS, bill_name, codes_in, hand, numbers_in, order, purse, seats_in


def choices(s: Any, seat: int) -> Iterator[Choice | dict[str, Any]]:
    """What an asked seat may do, from a state hidden for it (or the true one: they are the same)."""
    yield from small_moves(s, seat)
    if s.phase == WINDOW and s.shopping_spree and not s.done & CLAIMED:
        yield from _shopping(s, seat)


def small_moves(s: Any, seat: int) -> Iterator[dict[str, Any]]:
    """All moves of an asked seat but those of shopping."""
    if s.phase == PLAYING:
        yield from _plays(s, seat)
    elif s.phase == WINDOW:
        yield from _window_moves(s, seat)
    elif s.phase == ICON:
        for fields in _icon_moves(s, seat):
            yield {"do": "icon", "icon": ICON_NAMES[s.icon], **fields}
        yield {"do": "skip"}
    elif s.phase in (GIVING, RETURNING):
        wanted = SHOWS[s.number] if s.phase == GIVING else -1
        for name in dict.fromkeys(hand(s, seat)):
            if wanted >> stacks.kind_of(CODE_OF[name]) & 1:
                yield {"do": "give", "bill": name}
    elif s.phase == REFUSING:
        yield from ({"do": "take"}, {"do": "refuse"})
    elif s.phase == AGAIN:
        for to in seats_in(s, stacks.targets(s, s.pushed) & ~(1 << s.whom)):
            yield {"do": "push", "stack": s.pushed - LOW, "to": to}
    elif s.phase == ANSWERING:
        if shop.lawful(s, s.actor, seat):
            yield {"do": "accept"}
        yield {"do": "refuse"}
    elif s.phase == FORECASTING:
        for number in numbers_in(icons.in_game(s)):
            yield {"do": "forecast", "number": number}
        yield {"do": "skip"}


def _plays(s: Any, seat: int) -> Iterator[dict[str, Any]]:
    frozen = rules.barred(s, seat)
    for name in dict.fromkeys(hand(s, seat)):
        code = CODE_OF[name]
        kind = stacks.kind_of(code)
        if kind == WILD:
            for number in numbers_in(s.stacks & ~frozen):
                yield {"do": "play", "bill": name, "on": number}
        elif kind >= MULTI:
            for upright in MULTIS[kind - MULTI]:
                mask = rules.ons(s, kind, upright + LOW, frozen)
                for number in numbers_in(mask):
                    yield {"do": "play", "bill": name, "as": upright, "on": number}
                if mask >> PLACES & 1:
                    yield {"do": "play", "bill": name, "as": upright, "on": None}
        else:
            forged = rules.forgeries(s, kind) if rules.can_forge(s, seat, kind) else 1 << kind
            for number in numbers_in(forged & ~frozen):
                yield {"do": "play", "bill": name} | ({} if number == kind - LOW else {"as": number})
    if s.plays:
        yield {"do": "skip"}


def _window_moves(s: Any, seat: int) -> Iterator[dict[str, Any]]:
    if not s.done & CLAIMED:
        for number in numbers_in(stacks.claimable(s, seat)):
            yield {"do": "claim", "stack": number}
    full = numbers_in(stacks.pushable(s))
    for number in full:
        for to in seats_in(s, stacks.targets(s, number + LOW)):
            yield {"do": "push", "stack": number, "to": to}
    if not full:
        yield {"do": "end"}


def _icon_moves(s: Any, seat: int) -> Iterator[dict[str, Any]]:
    if s.icon == VAULT:
        for number in numbers_in(s.stacks):
            for lock in LOCKS:
                yield {"stack": number, "lock": lock}
    elif s.icon == FAST_TRACK or (s.icon == U_TURN and s.players == 2):
        for to in seats_in(s, icons.next_seats(s, seat)):
            yield {"next": to}
    elif s.icon == AUDIT:
        for of in seats_in(s, icons.auditable(s, seat)):
            for number in numbers_in(icons.in_game(s)):
                yield {"of": of, "number": number}
    elif s.icon == REFUND:
        for number in numbers_in(s.owns[seat]):
            yield from _refund_moves(s, seat, number)
    elif s.icon == MERGER:
        for number in numbers_in(icons.mergeable(s)):
            for other in numbers_in(icons.onto(s, number + LOW)):
                yield {"from": number, "onto": other}
    elif s.icon == CALL_IN:
        for number in numbers_in(icons.callable_stacks(s)):
            for to in seats_in(s, stacks.able(s, number + LOW)):
                yield {"push": number, "to": to}
        for number in numbers_in(icons.deferrable(s)):
            yield {"defer": number}
    else:
        yield {}


def _refund_moves(s: Any, seat: int, number: int) -> Iterator[dict[str, Any]]:
    held = {bill_name(code) for code in codes_in(s, stacks.find(s, seat, number + LOW))}
    for name in sorted(held, key=order):
        yield {"stack": number, "how": "withdraw", "bill": name}
    if not s.frozen >> number + LOW & 1:
        yield {"stack": number, "how": "redeposit"}
    yield {"stack": number, "how": "write_off"}


def _shopping(s: Any, seat: int) -> Iterator[Choice | dict[str, Any]]:
    """Products, purchases, and to whom an offer can be made."""
    for product in s.products[: min(SHELF, s.in_store)]:
        moves = tuple(_payments(s, seat, product))
        if moves:
            name = PRODUCTS[product]
            kind = {"do": "buy", "product": name}
            yield Choice(f"buy {name} with stacks and coins that reach {s.prices[product]}", kind, moves=moves)
    yield from purchases(s, seat)
    if not s.done & OFFERED:
        for to in seats_in(s, shop.partners(s, seat)):
            cards = (*hand(s, seat), *(f"stack {n}" for n in numbers_in(s.owns[seat])), *["coin"] * s.coins[seat])
            yield Choice(f"offer to {to} give … get …", {"do": "offer", "to": to}, cards=cards)


def purchases(s: Any, seat: int) -> Iterator[dict[str, Any]]:
    """All purchases of a stack for a bill."""
    for seller in seats_in(s, shop.sellers(s, seat)):
        for number in numbers_in(shop.buyable(s, seat, seller)):
            kind = stacks.row_value(s, stacks.find(s, seller, number + LOW)) + LOW
            prints = shop.payable_prints(s, seat, kind)
            for code in (stacks.code_of(kind, which) for which in range(9) if prints >> which & 1):
                yield {"do": "purchase", "stack": number, "from": seller, "bill": bill_name(code)}


def _payments(s: Any, seat: int, product: int) -> Iterator[dict[str, Any]]:
    """All ways to pay for a product."""
    numbers = purse(s, seat)
    for mask in range(1 << len(numbers)):
        pay = [number for n, number in enumerate(numbers) if mask >> n & 1]
        worth = sum(shop.price_worth(s, seat, number + LOW) for number in pay)
        for coins in range(s.coins[seat] + 1):
            if worth + coins >= s.prices[product]:
                yield {"do": "buy", "product": PRODUCTS[product], "pay": pay} | ({"coins": coins} if coins else {})
