"""Claim in words: deals and moves as records have them, and menus. Plain Python.

`steps` and `move` translate between a move as a player says it and the action ids of rules.py. What is seen and told is
in views.py, sentences.py and reasons.py; the engine and the tables know this module only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from outbid.engine.errors import BadSetup, Illegal, Unreadable
from outbid.engine.menu import Choice, Menu
from outbid.games.claim import icons, rules, shop, stacks
from outbid.games.claim.reasons import reason
from outbid.games.claim.sentences import board, masked, question, seats_words, told
from outbid.games.claim.state import (
    ACCEPT, AGAIN, ANSWERING, AUDIT, BUY, CALL, CALL_IN, CLAIM, CLAIMED, CLOSED, COIN, COUNTERFEITER, DEFER, DIVIDEND, DONE, END,
    FAST_TRACK, FOR, FORECASTING, FROZEN, GIVING, ICON, ICONS, ICON_NAMES, KINDS, LOOPHOLE, LOW, MERGER, MULTI, MULTIS, NEW, NUMBERS,
    OFFER, OFFERED, PLACE, PLACES, PLAY, PLAYING, PRINT, PRODUCTS, PURCHASE, PUSH, REDEPOSIT, REFUND, REFUSE, REFUSING,
    RESERVE, RETURNING, SEAT, SHELF, SKIP, TAKE, USE, U_TURN, VAULT, WILD, WINDOW, WITHDRAW, WRITE_OFF, ZERO,
)  # fmt: skip
from outbid.games.claim.views import CODE_OF, bill_name, hand, named, numbers_in, order, purse, seats_in, view

__all__ = [
    "EXPECTED", "board", "canonical", "deal_of", "load", "masked", "menu", "move", "parse", "question", "reason", "steps",
    "text", "told", "view",
]  # fmt: skip

# --- deals ------------------------------------------------------------------------------------------------------------


def deal_of(s: Any) -> dict[str, Any]:
    """The deal of a fresh match, as a record writes it."""
    centre = [bill_name(code - 1) for code in s.centre if code > 0]
    hands = [hand(s, seat) for seat in range(s.players)]
    aside = Counter(_deck(s, s.players))
    aside.subtract(centre)
    for held in hands:
        aside.subtract(held)
    made = {"start": s.turn, "hands": hands, "centre": centre, "aside": sorted(aside.elements(), key=order)}
    if s.shopping_spree:
        made["products"] = [PRODUCTS[product] for product in s.products]
        made["reserve"] = [bill_name(place) for place in s.reserve]
    return made


def _deck(s: Any, players: int) -> list[str]:
    """The names of all bills of the deck."""
    counts = [rules.copies_of(s, players, kind) for kind in range(KINDS)]
    used = range(rules.numbers_used(s, players))
    return named(counts, [shop.printed(s, v) if s.action_fund and v in used else 0 for v in range(NUMBERS)])


def load(s: Any, players: int, deal: Any) -> None:
    """Set a given deal. Raises BadSetup naming the key and what is wrong with it."""
    keys = ["start", "hands", "centre", "aside"] + (["products", "reserve"] if s.shopping_spree else [])
    if not isinstance(deal, dict):
        raise BadSetup(f"The deal must be an object with {', '.join(keys)}.")
    for key in keys:
        if key not in deal:
            raise BadSetup(f"The deal lacks the key {key!r}; it needs {', '.join(keys)}.")
    for key in deal:
        if key not in keys:
            raise BadSetup(f"The deal has an unknown key {key!r}; it needs {', '.join(keys)}.")
    start = deal["start"]
    if not isinstance(start, int) or isinstance(start, bool) or not 0 <= start < players:
        raise BadSetup(f"The deal's start is {start!r}; it must be a seat from 0 to {players - 1}.")
    deck = _deck(s, players)
    hands = deal["hands"]
    if not isinstance(hands, list) or len(hands) != players:
        raise BadSetup(f"The deal's hands must be a list of {players} hands.")
    limit = rules.hand_limit(s, players)
    each = min(limit, len(deck) // players)
    centre = len(deck) - each * players if len(deck) <= limit * players else 0
    sizes = [each] * players + [centre, len(deck) - each * players - centre]
    titles = [*(f"hand of seat {seat}" for seat in range(players)), "centre", "aside"]
    lots = [[_bill(name) for name in _listed(lot, title)] for lot, title in _lots(deal, titles)]
    for title, lot, size in zip(titles, lots, sizes, strict=True):
        if len(lot) != size:
            raise BadSetup(f"The deal's {title} has {len(lot)} bills; there must be {size}.")
    have, want = Counter(code for lot in lots for code in lot), Counter(CODE_OF[name] for name in deck)
    for code in sorted(have.keys() | want.keys()):
        if have[code] != want[code]:
            raise BadSetup(f"The deal has {have[code]} bills {bill_name(code)}; there must be {want[code]}.")
    if s.shopping_spree:
        s.products = _shuffled(deal["products"], "products", PRODUCTS, list(range(len(PRODUCTS))))
        s.reserve = _shuffled(deal["reserve"], "reserve", [bill_name(place) for place in RESERVE], list(RESERVE))
    rules.stock(s, players)
    for seat in range(players):
        for code in lots[seat]:
            rules.dealt(s, seat, code)
    for i, code in enumerate(lots[players]):
        s.centre[i] = 1 + code
    rules.begin(s, players, start)


def _lots(deal: dict[str, Any], titles: list[str]) -> Iterator[tuple[Any, str]]:
    yield from zip([*deal["hands"], deal["centre"], deal["aside"]], titles, strict=True)


def _listed(lot: Any, title: str) -> list[Any]:
    if not isinstance(lot, list):
        raise BadSetup(f"The deal's {title} must be a list of bills, not {lot!r}.")
    return lot


def _bill(name: Any) -> int:
    if not isinstance(name, str) or name not in CODE_OF:
        raise BadSetup(f"{name!r} is not a bill; a bill is, for example, 3, -2, w, 1/3 or 3:vault.")
    return CODE_OF[name]


def _shuffled(names: Any, key: str, expected: Any, codes: list[int]) -> list[int]:
    """The codes of names that must be those expected, in any order."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise BadSetup(f"The deal's {key} must be a list of names.")
    if Counter(names) != Counter(expected):
        raise BadSetup(f"The deal's {key} must be these, in any order: {', '.join(expected)}.")
    return [codes[list(expected).index(name)] for name in names]


