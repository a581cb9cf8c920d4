"""What a seat sees of Claim, as JSON values, from a state already hidden for it; names of bills. Plain Python."""

from collections.abc import Iterator
from typing import Any

from outbid.games.claim import rules, shop, stacks
from outbid.games.claim.hidden import knows
from outbid.games.claim.spaces import KIND_NAMES, PHASES
from outbid.games.claim.state import (
    AGAIN, ANSWERING, BESIDE, CLAIMED, CLOSED, CODE, COLLECTOR, CODES, FROZEN, GIVING, ICON, ICONS, ICON_NAMES,
    KINDS, LOW, NUMBERS, OFFERED, OFFSHORE, ONE, OVER, PLACES, PLAYING, PRODUCTS, REDEPOSIT, REFUSING,
    RETURNING, SHELF, UNDER, WINDOW, WITHDRAW, WRITE_OFF,
)  # fmt: skip


def bill_name(code: int) -> str:
    """A bill as records write it: "3", "-2", "w", "1/3", "3:vault"."""
    if code >= ICONS:
        v, icon = divmod(code - ICONS, 8)
        return f"{v + 1}:{ICON_NAMES[icon]}"
    return KIND_NAMES[code]


CODE_OF = {bill_name(code): code for code in range(CODES)}
LOCKS = {"closed": CLOSED, "frozen": FROZEN}
HOWS = {"withdraw": WITHDRAW, "redeposit": REDEPOSIT, "write_off": WRITE_OFF}


def order(name: str) -> int:
    """The place of a bill in a sorted list: by what it shows, then by its icon."""
    code = CODE_OF[name]
    return stacks.kind_of(code) * 9 + stacks.icon_of(code) + 1


def named(counts: Any, icons: Any) -> list[str]:
    """The names of counted bills, sorted. counts: by kind. icons: masks by number."""
    names = []
    for kind in range(KINDS):
        mask = int(icons[kind - ONE]) if ONE <= kind < ONE + NUMBERS else 0
        names += [bill_name(kind)] * (counts[kind] - mask.bit_count())
        if mask:
            names += [bill_name(stacks.code_of(kind, 1 + icon)) for icon in range(8) if mask >> icon & 1]
    return names


def hand(s: Any, seat: int) -> list[str]:
    """The bills of a hand, as far as the state shows them."""
    return named(s.hands[seat], s.icons_held[seat])


def known_to_all(s: Any, seat: int) -> list[str]:
    """The bills of a hand that everybody knows."""
    return named(s.open[seat], s.icons_open[seat])


def left_over(s: Any) -> list[str]:
    """The leftovers of the deal, in the order laid."""
    return [bill_name(abs(code) - 1) for code in s.centre if code]


def removed(s: Any) -> list[str]:
    """The leftovers that left the game at once."""
    return [bill_name(-code - 1) for code in s.centre if code < 0]


def nodes_in(s: Any, top: int) -> Iterator[int]:
    """The nodes of a stack, from its top down."""
    while top > 0:
        yield top
        top = s.nodes[UNDER + 4 * top]


def codes_in(s: Any, top: int) -> list[int]:
    """The codes of the bills of a stack, from its top down."""
    return [s.nodes[CODE + 4 * node] for node in nodes_in(s, top)]


def bills_from(s: Any, top: int) -> list[str]:
    """The bills of a stack, the lowest first; a bill that does not show its worth says it: "w=3", "1/3=1", "3=4"."""
    names = []
    for node in nodes_in(s, top):
        name, worth = bill_name(s.nodes[CODE + 4 * node]), str(stacks.worth_of(s, node))
        names.append(name if name.split(":")[0] == worth else f"{name}={worth}")
    return names[::-1]


def row(s: Any, seat: int) -> Iterator[int]:
    """The tops of a player's stacks, the first taken first."""
    tops = []
    top = s.row[seat]
    while top > 0:
        tops.append(top)
        top = s.nodes[BESIDE + 4 * top]
    return reversed(tops)


def numbers_in(mask: int) -> list[int]:
    """The numbers of a mask of places."""
    return [place - LOW for place in range(PLACES) if mask >> place & 1]


def seats_in(s: Any, mask: int) -> list[int]:
    """The seats of a mask."""
    return [seat for seat in range(s.players) if mask >> seat & 1]


def stack_seen(s: Any, place: int) -> dict[str, Any]:
    """A stack on the table."""
    full = bool(s.full >> place & 1)
    return {
        "number": place - LOW,
        "value": s.value[place],
        "bills": bills_from(s, s.top[place]),
        "coins": s.coins_on[place],
        "full": full,
        "closed": bool(s.closed >> place & 1),
        "frozen": bool(s.frozen >> place & 1),
        "played": bool(s.played >> place & 1),
        "targets": seats_in(s, stacks.targets(s, place) if full else 0),
    }


