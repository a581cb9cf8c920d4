"""What a seat sees of For-Ex, as JSON values, from a state already hidden for it. Plain Python.

Amounts are bucks: whole numbers, or halves such as 3.5. Currencies are named, sets of contract cards are letters.
"""

from collections.abc import Iterable
from typing import Any

from outbid.games.forex import rules
from outbid.games.forex.spaces import PHASES
from outbid.games.forex.state import (
    BUCK, COMMON, CONTRACTED, CURRENCIES, DIVESTING, EACH_DOWN, KINDS, LENT, NOBODY, OVER, REPLY, SETS, STACK,
    STRENGTHEN, STRONGEST, TURN, UNLIMITED,
)

LETTERS = "ABCDEF"
USES = ("free", "contract", "loan")


def bucks(halves: int) -> int | float:
    """An amount as it is written."""
    return int(halves) // BUCK if halves % BUCK == 0 else halves / BUCK


def sum_of(kind: int, halves: int) -> list[Any]:
    """An amount of a currency as a record writes it."""
    return [CURRENCIES[kind], bucks(halves)]


def exchange(s: Any, give: int, get: int, size: int = 1) -> tuple[list[Any], list[Any]]:
    """What so many bucks of the stronger of two currencies are at its rate: an amount of each."""
    return sum_of(give, rules.worth(s, give, get, size)), sum_of(get, rules.worth(s, get, give, size))


def purse(row: Iterable[int], empty: bool = True) -> dict[str, int | float]:
    """Amounts in bucks by currency; empty: also of those of which there is none."""
    return {CURRENCIES[kind]: bucks(n) for kind, n in enumerate(row) if empty or n}


def counted(row: Iterable[int], empty: bool = False) -> dict[str, int]:
    """Numbers of certificates by currency."""
    return {CURRENCIES[kind]: int(n) for kind, n in enumerate(row) if empty or n}


def named(mask: int) -> list[str]:
    """The currencies of a bit mask."""
    return [CURRENCIES[kind] for kind in range(KINDS) if mask >> kind & 1]


def pair(s: Any, first: int, second: int) -> dict[str, Any]:
    """A pair of currencies: which is the stronger, on which space, at which rate."""
    place = s.scale[first][second]
    strong, weak = (first, second) if place > 0 else (second, first)
    return {
        "pair": [CURRENCIES[first], CURRENCIES[second]],
        "stronger": CURRENCIES[strong],
        "weaker": CURRENCIES[weak],
        "space": abs(place),
        "rate": bucks(s.rates[abs(place) - 1]),
    }


def pairs(s: Any) -> list[dict[str, Any]]:
    """All 21 pairs (fewer with the parameter `currencies`)."""
    return [pair(s, first, second) for first in range(s.currencies) for second in range(first + 1, s.currencies)]


def sets_of(s: Any, seat: int, use: int) -> list[str]:
    """The letters of a seat's contracts, or of the contracts in its loan."""
    return [LETTERS[n] for n in range(SETS) if s.use[n] == use and s.owner[n] == seat]


def can_settle(s: Any, item: int) -> bool:
    """Whether the owner of a contract or loan could pay it now."""
    seat = s.owner[item]
    if s.use[item] == LENT:
        return all(s.money[seat][kind] >= s.debt[seat][kind] for kind in range(KINDS))
    return bool(s.money[seat][s.pays[item]] >= s.paid[item])


def item(s: Any, number: int) -> dict[str, Any]:
    """An item of the queue."""
    if number == STACK:
        left = [int(n) for n in s.dividends[s.dividend : s.dividend_cards]]
        return {"item": "dividends", "card": s.dividend, "pays": left[0], "left": left}
    seat = s.owner[number]
    if s.use[number] == LENT:
        return {
            "item": "loan",
            "owner": seat,
            "sets": sets_of(s, seat, LENT),
            "owed": purse(s.debt[seat], empty=False),
            "can_pay": can_settle(s, number),
        }
    return {
        "item": "contract",
        "owner": seat,
        "set": LETTERS[number],
        "pay": sum_of(s.pays[number], s.paid[number]),
        "receive": sum_of(s.gets[number], s.got[number]),
        "can_pay": can_settle(s, number),
    }


def display(s: Any, number: int) -> dict[str, Any]:
    """A set of contract cards."""
    seen: dict[str, Any] = {"set": LETTERS[number], "use": USES[s.use[number]]}
    if s.owner[number] != NOBODY:
        seen["owner"] = s.owner[number]
    if s.use[number] == CONTRACTED:
        seen["pay"] = sum_of(s.pays[number], s.paid[number])
        seen["receive"] = sum_of(s.gets[number], s.got[number])
    return seen


def parts(s: Any, seat: int, target: int) -> dict[str, int]:
    """What each currency of a seat converts to, in whole bucks of a currency."""
    return {CURRENCIES[kind]: rules.converted(s, kind, s.money[seat][kind], target) for kind in range(KINDS)}