# --- moves: what is said ----------------------------------------------------------------------------------------------

EXPECTED = {
    "play": (PLAYING,), "claim": (WINDOW,), "push": (WINDOW, AGAIN), "end": (WINDOW,), "icon": (ICON,),
    "skip": (ICON, PLAYING, FORECASTING), "give": (GIVING, RETURNING), "buy": (WINDOW,), "purchase": (WINDOW,),
    "offer": (WINDOW,), "accept": (ANSWERING,), "refuse": (ANSWERING, REFUSING), "take": (REFUSING,),
    "forecast": (FORECASTING,),
}  # fmt: skip
KEYS = {
    "play": ("bill", "as", "on"), "claim": ("stack",), "push": ("stack", "to"), "give": ("bill",),
    "buy": ("product", "pay", "coins"), "purchase": ("stack", "from", "bill"), "offer": ("to", "give", "get"),
    "forecast": ("number",),
}  # fmt: skip
ICON_KEYS = {
    "vault": ("stack", "lock"), "fast_track": ("next",), "u_turn": ("next",), "dividend": (), "audit": ("of", "number"),
    "refund": ("stack", "how", "bill"), "call_in": ("push", "to", "defer"), "merger": ("from", "onto"),
}  # fmt: skip
LOCKS = {"closed": CLOSED, "frozen": FROZEN}
HOWS = {"withdraw": WITHDRAW, "redeposit": REDEPOSIT, "write_off": WRITE_OFF}


def canonical(said: dict[str, Any]) -> dict[str, Any]:
    """A move with only its own keys, in the order a record has them."""
    do = said.get("do")
    if not isinstance(do, str):
        return dict(said)
    keys: tuple[str, ...] = KEYS.get(do, ())
    if do == "icon":
        icon = said.get("icon")
        keys = ("icon", *(ICON_KEYS.get(icon, ()) if isinstance(icon, str) else ()))
    elif do == "play":
        bill = said.get("bill")
        if bill == "w":
            keys = ("bill", "on")
        elif isinstance(bill, str) and "/" not in bill:
            same = _whole(said.get("as")) and str(said["as"]) == bill.split(":")[0]
            keys = ("bill",) if same else ("bill", "as")
    made = {"do": do} | {key: said[key] for key in keys if key in said}
    if do == "buy" and made.get("coins") == 0 and _whole(made["coins"]):
        del made["coins"]
    if do == "offer":
        made |= {side: _tidy(made[side]) for side in ("give", "get") if side in made}
    return made


def _tidy(side: Any) -> Any:
    """A side of an offer with all its keys, sorted; anything unreadable as it is."""
    if not isinstance(side, dict):
        return side
    bills, numbers, coins = side.get("bills", []), side.get("stacks", []), side.get("coins", 0)
    if isinstance(bills, list) and all(isinstance(bill, str) and bill in CODE_OF for bill in bills):
        bills = sorted(bills, key=order)
    if isinstance(numbers, list) and all(_whole(number) for number in numbers):
        numbers = sorted(numbers)
    return {"bills": bills, "stacks": numbers, "coins": coins}


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def text(said: dict[str, Any]) -> str:
    """A move as one types it: "play w on 3", "push 3 to 2", "icon audit 2 for 3"."""
    do = said["do"]
    if do == "play":
        upright = f" as {said['as']}" if "as" in said else ""
        on = "" if "on" not in said else " new" if said["on"] is None else f" on {said['on']}"
        return f"play {said.get('bill')}{upright}{on}"
    if do == "claim":
        return f"claim {said.get('stack')}"
    if do == "push":
        return f"push {said.get('stack')} to {said.get('to')}"
    if do == "icon":
        return f"icon {said.get('icon')} {_icon_text(said)}".strip()
    if do == "give":
        return f"give {said.get('bill')}"
    if do == "buy":
        pay = "".join(f" {number}" for number in said.get("pay", []))
        coins = f" coins {said['coins']}" if said.get("coins") else ""
        return f"buy {said.get('product')}{' with' if pay else ''}{pay}{coins}"
    if do == "purchase":
        return f"purchase {said.get('stack')} from {said.get('from')} for {said.get('bill')}"
    if do == "offer":
        return f"offer to {said.get('to')} give{_side_text(said.get('give'))} get{_side_text(said.get('get'))}"
    if do == "forecast":
        return f"forecast {said.get('number')}"
    return str(do)