def player_seen(s: Any, seat: int, viewer: int) -> dict[str, Any]:
    """A player at the table."""
    covered = seat != viewer and stacks.has(s, seat, OFFSHORE) and s.phase != OVER
    stacks_ = [
        {
            "number": stacks.place_of(s, top) - LOW,
            "value": stacks.row_value(s, top),
            "counts": bool(stacks.counts(s, seat, stacks.place_of(s, top))),
            "bills": bills_from(s, top),
        }
        for top in row(s, seat)
    ]
    return {
        "hand": s.size[seat],
        "open": known_to_all(s, seat),
        "known": hand(s, seat) if knows(s, viewer, seat) else None,
        "count": s.count[seat],
        "row": None if covered else stacks_,
        "coins": s.coins[seat],
        "money": None if covered else s.money[seat],
        "zeros": None if covered else s.zero_bills[seat],
        "goal": stacks.goal_of(s, seat),
        "collects": stacks.collection(s) if stacks.has(s, seat, COLLECTOR) else None,
        "may_take": bool(s.may >> seat & 1),
        "products": [product for k, product in enumerate(PRODUCTS) if s.owned[seat] >> k & 1],
        "lock": lock_seen(s, seat),
    }


def lock_seen(s: Any, seat: int) -> dict[str, Any] | None:
    """A player's lock."""
    if s.lock[seat] == 0:
        return None
    return {"stack": stacks.locked(s, seat) - LOW, "lock": "frozen" if s.lock[seat] > PLACES else "closed"}


def view(s: Any, seat: int) -> dict[str, Any]:
    """What a seat (−1: a spectator) sees, from a state hidden for it: only JSON values."""
    seen: dict[str, Any] = {
        "phase": PHASES[s.phase],
        "turn": s.turn,
        "asking": s.asking if s.phase != OVER else None,
        "direction": s.direction,
        "turns": s.turns,
        "most_turns": s.most_turns,
        "zero_goal": s.zero_goal if s.zero_risk else None,
        "stacks": [stack_seen(s, place) for place in range(PLACES) if s.stacks >> place & 1],
        "players": [player_seen(s, other, seat) for other in range(s.players)],
        "hand": hand(s, seat) if seat >= 0 else None,
        "aside": s.aside,
        "gone": s.gone,
    }
    if any(s.centre):
        seen["left_over"] = {"bills": left_over(s), "removed": removed(s)}
    if s.shopping_spree:
        seen["shelf"] = [
            {"product": PRODUCTS[k], "price": s.prices[k]} for k in s.products[: min(SHELF, s.in_store)] if k >= 0
        ]
        seen["store"] = max(0, s.in_store - SHELF)
    if s.phase == PLAYING:
        seen["play"] = {"second": bool(s.plays)}
    elif s.phase == WINDOW:
        claimed = bool(s.done & CLAIMED)
        seen["window"] = {
            "claimed": claimed,
            "claimable": [] if claimed else numbers_in(stacks.claimable(s, s.turn)),
            "full": numbers_in(stacks.pushable(s)),
            "offered": bool(s.done & OFFERED),
        }
    elif s.phase == ICON:
        stack = None if s.icon_place < 0 else s.icon_place - LOW
        seen["icon"] = {"icon": ICON_NAMES[s.icon], "by": s.asking, "played_on": stack}
    elif s.phase in (GIVING, RETURNING):
        seen["audit"] = {"by": s.actor, "of": s.whom, "number": s.number - LOW}
    elif s.phase in (REFUSING, AGAIN):
        again = stacks.targets(s, s.pushed) & ~(1 << s.whom)
        seen["push"] = {"stack": s.pushed - LOW, "by": s.actor, "to": s.whom, "others": seats_in(s, again)}
    elif s.phase == ANSWERING:
        seen["offer"] = {"by": s.actor, "to": s.whom, "give": things(s, 0), "get": things(s, 1)}
    elif s.phase == OVER:
        seen["winners"] = seats_in(s, rules.winners(s, [0] * s.players))
        seen["ended"] = "goal" if s.won else "run-out" if s.held == 0 else "bell"
    return seen


def things(s: Any, side: int) -> dict[str, Any]:
    """One side of an offer: what is given (0) or wanted (1)."""
    return {
        "bills": named(s.named[side], s.icons_named[side]),
        "stacks": numbers_in(s.stacks_named[side]),
        "coins": s.coins_named[side],
    }


def purse(s: Any, seat: int) -> list[int]:
    """The numbers of the stacks that can pay for a product."""
    return [place - LOW for place in range(PLACES) if s.owns[seat] >> place & 1 and shop.price_worth(s, seat, place) > 0]


