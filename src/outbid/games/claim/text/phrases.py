"""Moves of Claim as one types them, and as a form names them. Plain Python."""

import re
from typing import Any

from outbid.core.errors import Unreadable
from outbid.core.language.i18n import N_
from outbid.core.moves import WHOLE
from outbid.games.claim.state import ICON_NAMES, PRODUCTS
from outbid.games.claim.text import _
from outbid.games.claim.text.moves import MOVES, NO_MOVE, PERHAPS, SIDE

def complete(s: Any, move: dict[str, Any]) -> dict[str, Any]:
    """The move of a form, which names what is paid, given and wanted as cards. Raises Unreadable.

    {"do": "buy", "product": "Collector", "cards": [3, "coin"]}: a stack and a coin pay.
    {"do": "offer", "to": 1, "cards": ["give 3", "give stack 2", "get w", "get coin"]}; without a word it is given."""
    cards = move.get("cards")
    if move.get("do") not in ("buy", "offer") or not isinstance(cards, list):
        return move
    rest = {key: value for key, value in move.items() if key != "cards"}
    sides: dict[str, dict[str, Any]] = {side: {"bills": [], "stacks": [], "coins": 0} for side in ("give", "get")}
    for card in map(str, cards):
        side, _space, thing = card.partition(" ")
        if side not in sides:
            side, thing = "give", card
        if thing == "coin":
            sides[side]["coins"] += 1
        elif thing.startswith("stack ") or move["do"] == "buy":
            sides[side]["stacks"].append(_typed_number(thing.removeprefix("stack ")))
        else:
            sides[side]["bills"].append(thing)
    if move["do"] == "offer":
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
PATTERNS = {  # what follows the kind of a move; a move without is typed as its form has it
    "play": r"(?P<bill>\S+)( as (?P<as>\S+))?( on (?P<on>\S+)| (?P<new>new))?",
    "offer": r"(to )?(?P<to>\S+) give(?P<give>( \S+)*?) get(?P<get>( \S+)*)",
    "icon fast_track": r"\S+( (?P<next>\S+).*)?",
    "icon u_turn": r"\S+( (?P<next>\S+).*)?",
    "icon dividend": r".*",
    "icon refund": r"\S+ (?P<stack>\S+) (?P<how>\S+)( (?P<bill>\S+).*)?",
    "icon call_in": r"\S+ (push (?P<push>\S+) \S+ (?P<to>\S+)|(?!push )\S+ (?P<defer>\S+)).*",
}


def parse(line: str) -> dict[str, Any]:
    """The move a person typed. Raises Unreadable with an example."""
    words = " ".join(line.replace(":", " : ").replace(",", " ").split())
    do, _space, rest = words.replace(" : ", ":").lower().partition(" ")
    if not do:
        raise Unreadable(_('Nothing was said; a move is, for example, "play 3" or "end".'))
    if do not in MOVES.kinds:
        raise Unreadable(_(NO_MOVE, move=line, moves=", ".join(MOVES.kinds)))
    try:
        return {"do": do, **(_typed_payment(rest.split()) if do == "buy" else _typed(do, rest))}
    except (ValueError, IndexError, KeyError):
        example = _(EXAMPLES[do]) if do in EXAMPLES else do
        raise Unreadable(_("{line!r} cannot be read; it is, for example, {example}.", line=line, example=example)) from None


def _typed(do: str, rest: str) -> dict[str, Any]:
    """The keys of a typed move. Raises ValueError."""
    icon = rest.partition(" ")[0] if do == "icon" else ""
    row: Any = MOVES.row({"do": do, "icon": icon})
    pattern = PATTERNS.get(f"{do} {icon}".rstrip())
    if pattern is None:
        form = row.form.split()[1:] or [f"{{{key}}}" for key in row.fields]
        pattern = " ".join(rf"(?P<{word[1:-1]}>\S+)" if word[0] == "{" else r"\S+" for word in form)
    match = re.fullmatch(pattern, rest)
    if match is None or icon not in ("", *ICON_NAMES):
        raise ValueError
    words = {key: word for key, word in match.groupdict().items() if word is not None}
    new = {"on": None} if words.pop("new", "") else {}
    return ({"icon": icon} if icon else {}) | {key: _read(row.fields[key], word) for key, word in words.items()} | new


def _read(schema: Any, words: str) -> Any:
    if schema in (WHOLE, PERHAPS):
        return _number(words)
    return _typed_side(words.split()) if schema == SIDE else words


def _number(word: str) -> int:
    if len(word) > 9:
        raise ValueError
    return int(word)


def _typed_payment(rest: list[str]) -> dict[str, Any]:
    names = {product.lower(): product for product in PRODUCTS}
    end = next((n for n, word in enumerate(rest) if word in ("with", "coins", "coin")), len(rest))
    fields: dict[str, Any] = {"product": names[" ".join(rest[:end])]}
    rest = rest[end + 1 :] if rest[end : end + 1] == ["with"] else rest[end:]
    coins = next((n for n, word in enumerate(rest) if word in ("coins", "coin")), len(rest))
    fields["pay"] = [_number(word) for word in rest[:coins]]
    if coins < len(rest):
        fields["coins"] = _number(rest[coins + 1])
    return fields


def _typed_side(rest: list[str]) -> dict[str, Any]:
    side: dict[str, Any] = {"bills": [], "stacks": [], "coins": 0}
    words = iter(word for word in rest if word not in ("and", "nothing"))
    for word in words:
        if word == "stack":
            side["stacks"].append(_number(next(words, "")))
        elif word in ("coins", "coin"):
            side["coins"] = _number(next(words, ""))
        else:
            side["bills"].append(word)
    return side