def _icon_text(said: dict[str, Any]) -> str:
    icon = said.get("icon")
    if icon == "vault":
        return f"{said.get('stack')} {said.get('lock')}"
    if icon == "audit":
        return f"{said.get('of')} for {said.get('number')}"
    if icon == "refund":
        return f"{said.get('stack')} {said.get('how')}" + (f" {said['bill']}" if "bill" in said else "")
    if icon == "call_in":
        return f"defer {said['defer']}" if "defer" in said else f"push {said.get('push')} to {said.get('to')}"
    if icon == "merger":
        return f"{said.get('from')} onto {said.get('onto')}"
    return str(said.get("next", ""))


def _side_text(side: Any) -> str:
    if not isinstance(side, dict):
        return " nothing"
    parts = [*side.get("bills", []), *(f"stack {number}" for number in side.get("stacks", []))]
    if side.get("coins"):
        parts.append(f"coins {side['coins']}")
    return "".join(f" {part}" for part in parts) or " nothing"


# --- moves: what is typed ---------------------------------------------------------------------------------------------

EXAMPLES = {
    "play": "play 3, play w on 3, play 1/3 as 1 on 3, or play 1/3 as 1 new", "claim": "claim 4", "push": "push 3 to 2",
    "icon": "icon vault 3 closed", "give": "give 3", "buy": "buy Collector with 3 2", "purchase": "purchase 3 from 2 for 3",
    "offer": "offer to 1 give 3 stack 2 get w coins 1", "forecast": "forecast 3",
}  # fmt: skip


def parse(line: str) -> dict[str, Any]:
    """The move a person typed. Raises Unreadable with an example."""
    words = line.replace(":", " : ").replace(",", " ").split()
    words = " ".join(words).replace(" : ", ":").lower().split()
    if not words:
        raise Unreadable('Nothing was said; a move is, for example, "play 3" or "end".')
    do, rest = words[0], words[1:]
    if do not in EXPECTED:
        raise Unreadable(f"{line!r} is not a move of this game; the moves are {', '.join(EXPECTED)}.")
    try:
        made = {"do": do, **_typed(do, rest)}
    except (ValueError, IndexError, KeyError):
        example = EXAMPLES.get(do, do)
        raise Unreadable(f"{line!r} cannot be read; it is, for example, {example}.") from None
    return made


def _typed(do: str, rest: list[str]) -> dict[str, Any]:
    """The keys of a typed move; anything wrong raises ValueError, IndexError or KeyError."""
    if do == "play":
        return _typed_play(rest)
    if do == "push":
        stack, _, to = _exactly(rest, 3)
        return {"stack": _number(stack), "to": _number(to)}
    if do == "icon":
        return {"icon": rest[0], **_typed_icon(rest[0], rest[1:])}
    if do == "buy":
        return _typed_payment(rest)
    if do == "purchase":
        stack, _, seat, _, bill = _exactly(rest, 5)
        return {"stack": _number(stack), "from": _number(seat), "bill": bill}
    if do == "offer":
        rest = rest[1:] if rest[0] == "to" else rest
        give, get = rest.index("give"), rest.index("get")
        if give != 1 or get < give:
            raise ValueError
        return {"to": _number(rest[0]), "give": _typed_side(rest[2:get]), "get": _typed_side(rest[get + 1 :])}
    if do in ("claim", "forecast", "give"):
        (word,) = _exactly(rest, 1)
        return {"bill": word} if do == "give" else {"stack" if do == "claim" else "number": _number(word)}
    _exactly(rest, 0)
    return {}


def _exactly(rest: list[str], n: int) -> list[str]:
    if len(rest) != n:
        raise ValueError
    return rest


def _number(word: str) -> int:
    if len(word) > 9:
        raise ValueError
    return int(word)


def _typed_play(rest: list[str]) -> dict[str, Any]:
    made: dict[str, Any] = {"bill": rest[0]}
    rest = rest[1:]
    if rest and rest[0] == "as":
        made["as"] = _number(rest[1])
        rest = rest[2:]
    if rest and rest[0] == "on":
        made["on"] = _number(rest[1])
        rest = rest[2:]
    elif rest and rest[0] == "new":
        made["on"] = None
        rest = rest[1:]
    _exactly(rest, 0)
    return made


