"""Moves of Claim that a sequence of action ids of rules.py makes: `move`. Plain Python."""

from __future__ import annotations

from typing import Any

from outbid.games.claim import rules, shop, stacks
from outbid.games.claim.state import (
    ACCEPT, AGAIN, AUDIT, BUY, CALL, CALL_IN, CLAIM, CODE, COIN, END, FAST_TRACK, FOR, FORECASTING, FROZEN, GIVING,
    ICON, ICONS, ICON_NAMES, LOW, MERGER, MULTI, NEW, OFFER, PLACE, PLAY, PLAYING, PRINT, PRODUCTS, PURCHASE, PUSH,
    REFUND, REFUSE, RETURNING, SEAT, SKIP, TAKE, UNDER, USE, U_TURN, VAULT, WILD, WINDOW, WITHDRAW,
)  # fmt: skip
from outbid.games.claim.text.views import HOWS, bill_name


def move(s: Any, seat: int, actions: list[int]) -> dict[str, Any]:
    """The move that a complete sequence of actions from this state makes."""
    first = actions[0]
    if s.phase == PLAYING:
        return {"do": "skip"} if first == SKIP else _play_made(s, seat, actions)
    if s.phase == WINDOW:
        return _window_made(s, seat, actions)
    if s.phase == ICON:
        if first == SKIP:
            return {"do": "skip"}
        return {"do": "icon", "icon": ICON_NAMES[s.icon], **_icon_made(s, seat, actions)}
    if s.phase in (GIVING, RETURNING):
        return {"do": "give", "bill": bill_name(_bill_made(s, seat, actions))}
    if s.phase == AGAIN:
        return {"do": "push", "stack": s.pushed - LOW, "to": stacks.at_distance(s, seat, first - SEAT)}
    if s.phase == FORECASTING and first != SKIP:
        return {"do": "forecast", "number": first - PLACE - LOW}
    return {"do": {SKIP: "skip", TAKE: "take", REFUSE: "refuse", ACCEPT: "accept"}[first]}


def _bill_made(s: Any, seat: int, actions: list[int]) -> int:
    """The code of the bill that PLAY and perhaps PRINT name in a hand."""
    kind = actions[0] - PLAY
    if len(actions) > 1 and PRINT <= actions[1] < PLACE:
        return int(stacks.code_of(kind, actions[1] - PRINT))
    return int(stacks.only_print(s, seat, kind))


def _play_made(s: Any, seat: int, actions: list[int]) -> dict[str, Any]:
    code = _bill_made(s, seat, actions)
    made: dict[str, Any] = {"do": "play", "bill": bill_name(code)}
    rest = [action for action in actions[1:] if action >= PLACE]
    if code == WILD:
        made["on"] = rest[0] - PLACE - LOW
    elif MULTI <= code < ICONS:
        made["as"] = rest[0] - PLACE - LOW
        made["on"] = None if rest[1] == NEW else rest[1] - PLACE - LOW
    elif rest and rest[0] - PLACE != stacks.kind_of(code):
        made["as"] = rest[0] - PLACE - LOW
    return made


def _window_made(s: Any, seat: int, actions: list[int]) -> dict[str, Any]:
    first = actions[0]
    if first == END:
        return {"do": "end"}
    if CLAIM <= first < PUSH:
        return {"do": "claim", "stack": first - CLAIM - LOW}
    if PUSH <= first < END or PLACE <= first < NEW:
        place = rules.lowest_place(stacks.pushable(s)) if first >= PUSH else first - PLACE
        return {"do": "push", "stack": place - LOW, "to": stacks.at_distance(s, seat, actions[-1] - PUSH)}
    if first == PURCHASE:
        other = stacks.at_distance(s, seat, actions[1] - SEAT)
        place = actions[2] - PLACE
        kind = stacks.row_value(s, stacks.find(s, other, place)) + LOW
        codes = [stacks.code_of(kind, w) for w in range(9 if stacks.has_icons(s, kind) else 1)]
        code = stacks.code_of(kind, actions[3] - PRINT) if len(actions) > 3 else next(
            code for code in codes if shop.can_give(s, seat, code)
        )
        return {"do": "purchase", "stack": place - LOW, "from": other, "bill": bill_name(code)}
    if first == OFFER:
        middle = actions.index(FOR)
        to = stacks.at_distance(s, seat, actions[1] - SEAT)
        give, get = _side_made(s, actions[2:middle]), _side_made(s, actions[middle + 1 :])
        return {"do": "offer", "to": to, "give": give, "get": get}
    made = {
        "do": "buy",
        "product": PRODUCTS[first - BUY],
        "pay": [action - PLACE - LOW for action in actions if PLACE <= action < NEW],
    }
    coins = actions.count(COIN)
    return made | ({"coins": coins} if coins else {})


def _side_made(s: Any, actions: list[int]) -> dict[str, Any]:
    bills = []
    for n, action in enumerate(actions):
        if action < PRINT:
            named_print = stacks.has_icons(s, action - PLAY)
            bills.append(bill_name(stacks.code_of(action - PLAY, actions[n + 1] - PRINT if named_print else 0)))
    numbers = [action - PLACE - LOW for action in actions if PLACE <= action < NEW]
    return {"bills": bills, "stacks": numbers, "coins": actions.count(COIN)}


def _icon_made(s: Any, seat: int, actions: list[int]) -> dict[str, Any]:
    first = actions[0]
    if s.icon == VAULT:
        return {"stack": first - PLACE - LOW, "lock": "frozen" if actions[1] == FROZEN else "closed"}
    if s.icon in (FAST_TRACK, U_TURN):
        return {} if first == USE else {"next": stacks.at_distance(s, seat, first - SEAT)}
    if s.icon == AUDIT:
        return {"of": stacks.at_distance(s, seat, first - SEAT), "number": actions[1] - PLACE - LOW}
    if s.icon == REFUND:
        made: dict[str, Any] = {"stack": first - PLACE - LOW, "how": {n: w for w, n in HOWS.items()}[actions[1]]}
        if actions[1] == WITHDRAW:
            made["bill"] = bill_name(_withdrawn(s, seat, actions))
        return made
    if s.icon == MERGER:
        return {"from": first - PLACE - LOW, "onto": actions[1] - PLACE - LOW}
    if s.icon == CALL_IN and first == CALL:
        return {"push": actions[1] - PLACE - LOW, "to": stacks.at_distance(s, seat, actions[2] - PUSH)}
    if s.icon == CALL_IN:
        return {"defer": actions[1] - PLACE - LOW}
    return {}


def _withdrawn(s: Any, seat: int, actions: list[int]) -> int:
    """The code of the bill that a Refund takes to the hand."""
    kind = actions[2] - PLAY
    if len(actions) > 3:
        return int(stacks.code_of(kind, actions[3] - PRINT))
    node = stacks.find(s, seat, actions[0] - PLACE)
    while stacks.kind_of(s.nodes[CODE + 4 * node]) != kind:
        node = s.nodes[UNDER + 4 * node]
    return int(s.nodes[CODE + 4 * node])
