"""Moves of Claim as one types them, and as a form names them. Plain Python."""

from __future__ import annotations

from typing import Any

from outbid.core.language import i18n
from outbid.core.errors import Unreadable
from outbid.core.language.i18n import N_
from outbid.core.moves import WHOLE
from outbid.games.claim.state import PRODUCTS
from outbid.games.claim.text.moves import MOVES, NO_MOVE

_ = i18n.words(__package__)[0]

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
    "play": N_("play 3, play w on 3, play 1/3 as 1 on 3, or play 1/3 as 1 new"), "claim": "claim 4", "push": "push 3 to 2",
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
    if do not in MOVES.kinds:
        raise Unreadable(_(NO_MOVE, move=line, moves=", ".join(MOVES.kinds)))
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
    if do == "buy":
        return _typed_payment(rest)
    if do == "offer":
        rest = rest[1:] if rest[0] == "to" else rest
        give, get = rest.index("give"), rest.index("get")
        if give != 1 or get < give:
            raise ValueError
        return {"to": _number(rest[0]), "give": _typed_side(rest[2:get]), "get": _typed_side(rest[get + 1 :])}
    if do == "icon" and rest[0] not in ("vault", "audit", "merger"):
        return {"icon": rest[0], **_typed_icon(rest[0], rest[1:])}
    row: Any = MOVES.row({"do": do, "icon": rest[:1] and rest[0]})
    form = row.form.split()[1:] or [f"{{{key}}}" for key in row.fields]
    return {key[1:-1]: _field(row.fields[key[1:-1]], word)
            for key, word in zip(form, _exactly(rest, len(form)), strict=True) if key[0] == "{"}  # fmt: skip


def _field(schema: dict[str, Any], word: str) -> Any:
    return _number(word) if schema == WHOLE else word


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
    """What follows an icon whose words are not always as many; what follows them is ignored."""
    if icon == "refund":
        return {"stack": _number(rest[0]), "how": rest[1], **({"bill": rest[2]} if len(rest) > 2 else {})}
    if icon == "call_in":
        return {"push": _number(rest[1]), "to": _number(rest[3])} if rest[0] == "push" else {"defer": _number(rest[1])}
    if icon not in ("fast_track", "u_turn", "dividend"):
        raise ValueError
    return {"next": _number(rest[0])} if rest and icon != "dividend" else {}


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