def _typed_icon(icon: str, rest: list[str]) -> dict[str, Any]:
    if icon == "vault":
        stack, lock = _exactly(rest, 2)
        return {"stack": _number(stack), "lock": lock}
    if icon in ("fast_track", "u_turn"):
        return {"next": _number(rest[0])} if rest else {}
    if icon == "audit":
        seat, _, number = _exactly(rest, 3)
        return {"of": _number(seat), "number": _number(number)}
    if icon == "refund":
        return {"stack": _number(rest[0]), "how": rest[1], **({"bill": rest[2]} if len(rest) > 2 else {})}
    if icon == "call_in" and rest[0] == "push":
        return {"push": _number(rest[1]), "to": _number(rest[3])}
    if icon == "call_in":
        return {"defer": _number(rest[1])}
    if icon == "merger":
        one, _, other = _exactly(rest, 3)
        return {"from": _number(one), "onto": _number(other)}
    if icon != "dividend":
        raise ValueError
    return {}


def _typed_payment(rest: list[str]) -> dict[str, Any]:
    names = {product.lower(): product for product in PRODUCTS}
    end = next((n for n, word in enumerate(rest) if word in ("with", "coins", "coin")), len(rest))
    made: dict[str, Any] = {"product": names[" ".join(rest[:end])]}
    rest = rest[end + 1 :] if rest[end : end + 1] == ["with"] else rest[end:]
    coins = next((n for n, word in enumerate(rest) if word in ("coins", "coin")), len(rest))
    made["pay"] = [_number(word) for word in rest[:coins]]
    if coins < len(rest):
        made["coins"] = _number(rest[coins + 1])
    return made


def _typed_side(rest: list[str]) -> dict[str, Any]:
    made: dict[str, Any] = {"bills": [], "stacks": [], "coins": 0}
    words = iter(word for word in rest if word not in ("and", "nothing"))
    for word in words:
        if word == "stack":
            made["stacks"].append(_number(next(words, "")))
        elif word in ("coins", "coin"):
            made["coins"] = _number(next(words, ""))
        else:
            made["bills"].append(word)
    return made


# --- moves: what they are as steps ------------------------------------------------------------------------------------


def steps(s: Any, seat: int, move: dict[str, Any]) -> list[int]:
    """The action ids of a move of an asked seat. Raises Unreadable, or Illegal with the reason and what is legal."""
    do = move.get("do")
    if not isinstance(do, str) or do not in EXPECTED:
        raise Unreadable(f"{do!r} is not a move of this game; the moves are {', '.join(EXPECTED)}.")
    if s.phase not in EXPECTED[do] or (do == "skip" and s.phase == PLAYING and not s.plays):
        raise Illegal(f"It is not possible to {do} now.", menu(s, seat).texts)
    reader = _Reader(s, seat, move)
    try:
        return _STEPS[do](reader)
    except _Wrong as wrong:
        raise Illegal(str(wrong), menu(s, seat).texts) from None


class _Wrong(Exception):
    """Why a move is not legal."""


class _Reader:
    """A move and the state it is made in; reads keys, strictly."""

    def __init__(self, s: Any, seat: int, move: dict[str, Any]):
        self.s = s
        self.seat = seat
        self.move = move
        self.do = move["do"]

    def whole(self, key: str, what: str) -> int:
        """A whole number."""
        value = self.move.get(key)
        if not isinstance(value, int) or isinstance(value, bool):
            raise Unreadable(f"{what} is a whole number, not {value!r}.")
        return value

    def stack(self, key: str = "stack") -> int:
        """The place of a stack on the table."""
        number = self.whole(key, "A stack")
        if not self.s.stacks >> max(0, number + LOW) & 1 or number < -LOW:
            raise _Wrong(f"There is no stack {number} on the table.")
        return number + LOW

    def number(self, key: str, mask: int, none: str) -> int:
        """The place of a number out of a mask."""
        number = self.whole(key, f"{key} of {self.do}")
        if number < -LOW or not mask >> number + LOW & 1:
            raise _Wrong(none.format(number))
        return number + LOW

    def player(self, key: str) -> int:
        """A seat."""
        seat = self.whole(key, "A player")
        if not 0 <= seat < self.s.players:
            raise _Wrong(f"There is no seat {seat}; the seats are 0 to {self.s.players - 1}.")
        return seat

    def bill(self, key: str = "bill") -> int:
        """The code of a bill."""
        return _code(self.move.get(key))

    def word(self, key: str, among: dict[str, int]) -> int:
        """One of some words."""
        value = self.move.get(key)
        if not isinstance(value, str) or value not in among:
            raise Unreadable(f"{key} is {value!r}; it must be {' or '.join(among)}.")
        return among[value]

    def far(self, other: int) -> int:
        """How far clockwise a seat is."""
        return int(stacks.distance(self.s, self.seat, other))


def _code(name: Any) -> int:
    if not isinstance(name, str) or name not in CODE_OF:
        raise Unreadable(f"{name!r} is not a bill; a bill is, for example, \"3\", \"-2\", \"w\", \"1/3\" or \"3:vault\".")
    return CODE_OF[name]