def dropped(s: Any, seat: int, target: int) -> int:
    """Whole bucks in what rounding drops from each part; they count only where the total is rounded."""
    if s.final_rounding == EACH_DOWN:
        return 0
    rest = sum(rules.remainder(s, kind, s.money[seat][kind], target) for kind in range(KINDS))
    return int(rest // COMMON)


def valued(s: Any, target: int) -> list[int]:
    """What the money of each seat is worth in a currency."""
    return [sum(parts(s, seat, target).values()) + dropped(s, seat, target) for seat in range(s.players)]


def strongest(s: Any) -> dict[str, Any]:
    """The strongest currency now, or the first of those that tie; whether it is decided; those that tie, itself too."""
    tied = s.choices if s.phase == STRONGEST else rules.candidates(s)
    return {
        "currency": CURRENCIES[rules.measure(s)],
        "decided": s.strongest != NOBODY,
        "tied": named(tied) if tied & (tied - 1) and s.strongest == NOBODY else [],
    }


def collapsed(s: Any) -> list[str]:
    """The currencies whose certificates pay nothing now."""
    return [CURRENCIES[kind] for kind in range(s.currencies) if rules.pays_nothing(s, kind)]


def view(s: Any, seat: int) -> dict[str, Any]:
    """What a seat (−1: a spectator) sees, from a state hidden for it: only JSON values."""
    points = [0] * s.players
    winning, target = rules.winners(s, points), rules.measure(s)
    seen: dict[str, Any] = {
        "phase": PHASES[s.phase],
        "turn": s.turn,
        "turns": s.turns,
        "players": [
            {
                "money": purse(s.money[p]),
                "certificates": counted(s.certs[p]),
                "contracts": sets_of(s, p, CONTRACTED),
                "loan": {"sets": sets_of(s, p, LENT), "owed": purse(s.debt[p], empty=False)} if any(s.debt[p]) else None,
                "score": points[p],
                "parts": parts(s, p, target),
                "rest": dropped(s, p, target),
            }
            for p in range(s.players)
        ],
        "pairs": pairs(s),
        "strength": {CURRENCIES[kind]: s.strength[kind] for kind in range(s.currencies)},
        "strongest": strongest(s),
        "held": counted(s.held, empty=True),
        "stock": counted(s.stock, empty=True),
        "pays_nothing": collapsed(s),
        "sets": [display(s, n) for n in range(s.contract_sets)],
        "queue": [item(s, n) for n in s.queue[: s.queued]],
        "dividends": {"pays": [int(n) for n in s.dividends[: s.dividend_cards]], "spent": s.dividend},
        "bankrupt": s.bankrupt if s.bankrupt != NOBODY else None,
    }
    if s.phase == TURN:
        left = None if s.max_spot_offers == UNLIMITED else s.max_spot_offers - s.offers
        seen["spot"] = {
            "open": bool(rules.may_offer(s)), "done": bool(s.spotted), "left": left, "refused": refused(s),
        }  # fmt: skip
    if s.phase == REPLY:
        seen["offer"] = offer(s)
    if s.phase == DIVESTING:
        seen["divest"] = {"currency": CURRENCIES[s.give], "most": s.certs[s.asking][s.give], "for": s.sale}
    if s.phase in (STRENGTHEN, STRONGEST):
        seen["choose"] = named(s.choices)
    if s.phase == OVER:
        seen["winners"] = [p for p in range(s.players) if winning >> p & 1]
    return seen


def offer(s: Any) -> dict[str, Any]:
    """The spot offer that waits for an answer."""
    return spot(s, s.partner, s.give, s.get, s.unit)


def spot(s: Any, other: int, give: int, get: int, unit: int) -> dict[str, Any]:
    """A spot offer to another seat of 1 buck of one of two currencies, with the amounts that follow from the rate."""
    given, got = rules.swapped(s, give, get, unit), rules.swapped(s, get, give, unit)
    return {"with": other, "give": sum_of(give, given), "get": sum_of(get, got)}


def units(s: Any, give: int, get: int) -> list[int]:
    """The currencies of which a swap of two may be 1 buck, the stronger first."""
    strong = rules.stronger(s, give, get)
    return [strong, give + get - strong] if rules.either(s, give, get) else [strong]


def refused(s: Any) -> list[dict[str, Any]]:
    """The spot offers refused in this turn."""
    pairs = [(give, get) for give in range(KINDS) for get in range(KINDS) if give != get]
    offers = [(p, give, get, unit) for p in range(s.players) for give, get in pairs for unit in units(s, give, get)]
    return [
        spot(s, p, give, get, unit)
        for p, give, get, unit in offers
        if s.refused[p][give] >> rules.refusal(s, give, get, unit) & 1
    ]
