"""Moves of Claim as one says and types them: their keys, their text, reading a line. Plain Python."""

from __future__ import annotations

from typing import Any

from outbid.core.language import i18n
from outbid.core.errors import Unreadable
from outbid.core.language.i18n import mark
from outbid.games.claim.state import (
    AGAIN, ANSWERING, CLOSED, FORECASTING, FROZEN, GIVING, ICON, PLAYING, PRODUCTS, REDEPOSIT, REFUSING, RETURNING,
    WINDOW, WITHDRAW, WRITE_OFF,
)  # fmt: skip
from outbid.games.claim.text.views import CODE_OF, order

_ = i18n.words(__package__)[0]

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
            number = said.get("as")
            same = number is None or (whole(number) and str(number) == bill.split(":")[0])
            keys = ("bill",) if same else ("bill", "as")
    made = {"do": do} | {key: said[key] for key in keys if key in said}
    if do == "buy" and made.get("coins") == 0 and whole(made["coins"]):
        del made["coins"]
    if do == "offer":
        made |= {side: _tidy(made[side]) for side in ("give", "get") if side in made}
    return made


def _tidy(side: Any) -> Any:
    """A side of an offer with all its keys, sorted; anything unreadable as it is."""
    if not isinstance(side, dict) or not side.keys() <= {"bills", "stacks", "coins"}:
        return side
    bills, numbers, coins = side.get("bills", []), side.get("stacks", []), side.get("coins", 0)
    if isinstance(bills, list) and all(isinstance(bill, str) and bill in CODE_OF for bill in bills):
        bills = sorted(bills, key=order)
    if isinstance(numbers, list) and all(whole(number) for number in numbers):
        numbers = sorted(numbers)
    return {"bills": bills, "stacks": numbers, "coins": coins}


def whole(value: Any) -> bool:
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


def complete(s: Any, said: dict[str, Any]) -> dict[str, Any]:
    """The move of a form, which names what is paid, given and wanted as cards. Raises Unreadable.

    {"do": "buy", "product": "Collector", "cards": [3, "coin"]}: a stack and a coin pay.
    {"do": "offer", "to": 1, "cards": ["give 3", "give stack 2", "get w", "get coin"]}; without a word it is given.
    """
    cards = said.get("cards")
    if said.get("do") not in ("buy", "offer") or not isinstance(cards, list):
        return said
    rest = {key: value for key, value in said.items() if key != "cards"}
    sides: dict[str, dict[str, Any]] = {side: {"bills": [], "stacks": [], "coins": 0} for side in ("give", "get")}
    for card in map(str, cards):
        side, _space, thing = card.partition(" ")
        if side not in sides:
            side, thing = "give", card
        if thing == "coin":
            sides[side]["coins"] += 1
        elif thing.startswith("stack ") or said["do"] == "buy":
            sides[side]["stacks"].append(_typed_number(thing.removeprefix("stack ")))
        else:
            sides[side]["bills"].append(thing)
    if said["do"] == "offer":
        return rest | sides
    return rest | {"pay": sides["give"]["stacks"], "coins": sides["give"]["coins"]}


def _typed_number(word: str) -> int:
    if not word.removeprefix("-").isdecimal() or len(word) > 9:
        raise Unreadable(_("{word!r} is not the number of a stack.", word=word[:20]))
    return int(word)


# --- moves: what is typed ---------------------------------------------------------------------------------------------

EXAMPLES = {
    "play": mark("play 3, play w on 3, play 1/3 as 1 on 3, or play 1/3 as 1 new"), "claim": "claim 4", "push": "push 3 to 2",
    "icon": "icon vault 3 closed", "give": "give 3", "buy": "buy Collector with 3 2", "purchase": "purchase 3 from 2 for 3",
    "offer": "offer to 1 give 3 stack 2 get w coins 1", "forecast": "forecast 3",
}  # fmt: skip


def parse(line: str) -> dict[str, Any]:
    """The move a person typed. Raises Unreadable with an example."""
    words = line.replace(":", " : ").replace(",", " ").split()
    words = " ".join(words).replace(" : ", ":").lower().split()
    if not words:
        raise Unreadable(_('Nothing was said; a move is, for example, "play 3" or "end".'))
    do, rest = words[0], words[1:]
    if do not in EXPECTED:
        raise Unreadable(
            _("{move!r} is not a move of this game; the moves are {moves}.", move=line, moves=", ".join(EXPECTED))
        )
    try:
        made = {"do": do, **_typed(do, rest)}
    except (ValueError, IndexError, KeyError):
        example = _(EXAMPLES[do]) if do in EXAMPLES else do
        raise Unreadable(_("{line!r} cannot be read; it is, for example, {example}.", line=line, example=example)) from None
    return made


def _typed(do: str, rest: list[str]) -> dict[str, Any]:
    """The keys of a typed move; anything wrong raises ValueError, IndexError or KeyError."""
    if do == "play":
        return _typed_play(rest)
    if do == "push":
        stack, _to, to = _exactly(rest, 3)
        return {"stack": _number(stack), "to": _number(to)}
    if do == "icon":
        return {"icon": rest[0], **_typed_icon(rest[0], rest[1:])}
    if do == "buy":
        return _typed_payment(rest)
    if do == "purchase":
        stack, _from, seat, _for, bill = _exactly(rest, 5)
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
        seat, _for, number = _exactly(rest, 3)
        return {"of": _number(seat), "number": _number(number)}
    if icon == "refund":
        return {"stack": _number(rest[0]), "how": rest[1], **({"bill": rest[2]} if len(rest) > 2 else {})}
    if icon == "call_in" and rest[0] == "push":
        return {"push": _number(rest[1]), "to": _number(rest[3])}
    if icon == "call_in":
        return {"defer": _number(rest[1])}
    if icon == "merger":
        one, _onto, other = _exactly(rest, 3)
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