def _own(r: _Reader) -> int:
    """The code of a bill that the hand holds."""
    code = r.bill()
    if not stacks.holds(r.s, r.seat, code):
        raise _Wrong(f"You hold no {bill_name(code)}.")
    return code


def _print_steps(s: Any, seat: int, code: int) -> list[int]:
    """PLAY, and PRINT if the hand holds different bills of the kind."""
    kind = stacks.kind_of(code)
    which = [PRINT + 1 + stacks.icon_of(code)] if stacks.only_print(s, seat, kind) < 0 else []
    return [PLAY + kind, *which]


def _play_steps(r: _Reader) -> list[int]:
    s, seat = r.s, r.seat
    code = _own(r)
    kind = stacks.kind_of(code)
    frozen = rules.barred(s, seat)
    taken = _print_steps(s, seat, code)
    if kind == WILD:
        if s.stacks == 0:
            raise _Wrong("A wild bill cannot start a stack, and there is none.")
        place = r.stack("on")
        if frozen >> place & 1:
            raise _Wrong(f"The stack {place - LOW} is frozen.")
        return [*taken, PLACE + place]
    if kind >= MULTI:
        return [*taken, *_multi_steps(r, code, frozen)]
    place = kind
    if r.move.get("as") is not None:
        place = r.whole("as", "The number of a bill") + LOW
    if place != kind and not stacks.has(s, seat, COUNTERFEITER):
        raise _Wrong(f"A {bill_name(code)} can only be played as {kind - LOW}.")
    if place != kind and (not rules.can_forge(s, seat, kind) or not 0 <= place < PLACES
                          or not rules.forgeries(s, kind) >> place & 1):
        raise _Wrong(f"A {bill_name(code)} cannot be played as {place - LOW} now.")
    if frozen >> place & 1:
        raise _Wrong(f"The stack {place - LOW} is frozen.")
    return [*taken, *([PLACE + place] if rules.can_forge(s, seat, kind) else [])]


def _multi_steps(r: _Reader, code: int, frozen: int) -> list[int]:
    s, name = r.s, bill_name(code)
    both = MULTIS[code - MULTI]
    upright = r.whole("as", f"The upright number of {name}")
    if upright not in both:
        raise _Wrong(f"{name} shows {both[0]} and {both[1]}, not {upright}.")
    if "on" not in r.move:
        raise Unreadable(f"{name} needs \"on\": the number of a stack, or null for a new one.")
    place = upright + LOW
    if r.move["on"] is None:
        if s.stacks >> place & 1:
            raise _Wrong(f"There is a stack {upright} already: {name} cannot start another.")
        return [PLACE + place, NEW]
    on = r.whole("on", "A stack")
    if on not in both:
        raise _Wrong(f"{name} can only go on a stack {both[0]} or {both[1]}, not {on}.")
    r.stack("on")
    if on != upright and s.stacks >> place & 1:
        raise _Wrong(f"There is a stack {upright} already: the stack {on} cannot become another.")
    if frozen >> on + LOW & 1:
        raise _Wrong(f"The stack {on} is frozen.")
    return [PLACE + place, PLACE + on + LOW]


def _claim_steps(r: _Reader) -> list[int]:
    s, seat = r.s, r.seat
    place = r.stack()
    if s.done & CLAIMED:
        raise _Wrong("You have made your claim of this turn, or gone shopping instead.")
    if not stacks.claimable(s, seat) >> place & 1:
        raise _Wrong(_why_not(s, seat, place))
    return [CLAIM + place]


def _why_not(s: Any, seat: int, place: int) -> str:
    """Why a stack cannot be claimed."""
    number = place - LOW
    if s.full >> place & 1:
        return f"The stack {number} is full: it must be pushed."
    if s.closed >> place & 1:
        return f"The stack {number} is closed."
    if not s.may >> seat & 1:
        return f"You have {s.count[seat]} stacks, too many to take one: the lowest count is {min(s.count[:s.players])}."
    if place != ZERO and s.diversity_a and s.owns[seat] >> place & 1:
        return f"You have a stack {number} already."
    if place != ZERO and s.played >> place & 1 and s.diversity_b and not stacks.has(s, seat, LOOPHOLE):
        return f"You have played a {number} this turn."
    return f"Your Penny Pincher takes no {number}."


def _push_steps(r: _Reader) -> list[int]:
    s = r.s
    place = r.stack()
    if s.phase == AGAIN:
        if place != s.pushed:
            raise _Wrong(f"The stack that was refused is {s.pushed - LOW}.")
        open_to = stacks.targets(s, place) & ~(1 << s.whom)
    elif not s.full >> place & 1:
        raise _Wrong(f"The stack {place - LOW} is not full.")
    else:
        open_to = stacks.targets(s, place)
    to = r.player("to")
    if not open_to >> to & 1:
        who = seats_words(seats_in(s, open_to))
        raise _Wrong(f"The stack {place - LOW} cannot be pushed to seat {to}; it can be pushed to {who}.")
    if s.phase == AGAIN:
        return [SEAT + r.far(to)]
    first = [] if place == rules.lowest_place(stacks.pushable(s)) else [PLACE + place]
    return [*first, PUSH + r.far(to)]


def _end_steps(r: _Reader) -> list[int]:
    full = stacks.pushable(r.s)
    if full:
        raise _Wrong(f"The stack {numbers_in(full)[0]} is full: it must be pushed first.")
    return [END]


def _icon_steps(r: _Reader) -> list[int]:
    s, seat = r.s, r.seat
    icon = r.word("icon", {name: n for n, name in enumerate(ICON_NAMES)})
    if icon != s.icon:
        raise _Wrong(f"The icon to use is {ICON_NAMES[s.icon]}.")
    if icon == VAULT:
        return [PLACE + r.stack(), r.word("lock", LOCKS)]
    if icon == FAST_TRACK or (icon == U_TURN and s.players == 2):
        to = r.player("next")
        if not icons.next_seats(s, seat) >> to & 1:
            raise _Wrong("You cannot give yourself the next turn twice in a row.")
        return [SEAT + r.far(to)]
    if icon in (U_TURN, DIVIDEND):
        return [USE]
    if icon == AUDIT:
        of = r.player("of")
        if not icons.auditable(s, seat) >> of & 1:
            raise _Wrong(f"Seat {of} cannot be audited: another player who holds bills can.")
        return [SEAT + r.far(of), PLACE + r.number("number", icons.in_game(s), "No bill of this match shows {}.")]
    if icon == REFUND:
        return _refund_steps(r)
    if icon == MERGER:
        one = r.stack("from")
        other = r.stack("onto")
        if not icons.onto(s, one) >> other & 1:
            raise _Wrong(f"The top bill of the stack {one - LOW} cannot go onto the stack {other - LOW}.")
        return [PLACE + one, PLACE + other]
    if "defer" in r.move:
        place = r.stack("defer")
        if not icons.deferrable(s) >> place & 1:
            raise _Wrong(f"The stack {place - LOW} is not full.")
        return [DEFER, PLACE + place]
    place = r.stack("push")
    if not icons.callable_stacks(s) >> place & 1:
        raise _Wrong(f"The stack {place - LOW} cannot be called in.")
    to = r.player("to")
    if not stacks.able(s, place) >> to & 1:
        raise _Wrong(f"Seat {to} cannot claim the stack {place - LOW}.")
    return [CALL, PLACE + place, PUSH + r.far(to)]


def _refund_steps(r: _Reader) -> list[int]:
    s, seat = r.s, r.seat
    place = r.number("stack", s.owns[seat], "You have no stack {}.")
    how = r.word("how", HOWS)
    if how == REDEPOSIT and s.frozen >> place & 1:
        raise _Wrong(f"The stack {place - LOW} on the table is frozen.")
    if how != WITHDRAW:
        return [PLACE + place, how]
    code = r.bill()
    held = set()
    node = stacks.find(s, seat, place)
    while node > 0:
        held.add(s.code[node])
        node = s.under[node]
    if code not in held:
        raise _Wrong(f"There is no {bill_name(code)} in the stack {place - LOW}.")
    kind = stacks.kind_of(code)
    alike = [c for c in held if stacks.kind_of(c) == kind]
    which = [PRINT + 1 + stacks.icon_of(code)] if len(alike) > 1 else []
    return [PLACE + place, how, PLAY + kind, *which]


def _give_steps(r: _Reader) -> list[int]:
    s = r.s
    code = _own(r)
    kind = stacks.kind_of(code)
    if s.phase == GIVING and not icons.SHOWS[s.number] >> kind & 1:
        raise _Wrong(f"The bill must show {s.number - LOW}.")
    return _print_steps(s, r.seat, code)


def _shopping(r: _Reader) -> None:
    if not r.s.shopping_spree:
        raise _Wrong("There is no shopping in this match.")
    if r.s.done & CLAIMED:
        raise _Wrong("You have made your claim of this turn, or gone shopping instead.")


def _buy_steps(r: _Reader) -> list[int]:
    s, seat = r.s, r.seat
    product = r.word("product", {name: n for n, name in enumerate(PRODUCTS)})
    pay, coins = r.move.get("pay"), r.move.get("coins", 0)
    if not isinstance(pay, list) or not all(_whole(number) for number in pay):
        raise Unreadable(f"A product is paid with a list of stacks, such as [3], not {pay!r}.")
    if not _whole(coins) or coins < 0:
        raise Unreadable(f"coins is a whole number, not {coins!r}.")
    _shopping(r)
    if product not in s.products[: min(SHELF, s.in_store)]:
        raise _Wrong(f"{PRODUCTS[product]} does not lie open.")
    for number in pay:
        if number not in purse(s, seat):
            raise _Wrong(f"You have no stack {number} that could pay.")
    if len(set(pay)) < len(pay):
        raise _Wrong("Each stack can pay once.")
    if coins > s.coins[seat]:
        raise _Wrong(f"You have {s.coins[seat]} coins, not {coins}.")
    total = coins + sum(shop.price_worth(s, seat, number + LOW) for number in pay)
    if total < s.prices[product]:
        raise _Wrong(f"{total} does not reach the price of {s.prices[product]}.")
    return [BUY + product, *(PLACE + number + LOW for number in sorted(pay)), *[COIN] * coins, DONE]


def _purchase_steps(r: _Reader) -> list[int]:
    s, seat = r.s, r.seat
    number, seller, code = r.whole("stack", "A stack"), r.whole("from", "A player"), r.bill()
    _shopping(r)
    r.player("from")
    if not shop.sellers(s, seat) >> seller & 1 or seller == seat:
        raise _Wrong(f"You can purchase nothing from seat {seller}.")
    if not -LOW <= number < PLACES - LOW or not shop.buyable(s, seat, seller) >> number + LOW & 1:
        raise _Wrong(f"You cannot purchase a stack {number} from seat {seller}.")
    worth = stacks.row_value(s, stacks.find(s, seller, number + LOW))
    if code < ICONS and code >= WILD or stacks.kind_of(code) - LOW != worth:
        raise _Wrong(f"The stack is worth {worth}, and so must be the bill.")
    if not shop.can_give(s, seat, code):
        raise _Wrong(f"You hold no {bill_name(code)} that can be given.")
    kinds = [w for w in range(9 if stacks.has_icons(s, worth + LOW) else 1)
             if shop.can_give(s, seat, stacks.code_of(worth + LOW, w))]
    which = [PRINT + 1 + stacks.icon_of(code)] if len(kinds) > 1 else []
    return [PURCHASE, SEAT + r.far(seller), PLACE + number + LOW, *which]


def _offer_steps(r: _Reader) -> list[int]:
    s, seat = r.s, r.seat
    to = r.whole("to", "A player")
    sides = [_read_side(r.move.get(key), key) for key in ("give", "get")]
    _shopping(r)
    if s.done & OFFERED:
        raise _Wrong("You have made your offer of this turn.")
    r.player("to")
    if to == seat or not shop.partners(s, seat) >> to & 1:
        raise _Wrong(f"There is nothing to deal about with seat {to}.")
    taken = [OFFER, SEAT + r.far(to)]
    for side, (codes, numbers, coins) in enumerate(sides):
        holder, there = (to, shop.askable(s, to)) if side else (seat, s.owns[seat])
        whose = f"Seat {to} has" if side else "You have"
        for number in numbers:
            if not -LOW <= number < PLACES - LOW or not there >> number + LOW & 1:
                raise _Wrong(f"{whose} no stack {number} to deal with.")
        if len(set(numbers)) < len(numbers):
            raise _Wrong("A stack can be named once.")
        if coins > s.coins[holder]:
            raise _Wrong(f"{whose} {s.coins[holder]} coins, not {coins}.")
        if len(codes) > s.size[holder]:
            raise _Wrong(f"{whose} {s.size[holder]} bills, not {len(codes)}.")
        for code, n in Counter(codes).items():
            _check_named(s, seat, side, code, n)
        for code in sorted(codes, key=lambda c: (stacks.kind_of(c), stacks.icon_of(c))):
            kind = stacks.kind_of(code)
            taken += [PLAY + kind, *([PRINT + 1 + stacks.icon_of(code)] if stacks.has_icons(s, kind) else [])]
        taken += [PLACE + number + LOW for number in sorted(numbers)] + [COIN] * coins + [DONE if side else FOR]
    if not any(codes or numbers or coins for codes, numbers, coins in sides):
        raise _Wrong("An offer names something.")
    return taken


def _check_named(s: Any, seat: int, side: int, code: int, n: int) -> None:
    """A bill of an offer can be named n times."""
    name = bill_name(code)
    if side == 0:
        have = stacks.plain_bills(s, seat, code) if code < ICONS else stacks.holds(s, seat, code)
        if n > have:
            raise _Wrong(f"You hold {have} of the bill {name}, not {n}.")
    elif code < ICONS and not shop.exists(s, code):
        raise _Wrong(f"There is no bill {name} in this match.")
    elif code >= ICONS:
        v, icon = divmod(code - ICONS, 8)
        if n > 1 or not s.action_fund or not shop.printed(s, v) >> icon & 1 or v >= s.numbers:
            raise _Wrong(f"There {'is only one' if n > 1 else 'is no'} bill {name} in this match.")
        if stacks.holds(s, seat, code):
            raise _Wrong(f"You hold the bill {name} yourself.")


def _read_side(side: Any, key: str) -> tuple[list[int], list[int], int]:
    """A side of an offer: codes, numbers of stacks, coins."""
    if not isinstance(side, dict):
        raise Unreadable(f"{key} is an object with bills, stacks and coins, not {side!r}.")
    bills, numbers, coins = side.get("bills", []), side.get("stacks", []), side.get("coins", 0)
    if not isinstance(bills, list) or not isinstance(numbers, list) or not all(_whole(number) for number in numbers):
        raise Unreadable(f"{key} has a list of bills and a list of stacks, not {bills!r} and {numbers!r}.")
    if not _whole(coins) or coins < 0:
        raise Unreadable(f"coins is a whole number, not {coins!r}.")
    return [_code(bill) for bill in bills], numbers, coins


def _forecast_steps(r: _Reader) -> list[int]:
    return [PLACE + r.number("number", icons.in_game(r.s), "No bill of this match shows {}.")]


_STEPS: dict[str, Any] = {
    "play": _play_steps, "claim": _claim_steps, "push": _push_steps, "end": _end_steps, "icon": _icon_steps,
    "skip": lambda _: [SKIP], "give": _give_steps, "buy": _buy_steps, "purchase": _purchase_steps, "offer": _offer_steps,
    "accept": lambda r: _accept_steps(r), "refuse": lambda _: [REFUSE], "take": lambda _: [TAKE],
    "forecast": _forecast_steps,
}  # fmt: skip


def _accept_steps(r: _Reader) -> list[int]:
    if not shop.lawful(r.s, r.s.actor, r.seat):
        raise _Wrong("You cannot accept: a bill is missing, or a row would break a law.")
    return [ACCEPT]


# --- steps as moves ---------------------------------------------------------------------------------------------------


def move(s: Any, seat: int, actions: list[int]) -> dict[str, Any]:
    """The move that a complete sequence of actions from this state makes."""
    first = actions[0]
    if s.phase == PLAYING:
        return {"do": "skip"} if first == SKIP else _play_made(s, seat, actions)
    if s.phase == WINDOW:
        return _window_made(s, seat, actions)
    if s.phase == ICON:
        return {"do": "skip"} if first == SKIP else {"do": "icon", "icon": ICON_NAMES[s.icon], **_icon_made(s, seat, actions)}
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
        return {"do": "offer", "to": to, "give": _side_made(s, actions[2:middle]), "get": _side_made(s, actions[middle + 1 :])}
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
    while stacks.kind_of(s.code[node]) != kind:
        node = s.under[node]
    return int(s.code[node])


# --- the menu ---------------------------------------------------------------------------------------------------------


def menu(s: Any, seat: int) -> Menu:
    """The choices of an asked seat, from a state hidden for it (or the true one: they are the same)."""
    found: list[Choice] = []
    for said in _moves(s, seat):
        found.append(Choice(text(said), said))
    if s.phase == WINDOW:
        found += _shop_choices(s, seat)
    return Menu(tuple(found))


def _moves(s: Any, seat: int) -> Iterator[dict[str, Any]]:
    """All moves in which nothing large is left to choose."""
    if s.phase == PLAYING:
        yield from _plays(s, seat)
    elif s.phase == WINDOW:
        yield from _window_moves(s, seat)
    elif s.phase == ICON:
        for made in _icon_moves(s, seat):
            yield {"do": "icon", "icon": ICON_NAMES[s.icon], **made}
        yield {"do": "skip"}
    elif s.phase in (GIVING, RETURNING):
        wanted = icons.SHOWS[s.number] if s.phase == GIVING else -1
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
    held = set()
    node = stacks.find(s, seat, number + LOW)
    while node > 0:
        held.add(bill_name(s.code[node]))
        node = s.under[node]
    for name in sorted(held, key=order):
        yield {"stack": number, "how": "withdraw", "bill": name}
    if not s.frozen >> number + LOW & 1:
        yield {"stack": number, "how": "redeposit"}
    yield {"stack": number, "how": "write_off"}


def _shop_choices(s: Any, seat: int) -> Iterator[Choice]:
    """Products, purchases, and to whom an offer can be made."""
    if not s.shopping_spree or s.done & CLAIMED:
        return
    worth = shop.payable(s, seat, -1) + s.coins[seat]
    cards = (*purse(s, seat), *["coin"] * s.coins[seat])
    for product in s.products[: min(SHELF, s.in_store)]:
        if worth >= s.prices[product]:
            name = PRODUCTS[product]
            yield Choice(f"buy {name} with stacks and coins that reach {s.prices[product]}", {"do": "buy", "product": name},
                         cards=cards)  # fmt: skip
    for seller in seats_in(s, shop.sellers(s, seat)):
        for number in numbers_in(shop.buyable(s, seat, seller)):
            worth = stacks.row_value(s, stacks.find(s, seller, number + LOW))
            for which in range(9 if stacks.has_icons(s, worth + LOW) else 1):
                code = stacks.code_of(worth + LOW, which)
                if shop.can_give(s, seat, code):
                    said = {"do": "purchase", "stack": number, "from": seller, "bill": bill_name(code)}
                    yield Choice(text(said), said)
    if not s.done & OFFERED:
        for to in seats_in(s, shop.partners(s, seat)):
            cards = (*hand(s, seat), *(f"stack {n}" for n in numbers_in(s.owns[seat])), *["coin"] * s.coins[seat])
            yield Choice(f"offer to {to} give … get …", {"do": "offer", "to": to}, cards=cards)
